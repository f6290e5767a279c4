#include "contact/loop.h"

#include "kinematics/point.h"
#include "model/loop_rows.h"

/* A row in its configuration. */
typedef struct geometry {
    int body[2];
    bool place;
    sp_vec3 a, b; /* a_i of A; b_j of B, or p_B - p_A */
    sp_vec3 p_A, p_B;
} geometry;

/* One axis of a joint's frame on a body, in the world. */
static sp_vec3 axis_of(const sp_kin *kin, int body, const double turn[9], int axis)
{
    const sp_vec3 local = {turn[axis], turn[3 + axis], turn[6 + axis]};
    return sp_rotate3(sp_point_axes(kin, body), local);
}

static geometry look(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const sp_loop *l = &m->loop[loop];
    const sp_loop_numbers *n = &num->loop[loop];
    const sp_row_kind kind = sp_loop_rows_of(l->joint, m->dim)->row[row];
    geometry g = {.body = {l->body[0], l->body[1]}, .place = kind.b == SP_NONE};
    g.a = axis_of(kin, g.body[0], n->turn[0], kind.a);
    g.p_A = sp_point_place(kin, g.body[0], sp_vec3_of(n->at[0]));
    g.p_B = sp_point_place(kin, g.body[1], sp_vec3_of(n->at[1]));
    g.b = g.place ? sp_sub3(g.p_B, g.p_A) : axis_of(kin, g.body[1], n->turn[1], kind.b);
    return g;
}

double sp_loop_error(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const geometry g = look(m, num, kin, loop, row);
    return sp_inner3(g.a, g.b);
}

/* e' of place rows: a.(velocity of B's point p_B against A's material point there);
 * of direction rows: (a x b).(omega_A - omega_B).   theory (4.15) */
double sp_loop_rate(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const geometry g = look(m, num, kin, loop, row);
    if (g.place) {
        return sp_inner3(g.a, sp_sub3(sp_point_velocity(kin, g.body[1], g.p_B),
                                      sp_point_velocity(kin, g.body[0], g.p_B)));
    }
    const sp_vec3 spin = sp_sub3(sp_point_spin(kin, g.body[0]), sp_point_spin(kin, g.body[1]));
    return sp_inner3(sp_cross3(g.a, g.b), spin);
}

/* e' per unit of u[k], which moves both bodies or one of them. */
static double column(const sp_model *m, const sp_kin *kin, const geometry *g, int k, bool moves_a,
                     bool moves_b)
{
    const double both = (moves_b ? 1.0 : 0.0) - (moves_a ? 1.0 : 0.0);
    return both == 0.0 ? 0.0
           : g->place  ? both * sp_inner3(g->a, sp_point_column(m, kin, k, g->p_B))
                       : -both * sp_inner3(sp_cross3(g->a, g->b), sp_point_spin_column(m, kin, k));
}

void sp_loop_row(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row,
                 double *W)
{
    const sp_loop *l = &m->loop[loop];
    const geometry g = look(m, num, kin, loop, row);
    int k_a = m->body[g.body[0]].last_dof, k_b = m->body[g.body[1]].last_dof;
    for (int i = 0; i < l->n_sup; i++) { /* the support is the union of both ways, falling */
        const int k = l->sup[i];
        W[i] = column(m, kin, &g, k, k == k_a, k == k_b);
        k_a = k == k_a ? m->layout.dof[k].parent : k_a;
        k_b = k == k_b ? m->layout.dof[k].parent : k_b;
    }
}

/* x'' for u' = 0 of a vector fixed to a body. */
static sp_vec3 bend(const sp_kin *kin, int body, sp_vec3 a)
{
    const sp_vec3 omega = sp_point_spin(kin, body);
    return sp_add3(sp_cross3(sp_point_spin_bias(kin, body), a),
                   sp_cross3(omega, sp_cross3(omega, a)));
}

/* e'' = a''.b + 2 a'.b' + a.b'' with b = p_B - p_A in rows of place.   theory (4.16) */
double sp_loop_bias(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const geometry g = look(m, num, kin, loop, row);
    const int A = g.body[0], B = g.body[1];
    const sp_vec3 a_rate = sp_cross3(sp_point_spin(kin, A), g.a);
    const sp_vec3 b_rate =
        g.place ? sp_sub3(sp_point_velocity(kin, B, g.p_B), sp_point_velocity(kin, A, g.p_A))
                : sp_cross3(sp_point_spin(kin, B), g.b);
    const sp_vec3 b_bend = g.place
                               ? sp_sub3(sp_point_bias(kin, B, g.p_B), sp_point_bias(kin, A, g.p_A))
                               : bend(kin, B, g.b);
    return sp_inner3(bend(kin, A, g.a), g.b) + 2.0 * sp_inner3(a_rate, b_rate) +
           sp_inner3(g.a, b_bend);
}
