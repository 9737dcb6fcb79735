import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { variedTrace } from '../sent-trace.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
const failed = randomUUID();
let stream: TestLogStream;

beforeAll(async () => {
  stream = await makeLogStream();
  const { project_id, log_stream_id } = stream;
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces: [variedTrace(failed)] });
  await stream.log('older one');
});

describe('the command palette', () => {
  it('finds a text in the traces of all log streams by two inputs, and a record by its id', async () => {
    const page = await browser.open(`/projects/${stream.project_id}`);
    await page.getByRole('button', { name: 'New log stream' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('Baltic');
    await page.getByRole('option', { name: 'plan a trip' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Go to' }).fill(failed);
    await page.getByRole('option', { name: 'plan a trip Trace' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'plan a trip', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('masking');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add preset' }).waitFor();
  });
});

describe('a trace that failed', () => {
  it('says on top where it began and why, and leads there', async () => {
    const page = await browser.open(`/projects/${stream.project_id}/traces/${failed}`, { theme: 'dark' });
    const why = page.getByRole('region', { name: 'Why it failed' });
    await why.getByText('the hotel does not answer').waitFor();
    await why.getByRole('button', { name: 'book' }).click();
    await page.waitForURL(/span=/);
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await expectAccessible(page);
  });

  it('goes to the trace beside it by a key, and stays in the part that is shown', async () => {
    const page = await browser.open(`/projects/${stream.project_id}/traces/${failed}?show=json`);
    await page
      .getByRole('link', { name: 'Newer' })
      .or(page.getByRole('link', { name: 'Older' }))
      .first()
      .waitFor();
    const newer = (await page.getByRole('link', { name: 'Newer' }).count()) > 0;
    await page.keyboard.press(newer ? 'k' : 'j');
    await page.getByRole('heading', { name: 'older one', level: 1 }).waitFor();
    expect(page.url()).toContain('show=json');
  });
});
