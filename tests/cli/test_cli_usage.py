"""The program as such: commands, options, help, exit codes."""
import os
import subprocess

from cli_support import SPECHT, Case, main

COMMANDS = ["new", "check", "run", "plot", "report", "export", "events", "csv", "recover", "examples", "schema"]


class Usage(Case):
    def test_version_is_printed_both_ways(self):
        first, _ = self.specht("--version")
        second, _ = self.specht("version")
        self.assertEqual(first, second)
        self.assertRegex(first, r"^specht \d+\.\d+\.\d+\+[0-9a-f]{12}\n$")

    def test_help_lists_every_command(self):
        out, _ = self.specht("help")
        for name in COMMANDS:
            self.assertIn(f"\n  {name} ", out)
        self.assertEqual(out, self.specht("--help")[0])

    def test_without_arguments_help_goes_to_stderr_with_exit_code_2(self):
        out, err = self.specht(code=2)
        self.assertEqual(out, "")
        self.assertIn("usage: specht COMMAND", err)

    def test_every_command_has_help_with_usage_options_and_an_example(self):
        for name in COMMANDS:
            out, err = self.specht(name, "--help")
            self.assertTrue(out.startswith(f"specht {name}: "), out)
            self.assertIn(f"\nusage: specht {name}", out)
            self.assertIn("\noptions:\n", out)
            self.assertIn("--help", out)
            self.assertIn(f"\nexample:\n  specht {name}", out)
            self.assertEqual(err, "")
            self.assertEqual(out, self.specht("help", name)[0])
            self.assertLessEqual(max(map(len, out.splitlines())), 100)

    def test_unknown_command_suggests_a_near_one(self):
        _, err = self.specht("evnts", code=2)
        self.assertIn("unknown command 'evnts', did you mean 'events'?", err)
        _, err = self.specht("zzzzzzzz", code=2)
        self.assertNotIn("did you mean", err)

    def test_unknown_option_suggests_a_near_one(self):
        _, err = self.specht("run", "m.yaml", "--untill", "1", code=2)
        self.assertIn("unknown option '--untill', did you mean '--until'?", err)
        _, err = self.specht("run", "-x", code=2)
        self.assertIn("'-x'", err)

    def test_missing_values_and_arguments_are_named(self):
        for args, said in ((["run"], "argument is missing"), (["run", "m.yaml", "--until"], "--until TIME"),
                           (["run", "m.yaml", "-o", "--json"], "--output FILE"),
                           (["run", "m.yaml", "--set="], "--set NAME=VALUE"),
                           (["run", "m.yaml", "--json=yes"], "--json=yes"),
                           (["run", "a.yaml", "b.yaml"], "b.yaml"), (["schema", "x"], "'x'"),
                           (["run", "m.yaml", "-o", "r.h5", "--no-output"], "--no-output")):
            out, err = self.specht(*args, code=2)
            self.assertIn(said, err)
            self.assertTrue(err.startswith("specht: "))
            self.assertEqual(out, "")
        self.assertEqual(self.names(), [])

    def test_closed_stdout_is_an_error_and_no_file_takes_its_place(self):
        done = subprocess.run(["sh", "-c", '"$0" schema >&-', SPECHT], cwd=self.folder,
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to the standard output", done.stderr)

    def test_a_full_disk_on_stdout_is_an_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "w") as full:
            _, err = self.specht("schema", code=1, stdout=full)
        self.assertIn("cannot write to the standard output: No space left", err)

    def test_a_pipe_closed_early_ends_with_a_message(self):
        process = self.start("schema")
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        self.assertEqual(process.wait(60), 1 if err else 0)  # the schema may fit into the pipe
        process.stdout = open(os.devnull)

    def test_nothing_is_coloured_in_a_pipe(self):
        _, err = self.specht("nonsense", code=2, env={"TERM": "xterm"})
        self.assertNotIn("\033", err)


if __name__ == "__main__":
    main()
