/* dynamics/elements.c - pulls, bushings, drag, motors and gravity by expressions.
 * theory (3.42)-(3.46) */
#include "dynamics/forces.h"
#include "model/pulls.h"

#include <assert.h>

/* ---- pulls ----------------------------------------------------------------------------------- */

/* An element on a measure, by its row.   theory (3.42), (3.43) */
static void pull(const sp_acting *a)
{
    const sp_pull_law *law = a->f->pull;
    const bool by_points = a->f->by_points;
    const sp_measure x = sp_force_measure(a, by_points);
    const sp_share own = law->damps ? SP_DAMPERS : SP_CONSERVATIVE;
    sp_force_pull(a, by_points, &x, law->at(a->n, x.x, x.rate).force,
                  sp_force_is_driven(a->f) ? SP_APPLIED : own);
}

/* ---- bushing --------------------------------------------------------------------------------- */

/* Both frames of a bushing: their axes, displacement in the first frame's axes, rotation
 * vector between them. */
typedef struct frames {
    sp_rot3 R[2];
    sp_spot at[2]; /* body 1 at its frame, body 0 joined to the same place */
    sp_vec3 x, theta;
} frames;

static frames frames_of(const sp_force_numbers *n, const sp_kin *kin)
{
    frames b;
    for (int k = 0; k < 2; k++) {
        b.at[k] = sp_spot_of(kin, &n->mark[k]);
        b.R[k] = sp_spot_mark_axes(kin, &b.at[k], &n->mark[k]);
    }
    b.x = sp_rotate_back3(b.R[0], sp_sub3(b.at[1].x, b.at[0].x));
    b.at[0] = sp_spot_arm(kin, &b.at[0], b.at[1].x);
    b.theta = sp_quat_log(sp_quat_of_rot3(sp_rot3_mul_back(b.R[0], b.R[1])));
    return b;
}

/* Component by component. */
static sp_vec3 times(const double *k, sp_vec3 a)
{
    return (sp_vec3){k[0] * a.x, k[1] * a.y, k[2] * a.z};
}

/* Force on the second body at its point and moment on it, world axes; their opposites on the first
 * body, the force at the same place, so that x' is the rate of x.   theory (3.44) */
static void bushing_act(const sp_acting *a, const frames *b, sp_vec3 force, sp_vec3 moment,
                        sp_share share)
{
    const sp_vec3 f = sp_rotate3(b->R[0], force);
    const sp_vec3 m = sp_rotate3(b->R[1], sp_log_rate(b->theta, moment, -1.0));
    if (!a->dyn->acts[share]) {
        return;
    }
    sp_force_push(a, &b->at[1], f, share);
    sp_force_push(a, &b->at[0], sp_scale3(-1.0, f), share);
    sp_force_twist(a, &b->at[1], m, share);
    sp_force_twist(a, &b->at[0], sp_scale3(-1.0, m), share);
}

static void bushing(const sp_acting *a)
{
    const sp_bushing_numbers *n = &a->n->bushing;
    const sp_kin *kin = a->from->kin;
    const frames b = frames_of(a->n, kin);
    const sp_vec3 v = sp_sub3(sp_spot_velocity(kin, &b.at[1]), sp_spot_velocity(kin, &b.at[0]));
    const sp_vec3 spin = sp_sub3(sp_spot_spin(kin, &b.at[1]), sp_spot_spin(kin, &b.at[0]));
    const sp_vec3 x_rate = sp_rotate_back3(b.R[0], v);
    const sp_vec3 theta_rate = sp_log_rate(b.theta, sp_rotate_back3(b.R[1], spin), 1.0);
    const sp_vec3 f = times(n->stiffness, b.x), f_d = times(n->damping, x_rate);
    const sp_vec3 m = times(n->stiffness + 3, b.theta), m_d = times(n->damping + 3, theta_rate);
    a->out->force = sp_length3(sp_add3(f, f_d));
    a->out->moment = sp_length3(sp_add3(m, m_d));
    bushing_act(a, &b, sp_scale3(-1.0, f), sp_scale3(-1.0, m), SP_CONSERVATIVE);
    bushing_act(a, &b, sp_scale3(-1.0, f_d), sp_scale3(-1.0, m_d), SP_DAMPERS);
}

double sp_force_bushing_energy(const sp_force_numbers *n, const sp_kin *kin)
{
    const frames b = frames_of(n, kin);
    return 0.5 * (sp_inner3(b.x, times(n->bushing.stiffness, b.x)) +
                  sp_inner3(b.theta, times(n->bushing.stiffness + 3, b.theta)));
}

/* ---- drag ------------------------------------------------------------------------------------ */

/* Against the velocity w of a point through the air: F = -(d + c |w|) w.  In wind it is an applied
 * force.   theory (3.45) */
static void drag(const sp_acting *a)
{
    const sp_kin *kin = a->from->kin;
    const sp_spot s = sp_spot_of(kin, &a->n->mark[0]);
    sp_vec3 w = sp_spot_velocity(kin, &s);
    if (a->f->has_law) {
        w = sp_sub3(w, (sp_vec3){sp_force_law(a, 0), sp_force_law(a, 1), sp_force_law(a, 2)});
    }
    const double speed = sp_length3(w), k = a->n->damping + a->n->drag * speed;
    a->out->rate = speed;
    a->out->force = k * speed;
    sp_force_push(a, &s, sp_scale3(-k, w), a->f->has_law ? SP_APPLIED : SP_DAMPERS);
}

/* ---- motor ----------------------------------------------------------------------------------- */

/* P e + D e' + I z within the limit; the integral z waits while it would only push further beyond
 * the limit.   theory (3.46) */
static void motor(const sp_model *m, const sp_acting *a)
{
    const sp_force *f = a->f;
    const sp_motor_numbers *n = &a->n->motor;
    const double x = a->from->q[m->dof[f->dof].q], v = a->from->u[f->dof];
    const double e_rate = sp_force_law(a, 1) - v, e = f->by_rate ? e_rate : sp_force_law(a, 0) - x;
    const double z = f->aux != SP_NONE && a->dyn->z ? a->dyn->z[f->aux] : 0.0;
    const double want =
        n->P * e + (f->by_rate ? 0.0 : n->D * e_rate) + n->I * z + sp_force_law(a, 2);
    const double force = sp_force_limited(want, a->n->limit);
    const bool waits = force != want && n->I * e * want > 0.0;
    if (f->aux != SP_NONE && a->dyn->z_rate) {
        a->dyn->z_rate[f->aux] = waits ? 0.0 : e;
    }
    a->out->measure = x;
    a->out->rate = v;
    a->out->force = force;
    sp_force_on_dof(a, f->dof, force, SP_APPLIED);
}

/* ---- gravity --------------------------------------------------------------------------------- */

/* Weight of all bodies in a field that changes with time: an applied force. */
static void gravity(const sp_model *m, const sp_numbers *num, const sp_acting *a)
{
    const sp_kin *kin = a->from->kin;
    assert(!m->layout.mixed); /* the weight of a body that deforms acts on its shape, too */
    const sp_vec3 g = {sp_force_law(a, 0), sp_force_law(a, 1), sp_force_law(a, 2)};
    for (int i = 1; i < m->n_body; i++) {
        const sp_vec3 x = sp_add3(sp_spot_origin(kin, i).x, sp_spot_center(kin, i));
        const sp_spot center = sp_spot_on(kin, i, x);
        sp_force_push(a, &center, sp_scale3(num->body[i].mass, g), SP_APPLIED);
    }
}

void sp_force_element(const sp_model *m, const sp_numbers *num, const sp_acting *a)
{
    switch (a->f->kind) {
    case SP_FORCE_PULL:
        pull(a);
        break;
    case SP_FORCE_BUSHING:
        bushing(a);
        break;
    case SP_FORCE_DRAG:
        drag(a);
        break;
    case SP_FORCE_MOTOR:
        motor(m, a);
        break;
    default:
        gravity(m, num, a);
        break;
    }
}
