/* contact/tangent_forces.c - force elements and springs of joints with their derivatives.
 * dynamics/forces.c and elements.c say what they do.   theory (3.8), (3.9), (3.40)-(3.46) */
#include "contact/tangent_parts.h"
#include "model/pulls.h"

static sp_vec3 unit(int k)
{
    return (sp_vec3){k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

/* ---- measures -------------------------------------------------------------------------------- */

sp_tangent_measure sp_tangent_measure_of(sp_tangent_look_at *l, const sp_force *f,
                                         const sp_force_numbers *n, bool by_points)
{
    sp_tangent *to = l->to;
    sp_tangent_measure x = {.rate = {0.0, 0.0}};
    if (by_points) {
        sp_dual3 v[2];
        for (int k = 0; k < 2; k++) {
            x.place[k] = sp_tangent_place(to, &n->mark[k]);
            v[k] = sp_tangent_velocity(to, f->body[k], x.place[k]);
        }
        x.d = sp_dual3_sub(x.place[1], x.place[0]);
        x.x = sp_dual3_length(x.d);
        if (x.x.v > 0.0) { /* rate = d.(v_1 - v_0)/|d| */
            const sp_dual dv = sp_dual3_inner(x.d, sp_dual3_sub(v[1], v[0]));
            x.rate = (sp_dual){dv.v / x.x.v, (dv.d - dv.v / x.x.v * x.x.d) / x.x.v};
        }
    } else {
        x.x = sp_tangent_gradient(l, &f->measure);
        for (int k = 0; k < f->measure.n_signal; k++) {
            const sp_dual slope = {to->grad[k], to->grad_d[k]};
            if (slope.v != 0.0 || slope.d != 0.0) {
                const sp_dual rate = sp_tangent_rate(l, &f->measure.signal[k]);
                x.rate = sp_dual_add(x.rate, sp_dual_mul(slope, rate));
            }
        }
    }
    l->measure = x.x;
    l->rate = x.rate;
    return x;
}

void sp_tangent_pull(const sp_tangent_look_at *l, const sp_force *f, bool by_points,
                     const sp_tangent_measure *x, sp_dual pull)
{
    sp_tangent *to = l->to;
    if (!by_points) { /* a law may have used the room of the gradient since */
        sp_tangent_gradient(l, &f->measure);
        for (int k = 0; k < f->measure.n_signal; k++) {
            const sp_dual slope = {-to->grad[k], -to->grad_d[k]};
            sp_tangent_pull_signal(l, &f->measure.signal[k], sp_dual_mul(pull, slope));
        }
        return;
    }
    /* force = pull d/|d|; where the points meet and nothing pulls it is the slope times d */
    const double length = x->x.v;
    sp_dual k = {length > 0.0 ? pull.v / length : 0.0, 0.0};
    k.d = length > 0.0 ? (pull.d - k.v * x->x.d) / length : 0.0;
    const sp_dual3 force = sp_dual3_times(k, x->d);
    sp_tangent_push(to, f->body[0], x->place[0], force);
    sp_tangent_push(to, f->body[1], x->place[1], sp_dual3_scale(-1.0, force));
}

/* ---- springs and applied forces -------------------------------------------------------------- */

/* Points that meet: a spring without rest length pulls by stiffness times d, any other has no
 * direction to pull in. */
static void pull_together(const sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n,
                          const sp_tangent_measure *x)
{
    const double k = n->rest == 0.0 && n->preload == 0.0 ? n->stiffness : 0.0;
    sp_tangent_push(l->to, f->body[0], x->place[0], sp_dual3_scale(k, x->d));
    sp_tangent_push(l->to, f->body[1], x->place[1], sp_dual3_scale(-k, x->d));
}

static void spring(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    const bool by_points = f->kind == SP_FORCE_SPRING_POINTS;
    const sp_tangent_measure x = sp_tangent_measure_of(l, f, n, by_points);
    const sp_dual stretch = {x.x.v - n->rest, x.x.d};
    sp_dual pull = sp_dual_scale(n->stiffness, stretch);
    pull = sp_dual_add(pull, sp_dual_scale(n->damping, x.rate));
    pull.v += n->preload;
    if (f->has_law) {
        pull = sp_dual_add(pull, sp_tangent_value(l, &f->law[0]));
    }
    if (by_points && !(x.x.v > 0.0)) {
        pull_together(l, f, n, &x);
    } else {
        sp_tangent_pull(l, f, by_points, &x, pull);
    }
}

/* The three expressions of an element as a vector. */
static sp_dual3 law_vector(const sp_tangent_look_at *l, const sp_force *f)
{
    const sp_dual a[3] = {sp_tangent_value(l, &f->law[0]), sp_tangent_value(l, &f->law[1]),
                          sp_tangent_value(l, &f->law[2])};
    const sp_dual3 v = {{a[0].v, a[1].v, a[2].v}, {a[0].d, a[1].d, a[2].d}};
    return f->own_frame ? sp_dual_rotate(l->to->body[f->body[0]].R, v) : v;
}

/* Beyond a limit the force does not change any more. */
static sp_dual limited(sp_dual x, double limit)
{
    return x.v > limit ? sp_dual_of(limit) : x.v < -limit ? sp_dual_of(-limit) : x;
}

static void applied(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    if (f->kind == SP_FORCE_FORCE) {
        const sp_dual3 x = sp_tangent_place(l->to, &n->mark[0]);
        sp_tangent_push(l->to, f->body[0], x, law_vector(l, f));
    } else if (f->kind == SP_FORCE_TORQUE && l->m->dim == 3) {
        sp_tangent_twist(l->to, f->body[0], law_vector(l, f));
    } else if (f->kind == SP_FORCE_TORQUE) {
        const sp_dual m = sp_tangent_value(l, &f->law[0]);
        sp_tangent_twist(l->to, f->body[0], (sp_dual3){{0.0, 0.0, m.v}, {0.0, 0.0, m.d}});
    } else { /* drive */
        sp_tangent_on_dof(l->to, f->dof, limited(sp_tangent_value(l, &f->law[0]), n->limit));
    }
}

/* ---- pulls, drag, motor, gravity ------------------------------------------------------------- */

static void pull(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    const sp_tangent_measure x = sp_tangent_measure_of(l, f, n, f->by_points);
    const sp_pull p = f->pull->at(n, x.x.v, x.rate.v);
    const sp_dual force = {p.force, p.d_x * x.x.d + p.d_v * x.rate.d};
    sp_tangent_pull(l, f, f->by_points, &x, force);
}

static void drag(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    const sp_dual3 x = sp_tangent_place(l->to, &n->mark[0]);
    sp_dual3 w = sp_tangent_velocity(l->to, f->body[0], x);
    if (f->has_law) {
        w = sp_dual3_sub(w, law_vector(l, f));
    }
    sp_dual k = sp_dual_scale(n->drag, sp_dual3_length(w));
    k.v += n->damping;
    sp_tangent_push(l->to, f->body[0], x, sp_dual3_scale(-1.0, sp_dual3_times(k, w)));
}

static void motor(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    const int i = l->m->dof[f->dof].q;
    const sp_dual x = {l->at->q[i], l->to->dq[f->dof]};
    const sp_dual v = {l->at->u[f->dof], l->to->du[f->dof]};
    const sp_dual e_rate = sp_dual_sub(sp_tangent_value(l, &f->law[1]), v);
    const sp_dual e = f->by_rate ? e_rate : sp_dual_sub(sp_tangent_value(l, &f->law[0]), x);
    sp_dual want = sp_dual_add(sp_dual_scale(n->motor.P, e), sp_tangent_value(l, &f->law[2]));
    want = sp_dual_add(want, sp_dual_scale(f->by_rate ? 0.0 : n->motor.D, e_rate));
    want.v += f->aux != SP_NONE && l->at->z ? n->motor.I * l->at->z[f->aux] : 0.0;
    sp_tangent_on_dof(l->to, f->dof, limited(want, n->limit));
}

static void gravity(sp_tangent_look_at *l, const sp_force *f)
{
    const sp_dual3 g = law_vector(l, f);
    for (int i = 1; i < l->m->n_body; i++) {
        const sp_tangent_body *b = &l->to->body[i];
        sp_tangent_push(l->to, i, sp_dual3_add(b->x, b->c),
                        sp_dual3_scale(l->num->body[i].mass, g));
    }
}

/* ---- bushing --------------------------------------------------------------------------------- */

static sp_dual3 times(const double *k, sp_dual3 a)
{
    return (sp_dual3){{k[0] * a.v.x, k[1] * a.v.y, k[2] * a.v.z},
                      {k[0] * a.d.x, k[1] * a.d.y, k[2] * a.d.z}};
}

static void bushing(sp_tangent_look_at *l, const sp_force *f, const sp_force_numbers *n)
{
    sp_tangent *to = l->to;
    sp_dual_rot R[2];
    sp_dual3 place[2];
    for (int k = 0; k < 2; k++) {
        const sp_dual_rot body = to->body[f->body[k]].R;
        R[k] = (sp_dual_rot){sp_rot3_mul(body.R, sp_rot3_of(n->mark[k].axes)), body.theta};
        place[k] = sp_tangent_place(to, &n->mark[k]);
    }
    const sp_dual3 x = sp_dual_rotate_back(R[0], sp_dual3_sub(place[1], place[0]));
    sp_dual3 theta = {.v = sp_quat_log(sp_quat_of_rot3(sp_rot3_mul_back(R[0].R, R[1].R)))};
    const sp_vec3 turn = sp_rotate_back3(R[1].R, sp_sub3(R[1].theta, R[0].theta));
    theta.d = sp_log_rate(theta.v, turn, 1.0);
    const sp_dual3 v = sp_dual3_sub(sp_tangent_velocity(to, f->body[1], place[1]),
                                    sp_tangent_velocity(to, f->body[0], place[1]));
    const sp_dual3 spin = sp_dual3_sub(to->body[f->body[1]].omega, to->body[f->body[0]].omega);
    const sp_dual3 theta_rate = sp_dual_log_rate(theta, sp_dual_rotate_back(R[1], spin), 1.0);
    const sp_dual3 force = sp_dual3_add(times(n->bushing.stiffness, x),
                                        times(n->bushing.damping, sp_dual_rotate_back(R[0], v)));
    const sp_dual3 moment = sp_dual3_add(times(n->bushing.stiffness + 3, theta),
                                         times(n->bushing.damping + 3, theta_rate));
    const sp_dual3 F = sp_dual_rotate(R[0], force);
    const sp_dual3 M = sp_dual_rotate(R[1], sp_dual_log_rate(theta, moment, -1.0));
    sp_tangent_push(to, f->body[0], place[1], F);
    sp_tangent_push(to, f->body[1], place[1], sp_dual3_scale(-1.0, F));
    sp_tangent_twist(to, f->body[0], M);
    sp_tangent_twist(to, f->body[1], sp_dual3_scale(-1.0, M));
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Spring and damper in the joint at degree of freedom k; of a ball on one component of its rotation
 * vector. */
static void joint_spring(sp_tangent_look_at *l, int k)
{
    const sp_dof *dof = &l->m->dof[k];
    const sp_dof_numbers *n = &l->num->dof[k];
    sp_tangent *to = l->to;
    const double *q = l->at->q + dof->q;
    sp_tangent_on_dof(to, k, (sp_dual){-n->damping * l->at->u[k], -n->damping * to->du[k]});
    if (dof->move != SP_MOVE_BALL) {
        sp_tangent_on_dof(to, k,
                          (sp_dual){-n->stiffness * (*q - n->rest), -n->stiffness * to->dq[k]});
        return;
    }
    sp_dual3 angle = {.v = sp_quat_log(sp_quat_unit(sp_quat_of(q)))};
    angle.d = sp_log_rate(angle.v, sp_vec3_of(to->dq + k - dof->part), 1.0);
    sp_dual pull = sp_dual3_part(angle, dof->part);
    pull.v -= n->rest;
    pull = sp_dual_scale(n->stiffness, pull);
    const sp_dual3 along = sp_dual3_times(pull, sp_dual3_of(unit(dof->part)));
    const sp_dual3 moment = sp_dual_log_rate(angle, along, -1.0);
    for (int j = 0; j < 3; j++) {
        sp_tangent_on_dof(to, k - dof->part + j, sp_dual_scale(-1.0, sp_dual3_part(moment, j)));
    }
}

void sp_tangent_forces(sp_tangent_look_at *l)
{
    for (int i = 0; i < l->m->layout.n_spring; i++) {
        joint_spring(l, l->m->layout.spring[i]);
    }
    for (int i = 0; i < l->m->n_force; i++) {
        const sp_force *f = &l->m->force[i];
        const sp_force_numbers *n = &l->num->force[i];
        switch (f->kind) {
        case SP_FORCE_SPRING_POINTS:
        case SP_FORCE_SPRING_MEASURE:
            spring(l, f, n);
            break;
        case SP_FORCE_PULL:
            pull(l, f, n);
            break;
        case SP_FORCE_BUSHING:
            bushing(l, f, n);
            break;
        case SP_FORCE_DRAG:
            drag(l, f, n);
            break;
        case SP_FORCE_MOTOR:
            motor(l, f, n);
            break;
        case SP_FORCE_GRAVITY:
            gravity(l, f);
            break;
        default:
            applied(l, f, n);
            break;
        }
    }
}
