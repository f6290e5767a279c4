/* model/curve.h - smooth curves of the plane: arcs, splines, expressions of a parameter.
 *
 * A curve is the border of material.  With side = +1 the material lies to the left of the direction
 * in which the parameter rises and n points to the right of it, as on a circle that is run through
 * counter-clockwise. */
#ifndef SP_MODEL_CURVE_H
#define SP_MODEL_CURVE_H

#include "base/arena.h"
#include "expr/expr.h"
#include "math/plane.h"

#include <stdbool.h>

typedef enum sp_curve_kind {
    SP_CURVE_ARC,     /* radius (cos s, sin s)                */
    SP_CURVE_SPLINE,  /* cubic, through points                */
    SP_CURVE_FORMULA, /* x(s), y(s) by programs              */
    SP_CURVE_TEETH,   /* arcs of a sprocket                   */
    SP_CURVE_BENT     /* side of a beam, over x of its axis   */
} sp_curve_kind;

/* A place on a curve that the search for nearest points begins with. */
typedef struct sp_curve_sample {
    double s;
    sp_vec r;
} sp_curve_sample;

typedef struct sp_curve {
    sp_curve_kind kind;
    double lo, hi; /* range of the parameter                                          */
    bool closed;   /* hi is the same point as lo, and the curve is smooth there       */
    double side;   /* +1 or -1                                                        */
    sp_vec at;     /* own frame on the body                                           */
    sp_rot turn;
    double radius;                          /* ARC                                     */
    int n;                                  /* BENT: samples less one.  SPLINE: points ... */
    const double *knot, *x, *y, *x_b, *y_b; /* ... their parameters, places, bends     */
    const sp_program *program[2];           /* FORMULA: input 0 is s                   */
    const struct sp_teeth *teeth;           /* TEETH (model/teeth.h)                   */
    const struct sp_bent *bent;             /* BENT: the axis (model/bent.h) ...       */
    double height;                          /* ... and how high the line is over it    */
    int n_sample;
    const sp_curve_sample *sample; /* along the curve, both ends among them                   */
    double size;                   /* diameter of the samples' box                            */
    int n_fine;                    /* the samples and, where its bend changes faster, more:   */
    const sp_curve_sample *fine;   /* nearest points are looked for among these               */
} sp_curve;

/* Whether a curve is the rim of a disc: a whole arc with material inside. */
static inline bool sp_curve_is_round(const sp_curve *c)
{
    return c->kind == SP_CURVE_ARC && c->closed && c->side > 0.0;
}

/* A curve at s, in the body's frame. */
typedef struct sp_curve_at {
    sp_vec r, d, dd;  /* place, first and second derivative by s                       */
    sp_vec t, n;      /* unit: along rising s; out of the material                     */
    double speed;     /* |d|                                                           */
    double curvature; /* > 0: the material is convex, n turns with s as on a circle    */
} sp_curve_at;

/* Evaluate; work has sp_curve_work doubles.  False where the curve has no direction (d = 0) or a
 * number is not finite.   theory (20.2) */
bool sp_curve_eval(const sp_curve *c, double s, double *work, sp_curve_at *out);
size_t sp_curve_work(const sp_curve *c);

/* s within the range: of closed curves by whole turns, else the nearest end. */
double sp_curve_wrap(const sp_curve *c, double s);

/* Make the samples, after all else is filled in, and find out whether expressions close; SP_E_INPUT
 * with the reason if the curve has no length, stands still or has a number that is not finite. */
sp_status sp_curve_finish(sp_arena *a, sp_curve *c, double *work, sp_error *err);

/* Fill a spline through n points (body's frame, x and y in turns; a closed one does not repeat its
 * first point); the parameter is the length of the way from point to point.  SP_E_INPUT: *wrong is
 * a point that equals the one before it. */
sp_status sp_curve_spline(sp_arena *a, int n, const double (*point)[2], bool closed, sp_curve *c,
                          int *wrong);

/* SP_E_INPUT if the curve crosses itself, by its samples. */
sp_status sp_curve_check(const sp_curve *c, sp_error *err);

/* Area inside a closed curve, positive if it runs counter-clockwise; by the samples. */
double sp_curve_area(const sp_curve *c);

/* Where on a curve something is extreme. */
typedef struct sp_curve_foot {
    double s;
    int end; /* 0: inside the range, n.d = 0; -1, +1: at the end lo or hi of an open curve */
} sp_curve_foot;

/* The point of the curve nearest to x (body's frame); false if the search does not converge. */
bool sp_curve_nearest(const sp_curve *c, sp_vec x, double *work, sp_curve_foot *foot);

/* The point of the curve farthest along the direction e (body's frame). */
bool sp_curve_farthest(const sp_curve *c, sp_vec e, double *work, sp_curve_foot *foot);

/* A stretch of a curve between two of its samples, n of them; of a closed one their parameters may
 * go on beyond its end.  apart: more than what any of its points is from the nearest sample, m. */
typedef struct sp_curve_stretch {
    int n;
    const sp_curve_sample *sample;
    double apart;
    sp_vec middle; /* no point of it is farther from there than ... */
    double reach;  /* ... this, m */
} sp_curve_stretch;

/* What is sought on a stretch, and the best so far: distance from x, or -e.r; infinity: none. */
typedef struct sp_curve_search {
    bool nearest;
    sp_vec x, e;
    double least;
    sp_curve_foot foot;         /* end: that of a stretch */
    const sp_curve_stretch *on; /* the stretch that it is on, of those that were looked through */
} sp_curve_search;

/* What a search makes smallest, at a point. */
double sp_curve_value(const sp_curve_search *search, sp_vec r);

/* The least value at the samples of a stretch. */
double sp_curve_glance(const sp_curve_stretch *on, const sp_curve_search *search);

/* Look through a stretch for a better place, at all its minima that may be below `below`; false if
 * a search does not converge.   theory (48.5) */
bool sp_curve_look(const sp_curve *c, const sp_curve_stretch *on, double below, double *work,
                   sp_curve_search *search);

/* Go on from a place s of the curve, in the direction way (+1 or -1) along rising or falling s, as
 * long as what is looked for falls: the first minimum on that way, from which foot.end is 0 unless
 * it is s itself or an end of the curve.  False if a search does not converge.   theory (58.2) */
bool sp_curve_walk(const sp_curve *c, double s, int way, double *work, sp_curve_search *search);

/* Part of a curve, from lo to hi; of a closed one hi may be beyond its end.  The samples from
 * `first` on, n of them, are on it or next to its ends. */
typedef struct sp_curve_part {
    double lo, hi;
    int first, n;
    bool whole; /* all of a closed curve: it has no ends */
} sp_curve_part;

/* The same on a part: at an end of it, foot.end is -1 or +1. */
bool sp_curve_farthest_on(const sp_curve *c, const sp_curve_part *part, sp_vec e, double *work,
                          sp_curve_foot *foot);

#endif
