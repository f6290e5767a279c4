"""What the program says where a run ends badly: who is to blame, when, and what to do."""
import glob
import json
import os
import re
import subprocess

from cli_support import BALL, SPECHT, Case, main

# A force whose expression has no value from 0.3 s on.
ROOT = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {mass: 1, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
contacts: {bounce: {between: [ball, ground], law: {eps_N: 0.5}}}
forces: {push: {on: ball, force: [0, sqrt(0.3 - t)]}}
start: {ball.joint.s: 1}
run: {until: 1, step: 1e-3}
"""

# Three discs that fill the width between two walls exactly: where they are on one line their problem has no solution
# that is certified, theory (30.2).
TIGHT = """\
specht: 1
units: off
space: planar
gravity: 10
bodies:
  ground:
    contours: {floor: {line: [0, 1]}, left: {line: [1, 0], at: [-0.3, 0]}, right: {line: [-1, 0], at: [0.3, 0]}}
  a: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}
  b: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}
  c: {mass: 1, inertia: 0.005, contours: {rim: {circle: 0.1}}}
contacts:
  walls: {between: [[a, b, c], ground], law: {mu: 0.3, eps_N: 0.2}}
  ab: {between: [a, b], law: {mu: 0.3, eps_N: 0.2}}
  ac: {between: [a, c], law: {mu: 0.3, eps_N: 0.2}}
  bc: {between: [b, c], law: {mu: 0.3, eps_N: 0.2}}
start: {a.y: 0.3, b.y: 0.6, b.x: 0.02, c.y: 0.9, c.x: -0.03, c.vx: 1}
run: {until: 1, method: event, tolerance: 1e-9}
"""


class Blame(Case):
    def ended(self, model, method):
        """What a run that ends says, None if the program was built without the method."""
        done = subprocess.run([SPECHT, "run", model, "--method", method, "--no-output"], cwd=self.folder, text=True,
                              capture_output=True)
        if "built without" in done.stderr:
            return None
        self.assertEqual(done.returncode, 1, msg=method)
        return done.stderr

    def test_a_force_that_is_no_number_is_named_with_its_line_and_time(self):
        self.write("root.yaml", ROOT)
        self.write("free.yaml", re.sub("contacts:.*\n", "", ROOT))
        for method in ("moreau", "moreau-mean", "theta", "rk2", "rk4", "event", "adaptive", "stiff", "smooth"):
            said = self.ended("free.yaml" if method == "smooth" else "root.yaml", method)
            if said is None:
                continue
            self.assertRegex(said, r"(root|free).yaml:[0-9]+:[0-9]+: force element 'push': the y component of its force "
                                   r"gives no number at t = .* 'max' or 'if'", msg=method)
            self.assertNotIn("mass matrix", said, msg=method)
            at = float(re.search(r"t = ([0-9.]+) s", said).group(1))
            self.assertTrue(0.3 <= at <= 0.301, msg=f"{method}: {at}")  # within the step of 1 ms

    def test_a_result_that_is_not_certified_tells_when_and_at_which_contact(self):
        self.write("tight.yaml", TIGHT)
        out, _ = self.specht("run", "tight.yaml", "--no-output", code=1)
        told = re.search(r"doubtful: uncertified \d+ times? \(first at t = ([0-9.]+) s, '([a-z.]+)'\): residual up to", out)
        self.assertTrue(told, msg=out)
        self.assertTrue(0 < float(told.group(1)) <= 1)
        got = self.json("run", "tight.yaml", "--no-output", "--json", code=1)
        (doubt,) = [d for d in got["doubts"] if d["kind"] == "uncertified"]
        self.assertAlmostEqual(doubt["t"], float(told.group(1)), places=8)
        self.assertEqual(doubt["place"], told.group(2))
        self.assertGreaterEqual(got["certificate"]["t"], doubt["t"])  # the worst

    def test_values_out_of_range_are_told_with_number_and_reason(self):
        for old, new, said in (
                ("eps: 0.5", "eps: 2", "eps_N = eps = 2, expected between 0 and 1"),
                ("law: {eps_N: eps}", "law: rubber", "there is no law 'rubber'; write one under 'laws', or here"),
                ("ball.y: h", "ball.y: 2 sin(1)", "unknown unit 'sin' in '2 sin'; a product is written '2*sin(...)'"),
                ("step: 1 ms", "step: 1 ms, output_step: 1e-15 s", "makes 5e+14 frames in 0.5 s, expected at most 1e+13"),
                ("until: 0.5 s", "until: 1e300 s", "steps, expected at most 1e+13; take a larger step or a shorter run"),
                ("method: moreau, step: 1 ms", "method: event, tolerance: 10", "it is an error over the size of the motion")):
            self.assertIn(old, BALL)
            self.write("off.yaml", BALL.replace(old, new))
            _, err = self.specht("check", "off.yaml", code=2)
            self.assertIn(said, err)

    def test_a_certified_result_has_no_worst_contact(self):
        self.write("ball.yaml", BALL)
        got = self.json("run", "ball.yaml", "--no-output", "--json")
        self.assertNotIn("contact", got["certificate"])
        self.assertEqual(got["doubts"], [])

    def test_runs_that_are_not_certified_verify_nothing(self):
        self.write("tight.yaml", TIGHT)
        out, _ = self.specht("verify", "tight.yaml", "--step", "2e-3", code=1)
        self.assertIn("not verified: a run has no certified result", out.splitlines()[1])
        text, _ = self.specht("verify", "tight.yaml", "--step", "2e-3", "--json", code=1)
        got = json.loads(text)
        self.assertEqual((got["status"], got["agrees_until"]), ("not verified", None))
        self.assertTrue(out.splitlines()[1].endswith(": " + got["not_certified"]), msg=out)  # what is not, by which number

    def test_theta_beyond_its_dissipation_condition_is_told_with_the_law(self):
        # theta <= 1/(1 + eps_N), (17.4): 2/3 for a restitution of 1/2
        self.write("ball.yaml", BALL.replace("method: moreau", "method: theta"))
        _, err = self.specht("run", "ball.yaml", "--no-output", "--set", "run.theta=0.66")
        self.assertEqual(err, "")
        _, err = self.specht("run", "ball.yaml", "--no-output", "--set", "run.theta=0.75")
        self.assertIn("theta = 0.75 suits restitution up to 0.333", err)
        self.assertIn("has 0.5", err)
        _, err = self.specht("run", "ball.yaml", "--no-output", "--set", "run.theta=0.75", "--set", "eps=0.3")
        self.assertEqual(err, "")
        _, err = self.specht("run", "ball.yaml", "--no-output", "--set", "run.theta=0.75", "--method", "moreau")
        self.assertEqual(err, "")

    def test_resume_names_the_setting_that_differs_with_both_values(self):
        self.write("ball.yaml", BALL)
        self.specht("run", "ball.yaml", "-o", "part.h5", "--checkpoint", "--output-step", "0.01")
        again = ("run", "ball.yaml", "--resume", "part.h5", "-o", "rest.h5", "--until", "1")
        _, err = self.specht(*again, "--output-step", "0.02", code=2)
        self.assertIn("begun with output_step = 0.01 s, and it is 0.02 s now", err)
        self.assertNotIn("tolerance", err)
        _, err = self.specht(*again, "--output-step", "0.01", "--method", "theta", code=2)
        self.assertIn("begun with method 'moreau', and it is 'theta' now", err)

    def test_dumped_corrections_of_positions_are_titled_so(self):
        self.write("ball.yaml", BALL.replace("step: 1 ms", "step: 10 ms"))
        self.specht("run", "ball.yaml", "--no-output", "--until", "1", "--dump-problems", "dump", "--dump-every", "1")
        titles = b""
        for name in glob.glob(os.path.join(self.folder, "dump", "*.hdf5")):
            with open(name, "rb") as f:
                titles += f.read()
        self.assertIn(b"correction of positions, solved", titles)
        self.assertIn(b"time step, solved", titles)


if __name__ == "__main__":
    main()
