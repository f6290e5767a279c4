/* math/sort.h - numbers in the order of what they stand for: a heap sort, the same everywhere, in
 * no memory but the list. */
#ifndef SP_MATH_SORT_H
#define SP_MATH_SORT_H

#include <stdbool.h>

/* Whether i comes before j. */
typedef bool (*sp_sort_before)(const void *ctx, int i, int j);

/* Sift the first of a heap of n down; the last in order is on top. */
static inline void sp_sort_sift(sp_sort_before before, const void *ctx, int *list, int i, int n)
{
    const int moved = list[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && before(ctx, list[child], list[child + 1]);
        if (!before(ctx, moved, list[child])) {
            break;
        }
        list[i] = list[child];
    }
    list[i] = moved;
}

static inline void sp_sort(sp_sort_before before, const void *ctx, int *list, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) {
        sp_sort_sift(before, ctx, list, i, n);
    }
    for (int i = n - 1; i > 0; i--) {
        const int top = list[0];
        list[0] = list[i];
        list[i] = top;
        sp_sort_sift(before, ctx, list, 0, i);
    }
}

#endif
