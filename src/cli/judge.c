#include "cli/judge.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

#define PENETRATION 1e-8 /* deeper at the end of a step is told [m]                        */
#define GAINED      1e-9 /* of the largest energy: more is no round-off                    */
#define STEP_ERROR  0.1  /* more of the largest energy than this is told                   */
#define MOVED       1e-2 /* more of the largest energy by corrections of positions is told */
#define CORRECTION  0.5  /* more of it: failed                                             */

/* Whether the energy is the machine's own, not what the correction of positions made of it, apart
 * from the gaps of the start that were opened; written so that NaN fails.
 * docs/decisions.md, 86 */
static sp_status check_projection(const sp_ledger *l, double opened, sp_error *err)
{
    if (fabs(l->projection - opened) <= CORRECTION * l->scale) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "no certified result: moving positions back to where contacts and joints hold "
                   "changed the energy by %.3g J, and the machine's largest was %.3g J; take a "
                   "smaller step, or remove what penetrates or jams",
                   l->projection - opened, l->scale);
}

/* Whether every step was solved well enough; written so that NaN fails. */
static sp_status check_certificate(const sp_model *m, const sp_run_summary *s, sp_error *err)
{
    const sp_certificate *worst = &s->worst;
    const bool named = worst->at > 0 && worst->at <= m->n_slot + m->n_bond;
    const struct {
        const char *name;
        double value;
    } part[] = {{"complementarity", worst->complementarity},
                {"friction cone", worst->cone},
                {"momentum balance", worst->momentum}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        if (!(part[k].value <= SP_CERTIFIED)) {
            return SP_FAIL(err, SP_E_NOT_CONVERGED,
                           "no certified result: %s = %.2g in the worst step, to t = %.9g s%s%s%s, "
                           "expected <= %g",
                           part[k].name, part[k].value, s->t_worst, named ? ", at '" : "",
                           named ? m->slot[worst->at - 1].name : "", named ? "'" : "",
                           SP_CERTIFIED);
        }
    }
    return SP_OK;
}

sp_status sp_judge_run(const sp_machine *machine, const sp_run_summary *summary, sp_error *err)
{
    SP_TRY(check_certificate(machine->model, summary, err));
    return check_projection(&machine->state->ledger, summary->opened, err);
}

/* Whether an energy is more than a part of the largest, and no round-off of the works, which are
 * all there is in a machine at rest.   theory (50.7) */
static bool is_more(double energy, double part, const sp_ledger *l)
{
    return energy > part * l->scale && energy > GAINED * sp_ledger_size(l);
}

/* What impacts gained in all is told, and so is what lasting contacts did by normal forces that
 * push over a step where they should not move: an error of the step.   theory (46.1) */
static void warn_of_gain(const sp_ledger *l, sp_method method, double gained)
{
    const bool events = method == SP_METHOD_EVENT || method == SP_METHOD_STIFF;
    if (gained > GAINED * l->scale) {
        fprintf(stderr,
                "specht: warning: impacts gained %.3g J in all, as Newton's law with friction can; "
                "'specht events' shows where, 'impact: {law: newton, gain: scale}' forbids it%s\n",
                gained, events ? "" : " with --method event");
    } else if (is_more(l->impacts, STEP_ERROR, l)) {
        fprintf(stderr,
                "specht: warning: normal forces of lasting contacts gained %.2g J, an error of the "
                "step; take a smaller one\n",
                l->impacts);
    }
}

/* The energy by corrections of positions and of the step, where it is no longer small. */
static void warn_of_errors(const sp_ledger *l, const sp_run_summary *s, bool stepped)
{
    const double moved = fabs(l->projection - s->opened);
    if (is_more(fabs(l->discretisation), STEP_ERROR, l)) {
        fprintf(
            stderr,
            "specht: warning: the step error is %.2g J, of the size of the energies themselves; "
            "take a smaller step or --method moreau-mean\n",
            fabs(l->discretisation));
    }
    if (is_more(moved, MOVED, l) && moved <= CORRECTION * l->scale) {
        fprintf(stderr,
                "specht: warning: moving positions back to where contacts and joints hold changed "
                "the energy by %.2g J, %.2g %% of the largest; take a smaller %s\n",
                l->projection - s->opened, 100.0 * moved / l->scale,
                stepped ? "step, or --method event" : "tolerance");
    }
}

void sp_judge_warn(const sp_machine *machine, const sp_report *report, double gained)
{
    const sp_run_summary *s = &report->summary;
    const sp_run_options *o = &report->options;
    const sp_model *m = machine->model;
    const sp_ledger *l = &machine->state->ledger;
    if (s->bad_output != SP_NONE) {
        fprintf(stderr, "specht: warning: output '%s' is not a finite number at t = %g s\n",
                m->output[s->bad_output].name, s->bad_time);
    }
    if (s->loosened * o->tolerance >= 1.0) {
        fprintf(stderr, "specht: warning: contacts changed without a pause; some changes were "
                        "passed without regard to the tolerance; take --method event\n");
    } else if (s->loosened > 1.0) {
        fprintf(stderr,
                "specht: warning: contacts changed without a pause; some changes were passed with "
                "%.3g times the tolerance\n",
                s->loosened);
    }
    warn_of_gain(l, o->method, gained);
    if (o->step >= o->until - report->resumed_at && o->step > 0.0 && s->steps == 1) {
        fprintf(stderr, "specht: warning: the step of %g s is as long as the run\n", o->step);
    }
    warn_of_errors(l, s, o->step > 0.0);
    if (!(s->worst.gap <= PENETRATION)) {
        fprintf(stderr,
                "specht: warning: bodies penetrate by up to %.2g m; they are jammed, or %s\n",
                s->worst.gap,
                o->step > 0.0 ? "the step is too long" : "a touch was missed: compare methods");
    }
}
