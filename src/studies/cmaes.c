/* studies/cmaes.c */
#include "studies/cmaes.h"

#include "math/eigen.h"
#include "studies/study.h"

#include <math.h>
#include <string.h>

#define WIDTH 0.3 /* of the first generation */

/* Weights of the better half.   (80.9) */
static void weigh(sp_cmaes *c)
{
    double sum = 0.0, square = 0.0;
    for (long k = 0; k < c->lambda / 2; k++) {
        c->weight[k] = log((double)c->lambda / 2.0 + 0.5) - log((double)k + 1.0);
        sum += c->weight[k];
        square += c->weight[k] * c->weight[k];
    }
    for (long k = 0; k < c->lambda / 2; k++) {
        c->weight[k] /= sum;
    }
    c->mu_eff = sum * sum / square;
}

bool sp_cmaes_begin(sp_arena *arena, int d, long lambda, const double *mean, sp_cmaes *c)
{
    const size_t n = (size_t)d;
    *c = (sp_cmaes){.d = d, .lambda = lambda, .sigma = WIDTH};
    const struct {
        double **to;
        size_t n;
    } part[] = {{&c->x, (size_t)lambda * n},
                {&c->weight, (size_t)lambda},
                {&c->mean, n},
                {&c->ps, n},
                {&c->pc, n},
                {&c->D, n},
                {&c->C, n * n},
                {&c->B, n * n},
                {&c->room, n * n + 4 * n}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        if (!(*part[k].to = SP_NEW(arena, double, part[k].n))) {
            return false;
        }
    }
    weigh(c);
    memcpy(c->mean, mean, n * sizeof *mean);
    for (int k = 0; k < d; k++) {
        c->C[k * d + k] = c->B[k * d + k] = c->D[k] = 1.0;
    }
    return true;
}

/* A normal random number of the study's seed (Box and Muller). */
static double normal(long long seed, uint64_t generation, uint64_t k)
{
    const double u = 1.0 - sp_study_random(seed, generation, 2 * k);
    const double v = sp_study_random(seed, generation, 2 * k + 1);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

void sp_cmaes_draw(sp_cmaes *c, long long seed, uint64_t generation)
{
    const int d = c->d;
    for (long i = 0; i < c->lambda; i++) {
        double *x = c->x + i * d, *z = c->room;
        for (int k = 0; k < d; k++) {
            z[k] = c->D[k] * normal(seed, generation, (uint64_t)(i * d + k));
        }
        for (int k = 0; k < d; k++) { /* x = m + sigma B D z */
            double sum = 0.0;
            for (int j = 0; j < d; j++) {
                sum += c->B[k * d + j] * z[j];
            }
            x[k] = c->mean[k] + c->sigma * sum;
        }
    }
}

/* v = B D^-1 B^T y. */
static void whiten(const sp_cmaes *g, const double *y, double *v)
{
    const int d = g->d;
    double *c = g->room + d * d;
    for (int k = 0; k < d; k++) {
        c[k] = 0.0;
        for (int j = 0; j < d; j++) {
            c[k] += g->B[j * d + k] * y[j];
        }
        c[k] /= g->D[k];
    }
    for (int k = 0; k < d; k++) {
        v[k] = 0.0;
        for (int j = 0; j < d; j++) {
            v[k] += g->B[k * d + j] * c[j];
        }
    }
}

/* The covariance from the path and the better candidates; its axes.   (80.10) */
static void learn_covariance(sp_cmaes *g, const double *old, const long *order, double c_c,
                             double c_1, double c_mu, bool calm)
{
    const int d = g->d;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (long k = 0; k < g->lambda / 2; k++) {
                const double *x = g->x + order[k] * d;
                sum += g->weight[k] * (x[i] - old[i]) * (x[j] - old[j]) / (g->sigma * g->sigma);
            }
            double *c = &g->C[i * d + j];
            *c = (1.0 - c_1 - c_mu) * *c + c_mu * sum +
                 c_1 * (g->pc[i] * g->pc[j] + (calm ? 0.0 : c_c * (2.0 - c_c) * *c));
        }
    }
    memcpy(g->room, g->C, (size_t)(d * d) * sizeof *g->room);
    sp_eigen_symmetric(d, g->room, g->B, g->D);
    for (int k = 0; k < d; k++) {
        g->D[k] = sqrt(fmax(g->D[k], 1e-20));
    }
}

/* The next distribution from this generation [Hansen2016, figure 6].   (80.9), (80.10) */
double sp_cmaes_learn(sp_cmaes *g, const long *order)
{
    const int d = g->d;
    const double n = d, mu = g->mu_eff;
    const double c_s = (mu + 2.0) / (n + mu + 5.0), c_c = (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n);
    const double c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu);
    const double c_mu = fmin(1.0 - c_1, 2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0) * (n + 2.0) + mu));
    const double damp = 1.0 + 2.0 * fmax(0.0, sqrt((mu - 1.0) / (n + 1.0)) - 1.0) + c_s;
    const double chi = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
    double *old = g->room + d * d + d, *y = old + d, *v = y + d, size = 0.0;
    memcpy(old, g->mean, (size_t)d * sizeof *old);
    for (int k = 0; k < d; k++) {
        g->mean[k] = 0.0;
        for (long i = 0; i < g->lambda / 2; i++) {
            g->mean[k] += g->weight[i] * g->x[order[i] * d + k];
        }
        y[k] = (g->mean[k] - old[k]) / g->sigma;
    }
    whiten(g, y, v);
    for (int k = 0; k < d; k++) {
        g->ps[k] = (1.0 - c_s) * g->ps[k] + sqrt(c_s * (2.0 - c_s) * mu) * v[k];
        size += g->ps[k] * g->ps[k];
    }
    size = sqrt(size);
    const double usual = sqrt(1.0 - pow(1.0 - c_s, 2.0 * (double)(g->age + 1)));
    const bool calm = size / usual < (1.4 + 2.0 / (n + 1.0)) * chi;
    for (int k = 0; k < d; k++) {
        g->pc[k] = (1.0 - c_c) * g->pc[k] + (calm ? sqrt(c_c * (2.0 - c_c) * mu) * y[k] : 0.0);
    }
    learn_covariance(g, old, order, c_c, c_1, c_mu, calm);
    g->sigma *= exp(fmin(1.0, c_s / damp * (size / chi - 1.0)));
    g->age++;
    double widest = 0.0;
    for (int k = 0; k < d; k++) {
        widest = fmax(widest, g->sigma * sqrt(g->C[k * d + k]));
    }
    return widest;
}
