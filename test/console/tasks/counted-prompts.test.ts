import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTestConsole } from '../console-api.ts';
import { chooseIntegration } from '../fixtures/chosen-integration.ts';
import { makeDataset } from '../fixtures/dataset-fixture.ts';
import { startWritingModel, type WritingModel } from '../fixtures/writing-model.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { getTestConsole } from '../test-console.ts';
import { visitor } from '../visit.ts';
import { countedPerson } from './counted-person.ts';

const browser = visitor();
const [MODEL, INTEGRATION] = ['writes-for-tasks', `writing-for-tasks-${randomUUID().slice(0, 8)}`];
const [trace_id, span_id] = [randomUUID(), randomUUID()];
let stream: TestLogStream;
let model: WritingModel;
let removeIntegration: () => Promise<void>;

beforeAll(async () => {
  model = await startWritingModel();
  model.release();
  removeIntegration = await chooseIntegration(INTEGRATION, model.url, [MODEL]);
  stream = await makeLogStream();
  const { project_id, log_stream_id } = stream;
  const span = { id: span_id, type: 'llm', name: 'answer', model: MODEL, input: 'Say good morning', output: 'hello' };
  const trace = { id: trace_id, name: 'greeting', input: 'greet', output: 'hello', spans: [span] };
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces: [trace] });
});
afterAll(async () => {
  await removeIntegration();
  await model.close();
});

/** Each task with its goal: more clicks and inputs fail the test. */
describe('the tasks of who writes prompts', () => {
  it('write a prompt and run it over a dataset, by 4', async () => {
    const dataset = await makeDataset([{ text: 'one' }, { text: 'two' }]);
    const { id } = await callTestConsole<{ id: string }>('POST', '/templates', {
      ...{ name: `prompt ${randomUUID()}`, template: 'say {{text}}', settings: { model_alias: MODEL } },
    });
    const page = await browser.open(`/projects/${stream.project_id}/playground?template=${id}`);
    const person = countedPerson(page, 'run-a-prompt');
    await person.type(page.getByRole('region', { name: 'Variant 1' }).getByLabel('Prompt text'), 'Say {{text}} politely.');
    await person.click(page.getByText('Preview and run over a dataset'));
    await person.choose(page.getByRole('combobox', { name: 'Dataset' }), dataset.name);
    await person.click(page.getByRole('button', { name: 'Run Variant 1 over all rows' }));
    await page.getByText('Good morning').first().waitFor();
    await person.finish(4);
  });

  it('open any call of a model in the playground, by 1', async () => {
    const page = await browser.open(`/projects/${stream.project_id}/traces/${trace_id}?span=${span_id}`);
    const person = countedPerson(page, 'open-in-playground');
    await person.click(page.getByRole('link', { name: 'Open in playground' }));
    const text = page.getByRole('region', { name: 'Variant 1' }).getByLabel('Prompt text');
    await expect.poll(() => text.inputValue()).toContain('Say good morning');
    await person.finish(1);
  });

  it('see what a shared link leads to after signing in, by none but signing in', async () => {
    const { api_key } = getTestConsole();
    const page = await browser.open(`/projects/${stream.project_id}/traces/${trace_id}?span=${span_id}`, { signedIn: false });
    const person = countedPerson(page, 'shared-link');
    await person.click(page.getByRole('button', { name: 'API key' }));
    await person.type(page.getByLabel('API key', { exact: true }), api_key);
    await person.press('Enter');
    await page.getByRole('treeitem', { selected: true }).filter({ hasText: 'answer' }).waitFor();
    await person.finish(3);
  });
});
