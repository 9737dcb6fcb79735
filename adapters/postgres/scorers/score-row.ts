import type { JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { KeptEffort, NewScore, Score } from '../../../core/scores/score.ts';
import { decodeJson, decodeText, encodeJson, encodeText, readJson } from '../database/text-codec.ts';

/** A row of one of the tables of scores. Timestamps and JSON come as text. */
export type ScoreRow = Omit<Score, 'value' | 'effort'> & { readonly value: string | null; readonly effort: unknown };

export const SCORE_KEY = ['project_id', 'record_id', 'run_id', 'scorer_version_id'] as const;
export const CHANGEABLE_OF_SCORE = [
  'scorer_id',
  'metric_name',
  'status_type',
  'value',
  'explanation',
  'message',
  'scored_at',
  'effort',
  'judged',
] as const;
export const SCORE_NAMES = [...SCORE_KEY, ...CHANGEABLE_OF_SCORE].join(', ');

const encoded = (text: string | null): string | null => (text === null ? null : encodeText(text));
const decoded = (text: string | null): string | null => (text === null ? null : decodeText(text));

export const toRow = (score: NewScore): Omit<ScoreRow, 'times_scored'> => ({
  ...score,
  metric_name: encodeText(score.metric_name),
  value: JSON.stringify(encodeJson(score.value)),
  effort: score.effort && encodeJson(score.effort),
  explanation: encoded(score.explanation),
  message: encoded(score.message),
});

export const toScore = (row: ScoreRow): Score => ({
  ...row,
  metric_name: decodeText(row.metric_name),
  value: row.value === null ? null : (readJson(row.value) as JsonValue),
  effort: row.effort === null ? null : (decodeJson(row.effort) as KeptEffort),
  explanation: decoded(row.explanation),
  message: decoded(row.message),
  scored_at: toUtc(row.scored_at)!,
});
