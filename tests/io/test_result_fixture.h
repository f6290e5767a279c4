/* A small machine made by hand and steps with known numbers, for the tests of result files.
 *
 * Every number of a frame follows from the number of its step by fake(), so that a test can tell
 * from a row alone whether it is right. */
#ifndef TEST_RESULT_FIXTURE_H
#define TEST_RESULT_FIXTURE_H

#include "io/result_read.h"
#include "io/result_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_NAME = 64 };

typedef struct fixture {
    sp_model model;
    sp_body *body;
    sp_body_numbers *numbers;
    sp_dof *dof;
    sp_coord *coord;
    sp_slot *slot;
    sp_output *output;
    sp_plot plot[2];
    int y[2];
    char (*text)[FAKE_NAME]; /* all names */
    double *q, *u, *value;
    double (*pose)[3], (*velocity)[3];
    sp_contact_record *contact;
    sp_event event[2];
    sp_ledger ledger;
    sp_certificate certificate;
    sp_lately lately;
    sp_step_record record;
} fixture;

/* A number that only column c of step k of quantity 'what' has. */
static inline double fake(int what, long k, int c)
{
    return (double)what + 1e-3 * (double)k + 1e-6 * (double)c + sin(0.1 * (double)k);
}

enum {
    FAKE_Q = 1,
    FAKE_U,
    FAKE_POSE,
    FAKE_VELOCITY,
    FAKE_CONTACT,
    FAKE_POINT = 15,
    FAKE_OUTPUT = 20,
    FAKE_LEDGER = 40
};

/* Fill f with a machine of these sizes (bodies without the ground). */
static inline void fixture_init(fixture *f, int n_dof, int n_body, int n_slot, int n_output)
{
    memset(f, 0, sizeof *f);
    const size_t n_text = (size_t)(2 * n_dof + n_body + 1 + n_slot + n_output);
    char(*text)[FAKE_NAME] = calloc(n_text + 1, sizeof *text);
    f->text = text;
    f->body = calloc((size_t)n_body + 1, sizeof *f->body);
    f->numbers = calloc((size_t)n_body + 1, sizeof *f->numbers);
    f->dof = calloc((size_t)n_dof + 1, sizeof *f->dof);
    f->coord = calloc((size_t)n_dof + 1, sizeof *f->coord);
    f->slot = calloc((size_t)n_slot + 1, sizeof *f->slot);
    f->output = calloc((size_t)n_output + 1, sizeof *f->output);
    f->q = calloc((size_t)n_dof + 1, sizeof *f->q);
    f->u = calloc((size_t)n_dof + 1, sizeof *f->u);
    f->value = calloc((size_t)n_output + 1, sizeof *f->value);
    f->pose = calloc((size_t)n_body + 1, sizeof *f->pose);
    f->velocity = calloc((size_t)n_body + 1, sizeof *f->velocity);
    f->contact = calloc((size_t)n_slot + 1, sizeof *f->contact);
    for (int i = 0; i <= n_body; i++, text++) {
        snprintf(*text, FAKE_NAME, i == 0 ? "ground" : "body%d", i);
        f->body[i] = (sp_body){.name = *text, .parent = i - 1, .joint = SP_JOINT_REVOLUTE};
        f->numbers[i] = (sp_body_numbers){.mass = 1.0, .mark.at = {i > 1 ? 0.5 : 0.0, 0.0}};
    }
    for (int i = 0; i < n_dof; i++, text += 2) {
        snprintf(text[0], FAKE_NAME, "body%d.joint.phi", i + 1);
        snprintf(text[1], FAKE_NAME, "body%d.joint.omega", i + 1);
        f->dof[i] =
            (sp_dof){.name = text[0], .rate_name = text[1], .unit = "rad", .rate_unit = "rad/s"};
        f->coord[i] = (sp_coord){.name = text[0], .unit = "rad", .dof = i};
    }
    for (int i = 0; i < n_slot; i++, text++) {
        snprintf(*text, FAKE_NAME, "guide.c%d.upper", i + 1);
        f->slot[i].name = *text;
    }
    for (int i = 0; i < n_output; i++, text++) {
        snprintf(*text, FAKE_NAME, i < 2 ? "plots.corners.y%d" : "output%d", i + 1);
        f->output[i] =
            (sp_output){.name = *text, .label = "body1.c1.y/c", .unit = i == 0 ? "1" : "mm"};
    }
    sp_model *m = &f->model;
    m->name = "Fake machine";
    m->n_body = n_body + 1;
    m->dim = 2;
    m->n_q = m->n_dof = n_dof;
    m->n_slot = n_slot;
    m->n_output = n_output;
    m->body = f->body;
    m->numbers.body = f->numbers;
    m->dof = f->dof;
    m->coord = f->coord;
    m->slot = f->slot;
    m->output = f->output;
    m->source_file = "fake.yaml";
    m->source_text = "specht: 1\nname: Fake machine # \xcf\x86\n";
    if (n_output >= 2) {
        f->y[0] = 0;
        f->y[1] = 1;
        f->plot[0] = (sp_plot){
            .name = "corners", .title = "Corners \"1\" and 2", .x = SP_NONE, .n_y = 2, .y = f->y};
        f->plot[1] = (sp_plot){.name = "portrait", .x = 0, .n_y = 1, .y = f->y + 1, .equal = true};
        m->n_plot = 2;
        m->plot = f->plot;
    }
}

static inline void fixture_free(fixture *f)
{
    free(f->text);
    free(f->body);
    free(f->numbers);
    free(f->dof);
    free(f->coord);
    free(f->slot);
    free(f->output);
    free(f->q);
    free(f->u);
    free(f->value);
    free(f->pose);
    free(f->velocity);
    free(f->contact);
}

/* The record of step k: an impact of contact 0 in every tenth step, a frame in every second. */
static inline const sp_step_record *fixture_step(fixture *f, long k)
{
    const sp_model *m = &f->model;
    for (int i = 0; i < m->n_dof; i++) {
        f->q[i] = fake(FAKE_Q, k, i);
        f->u[i] = fake(FAKE_U, k, i);
    }
    for (int i = 0; i < m->n_body; i++) {
        for (int c = 0; c < 3; c++) {
            f->pose[i][c] = fake(FAKE_POSE, k, 3 * i + c);
            f->velocity[i][c] = fake(FAKE_VELOCITY, k, 3 * i + c);
        }
    }
    for (int i = 0; i < m->n_slot; i++) {
        f->contact[i] = (sp_contact_record){.g_N = fake(FAKE_CONTACT, k, i),
                                            .gamma_N = fake(FAKE_CONTACT + 1, k, i),
                                            .gamma_T = fake(FAKE_CONTACT + 2, k, i),
                                            .lambda_N = fake(FAKE_CONTACT + 3, k, i),
                                            .lambda_T = fake(FAKE_CONTACT + 4, k, i),
                                            .P_N = fake(FAKE_CONTACT + 5, k, i),
                                            .P_T = fake(FAKE_CONTACT + 6, k, i),
                                            .point = {fake(FAKE_POINT, k, i), -1.0},
                                            .force = {fake(FAKE_POINT, k, i), 2.0},
                                            .state = (unsigned char)((k + i) % 3)};
    }
    for (int i = 0; i < m->n_output; i++) {
        f->value[i] = fake(FAKE_OUTPUT, k, i);
    }
    f->ledger = (sp_ledger){.kinetic = fake(FAKE_LEDGER, k, 0),
                            .potential = fake(FAKE_LEDGER, k, 1),
                            .dampers = fake(FAKE_LEDGER, k, 2),
                            .applied = fake(FAKE_LEDGER, k, 3),
                            .friction = fake(FAKE_LEDGER, k, 4),
                            .impacts = fake(FAKE_LEDGER, k, 5),
                            .projection = fake(FAKE_LEDGER, k, 6),
                            .discretisation = fake(FAKE_LEDGER, k, 7),
                            .balance = fake(FAKE_LEDGER, k, 8),
                            .driven = fake(FAKE_LEDGER, k, 9)};
    f->certificate = (sp_certificate){.complementarity = 1e-12 * (double)(k % 7), .cone = 1e-13};
    f->event[0] = (sp_event){.t = 1e-3 * (double)k,
                             .kind = SP_EVENT_IMPACT,
                             .slot = 0,
                             .impact_id = (int)(k / 10) + 1,
                             .Lambda_N = fake(60, k, 0),
                             .Lambda_T = {fake(61, k, 0), 0.0},
                             .gamma_N_before = -1.0,
                             .gamma_N_after = 0.4,
                             .gamma_T_before = 2.0,
                             .gamma_T_after = 1.0,
                             .energy_lost = 0.01,
                             .before = SP_STATE_OPEN,
                             .after = SP_STATE_OPEN,
                             .impact = {.Lambda_N_C = fake(62, k, 0),
                                        .Lambda_T_C = {fake(63, k, 0), 0.0},
                                        .gamma_N_C = 0.1,
                                        .gamma_T_C = 0.2,
                                        .lost_normal = 0.005,
                                        .lost_friction = 0.006,
                                        .lost_restitution = -0.001,
                                        .gain = 0.25,
                                        .factor = 0.75,
                                        .eps_N = 0.5,
                                        .eps_T = 0.3,
                                        .mu = 0.2,
                                        .remedy = SP_REMEDY_GAIN}};
    f->event[1] = (sp_event){.t = 1e-3 * (double)k,
                             .kind = SP_EVENT_STICK,
                             .slot = m->n_slot - 1,
                             .n_found = 3,
                             .at_least = true,
                             .before = SP_STATE_SLIP,
                             .after = SP_STATE_STICK};
    sp_lately_add(&f->lately, &f->certificate, (int)(k % 4), (int)(k % 5), k % 2 == 0);
    f->record = (sp_step_record){.step = k,
                                 .t = 1e-3 * (double)k,
                                 .dt = k > 0 ? 1e-3 : 0.0,
                                 .q = f->q,
                                 .u = f->u,
                                 .pose = f->pose[0],
                                 .velocity = f->velocity[0],
                                 .contact = f->contact,
                                 .output = f->value,
                                 .sampled = k % 2 == 0,
                                 .n_event = m->n_slot > 0 && k % 10 == 5 ? 2 : 0,
                                 .event = f->event,
                                 .ledger = &f->ledger,
                                 .certificate = &f->certificate,
                                 .worst = &f->certificate,
                                 .lately = &f->lately,
                                 .n_active = (int)(k % 4),
                                 .solver = "lemke",
                                 .pivots = (int)(k % 5)};
    return &f->record;
}

static const sp_result_meta fake_meta = {.method = "moreau",
                                         .command = "specht run fake.yaml",
                                         .step = 1e-3,
                                         .tolerance = 1e-9,
                                         .until = 1.0,
                                         .output_step = 2e-3};

/* Write n steps to path and end the run as told. */
static inline sp_status fixture_write(fixture *f, const char *path, long n, sp_status ended,
                                      sp_error *err)
{
    sp_result_writer *w = NULL;
    sp_status status = sp_result_create(path, &f->model, &fake_meta, &w, err);
    if (status != SP_OK) {
        return status;
    }
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < n && status == SP_OK; k++) {
        status = o.step(o.ctx, &f->model, fixture_step(f, k), err);
    }
    if (status != SP_OK) {
        sp_result_close(w, status, err->text, NULL, NULL);
        return status;
    }
    return sp_result_close(w, ended, ended == SP_E_INFEASIBLE ? "no solution" : NULL, NULL, err);
}

/* Call that must succeed; says why it did not. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        if ((call) != SP_OK) {                                                                     \
            fail_msg("%s", err.text);                                                              \
        }                                                                                          \
    } while (0)

static inline sp_result *open_ok(const char *path)
{
    sp_result *r;
    sp_error err;
    if (sp_result_open(path, &r, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    return r;
}

#endif
