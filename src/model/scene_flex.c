#include "model/scene_flex.h"

/* Stations for each half wave of the function with the most, and how many there are at most. */
enum { PER_WAVE = 8, STATIONS_MOST = 160 };

static const sp_ritz *form_of(const sp_body *b)
{
    return b->kind == &sp_ritz_kind || b->kind == &sp_ritz_space_kind ? b->form : NULL;
}

const sp_beam *sp_scene_beam(const sp_body *body)
{
    const sp_ritz *form = form_of(body);
    return form ? &form->beam : NULL;
}

/* Parts of equal length into which the beam is cut: function number n has n + 1 half waves at most.
 */
static int cuts(const sp_beam *beam)
{
    int most = 0;
    for (int part = 0; part < SP_RITZ_PARTS; part++) {
        most = beam->n[part] > most ? beam->n[part] : most;
    }
    const int n = PER_WAVE * (most + 1);
    return n < STATIONS_MOST ? n : STATIONS_MOST;
}

/* Of (72.1), (72.14) what is linear; who draws it has the rest from the angles. */
bool sp_scene_flex_of(const sp_model *m, sp_arena *arena, int i, sp_scene_flex *flex)
{
    const sp_body *b = &m->body[i];
    const sp_ritz *form = form_of(b);
    *flex = (sp_scene_flex){.n_station = 0};
    if (!form) {
        return true;
    }
    const int n = cuts(&form->beam) + 1;
    double *row = SP_NEW(arena, double, sp_ritz_row_size(form));
    double *x = SP_NEW(arena, double, n), *shape = SP_NEW(arena, double, 2 * n * form->n);
    sp_scene_mode *mode = SP_NEW(arena, sp_scene_mode, form->n);
    if (!row || !x || !shape || !mode) {
        return false;
    }
    for (int s = 0; s < n; s++) {
        x[s] = form->beam.length * s / (n - 1);
        sp_ritz_row(form, x[s], row);
        for (int k = 0; k < form->n; k++) {
            shape[2 * k * n + s] = row[k];
            shape[(2 * k + 1) * n + s] = row[form->n + k];
        }
    }
    for (int k = 0; k < form->n; k++) {
        const sp_ritz_part part = (sp_ritz_part)form->part[k];
        mode[k] = (sp_scene_mode){.q = m->dof[b->dof + b->n_dof + k].q,
                                  .along = sp_ritz_along(part),
                                  .about = sp_ritz_about(part),
                                  .way = shape + 2 * k * n,
                                  .turn = shape + (2 * k + 1) * n};
    }
    *flex = (sp_scene_flex){
        .n_station = n, .from = form->beam.from, .x = x, .n_mode = form->n, .mode = mode};
    return true;
}
