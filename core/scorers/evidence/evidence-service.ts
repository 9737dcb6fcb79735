import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { DeadlineExceeded } from '../../kernel/deadline.ts';
import { computeDigest } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Score } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { toDetail } from '../scores/score-detail.ts';
import { Judging, type JudgingDeps } from '../scoring/judging.ts';
import type { ScorerKits } from '../scoring/scorer-kits.ts';
import { type ScoringTask, type TaskDeps, toTasks } from '../scoring/scoring-task.ts';
import { MAX_TRACES_OF_SESSION } from '../scoring/session-subject.ts';
import { type Subject, subjectOfSession, subjectsOfTrace } from '../scoring/subject.ts';
import type { JudgeCallViews } from './judge-call.ts';
import type { JudgeCallStore, ScoreKey, ScoreLevel } from './judge-call-store.ts';
import { differencesOf, isSameVerdict, type Replay } from './replay.ts';
import { ReplayedScores } from './replayed-scores.ts';

export interface EvidenceDeps extends JudgingDeps, TaskDeps {
  readonly traceStore: Pick<TraceStore, 'locate' | 'listTraces'>;
  readonly sessionStore: Pick<SessionStore, 'find' | 'listTraces'>;
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly judgeCallStore: JudgeCallStore;
  readonly scorerKits: ScorerKits;
  readonly authorizer: Authorizer;
  readonly sha256: Parameters<typeof subjectsOfTrace>[1];
}

/** Somebody waits for a replay. */
const MAX_MS = 60_000;
const RETRY_AFTER_SECONDS = 15;

interface Place extends Omit<ScoreKey, 'of'> {
  /** The record where absent, if it has a score. */
  readonly of?: ScoreLevel | null | undefined;
}

/** Shows what a score was made from, and makes it again. */
export class EvidenceService {
  readonly #deps: EvidenceDeps;

  constructor(deps: EvidenceDeps) {
    this.#deps = deps;
  }

  /** The calls of models that were kept with a score; none for one that asked no model. */
  async listCalls(caller: Caller, place: Place): Promise<JudgeCallViews> {
    await this.#deps.authorizer.authorize(caller, 'project', place.project_id, 'read');
    const { score, of } = await this.#found(place);
    const kept = await this.#deps.judgeCallStore.find({ ...place, of });
    return { calls: [...(kept?.calls ?? [])], is_of_score: kept !== undefined && kept.judged === score.judged };
  }

  /**
   * Has the version judge the record once more, as it is now and with the settings that the run has now, at the expense of the
   * caller. Nothing is stored. Rejects with `unavailable` when it cannot judge now, or takes more than a minute.
   */
  async replay(caller: Caller, place: Place): Promise<Replay> {
    await this.#deps.authorizer.authorize(caller, 'project', place.project_id, 'set_metric');
    const { score, of } = await this.#found(place);
    const subject = await this.#subject(place, of);
    const tasks = await this.#tasks(score, caller);
    const replayed = new ReplayedScores(of === 'session' ? this.#deps.sessionScoreStore : this.#deps.scoreStore, score);
    await this.#judge(score, subject, tasks, replayed);
    const made = replayed.made;
    if (!made) throw new AppError('conflict', 'replay_not_applicable', 'the scorer is not about this record any more');
    const kept = await this.#deps.judgeCallStore.find({ ...place, of });
    const differences = differencesOf(score, made);
    return {
      score: toDetail(score, of),
      replayed: toDetail({ ...made, times_scored: score.times_scored }, of),
      is_equal: isSameVerdict(differences),
      differences,
      has_record_changed: score.judged === null ? null : score.judged !== made.judged,
      definition_sha256: computeDigest(canonicalJson(tasks.own.version.definition), this.#deps.sha256),
      calls_before: kept && kept.judged === score.judged ? [...kept.calls] : [],
      calls: [...replayed.calls],
    };
  }

  async #judge(score: Score, subject: Subject, { all, own }: ReplayTasks, replayed: ReplayedScores): Promise<void> {
    const signal = AbortSignal.timeout(MAX_MS);
    const kitOf = this.#deps.scorerKits.forJob();
    const { project_id, run_id } = score;
    const judging = new Judging(this.#deps, {
      ...{ project_id, run_id, tasks: all, own: [own], signal, judgeCallStore: replayed },
      getKit: (use, over) => kitOf({ ...use, fresh: true }, over),
    });
    try {
      await judging.judge([subject], replayed);
    } catch (error) {
      throw later(signal.aborted ? new DeadlineExceeded(MAX_MS) : error);
    }
    if (judging.deferred) throw later(judging.deferred);
  }

  async #found(place: Place): Promise<{ score: Score; of: ScoreLevel }> {
    const { project_id, run_id, record_id, scorer_version_id } = place;
    for (const level of ['record', 'session'] as const) {
      if (place.of && place.of !== level) continue;
      const store = level === 'session' ? this.#deps.sessionScoreStore : this.#deps.scoreStore;
      const scores = await store.list(project_id, run_id, [record_id]);
      const score = scores.find((one) => one.scorer_version_id === scorer_version_id);
      if (score) return { score, of: level };
    }
    throw new AppError('not_found', 'score_not_found', `record ${record_id} has no score of this version`);
  }

  async #subject({ project_id, run_id, record_id }: Place, of: ScoreLevel): Promise<Subject> {
    const { traceStore, sessionStore, sha256 } = this.#deps;
    if (of === 'record') {
      const place = await traceStore.locate(project_id, record_id, run_id);
      const records = place ? await traceStore.listTraces(project_id, run_id, [place.trace_id]) : [];
      const subject = subjectsOfTrace(records, sha256).find(({ record }) => record.id === record_id);
      if (subject) return subject;
    }
    const session = of === 'session' ? await sessionStore.find(project_id, record_id, run_id) : undefined;
    if (!session) throw new AppError('not_found', 'record_not_found', `record ${record_id} does not exist`);
    const listed = await sessionStore.listTraces(session, { starting_token: 0, limit: MAX_TRACES_OF_SESSION });
    const ids = listed.map(({ trace_id }) => trace_id);
    const byTrace = Map.groupBy(await traceStore.listTraces(project_id, run_id, ids), ({ trace_id }) => trace_id);
    return subjectOfSession(
      session,
      ids.map((id) => byTrace.get(id) ?? []),
      sha256,
    );
  }

  /** The scorers of the run, with the version of the score in place of the one that runs, paid by the caller. */
  async #tasks({ project_id, run_id, scorer_id, scorer_version_id }: Score, caller: Caller): Promise<ReplayTasks> {
    const tasks = await toTasks(this.#deps, project_id, run_id);
    const current = tasks.find(({ entry }) => entry.id === scorer_id);
    const version = await this.#deps.scorerStore.findVersion(scorer_version_id);
    if (!current || !version)
      throw new AppError(
        'conflict',
        'replay_scorer_gone',
        'the scorer is not enabled in this run any more, or its version is gone',
      );
    const own = { ...current, version, entry: { ...current.entry, enabled_by: caller.user_id } };
    return { all: tasks.map((task) => (task === current ? own : task)), own };
  }
}

interface ReplayTasks {
  readonly all: readonly ScoringTask[];
  readonly own: ScoringTask;
}

const later = (error: unknown): AppError =>
  new AppError('unavailable', 'replay_unavailable', error instanceof Error ? error.message : String(error), {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
