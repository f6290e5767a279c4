/* contact/con.h - gaps, force directions and the contact problem of a configuration. */
#ifndef SP_CONTACT_CON_H
#define SP_CONTACT_CON_H

#include "base/inline.h"
#include "contact/frame3.h"
#include "dynamics/dyn.h"
#include "laws/set.h"
#include "solvers/problem.h"

/* A contact whose gap is at most this takes part in the contact problem [m].  Above zero, so that
 * corners of one face, whose gaps differ by round-off, become active together. */
#define SP_GAP_ACTIVE 1e-11

/* One contact in its configuration: the two nearest points and the directions between them.
 * theory (4.1)-(4.3) */
typedef struct sp_contact_frame {
    double g_N;
    sp_vec n, t;   /* n out of b's material towards a; t = n turned by -90 degrees, times sign_t */
    sp_vec center; /* of the disc on side a                           */
    sp_vec point[2];        /* nearest points of sides a and b, world          */
    double radius;          /* of the disc on side a                           */
    double inv_distance;    /* 1 / distance of the centres; 0: b is straight   */
    int feature;            /* of side b                                       */
    const sp_mark *mark[2]; /* that sides a and b go with                   */
} sp_contact_frame;

typedef struct sp_pool_work sp_pool_work;
typedef struct sp_skin sp_skin;
typedef struct sp_bent_face sp_bent_face;

/* L^-1 W for a factor that knows no tree (dynamics/implicit.h): all velocities that a contact
 * reaches along its elimination tree. */
typedef struct sp_reach {
    int room;       /* entries of dof, key per contact, and of Y, YD per row */
    int *n;         /* per contact                                           */
    int *dof, *key; /* velocities; what they are ordered by, falling         */
    double *Y, *YD;
} sp_reach;

/* Rows of W over some velocities: stride each. */
typedef struct sp_con_rows {
    double *W;
    int *n_sup, *sup, stride;
} sp_con_rows;

typedef struct sp_con {
    /* by sp_con_gaps, for all slots */
    const sp_kin *kin; /* the frames that the gaps belong to                        */
    sp_vec *vertex;    /* n_vertex, world: of slots that are not on lines           */
    double *g;         /* n_slot, then what the n_bond bilateral rows are off by    */
    int *feature;      /* n_slot: nearest feature of side b, of polygons and segments */
    int *hint;         /* n_slot: edge that the contact was over before, plus 1; 0: none known */
    bool anew;         /* nearest places of surfaces are searched, whatever the hints          */
    bool *barred;      /* n_slot: a corner that cannot touch the feature that it is nearest to */
    bool *aside;       /* n_slot, of curves: its place is that of another slot   (58.3)     */
    int *beyond;       /* n_slot, of curves: the slot of its pair, plus 1, behind the seam that its
                        * place is at or past; 0: it is on its own stretch       (58.1), (58.4) */
    sp_vec *place;     /* n_slot, of curves: on the one that is parted into slots, world   */
    sp_skin **skin;    /* n_contour: sides of beams as they are bent (contact/skin.h), NULL: it is
                        * none; NULL: there are none */
    sp_bent_face **face; /* n_contour: faces in space likewise, NULL: it is none */
    sp_mark *skin_mark;  /* 2 n_slot: the material there that a slot touches, of sides a and b */
    const int *hold;     /* n_slot: feature that a closed contact stays at, plus 1, 0: the nearest;
                          * NULL: all are free */
    double least;        /* the smallest gap, infinity if there is no slot            */
    double off;          /* the largest |g| of the bilateral rows, in m or rad        */
    uint64_t *key;       /* n_slot in space: what the slots of pools are assigned to, 0: free */
    sp_pool_work *pool;  /* n_pool (contact/pool3.h) */
    struct sp_touch
        *touch; /* n_slot, of slots assigned to shapes with edges; NULL: there are none */
    bool still; /* slots of pools keep what they are assigned to, and their gaps are those of these
                 * features wherever they are, until sp_pool3_assign; for event-driven runs */
    double *outside; /* n_slot: how far the touch of such a slot is past the end of its features, m;
                      * minus infinity: they have no end */
    double *tol;     /* n_slot: places of such touches that differ by less are the same, m */
    int lost;        /* a slot, plus 1, whose nearest points were not found; 0: none */
    int short_of;    /* slots that pools lack for pairs that are near, 0: none       */

    /* where slots by expressions are evaluated, by sp_con_at */
    double t, dt;
    const double *q, *u;
    const double *const *states;     /* to the auxiliary states of the dynamics      */
    double *in, *grad, *hess, *work; /* for expressions                              */
    double *noted; /* n_slot and n_bond: places of slots by expressions, by sp_rule_note */
    double *grip;  /* n_slot: of dry friction, what its limit has on top (sp_rule.grip), N    */
    struct sp_loop_memory *loops; /* contact/loop.h                                           */
    sp_kink *kink; /* kinks of expressions that are held (sp_signal_source); NULL: none */

    /* by sp_con_activate, for the contacts in the problem */
    int n_active, capacity;
    int *active; /* slots, rising */

    /* by sp_con_directions; rows of contact a are row[a] to row[a + 1] - 1, normal first */
    bool disc;         /* friction may have two directions: in space, and along two slips */
    int n_row, stride; /* stride: largest number of degrees of freedom that move a pair */
    int *row;
    sp_set *set;
    sp_contact_frame *frame;   /* in space only g_N of it is used */
    sp_contact_frame3 *frame3; /* in space                        */
    int *n_sup, *sup; /* per contact: degrees of freedom that move it, falling; stride each */
    double *W;        /* n_row x stride: generalised force directions on sup  */
    double *w_tilde;  /* n_row: rheonomic terms, gamma = W^T u + w_tilde      */
    double *eps;      /* n_row: restitution                                   */
    double *ahead; /* n_row: xi = gamma_E + eps gamma_A + ahead: what a law of positions looks at,
                    * measure/(dt/2) of a THRESHOLD, else 0 */

    /* by sp_con_delassus */
    double *Y;      /* n_row x stride: L^-T W */
    double *YD;     /* n_row x stride: D^-1 L^-T W */
    double *G;      /* n_row x n_row: W^T M^-1 W, symmetric to the bit; NULL with more contacts than
                     * dense_most: see contact/sparse.h */
    double *G_room; /* for room_most contacts, NULL: never formed      */
    int room_most;  /* which event-driven integration may close at once */
    int dense_most; /* and of which time steps form G, 0: they never do */
    double *z;      /* n_dof scratch, zero between calls            */

    sp_reach *reach; /* of problems of implicit steps, in place of Y and YD; NULL: there are none */
    bool spreads;    /* the problem at hand is one                                             */
    struct sp_multiplier *multiplier; /* for problems of many rows; NULL: not in use     */
    bool later;     /* rows of contours and loops are left out by sp_con_directions ...    */
    bool by_bodies; /* ... and W, sup are over velocities of bodies: contact/multiplier_apart.h */
    sp_con_rows joints; /* what they are otherwise, then                                     */
} sp_con;

/* The material point of side k where a contact of the plane is. */
static inline sp_spot sp_con_spot(const sp_kin *kin, const sp_contact_frame *f, int k)
{
    return sp_mark_spot(kin, f->mark[k], sp_spot_lift(f->point[k]));
}

/* Where the frames are that follow: time, coordinates, velocities (NULL: none are needed), and what
 * forces are multiplied by to become percussions.  Slots by expressions ask for all of it, laws
 * with adhesion or a spot that grows with the force for dt. */
static inline void sp_con_at(double t, double dt, const double *q, const double *u, sp_con *con)
{
    con->t = t;
    con->dt = dt;
    con->q = q;
    con->u = u;
}

/* Memory for gaps, with the scratch of expressions shared with the dynamics; false if there is
 * none. */
bool sp_con_alloc(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con);

/* Gaps and nearest features of all slots.  Rows without a gap (dry friction, one-way) have minus
 * infinity: they always take part.   theory (4.1), (4.10) */
void sp_con_gaps(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_con *con);

/* The same where one slot alone is wanted: the others may stay as they are. */
void sp_con_gaps_of(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int slot,
                    sp_con *con);

/* Take over which edges the contacts are over and what the slots of pools are assigned to, from the
 * memory of the state or, if that is NULL, from the gaps just computed, for the next gaps to begin
 * with. */
void sp_con_remember(const sp_model *m, const sp_contact_memory *memory, sp_con *con);

/* Nearest places of surfaces are followed from those of the last gaps on, without a search; and
 * gaps with a search, of one slot or of all (SP_NONE): whatever has come nearest is found. */
void sp_con_follow_surfaces(const sp_model *m, sp_con *con);
void sp_con_search_gaps(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int slot,
                        sp_con *con);

/* Put gaps and what was taken over so into the state: g and memory of n_slot. */
void sp_con_keep(const sp_model *m, const sp_con *con, double *g, sp_contact_memory *memory);

/* The contacts with g_N <= margin, and with memory (n_slot, may be NULL) also those that are closed
 * and whose gap is within what their resting speed makes in dt: a resting contact stays in the
 * problem.  SP_E_CAPACITY if a pool has too few slots.   theory (7.2) */
sp_status sp_con_activate(const sp_model *m, double margin, const sp_contact_memory *memory,
                          sp_con *con, sp_error *err);

/* The contacts that a correction of positions looks at: with a gap <= margin, and all bilateral
 * rows. */
sp_status sp_con_activate_near(const sp_model *m, double margin, sp_con *con, sp_error *err);

/* Contact frame of a slot between contours; the gaps of this configuration must be there, and the
 * frames they were found with. */
sp_contact_frame sp_con_frame(const sp_model *m, const sp_numbers *num, const sp_con *con,
                              int slot);
void sp_con_find_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                       sp_contact_frame *f);

/* The slot that the contact of a slot goes on to, which has passed a seam of its curve; SP_NONE: it
 * has not.  Gaps must be those of its configuration.   theory (58.4) */
int sp_con_handed(const sp_model *m, const sp_con *con, int slot);

/* How many features side b of a slot has that a contact can be held at; INT_MAX: not counted. */
int sp_con_n_feature(const sp_model *m, int slot);

/* Whether side b of a slot has edges and corners that a contact can slide off. */
bool sp_con_has_edges(const sp_model *m, int slot);

/* How far a contact that con->hold keeps at a feature is from the end of it; negative: past it. */
double sp_con_reach(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot);

/* The feature that a round contact goes on to there; SP_NONE: it leaves, or others take over.
 * theory (4.1c) */
int sp_con_beyond(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot);

/* Relative velocity (normal, tangential) in a contact frame.   theory (4.4) */
void sp_con_gamma(const sp_kin *kin, const sp_contact_frame *f, double gamma[2]);

/* A corner on a line of the ground: the contact is at the same point of both, its bias is that of
 * the corner. */
static inline bool sp_con_on_ground(const sp_model *m, int slot, const sp_contact_frame *f)
{
    const sp_slot *s = &m->slot[slot];
    return s->is.on_line && s->body_b == SP_GROUND && f->radius == 0.0;
}

/* The part of gamma' that is there for u' = 0: gamma' = W^T u' + w_bar.  Velocities and bias must
 * be there; for corners on the ground bias alone.   theory (4.6)-(4.9) */
void sp_con_bias(const sp_model *m, const sp_kin *kin, const sp_con *con, int slot,
                 const sp_contact_frame *f, double w_bar[2]);

/* W, w_tilde, sets and restitution of the active contacts; normal rows only if !friction.
 * theory (4.5) */
void sp_con_directions(const sp_model *m, const sp_numbers *num, const sp_kin *kin, bool friction,
                       sp_con *con);

/* The rows that it left out (con->later), over velocities of joints. */
void sp_con_fill_later(const sp_model *m, const sp_numbers *num, sp_con *con);

/* W is over velocities of joints again; what it has there is not known. */
static inline void sp_con_leave_bodies(sp_con *con)
{
    if (con->by_bodies) {
        con->W = con->joints.W;
        con->n_sup = con->joints.n_sup;
        con->sup = con->joints.sup;
        con->stride = con->joints.stride;
        con->by_bodies = false;
    }
}

/* Y = L^-T W and G = Y^T D^-1 Y.   theory (5.2) */
void sp_con_delassus(const sp_model *m, const sp_dyn *dyn, sp_con *con);

/* Room for the same in implicit steps, by the factor of A, when it is first asked for.
 * SP_E_CAPACITY: the contacts have no dense G. */
sp_status sp_con_make_reach(sp_arena *arena, const sp_model *m, const sp_dyn *dyn, sp_con *con,
                            sp_error *err);

/* All of G from Y and YD, where it was left out. */
void sp_con_form_G(sp_con *con);

/* One entry of G, for row i of contact a and row j of contact b, from Y and YD. */
double sp_con_coupling(const sp_con *con, int a, int i, int b, int j);

/* Whether a percussion of one contact moves another. */
bool sp_con_coupled(const sp_con *con, int a, int b);

/* gamma_N, gamma_T (in space gamma_T1, gamma_T2) of any slot at con->u and the velocities of the
 * frames that the gaps belong to; what the kind has not is zero. */
void sp_con_slot_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                       double gamma[3]);

/* gamma_T of contact a of the problem at u - du (du NULL: at u), in space its length: from its
 * frame, of contacts without friction, which have no row along.  Zero of slots by expressions. */
double sp_con_glide(const sp_model *m, const sp_con *con, int a, const double *u, const double *du);

/* The part of the rates of all velocities that is there for u' = 0, of contact a of the problem,
 * and of its rows of drilling and rolling. */
void sp_con_slot_bias(const sp_model *m, const sp_numbers *num, const sp_con *con, int a,
                      double w_bar[SP_SET_DIM_MAX]);

/* Degrees of freedom that move contact a. */
static inline int *sp_con_sup(const sp_con *con, int a)
{
    return con->sup + (size_t)a * (size_t)con->stride;
}

/* Row r of W, Y or YD. */
static inline double *sp_con_row(const sp_con *con, double *rows, int r)
{
    return rows + (size_t)r * (size_t)con->stride;
}

/* W_r^T x for one row and a vector over all degrees of freedom. */
static inline double sp_con_dot(const sp_con *con, int contact, int row, const double *x)
{
    const int *sup = sp_con_sup(con, contact), n = con->n_sup[contact];
    const double *W = sp_con_row(con, con->W, row);
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += W[k] * x[sup[k]];
    }
    return sum;
}

/* x += scale * W_r (or Y_r) for one row. */
static inline void sp_con_add(const sp_con *con, int contact, const double *row_values,
                              double scale, double *x)
{
    const int *sup = sp_con_sup(con, contact), n = con->n_sup[contact];
    for (int k = 0; k < n; k++) {
        x[sup[k]] += scale * row_values[k];
    }
}

/* x += W P, W or Y all rows of the active contacts. */
static inline void sp_con_add_rows(const sp_con *con, double *W, const double *P, double *x)
{
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            sp_con_add(con, a, sp_con_row(con, W, r), P[r], x);
        }
    }
}

/* A row of L^-1 W: its numbers, and D^-1 times them; where they are; how many. */
typedef struct sp_con_column {
    int n;
    const int *dof, *key;
    const double *Y, *YD;
} sp_con_column;

static inline sp_con_column sp_con_column_of(const sp_con *con, int a, int r)
{
    if (con->spreads) {
        const sp_reach *x = con->reach;
        const size_t room = (size_t)x->room, at = (size_t)a * room, from = (size_t)r * room;
        return (sp_con_column){x->n[a], x->dof + at, x->key + at, x->Y + from, x->YD + from};
    }
    const int *sup = sp_con_sup(con, a);
    return (sp_con_column){con->n_sup[a], sup, sup, sp_con_row(con, con->Y, r),
                           sp_con_row(con, con->YD, r)};
}

/* x += P L^-1 W of one row. */
static inline void sp_con_push(const sp_con *con, int a, int r, double P, double *x)
{
    const sp_con_column c = sp_con_column_of(con, a, r);
    for (int k = 0; k < c.n; k++) {
        x[c.dof[k]] += P * c.Y[k];
    }
}

/* Where W is over velocities of bodies (contact/multiplier_apart.c): J u, J L^-1 D^-1 b, J^T W P
 * and L^-T of that, added. */
const double *sp_apart_seen(const sp_con *con, const double *u);
const double *sp_apart_ready(const sp_con *con, const double *b);
void sp_apart_force(const sp_con *con, const double *P, double *x);
void sp_apart_push(const sp_con *con, const double *P, double *x);

/* What rows are multiplied by: the velocities u, or J u.  Such an answer is good until the next. */
static inline const double *sp_con_seen(const sp_con *con, const double *u)
{
    return con->by_bodies ? sp_apart_seen(con, u) : u;
}

/* What sp_con_pull takes: b, or J L^-1 D^-1 b. */
static inline const double *sp_con_ready(const sp_con *con, const double *b)
{
    return con->by_bodies ? sp_apart_ready(con, b) : b;
}

/* x += W P */
static inline void sp_con_force(const sp_con *con, const double *P, double *x)
{
    if (con->by_bodies) {
        sp_apart_force(con, P, x);
    } else {
        sp_con_add_rows(con, con->W, P, x);
    }
}

/* x += L^-T W P of all rows of the active contacts. */
SP_ALWAYS_INLINE void sp_con_push_rows(const sp_con *con, const double *P, double *x)
{
    if (con->by_bodies) {
        sp_apart_push(con, P, x);
        return;
    }
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            sp_con_push(con, a, r, P[r], x);
        }
    }
}

/* sum + W^T L^-T D^-1 b of one row, b from sp_con_ready. */
static inline double sp_con_pull(const sp_con *con, int a, int r, const double *b, double sum)
{
    if (con->by_bodies) {
        return sum + sp_con_dot(con, a, r, b);
    }
    const sp_con_column c = sp_con_column_of(con, a, r);
    for (int k = 0; k < c.n; k++) {
        sum += c.YD[k] * b[c.dof[k]];
    }
    return sum;
}

#endif
