#include "reduce/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 20, POINTS = 27 };

/* ---- shape functions --------------------------------------------------------------------------
 */

/* Corners and middles of the edges of the cube, in CalculiX' order. */
static const double cube[NODES][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
    {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
    {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}};

/* Derivatives of the functions of the cube with 8 or 20 nodes. */
static void cube_slopes(int n, const double *x, double (*d)[3])
{
    for (int a = 0; a < n; a++) {
        const double *c = cube[a];
        double f[3], s[3]; /* 1 + c x and its slope, or 1 - x^2 */
        int middle = -1;
        double sum = -2.0;
        for (int i = 0; i < 3; i++) {
            middle = c[i] == 0.0 ? i : middle;
            f[i] = c[i] == 0.0 ? 1.0 - x[i] * x[i] : 1.0 + c[i] * x[i];
            s[i] = c[i] == 0.0 ? -2.0 * x[i] : c[i];
            sum += c[i] * x[i];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const double plain = s[i] * f[j] * f[k];
            if (n == 8) {
                d[a][i] = 0.125 * plain;
            } else if (middle >= 0) {
                d[a][i] = 0.25 * plain;
            } else {
                d[a][i] = 0.125 * (plain * sum + f[i] * f[j] * f[k] * c[i]);
            }
        }
    }
}

/* The same of the tetrahedron with 4 or 10 nodes: L_0 = 1 - x - y - z, L_1 = x, ... */
static void tetra_slopes(int n, const double *x, double (*d)[3])
{
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    const double L[4] = {1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
    const double s[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        for (int a = 0; a < 4; a++) {
            d[a][i] = n == 4 ? s[a][i] : (4.0 * L[a] - 1.0) * s[a][i];
        }
        for (int e = 0; n == 10 && e < 6; e++) {
            const int a = edge[e][0], b = edge[e][1];
            d[4 + e][i] = 4.0 * (s[a][i] * L[b] + L[a] * s[b][i]);
        }
    }
}

/* Points and weights: Gauss with 2 or 3 per direction; 1 or 4 of a tetrahedron. */
static int points_of(const sp_fe_element *e, double (*x)[3], double *weight)
{
    static const double two[2] = {-0.57735026918962576, 0.57735026918962576};
    static const double three[3] = {-0.77459666924148338, 0.0, 0.77459666924148338};
    static const double third[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    int n = 0;
    if (e->n_node == 4 || e->n_node == 10) {
        n = e->n_node == 4 ? 1 : 4;
        for (int p = 0; p < n; p++) {
            for (int i = 0; i < 3; i++) {
                x[p][i] = n == 1 ? 0.25 : p == i + 1 ? 0.58541019662496845 : 0.13819660112501052;
            }
            weight[p] = 1.0 / 6.0 / n;
        }
        return n;
    }
    const int per = e->n_node == 20 && !strpbrk(e->type + 1, "Rr") ? 3 : 2;
    for (int k = 0; k < per * per * per; k++, n++) {
        const int at[3] = {k % per, k / per % per, k / per / per};
        weight[n] = 1.0;
        for (int i = 0; i < 3; i++) {
            x[n][i] = per == 2 ? two[at[i]] : three[at[i]];
            weight[n] *= per == 2 ? 1.0 : third[at[i]];
        }
    }
    return n;
}

bool sp_fe_has_stress(const sp_fe *fe, char *why, size_t size)
{
    if (fe->n_element == 0) {
        snprintf(why, size, "there are matrices alone, no elements");
        return false;
    }
    for (int k = 0; k < fe->n_element; k++) {
        const sp_fe_element *e = &fe->element[k];
        const sp_fe_material *m = e->material >= 0 ? &fe->material[e->material] : NULL;
        if (e->n_node == 6 || e->n_node == 15) {
            snprintf(why, size, "stresses of wedges (%s) are not known", e->type);
            return false;
        }
        if (!m || !m->plain || !(m->young > 0.0)) {
            snprintf(why, size, "element %d has no isotropic linear material", e->id);
            return false;
        }
    }
    return true;
}

/* ---- geometric stiffness ----------------------------------------------------------------------
 */

/* Derivatives of the functions by place at a point of an element; its volume. */
static double gradients(const sp_fe *fe, const sp_fe_element *e, const double *x, double weight,
                        double (*d)[3])
{
    double s[NODES][3], J[3][3] = {{0.0}}, inv[3][3];
    if (e->n_node == 4 || e->n_node == 10) {
        tetra_slopes(e->n_node, x, s);
    } else {
        cube_slopes(e->n_node, x, s);
    }
    for (int a = 0; a < e->n_node; a++) {
        const double *at = fe->at + 3 * fe->corner[e->first + a];
        for (int i = 0; i < 9; i++) {
            J[i / 3][i % 3] += s[a][i / 3] * at[i % 3];
        }
    }
    double det = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, f = (i + 2) % 3;
            inv[i][j] = J[a][c] * J[b][f] - J[a][f] * J[b][c];
        }
        det += J[0][i] * inv[i][0];
    }
    for (int a = 0; a < e->n_node; a++) {
        for (int i = 0; i < 3; i++) {
            d[a][i] = (inv[i][0] * s[a][0] + inv[i][1] * s[a][1] + inv[i][2] * s[a][2]) / det;
        }
    }
    return fabs(det) * weight;
}

/* d_i u_c of a nodal field. */
static void slope_of(const sp_fe *fe, const sp_fe_element *e, double (*d)[3], const double *u,
                     double g[9])
{
    memset(g, 0, 9 * sizeof *g);
    for (int a = 0; a < e->n_node; a++) {
        const double *at = u + 3 * fe->corner[e->first + a];
        for (int i = 0; i < 9; i++) {
            g[i] += d[a][i / 3] * at[i % 3];
        }
    }
}

/* Stress of a strain by Hooke's law. */
static void stress_of(const sp_fe_material *m, const double g[9], double sigma[9])
{
    const double shear = m->young / (2.0 * (1.0 + m->nu));
    const double lame = 2.0 * shear * m->nu / (1.0 - 2.0 * m->nu), trace = g[0] + g[4] + g[8];
    for (int i = 0; i < 9; i++) {
        sigma[i] = shear * (g[i] + g[i % 3 * 3 + i / 3]) + (i % 4 == 0 ? lame * trace : 0.0);
    }
}

/* Add sigma_ij d_i phi_k . d_j phi_l of one point. */
static void add_point(int n, const double *g, const double sigma[9], double volume, double *Kg)
{
    for (int k = 0; k < n; k++) {
        double t[9] = {0.0};
        for (int i = 0; i < 27; i++) { /* t_jc = sigma_ij d_i phi_c */
            t[i / 9 * 3 + i % 3] += sigma[i / 3 % 3 * 3 + i / 9] * g[9 * k + i / 3 % 3 * 3 + i % 3];
        }
        for (int l = 0; l < n; l++) {
            double sum = 0.0;
            for (int i = 0; i < 9; i++) {
                sum += t[i] * g[9 * l + i];
            }
            Kg[k * n + l] += volume * sum;
        }
    }
}

bool sp_fe_geometric(const sp_fe *fe, int n_load, const double *load, int n, const double *phi,
                     double *Kg)
{
    const size_t field = 3 * (size_t)fe->n_node;
    double *g = malloc(((size_t)n * 9 + 1) * sizeof *g), x[POINTS][3], weight[POINTS], d[NODES][3];
    memset(Kg, 0, (size_t)(n_load * n * n) * sizeof *Kg);
    for (int k = 0; g && k < fe->n_element; k++) {
        const sp_fe_element *e = &fe->element[k];
        const int n_point = points_of(e, x, weight);
        for (int p = 0; p < n_point; p++) {
            const double volume = gradients(fe, e, x[p], weight[p], d);
            for (int f = 0; f < n; f++) {
                slope_of(fe, e, d, phi + (size_t)f * field, g + 9 * f);
            }
            for (int l = 0; l < n_load; l++) {
                double slope[9], sigma[9];
                slope_of(fe, e, d, load + (size_t)l * field, slope);
                stress_of(&fe->material[e->material], slope, sigma);
                add_point(n, g, sigma, volume, Kg + (size_t)l * (size_t)(n * n));
            }
        }
    }
    free(g);
    return g != NULL;
}

/* ---- surface ----------------------------------------------------------------------------------
 */

typedef struct face {
    int key[4], corner[4]; /* sorted; as they go round, the last is -1 of a triangle */
} face;

static int compare(const void *a, const void *b)
{
    return memcmp(((const face *)a)->key, ((const face *)b)->key, sizeof((const face *)a)->key);
}

static int faces_of(const sp_fe *fe, const sp_fe_element *e, face *out)
{
    static const int of_cube[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                      {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    static const int of_tetra[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}};
    static const int of_wedge[5][4] = {
        {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    const bool tetra = e->n_node == 4 || e->n_node == 10, wedge = e->n_node == 6 || e->n_node == 15;
    const int n = tetra ? 4 : wedge ? 5 : 6;
    for (int f = 0; f < n; f++) {
        const int *list = tetra ? of_tetra[f] : wedge ? of_wedge[f] : of_cube[f];
        for (int i = 0; i < 4; i++) {
            const int node = list[i] < 0 ? -1 : fe->corner[e->first + list[i]];
            int k = i;
            for (; k > 0 && out[f].key[k - 1] > node; k--) {
                out[f].key[k] = out[f].key[k - 1];
            }
            out[f].key[k] = out[f].corner[i] = node;
        }
    }
    return n;
}

int sp_fe_surface(const sp_fe *fe, int **triangle)
{
    face *all = malloc(((size_t)fe->n_element * 6 + 1) * sizeof *all);
    int n = 0, n_triangle = 0;
    for (int k = 0; all && k < fe->n_element; k++) {
        n += faces_of(fe, &fe->element[k], all + n);
    }
    if (all) {
        qsort(all, (size_t)n, sizeof *all, compare);
    }
    *triangle = all ? SP_NEW(fe->arena, int, 6 * (size_t)n + 1) : NULL;
    for (int k = 0; *triangle && k < n; k++) {
        const bool twin = (k > 0 && compare(&all[k], &all[k - 1]) == 0) ||
                          (k + 1 < n && compare(&all[k], &all[k + 1]) == 0);
        const int *c = all[k].corner;
        for (int half = 0; !twin && half < (c[3] < 0 ? 1 : 2); half++) {
            int *t = *triangle + 3 * n_triangle++;
            t[0] = c[0];
            t[1] = c[1 + half];
            t[2] = c[2 + half];
        }
    }
    free(all);
    return n_triangle;
}
