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
static double hold_piece(const sp_table *t, double x, sp_kink *k)
{
    const int piece = isnan(k->side) ? sp_table_piece(t, x) : (int)k->side;
    const double below = piece > 0 ? x - t->x[piece] : INFINITY;
    const double above = piece < t->n - 2 ? t->x[piece + 1] - x : INFINITY;
    const double slope = (t->y[piece + 1] - t->y[piece]) / (t->x[piece + 1] - t->x[piece]);
    k->side = piece;
    k->other = below < above ? piece - 1 : piece + 1;
    k->phi = below < above ? below : above;
    return t->y[piece] + slope * (x - t->x[piece]);
}

/* The operation with its kink held. */
static double hold(const sp_program *p, const sp_instr *i, double x, double y, sp_kink *k)
{
    switch ((sp_op)i->op) {
    case SP_OP_ABS:
        return hold_sign(k, x) * x;
    case SP_OP_SIGN:
        return hold_sign(k, x);
    case SP_OP_FLOOR:
        return hold_whole(k, x);
    case SP_OP_MOD:
        return x - y * hold_whole(k, x / y);
    case SP_OP_MIN:
        return hold_sign(k, y - x) > 0.0 ? x : y;
    case SP_OP_MAX:
        return hold_sign(k, x - y) > 0.0 ? x : y;
    case SP_OP_LESS: /* on the border it is false */
        return hold_sign(k, x - y) > 0.0 ? 0.0 : 1.0;
    case SP_OP_LESS_EQUAL:
        return hold_sign(k, y - x) > 0.0 ? 1.0 : 0.0;
    default:
        return hold_piece(p->table[(int)y], x, k);
    }
}

double sp_program_held(const sp_program *p, const double *in, double *work, int n, const int *list,
                       sp_kink *kink)
{
    const double *const at[3] = {work, in, p->constant};
    for (int k = 0, next = 0; k < p->n_instr; k++) {
        const sp_instr *i = &p->instr[k];
        const double x = at[i->x >> SP_AT_SHIFT][i->x & SP_AT_MASK];
        const double y = at[i->y >> SP_AT_SHIFT][i->y & SP_AT_MASK];
        const double z = at[i->z >> SP_AT_SHIFT][i->z & SP_AT_MASK];
        if (next < n && list[next] == k) {
            work[i->to] = hold(p, i, x, y, &kink[next++]);
        } else {
            work[i->to] = i->op == SP_OP_TABLE ? sp_table_value(p->table[(int)y], x)
                                               : sp_op_value((sp_op)i->op, x, y, z);
        }
    }
    return at[p->result >> SP_AT_SHIFT][p->result & SP_AT_MASK];
}
