/* Machines for tests of the public functions, built from the public headers alone. */
#ifndef TEST_API_MACHINE_H
#define TEST_API_MACHINE_H

#include "support/check.h"

#include <specht/specht.h>

#include <string.h>

/* A call that has to succeed; `err` is the error that it was given. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        if ((call) != SP_OK) {                                                                     \
            fail_msg("%s", err.text);                                                              \
        }                                                                                          \
    } while (0)

typedef struct machine {
    sp_spec *spec;
    sp_model *model;
    sp_state *state;
    sp_work *work;
} machine;

/* A ball that falls from h on a floor, with restitution 1/2. */
static const char ball[] = "specht: 1\n"
                           "name: Ball\n"
                           "space: planar\n"
                           "gravity: 10 m/s^2\n"
                           "parameters: {h: 5 m, eps: 0.5}\n"
                           "bodies:\n"
                           "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                           "  ball: {mass: 2 kg, joint: {prismatic: ground, axis: [0, 1]}, "
                           "contours: {tip: {point: [0, 0]}}}\n"
                           "contacts: {bounce: {between: [ball, ground], law: {eps_N: eps}}}\n"
                           "start: {ball.y: h}\n"
                           "outputs: {height: ball.y/h}\n"
                           "run: {until: 1.5 s, output_step: 0.1 s, method: event}\n";

static inline machine machine_make(const char *text, const char *assignment)
{
    machine m = {.spec = sp_spec_new(NULL)};
    sp_error err = {.status = SP_OK};
    assert_non_null(m.spec);
    if (sp_spec_load_text(m.spec, "test.yaml", text, strlen(text), NULL, &err) != SP_OK ||
        (assignment && sp_spec_override(m.spec, assignment, &err) != SP_OK) ||
        sp_model_build(m.spec, NULL, &m.model, &err) != SP_OK ||
        sp_state_new(m.model, NULL, &m.state, &err) != SP_OK ||
        sp_work_new(m.model, NULL, &m.work, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return m;
}

static inline void machine_free(machine *m)
{
    sp_work_free(m->work);
    sp_state_free(m->state);
    sp_model_free(m->model);
    sp_spec_free(m->spec);
}

#endif
