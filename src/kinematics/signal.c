#include "kinematics/signal.h"

/* What the source must hold for a signal to have a value. */
static bool holds(const sp_signal_source *from, sp_signal_kind kind)
{
    switch (kind) {
    case SP_SIG_Q:
        return from->q != NULL;
    case SP_SIG_U:
        return from->u != NULL;
    case SP_SIG_X:
    case SP_SIG_Y:
    case SP_SIG_PHI:
    case SP_SIG_VX:
    case SP_SIG_VY:
    case SP_SIG_OMEGA:
        return from->kin != NULL;
    case SP_SIG_GAP:
    case SP_SIG_GAMMA_N:
    case SP_SIG_GAMMA_T:
    case SP_SIG_LAMBDA_N:
    case SP_SIG_LAMBDA_T:
        return from->contact != NULL;
    default:
        return true;
    }
}

double sp_signal_value(const sp_signal *signal, const sp_signal_source *from)
{
    const int i = signal->index;
    if (!holds(from, signal->kind)) {
        return NAN;
    }
    switch (signal->kind) {
    case SP_SIG_TIME:
        return from->t;
    case SP_SIG_Q:
        return from->q[i];
    case SP_SIG_U:
        return from->u[i];
    case SP_SIG_PHI:
        return from->kin->frame[i].phi;
    case SP_SIG_OMEGA:
        return from->kin->frame[i].omega;
    case SP_SIG_MEASURE:
        return from->measure;
    case SP_SIG_RATE:
        return from->rate;
    case SP_SIG_KINETIC:
        return from->kinetic;
    case SP_SIG_POTENTIAL:
        return from->potential;
    default:
        break;
    }
    if (signal->kind <= SP_SIG_VY) { /* of a point of a body */
        const sp_frame *f = &from->kin->frame[i];
        const sp_vec x = sp_kin_place(f, sp_vec_of(signal->at)), v = sp_kin_velocity_at(f, x);
        return signal->kind == SP_SIG_X    ? x.x
               : signal->kind == SP_SIG_Y  ? x.y
               : signal->kind == SP_SIG_VX ? v.x
                                           : v.y;
    }
    const sp_contact_record *c = &from->contact[i];
    return signal->kind == SP_SIG_GAP        ? c->g_N
           : signal->kind == SP_SIG_GAMMA_N  ? c->gamma_N
           : signal->kind == SP_SIG_GAMMA_T  ? c->gamma_T
           : signal->kind == SP_SIG_LAMBDA_N ? c->lambda_N
                                             : c->lambda_T;
}

static void gather(const sp_func *f, const sp_signal_source *from, double *in)
{
    for (int k = 0; k < f->n_signal; k++) {
        in[k] = sp_signal_value(&f->signal[k], from);
    }
}

double sp_func_value(const sp_func *f, const sp_signal_source *from, double *in, double *work)
{
    if (!f->program) {
        return f->constant;
    }
    gather(f, from, in);
    return sp_program_value(f->program, in, work);
}

double sp_func_grad(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *work)
{
    if (!f->program) {
        return f->constant;
    }
    gather(f, from, in);
    return sp_program_grad(f->program, in, grad, work);
}
