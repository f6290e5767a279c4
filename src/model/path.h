/* model/path.h - a belt or chain around circles of the plane: its way, and links on it that close.
 *
 * A path runs straight from circle to circle and touches each; a circle with a radius > 0 lies to
 * its left (it is run around counter-clockwise), one with a radius < 0 to its right, 0 is a point.
 * theory chapter 70 */
#ifndef SP_MODEL_PATH_H
#define SP_MODEL_PATH_H

#include "base/status.h"
#include "math/plane.h"

#include <stdbool.h>

/* A circle, and the way that leads around it; filled in by sp_path_lay from `straight` on. */
typedef struct sp_path_circle {
    sp_vec at;
    double radius;
    double straight; /* length of the strand that leaves it, 0: none                  */
    double leaves;   /* direction of that strand, continuous along the path, rad      */
    double wrap;     /* by how much the path turns around it, >= 0 (a point: any), rad */
    /* with links, from sp_path_link on */
    int n_strand, n_arc; /* links of the strand that leaves it, links on it            */
    double pin;          /* where the first pin on it is, seen from its centre, rad    */
    double omega;        /* angular velocity                                           */
    sp_vec v;            /* of its centre                                              */
} sp_path_circle;

typedef struct sp_path {
    int n;
    bool closed;
    sp_path_circle *circle;
    double length;
} sp_path;

/* Place, direction, velocity and angular velocity on a path: of a station, or of a link, whose
 * first pin is there and whose second lies in the direction phi. */
typedef struct sp_path_at {
    sp_vec r, v;
    double phi, omega;
} sp_path_at;

/* What of a chain gives way until it closes. */
typedef enum sp_path_give { SP_PATH_NOTHING, SP_PATH_PITCH, SP_PATH_CIRCLE } sp_path_give;

/* A chain of links on a closed path. */
typedef struct sp_chain {
    int n;        /* links                                                          */
    double pitch; /* their length: of pins, which are on the circles                */
    double phase; /* how many links the first pin is before the end of circle 0, at most 1/2 */
    double speed; /* of the pins on circle 0                                        */
    sp_path_give give;
    int circle;   /* SP_PATH_CIRCLE: which moves ...   */
    sp_vec along; /* ... in this direction, unit       */
    double shift; /* ... by how much, found by sp_path_link */
    double rate;  /* ... and how fast                       */
} sp_chain;

/* Lay the path around its circles.  SP_E_INPUT: two of them lie in each other. */
sp_status sp_path_lay(sp_path *p, sp_error *err);

/* The station s, of a closed path modulo its length, of an open one beyond its ends straight on. */
sp_path_at sp_path_station(const sp_path *p, double s);

/* Put the links of a chain on the path, which is laid: its pitch or a circle of the path gives way.
 * link has room for n.  SP_E_INPUT with what is missing if they do not close it. */
sp_status sp_path_link(sp_path *p, sp_chain *chain, sp_path_at *link, sp_error *err);

#endif
