import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cell } from '../../src/logic/csv';
import {
    count,
    fixed,
    number,
    percent,
    powerText,
    powerTicks,
    roundDown125,
    ticks,
    tickTexts,
    timeDecimals,
    withUnit,
} from '../../src/logic/format';
import { findKeys, markOverrides, tokenize } from '../../src/logic/model_text';
import { Signal } from '../../src/logic/signal';
import { contrast, DARK, LIGHT } from '../../src/logic/theme';

describe('numbers', () => {
    test('are short and honest', () => {
        expect(
            [0, 1, -2.5, 0.1 + 0.2, 123456.7, 1e-9, -3e12, NaN, Infinity].map((x) => number(x)),
        ).toEqual(['0', '1', '−2.5', '0.3', '123457', '1e−9', '−3e12', '–', '∞']);
        expect(number(0.00012345678, 4)).toBe('0.0001235');
        expect(number(99999.7, 3)).toBe('100000');
    });

    test('counts, decimals, parts', () => {
        expect(count(1234567)).toBe('1\u202f234\u202f567');
        expect(fixed(-0.00001, 2)).toBe('0.00');
        expect(fixed(-1.005, 1)).toBe('−1.0');
        expect(percent(0.5)).toBe('50.0\u202f%');
        expect(percent(NaN)).toBe('–');
        expect(withUnit('x', '1')).toBe('x');
        expect(timeDecimals([0, 1e-4, 2e-4])).toBe(5);
        expect(timeDecimals([])).toBe(4);
    });

    test('round lengths for scales', () => {
        expect([0.07, 0.2, 4.99, 5, 1000].map(roundDown125)).toEqual([0.05, 0.2, 2, 5, 1000]);
        expect(roundDown125(0)).toBe(1);
    });

    test('ticks are round, inside, and about as many as asked for', () => {
        for (const [low, high] of [
            [0, 1],
            [-3.7, 12.2],
            [1e-6, 3e-6],
            [0.123, 0.124],
            [-1e9, 1e9],
        ] as const) {
            for (const about of [3, 6, 10]) {
                const places = ticks(low, high, about);
                expect(places.length).toBeGreaterThanOrEqual(Math.max(1, about / 2.6));
                expect(places.length).toBeLessThanOrEqual(about * 1.4 + 2);
                expect(
                    places.every(
                        (x) => x >= low - 1e-9 * (high - low) && x <= high + 1e-9 * (high - low),
                    ),
                ).toBe(true);
                expect(new Set(tickTexts(places)).size).toBe(places.length);
            }
        }
        // ends, whatever the numbers
        for (const [low, high] of [
            [1, 1 + 2.3e-16],
            [1e300, 2e300],
            [1e-320, 3e-320],
            [-1e308, 1e308],
            [1e15, 1e15 + 1],
            [5e-324, 1e-323],
            [NaN, 1],
            [0, Infinity],
        ] as const) {
            expect(ticks(low, high, 8).length).toBeLessThanOrEqual(30);
            expect(tickTexts(ticks(low, high, 8)).length).toBeGreaterThan(0);
        }
        expect(powerTicks(-324, 2, 6).length).toBeLessThanOrEqual(8);
        expect(powerTicks(-12.5, -9, 6).map(powerText)).toEqual([
            '1e−12',
            '1e−11',
            '1e−10',
            '1e−9',
        ]);
        expect(ticks(1, 1, 5)).toEqual([1]);
        expect(tickTexts([0, 0.25, 0.5])).toEqual(['0.00', '0.25', '0.50']);
    });
});

const MODEL = `specht: 1
parameters:
  mu: 0.01               # friction, mu: not here
  eps: 0.4
bodies:
  crank: {mass: 38 g, joint: {revolute: ground, at: [l1, 0]}}
  slider:
    mass: 76 g
    contours:
      block: {polygon: [[-a, -b], [a, -b]], names: [c3, c4]}
run: {until: 0.2 s, step: 1e-5 s}
note: "a: text, # no comment"
`;

describe('the model text', () => {
    test('keys are found with their paths, in blocks and in braces', () => {
        const paths = findKeys(MODEL).map((k) => `${k.line + 1} ${k.path}`);
        expect(paths).toEqual([
            '1 specht',
            '2 parameters',
            '3 parameters.mu',
            '4 parameters.eps',
            '5 bodies',
            '6 bodies.crank',
            '6 bodies.crank.mass',
            '6 bodies.crank.joint',
            '6 bodies.crank.joint.revolute',
            '6 bodies.crank.joint.at',
            '7 bodies.slider',
            '8 bodies.slider.mass',
            '9 bodies.slider.contours',
            '10 bodies.slider.contours.block',
            '10 bodies.slider.contours.block.polygon',
            '10 bodies.slider.contours.block.names',
            '11 run',
            '11 run.until',
            '11 run.step',
            '12 note',
        ]);
    });

    test('overrides are found by parameter and by path', () => {
        const marks = markOverrides(MODEL, [
            'mu=0.02',
            'bodies.slider.mass=80 g',
            'run.step=1e-6',
            'nowhere=1',
            'eps = a=b',
        ]);
        expect(marks.map((m) => m.line)).toEqual([2, 7, 10, null, 3]);
        expect(marks[4]).toEqual({ name: 'eps', value: 'a=b', line: 3 });
    });

    test('the pieces of all lines are the text', () => {
        for (const text of [
            MODEL,
            '',
            '}}}]]]{{{',
            'a: {b: [\n c: 1}',
            '"\'# {',
            '- a: 1\n- b: {c: 2}',
        ]) {
            const lines = tokenize(text).map((tokens) => tokens.map((t) => t.text).join(''));
            expect(lines.join('\n')).toBe(text);
        }
        expect(tokenize(MODEL)[11]!.some((t) => t.kind === 'comment')).toBe(false);
        expect(tokenize(MODEL)[2]!.map((t) => t.kind)).toEqual([
            'plain',
            'key',
            'plain',
            'comment',
        ]);
    });

    test('a text of 10 000 lines is read in a moment', () => {
        const start = performance.now();
        tokenize(MODEL.repeat(1000));
        expect(performance.now() - start).toBeLessThan(5000);
    });
});

describe('colours', () => {
    test.each([
        ['light', LIGHT],
        ['dark', DARK],
    ] as const)('of the %s theme can be read (WCAG AA)', (_, theme) => {
        for (const back of [theme.paper, theme.sheet, theme.well]) {
            for (const text of [theme.ink, theme.soft, theme.accent]) {
                expect(contrast(text, back), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
            }
            for (const shape of [
                theme.open,
                theme.slip,
                theme.stick,
                theme.ground,
                theme.edge,
                theme.bodyLine,
                ...theme.series,
            ]) {
                expect(contrast(shape, back), `${shape} on ${back}`).toBeGreaterThanOrEqual(3);
            }
        }
        expect(contrast(theme.ink, theme.mark)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(theme.accent, theme.mark)).toBeGreaterThanOrEqual(4.5);
    });

    test('the formula gives the known extremes', () => {
        expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6);
        expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    });
});

test('a signal tells of changes only, until one stops listening', () => {
    const heard: number[] = [];
    const signal = new Signal(1);
    const stop = signal.on((v) => heard.push(v), true);
    signal.set(1);
    signal.set(2);
    stop();
    signal.set(3);
    expect(heard).toEqual([1, 2]);
    expect(cell('plain')).toBe('plain');
});

test('no source parses markup from text', () => {
    const folder = new URL('../../src/', import.meta.url);
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((f) =>
        f.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
        expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(
            /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(/,
        );
    }
});
