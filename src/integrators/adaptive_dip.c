/* integrators/adaptive_dip.c - gaps that close and open again within one step.
 * theory (34.1)-(34.3) */
#include "integrators/adaptive_parts.h"

#include <string.h>

#define UNEVEN                                                                                     \
    2.0 /* gaps at the end, in steps at the rate there, that a dip may come from (34.2) */

/* The least of the cubic with these values and rates (times the step) at its ends, if it falls at
 * the beginning and rises at the end; else INFINITY.   theory (34.1) */
static double least_between(double g_A, double fall, double g_E, double rise)
{
    const double b = 3.0 * (g_E - g_A) - 2.0 * fall - rise, c = fall + rise - 2.0 * (g_E - g_A);
    if (!(fall < 0.0 && rise > 0.0)) {
        return INFINITY;
    }
    const double s = -fall / (b + sqrt(b * b - 3.0 * fall * c));
    return g_A + s * (fall + s * (b + s * c));
}

/* Whether a gap is one that can be hit from outside: open at both ends, not one of friction, and
 * not of a corner that cannot touch what it is nearest to. */
static bool is_open(const sp_model *m, const sp_state *x, const sp_state *y, int i, const sp_con *c)
{
    return !sp_con_is_dry(&m->slot[i]) && !c->barred[i] && !c->aside[i] && isfinite(x->g[i]) &&
           isfinite(c->g[i]) && !sp_contact_loaded(m, i, &x->contact[i]) &&
           !sp_contact_loaded(m, i, &y->contact[i]);
}

/* Which gaps may have dipped by what is seen at the end, which is in w; their rates there and gaps
 * into s->rise and s->g_E, 0 for the others; how many.   theory (34.2) */
static int suspects(const sp_model *m, const sp_state *x, const sp_state *y, double dt,
                    const sp_work *w, sp_stepper *s)
{
    int n = 0;
    for (int i = 0; i < m->n_slot; i++) {
        double gamma[3];
        s->rise[i] = 0.0;
        if (!is_open(m, x, y, i, &w->con)) {
            continue;
        }
        sp_con_slot_gamma(m, y->numbers, &w->con, i, gamma);
        const double rise = gamma[0] * dt, g_E = w->con.g[i];
        if (rise > 0.0 && g_E - x->g[i] < rise && g_E < UNEVEN * rise) {
            s->rise[i] = rise;
            s->g_E[i] = g_E;
            n++;
        }
    }
    return n;
}

bool sp_trial_dips(const sp_model *m, const sp_state *x, const sp_state *y, double dt, sp_work *w,
                   sp_stepper *s, bool *moved)
{
    bool found = false;
    *moved = suspects(m, x, y, dt, w, s) > 0;
    if (!*moved) {
        return false;
    }
    w->t_E = x->t;
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    memcpy(w->u_E, x->u, (size_t)m->n_dof * sizeof(double));
    sp_trial_look(m, x, dt, w);
    for (int i = 0; i < m->n_slot && !found; i++) {
        double gamma[3];
        if (s->rise[i] > 0.0 && !w->con.barred[i] && !w->con.aside[i]) {
            sp_con_slot_gamma(m, x->numbers, &w->con, i, gamma);
            found = least_between(x->g[i], gamma[0] * dt, s->g_E[i], s->rise[i]) < -SP_GAP_CORRECT;
        }
    }
    return found;
}
