// What there is to say about one event beyond its row in the table.
import { number, power } from './format';
import type { RawEvent } from './types';

export interface Detail {
    key: string; // of the data
    label: string;
    text: string;
}

const WHY: Record<string, string> = {
    infeasible: 'the coefficients of its contacts contradict each other',
    unsolved: 'no solution was found with the coefficients of the model',
    gain: 'it would have gained energy',
    turns: 'its contacts are hit by turns, without end',
};

/** A few digits; small numbers as powers of ten. */
const said = (x: number, unit: string): string =>
    `${x !== 0 && Math.abs(x) < 0.01 ? power(x, 4) : number(x, 5)}${unit ? ` ${unit}` : ''}`;

/** Labels and texts of what an event holds, in the order one reads them. */
export function eventDetail(e: RawEvent): Detail[] {
    const found: Detail[] = [];
    const add = (key: string, label: string, value: number | undefined, unit: string): void => {
        if (value !== undefined && Number.isFinite(value))
            found.push({ key, label, text: said(value, unit) });
    };
    const { Lambda_N: all, Lambda_N_compression: first } = e;
    add('Lambda_N_compression', 'Λ_N of compression', first, 'N s');
    add('Lambda_N_expansion', 'Λ_N of expansion', all !== undefined && first !== undefined ? all - first : undefined, 'N s'); // prettier-ignore
    add('gamma_N_compression', 'γ_N between the phases', e.gamma_N_compression, 'm/s');
    add('lost_normal', 'lost by normal impulses', e.lost_normal, 'J');
    add('lost_friction', 'by friction', e.lost_friction, 'J');
    add('lost_restitution', 'by tangential restitution', e.lost_restitution, 'J');
    add('energy_gain', 'gained by the whole impact', e.energy_gain, 'J');
    if (e.remedy) {
        found.push({ key: 'remedy', label: 'coefficients changed', text: WHY[e.remedy] ?? e.remedy });
        add('eps_N', 'ε_N taken', e.eps_N, '');
        add('factor', 'restitution times', e.factor, '');
    }
    add('friction_work', 'friction since it closed', e.friction_work, 'J');
    add('lasts', 'lasts', e.lasts, 's');
    add('rate', 'events before it', e.rate, '1/s');
    add('bound', 'moves meanwhile at most', e.bound, 'm');
    add('n_found', e.at_least ? 'solutions found, at least' : 'solutions found', e.n_found, '');
    return found;
}

/** Why a contact can lose less than nothing. */
export const NEGATIVE =
    'Below zero: the impulses of this contact gave energy to the bodies, as one of several contacts may, or tangential restitution, or a law that gains. What an impact lost is the sum over its contacts.';
