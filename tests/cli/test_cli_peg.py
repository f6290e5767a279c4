"""examples/peg_in_hole: Whitney's quasi-static assembly, theory chapter 102, and the robot of the papers."""
import csv
import io
import math
import os

from cli_support import SOURCE, Case, main

FOLDER = os.path.join(SOURCE, "examples", "peg_in_hole")
R_PEG, PLAY, MU, L_G, K_X, K_PHI = 10e-3, 0.05e-3, 0.15, 50e-3, 1e4, 30.0   # those of whitney.yaml


def newton(equations, x):
    """A root of as many equations as unknowns, slopes by differences."""
    for _ in range(50):
        f, n = equations(x), len(x)
        rows = [[0.0]*n + [-f[i]] for i in range(n)]
        for j in range(n):
            d = 1e-7*max(1e-3, abs(x[j]))
            shifted = equations([v + d if k == j else v for k, v in enumerate(x)])
            for i in range(n):
                rows[i][j] = (shifted[i] - f[i])/d
        for c in range(n):
            best = max(range(c, n), key=lambda k, c=c: abs(rows[k][c]))
            rows[c], rows[best] = rows[best], rows[c]
            for k in range(n):
                if k != c:
                    m = rows[k][c]/rows[c][c]
                    rows[k] = [a - m*b for a, b in zip(rows[k], rows[c])]
        step = [rows[i][n]/rows[i][i] for i in range(n)]
        x = [a + b for a, b in zip(x, step)]
        if max(abs(s)/(abs(a) + 1e-6) for a, s in zip(x, step)) < 1e-12:
            return x
    raise ArithmeticError("no root")


def peg(depth, two, offset, tilt, mu=MU):
    """Force of insertion, angle, and gap at the right wall; theory (102.1), (102.2)."""
    u_0 = -offset - L_G*math.sin(tilt)

    def place(u, theta):
        e, a = (math.cos(theta), math.sin(theta)), (-math.sin(theta), math.cos(theta))
        T = (u + L_G*math.sin(theta), -depth)
        return e, a, T, (u, -depth + L_G*math.cos(theta)), (T[0] + R_PEG*e[0], T[1] + R_PEG*e[1])

    def equations(x):
        (u, theta, N), N_2 = x[:3], x[3] if two else 0.0
        e, a, T, C, B = place(u, theta)
        E = (-R_PEG - PLAY, 0.0)
        f = (N*(e[0] + mu*a[0]), N*(e[1] + mu*a[1]))
        moment = (E[0] - C[0])*f[1] - (E[1] - C[1])*f[0] + (B[0] - C[0])*mu*N_2 + (B[1] - C[1])*N_2
        touch = (E[0] - T[0])*e[0] + (E[1] - T[1])*e[1] + R_PEG
        rest = [(f[0] - N_2 - K_X*(u - u_0))/100, moment - K_PHI*(theta - tilt), touch*1e3]
        return rest + [(R_PEG + PLAY - B[0])*1e3] if two else rest

    x = newton(equations, [u_0, tilt, 5.0] + ([1.0] if two else []))
    B = place(x[0], x[1])[4]
    force = x[2]*(math.sin(x[1]) + mu*math.cos(x[1])) + (mu*x[3] if two else 0)
    return force, x[1], R_PEG + PLAY - B[0]


def two_points_from(offset, tilt, mu=MU):
    """The depth at which the right wall is touched, too."""
    low, high = 1e-3, 30e-3
    while high - low > 1e-9:
        middle = (low + high)/2
        low, high = (middle, high) if peg(middle, False, offset, tilt, mu)[2] > 0 else (low, middle)
    return low


class Peg(Case):
    def run_it(self, model, *sets, options=()):
        """Measures of a certified run, and rows of some of its channels."""
        args = [arg for one in sets for arg in ("--set", one)]
        summary = self.json("run", os.path.join(FOLDER, model + ".yaml"), "-o", "p.h5", "--json", *options, *args)
        return {one["name"]: one["value"] for one in summary["measures"]}

    def rows(self, *names):
        table = csv.reader(io.StringIO(self.specht("csv", "p.h5", "--names", ",".join(names))[0]))
        return [[float(cell) for cell in row] for row in list(table)[1:]]

    def events(self):
        return self.json("events", "p.h5", "--json")

    def test_the_force_of_insertion_is_whitneys(self):
        offset, tilt = 0.4e-3, math.radians(0.4)
        self.run_it("whitney")
        begins = two_points_from(offset, tilt)
        self.assertAlmostEqual(begins*peg(begins, False, offset, tilt)[1]/(2*PLAY), 1, delta=0.01)  # Whitney: l theta = 2p
        seen = [0, 0]
        for _, depth, F, angle in self.rows("depth", "F_y", "angle"):
            two = depth > begins
            if 2e-3 < depth < begins - 0.2e-3 or depth > begins + 3e-3:  # not in the vibration of the second touch
                force, theta, _ = peg(depth, two, offset, tilt)
                self.assertLess(abs(F/force - 1), 5e-3, depth)
                self.assertLess(abs(angle - theta), 2e-5, depth)
                seen[two] += 1
        self.assertGreater(min(seen), 100)
        place = next(e["t"] for e in self.events() if e["kind"] == "close" and e["contact"] == "insertion.tip_r.right")
        depth = min(self.rows("depth"), key=lambda row: abs(row[0] - place))[1]
        self.assertLess(abs(depth/begins - 1), 0.01)

    def test_a_limited_push_jams_where_the_force_reaches_it(self):
        found = self.run_it("whitney", "F_push=3N", "v=2mm/s", "offset=0.2mm", "tilt=0.6deg")["in"]
        self.assertLess(abs(peg(found, True, 0.2e-3, math.radians(0.6))[0]/3 - 1), 0.01)
        # on the chamfer of 45 deg the tip needs f (1 + mu)/(1 - mu), f = (offset - play)/(1/K_x + L (L - r (1 + mu)/(1 - mu))/K_phi)
        ratio = (1 + MU)/(1 - MU)
        limit = 3/ratio*(1/K_X + L_G*(L_G - R_PEG*ratio)/K_PHI) + PLAY
        self.assertLess(self.run_it("whitney", "F_push=3N", "tilt=0.1deg", f"offset={limit*1.03}m")["in"], 0)
        self.assertGreater(self.run_it("whitney", "F_push=3N", "tilt=0.1deg", f"offset={limit*0.97}m")["in"], 34e-3)

    def test_jamming_ends_on_the_lines_of_whitneys_diagram(self):
        steps = ("--method", "moreau", "--step", "1ms")
        for depth in (4e-3, 8e-3):
            for F_x in (-400, 0, 200):
                lam = depth/(2*R_PEG*MU)
                line = lam - MU*(1 + lam)*F_x/100                                             # (102.7)
                found = self.run_it("jamming", f"l={depth}m", f"F_x={F_x}N", options=steps)["M_over_rF"]
                self.assertLess(abs(found/line - 1), 0.01, (depth, F_x))

    def test_a_peg_is_wedged_where_the_line_lies_in_both_cones(self):
        for depth in (4e-3, 10e-3):
            whitney, R = depth/(2*R_PEG), R_PEG + 5e-6
            theta = math.atan2(2*R, depth) - math.asin(2*R_PEG/math.hypot(depth, 2*R))        # (102.5)
            exact = math.tan(math.atan(depth/(2*R)) + theta)                                  # (102.6)
            self.assertLess(abs(exact/whitney - 1), 0.02)
            for factor, wedged in ((0.99, False), (1.01, True)):
                held = self.run_it("wedging", f"l={depth}m", f"mu={exact*factor}", options=("--until", "2.2s"))["held"]
                self.assertTrue(held > 30 if wedged else abs(held) < 1e-3, (depth, factor, held))
        self.assertGreater(self.run_it("wedging", "F_out=5N", "mu=0.4")["held"], 50)                    # it bears a pull, too

    def test_the_robot_hits_the_chamfer_jams_and_goes_on_again_and_again(self):
        measures = self.run_it("peg_in_hole")
        events = self.events()
        first = next(e for e in events if e["kind"] == "impact")
        self.assertEqual(first["contact"], "insertion.side_l.left")                           # on the chamfer
        both = next(e["t"] for e in events if e["contact"] == "insertion.side_r.right")
        jams = [e["t"] for e in events if e["kind"] == "stick" and e["contact"] == "insertion.side_r.right"]
        free = [e["t"] for e in events if e["kind"] == "slip" and e["contact"] == "insertion.side_r.right"]
        self.assertLess(first["t"], both)
        self.assertLess(both, jams[0])
        self.assertGreater(len(jams), 8)
        self.assertTrue(all(a < b for a, b in zip(jams, free)))                               # each jam is released
        self.assertGreater(measures["stuck"], 0.5)
        self.assertGreater(measures["peak"], 150)
        self.assertLess(abs(measures["in"] - 0.0296), 3e-4)
        straight = self.run_it("peg_in_hole", "offset=0mm", "tilt=0.1deg")
        self.assertLess(straight["peak"], 25)                                                 # without errors: hardly a force

    def test_the_linearised_robot_does_the_same(self):
        whole = self.run_it("peg_in_hole")["peak"]
        linear = self.run_it("peg_linear")["peak"]
        self.assertLess(abs(linear/whole - 1), 0.15)
        jams = sum(e["kind"] == "stick" and e["contact"] == "tip_r" for e in self.events())
        self.assertGreater(jams, 8)

    def poses(self):
        """Tip and axes of the peg against the hole, at all frames."""
        names = [f"peg.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        c, s = math.cos(math.radians(0.6)), math.sin(math.radians(0.6))

        def tilted(x, y, z):  # into axes turned by the tilt about y
            return (c*x - s*z, y, s*x + c*z)

        for _, x, y, z, w, i, j, k in self.rows(*names):
            axes = ((1 - 2*(j*j + k*k), 2*(i*j + w*k), 2*(i*k - w*j)), (2*(i*j - w*k), 1 - 2*(i*i + k*k), 2*(j*k + w*i)),
                    (2*(i*k + w*j), 2*(j*k - w*i), 1 - 2*(i*i + j*j)))
            yield (tilted(x - 0.5504, y - 0.2e-3, z), *(tilted(*axis) for axis in axes))

    def test_a_round_peg_goes_into_a_round_hole_without_penetration(self):
        found = self.run_it("peg_round", options=("--set", "run.output_step=10ms"))
        self.assertGreater(found["in"], 25e-3)
        self.assertGreater(found["peak"], 25)
        R, chamfer, worst, slope, deep = R_PEG + PLAY, 1.5e-3, 0.0, 0.0, 0.0
        for tip, ex, ey, ez in self.poses():
            deep = max(deep, -tip[2])
            for k in range(720):
                cos, sin = math.cos(k*math.pi/360), math.sin(k*math.pi/360)
                p = [t + R_PEG*(cos*a + sin*b) for t, a, b in zip(tip, ex, ey)]               # the rim in bore and chamfer
                wide = R + min(max(p[2] + chamfer, 0), chamfer)
                over = math.hypot(p[0], p[1]) - wide
                worst, slope = (max(worst, over), slope) if p[2] < -chamfer else (worst, max(slope, over if p[2] < 0 else 0))
                e = [R*cos - tip[0], R*sin - tip[1], -chamfer - tip[2]]                       # the edge of the bore in the peg
                if sum(a*b for a, b in zip(e, ez)) > 0:
                    worst = max(worst, R_PEG - math.hypot(sum(a*b for a, b in zip(e, ex)), sum(a*b for a, b in zip(e, ey))))
        self.assertGreater(deep, 25e-3)
        between = 1 - math.cos(math.radians(5))        # two points: how much deeper a circle may be that is beside another
        self.assertLess(worst, 1.5*PLAY*between)
        self.assertLess(slope, 0.5e-3*between)         # on the chamfer, beside by offset and side

    def test_a_square_peg_goes_into_a_square_hole_without_penetration(self):
        found = self.run_it("peg_square", options=("--set", "run.output_step=10ms"))
        self.assertGreater(found["in"], 25e-3)
        c, s, worst, deep = math.cos(math.radians(0.3)), math.sin(math.radians(0.3)), 0.0, 0.0
        for tip, ex, ey, _ in self.poses():
            for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                p = [t + (R_PEG - 0.5e-3)*(i*a + j*b) for t, a, b in zip(tip, ex, ey)]        # corners of the tip
                u = (c*p[0] + s*p[1], c*p[1] - s*p[0])
                deep = max(deep, -p[2])
                if p[2] < 0:
                    worst = max(worst, max(abs(u[0]), abs(u[1])) - (R_PEG + PLAY) - min(max(p[2] + 1.5e-3, 0), 1.5e-3))
        self.assertGreater(deep, 25e-3)
        self.assertLess(worst, 1e-9)


if __name__ == "__main__":
    main()
