/* model/surface.h - smooth surfaces of bodies in space: r(u, v) with first and second derivatives.
 *
 * The normal is side r_u x r_v / |r_u x r_v|; with side = +1 it points out of the material as
 * follows (own frame of the surface; s is the parameter of a curve of the plane, model/curve.h):
 *
 *     plane       (u, v, 0)                                            n = z
 *     ellipsoid   (a cos v cos u, b cos v sin u, c sin v)              outwards; a sphere: a = b =
 * c cylinder    (R cos u, R sin u, v),   |v| <= length/2             outwards cone        (R(v) cos
 * u, R(v) sin u, v),   R(v) linear           outwards torus       ((R + r cos v) cos u, (R + r cos
 * v) sin u, r sin v)  outwards revolved    (rho(v) cos u, rho(v) sin u, z(v)) right of the profile
 * (rho, z) extruded    (x(u), y(u), v)                                      right of the contour
 * (x, y) formula     x(u, v), y(u, v), z(u, v) by programs                r_u x r_v grid bicubic
 * spline through a grid of points              r_u x r_v
 *
 * Ellipsoids, and revolved surfaces that end on their axis, have poles where r_u = 0; there another
 * chart takes over (sp_surface_at.chart).                                         theory (20.3) */
#ifndef SP_MODEL_SURFACE_H
#define SP_MODEL_SURFACE_H

#include "math/space.h"
#include "model/curve.h"
#include "model/face.h"

typedef enum sp_surface_kind {
    SP_SURFACE_PLANE,
    SP_SURFACE_ELLIPSOID,
    SP_SURFACE_CYLINDER,
    SP_SURFACE_CONE,
    SP_SURFACE_TORUS,
    SP_SURFACE_REVOLVED,
    SP_SURFACE_EXTRUDED,
    SP_SURFACE_FORMULA,
    SP_SURFACE_GRID,
    SP_SURFACE_FACE
} sp_surface_kind;

/* Samples of a surface in both directions, u slower, in the middle of the cells of its chart. */
enum { SP_SURFACE_N_U = 20, SP_SURFACE_N_V = 12 };

/* Points that an extruded surface stands on, at most. */
enum { SP_SURFACE_STAND = 4 };

/* Where on a surface. */
typedef struct sp_surface_at {
    int chart; /* 0: as above; ELLIPSOID 1: the same with (y, z, x) in place of (x, y, z);
                * REVOLVED -1, +1: (x, y) of the own frame at the lower or upper pole */
    double u, v;
} sp_surface_at;

/* A place of the surface that searches begin with. */
typedef struct sp_surface_sample {
    sp_surface_at at;
    sp_vec3 r, n; /* body's frame */
} sp_surface_sample;

/* A ball around a tile of neighbouring samples, body's frame. */
enum { SP_SURFACE_TILE_U = 4, SP_SURFACE_TILE_V = 3 };
typedef struct sp_surface_tile {
    sp_vec3 middle;
    double reach;
    int sample[SP_SURFACE_TILE_U * SP_SURFACE_TILE_V];
} sp_surface_tile;

/* A grid of n[0] x n[1] points, u-wise slower; per point x, y, z.  A closed direction has its first
 * points again at the end. */
typedef struct sp_surface_grid {
    int n[2];
    const double *knot[2];
    const double *r, *r_uu, *r_vv, *r_uuvv; /* n[0] n[1] x 3 */
} sp_surface_grid;

typedef struct sp_surface {
    sp_surface_kind kind;
    double side;           /* +1, or -1: material on the other side                    */
    double lo[2], hi[2];   /* ranges of u and v, infinite for a plane                  */
    bool closed[2];        /* hi is lo again                                           */
    double size[3];        /* ELLIPSOID a b c; CYLINDER R; CONE R at lo and hi; TORUS R r */
    sp_vec3 at;            /* own frame on the body: origin ...                        */
    sp_rot3 turn;          /* ... and axes                                             */
    const sp_curve *curve; /* REVOLVED: (rho, z); EXTRUDED: (x, y)                     */
    int n_arc;             /* EXTRUDED: parts of the curve that can touch a plane      */
    const sp_curve_part *arc;
    int n_stand; /* ... and its places that bear it where it stands on an end          */
    sp_vec stand[SP_SURFACE_STAND];
    bool pole[2]; /* at lo and hi of v the surface closes in one point; u is closed  */
    const sp_program *program[3]; /* FORMULA: x, y, z; of their inputs ...             */
    bool v_first[3];              /* ... the first is v                                 */
    sp_surface_grid grid;
    /* FACE: as the body deforms it; bent gives place and derivatives now, NULL: at rest */
    const sp_face *face;
    void (*bent)(const void *now, const sp_face *face, double u, double v, sp_vec3 d[6]);
    const void *now;
    double deep;  /* FACE: how far there is material behind it, m; 0: all the way   (98.8) */
    int n_sample; /* 0 for a plane */
    const sp_surface_sample *sample;
    int n_tile;
    const sp_surface_tile *tile; /* of all samples, each once                          */
    sp_vec3 middle; /* of the samples, body's frame ...                                */
    double reach;   /* ... and how far the surface goes from there; infinite: a plane   */
} sp_surface;

/* A surface at a place, in one frame (the body's from sp_surface_eval). */
typedef struct sp_surface_patch {
    sp_vec3 r, r_u, r_v, r_uu, r_uv, r_vv;
    sp_vec3 n;      /* unit normal out of the material                                   */
    double E, F, G; /* first fundamental form: r_u.r_u, r_u.r_v, r_v.r_v                 */
    double L, M, N; /* second: n.r_uu, n.r_uv, n.r_vv                                    */
    sp_vec3 e[2];   /* orthonormal tangents: e_1 along r_u, e_2 = n x e_1                */
    double T[3];    /* (e_1.r_u, e_1.r_v, e_2.r_v): from (du, dv) to steps along e_1, e_2 */
    double K[3];    /* (K_11, K_12, K_22): dn = K dr; positive where the material is convex */
} sp_surface_patch;

/* Evaluate at a place; work has sp_surface_work doubles.  False at a pole of the chart or where a
 * number is not finite.   theory (20.3)-(20.6) */
bool sp_surface_eval(const sp_surface *s, const sp_surface_at *at, double *work,
                     sp_surface_patch *out);
size_t sp_surface_work(const sp_surface *s);

/* Features, from 0 on, with which an extruded surface can touch a plane: the lowest points of its
 * arcs, of both rims in turns, then the fixed points of the lower rim and of the upper one. */
static inline int sp_surface_on_plane(const sp_surface *s)
{
    return 2 * (s->n_arc + s->n_stand);
}

/* Whether the surface ends somewhere. */
static inline bool sp_surface_has_border(const sp_surface *s)
{
    return s->kind != SP_SURFACE_PLANE &&
           (!s->closed[0] || (!s->closed[1] && !(s->pole[0] && s->pole[1])));
}

/* A step along e_1, e_2 as a step of u, v. */
static inline void sp_surface_step(const sp_surface_patch *p, const double xi[2], double step[2])
{
    step[1] = xi[1] / p->T[2];
    step[0] = (xi[0] - p->T[1] * step[1]) / p->T[0];
}

/* Whole turns of closed directions are taken away, and near a pole the other chart is chosen.
 * False if u or v is outside its range; it is put onto the border then. */
bool sp_surface_wrap(const sp_surface *s, sp_surface_at *at, double *work);

/* The point of the surface where n is the unit vector e, and the point nearest to x, both in the
 * body's frame, by a closed form; false if the kind has none (the samples lead there then). */
bool sp_surface_facing(const sp_surface *s, sp_vec3 e, sp_surface_at *at);
bool sp_surface_foot(const sp_surface *s, sp_vec3 x, double *work, sp_surface_at *at);

/* Check the numbers and make the samples, after all else is filled in.  SP_E_INPUT with what is
 * wrong: a size that is not positive, parameters in which the surface stands still or crosses
 * itself, a number that is not finite. */
sp_status sp_surface_finish(sp_arena *a, sp_surface *s, double *work, sp_error *err);

/* Fill the spline of a grid (r, n, closed given; knots become lengths of the way, averaged over the
 * other direction). */
sp_status sp_surface_grid_fill(sp_arena *a, sp_surface *s, sp_error *err);

/* A surface of this kind with ranges and closed directions of its sizes: PLANE, ELLIPSOID, CYLINDER
 * (length in size[2]), CONE (length in size[2]), TORUS; own frame at the origin. */
sp_surface sp_surface_of(sp_surface_kind kind, const double size[3]);

/* r, r_u, r_v, r_uu, r_uv, r_vv of a grid.   theory (20.7) */
void sp_surface_eval_grid(const sp_surface_grid *g, double u, double v, sp_vec3 *d);

/* Fill arc and stand of an extruded surface whose samples are there.   theory (45.2) */
sp_status sp_surface_find_arcs(sp_arena *a, sp_surface *s, double *work, sp_error *err);

#endif
