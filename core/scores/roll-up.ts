import type { ScoreEffort, ScoreValue } from '../plugin-sdk/index.ts';
import type { StoredEntry } from './metric-settings.ts';
import { computeCosts, type KeptEffort, toScorerFamily } from './score.ts';

/** Cost of a verdict, as far as roll-ups add it up. */
export type Spent = Pick<ScoreEffort, 'model' | 'cost' | 'input_tokens' | 'output_tokens'>;

/** Results of one scorer of what stands below one trace or session. */
export interface ScoresOfScorer {
  /** The trace or session. */
  readonly under_id: string;
  readonly scorer_id: string;
  /** Whether they are about traces; else about spans. */
  readonly is_trace: boolean;
  /** The newest of each record, by start of the records. */
  readonly values: readonly ScoreValue[];
  /** In the same order, of those that say it. */
  readonly spent: readonly Spent[];
}

export interface BelowQuery {
  readonly project_id: string;
  readonly run_id: string;
  readonly level: 'trace' | 'session';
  readonly ids: readonly string[];
  readonly scorer_ids: readonly string[];
}

export interface ScoresBelow {
  /** Successful results of records in traces, or in the traces of sessions: one entry by each scorer for traces, one for spans. */
  list(query: BelowQuery): Promise<ScoresOfScorer[]>;
}

/** Texts of more kinds than this are no categories. */
const MAX_CATEGORIES = 50;

const NUMERIC: Readonly<Record<string, (values: readonly number[]) => number>> = {
  average: (values) => sum(values) / values.length,
  sum: (values) => sum(values),
  max: (values) => values.reduce((a, b) => Math.max(a, b)),
  min: (values) => values.reduce((a, b) => Math.min(a, b)),
};
const IN_TIME: Readonly<Record<string, (values: readonly number[]) => number>> = {
  first: (values) => values[0]!,
  last: (values) => values.at(-1)!,
};

/**
 * Aggregates results of one scorer: numbers by average, sum, greatest and least, where yes is 1 and no is 0; categories
 * by how often each was given. The method of the entry picks one. Undefined when there is nothing to tell.
 */
export function computeRollUp(
  entry: Pick<StoredEntry, 'roll_up_method' | 'model_type'>,
  { values, spent }: Pick<ScoresOfScorer, 'values' | 'spent'>,
): Readonly<Record<string, unknown>> | undefined {
  const roll_up_metrics = toMetrics(entry.roll_up_method, values.flatMap(toParts));
  if (!roll_up_metrics) return undefined;
  return {
    status_type: 'roll_up',
    roll_up_metrics,
    explanation: null,
    ...computeCosts(getTogether(spent)),
    critique: null,
    scorer_type: toScorerFamily(entry),
  };
}

function toMetrics(method: string | null, parts: readonly (number | string)[]): object | undefined {
  if (method === 'none' || parts.length === 0) return undefined;
  const numbers = parts.filter((part) => typeof part === 'number');
  if (method === 'category_count' || numbers.length < parts.length) return computeCounts(parts);
  const name = method === 'avg' ? 'average' : (method ?? '');
  const picked = NUMERIC[name] ?? IN_TIME[name];
  const methods = picked ? { [name]: picked } : NUMERIC;
  return Object.fromEntries(Object.entries(methods).map(([key, of]) => [key, of(numbers)]));
}

function computeCounts(parts: readonly (number | string)[]): object | undefined {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(`${part}`, (counts.get(`${part}`) ?? 0) + 1);
  return counts.size > MAX_CATEGORIES ? undefined : { category_count: Object.fromEntries(counts) };
}

/** Of a list each item; of labels those that hold. */
function toParts(value: ScoreValue): (number | string)[] {
  if (typeof value === 'boolean') return [Number(value)];
  if (typeof value === 'number' || typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: ScoreValue) => toParts(item));
  return Object.entries(value ?? {}).flatMap(([label, holds]) => (holds ? [label] : []));
}

/** Whether a verdict took anything: one that was only printed beside did not. */
export const hasSpent = ({ printed: _printed, ...spent }: KeptEffort): boolean => Object.keys(spent).length > 0;

/** Tokens and money of all; the cost is not known when one is not. */
function getTogether(efforts: readonly Spent[]): ScoreEffort | null {
  if (efforts.length === 0) return null;
  const models = new Set(efforts.flatMap(({ model }) => model ?? []));
  const costs = efforts.map(({ cost }) => cost);
  return {
    ...(models.size === 1 ? { model: [...models][0]! } : {}),
    cost: costs.every((cost) => typeof cost === 'number') ? sum(costs) : null,
    input_tokens: sum(efforts.map(({ input_tokens = 0 }) => input_tokens)),
    output_tokens: sum(efforts.map(({ output_tokens = 0 }) => output_tokens)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
