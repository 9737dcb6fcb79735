import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import type { ScorerStore } from '../../scorers/scorer-store.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { MODEL_CALLS } from '../../traces/catalogue/span-types.ts';
import type { DriftQuery, ScorerDrift } from './drift.ts';
import type { DriftReader } from './drift-reader.ts';
import { toWindows, type Window } from './drift-windows.ts';

export interface DriftDeps {
  readonly driftReader: DriftReader;
  readonly scorerStore: Pick<ScorerStore, 'find'>;
  readonly metricSettingsStore: Pick<MetricSettingsStore, 'find'>;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

interface ScorerOfRun {
  readonly project_id: string;
  readonly run_id: string;
  readonly scorer_id: string;
}

/** Tells how far the values of a scorer, and what it judges, have moved from those of a reference window. */
export class DriftService {
  readonly #deps: DriftDeps;

  constructor(deps: DriftDeps) {
    this.#deps = deps;
  }

  async measure(caller: Caller, { project_id, run_id, scorer_id }: ScorerOfRun, query: DriftQuery): Promise<ScorerDrift> {
    const { authorizer, runDirectory, scorerStore, metricSettingsStore, driftReader, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const windows = toWindows(query, clock().getTime());
    if (!(await runDirectory.findRun(project_id, run_id)))
      throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    const scorer = await scorerStore.find(scorer_id);
    if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${scorer_id} does not exist`);
    const { scorers } = (await metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
    const entry = scorers.find(({ id }) => id === scorer_id);
    const metric_name = entry?.name ?? scorer.name;
    const calls = getCalls(entry?.scoreable_node_types ?? []);
    const run = { project_id, run_id };
    return {
      scorer_id,
      metric_name,
      reference: toTimes(windows.reference),
      current: toTimes(windows.current),
      measures: [
        await driftReader.measureNumbers(run, windows, 'score', { name: metric_name, types: undefined }),
        await driftReader.measureNumbers(run, windows, 'input_tokens', { name: 'num_input_tokens', types: calls }),
        await driftReader.measureModels(run, windows, calls),
      ],
    };
  }
}

/** The calls of models that the scorer judges; all of the run's where it judges the steps above them. */
function getCalls(nodeTypes: readonly string[]): readonly string[] {
  const judged = getRecordTypes(nodeTypes);
  const own = MODEL_CALLS.filter((type) => judged.has(type));
  return own.length > 0 ? own : MODEL_CALLS;
}

const toTimes = ({ from, to }: Window) => ({ start_time: new Date(from).toISOString(), end_time: new Date(to).toISOString() });
