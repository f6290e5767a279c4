// The page: header, animation, panels, transport.
import { makeDock } from './dock';
import { el, iconButton, replace } from './dom';
import { bindKeys, makeHelp, releaseButtons, type Shortcut } from './keyboard';
import { count } from './logic/format';
import type { Run } from './logic/types';
import { ComparePanel } from './panels/compare_panel';
import { EnergyPanel } from './panels/energy_panel';
import { EventsPanel } from './panels/events_panel';
import { ModelPanel } from './panels/model_panel';
import { PlotsPanel } from './panels/plots_panel';
import { Stage } from './scene/stage';
import { makeStageTools, toggleTrails } from './stage_tools';
import { Store, type ThemeChoice } from './store';
import { makeTabs, type Tab, type Tabs } from './tabs';

const THEME_KEY = 'specht-report-theme';

/** Build the page of some runs. */
export function startPage(root: HTMLElement, runs: Run[]): void {
    const store = new Store(runs);
    document.title = `${runs[0]!.name} · Specht report`;
    followTheme(store);
    const stageHost = el('section', { class: 'stage', attrs: { 'aria-label': 'Animation' } });
    const stage = makeStage(stageHost, store);
    const { tabs, events } = makePanels(store);
    const shortcuts = listShortcuts(store, stage, tabs, () => help.showModal());
    const help = makeHelp(shortcuts);
    const said = el('div', { class: 'unseen', attrs: { role: 'status', 'aria-live': 'polite' } });
    store.said.on((text) => (said.textContent = text));
    replace(
        root,
        makeHeader(store, () => help.showModal()),
        el('main', {}, stageHost, tabs.element),
        makeDock(store),
        help,
        said,
    );
    bindKeys(shortcuts, () => help.open);
    releaseButtons();
    store.playing.on((on) => !on && events.reveal());
    runClock(store);
}

/** The animation; without WebGL a sentence instead. */
function makeStage(host: HTMLElement, store: Store): Stage | null {
    try {
        const stage = new Stage(host, store);
        makeStageTools(stage, store);
        return stage;
    } catch (error) {
        replace(
            host,
            el('p', {
                class: 'stage-message',
                text: `The animation needs WebGL, which this browser does not offer (${(error as Error).message}). Everything else works.`,
            }),
        );
        return null;
    }
}

function makePanels(store: Store): { tabs: Tabs; events: EventsPanel } {
    const plots = new PlotsPanel(store);
    const events = new EventsPanel(store);
    const list: Tab[] = [
        { id: 'plots', label: 'Plots', panel: plots.element },
        { id: 'events', label: 'Events', panel: events.element, shown: () => events.reveal() },
        { id: 'energy', label: 'Energy', panel: new EnergyPanel(store).element },
        { id: 'model', label: 'Model', panel: new ModelPanel(store).element },
    ];
    if (store.runs.length > 1) {
        const compare = new ComparePanel(store, (channel, label) => {
            tabs.chooseById('plots');
            plots.show({
                title: `Difference of ${label}`,
                x: 't',
                y: [channel],
                equal: false,
                difference: true,
            });
        });
        list.push({
            id: 'compare',
            label: 'Compare',
            panel: compare.element,
            shown: () => compare.fill(),
        });
    }
    const tabs = makeTabs(list, 'What happened');
    return { tabs, events };
}

function makeHeader(store: Store, help: () => void): HTMLElement {
    const title = el('h1');
    const facts = el('p', { class: 'facts-line' });
    const status = el('span', { class: 'status' });
    const show = (): void => {
        const run = store.run;
        title.textContent = run.name;
        title.title = run.name;
        status.textContent = statusText(run);
        status.dataset.status = run.status === 'clean' ? 'good' : 'bad';
        facts.textContent = factsLine(run);
    };
    store.active.on(show);
    show();
    return el(
        'header',
        { class: 'top' },
        el('span', { class: 'brand', text: 'Specht' }),
        el('div', { class: 'what' }, title, el('div', { class: 'sub' }, status, facts)),
        el('div', { class: 'spacer' }),
        store.runs.length > 1 ? makeRunChoice(store) : null,
        iconButton('theme', 'Light or dark', () => nextTheme(store), 'D'),
        iconButton('help', 'Keyboard', help, '?'),
    );
}

/** 'clean' or 'doubtful', or how far the run came. */
function statusText(run: Run): string {
    const n = run.time.length;
    return run.status === 'clean' || run.status === 'doubtful' || n === 0
        ? run.status
        : `${run.status} at t = ${run.time[n - 1]} s`;
}

function factsLine(run: Run): string {
    const setting = (key: string): string | undefined => run.settings.find(([k]) => k === key)?.[1];
    const step = setting('step');
    const tolerance = setting('tolerance');
    const how = step && step !== '0' ? `step ${step} s` : tolerance ? `tolerance ${tolerance}` : '';
    const shown = run.time.length;
    const frames =
        run.decimation && run.decimation.framesIn > shown
            ? `${count(shown)} of ${count(run.decimation.framesIn)} frames`
            : `${count(shown)} frames`;
    return [
        run.method,
        how,
        frames,
        `${count(run.events.n)} ${run.events.n === 1 ? 'event' : 'events'}`,
    ]
        .filter(Boolean)
        .join('  ·  ');
}

/** Which run's events, energies and model are shown. */
function makeRunChoice(store: Store): HTMLElement {
    const select = el(
        'select',
        { class: 'field', attrs: { 'aria-label': 'Run' } },
        ...store.labels.map((l, k) => el('option', { text: l, attrs: { value: k } })),
    );
    select.addEventListener('change', () => store.active.set(Number(select.value)));
    return el('label', { class: 'run-choice' }, el('span', { text: 'Run' }), select);
}

/** Colours follow the system until one is chosen. */
function followTheme(store: Store): void {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const kept = recall();
    if (kept) store.themeChoice.set(kept);
    const apply = (): void => store.applyTheme(system.matches);
    system.addEventListener('change', apply);
    store.themeChoice.on(apply);
    store.theme.on((theme) => {
        const { style, dataset } = document.documentElement;
        for (const [name, value] of Object.entries(theme)) {
            if (typeof value === 'string') style.setProperty(`--${name}`, value);
        }
        dataset.theme =
            store.themeChoice.value === 'auto'
                ? system.matches
                    ? 'dark'
                    : 'light'
                : store.themeChoice.value;
        style.colorScheme = dataset.theme;
    }, true);
    apply();
}

function nextTheme(store: Store): void {
    const dark = document.documentElement.dataset.theme === 'dark';
    const choice: ThemeChoice = dark ? 'light' : 'dark';
    store.themeChoice.set(choice);
    try {
        localStorage.setItem(THEME_KEY, choice);
    } catch {
        // a page opened from a file may not be allowed to remember
    }
}

function recall(): ThemeChoice | null {
    try {
        const kept = localStorage.getItem(THEME_KEY);
        return kept === 'light' || kept === 'dark' ? kept : null;
    } catch {
        return null;
    }
}

function listShortcuts(
    store: Store,
    stage: Stage | null,
    tabs: Tabs,
    help: () => void,
): Shortcut[] {
    const frames = (n: number) => () => store.stepFrames(n);
    return [
        { keys: [' ', 'k'], shown: 'space', text: 'play, pause', run: () => store.toggle() },
        { keys: ['ArrowRight'], shown: '→', text: 'one frame on', run: frames(1) },
        { keys: ['ArrowLeft'], shown: '←', text: 'one frame back', run: frames(-1) },
        { keys: ['Shift+ArrowRight'], shown: 'shift →', text: 'twenty frames on', run: frames(20) },
        {
            keys: ['Shift+ArrowLeft'],
            shown: 'shift ←',
            text: 'twenty frames back',
            run: frames(-20),
        },
        { keys: ['n'], shown: 'N', text: 'next event', run: () => store.stepEvent(true) },
        { keys: ['p'], shown: 'P', text: 'previous event', run: () => store.stepEvent(false) },
        { keys: ['Home'], shown: 'home', text: 'start', run: () => store.seek(store.start) },
        { keys: ['End'], shown: 'end', text: 'end', run: () => store.seek(store.end) },
        { keys: ['+', '='], shown: '+', text: 'faster', run: () => store.changeSpeed(1) },
        { keys: ['-'], shown: '−', text: 'slower', run: () => store.changeSpeed(-1) },
        {
            keys: ['l'],
            shown: 'L',
            text: 'play again and again',
            run: () => store.loop.set(!store.loop.value),
        },
        { keys: ['f'], shown: 'F', text: 'show the whole machine', run: () => stage?.fit() },
        { keys: ['t'], shown: 'T', text: 'trails', run: () => toggleTrails(store) },
        {
            keys: ['r'],
            shown: 'R',
            text: 'whole run in the plots',
            run: () => store.range.set(null),
        },
        { keys: ['d'], shown: 'D', text: 'light or dark', run: () => nextTheme(store) },
        ...['plots', 'events', 'energy', 'model'].map((id, k) => ({
            keys: [String(k + 1)],
            shown: String(k + 1),
            text: id,
            run: () => tabs.choose(k),
        })),
        { keys: ['?'], shown: '?', text: 'this list', run: help },
    ];
}

/** Let time run while the player plays. */
function runClock(store: Store): void {
    let last = 0;
    const frame = (now: number): void => {
        if (!store.playing.value) return;
        // a page in the background must not leap
        store.tick(Math.min((now - last) / 1000, 0.1));
        last = now;
        requestAnimationFrame(frame);
    };
    store.playing.on((on) => {
        if (!on) return;
        last = performance.now();
        requestAnimationFrame(frame);
    });
}
