/* model/build_pools.c - slots for very many pairs in space, assigned to those that are near. */
#include "model/build_touch.h"
#include "model/sides.h"

#include <math.h>
#include <string.h>

enum {
    POOL_PAIRS = 1000,     /* up to so many pairs have a slot each       */
    ROOM_PER_CONTOUR = 6,  /* equal balls touch at most 12 others        */
    TOUCHES_PER_PAIR = 8,  /* of shapes with edges: two faces of a box   */
    TOUCHES_PER_DISC = 16, /* ... with discs: also points of their rims */
    TOUCHES_ON_PLANE = 32  /* shapes with more corners than this are given room by the user */
};

#define MARGIN_OF_RADIUS 0.05 /* of the smallest ball: nearer pairs have a slot */
#define MARGIN_OF_POINTS 1e-3 /* the same where there are no balls, m           */

/* How many pairs two sides have. */
static long long n_pair(const sp_side *A, const sp_side *B)
{
    return sp_build_is_same(A, B) ? (long long)A->n * (A->n - 1) / 2 : (long long)A->n * B->n;
}

/* Whether a pair of kinds is one that is asked for. */
typedef bool (*pair_test)(sp_contour_kind i, sp_contour_kind j);

/* Whether a kind of A and one of B can touch and are a pair that is asked for. */
static bool has_pairs(const sp_build *b, const sp_side *A, const sp_side *B, pair_test asked)
{
    const unsigned of_a = sp_build_kinds(b, A), of_b = sp_build_kinds(b, B);
    for (int k = 0; k < 32 * 32; k++) {
        const sp_contour_kind i = (sp_contour_kind)(k / 32), j = (sp_contour_kind)(k % 32);
        if ((of_a >> i & 1u) && (of_b >> j & 1u) && sp_sides_of(i, j) != 0 && asked(i, j)) {
            return true;
        }
    }
    return false;
}

/* Every pair is asked for. */
static bool any_pair(sp_contour_kind i, sp_contour_kind j)
{
    (void)i;
    (void)j;
    return true;
}

/* Each pair of surfaces remembers where it is nearest, and has a slot. */
static bool is_surface_pair(sp_contour_kind i, sp_contour_kind j)
{
    return (sp_sides_is_surface(i) || sp_sides_is_surface(j)) &&
           !sp_sides_is_extruded_on_plane(i, j);
}

/* Whether any contour of the two sides is a shape with edges. */
static bool has_edges(const sp_build *b, const sp_side *A, const sp_side *B)
{
    const unsigned edges = 1u << SP_CONTOUR_CAPSULE | 1u << SP_CONTOUR_HULL |
                           1u << SP_CONTOUR_DISC | 1u << SP_CONTOUR_MESH;
    return (sp_build_kinds(b, A) | sp_build_kinds(b, B)) & edges;
}

/* The same, or is one as far as the other side is concerned. */
static bool has_shapes(const sp_build *b, const sp_side *A, const sp_side *B)
{
    return has_edges(b, A, B) || has_pairs(b, A, B, sp_sides_is_extruded_on_plane);
}

bool sp_build_is_mixed(const sp_build *b, const sp_side *A, const sp_side *B)
{
    return !has_edges(b, A, B) && has_pairs(b, A, B, sp_sides_is_extruded_on_plane) &&
           has_pairs(b, A, B, is_surface_pair);
}

/* Touches of one pair at once: those of two faces of boxes, or all that may touch a plane. */
static long long touches_of(const sp_build *b, const sp_side *A, const sp_side *B)
{
    const bool plane = (sp_build_kinds(b, A) | sp_build_kinds(b, B)) >> SP_CONTOUR_PLANE & 1u;
    const unsigned edges = 1u << SP_CONTOUR_CAPSULE | 1u << SP_CONTOUR_HULL | 1u << SP_CONTOUR_DISC,
                   disc = 1u << SP_CONTOUR_DISC;
    const bool discs = (sp_build_kinds(b, A) & disc && sp_build_kinds(b, B) & edges) ||
                       (sp_build_kinds(b, B) & disc && sp_build_kinds(b, A) & edges);
    int most = discs ? TOUCHES_PER_DISC : TOUCHES_PER_PAIR;
    for (int i = 0; i < A->n + B->n && plane; i++) {
        const int contour = i < A->n ? A->contour[i] : B->contour[i - A->n];
        const sp_contour *c = &b->contour[contour];
        const int n = c->kind == SP_CONTOUR_EXTRUDED ? sp_surface_on_plane(b->surface[c->form - 1])
                      : c->shape                     ? sp_shape3_on_plane(c->shape)
                                                     : 0;
        most = n > most && n <= TOUCHES_ON_PLANE ? n : most;
    }
    return most;
}

/* How many slots there will be. */
static long long room_of(const sp_build *b, const sp_side *A, const sp_side *B)
{
    const long long n = sp_build_is_same(A, B) ? A->n : (long long)A->n + B->n,
                    pairs = n_pair(A, B);
    if (has_shapes(b, A, B)) {
        const long long near = ROOM_PER_CONTOUR * n < pairs ? ROOM_PER_CONTOUR * n : pairs;
        return b->room > 0 ? b->room : touches_of(b, A, B) * near;
    }
    const long long room = b->room > 0 ? b->room : ROOM_PER_CONTOUR * n;
    return room < pairs ? room : pairs;
}

bool sp_build_wants_pool(const sp_build *b, const sp_side *A, const sp_side *B)
{
    const long long pairs = n_pair(A, B);
    if (has_shapes(b, A, B)) {
        return has_pairs(b, A, B, any_pair); /* touches come and go */
    }
    if (has_pairs(b, A, B, is_surface_pair)) {
        return false;
    }
    const bool wedges = (sp_build_kinds(b, A) & 1u << SP_CONTOUR_ROCKER) != 0 ||
                        (sp_build_kinds(b, B) & 1u << SP_CONTOUR_ROCKER) != 0;
    const bool many = !wedges && pairs > POOL_PAIRS && 2 * room_of(b, A, B) < pairs;
    return (many || b->room > 0) && has_pairs(b, A, B, any_pair);
}

/* Radius of a contour; of polytopes that of a ball inside, of extrusions a quarter of their
 * contour, of what has none infinite. */
static double radius_of(const sp_build *b, int contour)
{
    const sp_contour *c = &b->contour[contour];
    switch (c->kind) {
    case SP_CONTOUR_HULL:
        return c->shape->hull->inner;
    case SP_CONTOUR_EXTRUDED:
        return 0.25 * b->surface[c->form - 1]->curve->size;
    case SP_CONTOUR_SPHERE:
    case SP_CONTOUR_CAPSULE:
    case SP_CONTOUR_DISC:
        return b->contour_numbers[contour].radius;
    default:
        return INFINITY;
    }
}

/* Smallest radius of a side and of `least`. */
static double smallest(const sp_build *b, const sp_side *s, double least)
{
    for (int i = 0; i < s->n; i++) {
        const double r = radius_of(b, s->contour[i]);
        least = r < least ? r : least;
    }
    return least;
}

/* How many contours of B are also in A; one of them. */
static int n_shared(const sp_side *A, const sp_side *B, int *one)
{
    int n = 0;
    for (int i = 0; i < B->n; i++) {
        if (A->seat[B->contour[i]].contact == A->contact + 1) {
            *one = B->contour[i];
            n++;
        }
    }
    return n;
}

static const int *keep_side(sp_build *b, const sp_side *s)
{
    int *list = SP_BUILD_NEW(b, b->arena, int, s->n);
    if (list) {
        memcpy(list, s->contour, (size_t)s->n * sizeof *list);
    }
    return list;
}

/* The slots of a pool, "balls.pair.1" and so on. */
static void add_slots(sp_build *b, int contact, int law, int pool, int n)
{
    for (int i = 0; i < n && !b->no_memory; i++) {
        if (!SP_BUILD_ROOM(b, b->slot, b->n_slot)) {
            return;
        }
        b->slot[b->n_slot] =
            (sp_slot){.name = sp_build_printf(b, "%s.pair.%d", b->contact[contact].name,
                                              b->n_slot - b->contact[contact].slot + 1),
                      .contact = contact,
                      .law = law,
                      .kind = SP_SLOT_POOL,
                      .sign_t = 1.0,
                      .rule = pool};
        b->n_slot++;
    }
}

/* A against B that has all of A: A against itself, then against what B has more. */
static int split(sp_build *b, const sp_scope *scope, sp_place place, int law, const sp_side *A,
                 const sp_side *B)
{
    sp_side more = *B;
    more.n = 0;
    more.contour = SP_BUILD_NEW(b, &b->scratch, int, B->n);
    for (int i = 0; i < B->n && more.contour; i++) {
        if (A->seat[B->contour[i]].contact != A->contact + 1) {
            more.contour[more.n++] = B->contour[i];
        }
    }
    const int n = sp_build_slots(b, scope, place, law, A, A);
    return n > 0 && more.contour ? n + sp_build_slots(b, scope, place, law, A, &more) : 0;
}

int sp_build_pool(sp_build *b, const sp_scope *scope, sp_place place, int law, const sp_side *A,
                  const sp_side *B)
{
    const bool both = sp_build_is_same(A, B);
    const long long room = room_of(b, A, B);
    int twice = SP_NONE;
    const bool apart = (sp_build_kinds(b, A) & sp_build_kinds(b, B)) == 0;
    const int n_twice = both || apart ? 0 : n_shared(A, B, &twice);
    if (n_twice == A->n) {
        return split(b, scope, place, law, A, B);
    }
    if (n_twice > 0) {
        sp_build_error(b, place, 0,
                       "%s: '%s' is on both sides; expected a second side with all of the first "
                       "or nothing of it",
                       scope->what, b->contour[twice].name);
        return 0;
    }
    if (room + b->n_slot > SP_BUILD_SLOT_MAX) {
        sp_build_error(b, place, 0, "%s: room for %lld contact points, at most %d are possible",
                       scope->what, room, SP_BUILD_SLOT_MAX);
        return 0;
    }
    if (has_pairs(b, A, B, is_surface_pair)) {
        sp_build_error(b, place, 0,
                       "%s: has surfaces and shapes with edges; expected a contact of its own for "
                       "the surfaces",
                       scope->what);
        return 0;
    }
    const double radius = smallest(b, A, smallest(b, B, INFINITY));
    if (!SP_BUILD_ROOM(b, b->pool, b->n_pool)) {
        return 0;
    }
    b->pool[b->n_pool] =
        (sp_pool){.slot = b->n_slot,
                  .n_slot = (int)room,
                  .n_a = A->n,
                  .n_b = B->n,
                  .a = keep_side(b, A),
                  .b = keep_side(b, B),
                  .both = both,
                  .margin = isinf(radius) ? MARGIN_OF_POINTS : MARGIN_OF_RADIUS * radius};
    add_slots(b, A->contact, law, b->n_pool++, (int)room);
    return b->no_memory ? 0 : (int)room;
}
