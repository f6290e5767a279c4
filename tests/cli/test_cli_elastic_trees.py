"""Random trees of rigid and elastic bodies, some of which hit a floor, never gain energy."""
import os
import random

from cli_support import Case, main

COUNT = 200 if os.environ.get("SPECHT_FULL") else 12


def place(draw, space):
    """A place on a beam of 1 m, or beside it on a rigid body."""
    return "[%.3g m, 0%s]" % (draw.choice((0.5, 1.0)), ", 0" if space else "")


def tree(draw):
    """Beams and rods on hinges and slides, on each other or on the ground; tips may hit a floor."""
    space = draw.random() < 0.4
    lines = ["specht: 1", "space: %s" % ("spatial" if space else "planar"),
             "gravity: %s" % ("[0, -9.81 m/s^2, 0]" if space else "9.81 m/s^2"), "bodies:",
             "  ground: {contours: {floor: {%s}}}" % ("plane: [0, 1, 0], at: [0, -0.7 m, 0]" if space
                                                      else "line: [0, 1], at: [0, -0.7 m]")]
    start, contacts, elastic = [], [], []
    for i in range(draw.randint(2, 4)):
        on = draw.randrange(-1, i)
        parent, at = ("ground", "") if on < 0 else ("b%d" % on, ", at: " + place(draw, space))
        bends = draw.random() < 0.7 or (i == 0)
        axis = ", axis: [%.3g, %.3g, 1]" % (draw.uniform(-1, 1), draw.uniform(-1, 1)) if space else ""
        kind = draw.random()
        joint = "revolute: %s%s%s" % (parent, at, axis)
        if on >= 0 and elastic[on] and kind < 0.3:
            joint = "prismatic: %s, at: [0.4 m, 0%s], axis: [1, 0%s], follows: axis, stiffness: 200 N/m" % (
                (parent,) + (", 0",) * 2 if space else (parent, "", ""))
            start.append("b%d.joint.v: %.3g m/s" % (i, draw.uniform(-1, 1)))
        else:
            start.append("b%d.joint.omega: %.3g rad/s" % (i, draw.uniform(-3, 3)))
        beam = "beam: {length: 1 m, section: {circle: %.3g mm}, young: %.3g GPa, density: 2000 kg/m^3%s}" % (
            draw.uniform(5, 12), draw.uniform(1, 20), ", shear: 0.9" if draw.random() < 0.3 else "")
        ends = draw.choice(("clamped-free", "pinned-free", "pinned-pinned"))
        deforms = ", elastic: {bending: %d%s%s, ends: %s, damping: %.2g}" % (
            draw.randint(1, 2), ", stretch: 1" if draw.random() < 0.3 else "",
            ", torsion: 1" if space and draw.random() < 0.5 else "", ends, draw.choice((0.0, 0.02))) if bends else ""
        hits = draw.random() < 0.4
        lines.append("  b%d: {%s%s, joint: {%s}%s}" % (
            i, beam, deforms, joint, ", contours: {tip: {%s}}" % (
                "sphere: 2 cm, at: [1 m, 0, 0]" if space else "circle: 2 cm, at: [1 m, 0]") if hits else ""))
        if hits:
            contacts.append("  c%d: {between: [b%d.tip, ground.floor], law: {eps_N: %.2g, mu: %.2g}}" % (
                i, i, draw.choice((0.0, 0.5)), draw.choice((0.0, 0.3))))
        elastic.append(bends)
    if contacts:
        lines += ["contacts:"] + contacts
    return "\n".join(lines + ["start: {%s}" % ", ".join(start), "run: {until: 0.3 s, output_step: 5 ms}", ""])


class Trees(Case):
    def test_random_trees_never_gain_energy(self):
        ran = 0
        for seed in range(COUNT):
            path = self.write("tree.yaml", tree(random.Random(9700 + seed)))
            method = ("auto", "moreau", "auto")[seed % 3]
            args = ("--step", "20 us") if method == "moreau" else ()
            self.specht("run", path, "-q", "-o", "out.h5", "--method", method, *args)
            head, *rows = self.specht("csv", "out.h5")[0].strip().splitlines()
            names = [name.split("[")[0] for name in head.split(",")]
            kinetic, potential = (names.index("energy." + n) for n in ("kinetic", "potential"))
            energy = [float(row.split(",")[kinetic]) + float(row.split(",")[potential]) for row in rows]
            size = max(float(row.split(",")[kinetic]) for row in rows)
            error = 1e-7 if method == "auto" else 2e-2  # steps of 20 us: their own error
            lowest = energy[0]
            for e in energy:
                self.assertLess(e - lowest, error * size, (seed, method))
                lowest = min(lowest, e)
            ran += 1
        self.assertEqual(ran, COUNT)


if __name__ == "__main__":
    main()
