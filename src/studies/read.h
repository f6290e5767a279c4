/* studies/read.h - what the files that read a study share:
 *
 *     study_text.c   texts and numbers        study_model.c   what is set in the model
 *     study_axes.c   what is varied           study_points.c  points from files, drawn ones
 *     study_read.c   the study */
#ifndef SP_STUDIES_READ_H
#define SP_STUDIES_READ_H

#include "studies/study.h"

/* ---- study_text.c (more in study.h) ---------------------------------------------------------- */

/* The text of a key, NULL if it is not there. */
const char *sp_study_text_of(const sp_node *map, const char *key);

/* A time in which "300 periods" stands for 300 times the period. */
sp_status sp_study_time(sp_study *s, const sp_node *node, const char **text, sp_error *err);

/* ---- study_model.c --------------------------------------------------------------------------- */

/* What the study sets at all points. */
sp_status sp_study_set_model(sp_study *s, sp_error *err);

/* The command that runs the model as this study does, but for the parameters of a point. */
sp_status sp_study_write_command(sp_study *s, sp_error *err);

/* The leaf of the model that an assignment changes, NULL: it is none; the same after it was set to
 * `text`, an error at `from` if that cannot be. */
sp_node *sp_study_leaf_of(const sp_study *s, const char *name);
sp_status sp_study_find_leaf(sp_study *s, const char *name, const char *text, const sp_node *from,
                             sp_node **leaf, sp_error *err);

/* ---- study_points.c -------------------------------------------------------------------------- */

/* A file beside the study file. */
const char *sp_study_beside(sp_study *s, const char *name);

/* Points from a file: "name" or "name [unit]" over each column. */
sp_status sp_study_read_points(sp_study *s, const sp_node *node, sp_error *err);

/* Points drawn in the ranges of the axes; map NULL: at random. */
sp_status sp_study_draw_points(sp_study *s, const sp_node *map, sp_error *err);

/* Rows in 0..1 as values of the axes. */
void sp_study_scale_rows(sp_study *s);

#endif
