import { describe, expect, test } from 'vitest';
import { crankRun, pack, report } from '../../fixtures/fixture';
import { parseReport } from '../../src/logic/data';
import { accounts, closesTo, stackLedger } from '../../src/logic/energy';
import type { Ledger } from '../../src/logic/types';

const run = parseReport(JSON.stringify(report(crankRun())))[0]!;
const ledger = (entries: Record<string, number[]>): Ledger => ({
    unit: 'J',
    entries: Object.entries(entries).map(([name, v]) => ({ name, values: Float64Array.from(v) })),
});

describe('the ledger', () => {
    test('stacks up to the energy at the start plus what was supplied', () => {
        const stack = stackLedger(run.ledger, run.time.length);
        expect(stack.gap).toBeLessThan(1e-12);
        const top = stack.layers.reduce((sum, l) => sum + l.values[1234]!, 0);
        expect(top).toBeCloseTo(stack.supply[1234]!, 12);
    });

    test('every layer is at or above nothing', () => {
        for (const layer of stackLedger(run.ledger, run.time.length).layers) {
            expect(Math.min(...layer.values)).toBeGreaterThanOrEqual(0);
        }
    });

    test('gains raise the supply, losses become layers', () => {
        const stack = stackLedger(
            ledger({ kinetic: [5, 7], potential: [-3, -4], applied: [0, 2], friction: [0, -1] }),
            2,
        );
        expect(stack.shift).toBe(-4);
        expect([...stack.supply]).toEqual([6, 8]);
        expect(stack.layers.map((l) => [l.name, ...l.values])).toEqual([
            ['kinetic', 5, 7],
            ['potential', 1, 0],
            ['friction', 0, 1],
        ]);
        expect(stack.gap).toBe(0);
    });

    test('a ledger that does not close shows by how much', () => {
        expect(stackLedger(ledger({ kinetic: [5, 4] }), 2).gap).toBe(1);
    });

    test('accounts and balance', () => {
        const friction = accounts(run.ledger).find((a) => a.name === 'friction')!;
        expect(friction.end).toBeCloseTo(-20 * 0.01 * 0.2, 12);
        expect(closesTo(run.ledger).absolute).toBe(4e-16);
        expect(closesTo(ledger({ kinetic: [1] })).relative).toBeNaN();
        expect(closesTo(ledger({ kinetic: [2], balance: [-1e-9] })).relative).toBeCloseTo(
            5e-10,
            15,
        );
    });

    test('missing numbers do not hide the others', () => {
        const raw = crankRun({ frames: 3 });
        raw.ledger!.data![0] = pack('f64', [1, NaN, 2]);
        const stack = stackLedger(parseReport(JSON.stringify(report(raw)))[0]!.ledger, 3);
        expect(stack.layers[0]!.name).toBe('kinetic');
        expect(stack.layers[0]!.values[2]).toBe(2);
    });
});
