/* integrators/smooth.h - smooth motion to order 8: q, u and the states z of force elements, with
 * the works of all forces integrated along.
 *
 *     q' = B(q) u,     M u' = h + W lambda,     W^T u' + w_bar = 0,     z' = f        theory (10.1)
 *
 * Loops and couplings are held at acceleration level and put right at position and velocity level
 * after every step; prescribed motion is exact.  The usual loop:
 *
 *     sp_smooth *s;
 *     SP_TRY(sp_smooth_begin(m, x, w, tolerance, &s, err));
 *     while (x->t < until) {
 *         SP_TRY(sp_smooth_step(s, x, until, err));       x is the end of the step
 *         SP_TRY(sp_smooth_prepare(s, err));              where states inside are wanted
 *         SP_TRY(sp_smooth_at(s, t, x, err));             x is the state at t, t_old <= t <= t_end
 *     }
 *     sp_smooth_end(s);
 *
 * Event-driven integration says which contacts are closed (sp_smooth_closed), looks for events on
 * the polynomial of a step with math/cheb.h, lands with sp_smooth_land and goes on with
 * sp_smooth_restart. */
#ifndef SP_INTEGRATORS_SMOOTH_H
#define SP_INTEGRATORS_SMOOTH_H

#include "dynamics/terms.h"
#include "integrators/stiff.h"
#include "integrators/work.h"
#include "laws/slide.h"
#include "math/dense.h"
#include "math/rk8.h"

/* Contacts that are closed beside the bilateral rows; all zero: none. */
typedef struct sp_smooth_closed {
    int n;
    const int *slot;             /* contacts, rising                                              */
    const unsigned char *status; /* of each SP_STICK, SP_SLIP_POS or SP_SLIP_NEG
                                  * (solvers/problem.h): kept as it is until the next event.  Dry
                                  * friction, one-way and threshold rows are among them: an interval
                                  * that slips has the force of its bound.  In space: sp_sliding */
} sp_smooth_closed;

/* Contacts in space slide in any direction, and with rolling friction two groups of rows do so
 * apart: SP_SLIP_POS the first one (sliding, drilling), SP_SLIP_NEG the second one (rolling). */
enum { SP_SLIP_BOTH = 5 };

/* The groups that slide, as bits, and the status that has them. */
static inline int sp_sliding(unsigned char status)
{
    return status == SP_SLIP_POS ? 1 : status == SP_SLIP_NEG ? 2 : status == SP_SLIP_BOTH ? 3 : 0;
}
static inline unsigned char sp_sliding_status(int groups)
{
    static const unsigned char status[4] = {SP_STICK, SP_SLIP_POS, SP_SLIP_NEG, SP_SLIP_BOTH};
    return status[groups & 3];
}

/* Rows of friction of a contact. */
enum { SP_FRICTION_ROWS = SP_SET_DIM_MAX - 1 };

/* Where a contact in space slides, drills and rolls to: unit vectors by group, in world axes, which
 * turn with nobody, and how fast. */
typedef struct sp_way {
    sp_vec3 T, R;
    double D;
    double speed[SP_GROUPS];
} sp_way;

/* The problem of accelerations of groups that have just begun to slide. */
typedef struct sp_slip_start {
    double *G, *c, *P;
    sp_set *set;
    int *row, *who; /* who: contact of w->con of each contact */
    int *at;        /* row of w->con of each row              */
    unsigned char *status;
    void *work;    /* of sp_solve */
    double *found; /* rows of w->con: the forces of the solution                          */
    bool any;      /* something rises: of all forces that balance the ones nearest to found */
} sp_slip_start;

/* Power of what changes the energy, W. */
typedef struct sp_powers {
    double dampers, applied; /* applied: with what explicit time in formulas feeds in          */
    double driven;   /* prescribed motion, bilateral rows, contacts that move by themselves */
    double contacts; /* friction of closed contacts and of dry-friction rows           */
} sp_powers;
enum { SP_POWERS = 4 };

/* Sizes that errors are relative to: the largest so far, by kinds of coordinates that have the same
 * unit.   theory (10.5) */
enum { SP_KINDS = SP_CONTROL_KINDS };
typedef struct sp_sizes {
    double q[SP_KINDS], u[SP_KINDS]; /* by kind                     */
    double energy;                   /* of works, J                 */
    double turn; /* the largest angle, rad: what it turns is known to so many round-offs */
} sp_sizes;

/* Part of the accelerations of a step below which forces count as none for events. */
#define SP_NO_FORCE SP_TINY

/* Forces that switch with the motion (smooth_switch.c). */
typedef struct sp_switches sp_switches;

typedef struct sp_smooth {
    const sp_model *m;
    const sp_numbers *num;
    sp_work *w;
    sp_smooth_closed closed;
    sp_smooth_closed rested; /* what the last event put at rest, as what        */
    sp_rk8 *rk;
    sp_rk8_system system;
    bool tree;         /* no rows and nothing prescribed: accelerations by articulated bodies  */
    sp_dyn dyn;        /* for these                                                            */
    int q, u, z, work; /* where each part begins in y                                         */
    int share;         /* behind the works: friction work of each slot since the start of the phase
                        * of smooth motion, n_slot                                            */
    int book;          /* behind these: works by element likewise, n_book                      */
    int n_y;
    double *y;       /* n_y, scratch                                                   */
    double *now;     /* n_y: the state at t                                            */
    double begun;    /* when this phase of smooth motion began, s                       */
    double t_old, t; /* the last step                                                  */
    const sp_stiff_driver *driver; /* who integrates, NULL: rk                               */
    sp_stiff_system stiff_system;
    void *stiff, *stiff_cut; /* its memory; a second one, which ends steps at events         */
    double *old;             /* n_y: the state at t_old, for that                            */
    int n_since;             /* its steps since it was started                               */
    unsigned char *kind;     /* n_dof                                                          */
    bool is_angle[SP_KINDS];
    int n_kind;
    double extent; /* longest arm of the machine, m                                          */
    sp_sizes floor, size; /* smallest sizes; sizes so far                                   */
    double *z_size; /* n_aux: the largest so far, at least the scales that the model gives   */
    double tolerance;
    bool landed;           /* the step ends on an event                                          */
    bool left;             /* ... at which forces jump: contacts are certified by ...            */
    sp_certificate before; /* ... this, of the time right before it                           */
    double accel_size;     /* the largest terms of accelerations of rows so far, at ends of steps */
    double accel_scale;    /* accelerations that events of the last step measured forces by, m/s^2,
                            * 0: nothing was measured                                        */
    sp_powers power;       /* at the last evaluation                                         */
    double *slot_power;    /* n_slot: the same of the friction of each contact               */
    sp_lu lu;              /* of the rows with an equation; n and rank as solved last        */
    double *lu_scale, *lu_b;
    int *lu_row, *lu_contact;         /* rows with an equation, and their contacts */
    double (*drag)[SP_FRICTION_ROWS]; /* contacts of w->con: friction over the normal force, zero in
                                       * rows that do not slide                             */
    double (*slip)[SP_FRICTION_ROWS]; /* in space, the same: velocities of rows that slide  */
    sp_way *way;             /* n_slot, in space: where it slid to when the step began        */
    unsigned char *starting; /* n_slot, in space: groups, as bits, that have just begun to slide and
                              * whose direction is that of their acceleration                 */
    double still;            /* velocities along that are too small to have a direction, m/s  */
    sp_slip_start start;
    void (*choose)(void *ctx); /* among forces of rows that depend on each other, NULL: nobody */
    void (*settle)(void *ctx); /* the same with care, where a step ends                        */
    void *choose_ctx;
    sp_ledger base;        /* when the run began                                             */
    double *book_base;     /* n_book: the same of the works by element                       */
    double *book_power;    /* n_book: powers at the last evaluation, behind slot_power as in y */
    sp_switches *switches; /* NULL: no force does                                        */
    sp_terms *terms;       /* NULL: none                                                 */
    double move;           /* energy that the last projection changed, J                     */
    double moved;          /* the same since the run began                                   */
} sp_smooth;

/* SP_E_INPUT if the tolerance is out of range. */
#define SP_SMOOTH_STANDARD SP_AT_REST
sp_status sp_smooth_in_range(double tolerance, sp_error *err);

/* SP_E_INPUT if the model has contacts, which need another method, or the tolerance is out of
 * range.
 */
sp_status sp_smooth_check(const sp_model *m, double tolerance, sp_error *err);

/* The method for x.  s lies in the work and serves until the next begin.  SP_E_INPUT if the
 * tolerance is out of range. */
sp_status sp_smooth_begin(const sp_model *m, sp_state *x, sp_work *w, double tolerance,
                          sp_smooth **s, sp_error *err);

/* How a run begins, or goes on. */
typedef struct sp_smooth_setup {
    double tolerance;
    const sp_stiff_driver *driver; /* for stiff machines, released by the end; NULL: Runge-Kutta */
    bool resumes;                  /* as it was saved, for the state that was saved with it: ... */
    const unsigned char *bytes;    /* ... this, so many                                          */
    size_t n;
    bool more; /* of them are behind those of smooth motion */
} sp_smooth_setup;

/* The same by a setup.  SP_E_INPUT also if there are not as many bytes as this model needs; closed
 * contacts are none. */
sp_status sp_smooth_open(const sp_model *m, sp_state *x, sp_work *w, const sp_smooth_setup *setup,
                         sp_smooth **s, sp_error *err);
void sp_smooth_end(sp_smooth *s); /* NULL is allowed */

/* Energies of x into its ledger; what is not booked yet is that of a projection. */
void sp_smooth_note_energy(sp_smooth *s, sp_state *x);

/* Go on from x as it is now, after a jump or with other closed contacts. */
sp_status sp_smooth_restart(sp_smooth *s, sp_state *x, sp_error *err);

/* One accepted step, not past t_stop: x is its end, with ledger and certificate (in w).  On failure
 * x is as before and err has the time.  With t_stop = INFINITY the step is as long as the motion
 * alone makes it: sp_smooth_long at most. */
sp_status sp_smooth_step(sp_smooth *s, sp_state *x, double t_stop, sp_error *err);

/* The end of a step of sp_smooth_advance, sp_smooth_cut or sp_smooth_land, in the same way. */
sp_status sp_smooth_take(sp_smooth *s, sp_state *x, sp_error *err);

/* The last step, which was taken, ends at t in it instead, by real steps; sp_smooth_take takes
 * that. before: the ledger of x before that step. */
sp_status sp_smooth_beside(sp_smooth *s, sp_state *x, const sp_ledger *before, double t,
                           sp_error *err);

/* The polynomial of the last step; then the state at a time in it, on all constraints. */
sp_status sp_smooth_prepare(sp_smooth *s, sp_error *err);
sp_status sp_smooth_at(sp_smooth *s, double t, sp_state *x, sp_error *err);

/* How large positions are: the longest arm or coordinate so far, m. */
double sp_smooth_length(const sp_smooth *s);

/* The time in which what moves fastest goes as far as its size, s. */
double sp_smooth_scale(const sp_smooth *s);

/* What counts as long, s, and the longest step at first: the time in which what moves fastest goes
 * ten times its size; ten seconds where nothing moves.   theory (27.1) */
double sp_smooth_long(const sp_smooth *s);

/* ---- one step of whoever integrates (smooth_step.c) ------------------------------------------ */

/* One step, not past t_stop: s->t_old, s->t, s->now; accelerations and rows there are in w. */
sp_status sp_smooth_advance(sp_smooth *s, double t_stop, sp_error *err);

/* The first n components of y at a time in the last step (n_y: all, work: those of the state);
 * sp_smooth_prepare first. */
sp_status sp_smooth_dense(sp_smooth *s, double t, int n, double *y, sp_error *err);

/* How far gaps may be off by the cubic through both ends of the last step, m, without looking into
 * it; infinite: not known.   theory (68.4) */
double sp_smooth_cubic_error(sp_smooth *s);

/* End the last step at t, by real steps (at its beginning: as if it had not been); or where g is
 * zero near t. */
sp_status sp_smooth_cut(sp_smooth *s, double t, sp_error *err);
sp_status sp_smooth_land(sp_smooth *s, sp_rk8_indicator g, void *ctx, double t, double t_tol,
                         sp_error *err);

/* Back to where the last step, which was not taken, began. */
sp_status sp_smooth_back(sp_smooth *s, sp_error *err);

/* Raise the size of works by what forces do over the sizes of positions, for drivers. */
void sp_smooth_raise_works(sp_smooth *s);

/* The integrator starts anew at s->t, s->now. */
sp_status sp_smooth_renew(sp_smooth *s, sp_error *err);

/* ---- what switches with the motion (smooth_switch.c) ------------------------------------ */

/* Room for them; and before a run. */
bool sp_smooth_switch_room(sp_smooth *s);
void sp_smooth_switch_begin(sp_smooth *s);

/* Their kinks, and how many bytes they are; NULL: there are none. */
sp_kink *sp_smooth_kinks(sp_smooth *s, size_t *bytes);

/* Whether the last evaluation found kinks beyond their borders, as behind an impact: their sides
 * are decided anew by the next one. */
bool sp_smooth_switch_stale(sp_smooth *s, double t);

/* End the step that was just made where the first force switches, if one does. */
sp_status sp_smooth_switch_find(sp_smooth *s, sp_error *err);

/* Whether that is at t; go behind it, *kink: the first that is passed.  SP_E_NOT_CONVERGED where
 * one comes back at once, SP_E_INPUT where a gap jumps. */
bool sp_smooth_switch_is_at(const sp_smooth *s, double t);
sp_status sp_smooth_switch_pass(sp_smooth *s, double t, int *kink, sp_error *err);

/* ---- memory (smooth_step.c), between two steps ----------------------------------------------- */

/* Whether a run that goes on from here does so to the bit. */
bool sp_smooth_may_save(const sp_smooth *s);

/* All that goes from step to step, as so many bytes, and back (sp_smooth_open). */
size_t sp_smooth_bytes(sp_smooth *s);
void sp_smooth_save(sp_smooth *s, unsigned char *bytes);
void sp_smooth_load(sp_smooth *s, const unsigned char *bytes);

/* ---- parts (smooth_rhs.c, smooth_project.c) -------------------------------------------------- */

/* Frames, M and h with the factor of M, and rows at (t, q, u, z): what accelerations are formed of.
 * A tree without rows has none of these. */
sp_status sp_smooth_pose(sp_smooth *s, double t, const double *q, const double *u, const double *z,
                         sp_error *err);

/* Accelerations at (t, q, u, z): u' in w->du, forces of the rows in w->sol.P, z' in z_rate, powers
 * in s->power.  Prescribed coordinates and velocities of q and u are not read.
 * theory (10.1)-(10.3) */
sp_status sp_smooth_accelerate(sp_smooth *s, double t, const double *q, const double *u,
                               const double *z, sp_error *err);

/* The same at y, a state as it is integrated. */
static inline sp_status sp_smooth_accelerate_at(sp_smooth *s, double t, const double *y,
                                                sp_error *err)
{
    return sp_smooth_accelerate(s, t, y + s->q, y + s->u, y + s->z, err);
}

/* The residuals of the accelerations that were found last (smooth_certify.c).   theory (10.8),
 * (27.4) */
sp_status sp_smooth_certify(sp_smooth *s, double t, const double *z, sp_error *err);

/* How deep contacts, closed and open ones, are in each other at x, whose frames are there, and how
 * far loops are open, into the same certificate. */
void sp_smooth_certify_gaps(sp_smooth *s, const sp_state *x);

/* The rows of the closed contacts and all bilateral rows at (t, q, u) in w->con, whose frames, with
 * velocities, are there. */
sp_status sp_smooth_rows(sp_smooth *s, double t, const double *q, const double *u, sp_error *err);

/* ---- friction that slides (smooth_slide.c) --------------------------------------------------- */

/* Coefficient of friction and drag of contact a of w->con if it has that status: of its velocity if
 * it slides.   theory (16.1), (23.1) */
void sp_smooth_slide(sp_smooth *s, int a, unsigned char status, const double *u);

/* The same for other normal forces, where a spot grows with them: how much drags changed, in units
 * of friction coefficients.  N of contact a is P[con.row[a]]. */
double sp_smooth_slide_again(sp_smooth *s, const double *P);

/* Drags of groups that begin to slide, from the problem of accelerations in w->con and w->sol, and
 * the forces that go with them.   theory (23.5) */
sp_status sp_smooth_start_slip(sp_smooth *s, sp_error *err);

/* Note where contact a of w->con slides to, of the groups that move at all. */
void sp_smooth_face(sp_smooth *s, int a, const double *u);

/* Velocities of the rows of group g of contact a: how much of them is along the way, and across
 * (NULL: not wanted). */
double sp_smooth_along(const sp_smooth *s, int a, sp_group g, const double *u, double *gamma,
                       double *across);

/* What a unit normal force of closed contact a does to row r of w->con by the friction it drags
 * along. */
double sp_smooth_dragged(const sp_smooth *s, int r, int a);

/* Whether row k behind the normal one (k >= 1) of contact a of w->con slides. */
bool sp_smooth_row_slides(const sp_smooth *s, int a, int k);

/* Forces P (rows of w->con) as percussions over dt in the memory of contact a. */
void sp_smooth_keep(const sp_smooth *s, int a, const double *P, double dt, sp_contact_memory *c);

/* Room for all this, in the arena of w. */
bool sp_smooth_slide_room(sp_smooth *s, int n_row);

/* ---- rows as a linear system ----------------------------------------------------------------- */

/* What a system of the rows is solved for. */
typedef enum sp_balance {
    SP_BALANCE_FORCES,     /* friction that slides is its drag times the normal force             */
    SP_BALANCE_POSITIONS,  /* rows along, dry friction and one-way rows have no place to be at    */
    SP_BALANCE_VELOCITIES, /* contacts that slide have no equation along                          */
    SP_BALANCE_IMPULSES,   /* the same, but their friction goes with the normal impulse           */
} sp_balance;

/* P of G P = -c, of least norm where rows depend on each other; G in w->con, c and P in w->sol.
 * Rows without an equation have P = 0, but for forces.  Where something begins to slide, forces are
 * those nearest to the ones that its direction was found with.   theory (37.2) */
void sp_smooth_balance(sp_smooth *s, sp_balance of);

/* u' of the last evaluation with other forces P of its rows. */
void sp_smooth_accelerations(const sp_model *m, const sp_work *w, const double *P, double *du);

/* How many of these n rows of w->con do not depend on the others, as sp_smooth_balance counts. */
int sp_smooth_rank(sp_smooth *s, int n, const int *row);

/* Whether contact a of w->con slides: rows along have no equation. */
static inline bool sp_smooth_slides(const sp_smooth *s, int a)
{
    return a < s->closed.n && s->closed.status[a] != SP_STICK;
}

/* Whether contact a is an interval that slides: its force is known, the bound that it is at. */
static inline bool sp_smooth_is_known(const sp_smooth *s, int a)
{
    return sp_smooth_slides(s, a) && s->w->con.set[a].kind == SP_SET_INTERVAL;
}
static inline double sp_smooth_known_force(const sp_smooth *s, int a)
{
    const sp_set *set = &s->w->con.set[a];
    return s->closed.status[a] == SP_SLIP_NEG ? set->hi : set->lo;
}

/* Prescribed values exact, quaternions of unit length, then positions and velocities onto the rows
 * by the smallest mass-weighted change.   theory (10.6), (10.7) */
sp_status sp_smooth_project(sp_smooth *s, double t, double *q, double *u, sp_error *err);

/* Where contacts come to rest: the same for q, and the impulses that velocities come onto the rows
 * by, with the friction of what slides.  Rows, their velocities and impulses are w->con, w->sol.c
 * and w->sol.P; u has the values that are prescribed.   theory (43.3) */
sp_status sp_smooth_rest(sp_smooth *s, double t, double *q, double *u, sp_error *err);

#endif
