// Shapes of planar bodies as lines and areas; how large a scene is.
import { bendAt, bent } from '../logic/flex';
import { poseAt } from '../logic/timeline';
import type { Body, Run, Shape } from '../logic/types';

export type Vec2 = [number, number];

export interface Drawing {
    areas: Vec2[][];
    lines: Vec2[][]; // strong
    thin: Vec2[][]; // hatching, marks
}

const ARC = 64; // corners of a circle
const INFINITE = new Set(['line', 'plane']);

/** Arc around a centre, both ends included. */
export function arc(cx: number, cy: number, r: number, from: number, to: number, n = ARC): Vec2[] {
    const points: Vec2[] = [];
    for (let k = 0; k <= n; k++) {
        const a = from + ((to - from) * k) / n;
        points.push([cx + r * Math.cos(a), cy + r * Math.sin(a)]);
    }
    return points;
}

const circle = (cx: number, cy: number, r: number): Vec2[] => arc(cx, cy, r, 0, 2 * Math.PI);

/** Bar with round ends. */
export function stadium(a: Vec2, b: Vec2, r: number): Vec2[] {
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const half = Math.PI / 2;
    const points = [
        ...arc(b[0], b[1], r, angle - half, angle + half, 16),
        ...arc(a[0], a[1], r, angle + half, angle + 3 * half, 16),
    ];
    return [...points, points[0]!];
}

/** Strokes on the side of the material, as on a drawing board. */
function hatch(from: Vec2, to: Vec2, normal: Vec2, step: number): Vec2[][] {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const d: Vec2 = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const strokes: Vec2[][] = [];
    const n = Math.min(Math.floor(length / step), 400);
    for (let k = 0; k <= n; k++) {
        const p: Vec2 = [from[0] + d[0] * k * step, from[1] + d[1] * k * step];
        strokes.push([
            p,
            [p[0] - (normal[0] + d[0]) * step * 0.7, p[1] - (normal[1] + d[1]) * step * 0.7],
        ]);
    }
    return strokes;
}

/** Turn about z that a quaternion stands for. */
function angleOf(turn: number[] | undefined): number {
    return turn && turn.length === 4 ? 2 * Math.atan2(turn[3]!, turn[0]!) : 0;
}

/** Points of a shape in the frame of its body: turned, then moved. */
function placed(shape: Shape, points: Vec2[]): Vec2[] {
    const angle = angleOf(shape.turn);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [x = 0, y = 0] = shape.at ?? [];
    return points.map(([a, b]) => [x + c * a - s * b, y + s * a + c * b]);
}

function corners(shape: Shape): Vec2[] {
    return (shape.points ?? []).filter((p) => p.length >= 2).map((p) => [p[0]!, p[1]!]);
}

function closed(points: Vec2[]): Vec2[] {
    return points.length > 0 ? [...points, points[0]!] : points;
}

const unit = ([x, y]: Vec2): Vec2 => {
    const length = Math.hypot(x, y);
    return length > 0 ? [x / length, y / length] : [0, 1];
};

/** A planar shape; 'size' is that of the scene, 'center' its middle (for lines without end). */
export function drawShape(shape: Shape, size: number, center: Vec2): Drawing {
    const none: Drawing = { areas: [], lines: [], thin: [] };
    const r = shape.radius ?? 0;
    const points = corners(shape);
    const step = size * 0.03;
    switch (shape.kind) {
        case 'point': {
            const [p] = placed(shape, points.length > 0 ? [points[0]!] : [[0, 0]]) as [Vec2];
            const ring = circle(p[0], p[1], size * (shape.name === 'joint' ? 0.008 : 0.005));
            return { ...none, areas: [ring], lines: [ring] };
        }
        case 'line':
        case 'plane':
            return endlessLine(shape, points, size, center, step);
        case 'segment': {
            if (points.length < 2) return none;
            const [a, b] = placed(shape, points) as [Vec2, Vec2];
            if (shape.normal) {
                const n = unit([shape.normal[0] ?? 0, shape.normal[1] ?? 1]);
                return { ...none, lines: [[a, b]], thin: hatch(a, b, n, step) };
            }
            return bar(a, b, r > 0 ? r : size * 0.011, true);
        }
        case 'curve':
            return curve(placed(shape, points), step);
        case 'capsule': {
            const half = (shape.length ?? 0) / 2;
            const [a, b] = placed(
                shape,
                points.length >= 2
                    ? points
                    : [
                          [-half, 0],
                          [half, 0],
                      ],
            ) as [Vec2, Vec2];
            return bar(a, b, r, shape.name === 'link');
        }
        case 'circle':
        case 'sphere':
        case 'cylinder': {
            const [c, edge] = placed(shape, [
                points[0] ?? [0, 0],
                [(points[0]?.[0] ?? 0) + r, points[0]?.[1] ?? 0],
            ]) as [Vec2, Vec2];
            return {
                areas: [circle(c[0], c[1], r)],
                lines: [circle(c[0], c[1], r)],
                thin: [[c, edge]],
            };
        }
        case 'hollow': {
            const [c] = placed(shape, [points[0] ?? [0, 0]]) as [Vec2];
            return { ...none, lines: [circle(c[0], c[1], r)], thin: hollowHatch(c, r, step) };
        }
        case 'polygon': {
            const ring = placed(shape, points);
            return ring.length >= 3 ? { ...none, areas: [ring], lines: [closed(ring)] } : none;
        }
        case 'box': {
            const [w = 0, h = 0] = shape.size ?? [];
            const ring = placed(shape, [
                [-w / 2, -h / 2],
                [w / 2, -h / 2],
                [w / 2, h / 2],
                [-w / 2, h / 2],
            ]);
            return { ...none, areas: [ring], lines: [closed(ring)] };
        }
        default:
            return none;
    }
}

function bar(a: Vec2, b: Vec2, r: number, pins: boolean): Drawing {
    const outline = stadium(a, b, r);
    return {
        areas: [outline],
        lines: [outline],
        thin: pins ? [circle(a[0], a[1], r * 0.42), circle(b[0], b[1], r * 0.42)] : [],
    };
}

/** Twice the area inside a ring of points, positive if it runs counter-clockwise. */
function area(ring: Vec2[]): number {
    return ring.reduce((sum, [x, y], k) => {
        const [a, b] = ring[(k + 1) % ring.length]!;
        return sum + x * b - a * y;
    }, 0);
}

/** Points along a curve, material on their left: filled if it is inside, else hatched. */
function curve(points: Vec2[], step: number): Drawing {
    if (points.length < 2) return { areas: [], lines: [], thin: [] };
    const [first, last] = [points[0]!, points[points.length - 1]!];
    const closes = points.length > 3 && first[0] === last[0] && first[1] === last[1];
    if (closes && area(points) > 0) return { areas: [points], lines: [points], thin: [] };
    return { areas: [], lines: [points], thin: hatchAlong(points, step) };
}

/** Strokes to the left of a way through points. */
function hatchAlong(points: Vec2[], step: number): Vec2[][] {
    const strokes: Vec2[][] = [];
    let next = step / 2; // way to the next stroke
    for (let k = 0; k + 1 < points.length && strokes.length < 800; k++) {
        const [a, b] = [points[k]!, points[k + 1]!];
        const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const d = unit([b[0] - a[0], b[1] - a[1]]);
        for (; next <= length && strokes.length < 800; next += step) {
            const p: Vec2 = [a[0] + d[0] * next, a[1] + d[1] * next];
            strokes.push([
                p,
                [p[0] - (d[1] + d[0]) * step * 0.7, p[1] + (d[0] - d[1]) * step * 0.7],
            ]);
        }
        next -= length;
    }
    return strokes;
}

function endlessLine(
    shape: Shape,
    points: Vec2[],
    size: number,
    center: Vec2,
    step: number,
): Drawing {
    const n = unit([shape.normal?.[0] ?? 0, shape.normal?.[1] ?? 1]);
    const d: Vec2 = [n[1], -n[0]];
    const at: Vec2 = [shape.at?.[0] ?? points[0]?.[0] ?? 0, shape.at?.[1] ?? points[0]?.[1] ?? 0];
    const along = (center[0] - at[0]) * d[0] + (center[1] - at[1]) * d[1];
    const end = (s: number): Vec2 => [at[0] + d[0] * (along + s), at[1] + d[1] * (along + s)];
    const [a, b] = [end(-size * 1.5), end(size * 1.5)];
    return { areas: [], lines: [[a, b]], thin: hatch(a, b, n, step) };
}

/** Strokes around a hole. */
function hollowHatch(c: Vec2, r: number, step: number): Vec2[][] {
    const n = Math.min(Math.max(12, Math.round((2 * Math.PI * r) / step)), 200);
    const strokes: Vec2[][] = [];
    for (let k = 0; k < n; k++) {
        const a = (2 * Math.PI * k) / n;
        const out = a + 0.7 * (step / Math.max(r, step));
        strokes.push([
            [c[0] + r * Math.cos(a), c[1] + r * Math.sin(a)],
            [c[0] + (r + step * 0.7) * Math.cos(out), c[1] + (r + step * 0.7) * Math.sin(out)],
        ]);
    }
    return strokes;
}

/** Corners of a box around a shape, in the frame of its body; none for shapes without end. */
export function extent(shape: Shape): number[][] {
    if (INFINITE.has(shape.kind)) return [];
    if (shape.kind === 'curve') {
        return placed(shape, corners(shape)).map(([x, y]) => [x, y, 0]);
    }
    const [x = 0, y = 0, z = 0] = shape.at ?? [];
    const [w = 0, h = 0, d = 0] = shape.size ?? [];
    const r = shape.radius ?? 0;
    // solids with an axis may be turned any way
    const long = r + (shape.points ? 0 : (shape.length ?? 0) / 2);
    const half = [
        w / 2 + (shape.length ? long : r),
        h / 2 + (shape.length ? long : r),
        d / 2 + long,
    ];
    const centers = shape.points?.length ? shape.points : [[0, 0, 0]];
    const box: number[][] = [];
    for (const p of centers) {
        for (const sx of [-1, 1]) {
            for (const sy of [-1, 1]) {
                for (const sz of [-1, 1]) {
                    box.push([
                        (p[0] ?? 0) + sx * half[0]! + x,
                        (p[1] ?? 0) + sy * half[1]! + y,
                        (p[2] ?? 0) + sz * half[2]! + z,
                    ]);
                }
            }
        }
    }
    return box;
}

/** The middle of what a body shows, in its own frame. */
export function bodyMiddle(body: Body): [number, number, number] {
    const points = body.shapes.flatMap(extent);
    if (points.length === 0) return [0, 0, 0];
    const middle = (k: number): number => {
        let [low, high] = [Infinity, -Infinity];
        for (const p of points) {
            low = Math.min(low, p[k]!);
            high = Math.max(high, p[k]!);
        }
        return (low + high) / 2;
    };
    return [middle(0), middle(1), middle(2)];
}

/** v turned by the quaternion in pose[3..6] and moved by pose[0..2]. */
export function transform(pose: Float64Array, v: ArrayLike<number>): [number, number, number] {
    const [px, py, pz, w, x, y, z] = pose as unknown as number[];
    const [a, b, c] = [v[0]!, v[1]!, v[2] ?? 0];
    const tx = 2 * (y! * c - z! * b);
    const ty = 2 * (z! * a - x! * c);
    const tz = 2 * (x! * b - y! * a);
    return [
        px! + a + w! * tx + y! * tz - z! * ty,
        py! + b + w! * ty + z! * tx - x! * tz,
        pz! + c + w! * tz + x! * ty - y! * tx,
    ];
}

export interface Bounds {
    low: [number, number, number];
    high: [number, number, number];
}

const SAMPLES = 160; // frames looked at

/** Box around everything that moves and stands, over the whole run. */
export function sceneBounds(run: Run): Bounds {
    const low: [number, number, number] = [Infinity, Infinity, Infinity];
    const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    const add = (p: ArrayLike<number>): void => {
        for (let k = 0; k < 3; k++) {
            if (p[k]! < low[k]!) low[k] = p[k]!;
            if (p[k]! > high[k]!) high[k] = p[k]!;
        }
    };
    const pose = new Float64Array(7);
    const n = run.time.length;
    const every = Math.max(1, Math.ceil(n / SAMPLES));
    for (const body of run.bodies) {
        const points = body.shapes.flatMap(extent);
        const shown =
            points.length > 0
                ? points
                : body.shapes.length > 0 || body.pose === null
                  ? []
                  : [[0, 0, 0]];
        for (let i = 0; i < n && shown.length > 0; i += every) {
            if (!poseAt(body, { i, s: 0 }, pose)) continue;
            const bend = bendAt(body, { i, s: 0 }, 1);
            shown.forEach((p) => add(transform(pose, bend ? bent(body.flex!, bend, p) : p)));
        }
    }
    for (const spring of run.springs) {
        for (let i = 0; i < n; i += every) {
            add(spring.ends.subarray(6 * i, 6 * i + 3));
            add(spring.ends.subarray(6 * i + 3, 6 * i + 6));
        }
    }
    if (!low.every(Number.isFinite) || !high.every(Number.isFinite)) {
        return { low: [-1, -1, -1], high: [1, 1, 1] };
    }
    return { low, high };
}
