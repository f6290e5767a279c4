/* Problems of parts that do not move each other: found, solved apart, put together. */
#include "solvers/split.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 40, CONTACTS = 2 * PARTS, ROWS = 2 * CONTACTS };

/* Two contacts of a rod with friction, PARTS times; part k has the contacts k and PARTS + k, so
 * that rows of different parts stand between each other. */
typedef struct many {
    sp_set set[CONTACTS];
    int row[CONTACTS];
    double G[ROWS * ROWS], c[ROWS], P[ROWS];
    unsigned char status[CONTACTS];
    sp_problem p;
    sp_solution s;
} many;

/* G and c of part k (4 x 4): feet at -1 and 1 beside a centre of mass at height 0.5, thrown to the
 * side and down by velocities of its own. */
static void rod(int k, double G[4][4], double c[4])
{
    const double W[4][3] = {{0, 1, -1}, {1, 0, 0.5}, {0, 1, 1}, {1, 0, 0.5}};
    const double inverse[3] = {1.0, 1.0, 3.0 + 0.1 * k};
    const double u[3] = {0.3 * (k % 7) - 0.9, -1.0, 0.5 * (k % 5) - 1.0};
    for (int a = 0; a < 4; a++) {
        c[a] = 0.0;
        for (int d = 0; d < 3; d++) {
            c[a] += W[a][d] * u[d];
        }
        for (int b = 0; b < 4; b++) {
            G[a][b] = 0.0;
            for (int d = 0; d < 3; d++) {
                G[a][b] += W[a][d] * inverse[d] * W[b][d];
            }
        }
    }
}

static many *make(void)
{
    many *f = (many *)calloc(1, sizeof *f);
    for (int i = 0; i < CONTACTS; i++) {
        f->set[i] = sp_set_planar(0.3);
        f->row[i] = 2 * i;
        f->status[i] = SP_STATUS_UNKNOWN;
    }
    for (int k = 0; k < PARTS; k++) {
        double G[4][4], c[4];
        rod(k, G, c);
        for (int a = 0; a < 4; a++) {
            const int r = 2 * k + (a % 2) + (a / 2) * 2 * PARTS;
            f->c[r] = c[a];
            for (int b = 0; b < 4; b++) {
                f->G[r * ROWS + 2 * k + (b % 2) + (b / 2) * 2 * PARTS] = G[a][b];
            }
        }
    }
    f->p = (sp_problem){.n_contact = CONTACTS,
                        .n = ROWS,
                        .set = f->set,
                        .row = f->row,
                        .G = f->G,
                        .ld = ROWS,
                        .c = f->c};
    f->s = (sp_solution){.P = f->P, .status = f->status};
    return f;
}

static sp_status solve(const sp_problem *p, sp_solution *s)
{
    void *work = malloc(sp_solve_work(p->n_contact, p->n));
    const sp_status status = sp_solve(p, s, work, NULL);
    free(work);
    return status;
}

static void parts_are_found_by_what_they_move(void **ctx)
{
    (void)ctx;
    many *f = make();
    sp_split w;
    void *memory = malloc(sp_split_bytes(CONTACTS, ROWS));
    assert_int_equal(sp_split_find(&f->p, memory, &w), PARTS);
    for (int i = 0; i < CONTACTS; i++) {
        assert_int_equal(w.part[i], i % PARTS);
    }
    f->G[0 * ROWS + 2 * 7] = 1e-300; /* one-sided and tiny: still coupled */
    assert_int_equal(sp_split_find(&f->p, memory, &w), PARTS - 1);
    assert_int_equal(w.part[7], 0);
    assert_int_equal(w.part[PARTS + 7], 0);
    free(memory);
    free(f);
}

static void the_whole_is_solved_as_its_parts_are(void **ctx)
{
    (void)ctx;
    many *f = make();
    assert_int_equal(solve(&f->p, &f->s), SP_OK);
    assert_true(f->s.residual <= SP_SOLVE_TOL);
    for (int k = 0; k < PARTS; k++) {
        const sp_set set[2] = {sp_set_planar(0.3), sp_set_planar(0.3)};
        const int row[2] = {0, 2};
        double G[4][4], c[4], P[4] = {0};
        unsigned char status[2] = {SP_STATUS_UNKNOWN, SP_STATUS_UNKNOWN};
        rod(k, G, c);
        const sp_problem p = {
            .n_contact = 2, .n = 4, .set = set, .row = row, .G = G[0], .ld = 4, .c = c};
        sp_solution s = {.P = P, .status = status};
        assert_int_equal(solve(&p, &s), SP_OK);
        for (int a = 0; a < 4; a++) {
            assert_near(f->P[2 * k + (a % 2) + (a / 2) * 2 * PARTS], P[a], 1e-13);
        }
        assert_int_equal(f->status[k], status[0]);
        assert_int_equal(f->status[PARTS + k], status[1]);
    }
    free(f);
}

/* Part 3 is pressed by its second foot and cannot give way: its rows of G are zero. */
static void a_part_without_solution_is_the_proof_for_the_whole(void **ctx)
{
    (void)ctx;
    many *f = make();
    for (int a = 0; a < 4; a++) {
        const int r = 2 * 3 + (a % 2) + (a / 2) * 2 * PARTS;
        memset(f->G + r * ROWS, 0, ROWS * sizeof *f->G);
        f->c[r] = a % 2 ? 0.0 : -1.0;
    }
    assert_int_equal(solve(&f->p, &f->s), SP_E_INFEASIBLE);
    assert_int_equal(f->s.result, SP_INFEASIBLE);
    double sum = 0.0; /* y'c < 0 with y >= 0 and y'G = 0 */
    for (int r = 0; r < ROWS; r++) {
        assert_true(f->P[r] >= 0.0);
        assert_true(f->P[r] == 0.0 || r % (2 * PARTS) == 6);
        sum += f->P[r] * f->c[r];
    }
    assert_true(sum < 0.0);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_found_by_what_they_move),
        cmocka_unit_test(the_whole_is_solved_as_its_parts_are),
        cmocka_unit_test(a_part_without_solution_is_the_proof_for_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
