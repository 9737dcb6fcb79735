import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { makeLogStream } from './log-stream.ts';
import { screenshot } from './screenshot.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const { project_id } = getTestConsole();
const browser = visitor();
let place: string;

const rows = (page: Page) => page.locator('tbody tr');
const total = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

beforeAll(async () => {
  const streams = await callTestConsole<{ id: string; name: string }[]>('GET', `/projects/${project_id}/log_streams`);
  place = `/projects/${project_id}/log_streams/${streams.find(({ name }) => name === 'Operations helper')!.id}`;
});

describe('the records of a log stream', () => {
  it.each([
    ['trace', 'light'],
    ['span', 'dark'],
    ['session', 'light'],
    ['trace', 'dark'],
  ] as const)('can be read by everybody: %s, %s', async (level, theme) => {
    // Sessions of single traces, too: the demo's traces have no others here.
    const page = await browser.open(`${place}?level=${level}&implicit=shown`, { theme });
    await rows(page).first().waitFor();
    await total(page, level);
    await page.getByRole('button', { name: 'Add filter', disabled: false }).waitFor();
    await expectAccessible(page);
    if (level === 'trace') await screenshot(page, `records-${theme}`);
  });

  it('show scores in words, numbers to the right, and lead to their trace', async () => {
    const page = await browser.open(`${place}?level=span`);
    await page.getByRole('columnheader', { name: 'tool_call_failed' }).waitFor();
    await page.getByText('✗ false').first().waitFor();
    await page.getByText('⚠ 529').first().waitFor();
    const duration = page.getByRole('columnheader', { name: 'Duration' });
    expect(await duration.getAttribute('class')).toBe('number');
    expect(await page.locator('a.record-link').first().getAttribute('href')).toMatch(/^#\/projects\/[^/]+\/traces\/[^/]+\?span=/);
  });

  it('word a score as the record itself does', async () => {
    const page = await browser.open(place);
    const row = rows(page)
      .filter({ has: page.locator('.score') })
      .first();
    await row.waitFor();
    const said = await row.locator('.score').first().textContent();
    await page.goto(new URL((await row.locator('a.record-link').getAttribute('href'))!, page.url()).href);
    await page.getByRole('link', { name: /^Scores/ }).click();
    await page.locator('.score-entry .score', { hasText: said! }).first().waitFor();
  });

  it('do not wait for counts and columns', async () => {
    const page = await browser.open('/');
    await page.route(/(count|available_columns)$/, () => undefined);
    await page.goto(`${page.url().split('#')[0]}#${place}`);
    await rows(page).first().waitFor();
    expect(await page.getByText('Counting …').isVisible()).toBe(true);
  });

  it('that would be expensive are refused with the estimate, and run on request', async () => {
    const page = await browser.open('/');
    const detail = [{ loc: ['body'], msg: 'too much', ctx: { estimated_rows: 30_000_000, max_rows: 25_000_000 } }];
    await page.route(/\/traces\/(partial_search|count|facets)$/, async (route) => {
      if (route.request().postDataJSON().allow_expensive) return route.continue();
      return route.fulfill({ status: 422, json: { detail, code: 'query_too_expensive' } });
    });
    await page.goto(`${page.url().split('#')[0]}#${place}`);
    const refusal = page.getByRole('alert').filter({ hasText: 'About 30,000,000 records would have to be looked at' });
    await refusal.first().waitFor();
    await expectAccessible(page);
    await refusal.first().getByRole('button', { name: 'Run anyway' }).click();
    await rows(page).first().waitFor();
    expect(await refusal.count()).toBe(0);
    await page
      .getByRole('status')
      .filter({ hasText: /^[\d,]+ traces/ })
      .waitFor();
  });

  it('are sorted by a press on a head, which the address keeps', async () => {
    const page = await browser.open(place);
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.waitForURL(/sort=-metrics%2Fduration_ns/);
    await page.locator('th[aria-sort=descending]', { hasText: 'Duration' }).waitFor();
    await page.getByText('1 min 17 s').waitFor();
    expect(await rows(page).first().textContent()).toContain('1 min 17 s');
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.reload();
    await page.locator('th[aria-sort=ascending]', { hasText: 'Duration' }).waitFor();
  });

  it('are filtered by any column, one condition a chip, which the address keeps', async () => {
    const page = await browser.open(place);
    await page.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Column').selectOption({ label: 'Duration' });
    await dialog.getByLabel('Condition').selectOption({ label: '≥' });
    await dialog.getByLabel('Value').fill('soon');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('"soon" is not a duration').waitFor();
    await dialog.getByLabel('Value').fill('20');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await total(page, '3 traces');
    await page.reload();
    await total(page, '3 traces');
    await page.getByRole('button', { name: 'Duration ≥ 20 s', exact: true }).click();
    await dialog.getByLabel('Value').fill('1 min 10 s');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await total(page, '1 trace');
    await page.getByRole('button', { name: /^Remove filter/ }).click();
    await total(page, '18 traces');
  });

  it('are undone by Back, one change at a time: order, filter and page', async () => {
    const page = await browser.open(`${place}?level=span`);
    const hash = () => new URL(page.url()).hash;
    await total(page, '121 spans');
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.waitForURL(/sort=/);
    const sorted = hash();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('a');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.waitForURL(/filters=/);
    const filtered = hash();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.waitForURL(/after=/);
    for (const before of [filtered, sorted, `#${place}?level=span`]) {
      await page.goBack();
      expect(hash()).toBe(before);
    }
    await total(page, '121 spans');
    await page.locator('th[aria-sort=descending]', { hasText: 'Created at' }).waitFor();
  });

  it('are found by words, and say so when none is', async () => {
    const page = await browser.open(place);
    const search = page.getByRole('searchbox', { name: 'Find records by words' });
    await search.fill('payments call');
    await search.press('Enter');
    await total(page, '1 trace');
    await search.fill('no such words at all');
    await search.press('Enter');
    await page.getByText('No traces match').waitFor();
    await search.fill('');
    await total(page, '18 traces');
  });

  it('have the columns that are chosen', async () => {
    const page = await browser.open(place);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Tags' }).check();
    await page.getByRole('checkbox', { name: 'Output', exact: true }).uncheck();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor();
    await page.waitForURL(/columns=/);
    expect(await page.getByRole('columnheader', { name: 'Output' }).count()).toBe(0);
  });

  it('are turned page by page, there and back', async () => {
    const page = await browser.open(`${place}?level=span`);
    await total(page, '121 spans');
    const first = await page.locator('a.record-link').first().getAttribute('href');
    const turn = async (name: string, count: number): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => rows(page).count()).toBe(count);
    };
    await turn('Next', 50);
    await expect.poll(() => page.locator('a.record-link').first().getAttribute('href')).not.toBe(first);
    await turn('Next', 21);
    await turn('Previous', 50);
    await turn('Previous', 50);
    await expect.poll(() => page.locator('a.record-link').first().getAttribute('href')).toBe(first);
  });

  it('are opened one after the other beside the list, over the edge of the page and back', async () => {
    const page = await browser.open(`${place}?level=span`);
    const opened = async (at: number): Promise<void> => {
      const current = rows(page).nth(at).and(page.locator('[aria-current]'));
      await current.waitFor();
      const span = /span=(.+)/.exec((await current.locator('a.record-link').getAttribute('href'))!)![1];
      await page.getByRole('region', { name: 'Opened record' }).locator(`[id="step-${span}"][aria-selected=true]`).waitFor();
      expect(page.url()).toContain(`open=${span}`);
    };
    await rows(page)
      .last()
      .getByRole('button', { name: /beside the list$/ })
      .click();
    await opened(49);
    await page.keyboard.press('j');
    await opened(0);
    expect(page.url()).toContain('after=');
    await page.keyboard.press('k');
    await opened(49);
    await page.keyboard.press('k');
    await opened(48);
  });

  it('are gone through by keys', async () => {
    const page = await browser.open(place);
    await page.locator('a.record-link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('1 trace selected').waitFor();
    await page.keyboard.press('ArrowDown');
    const third = await page.locator('a.record-link').nth(2).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === third);
  });

  it('name what of an address cannot be read', async () => {
    const page = await browser.open(`${place}?filters=nonsense`);
    await page.getByRole('alert').filter({ hasText: 'filters in this address' }).waitFor();
    await total(page, '18 traces');
  });
});

describe('a log stream that is written to', () => {
  it('shows what comes, how many, and keeps what is selected', async () => {
    const stream = await makeLogStream();
    await stream.log('oldest', 'newer');
    const page = await browser.open(stream.place);
    await page.getByRole('checkbox', { name: 'Select newer' }).check();
    await stream.log('just came');
    await page.getByRole('link', { name: 'just came' }).waitFor();
    await page.getByText('1 new').waitFor();
    await total(page, '3 traces');
    expect(await page.getByRole('checkbox', { name: 'Select newer' }).isChecked()).toBe(true);
  });

  it('stays as it is while live is off', async () => {
    const stream = await makeLogStream();
    await stream.log('one');
    const page = await browser.open(`${stream.place}?live=off`);
    await rows(page).first().waitFor();
    await page.waitForLoadState('networkidle');
    await stream.log('two');
    await page.waitForTimeout(4_000);
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('switch', { name: 'Live' }).check();
    await page.getByRole('link', { name: 'two' }).waitFor();
  });

  it('loses the selected records once that is confirmed', async () => {
    const stream = await makeLogStream();
    await stream.log('kept', 'unwanted');
    const page = await browser.open(stream.place);
    await page.getByRole('checkbox', { name: 'Select unwanted' }).check();
    await page.getByRole('button', { name: 'Delete 1 trace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 trace' }).click();
    await page.getByRole('link', { name: 'unwanted' }).waitFor({ state: 'detached' });
    await total(page, '1 trace');
    await page.getByRole('link', { name: 'kept' }).waitFor();
  });
});
