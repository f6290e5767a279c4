#include "analysis/modes.h"

#include "math/basis.h"

#include <string.h>

#define NO_DAMPING 1e-13 /* D below this times sqrt |K| is round-off                          */
#define SYMMETRIC  1e-11 /* K - K^T below this times |K| is round-off                         */
#define FREE_K     1e-11 /* eigenvalues of K below this times the largest are zero            */
#define FREE_S     3e-7  /* double zeroes of the general problem come apart by sqrt(1e-16)    */
#define NO_SWING   1e-10 /* imaginary parts below this times the largest |s| are round-off    */
#define GROWS      1e-9  /* real parts above this times |s| are no round-off                  */
#define TWO_PI     6.283185307179586

/* Scratch of the eigenvalue problem. */
typedef struct problem {
    int n;         /* motions                                   */
    double *A, *V; /* (2 n)^2: matrix; vectors of real problems */
    double *w;     /* 2 n                                       */
    sp_complex *s; /* 2 n: eigenvalues                          */
    sp_complex *X; /* (2 n)^2: eigenvectors by columns          */
    void *work;
    double scale; /* of s, 1/s                                 */
} problem;

/* Memory of l for a problem of the size n. */
static bool make_problem(sp_linear *l, size_t n, problem *p)
{
    sp_arena *a = &l->arena;
    *p = (problem){.n = l->n_move,
                   .A = SP_NEW(a, double, n *n),
                   .V = SP_NEW(a, double, n *n),
                   .w = SP_NEW(a, double, n),
                   .s = SP_NEW(a, sp_complex, n),
                   .X = SP_NEW(a, sp_complex, n * n),
                   .work = sp_arena_alloc(a, sp_eigen_work((int)n), 1)};
    return p->A && p->V && p->w && p->s && p->X && p->work;
}

static double largest(int n, const double *X)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(X[i]) > most ? fabs(X[i]) : most;
    }
    return most;
}

/* ---- the list of modes ----------------------------------------------------------------------- */

/* dx of a complex y, scaled so that its largest entry is 1. */
static void shape_of(const sp_linear *l, const sp_steady *steady, const sp_complex *y, double *part,
                     sp_mode *mode)
{
    const int n = steady ? steady->n_place : l->n_move;
    sp_complex most = {0.0, 0.0};
    double *dx = part + l->n, size = 0.0, imaginary = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n; k++) {
            part[k] = pass == 0 ? y[k].re : y[k].im;
        }
        if (steady) {
            sp_steady_expand(l, steady, part, dx);
        } else {
            sp_linear_expand(l, part, dx);
        }
        for (int k = 0; k < l->n; k++) {
            *(pass == 0 ? &mode->shape[k].re : &mode->shape[k].im) = dx[k];
        }
    }
    for (int k = 0; k < l->n; k++) {
        const double here = hypot(mode->shape[k].re, mode->shape[k].im);
        if (here > size * (1.0 + 1e-9)) { /* the first of those that are equally large */
            size = here;
            most = mode->shape[k];
        }
    }
    for (int k = 0; k < l->n && size > 0.0; k++) { /* divided by the largest */
        const sp_complex z = mode->shape[k];
        mode->shape[k].re = (z.re * most.re + z.im * most.im) / (size * size);
        mode->shape[k].im = (z.im * most.re - z.re * most.im) / (size * size);
        imaginary = fabs(mode->shape[k].im) > imaginary ? fabs(mode->shape[k].im) : imaginary;
    }
    mode->is_real = imaginary < 1e-9;
}

/* One more mode with eigenvalue s and vector y. */
static bool add_mode(const sp_linear *l, const sp_steady *steady, sp_mode_kind kind, sp_complex s,
                     const sp_complex *y, double *part, sp_modes *modes)
{
    sp_mode *mode = &modes->mode[modes->n_mode++];
    const double size = hypot(s.re, s.im);
    *mode = (sp_mode){.kind = kind, .s = s, .shape = SP_NEW(&modes->arena, sp_complex, l->n)};
    if (kind == SP_MODE_SWINGS) {
        mode->frequency_hz = size / TWO_PI;
        mode->damped_hz = s.im / TWO_PI;
    }
    if (kind != SP_MODE_FREE) {
        mode->damping = s.re == 0.0 ? 0.0 : -s.re / size;
        mode->unstable = s.re > GROWS * size;
    }
    modes->n_unstable += mode->unstable;
    if (mode->shape) {
        shape_of(l, steady, y, part, mode);
    }
    return mode->shape != NULL;
}

/* What swings first, then by frequency, then by how fast they decay. */
static bool stands_before(const sp_mode *a, const sp_mode *b)
{
    if (a->kind != b->kind) {
        return a->kind > b->kind;
    }
    return a->kind == SP_MODE_SWINGS ? a->frequency_hz < b->frequency_hz : a->s.re > b->s.re;
}

static void sort(sp_modes *modes)
{
    for (int i = 1; i < modes->n_mode; i++) {
        const sp_mode mode = modes->mode[i];
        int k = i;
        for (; k > 0 && stands_before(&mode, &modes->mode[k - 1]); k--) {
            modes->mode[k] = modes->mode[k - 1];
        }
        modes->mode[k] = mode;
    }
}

/* ---- without damping ------------------------------------------------------------------------- */

/* s of s^2 = -mu, the root with im >= 0. */
static sp_complex root_of(sp_complex mu)
{
    const double size = sqrt(hypot(mu.re, mu.im)), angle = 0.5 * atan2(-mu.im, -mu.re);
    return (sp_complex){size * cos(angle), size * sin(angle)};
}

/* The modes of one eigenvalue of K. */
static bool add_square(const sp_linear *l, sp_complex mu, double most, const sp_complex *y,
                       double *part, sp_modes *modes)
{
    const sp_complex zero = {0.0, 0.0};
    if (!(hypot(mu.re, mu.im) > FREE_K * most)) {
        return add_mode(l, NULL, SP_MODE_FREE, zero, y, part, modes);
    }
    if (fabs(mu.im) <= NO_SWING * most && mu.re > 0.0) {
        return add_mode(l, NULL, SP_MODE_SWINGS, (sp_complex){0.0, sqrt(mu.re)}, y, part, modes);
    }
    if (fabs(mu.im) <= NO_SWING * most) {
        const double rate = sqrt(-mu.re);
        return add_mode(l, NULL, SP_MODE_REAL, (sp_complex){rate, 0.0}, y, part, modes) &&
               add_mode(l, NULL, SP_MODE_REAL, (sp_complex){-rate, 0.0}, y, part, modes);
    }
    sp_complex s = root_of(mu); /* of a complex mu both roots swing: flutter */
    s = s.im < 0.0 ? (sp_complex){-s.re, -s.im} : s;
    return add_mode(l, NULL, SP_MODE_SWINGS, s, y, part, modes);
}

/* s^2 = -eigenvalues of K: Jacobi if K is symmetric. */
static sp_status undamped(const sp_linear *l, problem *p, double *part, sp_modes *modes,
                          sp_error *err)
{
    const int n = p->n;
    double skew = 0.0, most = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            const double a = l->K_r[i * n + k], b = l->K_r[k * n + i];
            p->A[i * n + k] = 0.5 * (a + b);
            skew = fabs(a - b) > skew ? fabs(a - b) : skew;
        }
    }
    if (skew <= SYMMETRIC * largest(n * n, l->K_r)) {
        sp_eigen_symmetric(n, p->A, p->V, p->w);
        for (int k = 0; k < n * n; k++) {
            p->X[k] = (sp_complex){p->V[k], 0.0};
        }
        for (int k = 0; k < n; k++) {
            p->s[k] = (sp_complex){p->w[k], 0.0};
        }
    } else if (!sp_eigen_general(n, l->K_r, p->s, p->X, p->work)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "the eigenvalues of the machine were not found");
    }
    for (int k = 0; k < n; k++) {
        most = hypot(p->s[k].re, p->s[k].im) > most ? hypot(p->s[k].re, p->s[k].im) : most;
    }
    sp_complex *y = (sp_complex *)p->work;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            y[i] = p->X[i * n + k];
        }
        if (!add_square(l, p->s[k], most, y, part, modes)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the modes");
        }
    }
    return SP_OK;
}

/* ---- with damping or gyroscopic terms -------------------------------------------------------- */

/* Motions that nothing pulls back: K y = 0.  How many, and the modes. */
static int add_free(const sp_linear *l, problem *p, double *part, sp_modes *modes)
{
    const int n = p->n;
    const double most = largest(n * n, l->K_r);
    memcpy(p->A, l->K_r, (size_t)(n * n) * sizeof *p->A);
    for (int i = 0; i < n; i++) {
        if (!(largest(n, p->A + i * n) > FREE_K * most)) {
            memset(p->A + i * n, 0, (size_t)n * sizeof *p->A);
        }
    }
    const int rank = sp_basis_split(n, n, p->A, 1e-9, p->V);
    sp_complex *y = (sp_complex *)p->work;
    for (int k = rank; k < n; k++) {
        for (int i = 0; i < n; i++) {
            y[i] = (sp_complex){p->V[k * n + i], 0.0};
        }
        if (!add_mode(l, NULL, SP_MODE_FREE, (sp_complex){0.0, 0.0}, y, part, modes)) {
            return -1;
        }
    }
    return n - rank;
}

/* The first-order form in units of time 1/scale:  (y, y')' = [0 1; -K -D] (y, y'). */
static void fill_companion(const sp_linear *l, problem *p)
{
    const int n = p->n, m = 2 * n;
    memset(p->A, 0, (size_t)(m * m) * sizeof *p->A);
    for (int i = 0; i < n; i++) {
        p->A[i * m + n + i] = 1.0;
        for (int k = 0; k < n; k++) {
            p->A[(n + i) * m + k] = -l->K_r[i * n + k] / (p->scale * p->scale);
            p->A[(n + i) * m + n + k] = -l->D_r[i * n + k] / p->scale;
        }
    }
}

/* The n_free smallest eigenvalues, and all that are nothing but a double zero come apart, become
 * zero. */
static void drop_free(int n_free, problem *p)
{
    const int m = 2 * p->n;
    for (int k = 0; k < m && n_free > 0; k++) {
        if (hypot(p->s[k].re, p->s[k].im) < FREE_S) {
            p->s[k] = (sp_complex){0.0, 0.0};
        }
    }
    for (int j = 0; j < n_free; j++) {
        int least = -1;
        for (int k = 0; k < m; k++) {
            const double size = hypot(p->s[k].re, p->s[k].im);
            if (size > 0.0 && (least < 0 || size < hypot(p->s[least].re, p->s[least].im))) {
                least = k;
            }
        }
        int zeroes = 0;
        for (int k = 0; k < m; k++) {
            zeroes += p->s[k].re == 0.0 && p->s[k].im == 0.0;
        }
        if (zeroes >= n_free || least < 0) {
            return;
        }
        p->s[least] = (sp_complex){0.0, 0.0};
    }
}

static sp_status damped(const sp_linear *l, problem *p, double *part, sp_modes *modes,
                        sp_error *err)
{
    const int m = 2 * p->n;
    const int n_free = add_free(l, p, part, modes);
    fill_companion(l, p);
    if (n_free < 0 || !sp_eigen_general(m, p->A, p->s, p->X, p->work)) {
        return SP_FAIL(err, n_free < 0 ? SP_E_MEMORY : SP_E_NOT_CONVERGED,
                       "the eigenvalues of the machine were not found");
    }
    drop_free(n_free, p);
    sp_complex *y = (sp_complex *)p->work;
    for (int k = 0; k < m; k++) {
        sp_complex s = {p->s[k].re * p->scale, p->s[k].im * p->scale};
        const double size = hypot(s.re, s.im);
        const bool swings = fabs(p->s[k].im) > NO_SWING;
        if (size == 0.0 || (swings && s.im < 0.0)) { /* listed already, or the conjugate one */
            continue;
        }
        for (int i = 0; i < p->n; i++) {
            y[i] = p->X[i * m + k];
        }
        s.im = swings ? s.im : 0.0;
        s.re = fabs(s.re) <= 1e-14 * p->scale ? 0.0 : s.re;
        if (!add_mode(l, NULL, swings ? SP_MODE_SWINGS : SP_MODE_REAL, s, y, part, modes)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the modes");
        }
    }
    return SP_OK;
}

/* ---- about a steady motion ------------------------------------------------------------------- */

/* The largest rate of F, whose v are rates of its y. */
static double rate_of(const sp_steady *s)
{
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->n; k++) {
            const double here = fabs(s->F[i * s->n + k]);
            const bool places = i < s->n_place, by_places = k < s->n_place;
            const double rate = places == by_places ? here : places ? 0.0 : sqrt(here);
            most = rate > most ? rate : most;
        }
    }
    return most;
}

/* Eigenvalues of F in units of time 1/scale; zeroes come apart by the root of round-off. */
static sp_status first_order(const sp_linear *l, const sp_steady *steady, problem *p, double *part,
                             sp_modes *modes, sp_error *err)
{
    const int m = steady->n;
    p->scale = rate_of(steady);
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) {
            const int power = (i < steady->n_place ? 0 : 1) - (k < steady->n_place ? 0 : 1);
            const double unit = power == 0 ? p->scale : power > 0 ? p->scale * p->scale : 1.0;
            p->A[i * m + k] = p->scale > 0.0 ? steady->F[i * m + k] / unit : 0.0;
        }
    }
    if (!sp_eigen_general(m, p->A, p->s, p->X, p->work)) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED, "the eigenvalues of the machine were not found");
    }
    sp_complex *y = (sp_complex *)p->work;
    for (int k = 0; k < m; k++) {
        const bool free = hypot(p->s[k].re, p->s[k].im) < FREE_S;
        const bool swings = !free && fabs(p->s[k].im) > NO_SWING;
        sp_complex s = {free ? 0.0 : p->s[k].re * p->scale, swings ? p->s[k].im * p->scale : 0.0};
        if (s.im < 0.0) { /* the conjugate one is listed */
            continue;
        }
        for (int i = 0; i < steady->n_place; i++) {
            y[i] = p->X[i * m + k];
        }
        const sp_mode_kind kind = free ? SP_MODE_FREE : swings ? SP_MODE_SWINGS : SP_MODE_REAL;
        if (!add_mode(l, steady, kind, s, y, part, modes)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the modes");
        }
    }
    return SP_OK;
}

/* Modes with contacts in space that are closed. */
static sp_status about_motion(sp_linear *l, const sp_state *x, sp_modes *modes, sp_error *err)
{
    sp_steady steady;
    problem p;
    SP_TRY(sp_steady_find(l, x, &steady, err));
    double *part = SP_NEW(&l->arena, double, 2 * l->n + steady.n);
    modes->mode = SP_NEW(&modes->arena, sp_mode, steady.n);
    modes->axes = steady.axes;
    modes->is_steady = steady.is_steady;
    if (!part || !modes->mode || !make_problem(l, (size_t)steady.n, &p)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the modes of %d degrees of freedom", l->n);
    }
    if (!isfinite(largest(steady.n * steady.n, steady.F))) {
        return SP_FAIL(err, SP_E_NONFINITE,
                       "a force has no finite derivative at this state: it divides by zero or "
                       "leaves the domain of a function");
    }
    SP_TRY(first_order(l, &steady, &p, part, modes, err));
    sort(modes);
    return SP_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

sp_status sp_modes_find(sp_linear *l, const sp_state *x, sp_modes *modes, sp_error *err)
{
    problem p;
    *modes = (sp_modes){.n_mode = 0, .axes = SP_AXES_OWN};
    sp_arena_init(&modes->arena, &l->arena.allocator, 0);
    if (l->in_space) {
        return about_motion(l, x, modes, err);
    }
    sp_linear_tangent(l, x);
    SP_TRY(sp_linear_reduce(l, x, err));
    double *part = SP_NEW(&l->arena, double, 2 * l->n + l->n_move);
    modes->mode = SP_NEW(&modes->arena, sp_mode, 2 * l->n_move + l->n_move);
    if (!part || !modes->mode || !make_problem(l, 2 * (size_t)l->n_move, &p)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the modes of %d degrees of freedom", l->n);
    }
    const double K = largest(p.n * p.n, l->K_r), D = largest(p.n * p.n, l->D_r);
    if (!isfinite(K) || !isfinite(D)) {
        return SP_FAIL(err, SP_E_NONFINITE,
                       "a force has no finite derivative at this state: it divides by zero or "
                       "leaves the domain of a function");
    }
    p.scale = sqrt(K) > D ? sqrt(K) : D;
    if (D <= NO_DAMPING * sqrt(K)) {
        SP_TRY(undamped(l, &p, part, modes, err));
    } else {
        SP_TRY(damped(l, &p, part, modes, err));
    }
    sort(modes);
    return SP_OK;
}

void sp_modes_free(sp_modes *modes)
{
    sp_arena_free(&modes->arena);
}
