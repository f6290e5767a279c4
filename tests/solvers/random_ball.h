/* Random sets of laws/ball.h, and contacts that obey them. */
#ifndef SP_TEST_RANDOM_BALL_H
#define SP_TEST_RANDOM_BALL_H

#include "laws/ball.h"
#include "support/check.h"

/* A set of laws/ball.h by number, 0 .. 5. */
static inline sp_set random_ball(rng *r, int kind)
{
    const double mu = rng_in(r, 0.0, 1.2), mu_2 = rng_in(r, 0.0, 0.8);
    sp_set s = sp_set_contensou(mu, rng_flip(r) ? SP_PRESSURE_HERTZ : SP_PRESSURE_UNIFORM,
                                pow(10.0, rng_in(r, -1.5, 0.5)), 0.0);
    switch (kind) {
    case 0:
        return sp_set_ellipse(mu, mu_2);
    case 1:
    case 2:
        return sp_set_rolling(mu, mu_2);
    case 3:
        s.kind = SP_SET_CONTENSOU_ROLLING;
        s.mu_2 = mu_2;
        return s;
    case 4:
        s.R_N = rng_in(r, 0.0, 0.5);
        s.R = rng_flip(r) ? 0.0 : s.R;
        return s;
    default:
        return s;
    }
}

/* Violation of the law from its definition: distance to the set, penetration, work of the normal
 * row, and what friction takes less than it could. */
static inline double ball_violation(const sp_set *s, const double *P, const double *u)
{
    const double N = P[0] - (s->shifted ? s->shift[0] : 0.0);
    double work = sp_set_dissipation(s, N > 0.0 ? N : 0.0, u);
    for (int a = 1; a < sp_set_dim(s); a++) {
        work += (P[a] - (s->shifted ? s->shift[a] : 0.0)) * u[a];
    }
    const double a = fmax(sp_set_excess(s, P), -u[0]), b = fmax(fabs(N * u[0]), fabs(work));
    return fmax(a, b);
}

#endif
