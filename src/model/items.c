/* model/items.c - what a model has, by name. */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

const sp_model_info *sp_model_about(const sp_model *m)
{
    return &m->about;
}

int sp_model_count(const sp_model *m, sp_item_kind kind)
{
    const int n[SP_ITEM_N] = {
        [SP_ITEM_BODY] = m->n_body,       [SP_ITEM_COORDINATE] = m->n_q,
        [SP_ITEM_VELOCITY] = m->n_dof,    [SP_ITEM_FREEDOM] = m->n_dof,
        [SP_ITEM_FORCE] = m->n_force,     [SP_ITEM_CONTACT] = m->n_slot,
        [SP_ITEM_LAW] = m->n_law,         [SP_ITEM_MOTION] = m->n_motion,
        [SP_ITEM_ELEMENT] = m->n_line,    [SP_ITEM_OUTPUT] = m->n_output,
        [SP_ITEM_MEASURE] = m->n_measure, [SP_ITEM_SAMPLE] = m->sampling.n_keep};
    return (int)kind >= 0 && kind < SP_ITEM_N ? n[kind] : 0;
}

const char *sp_model_item(const sp_model *m, sp_item_kind kind, int i)
{
    if (i < 0 || i >= sp_model_count(m, kind)) {
        return NULL;
    }
    switch (kind) {
    case SP_ITEM_BODY:
        return m->body[i].name;
    case SP_ITEM_COORDINATE:
        return m->coord[i].name;
    case SP_ITEM_VELOCITY:
        return m->dof[i].rate_name;
    case SP_ITEM_FREEDOM:
        return m->dof[i].name;
    case SP_ITEM_CONTACT:
        return m->slot[i].name;
    case SP_ITEM_LAW:
        return m->law_name && m->law_name[i] ? m->law_name[i] : "";
    case SP_ITEM_MOTION:
        return m->dof[m->motion[i].dof].name;
    case SP_ITEM_ELEMENT:
        return m->line[i].name;
    case SP_ITEM_OUTPUT:
        return m->output[i].name;
    case SP_ITEM_MEASURE:
        return m->measure[i].name;
    case SP_ITEM_SAMPLE:
        return m->sampling.name[i];
    case SP_ITEM_FORCE:
        return m->force[i].name;
    case SP_ITEM_N:
        break;
    }
    return NULL;
}

const char *sp_model_unit(const sp_model *m, sp_item_kind kind, int i)
{
    if (!sp_model_item(m, kind, i)) {
        return NULL;
    }
    return kind == SP_ITEM_COORDINATE ? m->coord[i].unit
           : kind == SP_ITEM_VELOCITY ? m->dof[i].rate_unit
           : kind == SP_ITEM_FREEDOM  ? m->dof[i].unit
           : kind == SP_ITEM_CONTACT  ? (m->slot[i].is.turns ? "rad" : "m")
           : kind == SP_ITEM_ELEMENT  ? "J"
           : kind == SP_ITEM_OUTPUT   ? m->output[i].unit
           : kind == SP_ITEM_MEASURE  ? m->measure[i].unit
           : kind == SP_ITEM_SAMPLE   ? m->sampling.unit[i]
                                      : "";
}

sp_status sp_model_find(const sp_model *m, sp_item_kind kind, const char *name, int *i,
                        sp_error *err)
{
    const char *near = NULL;
    const int n = m && name && i ? sp_model_count(m, kind) : 0;
    for (int k = 0; k < n; k++) {
        if (strcmp(sp_model_item(m, kind, k), name) == 0) {
            *i = k;
            return SP_OK;
        }
    }
    for (int k = 0; k < n && err; k++) {
        const char *const candidate[] = {sp_model_item(m, kind, k), near};
        const char *better = sp_nearest(name, candidate, near ? 2 : 1);
        near = better ? better : near;
    }
    return SP_FAIL(err, SP_E_INPUT, "there is no '%.80s'%s%.80s%s", name ? name : "",
                   near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Drilling, rolling and adhesion, where a law has them. */
static void spot_text(const sp_law *law, const sp_law_numbers *n, char *text, size_t size)
{
    int used = 0;
    if (law->drills) {
        used =
            snprintf(text, size, ", contensou %s, radius %.4g m",
                     n->spot.pressure == SP_PRESSURE_HERTZ ? "hertz" : "uniform", n->spot.radius);
    }
    if (law->drills && n->spot.hertz > 0.0) {
        used += snprintf(text + used, size - (size_t)used, " + %.4g m/N^(1/3) lambda_N^(1/3)",
                         n->spot.hertz);
    }
    if (n->spot.rolling > 0.0) {
        used += snprintf(text + used, size - (size_t)used, ", rolling %.4g m", n->spot.rolling);
    }
    if (n->spot.adhesion > 0.0) {
        snprintf(text + used, size - (size_t)used, ", adhesion %.4g N", n->spot.adhesion);
    }
}

/* The coefficients of a law in words. */
static void law_text(const sp_law *law, const sp_law_numbers *n, char *text, size_t size)
{
    char mu[96], across[64] = "", spot[200] = "";
    if (law->by_speed) {
        snprintf(mu, sizeof mu, "mu %.4g at rest, %.4g%s sliding", n->mu < 1e-200 ? 0.0 : n->mu,
                 n->mu_slip, law->mu.program ? " (of v)" : "");
    } else {
        snprintf(mu, sizeof mu, "mu %.4g", n->mu);
    }
    if (n->mu_2 > 0.0) {
        snprintf(across, sizeof across, " along the first direction, %.4g across", n->mu_2);
    }
    spot_text(law, n, spot, sizeof spot);
    snprintf(text, size, "%s%s, eps_N %.4g%s, eps_T %.4g%s%s", mu, across, n->eps_N,
             law->eps_N.program ? " (of v_N)" : "", n->eps_T, law->eps_T.program ? " (of v_N)" : "",
             spot);
}

sp_status sp_model_contact(const sp_model *m, int i, sp_contact_about *about)
{
    if (!m || i < 0 || i >= m->n_slot || !about) {
        return SP_E_INPUT;
    }
    const sp_slot *s = &m->slot[i];
    *about = (sp_contact_about){.element = m->contact[s->contact].name,
                                .kind = s->law != SP_NONE ? "contact"
                                        : s->is.dry       ? "dry friction"
                                        : s->is.one_way   ? "one way"
                                                          : "preload",
                                .unit = s->is.turns ? "rad" : "m"};
    if (s->law != SP_NONE) {
        const sp_law_numbers *n = &m->numbers.law[s->law];
        about->law = sp_model_item(m, SP_ITEM_LAW, s->law);
        about->mu = n->mu;
        about->mu_slip = n->mu_slip;
        about->eps_N = n->eps_N;
        about->eps_T = n->eps_T;
        law_text(&m->law[s->law], n, about->text, sizeof about->text);
    }
    return SP_OK;
}
