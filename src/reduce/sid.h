/* reduce/sid.h - parts that other programs have reduced: Wallrapp's standard input data.
 * theory section 93 */
#ifndef SP_REDUCE_SID_H
#define SP_REDUCE_SID_H

#include "base/arena.h"
#include "base/status.h"
#include "model/part.h"

enum { SP_SID_NOTES = 12 };

/* What a reader should know of the part, for people. */
typedef struct sp_sid_report {
    int n_note;
    char note[SP_SID_NOTES][240];
} sp_sid_report;

/* Read a file of SID text into a part whose nodes are interfaces; it lives in the arena. SP_E_INPUT
 * with file and line. */
sp_status sp_sid_read(const char *path, sp_arena *arena, sp_part *part, sp_sid_report *report,
                      sp_error *err);

#endif
