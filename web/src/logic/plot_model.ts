// From a choice of quantities to a chart.
import { commonUnit, emptyModel, type ChartModel, type ChartSeries } from './chart_model';
import { difference } from './compare';
import { withUnit } from './format';
import { intervals } from './summary';
import type { Numbers, PlotPreset, Run } from './types';

export interface PlotChoice {
    title: string;
    x: string; // 't' or a channel
    y: string[];
    equal: boolean;
    difference: boolean; // other runs minus the first
}

export const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** What the model file asks for. */
export function choiceOf(preset: PlotPreset): PlotChoice {
    return {
        title: preset.title,
        x: preset.x || 't',
        y: preset.y,
        equal: preset.equal,
        difference: false,
    };
}

/** Something to look at when the model has no plots of its own: the first coordinates. */
export function defaultChoices(run: Run): PlotChoice[] {
    const first = run.channels.filter((c) => c.group === 'coordinate');
    const shown = (first.length > 0 ? first : run.channels).slice(0, 4);
    const byUnit = new Map<string, string[]>();
    for (const c of shown) byUnit.set(c.unit, [...(byUnit.get(c.unit) ?? []), c.name]);
    return [...byUnit.values()].map((y) => ({
        title: y.map((name) => labelOf(run, name)).join(', '),
        x: 't',
        y,
        equal: false,
        difference: false,
    }));
}

const numbersOf = (run: Run, name: string): Numbers | undefined =>
    name === 't' ? run.time : run.byName.get(name)?.values;
const labelOf = (run: Run, name: string): string => run.byName.get(name)?.label ?? name;
const unitOf = (run: Run, name: string): string =>
    name === 't' ? 's' : (run.byName.get(name)?.unit ?? '');

/** The chart of a choice; quantities that a run does not have are named in its note. */
export function buildPlot(choice: PlotChoice, runs: Run[], labels: string[]): ChartModel {
    const model = emptyModel(choice.title, choice.x === 't' ? 'time' : 'phase');
    const missing = new Set<string>();
    const reference = runs[0]!;
    const several = runs.length > 1;
    model.equal = choice.equal && choice.x !== 't';
    model.xLabel = withUnit(labelOf(reference, choice.x), unitOf(reference, choice.x));
    choice.y.forEach((name, color) => {
        runs.forEach((run, k) => {
            const [x, y] = [numbersOf(run, choice.x), numbersOf(run, name)];
            if (!x || !y) {
                missing.add(
                    `'${x ? name : choice.x}' is not recorded${several ? ` in ${labels[k]}` : ''}`,
                );
                return;
            }
            const common = {
                unit: unitOf(run, name),
                color,
                dash: DASHES[k % DASHES.length]!,
                run: k,
            };
            if (choice.difference && several && choice.x === 't') {
                const series = differenceSeries(reference, run, name, k, labels);
                const dash = DASHES[(k + DASHES.length - 1) % DASHES.length]!;
                if (series) model.series.push({ ...common, ...series, dash });
                return;
            }
            model.series.push({
                ...common,
                label: several ? `${labelOf(run, name)} · ${labels[k]}` : labelOf(run, name),
                x,
                y,
                time: run.time,
            });
        });
    });
    const said = choice.y.length === 1 ? labelOf(reference, choice.y[0]!) : '';
    const unit = commonUnit(model.series.map((s) => s.unit));
    model.yLabel = said
        ? withUnit(choice.difference ? `Δ ${said}` : said, unit)
        : unit && unit !== '1'
          ? `[${unit}]`
          : '';
    model.note = [...missing].join('; ');
    return model;
}

function differenceSeries(
    reference: Run,
    run: Run,
    name: string,
    k: number,
    labels: string[],
): Pick<ChartSeries, 'label' | 'x' | 'y' | 'time'> | null {
    if (k === 0) return null;
    const [a, b] = [reference.byName.get(name), run.byName.get(name)];
    if (!a || !b) return null;
    const d = difference(reference, run, a, b);
    return {
        label: `${a.label} · ${labels[k]} − ${labels[0]}`,
        x: d.time,
        y: d.values,
        time: d.time,
    };
}

/** Bands of all contacts that ever close. */
export function buildBands(run: Run): ChartModel {
    const model = emptyModel('Contact states', 'bands');
    model.xLabel = 't [s]';
    for (const contact of run.contacts) {
        const found = intervals(run.time, contact.state);
        if (found.some((i) => i.state > 0))
            model.rows.push({ label: contact.name, intervals: found });
    }
    const idle = run.contacts.length - model.rows.length;
    if (run.time.length > 0 && model.rows.length > 0) {
        // keeps the whole run in view
        model.series.push({
            label: '',
            unit: '',
            x: [run.time[0]!, run.time[run.time.length - 1]!],
            y: [NaN, NaN],
            time: run.time,
            color: 0,
            dash: [],
            run: 0,
        });
    }
    model.note = idle > 0 ? `${idle} of ${run.contacts.length} contacts never close` : '';
    return model;
}
