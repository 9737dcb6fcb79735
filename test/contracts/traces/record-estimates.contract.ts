import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { FilterTree, RecordFilter } from '../../../core/traces/record-query.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function recordEstimatesContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`RecordEstimates, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let traces: LogRecord[];
    const session_id = randomUUID();
    const at = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour, 30)).toISOString();

    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      traces = Array.from({ length: 6 }, (_, hour) =>
        trace(run, { name: `trace${hour}`, created_at: at(hour), ...(hour < 2 && { session_id }) }),
      );
      await write(stores, [...traces, ...traces.slice(0, 4).map((one) => span(one, { created_at: at(9) }))]);
    });
    afterAll(() => stores.close());

    const estimate = (where: FilterTree, level: 'trace' | 'span' = 'trace', enough = 0): Promise<number> =>
      stores.recordEstimates.estimate({ ...run, level, where }, enough);
    const filter = (one: RecordFilter): FilterTree => ({ filter: one });
    const byId = (column_id: string, value: string | string[]): FilterTree =>
      filter({ type: 'id', column_id, operator: 'one_of', value });
    const since = (hour: number): FilterTree =>
      filter({ type: 'date', column_id: 'created_at', operator: 'gte', value: at(hour) });
    const byName = filter({ type: 'text', column_id: 'name', operator: 'eq', value: 'trace1', case_sensitive: true });

    it('is all of the run and level where nothing narrows it, be it indexed already or not', async () => {
      for (const settled of [false, true]) {
        if (settled) await stores.settle();
        expect(await estimate({ and: [] })).toBe(6);
        expect(await estimate({ and: [] }, 'span')).toBe(4);
        expect(await estimate(byName)).toBe(6);
      }
    });

    it('is no more than what ids and times leave that have to hold', async () => {
      await stores.settle();
      expect(await estimate(byId('id', traces[0]!.id))).toBe(1);
      expect(await estimate({ and: [byName, byId('trace_id', [traces[0]!.id, traces[1]!.id])] }, 'span')).toBe(2);
      expect(await estimate(byId('session_id', session_id))).toBe(2);
      expect(await estimate(since(4))).toBe(2);
      expect(await estimate({ and: [since(4), { and: [byId('id', traces[5]!.id)] }] })).toBe(1);
    });

    it('is not narrowed by what need not hold', async () => {
      await stores.settle();
      expect(await estimate({ or: [byId('id', traces[0]!.id), byName] })).toBe(6);
      expect(await estimate({ not: since(4) })).toBe(6);
    });

    it('may be all where they are few enough, and knows no other run', async () => {
      await stores.settle();
      expect(await estimate(byId('id', traces[0]!.id), 'trace', 6)).toBe(6);
      expect(await estimate(byId('id', traces[0]!.id), 'trace', 5)).toBe(1);
      const other = await newRun(stores);
      expect(await stores.recordEstimates.estimate({ ...other, level: 'trace', where: { and: [] } }, 0)).toBe(0);
    });

    it('counts what waits to be indexed whatever its time', async () => {
      await stores.settle();
      await write(stores, [trace(run, { created_at: at(0) })]);
      expect(await estimate(since(4))).toBeGreaterThanOrEqual(2);
      expect(await estimate(since(0))).toBe(7);
    });
  });
}
