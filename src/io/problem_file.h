/* io/problem_file.h - contact problems in files: FCLIB (HDF5, local and global) and the text form
 * of Siconos (.dat), read into plain numbers, and from there into the form the solvers take.
 *
 *     local    u = W r + V l + q,          V' r + R l + s = 0
 *     global   M v = H r + G l + f,        u = H' v + w,        G' v + b = 0
 *
 * with the law of Signorini and Coulomb between u and r; l are bilateral reactions, mostly none. */
#ifndef SP_IO_PROBLEM_FILE_H
#define SP_IO_PROBLEM_FILE_H

#include "solvers/fc.h"

#include <stdbool.h>

/* A sparse matrix as entries in any order; equal places are added. */
typedef struct sp_entries {
    int m, n; /* rows, columns */
    size_t count;
    int *row, *column; /* count, from 0 */
    double *value;     /* count         */
} sp_entries;

typedef enum sp_problem_format {
    SP_PROBLEM_TEXT,  /* Siconos .dat */
    SP_PROBLEM_LOCAL, /* FCLIB        */
    SP_PROBLEM_GLOBAL /* FCLIB        */
} sp_problem_format;

typedef struct sp_problem_file {
    sp_problem_format format;
    int dim, n_contact, n_free; /* rows of a contact (2 or 3), contacts, bilateral rows           */
    const double *mu;           /* n_contact, >= 0                                                */
    sp_entries W;               /* local: contacts and, behind them, bilateral rows: [W V; V' R]  */
    const double *q;            /* local: [q; s], one per row of W                                */
    sp_entries M, H;            /* global: H is n_dof x rows, [H G]                               */
    const double *f, *w;        /* global: n_dof; [w; b], one per column of H                     */
} sp_problem_file;

/* Read a file of either kind.  Memory from the arena; p is of use only after SP_OK.  SP_E_INPUT
 * with the place in err: the line of a text, the dataset of an HDF5 file; SP_E_IO, SP_E_MEMORY. */
sp_status sp_problem_read(const char *path, sp_arena *arena, sp_problem_file *p, sp_error *err);

/* The same for a file that is in memory; name is for messages.  No more memory is taken than the
 * bytes can back.  bytes[n] must be 0. */
sp_status sp_problem_read_bytes(const char *name, const char *bytes, size_t n, sp_arena *arena,
                                sp_problem_file *p, sp_error *err);

/* The problem as the solvers take it: blocks for local problems, blocks and factors for global
 * ones. Bilateral rows become contacts with a free set, behind the others. */
sp_status sp_problem_pose(const sp_problem_file *p, sp_arena *arena, sp_fc *fc, sp_error *err);

/* Write a problem with blocks as an FCLIB local one, in terms that FCLIB has (io/problem_rows.h):
 * sets with fewer rows than others are filled up with rows that couple to nothing, free rows become
 * V and R, intervals and shifted sets contacts; friction beyond the disc is refused.  r (rows of p)
 * is stored as its solution, NULL: none. */
sp_status sp_problem_write(const char *path, const sp_fc *p, const double *r, const char *title,
                           sp_error *err);

/* ---- what the readers share ----------------------------------------------------------------- */

/* Readers of the two kinds, as sp_problem_read_bytes. */
sp_status sp_problem_read_text(const char *name, const char *bytes, size_t n, sp_arena *arena,
                               sp_problem_file *p, sp_error *err);
sp_status sp_problem_read_fclib(const char *name, const char *bytes, size_t n, sp_arena *arena,
                                sp_problem_file *p, sp_error *err);

/* Put the place into an error that was made by SP_FAIL; returns status. */
sp_status sp_problem_place(sp_error *err, sp_status status, const char *name, long line);

/* Room for count entries. */
sp_status sp_entries_room(sp_entries *e, size_t count, const char *name, sp_arena *arena,
                          sp_error *err);

#endif
