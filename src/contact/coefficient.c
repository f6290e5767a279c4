#include "contact/coefficient.h"

#include "contact/rule.h"

double sp_law_mu(const sp_model *m, const sp_numbers *num, int law, double v, double *in,
                 double *grad, double *work, double *slope)
{
    const sp_func *f = &m->law[law].mu;
    double mu = num->law[law].mu_slip, rise = 0.0;
    if (f->program) {
        in[0] = v;
        mu = slope ? sp_program_grad(f->program, in, grad, work)
                   : sp_program_value(f->program, in, work);
        rise = slope ? grad[0] : 0.0;
    }
    if (mu < 0.0) { /* beyond the speeds that the model was checked at */
        mu = rise = 0.0;
    }
    if (slope) {
        *slope = rise;
    }
    return mu;
}

double sp_con_mu(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot, double v,
                 double *slope)
{
    return sp_law_mu(m, num, m->slot[slot].law, v, con->in, con->grad, con->work, slope);
}

/* The value of one coefficient of restitution; NaN stays NaN. */
static double restitution(const sp_func *f, double number, double v_N, const sp_con *con)
{
    if (!f->program) {
        return number;
    }
    con->in[0] = v_N;
    const double eps = sp_program_value(f->program, con->in, con->work);
    return eps < 0.0 ? 0.0 : eps > 1.0 ? 1.0 : eps;
}

void sp_con_restitution(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                        double v_N, double eps[2])
{
    const int law = m->slot[slot].law;
    eps[0] = sp_rule_no_play(m, slot)
                 ? 0.0
                 : restitution(&m->law[law].eps_N, num->law[law].eps_N, v_N, con);
    eps[1] = restitution(&m->law[law].eps_T, num->law[law].eps_T, v_N, con);
}
