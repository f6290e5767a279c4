/* Forward-mode evaluation.  Derivatives are carried for the inputs an intermediate result depends
 * on and no others, so that an infinite slope does not spoil what it has nothing to do with. */
#include "expr/program.h"

#include <string.h>

/* Places of the intermediate results in the caller's scratch. */
typedef struct scratch {
    const double *at[3]; /* values by kind of operand                       */
    double *v, *g, *h;   /* temporaries: values, gradients, Hessians        */
    const double *unit;  /* unit - j is the gradient of input j             */
    size_t n, n_h;       /* inputs, entries of a Hessian                    */
} scratch;

static inline double fetch(const double *const at[3], uint16_t operand)
{
    return at[operand >> SP_AT_SHIFT][operand & SP_AT_MASK];
}

static size_t triangle(size_t n)
{
    return n * (n + 1) / 2;
}

int sp_program_n_input(const sp_program *p)
{
    return p->n_input;
}

const int *sp_program_inputs(const sp_program *p)
{
    return p->input;
}

bool sp_program_is_const(const sp_program *p, double *value)
{
    if (p->result >> SP_AT_SHIFT != SP_AT_CONST) {
        return false;
    }
    if (value) {
        *value = p->constant[p->result & SP_AT_MASK];
    }
    return true;
}

const double *sp_program_slopes(const sp_program *p)
{
    return p->slope;
}

size_t sp_program_work(const sp_program *p, int order)
{
    const size_t n = (size_t)p->n_input, n_temp = (size_t)p->n_temp;
    const size_t each = 1 + (order > 0 ? n : 0) + (order > 1 ? triangle(n) : 0);
    return n_temp * each + (order > 0 ? 2 * n : 0) + 1;
}

double sp_program_value(const sp_program *p, const double *in, double *work)
{
    const double *const at[3] = {work, in, p->constant};
    for (const sp_instr *i = p->instr, *end = i + p->n_instr; i < end; i++) {
        const double x = fetch(at, i->x), y = fetch(at, i->y);
        switch (i->op) {
        case SP_OP_ADD: /* the commonest without a call */
            work[i->to] = x + y;
            break;
        case SP_OP_SUB:
            work[i->to] = x - y;
            break;
        case SP_OP_MUL:
            work[i->to] = x * y;
            break;
        case SP_OP_TABLE:
            work[i->to] = sp_table_value(p->table[(int)y], x);
            break;
        default:
            work[i->to] = sp_op_value((sp_op)i->op, x, y, fetch(at, i->z));
            break;
        }
    }
    return fetch(at, p->result);
}

/* Lays out the scratch:  v | g | h | 0 .. 0 1 0 .. 0 */
static scratch lay_out(const sp_program *p, const double *in, double *work, int order)
{
    const size_t n = (size_t)p->n_input, n_temp = (size_t)p->n_temp;
    scratch s = {.at = {work, in, p->constant}, .v = work, .n = n, .n_h = triangle(n)};
    s.g = s.v + n_temp;
    s.h = s.g + n_temp * n;
    double *unit = order > 1 ? s.h + n_temp * s.n_h : s.h;
    if (n) {
        memset(unit, 0, (2 * n - 1) * sizeof *unit);
        unit[n - 1] = 1.0;
        s.unit = unit + (n - 1);
    }
    return s;
}

/* The gradient of an operand that is no constant. */
static inline const double *gradient(const scratch *s, uint16_t operand)
{
    const size_t k = operand & SP_AT_MASK;
    return operand >> SP_AT_SHIFT == SP_AT_INPUT ? s->unit - k : s->g + k * s->n;
}

/* The Hessian of an operand, NULL if it vanishes. */
static inline const double *hessian(const scratch *s, uint16_t operand)
{
    return operand >> SP_AT_SHIFT == SP_AT_TEMP ? s->h + (operand & SP_AT_MASK) * s->n_h : NULL;
}

/* grad f = f_x grad x + f_y grad y */
static inline void chain_grad(const sp_instr *i, const sp_support *s, const uint16_t *on,
                              const sp_partials *d, const scratch *w)
{
    double *g = w->g + i->to * w->n;
    for (unsigned k = 0; k < s->n_to; k++) {
        g[on[s->to + k]] = 0.0;
    }
    if (d->use & SP_USE_X) {
        const double *g_x = gradient(w, i->x);
        for (unsigned k = 0; k < s->n_x; k++) {
            const unsigned j = on[s->x + k];
            g[j] = d->x * g_x[j];
        }
    }
    if (d->use & SP_USE_Y) {
        const double *g_y = gradient(w, i->y);
        for (unsigned k = 0; k < s->n_y; k++) {
            const unsigned j = on[s->y + k];
            g[j] += d->y * g_y[j];
        }
    }
}

/* H += f_x hess x + f_xx grad x grad x^T over the support of x */
static inline void add_own(double *H, const uint16_t *on, unsigned n_on, double first,
                           const double *H_x, double second, const double *g_x)
{
    for (unsigned r = 0; r < n_on; r++) {
        const size_t row = triangle(on[r]);
        for (unsigned c = 0; c <= r; c++) {
            const size_t k = row + on[c];
            H[k] += H_x ? first * H_x[k] : 0.0;
            H[k] += g_x ? second * g_x[on[r]] * g_x[on[c]] : 0.0;
        }
    }
}

/* H += f_xy (grad x grad y^T + grad y grad x^T) */
static inline void add_mixed(double *H, const uint16_t *on, const sp_support *s, double f_xy,
                             const double *g_x, const double *g_y)
{
    for (unsigned r = 0; r < s->n_x; r++) {
        const size_t i = on[s->x + r];
        for (unsigned c = 0; c < s->n_y; c++) {
            const size_t j = on[s->y + c];
            const double entry = f_xy * g_x[i] * g_y[j];
            H[i > j ? triangle(i) + j : triangle(j) + i] += i == j ? 2.0 * entry : entry;
        }
    }
}

/* hess f = f_x hess x + f_y hess y + f_xx xx^T + f_xy (xy^T + yx^T) + f_yy yy^T, x, y for their
 * gradients */
static inline void chain_hess(const sp_instr *i, const sp_support *s, const uint16_t *on,
                              const sp_partials *d, const scratch *w)
{
    double *H = w->h + i->to * w->n_h;
    for (unsigned r = 0; r < s->n_to; r++) {
        for (unsigned c = 0; c <= r; c++) {
            H[triangle(on[s->to + r]) + on[s->to + c]] = 0.0;
        }
    }
    const double *g_x = s->n_x ? gradient(w, i->x) : NULL;
    const double *g_y = s->n_y ? gradient(w, i->y) : NULL;
    if (s->n_x && d->use & SP_USE_X) {
        add_own(H, on + s->x, s->n_x, d->x, hessian(w, i->x), d->use & SP_USE_XX ? d->xx : 0.0,
                d->use & SP_USE_XX ? g_x : NULL);
    }
    if (s->n_y && d->use & SP_USE_Y) {
        add_own(H, on + s->y, s->n_y, d->y, hessian(w, i->y), d->use & SP_USE_YY ? d->yy : 0.0,
                d->use & SP_USE_YY ? g_y : NULL);
    }
    if (s->n_x && s->n_y && d->use & SP_USE_XY) {
        add_mixed(H, on, s, d->xy, g_x, g_y);
    }
}

/* The same for a result that depends on one input j only: f', f'' by the rules for one variable. */
static inline void chain_single(const sp_instr *i, const sp_support *s, size_t j,
                                const sp_partials *d, int order, const scratch *w)
{
    const bool has_x = s->n_x && d->use & SP_USE_X, has_y = s->n_y && d->use & SP_USE_Y;
    const double g_x = has_x ? gradient(w, i->x)[j] : 0.0, g_y = has_y ? gradient(w, i->y)[j] : 0.0;
    w->g[i->to * w->n + j] = (has_x ? d->x * g_x : 0.0) + (has_y ? d->y * g_y : 0.0);
    if (order < 2) {
        return;
    }
    const size_t k = triangle(j) + j;
    const double *H_x = has_x ? hessian(w, i->x) : NULL, *H_y = has_y ? hessian(w, i->y) : NULL;
    double H = (H_x ? d->x * H_x[k] : 0.0) + (H_y ? d->y * H_y[k] : 0.0);
    H += has_x && d->use & SP_USE_XX ? d->xx * g_x * g_x : 0.0;
    H += has_y && d->use & SP_USE_YY ? d->yy * g_y * g_y : 0.0;
    H += has_x && has_y && d->use & SP_USE_XY ? 2.0 * d->xy * g_x * g_y : 0.0;
    w->h[i->to * w->n_h + k] = H;
}

/* Runs the program with derivatives up to order; hold: NULL, or kinks that are held. */
static inline void run(const sp_program *p, const scratch *w, int order, const sp_held *hold)
{
    for (int k = 0, next = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const double x = fetch(w->at, i->x), y = fetch(w->at, i->y), z = fetch(w->at, i->z);
        const bool held = hold && next < hold->n && hold->list[next] == k;
        sp_partials d;
        if (held) {
            sp_op_held(p, i, x, y, &hold->kink[next++], &d);
        }
        if (sp_op_is_condition((sp_op)i->op)) {
            w->v[i->to] = held ? d.f : sp_op_condition((sp_op)i->op, x, y);
            continue;
        }
        const sp_support *s = &p->support[k];
        if (!held && i->op == SP_OP_TABLE) {
            sp_table_partials(p->table[(int)y], x, &d);
        } else if (!held) {
            sp_op_partials((sp_op)i->op, x, y, z, order, &d);
        }
        w->v[i->to] = d.f;
        if (s->n_to == 1) {
            chain_single(i, s, p->on[s->to], &d, order, w);
            continue;
        }
        if (order > 1) {
            chain_hess(i, s, p->on, &d, w);
        }
        chain_grad(i, s, p->on, &d, w);
    }
}

/* Copies the gradient of the result to the caller. */
static void give_grad(const sp_program *p, const scratch *w, double *grad)
{
    memset(grad, 0, w->n * sizeof *grad);
    const size_t k = p->result & SP_AT_MASK;
    if (p->result >> SP_AT_SHIFT == SP_AT_INPUT) {
        grad[k] = 1.0;
    }
    for (unsigned j = 0; j < p->n_on; j++) {
        grad[p->result_on[j]] = w->g[k * w->n + p->result_on[j]];
    }
}

/* Both kinds in one text; without kinks the compiler leaves them out. */
static inline double with_grad(const sp_program *p, const double *in, double *grad, double *work,
                               const sp_held *hold)
{
    if (p->slope) {
        memcpy(grad, p->slope, (size_t)p->n_input * sizeof *grad);
        return sp_program_value(p, in, work);
    }
    const scratch w = lay_out(p, in, work, 1);
    run(p, &w, 1, hold);
    give_grad(p, &w, grad);
    return fetch(w.at, p->result);
}

double sp_program_grad(const sp_program *p, const double *in, double *grad, double *work)
{
    return with_grad(p, in, grad, work, NULL);
}

double sp_program_held_grad(const sp_program *p, const double *in, double *grad, double *work,
                            const sp_held *hold)
{
    return hold ? with_grad(p, in, grad, work, hold) : with_grad(p, in, grad, work, NULL);
}

static inline double with_hess(const sp_program *p, const double *in, double *grad, double *hess,
                               double *work, const sp_held *hold)
{
    if (p->slope) {
        memset(hess, 0, triangle((size_t)p->n_input) * sizeof *hess);
        return sp_program_grad(p, in, grad, work);
    }
    const scratch w = lay_out(p, in, work, 2);
    run(p, &w, 2, hold);
    give_grad(p, &w, grad);
    memset(hess, 0, w.n_h * sizeof *hess);
    const double *H = p->n_on ? hessian(&w, p->result) : NULL;
    for (unsigned r = 0; r < p->n_on; r++) {
        for (unsigned c = 0; c <= r; c++) {
            const size_t k = triangle(p->result_on[r]) + p->result_on[c];
            hess[k] = H[k];
        }
    }
    return fetch(w.at, p->result);
}

double sp_program_hess(const sp_program *p, const double *in, double *grad, double *hess,
                       double *work)
{
    return with_hess(p, in, grad, hess, work, NULL);
}

double sp_program_held_hess(const sp_program *p, const double *in, double *grad, double *hess,
                            double *work, const sp_held *hold)
{
    return hold ? with_hess(p, in, grad, hess, work, hold)
                : with_hess(p, in, grad, hess, work, NULL);
}
