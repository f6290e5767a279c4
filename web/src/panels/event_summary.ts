// What the events of a run come to.
import { el } from '../dom';
import { count, number, percent } from '../logic/format';
import { summarizeContacts, totals } from '../logic/summary';
import type { Run } from '../logic/types';

/** The sums of a run, and a table by contact. */
export function eventSummary(run: Run): (HTMLElement | null)[] {
    const lines = summarizeContacts(run);
    const sum = totals(run, lines);
    const figure = (label: string, said: string, key: string, exact: number): HTMLElement =>
        el(
            'div',
            { class: 'figure' },
            el('dt', { text: label }),
            el('dd', { text: said, attrs: { 'data-key': key, 'data-value': exact } }),
        );
    const figures = el(
        'dl',
        { class: 'figures' },
        figure('events', count(sum.events), 'events', sum.events),
        figure('impacts', count(sum.instants), 'instants', sum.instants),
        figure('sum of impulses', `${number(sum.impulse, 4)} N s`, 'impulse', sum.impulse),
        figure('lost in impacts', `${number(sum.lost, 4)} J`, 'lost', sum.lost),
        figure('sticking when closed', percent(sum.stick), 'stick', sum.stick),
        sum.gains > 0
            ? figure(
                  `gained in ${count(sum.gains)} ${sum.gains === 1 ? 'impact' : 'impacts'}`,
                  `${number(sum.gained, 4)} J`,
                  'gained',
                  sum.gained,
              )
            : null,
    );
    const cell = (said: string): HTMLElement => el('td', { text: said });
    const busy = lines.filter((c) => c.impacts > 0 || c.slip > 0 || c.stick > 0);
    const table = el(
        'table',
        { class: 'numbers' },
        el(
            'thead',
            {},
            el(
                'tr',
                {},
                ...[
                    'contact',
                    'impacts',
                    'Σ Λ [N s]',
                    'largest [N s]',
                    'lost [J]',
                    'slip',
                    'stick',
                ].map((h) => el('th', { text: h, attrs: { scope: 'col' } })),
            ),
        ),
        el(
            'tbody',
            {},
            ...busy.map((c) =>
                el(
                    'tr',
                    { attrs: { 'data-contact': c.name } },
                    el('th', { text: c.name, attrs: { scope: 'row' } }),
                    cell(count(c.impacts)),
                    cell(number(c.impulse, 4)),
                    cell(number(c.largest, 4)),
                    cell(number(c.lost, 4)),
                    cell(percent(c.slip)),
                    cell(percent(c.stick)),
                ),
            ),
        ),
    );
    const details = el(
        'details',
        {},
        el('summary', {
            text: `By contact (${busy.length} of ${lines.length} ever close or are hit)`,
        }),
        el('div', { class: 'scroll-x' }, table),
    );
    details.open = busy.length > 0 && busy.length <= 10;
    return [figures, lines.length > 0 ? details : null];
}
