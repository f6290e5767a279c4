#include "io/result_h5.h"

#include <stdio.h>
#include <string.h>

const sp_data_layout sp_result_layout[SP_DATA_FIXED] = {
    [SP_DATA_TIME] = {"/time", SP_ROW_SCALAR, "s", "t", SP_DOUBLE, false, "time of every frame",
                      false, false},
    [SP_DATA_Q] = {"/q", SP_ROW_Q, NULL, "", SP_DOUBLE, false, "coordinates; names in /names/q",
                   false, false},
    [SP_DATA_U] = {"/u", SP_ROW_U, NULL, "", SP_DOUBLE, false, "velocities; names in /names/u",
                   false, false},
    [SP_DATA_POSE] = {"/bodies/pose", SP_ROW_BODY, "m, m, rad", "x y phi", SP_DOUBLE, false,
                      "place and angle of the body's frame; names in 'columns'", false, false},
    [SP_DATA_VELOCITY] = {"/bodies/velocity", SP_ROW_BODY, "m/s, m/s, rad/s", "vx vy omega",
                          SP_DOUBLE, false, "velocity of the body's frame; names in 'columns'",
                          false, false},
    [SP_DATA_G_N] = {"/contacts/g_N", SP_ROW_SLOT, "m", "g_N", SP_DOUBLE, false, "gap, open > 0",
                     false, false},
    [SP_DATA_GAMMA_N] = {"/contacts/gamma_N", SP_ROW_SLOT, "m/s", "gamma_N", SP_DOUBLE, false,
                         "normal relative velocity", false, false},
    [SP_DATA_GAMMA_T] = {"/contacts/gamma_T", SP_ROW_SLOT, "m/s", "gamma_T", SP_DOUBLE, false,
                         "tangential relative velocity", false, false},
    [SP_DATA_LAMBDA_N] = {"/contacts/lambda_N", SP_ROW_SLOT, "N", "lambda_N", SP_DOUBLE, false,
                          "normal force of a lasting contact, mean over the step", false, false},
    [SP_DATA_LAMBDA_T] = {"/contacts/lambda_T", SP_ROW_SLOT, "N", "lambda_T", SP_DOUBLE, false,
                          "friction force of a lasting contact, mean over the step", false, false},
    [SP_DATA_P_N] = {"/contacts/P_N", SP_ROW_SLOT, "N*s", "P_N", SP_DOUBLE, false,
                     "normal percussion over the step", false, false},
    [SP_DATA_P_T] = {"/contacts/P_T", SP_ROW_SLOT, "N*s", "P_T", SP_DOUBLE, false,
                     "tangential percussion over the step", false, false},
    [SP_DATA_STATE] = {"/contacts/state", SP_ROW_SLOT, "1", "state", SP_BYTE, false,
                       "state of the contact: 0 open, 1 slip, 2 stick", false, false},
    [SP_DATA_GAMMA_T1] = {"/contacts/gamma_T1", SP_ROW_SLOT, "m/s", "gamma_T1", SP_DOUBLE, true,
                          "tangential relative velocity along t1", true, false},
    [SP_DATA_GAMMA_T2] = {"/contacts/gamma_T2", SP_ROW_SLOT, "m/s", "gamma_T2", SP_DOUBLE, true,
                          "tangential relative velocity along t2", true, false},
    [SP_DATA_LAMBDA_T1] = {"/contacts/lambda_T1", SP_ROW_SLOT, "N", "lambda_T1", SP_DOUBLE, true,
                           "friction force of a lasting contact along t1, mean over the step", true,
                           false},
    [SP_DATA_LAMBDA_T2] = {"/contacts/lambda_T2", SP_ROW_SLOT, "N", "lambda_T2", SP_DOUBLE, true,
                           "friction force of a lasting contact along t2, mean over the step", true,
                           false},
    [SP_DATA_GAMMA_D] = {"/contacts/gamma_D", SP_ROW_SLOT, "rad/s", "gamma_D", SP_DOUBLE, true,
                         "spin of the first side against the second about the normal", true, true},
    [SP_DATA_LAMBDA_D] = {"/contacts/lambda_D", SP_ROW_SLOT, "N*m", "lambda_D", SP_DOUBLE, true,
                          "drilling torque of a lasting contact, mean over the step", true, true},
    [SP_DATA_POINT] = {"/contacts/point", SP_ROW_PLACE, "m", "x y", SP_FLOAT, true,
                       "place of the contact, on the contact's first side", false, false},
    [SP_DATA_FORCE] = {"/contacts/force", SP_ROW_PLACE, "N", "x y", SP_FLOAT, true,
                       "force on the first side of a lasting contact, mean over the step", false,
                       false},
    [SP_DATA_LINES] = {"/elements/energy", SP_ROW_LINE, "J, J, J", "stored dampers applied",
                       SP_DOUBLE, true,
                       "energy stored in each element, work of its dampers and applied forces "
                       "since the start; names in /elements/name",
                       false, false},
    [SP_DATA_KINETIC] = {"/energy/kinetic", SP_ROW_SCALAR, "J", "energy.kinetic", SP_DOUBLE, false,
                         "kinetic energy", false, false},
    [SP_DATA_POTENTIAL] = {"/energy/potential", SP_ROW_SCALAR, "J", "energy.potential", SP_DOUBLE,
                           false, "potential energy", false, false},
    [SP_DATA_DAMPERS] = {"/energy/dampers", SP_ROW_SCALAR, "J", "energy.dampers", SP_DOUBLE, false,
                         "work of dampers since the start", false, false},
    [SP_DATA_APPLIED] = {"/energy/applied", SP_ROW_SCALAR, "J", "energy.applied", SP_DOUBLE, false,
                         "work of applied forces since the start", false, false},
    [SP_DATA_FRICTION] = {"/energy/friction", SP_ROW_SCALAR, "J", "energy.friction", SP_DOUBLE,
                          false, "work of friction since the start", false, false},
    [SP_DATA_IMPACTS] = {"/energy/impacts", SP_ROW_SCALAR, "J", "energy.impacts", SP_DOUBLE, false,
                         "work of impacts since the start", false, false},
    [SP_DATA_DRIVEN] = {"/energy/driven", SP_ROW_SCALAR, "J", "energy.driven", SP_DOUBLE, true,
                        "work of prescribed motion and bilateral rows since the start", false,
                        false},
    [SP_DATA_PROJECTION] = {"/energy/projection", SP_ROW_SCALAR, "J", "energy.projection",
                            SP_DOUBLE, false,
                            "change by moving bodies out of penetration, since the start", false,
                            false},
    [SP_DATA_DISCRETISATION] = {"/energy/discretisation", SP_ROW_SCALAR, "J",
                                "energy.discretisation", SP_DOUBLE, false,
                                "error of the time steps, from its own formula", false, false},
    [SP_DATA_BALANCE] = {"/energy/balance", SP_ROW_SCALAR, "J", "energy.balance", SP_DOUBLE, false,
                         "what the ledger leaves open", false, false},
    [SP_DATA_COMPLEMENTARITY] = {"/certificate/complementarity", SP_ROW_SCALAR, "1",
                                 "certificate.complementarity", SP_DOUBLE, false,
                                 "worst since the frame before", false, false},
    [SP_DATA_CONE] = {"/certificate/cone", SP_ROW_SCALAR, "1", "certificate.cone", SP_DOUBLE, false,
                      "worst since the frame before", false, false},
    [SP_DATA_DISSIPATION] = {"/certificate/dissipation", SP_ROW_SCALAR, "1",
                             "certificate.dissipation", SP_DOUBLE, false,
                             "worst since the frame before", false, false},
    [SP_DATA_MOMENTUM] = {"/certificate/momentum", SP_ROW_SCALAR, "1", "certificate.momentum",
                          SP_DOUBLE, false, "worst since the frame before", false, false},
    [SP_DATA_GAP] = {"/certificate/gap", SP_ROW_SCALAR, "1", "certificate.gap", SP_DOUBLE, false,
                     "worst since the frame before", false, false},
    [SP_DATA_N_ACTIVE] = {"/solver/n_active", SP_ROW_SCALAR, "1", "solver.n_active", SP_DOUBLE,
                          false, "contacts in the problem, most since the frame before", false,
                          false},
    [SP_DATA_PIVOTS] = {"/solver/pivots", SP_ROW_SCALAR, "1", "solver.pivots", SP_DOUBLE, false,
                        "pivots of the solver, most since the frame before", false, false},
    [SP_DATA_STEP] = {"/solver/step", SP_ROW_SCALAR, "1", "solver.step", SP_DOUBLE, false,
                      "number of the step that ends in this frame", false, false},
};

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
