#include "integrators/friction.h"

#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/moreau_parts.h"

#include <math.h>
#include <string.h>

enum { ASKED = 3 }; /* times that a contact may have its slip as the unknown */
#define STEEP 100.0 /* h over what brackets it: more, and the bracket is an old one         */

/* Length of the tangential part of a vector over the rows, of contact a. */
static double along(const sp_con *con, int a, const double *x)
{
    const int r = con->row[a], n = con->row[a + 1] - r;
    return n > 2 ? hypot(x[r + 1], x[r + 2]) : n > 1 ? fabs(x[r + 1]) : 0.0;
}

static const sp_guesses nothing = {NAN, NAN, NAN, NAN};

bool sp_friction_begin(const sp_model *m, const sp_state *x, sp_work *w)
{
    const sp_con *con = &w->con;
    const int n_contact = con->n_active - m->n_bond;
    bool any = false;
    for (int a = 0; a < con->n_active; a++) {
        sp_friction *f = &w->friction[a];
        const int slot = con->active[a];
        *f = (sp_friction){.mu = nothing, .speed = nothing};
        f->by_speed =
            a < n_contact && con->row[a + 1] > con->row[a] + 1 && sp_con_by_speed(m, slot);
        if (!f->by_speed) {
            continue;
        }
        const double v = along(con, a, w->sol.gamma_A);
        const bool slow = !(v > SP_SLIP_NOISE * w->sol.xi_scale);
        f->rests = (x->contact[slot].state == SP_STATE_STICK || slow) && !x->contact[slot].freed;
        con->set[a].mu = f->rests ? x->numbers->law[m->slot[slot].law].mu
                                  : sp_con_mu(m, x->numbers, con, slot, v, NULL);
        any = true;
    }
    return any;
}

/* The next guess of x: by the secant through the last two, within what is known to be too small and
 * too large, else its middle; without both, Picard's. */
static double secant(sp_guesses *k, double x, double h, double picard)
{
    double next = picard;
    if (h != k->h_old && isfinite(k->h_old)) {
        next = x - h * (x - k->x_old) / (h - k->h_old);
    }
    if (!isnan(k->lo) && !isnan(k->hi) && !(k->lo < next && next < k->hi)) {
        next = 0.5 * (k->lo + k->hi);
    } else if (!(next >= 0.0) || (h > 0.0) != (next > x)) {
        next = picard;
    }
    k->x_old = x;
    k->h_old = h;
    return next;
}

/* Nothing is known but that x is too small, or too large. */
static void forget(sp_guesses *k, double x, double h)
{
    k->lo = h > 0.0 ? x : NAN;
    k->hi = h > 0.0 ? NAN : x;
}

/* How far the coefficient of contact a is from what it should be: mu(v) - mu, 0: it is right. */
static double missing(const sp_model *m, const sp_numbers *num, const double *P, const sp_work *w,
                      int a)
{
    const sp_con *con = &w->con;
    const sp_friction *f = &w->friction[a];
    const int slot = con->active[a];
    const double mu = con->set[a].mu, push = P[con->row[a]];
    const bool sure =
        f->exact && w->sol.status[a] != SP_STICK && f->v > SP_SLIP_SURE * w->sol.xi_scale;
    const bool slides = sure || f->v > SP_SLIP_NOISE * w->sol.xi_scale;
    const double most = (1.0 + SP_ROUND_OFF) * num->law[m->slot[slot].law].mu * push;
    if (!(push > 0.0) || (!slides && (f->rests || along(con, a, P) <= most))) {
        return 0.0;
    }
    const double h = sp_con_mu(m, num, con, slot, slides ? f->v : 0.0, NULL) - mu;
    return fabs(h) <= SP_ROUND_OFF * mu ? 0.0 : h;
}

/* Between two coefficients that are all but equal the velocity jumps: it is the unknown from now
 * on, between those at both.  False if they do not enclose one.   theory (50.2) */
static bool ask_slip(sp_friction *f, double mu, double h)
{
    const double sense = f->xi_lo < 0.0 ? -1.0 : 1.0, slow = sense * f->xi_hi;
    const double most = sense * f->xi_lo, least = slow > 0.0 ? slow : 0.0;
    if (f->asked >= ASKED || !(most > least)) {
        return false;
    }
    f->asked++;
    f->mu_last = mu;
    f->h = h;
    f->speed = (sp_guesses){least, most, NAN, NAN};
    f->slip = sense * 0.5 * (least + most);
    return true;
}

/* The next guess of a coefficient, h = mu(v) - mu.  What was known is forgotten where other
 * contacts have moved it: the bracket is used up, or much narrower than h asks for; with steer it
 * is asked first whether the velocity jumps there.   theory (41.1), (50.2) */
static double improve(bool steer, sp_friction *f, double mu, double h)
{
    *(h > 0.0 ? &f->mu.lo : &f->mu.hi) = mu;
    *(h > 0.0 ? &f->xi_lo : &f->xi_hi) = f->xi;
    const double width = f->mu.hi - f->mu.lo;
    const bool steep = fabs(h) > STEEP * width;
    if (steer && steep && width > 0.0 && ask_slip(f, mu, h)) {
        return f->mu.hi + width;
    }
    if (steep || !(width > SP_ROUND_OFF * mu)) {
        forget(&f->mu, mu, h);
    }
    return secant(&f->mu, mu, h, mu + h);
}

/* Judge contact a whose slip was asked for: how far mu(slip) is from what the impulses need, 0: it
 * is right.  Where they need another coefficient than those at both ends (or there is no impulse),
 * nothing jumps there, and the coefficient is guessed again, which is off as it was.
 * theory (50.2) */
static double judge_slip(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w,
                         int a)
{
    sp_friction *f = &w->friction[a];
    const int r = w->con.row[a];
    const double v = fabs(f->slip), need = fabs(P[r + 1]) / P[r], width = f->mu.hi - f->mu.lo;
    const double h = need - sp_con_mu(m, num, &w->con, w->con.active[a], v, NULL);
    const bool so = P[r] > 0.0 && P[r + 1] * f->slip < 0.0 && need > f->mu.lo - width &&
                    need < f->mu.hi + width && f->speed.hi > f->speed.lo &&
                    fabs(f->xi - f->slip) <= SP_SLIP_NOISE * w->sol.xi_scale;
    if (so && fabs(h) <= SP_ROUND_OFF * need) {
        return 0.0;
    }
    if (so) {
        *(h > 0.0 ? &f->speed.lo : &f->speed.hi) = v;
        const double middle = 0.5 * (f->speed.lo + f->speed.hi);
        f->slip = copysign(secant(&f->speed, v, h, middle), f->slip);
    } else {
        f->slip = 0.0;
        forget(&f->mu, f->mu_last, f->h);
        w->con.set[a].mu = secant(&f->mu, f->mu_last, f->h, f->mu_last + f->h);
    }
    return so ? h : f->h;
}

/* Judge contact a, of which a coefficient was guessed: mu(v) - mu. */
static double judge_mu(const sp_model *m, const sp_numbers *num, const double *P, bool steer,
                       sp_work *w, int a)
{
    sp_friction *f = &w->friction[a];
    sp_set *set = &w->con.set[a];
    const double h = missing(m, num, P, w, a), mu = set->mu;
    if (h != 0.0) { /* one that mu_0 does not hold slides from now on */
        set->mu = f->rests ? mu + h : improve(steer && set->kind == SP_SET_PLANAR, f, mu, h);
        f->rests = false;
    }
    return h;
}

/* Judge all contacts. */
static bool judge(const sp_model *m, const sp_numbers *num, const double *P, bool steer, sp_work *w)
{
    bool right = true;
    for (int a = 0; a < w->con.n_active; a++) {
        sp_friction *f = &w->friction[a];
        if (f->by_speed) {
            f->off =
                f->slip != 0.0 ? judge_slip(m, num, P, w, a) : judge_mu(m, num, P, steer, w, a);
            right = right && f->off == 0.0;
        }
    }
    return right;
}

bool sp_friction_judge(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w)
{
    return judge(m, num, P, false, w);
}

bool sp_friction_judge_slip(const sp_model *m, const sp_numbers *num, const double *P, sp_work *w)
{
    return judge(m, num, P, true, w);
}

sp_status sp_friction_fail(const sp_model *m, const sp_work *w, sp_error *err)
{
    int worst = 0;
    for (int a = 0; a < w->con.n_active; a++) {
        if (!(fabs(w->friction[a].off) <= fabs(w->friction[worst].off))) {
            worst = a;
        }
    }
    return SP_FAIL(err, SP_E_NOT_CONVERGED,
                   "contact '%s': no coefficient of friction found that belongs to the speed of "
                   "sliding it leads to (mu = %.6g, off by %.2g after %d tries); take a smaller "
                   "step, or a law that changes less with v",
                   m->slot[w->con.active[worst]].name, w->con.set[worst].mu, w->friction[worst].off,
                   SP_FRICTION_PASSES);
}

/* Restitution by the speed of approach into con->eps and c, where the rule has any.
 * theory (17.5), (17.41) */
static void put_restitution(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                            sp_work *w)
{
    const sp_con *con = &w->con;
    for (int a = 0; a < con->n_active - m->n_bond && rule->restitution; a++) {
        const int r = con->row[a], slot = con->active[a];
        const bool hit = w->sol.gamma_A[r] < -SP_SLIP_NOISE * w->sol.xi_scale;
        const bool stays = rule->lasting_at_end && (!hit || sp_step_lasts(m, x, slot));
        if (!sp_con_by_approach(m, slot) || stays) {
            continue;
        }
        double eps[2];
        sp_con_restitution(m, x->numbers, con, slot, fmax(0.0, -w->sol.gamma_A[r]), eps);
        for (int k = r; k < con->row[a + 1]; k++) {
            const double now = eps[k > r];
            w->sol.c[k] += (now - con->eps[k]) * w->sol.gamma_A[k];
            con->eps[k] = now;
        }
    }
}

/* Speeds at which the contacts slide with P: |xi_T|, xi = G P + c with G = Y^T D^-1 Y. */
static void put_speeds(const sp_model *m, sp_work *w)
{
    const sp_con *con = &w->con;
    double *z = w->WP;
    memset(z, 0, (size_t)m->n_dof * sizeof *z);
    sp_con_push_rows(con, w->sol.P, z);
    const double *seen = sp_con_ready(con, z);
    for (int a = 0; a < con->n_active; a++) {
        double xi[2] = {0.0, 0.0};
        for (int r = con->row[a] + 1, k = 0;
             w->friction[a].by_speed && k < 2 && r < con->row[a + 1]; r++, k++) {
            xi[k] = sp_con_pull(con, a, r, seen, w->sol.c[r]);
        }
        w->friction[a].v = hypot(xi[0], xi[1]);
        w->friction[a].xi = xi[0];
    }
}

/* c_T of the contacts whose slip is asked for: less that slip (sense -1), or as it was (1). */
static void shift(double sense, sp_work *w)
{
    for (int a = 0; a < w->con.n_active; a++) {
        if (w->friction[a].slip != 0.0) {
            w->sol.c[w->con.row[a] + 1] += sense * w->friction[a].slip;
        }
    }
}

void sp_friction_settle(const double *P, unsigned char *status, sp_work *w)
{
    for (int a = 0; a < w->con.n_active; a++) {
        const int r = w->con.row[a];
        if (w->friction[a].slip != 0.0) {
            w->con.set[a].mu = fabs(P[r + 1]) / P[r];
            status[a] = w->friction[a].slip > 0.0 ? SP_SLIP_POS : SP_SLIP_NEG;
        }
    }
}

/* Where the first guess has no solution (friction that jams what it stops, (52.8)): coefficients of
 * slower sliding, then of faster, number `try`.  False if there are no more. */
static bool guess_again(const sp_model *m, const sp_state *x, int try, sp_work *w)
{
    static const double part[] = {0.5, 0.25, 0.125, 0.0, 2.0, 4.0, 8.0};
    bool any = false;
    for (int a = 0; a < w->con.n_active && try < (int)(sizeof part / sizeof *part); a++) {
        const sp_friction *f = &w->friction[a];
        if (f->by_speed && !f->rests) {
            const double v = part[try] * along(&w->con, a, w->sol.gamma_A);
            w->con.set[a].mu = sp_con_mu(m, x->numbers, &w->con, w->con.active[a], v, NULL);
            any = true;
        }
    }
    return any;
}

/* Solve the problem with the first coefficients that have a solution. */
static sp_status solve_first(const sp_model *m, const sp_state *x, sp_effort effort, sp_work *w,
                             sp_solution *solution, sp_error *err)
{
    const sp_status first = sp_work_solve(w, effort, solution, err);
    sp_status status = first;
    for (int try = 0;
         (status == SP_E_INFEASIBLE || status == SP_E_NOT_CONVERGED) && guess_again(m, x, try, w);
         try++) {
        status = sp_work_solve(w, effort, solution, NULL);
    }
    return status == SP_OK ? SP_OK : first;
}

/* What the rule knows of the contacts whose coefficients are guessed: their slip, where it is that
 * of the beginning (50.5); that it is exact, where rows look at the end and the problem is planar.
 */
static void apply_rule(const sp_step_rule *rule, sp_work *w)
{
    for (int a = 0; a < w->con.n_active; a++) {
        sp_friction *f = &w->friction[a];
        f->by_speed = f->by_speed && (f->rests || !rule->slip_known);
        f->exact = rule->lasting_at_end && w->con.set[a].kind == SP_SET_PLANAR;
    }
}

sp_status sp_friction_solve(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                            sp_work *w, sp_solution *solution, sp_error *err)
{
    int pivots = 0;
    put_restitution(m, x, rule, w);
    if (!sp_friction_begin(m, x, w)) {
        return sp_work_solve(w, rule->effort, solution, err);
    }
    apply_rule(rule, w);
    for (int pass = 0; pass < SP_FRICTION_PASSES; pass++) {
        shift(-1.0, w);
        const sp_status status = pass == 0 ? solve_first(m, x, rule->effort, w, solution, err)
                                           : sp_work_solve(w, rule->effort, solution, err);
        shift(1.0, w);
        SP_TRY(status);
        pivots = solution->pivots += pivots;
        put_speeds(m, w);
        if (sp_friction_judge_slip(m, x->numbers, w->sol.P, w)) {
            sp_friction_settle(w->sol.P, w->sol.status, w);
            return SP_OK;
        }
    }
    return sp_friction_fail(m, w, err);
}

/* The log of an impact that was one step's hit.   theory (11.13), (11.14) */
static sp_impact_log log_of(const sp_model *m, const sp_state *x, const sp_step_rule *rule,
                            const sp_work *w, const sp_hit *hit)
{
    const int slot = hit->slot, law = m->slot[slot].law;
    double eps[2] = {0.0, 0.0}, xi[2] = {0.0, 0.0}, back = 0.0;
    if (law != SP_NONE) {
        sp_con_restitution(m, x->numbers, &w->con, slot, fmax(0.0, -hit->gamma_A[0]), eps);
    }
    for (int k = 1; k < 3; k++) {
        back += 0.5 * eps[1] * hit->gamma_A[k] * hit->P[k];
        xi[k - 1] = hit->gamma_E[k] + eps[1] * hit->gamma_A[k];
    }
    const double v = hypot(xi[0], xi[1]);
    const double rest = law == SP_NONE ? 0.0 : x->numbers->law[law].mu;
    const bool by_speed = sp_con_by_speed(m, slot) && hit->slides;
    return (sp_impact_log){
        .Lambda_N_C = hit->P[0],
        .Lambda_T_C = {hit->P[1], hit->P[2]},
        .gamma_N_C = hit->gamma_E[0],
        .gamma_T_C = w->con.disc ? hypot(hit->gamma_E[1], hit->gamma_E[2]) : hit->gamma_E[1],
        .lost_normal = -(hit->work - hit->work_T),
        .lost_friction = -hit->work_T - back,
        .lost_restitution = back,
        .factor = rule->restitution ? 1.0 : 0.0,
        .remedy = rule->restitution ? SP_REMEDY_NONE : SP_REMEDY_INFEASIBLE,
        .eps_N = eps[0],
        .eps_T = eps[1],
        .mu = by_speed ? sp_con_mu(m, x->numbers, &w->con, slot, v, NULL) : rest};
}

void sp_friction_log(const sp_model *m, const sp_state *x, const sp_step_rule *rule, sp_work *w)
{
    double contacts = 0.0, size = 0.0;
    for (int i = 0, k = 0; i < w->n_event; i++) { /* events and hits both rise with their slots */
        sp_event *e = &w->event[i];
        while (k < w->n_hit && w->hit[k].slot < e->slot) {
            k++;
        }
        if (e->kind == SP_EVENT_IMPACT && k < w->n_hit && w->hit[k].slot == e->slot) {
            e->impact = log_of(m, x, rule, w, &w->hit[k]);
            contacts += w->hit[k].work;
            size += fabs(e->impact.lost_normal) + fabs(w->hit[k].work_T);
        }
    }
    for (int i = 0; i < w->n_event && contacts > SP_ROUND_OFF * size; i++) {
        w->event[i].impact.gain = w->event[i].kind == SP_EVENT_IMPACT ? contacts : 0.0;
    }
}
