import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLACE_PATHS } from '../../../console/shell/place-paths.ts';
import { visitor } from '../visit.ts';
import { closeByKey, listDialogTitles, listOpeners, openByKey } from './dialogs.ts';
import { listFaults, settle } from './faults.ts';
import { makeSamples, type Samples } from './samples.ts';

const browser = visitor();
let samples: Samples;
let page: Page;
/** Dialogs that stand at the end of a longer way, with the test that goes it and looks at them. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  'The gate is closed': 'test/console/scorer-health.test.ts',
  'Copy the key now': 'test/console/people.test.ts',
  'Prompts and responses of x': 'test/console/score-evidence.test.ts',
  'x, scored again': 'test/console/score-evidence.test.ts',
};
/** Titles of the dialogs that were looked at. */
const seen = new Set<string>();
/** Labels of the buttons that were pressed, with the route that they are in. */
const pressed = new Set<string>();

beforeAll(async () => {
  samples = await makeSamples();
  page = await browser.open('/');
});

describe('every dialog, by the keyboard alone, for everybody', () => {
  it.each(PLACE_PATHS)('of %s', async (path) => {
    const faults: string[] = [];
    for (const address of samples[path] ?? []) {
      await page.goto(`${page.url().split('#')[0]}#${address}`);
      await settle(page);
      for (const [text, opener] of await listOpeners(page)) {
        const key = `${path} ${text}`;
        if (pressed.has(key)) continue;
        pressed.add(key);
        const opened = await openByKey(page, opener);
        const own = seen.has(opened.title) ? [] : await listFaults(page, 'dialog[open]');
        seen.add(opened.title);
        const all = [...opened.faults, ...own, ...(await closeByKey(page, opener))];
        faults.push(...all.map((fault) => `${address}, ${opened.title}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

  it('none is forgotten', () => {
    const titles = listDialogTitles();
    expect(titles.length).toBeGreaterThan(60);
    const unseen = titles.filter(({ title }) => ![...seen].some((one) => title.test(one)));
    const elsewhere = Object.keys(SHOWN_BY);
    expect(
      unseen.filter(({ title }) => !elsewhere.some((one) => title.test(one))).map(({ where, title }) => `${where}: ${title}`),
    ).toEqual([]);
    // The list holds nothing that the crawl finds, or that no test looks at.
    expect(elsewhere.filter((one) => !unseen.some(({ title }) => title.test(one)))).toEqual([]);
    for (const test of Object.values(SHOWN_BY)) expect(readFileSync(test, 'utf8')).toContain("listFaults(page, 'dialog[open]')");
  });
});
