// What lies over the animation: camera, layers, scales, key.
import { check, download, el, fileName, iconButton, replace, textButton } from './dom';
import { number, roundDown125 } from './logic/format';
import type { ViewName } from './scene/camera';
import type { Stage } from './scene/stage';
import type { Layers, Store } from './store';

const LAYERS: [keyof Layers, string][] = [
    ['contacts', 'Contact points'],
    ['forces', 'Forces'],
    ['impacts', 'Impacts'],
    ['springs', 'Springs'],
    ['names', 'Names of bodies'],
    ['trails', 'Trails'],
];
const BAR = 110; // pixels, the longest a scale may be
const TRAILS_LISTED = 60;

/** Everything over the stage. */
export function makeStageTools(stage: Stage, store: Store): void {
    const menu = makeMenu(store);
    const button = iconButton('layers', 'What is shown', () => toggle());
    button.setAttribute('aria-expanded', 'false');
    const toggle = (open = menu.hidden): void => {
        menu.hidden = !open;
        button.setAttribute('aria-expanded', String(open));
    };
    menu.addEventListener('keydown', (e) => {
        if (e.key === 'Escape') {
            toggle(false);
            button.focus();
            e.stopPropagation();
        }
    });
    document.addEventListener('pointerdown', (e) => {
        if (!menu.hidden && !menu.contains(e.target as Node) && !button.contains(e.target as Node))
            toggle(false);
    });
    const tools = el(
        'div',
        { class: 'stage-tools', attrs: { role: 'toolbar', 'aria-label': 'View' } },
        iconButton('plus', 'Nearer', () => stage.zoom(1.25)),
        iconButton('minus', 'Farther', () => stage.zoom(0.8)),
        iconButton('fit', 'Show everything', () => stage.fit(), 'F'),
        iconButton(
            'camera',
            'Save a picture',
            () =>
                void stage
                    .picture()
                    .then(
                        (blob) =>
                            blob &&
                            download(
                                fileName(
                                    `${store.run.name} t ${store.t.value.toPrecision(6)}`,
                                    'png',
                                ),
                                blob,
                            ),
                    ),
        ),
        button,
    );
    stage.host.append(tools, menu, makeViews(stage, store), makeScales(stage, store));
    const message = el('p', { class: 'stage-message' });
    const say = (): void => {
        message.textContent = emptyStage(store);
        message.hidden = message.textContent === '';
    };
    store.active.on(say);
    say();
    stage.host.append(message);
}

/** Why there is nothing to see, '' if there is. */
function emptyStage(store: Store): string {
    const run = store.run;
    if (run.time.length === 0)
        return 'This run has no frames: it ended before the first one was written.';
    const drawn =
        run.bodies.some((b) => b.shapes.length > 0) ||
        run.springs.length > 0 ||
        run.bodies.length > 1;
    return drawn
        ? ''
        : 'The model is written in formulas and has no bodies to draw. Plots, events and energies show what happened.';
}

/** Camera presets, for machines in space. */
function makeViews(stage: Stage, store: Store): HTMLElement {
    const names: ViewName[] = ['front', 'side', 'top', 'corner'];
    const views = el(
        'div',
        { class: 'stage-views', attrs: { role: 'toolbar', 'aria-label': 'Camera' } },
        ...names.map((n) => textButton(n, () => stage.look(n), `Look from the ${n}`)),
    );
    const show = (): void => {
        views.hidden = store.run.planar;
    };
    store.active.on(show);
    show();
    return views;
}

function makeMenu(store: Store): HTMLElement {
    const menu = el('div', {
        class: 'menu',
        attrs: { role: 'group', 'aria-label': 'What is shown' },
    });
    menu.hidden = true;
    const fill = (): void => {
        const layers = store.layers.value;
        const list =
            store.runs.length > 1
                ? [...LAYERS, ['ghosts', 'Other runs, as outlines'] as [keyof Layers, string]]
                : LAYERS;
        const scale = el('input', {
            attrs: {
                type: 'range',
                min: -2,
                max: 2,
                step: 0.25,
                'aria-label': 'Length of force arrows',
            },
        });
        scale.value = String(Math.log2(store.forceScale.value));
        scale.addEventListener('input', () => store.forceScale.set(2 ** Number(scale.value)));
        replace(
            menu,
            ...list.map(([name, label]) =>
                check(label, layers[name], (on) => setLayer(store, name, on)),
            ),
            trailList(store),
            el('label', { class: 'range' }, el('span', { text: 'Arrows' }), scale),
            deformationRange(store),
            followChoice(store),
        );
    };
    store.active.on(fill);
    store.layers.on(fill);
    fill();
    return menu;
}

/** Switch a layer; trails without a body get all of them. */
function setLayer(store: Store, name: keyof Layers, on: boolean): void {
    if (name === 'trails' && on && store.trails.value.size === 0) {
        const all = store.run.bodies.map((_, k) => k).filter((k) => k > 0);
        store.trails.set(new Set(all.slice(0, 12)));
    }
    store.setLayer(name, on);
}

const LARGER = 100; // the largest factor of deformations

/** By what factor elastic bodies are drawn deformed; only where there are such. */
function deformationRange(store: Store): HTMLElement | null {
    if (!store.runs.some((run) => run.bodies.some((b) => b.flex))) return null;
    const range = el('input', {
        class: 'deformation',
        // 0, then factors from 1 to 100 by equal ratios
        attrs: { type: 'range', min: -1, max: 8, step: 1, 'aria-label': 'Factor of deformations' },
    });
    const factorOf = (k: number): number =>
        k < 0 ? 0 : Number((LARGER ** (k / 8)).toPrecision(2));
    const stops = Array.from({ length: 10 }, (_, k) => factorOf(k - 1));
    const name = el('span');
    const show = (): void => {
        const factor = store.deformation.value;
        name.textContent = `Deformation × ${factor}`;
        range.value = String(stops.indexOf(factor) - 1);
        range.setAttribute('aria-valuetext', `× ${factor}`);
    };
    range.addEventListener('input', () => {
        store.deformation.set(factorOf(Number(range.value)));
        show();
    });
    show();
    return el('label', { class: 'range' }, name, range);
}

/** Which body the camera stays with. */
function followChoice(store: Store): HTMLElement {
    const bodies = store.run.bodies
        .map((b, k) => ({ b, k }))
        .filter(({ b, k }) => k > 0 && b.pose !== null);
    const select = el(
        'select',
        { class: 'field small' },
        el('option', { text: 'nothing', attrs: { value: -1 } }),
        ...bodies.map(({ b, k }) =>
            el('option', { text: b.name, attrs: { value: k, selected: k === store.follow.value } }),
        ),
    );
    select.addEventListener('change', () => store.follow.set(Number(select.value)));
    return el('label', { class: 'range' }, el('span', { text: 'Follow' }), select);
}

function trailList(store: Store): HTMLElement | null {
    if (!store.layers.value.trails) return null;
    const bodies = store.run.bodies
        .map((b, k) => ({ b, k }))
        .filter(({ b, k }) => k > 0 && b.pose !== null);
    return el(
        'div',
        { class: 'trail-list', attrs: { role: 'group', 'aria-label': 'Trails of' } },
        ...bodies.slice(0, TRAILS_LISTED).map(({ b, k }) =>
            check(b.name, store.trails.value.has(k), (on) => {
                const chosen = new Set(store.trails.value);
                if (on) chosen.add(k);
                else chosen.delete(k);
                store.trails.set(chosen);
            }),
        ),
    );
}

/** Switch trails on or off, as the menu does. */
export function toggleTrails(store: Store): void {
    setLayer(store, 'trails', !store.layers.value.trails);
}

/** Scale bars of length and force, and what the marks mean. */
function makeScales(stage: Stage, store: Store): HTMLElement {
    const bar = (name: string): { box: HTMLElement; line: HTMLElement; text: HTMLElement } => {
        const line = el('i', { class: `scale-bar ${name}` });
        const text = el('span');
        return { box: el('div', { class: 'scale' }, line, text), line, text };
    };
    const length = bar('length');
    const force = bar('force');
    const key = el(
        'div',
        { class: 'states' },
        ...(['open', 'slip', 'stick'] as const).map((s) =>
            el('span', {}, el('i', { class: `state ${s}` }), s),
        ),
    );
    const ghosts = el('div', { class: 'states runs' });
    const show = (
        part: ReturnType<typeof bar>,
        perPixel: number,
        unit: (x: number) => string,
    ): void => {
        part.box.hidden = !(perPixel > 0);
        if (!(perPixel > 0)) return;
        const round = roundDown125(perPixel * BAR);
        const wide = `${(round / perPixel).toFixed(1)}px`;
        if (part.line.style.width === wide) return;
        part.line.style.width = wide;
        part.text.textContent = unit(round);
    };
    const metres = (x: number): string =>
        x < 1e-3
            ? `${number(x * 1e6, 3)} µm`
            : x < 0.5
              ? `${number(x * 1e3, 3)} mm`
              : x < 1000
                ? `${number(x, 3)} m`
                : `${number(x / 1000, 3)} km`;
    stage.onDrawn = () => {
        show(length, store.run.planar && emptyStage(store) === '' ? stage.pixel() : 0, metres);
        show(
            force,
            store.layers.value.forces ? stage.newtonPerPixel() : 0,
            (x) => `${number(x, 3)} N`,
        );
        key.hidden = !store.layers.value.contacts || store.run.contacts.length === 0;
        ghosts.hidden = store.runs.length < 2 || !store.layers.value.ghosts;
    };
    const listRuns = (): void => {
        const colors = store.theme.value.series;
        replace(
            ghosts,
            ...store.labels.map((label, k) => {
                const line = el('i', { class: 'run-line' });
                const own = k === store.active.value;
                line.style.background = own
                    ? store.theme.value.bodyLine
                    : colors[(k || store.runs.length) % colors.length]!;
                return el('span', {}, line, label);
            }),
        );
    };
    store.theme.on(listRuns);
    store.active.on(listRuns);
    listRuns();
    return el('div', { class: 'stage-scales' }, ghosts, key, length.box, force.box);
}
