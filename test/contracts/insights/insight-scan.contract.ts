import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InsightScan } from '../../../core/insights/insight-scan.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { entry, newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';
import { score } from '../trends/trend-store.contract.ts';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const hoursAgo = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** The stores are opened once; every test works in a run of its own. */
export function insightScanContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`a look for insights, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    /** Findings of a scan in these records, one step each in a trace of its own. */
    const found = async (records: readonly LogRecord[]) => {
      await write(stores, records);
      await stores.settle();
      return look();
    };
    const look = async () => {
      const { project_id, run_id } = run;
      await stores.insightStore.setSettings(project_id, run_id, { enabled: true, start_time: hoursAgo(0) });
      await stores.workList.put({ kind: 'insights', project_id, id: run_id }, hoursAgo(0));
      const looking = new InsightScan({
        ...stores,
        reportScan: stores.recordScan,
        clock: () => new Date(NOW),
        newId: randomUUID,
      });
      expect(await looking.run()).toBe(true);
      expect(await looking.run()).toBe(false);
      return stores.insightStore.list(project_id, run_id, undefined, { offset: 0, limit: 100 });
    };
    const step = (hours: number, facts: Partial<LogRecord>): LogRecord[] => {
      const created_at = hoursAgo(hours);
      const parent = trace(run, { created_at, has_children: true });
      return [parent, span(parent, { created_at, ...facts })];
    };

    it('finds nothing where all is well', async () => {
      expect(await found(times(30, (at) => step(at / 2, { name: 'look_up', metrics: { duration_ns: 5 } })).flat())).toEqual([]);
      expect(await stores.insightStore.list(run.project_id, run.run_id, undefined, { offset: 0, limit: 1 })).toEqual([]);
    });

    it('puts together what fails alike, of the last day', async () => {
      const failing = (hours: number, output: string) => step(hours, { name: 'fetch', status_code: 500, output });
      const alike = times(4, (at) => failing(at + 1, `no user ${randomUUID()} after ${at} s`));
      const records = [...alike, failing(2, 'another one'), failing(30, 'no user 7 after 1 s')].flat();
      const [only, ...rest] = await found(records);
      expect(rest).toEqual([]);
      expect(only).toMatchObject({ kind: 'error_cluster', priority_category: 'error', occurrences: 4, status: 'open' });
      expect(new Set(only!.records.map(({ record_id }) => record_id))).toEqual(new Set(alike.map(([, failed]) => failed!.id)));
    });

    it('writes down no more of a sort than people read', async () => {
      const letters = times(26, (at) => String.fromCharCode(97 + at));
      const failing = (output: string, count: number) => times(count, () => step(1, { name: 'fetch', status_code: 500, output }));
      const insights = await found(letters.flatMap((letter, at) => failing(`${letter} failed`, at === 25 ? 4 : 3)).flat());
      expect(insights).toHaveLength(20);
      expect(insights.filter(({ details }) => details.includes('z failed'))).toHaveLength(1);
    });

    it('finds steps that became slow, and shows the slowest', async () => {
      const before = times(25, (at) => step(30 + at, { name: 'answer', type: 'llm', metrics: { duration_ns: 1e9 } }));
      const now = times(25, (at) => step(1 + at / 2, { name: 'answer', type: 'llm', metrics: { duration_ns: 3e9 + at } }));
      const insights = await found([...before, ...now].flat());
      expect(insights).toMatchObject([{ kind: 'slow_step', title: 'llm "answer" has become slow', occurrences: 25 }]);
      expect(insights[0]!.records.map(({ record_id }) => record_id)).toEqual(
        now
          .map(([, one]) => one!.id)
          .toReversed()
          .slice(0, 10),
      );
    });

    it('finds the step that most of the cost goes to', async () => {
      const dear = times(20, () => step(1, { name: 'answer', type: 'llm', metrics: { cost: 4 } }));
      const cheap = times(20, () => step(1, { name: 'title', type: 'llm', metrics: { cost: 1 } }));
      expect(await found([...dear, ...cheap].flat())).toMatchObject([
        { kind: 'costly_step', priority_category: 'info', title: expect.stringContaining('80 %') },
      ]);
    });

    it('finds scores that dropped, and shows the lowest', async () => {
      await stores.metricSettingsStore.replace(run.project_id, run.run_id, () => ({
        scorers: [entry({ name: 'quality' }), entry({ name: 'steady' })],
        segment_filters: [],
      }));
      const scored = async (hours: number, quality: number, steady: number) => {
        const records = step(hours, { name: 'x' });
        await write(stores, records);
        await stores.scoreStore.insert([
          score(records[0]!, { value: quality }),
          score(records[0]!, { metric_name: 'steady', value: steady }),
        ]);
        return records[0]!.id;
      };
      for (let at = 0; at < 20; at += 1) await scored(30 + at, 0.8 + (at % 3) / 10, at % 2);
      const ids: string[] = [];
      for (let at = 0; at < 20; at += 1) ids.push(await scored(1, 0.4 + at / 100, at % 2));
      await stores.settle();
      const insights = await look();
      expect(insights).toMatchObject([{ kind: 'score_drop', title: '"quality" has dropped', occurrences: 20 }]);
      expect(insights[0]!.records.map(({ record_id }) => record_id)).toEqual(ids.slice(0, 10));
    });

    it('finds tools that are called in circles', async () => {
      const parent = trace(run, { created_at: hoursAgo(1), has_children: true });
      const call = (input: string) => span(parent, { name: 'search', input, created_at: hoursAgo(1) });
      const insights = await found([parent, ...times(5, () => call('same')), ...times(9, (at) => call(`other ${at}`))]);
      expect(insights).toMatchObject([{ kind: 'tool_loop', occurrences: 1, details: 'At most 5 times in one trace.' }]);
      expect(insights[0]!.records).toMatchObject([{ trace_id: parent.id, name: 'search', type: 'tool' }]);
    });
  });
}
