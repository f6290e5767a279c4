/* model/build_spot.c - what laws of contacts in space have beside a friction disc: the spot of
 * Coulomb-Contensou friction, rolling resistance, adhesion.   theory section 19 */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 48 };

/* A length or force of the law, >= 0; true if it is not there. */
static bool read_number(sp_build *b, sp_scope *scope, const sp_node *map, const char *before,
                        const char *name, sp_dim want, double *value)
{
    char key[KEY_MAX];
    const sp_node *node = sp_node_get(map, name);
    snprintf(key, sizeof key, "%s%s", before, name);
    return !node || sp_build_positive(b, scope, node, key, want, true, value);
}

/* Reduced radius and modulus of elastic bodies. */
static bool read_hertz(sp_build *b, sp_scope *scope, const sp_node *map, const char *before,
                       double *hertz)
{
    const sp_node *node = sp_node_get(map, "hertz");
    char key[KEY_MAX];
    double radius, modulus;
    if (!node || node->kind != SP_NODE_MAP) {
        return true;
    }
    snprintf(key, sizeof key, "%shertz: radius", before);
    bool good = sp_build_positive(b, scope, sp_node_get(node, "radius"), key, sp_dim_of(1, 0, 0),
                                  false, &radius);
    snprintf(key, sizeof key, "%shertz: modulus", before);
    good = sp_build_positive(b, scope, sp_node_get(node, "modulus"), key, sp_dim_of(-1, 1, -2),
                             false, &modulus) &&
           good;
    if (good) {
        *hertz = sp_contensou_hertz(radius, modulus);
    }
    return good;
}

bool sp_build_spot(sp_build *b, sp_scope *scope, const sp_node *map, const char *before,
                   sp_law *law, sp_law_numbers *n)
{
    const char *friction = sp_build_text(sp_node_get(map, "friction"));
    const char *pressure = sp_build_text(sp_node_get(map, "pressure"));
    if (friction) {
        law->drills = strcmp(friction, "contensou") == 0;
    }
    if (pressure) {
        n->spot.pressure = strcmp(pressure, "hertz") == 0 ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM;
    }
    const sp_dim length = sp_dim_of(1, 0, 0), force = sp_dim_of(1, 1, -2);
    bool good = read_number(b, scope, map, before, "radius", length, &n->spot.radius);
    good = read_hertz(b, scope, map, before, &n->spot.hertz) && good;
    good = read_number(b, scope, map, before, "rolling", length, &n->spot.rolling) && good;
    return read_number(b, scope, map, before, "adhesion", force, &n->spot.adhesion) && good;
}

/* A key of the spot in a law that has none. */
static bool check_stray(sp_build *b, const sp_scope *scope, const sp_node *map)
{
    static const char *const name[] = {"radius", "hertz", "pressure"};
    for (int k = 0; map->kind == SP_NODE_MAP && k < 3; k++) {
        const sp_node *node = sp_node_get(map, name[k]);
        if (node) {
            sp_build_error(b, node->place, 0,
                           "%s: '%s' is of the spot of Coulomb-Contensou friction; write "
                           "'friction: contensou', too, or leave it out",
                           scope->what, name[k]);
            return false;
        }
    }
    return true;
}

/* The place of a key in a law, or of the law if it comes from one that this is like. */
static sp_place place_of(const sp_node *map, const char *name)
{
    const sp_node *own = map->kind == SP_NODE_MAP ? sp_node_get(map, name) : NULL;
    return own ? own->place : map->place;
}

bool sp_build_check_spot(sp_build *b, const sp_scope *scope, const sp_node *map, const sp_law *law,
                         sp_law_numbers *n)
{
    const sp_contensou_law *spot = &n->spot;
    n->lever = law->drills ? spot->radius + spot->hertz /* under 1 N */ : spot->rolling;
    if (!law->drills && !check_stray(b, scope, map)) {
        return false;
    }
    if (law->drills && !(n->lever > 0.0)) {
        sp_build_error(b, place_of(map, "friction"), 0,
                       "%s: 'friction: contensou' needs the size of the spot, radius > 0 or hertz",
                       scope->what);
        return false;
    }
    if (n->mu_2 > 0.0 && (law->drills || spot->rolling > 0.0)) {
        sp_build_error(b, place_of(map, "mu_2"), 0,
                       "%s: mu_2 cannot be combined with drilling or rolling friction, which have "
                       "no direction; leave it out",
                       scope->what);
        return false;
    }
    if (law->by_speed && (law->drills || spot->adhesion > 0.0)) {
        sp_build_error(b, place_of(map, "mu"), 0,
                       "%s: mu depends on the sliding speed, which %s does not support; give one "
                       "number for rest and sliding",
                       scope->what, law->drills ? "'friction: contensou'" : "'adhesion'");
        return false;
    }
    return true;
}
