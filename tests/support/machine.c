#include "support/machine.h"

#include "specht/load.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->s + t->n, TEXT_SIZE - t->n, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < TEXT_SIZE - t->n);
    t->n += (size_t)n;
}

/* Compile what the spec holds. */
static machine compile(sp_spec *spec, const char *yaml)
{
    sp_error err = {.status = SP_OK};
    machine c = {.spec = spec};
    if (sp_model_build(spec, NULL, &c.m, &err) != SP_OK) {
        print_message("%d:%d: %s\n%s\n", err.line, err.column, err.text, yaml);
        fail();
    }
    assert_int_equal(sp_work_new(c.m, NULL, &c.w, &err), SP_OK);
    c.num = &c.m->numbers;
    sp_dyn_init(c.m, c.num, &c.w->dyn);
    return c;
}

machine machine_of_text(const char *yaml)
{
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    if (sp_spec_load_text(spec, "test.yaml", yaml, strlen(yaml), NULL, &err) != SP_OK) {
        print_message("%d:%d: %s\n%s\n", err.line, err.column, err.text, yaml);
        fail();
    }
    return compile(spec, yaml);
}

machine machine_of_file(const char *path_in_source_tree)
{
    const char *root = getenv("SPECHT_SOURCE_DIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", path_in_source_tree);
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    if (sp_spec_load_file(spec, path, &err) != SP_OK) {
        print_message("%s:%d:%d: %s\n", path, err.line, err.column, err.text);
        fail();
    }
    return compile(spec, path);
}

void machine_free(machine *c)
{
    sp_work_free(c->w);
    sp_model_free(c->m);
    sp_spec_free(c->spec);
    *c = (machine){.m = NULL};
}

void machine_move(machine *c, const double *q, const double *u)
{
    sp_kin_positions(c->m, c->num, q, &c->w->kin);
    sp_kin_velocities(c->m, u, &c->w->kin);
    sp_kin_bias(c->m, u, &c->w->kin);
}

void machine_touch(machine *c, const double *q, const double *u, double margin)
{
    sp_error err = {.status = SP_OK};
    machine_move(c, q, u);
    sp_con_gaps(c->m, c->num, &c->w->kin, &c->w->con);
    assert_int_equal(sp_con_activate(c->m, margin, NULL, &c->w->con, &err), SP_OK);
    sp_con_directions(c->m, c->num, &c->w->kin, true, &c->w->con);
}

void machine_mass(machine *c, const double *q, const double *u, double *M)
{
    const int n = c->m->n_dof;
    machine_move(c, q, u);
    sp_dyn_mass(c->m, c->num, &c->w->kin, &c->w->dyn);
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int k = 0; k < n; k++) {
        for (int j = k; j != SP_NONE; j = c->m->dof[j].parent) {
            M[k * n + j] = M[j * n + k] = c->w->dyn.M[c->m->dof[k].row + c->m->dof[j].depth];
        }
    }
}

void machine_factor(machine *c, double *L, double *D)
{
    const int n = c->m->n_dof;
    memset(L, 0, (size_t)n * (size_t)n * sizeof *L);
    for (int k = 0; k < n; k++) {
        L[k * n + k] = 1.0;
        D[k] = 1.0 / c->w->dyn.D_inv[k];
        for (int j = c->m->dof[k].parent; j != SP_NONE; j = c->m->dof[j].parent) {
            L[k * n + j] = c->w->dyn.L[c->m->dof[k].row + c->m->dof[j].depth];
        }
    }
}

void machine_share(machine *c, double t, const double *q, const double *u, sp_share share,
                   double *h)
{
    machine_move(c, q, u);
    sp_dyn_forces(c->m, c->num, &c->w->kin, t, q, u, &c->w->dyn);
    for (int k = 0; k < c->m->n_dof; k++) {
        h[k] = c->w->dyn.acts[share] ? c->w->dyn.h[share][k] : 0.0;
    }
}

void machine_forces(machine *c, double t, const double *q, const double *u, double *h)
{
    machine_move(c, q, u);
    sp_dyn_forces(c->m, c->num, &c->w->kin, t, q, u, &c->w->dyn);
    for (int k = 0; k < c->m->n_dof; k++) {
        h[k] = 0.0;
        for (int s = 0; s < SP_SHARES; s++) {
            h[k] += c->w->dyn.acts[s] ? c->w->dyn.h[s][k] : 0.0;
        }
    }
}

double machine_kinetic(machine *c, const double *q, const double *u)
{
    sp_energy e;
    sp_dyn_energies(c->m, c->num, 0.0, q, u, &c->w->kin, &c->w->dyn, &e);
    return e.kinetic;
}

double machine_potential(machine *c, double t, const double *q, const double *u)
{
    sp_energy e;
    sp_dyn_energies(c->m, c->num, t, q, u, &c->w->kin, &c->w->dyn, &e);
    return e.potential;
}

int machine_dof(const machine *c, const char *name)
{
    for (int k = 0; k < c->m->n_dof; k++) {
        if (strcmp(c->m->dof[k].name, name) == 0) {
            return k;
        }
    }
    print_message("the model has no coordinate '%s'\n", name);
    fail();
    return SP_NONE;
}

int machine_body(const machine *c, const char *name)
{
    for (int i = 0; i < c->m->n_body; i++) {
        if (strcmp(c->m->body[i].name, name) == 0) {
            return i;
        }
    }
    print_message("the model has no body '%s'\n", name);
    fail();
    return SP_NONE;
}

int machine_slot(const machine *c, const char *name)
{
    for (int i = 0; i < c->m->n_slot; i++) {
        if (strcmp(c->m->slot[i].name, name) == 0) {
            return i;
        }
    }
    print_message("the model has no contact point '%s'\n", name);
    fail();
    return SP_NONE;
}

void dense_solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        }
        for (int j = 0; j < n; j++) {
            const double swap = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = swap;
        }
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) {
                A[i * n + j] -= l * A[k * n + j];
            }
            b[i] -= l * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k * n + j] * b[j];
        }
        b[k] /= A[k * n + k];
    }
}
