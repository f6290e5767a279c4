/* What a pile does with its fours, by their kind. */
#include "solvers/fc_pile.h"

#include <math.h>
#include <string.h>

enum { DOF = SP_FC_BODY_DOF, LANES = SP_FC_LANES, ROOM = 3 * LANES };

const int *sp_fc_pile_bodies(const sp_fc_pile *q, int i, int side)
{
    return q->spheres ? q->spheres[i].body[side]
           : q->rigid ? q->rigid[i].body[side]
                      : q->four[i].body[side];
}

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
    } else if (q->rigid) {
        sp_fc_rigid_push(n, q->rigid + first, (const sp_fc_inertia *)q->inertia, q->n_body, q->y,
                         own);
    } else {
        sp_fc_four_push(n, q->four + first, q->n_body, q->y, own);
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
    } else if (q->rigid) {
        sp_fc_rigid_sweep(n, q->rigid + first, q->more + first, (const sp_fc_inertia *)q->inertia,
                          q->n_body, q->y, own);
    } else {
        sp_fc_four_sweep(n, q->four + first, q->more + first, q->n_body, q->y, own);
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

/* Projection of four sets of any kind. */
static void project_sets(const sp_fc_four_more *more, double *p)
{
    for (int l = 0; l < LANES; l++) {
        double x[3] = {p[l], p[LANES + l], p[2 * LANES + l]};
        sp_set_project(&more->set[l], x);
        for (int a = 0; a < more->dim[l]; a++) {
            p[LANES * a + l] = x[a];
        }
    }
}

void sp_fc_pile_project(const sp_fc_pile *q, int first, int last, double *p)
{
    if (q->spheres) {
        sp_fc_spheres_project(last - first, q->spheres + first, p + (size_t)ROOM * (size_t)first);
        return;
    }
    for (int i = first; i < last; i++) {
        double *own = p + (size_t)ROOM * (size_t)i;
        if (q->more[i].plain) {
            project_discs(q->rigid ? q->rigid[i].mu : q->four[i].mu, own);
        } else {
            project_sets(&q->more[i], own);
        }
    }
}

/* The largest sum of absolute terms of the rows of lane l of four i. */
static double terms_of(const sp_fc_pile *q, int i, int l)
{
    const sp_fc_four *f = q->four + i;
    double largest = 0.0;
    for (int a = 0; a < 3; a++) {
        double sum = fabs(f->c[a][l]);
        for (int e = 0; e < DOF; e++) {
            sum += fabs(f->H[0][a][e][l] * q->y[f->body[0][l]][e]) +
                   fabs(f->H[1][a][e][l] * q->y[f->body[1][l]][e]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Add lane l of a four of any bodies with velocities u to the measure. */
static void measure_lane(const sp_fc_pile *q, int i, int l, const double *p, const double *u,
                         sp_fc_sum *s)
{
    const sp_fc_four_more *more = &q->more[i];
    const int dim = more->dim[l];
    double x[3] = {0.0}, v[3] = {0.0};
    for (int a = 0; a < dim; a++) {
        x[a] = p[LANES * a + l];
        v[a] = u[LANES * a + l];
    }
    if (s->measure == SP_FC_FCLIB) {
        s->sum += sp_fc_unit_defect2(&more->set[l], dim, more->d[l], x, v);
        return;
    }
    const double defect = sp_fc_natural_defect(&more->set[l], dim, x, v);
    const double terms = terms_of(q, i, l);
    const double size = fmax(fmin(terms, 10.0 * s->worth), more->d[l] * s->xi_scale);
    s->worst = fmax(s->worst, (defect + SP_FC_ROUNDING * terms) / (size + 1e-300));
    s->sum += 0.0 * (v[0] + x[0]);
}

void sp_fc_pile_measure(const sp_fc_pile *q, int first, int last, const double *p, sp_fc_sum *sum)
{
    const sp_fc_bodies *y = (const sp_fc_bodies *)q->y;
    const double *own = p + (size_t)ROOM * (size_t)first;
    const int n = last - first;
    if (q->spheres) {
        sp_fc_spheres_measure(n, q->spheres + first, q->more + first, y, own, sum);
        return;
    }
    if (q->rigid) {
        sp_fc_rigid_measure(n, q->rigid + first, q->more + first, y, own, sum);
        return;
    }
    for (int i = first; i < last; i++, own += ROOM) {
        _Alignas(32) double u[ROOM];
        sp_fc_four_see(&q->four[i], y, u);
        for (int l = 0; l < LANES; l++) {
            if (q->more[i].contact[l] >= 0) {
                measure_lane(q, i, l, own, u, sum);
            }
        }
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
