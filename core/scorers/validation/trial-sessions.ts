import type { Session } from '../../traces/sessions/session.ts';
import { toSessionCondition, toSessionSort } from '../../traces/sessions/session-column.ts';
import { MAX_TRACES_OF_SESSION } from '../scoring/session-subject.ts';
import type { TrialSource } from './plan.ts';
import { copying, type TrialInputDeps, type TrialRun, type TrialTrace } from './trial-input.ts';
import { sessionFor } from './trial-records.ts';

/** A session of a trial's run, to be judged as a whole. */
export interface TrialSession {
  readonly session_id: string;
  /** The session that it was copied from. */
  readonly source: Session;
  readonly traces: readonly TrialTrace[];
}

const SESSIONS_AT_ONCE = 100;
const NONE: ReadonlySet<string> = new Set();

/**
 * Copies of the sessions that a search finds, each with its traces: the session itself is stored here, the traces are left to the
 * caller. A session of more traces than any scorer is shown comes without them.
 */
export async function* sessionsOfRecords(
  deps: TrialInputDeps,
  run: TrialRun,
  source: TrialSource<'records'>,
  nodeTypes: readonly string[],
): AsyncGenerator<TrialSession> {
  const { sessionStore, sha256 } = deps;
  const copy = await copying(deps, run, source, nodeTypes);
  for await (const found of selectedSessions(deps, run.project_id, source)) {
    const copied = sessionFor(run.run_id, found, sha256);
    if (found.num_traces > MAX_TRACES_OF_SESSION) {
      yield { session_id: copied.id, source: found, traces: [] };
      continue;
    }
    const page = { starting_token: 0, limit: MAX_TRACES_OF_SESSION };
    const ids = (await sessionStore.listTraces(found, page)).map(({ trace_id }) => trace_id);
    // A trace that is a session by itself needs no other.
    if (!ids.includes(found.id)) await sessionStore.findOrInsert(copied, false);
    const records = await deps.traceStore.listTraces(run.project_id, source.run_id, ids);
    const byTrace = Map.groupBy(records, ({ trace_id }) => trace_id);
    const traces = ids.flatMap((id) => {
      const originals = byTrace.get(id);
      return originals ? [copy(originals, NONE)] : [];
    });
    yield { session_id: copied.id, source: found, traces };
  }
}

async function* selectedSessions(
  { sessionStore }: Pick<TrialInputDeps, 'sessionStore'>,
  project_id: string,
  { run_id, filters, sort, starting_token, limit }: TrialSource<'records'>,
): AsyncGenerator<Session> {
  const order = { where: toSessionCondition({ filters, filter_tree: null }), sort: toSessionSort(sort) };
  for (let at = 0; at < limit; at += SESSIONS_AT_ONCE) {
    const wanted = Math.min(SESSIONS_AT_ONCE, limit - at);
    const page = { starting_token: starting_token + at, limit: wanted, after: undefined };
    const found = await sessionStore.list({ project_id, run_id, ...order, ...page });
    yield* found.slice(0, wanted);
    if (found.length <= wanted) return;
  }
}
