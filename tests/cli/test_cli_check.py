"""specht check: all errors of a file, or what it describes."""
import json
import os
import resource
import subprocess
import time

from cli_support import BALL, SANITIZED, SOURCE, SPECHT, Case, main

MANY = """\
specht: 1
name: Ten thousand balls
space: planar
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {count: 10000, mass: 1 kg, joint: {prismatic: ground, axis: [0, 1], at: [0.1 m * i, 1 m]},
         contours: {tip: {point: [0, 0]}}}
contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.5}}}
run: {until: 1 s, step: 1 ms}
"""

ARM = """\
specht: 1
name: Two links
space: planar
gravity: 9.81 m/s^2
bodies:
  first:  {mass: 1 kg, inertia: 0.1 kg*m^2, joint: {revolute: ground, at: [0, 2 m]}}
  second: {mass: 1 kg, inertia: 0.1 kg*m^2, joint: {revolute: first, at: [1 m, 0]}}
start: {first.phi: 90 deg, second.phi: 30 deg, first.omega: 2 rad/s, second.omega: 5 rad/s}
run: {until: 1 s, step: 1 ms}
"""

BOXES = """\
specht: 1
name: A box on another
space: spatial
gravity: [0, 0, -9.81 m/s^2]
bodies:
  low:  {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {b: {box: [0.1 m, 0.1 m, 0.1 m]}}}
  high: {mass: 1 kg, inertia: 1e-3 kg*m^2, contours: {b: {box: [0.1 m, 0.1 m, 0.1 m]}}}
contacts: {pair: {between: [low, high], law: {mu: 0.4, eps_N: 0.3}}}
start: {high.z: 0.1 m}
run: {until: 1 s}
"""


class Check(Case):
    def test_a_good_model_is_summed_up(self):
        out, err = self.specht("check", self.write("ball.yaml", BALL))
        self.assertEqual(err, "")
        for said in ("Bouncing ball", "1 body, 1 degree of freedom", "1 contact point, 1 law", "ball.joint.s",
                     "bounce", "eps_N 0.5", "moreau until 0.5 s, step 0.001 s (500 steps)"):
            self.assertIn(said, out)
        self.assertEqual(self.names(), ["ball.yaml"])

    def test_the_start_is_given_in_both_forms(self):
        got = self.json("check", self.write("arm.yaml", ARM), "--json")
        self.assertEqual(got["status"], "ok")
        start = got["start"]
        self.assertAlmostEqual(start["q"]["first.joint.phi"], 1.5707963267948966)
        self.assertAlmostEqual(start["q"]["second.joint.phi"], -1.0471975511965976)  # 30 - 90 deg
        self.assertAlmostEqual(start["u"]["second.joint.omega"], 3)
        body = start["bodies"]["second"]
        self.assertAlmostEqual(body["phi"], 0.5235987755982988)
        self.assertAlmostEqual(body["y"], 3)  # 2 m up, 1 m along the upright first link
        self.assertAlmostEqual(body["vx"], -2)
        self.assertEqual((got["n_body"], got["n_dof"], got["n_contact"]), (2, 2, 0))
        out, _ = self.specht("check", "arm.yaml")
        self.assertRegex(out, r"second\.joint\.phi +-1\.0472 rad +3 rad/s")

    def test_points_that_nothing_is_near_to_have_no_gap(self):
        out, _ = self.specht("check", self.write("boxes.yaml", BOXES))
        points = [line for line in out.splitlines() if line.startswith("  pair.")]
        self.assertEqual(len(points), 5)
        self.assertEqual(sum("eps_N 0.3" in line for line in points), 4)  # four corners of a face
        # the other four slots in one line
        self.assertEqual(sum(line.endswith("nothing is near; 3 more for points that come near later") for line in points), 1)
        self.assertNotIn("inf", out)

    def test_all_errors_are_told_in_the_order_of_the_file(self):
        text = BALL.replace("mass: m", "mass: -1 kg").replace("eps_N: eps", "eps_N: eps, my: 1")
        text = text.replace("gravity: 9.81 m/s^2", "gravity: 9.81 m").replace("ball.y: h", "bal.y: h")
        out, err = self.specht("check", self.write("bad.yaml", text), code=2)
        lines = err.splitlines()
        self.assertEqual(out, "")
        self.assertEqual(len(lines), 4, err)
        self.assertEqual([int(line.split(":")[2]) for line in lines], [4, 8, 9, 10])
        self.assertTrue(all(line.startswith("specht: bad.yaml:") for line in lines))
        got = self.json("check", "bad.yaml", "--json", code=2)
        self.assertEqual(got["status"], "failed")
        self.assertEqual([e["line"] for e in got["errors"]], [4, 8, 9, 10])
        self.assertEqual(got["message"], lines[0][len("specht: "):])

    def test_all_penetrating_contacts_are_told(self):
        text = MANY.replace("count: 10000", "count: 3").replace("1 m]}", "-1 m]}")
        _, err = self.specht("check", self.write("deep.yaml", text), code=2)
        self.assertEqual(len(err.splitlines()), 3, err)
        for i in (1, 2, 3):
            self.assertIn(f"contact 'bounce.{i}': gap = -1 m", err)

    def test_set_is_applied_and_checked(self):
        self.write("ball.yaml", BALL)
        got = self.json("check", "ball.yaml", "--json", "--set", "h=2m", "--set", "run.step=2 ms")
        self.assertEqual(got["start"]["q"]["ball.joint.s"], 2)
        self.assertEqual(got["run"]["step"], 0.002)
        _, err = self.specht("check", "ball.yaml", "--set", "esp=2", code=2)
        self.assertIn("did you mean 'eps'?", err)

    def test_a_missing_step_is_a_warning_only(self):
        text = BALL.replace(", step: 1 ms", "")
        out, err = self.specht("check", self.write("ball.yaml", text))
        self.assertIn("warning", err)
        self.assertIn("'step' is missing", err)
        self.assertIn("Bouncing ball", out)
        self.specht("run", "ball.yaml", "--no-output", code=2)
        self.specht("run", "ball.yaml", "--no-output", "--step", "1ms")

    def test_a_step_for_points_that_come_and_go_is_found_or_it_is_said_how_to_choose(self):
        text = ("specht: 1\nname: Box\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                "  ground: {contours: {floor: {plane: [0, 0, 1]}}}\n"
                "  crate: {density: 500 kg/m^3, shape: {box: [1, 1, 1]}, contours: {skin: {box: [1, 1, 1]}}}\n"
                "  lid: {density: 500 kg/m^3, shape: {box: [1, 1, 1]}, contours: {skin: {box: [1, 1, 1]}}}\n"
                "contacts: {stand: {between: [crate, ground], law: {mu: 0.3}}, lie: {between: [lid, crate], law: {mu: 0.3}, room: 70}}\n"
                "start: {crate.z: 0.6, lid.z: 1.8}\nrun: {until: 0.01 s}\n")
        # radius of gyration 1/sqrt(6) m: sqrt(k/g)/50 = 4.1 ms
        out, _ = self.specht("run", self.write("box.yaml", text), "--no-output")
        self.assertIn("auto: moreau, step 0.002 s ", out)
        nothing = text.replace("gravity: 9.81 m/s^2", "gravity: 0 m/s^2")
        _, err = self.specht("run", self.write("box.yaml", nothing), "--no-output", code=2)
        self.assertIn("say how long a step is", err)
        self.assertIn("--step 1e-4", err)
        self.assertNotIn("is missing", err)
        self.specht("run", "box.yaml", "--no-output", "--step", "1e-3")

    def test_a_clearance_larger_than_the_machine_is_a_warning(self):
        with open(os.path.join(SOURCE, "tests", "data", "good", "clearance.yaml"), encoding="utf-8") as f:
            text = f.read()
        self.assertIn("clearance: 0.1 mm", text)
        _, err = self.specht("check", self.write("right.yaml", text))
        self.assertEqual(err, "")
        out, err = self.specht("check", self.write("wrong.yaml", text.replace("clearance: 0.1 mm", "clearance: 0.1 km")))
        self.assertRegex(err, r"wrong\.yaml:12:\d+: warning: .*clearance = 100 m, more than every other length")
        self.assertIn("slider", out)

    def test_quiet_prints_errors_only(self):
        self.assertEqual(self.specht("check", self.write("ball.yaml", BALL), "-q"), ("", ""))

    def test_missing_and_empty_files(self):
        _, err = self.specht("check", "none.yaml", code=2)
        self.assertIn("none.yaml", err)
        _, err = self.specht("check", self.write("empty.yaml", ""), code=2)
        self.assertIn("empty.yaml", err)
        out, _ = self.specht("check", "none.yaml", "--json", code=2)
        self.assertEqual(json.loads(out)["status"], "failed")

    def test_ten_thousand_bodies_take_less_than_two_seconds_and_500_mb(self):
        self.write("many.yaml", MANY)
        limits = {} if SANITIZED else {
            "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))}
        begun = time.monotonic()
        done = subprocess.run([SPECHT, "check", "many.yaml"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=self.environment(), **limits)
        seconds = time.monotonic() - begun
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 000 bodies, 10 000 degrees of freedom", done.stdout)
        self.assertIn("... and 9 988 more", done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 60)
        if not SANITIZED:
            self.assertLess(seconds, 2.0)
        out, _ = self.specht("check", "many.yaml", "--all")
        self.assertIn("bounce.9999", out)


if __name__ == "__main__":
    main()
