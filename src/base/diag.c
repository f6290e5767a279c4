#include "base/diag.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sp_diag_init(sp_diag *d, sp_arena *arena)
{
    memset(d, 0, sizeof *d);
    d->arena = arena;
}

bool sp_place_same_file(sp_place a, sp_place b)
{
    return a.file == b.file || (a.file && b.file && strcmp(a.file, b.file) == 0);
}

/* The name of a file, kept with the messages: the last one's again, or a copy. */
static const char *keep_file(sp_diag *d, const char *file)
{
    const char *last = d->last ? d->last->place.file : NULL;
    return !file ? NULL : last && strcmp(last, file) == 0 ? last : sp_arena_copy(d->arena, file);
}

void sp_diag_add(sp_diag *d, sp_severity severity, sp_place place, const char *fmt, ...)
{
    if (severity == SP_ERROR && d->n_error++ >= SP_DIAG_MAX) {
        return;
    }
    if (severity == SP_WARNING && d->n_warning++ >= SP_DIAG_MAX) {
        return;
    }
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sp_message *message = SP_NEW(d->arena, sp_message, 1);
    char *copy = sp_arena_copy(d->arena, text);
    if (!message || !copy) {
        return; /* out of memory: the count above still fails the build */
    }
    message->severity = severity;
    message->place = (sp_place){keep_file(d, place.file), place.line, place.column};
    message->text = copy;
    if (d->last) {
        d->last->next = message;
    } else {
        d->first = message;
    }
    d->last = message;
}

sp_status sp_diag_status(const sp_diag *d, sp_error *err)
{
    if (d->n_error == 0) {
        return SP_OK;
    }
    for (const sp_message *m = d->first; m; m = m->next) {
        if (m->severity == SP_ERROR) {
            sp_fail(err, SP_E_INPUT, __func__, "%s", m->text);
            if (err) {
                snprintf(err->file, sizeof err->file, "%s", m->place.file ? m->place.file : "");
                err->line = m->place.line;
                err->column = m->place.column;
            }
            return SP_E_INPUT;
        }
    }
    return SP_FAIL(err, SP_E_MEMORY, "out of memory while reporting errors");
}

sp_status sp_diag_finish(const sp_diag *d, sp_status status, const char *what, sp_error *err)
{
    if (status == SP_E_INPUT) {
        return sp_diag_status(d, err);
    }
    return status == SP_OK ? SP_OK : SP_FAIL(err, status, "%s: %s", what, sp_status_text(status));
}

enum { WORD_MAX = 64 };

/* Number of insertions, deletions, changes and swaps of neighbours that turn a into b. */
static int distance(const char *a, const char *b)
{
    const size_t n_a = strlen(a), n_b = strlen(b);
    if (n_a >= WORD_MAX || n_b >= WORD_MAX) {
        return WORD_MAX;
    }
    int row[3][WORD_MAX + 1]; /* rows i-2, i-1 and i of the table, by i modulo 3 */
    for (size_t j = 0; j <= n_b; j++) {
        row[0][j] = (int)j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= n_b; j++) {
            int best = before[j - 1] + (a[i - 1] != b[j - 1]);
            best = before[j] + 1 < best ? before[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = earlier[j - 2] + 1 < best ? earlier[j - 2] + 1 : best;
            }
            now[j] = best;
        }
    }
    return row[n_a % 3][n_b];
}

const char *sp_nearest(const char *word, const char *const *candidate, int n)
{
    const char *nearest = NULL;
    int least = (int)(strlen(word) / 3) + 1; /* at most a third of the letters wrong */
    for (int k = 0; k < n; k++) {
        const int d = distance(word, candidate[k]);
        if (d <= least && (!nearest || d < least) && (size_t)d < strlen(candidate[k])) {
            least = d;
            nearest = candidate[k];
        }
    }
    return nearest;
}

void sp_count_text(long long n, char *buffer, size_t size)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%lld", n < 0 ? -n : n);
    size_t used = 0;
    for (int i = 0; i < length && used + 3 < size; i++) {
        if (i == 0 && n < 0) {
            buffer[used++] = '-';
        }
        if (i > 0 && (length - i) % 3 == 0) {
            buffer[used++] = ' ';
        }
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
}
