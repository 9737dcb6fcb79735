import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { BenchService } from './bench-service.ts';
import { quantile } from './median.ts';
import type { Measured } from './report.ts';

/** Traces that the neighbour logs, one after the other, and how far apart. */
const TRACES = 20;
const EVERY_MS = 500;
const LOOK_EVERY_MS = 10;
const LIMIT_MS = Number(process.env.FAIRNESS_LIMIT_MS ?? 300_000);
const LOOPING_SCORERS = 5;
const LOOPING_TRACES = 400;
const HANGING_TRACES = 12;
const ATTACKERS = 3;
const SLOW_TRACES = 200;
/** Just short of what a record may take: nothing in it is a strike. */
const SLOW = 'function scorer() { const end = Date.now() + 400; while (Date.now() < end); return true; }';
/** Spins on everything but the sample that a new version is tried on. */
const LOOP = 'function scorer(record) { while (record.input !== "What is the capital of France?"); return true; }';

interface Place {
  readonly project_id: string;
  readonly run_id: string;
}

/** How long a neighbour's traces wait for their score while the scorers of others loop or are slow, and while the model of their judges hangs. */
export async function measureFairness(benchService: BenchService, modelUrl: string): Promise<Measured[]> {
  const neighbour = await makePlace(benchService.api);
  await enable(benchService.api, neighbour, [await codeScorer(benchService.api, 'function scorer() { return true; }')]);
  await waits(benchService, neighbour);
  const alone = await waits(benchService, neighbour);
  const attacked: [string, number[]][] = [];
  for (const [name, attack] of [
    ['scorers that loop', async (api: Api) => [await attackBy(api, LOOP, LOOPING_TRACES)]],
    ['scorers that loop in three projects', (api: Api) => inThreeProjects(() => attackBy(api, LOOP, LOOPING_TRACES))],
    ['slow scorers in three projects', (api: Api) => inThreeProjects(() => attackBy(api, SLOW, SLOW_TRACES))],
    ['a model that hangs', async (api: Api) => [await hang(api, modelUrl)]],
  ] as const) {
    const places = await attack(benchService.api);
    attacked.push([name, await waits(benchService, neighbour)]);
    for (const { project_id } of places) await benchService.api.delete(`/projects/${project_id}`);
    attacked.push([`${name}, just deleted`, await waits(benchService, neighbour)]);
  }
  return [['nothing else', alone] as [string, number[]], ...attacked].flatMap(([name, values]) =>
    [0.5, 0.95].map((share) => ({
      name: `acknowledged to scored beside ${name}, p${share * 100}`,
      unit: 'ms',
      ours: [quantile(values, share)],
    })),
  );
}

/** Speaks to nobody: connections stay open and nothing comes. */
export async function startSilentModel(): Promise<{ url: string; close(): void }> {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const inThreeProjects = (attack: () => Promise<Place>): Promise<Place[]> =>
  Promise.all(Array.from({ length: ATTACKERS }, attack));

async function attackBy(api: Api, source: string, traces: number): Promise<Place> {
  const place = await makePlace(api);
  const scorers = Array.from({ length: LOOPING_SCORERS }, () => codeScorer(api, source));
  await enable(api, place, await Promise.all(scorers));
  for (let at = 0; at < traces; at += 50) await logTraces(api, place, 50);
  return place;
}

async function hang(api: Api, url: string): Promise<Place> {
  const place = await makePlace(api);
  const settings = { endpoint: url, models: ['judge-1'], authentication_type: 'none' };
  await api.put('/integrations/custom', settings);
  const facts = { name: randomUUID(), scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
  const { id } = await api.post('/scorers', facts);
  await api.post(`/scorers/${id}/version/llm`, {
    model_name: 'judge-1',
    num_judges: 1,
    user_prompt: 'Is this polite? {{output}}',
  });
  await enable(api, place, [String(id)]);
  for (let at = 0; at < HANGING_TRACES; at += 1) await logTraces(api, place, 1);
  return place;
}

async function makePlace(api: Api): Promise<Place> {
  const { id: project_id } = await api.post('/projects', { name: randomUUID() });
  const { id: run_id } = await api.post(`/projects/${project_id}/log_streams`, { name: randomUUID() });
  return { project_id: String(project_id), run_id: String(run_id) };
}

async function codeScorer(api: Api, source: string): Promise<string> {
  const { id } = await api.post('/scorers', { name: randomUUID(), scorer_type: 'code', scoreable_node_types: ['trace'] });
  const form = new FormData();
  form.set('file', new File([source], 'scorer.js'));
  form.set('validation_result', '{}');
  await api.upload(`/scorers/${id}/version/code`, form);
  return String(id);
}

async function enable(api: Api, { project_id, run_id }: Place, ids: readonly string[]): Promise<void> {
  await api.post(`/projects/${project_id}/runs/${run_id}/scorer-settings`, { run_id, scorers: ids.map((id) => ({ id })) });
}

async function logTraces(api: Api, { project_id, run_id }: Place, count: number): Promise<string[]> {
  const traces = Array.from({ length: count }, () => ({ id: randomUUID(), name: 'q', input: 'why?', output: 'because' }));
  await api.post(`/projects/${project_id}/traces`, { log_stream_id: run_id, traces });
  return traces.map(({ id }) => id);
}

/** Milliseconds from acknowledged to stored, of one trace after the other; those that never came count as the limit. */
async function waits({ api, client }: BenchService, place: Place): Promise<number[]> {
  const acknowledged = new Map<string, number>();
  const scored = new Map<string, number>();
  const began = performance.now();
  const send = async (at: number): Promise<void> => {
    await sleep(at * EVERY_MS);
    const [id] = await logTraces(api, place, 1);
    acknowledged.set(id!, performance.now());
  };
  const sending = Promise.all(Array.from({ length: TRACES }, (_, at) => send(at)));
  const isOpen = () => acknowledged.size < TRACES || [...acknowledged.keys()].some((id) => !scored.has(id));
  while (isOpen() && performance.now() < began + LIMIT_MS) {
    const { rows } = await client.query<{ record_id: string }>(
      'select record_id from scores where project_id = $1 and run_id = $2',
      [place.project_id, place.run_id],
    );
    const now = performance.now();
    for (const { record_id } of rows) if (!scored.has(record_id)) scored.set(record_id, now);
    await sleep(LOOK_EVERY_MS);
  }
  await sending;
  return [...acknowledged].map(([id, at]) => Math.max(0, (scored.get(id) ?? at + LIMIT_MS) - at));
}
