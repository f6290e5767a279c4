// The columns of the table of events.
import { el } from '../dom';
import type { EventColumn } from '../logic/event_table';
import { fixed, number, power } from '../logic/format';
import type { EventTable } from '../logic/types';

export interface Column {
    key: EventColumn;
    title: string;
    unit: string;
    wide: string; // of the grid
    text: (events: EventTable, row: number, decimals: number) => string;
}

/** A few digits; small numbers as powers of ten, so that columns stay narrow. */
function value(x: number, digits: number): string {
    if (x === 0 || Number.isNaN(x)) return '';
    return Math.abs(x) < 0.01 ? power(x, digits) : number(x, digits);
}

export const COLUMNS: Column[] = [
    { key: 't', title: 't', unit: 's', wide: '6em', text: (e, i, d) => fixed(e.t[i]!, d) },
    { key: 'kind', title: 'kind', unit: '', wide: '4.5em', text: (e, i) => e.kind[i]! },
    {
        key: 'contact',
        title: 'contact',
        unit: '',
        wide: 'minmax(4.4em, 1fr)',
        text: (e, i) => e.contact[i]!,
    },
    {
        key: 'impactId',
        title: 'no.',
        unit: '',
        wide: '2.6em',
        text: (e, i) => (e.impactId[i] ? String(e.impactId[i]) : ''),
    },
    {
        key: 'lambdaN',
        title: 'Λ_N',
        unit: 'N s',
        wide: '5.1em',
        text: (e, i) => value(e.lambdaN[i]!, 4),
    },
    {
        key: 'lambdaT',
        title: 'Λ_T',
        unit: 'N s',
        wide: '5.9em',
        text: (e, i) => value(e.lambdaT[i]!, 3),
    },
    {
        key: 'gammaBefore',
        title: 'γ_N^−',
        unit: 'm/s',
        wide: '4.9em',
        text: (e, i) => value(e.gammaBefore[i]!, 3),
    },
    {
        key: 'gammaAfter',
        title: 'γ_N^+',
        unit: 'm/s',
        wide: '4.9em',
        text: (e, i) => value(e.gammaAfter[i]!, 3),
    },
    {
        key: 'energyLost',
        title: 'lost',
        unit: 'J',
        wide: '5.2em',
        text: (e, i) => value(e.energyLost[i]!, 4),
    },
];
/** What a column is called in words. */
export const PLAIN: Partial<Record<EventColumn, string>> = {
    t: 'time',
    impactId: 'number of the impact',
    lambdaN: 'normal impulse',
    lambdaT: 'tangential impulse',
    gammaBefore: 'normal velocity before',
    gammaAfter: 'normal velocity after',
    energyLost: 'energy lost',
};

/** 'γ_N^+' with its marks low and high. */
export function symbol(title: string): HTMLElement {
    const [, base = title, low, high] = /^([^_^]+)(?:_([^^]+))?(?:\^(.+))?$/.exec(title) ?? [];
    return el(
        'span',
        {},
        base,
        low ? el('sub', { text: low }) : null,
        high ? el('sup', { text: high }) : null,
    );
}

/** Words with symbols among them. */
export const symbols = (text: string): (HTMLElement | string)[] =>
    text.split(/(\S*_\S*)/).map((word) => (word.includes('_') ? symbol(word) : word));

export const TEXTUAL = new Set<EventColumn>(['kind', 'contact']);
