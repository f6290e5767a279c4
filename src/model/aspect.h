/* model/aspect.h - what signals measure, by a table: everything that asks for the kind of a signal
 * reads it here. */
#ifndef SP_MODEL_ASPECT_H
#define SP_MODEL_ASPECT_H

#include "model/model.h"

typedef enum sp_aspect_source {
    SP_FROM_TIME,
    SP_FROM_CLOCK,
    SP_FROM_Q,
    SP_FROM_U,
    SP_FROM_STATE,
    SP_FROM_BODY,    /* at a mark                                                             */
    SP_FROM_MEASURE, /* of the force element that asks; part: measure, rate                   */
    SP_FROM_CONTACT, /* part: gap, gamma_N, gamma_T, lambda_N, lambda_T                       */
    SP_FROM_ENERGY,  /* part: kinetic, potential                                              */
    SP_FROM_LOADS    /* outputs only                                                          */
} sp_aspect_source;

/* Of a body. */
typedef enum sp_aspect_kind {
    SP_ASPECT_POINT,
    SP_ASPECT_AXIS,  /* which: x, y, z                       */
    SP_ASPECT_ANGLE, /* in the plane                         */
    SP_ASPECT_SPIN,  /* world axes                           */
    SP_ASPECT_OWN_SPIN
} sp_aspect_kind;

/* Of loads. */
typedef enum sp_load_kind {
    SP_LOAD_ACCELERATION, /* of a point                                            */
    SP_LOAD_VECTOR,       /* which: alpha, force, moment, loop_force, loop_moment  */
    SP_LOAD_ROW,
    SP_LOAD_ELEMENT, /* part: as in sp_loads.element                           */
    SP_LOAD_SHAPE    /* which: 0 deformation, 1 section forces, of a body that deforms */
} sp_load_kind;

typedef struct sp_aspect {
    sp_aspect_source from;
    sp_aspect_kind of;
    sp_load_kind load;
    int which, part; /* part: component 0, 1, 2, or as above            */
    bool is_rate;    /* the signal is a velocity, otherwise a position  */
} sp_aspect;

/* The aspect that a kind of signal is. */
sp_aspect sp_aspect_of(sp_signal_kind kind);

#endif
