/* sphere_pile.h - contact problems of any size: spheres in a box. */
#ifndef BENCH_SPHERE_PILE_H
#define BENCH_SPHERE_PILE_H

#include "solvers/fc.h"

/* A pile with its own memory. */
typedef struct sphere_pile {
    sp_arena arena;
    sp_fc p;        /* as factors                          */
    int n_body;     /* spheres of radius 1, mass 1         */
    double (*n)[3]; /* per contact: from second to first   */
    int (*pair)[2]; /* bodies, n_body: a wall              */
    double *P;      /* n                                   */
    unsigned char *status;
} sphere_pile;

#define SPHERE_INERTIA 0.4

/* Spheres on a face-centred lattice of across x across x layers cells, a little displaced, under
 * gravity in a box without lid. */
sphere_pile sphere_pile_new(int across, int layers, double mu);
void sphere_pile_free(sphere_pile *s);

/* Make the bodies rigid bodies of any kind: their inertia differs a little from axis to axis. */
void sphere_pile_uneven(sphere_pile *s);

/* Two directions normal to n and each other, those of the problem's rows. */
void sphere_tangents(const double *n, double *t1, double *t2);

#endif
