/* api/analysis.c - equilibrium, linear equations, modes and the comparison of methods. */
#include "specht/analysis.h"

#include "analysis/equilibrium.h"
#include "analysis/modes.h"
#include "analysis/verify.h"
#include "base/diag.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sp_hold_options sp_hold_options_default(void)
{
    return (sp_hold_options){.size = sizeof(sp_hold_options)};
}

/* The slot of this name, or SP_E_INPUT. */
static sp_status find_slot(const sp_model *m, const char *name, int *slot, sp_error *err)
{
    for (int i = 0; name && i < m->n_slot; i++) {
        if (strcmp(m->slot[i].name, name) == 0) {
            *slot = i;
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "no contact '%.80s'", name ? name : "");
}

/* What is held, as contacts by number.  *closed is the caller's to free. */
static sp_status read_hold(const sp_model *m, const sp_hold_options *o, sp_closed **closed,
                           sp_error *err)
{
    *closed = NULL;
    if (o->size != sizeof *o || o->n_closed < 0 || (o->n_closed > 0 && !o->closed)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "options for what is held are not from sp_hold_options_default");
    }
    *closed = calloc((size_t)o->n_closed + 1, sizeof **closed);
    if (!*closed) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < o->n_closed; i++) {
        SP_TRY(find_slot(m, o->closed[i], &(*closed)[i].slot, err));
    }
    return SP_OK;
}

/* The machine near a state, with its held rows; both are the caller's to free. */
static sp_status begin(const sp_model *m, const sp_state *x, const sp_hold_options *hold,
                       sp_closed **closed, sp_linear **linear, sp_error *err)
{
    const sp_hold_options none = sp_hold_options_default(), *o = hold ? hold : &none;
    *linear = NULL;
    *closed = NULL;
    if (!m || !x) {
        return SP_FAIL(err, SP_E_INPUT, "model or state are NULL");
    }
    SP_TRY(read_hold(m, o, closed, err));
    const sp_hold held = {.n_closed = o->n_closed, .closed = *closed};
    return sp_linear_new(m, x, &held, NULL, linear, err);
}

sp_status sp_analysis_equilibrium(const sp_model *m, sp_state *x, const sp_hold_options *hold,
                                  sp_error *err)
{
    sp_closed *closed;
    sp_linear *linear;
    sp_status status = begin(m, x, hold, &closed, &linear, err);
    if (status == SP_OK) {
        status = sp_equilibrium_find(linear, x, err);
    }
    sp_linear_free(linear);
    free(closed);
    return status;
}

/* M, D and K where l looks. */
static sp_status linearise(sp_linear *l, const sp_state *x, double *M, double *D, double *K,
                           sp_error *err)
{
    SP_TRY(sp_linear_look(l, x, err));
    sp_linear_accelerate(l, x);
    sp_linear_tangent(l, x);
    const double *const from[] = {l->M, l->D, l->K};
    double *const to[] = {M, D, K};
    for (int k = 0; k < 3; k++) {
        if (to[k]) {
            memcpy(to[k], from[k], (size_t)l->n * (size_t)l->n * sizeof *to[k]);
        }
    }
    return SP_OK;
}

sp_status sp_analysis_linearise(const sp_model *m, const sp_state *x, const sp_hold_options *hold,
                                double *M, double *D, double *K, sp_error *err)
{
    sp_closed *closed;
    sp_linear *linear;
    sp_status status = begin(m, x, hold, &closed, &linear, err);
    if (status == SP_OK) {
        status = linearise(linear, x, M, D, K, err);
    }
    sp_linear_free(linear);
    free(closed);
    return status;
}

/* Hand one mode out. */
static void put_mode(const sp_mode *from, int n_dof, sp_mode_info *to, double *shape)
{
    *to = (sp_mode_info){.re = from->s.re,
                         .im = from->s.im,
                         .frequency_hz = from->frequency_hz,
                         .damping = from->damping,
                         .unstable = from->unstable};
    for (int i = 0; shape && i < n_dof; i++) {
        shape[i] = from->shape[i].re;
        shape[n_dof + i] = from->shape[i].im;
    }
}

sp_status sp_analysis_modes(const sp_model *m, const sp_state *x, const sp_hold_options *hold,
                            int room, sp_mode_info *mode, double *shape, int *n, sp_error *err)
{
    sp_closed *closed;
    sp_linear *linear;
    sp_modes modes = {.n_mode = 0};
    if (!n || room < 0 || (room > 0 && !mode)) {
        return SP_FAIL(err, SP_E_INPUT, "sp_analysis_modes: room = %d, or an argument is NULL",
                       room);
    }
    *n = 0;
    sp_status status = begin(m, x, hold, &closed, &linear, err);
    status = status == SP_OK ? sp_linear_look(linear, x, err) : status;
    if (status == SP_OK) {
        sp_linear_accelerate(linear, x);
        status = sp_modes_find(linear, x, &modes, err);
    }
    for (int k = 0; status == SP_OK && k < modes.n_mode && k < room; k++) {
        put_mode(&modes.mode[k], m->n_dof, &mode[k],
                 shape ? shape + (size_t)2 * (size_t)k * (size_t)m->n_dof : NULL);
    }
    *n = modes.n_mode;
    sp_modes_free(&modes);
    sp_linear_free(linear);
    free(closed);
    return status;
}

sp_status sp_analysis_verify(const sp_model *m, const sp_run_options *o, sp_verify_outcome *outcome,
                             sp_error *err)
{
    sp_verify_report report;
    if (!m || !o || !outcome || o->size != sizeof *o) {
        return SP_FAIL(err, SP_E_INPUT,
                       "sp_analysis_verify: an argument is NULL, or options are not from "
                       "sp_run_options_default of this version");
    }
    sp_verify_options how = sp_verify_options_default();
    how.until = o->until;
    how.tolerance = sp_method_tolerance(m, SP_METHOD_EVENT);
    how.step = m->run.step;
    how.stiff = o->stiff;
    SP_TRY(sp_verify(m, m, &how, NULL, &report, err));
    *outcome = (sp_verify_outcome){.verdict = sp_verdict_of(&report),
                                   .reference = report.reference.method,
                                   .other = report.other.method,
                                   .agrees_until = sp_verify_agrees_until(&report),
                                   .trust = report.trust,
                                   .apart = report.apart[SP_VERIFY_STEPS - 1]};
    snprintf(outcome->message, sizeof outcome->message, "%s", report.failed);
    return SP_OK;
}
