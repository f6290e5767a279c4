"""Families of machines with known motion, by default and by coarse steps: nothing is wrong without a word.

A sample of two fixed seeds; SPECHT_FULL=1 runs 500 machines of each."""
import os
import random
import tempfile
import unittest

import families
import families_round

SPECHT = os.environ["SPECHT_BIN"]
COUNT = 500 if os.environ.get("SPECHT_FULL") else 20
SEEDS = (1, 2)


class Families(unittest.TestCase):
    def counts(self, family, seed):
        """Counts of a family, and what was not right."""
        lines = []
        counts = families.sweep(SPECHT, family, seed, COUNT, lines.append)
        return counts, "\n".join(lines)

    def test_no_pulse_is_stepped_over(self):
        for seed in SEEDS:
            counts, lines = self.counts("pulses", seed)
            self.assertEqual(counts["default"]["wrong"] + counts["moreau"]["wrong"], 0, lines)
            for method in families.METHODS:
                self.assertEqual(counts[method]["refused"], 0, lines)
                self.assertLessEqual(counts[method]["doubtful"], COUNT // 50, lines)

    def test_blocks_break_away_under_steep_loads_that_begin_at_nothing(self):
        # the force is zero where the load begins; a box's two feet may push against each other there
        with tempfile.TemporaryDirectory() as folder:
            for i in (11, 13, 37, 61, 285):
                machine = families.pulse_machine(random.Random(f"pulses 2311 {i}"), i)
                verdict, why = families.run(SPECHT, folder, machine, [], True, machine.coarse)
                self.assertEqual(verdict, "right", f"{machine.name}: {why}")

    def test_nothing_passes_through_a_wall(self):
        for seed in SEEDS:
            counts, lines = self.counts("walls", seed)
            for method in families.METHODS:
                self.assertEqual(counts[method]["wrong"] + counts[method]["refused"], 0, lines)
                self.assertLessEqual(counts[method]["doubtful"], COUNT // 50, lines)

    def test_nothing_passes_through_a_smooth_surface(self):
        self.assertIn("surfaces", families.FAMILIES, families_round.__name__)
        for seed in SEEDS:
            counts, lines = self.counts("surfaces", seed)
            for method in families.METHODS:
                self.assertEqual(counts[method]["wrong"], 0, lines)

    def test_nothing_passes_through_rods_barrels_and_turning_plates(self):
        for seed in SEEDS:
            counts, lines = self.counts("shapes", seed)
            for method in families.METHODS:
                self.assertEqual(counts[method]["wrong"] + counts[method]["refused"], 0, lines)
                self.assertLessEqual(counts[method]["doubtful"], COUNT // 50, lines)


if __name__ == "__main__":
    unittest.main()
