#include "io/part_file.h"
#include "io/problem_hdf5.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    sp_hdf file;
    sp_arena *arena;
    sp_error *err;
    sp_status status; /* the first that went wrong */
} reader;

/* ---- numbers ----------------------------------------------------------------------------------
 */

static bool find(reader *r, const char *path, sp_hdf_data *d)
{
    if (r->status == SP_OK) {
        r->status = sp_hdf_find(&r->file, path, d, r->err);
    }
    return r->status == SP_OK;
}

/* A dataset of n numbers, all finite; NULL after an error. */
static const double *numbers(reader *r, const char *path, size_t n)
{
    sp_hdf_data d;
    if (!find(r, path, &d)) {
        return NULL;
    }
    if (d.count != n) {
        r->status = SP_FAIL(r->err, SP_E_INPUT,
                            "'%s' has %llu numbers, expected %zu: the file does "
                            "not fit together; run 'specht reduce' again",
                            path, (unsigned long long)d.count, n);
        return NULL;
    }
    double *x = SP_NEW(r->arena, double, n);
    r->status = x ? SP_OK : SP_E_MEMORY;
    for (size_t i = 0; x && i < n; i++) {
        x[i] = sp_hdf_number(&d, i);
        if (!isfinite(x[i])) {
            r->status = SP_FAIL(r->err, SP_E_INPUT, "'%s': number %zu is not finite", path, i + 1);
            return NULL;
        }
    }
    return x;
}

/* How many rows of so many numbers a dataset has. */
static int rows(reader *r, const char *path, size_t width)
{
    sp_hdf_data d;
    if (!find(r, path, &d)) {
        return 0;
    }
    if (d.count % width != 0 || d.count / width > 100000000) {
        r->status = SP_FAIL(r->err, SP_E_INPUT, "'%s' has %llu numbers, expected rows of %zu", path,
                            (unsigned long long)d.count, width);
        return 0;
    }
    return (int)(d.count / width);
}

static void copy(reader *r, const char *path, size_t n, double *to)
{
    const double *x = numbers(r, path, n);
    if (x) {
        memcpy(to, x, n * sizeof *to);
    }
}

/* ---- the part ---------------------------------------------------------------------------------
 */

static void read_triangles(reader *r, sp_part *p)
{
    p->n_triangle = rows(r, "triangle", 3);
    const double *x = numbers(r, "triangle", 3 * (size_t)p->n_triangle);
    int *t = SP_NEW(r->arena, int, 3 * (size_t)p->n_triangle);
    for (int i = 0; x && t && i < 3 * p->n_triangle; i++) {
        if (!(x[i] >= 0.0 && x[i] < p->n_node)) {
            r->status =
                SP_FAIL(r->err, SP_E_INPUT, "'triangle' has node %g of %d", x[i], p->n_node);
            return;
        }
        t[i] = (int)x[i];
    }
    p->triangle = t;
}

static void read_faces(reader *r, sp_part *p)
{
    const size_t n = (size_t)p->n, m = (size_t)rows(r, "interface_at", 3);
    const double *name = numbers(r, "interface_name", m * SP_PART_NAME);
    const double *at = numbers(r, "interface_at", 3 * m);
    const double *phi = numbers(r, "interface_phi", m * 3 * n);
    const double *psi = numbers(r, "interface_psi", m * 3 * n);
    const double *phi2 = numbers(r, "interface_phi2", m * 3 * n * n);
    sp_part_face *face = SP_NEW(r->arena, sp_part_face, m);
    for (size_t i = 0; r->status == SP_OK && face && i < m; i++) {
        for (size_t k = 0; k + 1 < SP_PART_NAME; k++) {
            const double c = name[i * SP_PART_NAME + k];
            face[i].name[k] = c >= 32.0 && c < 127.0 ? (char)c : '\0';
        }
        memcpy(face[i].at, at + 3 * i, sizeof face[i].at);
        face[i].phi = phi + i * 3 * n;
        face[i].psi = psi + i * 3 * n;
        face[i].phi2 = phi2 + i * 3 * n * n;
    }
    p->n_face = (int)m;
    p->face = face;
}

static void read_inertia(reader *r, sp_part *p)
{
    const size_t n = (size_t)p->n;
    copy(r, "mass", 1, &p->mass);
    copy(r, "mdCM", 3, p->mdCM);
    copy(r, "J0", 6, p->J0);
    p->Ct0 = numbers(r, "Ct0", 3 * n);
    p->Ct1 = numbers(r, "Ct1", 3 * n * n);
    p->J1 = numbers(r, "J1", 6 * n);
    p->J2 = numbers(r, "J2", 6 * n * n);
    p->Cr0 = numbers(r, "Cr0", 3 * n);
    p->Cr1 = numbers(r, "Cr1", 3 * n * n);
    p->Me = numbers(r, "Me", n * n);
    p->Ke = numbers(r, "Ke", n * n);
    bool damped = false;
    if (r->status == SP_OK) {
        r->status = sp_hdf_exists(&r->file, "De", &damped, r->err);
    }
    p->De = damped ? numbers(r, "De", n * n) : NULL;
}

static void measure(sp_part *p)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * p->n_node; i++) {
        low[i % 3] = fmin(low[i % 3], p->node[i]);
        high[i % 3] = fmax(high[i % 3], p->node[i]);
    }
    p->size = 0.0;
    for (int i = 0; i < 3 && p->n_node > 0; i++) {
        p->size = fmax(p->size, high[i] - low[i]);
    }
}

/* ---- what no body can have --------------------------------------------------------------------
 */

/* Smallest and largest eigenvalue of an n x n matrix, and whether it is symmetric. */
static sp_status spectrum(sp_arena *arena, int n, const double *A, double *low, double *high,
                          bool *symmetric)
{
    double *B = SP_NEW(arena, double, n *n), *V = SP_NEW(arena, double, n *n);
    double *w = SP_NEW(arena, double, n), size = 0.0, skew = 0.0;
    if (!B || !V || !w) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < n * n; i++) {
        B[i] = A[i];
        size = fmax(size, fabs(A[i]));
        skew = fmax(skew, fabs(A[i] - A[i % n * n + i / n]));
    }
    sp_eigen_symmetric(n, B, V, w);
    *low = w[0];
    *high = w[n - 1];
    *symmetric = skew <= 1e-8 * size;
    return SP_OK;
}

/* No eigenvalue below zero. */
static sp_status check_sign(sp_arena *arena, int n, const double *A, const char *what,
                            const char *name, sp_error *err)
{
    double low = 0.0, high = 0.0;
    bool good = true;
    if (!A) {
        return SP_OK;
    }
    SP_TRY(spectrum(arena, n, A, &low, &high, &good));
    if (!good || !(low > -1e-9 * high)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "negative %s: the smallest eigenvalue of %s is %g, the largest %g%s", what,
                       name, low, high, good ? "" : ", and it is not symmetric");
    }
    return SP_OK;
}

sp_status sp_part_check(const sp_part *p, sp_arena *arena, sp_error *err)
{
    double low = 0.0, high = 0.0;
    bool good = true;
    const double det = p->J0[0] + p->J0[1] + p->J0[2];
    if (!(p->mass > 0.0) || !(det > 0.0)) {
        return SP_FAIL(err, SP_E_INPUT, "mass %g kg, inertia %g kg*m^2, expected > 0", p->mass,
                       det);
    }
    SP_TRY(spectrum(arena, p->n, p->Me, &low, &high, &good));
    if (!good || !(low > 1e-10 * high)) {
        return SP_FAIL(err, SP_E_INPUT, "the functions depend on each other: the mass matrix Me %s",
                       good ? "has no inverse" : "is not symmetric");
    }
    SP_TRY(check_sign(arena, p->n, p->Ke, "stiffness", "Ke", err));
    return check_sign(arena, p->n, p->De, "damping", "De", err);
}

/* Whether bytes are missing that the head of the file (superblock 0: at byte 40) counts. */
static bool is_cut(const char *bytes, size_t n)
{
    enum { VERSION = 8, END = 40 };
    unsigned long long end = 0;
    for (size_t k = 8; n >= END + 8 && k-- > 0;) {
        end = end << 8 | (unsigned char)bytes[END + k];
    }
    return n < END + 8 || (bytes[VERSION] == 0 && end > n);
}

sp_status sp_part_read(const char *name, const char *bytes, size_t n, sp_arena *arena,
                       const sp_part **part, sp_error *err)
{
    reader r = {.arena = arena, .err = err};
    sp_part *p = SP_NEW(arena, sp_part, 1);
    double format = 0.0, stiffens = 0.0;
    if (!p) {
        return SP_E_MEMORY;
    }
    if (!sp_hdf_is(bytes, n)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "no HDF5 file, expected a part that 'specht reduce' made, also of SID text");
    }
    if (is_cut(bytes, n)) {
        return SP_FAIL(err, SP_E_INPUT, "the file was cut off: it has %zu bytes, less than it says",
                       n);
    }
    r.status = sp_hdf_open(&r.file, name, bytes, n, err);
    copy(&r, "part_format", 1, &format);
    if (r.status == SP_OK && format != SP_PART_FORMAT) {
        return SP_FAIL(err, SP_E_INPUT, "format %g, expected %d; run 'specht reduce' again", format,
                       SP_PART_FORMAT);
    }
    p->n = rows(&r, "Ct0", 3);
    p->n_node = rows(&r, "node", 3);
    if (r.status == SP_OK && (p->n < 1 || p->n > SP_PART_MOST || p->n_node < 1)) {
        return SP_FAIL(err, SP_E_INPUT, "%d functions of %d nodes, expected 1 to %d of some nodes",
                       p->n, p->n_node, SP_PART_MOST);
    }
    p->node = numbers(&r, "node", 3 * (size_t)p->n_node);
    p->phi = numbers(&r, "phi", 3 * (size_t)p->n_node * (size_t)p->n);
    copy(&r, "stiffens", 1, &stiffens);
    p->stiffens = stiffens != 0.0;
    read_inertia(&r, p);
    read_triangles(&r, p);
    read_faces(&r, p);
    if (r.status == SP_OK) {
        measure(p);
        r.status = sp_part_check(p, arena, err);
    }
    *part = p;
    return r.status;
}
