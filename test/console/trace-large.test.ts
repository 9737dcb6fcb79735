import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectWithin } from '../setup/timing.ts';
import { expectAccessible } from './axe.ts';
import { screenshot } from './screenshot.ts';
import { api, newLogStream } from './sent-trace.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const trace_id = randomUUID();
const [REQUESTS, SPANS_EACH] = [5, 2000];
const START = Date.parse('2026-11-10T08:00:00.000Z');
/** A screen holds about twenty; more are drawn above and below so that scrolling shows no holes. */
const MAX_ROWS = 60;
const MAX_SHOWN_MS = 10_000;
let address: string;

/** Agents of ten steps each. */
const toSpans = (request: number) =>
  Array.from({ length: SPANS_EACH / 10 }, (_, agent) => ({
    ...toSpan('agent', `agent ${request}-${agent}`, request * SPANS_EACH + agent * 10, 10),
    spans: Array.from({ length: 9 }, (_, at) =>
      toSpan(at % 3 === 0 ? 'tool' : 'llm', `step ${request}-${agent}-${at}`, request * SPANS_EACH + agent * 10 + at, 1),
    ),
  }));

const toSpan = (type: string, name: string, at: number, length: number) => ({
  type,
  name,
  created_at: new Date(START + at * 10).toISOString(),
  input: `What is said in ${name}? ${'It is a text of some length. '.repeat(8)}`,
  output: `This is said in ${name}.`,
  metrics: { duration_ns: length * 10_000_000, ...(type === 'llm' ? { num_input_tokens: 100, num_output_tokens: 20 } : {}) },
});

beforeAll(async () => {
  const { project_id, log_stream_id } = await newLogStream();
  address = `/projects/${project_id}/traces/${trace_id}`;
  const trace = { id: trace_id, name: 'very long', created_at: new Date(START).toISOString(), input: 'go', is_complete: false };
  await api().post(`/projects/${project_id}/traces`, { log_stream_id, traces: [trace] });
  for (let request = 0; request < REQUESTS; request += 1) {
    const spans = toSpans(request);
    await api().post(`/projects/${project_id}/spans`, { log_stream_id, trace_id, parent_id: trace_id, spans });
  }
});

describe('a trace of 10,000 spans', () => {
  it('is shown soon, scrolled and searched with few rows in the page', async () => {
    const page = await browser.open('/');
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    const rows = page.getByRole('treeitem');
    const began = performance.now();
    await page.goto(`${getTestConsole().url}/#${address}`);
    await rows.first().waitFor();
    const shown = performance.now() - began;
    await page.getByText('10,000').first().waitFor();
    expectWithin(MAX_SHOWN_MS, shown);
    expect(await rows.count()).toBeLessThan(MAX_ROWS);

    const frames = await page.getByRole('tree').evaluate(async (tree) => {
      const { requestAnimationFrame } = globalThis as unknown as { requestAnimationFrame(drawn: () => void): void };
      const taken: number[] = [];
      let most = 0;
      for (let at = 0; at < 100; at += 1) {
        const before = performance.now();
        tree.scrollTop = (tree.scrollHeight * at) / 100;
        await new Promise<void>(requestAnimationFrame);
        taken.push(performance.now() - before);
        most = Math.max(most, tree.querySelectorAll('[role=treeitem]').length);
      }
      return { median: taken.toSorted((a, b) => a - b)[50]!, worst: Math.max(...taken), most };
    });
    expect(frames.most).toBeLessThan(MAX_ROWS);
    expect(frames.most).toBeGreaterThan(10);

    await page.getByRole('tree').evaluate((tree) => {
      tree.scrollTop = 0;
    });
    await rows.filter({ hasText: 'step 0-0-2' }).click();
    for (let pages = 0; pages < 10; pages += 1) await page.keyboard.press('PageDown');
    await page.getByRole('treeitem', { selected: true }).filter({ hasText: 'step 0-10-2' }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('treeitem', { selected: true }).filter({ hasText: 'step 4-199-8' }).waitFor();
    const map = page.locator('.minimap');
    const { height } = (await map.boundingBox())!;
    await map.click({ position: { x: 20, y: height / 2 } });
    await rows.filter({ hasText: 'agent 2-100' }).waitFor();
    await screenshot(page, 'minimap');
    expect(await map.locator('rect').count()).toBeLessThan(300);

    // By keys alone: on from the tree to its minimap, through it, and back into the tree at what is seen.
    await page.getByRole('tree').press('Tab');
    const bar = page.getByRole('scrollbar', { name: 'Minimap of the spans' });
    expect(await bar.evaluate((element) => element.matches(':focus'))).toBe(true);
    const sight = () => bar.getAttribute('aria-valuetext');
    await page.keyboard.press('Home');
    await expect.poll(sight).toMatch(/^Spans 1 to \d+ of 10,001, from very long$/);
    await page.keyboard.press('PageDown');
    await expect.poll(sight).toMatch(/^Spans 1,00\d to 1,0\d\d of 10,001, from /);
    await page.keyboard.press('ArrowDown');
    await expect.poll(sight).toMatch(/^Spans 1,0[1-9]\d to /);
    await page.keyboard.press('End');
    await expect.poll(sight).toMatch(/ to 10,001 of 10,001, from /);
    await expectAccessible(page);
    const first = /from (.+)$/.exec((await sight())!)![1]!;
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { selected: true }).filter({ hasText: first }).waitFor();
    expect(await page.getByRole('tree').evaluate((element) => element.matches(':focus'))).toBe(true);
    const searching = performance.now();
    await page.getByRole('searchbox', { name: 'Find spans' }).fill('agent 3-7');
    await page.getByText('of 10,001').waitFor();
    const found = performance.now() - searching;
    expect(await rows.filter({ hasText: 'agent 3-7' }).count()).toBeGreaterThan(0);
    // Few rows are seen without a map.
    await map.waitFor({ state: 'detached' });
    const figures = {
      shown_ms: shown,
      scroll_frame_ms: frames.median,
      worst_frame_ms: frames.worst,
      rows: frames.most,
      search_ms: found,
    };
    process.stdout.write(
      `10,000 spans: ${JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}\n`,
    );
  });
});
