/* laws/set.h - the few convex sets all force laws are made of.  Header-only, plain C17 that is also
 * valid C++17: the same lines run in a solver, in a SIMD lane and in a GPU thread.   theory (5.3)
 * Kinds behind SP_SET_DISC need the code of laws/ball.c; with SP_SET_HEADER_ONLY defined they are
 * left out and their projection is NaN. */
#ifndef SP_LAWS_SET_H
#define SP_LAWS_SET_H

#include <math.h>

/* Rows of a set, in this order: normal P_N first, then what is bounded by mu P_N. */
typedef enum sp_set_kind {
    SP_SET_FREE,      /* 1 row:  all of R (joint, loop closure)                     */
    SP_SET_HALF_LINE, /* 1 row:  P_N >= 0 (unilateral contact without friction)     */
    SP_SET_PLANAR,    /* 2 rows: P_N >= 0, then |P_T| <= mu P_N                      */
    SP_SET_INTERVAL,  /* 1 row:  lo <= P <= hi (dry-friction joint, clutch)         */
    SP_SET_DISC,      /* 3 rows: P_N >= 0, then |(P_T1, P_T2)| <= mu P_N             */
    /* the next ones live in laws/ball.c */
    SP_SET_ELLIPSE,          /* 3 rows: (P_T1 / mu)^2 + (P_T2 / mu_2)^2 <= P_N^2           */
    SP_SET_CONTENSOU,        /* 4 rows: (P_T1, P_T2, P_D / R) in mu P_N times the ball     */
    SP_SET_ROLLING,          /* 5 rows: disc, then |(P_R1, P_R2)| <= mu_2 P_N               */
    SP_SET_CONTENSOU_ROLLING /* 6 rows: Contensou, then |(P_R1, P_R2)| <= mu_2 P_N        */
} sp_set_kind;

enum { SP_SET_DIM_MAX = 6 };

/* Pressure over a round spot of contact of radius R: constant, or as sqrt(1 - (r / R)^2). */
typedef enum sp_pressure { SP_PRESSURE_UNIFORM, SP_PRESSURE_HERTZ } sp_pressure;

typedef struct sp_set {
    sp_set_kind kind;
    int shifted;                  /* 1: the set is moved by shift                       */
    double mu, lo, hi, R;         /* what the kind uses; numbers only, already evaluated */
    double shift[SP_SET_DIM_MAX]; /* read only if shifted (expansion phase of an impact) */
    double mu_2;                  /* second axis of an ellipse, bound of rolling torques */
    double R_N;                   /* Contensou: the radius is R + R_N P_N^(1/3)          */
    sp_pressure pressure;         /* Contensou                                           */
} sp_set;

/* A set of this kind with these numbers, all others zero. */
static inline sp_set sp_set_with(sp_set_kind kind, double mu, double mu_2)
{
    sp_set s = {
        kind, 0, mu, 0.0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, mu_2, 0.0, SP_PRESSURE_UNIFORM};
    return s;
}

/* A set of this kind with all numbers zero. */
static inline sp_set sp_set_of_kind(sp_set_kind kind)
{
    return sp_set_with(kind, 0.0, 0.0);
}

/* R: a bilateral row. */
static inline sp_set sp_set_free(void)
{
    return sp_set_of_kind(SP_SET_FREE);
}

/* P_N >= 0: frictionless unilateral contact. */
static inline sp_set sp_set_half_line(void)
{
    return sp_set_of_kind(SP_SET_HALF_LINE);
}

/* P_N >= 0, |P_T| <= mu P_N: planar contact with Coulomb friction, mu >= 0. */
static inline sp_set sp_set_planar(double mu)
{
    return sp_set_with(SP_SET_PLANAR, mu, 0.0);
}

/* lo <= P <= hi. */
static inline sp_set sp_set_interval(double lo, double hi)
{
    sp_set s = sp_set_of_kind(SP_SET_INTERVAL);
    s.lo = lo;
    s.hi = hi;
    return s;
}

/* P_N >= 0, |P_T| <= mu P_N in two directions: spatial contact with Coulomb friction. */
static inline sp_set sp_set_disc(double mu)
{
    return sp_set_with(SP_SET_DISC, mu, 0.0);
}

/* Different friction mu and mu_2 in the two directions. */
static inline sp_set sp_set_ellipse(double mu, double mu_2)
{
    return sp_set_with(SP_SET_ELLIPSE, mu, mu_2);
}

/* Sliding and drilling friction of a round spot of radius R + R_N P_N^(1/3), in units of the lever
 * that the drilling row was multiplied with; see sp_contensou_set for a law with units. */
static inline sp_set sp_set_contensou(double mu, sp_pressure pressure, double R, double R_N)
{
    sp_set s = sp_set_with(SP_SET_CONTENSOU, mu, 0.0);
    s.pressure = pressure;
    s.R = R;
    s.R_N = R_N;
    return s;
}

/* Friction disc, and two rolling torques bounded by mu_roll P_N. */
static inline sp_set sp_set_rolling(double mu, double mu_roll)
{
    return sp_set_with(SP_SET_ROLLING, mu, mu_roll);
}

/* The set of a contact that bears a pull a >= 0: P_N >= -a, friction by P_N + a. */
static inline sp_set sp_set_adhere(sp_set s, double a)
{
    if (!s.shifted) {
        for (int k = 0; k < SP_SET_DIM_MAX; k++) {
            s.shift[k] = 0.0;
        }
    }
    s.shifted = 1;
    s.shift[0] -= a;
    return s;
}

/* Rows the set takes in P and xi; 0: its kind is none. */
static inline int sp_set_dim(const sp_set *s)
{
    switch (s->kind) {
    case SP_SET_PLANAR:
        return 2;
    case SP_SET_DISC:
    case SP_SET_ELLIPSE:
        return 3;
    case SP_SET_CONTENSOU:
        return 4;
    case SP_SET_ROLLING:
        return 5;
    case SP_SET_CONTENSOU_ROLLING:
        return 6;
    case SP_SET_FREE:
    case SP_SET_HALF_LINE:
    case SP_SET_INTERVAL:
        return 1;
    }
    return 0;
}

/* 1 if the set is one of laws/ball.c: rows after the normal one are no interval or disc. */
static inline int sp_set_is_ball(const sp_set *s)
{
    return s->kind == SP_SET_ELLIPSE || s->kind == SP_SET_CONTENSOU || s->kind == SP_SET_ROLLING ||
           s->kind == SP_SET_CONTENSOU_ROLLING;
}

/* 1 if it has a row for drilling, behind those of the force. */
static inline int sp_set_drills(const sp_set *s)
{
    return s->kind == SP_SET_CONTENSOU || s->kind == SP_SET_CONTENSOU_ROLLING;
}

#ifdef SP_SET_HEADER_ONLY
/* Poison: the code of these sets is not here. */
static inline void sp_ball_project(const sp_set *s, double *x)
{
    for (int a = 0; a < sp_set_dim(s); a++) {
        x[a] = NAN;
    }
}
#else
#ifdef __cplusplus
extern "C" {
#endif
/* x <- prox of a set of laws/ball.c, its shift left aside. */
void sp_ball_project(const sp_set *s, double *x);
#ifdef __cplusplus
}
#endif
#endif

/* The point of [lo, hi] nearest to x; NaN stays NaN. */
static inline double sp_clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Half line P_N >= 0, then the disc of radius mu P_N. */
static inline void sp_disc_project(double mu, double *x)
{
    if (x[0] < 0.0) {
        x[0] = 0.0;
    }
    const double radius = mu * x[0], len = hypot(x[1], x[2]);
    if (len > radius) {
        x[1] *= radius / len;
        x[2] *= radius / len;
    }
}

/* x <- prox_C(x).  With friction C depends on P_N: the normal row first, then the rest with the
 * radius mu times the projected normal row.  NaN travels. */
static inline void sp_set_project(const sp_set *s, double *x)
{
    const int dim = s->shifted ? sp_set_dim(s) : 0;
    for (int a = 0; a < dim; a++) {
        x[a] -= s->shift[a];
    }
    switch (s->kind) {
    case SP_SET_FREE:
        break;
    case SP_SET_HALF_LINE:
        x[0] = x[0] < 0.0 ? 0.0 : x[0];
        break;
    case SP_SET_PLANAR:
        x[0] = x[0] < 0.0 ? 0.0 : x[0];
        x[1] = sp_clamp(x[1], -s->mu * x[0], s->mu * x[0]);
        break;
    case SP_SET_INTERVAL:
        x[0] = sp_clamp(x[0], s->lo, s->hi);
        break;
    case SP_SET_DISC:
        sp_disc_project(s->mu, x);
        break;
    default:
        sp_ball_project(s, x);
        break;
    }
    for (int a = 0; a < dim; a++) {
        x[a] += s->shift[a];
    }
}

/* x <- the point of the cone |x_T| <= mu x_N nearest to x (dim 2: planar, 3: spatial).  Not
 * sp_set_project: the cone is projected as a whole, for problems whose velocity carries the shift
 * mu |xi_T| of De Saxce.  NaN travels. */
static inline void sp_cone_project(int dim, double mu, double *x)
{
    const double len = dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
    if (len <= mu * x[0] && x[0] >= 0.0) { /* without friction all x_N along the axis are <= 0 */
        return;
    }
    if (mu * len <= -x[0]) { /* in the polar cone */
        for (int a = 0; a < dim; a++) {
            x[a] = 0.0;
        }
        return;
    }
    const double normal = (x[0] + mu * len) / (1.0 + mu * mu), shrink = mu * normal / len;
    x[0] = normal;
    for (int a = 1; a < dim; a++) {
        x[a] *= shrink;
    }
}

#endif
