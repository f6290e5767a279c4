/* reduce/reduce.h - from finite elements to a part of few functions.   theory section 93 */
#ifndef SP_REDUCE_REDUCE_H
#define SP_REDUCE_REDUCE_H

#include "model/part.h"
#include "reduce/fe.h"

enum { SP_REDUCE_FACES = 8 };

typedef struct sp_reduce_wish {
    int n_mode;
    bool free; /* free-free with residuals; else held at the first interface */
    bool stiffen;
    int n_face;
    const char *face[SP_REDUCE_FACES];
} sp_reduce_wish;

/* What came of it, for people. */
typedef struct sp_reduce_report {
    int n_unknown, n_static, n_dropped, rounds;
    size_t entries;  /* of the factor                                           */
    int n_frequency; /* of these below                                          */
    double full[SP_PART_MOST], reduced[SP_PART_MOST]; /* Hz: before and after             */
    double own[SP_PART_MOST]; /* Hz: of the functions                                    */
    int n_node_of[SP_REDUCE_FACES];
    char no_stress[200]; /* why there is no geometric stiffness, "": there is       */
} sp_reduce_report;

/* The part lives in fe's arena. */
sp_status sp_reduce(const sp_fe *fe, const sp_reduce_wish *wish, sp_part *part,
                    sp_reduce_report *report, sp_error *err);

#endif
