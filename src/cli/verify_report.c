#include "cli/machine.h"

#include <math.h>
#include <stdio.h>

static const char *reference_of(const sp_verify_report *r)
{
    return sp_method_name(r->reference.method);
}

static const char *other_of(const sp_verify_report *r)
{
    return sp_method_name(r->other.method);
}

/* What is refined of the other method. */
static const char *grains_of(const sp_verify_report *r)
{
    return r->other.stepped ? "steps" : "tolerances";
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* What to do where finer runs come nearer. */
static const char *go_on(const sp_verify_report *r)
{
    return r->other.stepped ? "a smaller --step goes on" : "a smaller --tolerance goes on";
}

/* What to do where finer runs come no nearer. */
static void print_remedy(const sp_verify_report *r)
{
    const char *motion = r->choices > 0 ? ", or each took another motion" : "";
    const int expected = r->other.stepped ? 4 : 100;
    printf("a factor of %.3g where %d is expected, and its own runs are %.1e apart: ", r->gain_all,
           expected, r->self);
    if (r->gain == SP_VERIFY_FLOOR && r->other.stepped) {
        printf("if a much smaller --step does not come nearer either, one of the methods is off%s",
               motion);
    } else if (r->gain == SP_VERIFY_FLOOR) {
        printf("smaller tolerances will hardly help, one of the methods is off%s; ask a third "
               "by --method",
               motion);
    } else if (r->other.stepped) {
        printf("only a much smaller --step can show it, or another --method");
    } else {
        printf("it does not converge here, smaller tolerances will not help; ask another --method");
    }
}

/* Whether three numbers fall, to half of the first at least. */
static bool falls(const double *d)
{
    return d[1] < d[0] && d[2] < d[1] && 2.0 * d[2] <= d[0];
}

/* Not settled by the distances that were observed. */
static void print_far(const sp_verify_report *r)
{
    const double *d = r->apart;
    printf("%s is %.1e, %.1e and %.1e off with its three %s, ", other_of(r), d[0], d[1], d[2],
           grains_of(r));
    if (r->gain == SP_VERIFY_GAINS) {
        printf("nearer by a factor of %.3g, but still far: %s\n", r->gain_all, go_on(r));
    } else {
        print_remedy(r);
        printf("\n");
    }
}

/* Not settled by what friction and impacts took. */
static void print_other_energy(const sp_verify_report *r)
{
    const double *e = r->lost;
    printf("friction and impacts of %s take other energies, by %.1e, %.1e and %.1e of the largest "
           "energy or work with its three %s, ",
           other_of(r), e[0], e[1], e[2], grains_of(r));
    if (falls(e)) {
        printf("less each time, but still far: %s\n", go_on(r));
    } else {
        printf("not less by half: look at the forces of both (specht run, specht events), smaller "
               "%s alone may not help\n",
               grains_of(r));
    }
}

/* Why it is open whether both methods agree. */
static void print_unsettled(const sp_verify_report *r)
{
    printf("  not settled (compared until t = %.6g s of %.6g s): ", r->compared, r->until);
    if (r->far) {
        print_far(r);
    } else {
        print_other_energy(r);
    }
}

/* The verdict where there is only one method. */
static void print_alone(const sp_verify_report *r)
{
    printf("  %s alone, nothing to compare it with: its runs agree until t = %.6g s of %.6g s\n",
           reference_of(r), r->trust, r->until);
}

/* How many motions there were to choose from. */
static void print_number(const sp_verify_choice *c)
{
    if (c->n_found == 0) {
        printf("one of a continuum");
    } else {
        printf("one of %s%d %s", c->at_least ? "at least " : "", c->n_found,
               c->impact ? "impacts" : "motions");
    }
}

/* What the reference took one of. */
static void print_choice(const sp_model *m, const sp_verify_report *r)
{
    const sp_verify_choice *c = &r->choice;
    printf("%s took ", reference_of(r));
    print_number(c);
    printf(" at t = %.9g s ('%s')", c->t, sp_model_item(m, SP_ITEM_CONTACT, c->slot));
}

/* Where the methods part, since the machine has several motions. */
static void print_several(const sp_model *m, const sp_verify_report *r)
{
    printf("  agreement until t = %.6g s of %.6g s; beyond, the machine has several motions: ",
           r->compared, r->until);
    print_choice(m, r);
    printf(", %s goes another way\n", other_of(r));
}

/* Where the methods contradict each other, and by how much. */
static void print_contradiction(const sp_model *m, const sp_verify_report *r)
{
    printf("  the methods contradict each other from t = %.6g s on: runs of %s agree with each "
           "other to %.1e until there, and are %.1e off %s\n",
           r->t_contradicts, other_of(r), r->off_self, r->off, reference_of(r));
    if (r->choice.n_found >= 0) {
        printf("  several motions were reported, but not for the parts that differ at t = %.6g s: ",
               r->t_parted);
        print_choice(m, r);
        printf("\n");
    }
}

/* What is beyond the end of an agreement. */
static void print_beyond(const sp_verify_report *r)
{
    switch (r->end) {
    case SP_VERIFY_END_TOO_LONG:
    case SP_VERIFY_END_DIFFER:
        printf("; beyond, %s\n", r->other.stepped
                                     ? "steps are too long: a smaller --step goes further"
                                     : "its runs differ from each other");
        break;
    case SP_VERIFY_END_TRUST:
        printf("; beyond, no trajectory can be trusted\n");
        break;
    default:
        printf("\n");
    }
}

/* Agreement: until when, to what, and whether refinement gains no more. */
static void print_agreement(const sp_verify_report *r)
{
    if (r->compared >= r->until) {
        printf("  agreement over the whole run of %.6g s", r->until);
    } else {
        printf("  agreement until t = %.6g s of %.6g s", r->compared, r->until);
    }
    printf(", positions to %.1e of their size", r->apart[2]);
    const bool stalls = r->gain == SP_VERIFY_FLOOR || r->gain == SP_VERIFY_SCATTER;
    const bool little = stalls && r->gain_all < SP_VERIFY_GAIN_LEAST;
    if (little && r->other.stepped) {
        printf(", but smaller steps gained little: convergence of %s is not shown", other_of(r));
    } else if (r->gain == SP_VERIFY_FLOOR && !r->other.stepped) {
        printf(", but that is a floor: smaller tolerances of %s gain nothing", other_of(r));
    } else if (little) {
        printf(", but %s does not converge there: smaller tolerances gain nothing", other_of(r));
    }
    print_beyond(r);
}

/* Why nothing is verified. */
static void print_not_verified(const sp_verify_report *r)
{
    if (r->failed[0]) {
        printf("  not verified: a run ended early (below); compared until t = %.6g s of %.6g s\n",
               r->compared, r->until);
    } else if (r->nothing[0] && !r->uncertified) {
        printf("  not verified: nothing could be compared: %s; ", r->nothing);
        if (r->step_to_take > 0.0) {
            printf("take --step %g\n", r->step_to_take);
        } else {
            printf("take a shorter --until or a smaller --tolerance\n");
        }
    } else {
        printf("  not verified: a run has no certified result, its comparison means nothing: %s\n",
               r->doubt);
    }
}

/* The verdict, and up to which time it holds. */
static void print_verdict(const sp_model *m, const sp_verify_report *r)
{
    switch (r->verdict) {
    case SP_VERDICT_CONTRADICTION:
        print_contradiction(m, r);
        break;
    case SP_VERDICT_NOT_VERIFIED:
        print_not_verified(r);
        break;
    case SP_VERDICT_ONE_METHOD:
        print_alone(r);
        break;
    case SP_VERDICT_SEVERAL:
        print_several(m, r);
        break;
    case SP_VERDICT_UNSETTLED:
        print_unsettled(r);
        break;
    case SP_VERDICT_AGREEMENT:
        print_agreement(r);
        break;
    }
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* A method and what its runs differ in. */
static void print_side(const sp_verify_side *side)
{
    printf("%s %s ", sp_method_name(side->method), side->stepped ? "with steps" : "at tolerances");
    for (int k = 0; k < side->n; k++) {
        const char *before = k == 0 ? "" : k == side->n - 1 ? " and " : ", ";
        if (side->stepped) {
            printf("%s%.3g", before, side->grain[k]);
        } else {
            printf("%s%.1e", before, side->grain[k]);
        }
    }
    printf("%s", side->stepped ? " s" : "");
}

/* Which methods were compared, and which were not, and why. */
static void print_methods(const sp_verify_report *r)
{
    printf("  ");
    print_side(&r->reference);
    if (r->other.n > 0) {
        printf("; ");
        print_side(&r->other);
    }
    printf("\n\n");
    for (int k = 0; k < r->n_left; k++) {
        printf("  left out    %s: %s\n", sp_method_name(r->left[k].method), r->left[k].why);
    }
}

/* Until when runs are compared, where the reference goes on. */
static void print_compared(const sp_verify_report *r)
{
    if (r->compared >= r->trust || r->several || r->nothing[0]) {
        return;
    }
    printf("  compared    until t = %.6g s: ", r->compared);
    if (r->end == SP_VERIFY_END_EARLY) {
        printf("a run ended there\n");
    } else if (r->end == SP_VERIFY_END_TOO_LONG) {
        printf("from there on %s is more than 1e-2 off %s, as its own differences explain\n",
               other_of(r), reference_of(r));
    } else {
        printf("from there on runs of %s differ by 1e-2 from each other\n", other_of(r));
    }
}

/* What was run, and how long it can be trusted. */
static void print_runs(const sp_machine *machine, const sp_verify_report *r)
{
    const sp_model *m = machine->model;
    const int n = sp_model_count(m, SP_ITEM_CONTACT);
    const char *runs = r->reference.stepped ? "steps" : "tolerances";
    printf("  %s   %d dof, %d contact%s, %.6g s\n", sp_machine_title(machine),
           sp_machine_freedom(machine), n, n == 1 ? "" : "s", r->until);
    print_verdict(m, r);
    print_methods(r);
    if (r->trust >= r->until) {
        printf("  trusted     whole run: both %s agree to %.1e of scale\n", runs, r->change);
    } else if (r->trust_ended) {
        printf(
            "  trusted     until t = %.6g s, where a run ended: both %s agree to %.1e of scale\n",
            r->trust, runs, r->change);
    } else {
        printf("  trusted     until t = %.6g s: from there on both %s differ by more than %.0e of "
               "scale\n",
               r->trust, runs, r->limit);
    }
    print_compared(r);
    if (r->verdict == SP_VERDICT_UNSETTLED && r->far) {
        printf("  settled     until t = %.6g s: both methods agree to %.0e of scale\n",
               r->t_settled, r->settled);
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

/* An order with its spread, as text. */
static void order_text(const sp_verify_report *r, double order, double spread, double finest,
                       char *text, size_t size)
{
    if (!isnan(order)) {
        snprintf(text, size, "%.2f +- %.2f", order, spread);
    } else {
        snprintf(text, size, "%s", r->still || finest < 1.0 ? "round-off" : "none");
    }
}

/* What refinement gains, where it does not gain as it should, and why.   theory (57.1)-(57.4) */
static void print_refinement(const sp_verify_report *r)
{
    const char *ref = reference_of(r), *other = other_of(r);
    if (r->gain == SP_VERIFY_GAINS || r->gain == SP_VERIFY_EXACT) {
        return;
    }
    printf(
        "  refinement  divided the distance by %.3g, the last one by %.3g (errors of first order: "
        "%s): ",
        r->gain_all, r->gain_last, r->other.stepped ? "4 and 2" : "100 and 10");
    if (r->gain == SP_VERIFY_REFERENCE) {
        printf("it is no more than that of runs of %s from each other, %.1e\n", ref, r->change);
    } else if (r->gain == SP_VERIFY_FLOOR) {
        printf("runs of %s agree with each other to %.1e and stay %.1e off %s, a floor%s%s\n",
               other, r->self, r->apart[2], ref,
               r->choices > 0 ? ", which the choices below may explain" : "",
               r->other.stepped ? ", or chance by where events fall within steps" : "");
    } else if (r->other.stepped) {
        printf("runs of %s are %.1e apart: chance, by where events fall within steps, or no "
               "convergence\n",
               other, r->self);
    } else {
        printf("runs of %s are %.1e apart: %s\n", other, r->self,
               r->gain_all < SP_VERIFY_GAIN_LEAST ? "it does not converge here"
                                                  : "a smaller --tolerance may not gain more");
    }
}

/* Impacts of both methods. */
static void print_impacts(const sp_model *m, const sp_verify_report *r)
{
    const char *const name[] = {reference_of(r), other_of(r)};
    if (r->impacts[0] + r->impacts[1] == 0) {
        printf("  impacts     none\n");
        return;
    }
    printf("  impacts     %d strong one%s in %s, %d in %s, %d matched", r->impacts[0],
           r->impacts[0] == 1 ? "" : "s", name[0], r->impacts[1], name[1], r->matched);
    if (r->matched > 0) {
        printf(": times to %.1e s, impulses to %.1e", r->impact_time, r->impulse);
    }
    printf("\n");
    if (r->other_friction > 0) {
        printf("              %d of these with the same normal impulse and another friction\n",
               r->other_friction);
    }
    if (r->shared[0] + r->shared[1] > 0) {
        printf(
            "              %d in %s and %d in %s hit a point that the other method has no impulse "
            "at, sums over the points of the contact agree\n",
            r->shared[0], name[0], r->shared[1], name[1]);
    }
    if (r->alone[0] + r->alone[1] > 0) {
        printf(
            "              %d in %s alone, %d in %s alone, the first at t = %.6g s in %s ('%s')\n",
            r->alone[0], name[0], r->alone[1], name[1], r->t_alone, name[r->alone_side],
            sp_model_item(m, SP_ITEM_CONTACT, r->alone_slot));
    }
}

/* What else the reference reports: clatter, choices. */
static void print_reported(const sp_model *m, const sp_verify_report *r)
{
    const bool same = r->verdict == SP_VERDICT_AGREEMENT &&
                      (r->gain == SP_VERIFY_GAINS || r->gain == SP_VERIFY_EXACT);
    if (r->zeno > 0) {
        printf("  clatter     accumulating impacts passed %d time%s\n", r->zeno,
               r->zeno == 1 ? "" : "s");
    }
    if (r->choices > 0) {
        printf("  choices     at %d time%s %s took one of several motions, first at t = %.9g s "
               "('%s'): ",
               r->choices, r->choices == 1 ? "" : "s", reference_of(r), r->first.t,
               sp_model_item(m, SP_ITEM_CONTACT, r->first.slot));
        print_number(&r->first);
        if (same) {
            printf("; %s goes the same way", other_of(r));
        }
        printf("\n");
    }
}

/* The table of differences. */
static void print_table(const sp_verify_report *r)
{
    char order[40], order_u[40];
    printf("\n  %-9s    positions: largest, mean   velocities: mean    against %s, over their "
           "size\n",
           r->other.stepped ? "step [s]" : "tolerance", reference_of(r));
    for (int k = 0; k < SP_VERIFY_STEPS; k++) {
        printf("  %-10.3g   %.2e    %.2e       %.2e\n", r->other.grain[k], r->apart[k], r->mean[k],
               r->apart_u[k]);
    }
    order_text(r, r->order, r->spread, r->mean[2], order, sizeof order);
    order_text(r, r->order_u, r->spread_u, r->apart_u[2], order_u, sizeof order_u);
    printf("  order of means           %-14s  %s\n\n", order, order_u);
}

/* Energies, and where what jams took is booked. */
static void print_energies(const sp_verify_report *r)
{
    printf(
        "  energy      kept to %.1e, lost to %.1e of the largest energy or work (friction to %.1e, "
        "impacts to %.1e)\n",
        r->energy.kept, r->energy.lost, r->energy.friction, r->energy.impacts);
    if (r->jams.n > 0) {
        printf("  jams        %ld (first at t = %.9g s, '%s'): counted as impacts in %s, as "
               "friction in time steps\n",
               r->jams.n, r->jams.t, r->jams.place, reference_of(r));
    }
}

/* The worst certificates. */
static void print_certificates(const sp_verify_report *r)
{
    const char *const name[] = {reference_of(r), other_of(r)};
    for (int k = 0; k < (r->other.n > 0 ? 2 : 1); k++) {
        const sp_verify_residuals *c = &r->worst[k];
        printf("  %s %-11s complementarity %.1e, friction cone %.1e, momentum %.1e, gap %.1e m; "
               "projection %.1e\n",
               k == 0 ? "worst step " : "           ", name[k], c->complementarity, c->cone,
               c->momentum, c->gap, r->moved[k]);
    }
}

void sp_verify_print_text(const sp_machine *machine, const sp_verify_report *r)
{
    const sp_model *m = machine->model;
    const bool compared = r->other.n > 0 && !r->nothing[0];
    print_runs(machine, r);
    if (compared) {
        print_table(r);
        print_refinement(r);
        print_impacts(m, r);
    }
    print_reported(m, r);
    if (compared) {
        print_energies(r);
    }
    print_certificates(r);
    if (r->failed[0]) {
        printf("  ended early %s\n", r->failed);
    }
}
