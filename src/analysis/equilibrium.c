#include "analysis/equilibrium.h"

#include "math/basis.h"

#include <string.h>

enum { ITERATIONS = 100, DAMPINGS = 40, CLOSINGS = 30 };
#define HALF_TURN 3.15  /* rad                                                      */
#define BALANCED  1e-11 /* what is left over, of the forces that are there           */
#define CLOSED    1e-13 /* rows are closed [m, rad]                                  */
#define OPEN      1e-9  /* rows that stay open by more than this cannot be closed    */

/* Scratch of a search. */
typedef struct search {
    double *q, *u;        /* the state it began with                          */
    double *q_from;       /* before a trial                                   */
    double *rho, *y, *dx; /* left over; step over the motions and over all    */
    double scale;         /* largest size of the forces so far                */
    sp_lu lu;
} search;

static bool make_search(sp_linear *l, search *s)
{
    sp_arena *a = &l->arena;
    const int n = l->n;
    void *lu = sp_arena_alloc(a, sp_lu_bytes(n) + 1, 1);
    *s = (search){.q = SP_NEW(a, double, l->m->n_q),
                  .q_from = SP_NEW(a, double, l->m->n_q),
                  .u = SP_NEW(a, double, n),
                  .rho = SP_NEW(a, double, n),
                  .y = SP_NEW(a, double, n),
                  .dx = SP_NEW(a, double, n)};
    s->lu.LU = lu;
    return lu && s->q && s->q_from && s->u && s->rho && s->y && s->dx;
}

/* Largest |gap| of the rows. */
static double open_by(const sp_linear *l)
{
    double most = 0.0;
    for (int r = 0; r < l->n_row; r++) {
        const double gap = fabs(l->row[r].gap);
        most = gap > most || gap != gap ? gap : most;
    }
    return most;
}

/* Close the rows by the smallest changes in the metric of M:  dx = -M^-1 A^T (A M^-1 A^T)^-1 gap.
 * Friction of sliding contacts is in G, but there is none without velocities. */
static sp_status close_rows(sp_linear *l, sp_state *x, search *s, sp_error *err)
{
    double before = INFINITY;
    for (int i = 0; i < CLOSINGS; i++) {
        SP_TRY(sp_linear_look(l, x, err));
        const double now = open_by(l);
        if (!(now > CLOSED) || !(now < before)) {
            break;
        }
        before = now;
        for (int r = 0; r < l->n_row; r++) {
            l->s2[r] = -l->row[r].gap;
        }
        sp_lu_solve(&l->G, l->s2, l->s2);
        memset(l->s1, 0, (size_t)l->n * sizeof *l->s1);
        for (int r = 0; r < l->n_row; r++) {
            for (int k = 0; k < l->n_free; k++) {
                l->s1[k] += l->A_[r * l->n_free + k] * l->s2[r];
            }
        }
        sp_cholesky_back(l->n_free, l->C, l->s1);
        memset(s->dx, 0, (size_t)l->n * sizeof *s->dx);
        for (int k = 0; k < l->n_free; k++) {
            s->dx[l->free[k]] = l->s1[k];
        }
        sp_kin_advance(l->m, 1.0, s->dx, x->q);
    }
    return SP_OK;
}

/* Close the rows at x, what is left over there into rho; NaN if it cannot be computed. */
static sp_status left_over(sp_linear *l, sp_state *x, search *s, double *size, sp_error *err)
{
    SP_TRY(close_rows(l, x, s, err));
    *size = open_by(l) > OPEN ? NAN : sp_linear_balance(l, x, s->rho);
    s->scale = l->force_size > s->scale ? l->force_size : s->scale;
    return SP_OK;
}

/* y of (K + damping) y = -rho; K_r is there. */
static void find_step(const sp_linear *l, double damping, search *s)
{
    const int n = l->n_move;
    sp_lu_place(&s->lu, n, s->lu.LU);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            s->lu.LU[i * n + k] = l->K_r[i * n + k] + (i == k ? damping : 0.0);
        }
        s->y[i] = -s->rho[i];
    }
    sp_lu_factor(&s->lu, 1e-12);
    sp_lu_solve(&s->lu, s->y, s->y);
}

/* Largest entry of K over the motions. */
static double stiffest(const sp_linear *l)
{
    double most = 0.0;
    for (int i = 0; i < l->n_move * l->n_move; i++) {
        most = fabs(l->K_r[i]) > most ? fabs(l->K_r[i]) : most;
    }
    return most;
}

/* Largest entry of a displacement; with angles, the largest angle. */
static double farthest(const sp_linear *l, const double *dx, bool angles)
{
    double most = 0.0;
    for (int k = 0; k < l->n; k++) {
        const bool angle = strncmp(l->m->dof[k].rate_unit, "rad", 3) == 0;
        most = (angle || !angles) && fabs(dx[k]) > most ? fabs(dx[k]) : most;
    }
    return most;
}

/* From where nothing was found yet: the first damping that limits steps to 1 m or 1 rad. */
static double first_damping(const sp_linear *l, const search *s)
{
    const double K = 1e-3 * stiffest(l);
    sp_linear_expand(l, s->rho, s->dx);
    const double reach = farthest(l, s->dx, false);
    return K > reach ? K : reach;
}

/* One step that leaves less over: Newton's, unless it turns by more than half a turn, then damped
 * ones, each damped more.  Damped strongly it goes along the forces.  Not better: none was found, x
 * is as before. */
static sp_status improve(sp_linear *l, sp_state *x, search *s, double *size, bool *better,
                         sp_error *err)
{
    const double before = *size;
    double damping = 0.0;
    *better = false;
    memcpy(s->q_from, x->q, (size_t)l->m->n_q * sizeof *x->q);
    for (int i = 0; i < DAMPINGS && !*better; i++) {
        SP_TRY(sp_linear_look(l, x, err));
        sp_linear_balance(l, x, s->rho);
        damping = i == 0 ? 0.0 : i == 1 ? first_damping(l, s) : 4.0 * damping;
        find_step(l, damping, s);
        sp_linear_expand(l, s->y, s->dx);
        if (!(farthest(l, s->dx, true) < HALF_TURN)) {
            continue;
        }
        sp_kin_advance(l->m, 1.0, s->dx, x->q);
        SP_TRY(left_over(l, x, s, size, err));
        *better = *size < before;
        if (!*better) {
            memcpy(x->q, s->q_from, (size_t)l->m->n_q * sizeof *x->q);
        }
    }
    return SP_OK;
}

/* Newton's iterations; what is left over at the end. */
static sp_status iterate(sp_linear *l, sp_state *x, search *s, double *size, sp_error *err)
{
    SP_TRY(left_over(l, x, s, size, err));
    bool better = *size == *size;
    for (int i = 0; i < ITERATIONS && better && *size > 0.0; i++) {
        sp_linear_tangent(l, x);
        SP_TRY(sp_linear_reduce(l, x, err));
        SP_TRY(improve(l, x, s, size, &better, err));
    }
    SP_TRY(sp_linear_look(l, x, err));
    *size = open_by(l) > OPEN ? NAN : sp_linear_balance(l, x, s->rho);
    return SP_OK;
}

/* Whether what is left over moves nothing by more than round-off of its size within the run: forces
 * that cancel leave round-off of their terms, which are known by their sums alone.   theory (57.31)
 */
static bool stays(const sp_linear *l, search *s)
{
    const double until = l->m->run.until > 0.0 ? l->m->run.until : 1.0;
    bool all = open_by(l) <= OPEN;
    sp_linear_expand(l, s->rho, s->dx);
    for (int k = 0; k < l->n && all; k++) {
        all = 0.5 * fabs(s->dx[k]) * until * until <= BALANCED * l->m->extent.dof[k];
    }
    return all;
}

/* The degree of freedom whose force drives the accelerations -dx that are left over: the largest
 * -h_k dx_k.  Held rows have no part in that sum, and what is merely carried along has little; its
 * acceleration may be the largest. */
static int find_driven(const sp_linear *l, const double *dx)
{
    int driven = 0;
    for (int k = 1; k < l->n; k++) {
        driven = -l->h[k] * dx[k] > -l->h[driven] * dx[driven] ? k : driven;
    }
    return driven;
}

/* What is out of balance, or cannot be closed. */
static sp_status report(sp_linear *l, const search *s, sp_error *err)
{
    if (open_by(l) > OPEN) {
        int r = 0;
        for (int i = 0; i < l->n_row; i++) {
            r = fabs(l->row[i].gap) > fabs(l->row[r].gap) ? i : r;
        }
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "no equilibrium: '%s' cannot be closed, it stays off by %.3g",
                       l->m->slot[l->row[r].slot].name, l->row[r].gap); /* spins have no gap */
    }
    sp_linear_expand(l, s->rho, s->dx);
    const int worst = find_driven(l, s->dx);
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "no equilibrium near the start: '%s' is accelerated by %.4g %s^2 everywhere; "
                   "hold it, or close the contact it should rest on",
                   l->m->dof[worst].name, -s->dx[worst], l->m->dof[worst].rate_unit);
}

/* Whether a degree of freedom turns a body whose spin is held. */
static bool is_spun(const sp_linear *l, int k)
{
    for (int i = 0; i < l->n_spin; i++) {
        const sp_body *b = &l->m->body[l->spin[i].body];
        if (k >= b->dof && k < b->dof + b->n_dof && l->m->dof[k].move != SP_MOVE_SLIDE) {
            return true;
        }
    }
    return false;
}

sp_status sp_equilibrium_find(sp_linear *l, sp_state *x, sp_error *err)
{
    search s;
    double size = NAN;
    if (!make_search(l, &s)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the search of an equilibrium");
    }
    memcpy(s.q, x->q, (size_t)l->m->n_q * sizeof *x->q);
    memcpy(s.u, x->u, (size_t)l->n * sizeof *x->u);
    for (int k = 0; k < l->n; k++) {
        x->u[k] = l->held[k] || is_spun(l, k) ? x->u[k] : 0.0;
    }
    sp_status status = iterate(l, x, &s, &size, err);
    if (status == SP_OK && !(size <= BALANCED * s.scale) && !stays(l, &s)) {
        status = report(l, &s, err);
    }
    if (status != SP_OK) {
        memcpy(x->q, s.q, (size_t)l->m->n_q * sizeof *x->q);
        memcpy(x->u, s.u, (size_t)l->n * sizeof *x->u);
    }
    return status;
}
