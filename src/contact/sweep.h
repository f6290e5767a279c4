/* contact/sweep.h - proof that two parts did not touch on their way between two configurations.
 *
 * Contours are covered by convex pieces (math/convex.h).  On its way from one configuration to the
 * next the middle of a piece goes straight and its body turns evenly, up to a deviation of `slack`;
 * along a unit vector n a piece then approaches another by no more than
 *
 *     reach(n) = |n.(v_a - v_b)| + |omega_a| size_a + |omega_b| size_b
 *
 * per length of the way.  The way is bisected until the distance in the middle of each part is
 * larger than reach times half its length.   theory (66.2)-(66.6)
 *
 * Smooth surfaces have no pieces: the distance is that of their nearest points.   theory (66.26)
 * Lines, planes, holes and bores need none of it: their gaps stay negative however far something
 * has gone through. */
#ifndef SP_CONTACT_SWEEP_H
#define SP_CONTACT_SWEEP_H

#include "contact/con.h"
#include "kinematics/bounds.h"
#include "math/convex.h"

/* Where a contour is: the frame of its body, as what the contour goes with carries it. */
typedef struct sp_sweep_pose {
    sp_vec3 x;    /* origin, world                                       */
    sp_rot3 R;    /* axes, world                                         */
    double angle; /* in the plane, counted on through whole turns        */
} sp_sweep_pose;

/* Bounds of second derivatives of the motion of a body: of its origin, and what an arm from there
 * to the middle of a piece, and the size of a piece, add per length.   theory (66.22) */
typedef struct sp_sweep_bend {
    double place;     /* m/s^2 */
    double arm, size; /* 1/s^2 */
} sp_sweep_bend;

/* The same from bounds of how bodies move; both: n_body. */
void sp_sweep_bends(const sp_model *m, const sp_kin_bound *bound, sp_sweep_bend *bend);

/* Pieces one after the other, in a ball. */
typedef struct sp_sweep_group {
    sp_vec3 centre; /* body's frame */
    double radius;
    int first, end; /* pieces       */
} sp_sweep_group;

/* Pieces of a contour; those without are left out of sweeps. */
typedef struct sp_sweep_cover {
    int n;
    const sp_convex *piece;
    int n_group; /* all of them, in order */
    const sp_sweep_group *group;
    int n_corner;            /* corners of the pieces ...                  */
    const sp_convex *corner; /* ... each as a piece of its own             */
    sp_vec3 centre;          /* of a ball around all of them, body's frame */
    double radius;
    double ball; /* the least radius of balls around pieces ...                           */
    double thin; /* ... and the least width without them; infinite if all are single points */
    const sp_surface *smooth; /* not NULL: no pieces, but nearest points of this surface; the one
                               * piece is only how it moves: a point in its middle, its reach  */
    double wide; /* pieces are wider than the contour by no more, m                         */
} sp_sweep_cover;

/* Two contours of different bodies with slots of their own. */
typedef struct sp_sweep_pair {
    int a, b;        /* contours                       */
    int n;           /* slots between the two ...      */
    const int *slot; /* ... rising                     */
} sp_sweep_pair;

/* What all sweeps of a model share, read-only after sp_sweep_new. */
typedef struct sp_sweep {
    const sp_model *m;
    const sp_sweep_cover *cover; /* n_contour        */
    int n_pair;
    const sp_sweep_pair *pair; /* but those of pools */
    double *work;              /* scratch of surfaces */
} sp_sweep;

/* NULL without memory. */
const sp_sweep *sp_sweep_new(sp_arena *arena, const sp_model *m);

/* How much deeper in each other than two contours their pieces may be, m. */
static inline double sp_sweep_wide(const sp_sweep *s, int a, int b)
{
    return s->cover[a].wide + s->cover[b].wide;
}

/* Whether one of two contours is looked at by its nearest points.   theory (66.26) */
static inline bool sp_sweep_is_smooth(const sp_sweep *s, int a, int b)
{
    return s->cover[a].smooth || s->cover[b].smooth;
}

/* Whether the model has pairs that can be gone through. */
bool sp_sweep_needed(const sp_sweep *s);

/* The poses of all contours; pose: n_contour. */
void sp_sweep_poses(const sp_model *m, const sp_kin *kin, sp_sweep_pose *pose);

typedef enum sp_sweep_end {
    SP_SWEEP_CLEAR,   /* proven: they did not touch                                     */
    SP_SWEEP_TOUCH,   /* they may touch right behind `at`, up to where they are apart   */
    SP_SWEEP_UNPROVEN /* the same, but found by giving up                               */
} sp_sweep_end;

/* The first possible touch of a pair. */
typedef struct sp_sweep_found {
    sp_sweep_end end;
    int a, b;        /* contours                                                    */
    double at;       /* 0 to 1: how much of the way is proven                       */
    double distance; /* there, a bound, m                                           */
    double approach; /* how fast they come together there along n, per whole way, m */
    double slack;    /* how far from even motion the two may be for their bends, m  */
    sp_vec3 n;       /* of unit length, from b to a                                 */
    const sp_convex *piece[2];
    bool smooth; /* found by nearest points */
} sp_sweep_found;

/* The way of all contours from one pose to another. */
typedef struct sp_sweep_way {
    const sp_sweep_pose *from, *to; /* n_contour                           */
    const sp_sweep_bend *bend;      /* n_body; NULL: they go evenly ...    */
    double dt;                      /* ... else how long it takes, s       */
    bool rests;  /* pieces that touch when it begins may go on doing so: they are judged by how deep
                  * they are in its middle and at its end   (66.23)                             */
    double slow; /* as far as two contours come together at most: pieces of curves through which
                  * laws see deeper are left out, m; 0: none   (66.29)                         */
} sp_sweep_way;

sp_sweep_end sp_sweep_contours(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                               sp_sweep_found *found);

/* The farthest that two contours can come together on the rest of one of n_way ways and as much of
 * the next, m. */
double sp_sweep_together(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b);

/* The same for one piece, or corner, of a. */
sp_sweep_end sp_sweep_piece(const sp_sweep *s, const sp_sweep_way *way, int a, int b,
                            const sp_convex *piece, sp_sweep_found *found);

/* The farthest that two contours can come together on a way, m. */
double sp_sweep_come(const sp_sweep *s, const sp_sweep_way *way, int a, int b);

/* Whether two contours move so little on n_way ways that the laws see every touch from the right
 * side.   theory (66.9) */
bool sp_sweep_is_slow(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b);

/* The sizes of the two pieces that were found, m. */
static inline double sp_sweep_size(const sp_sweep_found *found)
{
    const sp_convex *a = found->piece[0], *b = found->piece[1];
    return a->size + a->r + b->size + b->r;
}

#define SP_SWEEP_NEAR 1e-7 /* of the two sizes: nearer they may touch */

/* How deep the pieces that were found are in each other along found->n, at `at` of a way, m;
 * negative: apart. */
double sp_sweep_depth(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                      double at);

/* How far they are apart there, m; 0: they touch. */
double sp_sweep_distance(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                         double at);

/* How much of the way, were it straight, they come together along their normal there, m. */
double sp_sweep_approach(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found,
                         double at);

/* How deep they may be for contact laws to see them from the side that they came from.
 * theory (66.7) */
double sp_sweep_seen(const sp_sweep *s, const sp_sweep_way *way, const sp_sweep_found *found);

/* Whether the balls around two contours stay apart on n_way ways. */
bool sp_sweep_is_far(const sp_sweep *s, const sp_sweep_way *way, int n_way, int a, int b);

/* How far any point of a contour can go on a way, m. */
double sp_sweep_farthest(const sp_sweep *s, const sp_sweep_way *way, int contour);

/* What to do with a pair: one of sp_sweep, or of a pool (pair NULL). */
typedef sp_status (*sp_sweep_visit)(void *ctx, int a, int b, const sp_sweep_pair *pair,
                                    const sp_pool *pool, sp_error *err);

/* Visit every pair that can go through each other; of pools those whose boxes met where the last
 * gaps were found, if nothing has come from farther away on these ways, else all. */
sp_status sp_sweep_each(const sp_sweep *s, const sp_con *con, const sp_sweep_way *way, int n_way,
                        sp_sweep_visit visit, void *ctx, sp_error *err);

/* How deep two contours are in each other at a pose, m; minus infinity: they are apart.
 * theory (66.25) */
double sp_sweep_overlap(const sp_sweep *s, const sp_sweep_pose *pose, int a, int b);

/* The pair that is deepest in each other at a pose; depth <= 0: none is. */
typedef struct sp_sweep_deepest {
    double depth; /* m        */
    int a, b;     /* contours */
    int slot;     /* the first of them, or of their pool */
} sp_sweep_deepest;
sp_sweep_deepest sp_sweep_find_deepest(const sp_sweep *s, const sp_con *con,
                                       const sp_sweep_pose *pose);

/* A step with a given length, on one way or, of Moreau's scheme, two. */
typedef struct sp_sweep_step {
    const sp_sweep *s;
    const sp_con *con;
    const sp_sweep_way *way;
    int n_way;
    bool (*hit)(const void *ctx, const sp_sweep_found *found); /* it pushes or approaches in it  */
    bool (*touched)(const void *ctx, int slot,
                    uint64_t *key);           /* ... or was closed when it began;
                                               * *key: what of its pool it was of */
    double (*gap)(const void *ctx, int slot); /* its gap when it began, m */
    const void *ctx;
} sp_sweep_step;

/* What it did to the pairs. */
typedef struct sp_sweep_through {
    bool through;        /* a pair was carried through, or too deep to be seen                */
    bool unproven;       /* that is not known of the pair in `doubt`                          */
    double until, touch; /* of the step: what is proven, how much farther the law sees it     */
    sp_sweep_found found, doubt;
} sp_sweep_through;

/* theory (66.7)-(66.9) */
sp_sweep_through sp_sweep_judge(const sp_sweep_step *step);

/* Whether any pair that had not touched when the step began does so in it. */
bool sp_sweep_touches(const sp_sweep_step *step);

/* A time of motion that ways tell of, and how far it is proven. */
typedef struct sp_sweep_time {
    const sp_sweep *s;
    const sp_con *con;
    /* the way of all bodies from a time to another: the whole, or a part in a room of its own */
    sp_status (*way_of)(void *ctx, double from, double to, bool part, sp_sweep_way *way,
                        sp_error *err);
    bool (*closed)(void *ctx, int slot); /* of a smooth pair: its contact is followed as such */
    void *ctx;
    double from, until; /* s; until: made earlier, where a pair comes to touch */
    double sliver;      /* s: no part is shorter                               */
    bool unproven;      /* of a pair it is not known whether it touches at `at` */
    int a, b;
    double at;
    sp_sweep_way all; /* scratch */
    double end;
} sp_sweep_time;

/* theory (66.24) */
sp_status sp_sweep_prove(sp_sweep_time *time, sp_error *err);

#endif
