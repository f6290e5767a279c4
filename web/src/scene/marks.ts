// Marks of constant size on the screen: contact points by state, flashes of impacts.
//
// The state is told by form as well as by colour: open a ring, slip a diamond, stick a disc.
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from 'three';

export const RING = 0;
export const DIAMOND = 1;
export const DISC = 2;
export const FLASH = 3;

const VERTEX = `
attribute float size;
attribute float form;
attribute vec4 tint;
uniform float ratio;
varying float vForm;
varying vec4 vTint;
varying float vSize;
void main() {
    vForm = form;
    vTint = tint;
    vSize = size * ratio;
    gl_PointSize = vSize;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
varying float vForm;
varying vec4 vTint;
varying float vSize;
void main() {
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    float soft = 3.0 / vSize;
    float r = length(p);
    float a;
    if (vForm < 0.5) {
        a = smoothstep(0.0, soft, 0.2 - abs(r - 0.72));
    } else if (vForm < 1.5) {
        a = smoothstep(0.0, soft, 0.94 - abs(p.x) - abs(p.y));
    } else if (vForm < 2.5) {
        a = smoothstep(0.0, soft, 0.9 - r);
    } else {
        a = 0.85 * smoothstep(0.0, soft, 3.0 / vSize * 1.2 - abs(r - 0.9)) + 0.22 * smoothstep(0.0, soft, 0.9 - r);
    }
    if (a <= 0.01) discard;
    gl_FragColor = vec4(vTint.rgb, vTint.a * a);
    #include <colorspace_fragment>
}`;

export class Marks {
    readonly points: Points;
    private geometry = new BufferGeometry();
    private material: ShaderMaterial;
    private n = 0;
    private readonly color = new Color();

    constructor(
        private readonly most: number,
        order: number,
    ) {
        const attribute = (name: string, width: number): void => {
            this.geometry.setAttribute(
                name,
                new BufferAttribute(new Float32Array(most * width), width),
            );
        };
        attribute('position', 3);
        attribute('size', 1);
        attribute('form', 1);
        attribute('tint', 4);
        this.material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: { ratio: { value: 1 } },
            transparent: true,
            depthTest: false,
            depthWrite: false,
        });
        this.points = new Points(this.geometry, this.material);
        this.points.frustumCulled = false;
        this.points.renderOrder = order;
    }

    begin(ratio: number): void {
        this.n = 0;
        this.material.uniforms.ratio!.value = ratio;
    }

    /** One mark: place in the world, form, size in pixels. */
    add(place: ArrayLike<number>, form: number, size: number, color: string, alpha: number): void {
        if (this.n >= this.most) return;
        const {
            position,
            size: sizes,
            form: forms,
            tint,
        } = this.geometry.attributes as Record<string, BufferAttribute>;
        this.color.set(color);
        position!.setXYZ(this.n, place[0]!, place[1]!, place[2]!);
        sizes!.setX(this.n, size);
        forms!.setX(this.n, form);
        tint!.setXYZW(this.n, this.color.r, this.color.g, this.color.b, alpha);
        this.n++;
    }

    end(): void {
        this.geometry.setDrawRange(0, this.n);
        for (const name of ['position', 'size', 'form', 'tint']) {
            (this.geometry.attributes[name] as BufferAttribute).needsUpdate = true;
        }
    }
}
