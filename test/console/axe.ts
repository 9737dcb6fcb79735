import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rated moderate, yet it leaves people with a screen reader between places of one name. */
const ALSO = new Set(['landmark-unique']);

type WithAxe = { axe?: { run(within: string, options: RunOptions): Promise<AxeResults> } };

/** Fails on faults that keep people with a screen reader, a keyboard or weak eyes out; names each place. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await listAxeFaults(page)).toEqual([]);
}

interface AxeOptions {
  /** These alone. */
  readonly rules?: string[];
  /** Selector of the part to look at. */
  readonly within?: string | undefined;
}

/** Lists these faults. */
export async function listAxeFaults(page: Page, { rules, within = 'html' }: AxeOptions = {}): Promise<string[]> {
  // Put in by the browser's own door: as a script of the page the content security policy would refuse it.
  if (!(await page.evaluate(() => (globalThis as WithAxe).axe !== undefined))) await page.evaluate(source);
  const options: RunOptions = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  const { violations } = await page.evaluate(([part, wanted]) => (globalThis as WithAxe).axe!.run(part, wanted), [
    within,
    options,
  ] as const);
  const serious = violations.filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ALSO.has(id));
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
