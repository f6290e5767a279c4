#!/usr/bin/python3
"""Drilling friction on the command line: spin and torque as channels, the law in check."""
import math

from cli_support import Case, main

BALL = """\
specht: 1
name: Ball
space: spatial
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  ball: {mass: 2 kg, inertia: 0.008 kg*m^2, contours: {skin: {sphere: 0.1 m}}}
contacts: {floor: {between: [ball, ground], law: {mu: 0.3LAW}}}
start: {ball.z: 0.1, ball.omega_z: 5 rad/s}
outputs: {spin: floor.gamma_D, torque: floor.lambda_D, alpha: ball.alpha_z, tilt: ball.alpha_y}
run: {until: 20 ms, method: moreau, step: 1 ms}
"""
SPOT = ", friction: contensou, radius: 2 mm, pressure: hertz"


class Spots(Case):
    def run_ball(self, law):
        self.write("ball.yaml", BALL.replace("LAW", law))
        self.specht("run", "ball.yaml", "-q")

    def columns(self, names):
        out, _ = self.specht("csv", "ball.h5", "--names", names)
        return [[float(x) for x in line.split(",")] for line in out.split()[1:]]

    def test_spin_and_torque_are_channels_and_outputs(self):
        self.run_ball(SPOT)
        torque = 3 * math.pi / 16 * 0.3 * 20 * 2e-3  # N m, of pure spin
        rows = self.columns("floor.gamma_D,floor.lambda_D,spin,torque,alpha")
        self.assertGreater(len(rows), 15)
        for t, gamma, tau, spin, told, alpha in rows[1:]:
            self.assertAlmostEqual(alpha, -torque / 0.008, places=9)
            self.assertAlmostEqual(gamma, 5 - torque / 0.008 * t, places=9)
            self.assertAlmostEqual(tau, -torque, places=9)
            self.assertEqual((gamma, tau), (spin, told))

    def test_rolling_resistance_is_part_of_accelerations(self):
        self.write("ball.yaml", BALL.replace("LAW", ", rolling: 1 mm").replace(
            "ball.omega_z: 5", "ball.vx: 0.5, ball.omega_y: 5"))
        self.specht("run", "ball.yaml", "-q")
        # m v' = -F, J alpha = F r - rolling N, v = r omega
        alpha = -1e-3 * 20 / (0.008 + 2 * 0.1 * 0.1)
        for _, tilt in self.columns("tilt")[1:]:
            self.assertAlmostEqual(tilt, alpha, places=7)

    def test_files_without_drilling_friction_have_no_such_channels(self):
        self.run_ball("")
        out, _ = self.specht("csv", "ball.h5", "--list")
        self.assertIn("floor.gamma_T2", out)
        self.assertNotIn("floor.gamma_D", out)
        for _, spin, torque in self.columns("spin,torque"):
            self.assertAlmostEqual(spin, 5, places=12)
            self.assertEqual(torque, 0)

    def test_check_tells_the_spot(self):
        self.write("ball.yaml", BALL.replace("LAW", SPOT + ", rolling: 1 mm, adhesion: 3 N"))
        out, _ = self.specht("check", "ball.yaml")
        self.assertIn("contensou hertz, radius 0.002 m, rolling 0.001 m, adhesion 3 N", out)

    def test_events_know_spots_but_not_in_two_phases(self):
        self.write("ball.yaml", BALL.replace("LAW", SPOT))
        out, _ = self.specht("run", "ball.yaml", "--method", "event")
        self.assertIn("event, tolerance", out)
        self.write("ball.yaml", "impact: poisson\n" + BALL.replace("LAW", SPOT))
        _, err = self.specht("run", "ball.yaml", "--method", "event", code=2)
        self.assertIn("'floor': impact: poisson does not know friction with 'contensou'", err)
        self.assertIn("write 'impact: newton'", err)


if __name__ == "__main__":
    main()
