import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { makeLogStream } from './log-stream.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const { url } = getTestConsole();
const browser = visitor();

async function exported(page: Page, format: string, columns: string): Promise<string> {
  // The browser's own dialog for files is nothing a test can press.
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Format').selectOption(format);
  await dialog.getByLabel('Columns').selectOption(columns);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()]);
  expect(download.suggestedFilename()).toBe(`traces.${format}`);
  return readFile(await download.path(), 'utf8');
}

describe('an export', () => {
  it('holds what the filters let through, whole or by the columns of the table', async () => {
    const stream = await makeLogStream();
    await stream.log('one', 'two', 'another one');
    const filter = { type: 'text', column_id: 'name', operator: 'contains', value: 'one', case_sensitive: true };
    const page = await browser.open(`${stream.place}?filters=${encodeURIComponent(JSON.stringify([filter]))}`);
    await page.getByText('2 traces').waitFor();
    const lines = (await exported(page, 'jsonl', 'all')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['another one', 'one']);
    const [head, first] = (await exported(page, 'csv', 'shown')).split('\r\n');
    expect(head).toBe('id,name,input,output,created_at');
    expect(first).toContain(',another one,asks another one,told,');
  });
});

describe('a log stream without records', () => {
  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open((await makeLogStream()).place, { theme });
    await page.getByRole('heading', { name: 'Send the first trace' }).waitFor();
    await expectAccessible(page);
  });

  it('tells how to send the first trace with a new key, and shows it when it came', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(stream.place);
    await page.getByRole('button', { name: 'Put in a new API key' }).click();
    await page.getByText('Keep the key now').waitFor();
    const told = (await page.locator('pre').textContent()) ?? '';
    const [, address] = /curl (\S+)/.exec(told)!;
    const [, key] = /Service-API-Key: ([^"]+)"/.exec(told)!;
    const [, body] = /-d '(.*)'/s.exec(told)!;
    expect(address).toBe(`${url}/v2/projects/${stream.project_id}/traces`);
    const headers = { 'Service-API-Key': key!, 'Content-Type': 'application/json' };
    expect((await fetch(address!, { method: 'POST', headers, body: body! })).status).toBe(200);
    await page.getByRole('link', { name: 'first question' }).waitFor();
  });

  it('tells the settings of an OpenTelemetry exporter, which work', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(stream.place);
    await page.getByRole('button', { name: 'Put in a new API key' }).click();
    await page.getByText('Keep the key now').waitFor();
    await page.getByRole('button', { name: 'OpenTelemetry' }).click();
    const told = (await page.locator('pre').textContent()) ?? '';
    const [, endpoint] = /OTLP_ENDPOINT=(\S+)/.exec(told)!;
    const [, headers] = /OTLP_HEADERS="(.*)"/.exec(told)!;
    const sent = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...Object.fromEntries(headers!.split(',').map((pair) => pair.split('='))) },
      body: JSON.stringify(ONE_SPAN),
    });
    expect(sent.status).toBe(200);
    await page.getByRole('link', { name: 'from an exporter' }).waitFor();
  });
});

const ONE_SPAN = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'from an exporter',
              kind: 1,
              startTimeUnixNano: '1767225600000000000',
              endTimeUnixNano: '1767225601000000000',
            },
          ],
        },
      ],
    },
  ],
};
