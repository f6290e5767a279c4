#include "contact/pool3.h"

#include "contact/broad.h"
#include "contact/pair3.h"
#include "contact/shape_slot.h"
#include "math/sort.h"

#include <stdio.h>
#include <string.h>

/* One pool, by its own slots: slot k of the pool is slot pool->slot + k of the model. */
struct sp_pool_work {
    sp_broad_item *item; /* n_a, and n_b if the two sides are different lists */
    sp_broad broad;
    int n_assigned, *assigned; /* slots by rising key                            */
    int *spare;                /* n_slot                                         */
};

/* Pairs whose boxes meet, per slot of the pool: there are more than pairs that are near. */
enum { MEETS_PER_SLOT = 8 };

/* Times the tolerance of places: what is so deep, and not inside of its features, is behind them.
 */
#define BEHIND 10.0
#define ASIDE  2.0 /* ... reach below so much is none: roots of reach are at one tolerance */

bool sp_pool3_contours(const sp_model *m, const sp_pool *pool, uint64_t key, int *a, int *b)
{
    const long long pair = sp_key_pair(key);
    if (pair < 0) {
        return false;
    }
    const int first = pool->a[pair / pool->n_b], second = pool->b[pair % pool->n_b];
    const bool swap = sp_sides_of(m->contour[first].kind, m->contour[second].kind) < 0;
    *a = swap ? second : first;
    *b = swap ? first : second;
    return true;
}

bool sp_pool3_is_of(const sp_model *m, int slot, uint64_t key, int a, int b)
{
    const sp_slot *s = &m->slot[slot];
    int first = s->contour_a, second = s->contour_b;
    if (s->is.rule ||
        (s->is.pooled && !sp_pool3_contours(m, &m->pool[s->rule], key, &first, &second))) {
        return false;
    }
    return (first == a && second == b) || (first == b && second == a);
}

const char *sp_pool3_title(const sp_model *m, const sp_con *con, int slot, char *buf, size_t size)
{
    const sp_slot *s = &m->slot[slot];
    int a, b;
    if (!s->is.pooled || !sp_pool3_contours(m, &m->pool[s->rule], con->key[slot], &a, &b)) {
        return s->name;
    }
    snprintf(buf, size, "%s (%s, %s)", s->name, m->body[m->contour[a].body].name,
             m->body[m->contour[b].body].name);
    return buf;
}

static int n_item(const sp_pool *pool)
{
    return pool->both ? pool->n_a : pool->n_a + pool->n_b;
}

/* The contour of an item. */
static int item_contour(const sp_pool *pool, int item)
{
    return item < pool->n_a ? pool->a[item] : pool->b[item - pool->n_a];
}

int sp_owner_of(const sp_model *m, int contour)
{
    int body = m->contour[contour].body;
    while (body != SP_GROUND && sp_body_is_fixed(m->body, body)) {
        body = m->body[body].parent;
    }
    return body;
}

static bool alloc_pool(sp_arena *arena, const sp_model *m, const sp_pool *pool, sp_pool_work *w)
{
    const int n = n_item(pool), n_pair = MEETS_PER_SLOT * pool->n_slot + 64;
    w->item = SP_NEW(arena, sp_broad_item, n);
    w->assigned = SP_NEW(arena, int, pool->n_slot);
    w->spare = SP_NEW(arena, int, pool->n_slot);
    if (!w->item || !w->assigned || !w->spare ||
        sp_broad_reserve(arena, n, n_pair, &w->broad, NULL) != SP_OK) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        w->item[i].owner = sp_owner_of(m, item_contour(pool, i));
    }
    return true;
}

bool sp_pool3_alloc(sp_arena *arena, const sp_model *m, sp_con *con)
{
    if (m->n_pool == 0) {
        return true;
    }
    con->key = SP_NEW(arena, uint64_t, m->n_slot);
    con->pool = SP_NEW(arena, sp_pool_work, m->n_pool);
    con->touch = SP_NEW(arena, sp_touch, m->n_slot);
    con->outside = SP_NEW(arena, double, m->n_slot);
    con->tol = SP_NEW(arena, double, m->n_slot);
    bool ok = con->key && con->pool && con->touch && con->outside && con->tol;
    for (int i = 0; i < m->n_pool && ok; i++) {
        ok = alloc_pool(arena, m, &m->pool[i], &con->pool[i]);
    }
    return ok;
}

/* ---- slots by rising key --------------------------------------------------------------------- */

static bool is_before(const void *ctx, int i, int j)
{
    const uint64_t *key = ctx;
    return key[i] < key[j];
}

/* The slots of a pool that are assigned, by rising key. */
static void list_assigned(const sp_pool *pool, const sp_con *con, sp_pool_work *w)
{
    w->n_assigned = 0;
    for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
        if (con->key[k] != 0) {
            w->assigned[w->n_assigned++] = k;
        }
    }
    sp_sort(is_before, con->key, w->assigned, w->n_assigned);
}

void sp_pool3_remember(const sp_model *m, const sp_contact_memory *memory, sp_con *con)
{
    for (int i = 0; i < m->n_pool; i++) {
        const sp_pool *pool = &m->pool[i];
        for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
            con->key[k] = memory[k].key;
        }
        list_assigned(pool, con, &con->pool[i]);
    }
}

/* ---- pairs that are near --------------------------------------------------------------------- */

/* The box of a contour, half the margin wider to all sides; of all but points and balls without
 * end. */
static sp_box3 box_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour,
                      double margin)
{
    const sp_contour *c = &m->contour[contour];
    const sp_contour_numbers *n = &num->contour[contour];
    const double r = n->radius + 0.5 * margin;
    if (sp_sides_is_shape(c->kind)) {
        return sp_box3_widened(sp_shape_slot_box(m, num, kin, contour), 0.5 * margin);
    }
    if (c->kind == SP_CONTOUR_EXTRUDED) {
        const sp_surface *s = m->surface[c->form - 1];
        const double l = 2.0 * s->reach + 0.5 * margin; /* samples may be inside by half a cell */
        const sp_pose3 pose = sp_mark_pose(kin, &n->mark);
        const sp_vec3 x = sp_pose3_place(&pose, s->middle);
        return (sp_box3){{x.x - l, x.y - l, x.z - l}, {x.x + l, x.y + l, x.z + l}};
    }
    if (c->kind != SP_CONTOUR_POINT && c->kind != SP_CONTOUR_SPHERE) {
        return (sp_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    }
    const sp_vec3 x = sp_spot_of(kin, &n->mark).x;
    return (sp_box3){{x.x - r, x.y - r, x.z - r}, {x.x + r, x.y + r, x.z + r}};
}

/* Put the boxes of a pool where the bodies are, and find which meet. */
static sp_status find_meetings(const sp_model *m, const sp_numbers *num, const sp_pool *pool,
                               const sp_kin *kin, sp_pool_work *w)
{
    const int n = n_item(pool);
    for (int i = 0; i < n; i++) {
        w->item[i].box = box_of(m, num, kin, item_contour(pool, i), pool->margin);
    }
    return sp_broad_find(n, w->item, &w->broad, NULL);
}

/* The key of two items, 0 if the pool has no such pair or the two cannot touch. */
static uint64_t key_of(const sp_model *m, const sp_pool *pool, const sp_pair *meets)
{
    const int i = meets->a, j = pool->both ? meets->b : meets->b - pool->n_a;
    if (!pool->both && (i >= pool->n_a || j < 0)) {
        return 0;
    }
    const sp_contour *a = &m->contour[pool->a[i]], *b = &m->contour[pool->b[j]];
    return sp_sides_of(a->kind, b->kind) == 0
               ? 0
               : sp_key_of((long long)i * (long long)pool->n_b + j, 0);
}

bool sp_pool3_meeting(const sp_model *m, const sp_con *con, int pool, int k, int *a, int *b)
{
    const sp_broad *broad = &con->pool[pool].broad;
    if (k >= broad->n_pair) {
        return false;
    }
    const sp_pool *p = &m->pool[pool];
    if (!sp_pool3_contours(m, p, key_of(m, p, &broad->pair[k]), a, b)) {
        *a = SP_NONE;
    }
    return true;
}

/* Gap of the pair of a slot; of shapes that of the touch found just now, infinite if there is none.
 */
static double gap_of(const sp_model *m, const sp_numbers *num, const sp_pool *pool, int slot,
                     const sp_con *con)
{
    int a, b;
    if (!sp_pool3_contours(m, pool, con->key[slot], &a, &b)) {
        return INFINITY;
    }
    return sp_shape_slot(m, a, b) ? con->touch[slot].g_N : sp_pair3_gap(m, num, con->kin, a, b);
}

/* Slots on the way through the pairs that meet: both lists rise. */
typedef struct assigner {
    const sp_pool *pool;
    sp_pool_work *w;
    sp_con *con;
    int old, n, free_slot;
} assigner;

/* The slot that is assigned for a key, SP_NONE if there is none yet. */
static int assigned_for(assigner *l, uint64_t key)
{
    const sp_pool_work *w = l->w;
    while (l->old < w->n_assigned && l->con->key[w->assigned[l->old]] < key) {
        w->spare[l->n++] = w->assigned[l->old++];
    }
    const bool known = l->old < w->n_assigned && l->con->key[w->assigned[l->old]] == key;
    return known ? w->assigned[l->old] : SP_NONE;
}

/* Assign the next free slot for a key; SP_NONE and counted if there is none. */
static int assign_next(assigner *l, uint64_t key)
{
    const int end = l->pool->slot + l->pool->n_slot;
    while (l->free_slot < end && l->con->key[l->free_slot] != 0) {
        l->free_slot++;
    }
    if (l->free_slot == end) {
        l->con->short_of++;
        return SP_NONE;
    }
    l->con->key[l->free_slot] = key;
    l->w->spare[l->n++] = l->free_slot;
    return l->free_slot;
}

/* The slot for a key, assigned now if it was not; SP_NONE if there is none left. */
static int slot_for(assigner *l, uint64_t key)
{
    const int slot = assigned_for(l, key);
    return slot != SP_NONE ? slot : assign_next(l, key);
}

/* A shape with edges over a plane: all its features have slots from the start on. */
static bool over_plane(const sp_model *m, int a, int b)
{
    return sp_shape_slot(m, a, b) && m->contour[b].kind == SP_CONTOUR_PLANE;
}

/* Whether a touch is one of two sharp points, or of a point and an edge: as nearest points of two
 * that are apart there are such, but where they meet it is by other features. */
static bool is_sharp(const sp_touch *t)
{
    const sp_side_kind a = t->side[0].kind, b = t->side[1].kind;
    return a != SP_SIDE_FACE && b != SP_SIDE_FACE && !(a == SP_SIDE_LINE && b == SP_SIDE_LINE) &&
           !(t->side[0].r + t->side[1].r > 0.0);
}

/* Slots for all features of a shape that may come to touch a plane. */
static void assign_features(assigner *l, const sp_model *m, uint64_t pair_key, int a)
{
    const int n = sp_shape_slot_features(m, a);
    for (int i = 0; i < n; i++) {
        slot_for(l, pair_key | (uint64_t)i << SP_SHAPE_B_BITS);
    }
}

/* Slots for all touches of a pair of shapes. */
static void assign_touches(assigner *l, const sp_model *m, const sp_numbers *num, uint64_t pair_key,
                           int a, int b)
{
    sp_touch touch[SP_SHAPE_TOUCHES];
    if (l->con->still && over_plane(m, a, b)) {
        assign_features(l, m, pair_key, a);
        return;
    }
    const int n =
        sp_shape_slot_touches(m, num, l->con->kin, a, b, l->pool->margin, l->con->work, touch);
    l->con->short_of += n > SP_SHAPE_TOUCHES ? n - SP_SHAPE_TOUCHES : 0;
    for (int i = 0; i < n && i < SP_SHAPE_TOUCHES; i++) {
        if (l->con->still && is_sharp(&touch[i])) {
            continue;
        }
        const int slot = slot_for(l, pair_key | sp_shape_slot_feature(&touch[i]));
        if (slot != SP_NONE) {
            l->con->touch[slot] = touch[i];
        }
    }
}

/* What is assigned already stays assigned, the other pairs that are near get the free slots in
 * their order.
 */
static void assign(const sp_model *m, const sp_numbers *num, const sp_pool *pool, sp_pool_work *w,
                   sp_con *con)
{
    assigner l = {pool, w, con, 0, 0, pool->slot};
    for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
        con->touch[k].g_N = INFINITY;
    }
    for (int i = 0; i < w->broad.n_pair; i++) {
        const uint64_t key = key_of(m, pool, &w->broad.pair[i]);
        int a, b;
        if (!sp_pool3_contours(m, pool, key, &a, &b)) {
            continue;
        }
        if (sp_shape_slot(m, a, b)) {
            assign_touches(&l, m, num, key, a, b);
        } else if (assigned_for(&l, key) == SP_NONE &&
                   sp_pair3_gap(m, num, con->kin, a, b) < pool->margin) {
            assign_next(&l, key);
        }
    }
    while (l.old < w->n_assigned) {
        w->spare[l.n++] = w->assigned[l.old++];
    }
    memcpy(w->assigned, w->spare, (size_t)l.n * sizeof *w->assigned);
    w->n_assigned = l.n;
}

/* Assign the slots of a pool to what is near. */
static void assign_pool(const sp_model *m, const sp_numbers *num, const sp_pool *pool,
                        sp_pool_work *w, sp_con *con)
{
    if (find_meetings(m, num, pool, con->kin, w) == SP_OK) {
        assign(m, num, pool, w, con);
    } else { /* more boxes meet than there is room for, or a place is not finite */
        con->short_of += w->broad.n_pair > 0 ? w->broad.n_pair / MEETS_PER_SLOT : 1;
    }
}

/* The touches of the slots of a pool by the features that they are assigned to.   theory (28.1) */
static void hold_touches(const sp_model *m, const sp_numbers *num, const sp_pool *pool, sp_con *con)
{
    const uint64_t features = ((uint64_t)1 << SP_KEY_FEATURE_BITS) - 1;
    for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
        int a, b;
        sp_shape_held held = {.outside = -INFINITY};
        const bool found = sp_pool3_contours(m, pool, con->key[k], &a, &b) &&
                           sp_shape_slot(m, a, b) &&
                           sp_shape_slot_hold(m, num, con->kin, a, b,
                                              (unsigned)(con->key[k] & features), con->work, &held);
        con->touch[k] = held.touch;
        con->touch[k].g_N = found ? held.touch.g_N : INFINITY;
        con->outside[k] = held.outside;
        con->tol[k] = held.tol;
        con->feature[k] = 0;
    }
}

/* Whether an open touch of shapes is behind its features, on its way round them: it must come in
 * front again before it can close, else it would close where it gets below them.   theory (35.2) */
static bool is_behind(const sp_con *con, int slot)
{
    return con->touch[slot].g_N < -BEHIND * con->tol[slot] &&
           con->outside[slot] > -ASIDE * con->tol[slot];
}

/* Whether a slot may be assigned to something else: not if it is free, near, or for a feature over
 * a plane. */
static bool is_far(const sp_model *m, const sp_numbers *num, const sp_pool *pool, int slot,
                   const sp_con *con)
{
    int a, b;
    return sp_pool3_contours(m, pool, con->key[slot], &a, &b) && !over_plane(m, a, b) &&
           (!(gap_of(m, num, pool, slot, con) < 2.0 * pool->margin) ||
            (sp_shape_slot(m, a, b) && is_behind(con, slot)));
}

sp_status sp_pool3_assign(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                          const bool *keep, sp_con *con, sp_error *err)
{
    con->kin = kin;
    con->still = true;
    con->short_of = 0;
    for (int i = 0; i < m->n_pool; i++) {
        const sp_pool *pool = &m->pool[i];
        sp_pool_work *w = &con->pool[i];
        hold_touches(m, num, pool, con);
        for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
            con->key[k] = !keep[k] && is_far(m, num, pool, k, con) ? 0 : con->key[k];
        }
        list_assigned(pool, con, w);
        assign_pool(m, num, pool, w, con);
    }
    if (con->short_of > 0) {
        return SP_FAIL(err, SP_E_CAPACITY,
                       "about %d points more may come to touch than there is room for; give the "
                       "contact more with 'room: n'",
                       con->short_of);
    }
    return SP_OK;
}

/* How far two boxes are apart along the axis that parts them most, 0 if they meet. */
static double apart(const sp_box3 *a, const sp_box3 *b)
{
    const double x = fmax(a->lo.x - b->hi.x, b->lo.x - a->hi.x),
                 y = fmax(a->lo.y - b->hi.y, b->lo.y - a->hi.y),
                 z = fmax(a->lo.z - b->hi.z, b->lo.z - a->hi.z);
    return fmax(0.0, fmax(x, fmax(y, z)));
}

/* How fast the surface of an item can move beside its middle: by its spin, if it is not round. */
static double swing(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int contour,
                    const sp_box3 *box)
{
    const sp_vec3 size = sp_sub3(box->hi, box->lo);
    if (!sp_sides_is_shape(m->contour[contour].kind) || !isfinite(size.x)) {
        return 0.0;
    }
    const sp_spot s = sp_spot_of(kin, &num->contour[contour].mark);
    return 0.5 * sp_length3(size) * sp_length3(sp_spot_spin(kin, &s));
}

/* The velocity of the middle of an item. */
static sp_vec3 drift_of(const sp_numbers *num, const sp_kin *kin, int contour, const sp_box3 *box)
{
    const sp_vec3 sum = sp_add3(box->lo, box->hi);
    const sp_mark *mark = &num->contour[contour].mark;
    const sp_spot s = isfinite(sum.x + sum.y + sum.z) ? sp_mark_spot(kin, mark, sp_scale3(0.5, sum))
                                                      : sp_spot_origin(kin, mark->body);
    return sp_spot_velocity(kin, &s);
}

/* How far what has no slot of two items is from touching; infinite if all has. */
static double clearance(const sp_model *m, const sp_numbers *num, const sp_pool *pool,
                        const sp_con *con, const sp_pool_work *w, const sp_pair *pair)
{
    int a, b;
    if (w->item[pair->a].owner == w->item[pair->b].owner ||
        !sp_pool3_contours(m, pool, key_of(m, pool, pair), &a, &b) || over_plane(m, a, b)) {
        return INFINITY;
    }
    if (!sp_shape_slot(m, a, b)) {
        const double g_N = sp_pair3_gap(m, num, con->kin, a, b);
        return g_N < pool->margin ? INFINITY : g_N;
    }
    return pool->margin + apart(&w->item[pair->a].box, &w->item[pair->b].box);
}

/* When two items can be so near: v t + a t^2/2 = way. */
static double time_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                      const sp_pool *pool, const sp_pool_work *w, const sp_pair *pair, double way,
                      double a)
{
    const int i = item_contour(pool, pair->a), j = item_contour(pool, pair->b);
    const sp_box3 *box_i = &w->item[pair->a].box, *box_j = &w->item[pair->b].box;
    const double v =
        sp_length3(sp_sub3(drift_of(num, kin, i, box_i), drift_of(num, kin, j, box_j))) +
        swing(m, num, kin, i, box_i) + swing(m, num, kin, j, box_j);
    return 2.0 * way / (v + sqrt(v * v + 2.0 * a * way));
}

double sp_pool3_clear(const sp_model *m, const sp_numbers *num, double a, const sp_con *con)
{
    double least = INFINITY;
    for (int p = 0; p < m->n_pool; p++) {
        const sp_pool *pool = &m->pool[p];
        const sp_pool_work *w = &con->pool[p];
        const int n = n_item(pool);
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                const sp_pair pair = {i, j};
                const double way = clearance(m, num, pool, con, w, &pair);
                if (way != INFINITY) {
                    const double time = time_of(m, num, con->kin, pool, w, &pair, way, a);
                    least = time < least || isnan(time) ? time : least;
                }
            }
        }
    }
    return least;
}

double sp_pool3_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con)
{
    con->short_of = 0;
    for (int i = 0; i < m->n_pool; i++) {
        const sp_pool *pool = &m->pool[i];
        if (con->still) {
            hold_touches(m, num, pool, con);
        } else {
            assign_pool(m, num, pool, &con->pool[i], con);
        }
        for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
            const double g_N = gap_of(m, num, pool, k, con);
            con->g[k] = g_N;
            least = g_N < least ? g_N : least;
        }
    }
    return con->short_of > 0 ? -INFINITY : least; /* sp_con_activate reports it */
}

void sp_pool3_keep(const sp_model *m, const sp_con *con, double *g, sp_contact_memory *memory)
{
    for (int i = 0; i < m->n_pool; i++) {
        const sp_pool *pool = &m->pool[i];
        for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
            sp_contact_memory *c = &memory[k];
            const bool idle =
                c->state == SP_STATE_OPEN && !c->active && !c->crossed && !(c->lift > 0.0);
            const bool far = !(con->g[k] < pool->margin);
            c->key = idle && far ? 0 : con->key[k];
            g[k] = c->key == 0 ? INFINITY : con->g[k];
        }
    }
}
