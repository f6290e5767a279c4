/* support/jet.h - numbers that know their course in time: Taylor polynomials to t^3.
 *
 * A formula for a place, written in jets, gives velocity, acceleration and jerk exact to round-off:
 * derivatives of any quantity without a difference quotient and without the library's formulas. */
#ifndef SUPPORT_JET_H
#define SUPPORT_JET_H

#include <math.h>

enum { JET_N = 4 };

typedef struct jet {
    double c[JET_N]; /* value = sum c[k] t^k */
} jet;

typedef struct jet2 {
    jet x, y;
} jet2;

/* a + b t + c t^2/2 */
static inline jet jet_of(double a, double b, double c)
{
    return (jet){{a, b, 0.5 * c, 0.0}};
}

static inline jet jet_add(jet a, jet b)
{
    for (int k = 0; k < JET_N; k++) {
        a.c[k] += b.c[k];
    }
    return a;
}

static inline jet jet_scale(double s, jet a)
{
    for (int k = 0; k < JET_N; k++) {
        a.c[k] *= s;
    }
    return a;
}

static inline jet jet_sub(jet a, jet b)
{
    return jet_add(a, jet_scale(-1.0, b));
}

static inline jet jet_mul(jet a, jet b)
{
    jet p = {{0.0}};
    for (int i = 0; i < JET_N; i++) {
        for (int j = 0; i + j < JET_N; j++) {
            p.c[i + j] += a.c[i] * b.c[j];
        }
    }
    return p;
}

/* p with p b = a, b(0) not 0 */
static inline jet jet_div(jet a, jet b)
{
    jet p = {{0.0}};
    for (int k = 0; k < JET_N; k++) {
        double sum = a.c[k];
        for (int j = 0; j < k; j++) {
            sum -= p.c[j] * b.c[k - j];
        }
        p.c[k] = sum / b.c[0];
    }
    return p;
}

/* p with p p = a, a(0) > 0 */
static inline jet jet_sqrt(jet a)
{
    jet p = {{sqrt(a.c[0])}};
    for (int k = 1; k < JET_N; k++) {
        double sum = a.c[k];
        for (int j = 1; j < k; j++) {
            sum -= p.c[j] * p.c[k - j];
        }
        p.c[k] = sum / (2.0 * p.c[0]);
    }
    return p;
}

/* s' = c a',  c' = -s a' */
static inline void jet_sincos(jet a, jet *s, jet *c)
{
    s->c[0] = sin(a.c[0]);
    c->c[0] = cos(a.c[0]);
    for (int k = 1; k < JET_N; k++) {
        s->c[k] = c->c[k] = 0.0;
        for (int j = 1; j <= k; j++) {
            s->c[k] += j * a.c[j] * c->c[k - j] / k;
            c->c[k] -= j * a.c[j] * s->c[k - j] / k;
        }
    }
}

/* da/dt; its last coefficient is lost */
static inline jet jet_rate(jet a)
{
    jet d = {{0.0}};
    for (int k = 1; k < JET_N; k++) {
        d.c[k - 1] = k * a.c[k];
    }
    return d;
}

static inline jet2 jet2_of(double x, double y)
{
    return (jet2){jet_of(x, 0.0, 0.0), jet_of(y, 0.0, 0.0)};
}

static inline jet2 jet2_add(jet2 a, jet2 b)
{
    return (jet2){jet_add(a.x, b.x), jet_add(a.y, b.y)};
}

static inline jet2 jet2_sub(jet2 a, jet2 b)
{
    return (jet2){jet_sub(a.x, b.x), jet_sub(a.y, b.y)};
}

static inline jet2 jet2_mul(jet k, jet2 a)
{
    return (jet2){jet_mul(k, a.x), jet_mul(k, a.y)};
}

static inline jet2 jet2_rate(jet2 a)
{
    return (jet2){jet_rate(a.x), jet_rate(a.y)};
}

static inline jet jet2_dot(jet2 a, jet2 b)
{
    return jet_add(jet_mul(a.x, b.x), jet_mul(a.y, b.y));
}

static inline jet jet2_length(jet2 a)
{
    return jet_sqrt(jet2_dot(a, a));
}

/* a turned by +90 degrees, times k: k e_z x a */
static inline jet2 jet2_spin(jet k, jet2 a)
{
    return (jet2){jet_scale(-1.0, jet_mul(k, a.y)), jet_mul(k, a.x)};
}

#endif
