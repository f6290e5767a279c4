/* What the tests of problem files share: the files under tests/data/problems, in memory. */
#ifndef TEST_PROBLEM_H
#define TEST_PROBLEM_H

#include "io/problem_file.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call that must succeed; says why it did not. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        if ((call) != SP_OK) {                                                                     \
            fail_msg("%s:%d: %s", err.file, err.line, err.text);                                   \
        }                                                                                          \
    } while (0)

/* Path of a file of ours. */
static inline void problem_path(const char *name, char *path, size_t size)
{
    const char *root = getenv("SPECHT_SOURCE_DIR");
    snprintf(path, size, "%s/tests/data/problems/%s", root ? root : ".", name);
}

/* A file of ours with a zero behind it, for free(). */
static inline char *problem_bytes(const char *name, size_t *n)
{
    char path[1024];
    problem_path(name, path, sizeof path);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *n = fread(bytes, 1, (1 << 20) - 1, f);
    bytes[*n] = '\0';
    fclose(f);
    return bytes;
}

/* Whether text holds part. */
static inline void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("'%s' does not hold '%s'", text, part);
    }
}

/* The matrix of a local problem as a dense one (row-major, n x n), for free(). */
static inline double *problem_dense(const sp_problem_file *p)
{
    const size_t n = (size_t)p->W.m;
    double *D = calloc(n * n + 1, sizeof *D);
    assert_non_null(D);
    for (size_t k = 0; k < p->W.count; k++) {
        D[(size_t)p->W.row[k] * n + (size_t)p->W.column[k]] += p->W.value[k];
    }
    return D;
}

#endif
