/* A pendulum that swings against a wall, built, stepped and read from C.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs specht) -lm -o pendulum && ./pendulum
 */
#include <specht/specht.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(sp_status status, const sp_error *err)
{
    if (status != SP_OK) {
        fprintf(stderr, "pendulum: %s\n", err->text);
        exit(1);
    }
}

/* The machine: the same leaves as in a model file, units included. */
static sp_spec *describe(void)
{
    static const char *const leaves[][2] = {
        {"specht", "1"},
        {"name", "Pendulum against a wall"},
        {"space", "planar"},
        {"gravity", "9.81 m/s^2"},
        {"parameters.l", "0.5 m"},
        {"bodies.ground.contours.wall.line.1", "1"}, /* normal (1, 0): the wall is on the left */
        {"bodies.ground.contours.wall.line.2", "0"},
        {"bodies.ball.mass", "200 g"},
        {"bodies.ball.inertia", "2e-4 kg*m^2"},
        {"bodies.ball.joint.revolute", "ground"},
        {"bodies.ball.joint.from.1", "0"}, /* the pivot is l above the ball's centre */
        {"bodies.ball.joint.from.2", "l"},
        {"bodies.ball.contours.skin.circle", "40 mm"},
        {"contacts.knock.between.1", "ball"},
        {"contacts.knock.between.2", "ground"},
        {"contacts.knock.law.eps_N", "0.7"},
        {"contacts.knock.law.mu", "0.2"},
        {"bodies.ball.joint.at.1", "40 mm"}, /* at rest the ball just touches the wall */
        {"bodies.ball.joint.at.2", "0"},
        {"start.ball.phi", "30 deg"},
        {"run.until", "3 s"},
    };
    sp_error err;
    sp_spec *spec = sp_spec_new(NULL);
    if (!spec) {
        fputs("pendulum: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        must(sp_spec_set(spec, leaves[i][0], leaves[i][1], &err), &err);
    }
    return spec;
}

int main(void)
{
    sp_error err;
    sp_model *model;
    sp_state *state;
    sp_work *work;
    sp_spec *spec = describe();
    must(sp_model_build(spec, NULL, &model, &err), &err);
    must(sp_state_new(model, NULL, &state, &err), &err);
    must(sp_work_new(model, NULL, &work, &err), &err);

    printf("%s: %d degree of freedom\n", sp_model_about(model)->name,
           sp_model_count(model, SP_ITEM_VELOCITY));
    sp_step_info info;
    for (int step = 0; step < 30000; step++) {
        must(sp_step(model, state, work, SP_METHOD_MOREAU_MEAN, 1e-4, &info, &err), &err);
        sp_event_info event;
        for (int i = 0; sp_step_event(work, i, &event) == SP_OK; i++) {
            printf("t = %.4f s   %s of '%s', impulse %.4f N s, %.5f J lost\n", event.t, event.kind,
                   sp_model_item(model, SP_ITEM_CONTACT, event.contact), event.Lambda_N,
                   event.energy_lost);
        }
        if (step % 3000 == 2999) {
            printf("t = %.1f s   phi = %+7.3f deg   energy %.6f J\n", sp_state_time(state),
                   sp_state_q(state)[0] * 57.29577951308232, info.kinetic + info.potential);
        }
    }
    printf("lost in impacts %.6f J, by friction %.6f J; the ledger closes to %.0e J\n",
           fabs(info.impacts), fabs(info.friction), fabs(info.balance));

    sp_work_free(work);
    sp_state_free(state);
    sp_model_free(model);
    sp_spec_free(spec);
    return 0;
}
