import { compareText } from '../../../core/kernel/query/sort.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import { toRecordMetrics } from '../../../core/record-index/record-metrics.ts';
import { computeBucket, computeSketch } from '../../../core/record-index/sketch.ts';
import type { Score } from '../../../core/scores/score.ts';
import { findColumn, type Judged } from '../../../core/traces/columns/column.ts';
import { matches } from '../../../core/traces/read/record-match.ts';
import { valueText } from '../../../core/traces/read/value-text.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type {
  Buckets,
  HourlySlice,
  NumbersOfBucket,
  RecordSlice,
  SeriesStore,
  Slice,
} from '../../../core/trends/series-store.ts';
import type { MemoryCommentStore } from '../comments/memory-comment-store.ts';
import { type JudgedRecords, ratingsOf, scoresByRecord } from '../scorers/scored-records.ts';

interface Found {
  readonly record: LogRecord;
  readonly scores: readonly Score[];
  readonly judged: Judged;
  readonly value: number;
}

export interface MemorySeriesDeps extends JudgedRecords {
  readonly commentStore: Pick<MemoryCommentStore, 'countOf'>;
}

/** Looks at the records themselves, for the hours too. */
export class MemorySeriesStore implements SeriesStore {
  readonly #deps: MemorySeriesDeps;

  constructor(deps: MemorySeriesDeps) {
    this.#deps = deps;
  }

  fromHours(buckets: Buckets, slices: readonly HourlySlice[]): Promise<NumbersOfBucket[][]> {
    return Promise.all(
      slices.map(async (slice) => {
        const found = await this.#found(buckets, slice);
        const placed = found.map((one) => ({ ...one, group: slice.by_type ? one.record.type : null }));
        return bucketed(placed, buckets.minutes).map(([place, values]) => ({
          ...place,
          ...numbers(values),
          zeros: slice.detail === 'sums' ? 0 : numbers(values).zeros,
          sketch: slice.detail === 'sketch' ? computeSketch(values) : null,
          quantile: null,
        }));
      }),
    );
  }

  async fromRecords(buckets: Buckets, slice: RecordSlice): Promise<{ rows: NumbersOfBucket[]; groups: number }> {
    const found = await this.#found(buckets, slice);
    const placed = found
      .filter(({ record, judged }) => matches(slice.where, record, judged))
      .flatMap((one) => toGroups(one, slice.group_by).map((group) => ({ ...one, group })));
    const sizes = [...Map.groupBy(placed, ({ group }) => group)].map(([group, own]) => ({ group, size: own.length }));
    sizes.sort(
      (a, b) =>
        b.size - a.size || Number(a.group === null) - Number(b.group === null) || compareText(a.group ?? '', b.group ?? ''),
    );
    const shown = new Set(sizes.slice(0, slice.max_groups).map(({ group }) => group));
    const kept = placed.filter(({ group }) => shown.has(group));
    const rows = [...(buckets.minutes === null ? [] : bucketed(kept, buckets.minutes)), ...bucketed(kept, null)];
    return {
      rows: rows.map(([place, values]) => ({
        ...place,
        ...numbers(values),
        sketch: null,
        quantile: quantile(values, slice.quantile),
      })),
      groups: sizes.length,
    };
  }

  async #found({ project_id, run_id, from, to }: Buckets, { name, types }: Slice): Promise<Found[]> {
    const records = this.#deps.traceStore
      .toRecords(project_id, run_id)
      .filter(
        ({ created_at, type }) => !isBefore(created_at, from) && isBefore(created_at, to) && (types?.includes(type) ?? true),
      );
    const scores = await scoresByRecord(this.#deps, project_id, run_id, records);
    const rated = this.#deps.ratingStore.columnsOf({ project_id, run_id });
    return records.flatMap((record) => {
      const own = scores.get(record.id) ?? [];
      const value = toRecordMetrics(record, own, ratingsOf(this.#deps, record, rated)).find((one) => one.name === name)?.value;
      const key = { project_id, run_id, record_id: record.id };
      const judged: Judged = {
        score: (metric_name) => newest(own, metric_name)?.value ?? null,
        agreement: (metric_name) => newest(own, metric_name)?.effort?.agreement ?? null,
        rating: (column) => this.#deps.ratingStore.valueIn(key, column),
        comments: () => this.#deps.commentStore.countOf(key),
      };
      return value === undefined ? [] : [{ record, scores: own, judged, value }];
    });
  }
}

type Place = Pick<NumbersOfBucket, 'group' | 'bucket'>;

function bucketed(found: readonly (Found & { readonly group: string | null })[], minutes: number | null): [Place, number[]][] {
  const width = (minutes ?? 1) * 60_000;
  const bucketAt = (created_at: string) => (minutes === null ? null : Math.floor(Date.parse(created_at) / width) * width);
  const groups = Map.groupBy(found, ({ group, record }) => JSON.stringify([group, bucketAt(record.created_at)]));
  return [...groups.values()].map((own) => [
    { group: own[0]!.group, bucket: bucketAt(own[0]!.record.created_at) },
    own.map(({ value }) => value),
  ]);
}

function toGroups({ record, judged }: Found, group_by: string | undefined): (string | null)[] {
  if (group_by === undefined) return [null];
  if (group_by === 'tags') return record.tags.length > 0 ? [...new Set(record.tags)] : [null];
  return [valueText(findColumn(group_by)?.value(record, judged) ?? null)];
}

/** Scores come by the time they were made. */
const newest = (scores: readonly Score[], name: string): Score | undefined =>
  scores.findLast(({ metric_name }) => metric_name === name);

const numbers = (values: readonly number[]) => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  min: values.reduce((a, b) => Math.min(a, b)),
  max: values.reduce((a, b) => Math.max(a, b)),
  zeros: values.filter((value) => computeBucket(value) === '0').length,
});

const quantile = (values: readonly number[], share: number | undefined): number | null =>
  share === undefined ? null : values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;
