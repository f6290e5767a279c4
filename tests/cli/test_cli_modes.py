"""specht modes: equilibrium, natural frequencies and damping."""
import math
import os

from cli_support import SOURCE, Case, main

WOODPECKER = os.path.join(SOURCE, "examples", "woodpecker", "woodpecker.yaml")

PENDULUM = """\
specht: 1
name: Pendulum
space: planar
gravity: 9.81 m/s^2
parameters: {d: 0 N*m*s/rad}
bodies:
  rod: {mass: 1 kg, inertia: 0 kg*m^2, center: [0, -1 m], joint: {revolute: ground, damping: d}}
start: {rod.phi: 1 rad, rod.omega: 2 rad/s}
"""

FALLING = PENDULUM.replace("revolute: ground, damping: d", "prismatic: ground, axis: [0, 1]").replace(
    "rod.phi: 1 rad, rod.omega: 2 rad/s", "rod.y: 1 m")

BELT = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  belt: {joint: {prismatic: ground, axis: [1, 0], speed: 0.1}, contours: {top: {line: [0, 1]}}}
  block: {mass: 1, inertia: 1e-3, contours: {sole: {point: [0, 0]}}}
forces: {coil: {spring: block.x, stiffness: 200, damping: 0.1}}
contacts: {rub: {between: [block.sole, belt.top], law: {mu: 0.2 + 0.15*exp(-v/0.05), mu_0: 0.4}}}
"""

BLOCK = """\
specht: 1
space: planar
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {slope: {line: [0.6, 0.8]}}}
  block: {mass: 2 kg, inertia: 1 kg*m^2, contours: {foot: {point: [0, 0]}}}
contacts: {rest: {between: [block, ground], law: {mu: 0.5}}}
"""


SLED = """\
specht: 1
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {slope: {plane: [0.6, 0, 0.8]}}}
  sled: {mass: 2 kg, inertia: 1 kg*m^2, joint: {free: ground, only: [x, y, z]}, contours: {end: {sphere: 0.1 m}}}
contacts: {rest: {between: [sled.end, ground.slope], law: {mu: 0.5}}}
start: {sled.z: 0.125 m}
"""

TOP = os.path.join(SOURCE, "examples", "tippe_top", "tippe_top.yaml")


class Modes(Case):
    def test_the_tippe_top_leaves_its_body_beyond_its_critical_spin(self):
        for spin, stable in ((21.69, True), (21.71, False)):
            got = self.json("modes", TOP, "--set", "tilt=0", "--set", f"spin={spin} rad/s", "--json")
            self.assertEqual([got["at"], got["axes"], got["stable"]], ["equilibrium", "ground", stable])
            self.assertEqual(got["rows"][-1]["direction"], "spin")
            self.assertAlmostEqual(got["rows"][0]["force"], 0.006 * 9.81, places=12)
            self.assertIsNone(got["note"])
        for spin, stable in ((88.1, False), (88.12, True)):
            got = self.json("modes", TOP, "--set", "tilt=180deg", "--set", f"spin={spin} rad/s", "--json")
            self.assertEqual(got["stable"], stable)
        out, _ = self.specht("modes", TOP, "--set", "tilt=0", "--hold", "none", "--state", "start")
        self.assertIn("no steady motion: modes are those of the instant", out)

    def test_contacts_in_space_that_cannot_hold_are_warned_about(self):
        self.write("s.yaml", SLED)
        _, err = self.specht("modes", "s.yaml", "--closed", "rest")
        self.assertIn("contact 'rest' needs 11.77 N of friction to stick and has 7.848 N: it slides", err)
        _, err = self.specht("modes", "s.yaml", "--closed", "rest", "--set", "contacts.rest.law.mu=0.76")
        self.assertEqual(err, "")

    def test_a_wrong_word_behind_a_contact_is_told(self):
        self.write("s.yaml", SLED)
        _, err = self.specht("modes", "s.yaml", "--closed", "rest:stik", code=2)
        self.assertIn("closed: 'stik' behind 'rest:' is not known, expected 'stick' or 'slide'", err)
        _, err = self.specht("modes", "s.yaml", "--closed", "rast:stick", code=2)
        self.assertIn("closed: 'rast' is no contact", err)

    def test_the_woodpecker_has_its_frequencies(self):
        free = self.json("modes", WOODPECKER, "--closed", "none", "--json")
        self.assertEqual(free["at"], "start")
        self.assertIn("'y'", free["note"])
        hz = [m["frequency_hz"] for m in free["modes"]]
        self.assertEqual(hz[1:], [0, 0])  # what swings comes first
        self.assertAlmostEqual(hz[0], 72.9085, places=4)
        held = self.json("modes", WOODPECKER, "--hold", "y,phi_M", "--json")
        self.assertEqual(held["at"], "equilibrium")
        self.assertEqual(len(held["modes"]), 1)
        self.assertAlmostEqual(held["modes"][0]["frequency_hz"], 9.1012, places=4)
        self.assertEqual(held["modes"][0]["shape"], {"y": 0, "phi_M": 0, "phi_S": 1})
        self.assertEqual(held["held"], ["y", "phi_M"])

    def test_a_sticking_contact_clamps_the_sleeve(self):
        got = self.json("modes", WOODPECKER, "--closed", "sleeve_lower", "--json")
        self.assertAlmostEqual(got["modes"][0]["frequency_hz"], 9.1012, places=4)
        normal, tangential = got["rows"]
        self.assertEqual([normal["direction"], tangential["direction"]], ["normal", "tangential"])
        self.assertGreater(normal["force"], 0)
        self.assertAlmostEqual(abs(tangential["force"]), 0.0048 * 9.81, places=9)  # the weight of both

    def test_the_equilibrium_is_told(self):
        got = self.json("modes", self.write("p.yaml", PENDULUM), "--json")
        self.assertEqual([got["status"], got["at"], got["stable"]], ["ok", "equilibrium", True])
        self.assertAlmostEqual(got["state"]["q"]["rod.joint.phi"], 0, places=12)
        mode = got["modes"][0]
        self.assertAlmostEqual(mode["frequency_hz"], math.sqrt(9.81) / (2 * math.pi), places=12)
        self.assertEqual([mode["damping"], mode["unstable"], mode["kind"]], [0, False, "swings"])
        self.assertEqual(mode["shape"], {"rod.joint.phi": 1})

    def test_damping_and_the_start_state(self):
        self.write("p.yaml", PENDULUM)
        mode = self.json("modes", "p.yaml", "--set", "d=0.5", "--json")["modes"][0]
        self.assertAlmostEqual(mode["eigenvalue"][0], -0.25, places=12)
        self.assertAlmostEqual(mode["damping"], 0.25 / math.sqrt(9.81), places=12)
        self.assertAlmostEqual(mode["damped_hz"], math.sqrt(9.81 - 0.0625) / (2 * math.pi), places=12)
        start = self.json("modes", "p.yaml", "--state", "start", "--json")
        self.assertEqual(start["at"], "start")
        self.assertAlmostEqual(start["modes"][0]["frequency_hz"],
                               math.sqrt(9.81 * math.cos(1)) / (2 * math.pi), places=12)

    def test_people_read_a_table(self):
        out, err = self.specht("modes", self.write("p.yaml", PENDULUM.replace("1 rad,", "3 rad,")))
        self.assertEqual(err, "")
        for said in ("Pendulum", "at an equilibrium", "rod.joint.phi = 3.14159", "UNSTABLE",
                     "unstable: 1 of 2 modes grow"):
            self.assertIn(said, out)

    def test_an_equilibrium_that_is_asked_for_must_be_there(self):
        self.write("f.yaml", FALLING)
        _, err = self.specht("modes", "f.yaml", "--state", "equilibrium", code=1)
        self.assertIn("'rod.joint.s' is accelerated by -9.81 m/s^2", err)
        self.assertEqual(self.json("modes", "f.yaml", "--json")["modes"][0]["kind"], "free")
        got = self.json("modes", "f.yaml", "--state", "equilibrium", "--json", code=1)
        self.assertEqual(got["status"], "failed")

    def test_contacts_that_cannot_hold_are_warned_about(self):
        self.write("b.yaml", BLOCK)
        _, err = self.specht("modes", "b.yaml", "--closed", "rest")
        self.assertIn("contact 'rest' needs 11.77 N of friction to stick and has 7.848 N: it slides", err)
        got = self.json("modes", "b.yaml", "--closed", "rest:slide", "--state", "start", "--json")
        self.assertEqual([m["kind"] for m in got["modes"]], ["free", "free"])

    def test_names_that_are_none_are_told(self):
        self.write("p.yaml", PENDULUM)
        _, err = self.specht("modes", "p.yaml", "--hold", "rod.joint.psi", code=2)
        self.assertIn("hold: 'rod.joint.psi' is no coordinate, joint or body, did you mean 'rod.joint.phi'?",
                      err)
        _, err = self.specht("modes", WOODPECKER, "--closed", "beek", code=2)
        self.assertIn("closed: 'beek' is no contact, did you mean 'beak'?", err)
        _, err = self.specht("modes", "p.yaml", "--state", "middle", code=2)
        self.assertIn("expected 'start' or 'equilibrium'", err)

    def test_the_file_may_say_what_is_held(self):
        with open(WOODPECKER, encoding="utf-8") as f:
            text = f.read()
        self.write("w.yaml", text + "modes: {hold: [y, phi_M]}\n")
        self.assertAlmostEqual(self.json("modes", "w.yaml", "--json")["modes"][0]["frequency_hz"], 9.1012, places=4)
        self.assertEqual(len(self.json("modes", "w.yaml", "--hold", "none", "--closed", "none", "--json")["modes"]), 3)
        self.write("c.yaml", text + "modes: {closed: sleeve_lower:stick, state: start}\n")
        got = self.json("modes", "c.yaml", "--json")
        self.assertEqual(got["at"], "start")
        self.assertAlmostEqual(got["modes"][0]["frequency_hz"], 9.1012, places=4)
        self.write("b.yaml", text + "modes: {held: y}\n")
        _, err = self.specht("modes", "b.yaml", code=2)
        self.assertIn("modes: unknown key 'held', did you mean 'hold'?", err)

    def test_friction_that_falls_with_speed_drives_a_block_on_a_belt(self):
        """m s^2 + (d + m g mu'(v)) s + k = 0"""
        damping = 0.1 + 9.81*(-0.15/0.05*math.exp(-0.1/0.05))
        self.write("belt.yaml", BELT)
        got = self.json("modes", "belt.yaml", "--closed", "rub:slide", "--hold", "block.phi", "--json")
        self.assertFalse(got["stable"])
        self.assertEqual(len(got["modes"]), 1)
        self.assertAlmostEqual(got["modes"][0]["eigenvalue"][0], -damping/2, places=9)
        self.assertAlmostEqual(got["modes"][0]["eigenvalue"][1], math.sqrt(200 - damping**2/4), places=9)

    def test_everything_held_leaves_nothing(self):
        self.write("p.yaml", PENDULUM)
        out, _ = self.specht("modes", "p.yaml", "--hold", "rod")
        self.assertIn("nothing can move", out)
        self.assertEqual(self.json("modes", "p.yaml", "--hold", "rod.phi", "--json")["modes"], [])


if __name__ == "__main__":
    main()
