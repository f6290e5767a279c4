#include "solvers/states.h"

#include <math.h>

/* An interval alone: where P = -c / G would be. */
static unsigned char cold_interval(const sp_set *s, double G, double c)
{
    if (s->lo == s->hi) {
        return SP_SLIP_POS;
    }
    if (s->lo > -INFINITY && c + G * s->lo > 0.0) {
        return SP_SLIP_POS;
    }
    return s->hi < INFINITY && c + G * s->hi < 0.0 ? SP_SLIP_NEG : SP_STICK;
}

/* A first status for one contact alone: open if it separates, else its own stick or slip. */
static unsigned char cold_status(const sp_problem *p, int i)
{
    const sp_set *s = &p->set[i];
    const int N = p->row[i], T = N + 1;
    const double *G_N = p->G + (size_t)N * (size_t)p->ld, *G_T = G_N + p->ld;
    if (s->kind == SP_SET_FREE) {
        return SP_STICK;
    }
    if (s->kind == SP_SET_INTERVAL) {
        return cold_interval(s, G_N[N], p->c[N]);
    }
    if (p->c[N] >= 0.0) {
        return SP_OPEN;
    }
    if (s->kind == SP_SET_HALF_LINE) {
        return SP_STICK;
    }
    const double det = G_N[N] * G_T[T] - G_N[T] * G_T[N];
    const double P_N = G_N[T] * p->c[T] - G_T[T] * p->c[N]; /* times det */
    const double P_T = G_T[N] * p->c[N] - G_N[N] * p->c[T];
    if (!(det > 0.0) || !(P_N > 0.0)) {
        return p->c[T] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
    }
    return fabs(P_T) <= s->mu * P_N ? SP_STICK : P_T < 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
}

int sp_states_complete(const sp_problem *p, unsigned char *status)
{
    int unknown = 0;
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        if (status[i] > SP_SLIP_NEG) {
            status[i] = cold_status(p, i);
            unknown = 1;
        }
        if (s->kind == SP_SET_FREE || (s->kind == SP_SET_HALF_LINE && status[i] != SP_OPEN)) {
            status[i] = SP_STICK;
        } else if (s->kind == SP_SET_INTERVAL && !sp_states_fixed(s, status[i])) {
            status[i] = status[i] == SP_OPEN ? cold_status(p, i) : SP_STICK;
        }
    }
    return unknown;
}

unsigned char sp_states_flip(const sp_problem *p, int i, unsigned char now, const double *P,
                             const double *xi)
{
    const sp_set *s = &p->set[i];
    P += p->row[i];
    xi += p->row[i];
    if (s->kind == SP_SET_FREE) {
        return now;
    }
    if (s->kind == SP_SET_INTERVAL) {
        if (!sp_states_fixed(s, now)) {
            return P[0] < s->lo ? SP_SLIP_POS : P[0] > s->hi ? SP_SLIP_NEG : SP_STICK;
        }
        const double wrong = now == SP_SLIP_NEG ? xi[0] : -xi[0];
        return wrong > 0.0 && s->lo != s->hi ? SP_STICK : now;
    }
    if (now == SP_OPEN) {
        if (!(xi[0] < 0.0)) {
            return now;
        }
        return s->kind == SP_SET_HALF_LINE ? SP_STICK : xi[1] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
    }
    if (P[0] < 0.0) {
        return SP_OPEN;
    }
    if (s->kind == SP_SET_HALF_LINE || s->mu == 0.0) {
        return now;
    }
    if (now == SP_STICK) {
        return fabs(P[1]) <= s->mu * P[0] ? now : P[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return (now == SP_SLIP_POS ? xi[1] : -xi[1]) < 0.0 ? SP_STICK : now;
}

void sp_states_follow(const sp_problem *p, const double *raw, const double *P,
                      unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        if (s->kind == SP_SET_INTERVAL) {
            if (!sp_states_fixed(s, status[i])) {
                status[i] = raw[N] < s->lo ? SP_SLIP_POS : raw[N] > s->hi ? SP_SLIP_NEG : SP_STICK;
            }
            continue;
        }
        if (status[i] == SP_OPEN || s->kind == SP_SET_FREE) {
            continue;
        }
        if (raw[N] < 0.0) {
            status[i] = SP_OPEN;
        } else if (status[i] == SP_STICK && s->kind == SP_SET_PLANAR &&
                   fabs(raw[T] - P[T]) > SP_STILL * fabs(raw[T])) {
            status[i] = raw[T] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
        }
    }
}

/* The piece of a row with bounds: |G| P - xi beyond one of them, or between. */
static unsigned char piece(double G, double P, double xi, double lo, double hi)
{
    const double z = G * P - xi;
    return hi < INFINITY && z > G * hi    ? SP_SLIP_NEG
           : lo > -INFINITY && z < G * lo ? SP_SLIP_POS
                                          : SP_STICK;
}

void sp_states_classify(const sp_problem *p, const double *P, const double *xi,
                        unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + 1;
        const double *G_N = p->G + (size_t)N * (size_t)p->ld, *G_T = G_N + p->ld;
        status[i] = SP_STICK;
        if (s->kind == SP_SET_INTERVAL) {
            status[i] = piece(fabs(G_N[N]), P[N], xi[N], s->lo, s->hi);
        } else if (s->kind != SP_SET_FREE && fabs(G_N[N]) * P[N] <= xi[N]) {
            status[i] = SP_OPEN;
        } else if (s->kind == SP_SET_PLANAR) {
            status[i] = piece(fabs(G_T[T]), P[T], xi[T], -s->mu * P[N], s->mu * P[N]);
        }
    }
}

void sp_states_impose(const sp_problem *p, const unsigned char *status, double *P)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int N = p->row[i], T = N + (s->kind == SP_SET_PLANAR);
        if (sp_states_fixed(s, status[i])) {
            P[N] = sp_states_bound(s, status[i]);
        } else if (status[i] == SP_OPEN && s->kind != SP_SET_FREE && s->kind != SP_SET_INTERVAL) {
            P[N] = P[T] = 0.0;
        } else if (s->kind == SP_SET_PLANAR && status[i] != SP_STICK) {
            P[T] = (status[i] == SP_SLIP_POS ? -s->mu : s->mu) * P[N];
        }
    }
}

unsigned char sp_states_settle(const sp_problem *p, int i, unsigned char now, const double *xi,
                               const double *size)
{
    const sp_set *s = &p->set[i];
    const int N = p->row[i], T = N + 1;
    if (sp_states_free(s) || (now == SP_OPEN && xi[N] > SP_STILL * size[N])) {
        return now;
    }
    if (s->kind == SP_SET_INTERVAL) {
        return fabs(xi[N]) <= SP_STILL * size[N] && s->lo != s->hi ? SP_STICK : now;
    }
    if (s->kind == SP_SET_HALF_LINE || fabs(xi[T]) <= SP_STILL * size[T]) {
        return SP_STICK;
    }
    return xi[T] > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
}

void sp_states_name(const sp_problem *p, const double *P, unsigned char *status)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        const int frictionless = s->kind == SP_SET_PLANAR && s->mu == 0.0 && status[i] != SP_OPEN;
        if (!frictionless && !(s->kind == SP_SET_INTERVAL && s->lo == s->hi)) {
            continue;
        }
        const int k = p->row[i] + frictionless;
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double xi = p->c[k];
        for (int j = 0; j < p->n; j++) {
            xi += G[j] * P[j];
        }
        status[i] = xi < 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
}
