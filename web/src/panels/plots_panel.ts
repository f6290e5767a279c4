// Plots: those the model asks for, and any recorded quantity.
import { Card } from '../charts/card';
import { check, el, replace, textButton } from '../dom';
import {
    buildBands,
    buildPlot,
    choiceOf,
    defaultChoices,
    type PlotChoice,
} from '../logic/plot_model';
import type { Channel } from '../logic/types';
import type { Store } from '../store';
import { picker } from './picker';

const HEIGHT = 220;

interface Entry {
    choice: PlotChoice;
    card: Card;
}

export class PlotsPanel {
    readonly element = el('div', { class: 'panel plots' });
    private readonly cards = el('div', { class: 'cards' });
    private readonly target = el('select', {
        class: 'field',
        attrs: { 'aria-label': 'Where to show it' },
    });
    private readonly reset: HTMLButtonElement;
    private entries: Entry[] = [];
    private bands: Card | null = null;

    constructor(private readonly store: Store) {
        const channels = this.allChannels();
        this.reset = textButton(
            'Whole run',
            () => store.range.set(null),
            'End the zoom of all time axes (R)',
        );
        store.range.on((range) => (this.reset.hidden = range === null), true);
        const tools = el(
            'div',
            { class: 'toolbar' },
            picker(
                channels,
                `Search ${channels.length} ${channels.length === 1 ? 'quantity' : 'quantities'}`,
                (c) => this.addChannel(c),
            ),
            el('label', { class: 'into' }, el('span', { text: 'into' }), this.target),
            this.reset,
        );
        this.element.append(tools, this.cards);
        const run = store.runs[0]!;
        const presets = run.plots.map(choiceOf);
        (presets.length > 0 ? presets : defaultChoices(run)).forEach((c) => this.add(c));
        this.buildBands();
        store.active.on(() => this.buildBands());
        this.listTargets();
    }

    /** Channels of all runs, each name once. */
    private allChannels(): Channel[] {
        const byName = new Map<string, Channel>();
        for (const run of this.store.runs)
            for (const c of run.channels) if (!byName.has(c.name)) byName.set(c.name, c);
        return [...byName.values()];
    }

    /** Show a plot that was chosen elsewhere. */
    show(choice: PlotChoice): void {
        this.add(choice);
        this.listTargets();
        this.entries[this.entries.length - 1]!.card.element.scrollIntoView({ block: 'center' });
    }

    private add(choice: PlotChoice): void {
        const entry = { choice } as Entry;
        entry.card = new Card(this.model(choice), this.store, {
            height: HEIGHT,
            remove: () => this.remove(entry),
            removeSeries: (k) => this.removeSeries(entry, k),
            tools: this.cardTools(entry),
        });
        this.entries.push(entry);
        if (this.bands) this.cards.insertBefore(entry.card.element, this.bands.element);
        else this.cards.append(entry.card.element);
    }

    private model(choice: PlotChoice): ReturnType<typeof buildPlot> {
        return buildPlot(choice, this.store.runs, this.store.labels);
    }

    /** What stands on the x axis, and whether differences are shown. */
    private cardTools(entry: Entry): HTMLElement[] {
        const select = el('select', {
            class: 'field small',
            attrs: { 'aria-label': 'Quantity of the x axis' },
        });
        const names: [string, string][] = [
            ['t', 't'],
            ...this.allChannels().map((c): [string, string] => [c.name, c.label]),
        ];
        if (!names.some(([name]) => name === entry.choice.x))
            names.push([entry.choice.x, entry.choice.x]);
        replace(
            select,
            ...names.map(([name, label]) =>
                el('option', {
                    text: label,
                    attrs: { value: name, selected: name === entry.choice.x },
                }),
            ),
        );
        // differences are taken at the same time, so only over time
        const difference = check('difference', entry.choice.difference, (on) => {
            entry.choice = { ...entry.choice, difference: on };
            this.refresh(entry);
        });
        difference.hidden = entry.choice.x !== 't';
        select.addEventListener('change', () => {
            entry.choice = { ...entry.choice, x: select.value };
            difference.hidden = select.value !== 't';
            this.refresh(entry);
        });
        const tools: HTMLElement[] = [
            el('label', { class: 'over' }, el('span', { text: 'over' }), select),
        ];
        return this.store.runs.length > 1 ? [difference, ...tools] : tools;
    }

    private refresh(entry: Entry): void {
        entry.card.setModel(this.model(entry.choice));
        this.listTargets();
    }

    private remove(entry: Entry): void {
        entry.card.dispose();
        this.entries = this.entries.filter((e) => e !== entry);
        this.listTargets();
    }

    /** Take the quantity of a series out of its plot, in all runs. */
    private removeSeries(entry: Entry, k: number): void {
        const model = this.model(entry.choice);
        const color = model.series[k]!.color;
        const y = entry.choice.y.filter((_, index) => index !== color);
        if (y.length === 0) {
            this.remove(entry);
            return;
        }
        entry.choice = { ...entry.choice, y };
        this.refresh(entry);
    }

    private addChannel(channel: Channel): void {
        const into = this.entries[Number(this.target.value)];
        if (this.target.value !== '' && into) {
            if (!into.choice.y.includes(channel.name)) {
                into.choice = { ...into.choice, y: [...into.choice.y, channel.name] };
                this.refresh(into);
            }
            into.card.element.scrollIntoView({ block: 'nearest' });
            return;
        }
        this.show({
            title: channel.label,
            x: 't',
            y: [channel.name],
            equal: false,
            difference: false,
        });
    }

    private listTargets(): void {
        const chosen = this.target.value;
        replace(
            this.target,
            el('option', { text: 'a new plot', attrs: { value: '' } }),
            ...this.entries.map((e, k) =>
                el('option', { text: e.choice.title, attrs: { value: k } }),
            ),
        );
        this.target.value = Number(chosen) < this.entries.length ? chosen : '';
    }

    /** Bands of the contacts of the active run, under all plots. */
    private buildBands(): void {
        this.bands?.dispose();
        this.bands = null;
        const model = buildBands(this.store.run);
        if (model.rows.length > 0) {
            this.bands = new Card(model, this.store, { height: HEIGHT });
            this.bands.element.classList.add('bands');
            this.cards.append(this.bands.element);
        }
    }
}
