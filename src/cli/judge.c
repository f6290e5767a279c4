#include "cli/judge.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GAINED     1e-9 /* of the largest energy: more is no round-off */
#define STEP_ERROR 0.1  /* more of the largest energy than this is noted */

/* The kind with this name of n letters, SP_DOUBT_N: none has it. */
static sp_doubt_kind find_kind(const char *name, size_t n)
{
    int k = 0;
    while (k < SP_DOUBT_N && (strncmp(name, sp_doubt_name((sp_doubt_kind)k), n) != 0 ||
                              sp_doubt_name((sp_doubt_kind)k)[n] != '\0')) {
        k++;
    }
    return (sp_doubt_kind)k;
}

sp_status sp_judge_accept(const char *list, bool accept[SP_DOUBT_N], sp_error *err)
{
    for (const char *at = list; at && *at;) {
        const size_t n = strcspn(at, ",");
        const sp_doubt_kind kind = find_kind(at, n);
        if (kind == SP_DOUBT_N) {
            return SP_FAIL(err, SP_E_INPUT,
                           "run: --accept '%.*s' is no kind of doubt (there are: uncertified, "
                           "handover, projection, divided, unproven, restitution, tolerance)",
                           (int)n, at);
        }
        accept[kind] = true;
        at += n + (at[n] == ',');
    }
    return SP_OK;
}

bool sp_judge_is_doubtful(const sp_doubt doubt[SP_DOUBT_N], const bool accept[SP_DOUBT_N])
{
    bool doubtful = false;
    for (int k = 0; k < SP_DOUBT_N; k++) {
        doubtful = doubtful || (doubt[k].n > 0 && !(accept && accept[k]));
    }
    return doubtful;
}

void sp_judge_print(const sp_run_outcome *outcome)
{
    char text[8192];
    sp_run_summary_text(outcome, text, sizeof text);
    for (const char *at = text; (at = strstr(at, "doubtful: ")) != NULL; at++) {
        fprintf(stderr, "specht: %.*s\n", (int)strcspn(at, "\n"), at);
    }
}

/* The largest energy, or the work of one kind that is more, J. */
static double largest_work(const sp_run_outcome *o)
{
    const double work[] = {o->dampers, o->applied, o->friction, o->impacts, o->driven};
    double size = o->largest;
    for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
        size = fmax(size, fabs(work[k]));
    }
    return size;
}

/* Whether an energy is more than a part of the largest, and no round-off of the works, which are
 * all there is in a machine at rest.   theory (50.7) */
static bool is_more(double energy, double part, const sp_run_outcome *o)
{
    return energy > part * o->largest && energy > GAINED * largest_work(o);
}

void sp_judge_notes(const sp_report *report)
{
    const sp_run_outcome *s = &report->outcome;
    const sp_run_options *o = &report->options;
    if (s->bad_output.n > 0) {
        fprintf(stderr, "specht: note: output '%s' is not a finite number at t = %g s\n",
                s->bad_output.place, s->bad_output.t);
    }
    if (s->doubt[SP_DOUBT_RESTITUTION].n == 0 && is_more(s->impacts, STEP_ERROR, s)) {
        fprintf(stderr,
                "specht: note: normal forces of lasting contacts gained %.2g J, an error of the "
                "step; take a smaller one\n",
                s->impacts);
    }
    if (o->step >= o->until - s->t_0 && o->step > 0.0 && s->steps == 1) {
        fprintf(stderr, "specht: note: the step of %g s is as long as the run\n", o->step);
    }
    if (is_more(fabs(s->discretisation), STEP_ERROR, s)) {
        fprintf(stderr,
                "specht: note: the step error is %.2g J, of the size of the energies themselves; "
                "take a smaller step or --method moreau-mean\n",
                fabs(s->discretisation));
    }
}
