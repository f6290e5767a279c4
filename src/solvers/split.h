/* solvers/split.h - a contact problem in parts that do not move each other.
 *
 * Contacts i and j are coupled where a block G_ij or G_ji is not zero; the parts are the connected
 * components, numbered by their first contact.  The solution of the whole is that of its parts.
 * theory (66.1) */
#ifndef SP_SOLVERS_SPLIT_H
#define SP_SOLVERS_SPLIT_H

#include "solvers/problem.h"

/* The parts of a problem, and room for one of them. */
typedef struct sp_split {
    int *part; /* n_contact: number of its part */
    int *todo, *row;
    sp_set *set;
    double *G, *c, *P;
    unsigned char *status;
} sp_split;

size_t sp_split_bytes(int n_contact_max, int n_max);

/* Number the parts: part (n_contact); how many there are.  todo, left: n_contact, scratch. */
int sp_split_parts(const sp_problem *p, int *part, int *todo, int *left);

/* Let the arrays point into memory for p, and find the parts; how many there are. */
int sp_split_find(const sp_problem *p, void *memory, sp_split *w);

/* Part number `part` of p as a problem of its own, with its share of the guess in s. */
void sp_split_take(const sp_problem *p, const sp_solution *s, int part, sp_split *w,
                   sp_problem *own, sp_solution *own_s);

/* Put P and states of the part back into those of the whole. */
void sp_split_return(const sp_problem *p, int part, const sp_split *w, sp_solution *s);

#endif
