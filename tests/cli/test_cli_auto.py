"""method: auto on every example: which method it takes, that the run says so and why, and that it goes."""
import glob
import os
import re

from cli_support import SOURCE, Case, main

# What `auto` takes for the file as it is, and without its `step`; how far it is run, s.
PICKS = {
    "ball_bowl/ball_bowl": ("moreau", "event", 0.02),
    "box_stack/box_stack": ("moreau", "moreau", 0.05),
    "dominoes/dominoes": ("moreau", "moreau", 0.01),
    "euler_disc/euler_disc": ("moreau", "event", 0.002),
    "four_bar/four_bar": ("smooth", "smooth", 0.1),
    "gear_train/gear_train": ("moreau", "event", 0.02),
    "rattleback/rattleback": ("event", "event", 0.05),
    "rocker/rocker": ("event", "event", 0.25),
    "rolling_sphere/rolling_sphere": ("moreau", "event", 0.1),
    "slider_crank/slider_crank": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_formula": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_joint": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_space": ("moreau", "event", 0.01),
    "sphere_box/sphere_box": ("moreau", "moreau", 0.01),
    "spinning_coin/spinning_coin": ("event", "event", 0.02),
    "spinning_top/spinning_top": ("smooth", "smooth", 0.05),
    "tippe_top/euler_angles": ("event", "event", 0.05),
    "tippe_top/held_spin": ("event", "event", 0.05),
    "tippe_top/tippe_top": ("event", "event", 0.05),
    "vibratory_feeder/vibratory_feeder": ("moreau", "event", 0.05),
    "vibratory_feeder/vibratory_feeder_between": ("moreau", "event", 0.01),
    "vibratory_feeder/vibratory_feeder_held": ("moreau", "event", 0.01),
    "vibratory_feeder/vibratory_feeder_spatial": ("moreau", "event", 0.01),
    "woodpecker/woodpecker": ("moreau", "event", 0.1),
    "woodpecker/woodpecker_bodies": ("moreau", "event", 0.1),
}
WHY = {"smooth": "no contacts", "moreau": "a step is given", "event": "contact"}


class Auto(Case):
    def test_every_example_is_here(self):
        found = glob.glob(os.path.join(SOURCE, "examples", "*", "*.yaml"))
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
                self.takes(os.path.join(SOURCE, "examples", name + ".yaml"), method, until)

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
                           "the step follows from the smallest body" if method == "moreau" else None)

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


if __name__ == "__main__":
    main()
