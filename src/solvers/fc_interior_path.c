/* Along the path of the interior points, sigma an unknown more: places to come back to, the tangent
 * and the curvature, steps to the path and along it through its turning points.   theory (32.1) to
 * (32.5) [AllgowerGeorg90] */
#include "solvers/fc_interior_parts.h"

#include <math.h>
#include <string.h>

/* Steps that leave the cones are halved this often. */
enum { HALVINGS = 4 };

/* A step changes contacts by at most this part of themselves at first, and at least and at most
 * later, sigma by no more than e, and by its curvature by at most that part of it; places to come
 * back to are apart by this part of sigma; corrections below the first are small, above the second
 * the step before was too long. */
#define REACH       0.5
#define REACH_LEAST 0.03
#define REACH_MOST  1.0
#define BEND        0.6
#define APART       0.2
#define NEAR        0.3
#define FAR         0.7
/* A contact whose x o z is below this part of sigma is put back first. */
#define CENTRE 0.1
/* The path is left where the step to sigma = 0 has this length. */
#define LEAVES 0.35
/* Least sigmas between two turns that are as near to each other as this are the same place. */
#define SAME 1e-3

/* Keep where the iterate is. */
static void keep_place(const sp_fc_island *l, const sp_fc_interior *w, sp_fc_place *to)
{
    const size_t n = (size_t)l->n, bytes = n * sizeof(double);
    memcpy(to->at, w->x, bytes);
    memcpy(to->at + n, w->z, bytes);
    memcpy(to->at + 2 * n, w->p, bytes);
    to->gap = w->gap;
}

/* Put the iterate there. */
static void take_place(const sp_fc_island *l, const sp_fc_place *from, sp_fc_interior *w)
{
    const size_t n = (size_t)l->n, bytes = n * sizeof(double);
    memcpy(w->x, from->at, bytes);
    memcpy(w->z, from->at + n, bytes);
    memcpy(w->p, from->at + 2 * n, bytes);
    w->gap = from->gap;
}

void sp_fc_interior_remember(const sp_fc_island *l, sp_fc_interior *w)
{
    if (w->n_place > 0 && !(w->gap < APART * w->place[w->n_place - 1].gap)) {
        return;
    }
    if (w->n_place == SP_FC_PLACES) { /* the oldest makes room */
        const sp_fc_place first = w->place[0];
        memmove(w->place, w->place + 1, (SP_FC_PLACES - 1) * sizeof *w->place);
        w->place[--w->n_place] = first;
    }
    keep_place(l, w, &w->place[w->n_place++]);
}

int sp_fc_interior_go_back(const sp_fc_island *l, sp_fc_interior *w)
{
    if (w->n_place == 0) {
        return 0;
    }
    w->jam = w->follows ? w->jam : sp_fc_interior_gap(l, w, 0.0);
    take_place(l, &w->place[--w->n_place], w);
    w->follows = w->onto = 1;
    w->turns = w->look = w->falls = 0;
    w->least = w->mark = INFINITY;
    w->reach = REACH;
    return 1;
}

/* a_i . b_i of a contact for directions a, b of x and z, in the metric of its scaling. */
static double inner_of(const sp_fc_island *l, const sp_fc_interior *w, int i,
                       const sp_fc_direction *a, const sp_fc_direction *b)
{
    const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
    double s[3], t[3], sum = 0.0;
    sp_fc_cone_apply(dim, &w->scale[i], 1, a->x + k, s);
    sp_fc_cone_apply(dim, &w->scale[i], 1, b->x + k, t);
    for (int e = 0; e < dim; e++) {
        sum += s[e] * t[e];
    }
    sp_fc_cone_apply(dim, &w->scale[i], 0, a->z + k, s);
    sp_fc_cone_apply(dim, &w->scale[i], 0, b->z + k, t);
    for (int e = 0; e < dim; e++) {
        sum += s[e] * t[e];
    }
    return sum / w->gap;
}

/* The largest part by which d changes a contact. */
static double largest_change(const sp_fc_island *l, const sp_fc_interior *w,
                             const sp_fc_direction *d)
{
    double most = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        if (sp_fc_cone_rows(l, i)) {
            const double own = inner_of(l, w, i, d, d);
            most = own > most ? own : most;
        }
    }
    return sqrt(most);
}

/* to += f d. */
static void add(const sp_fc_island *l, sp_fc_direction *to, double f, const sp_fc_direction *d)
{
    for (int e = 0; e < l->n; e++) {
        to->x[e] += f * d->x[e];
        to->z[e] += f * d->z[e];
        to->p[e] += f * d->p[e];
    }
}

/* Add of the tangent t to d what makes it smallest where t is largest; returns how much.   theory
 * (32.2) */
static double take_across(const sp_fc_island *l, const sp_fc_interior *w, sp_fc_direction *d)
{
    double tt = 0.0, dt = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        if (sp_fc_cone_rows(l, i)) {
            const double own = inner_of(l, w, i, &w->t, &w->t);
            tt += own * own;
            dt += own * inner_of(l, w, i, d, &w->t);
        }
    }
    const double along = tt > 0.0 ? -dt / tt : 0.0;
    add(l, d, along, &w->t);
    return along;
}

/* Keep the direction d in another. */
static void copy(const sp_fc_island *l, const sp_fc_direction *d, sp_fc_direction *to)
{
    const size_t bytes = (size_t)l->n * sizeof(double);
    memcpy(to->x, d->x, bytes);
    memcpy(to->z, d->z, bytes);
    memcpy(to->p, d->p, bytes);
}

/* The tangent and the second derivative by log sigma; r is kept.   theory (32.1), (32.4) */
static void find_derivatives(const sp_fc_island *l, sp_fc_interior *w)
{
    const size_t bytes = (size_t)l->n * sizeof(double);
    memcpy(w->u, w->r, bytes);
    sp_fc_interior_first(l, w);
    sp_fc_interior_direction(l, w);
    copy(l, &w->d, &w->t);
    sp_fc_interior_second(l, w);
    sp_fc_interior_direction(l, w);
    copy(l, &w->d, &w->s);
    memcpy(w->r, w->u, bytes);
}

/* Whether the step before was too long for a correction this large: back, and shorter. */
static int is_too_far(const sp_fc_island *l, sp_fc_interior *w, double off)
{
    if (w->onto) {
        w->onto++;
        if (off < NEAR) {
            w->onto = 0;
            keep_place(l, w, &w->last);
        }
        return 0;
    }
    if (off > FAR && w->reach > REACH_LEAST) {
        take_place(l, &w->last, w);
        w->reach = fmax(0.4 * w->reach, REACH_LEAST);
        return 1;
    }
    keep_place(l, w, &w->last);
    w->reach *= off < 0.3 * NEAR ? 1.4 : off > NEAR ? 0.7 : 1.0;
    w->reach = fmin(fmax(w->reach, REACH_LEAST), REACH_MOST);
    return 0;
}

/* Leave the path with the step to sigma = 0 if that is long, beyond what held it up: the correction
 * d less the tangent.  Returns its length, 0 if it is not taken. */
static double leave(const sp_fc_island *l, sp_fc_interior *w, double along)
{
    if (w->onto || w->sign < 0 || !(w->gap < fmin(w->jam, w->least))) {
        return 0.0;
    }
    add(l, &w->d, -1.0 - along, &w->t);
    const double step = sp_fc_interior_reach(l, w);
    if (step < LEAVES) {
        add(l, &w->d, 1.0 + along, &w->t);
        return 0.0;
    }
    const sp_fc_place on_path = w->last; /* the one to come back to in the end */
    w->last = w->place[0];
    w->place[0] = on_path;
    w->n_place = 1;
    w->follows = 0;
    return step;
}

/* Count the turns and see whether the path came back to where it was: the least sigma before a turn
 * is that of another one, which is taken anew after 1, 2, 4, 8 of them.   [Brent80] */
static void watch_turns(sp_fc_interior *w)
{
    const int falls = w->sign > 0;
    if (w->falls && !falls) {
        w->closed = fabs(w->gap - w->mark) < SAME * w->gap;
        w->least = w->turns == 0 ? w->gap : w->least;
        if (w->turns++ == w->look) {
            w->mark = w->gap;
            w->look = 2 * w->look + 1;
        }
    }
    w->closed |= w->gap > w->highest; /* past where it began */
    w->falls = falls;
}

double sp_fc_interior_go(const sp_fc_island *l, sp_fc_interior *w, double step)
{
    for (int e = 0; e < l->n; e++) {
        w->x[e] += step * w->d.x[e];
        w->z[e] += step * w->d.z[e];
        w->p[e] += step * w->d.p[e];
    }
    return step;
}

/* d, which goes `from` along the path, goes `to` instead.   theory (32.5) */
static void add_ahead(const sp_fc_island *l, sp_fc_interior *w, double from, double to)
{
    add(l, &w->d, to - from, &w->t);
    add(l, &w->d, 0.5 * (to * to - from * from), &w->s);
}

/* 1 if a contact is far from where the others are on the path: its own x o z is not sigma. */
static int is_off_centre(const sp_fc_island *l, const sp_fc_interior *w)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = sp_fc_cone_rows(l, i);
        const double own = dim > 1
                               ? sqrt(sp_fc_cone_det(dim, w->x + k) * sp_fc_cone_det(dim, w->z + k))
                           : dim ? w->x[k] * w->z[k]
                                 : w->gap;
        if (!(own > CENTRE * w->gap)) {
            return 1;
        }
    }
    return 0;
}

double sp_fc_interior_follow(const sp_fc_island *l, sp_fc_goal *g, sp_fc_interior *w)
{
    sp_fc_interior_defect(l, w);
    if (!sp_fc_interior_factor(l, g, w)) {
        return 0.0;
    }
    w->sign = sp_fc_linear_sign(&w->linear);
    w->onto = w->onto ? w->onto : is_off_centre(l, w);
    find_derivatives(l, w);
    sp_fc_interior_aim(l, w, w->gap, 0);
    sp_fc_interior_direction(l, w);
    const double along = w->onto ? 0.0 : take_across(l, w, &w->d);
    const double off = largest_change(l, w, &w->d);
    if (is_too_far(l, w, off)) {
        return 1.0;
    }
    const double leaving = off < NEAR ? leave(l, w, along) : 0.0;
    if (leaving > 0.0) {
        return sp_fc_interior_go(l, w, leaving);
    }
    if (w->onto) {
        return sp_fc_interior_go(l, w, sp_fc_interior_reach(l, w));
    }
    watch_turns(w);
    const double bent = take_across(l, w, &w->s), bend = largest_change(l, w, &w->s);
    const double far = fmin(1.0, w->reach / largest_change(l, w, &w->t)) * fmax(0.0, 1.0 - off);
    const double most = fmin(far, sqrt(2.0 * BEND * w->reach / bend));
    double ahead = w->sign > 0 ? -most : most;
    add_ahead(l, w, 0.0, ahead);
    for (int k = 0; k < HALVINGS && sp_fc_interior_reach(l, w) < 1.0; k++, ahead *= 0.5) {
        add_ahead(l, w, ahead, 0.5 * ahead);
    }
    const double half = 0.5 * ahead * ahead,
                 step = sp_fc_interior_go(l, w, sp_fc_interior_reach(l, w));
    w->gap *= exp(step * (along + ahead + half * bent));
    return step;
}
