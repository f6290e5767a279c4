#include "cli/machine.h"
#include "cli/stiff.h"
#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 12 }; /* SHOWN: lines of a list that is not wanted whole */

/* -0 is 0 to people. */
static double plain(double x)
{
    return x == 0.0 ? 0.0 : x;
}

/* The same of what is printed with five digits behind the point. */
static double plain5(double x)
{
    return fabs(x) < 5e-6 ? 0.0 : x;
}

/* Whether the line i of n is printed; instead of the first that is not, how many follow. */
static bool is_shown(int i, int n, bool all)
{
    const int most = all || n <= SHOWN + 1 ? n : SHOWN;
    if (i == most) {
        char rest[32];
        sp_count_text(n - most, rest, sizeof rest);
        printf("  ... and %s more (--all lists them)\n", rest);
    }
    return i < most;
}

/* Letters of the longest name of a kind of items from the first on, within reason. */
static int name_width(const sp_model *m, sp_item_kind kind, int first, bool all, const char *title)
{
    size_t width = strlen(title);
    for (int i = first; i < sp_model_count(m, kind) && (all || i - first <= SHOWN); i++) {
        const size_t length = strlen(sp_model_item(m, kind, i));
        width = length > width ? length : width;
    }
    return width < 40 ? (int)width : 40;
}

/* "3 bodies" */
static void count_text(int n, const char *one, const char *many, char *buffer, size_t size)
{
    char count[32];
    sp_count_text(n, count, sizeof count);
    snprintf(buffer, size, "%s %s", count, n == 1 ? one : many);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* "3 degrees of freedom"; of a machine with loops or prescribed motion its coordinates, too. */
static void freedom_text(const sp_machine *machine, char *buffer, size_t size)
{
    char more[64];
    const int n_dof = sp_model_count(machine->model, SP_ITEM_VELOCITY);
    const int n_motion = sp_model_count(machine->model, SP_ITEM_MOTION);
    const int free = sp_machine_freedom(machine);
    count_text(free, "degree of freedom", "degrees of freedom", buffer, size);
    if (free != n_dof) {
        count_text(n_dof, "coordinate", "coordinates", more, sizeof more);
        size_t used = strlen(buffer);
        used += (size_t)snprintf(buffer + used, size - used, " (%s", more);
        if (n_motion > 0) {
            used += (size_t)snprintf(buffer + used, size - used, ", %d prescribed", n_motion);
        }
        snprintf(buffer + used, size - used, ")");
    }
}

static void print_counts(const sp_machine *machine)
{
    const sp_model *m = machine->model;
    char body[48], freedom[160], force[48], contact[48], law[48];
    count_text(sp_model_count(m, SP_ITEM_BODY) - 1, "body", "bodies", body, sizeof body);
    freedom_text(machine, freedom, sizeof freedom);
    count_text(sp_model_count(m, SP_ITEM_FORCE), "force", "forces", force, sizeof force);
    count_text(sp_model_count(m, SP_ITEM_CONTACT), "contact point", "contact points", contact,
               sizeof contact);
    count_text(sp_model_count(m, SP_ITEM_LAW), "law", "laws", law, sizeof law);
    printf("  %s\n  %s, %s, %s, %s, %s\n", sp_machine_title(machine), body, freedom, force, contact,
           law);
}

/* The velocity that is the rate of coordinate k: of the degree of freedom with its name; -1: none
 * is, as of quaternions. */
static int rate_of(const sp_model *m, int k)
{
    int i;
    const bool found = sp_model_find(m, SP_ITEM_FREEDOM, sp_model_item(m, SP_ITEM_COORDINATE, k),
                                     &i, NULL) == SP_OK;
    return found ? i : -1;
}

/* The start in joint coordinates: relative to the parent; then the rates that are not those of one
 * coordinate: rotations about points. */
static void print_joints(const sp_machine *machine, bool all)
{
    const sp_model *m = machine->model;
    const int n = sp_model_count(m, SP_ITEM_COORDINATE);
    const double *u = sp_state_u(machine->state);
    const int width = name_width(m, SP_ITEM_COORDINATE, 0, all, "start, joints");
    printf("\n  %-*s  %-16s  %s\n", width, "start, joints", "coordinate", "rate");
    for (int k = 0; k < n && is_shown(k, n, all); k++) {
        const char *unit = sp_model_unit(m, SP_ITEM_COORDINATE, k);
        const int i = rate_of(m, k);
        char q[48], rate[48] = "";
        snprintf(q, sizeof q, "%.6g %s", plain(sp_state_q(machine->state)[k]),
                 strcmp(unit, "1") == 0 ? "" : unit);
        if (i >= 0) {
            snprintf(rate, sizeof rate, "%.6g %s", plain(u[i]),
                     sp_model_unit(m, SP_ITEM_VELOCITY, i));
        }
        printf("  %-*s  %-16s  %s\n", width, sp_model_item(m, SP_ITEM_COORDINATE, k), q, rate);
    }
    bool begun = false;
    for (int k = 0; k < sp_model_count(m, SP_ITEM_VELOCITY) && (all || k < SHOWN); k++) {
        int i;
        if (sp_model_find(m, SP_ITEM_COORDINATE, sp_model_item(m, SP_ITEM_FREEDOM, k), &i, NULL) !=
            SP_OK) {
            printf("%s  %-*s  %.6g %s\n", begun ? "" : "\n", width,
                   sp_model_item(m, SP_ITEM_VELOCITY, k), plain(u[k]),
                   sp_model_unit(m, SP_ITEM_VELOCITY, k));
            begun = true;
        }
    }
}

/* Where the bodies are and how they move in the world. */
static void print_bodies(const sp_machine *machine, bool all)
{
    static const char *const title[] = {
        "  %-*s       x [m]      y [m]  phi [rad]   vx [m/s]   vy [m/s] omega [rad/s]\n",
        "  %-*s       x [m]      y [m]      z [m]        qw        qx        qy        qz\n",
        "  %-*s    vx [m/s]   vy [m/s]   vz [m/s]   omega_x   omega_y   omega_z rad/s\n"};
    const sp_model *m = machine->model;
    const int n = sp_model_count(m, SP_ITEM_BODY) - 1, space = sp_model_about(m)->spatial;
    const int width = name_width(m, SP_ITEM_BODY, 1, all, "start, bodies");
    for (int table = space; table <= 2 * space; table++) {
        printf("\n");
        printf(title[table], width, table < 2 ? "start, bodies" : "");
        for (int i = 0; i < n && is_shown(i, n, all); i++) {
            sp_point_info p;
            (void)sp_view_point(m, machine->view, i + 1, NULL, &p);
            const double *v = table < 2 ? p.x : p.v;
            printf("  %-*s  %10.5g %10.5g %10.5g", width, sp_model_item(m, SP_ITEM_BODY, i + 1),
                   plain(v[0]), plain(v[1]), plain(space ? v[2] : p.angle));
            if (table == 0) {
                printf(" %10.5g %10.5g %13.5g\n", plain(p.v[0]), plain(p.v[1]), plain(p.omega[2]));
            } else if (table == 1) {
                printf(" %9.5f %9.5f %9.5f %9.5f\n", plain5(p.turn[0]), plain5(p.turn[1]),
                       plain5(p.turn[2]), plain5(p.turn[3]));
            } else {
                printf(" %9.4g %9.4g %9.4g\n", plain(p.omega[0]), plain(p.omega[1]),
                       plain(p.omega[2]));
            }
        }
    }
}

/* A contact point with its gap. */
typedef struct point {
    sp_contact_about about;
    sp_gap_info gap;
} point;

static point point_of(const sp_machine *machine, int i)
{
    point p = {.gap = {.gap = NAN}};
    (void)sp_model_contact(machine->model, i, &p.about);
    (void)sp_view_contact(machine->model, machine->view, i, &p.gap);
    return p;
}

/* The next point behind those that share the line of point i, whose lines say how many follow that
 * nothing is near to. */
static int next_line(const sp_machine *machine, int i)
{
    const point p = point_of(machine, i);
    for (bool same = p.gap.gap == INFINITY; same;) {
        const point next = point_of(machine, ++i);
        same = next.about.element && strcmp(next.about.element, p.about.element) == 0 &&
               next.gap.gap == INFINITY;
    }
    return p.gap.gap == INFINITY ? i : i + 1;
}

/* One line: a point, or several that nothing is near to. */
static void print_point(const sp_machine *machine, int i, int width)
{
    const point p = point_of(machine, i);
    const char *law = p.about.law ? p.about.law : "", *colon = law[0] ? ": " : "";
    const int more = next_line(machine, i) - i - 1;
    printf("  %-*s  ", width, p.gap.title);
    if (!p.about.law) { /* dry friction, one-way clutch, preload: without a gap */
        printf("%10s  %s\n", "-", p.about.kind);
    } else if (p.gap.gap < INFINITY) {
        printf("%10.4g%s  %s%s%s\n", p.gap.gap, strcmp(p.about.unit, "rad") == 0 ? " rad" : "", law,
               colon, p.about.text);
    } else if (more > 0) { /* of shapes and pools */
        printf("%10s  %s%snothing is near; %d more for points that come near later\n", "-", law,
               colon, more);
    } else {
        printf("%10s  %s%snothing is near\n", "-", law, colon);
    }
}

/* Contact points with their gaps and laws. */
static void print_contacts(const sp_machine *machine, bool all)
{
    const int n = sp_model_count(machine->model, SP_ITEM_CONTACT);
    int width = (int)strlen("contact points"), n_line = 0;
    for (int i = 0; i < n; i = next_line(machine, i), n_line++) {
        const int length = (int)strlen(point_of(machine, i).gap.title);
        width = (all || n_line <= SHOWN) && length > width ? length : width;
    }
    if (n > 0) {
        printf("\n  %-*s  %10s  law\n", width, "contact points", "gap [m]");
    }
    for (int i = 0, k = 0; k < n_line && is_shown(k, n_line, all); i = next_line(machine, i), k++) {
        print_point(machine, i, width);
    }
}

/* Pairs of contours that contacts do not have since they cannot touch, a line for each two kinds.
 */
static void print_left_out(const sp_model_info *about)
{
    for (int k = 0; k < about->n_left_out; k++) {
        const sp_pairs_left_out *left = &about->left_out[k];
        printf("%s  left out of '%s': %d pair%s of %s and %s, which cannot touch\n",
               k == 0 ? "\n" : "", left->contact, left->n, left->n == 1 ? "" : "s", left->a,
               left->b);
    }
}

static void print_remarks(const sp_model_info *about)
{
    for (int k = 0; k < about->n_remark; k++) {
        printf("%s  %s\n", k == 0 ? "\n" : "", about->remark[k]);
    }
}

/* How it would be run. */
static void print_run(const sp_run_options *o)
{
    char steps[32];
    if (!(o->step > 0.0)) {
        printf("\n  run: %s%s until %.6g s, tolerance %.4g, a frame every %.4g s%s\n",
               o->chosen ? "auto: " : "", sp_method_name(o->method), o->until, o->tolerance,
               o->output_step, o->may_step ? "; short steps where events come too densely" : "");
        return;
    }
    sp_count_text(llrint(fmin(ceil(o->until / o->step - 1e-6), 9e18)), steps, sizeof steps);
    printf("\n  run: %s%s until %.6g s, step %.4g s (%s steps), a frame every %.4g s\n",
           o->chosen ? "auto: " : "", sp_method_name(o->method), o->until, o->step, steps,
           o->output_step);
}

static void print_summary(const sp_machine *machine, const sp_run_options *o, bool all)
{
    print_counts(machine);
    print_joints(machine, all);
    print_bodies(machine, all);
    print_contacts(machine, all);
    print_left_out(sp_model_about(machine->model));
    print_remarks(sp_model_about(machine->model));
    if (o) {
        print_run(o);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_contacts(sp_json *j, const sp_machine *machine)
{
    sp_json_array(j, "contacts");
    for (int i = 0; i < sp_model_count(machine->model, SP_ITEM_CONTACT); i++) {
        const point p = point_of(machine, i);
        sp_json_object(j, NULL);
        sp_json_text(j, "name", sp_model_item(machine->model, SP_ITEM_CONTACT, i));
        if (p.about.law) { /* else without gap and law */
            sp_json_number(j, "gap", p.gap.gap);
            sp_json_text(j, "law", p.about.law);
            sp_json_number(j, "mu", p.about.mu);
            sp_json_number(j, "mu_slip", p.about.mu_slip);
            sp_json_number(j, "eps_N", p.about.eps_N);
            sp_json_number(j, "eps_T", p.about.eps_T);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The pairs that contacts do not have. */
static void json_left_out(sp_json *j, const sp_model_info *about)
{
    sp_json_array(j, "left_out");
    for (int k = 0; k < about->n_left_out; k++) {
        const sp_pairs_left_out *left = &about->left_out[k];
        sp_json_object(j, NULL);
        sp_json_text(j, "contact", left->contact);
        sp_json_text(j, "a", left->a);
        sp_json_text(j, "b", left->b);
        sp_json_integer(j, "pairs", left->n);
        sp_json_end(j);
    }
    sp_json_end(j);
}

static void json_remarks(sp_json *j, const sp_model_info *about)
{
    sp_json_array(j, "remarks");
    for (int k = 0; k < about->n_remark; k++) {
        sp_json_text(j, NULL, about->remark[k]);
    }
    sp_json_end(j);
}

static void json_run(sp_json *j, const sp_run_options *o)
{
    if (!o) {
        sp_json_null(j, "run");
        return;
    }
    sp_json_object(j, "run");
    sp_json_text(j, "method", sp_method_name(o->method));
    sp_json_number(j, "until", o->until);
    sp_json_number(j, "step", o->step);
    sp_json_number(j, "tolerance", o->tolerance);
    sp_json_number(j, "output_step", o->output_step);
    sp_json_end(j);
}

static void json_summary(const sp_machine *machine, const sp_run_options *o)
{
    const sp_model *m = machine->model;
    sp_json j;
    sp_machine_json_begin(&j, machine);
    sp_json_integer(&j, "n_body", sp_model_count(m, SP_ITEM_BODY) - 1);
    sp_json_integer(&j, "n_dof", sp_model_count(m, SP_ITEM_VELOCITY));
    sp_json_integer(&j, "freedom", sp_mechanics_freedom(m, machine->state));
    sp_json_integer(&j, "n_force", sp_model_count(m, SP_ITEM_FORCE));
    sp_json_integer(&j, "n_contact", sp_model_count(m, SP_ITEM_CONTACT));
    sp_json_integer(&j, "n_law", sp_model_count(m, SP_ITEM_LAW));
    sp_machine_json_state(&j, "start", machine);
    json_contacts(&j, machine);
    json_left_out(&j, sp_model_about(m));
    json_remarks(&j, sp_model_about(m));
    json_run(&j, o);
    sp_machine_json_end(&j, machine);
}

/* ---- the command --------------------------------------------------------------------------- */

/* The settings of the run; what is only missing may come from the command line of 'run', hence is
 * a warning. */
static bool find_settings(sp_machine *machine, sp_run_options *o, bool *complete)
{
    sp_error err = {.status = SP_OK};
    *complete = sp_run_options_default(machine->model, o, &err) == SP_OK;
    o->stiff = sp_cli_stiff();
    if (!*complete) {
        sp_machine_note(machine, o->missing ? SP_WARNING : SP_ERROR, &err);
    }
    return (*complete || o->missing) && sp_machine_preview(machine, *complete ? o : NULL);
}

/* Check one file and print what was found. */
static int check(const char *path, const sp_texts *set, bool json, bool quiet, bool all)
{
    sp_machine machine;
    sp_run_options o;
    bool complete = false;
    const bool ok = sp_machine_load(&machine, path, set) && find_settings(&machine, &o, &complete);
    sp_cli_print_messages(&machine.diag, quiet);
    if (json && ok) {
        json_summary(&machine, complete ? &o : NULL);
    } else if (json) {
        sp_machine_json_failed(&machine);
    } else if (ok && !quiet) {
        print_summary(&machine, complete ? &o : NULL, all);
    }
    sp_machine_free(&machine);
    return ok ? SP_EXIT_OK : SP_EXIT_USAGE;
}

/* specht check */
static int check_command(const sp_command *self, int argc, char **argv)
{
    sp_texts set = {0}, assignments;
    bool json = false, quiet = false, all = false;
    const sp_option option[] = {
        {"set", 0, SP_OPTION_LIST, "NAME=VALUE", "change a parameter or a leaf of the model", &set},
        {"all", 0, SP_OPTION_FLAG, NULL, "print long lists whole", &all},
        {"json", 0, SP_OPTION_FLAG, NULL, "print one JSON object instead of text", &json},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but warnings and errors", &quiet},
    };
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    code = SP_EXIT_USAGE;
    if (sp_args_assignments(&args, &set, 0, NULL, NULL, &assignments)) {
        code = check(args.word.item[0], &assignments, json, quiet, all);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_check = {
    .name = "check",
    .purpose = "find all errors of a model file, or print what it describes",
    .usage = "MODEL.yaml [options]",
    .example = "specht check slider_crank.yaml\n"
               "specht check slider_crank.yaml --set l2=0.3 --json",
    .notes = "Prints bodies, contacts, laws, settings and the start state in both forms: joints\n"
             "relative to their parents, bodies in the world.  Exit code 2 if there are errors.",
    .run = check_command,
};
