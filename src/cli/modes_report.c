#include "cli/modes_report.h"

#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- for people ------------------------------------------------------------------------------ */

/* "phi_M 1, y -0.0017": the entries of a shape that matter. */
static void print_shape(const sp_model *m, const sp_mode *mode, bool all)
{
    int n = 0, left = 0;
    for (int k = 0; k < m->n_dof; k++) {
        const double size = hypot(mode->shape[k].re, mode->shape[k].im);
        if (!(size > 1e-9)) {
            continue;
        }
        if (!all && n == 6) {
            left++;
            continue;
        }
        printf("%s%s %.3g", n++ ? ", " : "", m->dof[k].name, mode->shape[k].re);
        if (!mode->is_real) {
            printf("%+.3gi", mode->shape[k].im);
        }
    }
    if (left > 0) {
        printf(", ... and %d more", left);
    }
}

/* One line per mode. */
static void print_modes(const sp_machine *machine, const sp_modes_finding *f, bool all)
{
    const sp_model *m = machine->model;
    const sp_modes *modes = &f->modes;
    printf("\n  %4s  %12s  %9s  %24s  %s\n", "mode", "frequency Hz", "damping", "eigenvalue 1/s",
           "shape");
    for (int i = 0; i < modes->n_mode; i++) {
        const sp_mode *mode = &modes->mode[i];
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
static void print_state(const sp_machine *machine, const sp_modes_finding *f)
{
    const sp_model *m = machine->model;
    printf("  %s\n  at %s\n", m->name[0] ? m->name : m->source_file,
           f->at_rest ? "an equilibrium" : "the start state");
    if (f->note[0]) {
        printf("  %s\n", f->note);
    }
    for (int k = 0; k < m->n_q && k < 12 && f->at_rest; k++) {
        printf("    %s = %.8g %s\n", m->coord[k].name, machine->state->q[k],
               strcmp(m->coord[k].unit, "1") == 0 ? "" : m->coord[k].unit);
    }
}

void sp_modes_print(const sp_machine *machine, const sp_modes_finding *f, bool all)
{
    print_state(machine, f);
    print_modes(machine, f, all);
    if (f->modes.n_mode == 0) {
        printf("  nothing can move\n");
    }
    if (f->modes.n_unstable > 0) {
        printf("\n  unstable: %d of %d modes grow\n", f->modes.n_unstable, f->modes.n_mode);
    }
    if (machine->model->n_aux > 0) {
        printf("\n  integrals of motors stay as they are in these modes\n");
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
    for (int k = 0; k < m->n_dof; k++) {
        sp_json_number(j, m->dof[k].name, mode->shape[k].re);
    }
    sp_json_end(j);
    if (!mode->is_real) {
        sp_json_object(j, "shape_imag");
        for (int k = 0; k < m->n_dof; k++) {
            sp_json_number(j, m->dof[k].name, mode->shape[k].im);
        }
        sp_json_end(j);
    }
    sp_json_end(j);
}

/* What is held, and the forces of closed contacts and bilateral rows. */
static void json_held(sp_json *j, const sp_modes_finding *f)
{
    const sp_linear *l = f->linear;
    sp_json_array(j, "held");
    for (int k = 0; k < l->n; k++) {
        if (l->held[k]) {
            sp_json_text(j, NULL, l->m->dof[k].name);
        }
    }
    sp_json_end(j);
    sp_json_array(j, "rows");
    for (int r = 0; r < l->n_row; r++) {
        const sp_linear_row *row = &l->row[r];
        const bool spin = row->slot == SP_NONE;
        sp_json_object(j, NULL);
        sp_json_text(j, "name",
                     spin ? l->m->body[l->spin[row->part].body].name : l->m->slot[row->slot].name);
        sp_json_text(j, "direction",
                     spin                        ? "spin"
                     : row->slot >= l->m->n_slot ? "bilateral"
                     : row->part == 0            ? "normal"
                     : row->part < 3             ? "tangential"
                                                 : "torque");
        sp_json_number(j, "force", row->lever * row->lambda);
        sp_json_end(j);
    }
    sp_json_end(j);
}

void sp_modes_json(const sp_machine *machine, const sp_modes_finding *f)
{
    static const char *const axes_name[] = {"ground", "turning", "own"};
    const sp_model *m = machine->model;
    sp_json j;
    char text[2048];
    sp_json_init(&j, stdout);
    sp_json_object(&j, NULL);
    sp_json_text(&j, "status", "ok");
    sp_json_text(&j, "name", m->name);
    sp_json_text(&j, "file", m->source_file);
    sp_json_text(&j, "at", f->at_rest ? "equilibrium" : "start");
    sp_json_text(&j, "axes", axes_name[f->modes.axes]);
    sp_json_text(&j, "note", f->note[0] ? f->note : NULL);
    sp_json_bool(&j, "stable", f->modes.n_unstable == 0);
    sp_json_array(&j, "modes");
    for (int i = 0; i < f->modes.n_mode; i++) {
        json_mode(&j, m, &f->modes.mode[i]);
    }
    sp_json_end(&j);
    json_held(&j, f);
    sp_json_object(&j, "state");
    sp_machine_json_state(&j, machine);
    sp_json_end(&j);
    sp_json_array(&j, "warnings");
    for (const sp_message *w = machine->diag.first; w; w = w->next) {
        sp_cli_message_text(w, text, sizeof text);
        sp_json_text(&j, NULL, text);
    }
    sp_json_end(&j);
    sp_json_end(&j);
    putchar('\n');
}
