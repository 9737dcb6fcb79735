import type { NumbersOfBucket } from '../series-store.ts';
import { type TrendChange, toChange } from './trend-change.ts';

type Calls = Pick<NumbersOfBucket, 'group' | 'bucket' | 'count'>;

/**
 * A model that is used at the same rate all the time goes without a call where this many were expected in one of 150 times: e to the power
 * of -5. So a model that is rare is not taken for one that comes and goes.
 */
const EXPECTED = 5;

/**
 * Models that begin or end to be called, by the calls of each in each bucket; `width` is that of a bucket in ms. Calls without a model count
 * among all, and are no model. A model that ends has its change at the end of the bucket with its last call.
 */
export function findModelChanges(calls: readonly Calls[], width: number): TrendChange[] {
  const timed = calls.flatMap(({ group, bucket, count }) => (bucket === null ? [] : [{ group, bucket, count }]));
  const totals = toTotals(timed);
  const models = Map.groupBy(
    timed.filter(({ group, count }) => group !== null && group !== '' && count > 0),
    ({ group }) => group!,
  );
  return [...models].flatMap(([model, own]) => {
    const first = own.reduce((least, { bucket }) => Math.min(least, bucket), Number.POSITIVE_INFINITY);
    const last = own.reduce((most, { bucket }) => Math.max(most, bucket), Number.NEGATIVE_INFINITY);
    const count = own.reduce((sum, one) => sum + one.count, 0);
    const share = count / totals.between(first, last);
    const at = (time: number): string => new Date(time).toISOString();
    const began = toChange({ kind: 'model_began', at: at(first), text: `Model ${model} is called from here on`, model });
    const ended = toChange({ kind: 'model_ended', at: at(last + width), text: `Model ${model} is no longer called`, model });
    return [
      ...(share * totals.before(first) >= EXPECTED ? [began] : []),
      ...(share * totals.after(last) >= EXPECTED ? [ended] : []),
    ];
  });
}

/** Numbers of all calls in parts of the time, each at the cost of a look-up. */
function toTotals(calls: readonly { readonly bucket: number; readonly count: number }[]) {
  const byBucket = new Map<number, number>();
  for (const { bucket, count } of calls) byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + count);
  const upTo = new Map<number, number>();
  let sum = 0;
  for (const bucket of [...byBucket.keys()].sort((a, b) => a - b)) {
    sum += byBucket.get(bucket)!;
    upTo.set(bucket, sum);
  }
  const before = (bucket: number): number => upTo.get(bucket)! - byBucket.get(bucket)!;
  return {
    before,
    after: (bucket: number): number => sum - upTo.get(bucket)!,
    between: (first: number, last: number): number => upTo.get(last)! - before(first),
  };
}
