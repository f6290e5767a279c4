/* analysis/verify_parts.h - the parts of a comparison: plan, sizes, gain of refinement, islands. */
#ifndef SP_ANALYSIS_VERIFY_PARTS_H
#define SP_ANALYSIS_VERIFY_PARTS_H

#include "analysis/verify.h"

/* ---- verify_plan.c -------------------------------------------------------- */

/* Methods, their runs, and what was left out, into an empty report.  SP_E_INPUT if the options are
 * out of range, or ask for a method that does not know the model. */
sp_status sp_verify_plan(const sp_model *m, const sp_verify_options *o, sp_verify_report *report,
                         sp_error *err);

/* Runs of a side with shorter steps, or smaller tolerances. */
void sp_verify_refine(sp_verify_side *side, double factor);

/* ---- verify_size.c -------------------------------------------------------- */

#define SP_VERIFY_BESIDE                                                                           \
    1e-6 /* of what turns or ways move points by: others count from here on                        \
          */
#define SP_VERIFY_KNOWN                                                                            \
    1e-6 /* of the longest arm, and of 1 rad: what a reference at 1e-9 knows to a millionth        \
          */
#define SP_VERIFY_LEAST                                                                            \
    1e-9 /* of the longest arm, and of 1 rad: coordinates below are round-off                      \
          */

/* What differences of coordinate k are measured by: the largest with its unit, angles up to 1 rad;
 * where angles, or ways, are but the round-off of the others, a part of what these do, and no
 * coordinate is less than round-off of the machine's lengths.   theory (51.4), (55.1) */
double sp_verify_size(const sp_model *m, int k, int n, const double *q, bool rates);

/* A measure between two stops: the slot of one of them, and how far they are apart, m or rad. */
typedef struct sp_verify_stop {
    int slot;
    double range;
} sp_verify_stop;

/* All measures between two stops, and how many; stop: room for n_slot.   theory (57.32) */
int sp_verify_stops(const sp_model *m, sp_verify_stop *stop);

/* ---- verify_gain.c -------------------------------------------------------- */

#define SP_VERIFY_APART_MOST 1e-2 /* of scale: stepped runs that differ by more show nothing */
#define SP_VERIFY_ROUND_OFF  1e-9 /* of scale: what positions are off by anyway                */

/* The order of three errors, each with half the step or a tenth of the tolerance of the one before,
 * and half the difference of the orders of both: where impacts fall in a step is chance; NAN: the
 * finest is round-off.   theory (17.18), (57.7) */
double sp_verify_order(const double *error, bool stepped, double *spread);

/* Distance up to which runs are settled without gain, of scale.   theory (57.5) */
double sp_verify_settled(const sp_verify_side *other);

/* From the distances, change, self and energies of a report: gain, settled and unsettled.
 * theory (31.7), (51.1), (57.1)-(57.5) */
void sp_verify_judge(sp_verify_report *report);

/* Whether a coordinate belongs to a body that hangs together with one of two others through joints,
 * contacts that there may be, loops or springs; the ground does not join, expressions do not count.
 * Formula coordinates, and contacts of none but the ground, hang together with all.
 * reached: room for n_body.   theory (55.5) */
bool sp_verify_joined(const sp_model *m, const int body[2], int dof, unsigned char *reached);

#endif
