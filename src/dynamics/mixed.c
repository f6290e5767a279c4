#include "dynamics/mixed.h"

#include "kinematics/flex.h"
#include "kinematics/kind.h"

#include <string.h>

enum { FRAME = 6 }; /* velocity and spin of a frame, in its own axes */

/* One body at work. */
struct sp_mixed {
    double *M;            /* of the body at work: of a rigid one (FRAME^2), or of own */
    double *rigid;        /* FRAME^2                                               */
    double **own;         /* n_body: of bodies of other kinds, (FRAME + n_own)^2 ... */
    double *seen;         /* n_dof: ... at these coordinates of the body itself ... */
    bool *known;          /* n_body: ... if they were seen                         */
    double *F[SP_SHARES]; /* FRAME + most_own: forces on its velocities            */
    double *x;            /* FRAME + most_own: scratch                             */
    double *q;            /* most_own                                              */
    double (*V)[FRAME];   /* n_dof: columns of the frame, in its axes, as in path  */
};

bool sp_mixed_alloc(sp_arena *arena, const sp_model *m, sp_dyn *dyn)
{
    const int n = FRAME + m->layout.most_own;
    sp_mixed *x = SP_NEW(arena, sp_mixed, 1);
    if (!x) {
        return false;
    }
    bool ok = true;
    x->rigid = SP_NEW(arena, double, FRAME *FRAME);
    x->own = SP_NEW(arena, double *, m->n_body);
    x->seen = SP_NEW(arena, double, m->n_dof);
    x->known = SP_NEW(arena, bool, m->n_body);
    for (int i = 0; i < m->n_body && x->own; i++) {
        const int all = FRAME + m->body[i].n_own;
        x->own[i] = m->body[i].kind ? SP_NEW(arena, double, all *all) : NULL;
        ok = ok && (x->own[i] || !m->body[i].kind);
    }
    x->x = SP_NEW(arena, double, n);
    x->q = SP_NEW(arena, double, n);
    x->V = sp_arena_alloc(arena, (size_t)m->n_dof, sizeof *x->V);
    for (int s = 0; s < SP_SHARES; s++) {
        x->F[s] = SP_NEW(arena, double, n);
        ok = ok && x->F[s];
    }
    dyn->mixed = x;
    return ok && x->rigid && x->own && x->seen && x->known && x->x && x->q && x->V;
}

/* ---- one body -------------------------------------------------------------------------------- */

static sp_vec3 center_of(const sp_numbers *num, int i)
{
    return num->space ? sp_vec3_of(num->space[i].center)
                      : sp_spot_lift(sp_vec_of(num->body[i].center));
}

static sp_sym3 inertia_of(const sp_numbers *num, int i)
{
    return num->space ? sp_sym3_of(num->space[i].inertia) : (sp_sym3){.zz = num->body[i].inertia};
}

/* Inertia of a rigid body over velocity and spin of its frame: [m, -m c~; m c~, J + m (c^2 - c c)].
 */
static void rigid_inertia(const sp_numbers *num, int i, double *M)
{
    const double mass = num->body[i].mass;
    const sp_vec3 c = center_of(num, i), p = sp_scale3(mass, c);
    const sp_sym3 J = sp_sym3_shift(inertia_of(num, i), sp_scale3(0.5, p), c);
    const double rows[FRAME][FRAME] = {
        {mass, 0.0, 0.0, 0.0, p.z, -p.y},   {0.0, mass, 0.0, -p.z, 0.0, p.x},
        {0.0, 0.0, mass, p.y, -p.x, 0.0},   {0.0, -p.z, p.y, J.xx, J.xy, J.xz},
        {p.z, 0.0, -p.x, J.xy, J.yy, J.yz}, {-p.y, p.x, 0.0, J.xz, J.yz, J.zz}};
    memcpy(M, rows, sizeof rows);
}

static void add(sp_vec3 f, sp_vec3 m, double *F)
{
    const double six[FRAME] = {f.x, f.y, f.z, m.x, m.y, m.z};
    for (int k = 0; k < FRAME; k++) {
        F[k] += six[k];
    }
}

/* Its forces of inertia at the spin omega: those of the momentum that it has for this spin alone.
 */
static void rigid_forces(const double *M, sp_vec3 omega, double *h)
{
    const double w[3] = {omega.x, omega.y, omega.z};
    double p[FRAME] = {0.0};
    for (int k = 0; k < FRAME; k++) {
        for (int j = 0; j < 3; j++) {
            p[k] += M[FRAME * k + 3 + j] * w[j];
        }
    }
    add(sp_cross3(sp_vec3_of(p), omega), sp_cross3(sp_vec3_of(p + 3), omega), h);
}

/* Inertia of a body that deforms, computed where its coordinates changed. */
static void own_inertia(const sp_body *b, int i, const double *q, sp_mixed *x)
{
    double *seen = x->seen + b->dof + b->n_dof;
    bool same = x->known[i];
    for (int k = 0; k < b->n_own; k++) {
        same = same && seen[k] == q[k];
        seen[k] = q[k];
    }
    if (!same) {
        b->kind->inertia(b->form, q, x->M);
    }
    x->known[i] = true;
}

/* Inertia of body i at q (of the whole machine); how many velocities it has. */
static int inertia(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i, sp_mixed *x)
{
    const sp_body *b = &m->body[i];
    x->M = b->kind ? x->own[i] : x->rigid;
    if (!b->kind) {
        rigid_inertia(num, i, x->M);
    } else {
        own_inertia(b, i, kin->flex->q + b->dof + b->n_dof, x);
    }
    return FRAME + b->n_own;
}

/* Columns of the frame of body i in its axes; their number, the dofs are in kin->path[0].sup. */
static int columns(const sp_model *m, const sp_kin *kin, int i, sp_mixed *x)
{
    const sp_path *p = &kin->path[0];
    const sp_spot origin = sp_spot_origin(kin, i);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    const int n = sp_spot_columns(m, kin, &origin, p->sup, p->v, p->w);
    for (int k = 0; k < n; k++) {
        const sp_vec3 v = sp_rotate_back3(R, p->v[k]), w = sp_rotate_back3(R, p->w[k]);
        memcpy(x->V[k], (double[FRAME]){v.x, v.y, v.z, w.x, w.y, w.z}, sizeof x->V[k]);
    }
    return n;
}

/* Number of a velocity among those of the body itself, SP_NONE: it moves the frame. */
static int own_number(const sp_body *b, int k)
{
    const int own = k - b->dof - b->n_dof;
    return own >= 0 && own < b->n_own ? own : SP_NONE;
}

/* V_k . F */
static double along(const sp_body *b, const sp_mixed *x, const int *sup, int k, const double *F)
{
    const int own = own_number(b, sup[k]);
    double sum = 0.0;
    for (int j = 0; j < FRAME && own == SP_NONE; j++) {
        sum += x->V[k][j] * F[j];
    }
    return own == SP_NONE ? sum : F[FRAME + own];
}

/* y = M x over n velocities, M symmetric; many x are zero: columns of frames in the plane, units.
 */
static void multiply(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
    }
    for (int j = 0; j < n; j++, M += n) {
        for (int i = 0; i < n && x[j] != 0.0; i++) {
            y[i] += M[i] * x[j];
        }
    }
}

/* ---- mass ------------------------------------------------------------------------------------ */

/* M += V^T M_i V.   theory (2.30) */
static void add_mass(const sp_model *m, const sp_kin *kin, int i, int n, int n_column, sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const sp_body *b = &m->body[i];
    const int *sup = kin->path[0].sup;
    for (int k = 0; k < n_column; k++) {
        const sp_dof_layout *dof = &m->layout.dof[sup[k]];
        const int own = own_number(b, sup[k]);
        double *p = x->F[SP_CONSERVATIVE];
        memset(x->x, 0, (size_t)n * sizeof *x->x);
        if (own == SP_NONE) {
            memcpy(x->x, x->V[k], sizeof x->V[k]);
        } else {
            x->x[FRAME + own] = 1.0;
        }
        multiply(n, x->M, x->x, p);
        for (int j = k; j < n_column; j++) {
            dyn->M[dof->row + m->layout.dof[sup[j]].depth] += along(b, x, sup, j, p);
        }
    }
}

void sp_mixed_mass(const sp_model *m, const sp_numbers *num, const sp_kin *kin, sp_dyn *dyn)
{
    memset(dyn->M, 0, (size_t)m->n_packed * sizeof *dyn->M);
    for (int i = 1; i < m->n_body; i++) {
        const int n = inertia(m, num, kin, i, dyn->mixed);
        add_mass(m, kin, i, n, columns(m, kin, i, dyn->mixed), dyn);
    }
    memcpy(dyn->L, dyn->M, (size_t)m->n_packed * sizeof *dyn->M);
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* What acts on the frame of a body, in its axes about its origin, of one share. */
static void add_wrench(const sp_kin *kin, const sp_dyn *dyn, int i, sp_rot3 R, sp_share s,
                       double *F)
{
    sp_vec3 f, moment, own;
    if (kin->frame3) {
        const sp_wrench3 *w = &dyn->wrench3[s][i];
        f = w->f;
        moment = w->m;
        own = kin->frame3[i].own;
    } else {
        const sp_wrench *w = &dyn->wrench[s][i];
        f = sp_spot_lift(w->f);
        moment = sp_spot_lift_spin(w->m);
        own = sp_spot_lift(kin->frame[i].own);
    }
    add(sp_rotate_back3(R, f), sp_rotate_back3(R, sp_sub3(moment, sp_cross3(own, f))), F);
}

/* Keep what body i damps, for its line of the ledger. */
static void note_damping(const sp_model *m, const sp_kin *kin, int i, const double *F, sp_dyn *dyn)
{
    const sp_body *b = &m->body[i];
    const sp_spot origin = sp_spot_origin(kin, i);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    int line = m->n_force + m->layout.n_spring;
    while (m->line[line].index != i) {
        line++;
    }
    dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                               .share = SP_DAMPERS,
                                               .at = origin,
                                               .force = sp_rotate3(R, sp_vec3_of(F)),
                                               .moment = sp_rotate3(R, sp_vec3_of(F + 3))};
    for (int k = 0; k < b->n_own; k++) {
        dyn->action[dyn->n_action++] = (sp_action){.line = line,
                                                   .share = SP_DAMPERS,
                                                   .at.body = SP_NONE,
                                                   .dof = b->dof + b->n_dof + k,
                                                   .force = {F[FRAME + k], 0.0, 0.0}};
    }
}

/* F = forces of the body at its velocities - M_i (a_0 - g, alpha_0, 0), and what acts on its frame.
 * theory (2.31) */
static void body_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                        sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const sp_body *b = &m->body[i];
    const int n = inertia(m, num, kin, i, x), own = b->dof + b->n_dof;
    const sp_spot origin = sp_spot_origin(kin, i);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    const sp_vec3 g = {num->gravity[0], num->gravity[1], m->dim == 3 ? num->gravity[2] : 0.0};
    const sp_vec3 omega = sp_rotate_back3(R, sp_spot_spin(kin, &origin)), none = {0.0, 0.0, 0.0};
    memset(x->x, 0, (size_t)n * sizeof *x->x);
    add(sp_rotate_back3(R, sp_sub3(g, sp_spot_bias(kin, &origin))),
        sp_sub3(none, sp_rotate_back3(R, sp_spot_spin_bias(kin, &origin))), x->x);
    multiply(n, x->M, x->x, x->F[SP_CONSERVATIVE]);
    for (int s = SP_DAMPERS; s < SP_SHARES; s++) {
        memset(x->F[s], 0, (size_t)n * sizeof *x->F[s]);
    }
    if (b->kind) {
        b->kind->forces(b->form, kin->flex->q + own, kin->flex->u + own, omega,
                        x->F[SP_CONSERVATIVE], x->F[SP_DAMPERS]);
        note_damping(m, kin, i, x->F[SP_DAMPERS], dyn);
    } else {
        rigid_forces(x->M, omega, x->F[SP_CONSERVATIVE]);
    }
    for (int s = 0; s < SP_SHARES; s++) {
        if (dyn->acts[s]) {
            add_wrench(kin, dyn, i, R, (sp_share)s, x->F[s]);
        }
    }
}

const double *sp_mixed_weight(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int i,
                              sp_vec3 g, sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const int n = inertia(m, num, kin, i, x);
    memset(x->x, 0, (size_t)n * sizeof *x->x);
    add(g, (sp_vec3){0.0, 0.0, 0.0}, x->x);
    multiply(n, x->M, x->x, x->F[SP_APPLIED]);
    return x->F[SP_APPLIED];
}

/* No forces yet. */
static void clear(const sp_model *m, sp_dyn *dyn)
{
    for (int s = 0; s < SP_SHARES; s++) {
        memset(dyn->h[s], 0, (size_t)m->n_dof * sizeof(double));
        if (dyn->wrench3[s]) {
            memset(dyn->wrench3[s], 0, (size_t)m->n_body * sizeof(sp_wrench3));
        } else {
            memset(dyn->wrench[s], 0, (size_t)m->n_body * sizeof(sp_wrench));
        }
    }
}

void sp_mixed_forces(const sp_model *m, const sp_numbers *num, const sp_kin *kin, double t,
                     const double *q, const double *u, sp_dyn *dyn)
{
    const int *sup = kin->path[0].sup;
    clear(m, dyn);
    sp_dyn_force_elements(m, num, kin, t, q, u, dyn);
    for (int i = 1; i < m->n_body; i++) {
        body_forces(m, num, kin, i, dyn);
        const int n = columns(m, kin, i, dyn->mixed);
        for (int s = 0; s < SP_SHARES; s++) {
            for (int k = 0; k < n && dyn->acts[s]; k++) {
                dyn->h[s][sup[k]] += along(&m->body[i], dyn->mixed, sup, k, dyn->mixed->F[s]);
            }
        }
    }
}

/* ---- energies -------------------------------------------------------------------------------- */

/* T = 1/2 w^T M_i w of its velocities w, the weight of its first moment, and 1/2 u^T V^T M_i w.
 * theory (2.32) */
sp_energy sp_mixed_energies(const sp_model *m, const sp_numbers *num, const sp_kin *kin,
                            const double *u, sp_dyn *dyn)
{
    sp_mixed *x = dyn->mixed;
    const sp_vec3 g = {num->gravity[0], num->gravity[1], m->dim == 3 ? num->gravity[2] : 0.0};
    sp_energy e = {0.0, 0.0, 0.0};
    for (int i = 1; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        const int n = inertia(m, num, kin, i, x);
        const sp_spot origin = sp_spot_origin(kin, i);
        const sp_rot3 R = sp_spot_axes(kin, &origin);
        const double *M = x->M, *own = kin->flex->u + b->dof + b->n_dof;
        double *p = x->F[SP_CONSERVATIVE];
        memset(x->x, 0, (size_t)n * sizeof *x->x);
        memcpy(x->x + FRAME, own, (size_t)b->n_own * sizeof *own);
        add(sp_rotate_back3(R, sp_spot_velocity(kin, &origin)),
            sp_rotate_back3(R, sp_spot_spin(kin, &origin)), x->x);
        multiply(n, M, x->x, p);
        for (int k = 0; k < n; k++) {
            e.kinetic += 0.5 * x->x[k] * p[k];
        }
        const sp_vec3 moment = {M[n + 5], -M[5], M[4]}; /* of -m c~ */
        e.potential -= M[0] * sp_inner3(g, origin.x) + sp_inner3(g, sp_rotate3(R, moment));
        const int n_column = u ? columns(m, kin, i, x) : 0, *sup = kin->path[0].sup;
        for (int k = 0; k < n_column; k++) {
            e.quadratic += 0.5 * u[sup[k]] * along(b, x, sup, k, p);
        }
    }
    return e;
}

double sp_mixed_stored(const sp_model *m, int i, const double *q, sp_dyn *dyn)
{
    const sp_body *b = &m->body[i];
    for (int k = 0; k < b->n_own; k++) {
        dyn->mixed->q[k] = q[m->dof[b->dof + b->n_dof + k].q];
    }
    return b->kind ? b->kind->energy(b->form, dyn->mixed->q) : 0.0;
}
