// Find a recorded quantity by name.
import type { Channel } from './types';

/** Channels whose name, label, unit or group contains every word; names that begin with the query first. */
export function searchChannels(channels: Channel[], query: string): Channel[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const said = (c: Channel): string => `${c.name} ${c.label} ${c.unit} ${c.group}`.toLowerCase();
    const rank = (c: Channel): number => {
        const name = c.label.toLowerCase();
        const first = words[0] ?? '';
        return name === first ? 0 : name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3;
    };
    return channels
        .map((c, i) => ({ c, i }))
        .filter(({ c }) => words.every((w) => said(c).includes(w)))
        .sort((a, b) => rank(a.c) - rank(b.c) || a.i - b.i)
        .map(({ c }) => c);
}
