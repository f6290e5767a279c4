"""The example `absorber`: its machine against the formula of its amplitude, and at the best design against that with two equal peaks."""
import csv
import io
import math
import os
import unittest

from cli_support import SOURCE, Case, main

MODEL = os.path.join(SOURCE, "examples", "absorber", "absorber.yaml")


def amplitude(g, f, z, mu=0.05):
    """Of the mass: the frequency g of the force, f and z of the absorber."""
    c = (2 * z * f * g)**2
    return math.sqrt(((g * g - f * f)**2 + c) / (((g * g - 1) * (g * g - f * f) - mu * f * f * g * g)**2 + c * (g * g - 1 + mu * g * g)**2))


class Absorber(Case):
    def sweep(self, f, z, n):
        self.write("s.study.yaml", f"study: 1\nmodel: {MODEL}\nset: {{tuning: {f}, zeta: {z}}}\nvary: {{Omega: {{from: 0.87, to: 1.08, n: {n}}}}}\n"
                   "period: 2*pi/Omega\nrun: {until: 60 periods, measure_from: 59 periods}\n")
        rows = csv.DictReader(io.StringIO(self.specht("study", "s.study.yaml", "--csv", "-", "--fresh")[0]))
        return [(float(r["Omega[1]"]), float(r["amplitude[1]"])) for r in rows]

    def test_the_machine_has_the_amplitude_of_the_formula(self):
        for g, x in self.sweep(0.93, 0.15, 5):
            self.assertAlmostEqual(x, amplitude(g, 0.93, 0.15), delta=2e-5)  # what is left of the start after 60 periods

    def test_the_best_design_has_two_equal_peaks(self):
        points = self.sweep(0.952372, 0.133938, 43)
        peaks = []
        for (a, x), (b, y), (c, z) in zip(points, points[1:], points[2:]):
            if y > x and y > z:  # through three points a parabola
                s = 0.5 * (x - z) / (x - 2 * y + z)
                peaks.append(y - 0.25 * (x - z) * s)
        self.assertEqual(len(peaks), 2)
        for peak in peaks:
            self.assertAlmostEqual(peak, 6.40792, delta=1e-3)  # of the parabola through places 0.005 apart


if __name__ == "__main__":
    main()
