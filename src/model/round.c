#include "model/round.h"

#include "math/eigen.h"
#include "math/space.h"
#include "model/ritz.h"

#include <math.h>
#include <string.h>

enum { RADII = 7, NODES_AROUND = 48 };

static const double two_pi = 6.283185307179586;

int sp_round_count(const sp_round *round)
{
    return round->n_given > 0 ? round->n_given
           : round->plate     ? round->n * (1 + 2 * round->n_k)
                              : round->n;
}

/* The first wave of function k. */
static inline int first_of(const sp_round *p, int k)
{
    return p->n_given > 0 ? p->first[k] : k;
}

/* ---- radial functions of plates ---------------------------------------------------------------
 */

enum { SLOPES = 4 }; /* value and derivatives by r */

/* Value and derivatives by r of s^held P_j(2 s - 1) at s, j < n. */
static void radial(const sp_round *p, int n, double s, double f[SLOPES][SP_ROUND_TERMS])
{
    const double width = p->radius[1] - p->radius[0];
    double P[SLOPES][SP_ROUND_TERMS];
    sp_legendre(n, s, P[0]);
    for (int d = 1; d < SLOPES; d++) {
        memcpy(P[d], P[d - 1], (size_t)n * sizeof *P[d]);
        sp_legendre_slopes(n, P[d]);
    }
    const double a = p->held == 2 ? s * s : s, b = p->held == 2 ? 2.0 * s : 1.0,
                 c = p->held == 2 ? 2.0 : 0.0;
    for (int j = 0; j < n; j++) {
        f[0][j] = a * P[0][j];
        f[1][j] = (b * P[0][j] + a * P[1][j]) / width;
        f[2][j] = (c * P[0][j] + 2.0 * b * P[1][j] + a * P[2][j]) / (width * width);
        f[3][j] = (3.0 * (c * P[1][j] + b * P[2][j]) + a * P[3][j]) / (width * width * width);
    }
}

/* Share of one radius in stiffness and mass of k waves; mean square around is 1/2, without waves 1.
 * theory (97.11) */
static void add_radius(const sp_round *p, int k, int n, double s, double weight, double *K,
                       double *M)
{
    double f[SLOPES][SP_ROUND_TERMS], g[SP_ROUND_TERMS], q[SP_ROUND_TERMS];
    const double r = p->radius[0] + s * (p->radius[1] - p->radius[0]);
    radial(p, n, s, f);
    for (int j = 0; j < n; j++) {
        g[j] = (f[1][j] - k * k * f[0][j] / r) / r;
        q[j] = k * (f[1][j] - f[0][j] / r) / r;
    }
    for (int i = 0; i < n * n; i++) {
        const int a = i / n, b = i % n;
        const double all = (f[2][a] + g[a]) * (f[2][b] + g[b]);
        const double less = f[2][a] * g[b] + f[2][b] * g[a] - 2.0 * q[a] * q[b];
        K[i] += weight * r * p->rigid * (all - (1.0 - p->poisson) * less);
        M[i] += weight * r * p->mass * f[0][a] * f[0][b];
    }
}

/* The radial functions of k waves with the lowest frequencies, 1 at the rim. */
static bool find_radial(sp_arena *scratch, const sp_round *p, int k, double *coef)
{
    const int n = p->n + SP_ROUND_MORE;
    double *K = SP_NEW(scratch, double, n *n), *M = SP_NEW(scratch, double, n *n);
    double *work = SP_NEW(scratch, double, 3 * n * n), *V = SP_NEW(scratch, double, n *n);
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII], w[SP_ROUND_TERMS],
        rim[SLOPES][SP_ROUND_TERMS];
    if (!K || !M || !work || !V) {
        return false;
    }
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    for (int g = 0; g < SP_ROUND_RADII; g++) {
        add_radius(p, k, n, xi[g], weight[g], K, M);
    }
    sp_eigen_pair(n, M, K, work, V, w);
    radial(p, n, 1.0, rim);
    for (int i = 0; i < p->n; i++) {
        double at_rim = 0.0;
        for (int j = 0; j < n; j++) {
            at_rim += V[j * n + i] * rim[0][j];
        }
        for (int j = 0; j < n; j++) {
            coef[i * SP_ROUND_TERMS + j] = V[j * n + i] / at_rim;
        }
    }
    return true;
}

/* Waves of all functions: of a ring cosine and sine of 2, 3, ...; of a plate k by k, of each radial
 * function the cosine, then the sine. */
static bool fill_waves(sp_arena *scratch, const sp_round *p, sp_wave *wave)
{
    double coef[SP_ROUND_TERMS * SP_ROUND_TERMS];
    if (!p->plate) {
        for (int i = 0; i < p->n; i++) {
            wave[i] = (sp_wave){.k = 2 + i / 2, .sine = i % 2 == 1};
        }
        return true;
    }
    for (int k = 0, i = 0; k <= p->n_k; k++) {
        if (!find_radial(scratch, p, k, coef)) {
            return false;
        }
        for (int j = 0; j < p->n; j++) {
            for (int sine = 0; sine < (k > 0 ? 2 : 1); sine++, i++) {
                wave[i] = (sp_wave){.k = k, .sine = sine == 1};
                memcpy(wave[i].coef, coef + j * SP_ROUND_TERMS, sizeof wave[i].coef);
            }
        }
    }
    return true;
}

/* ---- given functions --------------------------------------------------------------------------
 */

double sp_round_radius(const sp_round *p, int i)
{
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII];
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    return p->radius[0] + xi[i] * (p->radius[1] - p->radius[0]);
}

/* Cosine or sine of k waves at angle number j. */
static double wave_at(int k, bool sine, int j)
{
    const double angle = two_pi * (k * j % SP_ROUND_ANGLES) / SP_ROUND_ANGLES;
    return sine ? sin(angle) : cos(angle);
}

/* The part with k waves, by Legendre's polynomials of what is left without s^held.  Returns its
 * largest coefficient. */
static double project(const sp_round *p, const double w[SP_ROUND_RADII][SP_ROUND_ANGLES],
                      sp_wave *wave)
{
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII], P[SP_ROUND_TERMS], most = 0.0;
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    memset(wave->coef, 0, sizeof wave->coef);
    for (int g = 0; g < SP_ROUND_RADII; g++) {
        double part = 0.0;
        for (int j = 0; j < SP_ROUND_ANGLES; j++) {
            part += w[g][j] * wave_at(wave->k, wave->sine, j);
        }
        part *= (wave->k > 0 ? 2.0 : 1.0) / SP_ROUND_ANGLES / pow(xi[g], p->held);
        sp_legendre(SP_ROUND_TERMS, xi[g], P);
        for (int j = 0; j < SP_ROUND_TERMS; j++) {
            wave->coef[j] += (2 * j + 1) * weight[g] * P[j] * part;
        }
    }
    for (int j = 0; j < SP_ROUND_TERMS; j++) {
        most = fmax(most, fabs(wave->coef[j]));
    }
    return most;
}

/* The largest difference from the sum of waves, over the largest value. */
static double misfit(const sp_round *p, const double w[SP_ROUND_RADII][SP_ROUND_ANGLES], int n,
                     const sp_wave *wave)
{
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII], f[SLOPES][SP_ROUND_TERMS], most = 0.0,
                                                                                  off = 0.0;
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    for (int i = 0; i < SP_ROUND_RADII * SP_ROUND_ANGLES; i++) {
        const int g = i / SP_ROUND_ANGLES, j = i % SP_ROUND_ANGLES;
        double sum = 0.0;
        radial(p, SP_ROUND_TERMS, xi[g], f);
        for (int a = 0; a < n * SP_ROUND_TERMS; a++) {
            const sp_wave *v = &wave[a / SP_ROUND_TERMS];
            sum +=
                v->coef[a % SP_ROUND_TERMS] * f[0][a % SP_ROUND_TERMS] * wave_at(v->k, v->sine, j);
        }
        most = fmax(most, fabs(w[g][j]));
        off = fmax(off, fabs(w[g][j] - sum));
    }
    return most > 0.0 ? off / most : INFINITY;
}

int sp_round_fit(const sp_round *p, const double w[SP_ROUND_RADII][SP_ROUND_ANGLES], sp_wave *wave,
                 double *off)
{
    double size[2 * SP_ROUND_WAVES + 1], most = 0.0;
    sp_wave all[2 * SP_ROUND_WAVES + 1];
    int n = 0;
    for (int i = 0; i <= 2 * SP_ROUND_WAVES; i++) {
        all[i] = (sp_wave){.k = (i + 1) / 2, .sine = i > 0 && i % 2 == 0};
        size[i] = project(p, w, &all[i]);
        most = fmax(most, size[i]);
    }
    for (int i = 0; i <= 2 * SP_ROUND_WAVES; i++) {
        if (size[i] > 1e-13 * most) { /* else round-off */
            wave[n++] = all[i];
        }
    }
    *off = misfit(p, w, n, wave);
    return n;
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Mean of the squares of the angle of a ring's line times its radius. */
static double ring_angle2(const sp_wave *w)
{
    const double a = w->k - 1.0 / w->k;
    return 0.5 * a * a;
}

/* Displacement and rotation of a ring at an angle.   theory (97.9) */
static void ring_row(const sp_round *p, const sp_wave *w, const double *at, double *phi,
                     double *psi)
{
    const double r = hypot(at[0], at[1]), angle = atan2(at[1], at[0]), R = p->radius[0];
    const double c = cos(w->k * angle), s = sin(w->k * angle);
    const double out = w->sine ? s : c, along = (w->sine ? c : -s) / w->k;
    const double slope = w->k * (w->sine ? c : -s), turn = (along - slope) / R;
    const double ex = at[0] / r, ey = at[1] / r, across = along + turn * (r - R);
    phi[0] = out * ex - across * ey;
    phi[1] = out * ey + across * ex;
    psi[2] = turn;
}

/* Add displacement and rotation of a plate.   theory (97.10) */
static void plate_row(const sp_round *p, const sp_wave *w, const double *at, double *phi,
                      double *psi)
{
    const double r = hypot(at[0], at[1]), angle = atan2(at[1], at[0]);
    const double c = cos(w->k * angle), s = sin(w->k * angle);
    const double around = w->sine ? s : c, slope = w->k * (w->sine ? c : -s);
    const int n = p->n + SP_ROUND_MORE;
    double f[SLOPES][SP_ROUND_TERMS], value = 0.0, by_r = 0.0;
    radial(p, n, (r - p->radius[0]) / (p->radius[1] - p->radius[0]), f);
    for (int j = 0; j < n; j++) {
        value += w->coef[j] * f[0][j];
        by_r += w->coef[j] * f[1][j];
    }
    const double ex = at[0] / r, ey = at[1] / r, u = by_r * around, v = value * slope / r;
    const double wx = u * ex - v * ey, wy = u * ey + v * ex;
    psi[0] += wy;
    psi[1] -= wx;
    phi[0] -= wx * at[2];
    phi[1] -= wy * at[2];
    phi[2] += value * around;
}

/* Places inside are a hub on the frame. */
static bool is_hub(const sp_round *p, const double *at)
{
    return !(hypot(at[0], at[1]) > (p->plate ? 1.0 : 0.5) * p->radius[0]);
}

void sp_round_shape(const sp_modal *form, const double *at, double *row)
{
    const sp_round *p = form->more;
    const int n = form->part->n;
    memset(row, 0, sp_modal_row_size(form) * sizeof *row);
    for (int k = 0; k < n && !is_hub(p, at); k++) {
        for (int i = first_of(p, k); i < first_of(p, k + 1); i++) {
            (p->plate ? plate_row : ring_row)(p, &p->wave[i], at, row + 3 * k, row + 3 * (n + k));
        }
    }
    row[6 * n] = p->plate || is_hub(p, at) ? 0.0 : 1.0;
    for (int k = 0; k < n && row[6 * n] > 0.0; k++) { /* the ring keeps its length */
        const double in = -ring_angle2(&p->wave[k]) / p->radius[0] / hypot(at[0], at[1]);
        row[6 * n + 1 + 3 * (k * n + k)] = in * at[0];
        row[6 * n + 1 + 3 * (k * n + k) + 1] = in * at[1];
    }
}

/* Derivatives of the deflection in the axes out, around.   theory (98.9) */
typedef struct bowed {
    double first[2], second[2][2], third[2][2][2];
} bowed;

static void add_bow(const sp_round *p, const sp_wave *w, double r, double angle, bowed *sum)
{
    const double c = cos(w->k * angle), s = sin(w->k * angle), q = 1.0 / r;
    const double m = w->sine ? s : c, m1 = w->k * (w->sine ? c : -s), m2 = -w->k * w->k * m,
                 m3 = -w->k * w->k * m1;
    const int n = p->n + SP_ROUND_MORE;
    double f[SLOPES][SP_ROUND_TERMS], g[SLOPES] = {0.0};
    radial(p, n, (r - p->radius[0]) / (p->radius[1] - p->radius[0]), f);
    for (int d = 0; d < SLOPES; d++) {
        for (int j = 0; j < n; j++) {
            g[d] += w->coef[j] * f[d][j];
        }
    }
    const double w12 = (g[1] - g[0] * q) * m1 * q, w22 = (g[0] * m2 * q + g[1] * m) * q;
    const double w112 = (g[2] - 2.0 * g[1] * q + 2.0 * g[0] * q * q) * m1 * q;
    const double w122 = (g[1] * m2 + g[2] * m * r - 2.0 * g[0] * m2 * q - g[1] * m) * q * q;
    const double w222 = (g[0] * m3 * q + 3.0 * g[1] * m1 - 2.0 * g[0] * m1 * q) * q * q;
    const double first[2] = {g[1] * m, g[0] * m1 * q};
    const double second[2][2] = {{g[2] * m, w12}, {w12, w22}};
    const double third[2][2][2] = {{{g[3] * m, w112}, {w112, w122}}, {{w112, w122}, {w122, w222}}};
    for (int i = 0; i < 8; i++) {
        sum->third[i / 4][i / 2 % 2][i % 2] += third[i / 4][i / 2 % 2][i % 2];
        sum->second[i / 4][i / 2 % 2] += i % 2 == 0 ? second[i / 4][i / 2 % 2] : 0.0;
        sum->first[i / 4] += i % 4 == 0 ? first[i / 4] : 0.0;
    }
}

/* The same in the axes x, y. */
static bowed in_body_axes(const bowed *d, double angle)
{
    const double c = cos(angle), s = sin(angle), axis[2][2] = {{c, s}, {-s, c}};
    bowed w = {.first = {0.0}};
    for (int i = 0; i < 2; i++) {
        for (int a = 0; a < 2; a++) {
            w.first[a] += axis[i][a] * d->first[i];
            for (int j = 0; j < 4; j++) { /* two indices in one */
                const int k = j / 2, b = j % 2;
                w.second[a][b] += axis[i][a] * axis[k][b] * d->second[i][k];
                for (int l = 0; l < 4; l++) {
                    w.third[a][b][l % 2] +=
                        axis[i][a] * axis[k][b] * axis[l / 2][l % 2] * d->third[i][k][l / 2];
                }
            }
        }
    }
    return w;
}

void sp_round_slopes(const sp_modal *form, const double *at, int k, sp_vec3 by[3], sp_vec3 bend[6])
{
    const sp_round *p = form->more;
    const double angle = atan2(at[1], at[0]), z = at[2];
    bowed polar = {.first = {0.0}};
    for (int i = first_of(p, k); i < first_of(p, k + 1); i++) {
        add_bow(p, &p->wave[i], hypot(at[0], at[1]), angle, &polar);
    }
    const bowed w = in_body_axes(&polar, angle);
    const double(*const d2)[2] = w.second, (*const d3)[2][2] = w.third;
    by[0] = (sp_vec3){-z * d2[0][0], -z * d2[0][1], w.first[0]};
    by[1] = (sp_vec3){-z * d2[0][1], -z * d2[1][1], w.first[1]};
    by[2] = (sp_vec3){-w.first[0], -w.first[1], 0.0};
    bend[0] = (sp_vec3){-z * d3[0][0][0], -z * d3[0][0][1], d2[0][0]};
    bend[1] = (sp_vec3){-z * d3[0][1][1], -z * d3[1][1][1], d2[1][1]};
    bend[2] = (sp_vec3){0.0, 0.0, 0.0};
    bend[3] = (sp_vec3){-z * d3[0][0][1], -z * d3[0][1][1], d2[0][1]};
    bend[4] = (sp_vec3){-d2[0][0], -d2[0][1], 0.0};
    bend[5] = (sp_vec3){-d2[0][1], -d2[1][1], 0.0};
}

/* ---- inertia and stiffness --------------------------------------------------------------------
 */

/* Mass at a place. */
static void add_point(const sp_modal *form, const double *at, double mass, double *row,
                      double *gram)
{
    const int n = form->part->n, size = 4 + 3 * n;
    double *field = row + sp_modal_row_size(form);
    form->shape(form, at, row);
    field[0] = 1.0;
    memcpy(field + 1, at, 3 * sizeof *field);
    memcpy(field + 4, row, (size_t)(3 * n) * sizeof *field);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            gram[(size_t)i * (size_t)size + (size_t)j] += mass * field[i] * field[j];
        }
    }
}

/* Radii with their masses: of a ring one.  Sums over equal angles are exact for the waves. */
static void add_points(const sp_modal *form, double *row, double *gram)
{
    const sp_round *p = form->more;
    const int most = p->plate ? p->n_k : 2 + (p->n - 1) / 2, n = 4 * most + 8;
    const int n_r = p->plate ? SP_ROUND_RADII : 1;
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII];
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    for (int g = 0; g < n_r; g++) {
        const double width = p->radius[1] - p->radius[0];
        const double r = p->plate ? p->radius[0] + width * xi[g] : p->radius[0];
        const double mass = p->mass * two_pi * r * (p->plate ? width * weight[g] : 1.0) / n;
        for (int i = 0; i < n; i++) {
            const double angle = two_pi * (i + 0.25) / n;
            add_point(form, (double[3]){r * cos(angle), r * sin(angle), 0.0}, mass, row, gram);
        }
    }
    for (int i = 0; i < p->n_mass; i++) {
        const double *at = p->point[i];
        add_point(form, (double[3]){at[0], at[1], 0.0}, at[2], row, gram);
    }
}

/* Stresses of the turning plate at r, for unit spin: radial and around; held inside, free at the
 * rim: u = A r + B/r - (1 - nu^2) rho r^3/(8 E).   theory (97.12) */
static void spin_stress(const sp_round *p, double r, double stress[2])
{
    const double nu = p->poisson, a = p->radius[0], b = p->radius[1];
    const double q = (1.0 - nu * nu) * p->mass / (8.0 * p->young * p->thickness);
    /* u(a) = 0, (1 + nu) A - (1 - nu) B/b^2 = (3 + nu) q b^2 */
    const double det = -(1.0 - nu) / (b * b) - (1.0 + nu) / (a * a);
    const double B = ((3.0 + nu) * q * b * b - (1.0 + nu) * q * a * a) / det;
    const double A = q * a * a - B / (a * a);
    const double by_r = A - B / (r * r) - 3.0 * q * r * r, over_r = A + B / (r * r) - q * r * r;
    const double k = p->young / (1.0 - nu * nu);
    stress[0] = k * (by_r + nu * over_r);
    stress[1] = k * (over_r + nu * by_r);
}

/* Work of these stresses on the slopes, of function k with function l of as many waves. */
static double stiffen_plate(const sp_round *p, const sp_wave *k, const sp_wave *l)
{
    const int n = p->n + SP_ROUND_MORE;
    const double width = p->radius[1] - p->radius[0], around = k->k > 0 ? 0.5 : 1.0;
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII], sum = 0.0;
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    for (int g = 0; g < SP_ROUND_RADII && k->k == l->k && k->sine == l->sine; g++) {
        const double r = p->radius[0] + width * xi[g];
        double f[SLOPES][SP_ROUND_TERMS], stress[2], at[2][2] = {{0.0}};
        radial(p, n, xi[g], f);
        spin_stress(p, r, stress);
        for (int j = 0; j < n; j++) {
            for (int d = 0; d < 2; d++) {
                at[0][d] += k->coef[j] * f[d][j];
                at[1][d] += l->coef[j] * f[d][j];
            }
        }
        sum += weight[g] * r *
               (stress[0] * at[0][1] * at[1][1] +
                stress[1] * k->k * k->k * at[0][0] * at[1][0] / (r * r));
    }
    return two_pi * around * width * p->thickness * sum;
}

/* Geometric stiffness by spins: of a ring, whose line keeps its length, those about all axes. */
static bool stiffen(sp_arena *scratch, const sp_round *p, sp_part *part)
{
    const int n = part->n;
    double *K[3];
    for (int i = 0; i < 3; i++) {
        K[i] = SP_NEW(scratch, double, n *n);
        if (!K[i]) {
            return false;
        }
    }
    for (int kl = 0; kl < n * n; kl++) {
        const int a = kl / n, b = kl % n;
        const sp_wave *k = &p->wave[a];
        if (p->plate) {
            for (int i = first_of(p, a); i < first_of(p, a + 1); i++) {
                for (int j = first_of(p, b); j < first_of(p, b + 1); j++) {
                    K[2][kl] += stiffen_plate(p, &p->wave[i], &p->wave[j]);
                }
            }
        } else if (a == b) {
            K[2][kl] = part->mass * ring_angle2(k);
            K[0][kl] = K[1][kl] = 0.5 * K[2][kl];
        }
    }
    const sp_part_load load = {.K0w = {p->plate ? NULL : K[0], p->plate ? NULL : K[1], K[2]}};
    sp_part_stiffen(&load, part);
    return true;
}

/* Work of bending of one wave of a plate with another of as many. */
static double bend_waves(const sp_round *p, const sp_wave *w, const sp_wave *v)
{
    const int m = p->n + SP_ROUND_MORE;
    double xi[SP_ROUND_RADII], weight[SP_ROUND_RADII], K[SP_ROUND_TERMS * SP_ROUND_TERMS] = {0.0};
    double M[SP_ROUND_TERMS * SP_ROUND_TERMS] = {0.0}, sum = 0.0;
    sp_gauss_legendre(SP_ROUND_RADII, xi, weight);
    for (int g = 0; g < SP_ROUND_RADII; g++) {
        add_radius(p, w->k, m, xi[g], weight[g] * (p->radius[1] - p->radius[0]), K, M);
    }
    for (int a = 0; a < m * m; a++) {
        sum += K[a] * w->coef[a / m] * v->coef[a % m];
    }
    return two_pi * (w->k > 0 ? 0.5 : 1.0) * sum;
}

/* Sum over the waves of functions i and j; modes are orthogonal. */
static double bend_functions(const sp_round *p, int i, int j)
{
    double sum = 0.0;
    for (int a = first_of(p, i); a < first_of(p, i + 1); a++) {
        for (int b = first_of(p, j); b < first_of(p, j + 1); b++) {
            const sp_wave *w = &p->wave[a], *v = &p->wave[b];
            sum += w->k == v->k && w->sine == v->sine ? bend_waves(p, w, v) : 0.0;
        }
    }
    return sum;
}

static void fill_stiffness(const sp_round *p, int n, double *Ke)
{
    const double R = p->radius[0];
    for (int i = 0; i < n; i++) {
        const double bend = p->plate ? 0.0 : p->wave[i].k * p->wave[i].k - 1.0;
        Ke[i * n + i] = 0.5 * two_pi * p->rigid * bend * bend / (R * R * R);
        for (int j = p->n_given > 0 ? 0 : i; p->plate && j <= i; j++) {
            Ke[i * n + j] = Ke[j * n + i] = bend_functions(p, i, j);
        }
    }
}

/* Nodes and triangles for pictures. */
static bool draw(sp_arena *arena, const sp_modal *form, double *row, sp_part *part)
{
    const sp_round *p = form->more;
    const int n_r = p->plate ? RADII : 1, n = n_r * NODES_AROUND, m = part->n;
    double *node = SP_NEW(arena, double, 3 * n), *phi = SP_NEW(arena, double, 3 * n * m);
    int *triangle = SP_NEW(arena, int, 6 * n);
    if (!node || !phi || !triangle) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const double angle = two_pi * (i % NODES_AROUND) / NODES_AROUND;
        const int ring = i / NODES_AROUND, next = ring * NODES_AROUND + (i + 1) % NODES_AROUND;
        const double r = p->radius[0] + (n_r > 1 ? (ring + 1e-9) / (n_r - 1) : 0.0) *
                                            (p->radius[1] - p->radius[0]);
        memcpy(node + 3 * i, (double[3]){r * cos(angle), r * sin(angle), 0.0}, 3 * sizeof *node);
        form->shape(form, node + 3 * i, row);
        memcpy(phi + 3 * i * m, row, (size_t)(3 * m) * sizeof *phi);
        if (ring + 1 < n_r) {
            const int six[6] = {
                i, next, i + NODES_AROUND, next, next + NODES_AROUND, i + NODES_AROUND};
            memcpy(triangle + (size_t)(6 * part->n_triangle / 2), six, sizeof six);
            part->n_triangle += 2;
        }
    }
    part->node = node;
    part->phi = phi;
    part->n_node = n;
    part->triangle = triangle;
    return true;
}

const sp_part *sp_round_part(sp_arena *arena, sp_arena *scratch, sp_round *p)
{
    const int n = sp_round_count(p), size = 4 + 3 * n;
    sp_part *part = SP_NEW(arena, sp_part, 1);
    sp_wave *wave = p->n_given > 0 ? (sp_wave *)p->wave : SP_NEW(arena, sp_wave, n);
    double *Ke = SP_NEW(arena, double, n *n), *gram = SP_NEW(scratch, double, size *size);
    double *row = SP_NEW(scratch, double, 6 * n + 1 + 3 * n * n + size);
    if (!part || !wave || !Ke || !gram || !row ||
        (p->n_given == 0 && !fill_waves(scratch, p, wave))) {
        return NULL;
    }
    p->wave = wave;
    *part = (sp_part){.n = n, .Ke = Ke, .size = 2.0 * p->radius[1]};
    const sp_modal form = {.part = part, .more = p, .shape = sp_round_shape};
    add_points(&form, row, gram);
    fill_stiffness(p, n, Ke);
    return sp_part_inertia(arena, gram, part) && stiffen(scratch, p, part) &&
                   draw(arena, &form, row, part)
               ? part
               : NULL;
}
