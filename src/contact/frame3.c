#include "contact/frame3.h"

#include "kinematics/flex_face.h"

/* ---- maps of the tangent plane --------------------------------------------------------------- */

/* A vector of the tangent plane by its two parts. */
typedef struct vec2 {
    double a, b;
} vec2;

static vec2 parts(const sp_contact_frame3 *f, sp_vec3 x)
{
    return (vec2){sp_inner3(f->t[0], x), sp_inner3(f->t[1], x)};
}

static vec2 apply(const sp_map2 *A, vec2 x)
{
    return (vec2){A->a11 * x.a + A->a12 * x.b, A->a21 * x.a + A->a22 * x.b};
}

static sp_map2 product(const sp_map2 *A, const sp_map2 *B)
{
    return (sp_map2){A->a11 * B->a11 + A->a12 * B->a21, A->a11 * B->a12 + A->a12 * B->a22,
                     A->a21 * B->a11 + A->a22 * B->a21, A->a21 * B->a12 + A->a22 * B->a22};
}

/* A + k B */
static sp_map2 sum(const sp_map2 *A, double k, const sp_map2 *B)
{
    return (sp_map2){A->a11 + k * B->a11, A->a12 + k * B->a12, A->a21 + k * B->a21,
                     A->a22 + k * B->a22};
}

#define SINGULAR 1e-14 /* |det A| below this times |A|^2: no inverse */

/* A^-1, all zero where there is none. */
static sp_map2 inverse(const sp_map2 *A)
{
    const double det = A->a11 * A->a22 - A->a12 * A->a21;
    const double size2 = A->a11 * A->a11 + A->a12 * A->a12 + A->a21 * A->a21 + A->a22 * A->a22;
    if (!(fabs(det) > SINGULAR * size2)) {
        return sp_map2_scalar(0.0);
    }
    const double k = 1.0 / det;
    return (sp_map2){k * A->a22, -k * A->a12, -k * A->a21, k * A->a11};
}

/* ---- directions and maps --------------------------------------------------------------------- */

#define NEAR_X 0.9 /* cosine of the angle between n and x from which on y carries the tangents */

void sp_frame3_tangents(sp_rot3 axes_b, sp_contact_frame3 *f)
{
    const double along_x = sp_inner3(f->n, axes_b.x);
    f->carrier = fabs(along_x) <= NEAR_X ? axes_b.x : axes_b.y;
    const sp_vec3 flat = sp_axpy3(f->carrier, -sp_inner3(f->n, f->carrier), f->n);
    f->t[0] = sp_scale3(1.0 / sp_length3(flat), flat);
    f->t[1] = sp_cross3(f->n, f->t[0]);
}

/* (1 + (g + R_a) S_b) s = R_a turn + slip,   n' - omega_b x n = S_b s,   s: wander over b */
void sp_frame3_round(const sp_map2 *R_a, const sp_map2 *S_b, sp_contact_frame3 *f)
{
    const sp_map2 one = sp_map2_scalar(1.0), reach = sum(R_a, f->g_N, &one);
    const sp_map2 bent = product(&reach, S_b), A = sum(&one, 1.0, &bent);
    f->at_by_slip = inverse(&A);
    f->at_by_turn = product(&f->at_by_slip, R_a);
    f->n_by_slip = product(S_b, &f->at_by_slip);
    f->n_by_turn = product(S_b, &f->at_by_turn);
}

/* (S_a + S_b + g S_a S_b) s = turn + S_a slip */
void sp_frame3_smooth(const sp_map2 *S_a, const sp_map2 *S_b, sp_contact_frame3 *f)
{
    const sp_map2 both = product(S_a, S_b), first = sum(S_a, 1.0, S_b),
                  A = sum(&first, f->g_N, &both);
    f->at_by_turn = inverse(&A);
    f->at_by_slip = product(&f->at_by_turn, S_a);
    f->n_by_slip = product(S_b, &f->at_by_slip);
    f->n_by_turn = product(S_b, &f->at_by_turn);
}

/* ---- velocities
 * ---------------------------------------------------------------------------------- */

/* Components along n, t1, t2. */
static void along(const sp_contact_frame3 *f, sp_vec3 x, double out[3])
{
    out[0] = sp_inner3(f->n, x);
    out[1] = sp_inner3(f->t[0], x);
    out[2] = sp_inner3(f->t[1], x);
}

void sp_frame3_gamma(const sp_kin *kin, const sp_contact_frame3 *f, double gamma[3])
{
    const sp_spot a = sp_frame3_spot(kin, f, 0), b = sp_frame3_spot(kin, f, 1);
    along(f, sp_sub3(sp_spot_velocity(kin, &a), sp_spot_velocity(kin, &b)), gamma);
}

/* From the tangent plane to the world. */
static sp_vec3 lift(const sp_contact_frame3 *f, vec2 x)
{
    return sp_axpy3(sp_scale3(x.a, f->t[0]), x.b, f->t[1]);
}

static sp_vec3 map(const sp_contact_frame3 *f, const sp_map2 *by_turn, const sp_map2 *by_slip,
                   vec2 turn, vec2 slip)
{
    return sp_add3(lift(f, apply(by_turn, turn)), lift(f, apply(by_slip, slip)));
}

/* How fast the contact frame turns: n' = Omega x n, t1' = Omega x t1.   theory (18.2), (18.3) */
static sp_vec3 frame_spin(const sp_contact_frame3 *f, sp_vec3 omega_b, sp_vec3 n_rate)
{
    const double height = sp_inner3(f->n, f->carrier), flat = sp_inner3(f->t[0], f->carrier);
    const sp_vec3 carried = sp_axpy3(sp_cross3(omega_b, f->carrier), -height, n_rate);
    return sp_axpy3(sp_cross3(f->n, n_rate), sp_inner3(f->t[1], carried) / flat, f->n);
}

/* How side b moves about the contact: the spin of its surface, of what carries the tangents, and
 * where it deforms how its material's velocity changes along t1, t2. */
typedef struct side_motion {
    sp_vec3 spin, carrier, flow[2];
} side_motion;

/* n' = - sum t_i (n.flow_i) of the surface alone, and the mean turn about n.   theory (98.7) */
static side_motion side_b(const sp_kin *kin, const sp_contact_frame3 *f, const sp_spot *b)
{
    side_motion s;
    if (!f->mark[1]->wanders) {
        s.spin = s.carrier = sp_spot_spin(kin, b);
        return s;
    }
    sp_flex_flow(kin, f->mark[1], f->t, s.flow);
    const double twice = sp_inner3(f->t[1], s.flow[0]) - sp_inner3(f->t[0], s.flow[1]);
    s.spin = sp_scale3(sp_inner3(f->n, s.flow[1]), f->t[0]);
    s.spin = sp_axpy3(s.spin, -sp_inner3(f->n, s.flow[0]), f->t[1]);
    s.spin = sp_axpy3(s.spin, 0.5 * twice, f->n);
    s.carrier = sp_spot_frame_spin(kin, f->mark[1]->body);
    return s;
}

/* Its material where contact is has this velocity more, farther on by `way`. */
static sp_vec3 drift(const sp_contact_frame3 *f, const side_motion *b, sp_vec3 way)
{
    if (!f->mark[1]->wanders) {
        return sp_cross3(b->spin, way);
    }
    const vec2 x = parts(f, way);
    return sp_axpy3(sp_scale3(x.a, b->flow[0]), x.b, b->flow[1]);
}

static sp_frame3_rates motion_of(const sp_kin *kin, const sp_contact_frame3 *f, side_motion *on_b)
{
    sp_frame3_rates r;
    const sp_spot a = sp_frame3_spot(kin, f, 0), b = sp_frame3_spot(kin, f, 1);
    *on_b = side_b(kin, f, &b);
    const sp_vec3 omega_a = sp_spot_spin(kin, &a), omega_b = on_b->spin;
    r.v[0] = sp_spot_velocity(kin, &a);
    r.v[1] = sp_spot_velocity(kin, &b);

    /* a's motion as b's body sees it, and what it does to n and to the nearest points */
    const sp_vec3 carried = sp_cross3(omega_b, f->n), v_rel = sp_sub3(r.v[0], r.v[1]);
    const vec2 turn = parts(f, sp_cross3(sp_sub3(omega_a, omega_b), f->n));
    const vec2 slip = parts(f, sp_axpy3(v_rel, -f->g_N, carried));
    const sp_vec3 n_turn = map(f, &f->n_by_turn, &f->n_by_slip, turn, slip);
    r.wander[1] = map(f, &f->at_by_turn, &f->at_by_slip, turn, slip);
    r.wander[0] = sp_axpy3(sp_sub3(r.wander[1], lift(f, slip)), f->g_N, n_turn); /* a - b = g n */
    r.spin = frame_spin(f, on_b->carrier, sp_add3(carried, n_turn));
    return r;
}

sp_frame3_rates sp_frame3_motion(const sp_kin *kin, const sp_contact_frame3 *f)
{
    side_motion b;
    return motion_of(kin, f, &b);
}

void sp_frame3_bias(const sp_kin *kin, const sp_contact_frame3 *f, double w_bar[3])
{
    side_motion on_b;
    const sp_frame3_rates r = motion_of(kin, f, &on_b);
    const sp_spot a = sp_frame3_spot(kin, f, 0), b = sp_frame3_spot(kin, f, 1);
    /* material accelerations for u' = 0 where contact is */
    const sp_vec3 acc_a =
        sp_add3(sp_spot_bias(kin, &a), sp_cross3(sp_spot_spin(kin, &a), r.wander[0]));
    const sp_vec3 acc_b = sp_add3(sp_spot_bias(kin, &b), drift(f, &on_b, r.wander[1]));
    const sp_vec3 turned = sp_cross3(r.spin, sp_sub3(r.v[0], r.v[1]));
    along(f, sp_sub3(sp_sub3(acc_a, acc_b), turned), w_bar);
}
