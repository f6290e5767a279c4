#include "analysis/view.h"

#include "contact/motion.h"
#include "integrators/work.h"

#include <math.h>

#define EMPTY 1e-20 /* of the largest G_ii: a row that is less is round-off: nothing moves it */
#define DEPENDENT                                                                                  \
    1e-12 /* a row whose square that the others leave over is less, depends on them                \
           */

/* Rank of the symmetric G (n x n, used up), its rows scaled to length one, those that
 * nothing moves left out: Cholesky's factor with
 * the largest pivot next.   theory (22.7) */
static int rank_of(int n, double *G)
{
    int rank = 0;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = G[i * n + i] > most ? G[i * n + i] : most;
    }
    for (int i = 0; i < n; i++) {
        const double d = G[i * n + i] > EMPTY * most ? 1.0 / sqrt(G[i * n + i]) : 0.0;
        for (int j = 0; j < n; j++) {
            G[i * n + j] *= d;
            G[j * n + i] *= d;
        }
    }
    for (; rank < n; rank++) {
        int p = 0;
        for (int i = 1; i < n; i++) {
            p = G[i * n + i] > G[p * n + p] ? i : p;
        }
        const double pivot = G[p * n + p];
        if (!(pivot > DEPENDENT)) {
            break;
        }
        for (int i = 0; i < n; i++) { /* G -= g_p g_p^T / pivot, row and column p vanish last */
            const double f = i == p ? 0.0 : G[i * n + p] / pivot;
            for (int j = 0; j < n; j++) {
                G[i * n + j] -= f * G[p * n + j];
            }
        }
        for (int j = 0; j < n; j++) {
            G[p * n + j] = G[j * n + p] = 0.0;
        }
    }
    return rank;
}

/* G of the bilateral rows at x over what is not prescribed. */
static sp_status look(const sp_model *m, const sp_state *x, sp_work *w, sp_error *err)
{
    sp_dyn_init(m, x->numbers, &w->dyn);
    sp_dyn_terms(m, x->numbers, x->t, x->q, x->u, &w->kin, &w->dyn);
    sp_kin_velocities(m, x->u, &w->kin);
    sp_motion_held(m, w->held);
    sp_status status = sp_dyn_factor_held(m, w->held, &w->dyn, err);
    if (status == SP_OK) {
        sp_con_at(x->t, 0.0, x->q, x->u, &w->con);
        sp_con_gaps(m, x->numbers, &w->kin, &w->con);
        status = sp_con_activate_near(m, -INFINITY, &w->con, err);
    }
    if (status == SP_OK) {
        sp_con_directions(m, x->numbers, &w->kin, false, &w->con);
        sp_con_delassus(m, &w->dyn, &w->con);
    }
    return status;
}

int sp_freedom(const sp_model *m, const sp_state *x, const sp_allocator *allocator)
{
    sp_work *w;
    sp_error err;
    int n = m->n_dof - m->n_motion;
    if (m->n_bond == 0) {
        return n;
    }
    if (sp_work_new(m, allocator, &w, NULL) != SP_OK) {
        return SP_NONE;
    }
    n = look(m, x, w, &err) == SP_OK && w->con.G ? n - rank_of(w->con.n_row, w->con.G) : SP_NONE;
    sp_work_free(w);
    return n;
}
