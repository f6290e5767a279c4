#!/usr/bin/python3
"""Laws of impacts on the command line: what is told of an impact, and who refuses which law."""
import json
import re

from cli_support import Case, main

ROD = """\
specht: 1
name: Rod
space: planar
gravity: 9.81 m/s^2
impact: {law: poisson, gain: report}
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  rod: {mass: 1 kg, inertia: 1 kg*m^2/12, contours: {end: {point: [-0.5, 0]}}}
contacts: {tip: {between: [rod, ground], law: {mu: 0.8, eps_N: 1}}}
start: {rod.y: 0.35355339059327379, rod.phi: 45 deg, rod.vy: -1 m/s, rod.omega: 4 rad/s}
run: {until: 1 ms, method: event}
"""
# Slides on its end while its middle hits a shelf: with mu = 2 there are three impacts.
SHELF = """\
specht: 1
name: Rod over a shelf
units: off
space: planar
gravity: 10
bodies:
  ground: {contours: {floor: {line: [0, 1]}, shelf: {line: [0, 1], at: [0, 0.44721359549995793]}}}
  rod: {mass: 1, inertia: 1/12, contours: {tip: {point: [0, -0.5]}, mid: {point: [0, 0]}}}
contacts: {c: {between: [rod.tip, ground.floor], law: {mu: 2}}, d: {between: [rod.mid, ground.shelf], law: {eps_N: 0.6}}}
start: {rod.y: 0.44721359549995793, rod.phi: atan(0.5), rod.vx: 2.75, rod.vy: -0.125, rod.omega: 0.55901699437494745}
run: {until: 1e-3, method: event}
"""
# A box at rest on a slope: how its four corners share the load, and what friction does, is not unique.
BOX = """\
specht: 1
space: spatial
gravity: [1 m/s^2, 0 m/s^2, -9.81 m/s^2]
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  box: {density: 1000 kg/m^3, shape: {box: [0.2 m, 0.3 m, 0.4 m]}, contours: {skin: {box: [0.2 m, 0.3 m, 0.4 m]}}}
contacts: {floor: {between: [box, ground], law: {mu: 0.3}}}
start: {box.z: 0.2 m}
run: {until: 10 ms, method: event, output_step: 10 ms}
"""
# A die that falls flat by 15 mm.
DIE = """\
specht: 1
space: spatial
gravity: 9.81 m/s^2
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  die: {mass: 1 g, inertia: 0.02 kg*mm^2, contours: {skin: {box: [1 cm, 1 cm, 1 cm]}}}
contacts: {floor: {between: [die, ground], law: {mu: 0.3, eps_N: 0}}}
start: {die.z: 2 cm}
run: {until: 60 ms, method: event}
"""
MORE = {"Lambda_N_compression", "Lambda_T_compression", "Lambda_N_expansion", "Lambda_T_expansion",
        "gamma_N_compression", "gamma_T_compression", "lost_normal", "lost_friction",
        "lost_restitution", "energy_gain", "factor", "eps_N", "eps_T", "mu", "remedy"}


class Impacts(Case):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)

    def impact(self, *options):
        self.specht("run", "rod.yaml", "-q", "--accept", "restitution", *options)
        return self.json("events", "rod.h5", "--json", "--kind", "impact")[0]

    def test_both_phases_are_told(self):
        e = self.impact()
        self.assertLessEqual(MORE, set(e))
        self.assertAlmostEqual(e["Lambda_N_compression"] + e["Lambda_N_expansion"], e["Lambda_N"], places=13)
        self.assertAlmostEqual(e["Lambda_T_compression"][0] + e["Lambda_T_expansion"][0], e["Lambda_T"][0],
                               places=13)
        self.assertAlmostEqual(e["Lambda_N_expansion"], e["Lambda_N_compression"], places=13)  # eps_N = 1
        self.assertAlmostEqual(e["lost_normal"] + e["lost_friction"] + e["lost_restitution"], e["energy_lost"],
                               places=12)
        self.assertEqual((e["eps_N"], e["mu"], e["remedy"], e["factor"]), (1, 0.8, "none", 1))

    def test_a_gain_is_told_and_scaled_on_demand(self):
        e = self.impact()
        self.assertAlmostEqual(e["energy_gain"] / (0.5 + 8 / 12), 0.0265, places=4)
        out, _ = self.specht("events", "rod.h5")
        self.assertIn("gains 0.0309 J", out)
        e = self.impact("--set", "impact.gain=scale")
        self.assertEqual((e["energy_gain"], e["remedy"]), (0, "gain"))
        self.assertTrue(0 < e["factor"] < 1)
        out, _ = self.specht("events", "rod.h5")
        self.assertIn("gain: eps_N 1, restitution times 0.9", out)
        e = self.impact("--set", "impact.law=newton")
        self.assertAlmostEqual(e["energy_gain"] / (0.5 + 8 / 12), 0.5617, places=4)

    def test_an_energy_lost_below_zero_is_explained(self):
        self.assertLess(self.impact()["energy_lost"], 0)
        out, _ = self.specht("events", "rod.h5")
        self.assertIn("energy lost < 0: the impulses of that contact gave energy to the bodies", out)
        self.assertGreater(self.impact("--set", "contacts.tip.law.eps_N=0")["energy_lost"], 0)
        out, _ = self.specht("events", "rod.h5")
        self.assertNotIn("< 0", out)

    def test_the_report_holds_what_the_list_of_events_tells(self):
        self.write("page.html", '<script type="application/json" id="specht-data">/*SPECHT_DATA*/</script>')
        for options in ((), ("--set", "impact.gain=scale"), ("--set", "impact.law=newton")):
            listed = self.impact(*options)
            self.specht("report", "rod.h5", "-o", "out.html", "-q", env={"SPECHT_REPORT_PAGE": self.path("page.html")})
            text = re.search(r">(\{.*\})<", self.read("out.html").decode("utf-8"), re.S).group(1)
            shown = json.loads(text)["runs"][0]["events"][0]
            for key in shown:
                if isinstance(shown[key], float):
                    self.assertAlmostEqual(shown[key], listed[key], delta=1e-6 * abs(listed[key]), msg=key)
            self.assertEqual(shown.get("remedy", "none"), listed["remedy"])
            self.assertEqual("Lambda_N_compression" in shown, not options or "newton" not in options[1])
            self.assertEqual(shown.get("energy_gain", 0) > 0, listed["energy_gain"] > 0)
            self.assertIn("lost_friction", shown)

    def test_time_steps_refuse_and_say_what_to_take(self):
        _, err = self.specht("run", "rod.yaml", "--method", "moreau", "--step", "1e-5", code=2)
        self.assertIn("impact: poisson is for impacts that are events of their own; method 'moreau' has "
                      "Newton's law in its steps; take method 'event' or write 'impact: newton'", err)
        _, err = self.specht("run", "rod.yaml", "--method", "moreau", "--step", "1e-5", "--set",
                             "impact.law=newton", "--set", "impact.gain=scale", code=2)
        self.assertIn("gain: scale", err)

    def test_an_impact_that_is_one_of_several_says_so(self):
        self.write("shelf.yaml", SHELF)
        out, _ = self.specht("run", "shelf.yaml")
        self.assertIn("one of several motions taken 1 time (first at t = 0 s, 'c'): specht events --kind choice\n", out)
        self.assertNotIn("accumulating", out)
        got = self.json("run", "shelf.yaml", "--json")
        self.assertEqual((got["choices"], got["accumulations"]), ({"n": 1, "t": 0, "contact": "c"}, {"n": 0}))
        out, _ = self.specht("events", "shelf.h5", "--kind", "choice")
        self.assertIn("several exist       1  one of 3 impacts\n", out)
        choice, impact = self.json("events", "shelf.h5", "--json")
        self.assertEqual((choice["kind"], choice["n_found"], choice["impact_id"]), ("choice", 3, impact["impact_id"]))
        self.assertFalse(MORE & set(choice))
        self.assertIs(choice["at_least"], False)

    def test_a_run_says_once_where_its_motion_may_not_be_the_only_one(self):
        self.write("box.yaml", BOX)
        out, _ = self.specht("run", "box.yaml")
        told = [line for line in out.splitlines() if "uniqueness" in line]
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r"uniqueness not proven at \d+ of \d+ changes of contacts \(first at t = 0.*'floor")
        got = self.json("run", "box.yaml", "--json")["uniqueness"]
        self.assertTrue(0 < got["not_proven"] <= got["problems"])
        self.assertRegex(got["contact"], "^floor")
        for level in ("contacts.floor.law.mu=0", "gravity=[0 m/s^2, 0 m/s^2, -9.81 m/s^2]"):
            out, _ = self.specht("run", "box.yaml", "--set", level)
            self.assertNotIn("uniqueness", out)

    def test_steps_tell_the_same_about_newtons_impacts(self):
        self.specht("run", "rod.yaml", "-q", "--set", "impact.law=newton", "--method", "moreau", "--step", "1e-6",
                    "--accept", "restitution")
        stepped = self.json("events", "rod.h5", "--json", "--kind", "impact")[0]
        self.assertLessEqual(MORE, set(stepped))
        exact = self.impact("--set", "impact.law=newton")
        for key in ("Lambda_N", "Lambda_N_compression", "gamma_T_compression", "lost_normal", "lost_friction",
                    "energy_gain", "eps_N", "mu"):
            self.assertAlmostEqual(stepped[key], exact[key], delta=1e-3, msg=key)


class Shared(Case):
    def test_a_die_that_falls_flat_is_hit_by_four_equal_impulses_without_friction(self):
        """They are not unique: 12 impulses, 6 velocities.  Those of least norm are told.   theory (46.2)"""
        self.write("die.yaml", DIE)
        for eps in (0, 0.5):
            self.specht("run", "die.yaml", "-q", "--set", f"contacts.floor.law.eps_N={eps}", "-o", f"die{eps}.h5")
            hits = self.json("events", f"die{eps}.h5", "--json", "--kind", "impact")
            hits = [e for e in hits if e["impact_id"] == 1]
            self.assertEqual(len(hits), 4)
            share = 1e-3 * (1 + eps) * (2 * 9.81 * 15e-3)**0.5 / 4
            for e in hits:
                self.assertAlmostEqual(e["Lambda_N"] / share, 1, places=9)
                self.assertLess(max(abs(x) for x in e["Lambda_T"]), 1e-12 * share)


if __name__ == "__main__":
    main()
