/* variation/space.c - states nearby as numbers, differences, and what is free. */
#include "base/status.h"
#include "contact/motion.h"
#include "math/basis.h"
#include "variation/parts.h"

#include <math.h>
#include <string.h>

#define NEAR      1e-3 /* of sizes: differences of order 6 lose 1e-18, round-off is 1e-13   (82.2) */
#define DEPENDENT SP_AT_REST

void sp_variation_enter(sp_variation *v, const sp_phase *p)
{
    sp_smooth *s = v->s;
    size_t bytes;
    sp_kink *kink = sp_smooth_kinks(s, &bytes);
    s->closed = (sp_smooth_closed){.n = p->n, .slot = p->slot, .status = p->status};
    v->w->con.hold = v->m->n_slot > 0 ? p->hold : NULL;
    s->start.any = false;
    s->choose = NULL; /* of forces that are not unique the smallest */
    if (kink) {
        memcpy(kink, p->kink, bytes);
    }
}

void sp_variation_spread(const sp_variation *v, const double *d, double *full)
{
    memset(full, 0, (size_t)v->n_all * sizeof *full);
    for (int i = 0; i < v->result.n; i++) {
        full[v->at[i]] = d[i] * v->size[i];
    }
}

/* The rate of q_0 by velocity k alone is b_k: a change of q is sum_k d_k b_k.   theory (82.1) */
static double along(sp_variation *v, const double *q_0, int k, const double *change)
{
    const sp_model *m = v->m;
    double *u = v->full, up = 0.0, down = 0.0;
    if (m->n_q == m->n_dof) {
        return change[k];
    }
    memset(u, 0, (size_t)m->n_dof * sizeof *u);
    u[k] = 1.0;
    sp_kin_rate(m, q_0, u, v->rate);
    for (int i = 0; i < m->n_q; i++) {
        up += v->rate[i] * change[i];
        down += v->rate[i] * v->rate[i];
    }
    return up / down;
}

void sp_variation_count(const sp_variation *v, const double *q_0, const double *change, double *d)
{
    const sp_model *m = v->m;
    for (int i = 0; i < v->result.n; i++) {
        const int k = v->at[i];
        const double x = k < m->n_dof ? along((sp_variation *)(uintptr_t)v, q_0, k, change)
                                      : change[m->n_q + k - m->n_dof];
        d[i] = x / v->size[i];
    }
}

/* The direction d (n numbers, NULL: zero) and tau of time at (t, y) into `full`: what is prescribed
 * has no number of its own and moves with time alone.   theory (82.1a) */
static void aim(const sp_variation *v, double t, const double *y, const double *d, double tau)
{
    const sp_model *m = v->m;
    double *speed = v->full, *rate = v->full + m->n_dof;
    memset(v->full, 0, (size_t)v->n_all * sizeof *v->full);
    if (d) {
        sp_variation_spread(v, d, v->full);
    }
    sp_motion_accelerate(m, t, &v->w->dyn, rate);
    for (int i = 0; i < m->n_motion; i++) {
        const int k = m->motion[i].dof;
        speed[k] = tau * y[m->n_q + k];
        rate[k] *= tau;
    }
}

/* y beside y_0 by k times the direction in `full`. */
static void step_aside(const sp_variation *v, const double *y_0, const double *full, double k,
                       double *y)
{
    const sp_model *m = v->m;
    memcpy(y, y_0, (size_t)v->n_y * sizeof *y);
    sp_kin_advance(m, k, full, y);
    for (int i = m->n_dof; i < v->n_all; i++) {
        y[m->n_q + i - m->n_dof] += k * full[i];
    }
}

sp_status sp_variation_differ(sp_variation *v, sp_nearby of, double t, const double *y,
                              const double *d, double tau, double *raw, sp_error *err)
{
    static const double weight[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    double length = tau * tau;
    for (int i = 0; d && i < v->result.n; i++) {
        length += d[i] * d[i];
    }
    length = sqrt(length);
    memset(v->sum, 0, (size_t)of.n * sizeof *v->sum);
    for (int k = 1; k <= 3 && length > 0.0; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const double far = side * k * NEAR / length;
            aim(v, t, y, d, tau);
            step_aside(v, y, v->full, far, v->near_y);
            SP_TRY(of.f(v, of.ctx, t + far * tau, v->near_y, v->raw, err));
            for (int i = 0; i < of.n; i++) {
                v->sum[i] += side * weight[k - 1] * v->raw[i];
            }
        }
    }
    for (int i = 0; i < of.n; i++) {
        raw[i] = v->sum[i] * length / NEAR;
    }
    return SP_OK;
}

sp_status sp_variation_rates(sp_variation *v, const sp_phase *p, double t, const double *y,
                             double *f, sp_error *err)
{
    const sp_model *m = v->m;
    sp_variation_enter(v, p);
    SP_TRY(sp_smooth_accelerate(v->s, t, y, y + m->n_q, y + m->n_q + m->n_dof, err));
    for (int i = 0; i < v->result.n; i++) {
        const int k = v->at[i];
        const double rate = k < m->n_dof       ? v->w->u_E[k]
                            : k < 2 * m->n_dof ? v->w->du[k - m->n_dof]
                                               : v->w->dyn.z_rate[k - 2 * m->n_dof];
        f[i] = rate / v->size[i];
    }
    return SP_OK;
}

sp_status sp_variation_row_speeds(sp_variation *v, const void *ctx, double t, const double *y,
                                  double *raw, sp_error *err)
{
    const sp_model *m = v->m;
    const sp_con *con = &v->w->con;
    (void)ctx;
    SP_TRY(sp_smooth_pose(v->s, t, y, y + m->n_q, y + m->n_q + m->n_dof, err));
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            raw[r] = sp_con_dot(con, a, r, v->w->u_E) + con->w_tilde[r];
        }
    }
    return SP_OK;
}

/* Whether a row of contact a holds a place; whether it holds a velocity. */
static bool holds_place(const sp_variation *v, int a, int r)
{
    const sp_slot_traits is = v->m->slot[v->w->con.active[a]].is;
    return r == v->w->con.row[a] && !sp_smooth_is_known(v->s, a) && !is.dry && !is.one_way;
}
static bool holds_speed(const sp_variation *v, int a, int r)
{
    const int first = v->w->con.row[a];
    return !sp_smooth_is_known(v->s, a) &&
           (r == first || !sp_smooth_row_slides(v->s, a, r - first));
}

/* The part of row r that goes with positions (shift 0) or velocities (shift n_dof). */
static void put_row(const sp_variation *v, int a, int r, int shift, double *A)
{
    const sp_con *con = &v->w->con;
    const double *W = sp_con_row(con, con->W, r);
    const int *sup = sp_con_sup(con, a);
    for (int i = 0; i < v->result.n; i++) {
        for (int k = 0; k < con->n_sup[a]; k++) {
            A[i] += v->at[i] == sup[k] + shift ? W[k] * v->size[i] : 0.0;
        }
    }
}

/* Rows of length 1, so that metres and radians compare. */
static void unit_rows(int m, int n, double *A)
{
    for (int r = 0; r < m; r++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += A[r * n + i] * A[r * n + i];
        }
        for (int i = 0; i < n && sum > 0.0; i++) {
            A[r * n + i] /= sqrt(sum);
        }
    }
}

/* How velocities of held rows change with positions, added to their rows of A. */
static sp_status add_turning(sp_variation *v, double t, const double *y, int n_place, int m,
                             const int *row, sp_error *err)
{
    const int n = v->result.n;
    const sp_nearby speeds = {sp_variation_row_speeds, NULL, v->w->con.n_row};
    double *d = v->c;
    for (int i = 0; i < n && v->at[i] < v->m->n_dof; i++) {
        memset(d, 0, (size_t)n * sizeof *d);
        d[i] = 1.0;
        SP_TRY(sp_variation_differ(v, speeds, t, y, d, 0.0, v->grad, err));
        for (int k = n_place; k < m; k++) {
            v->A[k * n + i] += v->grad[row[k]];
        }
    }
    return SP_OK;
}

sp_status sp_variation_free_directions(sp_variation *v, const sp_phase *p, double t,
                                       const double *y, double *T, int *r, sp_error *err)
{
    const int n = v->result.n;
    const sp_con *con = &v->w->con;
    int m = 0;
    sp_variation_enter(v, p);
    SP_TRY(sp_variation_row_speeds(v, NULL, t, y, v->raw, err));
    const int n_row = v->m->n_bond + p->n > 0 ? con->n_row : 0;
    memset(v->A, 0, (size_t)(2 * n_row) * (size_t)n * sizeof *v->A);
    int *row = v->row;
    for (int pass = 0, n_place = 0; pass < 2 && n_row > 0; pass++) {
        for (int a = 0; a < con->n_active; a++) {
            for (int i = con->row[a]; i < con->row[a + 1]; i++) {
                if (pass == 0 ? holds_place(v, a, i) : holds_speed(v, a, i)) {
                    put_row(v, a, i, pass * v->m->n_dof, v->A + (size_t)m * (size_t)n);
                    row[m++] = i;
                }
            }
        }
        n_place = pass == 0 ? m : n_place;
        SP_TRY(pass == 1 && m > n_place ? add_turning(v, t, y, n_place, m, row, err) : SP_OK);
    }
    unit_rows(m, n, v->A);
    const int rank = sp_basis_split(m, n, v->A, DEPENDENT, v->Q);
    *r = n - rank;
    memcpy(T, v->Q + (size_t)rank * (size_t)n, (size_t)(*r) * (size_t)n * sizeof *T);
    return SP_OK;
}
