#!/usr/bin/python3
"""`specht check` on model files: every file in tests/data/bad holds one mistake, which its first
line expects to be told; every file in tests/data/good is fine."""
import glob
import os
import re
import subprocess
import unittest

SOURCE = os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAM = os.environ.get("SPECHT_BIN", os.path.join(SOURCE, "build", "specht"))
DATA = os.path.join(SOURCE, "tests", "data")
SECONDS = 20


def check(path):
    """Exit code, stdout and stderr of `specht check`, seen from the folder of the file."""
    run = subprocess.run([PROGRAM, "check", os.path.basename(path)], cwd=os.path.dirname(path),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def expectation(path):
    with open(path, "rb") as stream:
        line = stream.readline().decode().rstrip("\n")
    assert line.startswith("# expect: "), path
    return line[len("# expect: "):]


class BadFiles(unittest.TestCase):
    def test_every_mistake_is_told_with_its_place(self):
        paths = sorted(glob.glob(os.path.join(DATA, "bad", "*.yaml")))
        self.assertGreater(len(paths), 150)
        for path in paths:
            name = os.path.basename(path)
            with self.subTest(file=name):
                code, _, errors = check(path)
                self.assertEqual(code, 2, errors)
                self.assertIn(expectation(path), errors)
                self.assertRegex(errors, r"(?m)^specht: \S+\.yaml:[1-9][0-9]*:[1-9][0-9]*: ")

    def test_a_mistake_is_told_once(self):
        for path in sorted(glob.glob(os.path.join(DATA, "bad", "*.yaml"))):
            with self.subTest(file=os.path.basename(path)):
                lines = [line for line in check(path)[2].splitlines()
                         if re.match(r"specht: \S+\.yaml:", line)]
                self.assertEqual(len(lines), len(set(lines)))

    def test_all_mistakes_of_a_file_are_told(self):
        code, _, errors = check(os.path.join(DATA, "many", "many_mistakes.yaml"))
        self.assertEqual(code, 2)
        for line in (5, 7, 8, 9, 10, 11, 12, 13):
            self.assertRegex(errors, r"many_mistakes\.yaml:%d:[0-9]+: " % line)


class GoodFiles(unittest.TestCase):
    def test_good_files_pass(self):
        paths = sorted(glob.glob(os.path.join(DATA, "good", "*.yaml")))
        self.assertGreater(len(paths), 8)
        for path in paths:
            with self.subTest(file=os.path.basename(path)):
                code, _, errors = check(path)
                self.assertEqual(code, 0, errors)


if __name__ == "__main__":
    unittest.main()
