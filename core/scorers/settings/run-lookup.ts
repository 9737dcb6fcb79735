import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import type { Run, RunKind } from '../../projects/run.ts';
import type { StoredEntry } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';

export interface RunLookupDeps {
  readonly projectStore: ProjectStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly authorizer: Authorizer;
}

/** The run that a request names without its project; undefined where the caller sees none. */
export async function visibleRun(
  { projectStore, authorizer }: Pick<RunLookupDeps, 'projectStore' | 'authorizer'>,
  caller: Caller,
  run_id: string,
  kinds: readonly RunKind[],
): Promise<Run | undefined> {
  const found = await Promise.all(kinds.map((kind) => projectStore.findRuns(kind, run_id)));
  for (const run of found.flat()) if (await authorizer.roleOn(caller, 'project', run.project_id)) return run;
  return undefined;
}

/** Scorers that are enabled in a run; none in one that the caller does not see. */
export async function enabledIn(deps: RunLookupDeps, caller: Caller, run_id: string): Promise<readonly StoredEntry[]> {
  const run = await visibleRun(deps, caller, run_id, ['log_stream', 'experiment']);
  const settings = run && (await deps.metricSettingsStore.find(run.project_id, run.id));
  return settings?.scorers ?? [];
}
