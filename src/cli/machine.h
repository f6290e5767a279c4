/* cli/machine.h - a model file, overrides applied, compiled, at its start. */
#ifndef SP_CLI_MACHINE_H
#define SP_CLI_MACHINE_H

#include "base/diag.h"
#include "cli/options.h"
#include "io/json.h"
#include "specht/specht.h"

typedef struct sp_machine {
    sp_arena arena;
    sp_diag diag; /* all errors and warnings */
    const char *path;
    sp_spec *spec;
    sp_model *model;
    sp_state *state;
    sp_view *view; /* places and gaps of the state */
} sp_machine;

/* Read a model file, apply the assignments "name=value", compile it and find its start state.
 * False: the errors are in the list, all of them as far as they can be seen; free it anyway. */
bool sp_machine_load(sp_machine *machine, const char *path, const sp_texts *set);
void sp_machine_free(sp_machine *machine);

/* Add an error of the library to the list, or all that a call says. */
void sp_machine_note(sp_machine *machine, sp_severity severity, const sp_error *err);
sp_listener sp_machine_listener(sp_machine *machine);

/* Its name, or else its file. */
const char *sp_machine_title(const sp_machine *machine);

/* What can be said before a run, into the list; o may be NULL.  False: there are errors. */
bool sp_machine_preview(sp_machine *machine, const sp_run_options *o);

/* Degrees of freedom that loops and prescribed motion leave, or of the tree where that is not
 * known. */
int sp_machine_freedom(const sp_machine *machine);

/* Bring places and gaps up to the state; false: no memory, and noted. */
bool sp_machine_look(sp_machine *machine);

/* An object on stdout about a machine: open, with status "ok", name and file; close, with
 * all messages as "warnings". */
void sp_machine_json_begin(sp_json *j, const sp_machine *machine);
void sp_machine_json_end(sp_json *j, const sp_machine *machine);

/* A member with "t", "q", "u" and "bodies"; member "elements": the ledger by element. */
void sp_machine_json_state(sp_json *j, const char *key, const sp_machine *machine);
void sp_machine_json_elements(sp_json *j, const sp_machine *machine, sp_work *work);

/* An object with status "failed", message and errors. */
void sp_machine_json_failed(const sp_machine *machine);

/* What 'specht verify' prints: verify_report.c, verify_json.c. */
void sp_verify_print_text(const sp_machine *machine, const sp_verify_report *report);
void sp_verify_print_json(const sp_model *m, const sp_verify_report *report);

#endif
