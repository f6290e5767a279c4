/* model/build_joints.c - what joints are: their kinds, degrees of freedom, frames and springs. */
#include "model/build_parts.h"
#include "model/ritz.h"
#include "model/track.h"

#include <stdio.h>
#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------------- */

static const sp_move_plan hinge = {SP_MOVE_TURN, SP_ALONG_AXIS, "phi", "omega"};
static const sp_move_plan slide = {SP_MOVE_SLIDE, SP_ALONG_AXIS, "s", "v"};
static const sp_move_plan screw = {SP_MOVE_SCREW, SP_ALONG_AXIS, "phi", "omega"};
static const sp_move_plan along_x = {SP_MOVE_SLIDE, SP_ALONG_X, "x", "vx"};
static const sp_move_plan along_y = {SP_MOVE_SLIDE, SP_ALONG_Y, "y", "vy"};
static const sp_move_plan along_z = {SP_MOVE_SLIDE, SP_ALONG_Z, "z", "vz"};
static const sp_move_plan side_x = {SP_MOVE_SLIDE, SP_ALONG_SIDE_X, "x", "vx"};
static const sp_move_plan side_y = {SP_MOVE_SLIDE, SP_ALONG_SIDE_Y, "y", "vy"};
static const sp_move_plan first_of_two = {SP_MOVE_TURN, SP_ALONG_AXIS, "phi_1", "omega_1"};
static const sp_move_plan second_of_two = {SP_MOVE_TURN, SP_ALONG_SECOND, "phi_2", "omega_2"};
static const sp_move_plan ball[] = {
    {SP_MOVE_BALL, SP_ALONG_X, "omega_own_x", "omega_own_x"},
    {SP_MOVE_BALL, SP_ALONG_Y, "omega_own_y", "omega_own_y"},
    {SP_MOVE_BALL, SP_ALONG_Z, "omega_own_z", "omega_own_z"},
};

/* The degrees of freedom of every kind of joint, in their order; those of `free` are chosen. */
static const struct {
    const char *word;
    const sp_move_plan *move[SP_MOVE_MAX];
    bool in_space; /* ... only */
} kind_table[] = {
    [SP_JOINT_WELD] = {"weld", {NULL}, false},
    [SP_JOINT_REVOLUTE] = {"revolute", {&hinge}, false},
    [SP_JOINT_PRISMATIC] = {"prismatic", {&slide}, false},
    [SP_JOINT_TRACK] = {"track", {&slide}, false},
    [SP_JOINT_FREE] = {"free", {NULL}, false},
    [SP_JOINT_CYLINDRICAL] = {"cylindrical", {&slide, &hinge}, true},
    [SP_JOINT_UNIVERSAL] = {"universal", {&first_of_two, &second_of_two}, true},
    [SP_JOINT_SPHERICAL] = {"spherical", {&ball[0], &ball[1], &ball[2]}, true},
    [SP_JOINT_PLANAR] = {"planar", {&side_x, &side_y, &hinge}, true},
    [SP_JOINT_SCREW] = {"screw", {&screw}, true},
};

const sp_node *sp_build_joint_kind(const sp_node *joint, sp_joint_kind *kind)
{
    for (size_t k = 0; k < sizeof kind_table / sizeof *kind_table; k++) {
        const sp_node *ref = sp_node_get(joint, kind_table[k].word);
        if (ref) {
            *kind = (sp_joint_kind)k;
            return ref;
        }
    }
    return NULL;
}

/* Whether a word is in a list, or there is no list. */
static bool is_wanted(const sp_node *only, const char *word)
{
    bool found = !only;
    for (const sp_node *item = only && only->kind == SP_NODE_LIST ? only->first : NULL; item;
         item = item->next) {
        found = found || (sp_build_text(item) && strcmp(item->text, word) == 0);
    }
    return found;
}

/* The degrees of freedom of a free joint: all, or those under `only`, always in the same order. */
static void free_moves(const sp_build *b, sp_body_plan *p)
{
    static const sp_move_plan *const along[] = {&along_x, &along_y, &along_z};
    const sp_node *only = sp_node_get(p->joint, "only");
    for (int d = 0; d < b->dim; d++) {
        if (is_wanted(only, along[d]->q)) {
            p->move[p->n_move++] = along[d];
        }
    }
    if (b->dim == 2 && is_wanted(only, "phi")) {
        p->move[p->n_move++] = &hinge;
    }
    for (int d = 0; d < 3 && b->dim == 3 && is_wanted(only, "turn"); d++) {
        p->move[p->n_move++] = &ball[d];
    }
}

/* Whom the joint hangs on; false after an error. */
static bool read_parent(sp_build *b, sp_scope *scope, sp_body_plan *p)
{
    sp_ref ref = {.n = 0};
    if (!p->ref || !sp_build_body_ref(b, scope, p->ref, &ref)) {
        return false;
    }
    p->parent = ref.first;
    if (*ref.rest) {
        sp_build_error(b, p->ref->place, 0,
                       "%s: joint: '%s' is not a body; place the joint with 'at'", scope->what,
                       p->ref->text);
        return false;
    }
    return true;
}

void sp_build_read_joint(sp_build *b, int plan)
{
    sp_body_plan *p = &b->plan[plan];
    const sp_family *f = p->family;
    p->kind = SP_JOINT_FREE;
    p->joint = f->broken ? NULL : sp_node_get(f->node, "joint");
    if (p->joint && p->joint->kind == SP_NODE_MAP) {
        p->ref = sp_build_joint_kind(p->joint, &p->kind);
        const sp_node *first = sp_node_get(p->joint, "first");
        if (first && f->n_index && plan == f->first) {
            p->ref = first;
        }
        sp_scope scope = sp_build_scope(f, plan - f->first);
        if (!read_parent(b, &scope, p)) {
            p->broken = true;
        }
        if (sp_node_get(p->joint, "clearance")) {
            p->kind = SP_JOINT_FREE; /* contacts hold it */
        }
    } else if (p->joint) {
        p->broken = true;
    }
    if (kind_table[p->kind].in_space && b->dim == 2) {
        p->kind = SP_JOINT_WELD; /* reported already */
        p->broken = true;
    }
    if (p->kind == SP_JOINT_FREE) {
        free_moves(b, p);
    }
    for (int k = 0; k < SP_MOVE_MAX && kind_table[p->kind].move[k]; k++) {
        p->move[p->n_move++] = kind_table[p->kind].move[k];
    }
}

/* ---- coordinates ---------------------------------------------------------------------------- */

sp_dim sp_build_coordinate_dim(const sp_dof *dof, bool rate)
{
    return sp_dim_of(dof->slide == SP_NONE ? 0 : 1, 0, rate ? -1 : 0);
}

const char *sp_build_coordinate_text(const sp_dof *dof, bool rate)
{
    return dof->slide == SP_NONE && !rate ? "an angle [rad]" : NULL;
}

/* ---- springs -------------------------------------------------------------------------------- */

static const char *const spring_key[] = {"stiffness", "damping", "rest"};

/* Report one number for a joint that has not exactly one degree of freedom for it. */
static void refuse_spring(sp_build *b, const sp_scope *scope, const sp_node *node, int n_dof)
{
    sp_build_error(b, node->key_place, 0,
                   "%s: joint: %s needs a joint with one degree of freedom, this one has %d; use "
                   "%s'forces: {...: {spring: ...}}'",
                   scope->what, node->key, n_dof, n_dof > 1 ? "a list or " : "");
}

/* Stiffness (0), damping (1) or rest (2) of one degree of freedom. */
static void read_spring(sp_build *b, sp_scope *scope, const sp_node *node, int which, int dof)
{
    const bool turns = b->dof[dof].slide == SP_NONE;
    const int arm = turns ? 2 : 0; /* N m/rad against N/m: powers of m */
    const sp_dim want[] = {sp_dim_of(arm, 1, -2), sp_dim_of(arm, 1, -1),
                           sp_dim_of(turns ? 0 : 1, 0, 0)};
    const char *const want_text[] = {turns ? "a torsional stiffness [N*m/rad]" : NULL,
                                     turns ? "a torsional damping [N*m*s/rad]" : NULL,
                                     turns ? "an angle [rad]" : NULL};
    sp_dof_numbers *n = &b->dof_numbers[dof];
    double *const into[] = {&n->stiffness, &n->damping, &n->rest};
    char label[32];
    snprintf(label, sizeof label, "joint: %s", spring_key[which]);
    sp_build_quantity(b, scope, node, label, want[which], want_text[which], into[which]);
    if (into[which] != &n->rest) {
        sp_build_warn_of_push(b, scope, node, label, *into[which]);
    }
    b->dof[dof].spring = n->stiffness != 0.0 || n->damping != 0.0;
}

/* A list of them, one for each degree of freedom. */
static void read_springs(sp_build *b, sp_scope *scope, const sp_node *list, int which,
                         const sp_body *body)
{
    if (list->n_child != body->n_dof) {
        sp_build_error(b, list->place, 0, "%s: joint: %s has %d entries, expected %d", scope->what,
                       list->key, list->n_child, body->n_dof);
        return;
    }
    int dof = body->dof;
    for (const sp_node *item = list->first; item; item = item->next, dof++) {
        if (b->dof[dof].move == SP_MOVE_BALL) {
            sp_build_error(b, item->place, 0,
                           "%s: joint: %s: a rotation about a point has no coordinate for a "
                           "spring; use 'forces: {...: {bushing: ...}}'",
                           scope->what, list->key);
            return;
        }
        read_spring(b, scope, item, which, dof);
    }
}

/* Springs and dampers in a joint. */
static void joint_spring(sp_build *b, sp_scope *scope, const sp_body_plan *p)
{
    const sp_body *body = &b->body[p->body];
    for (int k = 0; k < 3; k++) {
        const sp_node *node = sp_node_get(p->joint, spring_key[k]);
        if (node && node->kind == SP_NODE_LIST) {
            read_springs(b, scope, node, k, body);
        } else if (sp_build_text(node) && body->n_dof != 1) {
            refuse_spring(b, scope, node, body->n_dof);
            return;
        } else if (sp_build_text(node)) {
            read_spring(b, scope, node, k, body->dof);
        }
    }
}

/* ---- the plane ------------------------------------------------------------------------------ */

/* The curve that a track follows, in the parent's axes; its direction at the beginning. */
static void read_track(sp_build *b, sp_scope *scope, const sp_body_plan *p, sp_body_numbers *n)
{
    const sp_node *value = sp_node_get(p->joint, "curve");
    const sp_curve *curve = value ? sp_build_profile(b, scope, p->joint, value) : NULL;
    sp_curve *own = SP_BUILD_NEW(b, b->arena, sp_curve, 1);
    sp_track *track = SP_BUILD_NEW(b, b->arena, sp_track, 1);
    double *work = SP_BUILD_NEW(b, &b->scratch, double, b->expr_work + 1);
    sp_error err = {.status = SP_OK};
    n->axis[0][0] = 1.0; /* after an error */
    if (!curve || !own || !track || !work) {
        return;
    }
    *own = *curve;
    own->turn = sp_rot_of(n->turn);
    if (sp_track_make(b->arena, own, work, track, &err) != SP_OK) {
        sp_build_error(b, value->place, 0, "%s: joint: %s", scope->what, err.text);
        return;
    }
    const sp_vec axis = sp_track_eval(track, 0.0, work).t;
    n->axis[0][0] = axis.x;
    n->axis[0][1] = axis.y;
    b->body[p->body].track = track;
}

/* Directions of the translations on the parent, with the joint's turn in them. */
static void plane_axes(sp_build *b, sp_scope *scope, const sp_body_plan *p, sp_body_numbers *n)
{
    const sp_rot R = sp_rot_of(n->turn);
    for (int k = 0; k < b->body[p->body].n_slide; k++) {
        const sp_along along = p->move[k]->along;
        double axis[2] = {along == SP_ALONG_X, along == SP_ALONG_Y};
        if (along == SP_ALONG_AXIS) {
            axis[0] = 1.0; /* after an error */
            sp_build_direction(b, scope, sp_node_get(p->joint, "axis"), "joint: axis", axis);
        }
        const sp_vec on_parent = n->turn == 0.0 ? sp_vec_of(axis) : sp_rotate(R, sp_vec_of(axis));
        n->axis[k][0] = on_parent.x;
        n->axis[k][1] = on_parent.y;
    }
}

/* Place, turn and axes of a joint in the plane. */
static void plane_numbers(sp_build *b, sp_scope *scope, const sp_body_plan *p)
{
    sp_body_numbers *n = &b->body_numbers[p->body];
    const sp_dim length = sp_dim_of(1, 0, 0);
    sp_build_vector(b, scope, sp_node_get(p->joint, "at"), "joint: at", length, n->mark.at);
    sp_build_vector(b, scope, sp_node_get(p->joint, "from"), "joint: from", length, n->from);
    sp_build_quantity(b, scope, sp_node_get(p->joint, "turn"), "joint: turn", sp_dim_of(0, 0, 0),
                      "an angle [rad]", &n->turn);
    sp_path_at on;
    if (sp_build_along(b, scope, p->joint, &on)) {
        n->mark.at[0] = on.r.x;
        n->mark.at[1] = on.r.y;
        n->turn = on.phi;
    }
    if (p->kind == SP_JOINT_TRACK) {
        read_track(b, scope, p, n);
    } else {
        plane_axes(b, scope, p, n);
    }
}

/* ---- space ---------------------------------------------------------------------------------- */

void sp_build_sides(sp_vec3 n, sp_vec3 *first, sp_vec3 *second)
{
    static const sp_vec3 unit[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double size[] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    int nearest = 2;
    for (int d = 1; d >= 0; d--) {
        nearest = size[d] > size[nearest] ? d : nearest;
    }
    const sp_vec3 e = unit[(nearest + 1) % 3];
    const sp_vec3 in_plane = sp_axpy3(e, -sp_inner3(e, n), n);
    *first = sp_scale3(1.0 / sp_length3(in_plane), in_plane);
    *second = sp_cross3(n, *first);
}

/* The axes of a universal joint. */
static bool read_two_axes(sp_build *b, sp_scope *scope, const sp_node *node, sp_vec3 axis[2])
{
    double value[2][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    if (!node || node->kind != SP_NODE_LIST || node->n_child != 2) {
        return false;
    }
    bool good = sp_build_direction(b, scope, node->first, "joint: axis", value[0]);
    good = sp_build_direction(b, scope, node->first->next, "joint: axis", value[1]) && good;
    axis[0] = sp_vec3_of(value[0]);
    axis[1] = sp_vec3_of(value[1]);
    if (good && sp_length3(sp_cross3(axis[0], axis[1])) < 1e-6) {
        sp_build_error(b, node->place, 0,
                       "%s: joint: axis: both axes have the same direction, expected different "
                       "ones",
                       scope->what);
        return false;
    }
    return good;
}

/* Way along a screw's axis per radian. */
static void read_pitch(sp_build *b, sp_scope *scope, const sp_body_plan *p, sp_dof_numbers *n)
{
    const sp_dim length = sp_dim_of(1, 0, 0);
    double lead;
    sp_build_quantity(b, scope, sp_node_get(p->joint, "pitch"), "joint: pitch", length,
                      "a length per angle [m/rad]", &n->pitch);
    if (sp_build_quantity(b, scope, sp_node_get(p->joint, "lead"), "joint: lead", length, NULL,
                          &lead)) {
        n->pitch = lead / (2.0 * 3.141592653589793);
    }
}

/* Axes of the degrees of freedom in the joint's frame. */
static void space_axes(sp_build *b, sp_scope *scope, const sp_body_plan *p)
{
    sp_vec3 axis[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, /* of the frame */
                      {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const sp_node *node = sp_node_get(p->joint, "axis");
    double given[3] = {0.0, 0.0, 1.0};
    if (p->kind == SP_JOINT_UNIVERSAL) {
        read_two_axes(b, scope, node, axis + SP_ALONG_AXIS);
    } else if (node && sp_build_direction(b, scope, node, "joint: axis", given)) {
        axis[SP_ALONG_AXIS] = sp_vec3_of(given);
    }
    sp_build_sides(axis[SP_ALONG_AXIS], &axis[SP_ALONG_SIDE_X], &axis[SP_ALONG_SIDE_Y]);
    for (int k = 0; k < p->n_move; k++) {
        sp_dof_numbers *n = &b->dof_numbers[b->body[p->body].dof + k];
        const sp_vec3 e = axis[p->move[k]->along];
        if (p->move[k]->move != SP_MOVE_BALL) {
            n->axis[0] = e.x;
            n->axis[1] = e.y;
            n->axis[2] = e.z;
        }
        if (p->move[k]->move == SP_MOVE_SCREW) {
            read_pitch(b, scope, p, n);
        }
    }
}

/* Place, turn and axes of a joint in space. */
static void space_numbers(sp_build *b, sp_scope *scope, const sp_body_plan *p)
{
    sp_space_numbers *n = &b->space[p->body];
    sp_mark *mark = &b->body_numbers[p->body].mark;
    const sp_dim length = sp_dim_of(1, 0, 0);
    sp_rot3 R = sp_rot3_one();
    sp_build_vector(b, scope, sp_node_get(p->joint, "at"), "joint: at", length, mark->at);
    sp_build_vector(b, scope, sp_node_get(p->joint, "from"), "joint: from", length, n->from);
    sp_build_turn(b, scope, sp_node_get(p->joint, "turn"), "joint: turn", &R);
    sp_path_at on;
    if (sp_build_along(b, scope, p->joint, &on)) {
        mark->at[0] = on.r.x;
        mark->at[1] = on.r.y;
        R = sp_rot3_about((sp_vec3){0.0, 0.0, 1.0}, cos(on.phi), sin(on.phi));
    }
    sp_build_store_turn(R, mark->axes);
    space_axes(b, scope, p);
}

/* ---- along a deformed axis ------------------------------------------------------------------ */

/* Direction of the one translation in the axes of the parent. */
static sp_vec3 slide_axis(const sp_build *b, const sp_body *body)
{
    const sp_body_numbers *n = &b->body_numbers[body - b->body];
    return b->dim == 3
               ? sp_rotate3(sp_rot3_of(n->mark.axes), sp_vec3_of(b->dof_numbers[body->dof].axis))
               : (sp_vec3){n->axis[0][0], n->axis[0][1], 0.0};
}

/* The mark of the joint moves along the beam; on it the joint has no translation.   theory (97.1)
 */
static void read_follows(sp_build *b, const sp_scope *scope, const sp_body_plan *p)
{
    const sp_node *node = sp_node_get(p->joint, "follows");
    sp_body *body = &b->body[p->body];
    if (!node) {
        return;
    }
    const struct sp_body_kind *on = b->body[body->parent].kind;
    if (on != &sp_ritz_kind && on != &sp_ritz_space_kind) {
        sp_build_error(b, node->place, 0,
                       "%s: joint: follows: '%s' is no elastic beam, whose axis deforms; leave it "
                       "out, or give that body 'beam' and 'elastic'",
                       scope->what, b->body[body->parent].name);
        return;
    }
    const sp_vec3 e = body->n_slide == 1 ? slide_axis(b, body) : (sp_vec3){0.0, 0.0, 0.0};
    if (!(e.x > 1.0 - 1e-12)) {
        sp_build_error(b, node->place, 0,
                       "%s: joint: follows: expected a joint with one translation, along x of the "
                       "beam, such as {prismatic: ..., axis: %s}",
                       scope->what, b->dim == 3 ? "[1, 0, 0]" : "[1, 0]");
        return;
    }
    body->follows = true;
    memset(b->body_numbers[p->body].axis, 0, sizeof b->body_numbers[p->body].axis);
    memset(b->dof_numbers[body->dof].axis, 0, sizeof b->dof_numbers[body->dof].axis);
}

void sp_build_joint_numbers(sp_build *b, sp_scope *scope, int plan)
{
    const sp_body_plan *p = &b->plan[plan];
    if (b->dim == 3) {
        space_numbers(b, scope, p);
    } else {
        plane_numbers(b, scope, p);
    }
    read_follows(b, scope, p);
    joint_spring(b, scope, p);
}
