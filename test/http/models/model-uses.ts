import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import type { TestServer } from '../harness.ts';

export type Use = 'judge' | 'experiment' | 'scorer_autogen' | 'synthetic_rows';

export const ROWS = 8;
export const JUDGES = 10;

/** A project of a service whose integration offers the model `m-1`. */
export interface ModelUser {
  readonly server: TestServer;
  readonly project_id: string;
  /** The path of the project. */
  readonly at: string;
}

/** Reply of the model for each use. */
export const ANSWERS: Readonly<Record<Use, string>> = {
  judge: '{"rating": true}',
  experiment: 'hello',
  scorer_autogen: JSON.stringify({ metric_system_prompt: 'Judge.', metric_description: 'true: polite', template: '{{output}}?' }),
  synthetic_rows: JSON.stringify({ rows: [{ input: 'one' }, { input: 'two' }] }),
};

/** Finds the use of a call by the words of its messages, the system's among them. */
export function getUse(text: string): Use {
  if (text.includes('You make up rows')) return 'synthetic_rows';
  if (text.includes('You write the prompts')) return 'scorer_autogen';
  return text.includes('run this prompt') ? 'experiment' : 'judge';
}

/** Begins what calls the model for each use; returns the job, or the trace that is judged. */
export const uses = {
  async judge({ server, at }: ModelUser, count = 1): Promise<string> {
    const run_id = (await server.request('POST', `${at}/log_streams`, { name: randomUUID() })).body.id;
    const scorer = { name: `polite ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: ['trace'] };
    const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
    const version = { model_name: 'm-1', num_judges: JUDGES, user_prompt: 'Is this polite? {{output}}' };
    expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
    await server.request('POST', `${at}/runs/${run_id}/scorer-settings`, { scorers: [{ id, name: 'polite' }] });
    const logged = await server.request('POST', `${at}/traces`, {
      log_stream_id: run_id,
      traces: Array.from({ length: count }, (_, trace) => ({ input: `x ${trace}`, output: 'yes' })),
    });
    return logged.body.trace_ids[0];
  },
  async experiment({ server, project_id, at }: ModelUser): Promise<string> {
    const rows = Array.from({ length: ROWS }, (_, row) => ({ input: `row ${row}` }));
    const dataset = await makeDataset(server, rows, { project_id });
    const template = { name: randomUUID(), template: 'run this prompt {{input}}', settings: { model_alias: 'm-1' } };
    const { selected_version_id } = (await server.request('POST', '/v2/templates', template)).body;
    const of = { dataset: { dataset_id: dataset.id, version_index: 1 } };
    const { id: run_id } = (await server.request('POST', `${at}/experiments`, { name: randomUUID(), ...of })).body;
    const what = { prompt_template_version_id: selected_version_id, prompt_settings: {}, dataset_id: dataset.id };
    const job = { job_name: 'playground_run', project_id, run_id, scorers: null, task_type: 16, ...what };
    return (await server.request('POST', '/v2/jobs', job)).body.job_id;
  },
  async scorer_autogen({ server }: ModelUser): Promise<string> {
    const wanted = { output_type: 'boolean', cot_enabled: true, scoreable_node_types: ['llm'] };
    const request = { instructions: 'Is the answer polite?', model_name: 'm-1', ...wanted };
    return (await server.request('POST', '/v2/scorers/llm/autogen', request)).body.task_result_id;
  },
  async synthetic_rows({ server, project_id }: ModelUser): Promise<string> {
    const request = { count: 2, project_id, prompt_settings: { model_alias: 'm-1' } };
    return (await server.request('POST', '/v2/datasets/extend', request)).body.dataset_id;
  },
};

export async function expectEnded({ server, at }: ModelUser, jobs: ReadonlyMap<Use, string>): Promise<void> {
  for (const use of ['scorer_autogen', 'synthetic_rows', 'experiment'] as const)
    await eventually(async () => {
      expect((await server.request('GET', `/v2/jobs/${jobs.get(use)}`)).body).toMatchObject({ status: 'completed' });
    });
  await eventually(async () => {
    const { body } = await server.request('GET', `${at}/traces/${jobs.get('judge')}`);
    expect(body.metric_info.polite).toMatchObject({ status_type: 'success', value: true });
  });
}
