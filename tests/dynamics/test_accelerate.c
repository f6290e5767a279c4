/* Forward dynamics by articulated bodies in the plane, against the factor of M.
 * theory (3.30)-(3.34) */
#include "support/tree.h"

#include <string.h>

typedef struct fixture {
    tree t;
    machine c;
    sp_arena arena;
    sp_dyn dyn; /* with articulated bodies */
    double q[TREE_DOFS], u[TREE_DOFS], a[TREE_DOFS];
} fixture;

static fixture f;

static void compile(rng *r)
{
    f.c = tree_compile(&f.t, r);
    random_motion(r, f.t.n_dof, f.q, f.u, f.a);
    sp_arena_init(&f.arena, NULL, 0);
    assert_true(sp_dyn_alloc(&f.arena, f.c.m, SP_DYN_MASS | SP_DYN_ARTICULATED, &f.dyn));
    sp_dyn_init(f.c.m, f.c.num, &f.dyn);
}

static void tear_down(void)
{
    sp_arena_free(&f.arena);
    machine_free(&f.c);
}

/* Largest |M u' - h| of the rows that are free, over the largest |M u'|. */
static double residual(const unsigned char *held, const double *du)
{
    double h[TREE_DOFS], Mu[TREE_DOFS], worst = 0.0, size = 1.0;
    machine_forces(&f.c, 0.0, f.q, f.u, h);
    sp_dyn_mass(f.c.m, f.c.num, &f.c.w->kin, &f.c.w->dyn);
    sp_dyn_multiply(f.c.m, &f.c.w->dyn, du, Mu);
    for (int k = 0; k < f.t.n_dof; k++) {
        size = fmax(size, fabs(Mu[k]));
        if (!held || !held[k]) {
            worst = check_worse(worst, fabs(Mu[k] - h[k]));
        }
    }
    return worst / size;
}

static void accelerations_fulfil_the_equations_of_motion(void **ctx)
{
    (void)ctx;
    rng r = {981};
    double worst = 0.0;
    for (int c = 0; c < check_cases(100, 2000); c++) {
        double du[TREE_DOFS];
        f.t = tree_random(&r, 1 + rng_int(&r, 30), rng_in(&r, 0.0, 1.0));
        for (int i = 0; i < f.t.n; i++) { /* some joints have springs and dampers */
            tree_body *b = &f.t.body[i];
            b->sprung = b->joint == TREE_REVOLUTE || b->joint == TREE_PRISMATIC;
            for (int d = 0; d < 3; d++) {
                b->spring[d][0] = rng_in(&r, 1.0, 9.0);
                b->spring[d][1] = rng_in(&r, 0.1, 0.9);
            }
        }
        compile(&r);
        assert_int_equal(sp_dyn_accelerate(f.c.m, f.c.num, &(sp_at){0.0, f.q, f.u}, NULL,
                                           &f.c.w->kin, &f.dyn, du, NULL),
                         SP_OK);
        worst = check_worse(worst, residual(NULL, du));
        tear_down();
    }
    print_message("residual %.1e\n", worst);
    assert_true(worst < 1e-11);
}

static void held_accelerations_are_kept_and_the_others_fulfil_their_rows(void **ctx)
{
    (void)ctx;
    rng r = {982};
    double worst = 0.0;
    for (int c = 0; c < check_cases(100, 2000); c++) {
        double du[TREE_DOFS];
        unsigned char held[TREE_DOFS];
        f.t = tree_random(&r, 1 + rng_int(&r, 20), rng_in(&r, 0.0, 1.0));
        compile(&r);
        for (int k = 0; k < f.t.n_dof; k++) {
            held[k] = rng_in(&r, 0.0, 1.0) < 0.4;
            du[k] = held[k] ? f.a[k] : NAN;
        }
        assert_int_equal(sp_dyn_accelerate(f.c.m, f.c.num, &(sp_at){0.0, f.q, f.u}, held,
                                           &f.c.w->kin, &f.dyn, du, NULL),
                         SP_OK);
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_true(!held[k] || du[k] == f.a[k]);
        }
        worst = check_worse(worst, residual(held, du));
        tear_down();
    }
    print_message("rows of the free ones %.1e\n", worst);
    assert_true(worst < 1e-11);
}

/* M^-1 over the free ones: M x = b on their rows, x zero on the others. */
static void holding_degrees_of_freedom_inverts_over_the_others(void **ctx)
{
    (void)ctx;
    rng r = {983};
    for (int c = 0; c < check_cases(100, 2000); c++) {
        double x[TREE_DOFS], b[TREE_DOFS], Mx[TREE_DOFS], size = 1.0;
        unsigned char held[TREE_DOFS];
        f.t = tree_random(&r, 1 + rng_int(&r, 20), c % 2 ? 1.0 : rng_in(&r, 0.0, 1.0));
        for (int i = 0; i < f.t.n && c % 2; i++) { /* one chain of hinges has its own code */
            f.t.body[i].joint = TREE_REVOLUTE;
            f.t.body[i].from[0] = f.t.body[i].from[1] = 0.0;
        }
        compile(&r);
        assert_int_equal(f.c.m->layout.chain || c % 2 == 0, 1);
        for (int k = 0; k < f.t.n_dof; k++) {
            held[k] = rng_in(&r, 0.0, 1.0) < 0.4;
            b[k] = x[k] = rng_in(&r, -1.0, 1.0);
        }
        sp_kin_positions(f.c.m, f.c.num, f.q, &f.c.w->kin);
        sp_dyn_mass(f.c.m, f.c.num, &f.c.w->kin, &f.dyn);
        assert_int_equal(sp_dyn_factor_held(f.c.m, held, &f.dyn, NULL), SP_OK);
        sp_dyn_solve_LT(f.c.m, &f.dyn, x);
        sp_dyn_solve_D_L(f.c.m, &f.dyn, x);
        sp_dyn_multiply(f.c.m, &f.dyn, x, Mx);
        for (int k = 0; k < f.t.n_dof; k++) {
            size = fmax(size, fabs(Mx[k]));
        }
        for (int k = 0; k < f.t.n_dof; k++) {
            assert_true(!held[k] || x[k] == 0.0);
            assert_true(held[k] || fabs(Mx[k] - b[k]) < 1e-11 * size);
        }
        tear_down();
    }
}

static void a_part_without_inertia_is_reported_by_its_coordinate(void **ctx)
{
    (void)ctx;
    rng r = {984};
    sp_error err = {.status = SP_OK};
    f.t = tree_random(&r, 1, 1.0);
    f.t.body[0].joint = TREE_REVOLUTE;
    compile(&r);
    sp_body_numbers body[2];
    sp_numbers num = *f.c.num;
    double du[1];
    memcpy(body, num.body, sizeof body);
    body[1].mass = body[1].inertia = 0.0;
    num.body = body;
    assert_int_equal(sp_dyn_accelerate(f.c.m, &num, &(sp_at){0.0, f.q, f.u}, NULL, &f.c.w->kin,
                                       &f.dyn, du, &err),
                     SP_E_NONFINITE);
    assert_non_null(strstr(err.text, "b0.joint.phi"));
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_fulfil_the_equations_of_motion),
        cmocka_unit_test(held_accelerations_are_kept_and_the_others_fulfil_their_rows),
        cmocka_unit_test(holding_degrees_of_freedom_inverts_over_the_others),
        cmocka_unit_test(a_part_without_inertia_is_reported_by_its_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
