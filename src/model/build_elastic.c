/* model/build_elastic.c - beams, and the functions by which they deform.  theory section 72 */
#include "model/build_parts.h"
#include "model/part.h"
#include "model/ritz.h"
#include "model/wedge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- the tree ---------------------------------------------------------------------------------
 */

/* One count of functions; 0 after an error. */
static int read_count(sp_build *b, sp_scope *scope, const sp_node *node, const char *key)
{
    int n = 0;
    if (!sp_build_count(b, scope, node, key, 0, &n)) {
        return 0;
    }
    if (n > SP_RITZ_MOST) {
        sp_build_error(b, node->place, 0,
                       "%s: elastic: %s = %d functions, at most %d are possible; cut the beam "
                       "into several bodies",
                       scope->what, key, n, SP_RITZ_MOST);
        n = 0;
    }
    return n;
}

int sp_build_own_count(sp_build *b, int plan)
{
    const sp_family *f = b->plan[plan].family;
    const sp_node *node = f->node ? sp_node_get(f->node, "elastic") : NULL;
    const sp_node *bending = sp_node_get(node, "bending"), *torsion = sp_node_get(node, "torsion");
    const sp_node *stretch = sp_node_get(node, "stretch");
    int *const n = b->plan[plan].n_deform, sum = 0;
    sp_scope scope = sp_build_scope(f, plan - f->first);
    if (node && sp_node_get(node, "file")) {
        sum = sp_build_part_count(b, &scope, node);
        b->plan[plan].deforms = sum > 0 ? &sp_modal_kind : NULL;
        return sum;
    }
    if (node && (sp_node_get(f->node, "ring") || sp_node_get(f->node, "plate"))) {
        sum = sp_build_round_count(b, &scope, f->node, node);
        b->plan[plan].deforms = sum > 0 ? &sp_modal_kind : NULL;
        return sum;
    }
    const sp_node *given = sp_node_get(node, "functions");
    if (given && given->kind == SP_NODE_LIST && !bending) {
        n[SP_RITZ_Y] = given->n_child;
        n[SP_RITZ_Z] = b->dim == 3 ? n[SP_RITZ_Y] : 0;
    } else if (bending && bending->kind == SP_NODE_LIST && bending->n_child == 2) {
        n[SP_RITZ_Y] = read_count(b, &scope, bending->first, "bending");
        n[SP_RITZ_Z] = read_count(b, &scope, bending->first->next, "bending");
    } else if (bending) {
        n[SP_RITZ_Y] = read_count(b, &scope, bending, "bending");
        n[SP_RITZ_Z] = b->dim == 3 ? n[SP_RITZ_Y] : 0;
    }
    n[SP_RITZ_TWIST] = torsion && b->dim == 3 ? read_count(b, &scope, torsion, "torsion") : 0;
    n[SP_RITZ_STRETCH] = stretch ? read_count(b, &scope, stretch, "stretch") : 0;
    const sp_node *residual = sp_node_get(node, "residual");
    for (int k = 0; k < SP_RITZ_PARTS; k++) {
        n[k] += residual && n[k] > 0 ? residual->n_child : 0;
        sum += n[k];
    }
    if (sum > SP_RITZ_MOST) {
        sp_build_error(b, node->key_place, 0, "%s: elastic: %d functions, at most %d are possible",
                       scope.what, sum, SP_RITZ_MOST);
        memset(n, 0, SP_RITZ_PARTS * sizeof *n);
        sum = 0;
    }
    if (sum == 0 && !node) {
        return sp_build_wedge_count(b, plan);
    }
    b->plan[plan].deforms = sum == 0 ? NULL : b->dim == 3 ? &sp_ritz_space_kind : &sp_ritz_kind;
    return sum;
}

void sp_build_own_dofs(sp_build *b, int body, int *n_dof, int *n_q, long long *n_packed)
{
    sp_body *self = &b->body[body];
    const int *n = b->plan[b->plan_of[body]].n_deform, twist = n[SP_RITZ_Y] + n[SP_RITZ_Z];
    for (int k = 0; k < self->n_own; k++) {
        sp_dof *dof = &b->dof[*n_dof];
        const int parent = self->last_dof;
        char own[16];
        snprintf(own, sizeof own, "e%d", k + 1);
        const bool wedge = self->kind == &sp_wedge_kind;
        const char *name = wedge ? sp_build_wedge_name(b, b->plan_of[body], k) : own;
        const bool twists =
            wedge ? strncmp(name, "tilt", 4) == 0 : k >= twist && k < twist + n[SP_RITZ_TWIST];
        *dof = (sp_dof){.name = sp_build_printf(b, "%s.%s", self->name, name),
                        .rate_name = sp_build_printf(b, "%s.%s'", self->name, name),
                        .unit = twists ? "rad" : "m",
                        .rate_unit = twists ? "rad/s" : "m/s",
                        .move = SP_MOVE_SHAPE,
                        .slide = twists ? SP_NONE : 0,
                        .q = *n_q,
                        .body = body,
                        .parent = parent,
                        .depth = parent == SP_NONE ? 0 : b->dof[parent].depth + 1,
                        .row = *n_packed <= 2147483647LL ? (int)*n_packed : 0,
                        .motion = SP_NONE};
        b->coord[*n_q] =
            (sp_coord){.name = dof->name, .unit = dof->unit, .body = body, .dof = *n_dof};
        *n_packed += dof->depth + 1;
        self->last_dof = (*n_dof)++;
        (*n_q)++;
    }
}

bool sp_build_shape_signal(const sp_build *b, int plan, const char *rest, sp_signal *out,
                           sp_dim *dim)
{
    const sp_body *body = &b->body[b->plan[plan].body];
    for (int k = body->dof + body->n_dof; k < body->dof + body->n_dof + body->n_own; k++) {
        const size_t skip = strlen(body->name) + 1;
        const bool rate = strcmp(rest, b->dof[k].rate_name + skip) == 0;
        if (rate || strcmp(rest, b->dof[k].name + skip) == 0) {
            *out = rate ? (sp_signal){.kind = SP_SIG_U, .index = k}
                        : (sp_signal){.kind = SP_SIG_Q, .index = b->dof[k].q, .dof = k};
            *dim = sp_build_coordinate_dim(&b->dof[k], rate);
            return true;
        }
    }
    return false;
}

/* ---- sections ---------------------------------------------------------------------------------
 */

/* Two lengths of a list. */
static bool read_pair(sp_build *b, sp_scope *scope, const sp_node *list, const char *key,
                      double value[2])
{
    const bool good = list->kind == SP_NODE_LIST && list->n_child == 2;
    const sp_dim length = sp_dim_of(1, 0, 0);
    return good && sp_build_positive(b, scope, list->first, key, length, false, &value[0]) &&
           sp_build_positive(b, scope, list->first->next, key, length, false, &value[1]);
}

/* A round section, hollow for r_inner > 0. */
static void fill_tube(sp_beam *beam, double r_outer, double r_inner)
{
    beam->area = pi * (r_outer * r_outer - r_inner * r_inner);
    beam->inertia[2] = beam->inertia[1] = 0.25 * pi * (pow(r_outer, 4.0) - pow(r_inner, 4.0));
    beam->inertia[0] = 2.0 * beam->inertia[1];
    beam->edge[0] = beam->edge[1] = r_outer;
    beam->round = true;
}

/* A rectangle; its torsion constant by Saint-Venant's series, whose terms fall with n^-5.
 * theory (72.15) */
static void fill_rectangle(sp_beam *beam, double width, double height)
{
    const double a = fmax(width, height), c = fmin(width, height);
    double sum = 0.0;
    for (int n = 1; n < 200; n += 2) {
        sum += tanh(0.5 * n * pi * a / c) / pow(n, 5.0);
    }
    beam->area = width * height;
    beam->inertia[0] = a * pow(c, 3.0) * (1.0 / 3.0 - 64.0 / pow(pi, 5.0) * c / a * sum);
    beam->inertia[1] = beam->area * width * width / 12.0;
    beam->inertia[2] = beam->area * height * height / 12.0;
    beam->edge[0] = 0.5 * height;
    beam->edge[1] = 0.5 * width;
}

/* Given by its area and moments; edges are those of a rectangle. */
static bool read_area(sp_build *b, sp_scope *scope, const sp_node *map, sp_beam *beam)
{
    static const char *const key[] = {"torsion", "inertia_y", "inertia_z"};
    const sp_node *area = sp_node_get(map, "area");
    bool good = area && sp_build_positive(b, scope, area, "section: area", sp_dim_of(2, 0, 0),
                                          false, &beam->area);
    for (int k = b->dim == 3 ? 0 : 2; k < 3; k++) {
        const char *name = b->dim == 3 ? key[k] : "inertia";
        const sp_node *node = sp_node_get(map, name);
        char what[40];
        snprintf(what, sizeof what, "section: %s", name);
        good =
            node &&
            sp_build_positive(b, scope, node, what, sp_dim_of(4, 0, 0), false, &beam->inertia[k]) &&
            good;
    }
    beam->edge[0] = sqrt(3.0 * beam->inertia[2] / beam->area);
    beam->edge[1] = sqrt(3.0 * beam->inertia[1] / beam->area);
    return good;
}

/* Area, moments, distances of the edge. */
bool sp_build_section(sp_build *b, sp_scope *scope, const sp_node *map, sp_beam *beam)
{
    const sp_node *circle = sp_node_get(map, "circle"), *tube = sp_node_get(map, "tube");
    const sp_node *rectangle = sp_node_get(map, "rectangle");
    double r[2] = {0.0, 0.0};
    bool good;
    if (circle) {
        good = sp_build_positive(b, scope, circle, "section: circle", sp_dim_of(1, 0, 0), false,
                                 &r[0]);
        fill_tube(beam, r[0], 0.0);
    } else if (tube) {
        good = read_pair(b, scope, tube, "section: tube", r);
        if (good && !(r[1] < r[0])) {
            sp_build_error(b, tube->place, 0,
                           "%s: section: tube = [%g m, %g m], expected the outer radius first",
                           scope->what, r[0], r[1]);
            good = false;
        }
        fill_tube(beam, r[0], r[1]);
    } else if (rectangle) {
        good = read_pair(b, scope, rectangle, "section: rectangle", r);
        fill_rectangle(beam, r[0], r[1]);
    } else {
        good = read_area(b, scope, map, beam);
    }
    beam->polar = beam->inertia[1] + beam->inertia[2];
    return good;
}

/* ---- ends and frame ---------------------------------------------------------------------------
 */

static const char *const end_word[] = {[SP_END_FREE] = "free",
                                       [SP_END_CLAMPED] = "clamped",
                                       [SP_END_PINNED] = "pinned",
                                       [SP_END_GUIDED] = "guided"};
static const char *const frame_word[] = {
    [SP_RITZ_TANGENT] = "tangent", [SP_RITZ_CHORD] = "chord", [SP_RITZ_MEAN] = "mean"};

static int find_word(const char *const *word, int n, const char *text, size_t length)
{
    for (int k = 0; k < n; k++) {
        if (strlen(word[k]) == length && strncmp(word[k], text, length) == 0) {
            return k;
        }
    }
    return SP_NONE;
}

/* `A-B` */
static bool read_two_ends(sp_build *b, const sp_scope *scope, const sp_node *node,
                          sp_beam_end end[2])
{
    const char *text = sp_build_text(node), *dash = text ? strchr(text, '-') : NULL;
    const int a = dash ? find_word(end_word, 4, text, (size_t)(dash - text)) : SP_NONE;
    const int z = dash ? find_word(end_word, 4, dash + 1, strlen(dash + 1)) : SP_NONE;
    if (a == SP_NONE || z == SP_NONE) {
        sp_build_error(b, node->place, 0,
                       "%s: elastic: ends = %.60s, expected two of free, clamped, pinned, guided, "
                       "as in pinned-free",
                       scope->what, text ? text : "");
        return false;
    }
    end[0] = (sp_beam_end)a;
    end[1] = (sp_beam_end)z;
    return true;
}

/* Of both directions; without them a beam is clamped to what carries it, a free one is free. */
static bool read_ends(sp_build *b, const sp_scope *scope, const sp_node *node, bool is_free,
                      sp_beam *beam)
{
    const bool list = node && node->kind == SP_NODE_LIST && node->n_child == 2;
    bool good = true;
    for (int side = 0; side < 2; side++) {
        beam->end[side][0] = is_free ? SP_END_FREE : SP_END_CLAMPED;
        beam->end[side][1] = SP_END_FREE;
        const sp_node *one = !list ? node : side == 0 ? node->first : node->first->next;
        const bool again = side == 1 && !list;
        if (again) {
            memcpy(beam->end[1], beam->end[0], sizeof beam->end[1]);
        } else if (one) {
            good = read_two_ends(b, scope, one, beam->end[side]) && good;
        }
    }
    return good;
}

/* Whether the joint lets the body turn about its own axis z (side 0), -y (1). */
static bool turns_about(const sp_build *b, const sp_body *body, int side)
{
    if (b->dim == 2) {
        return body->turns;
    }
    for (int k = body->dof; k < body->dof + body->n_dof; k++) {
        const double *axis = b->dof_numbers[k].axis;
        const sp_move move = b->dof[k].move;
        if (move == SP_MOVE_BALL || ((move == SP_MOVE_TURN || move == SP_MOVE_SCREW) &&
                                     fabs(axis[side == 0 ? 2 : 1]) > 1.0 - 1e-9)) {
            return true;
        }
    }
    return false;
}

/* The frame by the joint.   theory (72.11) */
static sp_ritz_frame standard_frame(const sp_build *b, const sp_body_plan *p, const sp_beam *beam,
                                    int side)
{
    if (p->kind == SP_JOINT_FREE) {
        return SP_RITZ_MEAN;
    }
    if (sp_beam_loose(beam, side) == 0) {
        return SP_RITZ_HELD;
    }
    return turns_about(b, &b->body[p->body], side) ? SP_RITZ_CHORD : SP_RITZ_TANGENT;
}

/* A joint that keeps the frame from turning holds its line, not the section there: say so. */
static void warn_of_chord(sp_build *b, const sp_scope *scope, const sp_body_plan *p,
                          const sp_node *node, const sp_beam *beam)
{
    for (int side = 0; side < b->dim - 1; side++) {
        if (beam->frame[side] == SP_RITZ_CHORD && beam->n[side == 0 ? SP_RITZ_Y : SP_RITZ_Z] > 0 &&
            p->kind != SP_JOINT_FREE && !turns_about(b, &b->body[p->body], side)) {
            sp_diag_add(b->diag, SP_WARNING, node->place,
                        "%s: elastic: frame: chord: the joint holds the line through both ends of "
                        "the beam, which cannot swing along %s; with 'tangent' it holds the "
                        "section",
                        scope->what, side == 0 ? "y" : "z");
        }
    }
}

/* Whether bending moves the place of the joint in the frame, which holds it. */
static bool moves_joint(const sp_ritz *form)
{
    double value[SP_RITZ_ROW], largest = 0.0;
    sp_ritz_row(form, form->beam.from, value);
    for (int k = 0; k < form->n; k++) {
        largest = fmax(largest, fabs(value[k]));
    }
    return largest > 1e-9;
}

/* ---- the body ---------------------------------------------------------------------------------
 */

/* Point masses on the beam. */
static bool read_masses(sp_build *b, sp_scope *scope, const sp_node *list, sp_beam *beam)
{
    const sp_dim dim[2] = {sp_dim_of(1, 0, 0), sp_dim_of(0, 1, 0)};
    for (const sp_node *item = list ? list->first : NULL; item; item = item->next) {
        double *to = beam->mass[beam->n_mass];
        if (item->kind != SP_NODE_LIST || item->n_child != 2 || beam->n_mass == SP_BEAM_MASSES ||
            !sp_build_quantity(b, scope, item->first, "beam: masses: place", dim[0], NULL,
                               &to[0]) ||
            !sp_build_positive(b, scope, item->first->next, "beam: masses: mass", dim[1], true,
                               &to[1])) {
            return false;
        }
        if (!(to[0] >= 0.0 && to[0] <= beam->length)) {
            sp_build_error(b, item->place, 0,
                           "%s: beam: masses: x = %g m is not on the beam, which goes from 0 to "
                           "%g m",
                           scope->what, to[0], beam->length);
            return false;
        }
        beam->n_mass++;
    }
    return true;
}

/* Places whose loads have functions: on the beam, apart, and the modes not given. */
static bool read_residual(sp_build *b, sp_scope *scope, const sp_node *list, bool given,
                          sp_beam *beam)
{
    if (list && given) {
        sp_build_error(b, list->key_place, 0,
                       "%s: elastic: 'residual' beside a list of functions; write what the load "
                       "deflects as one of them",
                       scope->what);
        return false;
    }
    for (const sp_node *item = list ? list->first : NULL; item; item = item->next) {
        double *at = &beam->at[beam->n_static], near = beam->length;
        if (beam->n_static == SP_RITZ_STATIC ||
            !sp_build_quantity(b, scope, item, "elastic: residual", sp_dim_of(1, 0, 0), NULL, at)) {
            return false;
        }
        for (int k = 0; k < beam->n_static; k++) {
            near = fmin(near, fabs(*at - beam->at[k]));
        }
        if (!(*at >= 0.0 && *at <= beam->length && near > 1e-3 * beam->length)) {
            sp_build_error(
                b, item->place, 0,
                "%s: elastic: residual: x = %g m, expected a place on the beam, from 0 to "
                "%g m, and apart from the others",
                scope->what, *at, beam->length);
            return false;
        }
        beam->n_static++;
    }
    return true;
}

static bool read_beam(sp_build *b, sp_scope *scope, const sp_node *map, sp_beam *beam)
{
    const sp_node *section = sp_node_get(map, "section");
    bool good = sp_build_positive(b, scope, sp_node_get(map, "length"), "beam: length",
                                  sp_dim_of(1, 0, 0), false, &beam->length);
    good = sp_build_positive(b, scope, sp_node_get(map, "density"), "beam: density",
                             sp_dim_of(-3, 1, 0), false, &beam->density) &&
           good;
    good = sp_build_positive(b, scope, sp_node_get(map, "young"), "beam: young",
                             sp_dim_of(-1, 1, -2), false, &beam->young) &&
           good;
    const sp_node *poisson = sp_node_get(map, "poisson");
    double nu = 0.3;
    if (poisson &&
        sp_build_quantity(b, scope, poisson, "beam: poisson", sp_dim_of(0, 0, 0), NULL, &nu) &&
        !(nu > -1.0)) {
        sp_build_error(b, poisson->place, 0, "%s: beam: poisson = %g, expected > -1", scope->what,
                       nu);
        good = false;
    }
    beam->shear_modulus = 0.5 * beam->young / (1.0 + nu);
    const sp_node *shear = sp_node_get(map, "shear");
    good = (!shear || sp_build_positive(b, scope, shear, "beam: shear", sp_dim_of(0, 0, 0), false,
                                        &beam->shear)) &&
           good;
    good = read_masses(b, scope, sp_node_get(map, "masses"), beam) && good;
    return section && section->kind == SP_NODE_MAP && sp_build_section(b, scope, section, beam) &&
           good;
}

/* Functions, ends, frame and damping. */
static bool read_elastic(sp_build *b, sp_scope *scope, int plan, const sp_node *map, sp_beam *beam)
{
    const sp_body_plan *p = &b->plan[plan];
    memcpy(beam->n, p->n_deform, sizeof beam->n);
    if (p->n_own == 0) {
        sp_build_error(b, map->key_place, 0,
                       "%s: elastic: 0 functions, expected some, as in {bending: 3}; a rigid beam "
                       "has no 'elastic'",
                       scope->what);
        return false;
    }
    const char *functions = sp_build_text(sp_node_get(map, "functions"));
    const char *frame = sp_build_text(sp_node_get(map, "frame"));
    beam->modes = !functions || strcmp(functions, "polynomials") != 0;
    sp_build_positive(b, scope, sp_node_get(map, "damping"), "elastic: damping", sp_dim_of(0, 0, 0),
                      true, &beam->damping);
    const sp_node *functions_of = sp_node_get(map, "functions");
    const bool list = functions_of && functions_of->kind == SP_NODE_LIST;
    if (!read_ends(b, scope, sp_node_get(map, "ends"), list || p->kind == SP_JOINT_FREE, beam) ||
        !read_residual(b, scope, sp_node_get(map, "residual"), list, beam) ||
        (list && !sp_build_given(b, scope, functions_of, beam))) {
        return false;
    }
    const int given = frame ? find_word(frame_word, 3, frame, strlen(frame)) : SP_NONE;
    for (int side = 0; side < 2; side++) {
        beam->frame[side] =
            given == SP_NONE ? standard_frame(b, p, beam, side) : (sp_ritz_frame)given;
    }
    if (frame) {
        warn_of_chord(b, scope, p, sp_node_get(map, "frame"), beam);
    }
    return true;
}

/* ---- what it was made into --------------------------------------------------------------------
 */

void sp_build_remark(sp_build *b, const char *text)
{
    if (SP_BUILD_ROOM(b, b->remark, b->n_remark)) {
        b->remark[b->n_remark++] = text;
    }
}

static void remark_beam(sp_build *b, const sp_body *body, const sp_beam *beam)
{
    const int i = (int)(body - b->body);
    const sp_body_numbers *n = &b->body_numbers[i];
    if (b->dim == 2) {
        sp_build_remark(
            b,
            sp_build_printf(b,
                            "%s: beam of %.6g m, A %.5g m^2, I %.5g m^4, from edge to edge %.4g m; "
                            "mass %.6g kg, centre at x = %.6g m, inertia %.6g kg*m^2 about it",
                            body->name, beam->length, beam->area, beam->inertia[2],
                            2.0 * beam->edge[0], n->mass, n->center[0], n->inertia));
        return;
    }
    const double *J = b->space[i].inertia;
    sp_build_remark(
        b, sp_build_printf(
               b,
               "%s: beam of %.6g m, A %.5g m^2, I_y %.5g m^4, I_z %.5g m^4, torsion %.5g m^4, "
               "%.4g m along y, %.4g m along z; mass %.6g kg, centre at x = %.6g m, inertia "
               "%.6g, %.6g, %.6g kg*m^2 about it",
               body->name, beam->length, beam->area, beam->inertia[1], beam->inertia[2],
               beam->inertia[0], 2.0 * beam->edge[0], 2.0 * beam->edge[1], n->mass,
               b->space[i].center[0], J[0], J[1], J[2]));
}

static const char *frame_text(sp_ritz_frame frame)
{
    return frame == SP_RITZ_HELD ? "held by the ends" : frame_word[frame];
}

/* "3 functions of bending, 1 of stretch" */
static const char *count_text(sp_build *b, const sp_beam *beam)
{
    const int *n = beam->n;
    return b->dim == 2
               ? sp_build_printf(b, "%d functions of bending, %d of stretch", n[SP_RITZ_Y],
                                 n[SP_RITZ_STRETCH])
               : sp_build_printf(
                     b, "%d functions of bending along y, %d along z, %d of torsion, %d of stretch",
                     n[SP_RITZ_Y], n[SP_RITZ_Z], n[SP_RITZ_TWIST], n[SP_RITZ_STRETCH]);
}

/* Ends and frame, in space of both directions where they differ. */
static const char *ends_text(sp_build *b, const sp_beam *beam, bool frame)
{
    const char *text[2];
    for (int side = 0; side < 2; side++) {
        text[side] = frame ? frame_text(beam->frame[side])
                           : sp_build_printf(b, "%s-%s", end_word[beam->end[side][0]],
                                             end_word[beam->end[side][1]]);
    }
    return b->dim == 2 || strcmp(text[0], text[1]) == 0
               ? text[0]
               : sp_build_printf(b, "%s along y, %s along z", text[0], text[1]);
}

/* Functions, frame, frequencies, damping. */
static void remark_form(sp_build *b, const sp_body *body, const sp_ritz *form)
{
    enum { SHOWN = 6 };
    const sp_beam *beam = &form->beam;
    char list[SHOWN * 16 + 8] = "";
    size_t used = 0;
    for (int k = 0; k < form->n && k < SHOWN; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.5g", k > 0 ? ", " : "",
                                 form->omega[k] / (2.0 * pi));
    }
    sp_build_remark(
        b, sp_build_printf(b,
                           "%s: %s (%s, %s), e1 ... e%d; frame: %s; alone they swing with %s%s "
                           "Hz; damping %.4g%s",
                           body->name, count_text(b, beam),
                           beam->given   ? "given"
                           : beam->modes ? "modes"
                                         : "polynomials",
                           ends_text(b, beam, false), form->n, ends_text(b, beam, true), list,
                           form->n > SHOWN ? ", ..." : "", beam->damping,
                           beam->damping > 0.0 ? "" : " (waves never end; steel has 0.1 to 1 %)"));
}

static bool waves(const sp_body *body)
{
    return body->kind && body->kind != &sp_wedge_kind;
}

/* A coefficient of restitution beside waves that are computed. */
void sp_build_remarks(sp_build *b)
{
    const sp_model *m = b->m;
    for (int i = 0; i < b->n_slot && m->body; i++) {
        const sp_slot *s = &b->slot[i];
        const bool first = i == 0 || s->contact != b->slot[i - 1].contact;
        const int a = s->body_a, z = s->body_b;
        if (!first || s->law == SP_NONE || !(b->law[s->law].eps_N > 0.0) || a < 0 || z < 0 ||
            (!waves(&b->body[a]) && !waves(&b->body[z]))) {
            continue;
        }
        sp_build_remark(
            b, sp_build_printf(b,
                               "%s: eps_N %.4g on the elastic body '%s': measured with whole "
                               "bodies it contains their waves, which are computed here and then "
                               "count twice; eps_N: 0 with many functions gives restitution by "
                               "waves",
                               s->name, b->law[s->law].eps_N,
                               b->body[waves(&b->body[a]) ? a : z].name));
    }
}

/* What `beam` or a file says already. */
bool sp_build_alone(sp_build *b, const sp_scope *scope, const sp_node *body, const char *by)
{
    static const char *const key[] = {"mass", "inertia", "center", "density", "shape"};
    bool alone = true;
    for (int k = 0; k < 5; k++) {
        const sp_node *node = sp_node_get(body, key[k]);
        if (node) {
            sp_build_error(b, node->key_place, 0,
                           "%s: %s follows from '%s' already; leave one of them out", scope->what,
                           key[k], by);
            alone = false;
        }
    }
    return alone;
}

/* The form of an elastic beam; errors of what does not fit together. */
static void deform(sp_build *b, const sp_scope *scope, int plan, const sp_node *map,
                   const sp_beam *beam)
{
    sp_body *body = &b->body[b->plan[plan].body];
    const sp_ritz *form = sp_ritz_of_beam(b->arena, &b->scratch, beam);
    b->no_memory = b->no_memory || !form;
    body->form = form;
    if (form) {
        remark_form(b, body, form);
    }
    if (!form || b->plan[plan].kind == SP_JOINT_FREE) {
        return;
    }
    if (!(beam->from >= 0.0 && beam->from <= beam->length) || moves_joint(form)) {
        sp_build_error(b, map->key_place, 0,
                       "%s: elastic: the joint holds the beam at x = %g m, where its functions are "
                       "not zero; expected an end that is clamped or pinned there, or 'frame: %s'",
                       scope->what, beam->from,
                       beam->frame[0] == SP_RITZ_TANGENT ? "chord" : "tangent");
    }
}

static const double *shape_at(sp_build *b, int body, const double *at)
{
    const sp_body *on = &b->body[body];
    return on->kind == &sp_wedge_kind   ? NULL
           : on->kind == &sp_modal_kind ? sp_build_modal_shape(b->arena, on, at, &b->no_memory)
                                        : sp_ritz_shape(b->arena, on, at, &b->no_memory);
}

/* Marks that steps look at know their place: those of joints, loops and forces. */
void sp_build_mark_shapes(sp_build *b)
{
    const sp_model *m = b->m;
    for (int i = 1; i < m->n_body; i++) {
        sp_mark *mark = &b->body_numbers[i].mark;
        mark->shape = shape_at(b, mark->body, mark->at);
    }
    for (int i = 0; i < b->n_contour; i++) {
        sp_mark *mark = &b->contour_numbers[i].mark;
        mark->shape = shape_at(b, mark->body, mark->at);
    }
    for (int i = 0; i < 2 * b->n_loop; i++) {
        sp_mark *mark = &b->loop_numbers[i / 2].mark[i % 2];
        mark->shape = shape_at(b, mark->body, mark->at);
    }
}

/* Mass, centre, inertia of the straight beam. */
static void fill_rigid(sp_build *b, int i, const sp_beam *beam)
{
    sp_body_numbers *n = &b->body_numbers[i];
    const double line = beam->density * beam->area * beam->length, middle = 0.5 * beam->length;
    const double thick = beam->shear > 0.0 ? beam->density * beam->length : 0.0;
    double first = line * middle, across = line * beam->length * beam->length / 12.0;
    n->mass = line;
    for (int k = 0; k < beam->n_mass; k++) {
        n->mass += beam->mass[k][1];
        first += beam->mass[k][1] * beam->mass[k][0];
    }
    const double c = first / n->mass;
    across += line * (middle - c) * (middle - c);
    for (int k = 0; k < beam->n_mass; k++) {
        across += beam->mass[k][1] * (beam->mass[k][0] - c) * (beam->mass[k][0] - c);
    }
    n->center[0] = c;
    n->inertia = across + thick * beam->inertia[2];
    if (b->dim == 3) {
        b->space[i].center[0] = c;
        b->space[i].inertia[0] = beam->density * beam->polar * beam->length;
        b->space[i].inertia[1] = across + thick * beam->inertia[1];
        b->space[i].inertia[2] = across + thick * beam->inertia[2];
    }
}

void sp_build_beam(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    const int i = b->plan[plan].body;
    const sp_node *map = sp_node_get(node, "beam"), *elastic = sp_node_get(node, "elastic");
    sp_beam beam = {.from = b->dim == 3 ? b->space[i].from[0] : b->body_numbers[i].from[0]};
    if (elastic && sp_node_get(elastic, "file")) {
        sp_build_part(b, scope, plan, node, elastic);
        return;
    }
    if (sp_node_get(node, "ring") || sp_node_get(node, "plate")) {
        sp_build_round(b, scope, plan, node);
        return;
    }
    if (elastic && !map) {
        sp_build_error(
            b, elastic->key_place, 0,
            "%s: elastic: what deforms is missing, expected a 'beam' beside it or a 'file' in it",
            scope->what);
    }
    if (!map || map->kind != SP_NODE_MAP || !sp_build_alone(b, scope, node, "beam") ||
        !read_beam(b, scope, map, &beam)) {
        return;
    }
    fill_rigid(b, i, &beam);
    b->plan[plan].beam_length = beam.length;
    memcpy(b->plan[plan].beam_edge, beam.edge, sizeof beam.edge);
    remark_beam(b, &b->body[i], &beam);
    if (elastic && elastic->kind == SP_NODE_MAP && !b->plan[plan].broken &&
        read_elastic(b, scope, plan, elastic, &beam)) {
        deform(b, scope, plan, elastic, &beam);
    }
}
