#include "contact/pair3.h"

/* A pair in the world: the centre on side a, the place and axis of side b, and the way from b's
 * nearest centre (of a plane: its point) to a's. */
typedef struct look {
    sp_contour_kind kind; /* of side b */
    sp_vec3 a, axis, way;
    sp_rot3 axes_b;
    double r_a, r_b;
} look;

static look look_at(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b)
{
    const sp_contour_numbers *n_a = &num->contour[a], *n_b = &num->contour[b];
    look l = {.kind = m->contour[b].kind, .r_a = n_a->radius, .r_b = n_b->radius};
    const sp_spot s_b = sp_spot_of(kin, &n_b->mark);
    l.a = sp_spot_of(kin, &n_a->mark).x;
    l.axes_b = sp_spot_axes(kin, &s_b);
    l.way = sp_sub3(l.a, s_b.x);
    l.axis = sp_rotate3(l.axes_b, sp_vec3_of(n_b->axis));
    if (l.kind == SP_CONTOUR_CYLINDER || l.kind == SP_CONTOUR_BORE) {
        l.way = sp_axpy3(l.way, -sp_inner3(l.axis, l.way), l.axis);
    }
    return l;
}

/* Material around, not inside. */
static bool is_hollow(sp_contour_kind kind)
{
    return kind == SP_CONTOUR_HOLLOW_SPHERE || kind == SP_CONTOUR_BORE;
}

/* plane  g = axis.way - r_a        round  g = |way| - r_a - r_b        hollow  g = r_b - r_a -
 * |way| */
static double gap_of(const look *l)
{
    if (l->kind == SP_CONTOUR_PLANE) {
        return sp_inner3(l->axis, l->way) - l->r_a;
    }
    const double distance = sp_length3(l->way);
    return is_hollow(l->kind) ? l->r_b - l->r_a - distance : distance - l->r_a - l->r_b;
}

double sp_pair3_gap(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b)
{
    const look l = look_at(m, num, kin, a, b);
    return gap_of(&l);
}

/* n of a round side b; a centre on the axis or in the centre has none, any will do. */
static sp_vec3 round_normal(const look *l)
{
    const double distance = sp_length3(l->way);
    if (distance > 1e-150) { /* below, squares underflow */
        return sp_scale3((is_hollow(l->kind) ? -1.0 : 1.0) / distance, l->way);
    }
    if (l->kind != SP_CONTOUR_CYLINDER && l->kind != SP_CONTOUR_BORE) {
        return l->axes_b.z;
    }
    const sp_vec3 side = sp_cross3(l->axis, fabs(l->axis.x) < 0.5 ? (sp_vec3){1.0, 0.0, 0.0}
                                                                  : (sp_vec3){0.0, 1.0, 0.0});
    return sp_scale3(1.0 / sp_length3(side), side);
}

/* How b's outward normal turns along its surface: 0, 1/r, or 1/r around an axis and 0 along it. */
static sp_map2 bend_of(const look *l, const sp_contact_frame3 *f)
{
    const double k = (is_hollow(l->kind) ? -1.0 : 1.0) / l->r_b;
    if (l->kind == SP_CONTOUR_PLANE) {
        return sp_map2_scalar(0.0);
    }
    if (l->kind == SP_CONTOUR_SPHERE || l->kind == SP_CONTOUR_HOLLOW_SPHERE) {
        return sp_map2_scalar(k);
    }
    const sp_vec3 around = sp_cross3(l->axis, f->n);
    const double x = sp_inner3(around, f->t[0]), y = sp_inner3(around, f->t[1]);
    return (sp_map2){k * x * x, k * x * y, k * x * y, k * y * y};
}

void sp_pair3_frame(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                    sp_contact_frame3 *f)
{
    const look l = look_at(m, num, kin, a, b);
    f->mark[0] = &num->contour[a].mark;
    f->mark[1] = &num->contour[b].mark;
    f->g_N = gap_of(&l);
    f->n = l.kind == SP_CONTOUR_PLANE ? l.axis : round_normal(&l);
    f->point[0] = sp_axpy3(l.a, -l.r_a, f->n);
    f->point[1] = sp_axpy3(f->point[0], -f->g_N, f->n);
    sp_frame3_tangents(l.axes_b, f);
    const sp_map2 R_a = sp_map2_scalar(l.r_a), S_b = bend_of(&l, f);
    sp_frame3_round(&R_a, &S_b, f);
}
