/* model/build_clearance.c - joints with play: the contours and contacts that take their place. */
#include "model/build_clearance.h"

#include <string.h>

/* One side: a body or a point of it, moved by `at` or `from`. */
static bool read_side(sp_build *b, sp_clearance_plan *p, const sp_node *node, int side)
{
    sp_ref ref;
    sp_error err;
    const char *key = side == 0 ? "at" : "from";
    double more[3] = {0.0, 0.0, 0.0};
    if (!sp_build_body_ref(b, p->scope, node, &ref) || b->plan[ref.first].broken) {
        return false;
    }
    if (!sp_build_point(b, ref.first, ref.rest, p->at[side], &err)) {
        sp_build_error(b, node->place, 0, "%s: %s", p->scope->what, err.text);
        return false;
    }
    if (sp_node_get(p->node, key) &&
        !sp_build_vector(b, p->scope, sp_node_get(p->node, key), key, sp_dim_of(1, 0, 0), more)) {
        return false;
    }
    for (int d = 0; d < b->dim; d++) {
        p->at[side][d] += more[d];
    }
    p->plan[side] = ref.first;
    return true;
}

bool sp_build_clearance_contour(sp_build *b, sp_clearance_plan *p, int body, const char *part,
                                sp_contour contour, const sp_contour_numbers *numbers)
{
    sp_side *side = &p->side[1 - body];
    int *list = SP_BUILD_NEW(b, &b->scratch, int, side->n + 1);
    if (!list) {
        return false;
    }
    sp_build_add_contour(b, p->plan[body], sp_build_printf(b, "%s.%s", p->name, part), contour,
                         numbers);
    if (b->no_memory) {
        return false;
    }
    if (side->n > 0) {
        memcpy(list, side->contour, (size_t)side->n * sizeof *list);
    }
    side->contour = list;
    list[side->n++] = b->n_contour - 1;
    return true;
}

/* The same with its corners, whose mean the contour goes with on a body that deforms. */
static bool add_contour(sp_build *b, sp_clearance_plan *p, int body, const char *part,
                        sp_contour contour, const sp_contour_numbers *numbers,
                        const double (*corner)[2])
{
    contour.vertex = b->n_vertex;
    double(*v)[2] = sp_build_new_vertices(b, contour.n_vertex);
    if (v) {
        memcpy(v, corner, (size_t)contour.n_vertex * sizeof *v);
    }
    return v && sp_build_clearance_contour(b, p, body, part, contour, numbers);
}

/* A pin in a hole. */
static bool add_pin(sp_build *b, sp_clearance_plan *p)
{
    double radius;
    if (!sp_build_positive(b, p->scope, sp_node_get(p->node, "radius"), "radius",
                           sp_dim_of(1, 0, 0), false, &radius)) {
        return false;
    }
    const sp_contour_numbers pin = {.radius = radius}, hole = {.radius = radius + p->play};
    const sp_contour circle = {.kind = SP_CONTOUR_CIRCLE, .n_vertex = 1};
    const sp_contour hollow = {.kind = SP_CONTOUR_HOLLOW, .n_vertex = 1};
    const double at[2][1][2] = {{{p->at[0][0], p->at[0][1]}}, {{p->at[1][0], p->at[1][1]}}};
    return add_contour(b, p, 1, "pin", circle, &pin, at[1]) &&
           add_contour(b, p, 0, "hole", hollow, &hole, at[0]);
}

/* One wall of the guide: a line beside the axis e, whose normal points to it. */
static bool add_wall(sp_build *b, sp_clearance_plan *p, const char *part, sp_vec to_axis,
                     double far)
{
    const sp_contour_numbers numbers = {.normal = {to_axis.x, to_axis.y}};
    const sp_contour line = {.kind = SP_CONTOUR_LINE, .n_vertex = 1};
    const double at[1][2] = {{p->at[0][0] - far * to_axis.x, p->at[0][1] - far * to_axis.y}};
    return add_contour(b, p, 0, part, line, &numbers, at);
}

/* Corners of the block in the frame of its body: e along the slide, n across. */
static bool add_block(sp_build *b, sp_clearance_plan *p, sp_vec e, sp_vec n, const double size[2])
{
    static const char *const name[4] = {"back_lower", "front_lower", "front_upper", "back_upper"};
    static const double sign[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const sp_contour_numbers numbers = {.radius = 0.0};
    const sp_contour block = {.kind = SP_CONTOUR_POLYGON, .n_vertex = 4, .vertex_name = name};
    double v[4][2];
    for (int i = 0; i < 4; i++) {
        const double x = sign[i][0] * size[0], y = sign[i][1] * size[1];
        v[i][0] = p->at[1][0] + x * e.x + y * n.x;
        v[i][1] = p->at[1][1] + x * e.y + y * n.y;
    }
    return add_contour(b, p, 1, "block", block, &numbers, (const double(*)[2])v);
}

/* A block between the walls of a guide. */
static bool add_guide(sp_build *b, sp_clearance_plan *p)
{
    const sp_node *list = sp_node_get(p->node, "size"), *turn = sp_node_get(p->node, "turn");
    const sp_node *length = list && list->kind == SP_NODE_LIST ? list->first : NULL;
    double size[2] = {0.0, 0.0}, axis[3] = {1.0, 0.0, 0.0}, angle = 0.0;
    bool good = length != NULL;
    for (int d = 0; d < 2 && length; d++, length = length->next) {
        good =
            sp_build_positive(b, p->scope, length, "size", sp_dim_of(1, 0, 0), false, &size[d]) &&
            good;
    }
    good = sp_build_direction(b, p->scope, sp_node_get(p->node, "axis"), "axis", axis) && good;
    good =
        (!turn || sp_build_quantity(b, p->scope, turn, "turn", sp_dim_of(0, 0, 0), NULL, &angle)) &&
        good;
    if (!good) {
        return false;
    }
    const sp_rot R = angle == 0.0 ? (sp_rot){1.0, 0.0} : sp_rot_of(angle);
    const sp_vec given = {axis[0], axis[1]}, e = p->in_tree ? sp_rotate(R, given) : given;
    const sp_vec n = {-e.y, e.x}, down = {-n.x, -n.y};
    const double far = 0.5 * size[1] + p->play;
    return add_block(b, p, sp_rotate_back(R, e), sp_rotate_back(R, n), size) &&
           add_wall(b, p, "upper", down, far) && add_wall(b, p, "lower", n, far);
}

/* The longest way that the model has so far: to centres of mass, joints and corners. */
static double longest_way(const sp_build *b)
{
    double most = 0.0;
    for (int i = 0; i < b->m->n_body && b->dim == 3; i++) {
        const sp_space_numbers *n = &b->space[i];
        most = fmax(most, sp_length3(sp_vec3_of(n->center)));
        most = fmax(most, sp_length3(sp_vec3_of(b->body_numbers[i].mark.at)));
        most = fmax(most, sp_length3(sp_vec3_of(n->from)));
    }
    for (int i = 0; i < b->m->n_body && b->dim == 2; i++) {
        const sp_body_numbers *n = &b->body_numbers[i];
        most = fmax(most, hypot(n->center[0], n->center[1]));
        most = fmax(most, hypot(n->mark.at[0], n->mark.at[1]));
        most = fmax(most, hypot(n->from[0], n->from[1]));
    }
    for (int i = 0; i < b->n_vertex; i++) {
        most = fmax(most, hypot(b->vertex[i][0], b->vertex[i][1]));
    }
    return most;
}

/* The largest length of a joint's pin or block, which were read without error. */
static double own_length(sp_build *b, const sp_clearance_plan *p)
{
    static const char *const key[] = {"radius", "length", "size"};
    double most = 0.0;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        const sp_node *node = sp_node_get(p->node, key[k]);
        const bool list = node && node->kind == SP_NODE_LIST;
        for (const sp_node *item = list ? node->first : node; item;
             item = list ? item->next : NULL) {
            double length = 0.0;
            if (sp_build_positive(b, p->scope, item, key[k], sp_dim_of(1, 0, 0), false, &length)) {
                most = fmax(most, length);
            }
        }
    }
    return most;
}

/* Warn of a play that no other length of the machine reaches: a unit was forgotten. */
static void check_play(sp_build *b, const sp_clearance_plan *p, double way)
{
    const double most = fmax(way, own_length(b, p));
    if (most > 0.0 && p->play > most) {
        sp_diag_add(b->diag, SP_WARNING,
                    sp_build_place(b, sp_node_get(p->node, "clearance")->place),
                    "%s: clearance = %g m, more than every other length of the machine (%g m); is "
                    "the unit right?",
                    p->scope->what, p->play, most);
    }
}

/* The play, and the contours of both sides; false after an error. */
static bool add_contours(sp_build *b, sp_clearance_plan *p)
{
    const sp_node *play = sp_node_get(p->node, "clearance");
    if (!sp_build_positive(b, p->scope, play, "clearance", sp_dim_of(1, 0, 0), false, &p->play)) {
        return false;
    }
    const double way = longest_way(b);
    const bool done = b->dim == 3                         ? sp_build_clearance_space(b, p)
                      : sp_node_get(p->node, "prismatic") ? add_guide(b, p)
                                                          : add_pin(b, p);
    if (done) {
        check_play(b, p, way);
    }
    return done;
}

/* The contact points between them. */
static int add_slots(sp_build *b, sp_clearance_plan *p, sp_place place, int law)
{
    for (int s = 0; s < 2; s++) { /* each contour comes once: nobody sits anywhere yet */
        p->side[s].seat = SP_BUILD_NEW(b, &b->scratch, sp_seat, b->n_contour);
    }
    b->room = 0; /* no pool: every pair has its slot */
    return b->no_memory || law == SP_NONE
               ? 0
               : sp_build_slots(b, p->scope, place, law, &p->side[0], &p->side[1]);
}

/* A joint with play and the name of its contact. */
static sp_clearance_plan begin(const sp_build *b, sp_scope *scope, const sp_node *node, int contact)
{
    return (sp_clearance_plan){.scope = scope,
                               .node = node,
                               .name = b->contact[contact].name,
                               .side = {{.contact = contact}, {.contact = contact}}};
}

int sp_build_clearance(sp_build *b, sp_scope *scope, const sp_node *node, int contact, int law)
{
    sp_clearance_plan p = begin(b, scope, node, contact);
    const sp_node *pair = sp_node_get(node, "revolute");
    pair = pair ? pair : sp_node_get(node, "prismatic");
    if (!pair || pair->kind != SP_NODE_LIST || pair->n_child != 2 ||
        !read_side(b, &p, pair->first, 0) || !read_side(b, &p, pair->first->next, 1) ||
        !add_contours(b, &p)) {
        return 0;
    }
    return add_slots(b, &p, pair->place, law);
}

int sp_build_tree_clearance(sp_build *b, sp_scope *scope, int plan, int contact, int law)
{
    const sp_node *joint = b->plan[plan].joint;
    const int body = b->plan[plan].body;
    sp_clearance_plan p = begin(b, scope, joint, contact);
    p.plan[0] = b->plan[plan].parent;
    p.plan[1] = plan;
    p.in_tree = true;
    memcpy(p.at[0], b->body_numbers[body].mark.at, sizeof p.at[0]);
    if (b->dim == 3) {
        memcpy(p.at[1], b->space[body].from, sizeof p.at[1]);
    } else {
        memcpy(p.at[1], b->body_numbers[body].from, sizeof b->body_numbers[body].from);
    }
    return add_contours(b, &p) ? add_slots(b, &p, joint->place, law) : 0;
}
