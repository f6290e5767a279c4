"""specht events, csv, recover and plot: reading what a run left."""
import os
import shutil
import subprocess
import unittest
import xml.dom.minidom

from cli_support import BALL, SPECHT, Case, main

EVENT = {"t", "kind", "contact", "impact_id", "Lambda_N", "Lambda_T", "gamma_N_before", "gamma_N_after",
         "energy_lost"}


class Results(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.specht("run", "ball.yaml", "-q", "--step", "0.1ms", "--output-step", "1ms")

    def shell(self, line):
        return subprocess.run(["bash", "-c", line], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=self.environment(SPECHT=SPECHT), timeout=60)


class Events(Results):
    def test_json_has_the_impact_with_its_numbers(self):
        events = self.json("events", "ball.h5", "--json")
        self.assertEqual(len(events), 1)
        self.assertLessEqual(EVENT, set(events[0]))
        impact, speed = events[0], (2 * 9.81) ** 0.5
        self.assertEqual((impact["kind"], impact["contact"]), ("impact", "bounce"))
        self.assertAlmostEqual(impact["t"], (2 / 9.81) ** 0.5, places=4)
        self.assertAlmostEqual(impact["gamma_N_before"], -speed, delta=2e-3)
        self.assertAlmostEqual(impact["gamma_N_after"], 0.5 * speed, delta=2e-3)
        self.assertAlmostEqual(impact["Lambda_N"], 2 * 1.5 * speed, delta=1e-2)
        self.assertAlmostEqual(impact["energy_lost"], 0.75 * 2 * 9.81, delta=2e-2)
        self.assertIsInstance(impact["Lambda_T"], list)
        self.assertIsInstance(impact["impact_id"], int)

    def test_filters(self):
        self.assertEqual(self.json("events", "ball.h5", "--json", "--kind", "stick"), [])
        self.assertEqual(len(self.json("events", "ball.h5", "--json", "--contact", "bounce")), 1)
        _, err = self.specht("events", "ball.h5", "--kind", "impct", code=2)
        self.assertIn("did you mean 'impact'?", err)
        _, err = self.specht("events", "ball.h5", "--contact", "bonce", code=2)
        self.assertIn("bonce", err)

    def test_the_table_names_its_columns(self):
        out, err = self.specht("events", "ball.h5")
        self.assertIn("Lambda_N", out.splitlines()[0])
        self.assertIn("impact", out)
        self.assertEqual(err, "")

    def test_what_is_no_result_is_refused(self):
        for name in ("ball.yaml", "none.h5", "."):
            for command in ("events", "csv", "recover"):
                _, err = self.specht(command, name, code=2)
                self.assertTrue(err.startswith("specht: "), err)
                self.assertIn(name, err)


class Csv(Results):
    def test_header_and_rows(self):
        out, err = self.specht("csv", "ball.h5", "--names", "ball.y,ball.vy")
        lines = out.splitlines()
        self.assertEqual(err, "")
        self.assertEqual(lines[0], "t[s],ball.y[m],ball.vy[m/s]")
        self.assertEqual(len(lines), 502)
        t, y, vy = map(float, lines[401].split(","))
        self.assertAlmostEqual(t, 0.4)
        self.assertAlmostEqual(y, 1 - 9.81 * 0.08, places=10)
        self.assertAlmostEqual(vy, -9.81 * 0.4, places=10)

    def test_all_channels_by_default_as_listed(self):
        header = self.specht("csv", "ball.h5")[0].splitlines()[0].split(",")
        listed = self.specht("csv", "ball.h5", "--list")[0].splitlines()
        self.assertEqual(header, [line.replace(" [", "[") for line in listed])
        self.assertIn("height[1]", header)

    def test_the_file_appears_when_it_is_whole(self):
        self.specht("csv", "ball.h5", "-o", "all.csv")
        whole = self.read("all.csv")
        self.assertEqual(whole.decode(), self.specht("csv", "ball.h5")[0])
        _, err = self.specht("csv", "ball.h5", "-o", "all.csv", "--names", "ball.z", code=2)
        self.assertIn("ball.z", err)
        self.assertEqual(self.read("all.csv"), whole)
        self.assertEqual(self.names(), ["all.csv", "ball.h5", "ball.yaml"])

    def test_unwritable_files_are_told(self):
        _, err = self.specht("csv", "ball.h5", "-o", "none/all.csv", code=1)
        self.assertIn("none/all.csv", err)

    def test_a_full_disk_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "w") as full:
            _, err = self.specht("csv", "ball.h5", code=1, stdout=full)
        self.assertIn("No space left", err)
        self.assertEqual(len(err.splitlines()), 1, err)
        _, err = self.specht("csv", "ball.h5", "-o", "/dev/full", code=1)
        self.assertIn("No space left", err)

    def test_a_reader_that_stops_early_gets_its_lines(self):
        done = self.shell('"$SPECHT" csv ball.h5 | head -1; echo "${PIPESTATUS[0]}"')
        header, code = done.stdout.splitlines()
        self.assertTrue(header.startswith("t[s],"))
        self.assertEqual(code, "141")  # as a program that SIGPIPE ends
        self.assertEqual(done.stderr, "")


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(Results):
    def test_all_plots_of_the_model_are_drawn(self):
        out, err = self.specht("plot", "ball.h5")
        self.assertEqual(out.split(), ["ball_fall.svg", "ball_portrait.svg"])
        self.assertEqual(err, "")
        for name in out.split():
            xml.dom.minidom.parse(self.path(name))

    def test_a_folder_is_made_and_filled(self):
        self.specht("plot", "ball.h5", "-o", "figures", "--format", "pdf", "-q")
        self.assertEqual(sorted(os.listdir(self.path("figures"))), ["ball_fall.pdf", "ball_portrait.pdf"])
        self.assertEqual(self.read("figures/ball_fall.pdf")[:5], b"%PDF-")
        self.specht("plot", "ball.h5", "-o", "figures/", "--plot", "fall", "--format", "png", "-q")
        self.assertEqual(self.read("figures/ball_fall.png")[1:4], b"PNG")

    def test_channels_of_several_results_in_one_file(self):
        self.specht("run", "ball.yaml", "-q", "-o", "other.h5", "--set", "eps=0.9")
        out, _ = self.specht("plot", "ball.h5", "other.h5", "--y", "ball.y,ball.vy", "-o", "both.svg", "--title",
                             "Two <balls> & more")
        self.assertEqual(out, "  both.svg\n")
        drawing = xml.dom.minidom.parse(self.path("both.svg"))
        texts = [node.firstChild.data for node in drawing.getElementsByTagName("tspan")]
        self.assertIn("Two <balls> & more", texts)
        self.assertEqual(sum("other" in text for text in texts), 2, texts)

    def test_figures_of_several_results_have_names_of_their_own(self):
        self.specht("run", "ball.yaml", "-q", "-o", "other.h5", "--set", "eps=0.9")
        out, _ = self.specht("plot", "ball.h5", "other.h5", "--plot", "fall")
        self.assertEqual(out, "  ball+other_fall.svg\n")
        out, _ = self.specht("plot", "ball.h5", "other.h5", "ball.h5", "--plot", "fall")
        self.assertEqual(out, "  ball+2_fall.svg\n")
        self.assertEqual(self.specht("plot", "ball.h5", "--plot", "fall")[0], "  ball_fall.svg\n")

    def test_a_figure_of_channels_is_named_after_them(self):
        out, _ = self.specht("plot", "ball.h5", "--x", "ball.y", "--y", "ball.vy")
        self.assertEqual(out, "  ball_ball.vy.svg\n")

    def test_without_plots_in_the_model_coordinates_are_drawn(self):
        self.write("plain.yaml", "".join(line for line in BALL.splitlines(True) if "plots" not in line))
        self.specht("run", "plain.yaml", "-q")
        self.assertEqual(self.specht("plot", "plain.h5")[0], "  plain_coordinates.svg\n")

    def test_mistakes_are_told_and_make_no_file(self):
        for args, said in ((["--plot", "fal"], "fal"), (["--y", "ball.z"], "ball.z"), (["--format", "gif"], "gif"),
                           (["-o", "one.svg"], "2 figures"), (["--x", "ball.y"], "--y"),
                           (["--plot", "fall", "--y", "ball.y"], "exclude")):
            out, err = self.specht("plot", "ball.h5", *args, code=2)
            self.assertIn(said, err)
            self.assertEqual(out, "")
        self.specht("plot", "ball.h5", "--plot", "fall", "-o", "none/a.svg", code=1)
        self.specht("plot", "ball.yaml", code=2)
        self.assertEqual(self.names(), ["ball.h5", "ball.yaml"])

    def test_a_name_that_no_figure_has_makes_no_folder(self):
        self.write("notes.txt", "mine")
        for name in ("x.bmp", "figures.d", "notes.txt", "ball.h5"):
            out, err = self.specht("plot", "ball.h5", "-o", name, code=2)
            self.assertIn(f"'{name}': no figure ends with '.{name.split('.')[1]}', expected .svg, .pdf or .png; "
                          f"for a folder of this name write '{name}/'", err)
            self.assertEqual(out, "")
        self.assertEqual(self.names(), ["ball.h5", "ball.yaml", "notes.txt"])
        self.assertEqual(self.read("notes.txt"), b"mine")
        self.specht("plot", "ball.h5", "-o", "figures.d/", "-q")  # as it says
        self.specht("plot", "ball.h5", "-o", "figures.d", "--format", "png", "-q")  # is there now
        self.specht("plot", "ball.h5", "--plot", "fall", "-o", "figures.d/A.PNG", "-q")
        self.assertEqual(sorted(os.listdir(self.path("figures.d"))),
                         ["A.PNG", "ball_fall.png", "ball_fall.svg", "ball_portrait.png", "ball_portrait.svg"])
        self.assertEqual(self.read("figures.d/A.PNG")[1:4], b"PNG")

    def test_a_missing_gnuplot_is_told(self):
        _, err = self.specht("plot", "ball.h5", code=1, env={"PATH": "/nowhere"})
        self.assertIn("gnuplot", err)


class Frames(Case):
    """Single frames: a ball that falls from 1 m, y = 1 - 4.905 t^2 to the error of the step."""

    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)
        self.specht("run", "ball.yaml", "-q", "--until", "0.4")

    def frame(self, *options):
        out, _ = self.specht("csv", "ball.h5", "--names", "ball.y", *options)
        (row,) = [[float(x) for x in line.split(",")] for line in out.splitlines()[1:]]
        return row

    def test_the_frame_nearest_to_a_time(self):
        for text, t in (("0.2", 0.2), ("0.2s", 0.2), ("200 ms", 0.2), ("123.4ms", 0.123), ("0", 0), ("0.4", 0.4)):
            row = self.frame("--at", text)
            self.assertAlmostEqual(row[0], t, places=12)
            self.assertAlmostEqual(row[1], 1 - 4.905*t*t, places=3)

    def test_the_last_frame(self):
        self.assertAlmostEqual(self.frame("--last")[0], 0.4, places=12)

    def test_times_that_are_none_are_refused(self):
        for text, said in (("0.5", "the result goes from 0 to 0.4 s"), ("-1", "the result goes from"),
                           ("soon", "expected a time such as"), ("2 m", "expected a time such as")):
            _, err = self.specht("csv", "ball.h5", "--at=" + text, code=2)
            self.assertIn(said, err)


# A heavy ball lands once, a grain of a hundred-millionth of its mass hops on.
GRAIN = """\
specht: 1
space: planar
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
  grain: {mass: 1e-8 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
contacts:
  b: {between: [ball, ground], law: {eps_N: 0.9}}
  g: {between: [grain, ground], law: {eps_N: 0.9}}
start: {ball.y: 0.2 m, grain.y: 0.05 m}
run: {until: 0.5 s, method: event}
"""


class Bursts(Case):
    def test_tiny_impacts_are_gathered_in_one_line(self):
        """Falls take 0.2 s and 0.1 s, hops of the grain 0.18, 0.162 s and so on: hits at 0.1, 0.28 and 0.442 s."""
        self.write("grain.yaml", GRAIN)
        self.specht("run", "grain.yaml", "-q")
        hits = self.json("events", "grain.h5", "--json", "--kind", "impact")
        self.assertEqual([e["contact"] for e in hits], ["g", "b", "g", "g"])
        out, _ = self.specht("events", "grain.h5", "--kind", "impact")
        lines = out.splitlines()[2:]
        self.assertEqual(len(lines), 3)  # one before, the heavy one, a burst of two
        self.assertRegex(lines[0], r"^0\.1 +impact +g +open")
        self.assertRegex(lines[2], r"^0\.28 +impact +g +2 tiny impacts until t = 0\.442 s, 3\.2\d*e-08 N s and 1\.\d+e-09 J in all$")
        sums = [sum(e[key] for e in hits[2:]) for key in ("Lambda_N", "energy_lost")]
        self.assertIn("%.3g N s and %.3g J in all" % tuple(sums), lines[2])


class Recover(Results):
    def test_a_whole_file_stays_as_it_is(self):
        before = self.read("ball.h5")
        out, _ = self.specht("recover", "ball.h5")
        self.assertIn("501 frames, 1 event   clean", out)
        self.assertEqual(self.read("ball.h5"), before)

    def test_a_damaged_file_is_refused_without_a_crash(self):
        whole = self.read("ball.h5")
        for n in (0, 7, 100, 2000, len(whole) // 2):
            with open(self.path("part.h5"), "wb") as f:
                f.write(whole[:n])
            for command in ("recover", "events", "csv"):
                process = self.start(command, "part.h5")
                out, err = process.communicate(timeout=60)
                self.assertIn(process.returncode, (0, 1, 2), err)
                self.assertTrue(process.returncode == 0 or err.startswith("specht: "), err)


if __name__ == "__main__":
    main()
