"""Polygons that are not convex: split into convex ones, names kept."""
import math

from cli_support import Case, main

# A channel as one polygon: floor at y = 0 from x = -0.5 to 0.5, walls at both sides, and a ledge on the right wall.
CHANNEL = """\
specht: 1
space: planar
gravity: 10 m/s^2
bodies:
  ground:
    contours:
      channel: {polygon: [[-1, -1], [1, -1], [1, 1], [0.5, 1], [0.5, 0], [-0.5, 0], [-0.5, 1], [-1, 1]],
                names: [a, b, c, d, right, left, e, f], units: m}
  ball: {mass: 1 kg, inertia: 4e-3 kg*m^2, contours: {rim: {circle: 0.1 m}}}
contacts: {hit: {between: [ball.rim, ground.channel], law: {eps_N: 1}}}
start: {ball.y: 0.1 m, ball.vx: 1 m/s}
outputs: {x: ball.x, y: ball.y}
run: {until: 1.3 s}
"""
CHANNEL = CHANNEL.replace(", units: m", "").replace("[-1, -1], [1, -1], [1, 1], [0.5, 1], [0.5, 0], [-0.5, 0], [-0.5, 1], [-1, 1]",
                                                    "[-1 m, -1 m], [1 m, -1 m], [1 m, 1 m], [0.5 m, 1 m], [0.5 m, 0 m], "
                                                    "[-0.5 m, 0 m], [-0.5 m, 1 m], [-1 m, 1 m]")

# A star of five points on a slope: mass, centre and inertia from its pieces; its points stand where its names say.
STAR = """\
specht: 1
space: planar
gravity: 0
bodies:
  ground: {contours: {floor: {line: [0, 1], at: [0, -5 m]}}}
  star:
    density: 2 kg/m^2
    contours: {star: {polygon: [CORNERS], names: [NAMES]}}
contacts: {c: {between: [star, ground], law: {mu: 0}}}
outputs: {tip: star.p0.y, dent: star.p1.x, kinetic: energy.kinetic, xc: star.center.x, yc: star.center.y}
start: {star.omega: 1 rad/s}
run: {until: 10 ms}
"""


def star(clockwise):
    corners = [((1.0 if k % 2 == 0 else 0.4)*math.cos(math.pi/2 + k*math.pi/5), (1.0 if k % 2 == 0 else 0.4)*math.sin(math.pi/2 + k*math.pi/5))
               for k in range(10)]
    names = [f"p{k}" for k in range(10)]
    return (corners[::-1], names[::-1]) if clockwise else (corners, names)


class Split(Case):
    def test_a_ball_in_a_channel_hits_its_walls_and_slides_over_its_seams(self):
        self.write("m.yaml", CHANNEL)
        run = self.json("run", "m.yaml", "-o", "m.h5", "--json")
        self.assertEqual(run["status"], "clean")
        hits = [e for e in self.json("events", "m.h5", "--json") if e["kind"] == "impact" and abs(e["gamma_N_before"]) > 0.5]
        self.assertEqual([round(e["t"], 9) for e in hits], [0.4, 1.2])         # 0.4 m to the right wall, 0.8 m to the left one
        self.assertAlmostEqual(run["state"]["q"]["ball.joint.x"], -0.3, delta=1e-9)
        self.assertAlmostEqual(run["state"]["q"]["ball.joint.y"], 0.1, delta=1e-12)

    def test_mass_and_names_are_those_of_the_whole_polygon(self):
        for clockwise in (False, True):
            corners, names = star(clockwise)
            self.write("s.yaml", STAR.replace("CORNERS", ", ".join(f"[{x:.12f} m, {y:.12f} m]" for x, y in corners))
                       .replace("NAMES", ", ".join(names)))
            run = self.json("run", "s.yaml", "-o", "s.h5", "--json")
            inertia = 2*run["energy"]["kinetic"]                               # about the centre, omega = 1 rad/s
            area = 5*0.4*math.sin(math.pi/5)                                   # 10 triangles r R sin(pi/5)/2
            polar = area/6*(1 + 0.4*math.cos(math.pi/5) + 0.16)                # of each: (R^2 + R.r + r^2)/6
            self.assertAlmostEqual(inertia, 2*polar, delta=1e-9)
            rows = self.specht("csv", "s.h5", "--names", "tip,dent,xc,yc")[0].splitlines()
            first = [float(cell) for cell in rows[1].split(",")]
            self.assertAlmostEqual(first[1], 1, delta=1e-12)
            self.assertAlmostEqual(first[2], 0.4*math.cos(0.7*math.pi), delta=1e-9)
            self.assertLess(max(abs(first[3]), abs(first[4])), 1e-12)

    def test_polygons_that_cannot_be_split_are_reported(self):
        bad = CHANNEL.replace("[0.5 m, 0 m], [-0.5 m, 0 m]", "[-0.5 m, 0 m], [0.5 m, 0 m]")
        self.write("b.yaml", bad)
        message = self.fails("check", "b.yaml")
        self.assertIn("b.yaml:7:", message)
        self.assertIn("the polygon crosses itself: the side from corner", message)
        self.write("b.yaml", CHANNEL.replace("[1 m, -1 m], ", "[0 m, -1 m], [1 m, -1 m], ").replace("[a, b,", "[a, mid, b,"))
        self.assertIn("corner mid of the polygon lies on the straight line through its neighbours", self.fails("check", "b.yaml"))

    def fails(self, *args):
        return self.specht(*args, code=2)[1]


if __name__ == "__main__":
    main()
