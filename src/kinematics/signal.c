#include "kinematics/signal.h"

#include "kinematics/algebra_real.h"
#include "model/aspect.h"

#include <math.h>

#include "kinematics/signal.inc"

/* Acceleration of a point of a body; on one that deforms by its own u', too.   theory (2.27) */
static sp_vec3 point_acceleration(const sp_signal *signal, const sp_signal_source *from)
{
    const sp_spot s = sp_spot_of(from->kin, &signal->mark);
    const sp_vec3 omega = sp_spot_frame_spin(from->kin, s.body);
    const sp_vec3 turn = sp_cross3(from->loads->alpha[s.body], s.r);
    const sp_vec3 a = sp_add3(from->loads->acc[s.body], sp_add3(turn, sp_spin_twice3(omega, s.r)));
    return s.bends ? sp_flex_bias(from->kin, &s, omega, a, from->loads->a) : a;
}

/* What the forces of the frame come to. */
static double load_signal(const sp_signal *signal, const sp_signal_source *from, sp_aspect a)
{
    const sp_loads *l = from->loads;
    const sp_vec3 *const vectors[] = {l->alpha, l->force, l->moment, l->loop_force, l->loop_moment};
    switch (a.load) {
    case SP_LOAD_ACCELERATION:
        return part(point_acceleration(signal, from), a.part);
    case SP_LOAD_VECTOR:
        return part(vectors[a.which][signal->index], a.part);
    case SP_LOAD_ROW:
        return l->row[signal->index];
    case SP_LOAD_ELEMENT:
        return l->element[signal->index][a.part];
    case SP_LOAD_SHAPE:
        return sp_flex_part(from->kin, &signal->mark, a.which == 1, a.part);
    }
    return NAN;
}

/* What a contact has: of tangential ones in space the sizes, or one component. */
static double contact_signal(const sp_signal *signal, const sp_contact_record *c, int which)
{
    const double all[] = {c->g_N, c->gamma_N, c->gamma_T, c->lambda_N, c->lambda_T};
    const int k = signal->dof - 1;
    return k < 0 ? all[which] : signal->kind == SP_SIG_GAMMA_T ? c->gamma_t[k] : c->lambda_t[k];
}

double sp_signal_value(const sp_signal *signal, const sp_signal_source *from)
{
    const int i = signal->index;
    const sp_aspect a = sp_aspect_of(signal->kind);
    switch (a.from) {
    case SP_FROM_TIME:
        return from->t;
    case SP_FROM_CLOCK:
        break;
    case SP_FROM_Q:
        return from->q ? from->q[i] : NAN;
    case SP_FROM_U:
        return from->u ? from->u[i] : NAN;
    case SP_FROM_STATE:
        return from->z ? from->z[i] : NAN;
    case SP_FROM_BODY: /* angles of bodies are there in the plane only */
        return from->kin && (a.of != SP_ASPECT_ANGLE || from->kin->frame)
                   ? body_signal(from, signal, a)
                   : NAN;
    case SP_FROM_MEASURE:
        return a.part == 0 ? from->measure : from->rate;
    case SP_FROM_CONTACT:
        return from->contact ? contact_signal(signal, &from->contact[i], a.part) : NAN;
    case SP_FROM_ENERGY:
        return a.part == 0 ? from->kinetic : from->potential;
    case SP_FROM_LOADS:
        return from->kin && from->loads ? load_signal(signal, from, a) : NAN;
    }
    return NAN;
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
        in[k] = s->kind == SP_SIG_Q && from->q ? from->q[s->index]
                : s->kind == SP_SIG_TIME       ? from->t
                : s->kind == SP_SIG_CLOCK      ? clock_value(s, from, work)
                                               : sp_signal_value(s, from);
    }
}

const sp_held *sp_func_hold(const sp_func *f, sp_kink *kink, sp_held *hold)
{
    if (!kink || f->n_kink == 0) {
        return NULL;
    }
    *hold = (sp_held){f->n_kink, f->kink_instr, kink + f->first_kink};
    return hold;
}

double sp_func_value(const sp_func *f, const sp_signal_source *from, double *in, double *work)
{
    sp_held room;
    if (!f->program) {
        return f->constant;
    }
    gather(f, from, in, work);
    const sp_held *hold = sp_func_hold(f, from->kink, &room);
    const double value = hold ? sp_program_held(f->program, in, work, hold) : NAN;
    return isnan(value) ? sp_program_value(f->program, in, work) : value; /* theory (64.32) */
}

double sp_func_grad(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *work)
{
    if (!f->program) {
        return f->constant;
    }
    sp_held room;
    gather(f, from, in, work);
    const sp_held *hold = sp_func_hold(f, from->kink, &room);
    const double value = sp_program_held_grad(f->program, in, grad, work, hold);
    return hold && isnan(value) ? sp_program_grad(f->program, in, grad, work) : value;
}

double sp_func_hess(const sp_func *f, const sp_signal_source *from, double *in, double *grad,
                    double *hess, double *work)
{
    if (!f->program) {
        return f->constant;
    }
    sp_held room;
    gather(f, from, in, work);
    const sp_held *hold = sp_func_hold(f, from->kink, &room);
    const double value = sp_program_held_hess(f->program, in, grad, hess, work, hold);
    return hold && isnan(value) ? sp_program_hess(f->program, in, grad, hess, work) : value;
}
