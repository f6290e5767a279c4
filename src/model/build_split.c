/* model/build_split.c - polygons that are not convex, as convex pieces.   theory (103.1), (103.2)
 */
#include "model/build_parts.h"

/* Twice the area of the triangle of three corners, positive if they go counter-clockwise. */
static double twice_area(double (*v)[2], int i, int j, int k)
{
    const sp_vec p = sp_vec_of(v[i]);
    return sp_cross(sp_sub(sp_vec_of(v[j]), p), sp_sub(sp_vec_of(v[k]), p));
}

/* Whether two sides reach over each other along one axis: their boxes overlap. */
static bool overlap(double (*v)[2], int axis, int a, int b, int c, int d)
{
    return fmax(fmin(v[a][axis], v[b][axis]), fmin(v[c][axis], v[d][axis])) <=
           fmin(fmax(v[a][axis], v[b][axis]), fmax(v[c][axis], v[d][axis]));
}

/* Whether the sides i, i+1 and j, j+1 meet, ends included. */
static bool sides_meet(int n, double (*v)[2], int i, int j, double tiny)
{
    const int a = i, b = (i + 1) % n, c = j, d = (j + 1) % n;
    const double of_c = twice_area(v, a, b, c), of_d = twice_area(v, a, b, d);
    const double of_a = twice_area(v, c, d, a), of_b = twice_area(v, c, d, b);
    return overlap(v, 0, a, b, c, d) && overlap(v, 1, a, b, c, d) && fmin(of_c, of_d) <= tiny &&
           fmax(of_c, of_d) >= -tiny && fmin(of_a, of_b) <= tiny && fmax(of_a, of_b) >= -tiny;
}

bool sp_build_crosses_itself(int n, double (*v)[2], double tiny, int side[2])
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 2; j < n - (i == 0); j++) {
            if (sides_meet(n, v, i, j, tiny)) {
                side[0] = i;
                side[1] = j;
                return true;
            }
        }
    }
    return false;
}

/* Whether corner k of what is left may be cut off: it turns left and no other corner lies in the
 * triangle with its neighbours. */
static bool is_ear(int m, const int *left, double (*v)[2], int k, double tiny)
{
    const int a = left[(k + m - 1) % m], b = left[k], c = left[(k + 1) % m];
    if (!(twice_area(v, a, b, c) > tiny)) {
        return false;
    }
    for (int i = 0; i < m; i++) {
        const int p = left[i];
        if (p != a && p != b && p != c && twice_area(v, a, b, p) >= -tiny &&
            twice_area(v, b, c, p) >= -tiny && twice_area(v, c, a, p) >= -tiny) {
            return false;
        }
    }
    return true;
}

/* Cut off corners until a triangle is left; the number of triangles, 0 if that cannot be. */
static int cut_ears(int n, double (*v)[2], double tiny, int *left, sp_piece *piece)
{
    int m = n, n_piece = 0;
    for (int i = 0; i < n; i++) {
        left[i] = i;
    }
    while (m >= 3) {
        int k = 0;
        while (k < m && !is_ear(m, left, v, k, tiny)) {
            k++;
        }
        if (k == m) {
            return 0;
        }
        int *corner = piece[n_piece].corner;
        corner[0] = left[(k + m - 1) % m];
        corner[1] = left[k];
        corner[2] = left[(k + 1) % m];
        piece[n_piece++].n = 3;
        for (m--; k < m; k++) {
            left[k] = left[k + 1];
        }
        m = m == 2 ? 0 : m;
    }
    return n_piece;
}

/* Put q to p along the side of p that begins with its corner i and is the one of q that ends with
 * its corner j, if that stays convex.   theory (103.2) */
static bool merge(double (*v)[2], double tiny, sp_piece *p, int i, sp_piece *q, int j)
{
    const int p_0 = p->corner[i], p_1 = p->corner[(i + 1) % p->n];
    const int before = p->corner[(i + p->n - 1) % p->n], after = p->corner[(i + 2) % p->n];
    if (!(twice_area(v, before, p_0, q->corner[(j + 1) % q->n]) > tiny &&
          twice_area(v, q->corner[(j + q->n - 2) % q->n], p_1, after) > tiny)) {
        return false;
    }
    for (int k = p->n - 1; k > i; k--) { /* room between both corners */
        p->corner[k + q->n - 2] = p->corner[k];
    }
    for (int k = 0; k < q->n - 2; k++) {
        p->corner[i + 1 + k] = q->corner[(j + 1 + k) % q->n];
    }
    p->n += q->n - 2;
    q->n = 0;
    return true;
}

/* Merge p with one of its neighbours. */
static bool merge_any(double (*v)[2], double tiny, int n_piece, sp_piece *piece, int k)
{
    sp_piece *p = &piece[k];
    for (int i = 0; i < p->n; i++) {
        const int p_0 = p->corner[i], p_1 = p->corner[(i + 1) % p->n];
        for (int l = 0; l < n_piece; l++) {
            sp_piece *q = &piece[l];
            for (int j = 0; j < q->n && l != k; j++) {
                if (q->corner[j] == p_0 && q->corner[(j + q->n - 1) % q->n] == p_1 &&
                    merge(v, tiny, p, i, q, j)) {
                    return true;
                }
            }
        }
    }
    return false;
}

int sp_build_split(int n, double (*v)[2], double tiny, int *scratch, sp_piece *piece)
{
    const int n_triangle = cut_ears(n, v, tiny, scratch, piece);
    int n_piece = 0;
    for (int k = 0; k < n_triangle; k++) {
        while (merge_any(v, tiny, n_triangle, piece, k)) {
        }
    }
    for (int k = 0; k < n_triangle; k++) {
        if (piece[k].n > 0) {
            const sp_piece swap = piece[n_piece];
            piece[n_piece++] = piece[k];
            piece[k] = swap;
        }
    }
    return n_piece;
}
