"""Tyres against closed forms: at rest, bouncing, rolling, spinning up; and what is wrong with them."""
import math

from cli_support import Case, main

WHEEL = """\
specht: 1
name: A wheel that touches down
space: planar
gravity: 9.81 m/s^2
parameters: {R: 0.6 m, m: 200 kg, J: 25 kg*m^2, k: 400 kN/m, d: 5 kN*s/m, v_x: 60 m/s, y_0: 0.65 m, slope: 0}
functions: {mu_t(s): 0.8*sin(1.5*atan(9*s))}
bodies:
  ground: {contours: {runway: {line: slope + 90 deg}}}
  wheel:  {mass: m, inertia: J}
forces: {tyre: {tyre: wheel, on: ground.runway, radius: R, force: k*x, damping: d, mu: mu_t(slip)}}
outputs: {N: tyre.force, slip: tyre.slip, deep: tyre.length, T: tyre.moment, P: tyre.power}
start: {wheel.y: y_0, wheel.vx: v_x}
run: {until: 3 s, output_step: 1 s}
"""

# The same in space, its fork turned by `yaw` and leaning by `camber`.
SPACE = """\
specht: 1
name: A wheel on a plane
space: spatial
gravity: 9.81 m/s^2
parameters: {R: 0.6 m, m: 200 kg, J: 25 kg*m^2, k: 400 kN/m, d: 5 kN*s/m, v_x: 60 m/s, y_0: 0.65 m, yaw: 0 deg, camber: 0 deg, slope: 0}
functions: {mu_t(s): 0.8*sin(1.5*atan(9*s))}
bodies:
  ground: {contours: {runway: {plane: [sin(slope), 0, cos(slope)]}}}
  slide:  {joint: {prismatic: ground, axis: [1, 0, 0]}}
  hub:    {joint: {prismatic: slide, axis: [0, 0, 1]}}
  fork:   {joint: {weld: hub, turn: [{z: yaw}, {x: camber}]}}
  wheel:  {mass: m, inertia: [J, J, J], joint: {revolute: fork, axis: [0, -1, 0]}}
forces: {tyre: {tyre: wheel, on: ground.runway, axle: [0, -1, 0], radius: R, force: k*x, damping: d, mu: mu_t(slip)}}
outputs: {N: tyre.force, slip: tyre.slip, deep: tyre.length, T: tyre.moment, S: tyre.side}
start: {hub.z: y_0, slide.vx: v_x}
run: {until: 3 s, output_step: 1 s}
"""

METHODS = (("--method", "event"), ("--method", "moreau", "--step", "0.1 ms"), ("--method", "rk4", "--step", "0.5 ms"),
           ("--method", "adaptive"))


class Tyre(Case):
    def last(self, name, names, *options):
        self.specht("run", name, *options, "-o", "r.h5")
        return [float(v) for v in self.specht("csv", "r.h5", "--last", "--names", names)[0].splitlines()[-1].split(",")]

    def test_a_wheel_spins_up_until_it_rolls_and_rests_on_its_weight(self):
        self.write("m.yaml", WHEEL)
        for method in METHODS:
            _, y, vx, omega, N, slip, deep = self.last("m.yaml", "wheel.y,wheel.vx,wheel.omega,N,slip,deep", *method)
            self.assertAlmostEqual(N / (200 * 9.81), 1, delta=1e-6, msg=method)
            self.assertAlmostEqual(deep, 200 * 9.81 / 400e3, delta=1e-8)
            self.assertAlmostEqual(vx + omega * y, 0, delta=2e-3)  # friction of 0.17 N m falls with the slip
            self.assertLess(abs(slip), 1e-4)
            # J omega - m v y about the patch changes by what the bouncing arm does alone, some 0.1 %
            self.assertAlmostEqual(vx, 60 / (1 + 25 / (200 * 0.595 ** 2)), delta=0.1, msg=method)

    def test_without_damping_it_bounces_as_a_ball_on_a_spring(self):
        self.write("m.yaml", WHEEL)
        # from the height h above touching: fall, half a swing about the static deflection, fly
        g, w, h = 9.81, math.sqrt(400e3 / 200), 0.05
        v, s = math.sqrt(2 * g * h), g / (400e3 / 200)
        contact = 2 * (math.pi - math.atan(v / (w * s))) / w
        self.specht("run", "m.yaml", "--set", "d=0", "--set", "v_x=0", "--until", "0.4 s", "-o", "r.h5")
        times = [e["t"] for e in self.json("events", "r.h5", "--json")]
        self.assertEqual(len(times), 3)
        for found, want in zip(times, (v / g, v / g + contact, 3 * v / g + contact)):
            self.assertAlmostEqual(found, want, delta=1e-9)
        energy = self.json("run", "m.yaml", "--json", "--set", "d=0", "--set", "v_x=0", "--until", "0.4 s", "--no-output")["energy"]
        self.assertAlmostEqual(energy["elements"][0]["applied"], energy["applied"], delta=1e-9)

    def test_a_wheel_that_rolls_slowly_does_not_chatter_in_time_steps(self):
        # slip decays with J w/(mu' N R^2) = 0.2 ms: explicit steps of 1 ms would turn it around and around
        self.write("m.yaml", WHEEL.replace("m: 200 kg, J: 25 kg*m^2, k: 400 kN/m, d: 5 kN*s/m", "m: 20 t, J: 60 kg*m^2, k: 4 MN/m, d: 50 kN*s/m"))
        self.write("s.yaml", SPACE.replace("m: 200 kg, J: 25 kg*m^2, k: 400 kN/m, d: 5 kN*s/m", "m: 20 t, J: 60 kg*m^2, k: 4 MN/m, d: 50 kN*s/m"))
        for model, v in (("m.yaml", "wheel.vx"), ("s.yaml", "slide.vx")):
            sets = ("--set", "v_x=2m/s", "--set", "y_0=0.56m", "--until", "1 s")
            exact = self.last(model, v, "--method", "event", *sets)[1]
            for method, step in (("moreau", "1 ms"), ("moreau", "5 ms"), ("theta", "1 ms"), ("moreau-mean", "1 ms")):
                _, slip, speed = self.last(model, f"slip,{v}", "--method", method, "--step", step, "--set", "run.output_step=10ms", *sets)
                self.assertLess(abs(slip), 1e-3, msg=(model, method, step))
                self.assertAlmostEqual(speed, exact, delta=2e-5, msg=(model, method, step))

    def test_on_a_slope_it_rolls_with_the_acceleration_of_a_hoop(self):
        # without slip a wheel rolls down with g sin(a)/(1 + J/(m r^2)); mu is steep, slip small
        self.write("m.yaml", WHEEL.replace("mu_t(slip)", "20000*slip").replace("v_x: 60 m/s", "v_x: 0 m/s"))
        t, v, N = self.last("m.yaml", "wheel.vx,N", "--method", "event", "--set", "slope=-5deg", "--set", "y_0=0.6 m", "--until", "1 s")
        a, r = math.radians(5), 0.6 - 200 * 9.81 * math.cos(math.radians(5)) / 400e3
        self.assertAlmostEqual(v / (9.81 * math.sin(a) / (1 + 25 / (200 * r * r)) * math.cos(a)), 1, delta=5e-3)
        self.assertAlmostEqual(N / (200 * 9.81 * math.cos(a)), 1, delta=1e-4)

    def test_upright_and_straight_in_space_is_as_in_the_plane(self):
        self.write("m.yaml", WHEEL)
        self.write("s.yaml", SPACE)
        for until in ("0.15 s", "0.4 s"):
            plane = self.last("m.yaml", "wheel.y,wheel.vx,wheel.omega,N,slip,T", "--until", until)
            space = self.last("s.yaml", "hub.z,slide.vx,wheel.joint.omega,N,slip,T", "--until", until)
            for a, b in zip(plane, space):
                self.assertAlmostEqual(a, b, delta=1e-6*max(1, abs(a)))

    def test_a_wheel_that_goes_aslant_has_its_side_force(self):
        # free to turn it rolls without slip along its way; what is left is v sin(a) across, over sqrt((v cos a)^2 + v_0^2)
        self.write("s.yaml", SPACE.replace("axis: [1, 0, 0]}}", "axis: [1, 0, 0], motion: v_x*t}}").replace(", slide.vx: v_x", ""))
        for yaw, v in ((2, 20), (-5, 20), (12, 5)):
            for method in METHODS[:2]:
                a = math.radians(yaw)
                _, omega, N, S, slip, z = self.last("s.yaml", "wheel.joint.omega,N,S,slip,hub.z", *method, "--set", f"yaw={yaw}deg",
                                                    "--set", f"v_x={v}m/s", "--set", "y_0=0.6m", "--until", "4 s")
                k = v*math.sin(a)/math.hypot(v*math.cos(a), 1)
                self.assertAlmostEqual(N/(200*9.81), 1, delta=1e-6)
                self.assertAlmostEqual(slip, abs(k), delta=1e-6)
                self.assertAlmostEqual(S/N, 0.8*math.sin(1.5*math.atan(9*k)), delta=1e-6)
                self.assertAlmostEqual(-omega*z, v*math.cos(a), delta=1e-4*v)

    def test_a_leaning_wheel_rests_where_the_force_in_its_plane_bears_the_weight(self):
        # N cos c = k (R - h/cos c), N = m g; against a slope c is the angle to its normal
        self.write("s.yaml", SPACE.replace("mu_t(slip)", "0"))
        for camber in (10, -25):
            c = math.cos(math.radians(camber))
            _, N, deep, z = self.last("s.yaml", "N,deep,hub.z", "--set", f"camber={camber}deg", "--set", "v_x=0", "--set", "y_0=0.55m")
            self.assertAlmostEqual(N/(200*9.81), 1, delta=1e-6)
            self.assertAlmostEqual(deep, 200*9.81*c/400e3, delta=1e-8)
            self.assertAlmostEqual(z, c*(0.6 - deep), delta=1e-8)

    def test_an_elastic_tyre_gives_back_what_it_takes_while_the_wheel_tilts(self):
        text = SPACE.replace("mu_t(slip)", "0").replace("fork:   {joint: {weld: hub, turn: [{z: yaw}, {x: camber}]}}",
                                                        "fork:   {joint: {revolute: hub, axis: [1, 0, 0]}}")
        self.write("s.yaml", text.replace("start: {", "start: {fork.joint.phi: 0.2, "))
        sets = ("--set", "d=0", "--set", "v_x=0", "--set", "y_0=0.575m", "--until", "0.35 s")
        _, deep, phi = self.last("s.yaml", "deep,fork.joint.phi", *sets, "-q")
        energy = self.json("run", "s.yaml", "--json", "--no-output", *sets)["energy"]
        self.assertGreater(phi, 0.3)
        before = 0.6 - 0.575/math.cos(0.2)
        self.assertAlmostEqual(energy["elements"][0]["applied"], 200e3*(before**2 - deep**2 if deep > 0 else before**2), delta=1e-5)

    def test_messages_in_space(self):
        for old, new, said in (
                ("axle: [0, -1, 0], ", "", "force 'tyre': missing key 'axle'"),
                ("axle: [0, -1, 0]", "axle: [0, 0, 0]", "axle"),
                ("{plane: [sin(slope), 0, cos(slope)]}", "{sphere: 1 m}", "on = ground.runway is no plane, expected a contour {plane: ...}"),
                ("tyre.side", "tyre.sides", "has: slip, side, length, force, moment, power, energy")):
            self.write("bad.yaml", SPACE.replace(old, new))
            _, err = self.specht("check", "bad.yaml", code=2)
            self.assertIn(said, err)
            self.assertRegex(err, r"bad\.yaml:\d+:\d+: ")

    def test_messages(self):
        for old, new, said in (
                ("on: ground.runway, ", "", "force 'tyre': missing key 'on': The line that it rolls on"),
                ("on: ground.runway", "on: ground.road", "on = ground.road is no line, expected a contour {line: ...}"),
                ("on: ground.runway", "on: floor.runway", "there is no body 'floor'"),
                ("radius: R", "radius: 0 m", "radius = 0 m, expected > 0"),
                ("force: k*x", "force: k*y", "unknown name 'y'"),
                ("force: k*x", "force: k", "expected a force [N]"),
                ("mu_t(slip)", "mu_t(v)", "unknown name 'v'"),
                ("damping: d", "damping: -1 N*s/m", "expected >= 0"),
                ("tyre.slip", "tyre.rate", "has: slip, length, force, moment, power, energy")):
            self.write("bad.yaml", WHEEL.replace(old, new))
            _, err = self.specht("check", "bad.yaml", code=2)
            self.assertIn(said, err)
            self.assertRegex(err, r"bad\.yaml:\d+:\d+: ")


if __name__ == "__main__":
    main()
