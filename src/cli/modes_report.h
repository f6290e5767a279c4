/* cli/modes_report.h - what 'specht modes' tells, for people and for programs. */
#ifndef SP_CLI_MODES_REPORT_H
#define SP_CLI_MODES_REPORT_H

#include "analysis/modes.h"
#include "cli/machine.h"

/* A machine near a state, and what was found there. */
typedef struct sp_modes_finding {
    unsigned char *held;
    sp_closed *closed;
    sp_held_spin *spin;
    sp_hold hold;
    sp_linear *linear;
    sp_modes modes;
    sp_status status; /* of what went wrong                           */
    bool at_rest;     /* at an equilibrium, else at the start         */
    char note[1024];  /* why not, if an equilibrium was looked for    */
} sp_modes_finding;

/* Print where the machine is and a line per mode; all: shapes without end. */
void sp_modes_print(const sp_machine *machine, const sp_modes_finding *f, bool all);

/* Everything as one JSON object. */
void sp_modes_json(const sp_machine *machine, const sp_modes_finding *f);

#endif
