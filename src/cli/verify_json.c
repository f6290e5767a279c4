#include "cli/machine.h"

#include <math.h>
#include <stdio.h>

/* The verdict in a word or two. */
static const char *status_of(const sp_verify_report *r)
{
    static const char *const word[] = {
        [SP_VERDICT_AGREEMENT] = "agreement",       [SP_VERDICT_SEVERAL] = "several motions",
        [SP_VERDICT_UNSETTLED] = "not settled",     [SP_VERDICT_ONE_METHOD] = "one method",
        [SP_VERDICT_NOT_VERIFIED] = "not verified", [SP_VERDICT_CONTRADICTION] = "contradiction"};
    return word[r->verdict];
}

/* What refinement gains, in a word or two. */
static const char *gain_word(sp_verify_gain gain)
{
    static const char *const word[] = {[SP_VERIFY_GAINS] = "gains",
                                       [SP_VERIFY_EXACT] = "exact",
                                       [SP_VERIFY_REFERENCE] = "as the reference",
                                       [SP_VERIFY_FLOOR] = "floor",
                                       [SP_VERIFY_SCATTER] = "scatter"};
    return word[gain];
}

/* One of several motions. */
static void print_choice(sp_json *j, const char *key, const sp_model *m, const sp_verify_choice *c)
{
    sp_json_object(j, key);
    sp_json_number(j, "t", c->t);
    sp_json_text(j, "contact", sp_model_item(m, SP_ITEM_CONTACT, c->slot));
    sp_json_integer(j, "n_found", c->n_found);
    sp_json_bool(j, "at_least", c->at_least);
    sp_json_end(j);
}

/* A certificate by its parts. */
static void print_certificate(sp_json *j, const char *key, const sp_verify_residuals *c)
{
    sp_json_object(j, key);
    sp_json_number(j, "complementarity", c->complementarity);
    sp_json_number(j, "cone", c->cone);
    sp_json_number(j, "momentum", c->momentum);
    sp_json_number(j, "gap", c->gap);
    sp_json_end(j);
}

/* The methods, their runs, and what was left out. */
static void print_json_methods(sp_json *j, const sp_verify_report *r)
{
    const sp_verify_side *a = &r->reference, *b = &r->other;
    sp_json_text(j, "reference", sp_method_name(a->method));
    sp_json_numbers(j, a->stepped ? "reference_steps" : "tolerances", a->n, a->grain);
    if (b->n > 0) {
        sp_json_text(j, "compared_with", sp_method_name(b->method));
        sp_json_numbers(j, b->stepped ? "steps" : "compared_tolerances", b->n, b->grain);
    }
    sp_json_array(j, "left_out");
    for (int k = 0; k < r->n_left; k++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "method", sp_method_name(r->left[k].method));
        sp_json_text(j, "why", r->left[k].why);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* Where methods part, and what was reported there or before. */
static void print_json_parting(sp_json *j, const sp_model *m, const sp_verify_report *r)
{
    const sp_verify_choice *c = &r->choice;
    sp_json_number(j, "t_parting", r->t_parted);
    if (r->contradicts) {
        sp_json_number(j, "t_contradiction", r->t_contradicts);
        sp_json_number(j, "contradiction", r->off);
        sp_json_number(j, "contradiction_self", r->off_self);
    }
    if (c->n_found >= 0) {
        print_choice(j, "choice", m, c);
    }
}

/* Distances and orders. */
static void print_json_distances(sp_json *j, const sp_verify_report *r)
{
    sp_json_numbers(j, "positions", r->other.n, r->apart);
    sp_json_numbers(j, "positions_mean", r->other.n, r->mean);
    sp_json_numbers(j, "velocities", r->other.n, r->apart_u);
    sp_json_number(j, "order_positions", r->order);
    sp_json_number(j, "order_velocities", r->order_u);
    sp_json_number(j, "order_positions_spread", r->spread);
    sp_json_number(j, "order_velocities_spread", r->spread_u);
    sp_json_number(j, "self", r->self);
    sp_json_text(j, "refinement", gain_word(r->gain));
    sp_json_number(j, "gain", r->gain_all);
    sp_json_number(j, "gain_last", r->gain_last);
    sp_json_number(j, "settled_to", r->settled);
    sp_json_number(j, "settled_until", r->t_settled);
}

/* All that is there only where two methods were compared for some time. */
static void print_json_comparison(sp_json *j, const sp_model *m, const sp_verify_report *r)
{
    print_json_distances(j, r);
    sp_json_integer(j, "impacts_stepped", r->impacts[1]);
    sp_json_integer(j, "impacts_matched", r->matched);
    sp_json_integer(j, "impacts_other_friction", r->other_friction);
    sp_json_integer(j, "impacts_reference_shared", r->shared[0]);
    sp_json_integer(j, "impacts_stepped_shared", r->shared[1]);
    sp_json_integer(j, "impacts_reference_alone", r->alone[0]);
    sp_json_integer(j, "impacts_stepped_alone", r->alone[1]);
    if (r->alone[0] + r->alone[1] > 0) {
        sp_json_object(j, "first_alone");
        sp_json_number(j, "t", r->t_alone);
        sp_json_text(j, "contact", sp_model_item(m, SP_ITEM_CONTACT, r->alone_slot));
        sp_json_text(j, "method",
                     sp_method_name(r->alone_side == 0 ? r->reference.method : r->other.method));
        sp_json_end(j);
    }
    if (r->matched > 0) {
        sp_json_number(j, "impact_time", r->impact_time);
        sp_json_number(j, "impulse", r->impulse);
    }
    sp_json_number(j, "energy_kept", r->energy.kept);
    sp_json_number(j, "energy_lost", r->energy.lost);
    sp_json_numbers(j, "energies_lost", r->other.n, r->lost);
    sp_json_number(j, "energy_friction", r->energy.friction);
    sp_json_number(j, "energy_impacts", r->energy.impacts);
}

/* What the reference says about itself. */
static void print_json_reported(sp_json *j, const sp_model *m, const sp_verify_report *r)
{
    if (!r->nothing[0]) {
        sp_json_integer(j, "impacts_reference", r->impacts[0]);
    }
    sp_json_integer(j, "zeno", r->zeno);
    sp_json_integer(j, "jams", (int)r->jams.n);
    sp_json_integer(j, "choices", r->choices);
    if (r->choices > 0) {
        print_choice(j, "first_choice", m, &r->first);
    }
}

void sp_verify_print_json(const sp_model *m, const sp_verify_report *r)
{
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", status_of(r));
    print_json_methods(&j, r);
    sp_json_number(&j, "until", r->until);
    sp_json_number(&j, "agrees_until", r->agrees_until);
    sp_json_number(&j, "trust", r->trust);
    sp_json_number(&j, "change", r->change);
    print_json_reported(&j, m, r);
    print_certificate(&j, "certificate_reference", &r->worst[0]);
    sp_json_number(&j, "projection_reference", r->moved[0]);
    if (r->other.n > 0) {
        sp_json_number(&j, "compared", r->compared);
        print_certificate(&j, "certificate_stepped", &r->worst[1]);
        sp_json_number(&j, "projection_stepped", r->moved[1]);
    }
    if (r->nothing[0]) {
        sp_json_text(&j, "nothing_compared", r->nothing);
        sp_json_number(&j, "step_to_take", r->step_to_take > 0.0 ? r->step_to_take : NAN);
    } else if (r->other.n > 0) {
        print_json_comparison(&j, m, r);
    }
    if (r->contradicts || r->several) {
        print_json_parting(&j, m, r);
    }
    if (r->failed[0]) {
        sp_json_text(&j, "ended_early", r->failed);
    }
    if (r->doubt[0]) {
        sp_json_text(&j, "not_certified", r->doubt);
    }
    sp_json_end(&j);
    printf("\n");
}
