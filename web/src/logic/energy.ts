// The energy ledger as layers that stack up to what was there at the start plus what was supplied.
//
// The ledger holds the stored energies (kinetic, potential) and, for everything else, the work done
// on the machine since the start: negative where energy is lost.  With V_0 the lowest potential
//
//     T + (V - V_0)  +  sum of losses  =  E(0) - V_0  +  sum of gains  (+ balance)
//
// losses are the negative works with their sign turned, gains the positive ones.
import type { Ledger } from './types';

const STORED = new Set(['kinetic', 'potential', 'elastic', 'strain']);
const BALANCE = 'balance';
const SMALLEST = 1e-9; // of the largest sum; thinner layers cannot be seen

export interface Layer {
    name: string;
    stored: boolean;
    values: Float64Array;
}

export interface Stack {
    layers: Layer[]; // bottom first
    supply: Float64Array; // E(0) - V_0 + gains
    gap: number; // largest |layers - supply|
    shift: number; // V_0
}

/** Everything non-negative, the stored energies first. */
export function stackLedger(ledger: Ledger, n: number): Stack {
    const stored = ledger.entries.filter((e) => STORED.has(e.name));
    const works = ledger.entries.filter((e) => !STORED.has(e.name) && e.name !== BALANCE);
    const layers: Layer[] = [];
    let shift = 0;
    for (const { name, values } of stored) {
        let lowest = 0;
        if (name !== 'kinetic') {
            lowest = finiteMin(values);
            shift += lowest;
        }
        layers.push({ name, stored: true, values: Float64Array.from(values, (x) => x - lowest) });
    }
    const start = layers.reduce((sum, layer) => sum + (layer.values[0] || 0), 0);
    const supply = new Float64Array(n).fill(start);
    for (const { name, values } of works) {
        layers.push({
            name,
            stored: false,
            values: Float64Array.from(values, (x) => Math.max(-x, 0)),
        });
        for (let i = 0; i < n; i++) supply[i]! += Math.max(values[i]!, 0);
    }
    const total = new Float64Array(n);
    for (const layer of layers) for (let i = 0; i < n; i++) total[i]! += layer.values[i]!;
    const largest = finiteMax(total);
    return {
        layers: layers.filter(
            (layer) => layer.stored || finiteMax(layer.values) > SMALLEST * largest,
        ),
        supply,
        gap: finiteMax(total.map((x, i) => Math.abs(x - supply[i]!))),
        shift,
    };
}

function finiteMin(values: ArrayLike<number>): number {
    let found = Infinity;
    for (let i = 0; i < values.length; i++) if (values[i]! < found) found = values[i]!;
    return found === Infinity ? 0 : found;
}

function finiteMax(values: ArrayLike<number>): number {
    let found = -Infinity;
    for (let i = 0; i < values.length; i++) if (values[i]! > found) found = values[i]!;
    return found === -Infinity ? 0 : found;
}

export interface Account {
    name: string;
    start: number;
    end: number;
}

/** Every entry at the start and at the end, as recorded. */
export function accounts(ledger: Ledger): Account[] {
    return ledger.entries.map(({ name, values }) => ({
        name,
        start: values[0] ?? NaN,
        end: values[values.length - 1] ?? NaN,
    }));
}

/** Largest |balance| in the run, relative to the largest stored energy; NaN without a balance. */
export function closesTo(ledger: Ledger): { absolute: number; relative: number } {
    const balance = ledger.entries.find((e) => e.name === BALANCE);
    if (!balance || balance.values.length === 0) return { absolute: NaN, relative: NaN };
    const absolute = finiteMax(Array.from(balance.values, Math.abs));
    let scale = 0;
    for (const { name, values } of ledger.entries) {
        if (STORED.has(name)) scale = Math.max(scale, finiteMax(Array.from(values, Math.abs)));
    }
    return { absolute, relative: scale > 0 ? absolute / scale : NaN };
}
