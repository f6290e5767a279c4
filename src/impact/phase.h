/* impact/phase.h - one contact problem of an impact, posed on the sets an impact leaves. */
#ifndef SP_IMPACT_PHASE_H
#define SP_IMPACT_PHASE_H

#include "impact/law.h"
#include "solvers/solutions.h"

/* Contacts in space are solved to this scaled residual. */
#define SP_IMPACT_SPATIAL_TOL    1e-12
#define SP_IMPACT_SPATIAL_ENOUGH 1e-10 /* where forces on their limits let it fall no further */

/* Scratch of an impact, in the caller's memory. */
typedef struct sp_phase {
    double *c;           /* n: free term of the phase                                             */
    sp_set *set;         /* n_contact: sets of p, bounded forces gone                             */
    double *blocks;      /* n x n: G by pairs of contacts, for spatial friction                  */
    int *start, *column; /* of the blocks                                                   */
    size_t *at;
    void *rest; /* everything behind: scratch of the solver, or of the law               */
} sp_phase;

/* Bytes of all but rest. */
size_t sp_phase_bytes(int n_contact, int n);

/* Bytes of scratch with which sp_phase_solve finds impulses in space, besides sp_solutions_work. */
size_t sp_phase_scratch(int n);

/* Let f point into work and fill f->set. */
void sp_phase_place(sp_phase *f, const sp_impact_problem *p, void *work);

/* Has the impact contacts with spatial friction? */
bool sp_phase_spatial(const sp_impact_problem *p);

/* The phase as a problem of the solver; options NULL: it is not solved in space. */
sp_problem sp_phase_problem(const sp_impact_problem *p, const sp_phase *f,
                            const sp_impact_options *options);

/* How many different velocities solve a phase of an impact, whose solution s was found, and whether
 * these are all.  Where there are several, s becomes the one that changes velocities least,
 * 1/2 du.M du, if it is not that one.  lean: of each contact what a unit of P_N adds to the impulse
 * along; NULL: nothing, and G is symmetric.  law: as of sp_solutions_find.  work:
 * sp_solutions_work. theory (30.5), section 36 */
sp_solution_count sp_impact_several(const sp_problem *p, const double *lean, const sp_speeds *law,
                                    sp_solution *s, void *work);

/* How many solutions the problem of a phase has, into impact; the one that is taken in s.  law: as
 * of sp_solutions_find; scratch: sp_solutions_work. */
void sp_phase_count(const sp_problem *p, const sp_speeds *law, sp_solution *s, sp_impact *impact,
                    void *scratch);

/* Solve xi = G Lambda + f->c, -xi_i in N_{C_i}(Lambda_i) on f->set for Lambda (n), from and to
 * impact->status; adds to impact's residual, pivots, method, result.  scratch: sp_solutions_work.
 */
sp_status sp_phase_solve(const sp_impact_problem *p, const sp_impact_options *options, sp_phase *f,
                         double *Lambda, sp_impact *impact, void *scratch, sp_error *err);

#endif
