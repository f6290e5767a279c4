"""specht verify."""
import json
import math
import os
import pty
import subprocess

from cli_support import BALL, SOURCE, Case, main


# A box on the floor and a wheel in a bearing; only one of them moves, the coordinates of the other are round-off.
STILL = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {{contours: {{floor: {{line: [0, 1]}}}}}}
  box: {{mass: 1, inertia: 0.1, contours: {{a: {{point: [-0.1, -0.1]}}, b: {{point: [0.1, -0.1]}}}}}}
  wheel: {{mass: 1, inertia: 0.1, center: [0, 0], joint: {{revolute: ground}}}}
contacts: {{c: {{between: [box, ground], law: {{mu: 0.3}}}}}}
start: {{box.x: 0, box.y: 0.1, box.vx: {speed}, wheel.omega: {spin}}}
run: {{until: 0.2, method: event}}
"""

# Three discs, thrown onto each other between two walls: where they end nobody can tell.
STACK = """\
specht: 1
name: Three discs between walls
space: planar
gravity: 9.81 m/s^2
bodies:
  ground:
    contours: {floor: {line: [0, 1]}, left: {line: [1, 0], at: [-0.26 m, 0]}, right: {line: [-1, 0], at: [0.26 m, 0]}}
  a: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: {circle: 0.1 m}}}
  b: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: {circle: 0.1 m}}}
  c: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: {circle: 0.1 m}}}
contacts:
  walls: {between: [[a, b, c], ground], law: {mu: 0.3, eps_N: 0.8}}
  ab: {between: [a, b], law: {mu: 0.3, eps_N: 0.8}}
  ac: {between: [a, c], law: {mu: 0.3, eps_N: 0.8}}
  bc: {between: [b, c], law: {mu: 0.3, eps_N: 0.8}}
start: {a.y: 0.3 m, b.y: 0.6 m, b.x: 0.02 m, c.y: 0.9 m, c.x: -0.03 m, c.vx: 1 m/s}
run: {until: 3 s, step: 0.5 ms, tolerance: 1e-9}
"""

# A bar that falls nearly flat: its ends meet the floor 2.3e-8 s after each other, one by one from event to event,
# together in every step that is longer.  Uniform, so that what hits one end drives the other one down: the impacts end
# in different motions, and each method converges to its own.
FLAT = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  bar: {mass: 1, inertia: 1/12, contours: {left: {point: [-0.5, 0]}, right: {point: [0.5, 0]}}}
contacts: {ends: {between: [bar, ground], law: {eps_N: 0.5}}}
start: {bar.y: 1, bar.phi: 1e-7}
run: {until: 0.6, step: 1e-3, tolerance: 1e-9}
"""


# A rod whose tip and middle touch at once: its impact has three solutions, and each method takes one.
SHELF = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}, shelf: {line: [0, 1], at: [0, 0.44721359549995793]}}}
  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}, mid: {point: [0, 0]}}}
contacts: {c: {between: [rod.tip, ground.floor], law: {mu: 2}}, d: {between: [rod.mid, ground.shelf], law: {eps_N: 0.6}}}
start: {rod.y: 0.44721359549995793, rod.phi: atan(0.5), rod.vx: 2.75, rod.vy: -0.125, rod.omega: 0.55901699437494745}
run: {until: 0.02, method: event, tolerance: 1e-9}
"""


# A box at rest whose coordinates are all zero: runs differ by round-off alone.
REST = """\
specht: 1
units: off
space: planar
gravity: [1.3, -9.7]
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  box: {mass: 1, inertia: 0.1, center: [0.013, 0.17], contours: {a: {point: [-0.11, 0]}, b: {point: [0.17, 0]}}}
contacts: {c: {between: [box, ground], law: {mu: 0.3}}}
run: {until: 0.2, method: event}
"""

# A box that spins and slides on four corners: how they share its weight is open, and friction turns it by that.
SPIN = """\
specht: 1
units: off
space: spatial
gravity: 9.81
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  box: {mass: 1, inertia: [0.01, 0.01, 0.015], contours: {b: {box: [0.2, 0.2, 0.2]}}}
contacts: {f: {between: [box, ground], law: {mu: 0.3}}}
start: {box.z: 0.1, box.vx: 1, box.omega_z: 5}
run: {until: 0.3, method: event}
"""

# A foot that is drawn to and fro over the floor: 1e-4 J, of which friction takes 3 N times 0.065 m.
DRAWN = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  sled: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: {s: 0.01*sin(t)}}}
  foot: {mass: 1, joint: {prismatic: sled, axis: [0, 1]}, contours: {p: {point: [0, 0]}}}
contacts: {c: {between: [foot.p, ground], law: {mu: 0.3}}}
run: {until: 10}
"""

# A box that jams as soon as it slides (theory section 50).
JAM = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  box: {mass: 1, inertia: 0.003, contours: {c: {polygon: [[-0.05, -0.3], [0.05, -0.3], [0.05, 0.3], [-0.05, 0.3]]}}}
contacts: {f: {between: [box, ground], law: {mu: "0.6 - 0.4*exp(-v/0.1)", mu_0: 0.2}}}
start: {box.y: 0.3, box.vx: 1.5}
run: {until: 0.05}
"""


# A ball that hops for 3 s.
HOPS = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {t: {point: [0, 0]}}}
contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.9}}}
start: {ball.joint.s: 1}
run: {until: 3, tolerance: 1e-9}
"""

# A tilted box that drops onto its corners without restitution.
TILTED = """\
specht: 1
units: off
space: spatial
gravity: 9.81
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  box: {mass: 1, inertia: [0.01, 0.013, 0.015], contours: {b: {box: [0.2, 0.2, 0.2]}}}
contacts: {f: {between: [box, ground], law: {mu: 0.3}}}
start: {box.z: 0.3, box.turn: {x: 0.3}, box.omega_y: 0.5}
run: {until: 1, method: event}
"""

# A sled that a force t pulls: steps have velocities exactly, and positions of second order.
SLED = """\
specht: 1
units: off
space: planar
gravity: 0
bodies:
  sled: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}
forces: {pull: {force: [t, 0], on: sled}}
run: {until: 1}
"""

# A plank on three feet, the middle one rough: how they share its weight, and so its friction, is one of a continuum.
PLANK = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  plank: {mass: 1, inertia: 0.1, contours: {a: {point: [-0.5, 0]}, b: {point: [0, 0]}, c: {point: [0.5, 0]}}}
contacts:
  ends: {between: [[plank.a, plank.c], ground], law: {mu: 0}}
  rough: {between: [plank.b, ground], law: {mu: 0.4}}
start: {plank.vx: 1}
run: {until: 0.6}
"""

# Two wheels driven through backlash: with the usual step the teeth cross half of their play in one step.
MESH = """\
specht: 1
space: planar
gravity: 0
parameters: {m: 2 mm, W: 20 rad/s}
tables:
  gears:
    columns: [z, J, play]
    units: [1, kg*m^2, mm]
    rows: {slow: [40, 4e-4, 0.2], fast: [20, 1e-4, 0.1]}
bodies:
  pinion: {inertia: 1e-3 kg*m^2, joint: {revolute: ground, speed: W}}
  wheel: {each: gears, inertia: J, joint: {revolute: ground, damping: 1e-5 N*m*s/rad}}
couplings:
  mesh: {each: gears, of: m/2*(20*pinion.phi + z*wheel.(i).phi), range: [-play/2, play/2], law: {eps_N: 0.5}}
run: {until: 1 s}
"""

# A double pendulum, chaotic: 500 samples of a long run are far apart.
PENDULUM = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  inner: {mass: 1, inertia: 0.01, center: [0, -0.5], joint: {revolute: ground}}
  outer: {mass: 1, inertia: 0.01, center: [0, -0.5], joint: {revolute: inner, at: [0, -1]}}
start: {inner.phi: 2, outer.phi: 3}
run: {until: 1000, step: 0.01, tolerance: 1e-3}
"""


class Verify(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_coordinates_that_are_zero_by_symmetry_have_a_scale(self):
        """A damper between two sloping plates that swing against each other: it turns by round-off alone (57.33)."""
        plate = "mass: 0.5 kg, joint: {prismatic: ground, axis: [1, 0], stiffness: 1e6 N/m, damping: 20 N*s/m}"
        self.write("wedge.yaml", f"""\
specht: 1
space: planar
gravity: 0
parameters: {{r: 8 mm, a: 50 deg}}
bodies:
  left:  {{{plate}, contours: {{face: {{line: [sin(a), -cos(a)], at: [-r*sin(a), r*cos(a)]}}}}}}
  right: {{{plate}, contours: {{face: {{line: [-sin(a), -cos(a)], at: [r*sin(a), r*cos(a)]}}}}}}
  damper: {{mass: 20 g, inertia: 6e-7 kg*m^2, contours: {{back: {{circle: r}}}}}}
forces:
  pull_l: {{force: [200 N * cos(383 rad/s * t), 0], on: left}}
  pull_r: {{force: [-200 N * cos(383 rad/s * t), 0], on: right}}
  spin: {{force: [0, 100 N], on: damper}}
contacts: {{k: {{between: [damper, [left, right]], law: {{mu: 0.2}}}}}}
run: {{until: 0.1 s}}
""")
        got = self.json("verify", "wedge.yaml", "--json")
        self.assertEqual(got["status"], "agreement")
        self.assertEqual(got["trust"], 0.1)

    def test_a_ball_agrees_and_the_table_says_so(self):
        out, err = self.specht("verify", "ball.yaml")
        self.assertEqual(err, "")
        for word in ("event at tolerances", "trusted", "order", "impacts", "energy", "agreement"):
            self.assertIn(word, out)
        self.assertNotIn("contradict", out)
        self.assertIn(" 1 contact,", out.splitlines()[0])
        self.assertTrue(out.splitlines()[1].strip().startswith("agreement over the whole run of"))

    def test_impulses_agree_as_steps_allow(self):
        # one impact of speed sqrt(2 g h); a step catches it up to dt late or early, which changes its speed by g dt
        got = self.json("verify", "ball.yaml", "--json")
        self.assertEqual((got["impacts_reference"], got["impacts_matched"]), (1, 1))
        self.assertLessEqual(got["impulse"], 9.81*got["steps"][-1]/math.sqrt(2*9.81*1.0))
        # adaptive steps are as short there as their tolerance asks
        got = self.json("verify", "ball.yaml", "--method", "event,adaptive", "--json")
        self.assertLessEqual(got["impulse"], 1e-6)

    def test_methods_that_converge_to_different_motions_contradict_with_exit_code_1(self):
        self.write("flat.yaml", FLAT)
        out, _ = self.specht("verify", "flat.yaml", code=1)
        self.assertIn("the methods contradict each other from t = 0.4", out.splitlines()[1])
        text, _ = self.specht("verify", "flat.yaml", "--json", code=1)
        got = json.loads(text)
        self.assertEqual(got["status"], "contradiction")
        # from the first sample behind the impact on, at sqrt(2 h/g)
        self.assertTrue(0 <= got["t_contradiction"] - math.sqrt(0.2) < 0.01)
        self.assertGreater(got["contradiction"], 20*got["contradiction_self"])

    def test_an_impact_with_several_solutions_is_no_contradiction_and_is_told(self):
        self.write("shelf.yaml", SHELF)
        out, _ = self.specht("verify", "shelf.yaml", "--method", "event,moreau-mean")
        self.assertRegex(out.splitlines()[1], r"^  agreement until t = 0 s of 0.02 s; beyond, the machine has several "
                         r"motions: event took one of 3 impacts at t = 0 s \('c'\), moreau-mean goes another way$")
        got = self.json("verify", "shelf.yaml", "--method", "event,moreau-mean", "--json")
        self.assertEqual((got["status"], got["agrees_until"], got["t_parting"]), ("several motions", 0, 0))
        self.assertEqual(got["choice"], {"t": 0, "contact": "c", "n_found": 3, "at_least": False})
        self.assertNotIn("t_contradiction", got)

    def test_a_continuum_of_motions_is_no_contradiction_and_is_told(self):
        self.write("spin.yaml", SPIN)
        out, _ = self.specht("verify", "spin.yaml")
        self.assertIn("has several motions: event took one of a continuum at t = 0 s", out.splitlines()[1])
        self.assertNotIn("differ by 1e-2", out)
        got = self.json("verify", "spin.yaml", "--json")
        self.assertEqual((got["status"], got["choice"]["n_found"]), ("several motions", 0))
        self.assertLess(got["agrees_until"], 0.05)
        self.assertLess(max(got["positions"]), 1e-6)  # what is told of the comparison ends where they part

    def test_a_machine_at_rest_at_zero_agrees(self):
        self.write("rest.yaml", REST)
        got = self.json("verify", "rest.yaml", "--json")
        self.assertEqual((got["status"], got["trust"]), ("agreement", 0.2))
        self.assertEqual(got["order_positions"], None)

    def test_energies_are_compared_with_what_drives_bring_in(self):
        self.write("drawn.yaml", DRAWN)
        got = self.json("verify", "drawn.yaml", "--step", "2e-2", "--json")
        self.assertEqual(got["status"], "agreement")
        # steps turn friction up to dt late: 3 N times what is gone by then, of the work of all ways, 3 N (6 - sin 10) cm
        self.assertLess(got["energy_friction"], 0.01*got["steps"][-1]**2*4/(0.01*(6 + math.sin(10))))
        self.assertGreater(got["energy_friction"], 1e-7)

    def test_where_a_jam_is_booked_is_told(self):
        self.write("jam.yaml", JAM)
        out, _ = self.specht("verify", "jam.yaml")
        self.assertRegex(out, r"jams +1 \(first at t = 0 s, 'f.2'\): counted as impacts in event, "
                         "as friction in time steps")
        got = self.json("verify", "jam.yaml", "--json")
        self.assertEqual(got["jams"], 1)
        self.assertGreater(got["energy_friction"], 1e-2)
        self.assertLess(got["energy_lost"], 1e-5)
        out, _ = self.specht("verify", "ball.yaml")
        self.assertNotIn("jams", out)

    def test_angles_that_are_round_off_do_not_count(self):
        for speed, spin in ((2, 0), (0, 3), (0, 0)):  # a box that slides without tilting, a wheel that turns, nothing
            self.write("still.yaml", STILL.format(speed=speed, spin=spin))
            got = self.json("verify", "still.yaml", "--json")
            self.assertEqual((got["status"], got["agrees_until"]), ("agreement", 0.2))
            self.assertLess(max(got["velocities"]), 1e-3)

    def test_impacts_of_one_run_alone_are_told(self):
        self.write("flat.yaml", FLAT)
        text, _ = self.specht("verify", "flat.yaml", "--json", code=1)
        got = json.loads(text)
        self.assertEqual(got["impacts_reference"], got["impacts_matched"] + got["impacts_reference_alone"])
        self.assertGreater(got["impacts_reference_alone"], 0)
        first = got["first_alone"]
        out, _ = self.specht("verify", "flat.yaml", code=1)
        self.assertIn("the first at t = {:.6g} s in {} ('{}')".format(first["t"], first["method"], first["contact"]), out)

    def test_a_terminal_shows_which_run_is_under_way(self):
        self.write("stack.yaml", STACK)
        screen, terminal = pty.openpty()
        process = self.start("verify", "stack.yaml", "--step", "50us", stderr=terminal, stdout=subprocess.DEVNULL,
                             env={"TERM": "xterm"})
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(screen, 4096):
                shown += part
        except OSError:  # the other side has ended
            pass
        os.close(screen)
        self.assertIn(process.wait(120), (0, 1))  # steps may go uncertified, which is not what is looked at here
        self.assertRegex(shown.decode(), r" %   moreau-mean step 1\.25e-05   t = [0-9.]+ s")

    def test_chaos_is_told_in_the_headline_with_its_time(self):
        self.write("stack.yaml", STACK)
        out, _ = self.specht("verify", "stack.yaml")
        got = self.json("verify", "stack.yaml", "--json")
        head = out.splitlines()[1].strip()
        self.assertRegex(head, r"^agreement until t = [0-9.e-]+ s of 3 s, positions to [0-9.e-]+ of their size; beyond, ")
        until = float(head.split("t = ")[1].split()[0])
        self.assertTrue(0.1 < until < 3.0)
        self.assertAlmostEqual(got["agrees_until"], until, places=5)
        self.assertEqual(got["agrees_until"], got["compared"])

    def test_steps_that_are_too_long_agree_until_then_and_shorter_ones_go_further(self):
        self.write("hops.yaml", HOPS)
        until = []
        for step in ("6e-3", "3e-3", "1e-3"):
            out, _ = self.specht("verify", "hops.yaml", "--step", step)
            head = out.splitlines()[1]
            got = self.json("verify", "hops.yaml", "--step", step, "--json")
            self.assertEqual(got["status"], "agreement")
            self.assertLess(got["positions"][2], 1e-2)
            self.assertEqual(got["agrees_until"] < 3, "a smaller --step goes further" in head)  # the advice is given,
            until.append(got["agrees_until"])
        self.assertTrue(until[0] < until[1] < until[2] == 3, msg=until)  # and it helps

    def test_runs_that_part_at_once_verify_nothing_and_the_step_that_is_named_helps(self):
        self.write("mesh.yaml", MESH)
        out, _ = self.specht("verify", "mesh.yaml", code=1)
        head = out.splitlines()[1]
        self.assertRegex(head, r"^  not verified: nothing could be compared: at t = 0\.002 s, the first sample, runs of "
                         r"moreau-mean with steps of 0\.0001 and 5e-05 s are [0-9.e-]+ of scale apart, expected <= 0\.01; "
                         r"take --step [0-9.e-]+$")
        for word in ("agreement", "impacts  ", "order of means", "energy ", "compared  "):
            self.assertNotIn(word, out)
        text, _ = self.specht("verify", "mesh.yaml", "--json", code=1)
        got = json.loads(text)
        self.assertEqual((got["status"], got["agrees_until"], got["compared"]), ("not verified", None, 0))
        self.assertIn(got["nothing_compared"], head)
        for key in ("positions", "impacts_reference", "impacts_matched", "energy_lost"):
            self.assertNotIn(key, got)
        step = head.split("--step ")[1]
        self.assertEqual(float(step), got["step_to_take"])
        got = self.json("verify", "mesh.yaml", "--step", step, "--json")
        self.assertEqual(got["status"], "agreement")
        self.assertGreater(got["agrees_until"], 0)
        self.assertGreater(got["impacts_matched"], 0)
        self.assertNotIn("nothing_compared", got)

    def test_a_reference_that_parts_from_itself_at_once_verifies_nothing(self):
        self.write("pendulum.yaml", PENDULUM)
        alone = PENDULUM.replace("bodies:", "impact: poisson\nbodies:\n  ground: {contours: {floor: {line: [0, 1], at: [0, -9]}}}")
        alone = alone.replace("outer: {", "outer: {contours: {tip: {point: [0, 0]}}, ")
        self.write("alone.yaml", alone + "contacts: {c: {between: [outer, ground], law: {}}}\n")
        for name, method in (("pendulum.yaml", "smooth"), ("alone.yaml", "event")):
            out, _ = self.specht("verify", name, code=1)
            self.assertRegex(out.splitlines()[1], rf"^  not verified: nothing could be compared: at t = 2 s, the first sample, "
                             rf"runs of {method} with tolerances 0\.001 and 1e-05 are [0-9.e-]+ of scale apart, expected <= "
                             r"1e-06; take a shorter --until or a smaller --tolerance$")
            text, _ = self.specht("verify", name, "--json", code=1)
            got = json.loads(text)
            self.assertEqual((got["status"], got["agrees_until"], got["step_to_take"]), ("not verified", None, None))
            self.assertNotIn("impacts_reference", got)
        out, _ = self.specht("verify", "pendulum.yaml", "--until", "30", "--tolerance", "1e-9")  # as it is told
        self.assertIn("agreement until t = ", out)

    def test_what_is_not_settled_promises_nothing_and_is_no_failure(self):
        # 1.3e-3 off with all three steps, from an impact on of which the reference told that there are several
        self.write("tilted.yaml", TILTED.replace("box.z: 0.3", "box.z: 0.55"))
        out, _ = self.specht("verify", "tilted.yaml", "--method", "moreau")
        head = out.splitlines()[1].strip()
        got = self.json("verify", "tilted.yaml", "--method", "moreau", "--json")
        self.assertEqual((got["status"], got["agrees_until"], got["refinement"]), ("not settled", None, "floor"))
        self.assertTrue(head.startswith("not settled (compared until t = 1 s of 1 s): moreau is {:.1e}, {:.1e} and {:.1e} off"
                                        .format(*got["positions"])), msg=head)
        self.assertIn("if a much smaller --step does not come nearer either, one of the methods is off, or each took another",
                      head)
        self.assertNotIn("goes on", head)
        self.assertIn("settled     until t = {:.6g} s: both methods agree to 1e-03".format(got["settled_until"]), out)
        self.assertTrue(0.4 < got["settled_until"] < 1)

    def test_agreement_without_gain_is_told_as_such(self):
        # the last halving gained nothing, which chance of steps may do (theory (57.3)): both is said
        self.write("tilted.yaml", TILTED)
        out, _ = self.specht("verify", "tilted.yaml", "--method", "moreau")
        got = self.json("verify", "tilted.yaml", "--method", "moreau", "--json")
        self.assertEqual(got["status"], "agreement")
        self.assertLess(got["gain"], 2)
        self.assertRegex(out.splitlines()[1], r"^  agreement over the whole run of 1 s, positions to [0-9.e-]+ of their size, but "
                         "smaller steps gained little: convergence of moreau is not shown$")
        self.assertIn("refinement  divided the distance by {:.3g}, the last one by {:.3g} ".format(
            got["gain"], got["gain_last"]), out)
        out, _ = self.specht("verify", "ball.yaml")
        self.assertNotIn("refinement", out)

    def test_each_order_is_told_by_itself_as_in_json(self):
        self.write("sled.yaml", SLED)
        out, _ = self.specht("verify", "sled.yaml")
        got = self.json("verify", "sled.yaml", "--json")
        self.assertRegex(out, r"order of means +2\.00 \+- 0\.00 +round-off\n")
        self.assertAlmostEqual(got["order_positions"], 2, places=3)
        self.assertEqual(got["order_velocities"], None)
        self.assertLess(got["velocities"][2], 1e-12)

    def test_choices_are_told_beside_agreement(self):
        self.write("plank.yaml", PLANK)
        out, _ = self.specht("verify", "plank.yaml")
        self.assertIn("agreement over the whole run", out.splitlines()[1])
        self.assertIn("choices     at 1 time event took one of several motions, first at t = 0 s ('ends.a'): one of a "
                      "continuum; moreau-mean goes the same way\n", out)
        got = self.json("verify", "plank.yaml", "--json")
        self.assertEqual((got["choices"], got["first_choice"]),
                         (1, {"t": 0, "contact": "ends.a", "n_found": 0, "at_least": False}))
        out, _ = self.specht("verify", "ball.yaml")
        self.assertNotIn("choices", out)

    def test_a_run_that_ended_early_verifies_nothing_and_is_said_to_end_the_comparison(self):
        # moreau-mean does not get through a position of this loop; smooth does
        path = os.path.join(SOURCE, "tests", "data", "good", "bricard.yaml")
        out, _ = self.specht("verify", path, "--until", "1", code=1)
        self.assertRegex(out.splitlines()[1], r"^  not verified: a run ended early \(below\); compared until t = 0\.[0-9]+ s of 1 s$")
        self.assertRegex(out, r"compared +until t = 0\.[0-9]+ s: a run ended there\n")
        self.assertNotIn("agreement", out)
        text, _ = self.specht("verify", path, "--until", "1", "--json", code=1)
        got = json.loads(text)
        self.assertEqual((got["status"], got["agrees_until"]), ("not verified", None))
        self.assertIn(got["ended_early"], out)

    def test_a_reference_that_ended_early_is_not_said_to_differ_from_itself(self):
        self.write("root.yaml", HOPS.replace("start:", 'forces: {bad: {force: [0, "sqrt(0.5 - t)"], on: ball}}\nstart:'))
        out, _ = self.specht("verify", "root.yaml", code=1)
        self.assertRegex(out, r"trusted +until t = 0\.[45][0-9]* s, where a run ended: both tolerances agree to ")
        self.assertNotIn("differ by more", out)
        self.assertRegex(out, "ended early event: .*force element 'bad': .* no number at t = 0.5 s; write it so that .*\n")
        self.assertIn("finite wherever", out.splitlines()[-1])  # to the end

    def test_machines_without_impacts_say_so(self):
        self.write("sled.yaml", SLED)
        out, _ = self.specht("verify", "sled.yaml")
        self.assertIn("impacts     none\n", out)

    def test_an_impact_right_before_a_sample_is_no_contradiction(self):
        # the coin meets the floor 2.5 us before the sample at 0.194 s: no stepped run has had the impact there
        self.write("coin.yaml", """\
specht: 1
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  coin: {density: 7850 kg/m^3, shape: {cylinder: 2 cm, length: 3 mm}, contours: {d: {disc: 2 cm, length: 3 mm}}}
contacts: {rim: {between: [coin, ground], law: {mu: 0.2, eps_N: 0.3}}}
start: {coin.x: 1 m, coin.z: 0.2 m, coin.vy: 1 m/s, coin.turn: {x: 50 deg}, coin.omega_own: [3 rad/s, 0, 10 rad/s]}
run: {until: 1 s, method: event}
""")
        out, _ = self.specht("verify", "coin.yaml")
        self.assertIn("agreement until t = 0.4", out)

    def test_the_worst_certificates_are_told(self):
        out, _ = self.specht("verify", "ball.yaml")
        self.assertRegex(out, r"worst step +event +complementarity [0-9.e+-]+, friction cone ")
        got = self.json("verify", "ball.yaml", "--json")
        for run in ("certificate_reference", "certificate_stepped"):
            self.assertLessEqual(got[run]["complementarity"], 1e-8)
            self.assertLessEqual(got[run]["momentum"], 1e-8)

    def test_json_has_all_numbers(self):
        got = self.json("verify", "ball.yaml", "--json", "--tolerance", "1e-10")
        self.assertEqual((got["status"], got["reference"]), ("agreement", "event"))
        self.assertEqual(got["tolerances"], [1e-10, 1e-12])
        self.assertEqual(len(got["steps"]), 3)
        self.assertEqual(got["impacts_matched"], got["impacts_reference"])

    def test_one_method_alone_says_which_was_left_out_and_why(self):
        self.write("poisson.yaml", BALL.replace("contacts:", "impact: poisson\ncontacts:"))
        out, err = self.specht("verify", "poisson.yaml")
        self.assertEqual(err, "")
        self.assertIn("event alone, nothing to compare it with", out.splitlines()[1])
        self.assertRegex(out, "left out +moreau-mean: impact: poisson is for impacts that are events")
        self.assertNotIn("order of means", out)
        got = self.json("verify", "poisson.yaml", "--json")
        self.assertEqual((got["status"], got["reference"]), ("one method", "event"))
        self.assertEqual([item["method"] for item in got["left_out"]], ["moreau-mean"])
        self.assertEqual(got["impacts_reference"], 1)
        for key in ("compared", "positions", "order_positions", "self", "impacts_stepped", "impacts_matched", "impulse",
                    "impact_time", "energy_kept", "certificate_stepped"):
            self.assertNotIn(key, got)

    def test_events_know_any_number_of_points_in_space(self):
        # 25 balls that nothing moves: 300 pairs
        self.write("many.yaml", "specht: 1\nspace: spatial\ngravity: 0 m/s^2\nbodies:\n"
                   "  ball: {count: 25, mass: 1 kg, inertia: 1e-4, contours: {s: {sphere: 1 cm}}}\n"
                   "contacts: {c: {between: [ball, ball], law: {}}}\n"
                   "start: {ball.x: i*5 cm}\nrun: {until: 1 ms, step: 1 ms}\n")
        got = self.json("verify", "many.yaml", "--json")
        self.assertEqual((got["reference"], got["compared_with"]), ("event", "moreau-mean"))
        self.assertEqual(got["left_out"], [])

    def test_methods_are_chosen_by_name(self):
        got = self.json("verify", "ball.yaml", "--method", "event,adaptive", "--json")
        self.assertEqual((got["reference"], got["compared_with"]), ("event", "adaptive"))
        self.assertLess(got["positions"][2], 1e-6)
        got = self.json("verify", "ball.yaml", "--method", "rk2", "--json")
        self.assertEqual((got["reference"], got["compared_with"], len(got["steps"])), ("event", "rk2", 3))
        out, _ = self.specht("verify", "ball.yaml", "--method", "moreau-mean,moreau")
        self.assertIn("moreau-mean with steps 0.00025 and 0.000125 s; moreau with steps 0.001, ", out)

    def test_methods_that_cannot_be_compared_are_refused(self):
        for names, word in (("event,event", "named twice"), ("evnt", "did you mean 'event'"),
                            ("event,rk2,rk4", "expected one or two"), ("smooth", "machines without contacts")):
            _, err = self.specht("verify", "ball.yaml", "--method", names, code=2)
            self.assertIn(word, err)

    def test_bad_input_is_refused(self):
        self.specht("verify", "nothing.yaml", code=2)
        _, err = self.specht("verify", "ball.yaml", "--tolerance", "-1", code=2)
        self.assertIn("tolerance", err)


if __name__ == "__main__":
    main()
