#define _POSIX_C_SOURCE 200809L
#include "io/part_file.h"
#include "io/result_h5.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One dataset of rows. */
static bool put(hid_t file, const char *name, hid_t type, size_t n, size_t width, const void *data)
{
    const hsize_t dims[2] = {n, width};
    const hid_t space = H5Screate_simple(width > 1 ? 2 : 1, dims, NULL);
    const hid_t plain = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plain, false); /* the same part gives the same bytes */
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plain, H5P_DEFAULT);
    const bool ok = set >= 0 && (n * width == 0 ||
                                 H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Pclose(plain);
    H5Sclose(space);
    return ok;
}

static bool put_numbers(hid_t file, const char *name, size_t n, size_t width, const double *x)
{
    return put(file, name, H5T_NATIVE_DOUBLE, n, width, x);
}

/* What all interfaces have under one name. */
static bool put_faces(hid_t file, const sp_part *p)
{
    const size_t m = (size_t)p->n_face, n = (size_t)p->n;
    char *name = calloc(m * SP_PART_NAME + 1, 1);
    double *at = calloc(3 * m + 1, sizeof *at), *phi = calloc(3 * m * n + 1, sizeof *phi);
    double *psi = calloc(3 * m * n + 1, sizeof *psi),
           *phi2 = calloc(3 * m * n * n + 1, sizeof *phi2);
    bool ok = name && at && phi && psi && phi2;
    for (size_t i = 0; ok && i < m; i++) {
        const sp_part_face *f = &p->face[i];
        memcpy(name + i * SP_PART_NAME, f->name, SP_PART_NAME);
        memcpy(at + 3 * i, f->at, sizeof f->at);
        memcpy(phi + 3 * n * i, f->phi, 3 * n * sizeof *phi);
        memcpy(psi + 3 * n * i, f->psi, 3 * n * sizeof *psi);
        memcpy(phi2 + 3 * n * n * i, f->phi2, 3 * n * n * sizeof *phi2);
    }
    ok = ok && put(file, "interface_name", H5T_NATIVE_UINT8, m, SP_PART_NAME, name) &&
         put_numbers(file, "interface_at", m, 3, at) &&
         put_numbers(file, "interface_phi", m, 3 * n, phi) &&
         put_numbers(file, "interface_psi", m, 3 * n, psi) &&
         put_numbers(file, "interface_phi2", m, 3 * n * n, phi2);
    free(name);
    free(at);
    free(phi);
    free(psi);
    free(phi2);
    return ok;
}

static bool put_part(hid_t file, const sp_part *p)
{
    const size_t n = (size_t)p->n;
    const double format = SP_PART_FORMAT, stiffens = p->stiffens ? 1.0 : 0.0;
    return put_numbers(file, "part_format", 1, 1, &format) &&
           put_numbers(file, "stiffens", 1, 1, &stiffens) &&
           put_numbers(file, "mass", 1, 1, &p->mass) && put_numbers(file, "mdCM", 3, 1, p->mdCM) &&
           put_numbers(file, "J0", 6, 1, p->J0) && put_numbers(file, "Ct0", n, 3, p->Ct0) &&
           put_numbers(file, "Ct1", n, 3 * n, p->Ct1) && put_numbers(file, "J1", n, 6, p->J1) &&
           put_numbers(file, "J2", n, 6 * n, p->J2) && put_numbers(file, "Cr0", n, 3, p->Cr0) &&
           put_numbers(file, "Cr1", n, 3 * n, p->Cr1) && put_numbers(file, "Me", n, n, p->Me) &&
           put_numbers(file, "Ke", n, n, p->Ke) &&
           (!p->De || put_numbers(file, "De", n, n, p->De)) &&
           put_numbers(file, "node", (size_t)p->n_node, 3, p->node) &&
           put_numbers(file, "phi", (size_t)p->n_node, 3 * n, p->phi) &&
           put(file, "triangle", H5T_NATIVE_INT, (size_t)p->n_triangle, 3, p->triangle) &&
           put_faces(file, p);
}

sp_status sp_part_write(const char *path, const sp_part *part, sp_error *err)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.part", path) >= (int)sizeof beside) {
        return SP_FAIL(err, SP_E_INPUT, "'%.100s...': the name is too long", path);
    }
    sp_h5_quiet quiet;
    sp_h5_quiet_begin(&quiet);
    const hid_t file = H5Fcreate(beside, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = file >= 0 && put_part(file, part);
    ok = file >= 0 && H5Fclose(file) >= 0 && ok;
    sp_h5_quiet_end(&quiet);
    if (!ok || rename(beside, path) != 0) {
        const int why = errno;
        remove(beside);
        return SP_FAIL(err, SP_E_IO, "'%.200s' cannot be written: %s", path, strerror(why));
    }
    return SP_OK;
}
