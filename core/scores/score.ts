import type { JsonValue } from '../kernel/json.ts';
import { isBefore } from '../kernel/timestamp.ts';
import type { ScoreEffort } from '../plugin-sdk/index.ts';
import { appliesTo, type MetricSettings, type Scoreable, type StoredEntry } from './metric-settings.ts';
import { isInSample } from './sampling.ts';

/**
 * Result of a scorer version for a record. `error`: the scorer failed on this record; `failed`: it could not judge at
 * all. One per (record, scorer version).
 */
export interface Score {
  readonly project_id: string;
  readonly run_id: string;
  readonly record_id: string;
  readonly scorer_id: string;
  readonly scorer_version_id: string;
  /** The scorer's name in the run: the key in `metric_info`. */
  readonly metric_name: string;
  readonly status_type: 'success' | 'error' | 'failed' | 'not_applicable';
  readonly value: JsonValue;
  readonly explanation: string | null;
  readonly message: string | null;
  readonly scored_at: string;
  /** Effort of the verdict; null for a scorer that reports none. */
  readonly effort: KeptEffort | null;
  /** The state of what was judged, see `getState`: another one means that it has changed since. Null when that is not known. */
  readonly judged: string | null;
  /** More than 1: the record had changed after it was scored, and the verdict was replaced. */
  readonly times_scored: number;
}

/** Effort of a verdict, and beside it the text that a program printed in a trial: scores of other runs never have that. */
export type KeptEffort = ScoreEffort & { readonly printed?: string };

export interface NewScore extends Omit<Score, 'times_scored'> {
  /** The state that the result was made of which this one stands in for. */
  readonly replaces?: string | undefined;
}

export type MetricInfo = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const NOT_COMPUTED = 'The scorer was enabled after this record was logged; recompute to score it.';
const NOT_COMPLETE = 'The trace is not complete yet.';

/**
 * Status per metric of one record: stored results, and for enabled scorers without one whether it will come. Nothing
 * is stored for a score to come, so nothing can be left behind as pending.
 */
export function toMetricInfo(
  record: Scoreable & { readonly is_complete: boolean; readonly updated_at: string },
  settings: MetricSettings,
  scores: readonly Score[],
): MetricInfo {
  const info = new Map<string, Readonly<Record<string, unknown>>>();
  const judges = new Set(scores.map(({ scorer_id }) => scorer_id));
  for (const entry of settings.scorers) {
    if (judges.has(entry.id) || !appliesTo(entry, record) || !isInSample(settings.segment_filters, entry, record)) continue;
    info.set(entry.name, { ...waiting(record, entry.enabled_at), scorer_type: toScorerFamily(entry) });
  }
  const entries = scores.length > 0 ? toEntries(settings) : NO_ENTRIES;
  for (const score of scores) {
    info.set(score.metric_name, { ...shown(score), scorer_type: toScorerFamily(entries.get(score.scorer_id)) });
  }
  return Object.fromEntries(info);
}

const NO_ENTRIES: ReadonlyMap<string, StoredEntry> = new Map();
const known = new WeakMap<MetricSettings, ReadonlyMap<string, StoredEntry>>();

/** By id; made once for all the records of a reply. */
function toEntries(settings: MetricSettings): ReadonlyMap<string, StoredEntry> {
  const entries = known.get(settings) ?? new Map(settings.scorers.map((entry) => [entry.id, entry]));
  known.set(settings, entries);
  return entries;
}

/** The family of models that judges, as the API calls it; null for code, and for a scorer that is not enabled any more. */
export function toScorerFamily(entry: Pick<StoredEntry, 'model_type'> | undefined): 'Finetuned' | 'Plus' | null {
  if (entry?.model_type === 'slm') return 'Finetuned';
  return entry?.model_type === 'llm' ? 'Plus' : null;
}

function waiting(
  record: { readonly is_complete: boolean; readonly updated_at: string },
  enabled_at: string,
): Record<string, unknown> {
  if (!record.is_complete) return { status_type: 'not_computed', message: NOT_COMPLETE };
  if (isBefore(record.updated_at, enabled_at)) return { status_type: 'not_computed', message: NOT_COMPUTED };
  return { status_type: 'pending' };
}

function shown({ status_type, value, explanation, message, effort }: Score): Record<string, unknown> {
  const printed = effort?.printed ? { printed: effort.printed } : {};
  if (status_type !== 'success') return { status_type, message, ...printed };
  return {
    status_type,
    value,
    display_value: null,
    explanation,
    rationale: null,
    ...computeCosts(effort),
    ...(effort?.agreement === undefined ? {} : { agreement: effort.agreement }),
    critique: null,
    ...printed,
  };
}

/** Computes the cost fields of a verdict, by the names of `metric_info`. */
export function computeCosts(effort: ScoreEffort | null): Record<string, unknown> {
  const { cost = null, model = null, num_judges = null, input_tokens = null, output_tokens = null } = effort ?? {};
  const total_tokens = input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0);
  return { cost, model_alias: model, num_judges, input_tokens, output_tokens, total_tokens };
}
