/* A pendulum that swings against a wall, run from event to event while an observer watches: its
 * angle at every frame, and every impact.
 *
 *     cc observed.c $(pkg-config --cflags --libs specht) -o observed && ./observed
 */
#include <specht/specht.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model_text[] =
    "specht: 1\n"
    "name: Pendulum against a wall\n"
    "space: planar\n"
    "gravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {wall: {line: [1, 0]}}}\n"
    "  ball:\n"
    "    mass: 200 g\n"
    "    inertia: 2e-4 kg*m^2\n"
    "    joint: {revolute: ground, from: [0, 0.5 m], at: [40 mm, 0]}\n"
    "    contours: {skin: {circle: 40 mm}}\n"
    "contacts: {knock: {between: [ball, ground], law: {eps_N: 0.7, mu: 0.2}}}\n"
    "start: {ball.phi: 30 deg}\n"
    "run: {until: 3 s, output_step: 0.5 s, method: event}\n";

static void must(sp_status status, const sp_error *err)
{
    if (status != SP_OK) {
        fprintf(stderr, "observed: %s\n", err->text);
        exit(1);
    }
}

/* What the observer knows: the channel it reads. */
typedef struct watcher {
    int phi;
    const char *unit;
} watcher;

static sp_status on_frame(void *ctx, const sp_sample *sample, sp_error *err)
{
    (void)err;
    const watcher *w = ctx;
    printf("t = %.1f s   phi = %+8.5f %s\n", sp_channel_read(sample, 0),
           sp_channel_read(sample, w->phi), w->unit);
    return SP_OK;
}

static sp_status on_event(void *ctx, const sp_event_info *event, sp_error *err)
{
    (void)ctx;
    (void)err;
    if (strcmp(event->kind, "impact") == 0) {
        printf("t = %.9f s   impact of '%s', impulse %.5f N s, %.6f J lost\n", event->t,
               event->name, event->Lambda_N, event->energy_lost);
    }
    return SP_OK;
}

int main(void)
{
    sp_error err;
    sp_model *model;
    sp_state *state;
    sp_work *work;
    sp_run_options options;
    sp_run_outcome outcome;
    watcher watch;
    sp_spec *spec = sp_spec_new(NULL);
    must(sp_spec_load_text(spec, "pendulum.yaml", model_text, strlen(model_text), NULL, &err),
         &err);
    must(sp_model_build(spec, NULL, &model, &err), &err);
    must(sp_state_new(model, NULL, &state, &err), &err);
    must(sp_work_new(model, NULL, &work, &err), &err);

    must(sp_channel_find(model, "ball.phi", &watch.phi, &err), &err);
    char name[64];
    int n = 0;
    watch.unit = sp_channel_name(model, watch.phi, name, sizeof name);
    while (sp_channel_name(model, n, name, sizeof name)) {
        n++;
    }
    printf("%d channels, all that its result would have\n", n);
    must(sp_run_options_default(model, &options, &err), &err); /* what the section 'run' says */
    const sp_run_observer observer = {
        .size = sizeof observer, .ctx = &watch, .frame = on_frame, .event = on_event};
    must(sp_run(model, state, work, &options, &observer, &outcome, &err), &err);

    char text[2048];
    sp_run_summary_text(&outcome, text, sizeof text);
    printf("\n%s: %s\n%s", sp_model_about(model)->name, outcome.word, text);

    sp_work_free(work);
    sp_state_free(state);
    sp_model_free(model);
    sp_spec_free(spec);
    return outcome.status == SP_RUN_CLEAN ? 0 : 1;
}
