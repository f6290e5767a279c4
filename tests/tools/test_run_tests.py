"""tools/run_tests counts right, and takes nothing that went wrong for a success."""
import importlib.machinery
import importlib.util
import os
import stat
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # loading the tool must leave nothing in tools/

SOURCE = os.environ.get("SPECHT_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TOOL = os.path.join(SOURCE, "tools", "run_tests")


def load_tool():
    loader = importlib.machinery.SourceFileLoader("run_tests", TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
    loader.exec_module(module)
    return module


def run(scripts, *arguments):
    """Exit code and output lines of run_tests on a folder with one ctest entry per shell script."""
    with tempfile.TemporaryDirectory() as folder:
        entries = []
        for name, text in scripts.items():
            path = os.path.join(folder, name)
            if text is not None:
                with open(path, "w", encoding="utf-8") as f:
                    f.write("#!/bin/sh\n" + text + "\n")
                os.chmod(path, stat.S_IRWXU)
            entries.append(f'add_test([=[{name}]=] "{path}")\n'
                           f'set_tests_properties([=[{name}]=] PROPERTIES LABELS "{name}" TIMEOUT 2 '
                           f'ENVIRONMENT "SPECHT_WORD=hello")\n')
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as f:
            f.writelines(entries)
        done = subprocess.run([sys.executable, TOOL, folder, *arguments], capture_output=True,
                              text=True, check=False)
    return done.returncode, done.stdout.splitlines()


CMOCKA = """cat <<'END'
[==========] Running 4 test(s).
[ RUN      ] one
[       OK ] one
[  SKIPPED ] two
[==========] 4 test(s) run.
[  PASSED  ] 2 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] two
%s
END
exit %d"""
CMOCKA_FAILED = "[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] four\n\n 1 FAILED TEST(S)"


class Counts(unittest.TestCase):
    def test_unittest_summaries_are_read(self):
        read = load_tool().read_counts
        self.assertEqual(read("....\nRan 4 tests in 0.1s\n\nOK\n"), (4, 0, 0))
        self.assertEqual(read("Ran 4 tests in 0.1s\n\nOK (skipped=1)\n"), (3, 0, 1))
        self.assertEqual(read("Ran 9 tests in 0.1s\n\nFAILED (failures=2, errors=1, skipped=1)\n"),
                         (5, 3, 1))
        self.assertIsNone(read("all is well\n"))

    def test_cmocka_plain_and_environment(self):
        code, lines = run({
            "a": CMOCKA % ("", 0),
            "b": 'echo noise; [ "$SPECHT_WORD" = hello ] && echo "3 passed, 0 failed, 2 skipped"',
        })
        self.assertEqual(lines[-1], "5 passed, 0 failed, 3 skipped")
        self.assertEqual(code, 0)

    def test_a_failing_cmocka_program_is_shown_whole(self):
        code, lines = run({"a": CMOCKA % (CMOCKA_FAILED, 1)})
        self.assertEqual(lines[-1], "2 passed, 1 failed, 1 skipped")
        self.assertIn("[  FAILED  ] four", lines)
        self.assertEqual(code, 1)

    def test_a_crash_after_the_summary_counts_as_failed(self):
        code, lines = run({"a": 'echo "1 passed, 0 failed"; kill -SEGV $$'})
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")
        self.assertEqual(code, 1)

    def test_a_bad_exit_code_counts_as_failed(self):
        code, lines = run({"a": 'echo "1 passed, 0 failed"; exit 3'})
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")
        self.assertEqual(code, 1)

    def test_silence_counts_as_failed(self):
        code, lines = run({"a": "true", "b": 'echo "1 passed, 0 failed"'})
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")
        self.assertEqual(code, 1)

    def test_a_test_without_end_is_stopped_with_its_children(self):
        code, lines = run({"a": 'sleep 60 & sleep 60; echo "1 passed, 0 failed"'})
        self.assertEqual(lines[-1], "0 passed, 1 failed, 0 skipped")
        self.assertIn("was stopped after 2 s", lines[0])
        self.assertEqual(code, 1)

    def test_a_program_that_was_not_built_counts_as_failed(self):
        code, lines = run({"a": None})
        self.assertEqual(lines[-1], "0 passed, 1 failed, 0 skipped")
        self.assertEqual(code, 1)

    def test_no_test_at_all_is_no_success(self):
        self.assertEqual(run({}), (1, ["0 passed, 0 failed, 0 skipped"]))
        code, lines = run({"a": 'echo "0 passed, 0 failed, 4 skipped"'})
        self.assertEqual((code, lines[-1]), (1, "0 passed, 0 failed, 4 skipped"))

    def test_rooms_choose(self):
        scripts = {"a": 'echo "1 passed, 0 failed"', "b": 'echo "2 passed, 0 failed"'}
        code, lines = run(scripts, "--rooms", "b, c")
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 0 skipped"))


if __name__ == "__main__":
    unittest.main()
