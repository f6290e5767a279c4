/* Factors of large problems are those of the dense one.   theory (18.10) */
#include "contact/sparse.h"
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

/* Two arms of several links and loose balls, all near each other: trees of different sizes. */
static const char scene_text[] =
    "specht: 1\nspace: spatial\ngravity: 0\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -5 m]}}}\n"
    "  ball: {count: 4, mass: 2 kg, inertia: 0.3, contours: {skin: {sphere: 1 m}}}\n"
    "  a1: {mass: 1 kg, inertia: 0.1, joint: {revolute: ground, axis: [0, 0, 1]},\n"
    "       contours: {skin: {sphere: 1 m, at: [1, 0, 0]}}}\n"
    "  a2: {mass: 1 kg, inertia: 0.2, joint: {spherical: a1, at: [2, 0, 0]},\n"
    "       contours: {skin: {sphere: 1 m, at: [1, 0, 0]}}}\n"
    "  b1: {mass: 1 kg, inertia: 0.3, joint: {prismatic: ground, axis: [1, 1, 0]},\n"
    "       contours: {skin: {sphere: 1 m, at: [0, 1, 0]}}}\n"
    "  b2: {mass: 1 kg, inertia: 0.3, joint: {universal: b1, at: [0, 2, 0], axis: [[1, 0, 0], [0, "
    "1, 0]]},\n"
    "       contours: {skin: {sphere: 1 m, at: [0, 1, 0]}}}\n"
    "contacts:\n"
    "  all: {between: [[ball, a1, a2, b1, b2], [ball, a1, a2, b1, b2]], law: {mu: 0.3}}\n"
    "  floor: {between: [[ball, a2], ground], law: {mu: 0}}\n"
    "run: {until: 1 s, step: 1 ms, method: moreau, start: project}\n";

static void factors_give_the_velocities_of_the_dense_matrix(void **ctx)
{
    (void)ctx;
    rng r = {4};
    machine c = machine_of_text(scene_text);
    const sp_model *m = c.m;
    sp_con *con = &c.w->con;
    sp_sparse s;
    static double q[100], u[100], P[400], xi[400], zero[400], scratch[400];
    assert_true(sp_sparse_alloc(&c.w->arena, m, con, &s));
    assert_int_equal(s.n_tree, 6);
    for (int n = 0; n < check_cases(50, 1000); n++) {
        for (int k = 0; k < m->n_q; k++) {
            q[k] = rng_in(&r, -1.0, 1.0);
        }
        sp_kin_advance(m, 0.0, u, q); /* quaternions of unit length */
        machine_touch(&c, q, u, 100.0);
        sp_dyn_terms(m, c.num, 0.0, q, u, &c.w->kin, &c.w->dyn);
        assert_int_equal(sp_dyn_factor(m, &c.w->dyn, NULL), SP_OK);
        sp_con_directions(m, c.num, &c.w->kin, true, con);
        sp_con_delassus(m, &c.w->dyn, con);
        const sp_fc problem = {.n_contact = con->n_active,
                               .n = con->n_row,
                               .set = con->set,
                               .row = con->row,
                               .c = zero,
                               .F = sp_sparse_fill(&c.w->dyn, con, &s)};
        assert_int_equal(con->n_active, m->n_slot);
        for (int k = 0; k < con->n_row; k++) {
            P[k] = rng_in(&r, -1.0, 1.0);
        }
        sp_fc_velocity(&problem, P, xi, scratch);
        for (int i = 0; i < con->n_row; i++) {
            double sum = 0.0, size = 0.0;
            for (int j = 0; j < con->n_row; j++) {
                const double term = con->G[(size_t)i * (size_t)con->n_row + (size_t)j] * P[j];
                sum += term;
                size += fabs(term);
            }
            assert_near_scaled(xi[i], sum, size, 1e-13);
        }
    }
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_give_the_velocities_of_the_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
