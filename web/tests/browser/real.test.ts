// Pages that the program wrote, against the numbers of the result files they come from.
//
// SPECHT_REAL_PAGES names a JSON file: [{ "name", "page", "runs": [{ events, impacts, ... }] }, ...],
// made from the result files by other code (tests/web/test_report_page.py).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coloursOf, FOLDER, hasChromium, launch, openFile, pictureOf, timeOf } from './browser';

interface Expected {
    bodies: number;
    frames: number;
    end: number;
    events: number;
    impacts: number; // instants
    impulse: number;
    lost: number;
    ledger: Record<string, number>; // at the end
    certificate: Record<string, number>;
    kinds: Record<string, number>;
    times: number[]; // of the first events after the start, each once
    channels: { name: string; t: number; value: number }[];
}

interface RealPage {
    name: string;
    page: string;
    runs: Expected[];
}

const list = process.env.SPECHT_REAL_PAGES;
const pages = list ? (JSON.parse(readFileSync(list, 'utf8')) as RealPage[]) : [];
const exact = (page: Page, selector: string): Promise<number> =>
    page.$eval(selector, (e) => Number((e as HTMLElement).dataset.value));
/** Equal up to the digits that a report keeps of an event. */
const near = (value: number, wanted: number, relative = 1e-6): void =>
    expect(Math.abs(value - wanted)).toBeLessThanOrEqual(
        relative * Math.max(Math.abs(wanted), 1e-12),
    );

describe
    .skipIf(!hasChromium || pages.length === 0)
    .each(pages.length > 0 ? pages : [{ name: 'none', page: '', runs: [] }])(
    'the report of $name',
    ({ name, page: path, runs }) => {
        let browser: Browser;
        beforeAll(async () => {
            browser = await launch();
        });
        afterAll(async () => {
            await browser?.close();
        });

        test('opens, plays and looks like something', async () => {
            const w = await openFile(browser, path);
            if (runs[0]!.bodies > 1)
                expect(await coloursOf(w.page, await pictureOf(w.page))).toBeGreaterThan(20);
            else expect(await w.page.textContent('.stage-message')).toContain('no bodies');
            await w.page.screenshot({ path: join(FOLDER, `real-${name}.png`) });
            const before = await pictureOf(w.page);
            await w.page.keyboard.press('Space');
            await w.page.waitForTimeout(700);
            await w.page.keyboard.press('Space');
            expect(await timeOf(w.page)).toBeGreaterThan(0);
            if (runs[0]!.bodies > 1) expect((await pictureOf(w.page)).equals(before)).toBe(false);
            await w.page.keyboard.press('End');
            near(await timeOf(w.page), Math.max(...runs.map((r) => r.end)), 1e-12);
            expect([w.faults, w.requests]).toEqual([[], []]);
            await w.page.context().close();
        });

        test('shows the numbers of the result file', async () => {
            const { page } = await openFile(browser, path);
            for (const [k, run] of runs.entries()) {
                if (k > 0) await page.selectOption('.run-choice select', String(k));
                await page.click('#tab-events');
                expect(await exact(page, '[data-key=events]')).toBe(run.events);
                expect(await exact(page, '[data-key=instants]')).toBe(run.impacts);
                near(await exact(page, '[data-key=impulse]'), run.impulse);
                near(await exact(page, '[data-key=lost]'), run.lost);
                await page.click('#tab-energy');
                for (const [entry, value] of Object.entries(run.ledger)) {
                    const cells = await page.$$eval(`[data-entry="${entry}"] td`, (all) =>
                        all.map((c) => Number((c as HTMLElement).dataset.value)),
                    );
                    expect(Math.abs(cells[1]! - value), entry).toBeLessThanOrEqual(
                        1e-6 * Math.max(...Object.values(run.ledger).map(Math.abs)),
                    );
                }
                for (const [entry, value] of Object.entries(run.certificate))
                    near(await exact(page, `[data-certificate="${entry}"]`), value);
            }
            await page.context().close();
        });

        test('filters and jumps to the events of the result file', async () => {
            const { page } = await openFile(browser, path);
            await page.click('#tab-events');
            for (const [kind, n] of Object.entries(runs[0]!.kinds)) {
                await page.click(`.chip[data-kind="${kind}"]`);
                expect(
                    await page.$eval('[data-shown]', (e) =>
                        Number((e as HTMLElement).dataset.shown),
                    ),
                    kind,
                ).toBe(n);
                await page.click(`.chip[data-kind="${kind}"]`);
            }
            for (const t of runs[0]!.times) {
                await page.keyboard.press('n');
                near(await timeOf(page), t, 1e-12);
            }
            if (runs[0]!.events > 0) {
                await page.keyboard.press('Home');
                await page.click('[data-row="0"]');
                expect(await timeOf(page)).toBeLessThanOrEqual(runs[0]!.times[0]! * (1 + 1e-12));
            }
            await page.context().close();
        });

        test('plots the values of the result file', async () => {
            const { page } = await openFile(browser, path);
            for (const { name: channel, t, value } of runs[0]!.channels) {
                await page.fill('.picker input', channel);
                await page.keyboard.press('Enter');
                await page.fill('#clock', String(t));
                await page.keyboard.press('Enter');
                const card = page.locator('.panel.plots .card').filter({
                    has: page.locator('h3', {
                        hasText: new RegExp(`^${channel.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
                    }),
                });
                const shown = Number(
                    await card.last().locator('.value').first().getAttribute('data-value'),
                );
                expect(Math.abs(shown - value), channel).toBeLessThanOrEqual(
                    1e-4 * Math.max(Math.abs(value), 1e-9),
                );
            }
            await page.context().close();
        });
    },
);
