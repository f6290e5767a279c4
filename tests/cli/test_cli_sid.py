"""Parts that other programs have reduced: standard input data (SID), against closed forms; damaged text."""
import math
import re
import unittest

import h5py
import numpy as np

from cli_support import Case, main

LENGTH, MASS, EI = 1.0, 0.5, 40.0  # m, kg, N m^2
BETA = (1.8751040687119611, 4.694091132974174, 7.854757438237612)  # cos cosh = -1
GAUSS = np.polynomial.legendre.leggauss(40)
NODES = (0.0, 0.25, 0.5, 0.75, 1.0)
PAIRS = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]  # of xx ... yz


def cantilever(beta, x):
    """A mode of the clamped-free beam of length 1, its slope and its curvature."""
    c = (math.cos(beta) + math.cosh(beta)) / (math.sin(beta) + math.sinh(beta))
    b = beta * x
    return (np.cosh(b) - np.cos(b) - c * (np.sinh(b) - np.sin(b)),
            beta * (np.sinh(b) + np.sin(b) - c * (np.cosh(b) - np.cos(b))),
            beta**2 * (np.cosh(b) + np.cos(b) - c * (np.sinh(b) + np.sin(b))))


class Beam:
    """All the integrals of a cantilever along x that bends along y (first functions) and z, to round-off."""

    def __init__(self, along_y=3, along_z=0, stiffen=True):
        self.functions = [(b, 1) for b in BETA[:along_y]] + [(b, 2) for b in BETA[:along_z]]
        n = self.n = len(self.functions)
        x, weight = np.polynomial.legendre.leggauss(60)
        self.x, self.w = 0.5 * (x + 1) * LENGTH, 0.5 * weight * MASS
        phi = np.zeros((n, 3, 60))
        slope, bend = np.zeros((n, 60)), np.zeros((n, 60))
        for k, (b, axis) in enumerate(self.functions):
            phi[k, axis], slope[k], bend[k] = cantilever(b, self.x / LENGTH)
        place = np.zeros((3, 60))
        place[0] = self.x
        dm = lambda f: f @ self.w
        tensor = lambda a, b: np.array([dm((a * b).sum(0)) * (i == j) - 0.5 * dm(a[i] * b[j] + a[j] * b[i]) for i, j in PAIRS])
        vector = lambda a, b: dm(np.cross(a, b, axis=0))
        same = np.array([[float(a[1] == b[1]) for b in self.functions] for a in self.functions])
        # the axis does not grow longer: a place moves back by half of the integral of slope^2
        self.short = lambda to: -stiffen * same * np.array([[self.pair(a, b, to) for b in self.functions] for a in self.functions])
        second = np.array([self.short(v) for v in self.x])
        back = np.einsum("p,pkl->kl", self.w, second)
        turn = np.einsum("p,pkl->kl", self.w * self.x, second)
        self.J0, self.S0 = tensor(place, place), dm(place)
        self.Ct0 = np.array([dm(f) for f in phi])
        self.Cr0 = np.array([vector(place, f) for f in phi])
        self.Ct1, self.Cr1 = np.zeros((n, n, 3)), np.zeros((n, n, 3))
        self.J1 = np.array([2 * tensor(place, f) for f in phi])
        self.J2, self.Gr0, self.Gr1 = np.zeros((n, n, 6)), np.zeros((3, 3 * n)), np.zeros((3, n, 3 * n))
        self.Ct1[:, :, 0] = back
        cross = lambda a: np.array([[0 * a[0], -a[2], a[1]], [a[2], 0 * a[0], -a[0]], [-a[1], a[0], 0 * a[0]]])
        for k in range(n):
            self.Gr0[:, 3 * k:3 * k + 3] = -2 * dm(np.einsum("ijp,jkp->ikp", cross(place), cross(phi[k])))
            for l in range(n):
                self.Cr1[k, l] = vector(phi[l], phi[k])
                self.J2[k, l] = 2 * tensor(phi[k], phi[l])
                self.J2[k, l, 1:3] += 2 * turn[k, l]
                self.Gr1[:, l, 3 * k:3 * k + 3] = -2 * dm(np.einsum("ijp,jkp->ikp", cross(phi[l]), cross(phi[k])))
        self.Me = np.array([[dm((a * b).sum(0)) for b in phi] for a in phi])
        self.Ke = EI / LENGTH**4 / MASS * LENGTH * same * np.einsum("kp,lp,p->kl", bend, bend, self.w)
        self.De = np.zeros((n, n))

    @staticmethod
    def pair(a, b, to):
        """Integral of the product of two slopes from 0 to a place."""
        x, w = GAUSS
        s = 0.5 * (x + 1) * to
        return 0.5 * to * (w * cantilever(a[0], s / LENGTH)[1] * cantilever(b[0], s / LENGTH)[1]).sum() / LENGTH**2

    def text(self, order=1, oe=(0, 1, 2, 3, 5, 4), skip=()):
        """The file; oe: which entry of J each column of Oe belongs to."""
        n, out = self.n, []
        d = lambda v: ("%.17e" % v).replace("e", "D")

        def series(name, m0, m1=None, structure=3):
            out.append(name)
            m0 = np.asarray(m0, float)
            m1 = m1 if order else None
            out.append("order = %d" % (m1 is not None))
            out.extend("%s = %d" % p for p in (("nrow", m0.shape[0]), ("ncol", m0.shape[1]),
                                               ("nq", n if m1 is not None else 0), ("nqn", 0), ("structure", structure)))
            if structure not in (0, 4):
                for (i, j), v in np.ndenumerate(m0):
                    if v and (structure == 3 or i == j or (structure == 2 and i > j)):
                        out.append("m0( %d, %d) = %s" % (i + 1, j + 1, d(v)))
            if m1 is not None:
                out.extend("m1(%4d,%4d,%4d ) =   %s" % (i + 1, k + 1, j + 1, d(v)) for (i, k, j), v in np.ndenumerate(m1) if v)
            out.append("end " + name)

        out.extend(["%d %d" % (len(NODES), n), "part", "new modal", "refmod", "mass = " + d(MASS), "nelastq = %d" % n])
        out.extend("ielastq ( %d ) = Eigen Mode %d : 1.0 Hz" % (k + 1, k + 1) for k in range(n))
        out.extend(["end refmod", "frame"])
        for i, at in enumerate(NODES):
            phi, psi = np.zeros((3, n)), np.zeros((3, n))
            for k, (b, axis) in enumerate(self.functions):
                value, slope, _ = cantilever(b, at / LENGTH)
                phi[axis, k], psi[3 - axis, k] = value, slope / LENGTH * (1 if axis == 1 else -1)
            out.extend(["new node = %d" % (i + 1), "rframe = body ref"])
            phi2 = np.zeros((3, n, n))
            phi2[0] = self.short(at)
            series("origin", [[at], [0], [0]], phi[:, :, None])
            series("phi", phi, phi2)
            series("psi", psi)
            series("AP", np.eye(3), structure=4)
            out.append("end node")
        out.append("end frame")
        spin = lambda m: np.stack([m[..., e] * (-0.5 if e < 3 else -1) for e in oe], -1)
        for name, *rest in (("mdCM", self.S0[:, None], self.Ct0.T[:, :, None]), ("J", self.J0[:, None], self.J1.T[:, :, None]),
                            ("Ct", self.Ct0, self.Ct1), ("Cr", self.Cr0, self.Cr1), ("Me", self.Me, None, 2),
                            ("Gr", self.Gr0, self.Gr1), ("Ge", np.concatenate(list((self.Cr1 - self.Cr1.transpose(1, 0, 2)).transpose(1, 0, 2)), 1)),
                            ("Oe", spin(self.J1), spin(self.J2)), ("ksigma", np.zeros((n, 1)), None, 0),
                            ("Ke", self.Ke), ("De", self.De)):
            if name not in skip:
                series(name, *rest)
        return "\n".join(out + ["end modal", "end part", ""])


MODEL = """\
specht: 1
space: spatial
gravity: 0
parameters: {Om: 0 rad/s}
bodies:
  hub: {joint: {revolute: ground, axis: [0, 0, 1], motion: "Om*t"}}
  arm: {elastic: {file: arm.h5}, joint: {weld: hub}, points: {tip: [1 m, 0, 0]}}
run: {until: 1 ms, output_step: 1 ms}
"""


class Sid(Case):
    def take(self, text, *args, code=0):
        self.write("arm.SID_FEM", text)
        return self.specht("reduce", "arm.SID_FEM", "-o", "arm.h5", *args, code=code)

    def modes(self, *args, model=MODEL):
        self.write("m.yaml", model)
        return self.json("modes", "m.yaml", "--json", *args)["modes"]

    def part(self):
        with h5py.File(self.path("arm.h5"), "r") as f:
            return {name: f[name][...] for name in f}

    def test_a_cantilever_has_its_frequencies(self):
        for dim in ("spatial", "planar"):
            self.take(Beam(2).text())
            model = MODEL if dim == "spatial" else MODEL.replace("spatial", "planar").replace(", axis: [0, 0, 1]", "").replace(
                "[1 m, 0, 0]", "[1 m, 0]")
            for mode, b in zip(self.modes(model=model), BETA):
                exact = b**2 / (2 * math.pi) * math.sqrt(EI / (MASS / LENGTH) / LENGTH**4)
                self.assertLess(abs(mode["frequency_hz"] / exact - 1), 1e-9)

    def test_spin_stiffens_it_as_wright_has_it(self):
        # Om = 4 in units of sqrt(EI/(rhoA L^4)): in the plane of rotation 3.89772, across it 5.58500; three modes are 1.6e-4 above
        unit = math.sqrt(EI / (MASS / LENGTH) / LENGTH**4)
        self.take(Beam(3, 3).text())
        found = sorted(m["frequency_hz"] * 2 * math.pi / unit for m in self.modes("--set", "Om=%.17g" % (4 * unit)))
        for got, exact in zip(found, (3.89772, 5.58500)):
            self.assertLess(abs(got / exact - 1), 5e-4)
        self.assertLess(abs(found[1]**2 - found[0]**2 - 16), 1e-6)

    def test_all_numbers_arrive_whatever_way_they_are_written(self):
        beam = Beam(2, 2)
        n = beam.n
        for text, hint in ((beam.text(), None), (beam.text(oe=(0, 1, 2, 3, 4, 5)), "xz, yz"),
                           (beam.text().replace("D+", "E+").replace("\n", " \r\n  "), None),
                           (re.sub(r"m1\( *(\d+), *(\d+), *(\d+) \)", r"m1( \1, \3, \2)", beam.text()).replace(
                               "5 4\n", "5 nodes, 4 modes, generated by a script\n", 1), "row, column, function"),
                           (beam.text(skip=("Gr", "Ge", "De", "ksigma")), None)):
            out, _ = self.take(text)
            self.assertEqual("note" in out, hint is not None, out)
            self.assertIn(hint or "", out)
            part = self.part()
            for name in ("J0", "Ct0", "Ct1", "Cr0", "Cr1", "J1", "J2", "Me", "Ke"):
                want = getattr(beam, name)
                self.assertLess(np.abs(part[name].ravel() - want.ravel()).max(), 1e-12 * np.abs(want).max(), name)
            self.assertEqual(part["stiffens"][0], 1)
            self.assertLess(np.abs(part["interface_phi2"].reshape(5, n, n, 3)[-1, :, :, 0] - beam.short(1.0)).max(), 1e-9)
        self.assertIn("held at node '1' at [0, 0, 0]", out)

    def test_what_the_file_leaves_out_is_said_or_found_elsewhere(self):
        beam = Beam(2, 2, stiffen=False)
        # without Oe: second inertia by Gr, which has no stiffening
        out, _ = self.take(beam.text(skip=("Oe",)))
        self.assertIn("geometric stiffness: none", out)
        self.assertLess(np.abs(self.part()["J2"].ravel() - beam.J2.ravel()).max(), 1e-12)
        # all of order 0: Ge gives the Coriolis terms, Oe or Gr the inertia, second inertia is nowhere
        out, _ = self.take(beam.text(order=0))
        part = self.part()
        self.assertIn("J2", out)
        for name in ("Cr1", "J1"):
            self.assertLess(np.abs(part[name].ravel() - getattr(beam, name).ravel()).max(), 1e-12, name)
        self.assertEqual(np.abs(part["J2"]).max(), 0)

    def test_damping_of_the_file_damps(self):
        beam = Beam(2)
        beam.De = 0.04 * np.diag(np.sqrt(np.diag(beam.Ke) / np.diag(beam.Me)) * np.diag(beam.Me))  # 2 zeta omega m: 2 %
        out, _ = self.take(beam.text())
        self.assertEqual(out.count(" 0.02\n"), 2, out)
        for mode in self.modes():
            self.assertLess(abs(mode["damping"] / 0.02 - 1), 1e-9)

    def test_gravity_bends_the_tip(self):
        # the modes are orthogonal: weight over modal stiffness, but for the weight along the deformed axis
        beam = Beam(2)
        self.take(beam.text())
        self.write("m.yaml", MODEL.replace("gravity: 0", "gravity: [0, -0.01, 0]").replace(
            "output_step: 1 ms", "output_step: 1 ms, start: settled"))
        state = self.json("run", "m.yaml", "--json", "-o", "out.h5")["state"]
        want = -0.01 * beam.Ct0[:, 1] / np.diag(beam.Ke)
        for k in range(2):
            self.assertLess(abs(state["q"]["arm.e%d" % (k + 1)] / want[k] - 1), 1e-3)

    def test_text_that_is_cut_off_anywhere_is_refused(self):
        whole = Beam(2).text()
        self.write("arm.h5", "precious")
        for n in [0, 1, 7] + list(range(20, len(whole) - 2, len(whole) // 20)) + [len(whole) - 12, len(whole) - 2]:
            _, err = self.take(whole[:n], code=2)
            self.assertIn("arm.SID_FEM", err)
        self.assertEqual(self.read("arm.h5"), b"precious")

    def test_damaged_text_is_refused_with_its_line(self):
        whole = Beam(2).text()
        self.write("arm.h5", "precious")
        line = lambda words: str(whole[:whole.index(words)].count("\n") + 1)
        for old, new, words in (
                ("nelastq = 2", "nelastq = 3", ": 3 functions, but the first line"),
                ("nelastq = 2", "nelastq = x", line("nelastq") + ": 'nelastq = x', expected a whole number"),
                ("nelastq = 2", "nelastq = 0", "expected 1 to 60"),
                ("mass = 5", "mass = -5", "mass -"),
                ("end refmod", "end refmood", line("end refmod") + ": 'end refmood'"),
                ("new node = 3", "new knot = 3", line("new node = 3") + ": 'new knot = 3'"),
                ("rframe = body ref", "rframe = node 7", "expected 'body ref'"),
                ("\nJ\n", "\nI\n", "'I', expected"),
                ("\nJ\norder = 1\nnrow = 6", "\nJ\norder = 1\nnrow = 7", "7 rows and 1 columns, expected 6 and 1"),
                ("mdCM\norder = 1\nnrow = 3", "mdCM\norder = 1\nnrow = 1000000000", "expected 0 to"),
                ("mdCM\norder = 1", "mdCM\norder = 2", "order 2, expected 0 or 1"),
                ("mdCM\norder = 1\n", "mdCM\n", "expected order, nrow"),
                ("m0( 1, 1) = 2.5", "m0( 4, 1) = 2.5", "origin of node '2': 'm0( 4, 1)"),
                ("m0( 1, 1) = 2.5", "m0( 1 1) = 2.5", "expected m0 with 2 indices"),
                ("m0( 1, 1) = 2.5", "m0( 1, 1) 2.5", "expected ') = number'"),
                ("m0( 1, 1) = 2.5", "m0( 1, 1) = 2.5Q", "expected a number"),
                ("m0( 1, 1) = 2.5", "m0( 1, 1) = nan", "expected a number"),
                ("m0( 1, 1) = 2.5", "m0( 1, 1) = 1D999 ", "expected a number"),
                ("m1(   2,   1,   1 ) =   ", "m1(   2,   1,   1 ) = -", "of origin is"),
                ("ksigma\norder = 0\nnrow = 2\nncol = 1\nnq = 0\nnqn = 0\nstructure = 0\n",
                 "ksigma\norder = 0\nnrow = 2\nncol = 1\nnq = 0\nnqn = 0\nstructure = 3\nm0(1, 1) = 1\n", "initial stress"),
                ("end part", "new modal", "one body"),
                ("new modal", "new model", "no line 'new modal'")):
            self.assertIn(old, whole)
            _, err = self.take(whole.replace(old, new, 1), code=2)
            self.assertIn(words, err)
        at = whole.index("m0( 2, 2)", whole.index("\nKe\n"))
        self.assertIn("is there twice", self.take(whole[:at] + "m0( 1, 1)" + whole[at + 9:], code=2)[1])
        for change, words in ((lambda b: b.Ke.__imul__(-1), "negative stiffness"), (lambda b: b.Me.fill(1), "depend on each other"),
                              (lambda b: b.Ke.__setitem__((0, 1), 9), "Ke is not symmetric"),
                              (lambda b: b.De.__isub__(np.eye(2)), "negative damping")):
            beam = Beam(2)
            change(beam)
            self.assertIn(words, self.take(beam.text(), code=2)[1])
        for name in ("Me", "J", "Ct", "Cr", "Ke", "mdCM"):
            self.assertIn("'%s' is missing" % name, self.take(Beam(2).text(skip=(name,)), code=2)[1])
        at = whole.index("\nmdCM\n")
        self.assertIn("m1 of mdCM", self.take(whole[:at] + whole[at:].replace("m1(   2,   1,   1 ) =   ", "m1(   2,   1,   1 ) = -", 1),
                                              code=2)[1])
        text = Beam(2, 2).text()
        oe = text.index("\nOe\n")
        self.assertIn("m0 of Oe and the derivatives of J", self.take(text[:oe] + text[oe:].replace("m0( 1, 4) = ", "m0( 1, 4) = -", 1), code=2)[1])
        self.assertEqual(self.read("arm.h5"), b"precious")

    def test_options_of_meshes_are_refused_and_a_missing_file_is_bad_input(self):
        self.assertIn("--modes is for meshes", self.take(Beam(1).text(), "--modes", "4", code=2)[1])
        self.specht("reduce", "arm.SID_FEM", code=2)
        for name in ("none.SID_FEM", "none.inp", "none.sti"):
            _, err = self.specht("reduce", name, "-o", "p.h5", *([] if "SID" in name else ["--interface", "A"]), code=2)
            self.assertIn("none", err)
        self.assertNotIn("p.h5", self.names())


if __name__ == "__main__":
    main()
