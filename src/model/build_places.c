/* model/build_places.c - how many places of a pair with a curve can touch at once. */
#include "model/build_parts.h"

/* The curve of a contour. */
static const sp_curve *curve_of(const sp_build *b, int contour)
{
    return b->curve[b->contour[contour].form - 1];
}

/* Those of a curve for what is bent so much; found once and kept. */
static const sp_places *places_for(sp_build *b, const sp_curve *c, double bend)
{
    for (int i = 0; i < b->n_places; i++) {
        if (b->places[i]->curve == c && b->places[i]->bend == bend) {
            return b->places[i];
        }
    }
    sp_places *places = SP_BUILD_NEW(b, b->arena, sp_places, 1);
    double *work = SP_BUILD_NEW(b, &b->scratch, double, sp_curve_work(c) + 1);
    if (!SP_BUILD_ROOM(b, b->places, b->n_places) || !places || !work) {
        return NULL;
    }
    b->no_memory = b->no_memory || !sp_places_find(b->arena, &b->scratch, c, bend, work, places);
    b->places[b->n_places++] = places;
    return places;
}

/* Those of one of two curves for the other one, if that is a whole arc.   theory (54.9) */
static const sp_places *places_of_two(sp_build *b, const sp_curve *first, const sp_curve *second)
{
    return sp_curve_is_round(first)    ? places_for(b, second, 1.0 / first->radius)
           : sp_curve_is_round(second) ? places_for(b, first, 1.0 / second->radius)
                                       : NULL;
}

const sp_places *sp_build_places(sp_build *b, sp_slot_kind kind, int corners, int boundary)
{
    const double radius = b->contour_numbers[corners].radius;
    const sp_places *p = NULL;
    if (kind == SP_SLOT_CURVE && radius > 0.0) {
        p = places_for(b, curve_of(b, boundary), 1.0 / radius);
    } else if (kind == SP_SLOT_CURVE_LINE) {
        p = places_for(b, curve_of(b, corners), 0.0);
    } else if (kind == SP_SLOT_CURVES) {
        p = places_of_two(b, curve_of(b, corners), curve_of(b, boundary));
    }
    return p && p->n > 1 && !b->no_memory ? p : NULL;
}
