/* support/swing.h - small motions of a machine given as text, for the tests of analysis. */
#ifndef SUPPORT_SWING_H
#define SUPPORT_SWING_H

#include "analysis/equilibrium.h"
#include "analysis/modes.h"
#include "support/check.h"
#include "support/run.h"

#include <string.h>

typedef struct swing {
    rig r;
    sp_linear *l;
    sp_modes modes;
    unsigned char held[SP_LINEAR_MAX];
    sp_closed closed[16];
    sp_hold hold;
    sp_status status;
    sp_error err;
} swing;

/* A machine; then what is held and closed; then the modes at an equilibrium or at the start. */
static inline void swing_hold(swing *s, const char *dof)
{
    s->held[rig_dof(&s->r, dof)] = 1;
}

static inline void swing_close(swing *s, const char *slot, sp_closed_kind kind)
{
    s->closed[s->hold.n_closed++] = (sp_closed){rig_slot(&s->r, slot), kind};
}

static inline void swing_find(swing *s, bool equilibrium)
{
    s->hold.dof = s->held;
    s->hold.closed = s->closed;
    s->status = sp_linear_new(s->r.m, s->r.x, &s->hold, NULL, &s->l, &s->err);
    if (s->status == SP_OK && equilibrium) {
        s->status = sp_equilibrium_find(s->l, s->r.x, &s->err);
    } else if (s->status == SP_OK) {
        s->status = sp_linear_look(s->l, s->r.x, &s->err);
        if (s->status == SP_OK) {
            sp_linear_accelerate(s->l, s->r.x);
        }
    }
    if (s->status == SP_OK) {
        s->status = sp_modes_find(s->l, s->r.x, &s->modes, &s->err);
    }
}

/* The same, and it must succeed. */
static inline void swing_must(swing *s, bool equilibrium)
{
    swing_find(s, equilibrium);
    if (s->status != SP_OK) {
        print_message("%s\n", s->err.text);
        fail();
    }
}

static inline void swing_free(swing *s)
{
    sp_modes_free(&s->modes);
    sp_linear_free(s->l);
    rig_free(&s->r);
}

#endif
