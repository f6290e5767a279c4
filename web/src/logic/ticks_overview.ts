// What the scrubber shows of all events: per column of pixels the strongest impact and any other.
import type { EventTable } from './types';

export interface Overview {
    impact: Float32Array; // 0 none, else 0.25 to 1 by the size of the impulse
    other: Uint8Array; // 1 where something else happened
}

/** Events of a run in so many columns between two times. */
export function overview(
    events: EventTable,
    start: number,
    end: number,
    columns: number,
): Overview {
    const impact = new Float32Array(Math.max(columns, 0));
    const other = new Uint8Array(Math.max(columns, 0));
    let largest = 0;
    for (let i = 0; i < events.n; i++)
        if (events.lambdaN[i]! > largest) largest = events.lambdaN[i]!;
    for (let i = 0; i < events.n; i++) {
        const part = end > start ? (events.t[i]! - start) / (end - start) : 0;
        const k = Math.min(Math.floor(part * columns), columns - 1);
        if (!(k >= 0)) continue;
        if (events.kind[i] === 'impact') {
            const size = 0.25 + 0.75 * Math.sqrt((events.lambdaN[i] || 0) / (largest || 1));
            if (size > impact[k]!) impact[k] = size;
        } else {
            other[k] = 1;
        }
    }
    return { impact, other };
}
