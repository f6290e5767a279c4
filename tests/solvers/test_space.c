/* sp_solve with spatial friction: closed forms of a sliding body, planar and spatial contacts in
 * one problem, warm starts, memory. */
#include "certify/fc_certificate.h"
#include "solvers/fc.h"
#include "support/piles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, ROWS = 40 };

/* A dense problem with its memory. */
typedef struct fixture {
    sp_problem p;
    sp_solution s;
    sp_set set[MOST];
    int row[MOST];
    double G[ROWS * ROWS], c[ROWS], P[ROWS];
    unsigned char status[MOST];
    void *work;
} fixture;

/* A problem of these sets, rows in order, G = 0. */
static fixture *make(int n_contact, const sp_set *set)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    for (int i = 0; i < n_contact; i++) {
        f->set[i] = set[i];
        f->row[i] = f->p.n;
        f->p.n += sp_set_dim(&set[i]);
        f->status[i] = SP_STATUS_UNKNOWN;
    }
    f->p.n_contact = n_contact;
    f->p.ld = f->p.n;
    f->p.set = f->set;
    f->p.row = f->row;
    f->p.G = f->G;
    f->p.c = f->c;
    f->s.P = f->P;
    f->s.status = f->status;
    f->work = malloc(sp_solve_work(n_contact, f->p.n));
    assert_non_null(f->work);
    return f;
}

static void drop(fixture *f)
{
    free(f->work);
    free(f);
}

/* The heap's problem as a dense one. */
static fixture *from_heap(const pile *a)
{
    fixture *f = make(a->p.n_contact, a->p.set);
    for (int i = 0; i < a->p.n_contact; i++) {
        for (int k = a->p.G.start[i]; k < a->p.G.start[i + 1]; k++) {
            const int j = a->p.G.column[k], cols = sp_set_dim(&a->p.set[j]);
            for (int e = 0; e < sp_set_dim(&a->p.set[i]) * cols; e++) {
                f->G[(a->p.row[i] + e / cols) * f->p.n + a->p.row[j] + e % cols] =
                    a->p.G.value[a->p.G.at[k] + (size_t)e];
            }
        }
    }
    memcpy(f->c, a->p.c, (size_t)f->p.n * sizeof *f->c);
    return f;
}

/* The scaled residual of f's solution by the code that no solver uses. */
static double certified(const fixture *f)
{
    int start[MOST + 1], column[MOST * MOST], n = 0;
    size_t at[MOST * MOST], used = 0;
    static double value[ROWS * ROWS];
    double scratch[ROWS + 2 * MOST];
    for (int i = 0; i < f->p.n_contact; i++) {
        start[i] = n;
        for (int j = 0; j < f->p.n_contact; j++) {
            column[n] = j;
            at[n++] = used;
            for (int e = 0; e < sp_set_dim(&f->set[i]) * sp_set_dim(&f->set[j]); e++) {
                const int cols = sp_set_dim(&f->set[j]);
                value[used++] = f->G[(f->row[i] + e / cols) * f->p.n + f->row[j] + e % cols];
            }
        }
    }
    start[f->p.n_contact] = n;
    sp_fc_certificate out;
    const sp_fc p = {.n_contact = f->p.n_contact,
                     .n = f->p.n,
                     .set = f->set,
                     .row = f->row,
                     .c = f->c,
                     .G = {start, column, at, value}};
    sp_certify_fc(&p, f->P, scratch, &out);
    return out.scaled;
}

/* A block of mass 2 that comes down with 1 and slides with 3 (3, 4)/5: mu = 0.5 takes 0.5 of the
 * speed, mu = 4 all of it; from every guess. */
static void a_block_slides_or_stops(void **ctx)
{
    (void)ctx;
    for (int stops = 0; stops < 2; stops++) {
        for (unsigned char guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
            const sp_set set = sp_set_disc(stops ? 4.0 : 0.5);
            fixture *f = make(1, &set);
            for (int a = 0; a < 3; a++) {
                f->G[4 * a] = 0.5;
                f->P[a] = guess == SP_SLIP_NEG ? NAN : 1.0;
            }
            f->c[0] = -1.0;
            f->c[1] = 1.8;
            f->c[2] = 2.4;
            f->status[0] = guess;
            assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
            const double friction = stops ? -6.0 : -1.0;
            assert_near(f->P[0], 2.0, 1e-14);
            assert_near(f->P[1], 0.6 * friction, 1e-13);
            assert_near(f->P[2], 0.8 * friction, 1e-13);
            assert_int_equal(stops ? SP_STICK : SP_SLIP_POS, f->status[0]);
            assert_int_equal(SP_SOLVED, f->s.result);
            assert_string_equal("space", f->s.method);
            drop(f);
        }
    }
}

/* Planar contacts, joints and discs, coupled; rows of the contacts in another order than the
 * contacts. */
static void planar_and_spatial_contacts_stand_in_one_problem(void **ctx)
{
    (void)ctx;
    enum { DOF = 14 };
    const int cases = check_cases(300, 20000);
    int slips = 0, together = 0;
    rng r = {5};
    for (int k = 0; k < cases; k++) {
        sp_set set[5] = {sp_set_planar(rng_in(&r, 0.0, 1.0)), sp_set_disc(rng_in(&r, 0.0, 1.0)),
                         sp_set_free(), sp_set_disc(rng_in(&r, 0.0, 1.0)),
                         sp_set_interval(-0.1, 0.1)};
        fixture *f = make(5, set);
        double W[10][DOF], u[DOF];
        const int row[5] = {3, 0, 9, 5, 8}; /* disc, planar, disc, interval, free */
        memcpy(f->row, row, sizeof row);
        for (int d = 0; d < DOF; d++) {
            u[d] = rng_in(&r, -1.0, 1.0);
            for (int a = 0; a < 10; a++) {
                W[a][d] = rng_in(&r, -1.0, 1.0);
            }
        }
        for (int a = 0; a < 10; a++) {
            for (int d = 0; d < DOF; d++) {
                f->c[a] += W[a][d] * u[d];
                for (int b = 0; b < 10; b++) {
                    f->G[10 * a + b] += W[a][d] * W[b][d];
                }
            }
        }
        assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
        assert_true(f->s.residual <= SP_SOLVE_TOL);
        assert_true(certified(f) <= 1.1 * SP_SOLVE_TOL);
        slips += f->status[1] == SP_SLIP_POS;
        together += f->status[0] != SP_OPEN && f->status[1] != SP_OPEN && f->status[3] != SP_OPEN;
        drop(f);
    }
    assert_true(slips > cases / 20 && together > cases / 20);
}

/* The states and percussions of a nearby problem save work; a wrong guess costs no solution. */
static void the_last_solution_is_a_start(void **ctx)
{
    (void)ctx;
    const int cases = check_cases(300, 10000);
    long cold = 0, warm = 0, again = 0;
    int solved = 0;
    for (int k = 0; k < cases; k++) {
        rng r = {(uint64_t)k + 1};
        pile a = pile_random(&r);
        fixture *f = from_heap(&a);
        if (a.consistent && sp_solve(&f->p, &f->s, f->work, NULL) == SP_OK) {
            double P[ROWS];
            unsigned char status[MOST];
            memcpy(P, f->P, sizeof P);
            memcpy(status, f->status, sizeof status);
            assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
            again += f->s.pivots;
            for (int e = 0; e < f->p.n; e++) {
                f->c[e] *= 1.01; /* all velocities and percussions grow */
            }
            assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
            assert_true(certified(f) <= 1.1e-10);
            warm += f->s.pivots;
            memset(f->status, SP_STATUS_UNKNOWN, MOST);
            assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
            cold += f->s.pivots;
            for (int i = 0; i < f->p.n_contact; i++) {
                f->status[i] = (unsigned char)rng_int(&r, 5);
            }
            assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
            assert_true(certified(f) <= 1.1e-10);
            solved++;
        }
        drop(f);
        pile_free(&a);
    }
    assert_true(solved > cases / 2);
    assert_int_equal(0, again); /* the start is the solution */
    assert_true(2 * warm < cold);
    printf("  %d heaps: %ld iterations from a nearby solution, %ld cold\n", solved, warm, cold);
}

/* A box at rest on four corners, c nothing but round-off of velocities of size 1, 1e-13 of it. */
static void round_off_is_no_velocity(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_disc(0.3), sp_set_disc(0.3)};
    fixture *f = make(2, set);
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            f->G[6 * a + b] = a % 3 == b % 3 ? 1.0 : 0.0; /* dependent contacts */
        }
    }
    const double c[6] = {-1e-15, 2e-16, 1e-16, -1.3e-15, 1e-16, -1e-16}; /* not even consistent */
    memcpy(f->c, c, sizeof c);
    f->p.xi_scale = 1.0;
    assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
    assert_true(fabs(f->P[0]) < 1e-14);
    f->p.xi_scale = 0.0;
    assert_true(sp_solve(&f->p, &f->s, f->work, NULL) != SP_OK || f->s.residual <= 1e-10);
    drop(f);
}

/* A set that is moved, and nothing else: P = shift is the only percussion, xi = G shift + c. */
static void a_moved_set_needs_no_velocity(void **ctx)
{
    (void)ctx;
    sp_set set = sp_set_disc(0.5);
    set.shifted = 1;
    set.shift[0] = 2.0;
    set.shift[1] = 0.25;
    fixture *f = make(1, &set);
    f->G[0] = f->G[4] = f->G[8] = 1.0;
    assert_int_equal(SP_OK, sp_solve(&f->p, &f->s, f->work, NULL));
    assert_near(f->P[0], 2.0, 1e-14);
    assert_near(f->P[1], 0.25, 1e-14);
    assert_near(f->P[2], 0.0, 1e-14);
    drop(f);
}

/* One body between floor and ceiling that both want to throw it away. */
static void what_contradicts_itself_is_proved(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_disc(0.1), sp_set_disc(0.1)};
    fixture *f = make(2, set);
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            f->G[6 * a + b] = a % 3 != b % 3 ? 0.0 : a % 3 == 0 && a != b ? -1.0 : 1.0;
        }
    }
    f->c[0] = f->c[3] = -1.0;
    assert_int_equal(SP_E_INFEASIBLE, sp_solve(&f->p, &f->s, f->work, NULL));
    assert_int_equal(SP_INFEASIBLE, f->s.result);
    assert_true(f->P[0] > 0.0 && f->P[3] > 0.0); /* y'c < 0, y'G = 0 */
    assert_near_scaled(f->P[0], f->P[3], f->P[0], 1e-6);
    assert_true(f->P[1] == 0.0 && f->P[2] == 0.0 && f->P[4] == 0.0 && f->P[5] == 0.0);
    drop(f);
}

/* Memory that counts. */
static void *counting_alloc(void *n, size_t bytes)
{
    ++*(int *)n;
    return malloc(bytes);
}

static void counting_release(void *n, void *block)
{
    (void)n;
    free(block);
}

static void after_the_first_problem_of_its_kind_nothing_is_allocated(void **ctx)
{
    (void)ctx;
    int calls = 0;
    const sp_allocator counting = {counting_alloc, counting_release, &calls};
    sp_fc_work space = {.allocator = &counting};
    for (int round = 0; round < 2; round++) {
        for (uint64_t seed = 1; seed <= 60; seed++) {
            rng r = {seed};
            pile a = pile_random(&r);
            fixture *f = from_heap(&a);
            f->p.space = &space;
            (void)sp_solve(&f->p, &f->s, f->work, NULL);
            drop(f);
            pile_free(&a);
        }
        assert_true(round ? calls == 0 : calls > 0);
        calls = 0;
    }
    sp_fc_work_free(&space);
}

static void bad_numbers_are_named(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_disc(0.5);
    fixture *f = make(1, &set);
    sp_error err = {.status = SP_OK};
    f->G[0] = f->G[4] = 1.0;
    f->G[8] = NAN;
    f->c[0] = -1.0;
    assert_int_equal(SP_E_NONFINITE, sp_solve(&f->p, &f->s, f->work, &err));
    assert_int_equal(SP_NOT_SOLVED, f->s.result);
    f->set[0].mu = -1.0;
    assert_int_equal(SP_E_INPUT, sp_solve(&f->p, &f->s, f->work, &err));
    assert_non_null(strstr(err.text, "mu"));
    drop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_or_stops),
        cmocka_unit_test(planar_and_spatial_contacts_stand_in_one_problem),
        cmocka_unit_test(the_last_solution_is_a_start),
        cmocka_unit_test(round_off_is_no_velocity),
        cmocka_unit_test(a_moved_set_needs_no_velocity),
        cmocka_unit_test(what_contradicts_itself_is_proved),
        cmocka_unit_test(after_the_first_problem_of_its_kind_nothing_is_allocated),
        cmocka_unit_test(bad_numbers_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
