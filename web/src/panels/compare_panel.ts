// Runs side by side: settings, sums, and which quantities differ most.
import { el, replace } from '../dom';
import { compareChannels } from '../logic/compare';
import { accounts, closesTo } from '../logic/energy';
import { count, number, percent } from '../logic/format';
import { summarizeContacts, totals } from '../logic/summary';
import type { Run } from '../logic/types';
import type { Store } from '../store';

type Line = [string, string[]];

/** What is said about each run. */
function lines(runs: Run[]): Line[] {
    const keys = [...new Set(runs.flatMap((r) => r.settings.map(([k]) => k)))];
    const sums = runs.map((r) => totals(r, summarizeContacts(r)));
    const ends = runs.map((r) => new Map(accounts(r.ledger).map((a) => [a.name, a.end - a.start])));
    const entry = (name: string): Line => [
        `${name} [J], change`,
        ends.map((e) => number(e.get(name) ?? NaN, 5)),
    ];
    return [
        ['model', runs.map((r) => r.name)],
        ['overrides', runs.map((r) => r.overrides.join(', ') || '–')],
        ['status', runs.map((r) => r.status)],
        ['method', runs.map((r) => r.method)],
        ...keys.map((k): Line => [
            k.replace(/_/g, ' '),
            runs.map((r) => r.settings.find(([key]) => key === k)?.[1] ?? '–'),
        ]),
        ['frames shown', runs.map((r) => count(r.time.length))],
        ['events', sums.map((s) => count(s.events))],
        ['impacts', sums.map((s) => count(s.instants))],
        ['sum of impulses [N s]', sums.map((s) => number(s.impulse, 5))],
        ['lost in impacts [J]', sums.map((s) => number(s.lost, 5))],
        ['sticking when closed', sums.map((s) => percent(s.stick))],
        ...['kinetic', 'friction', 'impacts'].filter((n) => ends.some((e) => e.has(n))).map(entry),
        ['ledger closes to', runs.map((r) => number(closesTo(r.ledger).relative, 1))],
    ];
}

export class ComparePanel {
    readonly element = el('div', { class: 'panel compare' });
    private other = 1;
    private filled = false;

    constructor(
        private readonly store: Store,
        private readonly plot: (channel: string, label: string) => void,
    ) {}

    /** Made when it is first looked at: it reads every channel. */
    fill(): void {
        if (this.filled) return;
        this.filled = true;
        const { store } = this;
        const table = el(
            'table',
            { class: 'numbers sides' },
            el(
                'thead',
                {},
                el(
                    'tr',
                    {},
                    el('th'),
                    ...store.labels.map((l) => el('th', { text: l, attrs: { scope: 'col' } })),
                ),
            ),
            el(
                'tbody',
                {},
                ...lines(store.runs).map(([name, said]) =>
                    el(
                        'tr',
                        { class: new Set(said).size > 1 ? 'differs' : '' },
                        el('th', { text: name, attrs: { scope: 'row' } }),
                        ...said.map((s) => el('td', { text: s })),
                    ),
                ),
            ),
        );
        const differences = el('div');
        const select = el(
            'select',
            { class: 'field', attrs: { 'aria-label': 'Run to compare with the first' } },
            ...store.labels
                .slice(1)
                .map((l, k) => el('option', { text: l, attrs: { value: k + 1 } })),
        );
        select.addEventListener('change', () => {
            this.other = Number(select.value);
            replace(differences, this.differences());
        });
        replace(differences, this.differences());
        replace(
            this.element,
            el(
                'section',
                { class: 'card plain' },
                el('header', {}, el('h3', { text: 'Side by side' })),
                el('div', { class: 'scroll-x' }, table),
            ),
            el(
                'section',
                { class: 'card plain' },
                el(
                    'header',
                    {},
                    el('h3', { text: 'Largest differences' }),
                    el('div', { class: 'spacer' }),
                    store.runs.length > 2 ? select : null,
                ),
                differences,
            ),
        );
    }

    private differences(): HTMLElement {
        const [a, b] = [this.store.runs[0]!, this.store.runs[this.other]!];
        const found = compareChannels(a, b);
        if (found.length === 0)
            return el('p', { class: 'note', text: 'The runs have no quantity in common.' });
        return el(
            'div',
            { class: 'scroll-x' },
            el('p', {
                class: 'note',
                text: `${this.store.labels[this.other]} minus ${this.store.labels[0]}, at the frames shown; a row opens the plot.`,
            }),
            el(
                'table',
                { class: 'numbers' },
                el(
                    'thead',
                    {},
                    el(
                        'tr',
                        {},
                        ...['quantity', 'largest', 'at t [s]', 'rms', 'of range'].map((h) =>
                            el('th', { text: h, attrs: { scope: 'col' } }),
                        ),
                    ),
                ),
                el(
                    'tbody',
                    {},
                    ...found.slice(0, 200).map((d) => {
                        const unit = d.unit && d.unit !== '1' ? ` ${d.unit}` : '';
                        const button = el('button', {
                            class: 'link',
                            text: d.label,
                            attrs: { type: 'button' },
                            on: { click: () => this.plot(d.name, d.label) },
                        });
                        return el(
                            'tr',
                            { attrs: { 'data-channel': d.name } },
                            el('th', { attrs: { scope: 'row' } }, button),
                            el('td', {
                                text: number(d.largest, 4) + unit,
                                attrs: { 'data-value': d.largest },
                            }),
                            el('td', { text: number(d.at, 6) }),
                            el('td', { text: number(d.rms, 4) + unit }),
                            el('td', { text: d.span > 0 ? percent(d.largest / d.span) : '–' }),
                        );
                    }),
                ),
            ),
        );
    }
}
