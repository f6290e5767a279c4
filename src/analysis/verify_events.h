/* analysis/verify_events.h - events of two runs, matched one to one.   theory (44.6)-(44.8),
 * (57.8)-(57.11) */
#ifndef SP_ANALYSIS_VERIFY_EVENTS_H
#define SP_ANALYSIS_VERIFY_EVENTS_H

#include "analysis/verify.h"
#include "base/arena.h"

/* An impact of a contact. */
typedef struct sp_verify_impact {
    int slot, body[2]; /* the first one of a pool or of a curve's places; whose contact it is */
    int contact;       /* the element that it is of                      */
    int id;            /* shared by all that is hit at once; 0: not known   */
    double t, Lambda, speed; /* s, N s, m/s: of approach                       */
    double friction;         /* N s: in the plane with sign                    */
    double window;           /* s: how far from it the same one of another run may be */
    int pair;                /* in the other run, SP_NONE: none                */
    bool shared;             /* by other points in the other run, (57.9)       */
} sp_verify_impact;

/* What is kept of the events of a run. */
typedef struct sp_verify_log {
    int n_impact, n_choice;
    sp_verify_impact *impact;
    sp_verify_choice *choice;
    sp_tally zeno, jam;
} sp_verify_log;

/* Room for a log; false: no memory. */
bool sp_verify_log_new(sp_arena *a, sp_verify_log *log);
void sp_verify_log_clear(sp_verify_log *log);
void sp_verify_log_add(const sp_model *m, const sp_event *e, sp_verify_log *log);

/* How many impacts before t have at least 1 % of the largest impulse; *least: that, if not NULL. */
int sp_verify_strong(const sp_verify_log *log, double t, double *least);

/* The fastest approach of all that is hit at once with an impact, m/s.   theory (57.13) */
double sp_verify_hit_speed(const sp_verify_log *log, const sp_verify_impact *hit);

/* Match impacts before report->compared, as far as both logs go (4096 impacts), contact by contact,
 * each to one of the other run within the window of the reference's; pairs that differ in friction
 * alone, strong ones that are shared between other points and those that are left are counted, the
 * first of the last is reported. */
void sp_verify_match(sp_verify_log *reference, sp_verify_log *other, sp_verify_report *report);

/* At how many times before or at t there was a choice; *first: the first of them, n_found < 0 if
 * there was none.   theory (57.11) */
int sp_verify_choices(const sp_verify_log *log, double t, sp_verify_choice *first);

/* The last choice before t, n_found < 0 if there was none. */
sp_verify_choice sp_verify_choice_before(const sp_verify_log *log, double t);

/* The last choice that holds at a time from t_0 to t_1, n_found < 0 if none does.   theory (55.4)
 */
sp_verify_choice sp_verify_choice_within(const sp_verify_log *log, double t_0, double t_1);

#endif
