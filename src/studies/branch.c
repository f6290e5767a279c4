/* studies/branch.c - one periodic motion of a branch, its tangent, and the next one.
 *
 *     [M - 1, T f_1, P_p; tangent'] (delta x, delta log T, delta p) = -(P - x, tangent.(X -
 * X_pred)) theory (84.1)-(84.3) */
#include "studies/branch.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/worse.h"
#include "math/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON = 10 };
#define BESIDE 1e-5 /* of the range: differences by the parameter                    (84.2) */
#define NEAR   0.1  /* of the longest time without events: the start is moved from there */
#define BENT   0.01 /* of the change beside it: a jump or a kink is near                 (84.2) */
#define SLOW   0.7  /* of what was open before: Newton's method comes no nearer          */
#define BLUR   1e-6 /* so far apart orbits may be by round-off                           */
#define ROUGH  100  /* tolerances: nearer than that it is round-off which is in its way  */

/* ---- memory -----------------------------------------------------------------------------------
 */

void sp_branch_orbit_free(sp_branch_orbit *x)
{
    free(x->y);
    free(x->tangent);
    free(x->mu);
    x->y = x->tangent = NULL;
    x->mu = NULL;
}

/* Room for an orbit, once. */
static sp_status make_room(const sp_branch *b, sp_branch_orbit *x, sp_error *err)
{
    if (!x->y) {
        const size_t n = (size_t)b->shoot.n_y + 4;
        x->y = calloc(n, sizeof *x->y);
        x->tangent = calloc(2 * n, sizeof *x->tangent);
        x->mu = calloc(2 * n, sizeof *x->mu);
    }
    return x->y && x->tangent && x->mu ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory for orbits");
}

sp_status sp_branch_copy(const sp_branch *b, const sp_branch_orbit *from, sp_branch_orbit *to,
                         sp_error *err)
{
    SP_TRY(make_room(b, to, err));
    double *y = to->y, *tangent = to->tangent;
    sp_complex *mu = to->mu;
    memcpy(y, from->y, (size_t)b->shoot.n_y * sizeof *y);
    memcpy(tangent, from->tangent, ((size_t)from->n_x + 2) * sizeof *tangent);
    memcpy(mu, from->mu, (size_t)from->n_mu * sizeof *mu);
    *to = *from;
    to->y = y;
    to->tangent = tangent;
    to->mu = mu;
    return SP_OK;
}

/* ---- the machine at a value of the parameter --------------------------------------------------
 */

/* Build it; the period of a forcing comes with it. */
static sp_status set_parameter(sp_branch *b, double p, int periods, sp_error *err)
{
    const int n_y = b->shoot.n_y;
    sp_axis *axis = &((sp_branch_wish *)(uintptr_t)b->wish)->axis;
    axis->leaf->text = sp_axis_text(axis, p, sp_engine_texts(b->e));
    if (!axis->leaf->text) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    if (b->ready) {
        sp_shoot_free(&b->shoot);
        b->ready = false;
    }
    SP_TRY(sp_engine_build(b->e, b->c, err));
    b->orbit.periods = periods;
    b->ready = true;
    SP_TRY(sp_shoot_new(b->c->m, b->c->x, b->c->w, &b->c->o, &b->orbit, &b->shoot, err));
    if (n_y > 0 && b->shoot.n_y != n_y) {
        return SP_FAIL(err, SP_E_INPUT,
                       "the parameter changes how many coordinates there are; that "
                       "is for sweeps");
    }
    const double t_0 = sp_state_time(b->c->x);
    b->shoot.T = (b->c->o.until - t_0) * periods / sp_engine_study(b->e)->orbit->periods;
    b->shoot.t_0 = t_0;
    if (b->sizes) {
        memcpy(sp_variation_sizes(b->shoot.v), b->sizes, b->n_sizes * sizeof *b->sizes);
        sp_variation_use_phase(b->shoot.v, b->phase);
    }
    return SP_OK;
}

/* At the start of an orbit: its state, its place in the period. */
static sp_status place(sp_branch *b, const sp_branch_orbit *x, const double *y, double p, double T,
                       sp_error *err)
{
    SP_TRY(set_parameter(b, p, x->periods, err));
    sp_shoot *s = &b->shoot;
    const double begin = s->t_0;
    s->T = b->orbit.autonomous ? T : s->T;
    s->t_0 = b->orbit.autonomous ? begin : begin + (x->t_0 - begin) / x->T * s->T;
    memmove(s->start, y, (size_t)s->n_y * sizeof *y);
    return SP_OK;
}

sp_status sp_branch_place(sp_branch *b, const sp_branch_orbit *x, sp_error *err)
{
    return place(b, x, x->y, x->p, x->T, err);
}

/* Which events there are, in no order. */
static uint64_t sequence_of(const sp_variation_result *r)
{
    uint64_t sum = 0;
    for (int i = 0; i < r->n_passed; i++) {
        const int event[2] = {(int)r->passed[i].kind, r->passed[i].slot};
        sum += sp_hash(SP_HASH_BEGIN, event, sizeof event);
    }
    return sum;
}

/* Whether the ends below and above do not lie on a line with that of the orbit flown last. */
static bool is_bent(sp_branch *b)
{
    const int n_y = b->shoot.n_y, n = b->shoot.r->n;
    double bend = 0.0, length = 0.0;
    sp_variation_apart(b->shoot.v, b->ends, b->shoot.r->x_1, b->apart);
    memcpy(b->rhs, b->apart, (size_t)n * sizeof *b->rhs);
    sp_variation_apart(b->shoot.v, b->shoot.r->x_1, b->ends + n_y, b->apart);
    for (int i = 0; i < n; i++) {
        bend = fmax(bend, fabs(b->apart[i] - b->rhs[i]));
        length = fmax(length, fmax(fabs(b->apart[i]), fabs(b->rhs[i])));
    }
    return bend > BENT * (length + BESIDE);
}

/* Which of both sides has the events of the orbit, which was flown last and is flown again: -1
 * below, 1 above, 0 both or none. */
static sp_status find_side(sp_branch *b, const sp_branch_orbit *x, const double *y, double p,
                           double T, int *side, sp_error *err)
{
    const uint64_t sequence = sequence_of(b->shoot.r);
    *side = 0;
    for (int k = -1; k <= 1; k += 2) {
        sp_error why = {.status = SP_OK};
        SP_TRY(place(b, x, y, p + k * BESIDE * b->range, T, err));
        const bool same =
            sp_shoot_fly(&b->shoot, &why) == SP_OK && sequence_of(b->shoot.r) == sequence;
        *side += same ? k : 0;
    }
    SP_TRY(place(b, x, y, p, T, err));
    return sp_shoot_fly(&b->shoot, err);
}

/* Fly from y at p with derivatives, also by the parameter: b->dP, over sizes and the range. */
static sp_status fly(sp_branch *b, const sp_branch_orbit *x, const double *y, double p, double T,
                     sp_error *err)
{
    const int n_y = b->shoot.n_y;
    int only = 0;
    for (int side = 0; side < 2; side++) {
        const double beside = (side == 0 ? -BESIDE : BESIDE) * b->range;
        SP_TRY(place(b, x, y, p + beside, T, err));
        SP_TRY(sp_shoot_fly_plain(&b->shoot, b->ends + side * n_y, err));
    }
    SP_TRY(place(b, x, y, p, T, err));
    SP_TRY(sp_shoot_fly(&b->shoot, err));
    SP_TRY(is_bent(b) ? find_side(b, x, y, p, T, &only, err) : SP_OK);
    const double *end = b->shoot.r->x_1;
    sp_variation_apart(b->shoot.v, only > 0 ? end : b->ends, only < 0 ? end : b->ends + n_y, b->dP);
    for (int i = 0; i < b->shoot.r->n; i++) {
        b->dP[i] /= (only == 0 ? 2.0 : 1.0) * BESIDE;
    }
    free(b->phase);
    b->phase = sp_variation_keep_phase(b->shoot.v);
    return b->phase ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* ---- equations --------------------------------------------------------------------------------
 */

static double dot_T(const sp_variation_result *r, int j, const double *d)
{
    double sum = 0.0;
    for (int i = 0; i < r->n; i++) {
        sum += r->T[j * r->n + i] * d[i];
    }
    return sum;
}

/* The matrix at what was flown last, with a tangent as its last row; its size.   theory (84.1) */
static int form(sp_branch *b, const double *tangent, double *A)
{
    const sp_shoot *s = &b->shoot;
    const sp_variation_result *r = s->r;
    const bool own_time = b->orbit.autonomous;
    const int n = r->r_0, p = n + (own_time ? 1 : 0), all = p + 1;
    memset(A, 0, (size_t)all * (size_t)all * sizeof *A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * all + j] = r->M[j * n + i] - (i == j ? 1.0 : 0.0);
        }
        A[i * all + p] = dot_T(r, i, b->dP);
        A[p * all + i] = dot_T(r, i, tangent);
        if (own_time) {
            A[i * all + n] = s->T * dot_T(r, i, r->f_1);
            A[n * all + i] = s->T * dot_T(r, i, r->f_0);
        }
    }
    if (own_time) {
        A[p * all + n] = tangent[r->n];
    }
    A[p * all + p] = tangent[r->n + 1];
    return all;
}

/* A solution as n + 2 numbers. */
static void expand(const sp_branch *b, const double *solution, double *d)
{
    const sp_variation_result *r = b->shoot.r;
    const int p = r->r_0 + (b->orbit.autonomous ? 1 : 0);
    for (int i = 0; i < r->n; i++) {
        d[i] = 0.0;
        for (int j = 0; j < r->r_0; j++) {
            d[i] += r->T[j * r->n + i] * solution[j];
        }
    }
    d[r->n] = b->orbit.autonomous ? solution[r->r_0] : 0.0;
    d[r->n + 1] = solution[p];
}

/* Solve with this right-hand side, which is all rows long. */
static sp_status solve(sp_branch *b, const double *tangent, double *rhs, double *d, sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const size_t n = (size_t)b->shoot.r->n + 3;
    double *A = SP_NEW(&arena, double, n *n), condition;
    bool ok = A != NULL;
    if (ok) {
        const int all = form(b, tangent, A);
        ok = sp_shoot_linear(&arena, all, A, rhs, rhs, &condition);
        expand(b, rhs, d);
    }
    sp_arena_free(&arena);
    return ok ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no memory");
}

/* The tangent of the branch where it was flown last, on the side of `old`.   theory (84.3) */
static sp_status find_tangent(sp_branch *b, const double *old, double *tangent, sp_error *err)
{
    const int n = b->shoot.r->n, all = b->shoot.r->r_0 + 1 + (b->orbit.autonomous ? 1 : 0);
    double sum = 0.0;
    memset(b->rhs, 0, ((size_t)n + 3) * sizeof *b->rhs);
    b->rhs[all - 1] = 1.0;
    SP_TRY(solve(b, old, b->rhs, tangent, err));
    for (int i = 0; i < n + 2; i++) {
        sum += tangent[i] * tangent[i];
    }
    for (int i = 0; i < n + 2; i++) {
        tangent[i] /= sqrt(sum);
    }
    return isfinite(sum) ? SP_OK : SP_FAIL(err, SP_E_NOT_CONVERGED, "the branch has no tangent");
}

/* ---- an orbit ---------------------------------------------------------------------------------
 */

/* The events flown last, and the slowest approach among their impacts, over the fastest. */
void sp_branch_events(const sp_branch *b, uint64_t *sequence, double *slowest)
{
    const sp_variation_result *r = b->shoot.r;
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < r->n_passed; i++) {
        const sp_passed *e = &r->passed[i];
        least = e->kind == SP_EVENT_IMPACT ? fmin(least, e->speed) : least;
        most = fmax(most, e->speed);
    }
    *slowest = most > 0.0 ? least / most : 1.0;
    *sequence = sequence_of(r);
}

/* What was flown last as an orbit. */
static sp_status note(sp_branch *b, const double *old, double p, int periods, sp_branch_orbit *x,
                      sp_error *err)
{
    const sp_shoot *s = &b->shoot;
    double trivial;
    SP_TRY(make_room(b, x, err));
    x->p = p;
    x->T = s->T;
    x->t_0 = s->t_0;
    x->periods = periods;
    x->n_x = s->r->n;
    memcpy(x->y, s->start, (size_t)s->n_y * sizeof *x->y);
    SP_TRY(sp_shoot_multipliers(&b->shoot, x->mu, &x->n_mu, &trivial, err));
    x->n_unstable = 0;
    for (int i = 0; i < x->n_mu; i++) {
        x->n_unstable += hypot(x->mu[i].re, x->mu[i].im) > 1.0;
    }
    sp_branch_events(b, &x->sequence, &x->slowest);
    SP_TRY(find_tangent(b, old, b->tangent, err));
    memcpy(x->tangent, b->tangent, ((size_t)x->n_x + 2) * sizeof *x->tangent);
    return SP_OK;
}

/* How far the point flown last is past the plane through the prediction; *length: how far it is
 * from the prediction. */
static double past_plane(sp_branch *b, const double *tangent, const double *y, double T, double p,
                         double *length)
{
    const sp_shoot *s = &b->shoot;
    const int n = s->r->n;
    const double d_T = log(s->T / T), d_p = (b->p - p) / b->range;
    sp_variation_apart(s->v, y, s->start, b->apart);
    double sum = tangent[n] * d_T + tangent[n + 1] * d_p, square = d_T * d_T + d_p * d_p;
    for (int i = 0; i < n; i++) {
        sum += tangent[i] * b->apart[i];
        square += b->apart[i] * b->apart[i];
    }
    *length = sqrt(square);
    return sum;
}

sp_status sp_branch_step(sp_branch *b, const sp_branch_orbit *from, double s, sp_branch_orbit *to,
                         sp_error *err)
{
    const int n = from->n_x, n_y = b->shoot.n_y;
    const double *tangent = from->tangent;
    const double p_pred = from->p + s * tangent[n + 1] * b->range;
    const double T_pred = from->T * exp(s * tangent[n]);
    double T = T_pred, before = INFINITY, *guess = b->guess, *first = b->guess + n_y;
    double length = 0.0;
    bool close = false;
    b->p = p_pred;
    SP_TRY(place(b, from, from->y, b->p, T, err));
    SP_TRY(sp_variation_move(b->shoot.v, tangent, s, b->shoot.start, err));
    memcpy(guess, b->shoot.start, (size_t)n_y * sizeof *guess);
    memcpy(first, guess, (size_t)n_y * sizeof *first);
    for (b->n_newton = 0; b->n_newton < NEWTON; b->n_newton++) {
        SP_TRY(fly(b, from, guess, b->p, T, err));
        const sp_variation_result *r = b->shoot.r;
        const double past = past_plane(b, tangent, first, T_pred, p_pred, &length);
        const double residual = sp_worse(b->shoot.residual, fabs(past));
        const bool done = residual <= b->orbit.tolerance;
        const bool slow = b->n_newton > 1 && residual > SLOW * before;
        if (done ? residual >= 0.1 * before || residual <= 1e-3 * b->orbit.tolerance
                 : slow && residual <= ROUGH * b->orbit.tolerance) {
            close = true; /* round-off */
            break;
        }
        if (!done && slow) {
            return SP_FAIL(err, SP_E_NOT_CONVERGED, "no orbit in this step (%.3g is open)",
                           residual);
        }
        before = residual;
        memset(b->rhs, 0, ((size_t)n + 3) * sizeof *b->rhs);
        for (int j = 0; j < r->r_0; j++) {
            b->rhs[j] = -b->shoot.F[j];
        }
        b->rhs[r->r_0 + (b->orbit.autonomous ? 1 : 0)] = -past;
        SP_TRY(solve(b, tangent, b->rhs, b->tangent, err));
        memcpy(guess, b->shoot.start, (size_t)n_y * sizeof *guess);
        SP_TRY(sp_variation_move(b->shoot.v, b->tangent, 1.0, guess, err));
        T *= exp(b->tangent[n]);
        b->p += b->tangent[n + 1] * b->range;
        if (!isfinite(b->p) || fabs(b->p - from->p) > b->range) {
            return SP_FAIL(err, SP_E_NOT_CONVERGED, "no orbit in this step");
        }
    }
    if (!close && !(before <= b->orbit.tolerance || b->shoot.residual <= b->orbit.tolerance)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "no orbit in this step (%.3g is open)", before);
    }
    if (length > s + BLUR) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "in this step the orbits are of another branch");
    }
    return note(b, tangent, b->p, from->periods, to, err);
}

/* ---- the first ones ---------------------------------------------------------------------------
 */

static bool branch_room(sp_branch *b)
{
    const size_t n_y = (size_t)b->shoot.n_y + 4;
    double **list[] = {&b->dP, &b->apart, &b->rhs, &b->tangent, &b->sizes};
    bool ok = (b->ends = SP_NEW(&b->arena, double, 2 * n_y)) != NULL;
    ok = (b->guess = SP_NEW(&b->arena, double, 2 * n_y)) != NULL && ok;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ok = (*list[i] = SP_NEW(&b->arena, double, 2 * n_y)) != NULL && ok;
    }
    return ok;
}

/* The part of the period at which the orbit begins: forcings return. */
static void wrap_start(const sp_branch *b, sp_branch_orbit *x)
{
    x->t_0 = b->begin + fmod(x->t_0 - b->begin, x->T / x->periods);
}

sp_status sp_branch_begin(sp_branch *b, sp_engine *e, sp_machine *c, const sp_branch_wish *wish,
                          sp_branch_orbit *x, sp_error *err)
{
    *b = (sp_branch){.e = e, .c = c, .wish = wish, .axis = &wish->axis};
    sp_arena_init(&b->arena, NULL, 0);
    b->orbit = *sp_engine_study(e)->orbit;
    b->range = wish->axis.to - wish->axis.from;
    b->p = wish->axis.start;
    SP_TRY(set_parameter(b, b->p, b->orbit.periods, err));
    b->begin = b->shoot.t_0;
    double *sizes = b->sizes = NULL;
    SP_TRY(sp_shoot_settle(&b->shoot, err));
    SP_TRY(sp_shoot_solve(&b->shoot, err));
    if (!branch_room(b)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for branches");
    }
    sizes = b->sizes;
    b->n_sizes = (size_t)b->shoot.r->n;
    memcpy(sizes, sp_variation_sizes(b->shoot.v), b->n_sizes * sizeof *sizes);
    b->phase = sp_variation_keep_phase(b->shoot.v);
    SP_TRY(make_room(b, x, err));
    *x = (sp_branch_orbit){.y = x->y, .tangent = x->tangent, .mu = x->mu};
    x->T = b->shoot.T;
    x->periods = b->orbit.periods;
    x->t_0 = b->shoot.t_0;
    x->n_x = b->shoot.r->n;
    x->p = b->p;
    if (!b->orbit.autonomous) {
        wrap_start(b, x);
    }
    memcpy(x->y, b->shoot.start, (size_t)b->shoot.n_y * sizeof *x->y);
    SP_TRY(fly(b, x, x->y, x->p, x->T, err));
    memset(x->tangent, 0, ((size_t)x->n_x + 2) * sizeof *x->tangent);
    x->tangent[x->n_x + 1] = 1.0;
    return note(b, x->tangent, x->p, x->periods, x, err);
}

void sp_branch_end(sp_branch *b)
{
    if (b->ready) {
        sp_shoot_free(&b->shoot);
    }
    free(b->phase);
    sp_arena_free(&b->arena);
}

sp_status sp_branch_renew_section(sp_branch *b, sp_branch_orbit *x, sp_error *err)
{
    SP_TRY(fly(b, x, x->y, x->p, x->T, err));
    const sp_variation_result *r = b->shoot.r;
    const double slope = x->tangent[x->n_x + 1];
    if (r->n_passed == 0 || fabs(slope) < 0.1) {
        return SP_OK;
    }
    const double first = r->passed[0].t - r->t_0, last = r->t_1 - r->passed[r->n_passed - 1].t;
    if (fmin(first, last) >= NEAR * r->open) {
        return SP_OK;
    }
    SP_TRY(sp_shoot_move_section(&b->shoot, err));
    x->t_0 = b->shoot.t_0;
    memcpy(x->y, b->shoot.start, (size_t)b->shoot.n_y * sizeof *x->y);
    if (!b->orbit.autonomous) {
        wrap_start(b, x);
    }
    SP_TRY(fly(b, x, x->y, x->p, x->T, err));
    memset(x->tangent, 0, ((size_t)x->n_x + 2) * sizeof *x->tangent);
    x->tangent[x->n_x + 1] = slope > 0.0 ? 1.0 : -1.0;
    return note(b, x->tangent, x->p, x->periods, x, err);
}

/* ---- other branches ---------------------------------------------------------------------------
 */

sp_status sp_branch_way(sp_branch *b, const sp_branch_orbit *x, double mu, double **way,
                        sp_error *err)
{
    SP_TRY(fly(b, x, x->y, x->p, x->T, err));
    const sp_variation_result *r = b->shoot.r;
    const int n = r->r_0;
    sp_arena arena;
    sp_arena_init(&arena, NULL, 0);
    const size_t n2 = (size_t)n * (size_t)n + 1;
    double *M = SP_NEW(&arena, double, n2);
    sp_complex *V = SP_NEW(&arena, sp_complex, n2), *w = SP_NEW(&arena, sp_complex, n + 1);
    void *work = SP_NEW(&arena, double, sp_eigen_work(n) / sizeof(double) + 1);
    *way = calloc((size_t)r->n + 2, sizeof **way);
    bool ok = M && V && w && work && *way;
    for (int i = 0; i < n && ok; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = r->M[j * n + i];
        }
    }
    ok = ok && sp_eigen_general(n, M, w, V, work);
    int best = 0;
    for (int k = 1; k < n && ok; k++) {
        best = hypot(w[k].re - mu, w[k].im) < hypot(w[best].re - mu, w[best].im) ? k : best;
    }
    for (int i = 0; i < r->n && ok; i++) {
        for (int j = 0; j < n; j++) {
            (*way)[i] += r->T[j * r->n + i] * V[j * n + best].re;
        }
    }
    sp_arena_free(&arena);
    return ok ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "no direction of the doubled orbit");
}

sp_status sp_branch_double(sp_branch *b, const sp_branch_orbit *x, const double *way,
                           sp_branch_orbit *to, sp_error *err)
{
    sp_branch_orbit from = {.p = 0.0};
    double sum = 0.0;
    sp_status status = sp_branch_copy(b, x, &from, err);
    if (status == SP_OK) {
        from.periods *= 2;
        from.T *= 2.0;
        for (int i = 0; i < from.n_x; i++) {
            sum += way[i] * way[i];
        }
        for (int i = 0; i < from.n_x; i++) {
            from.tangent[i] = way[i] / sqrt(sum);
        }
        from.tangent[from.n_x] = from.tangent[from.n_x + 1] = 0.0;
        status = sp_branch_step(b, &from, b->wish->step, to, err);
    }
    sp_branch_orbit_free(&from);
    return status;
}
