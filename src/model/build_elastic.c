/* model/build_elastic.c - beams, and the functions by which they deform.  theory section 72 */
#include "model/build_parts.h"
#include "model/ritz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- the tree ---------------------------------------------------------------------------------
 */

int sp_build_own_count(sp_build *b, int plan)
{
    const sp_family *f = b->plan[plan].family;
    const sp_node *node = f->node ? sp_node_get(f->node, "elastic") : NULL;
    static const char *const key[] = {"bending", "stretch"};
    sp_scope scope = sp_build_scope(f, plan - f->first);
    int sum = 0;
    for (int k = 0; k < 2 && node; k++) {
        const sp_node *count = sp_node_get(node, key[k]);
        int n = 0;
        if (count && sp_build_count(b, &scope, count, key[k], 0, &n) && n > SP_RITZ_MOST) {
            sp_build_error(b, count->place, 0,
                           "%s: elastic: %s = %d functions, at most %d are possible; cut the beam "
                           "into several bodies",
                           scope.what, key[k], n, SP_RITZ_MOST);
            n = 0;
        }
        sum += n;
    }
    if (sum > SP_RITZ_MOST) {
        sp_build_error(b, node->key_place, 0, "%s: elastic: %d functions, at most %d are possible",
                       scope.what, sum, SP_RITZ_MOST);
        sum = SP_RITZ_MOST;
    }
    return sum;
}

void sp_build_own_dofs(sp_build *b, int body, int *n_dof, int *n_q, long long *n_packed)
{
    sp_body *self = &b->body[body];
    for (int k = 0; k < self->n_own; k++) {
        sp_dof *dof = &b->dof[*n_dof];
        const int parent = self->last_dof;
        *dof = (sp_dof){.name = sp_build_printf(b, "%s.e%d", self->name, k + 1),
                        .rate_name = sp_build_printf(b, "%s.e%d'", self->name, k + 1),
                        .unit = "m",
                        .rate_unit = "m/s",
                        .move = SP_MOVE_SHAPE,
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
            *dim = sp_dim_of(1, 0, rate ? -1 : 0);
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

/* Area, moment of area in the plane, distance of the edge. */
static bool read_section(sp_build *b, sp_scope *scope, const sp_node *map, sp_beam *beam)
{
    const sp_node *circle = sp_node_get(map, "circle"), *tube = sp_node_get(map, "tube");
    const sp_node *rectangle = sp_node_get(map, "rectangle");
    double r[2];
    if (circle &&
        sp_build_positive(b, scope, circle, "section: circle", sp_dim_of(1, 0, 0), false, &r[0])) {
        beam->area = pi * r[0] * r[0];
        beam->inertia = 0.25 * beam->area * r[0] * r[0];
        beam->edge = r[0];
        return true;
    }
    if (tube && read_pair(b, scope, tube, "section: tube", r)) {
        if (!(r[1] < r[0])) {
            sp_build_error(b, tube->place, 0,
                           "%s: section: tube = [%g m, %g m], expected the outer radius first",
                           scope->what, r[0], r[1]);
            return false;
        }
        beam->area = pi * (r[0] * r[0] - r[1] * r[1]);
        beam->inertia = 0.25 * pi * (pow(r[0], 4.0) - pow(r[1], 4.0));
        beam->edge = r[0];
        return true;
    }
    if (rectangle && read_pair(b, scope, rectangle, "section: rectangle", r)) {
        beam->area = r[0] * r[1];
        beam->inertia = beam->area * r[1] * r[1] / 12.0;
        beam->edge = 0.5 * r[1];
        return true;
    }
    const sp_node *area = sp_node_get(map, "area"), *inertia = sp_node_get(map, "inertia");
    if (!area || !inertia ||
        !sp_build_positive(b, scope, area, "section: area", sp_dim_of(2, 0, 0), false,
                           &beam->area) ||
        !sp_build_positive(b, scope, inertia, "section: inertia", sp_dim_of(4, 0, 0), false,
                           &beam->inertia)) {
        return false;
    }
    beam->edge = sqrt(3.0 * beam->inertia / beam->area); /* of a rectangle */
    return true;
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

/* `A-B`; without it a beam is clamped to what carries it, a free one is free. */
static bool read_ends(sp_build *b, const sp_scope *scope, const sp_node *node, bool is_free,
                      sp_beam *beam)
{
    beam->end[0] = is_free ? SP_END_FREE : SP_END_CLAMPED;
    beam->end[1] = SP_END_FREE;
    if (!node) {
        return true;
    }
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
    beam->end[0] = (sp_beam_end)a;
    beam->end[1] = (sp_beam_end)z;
    return true;
}

/* The frame by the joint.   theory (72.11) */
static sp_ritz_frame standard_frame(const sp_body_plan *p, const sp_body *body, const sp_beam *beam)
{
    if (p->kind == SP_JOINT_FREE) {
        return SP_RITZ_MEAN;
    }
    if (sp_beam_loose(beam) == 0) {
        return SP_RITZ_HELD;
    }
    return body->turns ? SP_RITZ_CHORD : SP_RITZ_TANGENT;
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
    return section && section->kind == SP_NODE_MAP && read_section(b, scope, section, beam) && good;
}

/* Functions, ends, frame and damping. */
static bool read_elastic(sp_build *b, sp_scope *scope, int plan, const sp_node *map, sp_beam *beam)
{
    const sp_body_plan *p = &b->plan[plan];
    const sp_node *count[] = {sp_node_get(map, "bending"), sp_node_get(map, "stretch")};
    int *const n[] = {&beam->n_bend, &beam->n_stretch};
    for (int k = 0; k < 2; k++) {
        if (count[k] && !sp_build_count(b, scope, count[k], "elastic", 0, n[k])) {
            return false;
        }
    }
    if (beam->n_bend + beam->n_stretch != p->n_own) {
        return false; /* reported */
    }
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
    if (!read_ends(b, scope, sp_node_get(map, "ends"), p->kind == SP_JOINT_FREE, beam)) {
        return false;
    }
    const int given = frame ? find_word(frame_word, 3, frame, strlen(frame)) : SP_NONE;
    beam->frame =
        given == SP_NONE ? standard_frame(p, &b->body[p->body], beam) : (sp_ritz_frame)given;
    return true;
}

/* ---- what it was made into --------------------------------------------------------------------
 */

static void remark(sp_build *b, const char *text)
{
    if (SP_BUILD_ROOM(b, b->remark, b->n_remark)) {
        b->remark[b->n_remark++] = text;
    }
}

static void remark_beam(sp_build *b, const sp_body *body, const sp_beam *beam)
{
    const sp_body_numbers *n = &b->body_numbers[body - b->body];
    remark(b,
           sp_build_printf(b,
                           "%s: beam of %.6g m, A %.5g m^2, I %.5g m^4, from edge to edge %.4g m; "
                           "mass %.6g kg, centre at x = %.6g m, inertia %.6g kg*m^2 about it",
                           body->name, beam->length, beam->area, beam->inertia, 2.0 * beam->edge,
                           n->mass, n->center[0], n->inertia));
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
    remark(b, sp_build_printf(
                  b,
                  "%s: %d functions of bending, %d of stretch (%s, %s-%s), e1 ... e%d; "
                  "frame: %s; alone they swing with %s%s Hz; damping %.4g%s",
                  body->name, form->n_bend, form->n - form->n_bend,
                  beam->modes ? "modes" : "polynomials", end_word[beam->end[0]],
                  end_word[beam->end[1]], form->n,
                  beam->frame == SP_RITZ_HELD ? "held by the ends" : frame_word[beam->frame], list,
                  form->n > SHOWN ? ", ..." : "", beam->damping,
                  beam->damping > 0.0 ? "" : " (waves never end; steel has 0.1 to 1 %)"));
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
            (!b->body[a].kind && !b->body[z].kind)) {
            continue;
        }
        remark(b, sp_build_printf(
                      b,
                      "%s: eps_N %.4g on the elastic body '%s': measured with whole "
                      "bodies it contains their waves, which are computed here and then "
                      "count twice; eps_N: 0 with many functions gives restitution by "
                      "waves",
                      s->name, b->law[s->law].eps_N, b->body[b->body[a].kind ? a : z].name));
    }
}

/* What `beam` says already. */
static bool check_alone(sp_build *b, const sp_scope *scope, const sp_node *body)
{
    static const char *const key[] = {"mass", "inertia", "center", "density", "shape"};
    bool alone = true;
    for (int k = 0; k < 5; k++) {
        const sp_node *node = sp_node_get(body, key[k]);
        if (node) {
            sp_build_error(b, node->key_place, 0,
                           "%s: %s follows from 'beam' already; leave one of them out", scope->what,
                           key[k]);
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
                       beam->frame == SP_RITZ_TANGENT ? "chord" : "tangent");
    }
}

/* Marks that steps look at know their place: those of joints, loops and forces. */
void sp_build_mark_shapes(sp_build *b)
{
    const sp_model *m = b->m;
    for (int i = 1; i < m->n_body; i++) {
        sp_mark *mark = &b->body_numbers[i].mark;
        mark->shape = sp_ritz_shape(b->arena, &b->body[mark->body], mark->at, &b->no_memory);
    }
    for (int i = 0; i < b->n_contour; i++) {
        sp_mark *mark = &b->contour_numbers[i].mark;
        mark->shape = sp_ritz_shape(b->arena, &b->body[mark->body], mark->at, &b->no_memory);
    }
    for (int i = 0; i < 2 * b->n_loop; i++) {
        sp_mark *mark = &b->loop_numbers[i / 2].mark[i % 2];
        mark->shape = sp_ritz_shape(b->arena, &b->body[mark->body], mark->at, &b->no_memory);
    }
}

void sp_build_beam(sp_build *b, sp_scope *scope, int plan, const sp_node *node)
{
    const int i = b->plan[plan].body;
    const sp_node *map = sp_node_get(node, "beam"), *elastic = sp_node_get(node, "elastic");
    sp_body_numbers *n = &b->body_numbers[i];
    sp_beam beam = {.from = n->from[0]};
    if (elastic && !map) {
        sp_build_error(b, elastic->key_place, 0,
                       "%s: elastic: what deforms is missing, expected a 'beam' beside it",
                       scope->what);
    }
    if (!map || map->kind != SP_NODE_MAP || !check_alone(b, scope, node) ||
        !read_beam(b, scope, map, &beam)) {
        return;
    }
    n->mass = beam.density * beam.area * beam.length;
    n->center[0] = 0.5 * beam.length;
    n->inertia = n->mass * beam.length * beam.length / 12.0;
    remark_beam(b, &b->body[i], &beam);
    if (elastic && elastic->kind == SP_NODE_MAP && !b->plan[plan].broken &&
        read_elastic(b, scope, plan, elastic, &beam)) {
        deform(b, scope, plan, elastic, &beam);
    }
}
