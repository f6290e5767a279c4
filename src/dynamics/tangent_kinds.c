/* dynamics/tangent_kinds.c - bodies that deform in dual numbers.  A kind gives numbers only
 * (kinematics/kind.h); the derivatives of its functions are differences of order four over a step
 * of 1e-3 along the direction: exact to round-off / 1e-3 for polynomials up to the fourth degree in
 * its coordinates, off by 1e-12/30 of the fifth derivative otherwise.   theory (69.1), (69.2) */
#include "dynamics/algebra_dual.h"
#include "kinematics/flex.h"
#include "kinematics/flex.inc"
#include "kinematics/kind.h"

#include <string.h>

enum { FRAME = 6, SIDES = 4 };
#define STEP 1e-3

static const double side_at[SIDES] = {-2.0, -1.0, 1.0, 2.0},
                    side_weight[SIDES] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};

struct sp_tangent_kinds {
    double *q, *u;                /* most_own                                         */
    double *M, *x, *F;            /* (6 + most_own)^2; 6 + most_own each              */
    double *side, *value, *slope; /* 12 + 6 most_own: a function, and its derivative  */
    sp_dual3 *phi, *psi;          /* most_own + 1                                     */
    sp_dual *rate, *gain;         /* likewise: velocities and their rates             */
};

bool sp_tangent_kinds_alloc(sp_arena *arena, const sp_model *m, sp_tangent *to)
{
    const int own = m->layout.most_own, n = FRAME + own, most = FRAME + 6 * (own + 1);
    sp_tangent_kinds *k = SP_NEW(arena, sp_tangent_kinds, 1);
    if (!k) {
        return false;
    }
    *k = (sp_tangent_kinds){.q = SP_NEW(arena, double, own),
                            .u = SP_NEW(arena, double, own),
                            .M = SP_NEW(arena, double, n *n),
                            .x = SP_NEW(arena, double, n),
                            .F = SP_NEW(arena, double, n),
                            .side = SP_NEW(arena, double, most),
                            .value = SP_NEW(arena, double, most),
                            .slope = SP_NEW(arena, double, most),
                            .phi = SP_NEW(arena, sp_dual3, own + 1),
                            .psi = SP_NEW(arena, sp_dual3, own + 1),
                            .rate = SP_NEW(arena, sp_dual, own + 1),
                            .gain = SP_NEW(arena, sp_dual, own + 1)};
    to->kinds = k;
    return k->q && k->u && k->M && k->x && k->F && k->side && k->value && k->slope && k->phi &&
           k->psi && k->rate && k->gain;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* What a kind gives of a body, h along the direction: n numbers. */
typedef void function(const sp_tangent *to, int body, const void *of, double h, double *out);

/* The body's own coordinates and velocities, h along the direction. */
static void own_at(const sp_tangent *to, int body, double h)
{
    const sp_body *b = &to->m->body[body];
    for (int k = 0, dof = b->dof + b->n_dof; k < b->n_own; k++, dof++) {
        to->kinds->q[k] = to->at.q[to->m->dof[dof].q] + h * to->dq[dof];
        to->kinds->u[k] = to->u[dof].v + h * to->u[dof].d;
    }
}

/* Value and slope of a function; more: how far else it moves.  The step moves nothing by more than
 * STEP. */
static void differentiate(const sp_tangent *to, int body, function *f, const void *of, double more,
                          int n)
{
    const sp_body *b = &to->m->body[body];
    const sp_tangent_kinds *x = to->kinds;
    double size = more;
    for (int k = b->dof + b->n_dof; k < b->dof + b->n_dof + b->n_own; k++) {
        size = fmax(size, fmax(fabs(to->dq[k]), fabs(to->du[k])));
    }
    memset(x->slope, 0, (size_t)n * sizeof *x->slope);
    for (int i = 0; i < SIDES && size > 0.0; i++) {
        f(to, body, of, side_at[i] * STEP / size, x->side);
        for (int k = 0; k < n; k++) {
            x->slope[k] += side_weight[i] * size / STEP * x->side[k];
        }
    }
    f(to, body, of, 0.0, x->value);
}

/* Three of the numbers as a vector. */
static vec three(const sp_tangent_kinds *x, int k)
{
    return (vec){sp_vec3_of(x->value + k), sp_vec3_of(x->slope + k)};
}

/* ---- places ---------------------------------------------------------------------------------- */

/* How many velocities move a place against the frame: those of its body, then that of its guest. */
static int columns_of(const sp_tangent *to, const spot *s)
{
    return to->m->body[s->body].n_own + (s->guest != SP_GROUND);
}

static int column_dof(const sp_tangent *to, const spot *s, int k)
{
    const sp_body *b = &to->m->body[s->body];
    return k < b->n_own ? b->dof + b->n_dof + k : to->m->body[s->guest].dof;
}

static void look(const sp_tangent *to, int body, const void *of, double h, double *out)
{
    const spot *s = of;
    const sp_body *b = &to->m->body[body];
    const sp_vec3 at = sp_axpy3(s->at.v, h, s->at.d);
    const double place[3] = {at.x, at.y, at.z};
    sp_vec3 *to_vec = (sp_vec3 *)(void *)out; /* bias, spin bias, phi, psi */
    sp_deformed d = {.phi = to_vec + 2, .psi = to_vec + 2 + columns_of(to, s)};
    own_at(to, body, h);
    if (s->guest != SP_GROUND) {
        const real rate = to->u[to->m->body[s->guest].dof];
        b->kind->slide(b->form, NULL, place, rate.v + h * rate.d, to->kinds->q, to->kinds->u, &d);
    } else {
        b->kind->place(b->form, NULL, place, s->shape, to->kinds->q, to->kinds->u, &d);
    }
    to_vec[0] = d.bias;
    to_vec[1] = d.spin_bias;
}

static deformed place(const sp_tangent *to, const spot *s)
{
    const sp_tangent_kinds *x = to->kinds;
    const int n = columns_of(to, s);
    const double rate =
        n > to->m->body[s->body].n_own ? fabs(to->du[column_dof(to, s, n - 1)]) : 0.0;
    differentiate(to, s->body, look, s, fmax(sp_length3(s->at.d), rate), FRAME + 6 * n);
    for (int k = 0; k < n; k++) {
        x->phi[k] = three(x, FRAME + 3 * k);
        x->psi[k] = three(x, FRAME + 3 * (n + k));
    }
    return (deformed){x->phi, x->psi, three(x, 0), three(x, 3)};
}

void sp_tangent_relative(const sp_tangent *to, const spot *s, vec out[4])
{
    const sp_tangent_kinds *x = to->kinds;
    const deformed d = place(to, s);
    const int n = columns_of(to, s);
    for (int k = 0; k < n; k++) {
        x->rate[k] = to->u[column_dof(to, s, k)];
        x->gain[k] = to->a[column_dof(to, s, k)];
    }
    const relative r = against_frame(&d, to->body[s->body].R, s->d, n, x->rate, x->gain);
    memcpy(out, (vec[4]){r.v, r.w, r.a, r.alpha}, 4 * sizeof *out);
}

void sp_tangent_bend(sp_tangent *to, const spot *s, vec force, vec moment)
{
    const deformed d = place(to, s);
    for (int k = 0; k < columns_of(to, s); k++) {
        vec v, w;
        shape_of(&d, to->body[s->body].R, s->d, k, &v, &w);
        sp_tangent_on_dof(to, column_dof(to, s, k), r_add(inner(v, force), inner(w, moment)));
    }
}

/* ---- inertia, and what bodies store and damp ------------------------------------------------- */

/* M(q) x - h(q, u, omega) - d, x held. */
static void take(const sp_tangent *to, int body, const void *of, double h, double *out)
{
    const vec *omega = of;
    const sp_body *b = &to->m->body[body];
    const sp_tangent_kinds *k = to->kinds;
    const int n = FRAME + b->n_own;
    memset(k->F, 0, (size_t)n * sizeof *k->F);
    own_at(to, body, h);
    b->kind->inertia(b->form, NULL, k->q, k->M);
    b->kind->forces(b->form, NULL, k->q, k->u, sp_axpy3(omega->v, h, omega->d), k->F, k->F);
    for (int i = 0; i < n; i++) {
        out[i] = -k->F[i];
        for (int j = 0; j < n; j++) {
            out[i] += k->M[n * i + j] * k->x[j];
        }
    }
}

/* theory (69.2) */
void sp_tangent_load_kind(sp_tangent *to, int body)
{
    const sp_body *b = &to->m->body[body];
    const frame *f = &to->body[body];
    const sp_tangent_kinds *k = to->kinds;
    const int n = FRAME + b->n_own, own = b->dof + b->n_dof;
    const vec omega = rotate_back(f->R, f->omega), alpha = rotate_back(f->R, f->alpha0);
    const vec acc = rotate_back(f->R, sub(f->a0, to->g));
    for (int j = 0; j < n; j++) {
        k->x[j] = j < 3       ? part(acc, j).v
                  : j < FRAME ? part(alpha, j - 3).v
                              : to->a[own + j - FRAME].v;
    }
    differentiate(to, body, take, &omega, sp_length3(omega.d), n);
    for (int i = 0; i < n; i++) { /* M is there */
        for (int j = 0; j < FRAME; j++) {
            k->slope[i] += k->M[n * i + j] * (j < 3 ? part(acc, j) : part(alpha, j - 3)).d;
        }
    }
    const spot origin = {.body = body, .x = f->x};
    sp_tangent_push(to, &origin, scale(-1.0, rotate(f->R, three(k, 0))),
                    scale(-1.0, rotate(f->R, three(k, 3))));
    for (int i = 0; i < b->n_own; i++) {
        sp_tangent_on_dof(to, own + i, (real){-k->value[FRAME + i], -k->slope[FRAME + i]});
    }
}
