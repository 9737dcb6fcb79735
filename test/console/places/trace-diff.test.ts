import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

const trace = (name: string, second: number, spans: readonly object[]) => ({
  ...{ id: randomUUID(), name, input: 'How long to Cork?', output: name, spans },
  created_at: new Date(Date.now() - 3_600_000 + second * 1000).toISOString(),
  metrics: { duration_ns: 2e9 + second * 1e9 },
});
const llm = (output: string) => ({ type: 'llm', name: 'answer', input: 'How long?', output, metrics: { duration_ns: 1e9 } });
const tool = (name: string) => ({ type: 'tool', name, input: '{}', output: 'found', metrics: { duration_ns: 1e8 } });

it('two selected traces are compared: totals, spans of one side, and the words that changed', async () => {
  const stream = await makeLogStream();
  const traces = [
    trace('first answer', 0, [tool('lookup'), llm('It takes 5 days.')]),
    trace('second answer', 1, [llm('It takes 8 days.'), tool('verify')]),
  ];
  await callTestConsole('POST', `/projects/${stream.project_id}/traces`, { log_stream_id: stream.log_stream_id, traces });
  const page = await browser.open(stream.place);
  await page.getByRole('checkbox', { name: 'Select first answer' }).check();
  expect(await page.getByRole('link', { name: 'Compare' }).count()).toBe(0);
  await page.getByRole('checkbox', { name: 'Select second answer' }).check();
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByRole('row', { name: /^Baseline: first answer OK 2 s/ }).waitFor();
  await page.getByRole('row', { name: /^Compared: second answer OK 3 s/ }).waitFor();
  const spans = page.getByRole('region', { name: 'Spans' });
  await spans.getByText('4 of 4 changed').waitFor();
  await spans.getByRole('row', { name: /lookup Baseline only 100 ms –/ }).waitFor();
  await spans.getByRole('row', { name: /verify Compared only – 100 ms/ }).waitFor();
  await spans.getByRole('row', { name: /answer Output 2 s 3 s \+1 s/ }).waitFor();
  await spans.getByRole('button', { name: 'Show changes of answer', exact: true }).click();
  const output = spans.getByRole('region', { name: 'Output' });
  expect(await output.getByRole('deletion').allInnerTexts()).toEqual(['5']);
  expect(await output.getByRole('insertion').allInnerTexts()).toEqual(['8']);

  await page.getByRole('link', { name: 'Swap' }).click();
  await page.getByRole('row', { name: /^Baseline: second answer/ }).waitFor();
  await page.getByRole('link', { name: 'lookup' }).click();
  await page.getByRole('treeitem', { selected: true }).filter({ hasText: 'lookup' }).waitFor();
});
