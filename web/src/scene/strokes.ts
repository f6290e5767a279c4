// Lines with a width in pixels, many in one object.
//
// Each segment is a quad of its own that the vertex shader widens on the screen, with soft edges; no
// instances, which software renderers draw one by one.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Mesh,
    ShaderMaterial,
    Vector2,
    Vector4,
    type WebGLRenderer,
} from 'three';

const VERTEX = `
attribute vec3 other;
attribute vec3 corner;
uniform vec2 resolution;
uniform float halfWidth;
uniform float soft;
varying float vAcross;
// The part of a segment in front of the camera.
vec4 before(vec4 p, vec4 q) {
    float near = (projectionMatrix[3][2] - 1e-4 * abs(projectionMatrix[3][2])) / (projectionMatrix[2][2] - 1.0);
    return p.z > -near && q.z < -near ? mix(p, q, (p.z + near) / (p.z - q.z)) : p;
}
void main() {
    vec4 here = modelViewMatrix * vec4(position, 1.0);
    vec4 there = modelViewMatrix * vec4(other, 1.0);
    if (projectionMatrix[2][3] < 0.0) {
        vec4 kept = before(here, there);
        there = before(there, here);
        here = kept;
    }
    vec4 a = projectionMatrix * here;
    vec4 b = projectionMatrix * there;
    vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
    float length2 = dot(along, along);
    along = length2 > 0.0 ? along * inversesqrt(length2) : vec2(1.0, 0.0);
    along *= corner.x;
    vAcross = corner.y * (halfWidth + soft);
    float over = min(corner.z * halfWidth, 0.25 * sqrt(length2)); // at most half the segment
    vec2 aside = vAcross * vec2(-along.y, along.x) - corner.x * along * over;
    a.xy += aside * 2.0 / resolution * a.w;
    gl_Position = a;
}`;

const FRAGMENT = `
uniform vec3 tint;
uniform float opacity;
uniform float halfWidth;
uniform float soft;
varying float vAcross;
void main() {
    float a = clamp((halfWidth + soft - abs(vAcross)) / (2.0 * soft), 0.0, 1.0);
    gl_FragColor = vec4(tint, opacity * a);
    #include <colorspace_fragment>
}`;

const CORNERS = 4; // of a quad
const QUAD = [0, 1, 2, 2, 1, 3];
const SOFT = 0.5; // device pixels on either side of an edge

/** Segments as quads: each end with both sides, and the other end. */
function quads(segments: ArrayLike<number>): BufferGeometry {
    const n = segments.length / 6;
    const corner = new Float32Array(n * CORNERS * 3);
    const index = new Uint32Array(n * QUAD.length);
    for (let k = 0; k < n; k++) {
        // x: 1 at the start, -1 at the end, so that 'along' always points to the end
        corner.set([1, 1, 0, 1, -1, 0, -1, 1, 0, -1, -1, 0], k * CORNERS * 3);
        index.set(
            QUAD.map((i) => k * CORNERS + i),
            k * QUAD.length,
        );
    }
    const geometry = new BufferGeometry();
    const room = (): BufferAttribute => new BufferAttribute(new Float32Array(n * CORNERS * 3), 3);
    geometry.setAttribute('position', room());
    geometry.setAttribute('other', room());
    geometry.setAttribute('corner', new BufferAttribute(corner, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    fill(geometry, segments);
    return geometry;
}

/** How far a segment must reach beyond its end, in half widths, for the outer edges to meet there:
 * tan(turn/2), at most 1. */
function reach(s: ArrayLike<number>, k: number, next: number): number {
    let [aa, bb, ab] = [0, 0, 0];
    for (let x = 0; x < 3; x++) {
        const a = s[6 * k + 3 + x]! - s[6 * k + x]!;
        const b = s[6 * next + 3 + x]! - s[6 * next + x]!;
        aa += a * a;
        bb += b * b;
        ab += a * b;
    }
    const size = Math.sqrt(aa * bb);
    return size > 0 ? Math.min(Math.sqrt(Math.max(size - ab, 0) / Math.max(size + ab, 1e-9 * size)), 1) : 0;
}

/** The reach of each segment at its start and at its end; ends that meet nothing have none. */
export function reaches(s: ArrayLike<number>): Float32Array {
    const n = s.length / 6;
    const out = new Float32Array(2 * n);
    const meets = (k: number, next: number): boolean =>
        [0, 1, 2].every((x) => s[6 * k + 3 + x] === s[6 * next + x]);
    for (let k = 0, first = 0; k < n; k++) {
        const goesOn = k + 1 < n && meets(k, k + 1);
        const next = goesOn ? k + 1 : first; // or the line is closed
        if (goesOn || (first < k && meets(k, first))) {
            out[2 * k + 1] = out[2 * next] = reach(s, k, next);
        }
        if (!goesOn) first = k + 1;
    }
    return out;
}

/** Put the ends of segments into their quads. */
function fill(geometry: BufferGeometry, segments: ArrayLike<number>): void {
    const position = geometry.attributes.position as BufferAttribute;
    const other = geometry.attributes.other as BufferAttribute;
    const corner = geometry.attributes.corner as BufferAttribute;
    const [p, o] = [position.array as Float32Array, other.array as Float32Array];
    const over = reaches(segments);
    for (let k = 0; k < segments.length / 6; k++) {
        for (let c = 0; c < CORNERS; c++) {
            corner.setZ(k * CORNERS + c, over[2 * k + (c < 2 ? 0 : 1)]!);
            const [mine, theirs] = c < 2 ? [6 * k, 6 * k + 3] : [6 * k + 3, 6 * k];
            for (let x = 0; x < 3; x++) {
                p[3 * (k * CORNERS + c) + x] = segments[mine + x]!;
                o[3 * (k * CORNERS + c) + x] = segments[theirs + x]!;
            }
        }
    }
    position.needsUpdate = true;
    other.needsUpdate = true;
    corner.needsUpdate = true;
}

/** Many segments in one colour. */
export class Strokes {
    readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
    readonly color = new Color();
    private readonly viewport = new Vector4();

    /** flat: ignores depth, drawn in its order */
    constructor(segments: ArrayLike<number>, width: number, flat: boolean, order: number, alpha = 1) {
        const material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: {
                resolution: { value: new Vector2(1, 1) },
                halfWidth: { value: width / 2 },
                soft: { value: SOFT },
                tint: { value: this.color },
                opacity: { value: alpha },
            },
            transparent: true,
            depthTest: !flat,
            depthWrite: false,
        });
        this.mesh = new Mesh(quads(segments), material);
        this.mesh.renderOrder = order;
        this.mesh.frustumCulled = false;
        this.mesh.onBeforeRender = (renderer) => this.measure(renderer as WebGLRenderer);
    }

    /** Widths are in pixels of the page, edges in those of the device. */
    private measure(renderer: WebGLRenderer): void {
        renderer.getViewport(this.viewport);
        const { uniforms } = this.mesh.material;
        (uniforms.resolution!.value as Vector2).set(this.viewport.z, this.viewport.w);
        uniforms.soft!.value = SOFT / renderer.getPixelRatio();
        this.mesh.material.uniformsNeedUpdate = true;
    }

    /** Other places for the same number of segments. */
    move(segments: ArrayLike<number>): void {
        for (const name of ['position', 'other', 'corner'])
            (this.mesh.geometry.attributes[name] as BufferAttribute).setUsage(DynamicDrawUsage);
        fill(this.mesh.geometry, segments);
    }

    /** Draw the first n segments. */
    show(n: number): void {
        this.mesh.geometry.setDrawRange(0, n * QUAD.length);
    }
}

/** Polylines as segments, six numbers each. */
export function segmentsOf(polylines: ArrayLike<number>[][]): number[] {
    const segments: number[] = [];
    for (const line of polylines) {
        for (let k = 0; k + 1 < line.length; k++) {
            const [a, b] = [line[k]!, line[k + 1]!];
            segments.push(a[0]!, a[1]!, a[2] ?? 0, b[0]!, b[1]!, b[2] ?? 0);
        }
    }
    return segments;
}
