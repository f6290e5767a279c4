/* integrators/loads.h - accelerations, reactions and element forces at a frame, for outputs.
 *
 *     M u' = h + W lambda,   lambda of contacts: their mean forces; of bilateral rows: such that
 *     their second derivatives vanish
 *
 * and from the accelerations, from the leaves to the roots, what every joint carries.
 * theory (14.13) */
#ifndef SP_INTEGRATORS_LOADS_H
#define SP_INTEGRATORS_LOADS_H

#include "contact/tangent.h"
#include "integrators/work.h"

typedef struct sp_load_work {
    sp_loads loads;
    sp_work *inner; /* a work of its own: a frame must not disturb the step            */
    sp_tangent tangent;
    sp_held_row *row;    /* rows of contacts and bilateral rows                         */
    double *a, *none;    /* n_dof: accelerations; zeroes                                */
    sp_element *element; /* n_force                                                    */
} sp_load_work;

/* Whether an output of the model asks for them. */
bool sp_loads_needed(const sp_model *m);

/* Memory for them from the arena of w; on failure *load is NULL. */
sp_status sp_loads_new(const sp_model *m, sp_work *w, sp_load_work **load, sp_error *err);
void sp_loads_free(sp_load_work *load);

/* The loads at x with these forces of the contacts (n_slot). */
sp_status sp_loads_find(const sp_model *m, const sp_state *x, const sp_contact_record *contact,
                        sp_load_work *load, sp_error *err);

#endif
