// Flat arrows that face the viewer, with soft edges: forces to scale.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    Mesh,
    ShaderMaterial,
    Vector3,
} from 'three';

const CORNERS = 4;
const TRIANGLES = [0, 1, 2, 2, 1, 3];
const SHAFT = 2.2; // pixels
const HEAD = 9;
const SLOPE = 0.42; // half the width of a head over its length
const EDGE = 1; // pixels around an arrow for its soft edge

const VERTEX = `
attribute vec3 place;
varying vec3 vPlace;
void main() {
    vPlace = place;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// place: pixels along the arrow, across it, and its length; how far inside the shaft or the head
const FRAGMENT = `
uniform vec3 tint;
uniform float ratio;
varying vec3 vPlace;
void main() {
    float head = min(${HEAD.toFixed(1)}, 0.7 * vPlace.z);
    float back = vPlace.z - head;
    float y = abs(vPlace.y);
    float shaft = min(${(SHAFT / 2).toFixed(2)} - y, min(vPlace.x, back + 1.0 - vPlace.x));
    float side = ((vPlace.z - vPlace.x) * ${SLOPE} - y) * ${(1 / Math.hypot(1, SLOPE)).toFixed(4)};
    float inside = max(shaft, min(side, vPlace.x - back));
    float a = clamp(inside * ratio + 0.5, 0.0, 1.0);
    if (a <= 0.01) discard;
    gl_FragColor = vec4(tint, a);
    #include <colorspace_fragment>
}`;

export class Arrows {
    readonly mesh: Mesh;
    private readonly geometry = new BufferGeometry();
    private readonly color = new Color();
    private readonly material = new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { tint: { value: this.color }, ratio: { value: 1 } },
        side: DoubleSide,
        transparent: true,
        depthTest: false,
        depthWrite: false,
    });
    private n = 0;
    private readonly along = new Vector3();
    private readonly across = new Vector3();
    private readonly point = new Vector3();

    constructor(
        private readonly most: number,
        order: number,
    ) {
        for (const name of ['position', 'place'])
            this.geometry.setAttribute(
                name,
                new BufferAttribute(new Float32Array(most * CORNERS * 3), 3),
            );
        const index: number[] = [];
        for (let k = 0; k < most; k++) index.push(...TRIANGLES.map((i) => i + k * CORNERS));
        this.geometry.setIndex(index);
        this.mesh = new Mesh(this.geometry, this.material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = order;
    }

    /** ratio: device pixels per pixel */
    begin(color: string, ratio: number): void {
        this.n = 0;
        this.color.set(color);
        this.material.uniforms.ratio!.value = ratio;
    }

    /** An arrow from a place along a direction (length 1), so many pixels long. */
    add(
        from: ArrayLike<number>,
        direction: ArrayLike<number>,
        pixels: number,
        pixel: number,
        view: Vector3,
    ): void {
        if (this.n >= this.most || pixels < 1) return;
        this.along.set(direction[0]!, direction[1]!, direction[2]!);
        this.across.crossVectors(this.along, view);
        if (this.across.lengthSq() < 1e-12) return;
        this.across.normalize();
        const half = HEAD * SLOPE + EDGE;
        const { position, place } = this.geometry.attributes as Record<string, BufferAttribute>;
        for (let k = 0; k < CORNERS; k++) {
            const a = k < 2 ? -EDGE : pixels + EDGE;
            const b = k % 2 === 0 ? -half : half;
            this.point
                .set(from[0]!, from[1]!, from[2]!)
                .addScaledVector(this.along, a * pixel)
                .addScaledVector(this.across, b * pixel);
            position!.setXYZ(this.n * CORNERS + k, this.point.x, this.point.y, this.point.z);
            place!.setXYZ(this.n * CORNERS + k, a, b, pixels);
        }
        this.n++;
    }

    end(): void {
        this.geometry.setDrawRange(0, this.n * TRIANGLES.length);
        for (const name of ['position', 'place'])
            (this.geometry.attributes[name] as BufferAttribute).needsUpdate = true;
    }
}
