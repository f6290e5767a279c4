/* kinematics/aspect.h - what a signal measures of a body: a component of a point, of an axis, of
 * its angle or of its spin; what follows signals through derivatives begins here. */
#ifndef SP_KINEMATICS_ASPECT_H
#define SP_KINEMATICS_ASPECT_H

#include "model/model.h"

typedef enum sp_aspect_kind {
    SP_ASPECT_OTHER, /* of no body: time, coordinates, velocities of joints */
    SP_ASPECT_POINT,
    SP_ASPECT_AXIS,
    SP_ASPECT_ANGLE, /* in the plane                                        */
    SP_ASPECT_SPIN,  /* world axes                                          */
    SP_ASPECT_OWN_SPIN
} sp_aspect_kind;

typedef struct sp_aspect {
    sp_aspect_kind of;
    int axis;     /* AXIS: which                                    */
    int part;     /* component 0, 1, 2                              */
    bool is_rate; /* the signal is a velocity, otherwise a position */
} sp_aspect;

/* The aspect that a kind of signal is. */
static inline sp_aspect sp_aspect_of(sp_signal_kind kind)
{
    switch (kind) {
    case SP_SIG_X:
    case SP_SIG_Y:
        return (sp_aspect){.of = SP_ASPECT_POINT, .part = (int)kind - SP_SIG_X};
    case SP_SIG_Z:
        return (sp_aspect){.of = SP_ASPECT_POINT, .part = 2};
    case SP_SIG_VX:
    case SP_SIG_VY:
        return (sp_aspect){.of = SP_ASPECT_POINT, .part = (int)kind - SP_SIG_VX, .is_rate = true};
    case SP_SIG_VZ:
        return (sp_aspect){.of = SP_ASPECT_POINT, .part = 2, .is_rate = true};
    case SP_SIG_PHI:
        return (sp_aspect){.of = SP_ASPECT_ANGLE, .part = 2};
    case SP_SIG_OMEGA:
        return (sp_aspect){.of = SP_ASPECT_SPIN, .part = 2, .is_rate = true};
    default:
        break;
    }
    if (kind >= SP_SIG_OMEGA_X && kind <= SP_SIG_OMEGA_Z) {
        return (sp_aspect){
            .of = SP_ASPECT_SPIN, .part = (int)kind - SP_SIG_OMEGA_X, .is_rate = true};
    }
    if (kind >= SP_SIG_OMEGA_OWN_X && kind <= SP_SIG_OMEGA_OWN_Z) {
        return (sp_aspect){
            .of = SP_ASPECT_OWN_SPIN, .part = (int)kind - SP_SIG_OMEGA_OWN_X, .is_rate = true};
    }
    if (kind >= SP_SIG_EX_X && kind <= SP_SIG_EZ_Z) {
        return (sp_aspect){.of = SP_ASPECT_AXIS,
                           .axis = ((int)kind - SP_SIG_EX_X) / 3,
                           .part = ((int)kind - SP_SIG_EX_X) % 3};
    }
    return (sp_aspect){.of = SP_ASPECT_OTHER, .is_rate = kind == SP_SIG_U};
}

#endif
