/* contact/tangent_parts.h - what the files of the tangent share; nobody else includes it. */
#ifndef SP_CONTACT_TANGENT_PARTS_H
#define SP_CONTACT_TANGENT_PARTS_H

#include "contact/tangent.h"

/* What one element is computed from. */
typedef struct sp_tangent_look_at {
    const sp_model *m;
    const sp_numbers *num;
    const sp_tangent_point *at;
    sp_tangent *to;
    sp_dual measure, rate; /* of the force element that asks */
} sp_tangent_look_at;

/* World place of a mark, and the velocity of its material point there. */
sp_dual3 sp_tangent_place(const sp_tangent *to, const sp_mark *mark);
sp_dual3 sp_tangent_velocity(const sp_tangent *to, int body, sp_dual3 x);

/* The material point of a body that is now at the world place x, carried along. */
sp_dual3 sp_tangent_carried(const sp_tangent *to, int body, sp_vec3 x);

/* A force at a place of a body, a moment on a body, a force on a degree of freedom: taken off r. */
void sp_tangent_push(sp_tangent *to, int body, sp_dual3 x, sp_dual3 force);
void sp_tangent_twist(sp_tangent *to, int body, sp_dual3 moment);
void sp_tangent_on_dof(sp_tangent *to, int dof, sp_dual force);

/* Value of a signal, its rate if it is a position (NaN: it is none), and the force conjugate to
 * it. */
sp_dual sp_tangent_signal(const sp_tangent_look_at *l, const sp_signal *s);
sp_dual sp_tangent_rate(const sp_tangent_look_at *l, const sp_signal *s);
void sp_tangent_pull_signal(const sp_tangent_look_at *l, const sp_signal *s, sp_dual force);

/* Value of an expression; gradient entries (to->grad, grad_d) too if asked for. */
sp_dual sp_tangent_value(const sp_tangent_look_at *l, const sp_func *f);
sp_dual sp_tangent_gradient(const sp_tangent_look_at *l, const sp_func *f);

/* What acts: springs of joints and force elements; held rows; formula coordinates. */
void sp_tangent_forces(sp_tangent_look_at *l);
void sp_tangent_rows(sp_tangent_look_at *l);
void sp_tangent_formula(sp_tangent_look_at *l);

/* Distance of two points or an expression with its rate; what holds back its growth. */
typedef struct sp_tangent_measure {
    sp_dual x, rate;
    sp_dual3 place[2], d; /* d: from point 0 to point 1 */
} sp_tangent_measure;
sp_tangent_measure sp_tangent_measure_of(sp_tangent_look_at *l, const sp_force *f,
                                         const sp_force_numbers *n, bool by_points);
void sp_tangent_pull(const sp_tangent_look_at *l, const sp_force *f, bool by_points,
                     const sp_tangent_measure *x, sp_dual pull);

#endif
