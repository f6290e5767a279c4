/* Random scenes in space, event-driven: balls, bodies with corners and shafts on floors, walls and
 * in bowls, with all laws of friction; all finish, energy comes from nowhere but impacts that say
 * so, nothing penetrates, and friction opposes slip. */
#include "support/random_events.h"

/* A law of friction and impact. */
static void write_law(rng *r, text *out)
{
    const double mu = rng_in(r, 0.05, 0.8), eps = rng_flip(r) ? 0.0 : rng_in(r, 0.1, 0.8);
    const double eps_T = rng_int(r, 4) == 0 ? rng_in(r, 0.0, 0.5) : 0.0;
    switch (rng_int(r, 6)) {
    case 0:
        text_add(out, "{mu: 0, eps_N: %.3g}", eps);
        return;
    case 1:
        text_add(out, "{mu: %.3g, friction: contensou, radius: %.3g, pressure: %s, eps_N: %.3g}",
                 mu, rng_in(r, 0.002, 0.03), rng_flip(r) ? "hertz" : "uniform", eps);
        return;
    case 2:
        text_add(out, "{mu: %.3g, rolling: %.3g, eps_N: %.3g}", mu, rng_in(r, 0.001, 0.01), eps);
        return;
    case 3:
        text_add(out, "{mu: %.3g, mu_2: %.3g, eps_N: %.3g}", mu, rng_in(r, 0.05, 0.8), eps);
        return;
    default:
        text_add(out, "{mu: %.3g, eps_N: %.3g, eps_T: %.3g}", mu, eps, eps_T);
        return;
    }
}

/* A body: a ball, or one with corners. */
static int write_body(rng *r, int i, text *out)
{
    const bool ball = rng_flip(r);
    const int corners = 1 + rng_int(r, 3);
    text_add(out, "  b%d: {mass: %.3g, inertia: [%.3g, %.3g, %.3g], contours: {", i,
             rng_in(r, 0.5, 2.0), rng_in(r, 0.01, 0.015), rng_in(r, 0.01, 0.015),
             rng_in(r, 0.01, 0.015));
    if (ball) {
        text_add(out, "c0: {sphere: 0.1, at: [%.3g, 0, 0]}}}\n", rng_in(r, 0.0, 0.03));
        return 1;
    }
    for (int k = 0; k < corners; k++) {
        text_add(out, "%sc%d: {point: [%.3g, %.3g, %.3g]}", k ? ", " : "", k,
                 rng_in(r, -0.15, 0.15), rng_in(r, -0.15, 0.15), rng_in(r, -0.15, 0.15));
    }
    text_add(out, "}}\n");
    return corners;
}

/* One to three bodies over a floor and before a wall, or in a bowl. */
static void write_scene(rng *r, text *out)
{
    const int n = 1 + rng_int(r, 3);
    const bool bowl = rng_int(r, 3) == 0;
    int corners[3];
    out->n = 0;
    text_add(out, "specht: 1\nunits: off\nspace: spatial\ngravity: [%.3g, 0, -9.81]\nbodies:\n",
             rng_flip(r) ? 0.0 : rng_in(r, -4.0, 4.0));
    text_add(out, "  ground: {contours: {%s}}\n",
             bowl ? "floor: {sphere: 1, inside: yes, at: [0, 0, 1]}"
                  : "floor: {plane: [0, 0, 1]}, wall: {plane: [-1, 0, 0.1], at: [0.6, 0, 0]}");
    for (int i = 0; i < n; i++) {
        corners[i] = write_body(r, i, out);
    }
    text_add(out, "contacts:\n");
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < corners[i]; k++) {
            text_add(out, "  f%d%d: {between: [b%d.c%d, ground.floor], law: ", i, k, i, k);
            write_law(r, out);
            text_add(out, "}\n");
            if (!bowl && rng_flip(r)) {
                text_add(out, "  w%d%d: {between: [b%d.c%d, ground.wall], law: ", i, k, i, k);
                write_law(r, out);
                text_add(out, "}\n");
            }
        }
    }
    text_add(out, "start: {");
    for (int i = 0; i < n; i++) {
        text_add(out, "%sb%d.z: %.3g, b%d.x: %.3g, b%d.y: %.3g", i ? ", " : "", i,
                 rng_in(r, 0.3, 0.5), i, rng_in(r, -0.2, 0.2), i, rng_in(r, -0.2, 0.2));
        text_add(out, ", b%d.vx: %.3g, b%d.vy: %.3g, b%d.omega_x: %.3g, b%d.omega_y: %.3g", i,
                 rng_in(r, -1.0, 1.0), i, rng_in(r, -1.0, 1.0), i, rng_in(r, -9.0, 9.0), i,
                 rng_in(r, -9.0, 9.0));
    }
    text_add(out, "}\n");
}

/* random_writer. */
static void write(rng *r, int number, text *out)
{
    (void)number;
    write_scene(r, out);
}

static void random_scenes_in_space_run_to_their_end(void **ctx)
{
    (void)ctx;
    events_run_random(write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes_in_space_run_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
