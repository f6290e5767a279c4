/* integrators/adaptive_jam.c - velocities that jump without a collision in a step in which contacts
 * change (Painleve).   theory (13.8), (63.1) */
#include "integrators/adaptive_parts.h"

#include <math.h>

#define CLEARLY                                                                                    \
    10.0          /* times what velocities are known to: jumps that are told                    */
#define ALIKE 2.0 /* times each other: percussions that do not go with the length of the step   */
/* The velocity that a normal percussion has to make at its contact to be more than a force of the
 * step, m/s. */
static double least_jump(const sp_hit *hit, double tolerance, const sp_stepper *s)
{
    return CLEARLY * larger(tolerance * s->speed, hit->v_rest);
}

sp_jam sp_jam_suspect(double tolerance, const sp_work *w, const sp_stepper *s)
{
    sp_jam jam = {.slot = SP_NONE, .P_N = 0.0, .least = INFINITY};
    double most = 0.0;
    for (int a = 0; a < w->n_hit; a++) {
        const sp_hit *hit = &w->hit[a];
        const double v = hit->P[0] / w->sol.rho[a], least = least_jump(hit, tolerance, s);
        const bool slid = hypot(hit->gamma_A[1], hit->gamma_A[2]) > least;
        if (!hit->dry && hit->approach < -hit->v_rest) {
            return (sp_jam){.slot = SP_NONE}; /* a collision: nothing else is to be explained */
        }
        if (!hit->dry && slid && v > least && v > most && hit->P[0] > SP_SUDDEN * hit->P_before) {
            most = v;
            jam = (sp_jam){.slot = hit->slot, .P_N = hit->P[0], .least = least};
        }
    }
    return jam;
}

/* How long the other step is: a hundredth of dt, or where that is so short that round-off hides
 * that there is no solution without a jam, a hundred times. */
static double other_step(double dt, const sp_stepper *s)
{
    return SP_PROBE * dt * s->speed > SP_RESOLVED * s->length ? SP_PROBE * dt : dt / SP_PROBE;
}

bool sp_jam_stays(const sp_model *m, const sp_state *x, double dt, const sp_jam *jam, sp_work *w,
                  sp_stepper *s)
{
    sp_error err;
    const sp_con *con = &w->con;
    const double other = other_step(dt, s);
    sp_state *p = &s->probe;
    if (jam->slot == SP_NONE) {
        return false;
    }
    sp_trial_copy(m, x, sp_trial_factor(x, other), p);
    sp_trial_hold(m, p);
    w->dyn.z = p->z;
    w->margin = SP_GAP_ACTIVE;
    w->lead = true;
    const sp_status status = sp_moreau_solve(m, p, w, SP_METHOD_MOREAU_MEAN, other, &err);
    w->lead = false;
    w->margin = 0.0;
    w->dyn.z = x->z;
    for (int a = 0; a < con->n_active && status == SP_OK; a++) {
        const double P_N = w->sol.P[con->row[a]];
        if (con->active[a] == jam->slot) {
            return P_N <= ALIKE * jam->P_N && jam->P_N <= ALIKE * P_N;
        }
    }
    return false;
}
