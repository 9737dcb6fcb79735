import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId } from '../../kernel/ports.ts';
import type { RunContext } from '../../projects/run-context.ts';
import type { LogRecord } from '../record.ts';
import type { StoredSession } from './session.ts';
import type { SessionStore } from './session-store.ts';

interface Deps {
  readonly sessionStore: SessionStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

interface Named {
  readonly session_id?: string | null | undefined;
  readonly session_external_id: string | null;
}

/** A session found by the name its application gave it, or the one to be made under that name. */
export interface NamedSession {
  readonly id: string;
  /** Makes it unless it is there; somebody who was faster may have made it under another id. */
  made(): Promise<NamedSession>;
}

/**
 * The session that a batch names by external id; undefined when it names none. Rejects with AppError
 * `session_ambiguous` when the batch gives an id as well and that is another session's.
 */
export async function sessionNamedBy(deps: Deps, run: RunContext, named: Named): Promise<NamedSession | undefined> {
  const { session_id, session_external_id: external_id } = named;
  if (external_id === null) return undefined;
  const { project_id, run_id } = run;
  const found = await deps.sessionStore.findByExternalId(project_id, run_id, external_id);
  if (found) return there(found.id, session_id);
  const now = deps.clock().toISOString();
  const id = session_id ?? deps.newId();
  const rest = { name: null, previous_session_id: null, user_metadata: {}, created_at: now, updated_at: now };
  const session: StoredSession = { project_id, run_id, id, external_id, ...rest };
  const made = async (): Promise<NamedSession> => {
    const stored = await deps.sessionStore.findOrInsert(session, false);
    return there(stored?.id, session_id);
  };
  return { id, made };
}

/** Records of a batch that was flattened for the session `from`, moved to `to`. */
export const inSession = (records: LogRecord[], from: string | undefined, to: string): LogRecord[] =>
  from === to ? records : records.map((record) => (record.session_id === from ? { ...record, session_id: to } : record));

function there(id: string | undefined, wanted: string | null | undefined): NamedSession {
  if (id === undefined || (typeof wanted === 'string' && wanted !== id)) throw ambiguous();
  const session: NamedSession = { id, made: async () => session };
  return session;
}

const ambiguous = (): AppError => {
  const msg = 'session_id and session_external_id name two sessions';
  return new AppError('invalid', 'session_ambiguous', msg, {
    issues: [{ loc: ['body', 'session_external_id'], msg, type: 'session_ambiguous' }],
  });
};
