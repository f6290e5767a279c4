// Pages of studies that the program wrote: figures, a click on a point, the command that repeats it.
//
// SPECHT_STUDY_PAGES names a JSON file: [{ "name", "page", "views", "first", "points" }, ...], written by
// tests/web/test_report_page.py.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FOLDER, hasChromium, launch, openFile } from './browser';

interface StudyPage {
    name: string;
    page: string;
    views: string[];
    first: string | null; // the command of point 0, if it is known
    points: number;
}

const list = process.env.SPECHT_STUDY_PAGES;
const pages = list ? (JSON.parse(readFileSync(list, 'utf8')) as StudyPage[]) : [];

describe.skipIf(!hasChromium || pages.length === 0)('pages of studies', () => {
    let browser: Browser;
    beforeAll(async () => {
        browser = await launch();
    });
    afterAll(async () => {
        await browser.close();
    });

    test.each(pages)('$name: every figure is drawn, a click shows its point', async (study) => {
        const { page, faults, requests } = await openFile(browser, study.page);
        const views = await page.$$eval('#views button', (all) =>
            all.map((b) => b.textContent ?? ''),
        );
        expect(views).toEqual(study.views);
        for (const [k, view] of views.entries()) {
            await page.click(`#views button:nth-of-type(${k + 1})`);
            const [drawn, empty] = await page.$eval('#figure', (c) => {
                const canvas = c as HTMLCanvasElement;
                const blank = document.createElement('canvas');
                [blank.width, blank.height] = [canvas.width, canvas.height];
                return [canvas.toDataURL().length, blank.toDataURL().length];
            });
            expect(drawn, view).toBeGreaterThan(empty! + 5000);
            await page.screenshot({ path: join(FOLDER, `study_${study.name}_${k}.png`) });
        }
        // a real click where the page drew a point selects a point that is drawn there
        await page.click('#views button');
        const box = (await (await page.$('#figure'))!.boundingBox())!;
        const dot = await page.evaluate('dots[Math.floor(dots.length / 2)] ?? null');
        if (dot) {
            const { x, y } = dot as { x: number; y: number };
            await page.mouse.click(box.x + x, box.y + y);
            expect(await page.isVisible('#point')).toBe(true);
            const near = (await page.evaluate(
                `dots.some((d) => d.i === chosen && Math.hypot(d.x - ${x}, d.y - ${y}) < 1)`,
            )) as boolean;
            expect(near).toBe(true);
        }
        // an orbit of a branch is repeated with its value of the parameter
        const value = (await page.evaluate('dots[Math.floor(dots.length / 2)]?.along')) as
            | number
            | undefined;
        if (value !== undefined) {
            const repeated = (await page.textContent('#command'))!;
            expect(Number(/--set 'f=([^']*)'$/.exec(repeated)?.[1])).toBe(value);
        }
        // by keys to the first point
        await page.focus('#figure');
        await page.evaluate('chosen = 0');
        await page.keyboard.press('ArrowLeft');
        expect(await page.textContent('#point-name')).toBe('Point 0');
        const command = await page.textContent('#command');
        expect(command).toMatch(/^specht run 'm\.yaml' .*--set/);
        if (study.first) expect(command).toBe(study.first);
        expect(await page.evaluate('data.n')).toBe(study.points);
        await page.screenshot({ path: join(FOLDER, `study_${study.name}_point.png`) });
        expect(faults).toEqual([]);
        expect(requests).toEqual([]);
        await page.context().close();
    });
});
