"""Parts from finite elements: against CalculiX, dense matrices, thin beams; statics, energy, bad input."""
import importlib.util
import math
import os
import shutil
import subprocess
import unittest

import h5py
import numpy as np

from cli_support import SOURCE, Case, main

CCX = shutil.which("ccx")
FOLDER = os.path.join(SOURCE, "examples", "reduced_part")


def mesh_of(*args, **more):
    """The deck of a bar by the script of the example."""
    spec = importlib.util.spec_from_file_location("mesh", os.path.join(FOLDER, "mesh.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.bar(*args, **more)


def brick(size, young, poisson, density):
    """Stiffness and mass of a brick of 8 nodes by Gauss' points, corners in binary order."""
    corners = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
    lame, shear = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 + 2 * poisson)
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += lame
    K, m, volume = np.zeros((24, 24)), np.zeros((8, 8)), size[0] * size[1] * size[2]
    for point in range(8):
        x = [0.5 + (0.5 if point >> d & 1 else -0.5) / math.sqrt(3) for d in range(3)]
        part = [[x[d] if c[d] else 1 - x[d] for d in range(3)] for c in corners]
        value = np.array([p[0] * p[1] * p[2] for p in part])
        slope = np.array([[(1 if c[d] else -1) * p[(d + 1) % 3] * p[(d + 2) % 3] / size[d] for d in range(3)]
                          for c, p in zip(corners, part)])
        B = np.zeros((6, 24))
        for a in range(8):
            for row, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]):
                B[row, 3 * a + i] += slope[a, j]
                if i != j:
                    B[row, 3 * a + j] += slope[a, i]
        K += B.T @ law @ B * volume / 8
        m += density * np.outer(value, value) * volume / 8
    return corners, K, np.kron(m, np.eye(3))


def bricks(n, size):
    """K, M and places of a bar of bricks."""
    young, poisson, density = 210e9, 0.3, 7850.0
    corners, k, m = brick([s / c for s, c in zip(size, n)], young, poisson, density)
    grid = [(i, j, l) for i in range(n[0] + 1) for j in range(n[1] + 1) for l in range(n[2] + 1)]
    number = {at: a for a, at in enumerate(grid)}
    K, M = np.zeros((3 * len(grid), 3 * len(grid))), np.zeros((3 * len(grid), 3 * len(grid)))
    for i in range(n[0]):
        for j in range(n[1]):
            for l in range(n[2]):
                nodes = [number[i + c[0], j + c[1], l + c[2]] for c in corners]
                rows = [3 * a + d for a in nodes for d in range(3)]
                K[np.ix_(rows, rows)] += k
                M[np.ix_(rows, rows)] += m
    places = [[at[0] * size[0] / n[0]] + [(at[d] / n[d] - 0.5) * size[d] for d in (1, 2)] for at in grid]
    return K, M, np.array(places)


def frequencies(K, M, keep):
    """Dense eigenvalues in Hz, rising."""
    L = np.linalg.cholesky(M[np.ix_(keep, keep)])
    A = np.linalg.solve(L, np.linalg.solve(L, K[np.ix_(keep, keep)]).T)
    return np.sqrt(np.maximum(np.linalg.eigvalsh((A + A.T) / 2), 0)) / (2 * math.pi)


PART = """\
specht: 1
space: spatial
gravity: 0
parameters: {Om: 0 rad/s}
bodies:
  hub: {joint: {revolute: ground, axis: [0, 0, 1], motion: "Om*t"}}
  rod: {elastic: {file: part.h5}, joint: {weld: hub}, points: {tip: [0.4 m, 0, 0]}}
start: {rod.e1: 1e-5 m}
run: {until: 1 ms, output_step: 1 ms}
"""


def has_reduce():
    """Whether the program was built with SuiteSparse."""
    from cli_support import SPECHT
    out = subprocess.run([SPECHT, "reduce", "none.inp", "-o", "x.h5", "--interface", "A"], capture_output=True, text=True)
    return "SuiteSparse" not in out.stderr


class Market(Case):
    """Matrices made here: no finite-element program is needed."""
    N, SIZE = (8, 2, 1), (0.4, 0.04, 0.02)

    def setUp(self):
        super().setUp()
        if not has_reduce():
            self.skipTest("the program was built without SuiteSparse")
        self.K, self.M, self.at = bricks(self.N, self.SIZE)
        for name, A in ("K", self.K), ("M", self.M):
            rows, columns = np.nonzero(np.tril(np.abs(A) > 0))
            self.write(name + ".mtx", "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n" %
                       (len(A), len(A), len(rows)) +
                       "".join("%d %d %.17g\n" % (i + 1, j + 1, A[i, j]) for i, j in zip(rows, columns)))
        ends = {0.0: " ROOT", self.SIZE[0]: " TIP"}
        self.write("nodes.csv", "id, x, y, z, sets\n" + "".join(
            "%d, %.17g, %.17g, %.17g,%s\n" % (a + 1, *x, ends.get(x[0], "")) for a, x in enumerate(self.at)))

    def reduce(self, *args, code=0, **how):
        return self.specht("reduce", "K.mtx", "--mass", "M.mtx", "--nodes", "nodes.csv", "-o", "part.h5", *args,
                           code=code, **how)

    def held(self):
        return [3 * a + d for a in range(len(self.at)) if self.at[a, 0] > 0 for d in range(3)]

    def modes(self, text, *args):
        self.write("m.yaml", text)
        return [m["frequency_hz"] for m in self.json("modes", "m.yaml", "--json", *args)["modes"]]

    def test_frequencies_are_those_of_dense_matrices(self):
        self.reduce("--modes", "8", "--interface", "ROOT")
        exact = frequencies(self.K, self.M, self.held())
        for found, want in zip(self.modes(PART), exact[:8]):
            self.assertLess(abs(found / want - 1), 1e-6)

    def test_a_free_part_has_the_elastic_modes_of_dense_matrices(self):
        self.reduce("--free", "--modes", "5", "--interface", "TIP")
        exact = frequencies(self.K, self.M, range(len(self.K)))[6:]
        found = self.modes(PART.replace("joint: {weld: hub}", "joint: {free: ground}"))
        found = [f for f in found if f > 1.0]
        for got, want in zip(found, exact[:5]):
            self.assertLess(abs(got / want - 1), 1e-6)

    def test_statics_at_an_interface_are_those_of_the_whole_stiffness(self):
        # two modes alone: what they leave out, the function of the interface has
        self.reduce("--modes", "2", "--interface", "ROOT,TIP")
        keep, tip = self.held(), np.flatnonzero(self.at[:, 0] == self.SIZE[0])
        weight = np.array([self.M[3 * a, 3 * a] for a in tip])
        row = np.zeros(len(self.K))
        row[3 * tip + 2] = weight / weight.sum()
        exact = 1000 * row[keep] @ np.linalg.solve(self.K[np.ix_(keep, keep)], row[keep])
        with h5py.File(self.path("part.h5"), "r") as f:
            phi = f["interface_phi"][...].reshape(2, -1, 3)[1]
            found = 1000 * phi[:, 2] @ np.linalg.solve(f["Ke"][...], phi[:, 2])
        self.assertLess(abs(found / exact - 1), 1e-9)

    def momentum(self, state):
        """Momentum and angular momentum of the part by the numbers of its file, in the world."""
        with h5py.File(self.path("part.h5"), "r") as f:
            g = {name: f[name][...] for name in f}
        n = len(g["Ct0"])
        q, u = ([state[s]["rod.e%d%s" % (k + 1, dash)] for k in range(n)] for s, dash in (("q", ""), ("u", "'")))
        q, u, b = np.array(q), np.array(u), state["bodies"]["rod"]
        w, x, y, z = (b["q" + c] for c in "wxyz")
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        at = np.array([b[c] for c in "xyz"])
        v, spin = (R.T @ np.array([b[name + c] for c in "xyz"]) for name in ("v", "omega_"))
        Ct1, Cr1, J2 = (g[name].reshape(n, n, -1) for name in ("Ct1", "Cr1", "J2"))
        S = g["mdCM"].ravel() + q @ g["Ct0"] + 0.5 * np.einsum("k,l,kli", q, q, Ct1)
        J = g["J0"].ravel() + q @ g["J1"] + 0.5 * np.einsum("k,l,kli", q, q, J2)
        J = np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]])
        p = g["mass"].ravel()[0] * v + np.cross(spin, S) + u @ g["Ct0"] + np.einsum("k,l,kli", u, q, Ct1)
        L = np.cross(S, v) + J @ spin + u @ g["Cr0"] + np.einsum("k,l,kli", u, q, Cr1)
        return R @ p, np.cross(at, R @ p) + R @ L

    def test_a_tumbling_part_keeps_energy_and_momentum_however_large_it_deforms(self):
        self.reduce("--free", "--modes", "4", "--interface", "ROOT,TIP")
        self.write("m.yaml", PART.replace("  hub: {joint: {revolute: ground, axis: [0, 0, 1], motion: \"Om*t\"}}\n", "")
                   .replace("joint: {weld: hub}", "joint: {free: ground}")
                   .replace("rod.e1: 1e-5 m", "rod.e1: 0.02 m, rod.e3: -0.01 m, rod.omega_x: 90 rad/s, "
                            "rod.omega_y: -50 rad/s, rod.omega_z: 70 rad/s, rod.vx: 3 m/s")
                   .replace("output_step: 1 ms", "output_step: 1 ms, tolerance: 1e-10"))
        with h5py.File(self.path("part.h5"), "r+") as f:  # a geometric stiffness of any size, symmetric
            n = len(f["Ct0"])
            rng = np.random.default_rng(5)
            for name, width in ("Ct1", 3), ("Cr1", 3), ("J2", 6):
                more = 0.003 * rng.standard_normal((n, n, width))
                f[name][...] += (more + more.transpose(1, 0, 2)).reshape(f[name].shape)
        first = self.json("run", "m.yaml", "--json", "-o", "out.h5", "--set", "run.until=1e-9 s")
        last = self.json("run", "m.yaml", "--json", "-o", "out.h5", "--set", "run.until=5 ms")
        energy = last["energy"]
        drift = energy["kinetic"] + energy["potential"] - energy["initial"]
        self.assertLess(abs(drift / energy["initial"]), 1e-8)
        for before, after in zip(self.momentum(first["state"]), self.momentum(last["state"])):
            self.assertLess(np.abs(after - before).max() / np.abs(before).max(), 1e-7)

    def test_what_is_wrong_is_said_and_nothing_overwritten(self):
        self.write("part.h5", "precious")
        cases = [
            (("--interface", "ROTO"), "did you mean 'ROOT'"),
            (("--modes", "0", "--interface", "ROOT"), "0 functions"),
            (("--modes", "4"), "interfaces"),
            (("--modes", "x", "--interface", "ROOT"), "--modes x"),
            (("--interface", "ROOT", "--units", "inch"), "--units inch"),
            (("--interface", "ROOT", "--units", "mm-SI"), "expected"),
        ]
        for args, words in cases[:5]:
            _, err = self.reduce(*args, code=2)
            self.assertIn(words, err)
        self.assertEqual(self.read("part.h5"), b"precious")

    def test_mistakes_of_decks_have_their_lines(self):
        nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"
        for text, words in (("*ELEMENT\n1, 1, 2, 3, 4\n", "deck.inp:6: element type ''"),
                            ("*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n*NSET, NSET=A\n1\n", "deck.inp:8: the element above has too few"),
                            ("*ELEMENT, TYPE=C3D4\n1e300, 1, 2, 3, 4\n", "deck.inp:7: expected numbers of an element"),
                            ("*NODE\n1e300, 1, 2, 3\n", "deck.inp:7: node number"),
                            ("*NSET, NSET=A, GENERATE\n1, 1e300\n", "deck.inp:7: GENERATE"),
                            ("*NSET, NSET=A, GENERATE\n1, 100000000, 0\n", "deck.inp:7: GENERATE")):
            self.write("deck.inp", nodes + text)
            self.assertIn(words, self.specht("reduce", "deck.inp", "-o", "part.h5", "--interface", "A", code=2)[1])
        deck = mesh_of((4, 1, 1), (0.3, 0.02, 0.006)).replace("C3D20", "C3D8I")
        self.write("deck.inp", deck)
        self.assertIn("C3D8I", self.specht("reduce", "deck.inp", "-o", "part.h5", "--interface", "ROOT", code=2)[1])
        self.write("deck.inp", deck.replace("C3D8I", "C3D20R"))
        if CCX:
            self.assertIn("reduced integration",
                          self.specht("reduce", "deck.inp", "-o", "part.h5", "--interface", "ROOT", code=2)[1])
        self.assertIn("is a directory", self.specht("reduce", ".", "-o", "part.h5", "--interface", "A", code=2)[1].lower())

    def test_nodes_may_be_indented(self):
        self.reduce("--interface", "ROOT", "--modes", "2", "-q")
        first = self.read("part.h5")
        self.write("nodes.csv", "  " + self.read("nodes.csv").decode().replace("\n", "\n  ").rstrip(" "))
        self.reduce("--interface", "ROOT", "--modes", "2", "-q")
        self.assertEqual(self.read("part.h5"), first)

    def test_damaged_matrices_are_refused(self):
        whole = self.read("K.mtx").decode()
        self.write("K.mtx", whole[:len(whole) // 2])
        self.assertIn("K.mtx", self.reduce("--interface", "ROOT", code=2)[1])
        lines = whole.splitlines()
        i, j, x = lines[2].split()
        self.write("K.mtx", "\n".join(lines[:2] + [f"{i} {j} -{x}"] + lines[3:]) + "\n")
        self.assertIn("negative stiffness", self.reduce("--interface", "TIP", code=2)[1])
        self.assertNotIn("part.h5", self.names())

    def test_a_mesh_in_millimetres_is_noticed(self):
        text = self.read("nodes.csv").decode().splitlines()
        rows = [line.split(",") for line in text[1:]]
        self.write("nodes.csv", "\n".join(",".join([r[0]] + ["%.17g" % (1000 * float(x)) for x in r[1:4]] + r[4:])
                                          for r in rows) + "\n")
        self.assertIn("mm", self.reduce("--interface", "ROOT", code=2)[1])

    def test_damaged_parts_are_refused_by_models(self):
        self.reduce("--modes", "3", "--interface", "ROOT")
        whole = self.read("part.h5")
        self.write("m.yaml", PART)
        for n in (0, 7, 300, len(whole) // 2, len(whole) - 9):
            with open(self.path("part.h5"), "wb") as f:
                f.write(whole[:n])
            _, err = self.specht("check", "m.yaml", code=2)
            self.assertIn("m.yaml:7:", err)
        for name, change, words in (("Ke", lambda a: -a, "negative stiffness"),
                                    ("Me", lambda a: 0 * a + 1, "depend on each other"),
                                    ("mass", lambda a: -a, "mass")):
            with open(self.path("part.h5"), "wb") as f:
                f.write(whole)
            with h5py.File(self.path("part.h5"), "r+") as f:
                f[name][...] = change(f[name][...])
            self.assertIn(words, self.specht("check", "m.yaml", code=2)[1])
        with h5py.File(self.path("part.h5"), "r+") as f:
            del f["node"]
            f.create_dataset("node", shape=(0, 3))
        self.assertIn("3 functions of 0 nodes", self.specht("check", "m.yaml", code=2)[1])

    def test_a_joint_where_the_part_bends_is_refused(self):
        self.reduce("--modes", "3", "--interface", "ROOT")
        self.write("m.yaml", PART.replace("joint: {weld: hub}", "joint: {weld: hub, from: [0.2 m, 0, 0]}"))
        self.assertIn("interfaces: ROOT", self.specht("check", "m.yaml", code=2)[1])
        for more in "beam: {length: 1 m}, ", "mass: 1 kg, ":
            self.write("m.yaml", PART.replace("rod: {", "rod: {" + more))
            self.assertIn("leave one of them out", self.specht("check", "m.yaml", code=2)[1])


@unittest.skipUnless(CCX, "CalculiX (ccx) is not here")
class Calculix(Case):
    def setUp(self):
        super().setUp()
        if not has_reduce():
            self.skipTest("the program was built without SuiteSparse")
        self.write("part.inp", mesh_of((20, 2, 2), (1.0, 0.05, 0.1), density=7800.0))

    def test_a_cantilever_has_the_frequencies_of_calculix_and_stiffens_by_spin(self):
        self.specht("reduce", "part.inp", "-o", "part.h5", "--modes", "8", "--interface", "ROOT", "-q")
        text = self.read("part.inp").decode()
        self.write("own.inp", text + "*BOUNDARY\nROOT, 1, 3\n*STEP\n*FREQUENCY\n4\n*END STEP\n")
        subprocess.run([CCX, "own"], cwd=self.folder, capture_output=True, check=True)
        rows = [line.split() for line in self.read("own.dat").decode().splitlines()]
        own = [float(r[3]) for r in rows if len(r) == 5 and r[0].isdigit()][:4]
        self.assertEqual(len(own), 4)
        self.write("m.yaml", PART.replace("0.4 m", "1 m"))
        modes = [m["frequency_hz"] for m in self.json("modes", "m.yaml", "--json")["modes"]]
        for found, want in zip(modes, own):
            self.assertLess(abs(found / want - 1), 1e-6)  # the digits of own.dat
        # turning about z: w^2 = w_0^2 + (1.193 - 1) Om^2 along y, + 1.193 Om^2 along z for thin beams
        turning = [m["frequency_hz"] for m in self.json("modes", "m.yaml", "--json", "--set", "Om=100 rad/s")["modes"]]
        for k, slope in (0, 0.193), (1, 1.193):
            found = ((2 * math.pi * turning[k]) ** 2 - (2 * math.pi * modes[k]) ** 2) / 100 ** 2
            self.assertLess(abs(found - slope), 0.015)  # the bar is not thin: 1/10 of its length

    def test_stored_matrices_give_the_same_part(self):
        with open(self.path("job.inp"), "wb") as f:
            f.write(self.read("part.inp") + b"*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n")
        subprocess.run([CCX, "job"], cwd=self.folder, capture_output=True, check=True)
        self.specht("reduce", "part.inp", "-o", "a.h5", "--modes", "4", "--interface", "ROOT,TIP", "-q")
        self.specht("reduce", "job.sti", "-o", "b.h5", "--modes", "4", "--interface", "ROOT,TIP", "-q")
        self.assertEqual(self.read("a.h5"), self.read("b.h5"))

    def test_millimetres_and_missing_programs_are_explained(self):
        self.write("mm.inp", mesh_of((4, 1, 1), (1000.0, 50.0, 100.0)))
        _, err = self.specht("reduce", "mm.inp", "-o", "p.h5", "--interface", "ROOT", code=2)
        self.assertIn("1e9", err)
        self.assertIn("--units mm-SI", err)
        self.specht("reduce", "mm.inp", "-o", "p.h5", "--interface", "ROOT", "--modes", "2", "--units", "mm-SI", "-q")
        _, err = self.specht("reduce", "mm.inp", "-o", "q.h5", "--interface", "ROOT", "--ccx", "no-such-program", code=2)
        self.assertIn("calculix-ccx", err)
        self.write("cut.inp", self.read("mm.inp").decode()[:1500])
        self.specht("reduce", "cut.inp", "-o", "q.h5", "--interface", "ROOT", code=2)
        self.assertNotIn("q.h5", self.names())


class Example(Case):
    def test_the_arm_hits_its_stop(self):
        report = self.json("run", os.path.join(FOLDER, "reduced_part.yaml"), "--json", "-o", "out.h5", "--set",
                           "run.until=0.2 s")
        self.assertTrue(report["certified"] if "certified" in report else True)
        lines = self.specht("csv", "out.h5", "--names", "tip_z")[0].strip().splitlines()
        lowest = min(float(line.split(",")[-1]) for line in lines[1:])
        self.assertLess(abs(lowest + 0.055), 1e-4)  # a ball of 5 mm on a stop 60 mm below


if __name__ == "__main__":
    main()
