"""specht run --checkpoint and --resume with the methods that remember more than the state: a run that was
killed, and one that is made longer, go on to the bit."""
import os
import signal
import time

from cli_support import BALL, SOURCE, Case, main
from test_cli_stiff import HAS_CVODE, STIFF

# A disc between two walls and over a floor, all elastic: it never comes to rest.
DISC = """\
specht: 1
name: Disc in a box
space: planar
gravity: 9.81 m/s^2
bodies:
  ground:
    contours: {floor: {line: [0, 1]}, left: {line: [1, 0], at: [-1 m, 0]}, right: {line: [-1, 0], at: [1 m, 0]}}
  disc: {mass: 1 kg, inertia: 0.005 kg*m^2, contours: {rim: {circle: 0.1 m}}}
contacts: {c: {between: [disc, ground], law: {eps_N: 1}}}
start: {disc.y: 1 m, disc.vx: 1.3 m/s}
run: {until: 2000 s, output_step: 1 s, method: event, tolerance: 1e-10}
"""

SPRING = """\
specht: 1
space: planar
gravity: 0 m/s^2
parameters: {k: 10 N/m, h: 1 m}
bodies: {b: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}
forces: {f: {force: [-k*b.x, 0], on: b}}
start: {b.x: h}
run: {until: 1 s, method: moreau, step: 1 ms, output_step: 10 ms}
"""


class Runs(Case):
    """Runs that are left and taken up."""

    def rows(self, name):
        out, _ = self.specht("csv", name)
        return out.splitlines()[1:]

    def kill_when_saved(self, *run):
        """Kill a run that would go on for ever once it has a checkpoint; returns an end that is 20 s of it further."""
        process = self.start(*run, "--until", "1e8", "-o", "part.h5", "--checkpoint")
        checkpoint = self.path("part.h5.checkpoint")
        for _ in range(3000):
            if os.path.exists(checkpoint) or process.poll() is not None:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        return "%.9g" % (float(self.rows("part.h5")[-1].split(",")[0]) + 20)


class Resume(Runs):
    def same_end(self, *run, step=1.0):
        """The rest of the run is the end of the whole one, in all digits that are written."""
        self.specht(*run, "-o", "whole.h5")
        self.specht(*run, "--resume", "part.h5", "-o", "rest.h5")
        rest, whole = self.rows("rest.h5")[1:], self.rows("whole.h5")
        self.assertGreater(len(rest), 2)
        whole_end = whole[len(whole) - len(rest):]
        self.assertEqual(rest, whole_end)
        part = self.rows("part.h5")
        self.assertEqual(part[:2], whole[:2])
        # no frame is missing between the two
        self.assertGreaterEqual(float(part[-1].split(",")[0]), float(self.rows("rest.h5")[1].split(",")[0]) - step)

    def killed_and_resumed(self, *run):
        until = self.kill_when_saved(*run)
        self.same_end(*run, "--until", until)

    def made_longer(self, until, longer, *run):
        self.specht(*run, "--until", until, "-o", "part.h5", "--checkpoint")
        self.same_end(*run, "--until", longer)

    def test_event_driven_runs(self):
        self.write("disc.yaml", DISC)
        self.killed_and_resumed("run", "disc.yaml", "-q")
        self.made_longer("7.3", "15", "run", "disc.yaml", "-q")

    def test_adaptive_and_stepped_runs(self):
        self.write("disc.yaml", DISC)
        self.made_longer("7.3", "15", "run", "disc.yaml", "-q", "--method", "adaptive", "--tolerance", "1e-6")
        self.made_longer("7.3005", "15", "run", "disc.yaml", "-q", "--method", "moreau", "--step", "1ms")

    def test_the_rest_begins_near_the_old_end_which_is_told(self):
        self.write("disc.yaml", DISC)
        self.specht("run", "disc.yaml", "--until", "40.3", "-o", "part.h5", "--checkpoint")
        out, _ = self.specht("run", "disc.yaml", "--until", "41", "--resume", "part.h5", "-o", "rest.h5")
        t = float(out.split("resuming at t = ")[1].split()[0])
        self.assertGreater(t, 39.4)  # a flight between two hits takes 0.86 s at most
        self.assertLess(t, 40.3)
        self.assertAlmostEqual(float(self.rows("rest.h5")[0].split(",")[0]), t, places=6)
        got = self.json("run", "disc.yaml", "--until", "41", "--resume", "part.h5", "-o", "rest.h5", "--json")
        self.assertAlmostEqual(got["resumed_at"], t, places=6)

    def test_where_the_model_gives_no_output_step_the_old_one_stays(self):
        self.write("disc.yaml", DISC.replace("output_step: 1 s, ", ""))
        self.specht("run", "disc.yaml", "-q", "--until", "2", "-o", "part.h5", "--checkpoint")
        self.specht("run", "disc.yaml", "-q", "--until", "3", "--resume", "part.h5", "-o", "rest.h5")
        times = [float(row.split(",")[0]) for row in self.rows("rest.h5")]
        self.assertAlmostEqual(times[-1] - times[-2], 2e-3, places=9)

    def test_smooth_runs(self):
        path = os.path.join(SOURCE, "tests", "data", "good", "four_bar.yaml")
        run = ("run", path, "-q", "--method", "smooth", "--output-step", "0.05")
        self.made_longer("1.23", "3", *run)

    def test_stiff_runs(self):
        if not HAS_CVODE:
            self.skipTest("this program was built without SUNDIALS")
        self.write("stiff.yaml", STIFF)
        self.made_longer("2.5", "6", "run", "stiff.yaml", "-q", "--output-step", "0.05")
        self.made_longer("30.1", "36", "run", "stiff.yaml", "-q", "--output-step", "0.5")

    def test_another_tolerance_is_another_run(self):
        self.write("disc.yaml", DISC)
        self.specht("run", "disc.yaml", "-q", "--until", "2", "-o", "part.h5", "--checkpoint")
        _, err = self.specht("run", "disc.yaml", "-q", "--until", "4", "--tolerance", "1e-8", "--resume", "part.h5",
                             "-o", "rest.h5", code=2)
        self.assertIn("give the same", err)

    def test_what_is_another_model_is_named(self):
        run = ("run", "ball.yaml", "-q", "--until", "0.2", "--output-step", "0.01", "--checkpoint")
        again = ("run", "ball.yaml", "-q", "--until", "0.4", "--output-step", "0.01", "--resume", "part.h5", "-o", "rest.h5")
        self.write("ball.yaml", BALL)
        self.specht(*run, "-o", "part.h5", "--set", "eps=0.6")
        self.specht(*again, "--set", "eps=0.6")
        _, err = self.specht(*again, "--set", "m=3", "--set", "eps=0.6", code=2)
        self.assertIn("without", err)
        self.assertIn("--set m=3 is asked for", err)
        self.assertNotIn("eps", err)
        _, err = self.specht(*again, "--set", "eps=0.7", code=2)
        self.assertIn("with --set eps=0.6, and now --set eps=0.7", err)
        self.write("ball.yaml", BALL.replace("mass: m,", "mass: 2*m,"))
        _, err = self.specht(*again, "--set", "eps=0.6", code=2)
        self.assertIn("line 8", err)
        self.assertIn("mass: m,", err)
        self.assertIn("mass: 2*m,", err)

    def test_a_damaged_checkpoint_is_called_so_whatever_the_model_file_says(self):
        self.write("ball.yaml", BALL)
        run = ("run", "ball.yaml", "-q", "--output-step", "0.01")
        self.specht(*run, "--until", "0.2", "--checkpoint", "-o", "part.h5")
        with open(self.path("part.h5.checkpoint"), "r+b") as file:
            file.seek(200)
            byte = file.read(1)
            file.seek(200)
            file.write(bytes([byte[0] ^ 1]))
        self.write("ball.yaml", BALL.replace("mass: m,", "mass: 2*m,"))
        _, err = self.specht(*run, "--until", "0.4", "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("is damaged", err)
        self.assertNotIn("line", err)

    def test_the_first_frame_has_the_forces_of_where_it_was_left(self):
        """A wheel in a ring, before, at and behind its seam: N = m (g cos phi + v^2/l), theory (58.6)."""
        ring = os.path.join(SOURCE, "tests", "data", "good", "ring.yaml")
        for until in ("0.7", "1.33", "1.4"):
            self.specht("run", ring, "-q", "--until", until, "--checkpoint", "-o", "part.h5")
            self.specht("run", ring, "-q", "--until", "2", "--resume", "part.h5", "-o", "rest.h5")
            head, first = [line.split(",") for line in self.specht("csv", "rest.h5")[0].splitlines()[:2]]
            row = {name.split("[")[0]: float(value) for name, value in zip(head, first)}
            force = sum(row["c.%d.lambda_N" % k] for k in (1, 2, 3))
            cosine = -row["wheel.y"] / (row["wheel.x"] ** 2 + row["wheel.y"] ** 2) ** 0.5
            square = row["wheel.vx"] ** 2 + row["wheel.vy"] ** 2
            self.assertAlmostEqual(force, 2 * (9.81 * cosine + square / 0.7), delta=1e-6)

    def test_a_checkpoint_of_another_version_is_refused(self):
        self.write("ball.yaml", BALL)
        run = ("run", "ball.yaml", "-q", "--output-step", "0.01")
        self.specht(*run, "--until", "0.2", "--checkpoint", "-o", "part.h5")
        for version in range(1, 7):  # 5 had contacts without `freed`, 6 without `hit`, of the same size
            with open(self.path("part.h5.checkpoint"), "r+b") as file:
                file.write(b"specht state %d\n\0" % version)
            _, err = self.specht(*run, "--until", "0.4", "--resume", "part.h5", "-o", "rest.h5", code=2)
            self.assertIn("written by another version", err)

    def test_comments_and_the_section_run_may_change(self):
        run = ("run", "ball.yaml", "-q")
        text = BALL[:BALL.index("run:")]
        self.write("ball.yaml", text + "run: {until: 0.2 s, output_step: 0.01 s, method: event}\n")
        self.specht(*run, "--checkpoint", "-o", "part.h5")
        longer = "# longer\n\n" + text + "run:\n  until: 0.4 s # twice\n  output_step: 0.01 s\n  method: event\n"
        self.write("ball.yaml", longer)
        self.same_end(*run, step=0.01)
        self.write("ball.yaml", longer.replace("mass: m,", "mass: 2*m,"))
        _, err = self.specht(*run, "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("line 10", err)
        self.assertIn("mass: 2*m,", err)


# A box on a ramp of two triangles, its law in a file of its own.
RAMP = """\
specht: 1
space: spatial
gravity: 9.81 m/s^2
include: laws.yaml
bodies:
  ground: {contours: {track: {mesh: ramp.obj, unit: 1 m}}}
  box: {density: 600 kg/m^3, shape: {box: [10 cm, 10 cm, 10 cm]}, contours: {hull: {box: [10 cm, 10 cm, 10 cm]}}}
contacts: {slide: {between: [box, ground], law: wood}}
start: {box.z: 51 mm}
run: {until: 20 ms, step: 1 ms, output_step: 2 ms, method: moreau}
"""
LAWS = "# friction\nlaws: {wood: {mu: 0.2}}\n"
TRACK = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n"


class OtherFiles(Runs):
    """Included files and meshes belong to the machine, and their texts to the result."""

    def setUp(self):
        super().setUp()
        self.write("ramp.yaml", RAMP)
        self.write("laws.yaml", LAWS)
        self.write("ramp.obj", TRACK)
        self.specht("run", "ramp.yaml", "-q", "--checkpoint", "-o", "part.h5")

    def resume(self, code=0):
        return self.specht("run", "ramp.yaml", "-q", "--until", "40ms", "--resume", "part.h5", "-o", "rest.h5",
                           code=code)[1]

    def test_a_changed_mesh_is_told(self):
        self.resume()
        self.write("ramp.obj", "# the same track\n" + TRACK)
        self.resume()
        self.write("ramp.obj", TRACK.replace("v 1 1 0", "v 1 1 0.001"))
        err = self.resume(code=2)
        self.assertIn("file 'ramp.obj' was another one when 'part.h5' was run", err)
        self.assertIn("/files/1", err)

    def test_of_two_meshes_the_one_with_other_triangles_is_told(self):
        self.write("ramp.yaml", RAMP.replace("track: {mesh: ramp.obj, unit: 1 m}",
                                             "track: {mesh: ramp.obj, unit: 1 m}, far: {mesh: far.obj, unit: 1 m}"))
        texts = {"ramp.obj": TRACK, "far.obj": "v 5 0 0\nv 5 1 0\nv 5 0 1\nf 1 2 3\n"}
        self.write("far.obj", texts["far.obj"])
        self.specht("run", "ramp.yaml", "-q", "--checkpoint", "-o", "part.h5")
        for moved, noted in (("ramp.obj", "far.obj"), ("far.obj", "ramp.obj")):
            self.write(noted, "# no triangle is another one\n" + texts[noted])
            self.write(moved, texts[moved].replace(" 1 0\n", " 1.5 0\n"))
            self.assertIn(f"file '{moved}' was another one when 'part.h5' was run", self.resume(code=2))
            self.write(moved, texts[moved])
            self.resume()

    def test_a_changed_include_is_told_with_its_line(self):
        self.write("laws.yaml", "\n# friction, as measured\n" + LAWS)
        self.resume()
        self.write("laws.yaml", LAWS.replace("0.2", "0.3"))
        err = self.resume(code=2)
        self.assertIn("laws.yaml' was another one when 'part.h5' was run: line 2 was", err)
        self.assertIn("mu: 0.2", err)
        self.assertIn("mu: 0.3", err)

    def test_a_result_is_read_when_its_files_are_gone(self):
        for name in ("ramp.yaml", "laws.yaml", "ramp.obj"):
            os.remove(self.path(name))
        self.specht("report", "part.h5", "-o", "page.html")
        self.assertIn(b"track", self.read("page.html"))
        self.assertEqual(len(self.rows("part.h5")), 11)
        self.specht("events", "part.h5")
        self.assertIn(TRACK.encode(), self.read("part.h5"))
        self.assertIn(LAWS.encode(), self.read("part.h5"))


class Stepped(Runs):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_a_killed_run_goes_on_to_the_bit(self):
        run = ("run", "ball.yaml", "-q", "--output-step", "1", "--method", "moreau", "--step", "0.5ms")
        until = self.kill_when_saved(*run)
        self.specht(*run, "--until", until, "-o", "whole.h5")
        self.specht(*run, "--until", until, "--resume", "part.h5", "-o", "rest.h5")
        rest, whole = self.rows("rest.h5")[1:], self.rows("whole.h5")
        self.assertGreater(len(rest), 2)
        self.assertEqual(rest, whole[len(whole) - len(rest):])

    def test_only_the_same_machine_goes_on_and_nothing_is_written_over(self):
        run = ("run", "ball.yaml", "-q", "--output-step", "0.1", "--step", "1ms", "--method", "moreau")
        self.specht(*run, "--until", "1", "-o", "part.h5", "--checkpoint")
        on = (*run, "--until", "2", "--resume", "part.h5")
        size = os.path.getsize(self.path("part.h5"))
        _, err = self.specht(*on, "-o", "part.h5", code=2)
        self.assertIn("another name", err)
        self.assertEqual(os.path.getsize(self.path("part.h5")), size)
        _, err = self.specht(*on, "-o", "rest.h5", "--set", "gravity=1.6 m/s^2", code=2)
        self.assertIn("model", err)
        _, err = self.specht(*run, "--until", "0.5", "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("later --until", err)
        self.specht(*on, "-o", "rest.h5")

    def test_settings_of_the_old_run_are_kept_and_said(self):
        """k stands in an expression only, which no number of the checkpoint tells; h is in the start only."""
        self.write("spring.yaml", SPRING)
        self.specht("run", "spring.yaml", "--set", "k=40", "--set", "h=2", "--checkpoint", "-o", "part.h5")
        on = ("run", "spring.yaml", "--until", "2", "--resume", "part.h5")
        out, err = self.specht(*on, "-o", "rest.h5")
        self.assertIn("resuming at t = 0.999 s with what it was begun with: --set k=40 --set h=2\n", out)
        out, _ = self.specht(*on, "-o", "same.h5", "--set", "k=40")
        self.assertIn("begun with: --set h=2\n", out)
        self.specht("run", "spring.yaml", "--until", "2", "--set", "k=40", "--set", "h=2", "-o", "whole.h5")
        for name in ("rest.h5", "same.h5"):
            self.assertEqual(self.rows(name)[-1], self.rows("whole.h5")[-1])
        for other, name in (("k=41", "k=40"), ("h=1", "h=2")):
            _, err = self.specht(*on, "-o", "other.h5", "--set", other, code=2)
            self.assertIn(f"with --set {name}, and now --set {other} is asked for; give the same", err)
        self.assertNotIn("other.h5", self.names())

    def test_what_cannot_be_resumed_is_refused(self):
        _, err = self.specht("run", "ball.yaml", "--resume", "nothing.h5", "-o", "x.h5", code=2)
        self.assertIn("nothing.h5.checkpoint", err)
        _, err = self.specht("run", "ball.yaml", "--resume", "nothing.h5", code=2)
        self.assertIn("--output", err)
        self.specht("run", "ball.yaml", "--checkpoint", "-o", "a.h5")
        _, err = self.specht("run", "ball.yaml", "--resume", "a.h5", "-o", "b.h5", "--step", "2ms", code=2)
        self.assertIn("give the same", err)
        os.remove(self.path("a.h5"))
        _, err = self.specht("run", "ball.yaml", "--resume", "a.h5", "-o", "b.h5", code=2)
        self.assertIn("'a.h5' cannot be read, and it has the settings of the run (--set)", err)


if __name__ == "__main__":
    main()
