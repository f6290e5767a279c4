/* cli/solve_report.h - what 'specht solve' found out, as a table, as JSON, as a profile. */
#ifndef SP_CLI_SOLVE_REPORT_H
#define SP_CLI_SOLVE_REPORT_H

#include "io/json.h"
#include "specht/problem.h"

/* One solver on one problem. */
typedef struct sp_solve_run {
    const char *solver; /* as asked for: "auto", "nsgs"                                */
    bool applies;       /* false: this solver does not take such problems; the rest is void */
    double seconds;     /* median of the repetitions */
    sp_problem_answer answer;
} sp_solve_run;

/* One file. */
enum { SP_SOLVE_RUNS = 32 };
typedef struct sp_solve_case {
    const char *file;
    char error[1024]; /* why it could not be read or posed; empty: it was */
    sp_problem_info info;
    char why[160]; /* of info */
    int n_run;
    sp_solve_run run[SP_SOLVE_RUNS];
} sp_solve_case;

/* "solved", "infeasible" and so on; for a file that could not be read "bad-input". */
const char *sp_solve_status(const sp_solve_case *c, int run);

/* Whether the run ended with a certified solution. */
bool sp_solve_is_solved(const sp_solve_run *r);

/* A table of files, and notes about odd matrices below it. */
void sp_solve_print(int n, const sp_solve_case *c, const sp_problem_options *o);

/* A table of times, file by solver, and the performance profile: the share of problems that a
 * solver solves within so many times the time of the best one. */
void sp_solve_print_compare(int n, const sp_solve_case *c);

/* The same as JSON: an object, for several files an array; for comparisons an object with
 * 'problems' and 'profile'. */
void sp_solve_json(int n, const sp_solve_case *c, bool compare);

#endif
