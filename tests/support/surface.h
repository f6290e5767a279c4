/* support/surface.h - surfaces of every kind for tests, made without a model file. */
#ifndef SUPPORT_SURFACE_H
#define SUPPORT_SURFACE_H

#include "model/surface.h"
#include "support/check.h"

enum {
    SURFACE_PLANE,
    SURFACE_SPHERE,
    SURFACE_ELLIPSOID,
    SURFACE_CYLINDER,
    SURFACE_CONE,
    SURFACE_TORUS,
    SURFACE_EGG,      /* revolved, both ends on the axis, profile by expressions */
    SURFACE_VASE,     /* revolved, open at both ends, profile by a spline        */
    SURFACE_EXTRUDED, /* a closed spline, convex                                 */
    SURFACE_FORMULA,  /* an ellipsoid by expressions                             */
    SURFACE_WAVE,     /* a wavy sheet by expressions                             */
    SURFACE_GRID,     /* an ellipsoid-like patch through points                  */
    SURFACE_KINDS
};

extern const char *const surface_word[SURFACE_KINDS];

/* Scratch that is enough for all of them. */
enum { SURFACE_WORK = 4000 };

/* A surface of random size about 1, anywhere on its body; asserts that it can be made. */
sp_surface surface_random(sp_arena *a, rng *r, int kind);

/* An ellipsoid given by three expressions, half axes as told, own frame at the origin. */
sp_surface surface_by_expressions(sp_arena *a, const double size[3]);

/* A compiled expression of u and v (or s, which is u). */
const sp_program *surface_program(sp_arena *a, const char *text);

/* The same as coordinate k of a surface. */
void surface_program_of(sp_arena *a, const char *text, int k, sp_surface *s);

sp_rot3 surface_random_turn(rng *r);
sp_vec3 surface_random_vector(rng *r, double size);

#endif
