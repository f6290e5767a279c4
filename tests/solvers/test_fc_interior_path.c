/* The path of the interior points: its derivatives against differences, and following it through
 * turning points. */
#include "solvers/fc_interior_parts.h"

#include "support/check.h"
#include "support/piles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An island with an iterate of its own. */
typedef struct bench {
    pile a;
    sp_fc_stack stack;
    sp_fc_island l;
    sp_fc_goal g;
    sp_fc_interior w;
} bench;

/* Discs with friction mu and a random definite matrix: a solution exists. */
static pile definite(rng *r, int n_contact, double mu)
{
    enum { MOST = 24 };
    double B[MOST][MOST], G[MOST][MOST];
    const int n = 3 * n_contact;
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    sp_set *set = SP_NEW(&a.arena, sp_set, n_contact);
    int *row = SP_NEW(&a.arena, int, n_contact);
    double *c = SP_NEW(&a.arena, double, n);
    for (int i = 0; i < n; i++) {
        c[i] = rng_in(r, -1.0, 1.0);
        for (int k = 0; k < n; k++) {
            B[i][k] = rng_in(r, -1.0, 1.0);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            G[i][k] = i == k ? 0.1 : 0.0;
            for (int e = 0; e < n; e++) {
                G[i][k] += B[i][e] * B[k][e];
            }
        }
    }
    for (int i = 0; i < n_contact; i++) {
        set[i] = sp_set_disc(mu);
    }
    a.p.n_contact = n_contact;
    a.p.n = sp_fc_rows(n_contact, set, row);
    a.p.set = set;
    a.p.row = row;
    a.p.c = c;
    assert_int_equal(SP_OK, sp_fc_from_dense(&a.p, &G[0][0], MOST, 1, &a.arena, NULL));
    return a;
}

/* Memory of a direction. */
static sp_fc_direction direction(sp_fc_stack *stack, int n)
{
    return (sp_fc_direction){SP_TAKE(stack, double, n), SP_TAKE(stack, double, n),
                             SP_TAKE(stack, double, n)};
}

/* All contacts of the pile as one island, the iterate at x = z = e. */
static void begin(bench *b, pile a)
{
    memset(b, 0, sizeof *b);
    b->a = a;
    sp_arena_init(&b->stack.arena, NULL, 0);
    int *all = SP_TAKE(&b->stack, int, a.p.n_contact);
    for (int i = 0; i < a.p.n_contact; i++) {
        all[i] = i;
    }
    assert_int_equal(1, sp_fc_island_take(&a.p, a.p.n_contact, all, all, 1.0, &b->stack, &b->l));
    const int n = b->l.n;
    b->g = (sp_fc_goal){.measure = SP_FC_SCALED, .tol = 1e-10, .c_norm = 1.0, .effort = 1.0};
    b->w = (sp_fc_interior){.x = SP_TAKE(&b->stack, double, n),
                            .z = SP_TAKE(&b->stack, double, n),
                            .p = SP_TAKE(&b->stack, double, n),
                            .r = SP_TAKE(&b->stack, double, n),
                            .b = SP_TAKE(&b->stack, double, n),
                            .u = SP_TAKE(&b->stack, double, n),
                            .d = direction(&b->stack, n),
                            .t = direction(&b->stack, n),
                            .s = direction(&b->stack, n),
                            .scale = SP_TAKE(&b->stack, sp_fc_scaling, a.p.n_contact),
                            .size = 1.0,
                            .last = {SP_TAKE(&b->stack, double, 3 * n), INFINITY}};
    b->w.place[0].at = SP_TAKE(&b->stack, double, 3 * n);
    assert_int_equal(1, sp_fc_linear_prepare(&b->l, 1e7, &b->stack, &b->w.linear));
    memset(b->w.x, 0, (size_t)n * sizeof(double));
    memset(b->w.z, 0, (size_t)n * sizeof(double));
    memset(b->w.p, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < a.p.n_contact; i++) {
        const int k = b->l.row[i];
        b->w.x[k] = b->w.z[k] = 1.0;
        b->w.p[k] = 1.0 / sp_fc_first_scale(&b->l, i);
    }
}

static void end(bench *b)
{
    sp_arena_free(&b->stack.arena);
    pile_free(&b->a);
}

/* The largest defect of (29.1) at sigma, in parts of its root. */
static double off_path(bench *b)
{
    const double root = sqrt(b->w.gap);
    double worst = 0.0;
    sp_fc_interior_defect(&b->l, &b->w);
    for (int i = 0; i < b->l.n_contact; i++) {
        const int k = b->l.row[i], dim = sp_fc_cone_rows(&b->l, i);
        double v[3];
        sp_fc_cone_product(dim, b->w.x + k, b->w.z + k, v);
        for (int a = 0; a < dim; a++) {
            worst = fmax(worst, fabs(b->w.r[k + a]) / root);
            worst = fmax(worst, fabs(v[a] - (a ? 0.0 : b->w.gap)) / b->w.gap);
        }
    }
    return worst;
}

/* Newton's method at fixed sigma until nothing changes; 0 if it does not come there. */
static int onto(bench *b, double sigma)
{
    b->w.gap = sigma;
    b->w.eps = 0.01 * sigma;
    for (int k = 0; k < 200; k++) {
        sp_fc_interior_defect(&b->l, &b->w);
        if (!sp_fc_interior_factor(&b->l, &b->g, &b->w)) {
            return 0;
        }
        sp_fc_interior_aim(&b->l, &b->w, sigma, 0);
        sp_fc_interior_direction(&b->l, &b->w);
        const double step = sp_fc_interior_reach(&b->l, &b->w);
        for (int e = 0; e < b->l.n; e++) {
            b->w.x[e] += step * b->w.d.x[e];
            b->w.z[e] += step * b->w.d.z[e];
            b->w.p[e] += step * b->w.d.p[e];
        }
        if (step == 1.0 && off_path(b) < 1e-11) {
            return 1;
        }
    }
    return 0;
}

static void derivatives_are_those_of_the_path_by_differences(void **ctx)
{
    (void)ctx;
    const double h = 1e-3, sigma = 3e-2;
    rng r = {3};
    for (int problem = 0; problem < 5; problem++) {
        bench b;
        begin(&b, definite(&r, 4, 0.5));
        const int n = b.l.n;
        double *at[3];
        for (int k = 0; k < 3; k++) { /* sigma e^-h, sigma, sigma e^h */
            at[k] = SP_TAKE(&b.stack, double, n);
            assert_int_equal(1, onto(&b, sigma * exp((k - 1) * h)));
            memcpy(at[k], b.w.z, (size_t)n * sizeof(double));
        }
        assert_int_equal(1, onto(&b, sigma));
        sp_fc_interior_factor(&b.l, &b.g, &b.w);
        sp_fc_interior_first(&b.l, &b.w);
        sp_fc_interior_direction(&b.l, &b.w);
        memcpy(b.w.t.z, b.w.d.z, (size_t)n * sizeof(double));
        sp_fc_interior_second(&b.l, &b.w);
        sp_fc_interior_direction(&b.l, &b.w);
        double size = 0.0, first = 0.0, bend = 0.0, second = 0.0;
        for (int e = 0; e < n; e++) {
            const double t = (at[2][e] - at[0][e]) / (2.0 * h);
            const double s = (at[2][e] - 2.0 * at[1][e] + at[0][e]) / (h * h);
            size = fmax(size, fabs(t));
            first = fmax(first, fabs(b.w.t.z[e] - t));
            bend = fmax(bend, fabs(s));
            second = fmax(second, fabs(b.w.d.z[e] - s));
        }
        /* differences err by h^2 times the third and fourth derivative; eps is left out of the
         * second one, a hundredth of z */
        assert_true(first < 10.0 * h * h * size);
        assert_true(second < 0.02 * bend);
        end(&b);
    }
}

static void following_keeps_to_the_path_and_ends_at_solutions(void **ctx)
{
    (void)ctx;
    rng r = {5};
    int turns = 0, near = 0, steps = 0;
    for (int k = 0; k < check_cases(500, 5000); k++) {
        bench b;
        begin(&b, definite(&r, 6, rng_in(&r, 0.3, 3.0)));
        assert_int_equal(1, onto(&b, 1.0));
        sp_fc_interior_remember(&b.l, &b.w);
        assert_int_equal(1, sp_fc_interior_go_back(&b.l, &b.w));
        b.w.jam = 0.0; /* it is never left */
        int sign = 0, on_path = 0;
        for (int i = 0; i < 1000 && b.w.gap > 1e-8; i++) {
            b.w.eps = 0.01 * b.w.gap;
            assert_true(sp_fc_interior_follow(&b.l, &b.g, &b.w) > 0.0);
            turns += sign && b.w.sign != sign;
            sign = b.w.sign;
            on_path += off_path(&b) < 0.5;
            steps++;
        }
        near += on_path;
        assert_true(b.w.gap <= 1e-8);
        sp_fc_island_project(&b.l, b.w.p);
        /* percussions or velocities of contacts between two states are the root of sigma */
        assert_true(sp_fc_island_judge(&b.l, &b.g, b.w.p, b.w.u) < 1e-3);
        end(&b);
    }
    printf("%d turns of the path; %d of %d steps on it\n", turns, near, steps);
    assert_true(turns > 0);
    assert_true(2 * near > steps); /* the others are where sigma falls faster than Newton follows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_path_by_differences),
        cmocka_unit_test(following_keeps_to_the_path_and_ends_at_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
