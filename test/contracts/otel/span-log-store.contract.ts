import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SpanLog } from '../../../core/otel/logs/span-log.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

const FIRST = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
const OTHER = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
const RECEIVED = '2026-01-02T00:00:00.000Z';

/** The stores are opened once; every test works in a run of its own. */
export function spanLogStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`SpanLogStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const log = (span_id: string, place: string, facts: Partial<SpanLog> = {}): SpanLog => ({
      id: randomUUID(),
      span_id,
      trace_id: FIRST,
      name: 'event',
      time: '',
      place,
      severity: '',
      scope: 'lib',
      attributes: { key: ['value', 1, null] },
      body: { text: 'ünïcode \u{1f600} \uf8ff' },
      ...facts,
    });
    const insert = (logs: readonly SpanLog[], { project_id, run_id } = run, at = RECEIVED) =>
      stores.spanLogStore.insert(project_id, run_id, logs, at);
    const list = (...ids: string[]) => stores.spanLogStore.list(run.project_id, run.run_id, ids);
    const sizes = (...ids: string[]) => stores.spanLogStore.sizes(run.project_id, run.run_id, ids);

    it('lists the log records of spans in the order of their places, and those of other spans and runs apart', async () => {
      const [late, early, other] = [log(FIRST, '2'), log(FIRST, '1'), log(OTHER, '0')];
      await insert([late, early, other]);
      await insert([log(FIRST, '3')], await newRun(stores, run.project_id));
      expect(await list(FIRST, randomUUID())).toEqual(new Map([[FIRST, [early, late]]]));
      expect(await list(FIRST, OTHER)).toEqual(
        new Map([
          [FIRST, [early, late]],
          [OTHER, [other]],
        ]),
      );
      expect(await list()).toEqual(new Map());
    });

    it('counts for each of many that ask at once those of its own run', async () => {
      const runs = [run, await newRun(stores, run.project_id), await newRun(stores)];
      for (const [at, own] of runs.entries())
        await insert(
          Array.from({ length: at + 1 }, () => log(FIRST, '1')),
          own,
        );
      const asked = Array.from({ length: 100 }, (_, at) => at % runs.length);
      const found = await Promise.all(
        asked.map((at) => stores.spanLogStore.sizes(runs[at]!.project_id, runs[at]!.run_id, [OTHER, FIRST])),
      );
      expect(found.map((each) => [...each].map(([id, { logs }]) => [id, logs]))).toEqual(asked.map((at) => [[FIRST, at + 1]]));
    });

    it('leaves alone what it knows already, and counts', async () => {
      const one = log(FIRST, '1');
      await insert([one]);
      await insert([{ ...one, place: '9' }, log(FIRST, '2')]);
      expect((await list(FIRST)).get(FIRST)).toHaveLength(2);
      expect((await list(FIRST)).get(FIRST)![0]).toEqual(one);
      const size = (await sizes(FIRST, OTHER)).get(FIRST)!;
      expect(size.logs).toBe(2);
      expect(size.characters).toBeGreaterThan(100);
      expect([...(await sizes(FIRST, OTHER)).keys()]).toEqual([FIRST]);
    });

    it('stores nothing for a run that is not there', async () => {
      await insert([log(FIRST, '1')], { ...run, run_id: randomUUID() });
      await insert([log(FIRST, '1')], { ...run, project_id: randomUUID() });
      expect(await list(FIRST)).toEqual(new Map());
    });

    it('removes what was received long ago, so many at once', async () => {
      await insert([log(FIRST, '1'), log(FIRST, '2'), log(FIRST, '3')], run, '2020-01-01T00:00:00.000Z');
      await insert([log(FIRST, '4')]);
      const remove = () => stores.spanLogStore.removeReceivedBefore('2020-01-02T00:00:00.000Z', 2);
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0]);
      expect((await list(FIRST)).get(FIRST)!.map(({ place }) => place)).toEqual(['4']);
    });

    it('loses what belongs to records and runs that are removed', async () => {
      const whole = trace(run);
      const child = span(whole);
      await write(stores, [whole, child]);
      await insert([log(child.id, '1'), log(OTHER, '1')]);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [whole.id]);
      expect([...(await list(child.id, OTHER)).keys()]).toEqual([OTHER]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      await stores.projectStore.removeRun(run.project_id, 'log_stream', run.run_id);
      expect(await list(OTHER)).toEqual(new Map());
    });
  });
}
