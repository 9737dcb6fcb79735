import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { screenshot } from '../screenshot.ts';
import { visitor } from '../visit.ts';

const output = [
  '## Cause of the outage',
  'The pool was **exhausted**, see [the runbook](https://example.org/runbook) and `max_connections`.',
  '- retries were unbounded\n  - in two services\n- nobody was paged',
  '| Service | Errors |\n|---|---|\n| ledger | 4,211 |',
  '```python\ndef retry(call):  # bounded now\n    return call(limit=3)\n```',
  '<img src=x onerror=alert(1)>',
].join('\n\n');
const [trace_id, session_id] = [randomUUID(), randomUUID()];
const browser = visitor();
let stream: TestLogStream;

beforeAll(async () => {
  stream = await makeLogStream();
  const { project_id, log_stream_id } = stream;
  const traces = [{ id: trace_id, name: 'post mortem', input: 'What happened?', output }];
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, session_id, traces });
});

async function expectRendered(page: Page): Promise<void> {
  await page.getByText('Cause of the outage', { exact: true }).waitFor();
  await page.locator('strong', { hasText: 'exhausted' }).waitFor();
  await page.getByRole('columnheader', { name: 'Service' }).waitFor();
  await page.locator('.code-keyword', { hasText: 'return' }).waitFor();
  const link = page.getByRole('link', { name: 'the runbook' });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  // HTML in it is text of the page, and none of its elements.
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await page.locator('img[src="x"]').count()).toBe(0);
}

describe('a text in Markdown', () => {
  it.each(['light', 'dark'] as const)('is rendered in a trace, or shown as it came, %s', async (theme) => {
    const page = await browser.open(`/projects/${stream.project_id}/traces/${trace_id}`, { theme });
    await expectRendered(page);
    await expectAccessible(page);
    await screenshot(page, `markdown-${theme}`);
    await page.getByRole('button', { name: 'Raw' }).click();
    await page.getByText('## Cause of the outage').waitFor();
    await page.reload();
    await page.getByText('## Cause of the outage').waitFor();
    await page.getByRole('button', { name: 'Rendered' }).click();
    await expectRendered(page);
  });

  it('is rendered in a session, and told without marks in the table', async () => {
    const page = await browser.open(`${stream.place}/sessions/${session_id}`);
    await expectRendered(page);
    await expectAccessible(page);
    await page.goto(`${page.url().split('#')[0]}#${stream.place}`);
    const cell = page.getByRole('cell', { name: /^Cause of the outage/ });
    expect(await cell.innerText()).toContain('was exhausted');
  });
});
