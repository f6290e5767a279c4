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

void sp_judge_print(const sp_doubt doubt[SP_DOUBT_N], const char *before, FILE *file)
{
    for (int k = 0; k < SP_DOUBT_N; k++) {
        char text[256];
        if (doubt[k].n > 0) {
            sp_doubt_text((sp_doubt_kind)k, &doubt[k], text, sizeof text);
            fprintf(file, "%s%s %s\n", before, sp_doubt_name((sp_doubt_kind)k), text);
        }
    }
}

/* Whether an energy is more than a part of the largest, and no round-off of the works, which are
 * all there is in a machine at rest.   theory (50.7) */
static bool is_more(double energy, double part, const sp_ledger *l)
{
    return energy > part * l->scale && energy > GAINED * sp_ledger_size(l);
}

void sp_judge_notes(const sp_machine *machine, const sp_report *report)
{
    const sp_run_summary *s = &report->summary;
    const sp_run_options *o = &report->options;
    const sp_ledger *l = &machine->state->ledger;
    if (s->bad_output != SP_NONE) {
        fprintf(stderr, "specht: note: output '%s' is not a finite number at t = %g s\n",
                machine->model->output[s->bad_output].name, s->bad_time);
    }
    if (s->doubt[SP_DOUBT_RESTITUTION].n == 0 && is_more(l->impacts, STEP_ERROR, l)) {
        fprintf(stderr,
                "specht: note: normal forces of lasting contacts gained %.2g J, an error of the "
                "step; take a smaller one\n",
                l->impacts);
    }
    if (o->step >= o->until - report->resumed_at && o->step > 0.0 && s->steps == 1) {
        fprintf(stderr, "specht: note: the step of %g s is as long as the run\n", o->step);
    }
    if (is_more(fabs(l->discretisation), STEP_ERROR, l)) {
        fprintf(stderr,
                "specht: note: the step error is %.2g J, of the size of the energies themselves; "
                "take a smaller step or --method moreau-mean\n",
                fabs(l->discretisation));
    }
}
