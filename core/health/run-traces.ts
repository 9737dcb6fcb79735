import { AppError } from '../kernel/errors.ts';
import { ROW_ID_KEY } from '../projects/run-origin.ts';
import type { LogRecord } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';

/** A trace of a run, and what it says of the dataset row it was made from. */
export interface RunTrace {
  readonly id: string;
  readonly session_id: string;
  /** Null when the trace does not name its row. */
  readonly row_id: string | null;
  readonly dataset_input: string | null;
  readonly dataset_output: string | null;
}

const PAGE = 500;
const OLDEST_FIRST = { column_id: 'created_at', ascending: true };
const FIELDS: ReadonlySet<keyof LogRecord> = new Set(['dataset_input', 'dataset_output', 'dataset_metadata']);

/** All traces of a run, oldest first. Throws AppError `comparison_too_large` for more than `most`. */
export async function getTraces(
  traceStore: Pick<TraceStore, 'list'>,
  project_id: string,
  run_id: string,
  most = Number.POSITIVE_INFINITY,
): Promise<RunTrace[]> {
  const traces: RunTrace[] = [];
  const selection = { project_id, run_id, level: 'trace', where: { and: [] }, sort: OLDEST_FIRST, fields: FIELDS } as const;
  for (let after: string | undefined; ; after = traces.at(-1)!.id) {
    const page = await traceStore.list({ ...selection, starting_token: 0, limit: PAGE, after });
    for (const trace of page.slice(0, PAGE)) traces.push(getRunTrace(trace));
    if (traces.length > most)
      throw new AppError('bad_request', 'comparison_too_large', 'the runs have more traces than can be compared at once');
    if (page.length <= PAGE) return traces;
  }
}

/** Texts are only kept where they are needed to find the row. */
function getRunTrace({ id, session_id, dataset_input, dataset_output, dataset_metadata }: LogRecord): RunTrace {
  const named = dataset_metadata[ROW_ID_KEY];
  const row_id = typeof named === 'string' ? named.toLowerCase() : null;
  return row_id === null
    ? { id, session_id, row_id, dataset_input, dataset_output }
    : { id, session_id, row_id, dataset_input: null, dataset_output: null };
}
