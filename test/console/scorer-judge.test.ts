import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { chooseIntegration } from './fixtures/chosen-integration.ts';
import { consoleApi, demoStreams, type FakeModel, newScorer, type Stream, startFakeModel } from './fixtures/scorer-fixture.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const VERDICT = { explanation: 'it greets', rating: true };
const WRITTEN = {
  metric_system_prompt: 'You judge greetings.',
  metric_description: 'A greeting.',
  template: 'Hello? {{output}}',
};
const testConsole = getTestConsole();
const api = consoleApi();
let stream: Stream;
let model: FakeModel;
let removeModel: () => Promise<void>;

beforeAll(async () => {
  stream = (await demoStreams(api))[0]!;
  model = await startFakeModel((request) => (request.includes('You write the prompts') ? WRITTEN : VERDICT));
});
afterAll(() => model.close());

const NAME = 'model-of-the-judges';
const MODEL = 'greeting-judge';

const setUpModel = () => chooseIntegration(NAME, `${model.url}/v1`, [MODEL]);

describe('a judge', () => {
  it('says what is missing while no model is set up', async () => {
    const { id } = await newScorer(api, { scorer_type: 'llm' });
    const page = await browser.open('/scorers');
    // Other tests set models up at the same time.
    await page.route('**/v2/llm_integrations', (route) => route.fulfill({ json: {} }));
    await page.goto(`${testConsole.url}/#/scorers/${id}/editor?project=${testConsole.project_id}&log_stream=${stream.id}`);
    await page.getByText('No model is set up that could judge').waitFor();
    await page.getByLabel('Model').fill('nobody-offers-this');
    await page.getByRole('button', { name: /^Test on/ }).click();
    await page.getByText('5 of 5 records failed').waitFor();
    await page.getByText('no integration offers the model "nobody-offers-this"').first().waitFor();
  });

  it('is tried on live records, saved, and tells what the next version changed', async () => {
    removeModel = await setUpModel();
    const { id } = await newScorer(api, { scorer_type: 'llm' });
    const page = await browser.open(`/scorers/${id}/editor?project=${testConsole.project_id}&log_stream=${stream.id}`);
    await page.getByLabel('Model').fill(MODEL);
    await page.getByLabel('Criteria').fill('Whether the answer greets the user.');
    await page.getByLabel('Prompt template').fill('Does this greet? {{input}}');
    await page.getByRole('button', { name: /^Test on/ }).click();
    await page.getByText('5 of 5 succeeded').waitFor();
    await page.getByText('it greets').first().waitFor();
    expect(model.asked.some((body) => body.includes('Whether the answer greets the user.'))).toBe(true);
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('link', { name: 'version 1' }).waitFor();
    await page.getByLabel('Number of judges').fill('3');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('link', { name: 'version 2' }).click();
    await page.getByRole('heading', { name: 'What version 2 changed' }).waitFor();
    const changed = await page.getByRole('region', { name: 'Version 2' }).textContent();
    expect(changed).toMatch(/judges.*1.*3/);
    expect(changed).not.toContain('Does this greet?');
  });

  it('is written by a model from a description, and saved by nobody but its author', async () => {
    const { id } = await newScorer(api, { scorer_type: 'llm' });
    const page = await browser.open(`/scorers/${id}/editor`);
    await page.getByLabel('Model').fill(MODEL);
    await page.getByRole('button', { name: 'Generate with AI' }).click();
    await page.getByLabel('What is to be judged?').fill('Whether it greets.');
    await page.getByRole('button', { name: 'Write' }).click();
    await expect.poll(() => page.getByLabel('System prompt').inputValue()).toBe('You judge greetings.');
    expect(await page.getByLabel('Prompt template').inputValue()).toBe('Hello? {{output}}');
    expect((await api.get<{ latest_version: unknown }>(`/scorers/${id}`)).latest_version).toBeNull();
    await removeModel();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { id } = await newScorer(api, { scorer_type: 'llm' });
    const page = await browser.open(`/scorers/${id}/editor`, { theme });
    await page.getByLabel('Prompt template').waitFor();
    await expectAccessible(page);
  });
});
