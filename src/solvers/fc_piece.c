#include "solvers/fc_piece.h"

#include "solvers/problem.h"

#include <math.h>
#include <string.h>

/* A piece whose m unknowns are the m rows of p themselves. */
static void plain_piece(sp_fc_piece *q, int m)
{
    q->m = m;
    q->plain = 1;
    for (int e = 0; e < m * m; e++) {
        q->E[e] = q->T[e] = e % (m + 1) == 0 ? 1.0 : 0.0;
    }
}

/* Slip of a disc in the direction x_T, |x_T| = len > mu x_N. */
static void slip_piece(sp_fc_piece *q, double mu, const double *x, double len, double rho)
{
    const double t1 = x[1] / len, t2 = x[2] / len;
    if (mu * x[0] <= 1e-14 * len) { /* z_2 = 0 */
        const double E[3] = {1.0, mu * t1, mu * t2}, T[3] = {1.0, 0.0, 0.0};
        q->m = 1;
        memcpy(q->E, E, sizeof E);
        memcpy(q->T, T, sizeof T);
        return;
    }
    const double E[6] = {1.0, 0.0, mu * t1, -t2, mu * t2, t1};
    const double T[6] = {1.0, 0.0, 0.0, 0.0, -t2, t1};
    q->m = 2;
    q->w = (len / (mu * x[0]) - 1.0) / rho;
    memcpy(q->E, E, sizeof E);
    memcpy(q->T, T, sizeof T);
}

/* Slip of a planar contact: p_T = +- mu p_N. */
static void planar_slip_piece(sp_fc_piece *q, double mu, double x_T)
{
    const double E[2] = {1.0, x_T > 0.0 ? mu : -mu}, T[2] = {1.0, 0.0};
    q->m = 1;
    memcpy(q->E, E, sizeof E);
    memcpy(q->T, T, sizeof T);
}

/* Prox parameters of a contact with this diagonal block. */
static void parameters(int dim, const double *G, double *rho_N, double *rho_T)
{
    const double N = fabs(G[0]);
    const double T = dim == 3 ? 0.5 * fabs(G[4] + G[8]) : dim == 2 ? fabs(G[3]) : N;
    const double most = N > T ? N : T, other = most > 0.0 ? 1.0 / most : 1.0;
    *rho_N = N > 1e-12 * most ? 1.0 / N : other;
    *rho_T = T > 1e-12 * most ? 1.0 / T : other;
}

/* Move x (shift taken off) to the piece that a contact is said to be on; nothing if it is there
 * already, or if nothing is said.  p, u: percussion without shift, velocity. */
static void obey(const sp_set *s, int dim, unsigned char status, const double *p, const double *u,
                 double *x)
{
    const double len = dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : dim == 2 ? fabs(x[1]) : 0.0;
    const int slips = x[0] > 0.0 && len > s->mu * x[0];
    if (s->kind == SP_SET_FREE || dim > 3) {
        return;
    }
    if (s->kind == SP_SET_INTERVAL) {
        x[0] = status == SP_SLIP_POS && s->lo > -INFINITY  ? fmin(x[0], s->lo - 1.0)
               : status == SP_SLIP_NEG && s->hi < INFINITY ? fmax(x[0], s->hi + 1.0)
                                                           : sp_clamp(x[0], s->lo, s->hi);
        return;
    }
    if (status == SP_OPEN) {
        x[0] = -1.0;
    } else if (status == SP_STICK || dim == 1) {
        x[0] = slips || !(x[0] > 0.0) ? 1.0 : x[0];
        for (int a = 1; a < dim; a++) {
            x[a] = slips || len > s->mu * x[0] ? 0.0 : x[a];
        }
    } else if (dim == 2) {
        x[0] = 1.0;
        x[1] = (status == SP_SLIP_POS ? -2.0 : 2.0) * (s->mu + 1.0);
    } else if (!slips) { /* along the last friction, else against the velocity */
        const double f = hypot(p[1], p[2]), v = hypot(u[1], u[2]), r = s->mu * (1.0 + 1e-9) + 1e-9;
        x[0] = 1.0;
        x[1] = f > 0.0 ? r * p[1] / f : v > 0.0 ? -r * u[1] / v : r;
        x[2] = f > 0.0 ? r * p[2] / f : v > 0.0 ? -r * u[2] / v : 0.0;
    }
}

void sp_fc_piece_choose(const sp_set *s, const double *G, unsigned char status, const double *p,
                        const double *u, sp_fc_piece *q, double *p0)
{
    const int dim = sp_set_dim(s);
    double rho_N, rho_T, x[SP_SET_DIM_MAX], free[SP_SET_DIM_MAX];
    parameters(dim, G, &rho_N, &rho_T);
    for (int a = 0; a < dim; a++) {
        p0[a] = s->shifted ? s->shift[a] : 0.0;
        free[a] = p[a] - p0[a];
        x[a] = free[a] - (a ? rho_T : rho_N) * u[a];
    }
    if (status < SP_STATUS_UNKNOWN) {
        obey(s, dim, status, free, u, x);
    }
    q->w = 0.0;
    q->plain = 0;
    if (s->kind == SP_SET_FREE || (s->kind == SP_SET_INTERVAL && s->lo <= x[0] && x[0] <= s->hi)) {
        plain_piece(q, 1);
    } else if (s->kind == SP_SET_INTERVAL) {
        q->m = 0;
        p0[0] += x[0] < s->lo ? s->lo : s->hi;
    } else if (!(x[0] > 0.0)) {
        q->m = 0;
    } else if (s->kind == SP_SET_HALF_LINE) {
        plain_piece(q, 1);
    } else {
        const double len = dim == 3 ? sqrt(x[1] * x[1] + x[2] * x[2]) : fabs(x[1]);
        if (len <= s->mu * x[0]) {
            plain_piece(q, dim);
        } else if (dim == 3) {
            slip_piece(q, s->mu, x, len, rho_T);
        } else {
            planar_slip_piece(q, s->mu, x[1]);
        }
    }
}

/* C = A B, A rows x inner, B inner x cols, rows of C ld numbers apart. */
static inline void multiply(int rows, int inner, int cols, const double *A, const double *B,
                            double *C, int ld)
{
    for (int a = 0; a < rows; a++) {
        for (int e = 0; e < cols; e++) {
            double sum = A[a * inner] * B[e];
            for (int b = 1; b < inner; b++) {
                sum += A[a * inner + b] * B[b * cols + e];
            }
            C[a * ld + e] = sum;
        }
    }
}

/* Rows of a matrix of m columns to rows ld numbers apart. */
static inline void copy(int rows, int m, const double *from, double *to, int ld)
{
    for (int a = 0; a < rows; a++) {
        for (int e = 0; e < m; e++) {
            to[a * ld + e] = from[a * m + e];
        }
    }
}

/* M = G E of a disc (3 x m); E has (1, 0) as its first row. */
static inline const double *columns_of_disc(const sp_fc_piece *j, const double *G, double *M)
{
    const double *E = j->E;
    if (j->plain) {
        return G;
    }
    for (int a = 0; a < 3; a++, G += 3) {
        if (j->m == 2) {
            M[2 * a] = G[0] + G[1] * E[2] + G[2] * E[4];
            M[2 * a + 1] = G[1] * E[3] + G[2] * E[5];
        } else {
            M[a] = G[0] + G[1] * E[1] + G[2] * E[2];
        }
    }
    return M;
}

/* B = T M of a disc; T has the normal as its first row, and none of it in the second. */
static inline void rows_of_disc(const sp_fc_piece *i, int m, const double *M, double *B, int ld)
{
    if (i->plain) {
        copy(3, m, M, B, ld);
        return;
    }
    copy(1, m, M, B, ld);
    for (int e = 0; i->m == 2 && e < m; e++) {
        B[ld + e] = i->T[4] * M[m + e] + i->T[5] * M[2 * m + e];
    }
}

void sp_fc_piece_reduce(const sp_fc_piece *i, const sp_fc_piece *j, int dim, int cols,
                        const double *G, double *B, int ld)
{
    double GE[SP_SET_DIM_MAX * SP_SET_DIM_MAX];
    if (dim == 3 && cols == 3) {
        const double *M = columns_of_disc(j, G, GE);
        if (j->m == 2) { /* the sizes are known to the compiler */
            rows_of_disc(i, 2, M, B, ld);
        } else if (j->m == 3) {
            rows_of_disc(i, 3, M, B, ld);
        } else {
            rows_of_disc(i, 1, M, B, ld);
        }
        return;
    }
    const double *middle = j->plain ? G : GE;
    if (!j->plain) {
        multiply(dim, cols, j->m, G, j->E, GE, j->m);
    }
    if (i->plain) {
        copy(dim, j->m, middle, B, ld);
    } else {
        multiply(i->m, dim, j->m, i->T, middle, B, ld);
    }
}
