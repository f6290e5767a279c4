#include "dynamics/formula.h"

#include <string.h>

/* Which coordinate of the formula a signal is, SP_NONE for time. */
static int own_number(const sp_formula *f, const sp_signal *s)
{
    return s->kind == SP_SIG_Q   ? s->index - f->q
           : s->kind == SP_SIG_U ? s->index - f->dof
                                 : SP_NONE;
}

/* The values of the signals of a func; velocities times sign. */
static void gather(const sp_func *f, double t, const double *q, const double *u, double sign,
                   double *in)
{
    for (int k = 0; k < f->n_signal; k++) {
        const sp_signal *s = &f->signal[k];
        in[k] = s->kind == SP_SIG_Q ? q[s->index] : s->kind == SP_SIG_U ? sign * u[s->index] : t;
    }
}

/* Kinks that are held, of the velocities as they are. */
static const sp_held *held(const sp_func *f, double sign, const sp_dyn *dyn, sp_held *room)
{
    return sign == 1.0 ? sp_func_hold(f, dyn->kink, room) : NULL;
}

/* Value of a func; velocities times sign. */
static double value(const sp_func *f, double t, const double *q, const double *u, double sign,
                    sp_dyn *dyn)
{
    sp_held room;
    if (!f->program) {
        return f->constant;
    }
    gather(f, t, q, u, sign, dyn->in);
    const sp_held *hold = held(f, sign, dyn, &room);
    return hold ? sp_program_held(f->program, dyn->in, dyn->work, hold)
                : sp_program_value(f->program, dyn->in, dyn->work);
}

/* Entry (k, l) of the Hessian that was computed last. */
static double second(const sp_dyn *dyn, int k, int l)
{
    return k >= l ? dyn->hess[(size_t)k * (size_t)(k + 1) / 2 + (size_t)l]
                  : dyn->hess[(size_t)l * (size_t)(l + 1) / 2 + (size_t)k];
}

/* h += weight (dT/dq - d2T/du dq u - d2T/du dt) with velocities times sign, from the derivatives in
 * dyn; returns dT/dt.   theory (3.21) */
static double add_inertia_force(const sp_formula *f, const double *u, double sign, double weight,
                                const sp_dyn *dyn, double *h)
{
    const sp_func *T = &f->kinetic;
    double T_t = 0.0;
    for (int k = 0; k < T->n_signal; k++) {
        const int i = own_number(f, &T->signal[k]);
        if (T->signal[k].kind == SP_SIG_Q) {
            h[f->dof + i] += weight * dyn->grad[k];
        } else if (T->signal[k].kind == SP_SIG_TIME) {
            T_t = dyn->grad[k];
        }
        for (int l = 0; l < T->n_signal && T->signal[k].kind == SP_SIG_U; l++) {
            const sp_signal_kind by = T->signal[l].kind;
            const double rate = by == SP_SIG_Q ? sign * u[f->dof + own_number(f, &T->signal[l])]
                                : by == SP_SIG_TIME ? 1.0
                                                    : 0.0;
            h[f->dof + i] -= weight * rate * second(dyn, k, l);
        }
    }
    return T_t;
}

/* Derivatives of T with velocities times sign into dyn. */
static void differentiate(const sp_func *T, double t, const double *q, const double *u, double sign,
                          sp_dyn *dyn)
{
    sp_held room;
    gather(T, t, q, u, sign, dyn->in);
    sp_program_held_hess(T->program, dyn->in, dyn->grad, dyn->hess, dyn->work,
                         held(T, sign, dyn, &room));
}

/* M_ij = d2T/du_i du_j by the derivatives in dyn, into both copies.   theory (3.20) */
static void fill_mass(const sp_model *m, sp_dyn *dyn)
{
    const sp_formula *f = &m->formula;
    const sp_func *T = &f->kinetic;
    for (int i = 0; i < f->n; i++) {
        memset(dyn->M + m->dof[f->dof + i].row, 0, (size_t)(i + 1) * sizeof(double));
    }
    for (int k = 0; k < T->n_signal; k++) {
        for (int l = 0; l < T->n_signal && T->signal[k].kind == SP_SIG_U; l++) {
            const int i = own_number(f, &T->signal[k]), j = own_number(f, &T->signal[l]);
            if (T->signal[l].kind == SP_SIG_U && j <= i) {
                dyn->M[m->dof[f->dof + i].row + j] = second(dyn, k, l);
            }
        }
    }
}

/* Forces of inertia.  What is quadratic in the velocities is conservative; what T has beside that
 * (parts linear in or free of velocities, explicit time) comes from driven motion and is applied:
 * the even part in u without its value at u = 0 is the former.   theory (3.22), (3.23) */
static void inertia_forces(const sp_model *m, double t, const double *q, const double *u,
                           sp_dyn *dyn)
{
    const sp_formula *f = &m->formula;
    double *h_c = dyn->h[SP_CONSERVATIVE], *h_a = dyn->h[SP_APPLIED];
    differentiate(&f->kinetic, t, q, u, 1.0, dyn);
    if (!f->mixed) {
        add_inertia_force(f, u, 1.0, 1.0, dyn, h_c);
        return;
    }
    add_inertia_force(f, u, 1.0, 1.0, dyn, h_a);
    dyn->explicit_power += 0.5 * add_inertia_force(f, u, 1.0, 0.5, dyn, h_c);
    add_inertia_force(f, u, 1.0, -0.5, dyn, h_a);
    differentiate(&f->kinetic, t, q, u, -1.0, dyn);
    dyn->explicit_power += 0.5 * add_inertia_force(f, u, -1.0, 0.5, dyn, h_c);
    add_inertia_force(f, u, -1.0, -0.5, dyn, h_a);
    differentiate(&f->kinetic, t, q, u, 0.0, dyn);
    dyn->explicit_power -= add_inertia_force(f, u, 0.0, -1.0, dyn, h_c);
    add_inertia_force(f, u, 0.0, 1.0, dyn, h_a);
}

/* h -= d func / d(signals of a kind); returns the derivative by time. */
static double subtract_gradient(const sp_formula *f, const sp_func *func, sp_signal_kind kind,
                                double t, const double *q, const double *u, sp_dyn *dyn, double *h)
{
    double by_time = 0.0;
    if (!func->program) {
        return 0.0;
    }
    const double *grad = sp_program_slopes(func->program);
    if (!grad) {
        sp_held room;
        gather(func, t, q, u, 1.0, dyn->in);
        sp_program_held_grad(func->program, dyn->in, dyn->grad, dyn->work,
                             held(func, 1.0, dyn, &room));
        grad = dyn->grad;
    }
    for (int k = 0; k < func->n_signal; k++) {
        if (func->signal[k].kind == kind) {
            h[f->dof + own_number(f, &func->signal[k])] -= grad[k];
        } else if (func->signal[k].kind == SP_SIG_TIME) {
            by_time = grad[k];
        }
    }
    return by_time;
}

/* Forces on the coordinates so far, times a sign, as actions: before and after they say what the
 * formula adds. */
static void note_forces(const sp_model *m, double sign, sp_dyn *dyn)
{
    const sp_formula *f = &m->formula;
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        for (int k = f->dof; k < f->dof + f->n && dyn->acts[s]; k++) {
            if (dyn->h[s][k] != 0.0) {
                dyn->action[dyn->n_action++] =
                    (sp_action){.line = m->n_book / SP_LINE_BOOKED - 1,
                                .share = (sp_share)s,
                                .at.body = SP_NONE,
                                .dof = k,
                                .force = {sign * dyn->h[s][k], 0.0, 0.0}};
            }
        }
    }
}

void sp_formula_forces(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn)
{
    const sp_formula *f = &m->formula;
    const bool elements = m->layout.elements; /* theirs are in h already */
    dyn->explicit_power = 0.0;
    dyn->n_action = elements ? dyn->n_action : 0;
    for (int s = 0; s < SP_SHARES; s++) {
        if (!elements || !dyn->acts[s]) {
            memset(dyn->h[s] + f->dof, 0, (size_t)f->n * sizeof(double));
        }
    }
    note_forces(m, -1.0, dyn);
    if (f->M) {
        for (int i = 0; i < f->n && f->h; i++) {
            dyn->h[SP_APPLIED][f->dof + i] += value(&f->h[i], t, q, u, 1.0, dyn);
        }
    } else {
        inertia_forces(m, t, q, u, dyn);
    }
    dyn->explicit_power +=
        subtract_gradient(f, &f->potential, SP_SIG_Q, t, q, u, dyn, dyn->h[SP_CONSERVATIVE]);
    if (dyn->acts[SP_DAMPERS]) {
        subtract_gradient(f, &f->dissipation, SP_SIG_U, t, q, u, dyn, dyn->h[SP_DAMPERS]);
    }
    for (int i = 0; i < f->n && f->force; i++) {
        dyn->h[SP_APPLIED][f->dof + i] += value(&f->force[i], t, q, u, 1.0, dyn);
    }
    note_forces(m, 1.0, dyn);
}

double sp_formula_potential(const sp_model *m, double t, const double *q, const double *u,
                            sp_dyn *dyn)
{
    return value(&m->formula.potential, t, q, u, 1.0, dyn);
}

void sp_formula_terms(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn)
{
    const sp_formula *f = &m->formula;
    sp_formula_forces(m, t, q, u, dyn);
    if (!f->M && f->mixed) { /* else the derivatives are still there */
        differentiate(&f->kinetic, t, q, u, 1.0, dyn);
    }
    if (!f->M) {
        fill_mass(m, dyn);
    }
    for (int i = 0, k = 0; i < f->n; i++) {
        double *row = dyn->M + m->dof[f->dof + i].row;
        for (int j = 0; j <= i && f->M; j++, k++) {
            row[j] = value(&f->M[k], t, q, u, 1.0, dyn);
        }
        memcpy(dyn->L + m->dof[f->dof + i].row, row, (size_t)(i + 1) * sizeof(double));
    }
}

/* 1/2 u^T M u by the second derivatives of T in dyn. */
static double quadratic(const sp_formula *f, const double *u, const sp_dyn *dyn)
{
    const sp_func *T = &f->kinetic;
    double sum = 0.0;
    for (int k = 0; k < T->n_signal; k++) {
        for (int l = 0; l < T->n_signal && T->signal[k].kind == SP_SIG_U; l++) {
            if (T->signal[l].kind == SP_SIG_U) {
                sum += u[T->signal[k].index] * second(dyn, k, l) * u[T->signal[l].index];
            }
        }
    }
    return 0.5 * sum;
}

/* 1/2 u^T M u with M by expressions. */
static double quadratic_given(const sp_formula *f, double t, const double *q, const double *u,
                              sp_dyn *dyn)
{
    double sum = 0.0;
    for (int i = 0, k = 0; i < f->n; i++) {
        for (int j = 0; j <= i; j++, k++) {
            const double M_ij = value(&f->M[k], t, q, u, 1.0, dyn);
            sum += (i == j ? 0.5 : 1.0) * u[f->dof + i] * M_ij * u[f->dof + j];
        }
    }
    return sum;
}

void sp_formula_energies(const sp_model *m, double t, const double *q, const double *u, sp_dyn *dyn,
                         sp_energy *energy)
{
    const sp_formula *f = &m->formula;
    if (f->M) {
        const double T = quadratic_given(f, t, q, u, dyn);
        energy->kinetic += T;
        energy->quadratic += T;
    } else {
        const double T_p = value(&f->kinetic, t, q, u, 1.0, dyn);
        energy->kinetic += !f->mixed ? T_p
                                     : 0.5 * (T_p + value(&f->kinetic, t, q, u, -1.0, dyn)) -
                                           value(&f->kinetic, t, q, u, 0.0, dyn);
        differentiate(&f->kinetic, t, q, u, 1.0, dyn);
        energy->quadratic += quadratic(f, u, dyn);
    }
    energy->potential += sp_formula_potential(m, t, q, u, dyn);
}
