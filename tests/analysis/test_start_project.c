/* 'start: project': what it moves, what that costs, and that it is told once. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/start.h"
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

/* A box of 2 kg that begins 1 mm in the floor: opened by 1 mm, which takes m g h = 0.02 J. */
#define BOX                                                                                        \
    "specht: 1\nspace: planar\ngravity: 10 m/s^2\nbodies:\n"                                       \
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"                                              \
    "  light: {mass: 1 kg, inertia: 0.1, contours: {b: {point: [0, 0]}}}\n"                        \
    "  box: {mass: 2 kg, inertia: 0.1, contours: {b: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, " \
    "0.1], [-0.1, 0.1]]}}}\n"                                                                      \
    "contacts: {c: {between: [[light, box], ground], law: {mu: 0.3}}}\n"                           \
    "start: {light.x: 1 m, light.y: 1 m, box.y: 99 mm}\n"                                          \
    "run: {until: 0.1 s, start: project}\n"

static const double ENERGY = 2.0 * 10.0 * 1e-3; /* m g h */

/* Events of the kind, and the energy they tell. */
typedef struct seen {
    int n;
    double energy;
} seen;

/* sp_observer: count them. */
static sp_status watch(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)m;
    (void)err;
    seen *s = ctx;
    for (int k = 0; k < r->n_event; k++) {
        if (r->event[k].kind == SP_EVENT_PROJECT) {
            s->n++;
            s->energy -= r->event[k].energy_lost;
            assert_near(r->event[k].t, 0.0, 0.0);
            assert_true(strncmp(m->slot[r->event[k].slot].name, "c.box", 5) == 0);
        }
    }
    return SP_OK;
}

/* Run the rig, whoever watches. */
static seen run(rig *r, sp_method method, double until, sp_run_summary *summary)
{
    seen s = {0, 0.0};
    sp_error err = {.status = SP_OK};
    const sp_observer observer = {.step = watch, .ctx = &s};
    const sp_run_options o = {.method = method,
                              .until = until,
                              .step = sp_method_has_step(method) ? 1e-3 : 0.0,
                              .output_step = 0.01,
                              .tolerance = method == SP_METHOD_ADAPTIVE ? 1e-6 : 1e-9};
    assert_int_equal(sp_integrate(r->m, r->x, r->w, &o, &observer, 1, summary, &err), SP_OK);
    return s;
}

/* Dry friction has no gap, however deep the box is. */
static void dry_friction_is_not_what_was_closed(void **ctx)
{
    (void)ctx;
    sp_run_summary summary;
    rig r = rig_of_text("%s%s", BOX, "couplings: {brake: {of: light.x, friction: 0.1 N}}\n");
    assert_int_equal(run(&r, SP_METHOD_MOREAU, 0.05, &summary).n, 1);
    rig_free(&r);
}

static void its_energy_is_booked_and_told_once(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_EVENT, SP_METHOD_MOREAU, SP_METHOD_ADAPTIVE};
    for (int k = 0; k < 3; k++) {
        sp_run_summary summary;
        rig r = rig_of_text(BOX);
        const seen first = run(&r, method[k], 0.05, &summary);
        assert_int_equal(first.n, 1);
        assert_near(first.energy, ENERGY, 1e-14);
        assert_near(summary.opened, ENERGY, 1e-14);
        assert_near(r.x->ledger.projection, ENERGY, 1e-12); /* the box rests, light falls free */
        assert_near(r.x->ledger.initial, 1.0 * 10.0 * 1.0 + 2.0 * 10.0 * 0.099, 1e-12);
        assert_true(fabs(r.x->ledger.balance) < 1e-12);
        assert_int_equal(run(&r, method[k], 0.1, &summary).n, 0);
        assert_near(summary.opened, ENERGY, 1e-14); /* the ledger has it still */
        assert_near(r.x->ledger.projection, summary.opened, 1e-12);
        rig_free(&r);
    }
}

static void a_start_without_penetration_has_no_such_event(void **ctx)
{
    (void)ctx;
    sp_run_summary summary;
    rig r = rig_of_text(BOX);
    double q[6], u[6]; /* the opened state, as somebody's own */
    memcpy(q, r.x->q, sizeof q);
    memcpy(u, r.x->u, sizeof u);
    sp_state_set(r.m, r.x, 0.0, q, u);
    assert_int_equal(run(&r, SP_METHOD_EVENT, 0.05, &summary).n, 0);
    assert_near(r.x->ledger.projection, 0.0, 1e-12);
    rig_free(&r);
}

static void saved_states_know_of_it(void **ctx)
{
    (void)ctx;
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    rig r = rig_of_text(BOX);
    const size_t n = sp_state_bytes(r.m);
    unsigned char *bytes = malloc(n);
    assert_non_null(bytes);
    sp_state_pack(r.m, r.x, bytes);
    assert_int_equal(run(&r, SP_METHOD_MOREAU, 0.02, &summary).n, 1);
    const double energy = r.x->ledger.projection;
    assert_int_equal(sp_state_unpack(r.m, bytes, n, r.x, &err), SP_OK);
    assert_int_equal(run(&r, SP_METHOD_MOREAU, 0.02, &summary).n, 1);
    assert_true(r.x->ledger.projection == energy);
    free(bytes);
    rig_free(&r);
}

/* The note of a start, with the body that went furthest. */
static void says(const char *text, const char *word)
{
    sp_arena arena;
    sp_diag diag;
    sp_state *x = NULL;
    rig r = rig_of_text("%s", text);
    sp_arena_init(&arena, NULL, 0);
    sp_diag_init(&diag, &arena);
    assert_int_equal(sp_start_state(r.m, NULL, &x, &diag), SP_OK);
    assert_true(diag.first && diag.first->severity == SP_NOTE && diag.n_error == 0);
    if (!strstr(diag.first->text, word)) {
        fail_msg("'%s' is not in: %s", word, diag.first->text);
    }
    sp_state_free(x);
    sp_arena_free(&arena);
    rig_free(&r);
}

static void what_was_moved_furthest_is_named(void **ctx)
{
    (void)ctx;
    says(BOX,
         "start: project moved 'box' by 0.001 m: contact 'c.box.1' was closed by 0.001 m; energy "
         "+0.02 J");
    /* a lever that stands 0.1 rad beyond its stop is turned back about its own origin */
    says("specht: 1\nspace: planar\ngravity: 0 m/s^2\nbodies:\n"
         "  a: {mass: 1 kg, inertia: 0.1, joint: {revolute: ground, range: [none, 0.4 rad]}}\n"
         "start: {a.phi: 0.5 rad}\nrun: {until: 0.1 s, start: project}\n",
         "start: project turned 'a' by 0.1 rad: contact 'a.joint.upper' was closed by "
         "0.1 rad; energy +0 J");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dry_friction_is_not_what_was_closed),
        cmocka_unit_test(its_energy_is_booked_and_told_once),
        cmocka_unit_test(a_start_without_penetration_has_no_such_event),
        cmocka_unit_test(saved_states_know_of_it),
        cmocka_unit_test(what_was_moved_furthest_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
