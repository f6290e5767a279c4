/* stiff/cvode.h - SUNDIALS' CVODE, backward differentiation formulas of order 1 to 5 [HS05], as an
 * integrator for stiff machines. */
#ifndef SP_STIFF_CVODE_H
#define SP_STIFF_CVODE_H

#include "integrators/stiff.h"

/* The integrator; NULL if the program was built without it. */
const sp_stiff_driver *sp_stiff_cvode(void);

#endif
