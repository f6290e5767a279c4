#include "integrators/event.h"

#include "base/status.h"
#include "contact/rule.h"
#include "math/root.h"

#include <math.h>
#include <string.h>

enum { NODES = 5, PASSES = 40, STILL_MAX = 200 };
#define TOUCHES 1e-10 /* gaps below are closed, m; positions are landed on to round-off    */
#define GRAZES  1e-14 /* a gap whose least is within this of zero touches, m               */
#define AT_REST 1e-9  /* velocities below are zero, of the terms that they are sums of     */
#define NO_PUSH 1e-11 /* accelerations that forces below make are round-off, of their terms  */
#define SETTLED 1e-12 /* hops that stay below this are passed as an accumulation of impacts, m */

/* What a step can end on. */
typedef enum trigger_kind { NOTHING, TOUCH, LIFT_OFF, BREAK_AWAY, SLIP_ENDS } trigger_kind;

struct sp_events {
    sp_smooth *s;
    unsigned char *state; /* n_slot: SP_OPEN, SP_STICK, SP_SLIP_POS, SP_SLIP_NEG             */
    int *closed;          /* capacity: for s->closed                                         */
    unsigned char *status;
    double (*node)[3]; /* n_slot at one time: main indicator, its rate, second indicator    */
    double *sample;    /* NODES x n_slot x 3                                                 */
    int *candidate;    /* slots that touch                                                  */
    trigger_kind trigger;
    double *left; /* n_slot: when it opened last; it does not close again at that time         */
    int slot;     /* of the trigger                                                          */
    double size;  /* the largest sum of terms that relative velocities were made of so far, m/s */

    double since; /* when time went on last */
    int n_still;  /* events since then      */

    /* the problem at acceleration level */
    double *G, *c;
    int *row;
    sp_set *set;
    double *P;
    unsigned char *guess;
};

sp_smooth *sp_events_smooth(sp_events *e)
{
    return e->s;
}

/* ---- indicators -------------------------------------------------------------------------------
 */

/* gamma_N, gamma_T of a slot; frames with velocities and gaps are in w. */
static void velocities_of(const sp_smooth *s, int slot, double gamma[2])
{
    const sp_work *w = s->w;
    if (sp_con_by_rule(&s->m->slot[slot])) {
        sp_rule_gamma(s->m, s->num, &w->con, slot, gamma);
    } else {
        const sp_contact_frame f = sp_con_frame(s->m, s->num, &w->con, slot);
        sp_con_gamma(s->m, &w->kin, slot, &f, gamma);
    }
}

/* All indicators at a state: e->node. */
static sp_status look_at(sp_events *e, double t, const double *y, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_accelerate(s, t, y + s->q, y + s->u, y + s->z, err));
    sp_kin_velocities(s->m, w->u_E, &w->kin);
    sp_con_at(t, 1.0, w->q, w->u_E, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    for (int i = 0, a = 0; i < s->m->n_slot; i++) {
        double gamma[2];
        velocities_of(s, i, gamma);
        if (e->state[i] == SP_OPEN) {
            e->node[i][0] = w->con.g[i];
            e->node[i][1] = gamma[0];
            e->node[i][2] = 1.0;
            continue;
        }
        const int r = w->con.row[a];
        const double lambda_N = w->sol.P[r];
        e->node[i][0] = lambda_N;
        e->node[i][1] = 0.0;
        if (e->state[i] == SP_STICK && w->con.row[a + 1] > r + 1) {
            e->node[i][2] = w->con.set[a].mu * lambda_N - fabs(w->sol.P[r + 1]);
        } else {
            e->node[i][2] = e->state[i] == SP_SLIP_POS   ? gamma[1]
                            : e->state[i] == SP_SLIP_NEG ? -gamma[1]
                                                         : 1.0;
        }
        a++;
    }
    return SP_OK;
}

/* The same at t on the polynomial of the last step. */
static sp_status look(sp_events *e, double t, sp_error *err)
{
    sp_rk8_dense(e->s->rk, t, e->s->y);
    return look_at(e, t, e->s->y, err);
}

/* One indicator as a function of time. */
typedef struct question {
    sp_events *e;
    int slot, which; /* 0: main, 2: second                      */
    double slope;    /* of a falling one near its root, for landing */
} question;

static sp_status ask(void *ctx, double t, double *g, double *rate, sp_error *err)
{
    const question *q = ctx;
    SP_TRY(look(q->e, t, err));
    *g = q->e->node[q->slot][q->which];
    if (rate) {
        *rate = q->e->node[q->slot][1];
    }
    return SP_OK;
}

/* The same for landing: the gap at a state. */
static sp_status gap_at(void *ctx, double t, const double *y, const double *dydt, double *g,
                        double *g_rate, sp_error *err)
{
    const question *q = ctx;
    sp_smooth *s = q->e->s;
    sp_work *w = s->w;
    double gamma[2];
    (void)dydt;
    (void)err;
    sp_kin_positions(s->m, s->num, y + s->q, &w->kin);
    sp_kin_velocities(s->m, y + s->u, &w->kin);
    sp_con_at(t, 1.0, y + s->q, y + s->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    velocities_of(s, q->slot, gamma);
    *g = w->con.g[q->slot];
    *g_rate = gamma[0];
    return SP_OK;
}

/* Landing on the root of any other indicator: its value at a state, its slope as it was found. */
static sp_status fall_at(void *ctx, double t, const double *y, const double *dydt, double *g,
                         double *g_rate, sp_error *err)
{
    const question *q = ctx;
    (void)dydt;
    SP_TRY(look_at(q->e, t, y, err));
    *g = q->e->node[q->slot][q->which];
    *g_rate = q->slope;
    return SP_OK;
}

/* ---- the first event of a step ----------------------------------------------------------------
 */

typedef struct found {
    trigger_kind kind;
    int slot;
    double t;
    int which;    /* of the indicators of the slot */
    double slope; /* of it there                   */
} found;

static double sample_of(const sp_events *e, int node, int slot, int which)
{
    return e->sample[((size_t)node * (size_t)e->s->m->n_slot + (size_t)slot) * 3 + (size_t)which];
}

/* When a gap closes, touching included.   theory (13.2) */
static sp_status find_touch(sp_events *e, const double *t, int slot, found *first, sp_error *err)
{
    sp_root_sample node[NODES];
    sp_root root;
    question q = {.e = e, .slot = slot};
    bool far = true;
    for (int k = 0; k < NODES; k++) {
        node[k] = (sp_root_sample){t[k], sample_of(e, k, slot, 0), sample_of(e, k, slot, 1)};
        far = far && node[k].g > 2.0 * fabs(node[k].rate) * (t[NODES - 1] - t[0]);
    }
    if (far) {
        return SP_OK;
    }
    SP_TRY(sp_root_first(NODES, node, ask, &q, GRAZES, 1e-15 * (1.0 + fabs(t[0])), &root, err));
    if (root.kind == SP_ROOT_CROSSING && root.t < first->t) {
        *first = (found){.kind = TOUCH, .slot = slot, .t = root.t};
    }
    return SP_OK;
}

/* When an indicator of a closed contact falls through zero; one that begins at zero must rise
 * first.
 */
static sp_status find_fall(sp_events *e, const double *t, int slot, int which, trigger_kind kind,
                           found *first, sp_error *err)
{
    double size = 0.0;
    for (int k = 0; k < NODES; k++) {
        size = fmax(size, fabs(sample_of(e, k, slot, which)));
    }
    for (int k = 1; k < NODES; k++) {
        const double a = sample_of(e, k - 1, slot, which), b = sample_of(e, k, slot, which);
        if (!(b < 0.0) || t[k - 1] >= first->t) {
            continue;
        }
        if (k == 1 && !(a > 1e-12 * size)) { /* at once */
            *first = (found){.kind = kind, .slot = slot, .t = t[0], .which = which};
            return SP_OK;
        }
        sp_root_bracket bracket = {t[k - 1], t[k], a, b, 0};
        question q = {.e = e, .slot = slot, .which = which};
        SP_TRY(sp_root_shrink(&bracket, ask, &q, 1e-15 * (1.0 + fabs(t[0])), err));
        const double root = sp_root_of(&bracket);
        if (root < first->t) {
            const double back = 1e-3 * (t[k] - t[k - 1]);
            double before, rate;
            SP_TRY(ask(&q, root - back, &before, &rate, err));
            *first = (found){kind, slot, root, which, -before / back};
        }
        return SP_OK;
    }
    return SP_OK;
}

/* The first event inside the step that s->rk took. */
static sp_status find_first(sp_events *e, found *first, sp_error *err)
{
    sp_smooth *s = e->s;
    double t[NODES];
    *first = (found){.kind = NOTHING, .slot = SP_NONE, .t = INFINITY};
    SP_TRY(sp_rk8_prepare_dense(s->rk, &s->system, err));
    for (int k = 0; k < NODES; k++) {
        const double part = (double)k / (NODES - 1);
        t[k] = k == NODES - 1 ? s->rk->t : s->rk->t_old + part * (s->rk->t - s->rk->t_old);
        SP_TRY(look(e, t[k], err));
        memcpy(e->sample + (size_t)k * (size_t)s->m->n_slot * 3, e->node,
               (size_t)s->m->n_slot * sizeof *e->node);
    }
    for (int i = 0; i < s->m->n_slot; i++) {
        if (e->state[i] == SP_OPEN) {
            SP_TRY(find_touch(e, t, i, first, err));
            continue;
        }
        SP_TRY(find_fall(e, t, i, 0, LIFT_OFF, first, err));
        SP_TRY(find_fall(e, t, i, 2, e->state[i] == SP_STICK ? BREAK_AWAY : SLIP_ENDS, first, err));
    }
    return SP_OK;
}

sp_status sp_events_step(sp_events *e, sp_state *x, double t_stop, sp_error *err)
{
    sp_smooth *s = e->s;
    found first;
    SP_TRY(sp_rk8_step(s->rk, &s->system, t_stop, err));
    SP_TRY(find_first(e, &first, err));
    e->trigger = first.kind;
    e->slot = first.slot;
    question q = {e, first.slot, first.which, first.slope};
    const double t_tol = 1e-15 * (1.0 + fabs(first.t));
    if (first.kind == TOUCH || (first.kind != NOTHING && first.slope < 0.0)) {
        SP_TRY(sp_rk8_land(s->rk, &s->system, first.kind == TOUCH ? gap_at : fall_at, &q, first.t,
                           t_tol, err));
    } else if (first.kind != NOTHING) {
        SP_TRY(sp_rk8_cut(s->rk, &s->system, first.t, err));
    }
    const double *y = sp_rk8_y(s->rk); /* the rows of the end of the step, for the certificate */
    SP_TRY(sp_smooth_accelerate(s, s->rk->t, y + s->q, y + s->u, y + s->z, err));
    return sp_smooth_take(s, x, err);
}

sp_status sp_events_forces(sp_events *e, sp_state *x, double dt, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    SP_TRY(sp_smooth_accelerate(s, x->t, x->q, x->u, x->z, err));
    for (int i = 0; i < s->m->n_slot; i++) {
        x->contact[i].P_N = x->contact[i].P_T = 0.0;
    }
    for (int a = 0; a < s->closed.n; a++) {
        sp_contact_memory *c = &x->contact[w->con.active[a]];
        const int r = w->con.row[a];
        c->P_N = w->sol.P[r] * dt;
        c->P_T = w->con.row[a + 1] > r + 1 ? w->sol.P[r + 1] * dt : 0.0;
    }
    sp_kin_velocities(s->m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    return SP_OK;
}

/* ---- at an event ------------------------------------------------------------------------------
 */

/* Frames, M, h, rows and velocities of the contacts in list (and the bilateral rows) at x. */
static sp_status form_rows(sp_events *e, const sp_state *x, int n, const int *list, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    for (int i = 0; i < n; i++) {
        e->closed[i] = list[i];
        e->status[i] = SP_STICK;
    }
    s->closed = (sp_smooth_closed){.n = n, .slot = e->closed, .status = e->status};
    SP_TRY(sp_smooth_accelerate(s, x->t, x->q, x->u, x->z, err));
    double size = 0.0;
    for (int a = 0; a < w->con.n_active; a++) {
        for (int r = w->con.row[a]; r < w->con.row[a + 1]; r++) {
            const int *sup = sp_con_sup(&w->con, a);
            const double *W = sp_con_row(&w->con, w->con.W, r);
            double gamma = w->con.w_tilde[r], sum = fabs(gamma);
            for (int k = 0; k < w->con.n_sup[a]; k++) {
                gamma += W[k] * x->u[sup[k]];
                sum += fabs(W[k] * x->u[sup[k]]);
            }
            w->sol.gamma_A[r] = gamma;
            size = sum > size ? sum : size;
        }
    }
    e->size = size > e->size ? size : e->size;
    return SP_OK;
}

static sp_event *tell(sp_work *w, const sp_state *x, sp_event_kind kind, int slot,
                      sp_contact_state before, sp_contact_state after)
{
    const int room = SP_EVENTS_PER_SLOT * (slot + 1); /* there is at least so much */
    if (w->n_event == room) { /* the last one gives way: more impacts at once than anybody reads */
        w->n_event--;
    }
    sp_event *event = &w->event[w->n_event++];
    *event = (sp_event){.t = x->t, .kind = kind, .slot = slot, .before = before, .after = after};
    return event;
}

static sp_contact_state public_state(unsigned char status)
{
    return status == SP_OPEN ? SP_STATE_OPEN : status == SP_STICK ? SP_STATE_STICK : SP_STATE_SLIP;
}

/* Newton's impact over all contacts that touch: u jumps, works are booked.   theory (13.4) */
static sp_status impact(sp_events *e, sp_state *x, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    const sp_model *m = e->s->m;
    sp_solution solution;
    double lost = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        w->sol.status[a] = SP_STATUS_UNKNOWN;
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const double eps = con->active[a] < m->n_slot ? con->eps[r] : 0.0;
            w->sol.c[r] = (1.0 + eps) * w->sol.gamma_A[r];
            w->sol.P[r] = 0.0;
        }
    }
    w->sol.xi_scale = e->size;
    SP_TRY(sp_work_solve(w, &solution, err));
    memset(w->du, 0, (size_t)m->n_dof * sizeof(double));
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            sp_con_add(con, a, sp_con_row(con, con->Y, r), w->sol.P[r], w->du);
        }
    }
    sp_dyn_solve_D_L(m, &w->dyn, w->du);
    for (int k = 0; k < m->n_dof; k++) {
        x->u[k] += w->du[k];
    }
    x->n_impact++;
    for (int a = 0; a < con->n_active; a++) {
        double work = 0.0, after[2] = {0.0, 0.0};
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            after[r - con->row[a]] = sp_con_dot(con, a, r, x->u) + con->w_tilde[r];
            work += 0.5 * (after[r - con->row[a]] + w->sol.gamma_A[r]) * w->sol.P[r];
        }
        lost -= work;
        const int r = con->row[a], slot = con->active[a];
        if (slot < m->n_slot && w->sol.P[r] > 0.0) {
            const bool two = con->row[a + 1] > r + 1;
            sp_event *event =
                tell(w, x, SP_EVENT_IMPACT, slot, public_state(e->state[slot]), SP_STATE_OPEN);
            event->impact_id = x->n_impact;
            event->Lambda_N = w->sol.P[r];
            event->Lambda_T[0] = two ? w->sol.P[r + 1] : 0.0;
            event->gamma_N_before = w->sol.gamma_A[r];
            event->gamma_N_after = after[0];
            event->gamma_T_before = two ? w->sol.gamma_A[r + 1] : 0.0;
            event->gamma_T_after = after[1];
            event->energy_lost = -work;
        }
    }
    x->ledger.impacts -= lost;
    x->ledger.kinetic -= lost;
    return SP_OK;
}

/* A contact that hops so little that the rest of its hops is passed at once.   theory (13.5) */
static bool is_settled(const sp_events *e, int a, double *rest)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a];
    const double gamma = w->sol.gamma_A[r], pull = -w->sol.c[r], eps = w->con.eps[r];
    *rest = 0.0;
    if (!(gamma > 0.0) || !(pull > 0.0) || !(eps < 1.0)) {
        return false;
    }
    *rest = 2.0 * gamma / (pull * (1.0 - eps));
    return gamma * *rest < SETTLED;
}

/* The problem of accelerations over the contacts at rest in their normal direction: those that
 * slide have their friction put into the normal column.   theory (13.3) */
static sp_status decide(sp_events *e, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    int n = 0, n_contact = con->n_active;
    for (int a = 0; a < n_contact; a++) {
        const bool slide = a < e->s->closed.n && e->status[a] != SP_STICK;
        e->row[a] = n;
        e->set[a] = slide ? sp_set_half_line() : con->set[a];
        e->guess[a] = SP_STATUS_UNKNOWN;
        n += sp_set_dim(&e->set[a]);
    }
    for (int a = 0; a < n_contact; a++) {
        for (int i = 0; i < sp_set_dim(&e->set[a]); i++) {
            const int from = con->row[a] + i, to = e->row[a] + i;
            e->c[to] = w->sol.c[from];
            e->P[to] = 0.0;
            for (int b = 0; b < n_contact; b++) {
                const bool slide = b < e->s->closed.n && e->status[b] != SP_STICK;
                const int col = con->row[b];
                const bool two = con->row[b + 1] > col + 1;
                const double drag = !slide || !two                ? 0.0
                                    : e->status[b] == SP_SLIP_POS ? -con->set[b].mu
                                                                  : con->set[b].mu;
                for (int j = 0; j < sp_set_dim(&e->set[b]); j++) {
                    double G = con->G[from * con->n_row + col + j];
                    G += j == 0 && drag != 0.0 ? drag * con->G[from * con->n_row + col + 1] : 0.0;
                    e->G[(size_t)to * (size_t)n + (size_t)(e->row[b] + j)] = G;
                }
            }
        }
    }
    const sp_problem problem = {.n_contact = n_contact,
                                .n = n,
                                .set = e->set,
                                .row = e->row,
                                .G = e->G,
                                .ld = n,
                                .c = e->c,
                                .xi_scale = w->sol.xi_scale};
    sp_solution solution = {.P = e->P, .status = e->guess};
    return sp_solve(&problem, &solution, w->sol.work, err);
}

/* The contacts that touch at x. */
static int touching(sp_events *e, const sp_state *x)
{
    const sp_smooth *s = e->s;
    sp_work *w = s->w;
    int n = 0;
    sp_kin_positions(s->m, s->num, x->q, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    for (int i = 0; i < s->m->n_slot; i++) {
        if (w->con.g[i] <= TOUCHES || e->state[i] != SP_OPEN) {
            e->candidate[n++] = i;
        }
    }
    return n;
}

/* Which of the contacts in w->con (n of them) stay for the problem of accelerations: not those that
 * leave.  Settled ones are told. */
static int stay(sp_events *e, const sp_state *x, int n, int *list)
{
    sp_work *w = e->s->w;
    const double zero = AT_REST * e->size;
    int left = 0;
    for (int a = 0; a < n; a++) {
        const int slot = w->con.active[a], r = w->con.row[a];
        double rest;
        const bool settled = is_settled(e, a, &rest);
        const bool leaves = (e->trigger == LIFT_OFF && slot == e->slot) ||
                            (e->state[slot] == SP_OPEN && e->left[slot] == x->t);
        if (leaves || (w->sol.gamma_A[r] > zero && !settled && e->state[slot] == SP_OPEN)) {
            continue;
        }
        if (settled && w->sol.gamma_A[r] > zero * 1e-6 && e->state[slot] == SP_OPEN &&
            w->con.eps[r] > 0.0) {
            sp_event *event = tell(w, x, SP_EVENT_ZENO, slot, SP_STATE_OPEN, SP_STATE_OPEN);
            event->t = x->t + rest;
            event->gamma_N_before = w->sol.gamma_A[r];
            event->energy_lost =
                0.5 * w->sol.gamma_A[r] * w->sol.gamma_A[r] / w->con.G[r * w->con.n_row + r];
        }
        list[left++] = slot;
    }
    return left;
}

/* The state of each contact that stays, from its velocity along, before accelerations decide. */
static void state_by_velocity(sp_events *e, int n)
{
    const sp_work *w = e->s->w;
    const double zero = AT_REST * e->size;
    for (int a = 0; a < n; a++) {
        const int r = w->con.row[a], slot = w->con.active[a];
        const bool two = w->con.row[a + 1] > r + 1;
        const double along = two ? w->sol.gamma_A[r + 1] : 0.0;
        e->status[a] = !two || fabs(along) <= zero ? SP_STICK
                       : along > 0.0               ? SP_SLIP_POS
                                                   : SP_SLIP_NEG;
        if (e->trigger == SLIP_ENDS && slot == e->slot) {
            e->status[a] = SP_STICK; /* accelerations decide whether it stays so */
        }
        if (e->trigger == BREAK_AWAY && slot == e->slot && two) { /* against the force it had */
            e->status[a] = w->sol.P[r + 1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
        }
    }
}

/* Take over the states that the problem of accelerations gave, and tell what changed. */
static void settle(sp_events *e, sp_state *x, int n)
{
    sp_work *w = e->s->w;
    int kept = 0;
    for (int i = 0, a = 0; i < e->s->m->n_slot; i++) {
        const unsigned char old = e->state[i];
        unsigned char now = SP_OPEN;
        if (a < n && w->con.active[a] == i) {
            now = e->status[a] != SP_STICK ? (e->guess[a] == SP_OPEN ? SP_OPEN : e->status[a])
                                           : e->guess[a];
            const int r = w->con.row[a];
            if (!(e->P[e->row[a]] * w->con.G[r * w->con.n_row + r] > NO_PUSH * w->sol.xi_scale)) {
                now = SP_OPEN;
            }
            a++;
        }
        if (old != SP_OPEN && now == SP_OPEN) {
            e->left[i] = x->t;
        }
        e->state[i] = now;
        x->contact[i].state = (unsigned char)public_state(now);
        if (now == SP_OPEN) {
            x->contact[i].P_N = x->contact[i].P_T = 0.0;
            x->contact[i].active = 0;
        }
        const sp_contact_state before = public_state(old), after = public_state(now);
        if (before != after) {
            tell(w, x,
                 before == SP_STATE_OPEN   ? SP_EVENT_CLOSE
                 : after == SP_STATE_OPEN  ? SP_EVENT_OPEN
                 : after == SP_STATE_STICK ? SP_EVENT_STICK
                                           : SP_EVENT_SLIP,
                 i, before, after);
        }
        if (now != SP_OPEN) {
            e->closed[kept] = i;
            e->status[kept++] = now;
        }
    }
    e->s->closed = (sp_smooth_closed){.n = kept, .slot = e->closed, .status = e->status};
}

/* Impacts until nothing approaches, then the states of the contacts that stay. */
static sp_status resolve(sp_events *e, sp_state *x, sp_error *err)
{
    sp_work *w = e->s->w;
    int n = touching(e, x);
    for (int pass = 0;; pass++) {
        SP_TRY(form_rows(e, x, n, e->candidate, err));
        bool approaches = false;
        for (int a = 0; a < n; a++) {
            approaches = approaches || w->sol.gamma_A[w->con.row[a]] < -AT_REST * e->size;
        }
        if (!approaches) {
            break;
        }
        if (pass == PASSES) {
            return SP_FAIL(err, SP_E_NOT_CONVERGED, "impacts go on at t = %.15g s", x->t);
        }
        SP_TRY(impact(e, x, err));
    }
    n = stay(e, x, n, e->candidate);
    SP_TRY(form_rows(e, x, n, e->candidate, err));
    state_by_velocity(e, n);
    SP_TRY(decide(e, err));
    settle(e, x, n);
    return sp_smooth_restart(e->s, x, err);
}

/* Many events in no time: the states of contacts contradict each other, or follow each other
 * without end. */
static sp_status check_progress(sp_events *e, const sp_state *x, sp_error *err)
{
    const bool moves = e->trigger == NOTHING || x->t > e->since + 1e-13 * (1.0 + fabs(x->t));
    e->since = moves ? x->t : e->since;
    e->n_still = moves ? 0 : e->n_still + 1;
    if (e->n_still <= STILL_MAX) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "%d events follow each other at t = %.15g s, the last of contact '%s': method "
                   "'event' does not get past it; take 'moreau'",
                   e->n_still, x->t, e->s->m->slot[e->slot].name);
}

sp_status sp_events_happen(sp_events *e, sp_state *x, sp_error *err)
{
    e->s->w->n_event = 0;
    SP_TRY(check_progress(e, x, err));
    return e->trigger == NOTHING ? SP_OK : resolve(e, x, err);
}

/* ---- begin ------------------------------------------------------------------------------------
 */

#define ROOM(field, type, n) ok = ((field) = SP_NEW(arena, type, (n))) != NULL && ok

sp_status sp_events_check(const sp_model *m, double tolerance, sp_error *err)
{
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].kind >= SP_SLOT_FRICTION) {
            return SP_FAIL(err, SP_E_INPUT,
                           "'%s' is dry friction, a one-way clutch or a preload, which the method "
                           "'event' does not know yet; take 'moreau'",
                           m->slot[i].name);
        }
    }
    return sp_smooth_in_range(tolerance, err);
}

sp_status sp_events_begin(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                          double until, sp_events **events, sp_error *err)
{
    sp_arena *arena = &w->arena;
    const int n_slot = m->n_slot, rows = 2 * w->con.capacity + 1;
    *events = NULL;
    sp_events *e = SP_NEW(arena, sp_events, 1);
    bool ok = e != NULL;
    if (ok) {
        ROOM(e->state, unsigned char, n_slot);
        ROOM(e->closed, int, n_slot);
        ROOM(e->status, unsigned char, n_slot);
        ok = (e->node = sp_arena_alloc(arena, (size_t)n_slot + 1, sizeof *e->node)) != NULL && ok;
        ROOM(e->sample, double, (size_t)NODES *(size_t)n_slot * 3);
        ROOM(e->candidate, int, n_slot);
        ROOM(e->left, double, n_slot);
        ROOM(e->G, double, (size_t)rows *(size_t)rows);
        ROOM(e->c, double, rows);
        ROOM(e->P, double, rows);
        ROOM(e->row, int, rows);
        ROOM(e->set, sp_set, rows);
        ROOM(e->guess, unsigned char, rows);
    }
    if (!ok) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for events of %d contacts", n_slot);
    }
    for (int i = 0; i < n_slot; i++) {
        e->left[i] = -INFINITY;
    }
    SP_TRY(sp_smooth_begin(m, x, w, tolerance, until, &e->s, err));
    *events = e;
    w->n_event = 0;
    e->trigger = TOUCH;
    e->slot = SP_NONE;
    e->since = x->t;
    const sp_status status = resolve(e, x, err);
    e->trigger = NOTHING;
    return status;
}

void sp_events_end(sp_events *e)
{
    if (e) {
        sp_smooth_end(e->s);
    }
}
