/* studies/journal.h - what is done of a study, in a file that survives kills; also the part of a
 * shard.
 *
 *     "SPJRNL1\n", shard, shards, length and text of what the study is, hash
 *     records: length, bytes of an outcome, hash of both
 *
 * Records are appended whole; a torn one at the end is cut off.  A point that is there twice counts
 * as the last one; one of a chain only behind those of the points before it. */
#ifndef SP_STUDIES_JOURNAL_H
#define SP_STUDIES_JOURNAL_H

#include "studies/study.h"

/* Room for n more bytes behind those that are there, NULL without memory; they count as there. */
unsigned char *sp_bytes_more(sp_bytes *b, size_t n);
void sp_bytes_free(sp_bytes *b);

/* An outcome as bytes, added to b; and back into room that is `o`'s own.  False: no memory, or
 * bytes that are none. */
bool sp_outcome_pack(const sp_study *s, const sp_outcome *o, sp_bytes *b);
bool sp_outcome_unpack(const sp_study *s, const unsigned char *bytes, size_t n, sp_outcome *o);
void sp_outcome_free(sp_outcome *o);

typedef struct sp_journal {
    int fd;
    int shard, shards;
    const char *path;
    uint64_t *at;  /* where the record of each point begins, 0: not done */
    uint64_t n_at; /* room of at    */
    uint64_t n_done, end;
    sp_bytes buffer;
} sp_journal;

/* Open a journal, or make it.  fresh: an older one is thrown away; only: it must be there.
 * SP_E_INPUT if it is of another study, or in use. */
typedef enum sp_journal_mode {
    SP_JOURNAL_GO_ON,
    SP_JOURNAL_FRESH,
    SP_JOURNAL_READ
} sp_journal_mode;
sp_status sp_journal_open(const sp_study *s, const char *path, int shard, int shards,
                          sp_journal_mode mode, sp_journal *j, sp_error *err);
void sp_journal_close(sp_journal *j);

bool sp_journal_has(const sp_journal *j, uint64_t point);
void sp_journal_forget(sp_journal *j, uint64_t point);

/* Append the packed outcome of a point. */
sp_status sp_journal_add(sp_journal *j, uint64_t point, const unsigned char *bytes, size_t n,
                         sp_error *err);

/* Read the outcome of a point. */
sp_status sp_journal_get(const sp_study *s, sp_journal *j, uint64_t point, sp_outcome *o,
                         sp_error *err);

#endif
