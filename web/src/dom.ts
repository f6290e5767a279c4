// Elements from code.  Text is always text: no markup is ever parsed.

type Child = Node | string | null | undefined | false;

interface Props {
    class?: string;
    text?: string;
    title?: string;
    attrs?: Record<string, string | number | boolean>;
    on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
}

/** An element with its children. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const node = document.createElement(tag);
    if (props.class) node.className = props.class;
    if (props.text !== undefined) node.textContent = props.text;
    if (props.title) node.title = props.title;
    for (const [name, value] of Object.entries(props.attrs ?? {})) {
        if (value !== false) node.setAttribute(name, value === true ? '' : String(value));
    }
    for (const [name, listener] of Object.entries(props.on ?? {})) {
        node.addEventListener(name, listener as EventListener);
    }
    for (const child of children) if (child) node.append(child);
    return node;
}

const PATHS = {
    play: 'M7 4.5v15l12-7.5z',
    pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
    next: 'M5 5v14l9-7zM16 5h2.5v14H16z',
    previous: 'M19 5v14l-9-7zM5.500 5H8v14H5.5z',
    fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
    layers: 'M12 4l8 4.500-8 4.500-8-4.500zM4 12.500l8 4.500 8-4.500M4 16.500l8 4.500 8-4.500',
    theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
    close: 'M6 6l12 12M18 6L6 18',
    plus: 'M12 5v14M5 12h14',
    minus: 'M5 12h14',
    loop: 'M5 11a6.500 6.500 0 0 1 11.500-4.200L19 9M19 5v4h-4M19 13a6.500 6.500 0 0 1-11.500 4.200L5 15M5 19v-4h4',
    camera: 'M4 8.500h3.500L9 6h6l1.500 2.500H20V18H4zM12 10a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
    help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5',
} as const;

export type IconName = keyof typeof PATHS;
const FILLED = new Set<IconName>(['play', 'pause', 'next', 'previous']);
const SVG = 'http://www.w3.org/2000/svg';

/** A small drawing; the button around it says what it means. */
export function icon(name: IconName): SVGElement {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('class', FILLED.has(name) ? 'icon filled' : 'icon');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', PATHS[name]);
    svg.append(path);
    return svg;
}

/** A button with an icon and a name for those who do not see it. */
export function iconButton(
    name: IconName,
    label: string,
    press: () => void,
    shortcut = '',
): HTMLButtonElement {
    const title = shortcut ? `${label} (${shortcut})` : label;
    const button = el('button', {
        class: 'icon-button',
        title,
        attrs: { type: 'button', 'aria-label': label },
        on: { click: press },
    });
    button.append(icon(name));
    return button;
}

/** A plain button. */
export function textButton(label: string, press: () => void, title = ''): HTMLButtonElement {
    return el('button', {
        class: 'text-button',
        text: label,
        title,
        attrs: { type: 'button' },
        on: { click: press },
    });
}

/** A labelled check box. */
export function check(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
    const box = el('input', { attrs: { type: 'checkbox' } });
    box.checked = on;
    box.addEventListener('change', () => change(box.checked));
    return el('label', { class: 'check' }, box, el('span', { text: label }));
}

/** Remove what is in a node and put this in. */
export function replace(node: Element, ...children: Child[]): void {
    node.replaceChildren(...children.filter((c): c is Node | string => Boolean(c)));
}

/** Offer a text or a blob as a file. */
export function download(name: string, content: string | Blob, type = 'text/plain'): void {
    const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
    const url = URL.createObjectURL(blob);
    const link = el('a', { attrs: { href: url, download: name } });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name made of what a title says. */
export function fileName(title: string, ending: string): string {
    const plain = title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 60);
    return `${plain || 'chart'}.${ending}`;
}
