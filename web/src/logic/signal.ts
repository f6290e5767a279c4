// A value that tells when it changes.

export class Signal<T> {
    private listeners = new Set<(value: T) => void>();

    constructor(private current: T) {}

    get value(): T {
        return this.current;
    }

    /** Set the value and tell everybody, unless it is the same. */
    set(value: T): void {
        if (!Object.is(value, this.current)) {
            this.current = value;
            for (const listener of [...this.listeners]) listener(value);
        }
    }

    /** Be told from now on, and at once if asked for; the answer ends it. */
    on(listener: (value: T) => void, now = false): () => void {
        this.listeners.add(listener);
        if (now) listener(this.current);
        return () => this.listeners.delete(listener);
    }
}
