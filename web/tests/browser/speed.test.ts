// How quick the page is, on a run of 100 001 frames and 50 bodies.
//
// SPECHT_LARGE_PAGE names a JSON file: { "page", "frames", "bodies", "contacts", "events" }, made from the
// result file by other code (tests/web/test_report_page.py).
import { readFileSync, statSync, unlinkSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '../../fixtures/fixture';
import { largeRun } from '../../fixtures/odd_runs';
import { FOLDER, hasChromium, launch, open, openFile, timeOf, type Watched } from './browser';

const LOAD = 2; // s, promised
const FRAME = 33; // ms of the page's thread for a frame: 30 frames/s, promised
const DRAWING = 90; // ms of processor to draw one in software: three times what is needed today
const SLOW = 6; // frames/s that even a busy machine draws in software
const TRIES = 5; // other programs make a page slow, never quick: the best of some counts

interface Large {
    page: string;
    frames: number;
    bodies: number;
    contacts: number;
    events: number;
}

const named = process.env.SPECHT_LARGE_PAGE;
const large = named ? (JSON.parse(readFileSync(named, 'utf8')) as Large) : null;

/** Seconds from the start of the navigation to the first picture, and of the page's thread. */
async function loading(w: Watched): Promise<{ wall: number; work: number }> {
    await w.page.waitForFunction(() => performance.getEntriesByName('specht-ready').length > 0);
    const wall = await w.page.evaluate(
        () => performance.getEntriesByName('specht-ready')[0]!.startTime / 1000,
    );
    return { wall, work: (await w.work!()).all };
}

/** Processor time of the process that draws, s. */
async function drawingTime(browser: Browser): Promise<number> {
    const devtools = await browser.newBrowserCDPSession();
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    await devtools.detach();
    return processInfo.filter((p) => p.type === 'GPU').reduce((sum, p) => sum + p.cpuTime, 0);
}

interface Playing {
    rate: number; // frames/s
    page: number; // ms a frame of the page's thread
    script: number;
    layout: number;
    drawing: number; // ms a frame of the process that draws
}

/** What playing costs, over some seconds. */
async function playing(browser: Browser, w: Watched, seconds: number): Promise<Playing> {
    const frames = (): Promise<number> =>
        w.page.$eval('.stage', (e) => Number((e as HTMLElement).dataset.frames));
    await w.page.keyboard.press('Home');
    await w.page.keyboard.press('Space');
    await w.page.waitForTimeout(300);
    const [n0, t0, a, d0] = [await frames(), Date.now(), await w.work!(), await drawingTime(browser)];
    await w.page.waitForTimeout(1000 * seconds);
    const [n1, t1, b, d1] = [await frames(), Date.now(), await w.work!(), await drawingTime(browser)];
    await w.page.keyboard.press('Space');
    const each = (s: number): number => (1000 * s) / Math.max(n1 - n0, 1);
    return {
        rate: (1000 * (n1 - n0)) / (t1 - t0),
        page: each(b.all - a.all),
        script: each(b.script - a.script),
        layout: each(b.layout - a.layout),
        drawing: each(d1 - d0),
    };
}

/** A line for those who read the output of the tests. */
function tell(what: string, text: string): void {
    const load = loadavg()[0]!;
    const busy = load < cpus().length ? '' : `; machine busy: load ${load.toFixed(1)}`;
    console.log(`${what}: ${text}${busy}`);
}

const tellPlaying = (what: string, p: Playing): void =>
    tell(
        what,
        `plays at ${p.rate.toFixed(0)} frames/s with software rendering; a frame takes ${p.page.toFixed(1)} ms of the page's thread (script ${p.script.toFixed(1)}, layout ${p.layout.toFixed(1)}), ${p.drawing.toFixed(0)} ms of processor to draw`,
    );

describe.skipIf(!hasChromium || !large)('the report of 100 001 frames and 50 bodies', () => {
    let browser: Browser;
    beforeAll(async () => {
        browser = await launch();
    });
    afterAll(async () => {
        await browser?.close();
    });
    const openLarge = (): Promise<Watched> => openFile(browser, large!.page, {}, true);
    const header = (page: Page): Promise<string | null> => page.textContent('.facts-line');

    test('loads in under 2 s, whole', async () => {
        expect([large!.frames, large!.bodies, large!.contacts]).toEqual([100_001, 51, 10]);
        const best = { wall: Infinity, work: Infinity };
        for (let k = 0; k < TRIES && !(best.wall < LOAD && best.work < LOAD / 2); k++) {
            const w = await openLarge();
            const at = await loading(w);
            best.wall = Math.min(best.wall, at.wall);
            best.work = Math.min(best.work, at.work);
            expect(await header(w.page)).toMatch(/ of 100.001 frames/);
            await w.page.keyboard.press('2');
            expect(
                await w.page.$eval('[data-key=events]', (e) =>
                    Number((e as HTMLElement).dataset.value),
                ),
            ).toBe(large!.events);
            expect([w.faults, w.requests]).toEqual([[], []]);
            await w.page.context().close();
        }
        const size = statSync(large!.page).size / 1e6;
        tell(
            `100 001 frames, 50 bodies, ${large!.events} events, ${size.toFixed(1)} MB`,
            `loads in ${best.wall.toFixed(2)} s (${best.work.toFixed(2)} s of its thread); frames/s follow`,
        );
        expect(best.wall).toBeLessThan(LOAD);
        expect(best.work).toBeLessThan(LOAD / 2);
    });

    test('has time for 30 frames a second, and draws them in software too', async () => {
        const w = await openLarge();
        await loading(w);
        let best = await playing(browser, w, 2);
        for (let k = 1; k < 3 && best.rate < 30; k++) {
            const again = await playing(browser, w, 2);
            if (again.rate > best.rate) best = again;
        }
        tellPlaying('100 001 frames, 50 bodies', best);
        expect([w.faults, w.requests]).toEqual([[], []]);
        await w.page.context().close();
        expect(best.page).toBeLessThan(FRAME);
        expect(best.drawing).toBeLessThan(DRAWING);
        expect(best.rate).toBeGreaterThan(SLOW);
    });
});

describe.skipIf(!hasChromium)('a page that holds all of 100 000 frames', () => {
    test('is shown whole too, with 100 000 events', async () => {
        const browser = await launch();
        const w = await open(browser, 'large', report(largeRun(100_000, 50, 100_000)), {}, true);
        const { page } = w;
        const at = await loading(w);
        tell(
            '100 000 frames and events in one page, 125 MB',
            `loads in ${at.wall.toFixed(2)} s (${at.work.toFixed(2)} s of its thread)`,
        );
        tellPlaying('100 000 frames in one page', await playing(browser, w, 2));
        await page.keyboard.press('2');
        const count = (selector: string): Promise<number> =>
            page.$$eval(selector, (all) => all.length);
        expect(
            await page.$eval('[data-shown]', (e) => Number((e as HTMLElement).dataset.shown)),
        ).toBe(100_000);
        expect(await count('.event-space .event-row')).toBeLessThan(80);
        await page.$eval('.event-body', (e) => (e.scrollTop = 28 * 50_000));
        await page.waitForSelector('[data-row="50000"]');
        await page.click('[data-row="50000"]');
        expect(await timeOf(page)).toBeCloseTo((10 * 50_001) / 100_001, 9);
        await page.screenshot({ path: join(FOLDER, 'large.png') });
        expect([w.faults, w.requests]).toEqual([[], []]);
        await browser.close();
        unlinkSync(join(FOLDER, 'large.html'));
        // 1.4 to 2.3 s were seen; more than linear work would show
        expect(at.work).toBeLessThan(6);
    });
});
