/* io/result_disk.h - how the bytes of a result reach the disk: an HDF5 file driver of our own.
 *
 * HDF5 in SWMR mode writes in an order in which every beginning of the writes is a good file, if
 * each write happens as a whole.  Two things are missing for that, and the driver adds them:
 *
 * - A write that fails (full disk) freezes the file.  From there on nothing reaches the disk while
 *   HDF5 itself can close in peace; the file is that of a run killed at this moment.
 * - A kill can tear a write where two pages of memory meet.  Bytes that are written anew across
 *   such a place go to a journal first, a gap in the file that HDF5 does not use; readers and the
 *   repair put a torn piece right from it. */
#ifndef SP_IO_RESULT_DISK_H
#define SP_IO_RESULT_DISK_H

#include "specht/base.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SP_DISK_PAGE = 4096,
    SP_JOURNAL_HEAD = 64,         /* bytes of the journal before the data            */
    SP_JOURNAL_BYTES = 128 * 1024 /* of the journal with its head                    */
};

/* A piece of a file as it should be. */
typedef struct sp_disk_patch {
    uint64_t at;
    size_t size; /* 0: nothing to put right */
    unsigned char *data;
} sp_disk_patch;

typedef struct sp_disk {
    int error;                  /* errno of the first write that failed, 0: none         */
    uint64_t journal;           /* where it starts, 0: none                              */
    unsigned char *buffer;      /* SP_JOURNAL_BYTES                                      */
    const sp_disk_patch *patch; /* reading: what is laid over the file, NULL: writing    */
    unsigned long writes;       /* so far                                                */
    unsigned long fail_at; /* for tests: this write fails, at a page's end if it can; 0: none */
} sp_disk;

/* Make fapl open its file through the driver: create it, or with a patch read it.  disk must
 * outlive the file.  Returns the driver, to be given to H5FDunregister once the file is closed; < 0
 * at failure. */
hid_t sp_disk_use(hid_t fapl, sp_disk *disk);

/* Reserve the journal at the end of the file as it is; call it when everything is created. */
bool sp_disk_start_journal(hid_t file, sp_disk *disk);

/* Give back the buffer. */
void sp_disk_free(sp_disk *disk);

/* The piece that a writer, now dead, was writing anew; patch->size 0 if none.  False if there is no
 * memory or the file cannot be read.  free(patch->data) afterwards. */
bool sp_disk_find_patch(const char *path, sp_disk_patch *patch);

/* Put the piece right in the file itself.  errno says why not. */
bool sp_disk_apply_patch(const char *path, const sp_disk_patch *patch);

/* True while some process writes to the file. */
bool sp_disk_live(const char *path);

#endif
