import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import { expectAccessible } from './axe.ts';
import { api, newLogStream, variedTrace } from './sent-trace.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();
const trace_id = randomUUID();
let project: string;
let log_stream_id: string;

beforeAll(async () => {
  const made = await newLogStream();
  project = `/projects/${made.project_id}`;
  log_stream_id = made.log_stream_id;
  await api().post(`${project}/traces`, { log_stream_id, traces: [variedTrace(trace_id)] });
});

describe('what is said of a step', () => {
  it('by scorers stands with its value, how it was rolled up, and how sure the judges were', async () => {
    const page = await browser.open(`${project}/traces/${testConsole.trace_id}?show=scores`);
    const score = page.getByRole('region', { name: 'answer_grounded' });
    await score.getByText('average').first().waitFor();
    // No judge answers here without a vendor: what the service would say of three is put in its place.
    await page.route('**/records/*/scores', (route) => route.fulfill({ json: { scores: [judged] } }));
    await page.getByRole('treeitem').filter({ hasText: 'compose-answer' }).first().click();
    await score.getByText('2 of 3 judges agree').click();
    expect(await score.innerText()).toMatch(/it holds to the excerpts[\s\S]*3 judges · agreement 66\.7 %[\s\S]*not at all/);
  });

  it('by people in comments is written, changed and deleted, and shown to all with who wrote it', async () => {
    const page = await browser.open(`${project}/traces/${trace_id}?show=comments`);
    await page.getByText('No comments yet').waitFor();
    await page.getByLabel('Write a comment').fill('Why did it call the tool **twice**?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const comment = page.getByRole('listitem').filter({ hasText: 'Why did it call' });
    await comment.locator('strong', { hasText: 'twice' }).waitFor();
    const { email } = await api().get<{ email: string }>('/current_user');
    await comment.getByText(email).waitFor();
    await expectAccessible(page);
    await comment.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Edit the comment').fill('It called the tool once.');
    await page.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('listitem').filter({ hasText: 'It called the tool once.' });
    await changed.getByText('· changed').waitFor();
    await changed.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No comments yet').waitFor();
  });

  it('by users of the application is shown, and questions of the project are asked and answered', async () => {
    const feedback = { log_stream_id, record_id: trace_id, name: 'thumbs', feedback_type: 'like_dislike', value: false };
    await api().post(`${project}/feedback`, { ...feedback, explanation: 'too slow' });
    const page = await browser.open(`${project}/traces/${trace_id}?show=feedback`);
    await page.getByText('disliked · too slow').waitFor();
    const question = `Correct ${randomUUID()}?`;
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Annotation field', { exact: true }).fill(question);
    await page.getByRole('button', { name: 'Create' }).click();
    const form = page.getByRole('form', { name: question });
    await form.getByText('no answers yet').waitFor();
    await form.getByRole('button', { name: 'Like', exact: true }).click();
    await form.getByText('1 liked, 0 disliked').waitFor();
    await form.getByLabel('Why').fill('it is on the sea');
    // A reload would end the request if it were still under way.
    const saved = page.waitForResponse((response) => response.url().endsWith('/annotations'));
    await form.getByRole('button', { name: 'Save' }).click();
    await saved;
    await page.reload();
    await form.getByText('1 liked, 0 disliked').waitFor();
    expect(await form.getByLabel('Why').inputValue()).toBe('it is on the sea');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Clear' }).click();
    await form.getByText('no answers yet').waitFor();
  });

  it.each([
    { annotation_type: 'star', answer: '4 ★', said: '4 of 5 stars on average' },
    { annotation_type: 'tags', choices: ['rude', 'kind'], answer: 'kind', said: 'kind × 1' },
    { annotation_type: 'score', answer: '70', said: '70 on average' },
    { annotation_type: 'text', answer: 'well said', said: '1 answers' },
  ])('is answered in the way of the question: $annotation_type', async ({ answer, said, ...template }) => {
    const name = `${template.annotation_type} ${randomUUID()}`;
    await api().post(`${project}/annotation_templates`, { name, ...template });
    const page = await browser.open(`${project}/traces/${trace_id}?show=feedback`);
    const form = page.getByRole('form', { name });
    const button = form.getByRole('button', { name: answer });
    const choice = form.getByLabel(answer, { exact: true });
    await form.waitFor();
    if ((await button.count()) > 0) await button.click();
    else {
      if ((await choice.count()) > 0) await choice.check();
      else await form.getByLabel(name).first().fill(answer);
      await form.getByRole('button', { name: 'Save' }).click();
    }
    await form.getByText(said).waitFor();
  });
});

const judged: ScoreDetail = {
  of: 'record',
  scorer_id: randomUUID(),
  scorer_version_id: randomUUID(),
  metric_name: 'answer_grounded',
  status_type: 'success',
  value: 1,
  explanation: 'it holds to the excerpts',
  message: null,
  scored_at: '2026-11-10T08:00:00.000Z',
  times_scored: 1,
  model: 'a-judge',
  num_judges: 3,
  votes: [
    { value: 1, explanation: 'yes', model: null, weight: null },
    { value: 0, explanation: 'not at all', model: null, weight: null },
    { value: 1, explanation: null, model: null, weight: null },
  ],
  missing_votes: [],
  agreement: 2 / 3,
  input_tokens: 900,
  output_tokens: 60,
  cost: 0.001,
  latency_ms: 1200,
  cached: false,
  truncated: false,
  printed: null,
};
