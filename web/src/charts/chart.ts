// One chart on a uPlot canvas.  uPlot draws axes and handles the selection; curves, bands, ranges
// and the playhead are ours, so that time plots, phase portraits and several runs work alike.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { el } from '../dom';
import { fitY, fullX, type ChartModel, type ChartSeries, type Range } from '../logic/chart_model';
import { powerText, powerTicks, ticks, tickTexts } from '../logic/format';
import { placeAt, valueAt } from '../logic/timeline';
import { equalize, tracePhase, traceTime, visible } from '../logic/trace';
import type { Store } from '../store';

const GUTTER = 62; // pixels for numbers at the left
const BAND = 24; // pixels per row of bands
const FONT = '11px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const DRAG = 5; // pixels from which a press is a drag

export class Chart {
    readonly element = el('div', { class: 'chart' });
    private plot: uPlot | null = null;
    private head = el('div', { class: 'playhead' });
    private dots: HTMLElement[] = [];
    private x: Range = [0, 1];
    private y: Range = [0, 1];
    private stop: (() => void)[] = [];
    /** told where the pointer is, null when it left; x is a time in time charts */
    onHover: (x: number | null) => void = () => undefined;

    constructor(
        private model: ChartModel,
        private readonly store: Store,
        private readonly height: number,
    ) {
        const observer = new ResizeObserver(() => this.resize());
        observer.observe(this.element);
        this.stop.push(
            () => observer.disconnect(),
            store.t.on(() => this.placeHead()),
            store.theme.on(() => this.plot?.redraw(true)),
            store.range.on(() => this.model.kind !== 'phase' && this.showAll()),
        );
    }

    dispose(): void {
        this.stop.forEach((f) => f());
        this.plot?.destroy();
    }

    /** Show something else. */
    setModel(model: ChartModel): void {
        this.model = model;
        this.plot?.destroy();
        this.plot = null;
        this.resize();
    }

    get view(): { x: Range; y: Range } {
        return { x: this.x, y: this.y };
    }

    private get pixels(): number {
        return this.model.kind === 'bands'
            ? BAND * Math.max(this.model.rows.length, 1) + 36
            : this.height;
    }

    private resize(): void {
        const width = Math.floor(this.element.clientWidth);
        if (width < 60) return;
        if (!this.plot) this.create(width);
        else if (this.plot.width !== width) {
            this.plot.setSize({ width, height: this.pixels });
            if (this.model.equal) this.showAll();
        }
        this.placeHead();
    }

    private create(width: number): void {
        const { model } = this;
        const data = [
            null,
            ...(model.series.length > 0 ? model.series : [blank()]).map((s) => [s.x, s.y]),
        ];
        this.plot = new uPlot(
            this.options(width),
            data as unknown as uPlot.AlignedData,
            this.element,
        );
        const over = this.plot.over;
        this.head = el('div', { class: model.kind === 'phase' ? 'playhead none' : 'playhead' });
        this.dots =
            model.kind === 'phase' ? model.series.map(() => el('div', { class: 'playdot' })) : [];
        over.append(this.head, ...this.dots);
        this.bind(over);
        this.showAll();
    }

    /** Everything, or what the common zoom of all time axes leaves. */
    showAll(): void {
        const { model } = this;
        const zoom = model.kind === 'phase' ? null : this.store.range.value;
        this.x = zoom ?? fullX(model);
        this.y = fitY(model, this.x);
        if (model.equal && this.plot) {
            const { width, height } = this.plot.bbox;
            [this.x, this.y] = equalize(this.x, this.y, width, height);
        }
        this.apply();
    }

    private apply(): void {
        this.plot?.batch(() => {
            this.plot!.setScale('x', { min: this.x[0], max: this.x[1] });
            this.plot!.setScale('y', { min: this.y[0], max: this.y[1] });
        });
        this.placeHead();
    }

    private options(width: number): uPlot.Options {
        const { model, store } = this;
        const bands = model.kind === 'bands';
        const soft = (): string => store.theme.value.soft;
        const line = (): string => store.theme.value.line;
        // ticks are ours, to be the same as in the SVG; beyond 1e-16 and 1e16 uPlot shows none
        const axis = (): uPlot.Axis => ({
            stroke: soft,
            font: FONT,
            grid: { stroke: line, width: 1 },
            ticks: { show: false },
            splits: (u, k, low, high, _step, space) =>
                ticks(
                    low,
                    high,
                    (k === 0 ? u.bbox.width : u.bbox.height) /
                        devicePixelRatio /
                        Math.max(space, 1),
                ),
            values: (_, splits) => tickTexts(splits),
        });
        const given: uPlot.Range.Function = (_, low, high) => [low, high];
        return {
            mode: 2,
            width,
            height: this.pixels,
            padding: [8, 20, 0, 0],
            legend: { show: false },
            cursor: {
                points: { show: false },
                y: !bands,
                drag: { x: true, y: model.kind === 'phase', setScale: false, dist: DRAG },
            },
            scales: {
                x: { time: false, auto: false, range: given },
                y: { auto: false, range: given }, // logarithmic charts have exponents here,
            },
            axes: [
                { ...axis(), size: 28, gap: 4, space: 70 },
                bands
                    ? {
                          ...axis(),
                          size: GUTTER,
                          grid: { show: false },
                          values: (_, splits) => splits.map(() => ''),
                      }
                    : { ...axis(), size: GUTTER, gap: 6, space: 34, ...(model.log ? POWERS : {}) },
            ],
            series: [
                {},
                ...(model.series.length > 0 ? model.series : [blank()]).map((s) =>
                    this.seriesOptions(s),
                ),
            ],
            hooks: {
                draw: [(u) => bands && this.drawBands(u)],
                setSelect: [(u) => this.zoomTo(u)],
                setCursor: [(u) => this.hover(u)],
            },
        };
    }

    private seriesOptions(s: ChartSeries): uPlot.Series {
        const color = (): string => {
            const list = this.store.theme.value.series;
            return list[s.color % list.length]!;
        };
        return {
            facets: [
                { scale: 'x', auto: false },
                { scale: 'y', auto: false },
            ],
            stroke: color,
            ...(s.base ? { fill: () => `${color()}47` } : {}),
            width: 1.4,
            dash: s.dash,
            points: { show: false },
            paths: (u) => this.paths(u, s),
        } as uPlot.Series;
    }

    /** The curve of a series, and the area under it. */
    private paths(u: uPlot, s: ChartSeries): uPlot.Series.Paths | null {
        if (this.model.kind === 'bands' || u.scales.x!.min == null) return null;
        const toX = (v: number): number => u.valToPos(v, 'x', true);
        const toY = (v: number): number => u.valToPos(v, 'y', true);
        const y = this.model.log
            ? Float64Array.from(s.y, (v) => (v > 0 ? Math.log10(v) : NaN))
            : s.y;
        const stroke = new Path2D();
        const window = visible(s.x, this.x[0], this.x[1]);
        if (this.model.kind === 'phase') tracePhase(s.x, y, toX, toY, stroke);
        else traceTime(s.x, y, window, toX, toY, stroke);
        const paths: uPlot.Series.Paths = { stroke, clip: plotClip(u) };
        if (s.base) paths.fill = area(s, window, toX, toY);
        return paths;
    }

    private drawBands(u: uPlot): void {
        const { ctx } = u;
        const theme = this.store.theme.value;
        const ratio = devicePixelRatio || 1;
        const { left, top, width } = u.bbox;
        ctx.save();
        ctx.font = FONT.replace('11px', `${10.5 * ratio}px`);
        ctx.textAlign = 'left';
        ctx.textBaseline = 'alphabetic';
        this.model.rows.forEach((row, k) => {
            const base = top + (k + 1) * BAND * ratio - 2 * ratio;
            for (const { from, to, state } of row.intervals) {
                const x0 = Math.max(u.valToPos(from, 'x', true), left);
                const x1 = Math.min(u.valToPos(to, 'x', true), left + width);
                if (x1 < x0) continue;
                const high = (state === 2 ? 8 : state === 1 ? 4 : 1) * ratio;
                ctx.fillStyle = state === 2 ? theme.stick : state === 1 ? theme.slip : theme.line;
                ctx.fillRect(x0, base - high, Math.max(x1 - x0, 0.5 * ratio), high);
            }
            ctx.fillStyle = theme.soft;
            ctx.fillText(row.label, left + 2 * ratio, base - 11 * ratio, width - 4 * ratio);
        });
        ctx.restore();
    }

    /** Zoom to what was selected. */
    private zoomTo(u: uPlot): void {
        const { left, top, width, height } = u.select;
        if (width < DRAG) return;
        const x: Range = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        if (this.model.kind === 'phase') {
            this.x = x;
            if (height >= DRAG) this.y = [u.posToVal(top + height, 'y'), u.posToVal(top, 'y')];
            this.apply();
        } else {
            this.store.range.set(x);
        }
    }

    private hover(u: uPlot): void {
        const { left } = u.cursor;
        this.onHover(
            left === undefined || left === null || left < 0 ? null : u.posToVal(left, 'x'),
        );
    }

    private bind(over: HTMLElement): void {
        let [downX, downY] = [0, 0];
        over.addEventListener('mousedown', (e) => ([downX, downY] = [e.clientX, e.clientY]));
        over.addEventListener('click', (e) => {
            if (Math.hypot(e.clientX - downX, e.clientY - downY) < DRAG) this.seekTo(e);
        });
        over.addEventListener('dblclick', () => {
            if (this.model.kind === 'phase') this.showAll();
            else this.store.range.set(null);
        });
        // the playhead can be taken and moved
        this.head.addEventListener('mousedown', (e) => e.stopPropagation());
        this.head.addEventListener('pointerdown', (e) => {
            e.stopPropagation();
            this.head.setPointerCapture(e.pointerId);
            this.store.playing.set(false);
        });
        this.head.addEventListener('pointermove', (e) => {
            if (this.head.hasPointerCapture(e.pointerId)) this.seekTo(e);
        });
        this.head.addEventListener('click', (e) => e.stopPropagation());
    }

    /** Take the time under the pointer; in a phase portrait that of the nearest point. */
    private seekTo(e: MouseEvent): void {
        const u = this.plot!;
        const box = u.over.getBoundingClientRect();
        const [left, top] = [e.clientX - box.left, e.clientY - box.top];
        if (this.model.kind !== 'phase') {
            this.store.seek(u.posToVal(left, 'x'));
            return;
        }
        let [best, t] = [Infinity, NaN];
        for (const s of this.model.series) {
            for (let i = 0; i < s.x.length; i++) {
                const away = Math.hypot(
                    u.valToPos(s.x[i]!, 'x') - left,
                    u.valToPos(s.y[i]!, 'y') - top,
                );
                if (away < best) [best, t] = [away, s.time[i]!];
            }
        }
        this.store.seek(t);
    }

    /** Put the playhead, or the dots of a phase portrait, where time is. */
    private placeHead(): void {
        const u = this.plot;
        if (!u || u.scales.x!.min == null) return;
        const t = this.store.t.value;
        const [wide, high] = [u.bbox.width / devicePixelRatio, u.bbox.height / devicePixelRatio];
        if (this.model.kind !== 'phase') {
            const left = u.valToPos(t, 'x');
            const shown = left >= -0.5 && left <= wide + 0.5;
            this.head.style.visibility = shown ? 'visible' : 'hidden';
            if (shown) this.head.style.transform = `translateX(${left.toFixed(1)}px)`;
            return;
        }
        this.model.series.forEach((s, k) => {
            const at = placeAt(s.time, t);
            const [left, top] = [
                u.valToPos(valueAt(s.x, at), 'x'),
                u.valToPos(valueAt(s.y, at), 'y'),
            ];
            const shown = left >= 0 && left <= wide && top >= 0 && top <= high;
            const dot = this.dots[k]!;
            dot.style.visibility = shown ? 'visible' : 'hidden';
            if (shown) dot.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
        });
    }
}

/** What uPlot gets when there is no series. */
function blank(): ChartSeries {
    return {
        label: '',
        unit: '',
        x: [0, 1],
        y: [NaN, NaN],
        time: [0, 1],
        color: 0,
        dash: [],
        run: 0,
    };
}

/** The y axis of a logarithmic chart: powers of ten. */
const POWERS: Pick<uPlot.Axis, 'splits' | 'values'> = {
    splits: (_u, _k, low, high) => powerTicks(low, high, 6),
    values: (_, splits) => splits.map(powerText),
};

function plotClip(u: uPlot): Path2D {
    const clip = new Path2D();
    clip.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    return clip;
}

/** Remembers a path to walk it back. */
class Track {
    points: [number, number][] = [];
    moveTo(x: number, y: number): void {
        this.points.push([x, y]);
    }
    lineTo(x: number, y: number): void {
        this.points.push([x, y]);
    }
}

function area(
    s: ChartSeries,
    window: [number, number],
    toX: (v: number) => number,
    toY: (v: number) => number,
): Path2D {
    const up = new Track();
    const back = new Track();
    traceTime(s.x, s.y, window, toX, toY, up);
    traceTime(s.x, s.base!, window, toX, toY, back);
    const path = new Path2D();
    [...up.points, ...back.points.reverse()].forEach(([x, y], k) =>
        k === 0 ? path.moveTo(x, y) : path.lineTo(x, y),
    );
    path.closePath();
    return path;
}
