#include "expr/taylor.h"

#include "expr/program.h"

enum { N = SP_TAYLOR_N };

static sp_taylor constant(double v)
{
    return (sp_taylor){{v, 0.0, 0.0, 0.0}};
}

/* a + k b */
static sp_taylor axpy(sp_taylor a, double k, sp_taylor b)
{
    for (int i = 0; i < N; i++) {
        a.c[i] += k * b.c[i];
    }
    return a;
}

static sp_taylor mul(sp_taylor a, sp_taylor b)
{
    sp_taylor p = {{0.0}};
    for (int i = 0; i < N; i++) {
        for (int j = 0; i + j < N; j++) {
            p.c[i + j] += a.c[i] * b.c[j];
        }
    }
    return p;
}

/* p with p b = a */
static sp_taylor quotient(sp_taylor a, sp_taylor b)
{
    sp_taylor p;
    for (int i = 0; i < N; i++) {
        double sum = a.c[i];
        for (int j = 0; j < i; j++) {
            sum -= p.c[j] * b.c[i - j];
        }
        p.c[i] = sum / b.c[0];
    }
    return p;
}

/* f(x(s)) from f, f', f'', f''' at x(0). */
static sp_taylor compose(sp_taylor x, double f, double f1, double f2, double f3)
{
    sp_taylor d = x, d2, d3;
    d.c[0] = 0.0;
    d2 = mul(d, d);
    d3 = mul(d2, d);
    return axpy(axpy(axpy(constant(f), f1, d), 0.5 * f2, d2), f3 / 6.0, d3);
}

/* The path whose rate is r and that begins at v. */
static sp_taylor integral(double v, sp_taylor r)
{
    return (sp_taylor){{v, r.c[0], 0.5 * r.c[1], r.c[2] / 3.0}};
}

/* Rate of a path; its last coefficient is not known. */
static sp_taylor rate(sp_taylor x)
{
    return (sp_taylor){{x.c[1], 2.0 * x.c[2], 3.0 * x.c[3], 0.0}};
}

/* x^y, y constant. */
static sp_taylor power(sp_taylor x, double y)
{
    const double v = x.c[0];
    return compose(x, pow(v, y), y * pow(v, y - 1.0), y * (y - 1.0) * pow(v, y - 2.0),
                   y * (y - 1.0) * (y - 2.0) * pow(v, y - 3.0));
}

/* x^n by multiplication, so that zero and negative x are no exceptions. */
static sp_taylor power_n(sp_taylor x, int n)
{
    sp_taylor result = constant(1.0);
    for (int k = n < 0 ? -n : n; k > 0; k >>= 1, x = mul(x, x)) {
        result = k & 1 ? mul(result, x) : result;
    }
    return n < 0 ? quotient(constant(1.0), result) : result;
}

/* x - y floor(x/y): the whole number of times stays. */
static sp_taylor rest(sp_taylor x, sp_taylor y)
{
    return axpy(x, -floor(x.c[0] / y.c[0]), y);
}

/* atan2(x, y), x the ordinate:  (y x' - x y')/(x^2 + y^2) is its rate. */
static sp_taylor angle(sp_taylor x, sp_taylor y)
{
    const sp_taylor turn = axpy(mul(y, rate(x)), -1.0, mul(x, rate(y)));
    return integral(atan2(x.c[0], y.c[0]), quotient(turn, axpy(mul(x, x), 1.0, mul(y, y))));
}

/* Inverse sine, cosine, tangent: integrals of algebraic rates. */
static sp_taylor inverse(sp_op op, sp_taylor x)
{
    const sp_taylor one = constant(1.0), x2 = mul(x, x);
    if (op == SP_OP_ATAN) {
        return integral(atan(x.c[0]), quotient(rate(x), axpy(one, 1.0, x2)));
    }
    const sp_taylor slope = quotient(rate(x), power(axpy(one, -1.0, x2), 0.5));
    return op == SP_OP_ASIN ? integral(asin(x.c[0]), slope)
                            : integral(acos(x.c[0]), axpy(constant(0.0), -1.0, slope));
}

/* Functions of x alone whose derivatives are simple. */
static sp_taylor function(sp_op op, sp_taylor x)
{
    const double v = x.c[0], s = sin(v), c = cos(v), sh = sinh(v), ch = cosh(v), e = exp(v);
    switch (op) {
    case SP_OP_SIN:
        return compose(x, s, c, -s, -c);
    case SP_OP_COS:
        return compose(x, c, -s, -c, s);
    case SP_OP_TAN:
        return quotient(compose(x, s, c, -s, -c), compose(x, c, -s, -c, s));
    case SP_OP_SINH:
        return compose(x, sh, ch, sh, ch);
    case SP_OP_COSH:
        return compose(x, ch, sh, ch, sh);
    case SP_OP_TANH: {
        const double t = tanh(v), w = (1.0 - t) * (1.0 + t);
        return compose(x, t, w, -2.0 * t * w, w * (6.0 * t * t - 2.0));
    }
    case SP_OP_EXP:
        return compose(x, e, e, e, e);
    case SP_OP_LOG:
        return compose(x, log(v), 1.0 / v, -1.0 / (v * v), 2.0 / (v * v * v));
    default:
        return inverse(op, x);
    }
}

/* A table: cubic pieces, whose third derivative is the slope of y'' between the points. */
static sp_taylor look_up(const sp_table *t, sp_taylor x)
{
    sp_partials d;
    const double v = x.c[0];
    double third = 0.0;
    sp_table_partials(t, v, &d);
    for (int i = 0; t->bend && i + 1 < t->n; i++) {
        if (v >= t->x[i] && v <= t->x[i + 1]) {
            third = (t->bend[i + 1] - t->bend[i]) / (t->x[i + 1] - t->x[i]);
        }
    }
    return compose(x, d.f, d.x, d.xx, third);
}

/* One operation. */
static sp_taylor apply(sp_op op, sp_taylor x, sp_taylor y, sp_taylor z)
{
    switch (op) {
    case SP_OP_NEG:
        return axpy(constant(0.0), -1.0, x);
    case SP_OP_SQRT:
        return power(x, 0.5);
    case SP_OP_ABS:
        return x.c[0] < 0.0 ? axpy(constant(0.0), -1.0, x) : x.c[0] > 0.0 ? x : constant(x.c[0]);
    case SP_OP_ADD:
        return axpy(x, 1.0, y);
    case SP_OP_SUB:
        return axpy(x, -1.0, y);
    case SP_OP_MUL:
        return mul(x, y);
    case SP_OP_DIV:
        return quotient(x, y);
    case SP_OP_MOD:
        return rest(x, y);
    case SP_OP_POW:
        return function(SP_OP_EXP, mul(y, function(SP_OP_LOG, x)));
    case SP_OP_POW_N:
        return power_n(x, (int)y.c[0]);
    case SP_OP_POW_C:
        return power(x, y.c[0]);
    case SP_OP_ATAN2:
        return angle(x, y);
    case SP_OP_MIN:
        return x.c[0] <= y.c[0] ? x : y;
    case SP_OP_MAX:
        return x.c[0] >= y.c[0] ? x : y;
    case SP_OP_SELECT:
        return z.c[0] != 0.0 ? x : y;
    case SP_OP_SIGN:
    case SP_OP_FLOOR:
        return constant(sp_op_value(op, x.c[0], 0.0, 0.0));
    default:
        return sp_op_is_condition(op) ? constant(sp_op_value(op, x.c[0], y.c[0], 0.0))
                                      : function(op, x);
    }
}

size_t sp_program_taylor_work(const sp_program *p)
{
    return ((size_t)p->n_temp + 1) * sizeof(sp_taylor);
}

/* What an operand stands for. */
static sp_taylor fetch(const sp_program *p, const sp_taylor *in, const sp_taylor *temp,
                       uint16_t operand)
{
    const int where = operand >> SP_AT_SHIFT, which = operand & SP_AT_MASK;
    return where == SP_AT_TEMP    ? temp[which]
           : where == SP_AT_INPUT ? in[which]
                                  : constant(p->constant[which]);
}

sp_taylor sp_program_taylor(const sp_program *p, const sp_taylor *in, void *work)
{
    sp_taylor *temp = work;
    for (const sp_instr *i = p->instr, *end = i + p->n_instr; i < end; i++) {
        const sp_taylor x = fetch(p, in, temp, i->x), y = fetch(p, in, temp, i->y);
        temp[i->to] = i->op == SP_OP_TABLE ? look_up(p->table[(int)y.c[0]], x)
                                           : apply((sp_op)i->op, x, y, fetch(p, in, temp, i->z));
    }
    return fetch(p, in, temp, p->result);
}

double sp_program_third(const sp_program *p, const double *in, const double *x, const double *y,
                        const double *z, sp_taylor *path, void *work)
{
    static const double sign[4][3] = {
        {1.0, 1.0, 1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0}, {-1.0, -1.0, 1.0}};
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < p->n_input; i++) {
            const double along = x[i] + sign[k][1] * y[i] + sign[k][2] * z[i];
            path[i] = (sp_taylor){{in[i], along, 0.0, 0.0}};
        }
        sum += sign[k][0] * sp_program_taylor(p, path, work).c[3];
    }
    return 0.25 * sum; /* c[3] is a sixth of the third derivative along the path */
}
