import { z } from 'zod';
import { GivenObject } from '../../kernel/given-object.ts';
import { findNonFinite, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { withDefault } from '../../kernel/optional.ts';
import { cleanText, Id } from '../../kernel/text.ts';
import { isBefore } from '../../kernel/timestamp.ts';
import { loggingFields } from '../ingest/ingest-schema.ts';
import type { LogRecord } from '../record.ts';
import { SessionExternalId } from './session-external-id.ts';
import type { SessionMetrics } from './session-metrics.ts';

/**
 * A session as it is kept: one that was created, or that traces were logged under. A trace outside of these is a session
 * of its own, which is not kept but read from the trace: `toStoredSession`.
 */
export interface StoredSession {
  readonly project_id: string;
  readonly run_id: string;
  readonly id: string;
  readonly name: string | null;
  /** Of the sessions of a run at most one has it. */
  readonly external_id: string | null;
  readonly previous_session_id: string | null;
  readonly user_metadata: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A session with what its traces say of it. */
export interface Session extends StoredSession {
  /** Of the first trace by creation time; an empty text without traces. */
  readonly input: JsonValue;
  /** Of the last one. */
  readonly output: JsonValue;
  readonly num_traces: number;
  /** Whether it is not kept, but the session that a trace outside of sessions is by itself. */
  readonly is_implicit: boolean;
  /** Whether all traces are; so is a session without any. */
  readonly is_complete: boolean;
  readonly metrics: SessionMetrics;
}

/** A session as the API shows it. */
export type SessionView = ReturnType<typeof toSessionView>;

export function toSessionView({ num_traces, ...session }: Session, include_counts: boolean) {
  return {
    type: 'session' as const,
    session_id: session.id,
    ...session,
    tags: [],
    metric_info: {},
    has_children: num_traces > 0,
    num_traces: include_counts ? num_traces : null,
  };
}

/** The session that a trace is by itself. What the trace is called by its sender, its `external_id`, names no session. */
export const toStoredSession = ({
  project_id,
  run_id,
  id,
  name,
  user_metadata,
  created_at,
  updated_at,
}: LogRecord): StoredSession => ({
  project_id,
  run_id,
  id,
  name,
  external_id: null,
  previous_session_id: null,
  user_metadata,
  created_at,
  updated_at,
});

/** The sessions that traces were logged under, as they are kept when nobody created them: since the first of these traces. */
export function mentionedSessions(records: readonly LogRecord[]): StoredSession[] {
  const sessions = new Map<string, StoredSession>();
  for (const record of records) {
    if (record.type !== 'trace' || record.session_id === record.id) continue;
    const known = sessions.get(record.session_id);
    if (known && !isBefore(record.created_at, known.created_at)) continue;
    const { project_id, run_id, session_id: id, created_at, updated_at } = record;
    const nothing = { name: null, external_id: null, previous_session_id: null, user_metadata: {} };
    sessions.set(id, { project_id, run_id, id, ...nothing, created_at, updated_at });
  }
  return [...sessions.values()];
}

const UserMetadata = GivenObject.superRefine((value, ctx) => {
  const path = findNonFinite(value);
  if (path) ctx.addIssue({ code: 'custom', path, message: 'the number is outside the range of a double' });
});

export const NewSession = z
  .object({
    ...loggingFields,
    name: cleanText(0, 1024).nullish(),
    previous_session_id: Id.nullish(),
    external_id: SessionExternalId,
    user_metadata: withDefault(UserMetadata, {}),
  })
  .meta({ id: 'NewSession' });
export type NewSession = z.output<typeof NewSession>;
