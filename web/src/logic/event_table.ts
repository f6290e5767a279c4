// Events as columns: reading, sorting, filtering.
import type { EventTable, RawEvent } from './types';

export type EventColumn =
    | 't'
    | 'kind'
    | 'contact'
    | 'impactId'
    | 'lambdaN'
    | 'lambdaT'
    | 'gammaBefore'
    | 'gammaAfter'
    | 'energyLost';

export interface EventFilter {
    kinds: ReadonlySet<string> | null; // null: all
    contact: string | null; // null: all
    text: string;
}

/** Length of a tangential impulse; in the plane with its sign. */
function tangential(value: number[] | number | undefined): number {
    if (Array.isArray(value)) {
        const [a = 0, b = 0] = value;
        return b === 0 ? a : Math.hypot(a, b);
    }
    return value ?? 0;
}

/** Events of the file as columns, in the order of their times. */
export function readEvents(raw: RawEvent[], contacts: string[]): EventTable {
    const rows = raw.filter((e) => e !== null && typeof e === 'object');
    const order = rows.map((_, i) => i).sort((a, b) => rows[a]!.t - rows[b]!.t || a - b);
    const numbers = (pick: (e: RawEvent) => number | undefined): Float64Array =>
        Float64Array.from(order, (i) => pick(rows[i]!) ?? NaN);
    return {
        n: rows.length,
        t: numbers((e) => e.t),
        kind: order.map((i) => String(rows[i]!.kind ?? '')),
        contact: order.map((i) => {
            const c = rows[i]!.contact;
            return typeof c === 'number' ? (contacts[c] ?? `contact ${c}`) : String(c ?? '');
        }),
        impactId: Int32Array.from(order, (i) => rows[i]!.impact_id ?? 0),
        lambdaN: numbers((e) => e.Lambda_N),
        lambdaT: numbers((e) => tangential(e.Lambda_T)),
        gammaBefore: numbers((e) => e.gamma_N_before),
        gammaAfter: numbers((e) => e.gamma_N_after),
        energyLost: numbers((e) => e.energy_lost),
        gain: numbers((e) => e.energy_gain ?? 0),
        raw: order.map((i) => rows[i]!),
    };
}

/** Rows that pass the filter, in the order of the table. */
export function filterEvents(events: EventTable, filter: EventFilter): Int32Array {
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = new Int32Array(events.n);
    let n = 0;
    for (let i = 0; i < events.n; i++) {
        const kind = events.kind[i]!;
        const contact = events.contact[i]!;
        if (filter.kinds && !filter.kinds.has(kind)) continue;
        if (filter.contact !== null && contact !== filter.contact) continue;
        if (words.length > 0) {
            const said = `${kind} ${contact} ${events.impactId[i]}`.toLowerCase();
            if (!words.every((w) => said.includes(w))) continue;
        }
        rows[n++] = i;
    }
    return rows.slice(0, n);
}

/** Compare two numbers, those that are missing last. */
function byNumber(a: number, b: number): number {
    const missing = (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0);
    return missing !== 0 ? missing : a - b;
}

/** Rows sorted by a column; equal ones stay in the order of time, missing numbers come last. */
export function sortEvents(
    events: EventTable,
    rows: Int32Array,
    column: EventColumn,
    descending: boolean,
): Int32Array {
    const values = events[column];
    const sign = descending ? -1 : 1;
    const sorted = Array.from(rows);
    if (column === 'kind' || column === 'contact') {
        const words = values as string[];
        sorted.sort(
            (a, b) => sign * words[a]!.localeCompare(words[b]!, 'en', { numeric: true }) || a - b,
        );
    } else {
        const numbers = values as Float64Array | Int32Array;
        sorted.sort((a, b) => {
            const x = numbers[a]!;
            const y = numbers[b]!;
            return (Number.isNaN(x) || Number.isNaN(y) ? byNumber(x, y) : sign * (x - y)) || a - b;
        });
    }
    return Int32Array.from(sorted);
}

/** How often each kind occurs, the most frequent first. */
export function countKinds(events: EventTable): [string, number][] {
    const counts = new Map<string, number>();
    for (const kind of events.kind) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** The last event that is not after t, -1 if there is none. */
export function eventAt(events: EventTable, t: number): number {
    let low = 0;
    let high = events.n;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (events.t[middle]! <= t) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}
