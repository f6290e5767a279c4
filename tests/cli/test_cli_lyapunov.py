"""specht study, kind lyapunov: exponents against closed forms and multipliers, mistakes."""
import csv
import io
import math
import os
import unittest

from cli_support import SOURCE, Case, main

TABLE = os.path.join(SOURCE, "examples", "table_ball", "table_ball.yaml")


class Lyapunov(Case):
    def points(self, text):
        self.write("s.study.yaml", "study: 1\nkind: lyapunov\n" + text)
        out = self.specht("study", "s.study.yaml", "--csv", "-", "--fresh")[0]
        return [{k.split("[")[0]: v for k, v in row.items()} for row in csv.DictReader(io.StringIO(out))]

    def test_areas_shrink_by_e_squared_at_each_impact(self):
        # An orbit (0.5 of the greatest gravity it takes) and chaos; the second is told from the first by its sign.
        order, chaos = self.points(f"model: {TABLE}\nset: {{e: 0.8, start.z: 1.7, \"start.z'\": -2.7}}\nvary: {{Gamma: [0.5, 3]}}\nperiod: 2*pi\n"
                                   "lyapunov: {transient: 50, periods: 100, blocks: 10}\n")
        for row in order, chaos:
            self.assertAlmostEqual(float(row["sum_per_impact"]), 2 * math.log(0.8), delta=1e-9)
        self.assertLess(float(order["exponent"]), 0)
        self.assertGreater(float(chaos["exponent"]), 3 * float(chaos["exponent_error"]))
        # Of an orbit with complex multipliers of size e both exponents are ln e in a period.
        self.assertAlmostEqual(float(order["exponent"]), math.log(0.8) / (2 * math.pi), delta=5e-4)

    def test_exponents_are_drawn_of_a_machine_that_samples(self):
        self.points(f"model: {TABLE}\nvary: {{Gamma: [2, 3]}}\nperiod: 2*pi\nlyapunov: {{transient: 2, periods: 2, blocks: 2}}\n")
        self.assertIn("s_exponent.svg", self.specht("plot", "s.h5")[0].split())

    def test_a_damped_oscillator(self):
        self.write("m.yaml", "specht: 1\nunits: off\nformula: {coordinates: {x: 1}, kinetic: x'^2/2, potential: 2*x^2, forces: {x: -0.2*x'}}\n"
                   "start: {x: 1}\nrun: {until: 1}\n")
        row = self.points("model: m.yaml\nlyapunov: {every: 1, transient: 0, periods: 40, blocks: 4}\n")[0]
        self.assertAlmostEqual(float(row["exponent_sum"]), -0.2, delta=1e-9)

    def test_what_sticks_forgets(self):
        # A mass that is held by friction in each period: its speed is forgotten, its place is not lost.
        self.write("m.yaml", "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies: {a: {mass: 1, joint: {prismatic: ground, axis: [1, 0], "
                   "stiffness: 1, friction: 0.6}}}\nforces: {p: {force: [cos(0.5*t), 0], on: a}}\nstart: {a.x: 0.2}\nrun: {until: 1}\n")
        row = self.points("model: m.yaml\nperiod: 4*pi\nlyapunov: {transient: 3, periods: 4, blocks: 2}\n")[0]
        self.assertEqual(row["exponent_sum"], "-inf")
        self.assertEqual(row["status"], "clean")

    def test_hops_that_are_passed_as_something_else_is_hit(self):
        # Impacts of 1e-6 m/s of one wheel end the hops of others, which began earlier: each event is made again to round-off.
        gears = os.path.join(SOURCE, "examples", "gear_rattling", "gear_rattling.yaml")
        row = self.points(f"model: {gears}\nperiod: 2*pi/w\nlyapunov: {{transient: 20, periods: 8, blocks: 2}}\n")[0]
        self.assertEqual(row["status"], "clean")
        self.assertGreater(float(row["exponent"]), 50)

    def test_mistakes_are_said(self):
        for text, message in (("", "write either"), ("period: 2*pi\nlyapunov: {every: 1}\n", "write either"),
                              ("period: 2*pi\nlyapunov: {periods: 10, blocks: 3}\n", "as many periods in each")):
            self.write("s.study.yaml", f"study: 1\nkind: lyapunov\nmodel: {TABLE}\n{text}")
            self.assertIn(message, self.specht("study", "s.study.yaml", code=2)[1])


if __name__ == "__main__":
    main()
