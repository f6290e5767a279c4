#include "contact/con3.h"

#include "contact/pair3.h"
#include "contact/pool3.h"
#include "contact/shape_slot.h"
#include "contact/spin3.h"
#include "contact/surface_slot.h"

bool sp_con3_pair(const sp_model *m, const sp_con *con, int slot, int *a, int *b)
{
    const sp_slot *s = &m->slot[slot];
    if (s->is.pooled) {
        return sp_pool3_contours(m, &m->pool[s->rule], con->key[slot], a, b);
    }
    *a = s->contour_a;
    *b = s->contour_b;
    return true;
}

double sp_con3_gaps(const sp_model *m, const sp_numbers *num, double least, sp_con *con)
{
    for (int i = 0; i < m->layout.n_space_slot; i++) {
        const int slot = m->layout.space_slot[i];
        const sp_slot *s = &m->slot[slot];
        const bool surface = sp_surface_slot(m, s->contour_a, s->contour_b);
        const double g_N =
            surface ? sp_surface_slot_gap(m, num, con, slot, con->anew ? 0 : con->hint[slot],
                                          &con->feature[slot])
                    : sp_pair3_gap(m, num, con->kin, s->contour_a, s->contour_b);
        con->g[slot] = g_N;
        con->lost = g_N != g_N && surface ? slot + 1 : con->lost;
        least = g_N < least ? g_N : least;
    }
    return m->n_pool > 0 ? sp_pool3_gaps(m, num, least, con) : least;
}

void sp_con3_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   sp_contact_frame3 *f)
{
    int a = 0, b = 0;
    sp_con3_pair(m, con, slot, &a, &b);
    if (sp_shape_slot(m, a, b)) {
        f->mark[0] = &num->contour[a].mark;
        f->mark[1] = &num->contour[b].mark;
        sp_touch_frame(&con->touch[slot], sp_mark_pose(con->kin, f->mark[1]).R, f);
    } else if (sp_surface_slot(m, a, b)) {
        sp_surface_slot_frame(m, num, con, slot, (const int[2]){a, b}, f);
    } else {
        sp_pair3_frame(m, num, con->kin, a, b, f);
    }
}

void sp_con3_gamma(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                   double gamma[3])
{
    int a, b;
    gamma[0] = gamma[1] = gamma[2] = 0.0;
    if (sp_con3_pair(m, con, slot, &a, &b) &&
        !(sp_shape_slot(m, a, b) && isinf(con->touch[slot].g_N))) { /* features apart */
        sp_contact_frame3 f;
        sp_con3_frame(m, num, con, slot, &f);
        sp_frame3_gamma(con->kin, &f, gamma);
    }
}

int sp_con3_fill(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int r,
                 bool friction, sp_con *con)
{
    const int slot = con->active[a];
    const sp_law_numbers *law = &num->law[m->slot[slot].law];
    sp_contact_frame3 *f = &con->frame3[a];
    sp_con3_frame(m, num, con, slot, f);
    con->frame[a].g_N = f->g_N;
    con->set[a] =
        friction ? sp_spin3_set(&m->law[m->slot[slot].law], law, con->dt) : sp_set_half_line();
    sp_vec3 e[6] = {f->n, f->t[0], f->t[1]};
    const sp_spot on_a = sp_frame3_spot(kin, f, 0), on_b = sp_frame3_spot(kin, f, 1);
    const sp_spot_pair pair = {&on_a, &on_b, 3, sp_spin3_axes(&con->set[a], f, e + 3), e};
    con->n_sup[a] =
        sp_pair_rows(m, kin, &pair, sp_con_sup(con, a), sp_con_row(con, con->W, r), con->stride);
    for (int i = 0; i < 3 + pair.n_about; i++) {
        double *W = sp_con_row(con, con->W, r + i);
        for (int p = 0; p < con->n_sup[a] && i >= 3; p++) {
            W[p] *= law->lever; /* theory (19.26) */
        }
        con->w_tilde[r + i] = con->ahead[r + i] = 0.0; /* what is prescribed is part of u */
        con->eps[r + i] = i == 0 ? law->eps_N : law->eps_T;
    }
    return sp_set_dim(&con->set[a]);
}
