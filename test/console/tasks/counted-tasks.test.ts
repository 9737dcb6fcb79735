import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { twoExperiments } from '../fixtures/experiment-fixture.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';
import { countedPerson } from './counted-person.ts';

const browser = visitor();
const NOON_YESTERDAY = new Date(new Date().setHours(-12, 0, 0, 0)).toISOString();
const word = `quokka${randomUUID().slice(0, 8)}`;
let stream: TestLogStream;

const trace = (name: string, seconds: number, status_code: number, created_at = NOON_YESTERDAY) => ({
  ...{ id: randomUUID(), name, created_at, status_code, input: `asks ${name}`, output: `told ${name}` },
  metrics: { duration_ns: seconds * 1e9 },
  spans: [{ type: 'llm', name: 'answer', model: 'large', input: `a ${word}`, output: 'b', created_at, metrics: { cost: 0.5 } }],
});
const bad = trace('slow failure', 5, 500);
const others = [
  trace('quick failure', 1, 500),
  trace('slow success', 5, 200),
  trace('failure of today', 5, 500, new Date().toISOString()),
];

beforeAll(async () => {
  stream = await makeLogStream();
  const { project_id, log_stream_id } = stream;
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces: [bad, ...others] });
});

/** Each task with its goal: more clicks and inputs fail the test. */
describe('the tasks of every day', () => {
  it('find the failed traces of yesterday slower than 3 s, by 3', async () => {
    const page = await browser.open(stream.place);
    const person = countedPerson(page, 'failed-traces');
    await person.choose(page.getByLabel('Time range'), 'Yesterday');
    await person.click(page.getByRole('button', { name: 'Errors' }));
    await person.choose(page.getByLabel('Duration at least'), '≥ 3 s');
    await page.getByText('1 trace', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'slow failure' }).waitFor();
    await person.finish(3);
  });

  it('add a bad trace to a dataset, by 2, with the way back to it', async () => {
    const dataset = await makeDataset([{ input: 'known', output: 'right' }]);
    const page = await browser.open(`/projects/${stream.project_id}/traces/${bad.id}`);
    const person = countedPerson(page, 'add-to-dataset');
    await person.click(page.getByRole('button', { name: 'Add to dataset' }));
    await page.getByLabel('Dataset', { exact: true }).waitFor();
    await expectAccessible(page);
    await person.click(page.getByRole('button', { name: 'Add', exact: true }));
    await page.getByRole('link', { name: dataset.name }).waitFor();
    await person.finish(2);
    expect(await readRows(dataset.id)).toContainEqual(
      expect.objectContaining({
        values_dict: expect.objectContaining({
          ...{ input: bad.input, output: bad.output },
          source_record: expect.objectContaining({ record_id: bad.id, project_id: stream.project_id }),
        }),
      }),
    );
  });

  it('add a selection of traces to a dataset, by 2 after it', async () => {
    const dataset = await makeDataset([{ input: 'known', output: 'right' }]);
    const page = await browser.open(stream.place, { theme: 'dark' });
    await page.getByRole('checkbox', { name: 'Select all of the page' }).check();
    const person = countedPerson(page, 'add-selection');
    await person.click(page.getByRole('button', { name: 'Add to dataset' }));
    await page.getByLabel('Dataset', { exact: true }).waitFor();
    await expectAccessible(page);
    await person.click(page.getByRole('button', { name: 'Add', exact: true }));
    await page.getByRole('link', { name: dataset.name }).waitFor();
    await person.finish(2);
    expect(await readRows(dataset.id)).toHaveLength(1 + 1 + others.length);
  });

  it('compare two experiments, by 3', async () => {
    const { project_id, baseline, candidate } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments`);
    const person = countedPerson(page, 'compare');
    await person.click(page.getByRole('checkbox', { name: `Compare ${baseline.name}` }));
    await person.click(page.getByRole('checkbox', { name: `Compare ${candidate.name}` }));
    await person.click(page.getByRole('link', { name: 'Compare 2' }));
    await page.getByText('Changed rows').first().waitFor();
    await person.finish(3);
  });

  it('annotate a record by a key for the answer and Enter, by 2 each', async () => {
    const { project_id, log_stream_id } = stream;
    const path = `/projects/${project_id}`;
    const body = { name: `Right ${randomUUID()}?`, annotation_type: 'like_dislike' };
    const { id: template_id } = await callTestConsole<{ id: string }>('POST', `${path}/annotation_templates`, body);
    const queue = { log_stream_id, name: 'of every day', template_ids: [template_id] };
    const { id } = await callTestConsole<{ id: string }>('POST', `${path}/annotation_queues`, queue);
    const page = await browser.open(`${path}/annotation/${id}`);
    const person = countedPerson(page, 'annotate');
    const records = 1 + others.length;
    for (let done = 1; done <= records; done += 1) {
      await page.getByRole('region', { name: body.name }).waitFor();
      await person.press('1');
      await person.press('Enter');
      await page.getByText(`${done} done`).first().waitFor();
    }
    await page.getByRole('heading', { name: 'Nothing to answer' }).waitFor();
    await person.finish(2 * records);
  });

  it('search a text in the spans of all log streams, by 2', async () => {
    const page = await browser.open(`/projects/${stream.project_id}`);
    await page.getByRole('button', { name: 'New log stream' }).waitFor();
    const person = countedPerson(page, 'search');
    await person.press('Control+k');
    await person.type(page.getByRole('combobox', { name: 'Go to' }), word);
    // All of them say it; the newest ones are shown, and of those of one moment any.
    await page.getByRole('option', { name: others.at(-1)!.name }).waitFor();
    await person.finish(2);
  });

  it('see the cost by model, and new traces as they come, by none', async () => {
    const page = await browser.open(`${stream.place}/trends`);
    await page.getByRole('article', { name: 'Cost by model' }).getByRole('link', { name: 'large' }).waitFor();
    const list = await browser.open(stream.place);
    await list.getByRole('link', { name: 'slow failure' }).waitFor();
    const [id] = await stream.log('just now');
    expect(id).toBeDefined();
    await list.getByRole('link', { name: 'just now' }).waitFor();
  });

  it('export traces, by 2', async () => {
    const page = await browser.open(stream.place);
    // The browser's own dialog for files is nothing a test can press.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
    const person = countedPerson(page, 'export');
    await person.click(page.getByRole('button', { name: 'Export' }));
    const download = page.waitForEvent('download');
    await person.click(page.getByRole('dialog').getByRole('button', { name: 'Export' }));
    await download;
    await person.finish(2);
  });
});
