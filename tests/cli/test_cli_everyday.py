"""Everyday machines by the default method, against closed forms: each runs without a doubt."""
import math

from cli_support import Case, main

G = 9.81


class Everyday(Case):
    def last(self, space, names, text):
        """What outputs are at the end of a run of a model without its head."""
        gravity = "0" if "# no weight" in text else "9.81 m/s^2"
        self.write("m.yaml", f"specht: 1\nname: m\nspace: {space}\ngravity: {gravity}\n{text}")
        out, err = self.specht("run", "m.yaml", "-o", "r.h5")
        self.assertNotIn("doubtful", out + err)
        return [float(v) for v in self.specht("csv", "r.h5", "--last", "--names", names)[0].splitlines()[-1].split(",")][1:]

    def near(self, got, wanted, relative=1e-8):
        self.assertAlmostEqual(got, wanted, delta=relative * abs(wanted))

    def test_a_pile_is_driven_as_far_as_the_blow_carries(self):
        y, lost = self.last("planar", "pile.y,energy.impacts", """
bodies:
  pile: {mass: 200 kg, joint: {prismatic: ground, axis: [0, 1], friction: 60 kN}, contours: {head: {line: [0, 1]}}}
  hammer: {mass: 500 kg, joint: {prismatic: ground, axis: [0, 1]}, contours: {face: {point: [0, 0]}}}
contacts: {blow: {between: [hammer, pile], law: {eps_N: 0}}}
start: {hammer.y: 1 m}
run: {until: 1 s}
""")
        v = math.sqrt(2 * G) * 500 / 700
        self.near(y, -v * v / 2 / (60e3 / 700 - G))
        self.near(lost, -500 * G * 200 / 700)

    def test_a_screw_jack_climbs_under_torque_and_locks_itself(self):
        z, = self.last("spatial", "screw.z", """
bodies: {screw: {mass: 200 kg, inertia: [0.02, 0.02, 0.03], joint: {screw: ground, axis: [0, 0, 1], lead: 6 mm}}}
couplings: {thread: {of: screw.joint.phi, friction: 3 N*m}}
forces: {crank: {drive: screw.joint, torque: "if(t < 1 s, 8 N*m, 0 N*m)"}}
run: {until: 3 s}
""")
        p = 6e-3 / (2 * math.pi)
        J, load = 0.03 + 200 * p * p, 3 + 200 * G * p
        omega = (8 - load) / J
        self.near(z, p * (omega / 2 + omega**2 * J / 2 / load))

    def test_a_ratchet_wrench_turns_a_bolt_by_half_of_each_swing(self):
        phi, = self.last("planar", "bolt.phi", """
# no weight
bodies:
  handle: {joint: {revolute: ground, motion: "30 deg * sin(2*pi*t/(1 s))"}}
  bolt: {inertia: 1e-3 kg*m^2, joint: {revolute: ground}}
couplings:
  pawl: {of: bolt.phi - handle.phi, one_way: forward}
  thread: {of: bolt.phi, friction: 2 N*m}
run: {until: 5 s}
""")
        self.near(phi, 10 * math.radians(30))

    def test_a_clutch_brings_engine_and_car_to_one_speed(self):
        engine, car = self.last("planar", "engine.omega,car.omega", """
# no weight
bodies:
  engine: {inertia: 0.2 kg*m^2, joint: {revolute: ground}}
  car: {inertia: 1.5 kg*m^2, joint: {revolute: ground}}
forces: {motor: {drive: engine.joint, torque: 60 N*m}}
couplings: {clutch: {of: engine.phi - car.phi, friction: "200 N*m * ramp(t, 0.1 s, 0.6 s)"}}
start: {engine.joint.omega: 150 rad/s}
run: {until: 2 s}
""")
        self.near(engine, (0.2 * 150 + 60 * 2) / 1.7)
        self.near(car, engine)

    def test_a_wheel_loses_at_a_kerb_what_turning_about_its_corner_does_not_keep(self):
        lost, = self.last("planar", "energy.impacts", """
bodies:
  ground: {contours: {road: {line: [0, 1]}, kerb: {polygon: [[1, -0.1], [6, -0.1], [6, 0.05], [1, 0.05]]}}}
  wheel: {mass: 10 kg, inertia: 0.45 kg*m^2, contours: {rim: {circle: 0.3 m}}}
contacts: {roll: {between: [wheel, ground], law: {mu: 0.8}}}
start: {wheel.y: 0.3 m, wheel.vx: 3 m/s, wheel.omega: -10 rad/s}
run: {until: 0.4 s}
""")
        about = 10 * 3 * 0.25 + 0.45 * 10
        self.near(lost, about**2 / (0.45 + 10 * 0.09) / 2 - (10 * 9 + 0.45 * 100) / 2)

    def test_a_rope_round_a_bollard_holds_by_its_angle(self):
        s, v = self.last("planar", "load.joint.s,load.joint.v", """
parameters: {hold: "60 N * exp(0.25*2*pi)"}
bodies: {load: {mass: 100 kg, joint: {prismatic: ground, axis: [0, -1]}}}
couplings: {bollard: {of: load.joint.s, friction: "if(t < 2 s, hold, 4*hold)"}}
run: {until: 12 s}
""")
        hold = 60 * math.exp(0.5 * math.pi)
        fast = 2 * (G - hold / 100)
        self.near(s, fast + fast**2 / 2 / (4 * hold / 100 - G))
        self.assertLess(abs(v), 1e-9)

    def test_a_geneva_wheel_turns_by_a_quarter_in_each_turn(self):
        walls = "\n".join(
            f"      u{k}: {{segment: [[72 mm, 4.1 mm], [25 mm, 4.1 mm]], turn: {45 + 90 * k} deg}}\n"
            f"      l{k}: {{segment: [[25 mm, -4.1 mm], [72 mm, -4.1 mm]], turn: {45 + 90 * k} deg}}" for k in range(4))
        phi, = self.last("planar", "wheel.phi", f"""
# no weight
bodies:
  crank: {{joint: {{revolute: ground, speed: 60 rpm}}, contours: {{pin: {{circle: 4 mm, at: [100 mm / sqrt(2), 0]}}}}}}
  wheel:
    inertia: 2e-3 kg*m^2
    joint: {{revolute: ground, at: [100 mm, 0], friction: 0.2 N*m}}
    contours:
{walls}
contacts: {{slots: {{between: [crank.pin, wheel], law: {{eps_N: 0.1, mu: 0.1}}}}}}
start: {{crank.joint.phi: 180 deg}}
run: {{until: 3 s}}
""")
        self.assertAlmostEqual(phi, -1.5 * math.pi, delta=0.1 / 70 * 2)  # but for the play of the pin


    def test_boxes_that_fall_on_each_other_come_to_rest_as_they_were_dropped(self):
        # corners that touch at one time are hit together, however their gaps were rounded
        ends = self.last("spatial", "box.1.z,box.2.z,box.3.z,box.3.x,energy.impacts", """
bodies:
  ground: {contours: {floor: {plane: [0, 0, 1]}}}
  box: {count: 3, density: 500 kg/m^3, shape: {box: [20 cm, 20 cm, 20 cm]}, contours: {b: {box: [20 cm, 20 cm, 20 cm]}}}
contacts:
  floor: {between: [box.1, ground], law: {mu: 0.5, eps_N: 0.2}}
  pile: {between: [box, box], law: {mu: 0.5, eps_N: 0.2}}
start: {box.z: "0.1 m + (i - 1)*0.21 m"}
run: {until: 0.5 s}
""")
        for got, wanted in zip(ends, (0.1, 0.3, 0.5, 0, -4 * G * 0.03)):
            self.assertAlmostEqual(got, wanted, delta=1e-9)


if __name__ == "__main__":
    main()
