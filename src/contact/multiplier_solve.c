/* contact/multiplier_solve.c - the operator with the rows that hold, and corrections of P.
 * theory (76.1)-(76.3) */
#include "base/worse.h"
#include "contact/multiplier_parts.h"
#include "dynamics/implicit.h"

#include <string.h>

/* Rows hold when they are off by this part of their scale, and cannot be better below the second.
 */
#define EXACT  1e-13
#define ENOUGH 1e-12
#define SURE   1e-2 /* of what breaks a law: it does, whatever corrections do */

enum {
    CORRECTIONS = 12, /* of P in one state                       */
    GUESSES = 3,      /* states by those of the step before      */
    ROUNDS = 2,       /* states behind those that were found     */
    SEARCHES = 8      /* for these, each from the forces of the one before */
};

typedef sp_multiplier_block block;

/* ---- operator -------------------------------------------------------------------------------- */

/* W C W^T of contact a. */
static void add_block(const sp_con *con, int a, sp_multiplier *s)
{
    const int *place = s->A_rho.place;
    const int *sup = sp_con_sup(con, a), n = con->n_sup[a], r = con->row[a];
    const block *b = &s->block[a];
    const size_t *at = s->at + s->slot_start[con->active[a]];
    for (int j = 0; j < b->n; j++) {
        double *V = s->V + (size_t)j * (size_t)con->stride;
        for (int k = 0; k < n; k++) {
            V[k] = 0.0;
            for (int i = 0; i < b->n; i++) {
                V[k] += b->C[i][j] * sp_con_row(con, con->W, r + i)[k];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        for (int l = 0; l <= k; l++, at++) {
            double kl = 0.0, lk = 0.0;
            for (int j = 0; j < b->n; j++) {
                const double *V = s->V + (size_t)j * (size_t)con->stride;
                const double *W = sp_con_row(con, con->W, r + j);
                kl += V[k] * W[l];
                lk += V[l] * W[k];
            }
            const bool low = place[sup[k]] >= place[sup[l]];
            s->A_rho.low[*at] += low ? kl : lk;
            s->A_rho.high[*at] += low ? lk : kl;
        }
    }
}

/* A of the step. */
static void copy_operator(const sp_dyn *dyn, sp_multiplier *s)
{
    double *low = s->A_rho.low, *high = s->A_rho.high;
    if (s->apart) {
        sp_apart_add(s->apart, &s->A_rho);
        return;
    }
    if (dyn->by_A) {
        const sp_ldl *A = &s->implicit->A;
        for (size_t e = 0; e < A->start[A->n]; e++) {
            low[s->from_A[e]] = high[s->from_A[e]] = A->A[e];
        }
        return;
    }
    for (int e = 0; e < s->n_packed; e++) {
        low[s->from_M[e]] = high[s->from_M[e]] = dyn->M[e];
    }
}

bool sp_multiplier_factor_blocks(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s)
{
    sp_block_lu_clear(&s->A_rho);
    copy_operator(ask->dyn, s);
    for (int a = 0; a < con->n_active; a++) {
        if (s->block[a].n > 0) {
            add_block(con, a, s);
        }
    }
    return sp_block_lu_factor(&s->A_rho, s->apart ? NULL : ask->held);
}

bool sp_multiplier_factor(const sp_multiplier_ask *ask, const sp_con *con, const sp_solution *x,
                          sp_multiplier *s)
{
    for (int a = 0; a < con->n_active; a++) {
        sp_multiplier_fill(con, a, x, s);
    }
    return sp_multiplier_factor_blocks(ask, con, s);
}

/* ---- corrections ----------------------------------------------------------------------------- */

void sp_multiplier_velocities(const sp_multiplier_ask *ask, const sp_con *con, const double *P,
                              sp_multiplier *s)
{
    memset(s->x, 0, (size_t)s->n_dof * sizeof *s->x);
    sp_con_push_rows(con, P, s->x);
    const double *x = sp_con_ready(con, s->x);
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            s->xi[r] = sp_con_pull(con, a, r, x, ask->c[r]);
        }
    }
}

void sp_multiplier_step(const sp_con *con, sp_multiplier *s)
{
    memset(s->x, 0, (size_t)s->A_rho.n * sizeof *s->x);
    for (int a = 0; a < con->n_active; a++) {
        const block *b = &s->block[a];
        for (int i = 0; i < b->n; i++) {
            const int r = con->row[a] + i;
            sp_con_add(con, a, sp_con_row(con, con->W, r), b->e[i], s->x);
        }
    }
    sp_block_lu_solve(&s->A_rho, s->x);
    for (int a = 0; a < con->n_active; a++) {
        const block *b = &s->block[a];
        double *v = s->v + con->row[a];
        for (int i = 0; i < b->n; i++) {
            v[i] = sp_con_dot(con, a, con->row[a] + i, s->x);
        }
        for (int i = 0; i < b->n; i++) {
            double change = b->e[i];
            for (int j = 0; j < b->n; j++) {
                change -= b->C[i][j] * v[j];
            }
            s->dP[con->row[a] + i] = change;
        }
    }
}

/* P += dP. */
static void correct(const sp_con *con, sp_multiplier *s, double *P)
{
    sp_multiplier_step(con, s);
    for (int a = 0; a < con->n_active; a++) {
        for (int i = 0; i < s->block[a].n; i++) {
            P[con->row[a] + i] += s->dP[con->row[a] + i];
        }
    }
}

/* The largest part by which a row in its state is off. */
static double defect(const sp_con *con, const sp_solution *x, sp_multiplier *s)
{
    double worst = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const block *b = &s->block[a];
        const int r = con->row[a];
        for (int i = 0; i < b->n; i++) {
            if (b->C[i][i] > 0.0 && (i == 0 || x->status[a] == SP_STICK)) {
                worst = sp_worse(worst, fabs(s->xi[r + i]) / s->scale[r + i]);
            }
        }
    }
    return worst;
}

/* P for the states: corrections until the rows hold.  The largest defect, infinity: there is no
 * factor. */
static double solve_states(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                           sp_solution *x)
{
    double before = INFINITY;
    for (int k = 0; k < CORRECTIONS; k++) {
        if (k == 0 && !sp_multiplier_factor(ask, con, x, s)) {
            return INFINITY;
        }
        for (int a = 0; a < con->n_active && k > 0; a++) {
            sp_multiplier_fill(con, a, x, s);
        }
        correct(con, s, x->P);
        sp_multiplier_velocities(ask, con, x->P, s);
        const double now = defect(con, x, s);
        if (!(now > EXACT) || (now <= ENOUGH && now > 0.25 * before) ||
            now < SURE * sp_multiplier_violation(con, s, x)) {
            return now;
        }
        before = now;
    }
    return before;
}

/* ---- solution -------------------------------------------------------------------------------- */

/* G_rr, and what velocities of each row are relative to: what c is worth there.  False: a row that
 * no force moves. */
static bool find_scales(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s)
{
    double worth = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            s->g[r] = sp_con_coupling(con, a, r, a, r);
            if (!(s->g[r] > 0.0) || !isfinite(ask->c[r])) {
                return false;
            }
            worth = fmax(worth, fabs(ask->c[r]) / sqrt(s->g[r]));
        }
        if (con->set[a].kind == SP_SET_DISC) { /* discs stay discs in units of 1/G_rr */
            double *g = s->g + con->row[a];
            g[1] = g[2] = 0.5 * (g[1] + g[2]);
        }
    }
    s->worth = worth;
    for (int r = 0; r < con->n_row; r++) {
        s->scale[r] = fmax(ask->xi_scale, worth * sqrt(s->g[r])) + 1e-300;
    }
    return true;
}

/* P into the sets. */
static void move_into_sets(const sp_con *con, double *P)
{
    for (int a = 0; a < con->n_active; a++) {
        const sp_set *set = &con->set[a];
        double *p = P + con->row[a];
        if (set->kind == SP_SET_FREE) {
            continue;
        }
        if (set->kind == SP_SET_INTERVAL) {
            *p = fmax(fmin(*p, set->hi), set->lo);
            continue;
        }
        *p = fmax(*p, 0.0);
        const int n = con->row[a + 1] - con->row[a] - 1;
        const double push = n == 2 ? hypot(p[1], p[2]) : n == 1 ? fabs(p[1]) : 0.0;
        const double part = push > set->mu * p[0] ? set->mu * p[0] / push : 1.0;
        for (int i = 1; i <= n; i++) {
            p[i] *= part;
        }
    }
}

static bool has_disc(const sp_con *con)
{
    for (int a = 0; a < con->n_active; a++) {
        if (con->set[a].kind == SP_SET_DISC) {
            return true;
        }
    }
    return false;
}

/* P in the states at hand, and in those that follow: at most `most` of them.  Whether the last ones
 * break no law. */
static bool settle(const sp_multiplier_ask *ask, const sp_con *con, int most, sp_multiplier *s,
                   sp_solution *x)
{
    for (int round = 0; round < most; round++) {
        sp_multiplier_impose(con, s, x);
        sp_multiplier_velocities(ask, con, x->P, s);
        x->residual = solve_states(ask, con, s, x);
        if (!(x->residual < INFINITY)) {
            return false;
        }
        const int changes = sp_multiplier_change(con, s, x);
        x->pivots += changes;
        if (changes == 0) {
            return true;
        }
    }
    return false;
}

/* States by those of the step before, else by a search.   theory (76.4), (76.5) */
static bool find_states(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                        sp_solution *x)
{
    sp_multiplier_begin(con, ask->c, x);
    bool found = settle(ask, con, GUESSES, s, x);
    for (int k = 0; k < SEARCHES && !found; k++) {
        const int factors = sp_multiplier_search(ask, con, k > 0, s, x);
        if (factors == SP_NONE) {
            return false;
        }
        x->pivots += factors;
        if (k == 0 || factors == 0) { /* else the states may go on changing */
            found = settle(ask, con, ROUNDS, s, x);
        }
        if (k > 0 && factors == 0) {
            memcpy(s->P_soft, x->P, (size_t)con->n_row * sizeof *x->P);
        }
    }
    return found;
}

bool sp_multiplier_solve(const sp_multiplier_ask *ask, const sp_con *con, sp_solution *x)
{
    sp_multiplier *s = con->multiplier;
    if (!find_scales(ask, con, s)) {
        return false;
    }
    x->pivots = 0;
    x->method = "multipliers";
    const bool discs = has_disc(con);
    if (!(discs ? sp_multiplier_discs(ask, con, s, x) : find_states(ask, con, s, x))) {
        return false;
    }
    move_into_sets(con, x->P);
    sp_multiplier_velocities(ask, con, x->P, s);
    if (discs) {
        x->residual = sp_multiplier_defect(con, s, x);
    } else {
        sp_multiplier_name(con, s, x);
        x->residual = sp_worse(defect(con, x, s), sp_multiplier_violation(con, s, x));
    }
    x->result = x->residual <= SP_SOLVE_TOL ? SP_SOLVED : SP_NOT_SOLVED;
    return x->result == SP_SOLVED;
}
