#include "certify/certificate.h"

#include "base/worse.h"
#include "certify/defect.h"

#include <math.h>
#include <stdbool.h>

/* The sums over all contacts so far, and NaN in poison once something was not finite. */
typedef struct worst_of {
    double complementarity, cone, dissipation, poison;
} worst_of;

/* Note the defects of one contact [impulse, impulse, energy] relative to its scales. */
static inline void note(double natural, double cone, double missing, double rho, double xi_scale,
                        worst_of *w)
{
    const double inv = 1.0 / (rho * xi_scale), missing_of_1 = missing * inv / xi_scale;
    const double natural_of_1 = natural * inv, cone_of_1 = cone * inv;
    w->complementarity = natural_of_1 > w->complementarity ? natural_of_1 : w->complementarity;
    w->cone = cone_of_1 > w->cone ? cone_of_1 : w->cone;
    w->dissipation = missing_of_1 > w->dissipation ? missing_of_1 : w->dissipation;
    w->poison += 0.0 * (natural_of_1 + missing_of_1 + cone_of_1 + rho + xi_scale);
}

/* Natural map, cone and dissipation of one contact. */
static void certify_one(const sp_set *s, const double *P, const double *xi, double rho,
                        double xi_scale, worst_of *w)
{
    for (int a = 0; a < sp_set_dim(s); a++) {
        w->poison += 0.0 * (P[a] + xi[a]);
    }
    const sp_defect d = sp_certify_defect(s, rho, P, xi);
    note(d.natural, d.outside, sp_worse(d.gap_work, d.dissipation), rho, xi_scale, w);
}

/* The same for the most common kind, planar without shift, in straight lines. */
static inline void certify_planar(double mu, const double *P, const double *xi, double rho,
                                  double xi_scale, worst_of *w)
{
    const double step_N = P[0] - rho * xi[0], step_T = P[1] - rho * xi[1];
    const double N = step_N > 0.0 ? step_N : 0.0, bound = mu * N;
    const double T = step_T > bound ? bound : step_T < -bound ? -bound : step_T;
    const double off_N = fabs(P[0] - N), off_T = fabs(P[1] - T);

    const double pull = P[0] < 0.0 ? -P[0] : 0.0, room = mu * (P[0] + pull);
    const double beyond = fabs(P[1]) > room ? fabs(P[1]) - room : 0.0;

    const double normal = fabs(P[0] * xi[0]);
    const double friction = fabs(mu * P[0] * fabs(xi[1]) + P[1] * xi[1]);
    w->poison += 0.0 * (P[0] + P[1] + xi[0] + xi[1]);
    note(off_N > off_T ? off_N : off_T, pull > beyond ? pull : beyond,
         normal > friction ? normal : friction, rho, xi_scale, w);
}

/* The defects of contact i. */
static void certify_contact(const sp_set *set, const double *P, const double *xi, double rho,
                            double xi_scale, worst_of *w)
{
    if (set->kind == SP_SET_PLANAR && !set->shifted) {
        certify_planar(set->mu, P, xi, rho, xi_scale, w);
    } else {
        certify_one(set, P, xi, rho, xi_scale, w);
    }
}

/* 1 + the contact with the largest complementarity or cone; one with NaN before all others. */
static int worst_contact(int n_contact, const sp_set *set, const int *row, const double *P,
                         const double *xi, const double *rho, double xi_scale)
{
    int at = 0;
    double most = -1.0;
    for (int i = 0; i < n_contact; i++) {
        worst_of w = {0.0, 0.0, 0.0, 0.0};
        certify_contact(&set[i], P + row[i], xi + row[i], rho[i], xi_scale, &w);
        if (!(w.poison == 0.0)) {
            return i + 1;
        }
        if (sp_worse(w.complementarity, w.cone) > most) {
            most = sp_worse(w.complementarity, w.cone);
            at = i + 1;
        }
    }
    return at;
}

void sp_certify_contacts(int n_contact, const sp_set *set, const int *row, const double *P,
                         const double *xi, const double *rho, double xi_scale, sp_certificate *c)
{
    worst_of w = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n_contact; i++) {
        certify_contact(&set[i], P + row[i], xi + row[i], rho[i], xi_scale, &w);
    }
    c->complementarity = w.poison == 0.0 ? w.complementarity : NAN;
    c->cone = w.poison == 0.0 ? w.cone : NAN;
    c->dissipation = w.poison == 0.0 ? w.dissipation : NAN;
    c->at = c->complementarity <= SP_CERTIFIED && c->cone <= SP_CERTIFIED
                ? 0
                : worst_contact(n_contact, set, row, P, xi, rho, xi_scale);
}

void sp_certify_momentum(int n, const double *M_du, const double *h_dt, const double *WP,
                         const double *size2, sp_certificate *c)
{
    /* the worst quotient defect^2 / scale^2 is found without dividing: one root at the end */
    double defect2 = 0.0, scale2 = 1.0, poison = 0.0;
    for (int k = 0; k < n; k++) {
        const double a = M_du[k], b = h_dt[k], d = WP[k], defect = a - b - d;
        const double d2 = defect * defect, s2 = a * a + b * b + d * d + size2[k];
        poison += 0.0 * (d2 + s2); /* NaN once something is not finite, and then for ever */
        if (d2 * scale2 > defect2 * s2) {
            defect2 = d2;
            scale2 = s2;
        }
    }
    c->momentum = poison == 0.0 ? sqrt(defect2 / scale2) : NAN;
}

void sp_certificate_worst(sp_certificate *worst, const sp_certificate *c)
{
    if (sp_certificate_is_no_worse(c, worst)) { /* as most steps are */
        return;
    }
    const double before = sp_worse(worst->complementarity, worst->cone);
    worst->at = sp_worse(c->complementarity, c->cone) <= before ? worst->at : c->at;
    worst->complementarity = sp_worse(worst->complementarity, c->complementarity);
    worst->cone = sp_worse(worst->cone, c->cone);
    worst->dissipation = sp_worse(worst->dissipation, c->dissipation);
    worst->momentum = sp_worse(worst->momentum, c->momentum);
    worst->gap = sp_worse(worst->gap, c->gap);
}

double sp_certificate_residual(const sp_certificate *c)
{
    return sp_worse(sp_worse(c->complementarity, c->cone), c->momentum);
}
