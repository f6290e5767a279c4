/* studies/orbit.c - periodic motions: one at each point of the study. */
#include "studies/kind.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRANSIENT 50.0
#define TOLERANCE 1e-10
enum { MOST = 30 };

/* ---- the section ------------------------------------------------------------------------------
 */

/* What the section of the kind says of orbits. */
sp_status sp_orbit_read(sp_study *s, const sp_node *map, sp_error *err)
{
    sp_orbit_wish *w = s->orbit = SP_NEW(&s->arena, sp_orbit_wish, 1);
    if (!w) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    long periods, most;
    double transient = TRANSIENT;
    *w = (sp_orbit_wish){.tolerance = TOLERANCE};
    SP_TRY(sp_study_whole(map, "periods", 1, &periods, err));
    SP_TRY(sp_study_whole(map, "most", MOST, &most, err));
    const sp_node *section = sp_node_get(map, "section");
    const sp_node *crossing = sp_node_get(section, "crossing");
    const sp_node *contact = sp_node_get(section, "contact");
    w->periods = (int)periods;
    w->most = (int)most;
    w->autonomous = section != NULL;
    w->crossing = crossing ? crossing->text : NULL;
    w->contact = contact ? contact->text : NULL;
    if (section && !w->crossing == !w->contact) {
        return sp_study_fail_at(section, err,
                                "section: write either 'crossing: COORDINATE' or "
                                "'contact: NAME'");
    }
    const sp_node *period = sp_node_get(s->spec->root, "period");
    if (!section == !period) {
        return sp_study_fail_at(
            section ? section : s->spec->root, err,
            section ? "'period' is that of a forcing; a machine with a 'section' has its own"
                    : "'period: EXPRESSION' of the forcing is missing; machines without a forcing "
                      "need 'section: {crossing: COORDINATE}' or '{contact: NAME}'");
    }
    const sp_node *level = sp_node_get(section, "level");
    SP_TRY(level ? sp_study_number(s, level, &w->level, NULL, err) : SP_OK);
    const sp_node *tolerance = sp_node_get(map, "tolerance");
    const sp_node *from = sp_node_get(map, "transient");
    SP_TRY(sp_study_quantity(s, tolerance, "1", &w->tolerance, err));
    SP_TRY(sp_study_quantity(s, from, section ? "s" : "1", &transient, err));
    if (!(transient >= 0.0) || !(w->tolerance > 0.0)) {
        return sp_study_fail_at(map, err, "transient and tolerance: expected numbers above zero");
    }
    w->transient = transient;
    return sp_study_set_period(s, w->periods, err);
}

static sp_status read_orbit(sp_study *s, sp_error *err)
{
    return sp_orbit_read(s, sp_node_get(s->spec->root, "orbit"), err);
}

/* ---- a point ----------------------------------------------------------------------------------
 */

#define NEUTRAL 1e-9 /* of a multiplier of 1, by round-off in derivatives: (83.4) */

enum { OWN_PERIOD, OWN_MULTIPLIER, OWN_UNSTABLE, OWN_RESIDUAL, OWN_CONDITION, OWN_N };
static const char *const own_name[OWN_N] = {"period", "multiplier", "unstable", "residual",
                                            "condition"};
static const char *const own_unit[OWN_N] = {"s", "1", "1", "1", "1"};

/* Everything about the orbit into the outcome. */
static bool keep_orbit(const sp_shoot *shoot, int n_mu, const sp_complex *mu, sp_outcome *o)
{
    const sp_variation_result *r = shoot->r;
    double *event = calloc((size_t)r->n_passed * 4 + 1, sizeof *event);
    for (int i = 0; event && i < r->n_passed; i++) {
        const sp_passed *p = &r->passed[i];
        const double row[4] = {p->t, p->kind, p->slot, p->speed};
        memcpy(event + 4 * i, row, sizeof row);
    }
    const bool ok =
        event && sp_extra_add(o, "t", 1, 0, &shoot->t_0) &&
        sp_extra_add(o, "period", 1, 0, &shoot->T) &&
        sp_extra_add(o, "state", (uint64_t)shoot->n_y, 0, shoot->start) &&
        sp_extra_add(o, "multipliers", (uint64_t)n_mu, 2, (const double *)(const void *)mu) &&
        sp_extra_add(o, "events", (uint64_t)r->n_passed, 4, event);
    free(event);
    return ok;
}

/* What there is to say about an orbit that was found. */
static void describe(const sp_shoot *shoot, int n_mu, const sp_complex *mu, double trivial,
                     sp_outcome *o, double *own)
{
    int unstable = 0;
    for (int i = 0; i < n_mu; i++) {
        unstable += hypot(mu[i].re, mu[i].im) > 1.0 + NEUTRAL;
    }
    own[OWN_PERIOD] = shoot->T;
    own[OWN_MULTIPLIER] = n_mu > 0 ? hypot(mu[0].re, mu[0].im) : 0.0;
    own[OWN_UNSTABLE] = unstable;
    own[OWN_RESIDUAL] = shoot->residual;
    own[OWN_CONDITION] = shoot->condition;
    if (shoot->r->together) {
        o->status = SP_POINT_DOUBTFUL;
        snprintf(o->message, sizeof o->message,
                 "several contacts come to touch at once: multipliers are those of one order");
    } else if (trivial > 1e-6) {
        o->status = SP_POINT_DOUBTFUL;
        snprintf(o->message, sizeof o->message, "the multiplier along the motion is off 1 by %.2g",
                 trivial);
    }
}

sp_status sp_orbit_measure(sp_engine *e, sp_machine *c, sp_shoot *shoot, sp_error *err)
{
    const sp_run_options before = c->o;
    sp_shoot_place(shoot, shoot->start);
    c->o.method = SP_METHOD_EVENT;
    c->o.until = shoot->t_0 + shoot->T;
    c->o.measure_from = shoot->t_0;
    const sp_status status = sp_engine_run_once(e, c, err);
    c->o = before;
    return status;
}

static sp_status run_shoot(sp_engine *e, sp_machine *c, sp_shoot *shoot, sp_error *err)
{
    double trivial;
    int n_mu;
    SP_TRY(sp_shoot_settle(shoot, err));
    SP_TRY(sp_shoot_solve(shoot, err));
    SP_TRY(sp_orbit_measure(e, c, shoot, err));
    SP_TRY(sp_shoot_fly(shoot, err));
    sp_complex *mu = calloc((size_t)shoot->r->n + 1, sizeof *mu);
    sp_status status = mu ? sp_shoot_multipliers(shoot, mu, &n_mu, &trivial, err)
                          : SP_FAIL(err, SP_E_MEMORY, "no memory for an orbit");
    if (status == SP_OK && !keep_orbit(shoot, n_mu, mu, sp_engine_outcome(e))) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for an orbit");
    }
    if (status == SP_OK) {
        describe(shoot, n_mu, mu, trivial, sp_engine_outcome(e), sp_engine_own(e));
    }
    free(mu);
    return status;
}

static sp_status run_orbit(sp_engine *e, sp_machine *c, sp_error *err)
{
    sp_shoot shoot;
    const sp_orbit_wish *wish = sp_engine_study(e)->orbit;
    sp_status status = sp_shoot_new(c->m, c->x, c->w, &c->o, wish, &shoot, err);
    if (status == SP_OK) {
        shoot.T = c->o.until - sp_state_time(c->x);
        status = run_shoot(e, c, &shoot, err);
    }
    sp_shoot_free(&shoot);
    return status;
}

const sp_study_runner sp_study_orbit = {.word = "orbit",
                                        .group = "/orbits",
                                        .n_own = OWN_N,
                                        .name = own_name,
                                        .unit = own_unit,
                                        .read = read_orbit,
                                        .run = run_orbit};
