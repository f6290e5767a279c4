"""specht solve on the problems of other programs: docs/solvers.md says what becomes of each, and that is what happens.

The files are not part of the repository: SPECHT_PROBLEM_DIR, or fc3d in the folder of large reference data."""
import os
import re
import unittest

from cli_support import SANITIZED, SOURCE, Case, main

LARGEST = 150_000 if SANITIZED else 1e9  # bytes
TOL = 1e-8
STATUS = ("solved", "solved-not-unique", "infeasible", "not-solved")


def folder():
    """Where the problems are, None if they are not here."""
    data = os.environ.get("SPECHT_DATA")
    for path in (os.environ.get("SPECHT_PROBLEM_DIR"), data and os.path.join(data, "fc3d")):
        if path and os.path.isdir(path):
            return path
    return None


def documented():
    """{file: (contacts, status)} of the table of docs/solvers.md whose columns are problem, contacts, status."""
    with open(os.path.join(SOURCE, "docs", "solvers.md"), encoding="utf-8") as f:
        text = f.read()
    rows = re.search(r"^\| problem \| contacts \| status \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", text, re.M).group(1)
    cells = [[c.strip() for c in row.strip().strip("|").split("|")] for row in rows.splitlines()]
    return {c[0]: (int(c[1]), c[2]) for c in cells}


class Table(unittest.TestCase):
    def test_the_table_of_the_documentation_can_be_read(self):
        table = documented()
        self.assertGreaterEqual(len(table), 27)
        for name, (contacts, status) in table.items():
            self.assertRegex(name, r"\.(dat|hdf5)$")
            self.assertGreater(contacts, 0)
            self.assertIn(status, STATUS)


@unittest.skipUnless(folder(), "the problems of other programs are not here")
class OtherPrograms(Case):
    def setUp(self):
        super().setUp()
        self.table = documented()
        self.here = sorted(n for n in os.listdir(folder()) if n.endswith((".dat", ".hdf5")))

    def test_every_file_is_in_the_documentation(self):
        self.assertEqual([n for n in self.here if n not in self.table], [])
        self.assertEqual([n for n in self.table if n not in self.here], [])

    def test_every_file_ends_as_documented(self):
        names = [n for n in self.here if n in self.table]
        names = [n for n in names if os.path.getsize(os.path.join(folder(), n)) < LARGEST]
        self.assertGreater(len(names), 15)
        failing = any(not self.table[n][1].startswith("solved") for n in names)
        answers = self.json("solve", *[os.path.join(folder(), n) for n in names], "--json", code=1 if failing else 0)
        for name, found in zip(names, answers):
            with self.subTest(name):
                self.assertEqual((found["contacts"], found["status"]), self.table[name])
                if found["status"].startswith("solved"):
                    self.assertLessEqual(found["residual_fclib"], TOL)
                else:
                    self.assertGreater(found["residual_fclib"], TOL)


if __name__ == "__main__":
    main()
