#!/usr/bin/env python3
"""Studies: what an impact costs, what a second worker brings, what a process per point costs.

    bench/bench_study.py [BUILD/specht [BUILD/bench/bench_gear_loop]]

The loose wheel of examples/gear_1dof over 400 amplitudes, 300 + 100 periods each: processor time per impact of a study
with one worker, and of the loop that gear_loop.c writes for this machine alone; both have as many impacts and as much noise,
but for chaos.  Wall clock of two workers over one, on a machine that has nothing else to do.  200 points of one period in
one study against a process of `specht run` for each.  Median of three rounds.  `make bench` gives the programs by SPECHT_BIN and
SPECHT_BENCH_DIR.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS, POINTS, SHORT = 3, 400, 200
AIMS = {"loop": 10, "workers": 1.9, "processes": 20}
STUDY = """\
study: 1
model: %s
vary: {alpha: {from: 0.1, to: 1, n: %d}}
period: 2*pi
run: {until: %g periods, measure_from: %g periods}
measures: {n: impacts(mesh_*)}
"""


def spent(command, folder):
    """Processor and wall-clock seconds of a command."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - begin


def measure(specht, model, n, periods, start, folder, jobs):
    """The study on so many workers: processor and wall-clock seconds."""
    with open(os.path.join(folder, "s.study.yaml"), "w", encoding="utf-8") as f:
        f.write(STUDY % (model, n, periods, start))
    return spent([specht, "study", "s.study.yaml", "-q", "--fresh", "--jobs", str(jobs)], folder)


def count(specht, folder):
    """Impacts of all points of the last study, which measured from the start."""
    out = subprocess.run([specht, "study", "s.study.yaml", "--json"], cwd=folder, check=True, capture_output=True, text=True).stdout
    result = json.loads(out)
    k = [m["name"] for m in result["measures"]].index("n")
    return sum(p["measures"][k] for p in result["points"])


def main():
    specht = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["SPECHT_BIN"])
    loop = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.environ["SPECHT_BENCH_DIR"], "bench_gear_loop")
    model = os.path.join(os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..")), "examples", "gear_1dof",
                         "gear_1dof.yaml")
    model = os.path.abspath(model)
    with tempfile.TemporaryDirectory() as folder:
        rounds = []
        for _ in range(ROUNDS):
            plain = json.loads(subprocess.run([loop, str(POINTS)], check=True, capture_output=True, text=True).stdout)
            one, two = (measure(specht, model, POINTS, 400, 300, folder, jobs) for jobs in (1, 2))
            rounds.append((plain["ns"], 1e9 * one[0], one[1] / two[1]))
        measure(specht, model, POINTS, 400, 0, folder, 2)
        impacts = count(specht, folder)
        ns, study, workers = (statistics.median(r[k] for r in rounds) for k in range(3))
        study /= impacts
        print(f"gear_1dof, {POINTS} amplitudes, 400 periods: {impacts:.0f} impacts, {study:.0f} ns of processor time each")
        print(f"  the loop by hand: {plain['impacts']} impacts, {ns:.0f} ns each; ratio {study / ns:.1f} (aim {AIMS['loop']})")
        print(f"  two workers over one: {workers:.2f} (aim {AIMS['workers']}; {os.cpu_count()} cores)")
        together = measure(specht, model, SHORT, 1, 0, folder, 1)[1]
        apart = sum(spent([specht, "run", model, "-q", "--set", f"alpha={0.1 + 0.9 * k / SHORT}", "--set", "run.until=2*pi", "-o", "r.h5"],
                          folder)[1] for k in range(SHORT))
        print(f"{SHORT} points of one period: {1e3 * together / SHORT:.2f} ms each in a study, {1e3 * apart / SHORT:.2f} ms each as processes; "
              f"ratio {apart / together:.0f} (aim {AIMS['processes']})")


if __name__ == "__main__":
    main()
