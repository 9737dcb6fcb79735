import type { JsonValue } from '../kernel/json.ts';
import { type OutputType, type ReadScoreValue, type ReadValues, readScoreValue } from '../plugin-sdk/index.ts';
import { aggregateScores } from './aggregate-scores.ts';
import type { Pair } from './measure-rows.ts';

/** A row of the dataset with its ground truth as it was written down; null when there is none. */
export interface TruthRow {
  readonly row_id: string;
  readonly truth: unknown;
}

export interface Counters {
  readonly total_scored_rows: number;
  readonly total_mgt_rows: number;
  readonly joined_rows: number;
  readonly skipped_rows: number;
}

export interface JoinedRows<T extends OutputType> extends Counters {
  readonly pairs: readonly Pair<T>[];
}

/** Edits of ground truth that are not committed; null takes a truth away. */
export type Overlay = Readonly<Record<string, string | null>>;

/** Ids that are in no row are passed over. */
export function withOverlay(rows: readonly TruthRow[], overlay: Overlay): TruthRow[] {
  const edits = new Map(Object.entries(overlay).map(([row_id, truth]) => [row_id.toLowerCase(), truth]));
  return rows.map((row) => (edits.has(row.row_id) ? { ...row, truth: edits.get(row.row_id) } : row));
}

/**
 * Puts what is right and what was scored together, row by row. `scores` holds the successful scores of each row, in the order
 * of its records; rows without any are left out.
 */
export function joinRows<T extends OutputType>(
  output_type: T,
  rows: readonly TruthRow[],
  scores: ReadonlyMap<string, readonly JsonValue[]>,
): JoinedRows<T> {
  let [scored, withTruth, joined, skipped] = [0, 0, 0, 0];
  const pairs: Pair<T>[] = [];
  for (const { row_id, truth: given } of rows) {
    const said = scores.get(row_id) ?? [];
    const truth = readScoreValue(output_type, given, 'truth');
    if (said.length > 0) scored += 1;
    if (truth.kind !== 'absent') withTruth += 1;
    if (said.length === 0 || truth.kind === 'absent') continue;
    joined += 1;
    if (output_type === 'freeform') continue;
    const pair = toPair(output_type, truth, said);
    if (pair) pairs.push(pair);
    else skipped += 1;
  }
  return { total_scored_rows: scored, total_mgt_rows: withTruth, joined_rows: joined, skipped_rows: skipped, pairs };
}

/** Undefined when either side cannot be read, or lists of chunks differ in length. */
export function toPair<T extends OutputType>(
  output_type: T,
  truth: ReadScoreValue<T>,
  said: readonly JsonValue[],
): Pair<T> | undefined {
  const values: ReadValues[T][] = [];
  for (const given of said) {
    const read = readScoreValue(output_type, given, 'score');
    if (read.kind === 'value') values.push(read.value);
  }
  if (truth.kind !== 'value' || values.length === 0) return undefined;
  const score = aggregateScores(output_type, values);
  if (score === undefined || differInLength(output_type, truth.value, score)) return undefined;
  return { truth: truth.value, score };
}

/** Chunks stand side by side; sets of labels may differ in size. */
const differInLength = (output_type: OutputType, truth: unknown, score: unknown): boolean =>
  output_type === 'retrieved_chunk_list_boolean' && getLength(truth) !== getLength(score);

const getLength = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
