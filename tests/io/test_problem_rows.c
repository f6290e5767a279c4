/* Problems of all kinds of rows, told in the terms of FCLIB, are the same problems: solutions of
 * one are solutions of the other, and what has none has none there. */
#include "certify/fc_certificate.h"
#include "io/problem_rows.h"
#include "solvers/natural.h"
#include "solvers/problem.h"
#include "solvers/random_mixed.h"
#include "test_problem.h"

#include <unistd.h>

/* Rows of a file: three for every set of two contacts at most. */
enum { FILE_ROWS = 6 * MIXED_SETS };

static char path[64];

/* One problem and what became of it in the file. */
typedef struct twofold {
    random_mixed own;
    sp_fc blocks, back; /* the own one, the one read from the file */
    sp_problem_rows rows;
    sp_problem_file file;
    sp_arena arena;
} twofold;

/* Write the problem of t->own, with its solution P or NULL, and read it again. */
static void write_and_read(twofold *t, const double *P)
{
    sp_error err = {.status = SP_OK};
    const sp_problem *d = &t->own.p;
    t->blocks =
        (sp_fc){.n_contact = d->n_contact, .n = d->n, .set = d->set, .row = t->own.row, .c = d->c};
    ASSERT_OK(sp_fc_from_dense(&t->blocks, d->G, (size_t)d->ld, 1, &t->arena, &err));
    ASSERT_OK(sp_problem_rows_find(&t->blocks, &t->arena, &t->rows, &err));
    ASSERT_OK(sp_problem_write(path, &t->blocks, P, "a test", &err));
    ASSERT_OK(sp_problem_read(path, &t->arena, &t->file, &err));
    ASSERT_OK(sp_problem_pose(&t->file, &t->arena, &t->back, &err));
    remove(path);
    assert_int_equal(t->back.n, sp_problem_rows_count(&t->rows));
}

/* How well P solves a problem, by code that no solver uses; xi: n, out. */
static double certified(const sp_fc *p, const double *P, double *xi)
{
    double scratch[3 * FILE_ROWS];
    sp_fc_certificate found;
    sp_certify_fc(p, P, scratch, &found);
    memcpy(xi, scratch, (size_t)p->n * sizeof *xi);
    return found.scaled;
}

/* The percussions of the own problem out of those of the file. */
static void bring_back(const twofold *t, const double *r, double *P)
{
    const sp_problem_rows *w = &t->rows;
    for (int k = 0; k < t->own.p.n; k++) {
        P[k] = w->shift[k] + w->sign[w->place[k]] * r[w->place[k]];
        P[k] += w->twin[k] >= 0 ? w->sign[w->twin[k]] * r[w->twin[k]] : 0.0;
    }
}

/* What was seen on the way. */
typedef struct tally {
    int solved, infeasible, unsolved, missed, opposed, intervals, shifted, n_free;
    double worst, worst_back;
} tally;

/* The solution of the own problem solves that of the file, and moves as it does. */
static void compare_solution(twofold *t, const double *P, tally *n)
{
    double xi[MIXED_ROWS], xi_file[FILE_ROWS];
    const double *r = sp_problem_rows_r(&t->rows, P, &t->arena);
    const double *u = sp_problem_rows_u(&t->rows, P, &t->arena);
    n->worst = check_worse(n->worst, certified(&t->back, r, xi_file));
    sp_natural_xi(&t->own.p, P, xi);
    for (int k = 0; k < t->own.p.n; k++) {
        const int at = t->rows.place[k];
        double size = fabs(xi[k]) + fabs(t->own.c[k]);
        for (int j = 0; j < t->own.p.n; j++) {
            size += fabs(t->own.G[k * t->own.p.n + j]) * (fabs(P[j]) + fabs(t->rows.shift[j]));
        }
        assert_near_scaled(xi_file[at], t->rows.sign[at] * xi[k], size, 1e-13);
        assert_near_scaled(u[at], t->rows.sign[at] * xi[k], size, 1e-13);
    }
}

/* The solution found in the file solves the own problem; the two agree that there is one. */
static void compare_status(twofold *t, sp_status own, tally *n)
{
    double r[FILE_ROWS] = {0.0}, P[MIXED_ROWS], xi[MIXED_ROWS];
    unsigned char status[FILE_ROWS];
    sp_fc_work work = {0};
    const sp_fc_options o = {.tol = 1e-11};
    sp_fc_solution s = {.P = r, .status = status};
    const sp_status other = sp_fc_solve(&t->back, &o, &s, &work, NULL);
    sp_fc_work_free(&work);
    n->missed += own == SP_OK && other == SP_E_NOT_CONVERGED;
    assert_false(own == SP_OK && other == SP_E_INFEASIBLE);
    assert_false(own == SP_E_INFEASIBLE && other == SP_OK);
    if (other == SP_OK) {
        bring_back(t, r, P);
        n->worst_back = check_worse(n->worst_back, certified(&t->blocks, P, xi));
    }
}

/* Count what the problem has. */
static void count_kinds(const twofold *t, tally *n)
{
    bool interval = false, opposed = false;
    for (int i = 0; i < t->own.p.n_contact; i++) {
        interval = interval || t->own.set[i].kind == SP_SET_INTERVAL;
    }
    for (int k = 0; k < t->own.p.n; k++) {
        opposed = opposed || t->rows.twin[k] >= 0;
    }
    n->intervals += interval;
    n->opposed += opposed;
    n->shifted += t->own.shifted;
    n->n_free += t->own.n_free > 0;
}

static void problems_of_all_kinds_keep_their_solutions(void **ctx)
{
    uint64_t state = 4711;
    tally n = {0};
    static char work[1 << 20];
    (void)ctx;
    const int cases = check_cases(400, 20000);
    for (int k = 0; k < cases; k++) {
        twofold t;
        double P[MIXED_ROWS] = {0.0};
        unsigned char status[MIXED_SETS];
        memset(status, SP_STATUS_UNKNOWN, sizeof status);
        sp_solution s = {.P = P, .status = status};
        sp_arena_init(&t.arena, NULL, 0);
        mixed_make(&state, &t.own);
        assert_true(sp_solve_work(t.own.p.n_contact, t.own.p.n) <= sizeof work);
        const sp_status own = sp_solve(&t.own.p, &s, work, NULL);
        write_and_read(&t, own == SP_OK ? P : NULL);
        count_kinds(&t, &n);
        n.solved += own == SP_OK;
        n.infeasible += own == SP_E_INFEASIBLE;
        n.unsolved += own == SP_E_NOT_CONVERGED;
        if (own == SP_OK) {
            compare_solution(&t, P, &n);
        }
        compare_status(&t, own, &n);
        sp_arena_free(&t.arena);
    }
    print_message(
        "%d problems: %d solved, %d infeasible, %d neither; %d with intervals, %d shifted, "
        "%d with free rows, %d of them opposed; residual in the file %.1e, back %.1e; not "
        "solved again %d\n",
        cases, n.solved, n.infeasible, n.unsolved, n.intervals, n.shifted, n.n_free, n.opposed,
        n.worst, n.worst_back, n.missed);
    assert_true(n.intervals > cases / 4 && n.shifted > cases / 10 && n.opposed > cases / 100);
    assert_true(n.infeasible > 0);
    assert_true(n.worst <= 1e-10);
    assert_true(n.worst_back <= 2e-10);
    assert_true(n.missed <= cases / 1000);
}

/* By hand: |P| <= 2 about 3 against xi = 0.5 P - 4 becomes friction of a contact that is pressed by
 * 2: it ends at P = 5, where xi = -1.5 < 0 says that it slips. */
static void an_interval_is_friction_under_a_constant_force(void **ctx)
{
    sp_arena arena;
    sp_error err = {.status = SP_OK};
    const sp_set set = sp_set_interval(1.0, 5.0);
    const int row = 0, start[2] = {0, 1}, column = 0;
    const size_t at = 0;
    const double G = 0.5, c = -4.0, P = 5.0;
    const sp_fc p = {
        .n_contact = 1, .n = 1, .set = &set, .row = &row, .c = &c, .G = {start, &column, &at, &G}};
    sp_problem_rows w;
    (void)ctx;
    sp_arena_init(&arena, NULL, 0);
    ASSERT_OK(sp_problem_rows_find(&p, &arena, &w, &err));
    const double *q = sp_problem_rows_q(&w, &arena), *r = sp_problem_rows_r(&w, &P, &arena);
    const double *u = sp_problem_rows_u(&w, &P, &arena);
    assert_int_equal(w.dim, 2);
    assert_int_equal(w.n_contact, 1);
    assert_near(w.mu[0], 1.0, 0.0);
    assert_near(q[0], -1.0, 0.0); /* 0.5 * 2 - 1 = 0: a normal force of 2 */
    assert_near(q[1], -2.5, 0.0); /* 0.5 * 3 - 4                          */
    assert_near(r[0], 2.0, 0.0);
    assert_near(r[1], 2.0, 0.0);
    assert_near(u[0], 0.0, 0.0);
    assert_near(u[1], -1.5, 0.0);
    sp_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problems_of_all_kinds_keep_their_solutions),
        cmocka_unit_test(an_interval_is_friction_under_a_constant_force),
    };
    snprintf(path, sizeof path, "/tmp/specht_rows_%ld.hdf5", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
