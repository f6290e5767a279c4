/* support/machine.h - a model compiled from YAML text, with scratch to compute in. */
#ifndef SUPPORT_MACHINE_H
#define SUPPORT_MACHINE_H

#include "integrators/work.h"

/* A text that grows; fails the test when it is full. */
enum { TEXT_SIZE = 1 << 16 };
typedef struct text {
    size_t n;
    char s[TEXT_SIZE];
} text;
void text_add(text *t, const char *format, ...) SP_PRINTF(2, 3);

typedef struct machine {
    sp_spec *spec;
    sp_model *m;
    sp_work *w;
    const sp_numbers *num;
} machine;

/* Compile a model; the test fails with the library's message if that fails. */
machine machine_of_text(const char *yaml);
machine machine_of_file(const char *path_in_source_tree);
void machine_free(machine *c);

/* Positions, velocities and bias accelerations of all bodies at (q, u). */
void machine_move(machine *c, const double *q, const double *u);

/* Gaps of all slots at (q, u), and the slots with g_N <= margin with their directions. */
void machine_touch(machine *c, const double *q, const double *u, double margin);

/* The mass matrix, n_dof x n_dof, from the packed one at q. */
void machine_mass(machine *c, const double *q, const double *u, double *M);

/* The factor L (unit, lower) and D of the last sp_dyn_factor, dense. */
void machine_factor(machine *c, double *L, double *D);

/* One share of h at (t, q, u), zero where the model has no such forces; or all of h. */
void machine_share(machine *c, double t, const double *q, const double *u, sp_share share,
                   double *h);
void machine_forces(machine *c, double t, const double *q, const double *u, double *h);

double machine_kinetic(machine *c, const double *q, const double *u);
double machine_potential(machine *c, double t, const double *q, const double *u);

/* Numbers of things by name; the test fails if there is none. */
int machine_dof(const machine *c, const char *name);
int machine_body(const machine *c, const char *name);
int machine_slot(const machine *c, const char *name);

/* x with A x = b by elimination with pivots; A (n x n) and b are used up, b becomes x. */
void dense_solve(int n, double *A, double *b);

#endif
