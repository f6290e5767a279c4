/* integrators/event_space.c - friction in space under event-driven integration: slip is a vector
 * that has a direction, turns, and comes to rest where it passes zero.   theory (23.5)-(23.7) */
#include "base/status.h"
#include "integrators/event_parts.h"

#include <math.h>
#include <string.h>

#define NO_WAY  SP_NOISE /* of velocities: slower slip keeps the direction it had before */
#define STRAYS  0.1 /* of the tolerance, of velocities: slip is so much across its acceleration */
#define STRAYED SP_TINY /* of velocities: or at least so much */
#define BACK    1e-6  /* of accelerations: friction that is so far below its limit holds again   */
#define NOISE   10.0  /* of the tolerance, of velocities: slip below this is zero where it turns  */
#define UNEVEN  100.0 /* ... times how uneven friction is, at most */
#define TURNS   0.577 /* along over across where a slip is said to turn: 60 degrees              */
#define EVEN    2.0   /* friction that is stronger by less across is not stiff                   */
#define ENDS    0.5   /* of slow slip: below this uneven friction ends it */
#define CLOSE   0.75  /* of the way to the end of a slip: so far goes a step that is wrong there  */
#define HALVED  10 /* times that it is halved: (1/2)^10 of its length is no matter of length    */
#define PASSED  SP_NOISE   /* of velocities: slip that is so far beyond its end has passed it */
#define STANDS  SP_AT_REST /* accelerations below are zero, of the terms that they are sums of */
#define PULLED  SP_SMALL   /* ... and a contact that is pulled by more has gone through infinity */

/* |x| of the rows of a group. */
static double length(sp_group g, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < g.n; k++) {
        sum = hypot(sum, x[g.first + k]);
    }
    return sum;
}

/* By how much friction of a group differs from direction to direction. */
static double unevenness(const sp_set *set, int group)
{
    if (set->kind != SP_SET_ELLIPSE || group != 0) {
        return 1.0;
    }
    const double most = fmax(set->mu, set->mu_2), least = fmin(set->mu, set->mu_2);
    return UNEVEN * least < most ? UNEVEN : most / least;
}

/* Slip of group i of contact a that counts as none.  Where friction is uneven, noise across the
 * weak direction turns the force so much earlier. */
static double slow(const sp_events *e, int a, int i)
{
    return unevenness(&e->s->w->con.set[a], i) * fmax(SP_AT_REST, NOISE * e->s->tolerance) *
           e->impact.size;
}

/* The indicator of group i of contact a, which slides: straight where slip passes zero straight.
 * Uneven friction is stiff across its weak direction: explicit steps keep such slip from passing
 * zero, it ends where it is slow.   theory (23.6a) */
static double slip_indicator(const sp_events *e, int a, int i, sp_group g, const double *u)
{
    double gamma[SP_FRICTION_ROWS];
    double across;
    const double along = sp_smooth_along(e->s, a, g, u, gamma, &across);
    const bool even = unevenness(&e->s->w->con.set[a], i) <= EVEN;
    return along - TURNS * across - (even ? 0.0 : ENDS * slow(e, a, i));
}

/* Velocities of group g of contact a and their rates, rows and accelerations being in w. */
static void slip_and_rate(const sp_smooth *s, int a, sp_group g, double *gamma, double *rate)
{
    const sp_work *w = s->w;
    for (int k = 0; k < g.n; k++) {
        const int r = w->con.row[a] + g.first + k;
        gamma[k] = sp_con_dot(&w->con, a, r, w->u_E) + w->con.w_tilde[r];
        rate[k] = sp_con_dot(&w->con, a, r, w->du) + w->sol.free[r];
    }
}

/* How much of the slip of group g of contact a is across its acceleration, m/s. */
static double across_rate(const sp_smooth *s, int a, sp_group g)
{
    double gamma[SP_FRICTION_ROWS], rate[SP_FRICTION_ROWS], along = 0.0, size2 = 0.0, sum = 0.0;
    slip_and_rate(s, a, g, gamma, rate);
    for (int k = 0; k < g.n; k++) {
        along += gamma[k] * rate[k];
        size2 += rate[k] * rate[k];
    }
    for (int k = 0; k < g.n; k++) {
        sum = hypot(sum, gamma[k] - (along > 0.0 ? along / size2 * rate[k] : 0.0));
    }
    return sum;
}

/* The same for one that has just begun to: it leaves the direction of its acceleration, or comes to
 * rest again. */
static double start_indicator(const sp_events *e, int a, int i, sp_group g, double worth)
{
    const sp_con *con = &e->s->w->con;
    const double *P = e->s->w->sol.P + con->row[a];
    const double N = P[0] + sp_slide_pull(&con->set[a]);
    const double reserve = sp_slide_reserve(&con->set[a], i, N, P + g.first, NULL);
    const double most = fmax(STRAYS * e->s->tolerance, STRAYED) * e->impact.size;
    return fmin(1.0 - across_rate(e->s, a, g) / most, 1.0 - worth * reserve / BACK);
}

void sp_event_evaluate_space(const sp_events *e, int a, double worth, double *node)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    const int slot = con->active[a], sliding = sp_sliding(e->settle.state[slot]);
    const double *P = s->w->sol.P + con->row[a], N = P[0] + sp_slide_pull(&con->set[a]);
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&con->set[a], g);
    node[SP_MAIN] = e->shared.is[slot] ? 1.0 : worth * N;
    if (e->settle.hold[slot] > 0) {
        node[SP_RATE] = fmin(1.0, sp_con_reach(s->m, s->num, con, slot));
    }
    for (int i = 0; i < n; i++) {
        const bool slides = (sliding >> i) & 1, starts = (s->starting[slot] >> i) & 1;
        node[SP_SECOND + i] = slides && starts     ? start_indicator(e, a, i, g[i], worth)
                              : slides             ? slip_indicator(e, a, i, g[i], s->w->u_E)
                              : e->shared.is[slot] ? 1.0
                                                   : worth * sp_slide_reserve(&con->set[a], i, N,
                                                                              P + g[i].first, NULL);
    }
}

sp_status sp_event_note_directions(sp_events *e, sp_error *err)
{
    sp_smooth *s = e->s;
    bool any = false;
    for (int a = 0; a < s->closed.n; a++) {
        any = any || (sp_event_in_space(e, s->closed.slot[a]) && s->closed.status[a] != SP_STICK);
    }
    if (!any) {
        return SP_OK;
    }
    s->still = NO_WAY * e->impact.size;
    SP_TRY(sp_smooth_accelerate_at(s, s->t, s->now, err));
    for (int a = 0; a < s->closed.n; a++) {
        if (sp_event_in_space(e, s->closed.slot[a])) {
            sp_smooth_face(s, a, s->w->u_E);
        }
    }
    return SP_OK;
}

/* The contact of w->con that is the slot of the trigger, -1: none. */
static int triggered(const sp_events *e)
{
    for (int a = 0; a < e->s->closed.n; a++) {
        if (e->s->closed.slot[a] == e->located.slot) {
            return a;
        }
    }
    return -1;
}

/* The slip that the trigger is about, rows and accelerations being in w. */
typedef struct slip_there {
    int a; /* contact of w->con */
    sp_group g;
    double gamma[SP_FRICTION_ROWS], rate[SP_FRICTION_ROWS];
    double speed;
    double left; /* how long it still takes to pass zero, s; 0: it does not */
    double slow; /* slip that counts as none                                */
} slip_there;

/* Look at it; false: there is none. */
static bool look_there(const sp_events *e, slip_there *x)
{
    sp_group g[SP_GROUPS];
    double along = 0.0, size2 = 0.0;
    *x = (slip_there){.a = triggered(e)};
    if (x->a < 0 || e->located.group >= sp_slide_groups(&e->s->w->con.set[x->a], g)) {
        return false;
    }
    x->g = g[e->located.group];
    slip_and_rate(e->s, x->a, x->g, x->gamma, x->rate);
    for (int k = 0; k < x->g.n; k++) {
        x->speed = hypot(x->speed, x->gamma[k]);
        size2 += x->gamma[k] * x->gamma[k];
        along += x->gamma[k] * x->rate[k];
    }
    x->left = along < 0.0 ? -size2 / along : 0.0;
    x->slow = slow(e, x->a, e->located.group);
    return true;
}

/* Whether the trigger is the end of a slip in space. */
static bool is_end_of_slip(const sp_events *e)
{
    return e->located.trigger == SP_TRIGGER_SLIP_ENDS && sp_event_in_space(e, e->located.slot);
}

/* Whether the slip that the trigger is about is none any more: so slow, or so near to its end.
 * theory (33.3), (37.3) */
static bool is_over(const sp_events *e)
{
    slip_there x;
    look_there(e, &x);
    return !(x.speed > x.slow) || (x.left > 0.0 && x.left <= SP_IN_TIME * (1.0 + fabs(e->s->t)));
}

bool sp_event_turned(const sp_events *e)
{
    return is_end_of_slip(e) && !is_over(e);
}

bool sp_event_is_slip_done(const sp_events *e)
{
    slip_there x;
    double gamma[SP_FRICTION_ROWS];
    return is_end_of_slip(e) && look_there(e, &x) &&
           sp_smooth_along(e->s, x.a, x.g, e->s->w->u_E, gamma, NULL) > 0.0;
}

/* Whether contact a slides and is pulled behind a pole of its force: friction turned to where no
 * force can push, the normal row with its drag is not above zero.  Where it is the contact lifts
 * off, also with a jump as at the border of a surface.   theory (37.3) */
static bool is_pulled(const sp_events *e, int a)
{
    const sp_smooth *s = e->s;
    const sp_work *w = s->w;
    const int r = w->con.row[a], slot = w->con.active[a];
    const double N = w->sol.P[r] + sp_slide_pull(&w->con.set[a]),
                 G = w->con.G[r * w->con.n_row + r];
    return (sp_sliding(e->settle.state[slot]) & ~s->starting[slot] & 1) && !e->shared.is[slot] &&
           G + sp_smooth_dragged(s, r, a) <= 0.0 && G * N < -PULLED * w->sol.xi_scale;
}

/* The least indicator of all slip at the end of the step; but: without that of the trigger. */
static sp_status least_slip(sp_events *e, bool but, double *least, sp_error *err)
{
    sp_smooth *s = e->s;
    *least = INFINITY;
    SP_TRY(sp_smooth_accelerate_at(s, s->t, s->now, err));
    for (int a = 0; a < s->closed.n; a++) {
        const int slot = s->closed.slot[a];
        if (!sp_event_in_space(e, slot)) {
            continue;
        }
        const int slides = sp_sliding(e->settle.state[slot]) & ~s->starting[slot];
        sp_group g[SP_GROUPS];
        const int n = sp_slide_groups(&s->w->con.set[a], g);
        if (is_pulled(e, a)) {
            *least = -INFINITY;
        }
        for (int i = 0; i < n; i++) {
            if (((slides >> i) & 1) && !(but && slot == e->located.slot && i == e->located.group)) {
                const double I = slip_indicator(e, a, i, g[i], s->w->u_E);
                *least = isnan(*least) || *least < I ? *least : I; /* NaN stays */
            }
        }
    }
    return SP_OK;
}

/* Whether a slip whose indicator is that has passed its end, or is no number.   theory (33.2) */
static bool has_passed(const sp_events *e, double least)
{
    return !(least >= -PASSED * e->impact.size);
}

/* End the step that landed on the end of a slip earlier, where it is right and all slip still has
 * its way: the event is then still to come, unless slip is so slow there that it has ended.  If no
 * length helps it ends where it landed.   theory (33.1), (37.1) */
static sp_status come_closer(sp_events *e, double *beside, sp_error *err)
{
    sp_smooth *s = e->s;
    const double landed = s->t;
    double left = INFINITY, end = s->t_old + CLOSE * (s->t - s->t_old);
    bool wrong = true;
    for (int n = 0; n <= HALVED && wrong && end > s->t_old; n++) {
        SP_TRY(sp_smooth_cut(s, end, err));
        SP_TRY(least_slip(e, false, &left, err));
        wrong = s->rk->err > 1.0 || has_passed(e, left);
        end = s->t_old + 0.5 * (s->t - s->t_old);
    }
    if (wrong) {
        *beside = 0.0;
        SP_TRY(sp_smooth_cut(s, landed, err));
        return least_slip(e, false, &left, err);
    }
    *beside = is_over(e) ? 0.0 : 1.0;
    return SP_OK;
}

/* A force that seems to come to zero went through infinity: what ends is slip, by that force.
 * theory (37.3) */
static sp_status check_pole(sp_events *e, double *beside, sp_error *err)
{
    sp_smooth *s = e->s;
    if (s->driver || e->located.trigger != SP_TRIGGER_LIFT_OFF ||
        !sp_event_in_space(e, e->located.slot)) {
        return SP_OK;
    }
    SP_TRY(sp_smooth_accelerate_at(s, s->t, s->now, err));
    const int a = triggered(e);
    if (a < 0 || !is_pulled(e, a)) {
        return SP_OK;
    }
    sp_event_set_trigger(e, SP_TRIGGER_SLIP_ENDS, e->located.slot, 0);
    sp_event_forget_prediction(e);
    return come_closer(e, beside, err);
}

/* Where slip ends its direction is lost, and a step that ends there may be wrong by more than the
 * tolerance although the longer one, which went past, was not.   theory (33.1), (33.2) */
sp_status sp_event_end_slip(sp_events *e, double *beside, sp_error *err)
{
    const sp_smooth *s = e->s;
    double left;
    if (s->driver || !is_end_of_slip(e)) {
        return check_pole(e, beside, err);
    }
    if (s->rk->err > 1.0) {
        SP_TRY(come_closer(e, beside, err));
    }
    if (*beside == 0.0 && s->t > s->t_old) { /* another one may go first */
        SP_TRY(least_slip(e, true, &left, err));
        *beside = has_passed(e, left) ? -1.0 : 0.0;
    }
    return SP_OK;
}

sp_status sp_event_end_before(sp_events *e, double *beside, sp_error *err)
{
    return *beside < 0.0 && !e->s->driver && is_end_of_slip(e) ? come_closer(e, beside, err)
                                                               : SP_OK;
}

void sp_event_note_ends(sp_events *e)
{
    const sp_smooth *s = e->s;
    const bool end = is_end_of_slip(e);
    slip_there x = {.left = 0.0};
    if (end) {
        look_there(e, &x);
    }
    memset(e->slip.ends, 0, (size_t)s->m->n_slot * sizeof *e->slip.ends);
    for (int a = 0; a < s->closed.n && end; a++) {
        const int slot = s->closed.slot[a];
        sp_group g[SP_GROUPS];
        const int n = sp_event_in_space(e, slot) ? sp_slide_groups(&s->w->con.set[a], g) : 0;
        for (int i = 0; i < n; i++) {
            double gamma[SP_FRICTION_ROWS], rate[SP_FRICTION_ROWS], rest = 0.0;
            slip_and_rate(s, a, g[i], gamma, rate);
            for (int k = 0; k < g[i].n; k++) {
                rest = hypot(rest, gamma[k] + x.left * rate[k]);
            }
            const bool ends =
                rest <= slow(e, a, i) || (slot == e->located.slot && i == e->located.group);
            e->slip.ends[slot] = (unsigned char)(e->slip.ends[slot] | ends << i);
        }
    }
}

int sp_event_moving(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const bool end = e->located.trigger == SP_TRIGGER_SLIP_ENDS && !e->settle.jumped;
    const int ends = end ? e->slip.ends[w->con.active[a]] : 0;
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&w->con.set[a], g);
    int groups = 0;
    for (int i = 0; i < n; i++) {
        if (length(g[i], w->sol.gamma_A + w->con.row[a]) > SP_AT_REST * e->impact.size &&
            !((ends >> i) & 1)) {
            groups |= 1 << i;
        }
    }
    return groups;
}

int sp_event_sliding(const sp_events *e, int a, int already)
{
    const sp_con *con = &e->s->w->con;
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&con->set[a], g);
    int groups = already;
    for (int i = 0; i < n; i++) {
        if (length(g[i], e->decide.accel + con->row[a]) > STANDS * e->s->w->sol.xi_scale) {
            groups |= 1 << i;
        }
    }
    return groups;
}

sp_status sp_event_release_slip(sp_events *e, sp_state *x, sp_error *err)
{
    sp_smooth *s = e->s;
    SP_TRY(sp_smooth_accelerate(s, x->t, x->q, x->u, x->z, err));
    slip_there there;
    look_there(e, &there);
    if (there.speed <= there.slow) {
        sp_event_set_trigger(e, SP_TRIGGER_SLIP_ENDS, e->located.slot, e->located.group);
        sp_event_note_ends(e);
        return sp_event_resolve(e, x, err);
    }
    sp_smooth_face(s, there.a, s->w->u_E);
    s->starting[e->located.slot] =
        (unsigned char)(s->starting[e->located.slot] & ~(1 << e->located.group));
    return sp_smooth_restart(s, x, err);
}
