"""Families of small machines whose motion is known in closed form, drawn at random.

    tests/cli/families_round.py SPECHT FAMILY SEED COUNT     prints each machine that is not right, and the counts

Families: pulses (blocks with friction under short forces), walls (balls and boxes against slabs, posts and
turning plates); those of families_round.py.  Each machine is run by the default method and by `moreau` with a coarse step.  A run is
`right`; `doubtful` (exit code 1); `refused` (exit code 2); or `wrong`: finished without a word, and not right.
"""
import math
import os
import random
import subprocess
import tempfile

TIME_LIMIT = 60  # s; a run that takes longer hangs
G = 9.81


class Machine:
    """A model text and what has to be true at the end of its run: judge(values, energies) -> complaint or None."""

    def __init__(self, name, text, outputs, judge, coarse):
        self.name, self.text, self.outputs, self.judge, self.coarse = name, text, outputs, judge, coarse


# --- blocks with friction under pulses ------------------------------------------------------------------------------

def stop_time(v, a, b, s_end):
    """The first s > 0 with v + a s + b s^2/2 = 0 and falling, at most s_end; None if there is none."""
    if b == 0.0:
        s = -v / a if a < 0 else math.inf
        return s if s <= s_end else None
    d = a * a - 2 * b * v
    if d < 0:
        return None
    q = -(a + math.copysign(math.sqrt(d), a))
    roots = [r for r in ((q / b) if b else math.inf, (2 * v / q) if q else math.inf) if 0 < r <= s_end]
    roots = [r for r in roots if a + b * r < 0]
    return min(roots) if roots else None


def bell_slide(m, mu, peak, t_0, w, until):
    """(x, v) under F = peak exp(-((t - t_0)/w)^2): velocity by erf, the stop by bisection."""
    limit = mu * m * G
    if peak <= limit:
        return 0.0, 0.0
    half = w * math.sqrt(math.log(peak / limit))
    t_a = max(0.0, t_0 - half)  # it slides from the start where the force is above the limit there
    c = peak * w * math.sqrt(math.pi) / (2 * m)

    def speed(t):
        return c * (math.erf((t - t_0) / w) - math.erf((t_a - t_0) / w)) - mu * G * (t - t_a)

    def primitive(t):  # of erf((t - t_0)/w)
        z = (t - t_0) / w
        return w * (z * math.erf(z) + math.exp(-z * z) / math.sqrt(math.pi))

    def place(t):
        return (c * (primitive(t) - primitive(t_a) - math.erf((t_a - t_0) / w) * (t - t_a))
                - mu * G * (t - t_a) ** 2 / 2)

    low, high = t_0 + half, t_0 + half
    if speed(until) > 0:
        return place(until), speed(until)
    high = until
    for _ in range(200):
        mid = 0.5 * (low + high)
        low, high = (mid, high) if speed(mid) > 0 else (low, mid)
    return place(low), 0.0


def pulse_machine(rng, i):
    m, mu = rng.uniform(0.2, 5), rng.uniform(0.05, 0.5)
    w = 10 ** rng.uniform(-6, 0)
    until = 3.0
    t_0 = rng.uniform(0.2, 2.6 - w)
    v = 10 ** rng.uniform(-1, 0.7)
    F = m * v / w + mu * m * G
    kind = ("rectangle", "table", "bell", "window")[i % 4]
    if kind == "rectangle":
        text = f"if(t > {t_0!r} s and t < {t_0 + w!r} s, {F!r} N, 0 N)"
        force = [(0, 0), (t_0, 0), (t_0, F), (t_0 + w, F), (t_0 + w, 0), (until, 0)]
        pieces = [(a, b) for a, b in zip(force, force[1:]) if b[0] > a[0]]
        expected = slide_pieces(m, mu, pieces, until)
        functions = ""
    elif kind == "table":
        knots = [(0, 0), (t_0, 0), (t_0 + 0.3 * w, 2 * F), (t_0 + w, 0), (until + 1, 0)]
        functions = "functions: {F: {points: [" + ", ".join(
            f"[{a!r} s, {b!r} N]" for a, b in knots) + "], by: linear}}\n"
        text = "F(t)"
        expected = slide_pieces(m, mu, list(zip(knots, knots[1:])), until)
    elif kind == "bell":
        w /= 2
        t_0 += 5 * w if t_0 + 10 * w < until else 0
        text = f"{F!r} N * exp(-((t - {t_0!r} s)/({w!r} s))^2)"
        expected, functions = bell_slide(m, mu, F, t_0, w, until), ""
    else:  # a force that is a window of a ramp
        text = f"max(0 N, {F!r} N * (1 - abs(t - {t_0 + w / 2!r} s)/({w / 2!r} s)))"
        knots = [(0, 0), (t_0, 0), (t_0 + w / 2, F), (t_0 + w, 0), (until, 0)]
        expected, functions = slide_pieces(m, mu, list(zip(knots, knots[1:])), until), ""
    body = [
        f"  b: {{mass: {m!r} kg, inertia: 0.01, contours: {{c: {{box: [0.3, 0.1]}}}}}}\n",
        f"  b: {{mass: {m!r} kg, joint: {{prismatic: ground, axis: [1, 0]}}}}\n"][i // 4 % 2]
    boxed = i // 4 % 2 == 0
    contact = (f"contacts: {{f: {{between: [b, ground], law: {{mu: {mu!r}}}}}}}\nstart: {{b.y: 0.05 m}}\n" if boxed else
               f"couplings: {{f: {{of: b.x, friction: {mu * m * G!r} N}}}}\n")
    model = (f"specht: 1\nname: pulse\nspace: planar\ngravity: {G} m/s^2\n{functions}"
             f"bodies:\n  ground: {{contours: {{floor: {{line: [0, 1]}}}}}}\n{body}{contact}"
             f"forces: {{push: {{force: [\"{text}\", 0], on: b}}}}\nrun: {{until: {until} s}}\n")
    x, v_end = expected

    def judge(values, exact, dt):
        size = abs(x) + abs(v_end)
        # steps are of first order: slip begins and ends within a step, which moves velocity by mu g dt
        slack = 1e-6 * size + 1e-9 if exact else 4 * dt * (2 * F * w / m + mu * G * dt)
        if abs(values["b.x"] - x) > slack:
            return f"x = {values['b.x']!r}, {x!r} expected"
        if abs(values["b.vx"] - v_end) > slack:
            return f"vx = {values['b.vx']!r}, {v_end!r} expected"
        return None

    return Machine(f"pulse {i} ({kind}, {w:.3g} s, {'box' if boxed else 'coupling'})", model, ["b.x", "b.vx"], judge,
                   1e-3)


def slide_pieces(m, mu, pieces, until):
    """(x, v) at `until` of a block at rest under a force that is linear in time between knots, which reach to `until`.

    Velocity is quadratic, position cubic in time; the block starts where the force exceeds mu m g, which it does once
    in each piece at most, and stops where its velocity comes to zero.
    """
    x = v = 0.0
    limit = mu * m * G
    for (ta, fa), (tb, fb) in pieces:
        tb = min(tb, until)
        if tb <= ta:
            continue
        rate = (fb - fa) / (tb - ta)
        s = 0.0
        length = tb - ta
        if v == 0.0:
            if fa > limit:
                pass
            elif rate > 0 and fa + rate * length > limit:
                s = (limit - fa) / rate
            else:
                continue
        a, b = (fa + rate * s - limit) / m, rate / m
        if v == 0.0 and a == 0.0 and b <= 0.0:
            continue
        stop = stop_time(v, a, b, length - s)
        d = length - s if stop is None else stop
        x += v * d + a * d * d / 2 + b * d**3 / 6
        v = 0.0 if stop is not None else v + a * d + b * d * d / 2
    return x, v


# --- balls and boxes against slabs, posts and turning plates ---------------------------------------------------------

def wall_machine(rng, i):
    return (slab_ball, post_ball, plate_ball, slab_box)[i % 4](rng, i)


def header(space, name):
    return f"specht: 1\nname: {name}\nspace: {space}\ngravity: 0\n"


def slab_ball(rng, i):
    """A ball flies at a slab at an angle, without friction: the normal velocity turns by -eps."""
    space = i // 4 % 2 == 1
    v, angle = 10 ** rng.uniform(-1, 2), rng.uniform(-1.2, 1.2)
    d, r, eps = 10 ** rng.uniform(-3.3, -1.3), 10 ** rng.uniform(-3, -1), rng.uniform(0, 1)
    distance = rng.uniform(0.05, 2)
    vx, vy = v * math.cos(angle), v * math.sin(angle)
    t_hit = distance / vx
    until = t_hit * rng.uniform(1.2, 3)
    half = abs(vy) * until + 1 + distance
    x_hit = -d / 2 - r
    if space:
        text = (header("spatial", "slab") + f"bodies:\n  ground: {{contours: {{slab: {{box: [{d!r}, {2 * half!r}, 1]}}}}}}\n"
                f"  ball: {{mass: 1 kg, inertia: [1, 1, 1], contours: {{s: {{sphere: {r!r} m}}}}}}\n"
                f"contacts: {{k: {{between: [ball, ground], law: {{eps_N: {eps!r}}}}}}}\n"
                f"start: {{ball.x: {x_hit - distance!r}, ball.vx: {vx!r}, ball.vy: {vy!r}}}\nrun: {{until: {until!r} s}}\n")
    else:
        text = (header("planar", "slab") + f"bodies:\n  ground: {{contours: {{slab: {{polygon: [[{-d / 2!r}, {-half!r}], "
                f"[{d / 2!r}, {-half!r}], [{d / 2!r}, {half!r}], [{-d / 2!r}, {half!r}]]}}}}}}\n"
                f"  ball: {{mass: 1 kg, inertia: 1, contours: {{s: {{circle: {r!r} m}}}}}}\n"
                f"contacts: {{k: {{between: [ball, ground], law: {{eps_N: {eps!r}}}}}}}\n"
                f"start: {{ball.x: {x_hit - distance!r}, ball.vx: {vx!r}, ball.vy: {vy!r}}}\nrun: {{until: {until!r} s}}\n")
    x = x_hit - eps * vx * (until - t_hit)
    y = vy * until

    def judge(values, exact, dt):
        slack = 1e-8 * (1 + v * until) if exact else 4 * dt * v + 1e-8 * v * until
        for name, value in (("ball.x", x), ("ball.y", y)):
            if abs(values[name] - value) > slack:
                return f"{name} = {values[name]!r}, {value!r} expected"
        if abs(values["ball.vx"] + eps * vx) > 1e-8 * v:
            return f"vx = {values['ball.vx']!r}, {-eps * vx!r} expected"
        return None

    return Machine(f"slab {i} ({'space' if space else 'plane'}, {v:.3g} m/s, {d * 1e3:.3g} mm)", text,
                   ["ball.x", "ball.y", "ball.vx"], judge, until / 7.3)


def post_ball(rng, i):
    """A ball meets a round post beside its middle, without friction."""
    space = i // 4 % 2 == 1
    v = 10 ** rng.uniform(-1, 2)
    R, r, eps = 10 ** rng.uniform(-3.3, -1.7) / 2, 10 ** rng.uniform(-3, -1), rng.uniform(0, 1)
    b = rng.uniform(-0.9, 0.9) * (R + r)
    distance = rng.uniform(0.05, 2)
    x_hit = -math.sqrt((R + r) ** 2 - b * b)
    t_hit = distance / v
    until = t_hit * rng.uniform(1.2, 3)
    n = (x_hit / (R + r), b / (R + r))
    v_n = v * n[0]
    w = (v - (1 + eps) * v_n * n[0], -(1 + eps) * v_n * n[1])
    x, y = x_hit + w[0] * (until - t_hit), b + w[1] * (until - t_hit)
    post = f"{{sphere: {R!r} m}}" if space else f"{{circle: {R!r} m}}"
    ball = f"{{sphere: {r!r} m}}" if space else f"{{circle: {r!r} m}}"
    inertia = "[1, 1, 1]" if space else "1"
    text = (header("spatial" if space else "planar", "post") + f"bodies:\n  ground: {{contours: {{post: {post}}}}}\n"
            f"  ball: {{mass: 1 kg, inertia: {inertia}, contours: {{s: {ball}}}}}\n"
            f"contacts: {{k: {{between: [ball, ground], law: {{eps_N: {eps!r}}}}}}}\n"
            f"start: {{ball.x: {x_hit - distance!r}, ball.y: {b!r}, ball.vx: {v!r}}}\nrun: {{until: {until!r} s}}\n")

    def judge(values, exact, dt):
        if exact:
            slack = 1e-7 * (1 + v * until) * (1 + (until - t_hit) * v / (R + r) * 1e-3)
            for name, value in (("ball.x", x), ("ball.y", y)):
                if abs(values[name] - value) > slack:
                    return f"{name} = {values[name]!r}, {value!r} expected"
            return None
        speed = math.hypot(values["ball.vx"], values["ball.vy"])
        if math.hypot(values["ball.vx"] - v, values["ball.vy"]) < 1e-9 * v:
            return "the post was not hit"
        return None if speed <= v * (1 + 1e-9) else f"speed {speed!r} above {v!r}"

    return Machine(f"post {i} ({'space' if space else 'plane'}, {v:.3g} m/s, {2 * R * 1e3:.3g} mm)", text,
                   ["ball.x", "ball.y", "ball.vx", "ball.vy"], judge, until / 7.3)


def plate_ball(rng, i):
    """A thin plate, turned at a given speed about the origin, meets a ball at rest on the x axis.

    The plate's upper face at angle phi is at height h/2 above its middle line: it touches the ball at (a, 0) where
    a sin(phi) = -(h/2 + r), phi rising from below.  The ball leaves along the face's normal with (1 + eps) omega s,
    s = a cos(phi) the place along the plate.
    """
    omega = 10 ** rng.uniform(-0.5, 2)
    h, r, eps = 10 ** rng.uniform(-3.3, -1.7), 10 ** rng.uniform(-2.5, -1.3), rng.uniform(0.3, 1)
    a = rng.uniform(0.3, 1)
    phi_hit = -math.asin((h / 2 + r) / a)
    phi_0 = phi_hit - rng.uniform(0.3, 2.5)
    t_hit = (phi_hit - phi_0) / omega
    s = a * math.cos(phi_hit)
    w = (1 + eps) * omega * s
    after = 0.2 * eps / omega  # before the plate can catch up
    until = t_hit + after
    x, y = a - math.sin(phi_hit) * w * after, math.cos(phi_hit) * w * after
    text = (header("planar", "plate") + f"bodies:\n  plate: {{joint: {{revolute: ground, motion: \"{phi_0!r} rad + "
            f"{omega!r} rad/s * t\"}}, contours: {{p: {{polygon: [[-0.1, {-h / 2!r}], [1.5, {-h / 2!r}], [1.5, {h / 2!r}], "
            f"[-0.1, {h / 2!r}]]}}}}}}\n  ball: {{mass: 1 kg, inertia: 1, contours: {{s: {{circle: {r!r} m}}}}}}\n"
            f"contacts: {{k: {{between: [ball, plate], law: {{eps_N: {eps!r}}}}}}}\n"
            f"start: {{ball.x: {a!r}}}\nrun: {{until: {until!r} s}}\n")

    def judge(values, exact, dt):
        slack = 1e-7 if exact else 4 * dt * w + 0.3 * w * after
        for name, value in (("ball.x", x), ("ball.y", y)):
            if abs(values[name] - value) > slack:
                return f"{name} = {values[name]!r}, {value!r} expected"
        speed = math.hypot(values["ball.vx"], values["ball.vy"])
        wanted = 1e-7 if exact else 0.5
        return None if abs(speed - w) < wanted * w else f"speed {speed!r}, {w!r} expected"

    return Machine(f"plate {i} ({omega:.3g} rad/s, {h * 1e3:.3g} mm)", text,
                   ["ball.x", "ball.y", "ball.vx", "ball.vy"], judge, until / 17.3)


def slab_box(rng, i):
    """A turning box thrown at a slab with friction: it must not end behind it, and must not gain energy."""
    space = i // 4 % 2 == 1
    v = 10 ** rng.uniform(-1, 2)
    d, a = 10 ** rng.uniform(-3.3, -1.3), rng.uniform(0.02, 0.3)
    eps, mu = rng.uniform(0, 0.9), rng.uniform(0, 0.6)
    spin, phi = rng.uniform(-3, 3) * v / a / 3, rng.uniform(-3, 3)
    distance = a + rng.uniform(0.05, 1)
    until = distance / v * rng.uniform(1.5, 3)
    half = 3 + v * until
    law = f"law: {{eps_N: {eps!r}, mu: {mu!r}}}"
    if space:
        text = (header("spatial", "box") + f"bodies:\n  ground: {{contours: {{slab: {{box: [{d!r}, {2 * half!r}, {2 * half!r}]}}}}}}\n"
                f"  b: {{mass: 1 kg, inertia: [{a * a / 6!r}, {a * a / 6!r}, {a * a / 6!r}], contours: {{c: {{box: [{a!r}, {a!r}, {a!r}]}}}}}}\n"
                f"contacts: {{k: {{between: [b, ground], {law}}}}}\n"
                f"start: {{b.x: {-distance - d / 2!r}, b.vx: {v!r}, b.omega_x: {spin!r}, b.omega_y: {0.7 * spin!r}, b.omega_z: {-0.4 * spin!r}}}\n"
                f"run: {{until: {until!r} s}}\n")
    else:
        text = (header("planar", "box") + f"bodies:\n  ground: {{contours: {{slab: {{polygon: [[{-d / 2!r}, {-half!r}], [{d / 2!r}, {-half!r}], "
                f"[{d / 2!r}, {half!r}], [{-d / 2!r}, {half!r}]]}}}}}}\n"
                f"  b: {{mass: 1 kg, inertia: {a * a / 6!r}, contours: {{c: {{box: [{a!r}, {a!r}]}}}}}}\n"
                f"contacts: {{k: {{between: [b, ground], {law}}}}}\n"
                f"start: {{b.x: {-distance - d / 2!r}, b.vx: {v!r}, b.phi: {phi!r}, b.omega: {spin!r}}}\nrun: {{until: {until!r} s}}\n")

    def judge(values, exact, dt):
        if values["b.x"] > -0.49 * a:
            return f"x = {values['b.x']!r}: behind the slab, or in it"
        return None

    return Machine(f"box {i} ({'space' if space else 'plane'}, {v:.3g} m/s, {d * 1e3:.3g} mm)", text, ["b.x"], judge,
                   until / 7.3)


FAMILIES = {"pulses": pulse_machine, "walls": wall_machine}  # and those of families_round.py


# --- running and counting --------------------------------------------------------------------------------------------

def run(specht, folder, machine, arguments, exact, dt):
    """'right', 'doubtful', 'refused' or 'wrong', and why."""
    model, result = os.path.join(folder, "m.yaml"), os.path.join(folder, "m.h5")
    with open(model, "w", encoding="utf-8") as f:
        f.write(machine.text)
    try:
        done = subprocess.run([specht, "run", model, "-o", result, "--json", *arguments], capture_output=True, text=True,
                              timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return "wrong", "hangs"
    if done.returncode == 2:
        return "refused", done.stderr.strip()
    if done.returncode != 0:
        return "doubtful", done.stderr.strip()
    listed = subprocess.run([specht, "csv", result, "--names", ",".join(machine.outputs)], capture_output=True, text=True,
                            check=True).stdout.strip().split("\n")
    values = dict(zip(machine.outputs, map(float, listed[-1].split(",")[1:])))
    complaint = machine.judge(values, exact, dt)
    return ("wrong", complaint) if complaint else ("right", "")


METHODS = ("default", "moreau")


def sweep(specht, family, seed, count, report=print):
    """Run `count` machines of a family; returns the counts by method and verdict."""
    counts = {method: dict.fromkeys(("right", "wrong", "doubtful", "refused"), 0) for method in METHODS}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            rng = random.Random(f"{family} {seed} {i}")
            machine = FAMILIES[family](rng, i)
            for name in METHODS:
                exact = name == "default"
                arguments = [] if exact else ["--method", "moreau", "--step", repr(machine.coarse)]
                verdict, why = run(specht, folder, machine, arguments, exact, machine.coarse)
                counts[name][verdict] += 1
                if verdict != "right":
                    report(f"{verdict:9s} {machine.name}, {name}: {why[:300]}")
    return counts

