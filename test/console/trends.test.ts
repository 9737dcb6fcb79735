import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TrendsDashboard } from '../../core/trends/dashboard.ts';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { makeLogStream } from './log-stream.ts';
import { screenshot } from './screenshot.ts';
import { getTestConsole } from './test-console.ts';
import { newTraffic, type Traffic, untilCounted } from './traffic.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();
let traffic: Traffic;
beforeAll(async () => {
  traffic = await newTraffic();
});

const widget = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const getTrends = (query = '', path = traffic.path) => browser.open(`${path}/trends?range=24h${query}`);

/** A log stream whose metric falls with the model, half of its hours ago. */
async function makeShift(): Promise<{ readonly path: string; readonly metric: string }> {
  const { project_id, log_stream_id, place } = await makeLogStream();
  const [hours, metric] = [60, `quality ${randomUUID()}`];
  const traces = Array.from({ length: hours }, (_, hour) => {
    const created_at = new Date(Date.now() - (hours - hour) * 3_600_000).toISOString();
    const isOld = hour < hours / 2;
    const call = { type: 'llm', input: 'a', output: 'b', created_at, model: isOld ? 'small-1' : 'small-2' };
    return { input: 'a', output: 'b', created_at, metrics: { [metric]: (isOld ? 0.8 : 0.4) + (hour % 2) / 100 }, spans: [call] };
  });
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces });
  const shown = { name: metric, type: 'line_chart', metric, section_id: 'mine' };
  await callTestConsole('POST', `${place}/trends/widgets`, shown);
  await untilCounted(place, hours, { start_time: new Date(Date.now() - 7 * 86_400_000), end_time: new Date() });
  return { path: place, metric };
}

describe('the dashboard of a log stream', () => {
  it('draws its records, with the same numbers as a table', async () => {
    const page = await getTrends();
    const traces = widget(page, 'Traces');
    await traces.getByRole('img', { name: 'Traces' }).waitFor();
    await traces.getByText('View as table').click();
    const cells = await traces.getByRole('cell').allTextContents();
    expect(cells.map(Number).reduce((sum, value) => sum + value, 0)).toBe(12);
    expect(await widget(page, 'Total traces').getByRole('link').textContent()).toBe('12');
    await widget(page, 'Trace latency').getByRole('button', { name: '≈ median' }).waitFor();
    await widget(page, 'Latency by span type')
      .getByRole('row', { name: /llm.*12/ })
      .waitFor();
    await widget(page, 'Cost').getByText('No data in this time').waitFor();
  });

  it.each(['light', 'dark'] as const)('marks what changed and tells it below, %s', async (theme) => {
    const place = await makeShift();
    const page = await browser.open(`${place.path}/trends?range=7d&interval=60`, { theme });
    const quality = widget(page, place.metric);
    await quality.getByRole('img', { name: place.metric }).waitFor();
    const summary = quality.locator('summary', { hasText: /changes$/ });
    await summary.focus();
    await page.keyboard.press('Enter');
    const changes = quality.getByRole('list', { name: `Changes, ${place.metric}` });
    const told = (text: RegExp) => changes.getByRole('listitem').filter({ hasText: text }).waitFor();
    await told(/Model small-2 is called from here on$/);
    await told(/: from 0.8\d* to 0.4\d* .*Near it:.*Model small-2 is called/);
    await expectAccessible(page);
    if (theme === 'light') await screenshot(page, 'trend-changes');
  });

  it('keeps the time and the interval in the address bar', async () => {
    const page = await getTrends();
    await page.getByLabel('Time').selectOption('Last 6 hours');
    await page.getByLabel('Interval').selectOption('15 minutes');
    await page.waitForURL(/range=6h.*interval=15/);
    await page.reload();
    await widget(page, 'Traces').getByRole('img').waitFor();
    expect(await page.getByLabel('Interval').inputValue()).toBe('15');
    await page.getByLabel('Time').selectOption('Last hour');
    await page.waitForURL((url) => !url.hash.includes('interval'));
  });

  it('leads from a bar, and from its row in the table, to the records of that time', async () => {
    const page = await getTrends('&interval=1440');
    await widget(page, 'Failed traces').getByText('View as table').click();
    const row = widget(page, 'Failed traces').getByRole('row').filter({ hasNotText: /^From/ }).last();
    const href = await row.getByRole('link').getAttribute('href');
    const filters: { column_id: string }[] = JSON.parse(new URLSearchParams(href!.split('?')[1]).get('filters')!);
    expect(filters.map(({ column_id }) => column_id)).toEqual(['created_at', 'created_at', 'status_code']);
    const drawing = widget(page, 'Traces').locator('.u-over');
    const { width, height } = (await drawing.boundingBox())!;
    await drawing.click({ position: { x: width - 20, y: height / 2 } });
    await page.waitForURL((url) => url.hash.startsWith(`#${traffic.path}?filters=`));
    await page.getByText('question').first().waitFor();
  });

  it('looks at the range that is dragged over a chart', async () => {
    const page = await getTrends();
    const drawing = widget(page, 'Traces').locator('.u-over');
    const box = (await drawing.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 10, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.getByRole('option', { name: / to / }).waitFor({ state: 'attached' });
  });

  it('shows the way to the newest records when there are none in the time', async () => {
    const page = await getTrends('&from=2020-01-01T00:00:00Z&to=2020-01-08T00:00:00Z');
    await page.getByRole('link', { name: 'Show the 14 days up to then' }).click();
    await widget(page, 'Traces').getByRole('img').waitFor();
  });

  it('says what is wrong when the service refuses', async () => {
    const page = await getTrends();
    await widget(page, 'Traces').getByRole('img').waitFor();
    await page.route('**/trends/widgets/query', (route) =>
      route.fulfill({ status: 422, json: { detail: 'too fine', code: 'too_many_buckets' } }),
    );
    await page.getByLabel('Time').selectOption('Last 6 hours');
    await page.getByRole('alert').getByText('too fine').waitFor();
  });
});

describe('a dashboard that is edited', () => {
  it('gets a widget, drawn by group, changes it and loses it again', async () => {
    const page = await getTrends('&edit=on');
    await page.getByRole('button', { name: 'Add widget' }).nth(2).click();
    await page.getByLabel('Name', { exact: true }).fill('Tokens by model');
    await page.getByLabel('Metric', { exact: true }).fill('num_total_tokens');
    await page.getByLabel('Aggregation', { exact: true }).selectOption('Sum');
    await page.getByLabel('Shown as').selectOption('Bars');
    await page.getByLabel('Group by').fill('model');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await widget(page, 'Tokens by model').getByRole('button', { name: 'small' }).waitFor();
    await page.getByRole('button', { name: 'Edit Tokens by model' }).click();
    await page.getByLabel('Shown as').selectOption('Table');
    await page.getByLabel('Size').selectOption('The whole width');
    await page.getByLabel('Column of a new filter').fill('model');
    await page.getByLabel('Condition of a new filter').selectOption('is not');
    await page.getByLabel('Value of a new filter').fill('small');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await widget(page, 'Tokens by model').getByText('by model · where model is not small').waitFor();
    await widget(page, 'Tokens by model')
      .getByRole('row', { name: /large.*720/ })
      .waitFor();
    await widget(page, 'Tokens by model').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await widget(page, 'Tokens by model').waitFor({ state: 'detached' });
  });

  it('shows the refusal of a widget and keeps what was typed', async () => {
    const page = await getTrends('&edit=on');
    await page.getByRole('button', { name: 'Edit Failed traces' }).click();
    await page.getByLabel('Group by').fill('no such column');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('no column to group by').waitFor();
    expect(await page.getByLabel('Group by').inputValue()).toBe('no such column');
  });

  it('moves widgets by the keyboard, into the next section too', async () => {
    const place = await newTraffic(1);
    const page = await getTrends('&edit=on', place.path);
    const order = async () => {
      const { sections } = await callTestConsole<TrendsDashboard>('GET', `${place.path}/trends`);
      return sections.slice(0, 2).map(({ widgets }) => widgets.map(({ name }) => name));
    };
    await page.getByRole('button', { name: 'Move Total traces up' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await order())[0]?.[0]).toBe('Total traces');
    await page.getByRole('button', { name: 'Move Error rate down' }).press('Enter');
    await expect.poll(async () => (await order())[1]?.[0]).toBe('Error rate');
  });

  it('gets sections, renames and removes them', async () => {
    const page = await getTrends('&edit=on');
    await page.getByRole('button', { name: 'Add section' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).last().click();
    await page.getByLabel('Name', { exact: true }).fill('Yours');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Yours' }).waitFor();
    await page.getByRole('button', { name: 'Remove section' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove section' }).click();
    await page.getByRole('heading', { name: 'Yours' }).waitFor({ state: 'detached' });
  });

  it('is written to a file, and another one is read from it', async () => {
    const page = await getTrends('&edit=on');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.sections[0].name).toBe('Traffic and errors');
    const path = join(tmpdir(), `dashboard-${traffic.log_stream_id}.json`);
    await writeFile(path, JSON.stringify({ ...file, sections: [{ ...file.sections[0], name: 'From a file' }] }));
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('File').setInputFiles(path);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'From a file' }).waitFor();
  });
});

describe('everybody', () => {
  const DEMO = { start_time: new Date('2026-11-09T00:00:00Z'), end_time: new Date('2026-11-18T00:00:00Z') };
  const query = `from=${DEMO.start_time.toISOString()}&to=${DEMO.end_time.toISOString()}&interval=1440`;

  it.each(['light', 'dark'] as const)('can read a dashboard, and edit it, %s', async (theme) => {
    const streams = await callTestConsole<{ id: string; name: string }[]>(
      'GET',
      `/projects/${testConsole.project_id}/log_streams`,
    );
    const path = `/projects/${testConsole.project_id}/log_streams/${streams.find(({ name }) => name === 'Travel desk')!.id}`;
    await untilCounted(path, 23, DEMO);
    const page = await browser.open(`${path}/trends?${query}`, { theme });
    await widget(page, 'Traces').getByRole('img').waitFor();
    if (theme === 'light') await screenshot(page, 'trends');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit dashboard' }).click();
    await page.getByRole('button', { name: 'Edit Trace latency' }).click();
    await expectAccessible(page);
  });
});
