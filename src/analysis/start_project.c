/* analysis/start_project.c - 'start: project': gaps that are closed too far at the start are
 * opened, and the change is reported. */
#include "analysis/start_parts.h"
#include "integrators/moreau.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TURNED 1e-6 /* rad: less is not reported */

/* Where a body was. */
typedef struct pose {
    double x[3], quat[4];
} pose;

/* Move bodies out of penetration, as the model asks; a gap that stays is reported by check_gaps. */
static sp_status project(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                         sp_diag *diag)
{
    sp_work *w;
    sp_error err = {.text = ""};
    SP_TRY(sp_work_new(m, allocator, &w, NULL));
    memcpy(w->q, x->q, (size_t)m->n_q * sizeof(double));
    sp_dyn_init(m, x->numbers, &w->dyn);
    sp_dyn_terms(m, x->numbers, x->t, w->q, x->u, &w->kin, &w->dyn);
    sp_con_at(x->t, 0.0, w->q, x->u, &w->con);
    sp_con_gaps(m, x->numbers, &w->kin, &w->con);
    sp_status status = sp_dyn_factor_held(m, w->held, &w->dyn, &err);
    status =
        status != SP_OK ? status : sp_project_positions(m, x->numbers, SP_EFFORT_USUAL, w, &err);
    if (status != SP_OK) {
        sp_diag_add(diag, SP_ERROR, m->run.place, "start: project: %s", err.text);
    }
    memcpy(x->q, w->q, (size_t)m->n_q * sizeof(double));
    sp_work_free(w);
    return status == SP_E_CAPACITY ? SP_E_INPUT : status;
}

/* Poses of all bodies, kinetic and potential energy as they are looked at. */
static double remember(const sp_model *m, const sp_state *x, sp_view *view, pose *p)
{
    sp_energy now;
    for (int i = 0; i < m->n_body; i++) {
        sp_spot_pose(&view->kin, i, p[i].x, p[i].quat);
    }
    sp_dyn_energies(m, x->numbers, x->t, x->q, x->u, &view->kin, &view->dyn, &now);
    return now.kinetic + now.potential;
}

/* The contact that is closed too far by most; friction and the like have no gap (-infinity). */
static int deepest(const sp_model *m, const sp_view *view)
{
    int slot = 0;
    double least = INFINITY;
    for (int i = 0; i < m->n_slot; i++) {
        const double g = view->con.g[i];
        slot = isfinite(g) && g < least ? i : slot;
        least = isfinite(g) && g < least ? g : least;
    }
    return slot;
}

/* How far the origin of a body went, m, and by which angle it turned, rad. */
static double moved(const pose *a, const pose *b, double *turn)
{
    double s2 = 0.0, c = 0.0;
    for (int k = 0; k < 3; k++) {
        s2 += (a->x[k] - b->x[k]) * (a->x[k] - b->x[k]);
    }
    for (int k = 0; k < 4; k++) {
        c += a->quat[k] * b->quat[k];
    }
    c = fabs(c) < 1.0 ? fabs(c) : 1.0;
    *turn = 2.0 * acos(c);
    return sqrt(s2);
}

/* "moved 'box' by 0.001 m, turned 'arm' by 0.1 rad (3 bodies in all)": what went furthest. */
static void describe(const sp_model *m, const pose *before, const pose *now, char *text,
                     size_t size)
{
    int far = SP_NONE, round = SP_NONE, n = 0;
    double most = SP_GAP_CORRECT, most_turn = TURNED;
    for (int i = 1; i < m->n_body; i++) {
        double turn;
        const double way = moved(&before[i], &now[i], &turn);
        n += way > SP_GAP_CORRECT || turn > TURNED;
        far = way > most ? i : far;
        most = way > most ? way : most;
        round = turn > most_turn ? i : round;
        most_turn = turn > most_turn ? turn : most_turn;
    }
    size_t used = (size_t)snprintf(text, size, "%s", n == 0 ? "changed coordinates" : "");
    if (far != SP_NONE) {
        used += (size_t)snprintf(text + used, size - used, "moved '%.60s' by %.3g m",
                                 m->body[far].name, most);
    }
    if (round != SP_NONE) {
        used += (size_t)snprintf(text + used, size - used, "%sturned '%.60s' by %.3g rad",
                                 used > 0 ? ", " : "", m->body[round].name, most_turn);
    }
    if (n > 1) {
        snprintf(text + used, size - used, " (%d bodies in all)", n);
    }
}

/* Say what was moved, because of which contact, and what that did to the energy. */
static void report(const sp_model *m, const sp_state *x, const pose *before, const pose *now,
                   double depth, sp_diag *diag)
{
    char what[256];
    const sp_slot *s = &m->slot[x->opening.slot];
    describe(m, before, now, what, sizeof what);
    sp_diag_add(diag, SP_NOTE, m->run.place,
                "start: project %s: contact '%s' was closed by %.3g %s; energy %+.3g J", what,
                s->name, depth, s->is.turns ? "rad" : "m", x->opening.energy);
}

sp_status sp_start_project(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                           sp_view *view, sp_diag *diag)
{
    pose *before = SP_NEW(&view->arena, pose, m->n_body),
         *now = SP_NEW(&view->arena, pose, m->n_body);
    if (!before || !now) {
        return SP_E_MEMORY;
    }
    const double energy = remember(m, x, view, before);
    x->opening.slot = deepest(m, view);
    const double depth = -view->con.g[x->opening.slot];
    SP_TRY(project(m, allocator, x, diag));
    sp_view_look(m, x, view);
    x->opening.energy = remember(m, x, view, now) - energy;
    x->opening.unreported = true;
    report(m, x, before, now, depth, diag);
    return SP_OK;
}
