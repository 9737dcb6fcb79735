import type { NewScore, Score } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { JudgingDeps, JudgingJob } from '../scoring/judging.ts';
import type { ScoringTask } from '../scoring/scoring-task.ts';
import { type Subject, subjectOfSession, subjectsOfTrace } from '../scoring/subject.ts';
import type { Tally } from './tally.ts';
import type { TrialInputDeps, TrialRun, TrialTrace } from './trial-input.ts';
import { asSeen } from './trial-records.ts';
import { type TrialLimits, TrialScorers } from './trial-scorers.ts';
import type { TrialSession } from './trial-sessions.ts';

export interface TrialJudgeDeps extends TrialInputDeps, JudgingDeps {
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly trialLimits: TrialLimits;
}

interface Judged {
  readonly candidate_id: string;
  readonly run: TrialRun;
  readonly tally: Tally;
  readonly job: JudgingJob;
  /** The run that was copied, whose scores are taken along; undefined for rows. */
  readonly source_run_id: string | undefined;
}

/** Something judged, with the store for what is said of it. */
interface Batch {
  readonly subjects: readonly Subject[];
  readonly store: ScoreStore;
  /** Originals by the ids of their copies. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Has a candidate, and the scorers that it requires, judge records and sessions of the run of a trial. */
export class TrialJudge {
  readonly #deps: TrialJudgeDeps;
  readonly #of: Judged;
  readonly #scorers: TrialScorers;

  constructor(deps: TrialJudgeDeps, judged: Judged) {
    this.#deps = deps;
    this.#of = judged;
    this.#scorers = new TrialScorers(deps, judged.job, deps.trialLimits);
  }

  /** Of traces that are written. */
  async judgeTraces(traces: readonly TrialTrace[]): Promise<void> {
    const stored = await this.#stored(traces);
    const subjects = traces.flatMap((trace, at) => {
      const own = subjectsOfTrace(stored[at]!, this.#deps.sha256);
      return own.filter(({ record }) => trace.judged.has(record.id));
    });
    const sources = new Map(traces.flatMap((trace) => [...trace.sources]));
    await this.#judge({ subjects, store: this.#deps.scoreStore, sources });
    const alone = traces.flatMap((trace, at) => (trace.session_judged ? [stored[at]!] : []));
    await this.#judgeSessions(
      alone.map((records) => ({ session_id: records[0]!.session_id, traces: [records] })),
      new Map(),
    );
  }

  /** Of a session whose traces are written. */
  async judgeSession({ session_id, source, traces }: TrialSession): Promise<void> {
    const sources = new Map([[session_id, source.id]]);
    if (traces.length > 0) return this.#judgeSessions([{ session_id, traces: await this.#stored(traces) }], sources);
    const message = 'The session has no traces, or more than a scorer is shown.';
    this.#of.tally.add('', 'not_applicable', { node_type: 'session', record_id: null, score: null, message });
  }

  async #judgeSessions(
    sessions: readonly { readonly session_id: string; readonly traces: readonly (readonly LogRecord[])[] }[],
    sources: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { sessionStore, sessionScoreStore, sha256 } = this.#deps;
    const { project_id, run_id } = this.#of.run;
    const found = sessions.map(async ({ session_id, traces }) => {
      const session = await sessionStore.find(project_id, session_id, run_id);
      return session ? [subjectOfSession(session, traces, sha256)] : [];
    });
    await this.#judge({ subjects: (await Promise.all(found)).flat(), store: sessionScoreStore, sources });
  }

  async #judge(batch: Batch): Promise<void> {
    const { subjects, store } = batch;
    if (subjects.length === 0) return;
    if (this.#of.source_run_id !== undefined) await this.#takeAlong(batch, this.#of.source_run_id);
    await this.#scorers.judge(subjects, store);
    await this.#count(subjects, store);
  }

  async #count(subjects: readonly Subject[], store: ScoreStore): Promise<void> {
    const { run, tally, candidate_id } = this.#of;
    const ids = subjects.map(({ record }) => record.id);
    const scores = await store.list(run.project_id, run.run_id, ids);
    const own = scores.filter(({ scorer_version_id }) => scorer_version_id === candidate_id);
    const byRecord = new Map(own.map((score) => [score.record_id, score]));
    for (const subject of subjects) {
      const { id, type } = subject.record;
      const score = byRecord.get(id);
      const printed = score?.effort?.printed;
      const said = { score: score?.value ?? null, message: score?.message ?? null, ...(printed && { printed }) };
      tally.add(subject.text(), getStatus(score), { node_type: type, record_id: id, ...said });
    }
  }

  /** The records of each trace as they are stored, without what the service added to find its way back. */
  async #stored(traces: readonly TrialTrace[]): Promise<LogRecord[][]> {
    const { project_id, run_id } = this.#of.run;
    const ids = traces.map(({ records }) => records[0]!.trace_id);
    const stored = await this.#deps.traceStore.listTraces(project_id, run_id, ids);
    const byTrace = Map.groupBy(stored, ({ trace_id }) => trace_id);
    return traces.map(({ metadata }, at) => (byTrace.get(ids[at]!) ?? []).map(asSeen(metadata)));
  }

  /** Copies the scores by required scorers from the originals: asking them again could cost money. */
  async #takeAlong({ store, sources }: Batch, source_run_id: string): Promise<void> {
    const { run, job } = this.#of;
    const required = new Set(job.tasks.slice(0, -1).map(({ version }: ScoringTask) => version.id));
    if (required.size === 0) return;
    const copies = new Map([...sources].map(([copy, original]) => [original, copy]));
    const scores = await store.list(run.project_id, source_run_id, [...copies.keys()]);
    const known = scores.filter(
      ({ scorer_version_id, status_type }) => required.has(scorer_version_id) && status_type === 'success',
    );
    await store.insert(
      known.map(({ times_scored: _times, ...score }): NewScore => {
        return { ...score, run_id: run.run_id, record_id: copies.get(score.record_id)!, judged: null };
      }),
    );
  }
}

function getStatus(score: Score | undefined): 'success' | 'failed' | 'not_applicable' {
  if (score?.status_type === 'success' || score?.status_type === 'not_applicable') return score.status_type;
  return 'failed';
}
