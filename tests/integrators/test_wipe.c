/* The scratch has no meaning between two steps: wiping it does not change a bit of the result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/check.h"
#include "support/run.h"

#include <string.h>

/* All bits set: doubles are NaN, indices are -1. */
#define FILL(array, n) memset((array), 0xff, (size_t)(n) * sizeof *(array))

static void wipe_dynamics(const sp_model *m, sp_work *w)
{
    FILL(w->kin.frame, m->n_body);
    FILL(w->kin.axis, m->n_dof);
    FILL(w->dyn.M, m->n_packed);
    FILL(w->dyn.L, m->n_packed);
    FILL(w->dyn.D_inv, m->n_dof);
    FILL(w->dyn.composite, m->n_body);
    for (int s = 0; s < SP_SHARES; s++) {
        FILL(w->dyn.h[s], m->n_dof);
        FILL(w->dyn.wrench[s], m->n_body);
        w->dyn.acts[s] = false;
    }
    FILL(w->dyn.in, m->expr_input);
    FILL(w->dyn.grad, m->expr_input);
    FILL(w->dyn.work, m->expr_work);
    double *vector[] = {w->q, w->u_E, w->u_bar, w->h_dt, w->b, w->du, w->M_du, w->WP, w->size2};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
        FILL(vector[k], m->n_dof);
    }
}

static void wipe_contacts(const sp_model *m, sp_work *w)
{
    sp_con *con = &w->con;
    const int n = con->capacity, rows = 2 * n;
    FILL(con->vertex, m->n_vertex);
    FILL(con->g, m->n_slot);
    FILL(con->feature, m->n_slot);
    FILL(con->active, n);
    FILL(con->row, n + 1);
    FILL(con->set, n);
    FILL(con->frame, n);
    FILL(con->n_sup, n);
    FILL(con->sup, n * con->stride);
    FILL(con->W, rows * con->stride);
    FILL(con->Y, rows * con->stride);
    FILL(con->YD, rows * con->stride);
    FILL(con->G_room, rows * rows);
    con->n_active = con->n_row = -1;
    con->least = NAN;
    con->kin = NULL;
    double *by_row[] = {con->w_tilde, con->eps,       w->sol.c,       w->sol.P,
                        w->sol.xi,    w->sol.gamma_A, w->sol.gamma_E, w->sol.free};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) {
        FILL(by_row[k], rows);
    }
    FILL(w->sol.rho, n);
    FILL(w->sol.status, n);
    memset(w->sol.work, 0xff, sp_solve_work(n, rows));
    w->sol.xi_scale = w->sol.xi_local = NAN;
}

static void wipe_step(const sp_model *m, sp_work *w)
{
    FILL(w->g_E, m->n_slot);
    FILL(w->hit, w->con.capacity);
    FILL(w->event, 3 * m->n_slot);
    FILL(w->contact, m->n_slot);
    FILL(w->pose, m->n_body);
    FILL(w->velocity, m->n_body);
    FILL(w->output, m->n_output);
    FILL(&w->energy, 1);
    FILL(&w->certificate, 1);
    w->t_E = NAN;
    w->n_hit = w->n_event = -1;
}

/* What sp_work_new promises: the ground, z and hints zero. */
static void restore_promises(const sp_model *m, sp_work *w)
{
    w->kin.frame[SP_GROUND] = (sp_frame){.R = {1.0, 0.0}};
    memset(w->con.z, 0, (size_t)m->n_dof * sizeof(double));
    memset(w->con.hint, 0, (size_t)m->n_slot * sizeof(int));
}

static void wipe(const sp_model *m, sp_work *w)
{
    wipe_dynamics(m, w);
    wipe_contacts(m, w);
    wipe_step(m, w);
    restore_promises(m, w);
}

/* Same bits in all that a restart needs. */
static void compare(const sp_model *m, const sp_state *a, const sp_state *b)
{
    const size_t n = (size_t)m->n_dof * sizeof(double), n_slot = (size_t)m->n_slot;
    assert_memory_equal(a->q, b->q, n);
    assert_memory_equal(a->u, b->u, n);
    assert_memory_equal(a->g, b->g, n_slot * sizeof(double));
    assert_memory_equal(&a->t, &b->t, sizeof a->t);
    assert_memory_equal(&a->ledger, &b->ledger, sizeof a->ledger);
    for (size_t i = 0; i < n_slot; i++) { /* not by memcmp: padding */
        const sp_contact_memory *c = &a->contact[i], *d = &b->contact[i];
        assert_true(c->P_N == d->P_N && c->P_T == d->P_T && c->reach == d->reach);
        assert_true(c->lift == d->lift && c->hint == d->hint && c->status == d->status);
        assert_true(c->state == d->state && c->active == d->active && c->crossed == d->crossed);
    }
}

/* Two machines in step, one of them with its scratch wiped before every step. */
static void run_both(rig *a, rig *b, sp_method method, double dt, int steps)
{
    for (int i = 0; i < steps; i++) {
        wipe(b->m, b->w);
        rig_step(a, method, dt);
        rig_step(b, method, dt);
        compare(a->m, a->x, b->x);
    }
    assert_true(a->worst.solves > 0);
    assert_int_equal(a->n_event, b->n_event);
    rig_free(a);
    rig_free(b);
}

static void wiping_changes_no_bit_of_the_slider_crank(void **ctx)
{
    (void)ctx;
    const double spin[] = {0.0, -0.1};
    for (int k = 0; k < 2; k++) {
        rig a = rig_slider_crank(spin[k]), b = rig_slider_crank(spin[k]);
        run_both(&a, &b, k == 0 ? SP_METHOD_MOREAU : SP_METHOD_MOREAU_MEAN, 1e-5, 3000);
    }
}

/* Free bodies, polygons on polygons, springs, dampers and a driven force: the other ways. */
static const char boxes[] = "specht: 1\n"
                            "name: boxes\n"
                            "space: planar\n"
                            "gravity: 9.81 m/s^2\n"
                            "bodies:\n"
                            "  ground: {contours: {floor: {line: [0, 1], at: [0, 0]}}}\n"
                            "  a: {mass: 1 kg, inertia: 0.1 kg*m^2, joint: {free: ground},\n"
                            "      contours: {box: {polygon: [[-0.2, -0.2], [0.2, -0.2], "
                            "[0.2, 0.2], [-0.2, 0.2]]}}}\n"
                            "  b: {mass: 1 kg, inertia: 0.1 kg*m^2, joint: {free: ground},\n"
                            "      contours: {box: {polygon: [[-0.1, -0.1], [0.1, -0.1], "
                            "[0.1, 0.1], [-0.1, 0.1]]}}}\n"
                            "forces:\n"
                            "  s: {spring: [a, b], stiffness: 50 N/m, damping: 1 N*s/m, "
                            "rest: 0.5 m}\n"
                            "  f: {force: [sin(t*20/(1 s))*1 N, 0 N], on: a}\n"
                            "contacts:\n"
                            "  c: {between: [a.box, ground.floor], law: {mu: 0.3, eps_N: 0.2}}\n"
                            "  d: {between: [b.box, [a.box, ground.floor]], law: {mu: 0.3}}\n"
                            "start: {a.y: 0.25 m, b.y: 0.6 m, b.x: 0.05 m, b.phi: 0.2 rad}\n"
                            "run: {until: 1 s, step: 1 ms}\n";

static void wiping_changes_no_bit_of_boxes_on_a_floor(void **ctx)
{
    (void)ctx;
    rig a = rig_of_text("%s", boxes), b = rig_of_text("%s", boxes);
    run_both(&a, &b, SP_METHOD_MOREAU, 1e-3, 1000);
}

/* New scratch for every step gives the same bits as one scratch for all. */
static void fresh_scratch_changes_no_bit(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(-0.1), b = rig_slider_crank(-0.1);
    sp_error err = {.status = SP_OK};
    for (int i = 0; i < 1000; i++) {
        sp_work_free(b.w);
        assert_int_equal(sp_work_new(b.m, NULL, &b.w, &err), SP_OK);
        rig_step(&a, SP_METHOD_MOREAU, 1e-5);
        rig_step(&b, SP_METHOD_MOREAU, 1e-5);
        compare(a.m, a.x, b.x);
    }
    rig_free(&a);
    rig_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wiping_changes_no_bit_of_the_slider_crank),
        cmocka_unit_test(wiping_changes_no_bit_of_boxes_on_a_floor),
        cmocka_unit_test(fresh_scratch_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
