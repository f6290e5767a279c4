import { describe, expect, test } from 'vitest';
import { crankRun, pack, report } from '../../fixtures/fixture';
import { emptyRun, hostileRun, spaceRun } from '../../fixtures/odd_runs';
import { bytesFromBase64, countOf, decodeArray } from '../../src/logic/base64';
import { parseReport, ReportError } from '../../src/logic/data';

const read = (...runs: Parameters<typeof report>) => parseReport(JSON.stringify(report(...runs)));

describe('base64', () => {
    test('numbers of every type come back bit for bit, NaN and signed zero included', () => {
        const values = [0, -0, 1.5, -2.25, NaN, Infinity, 1e-300, 3];
        expect(decodeArray(pack('f64', values))).toEqual(Float64Array.from(values));
        expect(decodeArray(pack('f32', values))).toEqual(Float32Array.from(values));
        expect(decodeArray(pack('u8', [0, 1, 2, 255]))).toEqual(Uint8Array.from([0, 1, 2, 255]));
    });

    test('the bytes are little-endian', () => {
        // 1.0 is 3f f0 00 00 00 00 00 00, least significant byte first
        expect(decodeArray({ type: 'f64', data: 'AAAAAAAA8D8=' })).toEqual(Float64Array.from([1]));
    });

    test('the count follows from the length of the text', () => {
        for (let n = 0; n < 40; n++) {
            expect(countOf(pack('u8', new Array<number>(n).fill(7)))).toBe(n);
            expect(countOf(pack('f32', new Array<number>(n).fill(7)))).toBe(n);
        }
        expect(countOf({ type: 'f64', data: 'AAAA' })).toBeNaN();
        expect(countOf({ type: 'f64', data: 'AAA' })).toBeNaN();
    });

    test('browsers without fromBase64 decode alike', () => {
        const holder = Uint8Array as unknown as { fromBase64?: unknown };
        const kept = holder.fromBase64;
        const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 37) % 256);
        const text = Buffer.from(bytes).toString('base64');
        holder.fromBase64 = undefined;
        expect(bytesFromBase64(text)).toEqual(bytes);
        holder.fromBase64 = (t: string) => Uint8Array.from(Buffer.from(t, 'base64'));
        expect(bytesFromBase64(text)).toEqual(bytes);
        holder.fromBase64 = kept;
    });
});

describe('a report', () => {
    test('is read with all its parts', () => {
        const [run] = read(crankRun());
        expect(run!.time.length).toBe(2001);
        expect(run!.time[2000]).toBeCloseTo(0.2, 12);
        expect(run!.byName.get('crank.omega')!.values[1000]).toBeCloseTo(150 - 80 * 0.1, 9);
        expect(run!.bodies.map((b) => b.name)).toEqual(['ground', 'crank', 'rod', 'slider']);
        expect(run!.events.n).toBe(45);
        expect(run!.ledger.entries.length).toBe(9);
        expect(run!.warnings).toEqual([]);
    });

    test.each([
        ['', /carries no run/],
        ['/*marker*/', /carries no run/],
        ['{"format":1,', /cannot be read/],
        ['null', /format/],
        ['{"format":2,"runs":[{}]}', /format '2'/],
        ['{"format":1,"runs":[]}', /holds no run/],
    ])('that is %j says what is wrong', (text, message) => {
        expect(() => parseReport(text)).toThrow(ReportError);
        expect(() => parseReport(text)).toThrow(message);
    });

    test('with nothing in it is a run without frames', () => {
        const [run] = read({});
        expect(run!.time.length).toBe(0);
        expect(run!.events.n).toBe(0);
        expect(run!.name).toBe('run');
    });

    test('without frames keeps its model', () => {
        const [run] = read(emptyRun());
        expect(run!.time.length).toBe(0);
        expect(run!.modelText).toContain('Slider-crank');
        expect(run!.warnings).toEqual([]);
    });

    test('leaves out an array of the wrong length and says so', () => {
        const [run] = read(hostileRun());
        expect(run!.byName.has('short')).toBe(false);
        expect(run!.warnings).toEqual(["channel 'short': 3 values, expected 301; left out"]);
    });

    test('shows an unreadable array as missing', () => {
        const raw = crankRun({ frames: 3 });
        raw.channels![0]!.data.data = raw.channels![0]!.data.data.replace(/^..../, '!!!!');
        const [run] = read(raw);
        expect([...run!.channels[0]!.values].every(Number.isNaN)).toBe(true);
        expect(run!.warnings.join()).toMatch(/crank.phi.*unreadable/);
    });

    test('warns of time that falls', () => {
        const raw = crankRun({ frames: 3 });
        raw.time = pack('f64', [0, 2, 1]);
        expect(read(raw)[0]!.warnings.join()).toMatch(/time must not fall/);
    });

    test('names contacts of events by number too', () => {
        expect(read(spaceRun())[0]!.events.contact).toEqual(['floor.sphere']);
    });
});
