// Where one looks from: straight on for planar machines, around for those in space.
import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3, type Camera } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Bounds } from './shapes';

export type ViewName = 'front' | 'top' | 'side' | 'corner';

const DIRECTION: Record<ViewName, [number, number, number]> = {
    front: [0, -1, 0.0001],
    top: [0, -0.0001, 1],
    side: [1, 0, 0.0001],
    corner: [0.62, -0.72, 0.42],
};
const AIR = 1.16; // room around what is shown
const FIELD = 32; // degrees

export class Viewer {
    readonly camera: OrthographicCamera | PerspectiveCamera;
    readonly controls: OrbitControls;
    private width = 1;
    private height = 1;
    private readonly middle = new Vector3();
    private readonly half = new Vector3();

    constructor(
        private readonly planar: boolean,
        bounds: Bounds,
        element: HTMLElement,
        moved: () => void,
    ) {
        const low = new Vector3(...bounds.low);
        const high = new Vector3(...bounds.high);
        this.middle.addVectors(low, high).multiplyScalar(0.5);
        this.half.subVectors(high, low).multiplyScalar(0.5);
        const size = Math.max(this.half.length(), 1e-9);
        if (planar) {
            this.camera = new OrthographicCamera(-1, 1, 1, -1, 0, size * 400);
        } else {
            this.camera = new PerspectiveCamera(FIELD, 1, size / 500, size * 200);
            this.camera.up.set(0, 0, 1);
        }
        this.controls = new OrbitControls(
            this.camera as Camera & (OrthographicCamera | PerspectiveCamera),
            element,
        );
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        if (planar) {
            this.controls.enableRotate = false;
            this.controls.screenSpacePanning = true;
            this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
            this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
        }
        this.controls.addEventListener('change', moved);
        this.fit();
    }

    dispose(): void {
        this.controls.dispose();
    }

    /** Take the size of the stage. */
    resize(width: number, height: number): void {
        this.width = Math.max(width, 1);
        this.height = Math.max(height, 1);
        const camera = this.camera;
        if (camera instanceof PerspectiveCamera) {
            camera.aspect = this.width / this.height;
        } else {
            const aspect = this.width / this.height;
            const half = Math.max(this.half.y, this.half.x / aspect, 1e-9) * AIR;
            camera.top = half;
            camera.bottom = -half;
            camera.left = -half * aspect;
            camera.right = half * aspect;
        }
        camera.updateProjectionMatrix();
    }

    /** Show everything, straight on or from the corner. */
    fit(): void {
        this.look(this.planar ? 'front' : 'corner');
    }

    /** Show everything from a side. */
    look(name: ViewName): void {
        const camera = this.camera;
        this.controls.target.copy(this.middle);
        if (camera instanceof PerspectiveCamera) {
            const radius = Math.max(this.half.length(), 1e-9);
            const angle = (FIELD * Math.PI) / 360;
            const narrow = Math.atan(Math.tan(angle) * Math.min(camera.aspect, 1));
            const away = (radius * 0.92) / Math.sin(narrow);
            camera.position
                .copy(this.middle)
                .addScaledVector(new Vector3(...DIRECTION[name]).normalize(), away);
        } else {
            camera.zoom = 1;
            camera.position.set(this.middle.x, this.middle.y, this.half.length() * 200 + 1e-6);
        }
        camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Nearer (> 1) or farther. */
    zoom(factor: number): void {
        const camera = this.camera;
        if (camera instanceof PerspectiveCamera) {
            const away = camera.position.clone().sub(this.controls.target);
            camera.position.copy(this.controls.target).addScaledVector(away, 1 / factor);
        } else {
            camera.zoom *= factor;
        }
        camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Move along with something. */
    shift(by: Vector3): void {
        this.camera.position.add(by);
        this.controls.target.add(by);
        this.camera.updateMatrixWorld();
    }

    /** Length of a pixel at a place. */
    pixel(p: Vector3): number {
        const camera = this.camera;
        if (camera instanceof PerspectiveCamera) {
            return (
                (2 * camera.position.distanceTo(p) * Math.tan((FIELD * Math.PI) / 360)) /
                this.height
            );
        }
        return (camera.top - camera.bottom) / camera.zoom / this.height;
    }

    /** The direction one looks along. */
    direction(): Vector3 {
        return this.camera.getWorldDirection(new Vector3());
    }
}
