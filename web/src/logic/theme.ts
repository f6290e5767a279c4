// Colours.  One table per theme; the stylesheet reads them as variables.

export interface Theme {
    paper: string; // page
    sheet: string; // panels
    well: string; // stage and fields
    ink: string;
    soft: string; // second-rank text
    line: string; // hairlines
    edge: string; // borders of things that can be used
    accent: string; // playhead, impacts, focus
    open: string;
    slip: string;
    stick: string;
    series: string[];
    bodyFill: string[];
    bodyLine: string;
    ground: string;
    mark: string; // background of an override
}

export const LIGHT: Theme = {
    paper: '#f4f3ef',
    sheet: '#fdfcfa',
    well: '#fbfaf7',
    ink: '#1c2226',
    soft: '#586167',
    line: '#dedcd5',
    edge: '#81878a',
    accent: '#b3261e',
    open: '#7d868b',
    slip: '#a86400',
    stick: '#0f6a8a',
    series: [
        '#14688a',
        '#b3411f',
        '#5d7a1f',
        '#7a4d96',
        '#9a6b00',
        '#3f4c55',
        '#b03a72',
        '#1f7a68',
    ],
    bodyFill: ['#c9d5da', '#d9cfbd', '#c8d1be', '#d6c9d3', '#cfcdc6', '#bfced6'],
    bodyLine: '#333c42',
    ground: '#5b6468',
    mark: '#fbe3c2',
};

export const DARK: Theme = {
    paper: '#111416',
    sheet: '#181c1f',
    well: '#14181a',
    ink: '#e4e6e5',
    soft: '#9aa4a9',
    line: '#2b3135',
    edge: '#687278',
    accent: '#ff7a66',
    open: '#8e999f',
    slip: '#e8a33d',
    stick: '#58b9dc',
    series: [
        '#5cb6d8',
        '#f08a62',
        '#a9c663',
        '#c39ae0',
        '#e0b34c',
        '#a9b6be',
        '#ec86b4',
        '#66c9b2',
    ],
    bodyFill: ['#34454e', '#4a4234', '#3a4532', '#463a44', '#3f4042', '#2f434f'],
    bodyLine: '#c3cbce',
    ground: '#8b969b',
    mark: '#43300f',
};

/** Relative luminance of '#rrggbb' (WCAG 2). */
export function luminance(color: string): number {
    const part = (k: number): number => {
        const c = parseInt(color.slice(k, k + 2), 16) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
    return (high + 0.05) / (low + 0.05);
}
