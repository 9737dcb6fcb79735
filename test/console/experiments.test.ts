import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { twoExperiments } from './fixtures/experiment-fixture.ts';
import { consoleApi, newScorer, upload } from './fixtures/scorer-fixture.ts';
import { visitor } from './visit.ts';

const browser = visitor();

describe('experiments', () => {
  it('are listed with their averages and rank, and chosen to be compared', async () => {
    const { project_id, baseline, candidate, dataset } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments`);
    await page.getByRole('columnheader', { name: 'quality' }).waitFor();
    const row = page.getByRole('row', { name: candidate.name });
    expect(await row.textContent()).toContain(dataset.name);
    // Averages follow what was logged at a short distance.
    const averaged = async (): Promise<string | null> => {
      await page.reload();
      return row.textContent();
    };
    await expect.poll(averaged).toContain('0.813');
    expect(await row.textContent()).toContain('Best');
    await page.getByRole('checkbox', { name: `Compare ${baseline.name}` }).check();
    await page.getByRole('checkbox', { name: `Compare ${candidate.name}` }).check();
    await page.getByRole('link', { name: 'Compare 2' }).click();
    await page.waitForURL(new RegExp(`compare\\?ids=${baseline.id},${candidate.id}`));
  });

  it('show each of their rows with what is right, and take tags', async () => {
    const { project_id, candidate } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments/${candidate.id}`);
    const row = page.getByRole('row', { name: 'May I return a jersey?' });
    await row.waitFor();
    expect(await row.textContent()).toContain('quality 0.75');
    expect(await row.getByRole('cell', { name: 'Within 60 days, unworn.' }).count()).toBe(2);
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByLabel('Key').fill('release');
    await page.getByLabel('Value').fill('2026.44');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'release: 2026.44' }).click();
    await page.getByLabel('Value').fill('2026.45');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('release: 2026.45').waitFor();
    await page.getByRole('button', { name: 'Take tag release off' }).click();
    await page.getByText('release: 2026.45').waitFor({ state: 'detached' });
    await row.getByRole('link').click();
    await page.waitForURL(/traces/);
  });

  it('are renamed, say how scores are spread, and have scorers enabled, disabled and recomputed', async () => {
    const { project_id, candidate } = await twoExperiments();
    const api = consoleApi();
    const { id, name } = await newScorer(api, { output_type: 'percentage' });
    await upload(api, id, 'function scorer() { return 0.5; }');
    const page = await browser.open(`/projects/${project_id}/experiments/${candidate.id}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('the better one');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'the better one', level: 1 }).waitFor();
    const scorers = page.getByRole('region', { name: 'Scorers' });
    await scorers.getByRole('button', { name: 'Enable a scorer' }).click();
    await page.getByLabel('Find scorers by name').fill(name);
    await page.getByRole('button', { name: `Enable ${name}` }).click();
    await scorers.getByRole('link', { name }).waitFor();
    await scorers.getByRole('button', { name: 'Recompute' }).click();
    await page.getByRole('button', { name: 'Estimate' }).click();
    await page.getByRole('status').filter({ hasText: 'would be judged again' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Recompute' }).click();
    await page.getByRole('status').filter({ hasText: 'are being judged again' }).waitFor();
    await page.keyboard.press('Escape');
    const spread = async (): Promise<string | null> => {
      await page.reload();
      await page.getByText('How the scores are spread').click();
      await page.getByText('Nothing is scored yet.').or(page.getByRole('region', { name })).waitFor();
      return page.locator('details', { hasText: 'How the scores are spread' }).textContent();
    };
    await expect.poll(spread).toMatch(new RegExp(`${name} mean 0.5`));
    await expectAccessible(page);
    await scorers.getByRole('button', { name: `Disable ${name}` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Disable ${name}` })
      .click();
    await scorers.getByText('No scorer judges the rows.').waitFor();
    await page.goto(page.url().replace(`/${candidate.id}`, ''));
    await page.getByText('How the scores of all experiments are spread').click();
    await page.getByRole('region', { name }).waitFor();
  });

  it('have a scorer calibrated by their rows, or say why there is no version', async () => {
    const { project_id, candidate } = await twoExperiments();
    const api = consoleApi();
    const { id } = await newScorer(api, { output_type: 'percentage' });
    await upload(api, id, 'function scorer() { return 0.5; }');
    await callTestConsole('POST', `/projects/${project_id}/runs/${candidate.id}/scorer-settings`, { scorers: [{ id }] });
    const page = await browser.open(`/projects/${project_id}/experiments/${candidate.id}`);
    await page.getByRole('button', { name: 'Calibrate a scorer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Calibrate a scorer' });
    await dialog.getByRole('status').filter({ hasText: '0 rows with Boolean ground truth.' }).waitFor();
    await dialog.getByLabel('Mapping').selectOption('Platt scaling');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make a version' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'fewer than ten true' }).waitFor();
  });

  it('have a prompt run over a dataset, and say why that stopped', async () => {
    const { project_id, dataset } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments`);
    await page.getByRole('button', { name: 'New experiment' }).click();
    await page.getByLabel('Name', { exact: true }).fill('a run');
    await page.getByLabel('Dataset').selectOption({ label: dataset.name });
    await page.getByLabel('Model').fill('some-model');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: /a run/ }).waitFor();
    await page.getByText('some-model', { exact: true }).waitFor();
    await page.getByRole('alert').getByText('no integration offers the model').waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { project_id, candidate } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments`, { theme });
    await page.getByRole('link', { name: candidate.name }).waitFor();
    await expectAccessible(page);
    const one = await browser.open(`/projects/${project_id}/experiments/${candidate.id}`, { theme });
    await one.getByRole('row', { name: 'Do you repair frames?' }).waitFor();
    await expectAccessible(one);
  });
});

describe('two experiments beside each other', () => {
  it('tell what was set differently, what came of it, and in which rows', async () => {
    const { project_id, baseline, candidate } = await twoExperiments();
    const page = await browser.open(`/projects/${project_id}/experiments/compare?ids=${baseline.id},${candidate.id}`);
    const settings = page.getByRole('region', { name: 'Configuration changes' });
    await settings.getByRole('insertion').filter({ hasText: 'politely' }).waitFor();
    expect(await settings.textContent()).not.toMatch(/model.alias/i);
    const quality = page.getByRole('row', { name: 'quality' });
    expect(await quality.textContent()).toContain('+0.375');
    const rows = page.getByRole('region', { name: 'Changed rows: quality' });
    expect(await rows.getByRole('article').count()).toBe(3);
    expect(await rows.textContent()).not.toContain('Do you repair frames?');
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.getByText('−0.375').first().waitFor();
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.waitForURL(/metric=duration_ns/);
    await page.getByText('None.', { exact: true }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { project_id, baseline, candidate } = await twoExperiments();
    const place = `/projects/${project_id}/experiments/compare?ids=${baseline.id},${candidate.id}`;
    const page = await browser.open(place, { theme });
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
  });
});

describe('an experiment under way', () => {
  it('says so in place of its rows, and not that none were logged', async () => {
    const { project_id, baseline } = await twoExperiments();
    const page = await browser.open('/');
    await page.route(`**/experiments/${baseline.id}`, async (route) => {
      const experiment = await (await route.fetch()).json();
      await route.fulfill({ json: { ...experiment, status: { log_generation: { progress_percent: 0.5 } } } });
    });
    await page.route('**/traces/search', (route) =>
      route.fulfill({ json: { records: [], limit: 50, starting_token: 0, next_starting_token: null, paginated: false } }),
    );
    await page.goto(`${page.url().split('#')[0]}#/projects/${project_id}/experiments/${baseline.id}`);
    await page.getByText('The experiment is under way.').waitFor();
    expect(await page.getByText('Log one trace for each row').count()).toBe(0);
  });
});
