"""Rings and annular plates that bend: closed forms, the plate's equation by shooting, spin, mistakes."""
import math

from cli_support import Case, main

RING = """\
specht: 1
space: planar
gravity: 0
units: off
parameters: {Om: 0}
bodies:
  hoop:
    ring: {radius: 2, section: {area: 0.5, inertia: 0.3}, young: 7, density: 1.5}
    elastic: {bending: 6}
    joint: {free: ground}
    points: {east: [2, 0], north: [0, 2]}
start: {hoop.omega: Om}
outputs: {east: hoop.east.dx, north: hoop.north.dy}
run: {until: 1}
"""

PLATE = """\
specht: 1
space: spatial
gravity: [0, 0, -1e-3]
units: off
parameters: {Om: 0}
bodies:
  disc:
    plate: {radii: [0.5, 1], thickness: 0.01, young: 1e6, density: 100, poisson: 1/3}
    elastic: {bending: [3, 3], ends: ENDS}
    joint: {weld: ground}
    points: {rim: [0.6, 0.8, 0]}
outputs: {w: disc.rim.dz}
run: {until: 0.01, start: settled}
"""
NU, INSIDE = 1.0 / 3.0, 0.5
STIFF = 1e6 * 0.01 ** 3 / (12.0 * (1.0 - NU * NU))  # D; 1 kg/m^2


def rim(beta4, k, held, load=0.0, steps=300):
    """Bending moment and shear at the rim, over D, of solutions of (nabla^2)^2 w = beta^4 w + load/D that are held inside
    (w = 0, and w' = 0 or no moment), for both starts that are free there; then w, and of the load alone."""
    def rate(r, y, q):
        w, w1, w2, w3 = y
        # (nabla^2)^2 w = w4 + 2 w3/r - (1 + 2 k^2) w2/r^2 + (1 + 2 k^2) w1/r^3 + (k^4 - 4 k^2) w/r^4
        w4 = q + beta4 * w - 2 * w3 / r + (1 + 2 * k * k) * (w2 / r - w1 / r / r) / r - (k ** 4 - 4 * k * k) * w / r ** 4
        return [w1, w2, w3, w4]

    ends = []
    starts = ([0, 0, 1, 0], [0, 0, 0, 1]) if held == "clamped" else ([0, 1, -NU / INSIDE, 0], [0, 0, 0, 1])
    for y, q in ((list(starts[0]), 0.0), (list(starts[1]), 0.0), ([0, 0, 0, 0], load)):
        h, r = (1.0 - INSIDE) / steps, INSIDE
        for _ in range(steps):
            a = rate(r, y, q)
            b = rate(r + h / 2, [x + h / 2 * d for x, d in zip(y, a)], q)
            c = rate(r + h / 2, [x + h / 2 * d for x, d in zip(y, b)], q)
            d = rate(r + h, [x + h * d for x, d in zip(y, c)], q)
            y = [x + h / 6 * (i + 2 * j + 2 * m + n) for x, i, j, m, n in zip(y, a, b, c, d)]
            r += h
        w, w1, w2, w3 = y
        moment = w2 + NU * (w1 - k * k * w)
        shear = w3 + w2 - w1 - k * k * (w1 - 2 * w) - (1 - NU) * k * k * (w1 - w)
        ends.append((moment, shear, w))
    return ends


RING_STRESS = """\
specht: 1
space: planar
gravity: 0
bodies:
  ring: {ring: {radius: 0.2 m, section: {rectangle: [30 mm, 4 mm]}, young: 200 GPa, density: 7850 kg/m^3},
         elastic: {bending: 4}, joint: {free: ground}, points: {p: [0.2 m, 0]}}
outputs: {s: ring.p.stress}
run: {until: 1 ms}
"""


class Round(Case):
    def eigenvalues(self, path, *args):
        modes = self.json("modes", path, "--json", *args)["modes"]
        return sorted(mode["eigenvalue"][1] for mode in modes)

    def test_a_free_ring_has_its_frequencies(self):
        found = [omega for omega in self.eigenvalues(self.write("ring.yaml", RING)) if omega > 1e-3]
        for k in (2, 3, 4):
            omega = math.sqrt(7 * 0.3 / (1.5 * 0.5 * 2 ** 4) * (k * (k * k - 1)) ** 2 / (k * k + 1))
            for omega_k in found[2 * k - 4:2 * k - 2]:
                self.assertLess(abs(omega_k / omega - 1.0), 1e-9)

    def test_a_turning_ring_is_stiffened_by_its_tension(self):
        # Carrier 1945: seen from the ring, s = 2 k Om/(k^2 + 1) +- sqrt(omega_k^2 + (k (k^2 - 1) Om/(k^2 + 1))^2)
        k, Om = 2, 0.7
        text = RING.replace("joint: {free: ground}", 'joint: {revolute: ground, speed: "Om"}').replace(
            "start: {hoop.omega: Om}\n", "").replace("bending: 6", "bending: 2")
        found = self.eigenvalues(self.write("ring.yaml", text), "--set", f"Om={Om}", "--state", "start")
        omega = math.sqrt(7 * 0.3 / (1.5 * 0.5 * 2 ** 4) * (k * (k * k - 1)) ** 2 / (k * k + 1))
        middle, half = 2 * k * Om / (k * k + 1), math.hypot(omega, k * (k * k - 1) * Om / (k * k + 1))
        for found_k, exact in zip(found[-2:], (half - middle, half + middle)):
            self.assertLess(abs(found_k / exact - 1.0), 1e-9)
        # the run keeps its energy
        path = self.write("ring.yaml", RING.replace("start: {", "start: {hoop.e1: 0.3, hoop.e2': 0.2, "))
        self.specht("run", path, "-q", "-o", "out.h5", "--set", "Om=2")
        head, *rows = self.specht("csv", "out.h5")[0].strip().splitlines()
        names = [name.split("[")[0] for name in head.split(",")]
        energy = [sum(float(row.split(",")[names.index(n)]) for n in ("energy.kinetic", "energy.potential")) for row in rows]
        self.assertLess(max(abs(e / energy[0] - 1.0) for e in energy), 1e-9)

    def test_plates_have_the_frequencies_of_their_equation(self):
        for held in ("clamped", "pinned"):
            path = self.write("plate.yaml", PLATE.replace("ENDS", held + "-free"))
            found = self.eigenvalues(path)
            lowest = sorted(found[:7])
            for k, omega in enumerate((lowest[0], lowest[1], lowest[3], lowest[5])):
                dets = []
                for x in (omega * (1.0 - 2e-5), omega * (1.0 + 2e-5)):
                    (m1, v1, _), (m2, v2, _), _ = rim(x * x / STIFF, k, held)
                    dets.append(m1 * v2 - m2 * v1)
                self.assertLess(dets[0] * dets[1], 0.0, (held, k, omega))

    def test_a_plate_sags_by_its_weight(self):
        for held in ("clamped", "pinned"):
            self.specht("run", self.write("plate.yaml", PLATE.replace("ENDS", held + "-free")), "-q", "-o", "out.h5")
            head, row = self.specht("csv", "out.h5")[0].splitlines()[:2]
            w = float(row.split(",")[[name.split("[")[0] for name in head.split(",")].index("w")])
            (m1, v1, w1), (m2, v2, w2), (m0, v0, w0) = rim(0.0, 0, held, -1e-3 / STIFF)
            det = m1 * v2 - m2 * v1
            a, b = (-m0 * v2 + v0 * m2) / det, (-m1 * v0 + v1 * m0) / det
            self.assertLess(abs(w / (w0 + a * w1 + b * w2) - 1.0), 2e-4)

    def test_functions_of_a_plate_have_its_modes(self):
        text = PLATE.replace("ENDS", "clamped-free")
        modes = self.eigenvalues(self.write("m.yaml", text))
        given = ", ".join("(r - 0.5)^%d*%s" % (k, f) for f in ("cos(2*phi - 0.3)", "1") for k in range(2, 8))
        ours = self.eigenvalues(self.write("m.yaml", text.replace("bending: [3, 3]", "functions: [%s]" % given)))
        for omega in ours[:2]:  # without waves and with two; six polynomials are 9e-7 above eight
            self.assertLess(min(abs(x / omega - 1.0) for x in modes), 2e-6)
        for wrong, words in (("(r - 0.4)^2", "is no shape of this plate"), ("(r - 0.5)^2*cos(13*phi)", "at most 12 waves"),
                             ("(r - 0.5)^2, 2*(r - 0.5)^2", "depend on each other"), ("1", "does not depend on the place"),
                             ("(r - 0.5)^2*x", "'r' and 'phi', the place on the plate")):
            bad = self.write("bad.yaml", text.replace("bending: [3, 3]", "functions: [%s]" % wrong))
            self.assertIn(words, self.specht("check", bad, code=2)[1])

    def test_masses_on_a_plate_are_those_of_bodies_welded_to_it(self):
        text = PLATE.replace("ENDS", "clamped-free")
        mass = text.replace("poisson: 1/3}", "poisson: 1/3, masses: [[0.8, 30 deg, 0.4], [1, 2, 0.7]]}")
        weld = text.replace("outputs:", "  a: {mass: 0.4, inertia: 1e-12, joint: {weld: disc, at: [%.17g, %.17g, 0]}}\n"
                            "  b: {mass: 0.7, inertia: 1e-12, joint: {weld: disc, at: [%.17g, %.17g, 0]}}\noutputs:" % (
                                0.8 * math.cos(math.pi / 6), 0.8 * math.sin(math.pi / 6), math.cos(2), math.sin(2)))
        ours, other = (self.eigenvalues(self.write("m.yaml", t)) for t in (mass, weld))
        self.assertLess(max(abs(a / b - 1.0) for a, b in zip(ours, other)), 1e-8)
        self.assertGreater(abs(ours[0] / self.eigenvalues(self.write("m.yaml", text))[0] - 1.0), 0.1)

    def test_a_turning_plate_is_stiffened_by_its_stresses(self):
        # for small stiffness its lowest wave without nodes (k = 0) has Om^2 times a number between 0 and 3; Southwell: the
        # frequencies of plate and membrane add up to a lower bound of the squares
        text = PLATE.replace("weld: ground", 'revolute: ground, axis: [0, 0, 1], speed: "Om"').replace("ENDS", "clamped-free")
        text = text.replace("[0, 0, -1e-3]", "0").replace(", start: settled", "")
        path = self.write("plate.yaml", text)
        soft = self.write("soft.yaml", text.replace("thickness: 0.01", "thickness: 0.00001"))
        rest = self.eigenvalues(path)[1]
        turns = self.eigenvalues(path, "--set", "Om=20", "--state", "start")[1]
        alone = self.eigenvalues(soft, "--set", "Om=20", "--state", "start")[1]
        self.assertGreater(alone, 20.0)
        self.assertLess(rest ** 2 + alone ** 2, turns ** 2 * (1.0 + 1e-6))
        self.assertLess(turns ** 2, (rest ** 2 + alone ** 2) * 1.1)

    def test_mistakes_are_explained(self):
        for text, old, new, words in (
                (RING, "bending: 6", "bending: 0", "bending"),
                (RING, "bending: 6", "bending: 6, stretch: 1", "'stretch' does not belong to a ring"),
                (RING, "    elastic: {bending: 6}\n", "", "expected 'elastic' beside it"),
                (RING, "    joint:", "    mass: 1\n    joint:", "follows from 'ring'"),
                (RING, "radius: 2", "radius: -2", "radius = -2"),
                (PLATE, "radii: [0.5, 1]", "radii: [1, 0.5]", "expected the inner one, above 0, first"),
                (PLATE, "ENDS", "free-free", "expected clamped-free or pinned-free"),
                (PLATE, "[3, 3]", "[9, 30]", "too many functions"),
                (PLATE, "1/3", "0.6", "expected above -1 and below 0.5")):
            text = text.replace(old, new).replace("ENDS", "clamped-free")
            _, err = self.specht("check", self.write("bad.yaml", text), code=2)
            self.assertIn(words, err)

    def test_rings_have_no_section_forces(self):
        _, err = self.specht("check", self.write("ring.yaml", RING_STRESS), code=2)
        self.assertIn("has no 'stress'", err)


if __name__ == "__main__":
    main()
