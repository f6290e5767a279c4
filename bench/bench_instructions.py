#!/usr/bin/env python3
"""Instructions of a step, an impact and an event-driven second, counted by callgrind.

    bench/bench_instructions.py [BUILD/specht]

Unlike seconds they are the same on a busy machine.  Each case is run twice, the second run longer; what the longer one
costs more, over what it does more, is held against a limit, so that reading the model does not count.  Left out with a
message where valgrind is missing, and with another compiler than gcc 12, whose instructions are others.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LINKS = 20
WHEEL = """specht: 1
name: Loose wheel in its backlash
units: off
formula: {coordinates: {z: m}, kinetic: z'^2/2, potential: 0.1*z}
couplings: {mesh: {of: z - 0.5*sin(t), range: [0, 10], law: {eps_N: 0.7}}}
start: {z: 0.0832, z': 0.31416}
run: {until: 400}
"""


def chain():
    """Links in space on hinges whose axes turn by a right angle from one to the next."""
    lines = ["specht: 1", "name: Chain in space", "space: spatial", "gravity: 9.81 m/s^2", "bodies:"]
    for i in range(LINKS):
        joint = f"revolute: b{i - 1}, at: [0.1 m, 0, 0]" if i else "revolute: ground"
        axis = "[0, 0, 1]" if i % 2 else "[0, 1, 0]"
        lines.append(f"  b{i}: {{mass: 0.1 kg, inertia: [1e-5, 1e-4, 1e-4], center: [0.05 m, 0, 0], "
                     f"joint: {{{joint}, axis: {axis}}}}}")
    return "\n".join(lines + ["run: {until: 1 s}", ""])


def example(source, folder, name):
    with open(os.path.join(source, "examples", folder, name), encoding="utf-8") as f:
        return f.read()


def cases(source):
    """Name, model, arguments, the two lengths [s], what the difference is divided by, the limit.

    Divided by None: by the impacts that the longer run has more."""
    crank = example(source, "slider_crank", "slider_crank.yaml")
    toy = example(source, "woodpecker", "woodpecker_bodies.yaml")
    by_events = ["--method", "event", "--tolerance", "1e-9"]
    return [
        ("slider-crank, a step of moreau", crank, ["--method", "moreau", "--step", "1e-5"], (0.2, 0.4), 20000, 4350),
        ("chain in space, a step of moreau per link", chain(), ["--method", "moreau", "--step", "1e-4"], (0.1, 0.2),
         1000 * LINKS, 4554),
        ("loose wheel, an impact", WHEEL, by_events, (200, 600), None, 120000),
        ("slider-crank by events, 0.1 s", crank, by_events, (0.1, 0.2), 1, 24072000),
        ("woodpecker by events, 0.5 s", toy, by_events, (0.5, 1.0), 1, 29215000),
    ]


def compiler(specht):
    """The C compiler that the program was built with, as 'gcc 12'."""
    with open(os.path.join(os.path.dirname(specht), "CMakeCache.txt"), encoding="utf-8") as file:
        cache = file.read()
    path = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache, re.M)[1]
    behind = re.search(r"^CMAKE_C_COMPILER_ARG1:\w+=(.*)$", cache, re.M)  # of "ccache gcc"
    words = [path, *(behind[1].split() if behind else []), "--version"]
    said = subprocess.run(words, capture_output=True, text=True).stdout
    return "gcc " + re.search(r" (\d+)\.", said)[1] if "Free Software" in said else said.split("\n")[0]


def command(specht, model, arguments, until):
    return [specht, "run", model, "-q", *arguments, "--output-step", str(until), "--until", str(until)]


def count(specht, model, arguments, until):
    """Instructions of a run; NaN if it failed."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           *command(specht, model, arguments, until), "--no-output"], capture_output=True, text=True)
    refs = re.search(r"refs:\s+([\d,]+)", done.stderr)
    return int(refs[1].replace(",", "")) if refs and done.returncode == 0 else float("nan")


def impacts(specht, model, arguments, until):
    """Impacts of a run, by its event list."""
    result = f"{model}.{until}.h5"
    subprocess.run([*command(specht, model, arguments, until), "-o", result], check=True)
    listed = subprocess.run([specht, "events", result, "--kind", "impact", "--json"], check=True, capture_output=True)
    return len(json.loads(listed.stdout))


def measure(specht, folder, case):
    """One case; returns whether its number is within the limit."""
    name, text, arguments, (short, long), share, limit = case
    model = os.path.join(folder, "model.yaml")
    with open(model, "w", encoding="utf-8") as f:
        f.write(text)
    if share is None:
        share = impacts(specht, model, arguments, long) - impacts(specht, model, arguments, short)
    cost = (count(specht, model, arguments, long) - count(specht, model, arguments, short)) / share
    good = 0 < cost <= limit
    print(f"  {'PASS' if good else 'FAIL'}  {cost:12.0f} of {limit:9d}  {name}")
    return good


def main():
    specht = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SPECHT_BIN", "build-bench/specht")
    source = os.environ.get("SPECHT_SOURCE_DIR", os.getcwd())
    if not shutil.which("valgrind"):
        print("left out: valgrind is not installed")
        return 0
    if compiler(specht) != "gcc 12":
        print(f"left out: built with {compiler(specht)}, the counts are those of gcc 12")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return 0 if all([measure(specht, folder, case) for case in cases(source)]) else 1


if __name__ == "__main__":
    sys.exit(main())
