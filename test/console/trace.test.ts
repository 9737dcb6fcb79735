import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { screenshot } from './screenshot.ts';
import { api, newLogStream, variedTrace } from './sent-trace.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();
const session_id = randomUUID();
const traces = [randomUUID(), randomUUID()] as const;
let project: string;
let address: string;

beforeAll(async () => {
  const { project_id, log_stream_id } = await newLogStream();
  project = `/projects/${project_id}`;
  address = `${project}/traces/${traces[0]}`;
  const later = { ...variedTrace(traces[1]), name: 'plan another', created_at: '2026-11-10T09:00:00.000Z' };
  await api().post(`${project}/traces`, { log_stream_id, session_id, traces: [variedTrace(traces[0]), later] });
});

const step = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name });
const pane = (page: Page) => page.getByRole('region', { name: 'Selected span' });

describe('a trace', () => {
  it('tells what it comes to and leads to its log stream, its session and the trace beside it', async () => {
    const page = await browser.open(address);
    await page.getByRole('heading', { name: 'plan a trip', level: 1 }).waitFor();
    const head = page.locator('main header');
    await head.getByRole('link', { name: 'Newer' }).waitFor();
    expect(await head.innerText()).toMatch(/Duration\s+3 s[\s\S]*Spans\s+4[\s\S]*Tokens\s+150[\s\S]*Cost\s+\$0\.0042/);
    expect(await head.getByRole('link', { name: session_id.slice(0, 8) }).getAttribute('href')).toContain(
      `/sessions/${session_id}`,
    );
    expect(await head.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await head.getByRole('link', { name: 'Newer' }).click();
    await page.getByRole('heading', { name: 'plan another', level: 1 }).waitFor();
    expect(page.url()).toContain(traces[1]);
  });

  it('is walked through with the arrow keys, and the address follows', async () => {
    const page = await browser.open(address);
    await page.getByRole('tree').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await pane(page).getByText('gpt-4.1-mini').waitFor();
    expect(page.url()).toContain('span=');
    await page.reload();
    await pane(page).getByText('gpt-4.1-mini').waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('treeitem').count()).toBe(2);
    expect(await step(page, 'travel agent').getAttribute('aria-expanded')).toBe('false');
    expect(await step(page, 'travel agent').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('treeitem').count()).toBe(5);
  });

  it('shows a model call as a conversation with its tool calls and their answers', async () => {
    const page = await browser.open(address);
    await step(page, 'answer').click();
    const text = await pane(page).innerText();
    expect(text).toMatch(/system\s+You plan trips\.[\s\S]*user\s+Where shall we go\?[\s\S]*assistant\s+call\s+weather/);
    expect(text).toContain('"place": "Rostock"');
    expect(text).toContain('answer of weather');
    expect(text).toMatch(/First token\s+400 ms[\s\S]*150 \(120 in, 30 out\)/);
  });

  it('shows what a retriever found, and what a text says once it is redacted', async () => {
    const page = await browser.open(address);
    await pane(page).getByText('To the [place].').waitFor();
    await step(page, 'guides').click();
    await pane(page).getByText('The Baltic is calm.').waitFor();
    expect(await pane(page).innerText()).toMatch(/score 0\.87[\s\S]*source\s+guide\.pdf/);
  });

  it('marks a failed step and says why it failed', async () => {
    const page = await browser.open(`${address}?errors=1`);
    await page.getByText('1 of 5').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(3);
    await step(page, 'book').click();
    expect(await pane(page).getByRole('alert').innerText()).toContain('the hotel does not answer');
  });

  it('is searched by what its steps were given and answered', async () => {
    const page = await browser.open(address);
    await page.getByRole('searchbox', { name: 'Find spans' }).fill('BALTIC calm');
    await page.getByText('1 of 5').waitFor();
    expect(await step(page, 'guides').count()).toBe(1);
    expect(await step(page, 'book').count()).toBe(0);
    await page.reload();
    await page.getByText('1 of 5').waitFor();
    await page.getByRole('searchbox', { name: 'Find spans' }).fill('nothing like it');
    await page.getByText('No spans match.').waitFor();
  });

  it('tells all of a step: ids, parameters, tags, metadata, and the record as JSON', async () => {
    const page = await browser.open(`${address}?show=details`);
    await pane(page).getByText('summer').waitFor();
    await pane(page).getByText('holiday').waitFor();
    await pane(page).getByRole('link', { name: 'JSON' }).click();
    await pane(page).getByText(`"id": "${traces[0]}"`).waitFor();
  });

  it('says that it is not there', async () => {
    const page = await browser.open(`${project}/traces/${randomUUID()}`);
    expect(await page.getByRole('alert').innerText()).toContain('trace_not_found');
  });

  it.each([
    ['light', 'content'],
    ['dark', 'content'],
    ['light', 'details'],
    ['dark', 'scores'],
    ['light', 'feedback'],
  ] as const)('can be read by everybody, %s, %s', async (theme, part) => {
    const page = await browser.open(`${project}/traces/${testConsole.trace_id}?show=${part}`, { theme });
    await page.getByRole('treeitem').first().waitFor();
    await step(page, 'compose-answer').first().click();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
    if (theme === 'light' && part === 'content') await screenshot(page, 'trace');
  });
});
