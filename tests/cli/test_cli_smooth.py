"""specht run with the smooth method: what it says, writes, refuses and how it ends."""
import json
import math
import signal
import time

from cli_support import BALL, Case, main

# A mass on a spring: x = cos(3 t).
MASS = """\
specht: 1
name: Mass on a spring
space: planar
gravity: 0
bodies: {m: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 18 N/m}}}
start: {m.joint.s: 1 m}
outputs: {place: m.x/(1 m)}
run: {until: 10 s, tolerance: 1e-10, output_step: 30 ms}
"""

# The inertia of the coordinate is gone at t = 1 s.
VANISHING = """\
specht: 1
units: off
formula: {coordinates: {x: m}, M: [[1 - t]], h: [0]}
start: {x': 1}
run: {until: 3, output_step: 0.1}
"""


class Smooth(Case):
    def setUp(self):
        super().setUp()
        self.write("mass.yaml", MASS)

    def test_auto_takes_it_without_contacts_and_says_so(self):
        out, err = self.specht("run", "mass.yaml")
        self.assertIn("auto: smooth, tolerance 1e-10", out)
        self.assertEqual(err, "")
        out, _ = self.specht("check", "mass.yaml")
        self.assertIn("auto: smooth until 10 s, tolerance 1e-10, a frame every 0.03 s", out)
        self.write("ball.yaml", BALL.replace("method: moreau", "method: auto"))
        out, _ = self.specht("run", "ball.yaml")
        self.assertIn("auto: event, tolerance 1e-09", out)

    def test_json_has_the_fields_of_other_methods(self):
        self.write("ball.yaml", BALL)
        other = self.json("run", "ball.yaml", "--json", "--no-output")
        got = self.json("run", "mass.yaml", "--method", "smooth", "--tolerance", "1e-12", "--json", "--no-output")
        self.assertEqual(set(got), set(other))
        self.assertEqual(set(got["energy"]), set(other["energy"]))
        self.assertEqual(set(got["certificate"]), set(other["certificate"]))
        self.assertEqual((got["status"], got["method"], got["tolerance"], got["t"]), ("clean", "smooth", 1e-12, 10))
        self.assertAlmostEqual(got["state"]["q"]["m.joint.s"], math.cos(30), delta=1e-10)
        self.assertLess(abs(got["energy"]["balance"]), 1e-10)

    def test_frames_are_at_their_times(self):
        self.specht("run", "mass.yaml")
        rows, _ = self.specht("csv", "mass.h5", "--names", "t,place")
        frame = [[float(x) for x in line.split(",")] for line in rows.splitlines()[1:]]
        self.assertEqual(len(frame), 1 + 333 + 1)
        for k, (t, x) in enumerate(frame):
            self.assertAlmostEqual(t, min(0.03 * k, 10), delta=1e-12)
            self.assertAlmostEqual(x, math.cos(3 * t), delta=1e-8)

    def test_a_contact_is_refused_and_nothing_is_written(self):
        self.write("ball.yaml", BALL)
        _, err = self.specht("run", "ball.yaml", "--method", "smooth", code=2)
        self.assertIn("'bounce", err)
        self.assertIn("moreau", err)
        self.assertEqual(self.names(), ["ball.yaml", "mass.yaml"])
        _, err = self.specht("check", "ball.yaml", "--set", "run.method=smooth", code=2)
        self.assertIn("'bounce", err)

    def test_bad_tolerances_are_errors(self):
        for value in ("0", "-1", "1e-20", "1", "nan", "2 m"):
            _, err = self.specht("run", "mass.yaml", "--tolerance", value, "--no-output", code=2)
            self.assertIn("tolerance", err)

    def test_a_mass_that_vanishes_ends_the_run_with_the_time_and_what_was_computed(self):
        self.write("vanishing.yaml", VANISHING)
        out, err = self.specht("run", "vanishing.yaml", "--json", code=1)
        got = json.loads(out)
        self.assertEqual(got["status"], "failed")
        self.assertAlmostEqual(got["t"], 1, delta=1e-3)
        self.assertIn("mass matrix", got["message"])
        self.assertIn("'x'", got["message"])
        rows, err = self.specht("csv", "vanishing.h5", "--names", "t")
        self.assertIn("failed", err)
        self.assertGreaterEqual(len(rows.splitlines()), 1 + 10)

    def test_ctrl_c_keeps_what_was_computed(self):
        process = self.start("run", "mass.yaml", "--until", "1e9", "--output-step", "1", "--json")
        self.wait_for("mass.h5")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        got = json.loads(out)
        self.assertEqual((process.returncode, got["status"]), (1, "interrupted"))
        self.assertEqual(got["t"], got["state"]["t"])
        rows, _ = self.specht("csv", "mass.h5", "--names", "t")
        self.assertGreater(len(rows.splitlines()), 2)


if __name__ == "__main__":
    main()
