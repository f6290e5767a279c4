/* dynamics/lines.c - the energy ledger by element: stored energies and booked works. */
#include "dynamics/formula.h"
#include "dynamics/mixed.h"

/* Power of an action.   theory (22.6) */
static double power_of(const sp_action *a, const sp_kin *kin, const double *u)
{
    if (a->at.body == SP_NONE) {
        return a->force.x * u[a->dof];
    }
    const bool deforms =
        kin->deforms && kin->deforms[a->at.body]; /* then its place is known by q */
    const sp_spot s = deforms ? a->at : sp_spot_on(kin, a->at.body, a->at.x);
    return sp_inner3(a->force, sp_spot_velocity(kin, &s)) +
           sp_inner3(a->moment, sp_spot_spin(kin, &s));
}

void sp_dyn_book(const sp_model *m, const sp_kin *kin, const double *u, double factor,
                 const sp_dyn *dyn, double *book)
{
    for (int i = 0; i < dyn->n_action; i++) {
        const sp_action *a = &dyn->action[i];
        book[SP_LINE_BOOKED * a->line + (int)a->share - SP_DAMPERS] += factor * power_of(a, kin, u);
    }
    if (m->formula.n > 0) {
        book[m->n_book - 1] += factor * dyn->explicit_power;
    }
}

/* What is stored in a line. */
static double stored(const sp_model *m, const sp_numbers *num, const sp_kin *kin, const sp_at *at,
                     const sp_line *line, sp_dyn *dyn)
{
    const double t = at->t, *q = at->q, *u = at->u;
    switch (line->kind) {
    case SP_LINE_FORCE:
        return sp_dyn_element_energy(m, num, kin, t, q, u, line->index, dyn);
    case SP_LINE_JOINT:
        return sp_dyn_joint_energy(m, num, q, line->index);
    case SP_LINE_BODY:
        return sp_mixed_stored(m, line->index, q, dyn);
    case SP_LINE_FORMULA:
        return sp_formula_potential(m, t, q, u, dyn);
    case SP_LINE_THRESHOLD:
        return sp_dyn_threshold_energy(m, kin, t, q, line->index, dyn);
    case SP_LINE_GRAVITY:
        break;
    }
    return sp_dyn_weight(m, num, kin, dyn);
}

void sp_dyn_lines(const sp_model *m, const sp_numbers *num, const sp_kin *kin, const sp_at *at,
                  const double *book, sp_dyn *dyn, double *line)
{
    for (int i = 0; i < m->n_line; i++) {
        double *to = line + (size_t)SP_LINE_COLUMNS * (size_t)i;
        const bool booked = SP_LINE_BOOKED * i < m->n_book;
        to[SP_LINE_STORED] = stored(m, num, kin, at, &m->line[i], dyn);
        to[SP_LINE_DAMPERS] = booked ? book[SP_LINE_BOOKED * i] : 0.0;
        to[SP_LINE_APPLIED] = booked ? book[SP_LINE_BOOKED * i + 1] : 0.0;
    }
}
