/* integrators/stepper.c - what the time-stepping methods share: scratch, and one step by name. */
#include "integrators/stepper.h"

#include "base/status.h"
#include "integrators/moreau.h"
#include "integrators/moreau_parts.h"

#include <string.h>

void sp_step_normalise(const sp_model *m, double *q)
{
    for (int k = 0; k < m->n_dof && m->n_q > m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        if (dof->move == SP_MOVE_BALL && dof->part == 0) {
            sp_quat_store(sp_quat_unit(sp_quat_of(q + dof->q)), q + dof->q);
        }
    }
}

void sp_contacts_scale(const sp_model *m, double factor, sp_contact_memory *contact)
{
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const bool left = i < m->n_slot && contact[i].state == SP_STATE_OPEN;
        const double f = left ? 0.0 : factor; /* the impulse of an impact is no force that lasts */
        contact[i].P_N *= f;
        contact[i].P_T *= f;
        contact[i].P_T2 *= f;
        for (int k = 0; m->dim == 3 && k < 3; k++) {
            contact[i].P_S[k] *= f;
        }
        /* theory (9.2); what is not loaded any more has no reason to stay */
        const bool loaded =
            i < m->n_slot ? sp_contact_loaded(m, i, &contact[i]) : contact[i].P_N > 0.0;
        contact[i].reach *= loaded ? factor * factor : 0.0;
    }
}

/* Whether steps of moreau-mean are not symmetric in time: states of force elements, friction by
 * speed, drilling and rolling, laws of positions.   theory (17.33) */
static bool is_first_order(const sp_model *m)
{
    bool first = m->n_aux > 0 || m->layout.speeds || m->layout.contact_rows > m->dim;
    for (int i = 0; i < m->n_slot && !first; i++) {
        first = m->slot[i].is.stores;
    }
    return first;
}

#define ROOM(field, type, n) ok = ((field) = SP_NEW(a, type, (n))) != NULL && ok

/* Room for the stages. */
static bool make_stages(const sp_model *m, sp_arena *a, size_t rows, sp_stepper *s)
{
    bool ok = true;
    ROOM(s->q, double, m->n_q);
    ROOM(s->u, double, m->n_dof);
    ROOM(s->z, double, m->n_aux);
    for (int j = 0; j < SP_STAGES; j++) {
        ROOM(s->q_rate[j], double, m->n_q);
        ROOM(s->du[j], double, m->n_dof);
        ROOM(s->z_rate[j], double, m->n_aux);
        ROOM(s->P[j], double, rows);
    }
    ROOM(s->gamma_A, double, rows);
    ROOM(s->ahead, double, m->n_slot);
    return ok;
}

/* Room for the trials of the adaptive method. */
static bool make_trial(const sp_model *m, sp_arena *a, sp_stepper *s)
{
    bool ok = sp_state_room(m, a, &s->coarse) && sp_state_room(m, a, &s->fine) &&
              sp_state_room(m, a, &s->probe);
    ROOM(s->g_half, double, m->n_slot);
    ROOM(s->side[0], sp_kink, m->n_kink);
    ROOM(s->side[1], sp_kink, m->n_kink);
    ROOM(s->kind, unsigned char, m->n_dof);
    return ok;
}
#undef ROOM

sp_status sp_stepper_of(const sp_model *m, sp_work *w, sp_stepper **s, sp_error *err)
{
    if (!w->stepper) {
        sp_stepper *made = SP_NEW(&w->arena, sp_stepper, 1);
        const size_t rows = SP_SET_DIM_MAX * (size_t)w->con.capacity;
        if (!made || !make_stages(m, &w->arena, rows, made) || !make_trial(m, &w->arena, made)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the stages of %d degrees of freedom",
                           m->n_dof);
        }
        const char *unit[SP_CONTROL_KINDS];
        sp_model_units(m, made->kind, made->is_angle, unit);
        made->extent = m->extent.length;
        made->first_order = is_first_order(m);
        w->stepper = made;
    }
    *s = w->stepper;
    return SP_OK;
}

/* ---- the methods ----------------------------------------------------------------------------- */

static const sp_tableau two_stages = {.n = 2, .c = {0.0, 0.5}, .b = {0.0, 1.0}};
static const sp_tableau four_stages = {
    .n = 4, .c = {0.0, 0.5, 0.5, 1.0}, .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};

static const sp_step_rule rules[] = {
    {.step = sp_moreau_step,
     .name = SP_METHOD_MOREAU,
     .implicit = true,
     .restitution = true,
     .lands = true,
     .divides = true},
    {.step = sp_moreau_step,
     .name = SP_METHOD_MOREAU_MEAN,
     .mean = true,
     .implicit = true,
     .restitution = true,
     .lands = true,
     .divides = true},
    {.step = sp_theta_step, .name = SP_METHOD_THETA, .implicit = true, .restitution = true},
    {.step = sp_rk_step,
     .name = SP_METHOD_RK2,
     .stages = &two_stages,
     .otherwise = &rules[1],
     .slip_known = true},
    {.step = sp_rk_step,
     .name = SP_METHOD_RK4,
     .stages = &four_stages,
     .otherwise = &rules[1],
     .slip_known = true},
    {.step = sp_moreau_step,
     .name = SP_METHOD_ADAPTIVE,
     .mean = true,
     .lasting_at_end = true,
     .restitution = true},
};

const sp_step_rule *sp_step_rule_of(sp_method method)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].name == method) {
            return &rules[i];
        }
    }
    return &rules[1];
}

bool sp_step_is_implicit(sp_method method)
{
    const sp_step_rule *rule = sp_step_rule_of(method);
    return rule->name == method && rule->implicit;
}

/* The step once more, by Moreau's scheme and without restitution, which has a solution where
 * restitutions contradict each other or friction; if no event says so, the doubt does.  Without
 * success the first error stays.   theory (31.5) */
static sp_status take_at_rest(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                              double dt, sp_status first)
{
    sp_step_rule at_rest = rule->step == sp_moreau_step ? *rule : rules[1];
    sp_error second;
    bool said = false;
    at_rest.restitution = false;
    if (at_rest.step(m, x, w, &at_rest, dt, &second) != SP_OK) {
        return first;
    }
    for (int k = 0; k < w->n_event; k++) {
        said = said || w->event[k].impact.remedy != SP_REMEDY_NONE;
    }
    if (!said) {
        sp_work_doubt(w, SP_DOUBT_RESTITUTION, x->t, 0.0, NULL);
    }
    return SP_OK;
}

sp_status sp_step_take(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                       double dt, sp_error *err)
{
    sp_step_pass_seams(m, x, w);
    const sp_status status = rule->step(m, x, w, rule, dt, err);
    const bool unsolved = status == SP_E_INFEASIBLE || status == SP_E_NOT_CONVERGED;
    SP_TRY(unsolved && rule->effort != SP_EFFORT_STRICT ? take_at_rest(m, x, w, rule, dt, status)
                                                        : status);
    x->control.dt_last = dt;
    return SP_OK;
}
