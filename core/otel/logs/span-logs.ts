import type { Clock } from '../../kernel/ports.ts';
import type { RunContext } from '../../projects/run-context.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { isTooLarge, MAX_MAPPED_BYTES } from '../storable.ts';
import { joinLogs, type LogMapping } from './join-logs.ts';
import type { SpanLog } from './span-log.ts';
import type { SpanLogSize, SpanLogStore } from './span-log-store.ts';

export interface SpanLogsDeps {
  readonly traceStore: Pick<TraceStore, 'amendAll' | 'existing'>;
  readonly spanLogStore: SpanLogStore;
  readonly clock: Clock;
}

/** Of one span. */
const MAX_LOGS = 1_000;
const MAX_CHARACTERS = MAX_MAPPED_BYTES;
const TOO_MANY = `a span has more than ${MAX_LOGS} log records, or more than ${MAX_CHARACTERS} characters of them`;
/** Spans that are changed at once, fewer where their log records have megabytes. Their records may have as much. */
const SPANS_AT_ONCE = 20;
const KEPT_HOURS = 24;
const REMOVED_AT_ONCE = 1_000;

/** Log records on their way to the records of their spans. */
export class SpanLogs {
  readonly #deps: SpanLogsDeps;

  constructor(deps: SpanLogsDeps) {
    this.#deps = deps;
  }

  /** Keeps log records of spans of a run. Returns why some were refused, one text for each of them. */
  async keep({ project_id, run_id }: RunContext, logs: readonly SpanLog[]): Promise<string[]> {
    const ids = [...new Set(logs.map(({ span_id }) => span_id))];
    const sizes = new Map(await this.#deps.spanLogStore.sizes(project_id, run_id, ids));
    const fitting = logs.filter((log) => {
      const { logs: count, characters } = sizes.get(log.span_id) ?? { logs: 0, characters: 0 };
      const size = { logs: count + 1, characters: characters + JSON.stringify(log).length };
      if (size.logs > MAX_LOGS || size.characters > MAX_CHARACTERS) return false;
      sizes.set(log.span_id, size);
      return true;
    });
    if (fitting.length > 0) await this.#deps.spanLogStore.insert(project_id, run_id, fitting, this.#deps.clock().toISOString());
    return Array.from({ length: logs.length - fitting.length }, () => TOO_MANY);
  }

  /** Those of the spans that have log records already: their records change once these are joined. */
  async waitingFor({ project_id, run_id }: RunContext, span_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.#deps.spanLogStore.sizes(project_id, run_id, span_ids)).keys());
  }

  /**
   * Adds to the records of spans what was logged of them. Log records that come at the same time are seen by whoever comes last: they are
   * stored before anybody looks for the span, and a span before anybody looks for them. Returns the traces of records that were changed.
   */
  async join(run: RunContext, span_ids: readonly string[], mapping: LogMapping): Promise<string[]> {
    const { project_id, run_id } = run;
    const logged = await this.#deps.spanLogStore.sizes(project_id, run_id, span_ids);
    if (logged.size === 0) return [];
    const stored = await this.#deps.traceStore.existing(project_id, run_id, [...logged.keys()]);
    const sizes = [...logged].filter(([id]) => stored.has(id));
    const changed = new Set<string>();
    for (const part of toParts(sizes)) for (const trace_id of await this.#joinPart(run, part, mapping)) changed.add(trace_id);
    return [...changed];
  }

  /**
   * Another process may have joined more of a span meanwhile, and was overwritten with less: then its log records are read again. Each time
   * there have to be more of them than the last time, so that this ends, whatever the store says of their number.
   */
  async #joinPart(run: RunContext, span_ids: readonly string[], mapping: LogMapping): Promise<string[]> {
    const { project_id, run_id } = run;
    const changed: string[] = [];
    const known = new Map<string, number>();
    for (let again = span_ids; again.length > 0; ) {
      const found = await this.#deps.spanLogStore.list(project_id, run_id, again);
      const grown = [...found].filter(([span_id, logs]) => logs.length > (known.get(span_id) ?? 0));
      const logs = new Map(grown);
      const change = (record: LogRecord): LogRecord | undefined => {
        const made = joinLogs(record, logs.get(record.id)!, mapping);
        // To write the same again would be a new state, to be scored again.
        return made === record || isTooLarge(made) ? undefined : made;
      };
      const joined = await this.#deps.traceStore.amendAll(project_id, run_id, [...logs.keys()], change, () => false);
      changed.push(...joined.map(({ trace_id }) => trace_id));
      for (const [span_id, { length }] of grown) known.set(span_id, length);
      const ids = grown.map(([span_id]) => span_id);
      const now = ids.length === 0 ? undefined : await this.#deps.spanLogStore.sizes(project_id, run_id, ids);
      again = ids.filter((id) => (now?.get(id)?.logs ?? 0) > known.get(id)!);
    }
    return changed;
  }

  /** Removes what no span will come for. */
  async removeOld(): Promise<{ more: boolean }> {
    const before = new Date(this.#deps.clock().getTime() - KEPT_HOURS * 3_600_000).toISOString();
    const removed = await this.#deps.spanLogStore.removeReceivedBefore(before, REMOVED_AT_ONCE);
    return { more: removed === REMOVED_AT_ONCE };
  }
}

function* toParts(sizes: readonly (readonly [string, SpanLogSize])[]): Generator<string[]> {
  let part: string[] = [];
  let all = 0;
  for (const [id, { characters }] of sizes) {
    part.push(id);
    all += characters;
    if (part.length < SPANS_AT_ONCE && all < MAX_CHARACTERS) continue;
    yield part;
    part = [];
    all = 0;
  }
  if (part.length > 0) yield part;
}
