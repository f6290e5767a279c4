/* The passes over the tree that a step makes, against the plain functions one by one; and chains of
 * hinges, for which they are compiled apart, against the same model taken for any tree. */
#include "support/tree.h"

#include <string.h>

/* The same sums in another order: some eps of the largest term. */
#define TOL 1e-13

typedef struct fixture {
    tree t;
    machine c;
    double q[TREE_DOFS], u[TREE_DOFS];
} fixture;

static void random_tree(fixture *f, rng *r)
{
    f->t = tree_random(r, 1 + rng_int(r, 20), rng_in(r, 0.0, 1.0));
    f->c = tree_compile(&f->t, r);
    random_motion(r, f->t.n_dof, f->q, f->u, NULL);
}

/* A chain of n hinges, each about the origin of its body, with springs in some of them. */
static void random_chain(fixture *f, rng *r, int n)
{
    f->t = tree_random(r, n, 1.0);
    for (int i = 0; i < n; i++) {
        f->t.body[i].joint = TREE_REVOLUTE;
        f->t.body[i].parent = i - 1;
        f->t.body[i].from[0] = f->t.body[i].from[1] = 0.0;
    }
    f->c = tree_compile(&f->t, r);
    random_motion(r, f->t.n_dof, f->q, f->u, NULL);
}

static double largest(int n, const double *x)
{
    double s = 1e-300;
    for (int k = 0; k < n; k++) {
        s = fmax(s, fabs(x[k]));
    }
    return s;
}

static void compare(int n, const double *a, const double *b)
{
    const double size = largest(n, b);
    for (int k = 0; k < n; k++) {
        assert_near_scaled(a[k], b[k], size, TOL);
    }
}

static void compare_frames(const sp_model *m, const sp_kin *a, const sp_kin *b)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_frame *f = &a->frame[i], *g = &b->frame[i];
        assert_near_scaled(f->x.x, g->x.x, 100.0, TOL);
        assert_near_scaled(f->x.y, g->x.y, 100.0, TOL);
        assert_near(f->phi, g->phi, TOL);
        assert_near(f->R.c, g->R.c, TOL);
        assert_near(f->R.s, g->R.s, TOL);
        assert_near_scaled(f->c.x, g->c.x, 10.0, TOL);
        assert_near_scaled(f->arm.x, g->arm.x, 10.0, TOL);
        assert_near_scaled(f->own.y, g->own.y, 10.0, TOL);
        assert_near(f->omega, g->omega, TOL);
    }
}

/* Terms and energies of the passes in c, of the plain functions in d. */
static void compare_all(machine *c, machine *d, const double *q, const double *u)
{
    const sp_model *m = c->m;
    const int n = m->n_dof;
    sp_dyn_terms(m, c->num, 0.5, q, u, &c->w->kin, &c->w->dyn);
    sp_kin_positions(m, d->num, q, &d->w->kin);
    sp_kin_velocities(m, u, &d->w->kin);
    sp_kin_bias(m, u, &d->w->kin);
    sp_dyn_mass(m, d->num, &d->w->kin, &d->w->dyn);
    sp_dyn_forces(m, d->num, &d->w->kin, 0.5, q, u, &d->w->dyn);
    compare_frames(m, &c->w->kin, &d->w->kin);
    compare(m->n_packed, c->w->dyn.M, d->w->dyn.M);
    for (int s = 0; s < SP_SHARES; s++) {
        assert_int_equal(c->w->dyn.acts[s], d->w->dyn.acts[s]);
        if (c->w->dyn.acts[s]) {
            compare(n, c->w->dyn.h[s], d->w->dyn.h[s]);
        }
    }
    const double V = sp_dyn_weight(m, d->num, &d->w->kin, &d->w->dyn) +
                     sp_dyn_spring_energy(m, d->num, &d->w->kin, 0.5, q, u, &d->w->dyn);
    double Mu[TREE_DOFS], T = 0.0;
    sp_dyn_multiply(m, &d->w->dyn, u, Mu);
    for (int k = 0; k < n; k++) {
        T += 0.5 * u[k] * Mu[k];
    }
    sp_energy e;
    sp_dyn_energies(m, c->num, 0.5, q, u, &c->w->kin, &c->w->dyn, &e);
    assert_near(e.kinetic, T, 10.0 * TOL);
    assert_near(e.quadratic, T, 10.0 * TOL);
    assert_near_scaled(e.potential, V, 1.0 + T, 100.0 * TOL);
}

static void passes_give_what_the_plain_functions_give(void **ctx)
{
    (void)ctx;
    rng r = {80};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        random_tree(&f, &r);
        sp_work *w;
        assert_int_equal(sp_work_new(f.c.m, NULL, &w, NULL), SP_OK);
        sp_dyn_init(f.c.m, f.c.num, &w->dyn);
        machine plain = {.m = f.c.m, .w = w, .num = f.c.num};
        compare_all(&f.c, &plain, f.q, f.u);
        sp_work_free(w);
        machine_free(&f.c);
    }
}

/* From the frames of a configuration nearby, and of one far away. */
static void energies_find_the_frames_from_anywhere(void **ctx)
{
    (void)ctx;
    rng r = {81};
    for (int k = 0; k < check_cases(100, 2000); k++) {
        static fixture f;
        random_tree(&f, &r);
        double q[TREE_DOFS], way = k % 2 ? 1e-3 : 3.0;
        for (int i = 0; i < f.t.n_dof; i++) {
            q[i] = f.q[i] + way * rng_in(&r, -1.0, 1.0);
        }
        sp_kin_positions(f.c.m, f.c.num, q, &f.c.w->kin);
        sp_energy e;
        sp_dyn_energies(f.c.m, f.c.num, 0.0, f.q, f.u, &f.c.w->kin, &f.c.w->dyn, &e);
        assert_near(e.kinetic, machine_kinetic(&f.c, f.q, f.u), TOL);
        machine_free(&f.c);
    }
}

/* The chain's own code against the general one: the same model, its flag taken away. */
static void chains_are_trees_too(void **ctx)
{
    (void)ctx;
    rng r = {82};
    for (int k = 0; k < check_cases(60, 1000); k++) {
        static fixture f;
        random_chain(&f, &r, 1 + rng_int(&r, 12));
        assert_true(f.c.m->layout.chain);
        sp_model any = *f.c.m;
        any.layout.chain = false;
        sp_work *w;
        assert_int_equal(sp_work_new(&any, NULL, &w, NULL), SP_OK);
        sp_dyn_init(&any, f.c.num, &w->dyn);
        sp_dyn *a = &f.c.w->dyn, *b = &w->dyn;
        const int n = any.n_dof;
        sp_dyn_terms(f.c.m, f.c.num, 0.0, f.q, f.u, &f.c.w->kin, a);
        sp_dyn_terms(&any, f.c.num, 0.0, f.q, f.u, &w->kin, b);
        compare_frames(&any, &f.c.w->kin, &w->kin);
        compare(any.n_packed, a->M, b->M);
        compare(n, a->h[SP_CONSERVATIVE], b->h[SP_CONSERVATIVE]);

        memcpy(b->M, a->M, (size_t)any.n_packed * sizeof(double)); /* the rest to the bit */
        memcpy(b->L, a->L, (size_t)any.n_packed * sizeof(double));
        assert_int_equal(sp_dyn_factor(f.c.m, a, NULL), SP_OK);
        assert_int_equal(sp_dyn_factor(&any, b, NULL), SP_OK);
        assert_memory_equal(a->L, b->L, (size_t)any.n_packed * sizeof(double));
        assert_memory_equal(a->D_inv, b->D_inv, (size_t)n * sizeof(double));
        double x[TREE_DOFS], y[TREE_DOFS], Mx[TREE_DOFS], My[TREE_DOFS];
        memcpy(x, f.u, sizeof x);
        memcpy(y, f.u, sizeof y);
        sp_dyn_solve_LT(f.c.m, a, x);
        sp_dyn_solve_LT(&any, b, y);
        sp_dyn_solve_D_L(f.c.m, a, x);
        sp_dyn_solve_D_L(&any, b, y);
        sp_dyn_multiply(f.c.m, a, x, Mx);
        sp_dyn_multiply(&any, b, y, My);
        assert_memory_equal(x, y, (size_t)n * sizeof(double));
        assert_memory_equal(Mx, My, (size_t)n * sizeof(double));
        sp_work_free(w);
        machine_free(&f.c);
    }
}

/* What is not one chain of hinges about the origins is not taken for one. */
static void other_trees_are_no_chains(void **ctx)
{
    (void)ctx;
    rng r = {83};
    static fixture f;
    for (int what = 0; what < 3; what++) {
        f.t = tree_random(&r, 4, 1.0);
        for (int i = 0; i < 4; i++) {
            f.t.body[i].joint = what == 0 && i == 2 ? TREE_PRISMATIC : TREE_REVOLUTE;
            f.t.body[i].parent = what == 1 && i == 3 ? 1 : i - 1;
            f.t.body[i].from[0] = what == 2 && i == 1 ? 0.1 : 0.0;
            f.t.body[i].from[1] = 0.0;
        }
        f.c = tree_compile(&f.t, &r);
        assert_false(f.c.m->layout.chain);
        machine_free(&f.c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_give_what_the_plain_functions_give),
        cmocka_unit_test(energies_find_the_frames_from_anywhere),
        cmocka_unit_test(chains_are_trees_too),
        cmocka_unit_test(other_trees_are_no_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
