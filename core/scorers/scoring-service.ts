import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import type { Scorer as RunningScorer, ScoreOutcome, ScorerKindPlugin, ScorerKit } from '../plugin-sdk/index.ts';
import type { LogRecord } from '../traces/record.ts';
import { viewOf } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { appliesTo, type SegmentFilter, type StoredEntry } from './metric-settings.ts';
import type { MetricSettingsStore } from './metric-settings-store.ts';
import { isInSample } from './sampling.ts';
import type { Score } from './score.ts';
import type { ScoreStore } from './score-store.ts';
import type { ScorerVersionRecord } from './scorer.ts';
import type { ScorerStore } from './scorer-store.ts';
import type { ScoringJob } from './scoring-queue.ts';

export interface ScoringDeps {
  readonly traceStore: TraceStore;
  readonly scoreStore: ScoreStore;
  readonly scorerStore: ScorerStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly scorerKinds: PluginRegistry<ScorerKindPlugin>;
  readonly scorerKit: ScorerKit;
  readonly clock: Clock;
  readonly log: Log;
}

interface Task {
  readonly entry: StoredEntry;
  readonly version: ScorerVersionRecord;
  readonly samples: readonly SegmentFilter[];
}

/**
 * Records that are scored together, of several traces: starting a scorer costs more than most scores. Few enough that
 * a stop does not wait long.
 */
const BATCH = 500;
const GIVEN_UP = 'Scoring was given up after repeated failures.';

/** What a worker does with a job: judge what is not judged yet, and write each verdict once. */
export class ScoringService {
  readonly #deps: ScoringDeps;

  constructor(deps: ScoringDeps) {
    this.#deps = deps;
  }

  /**
   * Scores the complete traces of a job. What has a score already is left out, so a job may be repeated at any point.
   * Rejects when a scorer could not judge at all; the queue then repeats the job.
   */
  async score(job: ScoringJob, signal: AbortSignal): Promise<void> {
    const tasks = await this.#tasks(job);
    if (tasks.length === 0) return;
    let gathered: LogRecord[] = [];
    for (const trace_id of job.trace_ids) {
      signal.throwIfAborted();
      const records = await this.#deps.traceStore.listTrace(job.project_id, job.run_id, trace_id);
      if (records[0]?.is_complete) gathered.push(...records);
      if (gathered.length < BATCH) continue;
      await this.#scoreRecords(job, tasks, gathered, signal);
      gathered = [];
    }
    await this.#scoreRecords(job, tasks, gathered, signal);
  }

  /** Ends the wait for scores that will not come: each is written as failed, with the reason. */
  async giveUp(job: ScoringJob): Promise<void> {
    for (const trace_id of job.trace_ids) {
      const records = await this.#deps.traceStore.listTrace(job.project_id, job.run_id, trace_id);
      if (!records[0]?.is_complete) continue;
      for (const task of await this.#tasks(job)) {
        const open = await this.#open(job, task, records);
        await this.#store(
          job,
          task,
          open,
          open.map(() => ({ status: 'failed', message: GIVEN_UP })),
          'failed',
        );
      }
    }
  }

  async #tasks({ project_id, run_id }: ScoringJob): Promise<Task[]> {
    const settings = await this.#deps.metricSettingsStore.find(project_id, run_id);
    const scorers = await this.#deps.scorerStore.findMany((settings?.scorers ?? []).map(({ id }) => id));
    const found = (settings?.scorers ?? []).map(async (entry) => {
      const version_id = entry.scorer_version_id ?? scorers.find(({ id }) => id === entry.id)?.default_version_id;
      const version = version_id ? await this.#deps.scorerStore.findVersion(version_id) : undefined;
      return version && { entry, version, samples: settings?.segment_filters ?? [] };
    });
    return (await Promise.all(found)).filter((task) => task !== undefined);
  }

  async #scoreRecords(
    job: ScoringJob,
    tasks: readonly Task[],
    records: readonly LogRecord[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const task of tasks) {
      const open = await this.#open(job, task, records);
      if (open.length === 0) continue;
      const scorer = this.#scorerOf(task.version);
      for (let at = 0; at < open.length; at += BATCH) {
        signal.throwIfAborted();
        const batch = open.slice(at, at + BATCH);
        const outcomes = await scorer.score({
          items: batch.map((record) => ({ record: JSON.stringify(viewOf(record)) })),
          signal,
        });
        await this.#store(job, task, batch, outcomes, 'error');
      }
    }
  }

  /** Records the scorer looks at and has not judged in this version. */
  async #open(job: ScoringJob, { entry, version, samples }: Task, records: readonly LogRecord[]): Promise<LogRecord[]> {
    const { project_id, run_id } = job;
    const wanted = records.filter((record) => appliesTo(entry, record) && isInSample(samples, entry, record));
    if (wanted.length === 0) return [];
    const scores = await this.#deps.scoreStore.list(
      project_id,
      run_id,
      wanted.map(({ id }) => id),
    );
    const judged = new Set(
      scores.filter(({ scorer_version_id }) => scorer_version_id === version.id).map(({ record_id }) => record_id),
    );
    return wanted.filter(({ id }) => !judged.has(id));
  }

  #scorerOf(version: ScorerVersionRecord): RunningScorer {
    const plugin = this.#deps.scorerKinds.find(version.kind);
    if (!plugin) throw new Error(`no plugin for scorers of kind "${version.kind}" is installed`);
    return plugin.create(this.#deps.scorerKit, plugin.definition.parse(version.definition));
  }

  async #store(
    { project_id, run_id }: ScoringJob,
    { entry, version }: Task,
    records: readonly LogRecord[],
    outcomes: readonly ScoreOutcome[],
    failure: 'error' | 'failed',
  ): Promise<void> {
    const scored_at = this.#deps.clock().toISOString();
    const scores = records.map((record, index): Score => {
      const outcome = outcomes[index] ?? { status: 'failed', message: 'the scorer gave no result for this record' };
      const ok = outcome.status === 'success';
      return {
        project_id,
        run_id,
        record_id: record.id,
        scorer_id: entry.id,
        scorer_version_id: version.id,
        metric_name: entry.name,
        status_type: ok ? 'success' : failure,
        value: ok ? outcome.value : null,
        explanation: ok ? (outcome.explanation ?? null) : null,
        message: ok ? null : outcome.message,
        scored_at,
      };
    });
    await this.#deps.scoreStore.insert(scores);
  }
}
