import type { Job } from '../../core/jobs/job.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get, post } from '../api/client.ts';
import type { ScoreInfo, Scores } from '../scores/score.ts';
import { scoreValueText } from '../scores/score-state.ts';
import { appendSource, type Language, lineIn } from './source-language.ts';

/** Records that a candidate is tried on: of a log stream, or rows of a dataset. */
export type TrialPlace =
  | { readonly kind: 'records'; readonly project_id: string; readonly log_stream_id: string }
  | { readonly kind: 'rows'; readonly dataset_id: string };

export interface CodeCandidate {
  readonly source: string;
  readonly language: Language;
  readonly scoreable_node_types: readonly string[];
  readonly required_scorers: readonly string[];
  /** How many records, the newest first. */
  readonly limit: number;
}

/** The run that a trial goes to. */
export interface TrialRun {
  readonly project_id: string;
  readonly run_id: string;
}

/** A candidate's result for one record. */
export interface TriedRecord {
  readonly id: string;
  readonly type: string;
  readonly trace_id: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly status: string;
  readonly value: unknown;
  readonly explanation: string | null;
  readonly message: string | null;
  /** The text that the program printed. */
  readonly printed: string | null;
  /** Id of the original, for live records. */
  readonly source_id: string | null;
}

export interface Fault {
  readonly line: number;
  readonly message: string;
}

export interface TrialOutcome {
  readonly run: TrialRun;
  readonly job: Job;
  readonly records: readonly TriedRecord[];
}

const POLL_MS = 400;
const MOST = 100;

export async function startCodeTrial(candidate: CodeCandidate, place: TrialPlace): Promise<TrialRun> {
  const form = new FormData();
  appendSource(form, candidate.source, candidate.language);
  form.append('scoreable_node_types', JSON.stringify(candidate.scoreable_node_types));
  form.append('required_scorers', JSON.stringify(candidate.required_scorers));
  form.append('limit', String(candidate.limit));
  if (place.kind === 'records') {
    form.append('log_stream_id', place.log_stream_id);
    form.append('sort', JSON.stringify({ column_id: 'created_at', ascending: false }));
  } else form.append('dataset_id', place.dataset_id);
  const on = place.kind === 'records' ? 'log_record' : 'dataset';
  const started = await post<{ metrics_experiment_id: string; project_id: string }>(`/scorers/code/validate/${on}`, form);
  return { run_id: started.metrics_experiment_id, project_id: started.project_id };
}

/** Asks for the job of the run until it is over. */
export async function getEnd(
  { project_id, run_id }: TrialRun,
  onProgress: (job: Job) => void,
  signal: AbortSignal,
): Promise<Job> {
  for (;;) {
    const job = await get<Job | null>(`/projects/${project_id}/runs/${run_id}/jobs/latest`, { signal });
    if (job && job.status !== 'pending' && job.status !== 'processing') return job;
    if (job) onProgress(job);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

interface Found {
  readonly id: string;
  readonly type: string;
  readonly trace_id: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly dataset_metadata?: Readonly<Record<string, string>>;
  readonly metric_info?: Scores;
}
type Page = PageFields & { readonly records: readonly Found[] };

/** The records of a trial's run that the candidate was asked about, up to a hundred of traces and of spans. */
export async function triedRecords(
  run: TrialRun,
  metric: string,
  types: readonly string[],
  signal: AbortSignal,
): Promise<TriedRecord[]> {
  const levels = [...(types.includes('trace') ? ['traces'] : []), ...(types.some((type) => type !== 'trace') ? ['spans'] : [])];
  const body = { metrics_testing_id: run.run_id, limit: MOST };
  const pages = await Promise.all(
    levels.map((level) => post<Page>(`/projects/${run.project_id}/${level}/search`, body, { signal })),
  );
  return pages.flatMap(({ records }) => records).flatMap((record) => toTriedRecords(record, record.metric_info?.[metric]));
}

function toTriedRecords(
  { id, type, trace_id, input, output, dataset_metadata }: Found,
  score: ScoreInfo | undefined,
): TriedRecord[] {
  if (!score) return [];
  const { status_type: status, value = null, explanation = null, message = null, printed = null } = score;
  const source_id = dataset_metadata?.source_record_id ?? null;
  return [{ id, type, trace_id, input, output, status, value, explanation, message, printed, source_id }];
}

const FAILED = new Set(['error', 'failed']);
export const hasFailed = ({ status }: Pick<TriedRecord, 'status'>): boolean => FAILED.has(status);

/** Groups error messages by line: each once, with how many records it came from. */
export function toFaults(messages: readonly string[]): Fault[] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].flatMap(([message, count]) => {
    const line = lineIn(message);
    return line === undefined ? [] : [{ line, message: count > 1 ? `${message} (${count} records)` : message }];
  });
}

export const toTrialMessages = ({ job, records }: TrialOutcome): string[] => [
  ...(job.error_message ? [job.error_message] : []),
  ...records.filter(hasFailed).flatMap(({ message }) => (message ? [message] : [])),
];

/** How often each value was said, the most frequent first; numbers that differ much are left to the list. */
export function valueCounts(records: readonly TriedRecord[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { status, value } of records) {
    if (status !== 'success') continue;
    const text = scoreValueText(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
