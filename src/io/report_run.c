#define _POSIX_C_SOURCE 200809L
#include "io/base64.h"
#include "io/bend.h"
#include "io/pose.h"
#include "io/report_choice.h"
#include "io/report_events.h"
#include "io/result_h5.h"
#include "io/scene_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 4096 };

/* What is written, and scratch. */
typedef struct page {
    sp_json *j;
    sp_result *r;
    const sp_result_info *info;
    const sp_scene *scene; /* NULL: the file has none */
    sp_choice choice;
    size_t n;             /* frames                  */
    double *value;        /* numbers of one dataset  */
    unsigned char *bytes; /* of one array            */
} page;

/* ---- arrays -------------------------------------------------------------------------------- */

/* Whether floats would show steps: every stride-th number of n varies little against its size. */
static bool needs_doubles(size_t n, size_t stride, const double *value)
{
    double low = INFINITY, high = -INFINITY, size = 0.0;
    for (size_t k = 0; k < n; k += stride) {
        if (isfinite(value[k])) {
            low = value[k] < low ? value[k] : low;
            high = value[k] > high ? value[k] : high;
            size = fabs(value[k]) > size ? fabs(value[k]) : size;
        }
    }
    return high > low && 6e-8 * size > 1e-4 * (high - low);
}

/* {"type", "data"} */
static void put_bytes(page *p, const char *key, const char *type, size_t n)
{
    sp_json_object(p->j, key);
    sp_json_text(p->j, "type", type);
    sp_json_bytes(p->j, "data", p->bytes, n);
    sp_json_end(p->j);
}

/* An array of floats or doubles. */
static void put_array(page *p, const char *key, size_t n, const double *value, bool doubles)
{
    for (size_t k = 0; k < n; k++) {
        if (doubles) {
            sp_bytes_double(p->bytes + 8 * k, value[k]);
        } else {
            sp_bytes_float(p->bytes + 4 * k, value[k]);
        }
    }
    put_bytes(p, key, doubles ? "f64" : "f32", n * (doubles ? 8 : 4));
}

/* n rows of some columns, as doubles if one of the columns needs it. */
static void put_numbers(page *p, const char *key, size_t n, size_t columns, const double *value)
{
    bool doubles = false;
    for (size_t c = 0; c < columns && n > 0; c++) {
        doubles = doubles || needs_doubles(n * columns - c, columns, value + c);
    }
    put_array(p, key, n * columns, value, doubles);
}

/* Numbers c, c + stride, ... of a matrix, n times 'count' of them in a row, as one array. */
static sp_status put_columns(page *p, const char *key, const double *matrix, size_t stride,
                             size_t c, size_t count, sp_error *err)
{
    double *column = malloc((p->n * count + 1) * sizeof *column);
    if (!column) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    for (size_t i = 0; i < p->n; i++) {
        memcpy(column + i * count, matrix + i * stride + c, count * sizeof *column);
    }
    put_numbers(p, key, p->n, count, column);
    free(column);
    return SP_OK;
}

/* ---- about --------------------------------------------------------------------------------- */

/* The overrides, which the file holds one per line. */
static void put_overrides(page *p)
{
    sp_json_array(p->j, "overrides");
    for (const char *at = p->info->overrides; *at;) {
        const size_t n = strcspn(at, "\n");
        char *line = strndup(at, n);
        sp_json_text(p->j, NULL, line ? line : "");
        free(line);
        at += n + (at[n] == '\n');
    }
    sp_json_end(p->j);
}

/* How the run was made and how it ended. */
static void put_about(page *p)
{
    const sp_result_info *i = p->info;
    sp_json *j = p->j;
    const bool failed = strncmp(i->status, "failed", 6) == 0;
    sp_json_text(j, "file", i->path);
    sp_json_text(j, "name", i->name);
    sp_json_text(j, "method", i->method);
    sp_json_text(j, "version", i->version);
    sp_json_text(j, "status", i->live ? "running" : failed ? "failed" : i->status);
    sp_json_text(j, "message", failed ? i->status : "");
    const bool spatial = p->scene ? p->scene->spatial : sp_result_columns(p->r, SP_DATA_POSE) == 7;
    sp_json_text(j, "space", spatial ? "spatial" : "planar");
    sp_json_object(j, "settings");
    sp_json_number(j, "until", i->until);
    sp_json_number(j, "step", i->step);
    sp_json_number(j, "tolerance", i->tolerance);
    const double output_step = sp_result_number(p->r, "output_step", NAN);
    if (isfinite(output_step)) {
        sp_json_number(j, "output_step", output_step);
    }
    sp_json_integer(j, "steps", i->steps);
    sp_json_end(j);
    sp_json_text(j, "source_file", i->source_file);
    sp_json_text(j, "model_text", i->model_text);
    put_overrides(p);
    sp_json_text(j, "command", i->command);
}

/* What of the file is shown. */
static void put_decimation(page *p, const sp_page_extent *extent)
{
    sp_json_object(p->j, "decimation");
    sp_json_integer(p->j, "frames_in", (long long)extent->frames_in);
    sp_json_integer(p->j, "frames", (long long)extent->frames);
    sp_json_text(p->j, "note", extent->note);
    sp_json_end(p->j);
}

/* ---- channels ------------------------------------------------------------------------------ */

/* Which list a channel belongs to. */
static const char *group_of(int set)
{
    return set == SP_DATA_Q                                 ? "coordinate"
           : set == SP_DATA_U                               ? "velocity"
           : set == SP_DATA_POSE || set == SP_DATA_VELOCITY ? "body"
           : set <= SP_DATA_LAMBDA_D                        ? "contact"
           : set >= SP_DATA_FIXED                           ? "output"
           : set <= SP_DATA_BALANCE                         ? "energy"
                                                            : "certificate";
}

/* One channel, column c of the matrix that was gathered. */
static sp_status put_channel(page *p, int channel, int set, size_t stride, size_t c, sp_error *err)
{
    char name[NAME_BYTES], label[NAME_BYTES];
    sp_result_channel_name(p->r, channel, name, sizeof name);
    sp_result_channel_label(p->r, channel, label, sizeof label);
    sp_json_object(p->j, NULL);
    sp_json_text(p->j, "name", name);
    if (strcmp(name, label) != 0) {
        sp_json_text(p->j, "label", label);
    }
    sp_json_text(p->j, "unit", sp_result_channel_unit(p->r, channel));
    sp_json_text(p->j, "group", group_of(set));
    SP_TRY(put_columns(p, "data", p->value, stride, c, 1, err));
    sp_json_end(p->j);
    return SP_OK;
}

/* The channels chosen of one dataset, which stand together in the list. */
static sp_status put_set(page *p, int set, size_t first, size_t n, sp_error *err)
{
    size_t *column = malloc((n + 1) * sizeof *column);
    sp_status status = column ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    for (size_t k = 0; status == SP_OK && k < n; k++) {
        int its_set;
        sp_result_locate(p->r, p->choice.channel[first + k], &its_set, &column[k]);
    }
    if (status == SP_OK) {
        status = sp_frames_gather(p->r, &p->choice.frames, set, n, column, p->value, err);
    }
    for (size_t k = 0; status == SP_OK && k < n; k++) {
        status = put_channel(p, p->choice.channel[first + k], set, n, k, err);
    }
    free(column);
    return status;
}

/* All channels chosen; they are sorted by dataset. */
static sp_status put_channels(page *p, sp_error *err)
{
    const sp_choice *c = &p->choice;
    sp_json_array(p->j, "channels");
    for (size_t first = 0, end; first < c->n_channel; first = end) {
        int set, other;
        size_t column;
        sp_result_locate(p->r, c->channel[first], &set, &column);
        for (end = first + 1; end < c->n_channel; end++) {
            sp_result_locate(p->r, c->channel[end], &other, &column);
            if (other != set) {
                break;
            }
        }
        SP_TRY(put_set(p, set, first, end - first, err));
    }
    sp_json_end(p->j);
    return SP_OK;
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* All columns of a dataset at the frames chosen. */
static sp_status gather_all(page *p, int set, sp_error *err)
{
    const size_t width = sp_result_width(p->r, set);
    size_t *column = malloc((width + 1) * sizeof *column);
    if (!column) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    for (size_t k = 0; k < width; k++) {
        column[k] = k;
    }
    const sp_status status =
        sp_frames_gather(p->r, &p->choice.frames, set, width, column, p->value, err);
    free(column);
    return status;
}

/* The names of the columns of a pose. */
static void put_pose_names(page *p, size_t columns)
{
    const char *names = sp_layout_names(&sp_result_layout[SP_DATA_POSE], columns == 7 ? 3 : 2);
    sp_json_array(p->j, "columns");
    for (size_t k = 0; k < columns; k++) {
        char word[32];
        sp_layout_word(names, k, word, sizeof word);
        sp_json_text(p->j, NULL, word);
    }
    sp_json_end(p->j);
}

/* How a beam bends: it moves what its body shows. */
static sp_status put_flex(page *p, const sp_scene_flex *flex, sp_error *err)
{
    double *e;
    const sp_status status = sp_bend_gather(p->r, &p->choice.frames, flex, &e, err);
    if (status == SP_OK && e) {
        sp_json_object(p->j, "flex");
        sp_scene_put_flex(p->j, flex);
        put_numbers(p, "e", p->n, (size_t)flex->n_mode, e);
        sp_json_end(p->j);
    }
    free(e);
    return status;
}

/* Bodies with their poses and shapes; the poses are in p->value. */
static sp_status put_bodies(page *p, sp_error *err)
{
    const size_t columns = sp_result_columns(p->r, SP_DATA_POSE);
    const size_t width = sp_result_width(p->r, SP_DATA_POSE);
    sp_json_array(p->j, "bodies");
    for (int i = 0; i < p->info->n_body; i++) {
        sp_json_object(p->j, NULL);
        sp_json_text(p->j, "name", sp_result_body_name(p->r, i));
        put_pose_names(p, columns);
        SP_TRY(put_columns(p, "pose", p->value, width, (size_t)i * columns, columns, err));
        sp_json_array(p->j, "shapes");
        for (int s = 0; p->scene && s < p->scene->body[i].n_shape; s++) {
            sp_scene_put_shape(p->j, &p->scene->body[i].shape[s], p->scene->spatial);
        }
        sp_json_end(p->j);
        if (p->scene && p->scene->body[i].flex.n_station > 0) {
            SP_TRY(put_flex(p, &p->scene->body[i].flex, err));
        }
        sp_json_end(p->j);
    }
    sp_json_end(p->j);
    return SP_OK;
}

/* One end of a spring in the world, of every frame at end[6 k]: beams take it along as they are
 * bent; the poses are in p->value. */
static sp_status find_end(page *p, int body, const double at[3], double *end, sp_error *err)
{
    const size_t columns = sp_result_columns(p->r, SP_DATA_POSE);
    const size_t width = sp_result_width(p->r, SP_DATA_POSE);
    const sp_scene_flex *flex = &p->scene->body[body].flex;
    sp_section *section = malloc(((size_t)flex->n_station + 1) * sizeof *section);
    double *e, local[3] = {at[0], at[1], at[2]};
    sp_status status = sp_bend_gather(p->r, &p->choice.frames, flex, &e, err);
    if (status == SP_OK && !section) {
        status = SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    for (size_t i = 0; status == SP_OK && i < p->n; i++) {
        if (e) {
            sp_bend_sections(flex, e + i * (size_t)flex->n_mode, 1.0, section);
            sp_bend_point(flex, section, at, local);
        }
        sp_pose_point(columns, p->value + i * width + (size_t)body * columns, local, end + 6 * i);
    }
    free(section);
    free(e);
    return status;
}

/* The two ends of a spring in the world; the poses are in p->value. */
static sp_status put_spring(page *p, const sp_scene_spring *s, sp_error *err)
{
    double *end = malloc((6 * p->n + 1) * sizeof *end);
    if (!end) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    sp_status status = find_end(p, s->body[0], s->at[0], end, err);
    if (status == SP_OK) {
        status = find_end(p, s->body[1], s->at[1], end + 3, err);
    }
    if (status == SP_OK) {
        sp_json_object(p->j, NULL);
        sp_json_text(p->j, "name", s->name);
        put_numbers(p, "ends", p->n, 6, end);
        sp_json_end(p->j);
    }
    free(end);
    return status;
}

/* Bodies and springs. */
static sp_status put_machine(page *p, sp_error *err)
{
    SP_TRY(gather_all(p, SP_DATA_POSE, err));
    SP_TRY(put_bodies(p, err));
    sp_json_array(p->j, "springs");
    for (int k = 0; p->scene && k < p->scene->n_spring; k++) {
        SP_TRY(put_spring(p, &p->scene->spring[k], err));
    }
    sp_json_end(p->j);
    return SP_OK;
}

/* States of a contact, every stride-th number. */
static void put_state(page *p, const double *value, size_t stride)
{
    for (size_t i = 0; i < p->n; i++) {
        const double state = value[i * stride];
        p->bytes[i] = state > 0.0 && state < 3.0 ? (unsigned char)state : 0;
    }
    put_bytes(p, "state", "u8", p->n);
}

/* Places or forces of the contacts chosen, n x contacts x 3; NULL if the file has none. */
static sp_status gather_places(page *p, int set, double **value, sp_error *err)
{
    const size_t axes = sp_result_columns(p->r, set), n = 3 * p->choice.n_contact;
    *value = NULL;
    if (sp_result_width(p->r, set) == 0) {
        return SP_OK; /* an older file */
    }
    size_t *column = malloc((n + 1) * sizeof *column);
    *value = malloc((n * p->n + 1) * sizeof **value);
    sp_status status =
        column && *value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    for (size_t k = 0; status == SP_OK && k < n; k++) {
        column[k] = p->choice.contact[k / 3] * axes + (k % 3 < axes ? k % 3 : 0);
    }
    if (status == SP_OK) {
        status = sp_frames_gather(p->r, &p->choice.frames, set, n, column, *value, err);
    }
    for (size_t k = 2; status == SP_OK && axes < 3 && k < n * p->n; k += 3) {
        (*value)[k] = 0.0;
    }
    free(column);
    return status;
}

/* The contacts chosen; their states are in p->value. */
static sp_status put_contact_list(page *p, const double *point, const double *force, sp_error *err)
{
    const size_t n = p->choice.n_contact;
    sp_json_array(p->j, "contacts");
    for (size_t k = 0; k < n; k++) {
        sp_json_object(p->j, NULL);
        sp_json_text(p->j, "name", sp_result_contact_name(p->r, (int)p->choice.contact[k]));
        put_state(p, p->value + k, n);
        if (point && force) {
            SP_TRY(put_columns(p, "point", point, 3 * n, 3 * k, 3, err));
            SP_TRY(put_columns(p, "force", force, 3 * n, 3 * k, 3, err));
        }
        sp_json_end(p->j);
    }
    sp_json_end(p->j);
    return SP_OK;
}

/* States, places and forces of the contacts chosen. */
static sp_status put_contacts(page *p, sp_error *err)
{
    const sp_choice *c = &p->choice;
    double *point = NULL, *force = NULL;
    sp_status status =
        sp_frames_gather(p->r, &c->frames, SP_DATA_STATE, c->n_contact, c->contact, p->value, err);
    if (status == SP_OK) {
        status = gather_places(p, SP_DATA_POINT, &point, err);
    }
    if (status == SP_OK) {
        status = gather_places(p, SP_DATA_FORCE, &force, err);
    }
    if (status == SP_OK) {
        status = put_contact_list(p, point, force, err);
    }
    free(point);
    free(force);
    return status;
}

/* ---- accounts ----------------------------------------------------------------------------- */

/* The ledger over time. */
static sp_status put_ledger(page *p, sp_error *err)
{
    static const int set[] = {SP_DATA_KINETIC,  SP_DATA_POTENTIAL,  SP_DATA_DAMPERS,
                              SP_DATA_FRICTION, SP_DATA_IMPACTS,    SP_DATA_APPLIED,
                              SP_DATA_DRIVEN,   SP_DATA_PROJECTION, SP_DATA_DISCRETISATION,
                              SP_DATA_BALANCE};
    enum { N = sizeof set / sizeof *set };
    const size_t column = 0;
    sp_json_object(p->j, "ledger");
    sp_json_array(p->j, "names");
    for (int k = 0; k < N; k++) {
        sp_json_text(p->j, NULL, strchr(sp_result_layout[set[k]].channel, '.') + 1);
    }
    sp_json_end(p->j);
    sp_json_text(p->j, "unit", "J");
    sp_json_array(p->j, "data");
    for (int k = 0; k < N; k++) {
        SP_TRY(sp_frames_gather(p->r, &p->choice.frames, set[k], 1, &column, p->value, err));
        put_numbers(p, NULL, p->n, 1, p->value);
    }
    sp_json_end(p->j);
    sp_json_end(p->j);
    return SP_OK;
}

/* The worst of every frame in the file. */
static sp_status put_certificate(page *p, sp_error *err)
{
    sp_json_object(p->j, "certificate");
    for (int set = SP_DATA_COMPLEMENTARITY; set <= SP_DATA_GAP; set++) {
        double worst = 0.0, value[1024];
        const size_t block = sizeof value / sizeof *value;
        for (size_t first = 0; first < p->info->n_frame; first += block) {
            const size_t left = p->info->n_frame - first, n = left < block ? left : block;
            SP_TRY(sp_result_read_set(p->r, set, first, n, value, err));
            for (size_t k = 0; k < n; k++) {
                worst = isnan(worst) || value[k] <= worst ? worst : value[k]; /* NaN stays */
            }
        }
        sp_json_number(p->j, strchr(sp_result_layout[set].channel, '.') + 1, worst);
    }
    sp_json_end(p->j);
    return SP_OK;
}

/* The plots that the model asks for. */
static void put_plots(page *p)
{
    sp_json_array(p->j, "plots");
    for (int k = 0; k < p->info->n_plot; k++) {
        const sp_plot_preset *plot = sp_result_plot(p->r, k);
        sp_json_object(p->j, NULL);
        sp_json_text(p->j, "name", plot->name);
        sp_json_text(p->j, "title", plot->title);
        sp_json_text(p->j, "x", plot->x[0] ? plot->x : "t");
        sp_json_array(p->j, "y");
        for (int i = 0; i < plot->n_y; i++) {
            sp_json_text(p->j, NULL, plot->y[i]);
        }
        sp_json_end(p->j);
        sp_json_bool(p->j, "equal", plot->equal);
        sp_json_end(p->j);
    }
    sp_json_end(p->j);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Memory for the numbers of the widest dataset, and for the longest array. */
static bool make_room(page *p)
{
    size_t width = 3, columns = sp_result_columns(p->r, SP_DATA_POSE);
    for (int set = 0; set < sp_result_n_set(p->r); set++) {
        const size_t its = sp_result_width(p->r, set);
        width = its > width ? its : width;
    }
    columns = columns > 6 ? columns : 6;
    for (int i = 0; p->scene && i < p->scene->n_body; i++) {
        const size_t own = (size_t)p->scene->body[i].flex.n_mode;
        columns = own > columns ? own : columns;
    }
    p->value = calloc(p->n * width + 1, sizeof *p->value);
    p->bytes = malloc(8 * p->n * columns + 8);
    return p->value && p->bytes;
}

/* The steps of sp_page_put_run once the choice is made. */
static sp_status put_run(page *p, const sp_page_extent *extent, sp_error *err)
{
    const size_t column = 0;
    sp_json_object(p->j, NULL);
    put_about(p);
    put_decimation(p, extent);
    SP_TRY(sp_frames_gather(p->r, &p->choice.frames, SP_DATA_TIME, 1, &column, p->value, err));
    put_array(p, "time", p->n, p->value, true);
    SP_TRY(put_channels(p, err));
    SP_TRY(put_machine(p, err));
    SP_TRY(put_contacts(p, err));
    SP_TRY(sp_report_events(p->r, p->j, err));
    SP_TRY(put_ledger(p, err));
    SP_TRY(put_certificate(p, err));
    put_plots(p);
    sp_json_end(p->j);
    return SP_OK;
}

sp_status sp_page_put_run(sp_json *j, sp_result *result, size_t frames, size_t bytes,
                          sp_page_extent *extent, sp_error *err)
{
    page p = {.j = j, .r = result, .info = sp_result_about(result)};
    memset(extent, 0, sizeof *extent);
    if (p.info->n_frame == 0) {
        return SP_FAIL(err, SP_E_INPUT,
                       "result file '%s': holds no frame, there is nothing to show", p.info->path);
    }
    SP_TRY(sp_choice_make(result, frames, bytes, &p.choice, extent, err));
    p.scene = sp_result_scene(result);
    p.n = p.choice.frames.n;
    const sp_status status = make_room(&p)
                                 ? put_run(&p, extent, err)
                                 : SP_FAIL(err, SP_E_MEMORY, "out of memory for %zu frames", p.n);
    free(p.value);
    free(p.bytes);
    sp_choice_free(&p.choice);
    return status;
}
