/* A run that is interrupted, saved as bytes and taken up by another state and other scratch goes on
 * to the bit, with every method of the library. */
#include "support/check.h"
#include "support/run.h"

#include "model/state.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN = 5, SEEN_MAX = 400 };

/* What is compared: frames and events, as bytes in a row. */
typedef struct tape {
    double *value;
    int n, size;
    int stop;        /* frames after which the run is interrupted, 0: never                    */
    int stop_events; /* the same: events after which it is, with the record behind them */
    int frames, events;
    int n_kept;                             /* numbers before the last frame */
    double start[SEEN_MAX], last[SEEN_MAX]; /* of contacts, two frames */
} tape;

static void put(tape *t, double value)
{
    if (t->n == t->size) {
        t->size = t->size ? 2 * t->size : 1024;
        t->value = realloc(t->value, (size_t)t->size * sizeof *t->value);
        assert_non_null(t->value);
    }
    t->value[t->n++] = value;
}

/* Where the contacts of a frame are, how they move and what they bear. */
static void see(const sp_model *m, const sp_step_record *r, double *seen)
{
    assert_true(SEEN * m->n_slot <= SEEN_MAX);
    for (int k = 0; k < m->n_slot; k++) {
        const sp_contact_record *c = &r->contact[k];
        const double all[SEEN] = {c->g_N, c->gamma_N, c->gamma_T, c->lambda_N, c->lambda_T};
        memcpy(seen + SEEN * k, all, sizeof all);
    }
}

static sp_status record(void *ctx, const sp_model *m, const sp_step_record *r, sp_error *err)
{
    (void)err;
    tape *t = ctx;
    if (r->dt == 0.0 && r->sampled) {
        see(m, r, t->start);
        return SP_OK; /* the start */
    }
    if (t->stop_events > 0 && t->events >= t->stop_events && r->n_event == 0) {
        return SP_E_INTERRUPTED;
    }
    t->events += r->n_event;
    for (int i = 0; i < r->n_event; i++) {
        put(t, r->event[i].t);
        put(t, (double)r->event[i].kind);
        put(t, r->event[i].Lambda_N);
        put(t, r->event[i].friction_work);
        put(t, (double)r->event[i].impact_id);
    }
    if (r->sampled) {
        t->n_kept = t->n;
        see(m, r, t->last);
        put(t, r->t);
        for (int k = 0; k < m->n_dof; k++) {
            put(t, r->q[k]);
            put(t, r->u[k]);
        }
        for (int k = 0; k < m->n_slot; k++) {
            put(t, r->contact[k].lambda_N);
            put(t, r->contact[k].state);
        }
        for (int k = 0; k < m->n_line * SP_LINE_COLUMNS; k++) {
            put(t, r->line[k]);
        }
        put(t, r->ledger->driven);
        put(t, r->ledger->projection);
        put(t, r->ledger->friction);
        put(t, r->ledger->impacts);
        put(t, r->ledger->discretisation);
        put(t, r->ledger->balance);
        put(t, r->worst->complementarity);
        put(t, r->lately->worst.complementarity);
        put(t, r->lately->worst.momentum);
        put(t, r->lately->worst.gap);
        put(t, r->lately->n_active);
        t->frames++;
    }
    return t->stop > 0 && r->sampled && t->frames == t->stop ? SP_E_INTERRUPTED : SP_OK;
}

/* Run with the tape watching; how many steps there were. */
static long run_on(rig *r, const sp_run_options *o, tape *t, sp_status expected)
{
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const sp_observer observer = {.step = record, .ctx = t};
    assert_int_equal(sp_integrate(r->m, r->x, r->w, o, &observer, 1, &summary, &err), expected);
    return summary.steps;
}

/* A run with this many frames, and the same left behind one of them and taken up. */
static void goes_on_from(const char *file, sp_method method, double until, double step, int frames,
                         int stop)
{
    const sp_run_options whole = {.method = method,
                                  .until = until,
                                  .step = sp_method_has_step(method) ? step : 0.0,
                                  .output_step = until / frames,
                                  .tolerance = 1e-6};
    sp_run_progress progress;
    sp_run_options part = whole, rest = whole;
    sp_error err = {.status = SP_OK};
    tape one = {0}, two = {.stop = stop};
    double left[SEEN_MAX];
    rig a = rig_of_file(file, NULL), b = rig_of_file(file, NULL), c = rig_of_file(file, NULL);
    run_on(&a, &whole, &one, SP_OK);
    part.progress = &progress;
    run_on(&b, &part, &two, SP_E_INTERRUPTED);
    memcpy(left, two.last, sizeof left);
    unsigned char *bytes = malloc(sp_state_bytes(b.m));
    assert_non_null(bytes);
    sp_state_pack(b.m, b.x, bytes);
    assert_int_equal(sp_state_unpack(c.m, bytes, sp_state_bytes(c.m), c.x, &err), SP_OK);
    rest.resume = &progress;
    two.stop = 0;
    run_on(&c, &rest, &two, SP_OK);
    assert_int_equal(one.n, two.n);
    for (int k = 0; k < SEEN * a.m->n_slot; k++) { /* the first frame is the one it was left at */
        assert_near(left[k], two.start[k], 1e-12);
    }
    assert_memory_equal(one.value, two.value, (size_t)one.n * sizeof *one.value);
    assert_memory_equal(&a.x->ledger, &c.x->ledger, sizeof a.x->ledger);
    free(bytes);
    free(one.value);
    free(two.value);
    rig_free(&a);
    rig_free(&b);
    rig_free(&c);
}

static void goes_on_to_the_bit(const char *file, sp_method method, double until, double step)
{
    goes_on_from(file, method, until, step, 40, 17);
}

static const sp_method methods[] = {SP_METHOD_MOREAU, SP_METHOD_MOREAU_MEAN, SP_METHOD_THETA,
                                    SP_METHOD_RK2,    SP_METHOD_RK4,         SP_METHOD_ADAPTIVE};

static void slider_crank_goes_on_to_the_bit(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 6; i++) {
        goes_on_to_the_bit("examples/slider_crank/slider_crank.yaml", methods[i], 0.04, 2e-5);
    }
}

static void woodpecker_and_belt_go_on_to_the_bit(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 6; i++) {
        goes_on_to_the_bit("examples/woodpecker/woodpecker.yaml", methods[i], 0.4, 1e-4);
        goes_on_to_the_bit("tests/data/good/belt.yaml", methods[i], 1.0, 1e-3);
    }
}

/* The wheel passes the seam at 1.32 s and back at 1.82 s; left at every step about these. */
static void a_wheel_goes_on_to_the_bit_at_a_seam(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 6; i++) {
        for (int stop = 1319; stop <= 1322; stop++) {
            goes_on_from("tests/data/good/ring.yaml", methods[i], 2.0, 1e-3, 2000, stop);
            goes_on_from("tests/data/good/ring.yaml", methods[i], 2.0, 1e-3, 2000, stop + 498);
        }
    }
}

/* ---- methods that remember more than the state ------------------------------------------------
 */

/* The end of a tape. */
static void ends_with(const tape *whole, const tape *end)
{
    assert_true(end->n > 0 && end->n <= whole->n);
    assert_memory_equal(whole->value + (whole->n - end->n), end->value,
                        (size_t)end->n * sizeof *end->value);
}

/* The beginning of a tape, but for the last frame of the shorter one, which has a step of its own,
 * and what only is told because it is the last. */
static void begins_with(const tape *whole, const tape *begin)
{
    assert_true(begin->n_kept > 0 && begin->n_kept <= whole->n);
    assert_memory_equal(whole->value, begin->value, (size_t)begin->n_kept * sizeof *begin->value);
}

/* A run is left as `part` and `two` say, taken up and run to the end of `whole`: what it tells then
 * is the end of what `one` has, and all that was not told before is in it. */
static void taken_up(const char *file, const rig *a, const tape *one, const sp_run_options *whole,
                     sp_run_options part, tape two, sp_status left)
{
    sp_run_progress progress = {.n_memory = 0};
    sp_run_options rest = *whole;
    sp_error err = {.status = SP_OK};
    tape three = {0};
    rig b = rig_of_file(file, NULL), c = rig_of_file(file, NULL);
    part.progress = &progress;
    const long steps = run_on(&b, &part, &two, left);
    assert_non_null(progress.memory);
    if (left == SP_OK) { /* nothing but the step that knows of the end is taken once more */
        assert_int_equal(progress.summary.steps, steps - 1);
        begins_with(one, &two);
    }
    unsigned char *bytes = malloc(progress.n_memory);
    assert_non_null(bytes);
    memcpy(bytes, progress.memory, progress.n_memory);
    progress.memory = bytes;
    assert_int_equal(sp_state_unpack(c.m, bytes, sp_state_bytes(c.m), c.x, &err), SP_OK);
    assert_true(c.x->t <= b.x->t);
    rig_free(&b);
    rest.resume = &progress;
    run_on(&c, &rest, &three, SP_OK);
    ends_with(one, &three);
    assert_true(three.n + two.n >= one->n);
    assert_memory_equal(&a->x->ledger, &c.x->ledger, sizeof a->x->ledger);
    assert_memory_equal(a->x->contact, c.x->contact,
                        (size_t)(a->m->n_slot + a->m->n_bond) * sizeof *a->x->contact);
    free(bytes);
    free(two.value);
    free(three.value);
    rig_free(&c);
}

/* Left after frames, right after events, and as runs that end before; taken up, all are the whole
 * run. */
static void goes_on_from_anywhere(const char *file, sp_method method, double until)
{
    const sp_run_options whole = {
        .method = method, .until = until, .output_step = until / 40.0, .tolerance = 1e-9};
    tape one = {0};
    rig a = rig_of_file(file, NULL);
    run_on(&a, &whole, &one, SP_OK);
    for (int frame = 1; frame < 40; frame += 6) {
        taken_up(file, &a, &one, &whole, whole, (tape){.stop = frame}, SP_E_INTERRUPTED);
    }
    for (int event = 1; event < one.events; event += 1 + one.events / 6) {
        taken_up(file, &a, &one, &whole, whole, (tape){.stop_events = event}, SP_E_INTERRUPTED);
    }
    for (int k = 0; k < 5; k++) {
        sp_run_options part = whole;
        part.until = (0.05 + 0.19 * k) * until;
        taken_up(file, &a, &one, &whole, part, (tape){0}, SP_OK);
    }
    print_message("%s, %s: %d numbers, %d events\n", file, sp_method_name(method), one.n,
                  one.events);
    free(one.value);
    rig_free(&a);
}

static void event_driven_runs_go_on_to_the_bit_from_anywhere(void **ctx)
{
    (void)ctx;
    goes_on_from_anywhere("examples/slider_crank/slider_crank.yaml", SP_METHOD_EVENT, 0.04);
    goes_on_from_anywhere("examples/woodpecker/woodpecker.yaml", SP_METHOD_EVENT, 0.4);
    goes_on_from_anywhere("tests/data/good/bouncing_ball.yaml", SP_METHOD_EVENT, 2.0);
    goes_on_from_anywhere("examples/tippe_top/tippe_top.yaml", SP_METHOD_EVENT, 0.5);
    goes_on_from_anywhere("examples/rolling_sphere/rolling_sphere.yaml", SP_METHOD_EVENT, 1.0);
    goes_on_from_anywhere("tests/data/good/belt.yaml", SP_METHOD_EVENT, 1.0);
    goes_on_from_anywhere("tests/data/good/ring.yaml", SP_METHOD_EVENT, 2.0);
    goes_on_from_anywhere("examples/euler_disc/euler_disc.yaml", SP_METHOD_EVENT, 0.3);
    goes_on_from_anywhere("tests/data/good/space_events.yaml", SP_METHOD_EVENT, 0.3);
}

static void smooth_runs_go_on_to_the_bit_from_anywhere(void **ctx)
{
    (void)ctx;
    goes_on_from_anywhere("tests/data/good/four_bar.yaml", SP_METHOD_SMOOTH, 1.0);
    goes_on_from_anywhere("tests/data/good/bricard.yaml", SP_METHOD_SMOOTH, 1.0);
}

/* The methods whose memory is the state: runs made longer, from ends on steps and frames and
 * between them. */
static void made_longer(const char *file, sp_method method, double until, double step)
{
    const sp_run_options whole = {.method = method,
                                  .until = until,
                                  .step = sp_method_has_step(method) ? step : 0.0,
                                  .output_step = until / 40.0,
                                  .tolerance = 1e-6};
    tape one = {0};
    rig a = rig_of_file(file, NULL);
    run_on(&a, &whole, &one, SP_OK);
    const double part_of[] = {0.5, 0.3721, 0.7};
    for (int k = 0; k < 3; k++) {
        sp_run_options part = whole;
        part.until = part_of[k] * until;
        taken_up(file, &a, &one, &whole, part, (tape){0}, SP_OK);
    }
    free(one.value);
    rig_free(&a);
}

static void stepped_and_adaptive_runs_are_made_longer_to_the_bit(void **ctx)
{
    (void)ctx;
    for (int i = 0; i < 6; i++) {
        made_longer("examples/slider_crank/slider_crank.yaml", methods[i], 0.04, 2e-5);
        made_longer("examples/woodpecker/woodpecker.yaml", methods[i], 0.4, 1e-4);
        made_longer("tests/data/good/belt.yaml", methods[i], 1.0, 1e-3);
    }
}

/* Memory that is missing, too short or of another version is refused. */
static void memory_that_does_not_fit_is_refused(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(0.0);
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    unsigned char nothing[64] = {0};
    sp_run_progress progress = {.t_0 = 0.0};
    const sp_run_options o = {.method = SP_METHOD_EVENT,
                              .until = 1.0,
                              .output_step = 1.0,
                              .tolerance = 1e-9,
                              .resume = &progress};
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "memory of 0 bytes"));
    progress.memory = nothing;
    progress.n_memory = sp_state_bytes(r.m) + sizeof nothing;
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &o, NULL, 0, &summary, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "memory of 64 bytes"));
    rig_free(&r);
}

static void states_of_other_models_are_refused(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(0.0), b = rig_of_file("tests/data/good/belt.yaml", NULL);
    sp_error err = {.status = SP_OK};
    unsigned char *bytes = malloc(sp_state_bytes(a.m));
    assert_non_null(bytes);
    sp_state_pack(a.m, a.x, bytes);
    assert_int_equal(sp_state_unpack(b.m, bytes, sp_state_bytes(a.m), b.x, &err), SP_E_INPUT);
    bytes[0] ^= 1; /* another fingerprint */
    assert_int_equal(sp_state_unpack(a.m, bytes, sp_state_bytes(a.m), a.x, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "another model"));
    free(bytes);
    rig_free(&a);
    rig_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_goes_on_to_the_bit),
        cmocka_unit_test(woodpecker_and_belt_go_on_to_the_bit),
        cmocka_unit_test(a_wheel_goes_on_to_the_bit_at_a_seam),
        cmocka_unit_test(event_driven_runs_go_on_to_the_bit_from_anywhere),
        cmocka_unit_test(smooth_runs_go_on_to_the_bit_from_anywhere),
        cmocka_unit_test(stepped_and_adaptive_runs_are_made_longer_to_the_bit),
        cmocka_unit_test(memory_that_does_not_fit_is_refused),
        cmocka_unit_test(states_of_other_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
