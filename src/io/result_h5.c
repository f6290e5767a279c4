#include "io/result_h5.h"

#include <stdio.h>
#include <string.h>

const sp_data_layout sp_result_layout[SP_DATA_FIXED] = {
    [SP_DATA_TIME] = {"/time", SP_ROW_SCALAR, "s", "t", false, "time of every frame"},
    [SP_DATA_Q] = {"/q", SP_ROW_Q, NULL, "", false, "coordinates; names in /names/q"},
    [SP_DATA_U] = {"/u", SP_ROW_U, NULL, "", false, "velocities; names in /names/u"},
    [SP_DATA_POSE] = {"/bodies/pose", SP_ROW_BODY, "m, m, rad", "x y phi", false,
                      "place and angle of the body's frame: x, y, phi"},
    [SP_DATA_VELOCITY] = {"/bodies/velocity", SP_ROW_BODY, "m/s, m/s, rad/s", "vx vy omega", false,
                          "velocity of the body's frame: vx, vy, omega"},
    [SP_DATA_G_N] = {"/contacts/g_N", SP_ROW_SLOT, "m", "g_N", false, "gap, open > 0"},
    [SP_DATA_GAMMA_N] = {"/contacts/gamma_N", SP_ROW_SLOT, "m/s", "gamma_N", false,
                         "normal relative velocity"},
    [SP_DATA_GAMMA_T] = {"/contacts/gamma_T", SP_ROW_SLOT, "m/s", "gamma_T", false,
                         "tangential relative velocity"},
    [SP_DATA_LAMBDA_N] = {"/contacts/lambda_N", SP_ROW_SLOT, "N", "lambda_N", false,
                          "normal force of a lasting contact, mean over the step"},
    [SP_DATA_LAMBDA_T] = {"/contacts/lambda_T", SP_ROW_SLOT, "N", "lambda_T", false,
                          "friction force of a lasting contact, mean over the step"},
    [SP_DATA_P_N] = {"/contacts/P_N", SP_ROW_SLOT, "N*s", "P_N", false,
                     "normal percussion over the step"},
    [SP_DATA_P_T] = {"/contacts/P_T", SP_ROW_SLOT, "N*s", "P_T", false,
                     "tangential percussion over the step"},
    [SP_DATA_STATE] = {"/contacts/state", SP_ROW_SLOT, "1", "state", true,
                       "state of the contact: 0 open, 1 slip, 2 stick"},
    [SP_DATA_KINETIC] = {"/energy/kinetic", SP_ROW_SCALAR, "J", "energy.kinetic", false,
                         "kinetic energy"},
    [SP_DATA_POTENTIAL] = {"/energy/potential", SP_ROW_SCALAR, "J", "energy.potential", false,
                           "potential energy"},
    [SP_DATA_DAMPERS] = {"/energy/dampers", SP_ROW_SCALAR, "J", "energy.dampers", false,
                         "work of dampers since the start"},
    [SP_DATA_APPLIED] = {"/energy/applied", SP_ROW_SCALAR, "J", "energy.applied", false,
                         "work of applied forces since the start"},
    [SP_DATA_FRICTION] = {"/energy/friction", SP_ROW_SCALAR, "J", "energy.friction", false,
                          "work of friction since the start"},
    [SP_DATA_IMPACTS] = {"/energy/impacts", SP_ROW_SCALAR, "J", "energy.impacts", false,
                         "work of impacts since the start"},
    [SP_DATA_PROJECTION] = {"/energy/projection", SP_ROW_SCALAR, "J", "energy.projection", false,
                            "change by moving bodies out of penetration, since the start"},
    [SP_DATA_DISCRETISATION] = {"/energy/discretisation", SP_ROW_SCALAR, "J",
                                "energy.discretisation", false,
                                "error of the time steps, from its own formula"},
    [SP_DATA_BALANCE] = {"/energy/balance", SP_ROW_SCALAR, "J", "energy.balance", false,
                         "what the ledger leaves open"},
    [SP_DATA_COMPLEMENTARITY] = {"/certificate/complementarity", SP_ROW_SCALAR, "1",
                                 "certificate.complementarity", false,
                                 "worst since the frame before"},
    [SP_DATA_CONE] = {"/certificate/cone", SP_ROW_SCALAR, "1", "certificate.cone", false,
                      "worst since the frame before"},
    [SP_DATA_DISSIPATION] = {"/certificate/dissipation", SP_ROW_SCALAR, "1",
                             "certificate.dissipation", false, "worst since the frame before"},
    [SP_DATA_MOMENTUM] = {"/certificate/momentum", SP_ROW_SCALAR, "1", "certificate.momentum",
                          false, "worst since the frame before"},
    [SP_DATA_GAP] = {"/certificate/gap", SP_ROW_SCALAR, "1", "certificate.gap", false,
                     "worst since the frame before"},
    [SP_DATA_N_ACTIVE] = {"/solver/n_active", SP_ROW_SCALAR, "1", "solver.n_active", false,
                          "contacts in the problem, most since the frame before"},
    [SP_DATA_PIVOTS] = {"/solver/pivots", SP_ROW_SCALAR, "1", "solver.pivots", false,
                        "pivots of the solver, most since the frame before"},
    [SP_DATA_STEP] = {"/solver/step", SP_ROW_SCALAR, "1", "solver.step", false,
                      "number of the step that ends in this frame"},
};

size_t sp_row_width(sp_row_kind row, size_t n_dof, size_t n_body, size_t n_slot)
{
    switch (row) {
    case SP_ROW_SCALAR:
        return 1;
    case SP_ROW_Q:
    case SP_ROW_U:
        return n_dof;
    case SP_ROW_BODY:
        return 3 * n_body;
    case SP_ROW_SLOT:
        return n_slot;
    }
    return 0;
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

hid_t sp_event_row_type(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(sp_event_row));
    const hsize_t two[1] = {2};
    const hid_t pair = H5Tarray_create2(H5T_IEEE_F64LE, 1, two);
    const struct {
        const char *name;
        size_t offset;
        hid_t type;
    } member[] = {
        {"t", HOFFSET(sp_event_row, t), H5T_IEEE_F64LE},
        {"kind", HOFFSET(sp_event_row, kind), H5T_STD_U8LE},
        {"contact", HOFFSET(sp_event_row, contact), H5T_STD_I32LE},
        {"impact_id", HOFFSET(sp_event_row, impact_id), H5T_STD_I32LE},
        {"Lambda_N", HOFFSET(sp_event_row, Lambda_N), H5T_IEEE_F64LE},
        {"Lambda_T", HOFFSET(sp_event_row, Lambda_T), pair},
        {"gamma_N_before", HOFFSET(sp_event_row, gamma_N_before), H5T_IEEE_F64LE},
        {"gamma_N_after", HOFFSET(sp_event_row, gamma_N_after), H5T_IEEE_F64LE},
        {"gamma_T_before", HOFFSET(sp_event_row, gamma_T_before), H5T_IEEE_F64LE},
        {"gamma_T_after", HOFFSET(sp_event_row, gamma_T_after), H5T_IEEE_F64LE},
        {"energy_lost", HOFFSET(sp_event_row, energy_lost), H5T_IEEE_F64LE},
        {"before", HOFFSET(sp_event_row, before), H5T_STD_U8LE},
        {"after", HOFFSET(sp_event_row, after), H5T_STD_U8LE},
    };
    bool ok = type >= 0 && pair >= 0;
    for (size_t k = 0; ok && k < sizeof member / sizeof member[0]; k++) {
        ok = H5Tinsert(type, member[k].name, member[k].offset, member[k].type) >= 0;
    }
    H5Tclose(pair);
    if (!ok) {
        H5Tclose(type);
    }
    return ok ? type : -1;
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
