#include "expr/ops.h"

enum { LINEAR_2 = SP_USE_X | SP_USE_Y, CURVED = SP_USE_X | SP_USE_XX, FULL = 31 };

/* Partial derivatives that follow one of the operands: min, max, select. */
static void follow(sp_partials *d, int first, int second)
{
    d->use = first ? SP_USE_X : second ? SP_USE_Y : LINEAR_2;
    d->x = d->y = first || second ? 1.0 : NAN;
}

/* Sets f' and f'' of a function of x alone. */
static void curve(sp_partials *d, double first, double second)
{
    d->use = CURVED;
    d->x = first;
    d->xx = second;
}

/* f = x^y, y constant:  f' = y x^(y-1),  f'' = y (y-1) x^(y-2) */
static void power_constant(sp_op op, double x, double y, int order, sp_partials *d)
{
    const int n = op == SP_OP_POW_N ? (int)y : 0;
    const double first = op == SP_OP_POW_N ? sp_power_n(x, n - 1) : pow(x, y - 1.0);
    double second = 0.0;
    if (order > 1) {
        second = op == SP_OP_POW_N ? sp_power_n(x, n - 2) : pow(x, y - 2.0);
    }
    curve(d, y * first, y * (y - 1.0) * second);
}

/* f = x^y = exp(y log x), both variable.  At x = 0 the logarithmic terms vanish in the limit as
 * long as the power before them does. */
static void power(double x, double y, int order, sp_partials *d)
{
    const double log_x = log(x), first = pow(x, y - 1.0);
    const int zero = x == 0.0;
    d->use = FULL;
    d->x = y * first;
    d->y = zero && y > 0.0 ? 0.0 : d->f * log_x;
    if (order > 1) {
        d->xx = y * (y - 1.0) * pow(x, y - 2.0);
        d->xy = zero && y > 1.0 ? 0.0 : first * (1.0 + y * log_x);
        d->yy = zero && y > 0.0 ? 0.0 : d->y * log_x;
    }
}

/* f = x / y */
static void quotient(double y, sp_partials *d)
{
    const double r = 1.0 / y;
    d->use = SP_USE_X | SP_USE_Y | SP_USE_XY | SP_USE_YY;
    d->x = r;
    d->y = -d->f * r;
    d->xy = -r * r;
    d->yy = -2.0 * d->y * r;
}

/* f = atan2(x, y), x the ordinate:  df = (y dx - x dy)/(x^2 + y^2) */
static void angle(double x, double y, sp_partials *d)
{
    const double r2 = x * x + y * y, c = y / r2, s = x / r2;
    d->use = FULL;
    d->x = c;
    d->y = -s;
    d->xx = -2.0 * s * c;
    d->yy = 2.0 * s * c;
    d->xy = (s - c) * (s + c);
}

/* Functions of x alone; f is known. */
static void function(sp_op op, double x, sp_partials *d)
{
    const double f = d->f;
    double w;
    switch (op) {
    case SP_OP_SIN:
        curve(d, cos(x), -f);
        break;
    case SP_OP_COS:
        curve(d, -sin(x), -f);
        break;
    case SP_OP_TAN:
        w = 1.0 + f * f;
        curve(d, w, 2.0 * f * w);
        break;
    case SP_OP_ASIN:
    case SP_OP_ACOS:
        w = 1.0 / sqrt((1.0 - x) * (1.0 + x));
        w = op == SP_OP_ASIN ? w : -w;
        curve(d, w, x * w * w * w);
        break;
    case SP_OP_ATAN:
        w = 1.0 / (1.0 + x * x);
        curve(d, w, -2.0 * x * w * w);
        break;
    case SP_OP_SINH:
        curve(d, cosh(x), f);
        break;
    case SP_OP_COSH:
        curve(d, sinh(x), f);
        break;
    case SP_OP_TANH:
        w = (1.0 - f) * (1.0 + f);
        curve(d, w, -2.0 * f * w);
        break;
    case SP_OP_EXP:
        curve(d, f, f);
        break;
    case SP_OP_LOG:
        w = 1.0 / x;
        curve(d, w, -w * w);
        break;
    default: /* sqrt */
        w = 0.5 / f;
        curve(d, w, -2.0 * w * w * w);
        break;
    }
}

void sp_op_partials(sp_op op, double x, double y, double z, int order, sp_partials *d)
{
    d->f = sp_op_value(op, x, y, z);
    d->use = LINEAR_2;
    switch (op) {
    case SP_OP_NEG:
        d->use = SP_USE_X;
        d->x = -1.0;
        break;
    case SP_OP_ABS:
        d->use = SP_USE_X;
        d->x = sp_op_value(SP_OP_SIGN, x, y, z);
        break;
    case SP_OP_SIGN:
    case SP_OP_FLOOR:
        d->use = 0;
        break;
    case SP_OP_ADD:
        d->x = d->y = 1.0;
        break;
    case SP_OP_SUB:
        d->x = 1.0;
        d->y = -1.0;
        break;
    case SP_OP_MUL:
        d->use = LINEAR_2 | SP_USE_XY;
        d->x = y;
        d->y = x;
        d->xy = 1.0;
        break;
    case SP_OP_DIV:
        quotient(y, d);
        break;
    case SP_OP_MOD:
        d->x = 1.0;
        d->y = -floor(x / y);
        break;
    case SP_OP_POW:
        power(x, y, order, d);
        break;
    case SP_OP_POW_N:
    case SP_OP_POW_C:
        power_constant(op, x, y, order, d);
        break;
    case SP_OP_ATAN2:
        angle(x, y, d);
        break;
    case SP_OP_MIN:
        follow(d, x <= y, y < x);
        break;
    case SP_OP_MAX:
        follow(d, x >= y, y > x);
        break;
    case SP_OP_SELECT:
        follow(d, z == z && z != 0.0, z == 0.0);
        break;
    default:
        function(op, x, d);
        break;
    }
}
