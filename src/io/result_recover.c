#define _GNU_SOURCE
#include "io/result_disk.h"
#include "io/result_h5.h"
#include "io/result_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Say what HDF5 could not do. */
static sp_status fail_repair(const char *path, const char *doing, sp_error *err)
{
    char why[200];
    sp_h5_reason(why, sizeof why);
    return SP_FAIL(err, SP_E_IO, "result file '%s': cannot %s: %s", path, doing, why);
}

/* Open a file whose writer died: the mark of the writer is taken off, and everything up to the end
 * of the file counts, also what the last superblock did not know of. */
static hid_t open_marked(const char *path)
{
    const hbool_t yes = true;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true);
#endif
    hid_t file = -1;
    if (H5Pset(access, "clear_status_flags", &yes) >= 0 &&
        H5Pset(access, "skip_eof_check", &yes) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDWR, access);
    }
    H5Pclose(access);
    if (file >= 0 && H5Fincrement_filesize(file, 0) < 0) {
        H5Fclose(file);
        file = -1;
    }
    return file;
}

/* Overwrite the attributes that say how the run ended. */
static bool put_end(hid_t file, const char *status, long long steps)
{
    char text[SP_RESULT_STATUS_BYTES] = {0};
    snprintf(text, sizeof text, "%s", status);
    const hid_t type = H5Tcopy(H5T_C_S1), attr = H5Aopen(file, "status", H5P_DEFAULT);
    H5Tset_size(type, sizeof text);
    H5Tset_cset(type, H5T_CSET_UTF8);
    bool ok = attr >= 0 && H5Awrite(attr, type, text) >= 0;
    H5Aclose(attr);
    H5Tclose(type);
    const hid_t count = H5Aopen(file, "steps", H5P_DEFAULT);
    ok = count >= 0 && H5Awrite(count, H5T_NATIVE_LLONG, &steps) >= 0 && ok;
    H5Aclose(count);
    return ok;
}

/* Cut one dataset to n frames. */
static bool cut(hid_t file, const char *path, size_t n)
{
    const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(data);
    hsize_t dims[H5S_MAX_RANK] = {0};
    const bool known = H5Sget_simple_extent_dims(space, dims, NULL) >= 1;
    bool ok = known;
    if (known && dims[0] > n) {
        dims[0] = n;
        ok = H5Dset_extent(data, dims) >= 0;
    }
    H5Sclose(space);
    H5Dclose(data);
    return ok;
}

/* H5Literate: cut the dataset of an output. */
static herr_t cut_output(hid_t group, const char *name, const H5L_info_t *info, void *frames)
{
    (void)info;
    return cut(group, name, *(const size_t *)frames) ? 0 : -1;
}

/* Cut all columns to the frames that they have in common. */
static bool cut_all(hid_t file, size_t n)
{
    bool ok = true;
    for (int k = 0; ok && k < SP_DATA_FIXED; k++) {
        const sp_data_layout *l = &sp_result_layout[k];
        ok = (l->optional && H5Lexists(file, l->path, H5P_DEFAULT) <= 0) || cut(file, l->path, n);
    }
    const hid_t group = H5Gopen2(file, "/outputs", H5P_DEFAULT);
    ok = ok && group >= 0 &&
         H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, cut_output, &n) >= 0;
    H5Gclose(group);
    return ok;
}

/* Repair a file in place. */
static sp_status repair(const char *path, const char *status, const sp_result_info *was,
                        bool ragged, sp_error *err)
{
    sp_disk_patch patch;
    const bool found = sp_disk_find_patch(path, &patch);
    const bool whole = found && sp_disk_apply_patch(path, &patch);
    const int why = errno;
    free(patch.data);
    if (!whole) {
        return SP_FAIL(err, SP_E_IO, "result file '%s': cannot repair a torn piece: %s", path,
                       strerror(why));
    }
    const hid_t file = open_marked(path);
    if (file < 0) {
        return fail_repair(path, "open it for repair", err);
    }
    bool ok = (!ragged || cut_all(file, was->n_frame)) && put_end(file, status, was->steps);
    const sp_status done = ok ? SP_OK : fail_repair(path, "repair it", err);
    ok = H5Fclose(file) >= 0;
    return done != SP_OK || ok ? done : fail_repair(path, "close it", err);
}

/* Copy all bytes. */
static bool copy_bytes(int from, int to)
{
    enum { PIECE = 1 << 18 };
    char *piece = malloc(PIECE);
    bool ok = piece != NULL;
    for (ssize_t n; ok && (n = read(from, piece, PIECE)) != 0;) {
        for (ssize_t done = 0; done < n;) {
            const ssize_t k = write(to, piece + done, (size_t)(n - done));
            if (k <= 0) {
                n = -1;
                break;
            }
            done += k;
        }
        ok = n > 0;
    }
    free(piece);
    return ok;
}

/* A copy beside the file, with its permissions; the name is written to copy. */
static sp_status copy_file(const char *path, char *copy, size_t size, sp_error *err)
{
    struct stat info = {0};
    snprintf(copy, size, "%s.recover-%ld", path, (long)getpid());
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    const int to = from < 0 || fstat(from, &info) != 0
                       ? -1
                       : open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, info.st_mode & 0777);
    bool ok = to >= 0 && copy_bytes(from, to);
    const int why = errno;
    if (to >= 0 && close(to) != 0) {
        ok = false;
    }
    if (from >= 0) {
        close(from);
    }
    if (!ok && to >= 0) {
        unlink(copy);
    }
    return ok ? SP_OK
              : SP_FAIL(err, SP_E_IO, "result file '%s': cannot copy it for repair: %s", path,
                        strerror(why));
}

/* Repair a file whose columns must be cut: on a copy, which replaces it when it is done. */
static sp_status repair_copy(const char *path, const char *status, const sp_result_info *was,
                             sp_error *err)
{
    char copy[4096 + 32];
    SP_TRY(copy_file(path, copy, sizeof copy, err));
    sp_status done = repair(copy, status, was, true, err);
    if (done == SP_OK && rename(copy, path) != 0) {
        done =
            SP_FAIL(err, SP_E_IO, "result file '%s': cannot replace it: %s", path, strerror(errno));
    }
    if (done != SP_OK) {
        unlink(copy);
    }
    return done;
}

sp_status sp_result_mend(const char *path, const char *status, sp_error *err)
{
    char *name = realpath(path, NULL); /* a link is followed, not replaced */
    sp_result *result = NULL;
    if (!name || strlen(name) > 4096) {
        free(name);
        return SP_FAIL(err, SP_E_IO, "result file '%s': %s", path, strerror(errno));
    }
    sp_status done = sp_result_open(path, &result, err);
    if (done == SP_OK) {
        const bool ragged = sp_result_is_ragged(result);
        sp_result_info was = *sp_result_about(result);
        sp_result_free(result);
        sp_h5_quiet quiet;
        sp_h5_quiet_begin(&quiet);
        done =
            ragged ? repair_copy(name, status, &was, err) : repair(name, status, &was, false, err);
        sp_h5_quiet_end(&quiet);
    }
    free(name);
    return done;
}

sp_status sp_result_recover(const char *path, sp_error *err)
{
    sp_result *result = NULL;
    SP_TRY(sp_result_open(path, &result, err));
    const bool live = sp_result_about(result)->live;
    const bool whole = !sp_result_is_marked(result) && !sp_result_is_ragged(result);
    sp_result_free(result);
    if (live) {
        return SP_FAIL(err, SP_E_INPUT, "result file '%s': the run is still in progress", path);
    }
    return whole ? SP_OK : sp_result_mend(path, "cut short", err);
}
