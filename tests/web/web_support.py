"""What the tests of the report page share: running Vitest and counting."""
import json
import os
import re
import shutil
import subprocess

SOURCE = os.environ.get("SPECHT_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BUILD = os.environ.get("SPECHT_BUILD_DIR", os.path.join(SOURCE, "build"))
WEB = os.path.join(SOURCE, "web")
VITEST = os.path.join(WEB, "node_modules", "vitest", "vitest.mjs")


def can_run():
    """Are Node and the packages of web/ here?"""
    return bool(shutil.which("node")) and os.path.exists(VITEST)


def count_tests(project):
    """How many tests a project holds, for what is skipped."""
    folder, total = os.path.join(WEB, "tests", project), 0
    for name in sorted(os.listdir(folder)):
        if name.endswith(".test.ts"):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                total += len(re.findall(r"^\s*test(?:\.each)?\(", f.read(), re.M))
    return total


def run_vitest(project, environment, folder):
    """(passed, failed, skipped) of a project; prints what failed and what the tests measured."""
    report = os.path.join(folder, f"{project}.json")
    command = [shutil.which("node"), VITEST, "run", "--root", WEB, "--project", project,
               "--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
    done = subprocess.run(command, cwd=WEB, env=dict(os.environ, CI="1", NO_COLOR="1", **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        with open(report, encoding="utf-8") as f:
            result = json.load(f)
    except (OSError, ValueError):
        print(done.stdout)
        return 0, 1, 0
    for line in done.stdout.splitlines():
        if "frames/s" in line:
            print(line.strip())
    for file in result["testResults"]:
        if file["status"] == "failed" and not file["assertionResults"]:
            print(f"failed: {file['name']}: {file.get('message', '')}")
        for test in file["assertionResults"]:
            if test["status"] == "failed":
                print(f"failed: {test['fullName']}\n" + "\n".join(test["failureMessages"]))
    passed, failed = result["numPassedTests"], result["numFailedTests"]
    skipped = result["numTotalTests"] - passed - failed
    return passed, failed or int(done.returncode != 0), skipped


def finish(counts):
    """Print the sum of some counts; returns the exit code."""
    total = [sum(column) for column in zip(*counts)]
    print("{} passed, {} failed, {} skipped".format(*total))
    return 1 if total[1] else 0
