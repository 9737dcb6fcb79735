import { AppError, type Issue } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { payloadText } from '../traces/columns/column.ts';
import type { LogRecord } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { ContentEdit, RecordColumns } from './edit.ts';
import type { RowValues } from './row.ts';

type CopyOfRecords = Extract<ContentEdit, { edit_type: 'copy_record_data' }>;

/** Rows made of traces and spans, in the order asked for. Rejects with AppError `invalid` when the project lacks one. */
export async function rowsOfRecords(
  store: Pick<TraceStore, 'findAll'>,
  copy: CopyOfRecords,
  edit_index: number,
): Promise<RowValues[]> {
  const rows: RowValues[] = [];
  const issues: Issue[] = [];
  const { project_id, ids } = copy;
  const records = await store.findAll(project_id, ids);
  for (const [at, id] of ids.entries()) {
    const record = records.get(id);
    if (record) rows.push(toRecordRow(record, copy));
    else issues.push(unknown(['body', 'edits', edit_index, 'ids', at], id));
  }
  if (issues.length > 0) throw new AppError('invalid', 'record_unknown', 'the project has no such record', { issues });
  return rows;
}

/** Column of the link from a row to the record that it was made from: ids of project, run and record, with the record's type. */
export const SOURCE_RECORD = 'source_record';

/** How a row is made of a record. */
type RowShape = Pick<CopyOfRecords, 'columns' | 'link_to_record' | 'use_generated_output_column'>;

export function toRecordRow(record: LogRecord, { columns, link_to_record, use_generated_output_column }: RowShape): RowValues {
  const values = columns ? toMappedValues(record, columns) : toUsualValues(record, use_generated_output_column);
  return link_to_record ? { ...values, [SOURCE_RECORD]: toLink(record) } : values;
}

const toUsualValues = (record: LogRecord, isGenerated: boolean): RowValues => ({
  input: payloadText(record.input),
  [isGenerated ? 'generated_output' : 'output']: payloadText(record.output),
  metadata: JSON.stringify(record.user_metadata),
});

const toMappedValues = (record: LogRecord, columns: RecordColumns): RowValues =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { field, key }]) => {
      const value = record[field] as JsonValue;
      return [name, toCell(key ? getEntry(value, key) : value)];
    }),
  );

/** Own entries alone: a map of metadata has whatever keys its sender chose. */
const getEntry = (map: JsonValue, key: string): JsonValue => (isMap(map) && Object.hasOwn(map, key) ? (map[key] ?? null) : null);

const isMap = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const toCell = (value: JsonValue): string | number | null => (typeof value === 'number' ? value : payloadText(value));

const toLink = ({ project_id, run_id, id, type }: LogRecord): RowValues[string] => ({ project_id, run_id, record_id: id, type });

const unknown = (loc: Issue['loc'], input: string): Issue => ({ loc, msg: 'no such record', type: 'record_unknown', input });
