/* integrators/project.c - moves bodies out of penetration, positions only. */
#include "base/status.h"
#include "contact/multiplier.h"
#include "dynamics/recursion.h"
#include "integrators/moreau.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 8 };
#define MARGIN 10.0 /* times the deepest penetration */

/* The problem: G over all contacts that the move may close (it turns bodies, so neighbours follow
 * the deepest), c = g_N; the guess: what penetrates is lifted, nothing else.  M weighs the move;
 * that of a configuration nearby does as well as the one here.   theory (7.9) */
static sp_status form_problem(const sp_model *m, const sp_numbers *num, sp_work *w, sp_error *err)
{
    sp_con *con = &w->con;
    SP_TRY(sp_con_activate_near(m, MARGIN * (con->least < 0.0 ? -con->least : 0.0), con, err));
    if (w->dyn.recursive && con->multiplier) { /* W over velocities of bodies goes with M here */
        sp_recursion_look(m, num, &w->kin, &w->dyn);
        SP_TRY(sp_dyn_factor_held(m, w->held, &w->dyn, err));
    }
    sp_multiplier_prepare(&w->dyn, con);
    sp_con_directions(m, num, &w->kin, false, con);
    sp_multiplier_choose(m, num, &w->dyn, m->n_motion > 0 ? w->held : NULL, con);
    sp_con_delassus(m, &w->dyn, con);
    double scale = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const double g_N = con->frame[a].g_N;
        w->sol.c[a] = g_N;
        w->sol.P[a] = 0.0;
        w->sol.status[a] = g_N < 0.0 || con->active[a] >= m->n_slot ? SP_STICK : SP_OPEN;
        scale = fabs(g_N) > scale ? fabs(g_N) : scale;
    }
    w->sol.xi_scale = scale;
    return SP_OK;
}

/* P >= 0 perp g_N + G P >= 0, then q <- q + M^-1 W_N P.  w->u_E keeps the velocity. */
static sp_status correct(const sp_model *m, const sp_numbers *num, sp_effort effort, sp_work *w,
                         sp_error *err)
{
    const sp_con *con = &w->con;
    SP_TRY(form_problem(m, num, w, err));
    sp_solution solution;
    w->level = SP_WATCH_POSITION;
    const sp_status status = sp_work_solve(w, effort, &solution, err);
    w->level = SP_WATCH_STEP;
    SP_TRY(status);

    memset(w->b, 0, (size_t)m->n_dof * sizeof(double));
    sp_con_push_rows(con, w->sol.P, w->b);
    sp_dyn_solve_D_L(m, &w->dyn, w->b);
    if (m->n_q == m->n_dof) {
        for (int k = 0; k < m->n_dof; k++) {
            w->q[k] += w->b[k];
        }
    } else {
        sp_kin_advance(m, 1.0, w->b, w->q);
    }
    return SP_OK;
}

/* Whether the positions need a correction, a further one after the bilateral rows were off by
 * `before`: near round-off they do not fall any more. */
static bool needs_correction(const sp_model *m, const sp_con *con, double before)
{
    return con->least < -SP_GAP_CORRECT * m->extent.gap ||
           (m->n_bond > 0 && con->off > SP_BOND_CORRECT && con->off < 0.5 * before);
}

sp_status sp_project_positions(const sp_model *m, const sp_numbers *num, sp_effort effort,
                               sp_work *w, sp_error *err)
{
    double before = INFINITY;
    for (int i = 0; i < ITERATIONS && needs_correction(m, &w->con, before); i++) {
        before = w->con.off;
        const sp_status status = correct(m, num, effort, w, err);
        if (status == SP_E_INFEASIBLE || status == SP_E_NOT_CONVERGED) {
            break; /* bodies are jammed: the certificate tells how deep */
        }
        SP_TRY(status);
        sp_dyn_energies(m, num, w->t_E, w->q, w->u_E, &w->kin, &w->dyn, &w->energy);
        sp_con_gaps(m, num, &w->kin, &w->con);
    }
    return SP_OK;
}
