/* model/build_own.c - the names that expressions of forces, laws and contours have of their own. */
#include "model/build_parts.h"

#include <string.h>

bool sp_build_own_signal(const sp_look *look, const char *name, sp_signal *signal, sp_dim *dim)
{
    const sp_scope *s = look->scope;
    const bool any = s->own == SP_OWN_ANY;
    const bool length = any || s->own == SP_OWN_LENGTH, angle = any || s->own == SP_OWN_ANGLE;
    const bool slide = s->own == SP_OWN_SLIDE, turn = s->own == SP_OWN_TURN;
    const char *law = s->own == SP_OWN_SPEED ? "v" : s->own == SP_OWN_APPROACH ? "v_N" : NULL;
    if (law && strcmp(name, law) == 0) {
        *dim = sp_dim_of(1, 0, -1);
        *signal = (sp_signal){.kind = SP_SIG_RATE};
        return true;
    }
    const bool on_surface = s->own == SP_OWN_SURFACE;
    if ((s->own == SP_OWN_CURVE && strcmp(name, "s") == 0) ||
        (on_surface && (strcmp(name, "u") == 0 || strcmp(name, "v") == 0))) {
        *dim = sp_dim_of(0, 0, 0);
        *signal = (sp_signal){.kind = name[0] == 'v' ? SP_SIG_RATE : SP_SIG_MEASURE};
        return true;
    }
    const bool measure = (length && strcmp(name, "x") == 0) ||
                         ((angle || turn) && strcmp(name, "phi") == 0) ||
                         (slide && strcmp(name, "s") == 0);
    const bool rate = ((length || slide) && strcmp(name, "v") == 0) ||
                      ((angle || turn) && strcmp(name, "omega") == 0);
    if (!measure && !rate) {
        return false;
    }
    *dim = sp_dim_of(length || slide ? 1 : 0, 0, measure ? 0 : -1);
    *signal = (sp_signal){.kind = measure ? SP_SIG_MEASURE : SP_SIG_RATE};
    if (slide || turn) {
        const sp_dof *dof = &look->b->dof[s->dof];
        *signal = measure ? (sp_signal){.kind = SP_SIG_Q, .index = dof->q, .dof = s->dof}
                          : (sp_signal){.kind = SP_SIG_U, .index = s->dof};
    }
    return true;
}
