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

void sp_surface_frame(const sp_kin *kin, const sp_surface_contact *c, sp_contact_frame3 *f)
{
    f->g_N = c->g;
    f->n = c->n;
    f->point[0] = c->point[0];
    f->point[1] = c->point[1];
    sp_frame3_tangents(sp_point_axes(kin, f->body[1]), f);
    if (c->fit == SP_FIT_RIM) {
        rim_maps(c, f);
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
