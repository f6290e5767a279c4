/* pour_judge.c - the scene of pour.h in a file, and the same measures for every program. */
#include "pour.h"

#include "certify/certificate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int pour_write(const char *path, const pour_scene *s)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        return 0;
    }
    fprintf(out, "%d %.17g %.17g %.17g %.17g %.17g\n", s->n, s->r, s->a, s->mass, s->mu, s->g);
    for (int i = 0; i < s->n; i++) {
        const pour_ball *b = &s->ball[i];
        fprintf(out, "%.17g %.17g %.17g %.17g %.17g %.17g\n", b->x[0], b->x[1], b->x[2], b->v[0],
                b->v[1], b->v[2]);
    }
    return fclose(out) == 0;
}

int pour_read(const char *path, pour_scene *s)
{
    FILE *in = fopen(path, "r");
    *s = (pour_scene){.n = 0};
    int ok = in && fscanf(in, "%d %lf %lf %lf %lf %lf", &s->n, &s->r, &s->a, &s->mass, &s->mu,
                          &s->g) == 6;
    s->ball = ok && s->n > 0 ? calloc((size_t)s->n, sizeof *s->ball) : NULL;
    ok = s->ball != NULL;
    for (int i = 0; ok && i < s->n; i++) {
        pour_ball *b = &s->ball[i];
        ok = fscanf(in, "%lf %lf %lf %lf %lf %lf", &b->x[0], &b->x[1], &b->x[2], &b->v[0], &b->v[1],
                    &b->v[2]) == 6;
    }
    if (in) {
        fclose(in);
    }
    return ok;
}

void pour_free(pour_scene *s)
{
    free(s->ball);
    s->ball = NULL;
}

/* Sum of three products. */
static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The larger one; NaN is larger than everything. */
static double worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

/* Kinetic and whole energy of all spheres. */
static void energies(const pour_scene *s, const pour_ball *ball, double *kinetic, double *energy)
{
    const double inertia = 0.4 * s->mass * s->r * s->r;
    double potential = 0.0;
    *kinetic = 0.0;
    for (int i = 0; i < s->n; i++) {
        *kinetic += 0.5 * s->mass * dot(ball[i].v, ball[i].v) +
                    0.5 * inertia * dot(ball[i].omega, ball[i].omega);
        potential += s->mass * s->g * ball[i].x[2];
    }
    *energy = *kinetic + potential;
}

/* How deep the spheres are in each other and in the box. */
static double deepest(const pour_scene *s, const pour_ball *ball)
{
    double depth = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double *x = ball[i].x;
        const double wall = worse(fabs(x[0]), fabs(x[1])) + s->r - s->a;
        depth = worse(worse(depth, s->r - x[2]), wall);
        for (int j = 0; j < i; j++) {
            const double d[3] = {x[0] - ball[j].x[0], x[1] - ball[j].x[1], x[2] - ball[j].x[2]};
            depth = worse(depth, 2.0 * s->r - sqrt(dot(d, d)));
        }
    }
    return depth;
}

/* Worst natural map of all contacts; NaN if there is no memory. */
static double certify(const pour_scene *s, int n, const pour_contact *contact, double scale)
{
    sp_certificate c = {.complementarity = NAN};
    const size_t m = (size_t)n + 1;
    sp_set *set = calloc(m, sizeof *set);
    int *first = calloc(m, sizeof *first);
    double *P = calloc(m, 7 * sizeof *P), *xi = P + 3 * m, *rho = P + 6 * m;
    if (set && first && P) {
        for (int i = 0; i < n; i++) {
            set[i] = (sp_set){.kind = SP_SET_DISC, .mu = s->mu};
            first[i] = 3 * i;
            rho[i] = s->mass / contact[i].moving; /* 1 / G_NN: normals pass through the middle */
            for (int a = 0; a < 3; a++) {
                P[3 * i + a] = contact[i].P[a];
                xi[3 * i + a] = contact[i].xi[a];
            }
        }
        sp_certify_contacts(n, set, first, P, xi, rho, scale, &c);
    }
    free(set);
    free(first);
    free(P);
    return c.complementarity;
}

/* The same with friction cut along both tangents apart, |T1|, |T2| <= mu N, as Bullet does. */
static double certify_box(const pour_scene *s, int n, const pour_contact *contact, double scale)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        const double *P = contact[i].P, *xi = contact[i].xi, rho = s->mass / contact[i].moving;
        const double N = P[0] - rho * xi[0] > 0.0 ? P[0] - rho * xi[0] : 0.0, most = s->mu * N;
        worst = worse(worst, fabs(P[0] - N) / (rho * scale));
        for (int a = 1; a < 3; a++) {
            const double T = P[a] - rho * xi[a];
            const double cut = T > most ? most : T < -most ? -most : T;
            worst = worse(worst, fabs(P[a] - cut) / (rho * scale));
        }
    }
    return worst;
}

void pour_begin(const pour_scene *s, pour_result *r)
{
    *r = (pour_result){.steps = 0};
    energies(s, s->ball, &r->kinetic, &r->energy);
}

int pour_judge(const pour_scene *s, double dt, int n, const pour_contact *contact, double before,
               const pour_ball *end, pour_result *r)
{
    const double was = r->energy, residual = certify(s, n, contact, before + s->g * dt);
    energies(s, end, &r->kinetic, &r->energy);
    r->gained += r->energy > was ? r->energy - was : 0.0;
    r->steps++;
    r->contacts += n;
    r->penetration = worse(r->penetration, deepest(s, end));
    r->residual = worse(r->residual, residual);
    r->sum += residual;
    r->box = worse(r->box, certify_box(s, n, contact, before + s->g * dt));
    for (int i = 0; i < n; i++) {
        r->approach = worse(r->approach, -contact[i].xi[0]);
    }
    return residual == residual;
}

void pour_report(const pour_result *r)
{
    printf("pour %ld %.6g %.0f %.4g %.4g %.4g %.4g %.4g %.4g %.4g %.6g\n", r->steps, r->seconds,
           r->contacts, r->penetration, r->approach, r->residual, r->sum, r->box, r->gained,
           r->kinetic, r->energy);
}

int pour_scan(const char *line, pour_result *r)
{
    return sscanf(line, "pour %ld %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &r->steps, &r->seconds,
                  &r->contacts, &r->penetration, &r->approach, &r->residual, &r->sum, &r->box,
                  &r->gained, &r->kinetic, &r->energy) == 11;
}
