"""Gears that rattle: flanks far from where the angles began, and examples/gear_rattling against closed forms."""
import csv
import io
import math
import os
import unittest

from cli_support import SOURCE, Case, main

GEARBOX = os.path.join(SOURCE, "examples", "gear_rattling", "gear_rattling.yaml")

# A loose wheel that comes to rest on the flank of a wheel that turns: relative to it a ball with one bounce after the other.
FLANK = """\
specht: 1
space: planar
gravity: 0
parameters: {phi_0: 0 rad}
bodies:
  drive: {joint: {revolute: ground, speed: 100 rad/s}}
  wheel: {inertia: 2e-3 kg*m^2, joint: {revolute: ground}}
couplings: {mesh: {of: 40 mm * (wheel.phi - drive.phi), range: [-0.05 mm, 0.05 mm], law: {eps_N: 0.7}}}
forces: {drag: {torque: -0.08 N*m, on: wheel}}
start: {drive.phi: phi_0, wheel.phi: phi_0, wheel.omega: 100 rad/s}
measures: {sum: impulses(mesh.*), place: final(mesh.lower.g_N)}
run: {until: 0.1 s, output_step: 10 ms}
"""

# A block on the floor, pulled down by 10 N, on which a ball bounces: the floor is hit once in each period of the ball.  A speck nudges
# the block off the floor, so little that this is passed, before the ball comes again.
NUDGE = """\
specht: 1
space: planar
gravity: 0
parameters: {v: 0.1 m/s, t_1: 3.35 s}
bodies:
  block: {mass: 1 kg, joint: {prismatic: ground, axis: [0, 1]}}
  ball:  {mass: 10 g, joint: {prismatic: ground, axis: [0, 1]}}
  speck: {mass: 1 mg, joint: {prismatic: ground, axis: [0, 1]}}
couplings:
  floor: {of: block.y, range: [1 m, none], law: {eps_N: 0}}
  hop:   {of: ball.y - block.y, range: [0 m, none], law: {eps_N: 0.99}}
  nudge: {of: block.y - speck.y, range: [0 m, none], law: {eps_N: 1}}
forces:
  down: {force: [0, -10 N], on: block}
  fall: {force: [0, -0.1 N], on: ball}
start: {block.y: 1 m, ball.y: 2.25 m, speck.y: 1 m - v*t_1, speck.vy: v}
measures: {sum: impulses(floor.*)}
run: {until: 3.4 s, method: event}
"""

# The wheels of the car: teeth on the countershaft and of the wheel, inertia, drag; the fourth is on the drive shaft.
COUNTER, TEETH = [15, 22, 28, 32, 35], [44, 37, 31, 27, 24]
INERTIA, DRAG = [2.2e-3, 1.2e-3, 0.7e-3, 0.4e-3, 0.3e-3], [1.2e-3, 1e-3, 1e-3, 0, 0.8e-3]
J_CS, D_CS, OMEGA = 2.2e-3, 1.5e-3, 800*2*math.pi/60
I_CS = TEETH[3]/COUNTER[3]
RATIO = [I_CS*c/z for c, z in zip(COUNTER, TEETH)]


def onset():
    """Amplitude in degrees at which the countershaft leaves its flank in fourth gear: all of it has the inertia J and the
    mean drag D*Omega, seen from the drive shaft, and J A w^2 in quadrature with D A w reaches the mean."""
    loose, w = (0, 1, 2, 4), 2*OMEGA
    J = J_CS*I_CS**2 + sum(INERTIA[k]*RATIO[k]**2 for k in loose)
    D = D_CS*I_CS**2 + sum(DRAG[k]*RATIO[k]*(RATIO[k] - 1) for k in loose)
    return math.degrees(abs(D)*OMEGA/(w*math.hypot(J*w, D)))


class Flanks(Case):
    def test_hops_on_flanks_far_from_zero_come_to_rest(self):
        # m = J/r^2 falls by h with a = T r/J: v = sqrt(2 a h), sum of impulses m v (1 + e)/(1 - e); gaps are made of
        # terms of r phi, and what is below their round-off (theory (65.1)) cannot be gone through: hops are passed from
        # v_1 on, where v_1 T = 1e-12 m (13.5); a gap off by dg there changes speeds by a dg/v_1 of the v of the sum
        self.write("flank.yaml", FLANK)
        m, a, h, e = 2e-3/0.04**2, 0.08*0.04/2e-3, 0.05e-3, 0.7
        wanted = m*math.sqrt(2*a*h)*(1 + e)/(1 - e)
        for turns in (0, 100, 1000):
            run = self.json("run", "flank.yaml", "--set", f"phi_0={turns} rad", "-o", "flank.h5", "--json")
            found = {measure["name"]: measure["value"] for measure in run["measures"]}
            v_1, dg = math.sqrt(1e-12*a*(1 - e)/2), 2*math.ulp(turns + 5)*0.04
            self.assertAlmostEqual(found["sum"]/wanted, 1, delta=1e-8 + a*dg/(v_1*math.sqrt(2*a*h)), msg=f"{turns} rad")
            self.assertLess(abs(found["place"]), 1e-12)


    def test_a_nudge_between_regular_hits_is_no_hop_of_their_series(self):
        # the floor takes what the ball brings, 0.01 kg * 1.99 * 5 m/s * (1 + e + e^2), and the block that comes back from the nudge
        self.write("nudge.yaml", NUDGE)
        for v in (0.01, 0.1, 1):
            run = self.json("run", "nudge.yaml", "--set", f"v={v}", "-o", "nudge.h5", "--json")
            wanted = 0.01*1.99*5*(1 + 0.99 + 0.99**2) + 2e-6*v/(1 + 1e-6)
            self.assertAlmostEqual(run["measures"][0]["value"], wanted, delta=1e-11, msg=f"{v} m/s")


class Gearbox(Case):
    def points(self, study):
        self.write("g.study.yaml", f"study: 1\nkind: sweep\nmodel: {GEARBOX}\n{study}")
        out, _ = self.specht("study", "g.study.yaml", "--csv", "-", "--jobs", "1")
        return [{name.split("[")[0]: value for name, value in row.items()} for row in csv.DictReader(io.StringIO(out))]

    def test_the_gear_chosen_is_engaged_and_noise_is_the_sum_over_meshes(self):
        rows = self.points("vary: {gear: [1, 2, 3, 4, 5]}\nset: {A: 0.02 deg}\nrun: {until: 0.15 s, measure_from: 0.14 s}\n"
                           "measures: {ratio: mean(engaged), noise: c*impulses(mesh.*)/span, "
                           "sum: c*(impulses(mesh.first.*) + impulses(mesh.second.*) + impulses(mesh.third.*) "
                           "+ impulses(mesh.fourth.*) + impulses(mesh.fifth.*))/span}\n")
        for row, ratio in zip(rows, RATIO):
            self.assertEqual(row["status"], "clean")
            self.assertAlmostEqual(float(row["noise"]), float(row["sum"]), places=12)
            self.assertAlmostEqual(float(row["ratio"])/ratio, 1, delta=0.02)  # within the backlash

    def test_the_synchroniser_shifts_from_third_to_fourth_gear(self):
        self.specht("run", GEARBOX, "-o", "g.h5", "-q", "--until", "0.3", "--set", "run.measure_from=0.2",
                    "--set", "gear=3", "--set", "gear_to=4", "--set", "t_shift=0.16", "--set", "A=0.1deg")
        rows = list(csv.reader(io.StringIO(self.specht("csv", "g.h5", "--names", "engaged")[0])))[1:]
        at = {round(float(t), 4): float(v) for t, v in rows}
        self.assertAlmostEqual(at[0.14]/RATIO[2], 1, delta=0.02)
        self.assertAlmostEqual(at[0.25], 1, delta=1e-9)  # the synchroniser sticks on the prescribed shaft

    def test_a_gear_that_stays_engaged_is_not_released_at_the_shift(self):
        run = self.json("run", GEARBOX, "-o", "g.h5", "--json", "--until", "0.2", "--set", "run.measure_from=0.155", "--set", "gear=2",
                        "--set", "t_shift=0.16", "--set", "A=0.02deg")
        self.assertEqual(run["status"], "clean")
        self.assertEqual({m["name"]: m["value"] for m in run["measures"]}["noise"], 0)
        rows = list(csv.reader(io.StringIO(self.specht("csv", "g.h5", "--names", "engaged")[0])))[1:]
        self.assertTrue(all(abs(float(v)/RATIO[1] - 1) < 0.02 for t, v in rows if float(t) > 0.15))

    def test_rattling_begins_at_the_amplitude_of_the_closed_form(self):
        A = onset()
        rows = self.points(f"vary: {{A: [{0.9*A} deg, {0.99*A} deg, {1.01*A} deg]}}\nstart: previous\nperiod: 2*pi/w\n"
                           "run: {until: 40 periods, measure_from: 32 periods}\n")
        self.assertEqual([row["status"] for row in rows], ["clean"]*3)
        self.assertEqual(float(rows[0]["noise"]), 0)
        self.assertEqual(float(rows[1]["noise"]), 0)
        self.assertGreater(float(rows[2]["noise_4"]), 1e-3)

    def test_with_thin_oil_the_fifth_wheel_hops_or_is_silent_below_its_onset(self):
        # pick-up, a fifth of the drag: the countershaft stays seated to 0.0499 deg and is the vibrating table of the fifth wheel, whose hop once in
        # a period has the sum of impulses of its drag on the base circle, |i - 1| d Omega/r_b
        ratio, drag, J, w = 24/37*39/22, 0.2*1.2e-3, 0.3e-3, 2*OMEGA
        radius = 2.75e-3*22/2*math.cos(math.radians(20))
        leaves = math.degrees(drag*(ratio - 1)*OMEGA/(w*math.hypot(J*ratio*w, drag*ratio)))
        rows = self.points(f"vary: {{A: [0.012 deg, 0.008 deg, {0.99*leaves} deg, {1.01*leaves} deg]}}\n"
                           "start: previous\nperiod: 2*pi/w\nset: {car: 1, k_drag: 0.2}\n"
                           "run: {until: 100 periods, measure_from: 80 periods}\n")
        self.assertEqual([row["status"] for row in rows], ["clean"]*4)
        noise = [float(row["noise_5"]) for row in rows]
        self.assertAlmostEqual(noise[0]/(drag*(ratio - 1)*OMEGA/radius), 1, delta=1e-8)
        self.assertEqual(noise[1], 0)
        self.assertEqual(noise[2], 0)
        self.assertGreater(noise[3], 1e-4)


class Wheel(Case):
    T, EPS = 0.1, 0.7

    def noise(self, alpha, *start):
        """Impulses per time over the last 20 of 100 periods of a single wheel, examples/gear_1dof."""
        sets = [f"T={self.T}", f"eps={self.EPS}", f"alpha={alpha!r}", "run.until=200*pi", "run.measure_from=160*pi", *start]
        model = os.path.join(SOURCE, "examples", "gear_1dof", "gear_1dof.yaml")
        run = self.json("run", model, "--no-output", "--json", *(arg for one in sets for arg in ("--set", one)))
        self.assertEqual(run["status"], "clean")
        return {m["name"]: m["value"] for m in run["measures"]}["noise"]

    def hopping(self, alpha):
        """The start of one hop per period: v = pi T off the flank at the phase p, alpha cos p = v (1 - e)/(1 + e); where alpha is too
        small for that, with the phase 0."""
        v = math.pi*self.T
        p = math.acos(min(v*(1 - self.EPS)/(1 + self.EPS)/alpha, 1))
        way = 2*math.pi - p  # since the last impact
        return f"start.z={alpha*math.sin(p) + v*way - self.T*way**2/2!r}", f"start.z'={v - self.T*way!r}"

    def test_it_begins_where_inertia_reaches_the_drag(self):
        self.assertEqual(self.noise(0.99*self.T), 0)
        self.assertGreater(self.noise(1.01*self.T), 0)

    def test_it_goes_on_below_that_down_to_the_closed_form(self):
        # while the wheel flies all the time the sum of impulses is that of the drag
        least = math.pi*self.T*(1 - self.EPS)/(1 + self.EPS)
        for alpha in (1.01*least, 1.2*least, 0.9*self.T):
            self.assertAlmostEqual(self.noise(alpha, *self.hopping(alpha))/self.T, 1, delta=1e-6)
        self.assertEqual(self.noise(0.99*least, *self.hopping(0.99*least)), 0)


if __name__ == "__main__":
    main()
