#include "io/result_h5.h"

#include <stdio.h>
#include <string.h>

/* Numbers of contacts, in space only, and with drilling friction only; numbers of the run. */
#define CONTACT(name, its_unit, its_text)                                                          \
    {                                                                                              \
        .path = "/contacts/" name, .row = SP_ROW_SLOT, .unit = its_unit, .channel = name,          \
        .text = its_text                                                                           \
    }
#define IN_SPACE(name, its_unit, its_text, with_drilling)                                          \
    {                                                                                              \
        .path = "/contacts/" name, .row = SP_ROW_SLOT, .unit = its_unit, .channel = name,          \
        .text = its_text, .optional = true, .space = true, .drills = with_drilling                 \
    }
#define SCALAR(folder, name, its_unit, its_text)                                                   \
    {                                                                                              \
        .path = "/" folder "/" name, .row = SP_ROW_SCALAR, .unit = its_unit,                       \
        .channel = folder "." name, .text = its_text                                               \
    }
#define ENERGY(name, its_text) SCALAR("energy", name, "J", its_text)
#define DEFECT(name)           SCALAR("certificate", name, "1", "worst since the frame before")

const sp_data_layout sp_result_layout[SP_DATA_FIXED] = {
    [SP_DATA_TIME] = {"/time", SP_ROW_SCALAR, "s", "t", .text = "time of every frame"},
    [SP_DATA_Q] = {"/q", SP_ROW_Q, NULL, "", .text = "coordinates; names in /names/q"},
    [SP_DATA_U] = {"/u", SP_ROW_U, NULL, "", .text = "velocities; names in /names/u"},
    [SP_DATA_POSE] = {"/bodies/pose", SP_ROW_BODY, "m, m, rad", "x y phi",
                      .text = "place and angle of the body's frame; names in 'columns'"},
    [SP_DATA_VELOCITY] = {"/bodies/velocity", SP_ROW_BODY, "m/s, m/s, rad/s", "vx vy omega",
                          .text = "velocity of the body's frame; names in 'columns'"},
    [SP_DATA_G_N] = CONTACT("g_N", "m", "gap, open > 0"),
    [SP_DATA_GAMMA_N] = CONTACT("gamma_N", "m/s", "normal relative velocity"),
    [SP_DATA_GAMMA_T] = CONTACT("gamma_T", "m/s", "tangential relative velocity"),
    [SP_DATA_LAMBDA_N] =
        CONTACT("lambda_N", "N", "normal force of a lasting contact, mean over the step"),
    [SP_DATA_LAMBDA_T] =
        CONTACT("lambda_T", "N", "friction force of a lasting contact, mean over the step"),
    [SP_DATA_P_N] = CONTACT("P_N", "N*s", "normal percussion over the step"),
    [SP_DATA_P_T] = CONTACT("P_T", "N*s", "tangential percussion over the step"),
    [SP_DATA_STATE] = {"/contacts/state", SP_ROW_SLOT, "1", "state", SP_BYTE,
                       .text = "state of the contact: 0 open, 1 slip, 2 stick"},
    [SP_DATA_GAMMA_T1] =
        IN_SPACE("gamma_T1", "m/s", "tangential relative velocity along t1", false),
    [SP_DATA_GAMMA_T2] =
        IN_SPACE("gamma_T2", "m/s", "tangential relative velocity along t2", false),
    [SP_DATA_LAMBDA_T1] =
        IN_SPACE("lambda_T1", "N",
                 "friction force of a lasting contact along t1, mean over the step", false),
    [SP_DATA_LAMBDA_T2] =
        IN_SPACE("lambda_T2", "N",
                 "friction force of a lasting contact along t2, mean over the step", false),
    [SP_DATA_GAMMA_D] = IN_SPACE(
        "gamma_D", "rad/s", "spin of the first side against the second about the normal", true),
    [SP_DATA_LAMBDA_D] = IN_SPACE("lambda_D", "N*m",
                                  "drilling torque of a lasting contact, mean over the step", true),
    [SP_DATA_POINT] = {"/contacts/point", SP_ROW_PLACE, "m", "x y", SP_FLOAT, true,
                       .text = "place of the contact, on the contact's first side"},
    [SP_DATA_FORCE] = {"/contacts/force", SP_ROW_PLACE, "N", "x y", SP_FLOAT, true,
                       .text = "force on the first side of a lasting contact, mean over the step"},
    [SP_DATA_LINES] = {"/elements/energy", SP_ROW_LINE, "J, J, J", "stored dampers applied",
                       SP_DOUBLE, true,
                       .text =
                           "energy stored in each element, work of its dampers and applied forces "
                           "since the start; names in /elements/name"},
    [SP_DATA_KINETIC] = ENERGY("kinetic", "kinetic energy"),
    [SP_DATA_POTENTIAL] = ENERGY("potential", "potential energy"),
    [SP_DATA_DAMPERS] = ENERGY("dampers", "work of dampers since the start"),
    [SP_DATA_APPLIED] = ENERGY("applied", "work of applied forces since the start"),
    [SP_DATA_FRICTION] = ENERGY("friction", "work of friction since the start"),
    [SP_DATA_IMPACTS] = ENERGY("impacts", "work of impacts since the start"),
    [SP_DATA_DRIVEN] = {"/energy/driven", SP_ROW_SCALAR, "J", "energy.driven", SP_DOUBLE, true,
                        .text = "work of prescribed motion and bilateral rows since the start"},
    [SP_DATA_PROJECTION] =
        ENERGY("projection", "change by moving bodies out of penetration, since the start"),
    [SP_DATA_DISCRETISATION] =
        ENERGY("discretisation", "error of the time steps, from its own formula"),
    [SP_DATA_BALANCE] = ENERGY("balance", "what the ledger leaves open"),
    [SP_DATA_COMPLEMENTARITY] = DEFECT("complementarity"),
    [SP_DATA_CONE] = DEFECT("cone"),
    [SP_DATA_DISSIPATION] = DEFECT("dissipation"),
    [SP_DATA_MOMENTUM] = DEFECT("momentum"),
    [SP_DATA_GAP] = DEFECT("gap"),
    [SP_DATA_N_ACTIVE] =
        SCALAR("solver", "n_active", "1", "contacts in the problem, most since the frame before"),
    [SP_DATA_PIVOTS] =
        SCALAR("solver", "pivots", "1", "pivots of the solver, most since the frame before"),
    [SP_DATA_STEP] = SCALAR("solver", "step", "1", "number of the step that ends in this frame"),
};

void sp_contact_values(const sp_contact_record *c, double value[SP_CONTACT_VALUES])
{
    memcpy(value,
           (double[SP_CONTACT_VALUES]){c->g_N, c->gamma_N, c->gamma_T, c->lambda_N, c->lambda_T,
                                       c->P_N, c->P_T, c->state, c->gamma_t[0], c->gamma_t[1],
                                       c->lambda_t[0], c->lambda_t[1], c->gamma_t[2],
                                       c->lambda_t[2]},
           SP_CONTACT_VALUES * sizeof *value);
}

void sp_scalar_values(const sp_step_record *r, double value[SP_SCALAR_VALUES])
{
    const sp_ledger *l = r->ledger;
    const sp_certificate *c = &r->lately->worst;
    memcpy(value,
           (double[SP_SCALAR_VALUES]){l->kinetic, l->potential, l->dampers, l->applied, l->friction,
                                      l->impacts, l->driven, l->projection, l->discretisation,
                                      l->balance, c->complementarity, c->cone, c->dissipation,
                                      c->momentum, c->gap, r->lately->n_active, r->lately->pivots,
                                      (double)r->step},
           SP_SCALAR_VALUES * sizeof *value);
}

size_t sp_row_items(sp_row_kind row, const sp_row_sizes *sizes)
{
    switch (row) {
    case SP_ROW_SCALAR:
        return 1;
    case SP_ROW_Q:
        return sizes->n_q;
    case SP_ROW_U:
        return sizes->n_u;
    case SP_ROW_BODY:
        return sizes->n_body;
    case SP_ROW_SLOT:
    case SP_ROW_PLACE:
        return sizes->n_slot;
    case SP_ROW_LINE:
        return sizes->n_line;
    }
    return 0;
}

/* Columns that are others in space. */
typedef struct space_columns {
    int set;
    const char *names, *unit;
} space_columns;

/* Those of a dataset in so many dimensions, NULL: as in the layout. */
static const space_columns *columns_in_space(const sp_data_layout *layout, int dim)
{
    static const space_columns in_space[] = {
        {SP_DATA_POSE, "x y z qw qx qy qz", "m, m, m, 1, 1, 1, 1"},
        {SP_DATA_VELOCITY, "vx vy vz omega_x omega_y omega_z",
         "m/s, m/s, m/s, rad/s, rad/s, rad/s"},
        {SP_DATA_POINT, "x y z", "m"},
        {SP_DATA_FORCE, "x y z", "N"},
    };
    for (size_t k = 0; dim == 3 && k < sizeof in_space / sizeof *in_space; k++) {
        if (layout == &sp_result_layout[in_space[k].set]) {
            return &in_space[k];
        }
    }
    return NULL;
}

const char *sp_layout_names(const sp_data_layout *layout, int dim)
{
    const space_columns *other = columns_in_space(layout, dim);
    return other ? other->names : layout->channel;
}

const char *sp_layout_unit(const sp_data_layout *layout, int dim)
{
    const space_columns *other = columns_in_space(layout, dim);
    return other ? other->unit : layout->unit;
}

/* Words of a list are parted by blanks, commas or both. */
static const char between[] = ", ";

void sp_layout_word(const char *list, size_t k, char *word, size_t size)
{
    list += strspn(list, between);
    for (; k > 0; k--) {
        list += strcspn(list, between);
        list += strspn(list, between);
    }
    snprintf(word, size, "%.*s", (int)strcspn(list, between), list);
}

size_t sp_layout_columns(const sp_data_layout *layout, int dim)
{
    char word[32];
    size_t n = 0;
    if (!sp_row_has_columns(layout->row)) {
        return 1;
    }
    do {
        sp_layout_word(sp_layout_names(layout, dim), n++, word, sizeof word);
    } while (word[0] != '\0');
    return n - 1;
}

bool sp_layout_is_there(const sp_model *m, const sp_data_layout *l)
{
    bool drills = !l->drills;
    for (int i = 0; i < m->n_law && m->law && !drills; i++) {
        drills = m->law[i].drills;
    }
    return drills && (m->dim == 3 || !l->space);
}

const char *sp_layout_angular(const char *unit)
{
    static const char *const pair[][2] = {
        {"m", "rad"}, {"m/s", "rad/s"}, {"N", "N*m"}, {"N*s", "N*m*s"}};
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        if (strcmp(unit, pair[k][0]) == 0) {
            return pair[k][1];
        }
    }
    return unit;
}

size_t sp_number_size(sp_number_kind kind)
{
    return kind == SP_DOUBLE ? 8 : kind == SP_FLOAT ? 4 : 1;
}

hid_t sp_number_memory_type(sp_number_kind kind)
{
    return kind == SP_DOUBLE  ? H5T_NATIVE_DOUBLE
           : kind == SP_FLOAT ? H5T_NATIVE_FLOAT
                              : H5T_NATIVE_UCHAR;
}

hid_t sp_number_file_type(sp_number_kind kind)
{
    return kind == SP_DOUBLE ? H5T_IEEE_F64LE : kind == SP_FLOAT ? H5T_IEEE_F32LE : H5T_STD_U8LE;
}

void sp_output_path(const char *name, char *path, size_t size)
{
    snprintf(path, size, "/outputs/%s", name);
    char *link = path + strlen("/outputs/");
    for (char *c = link; *c; c++) {
        if (*c == '/') {
            *c = '_';
        }
    }
    if (strcmp(link, "") == 0 || strcmp(link, ".") == 0) {
        snprintf(path, size, "/outputs/_");
    }
}

void sp_h5_quiet_begin(sp_h5_quiet *quiet)
{
    quiet->func = NULL;
    quiet->data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &quiet->func, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void sp_h5_quiet_end(const sp_h5_quiet *quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet->func, quiet->data);
}

typedef struct reason {
    char *text;
    size_t size;
    bool found;
} reason;

/* Keep the first description that says something, preferring the words of the operating system. */
static herr_t find_reason(unsigned n, const H5E_error2_t *e, void *data)
{
    reason *r = data;
    (void)n;
    if (r->found || !e->desc) {
        return 0;
    }
    static const char mark[] = "error message = '";
    const char *system = strstr(e->desc, mark);
    if (system) {
        system += sizeof mark - 1;
        snprintf(r->text, r->size, "%.*s", (int)strcspn(system, "'"), system);
    } else {
        snprintf(r->text, r->size, "%s", e->desc);
    }
    r->found = true;
    return 0;
}

void sp_h5_reason(char *text, size_t size)
{
    reason r = {text, size, false};
    snprintf(text, size, "HDF5 gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, &r);
}

/* ---- the table of events -------------------------------------------------------------------- */

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
