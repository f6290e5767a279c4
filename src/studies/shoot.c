#include "studies/shoot.h"

#include "base/status.h"
#include "base/worse.h"
#include "math/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 12 };

/* ---- memory ---------------------------------------------------------------------------------- */

sp_status sp_shoot_new(const sp_model *m, sp_state *x, sp_work *w, const sp_run_options *o,
                       const sp_orbit_wish *wish, sp_shoot *s, sp_error *err)
{
    *s = (sp_shoot){.m = m, .x = x, .w = w, .o = *o, .wish = wish};
    sp_arena_init(&s->arena, NULL, 0);
    s->o.method = SP_METHOD_EVENT;
    s->o.measures = NULL;
    s->o.progress = NULL;
    SP_TRY(sp_run_may(m, &s->o, err));
    SP_TRY(sp_state_new(m, NULL, &s->rest, err));
    SP_TRY(sp_variation_new(m, s->o.tolerance, &s->v, err));
    s->n_y = sp_variation_length(s->v);
    const size_t n = (size_t)s->n_y + (size_t)m->n_dof * 2 + 4;
    double **by_state[] = {&s->start, &s->F, &s->xi, &s->trial, &s->apart};
    bool ok = true;
    for (size_t i = 0; i < sizeof by_state / sizeof *by_state; i++) {
        ok = (*by_state[i] = SP_NEW(&s->arena, double, n)) != NULL && ok;
    }
    s->A = SP_NEW(&s->arena, double, n *n);
    return ok && s->A ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for orbits");
}

void sp_shoot_free(sp_shoot *s)
{
    sp_variation_free(s->v);
    sp_state_free(s->rest);
    sp_arena_free(&s->arena);
    s->v = NULL;
    s->rest = NULL;
}

/* ---- flying ---------------------------------------------------------------------------------- */

static void take(const sp_shoot *s, double *y)
{
    const sp_model *m = s->m;
    memcpy(y, s->x->q, (size_t)m->n_q * sizeof *y);
    memcpy(y + m->n_q, s->x->u, (size_t)m->n_dof * sizeof *y);
    memcpy(y + m->n_q + m->n_dof, s->x->z, (size_t)m->n_aux * sizeof *y);
}

static void place(sp_shoot *s, double t, const double *y)
{
    const sp_model *m = s->m;
    sp_state_copy(m, s->rest, s->x);
    sp_state_set(m, s->x, t, y, y + m->n_q);
    memcpy(s->x->z, y + m->n_q + m->n_dof, (size_t)m->n_aux * sizeof *y);
}

void sp_shoot_place(sp_shoot *s, const double *y)
{
    place(s, s->t_0, y);
}

/* From where x is to t, watched. */
static sp_status go(sp_shoot *s, double t, const sp_observer *observer, sp_error *err)
{
    sp_run_summary summary;
    s->o.until = t;
    s->o.output_step = t - s->x->t;
    return sp_integrate(s->m, s->x, s->w, &s->o, observer, observer ? 1 : 0, &summary, err);
}

sp_status sp_shoot_fly(sp_shoot *s, sp_error *err)
{
    sp_shoot_place(s, s->start);
    sp_variation_begin(s->v, s->x, s->w);
    const sp_observer observer = sp_variation_observer(s->v);
    SP_TRY(go(s, s->t_0 + s->T, &observer, err));
    SP_TRY(sp_variation_finish(s->v, &s->r, err));
    const sp_variation_result *r = s->r;
    sp_variation_apart(s->v, r->x_0, r->x_1, s->apart);
    s->residual = 0.0;
    for (int j = 0; j < r->r_0; j++) {
        s->F[j] = 0.0;
        for (int i = 0; i < r->n; i++) {
            s->F[j] += r->T[j * r->n + i] * s->apart[i];
        }
    }
    for (int i = 0; i < r->n; i++) {
        s->residual = sp_worse(s->residual, fabs(s->apart[i]));
    }
    return isfinite(s->residual) ? SP_OK : SP_FAIL(err, SP_E_NONFINITE, "the motion is not finite");
}

sp_status sp_shoot_fly_plain(sp_shoot *s, double *end, sp_error *err)
{
    sp_shoot_place(s, s->start);
    SP_TRY(go(s, s->t_0 + s->T, NULL, err));
    take(s, end);
    return SP_OK;
}

sp_status sp_shoot_move_section(sp_shoot *s, sp_error *err)
{
    const double to = s->r->open_from + 0.5 * s->r->open;
    if (s->r->n_passed == 0 || !(to > s->t_0) || !(to < s->t_0 + s->T)) {
        return SP_OK;
    }
    sp_shoot_place(s, s->start);
    SP_TRY(go(s, to, NULL, err));
    take(s, s->start);
    s->t_0 = to;
    return SP_OK;
}

/* ---- where to begin -------------------------------------------------------------------------- */

/* Passages of the section. */
typedef struct passages {
    const sp_shoot *s;
    int q, slot_of;      /* coordinate, or contact element; SP_NONE */
    int kind;            /* of its events; -1: not known yet */
    double before, from; /* events before this time do not count */
    int n, room;
    double *t;
    bool fails;
} passages;

static void note_passage(passages *p, double t)
{
    if (p->n == p->room) {
        const int room = p->room > 0 ? 2 * p->room : 64;
        double *larger = realloc(p->t, (size_t)room * sizeof *larger);
        if (!larger) {
            p->fails = true;
            return;
        }
        p->t = larger;
        p->room = room;
    }
    p->t[p->n++] = t;
}

/* sp_observer */
static sp_status watch_section(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    passages *p = ctx;
    (void)err;
    for (int i = 0; i < r->n_event && p->slot_of != SP_NONE; i++) {
        const sp_event *e = &r->event[i];
        const bool ours = e->t >= p->from && e->slot >= 0 && m->slot[e->slot].contact == p->slot_of;
        if (ours && (p->kind < 0 || p->kind == (int)e->kind)) {
            p->kind = (int)e->kind;
            note_passage(p, e->t);
        }
    }
    if (p->q != SP_NONE) {
        const double now = r->q[p->q] - p->s->wish->level;
        if (p->before < 0.0 && now >= 0.0 && r->dt > 0.0) {
            note_passage(p, r->t - r->dt * now / (now - p->before));
        }
        p->before = now;
    }
    return p->fails ? SP_FAIL(err, SP_E_MEMORY, "no memory") : SP_OK;
}

/* The number of a coordinate or contact. */
static sp_status find_item(const sp_model *m, sp_item_kind kind, const char *name, int *i,
                           sp_error *err)
{
    for (*i = 0; *i < sp_model_count(m, kind); (*i)++) {
        if (strcmp(sp_model_item(m, kind, *i), name) == 0) {
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "section: there is no %s '%s'",
                   kind == SP_ITEM_COORDINATE ? "coordinate" : "contact", name);
}

/* A period of an autonomous machine: the time of so many returns, the last that were seen. */
static sp_status guess_period(sp_shoot *s, sp_error *err)
{
    passages p = {.s = s, .q = SP_NONE, .slot_of = SP_NONE, .kind = -1};
    p.from = s->x->t + 0.5 * s->wish->transient;
    if (s->wish->crossing) {
        SP_TRY(find_item(s->m, SP_ITEM_COORDINATE, s->wish->crossing, &p.q, err));
        p.before = s->x->q[p.q] - s->wish->level;
    } else {
        SP_TRY(find_item(s->m, SP_ITEM_CONTACT, s->wish->contact, &p.slot_of, err));
    }
    const sp_observer observer = {.step = watch_section, .ctx = &p};
    sp_status status = go(s, s->x->t + s->wish->transient, &observer, err);
    const int n = s->wish->periods;
    if (status == SP_OK && p.n < n + 1) {
        status = SP_FAIL(err, SP_E_INPUT,
                         "the section is passed %d times in %g s, at least %d are needed", p.n,
                         s->wish->transient, n + 1);
    }
    if (status == SP_OK) {
        s->T = p.t[p.n - 1] - p.t[p.n - 1 - n];
    }
    free(p.t);
    return status;
}

sp_status sp_shoot_settle(sp_shoot *s, sp_error *err)
{
    if (s->wish->autonomous) {
        SP_TRY(guess_period(s, err));
    } else if (s->wish->transient > 0.0) {
        SP_TRY(go(s, s->x->t + s->wish->transient * s->T / s->wish->periods, NULL, err));
    }
    take(s, s->start);
    s->t_0 = s->x->t;
    sp_shoot_place(s, s->start);
    SP_TRY(go(s, s->t_0 + s->T, NULL, err));
    sp_variation_size_by(s->v, s->w->smooth);
    sp_error why = {.status = SP_OK};
    const double shift = 0.2360679774997897 * s->T; /* elsewhere, if the start is at an event */
    if (sp_shoot_fly(s, &why) != SP_OK) {
        sp_shoot_place(s, s->start);
        SP_TRY(go(s, s->t_0 + shift, NULL, err));
        take(s, s->start);
        s->t_0 = s->x->t;
        SP_TRY(sp_shoot_fly(s, err));
    }
    return sp_shoot_move_section(s, err);
}

/* ---- Newton's method ------------------------------------------------------------------------- */

bool sp_shoot_linear(sp_arena *arena, int n, const double *A, const double *b, double *x,
                     double *condition)
{
    const size_t n2 = (size_t)n * (size_t)n;
    double *S = SP_NEW(arena, double, 2 * n2 + (size_t)n + 1);
    if (!S) {
        return false;
    }
    double *V = S + n2, *w = V + n2; /* A'A = V w V' */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[k * n + i] * A[k * n + j];
            }
            S[i * n + j] = sum;
        }
    }
    sp_eigen_symmetric(n, S, V, w);
    *condition = n > 0 && w[0] > 0.0 ? sqrt(w[n - 1] / w[0]) : INFINITY;
    void *memory = SP_NEW(arena, double, sp_lu_bytes(n) / sizeof(double) + 1);
    if (!memory) {
        return false;
    }
    sp_lu lu;
    sp_lu_place(&lu, n, memory);
    memcpy(lu.LU, A, n2 * sizeof *A);
    sp_lu_factor(&lu, 1e-14);
    sp_lu_solve(&lu, b, x);
    return true;
}

/* The equations of a step of Newton's method; how many.   theory (83.2), (83.3) */
static int form_system(sp_shoot *s, double *b)
{
    const sp_variation_result *r = s->r;
    const int n = r->r_0, all = n + (s->wish->autonomous ? 1 : 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            s->A[i * all + j] = r->M[j * n + i] - (i == j ? 1.0 : 0.0);
        }
        b[i] = -s->F[i];
        if (all > n) {
            double f_0 = 0.0, f_1 = 0.0;
            for (int k = 0; k < r->n; k++) {
                f_0 += r->T[i * r->n + k] * r->f_0[k];
                f_1 += r->T[i * r->n + k] * r->f_1[k];
            }
            s->A[i * all + n] = s->T * f_1;
            s->A[n * all + i] = s->T * f_0;
        }
    }
    if (all > n) {
        s->A[n * all + n] = 0.0;
        b[n] = 0.0;
    }
    return all;
}

/* Go a part of the step and fly from there. */
static sp_status attempt(sp_shoot *s, const double *from, double T, const double *d, double dT,
                         double part, sp_error *err)
{
    memcpy(s->start, from, (size_t)s->n_y * sizeof *from);
    SP_TRY(sp_variation_move(s->v, d, part, s->start, err));
    s->T = T * (1.0 + part * dT);
    if (!(s->T > 0.5 * T)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "the period shrinks to nothing");
    }
    return sp_shoot_fly(s, err);
}

/* One step, shortened until less is open than before. */
static sp_status improve(sp_shoot *s, sp_arena *arena, sp_error *err)
{
    const sp_variation_result *r = s->r;
    const double before = s->residual, T = s->T;
    const int n = r->r_0, all = form_system(s, s->xi);
    double *from = SP_NEW(arena, double, s->n_y + r->n + all + 1);
    if (!from || !sp_shoot_linear(arena, all, s->A, s->xi, s->xi, &s->condition)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    double *d = from + s->n_y;
    memcpy(from, s->start, (size_t)s->n_y * sizeof *from);
    for (int i = 0; i < r->n; i++) {
        d[i] = 0.0;
        for (int j = 0; j < n; j++) {
            d[i] += r->T[j * r->n + i] * s->xi[j];
        }
    }
    const double dT = all > n ? s->xi[n] : 0.0;
    sp_error why = {.status = SP_OK};
    for (int k = 0; k < HALVINGS; k++) {
        const double part = ldexp(1.0, -k);
        if (attempt(s, from, T, d, dT, part, &why) == SP_OK &&
            s->residual <= (1.0 - 0.1 * part) * before) {
            return SP_OK;
        }
    }
    memcpy(s->start, from, (size_t)s->n_y * sizeof *from);
    s->T = T;
    SP_TRY(sp_shoot_fly(s, err));
    return SP_FAIL(err, SP_E_NOT_CONVERGED, "no step comes nearer to an orbit (%.3g is open)%s%s",
                   before, why.text[0] ? "; " : "", why.text);
}

sp_status sp_shoot_solve(sp_shoot *s, sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    sp_status status = sp_shoot_fly(s, err);
    for (s->n_newton = 0; status == SP_OK && s->n_newton < s->wish->most; s->n_newton++) {
        const bool near = s->residual <= s->wish->tolerance;
        const double before = s->residual;
        sp_error why = {.status = SP_OK};
        sp_arena_reset(&arena);
        status = improve(s, &arena, &why); /* also behind the end: the last digits */
        if (near) {
            status = SP_OK;
            break;
        }
        if (status == SP_E_NOT_CONVERGED && before <= 100.0 * s->wish->tolerance) {
            status = SP_OK; /* round-off */
            break;
        }
        if (status != SP_OK) {
            status = SP_FAIL(err, status, "%s", why.text);
        }
    }
    sp_arena_free(&arena);
    if (status == SP_OK && !(s->residual <= 100.0 * s->wish->tolerance)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "no orbit after %d steps (%.3g is open)",
                       s->n_newton, s->residual);
    }
    return status;
}

/* ---- multipliers ----------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const sp_complex *x = a, *y = b;
    const double p = hypot(x->re, x->im), q = hypot(y->re, y->im);
    return p != q ? (p < q ? 1 : -1) : x->im != y->im ? (x->im < y->im ? 1 : -1) : 0;
}

/* Those of the equations of the motion; SP_E_NOT_CONVERGED as where a derivative is no number. */
static sp_status find_multipliers(const sp_variation_result *r, sp_complex *mu, sp_error *err)
{
    const int n = r->r_min;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const size_t n2 = (size_t)n * (size_t)n + 1;
    double *K = SP_NEW(&arena, double, n2);
    sp_complex *V = SP_NEW(&arena, sp_complex, n2);
    void *work = SP_NEW(&arena, double, sp_eigen_work(n) / sizeof(double) + 1);
    sp_status status =
        K && V && work ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for multipliers");
    for (int i = 0; i < n && K; i++) {
        for (int j = 0; j < n; j++) {
            K[i * n + j] = r->K[j * n + i];
        }
    }
    bool found = status == SP_OK && (n == 0 || sp_eigen_general(n, K, mu, V, work));
    for (int i = 0; i < n && found; i++) {
        found = isfinite(mu[i].re) && isfinite(mu[i].im);
    }
    if (status == SP_OK && !found) {
        status = SP_FAIL(err, SP_E_NOT_CONVERGED, "the multipliers of the orbit were not found");
    }
    sp_arena_free(&arena);
    return status;
}

sp_status sp_shoot_multipliers(sp_shoot *s, sp_complex *mu, int *n_mu, double *trivial,
                               sp_error *err)
{
    const sp_variation_result *r = s->r;
    int n = r->r_min;
    *n_mu = 0;
    *trivial = 0.0;
    SP_TRY(find_multipliers(r, mu, err));
    if (s->wish->autonomous && n > 0) {
        int best = 0;
        for (int i = 1; i < n; i++) {
            best =
                hypot(mu[i].re - 1.0, mu[i].im) < hypot(mu[best].re - 1.0, mu[best].im) ? i : best;
        }
        *trivial = hypot(mu[best].re - 1.0, mu[best].im);
        mu[best] = mu[--n];
    }
    qsort(mu, (size_t)n, sizeof *mu, by_size);
    for (int i = r->r_min; i < r->r_top; i++) {
        mu[n++] = (sp_complex){0.0, 0.0};
    }
    *n_mu = n;
    return SP_OK;
}
