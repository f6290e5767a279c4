import { describe, expect, test } from 'vitest';
import { crankRun, report } from '../../fixtures/fixture';
import { spaceRun } from '../../fixtures/odd_runs';
import { parseReport } from '../../src/logic/data';
import { referenceForce } from '../../src/scene/contacts';
import {
    bodyMiddle,
    drawShape,
    extent,
    sceneBounds,
    stadium,
    transform,
    type Vec2,
} from '../../src/scene/shapes';
import { zigzag } from '../../src/scene/springs';
import { reaches, segmentsOf, Strokes } from '../../src/scene/strokes';
import { trailOf } from '../../src/scene/trails';

const read = (...runs: Parameters<typeof report>) => parseReport(JSON.stringify(report(...runs)));
const run = read(crankRun())[0]!;

/** Area of a ring by the shoelace formula. */
const areaOf = (ring: Vec2[]): number =>
    Math.abs(
        ring.reduce(
            (s, [x, y], k) =>
                s + x * ring[(k + 1) % ring.length]![1] - y * ring[(k + 1) % ring.length]![0],
            0,
        ),
    ) / 2;

describe('shapes', () => {
    const draw = (shape: Parameters<typeof drawShape>[0]) => drawShape(shape, 1, [0, 0]);

    test('areas are those of the formulas', () => {
        expect(areaOf(draw({ kind: 'circle', radius: 2 }).areas[0]!)).toBeCloseTo(4 * Math.PI, 1);
        expect(areaOf(draw({ kind: 'box', size: [2, 3] }).areas[0]!)).toBeCloseTo(6, 12);
        expect(
            areaOf(
                draw({
                    kind: 'polygon',
                    points: [
                        [0, 0],
                        [4, 0],
                        [0, 3],
                    ],
                }).areas[0]!,
            ),
        ).toBeCloseTo(6, 12);
        expect(
            areaOf(
                draw({
                    kind: 'capsule',
                    points: [
                        [0, 0],
                        [3, 0],
                    ],
                    radius: 0.5,
                }).areas[0]!,
            ),
        ).toBeCloseTo(3 + Math.PI / 4, 1);
        expect(areaOf(stadium([0, 0], [0, 2], 1))).toBeCloseTo(4 + Math.PI, 1);
    });

    test('a shape is turned, then moved', () => {
        const half = Math.SQRT1_2;
        const [ring] = draw({
            kind: 'polygon',
            points: [
                [1, 0],
                [2, 0],
                [2, 1],
            ],
            at: [10, 20, 0],
            turn: [half, 0, 0, half],
        }).areas;
        const expected = [
            [10, 21],
            [10, 22],
            [9, 22],
        ];
        ring!.forEach((p, k) => p.forEach((x, c) => expect(x).toBeCloseTo(expected[k]![c]!, 12)));
    });

    test('a line lies at its place, its hatching in the material', () => {
        const { lines, thin } = draw({ kind: 'line', normal: [0, -1], at: [0, 0.3, 0] });
        expect(lines[0]!.every(([, y]) => Math.abs(y - 0.3) < 1e-12)).toBe(true);
        expect(thin.length).toBeGreaterThan(20);
        expect(thin.every(([, end]) => end![1] > 0.3)).toBe(true);
    });

    test('a curve is one line, filled where it encloses material, else hatched on its left', () => {
        const ring = [0, 1, 2, 3, 4, 0].map((k) => [
            Math.cos((2 * Math.PI * k) / 5),
            Math.sin((2 * Math.PI * k) / 5),
        ]);
        const full = draw({ kind: 'curve', points: ring });
        expect(full.lines).toEqual([ring]);
        expect(full.areas).toEqual([ring]);
        expect(full.thin).toEqual([]);
        const hole = draw({ kind: 'curve', points: [...ring].reverse() });
        expect(hole.areas).toEqual([]);
        expect(hole.thin.length).toBeGreaterThan(20);
        expect(hole.thin.every(([a, b]) => Math.hypot(...b!) > Math.hypot(...a!))).toBe(true);
        const road = draw({ kind: 'curve', points: [[2, 0], [1, 0], [0, 0]] }); // prettier-ignore
        expect(road.lines.length).toBe(1);
        expect(road.areas).toEqual([]);
        expect(road.thin.every(([, end]) => end![1] < 0)).toBe(true);
        expect(extent({ kind: 'curve', points: ring })).toContainEqual([1, 0, 0]);
    });

    test('unknown or incomplete shapes are drawn as nothing', () => {
        for (const shape of [
            { kind: 'blob' },
            { kind: 'polygon' },
            { kind: 'polygon', points: [[0, 0]] },
            { kind: 'segment' },
            { kind: 'curve' },
        ]) {
            expect(draw(shape)).toEqual({ areas: [], lines: [], thin: [] });
        }
    });

    test('shapes without end do not count for the size of the scene', () => {
        expect(extent({ kind: 'line', normal: [0, 1] })).toEqual([]);
        expect(extent({ kind: 'box', size: [2, 4, 6] })).toContainEqual([1, -2, 3]);
        expect(extent({ kind: 'sphere', radius: 1, at: [5, 0, 0] })).toContainEqual([6, 1, -1]);
    });
});

describe('the scene', () => {
    test('holds the whole way of the machine', () => {
        const { low, high } = sceneBounds(run);
        expect(low[0]).toBeLessThan(-0.15);
        expect(low[1]).toBeCloseTo(-0.153, 2);
        expect(high[0]).toBeCloseTo(0.62, 2); // the spring's fixed end
        expect(sceneBounds(read({})[0]!)).toEqual({ low: [-1, -1, -1], high: [1, 1, 1] });
        expect(sceneBounds(read(spaceRun())[0]!).high[2]).toBeGreaterThan(0.9);
    });

    test('points follow turn and place', () => {
        const half = Math.SQRT1_2;
        const p = transform(Float64Array.from([1, 2, 3, half, 0, 0, half]), [1, 0, 5]);
        [1, 3, 8].forEach((x, k) => expect(p[k]).toBeCloseTo(x, 12));
    });

    test('a trail is the way of the middle of a body', () => {
        expect(bodyMiddle(run.bodies[1]!)[0]).toBeCloseTo(0.0765, 12);
        const { points, times } = trailOf(run, 1);
        expect(points.length).toBe(2001);
        points.forEach(([x, y], k) => {
            const phi = 150 * times[k]! - 40 * times[k]! ** 2;
            expect(Math.hypot(x - 0.0765 * Math.cos(phi), y - 0.0765 * Math.sin(phi))).toBeLessThan(
                1e-6,
            );
        });
        expect(
            trailOf(read(crankRun({ frames: 50_000 }))[0]!, 1).points.length,
        ).toBeLessThanOrEqual(3000);
    });

    test('the reference of force arrows is round and typical', () => {
        // forces are 40.2 N slipping and 80.4 N sticking
        expect(referenceForce(run.contacts)).toBe(50);
        expect(referenceForce([])).toBe(0);
    });

    test('springs go from end to end, lines become pairs', () => {
        const corners = zigzag();
        expect(corners[0]).toEqual([0, 0]);
        expect(corners[corners.length - 1]).toEqual([1, 0]);
        corners.forEach(([s], k) => k > 0 && expect(s).toBeGreaterThan(corners[k - 1]![0]));
        expect(
            segmentsOf([
                [
                    [0, 0],
                    [1, 2],
                    [3, 4, 5],
                ],
            ]),
        ).toEqual([0, 0, 0, 1, 2, 0, 1, 2, 0, 3, 4, 5]);
    });

    test('a stroke is a quad that knows both ends of its segment', () => {
        const lines = new Strokes([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 2, true, 0);
        const { position, other } = lines.mesh.geometry.attributes;
        const at = (a: typeof position, k: number): number[] => [
            a!.getX(k),
            a!.getY(k),
            a!.getZ(k),
        ];
        for (let k = 0; k < 8; k++) {
            const [from, to] = k < 4 ? [[0, 0, 0], [1, 2, 3]] : [[4, 5, 6], [7, 8, 9]]; // prettier-ignore
            const start = k % 4 < 2;
            expect([at(position, k), at(other, k)]).toEqual(start ? [from, to] : [to, from]);
        }
        lines.show(1);
        expect(lines.mesh.geometry.drawRange).toEqual({ start: 0, count: 6 });
        lines.move([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
        expect(at(position, 7)).toEqual([4, 4, 4]);
        expect(at(other, 7)).toEqual([3, 3, 3]);
    });

    test('strokes reach over their ends as far as the corner needs', () => {
        const corner = (angle: number): number => {
            const [c, s] = [Math.cos(angle), Math.sin(angle)];
            return reaches(segmentsOf([[[0, 0], [2, 0], [2 + c, s]]]))[1]!; // prettier-ignore
        };
        expect(corner(Math.PI / 2)).toBeCloseTo(1, 6);
        expect(corner(Math.PI / 3)).toBeCloseTo(Math.tan(Math.PI / 6), 6);
        expect(corner(0)).toBe(0);
        expect(corner(0.9 * Math.PI)).toBe(1);
        const square = segmentsOf([[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], [[3, 3], [4, 4]]]); // prettier-ignore
        expect([...reaches(square)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
        expect([...reaches([0, 0, 0, 0, 0, 0])]).toEqual([0, 0]);
    });
});
