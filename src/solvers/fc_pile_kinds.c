/* What a pile does with its fours, by their kind. */
#include "solvers/fc_pile.h"

#include <math.h>
#include <string.h>

enum { DOF = SP_FC_BODY_DOF, LANES = SP_FC_LANES, ROOM = 3 * LANES };

void sp_fc_pile_rest(sp_fc_pile *q, int first, int last)
{
    for (int b = first; b < last; b++) {
        memset(q->y[b], 0, DOF * sizeof q->y[b][0]);
    }
}

void sp_fc_pile_push(sp_fc_pile *q, int first, int last, const double *p)
{
    const double *own = p + (size_t)ROOM * (size_t)first;
    const int n = last - first;
    if (q->spheres) {
        sp_fc_spheres_push(n, q->spheres + first, q->n_body, q->y, own);
    } else {
        sp_fc_rigid_push(n, q->rigid + first, (const sp_fc_inertia *)q->inertia, q->n_body, q->y,
                         own);
    }
}

void sp_fc_pile_gather(sp_fc_pile *q, const double *p)
{
    sp_fc_pile_rest(q, 0, q->n_body);
    sp_fc_pile_push(q, 0, q->n_four, p);
}

void sp_fc_pile_sweep(sp_fc_pile *q, int first, int last, double *p)
{
    double *own = p + (size_t)ROOM * (size_t)first;
    const int n = last - first;
    if (q->spheres) {
        sp_fc_spheres_sweep(n, q->spheres + first, q->n_body, q->y, own);
    } else {
        sp_fc_rigid_sweep(n, q->rigid + first, q->more + first, (const sp_fc_inertia *)q->inertia,
                          q->n_body, q->y, own);
    }
}

/* Projection of four discs, rows of lanes. */
static void project_discs(const double *mu, double *p)
{
    for (int l = 0; l < LANES; l++) {
        const double N = p[l] < 0.0 ? 0.0 : p[l], r = mu[l] * N;
        const double T1 = p[LANES + l], T2 = p[2 * LANES + l], len2 = T1 * T1 + T2 * T2;
        const double shrink = len2 > r * r ? r / sqrt(len2) : 1.0;
        p[l] = N;
        p[LANES + l] = shrink * T1;
        p[2 * LANES + l] = shrink * T2;
    }
}

void sp_fc_pile_project(const sp_fc_pile *q, int first, int last, double *p)
{
    if (q->spheres) {
        sp_fc_spheres_project(last - first, q->spheres + first, p + (size_t)ROOM * (size_t)first);
        return;
    }
    for (int i = first; i < last; i++) {
        project_discs(q->rigid[i].mu, p + (size_t)ROOM * (size_t)i);
    }
}

void sp_fc_pile_measure(const sp_fc_pile *q, int first, int last, const double *p, sp_fc_sum *sum)
{
    const sp_fc_bodies *y = (const sp_fc_bodies *)q->y;
    const double *own = p + (size_t)ROOM * (size_t)first;
    const int n = last - first;
    if (q->spheres) {
        sp_fc_spheres_measure(n, q->spheres + first, q->more + first, y, own, sum);
    } else {
        sp_fc_rigid_measure(n, q->rigid + first, q->more + first, y, own, sum);
    }
}

void sp_fc_pile_enter(const sp_fc_pile *q, const double *P, double *p)
{
    memset(p, 0, (size_t)ROOM * (size_t)q->n_four * sizeof *p);
    for (int k = 0; k < LANES * q->n_four; k++, p += k % LANES ? 0 : ROOM) {
        const sp_fc_four_more *more = &q->more[k / LANES];
        const int l = k % LANES, i = more->contact[l];
        if (i >= 0 && q->spheres) {
            sp_fc_spheres_enter(q->p, i, l, &q->spheres[k / LANES], P + q->p->row[i], p);
            continue;
        }
        for (int a = 0; a < more->dim[l]; a++) {
            p[LANES * a + l] = P[q->p->row[i] + a] / more->d[l];
        }
    }
}

void sp_fc_pile_leave(const sp_fc_pile *q, const double *p, double *P)
{
    for (int k = 0; k < LANES * q->n_four; k++, p += k % LANES ? 0 : ROOM) {
        const sp_fc_four_more *more = &q->more[k / LANES];
        const int l = k % LANES, i = more->contact[l];
        if (i >= 0 && q->spheres) {
            sp_fc_spheres_leave(q->p, i, l, &q->spheres[k / LANES], p, P + q->p->row[i]);
            continue;
        }
        for (int a = 0; a < more->dim[l]; a++) {
            P[q->p->row[i] + a] = more->d[l] * p[LANES * a + l];
        }
    }
}
