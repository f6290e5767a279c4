/* studies/table.h - the result file of a study. */
#ifndef SP_STUDIES_TABLE_H
#define SP_STUDIES_TABLE_H

#include "studies/journal.h"

/* Write what the journals have, the points of each being where the last of them has it.  An older
 * file of that name is replaced only by a whole one. */
sp_status sp_table_write(sp_study *s, int n_journal, sp_journal *journal, const char *path,
                         sp_error *err);

/* Whether a file is the result of this very study. */
bool sp_table_is_of(const sp_study *s, const char *path);

#endif
