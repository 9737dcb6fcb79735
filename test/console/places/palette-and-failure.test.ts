import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { toFixture } from '../../../console/traces/fixture.ts';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { screenshot } from '../screenshot.ts';
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
    await page.getByRole('option', { name: 'plan a trip' }).first().waitFor();
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
    await why.getByRole('link', { name: 'Similar failures' }).click();
    await page.getByText('Name is “book”').waitFor();
    await page.getByRole('button', { name: 'Errors', pressed: true }).waitFor();
    await page.locator('tbody').getByRole('link', { name: 'book' }).first().waitFor();
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

describe('a record opened beside the list', () => {
  it('gives way to the next and the previous one by keys, and closes without the list being left', async () => {
    const page = await browser.open(stream.place);
    await page.getByRole('button', { name: 'Open older one beside the list' }).click();
    const panel = page.getByRole('region', { name: 'Opened record' });
    await panel.getByRole('heading', { name: 'older one' }).waitFor();
    expect(await panel.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'plan a trip' }).waitFor();
    await panel.getByText('the hotel does not answer').first().waitFor();
    expect(await page.getByRole('row', { name: /plan a trip/ }).getAttribute('aria-current')).toBe('true');
    expect(await panel.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await panel.getByRole('treeitem').filter({ hasText: 'guides' }).click();
    await panel.getByText('The Baltic is calm.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'record-panel');
    await page.reload();
    await panel.getByText('The Baltic is calm.').waitFor();
    await page.keyboard.press('k');
    await panel.getByRole('heading', { name: 'older one' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(page.url().endsWith(stream.place)).toBe(true);
  });

  it('shows what comes to a trace that is under way', async () => {
    const { project_id, log_stream_id } = await makeLogStream();
    const [id, path] = [randomUUID(), `/projects/${project_id}/traces`];
    const running = { id, name: 'under way', is_complete: false, spans: [{ type: 'tool', name: 'first step' }] };
    await callTestConsole('POST', path, { log_stream_id, traces: [running], is_complete: false });
    const page = await browser.open(`/projects/${project_id}/log_streams/${log_stream_id}?open=${id}`);
    const panel = page.getByRole('region', { name: 'Opened record' });
    await panel.getByRole('treeitem').filter({ hasText: 'first step' }).waitFor();
    const spans = [{ type: 'tool', name: 'second step' }];
    await callTestConsole('POST', `/projects/${project_id}/spans`, { log_stream_id, trace_id: id, parent_id: id, spans });
    await panel.getByRole('treeitem').filter({ hasText: 'second step' }).waitFor();
    await panel.getByRole('button', { name: 'Add to queue' }).click();
    await page.getByText('No queue holds records from here.').waitFor();
  });

  it('is the span in its trace, opened by a key in the row', async () => {
    const page = await browser.open(`${stream.place}?level=span&sort=name`, { theme: 'dark' });
    await page.getByRole('link', { name: 'answer' }).focus();
    await page.keyboard.press('o');
    const panel = page.getByRole('region', { name: 'Opened record' });
    await panel.getByRole('treeitem', { selected: true }).filter({ hasText: 'answer' }).waitFor();
    await page.keyboard.press('j');
    await panel.getByRole('treeitem', { selected: true }).filter({ hasText: 'book' }).waitFor();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('answer');
  });

  it('covers the list on a phone, and is no wider than it', async () => {
    const phone = await browser.open(`${stream.place}?open=${failed}`, { width: 390, height: 844 });
    const panel = phone.getByRole('region', { name: 'Opened record' });
    await panel.getByRole('treeitem').first().waitFor();
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    expect(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
  });

  it('is copied as a fixture, which logged again is the same trace', async () => {
    const page = await browser.open(`${stream.place}?open=${failed}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as fixture' }).click();
    await page.getByText('Copied').waitFor();
    const fixture = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
    const { project_id } = stream;
    const { id: log_stream_id } = await callTestConsole<{ id: string }>('POST', `/projects/${project_id}/log_streams`, {
      name: 'tests',
    });
    const path = `/projects/${project_id}/traces`;
    const { trace_ids } = await callTestConsole<{ trace_ids: string[] }>('POST', path, { log_stream_id, traces: [fixture] });
    const [again, first] = await Promise.all([...trace_ids, failed].map((id) => callTestConsole<object>('GET', `${path}/${id}`)));
    expect(toFixture(again!)).toBe(toFixture(first!));
    const { id: _other, ...sent } = variedTrace(failed);
    expect(fixture).toMatchObject(sent);
  });
});
