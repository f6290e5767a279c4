"""specht study, kind orbit: periodic motions, their multipliers, mistakes."""
import csv
import io
import math
import os
import subprocess
import unittest

from cli_support import SOURCE, Case, main

TABLE = os.path.join(SOURCE, "examples", "table_ball", "table_ball.yaml")
FRICTION = os.path.join(SOURCE, "examples", "friction_oscillator", "friction.study.yaml")

# The ball of TABLE on a table that is a body whose motion is prescribed.
MOVED = """\
specht: 1
units: off
space: planar
gravity: 1
parameters: {e: 0.5, Gamma: 1.2}
bodies:
  table: {joint: {prismatic: ground, axis: [0, 1], motion: Gamma*sin(t)}, contours: {top: {line: [0, 1]}}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {round: {circle: 0.1, at: [0, 0.1]}}}
contacts: {hit: {between: [ball, table], law: {eps_N: e}}}
start: {ball.joint.s: 1, ball.joint.v: 1}
run: {until: 200}
"""

# A block on a belt: friction at rest mu_0, while it slides mu.
BELT = """\
specht: 1
units: off
parameters: {v: 0.2, mu: 0.3, mu_0: 0.5}
formula: {coordinates: {x: 1, y: 1}, kinetic: (x'^2 + y'^2)/2, potential: x^2/2 + y}
contacts: {belt: {gap: y, slip: x' - v, law: {mu: mu, mu_0: mu_0}}}
start: {x: 0, x': v, y: 0}
run: {until: 50}
"""


class Orbit(Case):
    def points(self, name, *more):
        """The result of a study file: rows of its CSV as dicts, by names without units."""
        text = self.specht("study", name, "--csv", "-", *more)[0]
        return [{k.split("[")[0]: v for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]

    def numbers(self, path):
        """The numbers of a dataset."""
        out = subprocess.run(["h5dump", "-y", "-m", "%.17g", "-d", path, "s.h5"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        return [float(word) for word in out.split("DATA {")[1].split("}")[0].replace(",", " ").split()]

    def table(self, e, gamma, more="", periods=2):
        """An orbit of the ball with one impact in a period, from near it."""
        phi = math.acos(min(1, math.pi * (1 - e) / (1 + e) / gamma))
        z, v = gamma * math.sin(phi) + math.pi * phi - phi**2 / 2, -math.pi + phi
        self.write("s.study.yaml", f"study: 1\nkind: orbit\nmodel: {TABLE}\n"
                   f"set: {{e: {e}, Gamma: {gamma!r}, start.z: {z - 0.01!r}, \"start.z'\": {v!r}}}\n"
                   f"period: 2*pi\norbit: {{transient: {periods}}}\n{more}")

    def test_multipliers_of_the_ball_on_the_table(self):
        self.table(0.5, 1.1 * math.pi / 3)
        row = self.points("s.study.yaml")[0]
        a, b, c, d = self.numbers("/orbits/0/multipliers")
        self.assertEqual(row["status"], "clean")
        self.assertAlmostEqual(a, 0.0851280, delta=1e-7)
        self.assertAlmostEqual(b, 0.4926999, delta=1e-7)
        self.assertAlmostEqual(a, c, delta=1e-15)
        self.assertAlmostEqual(b, -d, delta=1e-15)
        self.assertAlmostEqual(a * a + b * b, 0.25, delta=1e-10)
        self.assertEqual(len(self.numbers("/orbits/0/events")), 4)

    def test_a_table_that_is_a_body_is_the_same(self):
        # S of (82.4a), then a flight: M = [-e + s21 (t + T), -e (t + T); s21, -e] with the impact at t
        # before the start of the period, so that the trace is -2 e + s21 T, the product e^2.
        self.write("moved.yaml", MOVED)
        for e, gamma in ((0.5, 1.1 * math.pi / 3), (0.3, 2.0)):
            phi = math.acos(math.pi * (1 - e) / (1 + e) / gamma)
            z, v = gamma * math.sin(phi) + math.pi * phi - phi**2 / 2, -math.pi + phi
            trace = -2 * e + 2 * math.pi * (1 + e) ** 2 * (1 - gamma * math.sin(phi)) / (2 * math.pi)
            self.write("s.study.yaml", f"study: 1\nkind: orbit\nmodel: moved.yaml\n"
                       f"set: {{e: {e}, Gamma: {gamma!r}, start.ball.joint.s: {z - 0.01!r}, start.ball.joint.v: {v!r}}}\n"
                       "period: 2*pi\norbit: {transient: 2}\n")
            self.assertEqual(self.points("s.study.yaml", "--fresh")[0]["status"], "clean")
            a, b, c, d = self.numbers("/orbits/0/multipliers")
            self.assertAlmostEqual(a + c, trace, delta=1e-9)
            self.assertAlmostEqual(a * c - b * d, e * e, delta=1e-10)

    def test_accumulations_leave_nothing_of_the_past(self):
        # A ball that comes to rest on the table in each period: all multipliers are zero, exactly.
        self.write("s.study.yaml", f"study: 1\nkind: orbit\nmodel: {TABLE}\nset: {{e: 0.4, Gamma: 1.1}}\nperiod: 2*pi\norbit: {{transient: 5}}\n")
        row = self.points("s.study.yaml")[0]
        self.assertEqual(row["status"], "clean")
        self.assertEqual(self.numbers("/orbits/0/multipliers"), [0, 0, 0, 0])
        self.assertGreater(float(row["hits"]) * 2 * math.pi, 5)

    def test_friction_that_never_sticks(self):
        self.assertEqual(os.path.basename(FRICTION), "friction.study.yaml")
        text = self.specht("study", FRICTION, "--csv", "-", "-o", "s.h5")[0]
        rows = [{k.split("[")[0]: v for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
        self.assertEqual(len(rows), 6)
        for row in rows:
            b, f = float(row["b"]), float(row["F_over_P"])
            V, U = 1 / (1 - b * b), math.sin(math.pi / b) / (b * (1 + math.cos(math.pi / b)))
            self.assertAlmostEqual(float(row["amplitude"]), math.sqrt(V**2 - f**2 * U**2), delta=1e-10)

    def test_stick_slip_on_a_belt(self):
        # Sliding turns the phase by 2 (pi - atan(D/v)), sticking lasts 2 D/v, D = mu_0 - mu.
        self.write("belt.yaml", BELT)
        for section in ("crossing: x, level: 0.3", "contact: belt"):
            self.write("s.study.yaml", f"study: 1\nkind: orbit\nmodel: belt.yaml\norbit: {{transient: 50, section: {{{section}}}}}\n")
            row = self.points("s.study.yaml")[0]
            self.assertAlmostEqual(float(row["period"]), 2 * (math.pi - math.atan(1)) + 2, delta=1e-9)
            self.assertEqual(self.numbers("/orbits/0/multipliers"), [0, 0])

    def test_an_orbit_that_repels_is_found(self):
        # Beyond its doubling the orbit with one impact is unstable: the product stays e^2.
        self.table(0.5, 1.6, periods=0)
        row = self.points("s.study.yaml")[0]
        a, b, c, d = self.numbers("/orbits/0/multipliers")
        self.assertEqual((row["unstable"], b, d), ("1", 0, 0))
        self.assertLess(a, -1)
        self.assertAlmostEqual(a * c, 0.25, delta=1e-10)

    def test_workers_do_not_matter(self):
        self.table(0.5, 1.2, "vary: {Gamma: [1.1, 1.15, 1.2, 1.25]}\n")
        one = self.specht("study", "s.study.yaml", "--csv", "-", "--jobs", "1")[0]
        three = self.specht("study", "s.study.yaml", "--csv", "-", "--jobs", "3", "--fresh")[0]
        self.assertEqual(one, three)

    def test_mistakes_are_said(self):
        self.write("belt.yaml", BELT)
        for text, message in (("", "'period: EXPRESSION' of the forcing is missing"),
                              ("period: 2*pi\norbit: {section: {crossing: x}}\n", "has its own"),
                              ("orbit: {section: {}}\n", "write either"),
                              ("orbit: {section: {crossing: x}, periods: 0}\n", "expected a whole number from 1")):
            self.write("s.study.yaml", "study: 1\nkind: orbit\nmodel: belt.yaml\n" + text)
            self.assertIn(message, self.specht("study", "s.study.yaml", code=2)[1])
        self.write("s.study.yaml", "study: 1\nkind: orbit\nmodel: belt.yaml\norbit: {section: {crossing: w}}\n")
        self.assertIn("there is no coordinate 'w'", self.specht("study", "s.study.yaml", code=1)[0])


if __name__ == "__main__":
    main()
