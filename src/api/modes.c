/* api/modes.c - equilibrium, linear equations and modes, with what is held by name. */
#include "analysis/modes.h"

#include "analysis/equilibrium.h"
#include "laws/ball.h"
#include "specht/mechanics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOUCHES                                                                                    \
    1e-9 /* of its size: a gap below counts as closed, one below minus it as violated              \
          */

/* What is held, the machine near a state, and what was found there. */
typedef struct finding {
    sp_modes_report report; /* first: the caller's handle */
    sp_arena arena;
    const sp_model *m;
    unsigned char *held;
    sp_closed *closed;
    sp_held_spin *spin;
    sp_hold hold;
    sp_linear *linear;
    sp_modes modes;
} finding;

sp_hold_options sp_hold_options_default(void)
{
    return (sp_hold_options){.size = sizeof(sp_hold_options), .close_touching = true};
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether a name is the first n letters of a word. */
static bool is_word(const char *name, const char *word, size_t n)
{
    return strlen(name) == n && strncmp(word, name, n) == 0;
}

/* Whether a word names a degree of freedom: "crank.joint.phi", "crank.phi", or all of a joint by
 * "crank.joint" or "crank". */
static bool names_dof(const sp_model *m, int k, const char *word)
{
    const sp_dof *dof = &m->dof[k];
    const char *body = dof->body == SP_NONE ? NULL : m->body[dof->body].name;
    const size_t length = body ? strlen(body) : 0;
    if (strcmp(word, dof->name) == 0 || strcmp(word, dof->rate_name) == 0) {
        return true;
    }
    if (!body || strncmp(word, body, length) != 0) {
        return false;
    }
    const char *rest = word + length, *last = strrchr(dof->name, '.');
    return *rest == '\0' || strcmp(rest, ".joint") == 0 || (last && strcmp(rest, last) == 0);
}

/* "top.omega_z": the spin of a body about an axis of the world; whether a word names one. */
static bool hold_spin(finding *f, const char *word)
{
    const sp_model *m = f->m;
    const char *last = strrchr(word, '.');
    if (m->dim != 3 || !last || strncmp(last, ".omega_", 7) != 0 || !strchr("xyz", last[7]) ||
        last[7] == '\0' || last[8] != '\0') {
        return false;
    }
    for (int i = 1; i < m->n_body; i++) {
        if (is_word(m->body[i].name, word, (size_t)(last - word))) {
            f->spin[f->hold.n_spin++] = (sp_held_spin){i, last[7] - 'x'};
            return true;
        }
    }
    return false;
}

/* A word that names nothing of a kind: say what it could have been. */
static sp_status unknown(const finding *f, const char *key, const char *word, sp_item_kind kind,
                         const char *what, sp_error *err)
{
    int i;
    sp_error near = {.text = ""};
    (void)sp_model_find(f->m, kind, word, &i, &near);
    const char *hint = strstr(near.text, ", did you mean");
    return SP_FAIL(err, SP_E_INPUT, "%s: '%.80s' is no %s%s", key, word, what,
                   hint ? hint : "; 'specht check --all' lists them");
}

/* The degrees of freedom and spins that are held. */
static sp_status read_held(finding *f, const sp_hold_options *o, sp_error *err)
{
    for (int i = 0; i < o->n_hold; i++) {
        bool known = hold_spin(f, o->hold[i]);
        for (int k = 0; k < f->m->n_dof; k++) {
            if (names_dof(f->m, k, o->hold[i])) {
                f->held[k] = 1;
                known = true;
            }
        }
        if (!known) {
            return unknown(f, "hold", o->hold[i], SP_ITEM_FREEDOM, "coordinate, joint or body",
                           err);
        }
    }
    return SP_OK;
}

/* One contact more, unless it is there already. */
static void add_closed(finding *f, int slot, sp_closed_kind kind)
{
    for (int i = 0; i < f->hold.n_closed; i++) {
        if (f->closed[i].slot == slot) {
            f->closed[i].kind = kind;
            return;
        }
    }
    f->closed[f->hold.n_closed++] = (sp_closed){slot, kind};
}

/* Close the contact points that a word of n letters names: one, or all of an element; how many. */
static int close_named(finding *f, const char *word, size_t n, sp_closed_kind kind)
{
    int found = 0;
    for (int i = 0; i < f->m->n_slot; i++) {
        const sp_slot *s = &f->m->slot[i];
        if (is_word(s->name, word, n) || is_word(f->m->contact[s->contact].name, word, n)) {
            add_closed(f, i, kind);
            found++;
        }
    }
    return found;
}

/* All contact points that touch in the state. */
static sp_status close_touching(finding *f, const sp_state *x, sp_error *err)
{
    sp_view *view;
    SP_TRY(sp_view_take(f->m, x, &view, err));
    for (int i = 0; i < f->m->n_slot; i++) {
        sp_gap_info at;
        (void)sp_view_contact(f->m, view, i, &at);
        if (at.gap <= TOUCHES * f->m->extent.slot[i]) {
            add_closed(f, i, SP_CLOSED_ITSELF);
        }
    }
    sp_view_free(view);
    return SP_OK;
}

/* "name", "name:stick", "name:slide", "start". */
static sp_status read_closed(finding *f, const sp_state *x, const sp_hold_options *o, sp_error *err)
{
    for (int i = 0; i < o->n_closed; i++) {
        const char *word = o->closed[i], *colon = strrchr(word, ':');
        const size_t n = colon ? (size_t)(colon - word) : strlen(word);
        const bool stick = colon && strcmp(colon, ":stick") == 0;
        const bool slide = colon && strcmp(colon, ":slide") == 0;
        if (strcmp(word, "start") == 0) {
            SP_TRY(close_touching(f, x, err));
        } else if (close_named(f, word, n,
                               stick   ? SP_CLOSED_STICKS
                               : slide ? SP_CLOSED_SLIDES
                                       : SP_CLOSED_ITSELF) == 0) {
            const char *name = sp_arena_text(&f->arena, word, n);
            return unknown(f, "closed", name ? name : word, SP_ITEM_CONTACT, "contact", err);
        } else if (colon && !stick && !slide) {
            return SP_FAIL(err, SP_E_INPUT,
                           "closed: '%s' behind '%.*s:' is not known, expected 'stick' or 'slide'",
                           colon + 1, (int)n, word);
        }
    }
    return SP_OK;
}

/* ---- the machine near a state ---------------------------------------------------------------- */

void sp_modes_report_free(sp_modes_report *report)
{
    finding *f = (finding *)report;
    if (f) {
        sp_modes_free(&f->modes);
        sp_linear_free(f->linear);
        sp_arena_free(&f->arena);
        free(f);
    }
}

/* Whether contacts are closed because they touch. */
static bool closes_touching(const sp_hold_options *o)
{
    return !o || (o->n_closed == 0 && o->close_touching);
}

/* A finding with what the options name; on failure it is freed. */
static sp_status begin(const sp_model *m, const sp_state *x, const sp_hold_options *options,
                       finding **out, sp_error *err)
{
    const sp_hold_options usual = sp_hold_options_default(), *o = options ? options : &usual;
    *out = NULL;
    if (!m || !x) {
        return SP_FAIL(err, SP_E_INPUT, "model or state are NULL");
    }
    if (o->size != sizeof *o || o->n_closed < 0 || o->n_hold < 0 ||
        (o->n_closed > 0 && !o->closed) || (o->n_hold > 0 && !o->hold)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "options for what is held are not from sp_hold_options_default");
    }
    finding *f = calloc(1, sizeof *f);
    if (!f) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory");
    }
    f->m = m;
    sp_arena_init(&f->arena, NULL, 0);
    f->held = SP_NEW(&f->arena, unsigned char, m->n_dof);
    f->closed = SP_NEW(&f->arena, sp_closed, m->n_slot);
    f->spin = SP_NEW(&f->arena, sp_held_spin, o->n_hold + 1);
    f->hold.dof = f->held;
    f->hold.spin = f->spin;
    f->hold.closed = f->closed;
    sp_status status =
        f->held && f->closed && f->spin ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory");
    status = status == SP_OK ? read_held(f, o, err) : status;
    status = status == SP_OK ? read_closed(f, x, o, err) : status;
    if (status == SP_OK && closes_touching(options)) {
        status = close_touching(f, x, err);
    }
    *out = f;
    if (status != SP_OK) {
        sp_modes_report_free(&f->report);
        *out = NULL;
    }
    return status;
}

/* The linear equations for what is held; at the equilibrium, if one is wanted. */
static sp_status find_state(finding *f, sp_state *x, sp_hold_state at, sp_error *err)
{
    sp_linear_free(f->linear);
    f->linear = NULL;
    f->report.at_equilibrium = false;
    f->report.note[0] = '\0';
    SP_TRY(sp_linear_new(f->m, x, &f->hold, NULL, &f->linear, err));
    if (at != SP_HOLD_AT_STATE) {
        sp_error why = {.status = SP_OK};
        const sp_status status = sp_equilibrium_find(f->linear, x, &why);
        f->report.at_equilibrium = status == SP_OK;
        if (status != SP_OK && (at == SP_HOLD_AT_EQUILIBRIUM || status != SP_E_NOT_CONVERGED)) {
            if (err) {
                *err = why;
            }
            return status;
        }
        snprintf(f->report.note, sizeof f->report.note, "%s", status == SP_OK ? "" : why.text);
    }
    if (!f->report.at_equilibrium) {
        SP_TRY(sp_linear_look(f->linear, x, err));
        sp_linear_accelerate(f->linear, x);
    }
    return SP_OK;
}

/* The closed contact that pulls most, among those with a gap; SP_NONE: none pulls. */
static int find_pulling(const sp_linear *l)
{
    int slot = SP_NONE;
    double most = 1e-12; /* N: round-off of forces that balance */
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const bool contact = row->slot >= 0 && row->slot < l->m->n_slot && row->part == 0 &&
                             !l->m->slot[row->slot].is.gapless;
        if (contact && -row->lambda > most) {
            most = -row->lambda;
            slot = row->slot;
        }
    }
    return slot;
}

/* Open contacts that pull, one after the other; all of them, where what touches cannot be held. */
static sp_status find_touching_state(finding *f, sp_state *x, sp_hold_state at, sp_error *err)
{
    sp_state *from = NULL;
    SP_TRY(sp_state_new(f->m, NULL, &from, err));
    sp_state_copy(f->m, x, from);
    sp_status status = find_state(f, x, at, err);
    for (int pull = SP_NONE; f->hold.n_closed > 0;) {
        pull = status == SP_OK ? find_pulling(f->linear) : SP_NONE;
        if (status == SP_OK && pull == SP_NONE) {
            break;
        }
        int n = 0;
        for (int i = 0; i < f->hold.n_closed && pull != SP_NONE; i++) {
            f->closed[n] = f->closed[i];
            n += f->closed[i].slot != pull;
        }
        f->hold.n_closed = n;
        sp_state_copy(f->m, from, x);
        status = find_state(f, x, at, err);
    }
    sp_state_free(from);
    return status;
}

static sp_status settle(finding *f, sp_state *x, const sp_hold_options *o, sp_hold_state at,
                        sp_error *err)
{
    return closes_touching(o) ? find_touching_state(f, x, at, err) : find_state(f, x, at, err);
}

sp_status sp_analysis_equilibrium(const sp_model *m, sp_state *x, const sp_hold_options *hold,
                                  sp_error *err)
{
    finding *f;
    SP_TRY(begin(m, x, hold, &f, err));
    const sp_status status = settle(f, x, hold, SP_HOLD_AT_EQUILIBRIUM, err);
    sp_modes_report_free(&f->report);
    return status;
}

sp_status sp_analysis_linearise(const sp_model *m, const sp_state *x, const sp_hold_options *hold,
                                double *M, double *D, double *K, sp_error *err)
{
    finding *f;
    SP_TRY(begin(m, x, hold, &f, err));
    sp_status status = sp_linear_new(m, x, &f->hold, NULL, &f->linear, err);
    sp_linear *l = f->linear;
    status = status == SP_OK ? sp_linear_look(l, x, err) : status;
    if (status == SP_OK) {
        sp_linear_accelerate(l, x);
        sp_linear_tangent(l, x);
        const double *const from[] = {l->M, l->D, l->K};
        double *const to[] = {M, D, K};
        for (int k = 0; k < 3; k++) {
            if (to[k]) {
                memcpy(to[k], from[k], (size_t)l->n * (size_t)l->n * sizeof *to[k]);
            }
        }
    }
    sp_modes_report_free(&f->report);
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

SP_PRINTF(2, 3)
static void warn(const sp_listener *listener, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const sp_message message = {.severity = SP_WARNING, .text = text};
    if (listener && listener->hear) {
        listener->hear(listener->ctx, &message);
    }
}

/* Rows of a sticking contact in space from r on: the force of friction, and whether its set holds
 * it. */
static bool holds_in_space(const sp_linear *l, int r, double *force)
{
    const sp_con *con = &l->w->con;
    double P[SP_SET_DIM_MAX] = {l->row[r].lambda};
    int n = 1, a = 0;
    for (; r + n < l->n_row && l->row[r + n].slot == l->row[r].slot; n++) {
        P[n] = l->row[r + n].lambda;
    }
    for (; a < con->n_active && con->active[a] != l->row[r].slot;) {
        a++;
    }
    *force = hypot(P[1], P[2]);
    for (int i = 1; i < n; i++) {
        P[i] *= 1.0 - 1e-9;
    }
    return n < 3 || a == con->n_active || n != sp_set_dim(&con->set[a]) || P[0] < 0.0 ||
           sp_set_holds(&con->set[a], P);
}

/* Warn where a closed contact would pull, or a sticking one slip. */
static void check_forces(const sp_linear *l, const sp_listener *listener)
{
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const sp_slot *s = row->slot == SP_NONE ? NULL : &l->m->slot[row->slot];
        const bool contact =
            s && row->slot < l->m->n_slot && row->part == 0 && !s->is.gapless && !s->is.bilateral;
        const bool stuck = contact && row->mu > 0.0 && r + 1 < l->n_row;
        double force = stuck ? fabs(row[1].lambda) : 0.0;
        const bool slips =
            stuck && (s->is.space ? !holds_in_space(l, r, &force)
                                  : force > row->mu * row->lambda * (1.0 + 1e-9) + 1e-12);
        if (contact && row->lambda < -1e-12) {
            warn(listener, "contact '%s' would have to pull with %.4g N to stay closed: it opens",
                 s->name, -row->lambda);
        } else if (slips) {
            warn(listener,
                 "contact '%s' needs %.4g N of friction to stick and has %.4g N: it slides",
                 s->name, force, row->mu * row->lambda);
        }
    }
}

/* Warn of open contacts and stops that the state is beyond. */
static void check_gaps(const finding *f, const sp_listener *listener)
{
    const sp_model *m = f->m;
    for (int i = 0; i < m->n_slot; i++) {
        bool closed = m->slot[i].is.gapless;
        for (int k = 0; k < f->hold.n_closed; k++) {
            closed = closed || f->closed[k].slot == i;
        }
        const double gap = f->linear->w->con.g[i];
        if (!closed && gap < -TOUCHES * m->extent.slot[i]) {
            warn(listener,
                 "'%s' is violated by %.4g %s: the machine cannot be there; close it "
                 "(--closed %s) or start nearer to where it rests",
                 m->slot[i].name, -gap, m->slot[i].is.turns ? "rad" : "m", m->slot[i].name);
        }
    }
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* More text for the note. */
static void add_note(finding *f, const char *text)
{
    char *note = f->report.note;
    const size_t used = strlen(note), size = sizeof f->report.note;
    snprintf(note + used, size - used, "%s%s", used > 0 ? "; " : "", text);
}

/* Which contacts were closed since they touch. */
static void note_closed(finding *f)
{
    char text[512] = "";
    size_t used = 0;
    for (int i = 0; i < f->hold.n_closed && used + 80 < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s'%s'",
                                 i == 0 ? "closed, as they touch and bear: " : ", ",
                                 f->m->slot[f->closed[i].slot].name);
    }
    if (used > 0) {
        snprintf(text + used, sizeof text - used, " (--closed none opens them)");
        add_note(f, text);
    }
}

/* Where contacts in space are closed: the axes, and whether the motion is steady in them. */
static void note_axes(finding *f)
{
    static const char *const axes_name[] = {"ground", "turning", "own"};
    f->report.axes = axes_name[f->modes.axes];
    if (f->linear->in_space && !f->modes.is_steady) {
        add_note(f, "no steady motion: modes are those of the instant");
    } else if (f->linear->in_space && f->modes.axes == SP_AXES_TURNING) {
        add_note(f, "seen from axes that turn along");
    }
}

/* What is held, and the forces of closed contacts and bilateral rows. */
static bool list_held(finding *f)
{
    const sp_linear *l = f->linear;
    const char **held = SP_NEW(&f->arena, const char *, l->n + 1);
    sp_hold_force *force = SP_NEW(&f->arena, sp_hold_force, l->n_row + 1);
    if (!held || !force) {
        return false;
    }
    for (int k = 0; k < l->n; k++) {
        if (l->held[k]) {
            held[f->report.n_held++] = l->m->dof[k].name;
        }
    }
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const bool spin = row->slot == SP_NONE;
        force[r] = (sp_hold_force){.name = spin ? l->m->body[l->spin[row->part].body].name
                                                : l->m->slot[row->slot].name,
                                   .direction = spin                        ? "spin"
                                                : row->slot >= l->m->n_slot ? "bilateral"
                                                : row->part == 0            ? "normal"
                                                : row->part < 3             ? "tangential"
                                                                            : "torque",
                                   .force = row->lever * row->lambda};
    }
    f->report.held = held;
    f->report.n_force = l->n_row;
    f->report.force = force;
    return true;
}

/* Everything from the state to the modes. */
static sp_status find(finding *f, sp_state *x, const sp_hold_options *o,
                      const sp_listener *listener, sp_error *err)
{
    SP_TRY(settle(f, x, o, o ? o->at : SP_HOLD_AT_BEST, err));
    check_forces(f->linear, listener);
    check_gaps(f, listener);
    SP_TRY(sp_modes_find(f->linear, x, &f->modes, err));
    if (closes_touching(o)) {
        note_closed(f);
    }
    note_axes(f);
    f->report.n_mode = f->modes.n_mode;
    f->report.n_unstable = f->modes.n_unstable;
    f->report.mode = f->modes.mode;
    f->report.n_integral = f->m->n_aux;
    return list_held(f) ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory");
}

sp_status sp_analysis_modes(const sp_model *m, sp_state *x, const sp_hold_options *options,
                            const sp_listener *listener, sp_modes_report **report, sp_error *err)
{
    finding *f;
    if (!report) {
        return SP_FAIL(err, SP_E_INPUT, "sp_analysis_modes: report is NULL");
    }
    *report = NULL;
    SP_TRY(begin(m, x, options, &f, err));
    const sp_status status = find(f, x, options, listener, err);
    if (status == SP_OK) {
        *report = &f->report;
    } else {
        sp_modes_report_free(&f->report);
    }
    return status;
}
