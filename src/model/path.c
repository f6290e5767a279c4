#include "model/path.h"

static const double TURN = 6.283185307179586;

enum { MOVES_MAX = 60 }; /* steps of a search for what closes a chain            */
#define CLOSES     1e-13 /* of the pitch: a chain so far from closed is closed   */
#define SHUT       1e-10 /* m: how far a chain may be from closed that must not give way */
#define DIFFERENCE 1e-7  /* part of what gives way by which its effect is found  */
#define NO_TURN    1e-9  /* rad: a whole turn less so much is none               */

static double sense(const sp_path_circle *c)
{
    return c->radius < 0.0 ? -1.0 : 1.0;
}

static sp_vec direction(double angle)
{
    return (sp_vec){cos(angle), sin(angle)};
}

/* A place on a circle, seen from its centre at an angle. */
static sp_vec on_circle(const sp_path_circle *c, double angle)
{
    return sp_axpy(c->at, fabs(c->radius), direction(angle));
}

/* Where a strand in a direction touches a circle, seen from its centre: to the right of the
 * direction if the circle lies to its left. */
static double touches(const sp_path_circle *c, double strand)
{
    return strand - sense(c) * 0.25 * TURN;
}

/* ---- the way --------------------------------------------------------------------------------- */

/* The strand from one circle to the next: its length and direction.   theory (70.1) */
static bool lay_strand(sp_path_circle *a, const sp_path_circle *b)
{
    const sp_vec d = sp_sub(b->at, a->at);
    const double across = b->radius - a->radius, rest = sp_inner(d, d) - across * across;
    if (!(rest > 0.0)) {
        return false;
    }
    a->straight = sqrt(rest);
    a->leaves = atan2(d.y, d.x) - atan2(across, a->straight);
    return true;
}

sp_status sp_path_lay(sp_path *p, sp_error *err)
{
    const int n_strand = p->closed ? p->n : p->n - 1;
    p->length = 0.0;
    for (int k = 0; k < n_strand; k++) {
        if (!lay_strand(&p->circle[k], &p->circle[(k + 1) % p->n])) {
            return SP_FAIL(err, SP_E_INPUT,
                           "circles %d and %d lie in each other, no straight line touches both; "
                           "expected centres farther apart, or other signs of the radii",
                           k + 1, (k + 1) % p->n + 1);
        }
    }
    for (int k = 0; k < p->n; k++) {
        sp_path_circle *c = &p->circle[k], *before = &p->circle[(k + p->n - 1) % p->n];
        const bool turns = k > 0 || p->closed;
        const bool last = !p->closed && k == p->n - 1;
        c->straight = last ? 0.0 : c->straight;
        c->leaves = last ? before->leaves : c->leaves;
        const double turn = turns ? sense(c) * (c->leaves - before->leaves) / TURN : 0.0;
        c->wrap = TURN * (turn - floor(turn));
        c->wrap = c->wrap > TURN - NO_TURN ? 0.0 : c->wrap;
        if (c->radius == 0.0 && turns) { /* a corner, the shorter way round */
            c->wrap = TURN * (turn - nearbyint(turn));
        }
        c->leaves = k > 0 ? before->leaves + sense(c) * c->wrap : c->leaves;
        p->length += c->straight + fabs(c->radius) * c->wrap;
    }
    return SP_OK;
}

sp_path_at sp_path_station(const sp_path *p, double s)
{
    const double rounds = p->closed ? floor(s / p->length) : 0.0;
    sp_path_at at = {.phi = 0.0};
    s -= rounds * p->length;
    for (int k = 0; k < p->n; k++) {
        const sp_path_circle *c = &p->circle[k];
        const sp_path_circle *next = &p->circle[(k + 1) % p->n];
        const double arc = fabs(next->radius) * next->wrap;
        const bool end = !p->closed && k >= p->n - 2;
        at.phi = c->leaves;
        at.r = sp_axpy(on_circle(c, touches(c, c->leaves)), s, direction(c->leaves));
        if (s <= c->straight || end) {
            break;
        }
        s -= c->straight;
        if (s <= arc && arc > 0.0) {
            at.phi = c->leaves + sense(next) * s / fabs(next->radius);
            at.r = on_circle(next, touches(next, at.phi));
            break;
        }
        s -= arc;
    }
    const sp_path_circle *last = &p->circle[p->n - 1], *first = &p->circle[0];
    at.phi += rounds * (last->leaves + sense(first) * first->wrap - first->leaves);
    return at;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* The angle of a link on a circle, seen from its centre.   theory (70.2) */
static double link_angle(const sp_path_circle *c, double pitch)
{
    return 2.0 * asin(pitch / (2.0 * fabs(c->radius)));
}

/* How many links the path has room for, as if strands were touched along their ends.  (70.3) */
static double room(const sp_path *p, double pitch)
{
    double n = 0.0;
    for (int k = 0; k < p->n; k++) {
        n += p->circle[k].straight / pitch + p->circle[k].wrap / link_angle(&p->circle[k], pitch);
    }
    return n;
}

/* Where a strand of this length from a place arrives on a circle, seen from its centre; false: it
 * does not reach it.   theory (70.4) */
static bool arrival(const sp_path_circle *c, sp_vec from, double length, double *angle)
{
    const sp_vec d = sp_sub(from, c->at);
    const double far = sp_length(d), R = fabs(c->radius);
    const double cosine = (far * far + R * R - length * length) / (2.0 * far * R);
    *angle = atan2(d.y, d.x) + sense(c) * acos(cosine);
    return fabs(cosine) <= 1.0;
}

/* The angle from the first pin of a circle on along the path to a direction, 0 to one turn. */
static double way_on(const sp_path_circle *c, double to)
{
    const double turn = sense(c) * (to - c->pin) / TURN;
    return TURN * (turn - floor(turn));
}

/* Choose how many links are on every strand and circle, the last circle being the first one, where
 * all are that are left over.  False: a link is longer than a circle is wide, or a strand does not
 * arrive.   theory (70.4) */
static bool choose(sp_path *p, const sp_chain *chain)
{
    sp_path_circle *first = &p->circle[0];
    int left = chain->n;
    double pin = touches(first, first->leaves) -
                 sense(first) * chain->phase * link_angle(first, chain->pitch);
    for (int k = 0; k < p->n; k++) {
        sp_path_circle *a = &p->circle[k], *c = &p->circle[(k + 1) % p->n];
        const sp_vec from = on_circle(a, pin);
        const double arrives = touches(c, a->leaves), step = link_angle(c, chain->pitch);
        const double length = sp_length(sp_sub(on_circle(c, arrives), from)) / chain->pitch;
        a->n_strand = (int)fmax(1.0, nearbyint(length));
        if (!arrival(c, from, a->n_strand * chain->pitch, &c->pin)) {
            return false;
        }
        const double on = way_on(c, touches(c, c->leaves)); /* a turn nearly: it is beyond */
        c->n_arc = on > c->wrap + step ? 0 : (int)nearbyint(on / step);
        pin = c->pin + sense(c) * c->n_arc * step;
        left -= a->n_strand + (k < p->n - 1 ? c->n_arc : 0);
    }
    first->n_arc = left;
    return left >= 0;
}

/* Put the pins where the chosen numbers of links lead: the way that is left over between the last
 * pin and the first, positive if the chain is too short; NAN: a strand does not arrive.
 * theory (70.5) */
static double missing(sp_path *p, const sp_chain *chain)
{
    const sp_path_circle *first = &p->circle[0];
    const double start = touches(first, first->leaves) -
                         sense(first) * chain->phase * link_angle(first, chain->pitch);
    double pin = start;
    for (int k = 0; k < p->n; k++) {
        sp_path_circle *a = &p->circle[k], *c = &p->circle[(k + 1) % p->n];
        if (!arrival(c, on_circle(a, pin), a->n_strand * chain->pitch, &c->pin)) {
            return NAN;
        }
        pin = c->pin + sense(c) * c->n_arc * link_angle(c, chain->pitch);
    }
    const double turn = sense(first) * (start - pin) / TURN;
    return fabs(first->radius) * TURN * (turn - nearbyint(turn));
}

/* Let what gives way take a value, and lay the path again. */
static bool give_way(sp_path *p, sp_chain *chain, double value)
{
    if (chain->give == SP_PATH_PITCH) {
        chain->pitch = value;
        for (int k = 0; k < p->n; k++) {
            if (!(value > 0.0 && value < 2.0 * fabs(p->circle[k].radius))) {
                return false;
            }
        }
    } else {
        sp_path_circle *c = &p->circle[chain->circle];
        c->at = sp_axpy(c->at, value - chain->shift, chain->along);
        chain->shift = value;
    }
    return sp_path_lay(p, NULL) == SP_OK;
}

/* What is zero where the chain fits: roughly, links that are missing, or exactly, the gap. */
static double defect(sp_path *p, sp_chain *chain, bool exact, double value)
{
    if (!give_way(p, chain, value)) {
        return NAN;
    }
    return exact ? missing(p, chain) : (room(p, chain->pitch) - chain->n) * chain->pitch;
}

/* Newton's method with differences for what gives way; false: it finds nothing. */
static bool close(sp_path *p, sp_chain *chain, bool exact)
{
    const double step = DIFFERENCE * chain->pitch;
    double x = chain->give == SP_PATH_PITCH ? chain->pitch : chain->shift;
    for (int i = 0; i < MOVES_MAX; i++) {
        const double f = defect(p, chain, exact, x);
        if (!(fabs(f) > CLOSES * chain->pitch)) {
            return f == f;
        }
        const double slope = (defect(p, chain, exact, x + step) - f) / step;
        double move = -f / slope;
        for (int k = 0; k < MOVES_MAX && !isfinite(defect(p, chain, exact, x + move)); k++) {
            move *= 0.5;
        }
        if (!isfinite(move) || x + move == x) {
            return isfinite(defect(p, chain, exact, x)) && fabs(f) <= SHUT;
        }
        x += move;
    }
    return fabs(defect(p, chain, exact, x)) <= SHUT;
}

/* ---- places and velocities of links -----------------------------------------------------------
 */

/* Velocity of a place that turns with a circle. */
static sp_vec velocity(const sp_path_circle *c, sp_vec r)
{
    return sp_add(c->v, sp_spin_cross(c->omega, sp_sub(r, c->at)));
}

/* The last pin on a circle. */
static sp_vec last_pin(const sp_path_circle *c, double pitch)
{
    return on_circle(c, c->pin + sense(c) * c->n_arc * link_angle(c, pitch));
}

/* Angular velocities of all circles, such that strands neither stretch nor shrink, from the first
 * circle on; what the first one would have after all of them.   theory (70.6) */
static double drive(sp_path *p, const sp_chain *chain, double rate)
{
    const double omega = sense(&p->circle[0]) * chain->speed / fabs(p->circle[0].radius);
    double last = omega;
    for (int k = 0; k < p->n; k++) {
        const bool moves = chain->give == SP_PATH_CIRCLE && k == chain->circle;
        p->circle[k].v = moves ? sp_scale(rate, chain->along) : (sp_vec){0.0, 0.0};
    }
    p->circle[0].omega = omega;
    for (int k = 0; k < p->n; k++) {
        const sp_path_circle *a = &p->circle[k];
        sp_path_circle *c = &p->circle[(k + 1) % p->n];
        const sp_vec from = last_pin(a, chain->pitch), to = on_circle(c, c->pin);
        const sp_vec e = sp_sub(to, from);
        const double pull = sp_inner(e, sp_sub(velocity(a, from), c->v));
        last = pull / sp_inner(e, sp_spin_cross(1.0, sp_sub(to, c->at)));
        c->omega = k < p->n - 1 ? last : c->omega;
    }
    return last;
}

/* The links from a pin on: n of them in a straight line. */
static int put(sp_path_at *link, int i, sp_vec from, sp_vec to, sp_vec v_from, sp_vec v_to, int n)
{
    const sp_vec e = sp_sub(to, from), dv = sp_sub(v_to, v_from);
    for (int k = 0; k < n; k++, i++) {
        const double part = (double)k / n;
        link[i] = (sp_path_at){.r = sp_axpy(from, part, e),
                               .v = sp_axpy(v_from, part, dv),
                               .phi = atan2(e.y, e.x),
                               .omega = sp_cross(e, dv) / sp_inner(e, e)};
        if (i > 0) { /* continuous along the chain */
            link[i].phi += TURN * nearbyint((link[i - 1].phi - link[i].phi) / TURN);
        }
    }
    return i;
}

/* All links, from the last pin of the first circle on. */
static void put_all(const sp_path *p, const sp_chain *chain, sp_path_at *link)
{
    int i = 0;
    for (int k = 0; k < p->n; k++) {
        const sp_path_circle *a = &p->circle[k], *c = &p->circle[(k + 1) % p->n];
        const sp_vec from = last_pin(a, chain->pitch), to = on_circle(c, c->pin);
        const double step = sense(c) * link_angle(c, chain->pitch);
        i = put(link, i, from, to, velocity(a, from), velocity(c, to), a->n_strand);
        for (int m = 0; m < c->n_arc; m++) {
            const sp_vec r[2] = {on_circle(c, c->pin + m * step),
                                 on_circle(c, c->pin + (m + 1) * step)};
            i = put(link, i, r[0], r[1], velocity(c, r[0]), velocity(c, r[1]), 1);
        }
    }
}

/* How many links too few or too much, in words. */
static sp_status report(const sp_path *p, const sp_chain *chain, double lack, sp_error *err)
{
    return SP_FAIL(
        err, SP_E_INPUT,
        "%d links of %.9g m do not close the path: %.3g m are %s%s; it has room for %.6g "
        "links: write 'adjust: pitch' or 'adjust: {circle: 2, along: [1, 0]}', or change "
        "'around'",
        chain->n, chain->pitch, fabs(lack), lack > 0.0 ? "missing" : "too much",
        chain->give == SP_PATH_NOTHING ? "" : ", more than can be adjusted", room(p, chain->pitch));
}

/* Whether all links fit on the circles. */
static sp_status check(const sp_path *p, const sp_chain *chain, sp_error *err)
{
    for (int k = 0; k < p->n; k++) {
        if (!(chain->pitch < 2.0 * fabs(p->circle[k].radius))) {
            return SP_FAIL(err, SP_E_INPUT,
                           "a link of %.6g m is no chord of circle %d with the radius %.6g m, "
                           "expected a larger radius or shorter links",
                           chain->pitch, k + 1, fabs(p->circle[k].radius));
        }
    }
    return SP_OK;
}

sp_status sp_path_link(sp_path *p, sp_chain *chain, sp_path_at *link, sp_error *err)
{
    chain->shift = chain->rate = 0.0;
    SP_TRY(check(p, chain, err));
    const double lack = (room(p, chain->pitch) - chain->n) * chain->pitch;
    const bool gives = chain->give != SP_PATH_NOTHING;
    if (!gives && fabs(lack) > 0.5 * chain->pitch) {
        return report(p, chain, lack, err);
    }
    if ((gives && !close(p, chain, false)) || !choose(p, chain)) {
        return report(p, chain, lack, err);
    }
    if (gives ? !close(p, chain, true) : !(fabs(missing(p, chain)) <= SHUT)) {
        return report(p, chain, gives ? lack : missing(p, chain), err);
    }
    if (chain->give == SP_PATH_CIRCLE) { /* its rate that closes the chain of velocities, too */
        const double at_rest = drive(p, chain, 0.0), moved = drive(p, chain, 1.0);
        const double rate = (p->circle[0].omega - at_rest) / (moved - at_rest);
        chain->rate = isfinite(rate) ? rate : 0.0;
    }
    drive(p, chain, chain->rate);
    put_all(p, chain, link);
    return SP_OK;
}
