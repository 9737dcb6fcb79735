import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { Session, StoredSession } from '../../../core/traces/sessions/session.ts';
import { omitMissing, SUMMED } from '../../../core/traces/sessions/session-metrics.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';
import { toContentBlocks } from './record-row.ts';

/** A row of `sessions` as the driver returns it. */
export interface StoredRow {
  readonly project_id: string;
  readonly run_id: string;
  readonly id: string;
  readonly name: string | null;
  readonly external_id: string | null;
  readonly previous_session_id: string | null;
  readonly user_metadata: unknown;
  readonly created_at: string;
  readonly updated_at: string;
}

/** With what its traces say: `head_kinds` and `tail_kinds` tell whether input and output are JSON text, `…_blocks` hold content blocks. */
export interface SessionRow extends StoredRow, Readonly<Record<'duration_ns' | (typeof SUMMED)[number], number | null>> {
  readonly input: string | null;
  readonly head_kinds: number | null;
  readonly head_blocks: string | null;
  readonly output: string | null;
  readonly tail_kinds: number | null;
  readonly tail_blocks: string | null;
  readonly num_traces: string;
  readonly is_implicit: boolean;
  readonly is_complete: boolean;
}

export const STORED_COLUMNS =
  'project_id, run_id, id, name, external_id, previous_session_id, user_metadata, created_at, updated_at';

/** The values of `STORED_COLUMNS`. */
export const toSessionValues = (session: StoredSession): unknown[] => [
  session.project_id,
  session.run_id,
  session.id,
  encoded(session.name),
  encoded(session.external_id),
  session.previous_session_id,
  JSON.stringify(encodeJson(session.user_metadata)),
  session.created_at,
  session.updated_at,
];

const encoded = (text: string | null): string | null => (text === null ? null : encodeText(text));
const decoded = (text: string | null): string | null => (text === null ? null : decodeText(text));

export const toStoredSession = (row: StoredRow): StoredSession => ({
  project_id: row.project_id,
  run_id: row.run_id,
  id: row.id,
  name: decoded(row.name),
  external_id: decoded(row.external_id),
  previous_session_id: row.previous_session_id,
  user_metadata: row.user_metadata === null ? {} : (decodeJson(row.user_metadata) as JsonObject),
  created_at: toUtc(row.created_at)!,
  updated_at: toUtc(row.updated_at)!,
});

export const toSession = (row: SessionRow): Session => ({
  ...toStoredSession(row),
  input: toContentBlocks(row.head_blocks).input ?? toPayload(row.input, ((row.head_kinds ?? 0) & 1) > 0) ?? '',
  output: toContentBlocks(row.tail_blocks).output ?? toPayload(row.output, ((row.tail_kinds ?? 0) & 2) > 0),
  num_traces: Number(row.num_traces),
  is_implicit: row.is_implicit,
  is_complete: row.is_complete,
  metrics: omitMissing({ duration_ns: row.duration_ns, ...Object.fromEntries(SUMMED.map((name) => [name, row[name]])) }),
});

function toPayload(stored: string | null, isJson: boolean): JsonValue {
  const text = decoded(stored);
  return text !== null && isJson ? (JSON.parse(text) as JsonValue) : text;
}
