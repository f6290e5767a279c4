#include "reduce/reduce.h"

#include "math/dense.h"
#include "math/eigen.h"
#include "math/space.h"
#include "reduce/element.h"
#include "reduce/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

#define KEEP_TOL 1e-8 /* functions that are others to this part of their length are left out */

/* The work. */
typedef struct work {
    const sp_fe *fe;
    sp_arena *arena;
    const sp_reduce_wish *wish;
    sp_part *part;
    sp_reduce_report *report;
    sp_error *err;
    sp_sym K, M;  /* of the unknowns that are not held        */
    int n;        /* how many                                 */
    int *unknown; /* 3 n_node: unknown of a node's direction, -1: held or none */
    sp_statics statics;
    int n_face; /* interfaces that move                     */
    double *C;  /* 6 n_face x n: their mean motions         */
    double center[SP_REDUCE_FACES][3];
    int n_function;
    double *X; /* n_function x n                           */
} work;

static double *vectors(work *w, int n)
{
    return SP_NEW(w->arena, double, (size_t)n *(size_t)w->n);
}

/* ---- unknowns ---------------------------------------------------------------------------------
 */

static sp_status find_faces(work *w, const sp_fe_set **set)
{
    const sp_fe *fe = w->fe;
    for (int f = 0; f < w->wish->n_face; f++) {
        const char *name = w->wish->face[f], *known[257];
        set[f] = sp_fe_find_set(fe, name);
        for (int k = 0; k < fe->n_set; k++) {
            known[k] = fe->set[k].name;
        }
        if (!set[f]) {
            const char *near = sp_nearest(name, known, fe->n_set);
            return SP_FAIL(w->err, SP_E_INPUT,
                           "interface '%s': no node set of this name in '%s'%s%s%s", name, fe->name,
                           near ? ", did you mean '" : "", near ? near : "",
                           near        ? "'?"
                           : fe->n_set ? ""
                                       : ", which has no node sets at all");
        }
        w->report->n_node_of[f] = set[f]->n;
        if (set[f]->n == 0) {
            return SP_FAIL(w->err, SP_E_INPUT, "interface '%s' has no nodes", name);
        }
    }
    return SP_OK;
}

/* Number the unknowns that are not held by the first interface. */
static sp_status number_unknowns(work *w, const sp_fe_set *held)
{
    const sp_fe *fe = w->fe;
    int *place = SP_NEW(w->arena, int, fe->n);
    bool *is_held = SP_NEW(w->arena, bool, fe->n_node);
    w->unknown = SP_NEW(w->arena, int, 3 * (size_t)fe->n_node);
    if (!place || !is_held || !w->unknown) {
        return SP_E_MEMORY;
    }
    for (int k = 0; held && k < held->n; k++) {
        is_held[held->index[k]] = true;
    }
    for (int k = 0; k < 3 * fe->n_node; k++) {
        w->unknown[k] = -1;
    }
    for (int k = 0; k < fe->n; k++) {
        place[k] = is_held[fe->node[k]] ? -1 : w->n++;
        w->unknown[3 * fe->node[k] + fe->dir[k]] = place[k];
    }
    if (w->n == 0) {
        return SP_FAIL(w->err, SP_E_INPUT, "interface '%s' holds all nodes", w->wish->face[0]);
    }
    return sp_sym_part(w->arena, &fe->K, w->n, place, &w->K) &&
                   sp_sym_part(w->arena, &fe->M, w->n, place, &w->M)
               ? SP_OK
               : SP_E_MEMORY;
}

/* The rigid motions about the origin. */
static double *rigid_motions(work *w)
{
    double *R = vectors(w, 6);
    for (int i = 0; R && i < w->fe->n_node; i++) {
        const sp_vec3 at = sp_vec3_of(w->fe->at + 3 * i);
        for (int k = 0; k < 6; k++) {
            const sp_vec3 e = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
            const sp_vec3 u = k < 3 ? e : sp_cross3(e, at);
            const double x[3] = {u.x, u.y, u.z};
            for (int d = 0; d < 3; d++) {
                if (w->unknown[3 * i + d] >= 0) {
                    R[(size_t)k * (size_t)w->n + (size_t)w->unknown[3 * i + d]] = x[d];
                }
            }
        }
    }
    return R;
}

/* ---- interfaces -------------------------------------------------------------------------------
 */

/* Weight of a node: its share of the mass, which does not change sign as pressures on faces of
 * quadratic elements do. */
static double weight_of(const sp_fe *fe, const int *row_of, int node)
{
    const int row = row_of[node];
    for (size_t e = row < 0 ? 1 : fe->M.start[row]; row >= 0 && e < fe->M.start[row + 1]; e++) {
        if (fe->M.row[e] == row) {
            return fe->M.value[e];
        }
    }
    return 0.0;
}

/* Mean place of a set, and its inverse moment of area.  False: its nodes are on a line. */
static bool measure_face(const sp_fe *fe, const int *row_of, const sp_fe_set *set, double center[3],
                         double J_inv[9], double *sum)
{
    double J[9] = {0.0}, memory[64], trace = 0.0, largest = 0.0;
    *sum = 0.0;
    memset(center, 0, 3 * sizeof *center);
    for (int k = 0; k < set->n; k++) {
        const double m = weight_of(fe, row_of, set->index[k]);
        *sum += m;
        for (int i = 0; i < 3; i++) {
            center[i] += m * fe->at[3 * set->index[k] + i];
            largest = fmax(largest, fabs(fe->at[3 * set->index[k] + i]));
        }
    }
    for (int i = 0; i < 3; i++) {
        center[i] /= *sum;
        center[i] = fabs(center[i]) > 1e-13 * largest ? center[i] : 0.0; /* round-off of zeros */
    }
    for (int k = 0; k < set->n; k++) {
        const double m = weight_of(fe, row_of, set->index[k]);
        const sp_vec3 d = sp_sub3(sp_vec3_of(fe->at + 3 * set->index[k]), sp_vec3_of(center));
        const double x[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 9; i++) {
            J[i] += m * ((i % 4 == 0 ? sp_inner3(d, d) : 0.0) - x[i / 3] * x[i % 3]);
        }
        trace += m * sp_inner3(d, d);
    }
    sp_lu f;
    sp_lu_place(&f, 3, memory);
    memcpy(f.LU, J, sizeof J);
    if (!(trace > 0.0) || sp_lu_factor(&f, 1e-9) < 3) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        double x[3];
        sp_lu_solve(&f, unit, x);
        for (int k = 0; k < 3; k++) {
            J_inv[3 * k + i] = x[k];
        }
    }
    return true;
}

/* Rows of the mean displacement and of the mean rotation.   theory (93.10) */
static void fill_rows(work *w, const sp_fe_set *set, const int *row_of, const double center[3],
                      const double J_inv[9], double sum, double *C)
{
    const size_t n = (size_t)w->n;
    for (int k = 0; k < set->n; k++) {
        const int node = set->index[k];
        const double m = weight_of(w->fe, row_of, node);
        const sp_vec3 d = sp_sub3(sp_vec3_of(w->fe->at + 3 * node), sp_vec3_of(center));
        for (int dir = 0; dir < 3; dir++) {
            const int u = w->unknown[3 * node + dir];
            const sp_vec3 e = {dir == 0, dir == 1, dir == 2};
            const sp_vec3 moment = sp_scale3(m, sp_cross3(d, e));
            if (u < 0) {
                continue;
            }
            C[(size_t)dir * n + (size_t)u] += m / sum;
            for (int i = 0; i < 3; i++) {
                C[(size_t)(3 + i) * n + (size_t)u] += J_inv[3 * i] * moment.x +
                                                      J_inv[3 * i + 1] * moment.y +
                                                      J_inv[3 * i + 2] * moment.z;
            }
        }
    }
}

static sp_status make_faces(work *w, const sp_fe_set *const *set)
{
    const sp_fe *fe = w->fe;
    int *row_of = SP_NEW(w->arena, int, fe->n_node);
    w->C = vectors(w, 6 * w->wish->n_face + 1);
    if (!row_of || !w->C) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < fe->n_node; i++) {
        row_of[i] = -1;
    }
    for (int k = 0; k < fe->n; k++) {
        row_of[fe->node[k]] = k;
    }
    for (int f = 0; f < w->wish->n_face; f++) {
        double J_inv[9], sum;
        const bool held = f == 0 && !w->wish->free;
        if (!measure_face(fe, row_of, set[f], w->center[f], J_inv, &sum)) {
            return SP_FAIL(
                w->err, SP_E_INPUT,
                "interface '%s' has %d nodes on one line: expected three that are not, so "
                "that it can be held and turned",
                w->wish->face[f], set[f]->n);
        }
        if (!held) {
            fill_rows(w, set[f], row_of, w->center[f], J_inv, sum,
                      w->C + 6 * (size_t)w->n_face++ * (size_t)w->n);
        }
    }
    return SP_OK;
}

/* ---- functions --------------------------------------------------------------------------------
 */

/* Numbers that look like chance, the same on every machine. */
static void fill_by_chance(size_t n, double *x)
{
    unsigned long long state = 88172645463325252ULL;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
}

/* Eigenvectors with the interfaces held (free: let go), then displacements by unit forces and
 * moments on them. */
static sp_status find_functions(work *w, int p, double *lambda)
{
    const size_t n = (size_t)w->n;
    const int m = w->wish->n_mode, n_row = 6 * w->n_face;
    double *X = vectors(w, p + n_row), *block = vectors(w, p);
    if (!X || !block || !sp_statics_hold(w->arena, &w->statics, w->wish->free ? 0 : n_row, w->C)) {
        return SP_FAIL(w->err, SP_E_MEMORY, "out of memory, or interfaces that move each other");
    }
    fill_by_chance(n * (size_t)p, block);
    if (m > 0) {
        w->report->rounds = sp_statics_modes(w->arena, &w->statics, m, p, 1e-9, block, lambda);
        if (w->report->rounds == 0) {
            return SP_FAIL(w->err, SP_E_NOT_CONVERGED,
                           "eigenvectors did not converge in 60 rounds");
        }
        if (!(lambda[0] > 0.0)) {
            return SP_FAIL(w->err, SP_E_INPUT, "negative stiffness: the lowest eigenvalue is %g",
                           lambda[0]);
        }
    }
    memcpy(X, block, n * (size_t)m * sizeof *X);
    memcpy(X + n * (size_t)m, w->C, n * (size_t)n_row * sizeof *X);
    w->statics.n_row = 0;
    for (int first = 0; first < n_row; first += 6) {
        sp_statics_solve(&w->statics, 6, X + n * (size_t)(m + first));
    }
    w->X = X;
    w->n_function = m + n_row;
    return SP_OK;
}

/* V^T A V of p functions. */
static bool project(work *w, const sp_sym *A, int p, const double *X, double *out)
{
    const size_t n = (size_t)w->n;
    double *AX = vectors(w, 1);
    for (int k = 0; AX && k < p; k++) {
        sp_sym_times(A, 1, X + (size_t)k * n, AX);
        for (int i = 0; i < p; i++) {
            out[i * p + k] = sp_dot(n, X + (size_t)i * n, AX);
        }
    }
    return AX != NULL;
}

/* Functions of length 1 that do not depend on each other, as modes of their own.   theory (93.13)
 */
static sp_status tidy_functions(work *w)
{
    const size_t n = (size_t)w->n;
    const int p = w->n_function;
    double *M = SP_NEW(w->arena, double, 8 * p * p + p), *K = M + p * p, *V = M + 2 * p * p;
    double *work_ = M + 3 * p * p, *A = M + 6 * p * p, *omega2 = M + 8 * p * p;
    double *Y = vectors(w, p);
    if (!M || !Y || !project(w, &w->M, p, w->X, M)) {
        return SP_E_MEMORY;
    }
    for (int k = 0; k < p; k++) {
        const double size = 1.0 / sqrt(M[k * p + k]);
        for (size_t i = 0; i < n; i++) {
            w->X[(size_t)k * n + i] *= size;
        }
    }
    project(w, &w->M, p, w->X, M);
    memcpy(A, M, (size_t)(p * p) * sizeof *A);
    sp_eigen_symmetric(p, A, V, omega2); /* directions of small length depend on the others */
    int kept = 0;
    for (int k = 0; k < p; k++) {
        if (omega2[k] > KEEP_TOL) {
            double *y = Y + (size_t)kept++ * n;
            for (int j = 0; j < p; j++) {
                sp_add_scaled(n, V[j * p + k] / sqrt(omega2[k]), w->X + (size_t)j * n, y);
            }
        }
    }
    w->report->n_dropped = p - kept;
    if (!project(w, &w->M, kept, Y, M) || !project(w, &w->K, kept, Y, K)) {
        return SP_E_MEMORY;
    }
    sp_eigen_pair(kept, M, K, work_, V, omega2);
    memset(w->X, 0, n * (size_t)p * sizeof *w->X);
    for (int k = 0; k < kept; k++) {
        double *x = w->X + (size_t)k * n, most = 0.0;
        for (int j = 0; j < kept; j++) {
            sp_add_scaled(n, V[j * kept + k], Y + (size_t)j * n, x);
        }
        for (size_t i = 0; i < n; i++) {
            most = fabs(x[i]) > fabs(most) ? x[i] : most;
        }
        for (size_t i = 0; i < n; i++) {
            x[i] /= most;
        }
        w->report->own[k] = w->report->reduced[k] = sqrt(fmax(omega2[k], 0.0)) / (2.0 * pi);
    }
    w->n_function = kept;
    return SP_OK;
}

/* Frequencies of the whole part with interfaces let go, from the functions on. */
static sp_status compare_frequencies(work *w, int m, int p)
{
    const size_t n = (size_t)w->n;
    double *block = vectors(w, p), *lambda = SP_NEW(w->arena, double, p);
    if (!block || !lambda) {
        return SP_E_MEMORY;
    }
    fill_by_chance(n * (size_t)p, block);
    const int have = w->n_function < p ? w->n_function : p;
    memcpy(block, w->X, n * (size_t)have * sizeof *block);
    m = m < w->n_function ? m : w->n_function;
    w->statics.n_row = 0;
    if (m > 0 && sp_statics_modes(w->arena, &w->statics, m, p, 1e-8, block, lambda) == 0) {
        return SP_FAIL(w->err, SP_E_NOT_CONVERGED, "eigenvectors did not converge in 60 rounds");
    }
    for (int k = 0; k < m; k++) {
        w->report->full[k] = sqrt(fmax(lambda[k], 0.0)) / (2.0 * pi);
    }
    w->report->n_frequency = m;
    return SP_OK;
}

/* ---- the part ---------------------------------------------------------------------------------
 */

/* Nodal fields (n_node x 3 each) of some vectors. */
static double *nodal(work *w, int m, const double *X)
{
    double *to = SP_NEW(w->arena, double, 3 * (size_t)w->fe->n_node * (size_t)m);
    for (int k = 0; to && k < m; k++) {
        for (int i = 0; i < 3 * w->fe->n_node; i++) {
            if (w->unknown[i] >= 0) {
                to[(size_t)k * 3 * (size_t)w->fe->n_node + (size_t)i] =
                    X[(size_t)k * (size_t)w->n + (size_t)w->unknown[i]];
            }
        }
    }
    return to;
}

/* Mass of one direction over nodes; all three must have the same. */
static sp_status scalar_mass(work *w, sp_sym *m)
{
    const sp_fe *fe = w->fe;
    double sum[9] = {0.0};
    int *place = SP_NEW(w->arena, int, fe->n);
    for (int k = 0; place && k < fe->n; k++) {
        place[k] = fe->dir[k] == 0 ? fe->node[k] : -1;
        for (size_t e = fe->M.start[k]; e < fe->M.start[k + 1]; e++) {
            sum[3 * fe->dir[k] + fe->dir[fe->M.row[e]]] += fe->M.value[e];
        }
    }
    if (!place || !sp_sym_part(w->arena, &fe->M, fe->n_node, place, m)) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < 9; i++) {
        if (!(fabs(sum[i] - (i % 4 == 0 ? sum[0] : 0.0)) <= 1e-6 * sum[0])) {
            return SP_FAIL(
                w->err, SP_E_INPUT,
                "the mass is %g kg along x, %g along y, %g along z: expected the same mass "
                "in all directions and no coupling, as of solids that nothing holds%s",
                sum[0], sum[4], sum[8],
                fe->fixed ? "; leave out *BOUNDARY before the first step" : "");
        }
    }
    return SP_OK;
}

/* Products of all fields with the mass. */
static double *products(work *w, const double *phi, const sp_sym *m)
{
    const size_t n = (size_t)w->fe->n_node;
    const int p = w->n_function, size = 4 + 3 * p;
    double *f = SP_NEW(w->arena, double, n *(size_t)size), *mf = SP_NEW(w->arena, double, n);
    double *gram = SP_NEW(w->arena, double, (size_t)size *(size_t)size);
    if (!f || !mf || !gram) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        f[i] = 1.0;
        for (size_t d = 0; d < 3; d++) {
            f[(1 + d) * n + i] = w->fe->at[3 * i + d];
            for (size_t k = 0; k < (size_t)p; k++) {
                f[(4 + 3 * k + d) * n + i] = phi[(k * n + i) * 3 + d];
            }
        }
    }
    for (int a = 0; a < size; a++) {
        sp_sym_times(m, 1, f + (size_t)a * n, mf);
        for (int b = 0; b < size; b++) {
            gram[(size_t)b * (size_t)size + (size_t)a] = sp_dot(n, f + (size_t)b * n, mf);
        }
    }
    return gram;
}

/* Acceleration of a place: 0-2 along an axis, 3-5 by angular acceleration, 6-11 by the products of
 * spins xx, yy, zz, xy, xz, yz. */
static sp_vec3 acceleration(int load, sp_vec3 at)
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const sp_vec3 e[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (load < 6) {
        return load < 3 ? e[load] : sp_cross3(e[load - 3], at);
    }
    const int i = first[load - 6], j = second[load - 6];
    const sp_vec3 one = sp_cross3(e[i], sp_cross3(e[j], at));
    return i == j ? one : sp_add3(one, sp_cross3(e[j], sp_cross3(e[i], at)));
}

/* Forces of inertia against unit accelerations, and unit forces on the interfaces; what they
 * displace. */
static double *small_loads(work *w, int n_load)
{
    const sp_fe *fe = w->fe;
    double *a = SP_NEW(w->arena, double, fe->n), *Ma = SP_NEW(w->arena, double, fe->n);
    double *U = vectors(w, n_load);
    for (int l = 0; a && Ma && U && l < n_load; l++) {
        double *u = U + (size_t)l * (size_t)w->n;
        if (l >= 12) { /* force along (l - 12) % 3 on interface (l - 12) / 3 */
            const int row = 6 * ((l - 12) / 3) + (l - 12) % 3;
            memcpy(u, w->C + (size_t)row * (size_t)w->n, (size_t)w->n * sizeof *u);
            continue;
        }
        for (int k = 0; k < fe->n; k++) {
            const sp_vec3 at = acceleration(l, sp_vec3_of(fe->at + 3 * fe->node[k]));
            a[k] = fe->dir[k] == 0 ? at.x : fe->dir[k] == 1 ? at.y : at.z;
        }
        sp_sym_times(&fe->M, 1, a, Ma);
        for (int k = 0; k < fe->n; k++) {
            const int to = w->unknown[3 * fe->node[k] + fe->dir[k]];
            if (to >= 0) {
                u[to] = -Ma[k];
            }
        }
    }
    w->statics.n_row = 0;
    for (int l = 0; a && Ma && U && l < n_load; l += 3) {
        sp_statics_solve(&w->statics, 3, U + (size_t)l * (size_t)w->n);
    }
    return a && Ma && U ? nodal(w, n_load, U) : NULL;
}

/* theory (93.6), (93.9) */
static sp_status stiffen(work *w, const double *phi, sp_part_face *face)
{
    const int n_load = 12 + 3 * w->n_face, nn = w->n_function * w->n_function;
    sp_reduce_report *report = w->report;
    if (!w->wish->stiffen) {
        snprintf(report->no_stress, sizeof report->no_stress, "not wanted");
    }
    if (!w->wish->stiffen ||
        !sp_fe_has_stress(w->fe, report->no_stress, sizeof report->no_stress)) {
        return SP_OK;
    }
    double *loads = small_loads(w, n_load);
    double *Kg = SP_NEW(w->arena, double, (size_t)n_load *(size_t)nn);
    if (!loads || !Kg || !sp_fe_geometric(w->fe, n_load, loads, w->n_function, phi, Kg)) {
        return SP_E_MEMORY;
    }
    sp_part_load load;
    for (int l = 0; l < 12; l++) {
        const double *at = Kg + l * nn;
        if (l < 3) {
            load.K0t[l] = at;
        } else if (l < 6) {
            load.K0r[l - 3] = at;
        } else {
            load.K0w[l - 6] = at;
        }
    }
    sp_part_stiffen(&load, w->part);
    for (int f = 0, g = 0; f < w->wish->n_face; f++) {
        double *phi2 = (double *)face[f].phi2;
        if (f == 0 && !w->wish->free) {
            continue;
        }
        for (int kl = 0; kl < nn; kl++) {
            for (int i = 0; i < 3; i++) {
                phi2[3 * kl + i] = -Kg[(12 + 3 * g + i) * nn + kl];
            }
        }
        g++;
    }
    return SP_OK;
}

/* Shapes of the interfaces. */
static sp_part_face *shape_faces(work *w)
{
    const int n = w->n_function;
    sp_part_face *face = SP_NEW(w->arena, sp_part_face, w->wish->n_face + 1);
    for (int f = 0, g = 0; face && f < w->wish->n_face; f++) {
        double *phi = SP_NEW(w->arena, double, 3 * n), *psi = SP_NEW(w->arena, double, 3 * n);
        double *phi2 = SP_NEW(w->arena, double, 3 * n * n);
        if (!phi || !psi || !phi2) {
            return NULL;
        }
        snprintf(face[f].name, sizeof face[f].name, "%s", w->wish->face[f]);
        memcpy(face[f].at, w->center[f], sizeof face[f].at);
        for (int k = 0; k < 6 * n && !(f == 0 && !w->wish->free); k++) {
            const double value = sp_dot((size_t)w->n, w->C + (size_t)(6 * g + k % 6) * (size_t)w->n,
                                        w->X + (size_t)(k / 6) * (size_t)w->n);
            *(k % 6 < 3 ? &phi[3 * (k / 6) + k % 6] : &psi[3 * (k / 6) + k % 6 - 3]) = value;
        }
        g += !(f == 0 && !w->wish->free);
        face[f].phi = phi;
        face[f].psi = psi;
        face[f].phi2 = phi2;
    }
    return face;
}

/* Nodes that have unknowns, their shapes, the surface. */
static bool fill_nodes(work *w, const double *phi)
{
    const sp_fe *fe = w->fe;
    const int n = w->n_function;
    int *place = SP_NEW(w->arena, int, fe->n_node), *triangle, n_node = 0;
    double *node = SP_NEW(w->arena, double, 3 * (size_t)fe->n_node);
    double *shape = SP_NEW(w->arena, double, 3 * (size_t)fe->n_node * (size_t)n);
    if (!place || !node || !shape) {
        return false;
    }
    for (int k = 0; k < fe->n; k++) {
        place[fe->node[k]] = 1;
    }
    for (int i = 0; i < fe->n_node; i++) {
        const bool used = place[i] == 1;
        place[i] = used ? n_node : -1;
        for (int k = 0; used && k < n; k++) {
            memcpy(shape + 3 * ((size_t)n_node * (size_t)n + (size_t)k),
                   phi + 3 * ((size_t)k * (size_t)fe->n_node + (size_t)i), 3 * sizeof *shape);
        }
        if (used) {
            memcpy(node + 3 * n_node++, fe->at + 3 * i, 3 * sizeof *node);
        }
    }
    w->part->n_triangle = sp_fe_surface(fe, &triangle);
    for (int k = 0; triangle && k < 3 * w->part->n_triangle; k++) {
        triangle[k] = place[triangle[k]] < 0 ? 0 : place[triangle[k]];
    }
    w->part->n_node = n_node;
    w->part->node = node;
    w->part->phi = shape;
    w->part->triangle = triangle;
    return triangle != NULL;
}

static sp_status make_part(work *w)
{
    sp_part *p = w->part;
    sp_sym m;
    const double *phi = nodal(w, w->n_function, w->X);
    double *K = SP_NEW(w->arena, double, (size_t)w->n_function *(size_t)w->n_function);
    sp_part_face *face = shape_faces(w);
    *p = (sp_part){.n = w->n_function, .n_face = w->wish->n_face, .face = face};
    if (!phi || !face || !K || !project(w, &w->K, w->n_function, w->X, K)) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; j < i; j++) {
            K[i * p->n + j] = K[j * p->n + i] = 0.5 * (K[i * p->n + j] + K[j * p->n + i]);
        }
    }
    p->Ke = K;
    SP_TRY(scalar_mass(w, &m));
    const double *gram = products(w, phi, &m);
    if (!gram || !sp_part_inertia(w->arena, gram, p) || !fill_nodes(w, phi)) {
        return SP_E_MEMORY;
    }
    return stiffen(w, phi, face);
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Reduced integration, as its name says. */
static bool has_few_points(const sp_fe_element *e)
{
    const size_t n = e->type ? strlen(e->type) : 0;
    return n > 0 && (e->type[n - 1] == 'R' || e->type[n - 1] == 'r');
}

/* Factor the stiffness; what its failure means. */
static sp_status begin(work *w, int most)
{
    int bad = -1;
    const bool free = w->wish->free;
    const double *R = free ? rigid_motions(w) : NULL;
    w->statics = (sp_statics){.K = &w->K, .M = &w->M, .most = most};
    const sp_status status = sp_statics_new(w->arena, free ? 6 : 0, R, &w->statics, &bad, w->err);
    if (status != SP_OK && bad >= 0) {
        int at = 0, reduced = 0;
        while (reduced < w->fe->n_element && !has_few_points(&w->fe->element[reduced])) {
            reduced++;
        }
        while (at < 3 * w->fe->n_node && w->unknown[at] != bad) {
            at++;
        }
        return SP_FAIL(
            w->err, SP_E_INPUT,
            "negative stiffness, or the part is in pieces: the stiffness is not positive at "
            "node %d, direction %d%s",
            w->fe->id[at / 3], at % 3 + 1,
            reduced < w->fe->n_element
                ? "; elements of reduced integration, as in the deck, have motions without stress: "
                  "take C3D20 or C3D8, or more of them across"
                : "");
    }
    return status;
}

sp_status sp_reduce(const sp_fe *fe, const sp_reduce_wish *wish, sp_part *part,
                    sp_reduce_report *report, sp_error *err)
{
    work w = {
        .fe = fe, .arena = fe->arena, .wish = wish, .part = part, .report = report, .err = err};
    const sp_fe_set *set[SP_REDUCE_FACES] = {NULL};
    const int more = wish->n_mode < 8 ? wish->n_mode : 8;
    double lambda[2 * SP_PART_MOST];
    memset(report, 0, sizeof *report);
    report->n_unknown = fe->n;
    SP_TRY(find_faces(&w, set));
    SP_TRY(number_unknowns(&w, wish->free ? NULL : set[0]));
    SP_TRY(make_faces(&w, set));
    const int n_static = 6 * w.n_face;
    int p = wish->n_mode + more;
    p = p > w.n / 2 ? w.n / 2 : p;
    if (wish->n_mode + n_static < 1) {
        return SP_FAIL(err, SP_E_INPUT,
                       "0 functions: expected --modes of 1 or more, or a second "
                       "interface");
    }
    if (wish->n_mode + n_static > SP_PART_MOST || wish->n_mode > p) {
        return SP_FAIL(err, SP_E_INPUT,
                       "%d modes and %d functions of interfaces, at most %d together", wish->n_mode,
                       n_static, p < SP_PART_MOST ? p : SP_PART_MOST);
    }
    report->n_static = n_static;
    sp_status status = begin(&w, p > 8 ? p : 8);
    if (status == SP_OK) {
        report->entries = sp_factor_entries(w.statics.factor);
        status = find_functions(&w, p, lambda);
    }
    if (status == SP_OK) {
        status = tidy_functions(&w);
    }
    if (status == SP_OK) {
        status = compare_frequencies(&w, wish->n_mode > 0 ? wish->n_mode : 6, p > 8 ? p : 8);
    }
    if (status == SP_OK) {
        status = make_part(&w);
    }
    sp_statics_free(&w.statics);
    return status;
}
