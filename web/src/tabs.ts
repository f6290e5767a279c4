// Tabs: one panel at a time, arrow keys between them.
import { el } from './dom';

export interface Tab {
    id: string;
    label: string;
    panel: HTMLElement;
    shown?: () => void;
}

export interface Tabs {
    element: HTMLElement;
    choose(index: number): void;
    chooseById(id: string): void;
}

export function makeTabs(tabs: Tab[], label: string): Tabs {
    const buttons = tabs.map((tab, k) => {
        const button = el('button', {
            class: 'tab',
            text: tab.label,
            attrs: {
                type: 'button',
                role: 'tab',
                id: `tab-${tab.id}`,
                'aria-controls': `panel-${tab.id}`,
            },
        });
        button.addEventListener('click', () => choose(k));
        return button;
    });
    tabs.forEach(({ id, panel }) => {
        panel.id = `panel-${id}`;
        panel.setAttribute('role', 'tabpanel');
        panel.setAttribute('aria-labelledby', `tab-${id}`);
    });
    const list = el(
        'div',
        { class: 'tabs', attrs: { role: 'tablist', 'aria-label': label } },
        ...buttons,
    );
    const choose = (index: number): void => {
        const k = Math.min(Math.max(index, 0), tabs.length - 1);
        buttons.forEach((b, i) => {
            b.setAttribute('aria-selected', String(i === k));
            b.tabIndex = i === k ? 0 : -1;
            tabs[i]!.panel.hidden = i !== k;
        });
        tabs[k]!.shown?.();
    };
    list.addEventListener('keydown', (e) => {
        const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
        if (by === 0 || now < 0) return;
        const next = (now + by + tabs.length) % tabs.length;
        choose(next);
        buttons[next]!.focus();
        e.preventDefault();
    });
    choose(0);
    return {
        element: el('div', { class: 'tabbed' }, list, ...tabs.map((t) => t.panel)),
        choose,
        chooseById: (id) => choose(tabs.findIndex((t) => t.id === id)),
    };
}
