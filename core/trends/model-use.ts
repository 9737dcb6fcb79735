import { COUNTED } from '../record-index/record-metrics.ts';
import type { Buckets, NumbersOfBucket, SeriesStore } from './series-store.ts';

/** Calls that are looked at one by one. */
const MAX_CALLS = 1_000_000;

export type ModelUse = { readonly calls: number; readonly rows: readonly NumbersOfBucket[] } | { readonly too_many: string };

/**
 * How often each model was called, as its calls name it: read from these, since the roll-up does not keep models apart. Only the models
 * that were called most are returned, at most `max_models`. Bounds have to be whole hours.
 */
export async function readModelUse(
  store: SeriesStore,
  buckets: Buckets,
  types: readonly string[],
  max_models: number,
): Promise<ModelUse> {
  const counted = { name: COUNTED.records, types };
  const [rows] = await store.fromHours({ ...buckets, minutes: null }, [{ ...counted, detail: 'sums', by_type: false }]);
  const calls = rows![0]?.count ?? 0;
  if (calls > MAX_CALLS) return { too_many: `${calls} calls are more than ${MAX_CALLS} to look at` };
  const slice = { ...counted, where: { and: [] }, group_by: 'model', max_groups: max_models, quantile: undefined };
  return { calls, rows: (await store.fromRecords(buckets, slice)).rows };
}
