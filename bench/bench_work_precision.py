#!/usr/bin/env python3
"""Error against processor time of all methods on the slider-crank, and of Siconos' time stepping.

    bench/bench_work_precision.py [BUILD/specht [FOLDER]]

Runs examples/slider_crank to 0.02 s (nine bounces of the first clatter, then a contact that lasts) with every method and
a range of steps or tolerances, compares the angles at the end with `event` at tolerance 1e-13, and writes
work_precision.csv and, with gnuplot, work_precision.svg into FOLDER.  Times are the least of five runs, of the
integration alone.  `make bench` gives the program and the folder by SPECHT_BIN and SPECHT_BENCH_DIR; peer_siconos is
looked for in the latter, and left out with a message where it is missing.  Last, `event` at tolerance 1e-9 is timed against
`moreau` with steps of 1e-5 s, in turns, over 0.2 s: it may take COST_LIMIT times as long; exit code 1 if it takes more.
"""
import json
import math
import os
import statistics
import subprocess
import sys

UNTIL = "0.02"
REPEAT = 5
STEPPED = ("moreau", "moreau-mean", "theta", "rk2", "rk4")
CHOOSING = ("adaptive", "event")
STEPS = [1e-4 / 2**k for k in range(9)]
TOLERANCES = [10.0**-k for k in range(3, 13)]
COST_LIMIT = 3.0
COST_ROUNDS = 11


def run(specht, model, method, option, value, until=UNTIL, repeat=REPEAT):
    """Angles at the end and seconds, or None if the run failed."""
    best, angles = math.inf, None
    for _ in range(repeat):
        done = subprocess.run([specht, "run", model, "--json", "--no-output", "--until", until, "--output-step", until,
                               "--method", method, option, repr(value)], capture_output=True, text=True, check=False)
        got = json.loads(done.stdout or "{}")
        if got.get("status") not in ("clean", "doubtful"):
            return None
        best = min(best, got["seconds"])
        angles = list(got["state"]["q"].values())
    return angles, best


def run_siconos(peer, step):
    """Absolute angles at the end and seconds, or None; Gauss-Seidel where its Lemke's method breaks off."""
    steps = round(float(UNTIL) / step)
    for solver in ("lemke", "nsgs"):
        done = subprocess.run([peer, str(steps), str(REPEAT), solver, repr(step)], capture_output=True, text=True,
                              check=False, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        if done.returncode == 0:
            got = json.loads(done.stdout.strip().splitlines()[-1])
            return got["angles"], got["seconds"]
    return None


def siconos_rows(exact, folder):
    """The curve of Siconos; its angles are absolute, ours those of the joints."""
    peer = os.path.join(os.environ.get("SPECHT_BENCH_DIR", folder), "peer_siconos")
    if not os.access(peer, os.X_OK):
        print("siconos      left out: there is no program peer_siconos (see bench/README.md)")
        return []
    absolute = [sum(exact[: k + 1]) for k in range(len(exact))]
    rows = []
    for step in STEPS:
        got = run_siconos(peer, step)
        if got:
            rows.append(("siconos", step, got[1], max(abs(a - b) for a, b in zip(got[0], absolute))))
    return rows


def judge_cost(specht, model):
    """Whether an exact run costs about as much as a stepped one, medians of runs in turns."""
    ways = (("event", "--tolerance", 1e-9), ("moreau", "--step", 1e-5))
    rounds = [[run(specht, model, *way, until="0.2", repeat=1) for way in ways] for _ in range(COST_ROUNDS)]
    if not all(got for pair in rounds for got in pair):
        print("  FAIL  a run of 0.2 s broke off")
        return False
    event, moreau = (statistics.median(pair[k][1] for pair in rounds) for k in (0, 1))
    good = event <= COST_LIMIT * moreau
    print(f"  {'PASS' if good else 'FAIL'}  event at 1e-9 takes {event / moreau:.2f} times the time of moreau with 1e-5 s over 0.2 s "
          f"({1e3 * event:.2f} ms, {1e3 * moreau:.2f} ms), at most {COST_LIMIT:g} wanted")
    return good


def main():
    specht = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SPECHT_BIN")
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("SPECHT_BENCH_DIR", ".")
    if not specht:
        sys.exit(__doc__)
    model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "slider_crank", "slider_crank.yaml")
    exact = run(specht, model, "event", "--tolerance", 1e-13)[0]
    rows = []
    for method in STEPPED + CHOOSING:
        option, values = ("--step", STEPS) if method in STEPPED else ("--tolerance", TOLERANCES)
        for value in values:
            got = run(specht, model, method, option, value)
            if got:
                error = max(abs(a - b) for a, b in zip(got[0], exact))
                rows.append((method, value, got[1], error))
                print(f"{method:12} {value:9.1e}  {got[1]:9.2e} s  {error:8.1e} rad", flush=True)
    for row in siconos_rows(exact, folder):
        rows.append(row)
        print(f"{row[0]:12} {row[1]:9.1e}  {row[2]:9.2e} s  {row[3]:8.1e} rad", flush=True)
    name = os.path.join(folder, "work_precision")
    with open(name + ".csv", "w", encoding="utf-8") as f:
        f.write("method,step_or_tolerance,seconds,error_rad\n")
        f.writelines(",".join(map(str, row)) + "\n" for row in rows)
    plot(rows, name + ".svg")
    return 0 if judge_cost(specht, model) else 1


def plot(rows, name):
    """One curve per method."""
    text = [f"set terminal svg size 720,480\nset output '{name}'", "set logscale xy\nset format '10^{%T}'\nset grid",
            "set xlabel 'time [s]'\nset ylabel 'error of the angles at 0.02 s [rad]'\nset key outside"]
    methods = list(dict.fromkeys(row[0] for row in rows))
    text.append("plot " + ", ".join(f"'-' with linespoints title '{m}'" for m in methods))
    for m in methods:
        text += [f"{s} {max(e, 1e-15)}" for method, _, s, e in rows if method == m] + ["e"]
    try:
        subprocess.run(["gnuplot"], input="\n".join(text), text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("no figure: gnuplot is missing or failed", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
