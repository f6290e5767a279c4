// Lines with a width in pixels, as one object.
import type { InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

/** Many segments; flat ones ignore depth and are drawn in their order. */
export function strokes(
    segments: number[],
    width: number,
    color: string,
    flat: boolean,
    order: number,
    alpha = 1,
): LineSegments2 {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(segments);
    const material = new LineMaterial({
        color,
        linewidth: width,
        transparent: true,
        opacity: alpha,
        depthTest: !flat,
        depthWrite: false,
    });
    const lines = new LineSegments2(geometry, material);
    lines.renderOrder = order;
    lines.frustumCulled = false;
    return lines;
}

/** The numbers of a line's segments (6 each), to be changed in place. */
export function strokeData(lines: LineSegments2): { array: Float32Array; changed: () => void } {
    const data = (lines.geometry.attributes.instanceStart as InterleavedBufferAttribute).data;
    return {
        array: data.array as Float32Array,
        changed: () => {
            data.needsUpdate = true;
        },
    };
}

/** Polylines as segments. */
export function segmentsOf(polylines: ArrayLike<number>[][]): number[] {
    const segments: number[] = [];
    for (const line of polylines) {
        for (let k = 0; k + 1 < line.length; k++) {
            const [a, b] = [line[k]!, line[k + 1]!];
            segments.push(a[0]!, a[1]!, a[2] ?? 0, b[0]!, b[1]!, b[2] ?? 0);
        }
    }
    return segments;
}
