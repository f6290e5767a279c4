/* The linear problem of a branch: percussions sum x e over the edges e of its cones, velocities
 * sum x w over those of theirs,
 *
 *     sum x G e - sum x w = -c  in the rows of u that the branch restricts,   x >= 0      theory
 * (5.14) */
#include "solvers/fc_search.h"

#include "solvers/fc_lp.h"
#include "solvers/fc_method.h"

#include <math.h>
#include <string.h>

enum {
    CONTACTS = SP_FC_SEARCH_CONTACTS,
    ROWS = 3 * CONTACTS,
    NODES = 200000, /* branches looked at, at most                 */
    WAITING = 2000, /* that wait for it                            */
    EDGES = 8,      /* of a whole cone                             */
    SECTORS = 4,    /* a circle is split into                      */
    TRIES = 40      /* of Newton's method from points of branches  */
};

#define PI 3.14159265358979323846
/* Sectors are not split below this. */
#define NARROW 1e-5
/* Points that miss the law by less than this part of c are worth a try of Newton's method. */
#define NEAR 0.05
/* Part of the usual effort for such a try. */
#define PART 0.2

/* What the search works with. */
typedef struct search {
    const sp_fc_island *l;
    double G[ROWS][ROWS];
    double size; /* of c */
    sp_fc_lp lp;
    double p[ROWS], u[ROWS], trial[ROWS], y[ROWS];
    int equation[ROWS], n_equation; /* row of u of each row of the linear problem */
    int tries, n_waiting;
    sp_fc_branch (*waiting)[CONTACTS];
} search;

/* Edges of a cone, rows of up to three numbers. */
typedef struct edges {
    int n;
    double at[EDGES][3];
} edges;

/* One more edge. */
static void add_edge(edges *e, double a, double b, double c)
{
    e->at[e->n][0] = a;
    e->at[e->n][1] = b;
    e->at[e->n++][2] = c;
}

/* (1, radius d(angle)). */
static void add_edge_at(edges *e, double radius, double angle)
{
    add_edge(e, 1.0, radius * cos(angle), radius * sin(angle));
}

/* 1 if the sector is the whole circle. */
static int is_whole(const sp_fc_branch *b)
{
    return b->to - b->from > 1.9 * PI;
}

/* An arc lies in the triangle of its ends and the point where their tangents meet. */
static void add_arc(edges *e, double radius, double from, double to)
{
    add_edge_at(e, radius, from);
    add_edge_at(e, radius, to);
    add_edge_at(e, radius / cos(0.5 * (to - from)), 0.5 * (from + to));
}

/* A cone that holds all percussions of a contact in this branch. */
static edges percussions(const sp_set *s, const sp_fc_branch *b)
{
    edges e = {0};
    const int dim = sp_set_dim(s);
    if (b->does == SP_FC_DOES_OPEN) {
        return e;
    }
    if (s->kind == SP_SET_FREE) {
        add_edge(&e, -1.0, 0.0, 0.0);
    }
    if (dim == 1 || s->mu == 0.0) {
        add_edge(&e, 1.0, 0.0, 0.0);
    } else if (dim == 2) {
        const double slip = b->does == SP_FC_DOES_SLIP ? cos(b->from) : 0.0;
        if (slip >= 0.0) {
            add_edge(&e, 1.0, -s->mu, 0.0);
        }
        if (slip <= 0.0) {
            add_edge(&e, 1.0, s->mu, 0.0);
        }
    } else if (b->does == SP_FC_DOES_SLIP) { /* against the velocity */
        add_arc(&e, s->mu, b->from + PI, b->to + PI);
    } else if (is_whole(b)) {
        for (int k = 0; k < EDGES; k++) {
            add_edge_at(&e, s->mu / cos(PI / EDGES), 2.0 * PI * k / EDGES);
        }
    } else {
        add_edge(&e, 1.0, 0.0, 0.0);
        add_arc(&e, s->mu, b->from, b->to);
    }
    return e;
}

/* A cone that holds all velocities of a contact in this branch, in its first rows; the others may
 * be anything.  Returns the number of these rows. */
static int velocities(const sp_set *s, const sp_fc_branch *b, edges *e)
{
    const int dim = sp_set_dim(s), tangents = dim > 1 && s->mu > 0.0;
    e->n = 0;
    if (s->kind == SP_SET_FREE) {
        return 1;
    }
    if (b->does == SP_FC_DOES_ANY || b->does == SP_FC_DOES_OPEN) {
        add_edge(e, 1.0, 0.0, 0.0);
        return 1;
    }
    if (b->does == SP_FC_DOES_SLIP) {
        add_edge(e, 0.0, cos(b->from), dim == 3 ? sin(b->from) : 0.0);
        if (dim == 3) {
            add_edge(e, 0.0, cos(b->to), sin(b->to));
        }
    }
    return tangents ? dim : 1;
}

/* The linear problem of a branch: sum over edges G e x - sum over velocities w x = -c. */
static void state_branch(search *w, const sp_fc_branch *b)
{
    const sp_fc_island *l = w->l;
    sp_fc_lp *q = &w->lp;
    edges e[CONTACTS], v[CONTACTS];
    int rows[CONTACTS];
    w->n_equation = q->n = 0;
    for (int i = 0; i < l->n_contact; i++) {
        e[i] = percussions(&l->set[i], &b[i]);
        rows[i] = velocities(&l->set[i], &b[i], &v[i]);
        for (int a = 0; a < rows[i]; a++) {
            w->equation[w->n_equation++] = l->row[i] + a;
        }
    }
    q->m = w->n_equation;
    memset(q->A, 0, sizeof q->A);
    for (int i = 0, first = 0; i < l->n_contact; first += rows[i++]) {
        const int dim = l->row[i + 1] - l->row[i];
        for (int k = 0; k < e[i].n; k++, q->n++) {
            for (int r = 0; r < q->m; r++) {
                for (int a = 0; a < dim; a++) {
                    q->A[r][q->n] += w->G[w->equation[r]][l->row[i] + a] * e[i].at[k][a];
                }
            }
        }
        for (int k = 0; k < v[i].n; k++, q->n++) {
            for (int a = 0; a < rows[i]; a++) {
                q->A[first + a][q->n] = -v[i].at[k][a];
            }
        }
    }
    for (int r = 0; r < q->m; r++) {
        q->b[r] = -l->c[w->equation[r]] / w->size;
    }
}

/* p of the branch's point. */
static void read_point(search *w, const sp_fc_branch *b)
{
    const sp_fc_island *l = w->l;
    int column = 0;
    memset(w->p, 0, sizeof w->p);
    for (int i = 0; i < l->n_contact; i++) {
        const edges e = percussions(&l->set[i], &b[i]);
        edges v;
        velocities(&l->set[i], &b[i], &v);
        for (int k = 0; k < e.n; k++, column++) {
            for (int a = l->row[i]; a < l->row[i + 1]; a++) {
                w->p[a] += w->size * w->lp.x[column] * e.at[k][a - l->row[i]];
            }
        }
        column += v.n;
    }
    sp_fc_island_velocity(l, w->p, w->u);
}

/* The contact whose point is farthest from its law, and how far. */
static int worst_contact(const search *w, double *defect)
{
    const sp_fc_island *l = w->l;
    int worst = 0;
    *defect = -1.0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i];
        const double now = sp_fc_natural_defect(&l->set[i], l->row[i + 1] - k, w->p + k, w->u + k);
        if (!(now <= *defect)) {
            *defect = now;
            worst = i;
        }
    }
    return worst;
}

/* Let a branch wait, with contact i doing this instead; 0: no room. */
static int wait(search *w, const sp_fc_branch *b, int i, sp_fc_does does, double from, double to)
{
    if (w->n_waiting == WAITING) {
        return 0;
    }
    sp_fc_branch *own = w->waiting[w->n_waiting++];
    memcpy(own, b, (size_t)w->l->n_contact * sizeof *own);
    own[i].does = does;
    own[i].from = from;
    own[i].to = to;
    return 1;
}

/* Let the parts of a branch wait; 0: contact i cannot be split. */
static int split(search *w, const sp_fc_branch *b, int i)
{
    const sp_set *s = &w->l->set[i];
    const int dim = sp_set_dim(s), slides = dim > 1 && s->mu > 0.0;
    const double width = b[i].to - b[i].from;
    int room = 1;
    if (b[i].does == SP_FC_DOES_ANY && s->kind != SP_SET_FREE) {
        for (int k = 0; slides && k < (dim == 3 ? SECTORS : 2); k++) {
            const double from = dim == 3 ? 2.0 * PI * k / SECTORS : PI * k;
            const double to = dim == 3 ? 2.0 * PI * (k + 1) / SECTORS : from;
            room &= wait(w, b, i, SP_FC_DOES_SLIP, from, to);
        }
        room &= wait(w, b, i, SP_FC_DOES_STICK, 0.0, 2.0 * PI);
        return room && wait(w, b, i, SP_FC_DOES_OPEN, 0.0, 2.0 * PI);
    }
    if (dim < 3 || !slides || b[i].does == SP_FC_DOES_OPEN || width < NARROW) {
        return 0;
    }
    const int parts = is_whole(&b[i]) ? SECTORS : 2;
    for (int k = 0; k < parts; k++) {
        room &= wait(w, b, i, b[i].does, b[i].from + width * k / parts,
                     b[i].from + width * (k + 1) / parts);
    }
    return room;
}

/* Split the branch at the contact farthest from its law, or, where that is decided, at any other;
 * 0: all are. */
static int split_somewhere(search *w, const sp_fc_branch *b, int worst)
{
    int done = split(w, b, worst);
    for (int i = 0; i < w->l->n_contact && !done; i++) {
        done = i != worst && w->n_waiting < WAITING - 2 * SECTORS && split(w, b, i);
    }
    return done;
}

/* Newton's method from the branch's point; 1 if the goal is reached. */
static int try_point(search *w, sp_fc_goal *g, double *p, double *error, sp_fc_stack *stack)
{
    const double effort = g->effort;
    const size_t bytes = (size_t)w->l->n * sizeof *p;
    w->tries++;
    memcpy(w->trial, w->p, bytes);
    sp_fc_island_project(w->l, w->trial);
    g->effort = PART * effort;
    const double now = sp_fc_solve_hybrid(w->l, g, w->trial, stack);
    g->effort = effort;
    if (now < *error || *error != *error) {
        *error = now;
        memcpy(p, w->trial, bytes);
    }
    return *error <= g->tol;
}

/* y of all rows of u. */
static void show_leaf(search *w, const sp_fc_branch *b, sp_fc_search_leaf *leaf, void *data)
{
    memset(w->y, 0, sizeof w->y);
    for (int r = 0; r < w->n_equation; r++) {
        w->y[w->equation[r]] = w->lp.y[r];
    }
    leaf(data, b, w->y);
}

/* The matrix, the size of c, and the first branch; 0: the island is none to be searched. */
static int begin(const sp_fc_island *l, search *w)
{
    w->l = l;
    w->size = 1e-300;
    w->tries = w->n_waiting = 0;
    memset(w->G, 0, sizeof w->G);
    for (int i = 0; i < l->n_contact; i++) {
        if (l->set[i].kind == SP_SET_INTERVAL || l->set[i].shifted || sp_set_dim(&l->set[i]) > 3) {
            return 0;
        }
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b], cols = l->row[j + 1] - l->row[j];
            for (int e = 0; e < (l->row[i + 1] - l->row[i]) * cols; e++) {
                w->G[l->row[i] + e / cols][l->row[j] + e % cols] = l->G[l->at[b] + e];
            }
        }
        w->waiting[0][i] = (sp_fc_branch){SP_FC_DOES_ANY, 0.0, 2.0 * PI};
    }
    for (int k = 0; k < l->n; k++) {
        w->size = fmax(w->size, fabs(l->c[k]));
    }
    w->n_waiting = 1;
    return 1;
}

/* Branches until none waits. */
static sp_fc_search_end run(search *w, sp_fc_goal *g, double *p, double *error,
                            sp_fc_search_leaf *leaf, void *data, sp_fc_stack *stack)
{
    sp_fc_branch b[CONTACTS];
    const double most = NODES * g->effort;
    for (long k = 0; w->n_waiting > 0; k++) {
        double defect;
        if ((double)k >= most || sp_fc_late(g)) {
            return SP_FC_SEARCH_UNCLEAR;
        }
        memcpy(b, w->waiting[--w->n_waiting], sizeof b);
        state_branch(w, b);
        if (sp_fc_lp_decide(&w->lp) == SP_FC_LP_PROOF) {
            if (leaf) {
                show_leaf(w, b, leaf, data);
            }
            continue;
        }
        read_point(w, b);
        const int worst = worst_contact(w, &defect);
        if (defect < NEAR * w->size && w->tries < TRIES && try_point(w, g, p, error, stack)) {
            return SP_FC_SEARCH_FOUND;
        }
        if (!split_somewhere(w, b, worst)) { /* nearly a solution, or too close to call */
            return try_point(w, g, p, error, stack) ? SP_FC_SEARCH_FOUND : SP_FC_SEARCH_UNCLEAR;
        }
    }
    return SP_FC_SEARCH_NONE;
}

sp_fc_search_end sp_fc_search(const sp_fc_island *l, sp_fc_goal *g, double *p, double *error,
                              sp_fc_search_leaf *leaf, void *data, sp_fc_stack *stack)
{
    const sp_fc_mark mark = sp_fc_note(stack);
    sp_fc_search_end end = SP_FC_SEARCH_UNCLEAR;
    if (l->n_contact > CONTACTS || l->n > ROWS) {
        return end;
    }
    search *w = SP_TAKE(stack, search, 1);
    sp_fc_branch(*waiting)[CONTACTS] =
        (sp_fc_branch(*)[CONTACTS])sp_fc_take(stack, WAITING, sizeof *waiting);
    if (!stack->failed) {
        w->waiting = waiting;
        end = begin(l, w) ? run(w, g, p, error, leaf, data, stack) : end;
    }
    sp_fc_release(stack, mark);
    return end;
}
