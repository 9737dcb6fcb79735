import { isDeepStrictEqual } from 'node:util';
import type { ExistingRecord, OtelTraceStore } from '../../../core/otel/otel-trace-store.ts';
import { toSpanOutline } from '../../../core/otel/spans/span-outline.ts';
import { type TraceDraft, toTraceDraft } from '../../../core/otel/trace-draft.ts';
import type { RunDirectory } from '../../../core/projects/run-context.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

export interface MemoryOtelDeps {
  readonly traceStore: MemoryTraceStore;
  readonly runDirectory: RunDirectory;
  enqueue(job: ScoringJob): void;
}

const never = (): boolean => false;

export class MemoryOtelTraceStore implements OtelTraceStore {
  readonly #deps: MemoryOtelDeps;

  constructor(deps: MemoryOtelDeps) {
    this.#deps = deps;
  }

  async standings(project_id: string, run_id: string, ids: readonly string[]): Promise<Map<string, ExistingRecord>> {
    const wanted = new Set(ids);
    const found = this.#deps.traceStore.toRecords(project_id, run_id).filter(({ id }) => wanted.has(id));
    return new Map(found.map((record) => [record.id, toExistingRecord(record)]));
  }

  async reassemble(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<void> {
    const complete: string[] = [];
    for (const id of trace_ids) if (await this.#reassemble(project_id, run_id, id)) complete.push(id);
    const run = await this.#deps.runDirectory.findRun(project_id, run_id, true);
    if (complete.length > 0 && run?.has_scorers) this.#deps.enqueue({ project_id, run_id, trace_ids: complete });
  }

  /** Returns whether the trace is complete now. */
  async #reassemble(project_id: string, run_id: string, trace_id: string): Promise<boolean> {
    const trace = await this.#deps.traceStore.find(project_id, trace_id, run_id);
    if (trace?.type !== 'trace') return false;
    const { draft, spans } = this.#draft(trace);
    let made = draft.finish(trace, spans);
    if (!isDeepStrictEqual(made, trace)) made = (await this.#amend(trace, (stored) => this.#finish(stored))) ?? made;
    for (const id of draft.changed_calls) await this.#amend({ ...trace, id }, (span) => draft.toChanged(span));
    for (const id of draft.new_parents) {
      await this.#amend({ ...trace, id }, (span) => ({ ...span, has_children: true }));
    }
    for (const span of spans.filter(({ session_id }) => session_id !== made.session_id)) {
      await this.#amend(span, (stored) => ({ ...stored, session_id: made.session_id }));
    }
    return made.is_complete;
  }

  #draft({ project_id, run_id, id }: LogRecord): { draft: TraceDraft; spans: LogRecord[] } {
    const own = this.#deps.traceStore.toRecords(project_id, run_id).filter(({ trace_id }) => trace_id === id);
    const spans = own.filter((record) => toSpanOutline(record) !== undefined);
    return { draft: toTraceDraft(spans.map((span) => toSpanOutline(span)!)), spans };
  }

  #finish(trace: LogRecord): LogRecord {
    const { draft, spans } = this.#draft(trace);
    return draft.finish(trace, spans);
  }

  #amend({ project_id, run_id, id }: LogRecord, change: (record: LogRecord) => LogRecord): Promise<LogRecord | undefined> {
    return this.#deps.traceStore.amend(project_id, run_id, id, change, never);
  }
}

function toExistingRecord(record: LogRecord): ExistingRecord {
  const { id, trace_id, session_id } = record;
  return { id, trace_id, session_id, ended_at: toSpanOutline(record)?.of_trace.ended_at ?? null };
}
