// The animation: one canvas, drawn when something changed.
import * as THREE from 'three';
import { poseAt, placeAt } from '../logic/timeline';
import { el, replace } from '../dom';
import type { Store } from '../store';
import { BodiesView, type SceneSize } from './bodies';
import { Viewer, type ViewName } from './camera';
import { ContactsView, type ViewPoint } from './contacts';
import { bodyMiddle, sceneBounds, transform } from './shapes';
import { SpringsView } from './springs';
import { TrailsView } from './trails';

const RATIO_MAX = 2; // device pixels per pixel that are worth drawing

interface Content {
    group: THREE.Group;
    bodies: { view: BodiesView; run: number }[];
    springs: SpringsView;
    trails: TrailsView;
    contacts: ContactsView;
}

export class Stage {
    readonly canvas = el('canvas', { class: 'stage-canvas', attrs: { tabindex: -1, role: 'img' } });
    private readonly names = el('div', { class: 'stage-names', attrs: { 'aria-hidden': 'true' } });
    private readonly renderer: THREE.WebGLRenderer;
    private readonly scene = new THREE.Scene();
    private viewer!: Viewer;
    private content!: Content;
    private waiting = false;
    private frames = 0;
    private followed: THREE.Vector3 | null = null; // where the body that is followed was
    private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
    /** told after every drawing, for scales and labels that depend on the view */
    onDrawn: () => void = () => undefined;

    constructor(
        readonly host: HTMLElement,
        private readonly store: Store,
    ) {
        host.append(this.canvas, this.names);
        this.renderer = new THREE.WebGLRenderer({
            canvas: this.canvas,
            // lines, arrows and marks have soft edges of their own; only solids need more samples
            antialias: store.runs.some((run) => !run.planar),
            alpha: true,
        });
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, RATIO_MAX));
        this.scene.add(new THREE.HemisphereLight('#ffffff', '#8a8f94', 2.1));
        const sun = new THREE.DirectionalLight('#ffffff', 1.5);
        sun.position.set(2, -3, 5);
        this.scene.add(sun);
        this.build();
        new ResizeObserver(() => this.resize()).observe(host);
        store.t.on(() => this.invalidate());
        store.layers.on(() => this.invalidate());
        store.follow.on(() => {
            this.followed = null;
            this.invalidate();
        });
        store.forceScale.on(() => this.invalidate());
        store.deformation.on(() => this.invalidate());
        store.trails.on((chosen) => {
            this.content.trails.choose(chosen, store.theme.value);
            this.invalidate();
        });
        store.theme.on(() => this.paint());
        store.active.on(() => this.build());
    }

    /** Make the objects of the active run, and ghosts of the others. */
    private build(): void {
        const { store } = this;
        if (this.content) this.scene.remove(this.content.group);
        this.viewer?.dispose();
        this.followed = null;
        const run = store.run;
        const bounds = sceneBounds(run);
        const size = Math.max(...bounds.high.map((h, k) => h - bounds.low[k]!), 1e-9);
        const center = bounds.high.map((h, k) => (h + bounds.low[k]!) / 2) as [
            number,
            number,
            number,
        ];
        const planes = run.bodies
            .flatMap((b) => b.shapes)
            .filter(({ kind }) => kind === 'plane' || kind === 'line').length;
        const scene: SceneSize = { size, center, planes };
        const bodies = store.runs
            .map((r, k) => ({ r, k }))
            .filter(({ r, k }) => k === store.active.value || r.planar === run.planar)
            .map(({ r, k }) => ({
                view: new BodiesView(
                    r,
                    scene,
                    k === store.active.value ? 0 : k || store.runs.length,
                ),
                run: k,
            }));
        const group = new THREE.Group();
        this.content = {
            group,
            bodies,
            springs: new SpringsView(run, run.planar),
            trails: new TrailsView(run, run.planar),
            contacts: new ContactsView(run),
        };
        bodies.forEach(({ view }) => group.add(view.group));
        group.add(
            this.content.springs.group,
            this.content.trails.group,
            this.content.contacts.group,
        );
        this.scene.add(group);
        this.viewer = new Viewer(run.planar, bounds, this.canvas, () => this.invalidate());
        this.content.trails.choose(store.trails.value, store.theme.value);
        replace(this.names, ...run.bodies.map((b) => el('span', { text: b.name })));
        this.canvas.setAttribute(
            'aria-label',
            `Animation of ${run.name}: ${run.bodies.map((b) => b.name).join(', ')}`,
        );
        this.resize();
        this.viewer.fit();
        this.paint();
    }

    private resize(): void {
        const { clientWidth: w, clientHeight: h } = this.host;
        if (w === 0 || h === 0) return;
        this.renderer.setSize(w, h, false);
        this.viewer.resize(w, h);
        this.invalidate();
    }

    private paint(): void {
        const theme = this.store.theme.value;
        const { bodies, springs, trails } = this.content;
        bodies.forEach(({ view }) => view.paint(theme));
        springs.paint(theme);
        trails.paint(theme);
        this.invalidate();
    }

    /** Draw with the next frame of the screen. */
    invalidate(): void {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.draw();
        });
    }

    fit(): void {
        this.viewer.fit();
        this.invalidate();
    }

    look(name: ViewName): void {
        this.viewer.look(name);
        this.invalidate();
    }

    zoom(factor: number): void {
        this.viewer.zoom(factor);
        this.invalidate();
    }

    /** What is seen now, as a picture on the colour of the page. */
    picture(): Promise<Blob | null> {
        this.draw();
        const copy = el('canvas', {
            attrs: { width: this.canvas.width, height: this.canvas.height },
        });
        const context = copy.getContext('2d')!;
        context.fillStyle = this.store.theme.value.well;
        context.fillRect(0, 0, copy.width, copy.height);
        context.drawImage(this.canvas, 0, 0);
        return new Promise((done) => copy.toBlob(done, 'image/png'));
    }

    /** Length of a pixel in the middle of the stage, m. */
    pixel(): number {
        return this.viewer.pixel(this.viewer.controls.target);
    }

    /** Newton per pixel of an arrow, 0 if nothing is to scale. */
    newtonPerPixel(): number {
        const scale = this.content.contacts.scale(this.store.forceScale.value);
        return scale > 0 ? 1 / scale : 0;
    }

    private draw(): void {
        const { store, content } = this;
        const { value: layers } = store.layers;
        const { value: theme } = store.theme;
        const t = store.t.value;
        const run = store.run;
        const at = placeAt(run.time, t);
        this.follow();
        const view: ViewPoint = {
            ratio: this.renderer.getPixelRatio(),
            direction: this.viewer.direction(),
            pixel: (p) => this.viewer.pixel(p),
            small: Math.min(1, Math.min(this.host.clientWidth, this.host.clientHeight * 1.5) / 640),
        };

        for (const { view: bodies, run: k } of content.bodies) {
            const ghost = k !== store.active.value;
            const theirs = store.runs[k]!.time;
            bodies.group.visible = theirs.length > 0 && (!ghost || layers.ghosts);
            if (bodies.group.visible)
                bodies.update(ghost ? placeAt(theirs, t) : at, store.deformation.value);
            bodies.face(this.viewer.camera.position);
        }
        content.springs.group.visible = layers.springs;
        content.trails.group.visible = layers.trails;
        content.contacts.show(layers.contacts, layers.forces, layers.impacts);
        if (run.time.length > 0) {
            if (layers.springs) content.springs.update(at, view.pixel, view.direction);
            if (layers.trails) content.trails.update(t);
            if (layers.contacts) content.contacts.updateMarks(at, view, theme);
            if (layers.forces)
                content.contacts.updateForces(at, view, theme, store.forceScale.value);
            if (layers.impacts)
                content.contacts.updateFlashes(
                    t,
                    store.speed.value,
                    this.still.matches,
                    view,
                    theme,
                );
        }
        this.renderer.render(this.scene, this.viewer.camera);
        this.placeNames(layers.names && run.time.length > 0);
        this.frames++;
        this.host.dataset.frames = String(this.frames);
        this.onDrawn();
    }

    /** Keep the body that is followed where it is on the stage. */
    private follow(): void {
        const body = this.store.run.bodies[this.store.follow.value];
        const pose = new Float64Array(7);
        if (!body || !poseAt(body, placeAt(this.store.run.time, this.store.t.value), pose)) return;
        const now = new THREE.Vector3(...transform(pose, bodyMiddle(body)));
        if (this.followed) this.viewer.shift(now.clone().sub(this.followed));
        this.followed = now;
    }

    /** Names beside the bodies. */
    private placeNames(shown: boolean): void {
        this.names.hidden = !shown;
        if (!shown) return;
        const run = this.store.run;
        const at = placeAt(run.time, this.store.t.value);
        const pose = new Float64Array(7);
        const p = new THREE.Vector3();
        run.bodies.forEach((body, k) => {
            const label = this.names.children[k] as HTMLElement;
            const known = k > 0 && poseAt(body, at, pose);
            label.hidden = !known;
            if (!known) return;
            p.set(...transform(pose, bodyMiddle(body))).project(this.viewer.camera);
            const x = ((p.x + 1) / 2) * this.host.clientWidth;
            const y = ((1 - p.y) / 2) * this.host.clientHeight;
            label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        });
    }
}
