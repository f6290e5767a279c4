/* model/build_paths.c - belts and chains around circles, and what is placed along them. */
#include "base/status.h"
#include "model/build_parts.h"
#include "model/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path of the file. */
struct sp_path_plan {
    const char *name;
    sp_path path;
    sp_chain chain; /* n = 0: no links */
    sp_path_at *link;
    bool broken;
};

static const sp_dim LENGTH = SP_DIM(1, 0, 0), PURE = SP_DIM(0, 0, 0), SPEED = SP_DIM(1, 0, -1);

/* ---- reading --------------------------------------------------------------------------------- */

/* The circles [x, y, radius]. */
static bool read_circles(sp_build *b, sp_scope *scope, const sp_node *list, sp_path *p)
{
    if (!list || list->kind != SP_NODE_LIST) {
        return false;
    }
    p->circle = SP_BUILD_NEW(b, &b->scratch, sp_path_circle, list->n_child);
    bool good = p->circle && list->n_child > 1;
    for (const sp_node *item = list->first; item && p->circle; item = item->next) {
        double x[3] = {0.0, 0.0, 0.0};
        good = sp_build_numbers(b, scope, item, "around", 3, LENGTH, x) && good;
        p->circle[p->n++] = (sp_path_circle){.at = {x[0], x[1]}, .radius = x[2]};
    }
    return good;
}

/* What gives way until the chain closes. */
static bool read_adjust(sp_build *b, sp_scope *scope, const sp_node *node, int n_circle,
                        sp_chain *chain)
{
    const char *word = sp_build_text(node);
    double axis[2] = {1.0, 0.0};
    int circle = 0;
    if (!node || word) {
        chain->give = word && strcmp(word, "pitch") == 0 ? SP_PATH_PITCH : SP_PATH_NOTHING;
        return !node || chain->give == SP_PATH_PITCH;
    }
    const sp_node *number = sp_node_get(node, "circle");
    if (!sp_build_count(b, scope, number, "circle", 1, &circle) ||
        !sp_build_direction(b, scope, sp_node_get(node, "along"), "along", axis)) {
        return false;
    }
    if (circle > n_circle) {
        sp_build_error(b, number->place, 0, "%s: adjust: circle = %d, there are %d", scope->what,
                       circle, n_circle);
        return false;
    }
    chain->give = SP_PATH_CIRCLE;
    chain->circle = circle - 1;
    chain->along = sp_vec_of(axis);
    return true;
}

/* The links of a chain. */
static bool read_chain(sp_build *b, sp_scope *scope, const sp_node *node, const sp_path *p,
                       sp_chain *chain)
{
    const sp_node *links = sp_node_get(node, "links"), *phase = sp_node_get(node, "phase");
    const sp_node *speed = sp_node_get(node, "speed"), *pitch = sp_node_get(node, "pitch");
    if (!links) {
        return true;
    }
    if (!p->closed) {
        sp_build_error(b, links->place, 0,
                       "%s: links are put on a closed path only; leave "
                       "'closed: no' out",
                       scope->what);
        return false;
    }
    bool good = sp_build_count(b, scope, links, "links", 2, &chain->n);
    good = sp_build_positive(b, scope, pitch, "pitch", LENGTH, false, &chain->pitch) && good;
    good =
        (!phase || sp_build_quantity(b, scope, phase, "phase", PURE, NULL, &chain->phase)) && good;
    if (!(fabs(chain->phase) <= 0.5)) {
        sp_build_error(b, phase->place, 0, "%s: phase = %g, expected -1/2 to 1/2", scope->what,
                       chain->phase);
        good = false;
    }
    good =
        (!speed || sp_build_quantity(b, scope, speed, "speed", SPEED, NULL, &chain->speed)) && good;
    return read_adjust(b, scope, sp_node_get(node, "adjust"), p->n, chain) && good;
}

/* One path. */
static void read_path(sp_build *b, const sp_node *node, struct sp_path_plan *plan)
{
    const int before = b->diag->n_error;
    const sp_node *closed = sp_node_get(node, "closed");
    sp_scope scope = sp_build_scope_of("path '%.100s'", node->key);
    sp_error err = {.status = SP_OK};
    sp_path *p = &plan->path;
    plan->name = node->key;
    plan->broken = true;
    p->closed = !closed || sp_build_flag(closed);
    if (!read_circles(b, &scope, sp_node_get(node, "around"), p) ||
        !read_chain(b, &scope, node, p, &plan->chain) || b->diag->n_error > before) {
        return;
    }
    plan->link = SP_BUILD_NEW(b, &b->scratch, sp_path_at, plan->chain.n);
    sp_status status = sp_path_lay(p, &err);
    if (status == SP_OK && plan->chain.n > 0 && plan->link) {
        status = sp_path_link(p, &plan->chain, plan->link, &err);
    }
    if (status != SP_OK) {
        sp_build_error(b, sp_node_get(node, "around")->place, 0, "%s: %s", scope.what, err.text);
        return;
    }
    plan->broken = !plan->link;
}

void sp_build_paths(sp_build *b)
{
    const sp_node *map = sp_node_get(b->root, "paths");
    if (!map || map->kind != SP_NODE_MAP) {
        return;
    }
    b->path = SP_BUILD_NEW(b, &b->scratch, struct sp_path_plan, map->n_child);
    for (const sp_node *node = map->first; node && b->path && !b->no_memory; node = node->next) {
        read_path(b, node, &b->path[b->n_path]);
        sp_build_name(b, &b->path_names, node->key, b->n_path++);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Read a number from 1 to n at the start of a path and its dot. */
static bool take_number(const char **at, int n, int *k)
{
    char *end;
    const long i = strtol(*at, &end, 10);
    if (end == *at || i < 1 || i > n || (*end && *end != '.')) {
        return false;
    }
    *k = (int)i - 1;
    *at = *end ? end + 1 : end;
    return true;
}

/* One of the six quantities of something that has a place, a direction and velocities. */
static bool quantity_of(const sp_path_at *at, const char *name, double *value, sp_dim *dim)
{
    const struct {
        const char *name;
        double value;
        sp_dim dim;
    } has[] = {{"x", at->r.x, LENGTH}, {"y", at->r.y, LENGTH},
               {"phi", at->phi, PURE}, {"vx", at->v.x, SPEED},
               {"vy", at->v.y, SPEED}, {"omega", at->omega, SP_DIM(0, 0, -1)}};
    for (size_t k = 0; k < sizeof has / sizeof *has; k++) {
        if (strcmp(name, has[k].name) == 0) {
            *value = has[k].value;
            *dim = has[k].dim;
            return true;
        }
    }
    return false;
}

/* What the rest of a path "belt.3.x" stands for. */
static bool value_of(const struct sp_path_plan *p, const char *rest, double *value, sp_dim *dim)
{
    int k;
    *dim = LENGTH;
    if (strcmp(rest, "length") == 0) {
        *value = p->path.length;
        return true;
    }
    if (p->chain.n > 0 && (strcmp(rest, "pitch") == 0 || strcmp(rest, "shift") == 0)) {
        *value = rest[0] == 'p' ? p->chain.pitch : p->chain.shift;
        return true;
    }
    if (strncmp(rest, "circle.", 7) == 0 && p->chain.n > 0) {
        rest += 7;
        if (!take_number(&rest, p->path.n, &k)) {
            return false;
        }
        const sp_path_circle *c = &p->path.circle[k];
        const sp_path_at at = {.r = c->at, .v = c->v, .phi = c->pin, .omega = c->omega};
        return quantity_of(&at, rest, value, dim);
    }
    return take_number(&rest, p->chain.n, &k) && quantity_of(&p->link[k], rest, value, dim);
}

int sp_build_find_path(const sp_build *b, const char *path)
{
    return sp_names_find(&b->path_names, path, strcspn(path, "."));
}

sp_status sp_build_path_value(sp_build *b, int k, const char *path, double *value, sp_dim *dim,
                              bool *poisoned, sp_error *err)
{
    const struct sp_path_plan *p = &b->path[k];
    const char *rest = path + strcspn(path, ".");
    rest += *rest == '.';
    if (p->broken) {
        *poisoned = true;
        return SP_FAIL(err, SP_E_INPUT, "path '%s' is not usable", p->name);
    }
    if (value_of(p, rest, value, dim)) {
        return SP_OK;
    }
    if (p->chain.n == 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "path '%s' has no '%.80s'; it has: length; with 'links' "
                       "also its links, %s.1.x",
                       p->name, rest, p->name);
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "path '%s' has no '%.80s'; it has: length, pitch, shift, links 1 to %d and "
                   "circles 1 to %d, each with x, y, phi, vx, vy, omega: %s.1.x, %s.circle.1.phi",
                   p->name, rest, p->chain.n, p->path.n, p->name, p->name);
}

bool sp_build_is_link(const sp_build *b, const char *path, sp_path_at *at, bool *poisoned)
{
    const int k = sp_build_find_path(b, path);
    const char *rest = path + strcspn(path, ".");
    int i;
    if (k == SP_NONE) {
        return false;
    }
    rest += *rest == '.';
    *poisoned = b->path[k].broken;
    if (*poisoned || !take_number(&rest, b->path[k].chain.n, &i) || *rest) {
        return *poisoned;
    }
    *at = b->path[k].link[i];
    return true;
}

/* ---- joints along a path --------------------------------------------------------------------- */

#define ON_PATH 1e-9 /* of the length by which a station may be off the ends of an open path */

bool sp_build_along(sp_build *b, sp_scope *scope, const sp_node *joint, sp_path_at *at)
{
    const sp_node *along = sp_node_get(joint, "along"), *station = sp_node_get(joint, "station");
    const char *name = sp_build_text(along);
    double s = 0.0;
    if (!along && !station) {
        return false;
    }
    if (!along || !station || sp_node_get(joint, "at") || sp_node_get(joint, "turn") ||
        sp_node_get(joint, "clearance")) {
        sp_build_error(b, (along ? along : station)->key_place, 0,
                       "%s: joint: 'along' and 'station' go together, without 'at', 'turn' and "
                       "'clearance'",
                       scope->what);
        return false;
    }
    const int k = name ? sp_build_find_path(b, name) : SP_NONE;
    if (name && (k == SP_NONE || strchr(name, '.'))) {
        sp_build_error(b, along->place, 0, "%s: joint: along: there is no path '%.60s'",
                       scope->what, name);
    }
    if (!sp_build_quantity(b, scope, station, "joint: station", LENGTH, NULL, &s) || k == SP_NONE ||
        b->path[k].broken) {
        return false;
    }
    const sp_path *path = &b->path[k].path;
    if (!path->closed && !(s >= -ON_PATH * path->length && s <= (1.0 + ON_PATH) * path->length)) {
        sp_build_error(b, station->place, 0,
                       "%s: joint: station = %g m is not on path '%.60s', expected 0 to %.6g m",
                       scope->what, s, name, path->length);
        return false;
    }
    *at = sp_path_station(path, s);
    return true;
}
