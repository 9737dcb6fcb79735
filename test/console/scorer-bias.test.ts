import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { chooseIntegration } from './fixtures/chosen-integration.ts';
import { consoleApi, type FakeModel, newScorer, startFakeModel } from './fixtures/scorer-fixture.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const api = consoleApi();
const MODEL = `bold-judge-${randomUUID().slice(0, 8)}`;
let model: FakeModel;
let removeIntegration: () => Promise<void>;
let scorer: { id: string; name: string };

/** A judge behind HTTP that finds right whatever is set in bold type. */
beforeAll(async () => {
  model = await startFakeModel((request) => ({ rating: request.includes('**') }));
  removeIntegration = await chooseIntegration(MODEL, `${model.url}/v1`, [MODEL]);
  scorer = await newScorer(api, { scorer_type: 'llm' });
  await api.post(`/scorers/${scorer.id}/version/llm`, { model_name: MODEL, num_judges: 1, user_prompt: 'Right? {{output}}' });
});
afterAll(async () => {
  await removeIntegration();
  await model.close();
});

describe('the bias of a judge', () => {
  it('is tested from the page of a version: planned, watched and read', async () => {
    const page = await browser.open(`/scorers/${scorer.id}/versions`);
    await page.getByText('This version was not tested for bias yet.').waitFor();
    await page.getByRole('button', { name: 'Test for bias' }).click();
    for (const probe of ['Position', 'Self-preference', 'Language', 'Prompt injection', 'Repeatability'])
      await page.getByLabel(probe).uncheck();
    await page.getByRole('button', { name: 'Estimate the cost' }).click();
    await page.getByText('72 questions, 72 calls of models.').waitFor();
    await expectAccessible(page);
    expect(model.asked).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Bias was found: formatting.').waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Formatting' }) });
    expect(await row.textContent()).toMatch(/Biased1 \(.* to 1\)24/);
    expect(await page.getByRole('row').filter({ hasText: 'Verbosity' }).textContent()).toContain('Not shown');
    await page.getByText('Formatting: what changed').click();
    await page.getByRole('cell', { name: 'parcel' }).waitFor();
    await expectAccessible(page);
  });

  it('is found by the command line too, which ends with 1', async () => {
    const { url, api_key } = getTestConsole();
    const env = { ...process.env, SERVICE_URL: url, SERVICE_API_KEY: api_key };
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['cli/judge-audit.ts', '--scorer', scorer.id, ...args], { env }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      );
    const formatting = await run('--probe', 'formatting');
    expect(formatting.code).toBe(1);
    expect(formatting.stdout).toMatch(/^formatting +biased +effect 1 /);
    expect(formatting.stdout).toContain('bias found: formatting');
    expect(await run('--probe', 'verbosity')).toMatchObject({ code: 0, stdout: expect.stringContaining('no bias found') });
    expect(await run('--dry-run')).toMatchObject({ code: 0, stdout: '' });
    expect(await run('--probe', 'charm')).toMatchObject({ code: 2, stderr: expect.stringContaining('422') });
  });
});
