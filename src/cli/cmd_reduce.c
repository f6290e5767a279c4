/* cli/cmd_reduce.c - specht reduce: parts from finite elements. */
#include "cli/options.h"
#include "cli/talk.h"
#include "io/part_file.h"
#include "math/eigen.h"
#include "reduce/element.h"
#include "reduce/reduce.h"
#include "reduce/sid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct wishes {
    const char *out, *modes, *faces, *units, *ccx, *mass, *nodes;
    bool free, plain, quiet;
    const char *in;
} wishes;

/* ---- units ------------------------------------------------------------------------------------
 */

/* What files are in, and what to multiply lengths, forces per length and masses by. */
typedef struct units {
    const char *name;
    double length, stiffness, mass;
} units;

static const units known_units[] = {
    {"SI", 1.0, 1.0, 1.0},
    {"mm-t", 1e-3, 1e3, 1e3},     /* mm, t, s, N, MPa, t/mm^3                      */
    {"mm-SI", 1e-3, 1e-3, 1e-9}}; /* mesh in mm, material in Pa and kg/m^3         */

/* Extents, mass and density of the part, as the numbers are. */
typedef struct look {
    double size[3], longest, mass, density;
} look;

static look look_at(const sp_fe *fe)
{
    look l = {.mass = 0.0};
    double box = 1.0;
    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < fe->n; k++) {
            low = fmin(low, fe->at[3 * fe->node[k] + d]);
            high = fmax(high, fe->at[3 * fe->node[k] + d]);
        }
        l.size[d] = high - low;
        l.longest = fmax(l.longest, l.size[d]);
        box *= l.size[d];
    }
    for (int j = 0; j < fe->n; j++) {
        for (size_t e = fe->M.start[j]; fe->dir[j] == 0 && e < fe->M.start[j + 1]; e++) {
            l.mass += fe->dir[fe->M.row[e]] == 0 ? fe->M.value[e] : 0.0;
        }
    }
    l.density = l.mass / box;
    return l;
}

/* Numbers that no part of a machine has in SI: another unit was meant.  Solids weigh less than
 * 25 t/m^3 and carry sound at less than 20 km/s; mean densities over the box of frames are lower.
 */
static sp_status check_units(const sp_fe *fe, const char *given, sp_error *err)
{
    const look l = look_at(fe);
    double sound = 0.0;
    for (int k = 0; k < fe->n_material; k++) {
        const sp_fe_material *m = &fe->material[k];
        sound = m->density > 0.0 ? fmax(sound, sqrt(m->young / m->density)) : sound;
    }
    const char *why = l.density > 25e3                    ? "it is denser than any metal"
                      : l.density < 1e-2                  ? "it is lighter than air"
                      : sound > 2e4                       ? "sound in it is faster than in diamond"
                      : l.longest > 50.0 && given == NULL ? "that is longer than most machines"
                                                          : NULL;
    if (!why) {
        return SP_OK;
    }
    const bool mixed = sound > 0.0 && sound < 2e4;
    return SP_FAIL(
        err, SP_E_INPUT, "with units %s the part is %.4g x %.4g x %.4g m and has %.4g kg: %s.  %s",
        given ? given : "SI", l.size[0], l.size[1], l.size[2], l.mass, why,
        mixed ? "Is the mesh in mm, with density and modulus in SI (the mass is then off by "
                "1e9)?  Then: --units mm-SI; if it is right: --units SI"
              : "Is it in mm, t, N and MPa?  Then: --units mm-t");
}

static const units *find_units(const char *name)
{
    for (size_t k = 0; k < sizeof known_units / sizeof *known_units; k++) {
        if (strcasecmp(known_units[k].name, name) == 0) {
            return &known_units[k];
        }
    }
    sp_cli_complain("reduce: --units %s, expected SI, mm-t (mm, t, N, MPa) or mm-SI (mesh in mm, "
                    "material in SI)",
                    name);
    return NULL;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n >= k && strcasecmp(name + n - k, end) == 0;
}

/* The deck beside job.sti has the nodes. */
static sp_status read_stored(const wishes *wish, sp_fe *fe, sp_error *err)
{
    char stem[4000], deck[4096];
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(wish->in) - 4), wish->in);
    snprintf(deck, sizeof deck, "%s.inp", stem);
    SP_TRY(wish->nodes ? sp_fe_read_nodes(wish->nodes, fe, err) : sp_fe_read_deck(deck, fe, err));
    return sp_fe_read_calculix(stem, fe, err);
}

static sp_status read_part(const wishes *wish, sp_fe *fe, sp_error *err)
{
    fe->name = wish->nodes ? wish->nodes : wish->in;
    if (ends_with(wish->in, ".mtx")) {
        if (!wish->mass || !wish->nodes) {
            return SP_FAIL(err, SP_E_INPUT,
                           "'%s' is a stiffness: expected --mass M.mtx and --nodes "
                           "nodes.csv (lines 'id, x, y, z, names of sets') with it",
                           wish->in);
        }
        SP_TRY(sp_fe_read_nodes(wish->nodes, fe, err));
        return sp_fe_read_market(wish->in, wish->mass, fe, err);
    }
    if (ends_with(wish->in, ".sti") || ends_with(wish->in, ".mas") || ends_with(wish->in, ".dof")) {
        return read_stored(wish, fe, err);
    }
    SP_TRY(sp_fe_read_deck(wish->in, fe, err));
    return sp_fe_run_calculix(wish->ccx ? wish->ccx : "ccx", fe, err);
}

/* ---- telling ----------------------------------------------------------------------------------
 */

static void print_functions(const sp_reduce_wish *want, const sp_part *p, const sp_reduce_report *r)
{
    printf("  kept  %d functions: %d modes %s, %d displacements by unit forces and moments on "
           "interfaces",
           p->n, want->n_mode, want->free ? "of the free part" : "with all interfaces held",
           r->n_static);
    if (r->n_dropped > 0) {
        printf("; %d left out, as they depend on the others (to %.0e)", r->n_dropped, 1e-8);
    }
    printf("\n  frame %s\n",
           want->free
               ? "mean of the part, axes and origin of the mesh: for bodies on a free joint"
               : "held by the first interface, axes and origin of the mesh: joints of the body "
                 "hold it there");
    for (int f = 0; f < want->n_face; f++) {
        const bool held = f == 0 && !want->free;
        printf("  interface %-12s %4d nodes, mean place [%.6g, %.6g, %.6g] m, %s\n", want->face[f],
               r->n_node_of[f], p->face[f].at[0], p->face[f].at[1], p->face[f].at[2],
               held ? "all of them fixed to the frame" : "moves with their weighted mean");
    }
    printf("  geometric stiffness: %s%s\n",
           r->no_stress[0] ? "none, " : "of accelerations, spins and forces on interfaces",
           r->no_stress);
}

static void print_frequencies(const sp_reduce_wish *want, const sp_part *p,
                              const sp_reduce_report *r)
{
    printf("\n  %4s  %14s  %14s  %10s   (Hz; %s)\n", "mode", "whole part", "reduced", "difference",
           want->free ? "free" : "first interface held, the others free");
    for (int k = 0; k < p->n; k++) {
        if (k < r->n_frequency) {
            printf("  %4d  %14.7g  %14.7g  %9.2g%%\n", k + 1, r->full[k], r->reduced[k],
                   100.0 * (r->reduced[k] / r->full[k] - 1.0));
        } else {
            printf("  %4d  %14s  %14.7g\n", k + 1, "", r->reduced[k]);
        }
    }
}

static void print_report(const wishes *wish, const sp_fe *fe, const sp_reduce_wish *want,
                         const sp_part *p, const sp_reduce_report *r)
{
    printf("  %s: %d nodes, %d elements, %d unknowns; factor of %.3g entries, %d rounds\n",
           wish->in, fe->n_node, fe->n_element, r->n_unknown, (double)r->entries, r->rounds);
    double center[3];
    const double size = look_at(fe).longest;
    for (int d = 0; d < 3; d++) {
        center[d] = p->mdCM[d] / p->mass;
        center[d] = fabs(center[d]) > 1e-12 * size ? center[d] : 0.0; /* round-off of zeros */
    }
    printf("  mass  %.8g kg, centre [%.6g, %.6g, %.6g] m\n", p->mass, center[0], center[1],
           center[2]);
    print_functions(want, p, r);
    print_frequencies(want, p, r);
    printf("\n  %s %s\n", sp_cli_arrow(), wish->out);
}

/* ---- standard input data ----------------------------------------------------------------------
 */

static bool is_sid(const char *name)
{
    return ends_with(name, ".SID_FEM") || ends_with(name, ".sid");
}

/* Options of meshes, of which parts that are reduced already know nothing. */
static const char *option_of_meshes(const wishes *w)
{
    return w->modes   ? "--modes"
           : w->faces ? "--interface"
           : w->free  ? "--free"
           : w->units ? "--units"
           : w->mass  ? "--mass"
           : w->nodes ? "--nodes"
           : w->ccx   ? "--ccx"
           : w->plain ? "--no-stiffening"
                      : NULL;
}

/* Nodes where no function moves the part: there joints may hold it. */
static void print_held(const sp_part *p)
{
    enum { SHOWN = 8 };
    int n_held = 0;
    for (int i = 0; i < p->n_face; i++) {
        const sp_part_face *a = &p->face[i];
        double most = 0.0;
        for (int k = 0; k < 3 * p->n; k++) {
            most = fmax(most, fmax(fabs(a->phi[k]), fabs(a->psi[k]) * p->size));
        }
        if (most < 1e-6 && ++n_held <= SHOWN) {
            printf("%s'%s' at [%.6g, %.6g, %.6g] m", n_held == 1 ? "  frame held at node " : ", ",
                   a->name, a->at[0], a->at[1], a->at[2]);
        }
    }
    printf("%s\n", n_held > SHOWN ? ", ..."
                   : n_held > 0   ? ""
                                  : "  frame held at no node: for bodies on a free joint");
}

/* Frequencies and damping ratios of the functions as they are. */
static bool print_own(const sp_part *p, sp_arena *arena)
{
    const int n = p->n;
    double *work = SP_NEW(arena, double, 4 * n * n), *omega2 = SP_NEW(arena, double, n);
    if (!work || !omega2) {
        return false;
    }
    const double *y = work + 3 * n * n;
    sp_eigen_pair(n, p->Me, p->Ke, work, work + 3 * n * n, omega2);
    printf("\n  %4s  %14s  %14s\n", "mode", "frequency Hz", "damping ratio");
    for (int m = 0; m < n; m++) {
        const double omega = sqrt(fmax(omega2[m], 0.0));
        double d = 0.0;
        for (int i = 0; p->De && i < n * n; i++) {
            d += y[i / n * n + m] * p->De[i] * y[i % n * n + m];
        }
        printf("  %4d  %14.7g  %14.4g\n", m + 1, omega / (2.0 * acos(-1.0)),
               omega > 0.0 ? d / (2.0 * omega) : 0.0);
    }
    return true;
}

static bool print_sid(const wishes *wish, const sp_part *p, const sp_sid_report *r, sp_arena *arena)
{
    const double m = p->mass;
    printf("  %s: standard input data, %d functions, %d nodes\n", wish->in, p->n, p->n_node);
    printf("  mass  %.8g kg, centre [%.6g, %.6g, %.6g] m\n", m, p->mdCM[0] / m, p->mdCM[1] / m,
           p->mdCM[2] / m);
    print_held(p);
    printf("  geometric stiffness: %s\n",
           p->stiffens ? "that of the file" : "none, the file has none");
    for (int k = 0; k < r->n_note; k++) {
        printf("  note  %s\n", r->note[k]);
    }
    const bool ok = print_own(p, arena);
    printf("\n  %s %s\n", sp_cli_arrow(), wish->out);
    return ok;
}

/* Take over a part that another program has reduced. */
static sp_status take_over(const wishes *wish, sp_arena *arena)
{
    sp_error err = {.status = SP_OK};
    sp_part part;
    static sp_sid_report report;
    const char *option = option_of_meshes(wish);
    if (option || !wish->out) {
        sp_cli_complain(option ? "reduce: %s is for meshes: a SID file has its functions and nodes"
                               : "reduce: expected a name for the result, as in -o part.h5%s",
                        option ? option : "");
        return SP_E_INPUT;
    }
    sp_status status = sp_sid_read(wish->in, arena, &part, &report, &err);
    if (status == SP_OK) {
        status = sp_part_check(&part, arena, &err);
        if (status == SP_E_INPUT) {
            char why[400];
            snprintf(why, sizeof why, "%.399s", err.text);
            SP_FAIL(&err, SP_E_INPUT, "%s: %s", wish->in, why);
        }
    }
    if (status == SP_OK) {
        status = sp_part_write(wish->out, &part, &err);
    }
    if (status == SP_OK && !wish->quiet && !print_sid(wish, &part, &report, arena)) {
        status = SP_E_MEMORY;
    }
    if (status == SP_E_MEMORY && !err.text[0]) {
        SP_FAIL(&err, SP_E_MEMORY, "out of memory");
    }
    if (status != SP_OK) {
        sp_cli_print_error(&err);
    }
    return status;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static sp_status reduce(const wishes *wish, const units *unit, const sp_reduce_wish *want,
                        sp_fe *fe)
{
    sp_error err = {.status = SP_OK};
    sp_part part;
    static sp_reduce_report report;
    sp_status status = sp_factor_exists()
                           ? read_part(wish, fe, &err)
                           : SP_FAIL(&err, SP_E_INPUT,
                                     "this program was built without SuiteSparse "
                                     "(Debian: libsuitesparse-dev), which reduces parts");
    if (status == SP_OK) {
        sp_fe_scale(fe, unit->length, unit->stiffness, unit->mass);
        status = check_units(fe, wish->units, &err);
    }
    if (status == SP_OK) {
        status = sp_reduce(fe, want, &part, &report, &err);
    }
    if (status == SP_OK) {
        status = sp_part_write(wish->out, &part, &err);
    }
    if (status == SP_E_MEMORY && !err.text[0]) {
        SP_FAIL(&err, SP_E_MEMORY, "out of memory");
    }
    if (status != SP_OK) {
        sp_cli_print_error(&err);
    } else if (!wish->quiet) {
        print_report(wish, fe, want, &part, &report);
    }
    return status;
}

/* A whole number of an option. */
static bool read_count(const char *text, int *n)
{
    char *end;
    const long value = strtol(text, &end, 10);
    *n = value >= 0 && value <= 1000 ? (int)value : -1;
    if (end == text || *end || *n < 0) {
        sp_cli_complain("reduce: --modes %s, expected a number such as 12", text);
        return false;
    }
    return true;
}

static bool read_wish(const wishes *wish, sp_args *args, sp_reduce_wish *want)
{
    sp_texts faces = {0};
    if (!read_count(wish->modes ? wish->modes : "12", &want->n_mode)) {
        return false;
    }
    if (!wish->out) {
        sp_cli_complain("reduce: expected a name for the result, as in -o part.h5");
        return false;
    }
    if (wish->faces && !sp_args_split(args, wish->faces, &faces)) {
        return false;
    }
    want->n_face = faces.n;
    for (int k = 0; k < faces.n && k < SP_REDUCE_FACES; k++) {
        want->face[k] = faces.item[k];
    }
    if (faces.n > SP_REDUCE_FACES || (faces.n == 0 && !wish->free)) {
        sp_cli_complain(
            "reduce: %d interfaces, expected 1 to %d node sets, as in --interface ROOT,TIP; "
            "the first holds the frame (or --free)",
            faces.n, SP_REDUCE_FACES);
        return false;
    }
    want->free = wish->free;
    want->stiffen = !wish->plain;
    return true;
}

static int reduce_command(const sp_command *self, int argc, char **argv)
{
    wishes wish = {.out = NULL};
    const sp_option option[] = {
        {"out", 'o', SP_OPTION_TEXT, "FILE", "the reduced part, part.h5", &wish.out},
        {"modes", 0, SP_OPTION_TEXT, "N", "how many modes, beside those of interfaces (12)",
         &wish.modes},
        {"interface", 0, SP_OPTION_TEXT, "NAMES",
         "node sets that joints and forces take hold of; the first is fixed to the frame",
         &wish.faces},
        {"free", 0, SP_OPTION_FLAG, NULL, "modes of the free part, frame in the mean of it",
         &wish.free},
        {"units", 0, SP_OPTION_TEXT, "UNITS",
         "of the files: SI; mm-t (mm, t, N, MPa); mm-SI (mesh in mm, material in SI)", &wish.units},
        {"mass", 0, SP_OPTION_TEXT, "FILE", "M.mtx, beside a stiffness K.mtx", &wish.mass},
        {"nodes", 0, SP_OPTION_TEXT, "FILE", "table of nodes: id, x, y, z, names of sets",
         &wish.nodes},
        {"ccx", 0, SP_OPTION_TEXT, "PROGRAM", "CalculiX, if it is not 'ccx' in the path",
         &wish.ccx},
        {"no-stiffening", 0, SP_OPTION_FLAG, NULL, "without geometric stiffness", &wish.plain},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but errors", &wish.quiet},
    };
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    wish.in = args.word.item[0];
    sp_reduce_wish want = {.n_mode = 0};
    const units *unit = find_units(wish.units ? wish.units : "SI");
    sp_status status = SP_E_INPUT;
    sp_fe *fe = SP_NEW(&args.arena, sp_fe, 1);
    if (is_sid(wish.in)) {
        status = take_over(&wish, &args.arena);
    } else if (fe && unit && read_wish(&wish, &args, &want)) {
        fe->arena = &args.arena;
        status = reduce(&wish, unit, &want, fe);
    }
    sp_args_free(&args);
    return status == SP_OK ? SP_EXIT_OK : status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
}

const sp_command sp_cmd_reduce = {
    .name = "reduce",
    .purpose = "make an elastic part of a machine from finite elements",
    .usage = "PART.inp|PART.SID_FEM -o PART.h5 [options]",
    .example = "specht reduce rod.inp -o rod.h5 --modes 12 --interface BIG_END,SMALL_END\n"
               "specht reduce job.sti -o part.h5 --interface ROOT\n"
               "specht reduce K.mtx --mass M.mtx --nodes nodes.csv -o part.h5 --free\n"
               "specht reduce rod.SID_FEM -o rod.h5",
    .notes = "Runs CalculiX (Debian: calculix-ccx) for stiffness and mass, or reads job.sti, "
             "job.mas and\n"
             "job.dof with job.inp beside them, or MatrixMarket files.  Keeps modes and the "
             "displacements\n"
             "by forces on the interfaces, and prints frequencies before and after.  A model uses "
             "it by\n"
             "elastic: {file: PART.h5}.  A part that another program has reduced (standard input "
             "data,\n"
             ".SID_FEM or .sid) is taken as it is, in SI; its nodes are the interfaces.",
    .run = reduce_command,
};
