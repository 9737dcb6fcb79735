import { beforeAll, describe, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { newTraffic, type Traffic } from './traffic.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const LOOK_MS = 40_000;
let traffic: Traffic;
beforeAll(async () => {
  traffic = await newTraffic(12);
});

describe('insights', () => {
  it('are found once they are looked for, and lead to the records that show them', async () => {
    const page = await browser.open(`${traffic.path}/insights`);
    await page.getByRole('heading', { name: 'No insights yet' }).waitFor();
    await page.getByLabel('Enable insights').check();
    await page.getByText('since').waitFor();
    const found = page.getByRole('article', { name: /lookup.* fails with 500/ });
    await found.waitFor({ timeout: LOOK_MS });
    await found.getByRole('list', { name: 'Records that show it' }).getByRole('link').first().click();
    await page.waitForURL(/\/traces\/.*span=/);
  });

  it('are dismissed and opened again', async () => {
    const page = await browser.open(`${traffic.path}/insights`);
    await page.getByRole('button', { name: /^Dismiss: .*lookup/ }).click();
    await page.getByRole('button', { name: /^Dismiss: .*lookup/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('Dismissed');
    await page.waitForURL(/status=dismissed/);
    await page.getByRole('button', { name: /^Open again: .*lookup/ }).click();
    await page.getByRole('heading', { name: 'Nothing was dismissed' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`${traffic.path}/insights`, { theme });
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
  });
});
