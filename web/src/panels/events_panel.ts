// The table of events: only the rows in sight exist, so that 100 000 of them are as quick as ten.
import { download, el, fileName, replace, textButton } from '../dom';
import { csv } from '../logic/csv';
import { eventDetail, NEGATIVE } from '../logic/event_detail';
import {
    countKinds,
    eventAt,
    filterEvents,
    sortEvents,
    type EventColumn,
    type EventFilter,
} from '../logic/event_table';
import { count, fixed, timeDecimals } from '../logic/format';
import type { Run } from '../logic/types';
import type { Store } from '../store';
import { COLUMNS, PLAIN, symbol, symbols, TEXTUAL, type Column } from './event_columns';
import { eventSummary } from './event_summary';

const ROW = 28; // pixels
const SPARE = 8; // rows beyond what is in sight

// what a saved table has besides
const MORE = [
    ['Lambda_N_compression', 'N s'],
    ['lost_normal', 'J'],
    ['lost_friction', 'J'],
    ['lost_restitution', 'J'],
    ['energy_gain', 'J'],
    ['friction_work', 'J'],
] as const;

export class EventsPanel {
    readonly element = el('div', { class: 'panel events' });
    private readonly summary = el('div', { class: 'summary' });
    private readonly filters = el('div', { class: 'filters' });
    private readonly head = el('div', { class: 'event-row event-head', attrs: { role: 'row' } });
    private readonly body = el('div', {
        class: 'event-body',
        attrs: {
            role: 'rowgroup',
            tabindex: 0,
            'aria-label': 'Events, arrow keys walk, Enter jumps',
        },
    });
    private readonly space = el('div', { class: 'event-space' });
    private readonly said = el('p', { class: 'note', attrs: { role: 'status' } });
    private readonly detail = el('div', { class: 'event-detail' });
    private readonly table: HTMLElement;
    private filter: EventFilter = { kinds: null, contact: null, text: '' };
    private sort: { column: EventColumn; descending: boolean } = { column: 't', descending: false };
    private rows: Int32Array = new Int32Array(0);
    private cursor = -1; // row the keyboard is on
    private current = -1; // last event before the playhead
    private decimals = 6;

    constructor(private readonly store: Store) {
        this.table = el(
            'div',
            { class: 'event-table', attrs: { role: 'table', 'aria-label': 'Events' } },
            this.head,
            this.body,
        );
        this.body.append(this.space);
        this.element.append(this.summary, this.filters, this.said, this.table, this.detail);
        this.body.addEventListener('scroll', () => this.drawRows());
        this.body.addEventListener('click', (e) => this.clicked(e));
        this.body.addEventListener('keydown', (e) => this.key(e));
        new ResizeObserver(() => this.drawRows()).observe(this.body);
        store.t.on(() => this.follow());
        store.active.on(() => this.load());
        this.load();
    }

    private get run(): Run {
        return this.store.run;
    }

    /** Another run: everything anew. */
    private load(): void {
        this.filter = { kinds: null, contact: null, text: '' };
        delete this.detail.dataset.event;
        this.decimals = Math.min(timeDecimals(this.run.time) + 2, 10);
        const digits = String(this.run.events.impactId.reduce((a, b) => Math.max(a, b), 0)).length;
        const whole = String(Math.floor(Math.abs(this.store.end))).length;
        const wide = (c: Column): string =>
            c.key === 'impactId'
                ? `${Math.max(2.6, 1.2 + 0.66 * digits)}em`
                : c.key === 't'
                  ? `${Math.max(5, 0.5 + 0.62 * (whole + 1 + this.decimals))}em`
                  : c.wide;
        this.element.style.setProperty('--columns', COLUMNS.map(wide).join(' '));
        replace(this.summary, ...eventSummary(this.run));
        this.drawFilters();
        this.drawHead();
        this.apply();
    }

    private drawFilters(): void {
        const { events } = this.run;
        const kinds = countKinds(events);
        const chips = kinds.map(([kind, n]) => {
            const chip = el(
                'button',
                {
                    class: 'chip',
                    attrs: { type: 'button', 'aria-pressed': 'false', 'data-kind': kind },
                },
                el('span', { text: kind }),
                el('small', { text: count(n) }),
            );
            chip.addEventListener('click', () => {
                const chosen = new Set(this.filter.kinds ?? []);
                if (!chosen.delete(kind)) chosen.add(kind);
                this.filter = { ...this.filter, kinds: chosen.size > 0 ? chosen : null };
                chip.setAttribute('aria-pressed', String(chosen.has(kind)));
                this.apply();
            });
            return chip;
        });
        const contacts = [...new Set(events.contact)].sort((a, b) =>
            a.localeCompare(b, 'en', { numeric: true }),
        );
        const select = el(
            'select',
            { class: 'field', attrs: { 'aria-label': 'Only this contact' } },
            el('option', { text: 'all contacts', attrs: { value: '-1' } }),
            ...contacts.map((c, k) => el('option', { text: c, attrs: { value: k } })),
        );
        select.addEventListener('change', () => {
            this.filter = { ...this.filter, contact: contacts[Number(select.value)] ?? null };
            this.apply();
        });
        const search = el('input', {
            class: 'field',
            attrs: {
                type: 'search',
                placeholder: 'Filter',
                'aria-label': 'Filter events by words',
                spellcheck: 'false',
            },
        });
        search.addEventListener('input', () => {
            this.filter = { ...this.filter, text: search.value };
            this.apply();
        });
        replace(
            this.filters,
            el(
                'div',
                { class: 'chips', attrs: { role: 'group', 'aria-label': 'Kinds' } },
                ...chips,
            ),
            select,
            search,
            textButton('CSV', () => this.save(), 'Save the rows that are shown'),
        );
        this.filters.hidden = events.n === 0;
        this.table.hidden = events.n === 0;
    }

    private drawHead(): void {
        replace(
            this.head,
            ...COLUMNS.map(({ key, title, unit }) => {
                const mine = this.sort.column === key;
                const sorted = mine ? (this.sort.descending ? 'descending' : 'ascending') : 'none';
                const button = el(
                    'button',
                    {
                        attrs: { type: 'button', 'data-column': key },
                        title: `Sort by ${PLAIN[key] ?? key}`,
                    },
                    el('i', { text: mine ? (this.sort.descending ? '↓' : '↑') : '' }),
                    symbol(title),
                    unit ? el('small', { text: unit }) : null,
                );
                button.addEventListener('click', () => {
                    this.sort = { column: key, descending: mine ? !this.sort.descending : false };
                    this.drawHead();
                    this.apply();
                });
                return el(
                    'div',
                    {
                        class: TEXTUAL.has(key) ? 'cell text' : 'cell',
                        attrs: { role: 'columnheader', 'aria-sort': sorted },
                    },
                    button,
                );
            }),
        );
    }

    /** Filter and sort, then draw. */
    private apply(): void {
        const { events } = this.run;
        this.rows = sortEvents(
            events,
            filterEvents(events, this.filter),
            this.sort.column,
            this.sort.descending,
        );
        this.cursor = -1;
        this.current = eventAt(events, this.store.t.value);
        this.space.style.height = `${this.rows.length * ROW}px`;
        this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
        const all =
            events.n === 0
                ? 'No events were recorded.'
                : this.rows.length === events.n
                  ? `${count(events.n)} ${events.n === 1 ? 'event' : 'events'}`
                  : `${count(this.rows.length)} of ${count(events.n)} events`;
        this.said.textContent = all;
        this.said.dataset.shown = String(this.rows.length);
        this.body.scrollTop = 0;
        this.drawRows();
    }

    /** Make the rows in sight. */
    private drawRows(): void {
        const { scrollTop, clientHeight } = this.body;
        const first = Math.max(Math.floor(scrollTop / ROW) - SPARE, 0);
        const last = Math.min(
            Math.ceil((scrollTop + clientHeight) / ROW) + SPARE,
            this.rows.length,
        );
        const { events } = this.run;
        const now = this.current >= 0 ? events.t[this.current] : NaN;
        const made: HTMLElement[] = [];
        for (let k = first; k < last; k++) {
            const i = this.rows[k]!;
            const row = el('div', {
                class: 'event-row',
                attrs: { role: 'row', 'aria-rowindex': k + 2, 'data-row': k, 'data-event': i },
            });
            row.style.transform = `translateY(${k * ROW}px)`;
            if (events.t[i] === now) row.classList.add('now');
            if (events.t[i]! > this.store.t.value) row.classList.add('later');
            if (k === this.cursor) row.classList.add('cursor');
            if (events.gain[i]! > 0) row.classList.add('gain');
            row.dataset.kind = events.kind[i]!;
            for (const column of COLUMNS) {
                row.append(
                    el('div', {
                        class: TEXTUAL.has(column.key) ? 'cell text' : 'cell',
                        text: column.text(events, i, this.decimals),
                        attrs: { role: 'cell' },
                    }),
                );
            }
            made.push(row);
        }
        replace(this.space, ...made);
        this.drawDetail();
    }

    /** Under the table: all that is known of the event chosen, or of the last that happened. */
    private drawDetail(): void {
        const { events } = this.run;
        const chosen = this.cursor >= 0 ? this.rows[this.cursor]! : -1;
        const i = chosen >= 0 && events.t[chosen] === this.store.t.value ? chosen : this.current;
        const shown = i >= 0 && i < events.n;
        this.detail.hidden = !shown;
        if (!shown || this.detail.dataset.event === String(i)) return;
        this.detail.dataset.event = String(i);
        const lost = events.energyLost[i]!;
        replace(
            this.detail,
            el('h3', {
                text: `${events.kind[i]} of ${events.contact[i]} at ${fixed(events.t[i]!, this.decimals)} s`,
            }),
            el(
                'dl',
                {},
                ...eventDetail(events.raw[i]!).map(({ key, label, text }) =>
                    el(
                        'div',
                        { attrs: { 'data-detail': key } },
                        el('dt', {}, ...symbols(label)),
                        el('dd', { text }),
                    ),
                ),
            ),
            lost < 0 ? el('p', { class: 'note', text: NEGATIVE }) : null,
        );
    }

    /** Mark the event the playhead has reached. */
    private follow(): void {
        if (this.element.hidden) return;
        const current = eventAt(this.run.events, this.store.t.value);
        if (current === this.current) return;
        this.current = current;
        this.drawRows();
    }

    /** Bring the event at the playhead into sight. */
    reveal(): void {
        this.current = eventAt(this.run.events, this.store.t.value);
        const k = this.rows.indexOf(this.current);
        if (k >= 0) this.scrollTo(k);
        this.drawRows();
    }

    private scrollTo(k: number): void {
        const { scrollTop, clientHeight } = this.body;
        if (k * ROW < scrollTop) this.body.scrollTop = k * ROW;
        else if ((k + 1) * ROW > scrollTop + clientHeight)
            this.body.scrollTop = (k + 1) * ROW - clientHeight;
    }

    private clicked(e: MouseEvent): void {
        const row = (e.target as HTMLElement).closest<HTMLElement>('[data-row]');
        if (row) this.jump(Number(row.dataset.row));
    }

    private jump(k: number): void {
        const i = this.rows[k];
        if (i === undefined) return;
        this.cursor = k;
        this.store.playing.set(false);
        this.store.seek(this.run.events.t[i]!);
        this.store.sayEvents(this.run.events.t[i]!);
        this.drawRows();
    }

    private key(e: KeyboardEvent): void {
        const page = Math.max(Math.floor(this.body.clientHeight / ROW) - 1, 1);
        const moves: Record<string, number> = {
            ArrowDown: 1,
            ArrowUp: -1,
            PageDown: page,
            PageUp: -page,
        };
        const by = moves[e.key];
        if (by !== undefined) {
            this.cursor = Math.min(Math.max(this.cursor + by, 0), this.rows.length - 1);
            this.scrollTo(this.cursor);
            this.drawRows();
        } else if (e.key === 'Enter' && this.cursor >= 0) {
            this.jump(this.cursor);
        } else {
            return;
        }
        e.preventDefault();
        e.stopPropagation();
    }

    private save(): void {
        const { events } = this.run;
        const header = COLUMNS.map((c) => (c.unit ? `${c.key} [${c.unit}]` : c.key));
        const rows = Array.from(this.rows, (i) => [
            ...COLUMNS.map((c) => events[c.key][i]!),
            ...MORE.map(([key]) => events.raw[i]![key] ?? ''),
        ]);
        header.push(...MORE.map(([key, unit]) => `${key} [${unit}]`));
        download(fileName(`${this.run.name} events`, 'csv'), csv(header, rows), 'text/csv');
    }
}
