/* How long a ball bounces, over its coefficient of restitution: a batch of runs on two threads. The
 * sum of all flights is T = t_1 (1 + eps)/(1 - eps), with t_1 the time of the first fall.
 *
 *     cc batch.c $(pkg-config --cflags --libs specht) -pthread -lm -o batch && ./batch
 */
#include <specht/specht.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 8, THREADS = 2 };

static const char model_text[] =
    "specht: 1\n"
    "space: planar\n"
    "gravity: 9.81 m/s^2\n"
    "parameters: {eps: 0.5}\n"
    "bodies:\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}\n"
    "  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, "
    "0]}}}\n"
    "contacts: {bounce: {between: [ball, ground], law: {eps_N: eps}}}\n"
    "start: {ball.y: 1 m}\n"
    "run: {until: 10 s, method: event}\n";

/* One point of the batch; each is computed by one thread alone. */
typedef struct point {
    double eps, rest; /* rest: when the ball stays on the floor, s */
    const char *word; /* how the run went: "clean", ... */
    sp_error err;
} point;

static sp_status on_event(void *ctx, const sp_event_info *event, sp_error *err)
{
    (void)err;
    if (strcmp(event->kind, "close") == 0) {
        ((point *)ctx)->rest = event->t;
    }
    return SP_OK;
}

/* Build the machine with this point's parameter and run it. */
static sp_status compute(point *p, sp_spec *spec, sp_model **model, sp_state **state,
                         sp_work **work)
{
    char assignment[32];
    sp_run_options options;
    sp_run_outcome outcome;
    const sp_run_observer observer = {.size = sizeof observer, .ctx = p, .event = on_event};
    snprintf(assignment, sizeof assignment, "eps=%.17g", p->eps);
    sp_status status =
        sp_spec_load_text(spec, "ball.yaml", model_text, strlen(model_text), NULL, &p->err);
    status = status == SP_OK ? sp_spec_override(spec, assignment, &p->err) : status;
    status = status == SP_OK ? sp_model_build(spec, NULL, model, &p->err) : status;
    status = status == SP_OK ? sp_state_new(*model, NULL, state, &p->err) : status;
    status = status == SP_OK ? sp_work_new(*model, NULL, work, &p->err) : status;
    status = status == SP_OK ? sp_run_options_default(*model, &options, &p->err) : status;
    status = status == SP_OK ? sp_run(*model, *state, *work, &options, &observer, &outcome, &p->err)
                             : status;
    p->word = status == SP_OK ? outcome.word : "failed";
    return status;
}

/* Every second point, by one thread. */
typedef struct share {
    point *all;
    int first;
} share;

static void *work_through(void *ctx)
{
    const share *s = ctx;
    for (int i = s->first; i < POINTS; i += THREADS) {
        sp_spec *spec = sp_spec_new(NULL);
        sp_model *model = NULL;
        sp_state *state = NULL;
        sp_work *work = NULL;
        if (spec) {
            compute(&s->all[i], spec, &model, &state, &work);
        }
        sp_work_free(work);
        sp_state_free(state);
        sp_model_free(model);
        sp_spec_free(spec);
    }
    return NULL;
}

int main(void)
{
    point all[POINTS];
    share part[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < POINTS; i++) {
        all[i] = (point){.eps = 0.1 * (i + 1), .rest = NAN, .word = "failed"};
    }
    for (int k = 0; k < THREADS; k++) {
        part[k] = (share){.all = all, .first = k};
        if (pthread_create(&thread[k], NULL, work_through, &part[k]) != 0) {
            fputs("batch: no thread\n", stderr);
            return 1;
        }
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
    }
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double t_1 = sqrt(2.0 / 9.81);
        const double theory = t_1 * (1.0 + all[i].eps) / (1.0 - all[i].eps);
        printf("eps = %.1f   at rest after %.9f s, expected %.9f s   %s\n", all[i].eps, all[i].rest,
               theory, all[i].word);
        worst = fmax(worst, fabs(all[i].rest - theory));
    }
    printf("largest error %.1e s\n", worst);
    return worst < 1e-6 ? 0 : 1;
}
