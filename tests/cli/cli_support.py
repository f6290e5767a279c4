"""What the tests of the program share: running it in a folder of its own."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

SPECHT = os.environ.get("SPECHT_BIN", "specht")
SOURCE = os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
SANITIZED = bool(os.environ.get("SPECHT_SANITIZE"))

# A ball that falls from 1 m on a floor: closed form until and after the first impact.
BALL = """\
specht: 1
name: Bouncing ball
space: planar
gravity: 9.81 m/s^2
parameters: {h: 1 m, eps: 0.5, m: 2 kg}
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  ball: {mass: m, joint: {prismatic: ground, axis: [0, 1]}, contours: {tip: {point: [0, 0]}}}
contacts: {bounce: {between: [ball, ground], law: {eps_N: eps}}}
start: {ball.y: h}
outputs: {height: ball.y/h}
plots: {fall: {y: [ball.y]}, portrait: {x: ball.y, y: [ball.vy]}}
run: {until: 0.5 s, method: moreau, step: 1 ms}
"""

# Two links that never touch anything, cheap steps for long runs.
LONG = BALL.replace("until: 0.5 s", "until: 1e9 s").replace("step: 1 ms", "step: 1 ms, output_step: 1 s")


class Case(unittest.TestCase):
    """A test with a folder of its own to work in."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def names(self):
        return sorted(os.listdir(self.folder))

    def environment(self, **more):
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LANG", "LC_ALL", "TERM")}
        env["LC_ALL"] = "C"
        env.update(more)
        return env

    def start(self, *args, **how):
        """The program, not waited for; Ctrl-C reaches it even if it does not reach this test."""
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        before = how.pop("before", lambda: None)  # called in the new process
        process = subprocess.Popen(
            [SPECHT, *args], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
            env=self.environment(**how.pop("env", {})),
            preexec_fn=lambda: (signal.signal(signal.SIGINT, signal.SIG_DFL), before()), **how)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def specht(self, *args, code=0, **how):
        """Run the program to its end; returns (stdout, stderr)."""
        process = self.start(*args, **how)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, f"specht {' '.join(args)}\n{out}\n{err}")
        return out, err

    def json(self, *args, code=0, **how):
        """Run it and read the one JSON value that it prints."""
        out, _ = self.specht(*args, code=code, **how)
        return json.loads(out)

    def wait_for(self, name, seconds=60):
        """Wait until a file is there."""
        limit = time.monotonic() + seconds
        while not os.path.exists(self.path(name)):
            self.assertLess(time.monotonic(), limit, f"{name} did not appear")
            time.sleep(0.01)

    def wait_to_kill(self, process, name, draw, seconds=60):
        """Wait until a file has grown by some bytes since this call; False: the process ended before."""
        size = lambda: os.path.getsize(self.path(name)) if os.path.exists(self.path(name)) else 0
        enough, limit = size() + draw.randint(1, 3000), time.monotonic() + seconds
        while size() < enough:
            if process.poll() is not None:
                return False
            self.assertLess(time.monotonic(), limit, f"{name} does not grow")
            time.sleep(0.0002)
        return True


def main():
    unittest.main()
