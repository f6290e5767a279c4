/* run/report.c - a record of the state at hand, shown to all observers. */
#include "base/inline.h"
#include "base/status.h"
#include "contact/con3.h"
#include "contact/pool3.h"
#include "contact/rule.h"
#include "contact/spin3.h"
#include "integrators/loads.h"
#include "integrators/swept.h"
#include "kinematics/spot.h"
#include "run/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Friction along two directions. */
static void sample_slips(const sp_contact_memory *c, const double gamma[3], double dt,
                         sp_contact_record *r)
{
    r->P_T = hypot(c->P_T, c->P_T2);
    r->lambda_t[0] = dt > 0.0 ? c->P_T / dt : 0.0;
    r->lambda_t[1] = dt > 0.0 ? c->P_T2 / dt : 0.0;
    r->lambda_T = hypot(r->lambda_t[0], r->lambda_t[1]);
    r->gamma_N = gamma[0];
    r->gamma_t[0] = gamma[1];
    r->gamma_t[1] = gamma[2];
    r->gamma_T = hypot(gamma[1], gamma[2]);
}

/* The same of a contact in space; a slot of a pool that is free shows nothing. */
static void sample_space(const sp_model *m, const sp_state *x, const sp_work *w, int i,
                         sp_contact_record *r)
{
    const sp_contact_memory *c = &x->contact[i];
    sp_contact_frame3 f;
    double gamma[3];
    int a, b;
    r->P_T = hypot(c->P_T, c->P_T2);
    r->g_N = r->point[0] = r->point[1] = r->point[2] = NAN;
    if (!sp_con3_pair(m, &w->con, i, &a, &b)) {
        return;
    }
    sp_con3_frame(m, x->numbers, &w->con, i, &f);
    sp_frame3_gamma(&w->kin, &f, gamma);
    const double dt = w->con.dt;
    sample_slips(c, gamma, dt, r);
    const sp_law_numbers *law = &x->numbers->law[m->slot[i].law];
    const bool drills = m->law[m->slot[i].law].drills && law->mu > 0.0;
    if (dt > 0.0) {
        r->lambda_t[2] = drills ? c->P_S[0] * law->lever / dt : 0.0;
        r->lambda_r[0] = c->P_S[drills] * law->lever / dt;
        r->lambda_r[1] = c->P_S[drills + 1] * law->lever / dt;
    }
    const sp_vec3 along = sp_axpy3(sp_scale3(r->lambda_t[0], f.t[0]), r->lambda_t[1], f.t[1]);
    const sp_vec3 force = sp_axpy3(along, r->lambda_N, f.n);
    const double place[3] = {f.point[0].x, f.point[0].y, f.point[0].z};
    const double push[3] = {force.x, force.y, force.z};
    memcpy(r->point, place, sizeof place);
    memcpy(r->force, push, sizeof push);
    r->g_N = f.g_N;
    r->gamma_t[2] = sp_spin3_drill(&w->kin, &f);
}

/* Gap, velocities, place and directed force of one contact; one by expressions has no place. */
static void sample_geometry(const sp_model *m, const sp_state *x, const sp_work *w, int i,
                            sp_contact_record *r)
{
    double gamma[3];
    if (m->slot[i].is.space) {
        sample_space(m, x, w, i, r);
        return;
    }
    if (m->slot[i].is.rule) {
        sp_rule_gamma(m, x->numbers, &w->con, i, gamma);
        r->g_N = isfinite(w->con.g[i]) ? w->con.g[i] : 0.0; /* dry friction has no gap */
        r->point[0] = r->point[1] = r->point[2] = NAN;      /* nowhere in a picture */
        if (m->slot[i].is.two_slips) {
            sample_slips(&x->contact[i], gamma, w->con.dt, r);
            return;
        }
    } else {
        const sp_contact_frame f = sp_con_frame(m, x->numbers, &w->con, i);
        sp_con_gamma(&w->kin, &f, gamma);
        r->g_N = f.g_N;
        r->point[0] = f.point[0].x;
        r->point[1] = f.point[0].y;
        r->force[0] = r->lambda_N * f.n.x + r->lambda_T * f.t.x;
        r->force[1] = r->lambda_N * f.n.y + r->lambda_T * f.t.y;
    }
    r->gamma_N = gamma[0];
    r->gamma_T = gamma[1];
}

/* Records of all contacts at the end of the step; frames and gaps there are in w.  A run that is
 * taken up has no step yet: forces are those of the one before. */
void sp_run_contacts(const sp_model *m, const sp_state *x, double step, sp_work *w)
{
    const double dt = step > 0.0 ? step : x->control.dt_last;
    sp_con_at(x->t, dt, x->q, x->u, &w->con);
    for (int i = 0; i < m->n_slot; i++) {
        const sp_contact_memory *c = &x->contact[i];
        w->contact[i] = (sp_contact_record){.P_N = c->P_N,
                                            .P_T = c->P_T,
                                            .lambda_N = dt > 0.0 ? c->P_N / dt : 0.0,
                                            .lambda_T = dt > 0.0 ? c->P_T / dt : 0.0,
                                            .state = c->state};
        sample_geometry(m, x, w, i, &w->contact[i]);
    }
    for (int i = 0; i < m->n_slot; i++) {
        if (x->contact[i].hit) { /* an impact is an impulse, not a force */
            sp_contact_record *c = &w->contact[i];
            c->lambda_N = c->lambda_T = c->force[0] = c->force[1] = c->force[2] = 0.0;
            c->lambda_t[0] = c->lambda_t[1] = c->lambda_t[2] = 0.0;
            c->lambda_r[0] = c->lambda_r[1] = 0.0;
        }
    }
}

/* Outputs at the frame; the first one that is no finite number is noted. */
static void sample_outputs(const sp_model *m, const sp_state *x, sp_work *w,
                           sp_run_summary *summary)
{
    const sp_signal_source from = {.kin = &w->kin,
                                   .q = x->q,
                                   .u = x->u,
                                   .z = x->z,
                                   .t = x->t,
                                   .contact = w->contact,
                                   .kinetic = x->ledger.kinetic,
                                   .potential = x->ledger.potential,
                                   .loads = w->load ? &w->load->loads : NULL};
    for (int i = 0; i < m->n_output; i++) {
        w->output[i] = sp_func_value(&m->output[i].func, &from, w->dyn.in, w->dyn.work);
        if (!isfinite(w->output[i]) && summary->bad_output == SP_NONE) {
            summary->bad_output = i;
            summary->bad_time = x->t;
        }
    }
}

/* Pose and velocity of one body. */
static void sample_body(const sp_model *m, sp_work *w, int i)
{
    double *pose = w->pose + (size_t)i * (size_t)sp_pose_columns(m->dim);
    double *velocity = w->velocity + (size_t)i * (size_t)sp_velocity_columns(m->dim);
    const sp_spot s = sp_spot_origin(&w->kin, i);
    const sp_vec3 v = sp_spot_velocity(&w->kin, &s), omega = sp_spot_spin(&w->kin, &s);
    if (m->dim == 3) {
        const double both[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
        sp_spot_pose(&w->kin, i, pose, pose + 3);
        memcpy(velocity, both, sizeof both);
        return;
    }
    const double x[3] = {s.x.x, s.x.y, sp_spot_angle(&w->kin, i)}, rate[3] = {v.x, v.y, omega.z};
    memcpy(pose, x, sizeof x);
    memcpy(velocity, rate, sizeof rate);
}

sp_status sp_run_sample(const sp_model *m, const sp_state *x, double dt, sp_work *w,
                        sp_run_summary *summary, sp_error *err)
{
    for (int i = 0; i < m->n_body; i++) {
        sample_body(m, w, i);
    }
    sp_dyn_lines(m, x->numbers, &w->kin, &(sp_at){x->t, x->q, x->u}, x->book, &w->dyn, w->line);
    sp_run_contacts(m, x, dt, w);
    const bool needed = w->load && sp_loads_needed(m);
    if (needed) {
        SP_TRY(sp_loads_find(m, x, w->contact, w->load, err));
    }
    if (sp_run_has_beams(m) && sp_run_watches(summary)) {
        const bool found =
            needed || (w->load && sp_loads_find(m, x, w->contact, w->load, NULL) == SP_OK);
        sp_run_watch_beams(m, x, &w->kin, found ? &w->load->loads : NULL, summary);
    }
    sample_outputs(m, x, w, summary);
    return SP_OK;
}

/* Whose contact an event is of: of a pool the pair that its slot was lent to. */
static void name_bodies(const sp_model *m, sp_event *e)
{
    if (e->slot == SP_NONE) {
        return;
    }
    const sp_slot *s = &m->slot[e->slot];
    int a, b;
    if (!s->is.pooled) {
        e->body[0] = s->body_a;
        e->body[1] = s->body_b;
    } else if (sp_pool3_contours(m, &m->pool[s->rule], e->key, &a, &b)) {
        e->body[0] = m->contour[a].body;
        e->body[1] = m->contour[b].body;
    }
}

/* What of a record changes from step to step; its arrays stay where they are. */
static void renew(sp_step_record *r, const sp_state *x, double dt, bool sampled, const sp_work *w)
{
    r->step = x->step;
    r->t = x->t;
    r->dt = dt;
    r->sampled = sampled;
    r->n_event = w->n_event;
    r->n_active = w->n_hit;
    r->solver = w->sol.method;
    r->pivots = w->sol.pivots;
}

sp_step_record sp_run_record(const sp_state *x, double dt, bool sampled, const sp_work *w,
                             const sp_run_summary *summary)
{
    sp_step_record record = {.q = x->q,
                             .u = x->u,
                             .pose = w->pose,
                             .velocity = w->velocity,
                             .contact = w->contact,
                             .line = w->line,
                             .output = w->output,
                             .event = w->event,
                             .ledger = &x->ledger,
                             .certificate = &w->certificate,
                             .worst = &summary->worst,
                             .lately = &summary->lately};
    renew(&record, x, dt, sampled, w);
    return record;
}

sp_status sp_run_report(sp_active_run *j, double dt, bool sampled, sp_error *err)
{
    sp_work *w = j->w;
    SP_TRY(j->spans ? sp_stretch_report(j->observer, j->n_observer, &j->stretch, j->x->t, err)
                    : SP_OK);
    if (sampled) {
        SP_TRY(sp_run_sample(j->m, j->x, dt, w, j->summary, err));
    }
    for (int i = 0; i < w->n_event; i++) {
        name_bodies(j->m, &w->event[i]);
    }
    if (!j->record.q) {
        j->record = sp_run_record(j->x, dt, sampled, w, j->summary);
    }
    renew(&j->record, j->x, dt, sampled, w);
    for (int i = 0; i < j->n_observer; i++) {
        SP_TRY(j->observer[i].step(j->observer[i].ctx, j->m, &j->record, err));
    }
    return SP_OK;
}

bool sp_run_blame_force(const sp_model *m, const sp_state *x, const sp_bad_force *bad,
                        sp_error *err)
{
    char part[60];
    if (!bad->force || bad->t < x->t) {
        return false; /* or it did so in a trial that is over */
    }
    const sp_force *f = bad->force;
    sp_bad_force_part(m, bad, part, sizeof part);
    snprintf(err->text, sizeof err->text,
             "%s:%d:%d: force element '%s': %s gives %s at t = %.9g s; write it so that it is "
             "finite wherever the motion goes, with 'max' or 'if'",
             f->place.file ? f->place.file : "model", f->place.line, f->place.column, f->name, part,
             isnan(bad->value) ? "no number" : "infinity", bad->t);
    return true;
}

#define MOVED SP_SMALL /* of the largest energy: more is no error of a step */

/* A slot of smooth contours has one place of contact.  Where two touch that belong to one slot, the
 * nearest one jumps, and the contact would be put back out of what it is in then, without an
 * impact.   theory section 48 */
sp_status sp_run_check_moved(const sp_ledger *before, const sp_ledger *after, double floor,
                             sp_error *err)
{
    const double moved = after->projection - before->projection;
    if (!(fabs(moved) > MOVED * fmax(after->scale, floor))) {
        return SP_OK;
    }
    return SP_FAIL(
        err, SP_E_NOT_CONVERGED,
        "putting closed contacts back changed the energy by %.3g J in one step: the "
        "place of a contact jumped, as between two sides that are touched at once and count "
        "as one; take method 'moreau' with a step",
        moved);
}

/* Errors of steps add up until a gap is put back: ten of them may overlap, as 1e-8 are ten of the
 * usual tolerance.  Steps that put positions back themselves are held to 1e-8.   theory (57.30) */
static double overlap_allowed(const sp_active_run *j)
{
    return j->smooth ? fmax(SP_CERTIFIED, 10.0 * j->options->tolerance) : SP_CERTIFIED;
}

/* Keep a certificate that is worse than those before, or behind a doubt. */
SP_NOINLINE static void note_worse(const sp_active_run *j)
{
    const sp_certificate *c = &j->w->certificate;
    sp_run_summary *s = j->summary;
    const double t = j->x->t, residual = sp_certificate_residual(c),
                 overlap = c->gap / j->m->extent.gap;
    if (!(residual <= sp_certificate_residual(&s->worst)) &&
        !isnan(sp_certificate_residual(&s->worst))) {
        s->t_worst = t;
    }
    if (!(residual <= SP_CERTIFIED) || !(overlap <= overlap_allowed(j))) {
        const bool named = c->at > 0 && c->at <= j->m->n_slot + j->m->n_bond;
        sp_doubt_add(&s->doubt[SP_DOUBT_UNCERTIFIED], t, residual < overlap ? overlap : residual,
                     named ? j->m->slot[c->at - 1].name : NULL);
    }
    sp_certificate_worst(&s->worst, c);
}

void sp_run_note_certificate(const sp_active_run *j)
{
    const sp_run_summary *s = j->summary;
    if (s->doubt[SP_DOUBT_UNCERTIFIED].n > 0 ||
        !sp_certificate_is_no_worse(&j->w->certificate, &s->worst)) {
        note_worse(j);
    }
}

sp_status sp_run_note_overlap(const sp_active_run *j, sp_error *err)
{
    sp_sweep_deepest d;
    sp_run_summary *s = j->summary;
    SP_TRY(sp_swept_deepest(j->m, j->x, j->w, &d, err));
    if (!(d.depth / j->m->extent.gap <= overlap_allowed(j))) {
        char pair[sizeof s->doubt->place];
        snprintf(pair, sizeof pair, "%s, %s", j->m->contour[d.a].name, j->m->contour[d.b].name);
        sp_doubt_add(&s->doubt[SP_DOUBT_UNCERTIFIED], j->x->t, d.depth / j->m->extent.gap, pair);
    }
    s->worst.gap = fmax(s->worst.gap, d.depth);
    return SP_OK;
}

#define PUT_BACK                                                                                   \
    0.01 /* of the largest energy or work: more by corrections of positions is doubted */

void sp_run_doubt_projection(const sp_state *x, sp_run_summary *s)
{
    const sp_ledger *l = &x->ledger;
    const double share = fabs(l->projection - s->opened) / sp_ledger_size(l);
    if (!(share <= PUT_BACK)) {
        sp_doubt_add(&s->doubt[SP_DOUBT_PROJECTION], x->t, share, NULL);
    }
}

void sp_run_note_opening(sp_state *x, sp_work *w, sp_run_summary *summary)
{
    summary->opened = x->opening.energy;
    if (x->opening.unreported) {
        w->event[w->n_event++] = (sp_event){.t = x->t,
                                            .kind = SP_EVENT_PROJECT,
                                            .slot = x->opening.slot,
                                            .key = w->con.key ? w->con.key[x->opening.slot] : 0,
                                            .energy_lost = -x->opening.energy};
        summary->events++;
        x->opening.unreported = false;
    }
}
