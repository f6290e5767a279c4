#include "analysis/view.h"

#include <math.h>
#include <string.h>

#define COINCIDE 1e-12 /* of the longest arm: points nearer than this are one          */
#define NUDGE    1e-3  /* m, rad: how far coordinates are moved                         */
#define UNMOVED  1e-12 /* of the gap or the longest arm: changes of gaps below are none */

/* ---- springs --------------------------------------------------------------------------------- */

/* The pull of a spring whose points are one, N, as far as numbers show; a law may have any. */
static double pull_at_zero(const sp_force *f, const sp_force_numbers *n)
{
    return f->has_law ? NAN : n->preload - n->stiffness * n->rest;
}

/* Springs that should pull or push, and cannot. */
static void look_at_springs(const sp_model *m, const sp_state *x, const sp_view *view, double arm,
                            sp_diag *diag)
{
    for (int i = 0; i < m->n_force; i++) {
        const sp_force *f = &m->force[i];
        const sp_force_numbers *n = &x->numbers->force[i];
        if (f->kind != SP_FORCE_SPRING_POINTS || pull_at_zero(f, n) == 0.0) {
            continue;
        }
        const sp_vec3 a = sp_spot_of(&view->kin, &n->mark[0]).x;
        const sp_vec3 b = sp_spot_of(&view->kin, &n->mark[1]).x;
        if (sp_length3(sp_sub3(a, b)) <= COINCIDE * arm) {
            sp_diag_add(diag, SP_WARNING, f->place,
                        "force '%s': both points are at the same place at the start; a spring has "
                        "no direction there, and no force until they part",
                        f->name);
        }
    }
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Gaps with all coordinates moved a little, each by another amount.   theory (55.6) */
static void look_beside(const sp_model *m, const sp_state *x, double *q, double *u, sp_view *view)
{
    memcpy(q, x->q, (size_t)m->n_q * sizeof *q);
    for (int k = 0; k < m->n_dof; k++) {
        const double golden = 0.6180339887498949 * (k + 1);
        u[k] = NUDGE * (1.0 + golden - floor(golden));
    }
    sp_kin_advance(m, 1.0, u, q);
    sp_kin_positions(m, x->numbers, q, &view->kin);
    sp_con_at(x->t, 0.0, q, x->u, &view->con);
    sp_con_gaps(m, x->numbers, &view->kin, &view->con);
}

/* Whether a gap is that of two contours and the same in both places. */
static bool is_unmoved(const sp_slot *s, double gap, double beside, double arm)
{
    return !s->is.pooled && !s->is.rule && isfinite(gap) &&
           fabs(beside - gap) <= UNMOVED * fmax(fabs(gap), arm);
}

/* Contacts none of whose gaps has moved. */
static void warn_unmoved(const sp_model *m, const double *gap, const double *beside, double arm,
                         sp_diag *diag)
{
    for (int i = 0; i < m->n_contact; i++) {
        const sp_contact *c = &m->contact[i];
        bool unmoved = c->n_slot > 0;
        for (int k = c->slot; unmoved && k < c->slot + c->n_slot; k++) {
            unmoved = is_unmoved(&m->slot[k], gap[k], beside[k], arm);
        }
        if (unmoved) {
            sp_diag_add(diag, SP_WARNING, c->place,
                        "contact '%s': no coordinate moves its gap of %g m; it never opens or "
                        "closes, and no force of it moves anything",
                        c->name, gap[c->slot]);
        }
    }
}

sp_status sp_idle_check(const sp_model *m, const sp_state *x, sp_view *view, sp_diag *diag)
{
    const double arm = sp_model_arm(m);
    look_at_springs(m, x, view, arm, diag);
    sp_arena a;
    sp_arena_init(&a, NULL, 0);
    double *gap = SP_NEW(&a, double, m->n_slot + 1), *q = SP_NEW(&a, double, m->n_q + 1);
    double *u = SP_NEW(&a, double, m->n_dof + 1);
    const bool ok = gap && q && u;
    if (ok && m->n_slot > 0) {
        memcpy(gap, view->con.g, (size_t)m->n_slot * sizeof *gap);
        look_beside(m, x, q, u, view);
        warn_unmoved(m, gap, view->con.g, arm, diag);
        sp_view_look(m, x, view);
    }
    sp_arena_free(&a);
    return ok ? SP_OK : SP_E_MEMORY;
}
