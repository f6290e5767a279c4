#!/usr/bin/python3
"""cmake/SpechtBuild.cmake: the same sources have the same version anywhere, others another one."""
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


class Version(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def tree(self, name, text="int f(void);\n"):
        for path, content in (("src/base/a.c", "/* a */\n"), ("src/base/a.h", text), ("include/specht/b.h", "/* b */\n")):
            path = os.path.join(self.folder, name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(content)
        return os.path.join(self.folder, name)

    def version(self, root):
        header = os.path.join(root, "version.h")
        subprocess.run(["cmake", f"-DROOT={root}", "-DVERSION=1.2.3", "-DROOMS=base math", f"-DHEADER={header}", "-P",
                        os.path.join(ROOT, "cmake", "SpechtBuild.cmake")], check=True)
        with open(header, encoding="utf-8") as f:
            return f.read()

    def test_it_is_a_hash_of_the_sources_alone(self):
        one = self.version(self.tree("one"))
        self.assertRegex(one, r'^#define SP_VERSION "1\.2\.3\+[0-9a-f]{12}"\n$')
        self.assertEqual(self.version(self.tree("elsewhere")), one)
        self.assertNotEqual(self.version(self.tree("changed", "int g(void);\n")), one)
        more = self.tree("more")
        with open(os.path.join(more, "src", "base", "c.inc"), "w", encoding="utf-8") as f:
            f.write("\n")
        self.assertNotEqual(self.version(more), one)


if __name__ == "__main__":
    unittest.main()
