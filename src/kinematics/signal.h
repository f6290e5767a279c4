/* kinematics/signal.h - values of what expressions can see. */
#ifndef SP_KINEMATICS_SIGNAL_H
#define SP_KINEMATICS_SIGNAL_H

#include "expr/held.h"
#include "kinematics/kin.h"

/* What the forces of a frame come to: accelerations, reactions, forces of elements.  Contacts and
 * bilateral rows act with their mean forces; at an impact, whose forces are impulses, without. */
typedef struct sp_loads {
    sp_vec3 *acc, *alpha;              /* n_body: of the origin, angular; world axes            */
    sp_vec3 *force, *moment;           /* n_body: of the joint on the body, about its pivot     */
    sp_vec3 *loop_force, *loop_moment; /* n_loop: on the second body, at the joint's place      */
    double *row;                       /* n_bond: forces of the bilateral rows                  */
    const double *a;                   /* n_dof: u'                                             */
    double (*element)[7]; /* n_force: measure, rate, force, moment, power, energy, side       */
} sp_loads;

/* Everything a signal may be read from; what a caller does not have stays NULL or 0. */
typedef struct sp_signal_source {
    const sp_kin *kin;
    const double *q, *u, *z; /* z: auxiliary states */
    double t;
    double measure, rate;             /* of the force element that asks */
    const sp_contact_record *contact; /* n_slot                         */
    double kinetic, potential;
    const sp_loads *loads;
    sp_kink *kink;      /* n_kink: kinks that are held; NULL: none is                      */
    const double *mean; /* n_clock: means of clocks over a step, NaN: as at t; NULL: all so */
} sp_signal_source;

/* One signal; NaN where the source does not hold it, as clocks outside of expressions. */
double sp_signal_value(const sp_signal *signal, const sp_signal_source *from);

/* Value of an expression; in and work are scratch of m->expr_input and m->expr_work doubles. */
double sp_func_value(const sp_func *f, const sp_signal_source *from, double *in, double *work);

/* The same with the derivatives by its signals in grad (m->expr_input), and hess (m->expr_hess). */
double sp_func_grad(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *work);
double sp_func_hess(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *hess, double *work);

/* The kinks of an expression among those of the model, in *hold; NULL: none is held. */
const sp_held *sp_func_hold(const sp_func *f, sp_kink *kink, sp_held *hold);

#endif
