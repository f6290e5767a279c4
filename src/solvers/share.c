#include "solvers/share.h"

#include "math/least_point.h"
#include "solvers/states.h"

#include <math.h>
#include <string.h>

enum { CHOICES = 16 }; /* independent ones at most */
#define RANK     1e-10 /* pivots below this, of a matrix with unit diagonal, are zero           */
#define FAR      10.0  /* times the largest force of least norm: contacts do not press so hard  */
#define AT_LIMIT 1e-10 /* of all forces: nearer to a limit is at it                             */
#define MOVES    1e-12 /* of the energies of its parts: forces that do not cancel each other    */

/* Forces P + null z, with what they must obey: b + B z >= 0. */
typedef struct choice {
    const sp_problem *p;
    const sp_reduced *w;
    int d, m;     /* unknowns, inequalities                                 */
    double size;  /* of the forces at hand                                  */
    double *null; /* unknowns of w x d, of unit length and at right angles  */
    double *B, *b, *x;
    void *rest;
} choice;

size_t sp_share_bytes(int n_contact)
{
    const size_t rows = 2 * (size_t)n_contact;
    return (2 * rows * CHOICES + rows + CHOICES) * sizeof(double) +
           sp_least_point_bytes((int)rows, CHOICES);
}

/* Null vectors of length one and at right angles, so that z is as long as what it adds.  With the
 * columns [-V; I] of the factor and S S^T their products it is [-V; I] S^-T. */
static void find_null_space(choice *c)
{
    const sp_lu *lu = &c->w->lu;
    const int d = c->d;
    for (int i = 0; i < lu->n; i++) {
        double *row = c->null + (size_t)lu->pcol[i] * (size_t)d;
        for (int k = 0; k < d; k++) {
            double sum = i < lu->rank ? -lu->V[i * d + k] : i - lu->rank == k ? 1.0 : 0.0;
            for (int l = 0; l < k; l++) {
                sum -= lu->S[k * d + l] * row[l];
            }
            row[k] = sum / lu->S[k * d + k];
        }
    }
}

/* Column k of the null space as forces of all rows. */
static void spread(const choice *c, int k, double *P)
{
    memset(P, 0, (size_t)c->p->n * sizeof *P);
    for (int a = 0; a < c->w->m; a++) {
        const double x = c->w->d[a] * c->null[a * c->d + k];
        P[c->w->r[a]] += x;
        P[c->w->t[a]] += c->w->f[a] * x;
    }
}

/* Whether forces P, which leave the rows of the unknowns alone, move something.   theory (31.6) */
static bool moves(const sp_problem *p, const double *P)
{
    double all = 0.0, parts = 0.0;
    for (int r = 0; r < p->n; r++) {
        const double *G = p->G + (size_t)r * (size_t)p->ld;
        for (int j = 0; j < p->n && P[r] != 0.0; j++) {
            all += P[r] * G[j] * P[j];
        }
        parts += P[r] * P[r] * G[r];
    }
    return all > MOVES * parts;
}

/* offset + normal x_N + along x_T >= 0 of two unknowns, in units in which x_N is of order one. */
static void add(choice *c, int N, int T, double normal, double along, double offset,
                const double *y)
{
    const double *d = c->w->d;
    const double u_N = normal, u_T = along * d[T] / d[N];
    for (int k = 0; k < c->d; k++) {
        c->B[c->m * c->d + k] = u_N * c->null[N * c->d + k] + u_T * c->null[T * c->d + k];
    }
    c->b[c->m++] = (offset / d[N] + u_N * y[N] + u_T * y[T]) / c->size;
}

/* What contact i has to obey in that status. */
static void add_contact(choice *c, int i, unsigned char status, const double *y)
{
    const sp_set *set = &c->p->set[i];
    const int N = c->w->at_N[i], T = c->w->at_T[i];
    if (N < 0 || sp_states_free(set)) {
        return;
    }
    if (set->kind == SP_SET_INTERVAL) {
        if (set->lo > -INFINITY) {
            add(c, N, N, 1.0, 0.0, -set->lo, y);
        }
        if (set->hi < INFINITY) {
            add(c, N, N, -1.0, 0.0, set->hi, y);
        }
    } else if (set->kind == SP_SET_PLANAR && status == SP_STICK && T != N) {
        add(c, N, T, set->mu, -1.0, 0.0, y);
        add(c, N, T, set->mu, 1.0, 0.0, y);
    } else {
        add(c, N, N, 1.0, 0.0, 0.0, y);
    }
}

/* Scaled unknowns of P into y, and their size. */
static double read(const sp_reduced *w, const double *P, double *y)
{
    double size = 0.0;
    for (int a = 0; a < w->m; a++) {
        y[a] = P[w->r[a]] / w->d[a];
        size = fmax(size, fabs(y[a]));
    }
    return size;
}

static choice lay_out(const sp_problem *p, const sp_reduced *w, int d, void *work)
{
    choice c = {.p = p, .w = w, .d = d, .null = (double *)work};
    c.B = c.null + (size_t)w->m * (size_t)d;
    c.b = c.B + 2 * (size_t)p->n_contact * (size_t)d;
    c.x = c.b + 2 * (size_t)p->n_contact;
    c.rest = c.x + d;
    find_null_space(&c);
    return c;
}

/* Whether what obeys the laws is much larger than what the status needs: contacts that hold by
 * pressing each other.   theory (56.5) */
static bool is_far(int d, const double *x)
{
    double square = 0.0;
    for (int k = 0; k < d; k++) {
        square += x[k] * x[k];
    }
    return square > FAR * FAR;
}

bool sp_share(const sp_problem *p, const unsigned char *status, bool alike, sp_reduced *w,
              double *P, void *work)
{
    sp_reduced_unknowns(p, status, w);
    const int d = sp_reduced_careful(p, w, RANK, 0, P);
    if (d == 0 || d > CHOICES) {
        return false;
    }
    choice c = lay_out(p, w, d, work);
    bool any = false;
    double *y = w->b;
    for (int k = 0; k < d && !any; k++) {
        spread(&c, k, w->lu.LU); /* the factor has done its work; its memory is for n rows */
        any = moves(p, w->lu.LU);
    }
    c.size = read(w, P, y);
    if (!(any || alike) || !(c.size > 0.0)) {
        return false;
    }
    for (int i = 0; i < p->n_contact; i++) {
        add_contact(&c, i, status[i], y);
    }
    if (!sp_least_point(c.m, d, c.B, c.b, c.x, c.rest) || (!any && is_far(d, c.x))) {
        return false;
    }
    for (int a = 0; a < w->m; a++) {
        for (int k = 0; k < d; k++) {
            const double x = w->d[a] * c.size * c.null[a * d + k] * c.x[k];
            P[w->r[a]] += x;
            P[w->t[a]] += w->f[a] * x;
        }
    }
    return true;
}

/* What contact i is called whose forces P are at their limits, else now. */
static unsigned char limit_of(const sp_set *set, unsigned char now, const double *P, double near)
{
    if (sp_states_free(set)) {
        return now;
    }
    if (now != SP_STICK) {
        return set->kind != SP_SET_INTERVAL && P[0] <= near ? SP_OPEN : now;
    }
    if (set->kind == SP_SET_INTERVAL) {
        return P[0] <= set->lo + near ? SP_SLIP_POS : P[0] >= set->hi - near ? SP_SLIP_NEG : now;
    }
    if (P[0] <= near) {
        return SP_OPEN;
    }
    const double left = set->kind == SP_SET_PLANAR ? set->mu * P[0] - fabs(P[1]) : INFINITY;
    return left > near ? now : P[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
}

void sp_share_limits(const sp_problem *p, const double *P, unsigned char *status)
{
    double size = 0.0; /* sum of all G_rr P_r^2, by which forces of any unit compare */
    for (int r = 0; r < p->n; r++) {
        size += fabs(p->G[(size_t)r * (size_t)(p->ld + 1)]) * P[r] * P[r];
    }
    for (int i = 0; i < p->n_contact; i++) {
        const int k = p->row[i];
        const double G = fabs(p->G[(size_t)k * (size_t)(p->ld + 1)]);
        const double near = G > 0.0 ? AT_LIMIT * sqrt(size / G) : 0.0;
        status[i] = limit_of(&p->set[i], status[i], P + k, near);
    }
}
