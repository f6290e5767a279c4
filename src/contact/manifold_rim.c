/* contact/manifold_rim.c - rims, and where they come nearest to lines, rims and round sides.
 * theory (39.1)-(39.3) */
#include "contact/manifold_round.h"

enum { SAMPLES = 24, NEWTON = 60, CROSSING = 20 };

#define TURN       6.283185307179586
#define EVERYWHERE 1e-9  /* of the sizes: below this the rim is as near all round */
#define STAYS      0.5   /* rad: nearest places found from a crossing are no farther from it */
#define ENOUGH     4e-15 /* rad */

/* ---- discs -------------------------------------------------------------------------------- */

sp_round sp_round_of(const sp_shape3 *disc, const sp_pose3 *pose)
{
    sp_round d = {.shape = disc, .pose = *pose, .axis = pose->R.z, .g_z = 1.0};
    d.n_rim = disc->half > 0.0 ? 2 : 1;
    for (int i = 0; i < 2; i++) {
        d.rim[i] = (sp_rim){sp_axpy3(pose->x, i == 0 ? -disc->half : disc->half, d.axis), pose->R.x,
                            pose->R.y, i == 0 ? disc->radius : disc->radius + disc->taper};
    }
    if (d.n_rim == 2) {
        d.length = hypot(disc->taper, 2.0 * disc->half);
        d.g_rho = disc->taper / d.length;
        d.g_z = 2.0 * disc->half / d.length;
    }
    return d;
}

double sp_round_highest(const sp_round *d, sp_vec3 n)
{
    const double flat = sp_length3(sp_cross3(d->axis, n));
    double most = -INFINITY;
    for (int i = 0; i < d->n_rim; i++) {
        const double s = sp_inner3(n, d->rim[i].center) + d->rim[i].r * flat;
        most = s > most ? s : most;
    }
    return most;
}

double sp_round_lowest(const sp_round *d, sp_vec3 n)
{
    return -sp_round_highest(d, sp_scale3(-1.0, n));
}

/* ---- rims ---------------------------------------------------------------------------------- */

/* A place of a rim by cosine and sine. */
static sp_rim_place place_of(const sp_rim *rim, double c, double s)
{
    sp_rim_place p = {.e = sp_axpy3(sp_scale3(c, rim->ex), s, rim->ey),
                      .t = sp_axpy3(sp_scale3(-s, rim->ex), c, rim->ey)};
    p.x = sp_axpy3(rim->center, rim->r, p.e);
    return p;
}

sp_rim_place sp_rim_at(const sp_rim *rim, double phi)
{
    return place_of(rim, cos(phi), sin(phi));
}

sp_rim_place sp_rim_lowest(const sp_rim *rim, sp_vec3 n, double *tilt)
{
    const double c = sp_inner3(n, rim->ex), s = sp_inner3(n, rim->ey);
    *tilt = hypot(c, s);
    return *tilt > 0.0 ? place_of(rim, -c / *tilt, -s / *tilt) : place_of(rim, 1.0, 0.0);
}

/* Place of x against the plane of a rim: away from its axis, how far, and how high. */
static sp_vec3 away(const sp_rim *rim, sp_vec3 x, double *rho, double *z)
{
    const sp_vec3 d = sp_sub3(x, rim->center);
    const double c = sp_inner3(d, rim->ex), s = sp_inner3(d, rim->ey);
    *rho = sqrt(c * c + s * s);
    *z = sp_inner3(d, sp_cross3(rim->ex, rim->ey));
    return *rho > 0.0 ? sp_axpy3(sp_scale3(c / *rho, rim->ex), s / *rho, rim->ey) : rim->ex;
}

sp_foot sp_partner_foot(const sp_partner *p, sp_vec3 x)
{
    sp_foot f;
    double z;
    if (p->kind == SP_PARTNER_LINE) {
        f.rho = sp_inner3(p->u, sp_sub3(x, p->at));
        f.y = sp_axpy3(p->at, f.rho, p->u);
        f.w = sp_sub3(x, f.y);
        f.d = p->u;
        return f;
    }
    const sp_rim *rim = p->kind == SP_PARTNER_RIM ? p->rim : &p->round->rim[0];
    const sp_vec3 axis = sp_cross3(rim->ex, rim->ey);
    sp_vec3 e = away(rim, x, &f.rho, &z);
    if (p->far) {
        e = sp_scale3(-1.0, e);
        f.rho = -f.rho;
    }
    f.d = sp_cross3(axis, e);
    if (p->kind == SP_PARTNER_RIM) {
        f.y = sp_axpy3(rim->center, rim->r, e);
        f.w = sp_sub3(x, f.y);
        return f;
    }
    const sp_round *d = p->round;
    const double beside = (f.rho - rim->r) * d->g_z - z * d->g_rho;
    f.w = sp_axpy3(sp_scale3(d->g_z, e), -d->g_rho, axis);
    f.y = sp_axpy3(x, -beside, f.w);
    return f;
}

/* Half the slope of the squared distance along the rim (of a side, of the distance), in parts of
 * its radius, and its own slope: zero where the rim is nearest or farthest.   theory (39.1)-(39.3)
 */
static double slope(const sp_rim *rim, const sp_partner *p, double c, double s, double *rate)
{
    const sp_rim_place at = place_of(rim, c, s);
    const sp_foot f = sp_partner_foot(p, at.x);
    const double td = sp_inner3(at.t, f.d);
    const double turn = p->kind == SP_PARTNER_LINE  ? 1.0 - td * td
                        : p->kind == SP_PARTNER_RIM ? 1.0 - td * td * p->rim->r / f.rho
                                                    : td * td * p->round->g_z / f.rho;
    *rate = rim->r * turn - sp_inner3(f.w, at.e);
    return sp_inner3(f.w, at.t);
}

/* The root of the slope between two angles, where it rises (1) or falls (-1), by Newton's method
 * kept between them. */
static double root_between(const sp_rim *rim, const sp_partner *p, double lo, double hi, double way)
{
    double phi = 0.5 * (lo + hi);
    for (int k = 0; k < NEWTON && hi - lo > 0.0; k++) {
        double rate;
        const double G = slope(rim, p, cos(phi), sin(phi), &rate);
        if (way * G < 0.0) {
            lo = phi;
        } else {
            hi = phi;
        }
        const double next = phi - G / rate;
        const bool inside = next > lo && next < hi;
        if (inside && fabs(next - phi) < ENOUGH) {
            return next;
        }
        const double old = phi;
        phi = inside ? next : 0.5 * (lo + hi);
        if (phi == old) {
            break;
        }
    }
    return phi;
}

/* The nearest place from a start on by Newton's method alone; false if there is none near it. */
static bool nearest_from(const sp_rim *rim, const sp_partner *p, double start, double *phi)
{
    double rate = 0.0, step = INFINITY;
    *phi = start;
    for (int k = 0; k < NEWTON && fabs(step) > ENOUGH; k++) {
        step = slope(rim, p, cos(*phi), sin(*phi), &rate) / rate;
        *phi -= step;
        if (!(rate > 0.0 && fabs(*phi - start) < STAYS)) {
            return false;
        }
    }
    return true;
}

/* Keep an angle that is not known yet, if the slope is zero there: it may jump, too, where the rim
 * passes the axis of its partner. */
static int keep(const sp_rim *rim, const sp_partner *p, double most, double *phi, int n,
                double found)
{
    double rate;
    if (!(fabs(slope(rim, p, cos(found), sin(found), &rate)) <= EVERYWHERE * most)) {
        return n;
    }
    for (int k = 0; k < n; k++) {
        if (fabs(remainder(found - phi[k], TURN)) < 1e-9) {
            return n;
        }
    }
    if (n < SP_RIM_NEAREST) {
        phi[n++] = found;
    }
    return n;
}

int sp_rim_crossings(const sp_rim *rim, const sp_partner *p, double phi[2])
{
    double rho, z;
    if (p->kind == SP_PARTNER_LINE) {
        const double x = sp_inner3(rim->ex, sp_sub3(p->at, rim->center)),
                     y = sp_inner3(rim->ey, sp_sub3(p->at, rim->center));
        const double u = sp_inner3(rim->ex, p->u), v = sp_inner3(rim->ey, p->u), l = hypot(u, v);
        const double side = (x * v - y * u) / l; /* of the line from the axis, to its right */
        if (!(l > 0.0 && fabs(side) < rim->r)) {
            return 0;
        }
        const double middle = atan2(-u, v), half = acos(side / rim->r);
        phi[0] = middle - half; /* the line comes in here */
        phi[1] = middle + half;
        return 2;
    }
    if (p->kind != SP_PARTNER_RIM) {
        return 0;
    }
    const double R = p->rim->r, r = rim->r;
    const sp_vec3 e = away(rim, p->rim->center, &rho, &z);
    const double c = (rho * rho + r * r - R * R) / (2.0 * rho * r);
    if (!(fabs(c) < 1.0)) {
        return 0;
    }
    const double middle = atan2(sp_inner3(e, rim->ey), sp_inner3(e, rim->ex)), half = acos(c);
    phi[0] = middle - half; /* the rim comes in over its partner here */
    phi[1] = middle + half;
    return 2;
}

bool sp_rim_crosses(const sp_rim *rim, const sp_partner *p, double phi, sp_rim_place *at,
                    sp_foot *foot)
{
    double off = INFINITY;
    for (int k = 0; k < CROSSING && fabs(off) > 1e-15 * p->rim->r; k++) {
        *at = sp_rim_at(rim, phi);
        *foot = sp_partner_foot(p, at->x);
        const sp_vec3 e = sp_cross3(foot->d, sp_cross3(p->rim->ex, p->rim->ey));
        off = foot->rho - p->rim->r;
        phi -= off / (rim->r * sp_inner3(at->t, e));
    }
    return fabs(off) < 1e-12 * p->rim->r;
}

int sp_rim_nearest(const sp_rim *rim, const sp_partner *p, double *phi)
{
    double G[SAMPLES + 1], most = 0.0, rate, start[2];
    int n = 0;
    double c = 1.0, s = 0.0;
    const double step_c = cos(TURN / SAMPLES), step_s = sin(TURN / SAMPLES);
    for (int k = 0; k < SAMPLES; k++) {
        G[k] = slope(rim, p, c, s, &rate);
        most = fabs(G[k]) > most ? fabs(G[k]) : most;
        const double next = c * step_c - s * step_s;
        s = c * step_s + s * step_c;
        c = next;
    }
    G[SAMPLES] = G[0];
    if (!(most > EVERYWHERE * (p->kind == SP_PARTNER_SIDE ? 1.0 : rim->r))) {
        return 0;
    }
    for (int k = 0; k < SAMPLES; k++) {
        if ((G[k] < 0.0) != (G[k + 1] < 0.0)) {
            const double a = TURN * k / SAMPLES, b = TURN * (k + 1) / SAMPLES;
            n = keep(rim, p, most, phi, n, root_between(rim, p, a, b, G[k] < 0.0 ? 1.0 : -1.0));
        }
    }
    const int n_cross = sp_rim_crossings(rim, p, start);
    for (int k = 0; k < n_cross; k++) {
        double found;
        n = nearest_from(rim, p, start[k], &found) ? keep(rim, p, most, phi, n, found) : n;
    }
    return n;
}
