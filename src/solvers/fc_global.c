/* The global form M v = H r + f, u = H'v + w as factors by bodies, and G from such factors. */
#include "solvers/fc.h"

#include <math.h>
#include <string.h>

#define OUT_OF_MEMORY(err) SP_FAIL((err), SP_E_MEMORY, "contact problem: out of memory")

/* The first of the set that k is in, with the path halved on the way. */
static int find(int *parent, int k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

/* Velocities by body: body_of (n_dof), place within its body (n_dof), and dof[] of the bodies. */
typedef struct partition {
    int n_body;
    int *body_of, *place, *dof;
} partition;

/* Connected parts of M, numbered by their first velocity. */
static sp_status part_bodies(const sp_fc_global *g, partition *t, sp_arena *arena, sp_error *err)
{
    const int n = g->n_dof;
    int *parent = SP_NEW(arena, int, n);
    t->body_of = SP_NEW(arena, int, n);
    t->place = SP_NEW(arena, int, n);
    t->dof = SP_NEW(arena, int, n + 1);
    if (!parent || !t->body_of || !t->place || !t->dof) {
        return OUT_OF_MEMORY(err);
    }
    for (int k = 0; k < n; k++) {
        parent[k] = k;
    }
    for (size_t e = 0; e < g->M_entries; e++) {
        const int a = find(parent, g->M_row[e]), b = find(parent, g->M_column[e]);
        if (g->M_value[e] != 0.0) {
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    t->n_body = 0;
    for (int k = 0; k < n; k++) {
        const int root = find(parent, k);
        t->body_of[k] = root == k ? t->n_body++ : t->body_of[root];
        t->place[k] = t->dof[t->body_of[k] + 1]++;
    }
    for (int b = 0; b < t->n_body; b++) {
        t->dof[b + 1] += t->dof[b];
    }
    return SP_OK;
}

/* A (n x n, row-major) <- A^-1 by Cholesky; 0 if A is not positive definite.  L (n x n) scratch. */
static int invert(int n, double *A, double *L)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            if (i == j && !(sum > 0.0)) {
                return 0;
            }
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    for (int c = 0; c < n; c++) { /* column c of A^-1 */
        for (int i = 0; i < n; i++) {
            double sum = i == c ? 1.0 : 0.0;
            for (int k = 0; k < i; k++) {
                sum -= L[i * n + k] * A[k * n + c];
            }
            A[i * n + c] = sum / L[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = A[i * n + c];
            for (int k = i + 1; k < n; k++) {
                sum -= L[k * n + i] * A[k * n + c];
            }
            A[i * n + c] = sum / L[i * n + i];
        }
    }
    return 1;
}

/* Blocks of M^-1. */
static sp_status invert_bodies(const sp_fc_global *g, const partition *t, sp_fc_factors *F,
                               sp_arena *arena, sp_error *err)
{
    size_t *inverse = SP_NEW(arena, size_t, t->n_body), used = 0, largest = 0;
    for (int b = 0; inverse && b < t->n_body; b++) {
        const size_t dof = (size_t)(t->dof[b + 1] - t->dof[b]);
        inverse[b] = used;
        used += dof * dof;
        largest = dof * dof > largest ? dof * dof : largest;
    }
    double *M = SP_NEW(arena, double, used), *L = SP_NEW(arena, double, largest);
    if (!inverse || !M || !L) {
        return OUT_OF_MEMORY(err);
    }
    for (size_t e = 0; e < g->M_entries; e++) {
        const int i = g->M_row[e], j = g->M_column[e], b = t->body_of[i];
        if (g->M_value[e] != 0.0) {
            const int dof = t->dof[b + 1] - t->dof[b];
            M[inverse[b] + (size_t)(t->place[i] * dof + t->place[j])] += g->M_value[e];
        }
    }
    for (int b = 0; b < t->n_body; b++) {
        if (!invert(t->dof[b + 1] - t->dof[b], M + inverse[b], L)) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact problem: block %d of M is not positive definite", b);
        }
    }
    F->n_body = t->n_body;
    F->dof = t->dof;
    F->inverse = inverse;
    F->M_inv = M;
    return SP_OK;
}

/* The entries of H by contact: entry list[first[i]] and on have their column in contact i. */
static sp_status order_columns(const sp_fc *p, const sp_fc_global *g, int *contact, size_t **first,
                               size_t **list, sp_arena *arena, sp_error *err)
{
    *first = SP_NEW(arena, size_t, p->n_contact + 2);
    *list = SP_NEW(arena, size_t, g->H_entries);
    if (!*first || !*list) {
        return OUT_OF_MEMORY(err);
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            contact[p->row[i] + a] = i;
        }
    }
    for (size_t e = 0; e < g->H_entries; e++) {
        (*first)[contact[g->H_column[e]] + 2]++;
    }
    for (int i = 0; i < p->n_contact; i++) {
        (*first)[i + 2] += (*first)[i + 1];
    }
    for (size_t e = 0; e < g->H_entries; e++) {
        (*list)[(*first)[contact[g->H_column[e]] + 1]++] = e;
    }
    return SP_OK;
}

/* Blocks of H by contact and body. */
static sp_status gather_H(sp_fc *p, const sp_fc_global *g, const partition *t, sp_arena *arena,
                          sp_error *err)
{
    int *contact = SP_NEW(arena, int, p->n), *seen = SP_NEW(arena, int, t->n_body);
    int *start = SP_NEW(arena, int, p->n_contact + 1), *body = SP_NEW(arena, int, g->H_entries);
    size_t *at = SP_NEW(arena, size_t, g->H_entries), *first, *list, used = 0;
    if (!contact || !seen || !start || !body || !at) {
        return OUT_OF_MEMORY(err);
    }
    SP_TRY(order_columns(p, g, contact, &first, &list, arena, err));
    int n_block = 0;
    for (int i = 0; i < p->n_contact; i++) { /* which blocks there are */
        for (size_t k = first[i]; k < first[i + 1]; k++) {
            const int b = t->body_of[g->H_row[list[k]]];
            if (seen[b] <= start[i] && g->H_value[list[k]] != 0.0) {
                body[n_block] = b;
                at[n_block] = used;
                used += (size_t)sp_set_dim(&p->set[i]) * (size_t)(t->dof[b + 1] - t->dof[b]);
                seen[b] = ++n_block;
            }
        }
        start[i + 1] = n_block;
    }
    double *H = SP_NEW(arena, double, used);
    if (!H) {
        return OUT_OF_MEMORY(err);
    }
    for (int i = 0; i < p->n_contact; i++) { /* their numbers */
        for (int k = start[i]; k < start[i + 1]; k++) {
            seen[body[k]] = k;
        }
        for (size_t k = first[i]; k < first[i + 1]; k++) {
            const int row = g->H_row[list[k]], b = t->body_of[row];
            if (g->H_value[list[k]] != 0.0) {
                const int a = g->H_column[list[k]] - p->row[i], dof = t->dof[b + 1] - t->dof[b];
                H[at[seen[b]] + (size_t)(a * dof + t->place[row])] += g->H_value[list[k]];
            }
        }
    }
    p->F.start = start;
    p->F.body = body;
    p->F.at = at;
    p->F.H = H;
    return SP_OK;
}

/* c = H'M^-1 f + w. */
static sp_status free_velocity(sp_fc *p, const sp_fc_global *g, const partition *t, sp_arena *arena,
                               sp_error *err)
{
    const sp_fc_factors *F = &p->F;
    double *c = SP_NEW(arena, double, p->n), *v = SP_NEW(arena, double, g->n_dof);
    if (!c || !v) {
        return OUT_OF_MEMORY(err);
    }
    for (int k = 0; k < g->n_dof; k++) {
        const int b = t->body_of[k], dof = F->dof[b + 1] - F->dof[b];
        for (int a = 0; a < dof; a++) {
            v[F->dof[b] + a] += F->M_inv[F->inverse[b] + (size_t)(a * dof + t->place[k])] * g->f[k];
        }
    }
    memcpy(c, g->w, (size_t)p->n * sizeof *c);
    for (size_t e = 0; e < g->H_entries; e++) {
        const int k = g->H_row[e];
        c[g->H_column[e]] += g->H_value[e] * v[F->dof[t->body_of[k]] + t->place[k]];
    }
    p->c = c;
    return SP_OK;
}

sp_status sp_fc_from_global(sp_fc *p, const sp_fc_global *g, sp_arena *arena, sp_error *err)
{
    for (size_t e = 0; e < g->M_entries; e++) {
        if (g->M_row[e] < 0 || g->M_row[e] >= g->n_dof || g->M_column[e] < 0 ||
            g->M_column[e] >= g->n_dof) {
            return SP_FAIL(err, SP_E_INPUT,
                           "contact problem: entry (%d, %d) of M, expected 0 to %d", g->M_row[e],
                           g->M_column[e], g->n_dof - 1);
        }
    }
    for (size_t e = 0; e < g->H_entries; e++) {
        if (g->H_row[e] < 0 || g->H_row[e] >= g->n_dof || g->H_column[e] < 0 ||
            g->H_column[e] >= p->n) {
            return SP_FAIL(
                err, SP_E_INPUT,
                "contact problem: entry (%d, %d) of H, expected rows to %d, columns to %d",
                g->H_row[e], g->H_column[e], g->n_dof - 1, p->n - 1);
        }
    }
    partition t = {0};
    SP_TRY(part_bodies(g, &t, arena, err));
    SP_TRY(invert_bodies(g, &t, &p->F, arena, err));
    SP_TRY(gather_H(p, g, &t, arena, err));
    return free_velocity(p, g, &t, arena, err);
}

/* Contacts by body, from body by contact: list[first[b]] and on are blocks of H on body b. */
static void contacts_by_body(const sp_fc *p, int *first, int *block, int *contact)
{
    const sp_fc_factors *F = &p->F;
    for (int k = 0; k < F->start[p->n_contact]; k++) {
        first[F->body[k] + 2]++;
    }
    for (int b = 0; b < F->n_body; b++) {
        first[b + 2] += first[b + 1];
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = F->start[i]; k < F->start[i + 1]; k++) {
            contact[first[F->body[k] + 1]] = i;
            block[first[F->body[k] + 1]++] = k;
        }
    }
}

/* value += H_i M_b^-1 H_j' (dim_i x dim_j).  HM: dim_i x dof scratch, holding H_i M_b^-1. */
static void add_block(int dim_i, int dim_j, int dof, const double *HM, const double *H_j,
                      double *value)
{
    for (int a = 0; a < dim_i; a++) {
        for (int b = 0; b < dim_j; b++) {
            double sum = 0.0;
            for (int k = 0; k < dof; k++) {
                sum += HM[a * dof + k] * H_j[b * dof + k];
            }
            value[a * dim_j + b] += sum;
        }
    }
}

/* HM = H_i M_b^-1. */
static void times_inverse(int dim, int dof, const double *H, const double *M_inv, double *HM)
{
    for (int a = 0; a < dim; a++) {
        for (int k = 0; k < dof; k++) {
            double sum = 0.0;
            for (int l = 0; l < dof; l++) {
                sum += H[a * dof + l] * M_inv[l * dof + k];
            }
            HM[a * dof + k] = sum;
        }
    }
}

/* Arrays of the graph contact - body - contact. */
typedef struct neighbours {
    int *first, *block, *contact, *seen;
} neighbours;

/* Number of blocks in row i; their columns if column is given.  seen holds 1 + block. */
static int row_pattern(const sp_fc *p, const neighbours *g, int i, int n_block, int *column)
{
    const int before = n_block;
    for (int k = p->F.start[i]; k < p->F.start[i + 1]; k++) {
        const int b = p->F.body[k];
        for (int l = g->first[b]; l < g->first[b + 1]; l++) {
            const int j = g->contact[l];
            if (g->seen[j] <= before) {
                g->seen[j] = ++n_block;
                if (column) {
                    column[n_block - 1] = j;
                }
            }
        }
    }
    return n_block;
}

/* Fill the blocks of row i, whose pattern is in seen. */
static void row_values(const sp_fc *p, const neighbours *g, int i, const size_t *at, double *value,
                       double *HM)
{
    const sp_fc_factors *F = &p->F;
    const int dim = sp_set_dim(&p->set[i]);
    for (int k = F->start[i]; k < F->start[i + 1]; k++) {
        const int b = F->body[k], dof = F->dof[b + 1] - F->dof[b];
        times_inverse(dim, dof, F->H + F->at[k], F->M_inv + F->inverse[b], HM);
        for (int l = g->first[b]; l < g->first[b + 1]; l++) {
            const int j = g->contact[l];
            add_block(dim, sp_set_dim(&p->set[j]), dof, HM, F->H + F->at[g->block[l]],
                      value + at[g->seen[j] - 1]);
        }
    }
}

sp_status sp_fc_form(sp_fc *p, sp_arena *arena, sp_error *err)
{
    const sp_fc_factors *F = &p->F;
    const int blocks_H = F->start[p->n_contact];
    neighbours g = {SP_NEW(arena, int, F->n_body + 2), SP_NEW(arena, int, blocks_H),
                    SP_NEW(arena, int, blocks_H), SP_NEW(arena, int, p->n_contact)};
    int *start = SP_NEW(arena, int, p->n_contact + 1), n_block = 0, dof_max = 1;
    if (!g.first || !g.block || !g.contact || !g.seen || !start) {
        return OUT_OF_MEMORY(err);
    }
    contacts_by_body(p, g.first, g.block, g.contact);
    for (int i = 0; i < p->n_contact; i++) {
        n_block = start[i + 1] = row_pattern(p, &g, i, n_block, NULL);
    }
    for (int b = 0; b < F->n_body; b++) {
        const int dof = F->dof[b + 1] - F->dof[b];
        dof_max = dof > dof_max ? dof : dof_max;
    }
    int *column = SP_NEW(arena, int, n_block);
    size_t *at = SP_NEW(arena, size_t, n_block), used = 0;
    double *HM = SP_NEW(arena, double, SP_SET_DIM_MAX *dof_max);
    if (!column || !at || !HM) {
        return OUT_OF_MEMORY(err);
    }
    memset(g.seen, 0, (size_t)p->n_contact * sizeof *g.seen);
    for (int i = 0; i < p->n_contact; i++) {
        row_pattern(p, &g, i, start[i], column);
        for (int k = start[i]; k < start[i + 1]; k++) {
            at[k] = used;
            used += (size_t)(sp_set_dim(&p->set[i]) * sp_set_dim(&p->set[column[k]]));
        }
    }
    double *value = SP_NEW(arena, double, used);
    if (!value) {
        return OUT_OF_MEMORY(err);
    }
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            g.seen[column[k]] = k + 1;
        }
        row_values(p, &g, i, at, value, HM);
    }
    p->G = (sp_fc_matrix){start, column, at, value};
    return SP_OK;
}
