"""specht run with the method for stiff machines, where the program was built with SUNDIALS; else that
it says so."""
import json
import math
import os
import subprocess
import unittest

from cli_support import SOURCE, SPECHT, Case, main

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

# A ball that bounces, and on it a mass on a very stiff slide, pulled by 0.1 mm.
RIDER = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
  rider: {mass: 1, joint: {prismatic: ball, axis: [1, 0], stiffness: 1e9, damping: 1e9}}
contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.5}}}
start: {ball.joint.s: 1, rider.joint.s: 1e-4}
run: {until: 3, method: stiff, tolerance: 1e-12}
"""

# A mass on a leg with a foot, the leg a stiff spring with a strong damper.
LEG = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  foot: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
  body: {mass: 1, joint: {prismatic: foot, axis: [0, 1], stiffness: 1e9, damping: 1e6}}
contacts: {bounce: {between: [foot, ground], law: {eps_N: 0.5}}}
start: {foot.joint.s: 0.2}
run: {until: 0.4, method: stiff, tolerance: 1e-11}
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

    def impacts(self, result):
        out, _ = self.specht("events", result, "--json")
        return [e["t"] for e in json.loads(out) if e["kind"] == "impact"]

    def test_bounces_of_a_ball_with_a_stiff_rider_are_the_closed_form(self):
        """Rates 1 and 1e9 per second: an explicit method needs 1e9/6 steps and more for a second."""
        self.write("rider.yaml", RIDER)
        run = self.json("run", "rider.yaml", "--json", "-o", "rider.h5")
        t, fly = (2 / 10) ** 0.5, 2 * (2 / 10) ** 0.5
        for got in self.impacts("rider.h5")[:8]:
            self.assertAlmostEqual(got, t, delta=1e-8)
            fly *= 0.5
            t += fly
        self.assertLess(run["steps"], 2000)
        self.assertAlmostEqual(run["state"]["q"]["rider.joint.s"], 1e-4 * math.exp(-3), delta=1e-12)
        self.assertAlmostEqual(run["state"]["q"]["ball.joint.s"], 0, delta=1e-12)
        self.assertLess(run["certificate"]["momentum"], 1e-10)
        short = self.json("run", "rider.yaml", "--json", "--no-output", "--method", "event", "--until", "1e-6")
        self.assertGreater(3e6 * short["steps"], 1e5 * run["steps"])

    def test_a_stiff_leg_hits_the_floor_as_with_the_explicit_method(self):
        """The hit goes through the stiff spring: rates 1e3 and 2e6 per second."""
        self.write("leg.yaml", LEG)
        stiff = self.json("run", "leg.yaml", "--json", "-o", "stiff.h5")
        event = self.json("run", "leg.yaml", "--json", "--method", "event", "--tolerance", "1e-12", "-o", "event.h5")
        self.nearly(stiff, event, 1e-8)
        a, b = self.impacts("stiff.h5"), self.impacts("event.h5")
        self.assertGreater(len(a), 4)
        for one, other in zip(a, b):  # later hops are smaller than what a step is wrong by, and are passed
            self.assertAlmostEqual(one, other, delta=1e-8)
        self.assertLess(20 * stiff["steps"], event["steps"])

    def test_machines_with_contacts_that_are_not_stiff(self):
        path = os.path.join(SOURCE, "examples", "slider_crank", "slider_crank.yaml")
        stiff = self.json("run", path, "--json", "--no-output", "--method", "stiff", "--tolerance", "1e-10", "--until",
                          "0.02")
        event = self.json("run", path, "--json", "--no-output", "--method", "event", "--tolerance", "1e-10", "--until",
                          "0.02")
        self.nearly(stiff, event, 1e-5)  # hops below 1000 times the error of a step are passed

    def test_a_run_that_cannot_go_on_ends_with_the_time(self):
        self.write("vanishing.yaml", "specht: 1\nunits: off\nformula: {coordinates: {x: m}, M: [[1 - t]], h: [0]}\n"
                   "start: {x': 1}\nrun: {until: 3, method: stiff}\n")
        _, err = self.specht("run", "vanishing.yaml", code=1)
        self.assertIn("t = 1", err)
        self.assertIn("mass matrix", err)


if __name__ == "__main__":
    main()
