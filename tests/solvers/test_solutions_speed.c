/* Impacts in the plane whose friction depends on the speed of sliding: how many motions they have,
 * against scans over all speeds and a closed form.  No code is shared.   theory section 52 */
#include "solvers/solutions.h"

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOF = 5, ROWS = 4, MOTIONS = 32, GRID = 1500, STARTS = 24 };
enum { OPEN, STICK, FORWARDS, BACKWARDS, STATUSES };
#define CLOSE 1e-5 /* nearer to another status, or motion, than this: not counted by either */

/* mu(v) = a + b exp(-v/w), mu_0 at rest; by: it is, else a whatever v is. */
typedef struct law {
    bool by;
    double a, b, w, mu_0;
} law;

/* One or two contacts on a body: x = G P + c. */
typedef struct scene {
    int n_contact, n;
    bool alike; /* both contacts slide as one */
    law law[2];
    double G[ROWS][ROWS], c[ROWS], span[2];
} scene;

/* What a scan finds. */
typedef struct found {
    int n;
    bool close; /* something is too near to tell */
    double x[MOTIONS][ROWS], P[ROWS];
    double mu[2]; /* of the first one */
} found;

static double mu_of(const law *l, double v)
{
    return l->by ? l->a + l->b * exp(-v / l->w) : l->a;
}

static double rest_of(const law *l)
{
    return l->by ? l->mu_0 : l->a;
}

/* ---- the scan -----------------------------------------------------------------------------------
 */

/* A x = b (n <= 4, full pivots); false if singular. */
static bool gauss(int n, double A[ROWS][ROWS], double *b)
{
    int column[ROWS];
    double x[ROWS];
    for (int j = 0; j < n; j++) {
        column[j] = j;
    }
    for (int j = 0; j < n; j++) {
        int p = j, q = j;
        for (int r = j; r < n; r++) {
            for (int k = j; k < n; k++) {
                if (fabs(A[r][k]) > fabs(A[p][q])) {
                    p = r;
                    q = k;
                }
            }
        }
        if (!(fabs(A[p][q]) > 1e-11)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            const double t = A[j][k];
            A[j][k] = A[p][k];
            A[p][k] = t;
        }
        const double t = b[j];
        b[j] = b[p];
        b[p] = t;
        for (int r = 0; r < n; r++) {
            const double s = A[r][j];
            A[r][j] = A[r][q];
            A[r][q] = s;
        }
        const int c = column[j];
        column[j] = column[q];
        column[q] = c;
        for (int r = j + 1; r < n; r++) {
            const double l = A[r][j] / A[j][j];
            for (int k = j; k < n; k++) {
                A[r][k] -= l * A[j][k];
            }
            b[r] -= l * b[j];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++) {
            b[j] -= A[j][k] * b[k];
        }
        b[j] /= A[j][j];
    }
    for (int j = 0; j < n; j++) {
        x[column[j]] = b[j];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
    return true;
}

static double way(int status)
{
    return status == FORWARDS ? 1.0 : -1.0;
}

/* P and x of a status with these speeds of what slides; false if singular. */
static bool linear(const scene *s, const int *status, const double *v, double *P, double *x)
{
    double A[ROWS][ROWS], b[ROWS];
    int n = 0, row[ROWS];
    for (int i = 0; i < s->n_contact; i++) {
        if (status[i] != OPEN) {
            row[n++] = 2 * i;
        }
        if (status[i] == STICK) {
            row[n++] = 2 * i + 1;
        }
    }
    for (int a = 0; a < n; a++) {
        for (int k = 0; k < n; k++) {
            const int i = row[k] / 2;
            A[a][k] = s->G[row[a]][row[k]];
            if (status[i] >= FORWARDS) {
                A[a][k] -= way(status[i]) * mu_of(&s->law[i], v[i]) * s->G[row[a]][row[k] + 1];
            }
        }
        b[a] = -s->c[row[a]];
    }
    if (!gauss(n, A, b)) {
        return false;
    }
    memset(P, 0, ROWS * sizeof *P);
    for (int a = 0; a < n; a++) {
        const int i = row[a] / 2;
        P[row[a]] = b[a];
        if (status[i] >= FORWARDS) {
            P[row[a] + 1] = -way(status[i]) * mu_of(&s->law[i], v[i]) * b[a];
        }
    }
    for (int r = 0; r < s->n; r++) {
        x[r] = s->c[r];
        for (int k = 0; k < s->n; k++) {
            x[r] += s->G[r][k] * P[k];
        }
    }
    return true;
}

/* By how much the worst inequality of a status is obeyed. */
static double margin(const scene *s, const int *status, const double *P, const double *x)
{
    double least = INFINITY;
    for (int i = 0; i < s->n_contact; i++) {
        const double N = P[2 * i], T = P[2 * i + 1];
        const double now = status[i] == OPEN    ? x[2 * i]
                           : status[i] == STICK ? fmin(N, rest_of(&s->law[i]) * N - fabs(T))
                                                : fmin(N, way(status[i]) * x[2 * i + 1]);
        least = fmin(least, now);
    }
    return least;
}

/* Take a motion up that obeys its inequalities by that much. */
static void take(const scene *s, const int *status, const double *P, const double *x, double by,
                 found *f)
{
    f->close = f->close || fabs(by) < CLOSE;
    if (!(by > 0.0)) {
        return;
    }
    for (int k = 0; k < f->n; k++) {
        double apart = 0.0;
        for (int r = 0; r < s->n; r++) {
            apart = fmax(apart, fabs(x[r] - f->x[k][r]));
        }
        if (apart < 1e-7) {
            return;
        }
        f->close = f->close || apart < 1e-3;
    }
    if (f->n == 0) {
        memcpy(f->P, P, ROWS * sizeof *P);
        for (int i = 0; i < s->n_contact; i++) {
            f->mu[i] =
                status[i] >= FORWARDS ? mu_of(&s->law[i], fabs(x[2 * i + 1])) : rest_of(&s->law[i]);
        }
    }
    assert_true(f->n < MOTIONS);
    memcpy(f->x[f->n++], x, ROWS * sizeof *x);
}

/* How far contact i is from the speed v that both contacts of `who` were given. */
static double off(const scene *s, const int *status, int i, double v, double *P, double *x)
{
    const double both[2] = {v, v};
    return linear(s, status, both, P, x) ? way(status[i]) * x[2 * i + 1] - v : NAN;
}

/* One speed: signs on a grid, then halves; where it jumps it is a pole. */
static void scan(const scene *s, const int *status, int i, found *f)
{
    double P[ROWS], x[ROWS], v_old = 0.0, old = NAN, older = NAN;
    for (int k = 0; k <= GRID; k++) {
        const double t = (double)k / GRID, v = s->span[i] * t * t, now = off(s, status, i, v, P, x);
        if (old * now < 0.0) {
            double low = v_old, high = v;
            for (int j = 0; j < 70; j++) {
                const double middle = 0.5 * (low + high);
                *(off(s, status, i, middle, P, x) * old > 0.0 ? &low : &high) = middle;
            }
            const double left = off(s, status, i, 0.5 * (low + high), P, x);
            if (fabs(left) < 1e-8) {
                take(s, status, P, x, margin(s, status, P, x), f);
            }
        }
        /* two zeros between two points of the grid, perhaps */
        f->close = f->close || (older * old > 0.0 && old * now > 0.0 && fabs(old) < fabs(older) &&
                                fabs(old) < fabs(now) && fabs(old) < fabs(now - old) + 1e-6);
        older = old;
        old = now;
        v_old = v;
    }
}

/* Two speeds: Newton's method from every point of a grid. */
static void scan_both(const scene *s, const int *status, found *f)
{
    for (int k = 0; k < STARTS * STARTS; k++) {
        const double t[2] = {(double)(k % STARTS) / STARTS, (double)(k / STARTS) / STARTS};
        double v[2] = {s->span[0] * t[0] * t[0], s->span[1] * t[1] * t[1]}, left = INFINITY;
        double P[ROWS], x[ROWS];
        for (int j = 0; j < 40 && left > 1e-13; j++) {
            double F[2], J[2][2];
            if (!linear(s, status, v, P, x)) {
                break;
            }
            for (int i = 0; i < 2; i++) {
                F[i] = way(status[i]) * x[2 * i + 1] - v[i];
            }
            left = fmax(fabs(F[0]), fabs(F[1]));
            for (int h = 0; h < 2; h++) {
                double near[2] = {v[0], v[1]};
                const double d = 1e-7;
                near[h] += d;
                (void)linear(s, status, near, P, x);
                for (int i = 0; i < 2; i++) {
                    J[i][h] = (way(status[i]) * x[2 * i + 1] - near[i] - F[i]) / d;
                }
            }
            const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
            v[0] = fmin(fmax(v[0] - (F[0] * J[1][1] - F[1] * J[0][1]) / det, 0.0), s->span[0]);
            v[1] = fmin(fmax(v[1] - (F[1] * J[0][0] - F[0] * J[1][0]) / det, 0.0), s->span[1]);
        }
        if (left < 1e-10 && linear(s, status, v, P, x)) {
            take(s, status, P, x, margin(s, status, P, x), f);
        }
    }
}

/* Two contacts that slide as one, both at rest: normal impulses and the sum along are known. */
static void rest_together(const scene *s, found *f)
{
    double A[ROWS][ROWS] = {{0.0}}, b[ROWS] = {-s->c[0], -s->c[2], -s->c[1]}, x[ROWS] = {0.0};
    const int row[3] = {0, 2, 1};
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < 3; k++) {
            A[a][k] = s->G[row[a]][row[k]];
        }
    }
    assert_true(gauss(3, A, b));
    const double most = s->law[0].mu_0 * b[0] + s->law[1].mu_0 * b[1], share = b[2] / most;
    const double P[ROWS] = {b[0], share * s->law[0].mu_0 * b[0], b[1],
                            share * s->law[1].mu_0 * b[1]};
    const int status[2] = {STICK, STICK};
    take(s, status, P, x, fmin(fmin(b[0], b[1]), most - fabs(b[2])), f);
}

/* All motions. */
static found scan_all(const scene *s)
{
    found f = {0};
    double P[ROWS], x[ROWS];
    for (int code = 0; code < (s->n_contact == 1 ? STATUSES : STATUSES * STATUSES); code++) {
        const int status[2] = {code % STATUSES, s->n_contact == 1 ? OPEN : code / STATUSES};
        const double none[2] = {0.0, 0.0};
        bool slides[2], rests = false;
        for (int i = 0; i < 2; i++) {
            slides[i] = status[i] >= FORWARDS && s->law[i].by;
            rests = rests || status[i] == STICK;
        }
        if (s->alike && rests && status[0] == status[1]) {
            rest_together(s, &f);
        } else if (s->alike && status[0] != OPEN && status[1] != OPEN &&
                   (rests || status[0] != status[1])) {
            continue; /* they cannot move differently */
        } else if (slides[0] && slides[1] && !s->alike) {
            scan_both(s, status, &f);
        } else if (slides[0] || slides[1]) {
            scan(s, status, slides[0] ? 0 : 1, &f);
        } else if (linear(s, status, none, P, x)) {
            take(s, status, P, x, margin(s, status, P, x), &f);
        }
    }
    return f;
}

/* ---- random problems ----------------------------------------------------------------------------
 */

/* Weak friction changes little with speed. */
static law weak_law(rng *r)
{
    law l = {.by = true, .a = rng_in(r, 0.01, 0.1), .w = rng_in(r, 1.0, 3.0)};
    l.b = rng_in(r, -0.9 * l.a, 0.1);
    l.mu_0 = l.a + l.b;
    return l;
}

static law random_law(rng *r, bool by)
{
    law l = {.by = by, .a = rng_in(r, 0.05, 1.2), .b = 0.0, .w = rng_in(r, 0.05, 1.0)};
    l.b = by ? rng_in(r, -0.95 * l.a, 1.0) : 0.0;
    l.mu_0 = (l.a + l.b) * (rng_flip(r) ? 1.0 : rng_in(r, 1.0, 2.0));
    return l;
}

/* G, c and how fast anything can slide, twice, from directions W and velocities u of unit masses.
 */
static void finish(int n_dof, double W[ROWS][DOF], const double *u, scene *s)
{
    double speed2 = 0.0;
    s->n = 2 * s->n_contact;
    for (int k = 0; k < n_dof; k++) {
        speed2 += u[k] * u[k];
    }
    for (int a = 0; a < s->n; a++) {
        s->c[a] = 0.0;
        for (int k = 0; k < n_dof; k++) {
            s->c[a] += W[a][k] * u[k];
        }
        for (int b = 0; b < s->n; b++) {
            s->G[a][b] = 0.0;
            for (int k = 0; k < n_dof; k++) {
                s->G[a][b] += W[a][k] * W[b][k];
            }
        }
    }
    for (int i = 0; i < s->n_contact; i++) {
        s->span[i] = 2.0 * (fabs(s->c[2 * i + 1]) + sqrt(s->G[2 * i + 1][2 * i + 1] * speed2));
    }
}

/* One contact, or two whose rows do not depend on each other. */
static scene random_scene(rng *r, int n_contact, int n_by)
{
    scene s = {.n_contact = n_contact};
    double W[ROWS][DOF], u[DOF];
    for (int k = 0; k < DOF; k++) {
        u[k] = rng_in(r, -1.0, 1.0);
        for (int a = 0; a < ROWS; a++) {
            W[a][k] = rng_in(r, -1.0, 1.0);
        }
    }
    for (int i = 0; i < n_contact; i++) {
        s.law[i] = random_law(r, i < n_by);
    }
    finish(n_contact == 1 ? 3 : DOF, W, u, &s);
    return s;
}

/* A box that falls onto two corners, or onto one while it stands on the other. */
static scene random_box(rng *r)
{
    scene s = {.n_contact = 2, .alike = true};
    const double turn = rng_in(r, 0.3, 4.0), half = turn * rng_in(r, 0.1, 1.0);
    const double high = turn * rng_in(r, 0.1, 1.0), at = turn * rng_in(r, -0.3, 0.3);
    double W[ROWS][DOF] = {
        {0.0, 1.0, at - half}, {1.0, 0.0, high}, {0.0, 1.0, at + half}, {1.0, 0.0, high}};
    const double u[DOF] = {rng_in(r, -1.0, 1.0), rng_in(r, -1.0, 0.0), rng_in(r, -1.0, 1.0)};
    s.law[0] = s.law[1] = random_law(r, true);
    finish(3, W, u, &s);
    return s;
}

/* ---- the comparison -----------------------------------------------------------------------------
 */

static double mu_at(const void *ctx, int i, double v)
{
    const scene *s = ctx;
    return mu_of(&s->law[i], v);
}

static double equal_worth(const void *ctx, const sp_solution_part *part)
{
    (void)ctx;
    (void)part;
    return 0.0;
}

/* What the search says, beginning with the first motion of the scan. */
static sp_solution_count seek(const scene *s, const found *f)
{
    double G[ROWS * ROWS], P[ROWS], mu_0[2];
    sp_set set[2];
    unsigned char status[2] = {SP_STICK, SP_STICK};
    const int row[2] = {0, 2};
    for (int a = 0; a < s->n; a++) {
        for (int b = 0; b < s->n; b++) {
            G[a * s->n + b] = s->G[a][b];
        }
    }
    for (int i = 0; i < s->n_contact; i++) {
        set[i] = sp_set_planar(f->mu[i]);
        mu_0[i] = s->law[i].by ? s->law[i].mu_0 : NAN;
    }
    memcpy(P, f->P, sizeof P);
    const sp_problem p = {.n_contact = s->n_contact,
                          .n = s->n,
                          .set = set,
                          .row = row,
                          .G = G,
                          .ld = s->n,
                          .c = s->c};
    const sp_speeds speeds = {mu_at, s, mu_0};
    const sp_judge judge = {equal_worth, NULL};
    sp_solution at = {.P = P, .status = status};
    void *work = malloc(sp_solutions_work(s->n_contact, s->n));
    assert_non_null(work);
    const sp_solution_count solutions = sp_solutions_find(&p, &speeds, &judge, &at, work);
    free(work);
    assert_memory_equal(P, f->P, (size_t)s->n * sizeof *P); /* it stays as it is */
    return solutions;
}

/* What came of many problems. */
typedef struct tally {
    int run, close, none, several, proven, fewer, more, differ;
} tally;

static void compare(const scene *s, tally *t)
{
    const found f = scan_all(s);
    t->run++;
    t->close += f.close;
    t->none += f.n == 0;
    if (f.close || f.n == 0) {
        return;
    }
    const sp_solution_count solutions = seek(s, &f);
    t->several += f.n > 1;
    t->proven += solutions.complete;
    t->fewer += solutions.n_motion < f.n;
    t->more += solutions.n_motion > f.n;
    t->differ += solutions.complete && solutions.n_motion != f.n;
}

static void tell(const char *name, const tally *t)
{
    print_message("%s: %d problems, %d near an edge, %d without a solution, %d with several; %d "
                  "complete, %d found fewer, %d more, %d complete and different\n",
                  name, t->run, t->close, t->none, t->several, t->proven, t->fewer, t->more,
                  t->differ);
}

static void one_contact_has_as_many_motions_as_a_scan_finds(void **ctx)
{
    (void)ctx;
    rng r = {1};
    tally t = {0};
    for (int i = 0; i < check_cases(800, 30000); i++) {
        const scene s = random_scene(&r, 1, 1);
        compare(&s, &t);
    }
    tell("one contact", &t);
    assert_int_equal(t.fewer + t.more + t.differ, 0);
    assert_int_equal(t.proven, t.run - t.close - t.none);
    assert_true(t.several * 50 > t.run);
}

static void so_it_has_beside_one_of_constant_friction(void **ctx)
{
    (void)ctx;
    rng r = {2};
    tally t = {0};
    for (int i = 0; i < check_cases(200, 8000); i++) {
        const scene s = random_scene(&r, 2, 1);
        compare(&s, &t);
    }
    tell("one of two", &t);
    assert_int_equal(t.fewer + t.more + t.differ, 0);
    assert_true(t.several * 50 > t.run);
}

static void boxes_on_two_corners_have_as_many_as_a_scan_finds(void **ctx)
{
    (void)ctx;
    rng r = {3};
    tally t = {0};
    for (int i = 0; i < check_cases(300, 12000); i++) {
        const scene s = random_box(&r);
        compare(&s, &t);
    }
    tell("boxes", &t);
    assert_int_equal(t.fewer + t.more + t.differ, 0);
    assert_true(t.several * 50 > t.run);
}

static void two_contacts_have_hardly_more_than_are_found(void **ctx)
{
    (void)ctx;
    rng r = {4};
    tally t = {0};
    for (int i = 0; i < check_cases(60, 3000); i++) {
        const scene s = random_scene(&r, 2, 2);
        compare(&s, &t);
    }
    tell("two contacts", &t);
    assert_int_equal(t.differ, 0);
    assert_true(100 * (t.fewer + t.more) <= t.run);
    assert_true(t.several * 50 > t.run);
}

static void weak_friction_is_proven_to_have_one_motion(void **ctx)
{
    (void)ctx;
    rng r = {5};
    tally t = {0};
    for (int i = 0; i < check_cases(40, 2000); i++) {
        scene s = random_scene(&r, 2, 2);
        s.law[0] = weak_law(&r);
        s.law[1] = weak_law(&r);
        compare(&s, &t);
    }
    tell("weak friction", &t);
    assert_int_equal(t.fewer + t.more + t.differ, 0);
    assert_true(3 * t.proven > 2 * t.run);
}

/* One contact without coupling, P_N = 1: it rests if 0.5 <= mu_0, and slides where v = 0.5 - mu(v).
 * mu = 0.2 + 0.35 exp(-v/0.1) has two such speeds, 0.5 - mu(v) - v being 0.075 at its largest. */
static void a_block_rests_or_slides_with_one_of_two_speeds(void **ctx)
{
    (void)ctx;
    const double b[3] = {0.2, 0.2, 0.35}, mu_0[3] = {0.4, 0.6, 0.55};
    for (int k = 0; k < 3; k++) {
        scene s = {
            .n_contact = 1, .n = 2, .G = {{1.0, 0.0}, {0.0, 1.0}}, .c = {-1.0, 0.5}, .span = {2.0}};
        s.law[0] = (law){true, 0.2, b[k], 0.1, mu_0[k]};
        const found f = scan_all(&s);
        const sp_solution_count solutions = seek(&s, &f);
        assert_int_equal(f.n, k + 1);
        assert_int_equal(solutions.n_motion, k + 1);
        assert_true(solutions.complete);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_as_many_motions_as_a_scan_finds),
        cmocka_unit_test(so_it_has_beside_one_of_constant_friction),
        cmocka_unit_test(boxes_on_two_corners_have_as_many_as_a_scan_finds),
        cmocka_unit_test(two_contacts_have_hardly_more_than_are_found),
        cmocka_unit_test(weak_friction_is_proven_to_have_one_motion),
        cmocka_unit_test(a_block_rests_or_slides_with_one_of_two_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
