/* integrators/step_rule.h - what makes a stepping method: rows of one table.   theory (17.40) */
#ifndef SP_INTEGRATORS_STEP_RULE_H
#define SP_INTEGRATORS_STEP_RULE_H

#include "integrators/work.h"

typedef struct sp_step_rule sp_step_rule;

/* Stages of a Runge-Kutta step: stage j begins at x_A + c_j dt k_{j-1}, the step ends at
 * x_A + dt sum b_j k_j. */
enum { SP_STAGES = 4 };
typedef struct sp_tableau {
    int n;
    double c[SP_STAGES], b[SP_STAGES];
} sp_tableau;

struct sp_step_rule {
    /* the step itself; x is written on success only */
    sp_status (*step)(const sp_model *m, sp_state *x, sp_work *w, const sp_step_rule *rule,
                      double dt, sp_error *err);
    sp_method name;
    const sp_tableau *stages;      /* points where M, h and W are taken; NULL: one, the midpoint or
                                    * q_theta                                                    */
    const sp_step_rule *otherwise; /* with stages: takes steps in which a contact is hit or stops */
    bool mean;                     /* forces see (u_A + u_E)/2, else u_A                         */
    bool lasting_at_end; /* contacts that last hold at the end of the step, where W has turned on,
                          * without restitution; else by their law with W of the midpoint         */
    bool restitution;    /* contacts that are hit have their restitution                          */
    bool slip_known;  /* friction by speed is that of the slip at the beginning                 */
    bool implicit;    /* takes what is stiff implicitly                                  (71.4) */
    bool lands;       /* open contacts without restitution close at the next midpoint    (7.18) */
    bool divides;     /* steps in space that are not solved may be taken in parts        (25.1) */
    sp_effort effort; /* when a contact problem counts as solved                                */
};

/* The row of a method with a given step; of adaptive, that of its plain steps. */
const sp_step_rule *sp_step_rule_of(sp_method method);

/* Whether a method can take implicit steps. */
bool sp_step_is_implicit(sp_method method);

/* What to do where a step finds no velocity that its own forces lead to. */
#define SP_NO_VELOCITY                                                                             \
    "take a smaller step; a force that switches where the velocity does, as a brake by if(v > 0, " \
    "...), write as friction or a stop"

#endif
