#include "integrators/grips.h"

#include "base/status.h"
#include "contact/rule.h"
#include "contact/tangent.h"
#include "integrators/small.h"

#include <math.h>
#include <string.h>

enum { PASSES = 60 };
#define AGREE SP_NOISE /* grips that differ by less, of the largest, are the same */

struct sp_grips {
    int n, pass;
    double *g, *found;     /* n: grips in the sets; those of the reactions that they led to   */
    double *g_old, *r_old; /* n: the same and the residual found - g, a pass before           */
    double *H, *step;      /* n x n: approximates the inverse of d(g - found)/dg; n: scratch  */
    double *a, *none, *du; /* n_dof: accelerations; zeroes; for others                        */
    sp_held_row *row;
    sp_tangent tangent;
};

bool sp_grips_room(const sp_model *m, sp_work *w)
{
    sp_arena *a = &w->arena;
    const size_t n = (size_t)m->layout.n_grip;
    if (n == 0) {
        return true;
    }
    sp_grips *p = w->grips = SP_NEW(a, sp_grips, 1);
    if (!p) {
        return false;
    }
    *p = (sp_grips){.n = (int)n,
                    .g = SP_NEW(a, double, n),
                    .found = SP_NEW(a, double, n),
                    .g_old = SP_NEW(a, double, n),
                    .r_old = SP_NEW(a, double, n),
                    .H = SP_NEW(a, double, n *n),
                    .step = SP_NEW(a, double, n),
                    .a = SP_NEW(a, double, m->n_dof),
                    .none = SP_NEW(a, double, m->n_dof),
                    .du = SP_NEW(a, double, m->n_dof),
                    .row = SP_NEW(a, sp_held_row, m->layout.contact_rows * w->con.capacity)};
    return p->g && p->found && p->g_old && p->r_old && p->H && p->step && p->a && p->none &&
           p->du && p->row && sp_tangent_alloc(a, m, &p->tangent);
}

double *sp_grips_du(const sp_work *w)
{
    return w->grips->du;
}

/* ---- reactions ------------------------------------------------------------------------------- */

/* All rows of the problem with their forces. */
static int list_rows(const sp_con *con, const double *P, sp_held_row *row)
{
    int n = 0;
    for (int a = 0; a < con->n_active; a++) {
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            row[n] = (sp_held_row){con->active[a], r - con->row[a], P[r] / con->dt};
            n += P[r] != 0.0;
        }
    }
    return n;
}

/* What the joints carry under du and P, into p->tangent.wrench. */
static void look(const sp_model *m, const sp_numbers *num, const double *du, const double *P,
                 const sp_work *w)
{
    sp_grips *p = w->grips;
    const sp_con *con = &w->con;
    for (int k = 0; k < m->n_dof; k++) {
        p->a[k] = du[k] / con->dt;
    }
    const sp_tangent_point at = {.at = {con->t, con->q, con->u, p->a, w->dyn.z, con->kin},
                                 .con = con,
                                 .n_row = list_rows(con, P, p->row),
                                 .row = p->row};
    sp_tangent_look(m, num, &at, p->none, p->none, &p->tangent);
}

/* The grip of one joint.  A guide or a journal bears the force N across its axis and the moment M
 * about its middle with two forces at its ends; a guide the moment about its axis and a journal the
 * force along it at a radius of their own.   theory (86.2), (86.3) */
static double grip_of(const sp_model *m, int slot, const sp_tangent *to)
{
    const sp_rule *r = &m->rule[m->slot[slot].rule];
    const int b = r->grip.body;
    const sp_axis3 axis = sp_spot_axis(m, to->at.kin, m->body[b].dof);
    const sp_vec3 along = r->angle ? axis.w : axis.s;
    const sp_vec3 e = sp_scale3(1.0 / sp_length3(along), along), f = to->wrench[b].f.v;
    const sp_vec3 M = sp_tangent_joint_moment(to, b);
    const sp_vec3 half = sp_scale3(0.5, sp_axpy3(f, -sp_inner3(f, e), e));
    const sp_vec3 pair = sp_scale3(r->grip.lever, sp_cross3(M, e));
    const double ends = sp_length3(sp_add3(half, pair)) + sp_length3(sp_sub3(half, pair));
    const double rest = fabs(sp_inner3(r->angle ? f : M, e));
    return r->grip.mu * (r->grip.ends * ends + r->grip.rest * rest);
}

/* ---- the fixed point ------------------------------------------------------------------------- */

/* Place of a slot among the active ones. */
static int place_of(const sp_con *con, int slot)
{
    for (int a = 0; a < con->n_active; a++) {
        if (con->active[a] == slot) {
            return a;
        }
    }
    return SP_NONE;
}

/* Grip i into the sets. */
static void put(const sp_model *m, int i, double g, sp_work *w)
{
    const int slot = m->layout.grip[i], a = place_of(&w->con, slot);
    w->grips->g[i] = g;
    w->con.grip[slot] = g;
    if (a != SP_NONE) {
        const double limit = sp_rule_limit(m, &w->con, slot) * w->con.dt;
        w->con.set[a] = sp_set_interval(-limit, limit);
    }
}

void sp_grips_begin(const sp_model *m, sp_work *w)
{
    w->grips->pass = 0;
    for (int i = 0; i < w->grips->n; i++) {
        put(m, i, 0.0, w);
    }
}

/* Whether the solution would be another one with the grip that was found: the friction of the joint
 * is at its limit, or beyond the new one. */
static bool matters(const sp_model *m, int i, double size, const double *P, const sp_work *w)
{
    const sp_grips *p = w->grips;
    const int a = place_of(&w->con, m->layout.grip[i]);
    if (a == SP_NONE || fabs(p->found[i] - p->g[i]) <= AGREE * size) {
        return false;
    }
    const double force = fabs(P[w->con.row[a]]), now = w->con.set[a].hi;
    const double then = now + (p->found[i] - p->g[i]) * w->con.dt;
    return force >= now * (1.0 - SP_FINE) || force > then;
}

/* step = H r, and before, from the second pass on, Broyden's update of H with the last step s and
 * what it changed of the residual.   theory (86.4) */
static void find_step(sp_grips *p)
{
    const int n = p->n;
    for (int i = 0; i < n && p->pass == 0; i++) {
        for (int j = 0; j < n; j++) {
            p->H[i * n + j] = i == j ? 1.0 : 0.0;
        }
    }
    double down = 0.0;
    for (int i = 0; i < n && p->pass > 0; i++) { /* H y, y = r_old - r, and s.H y */
        p->step[i] = 0.0;
        for (int j = 0; j < n; j++) {
            p->step[i] += p->H[i * n + j] * (p->r_old[j] - (p->found[j] - p->g[j]));
        }
        down += (p->g[i] - p->g_old[i]) * p->step[i];
    }
    for (int j = 0; j < n && down != 0.0; j++) {
        double left = 0.0; /* (s^T H)_j */
        for (int i = 0; i < n; i++) {
            left += (p->g[i] - p->g_old[i]) * p->H[i * n + j];
        }
        p->r_old[j] = left / down; /* it is used up: all of y is in step */
    }
    for (int i = 0; i < n && down != 0.0; i++) {
        for (int j = 0; j < n; j++) {
            p->H[i * n + j] += (p->g[i] - p->g_old[i] - p->step[i]) * p->r_old[j];
        }
    }
    for (int i = 0; i < n; i++) {
        p->step[i] = 0.0;
        for (int j = 0; j < n; j++) {
            p->step[i] += p->H[i * n + j] * (p->found[j] - p->g[j]);
        }
    }
}

/* The next guess. */
static void improve(const sp_model *m, sp_work *w)
{
    sp_grips *p = w->grips;
    find_step(p);
    for (int i = 0; i < p->n; i++) {
        p->g_old[i] = p->g[i];
        p->r_old[i] = p->found[i] - p->g[i];
    }
    for (int i = 0; i < p->n; i++) {
        const double next = p->g[i] + p->step[i];
        put(m, i, next >= 0.0 && isfinite(next) ? next : p->found[i], w);
    }
    p->pass++;
}

sp_status sp_grips_next(const sp_model *m, const sp_numbers *num, const double *du, const double *P,
                        sp_work *w, bool *again, sp_error *err)
{
    sp_grips *p = w->grips;
    double size = 0.0;
    int worst = 0;
    *again = false;
    if (!(w->con.dt > 0.0)) { /* a step that only looks */
        return SP_OK;
    }
    look(m, num, du, P, w);
    for (int i = 0; i < p->n; i++) {
        p->found[i] = grip_of(m, m->layout.grip[i], &p->tangent);
        size = fmax(size, fabs(p->found[i]));
        worst = fabs(p->found[i] - p->g[i]) > fabs(p->found[worst] - p->g[worst]) ? i : worst;
        if (!isfinite(p->found[i])) {
            return SP_FAIL(err, SP_E_NONFINITE, "'%s': the reaction of the joint is no number",
                           m->slot[m->layout.grip[i]].name);
        }
    }
    for (int i = 0; i < p->n; i++) {
        *again = *again || matters(m, i, size, P, w);
    }
    if (!*again) {
        for (int i = 0; i < p->n; i++) {
            put(m, i, p->found[i], w);
        }
        return SP_OK;
    }
    if (p->pass >= PASSES) {
        return SP_FAIL(err, SP_E_NOT_CONVERGED,
                       "'%s': no friction is found that belongs to the reaction it leads to "
                       "(%.6g leads to %.6g): the joint jams itself as it moves; make the guide "
                       "longer or mu smaller",
                       m->slot[m->layout.grip[worst]].name, p->g[worst], p->found[worst]);
    }
    improve(m, w);
    return SP_OK;
}
