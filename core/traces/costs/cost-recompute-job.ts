import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { isModelCall, type PriceLookup, type PricesAt, pricedCall, withTraceCost } from '../ingest/computed-metrics.ts';
import type { RecordOutline, RecordScan } from '../read/record-scan.ts';
import type { LogRecord } from '../record.ts';
import type { TraceStore } from '../trace-store.ts';
import { COST_RECOMPUTE, CostRecomputeRequest, selectTraces } from './cost-recompute.ts';

export interface CostRecomputeJobDeps {
  readonly recordScan: RecordScan;
  readonly traceStore: Pick<TraceStore, 'amendAll'>;
  readonly priceLookup: PriceLookup;
}

interface Place {
  readonly project_id: string;
  readonly run_id: string;
}

const TRACES_AT_ONCE = 50;
const RECORDS_AT_ONCE = 100;
const never = (): boolean => false;

/**
 * Prices stored calls by the prices of today for their days, and adds their traces up. What a sender stated stays. Begun again it walks
 * over all of them once more, and finds nothing to change where it was.
 */
export class CostRecomputeJob implements JobHandler {
  readonly job_name = COST_RECOMPUTE;
  readonly #deps: CostRecomputeJobDeps;

  constructor(deps: CostRecomputeJobDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const request = CostRecomputeRequest.parse(job.request_data);
    const place = { project_id: job.project_id!, run_id: job.run_id! };
    const getPrices = await this.#deps.priceLookup.pricesFor(place.project_id);
    let [traces, changed] = [0, 0];
    for await (const keys of this.#deps.recordScan.keys(selectTraces(place.project_id, place.run_id, request), TRACES_AT_ONCE)) {
      signal.throwIfAborted();
      changed += await this.#priceAll(
        place,
        keys.map(({ id }) => id),
        getPrices,
        signal,
      );
      traces += keys.length;
      const steps_total = Math.max(job.steps_total, traces);
      const message = `${traces} of ${steps_total} traces looked at, ${changed} calls changed`;
      await context.report({ steps_completed: traces, steps_total, message });
    }
    return { traces, calls_changed: changed };
  }

  /**
   * Returns how many calls get another cost. Traces are written before their calls: a trace whose cost is the sum of its calls is recognized by
   * the costs that these have, which therefore stay until it is written. Stopped in between, the next run finds the rest.
   */
  async #priceAll(place: Place, trace_ids: readonly string[], getPrices: PricesAt, signal: AbortSignal): Promise<number> {
    const outlines = await this.#deps.recordScan.outlines(place.project_id, place.run_id, trace_ids);
    const calls = outlines.filter(isModelCall);
    const ids = calls.map(({ id }) => id);
    const costs = new Map<string, JsonValue | undefined>();
    await this.#amendAll(place, ids, signal, (call) => {
      const priced = pricedCall(call, getPrices);
      if (priced !== call) costs.set(call.id, priced.metrics.cost);
      return call;
    });
    const touched = new Set(calls.filter(({ id }) => costs.has(id)).map(({ trace_id }) => trace_id));
    const sums = toSums(
      calls.filter(({ trace_id }) => touched.has(trace_id)),
      costs,
    );
    await this.#amendAll(place, [...touched], signal, (trace) => withTraceCost(trace, sums.get(trace.id)!));
    await this.#amendAll(place, [...costs.keys()], signal, (call) => pricedCall(call, getPrices));
    return costs.size;
  }

  /** A record that `change` returns as it was is not written. */
  async #amendAll(
    { project_id, run_id }: Place,
    ids: readonly string[],
    signal: AbortSignal,
    change: (record: LogRecord) => LogRecord,
  ): Promise<void> {
    const changed = (record: LogRecord): LogRecord | undefined => {
      const next = change(record);
      return next === record ? undefined : next;
    };
    for (let at = 0; at < ids.length; at += RECORDS_AT_ONCE) {
      signal.throwIfAborted();
      await this.#deps.traceStore.amendAll(project_id, run_id, ids.slice(at, at + RECORDS_AT_ONCE), changed, never);
    }
  }
}

interface Sums {
  before: number | undefined;
  now: number | undefined;
}

/** Costs of the calls of each trace, before and with those that are new. */
function toSums(calls: readonly RecordOutline[], costs: ReadonlyMap<string, JsonValue | undefined>): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { id, trace_id, metrics } of calls) {
    const known = sums.get(trace_id) ?? { before: undefined, now: undefined };
    known.before = add(known.before, metrics.cost);
    known.now = add(known.now, costs.has(id) ? costs.get(id) : metrics.cost);
    sums.set(trace_id, known);
  }
  return sums;
}

const add = (sum: number | undefined, cost: JsonValue | undefined): number | undefined =>
  typeof cost === 'number' ? (sum ?? 0) + cost : sum;
