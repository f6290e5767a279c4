// Numbers as text, and round numbers for axes.

const MINUS = '\u2212';
const THIN = '\u202f';

/** A number with so many significant digits; 'missing' values are a dash. */
export function number(x: number, digits = 5): string {
    if (Number.isNaN(x)) return '–';
    if (!Number.isFinite(x)) return x > 0 ? '∞' : `${MINUS}∞`;
    if (x === 0) return '0';
    const size = Math.abs(x);
    let said: string;
    if (size >= 1e6 || size < 1e-4) {
        return power(x, digits);
    } else {
        // digits before the point are never rounded away
        const whole = Math.floor(Math.log10(size)) + 1;
        said = whole >= digits ? String(Math.round(size)) : trim(size.toPrecision(digits));
    }
    return x < 0 ? MINUS + said : said;
}

/** '1.5e−4' with so many digits at most. */
export function power(x: number, digits: number): string {
    if (!Number.isFinite(x)) return number(x);
    const [mantissa, exponent] = Math.abs(x)
        .toExponential(digits - 1)
        .split('e') as [string, string];
    return `${x < 0 ? MINUS : ''}${trim(mantissa)}e${exponent.replace('+', '').replace('-', MINUS)}`;
}

/** Without zeros at the end of the fraction. */
function trim(said: string): string {
    return said.includes('.') ? said.replace(/\.?0+$/, '') : said;
}

/** A count with thin spaces between thousands. */
export function count(n: number): string {
    return Number.isFinite(n) ? String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, THIN) : '–';
}

/** A fixed number of decimals with a true minus. */
export function fixed(x: number, decimals: number): string {
    if (!Number.isFinite(x)) return number(x);
    const said = Math.abs(x).toFixed(decimals);
    return x < 0 && Number(said) !== 0 ? MINUS + said : said;
}

export function percent(part: number): string {
    if (!Number.isFinite(part)) return '–';
    const said = part * 100;
    return `${said === 0 ? '0' : said < 0.1 ? '<0.1' : said.toFixed(1)}${THIN}%`;
}

/** Decimals that tell neighbouring frames apart, one more for what lies between. */
export function timeDecimals(time: ArrayLike<number>): number {
    const n = time.length;
    if (n < 2) return 4;
    const step = (time[n - 1]! - time[0]!) / (n - 1);
    return step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step)) + 1, 2), 9) : 4;
}

/** 'name [unit]'; nothing for numbers without a unit. */
export function withUnit(name: string, unit: string): string {
    return unit === '' || unit === '1' ? name : `${name} [${unit}]`;
}

/** The largest of 1, 2, 5 times a power of ten that is not above x. */
export function roundDown125(x: number): number {
    if (!(x > 0) || !Number.isFinite(x)) return 1;
    const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
    const digit = x / power;
    return (digit >= 5 - 1e-9 ? 5 : digit >= 2 - 1e-9 ? 2 : 1) * power;
}

/** Distance of round ticks in [low, high], about so many of them. */
export function tickStep(low: number, high: number, about: number): number {
    const rough = (high - low) / Math.max(about, 1);
    const down = roundDown125(rough);
    const lead = down / 10 ** Math.floor(Math.log10(down) + 1e-9);
    return rough / down < 1.3 ? down : down * (lead < 1.5 ? 2 : lead < 3 ? 2.5 : 2);
}

/** Round places for ticks in [low, high], about so many; one where numbers are too coarse for more. */
export function ticks(low: number, high: number, about: number): number[] {
    const step = tickStep(low, high, about);
    const first = Math.ceil(low / step - 1e-9);
    const n = Math.floor(high / step + 1e-9) - first;
    if (!(high > low) || !(n >= 0) || n > 10 * about + 10 || !Number.isSafeInteger(first))
        return [low];
    const places: number[] = [];
    for (let k = first; k <= first + n; k++) places.push(k === 0 ? 0 : k * step);
    return places;
}

/** Powers of ten in [10^low, 10^high] as their exponents, no more than about so many. */
export function powerTicks(low: number, high: number, about: number): number[] {
    const [from, to] = [Math.ceil(low - 1e-9), Math.floor(high + 1e-9)];
    const step = Math.max(1, Math.ceil((to - from) / Math.max(about, 1)));
    const places: number[] = [];
    for (let k = from; k <= to; k += step) places.push(k);
    return places;
}

/** '1e−9' */
export function powerText(exponent: number): string {
    return exponent === 0 ? '1' : `1e${exponent < 0 ? MINUS : ''}${Math.abs(exponent)}`;
}

/** Texts for ticks: all with the decimals that their distance needs. */
export function tickTexts(places: number[]): string[] {
    if (places.length < 2) return places.map((x) => number(x, 4));
    const step = Math.abs(places[1]! - places[0]!);
    const largest = Math.max(...places.map(Math.abs));
    if (largest >= 1e5 || step < 1e-5)
        return places.map((x) => number(x, significant(largest, step)));
    const decimals = Math.min(
        Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) + (needsMore(step) ? 1 : 0),
        8,
    );
    return places.map((x) => fixed(x, decimals));
}

const significant = (largest: number, step: number): number =>
    Math.min(Math.max(Math.ceil(Math.log10(largest / step)) + 1, 1), 12);

/** Steps of 2.5 need one decimal more than steps of 2. */
function needsMore(step: number): boolean {
    const lead = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    return Math.abs(lead - Math.round(lead)) > 1e-6;
}
