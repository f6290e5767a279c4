#include "analysis/freedom.h"
#include "analysis/view.h"
#include "base/status.h"
#include "cli/machine.h"
#include "cli/talk.h"
#include "contact/pool3.h"
#include "integrators/run.h"
#include "kinematics/spot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 12, TITLE_MAX = 600 }; /* SHOWN: lines of a list that is not wanted whole */

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

/* Whether the line i of n is printed; the first that is not tells how many follow. */
static bool is_shown(int i, int n, bool all)
{
    const int most = all || n <= SHOWN + 1 ? n : SHOWN;
    if (i == most) {
        char rest[32];
        sp_cli_count_text(n - most, rest, sizeof rest);
        printf("  ... and %s more (--all lists them)\n", rest);
    }
    return i < most;
}

/* Letters of the longest name, within reason. */
static int name_width(int n, bool all, const char *title,
                      const char *(*name)(const sp_model *, int), const sp_model *m)
{
    size_t width = strlen(title);
    for (int i = 0; i < n && (all || i <= SHOWN); i++) {
        const size_t length = strlen(name(m, i));
        width = length > width ? length : width;
    }
    return width < 40 ? (int)width : 40;
}

/* "3 bodies" */
static void count_text(int n, const char *one, const char *many, char *buffer, size_t size)
{
    char count[32];
    sp_cli_count_text(n, count, sizeof count);
    snprintf(buffer, size, "%s %s", count, n == 1 ? one : many);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* "3 degrees of freedom"; of a machine with loops or prescribed motion its coordinates, too. */
static void freedom_text(const sp_model *m, int free, char *buffer, size_t size)
{
    char more[64];
    count_text(m->n_dof, "degree of freedom", "degrees of freedom", buffer, size);
    if (free != SP_NONE && free != m->n_dof) {
        count_text(m->n_dof, "coordinate", "coordinates", more, sizeof more);
        count_text(free, "degree of freedom", "degrees of freedom", buffer, size);
        size_t used = strlen(buffer);
        used += (size_t)snprintf(buffer + used, size - used, " (%s", more);
        if (m->n_motion > 0) {
            used += (size_t)snprintf(buffer + used, size - used, ", %d prescribed", m->n_motion);
        }
        snprintf(buffer + used, size - used, ")");
    }
}

static void print_counts(const sp_machine *machine)
{
    const sp_model *m = machine->model;
    const struct {
        int n;
        const char *one, *many;
    } what[] = {{m->n_body - 1, "body", "bodies"},
                {SP_NONE, NULL, NULL},
                {m->n_force, "force", "forces"},
                {m->n_slot, "contact point", "contact points"},
                {m->n_law, "law", "laws"}};
    printf("  %s\n  ", m->name[0] ? m->name : m->source_file);
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        char text[160];
        if (what[i].n == SP_NONE) {
            freedom_text(m, sp_freedom(m, machine->state, NULL), text, sizeof text);
        } else {
            count_text(what[i].n, what[i].one, what[i].many, text, sizeof text);
        }
        printf("%s%s", i ? ", " : "", text);
    }
    printf("\n");
}

static const char *coord_name(const sp_model *m, int i)
{
    return m->coord[i].name;
}

static const char *rate_name(const sp_model *m, int i)
{
    return m->dof[i].rate_name;
}

/* The start in joint coordinates: relative to the parent. */
static void print_joints(const sp_machine *machine, bool all)
{
    const sp_model *m = machine->model;
    const sp_state *x = machine->state;
    const int width = name_width(m->n_q, all, "start, joints", coord_name, m);
    printf("\n  %-*s  %-16s  %s\n", width, "start, joints", "coordinate", "rate");
    for (int k = 0; k < m->n_q && is_shown(k, m->n_q, all); k++) {
        const sp_coord *c = &m->coord[k];
        char q[48], u[48] = "";
        snprintf(q, sizeof q, "%.6g %s", plain(x->q[k]), strcmp(c->unit, "1") == 0 ? "" : c->unit);
        if (c->dof != SP_NONE) {
            snprintf(u, sizeof u, "%.6g %s", plain(x->u[c->dof]), m->dof[c->dof].rate_unit);
        }
        printf("  %-*s  %-16s  %s\n", width, c->name, q, u);
    }
}

/* The rates that are not those of one coordinate: rotations about points. */
static void print_spins(const sp_machine *machine, bool all)
{
    const sp_model *m = machine->model;
    const int width = name_width(m->n_dof, all, "start, spins", rate_name, m);
    bool begun = false;
    for (int k = 0; k < m->n_dof && (all || k < SHOWN); k++) {
        if (m->dof[k].move == SP_MOVE_BALL) {
            printf("%s", begun ? "" : "\n");
            printf("  %-*s  %.6g %s\n", width, m->dof[k].rate_name, plain(machine->state->u[k]),
                   m->dof[k].rate_unit);
            begun = true;
        }
    }
}

static const char *body_name(const sp_model *m, int i)
{
    return m->body[i + 1].name;
}

/* Where the bodies are and how they move in the world, in space. */
static void print_bodies_space(const sp_machine *machine, bool all)
{
    const sp_model *m = machine->model;
    const sp_kin *kin = &machine->view->kin;
    const int n = m->n_body - 1;
    const int width = name_width(n, all, "start, bodies", body_name, m);
    printf("\n  %-*s  %10s %10s %10s %9s %9s %9s %9s\n", width, "start, bodies", "x [m]", "y [m]",
           "z [m]", "qw", "qx", "qy", "qz");
    for (int i = 0; i < n && is_shown(i, n, all); i++) {
        double x[3], turn[4];
        sp_spot_pose(kin, i + 1, x, turn);
        printf("  %-*s  %10.5g %10.5g %10.5g %9.5f %9.5f %9.5f %9.5f\n", width, body_name(m, i),
               plain(x[0]), plain(x[1]), plain(x[2]), plain5(turn[0]), plain5(turn[1]),
               plain5(turn[2]), plain5(turn[3]));
    }
    printf("\n  %-*s  %10s %10s %10s %9s %9s %9s rad/s\n", width, "", "vx [m/s]", "vy [m/s]",
           "vz [m/s]", "omega_x", "omega_y", "omega_z");
    for (int i = 0; i < n && is_shown(i, n, all); i++) {
        const sp_spot s = sp_spot_origin(kin, i + 1);
        const sp_vec3 v = sp_spot_velocity(kin, &s), omega = sp_spot_spin(kin, &s);
        printf("  %-*s  %10.5g %10.5g %10.5g %9.4g %9.4g %9.4g\n", width, body_name(m, i),
               plain(v.x), plain(v.y), plain(v.z), plain(omega.x), plain(omega.y), plain(omega.z));
    }
}

/* The same in the plane. */
static void print_bodies(const sp_machine *machine, bool all)
{
    const sp_model *m = machine->model;
    const int n = m->n_body - 1;
    const int width = name_width(n, all, "start, bodies", body_name, m);
    printf("\n  %-*s  %10s %10s %10s %10s %10s %13s\n", width, "start, bodies", "x [m]", "y [m]",
           "phi [rad]", "vx [m/s]", "vy [m/s]", "omega [rad/s]");
    for (int i = 0; i < n && is_shown(i, n, all); i++) {
        const sp_kin *kin = &machine->view->kin;
        const sp_spot s = sp_spot_origin(kin, i + 1);
        const sp_vec3 v = sp_spot_velocity(kin, &s);
        printf("  %-*s  %10.5g %10.5g %10.5g %10.5g %10.5g %13.5g\n", width, body_name(m, i),
               plain(s.x.x), plain(s.x.y), plain(sp_spot_angle(kin, i + 1)), plain(v.x), plain(v.y),
               plain(sp_spot_spin(kin, &s).z));
    }
}

static const char *law_name(const sp_model *m, int law)
{
    return m->law_name && m->law_name[law] ? m->law_name[law] : "";
}

/* Drilling, rolling and adhesion, where a law has them. */
static void print_spot(const sp_law *law, const sp_law_numbers *n)
{
    if (law->drills) {
        printf(", contensou %s, radius %.4g m",
               n->spot.pressure == SP_PRESSURE_HERTZ ? "hertz" : "uniform", n->spot.radius);
    }
    if (law->drills && n->spot.hertz > 0.0) {
        printf(" + %.4g m/N^(1/3) lambda_N^(1/3)", n->spot.hertz);
    }
    if (n->spot.rolling > 0.0) {
        printf(", rolling %.4g m", n->spot.rolling);
    }
    if (n->spot.adhesion > 0.0) {
        printf(", adhesion %.4g N", n->spot.adhesion);
    }
}

/* The coefficients of a law; of expressions the value at zero. */
static void print_law(const sp_law *law, const sp_law_numbers *n)
{
    if (law->by_speed) {
        printf("mu %.4g at rest, %.4g%s sliding", n->mu < 1e-200 ? 0.0 : n->mu, n->mu_slip,
               law->mu.program ? " (of v)" : "");
    } else {
        printf("mu %.4g", n->mu);
    }
    if (n->mu_2 > 0.0) {
        printf(" along the first direction, %.4g across", n->mu_2);
    }
    printf(", eps_N %.4g%s, eps_T %.4g%s", n->eps_N, law->eps_N.program ? " (of v_N)" : "",
           n->eps_T, law->eps_T.program ? " (of v_N)" : "");
    print_spot(law, n);
    printf("\n");
}

/* The slots of a contact from slot i on, one after the other, that nothing is near to. */
static int n_free(const sp_machine *machine, int i)
{
    const sp_model *m = machine->model;
    int n = 1;
    while (i + n < m->n_slot && m->slot[i + n].contact == m->slot[i].contact &&
           machine->view->con.g[i + n] == INFINITY) {
        n++;
    }
    return n;
}

/* The next slot behind those that are told in one line with slot i. */
static int next_line(const sp_machine *machine, int i)
{
    const bool free = machine->model->slot[i].law != SP_NONE && machine->view->con.g[i] == INFINITY;
    return i + (free ? n_free(machine, i) : 1);
}

/* Lines of the table of contact points, and letters of their longest title. */
static int n_line(const sp_machine *machine, bool all, int *width)
{
    char buf[TITLE_MAX];
    int n = 0;
    *width = (int)strlen("contact points");
    for (int i = 0; i < machine->model->n_slot; i = next_line(machine, i), n++) {
        const char *title = sp_pool3_title(machine->model, &machine->view->con, i, buf, sizeof buf);
        if ((all || n <= SHOWN) && (int)strlen(title) > *width) {
            *width = (int)strlen(title);
        }
    }
    return n;
}

/* One line: a slot, or several that nothing is near to. */
static void print_slot(const sp_machine *machine, int i, int width)
{
    const sp_model *m = machine->model;
    const sp_slot *s = &m->slot[i];
    char buf[TITLE_MAX];
    printf("  %-*s  ", width, sp_pool3_title(m, &machine->view->con, i, buf, sizeof buf));
    if (s->law == SP_NONE) { /* dry friction, one-way clutch, preload: without a gap */
        printf("%10s  %s\n", "-",
               s->is.dry       ? "dry friction"
               : s->is.one_way ? "one way"
                               : "preload");
        return;
    }
    const char *name = law_name(m, s->law);
    const double g = machine->view->con.g[i];
    if (g == INFINITY) { /* of shapes and pools: for points that come near later */
        const int more = n_free(machine, i) - 1;
        printf("%10s  %s%snothing is near", "-", name, name[0] ? ": " : "");
        if (more > 0) {
            printf("; %d more for points that come near later", more);
        }
        printf("\n");
        return;
    }
    printf("%10.4g%s  %s%s", g, s->is.turns ? " rad" : "", name, name[0] ? ": " : "");
    print_law(&m->law[s->law], &m->numbers.law[s->law]);
}

/* Contact points with their gaps and laws. */
static void print_contacts(const sp_machine *machine, bool all)
{
    int width;
    const int n = n_line(machine, all, &width);
    if (n > 0) {
        printf("\n  %-*s  %10s  law\n", width, "contact points", "gap [m]");
    }
    for (int i = 0, k = 0; k < n && is_shown(k, n, all); i = next_line(machine, i), k++) {
        print_slot(machine, i, width);
    }
}

/* Pairs of contours that contacts do not have since they cannot touch, a line for each two kinds.
 */
static void print_left_out(const sp_model *m)
{
    bool begun = false;
    for (int i = 0; i < m->n_contact; i++) {
        for (int k = 0; k < m->contact[i].n_left; k++) {
            const sp_left *left = &m->contact[i].left[k];
            printf("%s  left out of '%s': %d pair%s of %s and %s, which cannot touch\n",
                   begun ? "" : "\n", m->contact[i].name, left->n, left->n == 1 ? "" : "s", left->a,
                   left->b);
            begun = true;
        }
    }
}

/* How it would be run. */
static void print_run(const sp_run_options *o)
{
    char steps[32];
    if (!(o->step > 0.0)) {
        printf("\n  run: %s%s until %.6g s, tolerance %.4g, a frame every %.4g s%s\n",
               o->chosen ? "auto: " : "", sp_method_name(o->method), o->until, o->tolerance,
               o->output_step, o->may_step ? "; adaptive steps where events come too densely" : "");
        return;
    }
    sp_cli_count_text(llrint(fmin(ceil(o->until / o->step - 1e-6), 9e18)), steps, sizeof steps);
    printf("\n  run: %s%s until %.6g s, step %.4g s (%s steps), a frame every %.4g s\n",
           o->chosen ? "auto: " : "", sp_method_name(o->method), o->until, o->step, steps,
           o->output_step);
}

static void print_summary(const sp_machine *machine, const sp_run_options *o, bool all)
{
    print_counts(machine);
    print_joints(machine, all);
    if (machine->model->dim == 3) {
        print_spins(machine, all);
        print_bodies_space(machine, all);
    } else {
        print_bodies(machine, all);
    }
    print_contacts(machine, all);
    print_left_out(machine->model);
    if (o) {
        print_run(o);
    }
}

/* ---- for programs -------------------------------------------------------------------------- */

static void json_contacts(sp_json *j, const sp_machine *machine)
{
    const sp_model *m = machine->model;
    sp_json_array(j, "contacts");
    for (int i = 0; i < m->n_slot; i++) {
        sp_json_object(j, NULL);
        sp_json_text(j, "name", m->slot[i].name);
        if (m->slot[i].law == SP_NONE) { /* without gap and law */
            sp_json_end(j);
            continue;
        }
        const sp_law_numbers *law = &m->numbers.law[m->slot[i].law];
        sp_json_number(j, "gap", machine->view->con.g[i]);
        sp_json_text(j, "law", law_name(m, m->slot[i].law));
        sp_json_number(j, "mu", law->mu);
        sp_json_number(j, "mu_slip", law->mu_slip);
        sp_json_number(j, "eps_N", law->eps_N);
        sp_json_number(j, "eps_T", law->eps_T);
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* The pairs that contacts do not have. */
static void json_left_out(sp_json *j, const sp_model *m)
{
    sp_json_array(j, "left_out");
    for (int i = 0; i < m->n_contact; i++) {
        for (int k = 0; k < m->contact[i].n_left; k++) {
            const sp_left *left = &m->contact[i].left[k];
            sp_json_object(j, NULL);
            sp_json_text(j, "contact", m->contact[i].name);
            sp_json_text(j, "a", left->a);
            sp_json_text(j, "b", left->b);
            sp_json_integer(j, "pairs", left->n);
            sp_json_end(j);
        }
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

static void json_warnings(sp_json *j, const sp_diag *diag)
{
    char text[2048];
    sp_json_array(j, "warnings");
    for (const sp_message *m = diag->first; m; m = m->next) {
        sp_cli_message_text(m, text, sizeof text);
        sp_json_text(j, NULL, text);
    }
    sp_json_end(j);
}

static void json_summary(const sp_machine *machine, const sp_run_options *o)
{
    const sp_model *m = machine->model;
    sp_json j;
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", "ok");
    sp_json_text(&j, "name", m->name);
    sp_json_text(&j, "file", m->source_file);
    sp_json_integer(&j, "n_body", m->n_body - 1);
    sp_json_integer(&j, "n_dof", m->n_dof);
    sp_json_integer(&j, "freedom", sp_freedom(m, machine->state, NULL));
    sp_json_integer(&j, "n_force", m->n_force);
    sp_json_integer(&j, "n_contact", m->n_slot);
    sp_json_integer(&j, "n_law", m->n_law);
    sp_json_object(&j, "start");
    sp_machine_json_state(&j, machine);
    sp_json_end(&j);
    json_contacts(&j, machine);
    json_left_out(&j, m);
    json_run(&j, o);
    json_warnings(&j, &machine->diag);
    sp_json_end(&j);
    putchar('\n');
}

/* ---- the command --------------------------------------------------------------------------- */

/* The settings of the run; what is only missing may come from the command line of 'run', hence is
 * a warning. */
static bool find_settings(sp_machine *machine, sp_run_options *o, bool *complete)
{
    sp_error err = {.status = SP_OK};
    const sp_run_settings *run = &machine->model->run;
    sp_method method;
    *complete = sp_run_options_default(machine->model, o, &err) == SP_OK;
    if (*complete) {
        sp_machine_warn_of_run(machine, o);
        return true;
    }
    const bool named =
        strcmp(run->method, "auto") == 0 || sp_method_find(run->method, &method, NULL) == SP_OK;
    const bool missing =
        named && (!(run->until > 0.0) || (sp_method_has_step(o->method) && !(run->step > 0.0)));
    sp_machine_note(machine, missing ? SP_WARNING : SP_ERROR, &err);
    return missing;
}

/* Whether it can be accelerated: masses of bodies were looked at before, those of formulas come out
 * at the start state only. */
static bool has_mass(sp_machine *machine)
{
    sp_error err = {.status = SP_OK};
    if (machine->model->formula.n == 0 ||
        sp_view_mass(machine->model, machine->state, NULL, &err) == SP_OK) {
        return true;
    }
    sp_diag_add(&machine->diag, SP_ERROR, machine->model->formula.place, "formula: %s", err.text);
    return false;
}

/* Check one file and tell. */
static int check(const char *path, const sp_texts *set, bool json, bool quiet, bool all)
{
    sp_machine machine;
    sp_run_options o;
    bool complete = false;
    const bool ok = sp_machine_load(&machine, path, set) &&
                    find_settings(&machine, &o, &complete) && has_mass(&machine) &&
                    sp_machine_check_motion(&machine, complete ? o.until : 0.0);
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
    if (!sp_args_read(&args, self, option, sizeof option / sizeof *option, argc, argv, 1, 1,
                      &code)) {
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
