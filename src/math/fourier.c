#include "math/fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A swap of two numbers. */
static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* n a power of two (Cooley and Tukey 1965); sign +1: exp(+...), without 1/n. */
static void transform(size_t n, double *re, double *im, double sign)
{
    for (size_t i = 1, j = 0; i < n; i++) { /* digits of the number reversed */
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            swap(&re[i], &re[j]);
            swap(&im[i], &im[j]);
        }
    }
    for (size_t m = 2; m <= n; m *= 2) {
        for (size_t k = 0; k < m / 2; k++) {
            const double angle = sign * 2.0 * PI * (double)k / (double)m;
            const double c = cos(angle), s = sin(angle);
            for (size_t a = k; a < n; a += m) {
                const size_t b = a + m / 2;
                const double x = c * re[b] - s * im[b], y = s * re[b] + c * im[b];
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
        }
    }
}

/* exp(-i pi j^2/n); j^2 modulo 2 n, so that the angle stays exact. */
static void chirp(size_t n, size_t j, double *c, double *s)
{
    const double angle = PI * (double)(j * j % (2 * n)) / (double)n;
    *c = cos(angle);
    *s = -sin(angle);
}

/* Any n: j k = (j^2 + k^2 - (k - j)^2)/2 makes of the sum a convolution (Bluestein 1970). */
static bool convolve(size_t n, double *re, double *im)
{
    size_t m = 1;
    while (m < 2 * n) {
        m *= 2;
    }
    double *x = calloc(4 * m, sizeof *x), *y = x ? x + m : NULL;
    double *u = x ? x + 2 * m : NULL, *v = x ? x + 3 * m : NULL, c, s;
    if (!x) {
        return false;
    }
    for (size_t j = 0; j < n; j++) {
        chirp(n, j, &c, &s);
        x[j] = re[j] * c - im[j] * s;
        y[j] = re[j] * s + im[j] * c;
        u[j] = c;
        v[j] = -s;
        if (j > 0) {
            u[m - j] = c;
            v[m - j] = -s;
        }
    }
    transform(m, x, y, -1.0);
    transform(m, u, v, -1.0);
    for (size_t k = 0; k < m; k++) {
        const double a = x[k] * u[k] - y[k] * v[k], b = x[k] * v[k] + y[k] * u[k];
        x[k] = a / (double)m;
        y[k] = b / (double)m;
    }
    transform(m, x, y, 1.0);
    for (size_t k = 0; k < n; k++) {
        chirp(n, k, &c, &s);
        re[k] = x[k] * c - y[k] * s;
        im[k] = x[k] * s + y[k] * c;
    }
    free(x);
    return true;
}

bool sp_fourier(size_t n, double *re, double *im)
{
    if (n == 0) {
        return false;
    }
    if ((n & (n - 1)) == 0) {
        transform(n, re, im, -1.0);
        return true;
    }
    return convolve(n, re, im);
}
