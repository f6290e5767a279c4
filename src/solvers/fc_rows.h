/* solvers/fc_rows.h - the rows of one contact of an island whose contacts have three rows each:
 * products with whole rows of blocks, four numbers at a time. */
#ifndef SP_SOLVERS_FC_ROWS_H
#define SP_SOLVERS_FC_ROWS_H

#include "solvers/fc_island.h"
#include "solvers/unroll.h"

/* Four numbers at any place. */
typedef double sp_fc_lanes __attribute__((vector_size(32), aligned(8), may_alias));

/* b = c_i + sum_j G_ij p_j over all j, or all but i.  The fourth number of a row is that of the
 * next one (behind the last block there is room) and is left out of the sums; room: there is behind
 * p too, else nothing is read there. */
SP_INLINE void sp_fc_rows3(const sp_fc_island *l, int i, int without_own, int room, const double *p,
                           double *b)
{
    sp_fc_lanes s0 = {0.0, 0.0, 0.0, 0.0}, s1 = s0, s2 = s0;
    const double *G = l->G + l->at[l->start[i]];
    const int last = l->n_contact - 1;
    for (int k = l->start[i]; k < l->start[i + 1]; k++, G += 9) {
        if (k != l->diag[i] || !without_own) {
            const double *at = p + 3 * (size_t)l->column[k];
            sp_fc_lanes x;
            if (!room && l->column[k] == last) {
                x = (sp_fc_lanes){at[0], at[1], at[2], 0.0};
            } else {
                x = *(const sp_fc_lanes *)(const void *)at;
            }
            s0 += *(const sp_fc_lanes *)(const void *)G * x;
            s1 += *(const sp_fc_lanes *)(const void *)(G + 3) * x;
            s2 += *(const sp_fc_lanes *)(const void *)(G + 6) * x;
        }
    }
    b[0] = l->c[3 * i] + ((s0[0] + s0[1]) + s0[2]);
    b[1] = l->c[3 * i + 1] + ((s1[0] + s1[1]) + s1[2]);
    b[2] = l->c[3 * i + 2] + ((s2[0] + s2[1]) + s2[2]);
}

#endif
