#!/usr/bin/python3
"""What is told before a run, where it cannot be what was meant or would never end."""
import json
import math
import re
import signal
import time

from cli_support import BALL, LONG, Case, main

# A body that moves along the floor only, so that nothing changes its gap.
RAIL = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {{contours: {{floor: {{line: [0, 1]}}}}}}
  box: {{mass: 1, joint: {{prismatic: ground, axis: {axis}}}, contours: {{a: {{point: [0, 0.1]}}}}}}
contacts: {{c: {{between: [box, ground], law: {{mu: 0.3}}}}}}
run: {{until: 0.1}}
"""

# A ladder of 2 m that slides down a wall from 80 degrees, leaves it at 2/3 of its height and keeps its velocity along the floor.
LADDER = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [1, 0]}}}
  ladder: {mass: 2, inertia: 2/3, contours: {top: {point: [-1, 0]}, foot: {point: [1, 0]}}}
contacts:
  wall: {between: [ladder.top, ground.wall], law: {mu: 0}}
  floor: {between: [ladder, ground.floor], law: {mu: 0}}
start: {ladder.x: cos(80 deg), ladder.y: sin(80 deg), ladder.phi: -80 deg}
run: {until: 1.12}
"""
SLIP = 2/3*math.sin(math.radians(80))*math.sqrt(9.81*math.sin(math.radians(80))/2)

# A spring from a point of the body to one of the ground.
SPRING = """\
specht: 1
units: off
space: planar
gravity: 0
bodies:
  ground: {{points: {{q: [0, 0]}}}}
  a: {{mass: 1, inertia: 0.1, points: {{p: [0.1, 0]}}}}
forces:
  k: {{spring: [a.p, ground.q], stiffness: 100, rest: {rest}}}
start: {{a.x: {x}}}
run: {{until: 0.1}}
"""

# A wheel over a road of waves 2.09 m long, drawn to the right.
ARC = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {{contours: {{ring: {{arc: 1, over: [100 deg, 440 deg]{more}}}}}}}
  wheel: {{mass: 2, inertia: 0.09, contours: {{rim: {{circle: 0.3}}}}}}
contacts: {{c: {{between: [wheel, ground], law: {{mu: 0}}}}}}
start: {{wheel.y: {y}}}
run: {{until: 0.1}}
"""

ROAD = """\
specht: 1
units: off
space: planar
gravity: 9.81
bodies:
  ground: {{contours: {{road: {{curve: [{way}, 0.05*cos(3*s)], over: [-{far}, {far}]}}}}}}
  wheel: {{mass: 1, inertia: 0.1, contours: {{rim: {{circle: 5}}}}}}
contacts: {{roll: {{between: [wheel, ground], law: {{mu: 0.3}}}}}}
start: {{wheel.y: 6}}
run: {{until: 0.1}}
"""

# A ball over a floor, in the plane or in space.
ROUGH = """\
specht: 1
units: off
space: {space}
gravity: 9.81
bodies:
  ground: {{contours: {{floor: {{{floor}}}}}}}
  ball: {{mass: 1, inertia: 0.01, contours: {{b: {{{ball}: 0.1}}}}}}
contacts:
  f: {{between: [ball, ground], law: {{mu: {mu}}}}}
start: {{ball.{up}: 0.2}}
run: {{until: 0.1}}
"""

# A point on a line that a force of its own weight pulls.
FORMULA = """\
specht: 1
units: off
space: planar
parameters: {{m: {m}}}
formula: {{coordinates: {{r: m}}, kinetic: m*r'^2/2, forces: {{r: m}}}}
run: {{until: 1, method: smooth}}
"""


class Before(Case):
    def warned(self, text, said):
        """Whether `check` and `run` warn with a text, at its line; None: of nothing."""
        self.write("model.yaml", text)
        for command in (["check", "model.yaml"], ["run", "model.yaml", "--no-output"]):
            _, err = self.specht(*command)
            if said:
                self.assertIn(said, err)
            else:
                self.assertEqual(err, "")

    def refused(self, text, said, *command):
        self.write("model.yaml", text)
        _, err = self.specht(*(command or ("check", "model.yaml")), code=2)
        self.assertIn(said, err)

    def test_a_contact_whose_gap_nothing_moves(self):
        self.warned(RAIL.format(axis="[1, 0]"), "model.yaml:8:12: warning: contact 'c': no coordinate moves its gap of 0.1 m")
        self.warned(RAIL.format(axis="[1, 1e-6]"), None)

    def test_a_spring_without_direction(self):
        self.warned(SPRING.format(x=-0.1, rest=0.2), "model.yaml:9:3: warning: force 'k': both points are at the same place")
        self.warned(SPRING.format(x=-0.1, rest=0), None)  # no force there anyway
        self.warned(SPRING.format(x=-0.2, rest=0.2), None)

    def test_friction_that_solvers_crawl_with(self):
        space = {"space": "spatial", "floor": "plane: [0, 0, 1]", "ball": "sphere", "up": "z"}
        plane = {"space": "planar", "floor": "line: [0, 1]", "ball": "circle", "up": "y"}
        self.warned(ROUGH.format(mu="1e30", **space), "mu = 1e+30; coefficients above 30 make steps slow")
        self.warned(ROUGH.format(mu="10", **space), None)
        self.warned(ROUGH.format(mu="1e30", **plane), None)

    def test_a_curve_with_more_waves_than_samples_tell(self):
        self.refused(ROAD.format(way="s", far=2000), "contour 'road': too many waves: in 128 of 128 parts")
        self.warned(ROAD.format(way="s", far=200), None)

    def test_a_curve_that_was_drawn_the_other_way_round(self):
        self.refused(ROAD.format(way="-s", far=20), "draw it the other way round, or write 'inside: yes'")

    def test_an_arc_with_its_material_on_the_other_side(self):
        self.refused(ARC.format(more="", y=-0.5), "that is on the side of the arc's centre; write 'inside: yes'")
        self.refused(ARC.format(more=", inside: yes", y=-1.1), "with 'inside: yes' that is outside of its circle; leave it out")
        self.warned(ARC.format(more=", inside: yes", y=-0.5), None)
        self.refused(ROAD.format(way="s", far=20).replace("20]}}", "20], inside: yes}}"),
                     "to the left of the curve's way; draw it the other way round, or leave it out")

    def test_numbers_that_are_none_or_overflow(self):
        self.refused(BALL.replace("m: 2 kg", "m: 1e300 kg"), "mass = m = 1e+300, expected at most 1e+100")
        self.refused(BALL.replace("m: 2 kg", "m: 1e-320 kg"), "model.yaml:8:16: body 'ball': mass = m = 9.99989e-321, expected at "
                     "least 1e-300, since smaller numbers lose their digits and cannot be divided by; is the unit right?")
        self.refused(ROUGH.format(space="planar", floor="line: [0, 1]", ball="circle", up="y", mu=0).replace("0.01", "2e-308"),
                     "body 'ball': inertia = 2e-308, expected 0 or at least 1e-300")
        thin = ROUGH.format(space="planar", floor="line: [0, 1]", ball="circle", up="y", mu=0)
        self.refused(thin.replace("mass: 1, inertia: 0.01", "density: 1e-299"),
                     "density = 1e-299 makes a mass of 3.14159e-301 kg and a moment of inertia of 1.5708e-303 kg*m^2, expected")
        self.refused(ROUGH.format(space="spatial", floor="plane: [0, 0, 1]", ball="sphere", up="z", mu=0)
                     .replace("mass: 1, inertia: 0.01", "density: 1, shape: {sphere: 1e-101}"),
                     "density = 1 makes a mass of 4.18879e-303 kg and a moment of inertia of 0 kg*m^2, expected 1e-300 to 1e+100")
        self.refused(FORMULA.format(m="1e-320"), "mass matrix is not positive definite at 'r' (pivot 9.99989e-321)")
        self.warned(FORMULA.format(m="1e-300"), None)
        self.warned(BALL.replace("m: 2 kg", "m: 1e-290 kg"), None)
        self.refused(BALL.replace("mass: m", "mass: nan"), "mass: 'nan' is no quantity, expected a finite number")

    def test_results_that_no_disk_holds(self):
        events = BALL.replace("method: moreau, step: 1 ms", "method: event, output_step: 1e-12 s")
        self.refused(events, "makes 5e+11 frames in 0.5 s, about 1.6e+05 GB, expected at most 1000 GB; take a longer one")
        # time steps have a frame each at most, and say so
        self.warned(BALL.replace("step: 1 ms", "step: 1 ms, output_step: 1e-12 s"), "output_step = 1e-12 s is shorter than")

    def test_frames_between_steps_are_not_promised(self):
        self.warned(BALL.replace("step: 1 ms", "step: 1 ms, output_step: 10 us"),
                    "warning: output_step = 1e-05 s is shorter than the step of 'moreau', 0.001 s: the result has a frame at "
                    "every step; take a shorter --step for more")
        for fine in ("step: 1 ms, output_step: 1 ms", "step: 1 ms", "step: 2 ms"):
            self.warned(BALL.replace("step: 1 ms", fine), None)
        # other methods have all frames that are asked for, wherever their steps end
        for method in ("event", "adaptive"):
            self.write("model.yaml", BALL.replace("moreau", method).replace("step: 1 ms", "output_step: 10 us"))
            _, err = self.specht("run", "model.yaml", "-o", "a.h5")
            self.assertEqual(err, "")
            times = [row.split(",")[0] for row in self.specht("csv", "a.h5")[0].splitlines()[1:]]
            self.assertGreaterEqual(len(times), 50001)

    def test_runs_that_never_end_say_so_before(self):
        never = "this run takes more than about 1e+29 steps, as long as something moves: until = 1e+30 s; take a shorter --until, or"
        for method in ("event", "adaptive"):
            self.write("model.yaml", BALL.replace("moreau", method).replace("until: 0.5", "until: 1e30"))
            _, err = self.specht("check", "model.yaml", "-q")
            self.assertIn(never, err)
            process = self.start("run", "model.yaml", "--no-output", "-q")
            self.assertIn(never, process.stderr.readline())
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.write("long.yaml", LONG)
        self.assertIn("this run takes 1e+12 steps: until = 1e+09 s; take a shorter --until or a longer --step, or interrupt it",
                      self.specht("check", "long.yaml", "-q")[1])
        self.warned(BALL.replace("moreau, step: 1 ms", "event"), None)

    def test_comparisons_that_never_end(self):
        self.refused(BALL, "the finest run by moreau-mean takes 2e+12 steps, expected at most 1e+10; take a longer one",
                     "verify", "model.yaml", "--step", "1e-12")

    def test_the_quantity_that_was_asked_for_is_in_the_hint(self):
        box = RAIL.format(axis="[0, 1]").replace("{a: {point: [0, 0.1]}}", "{a: {point: [0, 0.1]}, b: {point: [1, 0.1]}}")
        self.refused(box + "outputs: {x: c.lambda_N}\n", "'c.lambda_N' is no contact point; one is 'c.a', write c.a.lambda_N")


class Going(Case):
    def test_a_run_that_ended_before_its_first_checkpoint_says_so(self):
        self.write("long.yaml", LONG)
        process = self.start("run", "long.yaml", "-o", "a.h5", "--checkpoint", "-q")
        self.wait_for("a.h5")
        time.sleep(0.1)
        process.kill()
        process.communicate()
        if "a.h5.checkpoint" in self.names():
            self.skipTest("slow machine: there is one already")
        _, err = self.specht("run", "long.yaml", "--resume", "a.h5", "-o", "b.h5", code=2)
        self.assertIn("ended before its first checkpoint, which comes after 0.5 s of computing; run it again: "
                      "specht run long.yaml -o a.h5 --checkpoint -q", err)

    def test_an_interrupted_run_tells_the_command_that_goes_on(self):
        self.write("long.yaml", LONG)
        process = self.start("run", "long.yaml", "-o", "a.h5", "--checkpoint", "--until", "1e8", "--set", "m=3kg")
        self.wait_for("a.h5.checkpoint")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        told = err.split("go on with: specht ")[1].split("\n")[0].replace("'", "").split(" ")
        self.assertEqual(told, ["run", "long.yaml", "--resume", "a.h5", "-o", "a_rest.h5", "--checkpoint", "--until", "1e8"])
        reached = float(err.split("interrupted at t = ")[1].split()[0])
        told[told.index("1e8")] = str(reached + 2.0)
        self.specht(*told)
        self.assertIn("a_rest.h5", self.names())

    def test_resume_without_a_name_shows_the_whole_command(self):
        self.write("long.yaml", LONG)
        _, err = self.specht("run", "long.yaml", "--resume", "a.h5", code=2)
        self.assertIn("as in 'specht run long.yaml --resume a.h5 --output rest.h5'", err)

    def test_contacts_that_are_hit_and_stay_are_not_called_open(self):
        self.write("ball.yaml", BALL)
        for eps, state in (("0", "open -> touch"), ("0.5", "open -> open")):
            self.specht("run", "ball.yaml", "--method", "event", "--set", f"eps={eps}", "-o", "a.h5", "-q")
            out, _ = self.specht("events", "a.h5", "--kind", "impact")
            self.assertIn(state, out)

    def test_states_and_slip_of_impacts_are_the_same_in_table_and_json_by_all_methods(self):
        self.write("ladder.yaml", LADDER)
        out, _ = self.specht("events", "--help")
        self.assertIn("State 'touch'", out)
        for method, slip, after in (("event", 1e-7, "touch"), ("adaptive", 1e-3, "slip"), ("moreau", 1e-2, "slip"),
                                    ("rk4", 1e-2, "slip"), ("theta", 1e-2, "slip")):
            step = () if method in ("event", "adaptive") else ("--step", "1e-3")
            self.specht("run", "ladder.yaml", "--method", method, *step, "-o", "a.h5", "-q")
            out, _ = self.specht("events", "a.h5", "--kind", "impact")
            table = re.findall(r"(\w+) -> (\w+)", out)
            events = json.loads(self.specht("events", "a.h5", "--kind", "impact", "--json")[0])
            self.assertEqual(table, [(e["before"], e["after"]) for e in events])
            last = {e["contact"]: e for e in events[-2:]}
            self.assertEqual((last["floor.top"]["before"], last["floor.top"]["after"]), ("open", after), method)
            self.assertEqual((last["floor.foot"]["before"], last["floor.foot"]["after"]), ("slip", after), method)
            for e in last.values():
                for when in ("before", "after"):
                    self.assertAlmostEqual(e["gamma_T_" + when], SLIP, delta=slip, msg=method)


if __name__ == "__main__":
    main()
