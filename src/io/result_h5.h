/* io/result_h5.h - what writer, reader and repair of result files share: the layout of the file as
 * a table, and error texts. */
#ifndef SP_IO_RESULT_H5_H
#define SP_IO_RESULT_H5_H

#include "record/record.h"
#include "specht/base.h"

#include <hdf5.h>
#include <stdbool.h>

enum {
    SP_RESULT_VERSION = 1,
    SP_RESULT_STATUS_BYTES = 1024, /* room of the attribute 'status' */
    SP_RESULT_DOUBTS_BYTES = 2048  /* and of 'doubts'                */
};

/* The dataset that holds the scene, a JSON text (io/scene_json.h). */
#define SP_RESULT_SCENE "/scene/json"

/* ---- layout -------------------------------------------------------------------------------- */

/* What one row of a dataset holds. */
typedef enum sp_row_kind {
    SP_ROW_SCALAR, /* one number                          */
    SP_ROW_Q,      /* n_q, units in /units/q              */
    SP_ROW_U,      /* n_dof, units in /units/u            */
    SP_ROW_BODY,   /* n_body x columns, named by 'columns' */
    SP_ROW_SLOT,   /* n_slot                              */
    SP_ROW_PLACE,  /* n_slot x axes, likewise             */
    SP_ROW_LINE    /* n_line x columns, likewise          */
} sp_row_kind;

/* Whether a row of this kind is a matrix of items and their columns. */
static inline bool sp_row_has_columns(sp_row_kind row)
{
    return row == SP_ROW_BODY || row == SP_ROW_PLACE || row == SP_ROW_LINE;
}

/* How a number is kept. */
typedef enum sp_number_kind {
    SP_DOUBLE,
    SP_FLOAT, /* for pictures      */
    SP_BYTE   /* states 0, 1, 2    */
} sp_number_kind;

/* Bytes of a number, and its type in memory and in the file. */
size_t sp_number_size(sp_number_kind kind);
hid_t sp_number_memory_type(sp_number_kind kind);
hid_t sp_number_file_type(sp_number_kind kind);

/* One dataset that grows with the frames. */
typedef struct sp_data_layout {
    const char *path; /* "/contacts/g_N"                                                */
    sp_row_kind row;
    const char *unit;    /* one unit for all columns, NULL: see row; bodies: "m, m, rad" */
    const char *channel; /* scalar: its channel; slot: "g_N"; with columns: their names  */
    sp_number_kind number;
    bool optional;    /* older files do not have it */
    const char *text; /* one line about it                                            */
    bool space;       /* files of machines in the plane do not have it                */
    bool drills;      /* nor those of machines without drilling friction              */
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
    SP_DATA_GAMMA_T1, /* from here to POINT in space only */
    SP_DATA_GAMMA_T2,
    SP_DATA_LAMBDA_T1,
    SP_DATA_LAMBDA_T2,
    SP_DATA_GAMMA_D, /* with drilling friction */
    SP_DATA_LAMBDA_D,
    SP_DATA_POINT,
    SP_DATA_FORCE,
    SP_DATA_LINES,
    SP_DATA_KINETIC,
    SP_DATA_POTENTIAL,
    SP_DATA_DAMPERS,
    SP_DATA_APPLIED,
    SP_DATA_FRICTION,
    SP_DATA_IMPACTS,
    SP_DATA_DRIVEN,
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

/* The numbers of a contact in the order of the datasets from g_N on, and of the run in that of the
 * datasets from the kinetic energy on. */
enum {
    SP_CONTACT_VALUES = SP_DATA_LAMBDA_D - SP_DATA_G_N + 1,
    SP_SCALAR_VALUES = SP_DATA_FIXED - SP_DATA_KINETIC
};
void sp_contact_values(const sp_contact_record *c, double value[SP_CONTACT_VALUES]);
void sp_scalar_values(const sp_step_record *r, double value[SP_SCALAR_VALUES]);

/* How many there are of what rows hold. */
typedef struct sp_row_sizes {
    size_t n_q, n_u, n_body, n_slot, n_line;
} sp_row_sizes;

/* Items in a row of kind 'row'. */
size_t sp_row_items(sp_row_kind row, const sp_row_sizes *sizes);

/* Names of the columns of each item, "x y phi", and their units, as this program writes them for a
 * machine in dim dimensions; how many names there are, 1 for rows without columns. */
const char *sp_layout_names(const sp_data_layout *layout, int dim);
const char *sp_layout_unit(const sp_data_layout *layout, int dim);
size_t sp_layout_columns(const sp_data_layout *layout, int dim);

/* Word k of a list such as "x y phi" or "m, m, rad"; empty behind the last. */
void sp_layout_word(const char *list, size_t k, char *word, size_t size);

/* Whether a machine has what a dataset holds. */
bool sp_layout_is_there(const sp_model *m, const sp_data_layout *layout);

/* The unit of a quantity of a contact where its gap is an angle: "N*m" for "N". */
const char *sp_layout_angular(const char *unit);

/* Path of the dataset of an output, "/outputs/turns"; signs a path cannot hold become '_'. */
void sp_output_path(const char *name, char *path, size_t size);

/* The type of sp_event in memory, and packed in the file; < 0 if there is no memory. */
hid_t sp_event_type(bool in_file);

/* How many members it has, and the unit of member k. */
size_t sp_event_members(void);
const char *sp_event_unit(size_t k);

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
