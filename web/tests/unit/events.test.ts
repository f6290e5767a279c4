import { describe, expect, test } from 'vitest';
import { crankRun, IMPULSE, LOSS, report } from '../../fixtures/fixture';
import { largeRun } from '../../fixtures/odd_runs';
import { parseReport } from '../../src/logic/data';
import { eventDetail } from '../../src/logic/event_detail';
import {
    countKinds,
    eventAt,
    filterEvents,
    readEvents,
    sortEvents,
} from '../../src/logic/event_table';
import { intervals, stateFractions, summarizeContacts, totals } from '../../src/logic/summary';
import { overview } from '../../src/logic/ticks_overview';

const run = parseReport(JSON.stringify(report(crankRun())))[0]!;
const ALL = { kinds: null, contact: null, text: '' };
const geometric = (n: number): number => (1 - 0.9 ** n) / 0.1;

describe('events', () => {
    test('are put in the order of their times', () => {
        const events = readEvents(
            [
                { t: 2, kind: 'b', contact: 'x' },
                { t: 1, kind: 'a', contact: 'y' },
                { t: 2, kind: 'c', contact: 'z' },
            ],
            [],
        );
        expect(events.kind).toEqual(['a', 'b', 'c']);
        expect(events.lambdaN[0]).toBeNaN();
    });

    test('a tangential impulse in space is a length, in the plane it has a sign', () => {
        const one = (Lambda_T: number[]): number =>
            readEvents([{ t: 0, kind: 'impact', contact: 'c', Lambda_T }], []).lambdaT[0]!;
        expect(one([-0.5])).toBe(-0.5);
        expect(one([3, 4])).toBe(5);
    });

    test('tell their phases, shares and gains, and nothing that does not apply', () => {
        const impact = { t: 0, kind: 'impact', contact: 'c', Lambda_N: 3, energy_lost: 0.5 };
        expect(eventDetail(impact)).toEqual([]);
        const said = (e: object): Record<string, string> =>
            Object.fromEntries(eventDetail({ ...impact, ...e }).map((d) => [d.key, d.text]));
        expect(said({ Lambda_N_compression: 2, gamma_N_compression: 0 })).toEqual({
            Lambda_N_compression: '2 N s',
            Lambda_N_expansion: '1 N s',
            gamma_N_compression: '0 m/s',
        });
        expect(said({ remedy: 'gain', eps_N: 1, factor: 0.96875 })).toEqual({
            remedy: 'it would have gained energy',
            eps_N: '1',
            factor: '0.96875',
        });
        expect(said({ lost_friction: -0.002, energy_gain: 0.03 })).toEqual({
            lost_friction: '−2e−3 J',
            energy_gain: '0.03 J',
        });
        expect(said({ friction_work: 1.5, lasts: NaN })).toEqual({ friction_work: '1.5 J' });
        for (const at_least of [false, true]) {
            const [found] = eventDetail({ ...impact, kind: 'choice', n_found: 2, at_least });
            expect([found!.text, found!.label]).toEqual([
                '2',
                at_least ? 'solutions found, at least' : 'solutions found',
            ]);
        }
    });

    test('impacts that gain energy are counted once each', () => {
        const raw = [1, 1, 2, 3].map((impact_id, k) => ({
            t: impact_id,
            kind: 'impact',
            contact: `c${k}`,
            impact_id,
            energy_gain: impact_id === 2 ? 0 : 0.25 * impact_id,
        }));
        const sum = totals({ ...run, events: readEvents(raw, []) }, []);
        expect([sum.gains, sum.gained]).toEqual([2, 1]);
    });

    test('filters by kind, contact and words', () => {
        const n = (f: object): number => filterEvents(run.events, { ...ALL, ...f }).length;
        expect(n({})).toBe(45);
        expect(n({ kinds: new Set(['impact']) })).toBe(30);
        expect(n({ kinds: new Set(['impact', 'close']) })).toBe(45);
        expect(n({ contact: 'guide.c2.upper' })).toBe(15);
        expect(n({ kinds: new Set(['close']), contact: 'guide.c2.upper' })).toBe(0);
        expect(n({ text: 'IMPACT c1' })).toBe(15);
        expect(n({ text: 'nothing' })).toBe(0);
    });

    test('sorting is a permutation, monotone, and stable in time', () => {
        const rows = filterEvents(run.events, ALL);
        for (const descending of [false, true]) {
            const sorted = sortEvents(run.events, rows, 'lambdaN', descending);
            expect([...sorted].sort((a, b) => a - b)).toEqual([...rows]);
            for (let k = 1; k < sorted.length; k++) {
                const [a, b] = [
                    run.events.lambdaN[sorted[k - 1]!]!,
                    run.events.lambdaN[sorted[k]!]!,
                ];
                expect(descending ? a >= b : a <= b).toBe(true);
                if (a === b) expect(sorted[k - 1]!).toBeLessThan(sorted[k]!);
            }
        }
        expect(run.events.contact[sortEvents(run.events, rows, 'contact', true)[0]!]).toBe(
            'guide.c2.upper',
        );
    });

    test('missing numbers come last, whichever way one sorts', () => {
        const events = readEvents(
            [
                { t: 0, kind: 'a', contact: '' },
                { t: 1, kind: 'a', contact: '', Lambda_N: 1 },
                { t: 2, kind: 'a', contact: '', Lambda_N: 2 },
            ],
            [],
        );
        const rows = Int32Array.from([0, 1, 2]);
        expect([...sortEvents(events, rows, 'lambdaN', false)]).toEqual([1, 2, 0]);
        expect([...sortEvents(events, rows, 'lambdaN', true)]).toEqual([2, 1, 0]);
    });

    test('100 000 events are filtered and sorted without delay', () => {
        const large = parseReport(JSON.stringify(report(largeRun(10, 1, 100_000))))[0]!;
        const start = performance.now();
        const rows = sortEvents(
            large.events,
            filterEvents(large.events, { ...ALL, text: 'impact' }),
            'lambdaN',
            true,
        );
        expect(performance.now() - start).toBeLessThan(4000);
        expect(rows.length).toBe(66_666);
    });

    test('the event one has reached', () => {
        expect(eventAt(run.events, 0)).toBe(-1);
        expect(eventAt(run.events, 0.0126)).toBe(2);
        expect(eventAt(run.events, 9)).toBe(44);
        expect(countKinds(run.events)).toEqual([
            ['impact', 30],
            ['close', 15],
        ]);
    });
});

describe('summaries', () => {
    test('impacts, impulses and losses per contact are those of the formulas', () => {
        const [c1, c2] = summarizeContacts(run);
        expect([c1!.impacts, c2!.impacts]).toEqual([15, 15]);
        expect(c1!.impulse).toBeCloseTo(IMPULSE * geometric(15), 12);
        expect(c2!.impulse).toBeCloseTo((IMPULSE / 2) * geometric(15), 12);
        expect(c1!.largest).toBe(IMPULSE);
        expect(c1!.lost).toBeCloseTo(LOSS * geometric(15), 12);
        expect(c2!.slip).toBeCloseTo(0.5, 3);
        expect(c2!.stick).toBe(0);
        expect(c1!.stick).toBeCloseTo(0.25, 2);
    });

    test('simultaneous impacts count once', () => {
        const sum = totals(run, summarizeContacts(run));
        expect(sum.impacts).toBe(30);
        expect(sum.instants).toBe(15);
        expect(sum.stick).toBeCloseTo(0.25, 2);
    });

    test('states hold until the next frame', () => {
        const found = intervals([0, 1, 3, 4], Uint8Array.from([0, 2, 2, 1]));
        expect(found).toEqual([
            { from: 0, to: 1, state: 0 },
            { from: 1, to: 4, state: 2 },
            { from: 4, to: 4, state: 1 },
        ]);
        const parts = stateFractions([0, 1, 3, 4], {
            name: '',
            state: Uint8Array.from([0, 2, 2, 1]),
            point: null,
            force: null,
        });
        expect(parts).toEqual([0.25, 0, 0.75]);
    });

    test('fractions of all states add up to one', () => {
        for (const contact of run.contacts) {
            expect(stateFractions(run.time, contact).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        }
    });

    test('the overview keeps the strongest impact of every column', () => {
        const { impact, other } = overview(run.events, 0, 0.2, 16);
        expect(impact[0]).toBe(0);
        expect(impact[1]).toBe(1);
        expect(other[1]).toBe(1);
        expect(impact[2]).toBeCloseTo(0.25 + 0.75 * Math.sqrt(0.9), 6);
        expect(overview(run.events, 0, 0, 4).impact[0]).toBe(1);
    });
});
