import { z } from 'zod';
import { NUM_COMMENTS } from '../../comments/comment-column.ts';
import { AppError, type Issue } from '../../kernel/errors.ts';
import { withDefault } from '../../kernel/optional.ts';
import { parseRatingColumn, type RatingColumn } from '../../ratings/rating-column.ts';
import { parseAgreementColumn } from '../../scores/agreement-column.ts';
import { COMMON_FIELD_NAMES, type CommonField } from '../catalogue/record-fields.ts';
import { knownFirst, ownFieldsOf, SPAN_TYPES } from '../catalogue/span-types.ts';
import { findColumn, parseOwnName } from '../columns/column.ts';
import { RecordCount, RecordSort } from '../record-query.ts';
import { IS_IMPLICIT, isSessionColumn } from '../sessions/session-column.ts';
import { csvLine } from './csv.ts';
import { COST_FIELDS } from './query-cost.ts';

export const ROOT_TYPES = ['session', 'trace', 'span'] as const;
export type RootType = (typeof ROOT_TYPES)[number];

/** Request for an export: one line per record of the root type, as the search shows it. */
export const ExportRequest = RecordCount.extend({
  root_type: z.enum(ROOT_TYPES),
  sort: RecordSort.nullish(),
  column_ids: z.array(z.string().max(1100)).max(1000).nullish(),
  export_format: withDefault(z.enum(['jsonl', 'csv', 'json']), 'jsonl'),
  redact: withDefault(z.boolean(), true),
  file_name: z.string().max(255).nullish(),
  ...COST_FIELDS,
}).meta({ id: 'ExportRequest' });
export type ExportRequest = z.output<typeof ExportRequest>;

/** A record as the API shows it. */
export type ExportRow = Readonly<Record<string, unknown>>;

const RECORD_FIELDS: readonly string[] = [
  ...knownFirst<CommonField>(['id', 'type', 'name', 'created_at', 'updated_at'], COMMON_FIELD_NAMES),
  ...['metric_info', 'feedback_rating_info', 'annotations', 'annotation_aggregates', 'annotation_truths', NUM_COMMENTS],
];

/** The fields of each kind of line, in the order in which a table shows them. */
const FIELDS: Readonly<Record<RootType, readonly string[]>> = {
  trace: RECORD_FIELDS,
  span: [...RECORD_FIELDS, ...new Set<string>(SPAN_TYPES.flatMap(ownFieldsOf))],
  session: [
    'id',
    'type',
    'name',
    'created_at',
    'updated_at',
    'project_id',
    'run_id',
    'session_id',
    'external_id',
    'previous_session_id',
    'input',
    'output',
    'is_complete',
    'has_children',
    'num_traces',
    IS_IMPLICIT,
    'tags',
    'user_metadata',
    'metrics',
    'metric_info',
    'feedback_rating_info',
    'annotations',
    'annotation_aggregates',
    'annotation_truths',
    NUM_COMMENTS,
  ],
};

/** How lines are written: `head` before the first, which is empty for JSON. */
export interface ExportFormat {
  readonly content_type: string;
  readonly extension: string;
  readonly head: string;
  line(row: ExportRow): string;
}

/** Throws AppError `invalid` with every column that lines of this kind do not have. */
export function getFormat({ root_type, column_ids, export_format }: ExportRequest): ExportFormat {
  const asked = column_ids && column_ids.length > 0 ? column_ids : undefined;
  refuseUnknown(asked ?? [], root_type);
  const columns = asked ?? FIELDS[root_type];
  if (export_format === 'csv') {
    const line = (row: ExportRow): string => csvLine(columns.map((id) => toCell(row, id)));
    return { content_type: 'text/csv; charset=utf-8', extension: 'csv', head: csvLine(columns), line };
  }
  const shown = (row: ExportRow): ExportRow => (asked ? Object.fromEntries(asked.map((id) => [id, toCell(row, id)])) : row);
  const line = (row: ExportRow): string => `${JSON.stringify(shown(row))}\n`;
  return { content_type: 'application/x-ndjson; charset=utf-8', extension: 'jsonl', head: '', line };
}

/**
 * The line with what was redacted in the place of what was said. Without a redacted form the plain one stays: whoever
 * logged it had nothing to hide.
 */
export const redacted = (row: ExportRow): ExportRow => ({
  ...row,
  input: row.redacted_input ?? row.input,
  output: row.redacted_output ?? row.output,
});

/** A metric is what a scorer said, else the number that came with the record: as filters see it. */
function toCell(row: ExportRow, id: string): unknown {
  const rating = parseRatingColumn(id);
  if (rating) return toRating(row, rating);
  const metric_name = parseAgreementColumn(id);
  if (metric_name !== undefined) return toInfo(row, metric_name)?.agreement ?? null;
  const own = parseOwnName(id);
  if (!own) return row[id] ?? null;
  const scored = own.place === 'metrics' ? toInfo(row, own.name)?.value : undefined;
  return scored ?? getMember(row[own.place], own.name) ?? null;
}

const toInfo = (row: ExportRow, metric_name: string) =>
  getMember(row.metric_info, metric_name) as { readonly value?: unknown; readonly agreement?: unknown } | undefined;

function toRating(row: ExportRow, { place, name }: RatingColumn): unknown {
  if (place === 'annotations') return getMember(row.annotation_truths, name) ?? null;
  return (getMember(row.feedback_rating_info, name) as { value?: unknown } | undefined)?.value ?? null;
}

const getMember = (map: unknown, name: string): unknown =>
  typeof map === 'object' && map !== null && Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined;

function refuseUnknown(ids: readonly string[], root_type: RootType): void {
  const isKnown = root_type === 'session' ? isSessionColumn : (id: string) => findColumn(id) !== undefined;
  const issues: Issue[] = [];
  for (const [index, id] of ids.entries()) {
    if (isKnown(id) || FIELDS[root_type].includes(id)) continue;
    issues.push({ loc: ['body', 'column_ids', index], msg: 'unknown column', type: 'column_unknown', input: id });
  }
  if (issues.length > 0) throw new AppError('invalid', 'column_unknown', 'columns are not known', { issues });
}
