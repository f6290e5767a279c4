"""tools/build_web: the page is there, or it is said why not; the build goes on in both cases."""
import os
import stat
import subprocess
import tempfile
import unittest

SOURCE = os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))

# Notes what it is asked for; the bundler writes its page into the folder behind --outDir.
NPM = """#!/bin/sh
echo "$1" >>calls
case $1 in
ci) {ci} ;;
install) {install} ;;
run)
    while [ "$1" != --outDir ]; do shift; done
    {bundle}
    ;;
esac
"""
WORKS = 'mkdir -p node_modules && touch -d "1 hour" node_modules/.package-lock.json'
BUNDLE = 'mkdir -p "$2" && echo page >"$2/report.html"'


class BuildWeb(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.web = os.path.join(holder.name, "web")
        self.out = os.path.join(holder.name, "out")
        self.npm = os.path.join(holder.name, "npm")
        os.mkdir(self.web)
        open(os.path.join(self.web, "package-lock.json"), "w").close()

    def build(self, ci=WORKS, install="exit 1", bundle=BUNDLE):
        with open(self.npm, "w") as f:
            f.write(NPM.format(ci=ci, install=install, bundle=bundle))
        os.chmod(self.npm, stat.S_IRWXU)
        calls = os.path.join(self.web, "calls")
        if os.path.exists(calls):
            os.remove(calls)
        done = subprocess.run([os.path.join(SOURCE, "tools", "build_web"), self.web, self.out, self.npm],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(calls) as f:
            return f.read().split(), done.stderr

    def page(self):
        path = os.path.join(self.out, "report.html")
        if not os.path.exists(path):
            return None
        with open(path) as f:
            return f.read()

    def test_packages_are_installed_once(self):
        self.assertEqual(self.build(), (["ci", "run"], ""))
        self.assertEqual(self.page(), "page\n")
        self.assertEqual(self.build(), (["run"], ""))
        self.assertEqual(os.listdir(self.out).count("new"), 0)

    def test_a_lock_file_that_is_refused_is_taken_by_install(self):
        self.assertEqual(self.build(ci="exit 1", install=WORKS), (["ci", "install", "run"], ""))
        self.assertEqual(self.page(), "page\n")

    def test_no_packages_no_page_but_the_build_goes_on(self):
        self.build()
        os.remove(os.path.join(self.web, "node_modules", ".package-lock.json"))
        calls, err = self.build(ci="echo offline; exit 1")
        self.assertEqual(calls, ["ci", "install"])
        self.assertIn("offline", err)
        self.assertIn("'specht report' has no page", err)
        self.assertIsNone(self.page())

    def test_a_bundler_that_fails_or_writes_nothing_is_told(self):
        for bundle in ("exit 1", "true"):
            _, err = self.build(bundle=bundle)
            self.assertIn("'specht report' has no page", err)
            self.assertIsNone(self.page())


if __name__ == "__main__":
    unittest.main()
