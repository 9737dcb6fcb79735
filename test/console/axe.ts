import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rated moderate, yet it leaves people with a screen reader between places of one name. */
const ALSO = new Set(['landmark-unique']);

/** Fails on faults that keep people with a screen reader, a keyboard or weak eyes out; names each place. */
export async function expectAccessible(page: Page): Promise<void> {
  // Put in by the browser's own door: as a script of the page the content security policy would refuse it.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  const serious = violations.filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ALSO.has(id));
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}
