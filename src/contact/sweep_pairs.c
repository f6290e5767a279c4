/* contact/sweep_pairs.c - the pairs that are swept, those of pools by their boxes; and whether a
 * step with a given length carried one through another, so that contact laws do not see it, or from
 * the wrong side.   theory (66.7)-(66.9) */
#include "base/status.h"
#include "base/worse.h"
#include "contact/pool3.h"
#include "contact/sweep.h"

#include <math.h>

enum { TRIES = 40 };
#define AHEAD  1e-7 /* of the sizes: how deep a touch is made for the law to see it       */
#define WELL   0.25 /* of what is seen: how deep contacts that last may be in a part of a step */
#define BARELY 1e-6 /* of the sizes: what ends less deep has just come to touch            */

/* The farthest that an item of a pool goes on these ways, m. */
static double farthest(const sp_sweep *s, const sp_sweep_way *way, int n_way, const sp_pool *pool)
{
    const int n = pool->both ? pool->n_a : pool->n_a + pool->n_b;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const int c = i < pool->n_a ? pool->a[i] : pool->b[i - pool->n_a];
        double sum = 0.0;
        for (int k = 0; k < n_way && s->cover[c].n > 0; k++) {
            sum += sp_sweep_farthest(s, &way[k], c);
        }
        most = sp_worse(most, sum);
    }
    return most;
}

/* Visit a pair of a pool, if the two can touch. */
static sp_status visit_pair(const sp_sweep *s, const sp_pool *pool, int a, int b,
                            sp_sweep_visit visit, void *ctx, sp_error *err)
{
    const sp_contour *A = &s->m->contour[a], *B = &s->m->contour[b];
    if (A->body == B->body || s->cover[a].n == 0 || s->cover[b].n == 0 ||
        sp_sides_of(A->kind, B->kind) == 0) {
        return SP_OK;
    }
    return visit(ctx, a, b, NULL, pool, err);
}

/* All pairs of a pool. */
static sp_status visit_all(const sp_sweep *s, const sp_pool *pool, sp_sweep_visit visit, void *ctx,
                           sp_error *err)
{
    for (int i = 0; i < pool->n_a; i++) {
        for (int k = pool->both ? i + 1 : 0; k < pool->n_b; k++) {
            SP_TRY(visit_pair(s, pool, pool->a[i], pool->b[k], visit, ctx, err));
        }
    }
    return SP_OK;
}

sp_status sp_sweep_each(const sp_sweep *s, const sp_con *con, const sp_sweep_way *way, int n_way,
                        sp_sweep_visit visit, void *ctx, sp_error *err)
{
    for (int i = 0; i < s->n_pair; i++) {
        SP_TRY(visit(ctx, s->pair[i].a, s->pair[i].b, &s->pair[i], NULL, err));
    }
    for (int p = 0; p < s->m->n_pool; p++) {
        const sp_pool *pool = &s->m->pool[p];
        int a, b;
        if (!(2.0 * farthest(s, way, n_way, pool) <= pool->margin)) {
            SP_TRY(visit_all(s, pool, visit, ctx, err));
            continue;
        }
        for (int k = 0; sp_pool3_meeting(s->m, con, p, k, &a, &b); k++) {
            SP_TRY(a == SP_NONE ? SP_OK : visit_pair(s, pool, a, b, visit, ctx, err));
        }
    }
    return SP_OK;
}

/* Where depths are compared. */
typedef struct compared {
    const sp_sweep *s;
    const sp_sweep_pose *pose;
    sp_sweep_deepest *best;
} compared;

static sp_status compare(void *ctx, int a, int b, const sp_sweep_pair *pair, const sp_pool *pool,
                         sp_error *err)
{
    const compared *c = ctx;
    const double depth = sp_sweep_overlap(c->s, c->pose, a, b);
    (void)err;
    if (depth > c->best->depth) {
        *c->best = (sp_sweep_deepest){depth, a, b, pair ? pair->slot[0] : pool->slot};
    }
    return SP_OK;
}

sp_sweep_deepest sp_sweep_find_deepest(const sp_sweep *s, const sp_con *con,
                                       const sp_sweep_pose *pose)
{
    sp_sweep_deepest best = {.depth = 0.0};
    compared c = {s, pose, &best};
    const sp_sweep_way still = {.from = pose, .to = pose};
    sp_sweep_each(s, con, &still, 1, compare, &c, NULL);
    return best;
}

/* ---- steps with a given length --------------------------------------------------------------- */

/* A step that is judged. */
typedef struct judge {
    const sp_sweep_step *q;
    bool touch;  /* the pair at hand touched when the step began      */
    bool little; /* the two come together by little (66.9)             */
    bool gone;   /* it may have come and gone without the law's notice */
    double slow; /* how far the pair comes together at most, m            */
    sp_sweep_through end;
} judge;

/* Of smooth contours it is known exactly how they come together. */
static bool are_round(const sp_sweep_found *found)
{
    return found->smooth || (found->piece[0]->size == 0.0 && found->piece[1]->size == 0.0);
}

/* Whether the normal of two turns with their depth.  Pieces of curves are no measure of it. */
static bool is_curved(const sp_sweep *s, const sp_sweep_found *found)
{
    bool curved = found->smooth;
    for (int k = 0; k < 2; k++) {
        const sp_convex *p = found->piece[k];
        curved = curved || p->r > 0.0 || p->disc || p->endless;
    }
    return curved && sp_sweep_wide(s, found->a, found->b) == 0.0;
}

/* Whether the law sees a touch on way k from the side that the pair came from: at the next place
 * where gaps count they are apart, or one of their slots takes part, pushes or approaches, and they
 * are no deeper than (66.7).  What is deeper already is judged by its depth. */
static bool is_seen(const judge *j, int k, const sp_sweep_found *found)
{
    const sp_sweep *s = j->q->s;
    const sp_sweep_way *way = &j->q->way[k];
    const double depth = sp_sweep_depth(s, way, found, 1.0);
    const bool turns = is_curved(s, found) && !j->touch && !j->little;
    const double seen = turns ? BARELY * sp_sweep_size(found) : sp_sweep_seen(s, way, found);
    if (!(found->approach > 0.0) || sp_sweep_depth(s, way, found, found->at) > seen) {
        return true;
    }
    if (k + 1 < j->q->n_way) { /* that is the middle of this step */
        return depth < seen && j->q->hit(j->q->ctx, found);
    }
    if (sp_sweep_distance(s, way, found, 1.0) > SP_SWEEP_NEAR * sp_sweep_size(found)) {
        return false; /* it grazed and has left again */
    }
    const double later = j->q->n_way == 1 ? 0.5 : 1.0; /* of the way: to the next middle */
    if (are_round(found) && !(sp_sweep_approach(s, way, found, 1.0 + later) > 0.0)) {
        return false; /* it has passed the middle by then   (66.9a) */
    }
    return depth <= BARELY * sp_sweep_size(found) || depth + later * found->approach < seen;
}

/* How much of the way it takes from a touch until the law sees it: by the bound of how fast they
 * come together, then by how deep that led. */
static double touch_of(const judge *j, const sp_sweep_way *way, const sp_sweep_found *found)
{
    const sp_sweep *s = j->q->s;
    const double seen = sp_sweep_seen(s, way, found);
    const bool lasts = j->touch && !j->gone && !found->smooth;
    const double wide =
        fmin(sp_sweep_wide(s, found->a, found->b), 0.5 * seen); /* of pieces alone */
    const double wanted = fmax(AHEAD * sp_sweep_size(found) + wide, lasts ? WELL * seen : 0.0);
    const double before = sp_sweep_depth(s, way, found, found->at);
    const double most = 1.0; /* also beyond the way: the rest of a divided step follows */
    double part = fmin(most, (fmax(-before, 0.0) + wanted) / found->approach);
    for (int i = 0; i < TRIES && part < most; i++) {
        if (sp_sweep_depth(s, way, found, found->at + part) >= 0.5 * wanted) {
            break;
        }
        part = fmin(most, 1.5 * part);
    }
    return part;
}

/* The earliest touch that is not seen is where the step is divided. */
static void divide_at(judge *j, int k, const sp_sweep_found *found)
{
    const double until = (k + found->at) / j->q->n_way;
    if (!j->end.through || until < j->end.until) {
        j->end.through = true;
        j->end.until = until;
        j->end.touch = 2.0 * touch_of(j, &j->q->way[k], found) / j->q->n_way;
        j->end.found = *found;
    }
}

/* Sweep a piece of a, all the way, against b. */
static void judge_piece(judge *j, int a, int b, const sp_convex *piece)
{
    for (int k = 0; k < j->q->n_way; k++) {
        sp_sweep_found found;
        sp_sweep_way way = j->q->way[k];
        way.slow = j->slow;
        const sp_sweep_end end = sp_sweep_piece(j->q->s, &way, a, b, piece, &found);
        if (end == SP_SWEEP_UNPROVEN) {
            j->end.unproven = true;
            j->end.doubt = found;
            j->end.doubt.at = (k + found.at) / j->q->n_way;
        } else if (end == SP_SWEEP_TOUCH && !is_seen(j, k, &found)) {
            divide_at(j, k, &found);
            return;
        }
    }
}

/* Whether a pair is proven apart as a whole. */
static bool is_clear(const judge *j, int a, int b)
{
    bool clear = true;
    for (int k = 0; k < j->q->n_way && clear; k++) {
        sp_sweep_found found;
        sp_sweep_way way = j->q->way[k];
        way.slow = j->slow;
        clear = sp_sweep_contours(j->q->s, &way, a, b, &found) == SP_SWEEP_CLEAR;
    }
    return clear;
}

/* Whether any slot of a pair had touched when the step began. */
static bool had_touched(const sp_sweep_step *q, int a, int b, const sp_sweep_pair *pair,
                        const sp_pool *pool)
{
    const int n = pair ? pair->n : pool->n_slot;
    bool any = false;
    for (int k = 0; k < n && !any; k++) {
        const int slot = pair ? pair->slot[k] : pool->slot + k;
        uint64_t key;
        any = q->touched(q->ctx, slot, &key) && (pair || sp_pool3_is_of(q->s->m, slot, key, a, b));
    }
    return any;
}

/* Whether a contour is a ball, of which sp_sweep_is_far tells exactly. */
static bool is_ball(const sp_sweep_cover *c)
{
    return c->n == 1 && c->piece[0].size == 0.0;
}

/* Whether every gap of a pair was larger than this when the step began; NaN is not. */
static bool was_apart(const sp_sweep_step *q, const sp_sweep_pair *pair, double most)
{
    bool apart = true;
    for (int k = 0; k < pair->n && apart; k++) {
        apart = q->gap(q->ctx, pair->slot[k]) > most;
    }
    return apart;
}

/* Whether two contours cannot come together on these ways: balls around them, or the gaps of
 * nearest points when the step began. */
static bool is_far(const judge *j, int a, int b, const sp_sweep_pair *pair)
{
    const sp_sweep_step *q = j->q;
    const bool smooth = pair && sp_sweep_is_smooth(q->s, a, b);
    double most = 0.0;
    for (int k = 0; k < q->n_way && smooth; k++) {
        most += sp_sweep_come(q->s, &q->way[k], a, b);
    }
    return sp_sweep_is_far(q->s, q->way, q->n_way, a, b) || (smooth && was_apart(q, pair, most));
}

/* Whether two that are round and not far may have come and gone between the places where gaps
 * count: no law of theirs acts, nor do they approach in the middle.   theory (66.9a) */
static bool may_have_gone(const judge *j, int a, int b, const sp_sweep_pair *pair)
{
    const sp_sweep_found found = {.a = a, .b = b};
    const sp_sweep *s = j->q->s;
    const bool round =
        (is_ball(&s->cover[a]) && is_ball(&s->cover[b])) || sp_sweep_is_smooth(s, a, b);
    return pair && round && !j->q->hit(j->q->ctx, &found);
}

/* Sweep a pair: as a whole, and if it touched also corner by corner.  In the plane two parts always
 * meet at a corner of one of them. */
static sp_status judge_pair(void *ctx, int a, int b, const sp_sweep_pair *pair, const sp_pool *pool,
                            sp_error *err)
{
    judge *j = ctx;
    const sp_sweep *s = j->q->s;
    const sp_sweep_cover *A = &s->cover[a], *B = &s->cover[b];
    (void)err;
    if (is_far(j, a, b, pair)) {
        return SP_OK;
    }
    j->gone = may_have_gone(j, a, b, pair);
    j->little = sp_sweep_is_slow(s, j->q->way, j->q->n_way, a, b);
    if (!j->gone && j->little) {
        return SP_OK;
    }
    j->touch = had_touched(j->q, a, b, pair, pool);
    j->slow = j->gone ? 0.0 : sp_sweep_together(s, j->q->way, j->q->n_way, a, b);
    const bool space = s->m->dim == 3, smooth = sp_sweep_is_smooth(s, a, b);
    const bool corners = !smooth && (j->touch || (!space && !is_clear(j, a, b)));
    for (int i = 0; i < A->n && space; i++) {
        judge_piece(j, a, b, &A->piece[i]);
    }
    for (int i = 0; i < A->n_corner && corners; i++) {
        judge_piece(j, a, b, &A->corner[i]);
    }
    for (int i = 0; i < B->n_corner && corners; i++) {
        judge_piece(j, b, a, &B->corner[i]);
    }
    return SP_OK;
}

sp_sweep_through sp_sweep_judge(const sp_sweep_step *step)
{
    judge j = {.q = step};
    sp_sweep_each(step->s, step->con, step->way, step->n_way, judge_pair, &j, NULL);
    return j.end;
}

static sp_status look_for_touch(void *ctx, int a, int b, const sp_sweep_pair *pair,
                                const sp_pool *pool, sp_error *err)
{
    judge *j = ctx;
    const sp_sweep_step *q = j->q;
    const bool apart = !j->touch && !is_far(j, a, b, pair) && !had_touched(q, a, b, pair, pool);
    j->slow = 0.0;
    (void)err;
    j->touch = j->touch || (apart && !is_clear(j, a, b));
    return SP_OK;
}

bool sp_sweep_touches(const sp_sweep_step *step)
{
    judge j = {.q = step};
    sp_sweep_each(step->s, step->con, step->way, step->n_way, look_for_touch, &j, NULL);
    return j.touch;
}

/* ---- motion between two events --------------------------------------------------------------- */

/* Whether what was found is a pair that has just come to touch when its way ends. */
static bool is_at_end(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found)
{
    const double near = SP_SWEEP_NEAR * sp_sweep_size(found);
    const double wide = sp_sweep_wide(s, found->a, found->b);
    return found->at > 0.0 && found->approach * (1.0 - found->at) <= 4.0 * near + wide &&
           sp_sweep_depth(s, way, found, 1.0) <= 2.0 * near + wide;
}

/* Whether a shorter way may show more of a pair that touches. */
static bool is_coarse(const sp_sweep_found *found)
{
    return found->at == 0.0 || found->slack > SP_SWEEP_NEAR * sp_sweep_size(found);
}

/* Whether any slot of a pair is closed. */
static bool is_closed(const sp_sweep_time *p, const sp_sweep_pair *pair)
{
    bool closed = false;
    for (int k = 0; k < pair->n && !closed; k++) {
        closed = p->closed(p->ctx, pair->slot[k]);
    }
    return closed;
}

/* Prove a pair part by part as far as it does not touch. */
static sp_status prove_pair(void *ctx, int a, int b, const sp_sweep_pair *pair, const sp_pool *pool,
                            sp_error *err)
{
    sp_sweep_time *p = ctx;
    double t = p->from, dt = p->end - t;
    sp_sweep_way way = p->all;
    (void)pool;
    if (sp_sweep_is_far(p->s, &way, 1, a, b) ||
        (pair && sp_sweep_is_smooth(p->s, a, b) && is_closed(p, pair))) {
        return SP_OK;
    }
    while (t < p->until) {
        sp_sweep_found found;
        if (sp_sweep_contours(p->s, &way, a, b, &found) == SP_SWEEP_CLEAR ||
            is_at_end(p->s, &way, &found)) {
            t += dt;
            dt *= 2.0;
        } else if (dt > p->sliver && is_coarse(&found)) {
            dt *= 0.5;
        } else if (t + found.at * dt > p->from + p->sliver) {
            p->until = fmin(p->until, t + found.at * dt);
        } else {
            p->unproven = true;
            p->a = a;
            p->b = b;
            p->at = t;
            return SP_OK;
        }
        dt = fmin(dt, p->until - t);
        SP_TRY(t < p->until ? p->way_of(p->ctx, t, t + dt, true, &way, err) : SP_OK);
    }
    return SP_OK;
}

sp_status sp_sweep_prove(sp_sweep_time *time, sp_error *err)
{
    time->end = time->until;
    if (!(time->until - time->from > time->sliver)) {
        return SP_OK;
    }
    SP_TRY(time->way_of(time->ctx, time->from, time->until, false, &time->all, err));
    return sp_sweep_each(time->s, time->con, &time->all, 1, prove_pair, time, err);
}
