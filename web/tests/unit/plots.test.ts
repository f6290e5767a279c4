import { describe, expect, test } from 'vitest';
import { crankRun, report } from '../../fixtures/fixture';
import { hostileRun, HOSTILE, spaceRun } from '../../fixtures/odd_runs';
import { chartTable, fitY, fullX } from '../../src/logic/chart_model';
import { compareChannels, difference, runLabels } from '../../src/logic/compare';
import { cell, csv } from '../../src/logic/csv';
import { parseReport } from '../../src/logic/data';
import { buildBands, buildPlot, choiceOf, defaultChoices } from '../../src/logic/plot_model';
import { searchChannels } from '../../src/logic/search';
import { chartSvg, escapeXml } from '../../src/logic/svg';
import { LIGHT } from '../../src/logic/theme';
import { equalize, span, tracePhase, traceTime, visible, widen } from '../../src/logic/trace';

const read = (...runs: Parameters<typeof report>) => parseReport(JSON.stringify(report(...runs)));
const [run] = read(crankRun()) as [ReturnType<typeof read>[number]];
const time = (y: string[]) => ({ title: 'plot', x: 't', y, equal: false, difference: false });

describe('searching', () => {
    test('finds by every word, in name, unit or group', () => {
        const names = (q: string): string[] => searchChannels(run.channels, q).map((c) => c.name);
        expect(names('')).toHaveLength(9);
        expect(names('crank')).toEqual(['crank.phi', 'crank.omega']);
        expect(names('PHI rod')).toEqual(['rod.phi']);
        expect(names('certificate')).toEqual(['complementarity']);
        expect(names('y1')).toEqual(['y1']);
        expect(names('zzz')).toEqual([]);
    });
});

describe('plots', () => {
    test('presets keep their axes and name what is missing', () => {
        const model = buildPlot(choiceOf(run.plots[0]!), [run], ['a']);
        expect(model.kind).toBe('phase');
        expect(model.series.map((s) => s.label)).toEqual(['y1', 'y2']);
        const missing = buildPlot(time(['y1', 'nowhere']), [run], ['a']);
        expect(missing.series).toHaveLength(1);
        expect(missing.note).toBe("'nowhere' is not recorded");
    });

    test('units stand on the axes', () => {
        const model = buildPlot(time(['crank.omega']), [run], ['a']);
        expect([model.xLabel, model.yLabel]).toEqual(['t [s]', 'crank.omega [rad/s]']);
        expect(buildPlot(time(['slider.x', 'slider.y']), [run], ['a']).yLabel).toBe('[m]');
        expect(buildPlot(time(['slider.x', 'crank.phi']), [run], ['a']).yLabel).toBe('');
    });

    test('a model without plots shows its coordinates, by unit', () => {
        expect(defaultChoices(run).map((c) => c.y)).toEqual([['crank.phi', 'rod.phi']]);
        expect(defaultChoices(read(spaceRun())[0]!).map((c) => c.y)).toEqual([['box.z']]);
        expect(defaultChoices(read({})[0]!)).toEqual([]);
    });

    test('ranges cover what is shown and no more than a little air', () => {
        const model = buildPlot(time(['crank.omega']), [run], ['a']);
        expect(fullX(model)).toEqual([0, 0.2]);
        const [low, high] = fitY(model, [0.05, 0.1]);
        expect(low).toBeCloseTo(142, 0);
        expect(high).toBeCloseTo(146, 0);
    });

    test('bands list the contacts that close', () => {
        const model = buildBands(run);
        expect(model.rows.map((r) => r.label)).toEqual(['guide.c1.upper', 'guide.c2.upper']);
        expect(model.rows[1]!.intervals.map((i) => i.state)).toEqual([0, 1]);
        expect(fullX(model)).toEqual([0, 0.2]);
        expect(buildBands(read({})[0]!).rows).toEqual([]);
    });
});

describe('curves', () => {
    const draw = (
        f: (pen: {
            moveTo: (x: number, y: number) => void;
            lineTo: (x: number, y: number) => void;
        }) => void,
    ): [string, number, number][] => {
        const done: [string, number, number][] = [];
        f({ moveTo: (x, y) => done.push(['M', x, y]), lineTo: (x, y) => done.push(['L', x, y]) });
        return done;
    };
    const same = (v: number): number => v;

    test('break at missing values', () => {
        const path = draw((pen) =>
            traceTime([0, 1, 2, 3, 4], [1, 2, NaN, 4, 5], [0, 4], same, same, pen),
        );
        expect(path).toEqual([
            ['M', 0, 1],
            ['L', 1, 2],
            ['M', 3, 4],
            ['L', 4, 5],
        ]);
        const phase = draw((pen) => tracePhase([0, 1, NaN, 3], [1, 2, 3, 4], same, same, pen));
        expect(phase).toEqual([
            ['M', 0, 1],
            ['L', 1, 2],
            ['M', 3, 4],
        ]);
    });

    test('of many points keep every extreme and have few points', () => {
        const n = 100_000;
        const x = Float64Array.from({ length: n }, (_, i) => i);
        const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i / 100));
        y[54_321] = 40;
        y[77_777] = -40;
        const path = draw((pen) => traceTime(x, y, [0, n - 1], (v) => v / 200, same, pen));
        expect(path.length).toBeLessThan(5000);
        const heights = path.map((p) => p[2]);
        expect(Math.max(...heights)).toBe(40);
        expect(Math.min(...heights)).toBe(-40);
        expect(path[path.length - 1]![2]).toBe(y[n - 1]);
    });

    test('are drawn only where they can be seen', () => {
        expect(visible([0, 1, 2, 3, 4, 5], 2.5, 3.5)).toEqual([2, 4]);
        expect(visible([0, 1], 5, 6)).toEqual([1, 1]);
        expect(visible([], 0, 1)).toEqual([0, -1]);
    });

    test('ranges of constants, nothing and logarithms', () => {
        expect(span([[[3, 3], 0, 1]])).toEqual([2.7, 3.3]);
        expect(span([[[NaN], 0, 0]])).toEqual([0, 1]);
        expect(span([[[0, 2e-12, 3e-9], 0, 2]], true)).toEqual([-12, -8]);
        expect(span([[[1e-5], 0, 0]], true)).toEqual([-5, -4]);
        expect(span([[[-1e308, 2, 3, 1e308], 0, 3]])[1]).toBeCloseTo(3.06, 9);
        expect(widen(0, 0)).toEqual([-1, 1]);
    });

    test('equal axes have the same length per pixel and show all', () => {
        const [x, y] = equalize([0, 2], [0, 1], 100, 200);
        expect((x[1] - x[0]) / 100).toBeCloseTo((y[1] - y[0]) / 200, 12);
        expect(x[0] <= 0 && x[1] >= 2 && y[0] <= 0 && y[1] >= 1).toBe(true);
    });
});

describe('exports', () => {
    test('CSV holds the numbers of the window, exactly', () => {
        const model = buildPlot(time(['crank.omega', 'y1']), [run], ['a']);
        const { header, rows } = chartTable(model, [0.1, 0.15]);
        expect(header).toEqual(['t [s]', 'crank.omega [rad/s]', 'y1']);
        expect(rows.length).toBe(501);
        expect(rows[0]![0]).toBe(run.time[1000]);
        expect(rows[0]![1]).toBe(run.byName.get('crank.omega')!.values[1000]);
        expect(csv(header, rows).split('\n').length).toBe(503);
    });

    test('CSV of several runs keeps their own times', () => {
        const runs = read(crankRun({ frames: 11 }), crankRun({ frames: 6, file: 'b.h5' }));
        const { header, rows } = chartTable(buildPlot(time(['y1']), runs, ['a', 'b']), [0, 0.2]);
        expect(header).toEqual(['t [s]', 'y1 · a', 't [s]', 'y1 · b']);
        expect(rows.length).toBe(11);
        expect(rows[5]![2]).toBeCloseTo(0.2, 12);
        expect(rows[6]!.slice(2)).toEqual(['', '']);
    });

    test('phase portraits come with time', () => {
        const { header } = chartTable(buildPlot(choiceOf(run.plots[2]!), [run], ['a']), [-1, 1]);
        expect(header).toEqual(['t [s]', 'rod.phi [rad]', 'crank.omega [rad/s]']);
    });

    test('cells cannot break the table or run as formulas', () => {
        expect(cell('a,"b"')).toBe('"a,""b"""');
        expect(cell('=1+1')).toBe("'=1+1");
        expect(cell(-1)).toBe('-1');
        expect(cell(NaN)).toBe('');
    });

    test('SVG draws every series and escapes every name', () => {
        const [bad] = read(hostileRun());
        const model = buildPlot(choiceOf(bad!.plots[0]!), [bad!], ['a']);
        const svg = chartSvg(
            model,
            { width: 700, height: 400, x: fullX(model), y: fitY(model, fullX(model)) },
            LIGHT,
        );
        expect(svg).not.toContain('<img');
        expect(svg).not.toContain('</script');
        expect(svg).toContain(escapeXml(HOSTILE));
        expect(svg.match(/<path /g)!.length).toBe(3);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        expect(
            svg.match(/<(\w+)[^>]*[^/]>/g)!.filter((t) => /^<(svg|g|text|clipPath)/.test(t)).length,
        ).toBe(svg.match(/<\/(svg|g|text|clipPath)>/g)!.length);
    });

    test('SVG of bands draws slip lower than stick', () => {
        const svg = chartSvg(
            buildBands(run),
            { width: 700, height: 400, x: [0, 0.2], y: [0, 2] },
            LIGHT,
        );
        expect(svg).toContain(LIGHT.slip);
        expect(svg).toContain(LIGHT.stick);
        expect(svg).toContain('guide.c2.upper');
    });
});

describe('comparing', () => {
    const runs = read(crankRun(), crankRun({ omega: 148, frames: 1501, file: 'b.h5' }));
    const [a, b] = runs as [typeof run, typeof run];

    test('a difference is taken at the same time, between frames', () => {
        const d = difference(a, b, a.byName.get('crank.omega')!, b.byName.get('crank.omega')!);
        for (const x of d.values) expect(x).toBeCloseTo(-2, 9);
        expect(d.largest).toBeCloseTo(2, 9);
        expect(d.rms).toBeCloseTo(2, 9);
    });

    test('a run that ended earlier has no difference after its end', () => {
        const [short] = read(crankRun({ until: 0.1 }));
        const d = difference(a, short!, a.byName.get('turns')!, short!.byName.get('turns')!);
        expect(d.values[1500]).toBeNaN();
        expect(d.values[500]).toBeCloseTo(0, 6);
    });

    test('equal runs differ nowhere', () => {
        for (const d of compareChannels(a, read(crankRun())[0]!)) expect(d.largest).toBe(0);
    });

    test('the largest relative differences come first, other units are left out', () => {
        const found = compareChannels(a, b);
        const part = found.map((d) => d.largest / d.span);
        part.forEach((p, k) => k > 0 && expect(p <= part[k - 1]! || Number.isNaN(p)).toBe(true));
        const other = read(crankRun())[0]!;
        other.byName.get('turns')!.unit = 'rev';
        expect(compareChannels(a, other).map((d) => d.name)).not.toContain('turns');
    });

    test('difference plots show the other runs only', () => {
        const model = buildPlot({ ...time(['crank.omega']), difference: true }, runs, ['a', 'b']);
        expect(model.series.map((s) => s.label)).toEqual(['crank.omega · b − a']);
        expect(model.series[0]!.dash).toEqual([]);
    });

    test('runs of the same file get numbers', () => {
        expect(runLabels([a, a])).toEqual(['slider_crank (1)', 'slider_crank (2)']);
        expect(runLabels(runs)).toEqual(['slider_crank', 'b']);
    });
});
