/* model/build_laws.c - contact laws, the law of impacts, and whose laws contacts have. */
#include "laws/laws.h"
#include "model/build_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIKE_MAX = 100, LIST_MAX = 600 };

/* A coefficient of friction below which there is none: what a law that begins with mu = 0 has at
 * rest, so that the contact keeps its tangential direction. */
#define ALMOST_SMOOTH 1e-300
#define ROUGH         30.0 /* coefficients of friction above are slow to solve in space */

/* A law as it is read: values of those it is like, its own on top. */
typedef struct law_plan {
    sp_law law;
    sp_law_numbers numbers;
    double mu_0;
    bool has_mu_0;
} law_plan;

/* Put a law into the list; its number, SP_NONE without memory. */
static int add_law(sp_build *b, const char *name, const law_plan *plan)
{
    if (!SP_BUILD_ROOM(b, b->law, b->n_law) || !SP_BUILD_ROOM(b, b->law_func, b->n_law) ||
        !SP_BUILD_ROOM(b, b->law_name, b->n_law)) {
        return SP_NONE;
    }
    b->law[b->n_law] = plan->numbers;
    b->law_func[b->n_law] = plan->law;
    b->law_name[b->n_law] = sp_build_printf(b, "%s", name);
    return b->n_law++;
}

int sp_build_soft_law(sp_build *b, const char *name)
{
    const law_plan soft = {.mu_0 = 0.0};
    return add_law(b, name, &soft);
}

/* Report a reference to a law that is not there. */
static void unknown_law(sp_build *b, const sp_scope *scope, const sp_node *ref)
{
    const sp_node *laws = sp_node_get(b->root, "laws");
    const bool map = laws && laws->kind == SP_NODE_MAP;
    const char **name = SP_BUILD_NEW(b, &b->scratch, const char *, (map ? laws->n_child : 0) + 1);
    char list[LIST_MAX] = "";
    int n = 0;
    for (const sp_node *node = map ? laws->first : NULL; node && name; node = node->next) {
        name[n] = sp_build_own_short(b, ref, node->key);
        n += !strchr(name[n], '.'); /* those of other parts cannot be meant */
    }
    if (name) {
        sp_build_suggest(b, ref->text, name, n, list, sizeof list);
    }
    sp_build_error(b, ref->place, 0, "%s: there is no law '%s'%s", scope->what, ref->text,
                   n > 0 ? list : "; write one under 'laws', or here, as in 'law: {mu: 0.3}'");
}

/* ---- values of laws ------------------------------------------------------------------------- */

/* The value of a law's expression at a speed. */
static double value_at(sp_build *b, const sp_func *f, double speed)
{
    double *work = SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(f->program, 0) + 1);
    return work ? sp_program_value(f->program, &speed, work) : NAN;
}

/* Whether an expression stays in the range of its parameter: at rest and at 37 speeds from 1 um/s
 * to 1 km/s.  One that does not is reported. */
static bool check_speeds(sp_build *b, const sp_scope *scope, const sp_node *node, const char *key,
                         const sp_law_parameter *p, const sp_func *f)
{
    for (int k = -25; k <= 12; k++) {
        const double speed = k == -25 ? 0.0 : pow(10.0, 0.25 * k), value = value_at(b, f, speed);
        if (b->no_memory) {
            return false;
        }
        if (!sp_law_in_range(p, value)) {
            sp_build_error(b, node->place, 0,
                           "%s: %s = %.100s is %.7g at %s = %.4g m/s, expected %s at all speeds; "
                           "cut it off with max(0, ...) or min(1, ...)",
                           scope->what, key, node->text, value,
                           scope->own == SP_OWN_SPEED ? "v" : "v_N", speed, p->expected);
            return false;
        }
    }
    return true;
}

/* One parameter: a number, or an expression of the sliding speed v (mu) or of the approach speed
 * v_N (restitution). */
static bool read_parameter(sp_build *b, sp_scope *scope, const sp_node *node, const char *key,
                           const sp_law_parameter *p, sp_func *f, double *number)
{
    const sp_dim none = sp_dim_of(0, 0, 0);
    sp_expr_info info;
    sp_func read;
    if (!sp_build_func(b, scope, node, key, &none, NULL, &read, &info)) {
        return false;
    }
    if (read.program) {
        if (!check_speeds(b, scope, node, key, p, &read)) {
            return false;
        }
        *f = read;
        *number = value_at(b, &read, 0.0);
        return true;
    }
    if (!sp_law_in_range(p, read.constant)) {
        char text[160];
        sp_build_error(b, node->place, 0, "%s: %s = %s, expected %s", scope->what, key,
                       sp_build_shown(node->text, read.constant, text, sizeof text), p->expected);
        return false;
    }
    *f = (sp_func){.program = NULL, .constant = read.constant};
    *number = read.constant;
    return true;
}

/* Values of one law map on top of those it is like. */
static bool law_values(sp_build *b, sp_scope *scope, const sp_node *map, const char *before,
                       law_plan *plan)
{
    sp_func *const func[] = {[SP_LAW_MU] = &plan->law.mu,
                             [SP_LAW_EPS_N] = &plan->law.eps_N,
                             [SP_LAW_EPS_T] = &plan->law.eps_T};
    double *const number[] = {[SP_LAW_MU] = &plan->numbers.mu_slip,
                              [SP_LAW_EPS_N] = &plan->numbers.eps_N,
                              [SP_LAW_EPS_T] = &plan->numbers.eps_T};
    char key[40];
    bool good = true;
    for (int k = 0; k < SP_LAW_N_PARAMETER; k++) {
        const sp_law_parameter *p = sp_law_parameter_of((sp_law_parameter_kind)k);
        const sp_node *node = sp_node_get(map, p->name);
        snprintf(key, sizeof key, "%s%s", before, p->name);
        scope->own = k == SP_LAW_MU ? SP_OWN_SPEED : SP_OWN_APPROACH;
        good = (!node || read_parameter(b, scope, node, key, p, func[k], number[k])) && good;
    }
    scope->own = SP_OWN_NONE;
    const sp_node *rest = sp_node_get(map, "mu_0");
    snprintf(key, sizeof key, "%smu_0", before);
    if (rest) {
        plan->has_mu_0 =
            sp_build_positive(b, scope, rest, key, sp_dim_of(0, 0, 0), true, &plan->mu_0);
        good = good && plan->has_mu_0;
    }
    const sp_node *across = sp_node_get(map, "mu_2");
    snprintf(key, sizeof key, "%smu_2", before);
    if (across) {
        good = sp_build_positive(b, scope, across, key, sp_dim_of(0, 0, 0), false,
                                 &plan->numbers.mu_2) &&
               good;
    }
    return sp_build_spot(b, scope, map, before, &plan->law, &plan->numbers) && good;
}

/* What follows from the values: friction at rest, and whether anything depends on speeds. */
static bool finish_law(sp_build *b, const sp_scope *scope, const sp_node *law, law_plan *plan)
{
    sp_law_numbers *n = &plan->numbers;
    n->mu = plan->has_mu_0 ? plan->mu_0 : n->mu_slip;
    if (n->mu_2 > 0.0 && (plan->has_mu_0 || plan->law.mu.program || !(n->mu > 0.0))) {
        sp_build_error(b, law->place, 0,
                       "%s: mu_2 needs a mu that is a number > 0 and no mu_0; its ellipse does not "
                       "depend on the speed",
                       scope->what);
        return false;
    }
    plan->law.by_speed = plan->law.mu.program != NULL || n->mu != n->mu_slip;
    plan->law.by_approach = plan->law.eps_N.program || plan->law.eps_T.program;
    if (plan->law.by_speed && !(n->mu >= ALMOST_SMOOTH)) {
        n->mu = ALMOST_SMOOTH;
    }
    if (plan->has_mu_0 && plan->mu_0 < n->mu_slip) {
        const sp_node *own = law->kind == SP_NODE_MAP ? sp_node_get(law, "mu_0") : NULL;
        sp_build_error(b, own ? own->place : law->place, 0,
                       "%s: mu_0 = %g at rest, expected at least the %g of mu at the slowest "
                       "sliding; friction that grows when sliding begins is not dry friction",
                       scope->what, plan->mu_0, n->mu_slip);
        return false;
    }
    if (b->dim == 3 && n->mu > ROUGH) {
        sp_diag_add(b->diag, SP_WARNING, sp_build_place(b, law->place),
                    "%s: mu = %g; coefficients above %g make steps slow or unsolvable; 10 already "
                    "holds against almost any load",
                    scope->what, n->mu, ROUGH);
    }
    return sp_build_check_spot(b, scope, law, &plan->law, n);
}

/* ---- laws of the file ----------------------------------------------------------------------- */

/* The chain of laws that one is like, itself first, NULL for a mere name of another.  Its length, 0
 * after an error; errors of the others are reported where they are. */
static int law_chain(sp_build *b, const sp_scope *scope, const sp_node *law,
                     const sp_node *chain[LIKE_MAX])
{
    int n = 0;
    bool first = true; /* of those met so far, law is the first in the file: it reports a ring */
    for (const sp_node *at = law; n < LIKE_MAX;) {
        chain[n++] = at->kind == SP_NODE_MAP ? at : NULL;
        const sp_node *like = at->kind == SP_NODE_TEXT ? at : sp_node_get(at, "like");
        if (!like) {
            return n;
        }
        const sp_node *next =
            sp_build_text(like) ? sp_build_own_entry(b, like, "laws", like->text) : NULL;
        if (next == law && first) {
            sp_build_error(b, law->place, 0, "%s: 'like' leads back to itself", scope->what);
        }
        if (!next && at == law && sp_build_text(like)) {
            unknown_law(b, scope, like);
        }
        if (!next || next == law) {
            return 0;
        }
        first = first &&
                !(next->place.line < law->place.line ||
                  (next->place.line == law->place.line && next->place.column < law->place.column));
        at = next;
    }
    sp_build_error(b, law->place, 0, "%s: more than %d laws are like each other", scope->what,
                   LIKE_MAX);
    return 0;
}

/* All values of a law: those it is like first, its own on top. */
static bool read_law(sp_build *b, sp_scope *scope, const sp_node *law, const char *before,
                     law_plan *plan)
{
    const sp_node *chain[LIKE_MAX];
    const int n = law_chain(b, scope, law, chain);
    bool good = n > 0;
    for (int k = n - 1; k >= 0; k--) {
        sp_diag silent, *loud = b->diag;
        sp_diag_init(&silent, &b->scratch);
        if (chain[k] != law) {
            b->diag = &silent; /* reported where that law is */
        }
        good = (!chain[k] || law_values(b, scope, chain[k], before, plan)) && good;
        b->diag = loud;
    }
    return good && finish_law(b, scope, law, plan);
}

const sp_node *sp_build_law_force(sp_build *b, const sp_scope *scope, const sp_node *law)
{
    const sp_node *chain[LIKE_MAX], *force = NULL;
    sp_diag silent, *loud = b->diag;
    sp_diag_init(&silent, &b->scratch);
    b->diag = &silent; /* reported where the law is read */
    const int n = law ? law_chain(b, scope, law, chain) : 0;
    b->diag = loud;
    for (int k = 0; k < n && !force; k++) {
        force = chain[k] ? sp_node_get(chain[k], "force") : NULL;
    }
    return force;
}

void sp_build_no_force(sp_build *b, const sp_scope *scope, const sp_node *law)
{
    const sp_node *force = sp_build_law_force(b, scope, law);
    if (force) {
        sp_build_error(b, law->place, 0,
                       "%s: 'force' belongs to laws of contacts between two contours; here take a "
                       "spring with 'force: ...' as a force element",
                       scope->what);
    }
}

void sp_build_laws(sp_build *b)
{
    const sp_node *laws = sp_node_get(b->root, "laws");
    if (!laws || laws->kind != SP_NODE_MAP) {
        return;
    }
    for (const sp_node *law = laws->first; law && !b->no_memory; law = law->next) {
        sp_scope scope = sp_build_scope_of("law '%.100s'", law->key);
        law_plan plan = {.mu_0 = 0.0};
        const int before = b->diag->n_error;
        read_law(b, &scope, law, "", &plan);
        const int k = add_law(b, law->key, &plan);
        if (k != SP_NONE && b->diag->n_error == before) {
            sp_build_name(b, &b->law_names, b->law_name[k], k);
        }
    }
}

int sp_build_contact_law(sp_build *b, sp_scope *scope, const sp_node *law, const char *name)
{
    if (sp_build_text(law)) {
        const sp_node *named = sp_build_own_entry(b, law, "laws", law->text);
        if (!named) {
            unknown_law(b, scope, law);
        }
        return named ? sp_names_find(&b->law_names, named->key, strlen(named->key)) : SP_NONE;
    }
    law_plan plan = {.mu_0 = 0.0};
    if (!law || law->kind != SP_NODE_MAP || !read_law(b, scope, law, "law: ", &plan)) {
        return SP_NONE;
    }
    return add_law(b, name, &plan);
}

/* ---- impacts -------------------------------------------------------------------------------- */

void sp_build_impact(sp_build *b)
{
    const sp_node *node = sp_node_get(b->root, "impact");
    const bool map = node && node->kind == SP_NODE_MAP;
    const char *law = sp_build_text(map ? sp_node_get(node, "law") : node);
    const char *gain = map ? sp_build_text(sp_node_get(node, "gain")) : NULL;
    const sp_node *prescribed = map ? sp_node_get(node, "prescribed") : NULL;
    b->m->impact = (sp_impact_settings){.poisson = law && strcmp(law, "poisson") == 0,
                                        .prescribed = !prescribed || sp_build_flag(prescribed),
                                        .scale_gain = gain && strcmp(gain, "scale") == 0};
}
