"""examples/landing_gear: at rest by gas law and weight, energies of its elements by their own formulas, structures."""
import csv
import io
import math
import os

from cli_support import SOURCE, Case, main

MODEL = os.path.join(SOURCE, "examples", "landing_gear", "landing_gear.yaml")
G = 9.81
# area, pressures and volumes of both chambers, mass of the lower tube and of the wheel, of the upper tube; theory (101.1)
MAIN = {"A": 0.06, "p": (2.5e6, 8e6), "V": (32e-3, 6e-3), "low": 500, "wheel": 700, "tube": 400}
NOSE = {"A": 0.01, "p": (2e6, 6e6), "V": (5.5e-3, 1e-3), "low": 80, "wheel": 80, "tube": 80}
PISTON, EXPONENT = 10, 1.2
MASS = 34e3 + 24e3 + sum(leg[k] for leg in (MAIN, NOSE) for k in ("low", "wheel", "tube")) + 2*PISTON


def gas(leg, chamber, x):
    """Force of a chamber pressed by x; theory (101.1)."""
    V = leg["V"][chamber]
    return leg["A"]*leg["p"][chamber]*(V/(V - leg["A"]*x))**EXPONENT


def stored(leg, chamber, x):
    V, p = leg["V"][chamber], leg["p"][chamber]
    return p*V/(EXPONENT - 1)*((V/(V - leg["A"]*x))**(EXPONENT - 1) - 1)


class Landing(Case):
    def test_at_rest_the_gas_bears_the_weight(self):
        sets = ["lift_0=0", "k_seal=0", "mu_guide=0", "v_x=0", "v_y=0", "pitch=0deg", "start.fuselage.y=3.45",
                "start.gear.main.strut.joint.s=-0.36", "start.gear.nose.strut.joint.s=-0.3", "start.gear.main.piston.joint.s=0.02"]
        found = self.json("modes", MODEL, "--json", "--hold", "fuselage.joint.x", "--state", "equilibrium",
                          "--closed", "gear.nose.piston.joint.lower", *[a for s in sets for a in ("--set", s)])
        q, bodies = found["state"]["q"], found["state"]["bodies"]
        loads, moment = {}, 0
        for name, leg in (("main", MAIN), ("nose", NOSE)):
            low, up = -q[f"gear.{name}.strut.joint.s"], q[f"gear.{name}.piston.joint.s"]
            lean = math.cos(bodies[f"gear.{name}.strut"]["phi"] + math.pi/2)
            loads[name] = gas(leg, 0, low - up)/lean + (leg["low"] + leg["wheel"])*G              # (101.2)
            moment += loads[name]*bodies[f"gear.{name}.wheel"]["x"]
            for body, mass, ahead in (("strut", leg["low"], 0.3), ("wheel", leg["wheel"], 0), ("piston", PISTON, 0),
                                      ("leg", leg["tube"], 0.8 if name == "main" else 0.85)):
                place = bodies[f"gear.{name}.{body}"]
                moment -= mass*G*(place["x"] + ahead*math.cos(place["phi"]))
            if name == "main":                                                                    # the piston floats
                self.assertAlmostEqual(gas(leg, 0, low - up)/(gas(leg, 1, up) + PISTON*G*lean), 1, delta=1e-6)
        self.assertAlmostEqual((loads["main"] + loads["nose"])/(MASS*G), 1, delta=1e-6)           # (101.3)
        wing, hull = bodies["wing"], bodies["fuselage"]
        moment -= 24e3*G*wing["x"] + 34e3*G*(hull["x"] + 15*math.cos(hull["phi"]))
        self.assertLess(abs(moment), 1e-5*MASS*G*13.8)
        self.assertAlmostEqual(loads["nose"]/(MASS*G), 0.085, delta=0.005)

    def test_the_energy_of_the_sink_is_in_the_lines_of_the_ledger(self):
        run = self.json("run", MODEL, "-o", "l.h5", "--json", "--until", "0.45s", "--set", "run.output_step=1ms",
                        "--set", "run.tolerance=1e-6")
        energy = run["energy"]
        lines = {one["name"]: one for one in energy["elements"]}
        sink = 0.5*MASS*3**2
        left = energy["initial"] - energy["kinetic"] - energy["potential"] + sum(
            energy[k] for k in ("dampers", "applied", "friction", "impacts"))
        self.assertLess(abs(left), 1e-6*sink)
        self.assertAlmostEqual(energy["dampers"], sum(one["dampers"] for one in lines.values()), delta=1e-6*sink)
        self.assertAlmostEqual(energy["applied"], sum(one["applied"] for one in lines.values()), delta=1e-6*sink)
        table = csv.reader(io.StringIO(self.specht("csv", "l.h5", "--names", "gear.main.strut.joint.s,gear.main.strut.joint.v,"
                                                   "gear.main.piston.joint.s,N_main")[0]))
        rows = [[float(cell) for cell in row] for row in list(table)[1:]]
        s, up = -rows[-1][1], rows[-1][3]
        self.assertAlmostEqual(lines["gear.main.gas_1"]["stored"]/stored(MAIN, 0, s - up), 1, delta=1e-6)
        oil = 0                                       # c |v|^3 over the time
        for a, b in zip(rows, rows[1:]):
            oil += (b[0] - a[0])/2*sum((150e3 if row[2] < 0 else 700e3)*abs(row[2])**3 for row in (a, b))
        self.assertAlmostEqual(-lines["gear.main.oil"]["dampers"]/oil, 1, delta=1e-3)
        self.assertGreater(-energy["friction"], 4e3*0.35)                 # the seal alone, on its way of 0.35 m and more
        self.assertLess(lines["fuselage"]["dampers"], -1e3)
        self.assertLess(lines["gear.main.tyre"]["applied"], -1e5)              # spin-up
        self.assertGreater(max(row[4] for row in rows), 6e5)

    def test_a_landing_goes_through_many_structures(self):
        # certified, also where the seals let go while the guide's reaction falls
        for sets, until, least in (((), "2s", 15), (("v_y=-2", "pitch=0deg"), "0.5s", 8)):
            self.specht("run", MODEL, "-o", "m.h5", "-q", "--method", "moreau", "--step", "1ms", "--until", until,
                        "--set", "run.output_step=1ms", *[a for s in sets for a in ("--set", s)])
            table = csv.reader(io.StringIO(self.specht("csv", "m.h5", "--names", "gear.main.state,gear.nose.state")[0]))
            rows = list(table)[1:]
            self.assertGreaterEqual(len({(row[1], row[2]) for row in rows}), least)
            self.assertEqual((float(rows[0][1]), float(rows[0][2])), (0, 0))  # both hang in the air


if __name__ == "__main__":
    main()
