#include "support/piles.h"

#include "solvers/fc_local.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES = 4, CONTACTS = 8 };

/* What a pile is made of, before it becomes factors. */
typedef struct draft {
    int n_body, n_contact, planar;
    double (*place)[3];
    double *mass, *inertia;
    double (*v)[6];   /* velocity, spin       */
    int (*pair)[2];   /* bodies, -1: ground   */
    double (*at)[3];  /* contact points       */
    double (*n)[3];   /* from second to first */
    double *mu, *eps; /* restitution          */
} draft;

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void unit(double *a)
{
    const double len = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3; k++) {
        a[k] /= len;
    }
}

/* Two directions normal to n and each other. */
static void tangents(const double *n, double *t1, double *t2)
{
    const double other[3] = {fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    cross(n, other, t1);
    unit(t1);
    cross(n, t1, t2);
}

/* Rows of one contact on one body: directions and their moments about its centre, times sign. */
static void rows_on_body(const draft *d, int i, int body, double sign, double *H)
{
    double dir[3][3], arm[3];
    memcpy(dir[0], d->n[i], sizeof dir[0]);
    tangents(dir[0], dir[1], dir[2]);
    for (int k = 0; k < 3; k++) {
        arm[k] = d->at[i][k] - d->place[body][k];
    }
    for (int a = 0; a < (d->planar ? 2 : 3); a++) {
        double moment[3];
        cross(arm, dir[a], moment);
        for (int k = 0; k < 3; k++) {
            H[6 * a + k] = sign * dir[a][k];
            H[6 * a + 3 + k] = sign * moment[k];
        }
    }
}

/* Factors, c and sets from the draft. */
static pile pile_from(const draft *d, int form)
{
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    const int nc = d->n_contact, dim = d->planar ? 2 : 3;
    sp_set *set = SP_NEW(&a.arena, sp_set, nc);
    int *row = SP_NEW(&a.arena, int, nc), *dof = SP_NEW(&a.arena, int, d->n_body + 1);
    size_t *inverse = SP_NEW(&a.arena, size_t, d->n_body), *at = SP_NEW(&a.arena, size_t, 2 * nc);
    double *M_inv = SP_NEW(&a.arena, double, 36 * d->n_body);
    double *H = SP_NEW(&a.arena, double, 2 * 18 * nc), *c = SP_NEW(&a.arena, double, 3 * nc);
    int *start = SP_NEW(&a.arena, int, nc + 1), *body = SP_NEW(&a.arena, int, 2 * nc);
    for (int b = 0; b < d->n_body; b++) {
        dof[b + 1] = 6 * (b + 1);
        inverse[b] = 36 * (size_t)b;
        for (int k = 0; k < 6; k++) {
            M_inv[36 * b + 7 * k] = 1.0 / (k < 3 ? d->mass[b] : d->inertia[b]);
        }
    }
    int used = 0;
    for (int i = 0; i < nc; i++) {
        set[i] = d->planar ? sp_set_planar(d->mu[i]) : sp_set_disc(d->mu[i]);
        for (int side = 0; side < 2; side++) {
            const int b = d->pair[i][side];
            if (b >= 0) {
                body[used] = b;
                at[used] = (size_t)(18 * used);
                rows_on_body(d, i, b, side ? -1.0 : 1.0, H + at[used]);
                for (int e = 0; e < dim; e++) {
                    for (int k = 0; k < 6; k++) {
                        c[dim * i + e] +=
                            (1.0 + d->eps[i]) * H[at[used] + (size_t)(6 * e + k)] * d->v[b][k];
                    }
                }
                used++;
            }
        }
        start[i + 1] = used;
    }
    a.n_body = d->n_body;
    a.p.n_contact = nc;
    a.p.n = sp_fc_rows(nc, set, row);
    a.p.set = set;
    a.p.row = row;
    a.p.c = c;
    a.p.F = (sp_fc_factors){d->n_body, dof, inverse, M_inv, start, body, at, H};
    a.P = SP_NEW(&a.arena, double, a.p.n + 1);
    a.status = SP_NEW(&a.arena, unsigned char, nc + 1);
    if (form) {
        assert_int_equal(SP_OK, sp_fc_form(&a.p, &a.arena, NULL));
    }
    return a;
}

static void random_unit(rng *r, double *a)
{
    do {
        for (int k = 0; k < 3; k++) {
            a[k] = rng_in(r, -1.0, 1.0);
        }
    } while (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] < 0.01);
    unit(a);
}

/* See pile_random. */
static pile random_heap(rng *r, int planar)
{
    double place[BODIES][3], mass[BODIES], inertia[BODIES], v[BODIES][6];
    double at[CONTACTS][3], n[CONTACTS][3], mu[CONTACTS], eps[CONTACTS];
    int pair[CONTACTS][2];
    draft d = {1 + rng_int(r, BODIES),
               1 + rng_int(r, CONTACTS),
               planar,
               place,
               mass,
               inertia,
               v,
               pair,
               at,
               n,
               mu,
               eps};
    const int crowded = rng_int(r, 10) == 0, own_eps = rng_int(r, 4) == 0;
    if (crowded) { /* many contacts on one body, in one plane */
        d.n_body = 1;
        d.n_contact = 4 + rng_int(r, CONTACTS - 3);
    }
    for (int b = 0; b < d.n_body; b++) {
        mass[b] = pow(10.0, rng_in(r, -3.0, 3.0));
        inertia[b] = mass[b] * rng_in(r, 0.1, 1.0);
        for (int k = 0; k < 3; k++) {
            place[b][k] = rng_in(r, -2.0, 2.0);
        }
        for (int k = 0; k < 6; k++) {
            v[b][k] = rng_in(r, -1.0, 1.0);
        }
    }
    const double common = rng_in(r, 0.0, 1.0), mu_most = rng_flip(r) ? 2.0 : 0.5;
    for (int i = 0; i < d.n_contact; i++) {
        pair[i][0] = rng_int(r, d.n_body);
        pair[i][1] = rng_int(r, d.n_body + 1) - 1;
        pair[i][1] = pair[i][1] == pair[i][0] ? -1 : pair[i][1];
        random_unit(r, n[i]);
        for (int k = 0; k < 3; k++) {
            at[i][k] = place[pair[i][0]][k] + rng_in(r, -1.0, 1.0);
        }
        if (crowded) {
            const double up[3] = {0.0, 0.0, 1.0};
            memcpy(n[i], up, sizeof up);
            at[i][2] = place[0][2] - 1.0;
            pair[i][1] = -1;
        }
        mu[i] = rng_int(r, 6) == 0 ? 0.0 : rng_in(r, 0.0, mu_most);
        eps[i] = own_eps ? rng_in(r, 0.0, 1.0) : common;
    }
    pile a = pile_from(&d, 1);
    a.consistent = !own_eps;
    a.dependent = crowded;
    return a;
}

pile pile_random(rng *r)
{
    return random_heap(r, 0);
}

pile pile_random_planar(rng *r)
{
    return random_heap(r, 1);
}

/* Places on an fcc lattice: the cell's corner and the middles of its three faces. */
static int lattice(int across, int layers, rng *r, double (*place)[3])
{
    static const double basis[4][3] = {
        {0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
    const double cell = 2.0 * sqrt(2.0);
    int n = 0;
    for (int z = 0; z < layers; z++) {
        for (int y = 0; y < across; y++) {
            for (int x = 0; x < across; x++) {
                const double corner[3] = {x, y, z};
                for (int k = 0; k < 4; k++, n++) {
                    for (int a = 0; a < 3; a++) {
                        place[n][a] =
                            1.0 + cell * (corner[a] + basis[k][a]) + rng_in(r, -0.02, 0.02);
                    }
                }
            }
        }
    }
    return n;
}

/* Contacts of sphere b with the box. */
static int walls(double (*place)[3], int b, double width, int n, int (*pair)[2], double (*at)[3],
                 double (*normal)[3])
{
    for (int a = 0; a < 3; a++) {
        for (int side = 0; side < (a == 2 ? 1 : 2); side++) {
            if ((side ? width - place[b][a] : place[b][a]) < 1.05) {
                pair[n][0] = b;
                pair[n][1] = -1;
                memcpy(at[n], place[b], sizeof at[n]);
                memset(normal[n], 0, sizeof normal[n]);
                normal[n][a] = side ? -1.0 : 1.0;
                at[n][a] -= normal[n][a];
                n++;
            }
        }
    }
    return n;
}

/* Contacts of neighbouring spheres: only cells next to each other are looked at. */
static int touch(double (*place)[3], int a, int b, int n, int (*pair)[2], double (*at)[3],
                 double (*normal)[3])
{
    double d[3], len2 = 0.0;
    for (int k = 0; k < 3; k++) {
        d[k] = place[a][k] - place[b][k];
        len2 += d[k] * d[k];
    }
    if (len2 > 2.05 * 2.05) {
        return n;
    }
    pair[n][0] = a;
    pair[n][1] = b;
    for (int k = 0; k < 3; k++) {
        at[n][k] = 0.5 * (place[a][k] + place[b][k]);
        normal[n][k] = d[k];
    }
    unit(normal[n]);
    return n + 1;
}

pile pile_spheres(int across, int layers, double mu, uint64_t seed, int form)
{
    rng r = {seed};
    const int n_body = 4 * across * across * layers, most = 9 * n_body;
    const double width = 2.0 + 2.0 * sqrt(2.0) * (across - 0.5);
    double(*place)[3] = calloc((size_t)n_body, sizeof *place);
    double(*v)[6] = calloc((size_t)n_body, sizeof *v), *mass = calloc((size_t)n_body, sizeof *mass);
    int(*pair)[2] = calloc((size_t)most, sizeof *pair);
    double(*at)[3] = calloc((size_t)most, sizeof *at), (*n)[3] = calloc((size_t)most, sizeof *n);
    double *mus = calloc((size_t)most, sizeof *mus), *eps = calloc((size_t)most, sizeof *eps);
    double *inertia = calloc((size_t)n_body, sizeof *inertia);
    lattice(across, layers, &r, place);
    int nc = 0;
    for (int b = 0; b < n_body; b++) {
        mass[b] = 1.0;
        inertia[b] = 0.4;
        for (int k = 0; k < 3; k++) {
            v[b][k] = 1e-3 * rng_in(&r, -1.0, 1.0) - (k == 2 ? 9.81e-3 : 0.0);
        }
        nc = walls(place, b, width, nc, pair, at, n);
        const int cell = b / 4, x = cell % across, y = cell / across % across;
        for (int dz = -1; dz <= 0; dz++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    const int other = cell + dx + across * (dy + across * dz);
                    if (x + dx < 0 || x + dx >= across || y + dy < 0 || y + dy >= across ||
                        other < 0) {
                        continue;
                    }
                    for (int m = 4 * other; m < 4 * other + 4 && m < b; m++) {
                        nc = touch(place, b, m, nc, pair, at, n);
                    }
                }
            }
        }
    }
    for (int i = 0; i < nc; i++) {
        mus[i] = mu;
    }
    const draft d = {n_body, nc, 0, place, mass, inertia, v, pair, at, n, mus, eps};
    pile a = pile_from(&d, form);
    a.consistent = a.dependent = 1;
    free(place), free(v), free(mass), free(pair), free(at), free(n), free(mus), free(eps);
    free(inertia);
    return a;
}

/* A problem of n_contact contacts with its own G, c, sets; entries come from the callback's place.
 */
static pile pile_of_entries(int nc, const sp_set *set, size_t entries, const int *row,
                            const int *column, const double *value, const double *c)
{
    pile a;
    memset(&a, 0, sizeof a);
    sp_arena_init(&a.arena, NULL, 0);
    sp_set *sets = SP_NEW(&a.arena, sp_set, nc);
    int *rows = SP_NEW(&a.arena, int, nc);
    memcpy(sets, set, (size_t)nc * sizeof *sets);
    a.p.n_contact = nc;
    a.p.n = sp_fc_rows(nc, sets, rows);
    a.p.set = sets;
    a.p.row = rows;
    double *copy = SP_NEW(&a.arena, double, a.p.n + 1);
    memcpy(copy, c, (size_t)a.p.n * sizeof *copy);
    a.p.c = copy;
    a.P = SP_NEW(&a.arena, double, a.p.n + 1);
    a.status = SP_NEW(&a.arena, unsigned char, nc + 1);
    assert_int_equal(SP_OK, sp_fc_from_entries(&a.p, entries, row, column, value, &a.arena, NULL));
    return a;
}

/* The entries of G, with every contact moved to the rows first[contact]. */
static size_t entries_of(const sp_fc *p, const int *first, int *row, int *column, double *value)
{
    size_t n = 0;
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            const int j = p->G.column[b], cols = sp_set_dim(&p->set[j]);
            for (int e = 0; e < sp_set_dim(&p->set[i]) * cols; e++, n++) {
                row[n] = first[i] + e / cols;
                column[n] = first[j] + e % cols;
                value[n] = p->G.value[p->G.at[b] + (size_t)e];
            }
        }
    }
    return n;
}

/* Numbers in the blocks of G. */
static size_t count_entries(const sp_fc *p)
{
    size_t n = 0;
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            n += (size_t)(sp_set_dim(&p->set[i]) * sp_set_dim(&p->set[p->G.column[b]]));
        }
    }
    return n;
}

pile pile_permuted(const pile *a, const int *order)
{
    const sp_fc *p = &a->p;
    const size_t most = count_entries(p), nc = (size_t)p->n_contact;
    int *row = calloc(most, sizeof *row), *column = calloc(most, sizeof *column);
    int *first = calloc(nc, sizeof *first);
    double *value = calloc(most, sizeof *value), *c = calloc((size_t)p->n, sizeof *c);
    sp_set *set = calloc(nc, sizeof *set);
    int n = 0;
    for (int k = 0; k < p->n_contact; k++) {
        set[k] = p->set[order[k]];
        first[order[k]] = n;
        for (int e = 0; e < sp_set_dim(&set[k]); e++) {
            c[n++] = p->c[p->row[order[k]] + e];
        }
    }
    entries_of(p, first, row, column, value);
    pile b = pile_of_entries(p->n_contact, set, most, row, column, value, c);
    free(row), free(column), free(first), free(value), free(c), free(set);
    return b;
}

pile pile_beside(const pile *a, const pile *b)
{
    const size_t na = count_entries(&a->p), nb = count_entries(&b->p);
    const int nc = a->p.n_contact + b->p.n_contact, n = a->p.n + b->p.n;
    int *row = calloc(na + nb, sizeof *row), *column = calloc(na + nb, sizeof *column);
    int *first = calloc((size_t)nc, sizeof *first);
    double *value = calloc(na + nb, sizeof *value), *c = calloc((size_t)n, sizeof *c);
    sp_set *set = calloc((size_t)nc, sizeof *set);
    memcpy(set, a->p.set, (size_t)a->p.n_contact * sizeof *set);
    memcpy(set + a->p.n_contact, b->p.set, (size_t)b->p.n_contact * sizeof *set);
    memcpy(c, a->p.c, (size_t)a->p.n * sizeof *c);
    memcpy(c + a->p.n, b->p.c, (size_t)b->p.n * sizeof *c);
    sp_fc_rows(nc, set, first);
    entries_of(&a->p, first, row, column, value);
    entries_of(&b->p, first + a->p.n_contact, row + na, column + na, value + na);
    pile both = pile_of_entries(nc, set, na + nb, row, column, value, c);
    free(row), free(column), free(first), free(value), free(c), free(set);
    return both;
}

void pile_free(pile *a)
{
    sp_arena_free(&a->arena);
}

void pile_plain_sweep(const sp_fc_pile *q, const sp_fc *p, double *P)
{
    for (int k = 0; k < 4 * q->n_four; k++) {
        const int i = q->more[k / 4].contact[k % 4];
        double b[3], stick[9];
        const double *G_ii = NULL;
        if (i < 0) {
            continue;
        }
        memcpy(b, p->c + p->row[i], sizeof b);
        for (int m = p->G.start[i]; m < p->G.start[i + 1]; m++) {
            const double *G = p->G.value + p->G.at[m], *x = P + p->row[p->G.column[m]];
            G_ii = p->G.column[m] == i ? G : G_ii;
            for (int e = 0; p->G.column[m] != i && e < 9; e++) {
                b[e / 3] += G[e] * x[e % 3];
            }
        }
        memcpy(stick, G_ii, sizeof stick);
        assert_int_equal(1, sp_fc_invert(3, stick));
        sp_fc_local(&p->set[i], G_ii, stick, b, P + p->row[i]);
    }
}
