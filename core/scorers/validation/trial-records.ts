import { cellText } from '../../datasets/content.ts';
import type { RowValues } from '../../datasets/row.ts';
import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import { uuid4 } from '../../otel/otel-ids.ts';
import { ROW_ID_KEY } from '../../projects/run-origin.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { StoredSession } from '../../traces/sessions/session.ts';

/** The key in `dataset_metadata` of a copy that names the record it was made from. */
export const SOURCE_RECORD_KEY = 'source_record_id';

/** The same for every try: whatever is repeated overwrites what it repeats. */
const idIn = (run_id: string, what: string, sha256: Sha256): string =>
  uuid4(computeDigest(`${run_id} ${what}`, sha256).slice(0, 32));

/**
 * Copies of the records of one trace, for another run, with ids of their own. The trace stands for itself, unless it is copied
 * with its session.
 */
export function copiesFor(run_id: string, records: readonly LogRecord[], sha256: Sha256, withSession: boolean): LogRecord[] {
  const getId = (id: string): string => idIn(run_id, id, sha256);
  return records.map((record) => ({
    ...record,
    run_id,
    id: getId(record.id),
    trace_id: getId(record.trace_id),
    parent_id: record.parent_id && getId(record.parent_id),
    session_id: getId(withSession ? record.session_id : record.trace_id),
    is_complete: true,
    dataset_metadata: { ...record.dataset_metadata, [SOURCE_RECORD_KEY]: record.id },
  }));
}

/** A copy of a session, for another run. What came before it is not there. */
export function sessionFor(run_id: string, { id, name, external_id, ...facts }: StoredSession, sha256: Sha256): StoredSession {
  const { project_id, user_metadata, created_at, updated_at } = facts;
  const kept = { name, external_id, user_metadata, created_at, updated_at };
  return { ...kept, project_id, run_id, id: idIn(run_id, id, sha256), previous_session_id: null };
}

/** Returns the records of a trial as a scorer sees them: without the references that the service added for itself. */
export const asSeen =
  (metadata: ReadonlyMap<string, LogRecord['dataset_metadata']>) =>
  (record: LogRecord): LogRecord => ({ ...record, dataset_metadata: metadata.get(record.id) ?? record.dataset_metadata });

/** A dataset row on its way into a trial. */
export interface TrialRow {
  readonly row_id: string;
  readonly values: RowValues;
}

/**
 * A row as a trace, with one span of each other type that the candidate scores. What was generated is the output; where nothing
 * was, the output that the row expects stands in.
 */
export function traceOfRow(run_id: string, { row_id, values }: TrialRow, nodeTypes: readonly string[], sha256: Sha256): object {
  const getId = (part: string): string => idIn(run_id, `${row_id} ${part}`, sha256);
  const input = cellText(values.input) ?? '';
  const expected = cellText(values.output);
  const output = cellText(values.generated_output) ?? expected ?? '';
  const row = {
    input,
    output,
    dataset_input: input,
    dataset_output: expected,
    dataset_metadata: { ...toRowMetadata(values), [ROW_ID_KEY]: row_id },
  };
  const types = [...getRecordTypes(nodeTypes)].filter((type) => type !== 'trace' && type !== 'session');
  const spans = types.map((type) => ({ ...row, id: getId(type), type, name: type }));
  return { ...row, id: getId('trace'), type: 'trace', name: 'dataset row', spans };
}

/** The `metadata` of a row: a map, or its JSON text. Whatever else it is, it is kept under its own name. */
export function toRowMetadata({ metadata }: RowValues): Readonly<Record<string, string>> {
  const text = cellText(metadata);
  if (text === null) return {};
  const parsed = parsedMap(text);
  if (!parsed) return { metadata: text };
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function parsedMap(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
