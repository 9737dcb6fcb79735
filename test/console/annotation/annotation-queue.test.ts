import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { api, newLogStream } from '../sent-trace.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
const question = `Right ${randomUUID()}?`;
let project: string;
let log_stream_id: string;
let template_id: string;

beforeAll(async () => {
  const made = await newLogStream();
  project = `/projects/${made.project_id}`;
  log_stream_id = made.log_stream_id;
  const traces = [1, 2, 3].map((n) => ({ id: randomUUID(), input: `question ${n}`, output: `answer ${n}` }));
  await api().post(`${project}/traces`, { log_stream_id, traces });
  const template = { name: question, annotation_type: 'like_dislike' };
  template_id = (await api().post<{ id: string }>(`${project}/annotation_templates`, template)).id;
});

const newQueue = async (name: string): Promise<string> => {
  const body = { log_stream_id, name, template_ids: [template_id] };
  return (await api().post<{ id: string }>(`${project}/annotation_queues`, body)).id;
};

describe('an annotation queue', () => {
  it('is made of the newest traces of a log stream, and listed with how far it is', async () => {
    const page = await browser.open(`${project}/annotation`);
    await page.getByRole('button', { name: 'New queue' }).click();
    const name = `queue ${randomUUID()}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Log stream').selectOption(log_stream_id);
    for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.uncheck();
    await page.getByLabel(question).check();
    await page.getByLabel('Newest traces').fill('2');
    await page.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('0 done · 2 to answer').waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
  });

  it('takes a key that is pressed as soon as the question is there', async () => {
    await newQueue('by quick keys');
    const page = await browser.open(`${project}/annotation`);
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector('.annotation-question')) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '2', bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.getByRole('row').filter({ hasText: 'by quick keys' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'by quick keys' }).waitFor();
    await expect
      .poll(() =>
        page.getByRole('region', { name: question }).getByRole('button', { name: 'Dislike' }).getAttribute('aria-pressed'),
      )
      .toBe('true');
  });

  it('is worked off by keys: answered, gone back to, skipped with a reason', async () => {
    const id = await newQueue('by keys');
    const page = await browser.open(`${project}/annotation/${id}`);
    const asked = page.getByRole('region', { name: question });
    const record = page.getByRole('article', { name: 'Record' });
    await asked.waitFor();
    const first = (await record.innerText()).match(/question \d/)![0];
    await page.keyboard.press('2');
    expect(await asked.getByRole('button', { name: 'Dislike' }).getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('n');
    await page.getByText('1 done · 2 to answer').waitFor();
    await record.getByText(first).waitFor({ state: 'detached' });
    await asked.waitFor();
    await page.keyboard.press('p');
    await record.getByText(first).waitFor();
    expect(await asked.getByRole('button', { name: 'Dislike' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Forward' }).click();
    await record.getByText(first).waitFor({ state: 'detached' });
    await asked.waitFor();
    const second = (await record.innerText()).match(/question \d/)![0];
    await page.keyboard.press('s');
    await page.getByLabel('Why').fill('unclear 1');
    await page.getByRole('button', { name: 'Skip', exact: true }).last().click();
    await page.getByText('1 done · 1 to answer · 1 skipped').waitFor();
    await record.getByText(second).waitFor({ state: 'detached' });
    await asked.waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing to answer' }).waitFor();
    await page.getByLabel('Part of the queue').selectOption('Progress');
    await page.getByText('unclear 1 × 1').waitFor();
    await page.getByRole('row').filter({ hasText: '@' }).getByRole('cell', { name: '2', exact: true }).waitFor();
  });

  it('gets people and more records, shows whose each is, and gives its answers to a dataset', async () => {
    const id = await newQueue('with people');
    const dataset = await makeDataset([{ input: 'a' }]);
    const page = await browser.open(`${project}/annotation/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const annotators = page.getByRole('group', { name: 'Annotators' });
    await annotators.getByRole('checkbox').first().check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const found = await api().get<{ assignee_ids: string[] }>(`${project}/annotation_queues/${id}`);
    expect(found.assignee_ids).toHaveLength(1);
    await page.getByRole('region', { name: question }).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('1 done · 2 to answer').waitFor();
    await page.getByLabel('Part of the queue').selectOption('Records');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'has it' }).getByRole('button', { name: 'Release' }).click();
    await rows.filter({ hasText: 'has it' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add records' }).click();
    await page.getByLabel('Type').selectOption('span');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('Done');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await rows.filter({ hasText: 'answered' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Answers to dataset' }).click();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ label: dataset.name });
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: '1 rows added' }).click();
    await page.getByRole('columnheader', { name: 'mgt' }).waitFor();
  });

  it('takes all traces that filters let through, as a dataset does', async () => {
    const id = await newQueue('by filter');
    const dataset = await makeDataset([{ input: 'a' }]);
    const page = await browser.open(`${project}/log_streams/${log_stream_id}?level=trace`);
    await page.getByLabel('Time range').selectOption('Last 24 hours');
    await page.getByRole('button', { name: 'Add all to queue' }).click();
    await page.getByRole('combobox', { name: 'Queue' }).selectOption({ label: 'by filter' });
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('status').getByRole('link', { name: 'by filter' }).waitFor();
    expect(await api().get(`${project}/annotation_queues/${id}`)).toMatchObject({ num_pending: 3 });
    await page.getByRole('button', { name: 'Add all to dataset' }).click();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ label: dataset.name });
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('status').getByRole('link', { name: dataset.name }).waitFor();
    await expect.poll(async () => (await readRows(dataset.id)).length).toBe(4);
  });

  it('gets another name and order, and is deleted', async () => {
    const id = await newQueue('first name');
    const page = await browser.open(`${project}/annotation/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('second name');
    await dialog.getByLabel('Order').selectOption('newest');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'second name' }).waitFor();
    const queues = () => api().get<{ id: string; name: string; order_by: string }[]>(`${project}/annotation_queues`);
    expect((await queues()).find((one) => one.id === id)).toMatchObject({ name: 'second name', order_by: 'newest' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'New queue' }).waitFor();
    expect((await queues()).map((one) => one.id)).not.toContain(id);
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const id = await newQueue(`for all ${theme}`);
    const page = await browser.open(`${project}/annotation/${id}`, { theme });
    await page.getByRole('region', { name: question }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Part of the queue').selectOption('Progress');
    await page.getByRole('heading', { name: 'Agreement' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Part of the queue').selectOption('Review');
    await page.getByText('Nothing to review').waitFor();
  });
});
