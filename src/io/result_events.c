/* io/result_events.c - rows of the table of events. */
#include "io/result_h5.h"

#include <string.h>

typedef enum { NUMBER, PAIR, WHOLE, BYTE } member_kind;

#define MEMBER(field, name, kind, unit)                                                            \
    {                                                                                              \
        name, HOFFSET(sp_event_row, field), kind, unit                                             \
    }

/* The members in the order in which they stand in a row, which is that of the file, too. */
static const struct {
    const char *name;
    size_t offset;
    member_kind kind;
    const char *unit;
} member[] = {
    MEMBER(t, "t", NUMBER, "s"),
    MEMBER(Lambda_N, "Lambda_N", NUMBER, "N*s"),
    MEMBER(Lambda_T, "Lambda_T", PAIR, "N*s"),
    MEMBER(gamma_N_before, "gamma_N_before", NUMBER, "m/s"),
    MEMBER(gamma_N_after, "gamma_N_after", NUMBER, "m/s"),
    MEMBER(gamma_T_before, "gamma_T_before", NUMBER, "m/s"),
    MEMBER(gamma_T_after, "gamma_T_after", NUMBER, "m/s"),
    MEMBER(energy_lost, "energy_lost", NUMBER, "J"),
    MEMBER(friction_work, "friction_work", NUMBER, "J"),
    MEMBER(lasts, "lasts", NUMBER, "s"),
    MEMBER(bound, "bound", NUMBER, "m"),
    MEMBER(rate, "rate", NUMBER, "1/s"),
    MEMBER(impact.Lambda_N_C, "Lambda_N_compression", NUMBER, "N*s"),
    MEMBER(impact.Lambda_T_C, "Lambda_T_compression", PAIR, "N*s"),
    MEMBER(impact.gamma_N_C, "gamma_N_compression", NUMBER, "m/s"),
    MEMBER(impact.gamma_T_C, "gamma_T_compression", NUMBER, "m/s"),
    MEMBER(impact.lost_normal, "lost_normal", NUMBER, "J"),
    MEMBER(impact.lost_friction, "lost_friction", NUMBER, "J"),
    MEMBER(impact.lost_restitution, "lost_restitution", NUMBER, "J"),
    MEMBER(impact.gain, "energy_gain", NUMBER, "J"),
    MEMBER(impact.factor, "factor", NUMBER, ""),
    MEMBER(impact.eps_N, "eps_N", NUMBER, ""),
    MEMBER(impact.eps_T, "eps_T", NUMBER, ""),
    MEMBER(impact.mu, "mu", NUMBER, ""),
    MEMBER(contact, "contact", WHOLE, ""),
    MEMBER(impact_id, "impact_id", WHOLE, ""),
    MEMBER(n_found, "n_found", WHOLE, ""),
    MEMBER(body_a, "body_a", WHOLE, ""),
    MEMBER(body_b, "body_b", WHOLE, ""),
    MEMBER(kind, "kind", BYTE, ""),
    MEMBER(before, "before", BYTE, ""),
    MEMBER(after, "after", BYTE, ""),
    MEMBER(remedy, "remedy", BYTE, ""),
    MEMBER(at_least, "at_least", BYTE, ""),
};

size_t sp_event_members(void)
{
    return sizeof member / sizeof member[0];
}

const char *sp_event_unit(size_t k)
{
    return member[k].unit;
}

hid_t sp_event_row_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(sp_event_row));
    const hsize_t two[1] = {2};
    const hid_t pair = H5Tarray_create2(H5T_IEEE_F64LE, 1, two);
    const hid_t of[] = {
        [NUMBER] = H5T_IEEE_F64LE, [PAIR] = pair, [WHOLE] = H5T_STD_I32LE, [BYTE] = H5T_STD_U8LE};
    bool ok = type >= 0 && pair >= 0;
    for (size_t k = 0; ok && k < sp_event_members(); k++) {
        ok = H5Tinsert(type, member[k].name, member[k].offset, of[member[k].kind]) >= 0;
    }
    H5Tclose(pair);
    if (!ok) {
        H5Tclose(type);
    }
    return ok ? type : -1;
}

sp_event_row sp_event_row_of(const sp_event *e)
{
    sp_event_row row;
    memset(&row, 0, sizeof row);
    row.t = e->t;
    row.kind = (uint8_t)e->kind;
    row.contact = e->slot;
    row.impact_id = e->impact_id;
    row.Lambda_N = e->Lambda_N;
    row.Lambda_T[0] = e->Lambda_T[0];
    row.Lambda_T[1] = e->Lambda_T[1];
    row.gamma_N_before = e->gamma_N_before;
    row.gamma_N_after = e->gamma_N_after;
    row.gamma_T_before = e->gamma_T_before;
    row.gamma_T_after = e->gamma_T_after;
    row.energy_lost = e->energy_lost;
    row.friction_work = e->friction_work;
    row.lasts = e->lasts;
    row.bound = e->bound;
    row.rate = e->rate;
    row.n_found = e->n_found;
    row.body_a = e->body[0];
    row.body_b = e->body[1];
    row.before = (uint8_t)e->before;
    row.after = (uint8_t)e->after;
    row.impact = e->impact;
    row.remedy = (uint8_t)e->impact.remedy;
    row.at_least = e->at_least;
    return row;
}

sp_event sp_event_from(const sp_event_row *row)
{
    sp_event event = {
        .t = row->t,
        .kind = row->kind < SP_EVENT_N ? (sp_event_kind)row->kind : SP_EVENT_N,
        .slot = row->contact,
        .impact_id = row->impact_id,
        .Lambda_N = row->Lambda_N,
        .Lambda_T = {row->Lambda_T[0], row->Lambda_T[1]},
        .gamma_N_before = row->gamma_N_before,
        .gamma_N_after = row->gamma_N_after,
        .gamma_T_before = row->gamma_T_before,
        .gamma_T_after = row->gamma_T_after,
        .energy_lost = row->energy_lost,
        .friction_work = row->friction_work,
        .lasts = row->lasts,
        .bound = row->bound,
        .rate = row->rate,
        .n_found = row->n_found,
        .body = {row->body_a, row->body_b},
        .at_least = row->at_least != 0,
        .before = row->before <= SP_STATE_STICK ? (sp_contact_state)row->before : SP_STATE_OPEN,
        .after = row->after <= SP_STATE_STICK ? (sp_contact_state)row->after : SP_STATE_OPEN,
        .impact = row->impact,
    };
    event.impact.remedy =
        row->remedy < SP_REMEDY_N ? (sp_impact_remedy)row->remedy : SP_REMEDY_NONE;
    return event;
}
