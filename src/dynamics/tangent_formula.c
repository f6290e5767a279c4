/* dynamics/tangent_formula.c - formula coordinates with their derivatives.
 *
 *     r_i = D^2 T [e_ui, d] - D T [e_qi] + V_qi + D_ui - Q_i,     d = (u, a, 1) over (q, u, t)
 *
 * so that dr_i = D^3 T [e_ui, d, p] + D^2 T [e_ui, dd] - D^2 T [e_qi, p] + ..., p = (dq, du, 0),
 * dd = (du, 0, 0).   theory (3.20)-(3.24) */
#include "dynamics/tangent.h"
#include "expr/taylor.h"

/* Which coordinate of the formula a signal is. */
static int number_of(const sp_formula *f, const sp_signal *s)
{
    return s->kind == SP_SIG_Q ? s->index - f->q : s->index - f->dof;
}

/* Entry (k, l) of the Hessian that was computed last. */
static double second(const sp_tangent *to, int k, int l)
{
    const int hi = k > l ? k : l, lo = k > l ? l : k;
    return to->hess[(size_t)hi * (size_t)(hi + 1) / 2 + (size_t)lo];
}

/* The directions d, scaled to size 1, and p of the signals of T; returns the size of d. */
static double directions(sp_tangent *to, const sp_func *T, double *d, double *p)
{
    const sp_formula *f = &to->m->formula;
    double size = 0.0;
    for (int k = 0; k < T->n_signal; k++) {
        const sp_signal *s = &T->signal[k];
        const int i = f->dof + (s->kind == SP_SIG_TIME ? 0 : number_of(f, s));
        d[k] = s->kind == SP_SIG_Q ? to->u[i].v : s->kind == SP_SIG_U ? to->a[i].v : 1.0;
        p[k] = to->in_d[k];
        size = fabs(d[k]) > size ? fabs(d[k]) : size;
    }
    for (int k = 0; k < T->n_signal && size > 0.0; k++) {
        d[k] /= size;
    }
    return size;
}

/* Inertia by the kinetic energy. */
static void kinetic(sp_tangent *to)
{
    const sp_formula *f = &to->m->formula;
    const sp_func *T = &f->kinetic;
    if (!T->program) {
        return;
    }
    sp_tangent_slopes(to, T);
    double *d = to->along, *p = d + T->n_signal, *e = p + T->n_signal;
    const double size = directions(to, T, d, p);
    for (int k = 0; k < T->n_signal; k++) { /* first what the Hessian gives */
        const sp_signal *s = &T->signal[k];
        if (s->kind == SP_SIG_Q) {
            sp_tangent_on_dof(to, f->dof + number_of(f, s), to->slope[k]);
        }
        for (int j = 0; j < T->n_signal && s->kind == SP_SIG_U; j++) {
            const bool by_q = T->signal[j].kind == SP_SIG_Q;
            const double du = by_q ? to->du[f->dof + number_of(f, &T->signal[j])] : 0.0;
            const double H = second(to, k, j);
            sp_tangent_on_dof(to, f->dof + number_of(f, s), (sp_dual){-H * d[j] * size, -H * du});
        }
    }
    for (int k = 0; k < T->n_signal; k++) { /* then the third derivatives; the scratch is free */
        if (T->signal[k].kind == SP_SIG_U) {
            for (int j = 0; j < T->n_signal; j++) {
                e[j] = j == k ? 1.0 : 0.0;
            }
            const double third =
                sp_program_third(T->program, to->in, e, d, p, to->path, to->work) * size;
            sp_tangent_on_dof(to, f->dof + number_of(f, &T->signal[k]), (sp_dual){0.0, -third});
        }
    }
}

/* r_i += the derivative of a func by the signals of a kind. */
static void add_gradient(sp_tangent *to, const sp_func *func, sp_signal_kind kind)
{
    const sp_formula *f = &to->m->formula;
    if (!func->program) {
        return;
    }
    sp_tangent_slopes(to, func);
    for (int k = 0; k < func->n_signal; k++) {
        if (func->signal[k].kind == kind) {
            sp_tangent_on_dof(to, f->dof + number_of(f, &func->signal[k]),
                              sp_dual_scale(-1.0, to->slope[k]));
        }
    }
}

/* M a - h with both given by expressions. */
static void given(sp_tangent *to)
{
    const sp_formula *f = &to->m->formula;
    for (int i = 0, k = 0; i < f->n; i++) {
        if (f->h) {
            sp_tangent_on_dof(to, f->dof + i, sp_tangent_value(to, &f->h[i]));
        }
        for (int j = 0; j <= i; j++, k++) {
            const sp_dual M = sp_tangent_value(to, &f->M[k]);
            sp_tangent_on_dof(to, f->dof + i, sp_dual_scale(-to->a[f->dof + j].v, M));
            if (j < i) {
                sp_tangent_on_dof(to, f->dof + j, sp_dual_scale(-to->a[f->dof + i].v, M));
            }
        }
    }
}

void sp_tangent_formula(sp_tangent *to)
{
    const sp_formula *f = &to->m->formula;
    if (f->M) {
        given(to);
    } else {
        kinetic(to);
    }
    add_gradient(to, &f->potential, SP_SIG_Q);
    add_gradient(to, &f->dissipation, SP_SIG_U);
    for (int i = 0; i < f->n && f->force; i++) {
        sp_tangent_on_dof(to, f->dof + i, sp_tangent_value(to, &f->force[i]));
    }
}
