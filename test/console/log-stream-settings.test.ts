import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { consoleApi, newScorer, upload } from './fixtures/scorer-fixture.ts';
import { makeLogStream, type TestLogStream } from './log-stream.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();

interface Settings {
  readonly scorers: readonly {
    readonly name: string;
    readonly daily_budget: number | null;
    readonly filters: readonly object[];
  }[];
  readonly segment_filters: readonly object[];
}

const toSettings = (stream: TestLogStream): Promise<Settings> =>
  callTestConsole('GET', `/projects/${stream.project_id}/log_streams/${stream.log_stream_id}/metric_settings`);

const streamOfDemo = async (): Promise<string> => {
  const streams = await callTestConsole<{ id: string; name: string }[]>('GET', `/projects/${testConsole.project_id}/log_streams`);
  return `/projects/${testConsole.project_id}/log_streams/${streams.find(({ name }) => name === 'Operations helper')!.id}`;
};

describe('the settings of a log stream', () => {
  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`${await streamOfDemo()}/settings`, { theme });
    await page.getByRole('heading', { name: 'Retention' }).waitFor();
    await expectAccessible(page);
  });

  it('give it another name', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(`${stream.place}/settings`);
    await page.getByLabel('Name', { exact: true }).fill(`${stream.name} now`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: `${stream.name} now` }).waitFor();
  });

  it('leave what was typed when it is refused', async () => {
    const stream = await makeLogStream();
    await callTestConsole('POST', `/projects/${stream.project_id}/log_streams`, { name: 'taken' });
    const page = await browser.open(`${stream.place}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('taken');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('taken');
  });

  it('say for how long traces are kept, and what that removes', async () => {
    const stream = await makeLogStream();
    await stream.log('old', 'older');
    const page = await browser.open(`${stream.place}/settings`);
    await page.getByText('kept forever, inherited from the project').waitFor();
    await page.getByLabel('Retention (days)').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('kept for 30 days, by the rule of this log stream').waitFor();
    await page.getByText('The next sweep removes 0 traces').waitFor();
    await page.getByLabel('Retention (days)').fill('9999');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'days' }).waitFor();
  });

  it('price its calls again, once that is confirmed', async () => {
    const stream = await makeLogStream();
    const { project_id, log_stream_id } = stream;
    const spans = [{ type: 'llm', input: 'a', output: 'b', model: 'of-the-house', metrics: { num_input_tokens: 1_000_000 } }];
    const traces = [{ type: 'trace', name: 'late', input: 'a', output: 'b', spans }];
    await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces });
    const prices = [{ model: 'of-the-house', from: '2020-01-01', input: 3, output: 0 }];
    await callTestConsole('PUT', `/projects/${project_id}/model-prices`, { prices });
    const page = await browser.open(`${stream.place}/settings`);
    await page.getByRole('button', { name: 'Recompute costs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Recompute costs' }).click();
    await page.getByRole('status').filter({ hasText: 'The calls of 1 traces are being priced again.' }).waitFor();
    const find = () =>
      callTestConsole<{ records: { metrics: { cost?: number } }[] }>('POST', `/projects/${project_id}/traces/search`, {
        log_stream_id,
      });
    await expect.poll(async () => (await find()).records[0]!.metrics.cost).toBeCloseTo(3, 9);
  });

  it('delete it, once that is confirmed', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(`${stream.place}/settings`);
    await page.getByRole('button', { name: 'Delete log stream' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete log stream' }).click();
    await page.waitForURL((url) => url.hash === `#/projects/${stream.project_id}`);
    await page.getByText('No log streams yet').waitFor();
  });
});

describe('the scorers of a log stream', () => {
  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`${await streamOfDemo()}/scorers`, { theme });
    await page.getByRole('row', { name: /answer_grounded/ }).waitFor();
    await expectAccessible(page);
  });

  it('are enabled, changed and disabled', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByText('Nothing is scored here').waitFor();
    await page.getByRole('button', { name: 'Enable a scorer' }).click();
    await page.getByRole('searchbox').fill('answer_grounded');
    await page.getByRole('button', { name: 'Enable answer_grounded' }).click();
    await page.getByRole('button', { name: 'Edit answer_grounded' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Metadata key').fill('tenant');
    await dialog.getByLabel('Value').fill('acme');
    await dialog.getByLabel('US dollars a day at most').fill('1.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('metadata tenant is acme').waitFor();
    const [entry] = (await toSettings(stream)).scorers;
    expect(entry).toMatchObject({ name: 'answer_grounded', daily_budget: 1.5, filters: [{ key: 'tenant', value: 'acme' }] });
    await page.getByRole('button', { name: 'Disable answer_grounded' }).click();
    await dialog.getByRole('button', { name: 'Disable answer_grounded' }).click();
    await page.getByText('Nothing is scored here').waitFor();
    expect((await toSettings(stream)).scorers).toEqual([]);
  });

  it('tell what a judge would cost before it is enabled, by one click', async () => {
    const stream = await makeLogStream();
    const { id, name } = await newScorer(consoleApi(), { scorer_type: 'llm' });
    const judge = { model_name: 'judge-without-price', chain_poll_template: { template: 'Is {{output}} polite?' } };
    await callTestConsole('POST', `/scorers/${id}/version/llm`, judge);
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByRole('button', { name: 'Enable a scorer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill(name);
    await dialog.getByRole('button', { name: `Forecast the cost of ${name}` }).click();
    await dialog
      .getByRole('status')
      .filter({ hasText: /^(About \$|Cost unknown: )/ })
      .waitFor();
    await expectAccessible(page);
  });

  it('try another version beside the one in use, and show on which records it differs', async () => {
    const stream = await makeLogStream();
    const { id, name } = await newScorer(consoleApi());
    await upload(consoleApi(), id, 'function scorer() { return true; }');
    await upload(consoleApi(), id, "function scorer(record) { return record.input !== 'asks order'; }");
    const settings = `/projects/${stream.project_id}/log_streams/${stream.log_stream_id}/metric_settings`;
    await callTestConsole('PATCH', settings, { scorers: [{ id }] });
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByRole('button', { name: `Shadow trial of ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Version').selectOption('2');
    await dialog.getByLabel('Percent of records').fill('100');
    await dialog.getByRole('button', { name: 'Start trial' }).click();
    await dialog.getByText('Version 2 scores 100 % of new records').waitFor();
    const [, order] = await stream.log('refund', 'order');
    const trial = `/projects/${stream.project_id}/runs/${stream.log_stream_id}/shadow-trials/${id}`;
    await expect.poll(() => callTestConsole('GET', trial)).toMatchObject({ report: { compared: 2 } });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Shadow trial of ${name}` }).click();
    const row = dialog.getByRole('row').filter({ hasText: order! });
    await row.getByText('false').waitFor();
    expect(await row.getByRole('link').getAttribute('href')).toBe(`#/projects/${stream.project_id}/traces/${order}`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Stop trial' }).click();
    await dialog.getByRole('button', { name: 'Start trial' }).waitFor();
  });

  it('judge a sample where that is set', async () => {
    const stream = await makeLogStream();
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByRole('button', { name: 'Add a sample rate' }).click();
    await page.getByRole('dialog').getByLabel('Share in percent').fill('25');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText('25 % of all records, for all scorers').waitFor();
    expect((await toSettings(stream)).segment_filters).toMatchObject([{ sample_rate: 0.25, filter: null }]);
    await page.getByRole('button', { name: /^Remove 25 %/ }).click();
    await page.getByText('All traces are scored').waitFor();
  });

  it('judge again once the estimate was seen', async () => {
    const stream = await makeLogStream();
    await stream.log('one', 'two');
    const { scorers } = await callTestConsole<{ scorers: { id: string; name: string }[] }>('POST', '/scorers/list', {});
    const id = scorers.find(({ name }) => name === 'reply_quality')!.id;
    const path = `/projects/${stream.project_id}/log_streams/${stream.log_stream_id}/metric_settings`;
    await callTestConsole('PATCH', path, { scorers: [{ id }] });
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByRole('button', { name: 'Recompute' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Recompute' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Estimate' }).click();
    await dialog.getByText('2 traces would be judged again, for about $0.00.').waitFor();
    await dialog.getByRole('button', { name: 'Recompute' }).click();
    await dialog.getByText('2 traces are being judged again').waitFor();
    await page.goto(page.url().replace('/scorers', ''));
    await page.getByRole('columnheader', { name: 'reply_quality' }).waitFor();
    await expect.poll(() => page.getByText('not computed').count()).toBe(0);
  });
});
