import { readdirSync, readFileSync } from 'node:fs';
import type { Api } from './api.ts';

/** A trace or span as it is sent, as far as the demo looks into it. */
export interface SampleRecord {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly status_code?: number | null;
  readonly session_id?: string;
  readonly metrics: { readonly duration_ns: number; readonly num_total_tokens?: number };
  readonly spans?: readonly SampleRecord[];
}

/** The content of one file: what one application logged. */
export interface Application {
  readonly log_stream: string;
  readonly traces: readonly SampleRecord[];
}

const FOLDER = new URL('traces/', import.meta.url);
const TRACES_PER_REQUEST = 20;

export function readSample(): Application[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Application);
}

/** The record and everything below it. */
export function* walk(record: SampleRecord): Generator<SampleRecord> {
  yield record;
  for (const span of record.spans ?? []) yield* walk(span);
}

/** Sends the traces; each session in a request of its own, since a request names one session. Returns the number of records. */
export async function ingest(
  api: Api,
  project_id: string,
  log_stream_id: string,
  traces: readonly SampleRecord[],
): Promise<number> {
  let records = 0;
  for (const [session_id, group] of Map.groupBy(traces, (trace) => trace.session_id)) {
    for (let i = 0; i < group.length; i += TRACES_PER_REQUEST) {
      const body = { log_stream_id, session_id: session_id ?? null, traces: group.slice(i, i + TRACES_PER_REQUEST) };
      const { records_count } = await api.post<{ records_count: number }>(`/projects/${project_id}/traces`, body);
      records += records_count;
    }
  }
  return records;
}
