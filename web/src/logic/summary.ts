// Numbers that sum up a run.
import type { Contact, EventTable, Run } from './types';

export interface Interval {
    from: number; // s
    to: number;
    state: number;
}

/** How long a contact was in which state: a frame's state holds until the next frame. */
export function intervals(time: ArrayLike<number>, state: Uint8Array): Interval[] {
    const found: Interval[] = [];
    for (let i = 0; i < state.length; i++) {
        const last = found[found.length - 1];
        if (!last || last.state !== state[i]) {
            if (last) last.to = time[i]!;
            found.push({ from: time[i]!, to: time[i]!, state: state[i]! });
        } else {
            last.to = time[i]!;
        }
    }
    return found;
}

export interface ContactSummary {
    name: string;
    impacts: number;
    impulse: number; // N s, sum of Lambda_N
    largest: number; // N s
    lost: number; // J
    slip: number; // part of the time
    stick: number;
}

/** Part of the time in each state. */
export function stateFractions(
    time: ArrayLike<number>,
    contact: Contact,
): [number, number, number] {
    const parts: [number, number, number] = [0, 0, 0];
    const n = time.length;
    const duration = n > 1 ? time[n - 1]! - time[0]! : 0;
    for (const { from, to, state } of intervals(time, contact.state)) {
        if (state <= 2) parts[state as 0 | 1 | 2] += to - from;
    }
    return duration > 0
        ? (parts.map((p) => p / duration) as [number, number, number])
        : [NaN, NaN, NaN];
}

/** One line per contact: impacts, impulses, energy lost, how much of the time it slips and sticks. */
export function summarizeContacts(run: Run): ContactSummary[] {
    const lines = new Map<string, ContactSummary>();
    const line = (name: string): ContactSummary => {
        let found = lines.get(name);
        if (!found) {
            found = { name, impacts: 0, impulse: 0, largest: 0, lost: 0, slip: NaN, stick: NaN };
            lines.set(name, found);
        }
        return found;
    };
    for (const contact of run.contacts) {
        const found = line(contact.name);
        [, found.slip, found.stick] = stateFractions(run.time, contact);
    }
    const { events } = run;
    for (let i = 0; i < events.n; i++) {
        if (events.kind[i] !== 'impact') continue;
        const found = line(events.contact[i]!);
        found.impacts++;
        found.impulse += events.lambdaN[i] || 0;
        found.largest = Math.max(found.largest, events.lambdaN[i] || 0);
        found.lost += events.energyLost[i] || 0;
    }
    return [...lines.values()];
}

export interface Totals {
    events: number;
    impacts: number; // contacts that took part in impacts
    instants: number; // impacts, those at one time counted once
    impulse: number;
    lost: number;
    stick: number; // of the time that contacts are closed, the part in which they stick
    gains: number; // impacts that gained energy
    gained: number; // J
}

/** The sums of all contacts. */
export function totals(run: Run, contacts: ContactSummary[]): Totals {
    const sum = (pick: (c: ContactSummary) => number): number =>
        contacts.reduce((s, c) => s + (pick(c) || 0), 0);
    const stick = sum((c) => c.stick);
    const closed = stick + sum((c) => c.slip);
    return {
        events: run.events.n,
        impacts: sum((c) => c.impacts),
        instants: countInstants(run.events),
        impulse: sum((c) => c.impulse),
        lost: sum((c) => c.lost),
        stick: closed > 0 ? stick / closed : NaN,
        ...sumGains(run.events),
    };
}

/** Impacts that gained energy, each counted once. */
function sumGains(events: EventTable): { gains: number; gained: number } {
    const seen = new Map<number, number>();
    for (let i = 0; i < events.n; i++) {
        if (events.gain[i]! > 0) seen.set(events.impactId[i]!, events.gain[i]!);
    }
    return { gains: seen.size, gained: [...seen.values()].reduce((a, b) => a + b, 0) };
}

/** Impacts counted by their number, those without one by their time. */
function countInstants(events: EventTable): number {
    const seen = new Set<number | string>();
    for (let i = 0; i < events.n; i++) {
        if (events.kind[i] === 'impact') {
            seen.add(events.impactId[i] ? events.impactId[i]! : `t${events.t[i]}`);
        }
    }
    return seen.size;
}
