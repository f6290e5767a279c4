/* contact/multiplier_states.c - what contacts do, and what they should do.   theory (76.2)
 */
#include "base/worse.h"
#include "contact/multiplier_parts.h"

#include <string.h>

typedef sp_multiplier_block block;

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The row holds: dP = -rho (xi + W^T dx). */
static void hold(const sp_multiplier *s, int r, int i, block *b)
{
    const double rho = SP_MULTIPLIER_WEIGHT / s->g[r + i];
    b->C[i][i] = rho;
    b->e[i] = -rho * s->xi[r + i];
}

/* Friction at its limit: P_T + dP_T = -mu s (P_N + dP_N).   theory (76.2) */
static void slide(const sp_set *set, const double *P, block *b)
{
    b->e[1] = -set->mu * (P[0] + b->e[0]) * b->along - P[1];
    b->C[1][0] = -set->mu * b->along * b->C[0][0];
}

/* What contact a does in its state.   theory (76.2) */
void sp_multiplier_fill(const sp_con *con, int a, const sp_solution *x, sp_multiplier *s)
{
    const sp_set *set = &con->set[a];
    const int r = con->row[a];
    const unsigned char state = x->status[a];
    block *b = &s->block[a];
    b->n = con->row[a + 1] - r;
    memset(b->C, 0, sizeof b->C);
    memset(b->e, 0, sizeof b->e);
    if ((state == SP_OPEN || set->kind == SP_SET_INTERVAL) && !sp_multiplier_free(set) &&
        !(set->kind == SP_SET_INTERVAL && state == SP_STICK)) {
        b->n = 0;
        return;
    }
    hold(s, r, 0, b);
    if (set->kind == SP_SET_PLANAR && state == SP_STICK) {
        hold(s, r, 1, b);
    } else if (set->kind == SP_SET_PLANAR) {
        slide(set, x->P + r, b);
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

/* What a contact without history does: it slides, or is closed, if it approaches. */
void sp_multiplier_begin(const sp_con *con, const double *c, sp_solution *x)
{
    for (int a = 0; a < con->n_active; a++) {
        const sp_set *set = &con->set[a];
        const int r = con->row[a];
        unsigned char *state = &x->status[a];
        if (*state > SP_SLIP_NEG) {
            *state = c[r] < 0.0 ? SP_STICK : SP_OPEN;
        }
        if (sp_multiplier_free(set) || (set->kind == SP_SET_HALF_LINE && *state != SP_OPEN) ||
            (set->kind == SP_SET_INTERVAL &&
             (*state == SP_OPEN || (*state == SP_SLIP_POS && set->lo == -INFINITY) ||
              (*state == SP_SLIP_NEG && set->hi == INFINITY)))) {
            *state = SP_STICK;
        }
        if (set->kind == SP_SET_PLANAR && set->mu == 0.0 && *state == SP_STICK) {
            *state = SP_SLIP_POS;
        }
    }
}

/* P that a state knows; what it does not begins at zero, so that of many solutions the smallest is
 * found.   theory (76.4) */
void sp_multiplier_impose(const sp_con *con, sp_multiplier *s, sp_solution *x)
{
    for (int a = 0; a < con->n_active; a++) {
        const sp_set *set = &con->set[a];
        const int r = con->row[a];
        const unsigned char state = x->status[a];
        memset(x->P + r, 0, (size_t)(con->row[a + 1] - r) * sizeof *x->P);
        if (set->kind == SP_SET_INTERVAL && state != SP_STICK) {
            x->P[r] = state == SP_SLIP_NEG ? set->hi : set->lo;
        }
        if (set->kind == SP_SET_PLANAR) {
            s->block[a].along = state == SP_SLIP_NEG ? -1.0 : 1.0;
        }
    }
}

/* By how much a contact breaks its law, over its scale, and the state that it should have. */
typedef struct change {
    double wrong;
    unsigned char to;
} change;

static change look_at_interval(const sp_multiplier *s, const sp_set *set, int r, double P,
                               unsigned char state)
{
    if (sp_multiplier_free(set) || set->lo == set->hi) {
        return (change){0.0, state};
    }
    if (state == SP_STICK) {
        const double g = s->g[r] / s->scale[r];
        return P < set->lo ? (change){(set->lo - P) * g, SP_SLIP_POS}
                           : (change){(P - set->hi) * g, SP_SLIP_NEG};
    }
    return (change){(state == SP_SLIP_NEG ? s->xi[r] : -s->xi[r]) / s->scale[r], SP_STICK};
}

/* The state of the point of a set of planar friction that is nearest to a force.   theory (76.2) */
static unsigned char nearest(const sp_set *set, double P_N, double P_T)
{
    const double most = set->mu * P_N;
    return P_T > most ? SP_SLIP_NEG : P_T < -most ? SP_SLIP_POS : SP_STICK;
}

static change look_at_friction(const sp_multiplier *s, const sp_con *con, int a,
                               const sp_solution *x)
{
    const sp_set *set = &con->set[a];
    const int r = con->row[a];
    const double *P = x->P + r, xi = s->xi[r + 1];
    const unsigned char state = x->status[a];
    if (set->mu == 0.0) {
        return (change){0.0, state};
    }
    const double scale = s->scale[r + 1];
    if (state == SP_STICK) {
        return (change){(fabs(P[1]) - set->mu * P[0]) * s->g[r + 1] / scale,
                        P[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS};
    }
    return (change){-xi * s->block[a].along / scale, nearest(set, P[0], P[1] - xi / s->g[r + 1])};
}

static change look_at(const sp_multiplier *s, const sp_con *con, int a, const sp_solution *x)
{
    const sp_set *set = &con->set[a];
    const int r = con->row[a];
    const unsigned char state = x->status[a];
    if (set->kind == SP_SET_FREE) {
        return (change){0.0, state};
    }
    if (set->kind == SP_SET_INTERVAL) {
        return look_at_interval(s, set, r, x->P[r], state);
    }
    if (state == SP_OPEN) {
        const bool planar = set->kind == SP_SET_PLANAR;
        return (change){-s->xi[r] / s->scale[r],
                        planar ? nearest(set, -s->xi[r] / s->g[r], -s->xi[r + 1] / s->g[r + 1])
                               : SP_STICK};
    }
    const change pulls = {-x->P[r] * s->g[r] / s->scale[r], SP_OPEN};
    if (pulls.wrong > SP_MULTIPLIER_WRONG || set->kind != SP_SET_PLANAR) {
        return pulls;
    }
    return look_at_friction(s, con, a, x);
}

/* The largest part by which a law is broken. */
double sp_multiplier_violation(const sp_con *con, const sp_multiplier *s, const sp_solution *x)
{
    double worst = 0.0;
    for (int a = 0; a < con->n_active; a++) {
        worst = sp_worse(worst, look_at(s, con, a, x).wrong);
    }
    return worst;
}

int sp_multiplier_change(const sp_con *con, sp_multiplier *s, sp_solution *x)
{
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        const change to = look_at(s, con, a, x);
        s->block[a].to = to.wrong > SP_MULTIPLIER_WRONG ? to.to : x->status[a];
    }
    for (int a = 0; a < con->n_active; a++) {
        if (s->block[a].to != x->status[a]) {
            x->status[a] = s->block[a].to;
            n++;
        }
    }
    return n;
}

void sp_multiplier_name(const sp_con *con, const sp_multiplier *s, sp_solution *x)
{
    for (int a = 0; a < con->n_active; a++) {
        const sp_set *set = &con->set[a];
        if (set->kind == SP_SET_PLANAR && set->mu == 0.0 && x->status[a] != SP_OPEN) {
            x->status[a] = s->xi[con->row[a] + 1] < 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
        }
    }
}
