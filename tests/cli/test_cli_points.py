"""Functions whose points stand in a file."""
from cli_support import Case, main

MODEL = """\
specht: 1
name: Curve from a file
space: planar
gravity: 0
functions: {F: %s}
bodies: {m: {mass: 1 kg, joint: {prismatic: ground, axis: [1, 0]}}}
forces: {push: {force: [F(t), 0], on: m}}
run: {until: 0.4 s, output_step: 0.1 s}
"""


class Points(Case):
    def test_a_file_gives_the_same_run_as_points(self):
        self.write("curve.csv", "t [ms], F [N]\n0, 0\n# up and down\n100, 10\n300, -5\n")
        self.write("semi.csv", "t [ms]; F [N]\r\n0; 0\r\n100; 10\r\n300; -5\r\n")
        for name, function in (("a", "{points: [[0, 0], [100, 10], [300, -5]], units: [ms, N], by: linear}"),
                               ("b", "{file: curve.csv, by: linear}"), ("c", "{file: semi.csv, by: linear}")):
            self.write(name + ".yaml", MODEL % function)
            self.specht("run", name + ".yaml")
        rows = [self.specht("csv", name + ".h5", "--names", "m.vx")[0] for name in "abc"]
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(rows[0], rows[2])
        self.assertAlmostEqual(float(rows[0].splitlines()[-1].split(",")[1]), 0.5 + 0.5 - 0.5 - 0.375, delta=1e-9)

    def test_messages_name_the_file_line_and_column(self):
        for text, said in (("t [s], F [N]\n0, 0\n2, 1\n1, 3\n", "bad.csv:4:1: function 'F': points: x = 1 in point 3 is not above the 2"),
                           ("t [s], F [N]\n0, 0\n2, 1\n2, 3\n", "leave one of two with the same x"),
                           ("t [s], F [N], G\n0, 0, 0\n2, 1, 1\n", "bad.csv:2:1: "),
                           ("t [s], F [N]\n0, 0\n2, x\n", "bad.csv:3:4: function 'F': points: unknown name 'x'"),
                           ("t [s], F [Q]\n0, 0\n2, 1\n", "bad.csv:1:8: function 'F': units: unknown unit 'Q'"),
                           ("t [s], F [N]\n0, 0\n", "two or more points"),
                           ("", "no names of columns")):
            self.write("bad.csv", text)
            self.write("m.yaml", MODEL % "{file: bad.csv}")
            _, err = self.specht("check", "m.yaml", code=2)
            self.assertIn(said, err)
        self.write("m.yaml", MODEL % "{file: none.csv}")
        self.assertIn("m.yaml:5:23: function 'F': 'none.csv' cannot be read", self.specht("check", "m.yaml", code=2)[1])
        self.write("m.yaml", MODEL % "{file: bad.csv, points: [[0 s, 0 N], [1 s, 1 N]]}")
        self.assertIn("'file' has the points and units, expected no others", self.specht("check", "m.yaml", code=2)[1])


if __name__ == "__main__":
    main()
