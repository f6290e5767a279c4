"""specht study of the kinds that conclude something from all points: basins, sensitivity, spectra."""
import csv
import io
import json
import math
import os

from cli_support import SOURCE, Case, main

TABLE = os.path.join(SOURCE, "examples", "table_ball", "table_ball.yaml")

# A particle between two wells, the same from both sides.
WELL = """\
specht: 1
units: off
parameters: {d: 0.3}
formula: {coordinates: {x: 1}, kinetic: x'^2/2, potential: x^4/4 - x^2/2, forces: {x: -d*x'}}
run: {until: 400, method: event}
"""
# A lever that a spring pulls over to one of two stops.
LEVER = """\
specht: 1
space: planar
gravity: 0
bodies:
  ground: {points: {hook: [0, 120 mm]}}
  lever: {mass: 0.1 kg, inertia: 2e-3 kg*m^2, joint: {revolute: ground, damping: 0.02 N*m*s/rad, range: [-25 deg, 25 deg], law: {eps_N: 0.6}}, points: {pin: [0, 80 mm]}}
forces: {over: {spring: [ground.hook, lever.pin], stiffness: 2 N/mm, rest: 60 mm}}
run: {until: 1 s}
"""
# Everything is a function of the parameters alone.
PLAIN = """\
specht: 1
units: off
parameters: {a: 0, b: 0, c: 0}
formula: {coordinates: {q: 1}, kinetic: q'^2/2}
outputs: {two: 3*sin(2*pi*2*t) + 0.5*cos(2*pi*5*t) + 1 + a}
measures:
  ishigami: sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)
  linear: 2*a - 3*b + 5
  root: a/(c + 4)
run: {until: 2, step: 0.01}
"""
RANGES = "vary: {a: {from: -pi, to: pi}, b: {from: -pi, to: pi}, c: {from: -pi, to: pi}}\n"


class Kind(Case):
    def study(self, text, *options, model=PLAIN):
        """The result as JSON."""
        self.write("m.yaml", model)
        self.write("s.study.yaml", "study: 1\nmodel: m.yaml\n" + text)
        return json.loads(self.specht("study", "s.study.yaml", "--fresh", "--json", *options)[0])

    def part(self, result, name):
        """A part: {row: {column: value}}."""
        part = result["parts"][name]
        columns = [c["name"] for c in part["columns"]]
        return {row["name"] or k: dict(zip(columns, row["values"])) for k, row in enumerate(part["rows"])}

    def refused(self, text, said, model=PLAIN):
        self.write("m.yaml", model)
        self.write("s.study.yaml", "study: 1\nmodel: m.yaml\n" + text)
        self.assertIn(said, self.specht("study", "s.study.yaml", code=2)[1])


class Basin(Kind):
    def test_a_start_at_rest_stays_in_its_well_and_the_image_is_symmetric(self):
        r = self.study("kind: basin\nvary: {start.x: {from: -1.9, to: 1.9, n: 20}, start.x': {from: -1, to: 1, n: 5}}\n"
                       "sample: {every: 1, keep: [x, x']}\nbasin: {cell: 0.02, recurrences: 20, states: 10}\n", model=WELL)
        image = {tuple(p["parameters"]): p["measures"][0] for p in r["points"]}
        states = self.part(r, "attractor_states")
        side = {s["attractor"]: math.copysign(1, s["x"]) for s in states.values()}
        self.assertEqual(sorted(side), [1, 2])
        for s in states.values():
            self.assertAlmostEqual(abs(s["x"]), 1, delta=0.01)
        for (x, v), a in image.items():
            if v == 0 and abs(x) < math.sqrt(2):  # its energy is below that of the hill between the wells
                self.assertEqual(side[a], math.copysign(1, x))
            twin = min(image, key=lambda p: math.hypot(p[0] + x, p[1] + v))
            self.assertEqual(side[a], -side[image[twin]])
        self.assertTrue(any(side[a] * x < 0 for (x, v), a in image.items()))  # those that go over the hill

    def test_drawn_starts_have_shares_of_one_half(self):
        text = ("kind: basin\nvary: {start.x: {from: -2, to: 2}, start.x': {from: -2, to: 2}, d: {from: 0.2, to: 0.4}}\n"
                "sampling: {method: random, n: 300}\nsample: {every: 1, keep: [x, x']}\n"
                "basin: {cell: {x: 0.02, x': 0.02}, recurrences: 20, states: 10}\n")
        r = self.study(text, model=WELL)
        rows = self.part(r, "attractors")
        self.assertEqual(len(rows), 2)
        for row in rows.values():
            self.assertLess(abs(row["share"] - 0.5), 3 * row["error"])
            self.assertAlmostEqual(row["error"], math.sqrt(row["share"] * (1 - row["share"]) / 300), delta=1e-12)
        whole = self.read("s.h5")
        self.study(text, "--jobs", "3", model=WELL)
        self.assertEqual(self.read("s.h5"), whole)

    def test_periods_are_those_of_the_ball_on_the_table(self):
        # Below its doubling at Gamma = 1.5268 one impact is like the next, above it every second one.
        e, gamma = 0.5, 1.3
        phi = math.acos(math.pi * (1 - e) / (1 + e) / gamma)
        tau = 2 * math.pi - phi
        z, v = gamma * math.sin(phi) + math.pi * tau - tau**2 / 2, math.pi - tau
        self.write("t.study.yaml", f"study: 1\nkind: basin\nmodel: {TABLE}\nset: {{start.z: {z!r}, start.z': {v!r}}}\n"
                   "vary: {Gamma: [1.3, 1.6]}\nrun: {until: 4000}\nsample: {impacts: table, keep: [t mod (2*pi), z']}\n"
                   "basin: {cell: 0.01, recurrences: 50}\n")
        r = json.loads(self.specht("study", "t.study.yaml", "--json")[0])
        self.assertEqual([p["measures"][:2] for p in r["points"]], [[1, 1], [2, 2]])

    def test_what_finds_nothing_is_unsettled(self):
        self.write("m.yaml", WELL)
        self.write("s.study.yaml", "study: 1\nkind: basin\nmodel: m.yaml\nvary: {start.x: [1, 1.5]}\nrun: {until: 10}\n"
                   "sample: {every: 1, keep: [x, x']}\nbasin: {cell: 0.001}\n")
        r = json.loads(self.specht("study", "s.study.yaml", "--json")[0])
        self.assertEqual([p["status"] for p in r["points"]], ["unsettled"] * 2)
        self.assertEqual(self.part(r, "attractors")["none found"]["points"], 2)

    def test_cells_of_angles_are_in_radians_or_degrees(self):
        start = ("kind: basin\nvary: {start.lever.phi: [-10 deg, 10 deg]}\nrun: {until: 20 s}\n"
                 "sample: {every: 10 ms, keep: [lever.joint.phi, lever.joint.omega]}\nbasin: {cell: {lever.joint.phi: %s, lever.joint.omega: %s}}\n")
        known = [[p["measures"][0] for p in self.study(start % cells, model=LEVER)["points"]]
                 for cells in (("1 deg", "1 rad/s"), (f"{math.pi / 180} rad", "1000 mrad/s"), (math.pi / 180, "1 s^-1"))]
        self.assertEqual(known, [[1, 2]] * 3)
        self.refused(start % ("1 mm", "1 rad/s"), "cells of 'lever.joint.phi' are in 'm', expected 'rad'", model=LEVER)
        self.refused(start % ("1 deg", "1"), "cells of 'lever.joint.omega' are in '1', expected 'rad/s'", model=LEVER)

    def test_mistakes_are_said(self):
        start = "kind: basin\nvary: {start.x: [0, 1]}\n"
        keep = "sample: {every: 1, keep: [x]}\n"
        for text, said in ((start + keep, "section 'basin' belong together"), (start + "basin: {cell: 1}\n", "what is kept is missing"),
                           (start + keep + "basin: {cell: 0}\n", "above 0"), (start + keep + "basin: {cell: {y: 1}}\n", "'y' is not among"),
                           (start + keep + "basin: {cell: 1 m}\n", "expected '1'"), (start + keep + "basin: {cell: {}}\n", "missing"),
                           (start + keep + "basin: {cell: 1}\nmeasures: {a: peak(x)}\n", "no measures")):
            self.refused(text, said, model=WELL)


class Sensitivity(Kind):
    def test_sobol_indices_of_ishigamis_function(self):
        r = self.study("kind: sensitivity\n" + RANGES + "sensitivity: {method: sobol, n: 4096}\n")
        rows = self.part(r, "sensitivity_ishigami")
        for name, first, total in (("a", 0.3139, 0.5576), ("b", 0.4424, 0.4424), ("c", 0, 0.2437)):
            self.assertAlmostEqual(rows[name]["first_order"], first, delta=0.005)
            self.assertAlmostEqual(rows[name]["total"], total, delta=0.005)
        linear = self.part(r, "sensitivity_linear")
        self.assertAlmostEqual(linear["a"]["first_order"], 4 / 13, delta=0.005)
        self.assertAlmostEqual(linear["c"]["total"], 0, delta=1e-12)

    def test_slopes_and_elementary_effects_of_a_linear_function(self):
        r = self.study("kind: sensitivity\n" + RANGES + "sensitivity: {method: local}\n")
        rows = self.part(r, "sensitivity_linear")
        for name, slope in (("a", 2), ("b", -3), ("c", 0)):
            self.assertAlmostEqual(rows[name]["slope"], slope, delta=1e-9)
            self.assertAlmostEqual(rows[name]["change_over_range"], 2 * math.pi * slope, delta=1e-9)
        rows = self.part(self.study("kind: sensitivity\n" + RANGES + "sensitivity: {method: morris, n: 8}\n"), "sensitivity_linear")
        for name, slope in (("a", 2), ("b", -3), ("c", 0)):
            self.assertAlmostEqual(rows[name]["mean_effect"], 2 * math.pi * slope, delta=1e-9)
            self.assertAlmostEqual(rows[name]["mean_size"], 2 * math.pi * abs(slope), delta=1e-9)
            self.assertAlmostEqual(rows[name]["spread"], 0, delta=1e-6)

    def test_about_a_start_and_on_ranges_in_equal_ratios(self):
        r = self.study("kind: sensitivity\nvary: {a: {from: 1, to: 4, log: yes, start: 3}, c: {from: 1, to: 2}}\n"
                       "sensitivity: {method: local, step: 1e-4}\n")
        self.assertAlmostEqual(self.part(r, "sensitivity_root")["a"]["slope"], 1 / 5.5, delta=1e-6)
        self.assertAlmostEqual(self.part(r, "sensitivity_root")["c"]["slope"], -3 / 5.5**2, delta=1e-6)

    def test_mistakes_are_said(self):
        for text, said in ((RANGES, "a range of a grid needs n"), (RANGES + "kind: sensitivity\n", "belong together"),
                           ("kind: sensitivity\nsensitivity: {method: local}\n", "needs ranges"),
                           ("kind: sensitivity\n" + RANGES + "sensitivity: {method: lokal}\n", "local"),
                           ("kind: sensitivity\n" + RANGES + "sensitivity: {method: local, step: 2}\n", "at most 0.5"),
                           ("kind: sensitivity\n" + RANGES + "sensitivity: {method: local}\nrepeat: 3\n", "points of its own")):
            self.refused(text, said)


class Spectrum(Kind):
    def test_amplitudes_of_two_lines(self):
        for window, leak in (("none", 1e-9), ("hann", 0.3)):
            r = self.study("vary: {a: [0, 1]}\nset: {run.method: event}\nsample: {every: 0.02, keep: [two]}\n"
                           f"spectrum: {{window: {window}}}\n")
            rows = [(s["point"], s["frequency"], s["two"]) for s in self.part(r, "spectrum").values()]
            self.assertEqual(len(rows), 2 * 51)
            for point, f, amplitude in rows:
                wanted = {0: 1 + point, 2: 3, 5: 0.5}.get(round(f, 9), 0)
                if wanted or window == "none" or min(abs(f - 2), abs(f - 5)) > 0.6:
                    self.assertAlmostEqual(amplitude, wanted, delta=1e-9)
                else:
                    self.assertAlmostEqual(amplitude, {1.5: 1.5, 2.5: 1.5}.get(round(f, 9), 0.25), delta=1e-9)  # Hann's neighbours

    def test_tables_and_figures(self):
        self.study("vary: {a: [0, 1, 2]}\nset: {run.method: event}\nsample: {every: 0.02, keep: [two, q]}\nspectrum: {}\n")
        self.assertIn("spectrum", self.specht("csv", "s.h5", "--list")[0].split())
        rows = list(csv.reader(io.StringIO(self.specht("csv", "s.h5", "--names", "spectrum")[0])))
        self.assertEqual(rows[0], ["point[1]", "frequency[1]", "two[1]", "q[1]"])
        self.assertIn("--list", self.specht("csv", "s.h5", "--names", "nothing", code=2)[1])
        drawn = self.specht("plot", "s.h5")[0].split()
        for name in ("s_spectrum_two.svg", "s_section.svg", "s_linear.svg"):
            self.assertIn(name, drawn)
            self.assertIn(b"</svg>", self.read(name))
        self.study("kind: sensitivity\n" + RANGES + "sensitivity: {method: morris, n: 4}\n")
        drawn = self.specht("plot", "s.h5")[0].split()
        self.assertIn("s_sensitivity_ishigami.svg", drawn)
        self.assertIn("s_parallel.svg", drawn)


class Orbits(Kind):
    def test_multipliers_are_drawn_and_on_the_page(self):
        folder = os.path.join(SOURCE, "examples", "friction_oscillator")
        self.write("f.study.yaml", f"study: 1\nkind: orbit\nmodel: {folder}/friction_oscillator.yaml\nvary: {{F_over_P: [0.2, 0.4]}}\n"
                   "set: {b: 1.2}\nperiod: 2*pi/b\norbit: {transient: 40}\n")
        self.specht("study", "f.study.yaml")
        self.assertIn("f_multipliers.svg", self.specht("plot", "f.h5")[0].split())
        self.write("page.html", "<script type=\"application/json\">/*SPECHT_DATA*/</script>")
        self.specht("report", "f.h5", "-o", "f.html", env={"SPECHT_STUDY_PAGE": self.path("page.html")})
        data = json.loads(self.read("f.html").decode().split(">", 1)[1].rsplit("</script>", 1)[0])
        self.assertEqual(data["kind"], "orbit")
        self.assertEqual([m["point"] for m in data["multipliers"]], [0, 1])
        for m in data["multipliers"]:
            self.assertEqual(len(m["values"]), 2)
            self.assertLess(max(math.hypot(*v) for v in m["values"]), 1)
        self.assertEqual(data["command"], f"specht run '{folder}/friction_oscillator.yaml' --set 'b=1.2'")


if __name__ == "__main__":
    main()
