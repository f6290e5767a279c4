/* model/build_loads.c - names of what forces come to, for outputs: accelerations, reactions of
 * joints, forces, powers and energies of elements. */
#include "model/build_parts.h"
#include "model/pulls.h"
#include "model/ritz.h"

#include <stdio.h>
#include <string.h>

/* A name with its signal. */
typedef struct quantity {
    const char *name;
    sp_signal_kind kind;
    sp_dim dim;
    int space; /* 3: in space only, 2: in the plane only, 0: in both */
} quantity;

#define FORCE  SP_DIM(1, 1, -2)
#define MOMENT SP_DIM(2, 1, -2)

static const quantity point_quantity[] = {{"ax", SP_SIG_AX, SP_DIM(1, 0, -2), 0},
                                          {"ay", SP_SIG_AY, SP_DIM(1, 0, -2), 0},
                                          {"az", SP_SIG_AZ, SP_DIM(1, 0, -2), 3},
                                          {NULL, SP_SIG_AX, SP_DIM(0, 0, 0), 0}};
static const quantity body_quantity[] = {{"alpha", SP_SIG_ALPHA_Z, SP_DIM(0, 0, -2), 2},
                                         {"alpha_x", SP_SIG_ALPHA_X, SP_DIM(0, 0, -2), 3},
                                         {"alpha_y", SP_SIG_ALPHA_Y, SP_DIM(0, 0, -2), 3},
                                         {"alpha_z", SP_SIG_ALPHA_Z, SP_DIM(0, 0, -2), 3},
                                         {"joint.fx", SP_SIG_JOINT_FX, FORCE, 0},
                                         {"joint.fy", SP_SIG_JOINT_FY, FORCE, 0},
                                         {"joint.fz", SP_SIG_JOINT_FZ, FORCE, 3},
                                         {"joint.m", SP_SIG_JOINT_MZ, MOMENT, 2},
                                         {"joint.mx", SP_SIG_JOINT_MX, MOMENT, 3},
                                         {"joint.my", SP_SIG_JOINT_MY, MOMENT, 3},
                                         {"joint.mz", SP_SIG_JOINT_MZ, MOMENT, 3},
                                         {NULL, SP_SIG_AX, SP_DIM(0, 0, 0), 0}};
static const quantity loop_quantity[] = {
    {"fx", SP_SIG_LOOP_FX, FORCE, 0},  {"fy", SP_SIG_LOOP_FY, FORCE, 0},
    {"fz", SP_SIG_LOOP_FZ, FORCE, 3},  {"m", SP_SIG_LOOP_MZ, MOMENT, 2},
    {"mx", SP_SIG_LOOP_MX, MOMENT, 3}, {"my", SP_SIG_LOOP_MY, MOMENT, 3},
    {"mz", SP_SIG_LOOP_MZ, MOMENT, 3}, {NULL, SP_SIG_AX, SP_DIM(0, 0, 0), 0}};

static const quantity shape_quantity[] = {{"dx", SP_SIG_SHAPE_DX, SP_DIM(1, 0, 0), 0},
                                          {"dy", SP_SIG_SHAPE_DY, SP_DIM(1, 0, 0), 0},
                                          {"dz", SP_SIG_SHAPE_DZ, SP_DIM(1, 0, 0), 3},
                                          {"slope", SP_SIG_SHAPE_SLOPE, SP_DIM(0, 0, 0), 0},
                                          {"slope_z", SP_SIG_SHAPE_SLOPE_Z, SP_DIM(0, 0, 0), 3},
                                          {"twist", SP_SIG_SHAPE_TWIST, SP_DIM(0, 0, 0), 3},
                                          {"axial", SP_SIG_SHAPE_AXIAL, FORCE, 0},
                                          {"shear", SP_SIG_SHAPE_SHEAR, FORCE, 0},
                                          {"moment", SP_SIG_SHAPE_MOMENT, MOMENT, 0},
                                          {"stress", SP_SIG_SHAPE_STRESS, SP_DIM(-1, 1, -2), 0},
                                          {"torque", SP_SIG_SHAPE_TORQUE, MOMENT, 3},
                                          {"shear_y", SP_SIG_SHAPE_SHEAR_Y, FORCE, 3},
                                          {"shear_z", SP_SIG_SHAPE_SHEAR_Z, FORCE, 3},
                                          {"moment_y", SP_SIG_SHAPE_MOMENT_Y, MOMENT, 3},
                                          {"moment_z", SP_SIG_SHAPE_MOMENT_Z, MOMENT, 3},
                                          {NULL, SP_SIG_AX, SP_DIM(0, 0, 0), 0}};

/* The quantity called name in a table, NULL if this space has none. */
static const quantity *find(const sp_build *b, const quantity *table, const char *name)
{
    for (; table->name; table++) {
        if (strcmp(table->name, name) == 0 && (table->space == 0 || table->space == b->dim)) {
            return table;
        }
    }
    return NULL;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Beams have sections with forces; rings, plates and parts of files have none. */
static bool has_sections(const sp_body *body)
{
    return body->kind == &sp_ritz_kind || body->kind == &sp_ritz_space_kind;
}

bool sp_build_body_load(sp_build *b, int plan, const char *rest, sp_signal *out, sp_dim *dim)
{
    char point[SP_WHAT_MAX];
    const char *dot = strrchr(rest, '.');
    const quantity *q = find(b, body_quantity, rest);
    *out = (sp_signal){.index = b->plan[plan].body, .mark.body = b->plan[plan].body};
    if (q && plan == SP_GROUND) {
        return false; /* nothing carries the ground */
    }
    if (!q) {
        const char *name = dot ? dot + 1 : rest;
        q = find(b, point_quantity, name);
        q = !q && b->body[b->plan[plan].body].kind ? find(b, shape_quantity, name) : q;
        snprintf(point, sizeof point, "%.*s", dot ? (int)(dot - rest) : 0, rest);
        if (!q || (q->kind >= SP_SIG_SHAPE_AXIAL && !has_sections(&b->body[b->plan[plan].body])) ||
            !sp_build_point(b, plan, point, out->mark.at, NULL)) {
            return false;
        }
    }
    out->kind = q->kind;
    *dim = q->dim;
    return true;
}

/* ---- force elements -------------------------------------------------------------------------- */

/* Dimension of the measure of a force element; false: it has none. */
static bool measure_dim(sp_build *b, const sp_ref *ref, const sp_force *f, sp_dim *dim)
{
    *dim = sp_dim_of(1, 0, 0);
    if (f->kind == SP_FORCE_TYRE) {
        return true;
    }
    if (f->kind == SP_FORCE_DRIVE || f->kind == SP_FORCE_MOTOR) {
        *dim = sp_build_coordinate_dim(&b->dof[f->dof], false);
        return true;
    }
    const bool pulls = f->kind == SP_FORCE_PULL, slider = f->kind == SP_FORCE_SLIDER;
    if (f->kind != SP_FORCE_SPRING_MEASURE && !slider && !(pulls && !f->by_points)) {
        return f->kind == SP_FORCE_SPRING_POINTS || pulls;
    }
    const char *key = pulls ? f->pull->key : slider ? "of" : "spring";
    sp_scope scope = sp_build_scope(ref->family, ref->first - ref->family->first);
    sp_func func;
    sp_expr_info info;
    scope.level = SP_LEVEL_MEASURE;
    if (!sp_build_func(b, &scope, sp_node_get(ref->family->node, key), key, NULL, NULL, &func,
                       &info)) {
        return false;
    }
    *dim = info.dim;
    return true;
}

/* Whether the element has forces, moments. */
static bool has_force(const sp_force *f)
{
    return f->kind != SP_FORCE_TORQUE && f->kind != SP_FORCE_GRAVITY;
}

static bool has_moment(const sp_force *f)
{
    return f->kind == SP_FORCE_TORQUE || f->kind == SP_FORCE_BUSHING || f->kind == SP_FORCE_TYRE;
}

/* One quantity of an element; false: it has no such thing. */
static bool element_quantity(const sp_build *b, const char *name, const sp_force *f, bool measured,
                             sp_dim x, sp_signal_kind *kind, sp_dim *dim)
{
    const sp_dim energy = sp_dim_of(2, 1, -2), rate = sp_dim_of(0, 0, -1);
    if (measured && (strcmp(name, "length") == 0 || strcmp(name, "angle") == 0)) {
        const bool angle = sp_dim_is_pure(x);
        *kind = SP_SIG_ELEMENT_MEASURE;
        *dim = x;
        return angle == (strcmp(name, "angle") == 0);
    }
    if (f->kind == SP_FORCE_TYRE && strcmp(name, "slip") == 0) {
        *kind = SP_SIG_ELEMENT_RATE;
        *dim = sp_dim_of(0, 0, 0);
        return true;
    }
    if (f->kind != SP_FORCE_TYRE && strcmp(name, "rate") == 0 &&
        (measured || f->kind == SP_FORCE_DRAG)) {
        *kind = SP_SIG_ELEMENT_RATE;
        return sp_dim_product(measured ? x : sp_dim_of(1, 0, 0), rate, 1, dim);
    }
    if (strcmp(name, "force") == 0 && has_force(f)) {
        *kind = SP_SIG_ELEMENT_FORCE;
        return sp_dim_product(energy, measured ? x : sp_dim_of(1, 0, 0), -1, dim);
    }
    if (strcmp(name, "moment") == 0 && has_moment(f)) {
        *kind = SP_SIG_ELEMENT_MOMENT;
        *dim = energy;
        return true;
    }
    if (f->kind == SP_FORCE_TYRE && b->dim == 3 && strcmp(name, "side") == 0) {
        *kind = SP_SIG_ELEMENT_SIDE;
        *dim = sp_dim_of(1, 1, -2);
        return true;
    }
    *kind = strcmp(name, "power") == 0 ? SP_SIG_ELEMENT_POWER : SP_SIG_ELEMENT_ENERGY;
    *dim = strcmp(name, "power") == 0 ? sp_dim_of(2, 1, -3) : energy;
    return strcmp(name, "power") == 0 || strcmp(name, "energy") == 0;
}

sp_status sp_build_element_load(sp_build *b, const sp_ref *ref, sp_signal *out, sp_dim *dim,
                                sp_error *err)
{
    const sp_force *f = &b->m->force[ref->first];
    sp_dim x;
    const bool measured = measure_dim(b, ref, f, &x);
    *out = (sp_signal){.index = ref->first};
    if (element_quantity(b, ref->rest, f, measured, x, &out->kind, dim)) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT, "force '%s' has no '%s'; has: %s%s%s%s%spower, energy",
                   ref->family->name, ref->rest,
                   f->kind != SP_FORCE_TYRE ? ""
                   : b->dim == 3            ? "slip, side, "
                                            : "slip, ",
                   !measured           ? ""
                   : sp_dim_is_pure(x) ? "angle, "
                                       : "length, ",
                   f->kind != SP_FORCE_TYRE && (measured || f->kind == SP_FORCE_DRAG) ? "rate, "
                                                                                      : "",
                   has_force(f) ? "force, " : "", has_moment(f) ? "moment, " : "");
}

/* ---- joints that close loops, couplings ------------------------------------------------------ */

sp_status sp_build_row_load(sp_build *b, const sp_ref *ref, sp_signal *out, sp_dim *dim,
                            sp_error *err)
{
    const char *name = b->contact[ref->first].name;
    const quantity *q = find(b, loop_quantity, ref->rest);
    for (int i = 0; i < b->n_loop && q; i++) {
        if (strcmp(b->loop[i].name, name) == 0) {
            *out = (sp_signal){.kind = q->kind, .index = i};
            *dim = q->dim;
            return SP_OK;
        }
    }
    for (int i = 0; i < b->n_bond && strcmp(ref->rest, "force") == 0; i++) {
        if (b->bond[i].kind == SP_SLOT_BOND && strcmp(b->bond[i].name, name) == 0) {
            *out = (sp_signal){.kind = SP_SIG_ROW, .index = i};
            *dim = b->rule[b->bond[i].rule].angle ? sp_dim_of(2, 1, -2) : sp_dim_of(1, 1, -2);
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT, "'%s' has no '%s'; has: %s", name, ref->rest,
                   ref->family->kind == SP_PART_COUPLING ? "force"
                   : b->dim == 3                         ? "fx, fy, fz, mx, my, mz"
                                                         : "fx, fy, m");
}
