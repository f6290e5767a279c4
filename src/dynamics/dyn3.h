/* dynamics/dyn3.h - the functions of dyn.h in space, which calls them there. */
#ifndef SP_DYNAMICS_DYN3_H
#define SP_DYNAMICS_DYN3_H

#include "dynamics/dyn.h"
#include "kinematics/body3.h"

void sp_dyn3_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);
void sp_dyn3_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                    const double *q, const double *u, sp_dyn *dyn);
void sp_dyn3_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                   const double *u, sp_kin *kin, sp_dyn *dyn);
double sp_dyn3_kinetic(const sp_model *m, const sp_numbers *num, const sp_kin *kin);
double sp_dyn3_quadratic(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                         const double *u, sp_dyn *dyn);
double sp_dyn3_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin);
void sp_dyn3_energies(const sp_model *m, const sp_numbers *num, const double *q, const double *u,
                      sp_kin *kin, sp_dyn *dyn, sp_energy *energy);
sp_status sp_dyn3_accelerate(const sp_model *m, const sp_numbers *num, double t, const double *q,
                             const double *u, const unsigned char *held, sp_kin *kin, sp_dyn *dyn,
                             double *du, sp_error *err);

/* No forces yet in the shares that act; those of inertia and gravity are written later. */
void sp_dyn3_clear(const sp_model *m, sp_dyn *dyn);

/* Inertia about the centre of mass, world axes. */
static inline sp_sym3 sp_dyn3_inertia(const sp_space_numbers *n, const sp_frame3 *f)
{
    return sp_sym3_turned(f->R, sp_sym3_of(n->inertia));
}

/* The body alone, about its pivot; J: about its centre of mass. */
static inline sp_inertia3 sp_dyn3_own(double mass, sp_sym3 J, const sp_frame3 *f)
{
    const sp_vec3 r = sp_body3_center(f), moment = sp_scale3(mass, r);
    return (sp_inertia3){
        .mass = mass, .moment = moment, .J = sp_sym3_shift(J, sp_scale3(0.5, moment), r)};
}

/* Gravity and inertia at bias acceleration, about the pivot.   theory (3.16) */
static inline sp_wrench3 sp_dyn3_body_force(double mass, sp_sym3 J, sp_vec3 g, const sp_frame3 *f)
{
    const sp_vec3 force = sp_scale3(mass, sp_sub3(g, sp_body3_bias(f, f->c)));
    const sp_vec3 gyro =
        sp_add3(sp_sym3_mul(J, f->alpha0), sp_cross3(f->omega, sp_sym3_mul(J, f->omega)));
    return (sp_wrench3){.f = force, .m = sp_sub3(sp_cross3(sp_body3_center(f), force), gyro)};
}

/* Body i on the way from the roots to the leaves: where it is, its bias, the forces of inertia and
 * gravity on it.  Returns its inertia about the centre of mass. */
static inline sp_sym3 sp_dyn3_reach(const sp_model *m, const sp_numbers *num, const double *q,
                                    const double *u, int i, sp_kin *kin, sp_dyn *dyn)
{
    const sp_frame3 *f = &kin->frame3[i], *parent = &kin->frame3[m->body[i].parent];
    sp_body3_place(m, num, q, i, parent, kin);
    sp_body3_bend(m, u, i, parent, kin);
    const sp_sym3 J = sp_dyn3_inertia(&num->space[i], f);
    dyn->wrench3[SP_CONSERVATIVE][i] =
        sp_dyn3_body_force(num->body[i].mass, J, sp_vec3_of(num->gravity), f);
    return J;
}

/* Power of a wrench about the pivot per unit of a degree of freedom of that body. */
static inline double sp_dyn3_along(const sp_axis3 *axis, sp_wrench3 w)
{
    return sp_inner3(axis->w, w.m) + sp_inner3(axis->s, w.f);
}

/* A wrench joins that of the parent, whose pivot lies d behind. */
static inline sp_wrench3 sp_dyn3_pass_on(sp_wrench3 w, sp_vec3 d, sp_wrench3 to)
{
    to.m = sp_add3(to.m, sp_add3(w.m, sp_cross3(d, w.f)));
    to.f = sp_add3(to.f, w.f);
    return to;
}

#endif
