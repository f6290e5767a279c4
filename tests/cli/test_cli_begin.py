"""specht new, examples and schema: how one begins."""
import json
import os

from cli_support import SOURCE, Case, main


class New(Case):
    def test_the_starter_checks_runs_and_is_certified(self):
        self.specht("new", "first.yaml")
        _, err = self.specht("check", "first.yaml")
        self.assertEqual(err, "")
        got = self.json("run", "first.yaml", "--json")
        self.assertEqual(got["status"], "clean")
        self.assertGreater(got["events"], 2)
        self.assertLess(got["energy"]["impacts"], -0.1)
        self.assertLess(got["energy"]["friction"], -0.1)
        self.assertLess(got["energy"]["closure"], 1e-12)
        # the block was pushed to the right and lies still
        self.assertGreater(got["state"]["bodies"]["block"]["x"], 0.1)
        self.assertLess(abs(got["state"]["bodies"]["block"]["vx"]), 1e-9)
        self.assertEqual(self.names(), ["first.h5", "first.yaml"])

    def test_the_starter_is_short_and_commented(self):
        self.specht("new")
        lines = self.read("machine.yaml").decode().splitlines()
        self.assertLessEqual(len(lines), 45)
        self.assertGreater(sum("#" in line for line in lines), 12)
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_nothing_is_overwritten(self):
        self.write("mine.yaml", "precious")
        _, err = self.specht("new", "mine.yaml", code=2)
        self.assertIn("mine.yaml", err)
        self.assertEqual(self.read("mine.yaml"), b"precious")
        _, err = self.specht("new", "none/mine.yaml", code=2)
        self.assertIn("none/mine.yaml", err)


class Examples(Case):
    def setUp(self):
        super().setUp()
        self.shelf = {"SPECHT_EXAMPLES": self.path("shelf")}
        os.makedirs(self.path("shelf/swing/figures"))
        os.makedirs(self.path("shelf/notes"))
        os.makedirs(self.path("shelf/empty"))
        self.write("shelf/swing/swing.yaml", "# first\nspecht: 1\nname: A swing\n")
        self.write("shelf/swing/figures/one.svg", "<svg/>")
        self.write("shelf/notes/README.md", "# The same in C\n\nmore\n")

    def test_the_list_has_names_and_titles(self):
        out, _ = self.specht("examples", env=self.shelf)
        self.assertRegex(out, r"(?m)^  swing +A swing$")
        self.assertRegex(out, r"(?m)^  notes +The same in C$")
        self.assertNotIn("empty", out)

    def test_one_is_copied_out_whole(self):
        out, _ = self.specht("examples", "swing", env=self.shelf)
        self.assertIn("specht run swing/swing.yaml", out)
        self.assertEqual(self.read("swing/swing.yaml"), self.read("shelf/swing/swing.yaml"))
        self.assertEqual(self.read("swing/figures/one.svg"), b"<svg/>")
        self.specht("examples", "swing", "mine", env=self.shelf)
        self.assertEqual(sorted(os.listdir(self.path("mine"))), ["figures", "swing.yaml"])

    def test_nothing_is_overwritten(self):
        os.makedirs(self.path("swing/figures"))
        self.write("swing/figures/one.svg", "precious")
        _, err = self.specht("examples", "swing", code=2, env=self.shelf)
        self.assertIn("one.svg", err)
        self.assertEqual(self.read("swing/figures/one.svg"), b"precious")
        self.assertEqual(os.listdir(self.path("swing")), ["figures"])

    def test_unknown_names_are_refused(self):
        _, err = self.specht("examples", "swnig", code=2, env=self.shelf)
        self.assertIn("did you mean 'swing'?", err)
        self.specht("examples", "../shelf/swing", code=2, env=self.shelf)
        self.specht("examples", "empty", code=2, env=self.shelf)
        self.specht("examples", code=1, env={"SPECHT_EXAMPLES": self.path("nowhere")})

    def test_every_example_of_the_source_tree_is_listed_and_checks(self):
        shelf = os.path.join(SOURCE, "examples")
        models = [name for name in sorted(os.listdir(shelf))
                  if os.path.exists(os.path.join(shelf, name, name + ".yaml"))]
        self.assertIn("slider_crank", models)
        out, _ = self.specht("examples", env={"SPECHT_EXAMPLES": shelf})
        for name in models:
            self.assertIn(f"  {name} ", out)
            self.specht("examples", name, env={"SPECHT_EXAMPLES": shelf})
            self.specht("check", f"{name}/{name}.yaml")


class Schema(Case):
    def test_it_is_a_json_schema(self):
        got = self.json("schema")
        self.assertIn("$schema", got)
        self.assertIn("bodies", json.dumps(got))

    def test_the_reference_is_markdown(self):
        out, _ = self.specht("schema", "--markdown")
        self.assertIn("|", out)
        self.assertIn("bodies", out)


if __name__ == "__main__":
    main()
