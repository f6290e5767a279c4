"""tools/check_layers finds what it is there to find, in small source trees made for it."""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ.get("SPECHT_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TOOL = os.path.join(SOURCE, "tools", "check_layers")


def check(files):
    """Exit code and lines of check_layers on a tree {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
        done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class CheckLayers(unittest.TestCase):
    def finds(self, files, expected):
        code, lines = check(files)
        self.assertEqual(code, 1, lines)
        self.assertTrue(lines[0].startswith(expected), lines)
        self.assertEqual(len(lines), 2, lines)

    def test_a_room_may_include_what_the_rooms_below_it_may_include(self):
        code, lines = check({
            "include/specht/base.h": "",
            "src/base/a.h": '#include "specht/base.h"\n#include <stdio.h>\n',
            "src/integrators/work.c": '#include "base/a.h"\n',
            "src/record/c.h": '#include "certify/certify.h"\n',
            "src/certify/certify.h": "",
            "src/io/d.c": "#include <hdf5.h>\n",
        })
        self.assertEqual(code, 0, lines)
        self.assertEqual(lines, ["check_layers: 0 finding(s) in 3 includes of our own"])

    def test_an_include_upwards_is_found_with_file_and_line(self):
        self.finds({"src/laws/a.c": '/* one\n two */\n#include "model/m.h"\n', "src/model/m.h": ""},
                   "src/laws/a.c:3: room laws must not include")

    def test_two_rooms_side_by_side_do_not_see_each_other(self):
        self.finds({"src/certify/a.c": '#include "solvers/s.h"\n', "src/solvers/s.h": ""},
                   "src/certify/a.c:1: room certify must not include")

    def test_frames_of_bodies_are_read_in_two_rooms_alone(self):
        self.finds({"src/contact/a.c": "/* kin->frame */\nx = con->kin->frame[body].x;\n"},
                   "src/contact/a.c:2: kin->frame: only dynamics and kinematics read frames of bodies")
        self.finds({"src/cli/a.c": "const sp_frame3 *f;\n"}, "src/cli/a.c:1: sp_frame3: only")
        code, lines = check({"src/dynamics/a.c": "x = kin->frame3[body].x;\n",
                             "src/contact/b.c": "g = con->frame[a].g_N; sp_frame3_gamma(f);\n"})
        self.assertEqual(code, 0, lines)

    def test_structs_of_events_are_written_by_their_owners_alone(self):
        self.finds({"src/integrators/event_hit.c": "x = e->zeno.gap[i];\ne->zeno.hops[e->located.slot].row = 0.0;\n"},
                   "src/integrators/event_hit.c:2: e->zeno.hops[e->located.slot].row =: only event_zeno.c writes")
        code, lines = check({"src/integrators/event_zeno.c": "e->zeno.n_deferred++;\n",
                             "src/integrators/event_memory.c": "memset(e->settle.state, 0, n);\n"})
        self.assertEqual(code, 0, lines)

    def test_a_public_function_without_a_use_is_found(self):
        tree = {"include/specht/a.h": "\nSP_API int sp_a(void);\nSP_API const char *sp_b(int x,\n    int y);\n",
                "src/cli/main.c": '#include "specht/a.h"\nint main(void) { return sp_a(); }\n'}
        self.finds(tree, "include/specht/a.h:3: sp_b has no use in examples/c or the program")
        code, lines = check({**tree, "examples/c/b.c": '#include "specht/a.h"\nconst char *t(void) { return sp_b(1, 2); }\n'})
        self.assertEqual(code, 0, lines)

    def test_a_cycle_of_three_files_in_one_room_is_found(self):
        self.finds({"src/math/a.h": '#include "math/b.h"\n', "src/math/b.h": '#include "math/c.h"\n',
                    "src/math/c.h": '\n#include "math/a.h"\n'},
                   "src/math/c.h:2: include cycle: src/math/a.h -> src/math/b.h")

    def test_an_include_without_its_room_is_found(self):
        self.finds({"src/math/a.c": '#include "b.h"\n', "src/math/b.h": ""}, "src/math/a.c:1:")

    def test_a_missing_file_is_found(self):
        self.finds({"src/math/a.c": '#include "math/b.h"\n'},
                   "src/math/a.c:1: there is no file src/math/b.h")

    def test_a_library_header_in_the_core_is_found(self):
        self.finds({"src/model/a.c": "#include <yaml.h>\n"}, "src/model/a.c:1: <yaml.h> in core room")

    def test_a_public_header_that_shows_the_inside_is_found(self):
        self.finds({"include/specht/a.h": '#include "base/b.h"\n', "src/base/b.h": ""},
                   "include/specht/a.h:1: a public header must not include")

    def test_an_example_that_uses_the_inside_is_found(self):
        self.finds({"examples/c/a.c": '#include "base/b.h"\n', "src/base/b.h": ""},
                   "examples/c/a.c:1: an example must not include")

    def test_a_folder_that_is_no_room_is_found(self):
        self.finds({"src/misc/a.c": "\n"}, "src/misc/a.c:1: src/misc is no room")

    def test_an_include_in_a_comment_does_not_count(self):
        code, lines = check({"src/base/a.c": '/*\n#include "model/m.h"\n*/\n// #include "x.h"\n'})
        self.assertEqual(code, 0, lines)


if __name__ == "__main__":
    unittest.main()
