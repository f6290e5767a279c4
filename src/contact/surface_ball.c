/* contact/surface_ball.c - the point of a surface nearest to a ball.   theory (20.10) */
#include "contact/surface_parts.h"

enum { DESCENTS = 100 };
#define LEAST_PART 1e-4 /* of the way along the tangent plane: shorter ones are no descent */

/* Which parameters of an open range stand at its border: bit 0 for u, bit 1 for v. */
static int border_of(const sp_surface *s, const sp_surface_at *at)
{
    int bits = 0;
    const double x[2] = {at->u, at->v};
    for (int k = 0; k < 2 && at->chart == 0; k++) {
        const bool pole_lo = k == 1 && s->pole[0], pole_hi = k == 1 && s->pole[1];
        if (!s->closed[k] && ((x[k] == s->lo[k] && !pole_lo) || (x[k] == s->hi[k] && !pole_hi))) {
            bits |= 1 << k;
        }
    }
    return bits;
}

/* One Newton step of the foot of x along a border on which the parameters of `bits` stay.
 * Returns the size of the step in the other parameter relative to its range. */
static double step_on_border(const sp_surface_side *b, int bits, const sp_surface_patch *p,
                             sp_vec3 x, double *work, sp_surface_at *at)
{
    const int free_k = bits == 1 ? 1 : 0;
    const sp_surface *s = b->surface;
    if (bits == 3) {
        return 0.0;
    }
    const sp_vec3 way = sp_rotate_back3(b->R, sp_sub3(x, p->r)); /* derivatives are the body's */
    const sp_vec3 d = free_k == 0 ? p->r_u : p->r_v, dd = free_k == 0 ? p->r_uu : p->r_vv;
    const double slope = sp_inner3(way, d), bend = sp_inner3(d, d) - sp_inner3(way, dd);
    const double full = sp_inner3(d, d);
    const double range = s->hi[free_k] - s->lo[free_k];
    double step = slope / (bend > 0.1 * full ? bend : full);
    step = fmax(-0.25 * range, fmin(0.25 * range, step));
    double *param = free_k == 0 ? &at->u : &at->v;
    const double before = *param;
    *param += step;
    sp_surface_wrap(s, at, work);
    return s->closed[free_k] ? fabs(step) / range : fabs(*param - before) / range;
}

/* The foot on the border of the surface: the border is an edge of the material. */
static void finish_rim(sp_vec3 center, int bits, const sp_surface_side *b,
                       const sp_surface_patch *p, sp_surface_contact *out)
{
    const sp_vec3 way = sp_sub3(center, p->r);
    const double distance = sp_length3(way);
    out->fit = distance > 0.0 ? SP_FIT_RIM : SP_FIT_LOST;
    out->g = distance > 0.0 ? distance - out->radius : NAN;
    out->n = sp_scale3(1.0 / distance, way);
    out->rim = (sp_vec3){0.0, 0.0, 0.0};
    out->rim_bend = 0.0;
    if (bits != 3) {
        const sp_vec3 d = bits == 1 ? p->r_v : p->r_u, dd = bits == 1 ? p->r_vv : p->r_uu;
        const double speed = sp_length3(d);
        out->rim = sp_rotate3(b->R, sp_scale3(1.0 / speed, d));
        out->rim_bend = sp_inner3(out->n, sp_rotate3(b->R, dd)) / (speed * speed);
    }
}

/* The foot inside the surface.   theory (20.10) */
static void finish_foot(sp_vec3 center, const sp_surface_side *b, const sp_surface_patch *p,
                        sp_surface_contact *out)
{
    const double height = sp_inner3(p->n, sp_sub3(center, p->r));
    const sp_mat2 K = sp_mat2_of(p->K);
    const sp_mat2 P = {1.0 + height * K.a, height * K.b, height * K.c, 1.0 + height * K.d};
    const double deep = b->surface->deep; /* theory (98.8) */
    const double away = deep > 0.0 && height < -fmax(deep, out->radius) ? -1.0 : 1.0;
    out->g = away * height - out->radius;
    out->n = sp_scale3(away, p->n);
    for (int i = 0; i < 3; i++) {
        out->K[1][i] *= away;
    }
    out->fit = sp_mat2_least(P) > SP_PAIR_FLAT ? SP_FIT_POINT : SP_FIT_FLAT;
}

/* Newton on the foot of x:  (1 + height K_b) xi = tangential part of x - r.   theory (20.10)
 * It begins on the borders `bits`.  Returns those that it stands at, -1 if it is lost. */
static int find_foot(sp_vec3 x, const sp_surface_side *b, int bits, double *work, sp_surface_at *at,
                     sp_surface_patch *p, sp_surface_contact *out)
{
    const double size = isfinite(b->surface->reach) ? b->surface->reach : 1.0;
    int clipped = 0;
    double last = INFINITY;
    for (int k = 0; k < SP_PAIR_NEWTON; k++, out->n_newton++) {
        if (!sp_pair_look(b, at, work, p)) {
            return -1;
        }
        const sp_vec3 way = sp_sub3(x, p->r);
        if (bits) {
            out->residual = step_on_border(b, bits, p, x, work, at);
            if (out->residual < 1e-15 || (out->residual < 1e-11 && out->residual >= last)) {
                return sp_pair_look(b, at, work, p) ? bits | border_of(b->surface, at) : -1;
            }
            last = out->residual;
            bits |= border_of(b->surface, at);
            continue;
        }
        const double h[2] = {sp_inner3(p->e[0], way), sp_inner3(p->e[1], way)};
        const double height = sp_inner3(p->n, way);
        out->residual = sp_pair_norm(h) / fmax(size, fabs(height));
        if (out->residual < 1e-16 ||
            (out->residual < SP_PAIR_FLOOR && out->residual >= 0.5 * last)) {
            return 0;
        }
        last = out->residual;
        const sp_mat2 K = sp_mat2_of(p->K);
        sp_mat2 P = {1.0 + height * K.a, height * K.b, height * K.c, 1.0 + height * K.d};
        const double bend = sp_mat2_least(P);
        if (!(bend > 1e-6)) { /* beyond the focus: downhill all the same */
            P.a += 0.1 - bend;
            P.d += 0.1 - bend;
        }
        double xi[2];
        sp_mat2_solve(P, h, xi);
        if (!sp_pair_advance(b->surface, p, xi, work, at)) {
            clipped++;
        }
        if (clipped > 2) {
            bits = border_of(b->surface, at);
            last = INFINITY;
        }
    }
    return out->residual < SP_PAIR_FLOOR ? bits : -1;
}

/* How far x is from a place on the surface; p is what is there. */
static double distance_at(sp_vec3 x, const sp_surface_side *b, const sp_surface_at *at,
                          double *work, sp_surface_patch *p)
{
    return sp_pair_look(b, at, work, p) ? sp_length3(sp_sub3(x, p->r)) : INFINITY;
}

/* Nearer to x step by step, along the tangent plane and along borders: slow, but never away. */
static void descend(sp_vec3 x, const sp_surface_side *b, double *work, sp_surface_at *at)
{
    sp_surface_patch p, other;
    double d = distance_at(x, b, at, work, &p);
    for (int k = 0; k < DESCENTS && d < INFINITY; k++) {
        const sp_vec3 way = sp_sub3(x, p.r);
        double part = 1.0, nearer = INFINITY;
        sp_surface_at next = *at;
        for (; part > LEAST_PART; part *= 0.5) {
            const double xi[2] = {part * sp_inner3(p.e[0], way), part * sp_inner3(p.e[1], way)};
            next = *at;
            (void)sp_pair_advance(b->surface, &p, xi, work, &next);
            nearer = distance_at(x, b, &next, work, &other);
            if (nearer < d * (1.0 - 1e-9)) {
                break;
            }
        }
        if (!(part > LEAST_PART)) {
            return;
        }
        *at = next;
        p = other;
        d = nearer;
    }
}

/* The foot of x from where `at` is; if Newton leads away from x, which it may past several borders,
 * from where descent leads. */
static int find_nearer_foot(sp_vec3 x, const sp_surface_side *b, double *work, sp_surface_at *at,
                            sp_surface_patch *p, sp_surface_contact *out)
{
    sp_surface_at start = *at;
    const double most = distance_at(x, b, &start, work, p) * (1.0 + 1e-9);
    const int bits = find_foot(x, b, 0, work, at, p, out);
    if (bits >= 0 && sp_length3(sp_sub3(x, p->r)) <= most) {
        return bits;
    }
    descend(x, b, work, &start);
    *at = start;
    return find_foot(x, b, border_of(b->surface, at), work, at, p, out);
}

void sp_surface_meet_ball(sp_vec3 center, double radius, const sp_surface_side *b, double *work,
                          sp_surface_contact *out)
{
    sp_surface_at at;
    sp_surface_patch p;
    *out = (sp_surface_contact){.fit = SP_FIT_LOST, .g = NAN, .ball = true, .radius = radius};
    const sp_vec3 own = sp_rotate_back3(b->R, sp_sub3(center, b->x));
    if (!sp_surface_foot(b->surface, own, work, &at)) {
        at = b->surface->sample[sp_pair_sample(b, center)].at;
    }
    sp_surface_wrap(b->surface, &at, work);
    const int bits = find_nearer_foot(center, b, work, &at, &p, out);
    if (bits < 0) {
        return;
    }
    sp_pair_keep(&p, &at, 1, out);
    if (bits > 0) {
        finish_rim(center, bits, b, &p, out);
    } else {
        finish_foot(center, b, &p, out);
    }
    out->point[1] = p.r;
    out->point[0] = sp_axpy3(p.r, out->g, out->n);
}
