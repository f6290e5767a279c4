#include "solvers/fc_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>

double sp_fc_clock(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int sp_fc_late(const sp_fc_goal *g)
{
    return g->deadline > 0.0 && sp_fc_clock() > g->deadline;
}

/* The first contact of the set that k is in, with the path halved on the way. */
static int find(int *parent, int k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

int sp_fc_islands(const sp_fc_matrix *G, int n_contact, int *parent, int *order, int *first,
                  int *local)
{
    for (int i = 0; i < n_contact; i++) {
        parent[i] = i;
    }
    for (int i = 0; i < n_contact; i++) {
        int a = find(parent, i);
        for (int k = G->start[i]; k < G->start[i + 1]; k++) {
            if (parent[G->column[k]] == a) {
                continue; /* as most of them are */
            }
            const int b = find(parent, G->column[k]), least = a > b ? b : a;
            parent[a > b ? a : b] = least;
            a = least;
        }
    }
    /* islands are numbered by their first contact; local holds that number for a while */
    int n_island = 0;
    for (int i = 0; i < n_contact; i++) {
        const int root = find(parent, i);
        if (root == i) {
            local[i] = n_island;
            first[n_island++] = 0;
        }
        local[i] = local[root];
        first[local[i]]++;
    }
    int sum = 0;
    for (int k = 0; k < n_island; k++) {
        const int size = first[k];
        first[k] = sum;
        sum += size;
    }
    first[n_island] = sum;
    for (int i = 0; i < n_contact; i++) {
        order[first[local[i]]++] = i;
    }
    for (int k = n_island; k > 0; k--) {
        first[k] = first[k - 1];
    }
    first[0] = 0;
    for (int k = 0; k < n_island; k++) {
        for (int m = first[k]; m < first[k + 1]; m++) {
            local[order[m]] = m - first[k];
        }
    }
    return n_island;
}

/* A (dim x dim, dim <= 4) <- its inverse by elimination with row exchanges; 0 if singular. */
static int invert_by_rows(int dim, double *A)
{
    double B[SP_SET_DIM_MAX][2 * SP_SET_DIM_MAX], size = 0.0;
    for (int a = 0; a < dim; a++) {
        for (int b = 0; b < dim; b++) {
            B[a][b] = A[a * dim + b];
            B[a][dim + b] = a == b ? 1.0 : 0.0;
            size = sp_fc_larger(size, fabs(B[a][b]));
        }
    }
    for (int k = 0; k < dim; k++) {
        int best = k;
        for (int a = k + 1; a < dim; a++) {
            best = fabs(B[a][k]) > fabs(B[best][k]) ? a : best;
        }
        if (!(fabs(B[best][k]) > 1e-14 * size)) {
            return 0;
        }
        for (int b = 0; b < 2 * dim; b++) {
            const double x = B[best][b];
            B[best][b] = B[k][b];
            B[k][b] = x;
        }
        for (int a = 0; a < dim; a++) {
            const double f = B[a][k] / B[k][k];
            for (int b = k; a != k && b < 2 * dim; b++) {
                B[a][b] -= f * B[k][b];
            }
        }
    }
    for (int e = 0; e < dim * dim; e++) {
        A[e] = B[e / dim][dim + e % dim] / B[e / dim][e / dim];
    }
    return 1;
}

int sp_fc_invert(int dim, double *A)
{
    if (dim > 3) {
        return invert_by_rows(dim, A);
    }
    if (dim == 1) {
        const double a = A[0];
        A[0] = 1.0 / (a != 0.0 ? a : 1.0);
        return a != 0.0;
    }
    if (dim == 2) {
        const double det = A[0] * A[3] - A[1] * A[2];
        if (!(fabs(det) > 1e-14 * (fabs(A[0] * A[3]) + fabs(A[1] * A[2])))) {
            return 0;
        }
        const double B[4] = {A[3] / det, -A[1] / det, -A[2] / det, A[0] / det};
        memcpy(A, B, sizeof B);
        return 1;
    }
    const double m0 = A[4] * A[8] - A[5] * A[7], m1 = A[5] * A[6] - A[3] * A[8];
    const double m2 = A[3] * A[7] - A[4] * A[6], det = A[0] * m0 + A[1] * m1 + A[2] * m2;
    const double size = fabs(A[0] * A[4] * A[8]) + fabs(A[1] * A[5] * A[6]) +
                        fabs(A[2] * A[3] * A[7]) + fabs(A[0] * A[5] * A[7]);
    if (!(fabs(det) > 1e-14 * size)) {
        return 0;
    }
    const double B[9] = {
        m0 / det, (A[2] * A[7] - A[1] * A[8]) / det, (A[1] * A[5] - A[2] * A[4]) / det,
        m1 / det, (A[0] * A[8] - A[2] * A[6]) / det, (A[2] * A[3] - A[0] * A[5]) / det,
        m2 / det, (A[1] * A[6] - A[0] * A[7]) / det, (A[0] * A[4] - A[1] * A[3]) / det};
    memcpy(A, B, sizeof B);
    return 1;
}

/* The inverse of G_ii, with a little added to the diagonal if it is singular. */
static void invert_diagonal(const sp_fc_island *l, int i)
{
    const int dim = l->row[i + 1] - l->row[i];
    double *inverse = l->stick + SP_FC_BLOCK * i;
    const double *G = l->G + l->at[l->diag[i]];
    if (dim * dim > SP_FC_BLOCK) {
        return; /* not asked for, see fc_local_ball.c */
    }
    for (double extra = 0.0; extra < 1.0; extra = extra == 0.0 ? 1e-12 : 1e3 * extra) {
        memcpy(inverse, G, (size_t)(dim * dim) * sizeof *G);
        for (int a = 0; a < dim; a++) {
            inverse[a * dim + a] += extra;
        }
        if (sp_fc_invert(dim, inverse)) {
            return;
        }
    }
    memset(inverse, 0, SP_FC_BLOCK * sizeof *inverse);
}

/* 1 / sqrt of the largest diagonal entry of contact i; 1 if there is none. */
static double scale_of(const sp_fc *p, int i)
{
    const int dim = sp_set_dim(&p->set[i]);
    double largest = 0.0;
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        for (int a = 0; p->G.column[k] == i && a < dim; a++) {
            const double g = fabs(p->G.value[p->G.at[k] + (size_t)(a * dim + a)]);
            largest = g > largest ? g : largest;
        }
    }
    return largest > 1e-280 && largest < 1e280 ? 1.0 / sqrt(largest) : 1.0;
}

/* The set of contact i in scaled percussions p = P / d. */
static sp_set scaled_set(const sp_set *s, double d)
{
    sp_set t = *s;
    t.lo /= d;
    t.hi /= d;
    t.R_N *= s->R_N != 0.0 ? cbrt(d) : 1.0; /* P_N^(1/3) = (d p_N)^(1/3) */
    for (int a = 0; a < SP_SET_DIM_MAX; a++) {
        t.shift[a] = s->shifted ? s->shift[a] / d : 0.0;
    }
    return t;
}

/* Memory of an island; 0 if there is none. */
static int place(sp_fc_island *l, sp_fc_stack *stack, size_t n_value)
{
    const size_t nc = (size_t)l->n_contact, blocks = (size_t)l->n_block;
    l->set = SP_TAKE(stack, sp_set, nc);
    l->row = SP_TAKE(stack, int, nc + 1);
    l->start = SP_TAKE(stack, int, nc + 1);
    l->diag = SP_TAKE(stack, int, nc);
    l->d = SP_TAKE(stack, double, nc);
    l->stick = SP_TAKE(stack, double, SP_FC_BLOCK *nc);
    l->column = SP_TAKE(stack, int, blocks);
    l->at = SP_TAKE(stack, int, blocks + 1);
    l->c = SP_TAKE(stack, double, SP_SET_DIM_MAX *nc);
    l->G = SP_TAKE(stack, double, n_value);
    return !stack->failed;
}

/* Copy the blocks of contact i, scaled; b: next free block.  A missing diagonal block is zero. */
static int take_row(const sp_fc *p, int i, const int *local, sp_fc_island *l, int b)
{
    const int global = l->contact[i], dim = l->row[i + 1] - l->row[i];
    const sp_fc_matrix *G = &p->G;
    l->diag[i] = -1;
    l->start[i] = b;
    for (int k = G->start[global]; k < G->start[global + 1]; k++) {
        const int j = local[G->column[k]], size = dim * (l->row[j + 1] - l->row[j]);
        const double f = l->d[i] * l->d[j], *from = G->value + G->at[k];
        for (int e = 0; e < size; e++) {
            l->G[l->at[b] + e] = f * from[e];
        }
        if (i == j) {
            l->diag[i] = b;
        }
        l->column[b] = j;
        l->at[b + 1] = l->at[b] + size;
        b++;
    }
    if (l->diag[i] < 0) {
        memset(l->G + l->at[b], 0, (size_t)(dim * dim) * sizeof *l->G);
        l->diag[i] = b;
        l->column[b] = i;
        l->at[b + 1] = l->at[b] + dim * dim;
        b++;
    }
    l->start[i + 1] = b;
    return b;
}

int sp_fc_island_take(const sp_fc *p, int n_contact, const int *contact, const int *local,
                      double worth, sp_fc_stack *stack, sp_fc_island *l)
{
    long long n_value = 0, n_block = n_contact; /* room for diagonal blocks that are missing */
    l->n_contact = n_contact;
    l->contact = contact;
    l->worth = worth;
    l->xi_scale = p->xi_scale;
    for (int i = 0; i < n_contact; i++) {
        const int global = contact[i], dim = sp_set_dim(&p->set[global]);
        n_block += p->G.start[global + 1] - p->G.start[global];
        n_value += dim * dim;
        for (int k = p->G.start[global]; k < p->G.start[global + 1]; k++) {
            n_value += dim * sp_set_dim(&p->set[p->G.column[k]]);
        }
    }
    l->n_block = (int)n_block;
    if (n_block > INT_MAX || n_value > INT_MAX || !place(l, stack, (size_t)n_value)) {
        stack->failed = 1;
        return 0;
    }
    l->row[0] = 0;
    for (int i = 0; i < n_contact; i++) {
        const int global = contact[i], dim = sp_set_dim(&p->set[global]);
        l->row[i + 1] = l->row[i] + dim;
        l->d[i] = scale_of(p, global);
        l->set[i] = scaled_set(&p->set[global], l->d[i]);
        for (int a = 0; a < dim; a++) {
            l->c[l->row[i] + a] = l->d[i] * p->c[p->row[global] + a];
        }
    }
    l->n = l->row[n_contact];
    l->at[0] = 0;
    int blocks = 0;
    for (int i = 0; i < n_contact; i++) {
        blocks = take_row(p, i, local, l, blocks);
        invert_diagonal(l, i);
    }
    l->n_block = blocks;
    l->threes = 1;
    for (int i = 0; i < n_contact; i++) {
        l->threes = l->threes && l->row[i + 1] - l->row[i] == 3;
    }
    return 1;
}

/* u = G p + c of contacts of any number of rows. */
static void velocity_any(const sp_fc_island *l, const double *p, double *u)
{
    for (int i = 0; i < l->n_contact; i++) {
        const int dim = l->row[i + 1] - l->row[i];
        double *v = u + l->row[i];
        memcpy(v, l->c + l->row[i], (size_t)dim * sizeof *v);
        for (int k = l->start[i]; k < l->start[i + 1]; k++) {
            const int j = l->column[k], cols = l->row[j + 1] - l->row[j];
            const double *G = l->G + l->at[k], *x = p + l->row[j];
            for (int a = 0; a < dim; a++) {
                for (int b = 0; b < cols; b++) {
                    v[a] += G[a * cols + b] * x[b];
                }
            }
        }
    }
}

/* The same where all have three. */
SP_INLINE void velocity_threes(const sp_fc_island *l, const double *p, double *u)
{
    for (int i = 0; i < l->n_contact; i++) {
        sp_fc_rows3(l, i, 0, 0, p, u + 3 * (size_t)i);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* The same with instructions for four numbers at once. */
__attribute__((target("avx2"))) static void velocity_avx2(const sp_fc_island *l, const double *p,
                                                          double *u)
{
    velocity_threes(l, p, u);
}
#endif

void sp_fc_island_velocity(const sp_fc_island *l, const double *p, double *u)
{
    if (!l->threes) {
        velocity_any(l, p, u);
        return;
    }
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        velocity_avx2(l, p, u);
        return;
    }
#endif
    velocity_threes(l, p, u);
}

/* sum_j |G_ij| |p_j| + |c_i|, the largest over the rows of contact i. */
static double terms_of(const sp_fc_island *l, int i, const double *p)
{
    const int dim = l->row[i + 1] - l->row[i];
    double largest = 0.0;
    for (int a = 0; a < dim; a++) {
        double sum = fabs(l->c[l->row[i] + a]);
        for (int k = l->start[i]; k < l->start[i + 1]; k++) {
            const int j = l->column[k], cols = l->row[j + 1] - l->row[j];
            for (int b = 0; b < cols; b++) {
                sum += fabs(l->G[l->at[k] + a * cols + b] * p[l->row[j] + b]);
            }
        }
        largest = sp_fc_larger(largest, sum);
    }
    return largest;
}

/* x <- prox_C(x); discs by a square root where squares neither vanish nor overflow: hypot takes
 * five times as long. */
static inline void project(const sp_set *s, double *x)
{
    const double len2 = s->kind == SP_SET_DISC && !s->shifted ? x[1] * x[1] + x[2] * x[2] : 0.0;
    if (!(len2 > 1e-290 && len2 < 1e290)) {
        sp_set_project(s, x);
        return;
    }
    const double normal = x[0] < 0.0 ? 0.0 : x[0], radius = s->mu * normal, len = sqrt(len2);
    x[0] = normal;
    if (len > radius) {
        x[1] *= radius / len;
        x[2] *= radius / len;
    }
}

double sp_fc_natural_defect(const sp_set *s, int dim, const double *p, const double *u)
{
    double x[SP_SET_DIM_MAX], worst = 0.0;
    for (int a = 0; a < dim; a++) {
        x[a] = p[a] - u[a];
    }
    project(s, x);
    for (int a = 0; a < dim; a++) {
        worst = sp_fc_larger(worst, fabs(p[a] - x[a]));
    }
    return worst;
}

/* max_i defect_i, with the rounding of its terms, over their size, at most 10 worth. */
static double scaled_error(const sp_fc_island *l, const double *p, const double *u)
{
    double worst = 0.0, finite = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        const double defect = sp_fc_natural_defect(&l->set[i], dim, p + k, u + k);
        const double terms = terms_of(l, i, p);
        const double size = fmax(fmin(terms, 10.0 * l->worth), l->d[i] * l->xi_scale);
        for (int a = 0; a < dim; a++) {
            finite += 0.0 * (p[k + a] + u[k + a]);
        }
        worst = sp_fc_larger(worst, (defect + SP_FC_ROUNDING * terms) / (size + 1e-300));
    }
    return worst + finite;
}

double sp_fc_unit_defect2(const sp_set *s, int dim, double d, const double *p, const double *u)
{
    double x[SP_SET_DIM_MAX], sum = 0.0;
    const double rho = 1.0 / (d * d);
    for (int a = 0; a < dim; a++) {
        x[a] = p[a] - rho * u[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    if (s->kind == SP_SET_DISC || s->kind == SP_SET_PLANAR) {
        const double slip = dim == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]);
        x[0] -= rho * s->mu * slip;
        sp_cone_project(dim, s->mu, x);
    } else {
        sp_set plain = *s;
        plain.shifted = 0;
        sp_set_project(&plain, x);
    }
    for (int a = 0; a < dim; a++) {
        const double defect = d * (p[a] - x[a] - (s->shifted ? s->shift[a] : 0.0));
        sum += defect * defect;
    }
    return sum;
}

double sp_fc_island_error(const sp_fc_island *l, const sp_fc_goal *g, const double *p,
                          const double *u)
{
    if (g->measure == SP_FC_SCALED) {
        return scaled_error(l, p, u);
    }
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < l->n_contact; i++) {
        const int k = l->row[i], dim = l->row[i + 1] - k;
        sum += sp_fc_unit_defect2(&l->set[i], dim, l->d[i], p + k, u + k);
        largest = sp_fc_larger(largest, fabs(p[k]) / l->d[i]);
    }
    return (sqrt(sum) + SP_FC_ROUNDING * largest) / g->c_norm;
}

double sp_fc_island_judge(const sp_fc_island *l, const sp_fc_goal *g, const double *p, double *u)
{
    sp_fc_island_velocity(l, p, u);
    return sp_fc_island_error(l, g, p, u);
}

void sp_fc_island_project(const sp_fc_island *l, double *p)
{
    for (int i = 0; i < l->n_contact; i++) {
        project(&l->set[i], p + l->row[i]);
    }
}

double sp_fc_island_keep(const sp_fc_island *l, const sp_fc_goal *g, double *trial, double *u,
                         double error, double *p)
{
    sp_fc_island_project(l, trial);
    const double now = sp_fc_island_judge(l, g, trial, u);
    if (now < error || (isnan(error) && !isnan(now))) {
        memcpy(p, trial, (size_t)l->n * sizeof *p);
        return now;
    }
    return error;
}

unsigned char sp_fc_contact_status(const sp_set *s, const double *p, const double *u)
{
    double x[SP_SET_DIM_MAX] = {0.0};
    const int dim = sp_set_dim(s);
    for (int a = 0; a < dim; a++) {
        x[a] = p[a] - u[a] - (s->shifted ? s->shift[a] : 0.0);
    }
    if (s->kind == SP_SET_FREE) {
        return SP_STICK;
    }
    if (s->kind == SP_SET_INTERVAL) {
        return x[0] < s->lo ? SP_SLIP_POS : x[0] > s->hi ? SP_SLIP_NEG : SP_STICK;
    }
    if (!(x[0] > 0.0)) {
        return SP_OPEN;
    }
    if (sp_set_is_ball(s)) {
        double y[SP_SET_DIM_MAX];
        memcpy(y, x, (size_t)dim * sizeof *y);
        sp_ball_project(s, y);
        return memcmp(x, y, (size_t)dim * sizeof *y) ? SP_SLIP_POS : SP_STICK;
    }
    if (s->kind == SP_SET_PLANAR && fabs(x[1]) > s->mu * x[0]) {
        return x[1] > 0.0 ? SP_SLIP_NEG : SP_SLIP_POS;
    }
    return s->kind == SP_SET_DISC && hypot(x[1], x[2]) > s->mu * x[0] ? SP_SLIP_POS : SP_STICK;
}

int sp_fc_any_ball(const sp_fc_island *l)
{
    for (int i = 0; i < l->n_contact; i++) {
        if (sp_set_is_ball(&l->set[i])) {
            return 1;
        }
    }
    return 0;
}
