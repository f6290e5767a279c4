"""method: auto on every example: which method it takes, that the run says so and why, and that it goes; where events come
densely it hands over to short steps, and comes back."""
import glob
import math
import os
import re
import signal
import time
import unittest

from cli_support import SOURCE, Case, main

try:
    import h5py
except ImportError:
    h5py = None

# What `auto` takes for the file as it is, and without its `step`; how far it is run, s.
PICKS = {
    "absorber/absorber": ("smooth", "smooth", 10),
    "ball_on_beam/ball_on_beam": ("event", "event", 1e-4),
    "bar_on_wall/bar_on_wall": ("event", "event", 0.1),
    "ball_bowl/ball_bowl": ("event", "event", 0.02),
    "blade_damper/blade_damper": ("event", "event", 0.02),
    "blade_damper/blade_sheet": ("event", "event", 0.02),
    "box_stack/box_stack": ("moreau", "moreau", 0.05),
    "chain_drive/chain_drive": ("adaptive", "adaptive", 1e-4),
    "chimney_damper/chimney_damper": ("event", "event", 0.1),
    "chimney_damper/chimney_rig": ("event", "event", 0.1),
    "chimney_damper/chimney_space": ("event", "event", 0.02),
    "dominoes/dominoes": ("moreau", "moreau", 0.01),
    "elastic_pendulum/elastic_pendulum": ("smooth", "smooth", 0.1),
    "elastic_slider_crank/elastic_slider_crank": ("smooth", "smooth", 0.005),
    "elastic_slider_crank/elastic_slider_crank_clearance": ("event", "event", 0.005),
    "elastic_slider_crank/rigid_and_elastic": ("smooth", "smooth", 0.005),
    "euler_disc/euler_disc": ("event", "event", 0.002),
    "four_bar/four_bar": ("smooth", "smooth", 0.1),
    "friction_oscillator/friction_oscillator": ("event", "event", 0.1),
    "gear_1dof/gear_1dof": ("event", "event", 0.5),
    "gear_rattling/gear_rattling": ("event", "event", 0.02),
    "gear_train/gear_train": ("event", "event", 0.02),
    "jenkins/jenkins": ("smooth", "smooth", 10),
    "landing_gear/landing_gear": ("event", "event", 0.01),
    "peg_in_hole/jamming": ("event", "event", 0.1),
    "peg_in_hole/peg_in_hole": ("event", "event", 0.05),
    "peg_in_hole/peg_linear": ("event", "event", 0.05),
    "peg_in_hole/peg_round": ("adaptive", "adaptive", 0.005),
    "peg_in_hole/peg_square": ("event", "event", 0.02),
    "peg_in_hole/wedging": ("event", "event", 0.1),
    "peg_in_hole/whitney": ("event", "event", 0.1),
    "pin_in_groove/pin_in_groove": ("adaptive", "adaptive", 0.001),
    "rattleback/rattleback": ("event", "event", 0.05),
    "reduced_part/reduced_part": ("event", "event", 0.02),
    "rocker/rocker": ("event", "event", 0.25),
    "rolling_sphere/rolling_sphere": ("event", "event", 0.1),
    "rotating_beam/rotating_beam": ("smooth", "smooth", 0.05),
    "slider_crank/slider_crank": ("event", "event", 0.02),
    "slider_crank/slider_crank_formula": ("event", "event", 0.02),
    "slider_crank/slider_crank_joint": ("event", "event", 0.02),
    "slider_crank/slider_crank_space": ("event", "event", 0.01),
    "sphere_box/sphere_box": ("moreau", "moreau", 0.01),
    "spin_up/spin_up": ("smooth", "smooth", 1),
    "spinning_coin/spinning_coin": ("event", "event", 0.02),
    "spinning_top/spinning_top": ("smooth", "smooth", 0.05),
    "table_ball/table_ball": ("event", "event", 0.5),
    "tippe_top/euler_angles": ("event", "event", 0.05),
    "tippe_top/held_spin": ("event", "event", 0.05),
    "tippe_top/tippe_top": ("event", "event", 0.05),
    "variator/variator": ("adaptive", "adaptive", 2e-5),
    "vibratory_feeder/vibratory_feeder": ("event", "event", 0.05),
    "vibratory_feeder/vibratory_feeder_between": ("event", "event", 0.01),
    "vibratory_feeder/vibratory_feeder_held": ("event", "event", 0.01),
    "vibratory_feeder/vibratory_feeder_spatial": ("event", "event", 0.01),
    "woodpecker/woodpecker": ("event", "event", 0.1),
    "woodpecker/woodpecker_bodies": ("event", "event", 0.1),
}
WHY = {"smooth": "no contacts", "moreau": "points of contact come and go", "event": "contact",
       "adaptive": "too many to go from event to event", "pin_in_groove/pin_in_groove": "two slips"}


# A ball between two walls, elastic, and a block that slides on the floor beside it.  The right wall stands until t_1, then
# it goes away and the ball is hit ever more rarely.
SLOT = """\
specht: 1
units: off
space: planar
gravity: 10
parameters: {d: 1e-6, t_1: 1, v: 2, mu: 0.2}
bodies:
  ground: {contours: {floor: {line: [0, 1]}, left: {line: [1, 0]}}}
  wall:
    joint: {prismatic: ground, axis: [1, 0], motion: "1 + d + 2*max(0, t - t_1)^2"}
    contours: {right: {line: [-1, 0], at: [-1, 0]}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}, contours: {tip: {point: [0, 0]}}}
  block: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}, contours: {tip: {point: [0, 0]}}}
contacts: {slot: {between: [ball, [ground.left, wall.right]], law: {eps_N: 1}}}
couplings: {brake: {of: block.x, friction: mu*10}}
start: {ball.x: d/2, ball.vx: v, block.x: 1, block.vx: 1}
run: {until: 0.02, output_step: 1e-3, tolerance: 1e-3}
"""
PICKED = 5*100*math.log(1e3)  # events before it hands over, and what leaks meanwhile


class Auto(Case):
    def test_every_example_is_here(self):
        found = [path for path in glob.glob(os.path.join(SOURCE, "examples", "*", "*.yaml"))
                 if not path.endswith(".study.yaml")]
        names = {os.path.relpath(path, os.path.join(SOURCE, "examples"))[:-5] for path in found}
        self.assertEqual(names, set(PICKS))

    def takes(self, path, method, until, why=None):
        """A short run by `auto`: the method is said with its reason, and every step is certified."""
        out, _ = self.specht("run", path, "--method", "auto", "--until", str(until), "--no-output")
        said = re.search(r"auto: ([\w-]+), .* \((.*)\)", out)
        self.assertIsNotNone(said, out)
        self.assertEqual(said.group(1), method, path)
        self.assertIn(why or WHY[method], said.group(2), path)
        self.assertIn(f"t = {until:g} s", out)

    def test_examples_run_by_the_method_that_auto_takes(self):
        for name, (method, _, until) in PICKS.items():
            with self.subTest(name):
                self.takes(os.path.join(SOURCE, "examples", name + ".yaml"), method, until, WHY.get(name))

    def test_examples_without_their_step_go_from_event_to_event_or_find_one(self):
        for name, (_, method, until) in PICKS.items():
            with open(os.path.join(SOURCE, "examples", name + ".yaml"), encoding="utf-8") as f:
                text = f.read()
            rest = re.sub(r"(?m)^(run:.*?)\bstep: [^,}]*, ", r"\1", text)
            if rest == text:
                continue
            self.write("machine.yaml", rest)
            with self.subTest(name):
                self.takes("machine.yaml", method, until,
                           "the step follows from the smallest body" if method == "moreau" else WHY.get(name))

    def test_the_gear_train_is_certified_by_events_when_its_motor_has_stopped(self):
        # all forces of the mesh fade to round-off at the end; theory (13.1a)
        path = os.path.join(SOURCE, "examples", "gear_train", "gear_train.yaml")
        for tolerance in ("1e-8", "1e-9", "1e-10"):
            out, _ = self.specht("run", path, "--method", "event", "--tolerance", tolerance, "--no-output")
            said = re.search(r"complementarity (\S+), friction cone (\S+),", out)
            self.assertLess(max(float(said.group(1)), float(said.group(2))), 1e-8)

    def test_the_step_found_follows_from_size_gravity_and_speed(self):
        # cubes of 1 m: radius of gyration k = 1/sqrt(6) m, sqrt(k/g)/50 = 4.1 ms; at 100 m/s k/v/50 = 82 us
        text = ("specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                "  crate: {density: 500 kg/m^3, shape: {box: [1, 1, 1]}, contours: {skin: {box: [1, 1, 1]}}}\n"
                "  lid: {density: 500 kg/m^3, shape: {box: [1, 1, 1]}, contours: {skin: {box: [1, 1, 1]}}}\n"
                "contacts: {stand: {between: [crate, ground], law: {mu: 0.3}}, "
                "lie: {between: [lid, crate], law: {mu: 0.3}, room: 70}}\n"
                "start: {crate.z: 0.6, lid.z: 1.8%s}\nrun: {until: 0.01 s}\n")
        for speed, step in (("", "0.002"), (", lid.vx: 100 m/s", "5e-05")):
            self.write("box.yaml", text % speed)
            out, _ = self.specht("run", "box.yaml", "--no-output")
            self.assertIn(f"auto: moreau, step {step} s ", out)

    def test_many_discs_in_the_plane_take_adaptive_steps(self):
        self.write("discs.yaml", "specht: 1\nunits: off\nspace: planar\ngravity: 10\nbodies:\n"
                   "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                   "  disc: {count: 70, mass: 1, inertia: 0.005, contours: {c: {circle: 0.1}}}\n"
                   "contacts: {c: {between: [disc, ground], law: {mu: 0.3}}}\n"
                   "start: {disc.x: i*0.3, disc.y: 1}\nrun: {until: 0.01, output_step: 0.01, tolerance: 1e-6}\n")
        out, _ = self.specht("run", "discs.yaml", "--no-output")
        self.assertRegex(out, r"auto: adaptive, tolerance 1e-06   \(70 contacts, 210 degrees of freedom: too many")
        self.assertIn("t = 0.01 s", out)


class Dense(Case):
    """Where events come so densely that short steps are cheaper."""

    def rows(self, name):
        return self.specht("csv", name)[0].splitlines()[1:]

    def changes(self, name):
        """Changes of method in the list of events."""
        return [e for e in self.json("events", name, "--json") if e["kind"] == "handover"]

    def test_dense_events_are_left_for_short_steps_and_that_is_reported(self):
        self.write("slot.yaml", SLOT)
        out, err = self.specht("run", "slot.yaml", "--method", "auto", "--accept", "handover", "-o", "a.h5")
        said = re.search(r"handed over to short steps (\d+) times \(first at t = (\S+) s, 'slot\.\S+'\)", out)
        self.assertIsNotNone(said, out)
        change = self.changes("a.h5")
        self.assertEqual(len(change), int(said.group(1)))
        # 2 m/s over 1 um: 2e6 hits per second; T = 1 m / 2 m/s, so that 8000 of them leak per second
        self.assertAlmostEqual(change[0]["t"] / (PICKED / (2e6 - 8e3)), 1.0, delta=5e-3)
        self.assertAlmostEqual(float(said.group(2)) / change[0]["t"], 1.0, delta=1e-5)
        # 20 steps of a millionth of T at first, then four times as long each time
        for k, e in enumerate(change[:5]):
            self.assertAlmostEqual(e["lasts"] / (20e-6*0.5*4**k), 1.0, delta=1e-2)
        text, _ = self.specht("events", "a.h5", "--kind", "handover")
        self.assertRegex(text, r"handover slot\.\S+ +by steps +events make no progress, steps for 1e-05 s")
        got = self.json("run", "slot.yaml", "--method", "auto", "--accept", "handover", "--json", "--no-output")
        self.assertEqual(got["method"], "event")
        self.assertEqual((got["handovers"]["n"], got["handovers"]["t"]), (len(change), change[0]["t"]))

    def test_a_handover_is_a_doubt_where_it_loses_the_tolerance(self):
        """Steps of 5e-7 s are wrong by 5e-7 s/T = 1e-6 of a jump of speed twice its size: 500 hits are the tolerance of 1e-3."""
        self.write("slot.yaml", SLOT)
        for until, doubts in (("0.00175", 0), ("0.02", 1)):
            got = self.json("run", "slot.yaml", "--method", "auto", "--accept", "handover", "--until", until, "--json",
                            "--no-output")
            self.assertGreater(got["handovers"]["n"], 0)
            self.assertEqual([d["kind"] for d in got["doubts"]], ["handover"]*doubts)

    def test_motion_and_ledger_go_through_the_change(self):
        """The block: v = 1 - 2 t; the ball is as fast as ever; all energies close."""
        self.write("slot.yaml", SLOT)
        got = self.json("run", "slot.yaml", "--method", "auto", "--accept", "handover", "--json", "--no-output")
        self.assertGreater(got["handovers"]["n"], 0)
        q, u, t, energy = got["state"]["q"], got["state"]["u"], 0.02, got["energy"]
        self.assertAlmostEqual(u["block.joint.v"], 1 - 2*t, delta=1e-12)
        self.assertAlmostEqual(q["block.joint.s"], 1 + t - t*t, delta=1e-12)
        self.assertAlmostEqual(abs(u["ball.joint.v"]), 2.0, delta=1e-9)
        self.assertAlmostEqual(q["ball.joint.s"], 0.5e-6, delta=0.5e-6 + 1e-9)
        self.assertAlmostEqual(energy["friction"], 0.5*(1 - 2*t)**2 - 0.5, delta=1e-12)
        works = sum(energy[k] for k in ("dampers", "applied", "driven", "friction", "impacts", "projection", "discretisation"))
        self.assertAlmostEqual(energy["initial"] + works, energy["kinetic"] + energy["potential"], delta=1e-12)
        self.assertLess(energy["closure"], 1e-13)

    def test_event_stays_and_rare_events_stay(self):
        self.write("slot.yaml", SLOT)
        for method, d in (("event", "1e-6"), ("auto", "3e-4")):  # 3e-4 m: 3333 hits in T
            until = "0.008" if method == "event" else "1"
            got = self.json("run", "slot.yaml", "--method", method, "--set", f"d={d}", "--until", until, "--json", "-o", "a.h5",
                            "--set", "t_1=2")
            self.assertGreater(got["events"], 1.5*PICKED)
            self.assertEqual(got["handovers"], {"n": 0})
            self.assertEqual(self.changes("a.h5"), [])

    @unittest.skipUnless(h5py, "h5py is not here")
    def test_the_result_says_what_was_asked_for(self):
        self.write("slot.yaml", SLOT)
        for asked in ("auto", "event"):
            self.specht("run", "slot.yaml", "--method", asked, "--until", "1e-3", "-o", "a.h5")
            with h5py.File(self.path("a.h5"), "r") as f:
                said = [x.decode() if isinstance(x, bytes) else x for x in (f.attrs["method"], f.attrs["method_asked"])]
            self.assertEqual(said, ["event", asked])

    def test_accumulations_that_are_passed_are_not_dense(self):
        """A ball on a floor that throws it up 800 times per second comes to rest each time: 22 events each, 17580 in T = 1 s, of
        which no more than 4000 leak.  They are 1e-6 m high, and places of the machine, 1 m long, are to be better than that."""
        self.write("hops.yaml", """\
specht: 1
units: off
space: planar
gravity: 10
parameters: {a: 12, omega: 1600*pi}
bodies:
  floor: {joint: {prismatic: ground, axis: [0, 1], motion: a/omega^2*sin(omega*t)}, contours: {top: {line: [0, 1]}}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
  far: {mass: 1, joint: {prismatic: ground, axis: [1, 0]}}
contacts: {c: {between: [ball, floor], law: {eps_N: 0.7}}}
start: {ball.y: 1e-6, far.x: 1}
run: {until: 0.5, output_step: 0.1, tolerance: 1e-7}
""")
        got = self.json("run", "hops.yaml", "--method", "auto", "--json", "--no-output")
        self.assertGreater(got["accumulations"]["n"], 390)
        self.assertGreater(got["events"], 1.5*PICKED + 2000)
        self.assertEqual(got["handovers"], {"n": 0})

    def test_it_comes_back_where_events_are_rare_again(self):
        self.write("slot.yaml", SLOT)
        self.specht("run", "slot.yaml", "--method", "auto", "--accept", "handover", "--set", "t_1=0.005",
                             "--until", "1", "-o", "a.h5")
        change = self.changes("a.h5")
        self.assertLess(change[-1]["t"], 0.5)
        events = self.json("events", "a.h5", "--json")
        # what slides goes on sliding: it is told neither at the change nor behind it, but where it stops, at v/(mu g) = 0.5 s
        slides = [e for e in events if e["contact"] == "brake"]
        self.assertEqual([e["kind"] for e in slides if e["t"] > 1e-9], ["stick"])
        self.assertAlmostEqual(slides[-1]["t"], 0.5, delta=1e-9)

    def same_end(self, *run):
        """The rest of the run is the end of the whole one, in all digits, events included."""
        self.specht(*run, "-o", "whole.h5")
        self.specht(*run, "--resume", "part.h5", "-o", "rest.h5")
        rest, whole = self.rows("rest.h5")[1:], self.rows("whole.h5")
        self.assertGreater(len(rest), 2)
        self.assertEqual(rest, whole[len(whole) - len(rest):])
        begin = float(self.rows("rest.h5")[0].split(",")[0])
        self.assertEqual([e for e in self.changes("rest.h5") if e["t"] > begin],
                         [e for e in self.changes("whole.h5") if e["t"] > begin])
        return begin

    def test_runs_are_taken_up_before_and_behind_every_change(self):
        self.write("slot.yaml", SLOT)
        run = ("run", "slot.yaml", "-q", "--method", "auto", "--accept", "handover", "--set", "t_1=0.004", "--output-step", "5e-4")
        self.specht(*run, "--until", "0.4", "-o", "all.h5")
        changes = self.changes("all.h5")
        over, back = changes[0]["t"], changes[-1]["t"] + changes[-1]["lasts"]
        for until in (0.6*over, 1.2*over, over + 0.5*(back - over), back + 0.01):
            with self.subTest(until):
                self.specht(*run, "--until", str(until), "-o", "part.h5", "--checkpoint")
                self.assertLess(self.same_end(*run, "--until", str(back + 0.05)), until)

    def test_a_killed_run_goes_on_to_the_bit(self):
        self.write("slot.yaml", SLOT)
        run = ("run", "slot.yaml", "-q", "--method", "auto", "--accept", "handover", "--set", "d=2e-5", "--set", "t_1=1e4", "--output-step", "1e-2")
        process = self.start(*run, "--until", "1e4", "-o", "part.h5", "--checkpoint")  # minutes: it is killed long before
        limit = time.monotonic() + 60
        while not os.path.exists(self.path("part.h5.checkpoint")) and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.01)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGKILL)
        process.wait()
        end = float(self.rows("part.h5")[-1].split(",")[0]) + 0.5
        self.assertLess(self.same_end(*run, "--until", str(end)), end)

    def test_what_may_step_is_not_resumed_as_what_may_not(self):
        self.write("slot.yaml", SLOT)
        self.specht("run", "slot.yaml", "-q", "--method", "auto", "--until", "1e-3", "-o", "part.h5", "--checkpoint")
        _, err = self.specht("run", "slot.yaml", "-q", "--method", "event", "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("begun with method 'auto', and it is 'event' now", err)

    def test_check_and_help_say_so(self):
        self.write("slot.yaml", SLOT)
        out, _ = self.specht("check", "slot.yaml")
        self.assertIn("run: auto: event until", out)
        self.assertIn("short steps where events come too densely", out)
        out, _ = self.specht("check", "slot.yaml", "--set", "run.method=event")
        self.assertNotIn("too densely", out)
        self.assertIn("auto, event, adaptive", self.specht("run", "--help")[0])


if __name__ == "__main__":
    main()
