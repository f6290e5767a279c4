#include "contact/surface_parts.h"

enum { START_MAX = 5, TURNS = 64 };

#define BALL      1e-12 /* slack of the ball around the samples of a surface, round-off */
#define STEP_TURN 0.6   /* how far a normal may turn in one step, rad */

/* ---- patches in the world ------------------------------------------------------------------- */

bool sp_pair_look(const sp_surface_side *side, const sp_surface_at *at, double *work,
                  sp_surface_patch *p)
{
    if (!sp_surface_eval(side->surface, at, work, p)) {
        return false;
    }
    p->r = sp_add3(side->x, sp_rotate3(side->R, p->r));
    p->n = sp_rotate3(side->R, p->n);
    p->e[0] = sp_rotate3(side->R, p->e[0]);
    p->e[1] = sp_rotate3(side->R, p->e[1]);
    return true;
}

bool sp_pair_advance(const sp_surface *s, const sp_surface_patch *p, const double xi[2],
                     double *work, sp_surface_at *at)
{
    double turn[2], step[2];
    sp_mat2_apply(sp_mat2_of(p->K), xi, turn);
    const double bent = sp_pair_norm(turn), limit = bent > STEP_TURN ? STEP_TURN / bent : 1.0;
    const double part[2] = {limit * xi[0], limit * xi[1]};
    sp_surface_step(p, part, step);
    double scale = 1.0; /* near poles u runs fast: never more than a quarter of its range */
    for (int k = 0; k < 2; k++) {
        const double most = 0.25 * (s->hi[k] - s->lo[k]);
        if (fabs(step[k]) * scale > most && at->chart == 0) {
            scale = most / fabs(step[k]);
        }
    }
    at->u += scale * step[0];
    at->v += scale * step[1];
    return sp_surface_wrap(s, at, work);
}

void sp_pair_keep(const sp_surface_patch *p, const sp_surface_at *at, int k,
                  sp_surface_contact *out)
{
    out->at[k] = *at;
    out->e[k][0] = p->e[0];
    out->e[k][1] = p->e[1];
    for (int i = 0; i < 3; i++) {
        out->K[k][i] = p->K[i];
    }
}

int sp_pair_sample(const sp_surface_side *side, sp_vec3 x)
{
    const sp_vec3 own = sp_rotate_back3(side->R, sp_sub3(x, side->x));
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < side->surface->n_sample; k++) {
        const sp_vec3 d = sp_sub3(side->surface->sample[k].r, own);
        if (sp_inner3(d, d) < least) {
            least = sp_inner3(d, d);
            best = k;
        }
    }
    return best;
}

/* ---- two surfaces ---------------------------------------------------------------------------- */

/* Both patches and how far they are from belonging together. */
typedef struct meeting {
    sp_surface_patch p[2];
    double g;        /* n_b.(r_a - r_b)                             */
    double facing;   /* -n_a.n_b: 1 where they are opposite         */
    double f[2];     /* n_a along b's tangents                      */
    double h[2];     /* r_a - r_b along b's tangents                */
    sp_mat2 turn;    /* b's tangents times a's                      */
    double residual; /* of f and h                                  */
} meeting;

static bool meeting_at(const sp_surface_side *a, const sp_surface_side *b,
                       const sp_surface_at at[2], double *work, meeting *m)
{
    if (!sp_pair_look(a, &at[0], work, &m->p[0]) || !sp_pair_look(b, &at[1], work, &m->p[1])) {
        return false;
    }
    const sp_surface_patch *p = &m->p[0], *q = &m->p[1];
    const sp_vec3 way = sp_sub3(p->r, q->r);
    m->g = sp_inner3(q->n, way);
    m->facing = -sp_inner3(p->n, q->n);
    for (int i = 0; i < 2; i++) {
        m->f[i] = sp_inner3(p->n, q->e[i]);
        m->h[i] = sp_inner3(way, q->e[i]);
    }
    m->turn = (sp_mat2){sp_inner3(q->e[0], p->e[0]), sp_inner3(q->e[0], p->e[1]),
                        sp_inner3(q->e[1], p->e[0]), sp_inner3(q->e[1], p->e[1])};
    m->residual = fmax(sp_pair_norm(m->f), sp_pair_norm(m->h) / a->surface->reach);
    return isfinite(m->residual);
}

/* a's curvature in b's tangents, and 1 + g K_b. */
static void curvatures(const meeting *m, sp_mat2 *K_a, sp_mat2 *K_b, sp_mat2 *P)
{
    *K_a = sp_mat2_mul(sp_mat2_mul(m->turn, sp_mat2_of(m->p[0].K)), sp_mat2_inverse(m->turn));
    *K_b = sp_mat2_of(m->p[1].K);
    *P = (sp_mat2){1.0 + m->g * K_b->a, m->g * K_b->b, m->g * K_b->c, 1.0 + m->g * K_b->d};
}

/* Newton's step: with Phi = turn and A = Phi K_a Phi^-1
 *
 *     (A P + facing K_b) xi_b = A h - f,     xi_a = Phi^-1 (P xi_b - h)            theory (20.9) */
static void newton_step(const meeting *m, double xi_a[2], double xi_b[2])
{
    sp_mat2 A, K_b, P;
    curvatures(m, &A, &K_b, &P);
    sp_mat2 system = sp_mat2_mul(A, P);
    system.a += m->facing * K_b.a;
    system.b += m->facing * K_b.b;
    system.c += m->facing * K_b.c;
    system.d += m->facing * K_b.d;
    double right[2], way[2];
    sp_mat2_apply(A, m->h, right);
    right[0] -= m->f[0];
    right[1] -= m->f[1];
    sp_mat2_solve(system, right, xi_b);
    sp_mat2_apply(P, xi_b, way);
    way[0] -= m->h[0];
    way[1] -= m->h[1];
    sp_mat2_apply(sp_mat2_inverse(m->turn), way, xi_a);
}

/* Whether the places are a contact: the relative curvature K_a + K_b P^-1 and P are positive.
 * theory (20.11) */
static sp_surface_fit judge(const meeting *m)
{
    sp_mat2 A, K_b, P;
    curvatures(m, &A, &K_b, &P);
    if (!(sp_mat2_least(P) > 1e-6) || !(m->facing > 0.0)) {
        return SP_FIT_LOST;
    }
    sp_mat2 Q = sp_mat2_mul(K_b, sp_mat2_inverse(P));
    Q = (sp_mat2){Q.a + A.a, Q.b + A.b, Q.c + A.c, Q.d + A.d};
    const double scale = sqrt(A.a * A.a + A.b * A.b + A.c * A.c + A.d * A.d + K_b.a * K_b.a +
                              2.0 * K_b.b * K_b.b + K_b.d * K_b.d);
    const double least = sp_mat2_least(Q);
    return least > SP_PAIR_FLAT * scale     ? SP_FIT_POINT
           : least >= -SP_PAIR_FLAT * scale ? SP_FIT_FLAT
                                            : SP_FIT_LOST;
}

/* Newton from two places. */
static void follow(const sp_surface_side *a, const sp_surface_side *b, const sp_surface_at start[2],
                   double *work, sp_surface_contact *out)
{
    sp_surface_at at[2] = {start[0], start[1]};
    double last = INFINITY;
    bool inside = true;
    meeting m;
    out->fit = SP_FIT_LOST;
    for (int k = 0; k < SP_PAIR_NEWTON; k++, out->n_newton++) {
        if (!meeting_at(a, b, at, work, &m) || !(m.facing > 0.1)) {
            out->fit = inside ? SP_FIT_LOST : SP_FIT_PAST;
            return;
        }
        out->residual = m.residual;
        if (m.residual < 1e-15 || (m.residual < SP_PAIR_FLOOR && m.residual >= 0.5 * last) ||
            k + 1 == SP_PAIR_NEWTON) { /* places that were looked at, not the next ones */
            break;
        }
        last = m.residual;
        double xi_a[2], xi_b[2];
        newton_step(&m, xi_a, xi_b);
        const bool in_a = sp_pair_advance(a->surface, &m.p[0], xi_a, work, &at[0]);
        const bool in_b = sp_pair_advance(b->surface, &m.p[1], xi_b, work, &at[1]);
        inside = inside && in_a && in_b;
    }
    if (!(out->residual < SP_PAIR_FLOOR)) { /* held up at a border, or astray */
        out->fit = inside ? SP_FIT_LOST : SP_FIT_PAST;
        return;
    }
    out->fit = judge(&m);
    if (out->fit ==
        SP_FIT_LOST) { /* no contact: what is nearest stands at a border, if there is one */
        out->fit = sp_surface_has_border(a->surface) || sp_surface_has_border(b->surface)
                       ? SP_FIT_PAST
                       : SP_FIT_LOST;
        return;
    }
    out->g = m.g;
    out->n = m.p[1].n;
    out->point[1] = m.p[1].r;
    out->point[0] = sp_axpy3(m.p[1].r, m.g, m.p[1].n);
    sp_pair_keep(&m.p[0], &at[0], 0, out);
    sp_pair_keep(&m.p[1], &at[1], 1, out);
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* A start: how near two samples come to belonging together, by their distance, longer the less
 * their normals face each other. */
typedef struct start {
    double score;
    int a, b;
} start;

/* Put a start into the list of the best, unless a better one is near it on a. */
static int put_start(const sp_surface *a, start new, start *list, int n)
{
    const double near = 0.4 * a->reach;
    for (int k = 0; k < n; k++) {
        const double apart = sp_length3(sp_sub3(a->sample[list[k].a].r, a->sample[new.a].r));
        if (apart < near) {
            if (new.score < list[k].score) {
                list[k] = new;
            }
            return n;
        }
    }
    if (n < START_MAX) {
        list[n] = new;
        return n + 1;
    }
    int worst = 0;
    for (int k = 1; k < n; k++) {
        worst = list[k].score > list[worst].score ? k : worst;
    }
    if (new.score < list[worst].score) {
        list[worst] = new;
    }
    return n;
}

/* Whether a start with this score would change nothing: the list is full of better ones. */
static bool is_hopeless(const start *list, int n, double score)
{
    bool worse = n == START_MAX;
    for (int k = 0; k < n; k++) {
        worse = worse && score >= list[k].score;
    }
    return worse;
}

/* The sample of t that belongs best to a place r with normal n_a, both in its frame, and the square
 * of the distance of the nearest one.  guess is one that is not bad: tiles of samples that are
 * farther away than it are passed over. */
static start best_sample(const sp_surface *t, sp_vec3 r, sp_vec3 n_a, double size, int guess,
                         double *square)
{
    const double far = sp_length3(sp_sub3(t->sample[guess].r, r));
    const double score = far + 0.5 * size * (1.0 + sp_inner3(n_a, t->sample[guess].n));
    start best = {INFINITY, 0, guess};
    *square = INFINITY;
    for (int k = 0; k < t->n_tile; k++) {
        const sp_surface_tile *tile = &t->tile[k];
        const double most = tile->reach + (score < best.score ? score : best.score);
        const sp_vec3 apart = sp_sub3(r, tile->middle);
        if (sp_inner3(apart, apart) * (1.0 - BALL) > most * most) {
            continue;
        }
        for (int i = 0; i < SP_SURFACE_TILE_U * SP_SURFACE_TILE_V; i++) {
            const int j = tile->sample[i];
            const sp_vec3 way = sp_sub3(t->sample[j].r, r);
            const double way2 = sp_inner3(way, way);
            *square = way2 < *square ? way2 : *square;
            if (way2 > best.score * best.score) {
                continue;
            }
            const double own = sqrt(way2) + 0.5 * size * (1.0 + sp_inner3(n_a, t->sample[j].n));
            if (own < best.score || (own == best.score && j < best.b)) {
                best.score = own;
                best.b = j;
            }
        }
    }
    return best;
}

/* The best pairs of samples of two surfaces, and the distance of the nearest ones.  Samples of a
 * that are too far from the ball around b, and samples of b whose distance alone is too much, are
 * passed over: they would change nothing. */
static int find_starts(const sp_surface_side *a, const sp_surface_side *b, start list[START_MAX],
                       double *least)
{
    const sp_surface *s = a->surface, *t = b->surface;
    const double size = fmin(s->reach, t->reach);
    int n = 0, guess = 0;
    for (int i = 0; i < s->n_sample; i++) {
        const sp_vec3 world = sp_add3(a->x, sp_rotate3(a->R, s->sample[i].r));
        const sp_vec3 r = sp_rotate_back3(b->R, sp_sub3(world, b->x));
        const sp_vec3 n_a = sp_rotate_back3(b->R, sp_rotate3(a->R, s->sample[i].n));
        const double apart = (1.0 - BALL) * sp_length3(sp_sub3(r, t->middle)) - t->reach;
        if (apart >= *least && is_hopeless(list, n, apart)) {
            continue;
        }
        double square;
        start best = best_sample(t, r, n_a, size, guess, &square);
        best.a = i;
        guess = best.b;
        *least = fmin(*least, sqrt(square));
        n = put_start(s, best, list, n);
    }
    return n;
}

/* Keep the nearer of two results; past the border counts only if nothing else was found. */
static void keep_nearer(const sp_surface_contact *found, sp_surface_contact *best)
{
    const bool good = found->fit == SP_FIT_POINT || found->fit == SP_FIT_FLAT;
    const bool had = best->fit == SP_FIT_POINT || best->fit == SP_FIT_FLAT;
    const int n_newton = best->n_newton + found->n_newton;
    if ((good && (!had || fabs(found->g) < fabs(best->g))) || (!had && found->fit == SP_FIT_PAST)) {
        *best = *found;
    }
    best->n_newton = n_newton;
}

/* On a plane: the place of a that is lowest over it, and below that the place on the plane. */
static void start_on_plane(const sp_surface_side *a, const sp_surface_side *b, double *work,
                           sp_surface_at at[2])
{
    const sp_surface *s = a->surface, *t = b->surface;
    const sp_vec3 n = sp_rotate3(b->R, sp_scale3(t->side, t->turn.z));
    const sp_vec3 down = sp_scale3(-1.0, sp_rotate_back3(a->R, n));
    if (!sp_surface_facing(s, down, &at[0])) {
        double most = -INFINITY;
        for (int k = 0; k < s->n_sample; k++) {
            const double height = sp_inner3(s->sample[k].r, down);
            if (height > most) {
                most = height;
                at[0] = s->sample[k].at;
            }
        }
    }
    sp_surface_wrap(s, &at[0], work);
    sp_surface_patch p;
    sp_vec3 r = a->x;
    if (sp_pair_look(a, &at[0], work, &p)) {
        r = p.r;
    }
    sp_surface_foot(t, sp_rotate_back3(b->R, sp_sub3(r, b->x)), work, &at[1]);
}

/* From a pair of samples by the nearest places of the one to the other in turns, then by Newton.
 * theory (20.20) */
static void follow_feet(const sp_surface_side *a, const sp_surface_side *b, const start *from,
                        double *work, sp_surface_contact *out)
{
    const sp_surface_side *side[] = {a, b};
    sp_surface_at at[2] = {a->surface->sample[from->a].at, b->surface->sample[from->b].at};
    sp_vec3 x = sp_add3(b->x, sp_rotate3(b->R, b->surface->sample[from->b].r));
    for (int k = 0; k < 2 * TURNS; k++) {
        sp_surface_contact foot;
        sp_surface_meet_ball(x, 0.0, side[k % 2], work, &foot);
        if (foot.fit == SP_FIT_LOST || foot.fit == SP_FIT_RIM) {
            return;
        }
        x = foot.point[1];
        at[k % 2] = foot.at[1];
        if (k % 8 == 7) {
            sp_surface_contact found = {.fit = SP_FIT_LOST, .g = NAN};
            follow(a, b, at, work, &found);
            keep_nearer(&found, out);
            if (out->fit == SP_FIT_POINT || out->fit == SP_FIT_FLAT) {
                return;
            }
        }
    }
}

/* Search from the samples.  Where nothing ends, an open gap can be no larger than the distance of
 * any two samples: else the surfaces cross, and the least penetration found counts. */
static void search(const sp_surface_side *a, const sp_surface_side *b, double *work,
                   sp_surface_contact *out)
{
    start list[START_MAX];
    double least = INFINITY;
    sp_surface_contact deep = {.fit = SP_FIT_LOST, .g = NAN};
    const int n = find_starts(a, b, list, &least);
    for (int k = 0; k < n; k++) {
        const sp_surface_at at[2] = {a->surface->sample[list[k].a].at,
                                     b->surface->sample[list[k].b].at};
        sp_surface_contact found = {.fit = SP_FIT_LOST, .g = NAN};
        follow(a, b, at, work, &found);
        keep_nearer(&found, out);
        if (found.g <= 0.0) {
            keep_nearer(&found, &deep);
        }
    }
    for (int k = 0; k < n && out->fit != SP_FIT_POINT && out->fit != SP_FIT_FLAT; k++) {
        follow_feet(a, b, &list[k], work, out);
    }
    if (out->g > least * (1.0 + 1e-9) && !sp_surface_has_border(a->surface) &&
        !sp_surface_has_border(b->surface)) {
        *out = deep;
    }
}

void sp_surface_meet(const sp_surface_side *a, const sp_surface_side *b, const sp_surface_at *from,
                     double *work, sp_surface_contact *out)
{
    *out = (sp_surface_contact){.fit = SP_FIT_LOST, .g = NAN};
    if (b->surface->kind == SP_SURFACE_PLANE) {
        sp_surface_at at[2];
        start_on_plane(a, b, work, at);
        follow(a, b, at, work, out);
    } else {
        if (from) {
            follow(a, b, from, work, out);
        }
        if (out->fit != SP_FIT_POINT) {
            search(a, b, work, out);
        }
    }
    if (out->fit == SP_FIT_PAST || out->fit == SP_FIT_LOST) {
        const bool lost = out->fit == SP_FIT_LOST;
        out->fit = SP_FIT_LOST;
        sp_surface_meet_rim(a, b, lost, work, out);
    }
    if (out->fit == SP_FIT_LOST) {
        out->g = NAN;
    }
}

int sp_surface_hint(const sp_surface_side *a, const sp_surface_side *b, const sp_surface_contact *c)
{
    if (c->fit != SP_FIT_POINT || a->surface->n_sample == 0 || b->surface->n_sample == 0) {
        return 0;
    }
    return sp_pair_sample(a, c->point[0]) * b->surface->n_sample + sp_pair_sample(b, c->point[1]) +
           1;
}

bool sp_surface_from_hint(const sp_surface_side *a, const sp_surface_side *b, int hint,
                          sp_surface_at at[2])
{
    const int n_b = b->surface->n_sample;
    if (hint <= 0 || n_b == 0 || (hint - 1) / n_b >= a->surface->n_sample) {
        return false;
    }
    at[0] = a->surface->sample[(hint - 1) / n_b].at;
    at[1] = b->surface->sample[(hint - 1) % n_b].at;
    return true;
}
