// Springs between their recorded ends.
import { Group, Vector3 } from 'three';
import type { Theme } from '../logic/theme';
import type { Place } from '../logic/timeline';
import { vectorAt } from '../logic/timeline';
import type { Run } from '../logic/types';
import { Strokes } from './strokes';

const TEETH = 8;
const PIECES = 2 * TEETH + 2; // two straight ends
const HEIGHT = 5; // pixels

/** Zigzag of a spring: part of the way and side, from end to end. */
export function zigzag(): [number, number][] {
    const corners: [number, number][] = [
        [0, 0],
        [0.14, 0],
    ];
    for (let k = 0; k < 2 * TEETH - 1; k++) {
        corners.push([0.14 + (0.72 * (k + 1)) / (2 * TEETH), k % 2 === 0 ? 1 : -1]);
    }
    corners.push([0.86, 0], [1, 0]);
    return corners;
}

export class SpringsView {
    readonly group = new Group();
    private readonly lines: Strokes | null = null;
    private readonly ends: Float32Array;
    private readonly corners = zigzag();
    private readonly a = new Float64Array(3);
    private readonly b = new Float64Array(3);

    constructor(
        private readonly run: Run,
        flat: boolean,
    ) {
        this.ends = new Float32Array(run.springs.length * PIECES * 6);
        if (run.springs.length > 0) {
            this.lines = new Strokes(this.ends, 1.3, flat, 5000);
            this.group.add(this.lines.mesh);
        }
    }

    /** pixel: length of a pixel at a place in the world; view: the direction one looks along */
    update(at: Place, pixel: (p: Vector3) => number, view: Vector3): void {
        if (!this.lines) return;
        const from = new Vector3();
        const along = new Vector3();
        const across = new Vector3();
        let k = 0;
        const point = new Vector3();
        const last = new Vector3();
        for (const spring of this.run.springs) {
            const known =
                vectorAt(spring.ends, 6, 0, at, this.a) && vectorAt(spring.ends, 6, 3, at, this.b);
            from.fromArray(this.a as unknown as number[]);
            along.fromArray(this.b as unknown as number[]).sub(from);
            across
                .crossVectors(along, view)
                .normalize()
                .multiplyScalar(known ? HEIGHT * pixel(from) : 0);
            this.corners.forEach(([s, side], c) => {
                point
                    .copy(from)
                    .addScaledVector(along, known ? s : 0)
                    .addScaledVector(across, side);
                if (c > 0) {
                    for (const p of [last, point]) {
                        this.ends[k++] = known ? p.x : 0;
                        this.ends[k++] = known ? p.y : 0;
                        this.ends[k++] = known ? p.z : 0;
                    }
                }
                last.copy(point);
            });
        }
        this.lines.move(this.ends);
    }

    paint(theme: Theme): void {
        this.lines?.color.set(theme.soft);
    }
}
