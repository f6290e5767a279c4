// What a chart shows, independent of who draws it.
import { span, visible, widen } from './trace';
import type { Interval } from './summary';

export type Range = [number, number];

export interface ChartSeries {
    label: string;
    unit: string;
    x: ArrayLike<number>;
    y: ArrayLike<number>;
    time: ArrayLike<number>; // of the run it comes from
    color: number; // place in the theme's list
    dash: number[];
    run: number;
    base?: ArrayLike<number>; // filled down to here
}

export interface BandRow {
    label: string;
    intervals: Interval[];
}

export interface ChartModel {
    title: string;
    kind: 'time' | 'phase' | 'bands';
    xLabel: string;
    yLabel: string;
    series: ChartSeries[];
    rows: BandRow[];
    equal: boolean;
    log: boolean;
    note: string;
}

export function emptyModel(title: string, kind: ChartModel['kind']): ChartModel {
    return {
        title,
        kind,
        xLabel: '',
        yLabel: '',
        series: [],
        rows: [],
        equal: false,
        log: false,
        note: '',
    };
}

/** The whole x range of a chart. */
export function fullX(model: ChartModel): Range {
    if (model.kind === 'phase') {
        return span(
            model.series.map(
                (s) => [s.x, 0, s.x.length - 1] as [ArrayLike<number>, number, number],
            ),
        );
    }
    let [low, high] = [Infinity, -Infinity];
    for (const s of model.series) {
        if (s.x.length > 0) {
            low = Math.min(low, s.x[0]!);
            high = Math.max(high, s.x[s.x.length - 1]!);
        }
    }
    for (const row of model.rows) {
        for (const { from, to } of row.intervals) {
            low = Math.min(low, from);
            high = Math.max(high, to);
        }
    }
    if (!(low <= high)) return [0, 1];
    return low < high ? [low, high] : widen(low, high);
}

/** The y range of what can be seen between two x. */
export function fitY(model: ChartModel, xr: Range): Range {
    if (model.kind === 'bands') return [0, Math.max(model.rows.length, 1)];
    const parts: [ArrayLike<number>, number, number][] = [];
    for (const s of model.series) {
        const [first, last] =
            model.kind === 'phase' ? [0, s.y.length - 1] : visible(s.x, xr[0], xr[1]);
        parts.push([s.y, first, last]);
        if (s.base) parts.push([s.base, first, last]);
    }
    const range = span(parts, model.log);
    // areas stand on their base line
    if (model.series.some((s) => s.base) && range[0] < 0) {
        const lowest = Math.min(...parts.map(([v, first, last]) => minimum(v, first, last)));
        if (lowest >= 0) range[0] = 0;
    }
    return range;
}

function minimum(values: ArrayLike<number>, first: number, last: number): number {
    let low = Infinity;
    for (let i = first; i <= last; i++) if (values[i]! < low) low = values[i]!;
    return low;
}

/** The common unit of all series, '' if they differ. */
export function commonUnit(units: string[]): string {
    const first = units[0] ?? '';
    return units.every((u) => u === first) ? first : '';
}

/** Columns and rows of what is shown: x and y of every series between two x. */
export function chartTable(
    model: ChartModel,
    xr: Range,
): { header: string[]; rows: (string | number)[][] } {
    if (model.kind === 'bands') return bandTable(model, xr);
    const header: string[] = [];
    const columns: {
        x: ArrayLike<number>;
        y: ArrayLike<number>;
        t: ArrayLike<number>;
        base: ArrayLike<number> | undefined;
        keep: number[];
    }[] = [];
    for (const s of model.series) {
        const unit = s.unit && s.unit !== '1' ? ` [${s.unit}]` : '';
        header.push(
            ...(model.kind === 'phase' ? ['t [s]', model.xLabel] : [model.xLabel]),
            `${s.label}${unit}`,
        );
        const keep: number[] = [];
        for (let i = 0; i < s.x.length; i++) if (s.x[i]! >= xr[0] && s.x[i]! <= xr[1]) keep.push(i);
        columns.push({ x: s.x, y: s.y, t: s.time, base: s.base, keep });
    }
    const same = model.kind === 'time' && columns.every((c) => c.x === columns[0]!.x);
    const n = Math.max(0, ...columns.map((c) => c.keep.length));
    const rows: (string | number)[][] = [];
    for (let r = 0; r < n; r++) {
        const row: (string | number)[] = [];
        columns.forEach((c, k) => {
            const i = c.keep[r];
            const missing = i === undefined;
            if (model.kind === 'phase') row.push(missing ? '' : c.t[i]!);
            if (!same || k === 0) row.push(missing ? '' : c.x[i]!);
            row.push(missing ? '' : c.y[i]! - (c.base ? c.base[i]! : 0));
        });
        rows.push(row);
    }
    return { header: same ? header.filter((_, k) => k === 0 || k % 2 === 1) : header, rows };
}

function bandTable(
    model: ChartModel,
    xr: Range,
): { header: string[]; rows: (string | number)[][] } {
    const names = ['open', 'slip', 'stick'];
    const rows: (string | number)[][] = [];
    for (const row of model.rows) {
        for (const { from, to, state } of row.intervals) {
            if (to >= xr[0] && from <= xr[1])
                rows.push([row.label, from, to, names[state] ?? String(state)]);
        }
    }
    return { header: ['contact', 'from [s]', 'to [s]', 'state'], rows };
}
