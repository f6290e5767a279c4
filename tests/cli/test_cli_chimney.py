"""examples/chimney_damper: the tuned pendulum against its closed form, the papers' Fig. 20, the rope, space against plane."""
import math
import os

from cli_support import SOURCE, Case, main

FOLDER = os.path.join(SOURCE, "examples", "chimney_damper")
M_1, M_P, F_1 = 8000.0, 400.0, 0.76
STEPS = ("--method", "moreau", "--step", "2ms")


class Chimney(Case):
    def measures(self, *sets, model="chimney_damper", until="60s", since="45s", steps=STEPS):
        """The measures of one run, which must be certified."""
        args = [arg for one in (*sets, f"run.measure_from={since}") for arg in ("--set", one)]
        summary = self.json("run", os.path.join(FOLDER, model + ".yaml"), "--no-output", "--json", "--until", until, *steps, *args)
        return {one["name"]: one["value"] for one in summary["measures"]}

    @staticmethod
    def gain(f, tuning, zeta):
        """Den Hartog: amplitude over the static deflection of a mass with a damped absorber, the mass undamped."""
        w_1, w = 2 * math.pi * F_1, 2 * math.pi * f
        w_p = tuning * w_1
        absorber = M_P * complex(w_p**2, 2 * zeta * w_p * w)
        k_1 = M_1 * w_1**2
        return abs(k_1 / (k_1 - M_1 * w**2 - M_P * w**2 * absorber / (absorber - M_P * w**2)))

    def test_the_chimney_alone_sways_with_its_frequency(self):
        modes = self.json("modes", os.path.join(FOLDER, "chimney_damper.yaml"), "--json", "--set", "n_plate=0",
                          "--set", "m_p=1e-6kg", "--set", "tuning=0.5", "--set", "D=0")["modes"]
        self.assertAlmostEqual(min(abs(mode["eigenvalue"][1]) / (2 * math.pi) - F_1 for mode in modes
                                   if mode["eigenvalue"][1] > 4), 0, delta=1e-5)

    def test_a_viscous_pendulum_is_den_hartogs_absorber(self):
        # but for the weight of the pendulum, the slope of the top and the angle itself: 1 %
        zeta = math.sqrt(3 * 0.05 / (8 * 1.05))  # of its own frequency
        self.assertAlmostEqual(zeta, 0.133631, places=6)
        for f in (0.66, 0.72, 0.76, 0.79):
            got = self.measures("n_plate=0", "D=0", "n_f=1", "F=1N", f"zeta={zeta}", f"f={f}Hz", until="36s", since="30s", steps=())
            self.assertLess(abs(got["gain"] / self.gain(f, 1 / 1.05, zeta) - 1), 0.01, f)
        self.assertAlmostEqual(max(self.gain(0.6 + k * 1e-4, 1 / 1.05, zeta) for k in range(3000)), 6.4084, delta=1e-4)

    def test_one_plate_is_best_and_two_are_worst(self):
        swing = {n: self.measures(f"n_plate={n}")["swing"] for n in (1, 2, 3, 5, 8)}
        self.assertLess(swing[1], swing[5] / 3)
        self.assertEqual(max(swing, key=swing.get), 2)
        self.assertLess(swing[1] / swing[2], 0.15)
        self.assertGreater(swing[8] / swing[5], 0.85)  # eight bring little that five do not

    def test_a_larger_graduation_damps_less(self):
        swing = [self.measures(f"grad={g}")["swing"] for g in (0.5, 0.8, 1.1, 1.4)]
        self.assertEqual(swing, sorted(swing))
        self.assertGreater(swing[-1], 4 * swing[0])

    def test_steps_and_events_agree(self):
        stepped = self.measures("n_plate=1", until="50s", since="40s")["swing"]
        by_events = self.measures("n_plate=1", until="50s", since="40s", steps=())["swing"]
        self.assertLess(abs(by_events / stepped - 1), 0.01)

    def test_a_released_rope_is_forgotten_by_plates_alone(self):
        # static deflection under F_rope/k_1 = 43.9 mm, 1.5 % more by the second mode and the pendulum's weight
        left = {}
        for n in (0, 5):
            sets = ("F=0N", "F_rope=8kN", "t_rope=20s", f"n_plate={n}")
            self.assertAlmostEqual(self.measures(*sets, until="20.01s", since="19.9s")["swing"], 0.0446, delta=5e-4)
            left[n] = self.measures(*sets, until="60s", since="55s")["swing"]
        self.assertGreater(left[0], 0.025)
        self.assertLess(left[5], 0.002)

    def test_to_and_fro_space_is_as_the_plane(self):
        plane = self.measures("n_plate=1", "n_f=1")["swing"]
        space = self.measures("n_plate=1", "round=0", model="chimney_space")["swing"]
        self.assertLess(abs(space / plane - 1), 0.05)
        self.assertGreater(self.measures("n_plate=1", model="chimney_space")["swing"], 5 * plane)  # around it rubs along


if __name__ == "__main__":
    main()
