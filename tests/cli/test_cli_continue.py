"""specht study, kind continue: branches of periodic motions, folds, doublings, other branches, mistakes."""
import csv
import glob
import io
import math
import os
import shutil
import subprocess
import unittest

from cli_support import SOURCE, Case, main

TABLE = os.path.join(SOURCE, "examples", "table_ball", "table_ball.yaml")

DUFFING = """\
specht: 1
units: off
parameters: {w: 1.2}
formula: {coordinates: {x: 1}, kinetic: x'^2/2, potential: x^2/2 + x^4/4, forces: {x: 0.3*cos(w*t) - 0.1*x'}}
measures: {amplitude: max(x)}
run: {until: 10}
"""

# A hand on a clock: a self-excited oscillator of van der Pol's kind, on one branch without special orbits.
CLOCK = """\
specht: 1
units: off
parameters: {mu: 0.5}
formula: {coordinates: {x: 1}, kinetic: x'^2/2, potential: x^2/2, forces: {x: mu*(1 - x^2)*x'}}
start: {x: 2}
run: {until: 10}
"""

# The same for AUTO-07p: the forcing comes from an oscillator of its own, (sin w t, cos w t).
AUTO = "/usr/lib/auto-07p/lib"
EQUATIONS = """\
      SUBROUTINE FUNC(NDIM,U,ICP,PAR,IJAC,F,DFDU,DFDP)
      IMPLICIT NONE
      INTEGER NDIM, IJAC, ICP(*)
      DOUBLE PRECISION U(NDIM), PAR(*), F(NDIM), DFDU(*), DFDP(*), R
      R = U(3)**2 + U(4)**2
      F(1) = U(2)
      F(2) = PAR(1)*U(4) - 0.1D0*U(2) - U(1) - U(1)**3
      F(3) = U(3) + PAR(2)*U(4) - U(3)*R
      F(4) = U(4) - PAR(2)*U(3) - U(4)*R
      END SUBROUTINE FUNC
      SUBROUTINE STPNT(NDIM,U,PAR,T)
      IMPLICIT NONE
      INTEGER NDIM
      DOUBLE PRECISION U(NDIM), PAR(*), T, TPI
      TPI = 8*ATAN(1.0D0)
      PAR(1) = 0.0D0
      PAR(2) = 1.2D0
      PAR(11) = TPI/PAR(2)
      U(1) = 0
      U(2) = 0
      U(3) = SIN(TPI*T)
      U(4) = COS(TPI*T)
      END SUBROUTINE STPNT
      SUBROUTINE BCND
      END SUBROUTINE BCND
      SUBROUTINE ICND
      END SUBROUTINE ICND
      SUBROUTINE FOPT
      END SUBROUTINE FOPT
      SUBROUTINE PVLS
      END SUBROUTINE PVLS
"""
CONSTANTS = """\
NDIM= 4, IPS = 2, IRS = {first}, ILP = {folds}
ICP = [{free}, 11]
NTST= 50, NCOL= 4, IAD = 3, ISP = 1, ISW = 1, IPLT= 0, NBC= 0, NINT= 0
NMX= 400, NPR= 0, MXBF= 0, IID = 0, ITMX= 12, ITNW= 7, NWTN= 3, JAC= 0
EPSL= 1e-10, EPSU = 1e-10, EPSS = 1e-9
DS = 0.01, DSMIN= 0.00001, DSMAX= 0.1, IADS= 1
UZSTOP = {{{stop}}}
"""


def duffing_fold(near):
    """Fold of x'' + 0.1 x' + x + x^3 = 0.3 cos w t near (x, v, w), by code that has nothing in common with the program's: RK4 in
    150 and 300 steps, extrapolated, on (x, v) and its variation; Newton's method on P(x) = x, det(M - 1) = 0."""
    def rates(t, y, w):
        x, v, a, b, c, d = y
        s = -(1 + 3 * x * x)
        return (v, 0.3 * math.cos(w * t) - 0.1 * v - x - x**3, c, d, s * a - 0.1 * c, s * b - 0.1 * d)

    def fly(x, v, w, n):
        y, h = (x, v, 1.0, 0.0, 0.0, 1.0), 2 * math.pi / w / n
        for i in range(n):
            t = i * h
            k1 = rates(t, y, w)
            k2 = rates(t + h / 2, [p + h / 2 * q for p, q in zip(y, k1)], w)
            k3 = rates(t + h / 2, [p + h / 2 * q for p, q in zip(y, k2)], w)
            k4 = rates(t + h, [p + h * q for p, q in zip(y, k3)], w)
            y = tuple(p + h / 6 * (q + 2 * r + 2 * s + u) for p, q, r, s, u in zip(y, k1, k2, k3, k4))
        return y

    def open_(z, n):
        x, v, w = z
        y = fly(x, v, w, n)
        return [y[0] - x, y[1] - v, (y[2] - 1) * (y[5] - 1) - y[3] * y[4]]

    def solve(z, n):
        for _ in range(12):
            f, J, h = open_(z, n), [], 1e-6
            for k in range(3):
                up, down = list(z), list(z)
                up[k] += h
                down[k] -= h
                J.append([(p - q) / (2 * h) for p, q in zip(open_(up, n), open_(down, n))])
            (a, b, c), (d, e, g), (i, j, k) = J  # columns
            det = a * (e * k - g * j) - d * (b * k - c * j) + i * (b * g - c * e)
            def cramer(m):
                (a, b, c), (d, e, g), (i, j, k) = m
                return a * (e * k - g * j) - d * (b * k - c * j) + i * (b * g - c * e)
            step = [cramer([f if m == q else J[m] for m in range(3)]) / det for q in range(3)]
            z = [p - q for p, q in zip(z, step)]
            if max(abs(q) for q in step) < 1e-10:
                break
        return z

    start = near
    coarse = solve(start, 150)
    fine = solve(coarse, 300)
    return fine[2] + (fine[2] - coarse[2]) / 15


class Continue(Case):
    def point(self, name):
        text = self.specht("study", name, "--csv", "-")[0]
        return [{k.split("[")[0]: v for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))][0]

    def table(self, path, columns):
        """Rows of a dataset with so many columns."""
        out = subprocess.run(["h5dump", "-y", "-m", "%.17g", "-d", path, "s.h5"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        x = [float(word) for word in out.split("DATA {")[1].split("}")[0].replace(",", " ").split()]
        return [x[i:i + columns] for i in range(0, len(x), columns)]

    def ball(self, e, more, to=1.5):
        G = math.pi * (1 - e) / (1 + e)
        gamma = 1.1 * G
        phi = math.acos(1 / 1.1)
        z, v = gamma * math.sin(phi) + math.pi * phi - phi**2 / 2, -math.pi + phi
        self.write("s.study.yaml", f"study: 1\nkind: continue\nmodel: {TABLE}\nset: {{e: {e}, start.z: {z!r}, \"start.z'\": {v!r}}}\nperiod: 2*pi\n"
                   f"continue: {{parameter: {{Gamma: {{from: {0.9 * G!r}, to: {to!r}, start: {gamma!r}}}}}, transient: 1, longest: 0.5, {more}}}\n")
        return G

    def test_birth_and_doubling_of_the_ball_on_the_table(self):
        for e in (0.3, 0.5, 0.8):
            G1 = math.pi * (1 - e) / (1 + e)
            G2 = math.sqrt(G1**2 + (2 * (1 + e * e) / (1 + e)**2)**2)
            self.ball(e, "step: 0.3", to=1.02 * G2)
            row = self.point("s.study.yaml")
            self.assertEqual(row["status"], "clean")
            self.assertAlmostEqual(float(row["fold"]), G1, delta=1e-10)
            self.assertAlmostEqual(float(row["doubling"]), G2, delta=1e-10)

    def test_the_second_doubling(self):
        # The orbit with two impacts is born at the first doubling; its product of multipliers is e^4 all along.
        self.ball(0.5, "step: 0.1, doublings: 1", to=1.7)
        row = self.point("s.study.yaml")
        G2 = math.sqrt((math.pi / 3)**2 + (2.5 / 2.25)**2)
        self.assertAlmostEqual(float(row["doubling"]), G2, delta=1e-10)
        rows = self.table("/branches/0/orbits", 10)
        first, second = ([r for r in rows if r[0] == k] for k in (0, 1))
        longest = 0.5 * (1.7 - 0.9 * math.pi / 3)  # a step, of the range: orbits follow each other as they lie along the branch
        self.assertLess(max(abs(a[2] - b[2]) for a, b in zip(first, first[1:])), longest)
        self.assertAlmostEqual(second[0][3], 4 * math.pi, delta=1e-12)
        self.assertTrue(all(r[2] > G2 for r in second))
        self.assertTrue(all(r[4] == 0 for r in second if r[2] < float(row["doubling_2"]) - 1e-6))
        self.assertTrue(any(r[4] == 1 for r in second if r[2] > float(row["doubling_2"]) + 1e-6))
        # Beyond it a run settles to four impacts in four periods, before it to two in two.
        self.assertAlmostEqual(float(row["doubling_2"]), 1.66713, delta=1e-4)
        for gamma, period in ((float(row["doubling_2"]) - 0.02, 2), (float(row["doubling_2"]) + 0.01, 4)):
            self.write("b.study.yaml", f"study: 1\nmodel: {TABLE}\nset: {{e: 0.5, Gamma: {gamma!r}, start.z: 1.7, \"start.z'\": -2.7}}\nperiod: 2*pi\n"
                       "run: {until: 162.3 periods, measure_from: 150.3 periods}\nsample: {every: 2*pi, keep: [z']}\n")
            self.specht("study", "b.study.yaml")
            out = subprocess.run(["h5dump", "-y", "-m", "%.17g", "-d", "/samples/value", "b.h5"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
            v = [float(word) for word in out.split("DATA {")[1].split("}")[0].replace(",", " ").split()]
            self.assertLess(max(abs(a - b) for a, b in zip(v, v[period:])), 1e-4)
            self.assertGreater(max(abs(a - b) for a, b in zip(v, v[period // 2:])), 1e-2)

    def test_the_other_orbit_ends_where_it_grazes_the_table(self):
        # Behind the fold the ball leaves the table before it has its mean height; further on it comes down to it in between.
        for e, delta in ((0.05, 1e-7), (0.2, 1e-6)):
            G1 = math.pi * (1 - e) / (1 + e)

            def clear(gamma):
                """The least height above the table behind the impact."""
                phi = -math.acos(G1 / gamma)
                gap = lambda t: gamma * math.sin(phi) + math.pi * (t - phi) - (t - phi)**2 / 2 - gamma * math.sin(t)
                near = min((phi + 0.1 + k * 1e-3 for k in range(4000)), key=gap)
                return min(gap(near + k * 1e-6) for k in range(-1000, 1001))

            low, high = G1, 2 * G1
            while high - low > 1e-8:
                low, high = ((low + high) / 2, high) if clear((low + high) / 2) > 0 else (low, (low + high) / 2)
            self.ball(e, "step: 0.02", to=1.3 * math.hypot(G1, 2 * (1 + e * e) / (1 + e)**2))
            row = self.point("s.study.yaml")
            self.assertEqual(row["status"], "clean")
            self.assertAlmostEqual(float(row["fold"]), G1, delta=1e-10)
            grazing = [r[2] for r in self.table("/branches/0/orbits", 10) if r[1] == 5]
            self.assertAlmostEqual(min(grazing, key=lambda g: abs(g - low)), low, delta=delta)
            os.remove(self.path("s.h5"))

    def test_folds_of_duffings_oscillator(self):
        self.write("duffing.yaml", DUFFING)
        self.write("s.study.yaml", "study: 1\nkind: continue\nmodel: duffing.yaml\nperiod: 2*pi/w\n"
                   "continue: {parameter: {w: {from: 1.3, to: 1.9}}, transient: 20, step: 0.3, longest: 0.6}\n")
        row = self.point("s.study.yaml")
        n = len(self.table("/branches/0/orbits", 9))
        self.assertEqual(n, int(row["orbits"]))
        folds = [(r, s) for r, s in zip(self.table("/branches/0/orbits", 9), self.table("/branches/0/states", 3)) if r[1] == 1]
        self.assertEqual(len(folds), 2)
        r, (t, x, v) = folds[0]
        # The program begins its orbits anywhere; the reference at the time zero.
        w = duffing_fold(self.at_zero(r[2], t, x, v))
        self.assertAlmostEqual(r[2], w, delta=1e-6)

    @unittest.skipUnless(os.path.isdir(AUTO) and shutil.which("gfortran"), "no AUTO-07p here")
    def test_folds_are_those_of_auto(self):
        self.write("duffing.yaml", DUFFING)
        self.write("s.study.yaml", "study: 1\nkind: continue\nmodel: duffing.yaml\nperiod: 2*pi/w\n"
                   "continue: {parameter: {w: {from: 1.3, to: 1.9}}, transient: 20, step: 0.3, longest: 0.6}\n")
        self.point("s.study.yaml")
        ours = [r[2] for r in self.table("/branches/0/orbits", 9) if r[1] == 1]
        self.write("d.f90", EQUATIONS)
        subprocess.run(["gfortran", "d.f90", *sorted(glob.glob(AUTO + "/*.o")), "-fopenmp", "-o", "d"], cwd=self.folder, check=True,
                       capture_output=True)
        self.write("fort.3", "")
        # The force grows from zero to 0.3 at w = 1.2, then w goes over the range.
        for first, free, stop in ((0, 1, "1: 0.3"), (2, 2, "2: [0.9, 2.2]")):
            self.write("fort.2", CONSTANTS.format(first=first, folds=int(first > 0), free=free, stop=stop))
            subprocess.run([self.path("d")], cwd=self.folder, check=True, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
            os.replace(self.path("fort.8"), self.path("fort.3"))
        rows = [line.split() for line in self.read("fort.7").decode().splitlines()]
        theirs = [float(row[4]) for row in rows if row[2:3] == ["5"]]
        self.assertEqual(len(theirs), 2)
        for a, b in zip(sorted(ours), sorted(theirs)):
            self.assertAlmostEqual(a, b, delta=1e-7)

    def at_zero(self, w, t, x, v):
        """The orbit through (x, v) at t, one period after the time zero."""
        n, end = 4000, 2 * math.pi / w
        h = (end - t) / n
        f = lambda t, x, v: (v, 0.3 * math.cos(w * t) - 0.1 * v - x - x**3)
        for i in range(n):
            s = t + i * h
            a = f(s, x, v)
            b = f(s + h / 2, x + h / 2 * a[0], v + h / 2 * a[1])
            c = f(s + h / 2, x + h / 2 * b[0], v + h / 2 * b[1])
            d = f(s + h, x + h * c[0], v + h * c[1])
            x, v = x + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]), v + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        return [x, v, w]

    def test_machines_without_forcing(self):
        # The period of van der Pol's oscillator is 2 pi (1 + mu^2/16 - 5 mu^4/3072 - ...).
        self.write("clock.yaml", CLOCK)
        self.write("s.study.yaml", "study: 1\nkind: continue\nmodel: clock.yaml\n"
                   "continue: {parameter: {mu: {from: 0.1, to: 0.5, start: 0.5}}, section: {crossing: x}, transient: 60, step: 0.2, longest: 0.5}\n")
        row = self.point("s.study.yaml")
        self.assertEqual(row["fold"], "nan")
        rows = self.table("/branches/0/orbits", 8)
        self.assertGreater(len(rows), 2)
        for r in rows:
            mu = r[2]
            # the next terms: theory of averaging to order 6
            self.assertAlmostEqual(r[3] / (2 * math.pi), 1 + mu**2 / 16 - 5 * mu**4 / 3072, delta=mu**6 / 500)

    def test_mistakes_are_said(self):
        for text, message in (("", "the section is missing"), ("continue: {parameter: {}}\n", "expected one parameter"),
                              ("continue: {parameter: {Gamma: {from: 2, to: 1}}}\n", "range is empty"),
                              ("continue: {parameter: {Gamma: {from: 1, to: 2}}, step: 2}\n", "step <= longest")):
            self.write("s.study.yaml", f"study: 1\nkind: continue\nmodel: {TABLE}\nperiod: 2*pi\n{text}")
            self.assertIn(message, self.specht("study", "s.study.yaml", code=2)[1])


if __name__ == "__main__":
    main()
