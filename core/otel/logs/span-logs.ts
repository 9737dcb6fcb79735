import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { RunContext } from '../../projects/run-context.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { isTooLarge, MAX_MAPPED_BYTES } from '../storable.ts';
import { joinLogs, type LogMapping } from './join-logs.ts';
import type { SpanLog } from './span-log.ts';
import type { SpanLogStore } from './span-log-store.ts';

export interface SpanLogsDeps {
  readonly traceStore: Pick<TraceStore, 'amend'>;
  readonly spanLogStore: SpanLogStore;
  readonly clock: Clock;
}

/** Of one span. */
const MAX_LOGS = 1_000;
const MAX_CHARACTERS = MAX_MAPPED_BYTES;
const TOO_MANY = `a span has more than ${MAX_LOGS} log records, or more than ${MAX_CHARACTERS} characters of them`;
/** Spans whose log records are read at once: each may have megabytes. */
const SPANS_AT_ONCE = 4;
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
  async join({ project_id, run_id }: RunContext, span_ids: readonly string[], mapping: LogMapping): Promise<string[]> {
    const sizes = await this.#deps.spanLogStore.sizes(project_id, run_id, span_ids);
    const changed = new Set<string>();
    for (const part of toParts([...sizes.keys()])) {
      for (let known = new Map<string, number>(), again = part; again.length > 0; ) {
        const found = await this.#deps.spanLogStore.list(project_id, run_id, again);
        for (const [span_id, logs] of found) {
          const trace_id = await this.#joinOne(project_id, run_id, span_id, logs, mapping);
          if (trace_id !== undefined) changed.add(trace_id);
          known.set(span_id, logs.length);
        }
        // Another process may have joined more meanwhile, and was overwritten with less.
        const now = await this.#deps.spanLogStore.sizes(project_id, run_id, again);
        again = again.filter((id) => (now.get(id)?.logs ?? 0) > (known.get(id) ?? 0));
      }
    }
    return [...changed];
  }

  /** Removes what no span will come for. */
  async removeOld(): Promise<{ more: boolean }> {
    const before = new Date(this.#deps.clock().getTime() - KEPT_HOURS * 3_600_000).toISOString();
    const removed = await this.#deps.spanLogStore.removeReceivedBefore(before, REMOVED_AT_ONCE);
    return { more: removed === REMOVED_AT_ONCE };
  }

  /** Returns the trace of a record that was changed. */
  async #joinOne(
    project_id: string,
    run_id: string,
    span_id: string,
    logs: readonly SpanLog[],
    mapping: LogMapping,
  ): Promise<string | undefined> {
    try {
      const joined = await this.#deps.traceStore.amend(
        project_id,
        run_id,
        span_id,
        (record) => {
          const made = joinLogs(record, logs, mapping);
          if (made === record || isTooLarge(made)) throw new Unchanged();
          return made;
        },
        () => false,
      );
      return joined?.trace_id;
    } catch (error) {
      // A record that was removed meanwhile has no use for them either.
      if (error instanceof Unchanged || (error instanceof AppError && error.code === 'record_gone')) return undefined;
      throw error;
    }
  }
}

/** Thrown to leave a record as it is: to write the same again would be a new state, to be scored again. */
class Unchanged extends Error {}

function* toParts(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += SPANS_AT_ONCE) yield ids.slice(at, at + SPANS_AT_ONCE);
}
