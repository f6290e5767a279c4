#include "kinematics/spot.h"

#include "model/track.h"

/* Velocity in the plane of a point at x per unit of u[k].   theory (2.7) */
static inline sp_vec plane_column(const sp_model *m, const sp_kin *kin, int k, sp_vec x)
{
    return m->layout.dof_turns[k] ? sp_spin_cross(1.0, sp_sub(x, kin->axis[k])) : kin->axis[k];
}

/* The same in three dimensions.   theory (2.7), (2.13) */
static inline sp_vec3 column(const sp_model *m, const sp_kin *kin, int k, sp_vec3 x)
{
    if (kin->frame3) {
        const sp_axis3 *a = &kin->axis3[k];
        return sp_add3(a->s, sp_cross3(a->w, sp_sub3(x, a->p)));
    }
    return sp_spot_lift(plane_column(m, kin, k, sp_spot_flat(x)));
}

/* Angular velocity per unit of u[k]. */
static inline sp_vec3 spin_column(const sp_model *m, const sp_kin *kin, int k)
{
    return kin->frame3 ? kin->axis3[k].w : sp_spot_lift_spin(m->layout.dof_turns[k] ? 1.0 : 0.0);
}

int sp_spot_columns(const sp_model *m, const sp_kin *kin, const sp_spot *s, int *sup, sp_vec3 *v,
                    sp_vec3 *w)
{
    int n = 0;
    if (kin->flex) {
        return sp_flex_columns(m, kin, s, sup, v, w);
    }
    for (int k = m->body[s->body].last_dof; k != SP_NONE; k = m->layout.dof[k].parent, n++) {
        sup[n] = k;
        v[n] = column(m, kin, k, s->x);
        w[n] = spin_column(m, kin, k);
    }
    return n;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The ways of the two bodies to the ground, merged in falling order. */
typedef struct ways {
    int k_a, k_b; /* the next velocity on each, SP_NONE: at the ground */
} ways;

static inline ways ways_of(const sp_model *m, const sp_spot_pair *p)
{
    return (ways){m->body[p->a->body].last_dof, m->body[p->b->body].last_dof};
}

/* The next velocity, and which of the spots it moves. */
static inline int step_down(const sp_model *m, ways *w, bool *moves_a, bool *moves_b)
{
    const int k = w->k_a > w->k_b ? w->k_a : w->k_b;
    *moves_a = k == w->k_a;
    *moves_b = k == w->k_b;
    w->k_a = *moves_a ? m->layout.dof[k].parent : w->k_a;
    w->k_b = *moves_b ? m->layout.dof[k].parent : w->k_b;
    return k;
}

/* By columns, of any bodies. */
static int rows_by_columns(const sp_model *m, const sp_kin *kin, const sp_spot_pair *p, int *sup,
                           double *W, int stride)
{
    const sp_path *a = &kin->path[0], *b = &kin->path[1];
    const int n_a = sp_spot_columns(m, kin, p->a, a->sup, a->v, a->w);
    const int n_b = sp_spot_columns(m, kin, p->b, b->sup, b->v, b->w);
    int n = 0;
    for (int i_a = 0, i_b = 0; i_a < n_a || i_b < n_b; n++) {
        const int k_a = i_a < n_a ? a->sup[i_a] : SP_NONE, k_b = i_b < n_b ? b->sup[i_b] : SP_NONE;
        sp_vec3 v = {0.0, 0.0, 0.0}, w = v;
        if (k_a >= k_b) {
            v = a->v[i_a];
            w = a->w[i_a++];
        }
        if (k_b >= k_a) {
            v = sp_sub3(v, b->v[i_b]);
            w = sp_sub3(w, b->w[i_b++]);
        }
        if (sup) {
            sup[n] = k_a > k_b ? k_a : k_b;
        }
        for (int i = 0; i < p->n_along + p->n_about; i++) {
            W[i * stride + n] = sp_inner3(p->e[i], i < p->n_along ? v : w);
        }
    }
    return n;
}

int sp_pair_rows(const sp_model *m, const sp_kin *kin, const sp_spot_pair *p, int *sup, double *W,
                 int stride)
{
    const sp_vec3 none = {0.0, 0.0, 0.0};
    ways w = ways_of(m, p);
    bool moves_a, moves_b;
    int n = 0;
    if (kin->flex) {
        return rows_by_columns(m, kin, p, sup, W, stride);
    }
    for (; w.k_a != SP_NONE || w.k_b != SP_NONE; n++) {
        const int k = step_down(m, &w, &moves_a, &moves_b);
        sp_vec3 v = moves_a ? column(m, kin, k, p->a->x) : none;
        v = moves_b ? sp_sub3(v, column(m, kin, k, p->b->x)) : v;
        if (sup) {
            sup[n] = k;
        }
        for (int i = 0; i < p->n_along; i++) {
            W[i * stride + n] = sp_inner3(p->e[i], v);
        }
        const sp_vec3 spin = moves_a && moves_b ? none : spin_column(m, kin, k);
        for (int i = p->n_along; i < p->n_along + p->n_about; i++) {
            W[i * stride + n] = moves_a ? sp_inner3(p->e[i], spin) : -sp_inner3(p->e[i], spin);
        }
    }
    return n;
}

/* Velocity in the plane of a against b per unit of u[k]. */
static inline sp_vec apart(const sp_model *m, const sp_kin *kin, int k, bool moves_a, bool moves_b,
                           const sp_vec x[2])
{
    const sp_vec v = moves_a ? plane_column(m, kin, k, x[0]) : (sp_vec){0.0, 0.0};
    return moves_b ? sp_sub(v, plane_column(m, kin, k, x[1])) : v;
}

int sp_pair_rows2(const sp_model *m, const sp_kin *kin, const sp_mark *const mark[2],
                  const sp_vec x[2], const sp_vec e[2], int *sup, double *W, int stride)
{
    if (kin->flex) {
        const sp_spot a = sp_mark_spot(kin, mark[0], sp_spot_lift(x[0]));
        const sp_spot b = sp_mark_spot(kin, mark[1], sp_spot_lift(x[1]));
        const sp_vec3 lifted[2] = {sp_spot_lift(e[0]), sp_spot_lift(e[1])};
        return rows_by_columns(m, kin, &(sp_spot_pair){&a, &b, 2, 0, lifted}, sup, W, stride);
    }
    ways w = {m->body[mark[0]->body].last_dof, m->body[mark[1]->body].last_dof};
    const bool grounded = w.k_b == SP_NONE; /* most are */
    double *W_T = W + stride;
    int n = 0;
    for (; w.k_a != SP_NONE || w.k_b != SP_NONE; n++) {
        bool moves_a = true, moves_b = false;
        const int k = grounded ? w.k_a : step_down(m, &w, &moves_a, &moves_b);
        const sp_vec v = apart(m, kin, k, moves_a, moves_b, x);
        w.k_a = grounded ? m->layout.dof[k].parent : w.k_a;
        sup[n] = k;
        W[n] = sp_inner(e[0], v);
        W_T[n] = sp_inner(e[1], v);
    }
    return n;
}

/* ---- whole bodies ---------------------------------------------------------------------------- */

void sp_spot_pose(const sp_kin *kin, int body, double x[3], double quat[4])
{
    const sp_spot s = sp_spot_origin(kin, body);
    x[0] = s.x.x;
    x[1] = s.x.y;
    x[2] = s.x.z;
    sp_quat_store(sp_quat_of_rot3(sp_spot_axes(kin, &s)), quat);
}

sp_axis3 sp_spot_axis(const sp_model *m, const sp_kin *kin, int k)
{
    if (kin->flex && sp_body_follows(m->body, m->dof[k].body, k)) {
        return sp_flex_follow(kin, m->dof[k].body);
    }
    if (kin->axis3) {
        return kin->axis3[k];
    }
    const sp_vec3 none = {0.0, 0.0, 0.0}, axis = sp_spot_lift(kin->axis[k]);
    return m->layout.dof_turns[k] ? (sp_axis3){.w = {0.0, 0.0, 1.0}, .s = none, .p = axis}
                                  : (sp_axis3){.w = none, .s = axis};
}

#define SLOPE_STEP 1e-5 /* m: of a central difference, whose error is 1e-10 of bends over 1 m */

sp_spot_curve sp_spot_curve_of(const sp_model *m, const sp_kin *kin, int k, double q)
{
    sp_spot_curve c = {.bend = {0.0, 0.0, 0.0}};
    const int body = m->dof[k].body;
    if (!kin->bend || body == SP_NONE || !m->body[body].track) {
        return c;
    }
    const sp_track *track = m->body[body].track;
    const sp_vec low = sp_track_eval(track, q - SLOPE_STEP, kin->work).bend;
    const sp_vec high = sp_track_eval(track, q + SLOPE_STEP, kin->work).bend;
    const sp_rot R = kin->frame[m->body[body].parent].R;
    c.bend = sp_spot_lift(kin->bend[k]);
    c.slope = sp_spot_lift(sp_rotate(R, sp_scale(0.5 / SLOPE_STEP, sp_sub(high, low))));
    return c;
}
