// Keys, and the page that lists them.
import { el, iconButton } from './dom';

export interface Shortcut {
    keys: string[]; // as KeyboardEvent.key says them, 'Shift+' before where it matters
    shown: string;
    text: string;
    run: () => void;
}

const TYPING = new Set(['INPUT', 'SELECT', 'TEXTAREA']);

/** Is somebody writing or choosing in a field? */
function busy(target: EventTarget | null): boolean {
    const node = target as HTMLElement | null;
    if (!node || !TYPING.has(node.tagName)) return false;
    const type = (node as HTMLInputElement).type;
    return type !== 'range' && type !== 'checkbox';
}

/** The name of a key press. */
export function keyName(e: Pick<KeyboardEvent, 'key' | 'shiftKey'>): string {
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    return e.shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

/** Listen for shortcuts everywhere but in fields. */
export function bindKeys(shortcuts: Shortcut[], blocked: () => boolean): void {
    document.addEventListener('keydown', (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey || busy(e.target) || blocked()) return;
        const target = e.target as HTMLElement;
        const pressable = target.closest?.('button, summary, [role=tab], a, input[type=checkbox]');
        if (pressable && (e.key === ' ' || e.key === 'Enter')) return;
        if (target.closest?.('[role=tablist]') && e.key.startsWith('Arrow')) return;
        // the speed keeps its own arrows
        if (
            target instanceof HTMLInputElement &&
            target.type === 'range' &&
            !target.classList.contains('scrub') &&
            e.key.startsWith('Arrow')
        )
            return;
        const name = keyName(e);
        const found = shortcuts.find((s) => s.keys.includes(name));
        if (!found) return;
        e.preventDefault();
        found.run();
    });
}

/** A button pressed by mouse gives the focus back, so that the space bar still plays. */
export function releaseButtons(): void {
    document.addEventListener('click', (e) => {
        const button = (e.target as HTMLElement).closest?.('button');
        if (button && e.detail > 0) button.blur();
    });
}

/** The list of shortcuts as a dialog. */
export function makeHelp(shortcuts: Shortcut[]): HTMLDialogElement {
    const dialog = el('dialog', { class: 'help', attrs: { 'aria-label': 'Keyboard' } });
    dialog.append(
        el(
            'header',
            {},
            el('h2', { text: 'Keyboard' }),
            el('div', { class: 'spacer' }),
            iconButton('close', 'Close', () => dialog.close()),
        ),
        el(
            'dl',
            {},
            ...shortcuts.map((s) =>
                el(
                    'div',
                    {},
                    el('dt', {}, ...s.shown.split(' ').map((k) => el('kbd', { text: k }))),
                    el('dd', { text: s.text }),
                ),
            ),
        ),
        el('p', {
            class: 'note',
            text: 'In plots: click to go there, drag to zoom, double-click to see all again; the playhead can be dragged. In the animation: drag to move or turn, wheel to zoom. Drawn with three.js and uPlot; their licences are in the source of this page.',
        }),
    );
    dialog.addEventListener('click', (e) => {
        if (e.target === dialog) dialog.close();
    });
    return dialog;
}
