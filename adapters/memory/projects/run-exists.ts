import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { RunKind } from '../../../core/projects/run.ts';

/** Whether a run still exists; asked by the stores whose rows go with a run. */
export type RunExists = (project_id: string, run_id: string) => Promise<boolean>;

const KINDS: readonly RunKind[] = ['log_stream', 'experiment', 'metrics_testing'];

export const runExistsIn =
  (projectStore: ProjectStore): RunExists =>
  async (project_id, run_id) => {
    const found = await Promise.all(KINDS.map((kind) => projectStore.findRun(project_id, kind, run_id)));
    return found.some((run) => run !== undefined);
  };
