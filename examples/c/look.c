/* What a machine is in a state, without a run: its equilibrium and small motions there, masses and
 * forces, a contact and its directions, and a state that is kept as bytes and taken up again.
 *
 *     cc look.c $(pkg-config --cflags --libs specht) -lm -o look && ./look
 */
#include <specht/specht.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81
#define M 2.0 /* of a thin rod that hangs on its end */
#define L 1.5

static const char text[] =
    "specht: 1\n"
    "space: planar\n"
    "gravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {line: [0, 1], at: [0, -1.6 m]}}}\n"
    "  rod: {joint: {revolute: ground}, contours: {tip: {point: [0, -1.5 m]}}}\n"
    "contacts: {touch: {between: [rod, ground], law: {mu: 0.2}}}\n"
    "start: {rod.phi: 0.4 rad}\n"
    "run: {until: 1 s}\n";

static void must(sp_status status, const sp_error *err)
{
    if (status != SP_OK) {
        fprintf(stderr, "look: %s: %s\n", sp_status_text(status), err->text);
        exit(1);
    }
}

static sp_model *build(void)
{
    static const char *const center[] = {"0", "-0.75 m"};
    sp_error err;
    sp_model *model;
    sp_spec *spec = sp_spec_new(NULL);
    must(spec ? SP_OK : SP_E_MEMORY, &(sp_error){.text = "no memory"});
    must(sp_spec_load_text(spec, "rod.yaml", text, strlen(text), NULL, &err), &err);
    must(sp_spec_set_number(spec, "bodies.rod.mass", M, &err), &err);
    must(sp_spec_set_number(spec, "bodies.rod.inertia", M * L * L / 12.0, &err), &err);
    must(sp_spec_set_list(spec, "bodies.rod.center", 2, center, &err), &err);
    must(sp_model_build(spec, NULL, &model, &err), &err);
    sp_spec_free(spec);
    return model;
}

/* M u' = h, and the contact over the floor. */
static double look(const sp_model *model, const sp_state *state, sp_work *work)
{
    sp_error err;
    double mass, h, W[2], gamma[2];
    int n_row;
    must(sp_mechanics_terms(model, state, &mass, &h, &err), &err);
    must(sp_mechanics_contact_rows(model, state, work, 0, &n_row, W, gamma, &err), &err);
    const double phi = sp_state_q(state)[0], theory = -1.5 * G / L * sin(phi);
    printf("at phi = %.2f: u' = %.6f 1/s^2, expected %.6f; %d rows, the normal one %.6f m\n", phi,
           h / mass, theory, n_row, W[0]);
    return fabs(h / mass - theory) + fabs(W[0] - L * sin(phi));
}

/* Where it rests, and how fast it swings there. */
static double swing(const sp_model *model, sp_state *state)
{
    sp_error err;
    double mass, stiffness;
    const sp_hold_options hold = sp_hold_options_default();
    must(sp_analysis_equilibrium(model, state, &hold, &err), &err);
    must(sp_analysis_linearise(model, state, &hold, &mass, NULL, &stiffness, &err), &err);
    const double omega = sqrt(stiffness / mass), theory = sqrt(1.5 * G / L);
    printf("rests at phi = %.1e, swings with %.6f rad/s, expected %.6f\n", sp_state_q(state)[0],
           omega, theory);
    return fabs(omega - theory);
}

static void steps(const sp_model *model, sp_state *state, sp_work *work)
{
    sp_error err;
    for (int i = 0; i < 100; i++) {
        must(sp_step(model, state, work, SP_METHOD_MOREAU_MEAN, 1e-3, NULL, &err), &err);
    }
}

/* A hundred steps from a copy, and from bytes. */
static int same_again(const sp_model *model, const sp_state *start, sp_work *work)
{
    sp_error err;
    sp_state *a, *b;
    sp_contact_info contact;
    const size_t n = sp_state_bytes(model);
    unsigned char *bytes = malloc(n);
    must(bytes ? SP_OK : SP_E_MEMORY, &(sp_error){.text = "no memory"});
    must(sp_state_new(model, NULL, &a, &err), &err);
    must(sp_state_new(model, NULL, &b, &err), &err);
    sp_state_copy(model, start, a);
    sp_state_pack(model, start, bytes);
    steps(model, a, work);
    must(sp_state_unpack(model, bytes, n, b, &err), &err);
    steps(model, b, work);
    must(sp_state_contact(model, b, 0, &contact), &(sp_error){.text = "no contact"});
    const int same = sp_state_q(a)[0] == sp_state_q(b)[0] && sp_state_u(a)[0] == sp_state_u(b)[0];
    printf("after 0.1 s: %s, %.3f m over the floor\n", same ? "the same to the bit" : "different",
           contact.g_N);
    free(bytes);
    sp_state_free(a);
    sp_state_free(b);
    return same;
}

int main(void)
{
    sp_error err;
    sp_state *state;
    sp_work *work;
    sp_model *model = build();
    must(sp_state_new(model, NULL, &state, &err), &err);
    must(sp_work_new(model, NULL, &work, &err), &err);
    double worst = look(model, state, work);
    const int same = same_again(model, state, work);
    worst += swing(model, state);
    sp_state_set(model, state, 0.0, (double[1]){-0.7}, (double[1]){0.0});
    worst += look(model, state, work);
    printf("largest difference %.1e\n", worst);
    sp_work_free(work);
    sp_state_free(state);
    sp_model_free(model);
    return same && worst < 1e-8 ? 0 : 1;
}
