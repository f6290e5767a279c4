/* Contact problems from dense matrices, lists of entries, and the global form M v = H r + f. */
#include "solvers/fc.h"

#include <string.h>

#define OUT_OF_MEMORY(err) SP_FAIL((err), SP_E_MEMORY, "contact problem: out of memory")

/* Whether block (i, j) of the dense matrix has a number that is not zero. */
static int block_matters(const sp_fc *p, const double *D, size_t rs, size_t cs, int i, int j)
{
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        for (int b = 0; b < sp_set_dim(&p->set[j]); b++) {
            const double x = D[(size_t)(p->row[i] + a) * rs + (size_t)(p->row[j] + b) * cs];
            if (x != 0.0) {
                return 1;
            }
        }
    }
    return 0;
}

sp_status sp_fc_from_dense(sp_fc *p, const double *D, size_t rs, size_t cs, sp_arena *arena,
                           sp_error *err)
{
    const size_t pairs = (size_t)p->n_contact * (size_t)p->n_contact;
    int *start = SP_NEW(arena, int, p->n_contact + 1), *column = SP_NEW(arena, int, pairs);
    size_t *at = SP_NEW(arena, size_t, pairs), used = 0;
    double *value = SP_NEW(arena, double, (size_t)p->n *(size_t)p->n);
    if (!start || !column || !at || !value) {
        return OUT_OF_MEMORY(err);
    }
    int n_block = 0;
    for (int i = 0; i < p->n_contact; i++) {
        for (int j = 0; j < p->n_contact; j++) {
            if (i != j && !block_matters(p, D, rs, cs, i, j)) {
                continue;
            }
            column[n_block] = j;
            at[n_block++] = used;
            for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
                for (int b = 0; b < sp_set_dim(&p->set[j]); b++) {
                    value[used++] = D[(size_t)(p->row[i] + a) * rs + (size_t)(p->row[j] + b) * cs];
                }
            }
        }
        start[i + 1] = n_block;
    }
    p->G = (sp_fc_matrix){start, column, at, value};
    return SP_OK;
}

/* contact[k] of every row k. */
static void contacts_of_rows(const sp_fc *p, int *contact)
{
    for (int i = 0; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            contact[p->row[i] + a] = i;
        }
    }
}

/* Entries ordered by the contact of their row (counting): entry order[first[i]] and on belong to
 * contact i.  first has n_contact + 1 numbers. */
static void order_entries(size_t n_entry, const int *row, const int *contact, int n_contact,
                          size_t *first, size_t *order)
{
    memset(first, 0, ((size_t)n_contact + 1) * sizeof *first);
    for (size_t k = 0; k < n_entry; k++) {
        first[contact[row[k]] + 1]++;
    }
    for (int i = 0; i < n_contact; i++) {
        first[i + 1] += first[i];
    }
    for (size_t k = 0; k < n_entry; k++) {
        order[first[contact[row[k]]]++] = k;
    }
    for (int i = n_contact; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
}

/* What building from entries works with. */
typedef struct entry_list {
    size_t n;
    const int *row, *column;
    const double *value;
    int *contact;          /* of each row                                             */
    size_t *first, *order; /* entries by contact                                      */
    int *seen;             /* n_contact: 1 + block of this contact's current row, or 0 */
} entry_list;

/* The blocks that are built: counted first, with arrays NULL, then filled. */
typedef struct block_list {
    int n;         /* blocks so far                         */
    size_t used;   /* numbers in them                       */
    int *column;   /* per block: its contact; NULL: counting */
    size_t *at;    /* per block: its first number           */
    double *value; /* numbers                               */
} block_list;

/* Count or fill the blocks of contact i. */
static void blocks_of_row(const sp_fc *p, const entry_list *e, int i, block_list *b)
{
    const int before = b->n;
    for (size_t k = e->first[i]; k < e->first[i + 1]; k++) {
        const size_t entry = e->order[k];
        const int j = e->contact[e->column[entry]], dim = sp_set_dim(&p->set[j]);
        if (e->seen[j] <= before) {
            if (b->column) {
                b->column[b->n] = j;
                b->at[b->n] = b->used;
            }
            b->used += (size_t)(sp_set_dim(&p->set[i]) * dim);
            e->seen[j] = ++b->n;
        }
        if (b->column) {
            const int r = e->row[entry] - p->row[i], c = e->column[entry] - p->row[j];
            b->value[b->at[e->seen[j] - 1] + (size_t)(r * dim + c)] += e->value[entry];
        }
    }
}

sp_status sp_fc_from_entries(sp_fc *p, size_t n_entry, const int *row, const int *column,
                             const double *value, sp_arena *arena, sp_error *err)
{
    for (size_t k = 0; k < n_entry; k++) {
        if (row[k] < 0 || row[k] >= p->n || column[k] < 0 || column[k] >= p->n) {
            return SP_FAIL(err, SP_E_INPUT, "contact problem: entry (%d, %d), expected 0 to %d",
                           row[k], column[k], p->n - 1);
        }
    }
    entry_list e = {n_entry, row, column, value, NULL, NULL, NULL, NULL};
    e.contact = SP_NEW(arena, int, p->n);
    e.first = SP_NEW(arena, size_t, p->n_contact + 1);
    e.order = SP_NEW(arena, size_t, n_entry);
    e.seen = SP_NEW(arena, int, p->n_contact);
    int *start = SP_NEW(arena, int, p->n_contact + 1);
    if (!e.contact || !e.first || !e.order || !e.seen || !start) {
        return OUT_OF_MEMORY(err);
    }
    contacts_of_rows(p, e.contact);
    order_entries(n_entry, row, e.contact, p->n_contact, e.first, e.order);
    block_list count = {0}, b = {0};
    for (int i = 0; i < p->n_contact; i++) {
        blocks_of_row(p, &e, i, &count);
        start[i + 1] = count.n;
    }
    b.column = SP_NEW(arena, int, count.n);
    b.at = SP_NEW(arena, size_t, count.n);
    b.value = SP_NEW(arena, double, count.used);
    if (!b.column || !b.at || !b.value) {
        return OUT_OF_MEMORY(err);
    }
    memset(e.seen, 0, (size_t)p->n_contact * sizeof *e.seen);
    for (int i = 0; i < p->n_contact; i++) {
        blocks_of_row(p, &e, i, &b);
    }
    p->G = (sp_fc_matrix){start, b.column, b.at, b.value};
    return SP_OK;
}
