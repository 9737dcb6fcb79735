import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
let stream: TestLogStream;
let page: Page;
const [large, hebrew] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  stream = await makeLogStream();
  const model = { type: 'llm', name: 'answer', model: 'a-model', input: 'q', output: '请处理退款' };
  const metrics = { num_total_tokens: 182_457, cost: 0.0246 };
  await callTestConsole('POST', `/projects/${stream.project_id}/traces`, {
    log_stream_id: stream.log_stream_id,
    traces: [
      { type: 'trace', id: large, name: 'large', input: 'reset my password', output: 'x', spans: [{ ...model, metrics }] },
      { type: 'trace', id: hebrew, name: 'שלום עולם', input: 'שלום, מה שלומך?', output: 'hello' },
    ],
  });
  page = await browser.open(stream.place);
});

const directionOf = (text: Locator) => text.evaluate((element) => element.matches(':dir(rtl)'));
const goTo = (place: string) => page.goto(`${page.url().split('#')[0]}#${place}`);
const search = async (text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Find records by words' }).fill(text);
  await page.keyboard.press('Enter');
};

describe('reading and finding in any script', () => {
  it('finds two characters of a script without spaces, in a span', async () => {
    await goTo(stream.place);
    await search('退款');
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
    await page.getByRole('link', { name: 'large' }).waitFor();
  });

  it('finds a part of a word once no whole word matches', async () => {
    await search('passwor');
    await page.getByRole('link', { name: 'large' }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
  });

  it('begins a sentence from right to left where it begins', async () => {
    await goTo(stream.place);
    const cell = page.locator('td .clip', { hasText: 'מה שלומך' });
    await cell.waitFor();
    expect(await directionOf(cell)).toBe(true);
    await goTo(`/projects/${stream.project_id}/traces/${hebrew}`);
    const text = page.getByRole('region', { name: 'Selected span' }).locator('.long-text').first();
    await text.waitFor();
    expect(await directionOf(text)).toBe(true);
  });

  it('shows all digits of a large count of tokens, and of a small cost the digits that count', async () => {
    await goTo(`/projects/${stream.project_id}/traces/${large}`);
    const row = page.getByRole('treeitem').filter({ hasText: 'answer' });
    const tokens = row.locator('.step-number').first();
    await tokens.waitFor();
    expect(await tokens.textContent()).toBe('182,457');
    expect(await tokens.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    expect(await row.locator('.step-number').nth(1).textContent()).toBe('$0.0246');
  });

  it('draws no bar for what has no duration', async () => {
    const row = page.getByRole('treeitem').filter({ hasText: 'answer' });
    expect(await row.locator('.step-took').textContent()).toBe('–');
    expect(await row.locator('.step-bar').count()).toBe(0);
  });

  it('writes numbers and times as the browser is set, with the time zone', async () => {
    const german = await browser.open(`/projects/${stream.project_id}/traces/${large}`, {
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
    });
    await german.getByText('182.457').first().waitFor();
    await german.getByText('0,0246 $').first().waitFor();
    expect(await german.locator('time').first().getAttribute('title')).toMatch(/MEZ|GMT\+1/);
  });
});

describe('the keyboard', () => {
  it('begins in the first field of a dialog', async () => {
    await goTo(stream.place);
    await page.getByRole('button', { name: 'Add filter' }).click();
    expect(await page.getByLabel('Column').evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('goes into a trace that is opened, and Back to its row', async () => {
    await page.getByRole('link', { name: 'large' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tree').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.goBack();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('large');
  });
});

describe('what goes wrong', () => {
  it('is said in a sentence, and tried again when that is asked for', async () => {
    await goTo('/');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.route('**/traces/partial_search', (route) => route.abort(), { times: 1 });
    await goTo(stream.place);
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: 'large' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('does not tell whether a project that one may not see is there', async () => {
    await goTo(`/projects/${randomUUID()}/settings`);
    const alert = page.getByRole('alert');
    await alert.getByText("You don't have access to this project, or it doesn't exist.").waitFor();
    expect(await alert.textContent()).not.toContain('project_not_found');
  });
});

it('shows the first row of a phone within the upper half of the screen, and the menu on one line', async () => {
  const phone = await browser.open(stream.place, { width: 390, height: 844 });
  await phone.locator('tbody tr').first().waitFor();
  expect((await phone.locator('header.top').boundingBox())!.height).toBeLessThan(60);
  expect((await phone.locator('tbody tr').first().boundingBox())!.y).toBeLessThan(320);
  expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
