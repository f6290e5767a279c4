/* model/build_given.c - bending functions of beams by expressions.   theory (97.14) */
#include "model/build_parts.h"
#include "model/ritz.h"

#include <math.h>

/* One bending function as an expression of x: its curvature at Gauss' nodes, by xi.  theory (97.14)
 */
static bool sample(sp_build *b, sp_scope *scope, const sp_node *node, double length, double *coef)
{
    double xi[SP_RITZ_SAMPLES], weight[SP_RITZ_SAMPLES], curvature[SP_RITZ_SAMPLES] = {0.0};
    double grad = 0.0, hess = 0.0;
    sp_expr_info info;
    sp_func f;
    scope->own = SP_OWN_BEAM;
    const bool good = sp_build_func(b, scope, node, "elastic: functions", NULL, NULL, &f, &info);
    scope->own = SP_OWN_NONE;
    if (!good) {
        return false;
    }
    double *work =
        f.program ? SP_BUILD_NEW(b, &b->scratch, double, sp_program_work(f.program, 2) + 1) : NULL;
    if (!work) {
        sp_build_error(b, node->place, 0,
                       "%s: elastic: functions: '%.80s' does not depend on the place x",
                       scope->what, sp_build_text(node) ? sp_build_text(node) : "");
        return false;
    }
    sp_gauss_legendre(SP_RITZ_SAMPLES, xi, weight);
    for (int i = 0; i < SP_RITZ_SAMPLES; i++) {
        const double x = length * xi[i];
        (void)sp_program_hess(f.program, &x, &grad, &hess, work);
        curvature[i] = length * length * hess;
    }
    const double zero = 0.0;
    const double at_0 = sp_program_hess(f.program, &zero, &grad, &hess, work);
    sp_ritz_given(at_0, length * grad, curvature, coef);
    bool finite = true;
    for (int i = 0; i < SP_RITZ_GIVEN; i++) {
        finite = finite && isfinite(coef[i]);
    }
    if (!finite) {
        sp_build_error(b, node->place, 0,
                       "%s: elastic: functions: '%.80s' has no finite value, slope or curvature at "
                       "some place of the beam",
                       scope->what, sp_build_text(node) ? sp_build_text(node) : "");
    }
    return finite;
}

/* A list of them. */
bool sp_build_given(sp_build *b, sp_scope *scope, const sp_node *list, sp_beam *beam)
{
    const int n = list->n_child;
    double *given = SP_BUILD_NEW(b, b->arena, double, n *SP_RITZ_GIVEN), apart = 0.0, bends = 0.0;
    bool good = given && beam->n[SP_RITZ_Y] > 0;
    for (const sp_node *item = list->first; item && good; item = item->next) {
        good = sample(b, scope, item, beam->length, given);
        given += SP_RITZ_GIVEN;
    }
    if (!good) {
        return false;
    }
    if (beam->n[SP_RITZ_Y] != n || (b->dim == 3 && beam->n[SP_RITZ_Z] != n)) {
        sp_build_error(b, list->key_place, 0,
                       "%s: elastic: %d functions in the list, but bending = %d; leave 'bending' "
                       "out",
                       scope->what, n, beam->n[SP_RITZ_Y]);
        return false;
    }
    beam->given = given - (size_t)n * SP_RITZ_GIVEN;
    if (!sp_ritz_judge(&b->scratch, n, beam->given, &apart, &bends)) {
        b->no_memory = true;
        return false;
    }
    if (!(apart > 1e-10)) {
        sp_build_error(b, list->key_place, 0,
                       "%s: elastic: functions: they depend on each other (smallest eigenvalue of "
                       "their products %.1e of the largest); leave one out",
                       scope->what, apart);
        return false;
    }
    if (!(bends > 1e-10)) {
        sp_build_error(b, list->key_place, 0,
                       "%s: elastic: functions: a sum of them is straight and has no stiffness; "
                       "rigid motion belongs to the joint, leave it out",
                       scope->what);
        return false;
    }
    return true;
}
