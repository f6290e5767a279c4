"""specht report and run --report: the data on the page against the result file, read by h5py."""
import base64
import json
import os
import re
import shutil
import stat
import unittest

from cli_support import BALL, SOURCE, SPECHT, Case, main

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

# A template with the mark where it counts and in a place where it does not.
PAGE = """<!doctype html><html><head><title>Page</title>
<script>if (text === "/*SPECHT_DATA*/") throw 0</script></head>
<body><script type="application/json" id="specht-data">/*SPECHT_DATA*/</script></body></html>
"""
DATA = re.compile(r'<script type="application/json" id="specht-data">(.*?)</script>', re.S)
SLIDER_CRANK = os.path.join(SOURCE, "examples", "slider_crank", "slider_crank.yaml")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- &amp; 'a' \\\"b\\\""


def array(value):
    """Numbers of an ARRAY of the page."""
    kind = {"f32": "<f4", "f64": "<f8", "u8": "u1"}[value["type"]]
    return np.frombuffer(base64.b64decode(value["data"], validate=True), kind)




@unittest.skipUnless(h5py, "h5py is not installed")
class Report(Case):
    def setUp(self):
        super().setUp()
        self.write("page.html", PAGE)

    def environment(self, **more):
        return super().environment(**{"SPECHT_REPORT_PAGE": self.path("page.html"), **more})

    def run_ball(self, *args, model=BALL):
        self.write("ball.yaml", model)
        self.specht("run", "ball.yaml", "-q", "--step", "0.1ms", "--output-step", "1ms", *args)

    def page(self, *args):
        """Write a page of results and return the runs on it."""
        self.specht("report", *args, "-o", "out.html")
        return self.data("out.html")["runs"]

    def data(self, name):
        text = self.read(name).decode("utf-8")
        found = DATA.findall(text)
        self.assertEqual(len(found), 1)
        data = json.loads(found[0])
        self.assertEqual(data["format"], 1)
        return data


class Data(Report):
    def setUp(self):
        super().setUp()
        self.specht("run", SLIDER_CRANK, "-q", "-o", "crank.h5", "--set", "omega_s=-0.1 rad/s")
        (self.run_,) = self.page("crank.h5")
        self.file = h5py.File(self.path("crank.h5"), "r")
        self.addCleanup(self.file.close)

    def channel(self, name):
        (found,) = [c for c in self.run_["channels"] if c["name"] == name]
        return found

    def assert_close(self, shown, wanted, what):
        self.assertEqual(shown.shape, wanted.shape, what)
        size = np.max(np.abs(wanted)) if wanted.size else 0.0
        self.assertTrue(np.allclose(shown, wanted, rtol=1.2e-7, atol=1e-30 + 1e-12 * size), what)

    def test_every_frame_and_every_channel_is_there(self):
        run, f = self.run_, self.file
        np.testing.assert_array_equal(array(run["time"]), f["time"][:])
        listed = self.specht("csv", "crank.h5", "--list")[0].splitlines()[1:]
        self.assertEqual(sorted(f"{c['name']} [{c['unit']}]" for c in run["channels"]), sorted(listed))
        names = [n.decode() for n in f["names/q"][:]]
        for k, name in enumerate(names):
            self.assert_close(array(self.channel(name)["data"]), f["q"][:, k], name)
            self.assertEqual(self.channel(name)["group"], "coordinate")
        for k, name in enumerate(n.decode() for n in f["contacts/name"][:]):
            for what in ("g_N", "lambda_T", "P_N", "state"):
                shown = array(self.channel(f"{name}.{what}")["data"])
                self.assert_close(shown, f["contacts"][what][:, k].astype(float), what)
        self.assert_close(array(self.channel("turns")["data"]), f["outputs/turns"][:], "turns")
        self.assertEqual(self.channel("turns")["group"], "output")
        self.assertEqual(self.channel("plots.crank.y1")["label"], "crank.omega")
        groups = {c["group"] for c in run["channels"]}
        self.assertEqual(groups, {"coordinate", "velocity", "body", "contact", "output", "energy", "certificate"})

    def test_bodies_have_poses_and_shapes(self):
        bodies, f = self.run_["bodies"], self.file
        self.assertEqual([b["name"] for b in bodies], ["ground", "crank", "rod", "slider"])
        for k, body in enumerate(bodies):
            self.assertEqual(body["columns"], ["x", "y", "phi"])
            self.assert_close(array(body["pose"]).reshape(-1, 3), f["bodies/pose"][:, k], body["name"])
        slider = {s["name"]: s for s in bodies[3]["shapes"]}["slider.block"]
        self.assertEqual(slider["kind"], "polygon")
        self.assertEqual([p[:2] for p in slider["points"]],
                         [[-0.05, -0.025], [0.05, -0.025], [0.05, 0.025], [-0.05, 0.025]])
        crank = {s["name"]: s for s in bodies[1]["shapes"]}["link"]
        self.assertEqual((crank["kind"], crank["points"]), ("capsule", [[0, 0, 0], [0.153, 0, 0]]))
        kinds = [s["kind"] for s in bodies[0]["shapes"]]
        self.assertEqual(kinds.count("line"), 2)

    def test_contacts_are_where_the_corners_are_and_push_as_recorded(self):
        run, f = self.run_, self.file
        corner = {"c1": (-0.05, 0.025), "c2": (0.05, 0.025), "c3": (-0.05, -0.025), "c4": (0.05, -0.025)}
        x, y, phi = f["bodies/pose"][:, 3].T
        forces = 0
        for k, contact in enumerate(run["contacts"]):
            name = contact["name"]
            a, b = corner[name.split(".")[1]]
            point = array(contact["point"]).reshape(-1, 3)
            np.testing.assert_allclose(point[:, 0], x + np.cos(phi) * a - np.sin(phi) * b, atol=1e-7)
            np.testing.assert_allclose(point[:, 1], y + np.sin(phi) * a + np.cos(phi) * b, atol=1e-7)
            self.assertFalse(point[:, 2].any())
            np.testing.assert_array_equal(array(contact["state"]), f["contacts/state"][:, k])
            force = array(contact["force"]).reshape(-1, 3)
            down = -1.0 if name.endswith("upper") else 1.0
            lambda_N, lambda_T = f["contacts/lambda_N"][:, k], f["contacts/lambda_T"][:, k]
            np.testing.assert_allclose(force[:, 1], down * lambda_N, atol=1e-5)
            np.testing.assert_allclose(force[:, 0], lambda_T, atol=1e-6)
            forces += np.count_nonzero(force[:, 1])
        self.assertGreater(forces, 100)

    def test_events_ledger_certificate_and_plots_are_those_of_the_file(self):
        run, f = self.run_, self.file
        events = self.json("events", "crank.h5", "--json")
        self.assertEqual(len(run["events"]), len(events))
        for shown, wanted in zip(run["events"], events):
            self.assertEqual((shown["kind"], shown["contact"], shown["impact_id"]),
                             (wanted["kind"], wanted["contact"], wanted["impact_id"]))
            self.assertAlmostEqual(shown["t"], wanted["t"], delta=1e-14)
            if wanted["impact_id"] > 0:
                for key in ("Lambda_N", "gamma_N_before", "gamma_N_after", "energy_lost"):
                    self.assertAlmostEqual(shown[key], wanted[key], delta=1e-6 * abs(wanted[key]))
        self.assertEqual(run["ledger"]["names"], ["kinetic", "potential", "dampers", "friction", "impacts",
                                                  "applied", "driven", "projection", "discretisation", "balance"])
        for name, data in zip(run["ledger"]["names"], run["ledger"]["data"]):
            self.assert_close(array(data), f["energy"][name][:], name)
        for name, worst in run["certificate"].items():
            self.assertEqual(worst, np.max(f["certificate"][name][:]))
        self.assertEqual([p["name"] for p in run["plots"]], ["corners", "crank", "rod", "portrait"])
        names = {c["name"] for c in run["channels"]} | {"t"}
        for plot in run["plots"]:
            self.assertLessEqual({plot["x"], *plot["y"]}, names)

    def test_the_run_can_be_repeated_from_the_page(self):
        run = self.run_
        with open(SLIDER_CRANK, encoding="utf-8") as f:
            self.assertEqual(run["model_text"], f.read())
        self.assertEqual(run["overrides"], ["omega_s=-0.1 rad/s"])
        self.assertIn("specht run", run["command"])
        self.assertEqual((run["status"], run["space"], run["method"]), ("clean", "planar", "event"))
        self.assertEqual(run["settings"]["tolerance"], 1e-9)
        self.assertEqual(run["settings"]["output_step"], 1e-4)
        self.assertEqual(run["decimation"], {"frames_in": 2001, "frames": 2001, "note": ""})

    def test_the_page_is_small(self):
        self.assertLess(os.path.getsize(self.path("out.html")), 3_000_000)


class Decimation(Report):
    def test_long_runs_keep_events_and_extremes_and_say_so(self):
        self.run_ball("--until", "3", "--output-step", "0.1ms")
        out, _ = self.specht("report", "ball.h5", "-o", "out.html", "--frames", "400")
        self.assertRegex(out, r"out\.html   \d+ frames, \d+ events?, 0\.\d MB\n  shown of ball\.h5: \d+ of 30001 frames")
        (run,) = self.data("out.html")["runs"]
        shown = array(run["time"])
        with h5py.File(self.path("ball.h5"), "r") as f:
            time, events = f["time"][:], f["events"]["t"][:]
            height, speed = f["outputs/height"][:], f["u"][:, 0]
        self.assertLessEqual(len(shown), 400)
        self.assertEqual((shown[0], shown[-1]), (time[0], time[-1]))
        self.assertTrue((np.diff(shown) > 0).all())
        self.assertEqual(run["decimation"]["frames_in"], 30001)
        self.assertEqual(run["decimation"]["frames"], len(shown))
        self.assertIn("every event", run["decimation"]["note"])
        for t in events:  # the frame at or after it and the one before
            k = np.searchsorted(time, t)
            self.assertTrue({time[k], time[k - 1]} <= set(shown), t)
        index = np.searchsorted(time, shown)
        np.testing.assert_array_equal(time[index], shown)
        channels = {c["name"]: array(c["data"]) for c in run["channels"]}
        np.testing.assert_allclose(channels["height"], height[index], rtol=1e-6, atol=1e-12)
        self.assertIn(np.argmax(np.abs(speed)), index)
        self.assertLess(np.max(np.diff(index)), 3 * 30001 / 100)  # no hole in time

    def test_a_number_of_frames_that_is_none_is_refused(self):
        self.run_ball()
        for bad in ("0", "1", "-3", "many", "1e3", "99999999999999999999"):
            _, err = self.specht("report", "ball.h5", f"--frames={bad}", code=2)
            self.assertIn("--frames", err)

    def test_a_file_far_from_the_origin_keeps_its_digits(self):
        far = BALL.replace("at: ", "").replace("{line: [0, 1]}", "{line: [0, 1], at: [0, 1e5 m]}").replace(
            "start: {ball.y: h}", "start: {ball.y: 1e5 m + h}")
        self.run_ball(model=far)
        (run,) = self.page("ball.h5")
        pose = array(run["bodies"][1]["pose"]).reshape(-1, 3)
        with h5py.File(self.path("ball.h5"), "r") as f:
            self.assertLess(np.max(np.abs(pose - f["bodies/pose"][:, 1])), 1e-5)


class Odd(Report):
    def test_text_that_looks_like_html_stays_text(self):
        model = BALL.replace("name: Bouncing ball", f'name: "{HOSTILE}"').replace(
            "plots: {fall: {y: [ball.y]}", f'plots: {{fall: {{y: [ball.y], title: "{HOSTILE}"}}')
        self.run_ball(model=model)
        (run,) = self.page("ball.h5")
        plain = HOSTILE.replace('\\"', '"')
        self.assertEqual(run["name"], plain)
        self.assertEqual(run["plots"][0]["title"], plain)
        self.assertEqual(run["model_text"], model)
        text = self.read("out.html").decode()
        self.assertEqual(text.count("</script>"), PAGE.count("</script>"))
        self.assertEqual(text.count("<"), PAGE.count("<"))

    def test_numbers_that_are_none_are_shown_as_such(self):
        self.run_ball()
        with h5py.File(self.path("ball.h5"), "r+") as f:
            f["outputs/height"][3] = np.nan
            f["outputs/height"][4] = np.inf
            f["certificate/cone"][7] = np.nan
        (run,) = self.page("ball.h5")
        height = array([c for c in run["channels"] if c["name"] == "height"][0]["data"])
        self.assertTrue(np.isnan(height[3]) and np.isinf(height[4]))
        self.assertEqual(np.count_nonzero(~np.isfinite(height)), 2)
        self.assertIsNone(run["certificate"]["cone"])

    def test_a_file_without_frames_is_refused(self):
        self.run_ball()

        def empty(name, item):
            if isinstance(item, h5py.Dataset) and item.maxshape and item.maxshape[0] is None and name != "events":
                item.resize(0, axis=0)

        with h5py.File(self.path("ball.h5"), "r+") as f:
            f.visititems(empty)
        _, err = self.specht("report", "ball.h5", code=2)
        self.assertIn("ball.h5", err)
        self.assertIn("no frame", err)
        self.assertEqual(self.names(), ["ball.h5", "ball.yaml", "page.html"])

    def test_what_is_no_result_is_refused(self):
        self.run_ball()
        whole = self.read("ball.h5")
        with open(self.path("part.h5"), "wb") as f:
            f.write(whole[:len(whole) // 2])
        with h5py.File(self.path("foreign.h5"), "w") as f:
            f["a"] = 1
        for name in ("part.h5", "foreign.h5", "none.h5", "ball.yaml", "."):
            _, err = self.specht("report", name, code=2)
            self.assertTrue(err.startswith("specht: "), err)
            self.assertIn(name, err)
        self.assertNotIn("part.html", self.names())

    def test_files_of_the_first_version_have_plots_but_no_shapes(self):
        self.run_ball()
        with h5py.File(self.path("ball.h5"), "r+") as f:
            for name in ("scene", "contacts/point", "contacts/force", "energy/driven"):
                del f[name]
            del f.attrs["output_step"]
            for name in ("bodies/pose", "bodies/velocity"):
                del f[name].attrs["columns"]
        (run,) = self.page("ball.h5")
        self.assertEqual([b["shapes"] for b in run["bodies"]], [[], []])
        self.assertNotIn("point", run["contacts"][0])
        self.assertEqual(len(array(run["contacts"][0]["state"])), 501)
        self.assertIn("ball.vy", {c["name"] for c in run["channels"]})

    def test_a_scene_that_cannot_be_read_is_left_out(self):
        self.run_ball()
        with h5py.File(self.path("ball.h5"), "r+") as f:
            text = f["scene/json"][()]
            del f["scene/json"]
            f["scene/json"] = np.bytes_(text[:len(text) // 2])
        (run,) = self.page("ball.h5")
        self.assertEqual([b["shapes"] for b in run["bodies"]], [[], []])

    def test_poses_in_space_are_passed_on(self):
        self.run_ball()
        with h5py.File(self.path("ball.h5"), "r+") as f:
            n = len(f["time"])
            pose = np.zeros((n, 2, 7))
            pose[:, :, 3] = 1.0
            pose[:, 1, 2] = np.arange(n)
            names = np.array(["x", "y", "z", "qw", "qx", "qy", "qz"], "S4")
            del f["bodies/pose"]
            data = f.create_dataset("bodies/pose", data=pose, maxshape=(None, 2, 7))
            data.attrs["columns"], data.attrs["unit"] = names, np.bytes_("m, m, m, 1, 1, 1, 1")
            scene = f["scene/json"][()].replace(b"planar", b"spatial")
            del f["scene/json"]
            f["scene/json"] = np.bytes_(scene)
        (run,) = self.page("ball.h5")
        self.assertEqual(run["space"], "spatial")
        self.assertEqual(run["bodies"][1]["columns"], [n.decode() for n in names])
        np.testing.assert_array_equal(array(run["bodies"][1]["pose"]).reshape(-1, 7), pose[:, 1])
        out, _ = self.specht("csv", "ball.h5", "--names", "ball.z,ball.qw")
        self.assertEqual(out.splitlines()[:3], ["t[s],ball.z[m],ball.qw[1]", "0,0,1", "0.001,1,1"])

    def test_a_killed_run_is_shown_up_to_its_end(self):
        self.write("long.yaml", BALL.replace("until: 0.5 s", "until: 1e9 s"))
        process = self.start("run", "long.yaml", "-q")
        self.wait_for("long.h5")
        process.kill()
        process.wait()
        _, err = self.specht("report", "long.h5")
        self.assertIn("cut short", err)
        self.assertEqual(self.data("long.html")["runs"][0]["status"], "cut short")

    def test_springs_are_between_their_points(self):
        model = os.path.join(SOURCE, "tests", "data", "good", "spring_pendulum.yaml")
        self.specht("run", model, "-q", "-o", "p.h5", "--until", "0.5")
        (run,) = self.page("p.h5")
        (spring,) = run["springs"]
        ends = array(spring["ends"]).reshape(-1, 6)
        with h5py.File(self.path("p.h5"), "r") as f:
            bob = f["bodies/pose"][:, 1, :2]
        self.assertFalse(ends[:, :3].any())
        np.testing.assert_allclose(ends[:, 3:5], bob, atol=1e-7)

    def test_springs_on_a_beam_go_along_as_it_bends(self):
        self.write("bent.yaml", "specht: 1\nspace: planar\ngravity: 9.81 m/s^2\nbodies:\n"
                   "  rod: {beam: {length: 1 m, section: {circle: 5 mm}, young: 5 GPa, density: 2000 kg/m^3},\n"
                   "        elastic: {bending: 2, stretch: 1, ends: clamped-free}, joint: {revolute: ground, motion: 0},\n"
                   "        points: {end: [1 m, 0]}}\n"
                   "forces: {coil: {spring: [ground, rod.end], stiffness: 1 N/m, rest: 1 m}}\n"
                   "outputs: {x: rod.end.x, y: rod.end.y}\nrun: {until: 0.2 s, output_step: 10 ms}\n")
        self.specht("run", "bent.yaml", "-q", "-o", "p.h5")
        (run,) = self.page("p.h5")
        ends = array(run["springs"][0]["ends"]).reshape(-1, 6)
        rows = [line.split(",") for line in self.specht("csv", "p.h5")[0].splitlines()]
        x, y = (np.array([float(r[[h.split("[")[0] for h in rows[0]].index(name)]) for r in rows[1:]]) for name in "xy")
        self.assertLess(y.min(), -0.02)
        np.testing.assert_allclose(ends[:, 3:5], np.c_[x, y], atol=1e-6)


class Command(Report):
    def test_several_results_are_runs_of_one_page(self):
        self.run_ball()
        self.specht("run", "ball.yaml", "-q", "-o", "other.h5", "--set", "eps=0.9", "--output-step", "2ms")
        runs = self.page("ball.h5", "other.h5")
        self.assertEqual([r["file"] for r in runs], ["ball.h5", "other.h5"])
        self.assertEqual(["eps=0.9" in r["overrides"] for r in runs], [False, True])
        self.assertEqual([len(array(r["time"])) for r in runs], [501, 251])

    def test_the_page_is_named_after_the_first_result_and_lies_here(self):
        self.run_ball()
        os.mkdir(self.path("sub"))
        os.rename(self.path("ball.h5"), self.path("sub/ball.h5"))
        out, err = self.specht("report", "sub/ball.h5")
        self.assertRegex(out, r"^  ball\.html   501 frames, 1 event, 0\.\d MB\n$")
        self.assertEqual(err, "")
        self.assertIn("ball.html", self.names())
        out, _ = self.specht("report", "sub/ball.h5", "-q", "-o", "-")
        self.assertEqual(out.encode(), self.read("ball.html"))

    def test_a_page_that_is_not_installed_is_told_with_exit_code_2(self):
        self.run_ball()
        copy = self.path("specht")
        shutil.copy(SPECHT, copy)
        process = self.start("report", "ball.h5", executable=copy, env={"SPECHT_REPORT_PAGE": ""})
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertIn("Node", err)
        process = self.start("run", "ball.yaml", "-o", "new.h5", "--report", executable=copy,
                             env={"SPECHT_REPORT_PAGE": ""})
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertNotIn("new.h5", self.names())  # known before the run
        self.write("empty.html", "<html>/*SPECHT_DATA*/</html>")
        for page in ("none.html", "empty.html"):
            _, err = self.specht("report", "ball.h5", code=2, env={"SPECHT_REPORT_PAGE": self.path(page)})
            self.assertIn(page, err)

    def test_a_page_that_cannot_be_written_leaves_the_old_one(self):
        self.run_ball()
        self.write("ball.html", "old")
        if os.path.exists("/dev/full"):
            _, err = self.specht("report", "ball.h5", "-o", "/dev/full", code=1)
            self.assertIn("No space left", err)
        _, err = self.specht("report", "ball.h5", "-o", "none/a.html", code=1)
        self.assertIn("none/a.html", err)
        self.specht("report", "ball.h5", "ball.yaml", code=2)
        self.assertEqual(self.read("ball.html"), b"old")
        self.assertEqual(self.names(), ["ball.h5", "ball.html", "ball.yaml", "page.html"])

    def test_open_hands_the_page_to_the_desktop(self):
        self.run_ball()
        os.mkdir(self.path("bin"))
        self.write("bin/xdg-open", '#!/bin/sh\nprintf "%s" "$1" >opened\n')
        os.chmod(self.path("bin/xdg-open"), stat.S_IRWXU)
        self.specht("report", "ball.h5", "--open", env={"PATH": self.path("bin") + ":/usr/bin:/bin"})
        self.assertEqual(self.read("opened"), b"ball.html")
        _, err = self.specht("report", "ball.h5", "--open", code=1, env={"PATH": "/nowhere"})
        self.assertIn("xdg-open", err)
        self.specht("report", "ball.h5", "--open", "-o", "-", code=2)

    def test_run_writes_the_page_beside_the_result(self):
        self.write("ball.yaml", BALL)
        os.mkdir(self.path("sub"))
        out, _ = self.specht("run", "ball.yaml", "--report", "-o", "sub/b.h5")
        self.assertIn("sub/b.html", out.splitlines()[-1])
        self.assertEqual(self.data("sub/b.html")["runs"][0]["name"], "Bouncing ball")
        said = self.json("run", "ball.yaml", "--report", "--json")
        self.assertEqual(said["status"], "clean")
        self.assertIn("ball.html", self.names())
        _, err = self.specht("run", "ball.yaml", "--report", "--no-output", code=2)
        self.assertIn("exclude", err)


if __name__ == "__main__":
    main()
