/* contact/multiplier_search.c - states of many contacts at once.   theory (76.5)
 *
 * Rows that give way have forces that follow from velocities, P = Pi(-rho xi) with the nearest
 * point Pi of the set.  What is left to find are velocities x with
 *
 *     F(x) = A x - W (Pi(P_from - rho (c + W^T x)) - P_from) = 0
 *
 * Newton's method does, as long as it only goes as far along dx as dx.F is negative: F is the slope
 * of a convex function where friction does not change with the pressure. */
#include "contact/multiplier_parts.h"

#include <string.h>

enum {
    STEPS = 60,
    HALVES = 30 /* of a step: contacts whose states change there are found to 1e-9 of it */
};
#define FLAT 1e-6 /* a slope that is nothing beside the first */

typedef sp_multiplier_block block;

/* The force of a contact at velocities xi, and its state. */
static unsigned char follow(const sp_multiplier *s, const sp_set *set, int r, const double *xi,
                            double *P)
{
    const double *from = s->P_from + r;
    const double z = from[0] - SP_MULTIPLIER_WEIGHT / s->g[r] * xi[0];
    if (sp_multiplier_free(set)) {
        P[0] = z;
        return SP_STICK;
    }
    if (set->kind == SP_SET_INTERVAL) {
        P[0] = fmax(fmin(z, set->hi), set->lo);
        return z > set->hi ? SP_SLIP_NEG : z < set->lo ? SP_SLIP_POS : SP_STICK;
    }
    P[0] = fmax(z, 0.0);
    if (set->kind != SP_SET_PLANAR) {
        return P[0] > 0.0 ? SP_STICK : SP_OPEN;
    }
    const double most = set->mu * P[0];
    const double z_T = from[1] - SP_MULTIPLIER_WEIGHT / s->g[r + 1] * xi[1];
    P[1] = fmax(fmin(z_T, most), -most);
    return P[0] == 0.0 ? SP_OPEN : z_T == P[1] ? SP_STICK : z_T > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
}

/* Forces and states at xi; whether all states are as before. */
static bool follow_all(const sp_con *con, sp_multiplier *s, sp_solution *x)
{
    bool same = true;
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a];
        const unsigned char state = follow(s, &con->set[a], r, s->xi + r, x->P + r);
        same = same && state == x->status[a];
        x->status[a] = state;
        s->block[a].along = state == SP_SLIP_NEG ? -1.0 : 1.0;
    }
    return same;
}

/* dx into s->x, W^T dx into s->dP; s->F: A dx.   A_rho dx = -F */
static void find_step(const sp_con *con, const sp_solution *x, sp_multiplier *s)
{
    const int n = s->A_rho.n;
    for (int k = 0; k < n; k++) {
        s->F[k] = -s->Ax[k];
    }
    for (int r = 0; r < con->n_row; r++) {
        s->dP[r] = x->P[r] - s->P_from[r];
    }
    sp_con_add_rows(con, con->W, s->dP, s->F);
    memcpy(s->x, s->F, (size_t)n * sizeof *s->x);
    sp_block_lu_solve(&s->A_rho, s->x);
    for (int a = 0; a < con->n_active; a++) {
        const block *b = &s->block[a];
        double *v = s->dP + con->row[a];
        for (int i = 0; i < con->row[a + 1] - con->row[a]; i++) {
            v[i] = sp_con_dot(con, a, con->row[a] + i, s->x);
        }
        for (int i = 0; i < b->n; i++) {
            double f = 0.0;
            for (int j = 0; j < b->n; j++) {
                f += b->C[i][j] * v[j];
            }
            sp_con_add(con, a, sp_con_row(con, con->W, con->row[a] + i), -f, s->F);
        }
    }
}

/* dx.F at x + t dx; a + b t: that of A. */
static double slope(const sp_con *con, const sp_multiplier *s, double a, double b, double t)
{
    double sum = a + t * b;
    for (int k = 0; k < con->n_active; k++) {
        const int r = con->row[k], n = con->row[k + 1] - r;
        double xi[3], P[3];
        for (int i = 0; i < n; i++) {
            xi[i] = s->xi[r + i] + t * s->dP[r + i];
        }
        follow(s, &con->set[k], r, xi, P);
        for (int i = 0; i < n; i++) {
            sum -= s->dP[r + i] * (P[i] - s->P_from[r + i]);
        }
    }
    return sum;
}

/* How far to go along dx, 1 at most. */
static double find_length(const sp_con *con, const sp_multiplier *s)
{
    double a = 0.0, b = 0.0, low = 0.0, high = 1.0;
    for (int k = 0; k < s->A_rho.n; k++) {
        a += s->x[k] * s->Ax[k];
        b += s->x[k] * s->F[k];
    }
    const double first = slope(con, s, a, b, 0.0);
    if (!(first < 0.0) || !(slope(con, s, a, b, 1.0) > -FLAT * first)) {
        return 1.0;
    }
    for (int k = 0; k < HALVES; k++) {
        const double mid = 0.5 * (low + high);
        if (slope(con, s, a, b, mid) > 0.0) {
            high = mid;
        } else {
            low = mid;
        }
    }
    return high;
}

/* The first step ends at the solution for the states at hand: from x = 0, A_rho dx = W e. */
static void begin(const sp_con *con, const sp_multiplier *s, sp_solution *x)
{
    for (int a = 0; a < con->n_active; a++) {
        memcpy(x->P + con->row[a], s->block[a].e, (size_t)s->block[a].n * sizeof *x->P);
    }
}

/* Where the search begins: at the solution for the states at hand, or at the forces that the last
 * one found, with the velocities that these truly lead to.   theory (76.8) */
static void set_out(const sp_multiplier_ask *ask, const sp_con *con, bool again, sp_multiplier *s,
                    sp_solution *x)
{
    const size_t rows = (size_t)con->n_row * sizeof *s->xi;
    memset(s->Ax, 0, (size_t)s->A_rho.n * sizeof *s->Ax);
    if (again) {
        memcpy(s->P_from, s->P_soft, rows);
        sp_multiplier_velocities(ask, con, s->P_from, s);
        return;
    }
    memcpy(s->xi, ask->c, rows);
    memset(s->P_from, 0, rows);
    memset(x->P, 0, rows);
}

int sp_multiplier_search(const sp_multiplier_ask *ask, const sp_con *con, bool again,
                         sp_multiplier *s, sp_solution *x)
{
    const int n = s->A_rho.n;
    int k = 0;
    set_out(ask, con, again, s, x);
    for (; k < STEPS; k++) {
        if ((k > 0 || again) && follow_all(con, s, x)) {
            break;
        }
        if (!sp_multiplier_factor(ask, con, x, s)) {
            return SP_NONE;
        }
        if (k == 0 && !again) {
            begin(con, s, x);
        }
        find_step(con, x, s);
        const double t = k > 0 || again ? find_length(con, s) : 1.0;
        for (int i = 0; i < n; i++) {
            s->Ax[i] += t * s->F[i];
        }
        for (int r = 0; r < con->n_row; r++) {
            s->xi[r] += t * s->dP[r];
        }
    }
    memcpy(s->P_soft, x->P, (size_t)con->n_row * sizeof *x->P);
    return k;
}
