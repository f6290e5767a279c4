#include "analysis/view.h"

#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/moreau.h"

#include <string.h>

enum { LOOKS = 1000 };
#define RATE_LEAST 1e-9 /* m/s, rad/s: one-way clutches that run backwards faster than this */

/* Whether a degree of freedom is prescribed such that its place is known at all times. */
static bool is_known(const sp_model *m, int k)
{
    const int motion = m->dof[k].motion;
    return motion != SP_NONE && (!m->motion[motion].speed || m->dof[k].move != SP_MOVE_BALL);
}

/* The same of all on the way to the ground. */
static bool way_is_known(const sp_model *m, int k)
{
    while (k != SP_NONE && is_known(m, k)) {
        k = m->dof[k].parent;
    }
    return k == SP_NONE;
}

/* Whether nothing in a measure can give way. */
static bool measure_is_known(const sp_model *m, const sp_func *f)
{
    bool known = true;
    for (int k = 0; k < f->n_signal && known; k++) {
        const sp_signal *s = &f->signal[k];
        known = s->kind == SP_SIG_TIME ||
                (s->kind == SP_SIG_Q ? s->dof != SP_NONE && is_known(m, s->dof)
                                     : way_is_known(m, m->body[s->index].last_dof));
    }
    return known;
}

/* Whether a slot can be violated by prescribed motion alone. */
static bool is_stiff(const sp_model *m, const sp_slot *s)
{
    if (s->is.rule && !s->is.interval && !s->is.bilateral) {
        return measure_is_known(m, &m->rule[s->rule].measure);
    }
    return !s->is.rule && !s->is.pooled && way_is_known(m, m->body[s->body_a].last_dof) &&
           way_is_known(m, m->body[s->body_b].last_dof);
}

/* Go on from t to t + dt: prescribed places and speeds; places of speeds by Simpson's rule. */
static void advance(const sp_model *m, double t, double dt, sp_dyn *dyn, double *q, double *u)
{
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion *p = &m->motion[i];
        if (p->speed && m->dof[p->dof].move != SP_MOVE_BALL) {
            q[m->dof[p->dof].q] +=
                dt / 6.0 *
                (sp_motion_at(p, t, dyn).value + 4.0 * sp_motion_at(p, t + 0.5 * dt, dyn).value +
                 sp_motion_at(p, t + dt, dyn).value);
        }
    }
    sp_motion_place(m, t + dt, dyn, q);
    sp_motion_move(m, t + dt, dyn, u);
}

/* Say that a slot is violated at t, where it is off by this. */
static void report(const sp_model *m, int i, double t, double off, sp_diag *diag)
{
    const sp_slot *s = &m->slot[i];
    const bool turns = s->is.turns, one_way = s->is.one_way;
    sp_diag_add(diag, SP_ERROR, m->contact[s->contact].place,
                "'%s' is run over by the prescribed motion: at t = %.4g s %s %.3g %s, and "
                "everything it could stop is prescribed; change the motion, or leave one of the "
                "two out",
                s->name, t, one_way ? "it runs backwards by" : "it is passed by", off,
                one_way ? (turns ? "rad/s" : "m/s") : (turns ? "rad" : "m"));
}

/* How far slot i is violated now; <= 0: not at all. */
static double violation(const sp_model *m, const sp_state *x, const sp_view *v, int i)
{
    double gamma[3] = {0.0};
    if (!m->slot[i].is.one_way) {
        return -v->con.g[i] - SP_GAP_CORRECT;
    }
    sp_con_slot_gamma(m, x->numbers, &v->con, i, gamma);
    return -gamma[0] - RATE_LEAST;
}

/* Walk through the run as far as it is prescribed; the first violation of each slot is reported. */
static void walk(const sp_model *m, sp_state *y, double until, sp_view *v, unsigned char *stiff,
                 sp_diag *diag)
{
    const double dt = until / LOOKS;
    for (int k = 1; k <= LOOKS; k++) {
        advance(m, y->t, dt, &v->dyn, y->q, y->u);
        y->t = dt * k;
        sp_view_look(m, y, v);
        for (int i = 0; i < m->n_slot; i++) {
            const double off = stiff[i] ? violation(m, y, v, i) : 0.0;
            if (off > 0.0) {
                report(m, i, y->t, off, diag);
                stiff[i] = 0;
            }
        }
    }
}

sp_status sp_prescribed_check(const sp_model *m, const sp_state *x, double until, sp_view *view,
                              sp_diag *diag)
{
    unsigned char *stiff = SP_NEW(&view->arena, unsigned char, m->n_slot);
    double *q = SP_NEW(&view->arena, double, m->n_q), *u = SP_NEW(&view->arena, double, m->n_dof);
    int n = 0;
    if (!stiff || !q || !u) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < m->n_slot && m->n_motion > 0; i++) {
        stiff[i] = is_stiff(m, &m->slot[i]);
        n += stiff[i];
    }
    if (n > 0 && until > 0.0) {
        sp_state y = *x;
        y.q = memcpy(q, x->q, (size_t)m->n_q * sizeof(double));
        y.u = memcpy(u, x->u, (size_t)m->n_dof * sizeof(double));
        walk(m, &y, until, view, stiff, diag);
        sp_view_look(m, x, view);
    }
    return SP_OK;
}
