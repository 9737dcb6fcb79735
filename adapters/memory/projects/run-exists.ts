import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { RunKind } from '../../../core/projects/run.ts';

/** What goes with a run asks whether it is still there. */
export type RunExists = (project_id: string, run_id: string) => Promise<boolean>;

const KINDS: readonly RunKind[] = ['log_stream', 'experiment', 'metrics_testing'];

export const runExistsIn =
  (projectStore: ProjectStore): RunExists =>
  async (project_id, run_id) => {
    const found = await Promise.all(KINDS.map((kind) => projectStore.findRun(project_id, kind, run_id)));
    return found.some((run) => run !== undefined);
  };
