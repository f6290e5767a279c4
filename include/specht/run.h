/* specht/run.h - run a machine to an end, and what may be doubted about it afterwards. */
#ifndef SPECHT_RUN_H
#define SPECHT_RUN_H

#include "specht/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reasons to doubt a run that reached its end. */
typedef enum sp_doubt_kind {
    SP_DOUBT_UNCERTIFIED, /* "uncertified": a residual above 1e-8; size: the residual             */
    SP_DOUBT_HANDOVER,   /* "handover": the fallback did not keep the tolerance; size: error / it */
    SP_DOUBT_PROJECTION, /* "projection": positions put back beyond the tolerance; size: J or m   */
    SP_DOUBT_DIVIDED,    /* "divided": a step halved, as its contact problem was not solved whole;
                            size: number of parts                                                */
    SP_DOUBT_UNPROVEN, /* "unproven": no proof that a pair did not touch; size: possible depth, m */
    SP_DOUBT_RESTITUTION, /* "restitution": coefficients changed, or energy gained; size: J      */
    SP_DOUBT_TOLERANCE,   /* "tolerance": raised; size: by which factor                         */
    SP_DOUBT_N
} sp_doubt_kind;

/* How often there was a reason, the first and the worst. */
typedef struct sp_doubt {
    long n;         /* times at which there was one, 0: never          */
    double t;       /* the first, s                                    */
    double last;    /* the last, s                                     */
    double size;    /* the largest; its meaning depends on the kind    */
    char place[64]; /* the first that is known: contact or pair; may be "" */
} sp_doubt;

/* The word for a kind on the command line and in files, "unknown" for what is none. */
SP_API const char *sp_doubt_name(sp_doubt_kind kind);

#ifdef __cplusplus
}
#endif
#endif
