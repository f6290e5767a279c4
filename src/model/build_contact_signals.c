/* model/build_contact_signals.c - what outputs may ask of a contact point. */
#include "model/build_parts.h"

#include <stdio.h>
#include <string.h>

/* A quantity of a contact point; of stops and friction of an angle the dimension is another. */
typedef struct quantity {
    const char *name;
    sp_signal_kind kind;
    sp_dim dim, angular;
} quantity;

#define SPEED  SP_DIM(1, 0, -1)
#define SPIN   SP_DIM(0, 0, -1)
#define FORCE  SP_DIM(1, 1, -2)
#define TORQUE SP_DIM(2, 1, -2)

static const quantity table[] = {
    {"g_N", SP_SIG_GAP, SP_DIM(1, 0, 0), SP_DIM(0, 0, 0)},
    {"gamma_N", SP_SIG_GAMMA_N, SPEED, SPIN},
    {"gamma_T", SP_SIG_GAMMA_T, SPEED, SPIN},
    {"lambda_N", SP_SIG_LAMBDA_N, FORCE, TORQUE},
    {"lambda_T", SP_SIG_LAMBDA_T, FORCE, TORQUE},
    {"gamma_T1", SP_SIG_GAMMA_T, SPEED, SPIN}, /* from here on in space, and of two slips */
    {"lambda_T1", SP_SIG_LAMBDA_T, FORCE, TORQUE},
    {"gamma_T2", SP_SIG_GAMMA_T, SPEED, SPIN},
    {"lambda_T2", SP_SIG_LAMBDA_T, FORCE, TORQUE},
    {"gamma_D", SP_SIG_GAMMA_T, SPIN, SPIN}, /* about n; in space */
    {"lambda_D", SP_SIG_LAMBDA_T, TORQUE, TORQUE},
};
enum { N_PLANE = 5, N_SLIPS = 9, N_SPACE = 11 };

/* The contact point that a path names but for its last word, SP_NONE: none. */
static int slot_of(sp_build *b, const char *path)
{
    char name[SP_EXPR_NAME_MAX + 1];
    const char *dot = strrchr(path, '.');
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - path) : 0, path);
    return sp_build_find_slot(b, name);
}

/* Say what there is instead of a path that is no contact point. */
static sp_status fail(sp_build *b, const char *path, bool *poisoned, sp_error *err)
{
    size_t n;
    const int k = sp_build_find_family(b, path, &n);
    const sp_contact *c = &b->contact[b->family[k].first];
    if (c->n_slot == 0) {
        *poisoned = true; /* the contact was reported */
        return SP_FAIL(err, SP_E_INPUT, "contact '%s' is not usable", c->name);
    }
    const char *first = b->slot[c->slot].name, *dot = strrchr(path, '.'), *word = "g_N";
    for (int i = 0; dot && i < N_SPACE; i++) {
        word = strcmp(dot + 1, table[i].name) == 0 ? table[i].name : word;
    }
    return SP_FAIL(err, SP_E_INPUT, "'%s' is no contact point; one is '%s', write %s.%s", path,
                   first, first, word);
}

sp_status sp_build_contact_signal(sp_build *b, const char *path, bool *poisoned, sp_signal *out,
                                  sp_dim *dim, sp_error *err)
{
    const int slot = slot_of(b, path);
    const char *dot = strrchr(path, '.');
    sp_error own = {.status = SP_OK};
    if (slot == SP_NONE && sp_build_press_signal(b, path, out, dim, &own)) {
        *err = own;
        return own.status;
    }
    if (slot == SP_NONE) {
        return fail(b, path, poisoned, err);
    }
    const sp_slot_traits is = sp_slot_traits_of(&b->slot[slot], b->rule);
    const int n = b->dim == 3 ? N_SPACE : is.two_slips ? N_SLIPS : N_PLANE;
    for (int k = 0; k < n; k++) {
        if (strcmp(dot + 1, table[k].name) == 0) {
            *out = (sp_signal){
                .kind = table[k].kind, .index = slot, .dof = k < N_PLANE ? 0 : (k - 3) / 2};
            *dim = is.turns ? table[k].angular : table[k].dim;
            return SP_OK;
        }
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "contact '%s' has no '%s'; has: g_N, gamma_N, gamma_T, lambda_N, lambda_T%s",
                   b->slot[slot].name, dot + 1,
                   b->dim == 3    ? ", gamma_T1, gamma_T2, gamma_D, lambda_T1, lambda_T2, lambda_D"
                   : is.two_slips ? ", gamma_T1, gamma_T2, lambda_T1, lambda_T2"
                                  : "");
}

bool sp_build_joint_contact(sp_build *b, const char *path)
{
    return strstr(path, ".joint") && slot_of(b, path) != SP_NONE;
}
