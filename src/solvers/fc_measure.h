/* solvers/fc_measure.h - the measure of a pile, summed up over its contacts. */
#ifndef SP_SOLVERS_FC_MEASURE_H
#define SP_SOLVERS_FC_MEASURE_H

#include "solvers/fc.h"

typedef struct sp_fc_sum {
    sp_fc_measure measure;
    double worth, xi_scale; /* of the problem, see sp_fc_scales; worth is scaled            */
    double sum;             /* of squares (SP_FC_FCLIB); else zero, or NaN if a number is   */
    double worst;           /* SP_FC_SCALED                                                 */
} sp_fc_sum;

#endif
