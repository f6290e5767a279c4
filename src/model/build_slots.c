/* model/build_slots.c - all contact points between the contours of two sides, and their names. */
#include "model/build_touch.h"
#include "model/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX = 600, LIST_MAX = 300 };

/* ---- places of a pair with a curve that can touch at once ----------------------------------- */

/* The curve of a contour. */
static const sp_curve *curve_of(const sp_build *b, int contour)
{
    return b->curve[b->contour[contour].form - 1];
}

/* Those of a curve for what is bent so much; found once and kept. */
static const sp_places *places_for(sp_build *b, const sp_curve *c, double bend)
{
    for (int i = 0; i < b->n_places; i++) {
        if (b->places[i]->curve == c && b->places[i]->bend == bend) {
            return b->places[i];
        }
    }
    sp_places *places = SP_BUILD_NEW(b, b->arena, sp_places, 1);
    double *work = SP_BUILD_NEW(b, &b->scratch, double, sp_curve_work(c) + 1);
    if (!SP_BUILD_ROOM(b, b->places, b->n_places) || !places || !work) {
        return NULL;
    }
    b->no_memory = b->no_memory || !sp_places_find(b->arena, &b->scratch, c, bend, work, places);
    b->places[b->n_places++] = places;
    return places;
}

/* Those of one of two curves for the other one, if that is a whole arc.   theory (54.9) */
static const sp_places *places_of_two(sp_build *b, const sp_curve *first, const sp_curve *second)
{
    return sp_curve_is_round(first)    ? places_for(b, second, 1.0 / first->radius)
           : sp_curve_is_round(second) ? places_for(b, first, 1.0 / second->radius)
                                       : NULL;
}

static bool is_bent(const sp_build *b, int contour)
{
    return b->contour[contour].kind == SP_CONTOUR_CURVE &&
           curve_of(b, contour)->kind == SP_CURVE_BENT;
}

/* The places at which the contours of a slot can touch at once; NULL: there is one. */
static const sp_places *find_places(sp_build *b, sp_slot_kind kind, int corners, int boundary)
{
    const double radius = b->contour_numbers[corners].radius;
    const sp_places *p = NULL;
    if (is_bent(b, corners) || is_bent(b, boundary)) {
        return NULL; /* its places change with its shape: the nearest one counts */
    }
    if (kind == SP_SLOT_CURVE && radius > 0.0) {
        p = places_for(b, curve_of(b, boundary), 1.0 / radius);
    } else if (kind == SP_SLOT_CURVE_LINE) {
        p = places_for(b, curve_of(b, corners), 0.0);
    } else if (kind == SP_SLOT_CURVES) {
        p = places_of_two(b, curve_of(b, corners), curve_of(b, boundary));
    } else if (kind == SP_SLOT_CURVE_EDGES) {
        const sp_curve *c = curve_of(b, corners);
        return places_for(b, c, -SP_PLACES_FLAT / c->size);
    }
    return p && p->n > 1 && !b->no_memory ? p : NULL;
}

/* The contact points that half of a pair gives. */
typedef struct half_points {
    int n;                   /* vertices of a contour, in space one; of curves their places */
    int n_hill;              /* CURVE_EDGES: those of hills, which come before the corners  */
    bool parts;              /* they are several of one curve                               */
    const sp_places *places; /* of a curve that has several; else NULL                      */
} half_points;

/* Of a curve on edges: a point for each of its hills, and if it has flat or hollow parts one for
 * each corner; beams may become either.   theory (115.1) */
static half_points points_on_edges(sp_build *b, int curve, int edges)
{
    const sp_places *p = find_places(b, SP_SLOT_CURVE_EDGES, curve, edges);
    half_points h = {.n_hill = !p ? 1 : p->hills ? p->n : 0};
    h.places = p && p->n_stretch > 0 && !b->no_memory ? p : NULL;
    h.n = h.n_hill + (!p || p->flats ? b->contour[edges].n_vertex : 0);
    h.parts = h.n > 1;
    return h;
}

static half_points points_of(sp_build *b, int contour_a, int contour_b, const sp_half *h)
{
    const int corners = h->a_has_corners ? contour_a : contour_b;
    const int boundary = h->a_has_corners ? contour_b : contour_a;
    const sp_contour *c = &b->contour[corners];
    if (h->kind == SP_SLOT_CURVE_EDGES) {
        return points_on_edges(b, corners, boundary);
    }
    if (sp_sides_is_peg(b->contour[contour_a].kind, b->contour[contour_b].kind)) {
        return (half_points){.n = 4, .parts = true}; /* two rims of each */
    }
    half_points p = {.places = find_places(b, h->kind, corners, boundary)};
    p.parts = p.places != NULL;
    p.n = p.parts ? p.places->n : c->n_vertex > 0 ? c->n_vertex : 1;
    return p;
}

/* ---- one slot ------------------------------------------------------------------------------- */

/* The sense in which slip on a line is counted: to the right, or up on a vertical line, in the
 * line's body, so that upper and lower guide agree.   t = n turned by -90 degrees */
static double tangent_sign(const sp_contour_numbers *line)
{
    const double t_x = line->normal[1], t_y = -line->normal[0];
    return t_x > 1e-12 || (fabs(t_x) <= 1e-12 && t_y > 0.0) ? 1.0 : -1.0;
}

/* Whose contact it is, and where it stands. */
typedef struct made_by {
    sp_scope scope;
    sp_place place;
} made_by;

/* Add the slots of one half of a pair. */
static void add_half(sp_build *b, int contact, int law, int contour_a, int contour_b,
                     const sp_half *h, made_by *by)
{
    const int corners = h->a_has_corners ? contour_a : contour_b;
    const int boundary = h->a_has_corners ? contour_b : contour_a;
    const sp_contour *v = &b->contour[corners], *f = &b->contour[boundary];
    if (h->kind == SP_SLOT_SPACE && sp_sides_is_surface(v->kind)) {
        sp_build_need_surface(b, boundary);
    }
    const half_points p = points_of(b, contour_a, contour_b, h);
    for (int i = 0; i < p.n && !b->no_memory; i++) {
        if (!SP_BUILD_ROOM(b, b->slot, b->n_slot)) {
            return;
        }
        sp_slot *slot = &b->slot[b->n_slot++];
        *slot = (sp_slot){.contact = contact,
                          .law = law,
                          .kind = h->kind,
                          .body_a = v->body,
                          .body_b = f->body,
                          .vertex_a = v->vertex + (p.parts ? 0 : i),
                          .contour_a = corners,
                          .contour_b = boundary,
                          .sign_t = 1.0,
                          .part = p.parts ? i : 0,
                          .n_part = p.parts ? p.n : 0,
                          .n_hill = p.n_hill,
                          .places = p.places};
        if (h->kind == SP_SLOT_LINE) {
            slot->sign_t = tangent_sign(&b->contour_numbers[boundary]);
        }
        if (h->kind == SP_SLOT_GAP) {
            slot->rule = sp_build_wedge_rule(b, &by->scope, by->place, corners, boundary);
        }
    }
}

/* ---- names ---------------------------------------------------------------------------------- */

enum { N_COLUMN = 4 }; /* of a side: family, index, contour, corner or place */

/* What names are made of: the slots of one contact. */
typedef struct naming {
    sp_build *b;
    int contact, slot, n;
    const char *swapped; /* by slot: side A of the file is side b of the slot */
    bool keep[2][N_COLUMN];
} naming;

/* The last part of a contour's path; of a piece, whose last part is a number, with the one before.
 */
static const char *short_name(const char *path)
{
    const char *last = strrchr(path, '.') + 1;
    if (*last >= '0' && *last <= '9') {
        for (last--; last > path && last[-1] != '.';) {
            last--;
        }
    }
    return last;
}

/* One component of the path of a side of a slot; "" if it has none. */
static const char *component(const naming *m, int k, int side, int column, char buf[24])
{
    const sp_build *b = m->b;
    const sp_slot *slot = &b->slot[m->slot + k];
    const bool corners = (side == 0) != (m->swapped[k] != 0); /* this side gives the corner */
    const sp_contour *c = &b->contour[corners ? slot->contour_a : slot->contour_b];
    const sp_family *f = b->plan[b->plan_of[c->body]].family;
    const bool on_edges = slot->kind == SP_SLOT_CURVE_EDGES;
    const int corner = on_edges ? slot->part - slot->n_hill : slot->vertex_a - c->vertex;
    switch (column) {
    case 0:
        return f->name;
    case 1:
        return f->n_index ? b->body[c->body].name + strlen(f->name) + 1 : "";
    case 2:
        return short_name(c->name);
    default:
        if (on_edges && corners) {
            snprintf(buf, 24, slot->n_hill > 1 ? "hill%d" : "hill", slot->part + 1);
            return corner < 0 ? buf : "";
        }
        if (corners &&
            sp_sides_is_peg(b->contour[slot->contour_a].kind, b->contour[slot->contour_b].kind)) {
            static const char *const rim[] = {"low", "high", "bore_low", "bore_high"};
            const bool peg = b->contour[slot->contour_a].kind == SP_CONTOUR_RULED;
            return rim[(slot->part + (peg ? 0 : 2)) % 4];
        }
        if (corners && slot->places) {
            snprintf(buf, 24, "%d", slot->part + 1);
            return buf;
        }
        if (corners == on_edges || c->n_vertex < 2 || corner < 0) {
            return "";
        }
        if (c->vertex_name) {
            return c->vertex_name[corner];
        }
        snprintf(buf, 24, "%d", corner + 1);
        return buf;
    }
}

/* Keep the components that are not the same for all slots. */
static void find_columns(naming *m)
{
    for (int side = 0; side < 2; side++) {
        for (int column = 0; column < N_COLUMN; column++) {
            char first_buf[24], buf[24];
            const char *first = component(m, 0, side, column, first_buf);
            bool same = true;
            for (int k = 1; k < m->n && same; k++) {
                same = strcmp(first, component(m, k, side, column, buf)) == 0;
            }
            m->keep[side][column] = !same;
        }
    }
}

/* Write all names; false if two of them are the same (asked only if they could be). */
static bool write_names(naming *m, bool check)
{
    sp_build *b = m->b;
    sp_names seen = {.key = NULL};
    for (int k = 0; k < m->n; k++) {
        char name[NAME_MAX], buf[24];
        int used = snprintf(name, sizeof name, "%s", b->contact[m->contact].name);
        for (int c = 0; c < 2 * N_COLUMN && used >= 0 && used < NAME_MAX; c++) {
            const int side = c / N_COLUMN, column = c % N_COLUMN;
            const char *part = component(m, k, side, column, buf);
            if (m->keep[side][column] && *part) {
                used += snprintf(name + used, (size_t)(NAME_MAX - used), ".%s", part);
            }
        }
        const size_t length = strlen(name);
        if (check && sp_names_find(&seen, name, length) != SP_NONE) {
            return false;
        }
        b->slot[m->slot + k].name = sp_build_printf(b, "%s", name);
        if (check && !sp_build_name(b, &seen, b->slot[m->slot + k].name, k)) {
            return true;
        }
    }
    return true;
}

/* Name the slots of a contact: contact, path of side A, path of side B, without the components that
 * are the same for all; where that is not clear enough, with contours, then with whole paths. */
static void name_slots(naming *m, bool both_have_corners)
{
    find_columns(m);
    if (write_names(m, both_have_corners)) {
        return;
    }
    m->keep[0][2] = m->keep[1][2] = true;
    if (write_names(m, true)) {
        return;
    }
    memset(m->keep, 1, sizeof m->keep);
    write_names(m, false);
}

int sp_build_find_slot(sp_build *b, const char *name)
{
    for (int k = 0; k < b->n_slot && !b->slots_named && !b->no_memory; k++) {
        if (b->slot[k].name) {
            sp_build_name(b, &b->slot_names, b->slot[k].name, k);
        }
    }
    b->slots_named = true;
    return sp_names_find(&b->slot_names, name, strlen(name));
}

/* ---- all pairs of two sides ----------------------------------------------------------------- */

/* What became of the pairs that gave no slots. */
typedef struct skipped {
    int same, fixed, senseless;
    int a, b; /* a senseless pair */
} skipped;

/* Number of slots a pair will give; 0 with the reason counted in skip. */
static int pair_size(sp_build *b, const sp_side *A, const sp_side *B, int i, int j, sp_half h[2],
                     int *n_half, skipped *skip)
{
    const int a = A->contour[i], c = B->contour[j];
    const sp_contour *first = &b->contour[a], *second = &b->contour[c];
    const int rigid_a = b->rigid[first->body], rigid_b = b->rigid[second->body];
    if (rigid_a == rigid_b) {
        if (rigid_a == SP_GROUND) {
            skip->fixed++;
        } else {
            skip->same++;
        }
        return 0;
    }
    if (sp_sides_is_extruded_on_plane(first->kind, second->kind)) {
        return 0; /* in a pool */
    }
    if (sp_build_ends_apart(b, a, c)) {
        return 0;
    }
    *n_half = sp_build_halves(first->kind, second->kind, h);
    if (*n_half == 0) {
        skip->senseless++;
        skip->a = a;
        skip->b = c;
        return 0;
    }
    if (sp_build_is_second(A, B, a, c)) {
        return 0;
    }
    int n = 0;
    for (int k = 0; k < *n_half; k++) {
        n += points_of(b, a, c, &h[k]).n;
    }
    return n;
}

/* Number of slots between two sides, SP_NONE if there are too many. */
static int count_slots(sp_build *b, const sp_side *A, const sp_side *B, skipped *skip,
                       bool *both_have_corners)
{
    long long n = 0;
    if ((long long)A->n * B->n > SP_BUILD_PAIR_MAX) {
        return SP_NONE;
    }
    for (int i = 0; i < A->n; i++) {
        for (int j = 0; j < B->n; j++) {
            sp_half h[2];
            int n_half = 0;
            const int more = pair_size(b, A, B, i, j, h, &n_half, skip);
            *both_have_corners = *both_have_corners || (more > 0 && n_half == 2);
            n += more;
            if (n + b->n_slot > SP_BUILD_SLOT_MAX) {
                return SP_NONE;
            }
        }
    }
    return (int)n;
}

/* Report that two sides have nothing that can touch. */
static void report_nothing(sp_build *b, const sp_scope *scope, sp_place place, const skipped *skip)
{
    if (skip->senseless > 0) {
        const sp_contour *first = &b->contour[skip->a], *second = &b->contour[skip->b];
        const char *word[2] = {sp_build_contour_word(first), sp_build_contour_word(second)};
        char partners[2][LIST_MAX], more[LIST_MAX + 80] = "";
        sp_build_partners(b, first->kind, partners[0], sizeof partners[0]);
        sp_build_partners(b, second->kind, partners[1], sizeof partners[1]);
        if (first->kind != second->kind) {
            snprintf(more, sizeof more, "; %s touches %s", word[1], partners[1]);
        }
        sp_build_error(b, place, 0, "%s: %s ('%s') and %s ('%s') cannot touch; %s%s touches %s%s",
                       scope->what, word[0], first->name, word[1], second->name,
                       sp_build_instead(first, second), word[0], partners[0], more);
    } else if (skip->fixed > 0) {
        sp_build_error(b, place, 0,
                       "%s: both sides are fixed to the ground, expected one that moves",
                       scope->what);
    } else {
        sp_build_error(b, place, 0, "%s: both sides belong to the same body, expected two bodies",
                       scope->what);
    }
}

/* Whether a body is the only one of an array: `count` may be a parameter, and one part of a queue
 * touches no other. */
static bool is_array_of_one(const sp_build *b, int body)
{
    int k = 0;
    while (k < b->n_plan && b->plan[k].body != body) {
        k++;
    }
    const sp_family *f = k < b->n_plan ? b->plan[k].family : NULL;
    return f && f->n_index > 0 && f->n == 1;
}

/* A slot for each corner of each pair. */
static int slots_of_pairs(sp_build *b, const sp_scope *scope, sp_place place, int law,
                          const sp_side *A, const sp_side *B)
{
    skipped skip = {0, 0, 0, 0, 0};
    bool both = false;
    const int n = count_slots(b, A, B, &skip, &both), start = b->n_slot;
    if (n == SP_NONE) {
        sp_build_error(
            b, place, 0,
            "%s: makes more than %d contact points, the largest possible number; name fewer pairs",
            scope->what, SP_BUILD_SLOT_MAX);
        return 0;
    }
    if (n == 0) {
        const int body = b->contour[A->contour[0]].body;
        if (skip.same == 0 || skip.fixed + skip.senseless > 0 || !is_array_of_one(b, body)) {
            report_nothing(b, scope, place, &skip);
        }
        return 0;
    }
    made_by by = {*scope, place};
    char *swapped = SP_BUILD_NEW(b, &b->scratch, char, n);
    for (int i = 0; i < A->n && swapped; i++) {
        for (int j = 0; j < B->n && !b->no_memory; j++) {
            sp_half h[2];
            int n_half = 0;
            if (pair_size(b, A, B, i, j, h, &n_half, &skip) == 0) {
                continue;
            }
            for (int k = 0; k < n_half; k++) {
                const int before = b->n_slot;
                add_half(b, A->contact, law, A->contour[i], B->contour[j], &h[k], &by);
                memset(swapped + before - start, !h[k].a_has_corners, (size_t)(b->n_slot - before));
            }
        }
    }
    if (b->no_memory) {
        return 0;
    }
    naming m = {.b = b, .contact = A->contact, .slot = start, .n = n, .swapped = swapped};
    name_slots(&m, both);
    return n;
}

/* The contours of one kind of a side. */
static sp_side side_of_kind(sp_build *b, const sp_side *s, sp_contour_kind kind)
{
    sp_side part = *s;
    part.n = 0;
    part.contour = SP_BUILD_NEW(b, &b->scratch, int, s->n);
    for (int i = 0; i < s->n && part.contour; i++) {
        if (b->contour[s->contour[i]].kind == kind) {
            part.contour[part.n++] = s->contour[i];
        }
    }
    return part;
}

/* Slots of the extruded surfaces of A on the planes of B. */
static int slots_on_planes(sp_build *b, const sp_scope *scope, sp_place place, int law,
                           const sp_side *A, const sp_side *B)
{
    const sp_side rims = side_of_kind(b, A, SP_CONTOUR_EXTRUDED),
                  planes = side_of_kind(b, B, SP_CONTOUR_PLANE);
    return rims.n > 0 && planes.n > 0 ? sp_build_pool(b, scope, place, law, &rims, &planes) : 0;
}

/* Extruded surfaces touch planes with slots of a pool, and all else with slots of their own. */
static int slots_of_both(sp_build *b, const sp_scope *scope, sp_place place, int law,
                         const sp_side *A, const sp_side *B)
{
    int n = slots_of_pairs(b, scope, place, law, A, B);
    n += n > 0 ? slots_on_planes(b, scope, place, law, A, B) : 0;
    n += n > 0 && !sp_build_is_same(A, B) ? slots_on_planes(b, scope, place, law, B, A) : 0;
    return n;
}

int sp_build_slots(sp_build *b, const sp_scope *scope, sp_place place, int law, const sp_side *A,
                   const sp_side *B)
{
    if (A->n == 0 || B->n == 0) { /* a family with count: 0 */
        return 0;
    }
    if ((sp_build_kinds(b, A) | sp_build_kinds(b, B)) & 1u << SP_CONTOUR_ROCKER &&
        !sp_build_law_suits(b, scope, place, law, 2)) {
        return 0;
    }
    const bool pool = b->dim == 3 && sp_build_wants_pool(b, A, B);
    const int n = b->dim == 3 && sp_build_is_mixed(b, A, B)
                      ? slots_of_both(b, scope, place, law, A, B)
                  : pool ? sp_build_pool(b, scope, place, law, A, B)
                         : slots_of_pairs(b, scope, place, law, A, B);
    if (n > 0) {
        sp_build_left_out(b, A, B);
    }
    return n;
}
