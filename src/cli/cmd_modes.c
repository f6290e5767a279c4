#include "cli/machine.h"
#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
typedef struct wishes {
    const char *hold, *closed, *state;
    bool json, quiet, all;
} wishes;

/* What the section 'modes' of the file says under a key, "a" or [a, b], with commas between; NULL:
 * nothing. */
static const char *of_file(sp_machine *machine, const char *key)
{
    const char *path = sp_arena_printf(&machine->arena, "modes.%s", key);
    const char *all = path ? sp_spec_get(machine->spec, path) : NULL;
    for (int i = 1; path && !(i == 1 && all); i++) {
        const char *item = sp_arena_printf(&machine->arena, "%s.%d", path, i);
        const char *text = item ? sp_spec_get(machine->spec, item) : NULL;
        if (!text) {
            break;
        }
        all = all ? sp_arena_printf(&machine->arena, "%s,%s", all, text) : text;
    }
    return all;
}

/* The names that an option or else the file gives; *given: whether there are any, or 'none'. */
static bool read_names(sp_machine *machine, sp_args *args, const char *option, const char *key,
                       sp_texts *list, bool *given)
{
    const char *text = option ? option : of_file(machine, key);
    *given = text != NULL;
    return !text || strcmp(text, "none") == 0 || sp_args_split(args, text, list);
}

/* Everything from the file to the modes. */
static sp_status find(sp_machine *machine, sp_args *args, const wishes *wish,
                      sp_modes_report **report)
{
    sp_hold_options o = sp_hold_options_default();
    sp_texts hold = {0}, closed = {0};
    bool given;
    if (!read_names(machine, args, wish->hold, "hold", &hold, &given) ||
        !read_names(machine, args, wish->closed, "closed", &closed, &given)) {
        return SP_E_MEMORY;
    }
    o.close_touching = !given;
    o.n_hold = hold.n;
    o.hold = hold.item;
    o.n_closed = closed.n;
    o.closed = closed.item;
    const char *state = wish->state ? wish->state : of_file(machine, "state");
    o.at = !state                        ? SP_HOLD_AT_BEST
           : strcmp(state, "start") == 0 ? SP_HOLD_AT_STATE
                                         : SP_HOLD_AT_EQUILIBRIUM;
    const sp_listener listener = sp_machine_listener(machine);
    sp_error err = {.status = SP_OK};
    const sp_status status =
        sp_analysis_modes(machine->model, machine->state, &o, &listener, report, &err);
    if (status != SP_OK) {
        sp_machine_note(machine, SP_ERROR, &err);
    }
    return status == SP_OK && !sp_machine_look(machine) ? SP_E_MEMORY : status;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "phi_M 1, y -0.0017": the entries of a shape that matter. */
static void print_shape(const sp_model *m, const sp_mode *mode, bool all)
{
    int n = 0, left = 0;
    for (int k = 0; k < sp_model_count(m, SP_ITEM_FREEDOM); k++) {
        const double size = hypot(mode->shape[k].re, mode->shape[k].im);
        if (!(size > 1e-9)) {
            continue;
        }
        if (!all && n == 6) {
            left++;
            continue;
        }
        printf("%s%s %.3g", n++ ? ", " : "", sp_model_item(m, SP_ITEM_FREEDOM, k),
               mode->shape[k].re);
        if (!mode->is_real) {
            printf("%+.3gi", mode->shape[k].im);
        }
    }
    if (left > 0) {
        printf(", ... and %d more", left);
    }
}

/* One line per mode. */
static void print_modes(const sp_machine *machine, const sp_modes_report *f, bool all)
{
    const sp_model *m = machine->model;
    printf("\n  %4s  %12s  %9s  %24s  %s\n", "mode", "frequency Hz", "damping", "eigenvalue 1/s",
           "shape");
    for (int i = 0; i < f->n_mode; i++) {
        const sp_mode *mode = &f->mode[i];
        char eigenvalue[64];
        snprintf(eigenvalue, sizeof eigenvalue, mode->s.im == 0.0 ? "%.5g" : "%.5g %+.7gi",
                 mode->s.re, mode->s.im);
        printf("  %4d  %12.7g  ", i + 1, mode->frequency_hz);
        if (mode->kind == SP_MODE_FREE) {
            printf("%9s", "free");
        } else {
            printf("%9.4g", mode->damping);
        }
        printf("  %24s  ", eigenvalue);
        print_shape(m, mode, all);
        printf("%s\n", mode->unstable ? "   UNSTABLE" : "");
    }
}

/* Where the machine is, in its coordinates. */
static void print_state(const sp_machine *machine, const sp_modes_report *f)
{
    const sp_model *m = machine->model;
    printf("  %s\n  at %s\n", sp_machine_title(machine),
           f->at_equilibrium ? "an equilibrium" : "the start state");
    if (f->note[0]) {
        printf("  %s\n", f->note);
    }
    for (int k = 0; k < sp_model_count(m, SP_ITEM_COORDINATE) && k < 12 && f->at_equilibrium; k++) {
        const char *unit = sp_model_unit(m, SP_ITEM_COORDINATE, k);
        printf("    %s = %.8g %s\n", sp_model_item(m, SP_ITEM_COORDINATE, k),
               sp_state_q(machine->state)[k], strcmp(unit, "1") == 0 ? "" : unit);
    }
}

static void print_report(const sp_machine *machine, const sp_modes_report *f, bool all)
{
    print_state(machine, f);
    print_modes(machine, f, all);
    if (f->n_mode == 0) {
        printf("  nothing can move\n");
    }
    if (f->n_unstable > 0) {
        printf("\n  unstable: %d of %d modes grow\n", f->n_unstable, f->n_mode);
    }
    if (f->n_integral > 0) {
        printf("\n  states of `states` and integrals of motors stay as they are in these modes\n");
    }
}

/* ---- for programs ---------------------------------------------------------------------------- */

/* One mode as an object. */
static void json_mode(sp_json *j, const sp_model *m, const sp_mode *mode)
{
    static const char *const kind[] = {"free", "real", "swings"};
    sp_json_object(j, NULL);
    sp_json_text(j, "kind", kind[mode->kind]);
    sp_json_number(j, "frequency_hz", mode->frequency_hz);
    sp_json_number(j, "damped_hz", mode->damped_hz);
    sp_json_number(j, "damping", mode->damping);
    sp_json_bool(j, "unstable", mode->unstable);
    sp_json_array(j, "eigenvalue");
    sp_json_number(j, NULL, mode->s.re);
    sp_json_number(j, NULL, mode->s.im);
    sp_json_end(j);
    sp_json_object(j, "shape");
    for (int k = 0; k < sp_model_count(m, SP_ITEM_FREEDOM); k++) {
        sp_json_number(j, sp_model_item(m, SP_ITEM_FREEDOM, k), mode->shape[k].re);
    }
    sp_json_end(j);
    if (!mode->is_real) {
        sp_json_object(j, "shape_imag");
        for (int k = 0; k < sp_model_count(m, SP_ITEM_FREEDOM); k++) {
            sp_json_number(j, sp_model_item(m, SP_ITEM_FREEDOM, k), mode->shape[k].im);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* What is held, and the forces of closed contacts and bilateral rows. */
static void json_held(sp_json *j, const sp_modes_report *f)
{
    sp_json_array(j, "held");
    for (int k = 0; k < f->n_held; k++) {
        sp_json_text(j, NULL, f->held[k]);
    }
    sp_json_end(j);
    sp_json_array(j, "rows");
    for (int r = 0; r < f->n_force; r++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", f->force[r].name);
        sp_json_text(j, "direction", f->force[r].direction);
        sp_json_number(j, "force", f->force[r].force);
        sp_json_end(j);
    }
    sp_json_end(j);
}

static void json_report(const sp_machine *machine, const sp_modes_report *f)
{
    const sp_model *m = machine->model;
    sp_json j;
    sp_machine_json_begin(&j, machine);
    sp_json_text(&j, "at", f->at_equilibrium ? "equilibrium" : "start");
    sp_json_text(&j, "axes", f->axes);
    sp_json_text(&j, "note", f->note[0] ? f->note : NULL);
    sp_json_bool(&j, "stable", f->n_unstable == 0);
    sp_json_array(&j, "modes");
    for (int i = 0; i < f->n_mode; i++) {
        json_mode(&j, m, &f->mode[i]);
    }
    sp_json_end(&j);
    json_held(&j, f);
    sp_machine_json_state(&j, "state", machine);
    sp_machine_json_end(&j, machine);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Find the modes of one file and print them. */
static int modes(sp_args *args, const char *path, const sp_texts *set, const wishes *wish)
{
    sp_machine machine;
    sp_modes_report *report = NULL;
    const sp_status status =
        sp_machine_load(&machine, path, set) ? find(&machine, args, wish, &report) : SP_E_INPUT;
    sp_cli_print_messages(&machine.diag, wish->quiet);
    if (report && wish->json) {
        json_report(&machine, report);
    } else if (wish->json) {
        sp_machine_json_failed(&machine);
    } else if (report && !wish->quiet) {
        print_report(&machine, report, wish->all);
    }
    sp_modes_report_free(report);
    sp_machine_free(&machine);
    return status == SP_OK ? SP_EXIT_OK : status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
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
         "contacts that stay closed (all that touch and bear); name:stick, name:slide, none",
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
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
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
        "Looks for an equilibrium near the start and linearises the machine there; if there is\n"
        "none it says so and takes the start state as it is: modes are then those of that "
        "instant.\n"
        "Held coordinates keep position and speed.  Contacts that touch and do not pull are\n"
        "closed, or those that --closed names ('start': all that touch); a closed contact with\n"
        "friction sticks unless it slides.  With contacts in space the motion may be a steady "
        "one:\n"
        "bodies that spin, spins held about axes of the world (--hold top.omega_z).\n"
        "A mode has its frequency |s|/(2 pi), its damping -Re s/|s| and its shape, the largest\n"
        "entry being 1.  Exit code 1 if the equilibrium that was asked for does not exist.",
    .run = modes_command,
};
