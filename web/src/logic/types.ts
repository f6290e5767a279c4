// What the data of a report looks like (format 1) and what the page makes of it.

/** Numbers as they stand in the file: little-endian, base64. */
export interface RawArray {
    type: 'f32' | 'f64' | 'u8';
    data: string;
}

export type Numbers = Float32Array | Float64Array | Uint8Array;

export interface Shape {
    kind: string;
    points?: number[][];
    normal?: number[];
    radius?: number;
    size?: number[];
    length?: number;
    at?: number[];
    turn?: number[];
    name?: string;
    color?: string; // '#rrggbb', of its own
}

/** A function of a beam along its axis, per unit of its coordinate: the axis goes `way` in direction
 * `along`, `turn` is the rotation vector of sections about `about` (0: x, ...; -1: none). */
export interface FlexMode {
    along: number;
    about: number;
    way: number[];
    turn: number[];
}

/** How a body deforms: stations along its x axis, functions, their coordinates; the axis follows its
 * sections from x = from on. */
export interface Flex {
    from: number;
    x: number[];
    modes: FlexMode[];
    readonly e: Numbers | null; // frames x functions
}

export interface RawEvent {
    t: number;
    kind: string;
    contact: string | number;
    impact_id?: number;
    Lambda_N?: number;
    Lambda_T?: number[] | number;
    gamma_N_before?: number;
    gamma_N_after?: number;
    energy_lost?: number;
    // where they apply
    Lambda_N_compression?: number;
    gamma_N_compression?: number;
    lost_normal?: number;
    lost_friction?: number;
    lost_restitution?: number;
    energy_gain?: number;
    remedy?: string;
    eps_N?: number;
    factor?: number;
    friction_work?: number;
    lasts?: number;
    rate?: number;
    bound?: number;
    n_found?: number;
    at_least?: boolean;
}

export interface PlotPreset {
    name: string;
    title: string;
    x: string;
    y: string[];
    equal: boolean;
}

export interface RawRun {
    file?: string;
    name?: string;
    method?: string;
    version?: string;
    status?: string;
    message?: string;
    space?: string;
    settings?: Record<string, unknown>;
    model_text?: string;
    source_file?: string;
    overrides?: string[];
    command?: string;
    decimation?: { frames_in?: number; frames?: number; note?: string };
    time?: RawArray;
    channels?: { name: string; label?: string; unit?: string; group?: string; data: RawArray }[];
    bodies?: {
        name: string;
        columns?: string[];
        pose?: RawArray;
        shapes?: Shape[];
        flex?: { from?: number; x: number[]; modes: FlexMode[]; e: RawArray };
    }[];
    springs?: { name: string; ends: RawArray }[];
    contacts?: { name: string; state?: RawArray; point?: RawArray; force?: RawArray }[];
    events?: RawEvent[];
    ledger?: { names?: string[]; unit?: string; data?: RawArray[] };
    certificate?: Record<string, unknown>;
    plots?: Partial<PlotPreset>[];
}

export interface RawReport {
    format: number;
    runs: RawRun[];
}

/** A recorded quantity; its numbers are decoded when they are first asked for. */
export interface Channel {
    name: string;
    label: string; // what it is called on the page: the expression of an output without a name
    unit: string;
    group: string;
    readonly values: Numbers;
}

export interface Body {
    name: string;
    columns: string[];
    shapes: Shape[];
    /** frames x columns, null for a body that has no recorded pose */
    readonly pose: Numbers | null;
    flex?: Flex | null; // none: it is drawn as it is at rest
}

export interface Spring {
    name: string;
    readonly ends: Numbers; // frames x 6
}

export interface Contact {
    name: string;
    readonly state: Uint8Array; // frames
    readonly point: Numbers | null; // frames x 3
    readonly force: Numbers | null; // frames x 3, N
}

/** All events in the order of their times, one array per column. */
export interface EventTable {
    n: number;
    t: Float64Array;
    kind: string[];
    contact: string[];
    impactId: Int32Array;
    lambdaN: Float64Array;
    lambdaT: Float64Array;
    gammaBefore: Float64Array;
    gammaAfter: Float64Array;
    energyLost: Float64Array;
    gain: Float64Array; // of the whole impact
    raw: RawEvent[]; // everything that is known
}

export interface Ledger {
    unit: string;
    entries: { name: string; readonly values: Numbers }[];
}

export interface Run {
    file: string;
    name: string;
    method: string;
    version: string;
    status: string;
    message: string; // why the run failed
    planar: boolean;
    settings: [string, string][];
    sourceFile: string;
    modelText: string;
    overrides: string[];
    command: string;
    decimation: { framesIn: number; frames: number; note: string } | null;
    time: Float64Array;
    channels: Channel[];
    byName: Map<string, Channel>;
    bodies: Body[];
    springs: Spring[];
    contacts: Contact[];
    events: EventTable;
    ledger: Ledger;
    certificate: [string, number][];
    plots: PlotPreset[];
    /** what was wrong with the data and how the page dealt with it */
    warnings: string[];
}

export const STATE_NAMES = ['open', 'slip', 'stick'] as const;
