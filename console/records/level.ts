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

/** Which log stream is looked at, at which level. */
export interface Place {
  readonly project_id: string;
  readonly log_stream_id: string;
  readonly level: Level;
}

/** Where the API keeps the operations of a level. */
export const toApiPath = ({ project_id, level }: Pick<Place, 'project_id' | 'level'>): string =>
  `/projects/${project_id}/${level}s`;

/** Where the console shows the whole of a record. */
export function toRecordUrl({ project_id, log_stream_id, level }: Place, { id, trace_id }: ShownRecord): string {
  if (level === 'session') return `/projects/${project_id}/log_streams/${log_stream_id}/sessions/${id}`;
  if (level === 'trace') return `/projects/${project_id}/traces/${id}`;
  return `/projects/${project_id}/traces/${trace_id}?span=${id}`;
}
