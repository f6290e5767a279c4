#include "analysis/steady.h"

#include "analysis/linear_parts.h"
#include "math/basis.h"
#include "math/dense.h"

#include <string.h>

#define FAR_AHEAD 1e-4 /* rad that the motion goes on for a look at its coefficients        */
#define CONSTANT  1e-5 /* relative change of coefficients per radian that is none           */
#define BALANCED  1e-7 /* accelerations left over, of those that the forces make    */

/* Scratch: matrices over all degrees of freedom (n) and over the free ones in the metric of M. */
typedef struct frame {
    double *T, *P;       /* n x n: how axes and coordinates turn                    */
    double *M, *K, *D;   /* n x n, of the look ahead: then rates                    */
    double *T_, *P_, *S; /* n_free x n_free                                         */
    double *K_;          /* n_free x n_free: K in the metric of M                   */
    double *A_q, *X, *Y; /* rows x n; n_free x n_place; n_free x n                  */
    double *rows;        /* rows x n_free                                           */
    sp_lu lu;            /* n_free                                                  */
} frame;

/* Memory of l for all of it. */
static bool make_frame(sp_linear *l, frame *f)
{
    sp_arena *a = &l->arena;
    const size_t n = (size_t)l->n, rows = (size_t)l->n_row + 1;
    double **square[] = {&f->T,  &f->P, &f->M,  &f->K, &f->D, &f->T_,
                         &f->P_, &f->S, &f->K_, &f->X, &f->Y};
    bool ok = true;
    for (size_t k = 0; k < sizeof square / sizeof *square; k++) {
        ok = (*square[k] = SP_NEW(a, double, n *n)) != NULL && ok;
    }
    f->A_q = SP_NEW(a, double, rows *n);
    f->rows = SP_NEW(a, double, rows *n);
    f->lu.LU = sp_arena_alloc(a, sp_lu_bytes(l->n) + 1, 1);
    return ok && f->A_q && f->rows && f->lu.LU;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static sp_vec3 spin_of(const sp_linear *l, int body)
{
    const sp_spot s = sp_spot_origin(&l->w->kin, body);
    return sp_spot_spin(&l->w->kin, &s);
}

/* The spin of the first body that turns freely, zero if none does. */
static sp_vec3 free_spin(const sp_linear *l)
{
    const sp_model *m = l->m;
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const sp_vec3 omega = spin_of(l, i);
        if (b->parent == SP_GROUND && b->n_dof > 0 &&
            m->dof[b->dof + b->n_dof - 1].move == SP_MOVE_BALL && sp_length3(omega) > 0.0) {
            return omega;
        }
    }
    return (sp_vec3){0.0, 0.0, 0.0};
}

/* The fastest spin of all bodies. */
static double fastest(const sp_linear *l)
{
    double most = 0.0;
    for (int i = 1; i < l->m->n_body; i++) {
        const double here = sp_length3(spin_of(l, i));
        most = here > most ? here : most;
    }
    return most;
}

/* e_k.(Omega x e_j) into a block of X whose first degree of freedom is k_0, three at most. */
static void add_turn(int n, int k_0, int n_e, const sp_vec3 *e, sp_vec3 Omega, double *X)
{
    for (int k = 0; k < n_e; k++) {
        for (int j = 0; j < n_e; j++) {
            X[(k_0 + k) * n + k_0 + j] += sp_inner3(e[k], sp_cross3(Omega, e[j]));
        }
    }
}

/* T and P of one body for axes of what hangs on the ground that turn with Omega (own: of nothing).
 *
 *     slides  T = P = [Omega x],     ball  T = [(Omega - omega) x],  P = [Omega x]     theory
 * (24.5) */
static void turn_body(const sp_linear *l, const sp_state *x, int body, bool own, sp_vec3 Omega,
                      frame *f)
{
    const sp_model *m = l->m;
    const sp_body *b = &m->body[body];
    const bool root = b->parent == SP_GROUND && !own;
    sp_vec3 slide[3], omega = {0.0, 0.0, 0.0};
    int n_slide = 0, first = 0;
    for (int k = b->dof; k < b->dof + b->n_dof; k++) {
        if (m->dof[k].move == SP_MOVE_SLIDE && n_slide < 3) {
            first = n_slide == 0 ? k : first;
            slide[n_slide++] = sp_spot_axis(m, &l->w->kin, k).s;
        }
        if (m->dof[k].move != SP_MOVE_BALL || m->dof[k].part != 0) {
            continue;
        }
        sp_vec3 w[3];
        for (int i = 0; i < 3; i++) {
            w[i] = sp_spot_axis(m, &l->w->kin, k + i).w;
            omega = sp_axpy3(omega, x->u[k + i], w[i]);
        }
        add_turn(l->n, k, 3, w, root ? Omega : omega, f->P);
        if (root) {
            add_turn(l->n, k, 3, w, sp_sub3(Omega, omega), f->T);
        }
    }
    if (root && n_slide > 1 && first + n_slide <= b->dof + b->n_dof) {
        add_turn(l->n, first, n_slide, slide, Omega, f->T);
        add_turn(l->n, first, n_slide, slide, Omega, f->P);
    }
}

/* T and P for one choice of axes. */
static void turn_axes(const sp_linear *l, const sp_state *x, sp_axes axes, frame *f)
{
    const size_t n = (size_t)l->n;
    const sp_vec3 none = {0.0, 0.0, 0.0};
    memset(f->T, 0, n * n * sizeof *f->T);
    memset(f->P, 0, n * n * sizeof *f->P);
    for (int i = 1; i < l->m->n_body; i++) {
        turn_body(l, x, i, axes == SP_AXES_OWN, axes == SP_AXES_TURNING ? free_spin(l) : none, f);
    }
}

/* ---- whether coefficients are constant ------------------------------------------------------- */

/* X_ = C^-1 X C^-T over the free degrees of freedom. */
static void to_metric(const sp_linear *l, const double *X, double *X_)
{
    const int n = l->n_free;
    for (int pass = 0; pass < 2; pass++) { /* rows of X^T, then of its transpose */
        for (int i = 0; i < n; i++) {
            double *row = l->s1;
            for (int k = 0; k < n; k++) {
                row[k] = pass == 0 ? X[l->free[k] * l->n + l->free[i]] : l->scratch[k * n + i];
            }
            sp_cholesky_forward(n, l->C, row);
            memcpy((pass == 0 ? l->scratch : X_) + i * n, row, (size_t)n * sizeof *row);
        }
    }
}

/* Largest entry. */
static double largest(int n, const double *X)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(X[i]) > most ? fabs(X[i]) : most;
    }
    return most;
}

/* Largest entry of X' + X T - T X in the metric of M: how X changes in the axes.   theory (24.6) */
static double drift(const sp_linear *l, const double *X, const double *rate, frame *f)
{
    const int n = l->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = rate[i * n + j];
            for (int k = 0; k < n; k++) {
                sum += X[i * n + k] * f->T[k * n + j] - f->T[i * n + k] * X[k * n + j];
            }
            f->Y[i * n + j] = sum;
        }
    }
    to_metric(l, f->Y, f->S);
    return largest(l->n_free * l->n_free, f->S);
}

/* Whether held degrees of freedom stay those in the axes. */
static bool held_stay(const sp_linear *l, const frame *f)
{
    for (int i = 0; i < l->n; i++) {
        for (int j = 0; j < l->n; j++) {
            if (l->held[i] != l->held[j] && f->T[i * l->n + j] != 0.0) {
                return false;
            }
        }
    }
    return true;
}

/* How fast the coefficients change in the axes, relative, per radian of the fastest spin. */
static double change_in(const sp_linear *l, double spin, frame *f)
{
    if (!held_stay(l, f)) {
        return INFINITY;
    }
    const int n2 = l->n_free * l->n_free;
    to_metric(l, l->D, f->S);
    const double D = largest(n2, f->S) + spin;
    to_metric(l, l->K, f->S);
    const double K = largest(n2, f->S) + spin * D;
    const double change[3] = {drift(l, l->M, f->M, f), drift(l, l->D, f->D, f) / D,
                              drift(l, l->K, f->K, f) / K};
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = change[i] > most || change[i] != change[i] ? change[i] : most;
    }
    return most / spin;
}

/* M, D and K at a state. */
static sp_status coefficients(sp_linear *l, const sp_state *x, sp_error *err)
{
    SP_TRY(sp_linear_look(l, x, err));
    sp_linear_accelerate(l, x);
    sp_linear_tangent(l, x);
    return SP_OK;
}

/* y: x after the time tau, by its velocities and accelerations. */
static void go_on(const sp_linear *l, const sp_state *x, double tau, sp_state *y)
{
    memcpy(y->q, x->q, (size_t)l->m->n_q * sizeof *y->q);
    sp_kin_advance(l->m, tau, x->u, y->q);
    for (int k = 0; k < l->n; k++) {
        y->u[k] = x->u[k] + tau * l->a[k];
    }
}

/* Rates of M, D and K along the motion into f, by looks ahead and back; then l is at x again. */
static sp_status find_rates(sp_linear *l, const sp_state *x, double spin, frame *f, sp_error *err)
{
    const size_t n2 = (size_t)l->n * (size_t)l->n;
    const double *now[3] = {l->M, l->D, l->K};
    double *rate[3] = {f->M, f->D, f->K};
    sp_state y[2] = {*x, *x};
    for (int i = 0; i < 2; i++) {
        y[i].q = SP_NEW(&l->arena, double, l->m->n_q);
        y[i].u = SP_NEW(&l->arena, double, l->n);
        if (!y[i].q || !y[i].u) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for a steady motion");
        }
        go_on(l, x, (i == 0 ? FAR_AHEAD : -FAR_AHEAD) / spin, &y[i]);
    }
    for (int i = 0; i < 2; i++) {
        SP_TRY(coefficients(l, &y[i], err));
        for (size_t k = 0; k < 3 * n2; k++) {
            double *to = &rate[k / n2][k % n2];
            const double part = 0.5 * now[k / n2][k % n2] * spin / FAR_AHEAD;
            *to = i == 0 ? part : *to - part;
        }
    }
    return coefficients(l, x, err);
}

/* The first axes in which the coefficients stay what they are, else those in which they change
 * least. */
static sp_status choose_axes(sp_linear *l, const sp_state *x, frame *f, sp_steady *s, sp_error *err)
{
    const double spin = fastest(l);
    s->axes = SP_AXES_GROUND;
    s->change = spin > 0.0 ? INFINITY : 0.0;
    if (spin > 0.0) {
        SP_TRY(find_rates(l, x, spin, f, err));
    }
    for (int axes = SP_AXES_GROUND; axes <= SP_AXES_OWN && s->change > CONSTANT; axes++) {
        turn_axes(l, x, (sp_axes)axes, f);
        const double change = change_in(l, spin, f);
        if (change < s->change) {
            s->axes = (sp_axes)axes;
            s->change = change;
        }
    }
    turn_axes(l, x, s->axes, f);
    return SP_OK;
}

/* ---- the equations --------------------------------------------------------------------------- */

/* T_ = C^-1 M T C^-T, P_ = C^T P C^-T = C^-1 (M P) C^-T. */
static void turn_metric(const sp_linear *l, frame *f)
{
    const int n = l->n;
    for (int pass = 0; pass < 2; pass++) {
        const double *X = pass == 0 ? f->T : f->P;
        memset(f->Y, 0, (size_t)(n * n) * sizeof *f->Y);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                for (int j = 0; j < n && !l->held[k]; j++) {
                    f->Y[i * n + j] += l->M[i * n + k] * X[k * n + j];
                }
            }
        }
        to_metric(l, f->Y, pass == 0 ? f->T_ : f->P_);
    }
}

/* Whether a row holds places: all but spins, and directions along and about a contact in space. */
static bool holds_places(const sp_linear *l, int r)
{
    const sp_linear_row *row = &l->row[r];
    return row->slot != SP_NONE && (row->part == 0 || !l->m->slot[row->slot].is.space);
}

/* Z: what the rows that hold places leave free. */
static void find_places(sp_linear *l, frame *f, sp_steady *s)
{
    const int n = l->n_free;
    int n_hold = 0;
    for (int r = 0; r < l->n_row; r++) {
        if (holds_places(l, r)) {
            memcpy(f->rows + n_hold++ * n, l->A_ + r * n, (size_t)n * sizeof *f->rows);
        }
    }
    const int rank = sp_basis_split(n_hold, n, f->rows, SP_DEPENDENT, s->Z);
    memmove(s->Z, s->Z + rank * n, (size_t)((n - rank) * n) * sizeof *s->Z);
    s->n_place = n - rank;
}

/* X = -B_^T G^-1 (A_q C^-T Z^T): the velocities that the rows ask for at displaced places; rows
 * that hold places have A_q = -A P.   theory (24.7) */
static void find_velocities(sp_linear *l, const sp_state *x, const sp_steady *s, frame *f)
{
    const int n = l->n, n_free = l->n_free;
    sp_linear_row_slopes(l, x, f->A_q);
    for (int r = 0; r < l->n_row; r++) {
        for (int j = 0; j < n && holds_places(l, r); j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum -= l->held[k] ? 0.0 : l->A[r * n + k] * f->P[k * n + j];
            }
            f->A_q[r * n + j] = sum;
        }
    }
    for (int c = 0; c < s->n_place; c++) {
        double *dq = l->s1, *force = l->s2;
        memcpy(dq, s->Z + c * n_free, (size_t)n_free * sizeof *dq);
        sp_cholesky_back(n_free, l->C, dq);
        for (int r = 0; r < l->n_row; r++) {
            force[r] = 0.0;
            for (int i = 0; i < n_free; i++) {
                force[r] -= f->A_q[r * n + l->free[i]] * dq[i];
            }
        }
        sp_lu_solve(&l->G, force, force);
        for (int i = 0; i < n_free; i++) {
            double sum = 0.0;
            for (int r = 0; r < l->n_row; r++) {
                sum += l->B_[r * n_free + i] * force[r];
            }
            f->X[i * s->n_place + c] = sum;
        }
    }
}

/* Column c of F before division: eta and nu of a unit of y or v, then the rates over Z and L.
 * theory (24.8) */
static void fill_column(const sp_linear *l, int c, const sp_steady *s, const frame *f)
{
    const int n = l->n_free, p = s->n_place;
    double *nu = l->s1, *rate = l->s2;
    const double *eta = c < p ? s->Z + c * n : NULL;
    for (int i = 0; i < n; i++) {
        nu[i] = eta ? f->X[i * p + c] : l->N[(c - p) * n + i];
    }
    for (int i = 0; i < n; i++) {
        rate[i] = nu[i] - (eta ? sp_dot_n(n, f->P_ + i * n, eta) : 0.0);
    }
    for (int i = 0; i < p; i++) {
        s->F[i * s->n + c] = sp_dot_n(n, s->Z + i * n, rate);
    }
    for (int i = 0; i < n; i++) {
        rate[i] = -sp_dot_n(n, f->T_ + i * n, nu) - (eta ? sp_dot_n(n, f->K_ + i * n, eta) : 0.0);
    }
    for (int i = 0; i < l->n_move; i++) {
        s->F[(p + i) * s->n + c] = sp_dot_n(n, l->L + i * n, rate);
    }
}

/* The lower rows of F divided by L N^T. */
static sp_status divide(const sp_linear *l, const sp_steady *s, frame *f, sp_error *err)
{
    const int n = l->n_free, m = l->n_move;
    sp_lu_place(&f->lu, m, f->lu.LU);
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) {
            f->lu.LU[i * m + k] = sp_dot_n(n, l->L + i * n, l->N + k * n);
        }
    }
    if (sp_lu_factor(&f->lu, SP_DEPENDENT) < m) {
        return SP_FAIL(err, SP_E_INFEASIBLE,
                       "the friction of the sliding contacts leaves no unique acceleration here");
    }
    for (int c = 0; c < s->n; c++) {
        for (int i = 0; i < m; i++) {
            l->s1[i] = s->F[(s->n_place + i) * s->n + c];
        }
        sp_lu_solve(&f->lu, l->s1, l->s1);
        for (int i = 0; i < m; i++) {
            s->F[(s->n_place + i) * s->n + c] = l->s1[i];
        }
    }
    return SP_OK;
}

/* Whether velocities stay what they are, seen from the axes: a = T u, in the metric of M. */
static bool moves_on(const sp_linear *l, const sp_state *x, const frame *f)
{
    double off2 = 0.0;
    for (int i = 0; i < l->n_free; i++) {
        double sum = 0.0; /* entry i of C^T (a - T u) */
        for (int k = i; k < l->n_free; k++) {
            const int j = l->free[k];
            sum += l->C[k * l->n_free + i] * (l->a[j] - sp_dot_n(l->n, f->T + j * l->n, x->u));
        }
        off2 += sum * sum;
    }
    return sqrt(off2) <= BALANCED * l->force_size;
}

sp_status sp_steady_find(sp_linear *l, const sp_state *x, sp_steady *steady, sp_error *err)
{
    frame f = {.T = NULL};
    const size_t n = (size_t)l->n_free;
    *steady = (sp_steady){.Z = SP_NEW(&l->arena, double, n *n),
                          .F = SP_NEW(&l->arena, double, 4 * n * n)};
    if (!steady->Z || !steady->F || !make_frame(l, &f)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a steady motion");
    }
    SP_TRY(coefficients(l, x, err));
    SP_TRY(choose_axes(l, x, &f, steady, err));
    turn_metric(l, &f);
    to_metric(l, l->K, f.K_);
    to_metric(l, l->D, f.S);
    for (size_t i = 0; i < n * n; i++) {
        f.T_[i] += f.S[i];
    }
    find_places(l, &f, steady);
    find_velocities(l, x, steady, &f);
    steady->n = steady->n_place + l->n_move;
    steady->is_steady = steady->change < CONSTANT && moves_on(l, x, &f);
    for (int c = 0; c < steady->n; c++) {
        fill_column(l, c, steady, &f);
    }
    return divide(l, steady, &f, err);
}

void sp_steady_expand(const sp_linear *l, const sp_steady *steady, const double *y, double *dx)
{
    double *z = l->s1;
    for (int i = 0; i < l->n_free; i++) {
        z[i] = 0.0;
        for (int k = 0; k < steady->n_place; k++) {
            z[i] += steady->Z[k * l->n_free + i] * y[k];
        }
    }
    sp_cholesky_back(l->n_free, l->C, z);
    memset(dx, 0, (size_t)l->n * sizeof *dx);
    for (int i = 0; i < l->n_free; i++) {
        dx[l->free[i]] = z[i];
    }
}
