/* io/result_reader.h - an open result, shared by result_open.c (what a file holds) and
 * result_read.c (channels and their numbers). */
#ifndef SP_IO_RESULT_READER_H
#define SP_IO_RESULT_READER_H

#include "io/result_disk.h"
#include "io/result_h5.h"
#include "io/result_read.h"

enum {
    SP_NAME_BYTES = 4096, /* longest name that is believed */
    SP_BODY_FIELDS = 6,
    SP_SLOT_FIELDS = SP_DATA_STATE - SP_DATA_G_N + 1
};

/* A list of names of one fixed length each. */
typedef struct sp_name_list {
    char *text;
    size_t bytes, n;
} sp_name_list;

typedef struct sp_data_set {
    hid_t id; /* open */
    size_t width;
} sp_data_set;

struct sp_result {
    sp_result_info info;
    sp_arena arena;
    hid_t file, events, event_type;
    sp_patch patch; /* of a torn write, laid over the file */
    sp_disk disk;
    hid_t driver; /* 0: HDF5's own */
    hsize_t file_bytes;
    sp_name_list q, u, q_unit, u_unit, body, slot, output;
    const char **output_unit; /* n_output, NULL until asked for */
    int n_set;
    sp_data_set *set;
    int first[7]; /* first channel of: q, u, bodies, contacts, outputs, scalars; end */
    int n_plot;
    sp_plot_preset *plot;
    bool ragged, marked;
};

enum {
    SP_FIRST_Q,
    SP_FIRST_U,
    SP_FIRST_BODY,
    SP_FIRST_SLOT,
    SP_FIRST_OUTPUT,
    SP_FIRST_SCALAR,
    SP_FIRST_END
};

/* Name i of a list. */
static inline const char *sp_name_at(const sp_name_list *list, size_t i)
{
    return list->text + i * list->bytes;
}

/* A text attribute, "" if it is not there or not a fixed-length text. */
const char *sp_reader_text(sp_result *r, hid_t object, const char *key);

/* Say that a part of the file is not what it should be. */
sp_status sp_reader_fail(const sp_result *r, const char *what, sp_error *err);

#endif
