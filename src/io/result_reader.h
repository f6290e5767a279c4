/* io/result_reader.h - an open result, shared by result_open.c (what a file holds),
 * result_describe.c (columns, scene, plots) and result_read.c (channels and their numbers). */
#ifndef SP_IO_RESULT_READER_H
#define SP_IO_RESULT_READER_H

#include "io/result_disk.h"
#include "io/result_h5.h"
#include "io/result_read.h"

enum {
    SP_NAME_BYTES = 4096,                                       /* longest name that is believed */
    SP_COLUMNS_MAX = 16,                                        /* columns of a body or contact  */
    SP_SLOT_FIELDS = SP_DATA_STATE - SP_DATA_G_N + 1,           /* of a contact in the plane */
    SP_SLOT_FIELDS_SPACE = SP_DATA_LAMBDA_T2 - SP_DATA_G_N + 1, /* in space */
    SP_SLOT_FIELDS_DRILL = SP_DATA_LAMBDA_D - SP_DATA_G_N + 1   /* with drilling friction */
};

/* A list of names of one fixed length each. */
typedef struct sp_name_list {
    char *text;
    size_t bytes, n;
} sp_name_list;

typedef struct sp_data_set {
    hid_t id; /* open; < 0: an optional one that is not there */
    sp_row_kind row;
    size_t width, columns; /* numbers in a row; of each item      */
} sp_data_set;

/* A quantity of a body: a column of its pose or its velocity. */
typedef struct sp_field {
    const char *name, *unit;
    int set;
    size_t column;
} sp_field;

struct sp_result {
    sp_result_info info;
    sp_arena arena;
    hid_t file, events, event_type;
    sp_disk_patch patch; /* of a torn write, laid over the file */
    sp_disk disk;
    hid_t driver; /* 0: HDF5's own */
    hsize_t file_bytes;
    sp_name_list q, u, q_unit, u_unit, body, slot, output;
    sp_name_list slot_unit, line, kink; /* empty in older files */
    const char **output_unit;           /* n_output, NULL until asked for */
    int n_set;
    sp_data_set *set;
    int n_field;
    sp_field field[2 * SP_COLUMNS_MAX]; /* of every body */
    sp_scene scene;                     /* n_body 0: the file has none */
    int slot_fields;                    /* of every contact */
    int first[8]; /* first channel of: q, u, bodies, contacts, outputs, elements, scalars; end */
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
    SP_FIRST_LINE,
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

/* ---- result_describe.c: what stands in the file once --------------------------------------- */

/* The quantities of every body, as the file names them. */
sp_status sp_reader_fields(sp_result *r, sp_error *err);

/* The scene and the plots of the model; what cannot be read is left out. */
void sp_reader_scene(sp_result *r);
void sp_reader_plots(sp_result *r);

#endif
