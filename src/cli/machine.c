#include "cli/machine.h"

#include "analysis/freedom.h"
#include "analysis/idle.h"
#include "analysis/prescribed.h"
#include "analysis/start.h"
#include "analysis/view.h"
#include "cli/talk.h"
#include "integrators/run.h"
#include "integrators/stepper.h"
#include "io/yaml_read.h"
#include "kinematics/spot.h"
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

#define MANY_STEPS 1e10 /* a run of more steps is announced */

void sp_machine_note(sp_machine *machine, sp_severity severity, const sp_error *err)
{
    const char *file = err->file[0] ? sp_arena_copy(&machine->arena, err->file) : NULL;
    const sp_place place = {file, err->line, err->column};
    sp_diag_add(&machine->diag, severity, place, "%s", err->text);
}

/* An error without a place. */
static void note_text(sp_machine *machine, const char *text)
{
    const sp_place nowhere = {NULL, 0, 0};
    sp_diag_add(&machine->diag, SP_ERROR, nowhere, "%s", text);
}

/* Errors of a leaf that an option stands for name the option: "run.output_step=..." came from
 * --output-step. */
static void name_option(sp_spec *spec, const char *assignment)
{
    const char *equals = strchr(assignment, '='), *dot = strchr(assignment, '.');
    const char *key = dot && equals && dot < equals
                          ? sp_arena_text(&spec->arena, dot + 1, (size_t)(equals - dot - 1))
                          : NULL;
    char *option = key ? sp_arena_printf(&spec->arena, "--%s", key) : NULL;
    sp_node *leaf = key ? sp_node_get(sp_node_get(spec->root, "run"), key) : NULL;
    for (char *c = option; c && *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    if (leaf && option) {
        leaf->place = (sp_place){option, 0, 0};
    }
}

/* Read the file and apply the assignments. */
static bool read_spec(sp_machine *machine, const char *path, const sp_texts *set)
{
    machine->spec = sp_spec_new(NULL);
    if (!machine->spec) {
        note_text(machine, "out of memory");
        return false;
    }
    if (sp_yaml_read_file(machine->spec, path, &machine->diag) == SP_E_MEMORY) {
        note_text(machine, "out of memory while reading the model");
        return false;
    }
    if (machine->spec->root->n_child == 0) { /* nothing that could be looked at */
        return machine->diag.n_error == 0;
    }
    for (int i = 0; i < set->n; i++) {
        sp_error err = {.status = SP_OK};
        if (sp_spec_override(machine->spec, set->item[i], &err) != SP_OK) {
            sp_machine_note(machine, SP_ERROR, &err);
        } else if (i >= set->n - set->n_option) {
            name_option(machine->spec, set->item[i]);
        }
    }
    return true;
}

/* A run that takes years says so before it begins. */
static void warn_of_length(sp_machine *machine, const sp_run_options *o)
{
    const sp_place nowhere = {NULL, 0, 0};
    const double steps = sp_run_guess_steps(machine->model, o);
    const bool given = o->step > 0.0;
    if (steps > MANY_STEPS) {
        sp_diag_add(&machine->diag, SP_WARNING, nowhere,
                    "this run takes %s%.2g steps%s: until = %g s; take a shorter --until%s, or "
                    "interrupt it where it is enough (Ctrl-C keeps the result, and with "
                    "--checkpoint it can go on)",
                    given ? "" : "more than about ", steps,
                    given ? "" : ", as long as something moves", o->until,
                    given ? " or a longer --step" : "");
    }
}

/* Contacts that the dissipation condition of the theta method does not cover.   theory (17.4) */
static void warn_of_theta(sp_machine *machine, const sp_run_options *o)
{
    const sp_place nowhere = {NULL, 0, 0};
    const sp_model *m = machine->model;
    const double most = sp_theta_eps_max(m->run.theta);
    for (int i = 0; o->method == SP_METHOD_THETA && i < m->n_law; i++) {
        if (m->numbers.law[i].eps_N > most * (1.0 + 1e-12)) {
            sp_diag_add(&machine->diag, SP_WARNING, nowhere,
                        "theta = %g suits restitution up to %.3g (theta <= 1/(1 + eps)), and law "
                        "'%s' has %g: impacts may feed energy into other forces",
                        m->run.theta, most, m->law_name[i], m->numbers.law[i].eps_N);
        }
    }
}

void sp_machine_warn_of_run(sp_machine *machine, const sp_run_options *o)
{
    const sp_place nowhere = {NULL, 0, 0};
    warn_of_length(machine, o);
    warn_of_theta(machine, o);
    if (machine->model->run.output_step > 0.0 && o->output_step < o->step * (1.0 - 1e-6)) {
        sp_diag_add(&machine->diag, SP_WARNING, nowhere,
                    "output_step = %g s is shorter than the step of '%s', %g s: the result has a "
                    "frame at every step; take a shorter --step for more",
                    o->output_step, sp_method_name(o->method), o->step);
    }
}

/* The start state, and where everything is in it. */
static bool make_state(sp_machine *machine)
{
    sp_error err = {.status = SP_OK};
    const sp_status status = sp_start_state(machine->model, NULL, &machine->state, &machine->diag);
    if (status != SP_OK && status != SP_E_INPUT) {
        note_text(machine, sp_status_text(status));
    }
    if (status != SP_OK) {
        return false;
    }
    if (sp_view_new(machine->model, NULL, &machine->view, &err) != SP_OK) {
        sp_machine_note(machine, SP_ERROR, &err);
        return false;
    }
    sp_machine_look(machine);
    if (sp_idle_check(machine->model, machine->state, machine->view, &machine->diag) != SP_OK) {
        note_text(machine, "out of memory");
        return false;
    }
    return true;
}

/* As sp_machine_load, the errors in the order they were found. */
static bool load(sp_machine *machine, const char *path, const sp_texts *set)
{
    if (!read_spec(machine, path, set)) {
        return false;
    }
    const sp_status status = sp_model_compile(machine->spec, NULL, &machine->model, &machine->diag);
    if (status == SP_E_MEMORY) {
        note_text(machine, "out of memory while building the model");
    }
    return status == SP_OK && machine->diag.n_error == 0 && make_state(machine);
}

/* Number of a file in the order of reading, -1 if it is none of them. */
static int file_rank(const sp_spec *spec, const char *file)
{
    int rank = 0;
    for (const sp_source *s = spec ? spec->first_source : NULL; s && file; s = s->next, rank++) {
        if (strcmp(s->file, file) == 0) {
            return rank;
        }
    }
    return -1;
}

/* Whether a stands behind b in the files. */
static bool is_behind(const sp_spec *spec, const sp_message *a, const sp_message *b)
{
    const int rank_a = file_rank(spec, a->place.file), rank_b = file_rank(spec, b->place.file);
    if (rank_a != rank_b) {
        return rank_a > rank_b;
    }
    return a->place.line != b->place.line ? a->place.line > b->place.line
                                          : a->place.column > b->place.column;
}

/* Put the messages into the order of their places: files are mended from top to bottom. */
static void sort_messages(sp_diag *diag, const sp_spec *spec)
{
    sp_message *sorted = NULL, *next;
    for (sp_message *m = diag->first; m; m = next) {
        next = m->next;
        sp_message **at = &sorted;
        while (*at && !is_behind(spec, *at, m)) {
            at = &(*at)->next;
        }
        m->next = *at;
        *at = m;
    }
    diag->first = diag->last = sorted;
    while (diag->last && diag->last->next) {
        diag->last = diag->last->next;
    }
}

bool sp_machine_load(sp_machine *machine, const char *path, const sp_texts *set)
{
    memset(machine, 0, sizeof *machine);
    sp_arena_init(&machine->arena, NULL, 0);
    sp_diag_init(&machine->diag, &machine->arena);
    const bool ok = load(machine, path, set);
    sort_messages(&machine->diag, machine->spec);
    return ok;
}

void sp_machine_free(sp_machine *machine)
{
    sp_view_free(machine->view);
    sp_state_free(machine->state);
    sp_model_free(machine->model);
    sp_spec_free(machine->spec);
    sp_arena_free(&machine->arena);
}

bool sp_machine_check_motion(sp_machine *machine, double until)
{
    const sp_status status =
        sp_prescribed_check(machine->model, machine->state, until, machine->view, &machine->diag);
    if (status != SP_OK) {
        note_text(machine, sp_status_text(status));
    }
    return machine->diag.n_error == 0;
}

int sp_machine_freedom(const sp_machine *machine)
{
    const int free = sp_freedom(machine->model, machine->state, NULL);
    return free == SP_NONE ? machine->model->n_dof : free;
}

void sp_machine_look(sp_machine *machine)
{
    const sp_state *x = machine->state;
    sp_view_look(machine->model, x, machine->view);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Place and motion of a body of the plane. */
static void json_body(sp_json *j, const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    const sp_vec3 v = sp_spot_velocity(kin, &s);
    sp_json_number(j, "x", s.x.x);
    sp_json_number(j, "y", s.x.y);
    sp_json_number(j, "phi", sp_spot_angle(kin, body));
    sp_json_number(j, "vx", v.x);
    sp_json_number(j, "vy", v.y);
    sp_json_number(j, "omega", sp_spot_spin(kin, &s).z);
}

/* The same in space: place, quaternion, velocity and spin in the axes of the world. */
static void json_body_space(sp_json *j, const sp_kin *kin, int body)
{
    static const char *const pose_name[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char *const rate_name[] = {"vx", "vy", "vz", "omega_x", "omega_y", "omega_z"};
    double pose[7];
    sp_spot_pose(kin, body, pose, pose + 3);
    const sp_spot s = sp_spot_origin(kin, body);
    const sp_vec3 v = sp_spot_velocity(kin, &s), omega = sp_spot_spin(kin, &s);
    const double rate[] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
    for (int k = 0; k < 7; k++) {
        sp_json_number(j, pose_name[k], pose[k]);
    }
    for (int k = 0; k < 6; k++) {
        sp_json_number(j, rate_name[k], rate[k]);
    }
}

/* Where the bodies are, by name. */
static void json_bodies(sp_json *j, const sp_machine *machine)
{
    const sp_kin *kin = &machine->view->kin;
    sp_json_object(j, "bodies");
    for (int i = 1; i < machine->model->n_body; i++) {
        sp_json_object(j, machine->model->body[i].name);
        if (machine->model->dim == 3) {
            json_body_space(j, kin, i);
        } else {
            json_body(j, kin, i);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_machine_json_state(sp_json *j, const sp_machine *machine)
{
    const sp_model *m = machine->model;
    const sp_state *x = machine->state;
    sp_json_number(j, "t", x->t);
    sp_json_object(j, "q");
    for (int k = 0; k < m->n_q; k++) {
        sp_json_number(j, m->coord[k].name, x->q[k]);
    }
    sp_json_end(j);
    sp_json_object(j, "u");
    for (int k = 0; k < m->n_dof; k++) {
        sp_json_number(j, m->dof[k].rate_name, x->u[k]);
    }
    sp_json_end(j);
    json_bodies(j, machine);
}

void sp_machine_json_elements(sp_json *j, const sp_machine *machine)
{
    const sp_model *m = machine->model;
    const sp_state *x = machine->state;
    double *line = calloc((size_t)m->n_line + 1, SP_LINE_COLUMNS * sizeof *line);
    if (line) {
        sp_dyn_lines(m, x->numbers, &machine->view->kin, &(sp_at){x->t, x->q, x->u}, x->book,
                     &machine->view->dyn, line);
    }
    sp_json_array(j, "elements");
    for (int i = 0; i < m->n_line && line; i++) {
        const double *of = line + (size_t)SP_LINE_COLUMNS * (size_t)i;
        sp_json_object(j, NULL);
        sp_json_text(j, "name", m->line[i].name);
        sp_json_number(j, "stored", of[SP_LINE_STORED]);
        sp_json_number(j, "dampers", of[SP_LINE_DAMPERS]);
        sp_json_number(j, "applied", of[SP_LINE_APPLIED]);
        sp_json_end(j);
    }
    sp_json_end(j);
    free(line);
}

/* One error or warning. */
static void json_message(sp_json *j, const sp_message *message)
{
    sp_json_object(j, NULL);
    sp_json_text(j, "severity", message->severity == SP_ERROR ? "error" : "warning");
    sp_json_text(j, "file", message->place.file);
    sp_json_integer(j, "line", message->place.line);
    sp_json_integer(j, "column", message->place.column);
    sp_json_text(j, "message", message->text);
    sp_json_end(j);
}

void sp_machine_json_failed(const sp_machine *machine)
{
    sp_json j;
    char text[2048] = "failed";
    for (const sp_message *m = machine->diag.first; m; m = m->next) {
        if (m->severity == SP_ERROR) {
            sp_cli_message_text(m, text, sizeof text);
            break;
        }
    }
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", "failed");
    sp_json_text(&j, "message", text);
    sp_json_array(&j, "errors");
    for (const sp_message *m = machine->diag.first; m; m = m->next) {
        if (m->severity == SP_ERROR) {
            json_message(&j, m);
        }
    }
    sp_json_end(&j);
    sp_json_end(&j);
    putchar('\n');
}
