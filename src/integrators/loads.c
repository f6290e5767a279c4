#include "integrators/loads.h"

#include "base/status.h"
#include "contact/motion.h"
#include "contact/multiplier.h"
#include "contact/rule.h"
#include "kinematics/spot.h"
#include "model/aspect.h"
#include "model/loop_rows.h"

#include <string.h>

bool sp_loads_needed(const sp_model *m)
{
    for (int i = 0; i < m->n_output + m->n_probe; i++) {
        const sp_func *f = i < m->n_output ? &m->output[i].func : &m->probe[i - m->n_output];
        for (int k = 0; k < f->n_signal; k++) {
            if (sp_aspect_of(f->signal[k].kind).from == SP_FROM_LOADS) {
                return true;
            }
        }
    }
    return false;
}

sp_status sp_loads_new(const sp_model *m, sp_work *w, sp_load_work **load, sp_error *err)
{
    sp_arena *a = &w->arena;
    sp_load_work *l = SP_NEW(a, sp_load_work, 1);
    *load = NULL;
    if (!l || !sp_tangent_alloc(a, m, &l->tangent)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the forces that outputs ask for");
    }
    sp_vec3 **vectors[] = {&l->loads.acc, &l->loads.alpha, &l->loads.force, &l->loads.moment};
    bool ok = true;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        ok = (*vectors[k] = SP_NEW(a, sp_vec3, m->n_body)) != NULL && ok;
    }
    l->loads.loop_force = SP_NEW(a, sp_vec3, m->n_loop);
    l->loads.loop_moment = SP_NEW(a, sp_vec3, m->n_loop);
    l->loads.row = SP_NEW(a, double, m->n_bond);
    l->loads.element = sp_arena_alloc(a, (size_t)m->n_force, sizeof *l->loads.element);
    l->row = SP_NEW(a, sp_held_row, m->layout.contact_rows * m->n_slot + m->n_bond);
    l->loads.a = l->a = SP_NEW(a, double, m->n_dof);
    l->none = SP_NEW(a, double, m->n_dof);
    l->element = SP_NEW(a, sp_element, m->n_force);
    if (!ok || !l->loads.loop_force || !l->loads.loop_moment || !l->loads.row ||
        !l->loads.element || !l->row || !l->a || !l->none || !l->element) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the forces that outputs ask for");
    }
    SP_TRY(sp_work_new(m, &a->allocator, &l->inner, err));
    l->inner->dyn.element = l->element;
    *load = l;
    return SP_OK;
}

void sp_loads_free(sp_load_work *load)
{
    if (load) {
        sp_work_free(load->inner);
    }
}

/* The contacts with the forces they have; how many rows. */
static int contact_rows(const sp_model *m, const sp_contact_record *contact, sp_held_row *row)
{
    int n = 0;
    for (int i = 0; i < m->n_slot; i++) {
        const sp_contact_record *c = &contact[i];
        if (m->slot[i].is.dry) { /* its one row is reported as tangential */
            row[n] = (sp_held_row){i, 0, c->lambda_N + c->lambda_T};
            n += row[n].lambda != 0.0;
            continue;
        }
        if (c->lambda_N != 0.0) {
            row[n++] = (sp_held_row){i, 0, c->lambda_N};
        }
        const bool across = m->slot[i].is.space || m->slot[i].is.two_slips;
        for (int k = 0; k < 5 && across; k++) {
            const double lambda = k < 3 ? c->lambda_t[k] : c->lambda_r[k - 3];
            if (lambda != 0.0) {
                row[n++] = (sp_held_row){i, 1 + k, lambda};
            }
        }
        if (c->lambda_T != 0.0 && !across) {
            row[n++] = (sp_held_row){i, 1, c->lambda_T};
        }
    }
    return n;
}

/* r = M a - h - W lambda for the rows so far, and what every joint has to carry. */
static void look(const sp_model *m, const sp_state *x, int n_row, sp_load_work *l)
{
    const sp_tangent_point at = {.at = {x->t, x->q, x->u, l->a, x->z, &l->inner->kin},
                                 .con = &l->inner->con,
                                 .n_row = n_row,
                                 .row = l->row};
    sp_tangent_look(m, x->numbers, &at, l->none, l->none, &l->tangent);
}

/* a += M^-1 b over what is not prescribed; b is used up. */
static void accelerate(const sp_model *m, const sp_dyn *dyn, double *b, double *a)
{
    sp_dyn_solve_LT(m, dyn, b);
    sp_dyn_solve_D_L(m, dyn, b);
    for (int k = 0; k < m->n_dof; k++) {
        a[k] += b[k];
    }
}

/* Forces of the bilateral rows, with what they change of a. */
static sp_status hold_rows(const sp_model *m, const sp_state *x, sp_load_work *l, sp_error *err)
{
    sp_work *w = l->inner;
    sp_con *con = &w->con;
    sp_solution solution;
    SP_TRY(sp_con_activate_near(m, -INFINITY, con, err));
    sp_con_directions(m, x->numbers, &w->kin, false, con);
    SP_TRY(sp_multiplier_make(&w->arena, m, &w->dyn, con, err));
    sp_multiplier_choose(m, x->numbers, &w->dyn, m->n_motion > 0 ? w->held : NULL, con);
    sp_con_delassus(m, &w->dyn, con);
    w->sol.xi_scale = 0.0;
    for (int i = 0; i < con->n_active; i++) {
        double w_bar[3];
        sp_rule_bias(m, x->numbers, con, con->active[i], w_bar);
        const double c = sp_con_dot(con, i, i, l->a) + w_bar[0];
        w->sol.c[i] = c;
        w->sol.P[i] = 0.0;
        w->sol.status[i] = SP_STICK;
        w->sol.xi_scale = fabs(c) > w->sol.xi_scale ? fabs(c) : w->sol.xi_scale;
    }
    if (w->sol.xi_scale > 0.0) {
        SP_TRY(sp_work_solve(w, SP_EFFORT_USUAL, &solution, err));
    }
    memset(w->b, 0, (size_t)m->n_dof * sizeof *w->b);
    for (int i = 0; i < con->n_active; i++) {
        l->loads.row[i] = w->sol.P[i];
        sp_con_add(con, i, sp_con_row(con, con->W, i), w->sol.P[i], w->b);
    }
    accelerate(m, &w->dyn, w->b, l->a);
    return SP_OK;
}

/* What a loop's rows come to together, on its second body. */
static void sum_loop(const sp_model *m, const sp_state *x, int loop, sp_load_work *l)
{
    const sp_loop *of = &m->loop[loop];
    const sp_mark *mark = x->numbers->loop[loop].mark;
    const sp_kin *kin = &l->inner->kin;
    const sp_spot s[2] = {sp_spot_of(kin, &mark[0]), sp_spot_of(kin, &mark[1])};
    const sp_rot3 A = sp_spot_mark_axes(kin, &s[0], &mark[0]);
    const sp_rot3 B = sp_spot_mark_axes(kin, &s[1], &mark[1]);
    const sp_vec3 a[3] = {A.x, A.y, A.z}, b[3] = {B.x, B.y, B.z};
    sp_vec3 force = {0.0, 0.0, 0.0}, moment = force;
    for (int r = 0; r < of->n_row; r++) {
        const sp_row_kind kind = sp_loop_rows_of(of->joint, m->dim)->row[r];
        const double lambda = l->loads.row[of->slot - m->n_slot + r];
        if (kind.b == SP_NONE) {
            force = sp_axpy3(force, lambda, a[kind.a]);
        } else {
            moment = sp_axpy3(moment, -lambda, sp_cross3(a[kind.a], b[kind.b]));
        }
    }
    l->loads.loop_force[loop] = force;
    l->loads.loop_moment[loop] = moment;
}

/* What the elements do, as the forces of the frame left it. */
static void sum_elements(const sp_model *m, const sp_state *x, sp_load_work *l)
{
    for (int i = 0; i < m->n_force; i++) {
        const sp_element *e = &l->element[i];
        const double energy = sp_dyn_element_energy(m, x->numbers, &l->inner->kin, x->t, x->q, x->u,
                                                    i, &l->inner->dyn);
        double power = 0.0;
        for (int s = 0; s < SP_SHARES; s++) {
            power += e->power[s];
        }
        const double all[7] = {e->measure, e->rate, e->force, e->moment, power, energy, e->side};
        memcpy(l->loads.element[i], all, sizeof all);
    }
}

/* Frames, forces, M and its factor, gaps at x. */
static sp_status prepare(const sp_model *m, const sp_state *x, sp_work *w, sp_error *err)
{
    w->dyn.z = x->z;
    sp_dyn_init(m, x->numbers, &w->dyn);
    sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_kin_bias(m, x->u, &w->kin);
    sp_con_at(x->t, 1.0, x->q, x->u, &w->con);
    sp_con_remember(m, x->contact, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    return sp_dyn_factor_held(m, w->held, &w->dyn, err);
}

sp_status sp_loads_find(const sp_model *m, const sp_state *x, const sp_contact_record *contact,
                        sp_load_work *l, sp_error *err)
{
    sp_work *w = l->inner;
    SP_TRY(prepare(m, x, w, err));
    memset(l->a, 0, (size_t)m->n_dof * sizeof *l->a);
    sp_motion_accelerate(m, x->t, &w->dyn, l->a);
    int n_row = contact_rows(m, contact, l->row);
    look(m, x, n_row, l); /* r without the accelerations that are looked for */
    for (int k = 0; k < m->n_dof; k++) {
        w->b[k] = w->held[k] ? 0.0 : -l->tangent.r[k].v;
    }
    accelerate(m, &w->dyn, w->b, l->a);
    if (m->n_bond > 0) {
        SP_TRY(hold_rows(m, x, l, err));
    }
    for (int i = 0; i < m->n_bond; i++) {
        l->row[n_row++] = (sp_held_row){m->n_slot + i, 0, l->loads.row[i]};
    }
    look(m, x, n_row, l); /* with them: what every joint carries */
    for (int i = 0; i < m->n_body; i++) {
        const sp_tangent_body *b = &l->tangent.body[i];
        l->loads.acc[i] = b->a0.v;
        l->loads.alpha[i] = b->alpha0.v;
        l->loads.force[i] = sp_scale3(-1.0, l->tangent.wrench[i].f.v);
        l->loads.moment[i] = sp_scale3(-1.0, sp_tangent_joint_moment(&l->tangent, i));
    }
    for (int i = 0; i < m->n_loop; i++) {
        sum_loop(m, x, i, l);
    }
    sum_elements(m, x, l);
    return SP_OK;
}
