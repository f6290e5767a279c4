/* integrators/event_shared.c - forces of closed contacts whose rows depend on each other.
 *
 * Whether a state can last depends on the choice: it lasts as long as one of all possible forces
 * obeys the laws.   theory (13.6)  Accelerations do not, but for friction that slides (31.6): the
 * forces are the smallest that obey the laws.   (56.1) */
#include "integrators/event_parts.h"
#include "math/least_point.h"
#include "math/slack.h"

#include <math.h>
#include <string.h>

enum { CUTS = 24 };         /* of each round limit of friction in space by planes */
#define CUT_ENOUGH SP_TINY  /* of the forces: a limit that is passed by less is met */
#define CLEARLY    SP_SMALL /* of the forces: those at hand are admissible by so much, and stay */
#define MOVES      SP_TINY  /* of the energies of its parts: forces that do not cancel each other */
#define NO_SHARE   SP_AT_REST /* of a unit force: parts of the null space below are round-off */
#define OBEYED     SP_NOISE   /* of the forces: laws that are broken by less are obeyed */
#define SLIPS      SP_AT_REST /* of the accelerations: rows with more are not at rest       */

int sp_event_share_most(const sp_model *m, int n_row)
{
    return m->dim == 3 ? (2 + CUTS) * n_row : 2 * n_row;
}

size_t sp_event_share_work(const sp_model *m, int n_row)
{
    const int most = sp_event_share_most(m, n_row);
    const size_t nearest = sp_least_point_bytes(most, n_row) / sizeof(double) + 1 +
                           (size_t)(most + 1) * (size_t)n_row + (size_t)most;
    const size_t slack = sp_slack_work(most, n_row);
    return slack > nearest ? slack : nearest;
}

/* The null space of the rows with an equation as forces of all rows: null[r * d + k]. */
static void find_null_space(const sp_events *e, int d)
{
    const sp_smooth *s = e->s;
    const sp_con *con = &s->w->con;
    const sp_lu *lu = &s->lu;
    memset(e->shared.null, 0, (size_t)con->n_row * (size_t)d * sizeof(double));
    for (int i = 0; i < lu->n; i++) {
        const int at = lu->pcol[i], r = s->lu_row[at], a = s->lu_contact[at];
        const int n_drag = a < s->closed.n && r == con->row[a] ? con->row[a + 1] - r - 1 : 0;
        for (int k = 0; k < d; k++) {
            const double part = i < lu->rank ? -lu->V[i * d + k] : i - lu->rank == k ? 1.0 : 0.0;
            e->shared.null[(size_t)r * (size_t)d + (size_t)k] = part * s->lu_scale[at];
            for (int j = 0; j < n_drag; j++) {
                if (s->drag[a][j] != 0.0) {
                    e->shared.null[(size_t)(r + 1 + j) * (size_t)d + (size_t)k] =
                        s->drag[a][j] * part * s->lu_scale[at];
                }
            }
        }
    }
}

/* One inequality  offset + normal P[r] + along P[r + 1] >= 0  of a contact, scaled; false if the
 * choice of forces does not touch it. */
static bool add_inequality(sp_events *e, int m, int d, int r, double normal, double along,
                           double offset, double scale)
{
    const double *P = e->s->w->sol.P, *N = e->shared.null + (size_t)r * (size_t)d;
    double *B = e->shared.B + (size_t)m * (size_t)d;
    bool touched = false;
    for (int k = 0; k < d; k++) {
        B[k] = (normal * N[k] + (along != 0.0 ? along * N[d + k] : 0.0)) * scale;
        touched = touched || fabs(B[k]) > NO_SHARE;
    }
    e->shared.b[m] = (offset + normal * P[r] + (along != 0.0 ? along * P[r + 1] : 0.0)) * scale;
    return touched;
}

/* Whether part k of the choice of forces touches contact a. */
static bool touches_by(const sp_events *e, int a, int d, int k, double scale)
{
    const sp_con *con = &e->s->w->con;
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        if (fabs(e->shared.null[(size_t)r * (size_t)d + (size_t)k]) * scale > NO_SHARE) {
            return true;
        }
    }
    return false;
}

/* Whether the choice of forces touches contact a. */
static bool touches(const sp_events *e, int a, int d, double scale)
{
    for (int k = 0; k < d; k++) {
        if (touches_by(e, a, d, k, scale)) {
            return true;
        }
    }
    return false;
}

/* One inequality  mu (P_N + pull) - out.P >= 0  of group g of contact a in space; mu = 1 and no
 * group: the normal force alone. */
static void add_plane(sp_events *e, int m, int d, int a, sp_group g, double mu, const double *out,
                      double scale)
{
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a];
    const double *P = e->s->w->sol.P + r;
    double *B = e->shared.B + (size_t)m * (size_t)d;
    e->shared.b[m] = mu * (P[0] + sp_slide_pull(&con->set[a]));
    for (int i = 0; i < g.n; i++) {
        e->shared.b[m] -= out[i] * P[g.first + i];
    }
    e->shared.b[m] *= scale;
    for (int k = 0; k < d; k++) {
        B[k] = mu * e->shared.null[(size_t)r * (size_t)d + (size_t)k];
        for (int i = 0; i < g.n; i++) {
            B[k] -= out[i] * e->shared.null[(size_t)(r + g.first + i) * (size_t)d + (size_t)k];
        }
        B[k] *= scale;
    }
}

/* Coefficient of the limit of group i. */
static double limit_of(const sp_set *set, int i)
{
    return i == 0 ? set->mu : set->mu_2;
}

/* The same as add_contact in space: the normal force, and two planes for every row of friction that
 * rests; more follow where limits are passed. */
static int add_in_space(sp_events *e, int a, int m, int d, double scale)
{
    const sp_con *con = &e->s->w->con;
    const sp_set *set = &con->set[a];
    const int sliding = sp_sliding(e->s->closed.status[a]);
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(set, g);
    e->shared.is[con->active[a]] = touches(e, a, d, scale);
    if (!e->shared.is[con->active[a]]) {
        return m;
    }
    add_plane(e, m++, d, a, (sp_group){0, 0}, 1.0, NULL, scale);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2 * g[i].n && !((sliding >> i) & 1); k++) {
            double P[SP_FRICTION_ROWS] = {0.0}, out[SP_FRICTION_ROWS];
            P[k / 2] = k % 2 ? -1.0 : 1.0;
            sp_slide_reserve(set, i, 1.0, P, out);
            add_plane(e, m++, d, a, g[i], limit_of(set, i), out, scale);
        }
    }
    return m;
}

/* Units of the inequalities of contact a. */
static double scale_of(const sp_events *e, int a)
{
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a];
    const double G = con->G[r * con->n_row + r];
    return sqrt(G > 0.0 ? G : 1.0);
}

/* The inequalities of closed contact a that the choice touches; how many there are then. */
static int add_contact(sp_events *e, int a, int m, int d)
{
    const sp_con *con = &e->s->w->con;
    const int r = con->row[a], before = m;
    const double scale = scale_of(e, a);
    const sp_set *set = &con->set[a];
    const bool sticks = e->s->closed.status[a] == SP_STICK;
    if (sp_event_in_space(e, con->active[a])) {
        return add_in_space(e, a, m, d, scale);
    }
    if (set->kind == SP_SET_INTERVAL && sticks) {
        m += add_inequality(e, m, d, r, 1.0, 0.0, -set->lo, scale);
        m += add_inequality(e, m, d, r, -1.0, 0.0, set->hi, scale);
    } else if (set->kind == SP_SET_PLANAR && sticks) {
        m += add_inequality(e, m, d, r, set->mu, -1.0, 0.0, scale);
        m += add_inequality(e, m, d, r, set->mu, 1.0, 0.0, scale);
    } else if (set->kind != SP_SET_INTERVAL) {
        m += add_inequality(e, m, d, r, 1.0, 0.0, 0.0, scale);
    }
    e->shared.is[con->active[a]] = m > before;
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
            gain += e->shared.B[(size_t)i * (size_t)d + (size_t)k] * e->shared.z[k];
        }
        if (e->shared.b[i] < 0.0 && gain > 0.0) {
            most = fmax(most, fmin(1.0, -e->shared.b[i] / gain));
        }
    }
    return most;
}

/* The forces of contact a with so much of the choice z. */
static void forces_at(const sp_events *e, int a, int d, double much, double P[SP_SET_DIM_MAX])
{
    const sp_con *con = &e->s->w->con;
    for (int r = con->row[a]; r < con->row[a + 1]; r++) {
        double *at = &P[r - con->row[a]];
        *at = e->s->w->sol.P[r];
        for (int k = 0; k < d; k++) {
            *at += much * e->shared.null[(size_t)r * (size_t)d + (size_t)k] * e->shared.z[k];
        }
    }
}

/* Groups of friction of contact a that have a round limit and rest, as bits. */
static int round_limits(const sp_events *e, int a, sp_group g[SP_GROUPS])
{
    const sp_con *con = &e->s->w->con;
    if (!sp_event_in_space(e, con->active[a]) || !e->shared.is[con->active[a]]) {
        return 0;
    }
    const int n = sp_slide_groups(&con->set[a], g);
    return ((1 << n) - 1) & ~sp_sliding(e->s->closed.status[a]);
}

/* What is left of the limit of group i of contact a by forces P; out: where it is passed. */
static double reserve(const sp_events *e, int a, int i, sp_group g, const double *P, double *out)
{
    const sp_set *set = &e->s->w->con.set[a];
    return sp_slide_reserve(set, i, P[0] + sp_slide_pull(set), P + g.first, out);
}

/* Where the best choice of forces so far passes a round limit of friction: a plane there; how many
 * inequalities there are then. */
static int cut(sp_events *e, int m, int d, double size)
{
    for (int a = 0; a < e->s->closed.n; a++) {
        sp_group g[SP_GROUPS];
        double P[SP_SET_DIM_MAX], out[SP_FRICTION_ROWS];
        const int limits = round_limits(e, a, g);
        const double scale = scale_of(e, a) / size;
        for (int i = 0; i < SP_GROUPS && limits >> i; i++) {
            forces_at(e, a, d, size, P);
            if ((limits >> i & 1) &&
                reserve(e, a, i, g[i], P, out) * scale < e->shared.margin - CUT_ENOUGH) {
                add_plane(e, m, d, a, g[i], limit_of(&e->s->w->con.set[a], i), out, scale);
                for (int k = 0; k < d; k++) { /* its unknowns are counted in the size of forces */
                    e->shared.B[(size_t)m * (size_t)d + (size_t)k] *= size;
                }
                m++;
            }
        }
    }
    return m;
}

/* How much of the choice is needed so that round limits are kept too, which planes do not say short
 * of z itself.  What is left of a limit is concave along the way: where the straight line from here
 * to z is zero, it is above.   theory (13.6) */
static double how_much_round(const sp_events *e, int d, double size, double part)
{
    double most = part;
    for (int a = 0; a < e->s->closed.n; a++) {
        sp_group g[SP_GROUPS];
        double P[SP_SET_DIM_MAX], Q[SP_SET_DIM_MAX];
        const int limits = round_limits(e, a, g);
        for (int i = 0; i < SP_GROUPS && limits >> i; i++) {
            forces_at(e, a, d, part * size, P);
            forces_at(e, a, d, size, Q);
            const double from = (limits >> i & 1) ? reserve(e, a, i, g[i], P, NULL) : 0.0,
                         to = from < 0.0 ? reserve(e, a, i, g[i], Q, NULL) : 0.0;
            if (from < 0.0) {
                most = fmax(most, to > 0.0 ? part + (1.0 - part) * from / (from - to) : 1.0);
            }
        }
    }
    return most;
}

/* The margin of the forces as they are, in the units of the inequalities. */
static double margin_at_hand(const sp_events *e, int m, double size)
{
    double least = INFINITY;
    for (int i = 0; i < m; i++) {
        least = fmin(least, e->shared.b[i]);
    }
    for (int a = 0; a < e->s->closed.n; a++) {
        sp_group g[SP_GROUPS];
        const int limits = round_limits(e, a, g);
        const double *P = e->s->w->sol.P + e->s->w->con.row[a];
        for (int i = 0; i < SP_GROUPS; i++) {
            if (limits >> i & 1) {
                least = fmin(least, reserve(e, a, i, g[i], P, NULL) * scale_of(e, a) / size);
            }
        }
    }
    return least;
}

/* A contact of a choice of forces that moves something, SP_NONE: they all cancel each other, as
 * those of dependent rows do unless friction slides on them.   theory (31.6) */
static int find_loose(const sp_events *e, int d)
{
    const sp_con *con = &e->s->w->con;
    for (int k = 0; k < d && con->G; k++) {
        double all = 0.0, parts = 0.0;
        for (int r = 0; r < con->n_row; r++) {
            const double N_r = e->shared.null[(size_t)r * (size_t)d + (size_t)k];
            for (int c = 0; c < con->n_row && N_r != 0.0; c++) {
                all += N_r * con->G[r * con->n_row + c] *
                       e->shared.null[(size_t)c * (size_t)d + (size_t)k];
            }
            parts += N_r * N_r * con->G[r * con->n_row + r];
        }
        for (int a = 0; a < e->s->closed.n && all > MOVES * parts; a++) {
            if (touches_by(e, a, d, k, scale_of(e, a))) {
                return con->active[a];
            }
        }
    }
    return SP_NONE;
}

double sp_event_stillness(const sp_events *e, int a)
{
    const sp_work *w = e->s->w;
    const int r = w->con.row[a] + 1;
    const double slips = sp_con_dot(&w->con, a, r, w->du) + w->sol.free[r];
    return e->s->accel_scale > 0.0 ? SLIPS - fabs(slips) / e->s->accel_scale : SLIPS;
}

sp_status sp_event_check_loose(sp_events *e, const sp_state *x, sp_error *err)
{
    if (e->s->closed.n == 0) {
        e->shared.loose = SP_NONE;
    } else {
        SP_TRY(sp_smooth_accelerate(e->s, x->t, x->q, x->u, x->z, err));
        sp_event_share(e);
    }
    sp_event_report_loose(e, x);
    return SP_OK;
}

void sp_event_report_loose(sp_events *e, const sp_state *x)
{
    if (e->shared.loose != SP_NONE && !e->shared.was_loose) {
        const sp_contact_state now = (sp_contact_state)x->contact[e->shared.loose].state;
        sp_event_report(e->s->w, x, SP_EVENT_CHOICE, e->shared.loose, now, now);
    }
    e->shared.was_loose = e->shared.loose != SP_NONE;
}

/* The null space, and all inequalities of the forces at hand, in units of their size; how many
 * there are, 0: there is no choice. */
static int lay_out(sp_events *e, int d, double *size)
{
    const sp_smooth *s = e->s;
    int m = 0;
    memset(e->shared.is, 0, (size_t)s->m->n_slot * sizeof *e->shared.is);
    if (d <= 0 || s->closed.n == 0) {
        return 0;
    }
    find_null_space(e, d);
    for (int a = 0; a < s->closed.n; a++) {
        m = add_contact(e, a, m, d);
    }
    *size = force_size(s);
    for (int i = 0; i < m; i++) {
        e->shared.b[i] /= *size;
    }
    return m;
}

/* How many inequalities there may be before the cuts of a round. */
static int room_for_cuts(const sp_smooth *s)
{
    return sp_event_share_most(s->m, s->w->con.n_row) - 2 * s->closed.n;
}

/* The largest margin that a choice z has: e->shared.margin.  Returns the number of inequalities. */
static int find_margin(sp_events *e, int m, int d, double size)
{
    e->shared.margin =
        sp_slack_most(m, d, e->shared.B, e->shared.b, 1.0, e->shared.z, e->shared.scratch);
    for (int round = 0; round < CUTS && e->s->m->dim == 3 && m < room_for_cuts(e->s); round++) {
        const int before = m;
        m = cut(e, m, d, size);
        if (m == before) {
            break;
        }
        e->shared.margin =
            sp_slack_most(m, d, e->shared.B, e->shared.b, 1.0, e->shared.z, e->shared.scratch);
    }
    return m;
}

/* e->shared.z that adds least to the forces at hand, in the norm that these are smallest in, and
 * leaves `least` of all limits; false: none does.  With z = S^-T x the length of x is that norm. */
static bool find_nearest(sp_events *e, int m, int d, double least)
{
    const double *S = e->s->lu.S;
    double *B = e->shared.scratch, *b = B + (size_t)m * (size_t)d, *x = b + m;
    for (int i = 0; i < m; i++) {
        const double *from = e->shared.B + (size_t)i * (size_t)d;
        double *to = B + (size_t)i * (size_t)d;
        for (int k = 0; k < d; k++) {
            double sum = from[k];
            for (int l = 0; l < k; l++) {
                sum -= S[k * d + l] * to[l];
            }
            to[k] = sum / S[k * d + k];
        }
        b[i] = e->shared.b[i] - least;
    }
    const bool found = sp_least_point(m, d, B, b, x, x + d);
    for (int k = d - 1; k >= 0; k--) {
        e->shared.z[k] = x[k];
        for (int l = k + 1; l < d; l++) {
            e->shared.z[k] -= S[l * d + k] * e->shared.z[l];
        }
        e->shared.z[k] /= S[k * d + k];
    }
    return found;
}

/* Forces P + part null z. */
static void add_choice(sp_events *e, int d, double part)
{
    for (int r = 0; r < e->s->w->con.n_row && part > 0.0; r++) {
        for (int k = 0; k < d; k++) {
            e->s->w->sol.P[r] +=
                part * e->shared.null[(size_t)r * (size_t)d + (size_t)k] * e->shared.z[k];
        }
    }
}

/* The smallest forces that obey the laws into w->sol.P; where none does, those that break them
 * least.  In the plane.   theory (56.1), (56.2) */
static void obey(sp_events *e, int m, int d, double size)
{
    bool found = find_nearest(e, m, d, 0.0);
    if (!found) {
        find_margin(e, m, d, size);
        found = find_nearest(e, m, d, fmin(0.0, e->shared.margin) - CUT_ENOUGH);
    }
    add_choice(e, d, found ? size : 0.0);
}

void sp_event_obey(void *ctx)
{
    sp_events *e = (sp_events *)ctx;
    const int d = e->s->w->con.n_active > 0 ? e->s->lu.n - e->s->lu.rank : 0;
    const double margin = e->shared.margin;
    double size = 1.0;
    const int m = e->s->m->dim == 2 ? lay_out(e, d, &size) : 0;
    if (m > 0 && margin_at_hand(e, m, size) < -OBEYED && find_loose(e, d) != SP_NONE) {
        obey(e, m, d, size);
    }
    e->shared.margin = margin;
}

void sp_event_share(void *ctx)
{
    sp_events *e = (sp_events *)ctx;
    const sp_smooth *s = e->s;
    const int d = s->w->con.n_active > 0 ? s->lu.n - s->lu.rank : 0;
    double size = 1.0;
    int m = lay_out(e, d, &size);
    e->shared.margin = 1.0;
    e->shared.loose = SP_NONE;
    if (m == 0) {
        return;
    }
    const double at_hand = margin_at_hand(e, m, size);
    e->shared.margin = fmin(1.0, at_hand);
    if (at_hand <= CLEARLY) { /* another choice may be better */
        m = find_margin(e, m, d, size);
    }
    e->shared.loose = e->shared.margin > CLEARLY ? find_loose(e, d) : SP_NONE;
    if (at_hand <= CLEARLY && s->m->dim == 3) {
        add_choice(e, d, how_much_round(e, d, size, how_much(e, m, d)) * size);
    } else if (at_hand < 0.0) {
        const double margin = e->shared.margin;
        obey(e, m, d, size);
        e->shared.margin = margin;
    }
}
