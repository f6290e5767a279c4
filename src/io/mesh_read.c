#include "io/mesh_read.h"

#include "math/trimesh.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 24,       /* letters of a word in a message       */
    STL_HEADER = 84,  /* bytes before the first triangle      */
    STL_TRIANGLE = 50 /* bytes of a triangle                  */
};

/* Files are read twice: first to count, then with arrays to fill. */
typedef struct reader {
    const char *name, *at, *end;
    int line;
    sp_mesh_file *mesh;
    bool fill;
} reader;

static sp_status place(const reader *r, int line, sp_status status, sp_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", r->name);
        err->line = line;
        err->column = 0;
    }
    return status;
}

/* ---- words --------------------------------------------------------------------------------- */

/* Skip blanks; line ends too, unless only to the end of the line. */
static void skip_space(reader *r, bool lines)
{
    while (r->at < r->end && isspace((unsigned char)*r->at) && (lines || *r->at != '\n')) {
        r->line += *r->at == '\n';
        r->at++;
    }
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') {
        r->at++;
    }
}

static size_t word_length(const reader *r)
{
    size_t n = 0;
    while (r->at + n < r->end && !isspace((unsigned char)r->at[n])) {
        n++;
    }
    return n;
}

/* Report what was found and what was expected. */
static sp_status unexpected(const reader *r, const char *expected, sp_error *err)
{
    char text[SHOWN + 1];
    const size_t n = word_length(r), kept = n < SHOWN ? n : SHOWN;
    for (size_t k = 0; k < kept; k++) {
        text[k] = isprint((unsigned char)r->at[k]) ? r->at[k] : '?';
    }
    text[kept] = '\0';
    const sp_status status =
        r->at == r->end ? SP_FAIL(err, SP_E_INPUT, "the file ends, expected %s", expected)
        : n == 0        ? SP_FAIL(err, SP_E_INPUT, "the line ends, expected %s", expected)
                        : SP_FAIL(err, SP_E_INPUT, "'%s', expected %s", text, expected);
    return place(r, r->line, status, err);
}

/* Whether the next word is this one, in any case; if so, it is taken. */
static bool take_word(reader *r, const char *word)
{
    const size_t n = word_length(r);
    if (n != strlen(word)) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        if (tolower((unsigned char)r->at[k]) != word[k]) {
            return false;
        }
    }
    r->at += n;
    return true;
}

static sp_status read_number(reader *r, double *value, sp_error *err)
{
    char *end;
    const size_t n = word_length(r);
    *value = n ? strtod(r->at, &end) : NAN;
    if (n == 0 || end != r->at + n || !isfinite(*value)) {
        return unexpected(r, "a finite number", err);
    }
    r->at += n;
    return SP_OK;
}

/* Three numbers; over line ends if lines. */
static sp_status read_point(reader *r, bool lines, sp_vec3 *x, sp_error *err)
{
    double *to[3] = {&x->x, &x->y, &x->z};
    for (int k = 0; k < 3; k++) {
        skip_space(r, lines);
        SP_TRY(read_number(r, to[k], err));
    }
    return SP_OK;
}

/* ---- growing ------------------------------------------------------------------------------- */

static sp_status add_vertex(reader *r, sp_vec3 x, sp_error *err)
{
    if (r->fill) {
        r->mesh->vertex[r->mesh->n_vertex] = x;
    } else if (r->mesh->n_vertex >= 3 * SP_TRIMESH_MAX) {
        return place(r, r->line,
                     SP_FAIL(err, SP_E_INPUT, "more than %d points", 3 * SP_TRIMESH_MAX), err);
    }
    r->mesh->n_vertex++;
    return SP_OK;
}

static sp_status add_triangle(reader *r, int a, int b, int c, sp_error *err)
{
    if (r->fill) {
        const int v[3] = {a, b, c};
        memcpy(r->mesh->tri[r->mesh->n_tri], v, sizeof v);
    } else if (r->mesh->n_tri >= SP_TRIMESH_MAX) {
        return place(r, r->line, SP_FAIL(err, SP_E_INPUT, "more than %d triangles", SP_TRIMESH_MAX),
                     err);
    }
    r->mesh->n_tri++;
    return SP_OK;
}

/* ---- STL ----------------------------------------------------------------------------------- */

/* A little-endian number of 32 bits. */
static uint32_t bits_at(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float float_at(const char *at)
{
    const uint32_t bits = bits_at(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Binary: 80 bytes of anything, the number of triangles, and for each a normal, three corners, two
 * bytes. */
static bool is_binary(const reader *r)
{
    const size_t n = (size_t)(r->end - r->at);
    return n >= STL_HEADER && n - STL_HEADER == (size_t)STL_TRIANGLE * bits_at(r->at + 80);
}

static sp_status read_binary(reader *r, sp_error *err)
{
    const uint32_t count = bits_at(r->at + 80);
    for (uint32_t t = 0; t < count; t++) {
        const char *at = r->at + STL_HEADER + (size_t)STL_TRIANGLE * t + 12;
        for (int k = 0; k < 3; k++, at += 12) {
            const sp_vec3 x = {float_at(at), float_at(at + 4), float_at(at + 8)};
            if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) {
                return place(r, 0,
                             SP_FAIL(err, SP_E_INPUT,
                                     "triangle %lu: a corner is not a finite number",
                                     (unsigned long)t + 1),
                             err);
            }
            SP_TRY(add_vertex(r, x, err));
        }
        const int n = r->mesh->n_vertex;
        SP_TRY(add_triangle(r, n - 3, n - 2, n - 1, err));
    }
    return SP_OK;
}

static sp_status want_word(reader *r, const char *word, sp_error *err)
{
    char expected[32];
    skip_space(r, true);
    snprintf(expected, sizeof expected, "'%s'", word);
    return take_word(r, word) ? SP_OK : unexpected(r, expected, err);
}

/* What follows the word facet. */
static sp_status read_facet(reader *r, sp_error *err)
{
    SP_TRY(want_word(r, "normal", err));
    for (int k = 0; k < 3; k++) { /* it follows from the corners; some programs write nan */
        skip_space(r, true);
        r->at += word_length(r);
    }
    SP_TRY(want_word(r, "outer", err));
    SP_TRY(want_word(r, "loop", err));
    for (int k = 0; k < 3; k++) {
        sp_vec3 x;
        SP_TRY(want_word(r, "vertex", err));
        SP_TRY(read_point(r, true, &x, err));
        SP_TRY(add_vertex(r, x, err));
    }
    SP_TRY(want_word(r, "endloop", err));
    SP_TRY(want_word(r, "endfacet", err));
    const int n = r->mesh->n_vertex;
    return add_triangle(r, n - 3, n - 2, n - 1, err);
}

static sp_status read_stl_text(reader *r, sp_error *err)
{
    SP_TRY(want_word(r, "solid", err));
    skip_line(r);
    for (;;) {
        skip_space(r, true);
        if (take_word(r, "facet")) {
            SP_TRY(read_facet(r, err));
        } else if (take_word(r, "endsolid")) {
            skip_line(r);
            skip_space(r, true);
            if (r->at == r->end) {
                return SP_OK;
            }
            SP_TRY(want_word(r, "solid", err)); /* the next one */
            skip_line(r);
        } else {
            return unexpected(r, "'facet' or 'endsolid'", err);
        }
    }
}

static sp_status read_stl(reader *r, sp_error *err)
{
    r->mesh->single = true;
    if (is_binary(r)) {
        return read_binary(r, err);
    }
    const reader start = *r;
    skip_space(r, true);
    if (take_word(r, "solid")) {
        *r = start;
        return read_stl_text(r, err);
    }
    const size_t n = (size_t)(r->end - start.at);
    if (n < STL_HEADER) {
        return place(
            r, 0,
            SP_FAIL(err, SP_E_INPUT, "no STL file: %zu bytes, expected at least %d", n, STL_HEADER),
            err);
    }
    return place(
        r, 0,
        SP_FAIL(err, SP_E_INPUT,
                "binary STL file of %zu bytes, expected %llu for the %lu triangles it announces", n,
                STL_HEADER + (unsigned long long)STL_TRIANGLE * bits_at(start.at + 80),
                (unsigned long)bits_at(start.at + 80)),
        err);
}

/* ---- OBJ ----------------------------------------------------------------------------------- */

/* One corner of a face, "7", "7/1", "7//3" or "-1", as a number from 0. */
static sp_status read_corner(reader *r, int *corner, sp_error *err)
{
    char *end;
    const size_t n = word_length(r);
    const long x = n ? strtol(r->at, &end, 10) : 0; /* saturates */
    const int n_vertex = r->mesh->n_vertex;
    if (n == 0 || end == r->at || (end != r->at + n && *end != '/')) {
        return unexpected(r, "the number of a point", err);
    }
    if (x == 0 || x > n_vertex || x < -(long)n_vertex) {
        return place(r, r->line,
                     SP_FAIL(err, SP_E_INPUT,
                             "face with point %ld, expected one of the %d points before it", x,
                             n_vertex),
                     err);
    }
    *corner = (int)(x > 0 ? x - 1 : n_vertex + x);
    r->at += n;
    return SP_OK;
}

/* A face as a fan of triangles around its first corner. */
static sp_status read_face(reader *r, sp_error *err)
{
    int first = 0, before = 0, n = 0;
    for (skip_space(r, false); r->at < r->end && *r->at != '\n'; skip_space(r, false), n++) {
        int corner = 0;
        SP_TRY(read_corner(r, &corner, err));
        if (n >= 2) {
            SP_TRY(add_triangle(r, first, before, corner, err));
        }
        first = n == 0 ? corner : first;
        before = corner;
    }
    return n >= 3
               ? SP_OK
               : place(r, r->line,
                       SP_FAIL(err, SP_E_INPUT, "face with %d points, expected 3 or more", n), err);
}

static sp_status read_obj(reader *r, sp_error *err)
{
    r->mesh->single = false;
    for (skip_space(r, true); r->at < r->end; skip_space(r, true)) {
        if (take_word(r, "v")) {
            sp_vec3 x;
            SP_TRY(read_point(r, false, &x, err));
            SP_TRY(add_vertex(r, x, err));
        } else if (take_word(r, "f")) {
            SP_TRY(read_face(r, err));
        }
        skip_line(r); /* everything else is looks */
    }
    return SP_OK;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Whether a name ends with this, in any case. */
static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    for (size_t k = 0; k < m; k++) {
        if (n < m || tolower((unsigned char)name[n - m + k]) != end[k]) {
            return false;
        }
    }
    return true;
}

/* One of the two passes. */
static sp_status pass(const char *name, const char *bytes, size_t n, bool fill, sp_mesh_file *mesh,
                      sp_error *err)
{
    reader r = {.name = name, .at = bytes, .end = bytes + n, .line = 1, .mesh = mesh, .fill = fill};
    mesh->n_vertex = mesh->n_tri = 0;
    if (ends_with(name, ".obj")) {
        return read_obj(&r, err);
    }
    if (ends_with(name, ".stl")) {
        return read_stl(&r, err);
    }
    return place(&r, 0, SP_FAIL(err, SP_E_INPUT, "expected a name that ends with .stl or .obj"),
                 err);
}

sp_status sp_mesh_read(const char *name, const char *bytes, size_t n, sp_arena *arena,
                       sp_mesh_file *mesh, sp_error *err)
{
    const reader whole = {.name = name};
    memset(mesh, 0, sizeof *mesh);
    SP_TRY(pass(name, bytes, n, false, mesh, err));
    if (mesh->n_tri == 0) {
        return place(&whole, 0, SP_FAIL(err, SP_E_INPUT, "the file has no triangles"), err);
    }
    mesh->vertex = SP_NEW(arena, sp_vec3, mesh->n_vertex);
    mesh->tri = sp_arena_alloc(arena, (size_t)mesh->n_tri, sizeof *mesh->tri);
    if (!mesh->vertex || !mesh->tri) {
        return place(&whole, 0, SP_FAIL(err, SP_E_MEMORY, "out of memory"), err);
    }
    return pass(name, bytes, n, true, mesh, err);
}
