/* io/result_h5.h - what writer, reader and repair of result files share: the layout of the file as
 * a table, and error texts. */
#ifndef SP_IO_RESULT_H5_H
#define SP_IO_RESULT_H5_H

#include "specht/base.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SP_RESULT_VERSION = 1,
    SP_RESULT_STATUS_BYTES = 1024 /* room of the attribute 'status' */
};

/* ---- layout -------------------------------------------------------------------------------- */

/* What one row of a dataset holds. */
typedef enum sp_row_kind {
    SP_ROW_SCALAR, /* one number                          */
    SP_ROW_Q,      /* n_dof, units in /units/q            */
    SP_ROW_U,      /* n_dof, units in /units/u            */
    SP_ROW_BODY,   /* n_body x 3                          */
    SP_ROW_SLOT    /* n_slot                              */
} sp_row_kind;

/* One dataset that grows with the frames. */
typedef struct sp_data_layout {
    const char *path; /* "/contacts/g_N"                                                */
    sp_row_kind row;
    const char *unit;    /* one unit for all columns, NULL: see row; bodies: "m, m, rad"   */
    const char *channel; /* scalar: its channel; slot: "g_N"; body: "x y phi"              */
    bool small;          /* states 0, 1, 2: one byte each                                  */
    const char *text;    /* one line about it                                              */
} sp_data_layout;

enum {
    SP_DATA_TIME,
    SP_DATA_Q,
    SP_DATA_U,
    SP_DATA_POSE,
    SP_DATA_VELOCITY,
    SP_DATA_G_N,
    SP_DATA_GAMMA_N,
    SP_DATA_GAMMA_T,
    SP_DATA_LAMBDA_N,
    SP_DATA_LAMBDA_T,
    SP_DATA_P_N,
    SP_DATA_P_T,
    SP_DATA_STATE,
    SP_DATA_KINETIC,
    SP_DATA_POTENTIAL,
    SP_DATA_DAMPERS,
    SP_DATA_APPLIED,
    SP_DATA_FRICTION,
    SP_DATA_IMPACTS,
    SP_DATA_PROJECTION,
    SP_DATA_DISCRETISATION,
    SP_DATA_BALANCE,
    SP_DATA_COMPLEMENTARITY,
    SP_DATA_CONE,
    SP_DATA_DISSIPATION,
    SP_DATA_MOMENTUM,
    SP_DATA_GAP,
    SP_DATA_N_ACTIVE,
    SP_DATA_PIVOTS,
    SP_DATA_STEP,
    SP_DATA_FIXED /* datasets every file has; those of the outputs follow */
};

extern const sp_data_layout sp_result_layout[SP_DATA_FIXED];

/* Numbers in a row of kind 'row'. */
size_t sp_row_width(sp_row_kind row, size_t n_dof, size_t n_body, size_t n_slot);

/* Path of the dataset of an output, "/outputs/turns"; signs a path cannot hold become '_'. */
void sp_output_path(const char *name, char *path, size_t size);

/* An event as a row of /events. */
typedef struct sp_event_row {
    double t;
    double Lambda_N, Lambda_T[2];
    double gamma_N_before, gamma_N_after, gamma_T_before, gamma_T_after;
    double energy_lost;
    int32_t contact, impact_id;
    uint8_t kind, before, after;
} sp_event_row;

/* The type of sp_event_row in memory (in the file: the same, packed); < 0 if there is no memory. */
hid_t sp_event_row_type(void);

/* ---- errors -------------------------------------------------------------------------------- */

/* HDF5 prints no errors between begin and end. */
typedef struct sp_h5_quiet {
    H5E_auto2_t func;
    void *data;
} sp_h5_quiet;
void sp_h5_quiet_begin(sp_h5_quiet *quiet);
void sp_h5_quiet_end(const sp_h5_quiet *quiet);

/* The innermost reason of the HDF5 call that just failed ("No space left on device"). */
void sp_h5_reason(char *text, size_t size);

#endif
