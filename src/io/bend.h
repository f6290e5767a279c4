/* io/bend.h - places of elastic beams as they are bent, from the functions of their scene. */
#ifndef SP_IO_BEND_H
#define SP_IO_BEND_H

#include "io/report_frames.h"
#include "model/scene.h"

/* One section of a beam in the frame of its body: its place on the axis, its rotation vector. */
typedef struct sp_section {
    double at[3], angle[3];
} sp_section;

/* Coordinates of a beam at the frames chosen, frames->n x n_mode; NULL: the body is rigid, or the
 * file does not have them.  Free with free. */
sp_status sp_bend_gather(sp_result *result, const sp_frames *frames, const sp_scene_flex *flex,
                         double **e, sp_error *err);

/* The sections at all stations, for coordinates e times a factor.   theory (72.1), (72.14) */
void sp_bend_sections(const sp_scene_flex *flex, const double *e, double factor,
                      sp_section *section);

/* The quaternion w x y z of a rotation vector. */
void sp_bend_turn(const double angle[3], double turn[4]);

/* The station before x, not the last one, and how far x is on the way to the next, 0 to 1: what
 * lies beyond an end goes with that.  At least two stations. */
int sp_bend_station(const sp_scene_flex *flex, double x, double *part);

/* Where a place of the body at rest is: it goes along with the section there. */
void sp_bend_point(const sp_scene_flex *flex, const sp_section *section, const double rest[3],
                   double bent[3]);

#endif
