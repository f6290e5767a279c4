/* integrators/smooth_switch.c - forces, gaps and limits that switch with the motion: their kinks
 * are held on one side through a step, the step ends where the first of them comes to its border,
 * and the next begins on the other side.   theory (64.12)-(64.14) */
#include "base/status.h"
#include "contact/rule.h"
#include "integrators/smooth.h"
#include "math/parabola.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NODES = 16 }; /* parts of a step in which borders are looked for            */
enum { HALVINGS = 60 };
#define AT_BORDER SP_FINE    /* of its size: an indicator below is zero                     */
#define JOINED    SP_AT_REST /* of its size: a gap that differs by less on both sides has no jump */
#define NEARBY    SP_SMALL   /* of a step: where the slope of an indicator is taken from        */
#define AT_ONCE   SP_TINY /* of the time: kinks that come to their borders so near do so together */

/* What searches for borders keep. */
struct sp_switches {
    sp_kink *kink; /* n_kink                                            */
    double *size;  /* n_kink: of indicators, the largest so far         */
    double *phi;   /* NODES + 1 times n_kink: along the step            */
    double *when;  /* n_kink: when each comes to its border             */
    double *flip;  /* n_kink: when it was passed last                   */
    double near;   /* others that come to their borders within this do so there, s */
    double t;      /* where the last step ends at a border, else infinite */
};

bool sp_smooth_switch_room(sp_smooth *s)
{
    sp_arena *a = &s->w->arena;
    const int n = s->m->n_kink;
    if (n == 0) {
        return true;
    }
    sp_switches *k = s->switches = SP_NEW(a, sp_switches, 1);
    if (!k) {
        return false;
    }
    k->kink = SP_NEW(a, sp_kink, n);
    k->size = SP_NEW(a, double, n);
    k->phi = SP_NEW(a, double, (NODES + 1) * (size_t)n);
    k->when = SP_NEW(a, double, n);
    k->flip = SP_NEW(a, double, n);
    return k->kink && k->size && k->phi && k->when && k->flip;
}

void sp_smooth_switch_begin(sp_smooth *s)
{
    sp_switches *k = s->switches;
    for (int i = 0; k && i < s->m->n_kink; i++) {
        k->kink[i] = (sp_kink){.side = NAN, .other = NAN, .phi = INFINITY};
        k->size[i] = 0.0;
        k->flip[i] = -INFINITY;
    }
    if (k) {
        k->t = INFINITY;
    }
}

sp_kink *sp_smooth_kinks(sp_smooth *s, size_t *bytes)
{
    *bytes = s->switches ? (size_t)s->m->n_kink * sizeof *s->switches->kink : 0;
    return s->switches ? s->switches->kink : NULL;
}

/* Indicators of gaps, slips and limits where the last evaluation was; forces have theirs. */
static void look_at_rules(sp_smooth *s, double t)
{
    sp_work *w = s->w;
    if (s->m->n_rule > 0) {
        sp_kin_velocities(s->m, w->u_E, &w->kin);
        sp_con_at(t, 1.0, w->q, w->u_E, &w->con);
        w->con.kin = &w->kin;
        sp_rule_look(s->m, &w->con);
    }
}

bool sp_smooth_switch_stale(sp_smooth *s, double t)
{
    sp_switches *k = s->switches;
    bool stale = false;
    if (k) {
        look_at_rules(s, t);
    }
    for (int i = 0; k && i < s->m->n_kink; i++) {
        if (k->kink[i].phi < -AT_BORDER * k->size[i]) {
            k->kink[i].side = NAN;
            stale = true;
        }
    }
    return stale;
}

/* Indicators at t on the polynomial of the step; its end is there without. */
static sp_status look(sp_smooth *s, double t, sp_error *err)
{
    const double *y = s->now;
    if (t < s->t) {
        SP_TRY(sp_smooth_dense(s, t, s->work, s->y, err));
        y = s->y;
    }
    SP_TRY(sp_smooth_accelerate_at(s, t, y, err));
    look_at_rules(s, t);
    return SP_OK;
}

/* The indicators at all nodes. */
static sp_status sample(sp_smooth *s, sp_error *err)
{
    sp_switches *k = s->switches;
    const int n = s->m->n_kink;
    for (int j = 0; j <= NODES; j++) {
        SP_TRY(look(s, j < NODES ? s->t_old + (s->t - s->t_old) * j / NODES : s->t, err));
        for (int i = 0; i < n; i++) {
            const double phi = k->kink[i].phi;
            k->phi[j * n + i] = phi;
            k->size[i] = isfinite(phi) ? fmax(k->size[i], fabs(phi)) : k->size[i];
        }
    }
    return SP_OK;
}

/* The border of kink i between a, where its indicator is above zero, and b. */
static sp_status close_in(sp_smooth *s, int i, double a, double b, double *t, sp_error *err)
{
    for (int n = 0; n < HALVINGS && a + 0.5 * (b - a) > a && a + 0.5 * (b - a) < b; n++) {
        const double middle = a + 0.5 * (b - a);
        SP_TRY(look(s, middle, err));
        *(s->switches->kink[i].phi > 0.0 ? &a : &b) = middle;
    }
    *t = a;
    return SP_OK;
}

/* The same of a kink that begins the step at a border and is beyond one at b: it comes to another
 * one if it is clear of both before, else it turns back at once. */
static sp_status close_in_first(sp_smooth *s, int i, double b, double *t, sp_error *err)
{
    const double a = s->t_old, zero = AT_BORDER * s->switches->size[i];
    *t = a;
    for (int n = 0; n < HALVINGS && a + 0.5 * (b - a) > a; n++) {
        const double middle = a + 0.5 * (b - a);
        SP_TRY(look(s, middle, err));
        if (s->switches->kink[i].phi > zero) {
            return close_in(s, i, middle, b, t, err);
        }
        b = s->switches->kink[i].phi < -zero ? middle : a; /* near the border: at once */
    }
    return SP_OK;
}

/* When kink i comes to its border, infinite: not in this step. */
static sp_status find_border(sp_smooth *s, int i, double *t, sp_error *err)
{
    const sp_switches *k = s->switches;
    const int n = s->m->n_kink;
    const double part = (s->t - s->t_old) / NODES, zero = AT_BORDER * k->size[i];
    bool inside = false; /* it has been clear of its border */
    *t = INFINITY;
    for (int j = 0; j <= NODES; j++) {
        const double *phi = &k->phi[j * n + i], now = s->t_old + part * j;
        if (*phi < -zero) {
            const double beyond = j < NODES ? now : s->t;
            return inside ? close_in(s, i, now - part, beyond, t, err)
                          : close_in_first(s, i, beyond, t, err);
        }
        inside = inside || *phi > zero;
        const bool between = j > 0 && j < NODES && inside && *phi > 0.0;
        const double dip = between ? sp_parabola_bottom(phi[-n], *phi, phi[n]) : 2.0;
        if (dip < 2.0 && *phi + 0.25 * (phi[n] - phi[-n]) * dip < 0.0) {
            SP_TRY(look(s, now + dip * part, err));
            if (k->kink[i].phi < -zero) {
                return close_in(s, i, now - part, now + dip * part, t, err);
            }
        }
    }
    return SP_OK;
}

/* A kink and its slope near its border. */
typedef struct border {
    sp_smooth *s;
    int kink;
    double slope;
} border;

/* Its indicator at a state, for landing. */
static sp_status border_at(void *ctx, double t, const double *y, const double *dydt, double *g,
                           double *g_rate, sp_error *err)
{
    const border *b = ctx;
    sp_smooth *s = b->s;
    (void)dydt;
    SP_TRY(sp_smooth_accelerate_at(s, t, y, err));
    look_at_rules(s, t);
    *g = s->switches->kink[b->kink].phi;
    *g_rate = b->slope;
    return SP_OK;
}

/* End the step where kink i comes to its border, near t. */
static sp_status land(sp_smooth *s, int i, double t, sp_error *err)
{
    border b = {.s = s, .kink = i};
    const double before = t - NEARBY * (s->t - s->t_old);
    if (!(before > s->t_old)) {
        return sp_smooth_cut(s, t, err);
    }
    SP_TRY(look(s, before, err));
    b.slope = s->switches->kink[i].phi;
    SP_TRY(look(s, t, err));
    b.slope = (s->switches->kink[i].phi - b.slope) / (t - before);
    return b.slope < 0.0 ? sp_smooth_land(s, border_at, &b, t, DBL_EPSILON * (1.0 + fabs(t)), err)
                         : sp_smooth_cut(s, t, err);
}

sp_status sp_smooth_switch_find(sp_smooth *s, sp_error *err)
{
    sp_switches *k = s->switches;
    if (!k) {
        return SP_OK;
    }
    k->t = INFINITY;
    SP_TRY(sp_smooth_prepare(s, err));
    SP_TRY(sample(s, err));
    int first = 0;
    for (int i = 0; i < s->m->n_kink; i++) {
        SP_TRY(find_border(s, i, &k->when[i], err));
        first = k->when[i] < k->when[first] ? i : first;
    }
    k->t = k->when[first];
    if (k->t < INFINITY) {
        SP_TRY(land(s, first, k->t, err));
        k->near = AT_ONCE * (1.0 + fabs(k->t)) + fabs(k->t - s->t);
        k->t = s->t;
    }
    return sp_smooth_accelerate_at(s, s->t, s->now, err);
}

bool sp_smooth_switch_is_at(const sp_smooth *s, double t)
{
    return s->switches && s->switches->t == t;
}

sp_status sp_smooth_switch_pass(sp_smooth *s, double t, int *kink, sp_error *err)
{
    const sp_model *m = s->m;
    sp_switches *k = s->switches;
    *kink = SP_NONE;
    SP_TRY(sp_smooth_accelerate_at(s, t, s->now, err));
    look_at_rules(s, t);
    sp_rule_note(m, s->num, &s->w->con);
    for (int i = 0; i < m->n_kink; i++) {
        if (!(k->when[i] <= k->t + k->near)) {
            continue;
        }
        if (k->flip[i] == t) {
            return SP_FAIL(err, SP_E_NOT_CONVERGED,
                           "t = %.9g s: %s switches to and fro without end, since each of its "
                           "sides drives the motion back to the other; write it as friction or a "
                           "stop ('friction:' of a joint, 'couplings', 'range:'), and sides of a "
                           "gap as contacts of their own",
                           t, m->kink[i]);
        }
        *kink = *kink == SP_NONE ? i : *kink;
        k->flip[i] = t;
        k->kink[i].side = k->kink[i].other;
    }
    if (sp_smooth_switch_stale(s, t)) { /* sides that this leaves are decided anew */
        look_at_rules(s, t);
    }
    k->t = INFINITY;
    return sp_rule_check(m, s->num, &s->w->con, JOINED, err);
}
