/* solvers/states.h - what a single contact of a small problem can do, and what it should do next.
 *
 * One place knows the states of every set; the methods ask here.  Sets: free, half line, planar,
 * interval; none of them shifted. */
#ifndef SP_SOLVERS_STATES_H
#define SP_SOLVERS_STATES_H

#include "solvers/problem.h"

/* Velocities below this part of their terms are zero. */
#define SP_STILL 1e-12

/* A row without bounds: xi = 0 whatever the others do. */
static inline int sp_states_free(const sp_set *s)
{
    return s->kind == SP_SET_FREE ||
           (s->kind == SP_SET_INTERVAL && s->lo == -INFINITY && s->hi == INFINITY);
}

/* Is P of an interval known in this state?  Slipping needs a finite bound; lo = hi knows always. */
static inline int sp_states_fixed(const sp_set *s, unsigned char status)
{
    return s->kind == SP_SET_INTERVAL &&
           (s->lo == s->hi || (status == SP_SLIP_POS && s->lo > -INFINITY) ||
            (status == SP_SLIP_NEG && s->hi < INFINITY));
}

/* P of an interval that slips. */
static inline double sp_states_bound(const sp_set *s, unsigned char status)
{
    return status == SP_SLIP_NEG ? s->hi : s->lo;
}

/* Make the guess one of the states its set can have, from c alone where it is unknown; 1 if
 * something was unknown. */
int sp_states_complete(const sp_problem *p, unsigned char *status);

/* What contact i should be instead of now, given the P of its status (all rows, not moved into the
 * sets) and xi = G P + c. */
unsigned char sp_states_flip(const sp_problem *p, int i, unsigned char now, const double *P,
                             const double *xi);

/* Where raw of a status had to be moved into its set, which gave P, and is a solution all the
 * same, the status is the one it was moved to: a closed contact that would pull is open, a force
 * beyond its bound slips. */
void sp_states_follow(const sp_problem *p, const double *raw, const double *P,
                      unsigned char *status);

/* Which piece of the natural map P and xi are on. */
void sp_states_classify(const sp_problem *p, const double *P, const double *xi,
                        unsigned char *status);

/* Force P to be what the status says without solving anything: zero, on the cone, at the bound. */
void sp_states_impose(const sp_problem *p, const unsigned char *status, double *P);

/* What contact i is called if all that stands still within round-off counts as closed and sticking;
 * xi and size (sum of its terms' absolute values) belong to the solution. */
unsigned char sp_states_settle(const sp_problem *p, int i, unsigned char now, const double *xi,
                               const double *size);

/* Closed contacts with mu = 0 and intervals with lo = hi slip, whatever was guessed: name the
 * direction from P. */
void sp_states_name(const sp_problem *p, const double *P, unsigned char *status);

#endif
