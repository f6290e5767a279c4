#include "model/state.h"
#include "base/hash.h"
#include "model/source_lines.h"

#include <string.h>

void sp_state_free(sp_state *state)
{
    if (state) {
        sp_arena arena = state->arena; /* the struct lies in it */
        sp_arena_free(&arena);
    }
}

/* Auxiliary states at the start. */
static void begin_states(const sp_model *m, double *z)
{
    for (int k = 0; k < m->n_aux; k++) {
        z[k] = k < m->n_state ? m->state[k].start : 0.0;
    }
}

bool sp_state_room(const sp_model *m, sp_arena *arena, sp_state *x)
{
    x->q = SP_NEW(arena, double, m->n_q);
    x->z = SP_NEW(arena, double, m->n_aux);
    x->book = SP_NEW(arena, double, m->n_book);
    x->u = SP_NEW(arena, double, m->n_dof);
    x->g = SP_NEW(arena, double, m->n_slot);
    x->contact = SP_NEW(arena, sp_contact_memory, m->n_slot + m->n_bond);
    x->numbers = &m->numbers;
    const bool ok = x->q && x->u && x->z && x->book && x->g && x->contact;
    if (ok) {
        begin_states(m, x->z);
    }
    return ok;
}

double sp_state_time(const sp_state *state)
{
    return state->t;
}

const double *sp_state_q(const sp_state *state)
{
    return state->q;
}

const double *sp_state_u(const sp_state *state)
{
    return state->u;
}

void sp_state_set(const sp_model *m, sp_state *x, double t, const double *q, const double *u)
{
    memcpy(x->q, q, (size_t)m->n_q * sizeof(double));
    memcpy(x->u, u, (size_t)m->n_dof * sizeof(double));
    memset(x->contact, 0, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact);
    begin_states(m, x->z);
    memset(x->book, 0, (size_t)m->n_book * sizeof *x->book);
    x->t = t;
    x->step = 0;
    x->n_touched = x->n_impact = 0;
    x->control = (sp_control){.dt = 0.0};
    x->opening = (sp_opening){.energy = 0.0};
    x->fresh = false;
}

sp_status sp_state_contact(const sp_model *m, const sp_state *x, int i, sp_contact_info *info)
{
    if (i < 0 || i >= m->n_slot) {
        return SP_E_INPUT;
    }
    const sp_contact_memory *c = &x->contact[i];
    *info = (sp_contact_info){
        .g_N = x->g[i], .P_N = c->P_N, .P_T = c->P_T, .state = (sp_contact_state)c->state};
    return SP_OK;
}

/* ---- a whole state as bytes, and back to the bit -------------------------------------------- */

/* Counts changes of what a packed state means: 1, sp_control has cut; 2, and
 * neither t_change nor pause; 3, and stiff. */
enum { SNAPSHOT_FORMAT = 3 };

/* What is not an array. */
typedef struct head {
    uint64_t fingerprint;
    double t;
    long step;
    int n_touched, n_impact, fresh;
    int format; /* SNAPSHOT_FORMAT; 0 in the first one */
    sp_ledger ledger;
    sp_control control;
    double opening_energy;
    int opening_slot,
        opening_unreported; /* apart: a struct has gaps, which are no part of a state */
} head;

/* The text of a file: comments and section 'run' may change. */
static uint64_t mix_lines(uint64_t hash, const char *text)
{
    sp_source_walk walk = {.at = text};
    sp_source_line line;
    while (sp_source_next(&walk, &line)) {
        hash = sp_hash(sp_hash(hash, line.at, (size_t)line.n), "\n", 1);
    }
    return hash;
}

uint64_t sp_spec_fingerprint(const sp_spec *spec)
{
    uint64_t hash = SP_HASH_BEGIN;
    const sp_source *main_file = spec->first_source;
    for (const sp_source *s = main_file ? main_file->next : NULL; s; s = s->next) {
        hash = sp_hash(mix_lines(hash, s->text), "", 1);
    }
    for (const sp_spec_mesh *m = spec->first_mesh; m; m = m->next) {
        hash = sp_hash(hash, m->vertex, (size_t)m->n_vertex * sizeof *m->vertex);
        hash = sp_hash(hash, m->tri, (size_t)m->n_tri * sizeof *m->tri);
    }
    return hash;
}

/* What the machine was read from. */
static uint64_t mix_text(uint64_t hash, const sp_model *m)
{
    hash = sp_hash(mix_lines(hash, m->source_text), &m->source_others, sizeof m->source_others);
    hash = sp_hash(hash, &m->run.implicit, sizeof m->run.implicit);
    return sp_hash(hash, &m->run.theta, sizeof m->run.theta);
}

/* The numbers of the machine, as far as they lie in arrays; its text has those in expressions. */
static uint64_t mix_numbers(uint64_t hash, const sp_model *m)
{
    const sp_numbers *n = &m->numbers;
    const size_t n_body = (size_t)m->n_body, n_law = (size_t)m->n_law;
    const struct {
        const void *data;
        size_t bytes;
    } part[] = {{n->space, n->space ? n_body * sizeof *n->space : 0},
                {n->dof, (size_t)m->n_dof * sizeof *n->dof},
                {n->vertex, (size_t)m->n_vertex * sizeof *n->vertex},
                {n->law, n_law * sizeof *n->law},
                {n->gravity, sizeof n->gravity}};
    for (size_t i = 0; i < n_body; i++) { /* marks without where their shapes are in memory */
        sp_body_numbers body;
        memcpy(&body, &n->body[i], sizeof body);
        body.mark.shape = NULL;
        hash = sp_hash(hash, &body, sizeof body);
    }
    for (int i = 0; i < m->n_force; i++) {
        sp_force_numbers force;
        memcpy(&force, &n->force[i], sizeof force);
        force.mark[0].shape = force.mark[1].shape = NULL;
        hash = sp_hash(hash, &force, sizeof force);
    }
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        hash = part[k].data ? sp_hash(hash, part[k].data, part[k].bytes) : hash;
    }
    return hash;
}

uint64_t sp_model_fingerprint(const sp_model *m)
{
    const int size[] = {m->dim,    m->n_q,    m->n_dof,     m->n_aux,    m->n_slot,
                        m->n_bond, m->n_body, m->n_contour, m->n_vertex, m->n_pool};
    uint64_t hash = sp_hash(SP_HASH_BEGIN, size, sizeof size);
    for (int k = 0; k < m->n_dof; k++) {
        hash = sp_hash(hash, m->dof[k].rate_name, strlen(m->dof[k].rate_name));
    }
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        hash = m->slot[i].name ? sp_hash(hash, m->slot[i].name, strlen(m->slot[i].name)) : hash;
    }
    return mix_text(mix_numbers(hash, m), m);
}

/* An array of the state: where it is and how long. */
typedef struct part {
    void *data;
    size_t bytes;
} part;
enum { PARTS = 6 };

static void parts_of(const sp_model *m, const sp_state *x, part p[PARTS])
{
    p[0] = (part){x->q, (size_t)m->n_q * sizeof(double)};
    p[1] = (part){x->u, (size_t)m->n_dof * sizeof(double)};
    p[2] = (part){x->z, (size_t)m->n_aux * sizeof(double)};
    p[3] = (part){x->g, (size_t)m->n_slot * sizeof(double)};
    p[4] = (part){x->contact, (size_t)(m->n_slot + m->n_bond) * sizeof *x->contact};
    p[5] = (part){x->book, (size_t)m->n_book * sizeof(double)};
}

size_t sp_state_bytes(const sp_model *m)
{
    const sp_state none = {.t = 0.0};
    part p[PARTS];
    size_t n = sizeof(head);
    parts_of(m, &none, p);
    for (int i = 0; i < PARTS; i++) {
        n += p[i].bytes;
    }
    return n;
}

void sp_state_pack(const sp_model *m, const sp_state *x, unsigned char *bytes)
{
    part p[PARTS];
    head h;
    memset(&h, 0, sizeof h); /* the gaps too */
    h.fingerprint = sp_model_fingerprint(m);
    h.t = x->t;
    h.step = x->step;
    h.n_touched = x->n_touched;
    h.n_impact = x->n_impact;
    h.fresh = x->fresh;
    h.format = SNAPSHOT_FORMAT;
    h.ledger = x->ledger;
    h.control = x->control;
    h.opening_energy = x->opening.energy;
    h.opening_slot = x->opening.slot;
    h.opening_unreported = x->opening.unreported;
    memcpy(bytes, &h, sizeof h);
    bytes += sizeof h;
    parts_of(m, x, p);
    for (int i = 0; i < PARTS; i++) {
        if (p[i].bytes > 0) {
            memcpy(bytes, p[i].data, p[i].bytes);
        }
        bytes += p[i].bytes;
    }
}

sp_status sp_state_unpack(const sp_model *m, const unsigned char *bytes, size_t n, sp_state *x,
                          sp_error *err)
{
    part p[PARTS];
    head h;
    if (n != sp_state_bytes(m)) {
        return SP_FAIL(err, SP_E_INPUT, "a state of %zu bytes, expected %zu: of another model", n,
                       sp_state_bytes(m));
    }
    memcpy(&h, bytes, sizeof h);
    if (h.fingerprint != sp_model_fingerprint(m)) {
        return SP_FAIL(err, SP_E_INPUT, "the state is that of another model");
    }
    if (h.format != SNAPSHOT_FORMAT) {
        return SP_FAIL(err, SP_E_INPUT,
                       "the state was kept by another version of specht (format %d, expected %d); "
                       "run again from the start",
                       h.format, SNAPSHOT_FORMAT);
    }
    x->t = h.t;
    x->step = h.step;
    x->n_touched = h.n_touched;
    x->n_impact = h.n_impact;
    x->fresh = h.fresh != 0;
    x->ledger = h.ledger;
    x->control = h.control;
    x->opening = (sp_opening){h.opening_energy, h.opening_slot, h.opening_unreported != 0};
    bytes += sizeof h;
    parts_of(m, x, p);
    for (int i = 0; i < PARTS; i++) {
        if (p[i].bytes > 0) {
            memcpy(p[i].data, bytes, p[i].bytes);
        }
        bytes += p[i].bytes;
    }
    return SP_OK;
}

void sp_state_copy(const sp_model *m, const sp_state *from, sp_state *to)
{
    part a[PARTS], b[PARTS];
    parts_of(m, from, a);
    parts_of(m, to, b);
    for (int i = 0; i < PARTS; i++) {
        if (a[i].bytes > 0) {
            memmove(b[i].data, a[i].data, a[i].bytes);
        }
    }
    to->t = from->t;
    to->step = from->step;
    to->n_touched = from->n_touched;
    to->n_impact = from->n_impact;
    to->fresh = from->fresh;
    to->ledger = from->ledger;
    to->control = from->control;
    to->opening = from->opening;
}
