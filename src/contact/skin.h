/* contact/skin.h - sides of beams in the plane (SP_CURVE_BENT) as they are bent in a configuration.
 * theory section 98 */
#ifndef SP_CONTACT_SKIN_H
#define SP_CONTACT_SKIN_H

#include "contact/con.h"
#include "model/bent.h"
#include "model/surface.h"

/* Room for the sides of a model; none of it without bodies that deform.  False: no memory. */
bool sp_skin_alloc(sp_arena *arena, const sp_model *m, sp_con *con);

/* In space, a face (SP_CONTOUR_FACE) as it is deformed in the configuration of con->kin. */
const sp_surface *sp_skin_face(const sp_con *con, int contour);

/* The material of such a face on side b of a slot at the place u, v, as a mark that stays until
 * the next one of that slot. */
const sp_mark *sp_skin_face_mark(const sp_model *m, const sp_con *con, int slot, double u,
                                 double v);

/* Where all sides are in the configuration of con->kin. */
void sp_skin_place(const sp_model *m, sp_con *con);

/* The curve of a contour: as it is bent now, in the frame of its body, or as it is. */
const sp_curve *sp_skin_curve(const sp_model *m, const sp_con *con, int contour);

/* Whether a contour is bent. */
static inline bool sp_skin_is(const sp_con *con, int contour)
{
    return con->skin && con->skin[contour];
}

/* The frame of a body, which bent curves are given in. */
sp_pose2 sp_skin_pose(const sp_kin *kin, int body);

/* The material of a bent contour at the place x (world) of side k of a slot, as a mark that stays
 * until the next one of that side. */
const sp_mark *sp_skin_mark(const sp_model *m, const sp_con *con, int slot, int k, sp_vec x);

/* How the line through the material there moves as it is: its spin, and how fast it becomes longer,
 * 1/s.   theory (98.3) */
typedef struct sp_skin_rate {
    double spin, stretch;
} sp_skin_rate;
sp_skin_rate sp_skin_rate_at(const sp_kin *kin, const sp_con *con, int contour,
                             const sp_mark *mark);

#endif
