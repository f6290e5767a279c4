/* cli/machine.h - a model file, overrides applied, compiled, at its start. */
#ifndef SP_CLI_MACHINE_H
#define SP_CLI_MACHINE_H

#include "base/diag.h"
#include "cli/options.h"
#include "io/json.h"
#include "specht/run.h"

typedef struct sp_machine {
    sp_arena arena;
    sp_diag diag; /* all errors and warnings */
    sp_spec *spec;
    sp_model *model;
    sp_state *state;
    struct sp_view *view; /* frames and gaps of the state */
} sp_machine;

/* Read a model file, apply the assignments "name=value", compile it and find its start state.
 * False: the errors are in the list, all of them as far as they can be seen; free it anyway. */
bool sp_machine_load(sp_machine *machine, const char *path, const sp_texts *set);
void sp_machine_free(sp_machine *machine);

/* Add an error of the library to the list. */
void sp_machine_note(sp_machine *machine, sp_severity severity, const sp_error *err);

/* Whether prescribed motion leaves stops and contacts alone up to this time; else the errors are in
 * the list. */
bool sp_machine_check_motion(sp_machine *machine, double until);

/* Add warnings of a run that would never end, or that has fewer frames than it is asked for. */
void sp_machine_warn_of_run(sp_machine *machine, const sp_run_options *o);

/* Degrees of freedom that loops and prescribed motion leave, or of the tree where that is not
 * known.
 */
int sp_machine_freedom(const sp_machine *machine);

/* Bring the frames of all bodies up to the state. */
void sp_machine_look(sp_machine *machine);

/* Members "t", "q", "u" and "bodies" of an object that is open. */
void sp_machine_json_state(sp_json *j, const sp_machine *machine);

/* Member "elements": the ledger by element. */
void sp_machine_json_elements(sp_json *j, const sp_machine *machine);

/* An object with status "failed", message and errors. */
void sp_machine_json_failed(const sp_machine *machine);

#endif
