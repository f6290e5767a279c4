#!/usr/bin/env python3
"""Instructions per step of the slider-crank, counted by callgrind.

    bench/bench_instructions.py [BUILD/specht]

Unlike seconds they are the same on a busy machine.  What 20 000 more steps cost `specht run` is compared with the same
count when short chains got loops of their own, 4060 instructions per step (gcc 12; 4500 before bodies in space);
planar machines are to stay within 5 % of that.  Left out
with a message where valgrind is missing, and with another compiler than gcc 12, whose instructions are others.
"""
import os
import re
import shutil
import subprocess
import sys

HELD = 4060
STEPS = 20000
STEP = 1e-5


def compiler(specht):
    """The C compiler that the program was built with, as 'gcc 12'."""
    with open(os.path.join(os.path.dirname(specht), "CMakeCache.txt"), encoding="utf-8") as file:
        path = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", file.read(), re.M)[1]
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    return "gcc " + re.search(r" (\d+)\.", said)[1] if "Free Software" in said else said.split("\n")[0]


def count(specht, model, steps):
    """Instructions of a run of so many steps; NaN if it failed."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", specht, "run", model, "-q",
                           "--no-output", "--method", "moreau", "--step", str(STEP), "--output-step", "1",
                           "--until", str(steps * STEP)], capture_output=True, text=True)
    refs = re.search(r"refs:\s+([\d,]+)", done.stderr)
    return int(refs[1].replace(",", "")) if refs and done.returncode == 0 else float("nan")


def main():
    specht = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SPECHT_BIN", "build-bench/specht")
    source = os.environ.get("SPECHT_SOURCE_DIR", os.getcwd())
    model = os.path.join(source, "examples", "slider_crank", "slider_crank.yaml")
    if not shutil.which("valgrind"):
        print("left out: valgrind is not installed")
        return 0
    if compiler(specht) != "gcc 12":
        print(f"left out: built with {compiler(specht)}, the count is that of gcc 12")
        return 0
    step = (count(specht, model, 2 * STEPS) - count(specht, model, STEPS)) / STEPS
    good = 0 < step <= 1.05 * HELD
    print(f"  {'PASS' if good else 'FAIL'}  {step:.0f} instructions per step, {HELD} are held "
          f"({100 * (step / HELD - 1):+.1f} %), at most 5 % more wanted")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
