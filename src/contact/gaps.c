/* contact/gaps.c - nearest points between contours of the plane.   theory section 4 */
#include "base/inline.h"
#include "contact/con3.h"
#include "contact/curve_pair.h"
#include "contact/edges.h"
#include "contact/pool3.h"
#include "contact/rule.h"
#include "contact/skin.h"

#include <limits.h>
#include <string.h>

/* Gap of slot i of a run, and the nearest feature there. */
static double gap(const sp_model *m, const sp_slot_run *run, int i, const double *radius,
                  sp_con *con)
{
    const int a = run->a + i, slot = run->slot + i;
    const sp_vec *vertex = con->vertex;
    switch ((sp_slot_kind)run->kind) {
    case SP_SLOT_DISC:
        return sp_length(sp_sub(vertex[a], vertex[run->b])) - radius[a] - radius[run->b];
    case SP_SLOT_HOLLOW:
        return radius[run->b] - radius[a] - sp_length(sp_sub(vertex[a], vertex[run->b]));
    default: {
        const sp_contour *b = &m->contour[run->contour];
        const sp_probe p =
            sp_probe_of(&m->contour[run->contour_a], vertex, a, radius[a], con->hint[slot]);
        const int held = con->hold ? con->hold[slot] : 0;
        const sp_edges_at best =
            held > 0 ? sp_edges_held(b, vertex, p.x, held - 1) : sp_edges_nearest(b, vertex, &p);
        con->feature[slot] = best.feature;
        con->barred[slot] = best.barred;
        return best.distance - radius[a];
    }
    }
}

/* World places of the vertices that are looked at there. */
static void place_vertices(const sp_model *m, const sp_numbers *num, sp_con *con)
{
    for (int i = 0; i < m->layout.n_vertex_run; i++) {
        const sp_vertex_run *run = &m->layout.vertex_run[i];
        const sp_pose2 f = sp_mark_pose2(con->kin, &num->contour[run->contour].mark);
        for (int k = run->vertex; k < run->vertex + run->n; k++) {
            con->vertex[k] = sp_pose2_place(&f, sp_vec_of(num->vertex[k]));
        }
    }
}

/* Gaps of the corners (or discs) of a run over the line through x_b with normal n.  The line is
 * taken into their frame:
 *     g_N = n.(r_a + R_a x - x_b) - r = n.(r_a - x_b) + (R_a^T n).x - r         theory (4.1)
 * Returns the smallest of them and `least`. */
static inline double line_gaps(const sp_numbers *num, const sp_slot_run *run, sp_pose2 a, sp_vec n,
                               sp_vec x_b, double least, double *g)
{
    const sp_vec n_a = sp_rotate_back(a.R, n);
    const double height = sp_inner(n, sp_sub(a.x, x_b));
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
    const sp_contour_numbers *line = &num->contour[run->contour];
    sp_vec n = sp_vec_of(line->normal), x_b = sp_vec_of(num->vertex[run->b]);
    if (!run->grounded) {
        const sp_pose2 b = sp_mark_pose2(kin, &line->mark);
        n = sp_rotate(b.R, n);
        x_b = sp_pose2_place(&b, x_b);
    }
    const sp_pose2 a = sp_mark_pose2(kin, &num->contour[run->contour_a].mark);
    return line_gaps(num, run, a, n, x_b, least, g + run->slot);
}

/* Gaps of a run with curves. */
static double gaps_on_curve(const sp_model *m, const sp_numbers *num, const sp_slot_run *run,
                            sp_con *con)
{
    double least = INFINITY;
    for (int slot = run->slot; slot < run->slot + run->n; slot++) {
        con->g[slot] = sp_curve_gap(m, num, con, slot);
        con->lost = con->g[slot] != con->g[slot] ? slot + 1 : con->lost;
        sp_curve_part_slots(m, slot, con);
    }
    for (int slot = run->slot; slot < run->slot + run->n; slot++) {
        least = con->g[slot] < least ? con->g[slot] : least;
    }
    return least;
}

/* Gaps of a run of any other kind. */
static double gaps_elsewhere(const sp_model *m, const sp_numbers *num, const sp_slot_run *run,
                             sp_con *con)
{
    double least = INFINITY;
    if (m->slot[run->slot].is.curved) {
        return gaps_on_curve(m, num, run, con);
    }
    for (int i = 0; i < run->n; i++) {
        const double g_N = gap(m, run, i, num->radius, con);
        con->g[run->slot + i] = g_N;
        least = g_N < least ? g_N : least;
    }
    return least;
}

/* Gaps of slots by expressions; returns the smallest of them and `least`.  Both ends of a range
 * have one measure. */
static double rule_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con)
{
    const sp_program *last = NULL;
    double x = 0.0;
    con->off = 0.0;
    for (int i = 0; i < m->layout.n_rule_slot; i++) {
        const int slot = m->layout.rule_slot[i];
        const sp_slot_traits is = m->slot[slot].is;
        double g_N = -INFINITY;
        if (is.loop) {
            g_N = sp_rule_gap(m, num, con, slot);
        } else if (!is.gapless) {
            const sp_rule *rule = &m->rule[m->slot[slot].rule];
            x = last && rule->measure.program == last ? x : sp_rule_measure(rule, con);
            last = rule->measure.program;
            g_N = rule->sign * x + rule->offset;
        }
        con->g[slot] = g_N;
        if (!is.gapless && !is.bilateral) {
            least = g_N < least ? g_N : least;
        } else if (is.bilateral) {
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
        sp_skin_place(m, con);
    }
    for (int i = 0; i < layout->n_other_run; i++) {
        const double g_N = gaps_elsewhere(m, num, &layout->other_run[i], con);
        least = g_N < least ? g_N : least;
    }
    least = rule_gaps(m, num, sp_con3_gaps(m, num, least, con), con);
    return con->lost > 0 ? -INFINITY : least; /* sp_con_activate reports it */
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
        f->n = sp_edge_of(b, con->vertex, f->feature).n;
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
    f->mark[0] = &num->contour[s->contour_a].mark;
    f->mark[1] = &num->contour[s->contour_b].mark;
    if (s->is.curved) {
        sp_curve_frame(m, num, con, slot, f);
        f->t = sp_scale(s->sign_t, sp_right_of(f->n));
        return;
    }
    f->g_N = con->g[slot];
    const sp_pose2 a = sp_mark_pose2(con->kin, f->mark[0]);
    f->center = sp_pose2_place(&a, sp_vec_of(num->vertex[s->vertex_a]));
    f->radius = num->radius[s->vertex_a];
    f->feature = con->feature[slot];
    if (s->kind == SP_SLOT_LINE) {
        f->inv_distance = 0.0;
        f->n = sp_rotate(sp_mark_pose2(con->kin, f->mark[1]).R,
                         sp_vec_of(num->contour[s->contour_b].normal));
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

void sp_con_gamma(const sp_kin *kin, const sp_contact_frame *f, double gamma[2])
{
    const sp_vec v = sp_sub(sp_mark_velocity2(kin, f->mark[0], f->point[0]),
                            sp_mark_velocity2(kin, f->mark[1], f->point[1]));
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

/* A side of a contact as it moves: the material at its point, and whatever goes with that. */
typedef struct side_motion {
    const sp_mark *mark;
    bool bent;            /* a line that bends: what goes with it follows the line at the point */
    sp_vec x, v, a;       /* point; velocity; acceleration for u' = 0                          */
    double spin, stretch; /* of the line there: theory (98.3)                              */
} side_motion;

static side_motion side_motion_of(const sp_model *m, const sp_kin *kin, const sp_con *con, int slot,
                                  const sp_contact_frame *f, int k)
{
    const int contour = k == 0 ? m->slot[slot].contour_a : m->slot[slot].contour_b;
    const sp_spot s = sp_con_spot(kin, f, k);
    side_motion side = {.mark = f->mark[k],
                        .bent = sp_skin_is(con, contour),
                        .x = f->point[k],
                        .v = sp_mark_velocity2(kin, f->mark[k], f->point[k]),
                        .a = sp_spot_flat(sp_spot_bias(kin, &s))};
    if (side.bent) {
        const sp_skin_rate rate = sp_skin_rate_at(kin, con, contour, f->mark[k]);
        side.spin = rate.spin;
        side.stretch = rate.stretch;
    } else {
        side.spin = sp_spot_spin(kin, &s).z;
    }
    return side;
}

/* The velocity of a point that goes with it. */
static sp_vec carried(const sp_kin *kin, const side_motion *side, sp_vec x)
{
    return side->bent ? sp_add(side->v, sp_spin_cross(side->spin, sp_sub(x, side->x)))
                      : sp_mark_velocity2(kin, side->mark, x);
}

/* The acceleration for u' = 0 of the material where contact is, if that wanders with a velocity
 * over the world.   theory (4.8), (98.4) */
static sp_vec where_it_is(const side_motion *side, sp_vec wander)
{
    const sp_vec way = sp_sub(wander, side->v);
    const sp_vec a = sp_add(side->a, sp_spin_cross(side->spin, way));
    return side->bent ? sp_axpy(a, side->stretch, way) : a;
}

void sp_con_bias(const sp_model *m, const sp_kin *kin, const sp_con *con, int slot,
                 const sp_contact_frame *f, double w_bar[2])
{
    const sp_slot *s = &m->slot[slot];
    if (sp_con_on_ground(m, slot, f)) {
        const sp_vec a0 = sp_mark_bias2(kin, f->mark[0], f->point[0]);
        w_bar[0] = sp_inner(f->n, a0);
        w_bar[1] = sp_inner(f->t, a0);
        return;
    }

    /* omega_n: how fast the contact frame turns.   theory (4.6) */
    const side_motion a = side_motion_of(m, kin, con, slot, f, 0);
    const side_motion b = side_motion_of(m, kin, con, slot, f, 1);
    double omega_n = b.spin;
    const sp_vec v_center = carried(kin, &a, f->center);
    if (f->inv_distance != 0.0) {
        const sp_vec center_b = s->is.curved ? sp_axpy(f->center, -1.0 / f->inv_distance, f->n)
                                             : round_center(m, con, s, f->feature);
        const sp_vec d = sp_sub(f->center, center_b);
        const sp_vec rate = sp_sub(v_center, carried(kin, &b, center_b));
        omega_n = sp_cross(d, rate) * f->inv_distance * f->inv_distance;
    }
    const sp_vec n_rate = sp_spin_cross(omega_n, f->n), t_rate = sp_spin_cross(omega_n, f->t);

    /* the contact points as they wander.   theory (4.7) */
    const sp_vec v_rel = sp_sub(a.v, b.v);
    const sp_vec wander_a = sp_axpy(v_center, -f->radius, n_rate);
    const sp_vec wander_b =
        sp_axpy(sp_axpy(wander_a, -sp_inner(f->n, v_rel), f->n), -f->g_N, n_rate);
    const sp_vec acc = sp_sub(where_it_is(&a, wander_a), where_it_is(&b, wander_b));
    w_bar[0] = sp_inner(f->n, acc) + sp_inner(n_rate, v_rel); /* theory (4.9) */
    w_bar[1] = sp_inner(f->t, acc) + sp_inner(t_rate, v_rel);
}

/* The edge that a slot is over, as a hint; corners, discs and lines give none, and one that it
 * cannot touch is no edge that it came over. */
static int hint_of(const sp_model *m, int slot, const sp_con *con)
{
    const sp_slot *s = &m->slot[slot];
    const bool edged = s->kind == SP_SLOT_POLYGON;
    if (edged && con->barred[slot]) {
        return con->hint[slot];
    }
    return edged && con->feature[slot] < m->contour[s->contour_b].n_vertex ? con->feature[slot] + 1
                                                                           : 0;
}

/* Whether the place of a slot with seams is followed: it was closed when the memory was made; a
 * step goes on as it began.   theory (58.2) */
static int follows(const sp_contact_memory *memory, int slot, const sp_con *con)
{
    return memory ? memory[slot].state != SP_STATE_OPEN : con->hint[slot];
}

void sp_con_follow_surfaces(const sp_model *m, sp_con *con)
{
    for (int i = 0; i < m->layout.n_space_slot && m->n_surface > 0; i++) {
        con->hint[m->layout.space_slot[i]] = con->feature[m->layout.space_slot[i]];
    }
}

void sp_con_search_gaps(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int slot,
                        sp_con *con)
{
    con->anew = true;
    sp_con_gaps_of(m, num, kin, slot, con);
    con->anew = false;
}

void sp_con_remember(const sp_model *m, const sp_contact_memory *memory, sp_con *con)
{
    for (int i = 0; i < m->layout.n_other_run; i++) {
        const sp_slot_run *run = &m->layout.other_run[i];
        for (int k = run->slot; k < run->slot + run->n; k++) {
            con->hint[k] = sp_curve_has_seams(m, k) ? follows(memory, k, con)
                           : memory                 ? memory[k].hint
                                                    : hint_of(m, k, con);
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

int sp_con_n_feature(const sp_model *m, int slot)
{
    const sp_slot *s = &m->slot[slot];
    return s->is.edged                ? 2 * m->contour[s->contour_b].n_vertex
           : s->kind == SP_SLOT_CURVE ? 3
                                      : INT_MAX;
}

bool sp_con_has_edges(const sp_model *m, int slot)
{
    return m->slot[slot].is.edged || m->slot[slot].is.pooled || sp_curve_has_ends(m, slot) ||
           sp_curve_has_seams(m, slot);
}

int sp_con_handed(const sp_model *m, const sp_con *con, int slot)
{
    return sp_curve_has_seams(m, slot) && con->beyond[slot] > 0
               ? slot - m->slot[slot].part + con->beyond[slot] - 1
               : SP_NONE;
}

double sp_con_reach(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    if (s->kind == SP_SLOT_POOL) {
        return 2.0 * con->tol[slot] - con->outside[slot];
    }
    if (s->is.curved) {
        return sp_curve_reach(m, num, con, slot);
    }
    const double reach = sp_edges_reach(&m->contour[s->contour_b], con->vertex,
                                        con->vertex[s->vertex_a], con->hold[slot] - 1);
    return num->radius[s->vertex_a] > 0.0 ? reach : reach + 2.0 * SP_BESIDE;
}

int sp_con_beyond(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot)
{
    const sp_slot *s = &m->slot[slot];
    if (s->is.curved) {
        return sp_curve_beyond(m, num, con, slot);
    }
    if (s->kind == SP_SLOT_POOL || !(num->radius[s->vertex_a] > 0.0)) {
        return SP_NONE;
    }
    return sp_edges_next(&m->contour[s->contour_b], con->vertex, con->vertex[s->vertex_a],
                         con->hold[slot] - 1);
}

void sp_con_gaps_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int slot,
                    sp_con *con)
{
    con->kin = kin;
    if (slot != SP_NONE && m->slot[slot].is.rule) {
        con->g[slot] = m->slot[slot].is.gapless ? -INFINITY : sp_rule_gap(m, num, con, slot);
    } else {
        sp_con_gaps(m, num, kin, con);
    }
}
