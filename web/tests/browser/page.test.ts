// The page in a real browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crankRun, IMPACT_EVERY, IMPULSE, LOSS, report } from '../../fixtures/fixture';
import { emptyRun, HOSTILE, hostileRun, spaceRun } from '../../fixtures/odd_runs';
import {
    coloursOf,
    FOLDER,
    hasChromium,
    launch,
    open,
    pictureOf,
    timeOf,
    type Watched,
} from './browser';

const geometric = (n: number): number => (1 - 0.9 ** n) / 0.1;
const quiet = ({ faults, requests }: Watched): void => {
    expect(faults).toEqual([]);
    expect(requests).toEqual([]);
};
const shot = (page: Page, name: string): Promise<Buffer> =>
    page.screenshot({ path: join(FOLDER, `${name}.png`) });
const shown = (page: Page): Promise<number> =>
    page.$eval('[data-shown]', (e) => Number((e as HTMLElement).dataset.shown));
const content = async (d: Download): Promise<string> => readFileSync((await d.path())!, 'utf8');

describe.skipIf(!hasChromium)('the page', () => {
    let browser: Browser;
    beforeAll(async () => {
        browser = await launch();
    });
    afterAll(async () => {
        await browser?.close();
    });

    test('opens without a request, an error or a warning, and draws the machine', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        await w.page.waitForTimeout(300);
        expect(await w.page.title()).toContain('Slider-crank');
        expect(await coloursOf(w.page, await pictureOf(w.page))).toBeGreaterThan(20);
        await shot(w.page, 'light');
        quiet(w);
        await w.page.context().close();
    });

    test('plays with the speed that it says, pauses, and ends at the end', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        const before = await pictureOf(page);
        expect(await page.textContent('.speed-value')).toBe('1/100 ×');
        const begin = Date.now();
        await page.keyboard.press('Space');
        await page.waitForTimeout(1200);
        await page.keyboard.press('Space');
        const wall = (Date.now() - begin) / 1000;
        const t = await timeOf(page);
        expect(t).toBeGreaterThan(0.001);
        expect(t).toBeLessThanOrEqual(wall / 100 + 1e-9);
        expect((await pictureOf(page)).equals(before)).toBe(false);
        await page.waitForTimeout(200);
        expect(await timeOf(page)).toBe(t);
        for (let k = 0; k < 9; k++) await page.keyboard.press('+');
        expect(await page.textContent('.speed-value')).toBe('10 ×');
        await page.click('button[aria-label=Play]');
        await page.waitForSelector('button[aria-label=Play]');
        expect(await timeOf(page)).toBeCloseTo(0.2, 12);
        quiet(w);
        await page.context().close();
    });

    test('scrubs by mouse, keyboard and by typing a time', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        const box = (await (await page.$('.scrubber'))!.boundingBox())!;
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        expect(Math.abs((await timeOf(page)) - 0.1)).toBeLessThan(0.002);
        await page.fill('#clock', '0.05');
        await page.keyboard.press('Enter');
        expect(await timeOf(page)).toBe(0.05);
        await page.keyboard.press('ArrowRight');
        expect(await timeOf(page)).toBeCloseTo(0.0501, 9);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        expect(await timeOf(page)).toBeCloseTo(0.0499, 9);
        await page.keyboard.press('End');
        expect(await timeOf(page)).toBeCloseTo(0.2, 12);
        await page.fill('#clock', 'nonsense');
        await page.keyboard.press('Enter');
        expect(await timeOf(page)).toBeCloseTo(0.2, 12);
        quiet(w);
        await page.context().close();
    });

    test('steps from event to event and tells those who cannot see', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        await page.keyboard.press('n');
        expect(await timeOf(page)).toBeCloseTo(IMPACT_EVERY, 12);
        expect(await page.textContent('[aria-live]')).toContain(
            'impact guide.c1.upper, impact guide.c2.upper, close guide.c1.upper',
        );
        await page.click('button[aria-label="Next event"]');
        expect(await timeOf(page)).toBeCloseTo(2 * IMPACT_EVERY, 12);
        await page.keyboard.press('p');
        await page.keyboard.press('p');
        expect(await timeOf(page)).toBeCloseTo(IMPACT_EVERY, 12);
        expect(await page.textContent('[aria-live]')).toBe('no earlier event');
        quiet(w);
        await page.context().close();
    });

    test('lists, filters and sorts events; a click jumps there', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        await page.keyboard.press('2');
        expect(await shown(page)).toBe(45);
        await page.click('[data-kind=impact].chip');
        expect(await shown(page)).toBe(30);
        await page.selectOption('.filters select', { label: 'guide.c2.upper' });
        expect(await shown(page)).toBe(15);
        await page.click('[data-column=lambdaN]');
        const first = await page.textContent('[data-row="0"] .cell:nth-child(5)');
        expect(Number(first!.replace('−', '-'))).toBeCloseTo((IMPULSE / 2) * 0.9 ** 14, 6);
        await page.click('[data-row="0"]');
        expect(await timeOf(page)).toBeCloseTo(15 * IMPACT_EVERY, 12);
        await page.click('[data-column=lambdaN]');
        await page.focus('.event-body');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        expect(await timeOf(page)).toBeCloseTo(2 * IMPACT_EVERY, 12);
        await page.fill('.filters input', 'nothing like this');
        expect(await shown(page)).toBe(0);
        await shot(page, 'events');
        quiet(w);
        await page.context().close();
    });

    test('tells all that is known of the event one jumps to', async () => {
        const run = crankRun();
        const hit = run.events!.find((e) => e.kind === 'impact')!;
        Object.assign(hit, {
            Lambda_N_compression: 0.75 * hit.Lambda_N!,
            energy_lost: -0.1,
            energy_gain: 0.1,
        });
        const w = await open(browser, 'detail', report(run));
        const { page } = w;
        await page.keyboard.press('2');
        expect(await page.isVisible('.event-detail')).toBe(false); // nothing has happened yet
        await page.click('.event-row[data-kind=impact]');
        expect(await page.textContent('.event-detail h3')).toMatch(/^impact of guide/);
        expect(await page.textContent('[data-detail=energy_gain] dd')).toBe('0.1 J');
        expect(await page.textContent('[data-detail=Lambda_N_expansion] dt')).toContain('expansion');
        expect(await page.textContent('.event-detail .note')).toMatch(/^Below zero/);
        expect(
            await page.$eval('[data-key=gained]', (e) => Number((e as HTMLElement).dataset.value)),
        ).toBeCloseTo(0.1, 12);
        quiet(w);
        await page.context().close();
    });

    test('shows the numbers of the data', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        const exact = (key: string): Promise<number> =>
            page.$eval(`[data-key=${key}]`, (e) => Number((e as HTMLElement).dataset.value));
        await page.keyboard.press('2');
        expect(await exact('events')).toBe(45);
        expect(await exact('instants')).toBe(15);
        expect(await exact('impulse')).toBeCloseTo(1.5 * IMPULSE * geometric(15), 12);
        expect(await exact('lost')).toBeCloseTo(1.5 * LOSS * geometric(15), 12);
        expect(await page.textContent('[data-key=impulse]')).toBe('0.5956 N s');
        expect(await page.textContent('[data-contact="guide.c1.upper"] td:nth-child(2)')).toBe(
            '15',
        );
        await page.keyboard.press('3');
        const friction = await page.$$eval('[data-entry=friction] td', (cells) =>
            cells.map((c) => Number((c as HTMLElement).dataset.value)),
        );
        expect(friction[1]).toBeCloseTo(-20 * 0.01 * 0.2, 12);
        expect(
            await page.$eval('[data-certificate=gap]', (e) =>
                Number((e as HTMLElement).dataset.value),
            ),
        ).toBe(8e-11);
        expect(await page.textContent('[data-certificate=complementarity]')).toBe('2e−12');
        await page.keyboard.press('1');
        await page.fill('#clock', '0.1');
        await page.keyboard.press('Enter');
        const value = await page.$eval('.card:nth-child(2) .value', (e) =>
            Number((e as HTMLElement).dataset.value),
        );
        expect(value).toBeCloseTo(150 - 80 * 0.1, 9);
        quiet(w);
        await page.context().close();
    });

    test('plots answer to the pointer, and the animation to the plots', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        const over = (k: number): ReturnType<Page['locator']> =>
            page.locator('.card').nth(k).locator('.u-over');
        await over(1).scrollIntoViewIfNeeded();
        const box = (await over(1).boundingBox())!;
        await page.mouse.click(box.x + box.width * 0.25, box.y + 20);
        expect(Math.abs((await timeOf(page)) - 0.05)).toBeLessThan(0.001);
        const head = (await page.locator('.card').nth(1).locator('.playhead').boundingBox())!;
        expect(head.x + head.width / 2).toBeCloseTo(box.x + box.width * 0.25, -1);
        // drag: zoom of all time axes
        await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 4 });
        await page.mouse.up();
        const download = page.waitForEvent('download');
        await page.locator('.card').nth(1).getByText('CSV').click();
        const lines = (await content(await download)).trim().split('\n');
        expect(lines[0]).toBe('t [s],crank.omega [rad/s]');
        const times = lines.slice(1).map((l) => Number(l.split(',')[0]));
        expect(Math.abs(times[0]! - 0.1)).toBeLessThan(0.001);
        expect(Math.abs(times[times.length - 1]! - 0.15)).toBeLessThan(0.001);
        expect(
            lines
                .slice(1)
                .every(
                    (l) =>
                        Math.abs(Number(l.split(',')[1]) - (150 - 80 * Number(l.split(',')[0]))) <
                        1e-9,
                ),
        ).toBe(true);
        // the playhead can be dragged
        await page.keyboard.press('r');
        const grip = (await page.locator('.card').nth(1).locator('.playhead').boundingBox())!;
        await page.mouse.move(grip.x + grip.width / 2, grip.y + 30);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.6, grip.y + 30, { steps: 5 });
        await page.mouse.up();
        expect(Math.abs((await timeOf(page)) - 0.12)).toBeLessThan(0.002);
        // a click on a phase portrait goes to the nearest point
        await over(0).scrollIntoViewIfNeeded();
        const phase = (await over(0).boundingBox())!;
        await page.mouse.click(phase.x + 2, phase.y + phase.height - 5);
        expect(await timeOf(page)).toBeLessThan(0.01);
        quiet(w);
        await page.context().close();
    });

    test('any quantity can be plotted, over any other, and saved', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        const cards = page.locator('.panel.plots .card');
        const n = await cards.count();
        await page.fill('.picker input', 'slider x');
        await page.keyboard.press('Enter');
        expect(await cards.count()).toBe(n + 1);
        const card = cards.nth(n - 1);
        expect(await card.locator('h3').textContent()).toBe('slider.x');
        await card.locator('select').selectOption('slider.y');
        expect(await card.locator('.axis-label').nth(1).textContent()).toBe('slider.y [m]');
        await page.selectOption('.into select', { label: 'slider.x' });
        await page.fill('.picker input', 'y1');
        await page.keyboard.press('Enter');
        expect(await card.locator('.legend .key').count()).toBe(2);
        const svg = page.waitForEvent('download');
        await card.getByText('SVG').click();
        expect(await content(await svg)).toMatch(/^<svg[\s\S]*slider\.x[\s\S]*<\/svg>\s*$/);
        const png = page.waitForEvent('download');
        await card.getByText('PNG').click();
        const bytes = readFileSync((await (await png).path())!);
        expect(bytes.subarray(1, 4).toString()).toBe('PNG');
        expect(bytes.length).toBeGreaterThan(5000);
        const bands = page.waitForEvent('download');
        await page.locator('.card.bands').getByText('SVG').click();
        expect(await content(await bands)).toContain('guide.c1.upper');
        await card.getByLabel('Remove this plot').click();
        expect(await cards.count()).toBe(n);
        quiet(w);
        await page.context().close();
    });

    test('shows names that try to be markup as text', async () => {
        const w = await open(browser, 'hostile', report(hostileRun(), hostileRun()));
        const { page } = w;
        await page.waitForTimeout(200);
        for (const tab of ['plots', 'events', 'energy', 'model', 'compare']) {
            await page.click(`#tab-${tab}`);
            await page.waitForTimeout(50);
        }
        await page.click('button[aria-label="What is shown"]');
        await page.getByLabel('Names of bodies').check();
        await page.getByLabel('Trails', { exact: true }).check();
        await page.click('#tab-model');
        expect(
            await page.evaluate(() => (window as unknown as { broken?: number }).broken),
        ).toBeUndefined();
        expect(await page.$$eval('img, b', (all) => all.length)).toBe(0);
        expect(await page.textContent('h1')).toBe(HOSTILE);
        expect(await page.textContent('.command')).toBe(HOSTILE);
        expect(await page.textContent('mark')).toContain(HOSTILE);
        expect(await page.textContent('.warnings')).toContain(
            "channel 'short': 3 values, expected 301",
        );
        await page.click('#tab-plots');
        expect(await page.textContent('.card h3')).toBe(HOSTILE);
        expect(await page.textContent('.card .note')).toContain("'not there' is not recorded");
        quiet(w);
        await page.context().close();
    });

    test('says what is wrong with a page it cannot show', async () => {
        for (const [data, message] of [
            ['{"format":1,"runs":[', 'cannot be read'],
            ['{"format":7}', 'format 1'],
            ['', 'carries no run'],
        ] as const) {
            const w = await open(browser, 'broken', data);
            expect(await w.page.textContent('[role=alert]')).toContain(message);
            quiet(w);
            await w.page.context().close();
        }
    });

    test('shows a run without frames with its model', async () => {
        const w = await open(browser, 'empty', report(emptyRun()));
        expect(await w.page.textContent('.stage-message')).toContain('no frames');
        await w.page.keyboard.press('Space');
        await w.page.keyboard.press('n');
        for (const key of ['2', '3', '4']) await w.page.keyboard.press(key);
        expect(await w.page.textContent('.source')).toContain('Slider-crank');
        quiet(w);
        await w.page.context().close();
    });

    test('lays runs over each other and lists how they differ', async () => {
        const other = crankRun({ mu: 0.02, omega: 148, frames: 1501, file: 'other.h5' });
        const w = await open(browser, 'compare', report(crankRun(), other));
        const { page } = w;
        await page.keyboard.press('End');
        await page.waitForTimeout(200);
        const both = await pictureOf(page);
        await page.click('button[aria-label="What is shown"]');
        await page.getByLabel('Other runs, as outlines').uncheck();
        await page.waitForTimeout(200);
        expect((await pictureOf(page)).equals(both)).toBe(false);
        await page.click('#tab-compare');
        await shot(page, 'compare');
        expect(
            await page.$eval('[data-channel="crank.omega"] [data-value]', (e) =>
                Number((e as HTMLElement).dataset.value),
            ),
        ).toBeCloseTo(2, 9);
        await page.click('[data-channel="crank.omega"] button');
        const card = page
            .locator('.panel.plots .card')
            .filter({ hasText: 'Difference of crank.omega' });
        expect(await card.locator('.value').getAttribute('data-value').then(Number)).toBeCloseTo(
            -2,
            9,
        );
        await page.selectOption('.run-choice select', { label: 'other' });
        await page.click('#tab-model');
        expect(await page.textContent('.marked')).toContain('set to 0.02');
        quiet(w);
        await page.context().close();
    });

    test('shows machines in space from every side', async () => {
        const w = await open(browser, 'space', report(spaceRun()));
        const { page } = w;
        const pictures = new Set<string>();
        for (const view of ['front', 'side', 'top', 'corner']) {
            await page.locator('.stage-views').getByText(view).click();
            await page.waitForTimeout(150);
            pictures.add((await pictureOf(page)).toString('base64'));
        }
        expect(pictures.size).toBe(4);
        expect(await page.textContent('.status')).toBe('interrupted at t = 3 s');
        await shot(page, 'space');
        quiet(w);
        await page.context().close();
    });

    test('follows a body, shows trails and names', async () => {
        const w = await open(browser, 'crank', report(crankRun()));
        const { page } = w;
        await page.click('button[aria-label="What is shown"]');
        await page.getByLabel('Names of bodies').check();
        const place = async (name: string): Promise<number> =>
            (await page.locator('.stage-names span', { hasText: name }).boundingBox())!.x;
        const at = async (t: number): Promise<[number, number]> => {
            await page.fill('#clock', String(t));
            await page.keyboard.press('Enter');
            await page.waitForTimeout(150);
            return [await place('slider'), await place('crank')];
        };
        const [slider0] = await at(0);
        expect(Math.abs((await at(0.02))[0] - slider0)).toBeGreaterThan(20);
        await at(0);
        await page.getByLabel('Follow').selectOption('slider');
        await page.waitForTimeout(100);
        const [still, crank] = await at(0.02);
        expect(Math.abs(still - slider0)).toBeLessThan(1.5);
        expect(Math.abs(crank - (await at(0))[1])).toBeGreaterThan(20);
        const plain = await pictureOf(page);
        await at(0.05);
        await page.keyboard.press('t');
        await at(0);
        expect((await pictureOf(page)).equals(plain)).toBe(true);
        await at(0.05);
        const trails = await pictureOf(page);
        await page.keyboard.press('t');
        expect((await pictureOf(page)).equals(trails)).toBe(false);
        quiet(w);
        await page.context().close();
    });

    test('is dark where the system is, and remembers another wish', async () => {
        const w = await open(browser, 'crank', report(crankRun()), { colorScheme: 'dark' });
        const { page } = w;
        const theme = (): Promise<string | undefined> =>
            page.evaluate(() => document.documentElement.dataset.theme);
        expect(await theme()).toBe('dark');
        await page.keyboard.press('n');
        await page.keyboard.press('3');
        await page.waitForTimeout(200);
        await shot(page, 'dark');
        await page.keyboard.press('d');
        expect(await theme()).toBe('light');
        quiet(w);
        await page.context().close();
    });

    test('fits on a phone', async () => {
        const w = await open(browser, 'crank', report(crankRun()), {
            viewport: { width: 390, height: 844 },
            deviceScaleFactor: 2,
            hasTouch: true,
            isMobile: true,
        });
        const { page } = w;
        await page.tap('button[aria-label="Next event"]');
        expect(await timeOf(page)).toBeCloseTo(IMPACT_EVERY, 12);
        await page.waitForTimeout(200);
        await shot(page, 'phone');
        for (const tab of ['plots', 'events', 'energy', 'model']) {
            await page.tap(`#tab-${tab}`);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            expect(wide, tab).toBeLessThanOrEqual(390);
        }
        const small = await page.$$eval(
            '.dock button, .stage-tools button',
            (all) =>
                all.filter(
                    (b) =>
                        (b as HTMLElement).offsetWidth > 0 && (b as HTMLElement).offsetWidth < 40,
                ).length,
        );
        expect(small).toBe(0);
        const bar = (e: Element): number => (e as HTMLElement).offsetHeight - e.clientHeight;
        expect(await page.$eval('.tabs', bar)).toBeLessThan(2); // its border, no scroll bar
        quiet(w);
        await page.context().close();
    });

    test('keeps the buttons of the stage apart on a phone', async () => {
        const phone = { viewport: { width: 390, height: 844 } };
        const w = await open(browser, 'space', report(spaceRun()), phone);
        const [views, tools] = await Promise.all(
            ['.stage-views', '.stage-tools'].map((s) => w.page.locator(s).boundingBox()),
        );
        const apart =
            views!.x + views!.width <= tools!.x || views!.y >= tools!.y + tools!.height;
        expect(apart).toBe(true);
        quiet(w);
        await w.page.context().close();
    });

    test('can be used by keyboard alone, and everything has a name', async () => {
        const w = await open(browser, 'crank', report(crankRun()), { reducedMotion: 'reduce' });
        const { page } = w;
        await page.keyboard.press('?');
        expect(await page.isVisible('dialog.help')).toBe(true);
        await shot(page, 'help');
        await page.keyboard.press('Escape');
        expect(await page.isVisible('dialog.help')).toBe(false);
        await page.focus('#tab-plots');
        await page.keyboard.press('ArrowRight');
        expect(await page.getAttribute('#tab-events', 'aria-selected')).toBe('true');
        expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-events');
        const nameless = await page.$$eval('button, input, select, [role=tab]', (all) =>
            all
                .filter(
                    (e) =>
                        !(
                            e.getAttribute('aria-label') ||
                            e.textContent?.trim() ||
                            (e as HTMLInputElement).labels?.length
                        ),
                )
                .map((e) => e.className),
        );
        expect(nameless).toEqual([]);
        const seen = new Set<string>();
        for (let k = 0; k < 60; k++) {
            await page.keyboard.press('Tab');
            seen.add(
                await page.evaluate(
                    () =>
                        document.activeElement?.getAttribute('aria-label') ??
                        document.activeElement?.textContent ??
                        '',
                ),
            );
        }
        for (const name of [
            'Play',
            'Next event',
            'Time',
            'Speed',
            'What is shown',
            'Show everything',
        ])
            expect([...seen]).toContain(name);
        quiet(w);
        await page.context().close();
    });
});
