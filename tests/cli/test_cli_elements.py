"""The ledger by element, units of angles, degrees of freedom: what the program tells and writes."""
import math

from cli_support import Case, main

# A damped oscillator and a pendulum that swings against a stop.
MACHINE = """\
specht: 1
name: Elements
space: planar
gravity: 9.81 m/s^2
bodies:
  cart: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], damping: 1 N*s/m}}
  bob: {mass: 1 kg, inertia: 0, center: [0, -1 m], joint: {revolute: ground, range: [-0.1, none], law: {eps_N: 0.5}, friction: 0.1 N*m}}
forces:
  coil: {spring: cart.x, stiffness: 50 N/m}
  push: {force: [3 N, 0], on: cart}
start: {cart.x: 0.2 m, bob.phi: 0.5 rad}
run: {until: 2 s, method: moreau, step: 1 ms}
"""


class Elements(Case):
    def setUp(self):
        super().setUp()
        self.write("m.yaml", MACHINE)

    def test_json_has_the_ledger_by_element_and_it_adds_up(self):
        energy = self.json("run", "m.yaml", "--json")["energy"]
        lines = {e["name"]: e for e in energy["elements"]}
        self.assertEqual(list(lines), ["coil", "push", "cart.joint.s", "gravity"])
        for sum_of, total in (("stored", "potential"), ("dampers", "dampers"), ("applied", "applied")):
            self.assertAlmostEqual(sum(e[sum_of] for e in lines.values()), energy[total], delta=1e-12)
        self.assertLess(lines["cart.joint.s"]["dampers"], -0.1)
        # a constant force gives force times way
        way = self.json("run", "m.yaml", "--json", "--no-output")["state"]["q"]["cart.joint.s"] - 0.2
        self.assertAlmostEqual(lines["push"]["applied"], 3 * way, delta=1e-12)

    def test_the_result_has_it_too(self):
        self.specht("run", "m.yaml")
        names = "t,energy.coil.stored,cart.x,energy.cart.joint.s.dampers,energy.dampers"
        rows, _ = self.specht("csv", "m.h5", "--names", names)
        self.assertEqual(rows.splitlines()[0].count("[J]"), 3)
        for line in rows.splitlines()[1:]:
            _, stored, x, joint, dampers = (float(v) for v in line.split(","))
            self.assertAlmostEqual(stored, 25 * x * x, delta=1e-12)
            self.assertAlmostEqual(joint, dampers, delta=1e-12)
        _, err = self.specht("csv", "m.h5", "--names", "energy.coil.store", code=2)
        self.assertIn("did you mean 'energy.coil.stored'", err)

    def test_contacts_of_angles_have_units_of_angles(self):
        self.specht("run", "m.yaml")
        rows, _ = self.specht("csv", "m.h5", "--names", "bob.joint.lower.g_N,bob.joint.lower.gamma_N,"
                              "bob.joint.lower.lambda_N,bob.joint.lower.P_N,bob.joint.friction.lambda_T")
        self.assertEqual(rows.splitlines()[0], "t[s],bob.joint.lower.g_N[rad],bob.joint.lower.gamma_N[rad/s],"
                         "bob.joint.lower.lambda_N[N*m],bob.joint.lower.P_N[N*m*s],bob.joint.friction.lambda_T[N*m]")
        self.assertIn("0.6 rad  bob.joint: ", self.specht("check", "m.yaml")[0])
        text, _ = self.specht("events", "m.h5", "--kind", "impact")
        self.assertIn("angle: N m s, rad/s", text)
        self.assertTrue(all(e["angle"] for e in self.json("events", "m.h5", "--json", "--kind", "impact")))

    def test_contacts_of_lengths_keep_theirs(self):
        self.write("m.yaml", MACHINE.replace("joint: {prismatic: ground,", "joint: {range: [none, 0.3 m], prismatic: ground,"))
        self.specht("run", "m.yaml")
        rows, _ = self.specht("csv", "m.h5", "--names", "cart.joint.upper.g_N,cart.joint.upper.lambda_N")
        self.assertEqual(rows.splitlines()[0], "t[s],cart.joint.upper.g_N[m],cart.joint.upper.lambda_N[N]")

    def test_degrees_of_freedom_are_those_that_loops_leave(self):
        self.write("w.yaml", "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
                   "  a: {mass: 1, inertia: 1, joint: {revolute: ground}}\n"
                   "  b: {mass: 1, inertia: 1, joint: {revolute: ground}}\n"
                   "couplings: {gear: {of: a.phi + 2*b.phi, fix: 0}}\nrun: {until: 1 s}\n")
        out, _ = self.specht("check", "w.yaml")
        self.assertIn("1 degree of freedom (2 coordinates)", out)
        self.assertEqual(self.json("check", "w.yaml", "--json")["freedom"], 1)
        self.write("d.yaml", "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
                   "  a: {mass: 1, inertia: 1, joint: {revolute: ground, speed: 1 rad/s}}\nrun: {until: 1 s}\n")
        out, _ = self.specht("check", "d.yaml")
        self.assertIn("0 degrees of freedom (1 coordinate, 1 prescribed)", out)

    def test_motion_over_a_stop_counts_up_to_the_end_that_is_asked_for(self):
        self.write("s.yaml", "specht: 1\nspace: planar\ngravity: 0\nbodies:\n"
                   "  a: {mass: 1, inertia: 1, joint: {revolute: ground, motion: 2*t/(1 s), range: [-1, 1]}}\n"
                   "run: {until: 1 s, method: moreau, step: 1 ms}\n")
        _, err = self.specht("run", "s.yaml", code=2)
        self.assertIn("'a.joint.upper' is run over by the prescribed motion", err)
        state = self.json("run", "s.yaml", "--json", "--until", "0.4", "--no-output")["state"]
        self.assertAlmostEqual(state["q"]["a.joint.phi"], 0.8, delta=1e-12)
        self.assertTrue(math.isfinite(state["t"]))


if __name__ == "__main__":
    main()
