/* run/beams.c - whether elastic beams stay in the range of their functions: loads along the axis
 * far from buckling, small strains; and elastic bodies in that of explicit steps: every frequency
 * times the step below 1.   theory (72.22) */
#include "integrators/loads.h"
#include "model/part.h"
#include "model/ritz.h"
#include "run/parts.h"

#include <math.h>

static const double pi = 3.14159265358979324;

enum { PLACES = 5, WATCHED = 64 };

static const sp_ritz *beam_of(const sp_body *b)
{
    const bool beam = b->kind == &sp_ritz_kind || b->kind == &sp_ritz_space_kind;
    return beam ? b->form : NULL;
}

bool sp_run_has_beams(const sp_model *m)
{
    for (int i = 1; i < m->n_body; i++) {
        if (beam_of(&m->body[i])) {
            return true;
        }
    }
    return false;
}

bool sp_run_watches(sp_run_summary *s)
{
    const long k = s->seen++;
    return k % (1 + k / WATCHED) == 0;
}

/* Euler's load: that of the ends of bending along y or z, 0: none of them bends. */
static double buckling_load(const sp_beam *b)
{
    static const double by_ends[4][4] = {/* free, clamped, pinned, guided at the other end */
                                         [SP_END_FREE] = {1.0, 0.25, 1.0, 1.0},
                                         [SP_END_CLAMPED] = {0.25, 4.0, 2.0457, 1.0},
                                         [SP_END_PINNED] = {1.0, 2.0457, 1.0, 0.25},
                                         [SP_END_GUIDED] = {1.0, 1.0, 0.25, 1.0}};
    double least = INFINITY;
    for (int side = 0; side < 2; side++) {
        if (b->n[SP_RITZ_Y + side] > 0) {
            least = fmin(least, by_ends[b->end[side][0]][b->end[side][1]] * b->inertia[2 - side]);
        }
    }
    return isfinite(least) ? pi * pi * b->young * least / (b->length * b->length) : 0.0;
}

/* The largest load that presses the beam together: by its stretch, and by the joint that carries
 * it. */
static double pressed(const sp_model *m, const sp_kin *kin, const sp_loads *loads, int i,
                      double axial)
{
    double most = -axial;
    if (loads && m->body[i].n_dof < (m->dim == 3 ? 6 : 3)) {
        const sp_spot origin = sp_spot_origin(kin, i);
        const sp_ritz *form = beam_of(&m->body[i]);
        const double along = sp_inner3(sp_spot_axes(kin, &origin).x, loads->force[i]);
        most = fmax(most, 2.0 * form->beam.from < form->beam.length ? along : -along);
    }
    return most;
}

static void keep_largest(sp_tally_beam *worst, double value, double t, int body)
{
    if (value > worst->value) {
        *worst = (sp_tally_beam){value, t, body};
    }
}

/* Frequencies of the functions of a body, NULL if it is rigid. */
static const double *frequencies_of(const sp_body *b, int *n)
{
    const sp_ritz *form = beam_of(b);
    const sp_modal *modal = b->kind == &sp_modal_kind ? b->form : NULL;
    *n = form ? form->n : modal ? modal->part->n : 0;
    return form ? form->omega : modal ? modal->omega : NULL;
}

void sp_run_watch_frequencies(const sp_model *m, double dt, sp_run_summary *s)
{
    for (int i = 1; i < m->n_body; i++) {
        int n;
        const double *omega = frequencies_of(&m->body[i], &n);
        for (int k = 0; k < n; k++) {
            keep_largest(&s->fast, omega[k] * dt, s->t, i);
        }
    }
}

void sp_run_watch_beams(const sp_model *m, const sp_state *x, const sp_kin *kin,
                        const sp_loads *loads, sp_run_summary *s)
{
    for (int i = 1; i < m->n_body; i++) {
        const sp_ritz *form = beam_of(&m->body[i]);
        double axial = 0.0, stress = 0.0, e[SP_RITZ_MOST];
        if (!form) {
            continue;
        }
        for (int k = 0; k < form->n; k++) {
            e[k] = x->q[m->dof[m->body[i].dof + m->body[i].n_dof + k].q];
        }
        for (int k = 0; k < PLACES; k++) {
            const sp_ritz_forces f =
                sp_ritz_section(form, form->beam.length * k / (PLACES - 1.0), e);
            axial = fmin(axial, f.axial);
            stress = fmax(stress, fabs(f.stress));
        }
        const double most = buckling_load(&form->beam);
        if (most > 0.0) { /* bars of stretch alone are linear whatever their strain */
            keep_largest(&s->strain, stress / form->beam.young, x->t, i);
        }
        keep_largest(&s->pressed, most > 0.0 ? pressed(m, kin, loads, i, axial) / most : 0.0, x->t,
                     i);
    }
}
