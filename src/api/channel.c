/* api/channel.c - the channels of a model, numbered as in the result of its run. */

#include "api/sample.h"
#include "integrators/loads.h"
#include "io/result_h5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 512 };

/* Groups of channels in their order. */
typedef enum group { TIME, Q, U, BODY, SLOT, OUTPUT, LINE, SCALAR, N_GROUP } group;

/* A channel: the item of its group it belongs to, and which of its quantities it is. */
typedef struct place {
    group group;
    int item, field; /* N_GROUP: there is no such channel */
} place;

static const char *const pose_unit[] = {"m", "m", "rad"};
static const char *const pose_unit_space[] = {"m", "m", "m", "1", "1", "1", "1"};
static const char *const line_field[SP_LINE_COLUMNS] = {"stored", "dampers", "applied"};

/* Quantities of each contact. */
static int slot_fields(const sp_model *m)
{
    int n = 0;
    for (int set = SP_DATA_G_N; set <= SP_DATA_LAMBDA_D; set++) {
        n += sp_layout_is_there(m, &sp_result_layout[set]);
    }
    return n;
}

/* How many items a group has, and quantities of each. */
static int group_items(const sp_model *m, group g, int *fields)
{
    const int item[N_GROUP] = {1,         m->n_q,      m->n_dof,  m->n_body - 1,
                               m->n_slot, m->n_output, m->n_line, SP_SCALAR_VALUES};
    *fields = g == BODY   ? sp_pose_columns(m->dim) + sp_velocity_columns(m->dim)
              : g == SLOT ? slot_fields(m)
              : g == LINE ? SP_LINE_COLUMNS
                          : 1;
    return item[g];
}

/* Where a channel stands. */
static place place_of(const sp_model *m, int channel)
{
    for (int g = TIME; g < N_GROUP && channel >= 0; g++) {
        int fields;
        const int items = group_items(m, (group)g, &fields);
        if (channel < items * fields) {
            return (place){(group)g, channel / fields, channel % fields};
        }
        channel -= items * fields;
    }
    return (place){N_GROUP, 0, 0};
}

/* The name of a quantity of a body. */
static void body_field(const sp_model *m, int field, char *word, size_t size)
{
    const int n = sp_pose_columns(m->dim);
    const int set = field < n ? SP_DATA_POSE : SP_DATA_VELOCITY;
    sp_layout_word(sp_layout_names(&sp_result_layout[set], m->dim),
                   (size_t)(field < n ? field : field - n), word, size);
}

/* The unit of a quantity of a body. */
static const char *body_unit(const sp_model *m, int field)
{
    const int n = sp_pose_columns(m->dim), k = field - n;
    if (k < 0) {
        return m->dim == 3 ? pose_unit_space[field] : pose_unit[field];
    }
    return k < (m->dim == 3 ? 3 : 2) ? "m/s" : "rad/s";
}

const char *sp_channel_name(const sp_model *m, int channel, char *name, size_t size)
{
    const place p = place_of(m, channel);
    const sp_data_layout *layout = NULL;
    char word[32];
    switch (p.group) {
    case TIME:
        layout = &sp_result_layout[SP_DATA_TIME];
        break;
    case Q:
        snprintf(name, size, "%s", m->coord[p.item].name);
        return m->coord[p.item].unit;
    case U:
        snprintf(name, size, "%s", m->dof[p.item].rate_name);
        return m->dof[p.item].rate_unit;
    case BODY:
        body_field(m, p.field, word, sizeof word);
        snprintf(name, size, "%s.%s", m->body[p.item + 1].name, word);
        return body_unit(m, p.field);
    case SLOT:
        layout = &sp_result_layout[SP_DATA_G_N + p.field];
        snprintf(name, size, "%s.%s", m->slot[p.item].name, layout->channel);
        return m->slot[p.item].is.turns ? sp_layout_angular(layout->unit) : layout->unit;
    case OUTPUT:
        snprintf(name, size, "%s", m->output[p.item].name);
        return m->output[p.item].unit;
    case LINE:
        snprintf(name, size, "energy.%s.%s", m->line[p.item].name, line_field[p.field]);
        return "J";
    case SCALAR:
        layout = &sp_result_layout[SP_DATA_KINETIC + p.item];
        break;
    case N_GROUP:
        break;
    }
    snprintf(name, size, "%s", layout ? layout->channel : "");
    return layout ? layout->unit : NULL;
}

/* The channel whose name is nearest to a word, as ", did you mean '...'?"; "" if none is near. */
static void suggest(const sp_model *m, const char *word, char *text, size_t size)
{
    char best[NAME_MAX_BYTES] = "", name[NAME_MAX_BYTES];
    for (int k = 0; sp_channel_name(m, k, name, sizeof name); k++) {
        const char *const candidate[] = {best, name};
        const char *near =
            best[0] ? sp_nearest(word, candidate, 2) : sp_nearest(word, candidate + 1, 1);
        if (near == name) {
            memcpy(best, name, sizeof best);
        }
    }
    snprintf(text, size, "%s%s%s", best[0] ? ", did you mean '" : "", best, best[0] ? "'?" : "");
}

sp_status sp_channel_find(const sp_model *m, const char *name, int *channel, sp_error *err)
{
    char known[NAME_MAX_BYTES], near[NAME_MAX_BYTES + 32];
    if (!m || !name || !channel) {
        return SP_FAIL(err, SP_E_INPUT, "sp_channel_find: an argument is NULL");
    }
    for (int k = 0; sp_channel_name(m, k, known, sizeof known); k++) {
        if (strcmp(known, name) == 0) {
            *channel = k;
            return SP_OK;
        }
    }
    suggest(m, name, near, sizeof near);
    return SP_FAIL(err, SP_E_INPUT, "no channel '%.80s'%.200s", name, near);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A quantity of a body. */
static double body_value(const sp_model *m, const sp_step_record *r, int body, int field)
{
    const int n = sp_pose_columns(m->dim), n_rate = sp_velocity_columns(m->dim);
    return field < n ? r->pose[body * n + field] : r->velocity[body * n_rate + field - n];
}

double sp_channel_read(const sp_sample *sample, int channel)
{
    const sp_model *m = sample->m;
    const sp_step_record *r = sample->r;
    const place p = place_of(m, channel);
    double value[SP_CONTACT_VALUES > SP_SCALAR_VALUES ? SP_CONTACT_VALUES : SP_SCALAR_VALUES];
    switch (p.group) {
    case TIME:
        return r->t;
    case Q:
        return r->q[p.item];
    case U:
        return r->u[p.item];
    case BODY:
        return body_value(m, r, p.item + 1, p.field);
    case SLOT:
        sp_contact_values(&r->contact[p.item], value);
        return value[p.field];
    case OUTPUT:
        return r->output[p.item];
    case LINE:
        return r->line[p.item * SP_LINE_COLUMNS + p.field];
    case SCALAR:
        sp_scalar_values(r, value);
        return value[p.item];
    case N_GROUP:
        break;
    }
    return NAN;
}

sp_status sp_sample_take(const sp_model *m, sp_state *x, sp_work *w, const sp_sample **sample,
                         sp_error *err)
{
    if (!m || !x || !w || !sample) {
        return SP_FAIL(err, SP_E_INPUT, "sp_sample_take: an argument is NULL");
    }
    if (!w->sample) {
        w->sample = SP_NEW(&w->arena, sp_sample, 1);
        if (!w->sample) {
            return SP_FAIL(err, SP_E_MEMORY, "no memory");
        }
    }
    sp_sample *s = w->sample;
    s->m = m;
    s->summary = (sp_run_summary){.bad_output = SP_NONE, .steep = SP_NONE};
    if (!w->load && sp_loads_needed(m)) {
        SP_TRY(sp_loads_new(m, w, &w->load, err));
    }
    sp_run_evaluate(m, x, w);
    SP_TRY(sp_run_sample(m, x, 0.0, w, &s->summary, err));
    sp_lately_add(&s->summary.lately, &w->certificate, w->n_hit, w->sol.pivots, true);
    s->own = sp_run_record(x, 0.0, true, w, &s->summary);
    s->r = &s->own;
    *sample = s;
    return SP_OK;
}
