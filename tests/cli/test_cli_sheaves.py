"""Pins between conical sheaves, `rocker` and `groove`, against the closed forms of theory section 104."""
import csv
import io
import math

from cli_support import Case, main

BETA, MU, R, S = math.radians(11), 0.09, 0.04, 1e4

# Twelve pins at rest between sheaves that turn; rigid pins, the sheaves pressed with S.  What each pin bears is not determined.
PLANE = """\
specht: 1
space: planar
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, S: 10 kN, mu: 0.09}
bodies:
  pulley: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground},
           contours: {vee: {groove: beta, radius: R, half_width: 12 mm, force: S, mass: 2 kg}}}
  holder: {count: 12, joint: {weld: ground, at: [R*cos(i*30 deg), R*sin(i*30 deg)]}, contours: {pin: {rocker: 12 mm}}}
contacts: {pins: {between: [holder, pulley], law: {mu: mu}}}
start: {pulley.omega: 300 rad/s}
outputs: {omega: pulley.omega, SUMS}
run: {until: 2 ms, step: 10 us, output_step: 1 ms}
"""

SPACE = """\
specht: 1
space: spatial
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, S: 10 kN, mu: 0.09}
bodies:
  pulley: {mass: 4 kg, inertia: [8e-3, 8e-3, 8e-3], joint: {revolute: ground, axis: [0, 0, 1]},
           contours: {vee: {groove: beta, radius: R, half_width: 12 mm, flank: lower}}}
  sheave: {mass: 2 kg, inertia: [4e-3, 4e-3, 4e-3], joint: {prismatic: pulley, axis: [0, 0, 1]},
           contours: {vee: {groove: beta, radius: R, half_width: 12 mm, flank: upper}}}
  pin: {count: 12, mass: 5 g, inertia: 1e-7 kg*m^2, contours: {end: {rocker: 12 mm}},
        joint: {prismatic: ground, axis: [0, 0, 1], at: [R*cos(i*30 deg), R*sin(i*30 deg), 0]}}
forces: {clamp: {force: [0, 0, -S], on: sheave}}
contacts: {pins: {between: [pin, [pulley, sheave]], law: {mu: mu}}}
start: {pulley.omega_z: 300 rad/s}
outputs: {omega: pulley.omega_z, SUMS}
run: {until: 2 ms, step: 10 us, output_step: 1 ms}
"""

# An elastic pin on a slide, pressed into a groove of fixed width at rest.
WEDGE = """\
specht: 1
space: planar
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, k: 1e7 N/m, F: 1 kN, mu: 0.09}
bodies:
  pulley: {joint: {weld: ground}, contours: {vee: {groove: beta, radius: R, half_width: 12 mm}}}
  slide: {mass: 0.1 kg, joint: {prismatic: ground, axis: [1, 0], damping: 1 kN*s/m},
          contours: {pin: {rocker: 12 mm, stiffness: k, mass: 5 g, damping: 100 N*s/m}}}
forces: {press: {force: ["-F*ramp(t, 0 s, 80 ms)", 0 N], on: slide}}
contacts: {pin: {between: [slide.pin, pulley.vee], law: {mu: mu}}}
start: {slide.joint.s: R}
outputs: {x: R - slide.x, N: pin.lambda_N, T_1: pin.lambda_T1, T_2: pin.lambda_T2, e: slide.stretch}
run: {until: 0.1 s, method: moreau, step: 20 us, output_step: 10 ms}
"""

# Velocities of a pin in a groove that opens and tilts.
TILTED = """\
specht: 1
space: planar
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, l: 12 mm, x: 30 mm, y: 25 mm, a_x: 0.01, a_y: -0.02, d: 0.3 mm}
bodies:
  pulley: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground},
           contours: {vee: {groove: beta, radius: R, half_width: l, force: 1 kN, mass: 2 kg, tilt: [100 N*m, 1 N*m*s]}}}
  link: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {pin: {rocker: l, stiffness: 1e8 N/m, mass: 5 g}}}
contacts: {pin: {between: [link, pulley], law: {mu: 0.1}}}
start:
  pulley.omega: 300 rad/s
  pulley.opening: d
  pulley.opening': 0.2 m/s
  pulley.tilt_x: a_x
  pulley.tilt_y: a_y
  pulley.tilt_x': 3 rad/s
  pulley.tilt_y': -2 rad/s
  link.x: x
  link.y: y
  link.vx: -1 m/s
  link.vy: 2.5 m/s
  link.stretch: 2*(tan(beta)*(sqrt(x^2 + y^2) - R) + 0.5*(d + a_x*x + a_y*y))
  link.stretch': 0.7 m/s
outputs: {g: pin.g_N, v_N: pin.gamma_N, v_1: pin.gamma_T1, v_2: pin.gamma_T2}
run: {until: 2 us, method: moreau, step: 1 us, output_step: 1 us}
"""

# A pin in a groove whose flanks are curves, in the plane.
CURVED = """\
specht: 1
space: planar
gravity: 0 m/s^2
bodies:
  pulley: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground},
           contours: {vee: {groove: [[30 mm, 10 mm], [40 mm, 12 mm], [55 mm, 16 mm]]}}}
  link: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {pin: {rocker: 8 mm}}}
contacts: {pin: {between: [link, pulley], law: {mu: 0.1}}}
start:
  pulley.omega: 300 rad/s
  link.x: X mm
  link.y: 10 mm
  link.vx: -1 m/s
  link.vy: 2.5 m/s
outputs: {g: pin.g_N, v_N: pin.gamma_N, v_1: pin.gamma_T1, v_2: pin.gamma_T2}
run: {until: 2 us, method: moreau, step: 1 us, output_step: 1 us}
"""

# Both ends of a pin in a groove, everything turned and moving.
TURNED = """\
specht: 1
space: spatial
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, l: 12 mm}
bodies:
  pulley: {mass: 4 kg, inertia: [8e-3, 7e-3, 6e-3], contours: {vee: {groove: beta, radius: R, half_width: 40 mm, at: [1 mm, 2 mm, -3 mm]}}}
  link: {mass: 1 kg, inertia: [1e-3, 2e-3, 1.5e-3], contours: {pin: {rocker: l, at: [5 mm, 0, 1 mm]}}}
contacts: {c: {between: [link, pulley], law: {mu: 0.1}}}
start:
  pulley.joint.turn: [{x: 10 deg}, {y: 20 deg}, {z: 30 deg}]
  link.joint.turn: [{y: 5 deg}, {x: -8 deg}]
  link.x: 30 mm
  link.y: 25 mm
  link.z: 2 mm
  link.vx: 1 m/s
  link.vy: -2 m/s
  link.vz: 3 m/s
  link.omega_x: 5 rad/s
  link.omega_y: 15 rad/s
  link.omega_z: -25 rad/s
  pulley.vx: 0.3 m/s
  pulley.vy: 0.7 m/s
  pulley.vz: -0.2 m/s
  pulley.omega_x: 10 rad/s
  pulley.omega_y: -20 rad/s
  pulley.omega_z: 30 rad/s
outputs:
  g1: c.pin.1.vee.1.g_N
  N1: c.pin.1.vee.1.gamma_N
  S1: c.pin.1.vee.1.gamma_T1
  C1: c.pin.1.vee.1.gamma_T2
  g2: c.pin.2.vee.2.g_N
  N2: c.pin.2.vee.2.gamma_N
  S2: c.pin.2.vee.2.gamma_T1
  C2: c.pin.2.vee.2.gamma_T2
  Lx: link.ez.x
  Ly: link.ez.y
  Lz: link.ez.z
  Px: link.pin.x
  Py: link.pin.y
  Pz: link.pin.z
  Ux: link.pin.vx
  Uy: link.pin.vy
  Uz: link.pin.vz
  Ax: pulley.ez.x
  Ay: pulley.ez.y
  Az: pulley.ez.z
  Mx: pulley.vee.x
  My: pulley.vee.y
  Mz: pulley.vee.z
  Vx: pulley.vee.vx
  Vy: pulley.vee.vy
  Vz: pulley.vee.vz
run: {until: 2 us, method: moreau, step: 1 us, output_step: 1 us}
"""

# Seven elastic pins without friction over two thirds of sheaves that turn, are pressed together and tilt.
BENT = """\
specht: 1
space: planar
gravity: 0 m/s^2
parameters: {beta: 11 deg, R: 40 mm, k: 1e7 N/m, S: 10 kN, k_t: 2e5 N*m}
bodies:
  pulley:
    mass: 4 kg
    inertia: 8e-3 kg*m^2
    joint: {revolute: ground, speed: -150 rad/s}
    contours: {vee: {groove: beta, radius: R, half_width: 12 mm, force: S, mass: 2 kg, damping: 2e4 N*s/m, tilt: [k_t, 100 N*m*s]}}
  link: {count: 7, mass: 10 g, joint: {weld: ground, at: [R*cos((i - 2)*20 deg), R*sin((i - 2)*20 deg)]},
         contours: {pin: {rocker: 12 mm, stiffness: k, mass: 5 g, damping: 200 N*s/m}}}
contacts: {pin: {between: [link, pulley], law: {mu: 0}}}
outputs: {d: pulley.opening, a_x: pulley.tilt_x, a_y: pulley.tilt_y, N_1: pin.1.lambda_N, N_4: pin.4.lambda_N}
run: {until: 60 ms, method: moreau, step: 20 us, output_step: 10 ms}
"""


def sums(contacts):
    """Outputs N, T_1, T_2: sums over contacts of all twelve pins."""
    return ", ".join("%s: %s" % (name, " + ".join(f"pins.{i}{contact}.{signal}" for contact in contacts for i in range(1, 13)))
                     for name, signal in (("N", "lambda_N"), ("T_1", "lambda_T1"), ("T_2", "lambda_T2")))


def dot(a, b):
    return sum(x*y for x, y in zip(a, b))


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


def add(a, k, b):
    return [x + k*y for x, y in zip(a, b)]


def solve(A, b):
    """Three linear equations."""
    for i in range(3):
        for j in range(i + 1, 3):
            f = A[j][i]/A[i][i]
            A[j] = add(A[j], -f, A[i])
            b[j] -= f*b[i]
    x = [0, 0, 0]
    for i in (2, 1, 0):
        x[i] = (b[i] - sum(A[i][k]*x[k] for k in range(i + 1, 3)))/A[i][i]
    return x


class Sheaves(Case):
    def run_rows(self, text, *options):
        """Outputs of all frames as maps by their names."""
        self.write("m.yaml", text)
        self.specht("run", "m.yaml", "-q", "-o", "m.h5", *options)
        rows = list(csv.reader(io.StringIO(self.specht("csv", "m.h5")[0])))
        head = [title.split("[")[0] for title in rows[0]]
        return [dict(zip(head, map(float, row))) for row in rows[1:]]

    def near(self, value, expected, share):
        self.assertLess(abs(value - expected), share*abs(expected), (value, expected))

    def test_sheaves_at_full_slip_brake_with_2_mu_S_R_over_cos_beta(self):
        torque = 2*MU*S*R/math.cos(BETA)
        for text, inertia, contacts in ((PLANE, 8e-3, [""]), (SPACE, 12e-3, [".end.1.pulley", ".end.2.sheave"])):
            for method in ("moreau", "moreau-mean", "adaptive"):
                with self.subTest(method=method, contacts=contacts):
                    end = self.run_rows(text.replace("SUMS", sums(contacts)), "--method", method)[-1]
                    self.near(inertia*(300 - end["omega"])/2e-3, torque, 1e-6)
                    self.near(end["N"], 2*S/math.cos(BETA), 1e-6)
                    self.near(R*end["T_2"], torque, 1e-6)
                    self.assertLess(abs(end["T_1"]), 1e-6*end["T_2"])

    def test_a_pin_slides_into_a_groove_as_far_as_friction_lets_it(self):
        rho = math.atan(MU)
        end = self.run_rows(WEDGE)[-1]
        self.near(end["x"], 1e3/(4e7*math.tan(BETA)*math.tan(BETA + rho)), 1e-8)
        self.near(-1e7*end["e"], 1e3/(2*math.tan(BETA + rho)), 1e-8)
        self.near(end["N"], 1e3/(math.sin(BETA) + MU*math.cos(BETA)), 1e-8)
        self.near(end["T_1"], MU*end["N"], 1e-8)
        self.assertEqual(end["T_2"], 0)

    def test_velocities_in_a_tilted_groove_are_those_of_the_material(self):
        first = self.run_rows(TILTED)[0]
        x, y, a_x, a_y, omega = 0.03, 0.025, 0.01, -0.02, 300
        v = (-1 + omega*y, 2.5 - omega*x, 0.5*(0.7 - 0.2 - (3*x - 2*y) - omega*(a_y*x - a_x*y)))
        r = math.hypot(x, y)
        w = (math.tan(BETA)*x/r + a_x/2, math.tan(BETA)*y/r + a_y/2)
        s, n = math.hypot(*w), math.hypot(1, *w)
        self.assertLess(abs(first["g"]), 1e-15)
        self.near(first["v_N"], (w[0]*v[0] + w[1]*v[1] - v[2])/n, 1e-12)
        self.near(first["v_1"], ((w[0]*v[0] + w[1]*v[1])/s + s*v[2])/n, 1e-12)
        self.near(first["v_2"], (w[0]*v[1] - w[1]*v[0])/s, 1e-12)
        self.near(first["v_N"]**2 + first["v_1"]**2 + first["v_2"]**2, dot(v, v), 1e-12)

    def test_a_groove_by_points_is_a_natural_spline(self):
        r_i, y_i = (0.03, 0.04, 0.055), (0.010, 0.012, 0.016)
        h = [b - a for a, b in zip(r_i, r_i[1:])]
        M = 3*((y_i[2] - y_i[1])/h[1] - (y_i[1] - y_i[0])/h[0])/(h[0] + h[1])  # y'' in the middle, zero at the ends

        def spline(r):
            """Value and slope: on the pieces by both their ends, straight beyond."""
            at = min(max(r, r_i[0]), r_i[2])
            k = 0 if at < r_i[1] else 1
            a, b, y_0, y_1, M_0, M_1 = r_i[k], r_i[k + 1], y_i[k], y_i[k + 1], M*k, M*(1 - k)
            x, z, d = (b - at)/h[k], (at - a)/h[k], h[k]**2/6
            slope = (y_1 - y_0)/h[k] + d/h[k]*((3*z*z - 1)*M_1 - (3*x*x - 1)*M_0)
            return x*y_0 + z*y_1 + d*((x**3 - x)*M_0 + (z**3 - z)*M_1) + slope*(r - at), slope

        for x in (22, 34, 48, 60):  # before, in and behind the points
            with self.subTest(x=x):
                first = self.run_rows(CURVED.replace("X mm", f"{x} mm"))[0]
                X, Y = x/1e3, 0.01
                r = math.hypot(X, Y)
                w, s = spline(r)
                n = math.hypot(1, s)
                radial = (-X + 2.5*Y)/r
                self.near(first["g"], (w - 0.008)/n, 1e-12)
                self.near(first["v_1"], radial/n, 1e-12)
                self.near(first["v_2"], (2.5*X + Y)/r - 300*r, 1e-12)
                e = 1e-6  # the gap that is reported is (w - l)/n, which has a slope of its own
                slope = (((spline(r + e)[0] - 0.008)/math.hypot(1, spline(r + e)[1])
                          - (spline(r - e)[0] - 0.008)/math.hypot(1, spline(r - e)[1]))/(2*e))
                self.near(first["v_N"], slope*radial, 1e-7)

    def test_gaps_and_velocities_in_space_are_those_of_vectors(self):
        row = self.run_rows(TURNED)[0]
        L, P, U, A, M, V = ([row[k + c] for c in "xyz"] for k in "LPUAMV")
        for number, side in ((1, -1), (2, 1)):
            end = add([0, 0, 0], side*0.012, L)
            D = add(add(P, 1, end), -1, M)
            slip = add(add(add(U, 1, cross([5, 15, -25], end)), -1, V), -1, cross([10, -20, 30], D))
            z = dot(D, A)
            radial = add(D, -z, A)
            r = math.sqrt(dot(radial, radial))
            e = [c/r for c in radial]
            expected = {"g": math.cos(BETA)*(0.04 + math.tan(BETA)*(r - R) - side*z),
                        "N": math.sin(BETA)*dot(slip, e) - side*math.cos(BETA)*dot(slip, A),
                        "S": math.cos(BETA)*dot(slip, e) + side*math.sin(BETA)*dot(slip, A),
                        "C": dot(slip, cross(A, e))}
            for name, value in expected.items():
                self.near(row[f"{name}{number}"], value, 1e-12)

    def test_pins_bend_a_groove_open_where_they_are(self):
        end = self.run_rows(BENT)[-1]
        places = [(R*math.cos(math.radians(20*i)), R*math.sin(math.radians(20*i))) for i in range(-1, 6)]
        k, k_t = 1e7, 2e5
        A = [[0, 0, 0], [0, k_t, 0], [0, 0, k_t]]  # over opening and tilts: pins become shorter by -(d + a_x X + a_y Y)
        for X, Y in places:
            for i, p in enumerate((1, X, Y)):
                A[i] = add(A[i], k*p, (1, X, Y))
        d, a_x, a_y = solve(A, [-S, 0, 0])
        self.near(end["d"], d, 1e-6)
        self.near(end["a_x"], a_x, 1e-6)
        self.near(end["a_y"], a_y, 1e-6)
        for name, (X, Y) in (("N_1", places[0]), ("N_4", places[3])):
            n = math.hypot(1, math.tan(BETA)*X/R + a_x/2, math.tan(BETA)*Y/R + a_y/2)
            self.near(end[name], -2*n*k*(d + a_x*X + a_y*Y), 1e-6)


if __name__ == "__main__":
    main()
