/* io/problem_hdf5.h - numbers out of an HDF5 file in memory, without the HDF5 library.
 *
 * Problem files come from anywhere, and the library of HDF5 does not survive damaged ones.  This
 * reader knows the part of the format that FCLIB, h5py and h5repack write for plain datasets:
 * groups with symbol tables or compact links, contiguous and compact storage, integers and IEEE
 * numbers of either byte order.  Every address is checked; what it does not know (chunks, filters,
 * dense groups) it refuses with the remedy.   [HDF5] format specification 3.0 */
#ifndef SP_IO_PROBLEM_HDF5_H
#define SP_IO_PROBLEM_HDF5_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sp_hdf {
    const unsigned char *data;
    uint64_t n;
    const char *name; /* of the file, for messages          */
    uint64_t root;    /* address of the root group's header */
} sp_hdf;

/* Numbers of a dataset, as they stand in the file. */
typedef struct sp_hdf_data {
    uint64_t count;
    const unsigned char *bytes; /* count x size */
    unsigned size;              /* of one, 1 .. 8 */
    bool is_float, is_signed, big_endian;
} sp_hdf_data;

/* Whether the bytes begin like an HDF5 file. */
bool sp_hdf_is(const void *data, size_t n);

/* Look at the head of the file. */
sp_status sp_hdf_open(sp_hdf *f, const char *name, const void *data, size_t n, sp_error *err);

/* Whether there is an object (group or dataset) with this path, "fclib_local/W".  Damage met on the
 * way is an error. */
sp_status sp_hdf_exists(const sp_hdf *f, const char *path, bool *found, sp_error *err);

/* Find a dataset of numbers; that there is none is an error. */
sp_status sp_hdf_find(const sp_hdf *f, const char *path, sp_hdf_data *d, sp_error *err);

/* Number k < count as a double. */
double sp_hdf_number(const sp_hdf_data *d, uint64_t k);

/* Number k < count as an integer; saturates, and is INT64_MIN where the number is none. */
int64_t sp_hdf_integer(const sp_hdf_data *d, uint64_t k);

#endif
