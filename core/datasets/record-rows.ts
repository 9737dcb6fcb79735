import { AppError, type Issue } from '../kernel/errors.ts';
import { payloadText } from '../traces/columns/column.ts';
import type { LogRecord } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { ContentEdit } from './edit.ts';
import type { RowValues } from './row.ts';

type CopyOfRecords = Extract<ContentEdit, { edit_type: 'copy_record_data' }>;

/** Rows made of traces and spans, in the order asked for. Rejects with AppError `invalid` when the project lacks one. */
export async function rowsOfRecords(
  store: Pick<TraceStore, 'findAll'>,
  { project_id, ids, use_generated_output_column }: CopyOfRecords,
  edit_index: number,
): Promise<RowValues[]> {
  const rows: RowValues[] = [];
  const issues: Issue[] = [];
  const output = use_generated_output_column ? 'generated_output' : 'output';
  const records = await store.findAll(project_id, ids);
  for (const [at, id] of ids.entries()) {
    const record = records.get(id);
    if (record) rows.push(toRow(record, output));
    else issues.push(unknown(['body', 'edits', edit_index, 'ids', at], id));
  }
  if (issues.length > 0) throw new AppError('invalid', 'record_unknown', 'the project has no such record', { issues });
  return rows;
}

const toRow = (record: LogRecord, output: string): RowValues => ({
  input: payloadText(record.input),
  [output]: payloadText(record.output),
  metadata: JSON.stringify(record.user_metadata),
});

const unknown = (loc: Issue['loc'], input: string): Issue => ({ loc, msg: 'no such record', type: 'record_unknown', input });
