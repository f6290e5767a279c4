"""tools/check_theory finds citations without an equation, in small source trees made for it, and none in ours."""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ.get("SPECHT_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TOOL = os.path.join(SOURCE, "tools", "check_theory")


def run(root):
    """Exit code and lines of check_theory on a folder."""
    done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def check(files):
    """The same on a tree {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
        return run(root)


class CheckTheory(unittest.TestCase):
    def test_a_citation_in_a_comment_needs_its_equation(self):
        code, lines = check({"docs/theory.md": "    a = b   (1.1)\n",
                             "src/base/a.c": "/* theory (1.1)-(1.2) */\nint x;\n"})
        self.assertEqual(code, 1)
        self.assertEqual(lines[0], "src/base/a.c:1: cites (1.2), which docs/theory.md does not have")

    def test_a_citation_in_the_book_is_no_definition(self):
        code, _ = check({"docs/theory.md": "Prose that ends with (1.1)\n", "src/base/a.h": "// (1.1)\n"})
        self.assertEqual(code, 1)

    def test_equations_of_the_appendix_count_and_texts_are_no_citations(self):
        code, lines = check({"docs/theory.md": "    a   (1.1)\n", "docs/theory-notes.md": "    b   (2.1), (2.2a)\n",
                             "src/base/a.c": 'const char *s = "(9.9)"; /* (2.2a) and (1.1) */\n'})
        self.assertEqual((code, lines), (0, ["check_theory: 0 finding(s), 2 citations of 3 equations"]))

    def test_a_label_is_defined_once_and_prose_is_narrow(self):
        code, lines = check({"docs/theory.md": "    a   (1.1)\n    b   (1.1)\n" + "word " * 30 + "\n"})
        self.assertEqual(code, 1)
        self.assertEqual(lines[0], "docs/theory.md:2: (1.1) is defined in docs/theory.md:1 already")
        self.assertTrue(lines[1].startswith("docs/theory.md:3: 150 characters"), lines)

    def test_our_own_code_cites_what_there_is(self):
        code, lines = run(SOURCE)
        self.assertEqual(code, 0, lines)


if __name__ == "__main__":
    unittest.main()
