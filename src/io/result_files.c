#include "io/result_files.h"

#include "io/result_reader.h"
#include "io/result_writer.h"

#include <stdio.h>
#include <string.h>

#define GROUP "/files"

int sp_spec_n_file(const sp_spec *spec)
{
    int n = spec->n_source > 0 ? spec->n_source - 1 : 0;
    for (const sp_spec_mesh *m = spec->first_mesh; m; m = m->next) {
        n++;
    }
    return n;
}

sp_stored_file sp_spec_file(const sp_spec *spec, int i)
{
    const sp_source *s = spec->first_source ? spec->first_source->next : NULL;
    for (; s && i > 0; i--) {
        s = s->next;
    }
    if (s) {
        return (sp_stored_file){.name = s->file, .from = "", .bytes = s->text, .n = s->n};
    }
    const sp_spec_mesh *m = spec->first_mesh;
    for (; i > 0; i--) {
        m = m->next;
    }
    return (sp_stored_file){.name = m->name,
                            .from = m->from ? m->from : "",
                            .mesh = true,
                            .bytes = m->bytes,
                            .n = m->n_byte};
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Store one file under its number. */
static bool put_file(hid_t group, int i, const sp_stored_file *f)
{
    char name[16];
    const hsize_t n = f->n;
    const hid_t space = H5Screate_simple(1, &n, NULL);
    snprintf(name, sizeof name, "%d", i);
    const hid_t data =
        H5Dcreate2(group, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok =
        data >= 0 &&
        (n == 0 ||
         H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->bytes) >= 0) &&
        sp_writer_text(data, "name", f->name, 0) && sp_writer_text(data, "from", f->from, 0) &&
        sp_writer_text(data, "kind", f->mesh ? "mesh" : "model", 0);
    H5Dclose(data);
    H5Sclose(space);
    return ok;
}

bool sp_writer_files(hid_t file, const sp_spec *spec)
{
    const int n = spec ? sp_spec_n_file(spec) : 0;
    const hid_t group = H5Gcreate2(file, GROUP, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0;
    for (int i = 0; ok && i < n; i++) {
        const sp_stored_file f = sp_spec_file(spec, i);
        ok = put_file(group, i, &f);
    }
    H5Gclose(group);
    return ok;
}

/* ---- reading ------------------------------------------------------------------------------- */

int sp_result_n_file(const sp_result *result)
{
    H5G_info_t info = {.nlinks = 0};
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const bool found = H5Lexists(result->file, GROUP, H5P_DEFAULT) > 0 &&
                       H5Gget_info_by_name(result->file, GROUP, &info, H5P_DEFAULT) >= 0;
    sp_h5_quiet_end(&quiet);
    return found ? (int)info.nlinks : 0; /* none: of an older version */
}

/* The bytes of a dataset; NULL if it holds something else, or more than its file does. */
static const char *get_bytes(sp_result *r, hid_t data, size_t *n)
{
    const hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    char *bytes = NULL;
    if (H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == 1 && count >= 0 &&
        (unsigned long long)count <= r->file_bytes) {
        bytes = SP_NEW(&r->arena, char, (size_t)count + 1);
        *n = (size_t)count;
    }
    if (bytes && count > 0 &&
        H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) {
        bytes = NULL;
    }
    H5Tclose(type);
    H5Sclose(space);
    return bytes;
}

sp_status sp_result_file(sp_result *result, int i, sp_stored_file *file, sp_error *err)
{
    char name[32];
    snprintf(name, sizeof name, GROUP "/%d", i);
    *file = (sp_stored_file){.name = "", .from = "", .bytes = NULL};
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const hid_t data = H5Lexists(result->file, name, H5P_DEFAULT) > 0
                           ? H5Dopen2(result->file, name, H5P_DEFAULT)
                           : -1;
    if (data >= 0) {
        file->bytes = get_bytes(result, data, &file->n);
        file->name = sp_reader_text(result, data, "name");
        file->from = sp_reader_text(result, data, "from");
        file->mesh = strcmp(sp_reader_text(result, data, "kind"), "mesh") == 0;
        H5Dclose(data);
    }
    const sp_status status = file->bytes ? SP_OK : sp_reader_fail(result, name, err);
    sp_h5_quiet_end(&quiet);
    return status;
}
