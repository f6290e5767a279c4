/* Proofs that there is no solution, checked branch by branch from the contact law; and solutions
 * found where there is one. */
#include "solvers/fc_search.h"

#include "support/check.h"
#include "support/piles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = SP_FC_SEARCH_CONTACTS, ANGLES = 33, LEAVES = 60000 };

/* What must be left of c, as part of c and y; and percussions, in units of c, up to which round-off
 * cannot make up for it. */
#define GAIN  0.5e-9
#define REACH 1e5

/* An island of all contacts of a heap, and the branches that were proved empty. */
typedef struct search_case {
    pile a;
    sp_fc_stack stack;
    sp_fc_island l;
    double p[3 * CONTACTS + 1], error;
    int n_leaf, wrong;
    sp_fc_branch (*leaf)[CONTACTS];
} search_case;

static void set_up(search_case *s, pile a)
{
    static const int all[CONTACTS] = {0, 1, 2, 3, 4, 5, 6, 7};
    memset(s, 0, sizeof *s);
    s->a = a;
    s->error = INFINITY;
    s->leaf = malloc(LEAVES * sizeof *s->leaf);
    sp_arena_init(&s->stack.arena, NULL, 0);
    assert_int_equal(1, sp_fc_island_take(&s->a.p, a.p.n_contact, all, all, 1.0, &s->stack, &s->l));
}

static void tear_down(search_case *s)
{
    free(s->leaf);
    sp_arena_free(&s->stack.arena);
    pile_free(&s->a);
}

/* t = G'y of the island. */
static void times_transposed(const sp_fc_island *l, const double *y, double *t)
{
    memset(t, 0, (size_t)l->n * sizeof *t);
    for (int i = 0; i < l->n_contact; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b], rows = l->row[i + 1] - l->row[i];
            const int cols = l->row[j + 1] - l->row[j];
            for (int e = 0; e < rows * cols; e++) {
                t[l->row[j] + e % cols] += l->G[l->at[b] + e] * y[l->row[i] + e / cols];
            }
        }
    }
}

/* The largest t.p over percussions with p_N = 1 and the least y.u over velocities of size one that
 * a contact could have in this branch, by the law itself. */
static void extremes(const sp_set *set, int dim, const sp_fc_branch *b, const double *t,
                     const double *y, double *most, double *least)
{
    const double mu = dim > 1 ? set->mu : 0.0;
    *most = b->does == SP_FC_DOES_STICK || b->does == SP_FC_DOES_ANY ? t[0] : -INFINITY;
    *least = b->does == SP_FC_DOES_OPEN || b->does == SP_FC_DOES_ANY ? y[0] : INFINITY;
    for (int k = 0; k < ANGLES && b->does != SP_FC_DOES_OPEN; k++) {
        const double angle = b->from + (b->to - b->from) * k / (ANGLES - 1);
        const double d[2] = {cos(angle), dim == 3 ? sin(angle) : 0.0};
        const double side = b->does == SP_FC_DOES_SLIP ? -mu : mu;
        const double tangent = dim > 1 ? t[1] * d[0] + (dim == 3 ? t[2] * d[1] : 0.0) : 0.0;
        *most = fmax(*most, t[0] + side * tangent);
        if (b->does == SP_FC_DOES_SLIP) {
            *least = fmin(*least, y[1] * d[0] + (dim == 3 ? y[2] * d[1] : 0.0));
        }
    }
}

/* y.c < 0, y.(G p) <= 0 and y.u >= 0 for all that this branch allows: it is empty. */
static void check_leaf(void *data, const sp_fc_branch *branch, const double *y)
{
    search_case *s = (search_case *)data;
    const sp_fc_island *l = &s->l;
    double t[3 * CONTACTS], size = 0.0, c_size = 0.0, gain = 0.0;
    times_transposed(l, y, t);
    for (int k = 0; k < l->n; k++) {
        size = fmax(size, fabs(y[k]));
        c_size = fmax(c_size, fabs(l->c[k]));
        gain -= y[k] * l->c[k];
    }
    int good = size > 0.0 && gain > GAIN * size * c_size;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        const int restricted =
            branch[i].does == SP_FC_DOES_STICK || branch[i].does == SP_FC_DOES_SLIP;
        double most, least;
        extremes(&l->set[i], dim, &branch[i], t + k, y + k, &most, &least);
        good &= REACH * most * c_size <= gain && -REACH * least * c_size <= gain;
        for (int a = 1; a < dim; a++) { /* tangential velocities of the others may be anything */
            good &= (restricted && l->set[i].mu > 0.0) || y[k + a] == 0.0;
        }
    }
    s->wrong += !good;
    if (s->n_leaf < LEAVES) {
        memcpy(s->leaf[s->n_leaf++], branch, sizeof s->leaf[0]);
    }
}

/* Whether the branch holds what is drawn for every contact. */
static int holds(const search_case *s, const sp_fc_branch *b, const sp_fc_branch *drawn)
{
    for (int i = 0; i < s->l.n_contact; i++) {
        if (b[i].does != SP_FC_DOES_ANY &&
            (b[i].does != drawn[i].does ||
             (b[i].does != SP_FC_DOES_OPEN && s->l.set[i].mu > 0.0 &&
              !(drawn[i].from >= b[i].from && drawn[i].from <= b[i].to)))) {
            return 0;
        }
    }
    return 1;
}

/* Anything the contacts could do is in one of the branches. */
static void check_cover(const search_case *s, rng *r)
{
    for (int k = 0; k < 50; k++) {
        sp_fc_branch drawn[CONTACTS];
        int found = 0;
        for (int i = 0; i < s->l.n_contact; i++) {
            const sp_set *set = &s->l.set[i];
            const int slides = sp_set_dim(set) > 1 && set->mu > 0.0, plane = sp_set_dim(set) < 3;
            drawn[i].does =
                slides ? (sp_fc_does)(1 + rng_int(r, 3)) : (sp_fc_does)(1 + rng_int(r, 2));
            drawn[i].from =
                plane ? (rng_flip(r) ? 0.0 : acos(-1.0)) : rng_in(r, 0.0, 2.0 * acos(-1.0));
        }
        for (int m = 0; m < s->n_leaf && !found; m++) {
            found = holds(s, s->leaf[m], drawn);
        }
        assert_true(found);
    }
}

static void every_branch_of_a_heap_without_solution_is_proved_empty(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(1200, 20000);
    int none = 0, leaves = 0, unclear = 0;
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k * 104729 + 17};
        pile a = k % 4 ? pile_random(&r) : pile_random_planar(&r);
        if (a.consistent) {
            pile_free(&a);
            continue;
        }
        search_case s;
        set_up(&s, a);
        sp_fc_goal g = {.measure = SP_FC_SCALED, .tol = 1e-10, .c_norm = 1.0, .effort = 1.0};
        const sp_fc_search_end end =
            sp_fc_search(&s.l, &g, s.p, &s.error, check_leaf, &s, &s.stack);
        unclear += end == SP_FC_SEARCH_UNCLEAR;
        assert_int_equal(0, s.wrong);
        if (end == SP_FC_SEARCH_NONE) {
            check_cover(&s, &r);
            none++;
            leaves += s.n_leaf;
        }
        tear_down(&s);
    }
    printf("heaps of different restitution: %d without solution, %d branches, %d unclear\n", none,
           leaves, unclear);
    assert_true(none > 0 && leaves > none);
    assert_int_equal(0, unclear);
}

static void a_heap_with_a_solution_is_never_proved_empty(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(400, 20000);
    int found = 0, tried = 0;
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k * 7907 + 11};
        pile a = k % 2 ? pile_random(&r) : pile_random_planar(&r);
        if (!a.consistent) {
            pile_free(&a);
            continue;
        }
        search_case s;
        set_up(&s, a);
        sp_fc_goal g = {.measure = SP_FC_SCALED,
                        .tol = 1e-10,
                        .c_norm = 1.0,
                        .effort = 0.05}; /* some branches only */
        const sp_fc_search_end end = sp_fc_search(&s.l, &g, s.p, &s.error, NULL, NULL, &s.stack);
        assert_int_not_equal(SP_FC_SEARCH_NONE, end);
        found += end == SP_FC_SEARCH_FOUND;
        tried++;
        tear_down(&s);
    }
    printf("heaps with a solution: %d of %d found\n", found, tried);
    assert_true(10 * found > 9 * tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_branch_of_a_heap_without_solution_is_proved_empty),
        cmocka_unit_test(a_heap_with_a_solution_is_never_proved_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
