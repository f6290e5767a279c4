/* support/piles.h - contact problems in space made from bodies: random heaps, and spheres in a box.
 */
#ifndef SUPPORT_PILES_H
#define SUPPORT_PILES_H

#include "solvers/fc_pile.h"
#include "support/check.h"

/* A problem with its own memory: factors, and G if asked for. */
typedef struct pile {
    sp_arena arena;
    sp_fc p;
    int n_body;
    double *P;             /* n, zero            */
    unsigned char *status; /* n_contact          */
    int consistent;        /* c is a velocity of the bodies: a solution exists */
    int dependent;         /* more rows than degrees of freedom of a body      */
} pile;

/* 1 to 8 contacts of 1 to 4 bodies with each other and the ground: masses over 6 decades, mu from 0
 * to 2, a tenth with dependent contacts on purpose, c from velocities of the bodies, or (a quarter)
 * with a different restitution at every contact. */
pile pile_random(rng *r);

/* The same with planar contacts. */
pile pile_random_planar(rng *r);

/* Spheres of radius 1 on an fcc lattice in a box without lid, across x across x layers cells, a
 * little displaced; mu, dt times gravity as velocity.  G is formed if form. */
pile pile_spheres(int across, int layers, double mu, uint64_t seed, int form);

/* The contacts in another order: new contact k is old contact order[k]. */
pile pile_permuted(const pile *a, const int *order);

/* Two problems side by side, uncoupled. */
pile pile_beside(const pile *a, const pile *b);

/* One sweep in the order of the fours with G and the exact local solver. */
void pile_plain_sweep(const sp_fc_pile *q, const sp_fc *p, double *P);

void pile_free(pile *a);

#endif
