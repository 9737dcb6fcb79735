import type { Sha256 } from '../../kernel/digest.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { Session } from '../../traces/sessions/session.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import type { ScoringJob } from './scoring-queue.ts';
import { type Subject, subjectOfSession } from './subject.ts';

export interface SessionSubjectDeps {
  readonly traceStore: Pick<TraceStore, 'listTraces'>;
  readonly sessionStore: Pick<SessionStore, 'find' | 'listTraces'>;
  readonly sha256: Sha256;
}

/** A longer session is not judged: no judge could read it. */
export const MAX_TRACES_OF_SESSION = 1_000;

export interface SessionSubject {
  readonly subject: Subject;
  /** Without its traces: the session has more of them than are judged. */
  readonly isTooLong: boolean;
}

/** Reads a session with its traces as a scorer judges it. Undefined where it is gone, or goes on: it is noted again when its last trace is completed. */
export async function findSessionSubject(
  deps: SessionSubjectDeps,
  { project_id, run_id }: Pick<ScoringJob, 'project_id' | 'run_id'>,
  id: string,
): Promise<SessionSubject | undefined> {
  const session = await deps.sessionStore.find(project_id, id, run_id);
  if (!session?.is_complete || session.num_traces === 0) return undefined;
  const isTooLong = session.num_traces > MAX_TRACES_OF_SESSION;
  return { subject: subjectOfSession(session, isTooLong ? [] : await getTraces(deps, session), deps.sha256), isTooLong };
}

async function getTraces({ sessionStore, traceStore }: SessionSubjectDeps, session: Session): Promise<LogRecord[][]> {
  const page = { starting_token: 0, limit: MAX_TRACES_OF_SESSION };
  const ids = (await sessionStore.listTraces(session, page)).map(({ trace_id }) => trace_id);
  const records = await traceStore.listTraces(session.project_id, session.run_id, ids);
  const byTrace = Map.groupBy(records, ({ trace_id }) => trace_id);
  return ids.map((id) => byTrace.get(id) ?? []);
}
