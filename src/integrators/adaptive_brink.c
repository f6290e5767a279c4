/* integrators/adaptive_brink.c - when friction at rest lets go, where it is more than that of
 * sliding: forces along the trial tell it better than ever shorter steps.   theory section 60 */
#include "base/status.h"
#include "integrators/adaptive_parts.h"

#include <string.h>

enum { PAIRS = 3, FORCES = 3, GOES = 6 };
_Static_assert(SP_BRINK_NUMBERS == SP_ROWS_EXTRAPOLATED * PAIRS * FORCES, "room of pairs");

/* What a slot is in s->bound, if it is one of those. */
enum { BOUND = 1, LOOSE = 2 };
#define BACK -0.5 /* of a trial: how far before its end friction may have let go unseen */

/* Whether friction of the slot jumps where it lets go.  Drilling, rolling and adhesion have forces
 * of their own, and friction that depends on the direction has other limits. */
static bool jumps(const sp_model *m, const sp_numbers *num, int slot)
{
    const int law = m->slot[slot].law;
    if (law == SP_NONE || !m->law[law].by_speed || m->law[law].drills) {
        return false;
    }
    const sp_law_numbers *n = &num->law[law];
    return n->mu_slip < n->mu && n->mu_2 == 0.0 && n->spot.rolling == 0.0 &&
           n->spot.adhesion == 0.0;
}

void sp_brink_begin(const sp_model *m, const sp_state *x, sp_stepper *s)
{
    s->n_brink = 0;
    for (int i = 0; i < m->n_slot && m->layout.speeds && x->n_touched > 0; i++) {
        if (x->contact[i].state == SP_STATE_STICK && x->contact[i].P_N > 0.0 &&
            jumps(m, x->numbers, i)) {
            s->brink[s->n_brink++] = i;
        }
    }
}

/* What pair p of sequence j got at brink b: N, T, T2. */
static double *pair_of(const sp_stepper *s, int j, int p, int b)
{
    return s->pair + (size_t)FORCES * (size_t)((j * PAIRS + p) * s->n_brink + b);
}

void sp_brink_note(int j, int part, const sp_state *y, sp_stepper *s)
{
    for (int b = 0; b < s->n_brink; b++) {
        const sp_contact_memory *c = &y->contact[s->brink[b]];
        const double P[FORCES] = {c->P_N, c->P_T, c->P_T2};
        double *sum = pair_of(s, j, part / 2, b);
        for (int k = 0; k < FORCES; k++) {
            sum[k] = P[k] + (part % 2 == 0 ? 0.0 : sum[k]);
        }
    }
}

/* The mean of mu_0 lambda_N - |lambda_T| over a pair, whose length is 1/(j + 1) of dt.  (60.1) */
static double margin(const sp_stepper *s, int j, int p, int b, double mu_0, double dt)
{
    const double *P = pair_of(s, j, p, b);
    return (mu_0 * P[0] - hypot(P[1], P[2])) * (j + 1) / dt;
}

/* When, behind the end of the trial, the margin of brink b is used up, in units of dt; *off: how
 * well that is known.  Infinity if it is not in sight.   theory (60.2)-(60.4) */
static double ahead_of(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                       const sp_stepper *s, int b, double *off)
{
    const double mu_0 = x->numbers->law[m->slot[s->brink[b]].law].mu;
    const double r[PAIRS] = {margin(s, 2, 0, b, mu_0, dt), margin(s, 2, 1, b, mu_0, dt),
                             margin(s, 2, 2, b, mu_0, dt)};
    const double slope = 3.0 * (2.0 * r[2] - 3.0 * r[1] + r[0]);
    const double bend = 4.5 * (r[2] - 2.0 * r[1] + r[0]);
    double end = 0.0, error = 0.0;
    for (int j = 0; j < SP_ROWS_EXTRAPOLATED; j++) {
        const double h = 1.0 / (j + 1);
        const double at_end = margin(s, j, j, b, mu_0, dt) + 0.5 * h * slope - h * h * bend / 3.0;
        end += e->end[j] * at_end;
        error += e->error[j] * at_end;
    }
    const double below = slope * slope - 4.0 * end * bend;
    if (!(slope < 0.0) || !(below > 0.0)) {
        return INFINITY;
    }
    *off = fabs(error / slope);
    return 2.0 * end / (-slope + sqrt(below));
}

/* The earliest of all brinks, in units of dt, with how well it is known. */
static double first_ahead(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                          double dt, const sp_stepper *s, double *off)
{
    double first = INFINITY;
    for (int b = 0; b < s->n_brink; b++) {
        double off_b;
        const double ahead = ahead_of(m, x, e, dt, s, b, &off_b);
        if (ahead < first) {
            first = ahead;
            *off = off_b;
        }
    }
    return first;
}

double sp_brink_near(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                     const sp_stepper *s)
{
    double off;
    const double ahead = s->n_brink > 0 ? first_ahead(m, x, e, dt, s, &off) : INFINITY;
    return ahead >= BACK && ahead <= 1.0 ? ahead * dt : INFINITY;
}

/* A trial of dt in which the brinks hold whatever they bear; whether it is one to be taken. */
static bool hold_on(const sp_model *m, const sp_state *x, const sp_extrapolation *e, double dt,
                    double tolerance, sp_work *w, sp_stepper *s, sp_certificate *worst)
{
    sp_error err;
    w->bound = s->bound;
    const bool good = sp_trial_run(m, x, dt, w, s, worst, &err) == SP_TRIAL_GOOD &&
                      sp_trial_extrapolate(m, x, e, dt, s, w) &&
                      sp_trial_error(m, &x->control, e->error, s) <= tolerance &&
                      sp_trial_ends_well(m, x, e, dt, s, w);
    w->bound = NULL;
    return good;
}

/* Whether a brink slides in a part behind the end of the trial, where nothing binds it: another
 * contact may hold what it lets go.  Those that do are marked LOOSE.   theory (60.6) */
static bool slides_behind(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                          double dt, sp_work *w, sp_stepper *s)
{
    const double factor = sp_trial_steps(m, x, SP_ROWS_EXTRAPOLATED - 1) * SP_PROBE;
    bool any = false;
    if (sp_trial_lasts(m, &s->y, w->q, w->u_E, SP_PROBE * dt, factor, w, s)) {
        return false;
    }
    for (int b = 0; b < s->n_brink; b++) {
        if (s->probe.contact[s->brink[b]].state == SP_STATE_SLIP) {
            s->bound[s->brink[b]] = LOOSE;
            any = true;
        }
    }
    return any && sp_trial_extrapolate(m, x, e, dt, s, w);
}

bool sp_brink_reach(const sp_model *m, const sp_state *x, const sp_extrapolation *e,
                    const sp_brink *b, sp_work *w, sp_stepper *s, double *dt, sp_certificate *worst)
{
    double ahead = sp_brink_near(m, x, e, *dt, s), off = INFINITY, D = *dt;
    memset(s->bound, 0, (size_t)m->n_slot);
    for (int k = 0; k < s->n_brink; k++) {
        s->bound[s->brink[k]] = BOUND;
    }
    for (int i = 0; i < GOES; i++) {
        const double next = D + ahead;
        if (!(next >= b->least && next <= b->most) ||
            !hold_on(m, x, e, next, b->tolerance, w, s, worst)) {
            return false;
        }
        D = next;
        ahead = D * first_ahead(m, x, e, D, s, &off);
        if (!(D * off <= b->near)) {
            return false;
        }
        if (fabs(ahead) <= b->near) {
            *dt = D;
            return slides_behind(m, x, e, D, w, s);
        }
    }
    return false;
}

void sp_brink_release(const sp_model *m, const sp_extrapolation *e, double dt, double near,
                      sp_work *w, sp_stepper *s, sp_state *x)
{
    double off;
    const double last = first_ahead(m, x, e, dt, s, &off) + 2.0 * near / dt;
    for (int b = 0; b < s->n_brink; b++) {
        const int slot = s->brink[b];
        sp_contact_memory *c = &x->contact[slot];
        if (s->bound[slot] != LOOSE || !(ahead_of(m, x, e, dt, s, b, &off) <= last) ||
            w->n_event >= w->event_room) {
            continue;
        }
        w->event[w->n_event++] = (sp_event){.t = x->t,
                                            .kind = SP_EVENT_SLIP,
                                            .slot = slot,
                                            .key = w->con.key ? w->con.key[slot] : 0,
                                            .before = SP_STATE_STICK,
                                            .after = SP_STATE_SLIP};
        c->state = SP_STATE_SLIP;
        c->status = SP_STATUS_UNKNOWN;
        c->freed = 1;
    }
}
