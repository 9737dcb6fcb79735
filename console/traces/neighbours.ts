import { post } from '../api/client.ts';
import type { RunPlace } from './run-place.ts';

/** The traces before and after one in their run, by time. */
export interface Neighbours {
  readonly older: string | undefined;
  readonly newer: string | undefined;
}

export async function findNeighbours(
  project_id: string,
  { ids }: RunPlace,
  trace_id: string,
  signal: AbortSignal,
): Promise<Neighbours> {
  const behind = async (ascending: boolean): Promise<string | undefined> => {
    const search = {
      ...ids,
      select_columns: { column_ids: ['id'] },
      sort: { column_id: 'created_at', ascending },
      previous_last_row_id: trace_id,
      limit: 1,
    };
    const page = await post<{ records: { id: string }[] }>(`/projects/${project_id}/traces/partial_search`, search, { signal });
    return page.records[0]?.id;
  };
  const [older, newer] = await Promise.all([behind(false), behind(true)]);
  return { older, newer };
}
