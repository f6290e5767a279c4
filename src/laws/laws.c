#include "laws/laws.h"

#include <assert.h>
#include <math.h>

static const sp_law_parameter table[SP_LAW_N_PARAMETER] = {
    [SP_LAW_MU] = {"mu", "1", 0.0, 0.0, INFINITY, ">= 0"},
    [SP_LAW_EPS_N] = {"eps_N", "1", 0.0, 0.0, 1.0, "between 0 and 1"},
    [SP_LAW_EPS_T] = {"eps_T", "1", 0.0, 0.0, 1.0, "between 0 and 1"},
};

const sp_law_parameter *sp_law_parameter_of(sp_law_parameter_kind kind)
{
    assert(kind < SP_LAW_N_PARAMETER);
    return &table[kind];
}

bool sp_law_in_range(const sp_law_parameter *p, double value)
{
    return isfinite(value) && p->min <= value && value <= p->max;
}
