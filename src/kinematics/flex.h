/* kinematics/flex.h - spots on bodies that deform, and the frames that other bodies hang on them
 * with; spot.h calls these where sp_kin.deforms. */
#ifndef SP_KINEMATICS_FLEX_H
#define SP_KINEMATICS_FLEX_H

#include "kinematics/kind.h"
#include "kinematics/spot.h"

#include <stdint.h>

/* A frame that carries a body: joined to the mark of its joint on the parent, in such a way that it
 * is the parent's own frame where that is rigid.   theory (2.29) */
typedef struct sp_hung {
    sp_spot at;
    const sp_frame *plane; /* that of the parent where it is rigid, else ... */
    const sp_frame3 *space;
    sp_frame own_plane; /* ... its own */
    sp_frame3 own_space;
    sp_vec3 alpha0; /* angular acceleration for u' = 0 */
} sp_hung;

/* A place that was looked at, as long as its body keeps its own coordinates and velocities: joints,
 * loops and forces ask for the same marks many times. */
typedef struct sp_flex_look {
    bool any;
    const double *shape;
    sp_vec3 at;
    int guest;   /* as in sp_spot ... */
    double rate; /* ... and how fast it slides */
    uint64_t q_stamp, u_stamp;
    sp_deformed place;
} sp_flex_look;

enum { SP_FLEX_LOOKS = 8 };

/* The last ones of a body. */
typedef struct sp_flex_looks {
    sp_flex_look look[SP_FLEX_LOOKS];
    int next;
} sp_flex_looks;

struct sp_flex {
    const sp_model *m;
    double *q, *u;               /* n_dof: coordinates and velocities that bodies have themselves,
                                  * and those of joints that follow an axis */
    double *rates[2];            /* most_own + 1: scratch                                         */
    uint64_t *q_stamp, *u_stamp; /* n_body: how often they changed                                */
    uint64_t moves, motions;     /* how often a body was placed; or its motion looked at          */
    void **memo;                 /* n_body: of their kinds, or NULL                               */
    sp_hung *hung;               /* n_body                                                        */
    sp_flex_looks *looks;        /* n_body                                                        */
};

bool sp_flex_alloc(sp_arena *arena, const sp_model *m, sp_kin *kin);

/* What body i hangs on: its place, its motion at the velocities of the parent, its bias; what the
 * body has itself of q and u is kept. */
const sp_hung *sp_flex_hang(const sp_numbers *num, const double *q, int i, sp_kin *kin);
const sp_hung *sp_flex_carry(const double *u, int i, sp_kin *kin);
const sp_hung *sp_flex_bend(const double *u, int i, sp_kin *kin);

/* In the plane, what the angular acceleration for u' = 0 of what body i hangs on adds to its bias.
 */
void sp_flex_turn(int i, sp_kin *kin);

/* The nearest place of the side of a beam, and how it is bent there. */
typedef struct sp_flex_foot {
    bool end;      /* an end of it                                                    */
    sp_vec3 t, n;  /* along it, and to the left of it, world; unit                    */
    double size;   /* how long it is there per way along the beam                     */
    double bend;   /* its curvature to the left, 1/m                                  */
    double wander; /* how far the nearest place goes per way of what it is nearest to */
} sp_flex_foot;

/* In the plane, the place of the line at the height mark->at[1] over the axis of a beam that is
 * nearest to x (world): to mark->at[0].   theory (105.2) */
void sp_flex_nearest(const sp_kin *kin, sp_vec3 x, sp_mark *mark, sp_flex_foot *foot);

/* The spin of the material line there.   theory (98.3) */
double sp_flex_line_spin(const sp_kin *kin, const sp_mark *mark);

#endif
