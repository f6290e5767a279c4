/* dynamics/implicit_rows.c - stiffness and damping of force elements and joints by rows of their
 * measures, those of bodies that deform as blocks.   theory (71.1) */
#include "base/worse.h"
#include "dynamics/implicit.h"

#include "kinematics/algebra_real.h"
#include "kinematics/kind.h"
#include "model/aspect.h"
#include "model/pulls.h"

#include <math.h>
#include <string.h>

#include "dynamics/tyre.inc"

/* A cell that is filled. */
typedef struct filling {
    const sp_model *m;
    const sp_numbers *num;
    const sp_force *f;
    const sp_force_numbers *n;
    sp_signal_source *from;
    sp_dyn *dyn;
    sp_implicit_cell *cell;
} filling;

/* What a unit of pull pushes joins the row that is made. */
static void push(const filling *a, const spot *s, vec force, vec moment)
{
    const sp_kin *kin = a->from->kin;
    const sp_path *p = &kin->path[0];
    const int n = sp_spot_columns(a->m, kin, s, p->sup, p->v, p->w);
    for (int i = 0; i < n; i++) {
        a->dyn->implicit->z[p->sup[i]] += inner(p->v[i], force) + inner(p->w[i], moment);
    }
}

static void push_dof(const filling *a, int k, double force)
{
    a->dyn->implicit->z[k] += force;
}

/* What was pushed becomes a row, which is empty again; its numbers, zeroes. */
static sp_implicit_row *end_row(const filling *a)
{
    sp_implicit_cell *c = a->cell;
    double *J = c->J + (size_t)c->n_row * (size_t)c->n, *z = a->dyn->implicit->z;
    for (int i = 0; i < c->n; i++) {
        J[i] = z[c->dof[i]];
        z[c->dof[i]] = 0.0;
    }
    sp_implicit_row *r = &c->r[c->n_row++];
    *r = (sp_implicit_row){.by_k = SP_CONSERVATIVE, .by_d = SP_DAMPERS};
    return r;
}

/* What is stiff: nothing that pushes away; a slope that is no number is left out and noted. */
static double stiff(const filling *a, double slope)
{
    if (!(fabs(slope) < INFINITY)) {
        a->dyn->implicit->steep = a->cell->force;
        return 0.0;
    }
    return slope > 0.0 ? slope : 0.0;
}

static void end_row_of(const filling *a, double k, double d, sp_share by_k, sp_share by_d)
{
    sp_implicit_row *r = end_row(a);
    r->k = stiff(a, k);
    r->d = stiff(a, d);
    r->by_k = by_k;
    r->by_d = by_d;
}

static vec unit(int k)
{
    return vec_of(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
}

/* Velocity of the second point against the first along e. */
static void push_apart(const filling *a, const spot at[2], vec e)
{
    push(a, &at[1], e, no_vec);
    push(a, &at[0], scale(-1.0, e), no_vec);
}

/* dx/dt of the velocities, the last of the row's making, times u. */
static double rate_of(const filling *a, const sp_implicit_cell *c, int row)
{
    const double *J = c->J + (size_t)row * (size_t)c->n;
    double sum = 0.0;
    for (int i = 0; i < c->n; i++) {
        sum += J[i] * a->from->u[c->dof[i]];
    }
    return sum;
}

/* Velocities of a measure by an expression. */
static void push_measure(const filling *a, const sp_func *f)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        const sp_aspect is = sp_aspect_of(s->kind);
        const double slope = a->dyn->grad[k];
        if (s->kind == SP_SIG_Q && s->dof != SP_NONE) {
            push_dof(a, s->dof, slope);
        } else if (is.from == SP_FROM_BODY && !is.is_rate) {
            const spot at = spot_of(a->from, &s->mark);
            const vec e = scale(slope, unit(is.part));
            if (is.of == SP_ASPECT_POINT) {
                push(a, &at, e, no_vec);
            } else {
                push(a, &at, no_vec,
                     is.of == SP_ASPECT_AXIS
                         ? cross(axis_along(spot_axes(a->from, &at), is.which), e)
                         : e);
            }
        }
    }
}

static bool reads_time(const sp_func *f)
{
    for (int k = 0; k < f->n_signal; k++) {
        if (f->signal[k].kind == SP_SIG_TIME) {
            return true;
        }
    }
    return false;
}

/* The value of a law and its slopes by the measure and the rate. */
static double law_slopes(const filling *a, int i_law, double *k, double *d)
{
    const sp_func *law = &a->f->law[i_law];
    *k = *d = 0.0;
    if (!law->program) {
        return law->constant;
    }
    const double value = sp_func_grad(law, a->from, a->dyn->in, a->dyn->grad, a->dyn->work);
    for (int i = 0; i < law->n_signal; i++) {
        *k += law->signal[i].kind == SP_SIG_MEASURE ? a->dyn->grad[i] : 0.0;
        *d += law->signal[i].kind == SP_SIG_RATE ? a->dyn->grad[i] : 0.0;
    }
    return value;
}

/* The pull of an element on a measure and its slopes, in row 0, which is there. */
static double pull_slopes(const filling *a, double x, sp_share by)
{
    const sp_force_numbers *n = a->n;
    sp_implicit_row *r = &a->cell->r[0];
    const double v = rate_of(a, a->cell, 0);
    a->from->measure = x;
    a->from->rate = v;
    if (a->f->kind == SP_FORCE_PULL) {
        const sp_pull p = a->f->pull->at(n, x, v);
        r->by_k = by != SP_APPLIED && a->f->pull->damps ? SP_DAMPERS : by;
        r->by_d = by != SP_APPLIED && !a->f->pull->damps ? SP_CONSERVATIVE
                  : by == SP_APPLIED                     ? by
                                                         : SP_DAMPERS;
        r->k = stiff(a, p.d_x);
        r->d = stiff(a, p.d_v);
        return p.force;
    }
    r->by_k = by;
    r->by_d = by == SP_APPLIED ? by : SP_DAMPERS;
    r->k = stiff(a, n->stiffness);
    r->d = stiff(a, n->damping);
    if (a->f->has_law) {
        double k, d;
        law_slopes(a, 0, &k, &d);
        memcpy(a->cell->J + (size_t)a->cell->n_row * (size_t)a->cell->n, a->cell->J,
               (size_t)a->cell->n * sizeof(double));
        a->cell->r[a->cell->n_row++] = (sp_implicit_row){
            .k = stiff(a, k), .d = stiff(a, d), .by_k = SP_APPLIED, .by_d = SP_APPLIED};
    }
    return n->stiffness * (x - n->rest) + n->preload;
}

/* Between points: along the line, and across it what tension holds.   theory (71.6) */
static void points(const filling *a)
{
    const spot at[2] = {spot_of(a->from, &a->n->mark[0]), spot_of(a->from, &a->n->mark[1])};
    const vec d = sub(at[1].x, at[0].x);
    const double x = length(d);
    if (!(x > 0.0)) { /* no direction: all are alike, if it has no rest length */
        const double k = a->n->rest == 0.0 ? a->n->stiffness : 0.0;
        for (int i = 0; i < a->m->dim && a->f->kind != SP_FORCE_PULL; i++) {
            push_apart(a, at, unit(i));
            end_row_of(a, k, 0.0, SP_CONSERVATIVE, SP_DAMPERS);
        }
        return;
    }
    const vec e = scale(1.0 / x, d);
    push_apart(a, at, e);
    end_row(a);
    const double tension = pull_slopes(a, x, SP_CONSERVATIVE);
    const vec other = a->m->dim == 3 && fabs(e.z) < 0.7 ? unit(2) : unit(a->m->dim == 3 ? 0 : 2);
    const vec across = cross(other, e), one = scale(1.0 / length(across), across);
    for (int i = 0; i < a->m->dim - 1 && tension > 0.0; i++) {
        push_apart(a, at, i == 0 ? one : cross(e, one));
        end_row_of(a, tension / x, 0.0, SP_CONSERVATIVE, SP_DAMPERS);
    }
}

static void by_measure(const filling *a)
{
    const sp_func *f = &a->f->measure;
    const double x = sp_func_grad(f, a->from, a->dyn->in, a->dyn->grad, a->dyn->work);
    push_measure(a, f);
    end_row(a);
    pull_slopes(a, x, reads_time(f) ? SP_APPLIED : SP_CONSERVATIVE);
}

/* A slider that sticks is a spring.   theory (99.3) */
static void slider(const filling *a)
{
    const sp_func *f = &a->f->measure;
    const double e = a->dyn->z ? a->dyn->z[a->f->aux] : 0.0;
    sp_func_grad(f, a->from, a->dyn->in, a->dyn->grad, a->dyn->work);
    push_measure(a, f);
    const sp_share by = reads_time(f) ? SP_APPLIED : SP_DAMPERS;
    end_row_of(a, 0.0, 0.0, by, by);
    const bool slips = fabs(e) >= a->n->limit / a->n->stiffness && e * rate_of(a, a->cell, 0) > 0.0;
    a->cell->r[0].k = slips ? 0.0 : stiff(a, a->n->stiffness);
}

static void bushing(const filling *a)
{
    const sp_bushing_numbers *n = &a->n->bushing;
    spot at[2] = {spot_of(a->from, &a->n->mark[0]), spot_of(a->from, &a->n->mark[1])};
    const rot R[2] = {spot_mark_axes(a->from, &at[0], &a->n->mark[0]),
                      spot_mark_axes(a->from, &at[1], &a->n->mark[1])};
    const vec theta = sp_quat_log(sp_quat_of_rot3(sp_rot3_mul_back(R[0], R[1])));
    const bool plane = a->m->dim != 3;
    at[0] = spot_arm(a->from, &at[0], at[1].x);
    for (int i = 0; i < 6; i++) {
        if ((plane && i > 1 && i < 5) || (n->stiffness[i] == 0.0 && n->damping[i] == 0.0)) {
            continue;
        }
        if (i < 3) {
            push_apart(a, at, axis_along(R[0], i));
        } else { /* as in bushing_act (dynamics/forces.inc) */
            const vec e = rotate(R[1], log_rate(theta, unit(i - 3), -1.0));
            push(a, &at[1], no_vec, e);
            push(a, &at[0], no_vec, scale(-1.0, e));
        }
        end_row_of(a, n->stiffness[i], n->damping[i], SP_CONSERVATIVE, SP_DAMPERS);
    }
}

/* Against the speed w of a point: all directions, and its own once more.   theory (3.45) */
static void drag(const filling *a)
{
    const spot s = spot_of(a->from, &a->n->mark[0]);
    const sp_share by = a->f->has_law ? SP_APPLIED : SP_DAMPERS;
    vec w = spot_velocity(a->from, &s);
    for (int i = 0; i < 3 && a->f->has_law; i++) {
        w = sub(w, scale(sp_func_value(&a->f->law[i], a->from, a->dyn->in, a->dyn->work), unit(i)));
    }
    const double speed = length(w), k = a->n->damping + a->n->drag * speed;
    for (int i = 0; i < a->m->dim; i++) {
        push(a, &s, unit(i), no_vec);
        end_row_of(a, 0.0, k, by, by);
    }
    if (speed > 0.0) {
        push(a, &s, scale(1.0 / speed, w), no_vec);
        end_row_of(a, 0.0, a->n->drag * speed, by, by);
    }
}

/* Forces and moments by expressions: components that hold back what they act on themselves. */
static void applied(const filling *a)
{
    const bool turns = a->f->kind == SP_FORCE_TORQUE;
    const spot s = spot_of(a->from, &a->n->mark[0]);
    for (int i = 0; i < 3; i++) {
        const bool about_z = turns && a->m->dim != 3;
        const int axis = about_z ? 2 : i;
        const sp_func *law = &a->f->law[i];
        double k = 0.0, d = 0.0;
        if (!law->program || (about_z && i > 0)) {
            continue;
        }
        sp_func_grad(law, a->from, a->dyn->in, a->dyn->grad, a->dyn->work);
        for (int j = 0; j < law->n_signal; j++) {
            const sp_signal *sig = &law->signal[j];
            const sp_aspect is = sp_aspect_of(sig->kind);
            const bool same =
                is.from == SP_FROM_BODY && is.part == axis &&
                sig->mark.body == a->n->mark[0].body &&
                (turns || memcmp(sig->mark.at, a->n->mark[0].at, sizeof sig->mark.at) == 0);
            const bool place = turns ? is.of == SP_ASPECT_ANGLE : is.of == SP_ASPECT_POINT;
            const bool rate = turns ? is.of == SP_ASPECT_SPIN || place : place;
            k -= same && place && !is.is_rate ? a->dyn->grad[j] : 0.0;
            d -= same && rate && is.is_rate ? a->dyn->grad[j] : 0.0;
        }
        if (!(k <= 0.0 && d <= 0.0)) { /* or no number */
            push(a, &s, turns ? no_vec : unit(axis), turns ? unit(axis) : no_vec);
            end_row_of(a, k, d, SP_APPLIED, SP_APPLIED);
        }
    }
}

/* A force on one degree of freedom, by what its expression makes of it. */
static void drive(const filling *a)
{
    const sp_func *law = &a->f->law[0];
    const double value = sp_func_grad(law, a->from, a->dyn->in, a->dyn->grad, a->dyn->work);
    double k = 0.0, d = 0.0;
    for (int j = 0; j < law->n_signal && fabs(value) <= a->n->limit; j++) {
        const sp_signal *s = &law->signal[j];
        k -= s->kind == SP_SIG_Q && s->dof == a->f->dof ? a->dyn->grad[j] : 0.0;
        d -= s->kind == SP_SIG_U && s->index == a->f->dof ? a->dyn->grad[j] : 0.0;
    }
    push_dof(a, a->f->dof, 1.0);
    end_row_of(a, k, d, SP_APPLIED, SP_APPLIED);
}

/* P and D of a control that is not at its limit.   theory (3.46) */
static void motor(const filling *a)
{
    const sp_force *f = a->f;
    const sp_motor_numbers *n = &a->n->motor;
    double law[3];
    for (int i = 0; i < 3; i++) {
        law[i] = sp_func_value(&f->law[i], a->from, a->dyn->in, a->dyn->work);
    }
    const double e_rate = law[1] - a->from->u[f->dof];
    const double e = f->by_rate ? e_rate : law[0] - a->from->q[a->m->dof[f->dof].q];
    const double z = f->aux != SP_NONE && a->dyn->z ? a->dyn->z[f->aux] : 0.0;
    const double want = n->P * e + (f->by_rate ? 0.0 : n->D * e_rate) + n->I * z + law[2];
    const bool free = fabs(want) <= a->n->limit;
    push_dof(a, f->dof, 1.0);
    end_row_of(a, free && !f->by_rate ? n->P : 0.0, free ? (f->by_rate ? n->P : n->D) : 0.0,
               SP_APPLIED, SP_APPLIED);
}

/* As joint_spring (dynamics/forces.inc). */
static void joint(const filling *a, int k)
{
    const sp_dof *dof = &a->m->dof[k];
    const sp_dof_numbers *n = &a->num->dof[k];
    if (dof->move != SP_MOVE_BALL) {
        push_dof(a, k, 1.0);
        end_row_of(a, n->stiffness, n->damping, SP_CONSERVATIVE, SP_DAMPERS);
        return;
    }
    const vec angle = sp_quat_log(sp_quat_unit(sp_quat_of(a->from->q + dof->q)));
    const vec e = log_rate(angle, unit(dof->part), -1.0);
    for (int j = 0; j < 3; j++) {
        push_dof(a, k - dof->part + j, part(e, j));
    }
    end_row_of(a, n->stiffness, 0.0, SP_CONSERVATIVE, SP_DAMPERS);
    push_dof(a, k, 1.0);
    end_row_of(a, 0.0, n->damping, SP_CONSERVATIVE, SP_DAMPERS);
}

/* How steeply friction grows with the slip: along it by its slope or by what would turn the slip
 * around, whichever is more, across it by the latter.   theory (87.4) */
static double slip_slope(const filling *a, double slip, double *across)
{
    double slope, start = 0.0, none;
    a->from->measure = 0.0;
    if (a->dyn->implicit->bounds) {
        law_slopes(a, 1, &start, &none);
    }
    a->from->measure = slip;
    const double mu = law_slopes(a, 1, &slope, &none);
    *across = slip != 0.0 ? mu / slip : 0.0;
    return sp_worse(sp_worse(slope, *across), start);
}

/* The pull on its deflection, then friction along the slip and, in space, across it. */
static void tyre(const filling *a)
{
    const bool space = a->m->dim == 3;
    const rolling w = roll(a->from, a->n, space);
    double k, d, across;
    a->from->measure = w.x;
    a->from->rate = w.v;
    const double N = law_slopes(a, 0, &k, &d) / w.lean;
    push_apart(a, w.at, scale(1.0 / w.lean, w.n));
    end_row_of(a, k, d, SP_APPLIED, SP_APPLIED);
    const double along = slip_slope(a, w.slip, &across);
    push_apart(a, w.at, add(scale(w.along, w.t), scale(w.across, w.side)));
    end_row_of(a, 0.0, along * N / w.way, SP_APPLIED, SP_APPLIED);
    if (space) {
        push_apart(a, w.at, sub(scale(w.along, w.side), scale(w.across, w.t)));
        end_row_of(a, 0.0, across * N / w.way, SP_APPLIED, SP_APPLIED);
    }
}

static void fill_force(const filling *a)
{
    switch (a->f->kind) {
    case SP_FORCE_SPRING_POINTS:
        points(a);
        break;
    case SP_FORCE_SPRING_MEASURE:
    case SP_FORCE_PULL:
        a->f->by_points ? points(a) : by_measure(a);
        break;
    case SP_FORCE_SLIDER:
        slider(a);
        break;
    case SP_FORCE_FORCE:
    case SP_FORCE_TORQUE:
        applied(a);
        break;
    case SP_FORCE_DRIVE:
        drive(a);
        break;
    case SP_FORCE_MOTOR:
        motor(a);
        break;
    case SP_FORCE_BUSHING:
        bushing(a);
        break;
    case SP_FORCE_DRAG:
        drag(a);
        break;
    case SP_FORCE_TYRE:
        tyre(a);
        break;
    case SP_FORCE_PRESS: /* explicit */
    case SP_FORCE_GRAVITY:
        break;
    }
}

void sp_implicit_find(const sp_model *m, const sp_numbers *num, const sp_kin *kin, const sp_at *at,
                      sp_dyn *dyn)
{
    sp_implicit *s = dyn->implicit;
    sp_signal_source from = {.kin = kin,
                             .q = at->q,
                             .u = at->u,
                             .z = dyn->z,
                             .t = dyn->mean ? fmin(at->t, dyn->t_last) : at->t,
                             .kink = dyn->kink,
                             .mean = dyn->mean};
    filling a = {.m = m, .num = num, .from = &from, .dyn = dyn};
    s->steep = SP_NONE;
    memset(s->z, 0, (size_t)m->n_dof * sizeof *s->z);
    for (int i = 0; i < s->n_cell; i++) {
        sp_implicit_cell *c = a.cell = &s->cell[i];
        c->n_row = 0;
        if (c->force != SP_NONE) {
            a.f = &m->force[c->force];
            a.n = &num->force[c->force];
            fill_force(&a);
        } else if (c->spring != SP_NONE) {
            joint(&a, c->spring);
        } else {
            const sp_body *b = &m->body[c->body];
            for (int k = 0; k < c->n; k++) { /* dof is falling, the kind counts up */
                s->x[c->n - 1 - k] = at->q[m->dof[c->dof[k]].q];
            }
            b->kind->stiffness(b->form, s->x, c->K, c->D);
        }
    }
}
