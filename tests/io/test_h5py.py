#!/usr/bin/env python3
"""Result files as other programs see them: h5py and h5dump.

usage: test_h5py.py path/to/test_result    (the program writes the files: --make path how)
Prints one line per check and a plain count; exit code 0 if none failed; without h5py
one skip is counted.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("h5py is not installed\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

BUILD = os.environ.get("SPECHT_BUILD_DIR", "build")
MAKER = sys.argv[1] if len(sys.argv) > 1 else os.path.join(BUILD, "tests", "test_io_result")
passed = failed = 0


def check(what, ok):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok      " if ok else "FAILED  ") + what)


def make(path, how):
    return subprocess.run([MAKER, "--make", path, how]).returncode


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def fake(what, k, c):
    return what + 1e-3 * k + 1e-6 * c + np.sin(0.1 * k)


def check_content(name, f, n):
    k = 2.0 * np.arange(n)
    check(name + ": time", np.array_equal(f["time"][:], 1e-3 * k) and text(f["time"].attrs["unit"]) == "s")
    for c in range(3):
        check(f"{name}: q and u, column {c}", np.allclose(f["q"][:, c], fake(1, k, c), rtol=0, atol=1e-12)
              and np.allclose(f["u"][:, c], fake(2, k, c), rtol=0, atol=1e-12))
    check(name + ": names and units of q", [text(x) for x in f["names/q"][:]] ==
          ["body1.joint.phi", "body2.joint.phi", "body3.joint.phi"] and text(f["units/u"][0]) == "rad/s")
    check(name + ": shape of the bodies", f["bodies/pose"].shape == (n, 4, 3)
          and text(f["bodies/name"][0]) == "ground")
    units = {"g_N": "m", "gamma_N": "m/s", "gamma_T": "m/s", "lambda_N": "N", "lambda_T": "N",
             "P_N": "N*s", "P_T": "N*s"}
    check(name + ": contacts with units",
          all(f["contacts"][x].shape == (n, 4) and text(f["contacts"][x].attrs["unit"]) == u
              for x, u in units.items()))
    check(name + ": forces", np.allclose(f["contacts/lambda_N"][:, 2], fake(8, k, 2), rtol=0, atol=1e-12))
    point, force = f["contacts/point"], f["contacts/force"]
    check(name + ": places of contacts", point.shape == (n, 4, 2) and text(point.attrs["unit"]) == "m"
          and [text(x) for x in point.attrs["columns"]] == ["x", "y"]
          and np.allclose(point[:, 3, 0], fake(15, k, 3), rtol=1e-6) and (point[:, :, 1] == -1).all())
    check(name + ": forces in world axes", force.shape == (n, 4, 2) and text(force.attrs["unit"]) == "N"
          and np.allclose(force[:, 1, 0], fake(15, k, 1), rtol=1e-6) and (force[:, :, 1] == 2).all())
    check(name + ": columns of poses", [text(x) for x in f["bodies/pose"].attrs["columns"]] == ["x", "y", "phi"])
    scene = json.loads(f["scene/json"][()])
    check(name + ": scene", scene["space"] == "planar"
          and [b["name"] for b in scene["bodies"]] == ["ground", "body1", "body2", "body3"]
          and scene["bodies"][1]["shapes"][-1]["points"][1] == [0.5, 0, 0])
    check(name + ": states", np.array_equal(f["contacts/state"][:, 1], (k + 1) % 3)
          and [text(x) for x in f["contacts/state"].attrs["states"]] == ["open", "slip", "stick"])
    check(name + ": outputs", text(f["outputs/plots.corners.y2"].attrs["unit"]) == "mm"
          and np.allclose(f["outputs/output3"][:], fake(20, k, 2), rtol=0, atol=1e-12))
    ledger = ["kinetic", "potential", "dampers", "applied", "friction", "impacts", "driven",
              "projection", "discretisation", "balance"]
    check(name + ": ledger", all(f["energy"][x].shape == (n,) and text(f["energy"][x].attrs["unit"]) == "J"
                                 for x in ledger))
    check(name + ": certificates", sorted(f["certificate"]) ==
          ["complementarity", "cone", "dissipation", "gap", "momentum"])
    kinds = [text(x) for x in f["events"].attrs["kinds"]]
    e = f["events"][:]
    check(name + ": events", kinds[e["kind"][0]] == "impact" and kinds[e["kind"][1]] == "stick"
          and e["t"][0] == 0.005 and e["impact_id"][2] == 2 and e["Lambda_T"].shape == (len(e), 2))
    check(name + ": model text", "Fake machine" in text(f.attrs["model_text"]) and f.attrs["step"] == 1e-3)


def main(folder):
    path = os.path.join(folder, "run.h5")
    for how, status in (("complete", "clean"), ("interrupted", "interrupted"),
                        ("failed", "failed: no solution")):
        check(how + ": written", make(path, how) == 0)
        with h5py.File(path, "r") as f:
            check(how + ": status", text(f.attrs["status"]) == status and f.attrs["steps"] == 2000)
            check_content(how, f, 1001)
        if shutil.which("h5dump"):
            dump = subprocess.run(["h5dump", path], capture_output=True, text=True)
            check(how + ": h5dump", dump.returncode == 0 and 'DATASET "lambda_N"' in dump.stdout)
    check("killed: killed", make(path, "killed") == -9)
    try:
        h5py.File(path, "r").close()
        check("killed: marked as open", False)
    except OSError:
        check("killed: marked as open", True)
    with h5py.File(path, "r", libver="latest", swmr=True) as f:
        n = len(f["time"])
        check("killed: readable beside the writer", n > 0)
    check("killed: recovered", make(path, "recover") == 0)
    with h5py.File(path, "r") as f:
        check("killed: status", text(f.attrs["status"]) == "cut short")
        check_content("killed", f, len(f["time"]))


with tempfile.TemporaryDirectory() as where:
    main(where)
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
