/* model/aspect.c - what signals measure. */
#include "model/aspect.h"

#define PLACE(name, n, k) .from = SP_FROM_BODY, .of = SP_ASPECT_##name, .which = n, .part = k
#define RATE(name, k)     .from = SP_FROM_BODY, .of = SP_ASPECT_##name, .part = k, .is_rate = true
#define LOAD(name, n, k)  .from = SP_FROM_LOADS, .load = SP_LOAD_##name, .which = n, .part = k
#define OTHER(name, k)    .from = SP_FROM_##name, .part = k

/* clang-format off */
static const sp_aspect table[] = {
    [SP_SIG_TIME] = {.from = SP_FROM_TIME},
    [SP_SIG_CLOCK] = {.from = SP_FROM_CLOCK},
    [SP_SIG_Q] = {.from = SP_FROM_Q},
    [SP_SIG_U] = {.from = SP_FROM_U, .is_rate = true},
    [SP_SIG_STATE] = {.from = SP_FROM_STATE},
    [SP_SIG_X] = {PLACE(POINT, 0, 0)},
    [SP_SIG_Y] = {PLACE(POINT, 0, 1)},
    [SP_SIG_Z] = {PLACE(POINT, 0, 2)},
    [SP_SIG_VX] = {RATE(POINT, 0)},
    [SP_SIG_VY] = {RATE(POINT, 1)},
    [SP_SIG_VZ] = {RATE(POINT, 2)},
    [SP_SIG_PHI] = {PLACE(ANGLE, 0, 2)},
    [SP_SIG_OMEGA] = {RATE(SPIN, 2)},
    [SP_SIG_OMEGA_X] = {RATE(SPIN, 0)},
    [SP_SIG_OMEGA_Y] = {RATE(SPIN, 1)},
    [SP_SIG_OMEGA_Z] = {RATE(SPIN, 2)},
    [SP_SIG_OMEGA_OWN_X] = {RATE(OWN_SPIN, 0)},
    [SP_SIG_OMEGA_OWN_Y] = {RATE(OWN_SPIN, 1)},
    [SP_SIG_OMEGA_OWN_Z] = {RATE(OWN_SPIN, 2)},
    [SP_SIG_EX_X] = {PLACE(AXIS, 0, 0)},
    [SP_SIG_EX_Y] = {PLACE(AXIS, 0, 1)},
    [SP_SIG_EX_Z] = {PLACE(AXIS, 0, 2)},
    [SP_SIG_EY_X] = {PLACE(AXIS, 1, 0)},
    [SP_SIG_EY_Y] = {PLACE(AXIS, 1, 1)},
    [SP_SIG_EY_Z] = {PLACE(AXIS, 1, 2)},
    [SP_SIG_EZ_X] = {PLACE(AXIS, 2, 0)},
    [SP_SIG_EZ_Y] = {PLACE(AXIS, 2, 1)},
    [SP_SIG_EZ_Z] = {PLACE(AXIS, 2, 2)},
    [SP_SIG_MEASURE] = {OTHER(MEASURE, 0)},
    [SP_SIG_RATE] = {OTHER(MEASURE, 1)},
    [SP_SIG_GAP] = {OTHER(CONTACT, 0)},
    [SP_SIG_GAMMA_N] = {OTHER(CONTACT, 1)},
    [SP_SIG_GAMMA_T] = {OTHER(CONTACT, 2)},
    [SP_SIG_LAMBDA_N] = {OTHER(CONTACT, 3)},
    [SP_SIG_LAMBDA_T] = {OTHER(CONTACT, 4)},
    [SP_SIG_KINETIC] = {OTHER(ENERGY, 0)},
    [SP_SIG_POTENTIAL] = {OTHER(ENERGY, 1)},
    [SP_SIG_AX] = {LOAD(ACCELERATION, 0, 0)},
    [SP_SIG_AY] = {LOAD(ACCELERATION, 0, 1)},
    [SP_SIG_AZ] = {LOAD(ACCELERATION, 0, 2)},
    [SP_SIG_ALPHA_X] = {LOAD(VECTOR, 0, 0)},
    [SP_SIG_ALPHA_Y] = {LOAD(VECTOR, 0, 1)},
    [SP_SIG_ALPHA_Z] = {LOAD(VECTOR, 0, 2)},
    [SP_SIG_JOINT_FX] = {LOAD(VECTOR, 1, 0)},
    [SP_SIG_JOINT_FY] = {LOAD(VECTOR, 1, 1)},
    [SP_SIG_JOINT_FZ] = {LOAD(VECTOR, 1, 2)},
    [SP_SIG_JOINT_MX] = {LOAD(VECTOR, 2, 0)},
    [SP_SIG_JOINT_MY] = {LOAD(VECTOR, 2, 1)},
    [SP_SIG_JOINT_MZ] = {LOAD(VECTOR, 2, 2)},
    [SP_SIG_LOOP_FX] = {LOAD(VECTOR, 3, 0)},
    [SP_SIG_LOOP_FY] = {LOAD(VECTOR, 3, 1)},
    [SP_SIG_LOOP_FZ] = {LOAD(VECTOR, 3, 2)},
    [SP_SIG_LOOP_MX] = {LOAD(VECTOR, 4, 0)},
    [SP_SIG_LOOP_MY] = {LOAD(VECTOR, 4, 1)},
    [SP_SIG_LOOP_MZ] = {LOAD(VECTOR, 4, 2)},
    [SP_SIG_ROW] = {LOAD(ROW, 0, 0)},
    [SP_SIG_ELEMENT_MEASURE] = {LOAD(ELEMENT, 0, 0)},
    [SP_SIG_ELEMENT_RATE] = {LOAD(ELEMENT, 0, 1)},
    [SP_SIG_ELEMENT_FORCE] = {LOAD(ELEMENT, 0, 2)},
    [SP_SIG_ELEMENT_MOMENT] = {LOAD(ELEMENT, 0, 3)},
    [SP_SIG_ELEMENT_POWER] = {LOAD(ELEMENT, 0, 4)},
    [SP_SIG_ELEMENT_ENERGY] = {LOAD(ELEMENT, 0, 5)},
    [SP_SIG_SHAPE_DX] = {LOAD(SHAPE, 0, 0)},
    [SP_SIG_SHAPE_DY] = {LOAD(SHAPE, 0, 1)},
    [SP_SIG_SHAPE_SLOPE] = {LOAD(SHAPE, 0, 2)},
    [SP_SIG_SHAPE_AXIAL] = {LOAD(SHAPE, 1, 0)},
    [SP_SIG_SHAPE_SHEAR] = {LOAD(SHAPE, 1, 1)},
    [SP_SIG_SHAPE_MOMENT] = {LOAD(SHAPE, 1, 2)},
    [SP_SIG_SHAPE_STRESS] = {LOAD(SHAPE, 1, 3)},
};
/* clang-format on */

sp_aspect sp_aspect_of(sp_signal_kind kind)
{
    return table[kind];
}
