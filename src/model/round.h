/* model/round.h - rings and annular plates that bend: functions, inertia, stiffness.
 * theory (97.9)-(97.13) */
#ifndef SP_MODEL_ROUND_H
#define SP_MODEL_ROUND_H

#include "model/part.h"

enum { SP_ROUND_MASSES = 16 };
enum {
    SP_ROUND_TERMS = 20,  /* radial polynomials of a plate, at most ...                */
    SP_ROUND_MORE = 5,    /* ... and how many more there are than radial functions     */
    SP_ROUND_RADII = 32,  /* of Gauss's rule, where given functions are looked at, too */
    SP_ROUND_ANGLES = 64, /* where these are looked at                                 */
    SP_ROUND_WAVES = 12   /* around, of a given function at most                       */
};

/* A function: so many waves around, the sine or the cosine; its radial part. */
typedef struct sp_wave {
    int k;
    bool sine;
    double coef[SP_ROUND_TERMS]; /* of Legendre's polynomials of 2 s - 1, times s^held */
} sp_wave;

/* A ring about the origin in the plane z = 0, or a plate there. */
typedef struct sp_round {
    double radius[2]; /* m: of a ring its line, twice; of a plate inside, outside   */
    double rigid;     /* ring: N m^2, E I; plate: N m, its bending stiffness        */
    double mass;      /* kg per m, kg per m^2                                       */
    double young, poisson, thickness; /* of a plate */
    bool plate;
    int held;   /* plate: what is zero inside: 2 displacement and slope, 1 displacement alone */
    int n_mass; /* plate: point masses on it: x, y, m, and kg */
    double point[SP_ROUND_MASSES][3];
    int n, n_k; /* functions; of a plate its radial ones, and its largest number of waves     */
    const sp_wave *wave; /* by the functions below */
    int n_given;         /* plate: functions that are sums of waves, 0: each is one ...    */
    const int *first;    /* n_given + 1: ... those of function k are first[k] and so on    */
} sp_round;

/* Functions of a plate by numbers: w at its radii and angles.   theory (97.15) */
double sp_round_radius(const sp_round *round, int i);

/* The waves that such a function is made of, at most 2 SP_ROUND_WAVES + 1; how many.  off: how far
 * their sum is from it, relative to its largest value. */
int sp_round_fit(const sp_round *round, const double w[SP_ROUND_RADII][SP_ROUND_ANGLES],
                 sp_wave *wave, double *off);

/* How many functions. */
int sp_round_count(const sp_round *round);

/* The part, whose row at a place is that of sp_round_shape with round as sp_modal.more; NULL: no
 * memory. */
const sp_part *sp_round_part(sp_arena *arena, sp_arena *scratch, sp_round *round);
void sp_round_shape(const sp_modal *form, const double *at, double *row);

/* Of a plate, as sp_modal.slopes.   theory (98.9) */
void sp_round_slopes(const sp_modal *form, const double *at, int k, sp_vec3 by[3], sp_vec3 bend[6]);

#endif
