/* solvers/solutions_modes.c - all statuses of an island, one by one.
 *
 * Where rows depend on each other the forces of a status are a polyhedron, or none; its corners are
 * the solutions of statuses whose equations are not singular, so that only these are looked at.
 * theory (36.5) */
#include "solvers/solutions_parts.h"

#include <math.h>
#include <string.h>

enum { ROWS = SP_SOLUTIONS_ROWS };

/* Whether friction of the set goes in all directions of a plane. */
static bool is_round(const sp_set *s)
{
    return (s->kind == SP_SET_DISC || s->kind == SP_SET_ELLIPSE) && s->mu > 0.0;
}

int sp_modes_states(const sp_set *s, unsigned char *list)
{
    int n = 0;
    if (s->kind == SP_SET_INTERVAL) {
        if (s->lo < s->hi) {
            list[n++] = SP_STICK;
        }
        if (isfinite(s->lo)) {
            list[n++] = SP_SLIP_POS;
        }
        if (isfinite(s->hi) && s->lo < s->hi) {
            list[n++] = SP_SLIP_NEG;
        }
        return n;
    }
    if (sp_set_is_ball(s) && s->kind != SP_SET_ELLIPSE) {
        return 0;
    }
    list[n++] = SP_OPEN;
    if (s->kind == SP_SET_HALF_LINE || s->mu > 0.0) {
        list[n++] = SP_STICK;
    }
    if (s->kind != SP_SET_HALF_LINE) {
        list[n++] = SP_SLIP_POS;
    }
    if (s->kind == SP_SET_PLANAR && s->mu > 0.0) {
        list[n++] = SP_SLIP_NEG;
    }
    return n;
}

int sp_modes_count(const sp_island *k)
{
    int total = 1;
    unsigned char list[4];
    for (int i = 0; i < k->n_contact; i++) {
        total *= sp_modes_states(&k->set[i], list);
        total = total > SP_SOLUTIONS_STATUSES ? SP_SOLUTIONS_STATUSES + 1 : total;
        if (total == 0) {
            return 0;
        }
    }
    return total;
}

double sp_modes_answer(const sp_island *k, const sp_unknowns *u, int r, int v)
{
    const double *A = k->A + r * k->n + u->row[v];
    double sum = A[0];
    for (int a = 0; a < 2; a++) {
        sum += u->f[v][a] != 0.0 ? u->f[v][a] * A[a + 1] : 0.0;
    }
    return sum;
}

/* One more unknown. */
static void add(sp_unknowns *u, int row, double f)
{
    u->row[u->n] = row;
    u->f[u->n][0] = f;
    u->f[u->n++][1] = 0.0;
}

/* The unknowns of interval i. */
static void add_interval(const sp_island *k, int i, unsigned char status, sp_unknowns *u)
{
    const int r = k->row[i];
    if (status == SP_STICK) {
        add(u, r, 0.0);
        return;
    }
    const double p = status == SP_SLIP_POS ? k->lo[r] : k->hi[r];
    for (int a = 0; a < k->n; a++) {
        u->c[a] += k->A[a * k->n + r] * p;
    }
}

int sp_modes_list(const sp_island *k, const unsigned char *status, sp_unknowns *u, int *slip)
{
    int n_slip = 0;
    u->n = 0;
    memcpy(u->c, k->c, (size_t)k->n * sizeof *u->c);
    for (int i = 0; i < k->n_contact; i++) {
        const sp_set *s = &k->set[i];
        const int N = k->row[i];
        if (s->kind == SP_SET_INTERVAL) {
            add_interval(k, i, status[i], u);
        } else if (status[i] == SP_STICK) {
            for (int a = 0; a < sp_set_dim(s); a++) {
                add(u, N + a, 0.0);
            }
        } else if (status[i] != SP_OPEN && is_round(s)) {
            slip[n_slip++] = i;
        } else if (status[i] != SP_OPEN) {
            add(u, N,
                s->kind != SP_SET_PLANAR   ? 0.0
                : status[i] == SP_SLIP_POS ? -k->mu[N + 1]
                                           : k->mu[N + 1]);
        }
    }
    return n_slip;
}

bool sp_modes_move(const sp_island *k, const sp_unknowns *u)
{
    double B[ROWS * ROWS], all[ROWS * ROWS];
    for (int v = 0; v < u->n; v++) {
        for (int a = 0; a < u->n; a++) {
            B[a * ROWS + v] = sp_modes_answer(k, u, u->row[a], v);
        }
        for (int r = 0; r < k->n; r++) {
            all[r * ROWS + v] = sp_modes_answer(k, u, r, v);
        }
    }
    return sp_island_rank(u->n, u->n, B) < sp_island_rank(k->n, u->n, all);
}

/* A status without slip in unknown directions. */
static void try_linear(const sp_island *k, const sp_unknowns *u, const unsigned char *status,
                       sp_motions *m)
{
    double B[ROWS * ROWS], R[ROWS * ROWS], p[ROWS] = {0.0};
    for (int a = 0; a < u->n; a++) {
        for (int v = 0; v < u->n; v++) {
            B[a * ROWS + v] = sp_modes_answer(k, u, u->row[a], v);
        }
        R[a * ROWS] = -u->c[u->row[a]];
    }
    if (!sp_island_solve(u->n, B, 1, R)) {
        m->complete = m->complete && !sp_modes_move(k, u);
        return;
    }
    for (int v = 0; v < u->n; v++) {
        p[u->row[v]] = R[v * ROWS];
        if (u->f[v][0] != 0.0) {
            p[u->row[v] + 1] = u->f[v][0] * R[v * ROWS];
        }
    }
    sp_modes_put_bounds(k, status, p);
    sp_island_offer(k, p, status, m);
}

void sp_modes_put_bounds(const sp_island *k, const unsigned char *status, double *p)
{
    for (int i = 0; i < k->n_contact; i++) {
        const int r = k->row[i];
        if (k->set[i].kind == SP_SET_INTERVAL && status[i] != SP_STICK) {
            p[r] = status[i] == SP_SLIP_POS ? k->lo[r] : k->hi[r];
        }
    }
}

/* Status number code, counted through the states of all contacts. */
static void decode(const sp_island *k, int code, unsigned char *status)
{
    for (int i = 0; i < k->n_contact; i++) {
        unsigned char list[4];
        const int n = sp_modes_states(&k->set[i], list);
        status[i] = list[code % n];
        code /= n;
    }
}

void sp_modes_try(const sp_island *k, sp_motions *m)
{
    const int total = sp_modes_count(k);
    for (int code = 0; code < total; code++) {
        unsigned char status[ROWS];
        sp_unknowns u;
        int slip[ROWS];
        decode(k, code, status);
        const int n_slip = sp_modes_list(k, status, &u, slip);
        if (n_slip == 0) {
            try_linear(k, &u, status, m);
        } else if (n_slip == 1) {
            sp_slips_one(k, &u, slip[0], status, m);
        } else {
            sp_slips_many(k, &u, n_slip, slip, status, m);
        }
    }
}
