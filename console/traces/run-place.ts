import type { Experiment } from '../../core/experiments/experiment.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import { get } from '../api/client.ts';
import { unlessMissing } from '../api/unless-missing.ts';

/** The run that a trace is in, which its record names by an id alone. */
export interface RunPlace {
  readonly name: string;
  /** Where it is shown; undefined for a trial of a scorer, which has no place of its own. */
  readonly path: string | undefined;
  /** How requests name it. */
  readonly ids: Readonly<Record<string, string>>;
}

export async function findRun(project_id: string, run_id: string, signal: AbortSignal): Promise<RunPlace> {
  const project = `/projects/${project_id}`;
  const stream = await unlessMissing(get<LogStream>(`${project}/log_streams/${run_id}`, { signal }));
  if (stream) return { name: stream.name, path: `${project}/log_streams/${run_id}`, ids: { log_stream_id: run_id } };
  const experiment = await unlessMissing(get<Experiment>(`${project}/experiments/${run_id}`, { signal }));
  if (experiment) return { name: experiment.name, path: `${project}/experiments/${run_id}`, ids: { experiment_id: run_id } };
  return { name: 'Trial of a scorer', path: undefined, ids: { metrics_testing_id: run_id } };
}
