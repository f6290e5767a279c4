"""specht verify, and runs that are killed and taken up again."""
import os
import signal
import time

from cli_support import BALL, Case, main


class Verify(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def test_a_ball_agrees_and_the_table_says_so(self):
        out, err = self.specht("verify", "ball.yaml")
        self.assertEqual(err, "")
        for word in ("event at tolerances", "trusted", "order", "impacts", "energy", "agreement"):
            self.assertIn(word, out)
        self.assertNotIn("contradict", out)

    def test_json_has_all_numbers(self):
        got = self.json("verify", "ball.yaml", "--json", "--tolerance", "1e-10")
        self.assertEqual((got["status"], got["reference"]), ("agreement", "event"))
        self.assertEqual(got["tolerances"], [1e-10, 1e-12])
        self.assertEqual(len(got["steps"]), 3)
        self.assertEqual(got["impacts_matched"], got["impacts_reference"])

    def test_bad_input_is_refused(self):
        self.specht("verify", "nothing.yaml", code=2)
        _, err = self.specht("verify", "ball.yaml", "--tolerance", "-1", code=2)
        self.assertIn("tolerance", err)


class Resume(Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", BALL)

    def rows(self, name):
        out, _ = self.specht("csv", name)
        return out.splitlines()[1:]

    def killed_and_resumed(self, *options):
        run = ("run", "ball.yaml", "-q", "--until", "2000", "--output-step", "1", *options)
        self.specht(*run, "-o", "whole.h5")
        process = self.start(*run, "-o", "part.h5", "--checkpoint")
        checkpoint = self.path("part.h5.checkpoint")
        for _ in range(400):
            if os.path.exists(checkpoint) or process.poll() is not None:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.specht(*run, "--resume", "part.h5", "-o", "rest.h5")
        rest, whole = self.rows("rest.h5")[1:], self.rows("whole.h5")
        self.assertEqual(rest, whole[len(whole) - len(rest):])

    def test_a_killed_run_goes_on_to_the_bit(self):
        self.killed_and_resumed("--method", "moreau", "--step", "0.5ms")

    def test_only_the_same_machine_goes_on_and_nothing_is_written_over(self):
        run = ("run", "ball.yaml", "-q", "--output-step", "0.1", "--step", "1ms", "--method", "moreau")
        self.specht(*run, "--until", "1", "-o", "part.h5", "--checkpoint")
        on = (*run, "--until", "2", "--resume", "part.h5")
        size = os.path.getsize(self.path("part.h5"))
        _, err = self.specht(*on, "-o", "part.h5", code=2)
        self.assertIn("another name", err)
        self.assertEqual(os.path.getsize(self.path("part.h5")), size)
        _, err = self.specht(*on, "-o", "rest.h5", "--set", "gravity=1.6 m/s^2", code=2)
        self.assertIn("model", err)
        _, err = self.specht(*run, "--until", "0.5", "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("later --until", err)
        self.specht(*on, "-o", "rest.h5")

    def test_a_run_that_ended_on_part_of_a_step_does_not_go_on(self):
        run = ("run", "ball.yaml", "-q", "--output-step", "0.1", "--step", "1ms", "--method", "moreau")
        self.specht(*run, "--until", "0.9995", "-o", "part.h5", "--checkpoint")
        _, err = self.specht(*run, "--until", "2", "--resume", "part.h5", "-o", "rest.h5", code=2)
        self.assertIn("cut short", err)

    def test_what_cannot_be_resumed_is_refused(self):
        _, err = self.specht("run", "ball.yaml", "--resume", "nothing.h5", "-o", "x.h5", code=2)
        self.assertIn("nothing.h5.checkpoint", err)
        _, err = self.specht("run", "ball.yaml", "--resume", "nothing.h5", code=2)
        self.assertIn("--output", err)
        self.specht("run", "ball.yaml", "--checkpoint", "-o", "a.h5")
        _, err = self.specht("run", "ball.yaml", "--resume", "a.h5", "-o", "b.h5", "--step", "2ms", code=2)
        self.assertIn("give the same", err)


if __name__ == "__main__":
    main()
