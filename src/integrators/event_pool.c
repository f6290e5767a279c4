/* integrators/event_pool.c - slots of pools under event-driven integration: the pair that a slot is
 * assigned to stays during a step and changes between steps only.   theory (28.4)-(28.6) */
#include "base/status.h"
#include "contact/pool3.h"
#include "integrators/event_parts.h"

#include <math.h>
#include <string.h>

#define FASTER 2.0 /* times gravity: what free bodies are taken to be accelerated by */

/* Lend at (t, q, u); slots with e->pool.keep stay what they are. */
static sp_status assign(sp_events *e, double t, const double *q, const double *u, sp_error *err)
{
    const sp_smooth *s = e->s;
    sp_con *con = &s->w->con;
    memcpy(e->pool.key, con->key, (size_t)s->m->n_slot * sizeof *e->pool.key);
    sp_kin_positions(s->m, s->num, q, &s->w->kin);
    sp_con_at(t, 1.0, q, u, con);
    SP_TRY(sp_pool3_assign(s->m, s->num, &s->w->kin, e->pool.keep, con, err));
    for (int i = 0; i < s->m->n_slot; i++) {
        if (con->key[i] != e->pool.key[i]) {
            sp_settle_forget(e, i, SP_OPEN); /* it is for something else now */
            sp_zeno_forget(e, i);
        }
    }
    return SP_OK;
}

void sp_event_record_keys(const sp_events *e, sp_state *x)
{
    for (int i = 0; i < e->s->m->n_slot && e->s->m->n_pool > 0; i++) {
        x->contact[i].key = e->s->w->con.key[i];
    }
}

sp_status sp_event_assign_slots(sp_events *e, sp_state *x, sp_error *err)
{
    const sp_model *m = e->s->m;
    if (m->n_pool == 0) {
        return SP_OK;
    }
    for (int i = 0; i < m->n_slot; i++) {
        e->pool.keep[i] = e->settle.state[i] != SP_OPEN;
    }
    SP_TRY(assign(e, x->t, x->q, x->u, err));
    sp_event_record_keys(e, x);
    return SP_OK;
}

sp_status sp_event_limit_by_pools(const sp_events *e, const sp_state *x, double *t_stop,
                                  sp_error *err)
{
    const sp_smooth *s = e->s;
    const double *g = s->num->gravity;
    if (s->m->n_pool == 0) {
        return SP_OK;
    }
    sp_kin_velocities(s->m, x->u, &s->w->kin);
    const double fall = FASTER * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double time = sp_pool3_clear(s->m, s->num, fall, &s->w->con);
    const double least = SP_IN_TIME * (1.0 + fabs(x->t));
    if (isnan(time)) {
        return SP_FAIL(err, SP_E_NONFINITE,
                       "t = %.15g s: speeds of bodies are not numbers, so that no step is known to "
                       "be free of contacts without slots",
                       x->t);
    }
    *t_stop = fmin(*t_stop, x->t + fmax(time, least));
    return SP_OK;
}

/* Whether a slot that is new has a contact that is past touching, also one on the end of a feature:
 * looking again tells whether it touched. */
static bool is_missed(const sp_events *e, int i)
{
    const sp_con *con = &e->s->w->con;
    return con->key[i] != e->pool.key[i] && con->g[i] < -sp_event_touches(e, i) &&
           con->outside[i] < con->tol[i];
}

sp_status sp_event_find_missed(sp_events *e, double t, bool *missed, sp_error *err)
{
    sp_smooth *s = e->s;
    sp_work *w = s->w;
    *missed = false;
    if (s->m->n_pool == 0) {
        return SP_OK;
    }
    for (int i = 0; i < s->m->n_slot; i++) {
        e->pool.keep[i] = true;
    }
    SP_TRY(sp_smooth_dense(s, t, s->work, s->y, err));
    SP_TRY(assign(e, t, s->y + s->q, s->y + s->u, err));
    sp_con_gaps(s->m, s->num, &w->kin, &w->con);
    for (int i = 0; i < s->m->n_slot; i++) {
        *missed = *missed || is_missed(e, i);
    }
    return SP_OK;
}
