import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/traces/record.ts';
import { enableScorer, newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

const incomplete = { is_complete: false };
const IDLE_SECONDS = 3_600;
const LONG_ENOUGH_MS = 3_601_000;

type StoresInTime = RecordStores & {
  /** Makes all that is stored so much older. */
  pass(ms: number): void | Promise<void>;
};

export function idleTracesContract(adapter: string, open: () => Promise<StoresInTime>): void {
  describe(`IdleTraces, ${adapter}`, () => {
    let stores: StoresInTime;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const find = ({ project_id, id, run_id }: LogRecord) => stores.traceStore.find(project_id, id, run_id);
    const complete = () => stores.idleTraces.complete(IDLE_SECONDS);

    it('completes what is quiet, with its spans, and asks for its scoring', async () => {
      await enableScorer(stores, run);
      const quiet = trace(run, incomplete);
      const child = span(quiet);
      await write(stores, [quiet, child]);
      expect((await complete()).completed).toBe(0);
      expect(await find(quiet)).toMatchObject(incomplete);
      await stores.pass(LONG_ENOUGH_MS);
      expect(await complete()).toEqual({ completed: 1, more: false });
      expect(await find(quiet)).toMatchObject({ is_complete: true });
      expect(await find(child)).toMatchObject({ is_complete: true });
      expect(await stores.jobs(run)).toEqual([{ ...run, trace_ids: [quiet.id] }]);
      expect(await complete()).toEqual({ completed: 0, more: false });
    });

    it('waits for traces that still get spans', async () => {
      const busy = trace(run, incomplete);
      await write(stores, [busy]);
      await stores.pass(LONG_ENOUGH_MS);
      await write(stores, [span(busy)]);
      expect((await complete()).completed).toBe(0);
      expect(await find(busy)).toMatchObject(incomplete);
      await stores.pass(LONG_ENOUGH_MS);
      expect((await complete()).completed).toBe(1);
    });

    it('asks for nothing in runs without scorers', async () => {
      const quiet = trace(run, incomplete);
      await write(stores, [quiet]);
      await stores.pass(LONG_ENOUGH_MS);
      expect((await complete()).completed).toBe(1);
      expect(await stores.jobs(run)).toEqual([]);
    });

    it('keeps a late span, and does not open the trace again', async () => {
      const quiet = trace(run, incomplete);
      await write(stores, [quiet]);
      await stores.pass(LONG_ENOUGH_MS);
      await complete();
      const late = span(quiet, incomplete);
      await write(stores, [late]);
      await write(stores, [{ ...quiet, name: 'sent again' }]);
      expect(await find(late)).toMatchObject({ is_complete: true });
      expect(await find(quiet)).toMatchObject({ is_complete: true });
    });

    it('goes through the traces of all runs and projects', async () => {
      const runs = [run, await newRun(stores, run.project_id), await newRun(stores)];
      const traces = runs.map((one) => trace(one, incomplete));
      for (const one of traces) await write(stores, [one]);
      await stores.pass(LONG_ENOUGH_MS);
      expect((await complete()).completed).toBe(3);
    });
  });
}
