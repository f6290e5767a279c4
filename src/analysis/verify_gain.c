#include "analysis/verify_parts.h"

#include <math.h>

#define ORDERLESS   1e-12 /* of scale: smaller differences are round-off and have no order        */
#define GAIN_LAST   1.1   /* by the last one                                                      */
#define AGREES      0.25  /* of the distance: runs that differ by less agree with each other      */
#define SETTLED     1e-3 /* of scale: nearer to the reference than this is settled however it came */
#define SETTLED_TOL 1e-6 /* the same for methods by tolerance, or */
#define TIMES_TOL   1e3  /* times the tolerance                                                  */

double sp_verify_order(const double *error, bool stepped, double *spread)
{
    const double ratio = stepped ? log(2.0) : log(10.0);
    *spread = 0.0;
    if (!(error[2] > ORDERLESS)) {
        return NAN;
    }
    const double coarse = fmax(error[0], ORDERLESS), mid = fmax(error[1], ORDERLESS);
    *spread = 0.5 * fabs(log(coarse / mid) - log(mid / error[2])) / ratio;
    return 0.5 * log(coarse / error[2]) / ratio;
}

double sp_verify_settled(const sp_verify_side *other)
{
    if (other->stepped) {
        return SETTLED;
    }
    return fmin(SETTLED, fmax(SETTLED_TOL, TIMES_TOL * other->grain[SP_VERIFY_STEPS - 1]));
}

/* How many times nearer the finest run is than another one, at its worst or on the average. */
static double times_nearer(const sp_verify_report *r, int than)
{
    const int fine = SP_VERIFY_STEPS - 1;
    const double worst = r->apart[fine] > 0.0 ? r->apart[than] / r->apart[fine] : INFINITY;
    const double mean = r->mean[fine] > 0.0 ? r->mean[than] / r->mean[fine] : INFINITY;
    return fmax(worst, mean);
}

/* What refinement gains, and if nothing, why.   theory (57.1)-(57.4) */
static sp_verify_gain gain_of(const sp_verify_report *r)
{
    const double off = r->apart[SP_VERIFY_STEPS - 1];
    if (r->still || off <= SP_VERIFY_ROUND_OFF) {
        return SP_VERIFY_EXACT;
    }
    if (r->gain_all >= SP_VERIFY_GAIN_LEAST && r->gain_last >= GAIN_LAST) {
        return SP_VERIFY_GAINS;
    }
    return off <= r->change          ? SP_VERIFY_REFERENCE
           : r->self <= AGREES * off ? SP_VERIFY_FLOOR
                                     : SP_VERIFY_SCATTER;
}

void sp_verify_judge(sp_verify_report *r)
{
    const double off = r->apart[SP_VERIFY_STEPS - 1];
    r->gain_all = times_nearer(r, 0);
    r->gain_last = times_nearer(r, SP_VERIFY_STEPS - 2);
    r->gain = gain_of(r);
    r->settled = sp_verify_settled(&r->other);
    r->far = off > SP_VERIFY_APART_MOST || (off > r->settled && r->gain_all < SP_VERIFY_GAIN_LEAST);
    r->unsettled = r->far || r->other_energy;
}

sp_verdict sp_verdict_of(const sp_verify_report *r)
{
    return r->contradicts                   ? SP_VERDICT_CONTRADICTION
           : r->failed[0] || r->uncertified ? SP_VERDICT_NOT_VERIFIED
           : r->nothing[0]                  ? SP_VERDICT_NOT_VERIFIED
           : r->other.n == 0                ? SP_VERDICT_ONE_METHOD
           : r->several                     ? SP_VERDICT_SEVERAL
           : r->unsettled                   ? SP_VERDICT_UNSETTLED
                                            : SP_VERDICT_AGREEMENT;
}

double sp_verify_agrees_until(const sp_verify_report *r)
{
    switch (sp_verdict_of(r)) {
    case SP_VERDICT_CONTRADICTION:
        return r->t_contradicts;
    case SP_VERDICT_NOT_VERIFIED:
    case SP_VERDICT_UNSETTLED:
        return NAN;
    default:
        return r->compared;
    }
}
