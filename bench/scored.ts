import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import { quantile } from './median.ts';
import { PYTHON_SOURCE } from './python.ts';
import type { Measured } from './report.ts';
import { SOURCE, sandboxAlone } from './scoring.ts';
import { textFrom } from './traces.ts';

const TRACES_PER_REQUEST = 100;
/** Records of 3.5 KB, as the sandbox is measured with. */
const TRACES = 4_000;
const SENDERS = 4;
const PER_SECOND = 200;
const LOOK_EVERY_MS = 10;
/** For the end alone: counting takes the processors from what is counted. */
const COUNT_EVERY_MS = 50;
const LIMIT_MS = 120_000;

/** From the first request to the last stored score, against the sandbox alone; and how long an answered record waits for its score. */
export async function measureScored(benchService: BenchService, rounds: number, sliceMs: number): Promise<Measured[]> {
  const scorer = await codeScorer(benchService);
  const measure = async () => ({
    whole: await throughput(benchService, scorer),
    alone: await sandboxAlone(sliceMs),
    waits: await waits(benchService, [scorer], sliceMs),
  });
  await measure();
  const done = await inRounds(rounds, measure);
  return [
    {
      name: 'ingest to stored score, 1 code scorer',
      unit: 'scores/s',
      ours: done.map(({ whole }) => whole),
      against: { name: 'sandbox alone', values: done.map(({ alone }) => alone) },
    },
    ...toQuantiles(
      `acknowledged to scored at ${PER_SECOND} records/s`,
      done.map((one) => one.waits),
    ),
  ];
}

/** How long an answered record waits for its scores by a program in Python and by one in JavaScript. */
export async function measureTwoLanguages(benchService: BenchService, rounds: number, sliceMs: number): Promise<Measured[]> {
  const scorers = [await codeScorer(benchService), await codeScorer(benchService, PYTHON_SOURCE, 'scorer.py')];
  const measure = () => waits(benchService, scorers, sliceMs);
  await measure();
  const name = `acknowledged to scored in Python and JavaScript at ${PER_SECOND} records/s`;
  return toQuantiles(name, await inRounds(rounds, measure));
}

const toQuantiles = (name: string, all: readonly (readonly number[])[]): Measured[] =>
  ([0.5, 0.95] as const).map((share) => ({
    name: `${name}, p${share * 100}`,
    unit: 'ms',
    ours: all.map((one) => quantile([...one], share)),
  }));

async function codeScorer({ api }: BenchService, source = SOURCE, filename = 'scorer.js'): Promise<string> {
  const facts = { name: `words ${randomUUID()}`, scorer_type: 'code', scoreable_node_types: ['trace'] };
  const { id } = await api.post('/scorers', facts);
  const form = new FormData();
  form.set('file', new File([source], filename));
  await api.upload(`/scorers/${id}/version/code`, form);
  return String(id);
}

/** A log stream of its own, with the scorer enabled. */
async function scoredStream({ api, projectId }: BenchService, ...scorers: readonly string[]): Promise<string> {
  const { id } = await api.post(`/projects/${projectId}/log_streams`, { name: randomUUID() });
  await api.post(`/projects/${projectId}/runs/${id}/scorer-settings`, { scorers: scorers.map((scorer) => ({ id: scorer })) });
  return String(id);
}

const toTrace = (text: (chars: number) => string) => ({ id: randomUUID(), name: 'q', input: text(2_700), output: text(700) });

async function throughput(benchService: BenchService, scorer: string): Promise<number> {
  const log_stream_id = await scoredStream(benchService, scorer);
  const text = textFrom(11);
  const bodies = Array.from({ length: TRACES / TRACES_PER_REQUEST }, () => ({
    log_stream_id,
    traces: Array.from({ length: TRACES_PER_REQUEST }, () => toTrace(text)),
  }));
  const began = performance.now();
  const left = bodies.values();
  const send = async (): Promise<void> => {
    for (const body of left) await benchService.api.post(`/projects/${benchService.projectId}/traces`, body);
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  for (const limit = began + LIMIT_MS; (await countScores(benchService, log_stream_id)) < TRACES; await sleep(COUNT_EVERY_MS))
    if (performance.now() > limit) throw new Error('the scores do not come');
  return (TRACES / (performance.now() - began)) * 1000;
}

/** One trace a request, at even intervals, whatever becomes of the ones before. */
async function waits(benchService: BenchService, scorers: readonly string[], forMs: number): Promise<number[]> {
  const log_stream_id = await scoredStream(benchService, ...scorers);
  const text = textFrom(13);
  const acknowledged = new Map<string, number>();
  const scored = new Map<string, number>();
  const count = Math.round((forMs / 1000) * PER_SECOND);
  const began = performance.now();
  const send = async (at: number): Promise<void> => {
    await sleep(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()));
    const trace = toTrace(text);
    await benchService.api.post(`/projects/${benchService.projectId}/traces`, { log_stream_id, traces: [trace] });
    acknowledged.set(trace.id, performance.now());
  };
  const sending = Promise.all(Array.from({ length: count }, (_, at) => send(at)));
  while (scored.size < count && performance.now() < began + forMs + LIMIT_MS) {
    const found = await toScored(benchService, log_stream_id, scorers.length);
    const now = performance.now();
    for (const id of found) if (!scored.has(id)) scored.set(id, now);
    await sleep(LOOK_EVERY_MS);
  }
  await sending;
  return [...acknowledged].map(([id, at]) => Math.max(0, (scored.get(id) ?? Number.POSITIVE_INFINITY) - at));
}

async function countScores({ client, projectId }: BenchService, run_id: string): Promise<number> {
  const { rows } = await client.query<{ scored: number }>(
    'select count(*)::integer as scored from scores where project_id = $1 and run_id = $2',
    [projectId, run_id],
  );
  return rows[0]!.scored;
}

/** The records that so many scorers have scored. */
async function toScored({ client, projectId }: BenchService, run_id: string, by = 1): Promise<Set<string>> {
  const { rows } = await client.query<{ record_id: string }>(
    'select record_id from scores where project_id = $1 and run_id = $2 group by record_id having count(*) >= $3',
    [projectId, run_id, by],
  );
  return new Set(rows.map(({ record_id }) => record_id));
}
