import { AppError } from '../kernel/errors.ts';
import type { RunContext, RunDirectory } from './run-context.ts';
import { getRunId, type RunIds } from './run-ids.ts';

/** The run that a request names. Throws AppError `run_ambiguous` or `run_not_found`. */
export const knownRun = async (directory: RunDirectory, project_id: string, ids: RunIds): Promise<RunContext> =>
  requireRun(directory, project_id, getRunId(ids));

/** A run by its id; for `fresh` see `RunDirectory.findRun`. Throws AppError `run_not_found`. */
export async function requireRun(
  directory: RunDirectory,
  project_id: string,
  run_id: string,
  fresh = false,
): Promise<RunContext> {
  const run = await directory.findRun(project_id, run_id, fresh);
  if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
  return run;
}
