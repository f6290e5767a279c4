/* kinematics/signal.h - values of what expressions can see. */
#ifndef SP_KINEMATICS_SIGNAL_H
#define SP_KINEMATICS_SIGNAL_H

#include "kinematics/kin.h"

/* Everything a signal may be read from; what a caller does not have stays NULL or 0. */
typedef struct sp_signal_source {
    const sp_kin *kin;
    const double *q, *u;
    double t;
    double measure, rate;             /* of the force element that asks */
    const sp_contact_record *contact; /* n_slot                         */
    double kinetic, potential;
} sp_signal_source;

/* One signal; NaN where the source does not hold it. */
double sp_signal_value(const sp_signal *signal, const sp_signal_source *from);

/* Value of an expression; in and work are scratch of m->expr_input and m->expr_work doubles. */
double sp_func_value(const sp_func *f, const sp_signal_source *from, double *in, double *work);

/* The same with the derivatives by its signals in grad (m->expr_input). */
double sp_func_grad(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *work);

#endif
