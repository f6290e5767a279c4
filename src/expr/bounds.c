/* Interval arithmetic on programs of one input.  Every intermediate result carries a hull of its
 * values, a hull of its rates and its value in the middle, so that
 *
 *     f([a, b])  lies in  f([a], [b])  and in  f(m) + f'([a, b]) [a - m, b - m]       theory (64.3)
 */
#include "expr/bounds.h"

#include "expr/program.h"

#define THIN                                                                                       \
    1e-13 /* of its operands: an indicator below is round-off, its side does not matter            \
           */

static const sp_span everything = {-INFINITY, INFINITY};

static sp_span span(double a, double b)
{
    return isnan(a) || isnan(b) ? everything : a < b ? (sp_span){a, b} : (sp_span){b, a};
}

static sp_span join(sp_span x, sp_span y)
{
    return (sp_span){x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi};
}

static sp_span add(sp_span x, sp_span y)
{
    return span(x.lo + y.lo, x.hi + y.hi);
}

static sp_span negative(sp_span x)
{
    return (sp_span){-x.hi, -x.lo};
}

/* 0 times infinity is 0: the factor that is zero is so everywhere. */
static double product(double x, double y)
{
    return x == 0.0 || y == 0.0 ? 0.0 : x * y;
}

static sp_span multiply(sp_span x, sp_span y)
{
    return join(span(product(x.lo, y.lo), product(x.hi, y.hi)),
                span(product(x.lo, y.hi), product(x.hi, y.lo)));
}

static bool has_zero(sp_span x)
{
    return !(x.lo > 0.0 || x.hi < 0.0);
}

static sp_span reciprocal(sp_span x)
{
    return has_zero(x) ? everything : span(1.0 / x.lo, 1.0 / x.hi);
}

static sp_span square(sp_span x)
{
    const sp_span ends = span(x.lo * x.lo, x.hi * x.hi);
    return has_zero(x) ? join(ends, (sp_span){0.0, 0.0}) : ends;
}

/* x^n of a whole n: even powers have their least at zero. */
static sp_span power_n(sp_span x, int n)
{
    if (n < 0) {
        return reciprocal(power_n(x, -n));
    }
    const sp_span ends = span(sp_power_n(x.lo, n), sp_power_n(x.hi, n));
    return n > 0 && n % 2 == 0 && has_zero(x) ? join(ends, (sp_span){0.0, 0.0}) : ends;
}

/* x^y of another constant, for x >= 0, or of a larger whole one. */
static sp_span power_c(sp_span x, double y)
{
    const sp_span ends = span(pow(x.lo, y), pow(x.hi, y));
    if (x.lo >= 0.0) {
        return ends;
    }
    if (!(y > 0.0 && floor(y) == y)) {
        return everything;
    }
    return fmod(y, 2.0) == 0.0 && has_zero(x) ? join(ends, (sp_span){0.0, 0.0}) : ends;
}

/* cos: the ends, and 1 or -1 where a multiple of pi lies between them. */
static sp_span cosine(sp_span x)
{
    const double pi = 3.14159265358979323846;
    if (!(x.hi - x.lo < 2.0 * pi)) {
        return (sp_span){-1.0, 1.0};
    }
    sp_span y = span(cos(x.lo), cos(x.hi));
    for (double k = ceil(x.lo / pi); k <= floor(x.hi / pi); k += 1.0) {
        const double top = fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
        y = join(y, (sp_span){top, top});
    }
    return y;
}

static sp_span sine(sp_span x)
{
    const double quarter = 1.57079632679489661923;
    return cosine((sp_span){x.lo - quarter, x.hi - quarter});
}

/* ---- functions with their rates -------------------------------------------------------------- */

/* A part of a program over the interval. */
typedef struct place {
    double half; /* of the interval */
    sp_open_kinks *open;
} place;

/* The two enclosures of (64.3) together. */
static sp_bounds tighten(const place *at, sp_span f, sp_span d, double mid)
{
    const double r = at->half * fmax(fabs(d.lo), fabs(d.hi));
    if (mid - r > f.lo) {
        f.lo = mid - r;
    }
    if (mid + r < f.hi) {
        f.hi = mid + r;
    }
    return (sp_bounds){f, d, mid};
}

/* f(x) from hulls of f and f' over x. */
static sp_bounds compose(const place *at, const sp_bounds *x, sp_span f, sp_span slope, double mid)
{
    return tighten(at, f, multiply(slope, x->d), mid);
}

static sp_bounds constant(double v)
{
    return (sp_bounds){{v, v}, {0.0, 0.0}, v};
}

/* Anything with this value in the middle, as where something jumps. */
static sp_bounds between(double lo, double hi, double mid)
{
    return (sp_bounds){{lo, hi}, everything, mid};
}

static sp_bounds difference(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    return tighten(at, add(x->f, negative(y->f)), add(x->d, negative(y->d)), x->mid - y->mid);
}

/* Whether x is one number throughout. */
static bool is_constant(const sp_bounds *x)
{
    return x->f.lo == x->f.hi && x->d.lo == 0.0 && x->d.hi == 0.0;
}

/* x times a number: as tight as x. */
static sp_bounds scaled(const sp_bounds *x, double c)
{
    return (sp_bounds){span(product(c, x->f.lo), product(c, x->f.hi)),
                       span(product(c, x->d.lo), product(c, x->d.hi)), product(c, x->mid)};
}

/* f = x y, the same for quotients with y the reciprocal. */
static sp_bounds times(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    if (is_constant(y)) {
        return scaled(x, y->mid);
    }
    if (is_constant(x)) {
        return scaled(y, x->mid);
    }
    return tighten(at, multiply(x->f, y->f), add(multiply(x->d, y->f), multiply(x->f, y->d)),
                   product(x->mid, y->mid));
}

static sp_bounds inverse(const place *at, const sp_bounds *y)
{
    const sp_span r = reciprocal(y->f);
    return compose(at, y, r, negative(square(r)), 1.0 / y->mid);
}

/* Whether an indicator keeps its side; one that does not is counted. */
static bool keeps_side(const place *at, const sp_bounds *x, bool same)
{
    if (!same && at->open) {
        at->open->n++;
        at->open->steady = at->open->steady && !has_zero(x->d);
    }
    return same;
}

/* Whether x has one sign, or none. */
static bool has_sign(const place *at, const sp_bounds *x)
{
    return keeps_side(at, x, !has_zero(x->f) || x->f.lo == x->f.hi);
}

/* Whether x - y is round-off of both. */
static bool is_thin(const sp_bounds *d, const sp_bounds *x, const sp_bounds *y)
{
    const double size = fmax(fabs(x->mid), fabs(y->mid));
    return d->f.lo >= -THIN * size && d->f.hi <= THIN * size;
}

static sp_bounds smaller(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    const sp_bounds d = difference(at, x, y);
    const bool same = d.f.hi <= 0.0 || d.f.lo > 0.0 || is_thin(&d, x, y);
    if (keeps_side(at, &d, same)) {
        return d.f.lo > 0.0 ? *y : *x;
    }
    const sp_span f = {fmin(x->f.lo, y->f.lo), fmin(x->f.hi, y->f.hi)};
    return tighten(at, f, join(x->d, y->d), fmin(x->mid, y->mid));
}

static sp_bounds minus(const sp_bounds *x)
{
    return (sp_bounds){negative(x->f), negative(x->d), -x->mid};
}

static sp_bounds larger(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    const sp_bounds a = minus(x), b = minus(y), least = smaller(at, &a, &b);
    return minus(&least);
}

static sp_bounds magnitude(const place *at, const sp_bounds *x)
{
    if (has_sign(at, x)) {
        return x->f.hi < 0.0 ? minus(x) : *x;
    }
    const sp_span f = {0.0, fmax(-x->f.lo, x->f.hi)};
    return tighten(at, f, join(x->d, negative(x->d)), fabs(x->mid));
}

static sp_bounds sign(const place *at, const sp_bounds *x)
{
    const double lo = sp_op_value(SP_OP_SIGN, x->f.lo, 0.0, 0.0);
    const double hi = sp_op_value(SP_OP_SIGN, x->f.hi, 0.0, 0.0);
    return has_sign(at, x) ? constant(hi)
                           : between(lo, hi, sp_op_value(SP_OP_SIGN, x->mid, 0.0, 0.0));
}

static sp_bounds whole(const place *at, const sp_bounds *x)
{
    const double lo = floor(x->f.lo), hi = floor(x->f.hi);
    return keeps_side(at, x, lo == hi) ? constant(lo) : between(lo, hi, floor(x->mid));
}

/* x - y floor(x/y) */
static sp_bounds rest(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    const sp_bounds r = inverse(at, y), ratio = times(at, x, &r), n = whole(at, &ratio);
    const sp_bounds taken = times(at, y, &n);
    if (n.f.lo == n.f.hi) {
        return difference(at, x, &taken);
    }
    const sp_span all = join((sp_span){0.0, 0.0}, y->f);
    return between(all.lo, all.hi, sp_op_value(SP_OP_MOD, x->mid, y->mid, 0.0));
}

/* x < y, x <= y */
static sp_bounds compare(const place *at, sp_op op, const sp_bounds *x, const sp_bounds *y)
{
    const sp_bounds d = difference(at, x, y);
    const bool yes = op == SP_OP_LESS ? d.f.hi < 0.0 : d.f.hi <= 0.0;
    const bool no = op == SP_OP_LESS ? d.f.lo >= 0.0 : d.f.lo > 0.0;
    return keeps_side(at, &d, yes || no) ? constant(yes ? 1.0 : 0.0)
                                         : between(0.0, 1.0, d.mid < 0.0 ? 1.0 : 0.0);
}

/* not, and, or: of the ends, since they are monotone but for `not`. */
static sp_bounds logic(sp_op op, const sp_bounds *x, const sp_bounds *y)
{
    const double lo = sp_op_condition(op, x->f.lo, y->f.lo);
    const double hi = sp_op_condition(op, x->f.hi, y->f.hi);
    const sp_span f = span(lo, hi);
    return f.lo == f.hi ? constant(lo) : between(f.lo, f.hi, sp_op_condition(op, x->mid, y->mid));
}

static sp_bounds choose(const sp_bounds *z, const sp_bounds *x, const sp_bounds *y)
{
    if (z->f.lo == z->f.hi) {
        return z->f.lo != 0.0 ? *x : *y;
    }
    const sp_span f = join(x->f, y->f);
    return between(f.lo, f.hi, z->mid != 0.0 ? x->mid : y->mid);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Values and slopes of one piece between l and h, by their Bernstein coefficients. */
static void join_piece(const sp_table *t, double l, double h, sp_span *f, sp_span *slope)
{
    sp_partials a, b;
    const double inside = l + 0.5 * (h - l), w = h - l;
    sp_table_partials(t, l, &a);
    sp_table_partials(t, t->bend ? h : inside, &b);
    b.f = sp_table_value(t, h);
    a.x = t->bend ? a.x : b.x; /* straight: one slope, that inside */
    const double c[4] = {a.f, a.f + w * a.x / 3.0, b.f - w * b.x / 3.0, b.f};
    for (int k = 0; k < 4; k++) {
        *f = join(*f, (sp_span){c[k], c[k]});
        const double s = k < 3 && w > 0.0 ? 3.0 * (c[k + 1] - c[k]) / w : b.x;
        *slope = join(*slope, (sp_span){s, s});
    }
}

static sp_bounds look_up(const place *at, const sp_table *t, const sp_bounds *x)
{
    const sp_span none = {INFINITY, -INFINITY};
    const int first = sp_table_piece(t, x->f.lo), last = sp_table_piece(t, x->f.hi);
    sp_span f = none, slope = none;
    if (!isfinite(x->f.lo) || !isfinite(x->f.hi)) {
        keeps_side(at, x, false);
        return between(-INFINITY, INFINITY, sp_table_value(t, x->mid));
    }
    if (!t->bend) {
        keeps_side(at, x, first == last);
    }
    double l = x->f.lo;
    for (int i = first; i <= last; i++) {
        const double h = i < last ? t->x[i + 1] : x->f.hi;
        join_piece(t, l, h, &f, &slope);
        l = h;
    }
    return compose(at, x, f, slope, sp_table_value(t, x->mid));
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Smooth functions of x that rise or fall throughout, from their values at both ends. */
static sp_bounds monotone(const place *at, sp_op op, const sp_bounds *x, double mid)
{
    const sp_span ends =
        span(sp_op_value(op, x->f.lo, 0.0, 0.0), sp_op_value(op, x->f.hi, 0.0, 0.0));
    const sp_span one = {1.0, 1.0}, x2 = square(x->f);
    switch (op) {
    case SP_OP_TAN:
        return has_zero(cosine(x->f)) ? between(-INFINITY, INFINITY, mid)
                                      : compose(at, x, ends, add(one, square(ends)), mid);
    case SP_OP_ASIN:
    case SP_OP_ACOS: {
        const sp_span root = power_c(add(one, negative(x2)), -0.5);
        return compose(at, x, ends, op == SP_OP_ASIN ? root : negative(root), mid);
    }
    case SP_OP_ATAN:
        return compose(at, x, ends, reciprocal(add(one, x2)), mid);
    case SP_OP_SINH:
        return compose(at, x, ends, span(1.0, cosh(fmax(fabs(x->f.lo), fabs(x->f.hi)))), mid);
    case SP_OP_COSH: {
        const sp_span f = has_zero(x->f) ? join(ends, one) : ends;
        return compose(at, x, f, span(sinh(x->f.lo), sinh(x->f.hi)), mid);
    }
    case SP_OP_TANH:
        return compose(at, x, ends, add(one, negative(square(ends))), mid);
    case SP_OP_EXP:
        return compose(at, x, ends, ends, mid);
    case SP_OP_LOG:
        return x->f.lo > 0.0 ? compose(at, x, ends, reciprocal(x->f), mid)
                             : between(-INFINITY, INFINITY, mid);
    default: /* sqrt */
        return x->f.lo >= 0.0 ? compose(at, x, ends, reciprocal(add(ends, ends)), mid)
                              : between(-INFINITY, INFINITY, mid);
    }
}

static sp_bounds function(const place *at, sp_op op, const sp_bounds *x)
{
    const double mid = sp_op_value(op, x->mid, 0.0, 0.0);
    switch (op) {
    case SP_OP_SIN:
        return compose(at, x, sine(x->f), cosine(x->f), mid);
    case SP_OP_COS:
        return compose(at, x, cosine(x->f), negative(sine(x->f)), mid);
    default:
        return monotone(at, op, x, mid);
    }
}

static sp_bounds raise(const place *at, sp_op op, const sp_bounds *x, double y)
{
    const double mid = sp_op_value(op, x->mid, y, 0.0);
    const sp_span by = {y, y};
    if (op == SP_OP_POW_N) {
        const int n = (int)y;
        return compose(at, x, power_n(x->f, n), multiply(by, power_n(x->f, n - 1)), mid);
    }
    return compose(at, x, power_c(x->f, y), multiply(by, power_c(x->f, y - 1.0)), mid);
}

/* a x + b y of constants a and b. */
static sp_bounds mix(const place *at, double a, const sp_bounds *x, double b, const sp_bounds *y)
{
    const sp_bounds by_a = constant(a), by_b = constant(-b);
    const sp_bounds first = times(at, &by_a, x), second = times(at, &by_b, y);
    return difference(at, &first, &second);
}

/* atan2(x, y), x the ordinate: phi_m + atan(across/along), seen along its direction phi_m in the
 * middle, while along > 0 and the angle does not jump by 2 pi.   theory (64.28) */
static sp_bounds angle(const place *at, const sp_bounds *x, const sp_bounds *y)
{
    const double pi = 3.14159265358979323846, mid = sp_op_value(SP_OP_ATAN2, x->mid, y->mid, 0.0);
    const sp_bounds along = mix(at, sin(mid), x, cos(mid), y);
    if (along.f.lo > 0.0) {
        const sp_bounds r = inverse(at, &along), across = mix(at, cos(mid), x, -sin(mid), y);
        const sp_bounds slope = times(at, &across, &r), turn = function(at, SP_OP_ATAN, &slope);
        const sp_span f = add((sp_span){mid, mid}, turn.f);
        if (f.lo >= -pi && f.hi <= pi) {
            return tighten(at, f, turn.d, mid);
        }
    }
    return between(-pi, pi, mid);
}

static sp_bounds binary(const place *at, sp_op op, const sp_bounds *x, const sp_bounds *y)
{
    switch (op) {
    case SP_OP_ADD: {
        const sp_bounds b = minus(y);
        return difference(at, x, &b);
    }
    case SP_OP_SUB:
        return difference(at, x, y);
    case SP_OP_MUL:
        return times(at, x, y);
    case SP_OP_DIV: {
        const sp_bounds r = inverse(at, y);
        return times(at, x, &r);
    }
    case SP_OP_MOD:
        return rest(at, x, y);
    case SP_OP_POW_N:
    case SP_OP_POW_C:
        return raise(at, op, x, y->mid);
    case SP_OP_MIN:
        return smaller(at, x, y);
    case SP_OP_MAX:
        return larger(at, x, y);
    case SP_OP_LESS:
    case SP_OP_LESS_EQUAL:
        return compare(at, op, x, y);
    case SP_OP_AND:
    case SP_OP_OR:
        return logic(op, x, y);
    case SP_OP_POW: { /* exp(y log x) */
        const sp_bounds l = function(at, SP_OP_LOG, x), e = times(at, y, &l);
        return function(at, SP_OP_EXP, &e);
    }
    default: /* atan2 */
        return angle(at, x, y);
    }
}

static sp_bounds apply(const place *at, sp_op op, const sp_bounds *x, const sp_bounds *y,
                       const sp_bounds *z)
{
    switch (op) {
    case SP_OP_NEG:
        return minus(x);
    case SP_OP_ABS:
        return magnitude(at, x);
    case SP_OP_SIGN:
        return sign(at, x);
    case SP_OP_FLOOR:
        return whole(at, x);
    case SP_OP_NOT:
        return logic(op, x, x);
    case SP_OP_SELECT:
        return choose(z, x, y);
    default:
        return sp_op_is_unary(op) ? function(at, op, x) : binary(at, op, x, y);
    }
}

size_t sp_program_bounds_work(const sp_program *p)
{
    const size_t hulls = ((size_t)p->n_temp + 1) * sizeof(sp_bounds);
    return hulls + (2 * (size_t)p->n_instr + 1) * sizeof(double);
}

/* What an operand stands for. */
static sp_bounds fetch(const sp_program *p, const sp_bounds *in, const sp_bounds *temp,
                       uint16_t operand)
{
    const int where = operand >> SP_AT_SHIFT, which = operand & SP_AT_MASK;
    return where == SP_AT_TEMP    ? temp[which]
           : where == SP_AT_INPUT ? in[which]
                                  : constant(p->constant[which]);
}

static sp_bounds bound(const sp_program *p, const place *at, const sp_bounds *in, sp_bounds *temp)
{
    for (const sp_instr *i = p->instr, *end = i + p->n_instr; i < end; i++) {
        const sp_bounds x = fetch(p, in, temp, i->x), y = fetch(p, in, temp, i->y);
        const sp_bounds z = fetch(p, in, temp, i->z);
        temp[i->to] = i->op == SP_OP_TABLE ? look_up(at, p->table[(int)y.mid], &x)
                                           : apply(at, (sp_op)i->op, &x, &y, &z);
    }
    return fetch(p, in, temp, p->result);
}

sp_bounds sp_program_bounds_over(const sp_program *p, const sp_bounds *in, double half, void *work)
{
    const place at = {half, NULL};
    return bound(p, &at, in, work);
}

sp_bounds sp_program_bounds(const sp_program *p, double a, double b, sp_open_kinks *open,
                            void *work)
{
    const place at = {0.5 * (b - a), open};
    const sp_bounds time = {{a, b}, {1.0, 1.0}, a + 0.5 * (b - a)};
    if (open) {
        *open = (sp_open_kinks){0, true};
    }
    return bound(p, &at, &time, work);
}

/* ---- switches -------------------------------------------------------------------------------- */

enum { DEPTH = 64, LOOKS = 1 << 14 };
#define FAR    0x1p20  /* s: how far is looked ahead, wherever the run ends                      */
#define FINEST 0x1p-40 /* of the time: what changes and changes back sooner may stay unseen */
#define MOMENT 1e-6    /* s: ... or of this at the beginning                                     */

/* The side of a kink, 0 of other operations. */
static double side_of(const sp_program *p, const sp_instr *i, double x, double y)
{
    switch ((sp_op)i->op) {
    case SP_OP_ABS:
    case SP_OP_SIGN:
        return sp_op_value(SP_OP_SIGN, x, 0.0, 0.0);
    case SP_OP_LESS:
        return x < y;
    case SP_OP_MIN:
    case SP_OP_LESS_EQUAL:
        return x <= y;
    case SP_OP_MAX:
        return x >= y;
    case SP_OP_FLOOR:
        return floor(x);
    case SP_OP_MOD:
        return floor(x / y);
    case SP_OP_TABLE:
        return p->table[(int)y]->bend ? 0.0 : sp_table_piece(p->table[(int)y], x);
    default:
        return 0.0;
    }
}

/* The sides of all kinks at t; work has n_temp doubles. */
static void find_sides(const sp_program *p, double t, double *side, double *work)
{
    const double *const at[3] = {work, &t, p->constant};
    for (int k = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const double x = at[i->x >> SP_AT_SHIFT][i->x & SP_AT_MASK];
        const double y = at[i->y >> SP_AT_SHIFT][i->y & SP_AT_MASK];
        const double z = at[i->z >> SP_AT_SHIFT][i->z & SP_AT_MASK];
        side[k] = side_of(p, i, x, y);
        work[i->to] = i->op == SP_OP_TABLE ? sp_table_value(p->table[(int)y], x)
                                           : sp_op_value((sp_op)i->op, x, y, z);
    }
}

/* Whether the sides at t are those that were found; NaN differs from nothing. */
static bool same_sides(const sp_program *p, double t, const double *side, double *now, double *work)
{
    find_sides(p, t, now, work);
    for (int k = 0; k < p->n_instr; k++) {
        if (now[k] < side[k] || now[k] > side[k]) {
            return false;
        }
    }
    return true;
}

/* Between *left and *right the sides change; halved until there is nothing between. */
static void close_in(const sp_program *p, const double *side, double *left, double *right,
                     double *now, double *work)
{
    double t = *left + 0.5 * (*right - *left);
    while (t > *left && t < *right) {
        *(same_sides(p, t, side, now, work) ? left : right) = t;
        t = *left + 0.5 * (*right - *left);
    }
}

bool sp_program_switch(const sp_program *p, double a, double b, double *left, double *right,
                       void *work)
{
    double *temp = work, *side = (double *)((sp_bounds *)work + p->n_temp + 1);
    double *now = side + p->n_instr, lo = a, end[DEPTH];
    int n = 0, looks = 0;
    end[n++] = a + FAR;
    while (n > 0 && lo <= b) {
        sp_open_kinks open;
        const double hi = end[n - 1];
        sp_program_bounds(p, lo, hi, &open, work);
        const bool tiny = hi - lo <= FINEST * (fabs(hi) + MOMENT) || n == DEPTH || looks++ > LOOKS;
        if (open.n > 0 && !open.steady && !tiny) {
            end[n++] = lo + 0.5 * (hi - lo);
            continue;
        }
        if (open.n > 0) {
            find_sides(p, lo, side, temp);
            if (!same_sides(p, hi, side, now, temp)) {
                *left = lo;
                *right = hi;
                close_in(p, side, left, right, now, temp);
                return true;
            }
        }
        lo = hi;
        n--;
    }
    return false;
}
