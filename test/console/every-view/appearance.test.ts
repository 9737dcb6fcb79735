import { expect, it } from 'vitest';
import { visitor } from '../visit.ts';

const browser = visitor();

it('the theme and the density of rows are switched, and stay so', async () => {
  const page = await browser.open('/');
  const row = page.getByRole('row').filter({ hasText: 'Touchstone demo' });
  const rowHeight = async (): Promise<number> => (await row.boundingBox())!.height;
  await row.waitFor();
  const compact = await rowHeight();
  await page.getByRole('button', { name: 'Comfortable' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await rowHeight()).toBeGreaterThan(compact);
  await page.reload();
  await page.getByRole('button', { name: 'Light' }).waitFor();
  await row.waitFor();
  expect(await rowHeight()).toBeGreaterThan(compact);
  await page.getByRole('button', { name: 'Compact' }).click();
  expect(await rowHeight()).toBe(compact);
});
