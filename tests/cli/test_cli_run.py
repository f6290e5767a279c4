"""specht run: what it prints, writes and leaves alone."""
import json
import math
import os
import pty
import re
import signal
import subprocess
import time

from cli_support import BALL, LONG, SPECHT, Case, main

ENERGY = {"initial", "kinetic", "potential", "dampers", "applied", "driven", "friction", "impacts", "projection",
          "discretisation", "balance", "closure", "worst_contact_work", "elements"}
CERTIFICATE = {"complementarity", "cone", "dissipation", "momentum", "gap"}


class RunJson(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_energy_made_by_corrections_of_positions_is_no_result(self):
        """A ball 10 mm above the floor that falls for 0.2 s before anybody looks has 0.2 J and gets 5.6 J."""
        self.write("ball.yaml", BALL.replace("until: 0.5 s", "until: 20 s"))
        long = self.json("run", "ball.yaml", "--set", "h=10 mm", "--step", "0.2", "--json", code=1)
        self.assertEqual(long["status"], "doubtful")
        (doubt,) = [d for d in long["doubts"] if d["kind"] == "projection"]
        self.assertGreater(doubt["size"], 0.5)
        self.assertIn("ball.h5", self.names())  # kept all the same
        fine = self.json("run", "ball.yaml", "--set", "h=10 mm", "--step", "1e-4", "--json", "--no-output")
        self.assertEqual((fine["status"], fine["doubts"]), ("clean", []))
        self.assertLess(fine["energy"]["projection"], 0.05 * long["energy"]["projection"])

    def test_one_object_with_all_keys(self):
        got = self.json("run", "ball.yaml", "--json")
        self.assertEqual(got["status"], "clean")
        self.assertEqual(got["method"], "moreau")
        self.assertEqual(got["file"], "ball.h5")
        self.assertEqual((got["t"], got["steps"]), (0.5, 500))
        self.assertIsInstance(got["events"], int)
        self.assertIsInstance(got["seconds"], float)
        self.assertEqual(set(got["energy"]), ENERGY)
        self.assertEqual(set(got["certificate"]), CERTIFICATE)
        lines = got["energy"].pop("elements")
        self.assertEqual([set(e) for e in lines], [{"name", "stored", "dampers", "applied"}])
        for value in [*got["energy"].values(), *got["certificate"].values()]:
            self.assertIsInstance(value, (int, float))
        self.assertEqual(set(got["state"]["q"]), {"ball.joint.s"})
        self.assertEqual(set(got["state"]["u"]), {"ball.joint.v"})
        self.assertEqual(set(got["state"]["bodies"]["ball"]), {"x", "y", "phi", "vx", "vy", "omega"})
        self.assertNotIn("message", got)
        self.assertEqual(self.names(), ["ball.h5", "ball.yaml"])

    def test_the_numbers_are_those_of_a_falling_ball(self):
        got = self.json("run", "ball.yaml", "--json", "--until", "0.4", "--no-output")
        state, energy = got["state"], got["energy"]
        # constant force: the midpoint rule is exact
        self.assertAlmostEqual(state["q"]["ball.joint.s"], 1 - 9.81 * 0.4**2 / 2, places=12)
        self.assertAlmostEqual(state["u"]["ball.joint.v"], -9.81 * 0.4, places=12)
        self.assertAlmostEqual(energy["initial"], 2 * 9.81, places=12)
        self.assertAlmostEqual(energy["kinetic"], (9.81 * 0.4) ** 2, places=11)
        self.assertEqual(got["events"], 0)
        self.assertIsNone(got["file"])
        self.assertEqual(self.names(), ["ball.yaml"])

    def test_energy_lost_in_the_impact_is_booked(self):
        energy = self.json("run", "ball.yaml", "--json", "--step", "1e-5")["energy"]
        # 1 - eps^2 of the kinetic energy at the floor, m g h
        self.assertAlmostEqual(energy["impacts"], -(1 - 0.5**2) * 2 * 9.81, delta=2e-3)
        self.assertLess(energy["closure"], 1e-12)

    def test_options_and_set_change_the_run(self):
        for args, t in ((["--until", "0.1"], 0.1), (["--until=100ms"], 0.1), (["--until", "100 ms"], 0.1),
                        (["--set", "run.until=0.2"], 0.2), (["--set", "run.until=0.2", "--until", "0.1"], 0.1)):
            got = self.json("run", "ball.yaml", "--json", "--no-output", *args)
            self.assertEqual(got["t"], t, args)
        got = self.json("run", "ball.yaml", "--json", "--no-output", "--step", "2ms", "--method", "moreau-mean")
        self.assertEqual((got["steps"], got["method"]), (250, "moreau-mean"))
        for value in ("500mm", "500 mm", "0.5 m", "5e-1m"):
            got = self.json("run", "ball.yaml", "--json", "--no-output", "--until", "1e-3", "--set", f"h={value}",
                            "--set", "m=4kg")
            self.assertAlmostEqual(got["energy"]["initial"], 4 * 9.81 * 0.5, places=12)

    def test_output_step_sets_the_number_of_frames(self):
        self.specht("run", "ball.yaml", "--output-step", "50ms", "-q")
        out, _ = self.specht("csv", "ball.h5")
        self.assertEqual(len(out.splitlines()), 1 + 11)

    def test_a_failing_start_is_one_object_too(self):
        self.write("bad.yaml", BALL.replace("mass: m", "mass: -1 kg").replace("eps_N: eps", "eps_N: 3"))
        out, err = self.specht("run", "bad.yaml", "--json", code=2)
        got = json.loads(out)
        self.assertEqual(got["status"], "failed")
        self.assertIn("bad.yaml:", got["message"])
        self.assertEqual(len(got["errors"]), 2)
        self.assertEqual(len(err.splitlines()), 2)
        self.assertEqual(self.names(), ["bad.yaml", "ball.yaml"])

    def test_the_same_run_twice_gives_the_same_bits(self):
        first, second = (self.json("run", "ball.yaml", "--json") for _ in range(2))
        first.pop("seconds"), second.pop("seconds")
        self.assertEqual(first, second)


class RunText(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_header_energy_certificate_and_file_are_printed(self):
        out, err = self.specht("run", "ball.yaml", "-o", "b.h5")
        lines = out.splitlines()
        self.assertEqual(err, "")
        self.assertEqual(lines[0], "  Bouncing ball   1 dof, 1 contact   moreau, step 0.001 s")
        self.assertIn("500 steps", lines[1])
        self.assertIn("complementarity", lines[3])
        self.assertIn("specht plot b.h5", lines[4])
        self.assertNotIn("\033", out)

    def test_the_energy_line_adds_up(self):
        self.write("pushed.yaml", BALL.replace("start:", "forces: {push: {force: [0, 5 N], on: ball}}\nstart:"))
        for model in ("ball.yaml", "pushed.yaml"):
            line = self.specht("run", model)[0].splitlines()[2]
            found = re.match(r"  energy   (.*) = (.*)   \(closes to (.*)\)$", line)
            self.assertTrue(found, line)
            came, went = (sum(float(term.split()[0]) for term in side.split(" + "))
                          for side in found.groups()[:2])
            self.assertAlmostEqual(came, went, delta=3e-3)
            self.assertLess(float(found.group(3)), 1e-12)
            self.assertIn("kept", found.group(2))

    def test_one_of_a_kind_has_no_plural(self):
        out, _ = self.specht("run", "ball.yaml", "--until", "1ms")
        self.assertIn("   1 step   0 events   ", out)
        out, _ = self.specht("run", "ball.yaml", "--until", "0.46 s")
        self.assertIn(" steps   1 event   ", out)

    def test_a_run_that_ends_before_its_measures_begin_has_none_and_says_so(self):
        self.write("ball.yaml", BALL + "measures: {low: min(ball.y)}\n")
        run = ("run", "ball.yaml", "--no-output", "--set", "run.until=0.1 s", "--set")
        self.assertRegex(self.specht(*run, "run.measure_from=0 s")[0], r"\n  low = \S+ m\n")
        out, _ = self.specht(*run, "run.measure_from=0.2 s")
        self.assertIn("measures: none, they begin at measure_from = 0.2 s", out)
        self.assertNotIn("nan", out)
        self.assertIsNone(self.json(*run, "run.measure_from=0.2 s", "--json")["measures"][0]["value"])

    def test_measures_of_a_channel_have_its_unit(self):
        self.write("turn.yaml", "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies: {arm: {mass: 1 kg, inertia: 1 kg*m^2, "
                   "center: [1 m, 0], joint: {revolute: ground}}}\nmeasures: {w: final(arm.omega), phi: peak(arm.phi), "
                   "same: (w), rate: 2*w, E: max(energy.kinetic)}\nrun: {until: 1 s}\n")
        units = {m["name"]: m["unit"] for m in self.json("run", "turn.yaml", "--no-output", "--json")["measures"]}
        self.assertEqual(units, {"w": "rad/s", "phi": "rad", "same": "rad/s", "rate": "1/s", "E": "J"})

    def test_quiet_prints_nothing(self):
        self.assertEqual(self.specht("run", "ball.yaml", "--quiet"), ("", ""))
        self.assertIn("ball.h5", self.names())

    def test_the_default_result_stands_in_the_current_folder(self):
        os.mkdir(self.path("models"))
        os.rename(self.path("ball.yaml"), self.path("models/ball.v2.yaml"))
        self.specht("run", "models/ball.v2.yaml", "-q")
        self.assertEqual(self.names(), ["ball.v2.h5", "models"])

    def test_the_file_holds_command_and_overrides(self):
        self.specht("run", "ball.yaml", "-q", "--set", "eps=0.7", "--until", "1ms")
        out = subprocess.run(["h5dump", "-A", self.path("ball.h5")], stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("specht run ball.yaml -q --set eps=0.7 --until 1ms", out)
        self.assertIn("eps=0.7", out)
        self.assertIn("run.until=1 ms", out)

    def test_a_progress_bar_shows_on_a_terminal_only(self):
        ours, theirs = pty.openpty()
        process = self.start("run", self.write("long.yaml", LONG), "--no-output", stdout=subprocess.DEVNULL,
                             stderr=theirs, env={"TERM": "xterm", "NO_COLOR": "1"})
        os.close(theirs)
        seen = b""
        while b" left" not in seen:
            seen += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        try:
            while True:
                more = os.read(ours, 1000)
                seen += more
        except OSError:
            pass
        os.close(ours)
        self.assertEqual(process.wait(60), 1)
        self.assertRegex(seen, rb" +\d+ %   t = [^ ]+ s   [\d ]+ events?   .* left")
        self.assertNotIn(b"\033[32m", seen)
        self.assertIn(b"interrupted at t = ", seen)


class RunKeeps(Case):
    """A run that fails to start makes nothing and destroys nothing."""

    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.write("bad.yaml", BALL.replace("mass: m", "mass: -1 kg"))
        self.write("deep.yaml", BALL.replace("ball.y: h", "ball.y: -h"))
        self.specht("run", "ball.yaml", "-o", "r.h5", "-q")
        self.result = self.read("r.h5")

    def fails(self, *args, said, code=2):
        before = self.names()
        out, err = self.specht(*args, code=code)
        self.assertEqual(out, "")
        self.assertIn(said, err)
        self.assertTrue(err.startswith("specht: "), err)
        self.assertEqual(self.names(), before)
        self.assertEqual(self.read("r.h5"), self.result)

    def test_bad_models(self):
        self.fails("run", "bad.yaml", "-o", "r.h5", said="bad.yaml:8:16: body 'ball': mass = -1 kg")
        self.fails("run", "deep.yaml", "-o", "r.h5", said="contact 'bounce")
        self.fails("run", "none.yaml", "-o", "r.h5", said="none.yaml")
        self.fails("run", ".", "-o", "r.h5", said="'.'")

    def test_bad_values(self):
        for args, said in ((["--until", "3mm"], "a length"), (["--step", "0"], "step"), (["--step", "-1"], "step"),
                           (["--until", "nan"], "until"), (["--method", "moro"], "moro"),
                           (["--set", "esp=1"], "did you mean 'eps'?"), (["--set", "eps"], "name=value"),
                           (["--set", "bodies.ball.mas=1"], "mas"), (["--output-step", "-1"], "output_step"),
                           (["--until", "{}"], "")):
            self.fails("run", "ball.yaml", "-o", "r.h5", *args, said=said)

    def test_options_are_named_by_themselves(self):
        for option, value, key in (("--step", "3 kg", "step"), ("--output-step", "1x", "output_step"),
                                   ("--until", "soon", "until")):
            _, err = self.specht("run", "ball.yaml", option, value, code=2)
            self.assertIn(f"specht: {option}: run: {key}", err)
            self.assertNotIn("--set", err)
            _, err = self.specht("run", "ball.yaml", "--set", f"run.{key}={value}", code=2)
            self.assertIn(f"specht: --set: run: {key}", err)

    def test_all_bad_overrides_are_told(self):
        _, err = self.specht("run", "ball.yaml", "--set", "x=1", "--set", "z=2", "--until", "1 kg", code=2)
        self.assertEqual(len(err.splitlines()), 3, err)

    def test_a_step_too_short_leaves_the_older_result(self):
        self.specht("run", "ball.yaml", "-o", "old.h5")
        old = self.read("old.h5")
        self.fails("run", "ball.yaml", "-o", "old.h5", "--method", "moreau", "--step", "1e-30", said="at most 1e+13")
        self.assertEqual(self.read("old.h5"), old)

    def test_bad_outputs(self):
        os.mkdir(self.path("folder"))
        self.fails("run", "ball.yaml", "-o", "none/r.h5", said="none/r.h5")
        self.fails("run", "ball.yaml", "-o", "folder", said="folder")
        self.fails("run", "ball.yaml", "-o", "bad.yaml/r.h5", said="bad.yaml/r.h5")
        self.fails("run", "ball.yaml", "-o", "/dev/null", said="/dev/null")
        self.fails("run", "ball.yaml", "-o", "ball.yaml", said="no result")
        self.assertEqual(self.read("ball.yaml").decode(), BALL)

    def test_a_disk_that_fills_up_ends_the_run_with_exit_code_1(self):
        self.write("long.yaml", LONG.replace("output_step: 1 s", "output_step: 1 ms").replace("1e9 s", "1e6 s"))
        done = subprocess.run(["sh", "-c", 'ulimit -f 2000; exec "$0" run long.yaml -o full.h5', SPECHT],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("full.h5", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.specht("csv", "full.h5", "--names", "ball.y")

    def test_a_good_run_replaces_the_old_result(self):
        self.specht("run", "ball.yaml", "-o", "r.h5", "-q", "--until", "0.1")
        self.assertNotEqual(self.read("r.h5"), self.result)
        self.assertEqual(self.names(), ["bad.yaml", "ball.yaml", "deep.yaml", "r.h5"])


class RunFails(Case):
    def test_a_force_that_explodes_ends_the_run_and_keeps_the_result(self):
        model = BALL.replace("start:", "forces: {boom: {force: [0, -1 N * exp(ball.vy^4/(1 m/s)^4)], on: ball}}\nstart:")
        self.write("boom.yaml", model)
        out, err = self.specht("run", "boom.yaml", "--json", code=1)
        got = json.loads(out)
        self.assertEqual(got["status"], "failed")
        self.assertLess(got["t"], 0.5)
        self.assertIn("t = ", got["message"])
        self.assertIn("what was computed is in boom.h5", err)
        rows, err = self.specht("csv", "boom.h5", "--names", "ball.y")
        self.assertIn("the run failed at t = ", err)
        self.assertTrue(math.isfinite(float(rows.splitlines()[-1].split(",")[1])))


class Interrupt(Case):
    def interrupted(self, number, *more):
        self.write("long.yaml", LONG)
        process = self.start("run", "long.yaml", *more)
        self.wait_for("long.h5")
        time.sleep(0.3)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_ctrl_c_saves_what_was_computed_and_says_so(self):
        code, out, err = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 1)
        self.assertRegex(err, r"specht: interrupted at t = \S+ s; what was computed is in long.h5\n$")
        self.assertIn("energy", out)
        self.assertEqual(self.names(), ["long.h5", "long.yaml"])
        rows, err = self.specht("csv", "long.h5", "--names", "ball.y")
        self.assertIn("the run was interrupted, read up to t = ", err)
        self.assertGreater(len(rows.splitlines()), 2)

    def test_the_file_opens_with_plain_hdf5_tools(self):
        self.interrupted(signal.SIGTERM)
        done = subprocess.run(["h5dump", "-A", self.path("long.h5")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("interrupted", done.stdout)

    def test_json_tells_it(self):
        code, out, _ = self.interrupted(signal.SIGINT, "--json")
        got = json.loads(out)
        self.assertEqual((code, got["status"]), (1, "interrupted"))
        self.assertGreater(got["steps"], 0)
        self.assertAlmostEqual(got["t"], got["steps"] * 1e-3, places=6)

    def test_a_killed_run_is_readable_and_recovers(self):
        self.write("long.yaml", LONG)
        process = self.start("run", "long.yaml")
        self.wait_for("long.h5")
        time.sleep(0.8)
        process.kill()
        process.communicate()
        rows, err = self.specht("csv", "long.h5", "--names", "ball.y")
        self.assertIn("cut short", err)
        self.assertGreater(len(rows.splitlines()), 2)
        self.specht("recover", "long.h5")
        again, _ = self.specht("csv", "long.h5", "--names", "ball.y")
        self.assertEqual(rows, again)
        done = subprocess.run(["h5dump", "-A", self.path("long.h5")], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0)


# Newton's law with friction: a cone thrown on its rim and tip, elastic, mu 0.6
GAINS = """
specht: 1
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  b: {density: 1000 kg/m^3, shape: {cone: 3 cm, length: 5 cm}, contours: {c: {frustum: [3 cm, 0], length: 5 cm}}}
contacts: {k: {between: [b, ground], law: {mu: 0.6, eps_N: 1.0}}}
start: {b.z: 0.2413, b.vx: 1.052, b.vy: 0.579, b.turn: [{z: -0.877}, {x: 2.886}, {y: 2.771}],
  b.omega_own: [-13.55, 10.16, 8.61]}
run: {until: 1.5 s, method: event}
"""

# an end of a rod is hit: Newton's law gains, in a step as in an event
ROD = """
specht: 1
space: planar
gravity: 0 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  rod: {mass: 1 kg, inertia: 0.08 kg*m^2, contours: {end: {point: [-0.5 m, 0]}}}
contacts: {k: {between: [rod.end, ground], law: {mu: 0.6, eps_N: 0.9}}}
start: {rod.y: 0.366 m, rod.phi: 0.8, rod.vx: 0.6 m/s, rod.vy: -1 m/s}
run: {until: 0.1 s, step: 0.1 ms}
"""

# a ball slides over a dome and never leaves it
DOME = """
specht: 1
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {dome: {sphere: 1 m, at: [0, 0, -1 m]}}}
  b: {density: 1000 kg/m^3, shape: {sphere: 1 cm}, contours: {c: {sphere: 1 cm}}}
contacts: {k: {between: [b, ground], law: {mu: 0.3}}}
start: {b.z: 1 cm, b.vx: 1 m/s}
run: {until: 0.2 s, step: 1 ms}
"""


class Warnings(Case):
    def test_impacts_that_gain_energy_are_told_and_can_be_forbidden(self):
        self.write("gains.yaml", GAINS)
        got = self.json("run", "gains.yaml", "--json", "--no-output", code=1)
        self.assertGreater(got["energy"]["impacts"], 0.01)
        (doubt,) = got["doubts"]
        self.assertEqual(doubt["kind"], "restitution")
        self.assertGreater(doubt["n"] * doubt["size"], got["energy"]["impacts"])
        self.write("scaled.yaml", GAINS + "impact: {law: newton, gain: scale}\n")
        out, err = self.specht("run", "scaled.yaml", "--json", "--no-output")
        self.assertLess(json.loads(out)["energy"]["impacts"], 1e-12)
        self.assertEqual(err, "")

    def test_impacts_gain_in_steps_as_in_events(self):
        self.write("rod.yaml", ROD)
        told = {}
        for method in ("moreau", "theta", "event"):
            got = self.json("run", "rod.yaml", "--json", "--no-output", "--method", method, code=1)
            (doubt,) = got["doubts"]
            self.assertEqual((doubt["kind"], doubt["n"], doubt["place"], doubt["accepted"]), ("restitution", 1, "k", False))
            told[method] = doubt["size"]
        self.assertGreater(told["event"], 0.04)
        for method in ("moreau", "theta"):  # to the step: the rod turns by 1e-4 rad in it
            self.assertAlmostEqual(told[method], told["event"], delta=1e-3)

    def test_lasting_contacts_are_no_impacts_that_gain(self):
        """Normal forces push where a contact parts within a step: 4e-6 of the energy, nobody's law."""
        self.write("dome.yaml", DOME)
        for method in ("moreau", "moreau-mean", "theta"):
            for mu in ("0", "0.3"):
                out, err = self.specht("run", "dome.yaml", "--json", "--no-output", "--method", method,
                                       "--set", "contacts.k.law.mu=" + mu)
                energy = json.loads(out)["energy"]
                self.assertGreater(energy["impacts"], 1e-6 * energy["initial"])  # they did gain
                self.assertEqual(err, "")

    def test_a_step_as_long_as_the_run_is_told(self):
        self.write("ball.yaml", BALL)
        _, err = self.specht("run", "ball.yaml", "--no-output", "--step", "10", code=1)
        self.assertIn("note: the step of 10 s is as long as the run", err)
        _, err = self.specht("run", "ball.yaml", "--no-output")
        self.assertEqual(err, "")


class Doubts(Case):
    """Finished, doubtful: exit code 1, in the summary, in --json and in the result."""

    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)
        self.asked = ("run", "rod.yaml", "--method", "event", "-o", "r.h5")

    def test_a_doubt_is_one_line_and_exit_code_1(self):
        out, err = self.specht(*self.asked, code=1)
        lines = [line for line in out.splitlines() if "doubtful" in line]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^  doubtful: restitution 1 time \(first at t = \S+ s, 'k'\): .* up to 0.0\d+ J$")
        self.assertIn("finished, doubtful: exit code 1", err)
        _, err = self.specht(*self.asked, "-q", code=1)
        self.assertIn("specht: doubtful: restitution 1 time", err)

    def test_accepted_doubts_are_shown_and_leave_exit_code_0(self):
        out, err = self.specht(*self.asked, "--accept", "divided,restitution")
        self.assertIn("doubtful: restitution", out)
        self.assertEqual(err, "")
        got = self.json(*self.asked, "--json", "--accept", "restitution")
        self.assertEqual((got["status"], got["doubts"][0]["accepted"]), ("doubtful", True))
        self.specht(*self.asked, "--accept", "handover", code=1)

    def test_a_kind_that_is_none_is_refused_before_the_run(self):
        for wrong in ("restitutions", "rest", "restitution,nothing"):
            _, err = self.specht(*self.asked, "--accept", wrong, code=2)
            self.assertIn("is no kind of doubt (there are: uncertified, handover,", err)
        self.assertNotIn("r.h5", self.names())

    def test_the_result_knows_its_doubts(self):
        self.specht(*self.asked, "-q", code=1)
        _, err = self.specht("csv", "r.h5")
        self.assertIn("r.h5: doubtful: restitution 1 time", err)
        self.write("rod.yaml", ROD + "impact: {law: newton, gain: scale}\n")  # the model asks for it
        self.specht(*self.asked, "-q")
        _, err = self.specht("csv", "r.h5")
        self.assertEqual(err, "")


if __name__ == "__main__":
    main()
