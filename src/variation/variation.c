/* variation/variation.c - follows a run and carries directions along with it.
 *
 *     V' = (df/dy) V between events,     V <- S V at events     theory (82.1)-(82.8)
 *
 * Where closed contacts leave less free than before, V = Q R is split: Q is carried on, R kept. */
#include "variation/variation.h"

#include "base/status.h"
#include "base/worse.h"
#include "variation/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-5 /* over sizes: steps are made again that well, or there is something unknown */

/* ---- memory ---------------------------------------------------------------------------------- */

/* SP_E_INPUT for what derivatives do not know. */
static sp_status check(const sp_model *m, sp_error *err)
{
    const char *what = m->n_pool > 0         ? "pools of contacts"
                       : m->layout.seams     ? "contacts over the seams of curves"
                       : m->formula.n > 4096 ? "so many coordinates"
                                             : NULL;
    for (int i = 0; i < m->n_slot && !what; i++) {
        what = m->slot[i].is.space ? "contacts in space" : NULL;
    }
    return what ? SP_FAIL(err, SP_E_INPUT,
                          "orbits, branches and exponents do not know %s; sweeps and response do",
                          what)
                : SP_OK;
}

/* y' = f of q, u, z alone, for neighbours. */
static sp_status right_hand_side(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    sp_variation *v = ctx;
    const sp_model *m = v->m;
    SP_TRY(sp_smooth_accelerate(v->s, t, y, y + m->n_q, y + m->n_q + m->n_dof, err));
    sp_kin_rate(m, y, v->w->u_E, dydt);
    memcpy(dydt + m->n_q, v->w->du, (size_t)m->n_dof * sizeof(double));
    memcpy(dydt + m->n_q + m->n_dof, v->w->dyn.z_rate, (size_t)m->n_aux * sizeof(double));
    return SP_OK;
}

/* Steps are as long as they were: no error is too large. */
static void no_error(void *ctx, const sp_rk8_options *options, const double *y0, const double *y1,
                     const double *const e[2], double size[2])
{
    (void)ctx, (void)options, (void)y0, (void)y1, (void)e;
    size[0] = size[1] = 0.0;
}

static bool phase_room(sp_arena *a, const sp_model *m, sp_phase *p)
{
    p->slot = SP_NEW(a, int, m->n_slot + 1);
    p->status = SP_NEW(a, unsigned char, m->n_slot + 1);
    p->hold = SP_NEW(a, int, m->n_slot + 1);
    p->kink = SP_NEW(a, sp_kink, m->n_kink + 1);
    return p->slot && p->status && p->hold && p->kink;
}

/* Which numbers of a state are free to differ: not those that are prescribed. */
static bool list_numbers(sp_variation *v)
{
    const sp_model *m = v->m;
    int n = 0;
    v->at = SP_NEW(&v->arena, int, v->n_all + 1);
    for (int i = 0; v->at && i < v->n_all; i++) {
        const bool held = i < 2 * m->n_dof && m->dof[i % m->n_dof].motion != SP_NONE;
        if (!held) {
            v->at[n++] = i;
        }
    }
    v->result.n = n;
    return v->at != NULL;
}

static bool make_room(sp_variation *v)
{
    sp_arena *a = &v->arena;
    const sp_model *m = v->m;
    bool ok = sp_work_make_dense(m, v->w);
    const size_t n = (size_t)v->result.n + 1, n_y = (size_t)v->n_y + (size_t)v->n_all + 1;
    const size_t rows = (size_t)m->layout.contact_rows * (size_t)v->w->con.room_most +
                        (size_t)m->n_bond * SP_SET_DIM_MAX + n_y + 1;
    double **by_square[] = {&v->V,        &v->Q,        &v->B,        &v->B_min,   &v->C,
                            &v->result.T, &v->result.E, &v->result.M, &v->result.K};
    double **by_state[] = {&v->y,    &v->y_plus,     &v->near_y,    &v->full,
                           &v->rate, &v->result.x_0, &v->result.x_1};
    double **by_number[] = {&v->size, &v->a,   &v->b,          &v->c,         &v->d_flow,
                            &v->J,    &v->f_m, &v->result.f_0, &v->result.f_1};
    double **by_row[] = {&v->raw, &v->sum, &v->grad};
    ok = phase_room(a, m, &v->phase) && phase_room(a, m, &v->next) && phase_room(a, m, &v->first) &&
         ok;
    for (size_t i = 0; i < sizeof by_square / sizeof *by_square; i++) {
        ok = (*by_square[i] = SP_NEW(a, double, n *n)) != NULL && ok;
    }
    for (size_t i = 0; i < sizeof by_state / sizeof *by_state; i++) {
        ok = (*by_state[i] = SP_NEW(a, double, n_y)) != NULL && ok;
    }
    for (size_t i = 0; i < sizeof by_number / sizeof *by_number; i++) {
        ok = (*by_number[i] = SP_NEW(a, double, n)) != NULL && ok;
    }
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++) {
        ok = (*by_row[i] = SP_NEW(a, double, rows + n)) != NULL && ok;
    }
    v->A = SP_NEW(a, double, (2 * rows + 1) * n);
    v->row = SP_NEW(a, int, 2 * rows + 1);
    v->row_room = rows;
    v->u_0 = SP_NEW(a, double, m->n_dof + 1);
    v->scratch = SP_NEW(a, double, 3 * rows + 3 * (size_t)m->n_dof + 1);
    void *rk = SP_NEW(a, double, sp_rk8_bytes(v->n_y) / sizeof(double) + 1);
    if (ok && rk) {
        v->rk = sp_rk8_place(v->n_y, rk);
        v->system = (sp_rk8_system){.ctx = v, .f = right_hand_side, .norm = no_error};
    }
    return ok && v->A && v->row && v->u_0 && v->scratch && rk;
}

/* The method of neighbours, which never steps. */
static sp_status make_method(sp_variation *v, sp_error *err)
{
    const sp_smooth_setup setup = {.tolerance = v->tolerance};
    if (v->m->n_slot > 0) {
        const sp_events_setup events = {.smooth = setup, .until = INFINITY};
        SP_TRY(sp_events_begin(v->m, v->x, v->w, &events, &v->e, err));
        v->s = sp_events_smooth(v->e);
        return SP_OK;
    }
    return sp_smooth_open(v->m, v->x, v->w, &setup, &v->s, err);
}

sp_status sp_variation_new(const sp_model *m, double tolerance, sp_variation **variation,
                           sp_error *err)
{
    sp_arena first;
    sp_arena_init(&first, NULL, 0);
    sp_variation *v = SP_NEW(&first, sp_variation, 1);
    *variation = v;
    if (!v) {
        sp_arena_free(&first);
        return SP_FAIL(err, SP_E_MEMORY, "no memory for derivatives");
    }
    v->arena = first;
    v->m = m;
    v->tolerance = tolerance;
    v->n_y = m->n_q + m->n_dof + m->n_aux;
    v->n_all = 2 * m->n_dof + m->n_aux;
    sp_status status = check(m, err);
    status = status == SP_OK ? sp_state_new(m, NULL, &v->x, err) : status;
    status = status == SP_OK ? sp_work_new(m, NULL, &v->w, err) : status;
    if (status == SP_OK && !(list_numbers(v) && make_room(v))) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for derivatives");
    }
    status = status == SP_OK ? make_method(v, err) : status;
    if (status != SP_OK) {
        sp_variation_free(v);
        *variation = NULL;
    }
    return status;
}

void sp_variation_free(sp_variation *v)
{
    if (v) {
        if (v->e) {
            sp_events_end(v->e);
        } else {
            sp_smooth_end(v->s);
        }
        sp_work_free(v->w);
        sp_state_free(v->x);
        sp_arena arena = v->arena;
        sp_arena_free(&arena);
    }
}

int sp_variation_length(const sp_variation *v)
{
    return v->n_y;
}

/* ---- following ------------------------------------------------------------------------------- */

void sp_variation_begin(sp_variation *v, const sp_state *x, const sp_work *w)
{
    v->run_x = x;
    v->run_w = w;
    v->begun = false;
    v->n_event = 0;
    v->result.n_passed = 0;
    v->result.open = 0.0;
    v->result.together = false;
    v->r = v->result.r_0 = v->result.r_top = v->result.r_min = 0;
}

void sp_variation_size_by(sp_variation *v, const sp_smooth *s)
{
    const int n_dof = v->m->n_dof;
    for (int i = 0; i < v->result.n; i++) {
        const int k = v->at[i];
        v->size[i] = k < n_dof       ? s->size.q[s->kind[k]]
                     : k < 2 * n_dof ? s->size.u[s->kind[k - n_dof]]
                                     : s->z_size[k - 2 * n_dof];
    }
}

double *sp_variation_sizes(sp_variation *v)
{
    return v->size;
}

/* Where the run is. */
static void take_state(const sp_variation *v, double *y)
{
    const sp_model *m = v->m;
    memcpy(y, v->run_x->q, (size_t)m->n_q * sizeof *y);
    memcpy(y + m->n_q, v->run_x->u, (size_t)m->n_dof * sizeof *y);
    memcpy(y + m->n_q + m->n_dof, v->run_x->z, (size_t)m->n_aux * sizeof *y);
}

/* What is closed in the step that the run has just made, and what was put at rest before it. */
static void take_phase(sp_variation *v, sp_phase *p)
{
    const sp_model *m = v->m;
    sp_smooth *s = v->run_w->smooth;
    size_t bytes;
    const sp_kink *kink = sp_smooth_kinks(s, &bytes);
    v->rested = s->rested;
    p->n = s->closed.n;
    memset(p->hold, 0, (size_t)m->n_slot * sizeof *p->hold);
    for (int a = 0; a < p->n; a++) {
        p->slot[a] = s->closed.slot[a];
        p->status[a] = s->closed.status[a];
        p->hold[p->slot[a]] = v->run_w->con.hold ? v->run_w->con.hold[p->slot[a]] : 0;
    }
    if (kink) {
        memcpy(p->kink, kink, bytes);
    }
}

static bool same_phase(const sp_variation *v, const sp_phase *a, const sp_phase *b)
{
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++) {
        same = a->slot[i] == b->slot[i] && a->status[i] == b->status[i] &&
               a->hold[a->slot[i]] == b->hold[b->slot[i]];
    }
    for (int i = 0; same && i < v->m->n_kink; i++) {
        same = a->kink[i].side == b->kink[i].side ||
               (isnan(a->kink[i].side) && isnan(b->kink[i].side));
    }
    return same;
}

static void swap_phases(sp_variation *v)
{
    const sp_phase p = v->phase;
    v->phase = v->next;
    v->next = p;
}

static void copy_phase(const sp_model *m, const sp_phase *from, sp_phase *to)
{
    to->n = from->n;
    memcpy(to->slot, from->slot, (size_t)m->n_slot * sizeof *to->slot);
    memcpy(to->status, from->status, (size_t)m->n_slot * sizeof *to->status);
    memcpy(to->hold, from->hold, (size_t)m->n_slot * sizeof *to->hold);
    memcpy(to->kink, from->kink, (size_t)m->n_kink * sizeof *to->kink);
}

/* An identity of r columns. */
static void put_identity(int r, double *A)
{
    memset(A, 0, (size_t)r * (size_t)r * sizeof *A);
    for (int i = 0; i < r; i++) {
        A[i * r + i] = 1.0;
    }
}

/* The first step begins: all that is free at its start. */
static sp_status begin_directions(sp_variation *v, sp_error *err)
{
    sp_variation_result *o = &v->result;
    SP_TRY(sp_variation_free_directions(v, &v->next, v->t, v->y_plus, o->T, &o->r_0, err));
    SP_TRY(sp_variation_rates(v, &v->next, v->t, v->y_plus, o->f_0, err));
    memcpy(v->V, o->T, (size_t)o->r_0 * (size_t)o->n * sizeof *v->V);
    memcpy(o->x_0, v->y_plus, (size_t)v->n_y * sizeof *v->y);
    v->r = o->r_top = o->r_min = v->r_after = o->r_0;
    put_identity(v->r, v->B);
    put_identity(v->r, v->B_min);
    put_identity(v->r, v->C);
    copy_phase(v->m, &v->next, &v->first);
    v->begun = true;
    v->n_event = 0;
    o->t_0 = v->t;
    v->t_event = v->t;
    o->open_from = v->t;
    return SP_OK;
}

/* R A, for R = Q^T V (r_new x r) and A with `cols` columns of r numbers; into A. */
static void multiply(int r_new, int r, int cols, const double *R, double *A, double *scratch)
{
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < r_new; i++) {
            double sum = 0.0;
            for (int k = 0; k < r; k++) {
                sum += R[k * r_new + i] * A[j * r + k];
            }
            scratch[j * r_new + i] = sum;
        }
    }
    memcpy(A, scratch, (size_t)r_new * (size_t)cols * sizeof *A);
}

/* Behind an event less may be free: V = Q R.   theory (82.7) */
static sp_status reduce(sp_variation *v, sp_error *err)
{
    sp_variation_result *o = &v->result;
    const int n = o->n;
    int r_free;
    double *Q = o->M; /* its room, until the end */
    SP_TRY(sp_variation_free_directions(v, &v->next, v->t, v->y_plus, Q, &r_free, err));
    o->r_top = r_free > o->r_top ? r_free : o->r_top;
    if (r_free >= v->r) {
        return SP_OK;
    }
    double *R = o->K, *scratch = v->Q;
    for (int j = 0; j < v->r; j++) {
        for (int i = 0; i < r_free; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += Q[i * n + k] * v->V[j * n + k];
            }
            R[j * r_free + i] = sum;
        }
    }
    memcpy(v->V, Q, (size_t)r_free * (size_t)n * sizeof *Q);
    multiply(r_free, v->r, o->r_0, R, v->B, scratch);
    multiply(r_free, v->r, v->r_after, R, v->C, scratch);
    v->r = r_free;
    if (r_free < o->r_min) {
        o->r_min = v->r_after = r_free;
        memcpy(v->B_min, v->B, (size_t)r_free * (size_t)o->r_0 * sizeof *v->B);
        put_identity(r_free, v->C);
    }
    return SP_OK;
}

/* The state at *ctx behind one step of the phase that was entered, sp_nearby. */
static sp_status step_to(sp_variation *v, const void *ctx, double t, const double *y, double *raw,
                         sp_error *err)
{
    const double t_end = *(const double *)ctx;
    const sp_rk8_options options = {
        .rtol = 0.5, .atol = 1.0, .dt_max = INFINITY, .dt_first = t_end - t};
    SP_TRY(sp_rk8_begin(v->rk, &v->system, &options, t, y, err));
    while (v->rk->t < t_end) {
        SP_TRY(sp_rk8_step(v->rk, &v->system, t_end, err));
    }
    memcpy(raw, sp_rk8_y(v->rk), (size_t)v->n_y * sizeof *raw);
    return SP_OK;
}

/* The columns of V along the step to (t, y).   theory (82.3) */
static sp_status flow(sp_variation *v, double t, const double *y, sp_error *err)
{
    const int n = v->result.n;
    const sp_nearby end = {step_to, &t, v->n_y};
    double worst = 0.0;
    sp_variation_enter(v, &v->phase);
    SP_TRY(step_to(v, &t, v->t, v->y_plus, v->raw, err));
    sp_variation_apart(v, y, v->raw, v->a);
    for (int i = 0; i < n; i++) {
        worst = sp_worse(worst, fabs(v->a[i]));
    }
    if (!(worst <= SAME)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "derivatives: the motion before t = %.9g s is not understood (off by %.2g)",
                       t, worst);
    }
    for (int j = 0; j < v->r; j++) {
        double *column = v->V + (size_t)j * (size_t)n;
        SP_TRY(sp_variation_differ(v, end, v->t, v->y_plus, column, 0.0, v->grad, err));
        sp_variation_count(v, y, v->grad, column);
    }
    return SP_OK;
}

/* A step of the run is done: what was before it, then along it. */
static sp_status pass_step(sp_variation *v, double t, sp_error *err)
{
    take_phase(v, &v->next);
    if (!v->begun) {
        SP_TRY(begin_directions(v, err));
    } else if (v->n_event > 0 || !same_phase(v, &v->phase, &v->next) ||
               memcmp(v->y, v->y_plus, (size_t)v->n_y * sizeof *v->y) != 0) {
        SP_TRY(sp_variation_jump(v, err));
        SP_TRY(reduce(v, err));
    }
    swap_phases(v);
    v->n_event = 0;
    take_state(v, v->y);
    SP_TRY(flow(v, t, v->y, err));
    if (t - v->t_event > v->result.open) {
        v->result.open = t - v->t_event;
        v->result.open_from = v->t_event;
    }
    v->t = t;
    memcpy(v->y_plus, v->y, (size_t)v->n_y * sizeof *v->y);
    return SP_OK;
}

/* Room for one more of `each` bytes in a list that grows. */
static void *grown(sp_arena *arena, void *list, int n, int *room, size_t each)
{
    if (n < *room) {
        return list;
    }
    const int more = *room > 0 ? 2 * *room : 32;
    void *larger = sp_arena_alloc(arena, (size_t)more, each);
    if (larger && n > 0) {
        memcpy(larger, list, (size_t)n * each);
    }
    *room = larger ? more : *room;
    return larger;
}

/* Events of the moment. */
static sp_status note_events(sp_variation *v, const sp_step_record *r, sp_error *err)
{
    for (int i = 0; i < r->n_event; i++) {
        const sp_event *e = &r->event[i];
        sp_event *event = grown(&v->arena, v->event, v->n_event, &v->n_room, sizeof *event);
        sp_passed *passed =
            grown(&v->arena, v->result.passed, v->result.n_passed, &v->passed_room, sizeof *passed);
        if (!event || !passed) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for events");
        }
        v->event = event;
        v->result.passed = passed;
        event[v->n_event++] = *e;
        const double speed = e->kind == SP_EVENT_IMPACT ? fabs(e->gamma_N_before) : 0.0;
        if (v->begun) {
            passed[v->result.n_passed++] = (sp_passed){e->t, e->kind, e->slot, speed};
        }
    }
    v->t_event = r->n_event > 0 ? r->t : v->t_event;
    return SP_OK;
}

/* sp_observer: a step, or what happened behind it. */
static sp_status observe(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    sp_variation *v = ctx;
    (void)m;
    if (r->dt > 0.0) {
        SP_TRY(pass_step(v, r->t, err));
    } else {
        v->t = r->t;
        take_state(v, v->y_plus);
        if (!v->begun) {
            v->t_event = r->t;
        }
    }
    return note_events(v, r, err);
}

sp_observer sp_variation_observer(sp_variation *v)
{
    return (sp_observer){.step = observe, .ctx = v};
}

/* M = T^T V B, K = B_min T^T V C.   theory (82.8) */
static void form_result(sp_variation *v)
{
    sp_variation_result *o = &v->result;
    const int n = o->n, r = v->r, r_0 = o->r_0, r_min = o->r_min;
    double *TV = v->Q; /* r_0 x r */
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r_0; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += o->T[i * n + k] * v->V[j * n + k];
            }
            TV[j * r_0 + i] = sum;
        }
    }
    double *scratch = v->A;
    memcpy(o->M, v->B, (size_t)r * (size_t)r_0 * sizeof *TV);
    multiply(r_0, r, r_0, TV, o->M, scratch);
    memcpy(o->E, v->B, (size_t)r * (size_t)r_0 * sizeof *TV);
    multiply(n, r, r_0, v->V, o->E, scratch);
    memcpy(o->K, v->C, (size_t)r * (size_t)r_min * sizeof *TV);
    multiply(r_0, r, r_min, TV, o->K, scratch);
    multiply(r_min, r_0, r_min, v->B_min, o->K, scratch);
}

sp_status sp_variation_finish(sp_variation *v, const sp_variation_result **result, sp_error *err)
{
    *result = &v->result;
    if (!v->begun) {
        return SP_FAIL(err, SP_E_INPUT, "derivatives: the run has no step");
    }
    if (v->n_event > 0) {
        return SP_FAIL(err, SP_E_INPUT, "the orbit begins and ends at an event, t = %.9g s", v->t);
    }
    v->result.t_1 = v->t;
    memcpy(v->result.x_1, v->y, (size_t)v->n_y * sizeof *v->y);
    SP_TRY(sp_variation_rates(v, &v->phase, v->t, v->y, v->result.f_1, err));
    form_result(v);
    return SP_OK;
}

/* Parts of a phase as they lie in one block. */
static size_t phase_part(const sp_model *m, int part)
{
    const size_t n = (size_t)m->n_slot;
    return part == 0   ? sizeof(int)
           : part == 1 ? n * sizeof(int)
           : part == 2 ? n
           : part == 3 ? n * sizeof(int)
                       : (size_t)m->n_kink * sizeof(sp_kink);
}

void *sp_variation_keep_phase(const sp_variation *v)
{
    const sp_phase *p = &v->first;
    const void *part[5] = {&p->n, p->slot, p->status, p->hold, p->kink};
    size_t size = 0;
    for (int k = 0; k < 5; k++) {
        size += phase_part(v->m, k);
    }
    unsigned char *block = malloc(size), *at = block;
    for (int k = 0; k < 5 && block; at += phase_part(v->m, k), k++) {
        memcpy(at, part[k], phase_part(v->m, k));
    }
    return block;
}

void sp_variation_use_phase(sp_variation *v, const void *phase)
{
    sp_phase *p = &v->first;
    void *part[5] = {&p->n, p->slot, p->status, p->hold, p->kink};
    const unsigned char *at = phase;
    for (int k = 0; k < 5; at += phase_part(v->m, k), k++) {
        memcpy(part[k], at, phase_part(v->m, k));
    }
}

/* ---- states nearby --------------------------------------------------------------------------- */

void sp_variation_apart(const sp_variation *v, const double *a, const double *b, double *d)
{
    const sp_model *m = v->m;
    double *change = v->near_y;
    for (int i = 0; i < v->n_y; i++) {
        change[i] = b[i] - a[i];
    }
    for (int k = 0; k < m->n_dof; k++) {
        const bool turns = v->s->is_angle[v->s->kind[k]] && m->dof[k].move != SP_MOVE_BALL;
        const double turn = 2.0 * 3.14159265358979323846;
        if (turns && fabs(change[m->dof[k].q]) > 0.5 * turn) {
            change[m->dof[k].q] -= turn * round(change[m->dof[k].q] / turn);
        }
    }
    sp_variation_count(v, a, change, d);
}

sp_status sp_variation_move(sp_variation *v, const double *d, double scale, double *x,
                            sp_error *err)
{
    const sp_model *m = v->m;
    sp_variation_spread(v, d, v->full);
    sp_kin_advance(m, scale, v->full, x);
    for (int i = m->n_dof; i < v->n_all; i++) {
        x[m->n_q + i - m->n_dof] += scale * v->full[i];
    }
    sp_variation_enter(v, &v->first);
    return sp_smooth_project(v->s, v->result.t_0, x, x + m->n_q, err);
}
