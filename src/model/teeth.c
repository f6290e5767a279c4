#include "model/teeth.h"

static const double TURN = 6.283185307179586;
static const double DEGREE = 0.017453292519943295;

static sp_vec direction(double angle)
{
    return (sp_vec){cos(angle), sin(angle)};
}

/* Between the smallest and the largest tooth gap. */
static double between(double form, double smallest, double largest)
{
    return smallest + form * (largest - smallest);
}

/* The first three arcs of a gap, from the middle of the tip to the end of the seat.  They begin
 * with the seat: its end on this side, the flank that goes on there the other way round, and the
 * tip that is tangent to the flanks on both sides of the tooth.   theory (70.12)-(70.14) */
static bool make_arcs(sp_teeth *t, double seat, double flank, double seat_angle)
{
    const double root = t->pitch_radius - t->roller, half = 0.5 * t->angle;
    const sp_vec s = {root + seat, 0.0};
    const double end = 0.5 * TURN + 0.5 * seat_angle; /* of the seat, seen from its centre */
    const sp_vec f = sp_axpy(s, seat + flank, direction(end));
    /* seen along the axis of the tooth before the gap: its flank's centre below the tip, aside */
    const sp_vec axis = direction(-half), side = {-axis.y, axis.x};
    const double below = t->tip - sp_inner(axis, f), aside = sp_inner(side, f);
    const double tip = (flank * flank - below * below - aside * aside) / (2.0 * (flank - below));
    const sp_vec c = sp_scale(t->tip - tip, axis), d = sp_sub(c, f);
    if (!(tip > 0.0 && tip < flank)) {
        return false;
    }
    /* the flank seen from its centre: from where it meets the tip to the seat */
    const double meets = atan2(d.y, d.x), leaves = end - 0.5 * TURN;
    const double sweep = TURN * remainder((leaves - meets) / TURN, 1.0);
    const double top = TURN * remainder((meets + half) / TURN, 1.0);
    t->arc[0] = (sp_teeth_arc){c, tip, -half, 1.0, 0.0, tip * top};
    t->arc[1] = (sp_teeth_arc){f, flank, meets, 1.0, 0.0, flank * sweep};
    t->arc[2] = (sp_teeth_arc){s, seat, end, -1.0, 0.0, seat * seat_angle};
    return top > 0.0 && sweep > 0.0;
}

/* The arc that mirrors another one at the x axis. */
static sp_teeth_arc mirrored(const sp_teeth_arc *a)
{
    const double to = a->from + a->turn * a->length / a->radius;
    return (sp_teeth_arc){{a->at.x, -a->at.y}, a->radius, -to, a->turn, 0.0, a->length};
}

sp_status sp_teeth_make(int n, double pitch, double roller, double form, sp_teeth *t, sp_error *err)
{
    const double d = pitch / sin(0.5 * TURN / n);
    const double cube = cbrt(roller / 1e-3) * 1e-3; /* of the diameter in mm */
    const double seat = between(form, 0.505 * roller, 0.505 * roller + 0.069 * cube);
    const double flank = between(form, 0.12 * roller * (n + 2), 0.008 * roller * (n * n + 180.0));
    const double seat_angle = between(form, 140.0 - 90.0 / n, 120.0 - 90.0 / n) * DEGREE;
    const double outer =
        between(form, d + 1.25 * pitch - roller, d + pitch * (1.0 - 1.6 / n) - roller);
    *t = (sp_teeth){.n = n,
                    .angle = TURN / n,
                    .pitch_radius = 0.5 * d,
                    .roller = 0.5 * roller,
                    .tip = 0.5 * outer};
    if (!make_arcs(t, seat, flank, seat_angle)) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "%d teeth with rollers of %.6g m at a pitch of %.6g m leave no tooth between "
            "two seats, expected smaller rollers, some 0.6 of the pitch",
            n, roller, pitch);
    }
    t->arc[3] = mirrored(&t->arc[1]);
    t->arc[4] = mirrored(&t->arc[0]);
    for (int k = 0; k < SP_TEETH_ARC; k++) {
        t->arc[k].s = t->length;
        t->length += t->arc[k].length;
    }
    return SP_OK;
}

void sp_teeth_eval(const sp_teeth *t, double s, sp_vec r[3])
{
    const double gap = floor(s / t->length);
    int k = SP_TEETH_ARC - 1;
    s -= gap * t->length;
    while (k > 0 && s < t->arc[k].s) {
        k--;
    }
    const sp_teeth_arc *a = &t->arc[k];
    const sp_vec e = direction(a->from + a->turn * (s - a->s) / a->radius);
    const sp_rot R = sp_rot_of(gap * t->angle);
    r[0] = sp_rotate(R, sp_axpy(a->at, a->radius, e));
    r[1] = sp_rotate(R, (sp_vec){-a->turn * e.y, a->turn * e.x});
    r[2] = sp_rotate(R, sp_scale(-1.0 / a->radius, e));
}

double sp_teeth_nearest(const sp_teeth *t, sp_vec x)
{
    const double gap = nearbyint(atan2(x.y, x.x) / t->angle);
    const sp_vec own = sp_rotate_back(sp_rot_of(gap * t->angle), x);
    double least = INFINITY, s = 0.0;
    for (int k = 0; k < SP_TEETH_ARC; k++) {
        const sp_teeth_arc *a = &t->arc[k];
        const sp_vec d = sp_sub(own, a->at);
        if (!(fabs(sp_length(d) - a->radius) < least)) {
            continue;
        }
        const double middle = a->from + a->turn * 0.5 * a->length / a->radius;
        const double off = TURN * remainder((atan2(d.y, d.x) - middle) / TURN, 1.0);
        const double way = a->radius * a->turn * off, half = 0.5 * a->length;
        const double on = way < -half ? -half : way > half ? half : way;
        const sp_vec r = sp_axpy(a->at, a->radius, direction(middle + a->turn * on / a->radius));
        const double distance = sp_length(sp_sub(own, r));
        if (distance < least) {
            least = distance;
            s = a->s + half + on;
        }
    }
    return (gap < 0.0 ? gap + t->n : gap) * t->length + s;
}
