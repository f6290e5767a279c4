/* bench.h - clock, medians and the one line every benchmark program prints. */
#ifndef SP_BENCH_H
#define SP_BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* What one benchmarked program did: the median run of its repetitions. */
typedef struct bench_result {
    char peer[32];   /* name without spaces or quotes                              */
    long steps;      /* steps of one run                                           */
    double seconds;  /* median wall time of one run [s]                            */
    double checksum; /* theta1 + theta2 + theta3 at the end: keeps the work alive  */
} bench_result;

/* Seconds of the monotonic clock, from an arbitrary origin. */
double bench_now(void);

/* Processor time of this program [s]: other programs do not disturb it. */
double bench_processor(void);

/* Median of x[0..n-1], n >= 1; sorts x. */
double bench_median(double *x, int n);

/* Read a whole number > 0 from the command line, or take the default when it is missing; -1 if the
 * argument is no such number. */
long bench_argument(int argc, char **argv, int index, long missing);

/* Print {"peer":"...","steps":...,"seconds":...,"checksum":...} and a newline to stdout. */
void bench_report(const bench_result *r);

/* Run a harness program and read the line it prints.  1: read; 0: there is no such program, it
 * failed, or it printed no such line (the peer is then skipped). */
int bench_run_peer(const char *program, long steps, int repetitions, bench_result *r);

#ifdef __cplusplus
}
#endif

#endif
