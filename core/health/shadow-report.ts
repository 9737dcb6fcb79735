import { z } from 'zod';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { compareText } from '../kernel/query/sort.ts';
import { type OutputType, readScoreValue } from '../plugin-sdk/index.ts';
import { HealthScoreType } from './health-type.ts';
import { toPair } from './join-rows.ts';
import { ConfusionTable } from './measure.ts';
import { measureRows, type Pair } from './measure-rows.ts';

/** One side's value for a record; null when it failed, or has not scored the record yet. */
export interface ShadowPair {
  readonly record_id: string;
  readonly candidate: JsonValue;
  readonly standard: JsonValue;
}

const MAX_SHOWN = 20;

/** How a candidate drifts from the version that is in use, record by record. */
export const ShadowReport = z
  .object({
    /** Records that the candidate was asked about. */
    records: z.int(),
    candidate_failed: z.int(),
    /** Records of the candidate's of which the version in use has no score. */
    default_failed: z.int(),
    /** Records of which both have a value. */
    compared: z.int(),
    /** The share of these of which both said the same. */
    agreement: z.number().nullable(),
    /** The distance of the candidate from the version in use, as if that were the truth; null for texts without a form. */
    distance: z
      .object({ type: HealthScoreType, value: z.number().nullable(), secondary: z.record(z.string(), z.number().nullable()) })
      .nullable(),
    /** Rows: what the version in use said; columns: what the candidate did. */
    confusion_table: ConfusionTable.nullable(),
    /** The mean of numbers, and the share of yes; null for anything else. */
    candidate_mean: z.number().nullable(),
    default_mean: z.number().nullable(),
    /** Some of the records on which they differ. */
    differing: z.array(
      z.object({
        record_id: z.string(),
        record_type: z.enum(['trace', 'span', 'session']).nullable().describe('Null where it was deleted meanwhile.'),
        trace_id: z.string().nullable().describe('Of a trace or span: the trace it is in.'),
        candidate: z.json(),
        default: z.json(),
      }),
    ),
    /** Whether there are more records than were looked at. */
    is_partial: z.boolean(),
  })
  .meta({ id: 'ShadowReport' });
export type ShadowReport = z.output<typeof ShadowReport>;

/** A report before it is looked up what the differing records are. */
type Differing = ShadowReport['differing'][number];
export type BareReport = Omit<ShadowReport, 'differing'> & {
  readonly differing: readonly Omit<Differing, 'record_type' | 'trace_id'>[];
};

export function shadowReport(
  output_type: OutputType | null,
  type: HealthScoreType | null,
  pairs: readonly ShadowPair[],
  is_partial: boolean,
): BareReport {
  const compared = pairs.filter(({ candidate, standard }) => candidate !== null && standard !== null);
  const differing = compared.filter(({ candidate, standard }) => toText(candidate) !== toText(standard));
  const readable = output_type ? compared.flatMap((pair) => readPair(output_type, pair)) : [];
  const measure = output_type && readable.length > 0 ? measureRows(output_type, readable) : undefined;
  return {
    records: pairs.length,
    candidate_failed: pairs.filter(({ candidate }) => candidate === null).length,
    default_failed: pairs.filter(({ standard }) => standard === null).length,
    compared: compared.length,
    agreement: compared.length === 0 ? null : 1 - differing.length / compared.length,
    distance: measure && type ? { type, value: measure.value, secondary: measure.secondary } : null,
    confusion_table: measure?.confusion_table ?? null,
    candidate_mean: computeMean(compared.map(({ candidate }) => candidate)),
    default_mean: computeMean(compared.map(({ standard }) => standard)),
    differing: differing
      .slice(0, MAX_SHOWN)
      .map(({ record_id, candidate, standard }) => ({ record_id, candidate: asJson(candidate), default: asJson(standard) })),
    is_partial,
  };
}

function readPair<T extends OutputType>(output_type: T, { candidate, standard }: ShadowPair): Pair<T>[] {
  const pair = toPair(output_type, readScoreValue(output_type, standard, 'score'), [candidate]);
  return pair ? [pair] : [];
}

/** Labels of a map come in any order. */
const toText = (value: JsonValue): string =>
  JSON.stringify(isMap(value) ? Object.entries(value).sort(([a], [b]) => compareText(a, b)) : value);

const isMap = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function computeMean(values: readonly JsonValue[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number' || typeof value === 'boolean').map(Number);
  if (numbers.length === 0 || numbers.length < values.length) return null;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

const asJson = (value: JsonValue): z.output<ReturnType<typeof z.json>> =>
  structuredClone(value) as z.output<ReturnType<typeof z.json>>;
