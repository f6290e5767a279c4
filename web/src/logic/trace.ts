// A curve as a path in pixels: gaps at missing values, no more points than the eye can see.
import { frameIndex } from './timeline';

export interface Pen {
    moveTo(x: number, y: number): void;
    lineTo(x: number, y: number): void;
}

export type Scale = (value: number) => number;

const NEAR = 0.4; // pixels; points of a phase portrait nearer than this are one

/** First and last index whose x can be seen in [low, high], one more on each side. */
export function visible(x: ArrayLike<number>, low: number, high: number): [number, number] {
    if (x.length === 0) return [0, -1];
    const first = frameIndex(x, low);
    const last = Math.min(frameIndex(x, high) + 1, x.length - 1);
    return [first, last];
}

/** Draw y over rising x: per column of pixels the first, lowest, highest and last value. */
export function traceTime(
    x: ArrayLike<number>,
    y: ArrayLike<number>,
    [first, last]: [number, number],
    toX: Scale,
    toY: Scale,
    pen: Pen,
): void {
    let column = NaN;
    let [low, high, end] = [0, 0, 0];
    let down = false; // is the pen on the paper?
    const flush = (): void => {
        if (Number.isNaN(column)) return;
        if (high !== low) {
            pen.lineTo(column, low);
            pen.lineTo(column, high);
        }
        if (end !== high || high === low) pen.lineTo(column, end);
        column = NaN;
    };
    for (let i = first; i <= last; i++) {
        const value = y[i]!;
        if (!Number.isFinite(value)) {
            flush();
            down = false;
            continue;
        }
        const px = toX(x[i]!);
        const py = toY(value);
        if (!down) {
            pen.moveTo(px, py);
            down = true;
            continue;
        }
        const at = Math.round(px * 2) / 2;
        if (at === column) {
            if (py < low) low = py;
            if (py > high) high = py;
            end = py;
        } else {
            flush();
            column = at;
            low = high = end = py;
        }
    }
    flush();
}

/** Draw y over any x, in the order of the frames. */
export function tracePhase(
    x: ArrayLike<number>,
    y: ArrayLike<number>,
    toX: Scale,
    toY: Scale,
    pen: Pen,
): void {
    let [lastX, lastY] = [NaN, NaN];
    const n = Math.min(x.length, y.length);
    for (let i = 0; i < n; i++) {
        const px = toX(x[i]!);
        const py = toY(y[i]!);
        if (!Number.isFinite(px) || !Number.isFinite(py)) {
            lastX = NaN;
        } else if (Number.isNaN(lastX)) {
            pen.moveTo(px, py);
            [lastX, lastY] = [px, py];
        } else if (Math.abs(px - lastX) > NEAR || Math.abs(py - lastY) > NEAR) {
            pen.lineTo(px, py);
            [lastX, lastY] = [px, py];
        }
    }
}

const LARGEST = 1e300; // what lies beyond is not shown

/**
 * Smallest and largest finite value, widened a little; [0, 1] if there is none.  On a logarithmic
 * axis those of the exponents.
 */
export function span(
    values: Iterable<[ArrayLike<number>, number, number]>,
    log = false,
): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const [list, first, last] of values) {
        for (let i = first; i <= last; i++) {
            const v = list[i]!;
            if ((log && !(v > 0)) || Math.abs(v) > LARGEST) continue;
            if (v < low) low = v;
            if (v > high) high = v;
        }
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return log ? [-16, 0] : [0, 1];
    return log
        ? [
              Math.floor(Math.log10(low)),
              Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 1),
          ]
        : widen(low, high);
}

/** A range with some air; a single value gets a range that shows it in the middle. */
export function widen(low: number, high: number): [number, number] {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-12 * size) {
        const half = size > 1e-300 ? size / 10 : 1;
        return [low - half, high + half];
    }
    const air = 0.06 * (high - low);
    return [low - air, high + air];
}

/** Ranges with the same length per pixel in both directions, around what both show. */
export function equalize(
    xr: [number, number],
    yr: [number, number],
    width: number,
    height: number,
): [[number, number], [number, number]] {
    if (!(width > 0) || !(height > 0)) return [xr, yr];
    const per = Math.max((xr[1] - xr[0]) / width, (yr[1] - yr[0]) / height);
    const around = (r: [number, number], pixels: number): [number, number] => {
        const middle = (r[0] + r[1]) / 2;
        return [middle - (per * pixels) / 2, middle + (per * pixels) / 2];
    };
    return [around(xr, width), around(yr, height)];
}
