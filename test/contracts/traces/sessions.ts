import { randomUUID } from 'node:crypto';
import { RecordSearch } from '../../../core/traces/record-query.ts';
import type { StoredSession } from '../../../core/traces/sessions/session.ts';
import { toSessionCondition, toSessionSort } from '../../../core/traces/sessions/session-column.ts';
import { CREATED, type RunKey } from './record-stores.ts';

export type Search = Readonly<Record<string, unknown>>;

export const at = (micros: number): string => `2026-01-01T00:00:00.000${String(micros).padStart(3, '0')}Z`;

/** A session as somebody creates it. */
export function session({ project_id, run_id }: RunKey, facts: Partial<StoredSession> = {}): StoredSession {
  const nothing = { name: null, external_id: null, previous_session_id: null, user_metadata: {} };
  return { project_id, run_id, id: randomUUID(), ...nothing, created_at: CREATED, updated_at: CREATED, ...facts };
}

export function toListing(run: RunKey, body: Search) {
  const search = RecordSearch.parse(body);
  const { starting_token, limit } = search;
  const after = search.previous_last_row_id ?? undefined;
  return { ...run, where: toSessionCondition(search), sort: toSessionSort(search.sort), starting_token, limit, after };
}
