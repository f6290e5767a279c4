/* expr/program.h - what a compiled expression consists of; for the files of this room only. */
#ifndef SP_EXPR_PROGRAM_H
#define SP_EXPR_PROGRAM_H

#include "expr/expr.h"
#include "expr/held.h"
#include "expr/ops.h"
#include "expr/table.h"

#include <stdint.h>

/* An operand says in its two top bits where the number is, in the others which one it is. */
enum { SP_AT_TEMP, SP_AT_INPUT, SP_AT_CONST, SP_AT_SHIFT = 14, SP_AT_MASK = (1 << 14) - 1 };

/* temp[to] = op(x, y; z).  What an operation does not need repeats x. */
typedef struct sp_instr {
    uint16_t op, to, x, y, z;
} sp_instr;

/* On which inputs the result and the operands of an instruction depend: slices of one array. */
typedef struct sp_support {
    uint32_t to, x, y;
    uint16_t n_to, n_x, n_y;
} sp_support;

struct sp_program {
    int n_instr, n_temp, n_input, n_const, n_table;
    uint16_t result; /* operand */
    uint16_t n_on;   /* support of the result, if it is a temporary */
    const sp_instr *instr;
    const sp_support *support;
    const uint16_t *on; /* indices of inputs, ascending in every slice */
    const uint16_t *result_on;
    const double *constant;
    const int *input; /* the caller's ids */
    const sp_table *const *table;
    const double *slope; /* affine by its operations: derivatives by the inputs, else NULL */
};

/* A kink that is held: value and slopes, side and indicator (held.c). */
void sp_op_held(const sp_program *p, const sp_instr *i, double x, double y, sp_kink *k,
                sp_partials *d);

#endif
