#include "solvers/solutions_parts.h"
#include "solvers/split.h"

#include <math.h>
#include <string.h>

enum { MANY = 1000000 }; /* more motions than anybody counts */

/* ---- contacts that belong together
 * ------------------------------------------------------------------- */

/* Whether the contacts of an island that is too large have no friction, neither in their sets nor
 * in the columns of G: then there is one motion.   theory (36.2) */
static bool is_smooth(const sp_problem *p, const int *label, int mine)
{
    for (int i = 0; i < p->n_contact; i++) {
        const sp_set *s = &p->set[i];
        if (label[i] != mine) {
            continue;
        }
        if (sp_set_dim(s) > 1 && (s->mu > 0.0 || s->mu_2 > 0.0)) {
            return false;
        }
        const size_t ld = (size_t)p->ld, r = (size_t)p->row[i];
        if (!(p->G[r * ld + r] > 0.0)) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            const size_t c = (size_t)p->row[j];
            const double least = sqrt(fabs(p->G[r * ld + r] * p->G[c * ld + c]));
            if (fabs(p->G[r * ld + c] - p->G[c * ld + r]) > SP_SOLUTIONS_NOTHING * least) {
                return false;
            }
        }
    }
    return true;
}

bool sp_solution_is_only(const sp_problem *p, double more)
{
    int label[SP_SOLUTIONS_CONTACTS], todo[SP_SOLUTIONS_CONTACTS], left[SP_SOLUTIONS_CONTACTS];
    if (p->n_contact > SP_SOLUTIONS_CONTACTS) {
        return false;
    }
    const int n = sp_split_parts(p, label, todo, left);
    for (int mine = 0; mine < n; mine++) {
        sp_island k;
        if (!(sp_island_gather(p, label, mine, &k) ? sp_island_is_alone(&k, more)
                                                   : is_smooth(p, label, mine))) {
            return false;
        }
    }
    return true;
}

/* ---- the call ------------------------------------------------------------------------------- */

/* Nothing is better than the solution at hand. */
static double nothing(const void *ctx, const sp_solution_part *part)
{
    (void)ctx;
    (void)part;
    return 0.0;
}

/* The motions of an island with friction by speed, the first that of s.   theory section 52 */
static sp_solution_count find_speeds(const sp_island *k, const sp_island_speeds *v,
                                     const sp_solution *s, void *work)
{
    static const sp_judge judge = {nothing, NULL};
    sp_motions m;
    double at[SP_SOLUTIONS_ROWS];
    sp_island_begin(k, s, &judge, work, &m, at);
    if (sp_island_rests(k, at, m.xi[0]) || sp_speeds_alone(k, v, at, m.xi[0])) {
        return (sp_solution_count){1, true, -1};
    }
    const int statuses = sp_speeds_count(k, v);
    if (statuses == 0 || statuses > SP_SOLUTIONS_STATUSES) {
        return (sp_solution_count){1, false, k->who[0]};
    }
    sp_speeds_try(k, v, &m);
    return (sp_solution_count){m.n, m.complete, sp_island_differs(k, &m)};
}

/* The motions of one island, of which the best goes into s; 0: the island is too large. */
static sp_solution_count find_in_island(const sp_problem *p, const sp_speeds *law, const int *label,
                                        int mine, const sp_judge *judge, sp_solution *s, void *work)
{
    sp_island_speeds v;
    sp_island k;
    sp_motions m;
    double at[SP_SOLUTIONS_ROWS];
    if (!sp_island_gather(p, label, mine, &k)) {
        return !law && is_smooth(p, label, mine) ? (sp_solution_count){1, true, -1}
                                                 : (sp_solution_count){0, false, -1};
    }
    if (law && sp_speeds_gather(&k, law, &v)) {
        return find_speeds(&k, &v, s, work);
    }
    if (sp_island_is_alone(&k, 1.0)) {
        return (sp_solution_count){1, true, -1};
    }
    sp_island_begin(&k, s, judge, work, &m, at);
    if (sp_island_rests(&k, at, m.xi[0])) {
        return (sp_solution_count){1, true, -1};
    }
    const int statuses = sp_modes_count(&k);
    if (statuses == 0 || statuses > SP_SOLUTIONS_STATUSES) {
        return (sp_solution_count){0, false, -1};
    }
    sp_modes_try(&k, &m);
    if (m.best > 0) {
        sp_island_take(&k, &m, s);
        s->method = "enumeration";
    }
    return (sp_solution_count){m.n, m.complete, sp_island_differs(&k, &m)};
}

sp_solution_count sp_solutions_find_any(const sp_problem *p, sp_solution *s)
{
    static const sp_judge judge = {nothing, NULL};
    const int label[SP_SOLUTIONS_ROWS] = {0};
    sp_island k;
    sp_motions m = {.complete = true, .judge = &judge, .least = INFINITY};
    const bool fits = p->n_contact <= SP_SOLUTIONS_ROWS && sp_island_gather(p, label, 0, &k);
    const int statuses = fits ? sp_modes_count(&k) : 0;
    if (statuses == 0 || statuses > SP_SOLUTIONS_STATUSES) {
        return (sp_solution_count){0, false, -1};
    }
    sp_modes_try(&k, &m);
    if (m.n > 0) {
        memset(s->status, SP_STICK, (size_t)p->n_contact); /* bilateral rows */
        sp_island_take(&k, &m, s);
    }
    return (sp_solution_count){m.n, m.complete, -1};
}

/* Add what is known about other, independent contacts: their numbers multiply. */
static void join(sp_solution_count *all, const sp_solution_count *one)
{
    if (one->n_motion > 1 ? all->n_motion == 1 : !one->complete && all->at < 0) {
        all->at = one->at;
    }
    all->n_motion = all->n_motion > MANY / one->n_motion ? MANY : all->n_motion * one->n_motion;
    all->complete = all->complete && one->complete;
}

/* The first contact of the islands with open[label]. */
static int first_of(const sp_problem *p, const int *label, const bool *open)
{
    int i = 0;
    while (i < p->n_contact - 1 && (!open[label[i]] || p->set[i].kind == SP_SET_FREE)) {
        i++;
    }
    return i;
}

size_t sp_solutions_work(int n_contact_max, int n_max)
{
    return sp_first_bytes(n_contact_max, n_max) + sp_starts_bytes(n_contact_max, n_max);
}

sp_solution_count sp_solutions_find(const sp_problem *p, const sp_speeds *law,
                                    const sp_judge *judge, sp_solution *s, void *work)
{
    int label[SP_SOLUTIONS_CONTACTS], todo[SP_SOLUTIONS_CONTACTS], left[SP_SOLUTIONS_CONTACTS];
    bool open[SP_SOLUTIONS_CONTACTS], any = false;
    sp_solution_count all = {1, true, -1};
    if (p->n_contact > SP_SOLUTIONS_CONTACTS) {
        return (sp_solution_count){1, false, 0};
    }
    const sp_first first = sp_first_keep(p, s, work);
    const int n = sp_split_parts(p, label, todo, left);
    for (int mine = 0; mine < n; mine++) {
        const sp_solution_count one = find_in_island(p, law, label, mine, judge, s, first.rest);
        open[mine] = one.n_motion == 0;
        any = any || open[mine];
        if (!open[mine]) {
            join(&all, &one);
        }
    }
    if (any) {
        const sp_solution_count rest = {sp_starts_try(p, label, open, judge, s, first.rest), false,
                                        first_of(p, label, open)};
        join(&all, &rest);
    }
    sp_first_confirm(p, &first, s);
    return all;
}
