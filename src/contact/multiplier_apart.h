/* contact/multiplier_apart.h - contact problems of long serial trees in the plane.  In the
 * velocities of joints M and W are full; in those of the bodies themselves, with rows that hold the
 * joints as heavily as others are held (contact/multiplier.h), they are sparse:
 *
 *     A^ = M^ + sum F^T D F,   W = J^T W^,   x^ = J x
 *
 * F is what a joint does not let its body do against the one that it hangs on.   theory (76.7) */
#ifndef SP_CONTACT_MULTIPLIER_APART_H
#define SP_CONTACT_MULTIPLIER_APART_H

#include "contact/con.h"
#include "math/block_lu.h"

enum {
    SP_APART_DOF = 3,                 /* of a body                                       */
    SP_APART_BOTH = 2 * SP_APART_DOF, /* ... and of the one that it hangs on             */
    SP_APART_PAIRS = SP_APART_BOTH * (SP_APART_BOTH + 1) / 2,
    SP_APART_BODIES = 8, /* that may move a slot                                         */
    SP_APART_ROWS = 8    /* problems of more rows than this are put so                   */
};

/* A body, in its configuration. */
typedef struct sp_apart_body {
    int first; /* of its velocities, SP_NONE: it does not move                                */
    bool next; /* what it hangs on moves                                                      */
    sp_vec c;  /* its centre of mass, whose velocity is one of them, world                    */
    sp_vec r;  /* from the origin of its frame to there                                      */
    int root;  /* the body of its tree that hangs on the ground                              */
    double mass, inertia;
    double
        block[SP_APART_PAIRS]; /* of A^: what its joint holds and its own inertia, by pairs ... */
    size_t at[SP_APART_PAIRS]; /* ... and their places                                      */
} sp_apart_body;

typedef struct sp_apart {
    int n; /* velocities of bodies */
    int n_body;
    sp_apart_body *body; /* n_body                                                             */
    double *U; /* SP_APART_BOTH for each dof: u_k by velocities of its body and of the next one */
    int *start, *mover; /* of each slot the bodies that move it                         */
    bool ready;         /* the problem at hand may be put so                            */
    sp_con_rows rows;   /* W^ and what it stands on                                     */
    const sp_model *m;  /* what the problem at hand is of ...                           */
    const sp_numbers *num;
    sp_dyn *dyn;
    double *G_rr;      /* ... and its rows                                                 */
    double *V, *f, *C; /* 3, 3, 9 per body: velocities, forces, mobilities of frames: scratch */
    double *v, *h;     /* n, n_dof: what sp_con_seen, sp_con_ready give; scratch              */
} sp_apart;

/* Whether the problems of a model can be put so. */
bool sp_apart_may(const sp_model *m);

/* Room; false if there is not enough memory. */
bool sp_apart_make(sp_arena *arena, const sp_model *m, const sp_con *con, sp_apart *x);

/* Of the problem in con, whose W is over velocities of bodies: G_rr; whether two contacts are on
 * one tree. */
double sp_apart_weight(const sp_con *con, int r);
bool sp_apart_coupled(const sp_con *con, int a, int b);

/* Squares of the terms of W P join size2 (n_dof): those of each force on a body. */
void sp_apart_add_squares(const sp_con *con, const double *P, double *size2);

/* The velocities of bodies that move slot i, into sup; how many. */
int sp_apart_support(const sp_apart *x, int i, int *sup);

/* Where a body and the one that it hangs on are in A^. */
void sp_apart_place(const sp_model *m, const sp_block_lu *lu, sp_apart *x);

/* The problem in con, whose frames and rows of rules are there, is put so: W over velocities of
 * bodies. */
void sp_apart_fill(const unsigned char *held, double weight, sp_con *con, sp_apart *x);

/* A^ joins the operator. */
void sp_apart_add(const sp_apart *x, sp_block_lu *lu);

#endif
