// How elastic bodies deform: functions of a beam, sampled along its axis.
import { frameIndex, type Place } from './timeline';
import type { Body, Flex } from './types';

type Vec3 = [number, number, number];
const ROW = 6; // of a station: place x y z, rotation vector

/** v turned by a rotation vector: v + a w x v + b w x (w x v). */
export function turned(w: ArrayLike<number>, v: ArrayLike<number>): Vec3 {
    const size2 = w[0]! ** 2 + w[1]! ** 2 + w[2]! ** 2;
    const size = Math.sqrt(size2);
    const small = size < 1e-4; // the series is exact to round-off there
    const a = small ? 1 - size2 / 6 : Math.sin(size) / size;
    const b = small ? 0.5 - size2 / 24 : (1 - Math.cos(size)) / size2;
    const cross = (p: ArrayLike<number>, q: ArrayLike<number>): Vec3 => [
        p[1]! * q[2]! - p[2]! * q[1]!,
        p[2]! * q[0]! - p[0]! * q[2]!,
        p[0]! * q[1]! - p[1]! * q[0]!,
    ];
    const c = cross(w, v);
    const d = cross(w, c);
    return [v[0]! + a * c[0] + b * d[0], v[1]! + a * c[1] + b * d[1], v[2]! + a * c[2] + b * d[2]];
}

/**
 * Places of the axis and rotation vectors of its sections at all stations, six numbers each, for
 * coordinates times a factor; null for bodies that are rigid.   theory (72.1), (72.14)
 */
export function bendAt(body: Body, at: Place, factor: number): Float64Array | null {
    const flex = body.flex;
    const e = flex?.e;
    if (!flex || !e) return null;
    const { x, modes } = flex;
    const n = modes.length;
    const out = new Float64Array(ROW * x.length);
    const a = at.i * n;
    const b = at.s === 0 || a + n >= e.length ? a : a + n;
    x.forEach((place, s) => (out[ROW * s] = place));
    modes.forEach(({ along, about, way, turn }, k) => {
        const size = factor * (e[a + k]! + at.s * (e[b + k]! - e[a + k]!));
        for (let s = 0; s < x.length && Number.isFinite(size); s++) {
            if (along >= 0) out[ROW * s + along]! += size * way[s]!;
            if (about >= 0) out[ROW * s + 3 + about]! += size * turn[s]!;
        }
    });
    follow(flex, out);
    return out;
}

/** Beyond the linear part the axis follows its sections: the integral of R e_x - e_x - theta x e_x
 * from the place where the frame is, by the trapezoidal rule. */
function follow({ x, from }: Flex, out: Float64Array): void {
    const sum = new Float64Array(3 * x.length);
    let before: Vec3 = [0, 0, 0];
    for (let s = 0; s < x.length; s++) {
        const w = out.subarray(ROW * s + 3, ROW * s + 6);
        const r = turned(w, [1, 0, 0]);
        const f: Vec3 = [r[0] - 1, r[1] - w[2]!, r[2] + w[1]!];
        for (let c = 0; c < 3 && s > 0; c++) {
            sum[3 * s + c] = sum[3 * s - 3 + c]! + ((x[s]! - x[s - 1]!) * (f[c]! + before[c]!)) / 2;
        }
        before = f;
    }
    const { i, next, s } = between(x, from);
    for (let c = 0; c < 3; c++) {
        const origin = sum[3 * i + c]! + s * (sum[3 * next + c]! - sum[3 * i + c]!);
        for (let k = 0; k < x.length; k++) out[ROW * k + c]! += sum[3 * k + c]! - origin;
    }
}

/** The stations beside a place of the axis and the part of the way between them; in its ends. */
function between(x: number[], at: number): { i: number; next: number; s: number; on: number } {
    const last = x.length - 1;
    const on = Math.min(Math.max(at, x[0]!), x[last]!);
    const i = Math.min(frameIndex(x, on), Math.max(last - 1, 0));
    const next = Math.min(i + 1, last);
    return { i, next, s: next > i ? (on - x[i]!) / (x[next]! - x[i]!) : 0, on };
}

/** Where a place of the body at rest is, in its own frame: it goes along with the section there;
 * what lies beyond an end goes with that. */
export function bent(flex: Flex, bend: Float64Array, p: ArrayLike<number>): Vec3 {
    const { i, next, s, on } = between(flex.x, p[0]!);
    const at = (c: number): number =>
        bend[ROW * i + c]! + s * (bend[ROW * next + c]! - bend[ROW * i + c]!);
    const arm = turned([at(3), at(4), at(5)], [p[0]! - on, p[1]!, p[2] ?? 0]);
    return [at(0) + arm[0], at(1) + arm[1], at(2) + arm[2]];
}

/** A way through points with the stations in it, so that it can bend. */
export function cut(flex: Flex, line: ArrayLike<number>[]): number[][] {
    const out: number[][] = [];
    line.forEach((p, k) => {
        out.push(Array.from(p));
        const q = line[k + 1];
        const way = q ? q[0]! - p[0]! : 0;
        if (!q || way === 0) return;
        const parts = flex.x.map((x) => (x - p[0]!) / way).filter((s) => s > 1e-9 && s < 1 - 1e-9);
        if (way < 0) parts.reverse();
        for (const s of parts) out.push(Array.from(p, (c, j) => c + s * (q[j]! - c)));
    });
    return out;
}
