/* expr/ops.h - the operations of a program: value and partial derivatives. */
#ifndef SP_EXPR_OPS_H
#define SP_EXPR_OPS_H

#include <math.h>

typedef enum sp_op {
    SP_OP_NEG, /* x                                           */
    SP_OP_SIN,
    SP_OP_COS,
    SP_OP_TAN,
    SP_OP_ASIN,
    SP_OP_ACOS,
    SP_OP_ATAN,
    SP_OP_SINH,
    SP_OP_COSH,
    SP_OP_TANH,
    SP_OP_EXP,
    SP_OP_LOG,
    SP_OP_SQRT,
    SP_OP_ABS,
    SP_OP_SIGN,
    SP_OP_FLOOR,
    SP_OP_NOT, /* of a condition */
    SP_OP_ADD, /* x + y                                       */
    SP_OP_SUB,
    SP_OP_MUL,
    SP_OP_DIV,
    SP_OP_MOD,   /* x - y floor(x/y)                          */
    SP_OP_POW,   /* both vary                                 */
    SP_OP_POW_N, /* y is a small whole constant               */
    SP_OP_POW_C, /* y is another constant                     */
    SP_OP_ATAN2,
    SP_OP_MIN,
    SP_OP_MAX,
    SP_OP_LESS, /* conditions: 1, 0, or NaN if an operand is */
    SP_OP_LESS_EQUAL,
    SP_OP_AND,
    SP_OP_OR,
    SP_OP_SELECT, /* z ? x : y                                */
    SP_OP_TABLE   /* table number y of the program at x       */
} sp_op;

enum { SP_POW_N_MAX = 16 };

/* Which partial derivatives of f(x, y) are not zero by structure. */
enum { SP_USE_X = 1, SP_USE_Y = 2, SP_USE_XX = 4, SP_USE_XY = 8, SP_USE_YY = 16 };

typedef struct sp_partials {
    double f, x, y, xx, xy, yy;
    unsigned use;
} sp_partials;

/* Some operations as bits of a number. */
#define SP_OP_BIT(name) (1ull << SP_OP_##name)
#define SP_OPS_CONDITION                                                                           \
    (SP_OP_BIT(NOT) | SP_OP_BIT(LESS) | SP_OP_BIT(LESS_EQUAL) | SP_OP_BIT(AND) | SP_OP_BIT(OR))
#define SP_OPS_MORE                                                                                \
    (SP_OP_BIT(ADD) | SP_OP_BIT(SUB) | SP_OP_BIT(MUL) | SP_OP_BIT(DIV) | SP_OP_BIT(MOD) |          \
     SP_OP_BIT(POW) | SP_OP_BIT(POW_N) | SP_OP_BIT(POW_C) | SP_OP_BIT(ATAN2) | SP_OP_BIT(MIN) |    \
     SP_OP_BIT(MAX) | SP_OP_BIT(LESS) | SP_OP_BIT(LESS_EQUAL) | SP_OP_BIT(AND) | SP_OP_BIT(OR) |   \
     SP_OP_BIT(SELECT) | SP_OP_BIT(TABLE))

/* Whether it has one operand. */
static inline int sp_op_is_unary(sp_op op)
{
    return !(SP_OPS_MORE >> op & 1u);
}

/* Whether the result is yes or no and has no derivatives. */
static inline int sp_op_is_condition(sp_op op)
{
    return (int)(SP_OPS_CONDITION >> op & 1u);
}

/* x^n for |n| <= SP_POW_N_MAX by repeated squaring. */
static inline double sp_power_n(double x, int n)
{
    double result = 1.0;
    for (int k = n < 0 ? -n : n; k > 0; k >>= 1, x *= x) {
        result = k & 1 ? result * x : result;
    }
    return n < 0 ? 1.0 / result : result;
}

/* The value of an operation on conditions or comparison; NaN operands give NaN. */
static inline double sp_op_condition(sp_op op, double x, double y)
{
    if (isunordered(x, y)) {
        return x + y;
    }
    switch (op) {
    case SP_OP_NOT:
        return x == 0.0 ? 1.0 : 0.0;
    case SP_OP_LESS:
        return x < y ? 1.0 : 0.0;
    case SP_OP_LESS_EQUAL:
        return x <= y ? 1.0 : 0.0;
    case SP_OP_AND:
        return x != 0.0 && y != 0.0 ? 1.0 : 0.0;
    default:
        return x != 0.0 || y != 0.0 ? 1.0 : 0.0;
    }
}

/* f(x, y; z); unary operations ignore y, only SP_OP_SELECT looks at z. */
static inline double sp_op_value(sp_op op, double x, double y, double z)
{
    switch (op) {
    case SP_OP_NEG:
        return -x;
    case SP_OP_SIN:
        return sin(x);
    case SP_OP_COS:
        return cos(x);
    case SP_OP_TAN:
        return tan(x);
    case SP_OP_ASIN:
        return asin(x);
    case SP_OP_ACOS:
        return acos(x);
    case SP_OP_ATAN:
        return atan(x);
    case SP_OP_SINH:
        return sinh(x);
    case SP_OP_COSH:
        return cosh(x);
    case SP_OP_TANH:
        return tanh(x);
    case SP_OP_EXP:
        return exp(x);
    case SP_OP_LOG:
        return log(x);
    case SP_OP_SQRT:
        return sqrt(x);
    case SP_OP_ABS:
        return fabs(x);
    case SP_OP_SIGN:
        return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; /* 0 and NaN as they are */
    case SP_OP_FLOOR:
        return floor(x);
    case SP_OP_ADD:
        return x + y;
    case SP_OP_SUB:
        return x - y;
    case SP_OP_MUL:
        return x * y;
    case SP_OP_DIV:
        return x / y;
    case SP_OP_MOD:
        return x - y * floor(x / y);
    case SP_OP_POW:
    case SP_OP_POW_C:
        return pow(x, y);
    case SP_OP_POW_N:
        return sp_power_n(x, (int)y);
    case SP_OP_ATAN2:
        return atan2(x, y);
    case SP_OP_MIN:
        return x <= y ? x : y < x ? y : x + y; /* NaN must not get lost */
    case SP_OP_MAX:
        return x >= y ? x : y > x ? y : x + y;
    case SP_OP_SELECT:
        return z != z ? z : z != 0.0 ? x : y;
    default:
        return sp_op_condition(op, x, sp_op_is_unary(op) ? x : y);
    }
}

/* Value and partial derivatives of an operation that is no condition.  Those not in d->use are not
 * set; second derivatives are set for order 2 only. */
void sp_op_partials(sp_op op, double x, double y, double z, int order, sp_partials *d);

#endif
