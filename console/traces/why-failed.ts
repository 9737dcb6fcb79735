import { changedPath } from '../kit/view-changes.ts';
import { withErrors } from '../records/quick-filters.ts';
import type { ScoreInfo } from '../scores/score.ts';
import { ownScores } from '../scores/score.ts';
import type { RunPlace } from './run-place.ts';
import type { Step } from './steps/step.ts';

/** A score below which somebody looks twice, of those between 0 and 1. */
const LOW = 0.5;
const MOST_SCORES = 5;

export interface BadScore {
  readonly step: Step;
  readonly name: string;
  readonly info: ScoreInfo;
}

/** Reasons for which somebody would call a trace failed. */
export interface Failure {
  /** The span in which it began: the first that failed without a failed one below it. */
  readonly first: Step | undefined;
  /** Scores that say no, or are low, with those that could not be computed; the trace's own first. */
  readonly scores: readonly BadScore[];
}

/** Undefined where nothing failed. */
export function findFailure(steps: readonly Step[]): Failure | undefined {
  const failed = steps.filter((step) => step.failed);
  const withBelow = new Set(failed.flatMap(({ parent }) => (parent?.failed ? [parent] : [])));
  const [first] = failed.filter((step) => !withBelow.has(step)).toSorted((a, b) => a.start - b.start || a.index - b.index);
  const scores = steps.flatMap((step) =>
    Object.entries(ownScores(step.record.metric_info))
      .filter(([, info]) => isBad(info))
      .map(([name, info]) => ({ step, name, info })),
  );
  return first || scores.length > 0 ? { first, scores: scores.slice(0, MOST_SCORES) } : undefined;
}

function isBad({ status_type, value }: ScoreInfo): boolean {
  if (status_type === 'failed' || status_type === 'error') return true;
  if (status_type !== 'success') return false;
  return value === false || (typeof value === 'number' && value >= 0 && value < LOW);
}

/** Where the failed traces or spans of this name are listed; undefined for one without a name, or of a run that is not listed. */
export function toSimilarPath({ record: { name, type } }: Pick<Step, 'record'>, { path, ids }: RunPlace): string | undefined {
  if (!name || path === undefined) return undefined;
  const sameName = { type: 'text', column_id: 'name', operator: 'eq', value: name, case_sensitive: true } as const;
  return changedPath('experiment_id' in ids ? `${path}/records` : path, {
    level: type === 'trace' ? undefined : 'span',
    filters: JSON.stringify(withErrors([sameName], true)),
  });
}

/** Where senders and importers leave the words of a failure. */
const REASON = /status_message|exception\.message|^error(\.|_)?(message|type)?$/i;

/** The words of a failure that came with a record. */
export const listReasons = ({ record: { user_metadata } }: Step): readonly string[] =>
  Object.entries(user_metadata)
    .filter(([name]) => REASON.test(name))
    .map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
