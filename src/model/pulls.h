/* model/pulls.h - force elements on a measure x: the distance of two points, or an expression of
 * coordinates.  Each is one row of a table (pulls.c): its key, its numbers, and its pull, which
 * holds back the growth of x.  Dynamics, small motions, energies and outputs read the row; a new
 * one needs its keys in the grammar and nothing else. */
#ifndef SP_MODEL_PULLS_H
#define SP_MODEL_PULLS_H

#include "model/forces.h"

/* The pull at x and its rate v, and what it has stored. */
typedef struct sp_pull {
    double force;    /* N, or N m on an angle; > 0 pulls together     */
    double d_x, d_v; /* its derivatives                               */
    double energy;   /* J; zero of what damps                         */
} sp_pull;

/* A number of an element as the model file has it. */
typedef struct sp_pull_number {
    const char *key;
    signed char m, kg, s; /* powers of its unit                  */
    bool zero;            /* may be zero, else it is positive    */
} sp_pull_number;

struct sp_pull_law {
    const char *key; /* of the element, "magnet"                            */
    bool angles;     /* measures may be angles, else lengths only           */
    bool damps;      /* its work is that of a damper; else it is stored     */
    sp_pull_number number[SP_PULL_NUMBERS]; /* into sp_force_numbers.number; key NULL: no more.
                                             * None at all: build_elements.c has a reader */
    sp_pull (*at)(const sp_force_numbers *n, double x, double v);
};

/* All of them; NULL behind the last. */
const sp_pull_law *sp_pull_law_at(int k);

#endif
