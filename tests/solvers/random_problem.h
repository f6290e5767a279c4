/* Random contact problems for tests: G = W' M^-1 W from random mechanisms. */
#ifndef SP_TEST_RANDOM_PROBLEM_H
#define SP_TEST_RANDOM_PROBLEM_H

#include "solvers/problem.h"

#include <stdint.h>
#include <string.h>

enum { CONTACTS = 6, ROWS = 2 * CONTACTS, DOF = 18 };

typedef struct random_problem {
    sp_problem p;
    sp_set set[CONTACTS];
    int row[CONTACTS];
    double G[ROWS * ROWS], c[ROWS];
    double W[DOF][ROWS], inverse_mass[DOF];
    int dof, dependent, feasible; /* feasible: c comes from one velocity and one eps */
} random_problem;

/* xorshift64*, uniform in [0, 1). */
static inline double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 2685821657736338717ULL) >> 11) * 0x1p-53;
}

/* Integer in [lo, hi]. */
static inline int whole(uint64_t *state, int lo, int hi)
{
    return lo + (int)(uniform(state) * (double)(hi - lo + 1));
}

/* Roughly normal numbers. */
static inline double bell(uint64_t *state)
{
    double sum = -3.0;
    for (int k = 0; k < 6; k++) {
        sum += uniform(state);
    }
    return sum * 1.4142135623730951;
}

/* W of contacts of up to six planar bodies with each other and with the ground. */
static inline void planar_bodies(uint64_t *state, random_problem *r)
{
    const int n_body = whole(state, 1, 6);
    r->dof = 3 * n_body;
    for (int b = 0; b < n_body; b++) {
        const double mass = pow(10.0, 6.0 * uniform(state) - 3.0), size = 0.1 + uniform(state);
        r->inverse_mass[3 * b] = r->inverse_mass[3 * b + 1] = 1.0 / mass;
        r->inverse_mass[3 * b + 2] = 1.0 / (mass * size * size * (0.05 + 0.4 * uniform(state)));
    }
    for (int i = 0; i < r->p.n_contact; i++) {
        const int k = r->row[i], a = whole(state, 0, n_body - 1), b = whole(state, 0, n_body);
        const double angle = 6.283185307179586 * uniform(state);
        const double n[2] = {cos(angle), sin(angle)}, t[2] = {-n[1], n[0]};
        for (int side = 0; side < 2; side++) {
            const int body = side == 0 ? a : b;
            if (body == n_body || (side == 1 && b == a)) {
                continue; /* ground */
            }
            const double sign = side == 0 ? 1.0 : -1.0;
            const double arm[2] = {bell(state), bell(state)};
            const double *dir[2] = {n, t};
            for (int e = 0; e < sp_set_dim(&r->set[i]); e++) {
                r->W[3 * body][k + e] += sign * dir[e][0];
                r->W[3 * body + 1][k + e] += sign * dir[e][1];
                r->W[3 * body + 2][k + e] += sign * (arm[0] * dir[e][1] - arm[1] * dir[e][0]);
            }
        }
    }
}

/* W of random numbers; dof may be less than the rows. */
static inline void abstract_mechanism(uint64_t *state, random_problem *r, int dof)
{
    r->dof = dof;
    for (int d = 0; d < dof; d++) {
        r->inverse_mass[d] = pow(10.0, 6.0 * uniform(state) - 3.0);
        for (int k = 0; k < r->p.n; k++) {
            r->W[d][k] = bell(state);
        }
    }
}

/* Make some contact a copy of another, or its opposite (a body between two walls). */
static inline void duplicate(uint64_t *state, random_problem *r)
{
    const int from = whole(state, 0, r->p.n_contact - 1), to = whole(state, 0, r->p.n_contact - 1);
    const double sign_N = uniform(state) < 0.5 ? 1.0 : -1.0;
    if (from == to) {
        return;
    }
    for (int d = 0; d < r->dof; d++) {
        r->W[d][r->row[to]] = sign_N * r->W[d][r->row[from]];
        if (sp_set_dim(&r->set[to]) == 2 && sp_set_dim(&r->set[from]) == 2) {
            r->W[d][r->row[to] + 1] = r->W[d][r->row[from] + 1];
        }
    }
    r->dependent = 1;
}

/* G = W' M^-1 W. */
static inline void delassus(random_problem *r)
{
    const int n = r->p.n;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int d = 0; d < r->dof; d++) {
                sum += r->W[d][a] * r->inverse_mass[d] * r->W[d][b];
            }
            r->G[a * n + b] = r->G[b * n + a] = sum;
        }
    }
}

/* c from a velocity, one or several coefficients of restitution, or from nothing. */
static inline void free_velocity(uint64_t *state, random_problem *r)
{
    const double kind = uniform(state), eps = uniform(state);
    double u[DOF];
    r->feasible = kind < 0.8;
    for (int d = 0; d < r->dof; d++) { /* push against the normals, so that contacts close */
        u[d] = 0.3 * bell(state);
        for (int i = 0; i < r->p.n_contact; i++) {
            u[d] -= 0.3 * r->W[d][r->row[i]];
        }
    }
    for (int i = 0; i < r->p.n_contact; i++) {
        for (int k = r->row[i]; k < r->row[i] + sp_set_dim(&r->set[i]); k++) {
            const double factor = r->feasible || kind > 0.9 ? 1.0 + eps : 1.0 + uniform(state);
            r->c[k] = 0.0;
            for (int d = 0; d < r->dof; d++) {
                r->c[k] += r->W[d][k] * u[d];
            }
            r->c[k] *= r->set[i].kind == SP_SET_FREE ? 1.0 + eps : factor;
            r->c[k] += kind > 0.9 && r->set[i].kind != SP_SET_FREE ? 0.3 * bell(state) : 0.0;
        }
    }
}

/* A whole problem; the same for the same state on every machine with IEEE arithmetic. */
static inline void random_make(uint64_t *state, random_problem *r)
{
    memset(r, 0, sizeof *r);
    const double pick = uniform(state);
    r->p.n_contact = pick < 0.1    ? 1
                     : pick < 0.4  ? 2
                     : pick < 0.7  ? 3
                     : pick < 0.9  ? 4
                     : pick < 0.96 ? 5
                                   : 6;
    for (int i = 0; i < r->p.n_contact; i++) {
        const double kind = uniform(state);
        r->set[i] = kind < 0.05   ? sp_set_free()
                    : kind < 0.12 ? sp_set_half_line()
                                  : sp_set_planar(kind < 0.2 ? 0.0 : 2.0 * uniform(state));
        r->row[i] = r->p.n;
        r->p.n += sp_set_dim(&r->set[i]);
    }
    r->p.ld = r->p.n;
    r->p.set = r->set;
    r->p.row = r->row;
    r->p.G = r->G;
    r->p.c = r->c;
    const double mechanism = uniform(state);
    if (mechanism < 0.4) {
        planar_bodies(state, r);
    } else if (mechanism < 0.5) {
        abstract_mechanism(state, r, whole(state, 1, r->p.n));
    } else {
        abstract_mechanism(state, r, r->p.n + whole(state, 0, 3));
    }
    if (uniform(state) < 0.12) {
        duplicate(state, r);
    }
    r->dependent = r->dependent || r->dof < r->p.n;
    delassus(r);
    free_velocity(state, r);
}

#endif
