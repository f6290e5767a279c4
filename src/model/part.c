/* model/part.c - inertia of parts from products of fields, and places between their nodes.
 * theory (93.1)-(93.8) */
#include "model/part.h"

#include "math/dense.h"
#include "math/eigen.h"
#include "math/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- inertia ----------------------------------------------------------------------------------
 */

/* Products of fields: number of the component i of the places, of function k. */
enum { ONE = 0, PLACE = 1, SHAPES = 4 };

typedef struct products {
    int size;
    const double *gram;
} products;

static double product(const products *p, int a, int b)
{
    return p->gram[(size_t)a * (size_t)p->size + (size_t)b];
}

/* Component i of field f: 0 the places, k + 1 function k. */
static int field(int f, int i)
{
    return f == 0 ? PLACE + i : SHAPES + 3 * (f - 1) + i;
}

/* Tensor of the products of two fields, symmetric: a . b 1 - (a b + b a)/2. */
static void tensor(const products *p, int a, int b, double J[6])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    double dot = 0.0;
    for (int i = 0; i < 3; i++) {
        dot += product(p, field(a, i), field(b, i));
    }
    for (int e = 0; e < 6; e++) {
        const int i = first[e], j = second[e];
        J[e] = (i == j ? dot : 0.0) -
               0.5 * (product(p, field(a, i), field(b, j)) + product(p, field(a, j), field(b, i)));
    }
}

/* Integral of a cross b. */
static void cross(const products *p, int a, int b, double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = product(p, field(a, j), field(b, k)) - product(p, field(a, k), field(b, j));
    }
}

bool sp_part_inertia(sp_arena *arena, const double *gram, sp_part *part)
{
    const int n = part->n;
    const products p = {SHAPES + 3 * n, gram};
    double *Ct0 = SP_NEW(arena, double, 3 * n), *Ct1 = SP_NEW(arena, double, 3 * n * n);
    double *J1 = SP_NEW(arena, double, 6 * n), *J2 = SP_NEW(arena, double, 6 * n * n);
    double *Cr0 = SP_NEW(arena, double, 3 * n), *Cr1 = SP_NEW(arena, double, 3 * n * n);
    double *Me = SP_NEW(arena, double, n *n);
    if (!Ct0 || !Ct1 || !J1 || !J2 || !Cr0 || !Cr1 || !Me) {
        return false;
    }
    part->mass = product(&p, ONE, ONE);
    tensor(&p, 0, 0, part->J0);
    for (int i = 0; i < 3; i++) {
        part->mdCM[i] = product(&p, ONE, field(0, i));
    }
    for (int k = 0; k < n; k++) {
        tensor(&p, 0, k + 1, J1 + 6 * k);
        cross(&p, 0, k + 1, Cr0 + 3 * k);
        for (int e = 0; e < 6; e++) {
            J1[6 * k + e] *= 2.0;
        }
        for (int i = 0; i < 3; i++) {
            Ct0[3 * k + i] = product(&p, ONE, field(k + 1, i));
        }
        for (int l = 0; l < n; l++) {
            tensor(&p, k + 1, l + 1, J2 + 6 * (k * n + l));
            cross(&p, l + 1, k + 1, Cr1 + 3 * (k * n + l));
            for (int e = 0; e < 6; e++) {
                J2[6 * (k * n + l) + e] *= 2.0;
            }
            for (int i = 0; i < 3; i++) {
                Me[k * n + l] += product(&p, field(k + 1, i), field(l + 1, i));
            }
        }
    }
    part->Ct0 = Ct0;
    part->Ct1 = Ct1;
    part->J1 = J1;
    part->J2 = J2;
    part->Cr0 = Cr0;
    part->Cr1 = Cr1;
    part->Me = Me;
    return true;
}

/* Integral of the second displacement, of its moment, of its products with the place: theory
 * (93.6).  J2 of one function pair is twice -K0w, off the diagonal where omega_i omega_j comes
 * twice, once. */
void sp_part_stiffen(const sp_part_load *load, sp_part *part)
{
    const int n = part->n;
    double *Ct1 = (double *)part->Ct1, *Cr1 = (double *)part->Cr1, *J2 = (double *)part->J2;
    for (int kl = 0; kl < n * n; kl++) {
        for (int i = 0; i < 3; i++) {
            Ct1[3 * kl + i] += load->K0t[i] ? load->K0t[i][kl] : 0.0;
            Cr1[3 * kl + i] += load->K0r[i] ? load->K0r[i][kl] : 0.0;
        }
        for (int e = 0; e < 6; e++) {
            J2[6 * kl + e] -= load->K0w[e] ? (e < 3 ? 2.0 : 1.0) * load->K0w[e][kl] : 0.0;
        }
    }
    part->stiffens = true;
}

/* ---- fewer functions --------------------------------------------------------------------------
 */

/* Entries of rank 1 or 2 of the picked functions, `width` numbers each. */
static const double *pick_numbers(sp_arena *arena, const double *from, int rank, int width,
                                  int n_from, int n, const int *pick)
{
    double *to = SP_NEW(arena, double, (rank == 2 ? n : 1) * n * width);
    for (int k = 0; k < n && to && from; k++) {
        for (int l = 0; l < (rank == 2 ? n : 1); l++) {
            const int a = rank == 2 ? pick[k] * n_from + pick[l] : pick[k],
                      b = rank == 2 ? k * n + l : k;
            memcpy(to + (size_t)b * (size_t)width, from + (size_t)a * (size_t)width,
                   (size_t)width * sizeof *to);
        }
    }
    return to;
}

const sp_part *sp_part_of(sp_arena *arena, const sp_part *from, int n, const int *pick)
{
    sp_part *p = SP_NEW(arena, sp_part, 1);
    double *phi = SP_NEW(arena, double, (size_t)from->n_node *(size_t)n * 3);
    sp_part_face *face = SP_NEW(arena, sp_part_face, from->n_face);
    if (!p || !phi || !face) {
        return NULL;
    }
    *p = *from;
    p->n = n;
    p->Ct0 = pick_numbers(arena, from->Ct0, 1, 3, from->n, n, pick);
    p->Ct1 = pick_numbers(arena, from->Ct1, 2, 3, from->n, n, pick);
    p->J1 = pick_numbers(arena, from->J1, 1, 6, from->n, n, pick);
    p->J2 = pick_numbers(arena, from->J2, 2, 6, from->n, n, pick);
    p->Cr0 = pick_numbers(arena, from->Cr0, 1, 3, from->n, n, pick);
    p->Cr1 = pick_numbers(arena, from->Cr1, 2, 3, from->n, n, pick);
    p->Me = pick_numbers(arena, from->Me, 2, 1, from->n, n, pick);
    p->Ke = pick_numbers(arena, from->Ke, 2, 1, from->n, n, pick);
    p->De = from->De ? pick_numbers(arena, from->De, 2, 1, from->n, n, pick) : NULL;
    bool ok = p->Ct0 && p->Ct1 && p->J1 && p->J2 && p->Cr0 && p->Cr1 && p->Me && p->Ke &&
              (p->De || !from->De);
    for (size_t i = 0; i < (size_t)from->n_node; i++) {
        for (int k = 0; k < n; k++) {
            memcpy(phi + 3 * (i * (size_t)n + (size_t)k),
                   from->phi + 3 * (i * (size_t)from->n + (size_t)pick[k]), 3 * sizeof *phi);
        }
    }
    for (int f = 0; f < from->n_face; f++) {
        face[f] = from->face[f];
        face[f].phi = pick_numbers(arena, from->face[f].phi, 1, 3, from->n, n, pick);
        face[f].psi = pick_numbers(arena, from->face[f].psi, 1, 3, from->n, n, pick);
        face[f].phi2 = pick_numbers(arena, from->face[f].phi2, 2, 3, from->n, n, pick);
        ok = ok && face[f].phi && face[f].psi && face[f].phi2;
    }
    p->phi = phi;
    p->face = face;
    return ok ? p : NULL;
}

/* ---- the form ---------------------------------------------------------------------------------
 */

/* D = M V diag(2 zeta omega) V^T M. */
static void damp(int n, const double *M, const double *V, const double *omega, double zeta,
                 double *D)
{
    for (int m = 0; m < n && zeta > 0.0; m++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double a = 0.0, b = 0.0;
                for (int k = 0; k < n; k++) {
                    a += M[i * n + k] * V[k * n + m];
                    b += M[j * n + k] * V[k * n + m];
                }
                D[i * n + j] += 2.0 * zeta * omega[m] * a * b;
            }
        }
    }
}

static void shape_of_nodes(const sp_modal *form, const double *at, double *row);

sp_modal *sp_modal_of(sp_arena *arena, sp_arena *scratch, const sp_part *part, double damping)
{
    const int n = part->n;
    sp_modal *form = SP_NEW(arena, sp_modal, 1);
    double *D = SP_NEW(arena, double, n *n), *omega = SP_NEW(arena, double, n);
    double *work = SP_NEW(scratch, double, 4 * n * n);
    if (!form || !D || !omega || !work) {
        return NULL;
    }
    sp_eigen_pair(n, part->Me, part->Ke, work, work + 3 * n * n, omega);
    for (int k = 0; k < n; k++) {
        omega[k] = sqrt(fmax(omega[k], 0.0));
    }
    damp(n, part->Me, work + 3 * n * n, omega, damping, D);
    for (int i = 0; part->De && i < n * n; i++) {
        D[i] += part->De[i];
    }
    *form = (sp_modal){.part = part, .De = D, .omega = omega, .shape = shape_of_nodes};
    return form;
}

/* ---- places -----------------------------------------------------------------------------------
 */

size_t sp_modal_row_size(const sp_modal *form)
{
    const size_t n = (size_t)form->part->n;
    return 6 * n + 1 + 3 * n * n;
}

void sp_modal_row(const sp_modal *form, const double *at, double *row)
{
    form->shape(form, at, row);
}

static double distance2(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* The nodes nearest to a place, rising; how many. */
static int nearest(const sp_part *part, const double *at, int *index, double *r2)
{
    int n = 0;
    for (int i = 0; i < part->n_node; i++) {
        const double d = distance2(part->node + 3 * i, at);
        if (n == SP_PART_NEAR && !(d < r2[n - 1])) {
            continue;
        }
        int k = n < SP_PART_NEAR ? n++ : n - 1;
        for (; k > 0 && r2[k - 1] > d; k--) {
            r2[k] = r2[k - 1];
            index[k] = index[k - 1];
        }
        r2[k] = d;
        index[k] = i;
    }
    return n;
}

/* The rows of a rigid motion (a, theta) of nodes around a place: J theta = moment about their mean.
 */
typedef struct around {
    int n, index[SP_PART_NEAR];
    double weight[SP_PART_NEAR], mean[3], J_inv[9];
} around;

/* Weights that fall from the nearest on and are endless at a node: places of nodes are theirs.
 * theory (93.8) */
static void weigh(const sp_part *part, const double *at, around *a)
{
    double r2[SP_PART_NEAR], sum = 0.0, J[9] = {0.0};
    a->n = nearest(part, at, a->index, r2);
    const double far = 1.0001 * r2[a->n - 1] + DBL_MIN;
    for (int j = 0; j < a->n; j++) {
        const double fall = 1.0 - r2[j] / far;
        a->weight[j] = fall * fall / (r2[j] / far + 1e-12);
        sum += a->weight[j];
    }
    memset(a->mean, 0, sizeof a->mean);
    for (int j = 0; j < a->n; j++) {
        a->weight[j] /= sum;
        for (int i = 0; i < 3; i++) {
            a->mean[i] += a->weight[j] * part->node[3 * a->index[j] + i];
        }
    }
    for (int j = 0; j < a->n; j++) {
        double d[3], d2 = 0.0;
        for (int i = 0; i < 3; i++) {
            d[i] = part->node[3 * a->index[j] + i] - a->mean[i];
            d2 += d[i] * d[i];
        }
        for (int i = 0; i < 9; i++) {
            J[i] += a->weight[j] * ((i % 4 == 0 ? d2 : 0.0) - d[i / 3] * d[i % 3]);
        }
    }
    double memory[64], x[3];
    sp_lu f;
    sp_lu_place(&f, 3, memory);
    memcpy(f.LU, J, sizeof J);
    sp_lu_factor(&f, 1e-10); /* nodes in a line do not say how they turn about it */
    for (int i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        sp_lu_solve(&f, unit, x);
        for (int k = 0; k < 3; k++) {
            a->J_inv[3 * k + i] = x[k];
        }
    }
}

static const sp_part_face *face_at(const sp_part *part, const double *at)
{
    for (int f = 0; f < part->n_face; f++) {
        if (distance2(part->face[f].at, at) < 1e-12 * part->size * part->size) {
            return &part->face[f];
        }
    }
    return NULL;
}

/* Mean motion of the nodes around a place. */
static void mean_around(const sp_modal *form, const double *at, double *row)
{
    const sp_part *p = form->part;
    const int n = p->n;
    around a;
    weigh(p, at, &a);
    const sp_vec3 to = sp_sub3(sp_vec3_of(at), sp_vec3_of(a.mean));
    row[6 * n] = 0.0;
    for (int k = 0; k < n; k++) {
        sp_vec3 mean = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
        for (int j = 0; j < a.n; j++) {
            const size_t node = (size_t)a.index[j];
            const sp_vec3 u = sp_vec3_of(p->phi + 3 * (node * (size_t)n + (size_t)k));
            const sp_vec3 d = sp_sub3(sp_vec3_of(p->node + 3 * node), sp_vec3_of(a.mean));
            mean = sp_axpy3(mean, a.weight[j], u);
            moment = sp_axpy3(moment, a.weight[j], sp_cross3(d, u));
        }
        const double *J = a.J_inv;
        const sp_vec3 turn = {J[0] * moment.x + J[1] * moment.y + J[2] * moment.z,
                              J[3] * moment.x + J[4] * moment.y + J[5] * moment.z,
                              J[6] * moment.x + J[7] * moment.y + J[8] * moment.z};
        const sp_vec3 v = sp_add3(mean, sp_cross3(turn, to));
        memcpy(row + 3 * k, (double[3]){v.x, v.y, v.z}, 3 * sizeof *row);
        memcpy(row + 3 * (n + k), (double[3]){turn.x, turn.y, turn.z}, 3 * sizeof *row);
    }
}

/* That, or the motion of an interface. */
static void shape_of_nodes(const sp_modal *form, const double *at, double *row)
{
    const sp_part *p = form->part;
    const int n = p->n;
    const sp_part_face *face = face_at(p, at);
    if (face) {
        memcpy(row, face->phi, (size_t)(3 * n) * sizeof *row);
        memcpy(row + 3 * n, face->psi, (size_t)(3 * n) * sizeof *row);
        row[6 * n] = 1.0;
        memcpy(row + 6 * n + 1, face->phi2, (size_t)(3 * n * n) * sizeof *row);
        return;
    }
    mean_around(form, at, row);
}

/* In the plane z = 0, at places on the way through the part: a function that moves none of them
 * along x or y, or turns it about z, by more than this beside its largest displacement has no part
 * in motions of the plane. */
#define PLANE_TOL 1e-3

int sp_part_pick(const sp_part *part, bool plane, int *pick)
{
    enum { PLACES = 40 };
    const sp_modal look = {.part = part};
    double row[6 * SP_PART_MOST + 1], most[SP_PART_MOST] = {0.0};
    int n = 0;
    for (int i = 0; plane && i < PLACES; i++) {
        const double *node = part->node + 3 * ((long long)i * part->n_node / PLACES);
        mean_around(&look, (double[3]){node[0], node[1], 0.0}, row);
        for (int k = 0; k < part->n; k++) {
            most[k] = fmax(most[k], hypot(row[3 * k], row[3 * k + 1]));
            most[k] = fmax(most[k], fabs(row[3 * (part->n + k) + 2]) * part->size);
        }
    }
    for (int k = 0; k < part->n && k < SP_PART_MOST; k++) {
        double all = 0.0;
        for (int i = 0; i < part->n_node; i++) {
            const double *phi = part->phi + 3 * ((size_t)i * (size_t)part->n + (size_t)k);
            all = fmax(all, sqrt(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]));
        }
        if (!plane || most[k] > PLANE_TOL * all) {
            pick[n++] = k;
        }
    }
    return n;
}
