import { describe, expect, it } from 'vitest';
import type { JudgeCallViews } from '../../core/scorers/evidence/judge-call.ts';
import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import { judgeCall } from '../fixtures/judge-call.ts';
import { eventually } from '../setup/timing.ts';
import { listFaults } from './every-view/faults.ts';
import { consoleApi, newScorer, upload } from './fixtures/scorer-fixture.ts';
import { makeLogStream } from './log-stream.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const PROGRAM = 'function scorer(record) { return record.output.length < 100; }';

const calls: JudgeCallViews = {
  is_of_score: true,
  calls: [
    judgeCall({
      model: 'judge-1-2026-01-01',
      system: 'You are a judge.',
      messages: [{ role: 'user', content: 'Is this polite? told' }],
      schema: null,
    }),
  ],
};

/** A trace that code has scored. */
async function scored() {
  const api = consoleApi();
  const stream = await makeLogStream();
  const scorer = await newScorer(api);
  await upload(api, scorer.id, PROGRAM);
  const settings = `/projects/${stream.project_id}/log_streams/${stream.log_stream_id}/metric_settings`;
  await api.patch(settings, { scorers: [{ id: scorer.id }] });
  const [id] = await stream.log('question');
  const scores = `/projects/${stream.project_id}/runs/${stream.log_stream_id}/records/${id}/scores`;
  await eventually(async () => expect((await api.get<{ scores: object[] }>(scores)).scores).toHaveLength(1));
  return { place: `/projects/${stream.project_id}/traces/${id}?show=scores` };
}

describe('the evidence of a score', () => {
  it('is the score made again beside the stored one, by one press', async () => {
    const { place } = await scored();
    const page = await browser.open(place);
    await page.getByRole('button', { name: 'Score again and compare' }).click();
    const dialog = page.getByRole('dialog', { name: /scored again/ });
    await dialog.getByText('The result is the same.').waitFor();
    expect(await dialog.getByRole('row', { name: /^Stored .*true/ }).count()).toBe(1);
    expect(await dialog.getByRole('row', { name: /^Again .*true/ }).count()).toBe(1);
    expect(await listFaults(page, 'dialog[open]')).toEqual([]);
  });

  it('is what a judge was asked and what it wrote', async () => {
    const { place } = await scored();
    const page = await browser.open(place);
    await page.route(/\/records\/[^/]+\/scores$/, async (route) => {
      const reply = await route.fetch();
      const { scores } = (await reply.json()) as { scores: ScoreDetail[] };
      await route.fulfill({ json: { scores: scores.map((score) => ({ ...score, model: 'judge-1' })) } });
    });
    await page.route(/\/calls\?of=record$/, (route) => route.fulfill({ json: calls }));
    await page.reload();
    await page.getByRole('button', { name: 'Prompts and responses' }).click();
    const call = page.getByRole('dialog').getByRole('region', { name: 'Call 1' });
    await call.getByText('Is this polite? told').waitFor();
    await call.getByText('{"rating": true}').waitFor();
    await call.getByText(/judge-1-2026-01-01/).waitFor();
    expect(await listFaults(page, 'dialog[open]')).toEqual([]);
  });
});
