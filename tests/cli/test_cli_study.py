"""specht sweep, study, merge: points, resuming, workers, shards, optimisation, mistakes."""
import contextlib
import csv
import ctypes
import glob
import io
import json
import math
import os
import random
import resource
import signal
import struct
import subprocess
import unittest

import h5py
import numpy as np

from cli_support import BALL, SOURCE, SPECHT, Case, main

def has_nlopt():
    try:
        ctypes.CDLL("libnlopt.so.0")
    except OSError:
        return False
    return True


GEAR = os.path.join(SOURCE, "examples", "gear_1dof", "gear_1dof.yaml")
TABLE = os.path.join(SOURCE, "examples", "table_ball", "table_ball.yaml")

SMALL = f"""\
study: 1
kind: bifurcation
model: {GEAR}
vary: {{alpha: {{from: 0.2, to: 1, n: 8}}}}
period: 2*pi
run: {{until: 10 periods, measure_from: 5 periods}}
"""

# Functions of parameters, as measures of a machine that does nothing.
FORMULA = """\
specht: 1
units: off
parameters: {x: 0, y: 0, f: 0.8, z: 0.3, g: 1, mu: 0.05}
formula: {coordinates: {q: 1}, kinetic: q'^2/2, potential: 0}
measures:
  banana: (1 - x)^2 + 100*(y - x^2)^2
  sum: x + y
  product: x*y
  line: x*g + y
  valleys: 20 + x^2 + y^2 - 10*cos(2*pi*x) - 10*cos(2*pi*y)
  amplitude: sqrt(((g^2 - f^2)^2 + (2*z*f*g)^2)/(((g^2 - 1)*(g^2 - f^2) - mu*f^2*g^2)^2 + (2*z*f*g)^2*(g^2 - 1 + mu*g^2)^2))
run: {until: 1}
"""


class Study(Case):
    def columns(self, *command):
        """Columns of the CSV that a study prints, by name."""
        text = self.specht(*command, "--csv", "-")[0]
        rows = list(csv.reader(io.StringIO(text)))
        return {name.split("[")[0]: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}

    def optimum(self, text):
        """The lines 'name = value' of an optimisation."""
        self.write("formula.yaml", FORMULA)
        self.write("o.study.yaml", "study: 1\nkind: optimize\nmodel: formula.yaml\n" + text)
        out = self.specht("study", "o.study.yaml")[0]
        return {a[0].strip(): float(a[1].split()[0]) for a in (line.split(" = ") for line in out.splitlines()) if len(a) == 2}


class Sweep(Study):
    def test_measures_over_a_parameter_have_closed_forms(self):
        self.write("ball.yaml", BALL)
        c = self.columns("sweep", "ball.yaml", "eps=0:0.8:5", "--set", "run.method=event", "--set", "run.until=8 s",
                         "--measure", "total=impulses(bounce)")
        self.assertEqual(c["status"], ["clean"] * 5)
        for e, total in zip(map(float, c["eps"]), map(float, c["total"])):
            self.assertAlmostEqual(total / (2 * math.sqrt(2 * 9.81) * (1 + e) / (1 - e)), 1, delta=1e-8)

    def test_all_combinations_the_first_fastest(self):
        self.write("ball.yaml", BALL)
        c = self.columns("sweep", "ball.yaml", "eps=0.1,0.2", "h=1 m:3 m:3", "-m", "peak(ball.y)")
        self.assertEqual([float(x) for x in c["eps"]], [0.1, 0.2] * 3)
        self.assertEqual([float(x) for x in c["h"]], [1, 1, 2, 2, 3, 3])
        for h, top in zip(c["h"], c["measure_1"]):
            self.assertAlmostEqual(float(top), float(h), delta=1e-4)  # the first of the steps of 1 ms is below it

    def test_a_point_that_cannot_be_built_is_a_result(self):
        self.write("ball.yaml", BALL)
        run = self.specht("sweep", "ball.yaml", "eps=0.5,1.5", "--json", code=1)
        self.assertIn('"invalid"', run[0])
        self.assertIn("expected between 0 and 1", run[0])

    def test_the_first_point_is_a_result_as_all_others_are(self):
        self.write("ball.yaml", BALL)
        rows = {}
        for order in ("0.5,1.5,2", "1.5,0.5,2", "1.5,2,0.5"):
            run = self.specht("sweep", "ball.yaml", "eps=" + order, "-m", "peak(ball.y)", "--fresh", "--csv", "-", code=1)
            rows[order] = sorted(run[0].splitlines()[1:])
            self.assertEqual(len(run[1].splitlines()), 2, run[1])  # each message once: of 1.5 and of 2
        self.assertEqual([row.rsplit(",", 1)[1] for row in rows["0.5,1.5,2"]], ["clean", "invalid", "invalid"])
        self.assertEqual(rows["0.5,1.5,2"], rows["1.5,0.5,2"])
        self.assertEqual(rows["0.5,1.5,2"], rows["1.5,2,0.5"])
        self.assertIn("expected between 0 and 1", self.specht("sweep", "ball.yaml", "eps=1.5,2", code=2)[1])  # of none nothing is known

    def test_many_points_that_cannot_be_built_have_one_line(self):
        self.write("ball.yaml", BALL)
        words = ("sweep", "ball.yaml", "eps=2,0.5", "h=1:2:200", "--set", "run.until=1 ms")
        said = self.specht(*words, code=1)[0]  # more points than are tried; the second value only of an axis can be built
        self.assertIn("200 invalid", said)
        self.assertIn("point 0 and 199 more: ", said)
        self.assertEqual(said.count("expected between 0 and 1"), 1)

    def test_numbers_without_a_unit_and_units_without_a_blank_are_read_as_by_set(self):
        self.write("ball.yaml", BALL.replace("h: 1 m", "h: 100 cm"))
        self.write("points.csv", "h\n0.5\n2\n")
        measure = ("--measure", "top=peak(ball.y)", "--fresh")
        for words in ("h=0.5:2:2", "h=0.5,2", "h=50cm,2m", "h=50cm:2:2", "h=0.5,200 cm", "parameters.h=0.5,2", "vary", "range", "points"):
            with self.subTest(words):
                text = {"vary": "vary: {h: [0.5, 2]}", "range": "vary: {h: {from: 0.5, to: 2, n: 2}}", "points": "points: points.csv"}.get(words)
                self.write("s.study.yaml", f"study: 1\nmodel: ball.yaml\n{text}\nmeasures: {{top: peak(ball.y)}}\n")
                command = ("study", "s.study.yaml", "--fresh") if text else ("sweep", "ball.yaml", words, *measure)
                rows = list(csv.reader(io.StringIO(self.specht(*command, "--csv", "-")[0])))
                self.assertIn(rows[0][0], ("h[m]", "parameters.h[m]"))
                for row, h in zip(rows[1:], (0.5, 2), strict=True):
                    self.assertEqual(float(row[0]), h)
                    self.assertAlmostEqual(float(row[1]), h, delta=1e-4)  # the first of the steps of 1 ms is below it

    def test_mistakes_are_said(self):
        self.write("ball.yaml", BALL)
        for words, said in ((("epz=0:1:3",), "did you mean 'eps'"), (("ball.y=1 m",), "the model has no 'ball', did you mean 'start.ball.y'?"),
                            (("ball.vy=1 m/s",), "did you mean 'start.ball.vy'?"), (("ball.mass=1 kg",), "did you mean 'bodies.ball.mass'?"),
                            (("bell.y=1 m",), "the model has no 'bell' (has: "), (("eps=0:1",), "FROM:TO:N"),
                            (("eps=0 m:1 m:3",), "expected a pure number"), (("h=1 s:2 s:3",), "length"), (("h=1,2 s",), "another unit"),
                            (("eps=0:1:0",), "whole number from 1"), (("eps=0:1:3", "-m", "peak(q)"), "unknown name 'q'"),
                            (("eps=0:1:3000000",), "ms each, some"), (("eps=0:1:3000000",), "--yes"), (("eps=0.5:0.5:3",), "range is empty"), (("eps=0:1:2000000000",), "from 1"),
                            (("eps=0:1:3", "--jobs", "0"), "--jobs"), (("eps=0:1:3", "--shard", "4/3"), "--shard")):
            run = self.specht("sweep", "ball.yaml", *words, code=2)
            self.assertIn(said, run[1])
            self.assertEqual(self.names(), ["ball.yaml"])


class Files(Study):
    def test_mistakes_in_study_files_have_places(self):
        for text, said in (("studdy: 1\n", "study"), (BALL, "this is a model, expected a study"), (SMALL + "modell: a\n", "did you mean 'model'"),
                           (SMALL.replace("alpha", "alfa"), "did you mean 'alpha'"),
                           (SMALL.replace("period: 2*pi\n", ""), "has no 'period"),
                           (SMALL.replace("n: 8", "m: 12"), "unknown key 'm'"),
                           (SMALL + "limit: 0 s\n", "above zero"), (SMALL + "points: nowhere.csv\n", "do not go with"),
                           (SMALL + "sampling: {method: latin, n: 3}\n", "range")):
            self.write("s.study.yaml", text)
            run = self.specht("study", "s.study.yaml", code=2) if "range" != said else None
            if run:
                self.assertIn(said, run[1])
                self.assertIn("s.study.yaml", run[1])

    def test_a_number_without_its_unit_is_told_where_the_study_sets_it(self):
        self.write("ball.yaml", BALL.replace("h: 1 m", "l: 1 m, h: 2*l"))
        self.write("s.study.yaml", "study: 1\nmodel: ball.yaml\nvary:\n  h: [1, 2]\n")
        said = self.specht("study", "s.study.yaml", code=2)[1]
        self.assertIn("s.study.yaml:4:6: start: ball.y = h is a pure number (1, used in ", said)
        self.assertIn("ball.yaml:10), expected a length [m]; write 'h: 1 m' here", said)

    def test_what_a_study_sets_has_its_place(self):
        self.write("ball.yaml", BALL)
        for text, said in (("model: ball.yaml\nset: {eps: nowhere}\n", "s.study.yaml:3:12: parameter 'eps': unknown name 'nowhere'"),
                           ("model: away.yaml\n", "s.study.yaml:2:8: "), ("modle: ball.yaml\n", "s.study.yaml:2:1: study: unknown key 'modle', did you mean 'model'")):
            self.write("s.study.yaml", "study: 1\n" + text)
            self.assertIn(said, self.specht("study", "s.study.yaml", code=2)[1])

    def test_points_from_a_file_and_from_samples(self):
        self.write("ball.yaml", BALL)
        self.write("p.csv", "eps,h [m]\n0.1,1\n0.2,2.5\n")
        self.write("p.study.yaml", "study: 1\nmodel: ball.yaml\npoints: p.csv\nmeasures: {top: max(ball.y)}\n")
        c = self.columns("study", "p.study.yaml")
        self.assertEqual([float(x) for x in c["h"]], [1, 2.5])
        for method in ("random", "latin", "sobol"):
            self.write("r.study.yaml", "study: 1\nmodel: ball.yaml\nvary: {eps: {from: 0, to: 1}, h: {from: 1 m, to: 2 m}}\n"
                       f"sampling: {{method: {method}, n: 16}}\nmeasures: {{top: max(ball.y)}}\n")
            c = self.columns("study", "r.study.yaml", "--fresh")
            eps = sorted(float(x) for x in c["eps"])
            self.assertTrue(all(0 <= x < 1 for x in eps))
            if method != "random":  # one in each sixteenth
                self.assertEqual([int(16 * x) for x in eps], list(range(16)))

    def test_repeats_change_the_seed_and_starts_are_drawn(self):
        self.write("ball.yaml", BALL.replace("h: 1 m", "h: 1 m + 1 m * rand"))
        self.write("r.study.yaml", "study: 1\nmodel: ball.yaml\nrepeat: 4\nmeasures: {top: max(ball.y)}\n")
        self.assertEqual(len(set(self.columns("study", "r.study.yaml")["top"])), 4)
        self.write("q.study.yaml", "study: 1\nmodel: ball.yaml\nstart: {random: 5, of: {ball.y: {from: 1 m, to: 3 m}}}\n"
                   "measures: {top: max(ball.y)}\n")
        c = self.columns("study", "q.study.yaml")
        for y, top in zip(c["start.ball.y"], c["top"]):
            self.assertAlmostEqual(float(y), float(top), delta=1e-4)

    def test_settling_ends_where_measures_stay(self):
        self.write("osc.yaml", "specht: 1\nunits: off\nparameters: {w: 1}\nformula: {coordinates: {x: 1}, "
                   "kinetic: x'^2/2, potential: x^2/2, forces: {x: cos(w*t) - 0.2*x'}}\nmeasures: {a: peak(x)}\nrun: {until: 1}\n")
        self.write("r.study.yaml", "study: 1\nkind: response\nmodel: osc.yaml\nvary: {w: {from: 0.5, to: 1.5, n: 5}}\n"
                   "period: 2*pi/w\nsettle: {block: 5 periods, tolerance: 1e-7}\n")
        c = self.columns("study", "r.study.yaml")
        for w, a in zip(map(float, c["w"]), map(float, c["a"])):
            self.assertAlmostEqual(a * math.hypot(1 - w * w, 0.2 * w), 1, delta=1e-6)
        self.write("r.study.yaml", self.read("r.study.yaml").decode().replace("1e-7}", "1e-7, most: 3}"))
        self.assertIn("unsettled", self.columns("study", "r.study.yaml")["status"])

    def test_a_chain_is_one_long_motion_up_and_back(self):
        # Where the parameter stays as it is and points last whole periods, each goes on with the next third of one run, with
        # the stretch of the damper's spring; so does the way back.
        jenkins = os.path.join(SOURCE, "examples", "jenkins", "jenkins.yaml")
        head = f"study: 1\nmodel: {jenkins}\nset: {{Omega: 2*pi/3}}\nmeasures: {{x_end: final(x), f_end: final(f)}}\n"
        self.write("l.study.yaml", head + "vary: {run.until: [9, 18, 27, 36]}\n")
        whole = self.columns("study", "l.study.yaml")
        for start, stiffness in (("previous", "[1, 1, 1, 1]"), ("both", "[1, 1]")):
            self.write("c.study.yaml", head + f"vary: {{stiffness: {stiffness}}}\nrun: {{until: 9}}\nstart: {start}\n")
            chain = self.columns("study", "c.study.yaml", "--fresh")
            for name in ("x_end", "f_end"):
                for a, b in zip(map(float, chain[name]), map(float, whole[name])):
                    self.assertAlmostEqual(a, b, delta=1e-7)

    def test_a_chain_through_machines_of_several_sizes_says_where_it_begins_anew(self):
        self.write("n.yaml", "specht: 1\nunits: off\nspace: planar\ngravity: 0\nparameters: {links: 1}\n"
                   "bodies: {b: {count: links, mass: 1, joint: {prismatic: ground, axis: [1, 0]}}}\nrun: {until: 1}\n")
        self.write("c.study.yaml", "study: 1\nmodel: n.yaml\nvary: {links: [1, 2, 2]}\nstart: previous\n")
        messages = [p.get("message", "") for p in json.loads(self.specht("study", "c.study.yaml", "--json")[0])["points"]]
        self.assertEqual(["of another size" in m for m in messages], [False, True, False])

    def test_the_ball_on_the_table_has_one_impact_in_a_period(self):
        # The orbit with one impact in each period: it leaves with the speed pi, at the phase phi.
        e, gamma = 0.5, 1.3
        phi = math.acos(math.pi * (1 - e) / (1 + e) / gamma)
        tau = 2 * math.pi - phi
        z, v = gamma * math.sin(phi) + math.pi * tau - tau**2 / 2, math.pi - tau
        self.write("t.study.yaml", f"study: 1\nmodel: {TABLE}\nvary: {{Gamma: [1.3, 1.35]}}\nset: {{e: {e}, start.z: {z!r}, \"start.z'\": {v!r}}}\n"
                   "period: 2*pi\nrun: {until: 220 periods, measure_from: 200 periods}\n"
                   "measures: {rate: impact_rate(table)*2*pi, push: impulses(table)/impacts(table)}\n")
        c = self.columns("study", "t.study.yaml")
        for rate, push in zip(map(float, c["rate"]), map(float, c["push"])):
            self.assertAlmostEqual(rate, 1, delta=0.06)
            self.assertAlmostEqual(push, 2 * math.pi, delta=1e-6)

    def test_studies_of_the_examples_are_well_formed(self):
        # A shard that has no points reads all, builds the first point, and runs nothing.
        for path in sorted(glob.glob(os.path.join(SOURCE, "examples", "*", "*.study.yaml"))):
            with open(path, encoding="utf-8") as f:
                if "kind: optimize" not in f.read():
                    self.specht("study", path, "--shard", "99999/99999", "-o", "part", "-q", "--fresh")

    def test_points_again_have_a_line_through_their_means(self):
        self.write("ball.yaml", BALL.replace("h: 1 m", "h: 1 m + 0.1 m * rand"))
        self.write("r.study.yaml", "study: 1\nmodel: ball.yaml\nvary: {eps: {from: 0, to: 0.8, n: 5}}\nrepeat: 3\nmeasures: {top: max(ball.y)}\n")
        self.specht("study", "r.study.yaml", "-q")
        self.assertIn("r_top.svg", self.specht("plot", "r.h5")[0].split())
        points = self.read("r_top.svg").decode()
        self.assertEqual(points.count("#gpPt6"), 15)


class Meant(Study):
    """What is written is what is run."""

    def setUp(self):
        super().setUp()
        self.write("formula.yaml", FORMULA)
        self.write("ball.yaml", BALL)

    def refused(self, said, text, model="formula.yaml"):
        self.write("r.study.yaml", f"study: 1\nmodel: {model}\n{text}")
        run = self.specht("study", "r.study.yaml", code=2)
        self.assertIn(said, run[1])
        self.assertIn("r.study.yaml:", run[1])

    def test_words_among_numbers_keep_their_places(self):
        c = self.columns("sweep", "formula.yaml", "x=1,f,0,y", "--set", "f=7", "-m", "kept=x")
        self.assertEqual(c["x"], ["1", "f", "0", "y"])
        self.assertEqual([float(x) for x in c["kept"]], [1, 7, 0, 0])

    def test_starts_are_drawn_in_equal_ratios(self):
        self.write("q.study.yaml", "study: 1\nmodel: formula.yaml\nstart: {random: 400, of: {q: {from: 1e-4, to: 1e4, log: yes}}}\n")
        drawn = [math.log10(float(q)) for q in self.columns("study", "q.study.yaml")["start.q"]]
        self.assertAlmostEqual(sum(drawn) / len(drawn), 0, delta=0.5)  # 4 standard errors of 8/sqrt(12 n)

    def test_a_measure_that_is_not_there_is_said(self):
        self.assertIn("no measure of this name", self.specht("sweep", "formula.yaml", "x=0,1", "-m", "sun", code=2)[1])
        self.assertEqual(len(self.columns("sweep", "formula.yaml", "x=0,1", "-m", "sum")["sum"]), 2)

    def test_expressions_of_measures_need_no_parentheses(self):
        c = self.columns("sweep", "formula.yaml", "x=1,2", "-m", "span", "-m", "sum/line", "-m", "twice=2*sum", "-m", "sum")
        self.assertEqual([float(v) for v in c["measure_1"] + c["measure_2"] + c["twice"]], [1, 1, 1, 1, 2, 4])

    def test_changed_points_are_another_study(self):
        self.write("p.study.yaml", "study: 1\nmodel: ball.yaml\npoints: p.csv\nmeasures: {top: max(ball.y)}\n")
        for unit, size in (("m", 1), ("mm", 1e-3)):
            self.write("p.csv", f"eps,h [{unit}]\n0.1,1\n0.2,2\n")
            for k, top in enumerate(self.columns("study", "p.study.yaml")["top"]):
                self.assertAlmostEqual(float(top), (k + 1) * size, delta=1e-12)

    def test_changed_curves_are_another_study(self):
        for slope in (0.3, 0.6):
            self.write("curve.csv", "g,line\n" + "".join(f"{g},{slope * g + 0.7}\n" for g in (0, 1, 2)))
            best = self.optimum("vary: {x: {from: 0, to: 1}, y: {from: 0, to: 1}}\n"
                                "optimize: {fit: {data: curve.csv, vary: g, measure: line}, generations: 60}\n")
            self.assertAlmostEqual(best["x"], slope, delta=1e-3)

    def test_limits_and_curves_have_units(self):
        self.write("m.yaml", BALL.replace("run:", "measures: {size: h, off: abs(h - 3 mm), k: eps}\nrun:"))
        def best(text):
            self.write("o.study.yaml", f"study: 1\nkind: optimize\nmodel: m.yaml\nset: {{run.until: 1 ms}}\n{text}")
            return self.specht("study", "o.study.yaml")[0]
        h = "vary: {h: {from: 0.1 mm, to: 5 mm}}\n"
        self.assertIn("h = 0.00199", best(h + "optimize: {minimize: off, at_most: {size: 2 mm}, generations: 40}\n"))
        self.assertIn("no candidate keeps the limits", best(h + "optimize: {minimize: off, at_most: {size: 1 um}, generations: 4}\n"))
        self.write("c.csv", "h [mm],off [mm]\n1,2\n2,1\n")
        self.assertIn("rms difference of off = 0\n",
                      best("vary: {eps: {from: 0, to: 1}}\noptimize: {fit: {data: c.csv, vary: h, measure: off}, generations: 4}\n"))
        for text, said in (("optimize: {minimize: off, at_most: {size: 2 kg}}\n", "expected 'm'"),
                           ("optimize: {minimize: off, tolerance: 1 mm}\n", "expected a pure number"),
                           ("optimize: {minimize: off}\nrepeat: 2\n", "points of its own")):
            self.refused(said, "kind: optimize\n" + h + text, "m.yaml")

    def test_what_has_no_meaning_is_refused(self):
        vary = "vary: {x: {from: 0, to: 1, n: 3}}\n"
        for text, said in ((vary + "limit: 5 mm\n", "limit: '5 mm' is in 'm', expected 's'"),
                           (vary + "spectrum: {}\nsample: {crossing: q, keep: [q]}\n", "even times"),
                           ("vary: {x: [1 m, 2 mm, 3 s]}\n", "'3 s' has another unit than '1 m'"),
                           (vary + "kind: response\nsettle: {block: 1, most: 1}\n", "two blocks at least"),
                           (vary + "kind: response\nsettle: {block: 1, most: 2.5}\n", "expected a whole number"),
                           (vary + "kind: response\nsettle: {block: 1, tolerance: -1}\n", "a tolerance from 0"),
                           ("vary: {x: [1, 2 m]}\n", "'2 m' has another unit than '1'"),
                           ("vary: {x: {from: -1, to: 1, log: yes}}\nsampling: {method: sobol, n: 4}\n", "one sign"),
                           ("vary: {x: {from: 0, to: 1, start: 2}}\nkind: optimize\noptimize: {minimize: sum}\n", "outside"),
                           (vary + "kind: basin\nsample: {every: 1, keep: [q]}\nbasin: {cell: 1}\nstart: previous\n", "does not go")):
            self.refused(said, text)

    def test_a_period_is_a_time_and_other_words_are_not(self):
        self.write("q.study.yaml", "study: 1\nmodel: formula.yaml\nperiod: 0.5\nrun: {until: 3 periods, measure_from: period}\n"
                   "measures: {length: span}\n")
        self.assertEqual(self.columns("study", "q.study.yaml")["length"], ["1"])

    def test_steps_and_events_see_the_same_window(self):
        # From 1 m down: the largest height is that where the window begins, also inside of a step of 1 ms.
        self.write("fall.yaml", BALL.replace("run:", "measures: {top: max(ball.y), mean: mean(ball.y)}\nrun:"))
        until, g = 0.44, 9.81
        for begin in (0, 0.2, 0.2004):
            c = self.columns("sweep", "fall.yaml", "run.method=moreau,theta,adaptive,event", "--set", f"run.measure_from={begin} s",
                             "--set", f"run.until={until} s", "--fresh")
            for top, mean in zip(map(float, c["top"]), map(float, c["mean"])):
                self.assertAlmostEqual(top, 1 - g / 2 * begin**2, delta=2e-6)
                self.assertAlmostEqual(mean, 1 - g / 6 * (until**3 - begin**3) / (until - begin), delta=2e-6)


class Resuming(Study):
    def setUp(self):
        super().setUp()
        self.write("s.study.yaml", SMALL)
        self.specht("study", "s.study.yaml", "-o", "one.h5", "--jobs", "1")

    def test_workers_and_shards_do_not_matter(self):
        for jobs in ("2", "7"):
            self.specht("study", "s.study.yaml", "-o", "more.h5", "--jobs", jobs, "--fresh")
            self.assertEqual(self.read("more.h5"), self.read("one.h5"))
        self.write("s.study.yaml", SMALL.replace("n: 8}}", "n: 8}, eps: [0.6, 0.7]}"))  # a chain, with its way back, for each
        self.specht("study", "s.study.yaml", "-o", "one.h5", "--jobs", "1", "--fresh")
        parts = [f"part{k}" for k in (1, 2)]
        for k, part in enumerate(parts):
            self.specht("study", "s.study.yaml", "--shard", f"{k + 1}/2", "-o", part)
        self.assertIn("none of the parts", self.specht("merge", "s.study.yaml", "part1", "-o", "all.h5", code=2)[1])
        self.specht("merge", "s.study.yaml", *parts, "-o", "all.h5")
        self.assertEqual(self.read("all.h5"), self.read("one.h5"))

    def test_kills_lose_nothing(self):
        # Chains, and points on their own.  A kill comes when up to 3000 bytes more stand in the journal; should it come late
        # on a busy machine, there is no room for more than 5000: each round is interrupted, whatever the load.
        for kind, n in (("bifurcation", 100), ("sweep", 200)):
            self.write("k.study.yaml", SMALL.replace("bifurcation", kind).replace("n: 8", f"n: {n}").replace("10 p", "100 p"))
            self.specht("study", "k.study.yaml", "-o", "whole.h5", "-q")
            draw = random.Random(1)
            for k in range(8):
                there = len(self.read("k.h5.journal")) if "k.h5.journal" in self.names() else 2000
                room = lambda size=there + 5000: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                run = self.start("study", "k.study.yaml", "-o", "k.h5", "-q", "-j", "2", before=room)
                if self.wait_to_kill(run, "k.h5.journal", draw):
                    workers = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
                    if k % 3 == 0 and workers:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(int(draw.choice(workers)), signal.SIGKILL)
                    run.send_signal((signal.SIGKILL, signal.SIGTERM)[k % 2])
                said = run.communicate()[1]
                self.assertTrue(run.returncode in (-signal.SIGKILL, -signal.SIGTERM, 75) or "what was done is kept" in said, said)
            self.specht("study", "k.study.yaml", "-o", "k.h5", "-q")
            self.assertEqual(self.read("k.h5"), self.read("whole.h5"))
            self.assertNotIn("k.h5.journal", self.names())

    def test_a_worker_that_does_not_listen_is_replaced(self):
        # The only worker stands still: its point ends by the limit, another worker does what is left.
        self.write("k.study.yaml", SMALL.replace("bifurcation", "sweep").replace("n: 8", "n: 200").replace("10 p", "100 p")
                   + "limit: 0.1 s\n")
        run = subprocess.Popen([SPECHT, "study", "k.study.yaml", "-q", "-j", "1"], cwd=self.folder, stderr=subprocess.DEVNULL)
        workers = []
        while not workers and run.poll() is None:
            workers = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        os.kill(int(workers[0]), signal.SIGSTOP)
        self.assertEqual(run.wait(120), 1)
        points = self.specht("csv", "k.h5")[0].splitlines()[1:]
        self.assertEqual(len(points), 200)
        self.assertGreaterEqual(sum(point.endswith(",limit") for point in points), 1)

    def test_stopped_goes_on_and_a_changed_study_is_refused(self):
        long = SMALL.replace("n: 8", "n: 50000")
        self.write("l.study.yaml", long)
        run = self.start("study", "l.study.yaml")
        self.wait_for("l.h5.journal")  # it listens to signals from before that
        run.terminate()
        said = run.communicate(timeout=20)[1]
        self.assertEqual(run.returncode, 75)
        self.assertIn("the same command goes on", said)
        self.write("l.study.yaml", long.replace("to: 1,", "to: 1.1,"))
        refused = self.specht("study", "l.study.yaml", code=2)
        self.assertIn("to: 1.1", refused[1])
        self.assertIn("--fresh", refused[1])

    def test_a_journal_of_another_build_is_refused(self):
        self.specht("study", "s.study.yaml", "--shard", "1/2", "-o", "part")
        head, outcome = self.records("part")
        version = self.specht("version")[0].split()[1]
        about = head[20:-8].decode()
        self.assertIn(f"specht {version}, ", about.split("\n")[0])
        other = version[:-1] + ("0" if version[-1] != "0" else "1")
        with open(self.path("part"), "wb") as f:
            f.write(head[:16] + self.record(about.replace(version, other).encode()) + b"".join(map(self.record, outcome)))
        said = self.specht("study", "s.study.yaml", "--shard", "1/2", "-o", "part", code=2)[1]
        for text in ("another build", version, other, "--fresh"):
            self.assertIn(text, said)

    def test_a_torn_journal_is_cut(self):
        self.specht("study", "s.study.yaml", "--shard", "1/1", "-o", "x.h5")
        self.specht("study", "s.study.yaml", "--shard", "1/2", "-o", "part")
        whole = self.read("part")
        with open(self.path("part"), "wb") as f:
            f.write(whole[:-7])
        self.specht("study", "s.study.yaml", "--shard", "1/2", "-o", "part")
        self.assertEqual(self.read("part"), whole)

    def test_on_a_full_disk_nothing_is_lost(self):
        self.write("f.study.yaml", SMALL.replace("n: 8", "n: 40"))
        self.specht("study", "f.study.yaml", "-o", "whole.h5", "-q")
        room = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        run = subprocess.run([SPECHT, "study", "f.study.yaml", "-o", "f.h5", "-q"], cwd=self.folder, capture_output=True, text=True,
                             preexec_fn=room, restore_signals=False)  # no signal, as on a disk
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("what was done is kept", run.stderr)
        self.assertNotIn("f.h5", self.names())
        self.assertIn("f.h5.journal", self.names())
        self.specht("study", "f.study.yaml", "-o", "f.h5", "-q")
        self.assertEqual(self.read("f.h5"), self.read("whole.h5"))

    def test_a_limit_is_a_status(self):
        self.write("l.study.yaml", f"study: 1\nmodel: {GEAR}\nrun: {{until: 1e7}}\nlimit: 0.05 s\n")
        self.assertIn('"limit"', self.specht("study", "l.study.yaml", "--json", code=1)[0])
        self.assertIn("l.h5.journal", self.names())
        self.assertIn('"limit"', self.specht("study", "l.study.yaml", "--json", "--retry", "failed", code=1)[0])

    def records(self, name):
        """Head of a journal, and its records: (point, bytes of the outcome)."""
        data, at, found = self.read(name), 16, []
        while at < len(data):
            n = struct.unpack_from("<I", data, at)[0]
            found.append(data[at + 4:at + 4 + n])
            at += n + 12
        return data[:16 + len(found[0]) + 12], found[1:]

    @staticmethod
    def record(outcome):
        """An outcome as it stands in a journal: length, bytes, hash of both (FNV-1a)."""
        text, value = struct.pack("<I", len(outcome)) + outcome, 0xcbf29ce484222325
        for byte in text:
            value = (value ^ byte) * 0x100000001b3 % 2**64
        return text + struct.pack("<Q", value)

    def test_a_chain_that_is_tried_again_may_be_killed_at_any_record(self):
        self.write("c.study.yaml", SMALL.replace("n: 8}", "n: 5}, eps: [0.6, 0.7]"))
        run = lambda: self.specht("study", "c.study.yaml", "--shard", "1/2", "-o", "part", "-q", "--retry", "failed", "--jobs", "1")
        run()
        whole = self.read("part")
        head, outcome = self.records("part")
        order = [struct.unpack_from("<Q", o)[0] for o in outcome]
        # Point 3 of the chain failed, and those behind it ended otherwise for that.
        size, measures = struct.calcsize("<QQdiiiiQ"), struct.unpack_from("<i", outcome[0], 32)[0]
        fail = struct.pack("<QQdiiiiQ", order[2], 0, 0.0, 3, 4, measures, 0, 0) + b"fail" + struct.pack("<d", math.nan) * measures
        other = [o[:size] + struct.pack("<d", 7.0) * measures + o[size + 8 * measures:] for o in outcome[3:]]
        before = head + b"".join(map(self.record, outcome[:2] + [fail] + other))
        self.assertEqual(head + b"".join(map(self.record, outcome)), whole)
        for done in range(len(outcome) - 1):
            with open(self.path("part"), "wb") as f:
                f.write(before + b"".join(map(self.record, outcome[2:2 + done])))
            run()
            self.assertEqual(self.read("part"), before + b"".join(map(self.record, outcome[2:])))

    def test_merged_shards_are_tried_again_one_by_one(self):
        self.write("l.study.yaml", f"study: 1\nmodel: {GEAR}\nvary: {{eps: [0.5, 0.6]}}\nlimit: 1e-9 s\n")
        for k in (1, 2):
            self.specht("study", "l.study.yaml", "--shard", f"{k}/2", "-o", f"p{k}")
        self.specht("merge", "l.study.yaml", "p1", "p2", "-o", "m.h5")
        self.assertIn("the shards that it was merged from", self.specht("study", "l.study.yaml", "-o", "m.h5", "--retry", "failed", code=2)[1])

    def test_figures_are_drawn(self):
        drawn = self.specht("plot", "one.h5")[0].split()
        self.assertIn("one_s.svg", drawn)
        self.assertIn("one_noise.svg", drawn)

    def test_the_way_back_has_curves_of_its_own(self):
        self.specht("plot", "one.h5", "-q")
        drawn = self.read("one_noise.svg").decode()
        self.assertIn(">up<", drawn)
        self.assertIn(">down<", drawn)
        # One parameter for each of two values of another: none is on its way back.
        self.specht("sweep", GEAR, "alpha=0.2:0.6:3", "eps=0.5,0.7", "-o", "two.h5", "-q", "--set", "run.until=20")
        self.specht("plot", "two.h5", "-q")
        self.assertNotIn(">down<", self.read("two_noise.svg").decode())
        self.assertNotIn(b"213,  94,   0", self.read("two_s.svg"))

    def test_curves_of_a_second_parameter_have_a_key(self):
        self.specht("sweep", GEAR, "alpha=0.2,0.4,0.6", "eps=0.5,0.7", "-o", "two.h5", "-q", "--set", "run.until=20")
        self.assertIn("two_noise.svg", self.specht("plot", "two.h5")[0].split())
        drawn = self.read("two_noise.svg").decode()
        self.assertIn("eps = 0.5", drawn)
        self.assertIn("eps = 0.7", drawn)


class Optimize(Study):
    def test_a_bent_valley(self):
        best = self.optimum("vary: {x: {from: -2, to: 2, start: -1.5}, y: {from: -2, to: 2, start: 1.5}}\n"
                            "optimize: {minimize: banana, generations: 150}\n")
        self.assertAlmostEqual(best["x"], 1, delta=1e-3)
        self.assertAlmostEqual(best["y"], 1, delta=2e-3)

    def test_one_valley_of_many(self):
        # The deepest of 100 valleys (Rastrigin), from the far corner: one search ends in another one.
        ranges = "vary: {x: {from: -4, to: 5.5, start: 5}, y: {from: -4, to: 5.5, start: 5}}\n"
        self.assertGreater(self.optimum(ranges + "optimize: {minimize: valleys}\n")["valleys"], 0.9)
        os.remove(self.path("o.h5"))
        best = self.optimum(ranges + "optimize: {minimize: valleys, restarts: 6, budget: 6000}\n")
        self.assertLess(best["valleys"], 1e-6)
        whole = self.read("o.h5")
        self.assertLessEqual(len(self.columns("study", "o.study.yaml")["x"]), 6000)
        self.specht("study", "o.study.yaml", "-q", "--fresh", "--jobs", "2")
        self.assertEqual(self.read("o.h5"), whole)
        for wrong, message in (("restarts: 3, method: bobyqa", "method: cmaes"), ("budget: 3", "one generation"), ("restarts: 0", "from 1")):
            self.write("o.study.yaml", f"study: 1\nkind: optimize\nmodel: formula.yaml\n{ranges}optimize: {{minimize: valleys, {wrong}}}\n")
            self.assertIn(message, self.specht("study", "o.study.yaml", code=2)[1])

    @unittest.skipUnless(has_nlopt(), "no NLopt here")
    def test_searches_of_nlopt(self):
        # From behind the bend downhill; all over the ranges; along the limit; and again from any part of the journal.
        ranges = "vary: {x: {from: -2, to: 2, start: -1.2}, y: {from: -2, to: 2, start: 1}}\n"
        for method, delta in (("bobyqa", 1e-3), ("sbplx", 1e-3), ("crs", 1e-2), ("direct", 1e-2)):
            best = self.optimum(ranges + f"optimize: {{minimize: banana, method: {method}, generations: 120}}\n")
            self.assertAlmostEqual(best["x"], 1, delta=delta)
            self.assertAlmostEqual(best["y"], 1, delta=2 * delta)
            os.remove(self.path("o.h5"))
        best = self.optimum("vary: {x: {from: 0, to: 5}, y: {from: 0, to: 5}}\n"
                            "optimize: {minimize: sum, at_least: {product: 1}, method: cobyla}\n")
        self.assertAlmostEqual(best["sum"], 2, delta=1e-3)
        self.assertGreaterEqual(best["x"] * best["y"], 1 - 1e-6)
        whole = self.read("o.h5")
        room = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        run = subprocess.run([SPECHT, "study", "o.study.yaml", "-q", "--fresh"], cwd=self.folder, capture_output=True, text=True,
                             preexec_fn=room, restore_signals=False)
        self.assertIn("what was done is kept", run.stderr)
        self.specht("study", "o.study.yaml", "-q")
        self.assertEqual(self.read("o.h5"), whole)
        self.write("o.study.yaml", self.read("o.study.yaml").decode().replace("cobyla", "bobyqa"))
        self.assertIn("'bobyqa' knows no limits", self.specht("study", "o.study.yaml", code=2)[1])

    def test_a_limit_holds(self):
        best = self.optimum("vary: {x: {from: 0, to: 5}, y: {from: 0, to: 5}}\n"
                            "optimize: {minimize: sum, at_least: {product: 1}, generations: 100}\n")
        self.assertAlmostEqual(best["sum"], 2, delta=1e-3)

    def test_the_absorber_of_least_largest_amplitude(self):
        best = self.optimum("vary: {f: {from: 0.7, to: 1.2, start: 0.75}, z: {from: 0.02, to: 0.4, start: 0.35}}\n"
                            "optimize: {minimize: amplitude, worst_over: {g: {from: 0.85, to: 1.15, n: 31}}, tolerance: 1e-4}\n")
        self.assertAlmostEqual(best["amplitude"], 6.40792, delta=1e-4)
        self.assertAlmostEqual(best["f"], 0.952372, delta=1e-3)
        self.assertAlmostEqual(best["z"], 0.133938, delta=1e-3)

    def test_a_measured_curve_is_fitted(self):
        self.write("curve.csv", "g,line\n" + "".join(f"{g},{0.3 * g + 0.7}\n" for g in (0, 1, 2, 3)))
        best = self.optimum("vary: {x: {from: 0, to: 1}, y: {from: 0, to: 1}}\n"
                            "optimize: {fit: {data: curve.csv, vary: g, measure: line}, generations: 60}\n")
        self.assertAlmostEqual(best["x"], 0.3, delta=1e-3)
        self.assertAlmostEqual(best["y"], 0.7, delta=1e-3)


class Damaged(Study):
    """Results whose tables do not fit together, as flipped bits leave them."""

    def put(self, name, value):
        with h5py.File(self.path("d.h5"), "r+") as f:
            if name in f:
                del f[name]
            f[name] = value

    def text(self, value):
        return np.bytes_(value.encode() + b"\0")

    def part(self, name, columns, rows, value):
        self.put("/parts/names", [self.text(name)])
        self.put(f"/parts/{name}", np.array(value, dtype=float))
        for what, list_of in (("columns", columns), ("units", columns), ("rows", rows)):
            self.put(f"/parts/{name}_{what}", [self.text("\n".join(list_of))])

    def refused(self, what):
        for command in (["csv", "d.h5", "-o", "d.csv"], ["plot", "d.h5", "-o", "figures/"]):
            with self.subTest(damage=what, command=command[0]):
                _, err = self.specht(*command, code=2)
                self.assertIn("'d.h5': the result of a study, but damaged", err)

    def test_tables_that_do_not_fit_are_refused(self):
        self.write("formula.yaml", FORMULA)
        self.write("s.study.yaml", "study: 1\nkind: sweep\nmodel: formula.yaml\nvary: {x: {from: 0, to: 1, n: 3}}\n")
        self.specht("study", "s.study.yaml", "-o", "whole.h5")
        whole = self.read("whole.h5")

        def anew():
            with open(self.path("d.h5"), "wb") as f:
                f.write(whole)

        for name, value in (("/texts/kind", [self.text("sweep")] * 5), ("/texts/along", np.arange(3)),
                            ("/texts/story", np.array(["words"], dtype=h5py.string_dtype())),
                            ("/points/status", np.zeros(3)), ("/points/measures", np.arange(15)),
                            ("/samples/offset", np.array([0, 9, 1, 0], dtype="u8")), ("/texts/kind", [self.text("basin")])):
            anew()
            self.put(name, value)
            if name == "/texts/kind" and len(value) == 1:
                self.put("/points/measures", np.zeros((3, 0)))
            self.refused(name)
        for name, columns, rows, value in (("spectrum", "abc", "", [[-1, 0, 0]]), ("spectrum", "abc", "", [[1e9, 0, 0]]),
                                           ("spectrum", "abc", "", [[math.nan, 0, 0]]), ("spectrum", "a", "", [[0]]),
                                           ("attractors", "abc", "", [[1, 1, 1]]), ("attractors", "abcd", "", [[1e300, 1, 1, 1]]),
                                           ("sensitivity_m", "ab", "", [[0, 0]]),
                                           ("sensitivity_m", ["first_order", "error"], "x", [[0, 0]])):
            anew()
            self.part(name, columns, rows, value)
            self.refused(f"{name} {value}")
        for name, shape in (("multipliers", (2, 1)), ("orbits", (2, 7)), ("orbits", (2, 90))):
            anew()
            self.put(f"/orbits/0/{name}", np.zeros(shape))
            self.refused(name)
        anew()
        self.specht("csv", "d.h5", "-o", "d.csv")


if __name__ == "__main__":
    main()
