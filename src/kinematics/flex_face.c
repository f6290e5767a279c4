#include "kinematics/flex_face.h"

#include "kinematics/flex.h"

/* The material about a place at rest, in the body's frame. */
static sp_strained strained(const sp_kin *kin, int body, sp_vec3 x, bool rates)
{
    const sp_flex *f = kin->flex;
    const sp_body *b = &f->m->body[body];
    const int own = b->dof + b->n_dof;
    const double at[3] = {x.x, x.y, x.z};
    sp_strained s;
    b->kind->strain(b->form, f->memo[body], at, f->q + own, rates ? f->u + own : NULL, &s);
    return s;
}

/* sum_i a_i by[i] */
static sp_vec3 along(const sp_vec3 by[3], sp_vec3 a)
{
    return sp_axpy3(sp_axpy3(sp_scale3(a.x, by[0]), a.y, by[1]), a.z, by[2]);
}

/* sum_ij a_i b_j of the second derivatives */
static sp_vec3 bent(const sp_strained *s, sp_vec3 a, sp_vec3 b)
{
    const double part[6] = {a.x * b.x,
                            a.y * b.y,
                            a.z * b.z,
                            a.x * b.y + a.y * b.x,
                            a.x * b.z + a.z * b.x,
                            a.y * b.z + a.z * b.y};
    sp_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 6; i++) {
        sum = sp_axpy3(sum, part[i], s->bend[i]);
    }
    return sum;
}

void sp_flex_face(const void *now, const sp_face *face, double u, double v, sp_vec3 d[6])
{
    const sp_flex_now *of = now;
    sp_vec3 rest[6];
    sp_face_at_rest(face, u, v, rest);
    const sp_strained s = strained(of->kin, of->body, rest[0], false);
    d[0] = s.at;
    d[1] = along(s.by, rest[1]);
    d[2] = along(s.by, rest[2]);
    d[3] = sp_add3(along(s.by, rest[3]), bent(&s, rest[1], rest[1]));
    d[4] = sp_add3(along(s.by, rest[4]), bent(&s, rest[1], rest[2]));
    d[5] = sp_add3(along(s.by, rest[5]), bent(&s, rest[2], rest[2]));
}

/* omega x e + V_X F_X^-1 e, by Cramer's rule: columns of F_X are s.by.   theory (98.7) */
void sp_flex_flow(const sp_kin *kin, const sp_mark *mark, const sp_vec3 e[2], sp_vec3 flow[2])
{
    const sp_strained s = strained(kin, mark->body, sp_vec3_of(mark->at), true);
    const sp_spot origin = sp_spot_origin(kin, mark->body);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    const sp_vec3 omega = sp_spot_frame_spin(kin, mark->body);
    const sp_vec3 across[3] = {sp_cross3(s.by[1], s.by[2]), sp_cross3(s.by[2], s.by[0]),
                               sp_cross3(s.by[0], s.by[1])};
    const double part = 1.0 / sp_inner3(s.by[0], across[0]);
    for (int k = 0; k < 2; k++) {
        const sp_vec3 own = sp_rotate_back3(R, e[k]);
        const sp_vec3 at_rest = {part * sp_inner3(across[0], own), part * sp_inner3(across[1], own),
                                 part * sp_inner3(across[2], own)};
        flow[k] = sp_add3(sp_cross3(omega, e[k]), sp_rotate3(R, along(s.rate, at_rest)));
    }
}
