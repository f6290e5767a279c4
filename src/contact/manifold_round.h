/* contact/manifold_round.h - discs and frustums in their pose: rims, round sides, and where a rim
 * comes nearest to a line, another rim or a round side.   theory section 39 */
#ifndef SP_CONTACT_MANIFOLD_ROUND_H
#define SP_CONTACT_MANIFOLD_ROUND_H

#include "contact/manifold_parts.h"

/* Features of a disc against shapes with edges; of ends, rims and points the lower ones first.  A
 * rim is met in two places by what crosses it: where that comes in over the disc, and where it
 * leaves. */
enum {
    SP_ROUND_END = 0,
    SP_ROUND_RIM = 2,
    SP_ROUND_SIDE = 4,
    SP_ROUND_POINT = 5, /* fixed points of the rims, four each */
    SP_ROUND_RIM_OUT = 13,
    SP_ROUND_SIDE_BACK = 15, /* the other solution of (39.4), (39.5) */
    SP_RIM_POINTS = 4
};

typedef struct sp_rim {
    sp_vec3 center, ex, ey; /* ex, ey: unit vectors in its plane; ex x ey is the axis */
    double r;               /* 0: the tip of a cone                                   */
} sp_rim;

/* A disc or frustum in its pose. */
typedef struct sp_round {
    const sp_shape3 *shape;
    sp_pose3 pose;
    sp_vec3 axis;
    sp_rim rim[2];     /* the lower one first */
    int n_rim;         /* a coin has one      */
    double length;     /* of the side; 0: a coin has none                                       */
    double g_rho, g_z; /* along the side, upwards; its outward normal is (g_z, -g_rho) */
} sp_round;

/* A disc or frustum as rims and a side, where its pose has them. */
sp_round sp_round_of(const sp_shape3 *disc, const sp_pose3 *pose);

/* The smallest and the largest n.x of a disc. */
double sp_round_lowest(const sp_round *d, sp_vec3 n);
double sp_round_highest(const sp_round *d, sp_vec3 n);

/* A place of a rim: away from the axis, along the rim, in the world. */
typedef struct sp_rim_place {
    sp_vec3 e, t, x;
} sp_rim_place;

sp_rim_place sp_rim_at(const sp_rim *rim, double phi);

/* The place of a rim that is lowest along n: where n has no part in the plane of the rim, at ex. */
sp_rim_place sp_rim_lowest(const sp_rim *rim, sp_vec3 n, double *tilt);

/* What a rim comes near to: a line at + s u with u of unit length, a rim, or a round side. */
typedef enum sp_partner_kind { SP_PARTNER_LINE, SP_PARTNER_RIM, SP_PARTNER_SIDE } sp_partner_kind;
typedef struct sp_partner {
    sp_partner_kind kind;
    sp_vec3 at, u;
    const sp_rim *rim;
    const sp_round *round;
    bool far; /* RIM, SIDE: what is beyond the axis, which is met by shapes that are deep in it */
} sp_partner;

/* The place of the partner nearest to x, the way from it to x (of a side its outward normal), and
 * the direction of the partner there. */
typedef struct sp_foot {
    sp_vec3 y, w, d;
    double rho; /* RIM, SIDE: of x from the axis, < 0 if it is beyond; LINE: where on it */
} sp_foot;

sp_foot sp_partner_foot(const sp_partner *p, sp_vec3 x);

/* Angles of a rim at which it is nearest to its partner, among its neighbours; how many, at most
 * SP_RIM_NEAREST.   theory (39.1)-(39.3) */
enum { SP_RIM_NEAREST = 8 };
int sp_rim_nearest(const sp_rim *rim, const sp_partner *p, double *phi);

/* Angles at which a line or a rim crosses a rim, seen along its axis; 0 or 2 of them. */
int sp_rim_crossings(const sp_rim *rim, const sp_partner *p, double phi[2]);

/* The place where a rim crosses another one, seen along the axis of that, from such an angle on;
 * false if it does not. */
bool sp_rim_crosses(const sp_rim *rim, const sp_partner *p, double phi, sp_rim_place *at,
                    sp_foot *foot);

/* ---- offers --------------------------------------------------------------------------------- */

/* What is done with offers. */
typedef enum sp_round_task { SP_ROUND_MEASURE, SP_ROUND_LIST, SP_ROUND_HOLD } sp_round_task;

/* An offer: n from b to a, points x of a and y of b without the radii of the sides. */
typedef struct sp_offer {
    sp_vec3 n, x, y;
    sp_touch_side side[2];
    double reach; /* inside of its features, m; < 0: past their end */
    bool sharp;   /* two sharp points, or edges that go the same way: no touch but by chance */
    bool turn;    /* n may point either way */
} sp_offer;

/* Both shapes; places are counted from b's origin. */
typedef struct sp_round_scene {
    sp_round_task task;
    const sp_core *core; /* of a, NULL: a disc */
    sp_round a, b;
    double tol, margin;
    bool far;         /* rims with what is beyond the axis of the other    */
    int first;        /* touches of the list that were there before        */
    int only[2];      /* HOLD: the features                                */
    double best_s;    /* how far apart along the best n                    */
    sp_offer best;    /* MEASURE: the best one; HOLD: the one that is held */
    bool found;       /* HOLD                                              */
    sp_touches *list; /* LIST                                              */
} sp_round_scene;

/* Measure, list or hold an offer, with n either way if it may point so. */
void sp_round_take(sp_round_scene *s, sp_offer *o);

/* All offers of the two, and what crosses the rim of an end of b that is across the best n where
 * nothing was found yet. */
void sp_round_offer(sp_round_scene *s);
void sp_round_crossings(sp_round_scene *s);

/* Whether offers of these features are wanted; -1: whichever. */
bool sp_round_wanted(const sp_round_scene *s, int feature_a, int feature_b);

/* The touch of these features in the list, NULL if there is none. */
sp_touch *sp_round_known(const sp_round_scene *s, int feature_a, int feature_b);

/* Put an offer into the list; of two with the same features the nearer one stays. */
void sp_round_add(sp_round_scene *s, const sp_offer *o, sp_touch_carrier carrier);

#endif
