/* Contact problems of many rows by multipliers against the dense solver: the same motion, whatever
 * contacts do, in explicit and implicit steps. */
#include "contact/multiplier.h"
#include "integrators/moreau.h"
#include "integrators/work.h"
#include "support/check.h"
#include "support/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HINGES                                                                                     \
    "forces: {pull: {force: [1 kN, 0], on: slide}}\n"                                              \
    "joints: {hinge: {count: N, revolute: [link.(i).front, link.(i mod n + 1).back]}}"
#define PLATES                                                                                     \
    "forces: {pull: {force: [1 kN, 0], on: slide}, plates: {count: N, bushing: [link.(i).front, "  \
    "link.(i mod n + 1).back], stiffness: "                                                        \
    "[1e7, 1e7, 0], damping: [100, 100, 1e-4]}}"

/* Two sheaves: one turns, the other is pressed apart and braked. */
#define SHEAVES                                                                                    \
    "specht: 1\nspace: planar\ngravity: 0\n"                                                       \
    "parameters: {N: 48, p: 10 mm, a: 100 mm, r: (N*p - 2*a)/(2*pi), W: 100 rad/s}\n"              \
    "paths: {way: {around: [[0, 0, r], [a, 0, r]], links: N, pitch: p, speed: W*r, adjust: "       \
    "{circle: 2, along: [1, 0]}}}\n"                                                               \
    "bodies:\n"                                                                                    \
    "  one: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {revolute: ground, speed: W}, "              \
    "contours: {rim: {circle: r - 0.02 mm}}}\n"                                                    \
    "  slide: {mass: 1 kg, joint: {prismatic: ground, at: [a + way.shift, 0], axis: [1, 0], "      \
    "damping: 5 kN*s/m}}\n"                                                                        \
    "  two: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {revolute: slide, damping: 0.2 "             \
    "N*m*s/rad}, contours: {rim: {circle: r - 0.02 mm}}}\n"

/* A loop of links around them. */
static rig chain(const char *between)
{
    return rig_of_text(
        SHEAVES
        "  link: {count: N, mass: 10 g, inertia: 2e-7 kg*m^2, center: [p/2, 0], points: {front: "
        "[p, 0], back: [0, 0]}, contours: {pin: {point: [0, 0]}}}\n"
        "%s\n"
        "contacts: {pins: {between: [link.pin, [one, two]], law: {mu: 0.3}}}\n"
        "start: {link.along: way.(i), two.omega: W}\n"
        "run: {until: 1 s, start: project}\n",
        between);
}

/* The same chain as a tree of hinges, closed by one more. */
static rig tree(const char *joint)
{
    return rig_of_text(
        SHEAVES
        "  head: {mass: 10 g, inertia: 2e-7 kg*m^2, center: [p/2, 0], points: {back: [0, 0]}, "
        "contours: {pin: {point: [0, 0]}}}\n"
        "  link: {count: N - 1, mass: 10 g, inertia: 2e-7 kg*m^2, center: [p/2, 0], points: "
        "{front: [p, 0]}, contours: {pin: {point: [0, 0]}}, joint: {revolute: link.(i-1), first: "
        "head, at: [p, 0], %s}}\n"
        "forces: {pull: {force: [1 kN, 0], on: slide}}\n"
        "joints: {close: {revolute: [link.47.front, head.back]}}\n"
        "contacts: {pins: {between: [[head.pin, link.pin], [one, two]], law: {mu: 0.3}}}\n"
        "near: {head.along: way.1, link.along: way.(i + 1), two.omega: W}\n"
        "run: {until: 1 s, start: project}\n",
        joint);
}

/* In space: pins between cones that are pressed together, links with plates. */
static rig pins_between_cones(const char *mu)
{
    return rig_of_text(
        "specht: 1\nspace: spatial\ngravity: 0\n"
        "parameters: {N: 32, p: 19 mm, a: 150 mm, r: (N*p - 2*a)/(2*pi), w: 12 mm, beta: 11 deg, "
        "zc: w - r*tan(beta), W: 150 rad/s, Fz: 20 kN, mu: %s}\n"
        "functions:\n"
        "  X(s): \"if(s < a, s, if(s < a + pi*r, a + r*sin((s - a)/r), if(s < 2*a + pi*r, 2*a + "
        "pi*r "
        "- s, -r*sin((s - 2*a - pi*r)/r))))\"\n"
        "  Y(s): \"if(s < a, r, if(s < a + pi*r, r*cos((s - a)/r), if(s < 2*a + pi*r, -r, "
        "-r*cos((s - 2*a - pi*r)/r))))\"\n"
        "  turn(s): \"if(s < a, 0, if(s < a + pi*r, -(s - a)/r, if(s < 2*a + pi*r, -pi, -pi - (s - "
        "2*a - pi*r)/r)))\"\n"
        "  arc(s): \"if(s < a, 0, if(s < a + pi*r, 1, if(s < 2*a + pi*r, 0, 1)))\"\n"
        "bodies:\n"
        "  one: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground, axis: [0, 0, 1], "
        "speed: "
        "-W}, contours: {face: {cone: [80 mm, 20 mm], length: 60 mm * tan(beta), at: [0, 0, -zc - "
        "80 "
        "mm * tan(beta)]}}}\n"
        "  two: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground, at: [a, 0, 0], axis: "
        "[0, 0, 1], damping: 0.5 N*m*s/rad}, contours: {face: {cone: [80 mm, 20 mm], length: 60 mm "
        "* "
        "tan(beta), at: [0, 0, -zc - 80 mm * tan(beta)]}}}\n"
        "  top_1: {mass: 2 kg, inertia: 4e-3 kg*m^2, joint: {prismatic: one, axis: [0, 0, 1], "
        "damping: 2e4 N*s/m}, contours: {face: {cone: [20 mm, 80 mm], length: 60 mm * tan(beta), "
        "at: "
        "[0, 0, zc + 20 mm * tan(beta)]}}}\n"
        "  top_2: {mass: 2 kg, inertia: 4e-3 kg*m^2, joint: {prismatic: two, axis: [0, 0, 1], "
        "damping: 2e4 N*s/m}, contours: {face: {cone: [20 mm, 80 mm], length: 60 mm * tan(beta), "
        "at: "
        "[0, 0, zc + 20 mm * tan(beta)]}}}\n"
        "  link: {count: N, mass: 10 g, inertia: 4e-7 kg*m^2, joint: {planar: ground, axis: [0, 0, "
        "1]}, center: [p/2, 0, 0], points: {front: [p, 0, 0], back: [0, 0, 0]}}\n"
        "  pin: {count: N, mass: 5 g, inertia: 1e-8 kg*m^2, joint: {prismatic: link.(i), axis: [0, "
        "0, 1]}, contours: {left: {point: [0, 0, -w]}, right: {point: [0, 0, w]}}}\n"
        "forces:\n"
        "  plates: {count: N, bushing: [link.(i).front, link.(i mod n + 1).back], stiffness: [8e7, "
        "8e7, 0, 0, 0, 0], damping: [800, 800, 0, 0, 0, 2e-4]}\n"
        "  press_1: {force: [0, 0, -Fz], on: top_1}\n"
        "  press_2: {force: [0, 0, -Fz], on: top_2}\n"
        "contacts:\n"
        "  left: {between: [pin.left, [one, two]], law: {mu: mu}}\n"
        "  right: {between: [pin.right, [top_1, top_2]], law: {mu: mu}}\n"
        "start:\n"
        "  link.joint.x: X((i - 1)*p)\n"
        "  link.joint.y: Y((i - 1)*p)\n"
        "  link.joint.phi: turn((i - 0.5)*p)\n"
        "  link.joint.vx: W*Y((i - 1)*p)\n"
        "  link.joint.vy: \"-W*(X((i - 1)*p) - if(X((i - 1)*p) > a, a, if(X((i - 1)*p) > 0 m, X((i "
        "- "
        "1)*p), 0 m)))\"\n"
        "  link.joint.omega: -W*arc((i - 0.5)*p)\n"
        "  two.joint.omega: -W\n"
        "run: {until: 1 s, implicit: no, start: project}\n",
        mu);
}

/* What the watch has seen. */
typedef struct seen {
    long many, slips, opens; /* problems without G; contacts that slide, or open, in them */
    double worst;            /* difference of velocities, of what c is worth; NaN: the dense
                              * solver has found nothing                                  */
    double off;              /* residual by the full G                                    */
    void *memory;
} seen;

/* The velocities of both solutions, each row over its sqrt(G_rr). */
static double difference(const sp_problem *p, const double *P, const double *Q)
{
    double worst = 0.0, worth = 0.0;
    for (int k = 0; k < p->n; k++) {
        const double *G = p->G + (size_t)k * (size_t)p->ld;
        double sum = 0.0;
        for (int j = 0; j < p->n; j++) {
            sum += G[j] * (P[j] - Q[j]);
        }
        worst = check_worse(worst, fabs(sum) / sqrt(G[k]));
        worth = fmax(worth, fabs(p->c[k]) / sqrt(G[k]));
    }
    return worst / worth;
}

/* How far P is from prox(P - (G P + c)/G_rr), by the definition; of what c is worth. */
static double law_residual(const sp_problem *p, const double *P)
{
    double worst = 0.0, worth = 0.0;
    for (int i = 0; i < p->n_contact; i++) {
        const int r = p->row[i], n = p->row[i + 1] - r;
        double x[3], g = 0.0;
        for (int k = r; k < r + n; k++) {
            const double *G = p->G + (size_t)k * (size_t)p->ld;
            x[k - r] = p->c[k];
            for (int j = 0; j < p->n; j++) {
                x[k - r] += G[j] * P[j];
            }
            g = fmax(g, G[k]);
            worth = fmax(worth, fabs(p->c[k]) / sqrt(G[k]));
        }
        for (int k = 0; k < n; k++) {
            x[k] = P[r + k] - x[k] / g;
        }
        sp_set_project(&p->set[i], x);
        for (int k = 0; k < n; k++) {
            worst = check_worse(worst, fabs(x[k] - P[r + k]) * sqrt(g));
        }
    }
    return worst / worth;
}

static void compare(void *ctx, sp_watch_level level, const sp_problem *p, const sp_fc *fc,
                    const sp_solution *found)
{
    (void)level;
    (void)fc;
    seen *s = ctx;
    if (strcmp(found->method, "multipliers") != 0) {
        return;
    }
    double *P = calloc((size_t)p->n, sizeof *P);
    unsigned char *status = malloc((size_t)p->n_contact);
    memset(status, SP_STATUS_UNKNOWN, (size_t)p->n_contact);
    sp_solution dense = {.P = P, .status = status};
    s->memory = realloc(s->memory, sp_solve_work(p->n_contact, p->n));
    const bool solved = sp_solve(p, &dense, s->memory, NULL) == SP_OK;
    s->worst = check_worse(s->worst, solved ? difference(p, P, found->P) : NAN);
    s->off = check_worse(s->off, law_residual(p, found->P));
    s->many++;
    for (int i = 0; i < p->n_contact; i++) {
        s->opens += found->status[i] == SP_OPEN;
        s->slips += found->status[i] == SP_SLIP_POS || found->status[i] == SP_SLIP_NEG;
    }
    free(P);
    free(status);
}

static seen watch(rig r, double dt, long n)
{
    seen s = {0};
    const sp_watch w = {.self = &s, .see = compare};
    r.w->watch = &w;
    rig_steps(&r, SP_METHOD_MOREAU, dt, n);
    print_message("%ld problems, %ld slips, %ld opened: velocities differ by %.1e, residual %.1e; "
                  "complementarity %.1e, momentum %.1e\n",
                  s.many, s.slips, s.opens, s.worst, s.off, r.worst.complementarity,
                  r.worst.momentum);
    assert_true(r.worst.complementarity < 1e-9 && r.worst.momentum < 1e-12);
    rig_free(&r);
    free(s.memory);
    return s;
}

static void rigid_links_move_as_by_the_dense_solver(void **ctx)
{
    (void)ctx;
    const seen s = watch(chain(HINGES), 2e-5, 60);
    assert_true(s.many > 60 && s.slips > 20 && s.opens > 20);
    assert_true(s.worst < 1e-8);
}

static void stiff_links_move_as_by_the_dense_solver(void **ctx)
{
    (void)ctx;
    const seen s = watch(chain(PLATES), 2e-5, 300);
    assert_true(s.many > 20 && s.slips > 20 && s.opens > 0);
    assert_true(s.worst < 1e-8);
}

static void long_trees_move_as_by_the_dense_solver(void **ctx)
{
    (void)ctx;
    const seen s = watch(tree("range: [-20 deg, 20 deg], law: {eps_N: 0.3}"), 2e-5, 60);
    assert_true(s.many > 60 && s.slips > 20 && s.opens > 20);
    assert_true(s.worst < 1e-8);
}

/* Friction in all hinges, little beside that of the pins: velocities are as good as the solver that
 * they are compared with, laws hold (in watch). */
static void long_trees_with_friction_keep_the_laws(void **ctx)
{
    (void)ctx;
    const seen s = watch(tree("friction: 1e-3 N*m"), 2e-5, 60);
    assert_true(s.many > 60 && s.slips > 1000);
}

static void look_away(void *ctx, sp_watch_level level, const sp_problem *p, const sp_fc *fc,
                      const sp_solution *found)
{
    (void)level;
    (void)p;
    (void)fc;
    (void)found;
    ++*(long *)ctx;
}

/* A watch asks for G, and so for rows over velocities of joints; without one, steps of long trees
 * have rows over those of bodies alone.   theory (76.7), (106.5) */
static void rows_over_bodies_and_over_joints_are_the_same_motion(void **ctx)
{
    (void)ctx;
    long n = 0;
    const sp_watch w = {.self = &n, .see = look_away};
    rig bodies = tree("range: [-20 deg, 20 deg], law: {eps_N: 0.3}"),
        joints = tree("range: [-20 deg, 20 deg], law: {eps_N: 0.3}");
    joints.w->watch = &w;
    double worst = 0.0, size = 0.0;
    rig_steps(&bodies, SP_METHOD_MOREAU, 2e-5, 40);
    rig_steps(&joints, SP_METHOD_MOREAU, 2e-5, 40);
    for (int k = 0; k < bodies.m->n_dof; k++) {
        worst = check_worse(worst, fabs(bodies.x->u[k] - joints.x->u[k]));
        size = fmax(size, fabs(joints.x->u[k]));
    }
    print_message("after %ld problems velocities differ by %.1e of %.1e\n", n, worst, size);
    assert_true(n > 40 && worst < 1e-8 * size);
    assert_near(bodies.x->ledger.friction, joints.x->ledger.friction, 1e-8);
    assert_true(bodies.worst.complementarity < 1e-9 && bodies.worst.momentum < 1e-12);
    rig_free(&bodies);
    rig_free(&joints);
}

/* Discs in space, so little friction that velocities are the only ones. */
static void smooth_pins_between_cones_move_as_by_the_dense_solver(void **ctx)
{
    (void)ctx;
    const seen s = watch(pins_between_cones("0.01"), 4e-6, 100);
    assert_true(s.many > 50 && s.slips > 1000);
    assert_true(s.worst < 1e-9 && s.off < 1e-10);
}

/* More friction: pins wedge, and may slip in several ways; those found keep the laws by the full G,
 * also where the dense solver finds none. */
static void rough_pins_between_cones_keep_the_laws(void **ctx)
{
    (void)ctx;
    const seen s = watch(pins_between_cones("0.09"), 4e-6, 100);
    assert_true(s.many > 50 && s.slips > 1000);
    assert_true(s.off < 1e-10);
}

#define BLOCKS                                                                                     \
    "specht: 1\nspace: planar\ngravity: [0.5, -9.81]\nrun: {until: 1 s, implicit: %s}\nbodies:\n"  \
    "  block: {count: 40, mass: 1 kg, inertia: 1e-2, joint: {prismatic: ground, axis: [1, 0], "    \
    "stiffness: 10, damping: 0.2, friction: 0.1}}\n"

/* Of a deep tree neither M nor A is formed: many rows beside it that each move one block are solved
 * in the velocities of bodies, or densely, and what hangs beside the blocks does not move them. */
static void a_deep_tree_beside_many_rows_does_not_disturb_them(void **ctx)
{
    (void)ctx;
    static const char *const rule[] = {"no", "yes"};
    static const char *const joint[] = {"", ", stiffness: 2000, damping: 0.5"};
    for (int stiff = 0; stiff < 2; stiff++) {
        rig alone = rig_of_text(BLOCKS, rule[stiff]);
        rig both =
            rig_of_text(BLOCKS "  link: {count: 40, mass: 0.1 kg, inertia: 1e-4 kg*m^2, joint: "
                               "{revolute: link.(i - 1), first: ground, at: [0.1, 0]%s}}\n",
                        rule[stiff], joint[stiff]);
        rig_steps(&alone, SP_METHOD_MOREAU, 1e-3, 40);
        rig_steps(&both, SP_METHOD_MOREAU, 1e-3, 40);
        const int k = rig_dof(&alone, "block.7.joint.s"), i = rig_dof(&both, "block.7.joint.s");
        assert_true(alone.x->u[k] > 0.01);
        assert_near(both.x->u[i], alone.x->u[k], 1e-12);
        assert_true(both.worst.complementarity < 1e-9 && both.worst.momentum < 1e-12);
        rig_free(&alone);
        rig_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_links_move_as_by_the_dense_solver),
        cmocka_unit_test(long_trees_move_as_by_the_dense_solver),
        cmocka_unit_test(long_trees_with_friction_keep_the_laws),
        cmocka_unit_test(smooth_pins_between_cones_move_as_by_the_dense_solver),
        cmocka_unit_test(rough_pins_between_cones_keep_the_laws),
        cmocka_unit_test(stiff_links_move_as_by_the_dense_solver),
        cmocka_unit_test(rows_over_bodies_and_over_joints_are_the_same_motion),
        cmocka_unit_test(a_deep_tree_beside_many_rows_does_not_disturb_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
