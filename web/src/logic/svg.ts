// A chart as an SVG drawing, for papers and slides.
import type { ChartModel, Range } from './chart_model';
import { powerText, powerTicks, ticks, tickTexts } from './format';
import type { Theme } from './theme';
import { tracePhase, traceTime, visible, type Pen } from './trace';

export interface SvgView {
    width: number;
    height: number;
    x: Range;
    y: Range;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const LEFT = 74;
const RIGHT = 18;
const TOP = 44;
const BOTTOM = 46;
const LEGEND = 18; // height of a line of the legend
const ROW = 22;

/** Text that cannot be taken for markup. */
export function escapeXml(text: string): string {
    // characters that XML 1.0 does not allow are dropped
    return text
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
        .replace(/&/g, '&amp;')
        .replace(/</g, '&lt;')
        .replace(/>/g, '&gt;')
        .replace(/"/g, '&quot;');
}

/** Collects a path with two decimals. */
class PathText implements Pen {
    parts: string[] = [];
    moveTo(x: number, y: number): void {
        this.parts.push(`M${x.toFixed(2)} ${y.toFixed(2)}`);
    }
    lineTo(x: number, y: number): void {
        this.parts.push(`L${x.toFixed(2)} ${y.toFixed(2)}`);
    }
}

interface Frame {
    left: number;
    right: number;
    top: number;
    bottom: number;
    toX: (v: number) => number;
    toY: (v: number) => number;
    toPower: (exponent: number) => number; // of a logarithmic axis
}

/** The whole drawing. */
export function chartSvg(model: ChartModel, view: SvgView, theme: Theme): string {
    const legend =
        model.series.length > 0 && model.kind !== 'bands'
            ? layLegend(model, view.width)
            : { lines: 0, items: [] };
    const bottom = BOTTOM + legend.lines * LEGEND;
    const height =
        model.kind === 'bands'
            ? TOP + ROW * Math.max(model.rows.length, 1) + BOTTOM + LEGEND
            : view.height;
    const frame = layFrame(
        model,
        { ...view, height },
        model.kind === 'bands' ? BOTTOM + LEGEND : bottom,
    );
    const body = [
        `<rect width="${view.width}" height="${height}" fill="${theme.sheet}"/>`,
        `<text x="${LEFT}" y="24" font-size="14" font-weight="600" fill="${theme.ink}">${escapeXml(model.title)}</text>`,
        axesSvg(model, view, frame, theme),
        `<g clip-path="url(#plot)">${model.kind === 'bands' ? bandsSvg(model, frame, theme) : curvesSvg(model, view, frame, theme)}</g>`,
        model.kind === 'bands'
            ? stateLegend(frame, theme)
            : legendSvg(model, legend.items, frame, theme),
    ];
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${height}" viewBox="0 0 ${view.width} ${height}" font-family='${FONT}' font-size="11">`,
        `<clipPath id="plot"><rect x="${frame.left}" y="${frame.top}" width="${frame.right - frame.left}" height="${frame.bottom - frame.top}"/></clipPath>`,
        ...body,
        '</svg>\n',
    ].join('\n');
}

function layFrame(model: ChartModel, view: SvgView, bottom: number): Frame {
    const frame = {
        left: LEFT,
        right: view.width - RIGHT,
        top: TOP - 8,
        bottom: view.height - bottom,
    };
    const toPower = (v: number): number =>
        frame.bottom - ((v - view.y[0]) / (view.y[1] - view.y[0])) * (frame.bottom - frame.top);
    return {
        ...frame,
        toX: (v) =>
            frame.left + ((v - view.x[0]) / (view.x[1] - view.x[0])) * (frame.right - frame.left),
        toY: (v) => toPower(model.log ? Math.log10(v) : v),
        toPower,
    };
}

function axesSvg(model: ChartModel, view: SvgView, f: Frame, theme: Theme): string {
    const parts: string[] = [];
    const xs = ticks(view.x[0], view.x[1], (f.right - f.left) / 90);
    tickTexts(xs).forEach((said, k) => {
        const x = f.toX(xs[k]!).toFixed(1);
        parts.push(
            `<line x1="${x}" y1="${f.top}" x2="${x}" y2="${f.bottom}" stroke="${theme.line}"/>`,
        );
        parts.push(
            `<text x="${x}" y="${f.bottom + 16}" text-anchor="middle" fill="${theme.soft}">${said}</text>`,
        );
    });
    if (model.kind !== 'bands') {
        const ys = model.log
            ? powerTicks(view.y[0], view.y[1], 6)
            : ticks(view.y[0], view.y[1], (f.bottom - f.top) / 42);
        (model.log ? ys.map(powerText) : tickTexts(ys)).forEach((said, k) => {
            const y = (model.log ? f.toPower(ys[k]!) : f.toY(ys[k]!)).toFixed(1);
            parts.push(
                `<line x1="${f.left}" y1="${y}" x2="${f.right}" y2="${y}" stroke="${theme.line}"/>`,
            );
            parts.push(
                `<text x="${f.left - 8}" y="${y}" dy="0.35em" text-anchor="end" fill="${theme.soft}">${said}</text>`,
            );
        });
    }
    const middle = (f.left + f.right) / 2;
    parts.push(
        `<text x="${middle}" y="${f.bottom + 34}" text-anchor="middle" fill="${theme.ink}">${escapeXml(model.xLabel)}</text>`,
    );
    const half = (f.top + f.bottom) / 2;
    parts.push(
        `<text transform="translate(16 ${half}) rotate(-90)" text-anchor="middle" fill="${theme.ink}">${escapeXml(model.yLabel)}</text>`,
    );
    return parts.join('\n');
}

function curvesSvg(model: ChartModel, view: SvgView, f: Frame, theme: Theme): string {
    return model.series
        .map((s) => {
            const color = theme.series[s.color % theme.series.length]!;
            const pen = new PathText();
            const window = visible(s.x, view.x[0], view.x[1]);
            if (model.kind === 'phase') tracePhase(s.x, s.y, f.toX, f.toY, pen);
            else traceTime(s.x, s.y, window, f.toX, f.toY, pen);
            const dash = s.dash.length > 0 ? ` stroke-dasharray="${s.dash.join(' ')}"` : '';
            const line = `<path d="${pen.parts.join('')}" fill="none" stroke="${color}" stroke-width="1.4" stroke-linejoin="round"${dash}/>`;
            return s.base ? areaSvg(s.x, s.y, s.base, window, f, color) + line : line;
        })
        .join('\n');
}

/** The area between two curves, frame by frame up and back. */
function areaSvg(
    x: ArrayLike<number>,
    y: ArrayLike<number>,
    base: ArrayLike<number>,
    [first, last]: [number, number],
    f: Frame,
    color: string,
): string {
    const up = new PathText();
    const back = new PathText();
    traceTime(x, y, [first, last], f.toX, f.toY, up);
    traceTime(x, base, [first, last], f.toX, f.toY, back);
    const path = [...up.parts, ...back.parts.reverse().map((p) => p.replace('M', 'L'))].join('');
    return `<path d="${path}Z" fill="${color}" fill-opacity="0.28" stroke="none"/>`;
}

/** Bands of a contact: open a hairline, slip half as high as stick. */
function bandsSvg(model: ChartModel, f: Frame, theme: Theme): string {
    const parts: string[] = [];
    model.rows.forEach((row, k) => {
        const y = f.top + ROW * k;
        parts.push(
            `<text x="${f.left + 4}" y="${y + 10}" font-size="10" fill="${theme.soft}">${escapeXml(row.label)}</text>`,
        );
        for (const { from, to, state } of row.intervals) {
            const x0 = Math.max(f.toX(from), f.left);
            const x1 = Math.min(f.toX(to), f.right);
            if (x1 < x0) continue;
            const high = state === 2 ? 7 : state === 1 ? 4 : 0.8;
            const color = state === 2 ? theme.stick : state === 1 ? theme.slip : theme.open;
            parts.push(
                `<rect x="${x0.toFixed(2)}" y="${y + 20 - high}" width="${Math.max(x1 - x0, 0.4).toFixed(2)}" height="${high}" fill="${color}"/>`,
            );
        }
    });
    return parts.join('\n');
}

function stateLegend(f: Frame, theme: Theme): string {
    const y = f.bottom + 50;
    return (['open', 'slip', 'stick'] as const)
        .map((name, k) => {
            const x = f.left + 80 * k;
            const high = [0.8, 4, 7][k]!;
            return `<rect x="${x}" y="${y - high}" width="18" height="${high}" fill="${theme[name]}"/><text x="${x + 24}" y="${y}" fill="${theme.ink}">${name}</text>`;
        })
        .join('\n');
}

interface LegendItem {
    label: string;
    x: number;
    line: number;
}

/** Entries side by side, in as many lines as they need (a letter is about 6 wide). */
function layLegend(model: ChartModel, width: number): { lines: number; items: LegendItem[] } {
    const items: LegendItem[] = [];
    let [x, line] = [LEFT, 0];
    for (const s of model.series) {
        const wide = 34 + 6.2 * s.label.length;
        if (x > LEFT && x + wide > width - RIGHT) [x, line] = [LEFT, line + 1];
        items.push({ label: s.label, x, line });
        x += wide;
    }
    return { lines: line + 1, items };
}

function legendSvg(model: ChartModel, items: LegendItem[], f: Frame, theme: Theme): string {
    return items
        .map((item, k) => {
            const s = model.series[k]!;
            const y = f.bottom + 50 + LEGEND * item.line;
            const color = theme.series[s.color % theme.series.length]!;
            const dash = s.dash.length > 0 ? ` stroke-dasharray="${s.dash.join(' ')}"` : '';
            return `<line x1="${item.x}" y1="${y - 4}" x2="${item.x + 18}" y2="${y - 4}" stroke="${color}" stroke-width="2"${dash}/><text x="${item.x + 24}" y="${y}" fill="${theme.ink}">${escapeXml(item.label)}</text>`;
        })
        .join('\n');
}
