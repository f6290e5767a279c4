import { describe, expect, test } from 'vitest';
import { pack, range } from '../../fixtures/fixture';
import { parseReport } from '../../src/logic/data';
import { bendAt, bent, cut, turned } from '../../src/logic/flex';
import type { Run } from '../../src/logic/types';
import { sceneBounds } from '../../src/scene/shapes';

const N = 64;
const x = range(N + 1).map((k) => k / N);
const zero = x.map(() => 0);
// constant curvature along y (about z), along z (about -y), stretch
const modes = [
    { along: 1, about: 2, way: x.map((s) => (s * s) / 2), turn: x },
    { along: 2, about: 1, way: x.map((s) => (s * s) / 2), turn: x.map((s) => -s) },
    { along: 0, about: -1, way: x, turn: zero },
];
const at = { i: 0, s: 0 };

/** A run of one beam of length 1 with two frames. */
function beam(e: number[], from = 0, change: object = {}): Run {
    const flex = { from, x, modes, e: pack('f64', [0, 0, 0, ...e]) };
    const points = [
        [0, 0],
        [1, 0],
        [1, 0.1],
    ];
    const body = {
        name: 'beam',
        columns: ['x', 'y', 'phi'],
        pose: pack('f64', [0, 0, 0, 0, 0, 0]),
        shapes: [{ kind: 'polygon', points }],
        flex,
        ...change,
    };
    const run = { time: pack('f64', [0, 1]), bodies: [body] };
    return parseReport(JSON.stringify({ format: 1, runs: [run] }))[0]!;
}

const place = (run: Run, p: number[], factor = 1, s = 1): number[] => {
    const body = run.bodies[0]!;
    return bent(body.flex!, bendAt(body, { i: 0, s }, factor)!, p);
};
const near = (a: number[], b: number[], slack: number): void =>
    a.forEach((v, k) => expect(Math.abs(v - b[k]!)).toBeLessThan(slack));

describe('elastic bodies', () => {
    test('a beam of constant curvature is an arc as long as the beam, for any factor', () => {
        for (const [e, factor] of [
            [0.3, 1],
            [0.15, 2],
            [0.2, 7],
        ] as const) {
            const c = e * factor;
            const tip = [Math.sin(c) / c, (1 - Math.cos(c)) / c, 0];
            const h = 0.05; // a place beside the axis goes along with the section
            // the trapezoidal rule: c^2/(12 N^2)
            const slack = (c * c) / (12 * N * N) + 1e-12;
            near(place(beam([e, 0, 0]), [1, 0], factor), tip, slack);
            near(
                place(beam([e, 0, 0]), [1, h], factor),
                [tip[0]! - h * Math.sin(c), tip[1]! + h * Math.cos(c), 0],
                slack,
            );
            near(place(beam([0, e, 0]), [1, 0, 0], factor), [tip[0]!, 0, tip[1]!], slack);
        }
    });

    test('stretch moves the axis along it, and nothing moves for the factor 0', () => {
        near(place(beam([0, 0, 0.1]), [0.5, 0.2]), [0.55, 0.2, 0], 1e-12);
        near(place(beam([0.4, 0.2, 0.1]), [0.5, 0.2, 0.1], 0), [0.5, 0.2, 0.1], 1e-12);
        near(place(beam([0.4, 0.2, 0.1]), [0.5, 0.2, 0.1], 1, 0), [0.5, 0.2, 0.1], 1e-12);
    });

    test('coordinates are linear between frames, and what lies beyond an end goes with it', () => {
        near(place(beam([0.4, 0, 0]), [1, 0], 1, 0.5), place(beam([0.2, 0, 0]), [1, 0]), 1e-12);
        const run = beam([0.3, 0, 0]);
        const [end, beyond] = [place(run, [1, 0]), place(run, [1.5, 0])];
        near(beyond, [end[0]! + 0.5 * Math.cos(0.3), end[1]! + 0.5 * Math.sin(0.3), 0], 1e-12);
    });

    test('shortening counts from where the frame is', () => {
        const run = beam([0.5, 0, 0], 1);
        const [start, end] = [place(run, [0, 0]), place(run, [1, 0])];
        expect(end[0]).toBeCloseTo(1, 12);
        expect(start[0]).toBeCloseTo(1 - Math.sin(0.5) / 0.5, 4);
    });

    test('a vector turns by its rotation vector', () => {
        near(turned([0, 0, Math.PI / 2], [1, 0, 0]), [0, 1, 0], 1e-15);
        near(turned([0, 2e-5, 0], [1, 0, 0]), [Math.cos(2e-5), 0, -Math.sin(2e-5)], 1e-16);
    });

    test('lines are cut at all stations, in their order', () => {
        const flex = beam([0, 0, 0]).bodies[0]!.flex!;
        for (const line of [
            [
                [0, 0],
                [1, 2],
            ],
            [
                [1, 2],
                [0, 0],
            ],
        ]) {
            const fine = cut(flex, line);
            expect(fine.length).toBe(N + 1);
            fine.forEach(([a, b]) => expect(b).toBeCloseTo(2 * a!, 12));
            expect(fine[1]![0]).toBeCloseTo(line[0]![0] === 0 ? 1 / N : 1 - 1 / N, 12);
        }
        const across = [0, 1].map((y) => [0.5, y]);
        expect(cut(flex, across).length).toBe(2);
    });

    test('the view holds what is deformed', () => {
        expect(sceneBounds(beam([0, 0, 0])).high[1]).toBeCloseTo(0.1, 12);
        expect(sceneBounds(beam([1, 0, 0])).high[1]).toBeGreaterThan(0.45);
    });

    test('numbers that do not fit are left out and named; rigid bodies have none', () => {
        const short = beam([0, 0, 0], 0, { flex: { x, modes, e: pack('f64', [1, 2]) } });
        expect(short.bodies[0]!.flex).toBe(null);
        expect(short.warnings.join()).toContain("deformation of body 'beam'");
        const uneven = beam([0, 0, 0], 0, {
            flex: { x: [0, 1], modes, e: pack('f64', [0, 0, 0, 0, 0, 0]) },
        });
        expect(uneven.bodies[0]!.flex).toBe(null);
        expect(uneven.warnings.join()).toContain('different lengths');
        const rigid = beam([0, 0, 0], 0, { flex: undefined });
        expect(rigid.bodies[0]!.flex).toBe(null);
        expect(bendAt(rigid.bodies[0]!, at, 1)).toBe(null);
    });
});
