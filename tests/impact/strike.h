/* An impact with its memory, built from force directions and masses, for tests. */
#ifndef SP_TEST_IMPACT_STRIKE_H
#define SP_TEST_IMPACT_STRIKE_H

#include "impact/energy.h"
#include "impact/law.h"
#include "impact/oracle.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { STRIKE_DOF = 16 };

typedef struct strike {
    int dof;
    double mass[STRIKE_DOF], u_m[STRIKE_DOF], u_p[STRIKE_DOF]; /* M is diagonal */
    double W[STRIKE_DOF][ORACLE_ROWS];
    sp_set set[ORACLE_CONTACTS];
    int row[ORACLE_CONTACTS];
    double G[ORACLE_ROWS * ORACLE_ROWS], gamma_m[ORACLE_ROWS];
    double eps_N[ORACLE_CONTACTS], eps_T[ORACLE_CONTACTS];
    sp_impact_problem p;
    double Lambda[ORACLE_ROWS], Lambda_C[ORACLE_ROWS], gamma_C[ORACLE_ROWS], gamma_p[ORACLE_ROWS];
    unsigned char status[ORACLE_CONTACTS];
    sp_impact impact;
    double T_m, T_p; /* kinetic energy before and after, from the velocities */
    sp_error err;
} strike;

/* One more contact; W is filled by the caller for its rows, the first of which is returned. */
static inline int strike_contact(strike *s, sp_set set, double eps_N, double eps_T)
{
    const int i = s->p.n_contact++, k = s->p.n;
    s->set[i] = set;
    s->row[i] = k;
    s->eps_N[i] = eps_N;
    s->eps_T[i] = eps_T;
    s->p.n += sp_set_dim(&set);
    assert_true(s->p.n <= ORACLE_ROWS && s->p.n_contact <= ORACLE_CONTACTS);
    return k;
}

/* G = W' M^-1 W, gamma_m = W' u_m, and all pointers. */
static inline void strike_finish(strike *s)
{
    const int n = s->p.n;
    for (int a = 0; a < n; a++) {
        s->gamma_m[a] = 0.0;
        for (int d = 0; d < s->dof; d++) {
            s->gamma_m[a] += s->W[d][a] * s->u_m[d];
        }
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int d = 0; d < s->dof; d++) {
                sum += s->W[d][a] / s->mass[d] * s->W[d][b];
            }
            s->G[a * n + b] = s->G[b * n + a] = sum;
        }
    }
    s->p.set = s->set;
    s->p.row = s->row;
    s->p.G = s->G;
    s->p.ld = n;
    s->p.gamma_m = s->gamma_m;
    s->p.eps_N = s->eps_N;
    s->p.eps_T = s->eps_T;
    memset(s->status, SP_STATUS_UNKNOWN, sizeof s->status);
    s->impact = (sp_impact){.Lambda = s->Lambda,
                            .Lambda_C = s->Lambda_C,
                            .gamma_C = s->gamma_C,
                            .gamma_p = s->gamma_p,
                            .status = s->status};
}

/* Solve; u_p, T_m and T_p from the impulses. */
static inline sp_status strike_solve(strike *s, sp_impact_law law, const sp_impact_options *o)
{
    void *work = malloc(sp_impact_work(s->p.n_contact, s->p.n));
    assert_non_null(work);
    memset(s->status, SP_STATUS_UNKNOWN, sizeof s->status);
    const sp_status status = sp_impact_solve(&s->p, law, o, &s->impact, work, &s->err);
    free(work);
    s->T_m = s->T_p = 0.0;
    for (int d = 0; d < s->dof; d++) {
        double push = 0.0;
        for (int k = 0; k < s->p.n; k++) {
            push += s->W[d][k] * s->Lambda[k];
        }
        s->u_p[d] = s->u_m[d] + push / s->mass[d];
        s->T_m += 0.5 * s->mass[d] * s->u_m[d] * s->u_m[d];
        s->T_p += 0.5 * s->mass[d] * s->u_p[d] * s->u_p[d];
    }
    return status;
}

/* Energy by shares against the velocities, phases against each other. */
static inline void strike_check_books(const strike *s)
{
    const sp_impact_energy *e = &s->impact.energy;
    sp_impact_energy sum = {0};
    double size = s->T_m;
    for (int k = 0; k < s->p.n; k++) {
        for (int j = 0; j < s->p.n; j++) {
            size += fabs(s->Lambda[k] * s->G[k * s->p.n + j] * s->Lambda[j]);
        }
    }
    assert_near_scaled(e->total, s->T_p - s->T_m, size, 1e-13);
    assert_near_scaled(e->normal + e->friction + e->restitution + e->bilateral, e->total, e->scale,
                       1e-14);
    for (int i = 0; i < s->p.n_contact; i++) {
        const sp_impact_energy one = sp_impact_share(&s->p, &s->impact, i);
        sum.total += one.total;
        sum.normal += one.normal;
        sum.friction += one.friction;
        sum.restitution += one.restitution;
    }
    assert_near_scaled(sum.total, e->total, e->scale, 1e-14);
    assert_near_scaled(sum.normal, e->normal, e->scale, 1e-14);
    assert_near_scaled(sum.friction, e->friction, e->scale, 1e-14);
    assert_near_scaled(sum.restitution, e->restitution, e->scale, 1e-14);
    assert_int_equal(s->impact.gained, e->total > SP_IMPACT_NOISE * e->scale);
}

/* How far the solved impact is from the law, read off the definition of each phase; 1e-10 is good.
 * far: distance of its velocities from the nearest solution that enumeration found; motions: the
 * product of the numbers of different solutions of the phases. */
static inline double strike_violation(const strike *s, int prescribed, double *far, int *motions)
{
    oracle o;
    double xi[ORACLE_ROWS], E[ORACLE_ROWS], gamma_0[ORACLE_ROWS], bad;
    if (s->impact.law == SP_IMPACT_NEWTON) {
        oracle_newton(&o, &s->p);
        oracle_solve(&o);
        bad = oracle_violation(&o, s->Lambda, xi);
        *far = oracle_distance(&o, xi);
        *motions = o.n_motion;
        return bad;
    }
    oracle_compression(&o, &s->p);
    oracle_solve(&o);
    bad = oracle_violation(&o, s->Lambda_C, xi);
    *far = oracle_distance(&o, xi);
    *motions = o.n_motion;
    oracle_expansion(&o, &s->p, s->Lambda_C, prescribed, gamma_0);
    oracle_solve(&o);
    for (int k = 0; k < s->p.n; k++) {
        E[k] = s->Lambda[k] - s->Lambda_C[k];
    }
    bad = fmax(bad, oracle_violation(&o, E, xi));
    *far = fmax(*far, oracle_distance(&o, xi));
    *motions *= o.n_motion;
    return bad;
}

#endif
