// A page in Chromium, watched for errors and requests.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { fillPage } from '../../fixtures/page';
import type { RawReport } from '../../src/logic/types';

export const CHROMIUM = process.env.SPECHT_CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
/** where pages and screenshots go */
export const FOLDER =
    process.env.SPECHT_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'specht-report-'));
mkdirSync(FOLDER, { recursive: true });

// software rendering announces itself; that is no fault of the page
const HARMLESS = /WebGL|GPU stall|GL Driver|swiftshader/i;

export interface Watched {
    page: Page;
    /** errors and warnings of the console, exceptions */
    faults: string[];
    /** everything that was asked for besides the file itself */
    requests: string[];
    /** what the page's thread has worked since it was opened, where that was asked for */
    work: (() => Promise<Work>) | null;
}

/** Processor time of the page's thread, s: all of it, and parts. */
export interface Work {
    all: number;
    script: number;
    layout: number; // with styles
}

export const launch = (): Promise<Browser> =>
    chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

/** Write a report to a file. */
export function writePage(name: string, data: RawReport | string): string {
    const path = join(FOLDER, `${name}.html`);
    writeFileSync(path, fillPage(data));
    return path;
}

/** Counts the processor time of the page's thread, which other programs hardly change. */
async function meter(page: Page): Promise<() => Promise<Work>> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    return async () => {
        const { metrics } = await devtools.send('Performance.getMetrics');
        const of = (name: string): number => metrics.find((m) => m.name === name)!.value;
        return {
            all: of('TaskDuration'),
            script: of('ScriptDuration'),
            layout: of('LayoutDuration') + of('RecalcStyleDuration'),
        };
    };
}

/** Open a file and wait until it is ready or says why not. */
export async function openFile(
    browser: Browser,
    path: string,
    options: BrowserContextOptions = {},
    measure = false,
): Promise<Watched> {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
    });
    const page = await context.newPage();
    const faults: string[] = [];
    const requests: string[] = [];
    const own = pathToFileURL(path).href;
    page.on('console', (m) => {
        if (['error', 'warning'].includes(m.type()) && !HARMLESS.test(m.text()))
            faults.push(`${m.type()}: ${m.text()}`);
    });
    page.on('pageerror', (e) => faults.push(`exception: ${e.message}`));
    page.on('request', (r) => {
        if (r.url() !== own && !/^(blob|data):/.test(r.url())) requests.push(r.url());
    });
    const work = measure ? await meter(page) : null;
    await page.goto(own);
    await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
    return { page, faults, requests, work };
}

export const open = (
    browser: Browser,
    name: string,
    data: RawReport | string,
    options?: BrowserContextOptions,
    measure = false,
): Promise<Watched> => openFile(browser, writePage(name, data), options, measure);

/** The time the page shows, in full. */
export const timeOf = (page: Page): Promise<number> =>
    page.$eval('#clock', (e) => Number((e as HTMLElement).dataset.value));

/** The animation as the page saves it. */
export async function pictureOf(page: Page): Promise<Buffer> {
    const saved = page.waitForEvent('download');
    await page.click('button[aria-label="Save a picture"]');
    return readFileSync((await (await saved).path())!);
}

/** How many different colours a PNG has. */
export const coloursOf = (page: Page, png: Buffer): Promise<number> =>
    page.evaluate(
        async (url) => {
            const image = new Image();
            image.src = url;
            await image.decode();
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [image.width, image.height];
            const c = copy.getContext('2d')!;
            c.drawImage(image, 0, 0);
            const { data } = c.getImageData(0, 0, copy.width, copy.height);
            const seen = new Set<number>();
            for (let i = 0; i < data.length; i += 4)
                seen.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
            return seen.size;
        },
        `data:image/png;base64,${png.toString('base64')}`,
    );
