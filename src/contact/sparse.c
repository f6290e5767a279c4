#include "contact/sparse.h"

#include <string.h>

/* The tree of every degree of freedom, its place there, and the sizes of the trees. */
static void find_trees(const sp_model *m, sp_sparse *s)
{
    for (int k = 0; k < m->n_dof; k++) {
        const int parent = m->layout.dof[k].parent;
        s->tree[k] = parent == SP_NONE ? s->n_tree++ : s->tree[parent];
        s->place[k] = s->dof[s->tree[k] + 1]++;
    }
    for (int t = 0; t < s->n_tree; t++) {
        s->dof[t + 1] += s->dof[t];
    }
}

static int tree_size(const sp_sparse *s, int tree)
{
    return s->dof[tree + 1] - s->dof[tree];
}

/* Room for the blocks of D^-1, and the largest number of columns that a pair of trees has. */
static int lay_blocks(sp_sparse *s, size_t *n_block)
{
    int largest = 1, second = 0;
    for (int t = 0; t < s->n_tree; t++) {
        const int n = tree_size(s, t);
        s->inverse[t] = *n_block;
        *n_block += (size_t)n * (size_t)n;
        if (n > largest) {
            second = largest;
            largest = n;
        } else if (n > second) {
            second = n;
        }
    }
    return largest + second;
}

bool sp_sparse_alloc(sp_arena *arena, const sp_model *m, const sp_con *con, sp_sparse *s)
{
    const size_t n = (size_t)con->capacity, n_dof = (size_t)m->n_dof;
    size_t n_block = 0;
    *s = (sp_sparse){.n_dof = m->n_dof};
    s->tree = SP_NEW(arena, int, n_dof);
    s->place = SP_NEW(arena, int, n_dof);
    s->dof = SP_NEW(arena, int, n_dof + 1);
    s->inverse = SP_NEW(arena, size_t, n_dof);
    if (!s->tree || !s->place || !s->dof || !s->inverse) {
        return false;
    }
    find_trees(m, s);
    const size_t columns = (size_t)lay_blocks(s, &n_block);
    s->D_inv = SP_NEW(arena, double, n_block);
    s->start = SP_NEW(arena, int, n + 1);
    s->body = SP_NEW(arena, int, n *(size_t)(s->n_tree < con->stride ? s->n_tree : con->stride));
    s->at = SP_NEW(arena, size_t, n * (size_t)(s->n_tree < con->stride ? s->n_tree : con->stride));
    s->H = SP_NEW(arena, double,
                  (size_t)m->layout.contact_rows *n *columns +
                      2 * (size_t)m->layout.n_rule_slot * n_dof);
    return s->D_inv && s->start && s->body && s->at && s->H;
}

/* The blocks of a contact: one for every tree that its degrees of freedom are of, zeroed. */
static size_t place_blocks(const sp_con *con, int a, size_t used, sp_sparse *s)
{
    const int *sup = sp_con_sup(con, a), first = s->start[a];
    const int dim = con->row[a + 1] - con->row[a];
    int n = first;
    for (int p = 0; p < con->n_sup[a]; p++) {
        const int tree = s->tree[sup[p]];
        int k = first;
        while (k < n && s->body[k] != tree) {
            k++;
        }
        if (k == n) {
            const size_t size = (size_t)dim * (size_t)tree_size(s, tree);
            s->body[n] = tree;
            s->at[n++] = used;
            memset(s->H + used, 0, size * sizeof *s->H);
            used += size;
        }
    }
    s->start[a + 1] = n;
    return used;
}

/* The rows of Y of a contact into its blocks. */
static void fill_blocks(const sp_con *con, int a, const sp_sparse *s)
{
    const int *sup = sp_con_sup(con, a);
    for (int p = 0; p < con->n_sup[a]; p++) {
        const int tree = s->tree[sup[p]];
        const size_t width = (size_t)tree_size(s, tree), place = (size_t)s->place[sup[p]];
        int k = s->start[a];
        while (s->body[k] != tree) {
            k++;
        }
        for (int r = con->row[a]; r < con->row[a + 1]; r++) {
            const size_t i = (size_t)(r - con->row[a]);
            s->H[s->at[k] + i * width + place] = sp_con_row(con, con->Y, r)[p];
        }
    }
}

sp_fc_factors sp_sparse_fill(const sp_dyn *dyn, const sp_con *con, sp_sparse *s)
{
    for (int k = 0; k < s->n_dof; k++) {
        const int tree = s->tree[k];
        const size_t width = (size_t)tree_size(s, tree), place = (size_t)s->place[k];
        s->D_inv[s->inverse[tree] + place * width + place] = dyn->D_inv[k];
    }
    size_t used = 0;
    s->start[0] = 0;
    for (int a = 0; a < con->n_active; a++) {
        used = place_blocks(con, a, used, s);
        fill_blocks(con, a, s);
    }
    return (sp_fc_factors){.n_body = s->n_tree,
                           .dof = s->dof,
                           .inverse = s->inverse,
                           .M_inv = s->D_inv,
                           .start = s->start,
                           .body = s->body,
                           .at = s->at,
                           .H = s->H};
}
