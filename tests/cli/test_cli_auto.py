"""method: auto on every example: which method it takes, that the run says so and why, and that it goes."""
import glob
import os
import re

from cli_support import SOURCE, Case, main

# What `auto` takes for the file as it is, and without its `step`; how far it is run, s.
PICKS = {
    "ball_bowl/ball_bowl": ("moreau", "event", 0.02),
    "box_stack/box_stack": ("moreau", None, 0.05),
    "dominoes/dominoes": ("moreau", None, 0.01),
    "euler_disc/euler_disc": ("moreau", "event", 0.002),
    "four_bar/four_bar": ("smooth", "smooth", 0.1),
    "gear_train/gear_train": ("moreau", "event", 0.02),
    "rattleback/rattleback": ("event", "event", 0.05),
    "rolling_sphere/rolling_sphere": ("moreau", "event", 0.1),
    "slider_crank/slider_crank": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_formula": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_joint": ("moreau", "event", 0.02),
    "slider_crank/slider_crank_space": ("moreau", "event", 0.01),
    "sphere_box/sphere_box": ("moreau", None, 0.01),
    "spinning_coin/spinning_coin": ("event", "event", 0.02),
    "spinning_top/spinning_top": ("smooth", "smooth", 0.05),
    "tippe_top/euler_angles": ("event", "event", 0.05),
    "tippe_top/held_spin": ("event", "event", 0.05),
    "tippe_top/tippe_top": ("event", "event", 0.05),
    "vibratory_feeder/vibratory_feeder": ("moreau", "event", 0.05),
    "vibratory_feeder/vibratory_feeder_between": ("moreau", "event", 0.01),
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

    def takes(self, path, method, until):
        """A short run by `auto`: the method is said with its reason, and every step is certified."""
        out, _ = self.specht("run", path, "--method", "auto", "--until", str(until), "--no-output")
        said = re.search(r"auto: ([\w-]+), .* \((.*)\)", out)
        self.assertIsNotNone(said, out)
        self.assertEqual(said.group(1), method, path)
        self.assertIn(WHY[method], said.group(2), path)
        self.assertIn(f"t = {until:g} s", out)

    def test_examples_run_by_the_method_that_auto_takes(self):
        for name, (method, _, until) in PICKS.items():
            with self.subTest(name):
                self.takes(os.path.join(SOURCE, "examples", name + ".yaml"), method, until)

    def test_examples_without_their_step_go_from_event_to_event_or_ask_for_it(self):
        for name, (_, method, until) in PICKS.items():
            with open(os.path.join(SOURCE, "examples", name + ".yaml"), encoding="utf-8") as f:
                text = f.read()
            rest = re.sub(r"(?m)^(run:.*?)\bstep: [^,}]*, ", r"\1", text)
            if rest == text:
                continue
            self.write("machine.yaml", rest)
            with self.subTest(name):
                if method:
                    self.takes("machine.yaml", method, until)
                    continue
                _, err = self.specht("run", "machine.yaml", "--method", "auto", "--until", str(until), "--no-output",
                                     code=2)
                self.assertIn("--step", err)


if __name__ == "__main__":
    main()
