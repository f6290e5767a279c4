#include "contact/loop.h"

#include "kinematics/spot.h"
#include "model/loop_rows.h"

/* A row in its configuration. */
typedef struct geometry {
    bool place;
    sp_vec3 a, b;   /* a_i of A; b_j of B, or p_B - p_A */
    sp_spot A, B;   /* the joint's place on both bodies */
    sp_spot A_at_B; /* body A, joined to B's place      */
} geometry;

/* One axis of a joint's frame, in the world. */
static sp_vec3 axis_of(const sp_kin *kin, const sp_spot *s, const sp_mark *mark, int axis)
{
    const sp_rot3 R = sp_spot_mark_axes(kin, s, mark);
    return axis == 0 ? R.x : axis == 1 ? R.y : R.z;
}

static geometry look(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const sp_mark *mark = num->loop[loop].mark;
    const sp_row_kind kind = sp_loop_rows_of(m->loop[loop].joint, m->dim)->row[row];
    geometry g = {.place = kind.b == SP_NONE};
    g.A = sp_spot_of(kin, &mark[0]);
    g.B = sp_spot_of(kin, &mark[1]);
    g.A_at_B = sp_spot_arm(kin, &g.A, g.B.x);
    g.a = axis_of(kin, &g.A, &mark[0], kind.a);
    g.b = g.place ? sp_sub3(g.B.x, g.A.x) : axis_of(kin, &g.B, &mark[1], kind.b);
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
        return sp_inner3(g.a,
                         sp_sub3(sp_spot_velocity(kin, &g.B), sp_spot_velocity(kin, &g.A_at_B)));
    }
    const sp_vec3 spin = sp_sub3(sp_spot_spin(kin, &g.A), sp_spot_spin(kin, &g.B));
    return sp_inner3(sp_cross3(g.a, g.b), spin);
}

void sp_loop_row(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row,
                 double *W)
{
    const geometry g = look(m, num, kin, loop, row);
    const sp_vec3 turn = sp_cross3(g.a, g.b);
    const sp_spot_pair along = {&g.B, &g.A_at_B, 1, 0, &g.a}, about = {&g.A, &g.B, 0, 1, &turn};
    sp_pair_rows(m, kin, g.place ? &along : &about, NULL, W, 0);
}

/* x'' for u' = 0 of a vector that the material at a spot carries. */
static sp_vec3 bend(const sp_kin *kin, const sp_spot *s, sp_vec3 a)
{
    const sp_vec3 omega = sp_spot_spin(kin, s);
    return sp_add3(sp_cross3(sp_spot_spin_bias(kin, s), a), sp_cross3(omega, sp_cross3(omega, a)));
}

/* e'' = a''.b + 2 a'.b' + a.b'' with b = p_B - p_A in rows of place.   theory (4.16) */
double sp_loop_bias(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int loop, int row)
{
    const geometry g = look(m, num, kin, loop, row);
    const sp_vec3 a_rate = sp_cross3(sp_spot_spin(kin, &g.A), g.a);
    const sp_vec3 b_rate = g.place
                               ? sp_sub3(sp_spot_velocity(kin, &g.B), sp_spot_velocity(kin, &g.A))
                               : sp_cross3(sp_spot_spin(kin, &g.B), g.b);
    const sp_vec3 b_bend =
        g.place ? sp_sub3(sp_spot_bias(kin, &g.B), sp_spot_bias(kin, &g.A)) : bend(kin, &g.B, g.b);
    return sp_inner3(bend(kin, &g.A, g.a), g.b) + 2.0 * sp_inner3(a_rate, b_rate) +
           sp_inner3(g.a, b_bend);
}
