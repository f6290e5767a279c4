/* variation/jump.c - what an event does to neighbours of a motion.
 *
 *     S = D R + (f+ - D R f- - R_t) grad h / (h_t + grad h . f-)     theory (82.4)
 *
 * R: what jumps, h: what is zero at the event. */
#include "base/status.h"
#include "base/worse.h"
#include "contact/coefficient.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/clock.h"
#include "integrators/event_parts.h"
#include "variation/parts.h"

#include <math.h>
#include <string.h>

#define NO_JUMP    SP_AT_REST /* of rates: what jumps by less does not                      */
#define UNDERSTOOD SP_FINE    /* over sizes: an impact is made again so well                */
#define GRAZES     SP_AT_REST /* over sizes and rates: an indicator that changes by less     */

/* ---- the impact ------------------------------------------------------------------------------ */

/* Whether velocities jump: something is hit, or what was open comes to rest.  Contacts whose hops
 * are passed may have been hit before.   theory (82.6) */
static bool is_blow(const sp_variation *v)
{
    bool found = false;
    for (int i = 0; i < v->n_event; i++) {
        found = found || v->event[i].kind == SP_EVENT_IMPACT;
    }
    for (int a = 0; a < v->rested.n; a++) {
        found = found || sp_phase_find(&v->phase, v->rested.slot[a]) < 0;
    }
    return found;
}

/* The contacts of impact `id` into list, rising. */
static int list_hit(const sp_variation *v, int id, int *list)
{
    int n = 0;
    for (int slot = 0; slot < v->m->n_slot; slot++) {
        for (int i = 0; i < v->n_event; i++) {
            if (v->event[i].kind == SP_EVENT_IMPACT && v->event[i].impact_id == id &&
                v->event[i].slot == slot) {
                list[n++] = slot;
                break;
            }
        }
    }
    return n;
}

/* Put the own state at (t, q) with velocities u. */
static void put_state(sp_variation *v, double t, const double *y, const double *u)
{
    const sp_model *m = v->m;
    memcpy(v->x->q, y, (size_t)m->n_q * sizeof *y);
    memcpy(v->x->u, u, (size_t)m->n_dof * sizeof *y);
    memcpy(v->x->z, y + m->n_q + m->n_dof, (size_t)m->n_aux * sizeof *y);
    v->x->t = t;
}

/* The rows of one impact at (t, q, u): the n contacts in v->row. */
static sp_status pose(sp_variation *v, double t, const double *y, const double *u, int n,
                      sp_error *err)
{
    sp_con *con = &v->w->con;
    put_state(v, t, y, u);
    con->hold = v->phase.hold;
    SP_TRY(sp_event_rows(v->e, v->x, n, v->row, err));
    sp_event_raise_size(v->e);
    return SP_OK;
}

/* How u jumps by the rows that are there, with the velocities of these given; into jump. */
static sp_status strike(sp_variation *v, const double *gamma, const double *u, double *jump,
                        sp_error *err)
{
    const int n_dof = v->m->n_dof;
    memcpy(v->x->u, u, (size_t)n_dof * sizeof *u);
    memcpy(v->w->sol.gamma_A, gamma, (size_t)v->w->con.n_row * sizeof *gamma);
    v->w->n_event = 0;
    SP_TRY(sp_event_impact(v->e, v->x, err));
    v->w->n_event = 0;
    for (int k = 0; k < n_dof; k++) {
        jump[k] = v->x->u[k] - u[k];
    }
    return SP_OK;
}

/* By how much velocities are made larger, so that differences do not turn an approach into a
 * retreat: impacts are homogeneous in them, unless their laws ask for the speed. */
static double enlargement(const sp_variation *v, const double *gamma)
{
    const sp_con *con = &v->w->con;
    double least = INFINITY;
    for (int a = 0; a < con->n_active; a++) {
        const int slot = con->active[a];
        if (slot < v->m->n_slot && (sp_con_by_approach(v->m, slot) || v->m->layout.speeds)) {
            return 1.0;
        }
        const double size = fabs(gamma[con->row[a]]);
        least = size > 0.0 && slot < v->m->n_slot && size < least ? size : least;
    }
    return isfinite(least) ? fmax(1.0, v->e->impact.size / least) : 1.0;
}

/* u+ of one impact of a neighbour, F being the jump by the place q and the velocities of rows:
 *     u + F(q, gamma_0) + F(q_0, s gamma_0 + gamma - gamma_0) - F(q_0, s gamma_0)   theory (82.5)
 * has the derivative of u + F(q, gamma) at the impact itself, q_0, u_0. */
static sp_status hit_beside(sp_variation *v, int n, double t, const double *y, double *u,
                            const double *u_0, sp_error *err)
{
    const int n_dof = v->m->n_dof;
    double *gamma = v->scratch, *gamma_0 = gamma + v->row_room, *use = gamma_0 + v->row_room;
    double *jump = use + v->row_room;
    SP_TRY(pose(v, v->t, v->y, u_0, n, err));
    const int n_row = v->w->con.n_row;
    const size_t bytes = (size_t)n_row * sizeof *gamma;
    memcpy(gamma_0, v->w->sol.gamma_A, bytes);
    const double s = enlargement(v, gamma_0);
    SP_TRY(pose(v, t, y, u, n, err));
    memcpy(gamma, v->w->sol.gamma_A, bytes);
    SP_TRY(strike(v, gamma_0, u, jump, err));
    SP_TRY(pose(v, v->t, v->y, u_0, n, err));
    for (int r = 0; r < n_row; r++) {
        use[r] = s * gamma_0[r] + (gamma[r] - gamma_0[r]);
        gamma[r] = s * gamma_0[r];
    }
    SP_TRY(strike(v, use, u_0, jump + n_dof, err));
    SP_TRY(strike(v, gamma, u_0, jump + 2 * n_dof, err));
    for (int k = 0; k < n_dof; k++) {
        u[k] += jump[k] + (jump[n_dof + k] - jump[2 * n_dof + k]);
    }
    return SP_OK;
}

/* The impulses by which the run put contacts at rest behind its impacts, of a state nearby; into u.
 * theory (82.6) */
static sp_status come_to_rest(sp_variation *v, double t, const double *y, double *u, sp_error *err)
{
    if (v->rested.n == 0) {
        return SP_OK;
    }
    put_state(v, t, y, u);
    v->s->closed = v->rested;
    v->w->con.hold = v->phase.hold;
    SP_TRY(sp_smooth_rest(v->s, t, v->x->q, v->x->u, err));
    sp_event_jump(v->e, v->x, v->w->sol.P);
    memcpy(u, v->x->u, (size_t)v->m->n_dof * sizeof *u);
    return SP_OK;
}

/* sp_nearby: velocities behind the impacts, one after the other as they were, and what came to rest
 * behind them, of a state that is where they happen.  ctx NULL: as they are, else beside the
 * motion. */
static sp_status hit(sp_variation *v, const void *ctx, double t, const double *y, double *raw,
                     sp_error *err)
{
    const sp_model *m = v->m;
    const size_t bytes = (size_t)m->n_dof * sizeof *y;
    double *u_0 = v->u_0;
    int id = 0;
    memcpy(raw, y + m->n_q, bytes);
    memcpy(u_0, v->y + m->n_q, bytes);
    for (int i = 0; i < v->n_event; i++) {
        if (v->event[i].kind != SP_EVENT_IMPACT || v->event[i].impact_id == id) {
            continue;
        }
        id = v->event[i].impact_id;
        const int n = list_hit(v, id, v->row);
        SP_TRY(ctx ? hit_beside(v, n, t, y, raw, u_0, err) : SP_OK);
        SP_TRY(pose(v, v->t, v->y, u_0, n, err));
        memcpy(v->scratch, v->w->sol.gamma_A, (size_t)v->w->con.n_row * sizeof *y);
        double *jump = v->scratch + 3 * v->row_room;
        SP_TRY(strike(v, v->scratch, u_0, jump, err));
        for (int k = 0; k < m->n_dof; k++) {
            u_0[k] += jump[k];
        }
    }
    if (!ctx) {
        memcpy(raw, u_0, bytes);
    }
    return come_to_rest(v, t, y, raw, err);
}

/* How far the velocities of the impact made again are from those of the run, over sizes. */
static sp_status check_hit(sp_variation *v, sp_error *err)
{
    const sp_model *m = v->m;
    double worst = 0.0;
    SP_TRY(hit(v, NULL, v->t, v->y, v->raw, err));
    for (int i = 0; i < v->result.n; i++) {
        const int k = v->at[i] - m->n_dof;
        if (k >= 0 && k < m->n_dof) {
            worst = sp_worse(worst, fabs(v->raw[k] - v->y_plus[m->n_q + k]) / v->size[i]);
        }
    }
    return worst <= UNDERSTOOD
               ? SP_OK
               : SP_FAIL(err, SP_E_INPUT,
                         "derivatives: the impact at t = %.9g s is not understood (off by %.2g)",
                         v->t, worst);
}

/* d with its velocities replaced by those of `jump` (n_dof), over sizes. */
static void put_speeds(const sp_variation *v, const double *jump, double *d)
{
    const int n_dof = v->m->n_dof;
    for (int i = 0; i < v->result.n; i++) {
        const int k = v->at[i] - n_dof;
        if (k >= 0 && k < n_dof) {
            d[i] = jump[k] / v->size[i];
        }
    }
}

/* ---- what the event is about ----------------------------------------------------------------- */

/* Indicators that an event can be about. */
typedef enum about_kind {
    ABOUT_NOTHING,
    ABOUT_GAP,
    ABOUT_SPEED,
    ABOUT_FORCE,
    ABOUT_KINK
} about_kind;
typedef struct about {
    about_kind kind;
    int slot;     /* or kink                                                     */
    double share; /* of a force along that reaches its limit: over the normal one */
} about;

/* sp_nearby: the indicator. */
static sp_status indicator(sp_variation *v, const void *ctx, double t, const double *y, double *raw,
                           sp_error *err)
{
    const about *of = ctx;
    const sp_model *m = v->m;
    const sp_con *con = &v->w->con;
    size_t bytes;
    if (of->kind == ABOUT_GAP) {
        v->w->dyn.z = y + m->n_q + m->n_dof;
        sp_kin_positions(m, v->s->num, y, &v->w->kin);
        sp_con_at(t, 1.0, y, y + m->n_q, &v->w->con);
        sp_con_gaps(m, v->s->num, &v->w->kin, &v->w->con);
        raw[0] = con->g[of->slot];
        return SP_OK;
    }
    SP_TRY(sp_smooth_accelerate(v->s, t, y, y + m->n_q, y + m->n_q + m->n_dof, err));
    if (of->kind == ABOUT_KINK) {
        sp_kin_velocities(m, v->w->u_E, &v->w->kin);
        sp_con_at(t, 1.0, v->w->q, v->w->u_E, &v->w->con);
        v->w->con.kin = &v->w->kin;
        sp_rule_look(m, con);
        raw[0] = sp_smooth_kinks(v->s, &bytes)[of->slot].phi;
        return SP_OK;
    }
    const int a = sp_phase_find(&v->phase, of->slot), r = con->row[a];
    const int last = con->row[a + 1] > r + 1 ? r + 1 : r;
    raw[0] = of->kind == ABOUT_SPEED ? sp_con_dot(con, a, last, v->w->u_E) + con->w_tilde[last]
             : last > r              ? v->w->sol.P[last] - of->share * v->w->sol.P[r]
                                     : v->w->sol.P[r];
    return SP_OK;
}

/* The open contact that came first, -1: none did. */
static int find_touch(sp_variation *v)
{
    int best = -1;
    double speed = 0.0;
    for (int i = 0; i < v->n_event; i++) {
        const sp_event *e = &v->event[i];
        const bool comes = e->kind == SP_EVENT_IMPACT || e->kind == SP_EVENT_CLOSE;
        if (comes && sp_phase_find(&v->phase, e->slot) < 0) {
            v->result.together = v->result.together || (best >= 0 && best != e->slot);
            if (best < 0 || e->gamma_N_before < speed) {
                best = e->slot;
                speed = e->gamma_N_before;
            }
        }
    }
    return best;
}

/* What is zero at the event. */
static sp_status find_about(sp_variation *v, about *of, sp_error *err)
{
    const sp_model *m = v->m;
    const sp_con *con = &v->w->con;
    *of = (about){ABOUT_NOTHING, -1, 0.0};
    const int touch = find_touch(v);
    if (touch >= 0) {
        *of = (about){ABOUT_GAP, touch, 0.0};
    }
    for (int i = 0; i < v->n_event && of->kind == ABOUT_NOTHING; i++) {
        const sp_event *e = &v->event[i];
        const int a = e->slot >= 0 ? sp_phase_find(&v->phase, e->slot) : -1;
        if (e->kind == SP_EVENT_SWITCH && e->n_found >= 0) {
            *of = (about){ABOUT_KINK, e->n_found, 0.0};
        } else if (a >= 0 && (e->kind == SP_EVENT_STICK || e->kind == SP_EVENT_SLIP)) {
            *of = (about){v->phase.status[a] == SP_STICK ? ABOUT_FORCE : ABOUT_SPEED, e->slot, 0.0};
        } else if (a >= 0 && e->kind == SP_EVENT_OPEN) {
            *of = (about){ABOUT_FORCE, e->slot, 0.0};
        }
    }
    if (of->kind == ABOUT_FORCE) {
        SP_TRY(
            sp_smooth_accelerate(v->s, v->t, v->y, v->y + m->n_q, v->y + m->n_q + m->n_dof, err));
        const int a = sp_phase_find(&v->phase, of->slot), r = con->row[a];
        of->share = con->row[a + 1] > r + 1 ? v->w->sol.P[r + 1] / v->w->sol.P[r] : 0.0;
    }
    return SP_OK;
}

/* ---- the jump -------------------------------------------------------------------------------- */

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* D R f- + R_t into v->d_flow, and the columns of V behind R. */
static sp_status pass_blow(sp_variation *v, const double *f_m, sp_error *err)
{
    const int n = v->result.n;
    memcpy(v->d_flow, f_m, (size_t)n * sizeof *f_m);
    if (!is_blow(v)) {
        return SP_OK;
    }
    const sp_nearby behind = {hit, v, v->m->n_dof};
    SP_TRY(check_hit(v, err));
    SP_TRY(sp_variation_differ(v, behind, v->t, v->y, f_m, 1.0, v->grad, err));
    put_speeds(v, v->grad, v->d_flow);
    for (int j = 0; j < v->r; j++) {
        double *column = v->V + (size_t)j * (size_t)n;
        SP_TRY(sp_variation_differ(v, behind, v->t, v->y, column, 0.0, v->grad, err));
        put_speeds(v, v->grad, column);
    }
    return SP_OK;
}

/* grad h of all columns of V before the event into row, and dh/dt along the motion; below *least it
 * grazes. */
static sp_status find_slopes(sp_variation *v, const about *of, const double *f_m, double *row,
                             double *rate, double *least, sp_error *err)
{
    const int n = v->result.n;
    const sp_nearby h = {indicator, of, 1};
    sp_variation_enter(v, &v->phase);
    SP_TRY(sp_variation_differ(v, h, v->t, v->y, f_m, 1.0, rate, err));
    double size = 0.0; /* of grad h, whatever neighbours have grown to */
    for (int j = 0; j < v->r; j++) {
        const double *column = v->V + (size_t)j * (size_t)n, grown = largest(n, column);
        SP_TRY(sp_variation_differ(v, h, v->t, v->y, column, 0.0, &row[j], err));
        size = grown > 0.0 ? fmax(size, fabs(row[j]) / grown) : size;
    }
    *least = GRAZES * size * largest(of->kind == ABOUT_GAP ? v->m->n_q : n, f_m);
    return SP_OK;
}

static sp_status fail_grazing(const sp_variation *v, const about *of, sp_error *err)
{
    return SP_FAIL(err, SP_E_INPUT,
                   "t = %.9g s: the motion grazes '%s', where there are no derivatives", v->t,
                   of->kind == ABOUT_KINK ? "the border of a force" : v->m->slot[of->slot].name);
}

/* Whether a term of time switches here: it does so whatever the state. */
static bool is_switch_of_time(const sp_variation *v)
{
    sp_clocks *clocks = v->run_w->clocks;
    return clocks && sp_clocks_next(clocks, nextafter(v->t, -INFINITY)).left <= v->t;
}

/* What no derivative goes through. */
static sp_status refuse(const sp_variation *v, sp_error *err)
{
    for (int i = 0; i < v->n_event; i++) {
        const sp_event_kind kind = v->event[i].kind;
        if (kind == SP_EVENT_HANDOVER || kind == SP_EVENT_JAM) {
            return SP_FAIL(err, SP_E_INPUT, "t = %.9g s: derivatives do not go through '%s'", v->t,
                           sp_event_name(kind));
        }
    }
    return SP_OK;
}

/* V <- D R V + J grad h V / (dh/dt). */
static sp_status pass_jump(sp_variation *v, const double *f_m, sp_error *err)
{
    const int n = v->result.n;
    double rate = 1.0, least = 0.0, *row = v->a;
    about of = {ABOUT_NOTHING, -1, 0.0};
    const bool timed = is_switch_of_time(v);
    sp_variation_enter(v, &v->phase);
    SP_TRY(timed ? SP_OK : find_about(v, &of, err));
    memset(row, 0, (size_t)n * sizeof *row);
    if (of.kind != ABOUT_NOTHING) {
        SP_TRY(find_slopes(v, &of, f_m, row, &rate, &least, err));
    }
    SP_TRY(pass_blow(v, f_m, err));
    SP_TRY(sp_variation_rates(v, &v->next, v->t, v->y_plus, v->J, err));
    const double size = largest(n, v->J) + largest(n, v->d_flow);
    for (int i = 0; i < n; i++) {
        v->J[i] -= v->d_flow[i];
    }
    if (largest(n, v->J) <= NO_JUMP * size) {
        return SP_OK;
    }
    if (of.kind == ABOUT_NOTHING) {
        return timed ? SP_OK
                     : SP_FAIL(err, SP_E_INPUT,
                               "t = %.9g s: forces jump at an event that derivatives do not know",
                               v->t);
    }
    if (!(fabs(rate) > least)) {
        return fail_grazing(v, &of, err);
    }
    for (int j = 0; j < v->r; j++) {
        for (int i = 0; i < n; i++) {
            v->V[j * n + i] += v->J[i] * row[j] / rate;
        }
    }
    return SP_OK;
}

sp_status sp_variation_jump(sp_variation *v, sp_error *err)
{
    SP_TRY(refuse(v, err));
    SP_TRY(sp_variation_rates(v, &v->phase, v->t, v->y, v->f_m, err));
    return pass_jump(v, v->f_m, err);
}
