// Bodies of a run as objects of the scene.
import * as THREE from 'three';
import type { Theme } from '../logic/theme';
import { bendAt, bent, cut } from '../logic/flex';
import { poseAt, type Place } from '../logic/timeline';
import type { Body, Flex, Run, Shape } from '../logic/types';
import { drawShape, type Drawing, type Vec2 } from './shapes';
import { segmentsOf, Strokes } from './strokes';

export interface SceneSize {
    size: number;
    center: [number, number, number];
    planes: number; // how many of them are drawn
}

interface Paint {
    color: THREE.Color;
    role: 'fill' | 'line' | 'thin' | 'ground';
    own?: string | undefined; // a colour of the model, whatever the theme
}

type Displace = (p: ArrayLike<number>) => [number, number, number];

/** One body: a group that follows its pose. */
class BodyView {
    readonly group = new THREE.Group();
    private readonly benders: ((to: Displace) => void)[] = []; // what to do when it deforms
    private readonly flex: Flex | null;
    readonly paints: Paint[] = [];
    readonly planes: THREE.Mesh[] = [];

    constructor(
        readonly body: Body,
        readonly index: number,
        planar: boolean,
        scene: SceneSize,
        readonly ghost: number,
    ) {
        const order = 10 * index + (ghost ? 1 : 0);
        this.flex = body.flex ?? null;
        if (planar) this.addPlanar(scene, order);
        else this.addSpatial(scene, order);
        if (body.shapes.length === 0 && index > 0) this.addMark(planar, scene, order);
    }

    /** Shapes of one colour are drawn together, later ones over those before. */
    private addPlanar(scene: SceneSize, order: number): void {
        const layers = runsOf(this.body.shapes);
        layers.forEach((shapes, k) => this.addLayer(shapes, scene, order + (9 * k) / layers.length));
    }

    private addLayer(shapes: Shape[], scene: SceneSize, order: number): void {
        const own = shapes[0]?.color;
        const above = own ? 0.01 : 1; // of lines over areas
        const drawings = shapes.map((s) =>
            drawShape(s, scene.size, [scene.center[0], scene.center[1]]),
        );
        const all = (pick: (d: Drawing) => Vec2[][]): Vec2[][] => drawings.flatMap(pick);
        const areas = all((d) => d.areas);
        if (areas.length > 0) this.group.add(this.area(areas, order, own));
        this.addStrokes(
            all((d) => d.lines),
            this.ghost ? 1.2 : own ? 1 : 1.6,
            'line',
            order + 2 * above,
        );
        this.addStrokes(
            own ? [] : all((d) => d.thin),
            1,
            'thin',
            order + above,
        );
    }

    private area(rings: Vec2[][], order: number, own?: string): THREE.Mesh {
        const { flex } = this;
        const shapesOf = (all: ArrayLike<number>[][]): THREE.ShapeGeometry =>
            new THREE.ShapeGeometry(
                all.map(
                    (ring) => new THREE.Shape(ring.map((p) => new THREE.Vector2(p[0], p[1]))),
                ),
            );
        const material = new THREE.MeshBasicMaterial({
            transparent: true,
            opacity: this.ghost ? 0 : 1,
            depthTest: false,
            side: THREE.DoubleSide,
        });
        const mesh = new THREE.Mesh(shapesOf(rings), material);
        mesh.renderOrder = order;
        mesh.visible = !this.ghost;
        if (flex && !this.ghost) {
            const fine = rings.map((ring) => cut(flex, [...ring, ring[0]!]).slice(0, -1));
            this.benders.push((to) => {
                mesh.geometry.dispose();
                mesh.geometry = shapesOf(fine.map((ring) => ring.map(to)));
            });
        }
        this.paints.push({ color: material.color, role: 'fill', own });
        return mesh;
    }

    private addStrokes(lines: Vec2[][], width: number, role: Paint['role'], order: number): void {
        if (lines.length === 0 || (this.ghost && role === 'thin')) return;
        const alpha = this.ghost ? 0.8 : role === 'thin' ? 0.6 : 1;
        const object = this.strokes(lines, width, true, order, alpha);
        this.paints.push({ color: object.color, role });
        this.group.add(object.mesh);
    }

    /** Lines that bend with the body. */
    private strokes(
        lines: ArrayLike<number>[][],
        width: number,
        flat: boolean,
        order: number,
        alpha: number,
    ): Strokes {
        const { flex } = this;
        const fine = flex ? lines.map((line) => cut(flex, line)) : lines;
        const object = new Strokes(segmentsOf(fine), width, flat, order, alpha);
        if (flex) this.benders.push((to) => object.move(segmentsOf(fine.map((l) => l.map(to)))));
        return object;
    }

    /** Vertices that bend with the body, from places of a mesh's own frame. */
    private bendGeometry(mesh: THREE.Object3D, geometry: THREE.BufferGeometry): void {
        mesh.updateMatrix();
        const back = mesh.matrix.clone().invert();
        const position = geometry.attributes.position as THREE.BufferAttribute;
        const p = new THREE.Vector3();
        const rest = Array.from({ length: position.count }, (_, k) =>
            p.fromBufferAttribute(position, k).applyMatrix4(mesh.matrix).toArray(),
        );
        this.benders.push((to) => {
            rest.forEach((q, k) => {
                p.set(...to(q)).applyMatrix4(back);
                position.setXYZ(k, p.x, p.y, p.z);
            });
            position.needsUpdate = true;
            if (geometry.attributes.normal) geometry.computeVertexNormals();
            geometry.computeBoundingSphere();
        });
    }

    /** Bend it as it is at a place in time. */
    deform(at: Place, factor: number): void {
        const { flex } = this;
        const bend = flex && bendAt(this.body, at, factor);
        if (flex && bend) this.benders.forEach((take) => take((p) => bent(flex, bend, p)));
    }

    /** A body without a shape still has a place. */
    private addMark(planar: boolean, scene: SceneSize, order: number): void {
        const r = scene.size * 0.008;
        const material = new THREE.MeshBasicMaterial({ transparent: true, depthTest: !planar });
        const mesh = new THREE.Mesh(
            planar ? new THREE.CircleGeometry(r, 24) : new THREE.SphereGeometry(r, 16, 12),
            material,
        );
        mesh.renderOrder = order + 2;
        this.paints.push({ color: material.color, role: 'line' });
        this.group.add(mesh);
    }

    /** Solids, and all lines without a thickness as one object. */
    private addSpatial(scene: SceneSize, order: number): void {
        const isWire = (s: Shape): boolean => s.kind === 'segment' && !s.radius;
        const wires = this.body.shapes.filter(isWire).map((s) => s.points ?? []);
        this.body.shapes.filter((s) => !isWire(s)).forEach((s) => this.addSolid(s, scene));
        if (wires.length === 0) return;
        const lines = this.strokes(wires, 1.6, false, order, this.ghost ? 0.6 : 1);
        this.paints.push({ color: lines.color, role: 'line' });
        this.group.add(lines.mesh);
    }

    private addSolid(shape: Shape, scene: SceneSize): void {
        const geometry = solid(shape, scene, this.flex ? this.flex.x.length - 1 : 1);
        if (!geometry) return;
        const ground = shape.kind === 'plane' || shape.kind === 'line';
        const material = ground
            ? new THREE.MeshBasicMaterial({
                  transparent: true,
                  opacity: 0.16,
                  side: THREE.DoubleSide,
                  depthWrite: false,
              })
            : new THREE.MeshLambertMaterial({
                  transparent: this.ghost > 0,
                  opacity: this.ghost ? 0.25 : 1,
                  depthWrite: !this.ghost,
                  polygonOffset: true,
                  polygonOffsetFactor: 1,
                  polygonOffsetUnits: 1,
              });
        const mesh = new THREE.Mesh(geometry, material);
        this.paints.push({
            color: material.color,
            role: ground ? 'ground' : 'fill',
            own: shape.color,
        });
        const edges = new THREE.LineBasicMaterial({
            transparent: true,
            opacity: ground ? 0.5 : 0.85,
        });
        const lines = ground ? grid(scene) : new THREE.EdgesGeometry(geometry, 30);
        mesh.add(new THREE.LineSegments(lines, edges));
        this.paints.push({ color: edges.color, role: ground ? 'ground' : 'line' });
        place(mesh, shape, scene);
        if (this.flex) [geometry, lines].forEach((g) => this.bendGeometry(mesh, g));
        if (ground) this.planes.push(mesh);
        this.group.add(mesh);
    }

    /** Walls between the eye and what they enclose are left out. */
    face(eye: THREE.Vector3): void {
        for (const plane of this.planes) {
            plane.updateWorldMatrix(true, false);
            const front = new THREE.Vector3(0, 0, 1).transformDirection(plane.matrixWorld);
            const away = new THREE.Vector3().setFromMatrixPosition(plane.matrixWorld).sub(eye);
            plane.visible = away.dot(front) < 0;
        }
    }

    /** Colours of the theme. */
    paint(theme: Theme): void {
        const fill =
            theme.bodyFill[(this.index + theme.bodyFill.length - 1) % theme.bodyFill.length]!;
        const own = theme.series[this.ghost % theme.series.length]!;
        for (const { color, role, own: given } of this.paints) {
            if (given && !this.ghost) {
                color.set(given);
                continue;
            }
            const line = this.index === 0 ? theme.ground : theme.bodyLine;
            color.set(
                role === 'fill'
                    ? this.ghost
                        ? own
                        : fill
                    : role === 'ground'
                      ? theme.ground
                      : this.ghost
                        ? own
                        : line,
            );
        }
    }
}

/** Neighbours of one colour together. */
function runsOf(shapes: Shape[]): Shape[][] {
    const runs: Shape[][] = [];
    for (const shape of shapes) {
        const last = runs[runs.length - 1];
        if (last && last[0]!.color === shape.color) last.push(shape);
        else runs.push([shape]);
    }
    return runs;
}

/** Geometry of a solid in its own frame, cut along it into parts; cylinders, capsules: along z. */
function solid(shape: Shape, scene: SceneSize, parts: number): THREE.BufferGeometry | null {
    const r = shape.radius ?? 0;
    const [w = 0, h = 0, d = 0] = shape.size ?? [];
    const quarter = Math.PI / 2;
    switch (shape.kind) {
        case 'point':
            return new THREE.SphereGeometry(scene.size * 0.006, 12, 8).translate(
                ...firstPoint(shape),
            );
        case 'sphere':
        case 'circle':
            return new THREE.SphereGeometry(r, 32, 20).translate(...firstPoint(shape));
        case 'box':
            return new THREE.BoxGeometry(w, h, d, parts);
        case 'cylinder':
            return new THREE.CylinderGeometry(r, r, shape.length ?? 0, 40, parts).rotateX(quarter);
        case 'cone':
            return new THREE.ConeGeometry(r, shape.length ?? 0, 40)
                .rotateX(quarter)
                .translate(0, 0, (shape.length ?? 0) / 2);
        case 'capsule':
            if (shape.points) return segmentBar(shape, r, parts);
            return new THREE.CapsuleGeometry(r, shape.length ?? 0, 10, 28, parts).rotateX(quarter);
        case 'segment':
            return segmentBar(shape, r > 0 ? r : scene.size * 0.008, parts);
        case 'polygon':
            return polygonPlate(shape);
        case 'plane':
        case 'line':
            return new THREE.PlaneGeometry(2 * halfPlane(scene), 2 * halfPlane(scene));
        default:
            return null;
    }
}

/** Where a shape with one point is, in the frame of its body. */
function firstPoint(shape: Shape): [number, number, number] {
    const [x = 0, y = 0, z = 0] = shape.points?.[0] ?? [];
    return [x, y, z];
}

function segmentBar(shape: Shape, r: number, parts: number): THREE.BufferGeometry | null {
    const [a, b] = shape.points ?? [];
    if (!a || !b) return null;
    const from = new THREE.Vector3(a[0], a[1], a[2] ?? 0);
    const to = new THREE.Vector3(b[0], b[1], b[2] ?? 0);
    const along = to.clone().sub(from);
    const geometry = new THREE.CylinderGeometry(r, r, along.length(), 16, parts);
    const turn = new THREE.Quaternion().setFromUnitVectors(
        new THREE.Vector3(0, 1, 0),
        along.clone().normalize(),
    );
    return geometry.applyQuaternion(turn).translate(...from.add(to).multiplyScalar(0.5).toArray());
}

/** A flat plate, or the corners as they stand when they do not lie in the plane z = 0. */
function polygonPlate(shape: Shape): THREE.BufferGeometry | null {
    const points = shape.points ?? [];
    if (points.length < 3) return null;
    return new THREE.ShapeGeometry(
        new THREE.Shape(points.map((p) => new THREE.Vector2(p[0], p[1]))),
    );
}

/** Half of what is drawn of a plane: a floor goes on, walls end. */
const halfPlane = (scene: SceneSize): number => scene.size * (scene.planes > 1 ? 0.55 : 1.2);

/** Grid lines of a floor. */
function grid(scene: SceneSize): THREE.BufferGeometry {
    const half = halfPlane(scene);
    const lines: number[][][] = [];
    for (let k = -8; k <= 8; k++) {
        const x = (half * k) / 8;
        lines.push(
            [
                [x, -half, 0],
                [x, half, 0],
            ],
            [
                [-half, x, 0],
                [half, x, 0],
            ],
        );
    }
    return new THREE.BufferGeometry().setAttribute(
        'position',
        new THREE.Float32BufferAttribute(segmentsOf(lines), 3),
    );
}

function place(mesh: THREE.Object3D, shape: Shape, scene: SceneSize): void {
    const endless = shape.kind === 'plane' || shape.kind === 'line';
    const [x = 0, y = 0, z = 0] = shape.at ?? (endless ? firstPoint(shape) : []);
    mesh.position.set(x, y, z);
    if (shape.turn?.length === 4) {
        const [w, a, b, c] = shape.turn as [number, number, number, number];
        mesh.quaternion.set(a, b, c, w);
    }
    if (endless) {
        const n = new THREE.Vector3(
            shape.normal?.[0] ?? 0,
            shape.normal?.[1] ?? 0,
            shape.normal?.[2] ?? 1,
        ).normalize();
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
        // the part of the plane that lies under the scene
        const middle = new THREE.Vector3(...scene.center);
        mesh.position.add(middle.sub(mesh.position).projectOnPlane(n));
    }
}

/** All bodies of a run. */
export class BodiesView {
    readonly group = new THREE.Group();
    private views: BodyView[];
    private readonly pose = new Float64Array(7);
    private readonly walls: boolean;

    /** ghost 0: the run itself; k > 0: run k, drawn over it in its own colour */
    constructor(run: Run, scene: SceneSize, ghost: number) {
        const drawn = run.bodies.map((body, k) => ({ body, k })).filter(({ k }) => !ghost || k > 0);
        this.views = drawn.map(({ body, k }) => new BodyView(body, k, run.planar, scene, ghost));
        this.views.forEach((v) => this.group.add(v.group));
        this.walls = !run.planar && scene.planes > 1;
    }

    /** Leave out the walls that would hide the rest. */
    face(eye: THREE.Vector3): void {
        if (this.walls) this.views.forEach((v) => v.face(eye));
    }

    /** Move every body to where it is, elastic ones bent; those without a pose there vanish. */
    update(at: Place, factor: number): void {
        for (const view of this.views) {
            const { body, group, index } = view;
            const known = poseAt(body, at, this.pose) || (index === 0 && body.pose === null);
            group.visible = known;
            if (!known) continue;
            const [x, y, z, qw, qx, qy, qz] = this.pose as unknown as [
                number,
                number,
                number,
                number,
                number,
                number,
                number,
            ];
            group.position.set(x, y, z);
            group.quaternion.set(qx, qy, qz, qw);
            view.deform(at, factor);
        }
    }

    paint(theme: Theme): void {
        this.views.forEach((v) => v.paint(theme));
    }
}
