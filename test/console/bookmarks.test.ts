import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { api, newLogStream } from './sent-trace.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const { project_id } = getTestConsole();
const browser = visitor();
const [first, second] = [randomUUID(), randomUUID()];
const session_id = randomUUID();
let stream: string;
let log_stream_id: string;

const star = (page: Page, name: string) => page.getByRole('button', { name: `Bookmark ${name}`, exact: true });
const pressed = (page: Page, name: string, isOn: boolean) =>
  page.getByRole('button', { name: `Bookmark ${name}`, exact: true, pressed: isOn }).waitFor();
const rows = (page: Page) => page.locator('tbody tr');

beforeAll(async () => {
  ({ log_stream_id } = await newLogStream());
  stream = `/projects/${project_id}/log_streams/${log_stream_id}`;
  const trace = (id: string, name: string) => ({
    id,
    name,
    input: 'a',
    output: 'b',
    spans: [{ type: 'llm', name: 'ask', input: 'x' }],
  });
  await api().post(`/projects/${project_id}/traces`, { log_stream_id, session_id, traces: [trace(first, 'lost order')] });
  await api().post(`/projects/${project_id}/traces`, { log_stream_id, traces: [trace(second, 'refund')] });
  await api().post(`/projects/${project_id}/comments`, { log_stream_id, record_id: second, text: 'look at this' });
});

describe('bookmarks', () => {
  it('are put on rows by a press or a key, and leave those rows alone by a filter', async () => {
    const page = await browser.open(stream);
    await rows(page).nth(1).waitFor();
    await star(page, 'refund').click();
    await pressed(page, 'refund', true);
    await page.getByRole('link', { name: 'lost order' }).focus();
    await page.keyboard.press('b');
    await pressed(page, 'lost order', true);
    await page.keyboard.press('b');
    await pressed(page, 'lost order', false);
    await page.getByRole('button', { name: 'Bookmarked', exact: true }).click();
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await pressed(page, 'refund', true);
    await expectAccessible(page);
  });

  it('are of a trace and a session, by the key b', async () => {
    const page = await browser.open(`/projects/${project_id}/traces/${first}`);
    await pressed(page, 'lost order', false);
    await page.keyboard.press('b');
    await pressed(page, 'lost order', true);
    await page.goto(`${page.url().split('#')[0]}#${stream}/sessions/${session_id}`);
    await page.getByRole('button', { name: /^Bookmark/, pressed: false }).waitFor();
    await page.keyboard.press('b');
    await page.getByRole('button', { name: /^Bookmark/, pressed: true }).waitFor();
  });

  it('are listed in the project, shared and taken away', async () => {
    const page = await browser.open(`/projects/${project_id}/bookmarks`, { theme: 'dark' });
    const row = rows(page).filter({ has: page.getByRole('link', { name: 'lost order' }) });
    await row.getByText('You').waitFor();
    await row.getByRole('button', { name: 'Share' }).click();
    await row.getByText('shared').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'refund' }).click();
    await pressed(page, 'refund', true);
  });
});

describe('the number of comments', () => {
  it('is a column once somebody wrote one, and a filter by one press', async () => {
    const page = await browser.open(stream);
    await page.getByRole('columnheader', { name: 'Comments' }).waitFor();
    await page.getByRole('button', { name: 'Commented' }).click();
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
    expect(await rows(page).locator('a.record-link').allInnerTexts()).toEqual(['refund']);
  });
});
