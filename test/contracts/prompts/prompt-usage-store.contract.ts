import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PromptUsageSelection } from '../../../core/prompts/prompt-usage-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';
import { score } from '../trends/trend-store.contract.ts';

const DAY = { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' };

/** The stores are opened once; every test works in a run of its own. */
export function promptUsageStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`PromptUsageStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let prompt_version_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      prompt_version_id = randomUUID();
    });
    afterAll(() => stores.close());

    const sums = async (more: Partial<PromptUsageSelection> = {}, limit = 100) => {
      await stores.settle();
      const selection = { project_id: run.project_id, prompt_version_ids: [prompt_version_id], ...DAY, ...more };
      return stores.promptUsageStore.sum(selection, limit);
    };
    const figures = async (more: Partial<PromptUsageSelection> = {}) =>
      Object.fromEntries((await sums(more)).map(({ name, count, sum }) => [name, [count, sum]]));
    /** A call that was made with the version, logged with its trace. */
    const log = async (time: string, metrics: LogRecord['metrics'], facts: Partial<LogRecord> = {}) => {
      const above = trace(run, { created_at: `2026-01-02T${time}Z` });
      const call = span(above, {
        created_at: `2026-01-02T${time}Z`,
        metrics,
        attributes: { prompt_version_id },
        ...facts,
      });
      await write(stores, [above, call]);
      return call;
    };

    it('adds up the metrics of the calls of a version, and none of others', async () => {
      await log('04:00:00', { cost: 0.5, num_input_tokens: 10 });
      await log('05:30:00', { cost: 0.25 }, { status_code: 500 });
      await log('05:30:00', { cost: 8 }, { attributes: { prompt_version_id: randomUUID() } });
      await log('05:30:00', { cost: 8 }, { attributes: {} });
      expect(await figures()).toEqual({ cost: [2, 0.75], num_input_tokens: [1, 10], records: [2, 2], errors: [2, 1] });
    });

    it('follows scores, and calls that are sent again, name another version or none', async () => {
      const call = await log('04:00:00', { cost: 1 });
      expect(await figures()).toMatchObject({ cost: [1, 1] });
      await stores.scoreStore.insert([score(call, { value: true }), score(call, { metric_name: 'tone', value: 0.25 })]);
      await write(stores, [{ ...call, metrics: { cost: 3 } }]);
      expect(await figures()).toEqual({ cost: [1, 3], quality: [1, 1], tone: [1, 0.25], records: [1, 1], errors: [1, 0] });
      const other = randomUUID();
      await write(stores, [{ ...call, attributes: { prompt_version_id: other } }]);
      expect(await figures()).toEqual({});
      expect(await figures({ prompt_version_ids: [other] })).toMatchObject({ records: [1, 1] });
      await write(stores, [{ ...call, attributes: {} }]);
      expect(await figures({ prompt_version_ids: [other, prompt_version_id] })).toEqual({});
    });

    describe('of traces', () => {
      const ofTraces = async (ids = [prompt_version_id], more: Partial<PromptUsageSelection> = {}) => {
        await stores.settle();
        const selection = { project_id: run.project_id, prompt_version_ids: ids, ...DAY, ...more };
        const found = await stores.promptUsageStore.sumTraces(selection, 100);
        return found.map((sum) => [ids.indexOf(sum.prompt_version_id), sum.name, sum.count, sum.sum]);
      };
      const callIn = (above: LogRecord, facts: Partial<LogRecord> = {}) =>
        span(above, { created_at: above.created_at, metrics: { cost: 1 }, attributes: { prompt_version_id }, ...facts });
      const newTrace = (facts: Partial<LogRecord> = {}) =>
        trace(run, { created_at: '2026-01-02T04:10:00Z', metrics: { cost: 9, own: 0.5 }, ...facts });

      it('counts each once for each version that was called in it, by what is said of it alone', async () => {
        const other = randomUUID();
        const above = newTrace();
        const calls = [callIn(above), callIn(above), callIn(above, { attributes: { prompt_version_id: other } })];
        await write(stores, [above, ...calls, newTrace()]);
        await stores.scoreStore.insert([score(above, { value: true }), score(calls[0]!, { metric_name: 'tone', value: 0.25 })]);
        const counted = (index: number) => [
          [index, 'own', 1, 0.5],
          [index, 'quality', 1, 1],
          [index, 'records', 1, 1],
        ];
        expect(await ofTraces()).toEqual(counted(0));
        expect(await ofTraces([other])).toEqual(counted(0));
        expect(await ofTraces([randomUUID()])).toEqual([]);
      });

      it('follows scores of traces, calls that come later and name other versions, and traces that come after their calls', async () => {
        const above = newTrace({ metrics: {} });
        await write(stores, [above]);
        await stores.scoreStore.insert([score(above, { value: 0.5, metric_name: 'right' })]);
        expect(await ofTraces()).toEqual([]);
        const late = callIn(above);
        await write(stores, [late]);
        expect(await ofTraces()).toEqual([
          [0, 'records', 1, 1],
          [0, 'right', 1, 0.5],
        ]);
        await stores.scoreStore.insert([score(above, { value: 0.75, metric_name: 'right', scored_at: '2026-01-03T00:00:00Z' })]);
        expect(await ofTraces()).toEqual([
          [0, 'records', 1, 1],
          [0, 'right', 1, 0.75],
        ]);
        const other = randomUUID();
        await write(stores, [{ ...late, attributes: { prompt_version_id: other } }]);
        expect(await ofTraces()).toEqual([]);
        expect(await ofTraces([other])).toHaveLength(2);
        await write(stores, [{ ...late, attributes: {} }]);
        expect(await ofTraces([other])).toEqual([]);
      });

      it('counts them in the hour that they began in, and no more once they are removed', async () => {
        const [first, second] = [newTrace({ metrics: {} }), newTrace({ metrics: {}, created_at: '2026-01-02T06:00:00Z' })];
        await write(stores, [first, second, callIn(first), callIn(second)]);
        expect(await ofTraces()).toEqual([[0, 'records', 2, 2]]);
        expect(await ofTraces(undefined, { to: '2026-01-02T06:00:00.000Z' })).toEqual([[0, 'records', 1, 1]]);
        await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [first.trace_id]);
        expect(await ofTraces()).toEqual([[0, 'records', 1, 1]]);
        await stores.traceStore.removeAll(run.project_id, run.run_id);
        expect(await ofTraces()).toEqual([]);
      });

      it('counts them for a hundred versions at most', async () => {
        const above = newTrace({ metrics: {} });
        const ids = Array.from({ length: 102 }, () => randomUUID()).toSorted();
        await write(stores, [above, ...ids.map((id) => callIn(above, { attributes: { prompt_version_id: id } }))]);
        const found = await ofTraces(ids);
        expect(found.map(([index]) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
      });
    });

    it('tells buckets of whole hours, within the time that is asked for, in order and up to a limit', async () => {
      for (const time of ['03:59:59', '04:00:00', '05:59:59.999999', '06:00:00', '23:00:00']) await log(time, { cost: 1 });
      const costs = async (more: Partial<PromptUsageSelection>) =>
        (await sums(more)).filter(({ name }) => name === 'cost').map(({ at, count }) => [at, count]);
      expect(await costs({ bucket_hours: 2 })).toEqual([
        ['2026-01-02T02:00:00.000Z', 1],
        ['2026-01-02T04:00:00.000Z', 2],
        ['2026-01-02T06:00:00.000Z', 1],
        ['2026-01-02T22:00:00.000Z', 1],
      ]);
      expect(await costs({ bucket_hours: 24 })).toEqual([['2026-01-02T00:00:00.000Z', 5]]);
      expect(await costs({ from: '2026-01-02T04:00:00.000Z', to: '2026-01-02T06:00:00.000Z' })).toEqual([[null, 2]]);
      expect((await sums({ bucket_hours: 1 }, 4)).map(({ at, name }) => [at!.slice(11, 13), name])).toEqual([
        ['03', 'cost'],
        ['03', 'errors'],
        ['03', 'records'],
        ['04', 'cost'],
      ]);
    });

    it('knows nothing of other projects, nor of traces and runs that were removed', async () => {
      const call = await log('04:00:00', { cost: 1 });
      await log('05:00:00', { cost: 2 });
      expect(await figures({ project_id: randomUUID() })).toEqual({});
      await stores.settle();
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [call.trace_id]);
      expect(await figures()).toMatchObject({ cost: [1, 2], records: [1, 1] });
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await figures()).toEqual({});
    });

    it('takes an id of any form that is no version of a prompt for none', async () => {
      await log('04:00:00', { cost: 1 }, { attributes: { prompt_version_id: 'v1; drop' } });
      expect(await figures()).toEqual({});
    });

    it('is what a search for the version finds, settled or not', async () => {
      const call = await log('04:00:00', { cost: 1 });
      await log('04:00:00', { cost: 1 }, { attributes: {} });
      const find = (level: 'trace' | 'span') =>
        stores.traceStore.count({
          ...{ ...run, level },
          where: {
            filter: {
              type: 'text',
              column_id: 'prompt_version_id',
              operator: 'eq',
              value: prompt_version_id,
              case_sensitive: true,
            },
          },
        });
      expect([await find('span'), await find('trace')]).toEqual([1, 1]);
      await stores.settle();
      expect([await find('span'), await find('trace')]).toEqual([1, 1]);
      await write(stores, [{ ...call, attributes: {} }]);
      expect([await find('span'), await find('trace')]).toEqual([0, 0]);
    });
  });
}
