"""Dry friction with stiffness (Jenkins elements): orbits, all methods, limits of its numbers, mistakes."""
import csv
import io
import json
import math
import os
import unittest

from cli_support import SOURCE, Case, main

FOLDER = os.path.join(SOURCE, "examples", "jenkins")
MODEL = os.path.join(FOLDER, "jenkins.yaml")

BLOCK = """\
specht: 1
space: planar
gravity: 0 m/s^2
bodies: {block: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]FRICTION}}}
couplings: {COUPLING}
forces:
  spring: {spring: block.x, stiffness: 1 N/m}
  push: {force: [1 N * cos(1.2 rad/s * t), 0 N], on: block}
measures: {x: final(block.x)}
run: {until: 10 s, output_step: 10 ms}
"""
ELASTIC = "{limit: 1 N, stiffness: 1 N/m}"


class Jenkins(Case):
    def place(self, *words):
        """Where the block is at the end."""
        return json.loads(self.specht("run", "m.yaml", "--json", "--no-output", *words)[0])["measures"][0]["value"]

    def block(self, coupling="", friction="", *words):
        self.write("m.yaml", BLOCK.replace("COUPLING", f"damper: {{of: block.x, friction: {coupling}}}" if coupling else "")
                   .replace("FRICTION", f", friction: {friction}" if friction else ""))
        return self.place(*words)

    def orbits(self, *words):
        text = self.specht("study", os.path.join(FOLDER, "orbit.study.yaml"), "-o", "o.h5", "--csv", "-", *words)[0]
        return [{k.split("[")[0]: v for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]

    def test_orbits_that_slip_and_that_stick(self):
        slips, sticks = self.orbits()
        self.assertAlmostEqual(float(slips["amplitude"]), 2.3049183, delta=1e-7)  # by a scheme of its own, extrapolated
        self.assertAlmostEqual(float(sticks["amplitude"]), 1 / math.hypot(1, 0.1), delta=1e-9)
        self.assertAlmostEqual(float(sticks["multiplier"]), 1, delta=1e-9)  # what it remembers
        self.assertEqual([slips["unstable"], sticks["unstable"]], ["0", "0"])

    def test_all_methods_take_it_and_steps_converge_with_order_two(self):
        exact = self.block(ELASTIC, "", "--tolerance", "1e-12")
        self.assertAlmostEqual(self.block(ELASTIC, "", "--method", "event"), exact, delta=1e-8)
        self.assertAlmostEqual(self.block(ELASTIC, "", "--method", "adaptive", "--tolerance", "1e-6"), exact, delta=5e-5)  # as with a spring
        for method in ("moreau", "moreau-mean", "theta", "rk2", "rk4"):
            coarse, fine = (abs(self.block(ELASTIC, "", "--method", method, "--step", step) - exact) for step in ("40 ms", "5 ms"))
            self.assertLess(fine, 4 * 0.005**2, method)
            self.assertLess(fine, coarse / 16, method)  # 64 of order two, less the luck of where slipping begins

    def test_a_run_goes_on_to_the_bit(self):
        self.block(ELASTIC)
        for method in (("--method", "event"), ("--method", "moreau", "--step", "5 ms"), ("--method", "adaptive")):
            self.specht("run", "m.yaml", *method, "-o", "whole.h5")
            self.specht("run", "m.yaml", *method, "--until", "4 s", "--checkpoint", "-o", "half.h5")
            self.specht("run", "m.yaml", *method, "--resume", "half.h5", "-o", "rest.h5")
            last = [self.specht("csv", name, "--last", "--names", "block.x,block.vx")[0] for name in ("whole.h5", "rest.h5")]
            self.assertEqual(*last)

    def test_in_a_joint_it_is_the_same(self):
        self.assertAlmostEqual(self.block("", ELASTIC), self.block(ELASTIC), delta=1e-12)

    def test_what_never_slips_is_a_spring_and_what_is_stiff_is_dry_friction(self):
        spring = self.block("{limit: 100 N, stiffness: 1 N/m}")
        self.write("m.yaml", self.read("m.yaml").decode().replace("couplings", "#").replace("spring: block.x, stiffness: 1", "spring: block.x, stiffness: 2"))
        self.assertAlmostEqual(spring, self.place(), delta=1e-8)
        dry = self.block("0.4 N")
        soft, stiff = (abs(self.block(f"{{limit: 0.4 N, stiffness: {c} N/m}}") - dry) for c in ("1e3", "1e5"))
        self.assertAlmostEqual(soft / stiff, 10, delta=1)  # the force turns round within pi sqrt(m/c)
        self.assertLess(abs(self.block("{limit: 0.4 N, stiffness: 1e7 N/m}", "", "--method", "moreau", "--step", "5 ms") - dry), 0.4 * 0.005)  # F dt/m, for 1 s

    def test_energy_closes_and_its_work_is_that_of_the_loop(self):
        # A measure that is driven to and fro slips 4 (a - F/c) per period, each time against F.
        self.write("d.yaml", "specht: 1\nunits: off\nspace: planar\ngravity: 0\nbodies: {b: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: 3*sin(t)}}}\n"
                   "couplings: {damper: {of: b.x, friction: {limit: 2, stiffness: 4}}}\noutputs: {f: damper.force}\n"
                   "measures: {lost: loss(damper), most: peak(f)}\nrun: {until: 4*pi, measure_from: 2*pi, tolerance: 1e-12}\n")
        out = self.specht("run", "d.yaml", "--no-output")[0]
        lost = float(out.split("lost = ")[1].split()[0])
        self.assertAlmostEqual(lost, 4 * (3 - 0.5) * 2, delta=1e-7)
        self.assertAlmostEqual(float(out.split("most = ")[1].split()[0]), 2, delta=1e-12)

    def test_mistakes_have_places(self):
        for friction, said in (("{limit: 1 N}", "missing key 'stiffness'"), ("{stiffness: 1 N/m}", "missing key 'limit'"),
                               ("{limit: 0 N, stiffness: 1 N/m}", "limit"), ("{limit: 1 N, stiffness: 1 N}", "stiffness"),
                               ("{limit: 1 N * t/(1 s), stiffness: 1 N/m}", "'t'"), ("{limit: 1 N, stifness: 1 N/m}", "did you mean 'stiffness'")):
            self.write("m.yaml", BLOCK.replace("FRICTION", "").replace("COUPLING", f"damper: {{of: block.x, friction: {friction}}}"))
            said_now = self.specht("check", "m.yaml", code=2)[1]
            self.assertIn(said, said_now)
            self.assertIn("m.yaml:5:", said_now)
        for friction, said in (("{limit: 1 N}", "one of: mu, stiffness"), ("{stiffness: 1 N/m}", "missing 'limit'"),
                               ("{mu: 0.1, limit: 1 N, stiffness: 1 N/m}", "no 'mu'")):
            self.write("m.yaml", BLOCK.replace("couplings: {COUPLING}\n", "").replace("FRICTION", f", friction: {friction}"))
            self.assertIn(said, self.specht("check", "m.yaml", code=2)[1])


if __name__ == "__main__":
    main()
