/* integrators/smooth_project.c - puts positions and velocities back onto loops, couplings and
 * closed contacts. */
#include "base/status.h"
#include "contact/motion.h"
#include "contact/rule.h"
#include "integrators/moreau.h"
#include "integrators/smooth.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 8 };
#define PUSHES SP_SMALL /* of its row: less is left of it by friction where a contact jams */

/* Quaternions of unit length. */
static void normalise(const sp_model *m, double *q)
{
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            sp_quat_store(sp_quat_unit(sp_quat_of(q + dof->q)), q + dof->q);
        }
    }
}

/* w->b = M^-1 W P, the smallest change that P stands for. */
static void change_of(const sp_smooth *s)
{
    sp_work *w = s->w;
    memset(w->b, 0, (size_t)s->m->n_dof * sizeof(double));
    sp_con_add_rows(&w->con, w->con.Y, w->sol.P, w->b);
    sp_dyn_solve_D_L(s->m, &w->dyn, w->b);
}

/* How far a slot is off: dry friction and one-way rows have no place to be at. */
static double off_by(const sp_smooth *s, int slot)
{
    const sp_slot_traits is = s->m->slot[slot].is;
    if (is.stores) {
        return sp_rule_gap(s->m, s->num, &s->w->con, slot);
    }
    return is.gapless ? 0.0 : s->w->con.g[slot];
}

/* The most that a row is off by at q; frames and gaps there. */
static double look(sp_smooth *s, double t, const double *q, const double *u)
{
    sp_work *w = s->w;
    double off = 0.0;
    sp_kin_positions(s->m, s->num, q, &w->kin);
    sp_con_at(t, 1.0, q, u, &w->con);
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    for (int i = 0; i < s->closed.n; i++) {
        const bool stores = s->m->slot[s->closed.slot[i]].is.stores;
        const bool free = stores && s->closed.status[i] != SP_STICK;
        const double g = free ? 0.0 : fabs(off_by(s, s->closed.slot[i]));
        off = g > off ? g : off;
    }
    return w->con.off > off || !isfinite(w->con.off) ? w->con.off : off;
}

/* Newton's method with the M of the place where it began.   theory (10.6) */
static sp_status project_positions(sp_smooth *s, double t, double *q, const double *u,
                                   sp_error *err)
{
    sp_work *w = s->w;
    double before = INFINITY;
    for (int i = 0; i < ITERATIONS; i++) {
        const double off = look(s, t, q, u);
        if (!(off > SP_BOND_CORRECT && off < 0.5 * before)) {
            break; /* near round-off it falls no further */
        }
        before = off;
        SP_TRY(sp_smooth_rows(s, t, q, u, err));
        for (int a = 0; a < w->con.n_active; a++) {
            for (int r = w->con.row[a]; r < w->con.row[a + 1]; r++) {
                w->sol.c[r] = r == w->con.row[a] ? off_by(s, w->con.active[a]) : 0.0;
            }
        }
        sp_smooth_balance(s, SP_BALANCE_POSITIONS);
        change_of(s);
        sp_kin_advance(s->m, 1.0, w->b, q);
    }
    return SP_OK;
}

/* Rows at (t, q, u) and their velocities as c. */
static sp_status velocities_as_c(sp_smooth *s, double t, const double *q, const double *u,
                                 sp_error *err)
{
    const sp_con *con = &s->w->con;
    SP_TRY(sp_smooth_rows(s, t, q, u, err));
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            s->w->sol.c[r] = sp_con_dot(con, a, r, u) + con->w_tilde[r];
        }
    }
    return SP_OK;
}

/* min |du|_M with W^T (u + du) + w~ = 0.   theory (10.7) */
static sp_status project_velocities(sp_smooth *s, double t, const double *q, double *u,
                                    sp_error *err)
{
    sp_work *w = s->w;
    SP_TRY(velocities_as_c(s, t, q, u, err));
    sp_smooth_balance(s, SP_BALANCE_VELOCITIES);
    change_of(s);
    for (int k = 0; k < s->m->n_dof; k++) {
        u[k] += w->b[k];
    }
    return SP_OK;
}

/* Prescribed values, and places on the rows; M there is factored. */
static sp_status project_places(sp_smooth *s, double t, double *q, double *u, sp_error *err)
{
    const sp_model *m = s->m;
    sp_work *w = s->w;
    normalise(m, q);
    sp_motion_place(m, t, &w->dyn, q);
    sp_motion_move(m, t, &w->dyn, u);
    if (m->n_bond + s->closed.n == 0) {
        return SP_OK;
    }
    sp_dyn_terms(m, s->num, t, q, u, &w->kin, &w->dyn);
    SP_TRY(m->n_motion > 0 ? sp_dyn_factor_held(m, w->held, &w->dyn, err)
                           : sp_dyn_factor(m, &w->dyn, err));
    sp_kin_velocities(m, u, &w->kin);
    return project_positions(s, t, q, u, err);
}

sp_status sp_smooth_project(sp_smooth *s, double t, double *q, double *u, sp_error *err)
{
    SP_TRY(project_places(s, t, q, u, err));
    return s->m->n_bond + s->closed.n == 0 ? SP_OK : project_velocities(s, t, q, u, err);
}

/* Whether every contact that slides is pushed away by a normal impulse in spite of its friction. */
static bool all_push(const sp_smooth *s)
{
    const sp_con *con = &s->w->con;
    for (int a = 0; a < s->closed.n; a++) {
        const int r = con->row[a];
        const double G = con->G[r * con->n_row + r];
        if (sp_smooth_slides(s, a) && !(G + sp_smooth_dragged(s, r, a) > PUSHES * G)) {
            return false;
        }
    }
    return true;
}

sp_status sp_smooth_rest(sp_smooth *s, double t, double *q, double *u, sp_error *err)
{
    SP_TRY(project_places(s, t, q, u, err));
    SP_TRY(velocities_as_c(s, t, q, u, err));
    sp_smooth_balance(s, all_push(s) ? SP_BALANCE_IMPULSES : SP_BALANCE_VELOCITIES);
    return SP_OK;
}
