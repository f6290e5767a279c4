#define _POSIX_C_SOURCE 200809L
#include "io/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[16] = "specht state 7\n";

/* What stands before the memory and what the run needs. */
typedef struct head {
    char magic[sizeof magic];
    uint64_t memory, about; /* bytes           */
    uint64_t sum;           /* a check of both */
} head;

/* A sum that a torn file does not have; goes on from `sum`. */
static uint64_t check_sum(uint64_t sum, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum;
}

/* The sum over both parts. */
static uint64_t sum_of(const sp_checkpoint *c)
{
    const uint64_t sum = check_sum(14695981039346656037u, c->memory, c->n_memory);
    return check_sum(sum, c->about, c->n_about);
}

/* The file, whole; errno says why not. */
static bool write_all(const char *path, const sp_checkpoint *c)
{
    head h = {.memory = c->n_memory, .about = c->n_about, .sum = sum_of(c)};
    FILE *file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    memcpy(h.magic, magic, sizeof magic);
    const bool written = fwrite(&h, sizeof h, 1, file) == 1 &&
                         fwrite(c->memory, 1, c->n_memory, file) == c->n_memory &&
                         fwrite(c->about, 1, c->n_about, file) == c->n_about;
    return fclose(file) == 0 && written;
}

sp_status sp_checkpoint_write(const char *path, const sp_checkpoint *c, sp_error *err)
{
    const size_t length = strlen(path) + 8;
    char *temporary = malloc(length);
    bool ok = temporary != NULL;
    if (ok) {
        snprintf(temporary, length, "%s.new", path);
        ok = write_all(temporary, c) && rename(temporary, path) == 0;
    }
    const sp_status status =
        ok ? SP_OK
           : SP_FAIL(err, SP_E_IO, "checkpoint '%s': cannot write: %s", path, strerror(errno));
    free(temporary);
    return status;
}

/* Both parts of a file into one block, which has room for h->memory + n_about bytes; false if it is
 * no whole checkpoint. */
static bool read_all(FILE *file, const head *h, unsigned char *bytes)
{
    const size_t n = (size_t)(h->memory + h->about);
    return bytes && fread(bytes, 1, n, file) == n && fgetc(file) == EOF &&
           h->sum == check_sum(14695981039346656037u, bytes, n);
}

/* Bytes of a file that is open. */
static uint64_t size_of(FILE *file)
{
    long n = -1;
    if (fseek(file, 0, SEEK_END) == 0) {
        n = ftell(file);
    }
    rewind(file);
    return n > 0 ? (uint64_t)n : 0;
}

sp_status sp_checkpoint_read(const char *path, const sp_model *m, sp_state *x, void *about,
                             size_t n_about, unsigned char **memory, size_t *n_memory,
                             sp_error *err)
{
    head h;
    *memory = NULL;
    *n_memory = 0;
    const size_t state = sp_state_bytes(m);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return SP_FAIL(err, SP_E_IO, "checkpoint '%s': %s; run with --checkpoint to have one", path,
                       strerror(errno));
    }
    const uint64_t size = size_of(file);
    const bool headed = fread(&h, sizeof h, 1, file) == 1 &&
                        memcmp(h.magic, magic, sizeof magic) == 0 && h.memory < size &&
                        h.about < size && /* no sum of these overflows */
                        h.memory + h.about + sizeof h == size;
    unsigned char *bytes = headed ? malloc((size_t)(h.memory + h.about)) : NULL;
    const bool whole = headed && read_all(file, &h, bytes);
    fclose(file);
    const sp_status status =
        !whole ? SP_FAIL(err, SP_E_IO,
                         "checkpoint '%s' is damaged or was written by another version; run again "
                         "with --checkpoint",
                         path)
        : h.about != n_about || h.memory < state
            ? SP_FAIL(err, SP_E_INPUT, "checkpoint '%s' is one of another model", path)
            : sp_state_unpack(m, bytes, state, x, err);
    if (status != SP_OK) {
        free(bytes);
        return status;
    }
    memcpy(about, bytes + h.memory, n_about);
    *memory = bytes;
    *n_memory = (size_t)h.memory;
    return SP_OK;
}
