/* integrators/event_decide.c - the inclusion problem of accelerations: which contacts lift off,
 * which stick, which begin to slide.   theory (13.3) */
#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/event_parts.h"

#include <math.h>

enum { SPOT_PASSES = 60 }; /* where spots of contact grow with the normal force */
#define NONE   1e-13 /* accelerations below are round-off, of the terms that they are sums of */
#define UNSURE 10.0  /* times the residual of the solution: the same                     */
#define STANDS 1e-9  /* accelerations below are zero where rows depend on each other     */

/* The set that contact a has in the problem, and its rows counted from the normal one. */
static sp_set set_of(const sp_events *e, int a, int *pick)
{
    const sp_set *set = &e->s->w->con.set[a];
    const int sliding = !sp_smooth_slides(e->s, a)   ? 0
                        : set->kind == SP_SET_PLANAR ? 1
                                                     : sp_sliding(e->status[a]);
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
            e->lambda[r] = 0.0;
        }
        if (sp_smooth_is_known(e->s, a)) {
            e->lambda[con->row[a]] = sp_smooth_known_force(e->s, a);
            e->found[a] = e->status[a];
        } else if (e->use[a]) {
            e->who[*n_contact] = a;
            e->row[*n_contact] = n;
            e->set[*n_contact] = set_of(e, a, e->pick[*n_contact]);
            e->guess[*n_contact] = SP_STATUS_UNKNOWN;
            n += sp_set_dim(&e->set[(*n_contact)++]);
        } else {
            e->found[a] = SP_OPEN;
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
    e->c[to] = e->s->w->sol.c[from];
    e->P[to] = 0.0;
    for (int a = 0; a < e->s->closed.n; a++) {
        const double pull = sp_slide_pull(&con->set[a]);
        e->c[to] += sp_smooth_is_known(e->s, a) ? G[con->row[a]] * e->lambda[con->row[a]] : 0.0;
        e->c[to] += pull != 0.0 && e->use[a] ? pull * sp_smooth_dragged(e->s, from, a) : 0.0;
    }
    for (int i = 0; i < n_contact; i++) {
        const int b = e->who[i];
        double *to_i = e->G + (size_t)to * (size_t)n + (size_t)e->row[i];
        for (int j = 0; j < sp_set_dim(&e->set[i]); j++) {
            to_i[j] = G[con->row[b] + e->pick[i][j]];
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
           (e->found[a] == SP_SLIP_POS || e->found[a] == SP_SLIP_NEG) &&
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
    return a >= e->s->closed.n || (along ? e->found[a] == SP_STICK : e->found[a] != SP_OPEN);
}

/* The rows that are held into e->held; how many. */
static int list_held(const sp_events *e)
{
    const sp_con *con = &e->s->w->con;
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            if (is_held(e, a, r)) {
                e->held[n++] = r;
            }
        }
    }
    return n;
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
        const double accel = fabs(e->accel[row_along(e, a)]);
        e->slow[a] = begins(e, a) && accel > zero && accel <= slow;
        e->found[a] = begins(e, a) && accel <= zero ? (unsigned char)SP_STICK : e->found[a];
        any = any || e->slow[a];
    }
    const int n = any ? list_held(e) : 0, rank = any ? sp_smooth_rank(e->s, n, e->held) : 0;
    for (int a = 0; a < con->n_active && any; a++) {
        e->held[n] = row_along(e, a);
        if (e->slow[a] && sp_smooth_rank(e->s, n + 1, e->held) == rank) {
            e->found[a] = SP_STICK;
        }
    }
}

/* The solution, which has that residual, back to the rows and contacts of w->con, with the
 * accelerations it leaves. */
static void spread(sp_events *e, int n_contact, double residual)
{
    const sp_con *con = &e->s->w->con;
    for (int i = 0; i < n_contact; i++) {
        const int a = e->who[i], r = con->row[a];
        for (int k = 1; a < e->s->closed.n && k < con->row[a + 1] - r; k++) {
            e->lambda[r + k] =
                e->s->drag[a][k - 1] * (e->P[e->row[i]] + sp_slide_pull(&con->set[a]));
        }
        for (int j = 0; j < sp_set_dim(&e->set[i]); j++) {
            e->lambda[r + e->pick[i][j]] = e->P[e->row[i] + j];
        }
        e->found[a] =
            sp_smooth_slides(e->s, a) && e->guess[i] != SP_OPEN ? e->status[a] : e->guess[i];
    }
    for (int r = 0; r < con->n_row; r++) {
        const double *G = con->G + (size_t)r * (size_t)con->n_row;
        e->accel[r] = e->s->w->sol.c[r];
        for (int k = 0; k < con->n_row; k++) {
            e->accel[r] += G[k] * e->lambda[k];
        }
    }
    for (int i = 0; i < n_contact; i++) {
        const int a = e->who[i];
        if (sp_event_in_space(e, con->active[a]) && e->found[a] != SP_OPEN) {
            e->found[a] = sp_sliding_status(
                sp_event_sliding(e, a, sp_smooth_slides(e->s, a) ? sp_sliding(e->status[a]) : 0));
        }
    }
    put_to_rest(e, fmax(NONE, UNSURE * residual) * e->s->w->sol.xi_scale);
}

/* The problem with the drags as they are. */
static sp_status decide_once(sp_events *e, sp_error *err)
{
    sp_work *w = e->s->w;
    const sp_con *con = &w->con;
    int n_contact;
    const int n = number_rows(e, &n_contact);
    for (int i = 0; i < n_contact; i++) {
        for (int j = 0; j < sp_set_dim(&e->set[i]); j++) {
            fill_row(e, n_contact, n, con->row[e->who[i]] + e->pick[i][j], e->row[i] + j);
        }
    }
    const sp_problem problem = {.n_contact = n_contact,
                                .n = n,
                                .set = e->set,
                                .row = e->row,
                                .G = e->G,
                                .ld = n,
                                .c = e->c,
                                .xi_scale = w->sol.xi_scale,
                                .space = &w->sol.space};
    sp_solution solution = {.P = e->P, .status = e->guess};
    e->sought = (sp_sought){1, true, -1};
    if (n > 0) {
        const sp_status status = sp_solve(&problem, &solution, w->sol.work, err);
        sp_watch_show(w->watch, SP_WATCH_ACCELERATION, &problem, NULL, &solution);
        SP_TRY(status);
        sp_event_choose(e, &problem, &solution);
    }
    spread(e, n_contact, solution.residual);
    return SP_OK;
}

/* The same where spots of contact grow with the normal force. */
static sp_status decide_spots(sp_events *e, sp_error *err)
{
    SP_TRY(decide_once(e, err));
    for (int pass = 0; pass < SPOT_PASSES && sp_smooth_slide_again(e->s, e->lambda) > 0.0; pass++) {
        SP_TRY(decide_once(e, err));
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
             fabs(e->accel[row_along(e, a)]) > fabs(e->accel[row_along(e, first)]))) {
            first = a;
            *mu = slow;
        }
    }
    return n > 1 ? first : SP_NONE;
}

sp_status sp_event_decide(sp_events *e, sp_error *err)
{
    double mu = 0.0;
    SP_TRY(decide_spots(e, err));
    for (int a = first_to_slide(e, &mu); a != SP_NONE; a = first_to_slide(e, &mu)) {
        e->s->w->con.set[a].mu = mu; /* each of them once */
        SP_TRY(decide_spots(e, err));
    }
    return SP_OK;
}

sp_status sp_event_foresee(sp_events *e, double t, sp_error *err)
{
    sp_smooth *s = e->s;
    e->ahead = false;
    SP_TRY(sp_smooth_dense(s, t, s->y, err));
    SP_TRY(sp_smooth_accelerate(s, t, s->y + s->q, s->y + s->u, s->y + s->z, err));
    for (int a = 0; a < s->w->con.n_active; a++) {
        e->use[a] = true;
    }
    if (sp_event_decide(e, NULL) != SP_OK) {
        return SP_OK; /* the event itself will look closer */
    }
    for (int i = 0; i < s->m->n_slot; i++) {
        e->next[i] = SP_OPEN;
    }
    e->next_sought = e->sought;
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = s->closed.slot[a];
        e->next[slot] = e->found[a];
        e->begins[slot] =
            (unsigned char)(sp_sliding(e->found[a]) & ~sp_sliding(s->closed.status[a]));
        e->ahead = e->ahead || e->found[a] != e->state[slot];
    }
    return SP_OK;
}
