/* io/report_events.h - the events of a run as JSON for a page. */
#ifndef SP_IO_REPORT_EVENTS_H
#define SP_IO_REPORT_EVENTS_H

#include "io/json.h"
#include "io/result_read.h"

/* Write all events of a result as the array "events" of the object that is open.  What does not
 * apply to an event is left out. */
sp_status sp_report_events(sp_result *r, sp_json *j, sp_error *err);

#endif
