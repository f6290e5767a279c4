// Two runs side by side.
import { placeAt, valueAt } from './timeline';
import type { Channel, Run } from './types';

export interface Difference {
    name: string;
    label: string;
    unit: string;
    time: Float64Array;
    values: Float64Array; // other - reference, at the frames of the reference
    largest: number; // |difference|, NaN if they share no time
    at: number; // s
    rms: number;
    span: number; // range of the reference, to judge the difference by
}

/** Difference of a channel, the other run linear between its frames; NaN where it has no frame. */
export function difference(
    reference: Run,
    other: Run,
    channel: Channel,
    otherChannel: Channel,
): Difference {
    const time = reference.time;
    const a = channel.values;
    const b = otherChannel.values;
    const end = other.time[other.time.length - 1] ?? -Infinity;
    const begin = other.time[0] ?? Infinity;
    const values = new Float64Array(time.length);
    let [largest, at, sum, n, low, high] = [NaN, NaN, 0, 0, Infinity, -Infinity];
    for (let i = 0; i < time.length; i++) {
        const t = time[i]!;
        const d = t < begin || t > end ? NaN : valueAt(b, placeAt(other.time, t)) - a[i]!;
        values[i] = d;
        if (a[i]! < low) low = a[i]!;
        if (a[i]! > high) high = a[i]!;
        if (Number.isNaN(d)) continue;
        sum += d * d;
        n++;
        if (!(Math.abs(d) <= largest)) [largest, at] = [Math.abs(d), t];
    }
    const rms = n > 0 ? Math.sqrt(sum / n) : NaN;
    return {
        name: channel.name,
        label: channel.label,
        unit: channel.unit,
        time,
        values,
        largest,
        at,
        rms,
        span: high >= low ? high - low : NaN,
    };
}

/** Channels that both runs have with the same unit, compared; the largest relative difference first. */
export function compareChannels(reference: Run, other: Run): Omit<Difference, 'time' | 'values'>[] {
    const found: Omit<Difference, 'time' | 'values'>[] = [];
    for (const channel of reference.channels) {
        const twin = other.byName.get(channel.name);
        if (!twin || twin.unit !== channel.unit) continue;
        const { name, label, unit, largest, at, rms, span } = difference(
            reference,
            other,
            channel,
            twin,
        );
        found.push({ name, label, unit, largest, at, rms, span });
    }
    const relative = (d: { largest: number; span: number }): number =>
        d.span > 0 ? d.largest / d.span : d.largest > 0 ? Infinity : -1;
    return found.sort(
        (a, b) => (relative(b) || 0) - (relative(a) || 0) || a.name.localeCompare(b.name),
    );
}

/** A short name that tells runs apart: the file without folder and ending, numbered where equal. */
export function runLabels(runs: Run[]): string[] {
    const plain = runs.map(
        (r, i) => r.file.replace(/^.*[/\\]/, '').replace(/\.h5$/, '') || `run ${i + 1}`,
    );
    return plain.map((label, i) =>
        plain.indexOf(label) === i && plain.lastIndexOf(label) === i
            ? label
            : `${label} (${i + 1})`,
    );
}
