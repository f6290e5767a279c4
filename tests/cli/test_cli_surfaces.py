#!/usr/bin/python3
"""Event-driven runs with surfaces whose nearest points are sought by Newton's method: the same motion as with the
closed forms of the same surfaces."""
import os

from cli_support import SOURCE, Case, main

STONE = "{ellipsoid: [a, b, c], at: [0, 0, d]}"
STONE_BY_EXPRESSIONS = ("{surface: [a*cos(v)*sin(u), -b*sin(v), -c*cos(v)*cos(u) + d], u: [-1.2, 1.2], v: [-1.2, 1.2]}")
BOWL = "{sphere: R, at: [0, 0, R], inside: yes}"
BOWL_REVOLVED = "{revolved: [R*sin(s), R - R*cos(s)], over: [0, 2.2], inside: yes}"


class Surfaces(Case):
    def both(self, example, closed, sought, *options):
        """Summaries of two event-driven runs of an example, one with a contour in place of another."""
        with open(os.path.join(SOURCE, "examples", example, example + ".yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(closed, text)
        said = []
        for name, model in (("closed", text), ("sought", text.replace(closed, sought))):
            self.write(name + ".yaml", model)
            said.append(self.json("run", name + ".yaml", "--no-output", "--json", "-q", "--method", "event", *options))
        return said

    def close(self, a, b, tolerance):
        for name, value in a["state"]["q"].items():
            self.assertAlmostEqual(value, b["state"]["q"][name], delta=tolerance, msg=name)

    def test_a_ball_in_a_revolved_bowl_hops_and_rolls_as_in_a_sphere(self):
        sphere, revolved = self.both("ball_bowl", BOWL, BOWL_REVOLVED)
        self.assertEqual(sphere["events"], revolved["events"])
        self.assertGreater(sphere["events"], 10)
        self.close(sphere, revolved, 1e-7)

    def test_an_ellipsoid_by_expressions_rattles_as_the_closed_form(self):
        closed, sought = self.both("rattleback", STONE, STONE_BY_EXPRESSIONS, "--until", "2")
        self.close(closed, sought, 1e-8)
        self.assertLess(sought["certificate"]["gap"], 1e-10)


if __name__ == "__main__":
    main()
