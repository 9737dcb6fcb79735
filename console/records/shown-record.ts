import type { ScoreInfo, Scores } from '../scores/score.ts';

/** A trace, a span or a session as a search answers it: what was asked for, and always its type and id. */
export interface ShownRecord {
  readonly id: string;
  readonly type: string;
  readonly trace_id?: string;
  readonly name?: string | null;
  readonly external_id?: string | null;
  readonly is_complete?: boolean;
  readonly metrics?: Readonly<Record<string, unknown>>;
  readonly metric_info?: Scores;
  readonly user_metadata?: Readonly<Record<string, unknown>>;
  readonly dataset_metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const AGREEMENT = 'agreement/';
const PLACES = ['metrics', 'user_metadata', 'dataset_metadata'] as const;

/** The place and the name in a column's id such as `metrics/cost`; undefined for a column that every record has. */
export function parseColumnPlace(
  column_id: string,
): { readonly place: (typeof PLACES)[number]; readonly name: string } | undefined {
  const slash = column_id.indexOf('/');
  const place = PLACES.find((one) => one === column_id.slice(0, slash));
  return place && { place, name: column_id.slice(slash + 1) };
}

/** Returns the record's own value in a column; scores are `findScore`. Undefined where it has none. Undefined where it says nothing. */
export function toOwnValue(record: ShownRecord, column_id: string): unknown {
  if (column_id.startsWith(AGREEMENT)) return findAgreement(record, column_id.slice(AGREEMENT.length));
  const own = parseColumnPlace(column_id);
  if (!own) return record[column_id] ?? modelsText(record, column_id);
  const values = record[own.place] ?? {};
  return Object.hasOwn(values, own.name) ? (values[own.name] ?? undefined) : undefined;
}

/** How far the judges of a metric agreed. */
const findAgreement = ({ metric_info = {} }: ShownRecord, metric_name: string): number | undefined =>
  Object.hasOwn(metric_info, metric_name) ? metric_info[metric_name]?.agreement : undefined;

/** A trace has the models that its calls name. */
function modelsText({ models }: ShownRecord, column_id: string): string | undefined {
  if (column_id !== 'model' || !Array.isArray(models) || models.length === 0) return undefined;
  return models.join(', ');
}

export function findScore({ metric_info = {} }: ShownRecord, column_id: string): ScoreInfo | undefined {
  const own = parseColumnPlace(column_id);
  return own?.place === 'metrics' && Object.hasOwn(metric_info, own.name) ? metric_info[own.name] : undefined;
}
