#include "integrators/smooth.h"

#include "base/status.h"
#include "integrators/clock.h"
#include "integrators/moreau.h"
#include "integrators/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TOLERANCE_MIN (10.0 * DBL_EPSILON)

/* Trees with more degrees of freedom than this are accelerated by articulated bodies. */
enum { TREE_DOFS = 16 };

/* ---- sizes ----------------------------------------------------------------------------------- */

#define SMALL_ANGLE SP_SMALL   /* rad: smaller ones are measured against it                      */
#define SMALL_PART  SP_SMALL   /* of the machine: the same for lengths                           */
#define NO_WEIGHT   SP_AT_REST /* of what is prescribed, in the eyes of other integrators */
#define SMALL       1e-6       /* the same where nothing shows how large things are             */
#define SECOND      1.0        /* s: what is slow and long where nothing else shows it            */
#define STEP_SHARE  0.01 /* of the tolerance: what a single step may be wrong by             */
#define LONGEST     10.0 /* times the size of what moves fastest is passed in a step, at most */

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Sizes below which nothing counts, by unit. */
static void find_kinds(sp_smooth *s)
{
    const sp_model *m = s->m;
    const char *unit[SP_KINDS];
    s->n_kind = sp_model_units(m, s->kind, s->is_angle, unit);
    s->extent = sp_model_longest(m, s->num);
    for (int i = 0; i < s->n_kind; i++) {
        const double length = strcmp(unit[i], "m") == 0 ? SMALL_PART * s->extent : 0.0;
        s->floor.q[i] = s->is_angle[i] ? SMALL_ANGLE
                        : length > 0.0 ? length
                                       : SMALL * m->extent.length;
    }
}

double sp_smooth_length(const sp_smooth *s)
{
    double most = s->extent;
    for (int i = 0; i < s->n_kind; i++) {
        most = s->is_angle[i] ? most : larger(most, s->size.q[i]);
    }
    return most;
}

double sp_smooth_scale(const sp_smooth *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->n_kind; i++) {
        const double t = s->size.q[i] / s->size.u[i];
        least = s->size.u[i] > s->floor.u[i] && t < least ? t : least;
    }
    return least < INFINITY ? least : SECOND;
}

double sp_smooth_long(const sp_smooth *s)
{
    return LONGEST * sp_smooth_scale(s);
}

/* Velocities and energies below which nothing counts: those of a millionth of the energy E, or what
 * takes more than a second.  How long the run lasts is nothing to go by.  M is in w. */
static void find_floors(sp_smooth *s, double E)
{
    const sp_dyn *dyn = &s->w->dyn;
    double M_most[SP_KINDS] = {0.0};
    for (int k = 0; k < s->m->n_aux; k++) {
        s->z_size[k] = larger(k < s->m->n_state ? s->m->state[k].scale : 0.0, SMALL);
    }
    s->floor.energy = larger(SMALL_PART * SMALL_PART * E, 1e-300);
    for (int k = 0; k < s->m->n_dof; k++) {
        const sp_dof_layout *dof = &s->m->layout.dof[k];
        const int i = s->kind[k];
        M_most[i] = larger(M_most[i], dyn->M[dof->row + dof->depth]);
    }
    for (int i = 0; i < s->n_kind; i++) {
        const double u = M_most[i] > 0.0 ? SMALL_PART * sqrt(2.0 * E / M_most[i]) : 0.0;
        s->floor.u[i] = larger(u, s->floor.q[i] / SECOND);
        s->floor.energy = larger(s->floor.energy, 0.5 * M_most[i] * s->floor.u[i] * s->floor.u[i]);
    }
    s->size = s->floor;
}

/* Raise sizes by what is in y. */
static void raise_sizes(const sp_smooth *s, const double *y, sp_sizes *size)
{
    const sp_model *m = s->m;
    for (int k = 0; k < m->n_dof; k++) {
        const int i = s->kind[k];
        const double q = m->dof[k].move == SP_MOVE_BALL ? 1.0 : fabs(y[s->q + m->dof[k].q]);
        size->q[i] = larger(size->q[i], s->is_angle[i] && q > 1.0 ? 1.0 : q);
        size->turn = larger(size->turn, s->is_angle[i] ? q : 0.0);
        size->u[i] = larger(size->u[i], fabs(y[s->u + k]));
    }
    for (int k = 0; k < SP_POWERS; k++) {
        size->energy = larger(size->energy, fabs(y[s->work + k]));
    }
}

static void raise_z(sp_smooth *s, const double *y)
{
    for (int k = 0; k < s->m->n_aux; k++) {
        s->z_size[k] = larger(s->z_size[k], fabs(y[s->z + k]));
    }
}

/* Sizes that a step may be wrong by, over the tolerance: a share of those of the motion, so that
 * what a few hundred steps add up to is within it; what is below the floors is round-off and no
 * matter of shares, and no share is finer than doubles.   theory (43.1) */
static void take_share(const sp_smooth *s, sp_sizes *size)
{
    const double share = larger(STEP_SHARE, TOLERANCE_MIN / s->tolerance);
    for (int i = 0; i < s->n_kind; i++) {
        size->q[i] = larger(share * size->q[i], s->floor.q[i]);
        size->u[i] = larger(share * size->u[i], s->floor.u[i]);
    }
    size->energy = larger(share * size->energy, s->floor.energy);
}

/* What auxiliary state k may be wrong by, over the tolerance, where it is as large as z. */
static double z_size(const sp_smooth *s, int k, double z)
{
    return larger(larger(STEP_SHARE, TOLERANCE_MIN / s->tolerance) * larger(s->z_size[k], z),
                  SMALL);
}

/* Whether the evaluations of a step see what terms of time do in it.   theory (64.9) */
static bool sees_clocks(void *ctx, int n, const double *t)
{
    const sp_smooth *s = ctx;
    return sp_clocks_seen(s->w->clocks, n, t) &&
           (s->closed.n == 0 || sp_clocks_shown(s->w->clocks, t[0], t[n - 1] - t[0]));
}

/* How far a step sees what forces do along it.   theory (64.31) */
static double sees_terms(void *ctx, sp_rk8 *rk)
{
    const sp_smooth *s = ctx;
    return sp_terms_shown(s->terms, s->num, rk);
}

/* Square of an error over the size of its kind. */
static inline double square_of(double e, double size)
{
    return (e / size) * (e / size);
}

/* Mean square of all errors e over these sizes; what is prescribed has none. */
static double mean_square(const sp_smooth *s, const sp_sizes *size, const double *y0,
                          const double *y1, const double *e)
{
    const sp_model *m = s->m;
    double sum = 0.0;
    int n = m->n_aux + SP_POWERS;
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        const int i = s->kind[k];
        const bool by_speed = dof->motion == SP_NONE || m->motion[dof->motion].speed;
        sum += dof->motion == SP_NONE ? square_of(e[s->u + k], size->u[i]) : 0.0;
        n += 2;
        const int n_part = dof->move != SP_MOVE_BALL ? 1 : dof->part == 0 ? 4 : 0;
        for (int p = 0; p < n_part && by_speed; p++) {
            sum += square_of(e[s->q + dof->q + p], size->q[i]);
        }
    }
    for (int k = 0; k < m->n_aux; k++) {
        const double z = larger(fabs(y0[s->z + k]), fabs(y1[s->z + k]));
        sum += square_of(e[s->z + k], z_size(s, k, z));
    }
    for (int k = 0; k < SP_POWERS; k++) {
        sum += square_of(e[s->work + k], size->energy);
    }
    return sum / n;
}

/* Root of the mean square of all errors over the sizes of their kind and the tolerance.
 * theory (10.5) */
static void error_sizes(void *ctx, const sp_rk8_options *options, const double *y0,
                        const double *y1, const double *const e[2], double size[2])
{
    const sp_smooth *s = ctx;
    sp_sizes allowed = s->size;
    raise_sizes(s, y0, &allowed);
    raise_sizes(s, y1, &allowed);
    take_share(s, &allowed);
    for (int k = 0; k < 2; k++) {
        size[k] = sqrt(mean_square(s, &allowed, y0, y1, e[k])) / options->rtol;
    }
}

/* ---- the system ------------------------------------------------------------------------------ */

/* y' of y = (q, u, z, works).   theory (10.1), (10.3) */
static sp_status right_hand_side(void *ctx, double t, const double *y, double *dydt, sp_error *err)
{
    sp_smooth *s = ctx;
    const sp_model *m = s->m;
    t = s->w->clocks ? fmin(t, s->w->clocks->stop) : t;
    SP_TRY(sp_smooth_accelerate_at(s, t, y, err));
    sp_kin_rate(m, y + s->q, s->w->u_E, dydt + s->q);
    memcpy(dydt + s->u, s->w->du, (size_t)m->n_dof * sizeof(double));
    if (m->n_aux > 0) {
        memcpy(dydt + s->z, s->w->dyn.z_rate, (size_t)m->n_aux * sizeof(double));
    }
    const double power[SP_POWERS] = {s->power.dampers, s->power.applied, s->power.driven,
                                     s->power.contacts};
    memcpy(dydt + s->work, power, sizeof power);
    memcpy(dydt + s->share, s->slot_power, (size_t)(m->n_slot + m->n_book) * sizeof(double));
    return SP_OK;
}

/* Energy of (q, u) at t; frames and velocities there in w->kin. */
static sp_energy energy_at(sp_smooth *s, double t, const double *q, const double *u)
{
    sp_energy energy;
    sp_dyn_energies(s->m, s->num, t, q, u, &s->w->kin, &s->w->dyn, &energy);
    return energy;
}

/* The end of a step back onto the constraints; what that does to the energy is kept. */
static sp_status put_right(void *ctx, double t, double *y, sp_error *err)
{
    sp_smooth *s = ctx;
    const bool rows = s->m->n_bond + s->closed.n > 0;
    s->move = 0.0;
    if (rows) {
        const sp_energy e = energy_at(s, t, y + s->q, y + s->u);
        s->move -= e.kinetic + e.potential;
    }
    SP_TRY(sp_smooth_project(s, t, y + s->q, y + s->u, err));
    if (rows) {
        const sp_energy e = energy_at(s, t, y + s->q, y + s->u);
        s->move += e.kinetic + e.potential;
    }
    return SP_OK;
}

/* One over the error allowed in each component, for integrators that take the mean themselves. */
static void error_weights(void *ctx, const double *y, double *weight)
{
    const sp_smooth *s = ctx;
    const sp_model *m = s->m;
    sp_sizes size = s->size;
    raise_sizes(s, y, &size);
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        const int n_part = dof->move != SP_MOVE_BALL ? 1 : dof->part == 0 ? 4 : 0;
        const bool free = dof->motion == SP_NONE;
        const bool by_speed = free || m->motion[dof->motion].speed;
        weight[s->u + k] = (free ? 1.0 : NO_WEIGHT) / (s->tolerance * size.u[s->kind[k]]);
        for (int p = 0; p < n_part; p++) {
            weight[s->q + dof->q + p] =
                (by_speed ? 1.0 : NO_WEIGHT) / (s->tolerance * size.q[s->kind[k]]);
        }
    }
    for (int k = 0; k < m->n_aux; k++) {
        weight[s->z + k] = 1.0 / (s->tolerance * larger(s->z_size[k], fabs(y[s->z + k])));
    }
    for (int k = 0; k < SP_POWERS + m->n_slot + m->n_book; k++) {
        weight[s->work + k] = 1.0 / (s->tolerance * size.energy);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

#define ROOM(field, type, n) ok = ((field) = SP_NEW(arena, type, (n))) != NULL && ok

/* Everything that depends on the model alone; once per work. */
static bool make_room(const sp_model *m, sp_work *w)
{
    sp_arena *arena = &w->arena;
    sp_smooth *s = SP_NEW(arena, sp_smooth, 1);
    bool ok = s != NULL;
    if (!ok) {
        return false;
    }
    s->m = m;
    s->w = w;
    s->q = 0;
    s->u = m->n_q;
    s->z = s->u + m->n_dof;
    s->work = s->z + m->n_aux;
    s->share = s->work + SP_POWERS;
    s->book = s->share + m->n_slot;
    s->n_y = s->book + m->n_book;
    s->tree = m->n_bond == 0 && m->n_slot == 0 && m->n_motion == 0 && m->formula.n == 0 &&
              m->n_dof > TREE_DOFS;
    const int n_row = m->n_slot > 0 ? m->layout.contact_rows * w->con.room_most : m->n_bond;
    void *rk, *lu;
    ROOM(s->y, double, s->n_y);
    ROOM(s->now, double, s->n_y);
    ROOM(s->old, double, s->n_y);
    ROOM(s->kind, unsigned char, m->n_dof);
    ROOM(s->z_size, double, m->n_aux);
    ROOM(s->slot_power, double, m->n_slot + m->n_book);
    ROOM(s->book_base, double, m->n_book);
    ROOM(s->lu_scale, double, n_row);
    ROOM(s->lu_b, double, n_row);
    ROOM(s->lu_row, int, n_row);
    ROOM(s->lu_contact, int, n_row);
    ROOM(rk, char, sp_rk8_bytes(s->n_y));
    ROOM(lu, char, sp_lu_bytes(n_row) + 1);
    ok = sp_smooth_slide_room(s, n_row) && sp_smooth_switch_room(s) &&
         sp_terms_room(arena, m, (sp_parts){s->q, s->u, s->z, s->share}, &s->terms) && ok;
    if (s->tree) {
        ok = sp_dyn_alloc(arena, m, SP_DYN_ARTICULATED, &s->dyn) && ok;
    }
    if (ok) {
        s->book_power = s->slot_power + m->n_slot;
        s->rk = sp_rk8_place(s->n_y, rk);
        sp_lu_place(&s->lu, n_row, lu);
        w->smooth = s;
    }
    return ok;
#undef ROOM
}

/* ---- begin ----------------------------------------------------------------------------------- */

sp_status sp_smooth_in_range(double tolerance, sp_error *err)
{
    if (!(tolerance >= TOLERANCE_MIN && tolerance < 1.0)) {
        return SP_FAIL(err, SP_E_INPUT, "run: tolerance = %g, expected %.2g to 1: %s", tolerance,
                       TOLERANCE_MIN,
                       tolerance >= 1.0 ? "it is an error over the size of the motion"
                                        : "numbers in double precision have no more digits");
    }
    return SP_OK;
}

sp_status sp_smooth_check(const sp_model *m, double tolerance, sp_error *err)
{
    if (m->n_slot > 0) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "method 'smooth' is for machines without contacts, stops and dry friction, and there "
            "is '%s'; take 'event' or 'moreau'",
            m->slot[0].name);
    }
    return sp_smooth_in_range(tolerance, err);
}

/* The state as y; works begin at zero. */
static void gather(sp_smooth *s, const sp_state *x)
{
    const sp_model *m = s->m;
    memcpy(s->y + s->q, x->q, (size_t)m->n_q * sizeof(double));
    memcpy(s->y + s->u, x->u, (size_t)m->n_dof * sizeof(double));
    memcpy(s->y + s->z, x->z, (size_t)m->n_aux * sizeof(double));
    memset(s->y + s->work, 0, (size_t)(SP_POWERS + m->n_slot + m->n_book) * sizeof(double));
    memcpy(s->book_base, x->book, (size_t)m->n_book * sizeof(double));
    s->base = x->ledger;
    s->begun = x->t;
    s->moved = s->move = 0.0;
}

void sp_smooth_note_energy(sp_smooth *s, sp_state *x)
{
    sp_kin_positions(s->m, s->num, x->q, &s->w->kin);
    sp_kin_velocities(s->m, x->u, &s->w->kin);
    const sp_energy e = energy_at(s, x->t, x->q, x->u);
    x->ledger.projection += (e.kinetic + e.potential) - (x->ledger.kinetic + x->ledger.potential);
    x->ledger.kinetic = e.kinetic;
    x->ledger.quadratic = e.quadratic;
    x->ledger.potential = e.potential;
    x->ledger.scale = larger(x->ledger.scale, e.kinetic + fabs(e.potential));
}

/* Prescribed values exact and loops closed, also where the caller placed x by hand. */
static sp_status start_right(sp_smooth *s, sp_state *x, sp_error *err)
{
    SP_TRY(sp_smooth_project(s, x->t, x->q, x->u, err));
    sp_smooth_note_energy(s, x);
    return SP_OK;
}

/* The method without memory of any motion; nobody integrates yet. */
static sp_status equip(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                       sp_smooth **smooth, sp_error *err)
{
    *smooth = NULL;
    if (!w->smooth && !make_room(m, w)) {
        return SP_FAIL(err, SP_E_MEMORY,
                       "no memory for smooth integration of %d degrees of freedom", m->n_dof);
    }
    sp_smooth *s = w->smooth;
    s->num = x->numbers;
    s->closed = (sp_smooth_closed){.n = 0};
    s->tolerance = tolerance;
    s->driver = NULL;
    s->stiff = s->stiff_cut = NULL;
    s->n_since = 0;
    s->accel_size = s->accel_scale = 0.0;
    sp_step_refresh(m, x, w);
    if (s->tree) {
        sp_dyn_init(m, x->numbers, &s->dyn);
    }
    find_kinds(s);
    sp_smooth_switch_begin(s);
    *smooth = s;
    return SP_OK;
}

/* Everything up to the start of the integrator: y is the state. */
static sp_status prepare(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                         sp_smooth **smooth, sp_error *err)
{
    SP_TRY(equip(m, x, w, tolerance, smooth, err));
    sp_smooth *s = *smooth;
    sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn);
    find_floors(s, x->ledger.kinetic + fabs(x->ledger.potential));
    SP_TRY(start_right(s, x, err));
    gather(s, x);
    s->t_old = s->t = x->t;
    memcpy(s->now, s->y, (size_t)s->n_y * sizeof(double));
    memcpy(s->old, s->y, (size_t)s->n_y * sizeof(double));
    raise_sizes(s, s->y, &s->size);
    raise_z(s, s->y);
    return SP_OK;
}

/* The equations as the Runge-Kutta method sees them. */
static void set_system(sp_smooth *s)
{
    s->system = (sp_rk8_system){.ctx = s,
                                .f = right_hand_side,
                                .norm = error_sizes,
                                .after_step = put_right,
                                .seen = s->w->clocks ? sees_clocks : NULL,
                                .shown = s->terms ? sees_terms : NULL,
                                .n_arg = s->work};
}

/* A position that is wrong by what is allowed makes the works of forces wrong by so much: no step
 * of a driver, which compares works with those so far, needs to know them better.  theory (64.24)
 */
void sp_smooth_raise_works(sp_smooth *s)
{
    const sp_model *m = s->m;
    const sp_dyn *dyn = &s->w->dyn;
    if (m->n_clock + m->n_kink == 0) {
        return; /* no force begins at once */
    }
    s->w->dyn.z = s->now + s->z;
    sp_dyn_terms(m, s->num, s->t, s->now + s->q, s->now + s->u, &s->w->kin, &s->w->dyn);
    for (int k = 0; k < m->n_dof; k++) {
        double h = 0.0;
        for (int share = 0; share < SP_SHARES; share++) {
            h += dyn->acts[share] ? dyn->h[share][k] : 0.0;
        }
        s->size.energy = larger(s->size.energy, fabs(h) * s->size.q[s->kind[k]]);
    }
}

/* The driver starts at s->t with y. */
static sp_status start_driver(sp_smooth *s, const sp_stiff_driver *driver, const double *y,
                              sp_error *err)
{
    const sp_model *m = s->m;
    const bool constrained =
        m->n_bond > 0 || m->n_motion > 0 || m->n_q != m->n_dof || m->n_slot > 0;
    s->stiff_system = (sp_stiff_system){.ctx = s,
                                        .n = s->n_y,
                                        .f = right_hand_side,
                                        .weights = error_weights,
                                        .project = constrained ? put_right : NULL};
    s->driver = driver;
    sp_smooth_raise_works(s);
    return driver->begin(&s->stiff_system, s->t, y, &s->stiff, err);
}

sp_status sp_smooth_begin(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                          sp_smooth **smooth, sp_error *err)
{
    SP_TRY(prepare(m, x, w, tolerance, smooth, err));
    sp_smooth *s = *smooth;
    set_system(s);
    sp_rk8_options options = sp_rk8_options_default();
    options.rtol = tolerance;
    options.atol = 1.0; /* the sizes have their own */
    options.dt_max = INFINITY;
    return sp_rk8_begin(s->rk, &s->system, &options, x->t, s->y, err);
}

/* The method as it was saved. */
static sp_status resume(const sp_smooth_setup *setup, sp_smooth *s, sp_error *err)
{
    const size_t all = sp_smooth_bytes(s), rk = sp_rk8_bytes(s->n_y);
    if (setup->n < all || (!setup->more && setup->n != all)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "memory of %zu bytes, expected %zu: of another model or version", setup->n,
                       all);
    }
    SP_TRY(sp_rk8_load(s->rk, setup->bytes + all - rk, rk, err));
    sp_smooth_load(s, setup->bytes);
    memcpy(s->old, s->now, (size_t)s->n_y * sizeof(double)); /* until a step is made */
    set_system(s);
    return setup->driver ? start_driver(s, setup->driver, s->now, err) : SP_OK;
}

sp_status sp_smooth_open(const sp_model *m, sp_state *x, sp_work *w, const sp_smooth_setup *setup,
                         sp_smooth **smooth, sp_error *err)
{
    if (setup->resumes) {
        SP_TRY(equip(m, x, w, setup->tolerance, smooth, err));
        return resume(setup, *smooth, err);
    }
    if (!setup->driver) {
        return sp_smooth_begin(m, x, w, setup->tolerance, smooth, err);
    }
    SP_TRY(prepare(m, x, w, setup->tolerance, smooth, err));
    return start_driver(*smooth, setup->driver, (*smooth)->y, err);
}

void sp_smooth_end(sp_smooth *s)
{
    if (s) {
        s->w->con.kink = NULL;
    }
    if (s && s->driver) {
        s->driver->end(s->stiff);
        s->driver->end(s->stiff_cut);
        s->driver = NULL;
        s->stiff = s->stiff_cut = NULL;
    }
}

/* The size of accelerations, from the rows that were looked at last. */
static void note_accelerations(sp_smooth *s)
{
    if (s->w->con.n_active > 0) {
        s->accel_size = larger(s->accel_size, s->w->sol.xi_scale);
    }
}

sp_status sp_smooth_restart(sp_smooth *s, sp_state *x, sp_error *err)
{
    SP_TRY(start_right(s, x, err));
    gather(s, x);
    s->t_old = s->t = x->t;
    memcpy(s->now, s->y, (size_t)s->n_y * sizeof(double));
    memcpy(s->old, s->y, (size_t)s->n_y * sizeof(double));
    sp_status status = sp_smooth_renew(s, err);
    if (sp_smooth_switch_stale(s, s->t)) { /* on that side forces may not even be finite */
        status = sp_smooth_renew(s, err);
    }
    SP_TRY(status);
    note_accelerations(s);
    return SP_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Energies now and works since the start; what does not close is the error of the integration.
 * theory (10.9) */
static void book(sp_smooth *s, const double *y, const sp_energy *e, double moved, sp_ledger *l)
{
    const sp_ledger *base = &s->base;
    const double *work = y + s->work;
    const double change = (e->kinetic - base->kinetic) + (e->potential - base->potential);
    const double balance = change - (work[0] + work[1] + work[2] + work[3]) - moved;
    l->kinetic = e->kinetic;
    l->quadratic = e->quadratic;
    l->potential = e->potential;
    l->dampers = base->dampers + work[0];
    l->applied = base->applied + work[1];
    l->driven = base->driven + work[2];
    l->friction = base->friction + work[3];
    l->projection = base->projection + moved;
    l->balance = base->balance + balance;
    l->scale = larger(l->scale, e->kinetic + fabs(e->potential));
}

/* x <- the state y at t, whose energies are e. */
static void put_state(sp_smooth *s, double t, const double *y, const sp_energy *e, double moved,
                      sp_state *x)
{
    const sp_model *m = s->m;
    memcpy(x->q, y + s->q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, y + s->u, (size_t)m->n_dof * sizeof(double));
    memcpy(x->z, y + s->z, (size_t)m->n_aux * sizeof(double));
    x->t = t;
    x->fresh = true;
    book(s, y, e, moved, &x->ledger);
    for (int k = 0; k < m->n_book; k++) {
        x->book[k] = s->book_base[k] + y[s->book + k];
    }
}

/* Forces of the closed contacts and bilateral rows as percussions of the step. */
static void remember_rows(const sp_smooth *s, double dt, sp_state *x)
{
    const sp_con *con = &s->w->con;
    for (int a = 0; a < con->n_active; a++) {
        sp_contact_memory *c = &x->contact[con->active[a]];
        sp_smooth_keep(s, a, s->w->sol.P, dt, c);
        c->status = a < s->closed.n ? s->closed.status[a] : (unsigned char)SP_STICK;
        c->active = 1;
    }
}

sp_status sp_smooth_take(sp_smooth *s, sp_state *x, sp_error *err)
{
    sp_work *w = s->w;
    const double *y = s->now, before = sp_ledger_size(&x->ledger);
    note_accelerations(s);
    SP_TRY(sp_smooth_certify(s, s->t, y + s->z, err));
    remember_rows(s, s->t - s->t_old, x);
    s->moved += s->move;
    const sp_energy e = energy_at(s, s->t, y + s->q, y + s->u);
    put_state(s, s->t, y, &e, s->moved, x);
    sp_smooth_certify_gaps(s, x);
    sp_ledger *l = &x->ledger;
    sp_ledger_judge(fabs(l->balance - s->base.balance), before, l);
    l->worst_work = 0.0;
    raise_sizes(s, y, &s->size);
    raise_z(s, y);
    s->size.energy = larger(s->size.energy, e.kinetic + fabs(e.potential - s->base.potential));
    w->n_hit = w->n_event = 0;
    x->step++;
    return SP_OK;
}

sp_status sp_smooth_step(sp_smooth *s, sp_state *x, double t_stop, sp_error *err)
{
    SP_TRY(sp_smooth_advance(s, t_stop, err));
    return sp_smooth_take(s, x, err);
}

sp_status sp_smooth_beside(sp_smooth *s, sp_state *x, const sp_ledger *before, double t,
                           sp_error *err)
{
    s->moved -= s->move;
    x->ledger = *before;
    x->step--;
    SP_TRY(sp_smooth_cut(s, t, err));
    return sp_smooth_accelerate_at(s, s->t, s->now, err);
}

sp_status sp_smooth_prepare(sp_smooth *s, sp_error *err)
{
    return s->driver || !s->rk->has_step ? SP_OK : sp_rk8_prepare_dense(s->rk, &s->system, err);
}

sp_status sp_smooth_at(sp_smooth *s, double t, sp_state *x, sp_error *err)
{
    if (t == s->t) {
        memcpy(s->y, s->now, (size_t)s->n_y * sizeof(double));
    } else if (s->driver ? s->n_since == 0 : !s->rk->has_step) {
        /* a stepper brought us here: straight back from the end */
        memcpy(s->y, s->now, (size_t)s->n_y * sizeof(double));
        sp_kin_advance(s->m, t - s->t, s->y + s->u, s->y + s->q);
    } else {
        SP_TRY(sp_smooth_dense(s, t, s->n_y, s->y, err));
    }
    if (t != s->t) {
        SP_TRY(sp_smooth_project(s, t, s->y + s->q, s->y + s->u, err));
    }
    const sp_energy e = energy_at(s, t, s->y + s->q, s->y + s->u);
    put_state(s, t, s->y, &e, t == s->t ? s->moved : s->moved - s->move, x);
    return SP_OK;
}
