"""Friction of joints by their own reactions against closed forms, in all methods."""
import math

from cli_support import Case, main

# A block in a long guide under its weight, a drawer that is pulled beside its middle, a journal, and a block whose foot is pressed
# on the floor and bears part of the weight: guide and contact together.
MACHINE = """\
specht: 1
name: Friction by reactions
space: planar
gravity: g
parameters: {g: 9.81 m/s^2, mu: 0.2, d: 0.3 m, L: 0.4 m, F: 50 N, r: 20 mm, P: 5 N, mu_c: 0.3}
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  block:  {mass: 2 kg, inertia: 0.02 kg*m^2, joint: {prismatic: ground, axis: [1, 0], friction: {mu: mu}}}
  drawer: {mass: 3 kg, inertia: 0.02 kg*m^2, joint: {prismatic: ground, axis: [1, 0], friction: {mu: mu, limit: 1 N, length: L}},
           points: {knob: [0, d]}}
  wheel:  {mass: 4 kg, inertia: 0.05 kg*m^2, joint: {revolute: ground, friction: {mu: mu, radius: r}}}
  slide:  {mass: 2 kg, inertia: 0.02 kg*m^2, joint: {prismatic: ground, axis: [1, 0], friction: {mu: mu}}}
  foot:   {mass: 1 kg, inertia: 0.02 kg*m^2, joint: {prismatic: slide, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
forces:
  pull:  {force: [F, 0], on: drawer.knob}
  press: {drive: foot.joint, force: -P}
contacts: {rub: {between: [foot.tip, ground.floor], law: {mu: mu_c}}}
start: {block.vx: 3 m/s, wheel.omega: 10 rad/s, slide.vx: 2 m/s}
run: {until: 0.3 s, output_step: 0.1 s}
"""

METHODS = (("--method", "event"), ("--method", "moreau", "--step", "0.5 ms"), ("--method", "theta", "--step", "0.5 ms"),
           ("--method", "rk4", "--step", "0.5 ms"), ("--method", "adaptive"))

# Pulled further out than L/(2 mu): it brakes itself.
JAM = """\
specht: 1
name: A drawer that jams
space: planar
gravity: 0
parameters: {mu: 0.2, d: 0.9 m, L: 0.3 m, F: 50 N, v_0: 1 m/s}
bodies:
  drawer: {mass: 3 kg, inertia: 0.02 kg*m^2, joint: {prismatic: ground, axis: [1, 0], friction: {mu: mu, length: L}}, points: {knob: [0, d]}}
forces: {pull: {force: [F, 0], on: drawer.knob}}
start: {drawer.vx: v_0}
run: {until: 0.5 s, output_step: 0.1 s}
"""


# A guide that is pressed less and less until the pull is enough.
EASE = """\
specht: 1
name: A guide that lets go
space: planar
gravity: 0
parameters: {mu: 0.2, N: 50 N, F: 5 N}
bodies: {block: {mass: 1 kg, inertia: 0.02 kg*m^2, joint: {prismatic: ground, axis: [1, 0], friction: {mu: mu}}}}
forces: {load: {force: [F, "-N*(1 - t/(1 s))"], on: block}}
run: {until: 0.9 s, output_step: 0.1 s}
"""

# In space: a block under its weight; a drawer pulled beside its middle, whose moment about the axis a key bears; a journal across and
# one along its axis of gravity; wheels that turn freely, one out of balance and one with a product of inertia; a shaft in a sleeve.
SPACE = """\
specht: 1
name: Friction by reactions in space
space: spatial
gravity: [0, 0, -g]
parameters: {g: 9.81 m/s^2, mu: 0.2, L: 0.4 m, r: 20 mm, c: 35 mm, d: 0.3 m, F: 40 N, e: 50 mm, J: 0.05 kg*m^2, J_xz: 0.02 kg*m^2, l: 0.1 m}
bodies:
  block:  {mass: 2 kg, inertia: [0.02, 0.02, 0.02], joint: {prismatic: ground, axis: [1, 0, 0], friction: {mu: mu}}}
  drawer:
    mass: 3 kg
    inertia: [0.02, 0.03, 0.04]
    joint: {prismatic: ground, axis: [1, 0, 0], friction: {mu: mu, limit: 1 N, length: L, radius: 0.1 m}}
    points: {knob: [0, d, 0], side: [0, 0.05 m, 0]}
  wheel:  {mass: 4 kg, inertia: [J, J, J], joint: {revolute: ground, axis: [0, 1, 0], friction: {mu: mu, radius: r}}}
  disc:
    mass: 4 kg
    inertia: [J, J, J]
    joint: {revolute: ground, axis: [0, 0, 1], friction: {mu: mu, radius: r, length: l, collar: c}}
    points: {out: [0, 0, 0.2]}
  eccentric:
    mass: 4 kg
    inertia: [J, J, J]
    center: [0, 0, 0.1 m]
    joint: {revolute: ground, axis: [0, 0, 1], from: [e, 0, 0.1 m], friction: {mu: mu, radius: r, length: l}}
  wobbler:
    mass: 4 kg
    inertia: {principal: [J + J_xz, J, J - J_xz], turn: {y: 45 deg}}
    joint: {revolute: ground, axis: [0, 0, 1], friction: {mu: mu, radius: r, length: l}}
  sleeve: {joint: {prismatic: ground, axis: [1, 0, 0], friction: {mu: mu}}}
  shaft:  {mass: 2 kg, inertia: [J, J, J], joint: {revolute: sleeve, axis: [1, 0, 0], friction: {mu: mu, radius: r}}}
forces:
  pull: {force: [F, 0, 0], on: drawer.knob}
  hang: {force: [0, 0, -10 N], on: drawer.side}
  side: {force: [3 N, 0, 0], on: disc.out}
start:
  block.vx: 3 m/s
  wheel.joint.omega: 10 rad/s
  disc.joint.omega: 10 rad/s
  eccentric.joint.omega: 20 rad/s
  wobbler.joint.omega: 20 rad/s
  sleeve.vx: 3 m/s
  shaft.joint.omega: 10 rad/s
run: {until: 0.3 s, output_step: 0.1 s}
"""


class Grips(Case):
    def last(self, name, names, *options):
        self.specht("run", name, *options, "-o", "r.h5")
        row = self.specht("csv", "r.h5", "--last", "--names", names)[0].splitlines()[-1]
        return [float(v) for v in row.split(",")]

    def test_guides_a_journal_and_a_contact_have_their_closed_forms(self):
        self.write("m.yaml", MACHINE)
        g, mu, t = 9.81, 0.2, 0.3
        drawer = (50 - 1 - mu * max(3 * g, 2 * 50 * 0.3 / 0.4)) / 3
        slide = (mu * (2 * g - 5) + 0.3 * (g + 5)) / 3
        want = (3 - mu * g * t, drawer * t, 10 - mu * 0.02 * 4 * g / 0.05 * t, 2 - slide * t)
        for method in METHODS:
            found = self.last("m.yaml", "block.vx,drawer.vx,wheel.omega,slide.vx", *method)[1:]
            for a, b in zip(found, want):
                self.assertAlmostEqual(a, b, delta=1e-10, msg=method)

    def test_in_space_guides_and_journals_have_their_closed_forms(self):
        self.write("s.yaml", SPACE)
        g, mu, t, J, r = 9.81, 0.2, 0.3, 0.05, 0.02
        ends = 2*math.hypot((3*g + 10)/2, 40*0.3/0.4)          # of the drawer: the moment of the pull lies across the weight
        side = 2*max(3/2, 3*0.2/0.1)                           # of the disc: (86.2), force and moment in one plane
        want = {"block.vx": 3 - mu*g*t, "drawer.vx": (40 - 1 - mu*(ends + 10*0.05/0.1))/3*t, "wheel.joint.omega": 10 - mu*r*4*g/J*t,
                "disc.joint.omega": 10 - mu*(r*side + 0.035*4*g)/J*t, "sleeve.vx": 3 - mu*g*t, "shaft.joint.omega": 10 - mu*r*2*g/J*t}
        for method in METHODS:
            found = self.last("s.yaml", ",".join(want), *method)[1:]
            for name, a in zip(want, found):
                self.assertAlmostEqual(a, want[name], delta=1e-10, msg=(method, name))

    def test_the_middle_of_a_guide_is_its_place_on_the_body(self):
        # about it the pull at d turns with d - 0.2 m, and inertia at the body's origin with -0.2 m: mu 2 M/L = m a - F ...
        for space, guide in (("planar", "axis: [1, 0], from: [0.1 m, 0.2 m]"), ("spatial", "axis: [1, 0, 0], from: [0.1 m, 0.2 m, 0 m]")):
            z = ", 0" if space == "spatial" else ""
            self.write("from.yaml", JAM.replace("planar", space).replace("v_0: 1 m/s", "v_0: 0 m/s").replace("axis: [1, 0]", guide)
                       .replace("d: 0.9 m", "d: 0.3 m").replace("knob: [0, d]", f"knob: [0, d{z}]").replace("[F, 0]", f"[F, 0{z}]")
                       .replace("inertia: 0.02 kg*m^2", "inertia: [0.02, 0.02, 0.02]" if z else "inertia: 0.02 kg*m^2"))
            a = 50*(1 - 0.2*2*0.1/0.3)/(3*(1 + 0.2*2*0.2/0.3))
            self.assertAlmostEqual(self.last("from.yaml", "drawer.vx")[1], a*0.5, delta=1e-10, msg=space)

    def test_a_wheel_out_of_balance_brakes_itself(self):
        # its journal bears m e hypot(w^2, w') or, with a product of inertia, 2 J_xz hypot(w^2, w')/l: J w' = -k hypot(w^2, w')
        self.write("s.yaml", SPACE.replace("gravity: [0, 0, -g]", "gravity: [0, 0, 0]"))
        found = self.last("s.yaml", "eccentric.joint.omega,wobbler.joint.omega", "--method", "event")[1:]
        for load, J, omega in ((4*0.05, 0.05 + 4*0.05**2, found[0]), (2*0.02/0.1, 0.05, found[1])):
            k = 0.2*0.02*load/J
            self.assertAlmostEqual(omega, 20/(1 + 20*0.3*k/math.sqrt(1 - k*k)), delta=1e-8)

    def test_time_steps_are_certified_where_a_guide_lets_go(self):
        # the limit of the step before is above the pull, that of the step below it
        self.write("ease.yaml", EASE)
        for method in METHODS:
            v = self.last("ease.yaml", "block.vx", *method)[1]
            self.assertAlmostEqual(v, 5*0.4 - 10*(0.5**2 - 0.1**2)/2, delta=2e-5, msg=method)

    def test_a_drawer_that_is_pulled_far_out_jams(self):
        self.write("jam.yaml", JAM)
        for method in METHODS:
            # it comes to rest after m v/(F (2 mu d/L - 1)) = 0.3 s and 0.15 m, and stays
            t, v, s = self.last("jam.yaml", "drawer.vx,drawer.joint.s", *method)
            self.assertAlmostEqual(v, 0, delta=1e-9, msg=method)
            self.assertAlmostEqual(s, 0.15, delta=3e-3 if "rk4" in method else 1e-4, msg=method)
            v, s = self.last("jam.yaml", "drawer.vx,drawer.joint.s", *method, "--set", "v_0=0 m/s")[1:]
            self.assertEqual((v, s), (0, 0))
            # just before L/(2 mu) it moves, however small the force
            v = self.last("jam.yaml", "drawer.vx", *method, "--set", "v_0=0 m/s", "--set", "d=0.7499 m", "--set", "F=1 N")[1]
            self.assertAlmostEqual(v, (1 - 0.4 * 0.7499 / 0.3) / 3 * 0.5, delta=1e-9)

    def test_events_are_found_where_the_reaction_lets_go(self):
        # the pull grows with time: stick ends where F (1 - 2 mu d/L) = limit + 0, since the moment is that of the pull
        self.write("grow.yaml", JAM.replace("v_0: 1 m/s", "v_0: 0 m/s").replace("d: 0.9 m", "d: 0.3 m")
                   .replace("length: L}", "length: L, limit: 6 N}").replace("force: [F, 0]", "force: [F*t/(1 s), 0]"))
        self.specht("run", "grow.yaml", "-o", "r.h5")
        event = self.json("events", "r.h5", "--json")
        self.assertEqual([e["kind"] for e in event], ["slip"])
        self.assertAlmostEqual(event[0]["t"], 6 / (50 * (1 - 0.4)), delta=1e-10)
        t, v = self.last("grow.yaml", "drawer.vx")
        self.assertAlmostEqual(v, 50 * 0.6 * (0.5 - 0.2) ** 2 / 2 / 3, delta=1e-8)

    def test_a_run_goes_on_to_the_bit(self):
        self.write("m.yaml", MACHINE)
        for method in METHODS[:2]:
            self.specht("run", "m.yaml", *method, "-o", "whole.h5")
            self.specht("run", "m.yaml", *method, "--until", "0.1 s", "--checkpoint", "-o", "half.h5")
            self.specht("run", "m.yaml", *method, "--resume", "half.h5", "-o", "rest.h5")
            last = [self.specht("csv", name, "--last", "--names", "drawer.vx,slide.joint.s")[0] for name in ("whole.h5", "rest.h5")]
            self.assertEqual(*last)

    def test_messages(self):
        for old, new, said in (
                ("radius: r}", "length: r}", "body 'wheel': joint: friction: 'length' in a joint that turns in the plane, expected 'radius'"),
                (", radius: r}", "}", "body 'wheel': joint: friction: missing 'radius'"),
                ("limit: 1 N, ", "limit: 1 m, ", "friction = 1 m is a length"),
                ("friction: {mu: mu}", "friction: {limit: 1 N}", "missing one of: mu, stiffness"),
                ("friction: {mu: mu}", "friction: {mu: -1}", "mu = -1, expected >= 0"),
                ("length: L}", "radius: L}", "'radius' in a joint that slides in the plane, expected 'length'"),
                ("radius: r}", "radius: r, collar: r}", "'collar' in a joint that turns in the plane, expected 'radius'"),
                ("length: L}", "lenght: L}", "did you mean 'length'?")):
            self.write("bad.yaml", MACHINE.replace(old, new, 1))
            _, err = self.specht("check", "bad.yaml", code=2)
            self.assertIn(said, err)
            self.assertRegex(err, r"bad\.yaml:\d+:\d+: ")


if __name__ == "__main__":
    main()
