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

/* Fill m->extent from the rest of the model.  False: no memory. */
bool sp_model_measure(struct sp_model *m);

#endif
