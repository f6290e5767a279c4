#include "sphere_pile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOF = 6, CONTACTS_PER_BODY = 10 };

/* Spheres closer than this part of their diameter touch, so do walls. */
#define REACH 1.003

/* Numbers in [-1, 1) that depend on the seed alone. */
static double number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

void sphere_tangents(const double *n, double *t1, double *t2)
{
    const double other[3] = {fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    cross(n, other, t1);
    const double len = sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
    for (int k = 0; k < 3; k++) {
        t1[k] /= len;
    }
    cross(n, t1, t2);
}

/* Centres; body 4 cell + k lies in cell x + across (y + across z). */
static void place_spheres(int across, int layers, double (*x)[3])
{
    static const double corner[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const double edge = 2.0 * sqrt(2.0);
    unsigned long long seed = 5;
    for (int b = 0; b < 4 * across * across * layers; b++) {
        const int cell = b / 4,
                  at[3] = {cell % across, cell / across % across, cell / (across * across)};
        for (int k = 0; k < 3; k++) {
            x[b][k] = 1.0 + edge * (at[k] + corner[b % 4][k]) + 1e-3 * number(&seed);
        }
    }
}

/* Add a contact. */
static void touch(sphere_pile *s, int a, int b, const double *n)
{
    const int i = s->p.n_contact++;
    memcpy(s->n[i], n, sizeof s->n[i]);
    s->pair[i][0] = a;
    s->pair[i][1] = b;
}

/* Contacts of sphere b with floor and walls. */
static void touch_walls(sphere_pile *s, int b, const double *x, double width)
{
    for (int side = 0; side < 5; side++) {
        const int k = side / 2;
        const double depth = side % 2 ? width - x[k] : x[k];
        if (depth < REACH) {
            double n[3] = {0.0, 0.0, 0.0};
            n[k] = side % 2 ? -1.0 : 1.0;
            touch(s, b, s->n_body, n);
        }
    }
}

/* Contacts of sphere b with those before it in the cells around its own. */
static void touch_spheres(sphere_pile *s, int b, int across, double (*x)[3])
{
    const int cell = b / 4, cx = cell % across, cy = cell / across % across;
    for (int around = 0; around < 18; around++) {
        const int dx = around % 3 - 1, dy = around / 3 % 3 - 1, dz = around / 9 - 1;
        const int other = cell + dx + across * (dy + across * dz);
        if (cx + dx < 0 || cx + dx >= across || cy + dy < 0 || cy + dy >= across || other < 0) {
            continue;
        }
        for (int m = 4 * other; m < 4 * other + 4 && m < b; m++) {
            double n[3], len2 = 0.0;
            for (int k = 0; k < 3; k++) {
                n[k] = x[b][k] - x[m][k];
                len2 += n[k] * n[k];
            }
            if (len2 < 4.0 * REACH * REACH) {
                for (int k = 0; k < 3; k++) {
                    n[k] /= sqrt(len2);
                }
                touch(s, b, m, n);
            }
        }
    }
}

/* Rows of contact i: directions, and their moments about the centre; sign +1 for the first body. */
static void rows_of(const double *n, double sign, double *H)
{
    double dir[3][3], moment[3];
    memcpy(dir[0], n, sizeof dir[0]);
    sphere_tangents(n, dir[1], dir[2]);
    for (int a = 0; a < 3; a++) {
        cross(n, dir[a], moment); /* the arm is -n for the first, n for the second */
        for (int k = 0; k < 3; k++) {
            H[DOF * a + k] = sign * dir[a][k];
            H[DOF * a + 3 + k] = -moment[k];
        }
    }
}

/* M^-1, H and c = H v. */
static void fill_factors(sphere_pile *s, const double *v, double mu)
{
    const int nc = s->p.n_contact, nb = s->n_body;
    sp_arena *a = &s->arena;
    int *dof = SP_NEW(a, int, nb + 1), *start = SP_NEW(a, int, nc + 1), *row = SP_NEW(a, int, nc);
    int *body = SP_NEW(a, int, 2 * nc), used = 0;
    size_t *inverse = SP_NEW(a, size_t, nb), *at = SP_NEW(a, size_t, 2 * nc);
    double *M_inv = SP_NEW(a, double, DOF *DOF), *H = SP_NEW(a, double, 36 * (size_t)nc);
    double *c = SP_NEW(a, double, 3 * nc);
    sp_set *set = SP_NEW(a, sp_set, nc);
    for (int b = 0; b < nb; b++) {
        dof[b + 1] = DOF * (b + 1);
    }
    for (int k = 0; k < DOF; k++) {
        M_inv[(DOF + 1) * k] = k < 3 ? 1.0 : 1.0 / SPHERE_INERTIA;
    }
    for (int i = 0; i < nc; i++) {
        set[i] = sp_set_disc(mu);
        for (int side = 0; side < 2 && s->pair[i][side] < nb; side++, used++) {
            const double *u = v + DOF * s->pair[i][side];
            double *rows = H + 18 * (size_t)used;
            body[used] = s->pair[i][side];
            at[used] = 18 * (size_t)used;
            rows_of(s->n[i], side ? -1.0 : 1.0, rows);
            for (int e = 0; e < 18; e++) {
                c[3 * i + e / DOF] += rows[e] * u[e % DOF];
            }
        }
        start[i + 1] = used;
    }
    s->p.set = set;
    s->p.n = sp_fc_rows(nc, set, row);
    s->p.row = row;
    s->p.c = c;
    s->p.F = (sp_fc_factors){nb, dof, inverse, M_inv, start, body, at, H};
    s->P = SP_NEW(a, double, s->p.n);
    s->status = SP_NEW(a, unsigned char, nc);
}

sphere_pile sphere_pile_new(int across, int layers, double mu)
{
    sphere_pile s = {.n_body = 4 * across * across * layers};
    unsigned long long seed = 11;
    sp_arena_init(&s.arena, NULL, 0);
    double(*x)[3] = calloc((size_t)s.n_body, sizeof *x);
    double *v = calloc((size_t)s.n_body * DOF, sizeof *v);
    s.n = sp_arena_alloc(&s.arena, (size_t)(CONTACTS_PER_BODY * s.n_body), sizeof *s.n);
    s.pair = sp_arena_alloc(&s.arena, (size_t)(CONTACTS_PER_BODY * s.n_body), sizeof *s.pair);
    place_spheres(across, layers, x);
    for (int b = 0; b < s.n_body; b++) {
        for (int k = 0; k < 3; k++) {
            v[DOF * b + k] = 1e-3 * number(&seed) - (k == 2 ? 9.81e-3 : 0.0);
        }
        touch_walls(&s, b, x[b], 2.0 + 2.0 * sqrt(2.0) * (across - 0.5));
        touch_spheres(&s, b, across, x);
    }
    fill_factors(&s, v, mu);
    free(x);
    free(v);
    return s;
}

void sphere_pile_free(sphere_pile *s)
{
    sp_arena_free(&s->arena);
}

void sphere_pile_uneven(sphere_pile *s)
{
    double *M_inv = SP_NEW(&s->arena, double, DOF *DOF);
    memcpy(M_inv, s->p.F.M_inv, DOF * DOF * sizeof *M_inv);
    M_inv[(DOF + 1) * 3] *= 1.0 + 0x1p-40;
    s->p.F.M_inv = M_inv;
}
