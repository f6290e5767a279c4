/* io/csv.h - channels of a result as comma-separated values. */
#ifndef SP_IO_CSV_H
#define SP_IO_CSV_H

#include "specht/result.h"

#include <stdio.h>

/* Write the header "t[s],name[unit],..." and one line per frame, numbers with 17 digits.
 * names: n channels, none: all of them.  The time comes first, whether asked for or not. */
sp_status sp_csv_write(sp_result *result, FILE *file, int n, const char *const *names,
                       sp_error *err);

#endif
