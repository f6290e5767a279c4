// A chart with its title, legend, values and exports.
import { download, el, fileName, iconButton, replace, textButton } from '../dom';
import { chartTable, type ChartModel } from '../logic/chart_model';
import { csv } from '../logic/csv';
import { number } from '../logic/format';
import { chartSvg } from '../logic/svg';
import { placeAt, valueAt } from '../logic/timeline';
import type { Store } from '../store';
import { Chart } from './chart';

const SAY_EVERY = 80; // ms between two values of the legend while playing

export interface CardOptions {
    height: number;
    remove?: () => void;
    removeSeries?: (index: number) => void;
    tools?: HTMLElement[];
}

export class Card {
    readonly element = el('section', { class: 'card' });
    readonly chart: Chart;
    private readonly title = el('h3');
    private readonly note = el('p', { class: 'note' });
    private readonly legend = el('div', { class: 'legend' });
    private readonly axis = el('div', { class: 'axis-label' });
    private readonly side = el('div', { class: 'axis-label y' });
    private values: HTMLElement[] = [];
    private hovered: number | null = null;
    private said = 0;
    private stop: (() => void)[];

    constructor(
        private model: ChartModel,
        private readonly store: Store,
        private readonly options: CardOptions,
    ) {
        this.chart = new Chart(model, store, options.height);
        const head = el(
            'header',
            {},
            this.title,
            el('div', { class: 'spacer' }),
            ...(options.tools ?? []),
            this.exports(),
        );
        if (options.remove) head.append(iconButton('close', 'Remove this plot', options.remove));
        this.element.append(head, this.legend, this.side, this.chart.element, this.axis, this.note);
        this.stop = [
            store.t.on(() => this.sayValues(false)),
            store.playing.on(() => this.sayValues(true)),
            store.theme.on(() => this.describe()),
        ];
        this.chart.onHover = (x) => {
            this.hovered = x;
            this.sayValues(true);
        };
        this.describe();
    }

    dispose(): void {
        this.stop.forEach((f) => f());
        this.chart.dispose();
        this.element.remove();
    }

    setModel(model: ChartModel): void {
        this.model = model;
        this.chart.setModel(model);
        this.describe();
    }

    /** Title, legend and axis labels. */
    private describe(): void {
        const { model, store } = this;
        const colors = store.theme.value.series;
        this.title.textContent = model.title;
        this.axis.textContent = model.xLabel;
        this.side.textContent = model.yLabel;
        this.note.textContent = model.note;
        this.note.hidden = model.note === '';
        this.values = [];
        if (model.kind === 'bands') {
            replace(
                this.legend,
                ...(['open', 'slip', 'stick'] as const).map((s) =>
                    el('span', { class: 'key' }, el('i', { class: `band ${s}` }), s),
                ),
            );
            return;
        }
        replace(
            this.legend,
            ...model.series.map((s, k) => {
                const value = el('output', { class: 'value' });
                this.values.push(value);
                const swatch = el('i', { class: 'swatch' });
                swatch.style.setProperty('--c', colors[s.color % colors.length]!);
                swatch.dataset.dash = s.dash.length > 0 ? 'yes' : 'no';
                const key = el(
                    'span',
                    { class: 'key', title: s.label },
                    swatch,
                    el('span', { class: 'key-name', text: s.label }),
                    value,
                );
                if (this.options.removeSeries) {
                    const button = iconButton('close', `Remove ${s.label}`, () =>
                        this.options.removeSeries!(k),
                    );
                    button.classList.add('tiny');
                    key.append(button);
                }
                return key;
            }),
        );
        this.sayValues(true);
    }

    /** Values under the pointer, else at the playhead. */
    private sayValues(now: boolean): void {
        const clock = performance.now();
        if (!now && this.store.playing.value && clock - this.said < SAY_EVERY) return;
        this.said = clock;
        const t =
            this.model.kind === 'time' && this.hovered !== null ? this.hovered : this.store.t.value;
        this.model.series.forEach((s, k) => {
            const out = this.values[k];
            if (!out) return;
            const at = placeAt(s.time, t);
            const value = valueAt(s.y, at) - (s.base ? valueAt(s.base, at) : 0); // of a layer its own part
            out.textContent = `${number(value)}${s.unit && s.unit !== '1' ? ` ${s.unit}` : ''}`;
            out.dataset.value = String(value);
        });
    }

    private exports(): HTMLElement {
        const name = (ending: string): string => fileName(this.model.title, ending);
        const view = (): {
            width: number;
            height: number;
            x: [number, number];
            y: [number, number];
        } => ({ width: 760, height: 420, ...this.chart.view });
        const svg = (): string => chartSvg(this.model, view(), this.store.theme.value);
        return el(
            'div',
            { class: 'exports', attrs: { role: 'group', 'aria-label': 'Save what is shown' } },
            textButton(
                'SVG',
                () => download(name('svg'), svg(), 'image/svg+xml'),
                'Save as a drawing',
            ),
            textButton('PNG', () => void savePng(name('png'), svg()), 'Save as a picture'),
            textButton('CSV', () => this.saveCsv(name('csv')), 'Save the numbers'),
        );
    }

    private saveCsv(name: string): void {
        const { header, rows } = chartTable(this.model, this.chart.view.x);
        download(name, csv(header, rows), 'text/csv');
    }
}

/** Draw an SVG on a canvas, twice as fine, and save that. */
async function savePng(name: string, svg: string): Promise<void> {
    const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = el('canvas', {
            attrs: { width: image.width * 2, height: image.height * 2 },
        });
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => blob && download(name, blob), 'image/png');
    } finally {
        URL.revokeObjectURL(url);
    }
}
