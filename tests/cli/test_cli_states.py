"""States of their own (`states`) against closed forms, in all methods, with resume and messages."""
import math

from cli_support import Case, main

# An oil column of the capacity C behind a piston: an oscillator with the circular frequency w = A/sqrt(m C), half of which is a
# state; and a filter that follows the step of a signal.
OIL = """\
specht: 1
name: Oil column and filter
space: planar
gravity: 0
parameters: {A: 10 cm^2, C: 2.5e-10 m^3/Pa, m: 10 kg, T: 20 ms, p_0: 1 bar}
bodies: {slide: {mass: m, joint: {prismatic: ground, axis: [1, 0]}}}
states:
  p: {rate: -A*slide.vx/C, start: p_0}
  f: {rate: "(step(t, 0.1 s) - f)/T"}
forces: {push: {drive: slide.joint, force: A*p}}
outputs: {E: energy.kinetic + C*p^2/2}
run: {until: 0.2 s, output_step: 50 ms}
"""

# The same mass on a floor against a stop, pushed by a pump: impacts, and the pressure that follows when it rests.
STOP = """\
specht: 1
name: Pump against a stop
space: planar
gravity: 0
parameters: {A: 10 cm^2, C: 2e-12 m^3/Pa, m: 10 kg, Q: 1e-4 m^3/s}
bodies:
  ground: {contours: {wall: {line: [-1, 0], at: [10 mm, 0]}}}
  slide: {mass: m, joint: {prismatic: ground, axis: [1, 0], friction: 1 N + 1e-6 m^2 * p}, contours: {tip: {point: [0, 0]}}}
states: {p: {rate: (Q - A*slide.vx)/C, start: 0, unit: Pa, scale: 1 bar}}
forces: {push: {drive: slide.joint, force: A*p}}
contacts: {stop: {between: [slide.tip, ground.wall], law: {eps_N: 0.3}}}
run: {until: 0.2 s, output_step: 50 ms}
"""

OMEGA = 1e-3 / math.sqrt(10 * 2.5e-10)


class States(Case):
    def columns(self, name, names, *options):
        """The rows of the channels of a run."""
        self.specht("run", name, *options, "-o", "r.h5")
        rows, _ = self.specht("csv", "r.h5", "--names", names)
        return [[float(v) for v in line.split(",")] for line in rows.splitlines()[1:]]

    def test_an_oscillator_of_a_state_and_a_velocity_has_its_closed_form(self):
        self.write("oil.yaml", OIL)
        for options, tolerance in ((("--method", "event", "--tolerance", "1e-11"), 1e-8),
                                   (("--method", "smooth", "--tolerance", "1e-11"), 1e-8),
                                   (("--method", "rk4", "--step", "0.2 ms"), 2e-4),
                                   (("--method", "rk2", "--step", "0.1 ms"), 2e-2),
                                   (("--method", "theta", "--step", "0.1 ms"), 2e-2),
                                   (("--method", "adaptive", "--tolerance", "1e-6"), 2e-2),
                                   (("--method", "moreau", "--step", "20 us"), 2e-2),
                                   (("--method", "moreau-mean", "--step", "20 us"), 2e-2)):
            for t, p, v, energy in self.columns("oil.yaml", "p,slide.vx,E", *options):
                self.assertAlmostEqual(p / 1e5, math.cos(OMEGA * t), delta=tolerance, msg=options)
                self.assertAlmostEqual(v * math.sqrt(10) / math.sqrt(2.5), math.sin(OMEGA * t), delta=tolerance)
                self.assertAlmostEqual(energy / 1.25, 1.0, delta=2 * tolerance, msg=options)

    def test_a_filter_follows_a_step_exactly_and_stays_bounded_where_it_is_stiff(self):
        self.write("oil.yaml", OIL)
        for t, f in self.columns("oil.yaml", "f", "--method", "event", "--tolerance", "1e-11"):
            self.assertAlmostEqual(f, max(0.0, 1 - math.exp(-(t - 0.1) / 0.02)), delta=1e-9)
        for method in ("moreau", "theta", "adaptive"):  # T is a hundredth of the step
            rows = self.columns("oil.yaml", "f", "--method", method, "--set", "T=1us", *(
                ("--step", "0.1 ms") if method != "adaptive" else ()))
            self.assertTrue(all(-1e-6 < f < 1 + 1e-6 for _, f in rows), method)
            self.assertAlmostEqual(rows[-1][1], 1.0, delta=1e-6)

    def test_moreau_and_theta_find_an_oscillator_to_second_order(self):
        self.write("oil.yaml", OIL)
        for method in ("moreau", "theta"):
            error = []
            for step in (0.2, 0.1):
                rows = self.columns("oil.yaml", "p", "--method", method, "--step", "%g ms" % step)
                error.append(abs(rows[-1][1] / 1e5 - math.cos(OMEGA * 0.2)))
            self.assertAlmostEqual(math.log2(error[0] / error[1]), 2, delta=0.35, msg=method)

    def test_pressure_grows_alone_once_the_stop_holds_the_piston(self):
        self.write("stop.yaml", STOP)
        for options, tolerance in ((("--method", "event"), 1e-7), (("--method", "moreau", "--step", "50 us"), 2e-3)):
            rows = self.columns("stop.yaml", "p,slide.joint.s", *options)
            t, p, s = rows[-1]
            # what was pumped is in the compressed oil and behind the piston
            self.assertAlmostEqual((2e-12 * p + 1e-3 * s) / (1e-4 * t), 1.0, delta=tolerance)
            self.assertAlmostEqual(s, 0.01, delta=1e-6)

    def test_a_run_goes_on_to_the_bit(self):
        self.write("stop.yaml", STOP)
        for method in (("--method", "event"), ("--method", "moreau", "--step", "50 us"), ("--method", "adaptive",)):
            self.specht("run", "stop.yaml", *method, "-o", "whole.h5")
            self.specht("run", "stop.yaml", *method, "--until", "0.1 s", "--checkpoint", "-o", "half.h5")
            self.specht("run", "stop.yaml", *method, "--resume", "half.h5", "-o", "rest.h5")
            last = [self.specht("csv", name, "--last", "--names", "p,slide.joint.s")[0] for name in ("whole.h5", "rest.h5")]
            self.assertEqual(*last)

    def test_arrays_and_messages(self):
        self.write("row.yaml", OIL.replace(
            '  f: {', '  g: {count: 3, rate: (i - g.(i))/T}\n  f: {'))
        t, g = self.columns("row.yaml", "g.2", "--method", "event")[-1]
        self.assertAlmostEqual(g, 2 * (1 - math.exp(-10)), delta=1e-7)
        for old, new, said in (
                ("rate: -A*slide.vx/C", "rate: -A*slide.vx", "state 'p': rate = -A*slide.vx is [m^3/s], expected [kg/m/s^3]"),
                ("start: p_0", "start: p_0, unit: Paa", "state 'p': unit: unknown unit 'Paa'"),
                ("start: p_0", "start: slide.x", "state 'p': start must not depend on the motion 'slide.x'"),
                ("start: p_0", "begin: p_0", "state 'p': unknown key 'begin'"),
                ("drive: slide.joint, force: A*p", "spring: slide.x - p*1e-6 m/Pa, stiffness: 1 N/m",
                 "must not depend on the state 'p'"),
                ("A*p}", "A*p.x}", "state 'p' is one number and has no 'x'")):
            self.write("bad.yaml", OIL.replace(old, new))
            _, err = self.specht("check", "bad.yaml", code=2)
            self.assertIn(said, err)
            self.assertRegex(err, r"bad\.yaml:\d+:\d+: ")


if __name__ == "__main__":
    main()
