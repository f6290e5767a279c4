/* Orders of the time-stepping methods through events, against the motion from event to event: the
 * slider-crank (bounces, their accumulation, a face that slides and opens) and the woodpecker
 * (every kind of change that there is).   theory (26.1)-(26.3)
 *
 * One error proves nothing: an impact is wrong by a part of a step that depends on where in the
 * step it falls, so that halving a step may do anything between nothing and a factor of four.
 * Errors are therefore means over starts or cycles, and fitted over six and more steps. */
#include "support/check.h"
#include "support/events.h"

#include <stdlib.h>
#include <string.h>

static const sp_method methods[] = {SP_METHOD_MOREAU, SP_METHOD_THETA, SP_METHOD_RK2,
                                    SP_METHOD_RK4};
enum { METHODS = 4, SIZES_MAX = 8, DOFS = 3 };
#define EXACT 1e-12 /* tolerance of the motion from event to event */

/* Coordinates, then velocities, at equal times. */
typedef struct path {
    long n, n_max; /* how many there are, how many there is room for */
    double t_0, spacing;
    double (*x)[2 * DOFS];
} path;

/* Room for n + 1 of them. */
static path path_new(double t_0, double spacing, long n)
{
    path p = {.n_max = n + 1, .t_0 = t_0, .spacing = spacing};
    p.x = malloc((size_t)(n + 1) * sizeof *p.x);
    assert_non_null(p.x);
    return p;
}

/* One more. */
static void path_add(path *p, const double *q, const double *u)
{
    assert_true(p->n < p->n_max);
    memcpy(p->x[p->n], q, DOFS * sizeof(double));
    memcpy(p->x[p->n++] + DOFS, u, DOFS * sizeof(double));
}

/* Keep the frames of a run. */
static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    (void)err;
    path *p = ctx;
    if (r->sampled && p->n < p->n_max) {
        path_add(p, r->q, r->u);
    }
    return SP_OK;
}

/* From where the rig is, from event to event; the rig is at the end then. */
static path follow_events(rig *r, double spacing, long n)
{
    path p = path_new(r->x->t, spacing, n);
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_observer observer = {.step = watch, .ctx = &p};
    const sp_run_options o = {.method = SP_METHOD_EVENT,
                              .until = p.t_0 + (double)n * spacing,
                              .output_step = spacing,
                              .tolerance = EXACT};
    assert_int_equal(sp_run(r->m, r->x, r->w, &o, &observer, 1, &summary, &err), SP_OK);
    assert_int_equal(p.n, n + 1);
    return p;
}

/* From where the rig is, in n steps. */
static path follow_steps(rig *r, sp_method method, double dt, long n)
{
    path p = path_new(r->x->t, dt, n);
    path_add(&p, r->x->q, r->x->u);
    for (long k = 0; k < n; k++) {
        rig_step(r, method, dt);
        path_add(&p, r->x->q, r->x->u);
    }
    return p;
}

/* Integrals over time of |coarse - fine| for coordinates and velocities, each over its size; the
 * coarse one is straight between its steps, each of which is `every` fine ones. */
static void error_L1(const path *coarse, long every, const path *fine, const double *size,
                     double *err)
{
    err[0] = err[1] = 0.0;
    for (long i = 0; i < (coarse->n - 1) * every; i++) {
        const double *a = coarse->x[i / every], *b = coarse->x[i / every + 1];
        const double part = (double)(i % every) / (double)every;
        for (int j = 0; j < 2 * DOFS; j++) {
            const double between = a[j] + part * (b[j] - a[j]);
            err[j / DOFS] += fine->spacing * fabs(between - fine->x[i][j]) / size[j];
        }
    }
}

/* Sums over the starts of the L1 errors of q and u, by method and step. */
typedef struct errors {
    int first, n; /* method, steps */
    double dt[SIZES_MAX], err[METHODS][2][SIZES_MAX];
} errors;

/* The largest |value| of each coordinate and velocity on a path, coordinates from where it begins.
 */
static void sizes_of(const path *p, double *size)
{
    for (int j = 0; j < 2 * DOFS; j++) {
        size[j] = 1e-300;
        for (long i = 0; i < p->n; i++) {
            size[j] = fmax(size[j], fabs(p->x[i][j] - (j < DOFS ? p->x[0][j] : 0.0)));
        }
    }
}

/* Add the errors of all methods, with steps of so many fine ones, from where `fine` begins. */
static void add_start(rig *r, const path *fine, const double *size, int n, const long *every,
                      errors *e)
{
    e->n = n;
    for (int i = e->first; i < METHODS; i++) {
        for (int k = 0; k < n; k++) {
            double err[2];
            e->dt[k] = fine->spacing * (double)every[k];
            sp_state_set(r->m, r->x, fine->t_0, fine->x[0], fine->x[0] + DOFS);
            path coarse = follow_steps(r, methods[i], e->dt[k], (fine->n - 1) / every[k]);
            error_L1(&coarse, every[k], fine, size, err);
            e->err[i][0][k] += err[0];
            e->err[i][1][k] += err[1];
            free(coarse.x);
        }
    }
}

/* Sanitizers make programs slower: fewer starts. */
static bool is_sanitized(void)
{
    const char *sanitize = getenv("SPECHT_SANITIZE");
    return sanitize && *sanitize;
}

/* The fitted order is that of an error ~ dt; that of one start alone scatters more (test_orders.c).
 */
static void is_of_first_order(const char *what, sp_method method, int n, const double *dt,
                              const double *err)
{
    const double least = is_sanitized() ? 0.5 : 0.9, most = is_sanitized() ? 1.5 : 1.3;
    const double order = check_order(n, dt, err);
    print_message("%s, %s: order %.3f, error %.2e at dt = %.2e s, %.2e at %.2e\n", what,
                  sp_method_name(method), order, err[0], dt[0], err[n - 1], dt[n - 1]);
    assert_true(least < order && order < most);
}

static void all_are_of_first_order(const errors *e)
{
    for (int i = e->first; i < METHODS; i++) {
        is_of_first_order("L1 of q", methods[i], e->n, e->dt, e->err[i][0]);
        is_of_first_order("L1 of u", methods[i], e->n, e->dt, e->err[i][1]);
    }
}

/* Ten starts of the slider-crank, each 1 % faster than the one before, to 0.02 s; moreau is in
 * test_orders.c. */
static void steppers_are_of_first_order_in_L1_on_the_slider_crank(void **ctx)
{
    (void)ctx;
    enum { STEPS = 6 };
    const long every[STEPS] = {4, 8, 16, 32, 64, 128}; /* 1e-6 to 3.2e-5 s */
    const int n_start = is_sanitized() ? 1 : 10;
    errors e = {.first = 1};
    for (int i = 0; i < n_start; i++) {
        rig r = rig_slider_crank(0.0);
        double u[DOFS], size[2 * DOFS];
        for (int k = 0; k < DOFS; k++) {
            u[k] = (1.0 + 0.01 * i) * r.x->u[k];
        }
        sp_state_set(r.m, r.x, 0.0, r.x->q, u);
        path fine = follow_events(&r, 2.5e-7, 80000);
        sizes_of(&fine, size);
        add_start(&r, &fine, size, STEPS, every, &e);
        free(fine.x);
        rig_free(&r);
    }
    all_are_of_first_order(&e);
}

/* ---- the woodpecker ----------------------------------------------------------------------------
 */

#define PERIOD 0.1459760651 /* s, test_event.c */
#define DROP   0.0194453791 /* m               */
#define GOLDEN 0.6180339887 /* of a period: starts fall anywhere in a cycle, and in a step */

/* The woodpecker on its limit cycle. */
static rig pecker_on_its_cycle(void)
{
    rig r = rig_of_file("examples/woodpecker/woodpecker.yaml", NULL);
    events_go(&r, 40.0 * PERIOD, EXACT);
    return r;
}

/* One cycle from each of several states of the limit cycle. */
static void steppers_are_of_first_order_in_L1_over_a_cycle_of_the_woodpecker(void **ctx)
{
    (void)ctx;
    enum { STEPS = 7, FINE = 32768 };
    const long every[STEPS] = {2, 3, 5, 8, 13, 21, 32}; /* 8.9e-6 to 1.4e-4 s */
    const int n_start = is_sanitized() ? 1 : check_cases(4, 20);
    errors e = {.first = 0};
    rig r = pecker_on_its_cycle();
    for (int i = 0; i < n_start; i++) {
        double size[2 * DOFS];
        path fine = follow_events(&r, PERIOD / FINE, FINE);
        sizes_of(&fine, size);
        add_start(&r, &fine, size, STEPS, every, &e);
        sp_state_set(r.m, r.x, fine.t_0, fine.x[0], fine.x[0] + DOFS);
        r.n_event = 0; /* time goes back */
        events_go(&r, fine.t_0 + GOLDEN * PERIOD, EXACT);
        free(fine.x);
    }
    rig_free(&r);
    all_are_of_first_order(&e);
}

/* Times and heights of the first n strokes of the beak from where the rig is, in steps. */
static void strokes(rig *r, sp_method method, double dt, int n, double *t, double *y)
{
    const int beak = rig_slot(r, "beak");
    for (int k = 0; k < n;) {
        int i = r->n_event;
        rig_step(r, method, dt);
        for (; i < r->n_event && k < n; i++) {
            if (r->event[i].kind == SP_EVENT_IMPACT && r->event[i].slot == beak) {
                t[k] = r->event[i].t;
                y[k] = r->x->q[0] + r->x->u[0] * (t[k] - r->x->t);
                k++;
            }
        }
    }
}

/* Every cycle of a stepped run is longer than the exact one by about six steps: such runs fall
 * behind, and positions at equal times part however stable the cycle is. */
static void stepped_woodpeckers_have_the_period_and_drop_of_the_orbit_to_first_order(void **ctx)
{
    (void)ctx;
    enum { STEPS = 6, CYCLES_MAX = 30 };
    const int n = check_cases(8, CYCLES_MAX);
    double t[CYCLES_MAX + 2], y[CYCLES_MAX + 2], q[DOFS], u[DOFS];
    rig r = pecker_on_its_cycle();
    memcpy(q, r.x->q, sizeof q);
    memcpy(u, r.x->u, sizeof u);
    for (int i = 0; i < METHODS; i++) {
        double dt[STEPS], period[STEPS] = {0}, drop[STEPS] = {0};
        for (int k = 0; k < STEPS; k++) {
            dt[k] = 1.4e-4 / pow(1.75, k); /* no whole part of the period */
            sp_state_set(r.m, r.x, 0.0, q, u);
            strokes(&r, methods[i], dt[k], n + 2, t, y);
            for (int j = 1; j <= n; j++) { /* the first cycle comes from the start */
                period[k] += fabs(t[j + 1] - t[j] - PERIOD) / n;
                drop[k] += fabs(y[j] - y[j + 1] - DROP) / n;
            }
            assert_true(period[k] < 12.0 * dt[k]);
        }
        is_of_first_order("period", methods[i], STEPS, dt, period);
        is_of_first_order("drop", methods[i], STEPS, dt, drop);
    }
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steppers_are_of_first_order_in_L1_on_the_slider_crank),
        cmocka_unit_test(steppers_are_of_first_order_in_L1_over_a_cycle_of_the_woodpecker),
        cmocka_unit_test(stepped_woodpeckers_have_the_period_and_drop_of_the_orbit_to_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
