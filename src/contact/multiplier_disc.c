/* contact/multiplier_disc.c - contacts with friction discs: Newton's method on the natural map.
 * theory (76.9) */
#include "base/worse.h"
#include "contact/multiplier_cone.h"

#include <string.h>

enum {
    GUESS = 4,   /* steps from the last solution                                  */
    PATIENCE = 3 /* steps that do not bring the laws nearer, in a row             */
};
/* The laws hold as well as they can. */
#define EXACT 1e-13

typedef sp_multiplier_block block;

/* z = P - xi/G_rr of a contact, and how long its friction is. */
typedef struct point {
    double z[3], push;
} point;

static point point_of(const sp_con *con, int a, const sp_multiplier *s, const double *P)
{
    const int r = con->row[a], n = sp_multiplier_n(con, a);
    point p = {{0.0, 0.0, 0.0}, 0.0};
    for (int i = 0; i < n; i++) {
        p.z[i] = P[r + i] - s->xi[r + i] / s->g[r + i];
    }
    p.push = sqrt(p.z[1] * p.z[1] + p.z[2] * p.z[2]);
    return p;
}

/* The point of the set nearest to z, friction limited by the pressure of z; the piece it is on. */
static unsigned char nearest(const sp_set *set, const point *p, double *P)
{
    if (sp_multiplier_free(set)) {
        P[0] = p->z[0];
        return SP_STICK;
    }
    if (set->kind == SP_SET_INTERVAL) {
        P[0] = sp_clamp(p->z[0], set->lo, set->hi);
        return p->z[0] > set->hi ? SP_SLIP_NEG : p->z[0] < set->lo ? SP_SLIP_POS : SP_STICK;
    }
    const double limit = sp_multiplier_friction(set) ? set->mu * p->z[0] : 0.0;
    const bool open = !(p->z[0] > 0.0), slips = p->push > limit;
    const double part = open ? 0.0 : slips ? limit / p->push : 1.0;
    P[0] = open ? 0.0 : p->z[0];
    P[1] = part * p->z[1];
    P[2] = part * p->z[2];
    return open                                          ? SP_OPEN
           : !sp_multiplier_friction(set) || !slips      ? SP_STICK
           : set->kind == SP_SET_PLANAR && p->z[1] > 0.0 ? SP_SLIP_NEG
                                                         : SP_SLIP_POS;
}

double sp_multiplier_defect(const sp_con *con, const sp_multiplier *s, const sp_solution *x)
{
    double worst = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        const int r = con->row[a];
        const point p = point_of(con, a, s, x->P);
        double P[3];
        nearest(&con->set[a], &p, P);
        for (int i = 0; i < sp_multiplier_n(con, a); i++) {
            worst = sp_worse(worst, fabs(P[i] - x->P[r + i]) * s->g[r + i] / s->scale[r + i]);
        }
    }
    return worst;
}

/* Move z to the piece of a state, if it is on another one. */
static void obey(const sp_set *set, unsigned char state, const double *P, const double *xi,
                 point *p)
{
    double scrap[3];
    if (sp_multiplier_free(set) || nearest(set, p, scrap) == state) {
        return;
    }
    if (set->kind == SP_SET_INTERVAL) {
        p->z[0] = state == SP_SLIP_POS && set->lo > -INFINITY ? set->lo - 1.0
                  : state == SP_SLIP_NEG && set->hi < INFINITY
                      ? set->hi + 1.0
                      : sp_clamp(p->z[0], set->lo, set->hi);
        return;
    }
    const double far = 2.0 * set->mu + 1.0;
    const bool planar = set->kind == SP_SET_PLANAR;
    const double *along = P[1] != 0.0 || P[2] != 0.0 ? P + 1 : xi + 1;
    const double length = planar ? 0.0 : hypot(along[0], along[1]);
    const double sign = along == xi + 1 ? -1.0 : 1.0;
    p->z[0] = state == SP_OPEN ? -1.0 : 1.0;
    p->z[1] = p->z[2] = 0.0;
    if (state > SP_STICK) {
        p->z[1] = planar ? (state == SP_SLIP_POS ? -far : far)
                         : far * (length > 0.0 ? sign * along[0] / length : 1.0);
        p->z[2] = planar || !(length > 0.0) ? 0.0 : far * sign * along[1] / length;
    }
    p->push = sqrt(p->z[1] * p->z[1] + p->z[2] * p->z[2]);
}

/* The row holds. */
static void hold(const sp_multiplier *s, int r, int i, double weight, block *b)
{
    b->C[i][i] = weight / s->g[r + i];
    b->e[i] = -b->C[i][i] * s->xi[r + i];
}

/* Friction at its limit along z_T, and what turns it. */
static void slide(const sp_multiplier *s, const sp_set *set, int r, const point *p, double weight,
                  const double *P, block *b)
{
    const double d[2] = {p->z[1] / p->push, p->z[2] / p->push}, rho = 1.0 / s->g[r + 1];
    const double tau = set->mu * p->z[0] / p->push;
    const double turn = b->n == 3 ? rho * fmin(tau / (1.0 - tau), weight) : 0.0;
    for (int i = 1; i < b->n; i++) {
        b->e[i] = set->mu * (P[0] + b->e[0]) * d[i - 1] - P[i];
        b->C[i][0] = set->mu * d[i - 1] * b->C[0][0];
        for (int j = 1; j < b->n; j++) {
            b->C[i][j] = turn * ((i == j ? 1.0 : 0.0) - d[i - 1] * d[j - 1]);
            b->e[i] -= b->C[i][j] * s->xi[r + j];
        }
    }
}

/* The block of the piece that z is on, or of the state that is told. */
static void fill(const sp_con *con, int a, bool told, double weight, sp_multiplier *s,
                 sp_solution *x)
{
    const sp_set *set = &con->set[a];
    const int r = con->row[a];
    block *b = &s->block[a];
    point p = point_of(con, a, s, x->P);
    double P[3] = {0.0, 0.0, 0.0}, xi[3] = {0.0, 0.0, 0.0}, to[3];
    b->n = sp_multiplier_n(con, a);
    memcpy(P, x->P + r, (size_t)b->n * sizeof *P);
    memcpy(xi, s->xi + r, (size_t)b->n * sizeof *xi);
    memset(b->C, 0, sizeof b->C);
    memset(b->e, 0, sizeof b->e);
    if (told) {
        obey(set, x->status[a], P, xi, &p);
    }
    const unsigned char state = nearest(set, &p, to);
    x->status[a] = state;
    if (state == SP_OPEN || (set->kind == SP_SET_INTERVAL && state != SP_STICK)) {
        for (int i = 0; i < b->n; i++) {
            b->e[i] = to[i] - P[i];
        }
        return;
    }
    const bool slips = sp_multiplier_friction(set) && state != SP_STICK;
    for (int i = 0; i < (slips ? 1 : b->n); i++) {
        hold(s, r, i, weight, b);
    }
    if (slips) {
        slide(s, set, r, &p, weight, P, b);
    }
}

double sp_multiplier_newton(const sp_multiplier_ask *ask, const sp_con *con,
                            const sp_multiplier_plan *plan, sp_multiplier *s, sp_solution *x)
{
    double best = INFINITY;
    for (int k = 0, waited = 0;; k++) {
        sp_multiplier_velocities(ask, con, x->P, s);
        const double now = sp_multiplier_defect(con, s, x);
        waited = now < 0.9 * best ? 0 : waited + 1;
        best = fmin(best, now);
        if (now <= EXACT || (now <= 0.1 * SP_SOLVE_TOL && waited > 0) || k == plan->steps ||
            waited > PATIENCE || !(now < INFINITY)) {
            return now;
        }
        for (int a = 0; a < con->n_active; a++) {
            fill(con, a, plan->told && k == 0, plan->weight, s, x);
        }
        if (!sp_multiplier_factor_blocks(ask, con, s)) {
            return INFINITY;
        }
        sp_multiplier_step(con, s);
        for (int r = 0; r < con->n_row; r++) {
            x->P[r] += s->dP[r];
        }
        x->pivots++;
    }
}

bool sp_multiplier_discs(const sp_multiplier_ask *ask, const sp_con *con, sp_multiplier *s,
                         sp_solution *x)
{
    const size_t bytes = (size_t)con->n_row * sizeof *x->P;
    memcpy(s->P, x->P, bytes);
    const sp_multiplier_plan guess = {GUESS, true, SP_MULTIPLIER_WEIGHT};
    if (sp_multiplier_newton(ask, con, &guess, s, x) <= SP_SOLVE_TOL) {
        return true;
    }
    memcpy(x->P, s->P, bytes);
    return sp_multiplier_interior(ask, con, s, x);
}
