/* reduce/sparse.h - large sparse symmetric matrices, and their factor L D L^T by AMD and LDL. */
#ifndef SP_REDUCE_SPARSE_H
#define SP_REDUCE_SPARSE_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Both triangles by columns. */
typedef struct sp_sym {
    int n;
    size_t *start; /* n + 1 */
    int *row;
    double *value;
} sp_sym;

/* Entries of one triangle as they come. */
typedef struct sp_triplets {
    size_t n, room;
    int *i, *j;
    double *x;
    bool failed; /* there was no memory */
} sp_triplets;

void sp_triplets_add(sp_triplets *t, int i, int j, double x);
void sp_triplets_free(sp_triplets *t);

/* The n x n matrix of the entries, twins added up; NULL members: no memory. */
bool sp_sym_of(sp_arena *arena, int n, const sp_triplets *t, sp_sym *A);

/* The rows and columns whose place is not negative, there. */
bool sp_sym_part(sp_arena *arena, const sp_sym *A, int n, const int *place, sp_sym *B);

/* A + k B of matrices over the same unknowns. */
bool sp_sym_sum(sp_arena *arena, const sp_sym *A, double k, const sp_sym *B, sp_sym *C);

/* Y = A X for m vectors, one after the other. */
void sp_sym_times(const sp_sym *A, int m, const double *X, double *Y);

typedef struct sp_factor sp_factor;

/* SP_E_INPUT: pivot of unknown *bad is not positive. */
sp_status sp_factor_new(const sp_sym *A, sp_factor **factor, int *bad, sp_error *err);
void sp_factor_free(sp_factor *f);
size_t sp_factor_entries(const sp_factor *f);

/* X <- A^-1 X for m vectors, one after the other. */
void sp_factor_solve(sp_factor *f, int m, double *X);

/* Whether the program was built with AMD and LDL. */
bool sp_factor_exists(void);

#endif
