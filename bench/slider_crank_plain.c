/* slider_crank_plain.c - the slider-crank with clearance as one hand-written loop.
 *
 * Coordinates q = (th1, th2, th3): absolute angles of crank, rod and slider; u = q'.
 *
 *     M = | m11            m12 cos(th1-th2)  0  |   h = | -m12 sin(th1-th2) u2^2 - k1 cos th1 |
 *         | m12 cos(..)    m22               0  |       |  m12 sin(th1-th2) u1^2 - k2 cos th2 |
 *         | 0              0                 J3 |       |  0                                  |
 *
 *   m11 = J1 + (m1/4 + m2 + m3) l1^2    m22 = J2 + (m2/4 + m3) l2^2    m12 = (m2/2 + m3) l1 l2
 *   k1 = (m1/2 + m2 + m3) g l1          k2 = (m2/2 + m3) g l2
 *
 * Corners i = 1 upper left, 2 upper right (upper guide, sigma = +1), 3 lower left, 4 lower right
 * (lower guide, sigma = -1).  With y = l1 sin th1 + l2 sin th2, n = (l1 cos th1, l2 cos th2),
 * t = (l1 sin th1, l2 sin th2), [FLG10] eqs (98)-(113) read
 *
 *     g_N = b + c - b cos th3 - sigma y + kappa a sin th3        kappa = (+1, -1, -1, +1)
 *     w_N = (-sigma n, r),   r   = kappa a cos th3 + b sin th3
 *     w_T = (-t, tau),       tau = sigma (kappa a sin th3 - b cos th3)
 *
 * so all entries of G = W^T M^-1 W follow from three numbers (M2 is the upper block of M):
 *
 *     n.M2^-1 n,   n.M2^-1 t,   t.M2^-1 t
 *
 * One step from (q_A, u_A), Moreau's midpoint scheme, [FLG10] section 4:
 *   1. q_M = q_A + dt/2 u_A.
 *   2. M, h, W, g_N at q_M, with h taken at u_A.  Active corners:
 *          I = { i : g_Ni <= 1e-11 m, or g_Ni <= lift_i, or corner i closed and g_Ni <= reach_i }.
 *   3. For the corners in I find P_N, P_T with
 *          xi_N = gamma_NE + eps_N gamma_NA,   0 <= xi_N  perp  P_N >= 0,
 *          -gamma_TE in N_[-mu P_N, mu P_N](P_T)   (eps_T = 0),
 *          u_E = u_A + M^-1 (h dt + W P),   gamma_A = W^T u_A,   gamma_E = W^T u_E.
 *   4. q_E = q_M + dt/2 u_E.
 *   5. Position correction, velocities untouched.  At most 8 times: if all four gaps at q are
 *      >= -1e-10 m, stop; else, with W_N, g_N at q, M of step 2 and I all corners with a gap of at
 *      most ten times the deepest penetration (lifting one corner turns the slider and may push in
 *      another),
 *          q <- q + M^-1 W_N z,     0 <= G_NN z + g_N  perp  z >= 0     (corners in I).
 *   6. Memory of the corners.  lift_i is how far step 5 lifted a corner out of penetration; it is
 *      forgotten when the corner is not active.  With f = 2/(1 - eps_N^2) and w_bar = g_N'' for u'
 * = 0, v_rest = f (|w_N.M^-1 h| + |w_bar|) dt,   reach = f/2 v_rest dt     (active corners). A
 * corner that gets P_N > 0, had none in the step before and came with gamma_NA < -v_rest is hit;
 * with it all loaded corners are.  A loaded corner is closed, unless it is hit and leaves with
 * gamma_NE > v_rest.  A corner without P_N opens when its gap at q_E exceeds its reach.
 *
 * Sines and cosines are computed once per step, at q_M; those at q_E and after a correction follow
 * from the small differences of the angles by the addition theorem (exact to rounding). */
#include "slider_crank_plain.h"

#include <math.h>
#include <stdbool.h>

#define G_TOL     1e-11    /* a corner is active below this gap [m]               */
#define G_CORRECT (-1e-10) /* deeper penetration at the end of a step is corrected [m] */
#define N_CORRECT 8
#define MARGIN    10.0  /* corners within this many times the deepest penetration are corrected */
#define V_TOL     1e-10 /* fallback: a violation below this is rounding, at speeds of 10 m/s [m/s] */
#define DELTA_MAX 0.01  /* addition theorem: truncation below 2e-18 up to here [rad]       */

static const double m11 = SC_J1 + (SC_M1 / 4 + SC_M2 + SC_M3) * SC_L1 * SC_L1;
static const double m22 = SC_J2 + (SC_M2 / 4 + SC_M3) * SC_L2 * SC_L2;
static const double m12 = (SC_M2 / 2 + SC_M3) * SC_L1 * SC_L2;
static const double k1 = (SC_M1 / 2 + SC_M2 + SC_M3) * SC_G * SC_L1;
static const double k2 = (SC_M2 / 2 + SC_M3) * SC_G * SC_L2;
static const double J3_inv = 1.0 / SC_J3;

static const double sigma[4] = {1.0, 1.0, -1.0, -1.0};
static const double kappa[4] = {1.0, -1.0, -1.0, 1.0};

typedef struct trig {
    double s[3], c[3]; /* sines and cosines of the three angles */
} trig;

/* M2^-1 and the contact directions at one configuration. */
typedef struct frame {
    double i11, i12, i22; /* M2^-1                                */
    double n[2], t[2];    /* upper parts of -w_N sigma and of -w_T */
    double Mn[2], Mt[2];  /* M2^-1 n, M2^-1 t                     */
    double nn, nt, tt;    /* n.M2^-1 n, n.M2^-1 t, t.M2^-1 t      */
} frame;

/* One active corner. */
typedef struct corner {
    int i; /* which of the four */
    double sigma, r, tau;
    double c_N, c_T; /* xi_N and gamma_TE for P = 0 */
    double side;     /* sign of gamma_TA: the guess */
    double P_N, P_T;
} corner;

typedef enum { OPEN, SLIP_PLUS, SLIP_MINUS, STICK } status; /* SLIP_PLUS: gamma_T >= 0 */

/* Sines and cosines from scratch. */
static void trig_set(const double q[3], trig *k)
{
    for (int j = 0; j < 3; j++) {
        k->s[j] = sin(q[j]);
        k->c[j] = cos(q[j]);
    }
}

/* The sines and cosines of q = (angles of k) + d. */
static void trig_turn(const double q[3], const double d[3], trig *k)
{
    for (int j = 0; j < 3; j++) {
        const double x = d[j] * d[j];
        if (x > DELTA_MAX * DELTA_MAX) {
            trig_set(q, k);
            return;
        }
    }
    for (int j = 0; j < 3; j++) {
        const double x = d[j] * d[j], s = k->s[j], c = k->c[j];
        const double sin_d = d[j] - d[j] * x * (1.0 / 6 - x * (1.0 / 120));
        const double ver_d = x * (0.5 - x * (1.0 / 24 - x * (1.0 / 720))); /* 1 - cos d */
        k->s[j] = s + (c * sin_d - s * ver_d);
        k->c[j] = c - (s * sin_d + c * ver_d);
    }
}

/* Gaps of the four corners; returns the smallest. */
static double gaps(const trig *k, double g_N[4])
{
    const double y = SC_L1 * k->s[0] + SC_L2 * k->s[1];
    const double play = SC_B + SC_C - SC_B * k->c[2], lean = SC_A * k->s[2];
    g_N[0] = play - y + lean;
    g_N[1] = play - y - lean;
    g_N[2] = play + y - lean;
    g_N[3] = play + y + lean;
    const double upper = g_N[0] < g_N[1] ? g_N[0] : g_N[1];
    const double lower = g_N[2] < g_N[3] ? g_N[2] : g_N[3];
    return upper < lower ? upper : lower;
}

/* M2^-1 alone, all that a step without contact needs. */
static void frame_mass(const trig *k, frame *f)
{
    const double m = m12 * (k->c[0] * k->c[1] + k->s[0] * k->s[1]);
    const double inv_det = 1.0 / (m11 * m22 - m * m);
    f->i11 = m22 * inv_det;
    f->i12 = -m * inv_det;
    f->i22 = m11 * inv_det;
}

/* n and what the normal directions need. */
static void frame_normal(const trig *k, frame *f)
{
    f->n[0] = SC_L1 * k->c[0];
    f->n[1] = SC_L2 * k->c[1];
    f->Mn[0] = f->i11 * f->n[0] + f->i12 * f->n[1];
    f->Mn[1] = f->i12 * f->n[0] + f->i22 * f->n[1];
    f->nn = f->n[0] * f->Mn[0] + f->n[1] * f->Mn[1];
}

/* t and what the tangential directions need. */
static void frame_tangent(const trig *k, frame *f)
{
    f->t[0] = SC_L1 * k->s[0];
    f->t[1] = SC_L2 * k->s[1];
    f->Mt[0] = f->i11 * f->t[0] + f->i12 * f->t[1];
    f->Mt[1] = f->i12 * f->t[0] + f->i22 * f->t[1];
    f->nt = f->n[0] * f->Mt[0] + f->n[1] * f->Mt[1];
    f->tt = f->t[0] * f->Mt[0] + f->t[1] * f->Mt[1];
}

static double G_NN(const frame *f, const corner *a, const corner *b)
{
    return a->sigma * b->sigma * f->nn + a->r * b->r * J3_inv;
}

static double G_NT(const frame *f, const corner *a, const corner *b)
{
    return a->sigma * f->nt + a->r * b->tau * J3_inv;
}

static double G_TT(const frame *f, const corner *a, const corner *b)
{
    return f->tt + a->tau * b->tau * J3_inv;
}

/* Normal column of G for a corner that slips to the given side: P_T = -side mu P_N. */
static double G_slip(const frame *f, const corner *a, const corner *b)
{
    return G_NN(f, a, b) - b->side * SC_MU * G_NT(f, a, b);
}

/* xi_N and gamma_TE of corner i for the percussions at hand. */
static void after(const frame *f, int n, const corner *c, int i, double *xi_N, double *gamma_T)
{
    *xi_N = c[i].c_N;
    *gamma_T = c[i].c_T;
    for (int j = 0; j < n; j++) {
        *xi_N += G_NN(f, &c[i], &c[j]) * c[j].P_N + G_NT(f, &c[i], &c[j]) * c[j].P_T;
        *gamma_T += G_NT(f, &c[j], &c[i]) * c[j].P_N + G_TT(f, &c[i], &c[j]) * c[j].P_T;
    }
}

/* First guess: every corner keeps slipping to the side it slipped to.  Closed form for one or two
 * corners; false when the signs then contradict the guess. */
static bool solve_guess(const frame *f, int n, corner *c)
{
    if (n == 1) {
        c[0].P_N = c[0].c_N < 0.0 ? -c[0].c_N / G_slip(f, &c[0], &c[0]) : 0.0;
    } else if (n == 2) {
        const double a = G_slip(f, &c[0], &c[0]), b = G_slip(f, &c[0], &c[1]);
        const double d = G_slip(f, &c[1], &c[0]), e = G_slip(f, &c[1], &c[1]);
        const double inv_det = 1.0 / (a * e - b * d);
        c[0].P_N = (b * c[1].c_N - e * c[0].c_N) * inv_det;
        c[1].P_N = (d * c[0].c_N - a * c[1].c_N) * inv_det;
        if (c[0].c_N >= 0.0 && c[1].c_N >= 0.0) { /* both separate by themselves */
            c[0].P_N = c[1].P_N = 0.0;
        } else if (c[1].P_N < 0.0) { /* corner 0 alone */
            c[0].P_N = -c[0].c_N / a;
            c[1].P_N = 0.0;
        } else if (c[0].P_N < 0.0) { /* corner 1 alone */
            c[0].P_N = 0.0;
            c[1].P_N = -c[1].c_N / e;
        }
    } else {
        return false;
    }
    for (int i = 0; i < n; i++) {
        c[i].P_T = -c[i].side * SC_MU * c[i].P_N;
    }
    for (int i = 0; i < n; i++) {
        double xi_N, gamma_T;
        after(f, n, c, i, &xi_N, &gamma_T);
        const bool closed = c[i].P_N > 0.0 && c[i].side * gamma_T >= 0.0;
        if (!closed && !(c[i].P_N == 0.0 && xi_N >= 0.0)) {
            return false;
        }
    }
    return true;
}

/* Gaussian elimination with pivoting, x overwrites b; false if A (n <= 3) is singular. */
static bool solve_dense(int n, double A[3][3], double b[3])
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
        }
        if (!(fabs(A[p][k]) > 1e-12)) { /* entries of G are of order 1 to 1000 */
            return false;
        }
        for (int j = 0; j < n; j++) {
            const double swap = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
    return true;
}

/* Percussions for given statuses: xi_N = 0 where closed, gamma_TE = 0 where sticking.  Three
 * coordinates carry at most three independent conditions; false for more, or if dependent. */
static bool solve_status(const frame *f, int n, const status *st, corner *c)
{
    double A[3][3], b[3];
    int of[3], row = 0; /* of[k]: corner of condition k, + 4 for its tangential one */
    for (int i = 0; i < n; i++) {
        const int need = (st[i] != OPEN) + (st[i] == STICK);
        if (row + need > 3) {
            return false;
        }
        for (int k = 0; k < need; k++) {
            of[row++] = i + 4 * k;
        }
        c[i].side = st[i] == SLIP_PLUS ? 1.0 : st[i] == SLIP_MINUS ? -1.0 : 0.0;
    }
    for (int k = 0; k < row; k++) {
        const corner *p = &c[of[k] % 4];
        const bool tangential = of[k] >= 4;
        b[k] = tangential ? -p->c_T : -p->c_N;
        for (int j = 0; j < row; j++) {
            const corner *o = &c[of[j] % 4];
            if (of[j] >= 4) {
                A[k][j] = tangential ? G_TT(f, p, o) : G_NT(f, p, o);
            } else {
                A[k][j] =
                    tangential ? G_NT(f, o, p) - o->side * SC_MU * G_TT(f, p, o) : G_slip(f, p, o);
            }
        }
    }
    if (!solve_dense(row, A, b)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        c[i].P_N = c[i].P_T = 0.0;
    }
    for (int k = 0; k < row; k++) {
        *(of[k] >= 4 ? &c[of[k] - 4].P_T : &c[of[k]].P_N) = b[k];
    }
    for (int i = 0; i < n; i++) {
        c[i].P_T += -c[i].side * SC_MU * c[i].P_N;
    }
    return true;
}

/* Largest violation of the sign conditions, as a velocity [m/s]. */
static double violation(const frame *f, int n, const corner *c)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double xi_N, gamma_T;
        after(f, n, c, i, &xi_N, &gamma_T);
        const double cone = fabs(c[i].P_T) - SC_MU * c[i].P_N;
        const double v[4] = {-xi_N, -c[i].P_N * f->nn, cone * f->nn, -c[i].side * gamma_T};
        for (int k = 0; k < 4; k++) {
            worst = v[k] > worst ? v[k] : worst;
        }
    }
    return worst;
}

/* Fallback: try all 4^n combinations of statuses, keep the one that violates least. */
static bool solve_enumerate(const frame *f, int n, corner *c)
{
    double least = INFINITY, P_N[4] = {0}, P_T[4] = {0};
    for (int code = 0; code < 1 << 2 * n; code++) {
        status st[4];
        for (int i = 0; i < n; i++) {
            st[i] = (status)(code >> 2 * i & 3);
        }
        if (!solve_status(f, n, st, c)) {
            continue;
        }
        const double v = violation(f, n, c);
        if (v < least) {
            least = v;
            for (int i = 0; i < n; i++) {
                P_N[i] = c[i].P_N;
                P_T[i] = c[i].P_T;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        c[i].P_N = P_N[i];
        c[i].P_T = P_T[i];
    }
    return least <= V_TOL;
}

/* The corners of a choice with their directions. */
static int collect(const trig *k, const double g_N[4], const bool chosen[4], corner c[4])
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (chosen[i]) {
            c[n].i = i;
            c[n].sigma = sigma[i];
            c[n].r = kappa[i] * SC_A * k->c[2] + SC_B * k->s[2];
            c[n].tau = sigma[i] * (kappa[i] * SC_A * k->s[2] - SC_B * k->c[2]);
            c[n].c_N = g_N[i];
            n++;
        }
    }
    return n;
}

/* Active corners at the midpoint.   Step 2 above */
static bool choose(const double g_N[4], const plain_state *s, bool chosen[4])
{
    bool any = false;
    for (int i = 0; i < 4; i++) {
        const plain_corner *c = &s->corner[i];
        chosen[i] = g_N[i] <= G_TOL || g_N[i] <= c->lift || (c->closed && g_N[i] <= c->reach);
        any = any || chosen[i];
    }
    return any;
}

/* What an active corner remembers.   Step 6 above; gamma_NA and w_N.M^-1 h dt are given */
static void remember(const trig *k, int n, const corner *c, const double *gamma_NA,
                     const double *free, const double u_A[3], double dt, plain_state *s)
{
    static const double factor = 2.0 / (1.0 - SC_EPS_N * SC_EPS_N);
    double v_rest[4];
    bool hit = false;
    for (int a = 0; a < n; a++) {
        const double *u = u_A;
        const double lean = SC_B * k->c[2] - kappa[c[a].i] * SC_A * k->s[2];
        const double w_bar = lean * u[2] * u[2] + c[a].sigma * (SC_L1 * k->s[0] * u[0] * u[0] +
                                                                SC_L2 * k->s[1] * u[1] * u[1]);
        v_rest[a] = factor * (fabs(free[a]) + fabs(w_bar) * dt);
        hit = hit || (!s->corner[c[a].i].loaded && c[a].P_N > 0.0 && gamma_NA[a] < -v_rest[a]);
    }
    for (int a = 0; a < n; a++) {
        plain_corner *m = &s->corner[c[a].i];
        m->old_reach = m->reach;
        m->reach = 0.5 * factor * v_rest[a] * dt;
        m->loaded = c[a].P_N > 0.0;
        if (m->loaded) {
            m->closed = !hit || -SC_EPS_N * gamma_NA[a] <= v_rest[a];
        }
    }
}

/* Percussions of the active corners added to u, which enters as u_A + M^-1 h dt.   Step 3 above */
static void contact(const trig *k, frame *f, const double g_N[4], const bool active[4],
                    const double u_A[3], double dt, double u[3], plain_state *s)
{
    corner c[4];
    double gamma_NA[4], free[4];
    const int n = collect(k, g_N, active, c);
    frame_normal(k, f);
    frame_tangent(k, f);
    const double nu_A = f->n[0] * u_A[0] + f->n[1] * u_A[1];
    const double tu_A = f->t[0] * u_A[0] + f->t[1] * u_A[1];
    const double nu = f->n[0] * u[0] + f->n[1] * u[1], tu = f->t[0] * u[0] + f->t[1] * u[1];
    for (int i = 0; i < n; i++) {
        gamma_NA[i] = c[i].r * u_A[2] - c[i].sigma * nu_A;
        const double gamma_N = c[i].r * u[2] - c[i].sigma * nu;
        free[i] = gamma_N - gamma_NA[i];
        c[i].c_N = gamma_N + SC_EPS_N * gamma_NA[i];
        c[i].c_T = c[i].tau * u[2] - tu;
        c[i].side = c[i].tau * u_A[2] - tu_A >= 0.0 ? 1.0 : -1.0;
    }
    s->contact_steps++;
    if (!solve_guess(f, n, c)) {
        s->fallbacks++;
        s->failed += !solve_enumerate(f, n, c);
    }
    remember(k, n, c, gamma_NA, free, u_A, dt, s);
    double N = 0.0, T = 0.0, torque = 0.0;
    for (int i = 0; i < n; i++) {
        N += c[i].sigma * c[i].P_N;
        T += c[i].P_T;
        torque += c[i].r * c[i].P_N + c[i].tau * c[i].P_T;
    }
    u[0] -= f->Mn[0] * N + f->Mt[0] * T;
    u[1] -= f->Mn[1] * N + f->Mt[1] * T;
    u[2] += torque * J3_inv;
}

/* One mass-weighted projection of q onto the gaps in g_N.   Step 5 above.  With t and tau left out
 * the contact problem of step 3 is the linear complementarity problem of z, z taking P_N's place.
 */
static void project(const double g_N[4], double least, const frame *mass, double q[3], trig *k,
                    plain_state *s)
{
    frame f = *mass;
    corner c[4];
    bool near[4];
    for (int i = 0; i < 4; i++) {
        near[i] = g_N[i] <= MARGIN * -least;
    }
    frame_normal(k, &f);
    f.nt = f.tt = 0.0;
    const int n = collect(k, g_N, near, c);
    for (int i = 0; i < n; i++) {
        c[i].tau = c[i].c_T = 0.0;
        c[i].side = 1.0;
    }
    s->corrections++;
    if (!solve_guess(&f, n, c)) {
        s->fallbacks++;
        s->failed += !solve_enumerate(&f, n, c);
    }
    double N = 0.0, torque = 0.0;
    for (int i = 0; i < n; i++) {
        N += c[i].sigma * c[i].P_N;
        torque += c[i].r * c[i].P_N;
    }
    const double dq[3] = {-f.Mn[0] * N, -f.Mn[1] * N, torque * J3_inv};
    for (int j = 0; j < 3; j++) {
        q[j] += dq[j];
    }
    trig_turn(q, dq, k);
}

/* Correct the positions until no corner is deeper than the tolerance; g_N of the end.  Step 5 above
 */
static double correct(double g_N[4], const frame *mass, double q[3], trig *k, plain_state *s)
{
    double least = gaps(k, g_N);
    for (int i = 0; least < G_CORRECT; i++) {
        if (i == N_CORRECT) {
            s->failed++;
            break;
        }
        project(g_N, least, mass, q, k, s);
        least = gaps(k, g_N);
    }
    return least;
}

/* lift, and corners that open, at the end of a step.   Step 6 above */
static void settle(const bool active[4], const double before[4], const double end[4],
                   plain_state *s)
{
    s->touched = false;
    for (int i = 0; i < 4; i++) {
        plain_corner *c = &s->corner[i];
        if (!active[i]) {
            c->loaded = false;
            c->old_reach = c->reach;
        }
        if (c->closed && !c->loaded && end[i] > c->old_reach) {
            c->closed = false;
        }
        if (before[i] < 0.0 && end[i] > before[i]) {
            c->lift = end[i] - before[i];
        } else if (!active[i]) {
            c->lift = 0.0;
        }
        s->touched = s->touched || active[i] || c->closed || c->lift > 0.0;
    }
}

/* One step of the scheme at the top. */
static void step(plain_state *s, double dt)
{
    trig k;
    frame f;
    double q[3], u[3], d[3], g_N[4];
    for (int j = 0; j < 3; j++) {
        q[j] = s->q[j] + 0.5 * dt * s->u[j];
    }
    trig_set(q, &k);
    frame_mass(&k, &f);

    /* u = u_A + M^-1 h dt */
    const double m = m12 * (k.s[0] * k.c[1] - k.c[0] * k.s[1]);
    const double h1 = -m * s->u[1] * s->u[1] - k1 * k.c[0];
    const double h2 = m * s->u[0] * s->u[0] - k2 * k.c[1];
    u[0] = s->u[0] + dt * (f.i11 * h1 + f.i12 * h2);
    u[1] = s->u[1] + dt * (f.i12 * h1 + f.i22 * h2);
    u[2] = s->u[2];
    bool active[4] = {false, false, false, false};
    if ((gaps(&k, g_N) <= G_TOL || s->touched) && choose(g_N, s, active)) {
        contact(&k, &f, g_N, active, s->u, dt, u, s);
    }
    for (int j = 0; j < 3; j++) {
        d[j] = 0.5 * dt * u[j];
        s->q[j] = q[j] + d[j];
        s->u[j] = u[j];
    }
    trig_turn(s->q, d, &k);
    double before[4];
    const bool deep = gaps(&k, before) < G_CORRECT;
    for (int i = 0; i < 4; i++) {
        g_N[i] = before[i];
    }
    if (deep) {
        correct(g_N, &f, s->q, &k, s);
    }
    if (deep || s->touched || active[0] || active[1] || active[2] || active[3]) {
        settle(active, before, g_N, s);
    }
}

/* Advance n_steps of dt. */
void plain_slider_crank_run(plain_state *s, double dt, long n_steps)
{
    for (long i = 0; i < n_steps; i++) {
        step(s, dt);
    }
}

/* All angles zero, crank and rod turning. */
plain_state plain_slider_crank_start(void)
{
    return (plain_state){.u = {SC_U1, SC_U2, SC_U3}};
}

/* E = 1/2 u^T M u + k1 sin th1 + k2 sin th2 */
double plain_slider_crank_energy(const plain_state *s)
{
    const double *q = s->q, *u = s->u;
    const double T = 0.5 * (m11 * u[0] * u[0] + m22 * u[1] * u[1] + SC_J3 * u[2] * u[2]);
    return T + m12 * cos(q[0] - q[1]) * u[0] * u[1] + k1 * sin(q[0]) + k2 * sin(q[1]);
}

/* Gaps at the state. */
void plain_slider_crank_gaps(const plain_state *s, double g_N[4])
{
    trig k;
    trig_set(s->q, &k);
    gaps(&k, g_N);
}
