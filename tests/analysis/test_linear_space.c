/* Derivatives of friction that follows its velocities, and of held velocities by places, in
 * contacts in space, against differences of the rows and forces themselves. */
#include "support/swing.h"

#include <string.h>

enum { MOST = 24 };
#define SLOPE 2e-7 /* of central differences of order 4 with steps of 1e-4 */

/* r = M a - h - B^T lambda at (q, u) with a and lambda of the state in question; and A u. */
static void residual(sp_linear *l, const sp_state *x, const double *q, const double *u, double *r,
                     double *Au)
{
    sp_state y = *x;
    sp_error err = {.status = SP_OK};
    double lambda[MOST], a[MOST];
    const int n = l->n;
    memcpy(a, l->a, (size_t)n * sizeof *a);
    for (int i = 0; i < l->n_row; i++) {
        lambda[i] = l->row[i].lambda;
    }
    y.q = (double *)q;
    y.u = (double *)u;
    assert_int_equal(sp_linear_look(l, &y, &err), SP_OK);
    for (int k = 0; k < n; k++) {
        r[k] = -l->h[k];
        for (int j = 0; j < n; j++) {
            r[k] += l->M[k * n + j] * a[j];
        }
        for (int i = 0; i < l->n_row; i++) {
            r[k] -= l->B[i * n + k] * lambda[i];
        }
    }
    for (int i = 0; i < l->n_row; i++) {
        Au[i] = 0.0;
        for (int k = 0; k < n; k++) {
            Au[i] += l->A[i * n + k] * x->u[k];
        }
    }
}

/* Columns of r and A u by one degree of freedom, of places or velocities. */
static void differences(sp_linear *l, const sp_state *x, int k, bool by_u, double *dr, double *dA)
{
    static const double weight[4] = {1.0, -8.0, 8.0, -1.0}, at[4] = {-2.0, -1.0, 1.0, 2.0};
    const double step = 1e-4;
    double q[MOST], u[MOST], one[MOST] = {0.0}, r[MOST], Au[MOST];
    one[k] = 1.0;
    memset(dr, 0, MOST * sizeof *dr);
    memset(dA, 0, MOST * sizeof *dA);
    for (int i = 0; i < 4; i++) {
        memcpy(q, x->q, (size_t)l->m->n_q * sizeof *q);
        memcpy(u, x->u, (size_t)l->n * sizeof *u);
        if (by_u) {
            u[k] += at[i] * step;
        } else {
            sp_kin_advance(l->m, at[i] * step, one, q);
        }
        residual(l, x, q, u, r, Au);
        for (int j = 0; j < l->n; j++) {
            dr[j] += weight[i] * r[j] / (12.0 * step);
        }
        for (int j = 0; j < l->n_row; j++) {
            dA[j] += weight[i] * Au[j] / (12.0 * step);
        }
    }
}

/* Largest of n numbers in size. */
static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = check_worse(most, fabs(x[i]));
    }
    return most;
}

/* K, D and A_q of a machine whose contact 'foot' is closed, shaken and in any motion. */
static void check_machine(const char *text, sp_closed_kind kind)
{
    rng dice = {11};
    for (int n = 0; n < check_cases(3, 100); n++) {
        swing s = {.r = rig_of_text("%s", text)};
        sp_state *x = s.r.x;
        double turn[MOST], dr[MOST], dA[MOST], A_q[MOST * MOST];
        for (int k = 0; k < s.r.m->n_dof; k++) {
            turn[k] = rng_in(&dice, -0.2, 0.2);
            x->u[k] = rng_in(&dice, -2.0, 2.0);
        }
        sp_kin_advance(s.r.m, 1.0, turn, x->q);
        swing_close(&s, "foot", kind);
        s.hold.dof = s.held;
        s.hold.closed = s.closed;
        assert_int_equal(sp_linear_new(s.r.m, x, &s.hold, NULL, &s.l, &s.err), SP_OK);
        assert_int_equal(sp_linear_look(s.l, x, &s.err), SP_OK);
        sp_linear_accelerate(s.l, x);
        sp_linear_tangent(s.l, x);
        const int n_dof = s.l->n, n2 = n_dof * n_dof;
        const double K = largest(n2, s.l->K);
        const double D =
            largest(n2, s.l->D) + 1e-3 * K; /* D may be nothing but round-off of forces */
        sp_linear_row_slopes(s.l, x, A_q);
        const double A = 1.0 + largest(s.l->n_row * n_dof, A_q);
        for (int k = 0; k < n_dof; k++) {
            differences(s.l, x, k, false, dr, dA);
            for (int j = 0; j < n_dof; j++) {
                assert_near_scaled(s.l->K[j * n_dof + k], dr[j], K, SLOPE);
            }
            for (int j = 0; j < s.l->n_row; j++) {
                assert_near_scaled(A_q[j * n_dof + k], dA[j], A, SLOPE);
            }
            differences(s.l, x, k, true, dr, dA);
            for (int j = 0; j < n_dof; j++) {
                assert_near_scaled(s.l->D[j * n_dof + k], dr[j], D, SLOPE);
            }
        }
        swing_free(&s);
    }
}

/* An egg on a board that itself slides and turns. */
#define EGG(law)                                                                                   \
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"                                    \
    "  board: {mass: 2 kg, inertia: 0.1 kg*m^2, joint: {free: ground}, contours: {top: {plane: "   \
    "[0, 0, 1]}}}\n"                                                                               \
    "  egg: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.02 kg*m^2, 0.015 kg*m^2], joint: {free: "        \
    "ground}, contours: {shell: {ellipsoid: [0.1 m, 0.15 m, 0.2 m]}}}\n"                           \
    "contacts: {foot: {between: [egg.shell, board.top], law: " law "}}\n"                          \
    "start: {egg.z: 0.3 m}\n"

/* The same of a ball on a ball. */
#define BALL(law)                                                                                  \
    "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"                                    \
    "  stone: {mass: 2 kg, inertia: 0.1 kg*m^2, joint: {free: ground}, contours: {skin: {sphere: " \
    "0.3 m, at: [0.02, 0, 0]}}}\n"                                                                 \
    "  ball: {mass: 1 kg, inertia: 0.01 kg*m^2, joint: {free: ground}, contours: {skin: {sphere: " \
    "0.1 m, at: [0, 0.01, 0]}}}\n"                                                                 \
    "contacts: {foot: {between: [ball.skin, stone.skin], law: " law "}}\n"                         \
    "start: {ball.z: 0.45 m}\n"

static void a_sliding_disc_of_friction_has_its_slopes(void **ctx)
{
    (void)ctx;
    check_machine(EGG("{mu: 0.3}"), SP_CLOSED_ITSELF);
    check_machine(BALL("{mu: 0.3}"), SP_CLOSED_ITSELF);
    check_machine(EGG("{mu: 0.3, mu_2: 0.7}"), SP_CLOSED_ITSELF);
}

static void friction_by_speed_has_its_slopes(void **ctx)
{
    (void)ctx;
    check_machine(BALL("{mu: 0.3 + 0.2*exp(-v/(0.5 m/s))}"), SP_CLOSED_ITSELF);
}

static void drilling_and_rolling_friction_have_their_slopes(void **ctx)
{
    (void)ctx;
    check_machine(EGG("{mu: 0.3, friction: contensou, radius: 0.4 m}"), SP_CLOSED_ITSELF);
    check_machine(BALL("{mu: 0.3, friction: contensou, radius: 0.4 m, pressure: hertz}"),
                  SP_CLOSED_ITSELF);
    check_machine(EGG("{mu: 0.3, rolling: 0.1 m}"), SP_CLOSED_ITSELF);
    check_machine(BALL("{mu: 0.3, friction: contensou, radius: 0.4 m, rolling: 0.2 m}"),
                  SP_CLOSED_ITSELF);
}

static void held_directions_turn_along(void **ctx)
{
    (void)ctx;
    check_machine(EGG("{mu: 0.3}"), SP_CLOSED_STICKS);
    check_machine(BALL("{mu: 0.3, friction: contensou, radius: 0.4 m, rolling: 0.2 m}"),
                  SP_CLOSED_STICKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_disc_of_friction_has_its_slopes),
        cmocka_unit_test(friction_by_speed_has_its_slopes),
        cmocka_unit_test(drilling_and_rolling_friction_have_their_slopes),
        cmocka_unit_test(held_directions_turn_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
