#include "integrators/swept.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/pool3.h"
#include "integrators/stepper.h"
#include "kinematics/bounds.h"
#include "math/cheb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 4, TRIES_MOST = 256 };

typedef struct sp_swept {
    const sp_sweep *sweep;
    sp_kin kin;
    sp_sweep_pose *pose[NODES]; /* n_contour each: where the step began, its middle, its end;
                                 * of smooth motion both ends of a step, and of a part of it  */
    sp_sweep_bend *bend[2];     /* n_body each: of that step and that part                   */
    sp_kin_bounds bounds;
    double *q;
    sp_state before; /* a try of a step ...            */
    sp_state start;  /* ... and the whole of it        */
    sp_event *event; /* of its parts so far, room as w */
} sp_swept;

#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok

static bool make_room(const sp_model *m, const sp_work *w, sp_arena *a, sp_swept *s)
{
    bool ok = sp_kin_alloc(a, m, &s->kin) && sp_kin_bounds_room(a, m, &s->bounds) &&
              sp_state_room(m, a, &s->before) && sp_state_room(m, a, &s->start);
    ROOM(s->event, sp_event, w->event_room);
    ROOM(s->bend[0], sp_sweep_bend, m->n_body);
    ROOM(s->bend[1], sp_sweep_bend, m->n_body);
    for (int k = 0; k < NODES; k++) {
        ROOM(s->pose[k], sp_sweep_pose, m->n_contour);
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

/* Where the bodies are at (t, q). */
static void place_at(const sp_model *m, const sp_numbers *num, double t, const double *q,
                     sp_work *w, sp_sweep_pose *pose)
{
    sp_swept *s = w->swept;
    memcpy(s->q, q, (size_t)m->n_q * sizeof *s->q);
    sp_motion_place(m, t, &w->dyn, s->q);
    sp_kin_positions(m, num, s->q, &s->kin);
    sp_sweep_poses(m, &s->kin, pose);
}

sp_status sp_swept_deepest(const sp_model *m, const sp_state *x, sp_work *w,
                           sp_sweep_deepest *deepest, sp_error *err)
{
    sp_swept *s;
    *deepest = (sp_sweep_deepest){.depth = 0.0};
    SP_TRY(sp_swept_of(m, w, &s, err));
    if (s) {
        place_at(m, x->numbers, x->t, x->q, w, s->pose[0]);
        *deepest = sp_sweep_find_deepest(s->sweep, &w->con, s->pose[0]);
    }
    return SP_OK;
}

void sp_swept_begin(const sp_model *m, const sp_state *x, sp_swept *s)
{
    sp_state_copy(m, x, &s->before);
}

/* ---- the ways of a step ---------------------------------------------------------------------- */

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
    const bool moreau = method == SP_METHOD_MOREAU || method == SP_METHOD_MOREAU_MEAN ||
                        method == SP_METHOD_ADAPTIVE;
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

/* ---- slots of pairs -------------------------------------------------------------------------- */

/* The first contact of the step's problem that is between the contours found, NULL: none; met: only
 * one that pushes or approaches, not one that is on its way out at the far side. */
static const sp_hit *hit_of(const sp_model *m, const sp_work *w, const sp_sweep_found *found,
                            bool met)
{
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (hit->slot < m->n_slot && !(met && hit->P[0] <= 0.0 && hit->gamma_A[0] > 0.0) &&
            sp_pool3_is_of(m, hit->slot, w->con.key ? w->con.key[hit->slot] : 0, found->a,
                           found->b)) {
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

/* What the sweep of a step asks. */
typedef struct asked {
    const sp_model *m;
    const sp_work *w;
    const sp_swept *s;
    double near; /* m: so small a gap has touched; minus infinity: no open one has */
} asked;

static bool had_touched(const void *ctx, int slot, uint64_t *key)
{
    const asked *q = ctx;
    const sp_contact_memory *c = &q->s->before.contact[slot];
    *key = c->key;
    return c->state != SP_STATE_OPEN || q->s->before.g[slot] <= q->near;
}

static double gap_before(const void *ctx, int slot)
{
    const asked *q = ctx;
    return q->s->before.g[slot];
}

/* ---- judgement ------------------------------------------------------------------------------- */

/* Note that a pair may have gone through another at t. */
static void note_doubt(const sp_model *m, double t, int a, int b, sp_work *w)
{
    char pair[sizeof w->doubt->place];
    snprintf(pair, sizeof pair, "%s, %s", m->contour[a].name, m->contour[b].name);
    sp_work_doubt(w, SP_DOUBT_UNPROVEN, t, 0.0, pair);
}

static bool was_hit(const void *ctx, const sp_sweep_found *found)
{
    const asked *q = ctx;
    return hit_of(q->m, q->w, found, true) != NULL;
}

/* The step of a method that ended at x, dt after sp_swept_begin. */
static sp_sweep_through judge_step(const sp_model *m, const sp_state *x, sp_method method,
                                   double dt, sp_work *w, sp_swept *s)
{
    const asked ctx = {m, w, s, SP_GAP_ACTIVE};
    const int n_way = place_nodes(m, x, method, dt, w, s);
    const sp_sweep_way way[] = {{.from = s->pose[0], .to = s->pose[1]},
                                {.from = s->pose[1], .to = s->pose[2]}};
    const sp_sweep_step step = {s->sweep, &w->con,     way,        n_way,
                                was_hit,  had_touched, gap_before, &ctx};
    const sp_sweep_through end = sp_sweep_judge(&step);
    if (end.unproven) {
        note_doubt(m, s->before.t + end.doubt.at * dt, end.doubt.a, end.doubt.b, w);
    }
    return end;
}

bool sp_swept_touches(const sp_model *m, const sp_state *x, const double *q_M, const sp_work *w,
                      sp_swept *s)
{
    const asked ctx = {m, w, s, -INFINITY};
    const sp_sweep_way way[] = {{.from = s->pose[0], .to = s->pose[1], .rests = true},
                                {.from = s->pose[1], .to = s->pose[2], .rests = true}};
    const sp_sweep_step step = {s->sweep, &w->con, way, 2, was_hit, had_touched, gap_before, &ctx};
    place_node(m, x->numbers, x->q, 0, s);
    place_node(m, x->numbers, q_M, 1, s);
    place_node(m, x->numbers, w->q, 2, s);
    return sp_sweep_touches(&step);
}

/* ---- smooth motion --------------------------------------------------------------------------- */

/* The way of all bodies over a time of smooth motion: the whole of it, or a part. */
static sp_status way_of(void *ctx, double from, double to, bool part, sp_sweep_way *way,
                        sp_error *err)
{
    sp_smooth *x = ctx;
    const sp_model *m = x->m;
    sp_swept *s = x->w->swept;
    const int n = SP_CHEB_MAX, k = part ? 2 : 0;
    sp_sweep_bend *bend = s->bend[part];
    for (int i = 0; i <= n; i++) {
        const double t = sp_cheb_point(n, from, to, i);
        SP_TRY(sp_smooth_dense(x, t, x->work, x->y, err));
        sp_motion_move(m, t, &x->w->dyn, x->y + x->u);
        memcpy(s->bounds.node + i * m->n_dof, x->y + x->u, (size_t)m->n_dof * sizeof(double));
        if (i == 0 || i == n) {
            place_at(m, x->num, t, x->y + x->q, x->w, s->pose[k + (i > 0)]);
        }
    }
    sp_kin_bound_velocities(m, from, to, &s->bounds);
    sp_kin_bound_bodies(m, &s->kin, to - from, &s->bounds);
    sp_sweep_bends(m, s->bounds.body, bend);
    *way = (sp_sweep_way){
        .from = s->pose[k], .to = s->pose[k + 1], .bend = bend, .dt = to - from, .rests = true};
    return SP_OK;
}

static bool is_closed(void *ctx, int slot)
{
    const sp_smooth *x = ctx;
    bool closed = false;
    for (int k = 0; k < x->closed.n; k++) {
        closed = closed || x->closed.slot[k] == slot;
    }
    return closed;
}

sp_status sp_swept_prove(sp_smooth *x, double *until, sp_error *err)
{
    sp_swept *s;
    SP_TRY(sp_swept_of(x->m, x->w, &s, err));
    if (s) {
        sp_sweep_time time = {.s = s->sweep,
                              .con = &x->w->con,
                              .way_of = way_of,
                              .closed = is_closed,
                              .ctx = x,
                              .from = x->t_old,
                              .until = *until};
        time.sliver = SP_TINY * (1.0 + fabs(x->t));
        SP_TRY(sp_sweep_prove(&time, err));
        if (time.unproven) {
            note_doubt(x->m, time.at, time.a, time.b, x->w);
        }
        *until = time.until;
    }
    return SP_OK;
}

/* ---- steps that are divided ------------------------------------------------------------------ */

/* How much of a step is taken next: up to a touch that was gone through, then *across it.  0: it is
 * as good as that. */
static double shorter(const sp_sweep_through *end, double h, double *across)
{
    const bool ahead = end->until > SP_SLIVER;
    const double to = ahead ? end->until : end->touch;
    *across = ahead ? h * end->touch : 0.0;
    return end->through && to < 1.0 - SP_SLIVER ? h * to : 0.0;
}

bool sp_swept_keep(const sp_model *m, sp_state *x, sp_method method, sp_work *w, sp_swept *s,
                   sp_swept_step *step)
{
    const sp_sweep_through end = judge_step(m, x, method, step->h, w, s);
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
        note_doubt(m, x->t, end.found.a, end.found.b, w);
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
