"""What the program tells beside numbers: what it moved, left out, and whose contact it was."""
import math
import re

from cli_support import BALL, Case, main

# A point of 2 kg that begins far below the floor: opening the gap takes m g h = 20 J, ten times what it has there.
SUNK = """\
specht: 1
space: planar
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  box: {mass: 2 kg, inertia: 0.1, contours: {b: {point: [0, 0]}}}
contacts: {c: {between: [box, ground], law: {mu: 0.3}}}
start: {box.y: -1 m}
run: {until: 0.1 s, method: event, start: project}
"""


class Projection(Case):
    def test_what_start_project_moved_is_told_and_booked(self):
        self.write("sunk.yaml", SUNK)
        note = "sunk.yaml:9:1: note: start: project moved 'box' by 1 m: contact 'c' was closed by 1 m; energy +20 J"
        for command in ("check", "run"):
            _, err = self.specht(command, "sunk.yaml")
            self.assertIn(note, err)
            _, err = self.specht(command, "sunk.yaml", "--quiet")
            self.assertEqual(err, "")  # warnings and errors only
        got = self.json("run", "sunk.yaml", "--json")
        self.assertAlmostEqual(got["energy"]["initial"], -20, places=12)
        self.assertAlmostEqual(got["energy"]["projection"], 20, places=12)
        events = self.json("events", "sunk.h5", "--json")
        self.assertEqual((events[0]["kind"], events[0]["contact"], events[0]["t"]), ("project", "c", 0))
        self.assertAlmostEqual(events[0]["energy_lost"], -20, places=12)
        out, _ = self.specht("events", "sunk.h5", "--kind", "project")
        self.assertIn("gaps of the start opened, energy +20 J", out)


class Steps(Case):
    def test_a_step_that_a_method_does_not_use_is_told(self):
        self.write("ball.yaml", BALL)
        note = "note: --step is not used: method 'event' chooses its steps by --tolerance"
        _, err = self.specht("run", "ball.yaml", "--method", "event", "--step", "1e-3")
        self.assertIn(note, err)
        _, err = self.specht("run", "ball.yaml", "--method", "event", "--step", "1e-3", "--quiet")
        self.assertEqual(err, "")
        _, err = self.specht("run", "ball.yaml", "--method", "moreau", "--step", "1e-3")
        self.assertNotIn("not used", err)

    def test_a_step_of_the_model_that_a_method_does_not_use_is_told(self):
        note = "specht: note: 'step' of section 'run' is not used: method '{}' chooses its steps by 'tolerance'\n"
        for method in ("event", "adaptive", "auto"):
            self.write("ball.yaml", re.sub("(?m)^run:.*$", f"run: {{until: 0.2 s, step: 1 ms, method: {method}}}", BALL))
            _, err = self.specht("run", "ball.yaml", "--no-output")
            self.assertEqual(err, note.format("event" if method == "auto" else method))
            _, err = self.specht("run", "ball.yaml", "--no-output", "--quiet")
            self.assertEqual(err, "")
            _, err = self.specht("run", "ball.yaml", "--no-output", "--method", "moreau")
            self.assertEqual(err, "")
            _, err = self.specht("run", "ball.yaml", "--no-output", "--step", "2 ms")
            self.assertEqual(err.count("not used"), 1)  # once, by the option
            self.assertIn("--step is not used", err)
        _, err = self.specht("run", "ball.yaml", "--no-output", "--set", "run.step=0.1ms")
        self.assertIn("'step' of section 'run' is not used", err)
        self.write("ball.yaml", BALL)  # its step is that of its method
        _, err = self.specht("run", "ball.yaml", "--no-output", "--method", "event")
        self.assertEqual(err, "")

    def test_a_place_against_coordinates_of_the_joint_is_told(self):
        self.write("ball.yaml", BALL.replace("{ball.y: h}", "{ball.y: h, ball.joint.s: 2 m}"))
        _, err = self.specht("check", "ball.yaml", code=2)
        self.assertIn("ball.y = 1 cannot be reached by the joint, which gives 2", err)
        self.assertIn("or the joint's coordinates in 'start'", err)

    def test_a_model_without_its_first_line_is_told_what_to_write(self):
        self.write("ball.yaml", BALL.replace("specht: 1\n", ""))
        _, err = self.specht("check", "ball.yaml", code=2)
        self.assertIn("missing key 'specht': Version of the language; write `specht: 1`", err)


# A belt presses a block against a wall: half a joule goes through it, its own energy is round-off.
PRESSED = """\
specht: 1
units: off
formula: {coordinates: {x: m, y: m, z: m}, kinetic: "0.35*(x'^2 + y'^2) + 0.13*x'*z' + 0.3*z'^2", potential: 6.87*y}
contacts:
  belt: {gap: y, slip: "x' + 0.3*z' - 3", law: {mu: 0.27}}
  wall: {gap: -0.37*x + 0.11*y, law: {mu: 0}}
  end: {gap: -z, law: {mu: 0}}
start: {x: 0}
run: {until: 0.1, method: moreau, step: 1e-3}
"""


class Moved(Case):
    def test_round_off_of_works_is_no_warning(self):
        self.write("pressed.yaml", PRESSED)
        out, err = self.specht("run", "pressed.yaml", "--no-output")
        self.assertIn("0.51512 driven", out)
        self.assertEqual(err, "")

    def test_energy_by_positions_put_back_is_told_where_it_is_not_small(self):
        self.write("ball.yaml", BALL)
        for step, said in (("0.05", True), ("1e-4", False)):
            out, err = self.specht("run", "ball.yaml", "--no-output", "--step", step, code=int(said))
            self.assertEqual("putting positions back" in out, said, step)
        got = self.json("run", "ball.yaml", "--no-output", "--json", "--step", "0.05", "--accept", "projection")
        (doubt,), energy = got["doubts"], got["energy"]
        self.assertEqual((doubt["kind"], doubt["t"], doubt["accepted"]), ("projection", 0.5, True))
        self.assertAlmostEqual(doubt["size"], energy["projection"]/energy["initial"], delta=0.1*doubt["size"])


# A block that a motion drags to and fro: its slip is given, whatever the forces are.
DRAG = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  sled: {mass: 1, joint: {prismatic: ground, axis: [1, 0], motion: {s: "0.1*sin(10*t)"}}}
  block: {mass: 1, joint: {prismatic: sled, axis: [0, 1]}, contours: {foot: {point: [0, 0]}}}
contacts: {c: {between: [block, ground], law: {mu: 0.3}}}
run: {until: 1, step: 1e-3}
"""

# A ball that falls beside the end of a wavy road: below it is nearest to one of its hollows.
BESIDE = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {contours: {road: {curve: [0.5*s, 0.04*cos(2*pi*s)], over: [-0.5, 0.9]}}}
  ball: {mass: 1, inertia: 0.01, contours: {skin: {circle: 0.3}}}
contacts: {c: {between: [ball, ground], law: {mu: 0.3}}}
start: {ball.x: 1.2, ball.y: 0.3}
run: {until: 2, step: 1e-3}
"""

# Twelve discs poured between two walls: chains of contacts near rest, beside others that are fast.
POURED = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}, l: {line: [1, 0], at: [-0.5, 0]}, r: {line: [-1, 0], at: [0.5, 0]}}}
  d: {count: 12, mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}
contacts: {c: {between: [d, ground], law: {mu: 0.3, eps_N: 0.3}}, e: {between: [d, d], law: {mu: 0.3, eps_N: 0.3}}}
start: {d.x: "0.02*sin(7*i)", d.y: "0.2 + 0.25*i"}
run: {until: 0.41, method: adaptive, tolerance: 1e-6}
"""


# A wheel in the mouth of an arc that is open above: both ends bear it.
MOUTH = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {bowl: {arc: 1, over: [110 deg, 430 deg], inside: yes}}}
  wheel: {mass: 1, inertia: 0.08, contours: {rim: {circle: 0.4}}}
contacts: {c: {between: [wheel, ground], law: {mu: 0.3, eps_N: 0}}}
start: {wheel.x: 0.02, wheel.y: 1.4}
run: {until: 1, step: 1e-4}
"""

# A point in a groove whose gap has a kink: both sides bear it, and have one contact.
GROOVE = """\
specht: 1
units: off
space: planar
gravity: 10
bodies: {point: {mass: 1, inertia: 1}}
contacts: {c: {gap: "point.y - abs(point.x)", law: {eps_N: 0}}}
start: {point.x: 0.001, point.y: 0.001}
run: {until: 1, step: 1e-4}
"""


class Trials(Case):
    def test_friction_of_a_slip_that_is_given_turns_with_it(self):
        self.write("drag.yaml", DRAG)
        way = 0.1*(5 - math.sin(10) + 1)  # of 0.1 sin 10 t: to 1, -1, 1 and back to sin 10
        for method in ("moreau", "moreau-mean", "theta", "rk2", "rk4", "adaptive", "event"):
            got = self.json("run", "drag.yaml", "--json", "--no-output", "--method", method)
            self.assertAlmostEqual(-got["energy"]["friction"], 3*way, delta=2e-4, msg=method)
            self.assertLess(got["certificate"]["complementarity"], 1e-9)

    def test_a_ball_beside_a_road_falls(self):
        self.write("beside.yaml", BESIDE)
        for method in ("event", "moreau-mean", "adaptive"):
            got = self.json("run", "beside.yaml", "--json", "--no-output", "--method", method)
            ball = got["state"]["bodies"]["ball"]
            self.assertAlmostEqual(ball["x"], 1.2, delta=1e-12)
            self.assertAlmostEqual(ball["y"], 0.3 - 0.5*9.81*4, delta=1e-9)
            self.assertAlmostEqual(got["energy"]["projection"], 0, delta=1e-12)

    def test_a_wheel_rests_in_the_mouth_of_an_arc(self):
        self.write("mouth.yaml", MOUTH)
        height = math.sin(math.radians(70)) + math.sqrt(0.4**2 - math.cos(math.radians(70))**2)
        for method in ("event", "moreau", "moreau-mean", "adaptive"):
            got = self.json("run", "mouth.yaml", "--no-output", "--json", "--method", method)
            wheel = got["state"]["bodies"]["wheel"]
            self.assertAlmostEqual(wheel["y"], height, delta=1e-9 if method == "event" else 1e-5, msg=method)
            self.assertLess(abs(wheel["vy"]), 2*10*1e-4)  # in steps but for the fall of one
            self.assertLess(got["certificate"]["complementarity"], 1e-9)
        out, _ = self.specht("verify", "mouth.yaml")
        self.assertIn("agreement over the whole run", out)

    def test_a_run_that_comes_nowhere_ends_with_a_message(self):
        self.write("groove.yaml", GROOVE)
        _, err = self.specht("run", "groove.yaml", "--no-output", "-q", "--method", "event", code=1)
        self.assertIn("contact 'c' switches to and fro without end", err)
        self.assertIn("sides of a gap as contacts of their own", err)
        got = self.json("run", "groove.yaml", "--no-output", "--json", "--method", "moreau", "--accept", "projection")
        self.assertLess(abs(got["state"]["bodies"]["point"]["vy"]), 2*10*1e-4)  # by moreau it rests but for the fall of a step

    def test_a_chain_near_rest_is_certified_beside_fast_ones(self):
        self.write("poured.yaml", POURED)
        got = self.json("run", "poured.yaml", "--json", "--no-output")
        self.assertLess(got["certificate"]["complementarity"], 1e-8)


# A disc and a moving plate on a floor and a wall: lines touch no lines; two bodies in space that may touch two ways.
PLATE = """\
specht: 1
space: planar
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [1, 0]}}}
  disc: {mass: 1 kg, inertia: 0.1, contours: {rim: {circle: 0.1 m}}}
  plate: {mass: 1 kg, inertia: 0.1, contours: {face: {line: [0, 1]}}}
contacts: {c: {between: [[disc, plate], ground], law: {mu: 0.3}}}
start: {disc.x: 1 m, disc.y: 1 m}
run: {until: 0.1 s}
"""

MIXED = """\
specht: 1
space: spatial
gravity: 10 m/s^2
bodies:
  die: {count: 2, mass: 1 kg, inertia: 0.1, contours: {skin: {box: [0.1, 0.1, 0.1]}}}
  pipe: {mass: 1 kg, inertia: 0.1, contours: {rim: {cylinder: 0.1}}}
  ball: {mass: 1 kg, inertia: 0.1, contours: {skin: {sphere: 0.1}}}
contacts: {c: {between: [[die, pipe, ball], [die, pipe, ball]], law: {mu: 0.3}}}
start: {die.x: i*1 m, pipe.x: 5, ball.x: 6}
run: {until: 0.1 s}
"""


class LeftOut(Case):
    def test_pairs_that_cannot_touch_are_counted_by_kind(self):
        self.write("plate.yaml", PLATE)
        out, _ = self.specht("check", "plate.yaml")
        self.assertEqual([line.strip() for line in out.splitlines() if "left out" in line],
                         ["left out of 'c': 2 pairs of a line and a line, which cannot touch"])
        # in a pool, both sides the same: two dice and a pipe, each pair once
        self.write("mixed.yaml", MIXED)
        got = self.json("check", "mixed.yaml", "--json")
        self.assertEqual(got["left_out"], [{"contact": "c", "a": "a box", "b": "a cylinder", "pairs": 2}])

    def test_nothing_is_said_where_all_can_touch(self):
        self.write("plate.yaml", PLATE.replace("[disc, plate]", "disc"))
        out, _ = self.specht("check", "plate.yaml")
        self.assertNotIn("left out", out)


# Three bodies that fall onto one floor from different heights: which comes first follows from the heights alone.
DROPS = """\
specht: 1
space: spatial
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  die: {mass: 1 kg, inertia: 0.01, contours: {skin: {box: [0.2, 0.2, 0.2]}}}
  can: {mass: 1 kg, inertia: 0.01, contours: {rim: {disc: 0.1, length: 0.2}}}
  ball: {mass: 1 kg, inertia: 0.01, contours: {skin: {sphere: 0.1}}}
contacts: {c: {between: [[die, can, ball], ground], law: {eps_N: 0.5}}}
start: {die.x: 1, die.z: 0.3, can.x: 2, can.z: 0.5, ball.z: 0.4}
run: {until: 0.3 s}
"""


class Bodies(Case):
    def test_events_of_pools_name_their_bodies(self):
        self.write("drops.yaml", DROPS)
        for method in ("event", "moreau"):
            self.specht("run", "drops.yaml", "--method", method, "--step", "1ms", "--quiet")
            first = {}
            for e in self.json("events", "drops.h5", "--kind", "impact", "--json"):
                self.assertEqual(e["bodies"][1], "ground")
                first.setdefault(e["bodies"][0], e["t"])
            # s = g t^2/2 from the height above the floor
            for body, height in (("die", 0.2), ("ball", 0.3), ("can", 0.4)):
                self.assertAlmostEqual(first[body], (2 * height / 10) ** 0.5, delta=1e-3)
            out, _ = self.specht("events", "drops.h5")
            self.assertRegex(out, r"c\.pair\.[0-9]+ \(die, ground\)")

    def test_accumulations_in_pools_name_their_bodies(self):
        self.write("drops.yaml", DROPS)
        self.specht("run", "drops.yaml", "--method", "event", "--until", "2", "--quiet")
        ends = {}
        for e in self.json("events", "drops.h5", "--kind", "zeno", "--json"):
            self.assertEqual(e["bodies"][1], "ground")
            ends.setdefault(e["bodies"][0], e["t"])
        # a fall from h takes T = sqrt(2 h/g), all hops of eps = 1/2 together 2 T eps/(1 - eps) = 2 T
        for body, height in (("die", 0.2), ("ball", 0.3), ("can", 0.4)):
            self.assertAlmostEqual(ends[body], 3 * (2 * height / 10) ** 0.5, delta=1e-8)
        rows = self.specht("events", "drops.h5")[0].splitlines()[2:]
        for row in rows:
            self.assertRegex(row, r"c\.pair\.[0-9]+ \((die|can|ball), ground\)")

    def test_check_names_the_bodies_of_points_that_are_near(self):
        self.write("drops.yaml", DROPS)
        out, _ = self.specht("check", "drops.yaml", "--set", "start.ball.z=0.1001")
        self.assertRegex(out, r"c\.pair\.[0-9]+ \(ball, ground\) +0\.0001  c: mu")
        self.assertRegex(out, "nothing is near; [0-9]+ more for points that come near later")
        _, err = self.specht("check", "drops.yaml", "--set", "start.ball.z=0.09", code=2)
        self.assertRegex(err, r"contact 'c\.pair\.[0-9]+ \(ball, ground\)': gap = -0\.01 m at the start")

    def test_names_that_are_clear_stay_as_they_are(self):
        self.write("plate.yaml", PLATE.replace("[disc, plate]", "disc").replace("0.1 s", "1 s"))
        self.specht("run", "plate.yaml", "--quiet")
        events = self.json("events", "plate.h5", "--json")
        self.assertEqual((events[0]["contact"], events[0]["bodies"]), ("c.floor", ["disc", "ground"]))
        out, _ = self.specht("events", "plate.h5")
        self.assertNotIn("(disc", out)


# A block that slides into a wall and stops there, hard.
WALL = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [-1, 0], at: [1, 0]}}}
  block: {mass: 1, inertia: 0.1, contours: {b: {box: [0.4, 0.2]}}}
contacts:
  f: {between: [block, ground.floor], law: {mu: 0.1}}
  w: {between: [block, ground.wall], law: {mu: 0.3}}
start: {block.y: 0.1, block.vx: 2}
run: {until: 0.6, step: 1e-3}
"""


class Struck(Case):
    def test_adaptive_runs_to_other_ends_agree_to_the_bit_with_frames_that_are_given(self):
        self.write("wall.yaml", WALL)
        rows = []
        for until in ("0.47", "0.6"):
            self.specht("run", "wall.yaml", "--method", "adaptive", "--until", until, "--output-step", "1ms", "-q", "-o", "a.h5")
            rows.append(self.specht("csv", "a.h5")[0].splitlines())
        self.assertEqual(len(rows[0]), 472)
        self.assertEqual(rows[0][:-1], rows[1][:471])  # the last one is of a step of its own

    def test_what_an_impact_stops_is_told_to_rest_at_its_time(self):
        self.write("wall.yaml", WALL)
        t = (2 - (2**2 - 2 * 0.981 * 0.8) ** 0.5) / 0.981  # 0.8 m with friction
        for method in ("event", "adaptive", "moreau", "moreau-mean", "theta", "rk2"):
            self.specht("run", "wall.yaml", "--method", method, "--quiet", "-o", "wall.h5")
            rest = {e["contact"]: e["t"] for e in self.json("events", "wall.h5", "--json")
                    if e["after"] == "stick" and e["contact"].startswith("f.")}
            self.assertEqual(sorted(rest), ["f.1", "f.2"])
            for contact in rest:  # steps are of 1e-3 s, frames of 6e-4 s
                self.assertAlmostEqual(rest[contact], t, delta=1e-6, msg=method + " " + contact)


# A ball that falls straight: nothing slides, its tangential impulse is -0 in each direction.
STRAIGHT = """\
specht: 1
space: spatial
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  ball: {mass: 1 kg, inertia: 0.01, contours: {skin: {sphere: 0.1}}}
contacts: {c: {between: [ball, ground], law: {mu: 0.3, eps_N: 0.5}}}
start: {ball.z: 0.3, ball.vx: -0.0}
run: {until: 0.3 s, method: event}
"""


# A wheel whose radius is larger than that of the valleys of its road: there it rests on both sides.
WAVES = """\
specht: 1
space: planar
gravity: 9.81 m/s^2
parameters: {R: 50 mm, A: 4 mm, l: 60 mm}
bodies:
  ground: {contours: {road: {curve: [l*s, A*cos(2*pi*s)], over: [-10, 10]}}}
  wheel: {mass: 1 kg, inertia: 1 kg * R^2 / 2, contours: {tyre: {circle: R}}}
contacts: {roll: {between: [wheel, ground], law: {mu: 0.6, eps_N: 0.5}}}
start: {wheel.y: R + A + 0.1 mm, wheel.vx: 0.3 m/s, wheel.omega: -6 rad/s}
run: {until: 0.3 s, method: event}
"""


# Crests 0 and 4 of this road have one contact point; the wheel rests on both.
CRESTS = """\
specht: 1
space: planar
units: off
gravity: 9.81
bodies:
  ground: {contours: {road: {curve: [s, 0.1*cos(2*pi*s) + 0.4*cos(pi*s/2)], over: [-6, 10]}}}
  wheel: {mass: 1, inertia: 12, contours: {tyre: {circle: 5}}}
contacts: {roll: {between: [wheel, ground], law: {mu: 0.5}}}
start: {wheel.x: 0.3, wheel.y: 5.55}
run: {until: 4, method: event}
"""


class Places(Case):
    def kept(self, *arguments):
        out, _ = self.specht("run", "waves.yaml", *arguments)
        self.assertNotIn("handover", out)
        return float(re.search(r"= (\S+) kept", out).group(1))

    def test_a_wheel_hits_the_second_side_of_a_hollow(self):
        self.write("waves.yaml", WAVES)
        kept = self.kept("-o", "waves.h5")
        self.assertAlmostEqual(self.kept("--method", "adaptive", "-o", "adaptive.h5"), kept, delta=2e-5)
        self.assertAlmostEqual(self.kept("--method", "moreau", "--step", "0.02ms", "-o", "steps.h5"), kept, delta=1e-3)
        events, _ = self.specht("events", "waves.h5", "--kind", "impact")
        for name in ("roll.3", "roll.4"):
            self.assertIn(name, events)
        out, _ = self.specht("verify", "waves.yaml")
        self.assertIn("agreement over the whole run", out)

    def test_a_contact_whose_place_jumps_ends_the_run(self):
        self.write("crests.yaml", CRESTS)
        _, err = self.specht("run", "crests.yaml", "-o", "crests.h5", code=1)
        self.assertRegex(err, r"t = 2.32\d+ s, .*place of a contact jumped.*take method 'moreau' with a step")
        self.specht("events", "crests.h5")
        self.specht("run", "crests.yaml", "--method", "moreau", "--step", "2ms", "-o", "steps.h5")


class Words(Case):
    def setUp(self):
        super().setUp()
        self.write("straight.yaml", STRAIGHT)

    def test_no_table_shows_a_negative_zero(self):
        self.specht("run", "straight.yaml", "--quiet")
        events, _ = self.specht("events", "straight.h5", "--json")
        self.assertIn('"Lambda_T": [-0, -0]', events)
        for command in (("events", "straight.h5"), ("check", "straight.yaml")):
            out, _ = self.specht(*command)
            self.assertNotRegex(out, r" -0( |$)")
            self.assertIn(" 0 ", out)

    def test_a_resumed_run_says_what_it_counts(self):
        self.specht("run", "straight.yaml", "--until", "0.15", "--checkpoint", "-o", "part.h5", "--quiet")
        whole, _ = self.specht("run", "straight.yaml", "-o", "whole.h5")
        rest, _ = self.specht("run", "straight.yaml", "--resume", "part.h5", "-o", "rest.h5")
        self.assertIn("resuming at t = ", rest)
        counts = [line for line in whole.splitlines() if line.startswith("  t = ")][0].rsplit("   ", 1)[0]
        self.assertIn(counts + " since the start   ", rest)
        self.assertNotIn("since the start", whole)

    def test_axes_of_bodies_are_explained(self):
        self.specht("run", "straight.yaml", "--quiet")
        _, err = self.specht("csv", "straight.h5", "--names", "ball.ex.z", code=2)
        self.assertIn("axes of bodies are no channels: write 'outputs: {axis: ball.ex.z}'", err)
        self.write("axis.yaml", STRAIGHT + "outputs: {axis: ball.ex.z}\n")  # what it proposes works
        self.specht("run", "axis.yaml", "--quiet")
        out, _ = self.specht("csv", "axis.h5", "--names", "axis")
        self.assertEqual(float(out.splitlines()[1].split(",")[1]), 0)
        _, err = self.specht("csv", "straight.h5", "--names", "bill.ex.z", code=2)
        self.assertIn("no channel 'bill.ex.z'", err)


if __name__ == "__main__":
    main()
