/* contact/surface_frame.c - the contact frame of nearest points.   theory (20.14), (20.15) */
#include "contact/surface_parts.h"

/* Curvature of side k in the tangents of the frame: S = B K B^T, B the tangents times e. */
static sp_map2 bend_in(const sp_contact_frame3 *f, const sp_surface_contact *c, int k)
{
    const sp_vec3 *e = c->e[k];
    const sp_mat2 B = {sp_inner3(f->t[0], e[0]), sp_inner3(f->t[0], e[1]), sp_inner3(f->t[1], e[0]),
                       sp_inner3(f->t[1], e[1])};
    const sp_mat2 S =
        sp_mat2_mul(sp_mat2_mul(B, sp_mat2_of(c->K[k])), (sp_mat2){B.a, B.c, B.b, B.d});
    return (sp_map2){S.a, S.b, S.c, S.d};
}

/* A ball on a border: with V = slip + radius turn the velocity of its centre, D its distance, tau
 * the tangent of the border and A = tau tau^T / (1 - D n.k),
 *
 *     p_b' = A V,     n' = (V - A V) / D                                          theory (20.15) */
static void rim_maps(const sp_surface_contact *c, sp_contact_frame3 *f)
{
    const double distance = c->g + c->radius, x = sp_inner3(f->t[0], c->rim);
    const double y = sp_inner3(f->t[1], c->rim), bent = 1.0 - distance * c->rim_bend;
    const double k = fabs(bent) > 1e-12 ? 1.0 / bent : 0.0, r = c->radius, d = 1.0 / distance;
    const sp_map2 A = {k * x * x, k * x * y, k * x * y, k * y * y};
    f->at_by_slip = A;
    f->at_by_turn = (sp_map2){r * A.a11, r * A.a12, r * A.a21, r * A.a22};
    f->n_by_slip = (sp_map2){d * (1.0 - A.a11), -d * A.a12, -d * A.a21, d * (1.0 - A.a22)};
    f->n_by_turn = (sp_map2){r * f->n_by_slip.a11, r * f->n_by_slip.a12, r * f->n_by_slip.a21,
                             r * f->n_by_slip.a22};
}

/* The same matrix as a map of the tangent plane. */
static sp_map2 map_of(sp_mat2 A)
{
    return (sp_map2){A.a, A.b, A.c, A.d};
}

/* The same map as a matrix. */
static sp_mat2 mat_of(sp_map2 A)
{
    return (sp_mat2){A.a11, A.a12, A.a21, A.a22};
}

/* 1 + k A */
static sp_mat2 one_plus(double k, sp_mat2 A)
{
    return (sp_mat2){1.0 + k * A.a, k * A.b, k * A.c, 1.0 + k * A.d};
}

/* 1 / x, zero where the edge lies along the face and the point is anywhere. */
static double part_of(double x, double size)
{
    return fabs(x) > SP_PAIR_FLAT * size ? 1.0 / x : 0.0;
}

/* b's border with tangent tau and curvature vector k on the face of a: B = (1 + g S_a)^-1,
 *
 *     s_b = tau tau.B (turn + S_a slip) / (tau.B S_a tau - n.k),   n' = B (turn + S_a (slip - s_b))
 *                                                                                 theory (42.2) */
static void edge_of_b(const sp_surface_contact *c, sp_mat2 S_a, sp_contact_frame3 *f)
{
    const double x = sp_inner3(f->t[0], c->rim), y = sp_inner3(f->t[1], c->rim);
    const sp_mat2 B = sp_mat2_inverse(one_plus(c->g, S_a)), BS = sp_mat2_mul(B, S_a);
    const double bend = x * x * BS.a + x * y * (BS.b + BS.c) + y * y * BS.d - c->rim_bend;
    const double k = part_of(bend, fabs(BS.a) + fabs(BS.d) + fabs(c->rim_bend));
    const sp_mat2 along = {k * x * x, k * x * y, k * x * y, k * y * y};
    const sp_mat2 by_turn = sp_mat2_mul(along, B), by_slip = sp_mat2_mul(along, BS);
    f->at_by_turn = map_of(by_turn);
    f->at_by_slip = map_of(by_slip);
    f->n_by_turn = map_of(sp_mat2_mul(B, one_plus(-1.0, sp_mat2_mul(S_a, by_turn))));
    f->n_by_slip = map_of(sp_mat2_mul(BS, one_plus(-1.0, by_slip)));
}

/* a's border on the face of b: Q = (1 + g S_b)^-1,
 *
 *     s_a = tau tau.(turn - S_b Q slip) / (tau.S_b Q tau + n.k),   s_b = Q (s_a + slip)
 *                                                                                 theory (42.3) */
static void edge_of_a(const sp_surface_contact *c, sp_mat2 S_b, sp_contact_frame3 *f)
{
    const double x = sp_inner3(f->t[0], c->rim), y = sp_inner3(f->t[1], c->rim);
    const sp_mat2 Q = sp_mat2_inverse(one_plus(c->g, S_b)), SQ = sp_mat2_mul(S_b, Q);
    const double bend = x * x * SQ.a + x * y * (SQ.b + SQ.c) + y * y * SQ.d + c->rim_bend;
    const double k = part_of(bend, fabs(SQ.a) + fabs(SQ.d) + fabs(c->rim_bend));
    const sp_mat2 along = {k * x * x, k * x * y, k * x * y, k * y * y};
    const sp_mat2 by_turn = sp_mat2_mul(Q, along);
    const sp_mat2 by_slip = sp_mat2_mul(Q, one_plus(-1.0, sp_mat2_mul(along, SQ)));
    f->at_by_turn = map_of(by_turn);
    f->at_by_slip = map_of(by_slip);
    f->n_by_turn = map_of(sp_mat2_mul(S_b, by_turn));
    f->n_by_slip = map_of(sp_mat2_mul(S_b, by_slip));
}

void sp_surface_frame(const sp_kin *kin, const sp_surface_contact *c, sp_contact_frame3 *f)
{
    f->g_N = c->g;
    f->n = c->n;
    f->point[0] = c->point[0];
    f->point[1] = c->point[1];
    const sp_spot b =
        f->mark[1]->wanders ? sp_spot_origin(kin, f->mark[1]->body) : sp_frame3_spot(kin, f, 1);
    sp_frame3_tangents(sp_spot_axes(kin, &b), f);
    if (c->fit == SP_FIT_RIM && c->ball) {
        rim_maps(c, f);
        return;
    }
    if (c->fit == SP_FIT_RIM && c->rim_of == 1) {
        edge_of_b(c, mat_of(bend_in(f, c, 0)), f);
        return;
    }
    if (c->fit == SP_FIT_RIM) {
        edge_of_a(c, mat_of(bend_in(f, c, 1)), f);
        return;
    }
    const sp_map2 S_b = bend_in(f, c, 1);
    if (c->ball) {
        const sp_map2 R_a = sp_map2_scalar(c->radius);
        sp_frame3_round(&R_a, &S_b, f);
    } else {
        const sp_map2 S_a = bend_in(f, c, 0);
        sp_frame3_smooth(&S_a, &S_b, f);
    }
}
