#include "analysis/start.h"

#include "analysis/close.h"
#include "analysis/start_parts.h"
#include "contact/pool3.h"
#include "contact/rule.h"
#include "contact/sweep.h"
#include "integrators/loads.h"
#include "integrators/moreau.h"

enum { TITLE_MAX = 300 };
#define OVERLAPS 1e-8 /* of the extent of gaps: contours so deep in each other overlap */

/* What the file says about one body or its joint, by sp_start_kind; NULL: nothing. */
typedef struct given {
    const sp_start_value *joint_q[3], *joint_u[3];
    const sp_start_value *x, *y, *phi, *vx, *vy, *omega;
} given;

static bool differs(double a, double b)
{
    return fabs(a - b) > 1e-9 * (1.0 + fabs(a) + fabs(b));
}

/* Sort the start values of the model by body. */
static void collect(const sp_model *m, const sp_start_value *v, given *g)
{
    const int body = sp_start_of_dof(v) ? m->dof[v->index].body : v->index;
    if (body == SP_NONE || (sp_start_of_dof(v) && m->dof[v->index].move == SP_MOVE_SHAPE)) {
        return; /* of no joint */
    }
    given *of = &g[body];
    const int k = sp_start_of_dof(v) ? v->index - m->body[body].dof : 0;
    switch (v->kind) {
    case SP_START_Q:
        of->joint_q[k] = v;
        break;
    case SP_START_U:
        of->joint_u[k] = v;
        break;
    case SP_START_X:
        of->x = v;
        break;
    case SP_START_Y:
        of->y = v;
        break;
    case SP_START_PHI:
        of->phi = v;
        break;
    case SP_START_VX:
        of->vx = v;
        break;
    case SP_START_VY:
        of->vy = v;
        break;
    case SP_START_OMEGA:
        of->omega = v;
        break;
    default: /* the others are of space */
        break;
    }
}

/* Smallest change s of the free slides such that sum axis_k s_k meets the wanted components of the
 * miss; the residual is checked by the caller.   theory (2.8) */
static void solve_slides(const sp_model *m, const sp_kin *kin, const sp_body *body,
                         const bool *fixed, sp_vec miss, bool want_x, bool want_y, double *s)
{
    const int n = body->n_slide;
    double A[2][2] = {{0}}, b[2] = {want_x ? miss.x : 0.0, want_y ? miss.y : 0.0};
    for (int k = 0; k < n; k++) {
        const sp_vec3 axis = sp_spot_axis(m, kin, body->dof + k).s;
        A[0][k] = want_x && !fixed[k] ? axis.x : 0.0;
        A[1][k] = want_y && !fixed[k] ? axis.y : 0.0;
    }
    /* s = A' (A A')^-1 b: least change, exact where the rows are independent */
    double B00 = A[0][0] * A[0][0] + A[0][1] * A[0][1], B11 = A[1][0] * A[1][0] + A[1][1] * A[1][1];
    const double B01 = A[0][0] * A[1][0] + A[0][1] * A[1][1];
    double y0 = 0.0, y1 = 0.0;
    const double det = B00 * B11 - B01 * B01;
    if (det > 1e-12) {
        y0 = (B11 * b[0] - B01 * b[1]) / det;
        y1 = (B00 * b[1] - B01 * b[0]) / det;
    } else if (B00 >= B11 && B00 > 1e-12) { /* one direction only: the better row decides */
        y0 = b[0] / B00;
    } else if (B11 > 1e-12) {
        y1 = b[1] / B11;
    }
    for (int k = 0; k < n; k++) {
        s[k] += A[0][k] * y0 + A[1][k] * y1;
    }
}

void sp_start_check(const sp_start_value *v, double is, sp_diag *diag)
{
    if (v && differs(v->value, is)) {
        sp_diag_add(diag, SP_ERROR, v->place,
                    "start: %s = %g cannot be reached by the joint, which gives %g; leave it out "
                    "or change the joint (or the joint's coordinates in 'start')",
                    v->name, v->value, is);
    }
}

/* Coordinates of one joint from what is given; the parent is placed already. */
static void place(const sp_model *m, const sp_numbers *num, const given *g, int i, sp_kin *kin,
                  double *q, sp_diag *diag)
{
    const sp_body *b = &m->body[i];
    bool fixed[3] = {false, false, false};
    for (int k = 0; k < b->n_dof; k++) {
        fixed[k] = g->joint_q[k] || sp_start_holds(m, b->dof + k, false);
        q[b->dof + k] = g->joint_q[k] ? g->joint_q[k]->value : q[b->dof + k];
    }
    if (b->turns && g->phi && !fixed[b->n_slide]) {
        q[b->dof + b->n_slide] = g->phi->value - sp_spot_angle(kin, b->parent) - num->body[i].turn;
    }
    sp_kin_place_body(m, num, q, i, kin);
    sp_vec3 at = sp_spot_origin(kin, i).x;
    const sp_vec miss = {g->x ? g->x->value - at.x : 0.0, g->y ? g->y->value - at.y : 0.0};
    solve_slides(m, kin, b, fixed, miss, g->x, g->y, q + b->dof);
    sp_kin_place_body(m, num, q, i, kin);
    at = sp_spot_origin(kin, i).x;
    sp_start_check(g->x, at.x, diag);
    sp_start_check(g->y, at.y, diag);
    sp_start_check(g->phi, sp_spot_angle(kin, i), diag);
}

/* Velocity of the origin of a body and its spin, in the plane. */
static sp_vec3 velocity_of(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_velocity(kin, &s);
}

static double spin_of(const sp_kin *kin, int body)
{
    const sp_spot s = sp_spot_origin(kin, body);
    return sp_spot_spin(kin, &s).z;
}

/* Velocities of one joint, likewise. */
static void move(const sp_model *m, const given *g, int i, sp_kin *kin, double *u, sp_diag *diag)
{
    const sp_body *b = &m->body[i];
    bool fixed[3] = {false, false, false};
    for (int k = 0; k < b->n_dof; k++) {
        fixed[k] = g->joint_u[k] || sp_start_holds(m, b->dof + k, true);
        u[b->dof + k] = g->joint_u[k] ? g->joint_u[k]->value : u[b->dof + k];
    }
    if (b->turns && g->omega && !fixed[b->n_slide]) {
        u[b->dof + b->n_slide] = g->omega->value - spin_of(kin, b->parent);
    }
    sp_kin_move_body(m, u, i, kin);
    sp_vec3 v = velocity_of(kin, i);
    const sp_vec miss = {g->vx ? g->vx->value - v.x : 0.0, g->vy ? g->vy->value - v.y : 0.0};
    solve_slides(m, kin, b, fixed, miss, g->vx, g->vy, u + b->dof);
    sp_kin_move_body(m, u, i, kin);
    v = velocity_of(kin, i);
    sp_start_check(g->vx, v.x, diag);
    sp_start_check(g->vy, v.y, diag);
    sp_start_check(g->omega, spin_of(kin, i), diag);
}

/* Prescribed coordinates and velocities at the start; they must be numbers there. */
static void prescribe(const sp_model *m, sp_state *x, sp_view *view, sp_diag *diag)
{
    for (int i = 0; i < m->n_motion; i++) {
        const sp_motion *p = &m->motion[i];
        const sp_signal_source now = {.t = x->t};
        double rate = 0.0;
        const double value = sp_func_grad(&p->func, &now, view->dyn.in, &rate, view->dyn.work);
        if (!isfinite(value) || !isfinite(rate)) {
            sp_diag_add(diag, SP_ERROR, p->place,
                        "the motion of %s is not a finite number with a finite rate at the start",
                        m->dof[p->dof].name);
        } else if (p->speed) {
            x->u[p->dof] = value;
        } else {
            x->q[m->dof[p->dof].q] = value;
            x->u[p->dof] = rate;
        }
    }
}

/* Formula coordinates, those of shapes and their rates as they are given. */
static void formula_values(const sp_model *m, sp_state *x)
{
    for (int i = 0; i < m->n_start; i++) {
        const sp_start_value *v = &m->start[i];
        const bool of_dof = sp_start_of_dof(v);
        if (of_dof &&
            (m->dof[v->index].body == SP_NONE || m->dof[v->index].move == SP_MOVE_SHAPE)) {
            *(v->kind == SP_START_Q ? &x->q[m->dof[v->index].q] : &x->u[v->index]) = v->value;
        }
    }
}

/* q and u from the start values: bodies absolute, joints relative, the rest zero in the joint. */
static sp_status coordinates(const sp_model *m, sp_state *x, sp_view *view, sp_diag *diag)
{
    prescribe(m, x, view, diag);
    formula_values(m, x);
    if (m->dim == 3) {
        return sp_start_space(m, x, view, diag);
    }
    given *g = SP_NEW(&view->arena, given, m->n_body);
    if (!g) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < m->n_start; i++) {
        collect(m, &m->start[i], g);
    }
    for (int i = 1; i < m->n_body; i++) {
        place(m, x->numbers, &g[i], i, &view->kin, x->q, diag);
        move(m, &g[i], i, &view->kin, x->u, diag);
    }
    return SP_OK;
}

/* What to do about a body that is in the material of an open curve since that is on the other side
 * than it was meant. */
#define OTHER_SIDE "change 'start', or if the body is on the right side, the material is not: "
static const char *remedy_of_curve(const sp_curve *c)
{
    if (c->kind == SP_CURVE_ARC) {
        return c->side > 0.0
                   ? OTHER_SIDE "that is on the side of the arc's centre; write 'inside: yes'"
                   : OTHER_SIDE "with 'inside: yes' that is outside of its circle; leave it out";
    }
    return c->side < 0.0 ? OTHER_SIDE "that is to the right of the curve's way; draw it the other "
                                      "way round, or write 'inside: yes'"
                         : OTHER_SIDE "with 'inside: yes' that is to the left of the curve's way; "
                                      "draw it the other way round, or leave it out";
}

/* What to do about a gap that is closed at the start; of an open curve that may be since it was
 * drawn the other way round. */
static const char *remedy_of(const sp_model *m, const sp_slot *s)
{
    const int contour[] = {s->contour_a, s->contour_b};
    for (int k = 0; s->is.curved && k < 2; k++) {
        const sp_contour *c = &m->contour[contour[k]];
        if (c->form > 0 && !m->curve[c->form - 1]->closed) {
            return remedy_of_curve(m->curve[c->form - 1]);
        }
    }
    return m->run.project_start ? "it could not be opened by 'start: project', change 'start'"
                                : "change 'start' or write 'run: {start: project}'";
}

/* Gaps at the start: named by contact, at the place of the contact in the file. */
static void check_gaps(const sp_model *m, const sp_view *view, sp_diag *diag)
{
    char buf[TITLE_MAX];
    for (int i = 0; i < m->n_slot; i++) {
        const sp_slot *s = &m->slot[i];
        const sp_place place = m->contact[s->contact].place;
        const char *title = sp_pool3_title(m, &view->con, i, buf, sizeof buf);
        if (view->con.g[i] != view->con.g[i] && !s->is.rule) {
            sp_diag_add(
                diag, SP_ERROR, place,
                "contact '%s': the nearest points of the two are not found at the start; do "
                "they run through each other? change 'start'",
                s->name);
        } else if (!(view->con.g[i] >= -SP_GAP_CORRECT) && !s->is.gapless && !view->con.aside[i]) {
            sp_diag_add(diag, SP_ERROR, place,
                        "contact '%s': gap = %g %s at the start, expected >= 0; %s", title,
                        view->con.g[i], s->is.rule && m->rule[s->rule].angle ? "rad" : "m",
                        remedy_of(m, s));
        }
    }
}

/* The two contours that are deepest in each other although no gap is below zero: they cross without
 * a corner in the other.   theory (66.25) */
static sp_status check_overlaps(const sp_model *m, sp_view *view, sp_diag *diag)
{
    const sp_sweep *sweep = sp_sweep_new(&view->arena, m);
    sp_sweep_pose *pose = SP_NEW(&view->arena, sp_sweep_pose, m->n_contour);
    if (!sweep || !pose) {
        return SP_E_MEMORY;
    }
    sp_sweep_poses(m, &view->kin, pose);
    const sp_sweep_deepest d = sp_sweep_find_deepest(sweep, &view->con, pose);
    if (d.depth > OVERLAPS * m->extent.gap) {
        const sp_slot *slot = &m->slot[d.slot];
        const sp_contact *c = &m->contact[slot->contact];
        sp_diag_add(diag, SP_ERROR, c->place,
                    "contact '%s': '%s' and '%s' overlap at the start, %.3g m deep, expected a gap "
                    ">= 0; they cross without a corner in each other, so that 'start: project' "
                    "has no gap to open: change 'start'",
                    c->name, m->contour[d.a].name, m->contour[d.b].name, d.depth);
    }
    return SP_OK;
}

/* Whether force i gives finite generalised forces: the machine is looked at with this one alone. */
static bool force_is_finite(const sp_model *m, const sp_state *x, int i, sp_view *view)
{
    sp_model one = *m;
    sp_numbers numbers = *x->numbers;
    one.n_force = 1;
    one.force = m->force + i;
    numbers.force = x->numbers->force + i;
    sp_dyn_forces(&one, &numbers, &view->kin, x->t, x->q, x->u, &view->dyn);
    for (int s = 0; s < SP_SHARES; s++) {
        for (int k = 0; k < m->n_dof && view->dyn.acts[s]; k++) {
            if (!isfinite(view->dyn.h[s][k])) {
                return false;
            }
        }
    }
    return true;
}

/* Expressions of forces must be numbers at the start.  All at once first: a machine with thousands
 * of good forces is not looked at thousands of times. */
static void check_forces(const sp_model *m, const sp_state *x, sp_view *view, sp_diag *diag)
{
    double sum = 0.0;
    sp_dyn_forces(m, x->numbers, &view->kin, x->t, x->q, x->u, &view->dyn);
    for (int s = 0; s < SP_SHARES; s++) {
        for (int k = 0; k < m->n_dof && view->dyn.acts[s]; k++) {
            sum += 0.0 * view->dyn.h[s][k]; /* NaN if one of them is not finite */
        }
    }
    for (int i = 0; i < m->n_force && sum != 0.0; i++) {
        if (!force_is_finite(m, x, i, view)) {
            sp_diag_add(diag, SP_ERROR, m->force[i].place,
                        "force '%s' is not a finite number at the start: it divides by zero or "
                        "leaves the domain of a function",
                        m->force[i].name);
        }
    }
}

/* Outputs must be numbers at the start; contacts carry no force yet.  load: what forces come to, if
 * an output asks for it. */
static sp_status check_outputs(const sp_model *m, const sp_state *x, const sp_loads *loads,
                               sp_view *view, sp_diag *diag)
{
    sp_contact_record *contact = SP_NEW(&view->arena, sp_contact_record, m->n_slot);
    if (!contact) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < m->n_slot && m->n_output > 0; i++) {
        const double g_N = view->con.g[i];
        double gamma[3];
        sp_con_slot_gamma(m, x->numbers, &view->con, i, gamma);
        contact[i] = (sp_contact_record){.g_N = g_N,
                                         .gamma_N = gamma[0],
                                         .gamma_T = m->slot[i].is.space || m->slot[i].is.two_slips
                                                        ? hypot(gamma[1], gamma[2])
                                                        : gamma[1],
                                         .gamma_t = {gamma[1], gamma[2]}};
    }
    sp_energy energy;
    sp_dyn_energies(m, x->numbers, x->t, x->q, x->u, &view->kin, &view->dyn, &energy);
    const sp_signal_source from = {.kin = &view->kin,
                                   .q = x->q,
                                   .u = x->u,
                                   .z = x->z,
                                   .t = x->t,
                                   .contact = contact,
                                   .kinetic = energy.kinetic,
                                   .potential = energy.potential,
                                   .loads = loads};
    for (int i = 0; i < m->n_output; i++) {
        const sp_output *o = &m->output[i];
        const double value = sp_func_value(&o->func, &from, view->dyn.in, view->dyn.work);
        if (!isfinite(value)) {
            sp_diag_add(diag, SP_ERROR, o->place,
                        "output '%s' is not a finite number at the start: it divides by zero or "
                        "leaves the domain of a function",
                        o->name);
        }
    }
    return SP_OK;
}

/* The same, with the forces of the start if an output asks for them. */
static sp_status check_all_outputs(const sp_model *m, const sp_allocator *allocator,
                                   const sp_state *x, sp_view *view, sp_diag *diag)
{
    sp_work *w;
    sp_error err = {.text = ""};
    if (!sp_loads_needed(m)) {
        return check_outputs(m, x, NULL, view, diag);
    }
    const sp_contact_record *none = SP_NEW(&view->arena, sp_contact_record, m->n_slot);
    SP_TRY(none ? sp_work_new(m, allocator, &w, NULL) : SP_E_MEMORY);
    sp_status status = sp_loads_new(m, w, &w->load, &err);
    if (status == SP_OK && sp_loads_find(m, x, none, w->load, &err) != SP_OK) {
        sp_diag_add(diag, SP_ERROR, m->run.place, "outputs: the forces at the start: %s", err.text);
    } else if (status == SP_OK) {
        status = check_outputs(m, x, &w->load->loads, view, diag);
    }
    sp_work_free(w);
    return status;
}

static sp_state *make_state(const sp_model *m, const sp_allocator *allocator)
{
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_state *x = SP_NEW(&arena, sp_state, 1);
    const bool ok = x && sp_state_room(m, &arena, x);
    if (ok) {
        x->arena = arena;
    } else {
        sp_arena_free(&arena);
    }
    return ok ? x : NULL;
}

/* Fill x with the start state and check it. */
static sp_status fill_state(const sp_model *m, const sp_allocator *allocator, sp_state *x,
                            sp_view *view, sp_diag *diag)
{
    SP_TRY(coordinates(m, x, view, diag));
    if (diag->n_error == 0) {
        SP_TRY(sp_close_loops(m, allocator, x, diag));
    }
    sp_view_look(m, x, view);
    if (m->run.project_start && view->con.least < -SP_GAP_CORRECT) {
        SP_TRY(sp_start_project(m, allocator, x, view, diag));
    }
    if (m->run.settle_start && diag->n_error == 0) {
        SP_TRY(sp_start_settle(m, allocator, x, view, diag));
    }
    check_gaps(m, view, diag);
    SP_TRY(diag->n_error == 0 ? check_overlaps(m, view, diag) : SP_OK);
    check_forces(m, x, view, diag);
    SP_TRY(check_all_outputs(m, allocator, x, view, diag));
    return diag->n_error > 0 ? SP_E_INPUT : SP_OK;
}

sp_status sp_start_state(const sp_model *m, const sp_allocator *allocator, sp_state **state,
                         sp_diag *diag)
{
    sp_view *view = NULL;
    sp_state *x = make_state(m, allocator);
    *state = NULL;
    sp_status status = x ? sp_view_new(m, allocator, &view, NULL) : SP_E_MEMORY;
    if (status == SP_OK) {
        status = fill_state(m, allocator, x, view, diag);
    }
    sp_view_free(view);
    if (status != SP_OK) {
        sp_state_free(x);
        return status;
    }
    *state = x;
    return SP_OK;
}

sp_status sp_state_new(const sp_model *m, const sp_allocator *allocator, sp_state **state,
                       sp_error *err)
{
    sp_arena arena;
    sp_arena_init(&arena, allocator, 0);
    sp_diag diag;
    sp_diag_init(&diag, &arena);
    const sp_status status = sp_diag_finish(&diag, sp_start_state(m, allocator, state, &diag),
                                            "the start state could not be made", err);
    sp_arena_free(&arena);
    return status;
}
