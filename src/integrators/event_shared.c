/* integrators/event_shared.c - forces of closed contacts whose rows depend on each other.
 *
 * The accelerations do not depend on the choice, but whether a state can last does: it lasts as
 * long as one of all possible forces obeys the laws.   theory (13.6) */
#include "integrators/event_parts.h"
#include "math/slack.h"

#include <math.h>
#include <string.h>

#define NO_SHARE 1e-9 /* of a unit force: parts of the null space below are round-off */

size_t sp_event_share_work(int n_row)
{
    return sp_slack_work(2 * n_row, n_row);
}

/* The null space of the rows with an equation as forces of all rows: null[r * d + k]. */
static void find_null_space(const sp_events *e, int d)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    const sp_lu *lu = &s->lu;
    memset(e->null, 0, (size_t)con->n_row * (size_t)d * sizeof(double));
    for (int i = 0; i < lu->n; i++) {
        const int at = lu->pcol[i], r = s->lu_row[at], a = s->lu_contact[at];
        const double drag = sp_smooth_drag(s, a);
        for (int k = 0; k < d; k++) {
            const double part = i < lu->rank ? -lu->V[i * d + k] : i - lu->rank == k ? 1.0 : 0.0;
            e->null[(size_t)r * (size_t)d + (size_t)k] = part * s->lu_scale[at];
            if (drag != 0.0) {
                e->null[(size_t)(r + 1) * (size_t)d + (size_t)k] = drag * part * s->lu_scale[at];
            }
        }
    }
}

/* One inequality  offset + normal P[r] + along P[r + 1] >= 0  of a contact, scaled; false if the
 * choice of forces does not touch it. */
static bool add_inequality(sp_events *e, int m, int d, int r, double normal, double along,
                           double offset, double scale)
{
    const double *P = e->s->w->sol.P, *N = e->null + (size_t)r * (size_t)d;
    double *B = e->B + (size_t)m * (size_t)d;
    bool touched = false;
    for (int k = 0; k < d; k++) {
        B[k] = (normal * N[k] + (along != 0.0 ? along * N[d + k] : 0.0)) * scale;
        touched = touched || fabs(B[k]) > NO_SHARE;
    }
    e->b[m] = (offset + normal * P[r] + (along != 0.0 ? along * P[r + 1] : 0.0)) * scale;
    return touched;
}

/* The inequalities of closed contact a that the choice touches; how many there are then. */
static int add_contact(sp_events *e, int a, int m, int d)
{
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a], before = m;
    const double G = con->G[r * con->n_row + r], scale = sqrt(G > 0.0 ? G : 1.0);
    const sp_set *set = &con->set[a];
    const bool sticks = e->s->closed.status[a] == SP_STICK;
    if (set->kind == SP_SET_INTERVAL && sticks) {
        m += add_inequality(e, m, d, r, 1.0, 0.0, -set->lo, scale);
        m += add_inequality(e, m, d, r, -1.0, 0.0, set->hi, scale);
    } else if (set->kind == SP_SET_PLANAR && sticks) {
        m += add_inequality(e, m, d, r, set->mu, -1.0, 0.0, scale);
        m += add_inequality(e, m, d, r, set->mu, 1.0, 0.0, scale);
    } else if (set->kind != SP_SET_INTERVAL) {
        m += add_inequality(e, m, d, r, 1.0, 0.0, 0.0, scale);
    }
    e->shared[con->active[a]] = m > before;
    return m;
}

/* The size of the forces at hand, in the scaled units of the inequalities. */
static double force_size(const sp_smooth *s)
{
    double size = 0.0;
    for (int i = 0; i < s->lu.n; i++) {
        size = fmax(size, fabs(s->lu_b[i]));
    }
    return size > 0.0 ? size : 1.0;
}

/* As little as is needed of the choice z: it makes admissible what can be. */
static double how_much(const sp_events *e, int m, int d)
{
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        double gain = 0.0;
        for (int k = 0; k < d; k++) {
            gain += e->B[(size_t)i * (size_t)d + (size_t)k] * e->z[k];
        }
        if (e->b[i] < 0.0 && gain > 0.0) {
            most = fmax(most, fmin(1.0, -e->b[i] / gain));
        }
    }
    return most;
}

void sp_event_share(sp_events *e)
{
    sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    const int d = con->n_active > 0 ? s->lu.n - s->lu.rank : 0;
    int m = 0;
    e->margin = 1.0;
    memset(e->shared, 0, (size_t)s->m->n_slot * sizeof *e->shared);
    if (d <= 0 || s->closed.n == 0) {
        return;
    }
    find_null_space(e, d);
    for (int a = 0; a < s->closed.n; a++) {
        m = add_contact(e, a, m, d);
    }
    if (m == 0) {
        return;
    }
    const double size = force_size(s);
    for (int i = 0; i < m; i++) {
        e->b[i] /= size;
    }
    e->margin = sp_slack_most(m, d, e->B, e->b, 1.0, e->z, e->scratch);
    const double part = how_much(e, m, d) * size;
    for (int r = 0; r < con->n_row && part > 0.0; r++) {
        for (int k = 0; k < d; k++) {
            s->w->sol.P[r] += part * e->null[(size_t)r * (size_t)d + (size_t)k] * e->z[k];
        }
    }
}
