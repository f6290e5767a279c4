#include "support/run.h"

#include "specht/load.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rigs --------------------------------------------------------------------------------------
 */

/* The library's message, then the end of the test. */
static void give_up(const char *what, const sp_error *err)
{
    print_message("%s: %s:%d:%d: %s\n", what, err->file, err->line, err->column, err->text);
    fail();
}

/* Model, state and scratch from what the spec holds; the status of the first that fails. */
static sp_status assemble(rig *r, sp_error *err)
{
    sp_status status = sp_model_build(r->spec, NULL, &r->m, err);
    if (status == SP_OK) {
        status = sp_state_new(r->m, NULL, &r->x, err);
    }
    return status == SP_OK ? sp_work_new(r->m, NULL, &r->w, err) : status;
}

static sp_status load(rig *r, const char *yaml, sp_error *err)
{
    r->spec = sp_spec_new(NULL);
    r->worst.work = -INFINITY;
    return sp_spec_load_text(r->spec, "test.yaml", yaml, strlen(yaml), NULL, err);
}

enum { YAML_SIZE = 1 << 16 };

rig rig_of_text(const char *format, ...)
{
    char yaml[YAML_SIZE];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(yaml, sizeof yaml, format, args);
    va_end(args);
    assert_true(n > 0 && n < YAML_SIZE);
    sp_error err = {.status = SP_OK};
    rig r = {.spec = NULL};
    if (load(&r, yaml, &err) != SP_OK || assemble(&r, &err) != SP_OK) {
        print_message("%s\n", yaml);
        give_up("model", &err);
    }
    return r;
}

sp_error rig_refused(const char *format, ...)
{
    char yaml[YAML_SIZE];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(yaml, sizeof yaml, format, args);
    va_end(args);
    assert_true(n > 0 && n < YAML_SIZE);
    sp_error err = {.status = SP_OK};
    rig r = {.spec = NULL};
    const bool good = load(&r, yaml, &err) == SP_OK && assemble(&r, &err) == SP_OK;
    rig_free(&r);
    if (good) {
        print_message("accepted:\n%s\n", yaml);
        fail();
    }
    return err;
}

rig rig_of_file(const char *path_in_source_tree, const char *const *override)
{
    const char *root = getenv("SPECHT_SOURCE_DIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", path_in_source_tree);
    sp_error err = {.status = SP_OK};
    rig r = {.spec = sp_spec_new(NULL), .worst = {.work = -INFINITY}};
    sp_status status = sp_spec_load_file(r.spec, path, &err);
    for (int k = 0; status == SP_OK && override && override[k]; k++) {
        status = sp_spec_override(r.spec, override[k], &err);
    }
    if (status != SP_OK || assemble(&r, &err) != SP_OK) {
        give_up(path, &err);
    }
    return r;
}

rig rig_slider_crank(double omega_s)
{
    char text[64];
    snprintf(text, sizeof text, "omega_s=%.17g rad/s", omega_s);
    const char *override[] = {text, NULL};
    return rig_of_file("examples/slider_crank/slider_crank.yaml", override);
}

void rig_free(rig *r)
{
    free(r->event);
    sp_work_free(r->w);
    sp_state_free(r->x);
    sp_model_free(r->m);
    sp_spec_free(r->spec);
    *r = (rig){.spec = NULL};
}

double rig_left_over(const sp_ledger *l)
{
    return l->kinetic + l->potential - l->initial - l->dampers - l->applied - l->driven -
           l->friction - l->impacts - l->projection - l->discretisation;
}

void rig_run(rig *r, sp_method method, double until, double tolerance,
             sp_status (*watch)(void *ctx, const sp_model *m, const sp_step_record *step,
                                sp_error *err),
             void *ctx)
{
    sp_error err = {.status = SP_OK};
    sp_run_summary summary;
    const sp_observer o = {.step = watch, .ctx = ctx};
    const sp_run_options options = {
        .method = method, .until = until, .output_step = until, .tolerance = tolerance};
    if (sp_integrate(r->m, r->x, r->w, &options, &o, 1, &summary, &err) != SP_OK) {
        give_up("run", &err);
    }
    assert_true(fabs(rig_left_over(&r->x->ledger)) <= 1e-11 * r->x->ledger.scale);
}

/* The larger of two numbers; NaN is larger than everything. */
static double worse(double a, double b)
{
    return a != a || b <= a ? a : b;
}

/* Look at the step that was just made; before is the ledger at its beginning. */
static void watch(rig *r, const sp_ledger *before)
{
    rig_worst *worst = &r->worst;
    const sp_certificate *c = &r->w->certificate;
    const sp_ledger *l = &r->x->ledger;
    const double scale = fmax(before->kinetic + fabs(before->potential), l->scale);
    worst->complementarity = worse(worst->complementarity, c->complementarity);
    worst->cone = worse(worst->cone, c->cone);
    worst->momentum = worse(worst->momentum, c->momentum);
    worst->gap = worse(worst->gap, c->gap);
    worst->work = worse(worst->work, l->friction + l->impacts - before->friction - before->impacts);
    worst->closure = worse(worst->closure, fabs(rig_left_over(l) - rig_left_over(before)) / scale);
    worst->solves += r->w->n_hit > 0;
    if (r->n_event + r->w->n_event > r->size) {
        r->size = 2 * (r->n_event + r->w->n_event);
        r->event = realloc(r->event, (size_t)r->size * sizeof *r->event);
        assert_non_null(r->event);
    }
    for (int k = 0; k < r->w->n_event; k++) {
        r->event[r->n_event++] = r->w->event[k];
    }
}

void rig_step(rig *r, sp_method method, double dt)
{
    sp_error err = {.status = SP_OK};
    sp_step_refresh(r->m, r->x, r->w);
    const sp_ledger before = r->x->ledger;
    if (sp_step(r->m, r->x, r->w, method, dt, NULL, &err) != SP_OK) {
        print_message("t = %.12g s, step %ld of %g s\n", r->x->t, r->x->step + 1, dt);
        give_up("step", &err);
    }
    watch(r, &before);
}

void rig_steps(rig *r, sp_method method, double dt, long n)
{
    for (long k = 0; k < n; k++) {
        rig_step(r, method, dt);
    }
}

int rig_count(const rig *r, sp_event_kind kind, int slot)
{
    int n = 0;
    for (int k = 0; k < r->n_event; k++) {
        n += r->event[k].kind == kind && (slot < 0 || r->event[k].slot == slot);
    }
    return n;
}

const sp_event *rig_event(const rig *r, sp_event_kind kind, int slot, int i)
{
    for (int k = 0; k < r->n_event; k++) {
        if (r->event[k].kind == kind && (slot < 0 || r->event[k].slot == slot) && i-- == 0) {
            return &r->event[k];
        }
    }
    return NULL;
}

void rig_print_events(const rig *r, int max)
{
    for (int k = 0; k < r->n_event && k < max; k++) {
        const sp_event *e = &r->event[k];
        print_message("%14.9g s  %-7s %-18s id %d  Lambda_N %.6g  gamma_N %.6g -> %.6g  %s -> %s\n",
                      e->t, sp_event_name(e->kind), r->m->slot[e->slot].name, e->impact_id,
                      e->Lambda_N, e->gamma_N_before, e->gamma_N_after,
                      sp_contact_state_name(e->before), sp_contact_state_name(e->after));
    }
}

int rig_slot(const rig *r, const char *name)
{
    for (int i = 0; i < r->m->n_slot; i++) {
        if (strcmp(r->m->slot[i].name, name) == 0) {
            return i;
        }
    }
    print_message("the model has no contact point '%s'\n", name);
    fail();
    return SP_NONE;
}

int rig_dof(const rig *r, const char *name)
{
    for (int k = 0; k < r->m->n_dof; k++) {
        if (strcmp(r->m->dof[k].name, name) == 0) {
            return k;
        }
    }
    print_message("the model has no coordinate '%s'\n", name);
    fail();
    return SP_NONE;
}

/* ---- the slider-crank --------------------------------------------------------------------------
 * Data: table 1 of the paper, play c = 1 mm on each side. */

static const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076;
static const double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, half_a = 0.05, half_b = 0.025;
static const double play = 0.001, gravity = 9.81;

const double CRANK_T1 = 0.00269250275202;
const double CRANK_TH1[CRANK_N] = {0.355304455027707, -0.171509540940156, 0.0};
const double CRANK_OM1[CRANK_N] = {109.557681543154, -49.3307899619344, 0.0};
const double CRANK_OM1_AFTER[CRANK_N] = {108.724580001772, -52.8422904202901, 0.0};

/* From T = 1/2 sum m v^2 + J omega^2 of crank (centre l1/2), rod (l2/2) and slider. */
void crank_mass(const double *th, double M[CRANK_N][CRANK_N])
{
    memset(M, 0, sizeof(double[CRANK_N][CRANK_N]));
    M[0][0] = J1 + (m1 / 4.0 + m2 + m3) * l1 * l1;
    M[1][1] = J2 + (m2 / 4.0 + m3) * l2 * l2;
    M[2][2] = J3;
    M[0][1] = M[1][0] = (m2 / 2.0 + m3) * l1 * l2 * cos(th[0] - th[1]);
}

/* Lagrange's equations of T and V: with M12 = k cos(th1 - th2), k sin(th1 - th2) appears. */
void crank_forces(const double *th, const double *om, double *h)
{
    const double k = (m2 / 2.0 + m3) * l1 * l2 * sin(th[0] - th[1]);
    h[0] = -k * om[1] * om[1] - (m1 / 2.0 + m2 + m3) * gravity * l1 * cos(th[0]);
    h[1] = k * om[0] * om[0] - (m2 / 2.0 + m3) * gravity * l2 * cos(th[1]);
    h[2] = 0.0;
}

double crank_kinetic(const double *th, const double *om)
{
    double M[CRANK_N][CRANK_N], T = 0.0;
    crank_mass(th, M);
    for (int i = 0; i < CRANK_N; i++) {
        for (int j = 0; j < CRANK_N; j++) {
            T += 0.5 * om[i] * M[i][j] * om[j];
        }
    }
    return T;
}

double crank_potential(const double *th)
{
    return gravity * ((m1 / 2.0 + m2 + m3) * l1 * sin(th[0]) + (m2 / 2.0 + m3) * l2 * sin(th[1]));
}

/* The corner against the slider's centre, in the slider's frame. */
static void corner_of(int corner, double *x, double *y)
{
    *x = corner % 2 == 0 ? -half_a : half_a;
    *y = corner < 2 ? half_b : -half_b;
}

double crank_gap(const double *th, int corner)
{
    double x, y;
    corner_of(corner, &x, &y);
    const double height = l1 * sin(th[0]) + l2 * sin(th[1]) + x * sin(th[2]) + y * cos(th[2]);
    return corner < 2 ? half_b + play - height : half_b + play + height;
}

/* d gap / d th, and d (x of the corner) / d th: slip counts to the right on both surfaces. */
void crank_directions(const double *th, int corner, double *W_N, double *W_T)
{
    double x, y;
    corner_of(corner, &x, &y);
    const double sign = corner < 2 ? -1.0 : 1.0;
    W_N[0] = sign * l1 * cos(th[0]);
    W_N[1] = sign * l2 * cos(th[1]);
    W_N[2] = sign * (x * cos(th[2]) - y * sin(th[2]));
    W_T[0] = -l1 * sin(th[0]);
    W_T[1] = -l2 * sin(th[1]);
    W_T[2] = -x * sin(th[2]) - y * cos(th[2]);
}

/* Rates of (th1, th2, om1, om2). */
static void rates(const double *y, double *f)
{
    const double th[CRANK_N] = {y[0], y[1], 0.0}, om[CRANK_N] = {y[2], y[3], 0.0};
    double M[CRANK_N][CRANK_N], h[CRANK_N];
    crank_mass(th, M);
    crank_forces(th, om, h);
    const double det = M[0][0] * M[1][1] - M[0][1] * M[0][1];
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (M[1][1] * h[0] - M[0][1] * h[1]) / det;
    f[3] = (M[0][0] * h[1] - M[0][1] * h[0]) / det;
}

/* One classical Runge-Kutta step. */
static void rk4(double *y, double dt)
{
    static const double weight[4] = {1.0, 2.0, 2.0, 1.0}, ahead[4] = {0.0, 0.5, 0.5, 1.0};
    double sum[4] = {0}, f[4] = {0};
    for (int s = 0; s < 4; s++) {
        double at[4];
        for (int k = 0; k < 4; k++) {
            at[k] = y[k] + ahead[s] * dt * f[k];
        }
        rates(at, f);
        for (int k = 0; k < 4; k++) {
            sum[k] += weight[s] / 6.0 * f[k];
        }
    }
    for (int k = 0; k < 4; k++) {
        y[k] += dt * sum[k];
    }
}

void crank_exact(double t, double *th, double *om)
{
    const long n = (long)ceil(t / 1e-6);
    double y[4] = {0.0, 0.0, 150.0, -75.0};
    for (long k = 0; k < n; k++) {
        rk4(y, t / (double)n);
    }
    th[0] = y[0], th[1] = y[1], th[2] = 0.0;
    om[0] = y[2], om[1] = y[3], om[2] = 0.0;
}

void crank_absolute(const double *q, double *th)
{
    th[0] = q[0];
    th[1] = q[0] + q[1];
    th[2] = q[0] + q[1] + q[2];
}

void crank_relative(const double *th, double *q)
{
    q[0] = th[0];
    q[1] = th[1] - th[0];
    q[2] = th[2] - th[1];
}
