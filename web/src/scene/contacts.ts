// Contact points, forces and impacts of a run.
import { Group, Vector3 } from 'three';
import { roundDown125 } from '../logic/format';
import type { Theme } from '../logic/theme';
import { flashesAt, placeAt, vectorAt, type Place } from '../logic/timeline';
import type { Contact, Run } from '../logic/types';
import { Arrows } from './arrows';
import { DIAMOND, DISC, FLASH, Marks, RING } from './marks';

const FORM = [RING, DIAMOND, DISC];
const SIZE = [8, 12, 11]; // pixels
const ARROW = 90; // pixels of the reference force
const SAMPLES = 2000;
const CROWD = 60; // closed contacts beyond which marks and arrows shrink
const LEAST = 0.4; // of their size
const FADE = 0.24; // s on the wall

/** A round force that most of the run's forces do not exceed, 0 if there are none. */
export function referenceForce(contacts: Contact[]): number {
    const sizes: number[] = [];
    for (const { force } of contacts) {
        if (!force) continue;
        const n = force.length / 3;
        const every = Math.max(1, Math.floor(n / SAMPLES));
        for (let i = 0; i < n; i += every) {
            const size = Math.hypot(force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!);
            if (size > 0 && Number.isFinite(size)) sizes.push(size);
        }
    }
    if (sizes.length === 0) return 0;
    sizes.sort((a, b) => a - b);
    return roundDown125(sizes[Math.floor(0.97 * (sizes.length - 1))]!);
}

/** The largest number of contacts that are closed at one time, over some frames. */
export function mostClosed(contacts: Contact[]): number {
    const n = contacts[0]?.state.length ?? 0;
    const every = Math.max(1, Math.floor(n / 50));
    let most = 0;
    for (let i = 0; i < n; i += every) {
        let closed = 0;
        for (const { state } of contacts) closed += state[i]! > 0 ? 1 : 0;
        most = Math.max(most, closed);
    }
    return most;
}

export interface ViewPoint {
    ratio: number; // device pixels per pixel
    direction: Vector3; // one looks along
    pixel: (p: Vector3) => number; // length of a pixel there
    small: number; // below 1 on small stages: marks of impacts shrink with it
}

export class ContactsView {
    readonly group = new Group();
    readonly reference: number; // N, drawn ARROW pixels long at scale 1
    private readonly marks: Marks;
    private readonly flashes = new Marks(64, 9000);
    private readonly arrows: Arrows;
    private readonly impactTimes: Float64Array;
    private readonly impacts: { event: number; contact: Contact | undefined }[] = [];
    private readonly largest: number;
    private readonly crowd: number; // below 1 where very many contacts are closed
    private readonly p = new Float64Array(3);
    private readonly f = new Float64Array(3);
    private readonly v = new Vector3();

    constructor(private readonly run: Run) {
        const n = Math.max(run.contacts.length, 1);
        this.marks = new Marks(n, 8000);
        this.arrows = new Arrows(n, 7000);
        this.group.add(this.marks.points, this.flashes.points, this.arrows.mesh);
        this.reference = referenceForce(run.contacts);
        this.crowd = Math.max(LEAST, Math.min(1, Math.sqrt(CROWD / mostClosed(run.contacts))));
        const byName = new Map(run.contacts.map((c) => [c.name, c]));
        const { events } = run;
        let largest = 0;
        for (let i = 0; i < events.n; i++) {
            if (events.kind[i] !== 'impact') continue;
            this.impacts.push({ event: i, contact: byName.get(events.contact[i]!) });
            largest = Math.max(largest, events.lambdaN[i] || 0);
        }
        this.largest = largest;
        this.impactTimes = Float64Array.from(this.impacts, ({ event }) => events.t[event]!);
    }

    /** Pixels per newton. */
    scale(factor: number): number {
        return this.reference > 0 ? (ARROW * this.crowd * factor) / this.reference : 0;
    }

    updateMarks(at: Place, view: ViewPoint, theme: Theme): void {
        this.marks.begin(view.ratio);
        const colors = [theme.open, theme.slip, theme.stick];
        for (const contact of this.run.contacts) {
            if (!contact.point || !vectorAt(contact.point, 3, 0, at, this.p)) continue;
            const state = Math.min(contact.state[at.i] ?? 0, 2);
            this.marks.add(
                this.p,
                FORM[state]!,
                SIZE[state]! * this.crowd,
                colors[state]!,
                state === 0 ? 0.75 : 1,
            );
        }
        this.marks.end();
    }

    updateForces(at: Place, view: ViewPoint, theme: Theme, factor: number): void {
        this.arrows.begin(theme.ink, view.ratio);
        const scale = this.scale(factor);
        for (const contact of this.run.contacts) {
            if (!contact.force || !contact.point || contact.state[at.i] === 0) continue;
            // forces jump: they hold from frame to frame
            if (
                !vectorAt(contact.force, 3, 0, { i: at.i, s: 0 }, this.f) ||
                !vectorAt(contact.point, 3, 0, at, this.p)
            )
                continue;
            const size = Math.hypot(this.f[0]!, this.f[1]!, this.f[2]!);
            if (size === 0) continue;
            this.v.fromArray(this.p as unknown as number[]);
            this.arrows.add(
                this.p,
                this.f.map((x) => x / size),
                size * scale,
                view.pixel(this.v),
                view.direction,
            );
        }
        this.arrows.end();
    }

    /** Rings around impacts of the last moments; still when motion is not wanted. */
    updateFlashes(t: number, speed: number, still: boolean, view: ViewPoint, theme: Theme): void {
        this.flashes.begin(view.ratio);
        const seen = new Set<Contact>();
        for (const { event, strength } of flashesAt(this.impactTimes, t, FADE * speed)) {
            const { contact, event: row } = this.impacts[event]!;
            if (!contact || seen.has(contact)) continue; // of each contact the newest
            seen.add(contact);
            const time = this.impactTimes[event]!;
            if (
                !contact.point ||
                !vectorAt(contact.point, 3, 0, placeAt(this.run.time, time), this.p)
            )
                continue;
            const part = Math.sqrt((this.run.events.lambdaN[row] || 0) / (this.largest || 1));
            const grow = still ? 1 : 1.5 - 0.5 * strength;
            this.flashes.add(
                this.p,
                FLASH,
                (20 + 40 * part) * grow * view.small * this.crowd,
                theme.accent,
                strength,
            );
        }
        this.flashes.end();
    }

    show(marks: boolean, forces: boolean, impacts: boolean): void {
        this.marks.points.visible = marks;
        this.arrows.mesh.visible = forces;
        this.flashes.points.visible = impacts;
    }
}
