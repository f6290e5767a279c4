// The transport at the foot of the page: play, events, scrubber, speed.
import { el, icon, iconButton, replace } from './dom';
import { fixed, timeDecimals } from './logic/format';
import { overview } from './logic/ticks_overview';
import { speedText } from './logic/timeline';
import type { Store } from './store';

const SCRUB_STEPS = 100_000;

export function makeDock(store: Store): HTMLElement {
    const play = iconButton('play', 'Play', () => store.toggle(), 'space');
    play.classList.add('play');
    store.playing.on((on) => {
        replace(play, icon(on ? 'pause' : 'play'));
        play.setAttribute('aria-label', on ? 'Pause' : 'Play');
    });
    const loop = iconButton(
        'loop',
        'Play again and again',
        () => store.loop.set(!store.loop.value),
        'L',
    );
    store.loop.on((on) => loop.setAttribute('aria-pressed', String(on)), true);
    return el(
        'footer',
        { class: 'dock', attrs: { 'aria-label': 'Time' } },
        el(
            'div',
            { class: 'transport' },
            iconButton('previous', 'Previous event', () => store.stepEvent(false), 'P'),
            play,
            iconButton('next', 'Next event', () => store.stepEvent(true), 'N'),
        ),
        makeClock(store),
        makeScrubber(store),
        makeSpeed(store),
        loop,
    );
}

/** The time, to be read and to be typed. */
function makeClock(store: Store): HTMLElement {
    const decimals = Math.max(...store.runs.map((r) => timeDecimals(r.time)));
    const input = el('input', {
        class: 'clock-value',
        attrs: {
            type: 'text',
            inputmode: 'decimal',
            'aria-label': 'Time in seconds',
            id: 'clock',
            spellcheck: 'false',
            autocomplete: 'off',
        },
    });
    const show = (): void => {
        if (document.activeElement !== input) input.value = fixed(store.t.value, decimals);
        input.dataset.value = String(store.t.value);
    };
    input.addEventListener('change', () => {
        store.seek(Number(input.value.replace('\u2212', '-').replace(',', '.')));
        input.blur();
    });
    input.addEventListener('focus', () => {
        store.playing.set(false);
        input.select();
    });
    input.addEventListener('blur', show);
    store.t.on(show, true);
    input.style.width = `${fixed(store.end, decimals).length + 0.6}ch`;
    return el(
        'label',
        { class: 'clock' },
        el('span', { class: 'clock-name', text: 't' }),
        input,
        el('span', { class: 'clock-unit', text: 's' }),
    );
}

function makeScrubber(store: Store): HTMLElement {
    const canvas = el('canvas', { attrs: { 'aria-hidden': 'true' } });
    const slider = el('input', {
        class: 'scrub',
        attrs: { type: 'range', min: 0, max: SCRUB_STEPS, step: 1, 'aria-label': 'Time' },
    });
    const part = (t: number): number =>
        store.duration > 0 ? (t - store.start) / store.duration : 0;
    const hand = el('i', { class: 'scrub-hand', attrs: { 'aria-hidden': 'true' } });
    const box = el('div', { class: 'scrubber' }, canvas, hand, slider);
    slider.disabled = store.duration <= 0;
    store.t.on((t) => {
        slider.value = String(Math.round(part(t) * SCRUB_STEPS));
        slider.setAttribute('aria-valuetext', `${t} s`);
        hand.style.left = `${(100 * part(t)).toFixed(3)}%`;
    }, true);
    slider.addEventListener('input', () => {
        store.playing.set(false);
        store.seek(store.start + (Number(slider.value) / SCRUB_STEPS) * store.duration);
    });
    const draw = (): void => drawScrubber(canvas, box, store, part);
    new ResizeObserver(draw).observe(box);
    store.theme.on(draw);
    store.active.on(draw);
    store.range.on(draw);
    return box;
}

/** Ticks of events, and the part of the run that the plots show. */
function drawScrubber(
    canvas: HTMLCanvasElement,
    box: HTMLElement,
    store: Store,
    part: (t: number) => number,
): void {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [w, h] = [Math.round(box.clientWidth * ratio), Math.round(box.clientHeight * ratio)];
    if (w === 0 || h === 0) return;
    [canvas.width, canvas.height] = [w, h];
    const c = canvas.getContext('2d')!;
    const theme = store.theme.value;
    const base = Math.round(h * 0.74);
    const range = store.range.value;
    if (range) {
        c.fillStyle = theme.line;
        c.fillRect(
            part(range[0]) * w,
            base - h * 0.6,
            (part(range[1]) - part(range[0])) * w,
            h * 0.6,
        );
    }
    c.fillStyle = theme.edge;
    c.fillRect(0, base, w, ratio);
    const { impact, other } = overview(store.run.events, store.start, store.end, w);
    for (let x = 0; x < w; x++) {
        if (other[x]) {
            c.fillStyle = theme.open;
            c.fillRect(x, base + 2 * ratio, ratio, 4 * ratio);
        }
        if (impact[x]! > 0) {
            c.fillStyle = theme.accent;
            const high = impact[x]! * base * 0.86;
            c.fillRect(x, base - high, ratio, high);
        }
    }
}

function makeSpeed(store: Store): HTMLElement {
    const slider = el('input', {
        attrs: {
            type: 'range',
            min: 0,
            max: store.stops.length - 1,
            step: 1,
            'aria-label': 'Speed',
        },
    });
    const said = el('output', { class: 'speed-value' });
    store.speed.on((speed) => {
        slider.value = String(store.stops.indexOf(speed));
        said.textContent = speedText(speed);
        slider.setAttribute('aria-valuetext', `${speedText(speed)} real time`);
    }, true);
    slider.addEventListener('input', () => store.speed.set(store.stops[Number(slider.value)]!));
    return el(
        'label',
        { class: 'speed', title: 'Speed, against real time (+ and −)' },
        said,
        slider,
    );
}
