import { describe, expect, test } from 'vitest';
import { crankRun, IMPACT_EVERY, report } from '../../fixtures/fixture';
import { parseReport } from '../../src/logic/data';
import * as T from '../../src/logic/timeline';
import type { Body } from '../../src/logic/types';

const body = (columns: string[], rows: number[][]): Body => ({
    name: 'b',
    columns,
    shapes: [],
    pose: Float64Array.from(rows.flat()),
});
const PLANE = ['x', 'y', 'phi'];
const SPACE = ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'];

describe('frames', () => {
    test('the frame of a time is the last one not after it', () => {
        const time = [0, 1, 1, 2, 5];
        expect([-1, 0, 0.5, 1, 1.5, 2, 4.9, 5, 9].map((t) => T.frameIndex(time, t))).toEqual([
            0, 0, 0, 2, 2, 3, 3, 4, 4,
        ]);
        expect(T.frameIndex([], 1)).toBe(0);
    });

    test('a search over many frames agrees with looking at all of them', () => {
        const time = Array.from({ length: 500 }, (_, i) => Math.floor(i * i * 0.37) / 10);
        for (let t = -1; t < 9500; t += 13.7) {
            let slow = 0;
            time.forEach((x, i) => (slow = x <= t ? i : slow));
            expect(T.frameIndex(time, t)).toBe(slow);
        }
    });

    test('places between frames, also where two frames share a time', () => {
        expect(T.placeAt([0, 2], 0.5)).toEqual({ i: 0, s: 0.25 });
        expect(T.placeAt([0, 1, 1, 2], 1)).toEqual({ i: 2, s: 0 });
        expect(T.placeAt([0, 2], 7)).toEqual({ i: 1, s: 0 });
        expect(T.placeAt([0, 2], -7)).toEqual({ i: 0, s: 0 });
    });

    test('a value beside a missing one is missing', () => {
        expect(T.valueAt([1, NaN], { i: 0, s: 0.5 })).toBeNaN();
        expect(T.valueAt([1, NaN], { i: 0, s: 0 })).toBe(1);
    });
});

describe('poses', () => {
    test('in the plane place and angle are linear', () => {
        const out = new Float64Array(7);
        expect(
            T.poseAt(
                body(PLANE, [
                    [0, 1, 0],
                    [2, 3, Math.PI],
                ]),
                { i: 0, s: 0.5 },
                out,
            ),
        ).toBe(true);
        const expected = [1, 2, 0, Math.cos(Math.PI / 4), 0, 0, Math.sin(Math.PI / 4)];
        out.forEach((x, k) => expect(x).toBeCloseTo(expected[k]!, 12));
    });

    test('in space turns go the shorter way at constant speed', () => {
        const turn = (a: number): number[] => [Math.cos(a / 2), 0, Math.sin(a / 2), 0];
        for (const sign of [1, -1]) {
            const b = body(SPACE, [
                [0, 0, 0, ...turn(0.2)],
                [1, 1, 1, ...turn(1.4).map((x) => sign * x)],
            ]);
            const out = new Float64Array(7);
            T.poseAt(b, { i: 0, s: 0.25 }, out);
            turn(0.5).forEach((x, k) => expect(out[3 + k]).toBeCloseTo(x, 12));
        }
    });

    test('quaternions stay of length one between nearly equal turns', () => {
        const out = new Float64Array(7);
        T.poseAt(
            body(SPACE, [
                [0, 0, 0, 1, 0, 0, 0],
                [0, 0, 0, 1, 1e-9, 0, 0],
            ]),
            { i: 0, s: 0.5 },
            out,
        );
        expect(Math.hypot(...out.slice(3))).toBeCloseTo(1, 14);
    });

    test('a pose with NaN is none, a body without columns stands still', () => {
        const out = new Float64Array(7);
        expect(T.poseAt(body(PLANE, [[0, NaN, 0]]), { i: 0, s: 0 }, out)).toBe(false);
        expect(
            T.poseAt({ name: 'g', columns: [], shapes: [], pose: null }, { i: 0, s: 0 }, out),
        ).toBe(true);
        expect([...out]).toEqual([0, 0, 0, 1, 0, 0, 0]);
    });
});

describe('events', () => {
    const run = parseReport(JSON.stringify(report(crankRun())))[0]!;
    const times = T.eventTimes(run.events);

    test('every time occurs once', () => {
        expect(times.length).toBe(15);
        expect(times[3]).toBeCloseTo(4 * IMPACT_EVERY, 12);
    });

    test('next and previous leave the event one stands on', () => {
        expect(T.nextTime(times, 0)).toBe(times[0]);
        expect(T.nextTime(times, times[0]!)).toBe(times[1]);
        expect(T.nextTime(times, times[14]!)).toBeNull();
        expect(T.previousTime(times, times[1]!)).toBe(times[0]);
        expect(T.previousTime(times, times[0]!)).toBeNull();
        expect(T.previousTime(times, 1)).toBe(times[14]);
        expect(T.nextTime(new Float64Array(0), 0)).toBeNull();
        expect(T.previousTime(new Float64Array(0), 0)).toBeNull();
    });

    test('walking on and back visits every event', () => {
        let t: number | null = 0;
        let n = 0;
        while ((t = T.nextTime(times, t)) !== null) n++;
        expect(n).toBe(15);
        for (t = 1; (t = T.previousTime(times, t)) !== null;) n--;
        expect(n).toBe(0);
    });

    test('an impact glows at its time and fades', () => {
        const at = (t: number): number[] =>
            T.flashesAt(Float64Array.from([1, 2]), t, 0.1).map((f) => f.strength);
        expect(at(0.9)).toEqual([]);
        expect(at(1)).toEqual([1]);
        expect(at(1.1)[0]).toBeCloseTo(Math.exp(-1), 12);
        expect(at(1.9)).toEqual([]);
        expect(T.flashesAt(new Float64Array(1000), 0, 1, 48).length).toBe(48);
    });
});

describe('playing', () => {
    test('speeds go from 1/1000 to 100 in steps of 1, 2, 5', () => {
        const stops = T.speedStops(0.2);
        expect(stops[0]).toBe(0.001);
        expect(stops[stops.length - 1]).toBe(100);
        expect(stops).toContain(1);
        expect(stops.length).toBe(16);
        stops.forEach((s, k) => k > 0 && expect(s / stops[k - 1]!).toBeLessThanOrEqual(2.5 + 1e-9));
        expect(stops.map(T.speedText).slice(0, 4)).toEqual([
            '1/1000 ×',
            '1/500 ×',
            '1/200 ×',
            '1/100 ×',
        ]);
    });

    test('a very short run can be slowed down enough, one without length has the usual speeds', () => {
        expect(T.speedStops(1e-5)[0]! * 20).toBeLessThanOrEqual(1e-5);
        expect(T.speedStops(0)).toEqual(T.speedStops(1));
    });

    test('a run of 0.2 s starts at 1/100, one of a minute in real time or faster', () => {
        expect(T.startingSpeed(0.2, T.speedStops(0.2))).toBe(0.01);
        expect(T.startingSpeed(60, T.speedStops(60))).toBeGreaterThanOrEqual(2);
    });

    test('time runs on, stops at the end or wraps', () => {
        expect(T.advance(0, 0.5, 0.1, 0, 1, false)).toEqual({ t: 0.05, ended: false });
        expect(T.advance(0.9, 5, 0.1, 0, 1, false)).toEqual({ t: 1, ended: true });
        const wrapped = T.advance(0.9, 5, 0.1, 0, 1, true);
        expect(wrapped.ended).toBe(false);
        expect(wrapped.t).toBeCloseTo(0.4, 12);
    });
});

test('vectors between frames', () => {
    const out = new Float64Array(3);
    const values = Float32Array.from([0, 0, 0, 9, 9, 9, 2, 4, 6, 9, 9, 9]);
    expect(T.vectorAt(values, 6, 0, { i: 0, s: 0.5 }, out)).toBe(true);
    expect([...out]).toEqual([1, 2, 3]);
    expect(T.vectorAt(Float32Array.from([NaN, 0, 0]), 3, 0, { i: 0, s: 0 }, out)).toBe(false);
});
