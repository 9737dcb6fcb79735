import type { Clock } from '../../kernel/ports.ts';
import { appliesTo, type StoredEntry } from '../../scores/metric-settings.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { getSampleRate } from '../../scores/sampling.ts';
import type { LogRecord } from '../../traces/record.ts';
import { NEWEST_FIRST, type RecordSelection } from '../../traces/record-query.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import type { ScoringTask } from '../scoring/scoring-task.ts';

export interface TrafficDeps {
  readonly traceStore: Pick<TraceStore, 'count' | 'list' | 'listTraces'>;
  readonly clock: Clock;
}

/** Records of one level that were logged in the last seven days. */
export interface WeeklyTraffic {
  /** Of the types that the scorer looks at. */
  readonly records: number;
  /** About how many of them it would judge, by the share of the newest. */
  readonly judged: number;
  /** Newest of those that pass its filters. */
  readonly newest: readonly Pick<LogRecord, 'id' | 'trace_id'>[];
}

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Records whose share stands for that of all. */
const LOOKED_AT = 200;
/** Those that filters look at: no payloads. */
const FIELDS: ReadonlySet<keyof LogRecord> = new Set(['id', 'trace_id', 'type', 'name', 'user_metadata']);

/** Traffic of a run, traces and spans apart, as far as a scorer looks at it. */
export async function listWeeklyTraffic(
  { traceStore, clock }: TrafficDeps,
  { project_id, run_id }: Pick<RecordSelection, 'project_id' | 'run_id'>,
  { entry, samples }: Pick<ScoringTask, 'samples'> & { readonly entry: StoredEntry },
): Promise<WeeklyTraffic[]> {
  const since = new Date(clock().getTime() - WEEK_MS).toISOString();
  const found = selectLevels(entry, since).map(async (level): Promise<WeeklyTraffic> => {
    const selection = { project_id, run_id, ...level };
    const records = await traceStore.count(selection);
    const page = { sort: NEWEST_FIRST, starting_token: 0, limit: LOOKED_AT, after: undefined, fields: FIELDS };
    const looked = (await traceStore.list({ ...selection, ...page })).slice(0, LOOKED_AT);
    const newest = looked.filter((record) => appliesTo(entry, record));
    const share = newest.reduce((sum, record) => sum + getSampleRate(samples, entry, record), 0) / Math.max(looked.length, 1);
    return { records, judged: records * share, newest };
  });
  return Promise.all(found);
}

function selectLevels(entry: StoredEntry, since: string): Pick<RecordSelection, 'level' | 'where'>[] {
  const types = [...getRecordTypes(entry.scoreable_node_types)];
  const spans = types.filter((type) => type !== 'trace' && type !== 'session');
  const isRecent = { filter: { type: 'date', column_id: 'created_at', operator: 'gte', value: since } } as const;
  const isOfType = {
    filter: { type: 'text', column_id: 'type', operator: 'one_of', value: spans, case_sensitive: true },
  } as const;
  return [
    ...(types.includes('trace') ? [{ level: 'trace', where: { and: [isRecent] } } as const] : []),
    ...(spans.length > 0 ? [{ level: 'span', where: { and: [isRecent, isOfType] } } as const] : []),
  ];
}
