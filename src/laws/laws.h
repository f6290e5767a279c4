/* laws/laws.h - the parameters of contact laws: their names in model files, units and ranges. */
#ifndef SP_LAWS_LAWS_H
#define SP_LAWS_LAWS_H

#include <stdbool.h>

/* Unilateral contact with Newton restitution and Coulomb friction. */
typedef enum sp_law_parameter_kind {
    SP_LAW_MU,    /* friction coefficient      */
    SP_LAW_EPS_N, /* normal restitution        */
    SP_LAW_EPS_T, /* tangential restitution    */
    SP_LAW_N_PARAMETER
} sp_law_parameter_kind;

typedef struct sp_law_parameter {
    const char *name;     /* as written in model files                             */
    const char *unit;     /* SI unit, "1": a pure number                           */
    double standard;      /* value if it is left out                               */
    double min, max;      /* both allowed                                          */
    const char *expected; /* the range in words of mathematics, behind "expected" */
} sp_law_parameter;

/* The table entry of a parameter. */
const sp_law_parameter *sp_law_parameter_of(sp_law_parameter_kind kind);

/* Whether value is a finite number inside the range; NaN is not. */
bool sp_law_in_range(const sp_law_parameter *p, double value);

#endif
