import { readFileSync } from 'node:fs';
import { type Api, ApiError } from './api.ts';

export interface DemoScorer {
  readonly name: string;
  /** In `scorers/`; the ending tells the service which language it is. */
  readonly file: string;
  readonly node_type: 'llm' | 'tool' | 'trace';
  readonly output_type: string;
  readonly description: string;
}

export const SCORERS: readonly DemoScorer[] = [
  {
    name: 'answer_grounded',
    file: 'answer_grounded.js',
    node_type: 'llm',
    output_type: 'percentage',
    description: 'Share of the answer that occurs in what the model was given.',
  },
  {
    name: 'tool_call_failed',
    file: 'tool_call_failed.js',
    node_type: 'tool',
    output_type: 'boolean',
    description: 'Whether a tool call failed, by status or by what it says.',
  },
  {
    name: 'reply_quality',
    file: 'reply_quality.ts',
    node_type: 'trace',
    output_type: 'categorical',
    description: 'What kind of reply the user got, as one word.',
  },
];

/** Marks what belongs to the demo, so that a scorer of yours with the same name is never overwritten. */
const TAG = 'demo';

export function toSource(scorer: DemoScorer): string {
  return readFileSync(new URL(`scorers/${scorer.file}`, import.meta.url), 'utf8');
}

/** Makes the scorers that are missing and uploads the code where it is new. Answers their ids. */
export async function ensureScorers(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (const scorer of SCORERS) {
    const id = (await find(api, scorer)) ?? (await create(api, scorer));
    if ((await currentCode(api, id)) !== toSource(scorer)) await uploadCode(api, id, scorer);
    ids.push(id);
  }
  return ids;
}

/** Switches the scorers on for a log stream and leaves those that are on already. */
export async function enableScorers(api: Api, project_id: string, log_stream_id: string, ids: readonly string[]): Promise<void> {
  const path = `/projects/${project_id}/log_streams/${log_stream_id}/metric_settings`;
  const { scorers } = await api.get<{ scorers: { id: string }[] }>(path);
  const missing = ids.filter((id) => !scorers.some((entry) => entry.id === id));
  // A PATCH replaces the list, so the entries that are there go back with it.
  if (missing.length > 0) await api.patch(path, { scorers: [...scorers, ...missing.map((id) => ({ id }))] });
}

async function find(api: Api, { name }: DemoScorer): Promise<string | undefined> {
  const filters = [
    { name: 'name', operator: 'eq', value: name },
    { name: 'scorer_type', operator: 'eq', value: 'code' },
  ];
  const { scorers } = await api.post<{ scorers: { id: string; tags: string[] }[] }>('/scorers/list', { filters });
  const found = scorers[0];
  if (found && !found.tags.includes(TAG))
    throw new Error(`a code scorer named ${name} exists and is not the demo's; rename it first`);
  return found?.id;
}

async function create(api: Api, { name, description, node_type, output_type }: DemoScorer): Promise<string> {
  const body = { name, scorer_type: 'code', description, tags: [TAG], scoreable_node_types: [node_type], output_type };
  return (await api.post<{ id: string }>('/scorers', body)).id;
}

async function currentCode(api: Api, id: string): Promise<string | undefined> {
  try {
    return await api.get<string>(`/scorers/${id}/version/code`);
  } catch (error) {
    // A scorer that has just been made has no version yet.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function uploadCode(api: Api, id: string, scorer: DemoScorer): Promise<void> {
  const form = new FormData();
  form.set('file', new File([toSource(scorer)], scorer.file, { type: 'text/plain' }));
  await api.upload(`/scorers/${id}/version/code`, form);
}
