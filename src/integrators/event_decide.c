/* integrators/event_decide.c - the inclusion problem of accelerations: which contacts lift off,
 * which stick, which begin to slide.   theory (13.3) */
#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/event_parts.h"
#include "integrators/grips.h"

#include <math.h>

enum { SPOT_PASSES = 60 }; /* where spots of contact grow with the normal force */
#define NONE   SP_NOISE /* accelerations below are round-off, of the terms that they are sums of */
#define UNSURE 10.0     /* times the residual of the solution: the same                     */
#define STANDS SP_AT_REST /* accelerations below are zero where rows depend on each other     */

/* Whether contact a of w->con takes part in the problem. */
static bool is_used(const sp_events *e, int a)
{
    return !e->decide.use || e->decide.use[a];
}

/* The set that contact a has in the problem, and its rows counted from the normal one. */
static sp_set set_of(const sp_events *e, int a, int *pick)
{
    const sp_set *set = &e->s->w->con.set[a];
    const int sliding = !sp_smooth_slides(e->s, a)   ? 0
                        : set->kind == SP_SET_PLANAR ? 1
                                                     : sp_sliding(e->settle.status[a]);
    return sp_slide_rest(set, sliding, pick);
}

/* Which contacts are in the problem, and where their rows begin; lambda of known forces. */
static int number_rows(sp_events *e, int *n_contact)
{
    const sp_con *con = &e->s->w->con;
    int n = 0;
    *n_contact = 0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            e->decide.lambda[r] = 0.0;
        }
        if (sp_smooth_is_known(e->s, a)) {
            e->decide.lambda[con->row[a]] = sp_smooth_known_force(e->s, a);
            e->decide.found[a] = e->settle.status[a];
        } else if (is_used(e, a)) {
            e->decide.of.who[*n_contact] = a;
            e->decide.of.row[*n_contact] = n;
            e->decide.of.set[*n_contact] = set_of(e, a, e->decide.pick[*n_contact]);
            e->decide.of.guess[*n_contact] = SP_STATUS_UNKNOWN;
            n += sp_set_dim(&e->decide.of.set[(*n_contact)++]);
        } else {
            e->decide.found[a] = SP_OPEN;
        }
    }
    return n;
}

/* Row `from` of the problem: c with what known forces do, G with the friction of what slides in the
 * normal columns. */
static void fill_row(sp_events *e, int n_contact, int n, int from, int to)
{
    const sp_con *con = &e->s->w->con;
    const double *G = con->G + (size_t)from * (size_t)con->n_row;
    e->decide.of.c[to] = e->s->w->sol.c[from];
    e->decide.of.P[to] = 0.0;
    for (int a = 0; a < e->s->closed.n; a++) {
        const double pull = sp_slide_pull(&con->set[a]);
        e->decide.of.c[to] +=
            sp_smooth_is_known(e->s, a) ? G[con->row[a]] * e->decide.lambda[con->row[a]] : 0.0;
        e->decide.of.c[to] +=
            pull != 0.0 && is_used(e, a) ? pull * sp_smooth_dragged(e->s, from, a) : 0.0;
    }
    for (int i = 0; i < n_contact; i++) {
        const int b = e->decide.of.who[i];
        double *to_i = e->decide.of.G + (size_t)to * (size_t)n + (size_t)e->decide.of.row[i];
        for (int j = 0; j < sp_set_dim(&e->decide.of.set[i]); j++) {
            to_i[j] = G[con->row[b] + e->decide.pick[i][j]];
        }
        to_i[0] += b < e->s->closed.n ? sp_smooth_dragged(e->s, from, b) : 0.0;
    }
}

/* Whether contact a, in the plane or dry friction, begins to slide by what was found. */
static bool begins(const sp_events *e, int a)
{
    const sp_set *set = &e->s->w->con.set[a];
    const bool interval = set->kind == SP_SET_INTERVAL;
    return !sp_smooth_slides(e->s, a) && !sp_event_in_space(e, e->s->w->con.active[a]) &&
           (e->decide.found[a] == SP_SLIP_POS || e->decide.found[a] == SP_SLIP_NEG) &&
           (interval ? set->hi > set->lo : set->kind == SP_SET_PLANAR);
}

/* The row along of contact a, or its only one. */
static int row_along(const sp_events *e, int a)
{
    return e->s->w->con.row[a + 1] - 1;
}

/* Whether row r of contact a is held by the statuses found. */
static bool is_held(const sp_events *e, int a, int r)
{
    const sp_con *con = &e->s->w->con;
    const bool along = con->set[a].kind == SP_SET_INTERVAL || r > con->row[a];
    return a >= e->s->closed.n ||
           (along ? e->decide.found[a] == SP_STICK : e->decide.found[a] != SP_OPEN);
}

/* The rows that are held into e->decide.held; how many. */
static int list_held(const sp_events *e)
{
    const sp_con *con = &e->s->w->con;
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            if (is_held(e, a, r)) {
                e->decide.held[n++] = r;
            }
        }
    }
    return n;
}

/* How fast contact a begins to slide the way that was found, m/s^2; below zero: it is pushed the
 * other way. */
static double along(const sp_events *e, int a)
{
    const double accel = e->decide.accel[row_along(e, a)];
    return e->decide.found[a] == SP_SLIP_POS ? accel : -accel;
}

/* Those that would begin to slide, but do not move along, are at rest: their forces are at the
 * limit by choice, where rows depend on each other.  Accelerations below `zero` are none, m/s^2.
 * theory (53.3) */
static void put_to_rest(sp_events *e, double zero)
{
    const sp_con *con = &e->s->w->con;
    const double slow = STANDS * e->s->w->sol.xi_scale;
    bool any = false;
    for (int a = 0; a < con->n_active; a++) {
        const bool starts = begins(e, a);
        const double accel = starts ? along(e, a) : 0.0;
        e->decide.slow[a] = starts && accel > zero && accel <= slow;
        e->decide.found[a] = starts && accel <= zero ? (unsigned char)SP_STICK : e->decide.found[a];
        any = any || e->decide.slow[a];
    }
    const int n = any ? list_held(e) : 0, rank = any ? sp_smooth_rank(e->s, n, e->decide.held) : 0;
    for (int a = 0; a < con->n_active && any; a++) {
        e->decide.held[n] = row_along(e, a);
        if (e->decide.slow[a] && sp_smooth_rank(e->s, n + 1, e->decide.held) == rank) {
            e->decide.found[a] = SP_STICK;
        }
    }
}

/* The solution, which has that residual, back to the rows and contacts of w->con, with the
 * accelerations it leaves. */
static void spread(sp_events *e, int n_contact, double residual)
{
    const sp_con *con = &e->s->w->con;
    for (int i = 0; i < n_contact; i++) {
        const int a = e->decide.of.who[i], r = con->row[a];
        for (int k = 1; a < e->s->closed.n && k < con->row[a + 1] - r; k++) {
            e->decide.lambda[r + k] = e->s->drag[a][k - 1] * (e->decide.of.P[e->decide.of.row[i]] +
                                                              sp_slide_pull(&con->set[a]));
        }
        for (int j = 0; j < sp_set_dim(&e->decide.of.set[i]); j++) {
            e->decide.lambda[r + e->decide.pick[i][j]] = e->decide.of.P[e->decide.of.row[i] + j];
        }
        e->decide.found[a] = sp_smooth_slides(e->s, a) && e->decide.of.guess[i] != SP_OPEN
                                 ? e->settle.status[a]
                                 : e->decide.of.guess[i];
    }
    for (int r = 0; r < con->n_row; r++) {
        const double *G = con->G + (size_t)r * (size_t)con->n_row;
        e->decide.accel[r] = e->s->w->sol.c[r];
        for (int k = 0; k < con->n_row; k++) {
            e->decide.accel[r] += G[k] * e->decide.lambda[k];
        }
    }
    for (int i = 0; i < n_contact; i++) {
        const int a = e->decide.of.who[i];
        if (sp_event_in_space(e, con->active[a]) && e->decide.found[a] != SP_OPEN) {
            e->decide.found[a] = sp_sliding_status(sp_event_sliding(
                e, a, sp_smooth_slides(e->s, a) ? sp_sliding(e->settle.status[a]) : 0));
        }
    }
    put_to_rest(e, fmax(NONE, UNSURE * residual) * e->s->w->sol.xi_scale);
}

/* The problem at hand, for the judge. */
typedef struct asked {
    const sp_events *e;
    const sp_problem *p;
} asked;

/* How far the forces of a solution are from those before the event, in units of accelerations. */
static double distance(const void *ctx, const sp_solution_part *part)
{
    const asked *q = (const asked *)ctx;
    const sp_events *e = q->e;
    double sum = 0.0;
    for (int i = 0; i < part->n_contact; i++) {
        const int k = part->who[i], slot = e->s->w->con.active[e->decide.of.who[k]];
        for (int j = 0; j < sp_set_dim(&q->p->set[k]) && slot < e->s->m->n_slot; j++) {
            const int r = part->at[i] + j;
            const double d = part->P[r] - e->settle.force[slot][e->decide.pick[k][j]];
            sum += d * d * fabs(q->p->G[(size_t)part->row[r] * (size_t)(q->p->ld + 1)]);
        }
    }
    return sum;
}

static void choose(sp_events *e, const sp_problem *p, sp_solution *s)
{
    const asked q = {e, p};
    const sp_judge judge = {distance, &q};
    e->decide.solutions = sp_solutions_find(p, NULL, &judge, s, e->s->w->sol.work);
    if (e->decide.solutions.at >= 0) { /* the slot, or a bilateral row behind them */
        e->decide.solutions.at = e->s->w->con.active[e->decide.of.who[e->decide.solutions.at]];
    }
}

/* The problem with the drags as they are. */
static sp_status decide_once(sp_events *e, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    int n_contact;
    const int n = number_rows(e, &n_contact);
    for (int i = 0; i < n_contact; i++) {
        for (int j = 0; j < sp_set_dim(&e->decide.of.set[i]); j++) {
            fill_row(e, n_contact, n, con->row[e->decide.of.who[i]] + e->decide.pick[i][j],
                     e->decide.of.row[i] + j);
        }
    }
    const sp_problem problem = sp_posed_problem(&e->decide.of, n_contact, n, w->sol.xi_scale, w);
    sp_solution solution = {.P = e->decide.of.P, .status = e->decide.of.guess};
    e->decide.solutions = (sp_solution_count){1, true, -1};
    if (n > 0) {
        const sp_status status = sp_solve(&problem, &solution, w->sol.work, err);
        sp_watch_show(w->watch, SP_WATCH_ACCELERATION, &problem, NULL, &solution);
        SP_TRY(status);
        choose(e, &problem, &solution);
    }
    spread(e, n_contact, solution.residual);
    return SP_OK;
}

/* The same where spots of contact grow with the normal force. */
static sp_status decide_spots(sp_events *e, sp_error *err)
{
    SP_TRY(decide_once(e, err));
    for (int pass = 0; pass < SPOT_PASSES && sp_smooth_slide_again(e->s, e->decide.lambda) > 0.0;
         pass++) {
        SP_TRY(decide_once(e, err));
    }
    return SP_OK;
}

/* The same with the friction of joints that belongs to their reactions.   theory (86.1) */
static sp_status decide_grips(sp_events *e, sp_error *err)
{
    const sp_model *m = e->s->m;
    sp_work *w = e->s->w;
    bool again = m->layout.n_grip > 0;
    if (again) {
        sp_grips_begin(m, w);
    }
    SP_TRY(decide_spots(e, err));
    while (again) {
        sp_smooth_accelerations(m, w, e->decide.lambda, sp_grips_du(w));
        SP_TRY(sp_grips_next(m, e->s->num, sp_grips_du(w), e->decide.lambda, w, &again, err));
        SP_TRY(again ? decide_spots(e, err) : SP_OK);
    }
    return SP_OK;
}

/* Among several planar contacts that begin to slide, the fastest of those that have less friction
 * then than in their problem, which is *mu; SP_NONE: there is none.   theory (53.7) */
static int first_to_slide(const sp_events *e, double *mu)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    int first = SP_NONE, n = 0;
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = con->active[a];
        if (con->set[a].kind != SP_SET_PLANAR || !begins(e, a)) {
            continue;
        }
        n++;
        const double slow =
            sp_con_by_speed(s->m, slot) ? sp_con_mu(s->m, s->num, con, slot, 0.0, NULL) : INFINITY;
        if (slow < con->set[a].mu &&
            (first == SP_NONE ||
             fabs(e->decide.accel[row_along(e, a)]) > fabs(e->decide.accel[row_along(e, first)]))) {
            first = a;
            *mu = slow;
        }
    }
    return n > 1 ? first : SP_NONE;
}

sp_status sp_event_decide(sp_events *e, const bool *use, sp_error *err)
{
    double mu = 0.0;
    e->decide.use = use;
    SP_TRY(decide_grips(e, err));
    for (int a = first_to_slide(e, &mu); a != SP_NONE; a = first_to_slide(e, &mu)) {
        e->s->w->con.set[a].mu = mu; /* each of them once */
        SP_TRY(decide_grips(e, err));
    }
    return SP_OK;
}

sp_status sp_event_predict(sp_events *e, double t, sp_error *err)
{
    sp_smooth *s = e->s;
    e->predicted.known = false;
    SP_TRY(sp_smooth_dense(s, t, s->work, s->y, err));
    SP_TRY(sp_smooth_accelerate_at(s, t, s->y, err));
    if (sp_event_decide(e, NULL, NULL) != SP_OK) {
        return SP_OK; /* the event itself will look closer */
    }
    for (int i = 0; i < s->m->n_slot; i++) {
        e->predicted.state[i] = SP_OPEN;
        e->predicted.begins[i] = 0;
    }
    e->predicted.solutions = e->decide.solutions;
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = s->closed.slot[a];
        e->predicted.state[slot] = e->decide.found[a];
        e->predicted.begins[slot] =
            (unsigned char)(sp_sliding(e->decide.found[a]) & ~sp_sliding(s->closed.status[a]));
        e->predicted.known = e->predicted.known || e->decide.found[a] != e->settle.state[slot];
    }
    return SP_OK;
}

void sp_event_forget_prediction(sp_events *e)
{
    e->predicted.known = false;
}

void sp_event_swap_prediction(sp_events *e, int i, int j)
{
    SP_SWAP(unsigned char, e->predicted.state, i, j);
}
