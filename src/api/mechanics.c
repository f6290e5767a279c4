/* api/mechanics.c - places, gaps, masses, forces and directions of contacts in a state. */

#include "analysis/view.h"
#include "contact/pool3.h"
#include "integrators/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sp_status sp_view_take(const sp_model *m, const sp_state *x, sp_view **view, sp_error *err)
{
    if (!m || !x || !view) {
        return SP_FAIL(err, SP_E_INPUT, "sp_view_take: an argument is NULL");
    }
    SP_TRY(sp_view_new(m, NULL, view, err));
    sp_view_look(m, x, *view);
    return SP_OK;
}

/* Components in the order of arrays. */
static void put_vector(sp_vec3 v, double to[3])
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

sp_status sp_view_point(const sp_model *m, const sp_view *view, int body, const double *at,
                        sp_point_info *info)
{
    if (!m || !view || !info || body < 0 || body >= m->n_body) {
        return SP_E_INPUT;
    }
    const sp_kin *kin = &view->kin;
    const sp_spot s = at ? sp_spot_at(kin, body, sp_vec3_of(at)) : sp_spot_origin(kin, body);
    double origin[3];
    *info = (sp_point_info){.angle = 0.0};
    if (m->dim == 3) {
        sp_spot_pose(kin, body, origin, info->turn);
    } else {
        info->angle = sp_spot_angle(kin, body);
        info->turn[0] = cos(0.5 * info->angle);
        info->turn[3] = sin(0.5 * info->angle);
    }
    put_vector(s.x, info->x);
    put_vector(sp_spot_velocity(kin, &s), info->v);
    put_vector(sp_spot_spin(kin, &s), info->omega);
    return SP_OK;
}

sp_status sp_view_contact(const sp_model *m, const sp_view *view, int i, sp_gap_info *info)
{
    char buf[sizeof info->title];
    if (!m || !view || !info || i < 0 || i >= m->n_slot) {
        return SP_E_INPUT;
    }
    info->gap = m->slot[i].law == SP_NONE ? NAN : view->con.g[i];
    snprintf(info->title, sizeof info->title, "%s",
             sp_pool3_title(m, &view->con, i, buf, sizeof buf));
    return SP_OK;
}

int sp_mechanics_freedom(const sp_model *m, const sp_state *x)
{
    const int n = m && x ? sp_freedom(m, x, NULL) : SP_NONE;
    return n == SP_NONE ? -1 : n;
}

sp_status sp_mechanics_terms(const sp_model *m, const sp_state *x, double *M, double *h,
                             sp_error *err)
{
    return m && x ? sp_view_terms(m, x, M, h, err)
                  : SP_FAIL(err, SP_E_INPUT, "sp_mechanics_terms: an argument is NULL");
}

sp_status sp_mechanics_contact_rows(const sp_model *m, const sp_state *x, sp_work *w, int i,
                                    int *n_row, double *W, double *gamma, sp_error *err)
{
    if (!m || !x || !w || !n_row || i < 0 || i >= m->n_slot) {
        return SP_FAIL(err, SP_E_INPUT, "sp_mechanics_contact_rows: no contact %d, or NULL", i);
    }
    sp_con *con = &w->con;
    sp_kin_positions(m, x->numbers, x->q, &w->kin);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, con);
    sp_con_remember(m, x->contact, con);
    sp_con_gaps(m, x->numbers, &w->kin, con);
    con->n_active = 1;
    con->active[0] = i;
    sp_con_directions(m, x->numbers, &w->kin, true, con);
    *n_row = con->row[1] - con->row[0];
    for (int k = 0; k < *n_row; k++) {
        if (W) {
            memset(W + (size_t)k * (size_t)m->n_dof, 0, (size_t)m->n_dof * sizeof *W);
            sp_con_add(con, 0, sp_con_row(con, con->W, k), 1.0, W + (size_t)k * (size_t)m->n_dof);
        }
        if (gamma) {
            gamma[k] = sp_con_dot(con, 0, k, x->u) + con->w_tilde[k];
        }
    }
    con->n_active = 0;
    return SP_OK;
}
