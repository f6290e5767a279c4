/* contact/multiplier.h - contact problems of many rows without G = W^T A^-1 W, which is full where
 * A and W are sparse: rows that hold join the operator with a large weight,
 *
 *     A_rho = A + W C W^T,
 *
 * whose factor is as sparse as the machine, and corrects P until the rows hold to round-off; what
 * breaks its law changes its state, from those of the step before; discs are pieces of the natural
 * map, found by interior points.   theory (76.1)-(76.10) */
#ifndef SP_CONTACT_MULTIPLIER_H
#define SP_CONTACT_MULTIPLIER_H

#include "contact/con.h"
#include "math/block_lu.h"

/* Problems of more rows than this are solved so. */
enum { SP_MULTIPLIER_ROWS = 32 };

typedef struct sp_multiplier {
    sp_block_lu A_rho;
    struct sp_apart *apart; /* of long serial trees: velocities of bodies; NULL: those of joints */
    const sp_implicit *implicit; /* whose cells the pattern has              */
    size_t *from_A;              /* places of its A, NULL: there is none ... */
    size_t *from_M;              /* ... and of the packed M                  */
    int n_packed;                /* of M                                     */
    size_t *slot_start, *at;     /* of each slot the places of its pairs of velocities */
    int n_dof;                   /* of the model                             */
    double *x, *Ax, *F;          /* n_dof, or velocities of bodies           */
    double *g, *xi, *dP, *scale; /* per row: G_rr, velocity, its change, what it is relative to */
    double *P_soft, *P_from;     /* per row: forces at the end of the search for states, and those
                                  * that it takes its own from                       (76.8) */
    double worth;                /* the largest c in units of sqrt(G_rr)     */
    double *v, *P;               /* per row: W^T dx; P to come back to       */
    double *V;                   /* 3 stride                                 */
    struct sp_multiplier_block *block; /* per contact */
    struct sp_multiplier_cone *cone;   /* the same, for discs */
} sp_multiplier;

/* What is to be solved: the problem in con with Y, and this. */
typedef struct sp_multiplier_ask {
    const sp_dyn *dyn;
    const unsigned char *held; /* n_dof, as in sp_dyn_factor_held; NULL: nothing */
    const double *c;           /* n_row: xi for P = 0                            */
    double xi_scale;           /* as in sp_problem                               */
} sp_multiplier_ask;

/* Whether there may be enough rows. */
static inline bool sp_multiplier_may(const sp_model *m, const sp_con *con)
{
    return m->layout.contact_rows * con->capacity > SP_MULTIPLIER_ROWS;
}

/* Room and order of elimination, once per structure; nothing for models of few rows, and for those
 * with slots whose velocities change. */
sp_status sp_multiplier_make(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con,
                             sp_error *err);

/* Whether the problem whose directions are in con is solved so: it has enough rows, and sets that
 * are among those here.  Then it needs no G. */
bool sp_multiplier_takes(const sp_con *con);

/* Before sp_con_directions: whether rows may be those of bodies, which are left out then. */
void sp_multiplier_prepare(const sp_dyn *dyn, sp_con *con);

/* The same as sp_multiplier_takes when directions are there, for the operator in dyn: G is left out
 * then; what rows were left out is filled. */
void sp_multiplier_choose(const sp_model *m, const sp_numbers *num, sp_dyn *dyn,
                          const unsigned char *held, sp_con *con);

/* Rows over velocities of joints after all, and Y, where they are over those of bodies. */
void sp_multiplier_give_up(sp_con *con);

/* P and states, from the states in s (P of discs, too).  False: no solution was found, or the
 * problem has none. */
bool sp_multiplier_solve(const sp_multiplier_ask *ask, const sp_con *con, sp_solution *s);

#endif
