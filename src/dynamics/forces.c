/* dynamics/forces.c - springs, dampers, applied forces, torques and drives. */
#include "dynamics/dyn.h"

/* A force at world place x of a body joins the body's wrench. */
static void push(const sp_kin *kin, int body, sp_vec x, sp_vec force, sp_wrench *w)
{
    w[body].f = sp_add(w[body].f, force);
    w[body].m += sp_cross(sp_add(kin->frame[body].own, sp_sub(x, kin->frame[body].x)), force);
}

/* Two points of a spring: where they are, how far apart, how fast that grows. */
typedef struct link_geometry {
    sp_vec x[2], direction; /* direction from 0 to 1, zero if the points coincide */
    double length, rate;
} link_geometry;

static link_geometry between_points(const sp_force *f, const sp_force_numbers *n, const sp_kin *kin)
{
    link_geometry g;
    sp_vec v[2];
    for (int k = 0; k < 2; k++) {
        const sp_frame *frame = &kin->frame[f->body[k]];
        g.x[k] = sp_kin_place(frame, sp_vec_of(n->at[k]));
        v[k] = sp_kin_velocity_at(frame, g.x[k]);
    }
    const sp_vec d = sp_sub(g.x[1], g.x[0]);
    g.length = sp_length(d);
    g.direction = g.length > 0.0 ? sp_scale(1.0 / g.length, d) : (sp_vec){0.0, 0.0};
    g.rate = sp_inner(g.direction, sp_sub(v[1], v[0]));
    return g;
}

/* A spring whose measure depends on time moves by itself and feeds energy in: it has no potential,
 * all of its work is applied. */
static bool is_driven(const sp_force *f)
{
    for (int k = 0; k < f->measure.n_signal; k++) {
        if (f->measure.signal[k].kind == SP_SIG_TIME) {
            return true;
        }
    }
    return false;
}

/* The pull of a spring by shares: stiffness, damping, or its law.   theory (3.8) */
static void pull(const sp_force *f, const sp_force_numbers *n, sp_signal_source *from, sp_dyn *dyn,
                 double force[SP_SHARES])
{
    force[SP_CONSERVATIVE] = n->stiffness * (from->measure - n->rest);
    force[SP_DAMPERS] = n->damping * from->rate;
    force[SP_APPLIED] = f->has_law ? sp_func_value(&f->law[0], from, dyn->in, dyn->work) : 0.0;
    if (is_driven(f)) {
        force[SP_APPLIED] += force[SP_CONSERVATIVE] + force[SP_DAMPERS];
        force[SP_CONSERVATIVE] = force[SP_DAMPERS] = 0.0;
    }
}

static void spring_points(const sp_force *f, const sp_force_numbers *n, sp_signal_source *from,
                          sp_dyn *dyn)
{
    const link_geometry g = between_points(f, n, from->kin);
    double force[SP_SHARES];
    from->measure = g.length;
    from->rate = g.rate;
    pull(f, n, from, dyn, force);
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s] && force[s] != 0.0) {
            push(from->kin, f->body[0], g.x[0], sp_scale(force[s], g.direction), dyn->wrench[s]);
            push(from->kin, f->body[1], g.x[1], sp_scale(-force[s], g.direction), dyn->wrench[s]);
        }
    }
}

/* Rate of a position signal. */
static double signal_rate(const sp_signal *signal, const sp_signal_source *from)
{
    sp_signal rate = *signal;
    switch (signal->kind) {
    case SP_SIG_TIME:
        return 1.0;
    case SP_SIG_Q:
        rate.kind = SP_SIG_U;
        break;
    case SP_SIG_X:
        rate.kind = SP_SIG_VX;
        break;
    case SP_SIG_Y:
        rate.kind = SP_SIG_VY;
        break;
    default:
        rate.kind = SP_SIG_OMEGA;
        break;
    }
    return sp_signal_value(&rate, from);
}

/* The force conjugate to one signal: on a coordinate, at a point, or a moment. */
static void push_signal(const sp_signal *signal, const sp_kin *kin, double force, sp_wrench *w,
                        double *h)
{
    const sp_frame *f = &kin->frame[signal->index];
    switch (signal->kind) {
    case SP_SIG_Q:
        h[signal->index] += force;
        break;
    case SP_SIG_X:
        push(kin, signal->index, sp_kin_place(f, sp_vec_of(signal->at)), (sp_vec){force, 0.0}, w);
        break;
    case SP_SIG_Y:
        push(kin, signal->index, sp_kin_place(f, sp_vec_of(signal->at)), (sp_vec){0.0, force}, w);
        break;
    case SP_SIG_PHI:
        w[signal->index].m += force;
        break;
    default: /* time */
        break;
    }
}

/* Measure and rate of a spring on an expression: x(q), x' = sum dx/ds_k s_k'.  grad in dyn->grad.
 */
static void measure(const sp_force *f, sp_signal_source *from, sp_dyn *dyn)
{
    const double x = sp_func_grad(&f->measure, from, dyn->in, dyn->grad, dyn->work);
    from->rate = 0.0;
    for (int k = 0; k < f->measure.n_signal; k++) {
        from->rate += dyn->grad[k] * signal_rate(&f->measure.signal[k], from);
    }
    from->measure = x;
}

static void spring_measure(const sp_force *f, const sp_force_numbers *n, sp_signal_source *from,
                           sp_dyn *dyn)
{
    double force[SP_SHARES];
    measure(f, from, dyn);
    pull(f, n, from, dyn, force);
    for (int s = 0; s < SP_SHARES; s++) {
        for (int k = 0; k < f->measure.n_signal && dyn->acts[s]; k++) {
            push_signal(&f->measure.signal[k], from->kin, -force[s] * dyn->grad[k], dyn->wrench[s],
                        dyn->h[s]);
        }
    }
}

/* Applied forces, torques and drives: the value of their expressions.   theory (3.9) */
static void applied(const sp_force *f, const sp_force_numbers *n, const sp_signal_source *from,
                    sp_dyn *dyn)
{
    const sp_frame *frame = &from->kin->frame[f->body[0]];
    double value[2] = {sp_func_value(&f->law[0], from, dyn->in, dyn->work), 0.0};
    switch (f->kind) {
    case SP_FORCE_FORCE: {
        value[1] = sp_func_value(&f->law[1], from, dyn->in, dyn->work);
        const sp_vec force =
            f->own_frame ? sp_rotate(frame->R, sp_vec_of(value)) : sp_vec_of(value);
        push(from->kin, f->body[0], sp_kin_place(frame, sp_vec_of(n->at[0])), force,
             dyn->wrench[SP_APPLIED]);
        break;
    }
    case SP_FORCE_TORQUE:
        dyn->wrench[SP_APPLIED][f->body[0]].m += value[0];
        break;
    default: /* drive */
        if (value[0] > n->limit) {
            value[0] = n->limit;
        } else if (value[0] < -n->limit) {
            value[0] = -n->limit;
        }
        dyn->h[SP_APPLIED][f->dof] += value[0];
        break;
    }
}

void sp_dyn_force_elements(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                           const double *q, const double *u, sp_dyn *dyn)
{
    for (int i = 0; i < m->layout.n_spring; i++) {
        const int k = m->layout.spring[i];
        const sp_dof_numbers *n = &num->dof[k];
        dyn->h[SP_CONSERVATIVE][k] -= n->stiffness * (q[k] - n->rest);
        if (n->damping != 0.0) {
            dyn->h[SP_DAMPERS][k] -= n->damping * u[k];
        }
    }
    sp_signal_source from = {.kin = kin, .q = q, .u = u, .t = t};
    for (int i = 0; i < m->n_force; i++) {
        const sp_force *f = &m->force[i];
        const sp_force_numbers *n = &num->force[i];
        if (f->kind == SP_FORCE_SPRING_POINTS) {
            spring_points(f, n, &from, dyn);
        } else if (f->kind == SP_FORCE_SPRING_MEASURE) {
            spring_measure(f, n, &from, dyn);
        } else {
            applied(f, n, &from, dyn);
        }
    }
}

double sp_dyn_spring_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                            const double *q, const double *u, sp_dyn *dyn)
{
    double V = 0.0;
    for (int i = 0; i < m->layout.n_spring; i++) {
        const int k = m->layout.spring[i];
        const double x = q[k] - num->dof[k].rest;
        V += 0.5 * num->dof[k].stiffness * x * x;
    }
    sp_signal_source from = {.kin = kin, .q = q, .u = u, .t = t};
    for (int i = 0; i < m->n_force; i++) {
        const sp_force *f = &m->force[i];
        const sp_force_numbers *n = &num->force[i];
        if (n->stiffness == 0.0 || f->kind > SP_FORCE_SPRING_MEASURE || is_driven(f)) {
            continue;
        }
        const double x = f->kind == SP_FORCE_SPRING_POINTS
                             ? between_points(f, n, kin).length
                             : sp_func_value(&f->measure, &from, dyn->in, dyn->work);
        V += 0.5 * n->stiffness * (x - n->rest) * (x - n->rest);
    }
    return V;
}

double sp_dyn_potential(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                        const double *q, const double *u, sp_dyn *dyn)
{
    double V = 0.0;
    const sp_vec g = sp_vec_of(num->gravity);
    for (int i = 1; i < m->n_body; i++) {
        const sp_frame *f = &kin->frame[i];
        V -= num->body[i].mass * sp_inner(g, sp_add(f->x, f->c));
    }
    return V + sp_dyn_spring_energy(m, num, kin, t, q, u, dyn);
}
