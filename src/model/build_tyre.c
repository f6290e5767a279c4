/* model/build_tyre.c - tyres: a wheel of a radius on a straight line or a plane.   theory
 * (87.1)-(87.3) */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* The line or plane that the tyre rolls on, as the second mark: its y axis is the normal.  False
 * after an error. */
static bool read_ground(sp_build *b, sp_force_plan *p, const sp_node *on)
{
    const bool space = b->dim == 3;
    sp_ref ref;
    char path[2 * SP_WHAT_MAX];
    if (!on || !sp_build_body_ref(b, &p->scope, on, &ref) || b->plan[ref.first].broken) {
        return false;
    }
    snprintf(path, sizeof path, "%s.%s", b->body[b->plan[ref.first].body].name, ref.rest);
    const int k = sp_names_find(&b->contour_names, path, strlen(path));
    if (k == SP_NONE || b->contour[k].kind != (space ? SP_CONTOUR_PLANE : SP_CONTOUR_LINE)) {
        sp_build_error(b, on->place, 0,
                       "%s: on = %s is no %s, expected a contour {%s: ...} such as ground.road",
                       p->scope.what, on->text, space ? "plane" : "line", space ? "plane" : "line");
        return false;
    }
    const sp_contour_numbers *c = &b->contour_numbers[k];
    sp_mark *mark = &p->numbers->mark[1];
    *mark = (sp_mark){.body = b->contour[k].body, .turned = true};
    if (space) {
        memcpy(mark->at, c->mark.at, sizeof mark->at);
    } else {
        memcpy(mark->at, b->vertex[b->contour[k].vertex], sizeof b->vertex[0]);
    }
    sp_build_store_turn(sp_build_axes_by_normal(space ? sp_vec3_of(c->axis)
                                                      : (sp_vec3){c->normal[0], c->normal[1], 0.0}),
                        mark->axes);
    p->force->body[1] = mark->body;
    return true;
}

/* In space the axle, as the z axis of the first mark. */
static bool read_axle(sp_build *b, sp_force_plan *p)
{
    const sp_node *axle = sp_node_get(p->node, "axle");
    sp_mark *mark = &p->numbers->mark[0];
    double a[3];
    if (b->dim == 2) {
        return true;
    }
    if (!axle || !sp_build_direction(b, &p->scope, axle, "axle", a)) {
        return false;
    }
    const sp_rot3 R = sp_build_axes_by_normal(sp_vec3_of(a));
    mark->turned = true;
    sp_build_store_turn((sp_rot3){R.z, R.x, R.y}, mark->axes);
    return true;
}

/* The normal force by the deflection x and its rate v: that of the file with damping, never a pull,
 * and none where the tyre is in the air.  It is one expression, so that what switches in it is
 * landed on.   theory (87.1) */
static bool read_force(sp_build *b, sp_force_plan *p)
{
    const sp_dim want = SP_DIM(1, 1, -2);
    const sp_node *force = sp_node_get(p->node, "force"),
                  *damping = sp_node_get(p->node, "damping");
    sp_expr_info info;
    double d = 0.0;
    p->scope.level = SP_LEVEL_Q;
    const bool damps = !damping || sp_build_positive(b, &p->scope, damping, "damping",
                                                     sp_dim_of(0, 1, -1), true, &d);
    p->scope.level = SP_LEVEL_F;
    p->scope.own = b->units ? SP_OWN_LENGTH : SP_OWN_ANY;
    if (!damps || !sp_build_text(force) ||
        !sp_build_func(b, &p->scope, force, "force", &want, NULL, &p->force->law[0], &info)) {
        return false;
    }
    sp_node whole = *force;
    whole.text = sp_arena_printf(&b->scratch, "if(x > 0%s, max(0%s, (%s) + %.17g%s * v), 0%s)",
                                 b->units ? " m" : "", b->units ? " N" : "", force->text, d,
                                 b->units ? " N*s/m" : "", b->units ? " N" : "");
    return whole.text &&
           sp_build_func(b, &p->scope, &whole, "force", &want, NULL, &p->force->law[0], &info);
}

void sp_build_tyre(sp_build *b, sp_force_plan *p)
{
    const sp_dim pure = SP_DIM(0, 0, 0);
    const sp_node *mu = sp_node_get(p->node, "mu"), *radius = sp_node_get(p->node, "radius");
    const sp_node *speed = sp_node_get(p->node, "speed");
    sp_expr_info info;
    p->force->kind = SP_FORCE_TYRE;
    p->numbers->tyre = (sp_tyre_numbers){.speed = 1.0};
    if (!sp_build_force_place(b, p, p->value, false, 0) || !read_axle(b, p) ||
        !read_ground(b, p, sp_node_get(p->node, "on")) ||
        (radius && !sp_build_positive(b, &p->scope, radius, "radius", sp_dim_of(1, 0, 0), false,
                                      &p->numbers->tyre.radius)) ||
        (speed && !sp_build_positive(b, &p->scope, speed, "speed", sp_dim_of(1, 0, -1), false,
                                     &p->numbers->tyre.speed)) ||
        !read_force(b, p)) {
        return;
    }
    p->scope.own = SP_OWN_SLIP;
    if (mu) {
        sp_build_func(b, &p->scope, mu, "mu", &pure, NULL, &p->force->law[1], &info);
    }
}
