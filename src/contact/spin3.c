#include "contact/spin3.h"

sp_set sp_spin3_set(const sp_law *law, const sp_law_numbers *n, double dt)
{
    sp_contensou_law spot = n->spot;
    spot.mu = n->mu;
    if (law->drills && n->mu > 0.0) {
        return sp_contensou_set(&spot, n->lever, dt);
    }
    const sp_set s = spot.rolling > 0.0 ? sp_set_rolling(n->mu, spot.rolling / n->lever)
                     : !(n->mu > 0.0)   ? sp_set_half_line()
                     : n->mu_2 > 0.0    ? sp_set_ellipse(n->mu, n->mu_2)
                                        : sp_set_disc(n->mu);
    return spot.adhesion > 0.0 && dt > 0.0 ? sp_set_adhere(s, spot.adhesion * dt) : s;
}

int sp_spin3_axes(const sp_set *set, const sp_contact_frame3 *f, sp_vec3 axis[3])
{
    int n = 0;
    if (sp_set_drills(set)) {
        axis[n++] = f->n;
    }
    if (set->kind == SP_SET_ROLLING || set->kind == SP_SET_CONTENSOU_ROLLING) {
        axis[n++] = f->t[0];
        axis[n++] = f->t[1];
    }
    return n;
}

double sp_spin3_drill(const sp_kin *kin, const sp_contact_frame3 *f)
{
    const sp_spot a = sp_frame3_spot(kin, f, 0), b = sp_frame3_spot(kin, f, 1);
    return sp_inner3(f->n, sp_sub3(sp_spot_spin(kin, &a), sp_spot_spin(kin, &b)));
}

/* w_bar_i = lever (e_i.(alpha_a - alpha_b) + (Omega x e_i).(omega_a - omega_b))   theory (19.27) */
void sp_spin3_bias(const sp_kin *kin, const sp_contact_frame3 *f, const sp_set *set, double lever,
                   double *w_bar)
{
    sp_vec3 axis[3];
    const int n_axis = sp_spin3_axes(set, f, axis);
    const sp_vec3 turns = sp_frame3_motion(kin, f).spin;
    const sp_spot a = sp_frame3_spot(kin, f, 0), b = sp_frame3_spot(kin, f, 1);
    const sp_vec3 omega = sp_sub3(sp_spot_spin(kin, &a), sp_spot_spin(kin, &b));
    const sp_vec3 alpha = sp_sub3(sp_spot_spin_bias(kin, &a), sp_spot_spin_bias(kin, &b));
    for (int i = 0; i < n_axis; i++) {
        w_bar[i] =
            lever * (sp_inner3(axis[i], alpha) + sp_inner3(sp_cross3(turns, axis[i]), omega));
    }
}
