/* bench.c - clock, medians and the one line every benchmark program prints. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds of the monotonic clock. */
double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that this program has had a processor. */
double bench_processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Order two doubles for qsort. */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sort, then take the middle value or the mean of the two middle ones. */
double bench_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* Parse argv[index] as a whole number > 0. */
long bench_argument(int argc, char **argv, int index, long missing)
{
    if (argc <= index) {
        return missing;
    }
    char *end;
    const long value = strtol(argv[index], &end, 10);
    return *end == '\0' && value > 0 ? value : -1;
}

/* Print the result as one line of JSON. */
void bench_report(const bench_result *r)
{
    printf("{\"peer\":\"%s\",\"steps\":%ld,\"seconds\":%.9g,\"checksum\":%.17g}\n", r->peer,
           r->steps, r->seconds, r->checksum);
}

/* Run the program through the shell, single-threaded, and scan its output for the line of
 * bench_report. */
int bench_run_peer(const char *program, long steps, int repetitions, bench_result *r)
{
    char command[4096], line[512];
    if (strchr(program, '\'') || access(program, X_OK) != 0) {
        return 0;
    }
    const int n = snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 '%s' %ld %d", program,
                           steps, repetitions);
    if (n < 0 || (size_t)n >= sizeof command) {
        return 0;
    }
    FILE *out = popen(command, "r");
    if (!out) {
        return 0;
    }
    int found = 0;
    while (fgets(line, sizeof line, out)) {
        found |=
            sscanf(line, "{\"peer\":\"%31[^\"]\",\"steps\":%ld,\"seconds\":%lf,\"checksum\":%lf}",
                   r->peer, &r->steps, &r->seconds, &r->checksum) == 4;
    }
    return pclose(out) == 0 && found;
}
