#!/usr/bin/python3
"""Scenes of the examples in space: a stack that stands, dominoes, Euler's disc, parts on a feeder."""
import math
import os
import resource
import subprocess
import sys
import unittest

from cli_support import SANITIZED, SOURCE, SPECHT, Case, main

FULL = bool(os.environ.get("SPECHT_FULL"))


class Scenes(Case):
    def run_example(self, name, *options, model=None):
        """Run an example to its end (exit code 0: every step certified); the events as JSON."""
        path = os.path.join(SOURCE, "examples", name, (model or name) + ".yaml")
        self.specht("run", path, "-o", "scene.h5", "-q", *options)
        return self.json("events", "scene.h5", "--json")

    def rows(self, *names):
        out, _ = self.specht("csv", "scene.h5", "--names", ",".join(names))
        return [[float(x) for x in line.split(",")] for line in out.split()[1:]]


class DividedSteps(Scenes):
    def test_a_step_that_is_not_solved_is_taken_in_parts(self):
        # the fixed point of moreau-mean contracts by a = c dt/(2 m): 1.5 for the whole step, 0.75 for halves, too
        # slow for 40 iterations, 0.375 for quarters, which do (the drag taken implicitly needs no division)
        self.write("sledge.yaml", """\
specht: 1
space: spatial
gravity: 0
bodies:
  sledge: {mass: 1 kg, inertia: 1, joint: {prismatic: ground, axis: [1, 0, 0]}}
forces: {drag: {force: ["-(300 kg/s)*sledge.vx", 0, 0], on: sledge}}
start: {sledge.joint.v: 1 m/s}
run: {until: 40 ms, step: 10 ms, method: moreau-mean, implicit: no}
""")
        summary = self.json("run", "sledge.yaml", "-o", "scene.h5", "--json", code=1)
        (doubt,) = summary["doubts"]
        self.assertEqual((doubt["kind"], doubt["n"], doubt["size"]), ("divided", 4, 4))
        self.assertEqual(summary["steps"], 16)
        rows = self.rows("sledge.vx")
        self.assertEqual(len(rows), 5)  # frames at whole steps alone
        for i, (t, v) in enumerate(rows):
            self.assertAlmostEqual(t, 0.01 * i, places=12)
            self.assertAlmostEqual(v, ((1 - 0.375) / (1 + 0.375)) ** (4 * i), places=11)


class Landing(Scenes):
    def test_a_ball_a_little_above_the_floor_lands_without_correction(self):
        # 3 um is less than a step of fall: by (7.18) half of it in the first step, the rest to the midpoint of the
        # second, then rest; moved out of the floor it would have 3 um m g of projection
        self.write("ball.yaml", """\
specht: 1
space: spatial
gravity: 9.81 m/s^2
laws: {floor: {mu: 0.3}}
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  ball: {density: 2500 kg/m^3, shape: {sphere: 1 cm}, contours: {skin: {sphere: 1 cm}}}
contacts: {feet: {between: [ball, ground], law: floor}}
start: {ball.z: 1.0003 cm}
run: {until: 10 ms, step: 1 ms, output_step: 1 ms, method: moreau}
""")
        summary = self.json("run", "ball.yaml", "-o", "scene.h5", "--json")
        self.assertEqual(summary["energy"]["projection"], 0.0)
        rows = self.rows("ball.z", "ball.vz")
        for row, height, speed in zip(rows, [3e-6, 1.5e-6] + 9 * [0.0], [0.0, -3e-3] + 9 * [0.0]):
            self.assertAlmostEqual(row[1], 0.01 + height, delta=1e-15)
            self.assertAlmostEqual(row[2], speed, delta=1e-14)


class Heap(Scenes):
    def test_a_heap_near_rest_is_solved(self):
        # 64 spheres of examples/sphere_box at 0.365 s: many contacts between sticking and sliding; with the shift of
        # De Saxce taken at once no method came below 7e-6
        path = os.path.join(SOURCE, "tests", "data", "problems", "heap_at_rest.hdf5")
        self.specht("solve", path, "--measure", "scaled", "--tol", "1e-10")
        alone = self.json("solve", path, "--measure", "scaled", "--tol", "1e-10", "--solver", "interior", "--json")
        self.assertLess(alone["iterations"], 300)  # alternating directions take 4000

    def test_the_path_of_interior_points_is_followed_where_it_turns(self):
        # 64 spheres of examples/sphere_box near 0.3 s: the solutions over sigma turn back and forth, and sigma made
        # smaller step by step, from any start, ended at 4.4e-4
        path = os.path.join(SOURCE, "tests", "data", "problems", "heap_path_turns.hdf5")
        alone = self.json("solve", path, "--measure", "scaled", "--tol", "1e-10", "--solver", "interior", "--json")
        self.assertLess(alone["residual"], 1e-10)

    @unittest.skipIf(SANITIZED, "too slow")
    def test_spheres_are_poured_with_every_step_certified(self):
        # to rest with SPECHT_FULL: 0.34 J at the start; spheres that spin about their normal go on, no law stops them
        path = os.path.join(SOURCE, "examples", "sphere_box", "sphere_box.yaml")
        small = ["--set", "number=64", "--set", "row=4", "--set", "a=4.7 cm", "-o", "scene.h5"]
        run = self.json("run", path, *small, "--until", "1s" if FULL else "0.2s", "--json")
        self.assertLess(run["certificate"]["complementarity"], 1e-8)
        self.assertLess(run["certificate"]["gap"], 1e-9)  # m
        rows = self.rows("kinetic")
        self.assertLess(rows[-1][1], 1e-7 if FULL else 1e-2)


class BoxStack(Scenes):
    def test_a_stack_of_ten_boxes_stands_without_drift_and_without_events(self):
        until = 100.0 if FULL else 2.0
        events = self.run_example("box_stack", "--until", f"{until}s")
        names = [f"box.{i}.{c}" for i in range(1, 11) for c in "xyz"]
        rows = self.rows(*names)
        self.assertAlmostEqual(rows[-1][0], until, places=9)
        drift = max(abs(a - b) for row in rows[1:] for a, b in zip(row[1:], rows[0][1:]))
        self.assertLess(drift, 1e-9)  # m
        late = [e for e in events if e["t"] > 0.02]
        self.assertEqual(late, [])

    def test_a_stack_may_have_any_number_of_boxes(self):
        for number in (1, 3):
            self.run_example("box_stack", "--until", "0.1s", "--set", f"number={number}", "--set", "run.output_step=0.1s")
            self.assertLess(max(abs(row[1]) for row in self.rows("height")), 1e-9)  # m

    def test_the_floor_carries_the_weight_of_all(self):
        self.run_example("box_stack", "--until", "0.5s", "--set", "run.output_step=0.1s")
        weight = 10 * 600 * 0.1 ** 3 * 9.81
        for row in self.rows(*[f"floor.pair.{i}.lambda_N" for i in range(1, 5)])[1:]:
            self.assertAlmostEqual(sum(row[1:]), weight, delta=1e-6 * weight)


class Dominoes(Scenes):
    def hits(self, step):
        """Times at which stone i first hits the next one."""
        first = {}
        for e in self.run_example("dominoes", "--step", step):
            contact = e["contact"].split(".")
            if e["kind"] == "impact" and contact[0] == "stones":
                first.setdefault(int(contact[1]), e["t"])
        return [first[i] for i in sorted(first)]

    def test_the_wave_runs_at_a_speed_that_does_not_depend_on_the_step(self):
        coarse, fine = self.hits("0.5ms"), self.hits("0.25ms")
        self.assertEqual(len(fine), 11)
        for a, b in zip(coarse, fine):
            self.assertAlmostEqual(a, b, delta=0.5e-3)  # one coarse step
        # a hit is known to half its step, the time between two of them to one step
        way, coarse_time, fine_time = 10 * 0.024, coarse[-1] - coarse[0], fine[-1] - fine[0]
        self.assertAlmostEqual(way / coarse_time, way / fine_time, delta=way / fine_time * 0.75e-3 / coarse_time)
        speed = [0.024 / (b - a) for a, b in zip(fine, fine[1:])]
        for slow, fast in zip(speed, speed[1:]):
            self.assertLess(slow, fast)  # the wave still gathers speed
        self.assertLess(speed[-1] / speed[-2], 1.02)

    def test_a_row_may_have_any_number_of_stones_from_two_on(self):
        # they fall one after the other, the last one on its face: a quarter turn, which asin could not tell
        for number in (2, 3, 7):
            self.run_example("dominoes", "--set", f"number={number}", "--until", "0.45s")
            rows = self.rows("first", "middle", "last")
            self.assertLess(max(abs(x) for x in rows[0][1:]), 1e-9)
            first, middle, last = rows[-1][1:]
            self.assertAlmostEqual(last, math.pi / 2, delta=1e-6)
            self.assertTrue(1.2 < first < last and 1.2 < middle < last, rows[-1])


def steady(theta, r=37.5e-3, b=3e-3, g=9.81, k=1e-3):
    """Energy and loss per mass of the disc that goes round at the tilt theta with its middle at rest."""
    A, C = r * r / 4 + b * b / 12, r * r / 2
    w = math.sqrt(g * math.sin(theta) * (r * math.cos(theta) - b / 2 * math.sin(theta))
                  / (A * math.cos(theta) - C * b / (2 * r) * math.sin(theta)))
    w_z = w * b / (2 * r)
    energy = (A * w * w + C * w_z * w_z) / 2 + g * (r * math.sin(theta) + b / 2 * math.cos(theta))
    return energy, k * g * abs(w * math.cos(theta) - w_z * math.sin(theta))


def time_to_rest(theta, n=4000):
    """Integral of dE/(loss), with theta = s^2, where the integrand is smooth."""
    total = 0.0
    for i in range(n):
        s = math.sqrt(theta) * (i + 0.5) / n
        e = 1e-6 * s * s
        slope = (steady(s * s + e)[0] - steady(s * s - e)[0]) / (2 * e)
        total += slope / steady(s * s)[1] * 2 * s * math.sqrt(theta) / n
    return total


class EulersDisc(Scenes):
    def rest(self, step):
        """When the disc lies flat, the rows of time and sine of the tilt, and the processor time of the run."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.run_example("euler_disc", "--step", step, "--accept", "projection,divided")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        rows = self.rows("tilt")
        return next(t for t, tilt in rows if tilt < 1e-6), rows, spent

    def test_it_lies_after_a_finite_time_that_tends_to_the_theory(self):
        theory = time_to_rest(math.radians(20))
        steps = [0.2, 0.1, 0.05] + ([0.025, 0.0125] if FULL else [])  # ms
        times, rows, spent = zip(*(self.rest(f"{s}ms") for s in steps))
        late = [theory - t for t in times]
        for coarse, fine in zip(late, late[1:]):
            order = math.log2(coarse / fine)
            self.assertGreater(fine, 0)
            self.assertTrue(0.4 < order < 1.1, f"order {order}, times {times}, theory {theory}")
        end = [tilt for t, tilt in rows[-1] if t > times[-1] + 0.05]
        self.assertGreater(len(end), 50)
        self.assertLess(max(end), 1e-6)  # and it goes on lying
        # no step is fought for when it may be divided: one of 0.2 ms took 10 s, as long as 10^6 others
        self.assertLess(spent[0], 5 * spent[2])


class Feeder(Scenes):
    def transport(self, *options):
        script = os.path.join(SOURCE, "examples", "vibratory_feeder", "transport")
        out = subprocess.run([sys.executable, script, "--specht", SPECHT, "--folder", self.folder, *options],
                             check=True, capture_output=True, text=True, timeout=7200 if FULL else 300).stdout
        table = [line.split(",") for line in self.read("transport.csv").decode().split("\r\n")[1:-1]]
        return out, [[float(x) for x in row] for row in table]

    @unittest.skipIf(SANITIZED, "too slow")
    def test_parts_climb_faster_on_larger_amplitudes_and_all_runs_are_kept(self):
        kinds = 6 if FULL else 2
        asked = (["--starts", "16"] if FULL else
                 ["--models", "planar", "--parts", "1,3", "--amplitudes", "0.5,0.75,1,1.5,2", "--starts", "4",
                  "--until", "3"])
        out, table = self.transport(*asked)
        self.assertEqual([row[0] for row in table][::len(table) - 1], [0.5, 2.0])
        for k in range(1, 2 * kinds, 2):
            small, large = table[0][k], table[-1][k]
            self.assertGreater(small, 0)
            self.assertGreater(large, 3 * small)
            self.assertLess(large, 2 * math.pi * 50 * 2 * math.cos(math.radians(15)))  # mm/s, the track itself
        # each amplitude against the one before it; a step back by two error bars is told otherwise
        self.assertEqual(out.count("monotone within two error bars"), kinds, out)
        self.assertEqual(len(self.read("runs.csv").split()), 16 * 7 * 6 if FULL else 40)
        again, _ = self.transport(*asked)
        self.assertEqual(again, out)

    @unittest.skipIf(SANITIZED, "too slow")
    def test_a_box_in_space_climbs_as_the_planar_block(self):
        """At 1 mm; 0.1 of the velocity is what 16 starts leave between them, the rest three error bars."""
        _, table = self.transport("--models", "planar,spatial", "--parts", "1", "--amplitudes", "1", "--starts",
                                  "16" if FULL else "4", "--until", "3")
        plane, error, space, error_space = table[0][1:]
        self.assertGreater(min(plane, space), 50)
        self.assertLess(abs(space - plane), 0.1 * plane + 3 * math.hypot(error, error_space))

    def test_a_box_that_starts_without_roll_moves_as_the_planar_block(self):
        # until round-off has grown: errors are multiplied by about 1e5 in 0.2 s of events
        same = ["--set", "A=0.5 mm", "--set", "run.output_step=20ms"]
        for method, until, near in (("moreau", 0.4, 1e-11), ("event", 0.2, 1e-9)):
            step = ["--step", "0.1ms"] if method == "moreau" else []
            how = [*same, "--method", method, "--until", f"{until}s", *step]
            self.run_example("vibratory_feeder", *how, "--set", "start.part.phi=alpha + 0.012 rad",
                             "--set", "start.part.vx=0.08 m/s")
            plane = self.rows("s", "n")
            self.assertGreater(max(abs(a[1] - plane[0][1]) for a in plane), 1e-3)  # m, it moves
            for model, body, more in (("held", "part", []),
                                      ("between", "carrier", ["--set", "start.part.joint.phi=0"])):
                self.run_example("vibratory_feeder", *how, *more, "--set",
                                 f"start.{body}.joint.phi=-alpha - 0.012 rad", "--set",
                                 f"start.{body}.joint.vy=0.08 m/s", model="vibratory_feeder_" + model)
                space = self.rows("s", "n")
                self.assertEqual(len(plane), len(space))
                for a, b in zip(plane, space):
                    for x, y in zip(a, b):
                        self.assertAlmostEqual(x, y, delta=near)

    def test_three_boxes_of_a_queue_stay_between_the_walls(self):
        events = self.run_example("vibratory_feeder", "--set", "parts=3", "--until", "0.4s",
                                  model="vibratory_feeder_spatial")
        hit = {e["contact"].split(".")[0] for e in events if e["kind"] == "impact"}
        self.assertTrue({"way", "queue"} <= hit, hit)
        for row in self.rows("part.1.y", "part.2.y", "part.3.y"):
            for y in row[1:]:
                self.assertLess(abs(y), 2e-3 + 1e-9)


if __name__ == "__main__":
    main()
