/* contact/gaps.c - nearest points between contours of the plane.   theory section 4 */
#include "contact/con3.h"
#include "contact/curve_pair.h"
#include "contact/pool3.h"
#include "contact/rule.h"

#include <string.h>

#if defined(__GNUC__)
#define SP_NOINLINE __attribute__((noinline))
#else
#define SP_NOINLINE
#endif

/* Nearest feature of a polygon or segment to a place: an edge j, or a corner n_vertex + j. */
typedef struct nearest {
    int feature;
    double distance; /* of the place from the feature, negative inside the material */
} nearest;

/* Edge of a contour in the world: unit direction, outward normal, length. */
typedef struct edge {
    sp_vec from, along, n;
    double length;
} edge;

static edge edge_of(const sp_contour *c, const sp_vec *vertex, int j)
{
    edge e;
    const sp_vec *v = vertex + c->vertex;
    e.from = v[j];
    const sp_vec d = sp_sub(v[j + 1 < c->n_vertex ? j + 1 : 0], v[j]);
    e.length = sp_length(d);
    e.along = sp_scale(1.0 / e.length, d);
    e.n = sp_right_of(e.along);
    if (c->kind == SP_CONTOUR_SEGMENT) { /* material on the right, normal to the left */
        e.n = sp_scale(-1.0, e.n);
    }
    return e;
}

/* Edges whose distances differ by less are equally near [m]; a place that came in over an edge may
 * stand out beside it by this [m]: corners of equal boxes stand on each other. */
#define TIE    1e-12
#define BESIDE 1e-9

/* What side a puts forward: a place; if it is a corner, the direction out of it; and the edge of b
 * that it was over in the step before. */
typedef struct probe {
    sp_vec x;
    sp_vec out; /* sum of the unit vectors from the neighbouring corners; zero: no corner */
    int hint;   /* edge + 1, 0: none                                                      */
} probe;

static probe probe_of(const sp_contour *c, const sp_vec *vertex, int a, int hint)
{
    probe p = {vertex[a], {0.0, 0.0}, hint};
    if (c->kind == SP_CONTOUR_POLYGON || c->kind == SP_CONTOUR_SEGMENT) {
        const int n = c->n_vertex, j = a - c->vertex;
        const sp_vec *v = vertex + c->vertex;
        const sp_vec from[2] = {sp_sub(v[j], v[(j + 1) % n]), sp_sub(v[j], v[(j + n - 1) % n])};
        for (int k = 0; k < 2; k++) {
            p.out = sp_axpy(p.out, 1.0 / sp_length(from[k]), from[k]);
        }
    }
    return p;
}

static nearest nearest_corner(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    nearest best = {c->n_vertex, INFINITY};
    for (int j = 0; j < c->n_vertex; j++) {
        const double d = sp_length(sp_sub(x, vertex[c->vertex + j]));
        if (d < best.distance) {
            best = (nearest){c->n_vertex + j, d};
        }
    }
    return best;
}

/* A segment is the face of a strip of material as deep as it is long. */
static nearest nearest_on_segment(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    const edge e = edge_of(c, vertex, 0);
    const sp_vec r = sp_sub(x, e.from);
    const double d = sp_inner(e.n, r), s = sp_inner(e.along, r);
    if (s >= 0.0 && s <= e.length && d >= -e.length) {
        return (nearest){0, d};
    }
    return nearest_corner(c, vertex, x);
}

/* The nearest edge that a place outside lies over, else the nearest corner. */
static nearest nearest_outside(const sp_contour *c, const sp_vec *vertex, sp_vec x)
{
    nearest face = {SP_NONE, INFINITY};
    for (int j = 0; j < c->n_vertex; j++) {
        const edge e = edge_of(c, vertex, j);
        const sp_vec r = sp_sub(x, e.from);
        const double d = sp_inner(e.n, r), s = sp_inner(e.along, r);
        if (d > 0.0 && s >= 0.0 && s <= e.length && d < face.distance) {
            face = (nearest){j, d};
        }
    }
    return face.feature != SP_NONE ? face : nearest_corner(c, vertex, x);
}

/* Inside: the edge that is nearest to the surface; where two are equally near, the one that the
 * corner points at most.  But a place that came in over an edge stays under that edge, however near
 * another is: equal boxes that stand flush meet with their faces, not their sides.  theory (4.1) */
static nearest nearest_on_polygon(const sp_contour *c, const sp_vec *vertex, const probe *p)
{
    nearest deepest = {0, -INFINITY}, came = {SP_NONE, 0.0};
    double facing = INFINITY, others = -INFINITY;
    for (int j = 0; j < c->n_vertex; j++) {
        const edge e = edge_of(c, vertex, j);
        const sp_vec r = sp_sub(p->x, e.from);
        const double d = sp_inner(e.n, r), s = sp_inner(e.along, r), away = sp_inner(e.n, p->out);
        if (j + 1 == p->hint && d <= 0.0 && d > -e.length && s >= -BESIDE &&
            s <= e.length + BESIDE) {
            came = (nearest){j, d};
        } else {
            others = d > others ? d : others;
        }
        if (d > deepest.distance + TIE || (d >= deepest.distance - TIE && away < facing)) {
            deepest = (nearest){j, d};
            facing = away;
        }
    }
    if (came.feature != SP_NONE && others <= BESIDE) {
        return came;
    }
    return deepest.distance <= TIE ? deepest : nearest_outside(c, vertex, p->x);
}

static nearest nearest_feature(const sp_contour *c, const sp_vec *vertex, const probe *p)
{
    return c->kind == SP_CONTOUR_SEGMENT ? nearest_on_segment(c, vertex, p->x)
                                         : nearest_on_polygon(c, vertex, p);
}

/* Gap of a vertex against side b of a run, and the nearest feature there. */
static double gap(const sp_model *m, const sp_slot_run *run, int a, const double *radius,
                  const sp_vec *vertex, int hint, int *feature)
{
    switch ((sp_slot_kind)run->kind) {
    case SP_SLOT_DISC:
        return sp_length(sp_sub(vertex[a], vertex[run->b])) - radius[a] - radius[run->b];
    case SP_SLOT_HOLLOW:
        return radius[run->b] - radius[a] - sp_length(sp_sub(vertex[a], vertex[run->b]));
    default: {
        const probe p = probe_of(&m->contour[run->contour_a], vertex, a, hint);
        const nearest best = nearest_feature(&m->contour[run->contour], vertex, &p);
        *feature = best.feature;
        return best.distance - radius[a];
    }
    }
}

/* World places of the vertices that are looked at there. */
static void place_vertices(const sp_model *m, const sp_numbers *num, sp_con *con)
{
    for (int i = 0; i < m->layout.n_vertex_run; i++) {
        const sp_vertex_run *run = &m->layout.vertex_run[i];
        const sp_frame *f = &con->kin->frame[run->body];
        for (int k = run->vertex; k < run->vertex + run->n; k++) {
            con->vertex[k] = sp_kin_place(f, sp_vec_of(num->vertex[k]));
        }
    }
}

/* Gaps of the corners (or discs) of a run over the line through x_b with normal n.  The line is
 * taken into their frame:
 *     g_N = n.(r_a + R_a x - x_b) - r = n.(r_a - x_b) + (R_a^T n).x - r         theory (4.1)
 * Returns the smallest of them and `least`. */
static inline double line_gaps(const sp_numbers *num, const sp_slot_run *run, const sp_frame *a,
                               sp_vec n, sp_vec x_b, double least, double *g)
{
    const sp_vec n_a = sp_rotate_back(a->R, n);
    const double height = sp_inner(n, sp_sub(a->x, x_b));
    const double *radius = num->radius + run->a, *x = num->vertex[run->a], *end = g + run->n;
    for (; g < end; g++, radius++, x += 2) {
        const double g_N = height + sp_inner(n_a, sp_vec_of(x)) - *radius;
        *g = g_N;
        least = g_N < least ? g_N : least;
    }
    return least;
}

/* The same for a run on any line; most lines belong to the ground. */
static inline double gaps_on_line(const sp_numbers *num, const sp_slot_run *run, const sp_kin *kin,
                                  double least, double *g)
{
    sp_vec n = sp_vec_of(num->contour[run->contour].normal), x_b = sp_vec_of(num->vertex[run->b]);
    if (run->body_b != SP_GROUND) {
        n = sp_rotate(kin->frame[run->body_b].R, n);
        x_b = sp_kin_place(&kin->frame[run->body_b], x_b);
    }
    return line_gaps(num, run, &kin->frame[run->body_a], n, x_b, least, g + run->slot);
}

/* Gaps of a run with curves. */
static double gaps_on_curve(const sp_model *m, const sp_numbers *num, const sp_slot_run *run,
                            sp_con *con)
{
    double least = INFINITY;
    for (int slot = run->slot; slot < run->slot + run->n; slot++) {
        const double g_N = sp_curve_gap(m, num, con, slot);
        con->g[slot] = g_N;
        con->feature[slot] = 0;
        con->lost = g_N != g_N ? slot + 1 : con->lost;
        least = g_N < least ? g_N : least;
    }
    return least;
}

/* Gaps of a run of any other kind. */
static double gaps_elsewhere(const sp_model *m, const sp_numbers *num, const sp_slot_run *run,
                             sp_con *con)
{
    const double *radius = num->radius;
    double least = INFINITY;
    if (sp_con_on_curve(&m->slot[run->slot])) {
        return gaps_on_curve(m, num, run, con);
    }
    for (int i = 0; i < run->n; i++) {
        const int slot = run->slot + i;
        const double g_N =
            gap(m, run, run->a + i, radius, con->vertex, con->hint[slot], &con->feature[slot]);
        con->g[slot] = g_N;
        least = g_N < least ? g_N : least;
    }
    return least;
}

/* Gaps of slots by expressions; returns the smallest of them and `least`. */
static double rule_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con)
{
    con->off = 0.0;
    for (int i = 0; i < m->layout.n_rule_slot; i++) {
        const int slot = m->layout.rule_slot[i];
        const sp_slot_kind kind = m->slot[slot].kind;
        const bool gapless = kind >= SP_SLOT_FRICTION && kind <= SP_SLOT_THRESHOLD;
        const double g_N = gapless ? -INFINITY : sp_rule_gap(m, num, con, slot);
        con->g[slot] = g_N;
        if (kind == SP_SLOT_GAP) {
            least = g_N < least ? g_N : least;
        } else if (!gapless) {
            con->off = fabs(g_N) > con->off || g_N != g_N ? fabs(g_N) : con->off;
        }
    }
    return least;
}

/* Gaps of all slots that are not on lines; out of line, so that those on lines stay lean. */
SP_NOINLINE static double other_gaps(const sp_model *m, const sp_numbers *num, double least,
                                     sp_con *con)
{
    const sp_layout *layout = &m->layout;
    con->lost = 0;
    if (layout->n_other_run > 0) {
        place_vertices(m, num, con);
    }
    for (int i = 0; i < layout->n_other_run; i++) {
        const double g_N = gaps_elsewhere(m, num, &layout->other_run[i], con);
        least = g_N < least ? g_N : least;
    }
    least = rule_gaps(m, num, sp_con3_gaps(m, num, least, con), con);
    return con->lost > 0 ? -INFINITY : least; /* sp_con_activate will tell */
}

void sp_con_gaps(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_con *con)
{
    const sp_layout *layout = &m->layout;
    const sp_slot_run *run = layout->line_run, *end = run + layout->n_line_run;
    double least = INFINITY, *g = con->g;
    con->kin = kin;
    for (; run < end; run++) {
        least = gaps_on_line(num, run, kin, least, g);
    }
    con->least = layout->more_gaps ? other_gaps(m, num, least, con) : least;
}

/* Direction between two centres: from b's to a's, reversed in a hole. */
static void round_frame(sp_vec a, sp_vec b, double sign, sp_contact_frame *f)
{
    const sp_vec d = sp_sub(a, b);
    const double distance = sp_length(d);
    const bool apart = distance > 1e-150; /* below, squares underflow and d has no direction */
    f->inv_distance = apart ? 1.0 / distance : 0.0;
    f->n = apart ? sp_scale(sign / distance, d) : (sp_vec){0.0, 1.0};
}

/* n, and the distance of the centres where b is round. */
static void find_normal(const sp_model *m, const sp_con *con, const sp_slot *s, sp_contact_frame *f)
{
    const sp_contour *b = &m->contour[s->contour_b];
    const sp_vec *vertex = con->vertex + b->vertex;
    if (s->kind == SP_SLOT_POLYGON && f->feature < b->n_vertex) {
        f->inv_distance = 0.0;
        f->n = edge_of(b, con->vertex, f->feature).n;
    } else if (s->kind == SP_SLOT_POLYGON) {
        round_frame(f->center, vertex[f->feature - b->n_vertex], 1.0, f);
    } else {
        round_frame(f->center, vertex[0], s->kind == SP_SLOT_DISC ? 1.0 : -1.0, f);
    }
}

void sp_con_find_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                       sp_contact_frame *f)
{
    const sp_slot *s = &m->slot[slot];
    const sp_frame *a = &con->kin->frame[s->body_a], *b = &con->kin->frame[s->body_b];
    if (sp_con_on_curve(s)) {
        sp_curve_frame(m, num, con, slot, f);
        f->t = sp_scale(s->sign_t, sp_right_of(f->n));
        return;
    }
    f->g_N = con->g[slot];
    f->center = sp_kin_place(a, sp_vec_of(num->vertex[s->vertex_a]));
    f->radius = num->radius[s->vertex_a];
    f->feature = con->feature[slot];
    if (s->kind == SP_SLOT_LINE) {
        f->inv_distance = 0.0;
        f->n = sp_rotate(b->R, sp_vec_of(num->contour[s->contour_b].normal));
    } else {
        find_normal(m, con, s, f);
    }
    f->t = sp_scale(s->sign_t, sp_right_of(f->n));
    f->point[0] = sp_axpy(f->center, -f->radius, f->n);
    f->point[1] = sp_axpy(f->point[0], -f->g_N, f->n);
}

sp_contact_frame sp_con_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    sp_contact_frame f;
    sp_con_find_frame(m, num, con, slot, &f);
    return f;
}

void sp_con_gamma(const sp_model *m, const sp_kin *kin, int slot, const sp_contact_frame *f,
                  double gamma[2])
{
    const sp_slot *s = &m->slot[slot];
    const sp_vec v = sp_sub(sp_kin_velocity_at(&kin->frame[s->body_a], f->point[0]),
                            sp_kin_velocity_at(&kin->frame[s->body_b], f->point[1]));
    gamma[0] = sp_inner(f->n, v);
    gamma[1] = sp_inner(f->t, v);
}

/* The centre that the normal turns about when b is round: a corner, or the centre of a circle. */
static sp_vec round_center(const sp_model *m, const sp_con *con, const sp_slot *s, int feature)
{
    const sp_contour *b = &m->contour[s->contour_b];
    const int corner = s->kind == SP_SLOT_POLYGON ? feature - b->n_vertex : 0;
    return con->vertex[b->vertex + corner];
}

void sp_con_bias(const sp_model *m, const sp_kin *kin, const sp_con *con, int slot,
                 const sp_contact_frame *f, double w_bar[2])
{
    const sp_slot *s = &m->slot[slot];
    const sp_frame *a = &kin->frame[s->body_a], *b = &kin->frame[s->body_b];
    if (sp_con_on_ground(m, slot, f)) {
        const sp_vec a0 = sp_kin_bias_at(a, f->point[0]);
        w_bar[0] = sp_inner(f->n, a0);
        w_bar[1] = sp_inner(f->t, a0);
        return;
    }

    /* omega_n: how fast the contact frame turns.   theory (4.6) */
    double omega_n = b->omega;
    const sp_vec v_center = sp_kin_velocity_at(a, f->center);
    if (f->inv_distance != 0.0) {
        const sp_vec center_b = sp_con_on_curve(s)
                                    ? sp_axpy(f->center, -1.0 / f->inv_distance, f->n)
                                    : round_center(m, con, s, f->feature);
        const sp_vec d = sp_sub(f->center, center_b);
        const sp_vec rate = sp_sub(v_center, sp_kin_velocity_at(b, center_b));
        omega_n = sp_cross(d, rate) * f->inv_distance * f->inv_distance;
    }
    const sp_vec n_rate = sp_spin_cross(omega_n, f->n), t_rate = sp_spin_cross(omega_n, f->t);

    /* velocities of the material points, and of the contact points as they wander.   theory (4.7)
     */
    const sp_vec v_a = sp_kin_velocity_at(a, f->point[0]), v_b = sp_kin_velocity_at(b, f->point[1]);
    const sp_vec v_rel = sp_sub(v_a, v_b);
    const sp_vec wander_a = sp_axpy(v_center, -f->radius, n_rate);
    const sp_vec wander_b =
        sp_axpy(sp_axpy(wander_a, -sp_inner(f->n, v_rel), f->n), -f->g_N, n_rate);

    /* accelerations for u' = 0 of the points where contact is.   theory (4.8) */
    const sp_vec acc_a =
        sp_add(sp_kin_bias_at(a, f->point[0]), sp_spin_cross(a->omega, sp_sub(wander_a, v_a)));
    const sp_vec acc_b =
        sp_add(sp_kin_bias_at(b, f->point[1]), sp_spin_cross(b->omega, sp_sub(wander_b, v_b)));
    const sp_vec acc = sp_sub(acc_a, acc_b);
    w_bar[0] = sp_inner(f->n, acc) + sp_inner(n_rate, v_rel); /* theory (4.9) */
    w_bar[1] = sp_inner(f->t, acc) + sp_inner(t_rate, v_rel);
}

/* The edge that a feature is, as a hint; corners, discs and lines give none. */
static int hint_of(const sp_model *m, int slot, int feature)
{
    const sp_slot *s = &m->slot[slot];
    const bool over = s->kind == SP_SLOT_POLYGON && feature < m->contour[s->contour_b].n_vertex;
    return over ? feature + 1 : 0;
}

void sp_con_remember(const sp_model *m, const sp_contact_memory *memory, sp_con *con)
{
    for (int i = 0; i < m->layout.n_other_run; i++) {
        const sp_slot_run *run = &m->layout.other_run[i];
        for (int k = run->slot; k < run->slot + run->n; k++) {
            con->hint[k] = memory ? memory[k].hint : hint_of(m, k, con->feature[k]);
        }
    }
    for (int i = 0; i < m->layout.n_space_slot && m->n_surface > 0; i++) {
        const int slot = m->layout.space_slot[i];
        con->hint[slot] = memory ? memory[slot].hint : con->feature[slot];
    }
    if (m->n_pool > 0 && memory) {
        sp_pool3_remember(m, memory, con);
    }
}

void sp_con_keep(const sp_model *m, const sp_con *con, double *g, sp_contact_memory *memory)
{
    memcpy(g, con->g, (size_t)m->n_slot * sizeof *g);
    for (int i = 0; i < m->n_slot && (m->layout.n_other_run > 0 || m->n_surface > 0); i++) {
        memory[i].hint = con->hint[i];
    }
    if (m->n_pool > 0) {
        sp_pool3_keep(m, con, g, memory);
    }
}

/* How far polygon b lies in front of the edges of polygon a: the largest over the edges of the
 * smallest distance of b's corners. */
static double separation(const sp_contour *a, const sp_contour *b, const sp_vec *vertex)
{
    double most = -INFINITY;
    for (int j = 0; j < a->n_vertex; j++) {
        const edge e = edge_of(a, vertex, j);
        double least = INFINITY;
        for (int k = 0; k < b->n_vertex; k++) {
            const double d = sp_inner(e.n, sp_sub(vertex[b->vertex + k], e.from));
            least = d < least ? d : least;
        }
        most = least > most ? least : most;
    }
    return most;
}

double sp_con_separation(const sp_model *m, const sp_con *con, int slot)
{
    const sp_contour *a = &m->contour[m->slot[slot].contour_a];
    const sp_contour *b = &m->contour[m->slot[slot].contour_b];
    if (a->kind != SP_CONTOUR_POLYGON || b->kind != SP_CONTOUR_POLYGON) {
        return INFINITY;
    }
    const double ab = separation(a, b, con->vertex), ba = separation(b, a, con->vertex);
    return ab > ba ? ab : ba;
}
