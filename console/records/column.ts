import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import { isDuration } from '../kit/duration.ts';
import { toLabel as nameToLabel } from '../kit/label.ts';
import type { Level } from './level.ts';
import { findScore, parseColumnPlace, type ShownRecord, toOwnValue } from './shown-record.ts';

export type ColumnKind = 'payload' | 'score' | 'duration' | 'cost' | 'number' | 'moment' | 'status' | 'ratings' | 'value';

/** A column of the table. */
export interface ShownColumn {
  readonly id: string;
  readonly label: string;
  readonly kind: ColumnKind;
  /** Set to the right, so that digits stand below each other. */
  readonly isNumeric: boolean;
  readonly isSortable: boolean;
  readonly isPercentage: boolean;
  readonly description: string | null;
}

export type Descriptors = readonly ColumnDescriptor[] | undefined;

const SCORES = 'scores';
const MODEL = 'model';
const COMMENTS = 'num_comments';
const COST = 'metrics/cost';
const NUMBERS = ['metrics/duration_ns', 'metrics/num_total_tokens', COST] as const;

/** `scores` stands for all scorers that have something to say. */
const DEFAULTS: Readonly<Record<Level, readonly string[]>> = {
  trace: ['name', 'input', 'output', SCORES, MODEL, ...NUMBERS, 'status_code', COMMENTS, 'created_at'],
  span: ['name', 'type', 'input', 'output', SCORES, MODEL, ...NUMBERS, 'status_code', COMMENTS, 'created_at'],
  session: ['name', 'input', 'output', SCORES, 'num_traces', ...NUMBERS, COMMENTS, 'created_at'],
};

/** Columns to request before anything is known of the log stream. */
export const searchedByDefault = (level: Level): readonly string[] => DEFAULTS[level].filter((id) => id !== SCORES);

/** The columns that somebody sees who has chosen none: numbers that no record has are left out. */
export function defaultColumns(level: Level, descriptors: Descriptors, records: readonly ShownRecord[]): readonly string[] {
  const isFilled = (id: string): boolean =>
    columnsOfLevel(descriptors, level).some((one) => one.id === id && !one.is_empty) ||
    records.some((record) => isShown(toOwnValue(record, id), id));
  const isOptional = (id: string): boolean => OPTIONAL.has(id) || id.startsWith('metrics/');
  const scores = scoreColumns(level, descriptors, records);
  return DEFAULTS[level].flatMap((id) => (id === SCORES ? scores : isOptional(id) && !isFilled(id) ? [] : [id]));
}

const OPTIONAL: ReadonlySet<string> = new Set(['status_code', MODEL, COMMENTS]);

/** Every record has a number of comments, which mostly is none. */
const isShown = (value: unknown, id: string): boolean => value !== undefined && !(id === COMMENTS && value === 0);

/** Of enabled scorers that look at this level, then of whoever else has scored these records. */
function scoreColumns(level: Level, descriptors: Descriptors, records: readonly ShownRecord[]): string[] {
  const enabled = (descriptors ?? []).filter((one) => one.scorer_id && isOfLevel(one, level)).map(({ id }) => id);
  const seen = records.flatMap(({ metric_info = {} }) => Object.keys(metric_info).map((name) => `metrics/${name}`));
  return [...new Set([...enabled, ...seen])];
}

const isOfLevel = ({ applicable_types }: ColumnDescriptor, level: Level): boolean =>
  level === 'span' ? applicable_types.some((type) => type !== 'trace' && type !== 'session') : applicable_types.includes(level);

/**
 * Columns that records of this level have themselves: for a list of traces the API describes the columns of their spans too. Of
 * these traces have the model, which their calls name: they are filtered by it, not sorted.
 */
export const columnsOfLevel = (descriptors: Descriptors, level: Level): readonly ColumnDescriptor[] =>
  (descriptors ?? []).filter((one) => isOfLevel(one, level) || (level === 'trace' && one.id === MODEL));

export function shownColumn(id: string, level: Level, descriptors: Descriptors, records: readonly ShownRecord[]): ShownColumn {
  const descriptor = descriptors?.find((one) => one.id === id);
  const kind = getKind(id, descriptor, records);
  return {
    id,
    // Of a metric that came along, which has no label but its name, the usual one is known.
    label: id === COST ? 'Cost' : (descriptor?.label ?? toLabel(id)),
    kind,
    isNumeric: NUMERIC.has(kind) || (kind === 'score' && (descriptor?.filter_type ?? 'number') === 'number'),
    // The usual order can be gone back to before the columns are known. Nothing is sorted by what only was rolled up.
    isSortable: descriptor ? descriptor.sortable && isOfLevel(descriptor, level) : id === 'created_at',
    isPercentage: descriptor?.data_unit === 'percentage',
    description: descriptor?.description ?? null,
  };
}

const NUMERIC: ReadonlySet<ColumnKind> = new Set(['duration', 'cost', 'number']);

function getKind(id: string, descriptor: ColumnDescriptor | undefined, records: readonly ShownRecord[]): ColumnKind {
  const own = parseColumnPlace(id);
  const metric = own?.place === 'metrics' ? own.name : undefined;
  if (id === 'input' || id === 'output') return 'payload';
  if (id === 'status_code') return 'status';
  if (id === 'ratings') return 'ratings';
  if (descriptor?.scorer_id || records.some((record) => findScore(record, id) !== undefined)) return 'score';
  if (metric && isDuration(metric)) return 'duration';
  if (metric === 'cost') return 'cost';
  if (descriptor?.filter_type === 'date' || id === 'created_at') return 'moment';
  const isNumber = descriptor ? descriptor.filter_type === 'number' : metric !== undefined || id.startsWith('num_');
  return isNumber ? 'number' : 'value';
}

/** Of an id that is not described: `metrics/num_total_tokens` is "Total tokens". */
export const toLabel = (id: string): string => nameToLabel(parseColumnPlace(id)?.name ?? id);
