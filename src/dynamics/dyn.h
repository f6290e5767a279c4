/* dynamics/dyn.h - mass matrix, smooth forces and energies:  M(q) u' = h(q, u, t) + W lambda. */
#ifndef SP_DYNAMICS_DYN_H
#define SP_DYNAMICS_DYN_H

#include "kinematics/signal.h"
#include "kinematics/spot.h"

/* Where and how the machine is: time, coordinates, velocities. */
typedef struct sp_at {
    double t;
    const double *q, *u;
} sp_at;

/* Force and moment on a body, about its pivot (sp_frame). */
typedef struct sp_wrench {
    sp_vec f;
    sp_spin m;
} sp_wrench;

/* A composite rigid body, about the pivot of its first body. */
typedef struct sp_inertia {
    double mass;
    sp_vec moment; /* first moment: mass times centre */
    double J;      /* about the pivot                 */
} sp_inertia;

/* The same in space, moments about the pivot too. */
typedef struct sp_wrench3 {
    sp_vec3 f, m;
} sp_wrench3;

typedef struct sp_inertia3 {
    double mass;
    sp_vec3 moment;
    sp_sym3 J;
} sp_inertia3;

/* An articulated body: the inertia felt at the pivot of its first body while all joints behind it
 * are free.  Force f = M a + H^T alpha, moment m = J alpha + H a.   theory (3.30) */
typedef struct sp_articulated {
    double J;
    sp_vec H;
    double M_xx, M_yy, M_xy;
} sp_articulated;

typedef struct sp_articulated3 {
    sp_sym3 J, M;
    sp_vec3 H[3]; /* rows */
} sp_articulated3;

/* One degree of freedom of it: the force on the articulated body per unit of u', and the
 * generalised force, both divided by D, the inertia along the axis.   theory (3.31) */
typedef struct sp_lever {
    sp_wrench U;
    double r;
} sp_lever;

typedef struct sp_lever3 {
    sp_wrench3 U;
    double r;
} sp_lever3;

/* Why a smooth force acts, for the ledger. */
typedef enum sp_share { SP_CONSERVATIVE, SP_DAMPERS, SP_APPLIED, SP_SHARES } sp_share;

/* A force element at work, for outputs and for booking by element. */
typedef struct sp_element {
    double measure, rate;    /* of springs, gas, orifice; coordinate and speed of drive and motor */
    double force, moment;    /* pull, force on the coordinate, or size of the vectors, N and N m  */
    double power[SP_SHARES]; /* by shares, W                                                      */
    double side;             /* of tyres in space: force across the way they roll, N              */
} sp_element;

/* A force that is not conservative, for booking by element: at a spot, with a moment; or, its body
 * SP_NONE, on a degree of freedom, force.x. */
typedef struct sp_action {
    int line; /* sp_line */
    sp_share share;
    sp_spot at;
    int dof;
    sp_vec3 force, moment; /* N, N m */
} sp_action;

/* The last value of a force element that was no finite number. */
typedef struct sp_bad_force {
    const sp_force *force; /* NULL: all were finite                                  */
    int law;               /* which of its expressions; SP_NONE: its measure         */
    double value, t;
} sp_bad_force;

typedef struct sp_mixed sp_mixed;
typedef struct sp_recursion sp_recursion;
typedef struct sp_implicit sp_implicit;

typedef struct sp_dyn {
    double *M;     /* n_packed: mass matrix by rows of ancestors, by sp_dyn_mass           */
    double *L;     /* n_packed: a copy of M by sp_dyn_mass, which sp_dyn_factor turns into the unit
                    * factor below the diagonal, M = L^T D L                             */
    double *D_inv; /* n_dof                                                                */
    double *h[SP_SHARES];  /* n_dof each, by sp_dyn_forces; h = their sum                   */
    bool acts[SP_SHARES];  /* the model has forces of this share at all                     */
    sp_inertia *composite; /* n_body                                                 */
    sp_wrench *wrench[SP_SHARES];   /* n_body                                                */
    sp_inertia3 *composite3;        /* n_body in space, where the two above are NULL          */
    sp_wrench3 *wrench3[SP_SHARES]; /* n_body in space                                        */
    sp_articulated *articulated;    /* n_body, by sp_dyn_accelerate; in space articulated3    */
    sp_lever *lever;                /* n_dof, likewise                                        */
    sp_articulated3 *articulated3;
    sp_lever3 *lever3;
    sp_element *element; /* n_force, by sp_dyn_force_elements; NULL: not wanted               */
    sp_action *action;   /* n_action of m->n_action, by sp_dyn_force_elements and formula     */
    int n_action;
    const double *z; /* n_aux: auxiliary states, set by who integrates them; NULL: zeroes */
    double *z_rate;  /* n_aux: their rates, by sp_dyn_force_elements; NULL: not wanted    */
    double *z_mid;   /* n_aux: those in the middle of a step of Moreau's (sp_dyn_states_step)  */
    double *state_J, *state_x; /* n_state squared, n_state: scratch                            */
    sp_kink *kink;      /* n_kink: kinks of forces that are held (sp_signal_source); NULL: none */
    double t_last;      /* with `mean`: no force is asked for later than this                    */
    const double *mean; /* n_clock: means of clocks over the step (sp_signal_source); NULL: none */
    double *in, *grad, *work; /* for expressions                                        */
    double *hess;             /* m->expr_hess                                           */
    double explicit_power;    /* what explicit time in T and V of formulas feeds in, W  */
    sp_mixed *mixed;          /* of models with bodies that deform (dynamics/mixed.h)   */
    sp_implicit *implicit;    /* of steps that are implicit (dynamics/implicit.h); NULL: none */
    bool asked;               /* it is known whether there is something                  */
    sp_recursion *recursion;  /* of deep trees (dynamics/recursion.h); NULL: there are none  */
    bool recursive;           /* M, L are there only in it, but for the diagonal of M        */
    bool by_A;                /* the factor is that of its A, not of M                  */
    sp_bad_force bad;         /* by sp_dyn_forces, and never taken back                 */
} sp_dyn;

/* Memory for a model's dynamics: forces always; the packed M and its factor; articulated bodies.
 * False if there is none. */
enum { SP_DYN_FORCES = 0, SP_DYN_MASS = 1, SP_DYN_ARTICULATED = 2 };
bool sp_dyn_alloc(sp_arena *arena, const sp_model *m, int what, sp_dyn *dyn);

/* Which shares of forces the model has: set once. */
void sp_dyn_init(const sp_model *m, const sp_numbers *num, sp_dyn *dyn);

/* M by composite rigid bodies, of deep trees, too; and where sp_dyn_terms left it out.
 * theory (3.2)-(3.4) */
void sp_dyn_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);
static inline void sp_dyn_form_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                                    sp_dyn *dyn)
{
    if (dyn->recursive) {
        sp_dyn_mass(m, num, kin, dyn);
    }
}

/* M = L^T D L along the branches of the tree, once after M.  SP_E_NONFINITE if M is not positive
 * definite. theory (3.5) */
sp_status sp_dyn_factor(const sp_model *m, sp_dyn *dyn, sp_error *err);

/* The same with the degrees of freedom k with held[k] != 0 struck out: M^-1 is then the inverse
 * over the others, zero in rows and columns of those held.   theory (3.19) */
sp_status sp_dyn_factor_held(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                             sp_error *err);

/* A force and a moment at a spot join the forces of a share: the transpose of its columns.
 * theory (2.24) */
void sp_spot_push(const sp_kin *kin, const sp_spot *s, sp_vec3 force, sp_vec3 moment,
                  sp_share share, sp_dyn *dyn);

/* Smooth forces by shares: gyroscopic, gravity and springs; dampers; applied.   theory (3.6)-(3.9)
 * t, q, u at which the frames were computed. */
void sp_dyn_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                   const double *q, const double *u, sp_dyn *dyn);

/* States of their own a time h further, linearly implicit in themselves, all else as at `at`, whose
 * frames and velocities kin has: z += h (1 - h df/dz)^-1 f; stretches of sliders within their
 * limits. theory (85.2), (99.3) */
void sp_dyn_states_step(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                        const sp_at *at, double h, double *z, sp_dyn *dyn);
void sp_dyn_sliders_step(const sp_model *m, const sp_numbers *num, const sp_signal_source *at,
                         double h, double *z, sp_dyn *dyn);

/* Mean rates of both from z to z_E, which are h apart; stretches back within their limits. */
void sp_dyn_states_mean(const sp_model *m, const double *z, const double *z_E, double h,
                        double *rate);
void sp_dyn_states_keep(const sp_model *m, const sp_numbers *num, double *z);

/* Which shares a force element can have forces in. */
void sp_dyn_element_shares(const sp_force *f, const sp_force_numbers *n, bool acts[SP_SHARES]);

/* Forces of force elements, added to wrenches and h (dynamics/forces.c, called by sp_dyn_forces).
 */
void sp_dyn_force_elements(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                           const double *q, const double *u, sp_dyn *dyn);

/* Frames at q by sp_kin_positions, bias at u, M and h(t, q, u) in two passes over the tree: what a
 * step asks for.  Of deep trees M is not formed (dynamics/recursion.h).  (Velocities of the frames
 * too, if there are force elements.) */
void sp_dyn_terms(const sp_model *m, const sp_numbers *num, double t, const double *q,
                  const double *u, sp_kin *kin, sp_dyn *dyn);

/* Frames at q by sp_kin_positions_near, velocities at u and the three energies, likewise: kinetic
 * of the bodies, potential of gravity and springs, and 1/2 u^T M u by momenta, the same as the
 * first by another way.   theory (3.10)-(3.12) */
typedef struct sp_energy {
    double kinetic, potential, quadratic; /* J */
} sp_energy;
void sp_dyn_energies(const sp_model *m, const sp_numbers *num, double t, const double *q,
                     const double *u, sp_kin *kin, sp_dyn *dyn, sp_energy *energy);

/* u' of M u' = h(t, q, u) without M, in a time that grows with the number of bodies: articulated
 * bodies (dynamics/tree.inc).  Frames and bias on the way, wrenches are used up; h holds the
 * forces of force elements on coordinates only.  held (n_dof) may be NULL; where it is not 0, du[k]
 * is given and not looked for.  SP_E_NONFINITE if a part that moves has no inertia.  With formula
 * coordinates M is used after all.   theory (3.30)-(3.34) */
sp_status sp_dyn_accelerate(const sp_model *m, const sp_numbers *num, const sp_at *at,
                            const unsigned char *held, sp_kin *kin, sp_dyn *dyn, double *du,
                            sp_error *err);

/* Potential energy of one force element, of one preload, and of the spring of joint k; J. */
double sp_dyn_element_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                             const double *q, const double *u, int i, sp_dyn *dyn);
double sp_dyn_threshold_energy(const sp_model *m, const sp_kin *kin, double t, const double *q,
                               int slot, sp_dyn *dyn);
double sp_dyn_joint_energy(const sp_model *m, const sp_numbers *num, const double *q, int k);

/* Potential energy of constant gravity, J. */
double sp_dyn_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn);

/* book (n_book) += factor times the powers of the actions in dyn at the velocities u, which kin
 * has, too; of formula coordinates also what explicit time feeds in.   theory (22.6) */
void sp_dyn_book(const sp_model *m, const sp_kin *kin, const double *u, double factor,
                 const sp_dyn *dyn, double *book);

/* All lines of the ledger by element (n_line x SP_LINE_COLUMNS): what is stored at q, with frames
 * in kin, and what was booked.   theory (22.5) */
void sp_dyn_lines(const sp_model *m, const sp_numbers *num, const sp_kin *kin, const sp_at *at,
                  const double *book, sp_dyn *dyn, double *line);

/* Energy of springs alone (dynamics/forces.c). */
double sp_dyn_spring_energy(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                            const double *q, const double *u, sp_dyn *dyn);

/* y = M x with the packed matrix. */
void sp_dyn_multiply(const sp_model *m, const sp_dyn *dyn, const double *x, double *y);

/* x <- L^-T x, then x <- L^-1 D^-1 x: M^-1 (A^-1, if that was factored last) is the two in this
 * order.   theory (3.5) */
void sp_dyn_solve_LT(const sp_model *m, const sp_dyn *dyn, double *x);
void sp_dyn_solve_D_L(const sp_model *m, const sp_dyn *dyn, double *x);

/* What of a force element gave no number: "the z component of its force". */
void sp_bad_force_part(const sp_model *m, const sp_bad_force *bad, char *text, size_t size);

#endif
