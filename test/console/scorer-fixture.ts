import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { type Api, connect } from '../../demo/api.ts';
import { readSample } from '../../demo/sample.ts';
import { getTestConsole } from './test-console.ts';

interface Started {
  readonly metrics_experiment_id: string;
  readonly project_id: string;
}
interface DemoTrace {
  readonly input: unknown;
  readonly output: unknown;
  readonly metric_info: Readonly<Record<string, { readonly value?: unknown }>>;
}

export const consoleApi = (): Api => connect(getTestConsole().url, getTestConsole().api_key);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export interface Stream {
  readonly id: string;
  readonly name: string;
}

export async function demoStreams(api: Api): Promise<Stream[]> {
  const streams = await api.get<Stream[]>(`/projects/${getTestConsole().project_id}/log_streams`);
  // Other tests make streams of their own there.
  const ofDemo = new Set(readSample().map(({ log_stream }) => log_stream));
  return streams.filter(({ name }) => ofDemo.has(name));
}

/** The demo's traces as rows; what is right is whether somebody who read the reply found something wrong with it. */
export async function datasetOfDemo(api: Api, name: string): Promise<string> {
  const path = `/projects/${getTestConsole().project_id}/traces/search`;
  const streams = await demoStreams(api);
  const traces = await Promise.all(streams.map(({ id }) => api.search<DemoTrace>(path, { log_stream_id: id })));
  const rows = traces.flat().map(({ input, output, metric_info }) => ({
    input: toText(input),
    generated_output: toText(output),
    mgt: String(metric_info.reply_quality?.value !== 'ok'),
  }));
  const form = new FormData();
  form.append('file', new Blob([rows.map((row) => JSON.stringify(row)).join('\n')]), 'rows.jsonl');
  form.append('name', name);
  return (await api.upload<{ id: string }>('/datasets?format=jsonl', form)).id;
}

export async function newScorer(api: Api, facts: object = {}): Promise<{ id: string; name: string }> {
  const name = `scorer ${randomUUID().slice(0, 8)}`;
  const scorer = { name, scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'boolean', ...facts };
  return api.post<{ id: string; name: string }>('/scorers', scorer);
}

export async function upload(
  api: Api,
  scorer_id: string,
  source: string,
  facts: Readonly<Record<string, string>> = {},
): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([source]), 'scorer.js');
  for (const [name, text] of Object.entries(facts)) form.append(name, text);
  await api.upload(`/scorers/${scorer_id}/version/code`, form);
}

/** A version that was tried on the rows of a dataset, with its health. */
export async function measuredVersion(api: Api, scorer_id: string, dataset_id: string, source: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([source]), 'scorer.js');
  form.append('dataset_id', dataset_id);
  form.append('scoreable_node_types', '["trace"]');
  const { metrics_experiment_id: run_id, project_id } = await api.upload<Started>('/scorers/code/validate/dataset', form);
  for (;;) {
    const job = await api.get<{ status: string } | null>(`/projects/${project_id}/runs/${run_id}/jobs/latest`);
    if (job?.status === 'completed') break;
    if (job?.status === 'failed') throw new Error('the trial failed');
    await sleep(100);
  }
  await upload(api, scorer_id, source, { validation_result: '{}', validation_id: run_id });
  await api.post(`/projects/${project_id}/metrics-testing/${run_id}/health-score`, { scorer_id, output_type: 'boolean' });
}

/** Ever more signs of a reply that is no good; the last looks for something that says little. */
const SIGNS = [
  'reply.trim() === ""',
  'reply.trim() === "" || /^.{0,20}(sorry|apolog)/i.test(reply)',
  'reply.trim() === "" || /^.{0,20}(sorry|apolog|unfortunately|leider|désolé)/i.test(reply)',
  'reply.trim() === "" || /^.{0,20}(sorry|apolog|unfortunately|leider|désolé)/i.test(reply) || !/[.!?…)"”。।؟]\\s*$/.test(reply)',
  'reply.length < 400',
];

export const replySources = SIGNS.map(
  (sign) => `/** Whether something is wrong with a reply. */
function scorer(record) {
  const reply = String(record.output ?? '');
  return ${sign};
}
`,
);

export interface FakeModel {
  readonly url: string;
  readonly asked: string[];
  close(): Promise<void>;
}

/** A model behind the chat-completions protocol; `answer` is given what it was asked. */
export async function startFakeModel(answer: (request: string) => object): Promise<FakeModel> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const request = Buffer.concat(chunks).toString();
      asked.push(request);
      const message = { role: 'assistant', content: JSON.stringify(answer(request)) };
      const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
      const body = { id: 'a', object: 'chat.completion', created: 1, model: 'judge-1', usage };
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes over all that an editor of code holds, by the keyboard: its own selection has to be known to the editor. */
export async function write(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('Control+a');
  await editor.page().keyboard.insertText(text);
}
