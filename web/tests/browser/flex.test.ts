// Elastic bodies on a page that the program wrote: the beam of examples/spin_up (SPECHT_REAL_PAGES, as
// in real.test.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseReport } from '../../src/logic/data';
import { bendAt, bent } from '../../src/logic/flex';
import { poseAt } from '../../src/logic/timeline';
import type { Run } from '../../src/logic/types';
import { transform } from '../../src/scene/shapes';
import { FOLDER, hasChromium, launch, openFile, pictureOf } from './browser';

const list = process.env.SPECHT_REAL_PAGES;
const pages: { name: string; page: string }[] = list ? JSON.parse(readFileSync(list, 'utf8')) : [];
const pathOf = (name: string): string => pages.find((p) => p.name === name)?.page ?? '';
const LENGTH = 8; // m, of the beam

/** The run of a page. */
function runOf(path: string): Run {
    const text = /specht-data"[^>]*>(\{.*?)<\/script>/s.exec(readFileSync(path, 'utf8'))![1]!;
    return parseReport(text)[0]!;
}

/** Set the slider to its k-th stop, 0: the lowest. */
const slide = (page: Page, k: number): Promise<void> =>
    page.$eval(
        'input.deformation',
        (e, stop) => {
            const input = e as HTMLInputElement;
            input.value = String(Number(input.min) + stop);
            input.dispatchEvent(new Event('input', { bubbles: true }));
        },
        k,
    );

/** Where the two pixels of a picture are that are drawn on and farthest from each other; y upwards. */
const ends = (page: Page, png: Buffer): Promise<number[][]> =>
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
            const drawn: number[][] = [];
            for (let k = 0; k < data.length; k += 4) {
                const away = [0, 1, 2].map((j) => Math.abs(data[k + j]! - data[j]!));
                if (Math.max(...away) < 60) continue;
                drawn.push([(k / 4) % copy.width, -Math.floor(k / 4 / copy.width)]);
            }
            const farthest = (from: number[]): number[] =>
                drawn.reduce((best, p) =>
                    Math.hypot(p[0]! - from[0]!, p[1]! - from[1]!) >
                    Math.hypot(best[0]! - from[0]!, best[1]! - from[1]!)
                        ? p
                        : best,
                );
            const one = farthest(farthest(farthest(drawn[0]!)));
            // the middle of what is drawn near each: a line has a width
            return [one, farthest(one)].map((end) => {
                const near = drawn.filter((p) => Math.hypot(p[0]! - end[0]!, p[1]! - end[1]!) < 12);
                return [0, 1].map((c) => near.reduce((sum, p) => sum + p[c]!, 0) / near.length);
            });
        },
        `data:image/png;base64,${png.toString('base64')}`,
    );

const distance = (a: number[], b: number[]): number => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!);

describe.skipIf(!hasChromium || !pathOf('spin_up'))('the beam of spin_up', () => {
    let browser: Browser;
    beforeAll(async () => {
        browser = await launch();
    });
    afterAll(async () => {
        await browser?.close();
    });

    test('its drawn tip is the one that the run has computed, in every frame', () => {
        const run = runOf(pathOf('spin_up'));
        const body = run.bodies.find((b) => b.name === 'beam')!;
        const [dx, dy] = ['shortening', 'tip'].map((name) => run.byName.get(name)!.values);
        expect(run.time.length).toBeGreaterThan(1000);
        let most = 0;
        for (let i = 0; i < run.time.length; i++) {
            const tip = bent(body.flex!, bendAt(body, { i, s: 0 }, 1)!, [LENGTH, 0]);
            // numbers of the page have 24 bits, and the trapezoidal rule over the stations does little
            expect(Math.abs(tip[1] - dy![i]!)).toBeLessThan(3e-6);
            expect(Math.abs(tip[0] - LENGTH - dx![i]!)).toBeLessThan(3e-5);
            most = Math.max(most, Math.abs(dy![i]!));
        }
        expect(most).toBeGreaterThan(0.5); // so that much was to be seen
    });

    test('is drawn where its tip is, and straight for the factor 0', async () => {
        const run = runOf(pathOf('spin_up'));
        const [dx, dy] = ['shortening', 'tip'].map((name) =>
            Array.from(run.byName.get(name)!.values),
        );
        const i = dy!.reduce((best, v, k) => (Math.abs(v) > Math.abs(dy![best]!) ? k : best), 0);
        const path = pathOf('spin_up');
        const { page, faults } = await openFile(browser, path, { deviceScaleFactor: 2 });
        await page.fill('#clock', String(run.time[i]));
        await page.keyboard.press('Enter');
        await page.click('button[aria-label="What is shown"]');
        const label = (): Promise<string> => page.innerText('label:has(input.deformation) span');
        expect(await label()).toBe('Deformation × 1');
        const bentEnds = await ends(page, await pictureOf(page));
        await page.click('button[aria-label="What is shown"]');
        await page.screenshot({ path: join(FOLDER, 'spin_up-1.png') });
        await slide(page, 0);
        expect(await label()).toBe('Deformation × 0');
        const straight = await ends(page, await pictureOf(page));
        await slide(page, 3);
        expect(await label()).toBe('Deformation × 3.2');
        await page.screenshot({ path: join(FOLDER, 'spin_up-3.png') });
        expect(faults).toEqual([]);
        // the tip is the end that moves, by so many pixels of the body's axes
        const moves = bentEnds.map((p) => {
            const rest = straight.reduce((q, r) => (distance(p, r) < distance(p, q) ? r : q));
            return [p[0]! - rest[0]!, p[1]! - rest[1]!];
        });
        const move = moves.reduce((v, w) => (Math.hypot(...w) > Math.hypot(...v) ? w : v));
        const perMetre = await page.$eval('.scale-bar.length', (bar) => {
            const [, metres] = /^(\S+) m$/.exec(bar.parentElement!.innerText.trim())!;
            return (2 * bar.getBoundingClientRect().width) / Number(metres);
        });
        const pose = new Float64Array(7);
        poseAt(run.bodies.find((b) => b.name === 'beam')!, { i, s: 0 }, pose);
        pose.fill(0, 0, 3);
        const wanted = transform(pose, [perMetre * dx![i]!, perMetre * dy![i]!]);
        expect(Math.hypot(...wanted)).toBeGreaterThan(30);
        expect(distance(move, wanted)).toBeLessThan(2); // a pixel for each picture
        await page.context().close();
    });

    test('a machine without elastic bodies has no such slider', async () => {
        const { page } = await openFile(browser, pathOf('slider_crank'));
        expect(await page.$$('input.deformation')).toEqual([]);
        await page.context().close();
    });
});
