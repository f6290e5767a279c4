// A search box over all recorded quantities.
import { el, replace } from '../dom';
import { searchChannels } from '../logic/search';
import type { Channel } from '../logic/types';

const SHOWN = 60;
let counter = 0;

/** Type, walk with the arrow keys, take with Enter. */
export function picker(
    channels: Channel[],
    label: string,
    choose: (channel: Channel) => void,
): HTMLElement {
    const id = `picker-${counter++}`;
    const input = el('input', {
        class: 'field',
        attrs: {
            type: 'search',
            placeholder: label,
            'aria-label': label,
            role: 'combobox',
            'aria-expanded': 'false',
            'aria-controls': id,
            'aria-autocomplete': 'list',
            autocomplete: 'off',
            spellcheck: 'false',
        },
    });
    const list = el('ul', {
        class: 'picker-list',
        attrs: { id, role: 'listbox', 'aria-label': label },
    });
    list.hidden = true;
    let found: Channel[] = [];
    let current = -1;

    const close = (): void => {
        list.hidden = true;
        input.setAttribute('aria-expanded', 'false');
        input.removeAttribute('aria-activedescendant');
    };
    const take = (channel: Channel | undefined): void => {
        if (!channel) return;
        input.value = '';
        close();
        choose(channel);
    };
    const mark = (index: number): void => {
        current = index;
        [...list.children].forEach((item, k) =>
            item.setAttribute('aria-selected', String(k === index)),
        );
        const item = list.children[index];
        if (item) {
            item.scrollIntoView({ block: 'nearest' });
            input.setAttribute('aria-activedescendant', item.id);
        }
    };
    const open = (): void => {
        found = searchChannels(channels, input.value);
        replace(
            list,
            ...found.slice(0, SHOWN).map((c, k) =>
                el(
                    'li',
                    {
                        attrs: { role: 'option', id: `${id}-${k}` },
                        on: { pointerdown: (e) => (e.preventDefault(), take(c)) },
                    },
                    el('span', { text: c.label }),
                    el('small', {
                        text: [c.unit === '1' ? '' : c.unit, c.group].filter(Boolean).join(' · '),
                    }),
                ),
            ),
            found.length === 0 && el('li', { class: 'none', text: 'nothing of that name' }),
            found.length > SHOWN &&
                el('li', { class: 'none', text: `${found.length - SHOWN} more: type to narrow` }),
        );
        list.hidden = false;
        input.setAttribute('aria-expanded', 'true');
        mark(found.length > 0 && input.value ? 0 : -1);
    };
    input.addEventListener('input', open);
    input.addEventListener('focus', open);
    input.addEventListener('blur', close);
    input.addEventListener('keydown', (e) => {
        const most = Math.min(found.length, SHOWN) - 1;
        if (e.key === 'ArrowDown') mark(Math.min(current + 1, most));
        else if (e.key === 'ArrowUp') mark(Math.max(current - 1, 0));
        else if (e.key === 'Enter') take(found[Math.max(current, 0)]);
        else if (e.key === 'Escape') input.blur();
        else return;
        e.preventDefault();
        e.stopPropagation();
    });
    return el('div', { class: 'picker' }, input, list);
}
