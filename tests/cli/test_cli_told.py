"""What the program tells beside numbers: what it moved, left out, and whose contact it was."""
from cli_support import Case, main

# A point of 2 kg that begins far below the floor: opening the gap takes m g h = 20 J, ten times what it has there.
SUNK = """\
specht: 1
space: planar
gravity: 10 m/s^2
bodies:
  ground: {contours: {floor: {line: [0, 1]}}}
  box: {mass: 2 kg, inertia: 0.1, contours: {b: {point: [0, 0]}}}
contacts: {c: {between: [box, ground], law: {mu: 0.3}}}
start: {box.y: -1 m}
run: {until: 0.1 s, method: event, start: project}
"""


class Projection(Case):
    def test_what_start_project_moved_is_told_and_booked(self):
        self.write("sunk.yaml", SUNK)
        note = "sunk.yaml:9:1: note: start: project moved 'box' by 1 m: contact 'c' was closed by 1 m; energy +20 J"
        for command in ("check", "run"):
            _, err = self.specht(command, "sunk.yaml")
            self.assertIn(note, err)
        got = self.json("run", "sunk.yaml", "--json")
        self.assertAlmostEqual(got["energy"]["initial"], -20, places=12)
        self.assertAlmostEqual(got["energy"]["projection"], 20, places=12)
        events = self.json("events", "sunk.h5", "--json")
        self.assertEqual((events[0]["kind"], events[0]["contact"], events[0]["t"]), ("project", "c", 0))
        self.assertAlmostEqual(events[0]["energy_lost"], -20, places=12)
        out, _ = self.specht("events", "sunk.h5", "--kind", "project")
        self.assertIn("gaps of the start opened, energy +20 J", out)


if __name__ == "__main__":
    main()
