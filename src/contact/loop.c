#include "contact/loop.h"

#include "kinematics/flex.h"
#include "model/loop_rows.h"

#include <string.h>

/* A joint in its configuration: its place on both bodies, body A joined to B's place, and the axes
 * there. */
typedef struct geometry {
    sp_spot A, B, A_at_B;
    sp_rot3 R_A, R_B;
} geometry;

/* How both move: spin, angular acceleration for u' = 0, velocity, acceleration for u' = 0. */
typedef struct motion {
    sp_vec3 omega_A, omega_B, alpha_A, alpha_B, v_A, v_B, a_A, a_B;
} motion;

/* What is known of a loop, and when it was: its rows ask for the same one after another. */
struct sp_loop_memory {
    const sp_kin *kin;
    uint64_t placed, moved, rowed; /* as sp_flex.moves and .motions; 0: never */
    geometry g;
    motion v;
    double *W; /* rows of place, n_sup each */
};

bool sp_loop_remember(sp_arena *arena, const sp_model *m, sp_loop_memory **to)
{
    bool ok = true;
    *to = NULL;
    if (m->n_loop > 0 && m->layout.mixed) {
        *to = SP_NEW(arena, sp_loop_memory, m->n_loop);
        ok = *to != NULL;
    }
    for (int i = 0; *to && i < m->n_loop; i++) {
        (*to)[i] = (sp_loop_memory){.W = SP_NEW(arena, double, 3 * m->loop[i].n_sup)};
        ok = ok && ((*to)[i].W || m->loop[i].n_sup == 0);
    }
    return ok;
}

/* Memory of a loop whose numbers are good for kin. */
static sp_loop_memory *memory_of(const sp_loop_at *at)
{
    sp_loop_memory *x = at->memory ? &at->memory[at->loop] : NULL;
    if (x && x->kin != at->kin) {
        x->kin = at->kin;
        x->placed = x->moved = x->rowed = 0;
    }
    return x;
}

/* Whether there are rows of directions, which stand last. */
static bool has_directions(const sp_loop_at *at)
{
    const sp_loop_rows *rows = sp_loop_rows_of(at->m->loop[at->loop].joint, at->m->dim);
    return rows->row[rows->n - 1].b != SP_NONE;
}

/* As it is known, else into g.  axes_of_B: they are asked for. */
static const geometry *look(const sp_loop_at *at, bool axes_of_B, geometry *g)
{
    const sp_kin *kin = at->kin;
    const sp_mark *mark = at->num->loop[at->loop].mark;
    sp_loop_memory *x = memory_of(at);
    if (x && x->placed == kin->flex->moves) {
        return &x->g;
    }
    if (x) {
        g = &x->g;
        x->placed = kin->flex->moves;
    }
    g->A = sp_spot_of(kin, &mark[0]);
    g->B = sp_spot_of(kin, &mark[1]);
    g->A_at_B = sp_spot_arm(kin, &g->A, g->B.x);
    g->R_A = sp_spot_mark_axes(kin, &g->A, &mark[0]);
    if (axes_of_B || (x && has_directions(at))) {
        g->R_B = sp_spot_mark_axes(kin, &g->B, &mark[1]);
    }
    return g;
}

static const motion *watch(const sp_loop_at *at, const geometry *g, motion *v)
{
    const sp_kin *kin = at->kin;
    sp_loop_memory *x = memory_of(at);
    if (x && x->moved == kin->flex->motions) {
        return &x->v;
    }
    if (x) {
        v = &x->v;
        x->moved = kin->flex->motions;
    }
    *v = (motion){sp_spot_spin(kin, &g->A),      sp_spot_spin(kin, &g->B),
                  sp_spot_spin_bias(kin, &g->A), sp_spot_spin_bias(kin, &g->B),
                  sp_spot_velocity(kin, &g->A),  sp_spot_velocity(kin, &g->B),
                  sp_spot_bias(kin, &g->A),      sp_spot_bias(kin, &g->B)};
    return v;
}

/* ---- one row --------------------------------------------------------------------------------- */

static sp_row_kind kind_of(const sp_loop_at *at, int row)
{
    return sp_loop_rows_of(at->m->loop[at->loop].joint, at->m->dim)->row[row];
}

static sp_vec3 axis_of(sp_rot3 R, int axis)
{
    return axis == 0 ? R.x : axis == 1 ? R.y : R.z;
}

/* a_i of A. */
static sp_vec3 a_of(const geometry *g, sp_row_kind kind)
{
    return axis_of(g->R_A, kind.a);
}

/* b_j of B, or p_B - p_A. */
static sp_vec3 b_of(const geometry *g, sp_row_kind kind)
{
    return kind.b == SP_NONE ? sp_sub3(g->B.x, g->A.x) : axis_of(g->R_B, kind.b);
}

double sp_loop_error(const sp_loop_at *at, int row)
{
    const sp_row_kind kind = kind_of(at, row);
    geometry own;
    const geometry *g = look(at, kind.b != SP_NONE, &own);
    return sp_inner3(a_of(g, kind), b_of(g, kind));
}

/* e' of place rows: a.(velocity of B's point p_B against A's material point there);
 * of direction rows: (a x b).(omega_A - omega_B).   theory (4.15) */
double sp_loop_rate(const sp_loop_at *at, int row)
{
    const sp_row_kind kind = kind_of(at, row);
    geometry own;
    const geometry *g = look(at, kind.b != SP_NONE, &own);
    const sp_kin *kin = at->kin;
    if (kind.b == SP_NONE) {
        return sp_inner3(a_of(g, kind),
                         sp_sub3(sp_spot_velocity(kin, &g->B), sp_spot_velocity(kin, &g->A_at_B)));
    }
    const sp_vec3 spin = sp_sub3(sp_spot_spin(kin, &g->A), sp_spot_spin(kin, &g->B));
    return sp_inner3(sp_cross3(a_of(g, kind), b_of(g, kind)), spin);
}

/* Rows of place of a loop, which stand first, all at once. */
static void place_rows(const sp_loop_at *at, const geometry *g, double *W)
{
    const int n_sup = at->m->loop[at->loop].n_sup;
    const sp_loop_rows *rows = sp_loop_rows_of(at->m->loop[at->loop].joint, at->m->dim);
    sp_vec3 a[3];
    int n = 0;
    for (; n < rows->n && rows->row[n].b == SP_NONE; n++) {
        a[n] = a_of(g, rows->row[n]);
    }
    sp_pair_rows(at->m, at->kin, &(sp_spot_pair){&g->B, &g->A_at_B, n, 0, a}, NULL, W, n_sup);
}

void sp_loop_row(const sp_loop_at *at, int row, double *W)
{
    const sp_row_kind kind = kind_of(at, row);
    geometry own;
    const geometry *g = look(at, kind.b != SP_NONE, &own);
    const sp_vec3 a = a_of(g, kind), turn = sp_cross3(a, b_of(g, kind));
    const sp_spot_pair along = {&g->B, &g->A_at_B, 1, 0, &a}, about = {&g->A, &g->B, 0, 1, &turn};
    sp_loop_memory *x = memory_of(at);
    if (!x || kind.b != SP_NONE) {
        sp_pair_rows(at->m, at->kin, kind.b == SP_NONE ? &along : &about, NULL, W, 0);
        return;
    }
    if (x->rowed != at->kin->flex->moves) {
        place_rows(at, g, x->W);
        x->rowed = at->kin->flex->moves;
    }
    const int n_sup = at->m->loop[at->loop].n_sup;
    memcpy(W, x->W + row * n_sup, (size_t)n_sup * sizeof *W);
}

sp_loop_wrench sp_loop_wrench_of(const sp_loop_at *at, int row)
{
    const sp_row_kind kind = kind_of(at, row);
    geometry own;
    const geometry *g = look(at, kind.b != SP_NONE, &own);
    const int *body = at->m->loop[at->loop].body;
    const sp_vec3 a = a_of(g, kind);
    return kind.b == SP_NONE
               ? (sp_loop_wrench){body[1], body[0], g->B.x, a, false}
               : (sp_loop_wrench){body[0], body[1], g->B.x, sp_cross3(a, b_of(g, kind)), true};
}

/* x'' for u' = 0 of a vector that turns with omega and alpha. */
static sp_vec3 bend(sp_vec3 omega, sp_vec3 alpha, sp_vec3 a)
{
    return sp_add3(sp_cross3(alpha, a), sp_cross3(omega, sp_cross3(omega, a)));
}

/* e'' = a''.b + 2 a'.b' + a.b'' with b = p_B - p_A in rows of place.   theory (4.16) */
double sp_loop_bias(const sp_loop_at *at, int row)
{
    const sp_row_kind kind = kind_of(at, row);
    const bool place = kind.b == SP_NONE;
    geometry own;
    motion own_v;
    const geometry *g = look(at, !place, &own);
    const motion *v = watch(at, g, &own_v);
    const sp_vec3 a = a_of(g, kind), b = b_of(g, kind);
    const sp_vec3 a_rate = sp_cross3(v->omega_A, a);
    const sp_vec3 b_rate = place ? sp_sub3(v->v_B, v->v_A) : sp_cross3(v->omega_B, b);
    const sp_vec3 b_bend = place ? sp_sub3(v->a_B, v->a_A) : bend(v->omega_B, v->alpha_B, b);
    return sp_inner3(bend(v->omega_A, v->alpha_A, a), b) + 2.0 * sp_inner3(a_rate, b_rate) +
           sp_inner3(a, b_bend);
}
