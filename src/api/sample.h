/* api/sample.h - a moment of a run, as channels are read from it. */
#ifndef SP_API_SAMPLE_H
#define SP_API_SAMPLE_H

#include "run/run.h"
#include "specht/channel.h"

struct sp_sample {
    const sp_model *m;
    const sp_step_record *r; /* of a step that was sampled           */
    sp_step_record own;      /* what r is outside of runs            */
    sp_run_summary summary;  /* what its certificates are read from  */
};

#endif
