/* studies/outside.c - searches of NLopt, which is loaded where it is installed.   theory (80.12)
 *
 * NLopt calls an objective and wants its value at once, candidates are points of a study that
 * others run.  So each time it searches from the start: with the values that are known, which leads
 * it to the first candidate without one, where it is stopped. */
#define _GNU_SOURCE
#include "studies/outside.h"

#include "base/status.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is taken from its library (nlopt.h of 2.7). */
typedef struct nlopt_opt_s *nlopt_opt;
typedef double (*nlopt_func)(unsigned n, const double *x, double *gradient, void *data);
typedef struct library {
    int (*algorithm)(const char *name);
    nlopt_opt (*create)(int algorithm, unsigned n);
    void (*destroy)(nlopt_opt opt);
    int (*objective)(nlopt_opt opt, nlopt_func f, void *data);
    int (*constraint)(nlopt_opt opt, nlopt_func f, void *data, double tolerance);
    int (*lower)(nlopt_opt opt, double bound);
    int (*upper)(nlopt_opt opt, double bound);
    int (*step)(nlopt_opt opt, double step);
    int (*ends)(nlopt_opt opt, double tolerance);
    int (*most)(nlopt_opt opt, int calls);
    int (*stop)(nlopt_opt opt);
    void (*seed)(unsigned long seed);
    int (*optimize)(nlopt_opt opt, double *x, double *f);
} library;

static const struct {
    const char *word, *name;
    bool limits; /* it knows them */
} methods[] = {{"bobyqa", "LN_BOBYQA", false}, {"cobyla", "LN_COBYLA", true},
               {"sbplx", "LN_SBPLX", false},   {"crs", "GN_CRS2_LM", false},
               {"isres", "GN_ISRES", true},    {"direct", "GN_DIRECT_L", false}};
enum { METHODS = sizeof methods / sizeof *methods };

static bool load(library *l)
{
    void *so = dlopen("libnlopt.so.0", RTLD_NOW | RTLD_LOCAL);
    so = so ? so : dlopen("libnlopt.so", RTLD_NOW | RTLD_LOCAL);
    static const char *const name[] = {"nlopt_algorithm_from_string",
                                       "nlopt_create",
                                       "nlopt_destroy",
                                       "nlopt_set_min_objective",
                                       "nlopt_add_inequality_constraint",
                                       "nlopt_set_lower_bounds1",
                                       "nlopt_set_upper_bounds1",
                                       "nlopt_set_initial_step1",
                                       "nlopt_set_xtol_abs1",
                                       "nlopt_set_maxeval",
                                       "nlopt_force_stop",
                                       "nlopt_srand",
                                       "nlopt_optimize"};
    void *found[sizeof name / sizeof *name];
    _Static_assert(sizeof found == sizeof *l, "one function for each name");
    for (size_t k = 0; so && k < sizeof name / sizeof *name; k++) {
        if (!(found[k] = dlsym(so, name[k]))) {
            return false;
        }
    }
    if (so) {
        memcpy(l, found, sizeof *l);
    }
    return so != NULL;
}

static int number_of(const char *word)
{
    int k = 0;
    while (k < METHODS && strcmp(methods[k].word, word) != 0) {
        k++;
    }
    return k;
}

sp_status sp_outside_check(const char *method, bool limits, sp_error *err)
{
    library l;
    const int k = number_of(method);
    if (k == METHODS) {
        return SP_FAIL(err, SP_E_INPUT, "optimize: there is no method '%.40s'", method);
    }
    if (limits && !methods[k].limits) {
        return SP_FAIL(err, SP_E_INPUT,
                       "optimize: '%s' knows no limits; take cmaes, cobyla or isres", method);
    }
    return load(&l) && l.algorithm(methods[k].name) >= 0
               ? SP_OK
               : SP_FAIL(err, SP_E_INPUT,
                         "optimize: '%s' is a method of NLopt (2.7 or later), which is not "
                         "installed here (Debian: libnlopt0); cmaes is built in",
                         method);
}

/* A search under way. */
typedef struct search {
    const sp_outside *o;
    const library *l;
    nlopt_opt opt;
    long calls;     /* of the objective */
    double *wanted; /* d: the first candidate without a value */
    bool open;      /* there is one                           */
} search;

/* The number of a candidate, -1: it has no value yet; then the search is stopped. */
static long find(search *s, const double *x, long guess)
{
    const size_t size = (size_t)s->o->d * sizeof *x;
    if (s->open) {
        return -1;
    }
    if (guess < s->o->n && memcmp(s->o->x + guess * s->o->d, x, size) == 0) {
        return guess;
    }
    for (long k = s->o->n - 1; k >= 0; k--) {
        if (memcmp(s->o->x + k * s->o->d, x, size) == 0) {
            return k;
        }
    }
    memcpy(s->wanted, x, size);
    s->open = true;
    s->l->stop(s->opt);
    return -1;
}

/* nlopt_func: candidates that failed are worse than all before them. */
static double objective(unsigned n, const double *x, double *gradient, void *data)
{
    search *s = data;
    (void)n;
    (void)gradient;
    const long k = find(s, x, s->calls++);
    if (k < 0 || isfinite(s->o->f[k])) {
        return k < 0 ? 0.0 : s->o->f[k];
    }
    double worst = 0.0;
    for (long i = 0; i < k; i++) {
        worst = isfinite(s->o->f[i]) ? fmax(worst, fabs(s->o->f[i])) : worst;
    }
    return 2.0 * worst + 1.0;
}

/* nlopt_func: not above zero where all limits are kept. */
static double violation(unsigned n, const double *x, double *gradient, void *data)
{
    search *s = data;
    (void)n;
    (void)gradient;
    const long k = find(s, x, s->calls - 1);
    return k < 0 ? 0.0 : isfinite(s->o->violation[k]) ? s->o->violation[k] : 1.0;
}

sp_status sp_outside_next(const sp_outside *o, double *x, bool *on, sp_error *err)
{
    library l;
    double f = 0.0;
    const int k = number_of(o->method);
    double *room = calloc(2 * (size_t)o->d, sizeof *room);
    search s = {.o = o, .l = &l, .wanted = room ? room + o->d : NULL};
    if (room && load(&l)) {
        s.opt = l.create(l.algorithm(methods[k].name), (unsigned)o->d);
    }
    if (!s.opt) {
        free(room);
        return SP_FAIL(err, SP_E_MEMORY, "no memory for '%s' of NLopt", o->method);
    }
    memcpy(room, o->start, (size_t)o->d * sizeof *room);
    l.objective(s.opt, objective, &s);
    if (methods[k].limits && o->limits) {
        l.constraint(s.opt, violation, &s, 0.0);
    }
    l.lower(s.opt, 0.0);
    l.upper(s.opt, 1.0);
    l.step(s.opt, 0.2);
    l.ends(s.opt, o->tolerance);
    l.most(s.opt, (int)o->most);
    l.seed((unsigned long)o->seed);
    l.optimize(s.opt, room, &f);
    l.destroy(s.opt);
    *on = s.open;
    memcpy(x, s.wanted, (size_t)o->d * sizeof *x);
    free(room);
    return SP_OK;
}
