"""The report page in Chromium, with made-up runs and with real ones.

Skipped, and counted as skipped, where Node, the packages of web/, the page or Chromium are missing.
The real pages are written by the program; the numbers they are held against come from the result
files by other code, here.  SPECHT_SCREENSHOTS names a folder to keep the screenshots in.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import web_support as web

PROGRAM = os.environ.get("SPECHT_BIN", os.path.join(web.BUILD, "specht"))
TEMPLATE = os.path.join(web.BUILD, "web", "report.html")
CHANNELS = 3  # of every page, compared at one time
EVENTS = 5  # event times walked through


# ---- what the result files say -----------------------------------------------------------------


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def distinct(times, duration):
    """Times in their order; those that only round-off tells apart are one."""
    found = []
    for t in sorted(float(t) for t in times):
        if not found or t > found[-1] + 1e-12 * duration:
            found.append(t)
    return found


def rising(events, path):
    """The events of a file, which must stand in the order of their times."""
    t = events["t"]
    if (t[1:] < t[:-1]).any():
        raise ValueError(f"{path}: events are not in the order of their times")
    return events


def expected_of(path):
    """Sums and samples of a result file, by numpy."""
    import h5py
    import numpy as np

    with h5py.File(path, "r") as f:
        time, events = f["time"][:], f["events"][:]
        kinds = [text_of(k) for k in f["events"].attrs["kinds"]]
        impacts = events[events["kind"] == kinds.index("impact")]
        names = [text_of(n) for n in f["names/u"][:]]
        return {
            "bodies": len(f["bodies/name"]),
            "frames": len(time),
            "end": float(time[-1]),
            "events": len(events),
            "impacts": len(np.unique(impacts["impact_id"])),
            "impulse": float(impacts["Lambda_N"].sum()),
            "lost": float(impacts["energy_lost"].sum()),
            "ledger": {k: float(f["energy"][k][-1]) for k in f["energy"]},
            "certificate": {k: float(f["certificate"][k][:].max()) for k in ("complementarity", "momentum", "gap")},
            "kinds": {k: int((events["kind"] == i).sum()) for i, k in enumerate(kinds) if (events["kind"] == i).any()},
            "times": distinct(events["t"][events["t"] > time[0]], float(time[-1] - time[0]))[:EVENTS],
            "channels": [{"name": n, "t": float(time[-1]), "value": float(f["u"][-1, i])}
                         for i, n in enumerate(names[:CHANNELS])],
        }


def run_program(*arguments):
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"specht {' '.join(arguments)}: {done.stdout}")


def make_pages(folder):
    """Reports of the slider-crank, alone and compared, of the spin-up of a beam, and of the woodpecker where there is one."""
    crank = os.path.join(web.SOURCE, "examples", "slider_crank", "slider_crank.yaml")
    woodpecker = os.path.join(web.SOURCE, "examples", "woodpecker", "woodpecker.yaml")
    beam = os.path.join(web.SOURCE, "examples", "spin_up", "spin_up.yaml")
    runs = {"slider_crank": [[crank]], "spin_up": [[beam]], "compared": [[crank], [crank, "--set", "mu=0.05"]]}
    if os.path.exists(woodpecker):
        runs["woodpecker"] = [[woodpecker]]
    pages = []
    for name, commands in runs.items():
        results = []
        for k, command in enumerate(commands):
            results.append(os.path.join(folder, f"{name}_{k}.h5"))
            run_program("run", *command, "-q", "-o", results[-1])
        page = os.path.join(folder, f"{name}.html")
        run_program("report", *results, "-o", page, "--quiet")
        pages.append({"name": name, "page": page, "runs": [expected_of(r) for r in results]})
    listed = os.path.join(folder, "pages.json")
    with open(listed, "w", encoding="utf-8") as f:
        json.dump(pages, f)
    return listed


def make_large(folder):
    """The report of a run of 100 001 frames and 50 bodies, as a user makes it; what its file holds."""
    import h5py

    model = os.path.join(web.SOURCE, "tests", "data", "report", "fifty_bodies.yaml")
    result, page = os.path.join(folder, "fifty_bodies.h5"), os.path.join(folder, "fifty_bodies.html")
    run_program("run", model, "-q", "-o", result)
    run_program("report", result, "-o", page, "--quiet")
    with h5py.File(result, "r") as f:
        facts = {"page": page, "frames": len(f["time"]), "bodies": len(f["bodies/name"]),
                 "contacts": len(f["contacts/name"]), "events": len(rising(f["events"][:], result))}
    os.remove(result)
    listed = os.path.join(folder, "large.json")
    with open(listed, "w", encoding="utf-8") as f:
        json.dump(facts, f)
    return listed


# Studies: the file, and the figures on its page.
WELL = """specht: 1
units: off
parameters: {d: 0.3, f: 0}
formula: {coordinates: {x: 1}, kinetic: x'^2/2, potential: x^4/4 - x^2/2, forces: {x: f*cos(t) - d*x'}}
measures: {top: max(x), rest: final(x), work: (1 - d)^2}
run: {until: 100, method: event}
"""
STUDIES = {
    "basin": ("kind: basin\nvary: {start.x: {from: -1.9, to: 1.9, n: 12}, \"start.x'\": {from: -1, to: 1, n: 9}}\n"
              "sample: {every: 1, keep: [x, x']}\nbasin: {cell: 0.02, recurrences: 20, states: 10}\n", ["Basin", "Points", "Section", "Parallel"],
              "specht run 'm.yaml' --set 'start.x=-1.9' --set 'start.x\'\\\'\'=-1'", 108),
    "sweep": ("vary: {d: {from: 0.1, to: 0.9, n: 9}}\nset: {start.x: 0.5}\nrun: {until: 20}\nsample: {every: 0.5, keep: [x]}\n"
              "spectrum: {}\n", ["Points", "Parallel", "Spectrum x"],
              "specht run 'm.yaml' --set 'start.x=0.5' --set 'run.until=20' --set 'd=0.1'", 9),
    "sensitivity": ("kind: sensitivity\nvary: {d: {from: 0.1, to: 0.5}, start.x: {from: 0.1, to: 1}}\nrun: {until: 5}\n"
                    "sensitivity: {method: morris, n: 4}\n", ["top", "rest", "work", "Points", "Parallel"], None, 12),
    "branches": ("kind: continue\nset: {f: 0.3, start.x: 0.9}\nperiod: 2*pi\nmeasures: {high: max(x)}\n"
                 "continue: {parameter: {f: {from: 0.1, to: 0.5, start: 0.3}}, transient: 20}\n",
                 ["Branches top", "Branches rest", "Branches work", "Branches high", "Multipliers", "Points", "Parallel"], None, 1),
    "optimum": ("kind: optimize\nvary: {d: {from: 0, to: 2, start: 0.1}}\nrun: {until: 1}\noptimize: {minimize: work, generations: 10}\n",
                ["Convergence", "Points", "Parallel"], None, 40),
}


def make_studies(folder):
    """Reports of studies of each kind."""
    pages = []
    with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as f:
        f.write(WELL)
    for name, (text, views, first, points) in STUDIES.items():
        file, page = (os.path.join(folder, name + end) for end in (".study.yaml", ".html"))
        with open(file, "w", encoding="utf-8") as f:
            f.write("study: 1\nmodel: m.yaml\n" + text)
        result = os.path.join(folder, name + ".h5")
        run_program("study", file, "-q", "-o", result)
        run_program("report", result, "-o", page, "--quiet")
        pages.append({"name": name, "page": page, "views": views, "first": first, "points": points})
    listed = os.path.join(folder, "studies.json")
    with open(listed, "w", encoding="utf-8") as f:
        json.dump(pages, f)
    return listed


# ---- running ------------------------------------------------------------------------------------


def missing():
    """What is not here, '' if all is."""
    if not web.can_run():
        return "Node or the packages of web/ are not here (cd web && npm ci)"
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        return "Chromium is not here"
    return "" if os.path.exists(TEMPLATE) else "the page was not built"


def run_browser(folder):
    """Counts of the tests in the browser."""
    environment = {"SPECHT_CHROMIUM": shutil.which("chromium") or shutil.which("chromium-browser"),
                   "SPECHT_REPORT_TEMPLATE": TEMPLATE,
                   "SPECHT_SCREENSHOTS": os.environ.get("SPECHT_SCREENSHOTS", os.path.join(folder, "shots"))}
    try:
        environment["SPECHT_REAL_PAGES"] = make_pages(folder)
        environment["SPECHT_STUDY_PAGES"] = make_studies(folder)
        environment["SPECHT_LARGE_PAGE"] = make_large(folder)
    except (RuntimeError, OSError, KeyError, ValueError) as error:
        print(f"failed: no report of a real run: {error}")
        yield 0, 1, 0
    yield web.run_vitest("browser", environment, folder)


def main():
    lacking = missing()
    if lacking:
        print(f"skipped: {lacking}")
        return web.finish([(0, 0, web.count_tests("browser"))])
    with tempfile.TemporaryDirectory(prefix="specht-web-") as folder:
        return web.finish(list(run_browser(folder)))


if __name__ == "__main__":
    sys.exit(main())
