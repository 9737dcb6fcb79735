import { beforeAll, describe, expect, it } from 'vitest';
import type { RunComparison } from '../../core/health/comparison/run-comparison.ts';
import { expectAccessible } from './axe.ts';
import { listFaults } from './every-view/faults.ts';
import { consoleApi, datasetOfDemo, measuredVersion, newScorer, replySources, write } from './fixtures/scorer-fixture.ts';
import { makeLogStream } from './log-stream.ts';
import { screenshot } from './screenshot.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const api = consoleApi();
let scorer: { id: string; name: string };
let dataset_id: string;
const DATASET = 'Replies that somebody read';

beforeAll(async () => {
  dataset_id = await datasetOfDemo(api, DATASET);
  scorer = await newScorer(api, { name: 'reply_has_trouble' });
  for (const source of replySources) await measuredVersion(api, scorer.id, dataset_id, source);
  const { versions } = await api.get<{ versions: { id: string; version: number }[] }>(`/scorers/${scorer.id}/versions`);
  await api.patch(`/scorers/${scorer.id}`, { default_version_id: versions.find(({ version }) => version === 4)!.id });
});

describe('the drift of a scorer', () => {
  it('is told for a log stream, by the window and the reference that are chosen', async () => {
    const { project_id, log_stream_id } = await makeLogStream();
    const page = await browser.open(`/scorers/${scorer.id}/drift`);
    await page.getByRole('heading', { name: 'Choose a log stream' }).waitFor();
    await page.getByLabel('Project', { exact: true }).selectOption(project_id);
    await page.getByLabel('Log stream', { exact: true }).selectOption(log_stream_id);
    const values = page.getByRole('region', { name: 'Values of the scorer' });
    await values.getByText('Unknown: the reference has no values.').waitFor();
    await page.getByLabel('Reference').selectOption('against the 30 days before');
    await values.getByText('Unknown: the reference has no values.').waitFor();
    await expectAccessible(page);
  });
});

describe('the health of a scorer', () => {
  it('is drawn over versions with interval, baseline and gate, and told in numbers', async () => {
    const page = await browser.open(`/scorers/${scorer.id}/health?dataset=${dataset_id}`, { height: 880 });
    await page.getByRole('img', { name: 'Macro F1 over versions' }).waitFor();
    await page.getByRole('button', { name: 'Set a gate' }).click();
    await page.getByLabel('Dataset with ground truth').selectOption({ label: DATASET });
    await page.getByLabel('Margin').fill('0.05');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    expect(await page.getByRole('status').filter({ hasText: 'for version 5' }).textContent()).toMatch(/^Closed.*below/);

    const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Version \d/ }) });
    expect(await rows.count()).toBe(5);
    const { scores } = await api.get<{ scores: { score: number; interval: { low: number; high: number } }[] }>(
      `/scorers/${scorer.id}/health-scores?dataset_id=${dataset_id}`,
    );
    const fourth = scores[3]!;
    const shown = await rows.nth(3).textContent();
    expect(shown).toContain(fourth.score.toFixed(3));
    expect(shown).toContain(`${fourth.interval.low.toFixed(3)} to ${fourth.interval.high.toFixed(3)}`);
    await page.getByRole('button', { name: 'Version 4' }).click();
    await page.getByRole('heading', { name: 'Version 4 in detail' }).waitFor();
    await page.mouse.move(5, 5);
    await screenshot(page, 'scorer-health');
  });

  it('keeps a version behind a closed gate from becoming the default, unless somebody insists', async () => {
    const page = await browser.open(`/scorers/${scorer.id}/versions`);
    await page.getByRole('button', { name: 'Make default: version 5' }).click();
    await page.getByRole('dialog', { name: 'The gate is closed' }).waitFor();
    expect(await listFaults(page, 'dialog[open]')).toEqual([]);
    await page.getByRole('button', { name: 'Make default all the same' }).click();
    await page.getByRole('button', { name: 'Make default: version 4' }).click();
    await page.getByRole('row', { name: /Version 4 default/ }).waitFor();
    await page.getByRole('button', { name: 'Restore version 2' }).click();
    await page.getByRole('heading', { name: 'What version 6 changed' }).waitFor();
  });

  it('is measured when a version is saved that was tried on the rows of a dataset', async () => {
    const { id, name } = await newScorer(api);
    const page = await browser.open(`/scorers/${id}/health?dataset=${dataset_id}`);
    await page.getByRole('link', { name: 'its rows' }).click();
    await page.getByRole('combobox', { name: 'How many' }).waitFor();
    await page.getByRole('combobox', { name: 'Dataset', exact: true }).selectOption({ label: DATASET });
    await page.getByRole('combobox', { name: 'How many' }).selectOption('100 records');
    await write(page.getByRole('textbox', { name: `Code of ${name}` }), replySources[1]!);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/of \d+ succeeded/).waitFor();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('link', { name: /^Macro F1/ }).click();
    await page.getByRole('heading', { name: 'Version 1 in detail' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`/scorers/${scorer.id}/health?dataset=${dataset_id}`, { theme });
    await page.getByRole('heading', { name: /in detail/ }).waitFor();
    await expectAccessible(page);
  });
});

describe('the runs of a scorer', () => {
  it('are compared from its health: differences, corrected p-values, verdicts and the rows that differ', async () => {
    const page = await browser.open(`/scorers/${scorer.id}/health?dataset=${dataset_id}`);
    await page.getByRole('heading', { name: /in detail/ }).waitFor();
    await page.getByRole('link', { name: 'Compare runs' }).click();
    const runs = page.getByRole('group', { name: 'Runs' });
    const [first, last] = [runs.getByLabel('Version 1: trial'), runs.getByLabel('Version 5: trial')];
    await first.waitFor();
    expect(await runs.getByRole('checkbox', { checked: true }).count()).toBe(2);
    expect(await last.isChecked()).toBe(true);
    await first.check();
    const pairs = page.getByRole('region', { name: 'Differences' }).getByRole('row');
    await pairs.nth(2).waitFor();
    await page.getByText('p-values are corrected for 2 comparisons').waitFor();
    await page.getByLabel('Baseline').selectOption({ label: 'each pair' });
    await page.getByText('p-values are corrected for 3 comparisons').waitFor();

    const { scores } = await api.get<{ scores: { run_id: string; project_id: string }[] }>(
      `/scorers/${scorer.id}/health-scores?dataset_id=${dataset_id}`,
    );
    const compared = [scores[3]!, scores[4]!, scores[0]!].map(({ run_id }) => ({ run_id, scorer_id: scorer.id }));
    const { project_id } = scores[0]!;
    const report = await api.post<RunComparison>(`/projects/${project_id}/metrics-testing/compare`, { runs: compared });
    const words = { better: 'Better', worse: 'Worse', no_difference_shown: 'No difference shown', too_few_rows: 'Too few rows' };
    for (const [at, { verdict, better_rows, worse_rows }] of report.comparisons.entries()) {
      const cells = await pairs
        .nth(at + 1)
        .getByRole('cell')
        .allTextContents();
      expect(cells.slice(-5)[0]).toBe(String(better_rows));
      expect(cells.slice(-4)[0]).toBe(String(worse_rows));
      expect(cells.at(-1)).toBe(words[verdict]);
    }
    expect(report.comparisons[0]!.verdict).toBe('worse');
    await pairs.nth(2).getByRole('button').click();
    await page.waitForURL(/rows=2-0/);
    const differing = page.getByRole('region', { name: 'Differing rows' });
    await differing.getByRole('link', { name: 'true' }).first().click();
    await page.waitForURL(/\/traces\//);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be compared by everybody, %s', async (theme) => {
    const page = await browser.open(`/scorers/${scorer.id}/health?dataset=${dataset_id}`, { theme });
    await page.getByRole('heading', { name: /in detail/ }).waitFor();
    await page.getByRole('link', { name: 'Compare runs' }).click();
    await page.getByRole('region', { name: 'Differing rows' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `scorer-runs-compared-${theme}`);
  });
});
