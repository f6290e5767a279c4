#include "analysis/equilibrium.h"
#include "analysis/view.h"
#include "base/status.h"
#include "cli/modes_report.h"
#include "cli/talk.h"
#include "laws/ball.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
typedef struct wishes {
    const char *hold, *closed, *state;
    bool json, quiet, all;
} wishes;

/* Note an error; always false. */
static bool fail(sp_machine *machine, sp_modes_finding *f, const sp_error *err)
{
    sp_machine_note(machine, SP_ERROR, err);
    f->status = err->status;
    return false;
}

/* ---- what the file asks for -------------------------------------------------------------------
 */

/* The texts of a node, "a" or [a, b], with commas between them; NULL if there are none. */
static const char *join(sp_machine *machine, const sp_node *node)
{
    if (!node || node->kind != SP_NODE_LIST) {
        return node && node->kind == SP_NODE_TEXT ? node->text : NULL;
    }
    const char *all = NULL;
    for (const sp_node *item = node->first; item; item = item->next) {
        const char *text = item->kind == SP_NODE_TEXT && item->text ? item->text : "";
        all = all ? sp_arena_printf(&machine->arena, "%s,%s", all, text) : text;
        if (!all) {
            return NULL;
        }
    }
    return all;
}

/* What the command line leaves open comes from the section 'modes' of the file; 'none' is nothing.
 */
static wishes complete(sp_machine *machine, const wishes *given)
{
    wishes wish = *given;
    const sp_node *map = sp_node_get(machine->spec->root, "modes");
    wish.hold = wish.hold ? wish.hold : join(machine, sp_node_get(map, "hold"));
    wish.closed = wish.closed ? wish.closed : join(machine, sp_node_get(map, "closed"));
    wish.state = wish.state ? wish.state : join(machine, sp_node_get(map, "state"));
    wish.hold = wish.hold && strcmp(wish.hold, "none") == 0 ? NULL : wish.hold;
    wish.closed = wish.closed && strcmp(wish.closed, "none") == 0 ? NULL : wish.closed;
    return wish;
}

/* ---- what is held ---------------------------------------------------------------------------- */

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
static bool hold_spin(const sp_model *m, const char *word, sp_modes_finding *f)
{
    const char *last = strrchr(word, '.');
    if (m->dim != 3 || !last || strncmp(last, ".omega_", 7) != 0 || !strchr("xyz", last[7]) ||
        last[7] == '\0' || last[8] != '\0') {
        return false;
    }
    for (int i = 1; i < m->n_body; i++) {
        if (strlen(m->body[i].name) == (size_t)(last - word) &&
            strncmp(m->body[i].name, word, (size_t)(last - word)) == 0) {
            f->spin[f->hold.n_spin++] = (sp_held_spin){i, last[7] - 'x'};
            return true;
        }
    }
    return false;
}

/* The degrees of freedom and spins that --hold names. */
static bool read_held(sp_machine *machine, sp_args *args, const char *text, sp_modes_finding *f)
{
    const sp_model *m = machine->model;
    sp_texts list = {0};
    f->held = SP_NEW(&machine->arena, unsigned char, m->n_dof);
    if (!f->held || (text && !sp_args_split(args, text, &list))) {
        return false;
    }
    f->spin = SP_NEW(&machine->arena, sp_held_spin, list.n + 1);
    if (!f->spin) {
        return false;
    }
    for (int i = 0; i < list.n; i++) {
        int n = hold_spin(m, list.item[i], f) ? 1 : 0;
        for (int k = 0; k < m->n_dof; k++) {
            if (names_dof(m, k, list.item[i])) {
                f->held[k] = 1;
                n++;
            }
        }
        if (n == 0) {
            const char **name = SP_NEW(&machine->arena, const char *, m->n_dof);
            for (int k = 0; k < m->n_dof && name; k++) {
                name[k] = m->dof[k].name;
            }
            const char *near = name ? sp_nearest(list.item[i], name, m->n_dof) : NULL;
            sp_error err = {.status = SP_OK};
            (void)SP_FAIL(&err, SP_E_INPUT, "--hold: '%s' is no coordinate, joint or body%s%s%s",
                          list.item[i], near ? ", did you mean '" : "", near ? near : "",
                          near ? "'?" : "; 'specht check' lists them");
            fail(machine, f, &err);
        }
    }
    return machine->diag.n_error == 0;
}

/* "name", "name:stick", "name:slide". */
static sp_closed_kind take_kind(char *word)
{
    char *colon = strrchr(word, ':');
    if (colon && strcmp(colon, ":stick") == 0) {
        *colon = '\0';
        return SP_CLOSED_STICKS;
    }
    if (colon && strcmp(colon, ":slide") == 0) {
        *colon = '\0';
        return SP_CLOSED_SLIDES;
    }
    return SP_CLOSED_ITSELF;
}

/* One contact more, unless it is there already. */
static void add_closed(sp_modes_finding *f, int slot, sp_closed_kind kind)
{
    for (int i = 0; i < f->hold.n_closed; i++) {
        if (f->closed[i].slot == slot) {
            f->closed[i].kind = kind;
            return;
        }
    }
    f->closed[f->hold.n_closed++] = (sp_closed){slot, kind};
}

/* The contact points that a word names: one, or all of an element; "start": all that touch. */
static int close_named(const sp_machine *machine, const char *word, sp_closed_kind kind,
                       sp_modes_finding *f)
{
    const sp_model *m = machine->model;
    int n = 0;
    for (int i = 0; i < m->n_slot; i++) {
        const bool touches = strcmp(word, "start") == 0 && machine->view->con.g[i] <= 1e-9 &&
                             machine->view->con.g[i] != -INFINITY;
        if (touches || strcmp(word, m->slot[i].name) == 0 ||
            strcmp(word, m->contact[m->slot[i].contact].name) == 0) {
            add_closed(f, i, kind);
            n++;
        }
    }
    return n;
}

/* A word that names no contact: say what it could have been. */
static void say_no_contact(sp_machine *machine, char *word, sp_modes_finding *f)
{
    const sp_model *m = machine->model;
    sp_error err = {.status = SP_OK};
    sp_modes_finding none = {.closed = SP_NEW(&machine->arena, sp_closed, m->n_slot)};
    const char **name = SP_NEW(&machine->arena, const char *, m->n_slot);
    char *colon = strrchr(word, ':');
    if (colon && none.closed) {
        *colon = '\0';
        if (close_named(machine, word, SP_CLOSED_ITSELF, &none) > 0) {
            (void)SP_FAIL(&err, SP_E_INPUT,
                          "--closed: '%s' behind '%s:' is not known, expected 'stick' or 'slide'",
                          colon + 1, word);
            fail(machine, f, &err);
            return;
        }
        *colon = ':';
    }
    for (int k = 0; k < m->n_slot && name; k++) {
        name[k] = m->slot[k].name;
    }
    const char *near = name ? sp_nearest(word, name, m->n_slot) : NULL;
    (void)SP_FAIL(&err, SP_E_INPUT, "--closed: '%s' is no contact%s%s%s", word,
                  near ? ", did you mean '" : "", near ? near : "",
                  near ? "'?" : "; 'specht check --all' lists them");
    fail(machine, f, &err);
}

/* The contacts that --closed names. */
static bool read_closed(sp_machine *machine, sp_args *args, const char *text, sp_modes_finding *f)
{
    const sp_model *m = machine->model;
    sp_texts list = {0};
    f->closed = SP_NEW(&machine->arena, sp_closed, m->n_slot);
    if (!f->closed || (text && !sp_args_split(args, text, &list))) {
        return false;
    }
    for (int i = 0; i < list.n; i++) {
        char *word = sp_arena_copy(&machine->arena, list.item[i]);
        if (!word) {
            return false;
        }
        const sp_closed_kind kind = take_kind(word);
        if (close_named(machine, word, kind, f) == 0 && strcmp(word, "start") != 0) {
            say_no_contact(machine, word, f);
        }
    }
    f->hold.dof = f->held;
    f->hold.spin = f->spin;
    f->hold.closed = f->closed;
    return machine->diag.n_error == 0;
}

/* ---- finding --------------------------------------------------------------------------------- */

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
static void check_forces(sp_machine *machine, const sp_modes_finding *f)
{
    const sp_linear *l = f->linear;
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const sp_slot *s = row->slot == SP_NONE ? NULL : &l->m->slot[row->slot];
        const bool contact =
            s && row->slot < l->m->n_slot && row->part == 0 && !s->is.gapless && !s->is.bilateral;
        const bool stuck = contact && row->mu > 0.0 && r + 1 < l->n_row;
        double force = stuck ? fabs(row[1].lambda) : 0.0;
        const bool slips =
            stuck && (sp_con_in_space(s) ? !holds_in_space(l, r, &force)
                                         : force > row->mu * row->lambda * (1.0 + 1e-9) + 1e-12);
        sp_error err = {.status = SP_OK};
        if (contact && row->lambda < -1e-9 * fabs(row->lambda) && row->lambda < -1e-12) {
            (void)SP_FAIL(&err, SP_E_INPUT,
                          "contact '%s' would have to pull with %.4g N to stay closed: it opens",
                          s->name, -row->lambda);
            sp_machine_note(machine, SP_WARNING, &err);
        } else if (slips) {
            (void)SP_FAIL(
                &err, SP_E_INPUT,
                "contact '%s' needs %.4g N of friction to stick and has %.4g N: it slides", s->name,
                force, row->mu * row->lambda);
            sp_machine_note(machine, SP_WARNING, &err);
        }
    }
}

/* The state to look at: the equilibrium, if one is wanted and there is one. */
static bool choose_state(sp_machine *machine, const wishes *wish, sp_modes_finding *f)
{
    sp_state *x = machine->state;
    sp_error err = {.status = SP_OK};
    const bool start = wish->state && strcmp(wish->state, "start") == 0;
    if (!start) {
        const sp_status status = sp_equilibrium_find(f->linear, x, &err);
        f->at_rest = status == SP_OK;
        if (status != SP_OK && (wish->state || status != SP_E_NOT_CONVERGED)) {
            return fail(machine, f, &err);
        }
        snprintf(f->note, sizeof f->note, "%s", status == SP_OK ? "" : err.text);
    }
    if (!f->at_rest) {
        if (sp_linear_look(f->linear, x, &err) != SP_OK) {
            return fail(machine, f, &err);
        }
        sp_linear_accelerate(f->linear, x);
    }
    return true;
}

/* Where contacts in space are closed: the axes, and whether the motion is steady in them. */
static void tell_axes(sp_modes_finding *f)
{
    const size_t used = strlen(f->note);
    const sp_modes *modes = &f->modes;
    if (f->linear->in_space && !modes->is_steady) {
        snprintf(f->note + used, sizeof f->note - used, "%s%s", used ? "; " : "",
                 "no steady motion: modes are those of the instant");
    } else if (f->linear->in_space && modes->axes == SP_AXES_TURNING) {
        snprintf(f->note + used, sizeof f->note - used, "%s%s", used ? "; " : "",
                 "seen from axes that turn along");
    }
}

/* Everything from the file to the modes. */
static bool find(sp_machine *machine, sp_args *args, const wishes *given, sp_modes_finding *f)
{
    sp_error err = {.status = SP_OK};
    const wishes wish = complete(machine, given);
    if (!read_held(machine, args, wish.hold, f) || !read_closed(machine, args, wish.closed, f)) {
        return false;
    }
    if (sp_linear_new(machine->model, machine->state, &f->hold, NULL, &f->linear, &err) != SP_OK) {
        return fail(machine, f, &err);
    }
    if (!choose_state(machine, &wish, f)) {
        return false;
    }
    check_forces(machine, f);
    if (sp_modes_find(f->linear, machine->state, &f->modes, &err) != SP_OK) {
        return fail(machine, f, &err);
    }
    tell_axes(f);
    sp_machine_look(machine);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Find the modes of one file and tell. */
static int modes(sp_args *args, const char *path, const sp_texts *set, const wishes *wish)
{
    sp_machine machine;
    sp_modes_finding f = {.status = SP_E_INPUT};
    const bool ok = sp_machine_load(&machine, path, set) && find(&machine, args, wish, &f);
    sp_cli_print_messages(&machine.diag, wish->quiet);
    if (ok && wish->json) {
        sp_modes_json(&machine, &f);
    } else if (wish->json) {
        sp_machine_json_failed(&machine);
    } else if (ok && !wish->quiet) {
        sp_modes_print(&machine, &f, wish->all);
    }
    sp_modes_free(&f.modes);
    sp_linear_free(f.linear);
    sp_machine_free(&machine);
    return ok ? SP_EXIT_OK : f.status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
}

/* Whether --state names a state. */
static bool state_is_known(const char *state)
{
    if (!state || strcmp(state, "start") == 0 || strcmp(state, "equilibrium") == 0) {
        return true;
    }
    sp_cli_complain("modes: --state %s, expected 'start' or 'equilibrium'", state);
    return false;
}

/* specht modes */
static int modes_command(const sp_command *self, int argc, char **argv)
{
    sp_texts set = {0}, assignments;
    wishes wish = {.state = NULL};
    const sp_option option[] = {
        {"hold", 0, SP_OPTION_TEXT, "NAMES",
         "coordinates, joints or bodies that do not move; 'top.omega_z': a spin in space",
         &wish.hold},
        {"closed", 0, SP_OPTION_TEXT, "NAMES",
         "contacts that stay closed; name:stick or name:slide; 'start': all that touch",
         &wish.closed},
        {"state", 0, SP_OPTION_TEXT, "STATE", "'equilibrium', or 'start' as the file gives it",
         &wish.state},
        {"set", 0, SP_OPTION_LIST, "NAME=VALUE", "change a parameter or a leaf of the model", &set},
        {"all", 0, SP_OPTION_FLAG, NULL, "print shapes whole", &wish.all},
        {"json", 0, SP_OPTION_FLAG, NULL, "print one JSON object instead of text", &wish.json},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but warnings and errors", &wish.quiet},
    };
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, option, sizeof option / sizeof *option, argc, argv, 1, 1,
                      &code)) {
        return code;
    }
    code = SP_EXIT_USAGE;
    if (state_is_known(wish.state) &&
        sp_args_assignments(&args, &set, 0, NULL, NULL, &assignments)) {
        code = modes(&args, args.word.item[0], &assignments, &wish);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_modes = {
    .name = "modes",
    .purpose = "find the equilibrium, natural frequencies and damping",
    .usage = "MODEL.yaml [options]",
    .example = "specht modes woodpecker.yaml --hold y,phi_M\n"
               "specht modes table.yaml --closed foot:stick --json\n"
               "specht modes tippe_top.yaml --closed body --hold top.omega_z --set tilt=0",
    .notes =
        "Looks for an equilibrium near the start and linearises the machine there; if there is "
        "none\n"
        "it says so and takes the start state, which need not be one: modes are then those of "
        "that\n"
        "instant.  What is held keeps its place and its speed.  Contacts are open unless --closed\n"
        "names them; a closed contact with friction that does not move along sticks.  With "
        "contacts "
        "in\n"
        "space the motion may be a steady one: bodies that spin, spins held about axes of the "
        "world\n"
        "(--hold top.omega_z).  A mode has its\n"
        "frequency |s|/(2 pi), its damping -Re s/|s| and its shape, the largest entry being 1.\n"
        "Exit code 1 if the equilibrium that was asked for does not exist.",
    .run = modes_command,
};
