// The way a body has come.
import { Group } from 'three';
import type { Theme } from '../logic/theme';
import { frameIndex, poseAt } from '../logic/timeline';
import type { Run } from '../logic/types';
import { bodyMiddle, transform } from './shapes';
import { segmentsOf, Strokes } from './strokes';

const MOST = 3000; // points of a trail

export interface Trail {
    times: Float64Array;
    points: [number, number, number][];
}

/** Where the middle of a body was, at up to MOST frames. */
export function trailOf(run: Run, index: number): Trail {
    const body = run.bodies[index]!;
    const middle = bodyMiddle(body);
    const pose = new Float64Array(7);
    const every = Math.max(1, Math.ceil(run.time.length / MOST));
    const times: number[] = [];
    const points: [number, number, number][] = [];
    for (let i = 0; i < run.time.length; i += every) {
        if (poseAt(body, { i, s: 0 }, pose)) {
            times.push(run.time[i]!);
            points.push(transform(pose, middle));
        }
    }
    return { times: Float64Array.from(times), points };
}

export class TrailsView {
    readonly group = new Group();
    private shown = new Map<number, { trail: Trail; line: Strokes }>();

    constructor(
        private readonly run: Run,
        private readonly flat: boolean,
    ) {}

    /** Show the trails of these bodies and of no others. */
    choose(bodies: ReadonlySet<number>, theme: Theme): void {
        for (const [index, { line }] of this.shown) {
            if (!bodies.has(index)) {
                this.group.remove(line.mesh);
                line.mesh.geometry.dispose();
                this.shown.delete(index);
            }
        }
        for (const index of bodies) {
            if (this.shown.has(index) || !this.run.bodies[index]?.pose) continue;
            const trail = trailOf(this.run, index);
            if (trail.points.length < 2) continue;
            const line = new Strokes(segmentsOf([trail.points]), 1.3, this.flat, 4000, 0.75);
            this.shown.set(index, { trail, line });
            this.group.add(line.mesh);
        }
        this.paint(theme);
    }

    /** Draw each trail up to now. */
    update(t: number): void {
        for (const { trail, line } of this.shown.values()) {
            line.show(
                t < trail.times[0]!
                    ? 0
                    : Math.min(frameIndex(trail.times, t), trail.points.length - 1),
            );
        }
    }

    paint(theme: Theme): void {
        for (const [index, { line }] of this.shown) {
            line.color.set(
                theme.series[(index - 1 + theme.series.length) % theme.series.length]!,
            );
        }
    }
}
