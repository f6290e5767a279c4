// Time: frames, what lies between them, events, speeds.
import type { Body, EventTable, Numbers } from './types';

/** A place between two frames: frame i and the part s in [0, 1) of the way to frame i + 1. */
export interface Place {
    i: number;
    s: number;
}

/** Index of the last frame whose time is not after t; 0 before the first, n - 1 after the last. */
export function frameIndex(time: ArrayLike<number>, t: number): number {
    let low = 0;
    let high = time.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (time[middle]! <= t) low = middle + 1;
        else high = middle;
    }
    return Math.max(low - 1, 0);
}

/** Where t lies among the frames. */
export function placeAt(time: ArrayLike<number>, t: number): Place {
    const i = frameIndex(time, t);
    if (i + 1 >= time.length || t <= time[i]!) {
        return { i, s: 0 };
    }
    const step = time[i + 1]! - time[i]!;
    return { i, s: step > 0 ? Math.min((t - time[i]!) / step, 1) : 0 };
}

/** Linear between frames; NaN where either neighbour is missing. */
export function valueAt(values: ArrayLike<number>, place: Place): number {
    const a = values[place.i] ?? NaN;
    return place.s === 0 ? a : a + place.s * ((values[place.i + 1] ?? NaN) - a);
}

/** Three numbers of a row of an n x 3 array, between frames; false if one is missing. */
export function vectorAt(
    values: Numbers,
    width: number,
    offset: number,
    place: Place,
    out: Float64Array,
): boolean {
    const a = place.i * width + offset;
    const b = place.s === 0 ? a : a + width;
    let good = true;
    for (let k = 0; k < 3; k++) {
        out[k] = values[a + k]! + place.s * (values[b + k]! - values[a + k]!);
        good &&= Number.isFinite(out[k]);
    }
    return good;
}

/** Turn quaternion p towards q by the part s, along the shorter arc. */
function slerp(p: ArrayLike<number>, a: number, b: number, s: number, out: Float64Array): void {
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += p[a + k]! * p[b + k]!;
    const sign = dot < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(Math.abs(dot), 1));
    const sine = Math.sin(angle);
    const near = sine < 1e-6;
    const wa = near ? 1 - s : Math.sin((1 - s) * angle) / sine;
    const wb = sign * (near ? s : Math.sin(s * angle) / sine);
    let length = 0;
    for (let k = 0; k < 4; k++) {
        out[3 + k] = wa * p[a + k]! + wb * p[b + k]!;
        length += out[3 + k]! ** 2;
    }
    length = Math.sqrt(length);
    for (let k = 0; k < 4; k++) out[3 + k]! /= length;
}

/**
 * Pose of a body between frames: out = x y z qw qx qy qz.  Places and angles are linear in time,
 * turns in space follow the shorter arc.  False if the body has no pose there.
 */
export function poseAt(body: Body, place: Place, out: Float64Array): boolean {
    const pose = body.pose;
    const n = body.columns.length;
    if (!pose || n === 0) {
        out.set([0, 0, 0, 1, 0, 0, 0]);
        return body.columns.length === 0;
    }
    const a = place.i * n;
    const b = place.s === 0 || a + n >= pose.length ? a : a + n;
    const between = (k: number): number => pose[a + k]! + place.s * (pose[b + k]! - pose[a + k]!);
    if (n === 3) {
        const half = between(2) / 2;
        out.set([between(0), between(1), 0, Math.cos(half), 0, 0, Math.sin(half)]);
    } else {
        out.set([between(0), between(1), between(2)]);
        slerp(pose, a + 3, b + 3, place.s, out);
    }
    return out.every(Number.isFinite);
}

/** Times of events, each once, rising. */
export function eventTimes(events: EventTable): Float64Array {
    const times: number[] = [];
    for (const t of events.t) {
        if (Number.isFinite(t) && t !== times[times.length - 1]) times.push(t);
    }
    return Float64Array.from(times);
}

/** The first event time after t, null if there is none; times within slack of t count as t. */
export function nextTime(times: Float64Array, t: number, slack = 0): number | null {
    for (let i = frameIndex(times, t); i < times.length; i++) {
        if (times[i]! > t + slack) return times[i]!;
    }
    return null;
}

/** The last event time before t, null if there is none. */
export function previousTime(times: Float64Array, t: number, slack = 0): number | null {
    for (let i = frameIndex(times, t); i >= 0; i--) {
        if (times[i]! < t - slack) return times[i]!;
    }
    return null;
}

/** Speeds 1, 2, 5, 10, ... from 1/1000 (slower if the run is very short) to 100 times real time. */
export function speedStops(duration: number): number[] {
    const slowest =
        duration > 0 ? Math.max(Math.min(-3, Math.floor(Math.log10(duration / 20))), -9) : -3;
    const stops: number[] = [];
    for (let decade = slowest; decade < 2; decade++) {
        for (const digit of [1, 2, 5]) {
            stops.push(decade < 0 ? digit / 10 ** -decade : digit * 10 ** decade);
        }
    }
    stops.push(100);
    return stops;
}

/** The stop at which a run lasts nearest to some seconds on the wall. */
export function startingSpeed(duration: number, stops: number[], seconds = 15): number {
    const wanted = Math.log(Math.max(duration, 1e-12) / seconds);
    const away = (speed: number): number => Math.abs(Math.log(speed) - wanted);
    return stops.reduce((best, speed) => (away(speed) < away(best) ? speed : best), stops[0]!);
}

/** '1/100 ×', '1 ×', '20 ×'. */
export function speedText(speed: number): string {
    return speed < 1 ? `1/${Math.round(1 / speed)} ×` : `${Math.round(speed)} ×`;
}

export interface Flash {
    event: number;
    strength: number; // 1 at the impact, then fading
    age: number; // s since the impact, in time of the run
}

/** Impacts that still glow at t: the strength falls by e every tau.  At most 'most', newest first. */
export function flashesAt(times: Float64Array, t: number, tau: number, most = 48): Flash[] {
    const flashes: Flash[] = [];
    if (times.length === 0 || !(t >= times[0]!)) return flashes;
    for (let i = frameIndex(times, t); i >= 0 && flashes.length < most; i--) {
        const age = t - times[i]!;
        const strength = Math.exp(-age / tau);
        if (strength < 0.04) break;
        flashes.push({ event: i, strength, age });
    }
    return flashes;
}

/** The moment a player is at: t runs with the wall clock times speed, and stops or wraps at the end. */
export function advance(
    t: number,
    wall: number,
    speed: number,
    start: number,
    end: number,
    loop: boolean,
): { t: number; ended: boolean } {
    const next = t + wall * speed;
    if (next < end) return { t: next, ended: false };
    if (loop && end > start) return { t: start + ((next - start) % (end - start)), ended: false };
    return { t: end, ended: true };
}
