"""Tables of a model in CSV files: the same machine as written in the model, mistakes, what results keep."""
import os

from cli_support import Case, main

STAGES = """\
# teeth, inertia and play of the loose wheels
name,   teeth, J [kg*m^2], play [mm], at [mm]
first,  45,    2.4e-3,     0.12,      10
"third", 32,   1e-3 kg*m^2, 2*a,      "20"

fifth,  24,    5e-4,       90 um,     30
"""
MODEL = """\
specht: 1
name: Loose wheels
space: planar
gravity: 0 m/s^2
parameters: {a: 0.05 mm}
tables: {stages: %s}
bodies: {wheel: {each: stages, inertia: J, joint: {revolute: ground, at: [at, 0]}}}
couplings: {play: {each: stages, of: 1 m * wheel.(i).phi, range: [-play, play], law: {eps_N: 0.9}}}
start: {wheel.omega: teeth * 1 rad/s}
outputs: {third: wheel.third.omega}
run: {until: 20 ms, method: moreau, step: 0.1 ms}
"""
INSIDE = ("{columns: [teeth, J, play, at], units: [1, kg*m^2, mm, mm], rows: {first: [45, 2.4e-3, 0.12, 10], "
          "third: [32, 1e-3, 0.1, 20], fifth: [24, 5e-4, 0.09, 30]}}")


class Tables(Case):
    """Tables beside the model."""

    def columns(self, name):
        out, _ = self.specht("csv", name)
        return out

    def test_a_file_says_the_same_as_the_model(self):
        self.write("stages.csv", STAGES)
        self.write("semicolons.csv", STAGES.replace(",", ";").replace("\n", "\r\n"))
        for name, table in (("a", INSIDE), ("b", "{file: stages.csv}"), ("c", "{file: semicolons.csv}")):
            self.write(name + ".yaml", MODEL % table)
            self.specht("run", name + ".yaml", "-q", "-o", name + ".h5")
        self.assertEqual(self.columns("a.h5"), self.columns("b.h5"))
        self.assertEqual(self.columns("a.h5"), self.columns("c.h5"))
        self.assertIn("wheel.fifth", self.columns("b.h5").splitlines()[0])

    def test_a_run_goes_on_with_the_table_that_it_had(self):
        self.write("stages.csv", STAGES)
        self.write("b.yaml", MODEL % "{file: stages.csv}")
        self.specht("run", "b.yaml", "-q", "-o", "b.h5", "--checkpoint")
        self.specht("run", "b.yaml", "-q", "--resume", "b.h5", "-o", "rest.h5", "--until", "30ms")
        self.write("stages.csv", STAGES.replace("90 um", "80 um"))
        out, err = self.specht("run", "b.yaml", "-q", "--resume", "b.h5", "-o", "rest.h5", "--until", "30ms", code=2)
        self.assertIn("stages.csv", err)

    def test_mistakes_are_reported_in_the_file_of_the_table(self):
        self.write("b.yaml", MODEL % "{file: stages.csv}")
        for old, new, message in (
            ("", None, "b.yaml:6:25: table 'stages': 'stages.csv' cannot be read: No such file or directory"),
            ("45,    2.4e-3,     0.12, ", "45,    2.4e-3, ",
             "stages.csv:3:1: table 'stages': row 'first' has 3 cells, expected 4: there is none for column 'at'"),
            ("J [", "K [", "b.yaml:7:41: body 'wheel.first': inertia: unknown name 'J'"),
            ("24, ", "24 kg, ", "stages.csv:6:9: table 'stages': teeth = 24 kg is a mass [kg], expected a pure number"),
            ("fifth", "first", "stages.csv:6:1: there is a row 'first' already, expected another name for every row"),
            ("fifth", "5th", "stages.csv:6:1: row '5th': not a name"),
            ("[mm], at", "[mmm], at", "stages.csv:2:28: table 'stages': units: unknown unit 'mmm'"),
            (STAGES, "name\nfirst, 2\n", "stages.csv:1:1: table 'stages': columns has 0 entries, expected at least 1"),
            (STAGES, "\n# nothing\n", "stages.csv:3:1: no names of columns, expected a first line with them"),
        ):
            if new is not None:
                self.write("stages.csv", STAGES.replace(old, new))
            _, err = self.specht("check", "b.yaml", code=2)
            self.assertIn(message, err)
        os.remove(self.path("stages.csv"))
        self.write("b.yaml", MODEL % "{file: stages.csv, rows: [[1]]}")
        _, err = self.specht("check", "b.yaml", code=2)
        self.assertIn("table 'stages': 'file' has the columns and rows, expected no others", err)


if __name__ == "__main__":
    main()
