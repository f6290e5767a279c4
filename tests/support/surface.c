#include "support/surface.h"

#include <stdio.h>
#include <string.h>

const char *const surface_word[SURFACE_KINDS] = {"plane",    "sphere",  "ellipsoid", "cylinder",
                                                 "cone",     "torus",   "egg",       "vase",
                                                 "extruded", "formula", "wave",      "grid"};

static const double PI = 3.14159265358979323846;

/* u and s are input 0, v is input 1; all are pure numbers that fit everywhere. */
static sp_status find_name(void *ctx, const char *path, sp_symbol *out, sp_error *err)
{
    (void)ctx, (void)err;
    *out = (sp_symbol){.kind = SP_SYM_INPUT, .any_dim = true, .input = strcmp(path, "v") == 0};
    return SP_OK;
}

const sp_program *surface_program(sp_arena *a, const char *text)
{
    const sp_resolver r = {.name = find_name, .check_units = false};
    sp_program *p = NULL;
    sp_error err = {0};
    if (sp_expr_compile(a, text, &r, &p, NULL, &err) != SP_OK) {
        fail_msg("%s: %s", text, err.text);
    }
    return p;
}

sp_vec3 surface_random_vector(rng *r, double size)
{
    const double x = rng_in(r, -size, size), y = rng_in(r, -size, size);
    return (sp_vec3){x, y, rng_in(r, -size, size)};
}

sp_rot3 surface_random_turn(rng *r)
{
    const double w = rng_in(r, -1.0, 1.0);
    const sp_vec3 v = surface_random_vector(r, 1.0);
    return sp_rot3_of_quat(sp_quat_unit((sp_quat){w, v.x, v.y, v.z}));
}

void surface_program_of(sp_arena *a, const char *text, int k, sp_surface *s)
{
    s->program[k] = surface_program(a, text);
    s->v_first[k] =
        sp_program_n_input(s->program[k]) > 0 && sp_program_inputs(s->program[k])[0] == 1;
}

sp_surface surface_by_expressions(sp_arena *a, const double size[3])
{
    char text[3][100];
    snprintf(text[0], sizeof text[0], "%.17g*cos(v)*cos(u)", size[0]);
    snprintf(text[1], sizeof text[1], "%.17g*cos(v)*sin(u)", size[1]);
    snprintf(text[2], sizeof text[2], "%.17g*sin(v)", size[2]);
    sp_surface s = {.kind = SP_SURFACE_FORMULA,
                    .side = 1.0,
                    .lo = {-PI, -0.5 * PI},
                    .hi = {PI, 0.5 * PI},
                    .turn = sp_rot3_one()};
    for (int k = 0; k < 3; k++) {
        surface_program_of(a, text[k], k, &s);
    }
    return s;
}

/* Half an ellipse from the lower to the upper pole, fatter below. */
static const sp_curve *egg_profile(sp_arena *a, rng *r, double *work)
{
    char x[100], y[100];
    snprintf(x, sizeof x, "%.17g*sin(s)*(1 + 0.2*cos(s))", rng_in(r, 0.5, 1.2));
    snprintf(y, sizeof y, "%.17g*(-cos(s))", rng_in(r, 0.5, 1.2));
    sp_curve *c = SP_NEW(a, sp_curve, 1);
    *c = (sp_curve){.kind = SP_CURVE_FORMULA, .hi = PI, .side = 1.0, .turn = {1.0, 0.0}};
    c->program[0] = surface_program(a, x);
    c->program[1] = surface_program(a, y);
    assert_int_equal(sp_curve_finish(a, c, work, NULL), SP_OK);
    return c;
}

/* A spline through n points of r(phi) (cos, sin), closed, or of a wall with a waist. */
static const sp_curve *spline_curve(sp_arena *a, rng *r, bool closed, double *work)
{
    enum { N = 12 };
    double p[N][2];
    const double fat = rng_in(r, 0.02, 0.06), high = rng_in(r, 0.8, 1.2);
    int wrong;
    for (int i = 0; i < N; i++) {
        const double phi = 2.0 * PI * i / N, z = -1.0 + 2.0 * i / (N - 1);
        const double rho = closed ? 1.0 + fat * cos(2.0 * phi) : 0.8 + 0.3 * z * z;
        p[i][0] = closed ? rho * cos(phi) : rho;
        p[i][1] = closed ? high * rho * sin(phi) : high * z;
    }
    sp_curve *c = SP_NEW(a, sp_curve, 1);
    assert_int_equal(sp_curve_spline(a, N, (const double(*)[2])p, closed, c, &wrong), SP_OK);
    assert_int_equal(sp_curve_finish(a, c, work, NULL), SP_OK);
    return c;
}

/* Points of a part of an ellipsoid. */
static sp_surface grid_surface(sp_arena *a, rng *r)
{
    enum { N_U = 9, N_V = 7 };
    double *p = SP_NEW(a, double, 3 * N_U * N_V);
    const double size[3] = {rng_in(r, 0.8, 1.2), rng_in(r, 0.8, 1.2), rng_in(r, 0.8, 1.2)};
    sp_surface s = {.kind = SP_SURFACE_GRID, .side = 1.0, .turn = sp_rot3_one()};
    for (int i = 0; i < N_U; i++) {
        for (int j = 0; j < N_V; j++) {
            const double u = -1.2 + 2.4 * i / (N_U - 1), v = -1.0 + 2.0 * j / (N_V - 1);
            double *at = p + 3 * (i * N_V + j);
            at[0] = size[0] * cos(v) * cos(u);
            at[1] = size[1] * cos(v) * sin(u);
            at[2] = size[2] * sin(v);
        }
    }
    s.grid.n[0] = N_U;
    s.grid.n[1] = N_V;
    s.grid.r = p;
    assert_int_equal(sp_surface_grid_fill(a, &s, NULL), SP_OK);
    return s;
}

static sp_surface round_surface(sp_arena *a, rng *r, int kind, double *work)
{
    sp_surface s = {.side = 1.0, .turn = sp_rot3_one()};
    const bool extruded = kind == SURFACE_EXTRUDED;
    s.kind = extruded ? SP_SURFACE_EXTRUDED : SP_SURFACE_REVOLVED;
    s.curve = kind == SURFACE_EGG ? egg_profile(a, r, work) : spline_curve(a, r, extruded, work);
    s.lo[0] = extruded ? s.curve->lo : -PI;
    s.hi[0] = extruded ? s.curve->hi : PI;
    s.lo[1] = extruded ? -1.5 : s.curve->lo;
    s.hi[1] = extruded ? 1.5 : s.curve->hi;
    s.closed[0] = true;
    return s;
}

static sp_surface wave(sp_arena *a)
{
    sp_surface s = {.kind = SP_SURFACE_FORMULA,
                    .side = 1.0,
                    .lo = {-1.5, -1.5},
                    .hi = {1.5, 1.5},
                    .turn = sp_rot3_one()};
    surface_program_of(a, "u + 0.1*v", 0, &s);
    surface_program_of(a, "v - 0.05*u*v", 1, &s);
    surface_program_of(a, "0.1*sin(2*u + v) + 0.05*cos(3*v)", 2, &s);
    return s;
}

sp_surface surface_random(sp_arena *a, rng *r, int kind)
{
    static const sp_surface_kind simple[] = {
        [SURFACE_PLANE] = SP_SURFACE_PLANE,         [SURFACE_SPHERE] = SP_SURFACE_ELLIPSOID,
        [SURFACE_ELLIPSOID] = SP_SURFACE_ELLIPSOID, [SURFACE_CYLINDER] = SP_SURFACE_CYLINDER,
        [SURFACE_CONE] = SP_SURFACE_CONE,           [SURFACE_TORUS] = SP_SURFACE_TORUS};
    double work[SURFACE_WORK];
    double size[3] = {rng_in(r, 0.6, 1.4), rng_in(r, 0.6, 1.4), rng_in(r, 0.6, 1.4)};
    if (kind == SURFACE_SPHERE) {
        size[1] = size[2] = size[0];
    } else if (kind == SURFACE_TORUS) {
        size[1] = 0.3 * size[0];
    } else if (kind == SURFACE_CYLINDER || kind == SURFACE_CONE) {
        size[2] = 3.0;
    }
    sp_surface s = kind <= SURFACE_TORUS     ? sp_surface_of(simple[kind], size)
                   : kind == SURFACE_FORMULA ? surface_by_expressions(a, size)
                   : kind == SURFACE_WAVE    ? wave(a)
                   : kind == SURFACE_GRID    ? grid_surface(a, r)
                                             : round_surface(a, r, kind, work);
    s.at = surface_random_vector(r, 0.3);
    s.turn = surface_random_turn(r);
    sp_error err = {0};
    assert_true(sp_surface_work(&s) <= SURFACE_WORK);
    if (sp_surface_finish(a, &s, work, &err) != SP_OK) {
        fail_msg("%s: %s", surface_word[kind], err.text);
    }
    return s;
}
