/* io/result_events.c - the table of events. */
#include "io/result_h5.h"

#include <string.h>

typedef enum { NUMBER, PAIR, WHOLE, WORD, FLAG } member_kind;

#define MEMBER(field, name, kind, unit)                                                            \
    {                                                                                              \
        name, HOFFSET(sp_event, field), kind, unit                                                 \
    }

/* The members in the order of the file.  Words (kinds, states) are bytes there. */
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
    MEMBER(slot, "contact", WHOLE, ""),
    MEMBER(impact_id, "impact_id", WHOLE, ""),
    MEMBER(n_found, "n_found", WHOLE, ""),
    MEMBER(body[0], "body_a", WHOLE, ""),
    MEMBER(body[1], "body_b", WHOLE, ""),
    MEMBER(kind, "kind", WORD, ""),
    MEMBER(before, "before", WORD, ""),
    MEMBER(after, "after", WORD, ""),
    MEMBER(impact.remedy, "remedy", WORD, ""),
    MEMBER(at_least, "at_least", FLAG, ""),
};

size_t sp_event_members(void)
{
    return sizeof member / sizeof member[0];
}

const char *sp_event_unit(size_t k)
{
    return member[k].unit;
}

hid_t sp_event_type(bool in_file)
{
    _Static_assert(sizeof(sp_event_kind) == sizeof(int) && sizeof(bool) == 1, "types of members");
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(sp_event));
    const hsize_t two[1] = {2};
    const hid_t pair = H5Tarray_create2(H5T_IEEE_F64LE, 1, two);
    const hid_t of[] = {[NUMBER] = in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE,
                        [PAIR] = pair,
                        [WHOLE] = in_file ? H5T_STD_I32LE : H5T_NATIVE_INT,
                        [WORD] = in_file ? H5T_STD_U8LE : H5T_NATIVE_INT,
                        [FLAG] = H5T_STD_U8LE};
    bool ok = type >= 0 && pair >= 0;
    for (size_t k = 0; ok && k < sp_event_members(); k++) {
        ok = H5Tinsert(type, member[k].name, member[k].offset, of[member[k].kind]) >= 0;
    }
    ok = ok && (!in_file || H5Tpack(type) >= 0);
    H5Tclose(pair);
    if (!ok) {
        H5Tclose(type);
    }
    return ok ? type : -1;
}
