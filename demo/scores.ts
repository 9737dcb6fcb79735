import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import { SCORERS } from './demo-scorers.ts';
import { type SampleRecord, walk } from './sample.ts';

/** Score of a record; `pending` covers everything that is not final. */
export type Score =
  | { readonly state: 'success'; readonly value: unknown }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'not_applicable' }
  | { readonly state: 'pending' };

interface Stored {
  readonly id: string;
  readonly metric_info?: Record<string, { status_type: string; value?: unknown; message?: string | null } | undefined> | null;
}

/** A log stream with the traces the demo sent there. */
export interface Stream {
  readonly id: string;
  readonly traces: readonly SampleRecord[];
}

/** Scores by record id. */
export type Scores = ReadonlyMap<string, Score>;

const getScorer = new Map(SCORERS.map(({ node_type, name }) => [node_type as string, name]));

/** The records that a scorer is for. Each of the demo's scorers has a record type of its own, so a record has one score. */
export function scored(trace: SampleRecord): SampleRecord[] {
  return [...walk(trace)].filter((record) => getScorer.has(record.type));
}

/** Reads until every score is final or the time is up; what is not final by then stays `pending`. */
export async function waitForScores(
  api: Api,
  project_id: string,
  streams: readonly Stream[],
  limitMs: number,
  pauseMs = 1000,
): Promise<Scores> {
  const scores = new Map<string, Score>();
  const deadline = Date.now() + limitMs;
  let open = streams;
  for (;;) {
    for (const stream of open) for (const [id, score] of await readScores(api, project_id, stream)) scores.set(id, score);
    open = open.filter((stream) => isOpen(stream, scores));
    if (open.length === 0 || Date.now() + pauseMs > deadline) return scores;
    await sleep(pauseMs);
  }
}

function isOpen({ traces }: Stream, scores: Scores): boolean {
  return traces.flatMap(scored).some((record) => scores.get(record.id)?.state === 'pending');
}

async function readScores(api: Api, project_id: string, { id, traces }: Stream): Promise<[string, Score][]> {
  const types = { type: 'text', column_id: 'type', operator: 'one_of', value: ['llm', 'tool'] };
  const path = `/projects/${project_id}`;
  const stored = [
    ...(await api.search<Stored>(`${path}/traces/search`, { log_stream_id: id })),
    ...(await api.search<Stored>(`${path}/spans/search`, { log_stream_id: id, filters: [types] })),
  ];
  const byId = new Map(stored.map((record) => [record.id, record]));
  return traces.flatMap(scored).map((record) => [record.id, toScore(byId.get(record.id), getScorer.get(record.type)!)]);
}

function toScore(record: Stored | undefined, scorer: string): Score {
  const info = record?.metric_info?.[scorer];
  switch (info?.status_type) {
    case 'success':
      return { state: 'success', value: info.value };
    case 'error':
    case 'failed':
      return { state: 'failed', message: info.message ?? 'no reason given' };
    case 'not_applicable':
      return { state: 'not_applicable' };
    default:
      return { state: 'pending' };
  }
}
