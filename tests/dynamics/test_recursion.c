/* M x, the factor of M and M^-1 f of deep trees by bodies, against M itself.
 * theory (106.1)-(106.6) */
#include "dynamics/implicit.h"
#include "dynamics/recursion.h"
#include "integrators/moreau_parts.h"
#include "support/check.h"
#include "support/points.h"
#include "support/run.h"

#include <math.h>
#include <string.h>

enum { MOST = 240 };
#define TOL        1e-12 /* round-off of some hundred terms, of the largest number         */
#define FACTOR_TOL 1e-8  /* what the condition of M, some 1e6, makes of that in its factor */

#define PLANE                                                                                      \
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"                                     \
    "  cart: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0.2]}}\n"                           \
    "  head: {mass: 1 kg, inertia: 0.1 kg*m^2, center: [0.3, 0.1]}\n"                              \
    "  link: {count: 24, mass: 0.5 kg, inertia: 0.02 kg*m^2, center: [0.2, -0.1], joint: "         \
    "{revolute: link.(i-1), first: head, at: [0.4, 0.1], from: [0.1, 0]}}\n"                       \
    "  slide: {count: 10, mass: 0.7 kg, inertia: 0.01 kg*m^2, joint: {prismatic: slide.(i-1), "    \
    "first: link.24, at: [0.1, 0.3], axis: [0.6, 0.8]}}\n"                                         \
    "  fixed: {mass: 0.3 kg, inertia: 0.01 kg*m^2, joint: {weld: link.10, at: [0.1, 0.2]}}\n"      \
    "  side: {count: 12, mass: 0.2 kg, inertia: 0.01 kg*m^2, center: [0.1, 0], joint: {revolute: " \
    "side.(i-1), first: fixed, at: [0.2, 0]}}\n"
#define SPACE                                                                                      \
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"                                    \
    "  head: {mass: 1 kg, inertia: [0.1, 0.2, 0.15], center: [0.1, 0.2, 0.1]}\n"                   \
    "  link: {count: 10, mass: 0.5 kg, inertia: [0.02, 0.03, 0.04], center: [0.2, -0.1, 0.05], "   \
    "joint: {spherical: link.(i-1), first: head, at: [0.4, 0.1, 0], from: [0.1, 0, 0.1]}}\n"       \
    "  turn: {count: 8, mass: 0.3 kg, inertia: [0.02, 0.03, 0.04], center: [0.1, 0, 0], joint: "   \
    "{revolute: turn.(i-1), first: link.5, at: [0.2, 0, 0.1], axis: [0.6, 0, 0.8]}}\n"             \
    "  slide: {count: 4, mass: 0.3 kg, inertia: [0.02, 0.03, 0.04], joint: {prismatic: "           \
    "slide.(i-1), first: link.10, at: [0.2, 0, 0.1], axis: [0, 0.6, 0.8]}}\n"
#define BENT(space, end, ends, pin)                                                                \
    "specht: 1\nspace: " space "\ngravity: 9.81 m/s^2\nbodies:\n"                                  \
    "  hub: {mass: 1 kg, inertia: " ends ", joint: " pin "ground}}\n"                              \
    "  rod: {count: 10, beam: {length: 0.2 m, section: {circle: 3 mm}, young: 200 GPa, "           \
    "density: 7870 kg/m^3}, elastic: {bending: 2, stretch: 1}, joint: " pin "rod.(i-1), "          \
    "first: hub, at: [0.2 m, " end "]}, points: {mid: [0.1 m, " end "], end: [0.2 m, " end "]}}\n" \
    "  arm: {count: 3, mass: 0.1 kg, inertia: " ends ", joint: " pin "arm.(i-1), first: "          \
    "rod.4, at: [0.1 m, " end "]}}\n"

/* A vector of mixed numbers. */
static void mix(rng *r, int n, double size, double *x)
{
    for (int k = 0; k < n; k++) {
        x[k] = rng_in(r, -size, size);
    }
}

static double differ(int n, const double *a, const double *b)
{
    double worst = 0.0, size = 0.0;
    for (int k = 0; k < n; k++) {
        worst = check_worse(worst, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return worst / size;
}

/* What follows from M. */
typedef struct answers {
    double diagonal[MOST], product[MOST], half[MOST], whole[MOST], D_inv[MOST];
} answers;

static void ask(const sp_model *m, const unsigned char *held, const double *x, sp_dyn *dyn,
                answers *a)
{
    for (int k = 0; k < m->n_dof; k++) {
        a->diagonal[k] = dyn->M[m->layout.dof[k].row + m->layout.dof[k].depth];
    }
    sp_dyn_multiply(m, dyn, x, a->product);
    assert_int_equal(held ? sp_dyn_factor_held(m, held, dyn, NULL) : sp_dyn_factor(m, dyn, NULL),
                     SP_OK);
    memcpy(a->half, x, (size_t)m->n_dof * sizeof *x);
    sp_dyn_solve_LT(m, dyn, a->half);
    memcpy(a->whole, a->half, (size_t)m->n_dof * sizeof *x);
    sp_dyn_solve_D_L(m, dyn, a->whole);
    memcpy(a->D_inv, dyn->D_inv, (size_t)m->n_dof * sizeof *x);
}

static void check_machine(const char *text)
{
    static answers by_bodies, by_M;
    rig r = rig_of_text("%s", text);
    const sp_model *m = r.m;
    rng random = {77};
    double worst = 0.0, factor = 0.0, x[MOST], back[MOST];
    assert_true(m->layout.deep && m->n_dof <= MOST);
    for (int c = 0; c < 20; c++) {
        unsigned char held[MOST];
        mix(&random, m->n_q, m->layout.mixed ? 0.01 : 1.0, r.x->q);
        sp_step_normalise(m, r.x->q);
        mix(&random, m->n_dof, 1.0, r.x->u);
        mix(&random, m->n_dof, 1.0, x);
        for (int k = 0; k < m->n_dof; k++) {
            held[k] = c % 2 && rng_in(&random, 0.0, 1.0) < 0.2;
        }
        sp_dyn *dyn = &r.w->dyn;
        sp_dyn_terms(m, r.x->numbers, 0.0, r.x->q, r.x->u, &r.w->kin, dyn);
        assert_true(dyn->recursive);
        ask(m, c % 2 ? held : NULL, x, dyn, &by_bodies);
        sp_dyn_mass(m, r.x->numbers, &r.w->kin, dyn);
        assert_true(!dyn->recursive);
        ask(m, c % 2 ? held : NULL, x, dyn, &by_M);
        worst = check_worse(worst, differ(m->n_dof, by_bodies.diagonal, by_M.diagonal));
        worst = check_worse(worst, differ(m->n_dof, by_bodies.product, by_M.product));
        factor = check_worse(factor, differ(m->n_dof, by_bodies.half, by_M.half));
        factor = check_worse(factor, differ(m->n_dof, by_bodies.D_inv, by_M.D_inv));
        sp_dyn_multiply(m, dyn, by_bodies.whole, back);
        double most = 0.0, heaviest = 0.0, left = 0.0;
        for (int k = 0; k < m->n_dof; k++) {
            const bool out = c % 2 && held[k];
            assert_true(!out || by_bodies.whole[k] == 0.0);
            most = fmax(most, fabs(by_bodies.whole[k]));
            heaviest = fmax(heaviest, by_M.diagonal[k]);
            left = check_worse(left, out ? 0.0 : fabs(back[k] - x[k]));
        }
        worst = check_worse(worst, left / (most * heaviest));
    }
    print_message("%d dofs: differ by %.1e, factors by %.1e\n", m->n_dof, worst, factor);
    assert_true(worst < TOL && factor < FACTOR_TOL);
    rig_free(&r);
}

static void trees_of_the_plane_have_the_M_of_composite_bodies(void **ctx)
{
    (void)ctx;
    check_machine(PLANE);
}

static void trees_in_space_have_the_M_of_composite_bodies(void **ctx)
{
    (void)ctx;
    check_machine(SPACE);
}

static void trees_of_elastic_bodies_have_the_M_of_composite_bodies(void **ctx)
{
    (void)ctx;
    check_machine(BENT("planar", "0", "1e-3 kg*m^2", "{revolute: "));
    check_machine(
        BENT("spatial", "0, 0", "[1e-3, 1e-3, 1e-3]", "{axis: [0.6, 0, 0.8], revolute: "));
}

/* The operator of implicit steps: A x = M x + (A - M) x of the solution is what was solved for. */
static void implicit_operators_of_deep_trees_are_solved_by_bodies(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
        "  rod: {count: 12, beam: {length: 0.2 m, section: {circle: 3 mm}, young: 200 GPa, "
        "density: 7870 kg/m^3}, elastic: {bending: 2, stretch: 1, damping: 1 %%}, joint: "
        "{revolute: rod.(i-1), first: ground, at: [0.2 m, 0], stiffness: 30, damping: 0.1}, "
        "points: {end: "
        "[0.2 m, 0]}}\nrun: {method: moreau, step: 1 ms, implicit: yes, until: 1 s}\n");
    const sp_model *m = r.m;
    rng random = {5};
    double x[MOST], y[MOST], back[MOST];
    rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 3);
    sp_dyn *dyn = &r.w->dyn;
    assert_true(dyn->recursive && dyn->by_A && dyn->implicit->by_body);
    mix(&random, m->n_dof, 1.0, x);
    memcpy(y, x, sizeof x);
    sp_dyn_solve_LT(m, dyn, y);
    sp_dyn_solve_D_L(m, dyn, y);
    sp_dyn_multiply(m, dyn, y, back);
    sp_implicit_add(dyn, y, back);
    const double worst = differ(m->n_dof, back, x);
    print_message("A A^-1 differs from 1 by %.1e\n", worst);
    assert_true(worst < TOL);
    assert_true(r.worst.momentum < 1e-11);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_the_plane_have_the_M_of_composite_bodies),
        cmocka_unit_test(trees_in_space_have_the_M_of_composite_bodies),
        cmocka_unit_test(trees_of_elastic_bodies_have_the_M_of_composite_bodies),
        cmocka_unit_test(implicit_operators_of_deep_trees_are_solved_by_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
