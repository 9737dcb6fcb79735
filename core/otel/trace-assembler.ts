import { AppError } from '../kernel/errors.ts';
import type { OtelTraceStore } from './otel-trace-store.ts';

interface Waiting {
  settle(): void;
  fail(error: unknown): void;
}

interface Run {
  readonly project_id: string;
  readonly run_id: string;
  readonly traces: Map<string, Waiting[]>;
}

const TRACES_AT_ONCE = 100;

/**
 * Makes records of traces anew, once for all batches that have brought spans of a trace meanwhile: a trace that arrives
 * in many batches at once is summed up a few times, not once for each.
 */
export class TraceAssembler {
  readonly #store: OtelTraceStore;
  readonly #runs = new Map<string, Run>();

  constructor({ otelTraceStore }: { otelTraceStore: OtelTraceStore }) {
    this.#store = otelTraceStore;
  }

  /** Resolves once all of the traces were made anew from what was stored when this was called, or later. */
  async reassemble(project_id: string, run_id: string, trace_ids: readonly string[]): Promise<void> {
    const key = `${project_id} ${run_id}`;
    const known = this.#runs.get(key);
    const run = known ?? { project_id, run_id, traces: new Map<string, Waiting[]>() };
    const done = trace_ids.map(
      (id) =>
        new Promise<void>((settle, fail) => {
          run.traces.set(id, [...(run.traces.get(id) ?? []), { settle, fail }]);
        }),
    );
    if (!known) {
      this.#runs.set(key, run);
      void this.#work(key, run);
    }
    await Promise.all(done);
  }

  async #work(key: string, run: Run): Promise<void> {
    while (run.traces.size > 0) {
      const taken = [...run.traces].slice(0, TRACES_AT_ONCE);
      for (const [id] of taken) run.traces.delete(id);
      await this.#settle(run, taken);
    }
    this.#runs.delete(key);
  }

  /** When several fail together they are tried one by one, so that a bad one fails alone; not when nothing can succeed. */
  async #settle(run: Run, taken: readonly [string, readonly Waiting[]][]): Promise<void> {
    const waiting = taken.flatMap(([, one]) => one);
    try {
      const ids = taken.map(([id]) => id);
      await this.#store.reassemble(run.project_id, run.run_id, ids);
      for (const { settle } of waiting) settle();
    } catch (error) {
      const isPassing = error instanceof AppError && error.kind === 'unavailable';
      if (taken.length === 1 || isPassing) for (const { fail } of waiting) fail(error);
      else for (const one of taken) await this.#settle(run, [one]);
    }
  }
}
