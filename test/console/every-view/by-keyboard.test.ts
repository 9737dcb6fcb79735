import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { callTestConsole } from '../console-api.ts';
import { makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { variedTrace } from '../sent-trace.ts';
import { getTestConsole } from '../test-console.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
const trace_id = randomUUID();
let stream: TestLogStream;

beforeAll(async () => {
  stream = await makeLogStream();
  const { project_id, log_stream_id } = stream;
  await stream.log('refund', 'order');
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces: [variedTrace(trace_id)] });
});

/** More elements than this nobody would pass on the way. */
const MOST_TABS = 60;
const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'));

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached by ${MOST_TABS} presses of Tab`);
}

/** Nothing here is clicked, filled in or focused by the test: each press is one that a person makes. */
describe('with a keyboard alone', () => {
  it('one signs in, and is where one came for', async () => {
    const { email, password } = getTestConsole();
    const page = await browser.open(stream.place, { signedIn: false });
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'refund' }).waitFor();
  });

  it('one filters a list, opens a trace from it, walks its tree, and is back at the row', async () => {
    const page = await browser.open(stream.place);
    const add = page.getByRole('button', { name: 'Add filter' });
    await expect.poll(() => add.isEnabled()).toBe(true);
    await tabTo(page, add);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    expect(await isFocused(dialog.getByLabel('Column'))).toBe(true);
    await tabTo(page, dialog.getByLabel('Value'));
    await page.keyboard.type('plan');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 trace', { exact: true }).waitFor();
    await expect.poll(() => isFocused(add)).toBe(true);

    const row = page.getByRole('link', { name: 'plan a trip' });
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    const tree = page.getByRole('tree');
    await tabTo(page, tree);
    const selected = page.getByRole('treeitem', { selected: true });
    await page.keyboard.press('End');
    await selected.filter({ hasText: 'book' }).waitFor();
    await page.getByRole('region', { name: 'Selected span' }).getByText('the hotel does not answer').waitFor();
    await page.keyboard.press('ArrowLeft');
    await selected.filter({ hasText: 'travel agent' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('treeitem', { name: /book/ }).waitFor({ state: 'detached' });
    await page.goBack();
    await expect.poll(() => isFocused(row)).toBe(true);
  });

  it('one opens a record beside the list, turns to the next one, and closes it', async () => {
    const page = await browser.open(stream.place);
    await tabTo(page, page.getByRole('link', { name: 'order' }));
    await page.keyboard.press('o');
    const panel = page.getByRole('region', { name: 'Opened record' });
    await panel.getByRole('heading', { name: 'order' }).waitFor();
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'refund' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('one adds a trace to a dataset, and is back at the button', async () => {
    const dataset = await makeDataset([{ input: 'known' }]);
    const page = await browser.open(`/projects/${stream.project_id}/traces/${trace_id}`);
    const add = page.getByRole('button', { name: 'Add to dataset' });
    await tabTo(page, add);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => isFocused(dialog.getByLabel('Dataset', { exact: true }))).toBe(true);
    // The newest one stands first.
    await tabTo(page, dialog.getByRole('button', { name: 'Add', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: dataset.name }).waitFor();
    expect(await readRows(dataset.id)).toHaveLength(2);
    await expect.poll(() => isFocused(add)).toBe(true);
  });

  it('one goes anywhere by the palette, and makes a project', async () => {
    const name = `by keys ${randomUUID()}`;
    const page = await browser.open(stream.place);
    await page.getByRole('link', { name: 'refund' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('Projects');
    await page.getByRole('option', { name: 'Projects' }).first().waitFor();
    await page.keyboard.press('Enter');
    const create = page.getByRole('button', { name: 'New project' });
    await tabTo(page, create);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(name).first().waitFor();
  });
});
