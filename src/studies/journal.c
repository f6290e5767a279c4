#define _GNU_SOURCE
#include "studies/journal.h"

#include "base/hash.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "SPJRNL1\n";
enum { RECORD_MAX = 1 << 30 };

/* ---- bytes ------------------------------------------------------------------------------------
 */

unsigned char *sp_bytes_more(sp_bytes *b, size_t n)
{
    if (b->n + n > b->room) {
        const size_t room = 2 * (b->n + n) + 256;
        unsigned char *larger = realloc(b->data, room);
        if (!larger) {
            return NULL;
        }
        b->data = larger;
        b->room = room;
    }
    b->n += n;
    return b->data + b->n - n;
}

void sp_bytes_free(sp_bytes *b)
{
    free(b->data);
    *b = (sp_bytes){NULL, 0, 0};
}

/* The fixed part of an outcome. */
typedef struct head {
    uint64_t point, n_sample;
    double worst;
    int32_t status, n_message, n_measure, n_carry;
    uint64_t n_extra;
} head;

bool sp_outcome_pack(const sp_study *s, const sp_outcome *o, sp_bytes *b)
{
    const head h = {.point = o->point,
                    .n_sample = o->n_sample,
                    .worst = o->worst,
                    .status = o->status,
                    .n_message = (int32_t)strlen(o->message),
                    .n_measure = s->n_measure,
                    .n_carry = o->n_carry,
                    .n_extra = o->extra.n};
    const size_t size[6] = {sizeof h,
                            (size_t)h.n_message,
                            (size_t)h.n_measure * 8,
                            (size_t)h.n_carry * 8,
                            (size_t)h.n_sample * (1 + (size_t)s->n_keep) * 8,
                            o->extra.n};
    const void *const part[6] = {&h, o->message, o->measure, o->carry, o->sample, o->extra.data};
    for (int k = 0; k < 6; k++) {
        unsigned char *to = sp_bytes_more(b, size[k]);
        if (!to) {
            return false;
        }
        if (size[k] > 0) {
            memcpy(to, part[k], size[k]);
        }
    }
    return true;
}

bool sp_outcome_unpack(const sp_study *s, const unsigned char *bytes, size_t n, sp_outcome *o)
{
    head h;
    if (n < sizeof h) {
        return false;
    }
    memcpy(&h, bytes, sizeof h);
    const size_t row = 1 + (size_t)s->n_keep;
    if (h.n_message < 0 || h.n_message >= (int)sizeof o->message || h.n_measure != s->n_measure ||
        h.n_carry < 0 || h.n_sample > RECORD_MAX / 8 || h.status < 0 || h.status >= SP_POINT_N ||
        h.n_extra > n ||
        n != sizeof h + (size_t)h.n_message + (size_t)h.n_extra +
                 8 * ((size_t)h.n_measure + (size_t)h.n_carry + (size_t)h.n_sample * row)) {
        return false;
    }
    sp_outcome_free(o);
    *o = (sp_outcome){.point = h.point, .status = h.status, .worst = h.worst};
    o->n_sample = o->n_room = h.n_sample;
    o->n_carry = o->carry_room = h.n_carry;
    o->measure = malloc(((size_t)h.n_measure + 1) * 8);
    o->carry = malloc(((size_t)h.n_carry + 1) * 8);
    o->sample = malloc(((size_t)h.n_sample * row + 1) * 8);
    unsigned char *extra = sp_bytes_more(&o->extra, (size_t)h.n_extra);
    if (!o->measure || !o->carry || !o->sample || (h.n_extra > 0 && !extra)) {
        return false;
    }
    const unsigned char *at = bytes + sizeof h;
    memcpy(o->message, at, (size_t)h.n_message);
    at += h.n_message;
    memcpy(o->measure, at, (size_t)h.n_measure * 8);
    at += h.n_measure * 8;
    memcpy(o->carry, at, (size_t)h.n_carry * 8);
    at += h.n_carry * 8;
    memcpy(o->sample, at, (size_t)h.n_sample * row * 8);
    if (h.n_extra > 0) {
        memcpy(extra, at + (size_t)h.n_sample * row * 8, (size_t)h.n_extra);
    }
    return true;
}

void sp_outcome_free(sp_outcome *o)
{
    free(o->measure);
    free(o->carry);
    free(o->sample);
    sp_bytes_free(&o->extra);
    o->measure = o->carry = o->sample = NULL;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

/* All of n bytes at a place; false: the file is shorter. */
static bool read_at(int fd, uint64_t at, void *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t k = pread(fd, (char *)to + done, n - done, (off_t)(at + done));
        if (k <= 0 && !(k < 0 && errno == EINTR)) {
            return false;
        }
        done += k > 0 ? (size_t)k : 0;
    }
    return true;
}

/* All of n bytes at a place. */
static bool write_at(int fd, uint64_t at, const void *from, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t k = pwrite(fd, (const char *)from + done, n - done, (off_t)(at + done));
        if (k <= 0 && !(k < 0 && errno == EINTR)) {
            return false;
        }
        done += k > 0 ? (size_t)k : 0;
    }
    return true;
}

/* Room for a point in the list of places. */
static bool reserve(sp_journal *j, uint64_t point)
{
    if (point < j->n_at) {
        return true;
    }
    const uint64_t n = 2 * point + 64;
    uint64_t *larger = realloc(j->at, (size_t)n * sizeof *larger);
    if (!larger) {
        return false;
    }
    memset(larger + j->n_at, 0, (size_t)(n - j->n_at) * sizeof *larger);
    j->at = larger;
    j->n_at = n;
    return true;
}

bool sp_journal_has(const sp_journal *j, uint64_t point)
{
    return point < j->n_at && j->at[point] != 0;
}

void sp_journal_forget(sp_journal *j, uint64_t point)
{
    if (sp_journal_has(j, point)) {
        j->at[point] = 0;
        j->n_done--;
    }
}

/* The record at a place into the buffer; 0: there is no whole one, else its bytes in the file. */
static size_t read_record(sp_journal *j, uint64_t at)
{
    uint32_t n;
    uint64_t hash;
    j->buffer.n = 0;
    if (!read_at(j->fd, at, &n, sizeof n) || n > RECORD_MAX || !sp_bytes_more(&j->buffer, n) ||
        !read_at(j->fd, at + sizeof n, j->buffer.data, n) ||
        !read_at(j->fd, at + sizeof n + n, &hash, sizeof hash)) {
        return 0;
    }
    return hash == sp_hash(sp_hash(SP_HASH_BEGIN, &n, sizeof n), j->buffer.data, n)
               ? sizeof n + n + sizeof hash
               : 0;
}

/* The first line in which two texts differ, for a message. */
static void say_difference(const char *old, const char *now, char *text, size_t size)
{
    int line = 1;
    const char *a = old, *b = now;
    while (*a && *b && strcspn(a, "\n") == strcspn(b, "\n") &&
           strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
        line++;
    }
    snprintf(text, size, "was '%.*s', is '%.*s'",
             (int)strcspn(a, "\n") < 100 ? (int)strcspn(a, "\n") : 100, a,
             (int)strcspn(b, "\n") < 100 ? (int)strcspn(b, "\n") : 100, b);
}

/* A study whose text is not the one now, because of the study or of the build. */
static sp_status fail_changed(const char *path, const char *old, const char *now, sp_error *err)
{
    char text[400];
    const size_t first = strcspn(now, "\n");
    if (strcspn(old, "\n") != first || strncmp(old, now, first) != 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%.120s' was begun by another build, '%.*s'; this one is '%.*s', whose "
                       "numbers may differ: go on with the other, --fresh begins anew, --output "
                       "takes another name",
                       path, (int)(strcspn(old, "\n") % 80), old, (int)(first % 80), now);
    }
    say_difference(old, now, text, sizeof text);
    return SP_FAIL(err, SP_E_INPUT,
                   "'%.120s' is of a study that was changed since: %.230s; --fresh begins anew, "
                   "--output takes another name",
                   path, text);
}

/* Read the head; *same: it is of this study. */
static sp_status check_head(const sp_study *s, sp_journal *j, sp_error *err)
{
    char word[8];
    int32_t shard[2];
    if (!read_at(j->fd, 0, word, 8) || memcmp(word, magic, 8) != 0 ||
        !read_at(j->fd, 8, shard, sizeof shard)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%.200s' is no journal of a study; remove it or choose another name",
                       j->path);
    }
    const size_t n = read_record(j, 16);
    if (n == 0 || !sp_bytes_more(&j->buffer, 1)) {
        return SP_FAIL(err, SP_E_INPUT, "'%.200s' is damaged; --fresh begins anew", j->path);
    }
    j->buffer.data[j->buffer.n - 1] = '\0';
    if (strcmp((const char *)j->buffer.data, s->about) != 0) {
        return fail_changed(j->path, (const char *)j->buffer.data, s->about, err);
    }
    if (j->shards == 0) { /* whatever it is */
        j->shard = shard[0];
        j->shards = shard[1];
    }
    if (shard[0] != j->shard || shard[1] != j->shards) {
        return SP_FAIL(err, SP_E_INPUT, "'%.200s' is shard %d/%d, not %d/%d", j->path, shard[0],
                       shard[1], j->shard, j->shards);
    }
    j->end = 16 + n;
    return SP_OK;
}

/* Find all records; what is torn is cut off. */
static sp_status find_records(sp_journal *j, bool write, sp_error *err)
{
    for (size_t n; (n = read_record(j, j->end)) > 0; j->end += n) {
        uint64_t point;
        if (j->buffer.n < sizeof point) {
            break;
        }
        memcpy(&point, j->buffer.data, sizeof point);
        if (point > (uint64_t)2e9 || !reserve(j, point)) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory for the journal");
        }
        j->n_done += j->at[point] == 0;
        j->at[point] = j->end;
    }
    if (write && ftruncate(j->fd, (off_t)j->end) != 0) {
        return SP_FAIL(err, SP_E_IO, "'%.200s': %s", j->path, strerror(errno));
    }
    return SP_OK;
}

/* Where point k of chain `chain` stands, its way back being behind it. */
static uint64_t in_chain(const sp_study *s, uint64_t chain, uint64_t k)
{
    const uint64_t first = chain * s->n_chain;
    return k < s->n_chain ? first + k : s->n_point / 2 + first + (k - s->n_chain);
}

/* A point of a chain begins where the one before ended: its record counts if it stands behind those
 * of all points before.  Others are of a chain that was run again from one of these on, and was not
 * finished. */
static void forget_outdated(const sp_study *s, sp_journal *j)
{
    const uint64_t ways = s->both ? 2 : 1;
    for (uint64_t chain = 0; s->chained && chain < s->n_point / s->n_chain / ways; chain++) {
        uint64_t last = 0;
        for (uint64_t k = 0; k < ways * s->n_chain; k++) {
            const uint64_t i = in_chain(s, chain, k), at = sp_journal_has(j, i) ? j->at[i] : 0;
            if (at < last) {
                sp_journal_forget(j, i);
            }
            last = at > last ? at : last;
        }
    }
}

/* Append a record of any bytes. */
static sp_status append(sp_journal *j, const unsigned char *bytes, size_t n, sp_error *err)
{
    const uint32_t length = (uint32_t)n;
    const uint64_t hash = sp_hash(sp_hash(SP_HASH_BEGIN, &length, sizeof length), bytes, n);
    j->buffer.n = 0;
    unsigned char *to = sp_bytes_more(&j->buffer, n + sizeof length + sizeof hash);
    if (!to || n > RECORD_MAX) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a record of %zu bytes", n);
    }
    memcpy(to, &length, sizeof length);
    memcpy(to + sizeof length, bytes, n);
    memcpy(to + sizeof length + n, &hash, sizeof hash);
    if (!write_at(j->fd, j->end, to, j->buffer.n)) {
        const int why = errno;
        (void)!ftruncate(j->fd, (off_t)j->end);
        return SP_FAIL(err, SP_E_IO, "'%.200s': cannot write: %s; what was done is kept", j->path,
                       strerror(why));
    }
    j->end += j->buffer.n;
    return SP_OK;
}

/* A new file with its head. */
static sp_status begin_file(const sp_study *s, sp_journal *j, sp_error *err)
{
    const int32_t shard[2] = {j->shard, j->shards};
    if (ftruncate(j->fd, 0) != 0 || !write_at(j->fd, 0, magic, 8) ||
        !write_at(j->fd, 8, shard, sizeof shard)) {
        return SP_FAIL(err, SP_E_IO, "'%.200s': cannot write: %s", j->path, strerror(errno));
    }
    j->end = 16;
    return append(j, (const unsigned char *)s->about, strlen(s->about), err);
}

sp_status sp_journal_open(const sp_study *s, const char *path, int shard, int shards,
                          sp_journal_mode mode, sp_journal *j, sp_error *err)
{
    struct stat info;
    const int flags = mode == SP_JOURNAL_READ ? O_RDONLY : O_RDWR | O_CREAT;
    *j = (sp_journal){.path = path, .shard = shard, .shards = shards};
    j->fd = open(path, flags | O_CLOEXEC, 0666);
    if (j->fd < 0 || fstat(j->fd, &info) != 0) {
        return SP_FAIL(err, SP_E_IO, "'%.300s': %s", path, strerror(errno));
    }
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET}; /* which workers do not inherit */
    if (mode != SP_JOURNAL_READ && fcntl(j->fd, F_SETLK, &lock) != 0) {
        return SP_FAIL(err, SP_E_INPUT, "'%.300s' is in use: this study runs already", path);
    }
    if (mode != SP_JOURNAL_READ && (mode == SP_JOURNAL_FRESH || info.st_size < 24)) {
        return begin_file(s, j, err);
    }
    SP_TRY(check_head(s, j, err));
    SP_TRY(find_records(j, mode != SP_JOURNAL_READ, err));
    forget_outdated(s, j);
    return SP_OK;
}

void sp_journal_close(sp_journal *j)
{
    if (j->fd >= 0) {
        close(j->fd);
    }
    free(j->at);
    sp_bytes_free(&j->buffer);
    *j = (sp_journal){.fd = -1};
}

sp_status sp_journal_add(sp_journal *j, uint64_t point, const unsigned char *bytes, size_t n,
                         sp_error *err)
{
    const uint64_t at = j->end;
    if (!reserve(j, point)) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the journal");
    }
    SP_TRY(append(j, bytes, n, err));
    j->n_done += j->at[point] == 0;
    j->at[point] = at;
    return SP_OK;
}

sp_status sp_journal_get(const sp_study *s, sp_journal *j, uint64_t point, sp_outcome *o,
                         sp_error *err)
{
    if (!sp_journal_has(j, point) || read_record(j, j->at[point]) == 0 ||
        !sp_outcome_unpack(s, j->buffer.data, j->buffer.n, o)) {
        return SP_FAIL(err, SP_E_IO, "'%.200s': the record of point %llu cannot be read", j->path,
                       (unsigned long long)point);
    }
    return SP_OK;
}
