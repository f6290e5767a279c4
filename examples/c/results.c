/* A model file is run up to its tenth impact, or to its end; then its result is read.
 *
 *     cc results.c $(pkg-config --cflags --libs specht) -lm -o results && ./results MODEL.yaml x.h5
 */
#include <specht/specht.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMPACTS = 10, SHOWN = 8 };

static void must(sp_status status, const sp_error *err)
{
    if (status != SP_OK) {
        fprintf(stderr, "results: %s\n", err->text);
        exit(1);
    }
}

typedef struct watch {
    sp_work *work;
    int left;
} watch;

static sp_status on_event(void *ctx, const sp_event_info *event, sp_error *err)
{
    watch *w = ctx;
    (void)err;
    if (strcmp(event->kind, "impact") == 0 && --w->left == 0) {
        sp_run_stop(w->work);
    }
    return SP_OK;
}

static void run(const char *path, const char *file)
{
    sp_error err;
    sp_model *model;
    sp_state *state;
    sp_run_options options;
    sp_run_outcome outcome;
    watch w = {.left = IMPACTS};
    sp_spec *spec = sp_spec_new(NULL);
    must(spec ? SP_OK : SP_E_MEMORY, &(sp_error){.text = "no memory"});
    must(sp_spec_load_file(spec, path, &err), &err);
    must(sp_model_build(spec, NULL, &model, &err), &err);
    must(sp_state_new(model, NULL, &state, &err), &err);
    must(sp_work_new(model, NULL, &w.work, &err), &err);
    must(sp_run_options_default(model, &options, &err), &err);
    options.result = file;
    options.spec = spec;
    const sp_run_observer observer = {.size = sizeof observer, .ctx = &w, .event = on_event};
    (void)sp_run(model, state, w.work, &options, &observer, &outcome, &err);
    printf("%s: %s at t = %.6f s, %ld events\n", sp_model_about(model)->name, outcome.word,
           outcome.t, outcome.events);
    sp_work_free(w.work);
    sp_state_free(state);
    sp_model_free(model);
    sp_spec_free(spec);
}

static void show(const char *file)
{
    sp_error err;
    sp_result *result;
    sp_event_info event[SHOWN];
    int channel[2];
    char name[128];
    must(sp_result_open(file, &result, &err), &err);
    const sp_result_info *about = sp_result_about(result);
    const char *unit = sp_result_channel_name(result, 1, name, sizeof name);
    printf("%zu frames of %d channels, status %s\n", about->n_frame, about->n_channel,
           about->status);
    must(sp_result_find(result, "t", &channel[0], &err), &err);
    must(sp_result_find(result, name, &channel[1], &err), &err);
    double *row = malloc(2 * about->n_frame * sizeof *row);
    must(row ? SP_OK : SP_E_MEMORY, &(sp_error){.text = "no memory"});
    must(sp_result_read(result, 2, channel, 0, about->n_frame, row, &err), &err);
    for (size_t i = 0; i < about->n_frame; i += 1 + about->n_frame / SHOWN) {
        printf("  t = %.4f s   %s = %g %s\n", row[2 * i], name, row[2 * i + 1], unit);
    }
    const size_t n = about->n_event < SHOWN ? about->n_event : SHOWN;
    must(sp_result_events(result, 0, n, event, &err), &err);
    for (size_t i = 0; i < n; i++) {
        printf("  t = %.6f s   %s %s   %g J lost\n", event[i].t, event[i].kind, event[i].name,
               event[i].energy_lost);
    }
    free(row);
    sp_result_free(result);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL.yaml RESULT.h5\n", argv[0]);
        return 2;
    }
    run(argv[1], argv[2]);
    show(argv[2]);
    return 0;
}
