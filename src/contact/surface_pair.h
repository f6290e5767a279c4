/* contact/surface_pair.h - nearest points of smooth surfaces in space: of a ball (or a point) and a
 * surface, and of two surfaces.
 *
 * Two places belong together where the normals are opposite and the way between them is along them
 * [Pfeiffer99 eq 40]; this holds for open gaps and for penetration alike.  Newton's method finds
 * them, from a start by closed forms or samples; which of them is the contact is decided by the
 * curvatures.   theory (20.8)-(20.13) */
#ifndef SP_CONTACT_SURFACE_PAIR_H
#define SP_CONTACT_SURFACE_PAIR_H

#include "contact/frame3.h"
#include "model/surface.h"

/* What became of the search. */
typedef enum sp_surface_fit {
    SP_FIT_POINT, /* one point, isolated                                                       */
    SP_FIT_FLAT,  /* the surfaces fit each other along a line or an area; one of its points    */
    SP_FIT_RIM,   /* nearest is the border of one surface                                      */
    SP_FIT_PAST,  /* two surfaces: nearest are the borders of both, which are no contact       */
    SP_FIT_LOST   /* no pair of places was found                                               */
} sp_surface_fit;

/* A surface and where its body is (sp_mark_pose). */
typedef struct sp_surface_side {
    const sp_surface *surface;
    sp_vec3 x; /* origin of the body */
    sp_rot3 R;
} sp_surface_side;

/* Nearest points of two sides a and b; n out of b's material towards a. */
typedef struct sp_surface_contact {
    sp_surface_fit fit;
    double g;            /* gap; above zero if PAST, NaN if LOST                          */
    sp_vec3 n, point[2]; /* world                                                         */
    sp_surface_at at[2]; /* of a ball nothing                                             */
    sp_vec3 e[2][2];     /* tangents of both sides, world                                 */
    double K[2][3];      /* curvature in them (sp_surface_patch)                                  */
    bool ball;           /* side a is a ball ...                                          */
    double radius;       /* ... of this radius                                            */
    int rim_of;          /* RIM of two surfaces: the side whose border it is              */
    sp_vec3 rim;         /* RIM: unit tangent of the border, zero at a corner of it ...   */
    double rim_bend;     /* ... and n.(its curvature vector)                              */
    double residual;     /* of the two conditions, relative to the size of the surfaces   */
    int n_newton;        /* iterations in all                                             */
} sp_surface_contact;

/* Ball of a radius >= 0 about a centre (world) on surface b. */
void sp_surface_meet_ball(sp_vec3 center, double radius, const sp_surface_side *b, double *work,
                          sp_surface_contact *out);

/* Two surfaces, of which a is not a plane.  start (2, may be NULL): places where they were nearest
 * a short while ago; without, and where Newton's method does not get on from there, the samples of
 * both are searched. */
void sp_surface_meet(const sp_surface_side *a, const sp_surface_side *b, const sp_surface_at *start,
                     double *work, sp_surface_contact *out);

/* The rims of a peg and a bore: rim 0 or 1, the lower or upper one of a against the side of b, 2 or
 * 3 of b against a.  One that is beside the other's side has a gap that is not closed.   theory
 * (116.1) */
void sp_surface_meet_peg(const sp_surface_side *a, const sp_surface_side *b, int rim, double *work,
                         sp_surface_contact *out);

/* Nearest samples of both sides as one number >= 1, and back to their places: what a contact
 * remembers to start from.  0: nothing. */
int sp_surface_hint(const sp_surface_side *a, const sp_surface_side *b,
                    const sp_surface_contact *c);
bool sp_surface_from_hint(const sp_surface_side *a, const sp_surface_side *b, int hint,
                          sp_surface_at at[2]);

/* The contact frame of what was found; mark[] of f must be there.   theory (20.14), (20.15) */
void sp_surface_frame(const sp_kin *kin, const sp_surface_contact *c, sp_contact_frame3 *f);

#endif
