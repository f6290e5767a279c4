#include "dynamics/implicit.h"

#include "base/status.h"
#include "dynamics/recursion.h"
#include "kinematics/kind.h"
#include "math/dense.h"
#include "model/aspect.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_MOST = 6,
    POWERS = 24,
    LOOK_AGAIN = 256 /* steps after which bounds are found anew */
};

/* ---- structure ------------------------------------------------------------------------------- */

/* Marks of the velocities that move something. */
typedef struct marks {
    const sp_model *m;
    bool *on; /* n_dof */
} marks;

static void mark_body(const marks *a, int body)
{
    const sp_body *b = &a->m->body[body];
    for (int k = b->last_dof; k != SP_NONE; k = a->m->layout.dof[k].parent) {
        a->on[k] = true;
    }
    for (int k = 0; k < b->n_own; k++) {
        a->on[b->dof + b->n_dof + k] = true;
    }
}

static void mark_signal(const marks *a, const sp_signal *s)
{
    if (s->kind == SP_SIG_Q && s->dof != SP_NONE) {
        a->on[s->dof] = true;
    } else if (sp_aspect_of(s->kind).from == SP_FROM_BODY) {
        mark_body(a, s->mark.body);
    }
}

/* Whether an expression reads what is behind slopes that can be stiff. */
static bool reads_state(const sp_func *f)
{
    for (int k = 0; f->program && k < f->n_signal; k++) {
        const sp_aspect_source from = sp_aspect_of(f->signal[k].kind).from;
        if (from == SP_FROM_Q || from == SP_FROM_U || from == SP_FROM_BODY) {
            return true;
        }
    }
    return false;
}

/* The velocities that move an element; none if it can have neither K nor D. */
static void mark_force(const marks *a, const sp_force *f, const sp_force_numbers *n)
{
    const bool reads =
        reads_state(&f->law[0]) || reads_state(&f->law[1]) || reads_state(&f->law[2]);
    switch (f->kind) {
    case SP_FORCE_SPRING_POINTS:
    case SP_FORCE_BUSHING:
    case SP_FORCE_TYRE:
        mark_body(a, n->mark[0].body);
        mark_body(a, n->mark[1].body);
        break;
    case SP_FORCE_PULL:
    case SP_FORCE_SLIDER:
    case SP_FORCE_SPRING_MEASURE:
        for (int k = 0; k < 2 && f->by_points; k++) {
            mark_body(a, n->mark[k].body);
        }
        for (int k = 0; k < f->measure.n_signal && !f->by_points; k++) {
            mark_signal(a, &f->measure.signal[k]);
        }
        break;
    case SP_FORCE_DRAG:
        mark_body(a, n->mark[0].body);
        break;
    case SP_FORCE_FORCE:
    case SP_FORCE_TORQUE:
        if (reads && !f->own_frame) {
            mark_body(a, n->mark[0].body);
        }
        break;
    case SP_FORCE_DRIVE:
        a->on[f->dof] = a->on[f->dof] || reads;
        break;
    case SP_FORCE_MOTOR:
        a->on[f->dof] = true;
        break;
    case SP_FORCE_PRESS:
    case SP_FORCE_GRAVITY:
        break;
    }
}

/* A cell of the velocities that are marked, which are marked no more; none if there are none. */
static bool add_cell(sp_arena *arena, const marks *a, sp_implicit_cell cell, sp_implicit *s)
{
    for (int k = 0; k < a->m->n_dof; k++) {
        cell.n += a->on[k];
    }
    if (cell.n == 0) {
        return true;
    }
    const size_t n = (size_t)cell.n;
    const bool own = cell.force == SP_NONE && cell.spring == SP_NONE;
    cell.dof = SP_NEW(arena, int, n);
    cell.at = SP_NEW(arena, size_t, n * (n + 1) / 2);
    cell.J = SP_NEW(arena, double, (own ? 1 : ROWS_MOST) * n);
    cell.r = SP_NEW(arena, sp_implicit_row, own ? 1 : ROWS_MOST);
    cell.K = SP_NEW(arena, double, own ? n *n : 1);
    cell.D = SP_NEW(arena, double, own ? n *n : 1);
    if (!cell.dof || !cell.at || !cell.J || !cell.r || !cell.K || !cell.D) {
        return false;
    }
    for (int k = a->m->n_dof - 1, i = 0; k >= 0; k--) {
        if (a->on[k]) {
            cell.dof[i++] = k;
            a->on[k] = false;
        }
    }
    s->cell[s->n_cell++] = cell;
    return true;
}

static bool add_cells(sp_arena *arena, const sp_model *m, const marks *a, sp_implicit *s)
{
    bool ok = true;
    for (int i = 0; i < m->n_force; i++) {
        mark_force(a, &m->force[i], &m->numbers.force[i]);
        ok = ok &&
             add_cell(arena, a, (sp_implicit_cell){.line = i, .force = i, .spring = SP_NONE}, s);
    }
    for (int i = 0; i < m->layout.n_spring; i++) {
        const int k = m->layout.spring[i];
        for (int j = 0; j < (m->dof[k].move == SP_MOVE_BALL ? 3 : 1); j++) {
            a->on[k - (m->dof[k].move == SP_MOVE_BALL ? m->dof[k].part : 0) + j] = true;
        }
        ok = ok &&
             add_cell(arena, a,
                      (sp_implicit_cell){.line = m->n_force + i, .force = SP_NONE, .spring = k}, s);
    }
    for (int i = 0, line = m->n_force + m->layout.n_spring; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        for (int k = 0; b->kind && b->kind->stiffness && k < b->n_own; k++) {
            a->on[b->dof + b->n_dof + k] = true;
        }
        ok = ok && add_cell(arena, a,
                            (sp_implicit_cell){
                                .line = line, .force = SP_NONE, .spring = SP_NONE, .body = i},
                            s);
        line += b->kind != NULL;
    }
    return ok;
}

/* The pattern of A, its order, and where entries of M and of the cells go. */
static bool lay_A(sp_arena *arena, sp_arena *scratch, const sp_model *m, sp_implicit *s)
{
    sp_ldl_pattern p = sp_ldl_pattern_of(scratch, m->n_dof);
    for (int i = 0; i < s->n_cell && !p.failed; i++) {
        sp_ldl_couple(&p, s->cell[i].dof, s->cell[i].n);
    }
    for (int k = 0; k < m->n_dof && !p.failed; k++) {
        for (int j = m->layout.dof[k].parent; j != SP_NONE; j = m->layout.dof[j].parent) {
            sp_ldl_couple(&p, (const int[]){k, j}, 2);
        }
    }
    if (!sp_ldl_make(arena, &p, &s->A)) {
        return false;
    }
    for (int k = 0; k < m->n_dof; k++) {
        for (int j = k; j != SP_NONE; j = m->layout.dof[j].parent) {
            s->at_M[m->layout.dof[k].row + m->layout.dof[j].depth] = sp_ldl_at(&s->A, k, j);
        }
    }
    for (int i = 0; i < s->n_cell; i++) {
        const sp_implicit_cell *c = &s->cell[i];
        for (int k = 0, e = 0; k < c->n; k++) {
            for (int j = 0; j <= k; j++, e++) {
                c->at[e] = sp_ldl_at(&s->A, c->dof[k], c->dof[j]);
            }
        }
    }
    return true;
}

/* Whether every cell is on the velocities of one body. */
static bool is_by_body(const sp_model *m, const sp_implicit *s)
{
    bool by_body = true;
    for (int i = 0; i < s->n_cell; i++) {
        const sp_implicit_cell *c = &s->cell[i];
        for (int k = 1; k < c->n; k++) {
            by_body = by_body && m->dof[c->dof[k]].body == m->dof[c->dof[0]].body;
        }
    }
    return by_body;
}

/* Where entries of the cells go then.   theory (106.6) */
static void lay_cells(const sp_model *m, const sp_recursion *r, sp_implicit *s)
{
    for (int i = 0; i < s->n_cell; i++) {
        const sp_implicit_cell *c = &s->cell[i];
        for (int k = 0, e = 0; k < c->n; k++) {
            for (int j = 0; j <= k; j++, e++) { /* dofs fall */
                c->at[e] = sp_recursion_at(m, r, c->dof[j], c->dof[k]);
            }
        }
    }
}

static bool make(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    const int most = m->n_force + m->layout.n_spring + m->n_body;
    sp_arena scratch;
    sp_arena_init(&scratch, &arena->allocator, 0);
    sp_implicit *s = SP_NEW(arena, sp_implicit, 1);
    const marks a = {m, SP_NEW(&scratch, bool, m->n_dof)};
    bool ok = s && a.on && (s->cell = SP_NEW(&scratch, sp_implicit_cell, most)) &&
              add_cells(arena, m, &a, s);
    if (ok && s->n_cell > 0) {
        sp_implicit_cell *cell = SP_NEW(arena, sp_implicit_cell, s->n_cell);
        s->at_M = SP_NEW(arena, size_t, m->n_packed);
        s->x = SP_NEW(arena, double, m->n_dof);
        s->y = SP_NEW(arena, double, m->n_dof);
        s->z = SP_NEW(arena, double, m->n_dof);
        s->lag = SP_NEW(arena, double, m->n_dof);
        s->seen = SP_NEW(arena, double, m->n_dof);
        s->by_body = dyn->recursion && is_by_body(m, s);
        ok = cell && s->at_M && s->x && s->y && s->z && s->lag && s->seen &&
             (s->by_body || lay_A(arena, &scratch, m, s));
        if (ok && s->by_body) {
            lay_cells(m, dyn->recursion, s);
        }
        if (ok) {
            memcpy(cell, s->cell, (size_t)s->n_cell * sizeof *cell);
            s->cell = cell;
            dyn->implicit = s;
        }
    }
    sp_arena_free(&scratch);
    return ok;
}

static sp_status make_once(sp_arena *arena, const sp_model *m, sp_dyn *dyn, sp_error *err)
{
    if (dyn->asked || m->n_force + m->layout.n_spring + m->layout.mixed == 0) {
        return SP_OK;
    }
    dyn->asked = true;
    return make(arena, m, dyn)
               ? SP_OK
               : SP_FAIL(err, SP_E_MEMORY, "no memory for implicit steps of %d degrees of freedom",
                         m->n_dof);
}

/* A body that deforms, which has no rows. */
static bool is_block(const sp_implicit_cell *c)
{
    return c->force == SP_NONE && c->spring == SP_NONE;
}

/* ---- products -------------------------------------------------------------------------------- */

static double along(const sp_implicit_cell *c, int row, const double *x)
{
    const double *J = c->J + (size_t)row * (size_t)c->n;
    double sum = 0.0;
    for (int i = 0; i < c->n; i++) {
        sum += J[i] * x[c->dof[i]];
    }
    return sum;
}

static void spread(const sp_implicit_cell *c, int row, double f, double *y)
{
    const double *J = c->J + (size_t)row * (size_t)c->n;
    for (int i = 0; i < c->n; i++) {
        y[c->dof[i]] += f * J[i];
    }
}

/* y += f B x of a block, whose indices count up. */
static void multiply_block(const sp_implicit_cell *c, const double *B, double f, const double *x,
                           double *y)
{
    for (int i = 0; i < c->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < c->n; j++) {
            sum += B[(size_t)i * (size_t)c->n + (size_t)j] * x[c->dof[c->n - 1 - j]];
        }
        y[c->dof[c->n - 1 - i]] += f * sum;
    }
}

/* y += (f_k K + f_d D) x */
static void multiply(const sp_implicit *s, double f_k, double f_d, const double *x, double *y)
{
    for (int i = 0; i < s->n_cell; i++) {
        const sp_implicit_cell *c = &s->cell[i];
        for (int r = 0; r < c->n_row; r++) {
            spread(c, r, (f_k * c->r[r].k + f_d * c->r[r].d) * along(c, r, x), y);
        }
        if (is_block(c)) {
            multiply_block(c, c->K, f_k, x, y);
            multiply_block(c, c->D, f_d, x, y);
        }
    }
}

void sp_implicit_add(sp_dyn *dyn, const double *x, double *y)
{
    const sp_implicit *s = dyn->implicit;
    multiply(s, s->g * s->dt * s->dt, s->theta_D * s->dt, x, y);
}

void sp_implicit_lag(const sp_model *m, const double *u, const double *du, sp_dyn *dyn)
{
    const sp_implicit *s = dyn->implicit;
    const size_t size = (size_t)m->n_dof * sizeof *s->lag;
    memset(s->lag, 0, size);
    if (s->shift != 0.0) {
        multiply(s, -s->shift * s->dt * s->dt, 0.0, u, s->lag);
    }
    if (!du) {
        memset(s->seen, 0, size);
        return;
    }
    memcpy(s->seen, du, size);
    if (s->seen_K != 0.0 || s->seen_D != 0.0) {
        multiply(s, s->seen_K * s->dt * s->dt, s->seen_D * s->dt, du, s->lag);
    }
}

/* ---- bound ----------------------------------------------------------------------------------- */

/* The largest eigenvalue of M^-1 (f_k K + f_d D) by powers.   theory (71.7) */
static double largest(const sp_model *m, sp_dyn *dyn, double f_k, double f_d)
{
    sp_implicit *s = dyn->implicit;
    const int n = m->n_dof;
    double found = 0.0;
    for (int k = 0; k < n; k++) { /* a vector that is orthogonal to none by chance */
        s->x[k] = 1.0 + fmod(0.6180339887498949 * (k + 1), 1.0);
    }
    for (int i = 0; i < POWERS; i++) {
        memset(s->y, 0, (size_t)n * sizeof *s->y);
        multiply(s, f_k, f_d, s->x, s->y);
        memcpy(s->z, s->y, (size_t)n * sizeof *s->z);
        sp_dyn_solve_LT(m, dyn, s->y);
        sp_dyn_solve_D_L(m, dyn, s->y);
        const double energy = sp_dot_n(n, s->z, s->x),
                     size = sp_dot_n(n, s->y, s->z); /* x.B x, y.M y */
        if (!(size > 0.0)) {
            return found;
        }
        found = i > 0 ? energy : 0.0; /* x.M x = 1 */
        for (int k = 0; k < n; k++) {
            s->x[k] = s->y[k] / sqrt(size);
        }
    }
    return found * (1.0 + log((double)n) / POWERS);
}

sp_status sp_implicit_bound(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                            sp_stiff *stiff, sp_error *err)
{
    SP_TRY(held ? sp_dyn_factor_held(m, held, dyn, err) : sp_dyn_factor(m, dyn, err));
    *stiff = (sp_stiff){largest(m, dyn, 1.0, 0.0), largest(m, dyn, 0.0, 1.0), 1.0, 0.0};
    if (!dyn->recursive) {
        memcpy(dyn->L, dyn->M, (size_t)m->n_packed * sizeof *dyn->L);
    }
    return SP_OK;
}

bool sp_implicit_choose(const sp_model *m, const sp_stiff *stiff, double dt, bool whole, bool mean,
                        sp_dyn *dyn)
{
    sp_implicit *s = dyn->implicit;
    const sp_implicit_mode mode = m->run.implicit;
    const bool damps = mode == SP_IMPLICIT_AUTO;
    const double z = dt * sqrt(stiff->K), delta = dt * stiff->D, theta = m->run.theta;
    const double theta_K = damps && z > 1.0 ? fmax(theta, 1.0 - 0.5 / z) : theta;
    s->unresolved = theta_K > theta ? z : 0.0;
    s->dt = dt;
    s->theta_D = damps && delta > 2.0 ? fmax(theta, 1.0 - 1.0 / delta) : theta;
    s->g = theta_K * theta_K;
    s->seen_K = whole ? theta * theta : 0.0;
    s->seen_D = whole ? theta : mean ? 0.5 : 0.0;
    s->shift = s->g - (whole ? s->seen_K : 0.25);
    return mode == SP_IMPLICIT_YES ||
           (mode == SP_IMPLICIT_AUTO && 0.25 * z * z + 0.5 * delta > 1.0);
}

/* ---- operator -------------------------------------------------------------------------------- */

/* The entries of a cell join A. */
static void add_entries(const sp_implicit *s, const sp_implicit_cell *c, double *A)
{
    const double f_k = s->g * s->dt * s->dt, f_d = s->theta_D * s->dt;
    const size_t n = (size_t)c->n;
    for (int r = 0; r < c->n_row; r++) {
        const double *J = c->J + (size_t)r * n, f = f_k * c->r[r].k + f_d * c->r[r].d;
        for (size_t k = 0, e = 0; k < n && f != 0.0; k++) {
            const double l = f * J[k];
            for (size_t j = 0; j <= k; j++, e++) {
                A[c->at[e]] += l * J[j];
            }
        }
    }
    if (is_block(c)) {
        for (size_t k = 0, e = 0; k < n; k++) {
            for (size_t j = 0; j <= k; j++, e++) {
                const size_t i = (n - 1 - k) * n + n - 1 - j;
                A[c->at[e]] += f_k * c->K[i] + f_d * c->D[i];
            }
        }
    }
}

/* Where its pivot is not positive. */
static sp_status fail_pivot(const sp_model *m, int k, sp_error *err)
{
    return SP_FAIL(err, SP_E_NONFINITE,
                   "mass with stiffness is not positive definite at '%s'; a part that moves "
                   "there needs mass or inertia, or a force grew beyond bounds",
                   m->dof[k].name);
}

/* The same by bodies.   theory (106.6) */
static int factor_bodies(const sp_model *m, const unsigned char *held, sp_dyn *dyn)
{
    const sp_implicit *s = dyn->implicit;
    sp_recursion *r = dyn->recursion;
    double pivot;
    memset(r->K, 0, r->n_K * sizeof *r->K);
    for (int i = 0; i < s->n_cell; i++) {
        add_entries(s, &s->cell[i], r->K);
    }
    return sp_recursion_factor(m, held, true, dyn, &pivot);
}

static int factor_pattern(const sp_model *m, const unsigned char *held, sp_dyn *dyn)
{
    sp_implicit *s = dyn->implicit;
    memset(s->A.A, 0, s->A.start[m->n_dof] * sizeof *s->A.A);
    for (int e = 0; e < m->n_packed; e++) {
        s->A.A[s->at_M[e]] = dyn->M[e];
    }
    for (int i = 0; i < s->n_cell; i++) {
        add_entries(s, &s->cell[i], s->A.A);
    }
    const int at = sp_ldl_factor(&s->A, held);
    return at < m->n_dof ? s->A.order[at] : m->n_dof;
}

sp_status sp_implicit_factor(const sp_model *m, const unsigned char *held, sp_dyn *dyn,
                             sp_error *err)
{
    const int k = (dyn->recursive ? factor_bodies : factor_pattern)(m, held, dyn);
    dyn->by_A = true;
    return k < m->n_dof ? fail_pivot(m, k, err) : SP_OK;
}

/* ---- what a step took ------------------------------------------------------------------------ */

/* Of a body; J keeps the impulse of what it damps. */
static void take_block(const sp_implicit *s, const sp_implicit_cell *c, const double *u,
                       const double *du, sp_dyn *dyn, double *h_dt)
{
    const struct {
        const double *B, *x;
        double f;
        sp_share by;
    } part[] = {{c->K, du, -s->dt * s->g, SP_CONSERVATIVE},
                {c->K, u, -s->dt * s->shift, SP_CONSERVATIVE},
                {c->K, s->seen, s->dt * s->seen_K, SP_CONSERVATIVE},
                {c->D, du, -s->theta_D, SP_DAMPERS},
                {c->D, s->seen, s->seen_D, SP_DAMPERS}};
    for (int i = 0; i < c->n; i++) {
        s->y[c->dof[i]] = 0.0;
    }
    for (int i = 0; i < (int)(sizeof part / sizeof *part); i++) {
        multiply_block(c, part[i].B, part[i].f, part[i].x, dyn->h[part[i].by]);
        multiply_block(c, part[i].B, s->dt * part[i].f, part[i].x, h_dt);
        if (part[i].by == SP_DAMPERS) {
            multiply_block(c, part[i].B, s->dt * part[i].f, part[i].x, s->y);
        }
    }
    for (int i = 0; i < c->n; i++) {
        c->J[i] = s->y[c->dof[i]];
    }
}

void sp_implicit_take(sp_dyn *dyn, const double *u, const double *du, double *h_dt)
{
    sp_implicit *s = dyn->implicit;
    const double dt = s->dt;
    for (int i = 0; i < s->n_cell; i++) {
        sp_implicit_cell *c = &s->cell[i];
        for (int r = 0; r < c->n_row; r++) {
            sp_implicit_row *row = &c->r[r];
            const double x = along(c, r, du), v = along(c, r, u), had = along(c, r, s->seen);
            const double by_k = -dt * row->k * (s->g * x + s->shift * v - s->seen_K * had),
                         by_d = -row->d * (s->theta_D * x - s->seen_D * had);
            if (by_k != 0.0) {
                spread(c, r, by_k, dyn->h[row->by_k]);
            }
            if (by_d != 0.0) {
                spread(c, r, by_d, dyn->h[row->by_d]);
            }
            spread(c, r, dt * (by_k + by_d), h_dt);
            row->p = dt * ((row->by_k == SP_CONSERVATIVE ? 0.0 : by_k) +
                           (row->by_d == SP_CONSERVATIVE ? 0.0 : by_d));
        }
        if (is_block(c)) {
            take_block(s, c, u, du, dyn, h_dt);
        }
    }
}

void sp_implicit_book(const sp_dyn *dyn, const double *mean, double *book)
{
    const sp_implicit *s = dyn->implicit;
    for (int i = 0; i < s->n_cell; i++) {
        const sp_implicit_cell *c = &s->cell[i];
        double *line = book + (size_t)SP_LINE_BOOKED * (size_t)c->line;
        for (int r = 0; r < c->n_row; r++) {
            const sp_share by = c->r[r].by_k != SP_CONSERVATIVE ? c->r[r].by_k : c->r[r].by_d;
            if (by != SP_CONSERVATIVE) {
                line[by == SP_DAMPERS ? 0 : 1] += c->r[r].p * along(c, r, mean);
            }
        }
        for (int k = 0; is_block(c) && k < c->n; k++) {
            line[0] += c->J[k] * mean[c->dof[k]];
        }
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

sp_status sp_implicit_look(const sp_model *m, const sp_implicit_ask *a, bool can, bool whole,
                           bool mean, sp_dyn *dyn, sp_stiff *stiff, sp_error *err)
{
    *stiff = a->x->control.stiff;
    stiff->takes = 0.0;
    if (m->run.implicit == SP_IMPLICIT_NO || !can) {
        return SP_OK;
    }
    SP_TRY(make_once(a->arena, m, dyn, err));
    if (!dyn->implicit) {
        return SP_OK;
    }
    if (stiff->known == 0.0 || a->x->step % LOOK_AGAIN == 0) {
        dyn->implicit->bounds = true;
        sp_implicit_find(m, a->x->numbers, a->kin, &(sp_at){a->x->t, a->at->q, a->x->u}, dyn);
        dyn->implicit->bounds = false;
        SP_TRY(sp_implicit_bound(m, a->held, dyn, stiff, err));
    }
    stiff->takes = sp_implicit_choose(m, stiff, a->dt, whole, mean, dyn) ? 1.0 : 0.0;
    return SP_OK;
}

sp_status sp_implicit_operator(const sp_model *m, const sp_implicit_ask *a, sp_dyn *dyn,
                               sp_error *err)
{
    if (!dyn->implicit->by_body) {
        sp_dyn_form_mass(m, a->x->numbers, a->kin, dyn);
    }
    sp_implicit_find(m, a->x->numbers, a->kin, a->at, dyn);
    sp_implicit_lag(m, a->x->u, NULL, dyn);
    if (a->held) {
        sp_implicit_add(dyn, a->du_held, a->M_held);
    }
    return sp_implicit_factor(m, a->held, dyn, err);
}
