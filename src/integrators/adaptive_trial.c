/* integrators/adaptive_trial.c - the step taken once whole, in two halves and in three thirds, and
 * whether a contact changes in any of them.   theory (17.10)-(17.13) */
#include "integrators/adaptive_parts.h"

#include <string.h>

static const sp_extrapolation by_squares = {.end = {1.0 / 24.0, -16.0 / 15.0, 81.0 / 40.0},
                                            .error = {1.0 / 24.0, -4.0 / 15.0, 9.0 / 40.0},
                                            .exponent = 1.0 / 5.0};
static const sp_extrapolation by_powers = {
    .end = {0.5, -4.0, 4.5}, .error = {0.5, -2.0, 1.5}, .exponent = 1.0 / 3.0};

const sp_extrapolation *sp_trial_weights(const sp_stepper *s)
{
    return s->first_order ? &by_powers : &by_squares;
}

void sp_trial_copy(const sp_model *m, const sp_state *x, double factor, sp_state *y)
{
    double *const q = y->q, *const u = y->u, *const z = y->z, *const g = y->g, *book = y->book;
    sp_contact_memory *const contact = y->contact;
    *y = *x;
    y->q = memcpy(q, x->q, (size_t)m->n_q * sizeof(double));
    y->u = memcpy(u, x->u, (size_t)m->n_dof * sizeof(double));
    y->z = memcpy(z, x->z, (size_t)m->n_aux * sizeof(double));
    y->book = memcpy(book, x->book, (size_t)m->n_book * sizeof(double));
    y->g = memcpy(g, x->g, (size_t)m->n_slot * sizeof(double));
    y->contact = memcpy(contact, x->contact, (size_t)(m->n_slot + m->n_bond) * sizeof *y->contact);
    sp_contacts_scale(m, factor, y->contact);
}

/* Whether a contact that slides has turned round, or a gap has passed zero behind the last middle:
 * these are no events yet, but changes.  Which way dry friction slides has to be decided first. */
static bool changes_silently(const sp_model *m, const sp_state *x, const sp_state *y)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        const sp_contact_memory *a = &x->contact[i], *b = &y->contact[i];
        if (b->crossed || (sp_con_is_dry(&m->slot[i]) && a->state == SP_STATE_OPEN)) {
            return true;
        }
        if (a->state == SP_STATE_SLIP && b->state == SP_STATE_SLIP &&
            ((a->status == SP_SLIP_POS && b->status == SP_SLIP_NEG) ||
             (a->status == SP_SLIP_NEG && b->status == SP_SLIP_POS))) {
            return true;
        }
    }
    return false;
}

/* Whether a contact that was open is approached, by more than round-off, and got nothing: over a
 * long step the forces hide the impact. */
static bool hides_impact(const sp_state *x, const sp_work *w)
{
    for (int k = 0; k < w->n_hit; k++) {
        const sp_hit *hit = &w->hit[k];
        if (!hit->dry && !hit->bears && hit->approach < -SP_SLIP_NOISE * w->sol.xi_scale &&
            x->contact[hit->slot].state == SP_STATE_OPEN) {
            return true;
        }
    }
    return false;
}

/* Whether a contact that was loaded lifts off: it is not loaded any more, and goes away. */
static bool lifts_off(const sp_model *m, const sp_state *x, const sp_work *w)
{
    for (int k = 0; k < w->n_hit; k++) {
        const int slot = w->hit[k].slot;
        if (sp_contact_loaded(m, slot, &x->contact[slot]) && sp_hit_leaves(w, &w->hit[k])) {
            return true;
        }
    }
    return false;
}

void sp_trial_hold(const sp_model *m, sp_state *y)
{
    for (int i = 0; i < m->n_slot && y->n_touched > 0; i++) {
        if (y->contact[i].state != SP_STATE_OPEN && sp_contact_loaded(m, i, &y->contact[i])) {
            y->contact[i].reach = INFINITY;
        }
        if (y->contact[i].state == SP_STATE_SLIP) {
            y->contact[i].status = SP_STATUS_UNKNOWN;
        }
    }
}

/* One step of a sequence from y on, which began at x: does a contact change in it? */
static sp_trial go_on(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_state *y,
                      sp_error *err)
{
    sp_trial_hold(m, y);
    if (sp_moreau_solve(m, y, w, SP_METHOD_MOREAU_MEAN, dt, err) != SP_OK ||
        sp_moreau_finish(m, y, w, dt, err) != SP_OK) {
        return SP_TRIAL_FAILS;
    }
    const bool changes =
        w->n_event > 0 || changes_silently(m, x, y) || hides_impact(x, w) || lifts_off(m, x, w);
    return changes ? SP_TRIAL_CHANGES : SP_TRIAL_GOOD;
}

int sp_trial_steps(const sp_model *m, const sp_state *x, int j)
{
    return (x->n_touched > 0 || m->n_bond > 0 || m->layout.n_always > 0 ? 2 : 1) * (j + 1);
}

/* Sequence j over dt; its end is kept. */
static sp_trial try_sequence(const sp_model *m, const sp_state *x, int j, double dt, sp_work *w,
                             sp_stepper *s, sp_certificate *worst, sp_error *err)
{
    sp_state *y = &s->y;
    const int n = sp_trial_steps(m, x, j);
    const double part = dt / n;
    sp_trial_copy(m, x, sp_trial_factor(x, part), y);
    w->dyn.z = y->z;
    for (int i = 0; i < n; i++) {
        y->t = x->t + i * part;
        const sp_trial o = go_on(m, x, part, w, y, err);
        if (o != SP_TRIAL_GOOD) {
            return o;
        }
        sp_certificate_worst(worst, &w->certificate);
        sp_brink_note(j, i, y, s);
    }
    if (sp_trial_settle_state(m, part, w, s, y, err) != SP_OK) {
        return SP_TRIAL_FAILS;
    }
    memcpy(s->q_end[j], y->q, (size_t)m->n_q * sizeof(double));
    memcpy(s->u_end[j], y->u, (size_t)m->n_dof * sizeof(double));
    memcpy(s->z_end[j], y->z, (size_t)m->n_aux * sizeof(double));
    memcpy(s->book_end[j], y->book, (size_t)m->n_book * sizeof(double));
    s->ledger[j] = y->ledger;
    return SP_TRIAL_GOOD;
}

bool sp_trial_lasts(const sp_model *m, const sp_state *y, const double *q, const double *u,
                    double part, double factor, sp_work *w, sp_stepper *s)
{
    sp_error err;
    sp_state *p = &s->probe;
    const double *z = w->dyn.z;
    if (y->n_touched == 0 && m->layout.n_always == 0) {
        return true;
    }
    sp_trial_copy(m, y, factor, p);
    memcpy(p->q, q, (size_t)m->n_q * sizeof(double));
    memcpy(p->u, u, (size_t)m->n_dof * sizeof(double));
    w->dyn.z = p->z;
    w->calm = true;
    const sp_trial o = go_on(m, y, part, w, p, &err);
    w->calm = false;
    w->dyn.z = z;
    return o == SP_TRIAL_GOOD;
}

sp_trial sp_trial_run(const sp_model *m, const sp_state *x, double dt, sp_work *w, sp_stepper *s,
                      sp_certificate *worst, sp_error *err)
{
    sp_trial o = SP_TRIAL_GOOD;
    *worst = (sp_certificate){.momentum = 0.0};
    w->calm = true;
    for (int j = 0; j < SP_ROWS_EXTRAPOLATED && o == SP_TRIAL_GOOD; j++) {
        o = try_sequence(m, x, j, dt, w, s, worst, err);
    }
    w->calm = false;
    w->dyn.z = x->z;
    return o;
}

double sp_trial_error(const sp_model *m, const sp_control *c, const double *weight,
                      const sp_stepper *s)
{
    double worst = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        const int i = s->kind[k], n_part = dof->move != SP_MOVE_BALL ? 1 : dof->part == 0 ? 4 : 0;
        const double d_u = fabs(sp_trial_weigh(weight, s->u_end, k)) / c->size_u[i];
        worst = d_u <= worst ? worst : d_u; /* NaN stays */
        for (int p = 0; p < n_part; p++) {
            const double d_q = fabs(sp_trial_weigh(weight, s->q_end, dof->q + p)) / c->size_q[i];
            worst = d_q <= worst ? worst : d_q;
        }
    }
    for (int k = 0; k < m->n_aux; k++) {
        const double d_z =
            fabs(sp_trial_weigh(weight, s->z_end, k)) / (1e-6 + fabs(s->z_end[2][k]));
        worst = d_z <= worst ? worst : d_z;
    }
    return worst;
}
