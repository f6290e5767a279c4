/* Surfaces as contacts of machines: the same ball said in three ways runs the same; machines with
 * surfaces keep their energy; lost contacts are told. */
#include "contact/surface_slot.h"

#include "support/check.h"
#include "support/run.h"

#include <string.h>

static const char *const ball_model =
    "specht: 1\n"
    "name: Ball in a bowl\n"
    "space: spatial\n"
    "gravity: 9.81 m/s^2\n"
    "bodies:\n"
    "  ground: {contours: {floor: {plane: [0, 0, 1]}, bowl: {sphere: 1 m, inside: yes, at: [0, 0, "
    "0.9 m]}}}\n"
    "  ball: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {skin: {%s}}}\n"
    "contacts: {a: {between: [ball.skin, [ground.floor, ground.bowl]], law: {mu: 0.3, eps_N: "
    "0.4}}}\n"
    "start: {ball.z: 0.3 m, ball.vx: 1 m/s, ball.vy: 0.3 m/s, ball.omega_y: -5 rad/s}\n"
    "run: {until: 1 s, method: moreau, step: 1 ms}\n";

static void a_ball_said_as_a_surface_runs_like_a_sphere(void **ctx)
{
    (void)ctx;
    static const char *const skin[] = {
        "sphere: 0.1 m", "ellipsoid: [0.1 m, 0.1 m, 0.1 m]",
        ("surface: [0.1 m * cos(v)*cos(u), 0.1 m * cos(v)*sin(u), 0.1 m * sin(v)], "
         "u: [-pi, pi], v: [-pi/2, pi/2]"),
        "revolved: [0.1 m * sin(s), -0.1 m * cos(s)], over: [0, pi]"};
    double q[4][7];
    for (int k = 0; k < 4; k++) {
        rig r = rig_of_text(ball_model, skin[k]);
        rig_steps(&r, SP_METHOD_MOREAU, 1e-3, 600);
        assert_true(r.worst.complementarity < 1e-8 && r.worst.gap > -1e-8);
        assert_true(r.worst.closure < 1e-12 && r.worst.solves > 50);
        memcpy(q[k], r.x->q, sizeof q[k]);
        rig_free(&r);
    }
    for (int k = 1; k < 4; k++) {
        for (int i = 0; i < 7; i++) {
            assert_near(q[k][i], q[0][i], 1e-8);
        }
    }
}

/* An egg that rolls without sliding loses nothing; its lowest point is where the profile says. */
static void an_egg_that_rocks_keeps_its_energy(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\n"
        "name: Egg\n"
        "space: spatial\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {table: {plane: [0, 0, 1]}}}\n"
        "  egg:\n"
        "    mass: 0.1 kg\n"
        "    inertia: [4e-5 kg*m^2, 4e-5 kg*m^2, 3e-5 kg*m^2]\n"
        "    contours: {shell: {revolved: [30 mm * sin(s), -40 mm * cos(s)], over: [0, pi]}}\n"
        "contacts: {a: {between: [egg.shell, ground.table], law: {mu: 1}}}\n"
        "start: {egg.z: 30.01421 mm, egg.turn: {x: 88 deg}}\n"
        "run: {until: 1 s, method: moreau, step: 0.1 ms}\n");
    rig_steps(&r, SP_METHOD_MOREAU, 1e-4, 5000);
    const sp_ledger *l = &r.x->ledger;
    assert_true(r.worst.complementarity < 1e-8);
    assert_near_scaled(l->friction, 0.0, l->scale, 1e-4); /* it rolls */
    assert_near_scaled(l->kinetic + l->potential, l->initial, l->scale, 1e-2);
    rig_free(&r);
}

/* Spin of a rattleback after five seconds: an ellipsoid whose axes of inertia are not its own. */
static double spin_after(double omega)
{
    rig r = rig_of_text(
        "specht: 1\n"
        "name: Rattleback\n"
        "space: spatial\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {table: {plane: [0, 0, 1]}}}\n"
        "  stone:\n"
        "    mass: 1 kg\n"
        "    inertia: [1.6e-3 kg*m^2, 2e-4 kg*m^2, 1.7e-3 kg*m^2, 2e-5 kg*m^2, 0, 0]\n"
        "    contours: {belly: {ellipsoid: [3 cm, 20 cm, 2 cm], at: [0, 0, 1 cm]}}\n"
        "contacts: {a: {between: [stone.belly, ground.table], law: {mu: 2}}}\n"
        "start: {stone.z: 1.0076 cm, stone.turn: {x: 0.5 deg}, stone.omega_z: %g rad/s}\n"
        "run: {until: 5 s, method: moreau-mean, step: 0.5 ms}\n",
        omega);
    rig_steps(&r, SP_METHOD_MOREAU_MEAN, 5e-4, 10000);
    assert_true(r.worst.complementarity < 1e-8 && r.worst.closure < 1e-12);
    const double spin = r.x->u[rig_dof(&r, "stone.joint.omega_own_z")];
    rig_free(&r);
    return spin;
}

static void a_rattleback_reverses_one_spin_and_keeps_the_other(void **ctx)
{
    (void)ctx;
    assert_true(spin_after(5.0) > 4.0);
    assert_true(spin_after(-5.0) > 0.5);
}

/* What a contact remembers is in the state alone: new scratch before every step changes no bit. */
static void new_scratch_changes_no_bit(void **ctx)
{
    (void)ctx;
    static const char *const pair =
        "specht: 1\n"
        "name: Two\n"
        "space: spatial\n"
        "gravity: 9.81 m/s^2\n"
        "bodies:\n"
        "  ground: {contours: {bowl: {ellipsoid: [0.5 m, 0.4 m, 0.3 m], inside: yes}}}\n"
        "  one: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {skin: {surface: [0.1 m * "
        "cos(v)*cos(u), 0.08 m * cos(v)*sin(u), 0.06 m * sin(v)], u: [0, 2*pi], v: [-pi/2, "
        "pi/2]}}}\n"
        "  two: {mass: 1 kg, inertia: 0.01 kg*m^2, contours: {skin: {ellipsoid: [0.1 m, 0.08 m, "
        "0.06 m]}}}\n"
        "contacts: {a: {between: [[one.skin, two.skin], ground.bowl], law: {mu: 0.2}},\n"
        "           b: {between: [one.skin, two.skin], law: {mu: 0.2, eps_N: 0.2}}}\n"
        "start: {one.z: -0.1 m, two.z: 0.1 m, two.x: 5 cm, two.omega_x: 2 rad/s}\n"
        "run: {until: 1 s, method: moreau, step: 2 ms}\n";
    rig kept = rig_of_text("%s", pair), wiped = rig_of_text("%s", pair);
    for (int n = 0; n < 150; n++) {
        rig_step(&kept, SP_METHOD_MOREAU, 2e-3);
        sp_work_free(wiped.w);
        assert_int_equal(sp_work_new(wiped.m, NULL, &wiped.w, NULL), SP_OK);
        rig_step(&wiped, SP_METHOD_MOREAU, 2e-3);
    }
    assert_true(kept.worst.solves > 50 && kept.worst.complementarity < 1e-8);
    assert_memory_equal(kept.x->q, wiped.x->q, (size_t)kept.m->n_q * sizeof(double));
    assert_memory_equal(kept.x->u, wiped.x->u, (size_t)kept.m->n_dof * sizeof(double));
    rig_free(&kept);
    rig_free(&wiped);
}

static void surfaces_that_run_through_each_other_are_told(void **ctx)
{
    (void)ctx;
    const sp_error err =
        rig_refused("specht: 1\n"
                    "name: Rings\n"
                    "space: spatial\n"
                    "gravity: 0\n"
                    "bodies:\n"
                    "  ground: {contours: {ring: {torus: [1 m, 0.3 m]}}}\n"
                    "  ring: {mass: 1 kg, inertia: 1 kg*m^2, contours: {ring: {torus: [1 m, 0.3 "
                    "m], axis: [0, 1, 0]}}}\n"
                    "contacts: {a: {between: [ring.ring, ground.ring], law: {mu: 0}}}\n"
                    "start: {ring.x: 0.1 m, ring.y: 0.05 m}\n"
                    "run: {until: 1 s, method: moreau, step: 1 ms}\n");
    assert_non_null(strstr(err.text, "contact 'a': the nearest points of the two are not found"));
}

/* An ellipsoid over two crests: as it moves along, another crest comes to be nearer.  Gaps that
 * follow stay at theirs, those that are searched are the smaller ones. */
static void gaps_that_follow_keep_their_crest_and_searched_ones_find_the_nearest(void **ctx)
{
    (void)ctx;
    rig r = rig_of_text(
        "specht: 1\nunits: off\nspace: spatial\ngravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {waves: {surface: [u, v, 0.05*cos(2*pi*u)], u: [-1.5, 2.5], v: [-1, "
        "1]}}}\n"
        "  hull: {mass: 1, inertia: 1, joint: {prismatic: ground, axis: [1, 0, 0], at: [0, 0, "
        "0.28]},\n"
        "         contours: {skin: {ellipsoid: [2, 1, 0.2]}}}\n"
        "contacts: {a: {between: [hull.skin, ground.waves], law: {mu: 0}}}\n"
        "start: {hull.x: 0.45}\nrun: {until: 1, method: event}\n");
    const sp_model *m = r.m;
    sp_con *con = &r.w->con;
    const double before[1] = {0.45}, after[1] = {0.55};
    sp_kin_positions(m, &m->numbers, before, &r.w->kin);
    sp_con_search_gaps(m, &m->numbers, &r.w->kin, SP_NONE, con);
    const double near = con->g[0];
    sp_con_follow_surfaces(m, con);
    sp_kin_positions(m, &m->numbers, after, &r.w->kin);
    sp_con_gaps(m, &m->numbers, &r.w->kin, con);
    const double followed = con->g[0];
    sp_con_search_gaps(m, &m->numbers, &r.w->kin, SP_NONE, con);
    assert_true(near > 0.02 && followed > near + 1e-4);
    assert_near(con->g[0], near, 1e-12); /* mirrored about 0.5 */
    sp_con_follow_surfaces(m, con);
    sp_con_gaps(m, &m->numbers, &r.w->kin, con);
    assert_near(con->g[0], near, 1e-12);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_that_follow_keep_their_crest_and_searched_ones_find_the_nearest),
        cmocka_unit_test(a_ball_said_as_a_surface_runs_like_a_sphere),
        cmocka_unit_test(an_egg_that_rocks_keeps_its_energy),
        cmocka_unit_test(a_rattleback_reverses_one_spin_and_keeps_the_other),
        cmocka_unit_test(new_scratch_changes_no_bit),
        cmocka_unit_test(surfaces_that_run_through_each_other_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
