/* io/result_writer.h - the writer's own state, shared by result_create.c (what the file holds),
 * result_about.c (names, attributes, scene) and result_write.c (how it grows). */
#ifndef SP_IO_RESULT_WRITER_H
#define SP_IO_RESULT_WRITER_H

#include "io/result_disk.h"
#include "io/result_h5.h"
#include "io/result_write.h"

#include <time.h>

enum { SP_EVENT_ROWS = 256 }; /* events that wait to be written */

/* One dataset that grows with the frames, and its part of the waiting block. */
typedef struct sp_column_set {
    hid_t data;
    size_t width; /* numbers in a row                            */
    sp_number_kind number;
    unsigned char *block; /* capacity rows                               */
} sp_column_set;

struct sp_result_writer {
    char *path, *temporary; /* temporary: until the first frame is there          */
    sp_disk disk;
    hid_t driver, file, events, event_type, deflate;
    int n_set;
    sp_column_set *set; /* SP_DATA_FIXED, then one per output                   */
    unsigned char *block;
    size_t capacity;                 /* rows in the block                                    */
    size_t n_waiting, n_written;     /* frames in the block, in the file                     */
    size_t n_flushed;                /* frames safe from a kill                              */
    sp_event *event;                 /* SP_EVENT_ROWS                                           */
    size_t n_event_waiting, n_event; /* likewise                                             */
    long step;                       /* of the last record                                   */
    double t;                        /* of the last record                                   */
    double *measure;                 /* n_measure values, written at the end                     */
    hid_t measures;                  /* their dataset, 0: there are none                     */
    bool dirty;                      /* something is not flushed                             */
    double interval;                 /* between flushes, s                                   */
    struct timespec start, flushed;
};

/* Say what could not be done, in the disk's own words if it was the disk. */
sp_status sp_writer_fail(const sp_result_writer *w, const char *doing, sp_error *err);

/* ---- result_about.c: what stands in the file once ------------------------------------------ */

/* A fixed-length UTF-8 text type of 'bytes' with its closing zero. */
hid_t sp_writer_text_type(size_t bytes);

/* Text attribute with room for at least 'bytes'. */
bool sp_writer_text(hid_t object, const char *key, const char *text, size_t bytes);

/* Attribute 'columns': names of a dataset's columns. */
bool sp_writer_columns(hid_t data, const char *names);

/* What is needed to repeat the run, as attributes of the file. */
bool sp_writer_about(hid_t file, const sp_model *m, const sp_result_meta *meta);

/* Names of everything that has columns. */
bool sp_writer_names(hid_t file, const sp_model *m);

/* Names and units of the measures. */
bool sp_writer_measures(hid_t file, const sp_model *m);

/* The files that the model was read from beside the main one; spec may be NULL.  result_files.c */
bool sp_writer_files(hid_t file, const sp_spec *spec);

/* What pictures need. */
bool sp_writer_scene(hid_t file, const sp_model *m);

/* ---- result_create.c ----------------------------------------------------------------------- */

/* Close the file and take it away; it never got its name. */
void sp_writer_drop(sp_result_writer *w);

/* Give the memory back; the file must be closed. */
void sp_writer_free(sp_result_writer *w);

#endif
