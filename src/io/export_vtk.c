#include "io/export_stage.h"
#include "io/pose.h"
#include "io/result_h5.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* A series of files in the making. */
typedef struct series {
    const sp_stage *s;
    const char *folder, *name;
    size_t n_file;
} series;

/* ---- files --------------------------------------------------------------------------------- */

/* "folder/name_part.ending"; a name of more bytes than a path can have is refused. */
static sp_status make_path(const series *v, const char *part, const char *ending, char *path,
                           sp_error *err)
{
    const int n = snprintf(path, PATH_BYTES, "%s/%s%s.%s", v->folder, v->name, part, ending);
    return n < PATH_BYTES ? SP_OK
                          : SP_FAIL(err, SP_E_IO, "'%.200s...': the name is too long", path);
}

/* Open a file of the series. */
static sp_status begin_file(const series *v, const char *part, const char *ending, FILE **file,
                            char *path, sp_error *err)
{
    SP_TRY(make_path(v, part, ending, path, err));
    *file = fopen(path, "w");
    return *file ? SP_OK : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", path, strerror(errno));
}

/* Close it and see whether all of it arrived. */
static sp_status end_file(series *v, FILE *file, const char *path, sp_error *err)
{
    const bool written = !ferror(file);
    const bool closed = fclose(file) == 0;
    v->n_file++;
    return written && closed
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", path, strerror(errno));
}

/* Text in an attribute of XML. */
static void put_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, file);
        }
    }
}

/* The list of files with their times, "part" as in their names. */
static sp_status put_list(series *v, const char *part, sp_error *err)
{
    char path[PATH_BYTES];
    FILE *file;
    SP_TRY(begin_file(v, part, "pvd", &file, path, err));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          file);
    for (size_t i = 0; i < v->s->n; i++) {
        fprintf(file, "<DataSet timestep=\"%.17g\" group=\"\" part=\"0\" file=\"", v->s->time[i]);
        put_escaped(file, v->name);
        fprintf(file, "%s_%05zu.vtp\"/>\n", part, i);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
    return end_file(v, file, path, err);
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* The head of a file of points and cells. */
static void put_head(FILE *file, size_t points, size_t verts, size_t lines, size_t polys)
{
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
            "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\"%zu\" "
            "NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%zu\">\n",
            points, verts, lines, polys);
}

static void put_tail(FILE *file)
{
    fputs("</Piece>\n</PolyData>\n</VTKFile>\n", file);
}

static void begin_array(FILE *file, const char *type, const char *name, int components)
{
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            type, name, components);
}

static void end_array(FILE *file)
{
    fputs("</DataArray>\n", file);
}

/* A point or vector. */
static void put_vector(FILE *file, const double x[3])
{
    fprintf(file, "%.9g %.9g %.9g\n", x[0], x[1], x[2]);
}

/* Where each of n cells of 'size' points ends. */
static void put_offsets(FILE *file, size_t n, size_t size)
{
    begin_array(file, "Int64", "offsets", 1);
    for (size_t k = 1; k <= n; k++) {
        fprintf(file, "%zu\n", k * size);
    }
    end_array(file);
}

/* ---- the machine --------------------------------------------------------------------------- */

/* The points of all bodies in a frame, then the ends of the springs. */
static void put_points(const sp_stage *s, size_t frame, FILE *file)
{
    double at[3], turn[4], local[3], x[3];
    fputs("<Points>\n", file);
    begin_array(file, "Float32", "Points", 3);
    for (size_t i = 0; i < s->n_body; i++) {
        const sp_section *section = sp_stage_sections(s, frame, i);
        sp_pose_place(s->columns, sp_stage_pose(s, frame, i), at, turn);
        for (size_t k = 0; k < s->mesh[i].n_point; k++) {
            const float *p = s->mesh[i].point[k];
            const double rest[3] = {(double)p[0], (double)p[1], (double)p[2]};
            memcpy(local, rest, sizeof local);
            if (section) {
                sp_bend_point(s->bend[i].flex, section, rest, local);
            }
            sp_pose_turn(turn, local, x);
            put_vector(file, (const double[3]){x[0] + at[0], x[1] + at[1], x[2] + at[2]});
        }
    }
    for (int k = 0; k < 2 * s->scene->n_spring; k++) {
        const sp_scene_spring *spring = &s->scene->spring[k / 2];
        sp_stage_point(s, frame, (size_t)spring->body[k % 2], spring->at[k % 2], x);
        put_vector(file, x);
    }
    end_array(file);
    fputs("</Points>\n", file);
}

/* Springs as lines, behind n_point points of the bodies; surfaces as triangles. */
static void put_cells(const sp_stage *s, size_t n_point, size_t n_triangle, FILE *file)
{
    const size_t n_spring = (size_t)s->scene->n_spring;
    fputs("<Lines>\n", file);
    begin_array(file, "Int64", "connectivity", 1);
    for (size_t k = 0; k < n_spring; k++) {
        fprintf(file, "%zu %zu\n", n_point + 2 * k, n_point + 2 * k + 1);
    }
    end_array(file);
    put_offsets(file, n_spring, 2);
    fputs("</Lines>\n<Polys>\n", file);
    begin_array(file, "Int64", "connectivity", 1);
    size_t first = 0;
    for (size_t i = 0; i < s->n_body; i++) {
        for (size_t k = 0; k < s->mesh[i].n_triangle; k++) {
            const uint32_t *t = s->mesh[i].triangle[k];
            fprintf(file, "%zu %zu %zu\n", first + t[0], first + t[1], first + t[2]);
        }
        first += s->mesh[i].n_point;
    }
    end_array(file);
    put_offsets(file, n_triangle, 3);
    fputs("</Polys>\n", file);
}

/* The number of the body that each cell belongs to; of springs -1. */
static void put_bodies(const sp_stage *s, FILE *file)
{
    fputs("<CellData Scalars=\"body\">\n", file);
    begin_array(file, "Int32", "body", 1);
    for (int k = 0; k < s->scene->n_spring; k++) {
        fputs("-1\n", file);
    }
    for (size_t i = 0; i < s->n_body; i++) {
        for (size_t k = 0; k < s->mesh[i].n_triangle; k++) {
            fprintf(file, "%zu\n", i);
        }
    }
    end_array(file);
    fputs("</CellData>\n", file);
}

/* One frame. */
static sp_status put_machine(series *v, size_t frame, size_t n_point, size_t n_triangle,
                             sp_error *err)
{
    char part[32], path[PATH_BYTES];
    FILE *file;
    const size_t n_spring = (size_t)v->s->scene->n_spring;
    snprintf(part, sizeof part, "_%05zu", frame);
    SP_TRY(begin_file(v, part, "vtp", &file, path, err));
    put_head(file, n_point + 2 * n_spring, 0, n_spring, n_triangle);
    put_bodies(v->s, file);
    put_points(v->s, frame, file);
    put_cells(v->s, n_point, n_triangle, file);
    put_tail(file);
    return end_file(v, file, path, err);
}

/* All frames, then the list of them. */
static sp_status put_machines(series *v, sp_export_extent *extent, sp_error *err)
{
    size_t n_point = 0;
    extent->triangles = 0;
    for (size_t i = 0; i < v->s->n_body; i++) {
        n_point += v->s->mesh[i].n_point;
        extent->triangles += v->s->mesh[i].n_triangle;
    }
    for (size_t i = 0; i < v->s->n; i++) {
        SP_TRY(put_machine(v, i, n_point, extent->triangles, err));
    }
    return put_list(v, "", err);
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* Numbers of all contacts in all frames: gap, state, place, force. */
enum { GAP, STATE, POINT, FORCE, N_QUANTITY };
typedef struct contacts {
    size_t n;
    double *value[N_QUANTITY]; /* frames x n, the last two x axes */
    size_t axes;
} contacts;

static void contacts_free(contacts *c)
{
    for (int k = 0; k < N_QUANTITY; k++) {
        free(c->value[k]);
    }
}

/* Read them. */
static sp_status contacts_read(const sp_stage *s, contacts *c, sp_error *err)
{
    static const int set[N_QUANTITY] = {SP_DATA_G_N, SP_DATA_STATE, SP_DATA_POINT, SP_DATA_FORCE};
    for (int k = 0; k < N_QUANTITY; k++) {
        const size_t width = sp_result_width(s->r, set[k]);
        size_t *column = malloc((width + 1) * sizeof *column);
        c->value[k] = malloc((s->n * width + 1) * sizeof **c->value);
        sp_status status = column && c->value[k]
                               ? SP_OK
                               : SP_FAIL(err, SP_E_MEMORY, "out of memory for the contacts");
        for (size_t i = 0; status == SP_OK && i < width; i++) {
            column[i] = i;
        }
        if (status == SP_OK) {
            status = sp_frames_gather(s->r, &s->frames, set[k], width, column, c->value[k], err);
        }
        free(column);
        SP_TRY(status);
    }
    return SP_OK;
}

/* Places or forces of all contacts in a frame; what is no number becomes zero. */
static void put_places(const contacts *c, int which, size_t frame, const char *name, FILE *file)
{
    begin_array(file, "Float32", name, 3);
    for (size_t i = 0; i < c->n; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < c->axes && k < 3; k++) {
            const double value = c->value[which][(frame * c->n + i) * c->axes + k];
            x[k] = isfinite(value) ? value : 0.0;
        }
        put_vector(file, x);
    }
    end_array(file);
}

/* Gaps or states of all contacts in a frame. */
static void put_scalars(const contacts *c, int which, size_t frame, const char *type,
                        const char *name, FILE *file)
{
    begin_array(file, type, name, 1);
    for (size_t i = 0; i < c->n; i++) {
        const double value = c->value[which][frame * c->n + i];
        fprintf(file, "%.9g\n", isfinite(value) ? value : 0.0);
    }
    end_array(file);
}

/* The contacts in one frame. */
static sp_status put_contacts(series *v, const contacts *c, size_t frame, sp_error *err)
{
    char part[32], path[PATH_BYTES];
    FILE *file;
    snprintf(part, sizeof part, "_contacts_%05zu", frame);
    SP_TRY(begin_file(v, part, "vtp", &file, path, err));
    put_head(file, c->n, c->n, 0, 0);
    fputs("<PointData Scalars=\"state\" Vectors=\"force\">\n", file);
    put_scalars(c, STATE, frame, "UInt8", "state", file);
    put_scalars(c, GAP, frame, "Float32", "gap", file);
    put_places(c, FORCE, frame, "force", file);
    fputs("</PointData>\n<Points>\n", file);
    put_places(c, POINT, frame, "Points", file);
    fputs("</Points>\n<Verts>\n", file);
    begin_array(file, "Int64", "connectivity", 1);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(file, "%zu\n", i);
    }
    end_array(file);
    put_offsets(file, c->n, 1);
    fputs("</Verts>\n", file);
    put_tail(file);
    return end_file(v, file, path, err);
}

/* The contacts in all frames, where the file knows their places. */
static sp_status put_all_contacts(series *v, sp_error *err)
{
    const sp_stage *s = v->s;
    contacts c = {.n = (size_t)sp_result_about(s->r)->n_contact,
                  .axes = sp_result_columns(s->r, SP_DATA_POINT)};
    if (c.n == 0 || sp_result_width(s->r, SP_DATA_POINT) == 0 ||
        sp_result_width(s->r, SP_DATA_FORCE) != sp_result_width(s->r, SP_DATA_POINT)) {
        return SP_OK;
    }
    sp_status status = contacts_read(s, &c, err);
    for (size_t i = 0; status == SP_OK && i < s->n; i++) {
        status = put_contacts(v, &c, i, err);
    }
    contacts_free(&c);
    return status == SP_OK ? put_list(v, "_contacts", err) : status;
}

sp_status sp_export_vtk(sp_result *result, const char *folder, const char *name, size_t frames,
                        double deformation, sp_export_extent *extent, sp_error *err)
{
    sp_stage stage;
    SP_TRY(sp_stage_set(result, frames, deformation, &stage, err));
    series v = {.s = &stage, .folder = folder, .name = name};
    *extent = (sp_export_extent){
        .frames_in = sp_result_about(result)->n_frame, .frames = stage.n, .bodies = stage.n_body};
    sp_status status = put_machines(&v, extent, err);
    if (status == SP_OK) {
        status = put_all_contacts(&v, err);
    }
    extent->files = v.n_file;
    sp_stage_free(&stage);
    return status;
}
