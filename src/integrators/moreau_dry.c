/* integrators/moreau_dry.c - when dry friction of joints and couplings comes to rest or lets go
 * within a step.   theory (62.1)-(62.3) */
#include "integrators/moreau_parts.h"

enum { HELD_MAX = 12 };
#define DEPENDENT 1e-12 /* of its own entry: less is left of a row by those before it */

/* Whether row k of contact b holds in the step just solved: rows of bonds, of what rests, and the
 * first one of what is loaded. */
static bool holds(const sp_model *m, const sp_con *con, const sp_sol *sol, int b, int k)
{
    const int slot = con->active[b];
    if (slot >= m->n_slot) {
        return true;
    }
    const bool first = k == 0 && !sp_con_is_dry(&m->slot[slot]);
    return first ? sol->P[con->row[b]] > 0.0 : sol->status[b] == SP_STICK;
}

/* The rows that hold, but for r; how many, HELD_MAX + 1 if there are more. */
static int find_held(const sp_model *m, const sp_con *con, const sp_sol *sol, int r, int *held)
{
    int n = 0;
    for (int b = 0; b < con->n_active && n <= HELD_MAX; b++) {
        for (int i = con->row[b]; i < con->row[b + 1] && n <= HELD_MAX; i++) {
            if (i != r && holds(m, con, sol, b, i - con->row[b])) {
                held[n++] = i;
            }
        }
    }
    return n;
}

/* What an impulse of one along row r does to its velocity while other rows hold:
 * G_rr - G_rh G_hh^-1 G_hr.   theory (62.1) */
static double mobility(const sp_model *m, const sp_con *con, const sp_sol *sol, int r)
{
    int held[HELD_MAX + 1];
    double A[HELD_MAX + 1][HELD_MAX + 1]; /* of the rows that hold, then of r */
    const int n = find_held(m, con, sol, r, held);
    if (n > HELD_MAX) {
        return con->G[r * con->n_row + r];
    }
    held[n] = r;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            A[i][j] = con->G[held[i] * con->n_row + held[j]];
        }
    }
    for (int p = 0; p < n; p++) {
        if (!(A[p][p] > DEPENDENT * con->G[held[p] * con->n_row + held[p]])) {
            continue;
        }
        for (int i = p + 1; i <= n; i++) {
            for (int j = p + 1; j <= n; j++) {
                A[i][j] -= A[i][p] * A[p][j] / A[p][p];
            }
        }
    }
    return A[n][n] > DEPENDENT * con->G[r * con->n_row + r] ? A[n][n] : 0.0;
}

double sp_dry_stops(const sp_model *m, const sp_con *con, const sp_sol *sol, int a)
{
    const int r = con->row[a];
    if (!con->G || !m->slot[con->active[a]].is.dry) {
        return 1.0;
    }
    const double v = sol->gamma_A[r];
    const double left = con->set[a].hi + (v > 0.0 ? sol->P[r] : -sol->P[r]);
    const double turned = left > 0.0 ? left * mobility(m, con, sol, r) : 0.0;
    return turned > 0.0 ? fabs(v) / (fabs(v) + turned) : 1.0;
}

double sp_dry_spare(const sp_model *m, const sp_con *con, const sp_sol *sol, int a)
{
    const int r = con->row[a];
    if (!con->G || !m->slot[con->active[a]].is.dry) {
        return NAN;
    }
    const double G = mobility(m, con, sol, r);
    return G > 0.0 ? con->set[a].hi - fabs(sol->P[r] - sol->xi[r] / G) : NAN;
}
