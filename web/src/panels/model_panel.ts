// The model as it was written, and how to repeat the run.
import { el, replace, textButton } from '../dom';
import { count } from '../logic/format';
import { markOverrides, tokenize, type Mark } from '../logic/model_text';
import type { Run } from '../logic/types';
import type { Store } from '../store';

const LINES_MAX = 20_000;

export class ModelPanel {
    readonly element = el('div', { class: 'panel model' });

    constructor(private readonly store: Store) {
        store.active.on(() => this.load());
        this.load();
    }

    private load(): void {
        const run = this.store.run;
        const marks = markOverrides(run.modelText, run.overrides);
        replace(
            this.element,
            this.facts(run),
            this.repeat(run),
            this.overrides(marks),
            this.text(run, marks),
            this.warnings(run),
        );
    }

    private facts(run: Run): HTMLElement {
        const n = run.time.length;
        const facts: [string, string][] = [
            ['file', run.file],
            ['model', run.sourceFile],
            ['status', run.message || run.status],
            ['method', run.method],
            ...run.settings.map(([key, value]): [string, string] => [
                key.replace(/_/g, ' '),
                value,
            ]),
            ['time shown', n > 0 ? `${run.time[0]} to ${run.time[n - 1]} s` : 'none'],
            [
                'frames shown',
                run.decimation && run.decimation.framesIn > n
                    ? `${count(n)} of ${count(run.decimation.framesIn)}`
                    : count(n),
            ],
            ['bodies, contacts', `${run.bodies.length}, ${run.contacts.length}`],
            ['version', `specht ${run.version}`],
        ];
        return el(
            'section',
            { class: 'card plain' },
            el('header', {}, el('h3', { text: 'Run' })),
            el(
                'dl',
                { class: 'facts' },
                ...facts
                    .filter(([, v]) => v !== '')
                    .map(([k, v]) => el('div', {}, el('dt', { text: k }), el('dd', { text: v }))),
            ),
            run.decimation?.note
                ? el('p', { class: 'note', text: `Left out: ${run.decimation.note}` })
                : null,
        );
    }

    private repeat(run: Run): HTMLElement | null {
        if (!run.command) return null;
        const button = textButton('Copy', () => {
            void navigator.clipboard?.writeText(run.command).then(
                () => this.store.said.set('copied'),
                () => this.store.said.set('copying is not allowed here'),
            );
        });
        return el(
            'section',
            { class: 'card plain' },
            el(
                'header',
                {},
                el('h3', { text: 'Repeat it' }),
                el('div', { class: 'spacer' }),
                button,
            ),
            el(
                'pre',
                { class: 'command', attrs: { tabindex: 0 } },
                el('code', { text: run.command }),
            ),
        );
    }

    private overrides(marks: Mark[]): HTMLElement | null {
        if (marks.length === 0) return null;
        return el(
            'section',
            { class: 'card plain' },
            el('header', {}, el('h3', { text: 'Changed on the command line' })),
            el(
                'ul',
                { class: 'overrides' },
                ...marks.map((m) =>
                    el(
                        'li',
                        {},
                        el('code', { text: `${m.name} = ${m.value}` }),
                        m.line === null
                            ? el('small', { text: ' no line of its own in the model' })
                            : el('small', { text: ` line ${m.line + 1}` }),
                    ),
                ),
            ),
        );
    }

    private text(run: Run, marks: Mark[]): HTMLElement | null {
        if (!run.modelText) return null;
        const byLine = new Map<number, Mark>();
        marks.forEach((m) => m.line !== null && byLine.set(m.line, m));
        const lines = tokenize(run.modelText).slice(0, LINES_MAX);
        const code = el('code');
        lines.forEach((tokens, k) => {
            const mark = byLine.get(k);
            code.append(
                el(
                    'span',
                    { class: mark ? 'line marked' : 'line', attrs: { 'data-line': k + 1 } },
                    ...tokens.map((t) =>
                        t.kind === 'plain' ? t.text : el('span', { class: t.kind, text: t.text }),
                    ),
                    mark ? el('mark', { text: ` set to ${mark.value}` }) : null,
                    '\n',
                ),
            );
        });
        return el(
            'section',
            { class: 'card plain' },
            el('header', {}, el('h3', { text: 'Model' })),
            el(
                'pre',
                { class: 'source', attrs: { tabindex: 0, 'aria-label': 'Text of the model' } },
                code,
            ),
        );
    }

    private warnings(run: Run): HTMLElement | null {
        if (run.warnings.length === 0) return null;
        return el(
            'section',
            { class: 'card plain warnings' },
            el('header', {}, el('h3', { text: 'What was wrong with the data' })),
            el('ul', {}, ...run.warnings.map((w) => el('li', { text: w }))),
        );
    }
}
