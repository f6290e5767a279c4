#include "cli/machine.h"

#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

void sp_machine_note(sp_machine *machine, sp_severity severity, const sp_error *err)
{
    const char *file = err->file[0] ? sp_arena_copy(&machine->arena, err->file) : NULL;
    const sp_place place = {file, err->line, err->column};
    sp_diag_add(&machine->diag, severity, place, "%s", err->text);
}

/* sp_listener: into the list. */
static void keep(void *ctx, const sp_message *m)
{
    sp_machine *machine = ctx;
    sp_place place = m->place;
    place.file = place.file ? sp_arena_copy(&machine->arena, place.file) : NULL;
    sp_diag_add(&machine->diag, m->severity, place, "%s", m->text);
}

sp_listener sp_machine_listener(sp_machine *machine)
{
    return (sp_listener){.hear = keep, .ctx = machine};
}

bool sp_machine_load(sp_machine *machine, const char *path, const sp_texts *set)
{
    memset(machine, 0, sizeof *machine);
    sp_arena_init(&machine->arena, NULL, 0);
    sp_diag_init(&machine->diag, &machine->arena);
    machine->path = path;
    const sp_listener listener = sp_machine_listener(machine);
    sp_error err = {.status = SP_OK};
    if (sp_model_load(path, set->n, set->item, &listener, &machine->spec, &machine->model,
                      &machine->state, &err) != SP_OK) {
        return false;
    }
    return sp_machine_look(machine);
}

void sp_machine_free(sp_machine *machine)
{
    sp_view_free(machine->view);
    sp_state_free(machine->state);
    sp_model_free(machine->model);
    sp_spec_free(machine->spec);
    sp_arena_free(&machine->arena);
}

const char *sp_machine_title(const sp_machine *machine)
{
    const char *name = sp_model_about(machine->model)->name;
    return name[0] ? name : machine->path;
}

bool sp_machine_preview(sp_machine *machine, const sp_run_options *o)
{
    const sp_listener listener = sp_machine_listener(machine);
    return sp_run_check(machine->model, machine->state, o, &listener, NULL) == SP_OK;
}

int sp_machine_freedom(const sp_machine *machine)
{
    const int free = sp_mechanics_freedom(machine->model, machine->state);
    return free < 0 ? sp_model_count(machine->model, SP_ITEM_VELOCITY) : free;
}

bool sp_machine_look(sp_machine *machine)
{
    sp_error err = {.status = SP_OK};
    sp_view_free(machine->view);
    machine->view = NULL;
    if (sp_view_take(machine->model, machine->state, &machine->view, &err) != SP_OK) {
        sp_machine_note(machine, SP_ERROR, &err);
    }
    return machine->view != NULL;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Named numbers. */
static void json_numbers(sp_json *j, int n, const char *const *name, const double *value)
{
    for (int k = 0; k < n; k++) {
        sp_json_number(j, name[k], value[k]);
    }
}

/* Place and motion of a body: of the plane, or of space with quaternion and spin. */
static void json_body(sp_json *j, const sp_point_info *p, bool space)
{
    static const char *const name[] = {"x",  "y",  "z",  "qw",      "qx",      "qy",     "qz",
                                       "vx", "vy", "vz", "omega_x", "omega_y", "omega_z"};
    static const char *const planar[] = {"x", "y", "phi", "vx", "vy", "omega"};
    const double plane[] = {p->x[0], p->x[1], p->angle, p->v[0], p->v[1], p->omega[2]};
    if (!space) {
        json_numbers(j, 6, planar, plane);
        return;
    }
    json_numbers(j, 3, name, p->x);
    json_numbers(j, 4, name + 3, p->turn);
    json_numbers(j, 3, name + 7, p->v);
    json_numbers(j, 3, name + 10, p->omega);
}

/* An object with the values of all items of a kind. */
static void json_items(sp_json *j, const char *key, const sp_model *m, sp_item_kind kind,
                       const double *value)
{
    sp_json_object(j, key);
    for (int k = 0; k < sp_model_count(m, kind); k++) {
        sp_json_number(j, sp_model_item(m, kind, k), value[k]);
    }
    sp_json_end(j);
}

void sp_machine_json_begin(sp_json *j, const sp_machine *machine)
{
    sp_json_init(j, stdout);
    sp_json_object(j, NULL);
    sp_json_text(j, "status", "ok");
    sp_json_text(j, "name", sp_model_about(machine->model)->name);
    sp_json_text(j, "file", machine->path);
}

void sp_machine_json_state(sp_json *j, const char *key, const sp_machine *machine)
{
    const sp_model *m = machine->model;
    sp_json_object(j, key);
    sp_json_number(j, "t", sp_state_time(machine->state));
    json_items(j, "q", m, SP_ITEM_COORDINATE, sp_state_q(machine->state));
    json_items(j, "u", m, SP_ITEM_VELOCITY, sp_state_u(machine->state));
    sp_json_object(j, "bodies");
    for (int i = 1; i < sp_model_count(m, SP_ITEM_BODY); i++) {
        sp_point_info p;
        (void)sp_view_point(m, machine->view, i, NULL, &p);
        sp_json_object(j, sp_model_item(m, SP_ITEM_BODY, i));
        json_body(j, &p, sp_model_about(m)->spatial);
        sp_json_end(j);
    }
    sp_json_end(j);
    sp_json_end(j);
}

void sp_machine_json_elements(sp_json *j, const sp_machine *machine, sp_work *work)
{
    static const char *const field[] = {"stored", "dampers", "applied"};
    const sp_model *m = machine->model;
    const sp_sample *sample = NULL;
    const int n = sp_sample_take(m, machine->state, work, &sample, NULL) == SP_OK
                      ? sp_model_count(m, SP_ITEM_ELEMENT)
                      : 0;
    sp_json_array(j, "elements");
    for (int i = 0; i < n; i++) {
        const char *name = sp_model_item(m, SP_ITEM_ELEMENT, i);
        sp_json_object(j, NULL);
        sp_json_text(j, "name", name);
        for (int k = 0; k < 3; k++) {
            char channel[512];
            int number = -1;
            snprintf(channel, sizeof channel, "energy.%.400s.%s", name, field[k]);
            (void)sp_channel_find(m, channel, &number, NULL);
            sp_json_number(j, field[k], sp_channel_read(sample, number));
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_machine_json_end(sp_json *j, const sp_machine *machine)
{
    char text[2048];
    sp_json_array(j, "warnings");
    for (const sp_message *m = machine->diag.first; m; m = m->next) {
        sp_cli_message_text(m, text, sizeof text);
        sp_json_text(j, NULL, text);
    }
    sp_json_end(j);
    sp_json_end(j);
    putchar('\n');
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
