import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import { OutputType } from '../plugin-sdk/index.ts';
import type { ScorerRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { ShadowStore } from '../scorers/shadow/shadow-store.ts';
import type { NewShadowTrial, ShadowTrial } from '../scorers/shadow/shadow-trial.ts';
import type { StoredEntry } from '../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../scores/metric-settings-store.ts';
import type { Score } from '../scores/score.ts';
import type { ScoreStore } from '../scores/score-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
import type { SessionStore } from '../traces/sessions/session-store.ts';
import { HEALTH_TYPE_OF } from './health-type.ts';
import { type BareReport, type ShadowPair, type ShadowReport, shadowReport } from './shadow-report.ts';

export interface ShadowDeps {
  readonly shadowStore: ShadowStore;
  readonly shadowScoreStore: ScoreStore;
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly sessionStore: Pick<SessionStore, 'find'>;
  readonly recordScan: Pick<RecordScan, 'keys'>;
  readonly scorerStore: ScorerStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

const PAGE = 500;
/** By id, which is as good as drawn at random. */
const MAX_RECORDS = 20_000;

/** Trying a version of a scorer out on live traffic, beside the one in use. */
export class ShadowService {
  readonly #deps: ShadowDeps;

  constructor(deps: ShadowDeps) {
    this.#deps = deps;
  }

  async start(
    caller: Caller,
    project_id: string,
    run_id: string,
    scorer_id: string,
    wanted: NewShadowTrial,
  ): Promise<ShadowTrial> {
    const { authorizer, scorerStore, shadowStore, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'set_metric');
    const { scorer } = await this.#enabled(project_id, run_id, scorer_id);
    const version = await scorerStore.findVersion(wanted.scorer_version_id);
    if (version?.scorer_id !== scorer_id) throw misfit('scorer_version_id', 'the scorer has no such version');
    if (scorer.required_scorers?.length) throw misfit('scorer_version_id', 'a scorer that requires others cannot be tried out');
    const started = { started_by: caller.user_id, started_at: this.#deps.clock().toISOString() };
    const trial: ShadowTrial = { project_id, run_id, scorer_id, ...wanted, ...started };
    await transactions.run(async () => {
      await shadowStore.put(trial);
      await this.#note(caller, 'shadow_trial.start', trial);
    });
    return trial;
  }

  async report(
    caller: Caller,
    project_id: string,
    run_id: string,
    scorer_id: string,
  ): Promise<ShadowTrial & { report: ShadowReport }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const trial = await this.#found(project_id, run_id, scorer_id);
    const output_type = await this.#getOutputType(trial);
    const { pairs, isPartial } = await this.#pairs(trial);
    const report = shadowReport(output_type, output_type && HEALTH_TYPE_OF[output_type], pairs, isPartial);
    return { ...trial, report: { ...report, differing: await this.#place(trial, report.differing) } };
  }

  async stop(caller: Caller, project_id: string, run_id: string, scorer_id: string): Promise<{ message: string }> {
    const { authorizer, shadowStore, transactions } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'set_metric');
    const trial = await this.#found(project_id, run_id, scorer_id);
    await transactions.run(async () => {
      await shadowStore.remove(project_id, run_id, scorer_id);
      await this.#note(caller, 'shadow_trial.stop', trial);
    });
    return { message: 'the trial is over, and what the candidate said is gone' };
  }

  /** Says of the differing records what they are, and in which trace. */
  async #place({ project_id, run_id }: ShadowTrial, differing: BareReport['differing']): Promise<ShadowReport['differing']> {
    if (differing.length === 0) return [];
    const value = differing.map(({ record_id }) => record_id);
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value } } as const;
    const places = new Map<string, Pick<ShadowReport['differing'][number], 'record_type' | 'trace_id'>>();
    for (const level of ['trace', 'span'] as const)
      for await (const keys of this.#deps.recordScan.keys({ project_id, run_id, level, where }, value.length))
        for (const { id, trace_id } of keys) places.set(id, { record_type: level, trace_id });
    for (const id of value)
      if (!places.has(id) && (await this.#deps.sessionStore.find(project_id, id, run_id)))
        places.set(id, { record_type: 'session', trace_id: null });
    return differing.map((one) => ({ ...one, ...(places.get(one.record_id) ?? { record_type: null, trace_id: null }) }));
  }

  async #pairs(trial: ShadowTrial): Promise<{ pairs: ShadowPair[]; isPartial: boolean }> {
    const pairs: ShadowPair[] = [];
    for (let after: string | undefined; pairs.length < MAX_RECORDS; ) {
      const ids = await this.#deps.shadowStore.scoredIds(trial, after, PAGE);
      for (const pair of await this.#toPairs(trial, ids)) pairs.push(pair);
      if (ids.length < PAGE) return { pairs, isPartial: false };
      after = ids.at(-1);
    }
    return { pairs, isPartial: true };
  }

  async #toPairs(
    { project_id, run_id, scorer_id, scorer_version_id }: ShadowTrial,
    ids: readonly string[],
  ): Promise<ShadowPair[]> {
    const { shadowScoreStore, sessionScoreStore, scoreStore } = this.#deps;
    const stores = [shadowScoreStore, sessionScoreStore, scoreStore];
    const [said, ofSessions, ofRecords] = await Promise.all(stores.map((store) => store.list(project_id, run_id, ids)));
    // Of a trace that is a session by itself the candidate judges the trace first.
    const inUse = [...ofSessions!, ...ofRecords!];
    const own = said!.filter((score) => score.scorer_version_id === scorer_version_id);
    const theirs = inUse.filter((score) => score.scorer_id === scorer_id && score.scorer_version_id !== scorer_version_id);
    const newest = new Map(theirs.map((score) => [score.record_id, score]));
    return own.map((score) => ({
      record_id: score.record_id,
      candidate: saidIn(score),
      standard: saidIn(newest.get(score.record_id)),
    }));
  }

  async #enabled(project_id: string, run_id: string, scorer_id: string): Promise<{ entry: StoredEntry; scorer: ScorerRecord }> {
    const settings = await this.#deps.metricSettingsStore.find(project_id, run_id);
    if (!settings) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    const entry = settings.scorers.find(({ id }) => id === scorer_id);
    const scorer = entry && (await this.#deps.scorerStore.find(scorer_id));
    if (scorer) return { entry, scorer };
    throw new AppError('conflict', 'scorer_not_in_use', `scorer ${scorer_id} is not enabled in run ${run_id}`);
  }

  async #getOutputType({ project_id, run_id, scorer_id, scorer_version_id }: ShadowTrial): Promise<OutputType | null> {
    const settings = await this.#deps.metricSettingsStore.find(project_id, run_id);
    const entry = settings?.scorers.find(({ id }) => id === scorer_id);
    const [version, scorer] = await Promise.all([
      this.#deps.scorerStore.findVersion(scorer_version_id),
      this.#deps.scorerStore.find(scorer_id),
    ]);
    const declared = OutputType.safeParse(entry?.output_type ?? version?.output_type ?? scorer?.output_type);
    return declared.success ? declared.data : null;
  }

  async #found(project_id: string, run_id: string, scorer_id: string): Promise<ShadowTrial> {
    const trial = await this.#deps.shadowStore.find(project_id, run_id, scorer_id);
    if (trial) return trial;
    throw new AppError('not_found', 'shadow_trial_not_found', `no version of scorer ${scorer_id} is on trial in run ${run_id}`);
  }

  #note(caller: Caller, action: string, { project_id, run_id, scorer_id, scorer_version_id }: ShadowTrial): Promise<void> {
    const details = { run_id, scorer_id, scorer_version_id };
    return this.#deps.auditTrail.note(caller, { action, object_kind: 'project', object_id: project_id, details });
  }
}

const saidIn = (score: Score | undefined) => (score?.status_type === 'success' ? score.value : null);

const misfit = (field: string, msg: string): AppError =>
  new AppError('invalid', 'shadow_trial_invalid', msg, { issues: [{ loc: ['body', field], msg, type: 'shadow_trial_invalid' }] });
