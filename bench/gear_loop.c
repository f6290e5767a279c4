/* bench/gear_loop.c - examples/gear_1dof by a loop written for this one machine, the bound that
 * studies are held against: a loose wheel z'' = -T between the flanks of one that moves as alpha
 * sin t.  Flights are parabolas; touches are sought at places along the flight and closed in by
 * Newton's method within their bracket; bounces that accumulate are summed to their limit.
 *
 *     gear_loop [amplitudes [periods]]
 *
 * Prints impacts, nanoseconds per impact, and the mean of the sums of impulses over time for
 * amplitudes from 0.1 to 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double PI = 3.14159265358979323846;
static const double T = 0.1, EPS = 0.7, BETA = 10.0;
enum { PLACES = 24, STEPS = 60 };
#define LOW   1e-6  /* speed below which bounces accumulate, above sqrt(2 T CLOSE) */
#define CLOSE 1e-14 /* gap at which a touch is found             */

/* The wheel in flight since t: play and its rate h later, over the flank at `at`. */
typedef struct flight {
    double t, z, w, alpha;
} flight;

static double play(const flight *f, double h)
{
    return f->z + (f->w - 0.5 * T * h) * h - f->alpha * sin(f->t + h);
}

static double play_rate(const flight *f, double h)
{
    return f->w - T * h - f->alpha * cos(f->t + h);
}

/* When the play comes to a flank between lo, inside, and hi, beyond it. */
static double close_in(const flight *f, double flank, double lo, double hi)
{
    const double sign = flank > 0.0 ? -1.0 : 1.0;
    double h = hi;
    for (int k = 0; k < STEPS; k++) {
        const double gap = sign * (play(f, h) - flank);
        if (fabs(gap) < CLOSE) {
            return h;
        }
        *(gap > 0.0 ? &lo : &hi) = h;
        const double next = h - gap / (sign * play_rate(f, h));
        h = next > lo && next < hi ? next : 0.5 * (lo + hi);
    }
    return h;
}

/* The first touch within `most` of the flight, -1: there is none; its flank. */
static double find_touch(const flight *f, double most, double *flank)
{
    const double part = 2.0 * PI / PLACES;
    for (double lo = 0.0; lo < most; lo += part) {
        const double hi = lo + part, s = play(f, hi);
        if (s < 0.0 || s > BETA) {
            *flank = s < 0.0 ? 0.0 : BETA;
            const double h = close_in(f, *flank, lo, hi);
            return h < most ? h : -1.0;
        }
    }
    return -1.0;
}

/* When a wheel that lies on a flank since t leaves it: pressed by T - alpha sin t, or its reverse.
 */
static double leave(double alpha, double flank, double t)
{
    const double at = flank > 0.0 ? PI + asin(-T / alpha) : asin(T / alpha);
    return alpha > T ? at + 2.0 * PI * ceil((t - at) / (2.0 * PI)) : INFINITY;
}

/* All impacts of one amplitude until `end`; the sum of their impulses behind `from`. */
static long run(double alpha, double end, double from, double *impulses)
{
    flight f = {.alpha = alpha};
    long n = 0;
    double flank = 0.0;
    f.t = leave(alpha, 0.0, 0.0);
    f.z = alpha * sin(f.t);
    f.w = alpha * cos(f.t) + LOW;
    while (f.t < end) {
        const double h = find_touch(&f, end - f.t, &flank);
        if (h < 0.0) {
            break;
        }
        const double speed = play_rate(&f, h), sign = flank > 0.0 ? -1.0 : 1.0;
        f.t += h;
        n++;
        *impulses += f.t > from ? (1.0 + EPS) * fabs(speed) : 0.0;
        const double away = EPS * fabs(speed), press = sign * (T - alpha * sin(f.t));
        if (away < LOW && press > 0.0) { /* it comes to rest: sum 2 v/press eps^k */
            f.t = leave(alpha, flank, f.t + 2.0 * away / (press * (1.0 - EPS)));
        }
        const double rest = away > LOW ? away : LOW;
        f.z = flank + alpha * sin(f.t) + sign * CLOSE;
        f.w = alpha * cos(f.t) + sign * rest;
    }
    return n;
}

int main(int n_arg, char **arg)
{
    const int n = n_arg > 1 ? atoi(arg[1]) : 400;
    const double periods = n_arg > 2 ? atof(arg[2]) : 400.0, end = 2.0 * PI * periods;
    double impulses = 0.0;
    long impacts = 0;
    const clock_t begin = clock();
    for (int k = 0; k < n; k++) {
        impacts += run(0.1 + 0.9 * k / (n > 1 ? n - 1 : 1), end, 0.75 * end, &impulses);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("{\"impacts\":%ld,\"seconds\":%.4f,\"ns\":%.0f,\"noise\":%.4f}\n", impacts, seconds,
           1e9 * seconds / (double)(impacts > 0 ? impacts : 1), impulses / (0.25 * end * n));
    return 0;
}
