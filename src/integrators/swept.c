#include "integrators/swept.h"

#include "base/status.h"
#include "contact/pool3.h"
#include "integrators/motion.h"
#include "integrators/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 3, TRIES = 40, TRIES_MOST = 256 };
#define AHEAD  1e-7 /* of the sizes: how deep a touch is made for the law to see it       */
#define WELL   0.25 /* of what is seen: how deep contacts that last may be in a part of a step */
#define BARELY 1e-6 /* of the sizes: what ends less deep has just come to touch            */

typedef struct sp_swept {
    const sp_sweep *sweep;
    sp_kin kin;
    sp_sweep_pose *pose[NODES]; /* n_body each: where the step began, its middle, its end */
    double *q;
    sp_state before; /* a try of a step ...            */
    sp_state start;  /* ... and the whole of it        */
    sp_event *event; /* of its parts so far, room as w */
} sp_swept;

/* What a step did to the pairs. */
typedef struct swept_end {
    bool through;        /* a pair was carried through, or too deep to be seen               */
    double until, touch; /* s: what is proven of the step; how much farther the law sees it  */
    sp_sweep_found found;
} swept_end;

#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok

static bool make_room(const sp_model *m, const sp_work *w, sp_arena *a, sp_swept *s)
{
    bool ok = sp_kin_alloc(a, m, &s->kin) && sp_state_room(m, a, &s->before) &&
              sp_state_room(m, a, &s->start);
    ROOM(s->event, sp_event, w->event_room);
    for (int k = 0; k < NODES; k++) {
        ROOM(s->pose[k], sp_sweep_pose, m->n_body);
    }
    ROOM(s->q, double, m->n_q);
    return ok;
}
#undef ROOM

sp_status sp_swept_of(const sp_model *m, sp_work *w, sp_swept **swept, sp_error *err)
{
    if (!w->swept) {
        sp_swept *s = SP_NEW(&w->arena, sp_swept, 1);
        const bool ok = s && (s->sweep = sp_sweep_new(&w->arena, m)) != NULL &&
                        (!sp_sweep_needed(s->sweep) || make_room(m, w, &w->arena, s));
        if (!ok) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the sweeps of %d contours",
                           m->n_contour);
        }
        w->swept = s;
    }
    *swept = sp_sweep_needed(w->swept->sweep) ? w->swept : NULL;
    return SP_OK;
}

void sp_swept_begin(const sp_model *m, const sp_state *x, sp_swept *s)
{
    sp_state_copy(m, x, &s->before);
}

/* ---- the ways of a step -------------------------------------------------------------------------
 */

static void place_node(const sp_model *m, const sp_numbers *num, const double *q, int node,
                       sp_swept *s)
{
    sp_kin_positions(m, num, q, &s->kin);
    sp_sweep_poses(m, &s->kin, s->pose[node]);
}

/* Where the bodies were: of Moreau's scheme with its middle, to which u_A leads, and its end before
 * positions are corrected: what that moves did not go there.  How many ways.   theory (66.20) */
static int place_nodes(const sp_model *m, const sp_state *x, sp_method method, double dt,
                       sp_work *w, sp_swept *s)
{
    const bool moreau = method == SP_METHOD_MOREAU || method == SP_METHOD_MOREAU_MEAN;
    const sp_state *before = &s->before;
    place_node(m, x->numbers, before->q, 0, s);
    if (moreau) {
        memcpy(s->q, before->q, (size_t)m->n_q * sizeof *s->q);
        sp_kin_advance(m, 0.5 * dt, before->u, s->q);
        sp_motion_place(m, before->t + 0.5 * dt, &w->dyn, s->q);
        place_node(m, x->numbers, s->q, 1, s);
    }
    place_node(m, x->numbers, w->corrected ? w->q_E : x->q, moreau ? 2 : 1, s);
    return moreau ? 2 : 1;
}

/* ---- slots of pairs -----------------------------------------------------------------------------
 */

/* Whether a slot with this key, if it is of a pool, is between two contours. */
static bool is_of(const sp_model *m, int slot, uint64_t key, int a, int b)
{
    const sp_slot *s = &m->slot[slot];
    int first = s->contour_a, second = s->contour_b;
    if (s->is.rule ||
        (s->is.pooled && !sp_pool3_contours(m, &m->pool[s->rule], key, &first, &second))) {
        return false;
    }
    return (first == a && second == b) || (first == b && second == a);
}

/* The first contact of the step's problem that is between the contours found, NULL: none; met: only
 * one that pushes or approaches, not one that is on its way out at the far side. */
static const sp_hit *hit_of(const sp_model *m, const sp_work *w, const sp_sweep_found *found,
                            bool met)
{
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (hit->slot < m->n_slot && !(met && hit->P[0] <= 0.0 && hit->gamma_A[0] > 0.0) &&
            is_of(m, hit->slot, w->con.key ? w->con.key[hit->slot] : 0, found->a, found->b)) {
            return hit;
        }
    }
    return NULL;
}

int sp_swept_slot(const sp_model *m, const sp_work *w, const sp_sweep_found *found)
{
    const sp_hit *hit = hit_of(m, w, found, false);
    return hit ? hit->slot : SP_NONE;
}

/* Whether a slot was closed, or touched, when the step began. */
static bool touched(const sp_swept *s, int slot)
{
    return s->before.contact[slot].state != SP_STATE_OPEN || s->before.g[slot] <= SP_GAP_ACTIVE;
}

/* The same of any slot of a pair. */
static bool pair_touched(const sp_swept *s, const sp_sweep_pair *pair)
{
    bool any = false;
    for (int k = 0; k < pair->n && !any; k++) {
        any = touched(s, pair->slot[k]);
    }
    return any;
}

static bool pool_touched(const sp_model *m, const sp_swept *s, const sp_pool *pool, int a, int b)
{
    bool any = false;
    for (int k = pool->slot; k < pool->slot + pool->n_slot && !any; k++) {
        any = touched(s, k) && is_of(m, k, s->before.contact[k].key, a, b);
    }
    return any;
}

/* ---- judgement ----------------------------------------------------------------------------------
 */

/* A step that is judged. */
typedef struct judge {
    const sp_model *m;
    sp_work *w;
    sp_swept *s;
    int n_way;
    double dt;
    bool touch; /* the pair at hand touched when the step began */
    swept_end end;
} judge;

/* Note that a pair may have gone through another. */
static void note_doubt(const sp_model *m, double t, const sp_sweep_found *found, sp_work *w)
{
    char pair[sizeof w->doubt->place];
    snprintf(pair, sizeof pair, "%s, %s", m->contour[found->a].name, m->contour[found->b].name);
    sp_work_doubt(w, SP_DOUBT_UNPROVEN, t, 0.0, pair);
}

static double size_of(const sp_sweep_found *found)
{
    const sp_convex *a = found->piece[0], *b = found->piece[1];
    return a->size + a->r + b->size + b->r;
}

/* Whether the law sees a touch on way k from the side that the pair came from: at the next place
 * where gaps count they are apart, or one of their slots takes part, pushes or approaches, and they
 * are no deeper than (66.7).  What is deeper already is judged by its depth. */
static bool is_seen(const judge *j, const sp_sweep_way *way, int k, const sp_sweep_found *found)
{
    const sp_sweep *s = j->s->sweep;
    const double depth = sp_sweep_depth(s, way, found, 1.0), seen = sp_sweep_seen(s, way, found);
    if (depth <= 0.0 || !(found->approach > 0.0) ||
        sp_sweep_depth(s, way, found, found->at) > seen) {
        return true;
    }
    if (k + 1 < j->n_way) { /* that is the middle of this step */
        return depth < seen && hit_of(j->m, j->w, found, true);
    }
    const double later = j->n_way == 1 ? 0.5 : 1.0; /* of the way: to the middle of the next step */
    return depth <= BARELY * size_of(found) || depth + later * found->approach < seen;
}

/* How much of the way it takes from a touch until the law sees it: by the bound of how fast they
 * come together, then by how deep that led. */
static double touch_of(const judge *j, const sp_sweep_way *way, const sp_sweep_found *found)
{
    const double seen = sp_sweep_seen(j->s->sweep, way, found);
    const double wanted = fmax(AHEAD * size_of(found), j->touch ? WELL * seen : 0.0);
    const double before = sp_sweep_depth(j->s->sweep, way, found, found->at);
    const double most = 1.0 - found->at;
    double part = fmin(most, (fmax(-before, 0.0) + wanted) / found->approach);
    for (int i = 0; i < TRIES && part < most; i++) {
        const double depth = sp_sweep_depth(j->s->sweep, way, found, found->at + part);
        if (depth >= 0.5 * wanted) {
            break;
        }
        part = fmin(most, 1.5 * part);
    }
    return part;
}

/* The earliest touch that is not seen is where the step is divided. */
static void divide_at(judge *j, int k, const sp_sweep_way *way, const sp_sweep_found *found)
{
    const double span = j->dt / j->n_way, until = (k + found->at) * span;
    if (!j->end.through || until < j->end.until) {
        j->end.through = true;
        j->end.until = until;
        j->end.touch = 2.0 * span * touch_of(j, way, found);
        j->end.found = *found;
    }
}

/* Sweep a piece of a, all the way, against b. */
static void judge_piece(judge *j, int a, int b, const sp_convex *piece)
{
    for (int k = 0; k < j->n_way; k++) {
        const sp_sweep_way way = {.from = j->s->pose[k], .to = j->s->pose[k + 1]};
        sp_sweep_found found;
        const sp_sweep_end end = sp_sweep_piece(j->s->sweep, &way, a, b, piece, &found);
        if (end == SP_SWEEP_UNPROVEN) {
            note_doubt(j->m, j->s->before.t + (k + found.at) * j->dt / j->n_way, &found, j->w);
        } else if (end == SP_SWEEP_TOUCH && !is_seen(j, &way, k, &found)) {
            divide_at(j, k, &way, &found);
            return;
        }
    }
}

/* Whether a pair is proven apart as a whole. */
static bool is_clear(const judge *j, int a, int b)
{
    bool clear = true;
    for (int k = 0; k < j->n_way && clear; k++) {
        const sp_sweep_way way = {.from = j->s->pose[k], .to = j->s->pose[k + 1]};
        sp_sweep_found found;
        clear = sp_sweep_contours(j->s->sweep, &way, a, b, &found) == SP_SWEEP_CLEAR;
    }
    return clear;
}

/* Sweep a pair: as a whole, and if it touched also corner by corner.  In the plane two parts always
 * meet at a corner of one of them. */
static void judge_pair(judge *j, int a, int b, bool touch)
{
    const sp_sweep_cover *A = &j->s->sweep->cover[a], *B = &j->s->sweep->cover[b];
    const bool space = j->m->dim == 3, corners = space ? touch : touch || !is_clear(j, a, b);
    j->touch = touch;
    for (int i = 0; i < A->n && space; i++) {
        judge_piece(j, a, b, &A->piece[i]);
    }
    for (int i = 0; i < A->n_corner && corners; i++) {
        judge_piece(j, a, b, &A->corner[i]);
    }
    for (int i = 0; i < B->n_corner && corners; i++) {
        judge_piece(j, b, a, &B->corner[i]);
    }
}

/* Whether nothing can go wrong with a pair in this step. */
static bool is_harmless(const judge *j, int a, int b)
{
    return sp_sweep_is_far(j->s->sweep, j->s->pose, j->n_way, a, b) ||
           sp_sweep_is_slow(j->s->sweep, j->s->pose, j->n_way, a, b);
}

/* The farthest that an item of a pool went in the step, m. */
static double farthest(const judge *j, const sp_pool *pool)
{
    const int n = pool->both ? pool->n_a : pool->n_a + pool->n_b;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const int c = i < pool->n_a ? pool->a[i] : pool->b[i - pool->n_a];
        double way = 0.0;
        for (int k = 0; k < j->n_way && j->s->sweep->cover[c].n > 0; k++) {
            sp_vec3 x, y;
            const double r = sp_sweep_ball(j->s->sweep, j->s->pose[k], c, &x);
            sp_sweep_ball(j->s->sweep, j->s->pose[k + 1], c, &y);
            way += sp_length3(sp_sub3(y, x)) +
                   r * sp_sweep_turned(j->s->sweep, j->s->pose[k], j->s->pose[k + 1], c);
        }
        most = way > most || isnan(way) ? way : most;
    }
    return most;
}

/* Sweep a pair of a pool. */
static void judge_pool_pair(judge *j, const sp_pool *pool, int a, int b)
{
    if (sp_sides_of(j->m->contour[a].kind, j->m->contour[b].kind) != 0 && !is_harmless(j, a, b)) {
        judge_pair(j, a, b, pool_touched(j->m, j->s, pool, a, b));
    }
}

/* The pairs of a pool: those whose boxes met at the end of the step, if nothing can have come from
 * farther away, else all. */
static void judge_pool(judge *j, int p)
{
    const sp_pool *pool = &j->m->pool[p];
    int a, b;
    if (2.0 * farthest(j, pool) <= pool->margin) {
        for (int k = 0; sp_pool3_meeting(j->m, &j->w->con, p, k, &a, &b); k++) {
            if (a != SP_NONE) {
                judge_pool_pair(j, pool, a, b);
            }
        }
        return;
    }
    for (int i = 0; i < pool->n_a; i++) {
        for (int k = pool->both ? i + 1 : 0; k < pool->n_b; k++) {
            if (j->m->contour[pool->a[i]].body != j->m->contour[pool->b[k]].body) {
                judge_pool_pair(j, pool, pool->a[i], pool->b[k]);
            }
        }
    }
}

/* The step of a method that ended at x, dt after sp_swept_begin. */
static swept_end judge_step(const sp_model *m, const sp_state *x, sp_method method, double dt,
                            sp_work *w, sp_swept *s)
{
    judge j = {.m = m, .w = w, .s = s, .dt = dt};
    j.n_way = place_nodes(m, x, method, dt, w, s);
    for (int i = 0; i < s->sweep->n_pair; i++) {
        const sp_sweep_pair *pair = &s->sweep->pair[i];
        if (!is_harmless(&j, pair->a, pair->b)) {
            judge_pair(&j, pair->a, pair->b, pair_touched(s, pair));
        }
    }
    for (int p = 0; p < m->n_pool; p++) {
        judge_pool(&j, p);
    }
    return j.end;
}

/* ---- steps that are divided ---------------------------------------------------------------------
 */

/* How much of a step is taken next: up to a touch that was gone through, then *across it.  0: it is
 * as good as that. */
static double shorter(const swept_end *end, double h, double *across)
{
    const bool ahead = end->until > SP_SLIVER * h;
    const double to = ahead ? end->until : end->touch;
    *across = ahead ? end->touch : 0.0;
    return end->through && to < (1.0 - SP_SLIVER) * h ? to : 0.0;
}

bool sp_swept_keep(const sp_model *m, sp_state *x, sp_method method, sp_work *w, sp_swept *s,
                   sp_swept_step *step)
{
    const swept_end end = judge_step(m, x, method, step->h, w, s);
    double across;
    const double less = shorter(&end, step->h, &across);
    if (less > 0.0 && step->tries++ < TRIES_MOST) {
        step->across = across;
        sp_state_copy(m, &s->before, x);
        step->h = less;
        step->met = end.found;
        return false;
    }
    if (less > 0.0) {
        note_doubt(m, x->t, &end.found, w);
    }
    step->left -= step->h;
    step->left = step->left > step->sliver ? step->left : 0.0;
    step->h = step->across > 0.0 ? fmin(step->across, step->left) : step->left;
    step->across = 0.0;
    return true;
}

/* Events and certificate of a part of a step behind those before it; last: it is the last. */
static void gather(sp_work *w, sp_swept *s, int *n, sp_certificate *worst, bool last)
{
    for (int i = 0; i < w->n_event && *n < w->event_room; i++) {
        s->event[(*n)++] = w->event[i];
    }
    sp_certificate_worst(worst, &w->certificate);
    if (last) {
        memcpy(w->event, s->event, (size_t)*n * sizeof *w->event);
        w->n_event = *n;
        worst->gap = w->certificate.gap;
        w->certificate = *worst;
    }
}

sp_status sp_swept_take(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                        double dt, sp_error *err)
{
    sp_swept *s;
    SP_TRY(sp_swept_of(m, w, &s, err));
    if (!s) {
        return sp_step_take(m, x, w, rule, dt, err);
    }
    sp_swept_step step = sp_swept_whole(dt);
    sp_certificate worst = {.momentum = 0.0};
    sp_status status = SP_OK;
    int n = 0;
    sp_state_copy(m, x, &s->start);
    while (step.left > 0.0 && status == SP_OK) {
        sp_swept_begin(m, x, s);
        status = sp_step_take(m, x, w, rule, step.h, err);
        if (status == SP_OK && sp_swept_keep(m, x, rule->name, w, s, &step)) {
            gather(w, s, &n, &worst, !(step.left > 0.0));
        }
    }
    if (status != SP_OK) {
        sp_state_copy(m, &s->start, x);
    }
    return status;
}
