#include "math/convex.h"

#include <math.h>

enum { SIMPLEX = 4, ROUNDS = 48 };
#define FOUND 1e-10 /* of the distance: what is left to gain by another vector              */
#define FLAT                                                                                       \
    1e-12 /* of unit vectors: what is left of one along an axis is round-off, of all               \
             directions */

static sp_vec3 corner_of(const sp_convex *c, int i)
{
    const double *x = c->corner + (size_t)i * (size_t)c->stride;
    return (sp_vec3){x[0], x[1], c->stride > 2 ? x[2] : 0.0};
}

void sp_convex_measure(sp_convex *c)
{
    sp_vec3 lo = corner_of(c, 0), hi = lo;
    for (int i = 1; i < c->n; i++) {
        const sp_vec3 x = corner_of(c, i);
        lo = (sp_vec3){fmin(lo.x, x.x), fmin(lo.y, x.y), fmin(lo.z, x.z)};
        hi = (sp_vec3){fmax(hi.x, x.x), fmax(hi.y, x.y), fmax(hi.z, x.z)};
    }
    c->centre = sp_scale3(0.5, sp_add3(lo, hi));
    c->size = 0.0;
    for (int i = 0; i < c->n; i++) {
        const double to = sp_length3(sp_sub3(corner_of(c, i), c->centre));
        c->size = fmax(c->size, c->disc ? hypot(to, c->rim[i]) : to);
    }
}

/* The point farthest along d, body's frame. */
static sp_vec3 farthest(const sp_convex *c, sp_vec3 d)
{
    sp_vec3 flat = sp_axpy3(d, -sp_inner3(d, c->axis), c->axis);
    flat = sp_axpy3(flat, -sp_inner3(flat, c->axis), c->axis); /* once more: it may be round-off */
    const double length = c->disc ? sp_length3(flat) : 0.0;
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < c->n; i++) {
        const double along = sp_inner3(corner_of(c, i), d) + (c->disc ? c->rim[i] * length : 0.0);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    const sp_vec3 x = corner_of(c, best);
    return length > FLAT ? sp_axpy3(x, c->rim[best] / length, flat) : x;
}

sp_vec3 sp_convex_support(const sp_convex_at *p, sp_vec3 d)
{
    const sp_vec3 x = p->c->n == 1 ? corner_of(p->c, 0) : farthest(p->c, sp_rotate_back3(p->R, d));
    const sp_vec3 less = sp_axpy3(x, p->less, sp_sub3(p->c->centre, x));
    return sp_add3(p->x, sp_rotate3(p->R, p->less > 0.0 ? less : x));
}

double sp_convex_width(const sp_convex_at *p, sp_vec3 d)
{
    const sp_vec3 ahead = sp_convex_support(p, d),
                  behind = sp_convex_support(p, sp_scale3(-1.0, d));
    return sp_inner3(d, sp_sub3(ahead, behind));
}

/* The point of a - b that is farthest against d. */
static sp_vec3 nearest_along(const sp_convex_at *a, const sp_convex_at *b, sp_vec3 d)
{
    return sp_sub3(sp_convex_support(a, sp_scale3(-1.0, d)), sp_convex_support(b, d));
}

/* What is left of a vector across a line without ends. */
static sp_vec3 across(const sp_convex_at *p, sp_vec3 v)
{
    const sp_vec3 axis = sp_rotate3(p->R, p->c->axis);
    return p->c->endless ? sp_axpy3(v, -sp_inner3(v, axis), axis) : v;
}

double sp_convex_apart(const sp_convex_at *a, const sp_convex_at *b, sp_vec3 n)
{
    return sp_inner3(n, across(a, across(b, nearest_along(a, b, n)))) - a->c->r - b->c->r;
}

/* x of the k equations A x = b, k <= 3, symmetric positive; false if that is not so. */
static bool solve(int k, double A[3][3], const double b[3], double x[3])
{
    for (int i = 0; i < k; i++) {
        x[i] = b[i];
    }
    for (int p = 0; p < k; p++) {
        if (!(A[p][p] > 0.0)) {
            return false;
        }
        for (int i = p + 1; i < k; i++) {
            const double f = A[i][p] / A[p][p];
            for (int j = p; j < k; j++) {
                A[i][j] -= f * A[p][j];
            }
            x[i] -= f * x[p];
        }
    }
    for (int p = k - 1; p >= 0; p--) {
        for (int j = p + 1; j < k; j++) {
            x[p] -= A[p][j] * x[j];
        }
        x[p] /= A[p][p];
    }
    return true;
}

/* The point nearest to the origin of the plane through n points, if it is among them, else false.
 */
static bool foot(int n, const sp_vec3 *p, sp_vec3 *v)
{
    double A[3][3], b[3], x[3], sum = 0.0;
    for (int i = 1; i < n; i++) {
        const sp_vec3 e = sp_sub3(p[i], p[0]);
        b[i - 1] = -sp_inner3(e, p[0]);
        for (int j = 1; j < n; j++) {
            A[i - 1][j - 1] = sp_inner3(e, sp_sub3(p[j], p[0]));
        }
    }
    if (!solve(n - 1, A, b, x)) {
        return false;
    }
    *v = p[0];
    for (int i = 1; i < n; i++) {
        if (!(x[i - 1] >= 0.0)) {
            return false;
        }
        sum += x[i - 1];
        *v = sp_axpy3(*v, x[i - 1], sp_sub3(p[i], p[0]));
    }
    return sum <= 1.0;
}

/* The point of a simplex that is nearest to the origin, and the corners that it lies between, the
 * last one of them among: others would have been found before. */
static sp_vec3 reduce(int *n, sp_vec3 *p)
{
    const sp_vec3 last = p[*n - 1];
    sp_vec3 best = last, keep[SIMPLEX] = {last};
    double least = sp_inner3(last, last);
    int n_keep = 1;
    for (int mask = 1; mask < 1 << (*n - 1); mask++) {
        sp_vec3 some[SIMPLEX] = {last}, v;
        int k = 1;
        for (int i = 0; i < *n - 1; i++) {
            if (mask >> i & 1) {
                some[k++] = p[i];
            }
        }
        if (foot(k, some, &v) && sp_inner3(v, v) < least) {
            least = sp_inner3(v, v);
            best = v;
            n_keep = k;
            for (int i = 0; i < k; i++) {
                keep[i] = some[i];
            }
        }
    }
    *n = n_keep;
    for (int i = 0; i < n_keep; i++) {
        p[i] = keep[i];
    }
    return best;
}

/* The vector to begin with: between the two middles. */
static sp_vec3 between(const sp_convex_at *a, const sp_convex_at *b)
{
    const sp_vec3 x = sp_add3(a->x, sp_rotate3(a->R, a->c->centre));
    const sp_vec3 v =
        across(a, across(b, sp_sub3(x, sp_add3(b->x, sp_rotate3(b->R, b->c->centre)))));
    return sp_inner3(v, v) > 0.0 ? v : (sp_vec3){1.0, 0.0, 0.0};
}

bool sp_convex_clear(const sp_convex_at *a, const sp_convex_at *b, sp_vec3 way, double swing,
                     sp_vec3 *n, double *distance)
{
    sp_vec3 p[SIMPLEX], v = between(a, b);
    const double r = a->c->r + b->c->r;
    int k = 0;
    *distance = -INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double length = sp_length3(v);
        if (!(length > 0.0)) {
            break;
        }
        const sp_vec3 d = sp_scale3(1.0 / length, v);
        const sp_vec3 w = across(a, across(b, nearest_along(a, b, d)));
        const double s = sp_inner3(d, w) - r;
        if (s > *distance) {
            *distance = s;
            *n = d;
        }
        if (s > fabs(sp_inner3(d, way)) + swing) {
            return true;
        }
        if (k == SIMPLEX || (k > 0 && length - sp_inner3(d, w) <= FOUND * length)) {
            break;
        }
        p[k++] = w;
        v = reduce(&k, p);
    }
    return false;
}
