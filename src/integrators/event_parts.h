/* integrators/event_parts.h - what the files of event-driven integration share: event.c is the
 * loop, each other file an owner of one struct. */
#ifndef SP_INTEGRATORS_EVENT_PARTS_H
#define SP_INTEGRATORS_EVENT_PARTS_H

#include "integrators/event.h"
#include "solvers/solutions.h"

#include <math.h>

enum { SP_EVENT_NODES = 9 }; /* of a step at which indicators are looked at   theory (65.1) */

#define SP_EVENT_LONG 1.0     /* s: however slowly a machine moves, this is long                */
#define SP_IN_TIME    SP_TINY /* s, or of the time: events are landed on so near */
#define SP_FAST       1e-4 /* s: machines with shorter times are judged by their speeds           */
#define SP_TOUCHES    SP_FINE /* of its extent: gaps below are closed; landed on to round-off      */

#define SP_SWAP(type, list, i, j)                                                                  \
    do {                                                                                           \
        const type swap_ = (list)[i];                                                              \
        (list)[i] = (list)[j];                                                                     \
        (list)[j] = swap_;                                                                         \
    } while (0)

/* What a step can end on. */
typedef enum {
    SP_TRIGGER_NONE,
    SP_TRIGGER_TOUCH,      /* a gap closes, a one-way row stands, a preload is back at zero     */
    SP_TRIGGER_LIFT_OFF,   /* a normal force comes to zero                                      */
    SP_TRIGGER_BREAK_AWAY, /* a friction limit is reached                                       */
    SP_TRIGGER_SLIP_ENDS,  /* a slip velocity comes to zero                                     */
    SP_TRIGGER_SLIP_FREE,  /* a slip in space that has just begun has its own direction now     */
    SP_TRIGGER_EDGE_ENDS,  /* a contact comes to the end of the edge that it slides on          */
    SP_TRIGGER_SHARED      /* of forces that are not unique none is admissible any more         */
} sp_trigger;

/* Indicators of a slot at one time: main and its rate (of a closed contact how far it is from the
 * end of the edge that it is on), second, of contacts in space one for each group of friction.
 * Behind those of the slots stands the margin of forces that are not unique. */
enum { SP_MAIN, SP_RATE, SP_SECOND, SP_THIRD, SP_INDICATORS };

/* ---- owners
 * -------------------------------------------------------------------------------------- Each
 * struct is written by one file, which its comment names, with functions for what others ask it to
 * change; all others read it.  Rooms and saved bytes of all are event_memory.c. */

/* Indicators at one time, and where they are counted from in this step (event_indicators.c). */
typedef struct sp_indicators {
    double (*node)[SP_INDICATORS]; /* n_slot + 1                                             */
    double *below; /* n_slot: where the gap of an open contact is counted from, m            */
    double *inset; /* n_slot: how far inside of its features one has to be to touch, m       */
    double *terms; /* n_slot: largest sum of the terms that a gap by formula was made of     */
} sp_indicators;

/* What the last step ended on (event_locate.c). */
typedef struct sp_located {
    sp_trigger trigger;
    int slot;       /* of the trigger, n_slot: forces that are not unique                      */
    int group;      /* of friction in space that it is about                                   */
    double *sample; /* SP_EVENT_NODES times the indicators                                     */
    bool by_cubic;  /* states in the step are those of the cubic through its ends              */
    bool unseen;    /* these were enough: forces of its end are there still                    */
} sp_located;

/* The states of contacts (event_settle.c). */
typedef struct sp_settled {
    unsigned char *state; /* n_slot: SP_OPEN, SP_STICK, SP_SLIP_POS, SP_SLIP_NEG; of an interval
                           * STICK: it holds, else which bound its force is at; in space which
                           * groups slide (sp_sliding)                                          */
    int *closed;          /* n_slot: for s->closed                                           */
    unsigned char *status;
    int *hold;      /* n_slot: for w->con, what closed contacts stay at                     */
    int *candidate; /* slots that touch                                                      */
    int *hit;       /* of these the ones that can be hit                                     */
    bool *stays;    /* contacts of w->con that take part in the problem of accelerations     */
    int *resting;   /* slots that are put at rest, ...                                       */
    unsigned char *resting_status; /* ... and as what                                        */
    int *came;                     /* those that were, for s->rested                         */
    unsigned char *came_status;
    unsigned char *begins; /* n_slot, in space: groups that begin to slide from rest         */
    double *left; /* n_slot: when it opened last; it does not close again at that time     */
    double (*force)[SP_SET_DIM_MAX]; /* n_slot: forces before the event                      */
    double *work, *base; /* n_slot: friction work in this phase of contact; at the last event */
    double *rested;      /* n_slot: the same of coming to rest at this event                 */
    bool jumped;         /* velocities jumped at this event                                  */
} sp_settled;

/* Impacts (event_impact.c). */
typedef struct sp_impacts {
    double size;     /* the largest sum of terms that relative velocities were made of, m/s   */
    double *impulse; /* rows of w->con: scratch                                               */
} sp_impacts;

/* Who is hit together (event_hit.c). */
typedef struct sp_hit_group {
    int *island;   /* slots                              */
    bool *coupled; /* contacts of w->con                 */
} sp_hit_group;

/* What a contact remembers of its last hops. */
typedef struct sp_hops {
    double t_hit;  /* when it was hit last, -infinity: never           */
    double flight; /* how long it was in the air before that, 0: unknown */
    double ratio;  /* of the last two flights, 0: unknown               */
    double row;    /* flights in a row of which each was shorter than the one before */
} sp_hops;

/* Hops, impacts by turns and their accumulations (event_zeno.c). */
typedef struct sp_zeno {
    double *gap;   /* n_slot: of an open contact that is near how far it is, 0: it touches, m   */
    double *path;  /* n_slot: how far it moved in the clatter at hand, m                        */
    double *shift; /* n_dof: sum of u dt in it                                                  */
    double *swing; /* SP_CLATTER_KEPT x (n_slot + n_bond) x SP_SET_DIM_MAX: its last impulses   */
    double *impulse, *gamma; /* rows of w->con: all impulses that follow, velocities after them */
    sp_event *passed;        /* n_slot: what its impacts add up to                              */
    sp_hops *hops;           /* n_slot                                                          */
    sp_event *deferred;      /* 2 n_slot: accumulations of impacts that end after now, and the
                              * closings that they end with, by time                            */
    int n_deferred;
} sp_zeno;

/* Impacts one after the other in times so short that nothing else changes (event_zeno.c). */
enum { SP_CLATTER_KEPT = 16 };
typedef struct sp_clatter {
    double t;                    /* how long they have lasted, s                            */
    bool begun;                  /* impacts are noted: they are many, or time went on       */
    int n_hit;                   /* impacts since it did so first                           */
    int who[SP_CLATTER_KEPT];    /* slot that was hit in the last of these, SP_NONE: several */
    double dt[SP_CLATTER_KEPT];  /* how long it was until each of them, s                */
    double way[SP_CLATTER_KEPT]; /* and how far the contact moved that moved most, m     */
    double now_dt, now_way;      /* both of the one that comes                           */
    int next;                    /* slot that is hit in the one that comes, like who        */
    int first_event, id;         /* events reported and impacts counted before them             */
    bool many;                   /* there are more than are reported one by one                 */
    bool ends;                   /* they end at rest: an accumulation                       */
} sp_clatter;

/* A contact problem over some rows of some contacts of w->con. */
typedef struct sp_posed {
    double *G, *c, *P;
    int *row, *who; /* who: number in w->con of each contact */
    sp_set *set;
    unsigned char *guess;
} sp_posed;

/* It, with n rows of n_contact contacts and velocities of this size. */
static inline sp_problem sp_posed_problem(const sp_posed *of, int n_contact, int n, double size,
                                          sp_work *w)
{
    return (sp_problem){.n_contact = n_contact,
                        .n = n,
                        .ld = n,
                        .set = of->set,
                        .row = of->row,
                        .G = of->G,
                        .c = of->c,
                        .xi_scale = size,
                        .space = &w->sol.space};
}

/* The problem of accelerations (event_decide.c). */
typedef struct sp_decided {
    sp_posed of;
    const bool *use;             /* contacts of w->con that take part, NULL: all */
    int (*pick)[SP_SET_DIM_MAX]; /* which rows of each contact are in the problem */
    double *lambda, *accel; /* rows of w->con: the forces found and what accelerations they leave */
    unsigned char *found;   /* contacts of w->con: their status then                     */
    bool *slow;             /* the same: it begins to slide, but hardly                  */
    int *held;              /* rows of w->con that are held then                         */
    sp_solution_count solutions; /* how many solutions were found; at: slot, -1: none in doubt   */
} sp_decided;

/* What that problem has right behind an event (event_decide.c, too). */
typedef struct sp_prediction {
    bool known;
    unsigned char *state;        /* n_slot                                                        */
    unsigned char *begins;       /* n_slot, in space: groups that begin to slide                  */
    sp_solution_count solutions; /* how many solutions were found there; at: slot                 */
} sp_prediction;

/* Jumps without a collision (event_jam.c). */
typedef struct sp_jam {
    sp_posed of;
    double *impulse; /* rows of w->con */
} sp_jam;

/* Forces that are not unique (event_shared.c). */
typedef struct sp_shared {
    bool *is;                    /* n_slot: the force of this closed contact is one of them   */
    double *null;                /* rows of w->con x nullity                                  */
    double *B, *b, *z, *scratch; /* of the margin                                             */
    double margin;               /* of the last evaluation, 1 at most                         */
    int loose;                   /* a contact whose force moves something, whatever it is     */
    bool was_loose;              /* there was one in the step before                          */
} sp_shared;

/* Friction in space (event_space.c). */
typedef struct sp_slip_ends {
    unsigned char *ends; /* n_slot: groups whose slip ends at this event */
} sp_slip_ends;

/* Slots of pools (event_pool.c). */
typedef struct sp_pool_slots {
    bool *keep;    /* n_slot: slots that are not taken back         */
    uint64_t *key; /* n_slot: what they were assigned to before     */
} sp_pool_slots;

/* What is counted, and leaks with time. */
typedef struct sp_bucket {
    double level, t; /* t: when it was filled last, s */
} sp_bucket;

/* Short steps where events make no progress (event_fallback.c). */
typedef struct sp_fallback {
    bool on;        /* they are taken ...                                                  */
    double until;   /* ... to here at least, s                                             */
    double span;    /* how long that is, s                                                 */
    double ended;   /* when the last of them ended, s                                      */
    double error;   /* what they may be wrong by so far, of the sizes of motion            */
    int slot;       /* the contact that they began with                                    */
    bool failed;    /* the integrator came no further                                      */
    bool again;     /* this event is at the time of the one before                         */
    double t_event; /* when that was, s                                        */
    sp_bucket events, steps; /* how densely they come                                   */
    double rate;             /* events in the machine's time that are progress          */
} sp_fallback;

struct sp_events {
    sp_smooth *s;
    double until;    /* of the run                   */
    sp_state before; /* an event, for one that fails */
    sp_indicators indicator;
    sp_located located;
    sp_settled settle;
    sp_impacts impact;
    sp_hit_group hit;
    sp_zeno zeno;
    sp_decided decide;
    sp_prediction predicted;
    sp_jam jam;
    sp_shared shared;
    sp_slip_ends slip;
    sp_pool_slots pool;
    sp_fallback fallback;
};

/* What counts as long, s: what is short is a part of it.   theory (27.2) */
static inline double sp_event_long(const sp_events *e)
{
    return fmin(SP_EVENT_LONG, sp_smooth_long(e->s));
}

static inline bool sp_event_is_interval(const sp_smooth *s, int slot)
{
    return s->m->slot[slot].is.interval;
}

/* A contact of two contours in space. */
static inline bool sp_event_in_space(const sp_events *e, int slot)
{
    return slot >= 0 && slot < e->s->m->n_slot && e->s->m->slot[slot].is.space;
}

/* ---- event_space.c ---- */

/* Indicators of contact a of w->con, in space and closed, into node.   theory (23.6) */
void sp_event_evaluate_space(const sp_events *e, int a, double worth, double *node);

/* Where everything that slides in space slides to at (t, y), for the step that begins there. */
sp_status sp_event_note_directions(sp_events *e, sp_error *err);

/* Whether what looked like the end of a slip is one that only turned. */
bool sp_event_turned(const sp_events *e);

/* Whether the trigger is slip in space that has turned by less than a right angle, so that its
 * force is its own: it does not matter then where the step ends. */
bool sp_event_is_slip_done(const sp_events *e);

/* The step has landed on the end of a slip in space, if it has: *beside is above zero if it ends
 * earlier, the event being still to come, below if it is to be looked through again. */
sp_status sp_event_end_slip(sp_events *e, double *beside, sp_error *err);

/* The same where looking through it again has not settled which slip ends first: it ends before all
 * of them.   theory (37.1) */
sp_status sp_event_end_before(sp_events *e, double *beside, sp_error *err);

/* Which slip ends with the one that the trigger is about: e->slip.ends.   theory (33.3) */
void sp_event_note_ends(sp_events *e);

/* The groups of contact a of w->con that slide by their velocities in w->sol.gamma_A. */
int sp_event_moving(const sp_events *e, int a);

/* The groups of contact a that slide by the accelerations found; those of `already` do anyhow. */
int sp_event_sliding(const sp_events *e, int a, int already);

/* What has just begun to slide goes on by itself, or is at rest again. */
sp_status sp_event_release_slip(sp_events *e, sp_state *x, sp_error *err);

/* ---- event.c ---- */

/* The rows of the end of the step, for its certificate; where forces jump there, the certificate of
 * contacts right before.   theory (49.2) */
sp_status sp_event_rows_at_end(sp_events *e, sp_error *err);

/* ---- event_indicators.c ---- */

/* The velocity along a direction of slip. */
static inline double sp_event_along(unsigned char state, double gamma)
{
    return state == SP_SLIP_POS ? gamma : -gamma;
}

/* All indicators at a state: e->indicator.node.   theory (13.1) */
sp_status sp_event_evaluate(sp_events *e, double t, const double *y, sp_error *err);

/* The same without those that need accelerations, which are 1; of a slot alone, or SP_NONE. */
sp_status sp_event_evaluate_positions(sp_events *e, double t, const double *y, int slot,
                                      sp_error *err);

/* An open contact that begins the step well inside of its features must touch inside: one that
 * passes their end as it comes to touch leaves.  Others may touch on the end.   theory (28.2) */
void sp_event_note_insets(sp_events *e);

/* Open contacts, and preloads on their way, that begin the step below zero by round-off, or by the
 * error of an integrator for stiff machines, are counted from there; or from zero. */
void sp_event_note_depths(sp_events *e, double error);
void sp_event_forget_depths(sp_events *e);

/* Raise the sums of terms of the gaps by formula in w->con by those at x.   theory (65.1) */
void sp_event_note_terms(sp_events *e, const sp_state *x);

/* How far a slot is from closing: its gap if it is open, else the way of a preload; its rate. */
double sp_event_gap(const sp_events *e, int slot, double gamma, double *rate);

/* How far a contact that is open is from its end of being so: its gap, or how far it is beside what
 * it would touch; the rate of the gap, or zero.   theory (28.2) */
double sp_event_open_gap(const sp_events *e, int slot, double gamma, double *rate);

/* ---- event_locate.c ---- */

/* Find the first event inside the step that sp_smooth_advance took, and end the step there:
 * trigger, slot and group of e. */
sp_status sp_event_land(sp_events *e, sp_error *err);

/* What an event is about, where it is not the one that was found. */
void sp_event_set_trigger(sp_events *e, sp_trigger trigger, int slot, int group);

/* Round-off of the gap of a slot, m.   theory (65.1) */
double sp_event_gap_noise(const sp_events *e, int slot);

/* ---- event_impact.c ---- */

/* Frames, M, h, rows and velocities of the contacts in list (and the bilateral rows) at x. */
sp_status sp_event_rows(sp_events *e, const sp_state *x, int n, const int *list, sp_error *err);

/* The same with the accelerations without forces, for the problem of accelerations. */
sp_status sp_event_accelerations(sp_events *e, const sp_state *x, int n, const int *list,
                                 sp_error *err);

/* Velocities of the rows that are there, at other u. */
void sp_event_velocities(sp_events *e, const sp_state *x);

/* Velocities are also large or small against those that the energy of the machine could make. */
void sp_event_raise_size(sp_events *e);

/* The impact over the contacts in w->con, whose velocities are in w->sol.gamma_A: u jumps, works
 * are booked, impacts reported. */
sp_status sp_event_impact(sp_events *e, sp_state *x, sp_error *err);

/* u jumps by M^-1 W Lambda, by the rows of w->con.  What moves prescribed coordinates and
 * boundaries does work, which is returned.   theory (11.17) */
double sp_event_jump(const sp_events *e, sp_state *x, const double *Lambda);

/* A new event for w->event. */
sp_event *sp_event_report(sp_work *w, const sp_state *x, sp_event_kind kind, int slot,
                          sp_contact_state before, sp_contact_state after);

/* A state as users know it. */
sp_contact_state sp_event_public(const sp_events *e, int slot, unsigned char status);

/* ---- event_hit.c ---- */

/* By what gaps of slot i are judged, m or rad: its extent, or the way in the time by which places
 * on the clock are known when they are landed on (13.2), 10 x 1e-15 (1 + t), over SP_TOUCHES.
 * theory (11.43) */
static inline double sp_event_extent(const sp_events *e, int i)
{
    const double fast = SP_FAST * e->impact.size * (1.0 + fabs(e->s->t_old));
    return e->s->m->extent.slot[i] > fast ? e->s->m->extent.slot[i] : fast;
}

/* The gap of slot i below which it is closed: a part of its extent, and distinct from zero. */
static inline double sp_event_touches(const sp_events *e, int i)
{
    return fmax(SP_TOUCHES * sp_event_extent(e, i), 2.0 * sp_event_gap_noise(e, i));
}

/* Whether contact a of w->con approaches; what has just come to touch does so at any speed. */
bool sp_event_approaches(const sp_events *e, int a);

/* Impacts over the first n_hit contacts of e->settle.hit, until nothing approaches.  Those that are
 * left on their way have e->zeno.gap > 0. */
sp_status sp_event_hit(sp_events *e, sp_state *x, int n_hit, sp_error *err);

/* ---- event_zeno.c ---- */

/* Those of the first n contacts of w->con that are near, but on their way: e->zeno.gap. */
void sp_zeno_note_gaps(sp_events *e, const sp_state *x, int n);

/* Impacts over the first n contacts of w->con are noted from now on. */
void sp_zeno_start(sp_events *e, const sp_state *x, int n, sp_clatter *c);

/* Let time go on until the next of them touches.  False if none approaches, or so slowly that the
 * integrator has to go there.   theory (40.2) */
bool sp_zeno_advance(sp_events *e, const sp_state *x, int n, sp_clatter *c);

/* Note who is hit next, of those of w->con that approach; then the impact that has been, whose
 * events begin at `first`. */
void sp_zeno_note_next(const sp_events *e, int n, sp_clatter *c);
void sp_zeno_add_impact(sp_events *e, int first, sp_clatter *c);

/* Whether contacts are hit by turns, each time with the same part of the impulses before: all that
 * follow are added at once then.   theory (40.5) */
bool sp_zeno_sum_rest(sp_events *e, sp_state *x, int n, sp_clatter *c);

/* After the last impact: what came to rest, or was hit more often than is reported, is reported as
 * an accumulation, and positions are where the clatter leaves them. */
void sp_zeno_end(sp_events *e, sp_state *x, int n, sp_clatter *c);

/* No gap is known yet. */
void sp_zeno_begin(sp_events *e);

/* The flights of those that are hit now, by the events from first_event on. */
void sp_zeno_count_hops(sp_events *e, const sp_state *x, int first_event);

/* Slot i is for something else now; slots i and j, exchanged. */
void sp_zeno_forget(sp_events *e, int i);
void sp_zeno_swap(sp_events *e, int i, int j);

/* Keep an event whose time is still to come; those that now has reached go into w->event. */
void sp_zeno_defer(sp_events *e, const sp_event *event);
void sp_zeno_report(sp_events *e, double now);

/* The last event, a closing, is reported when the accumulation of impacts ends that is reported
 * later. */
void sp_zeno_defer_closing(sp_events *e);

/* ---- event_settle.c ---- */

/* Impacts until nothing approaches, then the states of the contacts that stay. */
sp_status sp_event_resolve(sp_events *e, sp_state *x, sp_error *err);

/* The closed contacts of smooth motion from the states; those on edges and curves stay there. */
void sp_event_list_closed(sp_events *e);

/* Forces and friction work at the end of the step, for what follows. */
void sp_settle_remember(sp_events *e);

/* The n contacts in list are closed, for the rows of an event. */
void sp_settle_take_rows(sp_events *e, int n, const int *list);

/* Slot i has this state and no past; slots i and j, exchanged. */
void sp_settle_forget(sp_events *e, int i, unsigned char state);
void sp_settle_swap(sp_events *e, int i, int j);

/* ---- seam.c ---- */

/* Contacts that have passed a seam of their curve go on in the slot behind it.   theory (58.5) */
sp_status sp_event_pass_seams(sp_events *e, sp_state *x, sp_error *err);

/* The same at an event that was found, before it is resolved: it is reported for the slot that has
 * the place.  The integrator starts anew behind the event anyhow. */
void sp_event_pass_seams_at(sp_events *e, sp_state *x);

/* ---- event_decide.c ---- */

/* The problem of accelerations over the contacts of w->con with use[a], NULL: all of them: those
 * whose status is not SP_STICK slide already and keep that.  Found: statuses and forces.   theory
 * (13.3) */
sp_status sp_event_decide(sp_events *e, const bool *use, sp_error *err);

/* The states that follow the current ones at t on the polynomial of the last step, into
 * e->predicted.state. */
sp_status sp_event_predict(sp_events *e, double t, sp_error *err);

/* These are not what follows; those of slots i and j, exchanged. */
void sp_event_forget_prediction(sp_events *e);
void sp_event_swap_prediction(sp_events *e, int i, int j);

/* ---- event_jam.c ---- */

/* No accelerations exist: velocities jump without a collision.   theory (13.8) */
sp_status sp_event_jam(sp_events *e, sp_state *x, sp_error *err);

/* Report that one of several solutions was taken, of the contact at `slot`; of an impact with its
 * number, else 0.  Where there was one and it may not be the only one, that is counted. */
void sp_event_report_solutions(const sp_events *e, const sp_state *x,
                               const sp_solution_count *solutions, int slot, int impact_id);

/* ---- event_shared.c ---- */

/* Forces of dependent rows: the margin of the best choice of them into e->shared.margin, which
 * contacts are concerned into e->shared.is, and admissible ones, if there are any, into w->sol.P.
 * theory (13.6) */
void sp_event_share(void *ctx); /* sp_events */

/* Forces of dependent rows that the motion depends on, in w->sol.P: the smallest that obey the laws
 * instead of the smallest.  ctx: sp_events.   theory (56.1) */
void sp_event_obey(void *ctx);

/* How far contact a of w->con, which sticks in the plane, is from sliding by the acceleration that
 * is left in its row along, of the accelerations: rows that depend on each other but for small
 * angles leave one where no force would hold them all.   theory (53.1) */
double sp_event_stillness(const sp_events *e, int a);

/* Report, once, that from here on accelerations are one of a continuum: e->shared.loose says so.
 * theory (31.6) */
void sp_event_report_loose(sp_events *e, const sp_state *x);

/* The same with a look at x, right behind an event, so that it is reported when it begins. */
sp_status sp_event_check_loose(sp_events *e, const sp_state *x, sp_error *err);

/* Inequalities at most, and doubles of scratch, for problems of that many rows. */
int sp_event_share_most(const sp_model *m, int n_row);
size_t sp_event_share_work(const sp_model *m, int n_row);

/* ---- event_pool.c ---- */

/* Lend the slots of pools to what is near at x; those of closed contacts stay. */
sp_status sp_event_assign_slots(sp_events *e, sp_state *x, sp_error *err);

/* When a step that begins at x right after that has to end, so that nothing comes to touch in it
 * that has no slot; *t_stop at most.   theory (28.5) */
sp_status sp_event_limit_by_pools(const sp_events *e, const sp_state *x, double *t_stop,
                                  sp_error *err);

/* Whether something that had no slot is past touching at t in the last step: it has one now, and
 * the step is to be looked through again.   theory (28.6) */
sp_status sp_event_find_missed(sp_events *e, double t, bool *missed, sp_error *err);

/* Note in x what slots are lent to, for whoever saves and resumes it. */
void sp_event_record_keys(const sp_events *e, sp_state *x);

/* ---- event_memory.c ---- */

/* Rooms of all owners in w; *events is NULL without memory. */
sp_status sp_event_make_room(const sp_model *m, sp_work *w, sp_events **events, sp_error *err);

/* The part of the memory that is not smooth motion, which is there already.  SP_E_INPUT if the
 * bytes cannot be those of this model. */
sp_status sp_event_load(sp_events *e, const unsigned char *bytes, size_t n, sp_error *err);

/* ---- event_fallback.c ---- */

/* Before the first event, at t.  cheap: the fallback is taken where it is cheaper, too. */
void sp_fallback_prepare(sp_events *e, double t, bool cheap);

/* The integrator came no further at x: whether the fallback goes on is e->fallback.failed. */
void sp_fallback_note_failure(sp_events *e, const sp_state *x);

/* Count the step that ended at x, and its event; whether there is no progress.   theory (47.2) */
bool sp_fallback_is_needed(sp_events *e, const sp_state *x);

/* Take out n hops of a contact whose accumulation is passed. */
void sp_fallback_forgive(sp_events *e, double n);

/* Begin at x, and report it; one step, with its events in w; and at the end states as steps have
 * left them, then as at any event. */
sp_status sp_fallback_begin(sp_events *e, sp_state *x, sp_error *err);
sp_status sp_fallback_step(sp_events *e, sp_state *x, double t_stop, sp_error *err);
sp_status sp_fallback_end(sp_events *e, sp_state *x, sp_error *err);

#endif
