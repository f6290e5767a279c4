#include "math/ldl.h"

#include <float.h>
#include <string.h>

/* ---- pattern --------------------------------------------------------------------------------- */

/* Indices, rising. */
typedef struct sp_ldl_set {
    int n, room;
    int *at;
} sp_ldl_set;

sp_ldl_pattern sp_ldl_pattern_of(sp_arena *scratch, int n)
{
    sp_ldl_set *set = SP_NEW(scratch, sp_ldl_set, n);
    return (sp_ldl_pattern){scratch, n, set, set == NULL};
}

/* Add k to a set that may have it. */
static void include(sp_ldl_pattern *p, sp_ldl_set *s, int k)
{
    int i = s->n;
    while (i > 0 && s->at[i - 1] > k) {
        i--;
    }
    if (i > 0 && s->at[i - 1] == k) {
        return;
    }
    if (s->n == s->room) {
        const int room = 2 * s->room + 8;
        int *at = SP_NEW(p->arena, int, room);
        if (!at) {
            p->failed = true;
            return;
        }
        if (s->n > 0) {
            memcpy(at, s->at, (size_t)s->n * sizeof *at);
        }
        s->at = at;
        s->room = room;
    }
    memmove(s->at + i + 1, s->at + i, (size_t)(s->n - i) * sizeof *s->at);
    s->at[i] = k;
    s->n++;
}

static void leave_out(sp_ldl_set *s, int k)
{
    int i = 0;
    while (i < s->n && s->at[i] != k) {
        i++;
    }
    if (i < s->n) {
        s->n--;
        memmove(s->at + i, s->at + i + 1, (size_t)(s->n - i) * sizeof *s->at);
    }
}

void sp_ldl_couple(sp_ldl_pattern *p, const int *index, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n && !p->failed; j++) {
            if (i != j) {
                include(p, &p->set[index[i]], index[j]);
            }
        }
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Index i goes; those around it are coupled from now on. */
static void eliminate(sp_ldl_pattern *p, int i)
{
    const sp_ldl_set *s = &p->set[i];
    for (int k = 0; k < s->n; k++) {
        leave_out(&p->set[s->at[k]], i);
    }
    sp_ldl_couple(p, s->at, s->n);
}

/* What the order is found with. */
typedef struct search {
    sp_ldl_pattern *p;
    int *touched;   /* n: 1 + when the last neighbour went                  */
    int *heap, *at; /* of those that are left; where an index is in it      */
    int n_heap;
} search;

/* Fewest neighbours; of several the one around which the last went the longest time ago. */
static bool before(const search *s, int i, int j)
{
    const int more = s->p->set[i].n - s->p->set[j].n;
    return more != 0                        ? more < 0
           : s->touched[i] != s->touched[j] ? s->touched[i] < s->touched[j]
                                            : i > j;
}

static void put(search *s, int k, int i)
{
    s->heap[k] = i;
    s->at[i] = k;
}

/* Index i, at place k of the heap, goes to where it belongs. */
static void sift(search *s, int k, int i)
{
    while (k > 0 && before(s, i, s->heap[(k - 1) / 2])) {
        put(s, k, s->heap[(k - 1) / 2]);
        k = (k - 1) / 2;
    }
    for (int child; (child = 2 * k + 1) < s->n_heap; k = child) {
        child += child + 1 < s->n_heap && before(s, s->heap[child + 1], s->heap[child]);
        if (!before(s, s->heap[child], i)) {
            break;
        }
        put(s, k, s->heap[child]);
    }
    put(s, k, i);
}

static void take_out(search *s, int i)
{
    const int k = s->at[i], last = s->heap[--s->n_heap];
    if (last != i) {
        sift(s, k, last);
    }
}

/* One after the other.   theory (71.2) */
static void find_order(search *s, sp_ldl *f)
{
    sp_ldl_pattern *p = s->p;
    for (int i = 0; i < p->n; i++) {
        sift(s, s->n_heap++, i);
    }
    for (int k = 0; k < p->n && !p->failed; k++) {
        const int best = s->heap[0];
        take_out(s, best);
        f->order[k] = best;
        f->place[best] = k;
        for (int i = 0; i < p->set[best].n; i++) { /* what changes is out of the heap meanwhile */
            take_out(s, p->set[best].at[i]);
        }
        eliminate(p, best);
        for (int i = 0; i < p->set[best].n; i++) {
            const int j = p->set[best].at[i];
            s->touched[j] = 1 + k;
            sift(s, s->n_heap++, j);
        }
    }
}

static bool seek_order(sp_ldl_pattern *p, sp_ldl *f)
{
    search s = {.p = p,
                .touched = SP_NEW(p->arena, int, p->n),
                .heap = SP_NEW(p->arena, int, p->n),
                .at = SP_NEW(p->arena, int, p->n)};
    if (!s.touched || !s.heap || !s.at) {
        return false;
    }
    find_order(&s, f);
    return !p->failed;
}

/* ---- factor ---------------------------------------------------------------------------------- */

static bool make_room(sp_arena *arena, size_t entries, sp_ldl *f)
{
    f->row = SP_NEW(arena, int, entries);
    f->A = SP_NEW(arena, double, entries);
    f->L = SP_NEW(arena, double, entries);
    f->left = SP_NEW(arena, int, entries);
    f->left_at = SP_NEW(arena, size_t, entries);
    return f->row && f->A && f->L && f->left && f->left_at;
}

/* Columns by places, rising, from the sets that were left when each index went. */
static void lay_columns(const sp_ldl_pattern *p, sp_ldl *f)
{
    for (int k = 0; k < f->n; k++) {
        const sp_ldl_set *s = &p->set[f->order[k]];
        int *row = f->row + f->start[k];
        row[0] = k;
        for (int i = 0; i < s->n; i++) {
            const int at = f->place[s->at[i]];
            int j = i;
            for (; j > 0 && row[j] > at; j--) {
                row[j + 1] = row[j];
            }
            row[j + 1] = at;
        }
        f->parent[k] = s->n > 0 ? row[1] : f->n;
    }
}

/* The entries of each row left of the diagonal, columns rising. */
static void lay_rows(sp_ldl *f)
{
    for (int k = 0; k < f->n; k++) {
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            f->left_start[f->row[e] + 1]++;
        }
    }
    for (int k = 0; k < f->n; k++) {
        f->left_start[k + 1] += f->left_start[k];
    }
    for (int k = f->n - 1; k >= 0; k--) { /* from the back: what remains is the beginning */
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            const size_t to = --f->left_start[f->row[e] + 1];
            f->left[to] = k;
            f->left_at[to] = e;
        }
    }
    memmove(f->left_start, f->left_start + 1, (size_t)f->n * sizeof *f->left_start);
    f->left_start[f->n] = f->start[f->n] - (size_t)f->n;
}

bool sp_ldl_make(sp_arena *arena, sp_ldl_pattern *p, sp_ldl *f)
{
    const int n = p->n;
    *f = (sp_ldl){.n = n};
    f->order = SP_NEW(arena, int, n);
    f->place = SP_NEW(arena, int, n);
    f->parent = SP_NEW(arena, int, n);
    f->start = SP_NEW(arena, size_t, n + 1);
    f->left_start = SP_NEW(arena, size_t, n + 2);
    f->D_inv = SP_NEW(arena, double, n);
    f->z = SP_NEW(arena, double, n);
    if (!f->order || !f->place || !f->parent || !f->start || !f->left_start || !f->D_inv || !f->z ||
        p->failed || !seek_order(p, f)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        f->start[k + 1] = f->start[k] + 1 + (size_t)p->set[f->order[k]].n;
    }
    if (!make_room(arena, f->start[n], f)) {
        return false;
    }
    lay_columns(p, f);
    lay_rows(f);
    return true;
}

size_t sp_ldl_at(const sp_ldl *f, int i, int j)
{
    const int a = f->place[i], b = f->place[j], column = a < b ? a : b, row = a < b ? b : a;
    size_t low = f->start[column], high = f->start[column + 1] - 1;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (f->row[mid] < row) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* Column k of A into z, without what is struck out. */
static void spread(sp_ldl *f, int k, const unsigned char *struck)
{
    for (size_t e = f->start[k]; e < f->start[k + 1]; e++) {
        const bool out = struck && struck[f->order[f->row[e]]];
        f->z[f->row[e]] = out ? 0.0 : f->A[e];
    }
}

/* z -= L_ki D_i times column i from row k on, for all i left of k.   theory (71.3) */
static void take_left(sp_ldl *f, int k)
{
    for (size_t e = f->left_start[k]; e < f->left_start[k + 1]; e++) {
        const int i = f->left[e];
        const size_t at = f->left_at[e], end = f->start[i + 1];
        const double l = f->L[at] * f->L[f->start[i]];
        for (size_t p = at; p < end; p++) {
            f->z[f->row[p]] -= l * f->L[p];
        }
    }
}

int sp_ldl_factor(sp_ldl *f, const unsigned char *struck)
{
    for (int k = 0; k < f->n; k++) {
        const size_t first = f->start[k], end = f->start[k + 1];
        if (struck && struck[f->order[k]]) {
            memset(f->L + first, 0, (end - first) * sizeof *f->L);
            f->D_inv[k] = 0.0;
            continue;
        }
        spread(f, k, struck);
        take_left(f, k);
        const double pivot = f->z[k];
        if (!(pivot >= DBL_MIN)) { /* else one over it overflows */
            return k;
        }
        f->L[first] = pivot; /* D stands where L has ones */
        f->D_inv[k] = 1.0 / pivot;
        for (size_t e = first + 1; e < end; e++) {
            f->L[e] = f->z[f->row[e]] * f->D_inv[k];
        }
    }
    return f->n;
}

void sp_ldl_solve_L(const sp_ldl *f, double *x)
{
    for (int k = 0; k < f->n; k++) {
        const double x_k = x[f->order[k]];
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            x[f->order[f->row[e]]] -= f->L[e] * x_k;
        }
    }
}

void sp_ldl_solve_D_LT(const sp_ldl *f, double *x)
{
    for (int k = f->n - 1; k >= 0; k--) {
        double sum = x[f->order[k]] * f->D_inv[k];
        for (size_t e = f->start[k] + 1; e < f->start[k + 1]; e++) {
            sum -= f->L[e] * x[f->order[f->row[e]]];
        }
        x[f->order[k]] = sum;
    }
}
