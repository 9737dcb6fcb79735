import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { FileAddressing, FileUrls } from '../../files/file-urls.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Explain } from '../../kernel/explain.ts';
import type { Clock, NewId } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunContext, RunDirectory } from '../../projects/run-context.ts';
import { getRunId, getRunIds, type RunIds } from '../../projects/run-ids.ts';
import type { WriteIdentity } from '../batches/write-identity.ts';
import { scoredViews, type ViewDeps } from '../read/record-views.ts';
import { computeTree, type LogRecord, type RecordTree, subtreeOf } from '../record.ts';
import { inSession, type NamedSession, sessionNamedBy } from '../sessions/session-by-external-id.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { TraceStore } from '../trace-store.ts';
import {
  completedTraces,
  hasSums,
  isModelCall,
  type PriceLookup,
  pricedCall,
  type Sums,
  sumCalls,
  withMore,
  withSums,
} from './computed-metrics.ts';
import { type Destination, flattenEachTrace, flattenSpans, flattenTraces, type RefusedTrace } from './flatten.ts';
import type { NewSpans, NewTraces, SpanUpdate, TraceUpdate } from './ingest-schema.ts';
import { changedSpan, changedTrace } from './record-update.ts';
import { RunWriter } from './run-writer.ts';

export interface TraceDeps extends ViewDeps {
  readonly traceStore: TraceStore;
  readonly sessionStore: SessionStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly explain: Explain;
  readonly priceLookup: PriceLookup;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly fileUrls: FileUrls;
}

export interface LoggingOptions {
  /** Where ids and times come from that are not given; the service's own when absent. */
  readonly identity?: WriteIdentity | undefined;
  /** Traces that are not valid are left out and named, and do not refuse the others. */
  readonly per_item?: boolean | undefined;
}

type Level = 'trace' | 'span';

/** Traces that are changed at once: each may be of megabytes. */
const TRACES_AT_ONCE = 20;

interface Additions {
  readonly sums: Sums;
  /** False where one of the calls was stored before. */
  readonly are_new: boolean;
}

/** Logging traces and spans, and reading them back. */
export class TraceService {
  readonly #deps: TraceDeps;
  readonly #writer: RunWriter;

  constructor(deps: TraceDeps) {
    this.#deps = deps;
    this.#writer = new RunWriter(deps);
  }

  async logTraces(caller: Caller, project_id: string, body: NewTraces, { identity, per_item = false }: LoggingOptions = {}) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const getPrices = await this.#deps.priceLookup.pricesFor(project_id);
    let records: LogRecord[] = [];
    let refused: readonly RefusedTrace[] = [];
    let session: NamedSession | undefined;
    const { run, outcome } = await this.#writer.writeWithOutcome(project_id, getRunId(body), async (context) => {
      session = await sessionNamedBy(this.#deps, context, body);
      const to = this.#destination(context, session?.id ?? body.session_id, body.is_complete ?? true, identity);
      const flattened = this.#flatten(body.traces, to, per_item);
      ({ refused } = flattened);
      const flat = completedTraces(flattened.records, getPrices);
      // Made only now, so that a batch that is refused leaves no session behind.
      if (session) session = await session.made();
      records = session ? inSession(flat, to.session_id, session.id) : flat;
      return { records, new_trace_ids: namedIn(body), score_trace_ids: tracesToScore(records) };
    });
    const traces = tracesIn(records);
    if (outcome === 'written_over') await this.#sumUpAgain(run, namedIn(body));
    return {
      ...this.#reply(run),
      session_id: session?.id ?? body.session_id ?? traces[0]?.session_id ?? null,
      records_count: records.length,
      traces_count: traces.length,
      spans_count: records.length - traces.length,
      trace_ids: traces.map(({ id }) => id),
      ...(per_item && { refused: [...refused] }),
    };
  }

  /** Throws AppError `records_invalid` unless traces are taken one by one, and when none of those is valid. */
  #flatten(traces: readonly unknown[], to: Destination, per_item: boolean) {
    const { explain } = this.#deps;
    if (!per_item) return { records: flattenTraces(traces, to, explain), refused: [] };
    const flattened = flattenEachTrace(traces, to, explain);
    return flattened.records.length > 0 ? flattened : { ...flattened, records: flattenTraces(traces, to, explain) };
  }

  async logSpans(caller: Caller, project_id: string, body: NewSpans, identity?: WriteIdentity) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const getPrices = await this.#deps.priceLookup.pricesFor(project_id);
    let count = 0;
    let session_id = '';
    let additions: Additions | undefined;
    const run = await this.#writer.write(project_id, getRunId(body), async (context) => {
      const { trace, parent } = await this.#toPlace(context, body.trace_id, body.parent_id);
      const records = flattenSpans(
        body.spans,
        parent,
        this.#destination(context, trace.session_id, trace.is_complete, identity),
        this.#deps.explain,
      ).map((record) => pricedCall(record, getPrices));
      additions = await this.#additions(context, records);
      count = records.length;
      session_id = trace.session_id;
      return {
        records,
        new_parents: parent.has_children ? [] : [parent.id],
        score_trace_ids: [trace.id],
      };
    });
    if (additions) await this.#sumUp(run, body.trace_id, additions);
    return { ...this.#reply(run), session_id, records_count: count, trace_id: body.trace_id, parent_id: body.parent_id };
  }

  /** Sums that these spans bring to their trace; undefined where they bring none. */
  async #additions({ project_id, run_id }: RunContext, records: readonly LogRecord[]): Promise<Additions | undefined> {
    const calls = records.filter(isModelCall);
    const sums = sumCalls(calls);
    if (sums.size === 0) return undefined;
    const known = await this.#deps.traceStore.existing(
      project_id,
      run_id,
      calls.map(({ id }) => id),
    );
    return { sums, are_new: known.size === 0 };
  }

  /** Adds what new calls used; where some were sent before, all calls of the trace are added up again. */
  async #sumUp({ project_id, run_id }: RunContext, trace_id: string, { sums, are_new }: Additions): Promise<void> {
    const { traceStore } = this.#deps;
    const all = are_new ? undefined : sumCalls(await traceStore.listTrace(project_id, run_id, trace_id));
    const change = (trace: LogRecord): LogRecord => (all ? withSums(trace, all) : withMore(trace, sums));
    await traceStore.amend(project_id, run_id, trace_id, change, isDone);
  }

  /** Traces that were sent again, with or without their spans, are summed up over all calls that are stored; one that has these sums is not read. */
  async #sumUpAgain({ project_id, run_id }: RunContext, trace_ids: readonly string[]): Promise<void> {
    const { traceStore } = this.#deps;
    const stored = Map.groupBy(await traceStore.listMetrics(project_id, run_id, trace_ids), ({ trace_id }) => trace_id);
    const sums = new Map([...stored].map(([id, records]) => [id, sumCalls(records)]));
    const isSummed = (id: string): boolean =>
      hasSums(
        stored.get(id)!.find(({ type }) => type === 'trace'),
        sums.get(id)!,
      );
    const others = [...sums.keys()].filter((id) => !isSummed(id));
    const change = (trace: LogRecord): LogRecord | undefined => {
      const summed = trace.type === 'trace' ? withSums(trace, sums.get(trace.id)!) : trace;
      return summed === trace ? undefined : summed;
    };
    for (let at = 0; at < others.length; at += TRACES_AT_ONCE)
      await traceStore.amendAll(project_id, run_id, others.slice(at, at + TRACES_AT_ONCE), change, isDone);
  }

  async updateTrace(caller: Caller, project_id: string, trace_id: string, body: TraceUpdate) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const run = await this.#run(project_id, body);
    const record = await this.#deps.traceStore.amend(
      project_id,
      run.run_id,
      trace_id,
      (trace) => changedTrace(trace, body, this.#deps.explain),
      isDone,
    );
    if (record?.type !== 'trace') throw notFound('trace', trace_id);
    return { ...this.#reply(run), session_id: record.session_id, records_count: 1, trace_id };
  }

  async updateSpan(caller: Caller, project_id: string, span_id: string, body: SpanUpdate) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const run = await this.#run(project_id, body);
    const change = (span: LogRecord): LogRecord => changedSpan(span, body, this.#deps.explain);
    const record = await this.#deps.traceStore.amend(project_id, run.run_id, span_id, change, isDone);
    if (!record) throw notFound('span', span_id);
    return { ...this.#reply(run), session_id: record.session_id, records_count: 1, span_id };
  }

  getTrace(caller: Caller, project_id: string, trace_id: string, shown: FileAddressing = {}): Promise<RecordTree> {
    return this.#tree(caller, project_id, { id: trace_id, level: 'trace' }, shown);
  }

  getSpan(caller: Caller, project_id: string, span_id: string, shown: FileAddressing = {}): Promise<RecordTree> {
    return this.#tree(caller, project_id, { id: span_id, level: 'span' }, shown);
  }

  async #tree(
    caller: Caller,
    project_id: string,
    { id, level }: { readonly id: string; readonly level: Level },
    { include_presigned_urls = false }: FileAddressing,
  ): Promise<RecordTree> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const place = await this.#deps.traceStore.locate(project_id, id);
    if (!place || place.is_trace !== (level === 'trace')) throw notFound(level, id);
    const records = await this.#deps.traceStore.listTrace(project_id, place.run_id, place.trace_id);
    const urls = include_presigned_urls ? this.#deps.fileUrls : undefined;
    const views = await scoredViews(this.#deps, project_id, place.run_id, subtreeOf(id, records), urls);
    const tree = computeTree(id, views);
    if (!tree) throw notFound(level, id);
    return tree;
  }

  #run(project_id: string, ids: RunIds): Promise<RunContext> {
    return knownRun(this.#deps.runDirectory, project_id, ids);
  }

  async #toPlace(
    { project_id, run_id }: RunContext,
    trace_id: string,
    parent_id: string,
  ): Promise<{ trace: LogRecord; parent: LogRecord }> {
    const trace = await this.#deps.traceStore.find(project_id, trace_id, run_id);
    if (trace?.type !== 'trace') throw notFound('trace', trace_id);
    if (parent_id === trace.id) return { trace, parent: trace };
    const parent = await this.#deps.traceStore.find(project_id, parent_id, run_id);
    if (!parent) throw new AppError('not_found', 'parent_not_found', `parent ${parent_id} does not exist`);
    if (parent.trace_id === trace.id) return { trace, parent };
    const msg = `record ${parent_id} belongs to another trace`;
    throw new AppError('invalid', 'parent_in_other_trace', msg, {
      issues: [{ loc: ['body', 'parent_id'], msg, type: 'parent_in_other_trace' }],
    });
  }

  #destination(
    { project_id, run_id }: RunContext,
    session_id: string | null | undefined,
    is_complete: boolean,
    identity?: WriteIdentity,
  ): Destination {
    const now = identity?.now ?? this.#deps.clock().toISOString();
    const newId = identity?.newIds() ?? this.#deps.newId;
    return { project_id, run_id, session_id: session_id ?? undefined, is_complete, now, newId };
  }

  #reply(run: RunContext) {
    return { project_id: run.project_id, project_name: run.project_name, ...getRunIds(run) };
  }
}

const tracesIn = (records: readonly LogRecord[]): LogRecord[] => records.filter(({ type }) => type === 'trace');

const idsOf = (records: readonly LogRecord[]): string[] => records.map(({ id }) => id);

/** Ids that the sender chose: only these can be stored already. */
const namedIn = ({ traces }: NewTraces): string[] => [
  ...new Set(traces.flatMap((trace) => (isNamed(trace) ? trace.id.toLowerCase() : []))),
];

const isNamed = (trace: unknown): trace is { readonly id: string } => typeof (trace as { id?: unknown }).id === 'string';

/**
 * Traces that have something new to score. Not only complete ones: a trace that is completed by another request while
 * its spans are being written is scored without them by that request. What is still incomplete is left alone later.
 */
const tracesToScore = (records: readonly LogRecord[]): string[] =>
  idsOf(tracesIn(records).filter(({ is_complete, has_children }) => is_complete || has_children));

const isDone = (trace: LogRecord): boolean => trace.is_complete;

const notFound = (what: Level, id: string): AppError =>
  new AppError('not_found', `${what}_not_found`, `${what} ${id} does not exist`);
