import type { ShownRecord } from './shown-record.ts';

/** Kind of the table's rows. */
export type Level = 'trace' | 'span' | 'session';

export const LEVELS: readonly { readonly level: Level; readonly label: string }[] = [
  { level: 'trace', label: 'Traces' },
  { level: 'span', label: 'Spans' },
  { level: 'session', label: 'Sessions' },
];

export const levelNamed = (name: string | null): Level => LEVELS.find(({ level }) => level === name)?.level ?? 'trace';

/** So many of them, in words that stand behind the number. */
export const levelWord = (level: Level, count: number): string => (count === 1 ? level : `${level}s`);

/** Which log stream or experiment is looked at, at which level. */
export interface Place {
  readonly project_id: string;
  readonly run_id: string;
  readonly kind: 'log_stream' | 'experiment';
  readonly level: Level;
}

/** Where the console lists the records of a run. */
export const toListPath = ({ project_id, run_id, kind }: Omit<Place, 'level'>): string =>
  kind === 'experiment'
    ? `/projects/${project_id}/experiments/${run_id}/records`
    : `/projects/${project_id}/log_streams/${run_id}`;

/** How requests name the run. */
export const toRunIds = ({ kind, run_id }: Pick<Place, 'kind' | 'run_id'>): Readonly<Record<string, string>> =>
  kind === 'experiment' ? { experiment_id: run_id } : { log_stream_id: run_id };

/** Where the API keeps the operations of a level. */
export const toApiPath = ({ project_id, level }: Pick<Place, 'project_id' | 'level'>): string =>
  `/projects/${project_id}/${level}s`;

/** Where the console shows the whole of a record. */
export function toRecordUrl({ project_id, run_id, level }: Place, { id, trace_id }: ShownRecord): string {
  if (level === 'session') return `/projects/${project_id}/log_streams/${run_id}/sessions/${id}`;
  if (level === 'trace') return `/projects/${project_id}/traces/${id}`;
  return `/projects/${project_id}/traces/${trace_id}?span=${id}`;
}
