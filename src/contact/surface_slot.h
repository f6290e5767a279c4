/* contact/surface_slot.h - slots in space one side of which is a surface (model/surface.h): a ball,
 * a point or a surface on side a, a surface on side b.   theory (20.8)-(20.15) */
#ifndef SP_CONTACT_SURFACE_SLOT_H
#define SP_CONTACT_SURFACE_SLOT_H

#include "contact/con.h"
#include "model/sides.h"

/* Whether the pair of contours a on b is of this kind. */
static inline bool sp_surface_slot(const sp_model *m, int a, int b)
{
    return sp_sides_is_surface(m->contour[a].kind) || sp_sides_is_surface(m->contour[b].kind);
}

/* Gap of a slot in the configuration of con->kin, found from the hint of the slot
 * (0: none), and the hint for the next time in *next.  Above zero if only borders are beside
 * each other, NaN if no nearest points are found. */
double sp_surface_slot_gap(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                           int hint, int *next);

/* The whole frame of a slot with this pair of contours. */
void sp_surface_slot_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                           const int pair[2], sp_contact_frame3 *f);

#endif
