#include "solvers/natural.h"
#include "solvers/problem.h"
#include "support/enumerate.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 40, ROWS = 2 * MOST, DOF = 3 * MOST };

/* A problem with its own memory, exactly as large as asked for: sanitizers see every overrun. */
typedef struct fixture {
    sp_problem p;
    sp_set set[MOST];
    int row[MOST];
    double G[ROWS * ROWS], c[ROWS], P[ROWS];
    unsigned char status[MOST];
    sp_solution s;
    sp_error err;
} fixture;

/* Contacts from their sets; G and c come later. */
static fixture *make(int n_contact, const sp_set *set)
{
    fixture *f = (fixture *)calloc(1, sizeof *f);
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
    return f;
}

/* G = W' M^-1 W and c = (1 + eps) W'u; W has n rows of dof numbers. */
static void fill(fixture *f, int dof, const double *W, const double *inverse_mass, const double *u,
                 double eps)
{
    for (int a = 0; a < f->p.n; a++) {
        f->c[a] = 0.0;
        for (int d = 0; d < dof; d++) {
            f->c[a] += (1.0 + eps) * W[a * dof + d] * u[d];
        }
        for (int b = 0; b < f->p.n; b++) {
            f->G[a * f->p.n + b] = 0.0;
            for (int d = 0; d < dof; d++) {
                f->G[a * f->p.n + b] += W[a * dof + d] * inverse_mass[d] * W[b * dof + d];
            }
        }
    }
}

/* Solve with scratch of the exact size. */
static sp_status solve(fixture *f)
{
    void *work = malloc(sp_solve_work(f->p.n_contact, f->p.n));
    const sp_status status = sp_solve(&f->p, &f->s, work, &f->err);
    free(work);
    return status;
}

/* xi_k = (G P + c)_k. */
static double velocity(const fixture *f, int k)
{
    double xi = f->c[k];
    for (int j = 0; j < f->p.n; j++) {
        xi += f->G[k * f->p.n + j] * f->P[j];
    }
    return xi;
}

static void one_contact_opens_sticks_and_slips(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_planar(0.5);
    const double W[4] = {1.0, 0.0, 0.0, 1.0}, inverse[2] = {2.0, 4.0};
    const double u[4][2] = {{1.0, 3.0}, {-2.0, 1.0}, {-2.0, 3.0}, {-2.0, -3.0}};
    const double P[4][2] = {{0.0, 0.0}, {1.0, -0.25}, {1.0, -0.5}, {1.0, 0.5}};
    const unsigned char status[4] = {SP_OPEN, SP_STICK, SP_SLIP_POS, SP_SLIP_NEG};
    for (int k = 0; k < 4; k++) {
        for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) { /* whatever the guess */
            fixture *f = make(1, &set);
            fill(f, 2, W, inverse, u[k], 0.0);
            f->status[0] = (unsigned char)guess;
            assert_int_equal(SP_OK, solve(f));
            assert_int_equal(SP_SOLVED, f->s.result);
            assert_int_equal(status[k], f->status[0]);
            assert_near(f->P[0], P[k][0], 1e-15);
            assert_near(f->P[1], P[k][1], 1e-15);
            assert_true(f->s.residual < 1e-15);
            free(f);
        }
    }
}

static void without_friction_a_closed_contact_slips(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_planar(0.0);
    const double W[4] = {1.0, 0.0, 0.0, 1.0}, inverse[2] = {2.0, 4.0}, u[2] = {-2.0, -1.0};
    for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
        fixture *f = make(1, &set);
        fill(f, 2, W, inverse, u, 0.0);
        f->status[0] = (unsigned char)guess;
        assert_int_equal(SP_OK, solve(f));
        assert_int_equal(SP_SLIP_NEG, f->status[0]);
        assert_near(f->P[0], 1.0, 1e-15);
        assert_true(f->P[1] == 0.0);
        free(f);
    }
}

static void a_block_sticks_on_a_slope_up_to_the_angle_of_friction(void **ctx)
{
    (void)ctx;
    const double mu = 0.4, dt_g = 9.81e-3, m = 3.0, inverse[2] = {1.0 / m, 1.0 / m};
    const double W[4] = {1.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 2; k++) {
        const double angle = atan(mu) + (k == 0 ? -1e-6 : 1e-6);
        const double u[2] = {-dt_g * cos(angle), dt_g * sin(angle)};
        const sp_set set = sp_set_planar(mu);
        fixture *f = make(1, &set);
        fill(f, 2, W, inverse, u, 0.0);
        assert_int_equal(SP_OK, solve(f));
        assert_int_equal(k == 0 ? SP_STICK : SP_SLIP_POS, f->status[0]);
        assert_near(f->P[0], m * dt_g * cos(angle), 1e-15);
        free(f);
    }
}

/* The slider in its guide: corners 1, 2 above and 3, 4 below, all closed. */
static const double corner_W[24] = {0, -1, 0.05,  1, 0, -0.025, 0, -1, -0.05, 1, 0, -0.025,
                                    0, 1,  -0.05, 1, 0, 0.025,  0, 1,  0.05,  1, 0, 0.025};
static const double corner_inverse[3] = {1.0 / 0.076, 1.0 / 0.076, 1.0 / 2.7e-6};

static void four_closed_corners_are_solved_from_every_guess(void **ctx)
{
    (void)ctx;
    rng r = {21};
    for (int k = 0; k < 2000; k++) {
        sp_set set[4];
        for (int i = 0; i < 4; i++) {
            set[i] = sp_set_planar(k % 4 == 0 ? 0.01 : rng_in(&r, 0.0, 2.0));
        }
        const double u[3] = {rng_in(&r, -9.0, 9.0), rng_in(&r, -1.0, 1.0),
                             k % 2 == 0 ? 0.0 : rng_in(&r, -20.0, 20.0)};
        fixture *f = make(4, set);
        fill(f, 3, corner_W, corner_inverse, u, 0.4);
        for (int i = 0; i < 4; i++) {
            f->status[i] = (unsigned char)rng_int(&r, 5);
        }
        assert_int_equal(SP_OK, solve(f));
        assert_true(f->s.residual < 1e-12);
        for (int i = 0; i < 2; i++) { /* no way to go: the normals can only stop each other */
            assert_near_scaled(velocity(f, 2 * i) + velocity(f, 6 - 2 * i), 0.0, 2.0, 1e-10);
        }
        free(f);
    }
}

static void a_face_impact_is_symmetric_to_round_off(void **ctx)
{
    (void)ctx;
    rng r = {22};
    int both_stick = 0;
    for (int k = 0; k < 1000; k++) {
        const double mu = rng_in(&r, 0.0, 1.0);
        const sp_set set[2] = {sp_set_planar(mu), sp_set_planar(mu)};
        const double u[3] = {rng_in(&r, -2.0, 2.0), rng_in(&r, 0.1, 1.0), 0.0};
        fixture *f = make(2, set);
        fill(f, 3, corner_W, corner_inverse, u, 0.4);
        assert_int_equal(SP_OK, solve(f));
        /* equal velocities at both corners, so that the face stays parallel; the terms of the sum
         * are as large as G_NN P_N = 60 m/s */
        assert_near_scaled(velocity(f, 0), velocity(f, 2), 60.0, 1e-15);
        assert_near_scaled(velocity(f, 1), velocity(f, 3), 60.0, 1e-15);
        const double least = fmin(f->P[0], f->P[2]), most = fmax(fabs(f->P[1]), fabs(f->P[3]));
        if (f->status[0] == SP_STICK && f->status[1] == SP_STICK && most < 0.999 * mu * least) {
            assert_near_scaled(f->P[1], f->P[3], 0.1, 1e-13); /* the same force at both */
            both_stick++;
        }
        free(f);
    }
    assert_true(both_stick > 100);
}

static void a_contact_given_twice_moves_as_once(void **ctx)
{
    (void)ctx;
    rng r = {23};
    for (int k = 0; k < 1000; k++) {
        const sp_set set[2] = {sp_set_planar(0.6), sp_set_planar(0.6)};
        const double inverse[2] = {rng_in(&r, 0.1, 10.0), rng_in(&r, 0.1, 10.0)};
        const double t = rng_in(&r, -0.3, 0.3), W[8] = {1, t, -t, 1, 1, t, -t, 1};
        const double u[2] = {rng_in(&r, -1.0, 0.2), rng_in(&r, -1.0, 1.0)};
        fixture *once = make(1, set), *twice = make(2, set);
        fill(once, 2, W, inverse, u, 0.0);
        fill(twice, 2, W, inverse, u, 0.0);
        assert_int_equal(SP_OK, solve(once));
        assert_int_equal(SP_OK, solve(twice));
        for (int a = 0; a < 2; a++) {
            assert_near(velocity(once, a), velocity(twice, a), 1e-13);
            assert_near(velocity(once, a), velocity(twice, 2 + a), 1e-13);
            assert_near(once->P[a], twice->P[a] + twice->P[2 + a], 1e-12);
        }
        free(once);
        free(twice);
    }
}

static void joints_hold_and_redundant_joints_too(void **ctx)
{
    (void)ctx;
    /* a particle guided by the same joint twice, pressed to the ground */
    const sp_set set[3] = {sp_set_free(), sp_set_free(), sp_set_planar(0.2)};
    const double W[8] = {0, 1, 0, 2, 1, 0, 0, 1}, inverse[2] = {1.0, 1.0}, u[2] = {-1.0, 0.5};
    fixture *f = make(3, set);
    fill(f, 2, W, inverse, u, 0.0);
    assert_int_equal(SP_OK, solve(f));
    assert_near(f->P[2], 1.0, 1e-14);
    for (int k = 0; k < 4; k++) {
        assert_near(velocity(f, k), 0.0, 1e-14);
    }
    f->c[1] += 0.3; /* now the two joints contradict each other */
    assert_int_equal(SP_E_INFEASIBLE, solve(f));
    free(f);
}

static void unlike_wishes_of_opposed_walls_are_proved_infeasible(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_planar(0.3), sp_set_planar(0.3)};
    const double W[8] = {1, 0, 0, 1, -1, 0, 0, 1}, inverse[2] = {1.0, 1.0}, u[2] = {-1.0, 0.5};
    fixture *f = make(2, set);
    fill(f, 2, W, inverse, u, 0.0);
    f->c[2] -= 0.2; /* c_1 + c_2 = -0.2, but xi_1 + xi_2 = c_1 + c_2 */
    assert_int_equal(SP_E_INFEASIBLE, solve(f));
    assert_int_equal(SP_INFEASIBLE, f->s.result);
    double power = 0.0;
    for (int k = 0; k < 4; k++) { /* the proof: y >= 0, G y = 0, c'y < 0 */
        double Gy = 0.0;
        for (int j = 0; j < 4; j++) {
            Gy += f->G[4 * k + j] * f->P[j];
        }
        assert_true(f->P[k] >= 0.0);
        assert_near(Gy, 0.0, 1e-14);
        power += f->c[k] * f->P[k];
    }
    assert_true(power < 0.0);
    free(f);
}

/* Impulses of a rod on its tip, tan = 2, far above the critical friction 4/3. */
static void painleve_rods_are_solved_at_velocity_level(void **ctx)
{
    (void)ctx;
    const double s = sqrt(0.8), co = sqrt(0.2), inverse[3] = {1.0, 1.0, 12.0};
    const double W[6] = {0, 1, -0.5 * co, 1, 0, 0.5 * s};
    rng r = {24};
    for (int k = 0; k < 2000; k++) {
        const sp_set set = sp_set_planar(rng_in(&r, 1.3, 5.0));
        const double u[3] = {rng_in(&r, -3.0, 3.0), rng_in(&r, -1.0, 0.0), rng_in(&r, -1.0, 1.0)};
        sp_enumerated found[16];
        int n_found = 0, n_motion = 0;
        fixture *f = make(1, &set);
        fill(f, 3, W, inverse, u, 0.0);
        f->status[0] = (unsigned char)rng_int(&r, 5);
        assert_int_equal(SP_OK, solve(f));
        assert_true(f->s.residual < 1e-13);
        assert_int_equal(SP_OK, sp_enumerate(&f->p, 1e-10, found, 16, &n_found, &n_motion, NULL));
        int listed = 0;
        for (int i = 0; i < n_found; i++) {
            listed |= fabs(found[i].P[0] - f->P[0]) + fabs(found[i].P[1] - f->P[1]) < 1e-9;
        }
        assert_true(listed);
        free(f);
    }
}

/* At acceleration level the sliding tip has one condensed row of negative sign. */
static void the_painleve_paradox_is_named(void **ctx)
{
    (void)ctx;
    const sp_set set = sp_set_half_line();
    fixture *f = make(1, &set);
    f->G[0] = -0.8;
    f->c[0] = -1.0;
    assert_int_equal(SP_E_INFEASIBLE, solve(f)); /* no solution, proof y = 1 */
    assert_true(f->P[0] > 0.0);
    f->c[0] = 1.0; /* two solutions: the guess decides which */
    f->status[0] = SP_OPEN;
    assert_int_equal(SP_OK, solve(f));
    assert_true(f->P[0] == 0.0);
    f->status[0] = SP_STICK;
    assert_int_equal(SP_OK, solve(f));
    assert_near(f->P[0], 1.25, 1e-15);
    free(f);
}

static void rest_and_nothing_are_solved_by_zero(void **ctx)
{
    (void)ctx;
    const sp_set set[4] = {sp_set_planar(0.5), sp_set_planar(0.5), sp_set_planar(0.0),
                           sp_set_planar(2.0)};
    const double u[3] = {0.0, 0.0, 0.0};
    for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
        fixture *f = make(4, set);
        fill(f, 3, corner_W, corner_inverse, u, 0.4);
        memset(f->status, guess, 4);
        assert_int_equal(SP_OK, solve(f));
        for (int k = 0; k < 8; k++) {
            assert_true(f->P[k] == 0.0);
        }
        assert_true(f->s.residual == 0.0);
        free(f);
    }
    fixture *f = make(0, set);
    assert_int_equal(SP_OK, solve(f));
    assert_int_equal(SP_SOLVED, f->s.result);
    assert_true(f->s.residual == 0.0);
    free(f);
}

static void separating_contacts_take_no_force(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_planar(0.5), sp_set_half_line()};
    const double W[9] = {0, 1, 0.5, 1, 0, 0.1, 0, 1, -0.5}, inverse[3] = {1.0, 1.0, 12.0};
    const double u[3] = {3.0, 1.0, 0.1};
    for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
        fixture *f = make(2, set);
        fill(f, 3, W, inverse, u, 0.0);
        memset(f->status, guess, 2);
        assert_int_equal(SP_OK, solve(f));
        assert_true(f->P[0] == 0.0 && f->P[1] == 0.0 && f->P[2] == 0.0);
        assert_int_equal(SP_OPEN, f->status[0]);
        assert_int_equal(SP_OPEN, f->status[1]);
        free(f);
    }
}

static void numbers_not_finite_fail_clearly(void **ctx)
{
    (void)ctx;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    const sp_set set[4] = {sp_set_planar(0.5), sp_set_planar(0.5), sp_set_half_line(),
                           sp_set_free()};
    const double u[3] = {1.0, -1.0, 0.3};
    for (int k = 0; k < 3; k++) {
        for (int at = 0; at < 36 + 6; at++) {
            for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
                fixture *f = make(4, set);
                fill(f, 3, corner_W, corner_inverse, u, 0.0);
                *(at < 36 ? &f->G[at] : &f->c[at - 36]) = bad[k];
                memset(f->status, guess, 4);
                assert_int_equal(SP_E_NONFINITE, solve(f));
                assert_int_equal(SP_NOT_SOLVED, f->s.result);
                free(f);
            }
        }
    }
    sp_set no_mu = sp_set_planar(NAN);
    fixture *f = make(1, &no_mu);
    f->G[0] = f->G[3] = 1.0;
    assert_int_equal(SP_E_INPUT, solve(f));
    assert_non_null(strstr(f->err.text, "mu"));
    free(f);
}

static void what_it_cannot_take_is_refused(void **ctx)
{
    (void)ctx;
    sp_set bad[6] = {sp_set_disc(-0.5),         sp_set_interval(1.0, 0.5),
                     sp_set_interval(NAN, 1.0), sp_set_interval(INFINITY, INFINITY),
                     sp_set_planar(-0.1),       sp_set_half_line()};
    bad[5].shifted = 1;
    bad[5].shift[0] = NAN;
    for (int k = 0; k < 6; k++) {
        fixture *f = make(1, &bad[k]);
        assert_int_equal(SP_E_INPUT, solve(f));
        assert_int_equal(SP_NOT_SOLVED, f->s.result);
        assert_non_null(strstr(f->err.text, "contact 0"));
        free(f);
    }
    const sp_set plain = sp_set_half_line();
    fixture *f = make(1, &plain);
    f->row[0] = 1;
    assert_int_equal(SP_E_INPUT, solve(f));
    free(f);
}

/* A wheel of inertia 0.5 turning with 3 rad/s against a brake of at most 1 N m s, 2 N m s. */
static void a_brake_slips_or_holds(void **ctx)
{
    (void)ctx;
    const double W = 1.0, inverse = 2.0, limit[3] = {1.0, 2.0, 1.0}, u[3] = {3.0, 3.0, -3.0};
    const double P[3] = {-1.0, -1.5, 1.0}, xi[3] = {1.0, 0.0, -1.0};
    const unsigned char status[3] = {SP_SLIP_POS, SP_STICK, SP_SLIP_NEG};
    for (int k = 0; k < 3; k++) {
        for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
            const sp_set set = sp_set_interval(-limit[k], limit[k]);
            fixture *f = make(1, &set);
            fill(f, 1, &W, &inverse, &u[k], 0.0);
            f->status[0] = (unsigned char)guess;
            assert_int_equal(SP_OK, solve(f));
            assert_int_equal(status[k], f->status[0]);
            assert_near(f->P[0], P[k], 1e-15);
            assert_near(velocity(f, 0), xi[k], 1e-15);
            assert_true(f->s.residual < 1e-15);
            free(f);
        }
    }
}

/* Bounds of every kind on one row, G = 2, c = 3: P without bounds would be -1.5. */
static void intervals_may_be_points_one_sided_or_endless(void **ctx)
{
    (void)ctx;
    const sp_set set[6] = {sp_set_interval(-INFINITY, INFINITY), sp_set_interval(-1.0, INFINITY),
                           sp_set_interval(-INFINITY, -2.0),     sp_set_interval(0.5, 0.5),
                           sp_set_interval(-4.0, -3.0),          sp_set_interval(-INFINITY, 7.0)};
    const double P[6] = {-1.5, -1.0, -2.0, 0.5, -3.0, -1.5};
    const unsigned char status[6] = {SP_STICK,    SP_SLIP_POS, SP_SLIP_NEG,
                                     SP_SLIP_POS, SP_SLIP_NEG, SP_STICK};
    for (int k = 0; k < 6; k++) {
        for (int guess = SP_OPEN; guess <= SP_STATUS_UNKNOWN; guess++) {
            fixture *f = make(1, &set[k]);
            f->G[0] = 2.0;
            f->c[0] = 3.0;
            f->status[0] = (unsigned char)guess;
            assert_int_equal(SP_OK, solve(f));
            assert_int_equal(status[k], f->status[0]);
            assert_near(f->P[0], P[k], 1e-15);
            free(f);
        }
    }
}

/* Two bodies coupled by a clutch, one of them driven into a wall: the clutch carries at most 0.4.
 * m_1 u_1 = P_N - P_C, m_2 u_2 = P_C; by hand: slips, P_C = 0.4. */
static void a_clutch_carries_no_more_than_it_can(void **ctx)
{
    (void)ctx;
    const sp_set set[2] = {sp_set_interval(-0.4, 0.4), sp_set_half_line()};
    const double W[4] = {-1, 1, 1, 0}, inverse[2] = {1.0, 0.5}, u[2] = {-1.0, -1.0};
    fixture *f = make(2, set);
    fill(f, 2, W, inverse, u, 0.0);
    assert_int_equal(SP_OK, solve(f));
    /* the wall stops body 1, body 2 moves on with -1 + 0.4 / 2 */
    assert_near(f->P[0], 0.4, 1e-15);
    assert_near(f->P[1], 1.4, 1e-15);
    assert_near(velocity(f, 0), -0.8, 1e-15);
    assert_int_equal(SP_SLIP_NEG, f->status[0]);
    free(f);
}

/* A particle on a plane in the expansion phase of an impact: the percussion is 0.3 at least, and
 * friction may be moved too.  P_N = max(shift, -c / G). */
static void shifted_sets_are_solved_about_their_shift(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 40; k++) {
        sp_set set = sp_set_planar(0.5);
        set.shifted = 1;
        set.shift[0] = 0.3;
        set.shift[1] = 0.1;
        const double W[4] = {1, 0, 0, 1}, inverse[2] = {2.0, 4.0};
        const double u[2] = {-1.0 + 0.05 * k, 0.13 * (k - 20)};
        fixture *f = make(1, &set);
        fill(f, 2, W, inverse, u, 0.0);
        assert_int_equal(SP_OK, solve(f));
        const double P_N = fmax(0.3, -u[0] / 2.0), bound = 0.5 * (P_N - 0.3);
        const double P_T = fmin(fmax(-u[1] / 4.0, 0.1 - bound), 0.1 + bound);
        assert_near(f->P[0], P_N, 1e-15);
        assert_near(f->P[1], P_T, 1e-15);
        assert_int_equal(u[0] + 0.6 > 0.0 ? SP_OPEN : f->status[0], f->status[0]);
        free(f);
    }
}

/* The same machine in other units of mass and speed.  Units that are powers of four change no bit,
 * so that even the choice among several solutions must be the same. */
static void units_do_not_matter(void **ctx)
{
    (void)ctx;
    rng r = {25};
    const double unit[4] = {0x1p-60, 0x1p-14, 0x1p14, 0x1p60};
    for (int k = 0; k < 2000; k++) {
        sp_set set[4];
        unsigned char guess = (unsigned char)rng_int(&r, 5);
        for (int i = 0; i < 4; i++) {
            set[i] = sp_set_planar(rng_in(&r, 0.0, 1.5));
        }
        const double u[3] = {rng_in(&r, -1, 1), rng_in(&r, -1, 1), rng_in(&r, -20, 20)};
        fixture *f = make(4, set), *g = make(4, set);
        fill(f, 3, corner_W, corner_inverse, u, 0.4);
        const double kg = unit[rng_int(&r, 4)], speed = unit[rng_int(&r, 4)];
        for (int a = 0; a < 64; a++) {
            g->G[a] = f->G[a] / kg;
        }
        for (int a = 0; a < 8; a++) {
            g->c[a] = f->c[a] * speed;
        }
        memset(f->status, guess, 4);
        memset(g->status, guess, 4);
        assert_int_equal(SP_OK, solve(f));
        assert_int_equal(SP_OK, solve(g));
        assert_true(f->s.residual < 1e-12 && f->s.residual == g->s.residual);
        assert_memory_equal(f->status, g->status, 4);
        for (int a = 0; a < 8; a++) {
            assert_true(f->P[a] == g->P[a] / (kg * speed));
        }
        free(f);
        free(g);
    }
}

/* A wall of boxes: 40 contacts, each box on two corners of the one below; dependent and large. */
static void a_tower_of_boxes_stands(void **ctx)
{
    (void)ctx;
    enum { BOXES = 20 };
    static double W[2 * 2 * BOXES * 3 * BOXES];
    double inverse[3 * BOXES], u[3 * BOXES];
    sp_set set[2 * BOXES];
    memset(W, 0, sizeof W);
    for (int b = 0; b < BOXES; b++) {
        for (int d = 0; d < 3; d++) {
            inverse[3 * b + d] = d < 2 ? 1.0 : 6.0; /* m = 1, side 1 */
            u[3 * b + d] = d == 1 ? -0.00981 : 0.0;
        }
        for (int e = 0; e < 2; e++) { /* left and right lower corner */
            const double x = e == 0 ? -0.5 : 0.5;
            const int N = 2 * (2 * b + e), T = N + 1;
            for (int side = 0; side < (b == 0 ? 1 : 2); side++) {
                const int body = b - side;
                const double sign = side == 0 ? 1.0 : -1.0, y = side == 0 ? -0.5 : 0.5;
                W[N * 3 * BOXES + 3 * body + 1] += sign;
                W[N * 3 * BOXES + 3 * body + 2] += sign * x;
                W[T * 3 * BOXES + 3 * body] += sign;
                W[T * 3 * BOXES + 3 * body + 2] -= sign * y;
            }
            set[2 * b + e] = sp_set_planar(0.3);
        }
    }
    fixture *f = make(2 * BOXES, set);
    fill(f, 3 * BOXES, W, inverse, u, 0.0);
    assert_int_equal(SP_OK, solve(f));
    assert_true(f->s.residual < 1e-12);
    /* each layer carries what stands on it, half on each side; 20 boxes amplify round-off by 1e4 */
    for (int b = 0; b < BOXES; b++) {
        const double load = 0.5 * 0.00981 * (double)(BOXES - b);
        assert_near_scaled(f->P[4 * b], load, 0.1, 1e-11);
        assert_near_scaled(f->P[4 * b + 2], load, 0.1, 1e-11);
        assert_near_scaled(f->P[4 * b + 1], 0.0, 0.1, 1e-11);
    }
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_opens_sticks_and_slips),
        cmocka_unit_test(without_friction_a_closed_contact_slips),
        cmocka_unit_test(a_block_sticks_on_a_slope_up_to_the_angle_of_friction),
        cmocka_unit_test(four_closed_corners_are_solved_from_every_guess),
        cmocka_unit_test(a_face_impact_is_symmetric_to_round_off),
        cmocka_unit_test(a_contact_given_twice_moves_as_once),
        cmocka_unit_test(joints_hold_and_redundant_joints_too),
        cmocka_unit_test(unlike_wishes_of_opposed_walls_are_proved_infeasible),
        cmocka_unit_test(painleve_rods_are_solved_at_velocity_level),
        cmocka_unit_test(the_painleve_paradox_is_named),
        cmocka_unit_test(rest_and_nothing_are_solved_by_zero),
        cmocka_unit_test(separating_contacts_take_no_force),
        cmocka_unit_test(numbers_not_finite_fail_clearly),
        cmocka_unit_test(what_it_cannot_take_is_refused),
        cmocka_unit_test(a_brake_slips_or_holds),
        cmocka_unit_test(intervals_may_be_points_one_sided_or_endless),
        cmocka_unit_test(a_clutch_carries_no_more_than_it_can),
        cmocka_unit_test(shifted_sets_are_solved_about_their_shift),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_tower_of_boxes_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
