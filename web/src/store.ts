// What the page is showing: the one place that all views read and change.
import { runLabels } from './logic/compare';
import { Signal } from './logic/signal';
import { DARK, LIGHT, type Theme } from './logic/theme';
import {
    advance,
    eventTimes,
    nextTime,
    previousTime,
    frameIndex,
    speedStops,
    startingSpeed,
} from './logic/timeline';
import type { Run } from './logic/types';

export interface Layers {
    contacts: boolean;
    forces: boolean;
    impacts: boolean;
    springs: boolean;
    trails: boolean;
    ghosts: boolean;
    names: boolean;
}

export type ThemeChoice = 'auto' | 'light' | 'dark';

export class Store {
    readonly labels: string[];
    readonly start: number;
    readonly end: number;
    readonly stops: number[];
    readonly t: Signal<number>;
    readonly playing = new Signal(false);
    readonly speed: Signal<number>;
    readonly loop = new Signal(false);
    readonly range = new Signal<[number, number] | null>(null); // zoom of all time axes
    readonly active = new Signal(0); // the run whose events and energies are shown
    readonly layers: Signal<Layers>;
    readonly trails = new Signal<ReadonlySet<number>>(new Set());
    readonly follow = new Signal(-1); // body the camera stays with, -1: none
    readonly forceScale = new Signal(1);
    readonly deformation = new Signal(1); // factor of what elastic bodies show
    readonly themeChoice = new Signal<ThemeChoice>('auto');
    readonly theme = new Signal<Theme>(LIGHT);
    readonly said = new Signal(''); // for those who do not see the page
    private times: Float64Array[];

    constructor(readonly runs: Run[]) {
        this.labels = runLabels(runs);
        const filled = runs.filter((r) => r.time.length > 0);
        this.start = filled.length > 0 ? Math.min(...filled.map((r) => r.time[0]!)) : 0;
        this.end =
            filled.length > 0 ? Math.max(...filled.map((r) => r.time[r.time.length - 1]!)) : 0;
        this.stops = speedStops(this.end - this.start);
        this.t = new Signal(this.start);
        this.speed = new Signal(startingSpeed(this.end - this.start, this.stops));
        this.times = runs.map((r) => eventTimes(r.events));
        this.layers = new Signal<Layers>({
            contacts: true,
            forces: true,
            impacts: true,
            springs: true,
            trails: false,
            ghosts: true,
            names: false,
        });
    }

    get run(): Run {
        return this.runs[this.active.value]!;
    }

    get duration(): number {
        return this.end - this.start;
    }

    /** Go to a time, kept within the run. */
    seek(t: number): void {
        if (Number.isFinite(t)) this.t.set(Math.min(Math.max(t, this.start), this.end));
    }

    /** Let time run on by so many seconds of the wall clock. */
    tick(wall: number): void {
        const { t, ended } = advance(
            this.t.value,
            wall,
            this.speed.value,
            this.start,
            this.end,
            this.loop.value,
        );
        this.t.set(t);
        if (ended) this.playing.set(false);
    }

    /** Play or pause; at the end play begins anew. */
    toggle(): void {
        if (!this.playing.value && this.t.value >= this.end) this.t.set(this.start);
        this.playing.set(!this.playing.value && this.duration > 0);
    }

    /** One frame on or back, or several. */
    stepFrames(frames: number): void {
        const time = this.run.time;
        if (time.length === 0) return;
        this.playing.set(false);
        const i = frameIndex(time, this.t.value);
        const between = frames < 0 && this.t.value > time[i]! ? 1 : 0; // first back to the frame passed last
        this.seek(time[Math.min(Math.max(i + frames + between, 0), time.length - 1)]!);
    }

    /** To the next or previous time at which something happened. */
    stepEvent(forward: boolean): void {
        const times = this.times[this.active.value]!;
        const slack = 1e-12 * Math.max(this.duration, 1e-300);
        const found = forward
            ? nextTime(times, this.t.value, slack)
            : previousTime(times, this.t.value, slack);
        if (found === null) {
            this.said.set(forward ? 'no later event' : 'no earlier event');
            return;
        }
        this.playing.set(false);
        this.seek(found);
        this.sayEvents(found);
    }

    /** Say what happens at a time. */
    sayEvents(t: number): void {
        const { events } = this.run;
        const parts: string[] = [];
        for (let i = 0; i < events.n && parts.length < 4; i++) {
            if (events.t[i] === t) parts.push(`${events.kind[i]} ${events.contact[i]}`);
        }
        this.said.set(`t = ${t} s: ${parts.join(', ')}`);
    }

    /** A stop faster or slower. */
    changeSpeed(by: number): void {
        const k = this.stops.indexOf(this.speed.value) + by;
        this.speed.set(this.stops[Math.min(Math.max(k, 0), this.stops.length - 1)]!);
    }

    setLayer(name: keyof Layers, on: boolean): void {
        this.layers.set({ ...this.layers.value, [name]: on });
    }

    /** Take the theme that was chosen, or the one the system asks for. */
    applyTheme(systemDark: boolean): void {
        const choice = this.themeChoice.value;
        this.theme.set(choice === 'dark' || (choice === 'auto' && systemDark) ? DARK : LIGHT);
    }
}
