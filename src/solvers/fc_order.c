/* Minimum degree on the quotient graph: an eliminated contact becomes an element, whose list holds
 * the contacts it couples; a contact remembers its remaining neighbours and its elements, which
 * never need more room than the neighbours it had.   [AmestoyDavisDuff96], degrees as there */
#include "solvers/fc_order.h"

#include <limits.h>
#include <string.h>

/* A front may have this many contacts more than its child needs before the two stay apart. */
enum { RELAXED = 6 };

typedef struct quotient {
    int n;
    int *start, *size_A, *size_E; /* per contact: neighbours from start on, then elements     */
    int *list;                    /* A_v, then E_v                                            */
    int *element, *length;        /* of an eliminated contact: place of its list, its length  */
    int *pool;                    /* lists of elements                                        */
    int pool_used, pool_size;
    int *degree, *state; /* state: 0 contact, 1 element, 2 element absorbed by another         */
    int *mark, stamp, *outside; /* |L_e \\ L_p| of this stamp                                  */
    int *head, *next, *last;    /* contacts by degree, doubly linked                            */
} quotient;

/* Neighbours of every contact in the symmetric pattern, with both blocks. */
static int find_neighbours(const sp_fc_island *l, sp_fc_stack *stack, sp_fc_order *o)
{
    const int n = l->n_contact;
    o->near_start = SP_TAKE(stack, int, n + 1);
    int *seen = SP_TAKE(stack, int, n);
    int *t_start = SP_TAKE(stack, int, n + 2), *t_row = SP_TAKE(stack, int, l->n_block);
    int *t_block = SP_TAKE(stack, int, l->n_block);
    o->near = SP_TAKE(stack, int, 2 * (size_t)l->n_block);
    o->near_row = SP_TAKE(stack, int, 2 * (size_t)l->n_block);
    o->near_column = SP_TAKE(stack, int, 2 * (size_t)l->n_block);
    if (stack->failed) {
        return 0;
    }
    /* blocks by column */
    memset(t_start, 0, ((size_t)n + 2) * sizeof *t_start);
    for (int b = 0; b < l->n_block; b++) {
        t_start[l->column[b] + 2]++;
    }
    for (int j = 0; j < n; j++) {
        t_start[j + 2] += t_start[j + 1];
        seen[j] = -1;
    }
    for (int i = 0; i < n; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int at = t_start[l->column[b] + 1]++;
            t_row[at] = i;
            t_block[at] = b;
        }
    }
    int used = 0;
    for (int i = 0; i < n; i++) {
        o->near_start[i] = used;
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            if (l->column[b] != i) {
                seen[l->column[b]] = used;
                o->near[used] = l->column[b];
                o->near_row[used] = b;
                o->near_column[used++] = -1;
            }
        }
        for (int k = t_start[i]; k < t_start[i + 1]; k++) {
            const int j = t_row[k];
            if (j == i) {
                continue;
            }
            if (seen[j] < o->near_start[i]) {
                seen[j] = used;
                o->near[used] = j;
                o->near_row[used] = -1;
                o->near_column[used++] = -1;
            }
            o->near_column[seen[j]] = t_block[k];
        }
    }
    o->near_start[n] = used;
    return 1;
}

/* Lists of contacts by degree. */
static void bucket_remove(quotient *q, int v)
{
    if (q->last[v] >= 0) {
        q->next[q->last[v]] = q->next[v];
    } else {
        q->head[q->degree[v]] = q->next[v];
    }
    if (q->next[v] >= 0) {
        q->last[q->next[v]] = q->last[v];
    }
}

static void bucket_add(quotient *q, int v)
{
    const int d = q->degree[v];
    q->last[v] = -1;
    q->next[v] = q->head[d];
    if (q->head[d] >= 0) {
        q->last[q->head[d]] = v;
    }
    q->head[d] = v;
}

/* Memory and the graph at the start. */
static int quotient_start(quotient *q, const sp_fc_order *o, int n, sp_fc_stack *stack)
{
    const int edges = o->near_start[n];
    q->n = n;
    q->start = o->near_start;
    q->size_A = SP_TAKE(stack, int, n);
    q->size_E = SP_TAKE(stack, int, n);
    q->list = SP_TAKE(stack, int, edges + 1);
    q->element = SP_TAKE(stack, int, n);
    q->length = SP_TAKE(stack, int, n);
    q->degree = SP_TAKE(stack, int, n);
    q->state = SP_TAKE(stack, int, n);
    q->mark = SP_TAKE(stack, int, n);
    q->outside = SP_TAKE(stack, int, n);
    q->head = SP_TAKE(stack, int, n + 1);
    q->next = SP_TAKE(stack, int, n);
    q->last = SP_TAKE(stack, int, n);
    if (stack->failed) {
        return 0;
    }
    memcpy(q->list, o->near, (size_t)edges * sizeof *q->list);
    memset(q->size_E, 0, (size_t)n * sizeof *q->size_E);
    memset(q->state, 0, (size_t)n * sizeof *q->state);
    memset(q->mark, 0, (size_t)n * sizeof *q->mark);
    memset(q->outside, 0, (size_t)n * sizeof *q->outside);
    q->stamp = 0;
    for (int d = 0; d <= n; d++) {
        q->head[d] = -1;
    }
    for (int v = n - 1; v >= 0; v--) {
        q->size_A[v] = q->degree[v] = o->near_start[v + 1] - o->near_start[v];
        bucket_add(q, v);
    }
    return 1;
}

/* L_p = (A_p and the lists of its elements) without p, at the end of the pool; its elements are
 * absorbed.  0: the pool is full. */
static int form_element(quotient *q, int p)
{
    int *L = q->pool + q->pool_used, length = 0;
    const int *A = q->list + q->start[p], *E = A + q->size_A[p];
    const int stamp = ++q->stamp, room = q->pool_size - q->pool_used;
    q->mark[p] = stamp;
    for (int k = 0; k < q->size_A[p] + q->size_E[p]; k++) {
        const int is_element = k >= q->size_A[p], e = is_element ? E[k - q->size_A[p]] : A[k];
        const int *from = is_element ? q->pool + q->element[e] : &A[k];
        const int count = is_element ? q->length[e] : 1;
        for (int m = 0; m < count; m++) {
            const int v = from[m];
            if (q->state[v] == 0 && q->mark[v] != stamp) {
                if (length == room) {
                    return 0;
                }
                q->mark[v] = stamp;
                L[length++] = v;
            }
        }
        if (is_element) {
            q->state[e] = 2;
        }
    }
    q->state[p] = 1;
    q->element[p] = q->pool_used;
    q->length[p] = length;
    q->pool_used += length;
    return 1;
}

/* |L_e \\ L_p| for the elements of the contacts of L_p, counted down from |L_e|. */
static void count_outside(quotient *q, int p, int *seen)
{
    const int *L = q->pool + q->element[p];
    for (int k = 0; k < q->length[p]; k++) {
        const int v = L[k], *E = q->list + q->start[v] + q->size_A[v];
        for (int m = 0; m < q->size_E[v]; m++) {
            const int e = E[m];
            if (q->state[e] != 1) {
                continue;
            }
            if (seen[e] != p) {
                seen[e] = p;
                q->outside[e] = q->length[e]; /* an element left has no eliminated contacts */
            }
            q->outside[e]--;
        }
    }
}

/* New lists and degree of v, a contact of L_p; mark of the contacts in L_p is the stamp. */
static void update_contact(quotient *q, int p, int v)
{
    int *A = q->list + q->start[v], kept = 0, elements = 0, degree = q->length[p] - 1;
    const int n_A = q->size_A[v], n_E = q->size_E[v];
    for (int k = 0; k < n_A; k++) {
        const int u = A[k];
        if (q->state[u] == 0 && q->mark[u] != q->stamp) {
            A[kept++] = u;
        }
    }
    /* the elements move up behind what is left of A; one place at least has become free */
    for (int k = 0; k < n_E; k++) {
        const int e = A[n_A + k];
        if (q->state[e] == 1 && q->outside[e] > 0) {
            A[kept + elements++] = e;
            degree += q->outside[e];
        }
    }
    A[kept + elements++] = p;
    q->size_A[v] = kept;
    q->size_E[v] = elements;
    degree += kept;
    q->degree[v] = degree < q->n - 1 ? degree : q->n - 1;
}

/* Eliminate all contacts; order gets them in turn. */
static int eliminate(quotient *q, int *order, int *seen)
{
    int least = 0;
    for (int k = 0; k < q->n; k++) {
        while (q->head[least] < 0) {
            least++;
        }
        const int p = q->head[least];
        bucket_remove(q, p);
        order[k] = p;
        if (!form_element(q, p)) {
            return 0;
        }
        count_outside(q, p, seen);
        const int *L = q->pool + q->element[p];
        for (int m = 0; m < q->length[p]; m++) {
            bucket_remove(q, L[m]);
            update_contact(q, p, L[m]);
            bucket_add(q, L[m]);
            least = q->degree[L[m]] < least ? q->degree[L[m]] : least;
        }
    }
    return 1;
}

/* The tree of contacts, its post-order in place. */
typedef struct tree {
    int *parent, *child, *sibling, *post;
} tree;

/* parent[v]: the contact of L_v that is eliminated first. */
static void build_tree(const quotient *q, const int *order, const int *when, tree *t)
{
    for (int v = 0; v < q->n; v++) {
        t->child[v] = -1;
    }
    for (int k = q->n - 1; k >= 0; k--) {
        const int v = order[k], *L = q->pool + q->element[v];
        int best = -1;
        for (int m = 0; m < q->length[v]; m++) {
            best = best < 0 || when[L[m]] < when[best] ? L[m] : best;
        }
        t->parent[v] = best;
        t->sibling[v] = -1;
        if (best >= 0) {
            t->sibling[v] = t->child[best];
            t->child[best] = v;
        }
    }
}

/* Post-order without recursion; the contacts without parent in the order of elimination. */
static void post_order(const quotient *q, const int *order, tree *t, int *stack_of)
{
    int n = 0;
    for (int k = 0; k < q->n; k++) {
        if (t->parent[order[k]] >= 0) {
            continue;
        }
        int depth = 0;
        stack_of[depth++] = order[k];
        while (depth > 0) {
            const int v = stack_of[depth - 1], c = t->child[v];
            if (c >= 0) {
                t->child[v] = t->sibling[c];
                stack_of[depth++] = c;
            } else {
                t->post[n++] = v;
                depth--;
            }
        }
    }
}

/* Whether v, next in post-order after u, joins the front of u. */
static int joins(const quotient *q, const tree *t, int u, int v)
{
    return t->parent[u] == v && q->length[v] + 1 - q->length[u] <= RELAXED &&
           q->length[v] + 1 - q->length[u] <= 1 + q->length[u] / 4;
}

/* Lists of children, the first of them first. */
static void link_children(sp_fc_order *o)
{
    for (int f = 0; f < o->n_front; f++) {
        o->child[f] = o->sibling[f] = -1;
    }
    for (int f = o->n_front - 1; f >= 0; f--) {
        if (o->parent[f] >= 0) {
            o->sibling[f] = o->child[o->parent[f]];
            o->child[o->parent[f]] = f;
        }
    }
}

/* Fronts from runs of contacts in post-order. */
static int build_fronts(const quotient *q, const tree *t, sp_fc_stack *stack, sp_fc_order *o)
{
    const int n = q->n;
    size_t total = (size_t)n;
    o->first = SP_TAKE(stack, int, n + 1);
    o->n_pivot = SP_TAKE(stack, int, n);
    o->parent = SP_TAKE(stack, int, n);
    o->child = SP_TAKE(stack, int, n);
    o->sibling = SP_TAKE(stack, int, n);
    int *front_of = SP_TAKE(stack, int, n);
    if (stack->failed) {
        return 0;
    }
    o->n_front = 0;
    for (int k = 0; k < n; k++) {
        const int v = t->post[k], join = k > 0 && joins(q, t, t->post[k - 1], v);
        o->place[v] = k;
        if (!join) {
            o->n_pivot[o->n_front++] = 0;
        }
        o->n_pivot[o->n_front - 1]++;
        front_of[v] = o->n_front - 1;
    }
    for (int k = 0, at = 0; k < o->n_front; k++) {
        at += o->n_pivot[k];
        total += (size_t)q->length[t->post[at - 1]];
    }
    o->member = SP_TAKE(stack, int, total);
    if (stack->failed || total > INT_MAX) {
        return 0;
    }
    o->flops = o->numbers = 0.0;
    int used = 0;
    for (int k = 0, at = 0; k < o->n_front; k++) {
        o->first[k] = used;
        for (int m = 0; m < o->n_pivot[k]; m++) {
            o->member[used++] = t->post[at++];
        }
        const int v = t->post[at - 1];
        memcpy(o->member + used, q->pool + q->element[v], (size_t)q->length[v] * sizeof(int));
        used += q->length[v];
        o->parent[k] = t->parent[v] < 0 ? -1 : front_of[t->parent[v]];
        const double p = 3.0 * o->n_pivot[k], f = p + 3.0 * q->length[v];
        o->flops += 2.0 * p * f * f - 2.0 * p * p * f + 2.0 / 3.0 * p * p * p;
        o->numbers += f * (f + 4.0);
    }
    o->first[o->n_front] = used;
    link_children(o);
    return 1;
}

int sp_fc_order_find(const sp_fc_island *l, sp_fc_stack *stack, sp_fc_order *o)
{
    const int n = l->n_contact;
    o->place = SP_TAKE(stack, int, n);
    if (stack->failed || !find_neighbours(l, stack, o)) {
        return 0;
    }
    quotient q;
    int *order = SP_TAKE(stack, int, n), *when = SP_TAKE(stack, int, n);
    int *seen = SP_TAKE(stack, int, n), *depth = SP_TAKE(stack, int, n);
    tree t = {SP_TAKE(stack, int, n), SP_TAKE(stack, int, n), SP_TAKE(stack, int, n),
              SP_TAKE(stack, int, n)};
    if (stack->failed || !quotient_start(&q, o, n, stack)) {
        return 0;
    }
    for (size_t room = 32 * (size_t)l->n_block + 1024;; room *= 4) {
        q.pool_size = room < INT_MAX ? (int)room : INT_MAX;
        q.pool = SP_TAKE(stack, int, q.pool_size);
        if (stack->failed) {
            return 0;
        }
        for (int v = 0; v < n; v++) {
            seen[v] = -1;
        }
        q.pool_used = 0;
        if (eliminate(&q, order, seen)) {
            break;
        }
        if (room >= INT_MAX || !quotient_start(&q, o, n, stack)) {
            return 0;
        }
    }
    for (int k = 0; k < n; k++) {
        when[order[k]] = k;
    }
    build_tree(&q, order, when, &t);
    post_order(&q, order, &t, depth);
    return build_fronts(&q, &t, stack, o);
}
