/* Gaps and directions of the slider-crank's corners against the printed formulas [FLG10 eqs
 * 98-114], and the symmetry of the machine.  theta = A q, A lower triangular of ones: W = A^T w. */
#include "support/tree.h"

#include <stdio.h>
#include <string.h>

enum { N = 3 };

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c_play = 0.001;

/* c1, c2 against the upper surface, c3, c4 against the lower one. */
static const char *const slot_name[4] = {"guide.c1.upper", "guide.c2.upper", "guide.c3.lower",
                                         "guide.c4.lower"};

/* theta_i = q_1 + ... + q_i */
static void absolute(const double *q, double *theta)
{
    theta[0] = q[0];
    theta[1] = q[0] + q[1];
    theta[2] = q[0] + q[1] + q[2];
}

/* Eqs 98-105 with d/2 = b + c: gap and slip path of corner i. */
static void printed_gap(int i, const double *th, double *g_N, double *g_T)
{
    const double y = l1 * sin(th[0]) + l2 * sin(th[1]), x = l1 * cos(th[0]) + l2 * cos(th[1]);
    const double s = a * sin(th[2]), c = a * cos(th[2]);
    const double left = i == 0 || i == 2 ? 1.0 : -1.0, up = i < 2 ? 1.0 : -1.0;
    *g_N = b + c_play - up * y + up * left * s - b * cos(th[2]);
    *g_T = x - left * c - up * b * sin(th[2]);
}

/* Eqs 106-113 */
static void printed_directions(int i, const double *th, double w_N[N], double w_T[N])
{
    const double up = i < 2 ? 1.0 : -1.0, left = i == 0 || i == 2 ? 1.0 : -1.0;
    w_N[0] = -up * l1 * cos(th[0]);
    w_N[1] = -up * l2 * cos(th[1]);
    w_N[2] = up * left * a * cos(th[2]) + b * sin(th[2]);
    w_T[0] = -l1 * sin(th[0]);
    w_T[1] = -l2 * sin(th[1]);
    w_T[2] = left * a * sin(th[2]) - up * b * cos(th[2]);
}

/* Rates of a function of time by jets would hide a slip of the pen: check (106)-(113) themselves.
 */
static void printed_directions_are_slopes_of_the_printed_gaps(void **ctx)
{
    (void)ctx;
    rng r = {71};
    for (int k = 0; k < 200; k++) {
        double th[N] = {rng_in(&r, -3.0, 3.0), rng_in(&r, -3.0, 3.0), rng_in(&r, -3.0, 3.0)};
        for (int i = 0; i < 4; i++) {
            double w[2][N];
            printed_directions(i, th, w[0], w[1]);
            for (int j = 0; j < N; j++) {
                double low[2], high[2];
                const double at = th[j], h = 1e-5; /* h^2/6 * 0.3 + eps 0.5/h = 2e-11 */
                th[j] = at - h;
                printed_gap(i, th, &low[0], &low[1]);
                th[j] = at + h;
                printed_gap(i, th, &high[0], &high[1]);
                th[j] = at;
                assert_near((high[0] - low[0]) / (2.0 * h), w[0][j], 1e-10);
                assert_near((high[1] - low[1]) / (2.0 * h), w[1][j], 1e-10);
            }
        }
    }
}

static void gaps_and_directions_are_the_printed_ones(void **ctx)
{
    (void)ctx;
    machine m = machine_of_file("examples/slider_crank/slider_crank.yaml");
    assert_int_equal(m.m->n_slot, 8);
    rng r = {72};
    for (int k = 0; k < check_cases(1000, 50000); k++) {
        double q[N], u[N], th[N], om[N];
        for (int i = 0; i < N; i++) {
            q[i] = rng_in(&r, -3.0, 3.0);
            u[i] = rng_in(&r, -100.0, 100.0);
        }
        absolute(q, th);
        absolute(u, om);
        machine_touch(&m, q, u, INFINITY);
        const sp_con *con = &m.w->con;
        for (int i = 0; i < 4; i++) {
            const int slot = machine_slot(&m, slot_name[i]);
            double g_N, g_T, w[2][N];
            printed_gap(i, th, &g_N, &g_T);
            printed_directions(i, th, w[0], w[1]);
            assert_near_scaled(con->g[slot], g_N, 0.5, 1e-15);
            assert_near_scaled(con->frame[slot].point[0].x, g_T, 0.5, 1e-15);
            for (int d = 0; d < 2; d++) {
                double W[N] = {0.0}, gamma = 0.0;
                const int row = con->row[slot] + d;
                sp_con_add(con, slot, con->W + (size_t)row * (size_t)con->stride, 1.0, W);
                for (int j = 0; j < N; j++) {
                    double W_j = 0.0;
                    for (int l = j; l < N; l++) {
                        W_j += w[d][l];
                    }
                    assert_near_scaled(W[j], W_j, 0.5, 2e-15);
                    gamma += w[d][j] * om[j];
                }
                assert_near_scaled(sp_con_dot(con, slot, row, u), gamma, 100.0, 1e-15);
                assert_true(con->w_tilde[row] == 0.0); /* eq 114 */
            }
        }
    }
    machine_free(&m);
}

/* What the solver sees of two contacts. */
typedef struct view {
    double g, gamma[2], bias[2], G[2][2];
} view;

static view look(machine *m, int slot)
{
    const sp_con *con = &m->w->con;
    const sp_contact_frame *f = &con->frame[slot];
    view v = {.g = con->g[slot]};
    sp_con_gamma(&m->w->kin, f, v.gamma);
    sp_con_bias(m->m, &m->w->kin, con, slot, f, v.bias);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            v.G[i][j] = con->G[(con->row[slot] + i) * con->n_row + con->row[slot] + j];
        }
    }
    return v;
}

static void set_up(machine *m, const double *q, const double *u)
{
    sp_error err;
    machine_touch(m, q, u, INFINITY);
    sp_dyn_mass(m->m, m->num, &m->w->kin, &m->w->dyn);
    assert_int_equal(sp_dyn_factor(m->m, &m->w->dyn, &err), SP_OK);
    sp_con_delassus(m->m, &m->w->dyn, &m->w->con);
}

/* With the slider straight and not turning, left and right corner of a face have the same gap,
 * velocities and bias; the operator's normal and tangential parts agree, their coupling (through
 * the slider's rotation, +a b / J_3 against -a b / J_3) too up to that part. */
static void left_and_right_corners_see_the_same_numbers(void **ctx)
{
    (void)ctx;
    machine m = machine_of_file("examples/slider_crank/slider_crank.yaml");
    rng r = {73};
    const double J3 = 2.7e-6;
    for (int k = 0; k < 500; k++) {
        double q[N] = {0.0}, u[N] = {150.0, -225.0, 75.0};
        const bool start = k == 0;
        if (!start) { /* any place with theta_3 = 0, omega_3 = 0 */
            const double th[2] = {rng_in(&r, -3.0, 3.0), rng_in(&r, -1.0, 1.0)};
            const double om[2] = {rng_in(&r, -150.0, 150.0), rng_in(&r, -75.0, 75.0)};
            q[0] = th[0];
            q[1] = th[1] - th[0];
            q[2] = -th[1];
            u[0] = om[0];
            u[1] = om[1] - om[0];
            u[2] = -om[1];
        }
        set_up(&m, q, u);
        for (int face = 0; face < 2; face++) {
            const view left = look(&m, machine_slot(&m, slot_name[2 * face]));
            const view right = look(&m, machine_slot(&m, slot_name[2 * face + 1]));
            const double size = a * a / J3;
            if (start) { /* no round-off in sums of zeroes: to the last bit */
                assert_true(left.g == right.g);
                assert_true(left.gamma[0] == right.gamma[0] && left.gamma[1] == right.gamma[1]);
                assert_true(left.bias[0] == right.bias[0] && left.bias[1] == right.bias[1]);
                assert_near(left.g, c_play, 1e-15);
            }
            /* the angle of the slider is a sum with round-off 4e-16, the corner 0.05 m away */
            assert_near_scaled(left.g, right.g, 0.05, 1e-15);
            for (int i = 0; i < 2; i++) {
                assert_near_scaled(left.gamma[i], right.gamma[i], 10.0, 1e-14);
                assert_near_scaled(left.bias[i], right.bias[i], 1e4, 1e-14);
                assert_near_scaled(left.G[i][i], right.G[i][i], size, 1e-13);
            }
            /* w_N3 w_T3 = (up left a)(-up b): -a b on the left, +a b on the right */
            const double part = a * b / J3;
            assert_near_scaled(left.G[0][1] + part, right.G[0][1] - part, size, 1e-13);
        }
    }
    machine_free(&m);
}

/* Without gravity the machine is its own mirror image: (theta, omega) -> -(theta, omega) exchanges
 * the upper and the lower corners on each side, and the sense of slip stays. */
static void upper_and_lower_corners_are_mirror_images(void **ctx)
{
    (void)ctx;
    machine m = machine_of_file("examples/slider_crank/slider_crank.yaml");
    rng r = {74};
    for (int k = 0; k < 500; k++) {
        double q[2][N], u[2][N];
        view v[2][4];
        for (int i = 0; i < N; i++) {
            q[0][i] = rng_in(&r, -1.0, 1.0);
            u[0][i] = rng_in(&r, -100.0, 100.0);
            q[1][i] = -q[0][i];
            u[1][i] = -u[0][i];
        }
        for (int side = 0; side < 2; side++) {
            set_up(&m, q[side], u[side]);
            for (int i = 0; i < 4; i++) {
                v[side][i] = look(&m, machine_slot(&m, slot_name[i]));
            }
        }
        for (int i = 0; i < 4; i++) { /* bits: every product only changes its sign */
            const view *x = &v[0][i], *y = &v[1][(i + 2) % 4];
            assert_near_scaled(x->g, y->g, 0.05, 1e-16);
            for (int d = 0; d < 2; d++) {
                assert_near_scaled(x->gamma[d], y->gamma[d], 10.0, 1e-15);
                assert_near_scaled(x->bias[d], y->bias[d], 1e4, 1e-15);
                assert_near_scaled(x->G[d][d], y->G[d][d], 1e3, 1e-15);
            }
            assert_near_scaled(x->G[0][1], y->G[0][1], 1e3, 1e-15);
        }
    }
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_directions_are_slopes_of_the_printed_gaps),
        cmocka_unit_test(gaps_and_directions_are_the_printed_ones),
        cmocka_unit_test(left_and_right_corners_see_the_same_numbers),
        cmocka_unit_test(upper_and_lower_corners_are_mirror_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
