/* base/diag.h - a list of messages about a model file, so that all its errors are reported, not the
 * first. */
#ifndef SP_BASE_DIAG_H
#define SP_BASE_DIAG_H

#include "base/arena.h"

#include <stdbool.h>

/* Are two places in the same file, or both in none? */
bool sp_place_same_file(sp_place a, sp_place b);

/* Messages in the order they came.  More than SP_DIAG_MAX errors are counted, not kept. */
enum { SP_DIAG_MAX = 200 };
typedef struct sp_diag {
    sp_arena *arena;
    sp_message *first, *last;
    int n_error, n_warning;
} sp_diag;

void sp_diag_init(sp_diag *d, sp_arena *arena);

/* Add a message; text and file name are copied, the place may be in memory that is freed. */
void sp_diag_add(sp_diag *d, sp_severity severity, sp_place place, const char *fmt, ...)
    SP_PRINTF(4, 5);

/* SP_OK if no error was added; else SP_E_INPUT with the first error in err. */
sp_status sp_diag_status(const sp_diag *d, sp_error *err);

/* How a call ends that collected its errors in d: status, with the first error in err if it is
 * SP_E_INPUT, else with "what: out of memory" and the like. */
sp_status sp_diag_finish(const sp_diag *d, sp_status status, const char *what, sp_error *err);

/* The candidate nearest to word by edit distance, NULL if none is near enough to suggest. */
const char *sp_nearest(const char *word, const char *const *candidate, int n);

/* "10 000" */
void sp_count_text(long long n, char *buffer, size_t size);

#endif
