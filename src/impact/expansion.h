/* impact/expansion.h - the second phase of an impact as a contact problem. */
#ifndef SP_IMPACT_EXPANSION_H
#define SP_IMPACT_EXPANSION_H

#include "impact/law.h"

/* What the first phase left for the second. */
typedef struct sp_expansion {
    const sp_impact_problem *p;
    const sp_set *set;     /* n_contact: sets of p, bounded forces gone                          */
    const double *gamma_C; /* n                                                                  */
    double *least;         /* n: the impulses given back at least: eps_N Lambda_NC,
                            * eps_N eps_T Lambda_TC; else 0                                      */
    double *gamma_0;       /* n: the velocities that tangential motion is counted from, else 0   */
    int *side;             /* n_contact: sign of Lambda_TC, 0 if there is none                   */
    const sp_watch *watch; /* sees the problem of planar contacts; NULL: nobody                  */
} sp_expansion;

/* Bytes of scratch of the functions below. */
size_t sp_expansion_bytes(int n_contact, int n);

/* gamma_0 = tangential rows of G least, in which bilateral rows react as they do: (11.7). */
sp_status sp_expansion_prescribe(sp_expansion *x, void *scratch, sp_error *err);

/* Whether friction is too weak for a second solution, by a bound; limits move more times faster
 * than mu with normal impulses.   theory (36.4) */
bool sp_expansion_is_alone(const sp_expansion *x, double more);

/* Lambda_E (n, out) of planar contacts; adds to impact's residual, pivots, method, result, and
 * counts solutions.
 *
 *     gamma_E = gamma_C + G Lambda_E,   Lambda_NE = least_N + Lambda_NP,
 *     0 <= Lambda_NP perp gamma_NE >= 0,
 *     -(gamma_TE - gamma_0) in N_[lower, upper](Lambda_TE)                         theory (11.6) */
sp_status sp_expansion_planar(const sp_expansion *x, double *Lambda_E, sp_impact *impact,
                              void *scratch, sp_error *err);

/* The same with contacts in space among them, where Lambda_TE lies in the disc of radius
 * mu Lambda_NE, on the side of least_T or beyond it:                              theory (11.10)
 *
 *     { |Lambda| <= mu Lambda_NE,   Lambda.t >= |least_T| },    t = Lambda_TC / |Lambda_TC|
 *
 * direction: n, Lambda_C.  By Newton's method on the natural map, with sweeps where it stalls. */
sp_status sp_expansion_spatial(const sp_expansion *x, const double *direction, double *Lambda_E,
                               sp_impact *impact, void *scratch, sp_error *err);

/* Bytes of its scratch. */
size_t sp_expansion_spatial_bytes(int n_contact, int n);

#endif
