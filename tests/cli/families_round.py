"""Points, balls and ellipsoids against thin smooth surfaces in space, without friction; and rods, cylinders and
turning plates.  See families.py.

An obstacle tells a place P of its border at which the plane through P across its normal n has all of it on one side.
What flies at P from the other side touches nothing before, and leaves along that side.
"""
import json
import math
import sys

import families


# --- vectors --------------------------------------------------------------------------------------------------------

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def axpy(a, s, b):
    return [x + s * y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return [x / math.sqrt(dot(a, a)) for x in a]


def random_unit(rng):
    return unit([rng.gauss(0, 1) for _ in range(3)])


def support(half, n):
    """The place of an ellipsoid about the origin with outward normal n."""
    h = math.sqrt(sum((a * x) ** 2 for a, x in zip(half, n)))
    return [a * a * x / h for a, x in zip(half, n)]


# --- obstacles: (contour, P, n) ----------------------------------------------------------------------------------------

def thin(rng):
    return 10 ** rng.uniform(-3.6, -1.6)


def ellipsoid(rng):
    half = [rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5), thin(rng)]
    P, n = support_near(rng, half)
    return f"{{ellipsoid: [{half[0]!r}, {half[1]!r}, {half[2]!r}]}}", P, n


def support_near(rng, half):
    """A place anywhere on an ellipsoid: normals of thin ones are mostly along the short axis."""
    e = random_unit(rng)
    P = [a * x for a, x in zip(half, e)]
    return P, unit([x / a for a, x in zip(half, e)])


def ellipsoid_by_formula(rng):
    half = [rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5), thin(rng)]
    P, n = support_near(rng, half)
    return (f"{{surface: [\"{half[0]!r} m * cos(v) * cos(u)\", \"{half[1]!r} m * cos(v) * sin(u)\", \"{half[2]!r} m * sin(v)\"], "
            f"u: [0, 2*pi], v: [-pi/2, pi/2]}}"), P, n


def lens(rng):
    a, c = rng.uniform(0.05, 0.5), thin(rng)
    P, n = support_near(rng, [a, a, c])
    return f"{{revolved: [\"{a!r} m * cos(s)\", \"{c!r} m * sin(s)\"], over: [-pi/2, pi/2]}}", P, n


def ring(rng):
    R, r = rng.uniform(0.05, 0.3), thin(rng)
    u, v = rng.uniform(0, 2 * math.pi), rng.uniform(-1.3, 1.3)
    n = [math.cos(v) * math.cos(u), math.cos(v) * math.sin(u), math.sin(v)]
    return (f"{{torus: [{R!r}, {r!r}]}}",
            [(R + r * math.cos(v)) * math.cos(u), (R + r * math.cos(v)) * math.sin(u), r * math.sin(v)], n)


def blade(rng):
    """An ellipse drawn out."""
    a, b, z = rng.uniform(0.05, 0.3), thin(rng), rng.uniform(-0.4, 0.4)
    s = rng.uniform(0, 2 * math.pi)
    n = unit([b * math.cos(s), a * math.sin(s), 0.0])
    return (f"{{extruded: [\"{a!r} m * cos(s)\", \"{b!r} m * sin(s)\"], over: [0, 2*pi], length: 1}}",
            [a * math.cos(s), b * math.sin(s), z], n)


def cap(rng):
    """A sheet, bent downwards."""
    k, w = (rng.uniform(0.1, 2), rng.uniform(0.1, 2)), rng.uniform(0.1, 0.4)
    u, v = rng.uniform(-0.9, 0.9) * w, rng.uniform(-0.9, 0.9) * w
    return (f"{{surface: [\"u * 1 m\", \"v * 1 m\", \"-({k[0]!r} * u^2 + {k[1]!r} * v^2) * 1 m\"], u: [{-w!r}, {w!r}], v: [{-w!r}, {w!r}]}}",
            [u, v, -k[0] * u * u - k[1] * v * v], unit([2 * k[0] * u, 2 * k[1] * v, 1.0]))


def post(rng):
    r, z, u = thin(rng), rng.uniform(-0.4, 0.4), rng.uniform(0, 2 * math.pi)
    n = [math.cos(u), math.sin(u), 0.0]
    return f"{{cylinder: {r!r}, length: 1}}", [r * n[0], r * n[1], z], n


OBSTACLES = (ellipsoid, ring, lens, blade, cap, post, ellipsoid_by_formula)


def hit(P, n, v, t_hit):
    """Where something that meets P with velocity v starts."""
    return axpy(P, -t_hit, v)


def surface_machine(rng, i):
    obstacle = OBSTACLES[i % len(OBSTACLES)]
    contour, P, n = obstacle(rng)
    striker = ("sphere", "point", "sphere", "ellipsoid")[i // len(OBSTACLES) % 4]
    speed, alpha, eps = 10 ** rng.uniform(-1, 2), rng.uniform(0, 1.2), rng.uniform(0.05, 1)
    t = unit(cross(n, random_unit(rng)))
    v = axpy([-speed * math.cos(alpha) * x for x in n], speed * math.sin(alpha), t)
    t_hit = rng.uniform(0.05, 2) / speed
    if striker == "ellipsoid":
        half = [10 ** rng.uniform(-2, -1) for _ in range(3)]
        arm = support(half, [-x for x in n])
        form = f"{{ellipsoid: [{half[0]!r}, {half[1]!r}, {half[2]!r}]}}"
    else:
        r = 10 ** rng.uniform(-3, -1) if striker == "sphere" else 0.0
        arm = [-r * x for x in n]
        form = f"{{sphere: {r!r}}}" if r else "{point: [0, 0, 0]}"
    until = t_hit * rng.uniform(1.2, 3)
    middle = axpy(P, -1.0, arm)
    start = axpy(middle, -t_hit, v)
    inertia = 1e9  # nothing turns
    w = axpy(v, -(1 + eps) * dot(v, n), n)
    text = (families.header("spatial", "surface") + f"bodies:\n  ground: {{contours: {{o: {contour}}}}}\n"
            f"  b: {{mass: 1 kg, inertia: [{inertia!r}, {inertia!r}, {inertia!r}], contours: {{c: {form}}}}}\n"
            f"contacts: {{k: {{between: [b, ground], law: {{eps_N: {eps!r}}}}}}}\n"
            "start: {" + ", ".join(f"b.{k}: {x!r}" for k, x in zip("xyz", start)) + ", "
            + ", ".join(f"b.v{k}: {x!r}" for k, x in zip("xyz", v)) + f"}}\nrun: {{until: {until!r} s}}\n")
    end = axpy(middle, until - t_hit, w)

    def judge(values, exact, dt):
        place = [values[f"b.{k}"] for k in "xyz"]
        velocity = [values[f"b.v{k}"] for k in "xyz"]
        if not exact:  # steps have the normal of a place a little deeper
            if math.sqrt(dot(velocity, velocity)) > speed * (1 + 1e-9):
                return f"velocity {velocity}: faster than {speed}"
            turned = dot(axpy(velocity, -1.0, v), n)
            return None if turned > 0.1 * dot(axpy(w, -1.0, v), n) else f"velocity {velocity}, {v} before"
        for got, wanted, slack, what in ((velocity, w, 1e-6 * speed, "velocity"), (place, end, 1e-7 * (1 + speed * until), "place")):
            if math.dist(got, wanted) > slack:
                return f"{what} {got}, {wanted} expected"
        return None

    return families.Machine(f"surface {i} ({striker} on {obstacle.__name__}, {speed:.3g} m/s)", text,
                            [f"b.{k}" for k in ("x", "y", "z", "vx", "vy", "vz")],
                            judge, until / 7.3)


# --- rods, cylinders, cones and plates: shapes with edges, and turning ones --------------------------------------------

def shape_machine(rng, i):
    return (rod_on_rod, ball_on_barrel, ball_on_plate, rod_on_slab)[i % 4](rng, i)


def thrown(rng, name, ground, body, P, n, arm, measure):
    """Something without spin that meets the ground at P: as in surface_machine."""
    speed, alpha, eps = 10 ** rng.uniform(-1, 2), rng.uniform(0, 1.1), rng.uniform(0.05, 1)
    t = unit(cross(n, random_unit(rng)))
    v = axpy([-speed * math.cos(alpha) * x for x in n], speed * math.sin(alpha), t)
    t_hit = measure(v, rng) / speed
    until = t_hit * rng.uniform(1.2, 3)
    middle = axpy(P, -1.0, arm)
    start, w = axpy(middle, -t_hit, v), axpy(v, -(1 + eps) * dot(v, n), n)
    text = (families.header("spatial", "shape") + f"bodies:\n  ground: {{contours: {{o: {ground}}}}}\n"
            f"  b: {{mass: 1 kg, inertia: [1e9, 1e9, 1e9], contours: {{c: {body}}}}}\n"
            f"contacts: {{k: {{between: [b, ground], law: {{eps_N: {eps!r}}}}}}}\n"
            "start: {" + ", ".join(f"b.{k}: {x!r}" for k, x in zip("xyz", start)) + ", "
            + ", ".join(f"b.v{k}: {x!r}" for k, x in zip("xyz", v)) + f"}}\nrun: {{until: {until!r} s}}\n")
    end = axpy(middle, until - t_hit, w)

    def judge(values, exact, dt):
        place = [values[f"b.{k}"] for k in "xyz"]
        velocity = [values[f"b.v{k}"] for k in "xyz"]
        if not exact:
            if math.sqrt(dot(velocity, velocity)) > speed * (1 + 1e-9):
                return f"velocity {velocity}: faster than {speed}"
            turned = dot(axpy(velocity, -1.0, v), n)
            return None if turned > 0.1 * dot(axpy(w, -1.0, v), n) else f"velocity {velocity}, {v} before"
        for got, wanted, slack, what in ((velocity, w, 1e-6 * speed, "velocity"), (place, end, 1e-7 * (1 + speed * until), "place")):
            if math.dist(got, wanted) > slack:
                return f"{what} {got}, {wanted} expected"
        return None

    return families.Machine(f"{name} ({speed:.3g} m/s)", text, [f"b.{k}" for k in ("x", "y", "z", "vx", "vy", "vz")],
                            judge, until / 7.3)


def rod_on_rod(rng, i):
    """Two capsules across each other, or a ball on one."""
    d, e = random_unit(rng), random_unit(rng)
    while abs(dot(d, e)) > 0.9:
        e = random_unit(rng)
    n = unit(cross(d, e))
    R, r = thin(rng), thin(rng)
    P = axpy([R * x for x in n], rng.uniform(-0.3, 0.3), d)
    arm = axpy([-r * x for x in n], rng.uniform(-0.3, 0.3), e)
    rod = "{{capsule: {!r}, length: 0.8, axis: {!r}}}"
    return thrown(rng, f"rod on rod {i}", rod.format(R, d), rod.format(r, e), P, n, arm, lambda v, g: g.uniform(0.1, 2))


def ball_on_barrel(rng, i):
    """A ball on the side of a disc, frustum or cylinder without ends, thin across."""
    kind = ("cylinder", "disc", "capsule", "frustum")[i // 4 % 4]
    R, u = thin(rng), rng.uniform(0, 2 * math.pi)
    n = [math.cos(u), math.sin(u), 0.0]
    P = [R * n[0], R * n[1], rng.uniform(-0.3, 0.3)]
    form = {"cylinder": f"{{cylinder: {R!r}}}", "capsule": f"{{capsule: {R!r}, length: 0.8}}",
            "disc": f"{{disc: {R!r}, length: 0.8}}", "frustum": f"{{frustum: [{R!r}, {R!r}], length: 0.8, at: [0, 0, -0.4]}}"}[kind]
    r = 10 ** rng.uniform(-3, -1)
    return thrown(rng, f"ball on {kind} {i}", form, f"{{sphere: {r!r}}}", P, n, [-r * x for x in n], lambda v, g: g.uniform(0.1, 2))


def ball_on_plate(rng, i):
    """A thin plate in space turns at a given speed about z and meets a ball at rest: plate_ball of families.py in space."""
    m = families.plate_ball(rng, i)
    text = m.text.replace("space: planar", "space: spatial").replace("inertia: 1,", "inertia: [1, 1, 1],").replace("{circle:", "{sphere:")
    a = text.index("{polygon: [[-0.1, ") + len("{polygon: [[-0.1, ")
    h = -2 * float(text[a:text.index("]", a)])
    b = text.index("}}}", a)
    text = text[:a - len("{polygon: [[-0.1, ")] + f"{{box: [1.6, {h!r}, 1], at: [0.7, 0, 0]}}" + text[b + 1:]
    text = text.replace("{revolute: ground,", "{revolute: ground, axis: [0, 0, 1],")
    return families.Machine(m.name + " in space", text, m.outputs, m.judge, m.coarse)


def rod_on_slab(rng, i):
    """A ball, rod or ellipsoid on the face of a thin box that is larger than its way."""
    d = thin(rng)
    n, P = [1.0, 0.0, 0.0], [d / 2, 0.0, 0.0]
    kind = ("rod", "ball", "box")[i // 4 % 3]
    if kind == "rod":
        e, r = random_unit(rng), thin(rng)
        body = f"{{capsule: {r!r}, length: 0.3, axis: {e!r}}}"
        arm = axpy([-r, 0.0, 0.0], -0.15 * math.copysign(1, e[0]), e)
    elif kind == "ball":
        r = thin(rng)
        body, arm = f"{{sphere: {r!r}}}", [-r, 0.0, 0.0]
    else:
        a = [rng.uniform(0.01, 0.2) for _ in range(3)]
        body, arm = f"{{box: {a!r}, turn: [{{x: 0.3 rad}}]}}", [-a[0] / 2, 0.0, 0.0]
    return thrown(rng, f"{kind} on slab {i}", f"{{box: [{d!r}, 200, 200]}}", body, P, n, arm, lambda v, g: g.uniform(0.1, 2))


families.FAMILIES.update({"surfaces": surface_machine, "shapes": shape_machine})

if __name__ == "__main__":
    print(json.dumps(families.sweep(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
