/* studies/sets.h - datasets of a result file, without times. */
#ifndef SP_STUDIES_SETS_H
#define SP_STUDIES_SETS_H

#include "studies/study.h"

#include <hdf5.h>

/* A new dataset; cols 0: one number a row. */
hid_t sp_sets_new(hid_t file, const char *path, hid_t type, uint64_t rows, uint64_t cols);

/* Rows first .. first + n - 1 of a dataset. */
bool sp_sets_put_rows(hid_t data, hid_t type, uint64_t first, uint64_t n, uint64_t cols,
                      const void *from);

/* One text as a dataset; a list of texts, joined by lines. */
bool sp_sets_put_text(hid_t file, const char *path, const char *text);
bool sp_sets_put_list(hid_t file, const char *path, int n, const char *const *text);

/* What was concluded from all points: the group /parts. */
bool sp_sets_put_parts(hid_t file, int n, const sp_table_part *part);

#endif
