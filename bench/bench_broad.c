/* bench_broad.c - the broad phase from 100 to 100 000 spheres at constant density.
 *
 *     bench_broad [rounds]
 *
 * Prints the time per sphere for each number and the fitted exponent of time against number; exit
 * code 1 if it is above 1.1.  The numbers take turns, so that a noisy machine is noisy for all; the
 * shortest time of each counts. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "contact/broad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIZES = 7, MOST = 100000, REACH = 12, ROUNDS_MAX = 1000 };
static const int sizes[SIZES] = {100, 316, 1000, 3162, 10000, 31623, MOST};

/* Processor time of this program: others on the machine count less than on the clock. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Numbers in [0, 1) that depend on the seed alone. */
static double number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* n balls of radius 0.5 with a margin of a tenth, half of the room filled as in a loose heap. */
static void draw(int n, unsigned long long seed, sp_broad_item *item)
{
    const double side = cbrt(n * 0.5236 / 0.5);
    for (int i = 0; i < n; i++) {
        const double x = side * number(&seed), y = side * number(&seed), z = side * number(&seed);
        const sp_box3 box = {{x - 0.5, y - 0.5, z - 0.5}, {x + 0.5, y + 0.5, z + 0.5}};
        item[i] = (sp_broad_item){sp_box3_widened(box, 0.05), i};
    }
}

/* Seconds of one search, the mean over different scenes of n: a scene that came again would be
 * known to the branch predictor. */
static double search(int n, const sp_broad_item *item, sp_broad *broad, double *pairs)
{
    const int repeat = MOST / n;
    const double start = cpu_seconds();
    *pairs = 0.0;
    for (int k = 0; k < repeat; k++) {
        const sp_status status = sp_broad_find(n, item + (size_t)k * (size_t)n, broad, NULL);
        *pairs += status == SP_OK ? (double)broad->n_pair : NAN;
    }
    return (cpu_seconds() - start) / repeat;
}

/* Slope of log y over log x. */
static double exponent(const double *seconds)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < SIZES; k++) {
        const double lx = log(sizes[k]), ly = log(seconds[k]);
        x += lx / SIZES;
        y += ly / SIZES;
        xx += lx * lx / SIZES;
        xy += lx * ly / SIZES;
    }
    return (xy - x * y) / (xx - x * x);
}

int main(int argc, char **argv)
{
    const long rounds = bench_argument(argc, argv, 1, 15);
    static sp_broad_item item[SIZES][MOST];
    double best[SIZES], pairs[SIZES];
    sp_arena arena;
    sp_broad broad;
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench_broad [rounds <= %d]\n", ROUNDS_MAX);
        return 2;
    }
    sp_arena_init(&arena, NULL, 0);
    if (sp_broad_reserve(&arena, MOST, MOST * REACH, &broad, NULL) != SP_OK) {
        return 2;
    }
    for (int k = 0; k < SIZES; k++) {
        best[k] = INFINITY;
        for (int i = 0; i + sizes[k] <= MOST; i += sizes[k]) {
            draw(sizes[k], (unsigned long long)i, item[k] + i);
        }
    }
    for (long r = 0; r < rounds; r++) {
        for (int k = 0; k < SIZES; k++) {
            best[k] = fmin(best[k], search(sizes[k], item[k], &broad, &pairs[k]));
        }
    }
    printf("%8s %12s %10s\n", "spheres", "pairs/sphere", "ns/sphere");
    for (int k = 0; k < SIZES; k++) {
        const double per_sphere = pairs[k] / (sizes[k] * (MOST / sizes[k]));
        printf("%8d %12.2f %10.1f\n", sizes[k], per_sphere, 1e9 * best[k] / sizes[k]);
    }
    const double p = exponent(best);
    printf("exponent %.3f, at most 1.1%s\n", p, p <= 1.1 ? "" : "  MISSED");
    sp_arena_free(&arena);
    return !(p <= 1.1);
}
