// Flat arrows that face the viewer: forces to scale.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    Mesh,
    MeshBasicMaterial,
    Vector3,
} from 'three';

const CORNERS = 7; // shaft 4, head 3
const TRIANGLES = [0, 1, 2, 0, 2, 3, 4, 5, 6];
const SHAFT = 2.2; // pixels
const HEAD = 9;

export class Arrows {
    readonly mesh: Mesh;
    private geometry = new BufferGeometry();
    private material = new MeshBasicMaterial({
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
        this.geometry.setAttribute(
            'position',
            new BufferAttribute(new Float32Array(most * CORNERS * 3), 3),
        );
        const index: number[] = [];
        for (let k = 0; k < most; k++) index.push(...TRIANGLES.map((i) => i + k * CORNERS));
        this.geometry.setIndex(index);
        this.mesh = new Mesh(this.geometry, this.material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = order;
    }

    begin(color: string): void {
        this.n = 0;
        this.material.color = new Color(color);
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
        const head = Math.min(HEAD, pixels * 0.7);
        const corners: [number, number][] = [
            [0, -SHAFT / 2],
            [pixels - head, -SHAFT / 2],
            [pixels - head, SHAFT / 2],
            [0, SHAFT / 2],
            [pixels - head, -head * 0.42],
            [pixels, 0],
            [pixels - head, head * 0.42],
        ];
        const position = this.geometry.attributes.position as BufferAttribute;
        corners.forEach(([a, b], k) => {
            this.point
                .set(from[0]!, from[1]!, from[2]!)
                .addScaledVector(this.along, a * pixel)
                .addScaledVector(this.across, b * pixel);
            position.setXYZ(this.n * CORNERS + k, this.point.x, this.point.y, this.point.z);
        });
        this.n++;
    }

    end(): void {
        this.geometry.setDrawRange(0, this.n * TRIANGLES.length);
        (this.geometry.attributes.position as BufferAttribute).needsUpdate = true;
    }
}
