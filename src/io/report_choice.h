/* io/report_choice.h - what of a run goes on a page, so that the page stays small. */
#ifndef SP_IO_REPORT_CHOICE_H
#define SP_IO_REPORT_CHOICE_H

#include "io/report.h"
#include "io/report_frames.h"

typedef struct sp_choice {
    sp_frames frames;
    size_t n_channel, n_contact;
    int *channel;    /* n_channel, rising: those of one dataset together */
    size_t *contact; /* n_contact, rising                                */
} sp_choice;

/* Choose at most 'most' frames and channels for about 'bytes' of text, and report what is left out:
 * first channels of contacts that never closed and percussions, then of bodies, then of the other
 * contacts, then frames below a thousand. */
sp_status sp_choice_make(sp_result *result, size_t most, size_t bytes, sp_choice *choice,
                         sp_page_extent *extent, sp_error *err);
void sp_choice_free(sp_choice *choice);

#endif
