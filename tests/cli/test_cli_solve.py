"""specht solve: contact problems from files."""
import glob
import os
import re
import unittest

from cli_support import BALL, SOURCE, Case, main

PROBLEMS = os.path.join(os.path.abspath(SOURCE), "tests", "data", "problems")
FIELDS = {"file", "contacts", "status", "solver", "iterations", "seconds", "residual", "residual_fclib"}

# One contact that no force can stop: the body cannot move, the gap closes.
INFEASIBLE = "3\n1\n0\n3\n3\n3 3\n0 0 0\n0 0 0\n0 0 0\n-1 0 0\n0.5\n"
INDEFINITE = "2\n1\n0\n2\n2\n2 2\n1 0\n0 -1\n-1 0.5\n0.5\n"


def problem(name):
    return os.path.join(PROBLEMS, name)


class Solve(Case):
    def test_one_file_is_an_object_with_all_fields(self):
        found = self.json("solve", problem("slide_dense.dat"), "--json")
        self.assertLessEqual(FIELDS, set(found))
        self.assertEqual((found["contacts"], found["status"], found["solver"]), (1, "solved", "auto"))
        self.assertEqual((found["rows"], found["rank"], found["format"]), (3, 3, "siconos-text"))
        self.assertLessEqual(found["residual_fclib"], 1e-8)
        self.assertGreater(found["seconds"], 0)

    def test_several_files_are_an_array_in_their_order(self):
        names = [problem(n) for n in ("stack_global.hdf5", "slide_csr.hdf5", "drive_local.hdf5")]
        found = self.json("solve", *names, "--json")
        self.assertEqual([f["file"] for f in found], names)
        self.assertEqual([f["status"] for f in found], ["solved"] * 3)
        self.assertEqual([f["format"] for f in found], ["fclib-global", "fclib-local", "fclib-local"])
        self.assertEqual([f["bilateral_rows"] for f in found], [0, 0, 1])

    def test_the_table_names_files_and_columns(self):
        out, err = self.specht("solve", problem("slide_dense.dat"), problem("stack_sparse.dat"))
        lines = out.splitlines()
        for word in ("file", "contacts", "iterations", "time", "scaled", "fclib*", "status"):
            self.assertIn(word, lines[0])
        self.assertIn("slide_dense.dat", lines[1])
        self.assertIn("solved", lines[2])
        self.assertEqual(err, "")

    def test_the_table_says_which_residual_counts(self):
        out, _ = self.specht("solve", problem("slide_dense.dat"))
        self.assertIn("* counts: solved means fclib <= 1e-08", out.splitlines()[-1])
        out, _ = self.specht("solve", problem("slide_dense.dat"), "--measure", "scaled", "--tol", "1e-6")
        self.assertIn(" scaled* ", out.splitlines()[0])
        self.assertNotIn("fclib*", out)
        self.assertIn("* counts: solved means scaled <= 1e-06", out)

    def test_a_result_is_told_as_what_it_is(self):
        self.write("ball.yaml", BALL)
        self.specht("run", "ball.yaml", "--quiet")
        _, err = self.specht("solve", "ball.h5", code=2)
        self.assertRegex(err, "^specht: ball.h5: this is the result of a run, expected a contact problem; .*"
                              "--dump-problems FOLDER --dump-every 1")
        # and what it proposes works
        self.specht("run", "ball.yaml", "--quiet", "--dump-problems", "all", "--dump-every", "1")
        names = sorted(os.listdir(self.path("all")))
        self.assertGreater(len(names), 0)
        self.specht("solve", *[os.path.join("all", name) for name in names])

    def test_a_named_solver_is_used_and_a_wrong_name_helped(self):
        found = self.json("solve", problem("stack_dense.dat"), "--solver", "nsgs", "--json")
        self.assertEqual((found["solver"], found["status"]), ("nsgs", "solved"))
        _, err = self.specht("solve", problem("stack_dense.dat"), "--solver", "ngsg", code=2)
        self.assertIn("did you mean 'nsgs'?", err)
        _, err = self.specht("solve", problem("stack_dense.dat"), "--solver", "gurobi-x", code=2)
        self.assertIn("auto", err)

    def test_the_tolerance_is_reached_and_checked(self):
        found = self.json("solve", problem("stack_dense.dat"), "--tol", "1e-12", "--json")
        self.assertLessEqual(found["residual_fclib"], 1e-12)
        found = self.json("solve", problem("stack_dense.dat"), "--measure", "scaled", "--tol", "1e-10", "--json")
        self.assertLessEqual(found["residual"], 1e-10)
        for wrong in ("0", "-1", "x", "nan", "1e-8x", "2"):
            _, err = self.specht("solve", problem("stack_dense.dat"), "--tol", wrong, code=2)
            self.assertIn("--tol " + wrong, err)

    def test_the_result_does_not_depend_on_threads(self):
        one, two = (self.json("solve", problem("stack_dense.dat"), "--json", "--threads", n) for n in "12")
        self.assertEqual(one["residual"], two["residual"])
        self.assertEqual(one["iterations"], two["iterations"])

    def test_problems_without_solution_end_with_code_1(self):
        self.write("stuck.dat", INFEASIBLE)
        found = self.json("solve", "stuck.dat", "--json", code=1)
        self.assertEqual(found["status"], "infeasible")
        out, _ = self.specht("solve", "stuck.dat", problem("slide_dense.dat"), code=1)
        self.assertIn("infeasible", out)

    def test_a_problem_without_contacts_is_solved(self):
        self.write("none.dat", "3 0 0 0 0 0 0\n")
        found = self.json("solve", "none.dat", "--json")
        self.assertEqual((found["contacts"], found["status"]), (0, "solved"))


class BadInput(Case):
    def test_messages_name_file_and_line_or_dataset(self):
        self.write("nan.dat", "2\n1\n0\n2\n2\n2 2\n1 nan\n0 1\n-1 0\n0.5\n")
        _, err = self.specht("solve", "nan.dat", code=2)
        self.assertTrue(err.startswith("specht: nan.dat:7:"), err)
        with open(problem("slide_csr.hdf5"), "rb") as f:
            whole = f.read()
        with open(self.path("cut.hdf5"), "wb") as f:
            f.write(whole[:len(whole) // 2])
        _, err = self.specht("solve", "cut.hdf5", code=2)
        self.assertTrue(err.startswith("specht: cut.hdf5: "), err)

    def test_what_is_no_problem_is_refused(self):
        self.write("empty.dat", "")
        self.write("text.dat", "hello world\n")
        with open(self.path("random.dat"), "wb") as f:
            f.write(bytes(range(256)) * 20)
        with open(self.path("sign.hdf5"), "wb") as f:
            f.write(b"\x89HDF\r\n\x1a\n" + bytes(range(256)))
        for name in ("empty.dat", "text.dat", "random.dat", "sign.hdf5", "missing.dat", "."):
            out, err = self.specht("solve", name, code=2)
            self.assertTrue(err.startswith(f"specht: {name}"), err)
            self.assertEqual(out, "")

    def test_a_model_file_is_told_from_a_problem(self):
        model = os.path.join(SOURCE, "examples", "slider_crank", "slider_crank.yaml")
        _, err = self.specht("solve", model, code=2)
        self.assertIn("no contact problem", err)
        self.assertIn("specht run", err)
        _, err = self.specht("solve", self.write("text.dat", "hello world\n"), code=2)
        self.assertIn("'hello', expected FCLIB's HDF5 or Siconos' text", err)
        self.assertNotIn("specht run", err)

    def test_huge_claims_take_no_memory(self):
        self.write("huge.dat", "3\n40000000\n0\n120000000\n120000000\n120000000 120000000\n1 2 3\n")
        _, err = self.specht("solve", "huge.dat", code=2)
        self.assertIn("room for", err)

    def test_indefinite_matrices_are_refused_unless_wanted(self):
        self.write("indefinite.dat", INDEFINITE)
        _, err = self.specht("solve", "indefinite.dat", code=2)
        self.assertIn("indefinite", err)
        self.assertIn("row 1 (contact 0)", err)
        process = self.start("solve", "indefinite.dat", "--anyway", "--json", "--seconds", "2")
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 1))

    def test_one_bad_file_does_not_stop_the_others(self):
        self.write("bad.dat", "what\n")
        out, err = self.specht("solve", "bad.dat", problem("slide_dense.dat"), code=2)
        self.assertIn("bad.dat:1:", err)
        self.assertIn("solved", out)
        found = self.json("solve", "bad.dat", problem("slide_dense.dat"), "--json", code=2)
        self.assertEqual([f["status"] for f in found], ["bad-input", "solved"])
        self.assertIn("what", found[0]["error"])


class Compare(Case):
    def test_all_solvers_run_and_the_profile_counts_them(self):
        found = self.json("solve", problem("slide_dense.dat"), problem("stack_dense.dat"), "--compare", "--json",
                          "--seconds", "2")
        names = [r["solver"] for r in found["problems"][0]["runs"]]
        self.assertIn("auto", names)
        self.assertGreater(len(names), 3)
        self.assertEqual([p["solver"] for p in found["profile"]], names)
        auto = found["profile"][names.index("auto")]
        self.assertEqual((auto["problems"], auto["solved"]), (2, 2))
        for profile in found["profile"]:  # a distribution function
            counts = [w["solved"] for w in profile["within"]]
            self.assertEqual(counts, sorted(counts))
            self.assertLessEqual(counts[-1], profile["solved"])
        best = sum(p["within"][0]["solved"] for p in found["profile"])
        self.assertGreaterEqual(best, 2)  # every problem has a best solver

    def test_the_table_has_a_column_per_solver(self):
        out, _ = self.specht("solve", problem("slide_dense.dat"), "--compare", "--seconds", "2")
        self.assertIn("nsgs", out.splitlines()[0])
        self.assertIn("the best", out)


class Save(Case):
    def test_a_saved_problem_is_solved_again(self):
        for name in ("slide_blocks.dat", "stack_global.hdf5", "drive_global.hdf5"):
            self.specht("solve", problem(name), "--save", "again.hdf5")
            first, again = (self.json("solve", n, "--json") for n in (problem(name), "again.hdf5"))
            self.assertEqual(again["format"], "fclib-local")
            for key in ("contacts", "rows", "rank", "status"):
                self.assertEqual(first[key], again[key])
        self.assertEqual(self.names(), ["again.hdf5"])
        _, err = self.specht("solve", problem("slide_blocks.dat"), "--save", "no/where.hdf5", code=2)
        self.assertIn("no/where.hdf5", err)


# A plank on two corners that slides and comes to rest, and a ball that bounces on it.
PLANK = """\
specht: 1
name: Plank
space: planar
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  plank: {mass: 2 kg, inertia: 0.1 kg*m^2, joint: {free: ground},
          contours: {block: {polygon: [[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]]}}}
contacts: {feet: {between: [plank, ground], law: {mu: 0.3, eps_N: 0.2}}}
start: {plank.y: 0.1 m, plank.vx: 0.5 m/s}
run: {until: 0.3 s, method: moreau, step: 1 ms}
"""


# A ball whose spot of contact turns on the floor: friction that FCLIB does not know.
SPIN = """\
specht: 1
name: Spinning ball
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  ball: {density: 1000 kg/m^3, shape: {sphere: 0.1}, contours: {skin: {sphere: 0.1}}}
contacts: {spot: {between: [ball, ground], law: {mu: 0.3, friction: contensou, radius: 5 mm}}}
start: {ball.z: 0.1 m, ball.omega_z: 20 rad/s}
run: {until: 5 ms, method: moreau, step: 1 ms}
"""

# A block without clearance that is pushed against one wall: it should come off with 0.8 of its speed, says one, and
# with 0.2 at most, says the other.
OPPOSED = """\
specht: 1
name: No clearance
space: planar
gravity: 0 m/s^2
bodies:
  ground: {contours: {left: {line: [1, 0], at: [-1, 0]}, right: {line: [-1, 0], at: [1, 0]}}}
  block: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]},
          contours: {front: {point: [1, 0]}, back: {point: [-1, 0]}}}
contacts:
  ahead: {between: [block.front, ground.right], law: {eps_N: 0.8}}
  behind: {between: [block.back, ground.left], law: {eps_N: 0.2}}
start: {block.vx: 1 m/s}
run: {until: 1 ms, method: event}
"""


class Dump(Case):
    """specht run --dump-problems."""

    def test_every_tenth_problem_is_written_and_solved_again(self):
        self.write("plank.yaml", PLANK)
        out, err = self.specht("run", "plank.yaml", "--no-output", "--dump-problems", "dump", "--dump-every", "10")
        names = sorted(glob.glob(os.path.join(self.folder, "dump", "problem_*.hdf5")))
        self.assertGreaterEqual(len(names), 29)
        self.assertIn(f"{len(names)} of ", out)
        self.assertEqual(err, "")
        numbers = [int(os.path.basename(n)[8:14]) for n in names]
        self.assertEqual(numbers, list(range(1, 10 * len(names), 10)))
        found = self.json("solve", *names, "--json")
        self.assertEqual({f["status"] for f in found} - {"solved", "not unique"}, set())
        self.assertEqual({f["contacts"] for f in found}, {2})
        for f in found:
            self.assertLessEqual(f["residual_fclib"], 1e-8)

    def test_only_hard_problems_are_written_without_a_number(self):
        self.write("plank.yaml", PLANK)
        out, _ = self.specht("run", "plank.yaml", "--no-output", "--dump-problems", "dump")
        names = glob.glob(os.path.join(self.folder, "dump", "*.hdf5"))
        self.assertLess(len(names), 29)
        self.assertIn(f"{len(names)} of ", out)

    def test_the_result_does_not_depend_on_it(self):
        self.write("plank.yaml", PLANK)
        plain = self.json("run", "plank.yaml", "--no-output", "--json")
        watched = self.json("run", "plank.yaml", "--no-output", "--json", "--dump-problems", "d", "--dump-every", "7")
        self.assertEqual(plain["energy"], watched["energy"])

    def test_what_cannot_be_written_is_counted(self):
        self.write("spin.yaml", SPIN)
        out, err = self.specht("run", "spin.yaml", "--no-output", "--dump-problems", "dump", "--dump-every", "1")
        self.assertIn("could not be written", err)
        self.assertIn("drilling", err)
        self.assertIn("0 of ", out)

    def test_bad_wishes_are_refused(self):
        self.write("plank.yaml", PLANK)
        for number in ("0", "-1", "x", "1.5"):
            _, err = self.specht("run", "plank.yaml", "--dump-problems", "d", "--dump-every", number, code=2)
            self.assertIn("--dump-every", err)
        _, err = self.specht("run", "plank.yaml", "--dump-every", "3", code=2)
        self.assertIn("--dump-problems", err)
        _, err = self.specht("run", "plank.yaml", "--dump-problems", "plank.yaml", code=2)
        self.assertIn("expected a folder", err)


class DumpEvents(Case):
    """Problems of event-driven runs: impacts and accelerations, with what the run made of them."""

    TITLE = re.compile(rb"problem (\d+) of a run: ([a-z ]+), ([a-z-]+) by (\w+), residual ([-+.\w]+)")

    def dump(self, model, folder="dump"):
        """Run a model; what the files say: (path, kind, status, residual) of each."""
        self.write("model.yaml", model)
        out, err = self.specht("run", "model.yaml", "--no-output", "--dump-problems", folder, "--dump-every", "1",
                               "--accept", "restitution,handover")
        self.assertNotIn("could not be written", err)
        found = []
        for path in sorted(glob.glob(os.path.join(self.folder, folder, "*.hdf5"))):
            with open(path, "rb") as f:
                _, kind, status, _, residual = self.TITLE.search(f.read()).groups()
            found.append((path, kind.decode(), status.decode(), float(residual)))
        self.assertIn(f"{len(found)} of {len(found)} contact problems", out)
        return found

    def solve_again(self, dumped, code=0):
        """'specht solve' comes to the same end, as sharp as the run."""
        answers = self.json("solve", *[d[0] for d in dumped], "--json", "--measure", "scaled", "--tol", "1e-11",
                            code=code)
        for (path, _, status, residual), again in zip(dumped, answers):
            self.assertEqual(again["status"], status, path)
            if status == "solved":
                self.assertLessEqual(residual, 1e-11, path)
                self.assertLessEqual(again["residual"], 1e-11, path)
        return answers

    def solved(self, model, folder):
        """Run a model and solve all its problems again; what the files say."""
        dumped = self.dump(model, folder)
        self.assertGreater(len(dumped), 1)
        self.solve_again(dumped)
        return dumped

    def kinds(self, dumped):
        return {kind for _, kind, _, _ in dumped}

    def test_impacts_and_accelerations_are_solved_again(self):
        dumped = self.dump(PLANK.replace("method: moreau, step: 1 ms", "method: event")
                           .replace("plank.y: 0.1 m", "plank.y: 0.11 m, plank.phi: 0.02"))
        self.assertEqual(self.kinds(dumped), {"impact", "acceleration"})
        self.assertGreater(len(dumped), 20)
        self.solve_again(dumped)

    def test_both_phases_of_poisson_impacts_are_solved_again(self):
        model = PLANK.replace("method: moreau, step: 1 ms", "method: event").replace("eps_N: 0.2", "eps_N: 0.5, eps_T: 0.3")
        dumped = self.dump(model.replace("plank.y: 0.1 m", "plank.y: 0.15 m, plank.phi: 0.1") + "impact: poisson\n")
        impacts = [d for d in dumped if d[1] == "impact"]
        self.assertGreater(len(impacts), 4)
        answers = self.solve_again(dumped)
        contacts = [a["contacts"] for a, d in zip(answers, dumped) if d[1] == "impact"]
        self.assertGreater(max(contacts), 2)  # limits of the expansion that do not move are friction of their own

    def test_dry_friction_is_friction_under_a_constant_force(self):
        dry = PLANK.replace("joint: {free: ground}", "joint: {prismatic: ground, axis: [1, 0], friction: 1 N}")
        dry = dry.replace("plank.y: 0.1 m, ", "").replace("line: [0, 1]", "line: [0, 1], at: [0, -0.1]")
        dry = dry.replace("until: 0.3 s", "until: 2 s")
        self.assertEqual(self.kinds(self.solved(dry.replace("step: 1 ms", "step: 20 ms"), "steps")), {"time step"})
        self.assertEqual(self.kinds(self.solved(dry.replace("method: moreau, step: 1 ms", "method: event"), "events")),
                         {"acceleration"})

    def test_what_has_no_solution_has_none_again(self):
        dumped = self.dump(OPPOSED)
        # the last ones, of 1e-9 m/s and less, are round-off for the run, which knows of 1 m/s before; the files do not
        dumped = [d for d in dumped if d[2] == "infeasible" or d[3] <= 1e-13]
        self.assertGreaterEqual([d[2] for d in dumped].count("infeasible"), 5)
        self.assertGreaterEqual([d[2] for d in dumped].count("solved"), 10)
        self.solve_again(dumped, code=1)

    def test_the_result_does_not_depend_on_it(self):
        self.write("plank.yaml", PLANK.replace("method: moreau, step: 1 ms", "method: event"))
        plain = self.json("run", "plank.yaml", "--no-output", "--json")
        watched = self.json("run", "plank.yaml", "--no-output", "--json", "--dump-problems", "d", "--dump-every", "7")
        self.assertEqual(plain["energy"], watched["energy"])


if __name__ == "__main__":
    main()
