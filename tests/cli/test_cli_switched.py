"""Loads and couplings that switch or peak with time or in a place, against closed forms."""
import math

from cli_support import Case, main

HEAD = "specht: 1\nname: m\nspace: planar\ngravity: 0\n"
BODY = "bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}\n"
METHODS = ([], ["--method", "adaptive"], *(["--method", m, "--step", "1e-3"] for m in ("moreau", "moreau-mean", "theta", "rk2")))
BELL = "1 N*s / w * exp(-((t - 1.2345 s)/w)^2)"


class Switched(Case):
    def ends(self, names, text, methods=METHODS):
        """What outputs are at the end of clean runs by all methods, and with how much work of drives."""
        self.write("m.yaml", HEAD + text)
        for method in methods:
            out, err = self.specht("run", "m.yaml", "-o", "r.h5", *method)
            self.assertNotIn("doubtful", out + err)
            last = self.specht("csv", "r.h5", "--last", "--names", names)[0].splitlines()[-1]
            yield method, [float(v) for v in last.split(",")][1:]

    def impulse(self, forces, wanted):
        for w in ("1 us", "10 us", "300 us"):
            for method, (v,) in self.ends("m.vx", f"parameters: {{w: {w}}}\n{BODY}forces: {{p: {forces}}}\nrun: {{until: 3 s}}\n"):
                self.assertAlmostEqual(v, wanted, delta=(5e-3 if method else 1e-7) * wanted, msg=f"{forces}, {w}, {method}")

    def test_a_limit_cuts_a_pulse_and_not_its_mean(self):
        half = math.sqrt(math.log(2))
        cut = half + math.sqrt(math.pi) * (1 - math.erf(half))  # of half the height
        self.impulse(f'{{drive: m.joint, force: "{BELL}", limit: 0.5 N*s / w}}', cut)

    def test_a_pulse_that_is_squared_has_the_mean_of_its_square(self):
        self.impulse(f'{{force: ["w/(1 N*s) * ({BELL} + m.x*1e-30 N/m)^2", 0], on: m}}', math.sqrt(math.pi / 2))

    def test_a_corner_of_a_coupling_is_a_blow(self):
        text = BODY + 'couplings: {feed: {of: m.x, fix: "min(t, 1 s)*2 m/s"}}\nrun: {until: 3 s}\n'
        for method, (x, v, driven) in self.ends("m.x,m.vx,energy.driven", text):
            self.assertAlmostEqual(x, 2, delta=1e-9, msg=method)
            self.assertAlmostEqual(v, 0, delta=1e-9, msg=method)
            self.assertAlmostEqual(driven, -2, delta=1e-9, msg=method)

    def test_what_a_coupling_holds_to_a_prescribed_part_follows_its_jump_of_speed(self):
        text = """
bodies:
  drum: {joint: {revolute: ground, motion: "max(0 rad, 3 rad/s * (t - 1 s))"}}
  rack: {mass: 2 kg, joint: {prismatic: ground, axis: [1, 0]}}
couplings: {mesh: {of: rack.x - 0.5 m * drum.phi, fix: 0}}
run: {until: 2 s}
"""
        for method, (x, v, driven) in self.ends("rack.x,rack.vx,energy.driven", text):
            self.assertAlmostEqual(x, 1.5, delta=1e-9, msg=method)
            self.assertAlmostEqual(v, 1.5, delta=1e-9, msg=method)
            self.assertAlmostEqual(driven, 2.25, delta=1e-9, msg=method)

    def peak(self, force, start, wanted, until="0.1 s"):
        text = (f"{BODY.replace('1 kg', '10 g')}forces: {{p: {force}}}\n"
                f"start: {{m.joint.v: {start}}}\nrun: {{until: {until}}}\n")
        (_, (v,)), = self.ends("m.vx", text, [[]])
        self.assertAlmostEqual(v, wanted, delta=1e-7 * abs(wanted), msg=force)

    def test_a_peak_in_a_place_is_not_passed_over(self):
        for w in (1e-4, 1e-3, 1e-2):
            work = 50e3 * w * math.sqrt(math.pi)
            wanted = math.sqrt(200**2 + 2 * work / 0.01)
            bell = f"50 kN * exp(-((%s - 10 m)/({w!r} m))^2)"
            self.peak(f'{{drive: m.joint, force: "{bell % "s"}"}}', "200 m/s", wanted)
            self.peak(f'{{force: ["{bell % "m.x"}", 0], on: m}}', "200 m/s", wanted)
            self.peak(f'{{spring: m.x, force: "-{bell % "x"}"}}', "200 m/s", wanted)
            self.peak(f'{{force: ["{50e3 * math.sqrt(math.pi) / math.pi!r} N / (1 + ((m.x - 10 m)/({w!r} m))^2)", 0], on: m}}',
                      "200 m/s", math.sqrt(200**2 + 2 * work / math.pi * (math.atan(10 / w) + math.atan(0.95 * wanted / w)) / 0.01), "1 s")

    def test_a_pulse_that_travels_past_a_body_is_seen(self):
        # from rest, fast past it: the impulse is that of the body in its place, F_0 w sqrt(pi)/c
        self.peak('{force: ["1 N * exp(-((m.x - 100 m/s*(t - 1 s))/(1 mm))^2)", 0], on: m}', "0 m/s",
                  1e-3 * math.sqrt(math.pi) / 100 / 0.01 * (1 + 1e-3 * math.sqrt(math.pi) / 100 / 0.01 / 2 / 100), "3 s")

    def test_a_spring_that_pushes_by_a_power_of_its_depth_lets_go(self):
        text = BODY + """
forces: {hertz: {spring: m.x, force: "1e6 N * max(0, x/(1 m))^1.5"}}
start: {m.x: -1 m, m.vx: 1 m/s}
run: {until: 3 s}
"""
        (_, (v,)), = self.ends("m.vx", text, [[]])
        self.assertAlmostEqual(v, -1, delta=1e-8)


if __name__ == "__main__":
    main()
