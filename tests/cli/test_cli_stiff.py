"""specht run with the method for stiff machines, where the program was built with SUNDIALS; else that
it says so."""
import os
import subprocess
import unittest

from cli_support import BALL, SOURCE, SPECHT, Case, main

# A pendulum on a slide that a very stiff spring with a strong damper holds: seconds against microseconds.
STIFF = """\
specht: 1
name: Pendulum on a stiff slide
space: planar
gravity: 9.81 m/s^2
bodies:
  slide: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 1e8 N/m, damping: 1e5 N*s/m}}
  rod: {mass: 1 kg, inertia: 0.1 kg*m^2, center: [0, -0.5 m], joint: {revolute: slide}}
start: {rod.joint.phi: 1 rad}
run: {until: 1 s, method: stiff, tolerance: 1e-8}
"""


def built_with_cvode():
    with open(os.devnull, "w") as null:
        here = Case()
        here.setUp()
        here.write("stiff.yaml", STIFF)
        done = subprocess.run([SPECHT, "run", "stiff.yaml", "--no-output", "--until", "1e-9"], cwd=here.folder,
                              stdout=null, stderr=subprocess.PIPE, text=True)
        here.doCleanups()
    return "built without" not in done.stderr


HAS_CVODE = built_with_cvode()


@unittest.skipIf(HAS_CVODE, "this program has SUNDIALS")
class Absent(Case):
    def test_the_message_names_what_is_missing_and_nothing_is_written(self):
        self.write("stiff.yaml", STIFF)
        _, err = self.specht("run", "stiff.yaml", code=2)
        self.assertIn("SUNDIALS", err)
        self.assertIn("'smooth'", err)
        self.assertEqual(self.names(), ["stiff.yaml"])


@unittest.skipUnless(HAS_CVODE, "this program was built without SUNDIALS")
class Stiff(Case):
    def setUp(self):
        super().setUp()
        self.write("stiff.yaml", STIFF)

    def run_both(self, model, tolerance, *more):
        """The run with 'stiff' and one with 'smooth' that is much more accurate."""
        stiff = self.json("run", model, "--method", "stiff", "--tolerance", tolerance, "--no-output", "--json", *more)
        smooth = self.json("run", model, "--method", "smooth", "--tolerance", "1e-12", "--no-output", "--json", *more)
        return stiff, smooth

    def nearly(self, a, b, error):
        for part in ("q", "u"):
            for name, value in b["state"][part].items():
                self.assertAlmostEqual(a["state"][part][name], value, delta=error * max(1, abs(value)), msg=name)

    def test_a_stiff_machine_is_cheap_and_right(self):
        stiff, smooth = self.run_both("stiff.yaml", "1e-8")
        self.nearly(stiff, smooth, 1e-5)
        self.assertLess(20 * stiff["steps"], smooth["steps"])
        self.assertLess(stiff["energy"]["closure"], 1e-5)
        self.assertLess(stiff["certificate"]["momentum"], 1e-10)

    def test_errors_follow_the_tolerance(self):
        exact = self.json("run", "stiff.yaml", "--method", "smooth", "--tolerance", "1e-12", "--no-output", "--json")
        error = []
        for tolerance in ("1e-5", "1e-7", "1e-9"):
            got = self.json("run", "stiff.yaml", "--tolerance", tolerance, "--no-output", "--json")
            error.append(abs(got["state"]["q"]["rod.joint.phi"] - exact["state"]["q"]["rod.joint.phi"]))
        self.assertLess(error[1], error[0] / 5)
        self.assertLess(error[2], error[1] / 5)
        self.assertLess(error[2], 1e-6)

    def test_loops_stay_closed(self):
        for model, until in (("andrews", "0.01"), ("four_bar_space", "1"), ("bricard", "2")):
            path = os.path.join(SOURCE, "tests", "data", "good", model + ".yaml")
            stiff, smooth = self.run_both(path, "1e-9", "--until", until)
            self.nearly(stiff, smooth, 1e-4)
            self.assertLess(stiff["certificate"]["gap"], 1e-12)

    def test_prescribed_motion_is_exact_and_frames_are_at_their_times(self):
        self.write("driven.yaml", STIFF.replace("stiffness: 1e8 N/m, damping: 1e5 N*s/m",
                                                "motion: 10 mm * sin(20 rad/s * t)"))
        stiff, smooth = self.run_both("driven.yaml", "1e-9")
        self.nearly(stiff, smooth, 1e-5)
        self.specht("run", "driven.yaml", "--output-step", "0.125")
        rows, _ = self.specht("csv", "driven.h5", "--names", "t")
        self.assertEqual([float(x) for x in rows.splitlines()[1:]], [k / 8 for k in range(9)])

    def test_contacts_are_refused(self):
        self.write("ball.yaml", BALL)
        _, err = self.specht("run", "ball.yaml", "--method", "stiff", code=2)
        self.assertIn("'bounce", err)

    def test_a_run_that_cannot_go_on_ends_with_the_time(self):
        self.write("vanishing.yaml", "specht: 1\nunits: off\nformula: {coordinates: {x: m}, M: [[1 - t]], h: [0]}\n"
                   "start: {x': 1}\nrun: {until: 3, method: stiff}\n")
        _, err = self.specht("run", "vanishing.yaml", code=1)
        self.assertIn("t = 1", err)
        self.assertIn("mass matrix", err)


if __name__ == "__main__":
    main()
