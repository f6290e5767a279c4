#!/usr/bin/python3
"""Write a bar of C3D20 elements for CalculiX: node sets ROOT and TIP are its end faces.

    python3 mesh.py > arm.inp
    specht reduce arm.inp -o arm.h5 --modes 4 --interface ROOT,TIP
"""
import sys

CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
           (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
           (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]


def lines_of(numbers):
    """Numbers in lines of 15, with a comma behind all but the last."""
    texts = [str(x) for x in numbers]
    return ",\n".join(", ".join(texts[k:k + 15]) for k in range(0, len(texts), 15)) + "\n"


def bar(n, size, young=210e9, poisson=0.3, density=7850.0):
    """A bar along x from the origin, n = (nx, ny, nz) elements, size in metres."""
    ids, places, elements = {}, [], []

    def node(at):
        if at not in ids:
            ids[at] = len(ids) + 1
            x = [at[0] * size[0] / (2 * n[0])]
            x += [(at[d] / (2 * n[d]) - 0.5) * size[d] for d in (1, 2)]
            places.append(f"{ids[at]}, " + ", ".join(f"{c:.12g}" for c in x) + "\n")
        return ids[at]

    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                corners = [node((2 * i + a, 2 * j + b, 2 * k + c)) for a, b, c in CORNERS]
                elements.append(lines_of([len(elements) + 1] + corners))
    ends = [sorted(v for key, v in ids.items() if key[0] == x) for x in (0, 2 * n[0])]
    return ("*HEADING\nbar\n*NODE\n" + "".join(places) + "*ELEMENT, TYPE=C3D20, ELSET=BODY\n" + "".join(elements) +
            "*NSET, NSET=ROOT\n" + lines_of(ends[0]) + "*NSET, NSET=TIP\n" + lines_of(ends[1]) +
            f"*MATERIAL, NAME=M\n*ELASTIC\n{young!r}, {poisson!r}\n*DENSITY\n{density!r}\n"
            "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n")


if __name__ == "__main__":
    sys.stdout.write(bar((12, 1, 1), (0.3, 0.02, 0.006)))
