#!/usr/bin/env python3
"""Processor time of `auto` against `event` and `adaptive` where events come ever more densely.

    bench/bench_auto.py [BUILD/specht]

Four machines whose rate of events one parameter sets: balls in a slot that is carried along (2 and 10 contacts), a train
of gears with backlash under a drive that trembles (6), discs that fall between walls (52).  All at tolerance 1e-6, each
method once and in turns.  A row has events per second, events in the time T in which what moves fastest goes as far as its
size (theory (27.1), (31.1); from the frames of `auto`), seconds of the methods, both ratios, and when `auto` handed over.
A run that takes longer than LIMIT is broken off and counts as that long.  Exit code 1 if `auto` takes more than WORST
times as long as `event`.  `make bench` gives the program by SPECHT_BIN.
"""
import csv
import io
import json
import os
import resource
import subprocess
import sys
import tempfile

LIMIT = 40
WORST = 1.5
SLOW = 0.3  # s: below, times are no measure
METHODS = ("event", "adaptive", "auto")

CAGE = """\
specht: 1
units: off
space: planar
gravity: 0
parameters: {many: 1, d: 1e-3}
bodies:
  cage:
    joint: {prismatic: ground, axis: [1, 0], motion: 0.3 + 0.3*sin(pi*t)}
    contours: {left: {line: [1, 0]}, right: {line: [-1, 0], at: [d, 0]}}
  ball: {count: many, mass: 1, joint: {prismatic: ground, axis: [1, 0]}, contours: {tip: {point: [0, 0]}}}
contacts: {c: {between: [ball, cage], law: {eps_N: 1}}}
start: {ball.x: 0.3 + d*(0.2 + 0.6*i/many), ball.vx: 1 + 0.3*i}
"""

TRAIN = """\
specht: 1
units: off
space: planar
gravity: 0
parameters: {j: 2e-4, eps: 0.95}
bodies:
  drive: {inertia: 1e-3, joint: {revolute: ground, motion: 3*t + 0.02*sin(200*pi*t)}}
  a: {inertia: 1e-3, joint: {revolute: ground}}
  b: {inertia: 1e-3, joint: {revolute: ground}}
  c: {inertia: 1e-3, joint: {revolute: ground}}
couplings:
  m1: {of: 0.05*drive.phi + 0.05*a.phi, range: [-j/2, j/2], law: {eps_N: eps}}
  m2: {of: 0.05*a.phi + 0.05*b.phi, range: [-j/2, j/2], law: {eps_N: eps}}
  m3: {of: 0.05*b.phi + 0.05*c.phi, range: [-j/2, j/2], law: {eps_N: eps}}
start: {a.omega: -3, b.omega: 3, c.omega: -3}
"""

DISCS = """\
specht: 1
units: off
space: planar
gravity: 10
parameters: {eps: 0.5}
bodies:
  ground: {contours: {floor: {line: [0, 1]}, left: {line: [1, 0], at: [-0.6, 0]}, right: {line: [-1, 0], at: [0.6, 0]}}}
  disc: {count: 8, mass: 1, inertia: 0.005, contours: {c: {circle: 0.1}}}
contacts:
  c: {between: [disc, ground], law: {mu: 0.3, eps_N: eps}}
  d: {between: [disc, disc], law: {mu: 0.3, eps_N: eps}}
start: {disc.x: -0.45 + 0.25*(i - 1 - 4*floor((i - 1)/4)) + 0.01*i, disc.y: 0.2 + 0.25*floor((i - 1)/4)}
"""

# name, text, how long, settings
MACHINES = [("slot, 1 ball", CAGE, 0.3, [{"d": d} for d in ("1e-3", "1e-4", "1e-5", "3e-6", "1e-6")]),
            ("slot, 5 balls", CAGE, 0.1, [{"d": d, "many": 5} for d in ("1e-3", "1e-4", "3e-5", "1e-5")]),
            ("gears", TRAIN, 0.2, [{"j": "2e-4"}, {"j": "2e-5"}, {"j": "2e-6"}, {"j": "2e-6", "eps": 1}]),
            ("discs", DISCS, 1.0, [{"eps": e} for e in (0.2, 0.5, 0.8)])]


def run(specht, folder, method, until, settings):
    """Seconds of processor time, and what the program tells; None where it was broken off."""
    command = [specht, "run", "machine.yaml", "--json", "--method", method, "--tolerance", "1e-6", "--until", str(until),
               "--output-step", str(until / 200), "-o", method + ".h5"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)))
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return (took, json.loads(done.stdout)) if done.returncode >= 0 else (LIMIT, None)


def scale(specht, folder, got):
    """The time in which what moves fastest goes as far as its size, s."""
    names = list(got["state"]["q"]) + list(got["state"]["u"])
    out = subprocess.run([specht, "csv", "auto.h5", "--names", ",".join(names)], cwd=folder, capture_output=True, text=True,
                         check=True).stdout
    rows = list(csv.reader(io.StringIO(out)))[1:]
    most = [max(abs(float(row[k + 1])) for row in rows) for k in range(len(names))]
    n = len(got["state"]["q"])
    angle = [name.endswith("phi") for name in names[:n]]
    least = 1.0
    for kind in set(angle):
        q = max(most[k] for k in range(n) if angle[k] == kind)
        u = max(most[n + k] for k in range(n) if angle[k] == kind)
        least = min(least, (min(q, 1.0) if kind else q) / u) if u > 0 else least
    return least


def row(specht, folder, name, until, settings):
    """Print one row; the ratio of `auto` to `event`, 0 where times are too short to tell."""
    times, told = {}, {}
    for method in METHODS:
        times[method], told[method] = run(specht, folder, method, until, settings)
    said = ", ".join(f"{k} {v}" for k, v in settings.items())
    if not told["auto"]:
        print(f"{name:14} {said:22} auto: broken off after {LIMIT:g} s", flush=True)
        return WORST + 1.0
    dense = told["auto"]["dense_events"]
    rate = told["event"]["events"] / until if told["event"] else dense.get("rate", 0.0)
    print(f"{name:14} {said:22} {rate:9.0f}/s {rate * scale(specht, folder, told['auto']):8.0f}/T   "
          f"event {times['event']:6.2f} s   adaptive {times['adaptive']:6.2f} s   auto {times['auto']:6.2f} s   "
          f"auto/event {times['auto'] / times['event']:5.2f}   auto/adaptive {times['auto'] / times['adaptive']:5.2f}   "
          + (f"handed over at {dense['t']:.4g} s, {dense['rate']:.3g}/s" if dense["n"] else "by events"), flush=True)
    return times["auto"] / times["event"] if times["auto"] > SLOW else 0.0


def main():
    specht = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SPECHT_BIN")
    if not specht:
        sys.exit(__doc__)
    specht, worst = os.path.abspath(specht), 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, until, settings in MACHINES:
            with open(os.path.join(folder, "machine.yaml"), "w", encoding="utf-8") as f:
                f.write(text)
            for these in settings:
                worst = max(worst, row(specht, folder, name, until, these))
    good = worst <= WORST
    print(f"  {'PASS' if good else 'FAIL'}  auto takes up to {worst:.2f} times the time of event, at most {WORST:g} wanted")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
