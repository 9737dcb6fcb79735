import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { type ScoreDetail, toDetail } from './score-detail.ts';

export interface ScoreDeps {
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly traceStore: TraceStore;
  readonly sessionStore: SessionStore;
  readonly authorizer: Authorizer;
}

/** Reads the stored scores. */
export class ScoreService {
  readonly #deps: ScoreDeps;

  constructor(deps: ScoreDeps) {
    this.#deps = deps;
  }

  /** Of a trace, a span or a session. */
  async listScores(caller: Caller, project_id: string, run_id: string, record_id: string): Promise<{ scores: ScoreDetail[] }> {
    const { authorizer, traceStore, sessionStore, scoreStore, sessionScoreStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const [place, session, ofRecord, ofSession] = await Promise.all([
      traceStore.locate(project_id, record_id, run_id),
      sessionStore.find(project_id, record_id, run_id),
      scoreStore.list(project_id, run_id, [record_id]),
      sessionScoreStore.list(project_id, run_id, [record_id]),
    ]);
    if (!place && !session) throw new AppError('not_found', 'record_not_found', `record ${record_id} does not exist`);
    const details = [
      ...ofRecord.map((score) => toDetail(score, 'record')),
      ...ofSession.map((score) => toDetail(score, 'session')),
    ];
    return { scores: details };
  }
}
