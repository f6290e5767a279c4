// Base64 text to numbers.
import type { Numbers, RawArray } from './types';

const WIDTH = { f32: 4, f64: 8, u8: 1 } as const;

interface FromBase64 {
    fromBase64?: (text: string) => Uint8Array;
}

/** The bytes of a base64 text; throws when it is none. */
export function bytesFromBase64(text: string): Uint8Array {
    const direct = (Uint8Array as FromBase64).fromBase64;
    if (direct) {
        return direct.call(Uint8Array, text);
    }
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) {
        bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
}

/** How many numbers an array holds, without decoding it; NaN if its length is impossible. */
export function countOf(raw: RawArray): number {
    const width = WIDTH[raw.type];
    const text = raw.data;
    if (!width || typeof text !== 'string' || text.length % 4 !== 0) {
        return NaN;
    }
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const bytes = (text.length / 4) * 3 - padding;
    return bytes % width === 0 ? bytes / width : NaN;
}

/** Is this a machine whose numbers begin with the small end?  The file's do. */
function littleEndian(): boolean {
    return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
}

/** The numbers of an array; throws when the text is no base64. */
export function decodeArray(raw: RawArray): Numbers {
    const bytes = bytesFromBase64(raw.data);
    const width = WIDTH[raw.type];
    if (!littleEndian() && width > 1) {
        for (let i = 0; i + width <= bytes.length; i += width) {
            bytes.subarray(i, i + width).reverse();
        }
    }
    const n = Math.floor(bytes.length / width);
    switch (raw.type) {
        case 'f32':
            return new Float32Array(bytes.buffer, bytes.byteOffset, n);
        case 'f64':
            return new Float64Array(bytes.buffer, bytes.byteOffset, n);
        default:
            return bytes;
    }
}
