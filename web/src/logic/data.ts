// From the text in the page to runs that every view can rely on.
//
// A report that cannot be shown at all throws a ReportError with a remedy; a part that does not
// fit (an array of the wrong length, an unknown contact) is left out and named in run.warnings.
import { countOf, decodeArray } from './base64';
import { readEvents } from './event_table';
import { number } from './format';
import type {
    Body,
    Channel,
    Contact,
    Flex,
    Ledger,
    Numbers,
    PlotPreset,
    RawArray,
    RawReport,
    RawRun,
    Run,
    Shape,
    Spring,
} from './types';

export class ReportError extends Error {}

const REMEDY = "Write the report again with 'specht report run.h5'.";

/** All runs in the text of the data element. */
export function parseReport(text: string): Run[] {
    if (/^\s*(\/\*.*)?$/s.test(text)) {
        throw new ReportError(
            "This page carries no run. 'specht report run.h5' writes a page with one.",
        );
    }
    let raw: RawReport;
    try {
        raw = JSON.parse(text) as RawReport;
    } catch (error) {
        throw new ReportError(
            `The data of this page cannot be read (${(error as Error).message}). The file may be cut short. ${REMEDY}`,
        );
    }
    if (raw === null || typeof raw !== 'object' || raw.format !== 1) {
        throw new ReportError(
            `The data has format '${String(raw?.format)}', this page reads format 1. ${REMEDY}`,
        );
    }
    if (!Array.isArray(raw.runs) || raw.runs.length === 0) {
        throw new ReportError(`The data holds no run. ${REMEDY}`);
    }
    return raw.runs.map(readRun);
}

/** A value that is computed when it is first asked for. */
function lazy<T>(make: () => T): () => T {
    let done = false;
    let value: T;
    return () => {
        if (!done) {
            value = make();
            done = true;
        }
        return value;
    };
}

/** Checks lengths up front and decodes later. */
class Reader {
    warnings: string[] = [];

    /** The numbers of an array of n values, or null with a warning when it does not fit. */
    array(raw: RawArray | undefined, n: number, what: string): (() => Numbers) | null {
        if (!raw || typeof raw !== 'object') {
            return null;
        }
        const count = countOf(raw);
        if (count !== n) {
            this.warnings.push(
                `${what}: ${Number.isNaN(count) ? 'unreadable' : count} values, expected ${n}; left out`,
            );
            return null;
        }
        return lazy(() => this.decode(raw, n, what));
    }

    private decode(raw: RawArray, n: number, what: string): Numbers {
        try {
            return decodeArray(raw);
        } catch {
            this.warnings.push(`${what}: unreadable; shown as missing`);
            return new Float64Array(n).fill(NaN);
        }
    }
}

const text = (value: unknown, otherwise = ''): string =>
    typeof value === 'string'
        ? value
        : value === undefined || value === null
          ? otherwise
          : String(value);

const list = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value : []);

/** One run, checked. */
function readRun(raw: RawRun): Run {
    const reader = new Reader();
    const time = readTime(raw, reader);
    const n = time.length;
    const channels = readChannels(raw, n, reader);
    const contacts = readContacts(raw, n, reader);
    return {
        file: text(raw.file),
        name: text(raw.name, text(raw.file, 'run')),
        method: text(raw.method),
        version: text(raw.version),
        status: text(raw.status, 'clean'),
        message: text(raw.message),
        planar: raw.space !== 'spatial',
        settings: readSettings(raw.settings),
        sourceFile: text(raw.source_file),
        modelText: text(raw.model_text),
        overrides: list(raw.overrides).map((o) => text(o)),
        command: text(raw.command),
        decimation: readDecimation(raw),
        time,
        channels,
        byName: new Map(channels.map((c) => [c.name, c])),
        bodies: readBodies(raw, n, reader),
        springs: readSprings(raw, n, reader),
        contacts,
        events: readEvents(
            list(raw.events),
            contacts.map((c) => c.name),
        ),
        ledger: readLedger(raw, n, reader),
        certificate: readCertificate(raw.certificate),
        plots: readPlots(raw),
        warnings: reader.warnings,
    };
}

/** The times of the frames as doubles; they must not fall. */
function readTime(raw: RawRun, reader: Reader): Float64Array {
    const count = raw.time ? countOf(raw.time) : 0;
    const values = raw.time && count > 0 ? reader.array(raw.time, count, 'time')?.() : undefined;
    if (!values) {
        if (Number.isNaN(count)) {
            reader.warnings.push('time: unreadable; the run is shown without frames');
        }
        return new Float64Array(0);
    }
    const time = Float64Array.from(values);
    for (let i = 0; i < time.length; i++) {
        if (!Number.isFinite(time[i]) || (i > 0 && time[i]! < time[i - 1]!)) {
            reader.warnings.push(
                `time: frame ${i} is ${time[i]} s, after ${time[i - 1] ?? 'nothing'}; time must not fall`,
            );
            break;
        }
    }
    return time;
}

function readChannels(raw: RawRun, n: number, reader: Reader): Channel[] {
    const channels: Channel[] = [];
    for (const c of list(raw.channels)) {
        const values = reader.array(c.data, n, `channel '${c.name}'`);
        if (values) {
            channels.push({
                name: text(c.name),
                label: text(c.label, text(c.name)),
                unit: text(c.unit),
                group: text(c.group, 'output'),
                get values() {
                    return values();
                },
            });
        }
    }
    return channels;
}

/** How a body deforms; null if it does not, or if its numbers do not fit. */
function readFlex(
    raw: NonNullable<RawRun['bodies']>[number],
    n: number,
    reader: Reader,
): Flex | null {
    if (!raw.flex || typeof raw.flex !== 'object') return null;
    const [x, modes] = [list(raw.flex.x), list(raw.flex.modes)];
    const what = `deformation of body '${raw.name}'`;
    const fits =
        x.length > 0 && modes.every((m) => [m.way, m.turn].every((v) => v?.length === x.length));
    if (!fits) reader.warnings.push(`${what}: lists of different lengths; left out`);
    const e = fits ? reader.array(raw.flex.e, n * modes.length, what) : null;
    return (
        e && {
            from: Number(raw.flex.from ?? 0),
            x,
            modes,
            get e() {
                return e();
            },
        }
    );
}

function readBodies(raw: RawRun, n: number, reader: Reader): Body[] {
    return list(raw.bodies).map((b) => {
        const columns = list(b.columns);
        const pose = reader.array(b.pose, n * columns.length, `pose of body '${b.name}'`);
        const shapes = list(b.shapes).filter(
            (s): s is Shape => s !== null && typeof s === 'object',
        );
        return {
            name: text(b.name),
            columns,
            shapes,
            flex: readFlex(b, n, reader),
            get pose() {
                return pose ? pose() : null;
            },
        };
    });
}

function readSprings(raw: RawRun, n: number, reader: Reader): Spring[] {
    const springs: Spring[] = [];
    for (const s of list(raw.springs)) {
        const ends = reader.array(s.ends, n * 6, `ends of spring '${s.name}'`);
        if (ends) {
            springs.push({
                name: text(s.name),
                get ends() {
                    return ends();
                },
            });
        }
    }
    return springs;
}

function readContacts(raw: RawRun, n: number, reader: Reader): Contact[] {
    return list(raw.contacts).map((c) => {
        const state = reader.array(c.state, n, `state of contact '${c.name}'`);
        const point = reader.array(c.point, n * 3, `point of contact '${c.name}'`);
        const force = reader.array(c.force, n * 3, `force of contact '${c.name}'`);
        const states = lazy(() => (state ? Uint8Array.from(state()) : new Uint8Array(n)));
        return {
            name: text(c.name),
            get state() {
                return states();
            },
            get point() {
                return point ? point() : null;
            },
            get force() {
                return force ? force() : null;
            },
        };
    });
}

function readLedger(raw: RawRun, n: number, reader: Reader): Ledger {
    const names = list(raw.ledger?.names);
    const data = list(raw.ledger?.data);
    const entries: Ledger['entries'] = [];
    names.forEach((name, k) => {
        const values = reader.array(data[k], n, `ledger entry '${name}'`);
        if (values) {
            entries.push({
                name: text(name),
                get values() {
                    return values();
                },
            });
        }
    });
    return { unit: text(raw.ledger?.unit, 'J'), entries };
}

function readDecimation(raw: RawRun): Run['decimation'] {
    const d = raw.decimation;
    if (!d || typeof d !== 'object') {
        return null;
    }
    return {
        framesIn: Number(d.frames_in ?? 0),
        frames: Number(d.frames ?? 0),
        note: text(d.note),
    };
}

function readSettings(raw: Record<string, unknown> | undefined): [string, string][] {
    if (!raw || typeof raw !== 'object') {
        return [];
    }
    return Object.entries(raw)
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([key, value]) => [key, settingText(value)]);
}

function settingText(value: unknown): string {
    if (typeof value === 'number') return number(value, 12);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function readCertificate(raw: Record<string, unknown> | undefined): [string, number][] {
    if (!raw || typeof raw !== 'object') {
        return [];
    }
    return Object.entries(raw).map(([key, value]) => [
        key,
        typeof value === 'number' ? value : NaN,
    ]);
}

function readPlots(raw: RawRun): PlotPreset[] {
    return list(raw.plots).map((p, k) => ({
        name: text(p.name, `plot ${k + 1}`),
        title: text(p.title, text(p.name, `plot ${k + 1}`)),
        x: text(p.x, 't'),
        y: list(p.y).map((y) => text(y)),
        equal: p.equal === true,
    }));
}
