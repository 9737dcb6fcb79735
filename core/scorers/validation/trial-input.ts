import { namedValues } from '../../datasets/cells.ts';
import type { IndexedRow } from '../../datasets/content.ts';
import { datasetNotFound } from '../../datasets/dataset.ts';
import type { DatasetContentStore } from '../../datasets/dataset-content-store.ts';
import { sliceInBlocks } from '../../datasets/stored-rows.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import type { Explain } from '../../kernel/explain.ts';
import type { NewId } from '../../kernel/ports.ts';
import { ROW_ID_KEY } from '../../projects/run-origin.ts';
import type { RunOriginStore } from '../../projects/run-origin-store.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { flattenTraces } from '../../traces/ingest/flatten.ts';
import type { LogRecord } from '../../traces/record.ts';
import { type FilterTree, toRecordCondition, toRecordSort } from '../../traces/record-query.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import type { TrialSource } from './plan.ts';
import { copiesFor, SOURCE_RECORD_KEY, toRowMetadata, traceOfRow } from './trial-records.ts';

export interface TrialInputDeps {
  readonly traceStore: TraceStore;
  readonly sessionStore: SessionStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly runOriginStore: Pick<RunOriginStore, 'find'>;
  readonly explain: Explain;
  readonly sha256: Sha256;
  readonly newId: NewId;
}

/** One trace of a trial's run: all its records, and those that the candidate is to judge. */
export interface TrialTrace {
  readonly records: readonly LogRecord[];
  readonly judged: ReadonlySet<string>;
  /** The record that each was copied from, by the id of the copy; empty for rows. */
  readonly sources: ReadonlyMap<string, string>;
  /** `dataset_metadata` as whoever made the records knows it, by the id of the record in the run. */
  readonly metadata: ReadonlyMap<string, LogRecord['dataset_metadata']>;
  /** Whether the session that the trace is by itself is to be judged, too. */
  readonly session_judged: boolean;
}

export interface TrialRun {
  readonly project_id: string;
  readonly run_id: string;
  /** When it was asked for: the same at every attempt, so that a repeated record is the same record. */
  readonly started_at: string;
}

const TRACES_AT_ONCE = 25;

/** The traces of dataset rows. */
export async function* tracesOfRows(
  { datasetContentStore, ...deps }: TrialInputDeps,
  { project_id, run_id, started_at: now }: TrialRun,
  { dataset_id, version_index, starting_token, limit }: TrialSource<'rows'>,
  nodeTypes: readonly string[],
): AsyncGenerator<TrialTrace[]> {
  const version = await datasetContentStore.findVersion(dataset_id, version_index);
  if (!version) throw datasetNotFound(dataset_id);
  const blocks = await datasetContentStore.listBlocks(dataset_id, version_index);
  const to = { project_id, run_id, session_id: undefined, is_complete: true, now, newId: deps.newId };
  const types = getRecordTypes(nodeTypes);
  const toTrace = ({ row }: IndexedRow): TrialTrace => {
    const values = namedValues(row.cells, version.columns);
    const trace = traceOfRow(run_id, { row_id: row.row_id, values }, nodeTypes, deps.sha256);
    const records = flattenTraces([trace], to, deps.explain);
    const own = toRowMetadata(values);
    return {
      records,
      judged: getIds(records.filter(({ type }) => types.has(type))),
      sources: new Map(),
      metadata: new Map(records.map(({ id }) => [id, own])),
      session_judged: types.has('session'),
    };
  };
  for await (const rows of sliceInBlocks(datasetContentStore, version, blocks, { offset: starting_token, limit })) {
    for (let at = 0; at < rows.length; at += TRACES_AT_ONCE) yield rows.slice(at, at + TRACES_AT_ONCE).map(toTrace);
  }
}

/** Copies of the traces of records that a search finds. */
export async function* tracesOfRecords(
  deps: TrialInputDeps,
  { project_id, run_id }: TrialRun,
  source: TrialSource<'records'>,
  nodeTypes: readonly string[],
): AsyncGenerator<TrialTrace[]> {
  const { traceStore } = deps;
  const found = await selectedRecords(traceStore, project_id, source, nodeTypes);
  const wanted = getIds(found);
  const trace_ids = [...new Set(found.map(({ trace_id }) => trace_id))];
  const copy = await copying(deps, { project_id, run_id }, source, nodeTypes);
  for (let at = 0; at < trace_ids.length; at += TRACES_AT_ONCE) {
    const ids = trace_ids.slice(at, at + TRACES_AT_ONCE);
    const records = await traceStore.listTraces(project_id, source.run_id, ids);
    yield [...Map.groupBy(records, ({ trace_id }) => trace_id).values()].map((originals) => copy(originals, wanted));
  }
}

/** Makes the trace of a trial from one that was logged. */
export async function copying(
  { runOriginStore, sha256 }: Pick<TrialInputDeps, 'runOriginStore' | 'sha256'>,
  { project_id, run_id }: Pick<TrialRun, 'project_id' | 'run_id'>,
  source: TrialSource<'records'>,
  nodeTypes: readonly string[],
) {
  const origin = await runOriginStore.find(project_id, source.run_id);
  const withSession = getRecordTypes(nodeTypes).has('session');
  const added = [...(origin?.dataset_id ? [ROW_ID_KEY] : []), ...(origin?.source_run_id ? [SOURCE_RECORD_KEY] : [])];
  return (originals: readonly LogRecord[], wanted: ReadonlySet<string>): TrialTrace => {
    const copies = copiesFor(run_id, originals, sha256, withSession);
    return {
      records: copies,
      judged: getIds(copies.filter((_copy, place) => wanted.has(originals[place]!.id))),
      sources: new Map(copies.map(({ id }, place) => [id, originals[place]!.id])),
      metadata: new Map(copies.map(({ id }, place) => [id, without(originals[place]!.dataset_metadata, added)])),
      session_judged: false,
    };
  };
}

/** Records that the service itself made name the row, or the record, that they come from. */
const without = (metadata: LogRecord['dataset_metadata'], added: readonly string[]): LogRecord['dataset_metadata'] =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !added.includes(key)));

/** Traces, spans or both, as the candidate scores them; `limit` records in all. */
async function selectedRecords(
  traceStore: TraceStore,
  project_id: string,
  { run_id, filters, sort, starting_token, limit }: TrialSource<'records'>,
  nodeTypes: readonly string[],
): Promise<LogRecord[]> {
  const types = [...getRecordTypes(nodeTypes)];
  const found: LogRecord[] = [];
  for (const level of ['trace', 'span'] as const) {
    const own = types.filter((type) => (type === 'trace') === (level === 'trace') && type !== 'session');
    if (own.length === 0 || found.length >= limit) continue;
    const where = toRecordCondition({ filters, filter_tree: level === 'span' ? ofTypes(own) : null });
    const left = limit - found.length;
    const fields = new Set(['id', 'trace_id', 'type'] as const);
    const page = { starting_token, limit: left, after: undefined };
    const listing = { project_id, run_id, level, where, sort: toRecordSort(sort), ...page, fields };
    found.push(...(await traceStore.list(listing)).slice(0, left));
  }
  return found;
}

const ofTypes = (value: string[]): FilterTree => ({
  filter: { type: 'text', column_id: 'type', operator: 'one_of', value, case_sensitive: true },
});

const getIds = (records: readonly LogRecord[]): ReadonlySet<string> => new Set(records.map(({ id }) => id));
