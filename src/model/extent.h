/* model/extent.h - what is small for a gap, a coordinate, the machine: each has a size of its own.
 *
 * A position is a sum of arms, places on parts and coordinates, known to round-off of the longest
 * of them; tolerances of gaps are parts of that size, so that machines of a micrometre and of
 * kilometres are computed alike.   theory (11.43) */
#ifndef SP_MODEL_EXTENT_H
#define SP_MODEL_EXTENT_H

#include <stdbool.h>

struct sp_model;

typedef struct sp_extent {
    double length; /* of the machine, m: its longest arm, part or start; 1 if it has none     */
    double gap;    /* the largest of 'slot': what all gaps are judged by together; 1: none    */
    const double *slot; /* n_slot + n_bond: m, or rad: the longest on the way to both of its parts;
                         * of stops their range, at least 1e-3 of the machine or rad */
    const double *dof; /* n_dof: m or rad: the way to its part, 1 rad; with stops their range     */
} sp_extent;

struct sp_numbers;

/* The longest arm of the machine, m, zero if it has none; the same, or 1. */
double sp_model_longest(const struct sp_model *m, const struct sp_numbers *num);
double sp_model_arm(const struct sp_model *m);

/* Sort the degrees of freedom by their units, into kind; units beyond the last of SP_CONTROL_KINDS
 * share it.  Returns how many there are. */
int sp_model_units(const struct sp_model *m, unsigned char *kind, bool *is_angle,
                   const char **unit);

/* How far gaps may be off, m, where coordinates (n_q, of slides up to most) are by off: those
 * between parts, with joints that slide and turn; infinite: not known.   theory (68.4) */
double sp_model_off(const struct sp_model *m, double most, const double *off);

/* Fill m->extent from the rest of the model.  False: no memory. */
bool sp_model_measure(struct sp_model *m);

#endif
