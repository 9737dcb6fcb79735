import type { LogStream } from '../../core/projects/log-stream.ts';

/** A log stream that the home of its project looks at. */
export interface ProjectStream {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  /** In the API as in the console. */
  readonly path: string;
}

/** Each of them is asked for its figures. */
export const MOST_STREAMS = 6;

/** Those with traces, the busiest first. */
export const busiestStreams = (log_streams: readonly LogStream[]): readonly ProjectStream[] =>
  log_streams
    .filter(({ num_traces }) => (num_traces ?? 0) > 0)
    .toSorted((a, b) => (b.num_traces ?? 0) - (a.num_traces ?? 0))
    .slice(0, MOST_STREAMS)
    .map(({ id, name, project_id }) => ({ id, name, project_id, path: `/projects/${project_id}/log_streams/${id}` }));
