import type { TokenPrices } from '../../models/prices/price-book.ts';
import { MODEL_CALLS, type RecordType } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';
import { SUMMED } from '../sessions/session-metrics.ts';

/** Prices of a model on the day of an ISO timestamp; undefined where they are not known: then there is no cost, rather than one of 0. */
export type PricesAt = (model: string, at: string) => TokenPrices | undefined;

export interface PriceLookup {
  /** Prices as they hold in a project. */
  pricesFor(project_id: string): Promise<PricesAt>;
}

type Metrics = LogRecord['metrics'];
type SummedName = (typeof SUMMED)[number];
export type Sums = ReadonlyMap<SummedName, number>;

/**
 * Names of metrics that the service computed, kept beside the attributes that are shown: what a sender states is never replaced,
 * what was computed may be computed anew.
 */
const COMPUTED = 'computed_metrics';

export const isModelCall = ({ type }: Pick<LogRecord, 'type'>): boolean => (MODEL_CALLS as readonly RecordType[]).includes(type);

export function computedNames({ attributes }: Pick<LogRecord, 'attributes'>): readonly string[] {
  const names = attributes[COMPUTED];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** The record with these metrics in place of those of the names, noted as computed; a name without a value is absent. */
export function withComputed(record: LogRecord, values: ReadonlyMap<string, number | undefined>): LogRecord {
  const metrics: Record<string, Metrics[string]> = { ...record.metrics };
  const names = new Set(computedNames(record));
  for (const [name, value] of values) {
    if (value === undefined) {
      delete metrics[name];
      names.delete(name);
    } else {
      metrics[name] = value;
      names.add(name);
    }
  }
  const { [COMPUTED]: _before, ...attributes } = record.attributes;
  return { ...record, metrics, attributes: names.size > 0 ? { ...attributes, [COMPUTED]: [...names] } : attributes };
}

/** Whether the sender has not said it, so that the service may. */
export const mayCompute = (record: LogRecord, name: string): boolean =>
  getNumber(record.metrics, name) === undefined || computedNames(record).includes(name);

/** The call with the cost of its tokens, unless its sender states one; without a price or tokens it has none. */
export function pricedCall(call: LogRecord, getPrices: PricesAt): LogRecord {
  if (!isModelCall(call) || !mayCompute(call, 'cost')) return call;
  const cost = computeCost(call, getPrices);
  if (cost === getNumber(call.metrics, 'cost')) return call;
  return withComputed(call, new Map([['cost', cost]]));
}

/** Sums over the model calls among the records; a name that none of them has is absent. */
export function sumCalls(records: readonly Pick<LogRecord, 'type' | 'metrics'>[]): Map<SummedName, number> {
  const sums = new Map<SummedName, number>();
  for (const { metrics } of records.filter(isModelCall)) addTo(sums, metrics);
  return sums;
}

/**
 * The trace with these sums where it states none of its own. Every call counts, one that wraps another too: that a call is a
 * wrapper only OpenTelemetry tells, whose traces are summed up by `trace-summary.ts`.
 */
export function withSums(trace: LogRecord, sums: Sums): LogRecord {
  const own = SUMMED.filter((name) => mayCompute(trace, name)).map((name) => [name, sums.get(name)] as const);
  const news = own.filter(([name, value]) => value !== getNumber(trace.metrics, name));
  return news.length > 0 ? withComputed(trace, new Map(news)) : trace;
}

/** Whether a trace states these sums, whoever computed them: `withSums` would leave it as it is. */
export const hasSums = (trace: Pick<LogRecord, 'metrics'> | undefined, sums: Sums): boolean =>
  trace === undefined || SUMMED.every((name) => getNumber(trace.metrics, name) === sums.get(name));

/** As `withSums`, with the sums of further calls added to those that were computed. */
export function withMore(trace: LogRecord, more: Sums): LogRecord {
  const values = [...more].filter(([name]) => mayCompute(trace, name));
  return withComputed(trace, new Map(values.map(([name, value]) => [name, (getNumber(trace.metrics, name) ?? 0) + value])));
}

/**
 * The trace with the cost of its calls as it is now, where it had their cost before or the service may compute it: what OpenTelemetry brings is
 * summed up without a note of it.
 */
export function withTraceCost(
  trace: LogRecord,
  { before, now }: { readonly before: number | undefined; readonly now: number | undefined },
): LogRecord {
  const cost = getNumber(trace.metrics, 'cost');
  if (cost === now || (!mayCompute(trace, 'cost') && !isSameSum(cost, before))) return trace;
  if (mayCompute(trace, 'cost')) return withComputed(trace, new Map([['cost', now]]));
  const { cost: _before, ...metrics } = trace.metrics;
  return { ...trace, metrics: now === undefined ? metrics : { ...metrics, cost: now } };
}

/** Sums of the same costs in another order differ by a rounding. */
const isSameSum = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** A batch of whole traces: calls priced, traces summed up. */
export function completedTraces(records: readonly LogRecord[], getPrices: PricesAt): LogRecord[] {
  const sums = new Map<string, Map<SummedName, number>>();
  const priced = records.map((record) => {
    const whole = pricedCall(record, getPrices);
    if (isModelCall(whole)) addTo(sumsOf(whole.trace_id, sums), whole.metrics);
    return whole;
  });
  return priced.map((record) => (record.type === 'trace' ? withSums(record, sumsOf(record.id, sums)) : record));
}

function sumsOf(trace_id: string, sums: Map<string, Map<SummedName, number>>): Map<SummedName, number> {
  const known = sums.get(trace_id) ?? new Map<SummedName, number>();
  sums.set(trace_id, known);
  return known;
}

function addTo(sums: Map<SummedName, number>, metrics: Metrics): void {
  for (const name of SUMMED) {
    const value = getNumber(metrics, name);
    if (value !== undefined) sums.set(name, (sums.get(name) ?? 0) + value);
  }
}

function computeCost({ attributes, metrics, created_at }: LogRecord, getPrices: PricesAt): number | undefined {
  const [input, output] = [getNumber(metrics, 'num_input_tokens'), getNumber(metrics, 'num_output_tokens')];
  if (typeof attributes.model !== 'string' || (input === undefined && output === undefined)) return undefined;
  const prices = getPrices(attributes.model, created_at);
  if (!prices) return undefined;
  const cached = getNumber(metrics, 'num_cached_input_tokens') ?? 0;
  const written = getNumber(metrics, 'num_cache_write_input_tokens') ?? 0;
  return computeTokenCost({ input: input ?? 0, output: output ?? 0, cached, written }, prices);
}

/** US dollars. `cached` and `written` are parts of `input`; a sender that counts them apart has them added. */
export function computeTokenCost(
  { input, output, cached, written }: { readonly [Name in 'input' | 'output' | 'cached' | 'written']: number },
  prices: TokenPrices,
): number {
  const whole = cached + written > input ? input + cached + written : input;
  return (
    (whole - cached - written) * prices.input +
    cached * (prices.cached_input ?? prices.input) +
    written * (prices.cache_write_input ?? prices.input) +
    output * prices.output
  );
}

function getNumber(metrics: Metrics, name: string): number | undefined {
  const value = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}
