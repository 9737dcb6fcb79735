import { computeBucket } from '../../record-index/sketch.ts';
import { computeGrowth, findHistogramFault, toAmount } from './histogram.ts';
import type { Amount, StreamState } from './metric-series.ts';
import type { OtlpHistogram, OtlpPoint } from './otlp-metric.ts';

/** Points that are older are not taken, and a stream that began earlier than this before its first point counts from that point on. */
export const MAX_AGE_MS = 7 * 86_400_000;
/** Clocks of senders may be ahead. */
export const MAX_AHEAD_MS = 86_400_000;
/** A stream that was not heard of for so long is forgotten: whatever it repeats is too old by then. */
export const KEPT_MS = MAX_AGE_MS + 2 * MAX_AHEAD_MS;
const NANOS_PER_MS = 1_000_000n;
const MAX_WINDOWS = 100;

/** How the points of a stream are to be read: `samples` are single values, `deltas` what came in a time, `totals` all since a beginning. */
export type StreamForm = 'samples' | 'deltas' | 'totals';

/** Effect of a point. Without an amount nothing is counted: a repeat, a first total to count on from, or no values at all. */
export interface Advance {
  readonly state: StreamState | undefined;
  readonly amount?: Amount | undefined;
  readonly refusal?: string;
}

/** Why a point is not taken, whatever was sent before; undefined where it is. */
export function findPointFault({ value, time_unix_nano }: OtlpPoint, now: number): string | undefined {
  const time = Number(time_unix_nano / NANOS_PER_MS);
  if (time < now - MAX_AGE_MS) return 'a data point is older than 7 days';
  if (time > now + MAX_AHEAD_MS) return 'a data point is more than a day ahead';
  if (typeof value !== 'number') return findHistogramFault(value);
  return Number.isFinite(value) ? undefined : 'the value of a data point is not finite';
}

/**
 * Takes a point of a stream, each once however often it is sent. Totals are told apart by their time alone, since what a later one adds is
 * reckoned from the last; a stream that begins anew is another stream. What came in a time is known by this time: the last 100 of a
 * stream are remembered, and one that is not later than those before them is refused, since it may be a repeat.
 */
export function advance(form: StreamForm, state: StreamState | undefined, point: OtlpPoint, now: number): Advance {
  return form === 'totals' ? advanceTotals(state, point, now) : advanceWindows(state, point, form === 'deltas');
}

function advanceTotals(state: StreamState | undefined, point: OtlpPoint, now: number): Advance {
  const { value, time_unix_nano: time, start_unix_nano: start } = point;
  const next: StreamState = { of: 'totals', time: String(time), value };
  if (state?.of !== 'totals') {
    const isAllNew = start > 0n && Number(start / NANOS_PER_MS) >= now - MAX_AGE_MS;
    return { state: next, amount: isAllNew ? toNumbers(value) : undefined };
  }
  if (time <= BigInt(state.time)) return { state };
  if (typeof value === 'number' || typeof state.value === 'number')
    return { state: next, amount: computeRise(value, state.value) };
  const growth = computeGrowth(value, state.value);
  // Less than before, by a sender that keeps its beginning: it counts from zero again. With other bounds nothing can be told apart.
  if (!growth) return { state: next, amount: value.count < state.value.count ? toNumbers(value) : undefined };
  return { state: next, amount: toNumbers(growth) };
}

function computeRise(later: number | OtlpHistogram, earlier: number | OtlpHistogram): Amount | undefined {
  if (typeof later !== 'number' || typeof earlier !== 'number') return undefined;
  return toNumbers(later < earlier ? later : later - earlier, true);
}

function advanceWindows(state: StreamState | undefined, point: OtlpPoint, isRise: boolean): Advance {
  const { value, start_unix_nano, time_unix_nano } = point;
  const { forgotten, known } = state?.of === 'windows' ? state : NO_WINDOWS;
  const window = `${start_unix_nano}-${time_unix_nano}`;
  if (known.includes(window)) return { state };
  if (time_unix_nano <= BigInt(forgotten)) return { state, refusal: 'a data point comes after 100 later ones of its stream' };
  const all = [...known, window];
  const gone = all.splice(0, Math.max(0, all.length - MAX_WINDOWS)).map((one) => BigInt(one.slice(one.indexOf('-') + 1)));
  const latest = gone.reduce((a, b) => (b > a ? b : a), BigInt(forgotten));
  return { state: { of: 'windows', forgotten: String(latest), known: all }, amount: toNumbers(value, isRise) };
}

const NO_WINDOWS: { readonly forgotten: string; readonly known: readonly string[] } = { forgotten: '0', known: [] };

/** A counter that stands still has counted nothing. */
function toNumbers(value: number | OtlpHistogram, isRise = false): Amount | undefined {
  if (typeof value !== 'number') return toAmount(value);
  if (isRise && value === 0) return undefined;
  return { count: 1, sum: value, min: value, max: value, sketch: { [computeBucket(value)]: 1 } };
}
