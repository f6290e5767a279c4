/* Derivatives of event-driven runs against differences of runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "specht/specht.h"
#include "variation/variation.h"

/* Runs with tolerance 1e-13 are off the motion by some 1e-14 of its size: over steps of 4e-6 that
 * is 3e-9.  What differences of order 2 lose is 2e-11 of the third derivatives, which events that
 * come shortly one after the other make as large as 1e4. */
#define STEP   4e-6
#define AGREES 1e-6

typedef struct machine {
    sp_spec *spec;
    sp_model *m;
    sp_state *x, *rest;
    sp_work *w;
    sp_run_options o;
} machine;

static machine make(const char *text)
{
    machine c = {.spec = sp_spec_new(NULL)};
    sp_error err = {.status = SP_OK};
    if (sp_spec_load_text(c.spec, "m.yaml", text, strlen(text), NULL, &err) != SP_OK ||
        sp_spec_set(c.spec, "run.until", "1", &err) != SP_OK ||
        sp_model_build(c.spec, NULL, &c.m, &err) != SP_OK ||
        sp_state_new(c.m, NULL, &c.x, &err) != SP_OK ||
        sp_state_new(c.m, NULL, &c.rest, &err) != SP_OK ||
        sp_work_new(c.m, NULL, &c.w, &err) != SP_OK ||
        sp_run_options_default(c.m, &c.o, &err) != SP_OK) {
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    }
    c.o.method = SP_METHOD_EVENT;
    c.o.tolerance = 1e-13;
    return c;
}

static void end(machine *c)
{
    sp_work_free(c->w);
    sp_state_free(c->x);
    sp_state_free(c->rest);
    sp_model_free(c->m);
    sp_spec_free(c->spec);
}

/* From y at t_0 to t_1, watched; y becomes the end. */
static void fly(machine *c, double t_0, double t_1, double *y, const sp_observer *observer)
{
    sp_error err = {.status = SP_OK};
    sp_run_summary summary;
    const size_t n_q = (size_t)c->m->n_q, n_u = (size_t)c->m->n_dof, n_z = (size_t)c->m->n_aux;
    sp_state_copy(c->m, c->rest, c->x);
    sp_state_set(c->m, c->x, t_0, y, y + n_q);
    memcpy(c->x->z, y + n_q + n_u, n_z * sizeof *y);
    c->o.until = t_1;
    c->o.output_step = t_1 - t_0;
    if (sp_integrate(c->m, c->x, c->w, &c->o, observer, observer ? 1 : 0, &summary, &err) !=
        SP_OK) {
        fail_msg("%s", err.text);
    }
    memcpy(y, c->x->q, n_q * sizeof *y);
    memcpy(y + n_q, c->x->u, n_u * sizeof *y);
    memcpy(y + n_q + n_u, c->x->z, n_z * sizeof *y);
}

/* The largest difference between derivatives and differences of a run, over the largest of them. */
static double disagreement(const char *text, double until, int least_events, int zeros)
{
    machine c = make(text);
    sp_error err = {.status = SP_OK};
    sp_variation *v = NULL;
    const sp_variation_result *r = NULL;
    double y[64], from[64], d[64], ends[2][64], worst = 0.0, size = 0.0;
    assert_int_equal(sp_variation_new(c.m, c.o.tolerance, &v, &err), SP_OK);
    const size_t n_q = (size_t)c.m->n_q, n_u = (size_t)c.m->n_dof, n_z = (size_t)c.m->n_aux;
    memcpy(y, c.x->q, n_q * sizeof *y);
    memcpy(y + n_q, c.x->u, n_u * sizeof *y);
    memcpy(y + n_q + n_u, c.x->z, n_z * sizeof *y);
    memcpy(from, y, sizeof y);
    fly(&c, 0.0, until, y, NULL);
    sp_variation_size_by(v, c.w->smooth);
    sp_state_set(c.m, c.x, 0.0, from, from + n_q);
    sp_variation_begin(v, c.x, c.w);
    const sp_observer observer = sp_variation_observer(v);
    memcpy(y, from, sizeof y);
    fly(&c, 0.0, until, y, &observer);
    if (sp_variation_finish(v, &r, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    if (r->n_passed < least_events) {
        fail_msg("%d events", r->n_passed);
    }
    assert_int_equal(r->r_top - r->r_min, zeros);
    for (int j = 0; j < r->r_0; j++) {
        for (int side = 0; side < 2; side++) {
            memcpy(ends[side], from, sizeof from);
            assert_int_equal(
                sp_variation_move(v, r->T + j * r->n, side ? STEP : -STEP, ends[side], &err),
                SP_OK);
            fly(&c, 0.0, until, ends[side], NULL);
        }
        sp_variation_apart(v, ends[0], ends[1], d);
        for (int i = 0; i < r->r_0; i++) {
            double slope = 0.0;
            for (int k = 0; k < r->n; k++) {
                slope += r->T[i * r->n + k] * d[k] / (2.0 * STEP);
            }
            worst = fmax(worst, fabs(slope - r->M[j * r->r_0 + i]));
            size = fmax(size, fabs(slope));
        }
    }
    sp_variation_free(v);
    end(&c);
    return worst / size;
}

static void check(const char *text, double until, int least_events, int zeros)
{
    const double off = disagreement(text, until, least_events, zeros);
    if (!(off <= AGREES)) {
        fail_msg("derivatives are off by %.3g", off);
    }
}

static void smooth_motion(void **ctx)
{
    (void)ctx;
    check("specht: 1\nunits: off\nformula: {coordinates: {a: 1, b: 1}, kinetic: a'^2 + b'^2/2 + "
          "a'*b'*cos(a - b), potential: -2*cos(a) - cos(b), forces: {a: sin(t) - a'/10}}\n"
          "start: {a: 1, b: 2}\n",
          3.0, 0, 0);
}

#define ROD                                                                                        \
    "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"                                     \
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"                                              \
    "  rod: {mass: 1 kg, inertia: 0.05 kg*m^2, contours: {ends: {polygon: [[-0.4 m, "              \
    "-0.02 m], [0.4 m, -0.02 m], [0.4 m, 0.02 m], [-0.4 m, 0.02 m]]}}}\n"

static void a_rod_that_tumbles_with_friction(void **ctx)
{
    (void)ctx;
    check(ROD
          "contacts: {c: {between: [rod.ends, ground], law: {mu: 0.2, eps_N: 0.5, eps_T: 0.1}}}\n"
          "start: {rod.y: 0.5 m, rod.phi: 0.3, rod.vx: 1 m/s, rod.omega: 2 rad/s}\n",
          0.75, 3, 0);
}

static void a_rod_that_comes_to_slide_on_its_end(void **ctx)
{
    (void)ctx; /* no restitution: it touches, slides, lifts off or falls over */
    check(ROD "contacts: {c: {between: [rod.ends, ground], law: {mu: 0.3, eps_N: 0}}}\n"
              "start: {rod.y: 0.4 m, rod.phi: 0.9, rod.vx: 0.5 m/s}\n",
          0.36, 2, 2);
}

static void friction_that_reverses_and_a_stop(void **ctx)
{
    (void)ctx;
    check("specht: 1\nspace: planar\ngravity: 0\nunits: off\nbodies:\n"
          "  a: {mass: 1, joint: {prismatic: ground, axis: [1, 0], stiffness: 1, friction: 0.2, "
          "range: [-1.1, 1], law: {eps_N: 0.6}}}\n"
          "  b: {mass: 0.5, joint: {prismatic: a, axis: [1, 0], stiffness: 3, damping: 0.1}}\n"
          "forces: {push: {force: [cos(1.3*t), 0], on: a}}\nstart: {a.x: 0.7, a.vx: 0.4, b.x: 1}\n",
          9.0, 3, 1);
}

static void a_block_that_sticks_and_slips_on_a_belt(void **ctx)
{
    (void)ctx;
    check("specht: 1\nunits: off\nformula: {coordinates: {x: 1, y: 1}, kinetic: (x'^2 + y'^2)/2, "
          "potential: x^2/2 + y + x^4/5}\n"
          "contacts: {belt: {gap: y, slip: x' - 0.2 - 0.05*sin(t), law: {mu: 0.3, mu_0: 0.5}}}\n"
          "start: {x: 0.3, x': -0.3, y: 0}\n",
          9.0, 3, 1);
}

static void forces_that_switch_and_a_loop(void **ctx)
{
    (void)ctx;
    check("specht: 1\nunits: off\nformula: {coordinates: {x: 1, y: 1}, kinetic: (x'^2 + y'^2)/2, "
          "potential: (x^2 + 2*y^2)/2, forces: {x: 'if(x > 0.2, -1, 0.5)'}}\n"
          "couplings: {ratio: {of: y - x^2/3, fix: 0}}\n"
          "start: {x: 1, x': 0, y: 1/3, y': 0}\n",
          4.0, 2, 0);
}

static void two_balls_that_are_hit_at_once(void **ctx)
{
    (void)
        ctx; /* the second ball rests on a table; the first falls on it: two contacts, one impact */
    check("specht: 1\nunits: off\nformula: {coordinates: {x: 1, y: 1}, kinetic: (x'^2 + 2*y'^2)/2, "
          "potential: x + 2*y}\n"
          "contacts: {top: {gap: x - y - 1, law: {eps_N: 0.5}}, table: {gap: y - 0.1*sin(t), law: "
          "{eps_N: 0.4}}}\nstart: {x: 2.5, y: 0, y': 0.1}\n",
          2.5, 2, 0);
}

static void an_accumulation_of_impacts(void **ctx)
{
    (void)ctx; /* behind it the ball lies on the slope: place and speed along are left */
    check("specht: 1\nunits: off\nformula: {coordinates: {x: 1, y: 1}, kinetic: (x'^2 + y'^2)/2, "
          "potential: y}\n"
          "contacts: {slope: {gap: y - x^2/10, slip: x' + x/5*y', law: {mu: 0.1, eps_N: 0.4}}}\n"
          "start: {x: 1, x': 0.3, y: 1}\n",
          4.5, 10, 2);
}

/* What is prescribed moves with time: gaps, speeds along and forces of contacts change by it even
 * while the rest stays.   theory (82.1a) */
/* Ball a hops until T = 3 sqrt(2); b lands shortly before, as the last hops of a are passed. */
static void hops_that_are_passed_when_something_else_is_hit(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 9; k++) {
        char text[400];
        const double t = 3.0 * sqrt(2.0) - 2.6e-6 * pow(1.6, k - 4);
        snprintf(text, sizeof text,
                 "specht: 1\nunits: off\nformula: {coordinates: {a: 1, b: 1}, "
                 "kinetic: (a'^2 + b'^2)/2, potential: a + b}\n"
                 "contacts: {a: {gap: a, law: {eps_N: 0.5}}, b: {gap: b, law: {eps_N: 0.5}}}\n"
                 "start: {a: 1, b: %.17g}\n",
                 0.5 * t * t);
        check(text, 9.0, 15, 2);
    }
}

static void a_rod_that_tumbles_on_a_table_that_is_moved(void **ctx)
{
    (void)ctx;
    check("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
          "parameters: {w: 7 rad/s}\nbodies:\n"
          "  ground: {}\n"
          "  table: {joint: {revolute: ground, motion: 0.2*sin(w*t)}, contours: {floor: {line: [0, "
          "1]}}}\n"
          "  rod: {mass: 1 kg, inertia: 0.05 kg*m^2, contours: {ends: {polygon: [[-0.4 m, -0.02 "
          "m], [0.4 m, -0.02 m], [0.4 m, 0.02 m], [-0.4 m, 0.02 m]]}}}\n"
          "contacts: {c: {between: [rod.ends, table], law: {mu: 0.2, eps_N: 0.5, eps_T: 0.1}}}\n"
          "start: {rod.y: 0.5 m, rod.phi: 0.3, rod.vx: 1 m/s, rod.omega: 2 rad/s}\n",
          0.6, 2, 0);
}

static void a_follower_of_a_cam_whose_speed_is_prescribed(void **ctx)
{
    (void)ctx;
    check(
        "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
        "parameters: {w: 90 rad/s}\nbodies:\n"
        "  cam: {joint: {revolute: ground, speed: w*(1 + 0.2*sin(w/2*t))}, contours: {disc: "
        "{circle: 30 mm, at: [0, -8 mm]}}}\n"
        "  follower: {mass: 0.4 kg, joint: {prismatic: ground, axis: [0, 1], stiffness: 200 N/m}, "
        "contours: {face: {line: [0, -1]}}}\n"
        "contacts: {valve: {between: [cam, follower], law: {eps_N: 0.3}}}\n"
        "start: {follower.joint.s: 50 mm, follower.joint.v: -0.36 m/s}\n",
        0.3, 3, 0);
}

static void a_block_on_a_plate_whose_tilting_speed_is_prescribed(void **ctx)
{
    (void)
        ctx; /* it sticks and slips as forces and speeds along change with the place of the plate */
    check("specht: 1\nspace: planar\ngravity: 9.81 m/s^2\n"
          "parameters: {A: 0.3, w: 5 rad/s}\nbodies:\n"
          "  plate: {joint: {revolute: ground, speed: -A*w*sin(w*t)}, contours: {top: {line: [0, "
          "1]}}}\n"
          "  block: {mass: 1 kg, joint: {free: ground, only: [x, y], stiffness: [30 N/m, 0 N/m]}, "
          "contours: {foot: {circle: 1 cm}}}\n"
          "contacts: {c: {between: [block, plate], law: {mu: 0.3, mu_0: 0.45}}}\n"
          "start: {block.x: 20 mm, block.y: 1 cm}\n",
          1.9, 4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_motion),
        cmocka_unit_test(a_rod_that_tumbles_with_friction),
        cmocka_unit_test(a_rod_that_comes_to_slide_on_its_end),
        cmocka_unit_test(friction_that_reverses_and_a_stop),
        cmocka_unit_test(a_block_that_sticks_and_slips_on_a_belt),
        cmocka_unit_test(forces_that_switch_and_a_loop),
        cmocka_unit_test(two_balls_that_are_hit_at_once),
        cmocka_unit_test(an_accumulation_of_impacts),
        cmocka_unit_test(hops_that_are_passed_when_something_else_is_hit),
        cmocka_unit_test(a_rod_that_tumbles_on_a_table_that_is_moved),
        cmocka_unit_test(a_follower_of_a_cam_whose_speed_is_prescribed),
        cmocka_unit_test(a_block_on_a_plate_whose_tilting_speed_is_prescribed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
