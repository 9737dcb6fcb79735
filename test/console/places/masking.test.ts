import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
let stream: TestLogStream;
let page: Page;
const rules = () =>
  callTestConsole<{ rules: { name: string; is_enabled: boolean }[] }>('GET', `/projects/${stream.project_id}/masking-rules`);

beforeAll(async () => {
  stream = await makeLogStream();
  page = await browser.open(`/projects/${stream.project_id}/masking`);
});

describe('the masking rules of a project', () => {
  it('begin with a preset, in two presses', async () => {
    await page.getByRole('heading', { name: 'No masking rules yet' }).waitFor();
    await page.getByRole('button', { name: 'Add preset' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('cell', { name: 'E-mail addresses' }).first().waitFor();
    expect((await rules()).rules).toMatchObject([{ name: 'E-mail addresses', is_enabled: true }]);
  });

  it('take a pattern that was tried on a text before, and say what is wrong with one', async () => {
    await page.getByRole('button', { name: 'Add pattern' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('staff');
    await dialog.getByLabel('Test text').fill('ask EMP-12345 about it');
    await dialog.getByLabel('Pattern').fill('EMP-(?=\\d)');
    await dialog.getByRole('button', { name: 'Test pattern' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Pattern').fill('EMP-\\d{4,8}');
    await dialog.getByRole('button', { name: 'Test pattern' }).click();
    await dialog.getByText('ask [MASKED] about it').waitFor();
    await dialog.getByText('staff: 1').waitFor();
    await dialog.getByLabel('Replaced by').fill('[STAFF]');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'staff' }).getByText('[STAFF]').waitFor();
  });

  it('mask what is sent, and count it', async () => {
    await callTestConsole('POST', `/projects/${stream.project_id}/traces`, {
      log_stream_id: stream.log_stream_id,
      traces: [{ type: 'trace', id: randomUUID(), name: 'a', input: 'EMP-12345 and anne@example.org', output: 'x' }],
    });
    const counted = async (): Promise<string | null> => {
      await page.reload();
      return page.getByRole('row').filter({ hasText: 'staff' }).textContent();
    };
    await expect.poll(counted).toContain('[STAFF]1');
  });

  it('are tried together on JSON, switched off, and removed once that is confirmed', async () => {
    await page.getByLabel('Text or JSON').fill('{"to":"anne@example.org"}');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('"to": "[EMAIL]"').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'staff' });
    // Not `uncheck`: the box follows what the service has, after its response.
    await row.getByLabel('Enabled').click();
    await expect.poll(async () => (await rules()).rules.map(({ is_enabled }) => is_enabled)).toEqual([true, false]);
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('can be read by everybody, in both themes', async () => {
    await expectAccessible(page);
    const dark = await browser.open(`/projects/${stream.project_id}/masking`, { theme: 'dark' });
    await dark.getByRole('button', { name: 'Add pattern' }).click();
    await dark.getByLabel('Test text').waitFor();
    await expectAccessible(dark);
  });
});
