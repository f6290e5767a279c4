"""Chains: the example of a drive, and closed forms of a chain on sprockets and of a taut strand."""
import csv
import io
import math
import os

from cli_support import SOURCE, Case, main

DRIVE = os.path.join(SOURCE, "examples", "chain_drive", "chain_drive.yaml")

# Pins on two round sheaves at rest: 10 links in each strand, the second sheave is pressed on by its carriage and loaded.
LEVERS = """\
specht: 1
name: Chain at rest
space: planar
gravity: 0 m/s^2
parameters: {p: 12.7 mm, z: 19, d: 8.51 mm, R: p/(2*sin(pi/z)), T: 20 N*m, F: 2 kN, N: 20 + 19}
paths: {chain: {around: [[0, 0, R], [10*p, 0, R]], links: N, pitch: p}}
bodies:
  fixed: {joint: {weld: ground, turn: chain.circle.1.phi}, contours: {teeth: {sprocket: z, pitch: p, roller: d}}}
  carriage: {mass: 2 kg, joint: {prismatic: ground, at: [10*p, 0], axis: [1, 0], damping: 5 kN*s/m}}
  wheel: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {revolute: carriage, damping: 2 N*m*s/rad}, contours: {teeth: {sprocket: z, pitch: p, roller: d}}}
  link: {count: N, mass: 8 g, inertia: 2e-7 kg*m^2, center: [p/2, 0], points: {front: [p, 0], back: [0, 0]}, contours: {pin: {circle: d/2}}}
forces:
  plates: {count: N, bushing: [link.(i).front, link.(i mod n + 1).back], stiffness: [1e7, 1e7, 0], damping: [300, 300, 1e-2]}
  pull: {force: [F, 0], on: carriage}
  load: {torque: -T, on: wheel}
contacts: {pins: {between: [link.pin, [fixed, wheel]], law: {mu: 0.2}}}
start: {link.along: chain.(i), wheel.phi: chain.circle.2.phi}
outputs:
  lower: link.5.phi           # places and directions of both strands
  upper: link.25.phi
  T_1: plates.5.force
  T_2: plates.25.force
  x: link.5.center.x
  y: link.5.center.y
  u: link.25.center.x
  v: link.25.center.y
  axle: wheel.x
  omega: wheel.omega
run: {until: 0.08 s, method: moreau, step: 5 us, output_step: 1 ms, start: project}
"""

# A taut strand of rigid links, uniform along its length, between a hinge and a slide that pulls.
STRAND = """\
specht: 1
name: Taut strand
space: planar
gravity: 0 m/s^2
parameters: {p: 9.525 mm, m: 5 g, n_link: 24, F: 1 kN}
bodies:
  link: {count: n_link, mass: m, inertia: m*p^2/12, center: [p/2, 0], points: {front: [p, 0]},
         joint: {revolute: link.(i-1), first: ground, at: ["if(i > 1.5, p, 0 m)", 0]}}
  end: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], at: [n_link*p, 0]}}
joints: {hold: {revolute: [link.24.front, end]}}
forces: {pull: {force: [F, 0], on: end}}
run: {until: 1 ms, method: smooth}
"""


# A chain at rest on a drum that slides under all its pins; the strands go on as links of the polygon.
DRUM = """\
specht: 1
name: Chain held on a turning drum
space: planar
gravity: 0 m/s^2
parameters: {n_pin: 9, theta: 12 deg, R: 50 mm, p: 2*R*sin(theta/2), mu: 0.3, F: 100 N, a: 90 deg + (n_pin - 1)/2*theta, d: a + theta/2 - 90 deg}
bodies:
  drum: {mass: 1 kg, inertia: 1e-3 kg*m^2, joint: {revolute: ground, speed: -1 rad/s}, contours: {rim: {circle: R}}}
  link: {count: n_pin + 1, mass: 5 g, inertia: 1e-7 kg*m^2, center: [p/2, 0], points: {front: [p, 0]}, contours: {pin: {point: [p, 0]}},
         joint: {revolute: link.(i-1), first: ground, damping: 1e-3 N*m*s/rad,
                 at: ["if(i < 1.5, R*cos(a) - p*cos(d), p)", "if(i < 1.5, R*sin(a) - p*sin(d), 0 m)"]}}
forces: {pull: {force: [F*cos(d - n_pin*theta), F*sin(d - n_pin*theta)], on: link.10.front}}
contacts: {pins: {between: [link.pin, drum.rim], law: {mu: mu}}}
start: {link.phi: d - (i - 1)*theta}
outputs: {T: "sqrt(link.1.joint.fx^2 + link.1.joint.fy^2)"}
run: {until: 50 ms, method: moreau, step: 20 us, output_step: 10 ms, start: project}
"""

# Pins float between two rigid sheaves, one of which is pressed with S, and hold them by friction.
SHEAVES = """\
specht: 1
name: Pins between rigid sheaves, all sliding along the circumference
space: spatial
gravity: 0 m/s^2
parameters: {n_pin: 12, R: 40 mm, beta: 11 deg, mu: 0.09, S: 10 kN}
bodies:
  pulley: {mass: 4 kg, inertia: [8e-3, 8e-3, 8e-3], joint: {revolute: ground, axis: [0, 0, 1]}}
  sheave: {mass: 2 kg, inertia: [4e-3, 4e-3, 4e-3], joint: {prismatic: pulley, axis: [0, 0, 1]}}
  pin:    {count: n_pin, mass: 5 g, inertia: 1e-7 kg*m^2, joint: {prismatic: ground, axis: [0, 0, 1]}}
forces: {clamp: {force: [0, 0, -S], on: sheave}}
contacts:
  left:  {count: n_pin, gap: cos(beta)*pin.(i).joint.s, slip: [-R*pulley.omega_z, -sin(beta)*pin.(i).joint.v], law: {mu: mu}}
  right: {count: n_pin, gap: cos(beta)*(sheave.joint.s - pin.(i).joint.s),
          slip: [-R*sheave.omega_z, sin(beta)*(pin.(i).joint.v - sheave.joint.v)], law: {mu: mu}}
start: {pulley.omega_z: 300 rad/s}
outputs: {N: left.1.lambda_N, T_1: left.1.lambda_T1, T_2: left.1.lambda_T2, M: 12*R*(left.1.lambda_T1 + right.1.lambda_T1)}
run: {until: 2 ms, method: moreau, step: 10 us, output_step: 1 ms}
"""


# Elastic plates on two equal sheaves, pins stick where they come on: a chain of 64 links, 16 on each strand and each sheave.
CREEP = """\
specht: 1
name: Creep of an elastic chain below full slip
space: planar
gravity: 0 m/s^2
parameters: {p: 9.85 mm, z: 32, N: 64, R: p/(2*sin(pi/z)), a: 16*p, W: 150 rad/s, F: 5 kN, T: 80 N*m}
paths: {chain: {around: [[0, 0, -R], [a, 0, -R]], links: N, pitch: p, speed: W*R}}
functions: {ramp(u): "if(u < 1, u^2*(3 - 2*u), 1)"}
bodies:
  driving: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: ground, speed: -W}, contours: {rim: {circle: R - 10 um}}}
  carriage: {mass: 4 kg, joint: {prismatic: ground, at: [a, 0], axis: [1, 0], damping: 20 kN*s/m}}
  driven: {mass: 4 kg, inertia: 8e-3 kg*m^2, joint: {revolute: carriage}, contours: {rim: {circle: R - 10 um}}}
  link: {count: N, mass: 15 g, inertia: 4e-7 kg*m^2, center: [p/2, 0], points: {front: [p, 0], back: [0, 0]}, contours: {pin: {point: [0, 0]}}}
forces:
  plates: {count: N, bushing: [link.(i).front, link.(i mod n + 1).back], stiffness: [8e7, 8e7, 0], damping: [800, 800, 2e-4]}
  pull: {force: [F, 0], on: carriage}
  load: {torque: T*ramp(t/(20 ms)), on: driven}
contacts: {pins: {between: [link.pin, [driving, driven]], law: {mu: 0.47}}}
start: {link.along: chain.(i), driven.omega: -W}
run: {until: 120 ms, method: moreau, step: 10 us, output_step: 0.5 ms, start: project}
"""


class Chains(Case):
    def channels(self, name):
        out, _ = self.specht("csv", name)
        rows = list(csv.reader(io.StringIO(out)))
        head = [title.split("[")[0] for title in rows[0]]
        return {title: [float(row[k]) for row in rows[1:]] for k, title in enumerate(head)}

    def test_the_drive_runs_without_doubt_and_keeps_its_teeth(self):
        self.specht("run", DRIVE, "-q", "--until", "6 ms", "-o", "drive.h5")
        at = self.channels("drive.h5")
        lag = [(c - at["cam.joint.phi"][0]) - (k - at["crank.joint.phi"][0]) / 2
               for c, k in zip(at["cam.joint.phi"], at["crank.joint.phi"])]
        self.assertLess(max(map(abs, lag)), 0.05)  # a tooth is 0.165 rad
        self.assertGreater(at["piston.joint.s"][-1], 1e-4)

    def test_torque_is_that_of_the_forces_of_both_strands_and_their_levers(self):
        self.write("levers.yaml", LEVERS)
        self.specht("run", "levers.yaml", "-q", "-o", "levers.h5")
        at = {title: values[-1] for title, values in self.channels("levers.h5").items()}

        def arm(x, y, phi):
            return math.sin(phi) * (x - at["axle"]) - math.cos(phi) * y

        # links run from the wheel at rest to the loaded one below, and back above
        torque = at["T_2"] * arm(at["u"], at["v"], at["upper"]) - at["T_1"] * arm(at["x"], at["y"], at["lower"])
        self.assertAlmostEqual(torque / 20, 1, delta=1e-6)
        self.assertGreater(at["T_2"] - at["T_1"], 500)

    def test_first_frequency_of_a_strand_is_that_of_a_string(self):
        self.write("strand.yaml", STRAND)
        modes = self.json("modes", "strand.yaml", "--state", "start", "--json")["modes"]
        string = math.sqrt(1000 * 9.525e-3 / 5e-3) / (2 * 24 * 9.525e-3)
        self.assertAlmostEqual(min(mode["frequency_hz"] for mode in modes) / string, 1, delta=0.005)

    def test_tension_on_a_drum_grows_from_pin_to_pin_as_eytelweins_discrete_law_says(self):
        self.write("drum.yaml", DRUM)
        self.specht("run", "drum.yaml", "-q", "-o", "drum.h5")
        step = 0.3 * math.tan(math.radians(6))
        self.assertAlmostEqual(self.channels("drum.h5")["T"][-1] / (100 * ((1 + step) / (1 - step)) ** 9), 1, delta=1e-9)

    def test_an_elastic_chain_creeps_by_the_difference_of_the_strains_of_its_strands(self):
        self.write("creep.yaml", CREEP)
        self.specht("run", "creep.yaml", "-q", "-o", "creep.h5")
        at = self.channels("creep.h5")
        half = len(at["t"]) // 2  # 46 pitches
        mean = (at["driven.joint.phi"][-1] - at["driven.joint.phi"][half]) / (at["t"][-1] - at["t"][half])
        difference = 80 * (2 * math.pi / 32) / 9.85e-3  # T_1 - T_2 in the mean over a pitch
        creep = difference / (8e7 * 9.85e-3 + (5e3 + difference) / 2)  # (T_1 - T_2)/(EA + T_1)
        self.assertAlmostEqual((1 + mean / 150) / creep, 1, delta=0.01)

    def test_a_force_without_a_slope_is_named_in_the_summary(self):
        self.write("steep.yaml", "specht: 1\nspace: planar\ngravity: 0\nbodies: {a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
                   'forces: {root: {force: ["-10 N * sqrt(abs(a.x/(1 m)))*sign(a.x)", 0], on: a}}\n'
                   "run: {until: 10 ms, method: moreau, step: 1 ms, implicit: yes}\n")
        out, err = self.specht("run", "steep.yaml", "--no-output")
        self.assertIn("force 'root' has no slope at t = 0.001 s", out + err)

    def test_negative_stiffness_and_implicit_steps_without_effect_are_said(self):
        self.write("push.yaml", "specht: 1\nspace: planar\ngravity: 0\n"
                   "bodies: {a: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: -5 N/m}}}\n"
                   "forces: {s: {spring: a.joint.s, stiffness: 1 N/m, damping: -1 N*s/m}}\n"
                   "start: {a.x: 1 mm}\n"
                   "run: {until: 10 ms, method: rk4, step: 1 ms, implicit: yes}\n")
        out, err = self.specht("run", "push.yaml", "--no-output")
        self.assertIn("body 'a': joint: stiffness = -5 N/m is negative", out + err)
        self.assertIn("force 's': damping = -1 N*s/m is negative", out + err)
        self.assertIn("implicit: yes has no effect on method 'rk4'", out + err)

    def test_pins_between_rigid_sheaves_brake_with_the_moment_of_full_slip(self):
        self.write("sheaves.yaml", SHEAVES)
        self.specht("run", "sheaves.yaml", "-q", "-o", "sheaves.h5")
        at = self.channels("sheaves.h5")
        moment = 2 * 0.09 * 10e3 * 0.04 / math.cos(math.radians(11))  # 2 mu S R/cos(beta)
        omega = at["pulley.joint.omega"]
        self.assertAlmostEqual((omega[0] - omega[-1]) / 2e-3 * 12e-3 / moment, 1, delta=1e-9)
        self.assertAlmostEqual(at["M"][-1] / moment, 1, delta=1e-7)
        self.assertAlmostEqual(at["T_2"][-1], 0, delta=1e-6)
        _, err = self.specht("run", "sheaves.yaml", "--method", "event", "--no-output", code=2)
        self.assertIn("method 'event' does not know contacts with two slips", err)

    def test_all_rollers_of_the_drive_start_free_of_the_teeth(self):
        with open(DRIVE, encoding="utf-8") as f:
            text = f.read()
        self.write("drive.yaml", text.replace(", start: project", ""))
        self.specht("check", "drive.yaml")


if __name__ == "__main__":
    main()
