import type { JsonValue } from '../kernel/json.ts';
import { isBefore } from '../kernel/timestamp.ts';
import { appliesTo, type MetricSettings, type Scoreable } from './metric-settings.ts';
import { isInSample } from './sampling.ts';

/**
 * What a scorer version said of a record. `error`: the scorer failed on this record; `failed`: scoring was given up
 * after repeated failures that are not the record's. Written once per (record, scorer version).
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
}

export type MetricInfo = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const NOT_COMPUTED = 'The scorer was enabled after this record was logged; recompute to score it.';
const NOT_COMPLETE = 'The trace is not complete yet.';

/**
 * Status per metric of one record: stored results, and for enabled scorers without one whether it will come. Nothing
 * is stored for a score to come, so nothing can be left behind as pending.
 */
export function metricInfoOf(
  record: Scoreable & { readonly is_complete: boolean; readonly updated_at: string },
  settings: MetricSettings,
  scores: readonly Score[],
): MetricInfo {
  const info = new Map<string, Readonly<Record<string, unknown>>>();
  const judges = new Set(scores.map(({ scorer_id }) => scorer_id));
  for (const entry of settings.scorers) {
    if (judges.has(entry.id) || !appliesTo(entry, record)) continue;
    if (isInSample(settings.segment_filters, entry, record)) info.set(entry.name, waiting(record, entry.enabled_at));
  }
  for (const score of scores) info.set(score.metric_name, shown(score));
  return Object.fromEntries(info);
}

function waiting(
  record: { readonly is_complete: boolean; readonly updated_at: string },
  enabled_at: string,
): Record<string, unknown> {
  if (!record.is_complete) return { status_type: 'not_computed', message: NOT_COMPLETE, scorer_type: null };
  if (isBefore(record.updated_at, enabled_at)) return { status_type: 'not_computed', message: NOT_COMPUTED, scorer_type: null };
  return { status_type: 'pending', scorer_type: null };
}

function shown({ status_type, value, explanation, message }: Score): Record<string, unknown> {
  if (status_type !== 'success') return { status_type, message, scorer_type: null };
  return {
    status_type,
    value,
    display_value: null,
    explanation,
    rationale: null,
    cost: null,
    model_alias: null,
    num_judges: null,
    critique: null,
    scorer_type: null,
  };
}
