#include "math/trimesh.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 };

/* Triangles with a smaller height, as part of their longest side, have no area. */
#define FLAT 1e-9

/* ---- corners ------------------------------------------------------------------------------- */

/* A corner as given, for sorting. */
typedef struct place {
    sp_vec3 x;
    int i;
} place;

static int compare(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int compare_places(const void *first, const void *second)
{
    const place *a = first, *b = second;
    int c = compare(a->x.x, b->x.x);
    c = c ? c : compare(a->x.y, b->x.y);
    c = c ? c : compare(a->x.z, b->x.z);
    return c ? c : a->i - b->i;
}

/* Number the corners, those in one place alike, in the order in which they are given; number[i] of
 * corner i.  How many there are. */
static int join_corners(sp_trimesh *mesh, int n, const sp_vec3 *x, place *sorted, int *number)
{
    for (int i = 0; i < n; i++) {
        sorted[i] = (place){x[i], i};
    }
    qsort(sorted, (size_t)n, sizeof *sorted, compare_places);
    for (int k = 0, first = 0; k < n; k++) { /* the first of each place */
        const bool same = k > 0 && sorted[k].x.x == sorted[k - 1].x.x &&
                          sorted[k].x.y == sorted[k - 1].x.y && sorted[k].x.z == sorted[k - 1].x.z;
        first = same ? first : sorted[k].i;
        number[sorted[k].i] = first;
    }
    int n_vertex = 0;
    for (int i = 0; i < n; i++) {
        if (number[i] == i) {
            mesh->vertex[n_vertex] = x[i];
            number[i] = n_vertex++;
        } else {
            number[i] = number[number[i]];
        }
    }
    return n_vertex;
}

/* Whether a triangle has an area. */
static bool is_flat(const sp_vec3 *x, const int v[3])
{
    const sp_vec3 a = sp_sub3(x[v[1]], x[v[0]]), b = sp_sub3(x[v[2]], x[v[0]]),
                  c = sp_sub3(x[v[2]], x[v[1]]);
    const double longest =
        fmax(fmax(sp_inner3(a, a), sp_inner3(b, b)), sp_inner3(c, c)); /* squared */
    return !(sp_length3(sp_cross3(a, b)) > FLAT * longest);
}

/* ---- edges --------------------------------------------------------------------------------- */

/* Side k of a triangle, for sorting. */
typedef struct half {
    int lo, hi, tri, k;
} half;

static int compare_halves(const void *first, const void *second)
{
    const half *a = first, *b = second;
    int c = a->lo - b->lo;
    c = c ? c : a->hi - b->hi;
    c = c ? c : a->tri - b->tri;
    return c ? c : a->k - b->k;
}

/* Edges from the sides of all triangles. */
static sp_status join_edges(sp_trimesh *mesh, half *side, sp_error *err)
{
    const int n = 3 * mesh->n_tri;
    for (int i = 0; i < n; i++) {
        const int *v = mesh->tri[i / 3], a = v[i % 3], b = v[(i + 1) % 3];
        side[i] = (half){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(side, (size_t)n, sizeof *side, compare_halves);
    for (int i = 0; i < n; i++) {
        const half *s = &side[i], *before = i > 0 ? &side[i - 1] : s;
        const bool same = i > 0 && s->lo == before->lo && s->hi == before->hi;
        if (!same) {
            mesh->edge[mesh->n_edge][0] = s->lo;
            mesh->edge[mesh->n_edge][1] = s->hi;
            mesh->edge_tri[mesh->n_edge][0] = s->tri;
            mesh->edge_tri[mesh->n_edge++][1] = -1;
        } else if (mesh->edge_tri[mesh->n_edge - 1][1] >= 0) {
            return SP_FAIL(err, SP_E_INPUT,
                           "mesh has an edge of more than two triangles, from (%g, %g, %g)",
                           mesh->vertex[s->lo].x, mesh->vertex[s->lo].y, mesh->vertex[s->lo].z);
        } else if (mesh->tri[s->tri][s->k] == mesh->tri[before->tri][before->k]) {
            return SP_FAIL(err, SP_E_INPUT,
                           "mesh has two triangles beside each other that face different ways, "
                           "at (%g, %g, %g)",
                           mesh->vertex[s->lo].x, mesh->vertex[s->lo].y, mesh->vertex[s->lo].z);
        } else {
            mesh->edge_tri[mesh->n_edge - 1][1] = s->tri;
        }
        mesh->tri_edge[s->tri][s->k] = mesh->n_edge - 1;
    }
    return SP_OK;
}

/* Corners that share an edge. */
static void list_neighbours(sp_trimesh *mesh)
{
    for (int e = 0; e < mesh->n_edge; e++) {
        mesh->around[mesh->edge[e][0]]++;
        mesh->around[mesh->edge[e][1]]++;
    }
    for (int v = 0, sum = 0; v <= mesh->n_vertex; v++) {
        sum += mesh->around[v];
        mesh->around[v] = sum; /* ends, until they are filled from the back */
    }
    for (int e = 0; e < mesh->n_edge; e++) {
        for (int k = 0; k < 2; k++) {
            mesh->beside[--mesh->around[mesh->edge[e][k]]] = mesh->edge[e][1 - k];
        }
    }
}

/* Whether a triangle lies in the plane n.x = offset. */
static bool lies_in(const sp_trimesh *mesh, int t, sp_vec3 n, double offset, double tol)
{
    bool flat = true;
    for (int k = 0; k < 3; k++) {
        flat = flat && fabs(sp_inner3(n, mesh->vertex[mesh->tri[t][k]]) - offset) <= tol;
    }
    return flat;
}

/* Triangles beside each other in the plane of the first of them are one patch: what slides over a
 * seam between them does not change what it touches.   theory (21.18) */
static void join_patches(sp_trimesh *mesh, int *stack)
{
    memset(mesh->patch, -1, (size_t)mesh->n_tri * sizeof *mesh->patch);
    for (int first = 0; first < mesh->n_tri; first++) {
        const int *v = mesh->tri[first];
        const sp_vec3 a = mesh->vertex[v[0]], ab = sp_sub3(mesh->vertex[v[1]], a);
        const sp_vec3 d = sp_cross3(ab, sp_sub3(mesh->vertex[v[2]], a));
        const sp_vec3 n = sp_scale3(1.0 / sp_length3(d), d);
        int top = mesh->patch[first] < 0 ? 1 : 0;
        stack[0] = first;
        mesh->patch[first] = top > 0 ? first : mesh->patch[first];
        while (top > 0) {
            const int t = stack[--top];
            for (int k = 0; k < 3; k++) {
                const int *side = mesh->edge_tri[mesh->tri_edge[t][k]];
                const int o = side[0] == t ? side[1] : side[0];
                if (o >= 0 && mesh->patch[o] < 0 &&
                    lies_in(mesh, o, n, sp_inner3(n, a), FLAT * sp_length3(ab))) {
                    mesh->patch[o] = first;
                    stack[top++] = o;
                }
            }
        }
    }
}

/* ---- the tree ------------------------------------------------------------------------------ */

static double middle_of(const sp_trimesh *mesh, int t, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const sp_vec3 x = mesh->vertex[mesh->tri[t][k]];
        sum += axis == 0 ? x.x : axis == 1 ? x.y : x.z;
    }
    return sum;
}

/* Reorder n triangles so that those before the middle one are not behind it. */
static void halve(const sp_trimesh *mesh, int axis, int n, int *order)
{
    int lo = 0, hi = n - 1;
    const int middle = n / 2;
    while (lo < hi) {
        const double pivot = middle_of(mesh, order[lo + (hi - lo) / 2], axis);
        int i = lo, j = hi;
        while (i <= j) {
            while (middle_of(mesh, order[i], axis) < pivot) {
                i++;
            }
            while (middle_of(mesh, order[j], axis) > pivot) {
                j--;
            }
            if (i <= j) {
                const int keep = order[i];
                order[i++] = order[j];
                order[j--] = keep;
            }
        }
        if (middle <= j) {
            hi = j;
        } else if (middle >= i) {
            lo = i;
        } else {
            return;
        }
    }
}

static sp_box3 box_of(const sp_trimesh *mesh, int n, const int *order)
{
    sp_box3 b = sp_box3_none();
    for (int i = 0; i < 3 * n; i++) {
        b = sp_box3_with(b, mesh->vertex[mesh->tri[order[i / 3]][i % 3]]);
    }
    return b;
}

/* Nodes from the root on; children of a node stand behind it, side by side. */
static void grow_tree(sp_trimesh *mesh)
{
    for (int i = 0; i < mesh->n_tri; i++) {
        mesh->order[i] = i;
    }
    mesh->node[0] = (sp_trimesh_node){.first = 0, .n_tri = mesh->n_tri};
    mesh->n_node = 1;
    for (int k = 0; k < mesh->n_node; k++) {
        sp_trimesh_node *node = &mesh->node[k];
        const int n = node->n_tri, first = node->first;
        node->box = box_of(mesh, n, mesh->order + first);
        if (n <= LEAF) {
            continue;
        }
        const sp_vec3 d = sp_sub3(node->box.hi, node->box.lo);
        const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
        halve(mesh, axis, n, mesh->order + first);
        node->first = mesh->n_node;
        node->n_tri = 0;
        mesh->node[mesh->n_node++] = (sp_trimesh_node){.first = first, .n_tri = n / 2};
        mesh->node[mesh->n_node++] = (sp_trimesh_node){.first = first + n / 2, .n_tri = n - n / 2};
    }
}

void sp_trimesh_begin(sp_trimesh_walk *walk)
{
    walk->stack[0] = 0;
    walk->top = 1;
    walk->leaf = -1;
    walk->next = 0;
}

/* The next triangle of the leaf whose box meets; -1: none. */
static int next_of_leaf(const sp_trimesh *mesh, const sp_box3 *box, sp_trimesh_walk *walk)
{
    while (walk->leaf >= 0 && walk->next < mesh->node[walk->leaf].n_tri) {
        const int *t = &mesh->order[mesh->node[walk->leaf].first + walk->next++];
        const sp_box3 own = box_of(mesh, 1, t);
        if (sp_box3_meets(box, &own)) {
            return *t;
        }
    }
    walk->leaf = -1;
    return -1;
}

int sp_trimesh_next(const sp_trimesh *mesh, const sp_box3 *box, sp_trimesh_walk *walk)
{
    for (;;) {
        const int t = next_of_leaf(mesh, box, walk);
        if (t >= 0 || walk->top == 0) {
            return t;
        }
        const int k = walk->stack[--walk->top];
        const sp_trimesh_node *node = &mesh->node[k];
        if (!sp_box3_meets(box, &node->box)) {
            continue;
        }
        if (node->n_tri > 0) {
            walk->leaf = k;
            walk->next = 0;
        } else {
            walk->stack[walk->top++] = node->first + 1;
            walk->stack[walk->top++] = node->first;
        }
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool alloc_mesh(sp_arena *arena, int n_vertex, int n_tri, sp_trimesh *mesh)
{
    const size_t n = (size_t)n_tri;
    mesh->vertex = SP_NEW(arena, sp_vec3, n_vertex);
    mesh->tri = sp_arena_alloc(arena, n, sizeof *mesh->tri);
    mesh->tri_edge = sp_arena_alloc(arena, n, sizeof *mesh->tri_edge);
    mesh->edge = sp_arena_alloc(arena, 3 * n, sizeof *mesh->edge);
    mesh->edge_tri = sp_arena_alloc(arena, 3 * n, sizeof *mesh->edge_tri);
    mesh->around = SP_NEW(arena, int, n_vertex + 1);
    mesh->beside = SP_NEW(arena, int, 6 * n_tri);
    mesh->order = SP_NEW(arena, int, n_tri);
    mesh->patch = SP_NEW(arena, int, n_tri);
    mesh->node = SP_NEW(arena, sp_trimesh_node, 2 * n_tri);
    return mesh->vertex && mesh->tri && mesh->tri_edge && mesh->edge && mesh->edge_tri &&
           mesh->around && mesh->beside && mesh->order && mesh->patch && mesh->node;
}

/* Triangles with the numbers of the joined corners. */
static void take_triangles(sp_trimesh *mesh, int n_tri, const int (*tri)[3], const int *number)
{
    for (int t = 0; t < n_tri; t++) {
        const int v[3] = {number[tri[t][0]], number[tri[t][1]], number[tri[t][2]]};
        if (is_flat(mesh->vertex, v)) {
            mesh->n_flat++;
        } else {
            memcpy(mesh->tri[mesh->n_tri++], v, sizeof v);
        }
    }
}

sp_status sp_trimesh_build(sp_arena *arena, sp_arena *scratch, int n_vertex, const sp_vec3 *x,
                           int n_tri, const int (*tri)[3], sp_trimesh *mesh, sp_error *err)
{
    memset(mesh, 0, sizeof *mesh);
    if (n_tri < 1 || n_tri > SP_TRIMESH_MAX || n_vertex > 3 * SP_TRIMESH_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "mesh of %d triangles, expected 1 to %d", n_tri,
                       SP_TRIMESH_MAX);
    }
    for (int i = 0; i < n_vertex; i++) {
        if (!isfinite(x[i].x) || !isfinite(x[i].y) || !isfinite(x[i].z)) {
            return SP_FAIL(err, SP_E_INPUT, "mesh has a corner that is not finite");
        }
    }
    place *sorted = SP_NEW(scratch, place, n_vertex);
    int *number = SP_NEW(scratch, int, n_vertex);
    half *side = SP_NEW(scratch, half, 3 * n_tri);
    int *stack = SP_NEW(scratch, int, n_tri);
    if (!sorted || !number || !side || !stack || !alloc_mesh(arena, n_vertex, n_tri, mesh)) {
        return SP_FAIL(err, SP_E_MEMORY, "mesh: out of memory");
    }
    mesh->n_vertex = join_corners(mesh, n_vertex, x, sorted, number);
    take_triangles(mesh, n_tri, tri, number);
    if (mesh->n_tri == 0) {
        return SP_FAIL(err, SP_E_INPUT, "mesh has no triangle with an area");
    }
    SP_TRY(join_edges(mesh, side, err));
    list_neighbours(mesh);
    join_patches(mesh, stack);
    grow_tree(mesh);
    return SP_OK;
}
