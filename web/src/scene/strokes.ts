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
attribute vec2 corner;
uniform vec2 resolution;
uniform float halfWidth;
uniform float soft;
uniform float cap;
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
    float over = min(cap, 0.25 * sqrt(length2)); // never more than half the segment
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
    const corner = new Float32Array(n * CORNERS * 2);
    const index = new Uint32Array(n * QUAD.length);
    for (let k = 0; k < n; k++) {
        // x: 1 at the start, -1 at the end, so that 'along' always points to the end
        corner.set([1, 1, 1, -1, -1, 1, -1, -1], k * CORNERS * 2);
        index.set(
            QUAD.map((i) => k * CORNERS + i),
            k * QUAD.length,
        );
    }
    const geometry = new BufferGeometry();
    const room = (): BufferAttribute => new BufferAttribute(new Float32Array(n * CORNERS * 3), 3);
    geometry.setAttribute('position', room());
    geometry.setAttribute('other', room());
    geometry.setAttribute('corner', new BufferAttribute(corner, 2));
    geometry.setIndex(new BufferAttribute(index, 1));
    fill(geometry, segments);
    return geometry;
}

/** Put the ends of segments into their quads. */
function fill(geometry: BufferGeometry, segments: ArrayLike<number>): void {
    const position = geometry.attributes.position as BufferAttribute;
    const other = geometry.attributes.other as BufferAttribute;
    const [p, o] = [position.array as Float32Array, other.array as Float32Array];
    for (let k = 0; k < segments.length / 6; k++) {
        for (let c = 0; c < CORNERS; c++) {
            const [mine, theirs] = c < 2 ? [6 * k, 6 * k + 3] : [6 * k + 3, 6 * k];
            for (let x = 0; x < 3; x++) {
                p[3 * (k * CORNERS + c) + x] = segments[mine + x]!;
                o[3 * (k * CORNERS + c) + x] = segments[theirs + x]!;
            }
        }
    }
    position.needsUpdate = true;
    other.needsUpdate = true;
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
                cap: { value: alpha < 1 ? 0 : width / 2 }, // what shines through must not overlap
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
        for (const name of ['position', 'other'])
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
