import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlmIntegrations } from '../../../core/models/llm-integration.ts';
import { callTestConsole } from '../console-api.ts';
import { chooseIntegration } from '../fixtures/chosen-integration.ts';
import { makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { type FakeModel, startFakeModel } from '../fixtures/scorer-fixture.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';
import { countedPerson } from './counted-person.ts';

const browser = visitor();
const [MODEL, INTEGRATION] = ['judge-of-the-tasks', 'model-of-the-tasks'];
const WHY = 'It neither greets nor thanks.';
let stream: TestLogStream;
let model: FakeModel;
let removeIntegration: () => Promise<void>;

beforeAll(async () => {
  stream = await makeLogStream();
  model = await startFakeModel(() => ({ explanation: WHY, rating: false }));
  removeIntegration = await chooseIntegration(INTEGRATION, `${model.url}/v1`, [MODEL]);
});
afterAll(async () => {
  await removeIntegration();
  await model.close();
});

/** Each task with its goal: more clicks and inputs fail the test. */
describe('the tasks of who improves an application', () => {
  it('write a judge and try it on 5 traces before it is saved, by 6', async () => {
    await stream.log('one', 'two', 'three', 'four', 'five');
    const page = await browser.open(`${stream.place}/scorers`);
    await page.route('**/v2/llm_integrations', async (route) => {
      // Other tests have models set up, too: the first one is taken.
      const all = (await (await route.fetch()).json()) as LlmIntegrations;
      const own = Object.entries(all).filter(([, { scorer_models }]) => scorer_models.includes(MODEL));
      await route.fulfill({ json: Object.fromEntries(own) });
    });
    const person = countedPerson(page, 'try-a-judge');
    await person.click(page.getByRole('button', { name: 'New scorer' }));
    await person.click(page.getByRole('radio', { name: /^Judge/ }));
    await person.type(page.getByLabel('Name', { exact: true }), `manners ${randomUUID().slice(0, 8)}`);
    await person.click(page.getByRole('button', { name: 'Create' }));
    await person.type(page.getByLabel('Criteria'), 'Whether the answer is polite.');
    await person.click(page.getByRole('button', { name: 'Test on 5 traces' }));
    await page.getByText('5 of 5 succeeded').waitFor();
    await page.getByText(WHY).first().waitFor();
    await person.finish(6);
    expect(model.asked.some((body) => body.includes('Whether the answer is polite.'))).toBe(true);
  });

  it('see why a score is bad, by 1 from the list of traces', async () => {
    const { project_id, log_stream_id } = await makeJudgedStream();
    const page = await browser.open(`/projects/${project_id}/log_streams/${log_stream_id}`);
    await page.getByRole('link', { name: 'impolite' }).waitFor();
    await expect.poll(() => model.asked.some((body) => body.includes('asks impolite'))).toBe(true);
    const person = countedPerson(page, 'why-a-score');
    await person.click(page.getByRole('link', { name: 'impolite' }));
    await page.getByRole('region', { name: 'Selected span' }).getByText(WHY).waitFor();
    await person.finish(1);
  });

  it('edit a row of a dataset and see the difference, by 6', async () => {
    const { id } = await makeDataset([{ input: 'It takes 5 days' }]);
    const page = await browser.open(`/datasets/${id}`);
    const person = countedPerson(page, 'edit-a-row');
    await person.click(page.getByRole('button', { name: 'Row 1, input: It takes 5 days' }));
    await person.type(page.getByLabel('Value'), 'It takes 8 days');
    await person.click(page.getByRole('button', { name: 'Apply', exact: true }));
    await person.click(page.getByRole('button', { name: 'Save as a new version' }));
    await page.getByText('changed and not saved').waitFor({ state: 'detached' });
    await person.click(page.getByRole('link', { name: 'Versions' }));
    await person.click(page.getByRole('row', { name: 'Version 2' }).getByRole('link', { name: 'Show changes' }));
    const edited = page.getByRole('region', { name: 'Row 1, edited' });
    await edited.getByRole('insertion').filter({ hasText: '8' }).waitFor();
    await person.finish(6);
    expect((await readRows(id)).map(({ values_dict }) => values_dict.input)).toEqual(['It takes 8 days']);
  });

  it('change a prompt, by 4 from the list of prompts', async () => {
    const name = `prompt ${randomUUID()}`;
    await callTestConsole('POST', '/templates', { name, template: 'Answer {{input}}.' });
    const page = await browser.open('/prompts');
    const person = countedPerson(page, 'change-a-prompt');
    await person.click(page.getByRole('link', { name }));
    await person.click(page.getByRole('button', { name: 'New version' }));
    await person.type(page.getByRole('dialog').getByLabel('Prompt text'), 'Answer {{input}} briefly.');
    await person.click(page.getByRole('button', { name: 'Save version' }));
    await page.getByText('Version 2').waitFor();
    await person.finish(4);
  });

  it('share a project, by 3', async () => {
    const email = `${randomUUID()}@example.org`;
    await callTestConsole('POST', '/users', { email });
    const page = await browser.open(`/projects/${stream.project_id}/sharing`);
    const person = countedPerson(page, 'share');
    await person.click(page.getByRole('button', { name: 'Share with a user' }));
    await person.type(page.getByLabel('E-mail'), email);
    await person.click(page.getByRole('button', { name: 'Share', exact: true }));
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    await person.finish(3);
  });

  it('make an alert, by 4', async () => {
    const page = await browser.open(`${stream.place}/trends`);
    const person = countedPerson(page, 'make-an-alert');
    await person.click(page.getByRole('button', { name: 'Add an alert to Traces', exact: true }));
    await person.type(page.getByLabel('Name', { exact: true }), 'too many');
    await person.type(page.getByLabel('Threshold'), '5000');
    await person.click(page.getByRole('button', { name: 'Create' }));
    await page.getByRole('link', { name: 'Alerts (1)' }).waitFor();
    await person.finish(4);
  });
});

/** A log stream with one trace, which a judge says no about. */
async function makeJudgedStream(): Promise<TestLogStream> {
  const judged = await makeLogStream();
  const facts = { scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
  const { id } = await callTestConsole<{ id: string }>('POST', '/scorers', {
    name: `polite ${randomUUID().slice(0, 8)}`,
    ...facts,
  });
  // As the editor saves it: judges explain themselves unless somebody switches that off.
  const version = {
    model_name: MODEL,
    cot_enabled: true,
    chain_poll_template: { template: 'Is it polite? {{input}} {{output}}' },
  };
  await callTestConsole('POST', `/scorers/${id}/version/llm`, version);
  const settings = `/projects/${judged.project_id}/log_streams/${judged.log_stream_id}/metric_settings`;
  await callTestConsole('PATCH', settings, { scorers: [{ id }] });
  await judged.log('impolite');
  return judged;
}
