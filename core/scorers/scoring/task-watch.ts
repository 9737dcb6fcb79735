import type { Log } from '../../kernel/ports.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScoringTask } from './scoring-task.ts';
import type { SuspensionStore } from './suspension-store.ts';

export interface TaskWatchDeps {
  readonly metricSettingsStore: Pick<MetricSettingsStore, 'find'>;
  readonly scorerStore: Pick<ScorerStore, 'findMany'>;
  readonly suspensionStore: Pick<SuspensionStore, 'list'>;
  readonly log: Log;
}

export interface WatchedRun {
  readonly project_id: string;
  readonly run_id: string;
  readonly tasks: readonly ScoringTask[];
}

/** How soon running work hears of what was deleted or switched off, on whatever instance that was done. */
const LOOK_EVERY_MS = 1_000;

/** The reason of a signal: nobody wants the results of this task any more. */
export class TaskCancelled extends Error {
  override readonly name = 'TaskCancelled';
}

/** The reason of a signal: the version was switched off meanwhile. The message is for records. */
export class TaskSuspended extends Error {
  override readonly name = 'TaskSuspended';
}

/**
 * Cancels running tasks whose run, scorer or version is deleted, disabled or switched off. A task whose scorer got another
 * version goes on: its records are scored once, by the version that ran when the job began.
 */
export class TaskWatch {
  readonly #deps: TaskWatchDeps;
  readonly #run: WatchedRun;
  readonly #controllers: ReadonlyMap<ScoringTask, AbortController>;
  readonly #timer: ReturnType<typeof setInterval>;
  #isLooking = false;

  constructor(deps: TaskWatchDeps, run: WatchedRun) {
    this.#deps = deps;
    this.#run = run;
    this.#controllers = new Map(run.tasks.map((task) => [task, new AbortController()]));
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  signalOf(task: ScoringTask): AbortSignal | undefined {
    return this.#controllers.get(task)?.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#cancel();
    } catch (error) {
      this.#deps.log.warn('running scorers could not be compared to the settings', { reason: String(error) });
    } finally {
      this.#isLooking = false;
    }
  }

  async #cancel(): Promise<void> {
    const { metricSettingsStore, scorerStore, suspensionStore } = this.#deps;
    const { project_id, run_id, tasks } = this.#run;
    const settings = await metricSettingsStore.find(project_id, run_id);
    const enabled = new Set(settings?.scorers.map(({ id }) => id));
    const scorers = new Set((await scorerStore.findMany([...enabled])).map(({ id }) => id));
    const versions = tasks.map(({ version }) => version.id);
    const suspended = await suspensionStore.list(project_id, versions);
    for (const task of tasks) {
      const { id } = task.entry;
      if (!enabled.has(id) || !scorers.has(id)) this.#abort(task, new TaskCancelled('the scorer is not enabled any more'));
      const suspension = suspended.find(({ scorer_version_id }) => scorer_version_id === task.version.id);
      if (suspension) this.#abort(task, new TaskSuspended(suspension.message));
    }
  }

  #abort(task: ScoringTask, reason: Error): void {
    const controller = this.#controllers.get(task);
    if (!controller?.signal.aborted) controller?.abort(reason);
  }
}
