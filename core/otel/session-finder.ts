import type { Clock, NewId } from '../kernel/ports.ts';
import { Id } from '../kernel/text.ts';
import type { RunContext } from '../projects/run-context.ts';
import type { StoredSession } from '../traces/sessions/session.ts';
import type { SessionStore } from '../traces/sessions/session-store.ts';
import { storableText } from './storable.ts';

export interface SessionDeps {
  readonly sessionStore: SessionStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** As long as an external id may be. */
const MAX_EXTERNAL_ID = 512;
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The id of the session that spans name by a text: a session of the run that has this id, else the one of this external
 * id, made where it is missing. A version 4 UUID becomes the id of the session it names, too.
 */
export async function getSessionId(deps: SessionDeps, { project_id, run_id }: RunContext, text: string): Promise<string> {
  const external_id = storableText(text, MAX_EXTERNAL_ID);
  const id = Id.safeParse(text).data;
  const [isId, known] = await Promise.all([
    id !== undefined && deps.sessionStore.holds(project_id, run_id, id),
    deps.sessionStore.findByExternalId(project_id, run_id, external_id),
  ]);
  if (isId) return id!;
  if (known) return known.id;
  const now = deps.clock().toISOString();
  const facts = { name: null, previous_session_id: null, user_metadata: {}, created_at: now, updated_at: now };
  const made = (own: string): Promise<StoredSession | undefined> =>
    deps.sessionStore.findOrInsert({ project_id, run_id, id: own, external_id, ...facts }, false);
  const session = (id !== undefined && UUID4.test(id) && (await made(id))) || (await made(deps.newId()));
  if (!session) throw new Error('a new id is taken');
  return session.id;
}
