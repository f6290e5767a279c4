"""Studies on the ranks of mpirun: the same numbers for any number of ranks, shards and kills.

Skipped, and counted as skipped, where the build has no specht-mpi or mpirun is not here.
"""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from cli_support import SOURCE, SPECHT, Case, main

GEAR = os.path.join(SOURCE, "examples", "gear_1dof", "gear_1dof.yaml")
MPIRUN = shutil.which("mpirun")
SETTINGS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_btl": "self,vader"}

STUDY = f"""\
study: 1
kind: bifurcation
model: {GEAR}
vary: {{alpha: {{from: 0.2, to: 1, n: 5}}, eps: [0.5, 0.6, 0.7]}}
period: 2*pi
run: {{until: 8 periods, measure_from: 4 periods}}
"""
BANANA = """\
specht: 1
units: off
parameters: {x: 0, y: 0}
formula: {coordinates: {q: 1}, kinetic: q'^2/2, potential: 0}
measures: {banana: (1 - x)^2 + 100*(y - x^2)^2}
run: {until: 1}
"""


@unittest.skipUnless(MPIRUN and os.path.exists(SPECHT + "-mpi"), "no MPI here")
class Ranks(Case):
    def start(self, n, *words):
        return subprocess.Popen([MPIRUN, "-n", str(n), SPECHT, *words], cwd=self.folder, env={**os.environ, **SETTINGS},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_on(self, n, *words, code=0):
        run = self.start(n, *words)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, code, err)
        return out + err

    def test_ranks_and_shards_make_the_same_bytes(self):
        self.write("s.study.yaml", STUDY)
        self.specht_local("study", "s.study.yaml", "-o", "one.h5", "-q", "--jobs", "1")
        for n in (1, 2, 4, 7):
            self.run_on(n, "study", "s.study.yaml", "-o", f"r{n}.h5", "-q")
            self.assertEqual(self.read(f"r{n}.h5"), self.read("one.h5"), n)
        for k in (1, 2, 3):
            self.run_on(k, "study", "s.study.yaml", "-o", f"part{k}", "-q", "--shard", f"{k}/3")
        self.specht_local("merge", "s.study.yaml", "part1", "part2", "part3", "-o", "all.h5")
        self.assertEqual(self.read("all.h5"), self.read("one.h5"))

    def specht_local(self, *words):
        subprocess.run([SPECHT, *words], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def test_generations_follow_from_each_other(self):
        self.write("m.yaml", BANANA)
        self.write("o.study.yaml", "study: 1\nkind: optimize\nmodel: m.yaml\nvary: {x: {from: -2, to: 2}, y: {from: -2, to: 2}}\n"
                   "optimize: {minimize: banana, generations: 20}\n")
        self.specht_local("study", "o.study.yaml", "-o", "one.h5", "-q")
        self.run_on(3, "study", "o.study.yaml", "-o", "three.h5", "-q")
        self.assertEqual(self.read("three.h5"), self.read("one.h5"))

    def test_kills_of_ranks_lose_nothing(self):
        self.write("s.study.yaml", STUDY.replace("n: 5", "n: 40"))
        self.specht_local("study", "s.study.yaml", "-o", "one.h5", "-q")
        draw, kills = random.Random(2), 0
        for k in range(6):
            run = self.start(3, "study", "s.study.yaml", "-o", "k.h5", "-q")
            if not self.wait_to_kill(run, "k.h5.journal", draw):
                said = run.communicate()[1]
                if "in use" in said:  # orphans of the last one are still there
                    time.sleep(0.3)
                    continue
                break
            ranks = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
            victim = int(draw.choice(ranks)) if ranks else run.pid
            try:
                os.kill(victim, (signal.SIGKILL, signal.SIGTERM)[k % 2])
            except ProcessLookupError:
                pass
            kills += 1
            if k % 2:
                run.terminate()
            run.communicate(timeout=60)
        for _ in range(20):  # orphans of a killed mpirun leave the journal soon
            try:
                self.run_on(3, "study", "s.study.yaml", "-o", "k.h5", "-q")
                break
            except AssertionError as error:
                if "in use" not in str(error):
                    raise
                time.sleep(0.5)
        self.assertGreater(kills, 0)
        self.assertEqual(self.read("k.h5"), self.read("one.h5"))

    def test_stopped_says_how_to_go_on_and_a_mistake_is_said_once(self):
        self.write("l.study.yaml", STUDY.replace("n: 5", "n: 20000"))
        run = self.start(3, "study", "l.study.yaml")
        self.wait_for("l.h5.journal")
        run.terminate()
        said = run.communicate(timeout=60)[1]
        self.assertIn("the same command goes on", said)
        self.assertEqual(self.run_on(3, "study", "nothing.yaml", code=2).count("cannot be read"), 1)


if __name__ == "__main__":
    main()
