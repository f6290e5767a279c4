/* contact/surface_parts.h - what the searches for nearest points of surfaces share. */
#ifndef SP_CONTACT_SURFACE_PARTS_H
#define SP_CONTACT_SURFACE_PARTS_H

#include "contact/surface_pair.h"

#include <math.h>

enum { SP_PAIR_NEWTON = 50 }; /* iterations at most */

#define SP_PAIR_FLOOR                                                                              \
    1e-9                  /* residual below which what does not get better is found: lost digits   \
                           */
#define SP_PAIR_FLAT 1e-7 /* relative curvature below this times the curvatures: they fit  */

/* ---- small matrices  ------------------------------------------------------------------------- */

/* 2 x 2, by rows. */
typedef struct sp_mat2 {
    double a, b, c, d;
} sp_mat2;

static inline sp_mat2 sp_mat2_mul(sp_mat2 x, sp_mat2 y)
{
    return (sp_mat2){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                     x.c * y.b + x.d * y.d};
}

static inline sp_mat2 sp_mat2_of(const double K[3])
{
    return (sp_mat2){K[0], K[1], K[1], K[2]};
}

static inline sp_mat2 sp_mat2_inverse(sp_mat2 x)
{
    const double k = 1.0 / (x.a * x.d - x.b * x.c);
    return (sp_mat2){k * x.d, -k * x.b, -k * x.c, k * x.a};
}

static inline void sp_mat2_apply(sp_mat2 x, const double y[2], double out[2])
{
    const double first = x.a * y[0] + x.b * y[1];
    out[1] = x.c * y[0] + x.d * y[1];
    out[0] = first;
}

/* A x = b; where A is nearly singular the short solution of least squares. */
static inline void sp_mat2_solve(sp_mat2 A, const double b[2], double x[2])
{
    const double det = A.a * A.d - A.b * A.c;
    const double size2 = A.a * A.a + A.b * A.b + A.c * A.c + A.d * A.d;
    if (fabs(det) > 1e-9 * size2) {
        sp_mat2_apply(sp_mat2_inverse(A), b, x);
        return;
    }
    const double k = 1e-12 * size2 + 1e-300; /* (A'A + k) x = A'b */
    const double right[2] = {A.a * b[0] + A.c * b[1], A.b * b[0] + A.d * b[1]};
    const sp_mat2 N = {A.a * A.a + A.c * A.c + k, A.a * A.b + A.c * A.d, A.a * A.b + A.c * A.d,
                       A.b * A.b + A.d * A.d + k};
    sp_mat2_apply(sp_mat2_inverse(N), right, x);
}

/* Smaller eigenvalue of the symmetric part. */
static inline double sp_mat2_least(sp_mat2 x)
{
    const double b = 0.5 * (x.b + x.c), half = 0.5 * (x.a - x.d);
    return 0.5 * (x.a + x.d) - sqrt(half * half + b * b);
}

static inline double sp_pair_norm(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* ---- patches in the world -------------------------------------------------------------------- */

/* Evaluate a side; place, normal and tangents in the world, derivatives in the body's frame. */
bool sp_pair_look(const sp_surface_side *side, const sp_surface_at *at, double *work,
                  sp_surface_patch *p);

/* Move a place by a step xi along its tangents, no farther than its normal turns by a fixed angle.
 * False if it would leave its range; it is then on the border. */
bool sp_pair_advance(const sp_surface *s, const sp_surface_patch *p, const double xi[2],
                     double *work, sp_surface_at *at);

/* What is kept of a patch on side k. */
void sp_pair_keep(const sp_surface_patch *p, const sp_surface_at *at, int k,
                  sp_surface_contact *out);

/* The border of one side nearest to the inside of the other, both ways: RIM; PAST with a finite gap
 * where border is beside border, and as it was if there is nothing.  outer: only where nothing
 * inside the border is nearer.   theory (42.1) */
void sp_surface_meet_rim(const sp_surface_side *a, const sp_surface_side *b, bool outer,
                         double *work, sp_surface_contact *out);

/* The sample of a surface nearest to a world point. */
int sp_pair_sample(const sp_surface_side *side, sp_vec3 x);

#endif
