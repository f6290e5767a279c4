/* specht/verify.h - one machine by two kinds of methods: how far their runs agree.
 *
 * The reference goes from event to event (smooth motion without contacts, adaptive steps where
 * events are not known, moreau where neither is), at a tolerance and at a hundredth of it;
 * moreau-mean is run with three steps, each half of the one before, and before methods are said to
 * contradict each other once more with steps of an eighth.  Other methods can be asked for.
 * docs/verify.md says what the numbers mean. */
#ifndef SPECHT_VERIFY_H
#define SPECHT_VERIFY_H

#include "specht/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sp_verdict {
    SP_VERDICT_AGREEMENT,
    SP_VERDICT_SEVERAL,      /* agreement until the machine has several motions     */
    SP_VERDICT_UNSETTLED,    /* neither agreement nor contradiction is shown        */
    SP_VERDICT_ONE_METHOD,   /* nothing to compare with                             */
    SP_VERDICT_NOT_VERIFIED, /* a run ended early, is not certified, or none was compared */
    SP_VERDICT_CONTRADICTION /* methods converge to different motions               */
} sp_verdict;

#define SP_VERIFY_GAIN_LEAST 2.0 /* by two refinements: errors of first order gain 4 and 100 */

enum { SP_VERIFY_STEPS = 3, SP_VERIFY_LEFT = 4 };

typedef struct sp_verify_options {
    size_t size;      /* of this struct                                 */
    double until;     /* s                                              */
    double tolerance; /* of the reference; its second run has 1/100     */
    double step;      /* coarsest step of moreau-mean, s; 0: until/5000 */
    int samples;      /* times that are compared                        */
    int n_method;     /* asked for by name: 0 to 2; one that chooses its steps is the reference */
    sp_method method[2];
    const sp_stiff_driver *stiff; /* of method stiff; NULL: nobody can                */
    void (*begin)(void *ctx, const char *run); /* before each run, what it is; may be NULL */
    sp_status (*watch)(void *ctx, double t, long steps, long events, sp_error *err); /* a step */
    void *ctx;
} sp_verify_options;

/* One of the two methods, and what its runs differ in. */
typedef struct sp_verify_side {
    sp_method method;
    bool stepped;                  /* grain is the step, s, else the tolerance       */
    int n;                         /* runs: 2 of the reference, 3 of the other, or 0 */
    double grain[SP_VERIFY_STEPS]; /* the finest last                                */
} sp_verify_side;

/* A method that would have been taken, and why it was not. */
typedef struct sp_verify_left {
    sp_method method;
    char why[240];
} sp_verify_left;

/* Differences of lines of the ledger over the largest energy or work, (50.7). */
typedef struct sp_verify_energy {
    double kept, friction, impacts;
    double lost; /* friction and impacts together */
} sp_verify_energy;

/* What finer runs of the other method gain.   theory (57.1)-(57.4) */
typedef enum {
    SP_VERIFY_GAINS,     /* they come nearer to the reference                                 */
    SP_VERIFY_EXACT,     /* they need not: nearer than what positions are off by anyway       */
    SP_VERIFY_REFERENCE, /* they do not, and are as near as the reference is to itself        */
    SP_VERIFY_FLOOR,     /* they do not, but agree with each other                            */
    SP_VERIFY_SCATTER    /* they do not, and differ from each other by as much                */
} sp_verify_gain;

/* What ends a comparison. */
typedef enum {
    SP_VERIFY_END_WHOLE,    /* the end of the runs                                            */
    SP_VERIFY_END_TRUST,    /* runs of the reference differ from each other, (17.16)          */
    SP_VERIFY_END_DIFFER,   /* those of the other do, (17.17)                                 */
    SP_VERIFY_END_TOO_LONG, /* its steps are too long, (57.6)                                 */
    SP_VERIFY_END_EARLY     /* a run ended there                                              */
} sp_verify_end;

/* One of several motions, as a run reported it; n_found < 0: none was reported. */
typedef struct sp_verify_choice {
    double t, t_end; /* s; t_end: until contacts change, which an impact does at once */
    int slot, body[2], n_found;
    bool at_least, impact;
} sp_verify_choice;

/* The worst residuals of runs, as in sp_run_outcome; gap: penetration, m. */
typedef struct sp_verify_residuals {
    double complementarity, cone, momentum, gap;
} sp_verify_residuals;

/* Contacts by their numbers, for sp_model_item. */
typedef struct sp_verify_report {
    sp_verdict verdict;              /* all in a word                                        */
    double agrees_until;             /* s; NaN where that is not shown                       */
    sp_verify_side reference, other; /* other.n = 0: there is nothing to compare with        */
    int n_left;                      /* methods that do not know the model                   */
    sp_verify_left left[SP_VERIFY_LEFT];
    double until, trust;             /* s; trust: until then both reference runs agree       */
    bool trust_ended;                /* one of them ended there                              */
    double limit;                    /* that they agree to, of scale                         */
    double compared;                 /* methods are compared until then, s                   */
    sp_verify_end end;               /* what ended it                                        */
    double change;                   /* of positions by the tolerance, until trust           */
    double apart[SP_VERIFY_STEPS];   /* positions: the other from the reference, largest     */
    double apart_u[SP_VERIFY_STEPS]; /* velocities: the same, mean over time                 */
    double mean[SP_VERIFY_STEPS];    /* positions: the same, mean over time                  */
    double order, order_u;           /* observed, of the means; NAN: these are round-off     */
    double spread, spread_u;         /* half the difference of the orders of both halvings   */
    double self;                     /* positions: the two finest stepped runs from each other */
    sp_verify_gain gain;             /* by refinement, and by which factor:                  */
    double gain_all, gain_last;      /* by both of them, by the last; INFINITY: to nothing   */
    double settled, t_settled;       /* near enough without gain, of scale; until then it is, s */
    bool still;                      /* nothing moves by more than round-off                 */
    int matched;                     /* pairs of impacts, one of them strong at least        */
    int other_friction;              /* of these: with another friction alone, (57.10)       */
    int impacts[2];                  /* these and those below: reference, stepped            */
    int shared[2];                   /* that the other side has at other points, (57.9)      */
    int alone[2];                    /* strong ones of either side that the other lacks      */
    double t_alone;                  /* the first of these, s                                */
    int alone_slot, alone_side;      /* its contact, 0: in the reference, 1: in the other    */
    double impact_time;              /* largest difference of those that match, s            */
    double impulse;                  /* sums of impulses of these, relative difference       */
    sp_verify_energy energy;         /* of the finest                                        */
    double lost[SP_VERIFY_STEPS];    /* energy.lost of each                                  */
    double moved[2]; /* energy by corrections of positions, of the largest: reference, stepped */
    int zeno;        /* times at which the reference passed clatter          */
    int choices;     /* times at which it took one of several motions, while compared */
    sp_verify_choice first; /* of these                                             */
    sp_note jams;           /* at which the reference jammed                        */
    bool contradicts;       /* stepped runs converge, but to something else         */
    bool several;         /* so they do, where the reference took one of several motions: choice */
    double t_parted;      /* s: since then the methods are apart, if one of both  */
    double t_contradicts; /* from here on                                         */
    sp_verify_choice choice;      /* of the reference: where they part, or the last before    */
    double off, off_self;         /* there: from the reference, of stepped runs until then */
    sp_verify_residuals worst[2]; /* of the reference runs, of the stepped ones           */
    bool uncertified;             /* a run has a certificate above SP_CERTIFIED           */
    char doubt[160];              /* which, and what of it; "" if none                    */
    char nothing[240];            /* why no span of time could be compared, "" if one was */
    double step_to_take;          /* then: one that may be short enough, s; 0: no step helps */
    bool unsettled;               /* it is open whether the other goes to the reference   */
    bool far;                     /* that is by its distance, (57.5), or                  */
    bool other_energy;            /* since contacts took another energy                   */
    char failed[600];             /* why a run ended early, "" if none did                */
} sp_verify_report;

/* Until, tolerance and step of the model's section 'run' (model may be NULL: until = 0), 500
 * samples, methods that suit the model, nobody who watches.  Thread-safe. */
SP_API sp_verify_options sp_verify_options_default(const sp_model *model);

/* Run the model from its start by two kinds of methods with several steps and tolerances, and
 * compare.  SP_OK with the report, also where runs end early; SP_E_INPUT if options are out of
 * range, or a method that is asked for cannot run the model.  It takes some ten times as long as
 * one run.  Thread-safe. */
SP_API sp_status sp_analysis_verify(const sp_model *model, const sp_verify_options *options,
                                    sp_verify_report *report, sp_error *err);

#ifdef __cplusplus
}
#endif
#endif
