#include "expr/held.h"

#include "expr/program.h"

/* Whether an operation has kinks. */
static bool has_kinks(const sp_program *p, const sp_instr *i)
{
    switch ((sp_op)i->op) {
    case SP_OP_ABS:
    case SP_OP_SIGN:
    case SP_OP_FLOOR:
    case SP_OP_MOD:
    case SP_OP_MIN:
    case SP_OP_MAX:
    case SP_OP_LESS:
    case SP_OP_LESS_EQUAL:
        return true;
    case SP_OP_TABLE:
        return !p->table[(int)p->constant[i->y & SP_AT_MASK]]->bend;
    default:
        return false;
    }
}

/* Whether an operand depends on the state. */
static bool depends(const bool *of_state, const bool *mark, uint16_t operand)
{
    const int where = operand >> SP_AT_SHIFT, which = operand & SP_AT_MASK;
    return where == SP_AT_TEMP ? mark[which] : where == SP_AT_INPUT && of_state[which];
}

int sp_program_kinks(const sp_program *p, const bool *of_state, bool *mark, int *list)
{
    int n = 0;
    for (int k = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const bool state = depends(of_state, mark, i->x) || depends(of_state, mark, i->y) ||
                           depends(of_state, mark, i->z);
        if (state && has_kinks(p, i)) {
            if (list) {
                list[n] = k;
            }
            n++;
        }
        mark[i->to] = state;
    }
    return n;
}

/* A kink with two sides by the sign of d, 1 and -1; its side. */
static double hold_sign(sp_kink *k, double d)
{
    k->side = isnan(k->side) ? (d >= 0.0 ? 1.0 : -1.0) : k->side;
    k->other = -k->side;
    k->phi = k->side * d;
    return k->side;
}

/* A kink between whole numbers; its side. */
static double hold_whole(sp_kink *k, double x)
{
    k->side = isnan(k->side) ? floor(x) : k->side;
    const double below = x - k->side, above = k->side + 1.0 - x;
    k->other = below < above ? k->side - 1.0 : k->side + 1.0;
    k->phi = below < above ? below : above;
    return k->side;
}

/* A table by straight lines on the piece that is held. */
static void hold_piece(const sp_table *t, double x, sp_kink *k, sp_partials *d)
{
    const int piece = isnan(k->side) ? sp_table_piece(t, x) : (int)k->side;
    const double below = piece > 0 ? x - t->x[piece] : INFINITY;
    const double above = piece < t->n - 2 ? t->x[piece + 1] - x : INFINITY;
    d->x = (t->y[piece + 1] - t->y[piece]) / (t->x[piece + 1] - t->x[piece]);
    d->use = SP_USE_X;
    d->f = t->y[piece] + d->x * (x - t->x[piece]);
    k->side = piece;
    k->other = below < above ? piece - 1 : piece + 1;
    k->phi = below < above ? below : above;
}

/* One of two operands, by the side of d. */
static void hold_one(double x, double y, double by, sp_kink *k, sp_partials *d)
{
    const bool first = hold_sign(k, by) > 0.0;
    d->use = first ? SP_USE_X : SP_USE_Y;
    d->x = d->y = 1.0;
    d->f = first ? x : y;
}

void sp_op_held(const sp_program *p, const sp_instr *i, double x, double y, sp_kink *k,
                sp_partials *d)
{
    d->use = 0;
    switch ((sp_op)i->op) {
    case SP_OP_ABS:
        d->use = SP_USE_X;
        d->x = hold_sign(k, x);
        d->f = d->x * x;
        return;
    case SP_OP_SIGN:
        d->f = hold_sign(k, x);
        return;
    case SP_OP_FLOOR:
        d->f = hold_whole(k, x);
        return;
    case SP_OP_MOD:
        d->use = SP_USE_X | SP_USE_Y;
        d->x = 1.0;
        d->y = -hold_whole(k, x / y);
        d->f = x + y * d->y;
        return;
    case SP_OP_MIN:
        hold_one(x, y, y - x, k, d);
        return;
    case SP_OP_MAX:
        hold_one(x, y, x - y, k, d);
        return;
    case SP_OP_LESS: /* on the border it is false */
        d->f = hold_sign(k, x - y) > 0.0 ? 0.0 : 1.0;
        return;
    case SP_OP_LESS_EQUAL:
        d->f = hold_sign(k, y - x) > 0.0 ? 1.0 : 0.0;
        return;
    default:
        hold_piece(p->table[(int)y], x, k, d);
    }
}

double sp_program_held(const sp_program *p, const double *in, double *work, const sp_held *hold)
{
    const double *const at[3] = {work, in, p->constant};
    for (int k = 0, next = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const double x = at[i->x >> SP_AT_SHIFT][i->x & SP_AT_MASK];
        const double y = at[i->y >> SP_AT_SHIFT][i->y & SP_AT_MASK];
        const double z = at[i->z >> SP_AT_SHIFT][i->z & SP_AT_MASK];
        if (next < hold->n && hold->list[next] == k) {
            sp_partials d;
            sp_op_held(p, i, x, y, &hold->kink[next++], &d);
            work[i->to] = d.f;
        } else {
            work[i->to] = i->op == SP_OP_TABLE ? sp_table_value(p->table[(int)y], x)
                                               : sp_op_value((sp_op)i->op, x, y, z);
        }
    }
    return at[p->result >> SP_AT_SHIFT][p->result & SP_AT_MASK];
}
