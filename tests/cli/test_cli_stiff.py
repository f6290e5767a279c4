"""specht run with the method for stiff machines, where the program was built with SUNDIALS; else that
it says so.

Where bounds come from. A step is taken if the root mean square of its N errors, each over tolerance x size, is
below one (theory (10.5)): none of them is above sqrt(N) tolerance x size. In machines whose errors do not grow by
themselves one of the velocities goes on as a drift, 1 + T S_u/S_q times; n steps add up to

    error <= n sqrt(N) tolerance (1 + T S_u/S_q) x size                                                       (*)

and with a method of order p, n ~ tolerance^(-1/(p+1)), a hundredth of the tolerance divides errors by 100^(p/(p+1)): 10
for p = 1, the lowest order CVODE takes, 68 for p = 5, its highest. The reference is of another method and 1e-12.
"""
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

    def finish(self, model, method, tolerance, *more):
        return self.json("run", model, "--method", method, "--tolerance", tolerance, "--no-output", "--json", *more)

    def sizes(self, model, *more):
        """The exact end, and the sizes of (10.5) by name: the largest with that unit, 1 rad at most and 1e-3 at least."""
        exact = self.json("run", model, "--method", "smooth", "--tolerance", "1e-12", "-o", "exact.h5", "--json", *more)
        names = [*exact["state"]["q"], *exact["state"]["u"]]
        rows, _ = self.specht("csv", "exact.h5", "--names", ",".join(names))
        head, *values = [line.split(",") for line in rows.splitlines()]
        units = [h[h.index("["):] for h in head[1:]]
        largest = dict.fromkeys(units, 1e-3)
        for row in values:
            for unit, value in zip(units, row[1:]):
                largest[unit] = max(largest[unit], abs(float(value)))
        if "[rad]" in largest:
            largest["[rad]"] = min(1, largest["[rad]"])
        return exact, dict(zip(names, (largest[unit] for unit in units)))

    def error(self, run, exact, size):
        """The largest error over its size; of q and u together: one swings through zero where the other is largest."""
        return max(abs(run["state"][part][name] - value) / size[name] for part in ("q", "u")
                   for name, value in exact["state"][part].items())

    def allowed(self, run, tolerance, size):
        """The bound (*) over size; N is that of q, u, four works and three more for every element."""
        q, u = run["state"]["q"], run["state"]["u"]
        n = len(q) + len(u) + 4 + 3 * len(run["energy"]["elements"])
        drift = 1 + run["t"] * max(size[a] / size[b] for a in u for b in q if a.split(".")[0] == b.split(".")[0])
        return run["steps"] * math.sqrt(n) * tolerance * drift

    def follows_its_tolerance(self, model, tolerance, *more):
        """Errors are below (*), and a tenth at a hundredth of the tolerance; the first run comes back."""
        exact, size = self.sizes(model, *more)
        run, fine = (self.finish(model, "stiff", f"{x:g}", *more) for x in (tolerance, tolerance / 100))
        error = self.error(run, exact, size)
        self.assertLess(error, self.allowed(run, tolerance, size), msg=model)
        self.assertLess(self.error(fine, exact, size), error / 10, msg=model)
        return run, exact

    def test_a_pulse_of_a_microsecond_is_seen(self):
        """1 N s within 1 us of 3 s gives 1 kg 1 m/s, however the force comes and goes; at rest before it."""
        for force in ("if(t > 1.234567 s and t < 1.234568 s, 1e6 N, 0 N)",
                      "max(0 N, 2e6 N*(1 - abs(t - 1.2345675 s)/(0.5 us)))",
                      "1e6 N / sqrt(pi) * exp(-((t - 1.234567 s)/(1 us))^2)"):
            self.write("pulse.yaml", "specht: 1\nspace: planar\ngravity: 0\n"
                       "bodies: {b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                       f'forces: {{p: {{force: ["{force}", 0], on: b}}}}\nrun: {{until: 3 s}}\n')
            run = self.finish("pulse.yaml", "stiff", "1e-9")
            self.assertAlmostEqual(run["state"]["u"]["b.joint.v"], 1, delta=2e-8, msg=force)
            self.assertEqual(run["status"], "clean", msg=force)

    def test_a_stiff_machine_is_cheap_and_right(self):
        """Explicit steps are stable up to about 6 over the damper's rate, 1e5 per second and less for the pendulum beside
        it: 1.4e4 and more in a second.  That a twentieth of them is enough is what the method is for."""
        run, exact = self.follows_its_tolerance("stiff.yaml", 1e-8)
        self.assertLess(20 * run["steps"], exact["steps"])
        self.assertLess(run["energy"]["closure"], 1e-5)
        self.assertLess(run["certificate"]["momentum"], 1e-10)  # what every result is certified with

    def test_errors_follow_the_tolerance(self):
        self.follows_its_tolerance("stiff.yaml", 1e-5)
        self.follows_its_tolerance("stiff.yaml", 1e-7)

    def test_loops_stay_closed(self):
        for model, until in (("andrews", "0.01"), ("four_bar_space", "1"), ("bricard", "2")):
            path = os.path.join(SOURCE, "tests", "data", "good", model + ".yaml")
            run, _ = self.follows_its_tolerance(path, 1e-7, "--until", until)
            self.assertLess(run["certificate"]["gap"], 1e-12)  # Newton's iteration ends at 1e-14 of the length

    def test_prescribed_motion_is_exact_and_frames_are_at_their_times(self):
        self.write("driven.yaml", STIFF.replace("stiffness: 1e8 N/m, damping: 1e5 N*s/m",
                                                "motion: 10 mm * sin(20 rad/s * t)"))
        self.follows_its_tolerance("driven.yaml", 1e-7)
        self.specht("run", "driven.yaml", "--output-step", "0.125")
        rows, _ = self.specht("csv", "driven.h5", "--names", "t")
        self.assertEqual([float(x) for x in rows.splitlines()[1:]], [k / 8 for k in range(9)])

    def impacts(self, result):
        out, _ = self.specht("events", result, "--json")
        return [e["t"] for e in json.loads(out) if e["kind"] == "impact"]

    def test_a_contact_walks_over_a_seam_of_its_curve(self):
        """The events of 'event', of which none is at the seam, at its times: (*) allows 800 sqrt(20) 1e-10 x 10 = 4e-6."""
        ring = os.path.join(SOURCE, "tests", "data", "good", "ring.yaml")
        told = {}
        for method in ("event", "stiff"):
            run = self.json("run", ring, "--method", method, "--tolerance", "1e-10", "-o", method + ".h5", "--json")
            out, _ = self.specht("events", method + ".h5", "--json")
            told[method] = json.loads(out)
            self.assertEqual(run["energy"]["impacts"], 0)
            rows, _ = self.specht("csv", method + ".h5", "--names", "c.1.lambda_N,c.2.lambda_N")
            bears = [[float(x) > 0 for x in row.split(",")[1:]] for row in rows.splitlines()[2:]]
            self.assertTrue(all(a != b for a, b in bears) and len({a for a, _ in bears}) == 2)
        self.assertEqual([e["kind"] for e in told["event"]], [e["kind"] for e in told["stiff"]])
        self.assertNotIn("open", [e["kind"] for e in told["event"]])
        for a, b in zip(told["event"], told["stiff"]):
            self.assertLess(abs(a["t"] - b["t"]), 1e-6)

    def test_bounces_of_a_ball_with_a_stiff_rider_are_the_closed_form(self):
        """Rates 1 and 1e9 per second: an explicit method needs 1e9/6 steps and more for a second."""
        self.write("rider.yaml", RIDER)
        run = self.json("run", "rider.yaml", "--json", "-o", "rider.h5")
        # (*) with S_q = 1, S_u = sqrt(20), T = 3: the height is wrong by that, the time by it over the speed
        height = self.allowed(run, 1e-12, {"ball.joint.s": 1, "rider.joint.s": 1, "ball.joint.v": math.sqrt(20),
                                           "rider.joint.v": math.sqrt(20)})
        self.specht("run", "rider.yaml", "--tolerance", "1e-10", "-o", "rough.h5")
        t, fly, speed = (2 / 10) ** 0.5, 2 * (2 / 10) ** 0.5, math.sqrt(20)
        for got, rough in zip(self.impacts("rider.h5")[:8], self.impacts("rough.h5")):
            self.assertLess(abs(got - t), height / speed)
            self.assertLess(abs(got - t), abs(rough - t) / 10)  # a hundredth of the tolerance
            speed *= 0.5
            fly *= 0.5
            t += fly
        self.assertLess(run["steps"], 2000)  # a millionth of what an explicit method takes, below
        # the rider creeps, s' = -s up to s 1e-9: (*) without drift, errors fade with it
        self.assertAlmostEqual(run["state"]["q"]["rider.joint.s"], 1e-4 * math.exp(-3),
                               delta=1e-4 * run["steps"] * math.sqrt(16) * 1e-12 + 1e-4 * 3e-9)
        self.assertAlmostEqual(run["state"]["q"]["ball.joint.s"], 0, delta=1e-13)  # put onto the floor, 10 x 1e-14
        self.assertLess(run["certificate"]["momentum"], 1e-10)
        short = self.json("run", "rider.yaml", "--json", "--no-output", "--method", "event", "--until", "1e-6")
        self.assertGreater(3e6 * short["steps"], 1e5 * run["steps"])

    def test_a_stiff_leg_hits_the_floor_as_with_the_explicit_method(self):
        """The hit goes through the stiff spring: rates 1e3 and 2e6 per second."""
        self.write("leg.yaml", LEG)
        stiff = self.json("run", "leg.yaml", "--json", "-o", "stiff.h5")
        event = self.json("run", "leg.yaml", "--json", "--method", "event", "--tolerance", "1e-12", "-o", "event.h5")
        for part in ("q", "u"):  # at rest: on the floor to 1e-13, the leg as short as its spring is loaded, 1e-8
            for name, value in event["state"][part].items():
                self.assertAlmostEqual(stiff["state"][part][name], value, delta=1e-13, msg=name)
        a, b = self.impacts("stiff.h5"), self.impacts("event.h5")
        self.assertGreater(len(a), 4)
        # (*) with S_q = 0.2, S_u = 2, T = 0.2: heights; the foot comes back with half the speed or less each time, and
        # hops below 1000 times the error of a step are passed (theory (13.12))
        height = 0.2 * stiff["steps"] * math.sqrt(16) * 1e-11 * (1 + 0.2 * 2 / 0.2)
        for k, (one, other) in enumerate(zip(a, b)):
            self.assertLess(abs(one - other), height / (2 * 0.5 ** k))
        self.assertLess(20 * stiff["steps"], event["steps"])

    def slider_crank(self, run):
        """The slider's y and angle and the crank's angle, each with its rate, from the angles of joints."""
        q, u = ([run["state"][part][f"{body}.joint.{name}"] for body in ("crank", "rod", "slider")]
                for part, name in (("q", "phi"), ("u", "omega")))
        y = 0.153 * math.sin(q[0]) + 0.306 * math.sin(q[0] + q[1])
        v = 0.153 * math.cos(q[0]) * u[0] + 0.306 * math.cos(q[0] + q[1]) * (u[0] + u[1])
        return (y, v), (sum(q), sum(u)), (q[0], u[0])

    def test_machines_with_contacts_that_are_not_stiff(self):
        """Hops below H = 1000 tolerance x length are passed (theory (13.12)) and leave no speed out, friction included
        (theory (43.3)): errors are those of the steps, in proportion to the tolerance, within a factor of four. Were the speed
        sqrt(2 a H) of the hops left out, or their friction, a hundredth of the tolerance would divide errors by 10."""
        path = os.path.join(SOURCE, "examples", "slider_crank", "slider_crank.yaml")
        exact = self.finish(path, "event", "1e-12", "--until", "0.02")
        # bodies may overlap by the error of the integrator, which is more than 1e-8 m at 1e-8
        rough, fine = (self.finish(path, "stiff", x, "--until", "0.02", "--accept", "uncertified") for x in ("1e-8", "1e-10"))
        size = {name: max(1, abs(x)) for part in ("q", "u") for name, x in exact["state"][part].items()}
        ratio = self.error(rough, exact, size) / self.error(fine, exact, size)
        self.assertGreater(ratio, 100 / 4)
        self.assertLess(ratio, 100 * 4)
        # a <= omega^2 (l_1 + l_1^2/l_2) of a crank: 0.018 m/s of the slider across its guide, and it turns by that over half
        # its length.  Impulses that change these two have the least kinetic energy of all motions that do; with the crank
        # held the rod turns by hop/(l_2 cos), cos^2 >= 1 - (l_1/l_2)^2, and the crank gets no more than that energy.
        # Places are off by no more than these speeds all the time.  Friction (mu = 0.01) is left out.
        hop, turn = math.sqrt(2 * 150 ** 2 * 0.153 * 1.5 * 1000 * 1e-10 * 0.306), 0.306 * math.sqrt(0.75)
        twice = (5.9e-4 + 0.038 * 0.153 ** 2 + 0.076 * 0.306 ** 2) * (hop / turn) ** 2 + 2.7e-6 * (hop / 0.05) ** 2
        crank = math.sqrt(twice / (7.4e-5 + 0.038 * 0.0765 ** 2))
        bounds = {"slider.y": hop, "slider.phi": hop / 0.05, "crank.phi": crank}
        for (name, bound), one, other in zip(bounds.items(), self.slider_crank(fine), self.slider_crank(exact)):
            self.assertLess(abs(one[0] - other[0]), bound * 0.02, msg=name)
            self.assertLess(abs(one[1] - other[1]), bound, msg=name + "'")

    def test_a_run_that_cannot_go_on_ends_with_the_time(self):
        self.write("vanishing.yaml", "specht: 1\nunits: off\nformula: {coordinates: {x: m}, M: [[1 - t]], h: [0]}\n"
                   "start: {x': 1}\nrun: {until: 3, method: stiff}\n")
        _, err = self.specht("run", "vanishing.yaml", code=1)
        self.assertIn("t = 1", err)
        self.assertIn("mass matrix", err)


if __name__ == "__main__":
    main()
