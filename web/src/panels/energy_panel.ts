// Where the energy went, and how well every step was solved.
import { Card } from '../charts/card';
import { el, replace } from '../dom';
import { emptyModel, type ChartModel } from '../logic/chart_model';
import { accounts, closesTo, stackLedger } from '../logic/energy';
import { number } from '../logic/format';
import type { Run } from '../logic/types';
import type { Store } from '../store';

const DECADES = 16; // of the gauges: 1e-16 to 1
const CERTIFIED = 1e-8; // a contact problem counts as solved below this

const MEANING: Record<string, string> = {
    complementarity: 'contact laws, relative to the velocities at the contacts',
    cone: 'friction outside its cone, relative',
    momentum: 'balance of momentum, relative',
    gap: 'deepest penetration, m',
    dissipation: 'contacts that would feed energy, relative',
};

/** The ledger as layers over time: all of it, or only what was spent. */
export function ledgerModel(run: Run, spentOnly: boolean): ChartModel | null {
    const n = run.time.length;
    if (n === 0 || run.ledger.entries.length === 0) return null;
    const model = emptyModel(spentOnly ? 'Energy spent' : 'Energy over time', 'time');
    const stack = stackLedger(run.ledger, n);
    let base: Float64Array = new Float64Array(n);
    stack.layers.forEach((layer, color) => {
        if (spentOnly && layer.stored) return;
        const top = base.map((b, i) => b + layer.values[i]!);
        const label = layer.stored ? layer.name : `${layer.name} (spent)`;
        model.series.push({
            label,
            unit: run.ledger.unit,
            x: run.time,
            y: top,
            base,
            time: run.time,
            color,
            dash: [],
            run: 0,
        });
        base = top;
    });
    model.xLabel = 't [s]';
    model.yLabel = `[${run.ledger.unit}]`;
    if (model.series.length === 0) return null;
    if (spentOnly) return model;
    model.note = `Layers are stacked: what is stored, then what was spent. Their sum is the energy at the start plus what was supplied${stack.shift !== 0 ? `; potential energy counts from its lowest value, ${number(stack.shift, 4)} ${run.ledger.unit}` : ''}.`;
    return model;
}

/** Residuals over time, logarithmic. */
function residualModel(run: Run): ChartModel | null {
    const channels = run.channels.filter(
        (c) => c.group === 'certificate' && !c.name.startsWith('solver.'),
    );
    if (channels.length === 0 || run.time.length === 0) return null;
    const model = emptyModel('Residuals over time', 'time');
    channels.forEach((c, color) =>
        model.series.push({
            label: c.label.replace(/^certificate\./, ''),
            unit: '',
            x: run.time,
            y: c.values,
            time: run.time,
            color,
            dash: [],
            run: 0,
        }),
    );
    model.log = true;
    model.xLabel = 't [s]';
    return model;
}

export class EnergyPanel {
    readonly element = el('div', { class: 'panel energy' });
    private cards: Card[] = [];

    constructor(private readonly store: Store) {
        store.active.on(() => this.load());
        this.load();
    }

    private load(): void {
        this.cards.forEach((c) => c.dispose());
        const run = this.store.run;
        const models = [ledgerModel(run, false), ledgerModel(run, true), residualModel(run)];
        const charts = models.map(
            (m) => m && new Card(m, this.store, { height: m === models[0] ? 230 : 180 }),
        );
        this.cards = charts.filter((c): c is Card => c !== null);
        replace(
            this.element,
            charts[0]?.element,
            charts[1]?.element,
            this.ledgerTable(run),
            this.certificate(run),
            charts[2]?.element,
        );
    }

    private ledgerTable(run: Run): HTMLElement | null {
        const rows = accounts(run.ledger);
        if (rows.length === 0 || run.time.length === 0) return null;
        const { unit } = run.ledger;
        const closes = closesTo(run.ledger);
        return el(
            'section',
            { class: 'card plain' },
            el(
                'header',
                {},
                el('h3', { text: 'Ledger' }),
                el('div', { class: 'spacer' }),
                Number.isNaN(closes.relative)
                    ? null
                    : el('span', {
                          class: 'seal',
                          text: `closes to ${number(closes.relative, 1)}`,
                          title: `largest balance ${number(closes.absolute, 3)} ${unit}`,
                      }),
            ),
            el(
                'div',
                { class: 'scroll-x' },
                el(
                    'table',
                    { class: 'numbers ledger' },
                    el(
                        'thead',
                        {},
                        el(
                            'tr',
                            {},
                            ...['', `start [${unit}]`, `end [${unit}]`, `change [${unit}]`].map(
                                (h) => el('th', { text: h, attrs: { scope: 'col' } }),
                            ),
                        ),
                    ),
                    el(
                        'tbody',
                        {},
                        ...rows.map((r) =>
                            el(
                                'tr',
                                { attrs: { 'data-entry': r.name } },
                                el('th', { text: r.name, attrs: { scope: 'row' } }),
                                ...[r.start, r.end, r.end - r.start].map((v) =>
                                    el('td', { text: number(v, 5), attrs: { 'data-value': v } }),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        );
    }

    private certificate(run: Run): HTMLElement | null {
        if (run.certificate.length === 0) return null;
        return el(
            'section',
            { class: 'card plain' },
            el('header', {}, el('h3', { text: 'Certificate: worst step of the run' })),
            el(
                'div',
                { class: 'gauges' },
                ...run.certificate.map(([name, value]) => gauge(name, value)),
            ),
            el('p', {
                class: 'note',
                text: 'Logarithmic, from 1e−16 to 1; the mark is 1e−8, below which a contact problem counts as solved.',
            }),
        );
    }
}

/** A residual on a logarithmic scale. */
function gauge(name: string, value: number): HTMLElement {
    const part = (x: number): number =>
        x > 0 ? Math.min(Math.max(1 + Math.log10(x) / DECADES, 0), 1) : 0;
    const bar = el('i', { class: value <= CERTIFIED ? 'gauge-bar' : 'gauge-bar high' });
    bar.style.width = `${(100 * part(value)).toFixed(1)}%`;
    const limit = el('i', { class: 'gauge-limit' });
    limit.style.left = `${(100 * part(CERTIFIED)).toFixed(1)}%`;
    return el(
        'div',
        { class: 'gauge' },
        el('span', { class: 'gauge-name', text: name, title: MEANING[name] ?? '' }),
        el(
            'span',
            { class: 'gauge-scale', attrs: { 'aria-hidden': 'true' } },
            bar,
            name === 'gap' ? null : limit,
        ),
        el('output', {
            text: `${number(value, 2)}${name === 'gap' && value !== 0 ? ' m' : ''}`,
            attrs: { 'data-certificate': name, 'data-value': value },
        }),
        el('small', { text: MEANING[name] ?? '' }),
    );
}
