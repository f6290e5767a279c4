#include "kinematics/signal.h"

#include "kinematics/spot.h"

#include <math.h>

/* Motion of a body that only space has names for. */
static bool of_space(sp_signal_kind kind)
{
    return kind >= SP_SIG_Z && kind <= SP_SIG_EZ_Z;
}

/* What the source must hold for a signal to have a value. */
static bool holds(const sp_signal_source *from, sp_signal_kind kind)
{
    if (of_space(kind)) {
        return from->kin != NULL;
    }
    if (kind >= SP_SIG_AX) {
        return from->kin != NULL && from->loads != NULL;
    }
    switch (kind) {
    case SP_SIG_Q:
        return from->q != NULL;
    case SP_SIG_U:
        return from->u != NULL;
    case SP_SIG_X:
    case SP_SIG_Y:
    case SP_SIG_VX:
    case SP_SIG_VY:
        return from->kin != NULL;
    case SP_SIG_PHI: /* angles of bodies are there in the plane only */
    case SP_SIG_OMEGA:
        return from->kin != NULL && from->kin->frame != NULL;
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

/* One component of a vector. */
static double part(sp_vec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* Place or velocity of a point of a body, its spin, or an entry of its axes. */
static double of_body(const sp_signal *signal, const sp_kin *kin)
{
    const int kind = (int)signal->kind;
    const sp_spot s = sp_spot_of(kin, &signal->mark);
    if (kind >= SP_SIG_EX_X) {
        const sp_rot3 R = sp_spot_axes(kin, &s);
        const int axis = (kind - SP_SIG_EX_X) / 3;
        return part(axis == 0 ? R.x : axis == 1 ? R.y : R.z, (kind - SP_SIG_EX_X) % 3);
    }
    if (kind >= SP_SIG_OMEGA_OWN_X) {
        const sp_vec3 own = sp_rotate_back3(sp_spot_axes(kin, &s), sp_spot_spin(kin, &s));
        return part(own, kind - SP_SIG_OMEGA_OWN_X);
    }
    if (kind >= SP_SIG_OMEGA_X) {
        return part(sp_spot_spin(kin, &s), kind - SP_SIG_OMEGA_X);
    }
    switch (signal->kind) {
    case SP_SIG_X:
        return s.x.x;
    case SP_SIG_Y:
        return s.x.y;
    case SP_SIG_Z:
        return s.x.z;
    default:
        break;
    }
    const sp_vec3 v = sp_spot_velocity(kin, &s);
    return signal->kind == SP_SIG_VX ? v.x : signal->kind == SP_SIG_VY ? v.y : v.z;
}

/* Acceleration of a point of a body. */
static sp_vec3 point_acceleration(const sp_signal *signal, const sp_signal_source *from)
{
    const sp_spot s = sp_spot_of(from->kin, &signal->mark);
    const sp_vec3 turn = sp_cross3(from->loads->alpha[s.body], s.r);
    const sp_vec3 inward = sp_spin_twice3(sp_spot_spin(from->kin, &s), s.r);
    return sp_add3(from->loads->acc[s.body], sp_add3(turn, inward));
}

/* What the forces of the frame come to. */
static double of_loads(const sp_signal *signal, const sp_signal_source *from)
{
    const sp_loads *l = from->loads;
    const int i = signal->index, kind = (int)signal->kind;
    if (kind >= SP_SIG_ELEMENT_MEASURE) {
        return l->element[i][kind - SP_SIG_ELEMENT_MEASURE];
    }
    if (kind == SP_SIG_ROW) {
        return l->row[i];
    }
    if (kind <= SP_SIG_AZ) {
        return part(point_acceleration(signal, from), kind - SP_SIG_AX);
    }
    const sp_vec3 *const vectors[] = {l->alpha, l->force, l->moment, l->loop_force, l->loop_moment};
    const int k = kind - SP_SIG_ALPHA_X;
    return part(vectors[k / 3][i], k % 3);
}

double sp_signal_value(const sp_signal *signal, const sp_signal_source *from)
{
    const int i = signal->index;
    if (!holds(from, signal->kind)) {
        return NAN;
    }
    if (signal->kind >= SP_SIG_AX) {
        return of_loads(signal, from);
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
    if (signal->kind <= SP_SIG_VY || of_space(signal->kind)) {
        return of_body(signal, from->kin);
    }
    const sp_contact_record *c = &from->contact[i];
    if (signal->dof > 0) {
        return signal->kind == SP_SIG_GAMMA_T ? c->gamma_t[signal->dof - 1]
                                              : c->lambda_t[signal->dof - 1];
    }
    return signal->kind == SP_SIG_GAP        ? c->g_N
           : signal->kind == SP_SIG_GAMMA_N  ? c->gamma_N
           : signal->kind == SP_SIG_GAMMA_T  ? c->gamma_T
           : signal->kind == SP_SIG_LAMBDA_N ? c->lambda_N
                                             : c->lambda_T;
}

/* A part of time alone at t, or its mean over the step. */
static double clock_value(const sp_signal *s, const sp_signal_source *from, double *work)
{
    const double mean = from->mean ? from->mean[s->index] : NAN;
    return isnan(mean) ? sp_program_value(s->clock, &from->t, work) : mean;
}

static void gather(const sp_func *f, const sp_signal_source *from, double *in, double *work)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        in[k] = s->kind == SP_SIG_CLOCK ? clock_value(s, from, work) : sp_signal_value(s, from);
    }
}

double sp_func_value(const sp_func *f, const sp_signal_source *from, double *in, double *work)
{
    if (!f->program) {
        return f->constant;
    }
    gather(f, from, in, work);
    return from->kink && f->n_kink > 0 ? sp_program_held(f->program, in, work, f->n_kink,
                                                         f->kink_instr, from->kink + f->first_kink)
                                       : sp_program_value(f->program, in, work);
}

double sp_func_grad(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *work)
{
    if (!f->program) {
        return f->constant;
    }
    gather(f, from, in, work);
    return sp_program_grad(f->program, in, grad, work);
}
