import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MetricsQuery } from '../../../core/trends/run-metrics.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

const FROM = '2026-01-01T00:00:00.000Z';
const TO = '2026-01-01T01:00:00.000Z';
const at = (minute: number): string => new Date(Date.parse(FROM) + minute * 60_000).toISOString();

/** The stores are opened once; every test works in a run of its own. */
export function runMetricsContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`RunMetrics, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const logged = async (...facts: Partial<LogRecord>[]): Promise<LogRecord[]> => {
      const records = facts.map((one) => trace(run, { created_at: at(1), ...one }));
      await write(stores, records);
      return records;
    };
    const measure = async (more: Partial<MetricsQuery> = {}) => {
      const selection = { ...run, level: 'trace', where: { and: [] } } as const;
      const query = { selection, from: FROM, to: TO, interval_minutes: 5, group_by: undefined, max_rows: 100, ...more };
      const { total, buckets } = await stores.runMetrics.measure(query);
      return { total, buckets: buckets.toSorted((a, b) => (`${a.group} ${a.bucket}` < `${b.group} ${b.bucket}` ? -1 : 1)) };
    };
    const score = async (record: LogRecord, value: JsonValue, metric_name = 'quality'): Promise<void> => {
      const ids = { record_id: record.id, scorer_id: randomUUID(), scorer_version_id: randomUUID() };
      const facts = {
        status_type: 'success',
        explanation: null,
        message: null,
        effort: null,
        judged: null,
        scored_at: FROM,
      } as const;
      await stores.scoreStore.insert([{ ...run, ...ids, ...facts, metric_name, value }]);
    };

    it('has nothing to tell of a run without traces', async () => {
      expect(await measure()).toEqual({ total: { requests: 0, errors: 0 }, buckets: [] });
    });

    it('counts traces and errors by bucket, the first moment in, the last one out', async () => {
      await logged(
        { created_at: FROM, status_code: 399 },
        { created_at: at(4.99), status_code: 400 },
        { created_at: at(5), status_code: 500 },
      );
      await logged({ created_at: TO }, { created_at: at(-1) });
      expect(await measure()).toEqual({
        total: { requests: 3, errors: 2 },
        buckets: [
          { group: null, bucket: 0, numbers: { requests: 2, errors: 1 } },
          { group: null, bucket: 1, numbers: { requests: 1, errors: 1 } },
        ],
      });
    });

    it('averages durations and finds exact percentiles', async () => {
      await logged(...[10, 20, 30, 40].map((duration_ns) => ({ metrics: { duration_ns } })), {});
      const { total } = await measure();
      expect(total).toMatchObject({ requests: 5, average_duration_ns: 25, p50_duration_ns: 25 });
      expect(total.p95_duration_ns).toBeCloseTo(38.5);
    });

    it('adds up tokens and cost of model calls below the traces', async () => {
      const [root] = await logged({ has_children: true, metrics: { num_input_tokens: 1_000 } });
      const call = { type: 'llm', metrics: { num_input_tokens: 2, num_total_tokens: 5, cost: 0.25 } } as const;
      await write(stores, [
        span(root!, call),
        span(root!, call),
        span(root!, { type: 'tool', metrics: { num_input_tokens: 7 } }),
      ]);
      const { total } = await measure();
      expect(total).toEqual({ requests: 1, errors: 0, num_input_tokens: 4, num_total_tokens: 10, cost: 0.5 });
    });

    it('averages what scorers said of the traces and of records in them: numbers, and yes and no', async () => {
      const [root] = await logged({ has_children: true });
      const below = span(root!);
      await write(stores, [below]);
      await score(root!, 0.5);
      await score(below, 1);
      await score(root!, true, 'polite');
      await score(below, false, 'polite');
      await score(root!, 'fine', 'words');
      const { total, buckets } = await measure();
      expect(total).toEqual({ requests: 1, errors: 0, 'metrics/quality': 0.75, 'metrics/polite': 0.5 });
      expect(buckets).toEqual([{ group: null, bucket: 0, numbers: total }]);
    });

    it.each<[string, Partial<LogRecord>, Partial<LogRecord>, [string | null, string | null]]>([
      ['name', { name: 'a' }, { name: 'b' }, ['a', 'b']],
      ['status_code', { status_code: 200 }, {}, ['200', null]],
      ['user_metadata/customer', { user_metadata: { customer: 'x' } }, {}, ['x', null]],
      ['is_complete', { is_complete: false }, { is_complete: true }, ['false', 'true']],
    ])('groups by %s', async (group_by, one, two, [first, second]) => {
      await logged(one, two, { ...two, created_at: at(7) });
      const { total, buckets } = await measure({ group_by });
      expect(total).toMatchObject({ requests: 3 });
      const lines = buckets.map(({ group, bucket, numbers }) => JSON.stringify([group, bucket, numbers.requests]));
      expect(lines.sort()).toEqual(
        [
          [first, 0, 1],
          [second, 0, 1],
          [second, 1, 1],
        ]
          .map((line) => JSON.stringify(line))
          .sort(),
      );
    });

    it('looks only at traces that meet the condition', async () => {
      await logged({ name: 'a' }, { name: 'b' });
      const where = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'a', case_sensitive: true } } as const;
      expect((await measure({ selection: { ...run, level: 'trace', where } })).total).toEqual({ requests: 1, errors: 0 });
    });

    it('returns one bucket more than asked for when there are more', async () => {
      await logged(...[1, 6, 11, 16].map((minute) => ({ created_at: at(minute) })));
      expect((await measure({ max_rows: 2 })).buckets.length).toBeGreaterThan(2);
    });
  });
}
