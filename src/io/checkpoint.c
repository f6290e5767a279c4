#define _POSIX_C_SOURCE 200809L
#include "io/checkpoint.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[16] = "specht state 1\n";

/* What stands before the state and what the run needs. */
typedef struct head {
    char magic[sizeof magic];
    uint64_t state, about; /* bytes           */
    uint64_t sum;          /* a check of both */
} head;

/* A sum that a torn file does not have. */
static uint64_t check_sum(const unsigned char *bytes, size_t n)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum;
}

/* The file, whole; errno tells why not. */
static bool write_all(const char *path, const head *h, const unsigned char *bytes)
{
    const size_t n = h->state + h->about;
    FILE *file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    const bool written = fwrite(h, sizeof *h, 1, file) == 1 && fwrite(bytes, 1, n, file) == n;
    return fclose(file) == 0 && written;
}

sp_status sp_checkpoint_write(const char *path, const sp_model *m, const sp_state *x,
                              const void *about, size_t n, sp_error *err)
{
    const size_t state = sp_state_bytes(m), length = strlen(path) + 8;
    unsigned char *bytes = malloc(state + n);
    char *temporary = malloc(length);
    head h = {.state = state, .about = n};
    bool ok = bytes && temporary;
    memcpy(h.magic, magic, sizeof magic);
    if (ok) {
        snprintf(temporary, length, "%s.new", path);
        sp_state_pack(m, x, bytes);
        memcpy(bytes + state, about, n);
        h.sum = check_sum(bytes, state + n);
        ok = write_all(temporary, &h, bytes) && rename(temporary, path) == 0;
    }
    const sp_status status =
        ok ? SP_OK
           : SP_FAIL(err, SP_E_IO, "checkpoint '%s': cannot write: %s", path, strerror(errno));
    free(bytes);
    free(temporary);
    return status;
}

sp_status sp_checkpoint_read(const char *path, const sp_model *m, sp_state *x, void *about,
                             size_t n, sp_error *err)
{
    head h;
    const size_t state = sp_state_bytes(m);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return SP_FAIL(err, SP_E_IO, "checkpoint '%s': %s; run with --checkpoint to have one", path,
                       strerror(errno));
    }
    unsigned char *bytes = malloc(state + n);
    const bool whole = bytes && fread(&h, sizeof h, 1, file) == 1 &&
                       memcmp(h.magic, magic, sizeof magic) == 0 && h.state == state &&
                       h.about == n && fread(bytes, 1, state + n, file) == state + n &&
                       fgetc(file) == EOF && h.sum == check_sum(bytes, state + n);
    fclose(file);
    sp_status status = whole
                           ? sp_state_unpack(m, bytes, state, x, err)
                           : SP_FAIL(err, SP_E_INPUT,
                                     "checkpoint '%s' is damaged, or not one of this model", path);
    if (status == SP_OK) {
        memcpy(about, bytes + state, n);
    }
    free(bytes);
    return status;
}
