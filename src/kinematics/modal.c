/* kinematics/modal.c - the kind of elastic bodies by shapes of any origin: displacements of second
 * order in their coordinates.   theory (93.1)-(93.4) */
#include "model/part.h"

#include "kinematics/kind.h"

#include <math.h>
#include <string.h>

enum { FRAME = 6, MOST = SP_PART_MOST };

/* ---- moments ----------------------------------------------------------------------------------
 */

/* At coordinates e: first moment, tensor of inertia, and their derivatives. */
typedef struct moments {
    sp_vec3 S, Ct[MOST], Cr[MOST];
    sp_sym3 J, Jk[MOST];
} moments;

static sp_sym3 add_scaled(sp_sym3 a, double k, const double *b)
{
    return (sp_sym3){a.xx + k * b[0], a.yy + k * b[1], a.zz + k * b[2],
                     a.xy + k * b[3], a.xz + k * b[4], a.yz + k * b[5]};
}

static void look(const sp_part *p, const double *e, moments *m)
{
    const int n = p->n;
    m->S = sp_vec3_of(p->mdCM);
    m->J = sp_sym3_of(p->J0);
    for (int k = 0; k < n; k++) {
        m->Ct[k] = sp_vec3_of(p->Ct0 + 3 * k);
        m->Cr[k] = sp_vec3_of(p->Cr0 + 3 * k);
        m->Jk[k] = sp_sym3_of(p->J1 + 6 * k);
        for (int l = 0; l < n; l++) {
            const int kl = k * n + l;
            m->Ct[k] = sp_axpy3(m->Ct[k], e[l], sp_vec3_of(p->Ct1 + 3 * kl));
            m->Cr[k] = sp_axpy3(m->Cr[k], e[l], sp_vec3_of(p->Cr1 + 3 * kl));
            m->Jk[k] = add_scaled(m->Jk[k], e[l], p->J2 + 6 * kl);
        }
        /* half of what is linear in both: 1/2 (value at 0 + value at e) */
        m->S = sp_axpy3(m->S, 0.5 * e[k], sp_add3(m->Ct[k], sp_vec3_of(p->Ct0 + 3 * k)));
        const double J[6] = {m->Jk[k].xx, m->Jk[k].yy, m->Jk[k].zz,
                             m->Jk[k].xy, m->Jk[k].xz, m->Jk[k].yz};
        m->J = add_scaled(add_scaled(m->J, 0.5 * e[k], J), 0.5 * e[k], p->J1 + 6 * k);
    }
}

static void inertia(const void *of, void *memo, const double *e, double *M)
{
    (void)memo;
    const sp_part *p = ((const sp_modal *)of)->part;
    const int n = p->n, all = FRAME + n;
    moments m;
    look(p, e, &m);
    const sp_vec3 S = m.S;
    const double frame[FRAME][FRAME] = {
        {p->mass, 0.0, 0.0, 0.0, S.z, -S.y},      {0.0, p->mass, 0.0, -S.z, 0.0, S.x},
        {0.0, 0.0, p->mass, S.y, -S.x, 0.0},      {0.0, -S.z, S.y, m.J.xx, m.J.xy, m.J.xz},
        {S.z, 0.0, -S.x, m.J.xy, m.J.yy, m.J.yz}, {-S.y, S.x, 0.0, m.J.xz, m.J.yz, m.J.zz}};
    for (int i = 0; i < FRAME; i++) {
        memcpy(M + (size_t)(i * all), frame[i], sizeof frame[i]);
    }
    for (int k = 0; k < n; k++) {
        const double row[FRAME] = {m.Ct[k].x, m.Ct[k].y, m.Ct[k].z,
                                   m.Cr[k].x, m.Cr[k].y, m.Cr[k].z};
        for (int i = 0; i < FRAME; i++) {
            M[(FRAME + k) * all + i] = M[i * all + FRAME + k] = row[i];
        }
        memcpy(M + (size_t)((FRAME + k) * all + FRAME), p->Me + (size_t)(k * n),
               (size_t)n * sizeof *M);
    }
}

/* ---- forces -----------------------------------------------------------------------------------
 */

static void take(double *h, sp_vec3 a)
{
    h[0] -= a.x;
    h[1] -= a.y;
    h[2] -= a.z;
}

static sp_vec3 first_order(const double *C1, int n, int k, const double *u)
{
    sp_vec3 sum = {0.0, 0.0, 0.0};
    for (int l = 0; l < n; l++) {
        sum = sp_axpy3(sum, u[l], sp_vec3_of(C1 + 3 * (k * n + l)));
    }
    return sum;
}

/* Rates of momentum, of angular momentum and of Cr . omega at zero accelerations.   theory (93.4)
 */
static void add_inertia(const sp_part *p, const moments *m, const double *u, sp_vec3 omega,
                        double *h)
{
    const int n = p->n;
    sp_vec3 slip = {0.0, 0.0, 0.0}, bias = slip, spin = slip, spin_rate = slip, J_rate = slip;
    for (int k = 0; k < n; k++) {
        const sp_vec3 Cr_rate = first_order(p->Cr1, n, k, u);
        slip = sp_axpy3(slip, u[k], m->Ct[k]);
        spin = sp_axpy3(spin, u[k], m->Cr[k]);
        bias = sp_axpy3(bias, u[k], first_order(p->Ct1, n, k, u));
        spin_rate = sp_axpy3(spin_rate, u[k], Cr_rate);
        const sp_vec3 Jk = sp_sym3_mul(m->Jk[k], omega);
        J_rate = sp_axpy3(J_rate, u[k], Jk);
        h[FRAME + k] += 0.5 * sp_inner3(omega, Jk) - sp_inner3(omega, Cr_rate);
        for (int l = 0; l < n; l++) {
            h[FRAME + k] += u[l] * sp_inner3(omega, sp_vec3_of(p->Cr1 + 3 * (l * n + k)));
        }
    }
    take(h, sp_add3(sp_spin_twice3(omega, m->S), sp_axpy3(bias, 2.0, sp_cross3(omega, slip))));
    const sp_vec3 L = sp_add3(sp_sym3_mul(m->J, omega), spin);
    take(h + 3, sp_add3(sp_add3(J_rate, spin_rate), sp_cross3(omega, L)));
}

static void forces(const void *of, void *memo, const double *e, const double *u, sp_vec3 omega,
                   double *h, double *d)
{
    (void)memo;
    const sp_modal *form = of;
    const sp_part *p = form->part;
    moments m;
    look(p, e, &m);
    add_inertia(p, &m, u, omega, h);
    for (int k = 0; k < p->n; k++) {
        for (int l = 0; l < p->n; l++) {
            h[FRAME + k] -= p->Ke[k * p->n + l] * e[l];
            d[FRAME + k] -= form->De[k * p->n + l] * u[l];
        }
    }
}

static double energy(const void *of, const double *e)
{
    const sp_part *p = ((const sp_modal *)of)->part;
    double U = 0.0;
    for (int i = 0; i < p->n * p->n; i++) {
        U += 0.5 * p->Ke[i] * e[i / p->n] * e[i % p->n];
    }
    return U;
}

static void stiffness(const void *of, const double *e, double *K, double *D)
{
    const sp_modal *form = of;
    const size_t n = (size_t)form->part->n;
    (void)e;
    memcpy(K, form->part->Ke, n * n * sizeof *K);
    memcpy(D, form->De, n * n * sizeof *D);
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Turns about x, then y, then z, each in the axes that those before it have turned: columns of the
 * spin, the turned axes, and the spin's bias.   theory (93.7) */
static void turn(const sp_part *p, const double *psi, const double *e, const double *u,
                 sp_deformed *out)
{
    double a[3] = {0.0}, rate[3] = {0.0};
    for (int k = 0; k < p->n; k++) {
        for (int i = 0; i < 3; i++) {
            a[i] += psi[3 * k + i] * e[k];
            rate[i] += psi[3 * k + i] * u[k];
        }
    }
    const sp_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    const sp_rot3 X = sp_rot3_about(x, cos(a[0]), sin(a[0]));
    const sp_rot3 XY = sp_rot3_mul(X, sp_rot3_about(y, cos(a[1]), sin(a[1])));
    const sp_vec3 axis[3] = {x, sp_rotate3(X, y), sp_rotate3(XY, z)};
    out->R = sp_rot3_mul(XY, sp_rot3_about(z, cos(a[2]), sin(a[2])));
    for (int k = 0; k < p->n; k++) {
        out->psi[k] = sp_scale3(psi[3 * k], axis[0]);
        out->psi[k] = sp_axpy3(out->psi[k], psi[3 * k + 1], axis[1]);
        out->psi[k] = sp_axpy3(out->psi[k], psi[3 * k + 2], axis[2]);
    }
    const sp_vec3 w_x = sp_scale3(rate[0], axis[0]), w_xy = sp_axpy3(w_x, rate[1], axis[1]);
    out->spin_bias = sp_scale3(rate[1], sp_cross3(w_x, axis[1]));
    out->spin_bias = sp_axpy3(out->spin_bias, rate[2], sp_cross3(w_xy, axis[2]));
}

/* at + phi_k e_k + 1/2 phi_kl e_k e_l. */
static void move(const sp_part *p, const double *at, const double *row, const double *e,
                 const double *u, sp_deformed *out)
{
    const int n = p->n;
    const bool second = row[6 * n] != 0.0;
    out->at = sp_vec3_of(at);
    out->bias = (sp_vec3){0.0, 0.0, 0.0};
    for (int k = 0; k < n; k++) {
        const sp_vec3 phi = sp_vec3_of(row + 3 * k);
        out->phi[k] = phi;
        if (second) {
            out->phi[k] = sp_add3(phi, first_order(row + 6 * n + 1, n, k, e));
            out->bias = sp_axpy3(out->bias, u[k], first_order(row + 6 * n + 1, n, k, u));
        }
        out->at = sp_axpy3(out->at, 0.5 * e[k], sp_add3(phi, out->phi[k]));
    }
}

static void place(const void *of, void *memo, const double *at, const double *shape,
                  const double *e, const double *u, sp_deformed *out)
{
    (void)memo;
    const sp_modal *form = of;
    double own[6 * MOST + 1 + 3 * MOST * MOST];
    if (!shape) {
        sp_modal_row(form, at, own);
    }
    const double *row = shape ? shape : own;
    turn(form->part, row + 3 * form->part->n, e, u, out);
    move(form->part, at, row, e, u, out);
}

/* Of first order: shapes that are formulas have no other.   theory (98.6) */
static void strain(const void *of, void *memo, const double *at, const double *e, const double *u,
                   sp_strained *out)
{
    (void)memo;
    const sp_modal *form = of;
    const int n = form->part->n;
    double row[6 * MOST + 1 + 3 * MOST * MOST];
    sp_modal_row(form, at, row);
    *out = (sp_strained){.at = sp_vec3_of(at),
                         .by = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int k = 0; k < n; k++) {
        sp_vec3 by[3], bend[6];
        form->slopes(form, at, k, by, bend);
        out->at = sp_axpy3(out->at, e[k], sp_vec3_of(row + 3 * k));
        for (int i = 0; i < 3; i++) {
            out->by[i] = sp_axpy3(out->by[i], e[k], by[i]);
            out->rate[i] = sp_axpy3(out->rate[i], u ? u[k] : 0.0, by[i]);
        }
        for (int i = 0; i < 6; i++) {
            out->bend[i] = sp_axpy3(out->bend[i], e[k], bend[i]);
        }
    }
}

const sp_body_kind sp_modal_kind = {.name = "part",
                                    .place = place,
                                    .inertia = inertia,
                                    .forces = forces,
                                    .energy = energy,
                                    .stiffness = stiffness,
                                    .strain = strain};
