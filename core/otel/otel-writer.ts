import { estimateJsonLength } from '../kernel/value-size.ts';
import type { RunContext, RunDirectory } from '../projects/run-context.ts';
import { type PriceLookup, pricedCall } from '../traces/ingest/computed-metrics.ts';
import { RunWriter } from '../traces/ingest/run-writer.ts';
import type { LogRecord } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { LogMapping } from './logs/join-logs.ts';
import type { SpanLog } from './logs/span-log.ts';
import type { SpanLogStore } from './logs/span-log-store.ts';
import { SpanLogs } from './logs/span-logs.ts';
import { blankTrace, recordOfSpan } from './otel-record.ts';
import type { ExistingRecord, OtelTraceStore } from './otel-trace-store.ts';
import { getSessionId, type SessionDeps } from './session-finder.ts';
import { replaces } from './spans/map-request.ts';
import type { MappedSpan } from './spans/mapped-span.ts';
import { toSpanOutline } from './spans/span-outline.ts';
import { TraceAssembler } from './trace-assembler.ts';
import { type TraceDraft, toTraceDraft } from './trace-draft.ts';

export interface OtelWriterDeps extends SessionDeps {
  readonly spanLogStore: SpanLogStore;
  readonly traceStore: TraceStore;
  readonly priceLookup: PriceLookup;
  readonly otelTraceStore: OtelTraceStore;
  readonly runDirectory: RunDirectory;
}

/** Spans with the run they go to. */
export interface Destined {
  readonly run: RunContext;
  readonly spans: readonly MappedSpan[];
}

interface WrittenPart {
  /** Why spans were not taken, one text for each of them. */
  readonly refused: readonly string[];
  /** Traces whose records are as they would be made of all that is stored. */
  readonly whole: readonly string[];
}

type Standings = ReadonlyMap<string, ExistingRecord>;

/** Number of spans written by one statement and without yielding to other work; fewer of large ones. */
const SPANS_AT_ONCE = 500;
const NAMES_AT_ONCE = 50_000;
const CHARACTERS_AT_ONCE = 8 * 1_048_576;
const REFUSED = 'the id is the one of a record of another trace';

/**
 * Stores mapped spans, and the records of their traces. Spans come first, with a trace record made of what is at hand
 * where there is none; then that is made anew of all spans that are stored, unless the write has told that there are no others.
 */
export class OtelWriter {
  readonly #deps: OtelWriterDeps;
  readonly #writer: RunWriter;
  readonly #turns = new KeyedMutex();
  readonly #traceAssembler: TraceAssembler;
  readonly #logs: SpanLogs;

  constructor(deps: OtelWriterDeps) {
    this.#deps = deps;
    this.#writer = new RunWriter(deps);
    this.#traceAssembler = new TraceAssembler(deps);
    this.#logs = new SpanLogs(deps);
  }

  /** Returns why spans were refused, one text for each of them. */
  async write({ run, spans }: Destined, mapping: LogMapping): Promise<string[]> {
    const refused: string[] = [];
    // Of one trace together, so that few parts of a large request share one.
    const ordered = spans.toSorted((a, b) => (a.trace_id < b.trace_id ? -1 : Number(a.trace_id > b.trace_id)));
    const sizes = countByTrace(spans);
    const unsettled = new Set(sizes.keys());
    for (const part of toParts(ordered)) {
      const written = await this.#writePart(run, part, sizes);
      refused.push(...written.refused);
      for (const id of written.whole) unsettled.delete(id);
    }
    for (const part of inParts(ordered)) for (const id of await this.#join(run, part, mapping)) unsettled.add(id);
    if (unsettled.size > 0) await this.#traceAssembler.reassemble(run.project_id, run.run_id, [...unsettled]);
    return refused;
  }

  /** Keeps log records, and adds them to those of their spans that are stored. Returns why some were refused, one text for each. */
  async writeLogs(run: RunContext, logs: readonly SpanLog[], mapping: LogMapping): Promise<string[]> {
    const refused = await this.#logs.keep(run, logs);
    const spans = [...new Map(logs.map((log) => [log.span_id, log])).values()];
    const traces = new Set<string>();
    for (const part of inParts(spans.map(({ span_id: id, trace_id }) => ({ id, trace_id }))))
      for (const id of await this.#join(run, part, mapping)) traces.add(id);
    await this.#traceAssembler.reassemble(run.project_id, run.run_id, [...traces]);
    return refused;
  }

  #join(run: RunContext, spans: readonly SpanKey[], mapping: LogMapping): Promise<string[]> {
    return this.#turns.run(toKeys(run, spans), () => this.#logs.join(run, idsOf(spans), mapping));
  }

  /** Of two versions of a span that arrive at once the later one has to stay: parts of a trace are written in turn. */
  #writePart(run: RunContext, spans: readonly MappedSpan[], sizes: ReadonlyMap<string, number>): Promise<WrittenPart> {
    return this.#turns.run(toKeys(run, spans), async () => {
      const ids = new Set(spans.flatMap(({ id, trace_id }) => [id, trace_id]));
      const [standings, logged] = await Promise.all([
        this.#deps.otelTraceStore.standings(run.project_id, run.run_id, [...ids]),
        this.#logs.waitingFor(run, idsOf(spans)),
      ]);
      const good = spans.filter((span) => !belongsElsewhere(span, standings));
      const newer = good.filter((span) => isNewer(span, standings));
      const refused = Array.from({ length: spans.length - good.length }, () => REFUSED);
      if (newer.length === 0) return { refused, whole: [] };
      const whole = getWholeTraces(newer, sizes, standings, logged);
      const records = await this.#toRecords(run, newer, standings, whole);
      const areNew = await this.#writeRecords(run, records, whole);
      return { refused, whole: areNew ? [...whole] : [] };
    });
  }

  /** Returns whether all of the traces that are whole were new. Whether and when to score others is decided when they are assembled. */
  async #writeRecords(run: RunContext, records: readonly LogRecord[], whole: ReadonlySet<string>): Promise<boolean> {
    const complete = records.filter(({ id, is_complete }) => is_complete && whole.has(id));
    const batch = { records, new_trace_ids: [...whole], score_trace_ids: complete.map(({ id }) => id) };
    const { outcome } = await this.#writer.writeWithOutcome(run.project_id, run.run_id, () => batch);
    return outcome === 'written';
  }

  async #toRecords(
    run: RunContext,
    spans: readonly MappedSpan[],
    standings: Standings,
    whole: ReadonlySet<string>,
  ): Promise<LogRecord[]> {
    const sessions = await this.#toSessions(run, spans);
    const place = { project_id: run.project_id, run_id: run.run_id, now: this.#deps.clock().toISOString() };
    const parents = new Set(spans.map(({ parent_id }) => parent_id));
    const getPrices = await this.#deps.priceLookup.pricesFor(run.project_id);
    return [...Map.groupBy(spans, ({ trace_id }) => trace_id)].flatMap(([trace_id, own]) => {
      const records = own
        .map((span) => recordOfSpan(span, place, sessions.get(span.of_trace.session ?? '') ?? null))
        .map((record) => pricedCall(record, getPrices));
      const standing = standings.get(trace_id);
      const blank = blankTrace(trace_id, own[0]!.of_trace.trace_external_id, place);
      const draft = standing ? undefined : toTraceDraft(records.flatMap((span) => toSpanOutline(span) ?? []));
      const made = draft && toTrace(draft, blank, records, whole.has(trace_id));
      const { session_id } = (standing ?? made)!;
      // Of a trace that is not whole, which calls count is found when it is assembled.
      const counted = draft && whole.has(trace_id) ? records.map((record) => draft.toChanged(record)) : records;
      const placed = counted.map((record) => ({ ...record, session_id, has_children: parents.has(record.id) }));
      return made ? [made, ...placed] : placed;
    });
  }

  async #toSessions(run: RunContext, spans: readonly MappedSpan[]): Promise<Map<string, string>> {
    const named = new Set(spans.flatMap(({ of_trace }) => of_trace.session ?? []));
    named.delete('');
    return new Map(await Promise.all([...named].map(async (text) => [text, await getSessionId(this.#deps, run, text)] as const)));
  }
}

type SpanKey = Pick<MappedSpan, 'id' | 'trace_id'>;

const idsOf = (spans: readonly SpanKey[]): string[] => spans.map(({ id }) => id);

const toKeys = (run: RunContext, spans: readonly SpanKey[]): string[] => [
  ...new Set(spans.map(({ trace_id }) => `${run.project_id} ${run.run_id} ${trace_id}`)),
];

function* inParts<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += SPANS_AT_ONCE) yield items.slice(at, at + SPANS_AT_ONCE);
}

function* toParts(spans: readonly MappedSpan[]): Generator<MappedSpan[]> {
  let part: MappedSpan[] = [];
  let size = 0;
  for (const span of spans) {
    part.push(span);
    size += getShare(span);
    if (size < 1) continue;
    yield part;
    part = [];
    size = 0;
  }
  if (part.length > 0) yield part;
}

/** Of what is written at once. */
function getShare({ input, output, user_metadata }: MappedSpan): number {
  let [names, characters] = [0, 0];
  for (const key in user_metadata) {
    names += 1;
    characters += user_metadata[key]!.length;
  }
  for (const side of [input, output]) characters += estimateJsonLength(side);
  return 1 / SPANS_AT_ONCE + names / NAMES_AT_ONCE + characters / CHARACTERS_AT_ONCE;
}

/** The ids are made of the sender's: only a record that came another way can stand where a span does not belong. */
const belongsElsewhere = ({ id, trace_id }: MappedSpan, standings: Standings): boolean =>
  [id, trace_id].some((one) => (standings.get(one)?.trace_id ?? trace_id) !== trace_id);

function isNewer(span: MappedSpan, standings: Standings): boolean {
  const stored = standings.get(span.id);
  return stored === undefined || replaces(span, { of_trace: stored });
}

/** The record of a trace as far as a batch knows it. It is not complete before all that is stored says so. */
function toTrace(draft: TraceDraft, blank: LogRecord, spans: readonly LogRecord[], isWhole: boolean): LogRecord {
  const trace = draft.finish(blank, spans);
  return isWhole ? trace : { ...trace, is_complete: false };
}

/** Number of spans of each trace. */
function countByTrace(spans: readonly MappedSpan[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { trace_id } of spans) sizes.set(trace_id, (sizes.get(trace_id) ?? 0) + 1);
  return sizes;
}

/** Traces of which nothing is stored, all spans of the request are among these, and of no span anything was logged before it came. */
function getWholeTraces(
  spans: readonly MappedSpan[],
  sizes: ReadonlyMap<string, number>,
  standings: Standings,
  logged: ReadonlySet<string>,
): ReadonlySet<string> {
  const isKnown = ({ id, trace_id }: MappedSpan): boolean => standings.has(id) || standings.has(trace_id) || logged.has(id);
  const known = new Set(spans.filter(isKnown).map(({ trace_id }) => trace_id));
  const whole = [...countByTrace(spans)].filter(([id, size]) => size === sizes.get(id) && !known.has(id));
  return new Set(whole.map(([id]) => id));
}
