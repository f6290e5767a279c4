// The model as it was written, with the places that the command line overrode.
//
// A small reader of YAML's block and flow maps: it knows keys, their paths and the lines they stand
// on.  Lists, anchors and long texts pass through without paths; that is enough to find an override.

export interface Key {
    path: string;
    line: number; // from 0
    from: number; // columns of the key itself
    to: number;
}

export interface Token {
    text: string;
    kind: 'plain' | 'key' | 'comment';
}

export interface Mark {
    name: string;
    value: string;
    line: number | null; // null: no line of its own in the text
}

interface Level {
    indent: number;
    key: string;
}

/** Where the comment of a line begins; its length if there is none. */
function commentStart(line: string): number {
    let quote = '';
    for (let i = 0; i < line.length; i++) {
        const c = line[i]!;
        if (quote) {
            if (c === quote) quote = '';
        } else if (c === '"' || c === "'") {
            quote = c;
        } else if (c === '#' && (i === 0 || /\s/.test(line[i - 1]!))) {
            return i;
        }
    }
    return line.length;
}

const KEY = /[A-Za-z_][\w.\-]*(?=\s*:(\s|$))/y;

/** All keys of the text with their paths. */
export function findKeys(text: string): Key[] {
    const keys: Key[] = [];
    const block: Level[] = [];
    const flow: string[] = []; // one entry per open bracket: the key it belongs to
    let last = '';
    text.split('\n').forEach((full, line) => {
        const code = full.slice(0, commentStart(full));
        let at = code.search(/[^\s-]/);
        if (at < 0) return;
        if (flow.length === 0) {
            while (block.length > 0 && block[block.length - 1]!.indent >= at) block.pop();
        }
        const indent = at;
        let quote = '';
        let fresh = true; // a key may begin here
        while (at < code.length) {
            const c = code[at]!;
            if (quote) {
                if (c === quote) quote = '';
            } else if (c === '"' || c === "'") {
                quote = c;
                fresh = false;
            } else if (c === '{' || c === '[') {
                flow.push(last);
                last = '';
                fresh = true;
            } else if (c === '}' || c === ']') {
                last = flow.pop() ?? '';
                fresh = false;
            } else if (c === ',') {
                last = '';
                fresh = true;
            } else if (fresh && !/\s/.test(c)) {
                KEY.lastIndex = at;
                const match = KEY.exec(code);
                if (match) {
                    const path = [
                        ...block.map((b) => b.key),
                        ...flow.filter(Boolean),
                        match[0],
                    ].join('.');
                    keys.push({ path, line, from: at, to: at + match[0].length });
                    last = match[0];
                    at += match[0].length;
                    const rest = code.slice(at + code.slice(at).indexOf(':') + 1);
                    if (flow.length === 0) {
                        if (rest.trim() === '') {
                            block.push({ indent, key: match[0] });
                            last = '';
                        }
                    }
                    at += code.slice(at).indexOf(':');
                    fresh = /^\s*[{[]/.test(rest);
                } else {
                    fresh = false;
                }
            }
            at++;
        }
        if (flow.length === 0) last = '';
    });
    return keys;
}

/** Where each override 'name=value' changed the text: a path, or a parameter by its name. */
export function markOverrides(text: string, overrides: string[]): Mark[] {
    const keys = findKeys(text);
    return overrides.map((override) => {
        const equals = override.indexOf('=');
        const name = (equals < 0 ? override : override.slice(0, equals)).trim();
        const value = equals < 0 ? '' : override.slice(equals + 1).trim();
        const found =
            keys.find((k) => k.path === name) ?? keys.find((k) => k.path === `parameters.${name}`);
        return { name, value, line: found ? found.line : null };
    });
}

/** Lines as pieces to colour. */
export function tokenize(text: string): Token[][] {
    const keys = findKeys(text);
    const byLine = new Map<number, Key[]>();
    for (const key of keys) byLine.set(key.line, [...(byLine.get(key.line) ?? []), key]);
    return text.split('\n').map((line, n) => {
        const tokens: Token[] = [];
        const end = commentStart(line);
        let at = 0;
        const push = (to: number, kind: Token['kind']): void => {
            if (to > at) tokens.push({ text: line.slice(at, to), kind });
            at = Math.max(at, to);
        };
        for (const key of byLine.get(n) ?? []) {
            push(key.from, 'plain');
            push(key.to, 'key');
        }
        push(end, 'plain');
        push(line.length, 'comment');
        return tokens;
    });
}
